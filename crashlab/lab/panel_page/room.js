/* How large a panel is: as large as the page has room, in the notebook and on the full screen.
 *
 * The page only sets lengths, by which room.css lays a panel out; so a board follows a window at once, scaled by the
 * browser. The classes are those of crashlab/lab/board.py and crashlab/drawing/canvas.py.
 */

import LOOK from './room.css.js';

const PANEL = '.crashlab-panel';
const BOARD = '.crashlab-board';
const VIEW = '.jp-WindowedPanel-outer, .jp-LinkedOutputView'; // what scrolls
const FIXED = '.crashlab-fixed'; // somebody has chosen how large it is
const LINES = '.crashlab-panel .widget-select option'; // of a list
const ANSWERS = '.crashlab-side > .crashlab-answers';
const WORDS = '.crashlab-status, .crashlab-choices'; // what is written in them changes no length
const SIDE_SEEN = '.crashlab-side .crashlab-far'; // what is beside a board is seen on the screen, too

const STACK = 1000; // pixels of a window in which there is no room for a column beside the board
const SIDE = 244; // pixels that the column beside a board has at least
const LINE_WIDE = 380; // pixels in which the line of an event is not wrapped: as many, where the board keeps
const MOST = 0.7; // of the width
const CODE = 400; // pixels of a source: 45 letters of PRINT, their numbers and a scroll bar; it is beside a board
const CODE_STACK = 1025; // in a window of so many pixels
const ZOOM = 1.5; // the most a picture beside its source is enlarged
const WHY = 176; // pixels below it: for the reason, and for the lines of help
const GAP = 12; // between the two, as in room.css
const FEWEST = 320; // pixels of a board beside which there is still a column
const EDGE = 8; // pixels that are left free above and below
const SMALL = 15; // pixels of the type in a notebook at least, and of a wide board so much of its width:
const SHARE = 1 / 60;
const LARGE = 24; // pixels of the type on the full screen at least, where it is so many heights of type high:
const TYPES = 43; // but that of a phone is only so many wide:
const PHONE = 26;
const PHONE_WIDE = 700; // pixels of a screen on which the buttons stand in two rows, as in room.css
const PRINT = 13; // pixels of the type of source and variables in a notebook, and on the full screen so much of the other:
const PRINTED = 0.66;
const READ = 20; // pixels of the type on the full screen at least
const ASIDE = [0.32, 0.35]; // of the width of the full screen, for what is asked, or source and variables, and
const ROOMY = 440; // pixels, if it has them
const LINE = 1.35; // heights of type that a line has

const isFull = panel => panel.classList.contains('crashlab-screen'); // as screen.js has it
const isOutermost = panel => !panel.parentElement?.closest('.jupyter-widgets');
const isFixed = panel => panel.querySelector(BOARD)?.closest(FIXED); // its own board: the summary of a game is small

const known = new Set(); // panels of the page

/** Give each panel its room. */
export const fitAll = () =>
  known.forEach(panel => {
    if (panel.isConnected) {
      fit(panel, view(panel));
    }
  });

const view = panel => panel.closest(VIEW) ?? document.documentElement;

/** Watch the page for panels; `met(panel)` hears of each that nothing of ours is round. */
export function giveRoom(met) {
  const sheet = document.createElement('style');
  sheet.textContent = LOOK;
  document.head.append(sheet);

  const sizes = new ResizeObserver(() => fitAll());
  const seen = new MutationObserver(() => fitAll()); // whether answers are
  const meet = panel => {
    known.add(panel);
    sizes.observe(panel.parentElement);
    sizes.observe(view(panel));
    const list = panel.querySelector(ANSWERS);
    if (list) {
      sizes.observe(list);
      seen.observe(list, { attributes: true, attributeFilter: ['style'] });
    }
    fit(panel, view(panel));
    if (isOutermost(panel)) {
      met(panel);
    }
  };
  const look = nodes => {
    const panels = new Set(); // each is fitted once, however many parts of it have come
    for (const node of nodes.filter(each => each.nodeType === Node.ELEMENT_NODE && !each.parentElement?.closest(WORDS))) {
      const isLine = node.matches(LINES); // of which a list may have hundreds; they change no length
      const around = isLine ? null : node.closest(PANEL); // its parts come one by one, and have their names later still
      [...node.querySelectorAll(PANEL), ...(around ? [around] : [])].forEach(panel => panels.add(panel));
      [...node.querySelectorAll(LINES), ...(isLine ? [node] : [])].forEach(letWrap);
    }
    panels.forEach(meet);
  };
  const added = new MutationObserver(changes => {
    look(changes.flatMap(change => [...change.addedNodes]));
    known.forEach(panel => panel.isConnected || known.delete(panel));
  });
  added.observe(document.body, { childList: true, subtree: true });
  window.addEventListener('resize', fitAll);
  look([document.body]);
}

/** Set the lengths of a panel. */
function fit(panel, view) {
  const canvas = panel.querySelector(BOARD);
  if (!canvas || !panel.parentElement.clientWidth) {
    return; // it is not there yet, or not to be seen
  }
  const isRoomy = isFull(panel) || (isOutermost(panel) && !isFixed(panel));
  panel.classList.toggle('crashlab-roomy', isRoomy && !isFull(panel));
  if (isRoomy) {
    const lengths = isFull(panel) ? onScreen(panel, canvas) : inNotebook(panel, canvas, view);
    for (const [name, value] of Object.entries(lengths)) {
      panel.style.setProperty(`--crashlab-${name}`, `${value}px`);
    }
  }
  if (isFull(panel)) {
    lendRoom(panel);
  }
}

