/* The wheel, a finger, clicks and keys on boards and panels.
 *
 * ipycanvas takes every turn of the wheel, touch and key on its canvases for itself, so that the page could not be
 * scrolled there. crashlab/drawing/canvas.py and crashlab/lab/board.py mark what is ours with these classes.
 */

const BOARD = '.crashlab-board';
const NEAR = '.crashlab-near'; // a board with a map that can be dragged, because not all of it is to be seen
const PANEL = '.crashlab-panel';

const isWith = (event, ...keys) => keys.some(key => event[`${key}Key`]);

export function careForBoards(app, notebooks) {
  letScroll();
  holdStill();
  keepKeys(cell => goOn(app, notebooks, cell));
}

/** The wheel and a finger move the page; a finger on a map that is looked at from near moves the map. */
function letScroll() {
  const pass = event => event.target.closest?.(BOARD) && event.stopPropagation();
  document.addEventListener('wheel', pass, { capture: true, passive: true });

  let movesMap = false; // what a finger does is decided when it comes down
  for (const kind of ['touchstart', 'touchmove', 'touchend', 'touchcancel']) {
    const passUnlessNear = event => {
      if (kind === 'touchstart') {
        movesMap = Boolean(event.target.closest?.(NEAR));
      }
      if (!movesMap) {
        pass(event); // the browser makes a click of a tap
      }
    };
    document.addEventListener(kind, passUnlessNear, { capture: true, passive: true });
  }
}

/** A click on a board leaves the page where it is: ipycanvas gives the board the keys, for which a browser would first
 * bring all of it into view, and reads only then where on the board the click was. */
function holdStill() {
  const hold = event => {
    const board = event.target.closest?.(BOARD);
    if (board && !Object.hasOwn(board, 'focus')) {
      board.focus = options => HTMLElement.prototype.focus.call(board, { ...options, preventScroll: true });
    }
  };
  document.addEventListener('mousedown', hold, { capture: true });
}

/** Keys on a panel belong to the panel, those with Ctrl, Alt or Meta to JupyterLab and the browser. */
function keepKeys(goOn) {
  const before = event => {
    const panel = event.target.closest?.(`${PANEL}, ${BOARD}`);
    const board = event.target.closest?.(BOARD);
    if (panel && event.key === 'Enter' && isWith(event, 'shift', 'ctrl', 'alt', 'meta')) {
      if (event.target.tagName !== 'TEXTAREA') {
        event.preventDefault(); // it would run the cell again, which ends the game, or press a button
        event.stopPropagation();
        if (event.shiftKey) {
          goOn(panel);
        }
      }
    } else if (board && isWith(event, 'ctrl', 'alt', 'meta')) {
      event.stopPropagation(); // it goes past the board to everything round it
      if (!board.parentElement.dispatchEvent(new KeyboardEvent(event.type, event))) {
        event.preventDefault();
      }
    }
  };
  const after = event => {
    if (event.target.closest?.(PANEL) && !isWith(event, 'ctrl', 'alt', 'meta')) {
      event.stopPropagation(); // else JupyterLab cuts the cell at an X, or goes to another one
    }
  };
  document.addEventListener('keydown', before, { capture: true });
  document.body.addEventListener('keydown', after);
}

/** Select the cell below the one that shows a panel, as if that one had been run. */
function goOn(app, notebooks, panel) {
  const notebook = notebooks.currentWidget?.content;
  const index = notebook?.widgets.findIndex(cell => cell.node.contains(panel)) ?? -1;
  if (index >= 0) {
    notebook.activeCellIndex = index;
    app.commands.execute('notebook:move-cursor-down');
  }
}
