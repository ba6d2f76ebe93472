/* A button that writes a function into a new cell below, for changing and running it.
 *
 * The text is from crashlab/lab/rules.py. crashlab/lab/panel_page/room.css hides it and shows the button. Without
 * this file, or if JupyterLab has no cell to write below, the text is shown instead, to be copied by hand.
 */

const COPY = '.crashlab-copy';
const CELL = '.crashlab-cell pre';
const PANEL = '.crashlab-panel';
const BY_HAND = 'crashlab-by-hand';
const INSERT = 'notebook:insert-cell-below';

export function copyCode(app, notebooks) {
  document.body.dataset.crashlabCopies = '';
  document.addEventListener('click', async event => {
    const panel = event.target.closest?.(COPY)?.closest(PANEL);
    const text = panel?.querySelector(CELL)?.textContent;
    if (text && !(await insertBelow(app, notebooks.currentWidget?.content, panel, text))) {
      panel.classList.add(BY_HAND);
    }
  });
}

/** Write text into a new cell below the cell of a panel and select it; return whether that was possible. */
async function insertBelow(app, notebook, panel, text) {
  const index = notebook?.widgets.findIndex(cell => cell.node.contains(panel)) ?? -1;
  if (index < 0 || !app.commands.hasCommand(INSERT)) {
    return false; // for example in a separate view of the output
  }
  notebook.activeCellIndex = index;
  await app.commands.execute(INSERT);
  notebook.activeCell.model.sharedModel.setSource(text.trimEnd());
  notebook.mode = 'edit';
  return true;
}
