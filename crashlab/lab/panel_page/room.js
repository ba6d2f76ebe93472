/* The size of panels: as large as the page allows, in the notebook and in full screen.
 *
 * The page only sets lengths, from which room.css lays out a panel; the browser scales its board immediately when
 * a window changes. The classes are from crashlab/lab/board.py and crashlab/drawing/canvas.py.
 */

import LOOK from './room.css.js';

const PANEL = '.crashlab-panel';
const BOARD = '.crashlab-board';
const VIEW = '.jp-WindowedPanel-outer, .jp-LinkedOutputView'; // the scrolling element
const FIXED = '.crashlab-fixed'; // a panel with a size chosen by the user
const LINES = '.crashlab-panel .widget-select option'; // lines of a list
const ANSWERS = '.crashlab-side > .crashlab-answers';
const BY_PHONE = '.crashlab-by-phone';
const WORDS = '.crashlab-status, .crashlab-choices'; // their text does not change lengths
const SIDE_SEEN = '.crashlab-side .crashlab-far'; // parts beside a board that are shown in full screen as well

const STACK = 1000; // window width in pixels below which there is no column beside the board
const SIDE = 244; // least width of the column beside a board, in pixels
const LINE_WIDE = 380; // column width in pixels that avoids wrapped lines of events
const MOST = 0.7; // the board's largest share of the width
const CODE = 400; // pixels of source code beside a board: 45 letters of size PRINT, line numbers, a scroll bar
const CODE_STACK = 1025; // least window width in pixels for source code beside a board
const ZOOM = 1.5; // largest magnification of a picture beside its source
const WHY = 176; // pixels below that picture, for the reason and for the lines of help
const GAP = 12; // pixels between the board and the column, as in room.css
const FEWEST = 320; // least width of a board beside a column, in pixels
const EDGE = 8; // free pixels above and below
const SMALL = 15; // least font size in a notebook, in pixels
const SHARE = 1 / 60; // font size of a wide board, as a share of its width
const LARGE = 24; // least font size in full screen, in pixels
const TYPES = 43; // height of the full screen, in font sizes
const PHONE = 26; // width of a phone, in font sizes
const PHONE_WIDE = 700; // screen width in pixels below which buttons are in two rows, as in room.css
const PRINT = 13; // font size of source and variables in a notebook, in pixels
const PRINTED = 0.66; // their font size in full screen, as a share of that of other text
const READ = 20; // least font size in full screen, in pixels
const ASIDE = [0.32, 0.35]; // least and largest share of the screen's width for the column beside the board
const ROOMY = 440; // width in pixels of that column, if the largest share allows it
const LINE = 1.35; // line height in font sizes

const isFull = panel => panel.classList.contains('crashlab-screen'); // set by screen.js
const isOutermost = panel => !panel.parentElement?.closest('.jupyter-widgets');
const isFixed = panel => panel.querySelector(BOARD)?.closest(FIXED); // a game's summary is small

const pagePanels = new Set(); // panels on the page

/** Lay out every panel. */
export const fitAll = () =>
  pagePanels.forEach(panel => {
    if (panel.isConnected) {
      fit(panel, view(panel));
    }
  });

const view = panel => panel.closest(VIEW) ?? document.documentElement;

/** Watch the page for panels; `met(panel)` is called for each outermost one. */
export function giveRoom(met) {
  const sheet = document.createElement('style');
  sheet.textContent = LOOK;
  document.head.append(sheet);

  const sizes = new ResizeObserver(() => fitAll());
  const seen = new MutationObserver(() => fitAll()); // the visibility of answers
  const meet = panel => {
    pagePanels.add(panel);
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
    const panels = new Set(); // each is laid out once, however many of its parts are new
    const matters = node => node.nodeType === Node.ELEMENT_NODE && !node.parentElement?.closest(WORDS);
    for (const node of nodes.filter(matters)) {
      const isLine = node.matches(LINES); // a list can have hundreds, which change no length
      const around = isLine ? null : node.closest(PANEL); // parts are added one by one, and get their classes later
      [...node.querySelectorAll(PANEL), ...(around ? [around] : [])].forEach(panel => panels.add(panel));
      [...node.querySelectorAll(LINES), ...(isLine ? [node] : [])].forEach(letWrap);
    }
    panels.forEach(meet);
  };
  const added = new MutationObserver(changes => {
    look(changes.flatMap(change => [...change.addedNodes]));
    pagePanels.forEach(panel => panel.isConnected || pagePanels.delete(panel));
  });
  added.observe(document.body, { childList: true, subtree: true });
  window.addEventListener('resize', fitAll);
  look([document.body]);
}

