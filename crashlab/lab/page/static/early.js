/* What a cell needs to be run: a kernel, for which it waits, while JupyterLab forgets it; and a notebook, of which the
 * kernel hears nothing else.
 */

const NOTEBOOK = 'crashlabNotebook'; // as crashlab/lab/notebook_cells.py calls it

const COMMANDS = ['run', 'runAndAdvance', 'runAndInsert', 'runAll'];

/** Let JupyterLab's `NotebookActions` wait for the kernel. */
export function waitForKernel(actions) {
  for (const name of COMMANDS) {
    const run = actions[name];
    actions[name] = async (notebook, context, ...rest) => {
      if (context && !context.isReady) {
        const cell = notebook.activeCell;
        cell?.setPrompt?.('*');
        if (name === 'runAndAdvance' && notebook.activeCellIndex + 1 < notebook.widgets.length) {
          notebook.activeCellIndex += 1; // so that a second Shift+Enter runs the next cell
        }
        await context.ready;
        notebook.activeCellIndex = notebook.widgets.indexOf(cell);
      }
      return run(notebook, context, ...rest);
    };
  }
}

/** Tell the kernel with every cell which notebook it is in: those of a copied file have the same names. */
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
