/* Shows an error beside the button that caused it if the status line is out of view.
 *
 * The next input removes it. crashlab/lab/board.py marks the errors in a status line.
 */

import { outermost } from './room.js';

const PANEL = '.crashlab-panel';
const CONTROL = 'button, select, textarea, input';
const ERROR = '.crashlab-error';
const MARGIN = 6; // distance of error and button in pixels

export function tellErrors() {
  let touched = null; // the control used last
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
    if (error && !isInView(error) && touched?.isConnected && outermost(target) === outermost(touched)) {
      say(error.innerText, touched);
    }
  };
  const watch = new MutationObserver(changes => changes.filter(change => change.addedNodes.length).forEach(tell));
  watch.observe(document.body, { childList: true, subtree: true });
}

function isInView(part) {
  const { left, top } = part.getBoundingClientRect();
  return part.contains(document.elementFromPoint(left + 1, top + 1));
}

/** Show the error above the control, or below it if there is no room, within the panel. */
function say(words, control) {
  const panel = outermost(control);
  panel.querySelectorAll('.crashlab-said').forEach(said => said.remove());
  const said = document.createElement('div');
  said.className = 'crashlab-said';
  said.textContent = words; // screen readers get it from the status line
  said.setAttribute('aria-hidden', 'true');
  panel.append(said);
  const [frame, place] = [panel.getBoundingClientRect(), control.getBoundingClientRect()];
  const above = place.top - frame.top - said.offsetHeight - MARGIN;
  const left = Math.min(place.left - frame.left, frame.width - said.offsetWidth - MARGIN);
  said.style.left = `${Math.max(left, 0)}px`;
  said.style.top = `${above > 0 ? above : place.bottom - frame.top + MARGIN}px`;
}
