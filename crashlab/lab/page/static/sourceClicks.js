/* A click on a line or a variable of a watched function runs to it.
 *
 * crashlab/lab/watched_source.py says what each click means (`data-pick`). The page writes it into the panel's hidden text
 * field, as a hand would, with a number behind it, so that the same thing can be picked again.
 */

const PICK = '[data-pick]';

export function tellPicks() {
  let number = 0;
  document.addEventListener('pointerdown', event => {
    const picked = event.button === 0 && event.target.closest?.(PICK);
    const field = picked && picked.closest('.crashlab-panel')?.querySelector('.crashlab-picked input');
    if (field) {
      event.preventDefault(); // the board keeps the keys
      number += 1;
      field.value = `${picked.dataset.pick} ${number}`;
      field.dispatchEvent(new Event('change', { bubbles: true }));
    }
  });
}