/** While a film keeps a list of answers from sight, its events have the room of the list. */
function lendRoom(panel) {
  const list = panel.querySelector(ANSWERS);
  const isLent = list?.style.visibility === 'hidden' && isLaid(list);
  panel.classList.toggle('crashlab-lent', isLent);
  if (isLent) {
    const { top, height } = list.getBoundingClientRect();
    panel.style.setProperty('--crashlab-lent-top', `${top - panel.getBoundingClientRect().top}px`);
    panel.style.setProperty('--crashlab-lent-height', `${height}px`);
  }
}

/** A line of a list goes on in the next one: the widgets write it with spaces that do not break. Several together, and
 * those before it, keep the columns. */
function letWrap(option) {
  option.textContent = option.textContent.replace(/(?<=[^\u00a0])\u00a0(?=[^\u00a0])/g, ' ');
}

const shape = canvas => canvas.width / canvas.height;
const statusOf = (type, lines) => Math.ceil(lines * LINE * type) + 6;

/** The largest board with its status line in view, beside a column if there is one. */
function inNotebook(panel, canvas, view) {
  const all = panel.parentElement.clientWidth - 2;
  const high = view.clientHeight - 2 * EDGE;
  const hasCode = panel.querySelector('.crashlab-aside');
  const side = hasCode ? CODE : Math.max(SIDE, Math.min(LINE_WIDE, (1 - MOST) * all - GAP));
  const isBeside = panel.querySelector('.crashlab-side') && innerWidth >= (hasCode ? CODE_STACK : STACK) && all - side - GAP >= FEWEST;
  panel.classList.toggle('crashlab-stacked', !isBeside);
  const most = hasCode ? ZOOM * parseFloat(panel.querySelector('.crashlab-left').style.maxWidth) : Infinity;
  const wide = Math.min(isBeside ? all - side - GAP : all, most);
  const below = isBeside && hasCode ? WHY : 0;
  const boardAt = type => Math.floor(Math.min(wide, (high - below - statusOf(type, 3)) * shape(canvas)));
  const type = Math.max(SMALL, Math.round(boardAt(SMALL) * SHARE));
  const board = boardAt(type);
  const height = hasCode ? high : Math.floor(board / shape(canvas)) + statusOf(type, 3);
  const small = hasCode && isBeside ? Math.min((PRINT * (all - board - GAP)) / CODE, SMALL) : PRINT;
  return { board, type, status: statusOf(type, 3), height, small };
}

/** The largest board with two or three lines of words, and its question, the answers and the buttons that lead on: beside it
 * where there is something to choose from, else above and below. */
function onScreen(panel, canvas) {
  const isBeside = innerWidth > Math.max(PHONE_WIDE, innerHeight) && Boolean(panel.querySelector(SIDE_SEEN));
  panel.classList.toggle('crashlab-beside', isBeside);
  const type = Math.min(Math.max(LARGE, Math.round(innerHeight / TYPES)), Math.round(innerWidth / PHONE));
  const parts = [...panel.querySelectorAll('.crashlab-question, .crashlab-row, .crashlab-answers, .crashlab-counts')];
  parts.forEach(part => part.classList.toggle('crashlab-idle', !isNeeded(part)));
  const more = innerWidth < PHONE_WIDE ? 1 : 0;
  const rows = isBeside ? 0 : parts.filter(isNeeded).reduce((lines, part) => lines + linesOf(part), more);
  const status = statusOf(type, isBeside ? 3 : 2 + more);
  const high = panel.clientHeight - 2 * EDGE - status - rows * 2.2 * type;
  const [little, much] = ASIDE.map(share => Math.floor(share * innerWidth));
  const least = isBeside ? Math.min(Math.max(little, ROOMY), much) : 0;
  const board = Math.floor(Math.min(innerWidth - least - 4 * EDGE, high * shape(canvas)));
  const spare = Math.floor(high - board / shape(canvas)); // of which the words have what they can use
  const aside = isBeside ? innerWidth - board - 4 * EDGE : least;
  return { board, type, status: Math.max(status, Math.min(status + spare, statusOf(type, 5))), aside, small: Math.max(READ, Math.round(PRINTED * type)) };
}

/** Whether anything in a row is to be seen now; what only keeps its place in a notebook needs none here. */
const isNeeded = part =>
  isLaid(part) &&
  (!part.matches('.crashlab-question') || part.querySelector('b')) &&
  (!part.matches('.crashlab-row') ||
    [...part.children].some(each => isLaid(each) && getComputedStyle(each).visibility !== 'hidden'));
const isLaid = part => part.style.display !== 'none';

/** Lines of type that a row has: a poll has as many as half its answers, as room.css has it. */
const linesOf = part => {
  if (part.matches('.crashlab-poll')) {
    return Math.ceil([...part.children].filter(isLaid).length / 2);
  }
  return part.matches('.crashlab-counts') ? 2 : 1;
};

/** The panel that nothing of ours is round. */
export const outermost = node => {
  let panel = node.closest(PANEL);
  while (panel?.parentElement.closest(PANEL)) {
    panel = panel.parentElement.closest(PANEL);
  }
  return panel;
};
