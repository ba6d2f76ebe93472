/* The page's part of all panels of crashlab; the first module on the page starts it once. */

import { careForBoards } from './boards.js';
import { tellErrors } from './errors.js';
import { nameControls } from './names.js';
import { giveRoom } from './room.js';
import { Screen } from './screen.js';

export const page = (globalThis.crashlab ??= {}); // with a lesson from JupyterLab: crashlab/lab/page/static/present.js

if (!page.screen) {
  page.screen = new Screen(page);
  page.boards = {}; // by mark: where parts of a board are put, and its saved state
  careForBoards();
  giveRoom(panel => page.lesson?.offer(panel));
  tellErrors();
  nameControls();
}
