/* What is done on a page for all panels of crashlab, once: the first module that comes there begins with it. */

import { careForBoards } from './boards.js';
import { tellErrors } from './errors.js';
import { nameControls } from './names.js';
import { giveRoom } from './room.js';
import { Screen } from './screen.js';

export const page = (globalThis.crashlab ??= {}); // JupyterLab may have put a lesson there: crashlab/lab/page/static/present.js

if (!page.screen) {
  page.screen = new Screen(page);
  page.boards = {}; // by the mark of each: where its parts are put, and what a notebook keeps of it
  careForBoards();
  giveRoom(panel => page.lesson?.offer(panel));
  tellErrors();
  nameControls();
}
