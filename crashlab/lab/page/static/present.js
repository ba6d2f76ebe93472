/* Presents a lesson in full screen, panel by panel.
 *
 * PageDown and PageUp, which every clicker sends, go to the next and the previous panel of the notebook. A cell
 * runs when it is reached for the first time. B blackens the screen, P is a pen, Escape returns to the cell. A
 * page starts presenting immediately if its address contains `present`, or after `crashlab lab LESSON --present`.
 * If it is reloaded while its kernel runs, it returns to the panel on the screen and runs no cell again.
 */

import { MARK, WIDGET } from './panels.js';

const PANEL = '.crashlab-panel';
const BOARD = '.crashlab-board';
const BUTTON = 'crashlab-present';
const ENDS = ['starting', 'restarting', 'autorestarting', 'terminating', 'dead'];
const LOOK = 50; // milliseconds between checks for a panel
const MOST = 600; // number of checks
const KEY = 'crashlab-lesson'; // key of a notebook's state, followed by its path
const COVER = `box-sizing: border-box; width: 100vw; height: 100vh; max-width: none; max-height: none; border: 0; padding-top: 45vh;
  text-align: center; font: max(24px, 3vh) var(--jp-ui-font-family, sans-serif); color: var(--jp-ui-font-color1); background: var(--jp-layout-color1);`;
const GIVEN = JSON.parse(document.getElementById('jupyter-config-data')?.textContent ?? '{}');
const IS_WANTED = Boolean(GIVEN.crashlabPresent) || new URLSearchParams(location.search).has('present');
const NAMED = decodeURIComponent(location.pathname.split('/tree/')[1] ?? ''); // path of a notebook

const page = (globalThis.crashlab ??= {}); // shared with the module of the panels: crashlab/lab/panel_page/start.js
const ran = new WeakMap(); // by notebook, the ids of the cells that its kernel has run

const read = path => JSON.parse(sessionStorage.getItem(`${KEY} ${path}`) ?? '{}');

/** Store what a reloaded page needs of a notebook: the cells that have run and the one on the screen. */
function note(notebook, change) {
  const { path } = notebook.context;
  const kernel = notebook.sessionContext.session?.kernel?.id;
  sessionStorage.setItem(`${KEY} ${path}`, JSON.stringify({ ...read(path), kernel, ...change }));
}

/** Return the stored state of a notebook; empty if its kernel has changed. */
function noted(notebook) {
  const before = read(notebook.context.path);
  return before.kernel && before.kernel === notebook.sessionContext.session?.kernel?.id ? before : {};
}

/** Start the lessons; `actions` are JupyterLab's `NotebookActions`. */
export function present(app, notebooks, actions) {
  const noteRun = notebook => note(notebook, { ran: [...ran.get(notebook.content)] });
  actions.executed.connect((_, { notebook, cell }) => {
    ran.get(notebook)?.add(cell.model.id);
    notebooks.filter(one => one.content === notebook).forEach(noteRun);
  });
  const meet = notebook => {
    ran.set(notebook.content, new Set());
    notebook.sessionContext.ready.then(() => noted(notebook).ran?.forEach(name => ran.get(notebook.content).add(name)));
    notebook.sessionContext.statusChanged.connect((_, status) => {
      if (ENDS.includes(status)) {
        ran.get(notebook.content).clear();
        noteRun(notebook);
      }
    });
  };
  notebooks.forEach(meet);
  notebooks.widgetAdded.connect((_, notebook) => meet(notebook));

  page.lesson = new Lesson(app, notebooks, actions);
  if (IS_WANTED) {
    beginWith(notebooks, page.lesson);
  }
}

/** Begin with the notebook in the address once it is open, not with a notebook that was open before. */
async function beginWith(notebooks, lesson) {
  const isMeant = notebook => notebook.context.path.endsWith(NAMED);
  const first = notebooks.find(isMeant) ?? (await new Promise(done => {
    const hear = (_, notebook) => {
      if (!isMeant(notebook)) {
        return;
      }
      notebooks.widgetAdded.disconnect(hear);
      done(notebook);
    };
    notebooks.widgetAdded.connect(hear);
  }));
  await first.revealed;
  lesson.begin(first);
}

