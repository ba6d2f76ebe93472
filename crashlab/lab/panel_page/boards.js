/* The wheel, a finger, clicks and keys on boards.
 *
 * ipycanvas takes every turn of the wheel, touch and key on its canvases for itself, so that the page could not be
 * scrolled there. crashlab/drawing/canvas.py marks what is ours with these classes.
 */

const BOARD = '.crashlab-board';
const NEAR = '.crashlab-near'; // a board with a map that can be dragged, because not all of it is to be seen

export function careForBoards() {
  letScroll();
  holdStill();
  keepPassing();
  document.addEventListener('keydown', passBy, { capture: true });
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

/** A mouse that only passes over a board is nothing to the kernel: what it points at the page knows. Nor is its end of a click. */
function keepPassing() {
  const keepEnd = event => event.target.matches?.(`${BOARD}:not(${NEAR})`) && event.stopPropagation();
  document.addEventListener('mouseup', keepEnd, { capture: true });
  for (const kind of ['mousemove', 'mouseout']) {
    const keep = event => !event.buttons && event.target.closest?.(BOARD) && event.stopPropagation();
    document.addEventListener(kind, keep, { capture: true, passive: true });
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

/** Keys with Ctrl, Alt or Meta go past the board to everything round it: they are the page's and the browser's. */
function passBy(event) {
  const board = event.target.closest?.(BOARD);
  if (board && event.key !== 'Enter' && (event.ctrlKey || event.altKey || event.metaKey)) {
    event.stopPropagation();
    if (!board.parentElement.dispatchEvent(new KeyboardEvent(event.type, event))) {
      event.preventDefault();
    }
  }
}
