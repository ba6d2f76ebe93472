/* A panel on the whole screen.
 *
 * The page fills the screen, a stage with a heading fills the page, and on it stands the panel, as a popover, wherever in the
 * notebook it is. So another panel can take its place long after a key was pressed, and where a page may not fill the screen the panel fills the
 * window. On the glass before it a pen draws, and it can be black. Where a page can lead from one panel to the next, it has a lesson
 * (crashlab/lab/page/static/present.js).
 */

import { fitAll, outermost } from './room.js';

const PANEL = '.crashlab-panel';
const BOARD = '.crashlab-board';
const STEPS = { PageDown: 1, PageUp: -1 }; // as every clicker sends them
const SCREEN = 'crashlab-screen';
const INK = '#d55e00';
const NIB = 1 / 250; // of the height of the screen

const made = (kind, name, parent) => {
  const node = document.createElement(kind);
  node.className = name;
  parent.append(node);
  return node;
};

export class Screen {
  panel = null; // that is on it
  isOn = false;

  /** `page` may have a lesson. */
  constructor(page) {
    this.page = page;
    this.stage = made('div', 'crashlab-stage', document.body);
    this.heading = made('div', 'crashlab-heading', this.stage);
    this.said = made('div', 'crashlab-stage-said', this.stage);
    this.said.setAttribute('aria-live', 'polite');
    this.glass = made('canvas', 'crashlab-glass', document.body);
    this.stage.hidden = true;
    this.glass.popover = 'manual';
    document.addEventListener('fullscreenchange', () => this.onChange());
    document.addEventListener('click', event => this.onClick(event), { capture: true });
    document.addEventListener('keydown', event => this.onKey(event), { capture: true });
    this.kept = new MutationObserver(() => this.raise()); // a notebook that is laid out anew takes it away
    this.parts = new MutationObserver(changes => changes.some(({ target }) => target !== this.panel) && fitAll()); // shown, or hidden
    draw(this.glass);
  }

  /** Show a panel under a heading. */
  show(panel, heading) {
    this.wait(heading, '');
    this.panel = panel;
    foldEvents(panel);
    panel.popover = 'manual';
    panel.classList.add(SCREEN);
    this.raise();
    this.kept.observe(document.body, { childList: true, subtree: true });
    this.parts.observe(panel, { attributeFilter: ['style'], subtree: true });
    fitAll();
  }

  /** Show only words under a heading. */
  wait(heading, words) {
    this.clear();
    [this.isOn, this.stage.hidden] = [true, false];
    [this.heading.textContent, this.said.textContent] = [heading, words];
    this.stage.style.setProperty('--crashlab-head', `${this.heading.offsetHeight}px`);
    this.fill();
  }

  clear() {
    this.kept.disconnect();
    this.parts.disconnect();
    this.wipe();
    const { panel } = this;
    this.panel = null;
    if (panel) {
      panel.classList.remove(SCREEN);
      panel.removeAttribute('popover');
    }
    return panel;
  }

  /** Fill the screen, if the page may: only just after a key or a click. */
  async fill() {
    if (!document.fullscreenElement && navigator.userActivation?.isActive !== false) {
      await document.documentElement.requestFullscreen().catch(() => {}); // then the window is filled
    }
  }

  /** Have the panel above the stage, with the keys. */
  raise(again = false) {
    if (!this.panel?.isConnected || (this.panel.matches(':popover-open') && !again)) {
      return;
    }
    if (this.panel.matches(':popover-open')) {
      this.panel.hidePopover();
    }
    this.panel.style.setProperty('--crashlab-head', this.stage.style.getPropertyValue('--crashlab-head'));
    this.panel.showPopover();
    this.panel.querySelector(BOARD)?.focus({ preventScroll: true });
  }

  onChange() {
    if (this.isOn && document.fullscreenElement) {
      navigator.keyboard?.lock?.(['Escape']).catch(() => {}); // else the browser takes it from the pen
      this.raise(true);
      fitAll();
    } else if (this.isOn) {
      this.leave();
    }
  }

  async leave() {
    if (!this.isOn) {
      return;
    }
    this.isOn = false;
    const panel = this.clear();
    this.stage.hidden = true;
    if (document.fullscreenElement) {
      navigator.keyboard?.unlock?.();
      await document.exitFullscreen();
    }
    fitAll();
    panel?.querySelector(BOARD)?.focus({ preventScroll: true });
    this.page.lesson?.comeBack();
  }

