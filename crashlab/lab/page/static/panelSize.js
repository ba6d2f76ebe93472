/* How large a panel is: as large as the page has room, in the notebook and on the full screen.
 *
 * The page only sets lengths, by which layout.css lays a panel out; so a board follows a window at once, scaled by the
 * browser. When all has come to rest the page tells the kernel how many pixels the board has, and which theme there is:
 * it writes it into the board's hidden text field, as a hand would. The kernel then draws as sharply as can be seen.
 * The classes are those of crashlab/lab/board.py and crashlab/drawing/canvas.py.
 */

const PANEL = '.crashlab-panel';
const BOARD = '.crashlab-board';
const VIEW = '.jp-WindowedPanel-outer, .jp-LinkedOutputView'; // what scrolls
const STATUS = '.crashlab-status';
const FIXED = '.crashlab-fixed'; // somebody has chosen how large it is
const LINES = '.crashlab-panel .widget-select option'; // of a list
const ASKING = '.crashlab-side > .crashlab-answers'; // what is chosen from

const STACK = 1000; // pixels of a window in which there is no room for a column beside the board
const SIDE = 244; // pixels that the column beside a board has at least
const LINE_WIDE = 380; // pixels in which the line of an event is not wrapped: as many, where the board keeps
const MOST = 0.7; // of the width
const GAP = 12; // between the two, as in layout.css
const FEWEST = 320; // pixels of a board beside which there is still a column
const EDGE = 8; // pixels that are left free above and below
const SMALL = 15; // pixels of the type in a notebook at least, and of a wide board so much of its width:
const SHARE = 1 / 60;
const LARGE = 24; // pixels of the type on the full screen at least, but that of a phone is only so many heights of type wide:
const PHONE = 26;
const PHONE_WIDE = 700; // pixels of a screen on which the buttons stand in two rows, as in layout.css
const PRINT = 13; // pixels of the type of source and variables in a notebook, and on the full screen so much of the other:
const PRINTED = 0.66;
const ASIDE = 0.35; // of the width of the full screen, for source and variables, or for what is asked
const LINE = 1.35; // heights of type that a line has
const REST = 250; // milliseconds without a change, after which the kernel is told

const isFull = panel => document.fullscreenElement === panel;
const isOutermost = panel => !panel.parentElement?.closest('.jupyter-widgets');
const isFixed = panel => panel.querySelector(BOARD)?.closest(FIXED); // its own board: the summary of a game is small

/** Watch the page for panels, and give each its room. */
export function giveRoom() {
  const sheet = document.createElement('link');
  sheet.rel = 'stylesheet';
  sheet.href = new URL('layout.css', import.meta.url);
  document.head.append(sheet);

  const known = new Set();
  const view = panel => panel.closest(VIEW) ?? document.documentElement;
  const sizes = new ResizeObserver(() => fitAll());

  const fitAll = () =>
    known.forEach(panel => {
      if (panel.isConnected) {
        fit(panel, view(panel));
      }
    });
  const meet = panel => {
    known.add(panel);
    label(panel);
    sizes.observe(panel.parentElement);
    sizes.observe(view(panel));
    fit(panel, view(panel));
  };
  const look = node => {
    if (node.nodeType === Node.ELEMENT_NODE) {
      const around = node.closest(PANEL); // its parts come one by one, and have their names later still
      [...node.querySelectorAll(PANEL), ...(around ? [around] : [])].forEach(meet);
      [...node.querySelectorAll(LINES), ...(node.matches(LINES) ? [node] : [])].forEach(letWrap);
    }
  };
  const added = new MutationObserver(changes => {
    changes.forEach(change => change.addedNodes.forEach(look));
    known.forEach(panel => panel.isConnected || known.delete(panel));
  });
  added.observe(document.body, { childList: true, subtree: true });
  // JupyterLab hides all of itself while it changes the theme, until the next frame.
  const themed = new MutationObserver(() => requestAnimationFrame(fitAll));
  themed.observe(document.body, { attributes: true, attributeFilter: ['data-jp-theme-light'] });
  document.addEventListener('fullscreenchange', fitAll);
  window.addEventListener('resize', fitAll);
  tellFingers();
}

/** Set the lengths of a panel, and tell its boards' kernel. */
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
  if (canvas.closest(PANEL) === panel) {
    tell(panel, canvas);
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
  const side = Math.max(SIDE, Math.min(LINE_WIDE, (1 - MOST) * all - GAP));
  const isBeside = panel.querySelector('.crashlab-side') && innerWidth >= STACK && all - side - GAP >= FEWEST;
  panel.classList.toggle('crashlab-stacked', !isBeside);
  const wide = isBeside ? all - side - GAP : all;
  const boardAt = type => Math.floor(Math.min(wide, (high - statusOf(type, 3)) * shape(canvas)));
  const type = Math.max(SMALL, Math.round(boardAt(SMALL) * SHARE));
  const board = boardAt(type);
  const height = Math.floor(board / shape(canvas)) + statusOf(type, 3);
  return { board, type, status: statusOf(type, 3), height, small: PRINT };
}

/** The largest board with two or three lines of words, and its question, the answers and the buttons that lead on: beside it
 * where there is something to choose from, else above and below. */