class Lesson {
  notebook = null; // the presented notebook, a panel of JupyterLab
  index = -1; // index of the cell on the screen
  trip = 0; // number of the latest move between panels, which cancels earlier ones
  begins = false; // whether no panel has been shown yet

  cover = document.createElement('div'); // a text shown before the screen exists; Escape closes it

  constructor(app, notebooks, actions) {
    Object.assign(this, { app, notebooks, actions });
    [this.cover.popover, this.cover.style.cssText] = ['auto', COVER];
    document.body.append(this.cover);
  }

  /** The screen that shows panels; undefined before the first panel. */
  get screen() {
    return page.screen;
  }

  get cells() {
    return this.notebook?.content.widgets ?? [];
  }

  /** Note the panel that is put on the screen; return the heading above it. */
  enter(panel) {
    this.notebook = this.notebooks.find(notebook => notebook.node.contains(panel)) ?? null;
    this.index = this.cells.findIndex(cell => cell.node.contains(panel));
    return this.heading();
  }

  /** Add the button that starts presenting to the first panel of a notebook. */
  offer(panel) {
    const notebook = panel.closest('.jp-Notebook');
    if (panel.querySelector(BOARD) && notebook?.querySelector(PANEL) === panel && !panel.querySelector(`.${BUTTON}`)) {
      notebook.querySelectorAll(`.${BUTTON}`).forEach(button => button.remove());
      const button = document.createElement('button');
      button.className = `jupyter-button widget-button ${BUTTON}`;
      button.title = 'Present panel by panel in full screen: PageDown and PageUp, or a clicker';
      button.textContent = 'Present';
      panel.append(button); // room.css places it above the rest
    }
  }

  // Moving between panels

  /** Begin at the top of a notebook, or at the panel on the screen before the page was reloaded. */
  async begin(notebook) {
    [this.notebook, this.index, this.begins] = [notebook, -1, true];
    this.wait('', 'The lesson begins …');
    await notebook.context.ready;
    await notebook.sessionContext.ready;
    await restored(notebook);
    const { cell, number = 0 } = noted(notebook);
    this.index = Math.max(this.cells.findIndex(({ model }) => model.id === cell), 0) - 1;
    this.go(1, cell ? number : 0);
  }

  /** Go to the next or the previous panel; `number` is the panel's index in its cell. */
  async go(step, number = step > 0 ? 0 : -1) {
    const trip = (this.trip += 1);
    const isOver = () => trip !== this.trip || !(this.begins || this.screen.isOn);
    const here = panelsIn(this.cells[this.index]);
    const other = here[here.indexOf(this.screen?.panel) + step];
    if (this.screen?.panel && other) {
      this.show(other);
      return;
    }
    for (let at = this.index + step; at >= 0 && at < this.cells.length; at += step) {
      const cell = this.cells[at];
      if (cell.model.type === 'code') {
        const failed = step > 0 && (await this.run(at));
        if (isOver()) {
          return;
        }
        if (failed) {
          this.index = at;
          this.wait(this.heading(), `${failed}\nPageDown goes on, Escape goes to the cell.`);
          return;
        }
        const panels = await this.arrived(at, isOver);
        if (isOver()) {
          return;
        }
        if (panels.length) {
          this.index = at;
          this.show(panels.at(number) ?? panels[0]);
          return;
        }
      }
    }
    if (step > 0 && this.notebook) {
      this.index = this.cells.length;
      this.wait('', 'That was the last panel.\nPageUp goes back, Escape leaves.');
    }
  }

  show(panel) {
    this.begins = false;
    this.cover.hidePopover();
    this.screen.show(panel, this.heading());
    const cell = this.cells[this.index];
    note(this.notebook, { cell: cell?.model.id, number: panelsIn(cell).indexOf(panel) });
  }

  wait(heading, words) {
    this.cover.textContent = words;
    this.cover[this.screen ? 'hidePopover' : 'showPopover']();
    this.screen?.wait(heading, words);
  }

