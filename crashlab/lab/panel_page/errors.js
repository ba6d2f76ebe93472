/* An error stands beside the button that caused it, not only in the status line, which may be far away.
 *
 * It goes with the next thing that anybody does. crashlab/lab/board.py marks the errors in a status line.
 */

import { outermost } from './room.js';

const PANEL = '.crashlab-panel';
const CONTROL = 'button, select, textarea, input';
const ERROR = '.crashlab-error';
const MARGIN = 6; // pixels between the two

export function tellErrors() {
  let touched = null; // what was used last
  const use = event => {
    document.querySelectorAll('.crashlab-said').forEach(said => said.remove());
    const panel = event.target.closest?.(PANEL);
    touched = panel ? event.target.closest(CONTROL) : null;
  };
  for (const kind of ['pointerdown', 'keydown', 'change']) {
    document.addEventListener(kind, event => event.isTrusted && use(event), { capture: true });
  }
  const tell = ({ target }) => {
    const error = target.closest?.('.crashlab-status')?.querySelector(ERROR);
    if (error && touched?.isConnected && outermost(target) === outermost(touched)) {
      say(error.innerText, touched);
    }
  };
  const watch = new MutationObserver(changes => changes.filter(change => change.addedNodes.length).forEach(tell));
  watch.observe(document.body, { childList: true, subtree: true });
}

/** Say it above the control, or below it where there is no room, within the panel. */
function say(words, control) {
  const panel = outermost(control);
  panel.querySelectorAll('.crashlab-said').forEach(said => said.remove());
  const said = document.createElement('div');
  said.className = 'crashlab-said';
  said.textContent = words; // the status line says it to those who listen
  said.setAttribute('aria-hidden', 'true');
  panel.append(said);
  const [frame, place] = [panel.getBoundingClientRect(), control.getBoundingClientRect()];
  const above = place.top - frame.top - said.offsetHeight - MARGIN;
  const left = Math.min(place.left - frame.left, frame.width - said.offsetWidth - MARGIN);
  said.style.left = `${Math.max(left, 0)}px`;
  said.style.top = `${above > 0 ? above : place.bottom - frame.top + MARGIN}px`;
}
