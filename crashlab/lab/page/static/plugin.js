/* The plugin: what JupyterLab calls when it starts. */

import { careForBoards } from './boards.js';
import { copyCode } from './copyCode.js';
import { tellErrors } from './errors.js';
import { MARK, rendererOn } from './panels.js';
import { tellPicks } from './sourceClicks.js';
import { fillScreen, giveRoom } from './panelSize.js';

const RANK = -20; // before the widgets' own, which is -10

/** `INotebookTracker` and `Panel` are JupyterLab's. */
export const plugin = (INotebookTracker, Panel) => ({
  id: 'crashlab:page',
  description: "Cares for crashlab's boards and panels on the page.",
  autoStart: true,
  requires: [INotebookTracker],
  activate(app, notebooks) {
    const PanelRenderer = rendererOn(Panel);
    const prepare = notebook =>
      notebook.content.rendermime.addFactory(
        { safe: true, mimeTypes: [MARK], createRenderer: () => new PanelRenderer(notebook) },
        RANK,
      );
    notebooks.forEach(prepare);
    notebooks.widgetAdded.connect((_, notebook) => prepare(notebook));
    fillScreen();
    careForBoards(app, notebooks);
    giveRoom();
    tellErrors();
    tellPicks();
    copyCode(app, notebooks);
  },
});
