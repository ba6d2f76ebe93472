/* A cell that is run before the kernel is there runs as soon as it is; JupyterLab forgets it. */

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
