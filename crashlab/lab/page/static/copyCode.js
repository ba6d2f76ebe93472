/* A button that writes a function into a new cell below, where it can be changed and run.
 *
 * crashlab/lab/rules.py has the text. crashlab/lab/panel_page/room.css hides it, and shows the button: where there is no page of ours it is the
 * other way round, and the text is copied by hand; so it is where JupyterLab has no cell to write below.
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

/** Write text into a new cell below the one that shows a panel, and go there; whether that could be done. */
async function insertBelow(app, notebook, panel, text) {
  const index = notebook?.widgets.findIndex(each => each.node.contains(panel)) ?? -1;
  if (index < 0 || !app.commands.hasCommand(INSERT)) {
    return false; // such as in a view of the output alone
  }
  notebook.activeCellIndex = index;
  await app.commands.execute(INSERT);
  notebook.activeCell.model.sharedModel.setSource(text.trimEnd());
  notebook.mode = 'edit';
  return true;
}
