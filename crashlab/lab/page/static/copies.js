/* A button that writes the code beside it into a new cell below, where it can be changed and run.
 *
 * crashlab/lab/rules.py shows the code; where there is no page of ours the code can be copied by hand.
 */

const COPY = '.crashlab-copy';
const CODE = '.crashlab-code pre';
const PANEL = '.crashlab-panel';

export function copyCode(app, notebooks) {
  document.addEventListener('click', async event => {
    const panel = event.target.closest?.(COPY)?.closest(PANEL);
    const code = panel?.querySelector(CODE)?.textContent;
    const notebook = notebooks.currentWidget?.content;
    const cell = notebook?.widgets.findIndex(each => each.node.contains(panel));
    if (code && cell >= 0) {
      notebook.activeCellIndex = cell;
      await app.commands.execute('notebook:insert-cell-below');
      notebook.activeCell.model.sharedModel.setSource(code.trimEnd());
    }
  });
}
