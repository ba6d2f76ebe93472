/* A panel in full screen.
 *
 * The page fills the screen, a stage with a heading fills the page, and the panel, wherever it is in the notebook,
 * is on top as a popover. So another panel can replace it long after a key press, and if a page may not fill the
 * screen, the panel fills the window. A glass in front of it can be drawn on, or black. If the page can go
 * from panel to panel, it has a lesson (crashlab/lab/page/static/present.js).
 */

import { fitAll, outermost } from './room.js';

const PANEL = '.crashlab-panel';
const BOARD = '.crashlab-board';
const STEPS = { PageDown: 1, PageUp: -1 }; // the keys of every clicker
const SCREEN = 'crashlab-screen';
const INK = '#d55e00';
const NIB = 1 / 250; // share of the screen's height

const addElement = (kind, name, parent) => {
  const node = document.createElement(kind);
  node.className = name;
  parent.append(node);
  return node;
};

export class Screen {
  panel = null; // the panel on the screen
  isOn = false;

  /** `page` may have a lesson. */
  constructor(page) {
    this.page = page;
    this.stage = addElement('div', 'crashlab-stage', document.body);
    this.heading = addElement('div', 'crashlab-heading', this.stage);
    this.said = addElement('div', 'crashlab-stage-said', this.stage);
    this.said.setAttribute('aria-live', 'polite');
    this.glass = addElement('canvas', 'crashlab-glass', document.body);
    this.stage.hidden = true;
    this.glass.popover = 'manual';
    document.addEventListener('fullscreenchange', () => this.onChange());
    document.addEventListener('click', event => this.onClick(event), { capture: true });
    document.addEventListener('keydown', event => this.onKey(event), { capture: true });
    this.kept = new MutationObserver(() => this.raise()); // a notebook's new layout may close the popover
    this.parts = new MutationObserver(changes => changes.some(({ target }) => target !== this.panel) && fitAll());
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

  /** Show only a text under a heading. */
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

  /** Fill the screen; browsers allow it only just after a key or a click. */
  async fill() {
    if (!document.fullscreenElement && navigator.userActivation?.isActive !== false) {
      await document.documentElement.requestFullscreen().catch(() => {}); // if refused, the panel fills the window
    }
  }

  /** Put the panel above the stage and focus it. */
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
      navigator.keyboard?.lock?.(['Escape']).catch(() => {}); // otherwise the browser takes it from the pen
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

  // User input

  onClick(event) {
    const button = event.target.closest?.('.crashlab-full, .crashlab-present');
    if (button) {
      event.stopPropagation(); // not for the kernel
      this.switch(outermost(button));
    } else if (event.detail && event.target.closest?.('.crashlab-screen button')) {
      this.panel?.querySelector(BOARD).focus({ preventScroll: true }); // not the button again
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
        event.preventDefault(); // keys that no control needs go to the board
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

  /** Handle a key of the screen; return whether the key was one. */
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

  /** The cover of the panel: "black", "pen" or "". */
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

/** Add a button beside Play that unfolds the list of events with their reasons. */
function foldEvents(panel) {
  const [story, row] = [panel.querySelector('.crashlab-story'), panel.querySelector('.crashlab-steps')];
  if (story && row && !row.querySelector('.crashlab-fold')) {
    const fold = addElement('button', 'jupyter-button widget-button crashlab-fold', row);
    fold.textContent = 'Events';
    fold.title = 'What has happened, and why';
    fold.addEventListener('click', () => story.classList.toggle('crashlab-open'));
  }
}

/** Draw on a canvas with a pointer. */
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