  /** Run a cell unless it has run; return an error message or null. */
  async run(at) {
    const [cell, notebook] = [this.cells[at], this.notebook];
    const hasRun = ran.get(notebook.content)?.has(cell.model.id) && !pictureIn(cell);
    if (hasRun || !cell.model.sharedModel.getSource().trim()) {
      return null;
    }
    if (!notebook.sessionContext.session?.kernel) {
      return 'This notebook has no kernel to run its cells.';
    }
    this.wait(this.heading(at), 'One moment …');
    this.app.shell.activateById(notebook.id);
    [notebook.content.mode, notebook.content.activeCellIndex] = ['command', at];
    notebook.content.deselectAll();
    await this.actions.run(notebook.content, notebook.sessionContext); // the command would run in the current notebook
    this.save(notebook.context);
    const mayFail = cell.model.getMetadata('tags')?.includes('raises-exception');
    const error = mayFail ? null : outputsOf(cell).find(output => output.type === 'error');
    return error ? `This cell has failed.\n${error.data['application/vnd.jupyter.error']?.evalue ?? ''}` : null;
  }

  /** Save a notebook for a reloaded page, one save at a time to avoid JupyterLab's question about conflicts. */
  async save(context) {
    this.unsaved = context.contentsModel?.writable ? context : null;
    while (this.unsaved && !this.saving) {
      const next = this.unsaved;
      [this.unsaved, this.saving] = [null, true];
      await next.save().catch(() => {});
      this.saving = false;
    }
  }

  /** Return the live panels of a cell, waiting for them; they appear only when the cell is in view. */
  async arrived(at, isOver) {
    const cell = this.cells[at];
    if (!outputsOf(cell).some(output => output.data[MARK])) {
      return [];
    }
    for (let looks = 0; looks < MOST && !isOver(); looks += 1) {
      const panels = panelsIn(cell);
      if ((panels.length && this.screen) || pictureIn(cell)) {
        return panels;
      }
      if (looks % 20 === 0) {
        this.notebook.content.scrollToItem(at);
      }
      await wait(LOOK);
    }
    return [];
  }

  /** Return the nearest heading above a cell. */
  heading(at = this.index) {
    for (const cell of this.cells.slice(0, Math.max(at, 0)).reverse()) {
      const heading = cell.model.type === 'markdown' && headingIn(cell.model.sharedModel.getSource());
      if (heading) {
        return heading;
      }
    }
    return '';
  }

  /** Select the cell that was on the screen. */
  comeBack() {
    const at = Math.min(this.index, this.cells.length - 1);
    if (at >= 0) {
      this.notebook.content.activeCellIndex = at;
      this.notebook.content.scrollToItem(at);
    }
  }
}

/** Wait for the restored widgets of a kernel that is older than the page; no cell may run before. */
async function restored(notebook) {
  for (let looks = 0; looks < MOST; looks += 1) {
    const renderer = notebook.content.rendermime.createRenderer(WIDGET);
    const awaited = renderer._manager; // there is no public access to it
    const manager = await Promise.race([awaited?.promise, wait(LOOK)]);
    renderer.dispose();
    if (manager?.restoredStatus || !awaited) {
      return;
    }
    await wait(LOOK);
  }
}

/** Return the note of a panel without its widget: its kernel is gone, or the notebook is not trusted. */
const pictureIn = cell => cell.node.querySelector('.crashlab-note');

/** Return the live panels of a cell. */
const panelsIn = cell => {
  const isLive = panel => !panel.parentElement.closest(PANEL) && panel.querySelector(BOARD);
  return [...(cell?.node.querySelectorAll(PANEL) ?? [])].filter(isLive);
};

const wait = milliseconds => new Promise(done => setTimeout(done, milliseconds));

const outputsOf = ({ model: { outputs } }) =>
  Array.from({ length: outputs.length }, (_, number) => outputs.get(number));

/** Return the last heading in a text, without pictures and Markdown syntax. */
function headingIn(text) {
  const headings = text.replace(/```[^]*?```/g, '').match(/^#{1,6} .*$/gm);
  return headings?.at(-1).replace(/!\[.*?\]\(.*?\)/g, '').replace(/^#+ |[*`]|\[|\]\(.*?\)/g, '').trim() ?? '';
}