  // What the user does

  onClick(event) {
    const button = event.target.closest?.('.crashlab-full, .crashlab-present');
    if (button) {
      event.stopPropagation(); // it is nothing to the kernel
      this.switch(outermost(button));
    } else if (event.detail && event.target.closest?.('.crashlab-screen button')) {
      this.panel?.querySelector(BOARD).focus({ preventScroll: true }); // Enter is the board's, not to press it again
    }
  }

  onKey(event) {
    const panel = this.panel ?? event.target.closest?.(PANEL);
    if ((!this.isOn && !panel) || event.ctrlKey || event.altKey || event.metaKey) {
      return;
    }
    const isTyping = event.target.matches('input, textarea, select');
    if (this.hears(event.key, isTyping)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    } else if (this.isOn) {
      this.fill();
      if (panel && !isTyping && !event.target.matches(BOARD) && !['Enter', ' ', 'Tab'].includes(event.key)) {
        event.preventDefault(); // every key that no control needs is the board's
        event.stopImmediatePropagation();
        const board = panel.querySelector(BOARD);
        board.focus({ preventScroll: true });
        board.dispatchEvent(new KeyboardEvent('keydown', event));
      }
    } else if (event.key === 'f' && !isTyping) {
      event.preventDefault();
      event.stopImmediatePropagation();
      this.switch(outermost(panel));
    }
  }

  /** Whether a key was for the screen. */
  hears(key, isTyping) {
    const isStep = key in STEPS && this.page.lesson;
    if (!this.isOn || (isTyping && !isStep && key !== 'Escape')) {
      return false;
    }
    const small = key.toLowerCase();
    if (this.cover === 'black') {
      this.cover = '';
    } else if (isStep) {
      this.fill();
      this.page.lesson.go(STEPS[key]);
    } else if (key === 'Escape' || small === 'f') {
      if (this.cover) {
        this.cover = '';
      } else {
        this.leave();
      }
    } else if (small === 'b') {
      this.cover = 'black';
    } else if (small === 'p') {
      this.cover = this.cover ? '' : 'pen';
    } else {
      return false;
    }
    return true;
  }

  switch(panel) {
    if (this.isOn) {
      this.leave();
    } else {
      this.show(panel, this.page.lesson?.enter(panel) ?? '');
    }
  }

  // The glass

  /** What is before the panel: "black", "pen" or nothing. */
  get cover() {
    return this.glass.matches(':popover-open') ? this.glass.dataset.cover : '';
  }

  set cover(kind) {
    this.wipe();
    if (kind) {
      [this.glass.width, this.glass.height] = [innerWidth * devicePixelRatio, innerHeight * devicePixelRatio];
      this.glass.dataset.cover = kind;
      this.glass.showPopover();
    }
  }

  wipe() {
    if (this.glass.matches(':popover-open')) {
      this.glass.hidePopover();
    }
  }
}

/** Have a button beside Play that unfolds the list of events with their reasons. */
function foldEvents(panel) {
  const [story, row] = [panel.querySelector('.crashlab-story'), panel.querySelector('.crashlab-steps')];
  if (story && row && !row.querySelector('.crashlab-fold')) {
    const fold = made('button', 'jupyter-button widget-button crashlab-fold', row);
    fold.textContent = 'Events';
    fold.title = 'What has happened, and why';
    fold.addEventListener('click', () => story.classList.toggle('crashlab-open'));
  }
}

/** Let a pointer draw on a canvas. */
function draw(canvas) {
  let last = null;
  canvas.addEventListener('pointerdown', event => {
    canvas.setPointerCapture(event.pointerId);
    last = event;
  });
  canvas.addEventListener('pointerup', () => (last = null));
  canvas.addEventListener('pointermove', event => {
    if (last && canvas.dataset.cover === 'pen') {
      const pen = canvas.getContext('2d');
      [pen.strokeStyle, pen.lineWidth, pen.lineCap] = [INK, Math.max(canvas.height * NIB, 3), 'round'];
      pen.beginPath();
      pen.moveTo(last.offsetX * devicePixelRatio, last.offsetY * devicePixelRatio);
      pen.lineTo(event.offsetX * devicePixelRatio, event.offsetY * devicePixelRatio);
      pen.stroke();
      last = event;
    }
  });
}