function onScreen(panel, canvas) {
  const isAsking = innerWidth > Math.max(PHONE_WIDE, innerHeight) && panel.querySelector(ASKING);
  panel.classList.toggle('crashlab-asking', Boolean(isAsking));
  const type = Math.min(Math.max(LARGE, Math.round(innerHeight / 36)), Math.round(innerWidth / PHONE));
  const parts = [...panel.querySelectorAll('.crashlab-question, .crashlab-row, .crashlab-answers')];
  parts.forEach(part => part.classList.toggle('crashlab-idle', !isNeeded(part)));
  const more = innerWidth < PHONE_WIDE ? 1 : 0;
  const rows = isAsking ? 0 : parts.filter(isNeeded).reduce((lines, part) => lines + linesOf(part), more);
  const status = statusOf(type, isAsking ? 3 : 2 + more);
  const high = innerHeight - 2 * EDGE - status - rows * 2.2 * type;
  const least = isAsking || panel.querySelector('.crashlab-aside') ? Math.floor(ASIDE * innerWidth) : 0;
  const board = Math.floor(Math.min(innerWidth - least - 4 * EDGE, high * shape(canvas)));
  const aside = isAsking ? innerWidth - board - 4 * EDGE : least;
  return { board, type, status, aside, small: Math.round(PRINTED * type) };
}

/** Whether anything in a row is to be seen now; what only keeps its place in a notebook needs none here. */
const isNeeded = part =>
  isLaid(part) &&
  (!part.matches('.crashlab-question') || part.querySelector('b')) &&
  (!part.matches('.crashlab-row') ||
    [...part.children].some(each => isLaid(each) && getComputedStyle(each).visibility !== 'hidden'));
const isLaid = part => part.style.display !== 'none';

/** Lines of type that a row has: a poll has as many as half its answers. */
const linesOf = part =>
  part.matches('.crashlab-poll') ? Math.ceil([...part.children].filter(isLaid).length / 2) : 1;

let isTouched = false; // whether a finger was the last that came down on a board

/** A finger covers more than a mouse: the kernel asks which of several things it means, where they are that close. */
function tellFingers() {
  const note = event => {
    const canvas = event.target.closest?.(BOARD);
    if (canvas) {
      isTouched = event.pointerType === 'touch';
      write(canvas.closest(PANEL), canvas); // before the click
    }
  };
  document.addEventListener('pointerdown', note, { capture: true });
}

/** Write how a board is to be seen. */
function write(board, canvas) {
  const field = board.querySelector('.crashlab-told input');
  const { width } = canvas.getBoundingClientRect();
  const [pixels, touched] = [Math.round(width * devicePixelRatio), isTouched ? Math.round(width) : 0];
  const words = JSON.stringify({ theme: theme(), pixels, touched });
  if (field && pixels && field.value !== words) {
    field.value = words;
    field.dispatchEvent(new Event('change', { bubbles: true }));
  }
}

const theme = () => (document.body.dataset.jpThemeLight === 'false' ? 'dark' : 'light');

const timers = new WeakMap();
/** Tell the kernel how a board is to be seen: its theme at once, its size when nothing changes any more. */
function tell(board, canvas) {
  const field = board.querySelector('.crashlab-told input');
  if (!field) {
    return;
  }
  clearTimeout(timers.get(board));
  const rest = field.value.includes(theme()) ? REST : 0;
  timers.set(board, setTimeout(() => write(board, canvas), rest));
}

/** Say what a board shows to those who cannot see it: what its status line says. */
function label(panel) {
  const [canvas, status] = [panel.querySelector(BOARD), panel.querySelector(STATUS)];
  if (canvas && status) {
    canvas.setAttribute('role', canvas.matches('.crashlab-keys') ? 'application' : 'img');
    canvas.setAttribute('aria-label', status.textContent.trim());
  }
}

/** The button and the key f show a panel on the full screen. */
export function fillScreen() {
  document.addEventListener(
    'click',
    event => {
      const button = event.target.closest?.('.crashlab-full');
      if (button) {
        event.stopPropagation(); // it is nothing to the kernel
        switchScreen(button);
      }
    },
    { capture: true },
  );
  document.addEventListener('keydown', onKey, { capture: true });
}

/** The panel that nothing of ours is round. */
export const outermost = node => {
  let panel = node.closest(PANEL);
  while (panel?.parentElement.closest(PANEL)) {
    panel = panel.parentElement.closest(PANEL);
  }
  return panel;
};

async function switchScreen(node) {
  if (document.fullscreenElement) {
    await document.exitFullscreen();
    return;
  }
  const panel = outermost(node);
  try {
    await panel.requestFullscreen();
    panel.querySelector(BOARD)?.focus();
  } catch {
    for (const button of panel.querySelectorAll('.crashlab-full')) {
      button.title = 'This page is not allowed to fill the screen';
      button.disabled = true;
    }
  }
}

/** f and Escape, and on the full screen every key that no control needs is the board's. */
function onKey(event) {
  const full = document.fullscreenElement?.matches(PANEL) ? document.fullscreenElement : null;
  const panel = event.target.closest?.(PANEL) ?? full;
  if (!panel || event.ctrlKey || event.altKey || event.metaKey || event.target.matches('input, textarea, select')) {
    return;
  }
  const board = panel.querySelector(BOARD);
  if (event.key === 'f' || (event.key === 'Escape' && full)) {
    event.preventDefault();
    event.stopImmediatePropagation();
    switchScreen(panel);
  } else if (full && !event.target.matches(BOARD) && !['Enter', ' ', 'Tab'].includes(event.key)) {
    event.preventDefault();
    event.stopImmediatePropagation();
    board.focus();
    board.dispatchEvent(new KeyboardEvent('keydown', event));
  }
}
