/* Accessible names for controls of ipywidgets that have only a title or a text beside them. */

const CONTROLS = 'select, input, textarea, [role=slider]';
const ROWS = ['.widget-inline-hbox', '.widget-hbox'];
const WORDS = 'label:not(:empty), .widget-html';

export function nameControls() {
  const name = control => {
    const beside = ROWS.map(row => control.closest(row)?.querySelector(WORDS)?.textContent.trim());
    const words = control.title || control.parentElement.title || beside.find(Boolean);
    if (words && control.ariaLabel !== words) {
      control.ariaLabel = words;
    }
  };
  const watch = new MutationObserver(changes => {
    for (const { target, addedNodes } of changes) {
      const row = target.closest('.widget-hbox') ?? target; // the text of a row may change
      const isOurs = node => node.nodeType === Node.ELEMENT_NODE && node.closest('.crashlab-panel');
      [row, ...addedNodes]
        .filter(isOurs)
        .flatMap(node => [node, ...node.querySelectorAll(CONTROLS)])
        .filter(node => node.matches(CONTROLS))
        .forEach(name);
    }
  });
  watch.observe(document.body, { childList: true, subtree: true, attributeFilter: ['title'] });
}
