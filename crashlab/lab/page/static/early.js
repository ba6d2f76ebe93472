/* Two things that a cell needs to run: a ready kernel, for which JupyterLab does not wait, and the name of its
 * notebook, which the kernel learns in no other way.
 */

const NOTEBOOK = 'crashlabNotebook'; // the name in crashlab/lab/notebook_cells.py

const COMMANDS = ['run', 'runAndAdvance', 'runAndInsert', 'runAll'];

/** Make JupyterLab's `NotebookActions` wait for the kernel. */
export function waitForKernel(actions) {
  for (const name of COMMANDS) {
    const run = actions[name];
    actions[name] = async (notebook, context, ...rest) => {
      const isRun = cell => cell.model.type === 'code' && (name === 'runAll' || notebook.isSelectedOrActive(cell));
      const cells = notebook.widgets.filter(isRun);
      if (context && !context.isReady && cells.length) {
        const cell = notebook.activeCell;
        cells.forEach(code => code.setPrompt('*'));
        if (name === 'runAndAdvance' && notebook.activeCellIndex + 1 < notebook.widgets.length) {
          notebook.activeCellIndex += 1; // a second Shift+Enter then runs the next cell
        }
        await context.ready;
        notebook.activeCellIndex = notebook.widgets.indexOf(cell);
      }
      return run(notebook, context, ...rest);
    };
  }
}

/** Send the notebook's path with every cell; the cells of a copied file have the same ids. */
export function nameNotebook({ context, sessionContext }) {
  const name = () => {
    const { kernel } = sessionContext.session ?? {};
    if (kernel && !Object.hasOwn(kernel, 'requestExecute')) {
      const run = kernel.requestExecute;
      kernel.requestExecute = (content, ends, metadata) =>
        run.call(kernel, content, ends, { ...metadata, [NOTEBOOK]: context.path });
    }
  };
  sessionContext.kernelChanged.connect(name);
  name();
}
