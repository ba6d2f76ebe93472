/* The plugin: what JupyterLab calls when it starts. */

import { careForBoards } from './boards.js';

/** `INotebookTracker` is JupyterLab's. */
export const plugin = INotebookTracker => ({
  id: 'crashlab:page',
  description: "Cares for crashlab's boards and panels on the page.",
  autoStart: true,
  requires: [INotebookTracker],
  activate: careForBoards,
});
