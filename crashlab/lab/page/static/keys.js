/* Keys on a panel belong to the panel; those with Ctrl, Alt or Meta belong to JupyterLab and the browser. */

const PANEL = '.crashlab-panel';

export function keepKeys(app, notebooks) {
  const keep = event => {
    const panel = event.target.closest?.(PANEL);
    const isOurs = !['ctrl', 'alt', 'meta'].some(key => event[`${key}Key`]);
    if (panel) {
      event.target.toggleAttribute('data-lm-suppress-shortcuts', isOurs); // or X would cut the cell
    }
    const runs = event.key === 'Enter' && (event.shiftKey || !isOurs);
    if (panel && runs && event.target.tagName !== 'TEXTAREA') {
      event.preventDefault(); // it would rerun the cell, which ends the game, or press a button
      event.stopPropagation();
      if (event.shiftKey) {
        goOn(app, notebooks, panel);
      }
    }
  };
  window.addEventListener('keydown', keep, { capture: true }); // before JupyterLab, which listens on the document
}

/** Select the cell below the cell of a panel, as after running it. */
function goOn(app, notebooks, panel) {
  const notebook = notebooks.currentWidget?.content;
  const index = notebook?.widgets.findIndex(cell => cell.node.contains(panel)) ?? -1;
  if (index >= 0) {
    notebook.activeCellIndex = index;
    app.commands.execute('notebook:move-cursor-down');
  }
}
