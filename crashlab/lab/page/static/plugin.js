/* The plugin that JupyterLab activates at its start. */

import { copyCode } from './copyCode.js';
import { nameNotebook, waitForKernel } from './early.js';
import { keepKeys } from './keys.js';
import { MARK, rendererOn } from './panels.js';
import { describePictures } from './pictures.js';
import { present } from './present.js';

const RANK = -20; // before the widgets' own (-10)

/** `INotebookTracker`, `NotebookActions` and `Panel` are JupyterLab's. */
export const plugin = ({ INotebookTracker, NotebookActions }, Panel) => ({
  id: 'crashlab:page',
  description: 'Does for the panels of crashlab what only JupyterLab can do.',
  autoStart: true,
  optional: [INotebookTracker], // Voila loads it without notebooks
  activate(app, notebooks) {
    if (!notebooks) {
      return;
    }
    waitForKernel(NotebookActions);
    const PanelRenderer = rendererOn(Panel);
    const prepare = notebook => {
      const { rendermime } = notebook.content;
      rendermime.addFactory({ safe: true, mimeTypes: [MARK], createRenderer: () => new PanelRenderer(notebook) }, RANK);
      describePictures(rendermime);
      nameNotebook(notebook);
    };
    notebooks.forEach(prepare);
    notebooks.widgetAdded.connect((_, notebook) => prepare(notebook));
    present(app, notebooks, NotebookActions);
    keepKeys(app, notebooks);
    copyCode(app, notebooks);
  },
});