/** Set the lengths of a panel. */
function fit(panel, view) {
  const canvas = panel.querySelector(BOARD);
  if (!canvas || !panel.parentElement.clientWidth) {
    return; // it is not there yet, or is hidden
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
  letKeysScroll(panel.querySelector(ANSWERS));
}

/** Let the keyboard scroll a list of answers while phones vote, as it has no control then. */
function letKeysScroll(list) {
  if (list?.matches(BY_PHONE)) {
    list.tabIndex = 0;
    list.role = 'group';
    list.ariaLabel = 'Answers';
  } else {
    list?.removeAttribute('tabindex');
  }
}

/** Give the room of a hidden list of answers to the events while a film plays. */
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

/** Let a line of a list wrap: the widgets write it with non-breaking spaces. Runs of them keep the columns. */
function letWrap(option) {
  option.textContent = option.textContent.replace(/(?<=[^\u00a0])\u00a0(?=[^\u00a0])/g, ' ');
}

const shape = canvas => canvas.width / canvas.height;
const statusOf = (type, lines) => Math.ceil(lines * LINE * type) + 6;

/** Return the lengths in a notebook: the largest board with its status line, beside a column if there is one. */
function inNotebook(panel, canvas, view) {
  const all = panel.parentElement.clientWidth - 2;
  const high = view.clientHeight - 2 * EDGE;
  const hasCode = panel.querySelector('.crashlab-aside');
  const side = hasCode ? CODE : Math.max(SIDE, Math.min(LINE_WIDE, (1 - MOST) * all - GAP));
  const hasRoom = innerWidth >= (hasCode ? CODE_STACK : STACK) && all - side - GAP >= FEWEST;
  const isBeside = panel.querySelector('.crashlab-side') && hasRoom;
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

/** Return the lengths in full screen: the largest board with two or three lines of text, and its question,
 * answers and buttons, which are beside it if there are choices, otherwise above and below. */
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
  const spare = Math.floor(high - board / shape(canvas)); // the text uses as much of it as it needs
  const aside = isBeside ? innerWidth - board - 4 * EDGE : least;
  return {
    board,
    type,
    status: Math.max(status, Math.min(status + spare, statusOf(type, 5))),
    aside,
    small: Math.max(READ, Math.round(PRINTED * type)),
  };
}

/** Return whether a row has visible content; placeholders that keep a row's height in a notebook do not count. */
const isNeeded = part =>
  isLaid(part) &&
  (!part.matches('.crashlab-question') || part.querySelector('b')) &&
  (!part.matches('.crashlab-row') ||
    [...part.children].some(child => isLaid(child) && getComputedStyle(child).visibility !== 'hidden'));
const isLaid = part => part.style.display !== 'none';

/** Return the number of text lines of a row; a poll has half as many as answers, as in room.css. */
const linesOf = part => {
  if (part.matches('.crashlab-poll')) {
    return Math.ceil([...part.children].filter(isLaid).length / 2);
  }
  return part.matches('.crashlab-counts') ? 2 : 1;
};

/** Return the outermost panel around a node. */
export const outermost = node => {
  let panel = node.closest(PANEL);
  while (panel?.parentElement.closest(PANEL)) {
    panel = panel.parentElement.closest(PANEL);
  }
  return panel;
};
