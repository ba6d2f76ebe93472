/* The wheel, touches, clicks and keys on boards.
 *
 * ipycanvas takes all wheel, touch and key events on its canvases, so that the page could not be scrolled there.
 * crashlab/drawing/canvas.py marks our canvases with these classes.
 */

const BOARD = '.crashlab-board';
const NEAR = '.crashlab-near'; // a board with a map that can be dragged, as a part of it is hidden

export function careForBoards() {
  letScroll();
  holdStill();
  keepPassing();
  document.addEventListener('keydown', passBy, { capture: true });
}

/** Let the wheel and a finger scroll the page; on a zoomed map a finger moves the map. */
function letScroll() {
  const pass = event => event.target.closest?.(BOARD) && event.stopPropagation();
  document.addEventListener('wheel', pass, { capture: true, passive: true });

  let movesMap = false; // decided at the touch of a finger
  for (const kind of ['touchstart', 'touchmove', 'touchend', 'touchcancel']) {
    const passUnlessNear = event => {
      if (kind === 'touchstart') {
        movesMap = Boolean(event.target.closest?.(NEAR));
      }
      if (!movesMap) {
        pass(event); // the browser turns a tap into a click
      }
    };
    document.addEventListener(kind, passUnlessNear, { capture: true, passive: true });
  }
}

/** Keep hovering and the end of a click from the kernel: the page itself handles the hovered target. */
function keepPassing() {
  const keepEnd = event => event.target.matches?.(`${BOARD}:not(${NEAR})`) && event.stopPropagation();
  document.addEventListener('mouseup', keepEnd, { capture: true });
  for (const kind of ['mousemove', 'mouseout']) {
    const keep = event => !event.buttons && event.target.closest?.(BOARD) && event.stopPropagation();
    document.addEventListener(kind, keep, { capture: true, passive: true });
  }
}

/** Keep the page's position at a click on a board: ipycanvas focuses the board, for which a browser would first
 * scroll it into view and then compute the click's position. */
function holdStill() {
  const hold = event => {
    const board = event.target.closest?.(BOARD);
    if (board && !Object.hasOwn(board, 'focus')) {
      board.focus = options => HTMLElement.prototype.focus.call(board, { ...options, preventScroll: true });
    }
  };
  document.addEventListener('mousedown', hold, { capture: true });
}

/** Pass keys with Ctrl, Alt or Meta on to the elements around the board, as they belong to the page and the browser. */
function passBy(event) {
  const board = event.target.closest?.(BOARD);
  if (board && event.key !== 'Enter' && (event.ctrlKey || event.altKey || event.metaKey)) {
    event.stopPropagation();
    if (!board.parentElement.dispatchEvent(new KeyboardEvent(event.type, event))) {
      event.preventDefault();
    }
  }
}
