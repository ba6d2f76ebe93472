/* A curve that grows stands still at once when it is paused, also far from the kernel. (A film is played by the page.)
 *
 * What the kernel has sent before it heard of the pause still arrives, and is taken back (crashlab/lab/playback.py): until
 * then a picture of the board lies over it. The kernel is ready when the button says so.
 */

import { outermost } from './panelSize.js';

const PLAY = '.crashlab-play:not([class*=crashlab-film])';
const BOARD = '.crashlab-board';

export function standStill() {
  document.addEventListener('click', event => pause(event.target.closest?.(PLAY)), { capture: true });
  const press = event => {
    const board = [' ', 'Enter'].includes(event.key) && event.target.closest?.(BOARD);
    pause(board && outermost(board).querySelector(PLAY));
  };
  document.addEventListener('keydown', press, { capture: true });
}

const isPlaying = button => button.textContent.includes('Pause');

/** Lay a picture over the boards of a film that plays, until it does so no more. */
function pause(button) {
  if (!button || !isPlaying(button)) {
    return;
  }
  const stills = [...outermost(button).querySelectorAll(BOARD)].map(still);
  const seen = new MutationObserver(() => {
    if (!isPlaying(button)) {
      stills.forEach(each => each.remove());
      seen.disconnect();
    }
  });
  seen.observe(button, { childList: true, characterData: true, subtree: true });
}

/** A picture of a board, over it. */
function still(board) {
  const picture = document.createElement('canvas');
  picture.className = 'crashlab-still';
  [picture.width, picture.height] = [board.width, board.height];
  picture.getContext('2d').drawImage(board, 0, 0);
  const { offsetLeft: left, offsetTop: top, offsetWidth: width, offsetHeight: height } = board;
  Object.assign(picture.style, { position: 'absolute', pointerEvents: 'none' });
  for (const [name, length] of Object.entries({ left, top, width, height })) {
    picture.style[name] = `${length}px`;
  }
  board.after(picture);
  return picture;
}
