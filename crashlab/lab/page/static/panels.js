/* An output with a panel of crashlab in it: the live widget where the kernel has it, else its film or its picture.
 *
 * Without this, JupyterLab prefers the widget to the picture that is stored with it, and says "model not found" in a
 * notebook that is opened on the next day.
 *
 * A game that was played is kept with the notebook: what the board shows as that picture, and the position as text in
 * the metadata of the cell, which JupyterLab sends with every run of it; so the panel of another kernel can go on from
 * there (crashlab/lab/notebook_cells.py). Nothing is drawn for this before the notebook is saved.
 */

export const MARK = 'application/vnd.crashlab.panel+json'; // crashlab/lab/board.py marks the outputs of panels so
export const WIDGET = 'application/vnd.jupyter.widget-view+json';
const [JPEG, PNG, SVG] = ['image/jpeg', 'image/png', 'image/svg+xml'];
const BOARD = '.crashlab-board';
const KEPT = 'crashlab'; // what the metadata calls it
const WIDE = 608; // pixels of a picture that is kept, as of those that Python stores
const QUALITY = 0.8; // with which it takes about 60 kB, and in PNG four times as many
const ENDS = ['restarting', 'autorestarting', 'terminating', 'dead'];
const SILENCE = 6000; // milliseconds after which a kernel that does not answer is taken for one that has no widget
const NOTE = 'This is a picture. To bring it to life, run the cells from the top down to this one.';
const LEFT_NOTE =
  'This is a picture of where you left off. To go on from there, run the cells from the top down to this one, ' +
  'and press “Go on”.';
const FILM_NOTE = 'This is a film that was kept. To work with it, run the cells from the top down to this one.';
const UNTRUSTED_NOTE =
  'This is a picture of a film. To see the film, choose “Trust Notebook” in the command palette, ' +
  'or run the cells from the top down to this one.';
const SHARED_NOTE =
  'This is a picture: the kernel brings panels to life in one notebook, and another one has it, too. ' +
  'To bring them to life here, choose a kernel of its own and run the cells.';
const UNCONNECTED = '⚠ Not connected. This press is forgotten: press again when the connection is back.';
const PRESSES = ['pointerdown', 'mousedown', 'mouseup', 'touchstart', 'click', 'keydown', 'input', 'change'];
const OF_THE_PAGE = 'a, summary, .crashlab-full'; // what needs no kernel

/** The renderer of such outputs, as a kind of JupyterLab's `Panel`. */
export const rendererOn = Panel =>
  class extends Panel {
    constructor(notebook) {
      super();
      this.notebook = notebook;
      this.context = notebook.sessionContext;
      this.rendermime = notebook.content.rendermime;
      this.context.statusChanged.connect(this.onStatus, this);
      notebook.context.saveState.connect(this.onSave, this);
      this.context.connectionStatusChanged.connect(this.onConnection, this);
      this.node.addEventListener('crashlab-left', () => this.noteChange());
      for (const kind of PRESSES) {
        this.node.addEventListener(kind, event => this.onPress(event), { capture: true, passive: kind === 'touchstart' });
      }
    }

    dispose() {
      if (!this.isDisposed) {
        this.context.statusChanged.disconnect(this.onStatus, this);
        this.context.connectionStatusChanged.disconnect(this.onConnection, this);
        this.notebook.context.saveState.disconnect(this.onSave, this);
        super.dispose();
      }
    }

    get kernel() {
      return this.context.session?.kernel;
    }

    /** Whether another notebook has the widgets of this kernel: JupyterLab gives them to the first that is there. */
    get isShared() {
      return this.kernel?.handleComms === false;
    }

    /** Show an output; called again when the same output has changed. */
    async renderModel(output) {
      const id = output.trusted && !this.isShared && output.data[WIDGET]?.model_id;
      if (this.widgets.length && this.output === output && this.id === id) {
        return; // it is there, and has only been kept
      }
      [this.output, this.id] = [output, id];
      if (id && this.kernel?.hasComm(id)) {
        await this.showWidget();
        return;
      }
      this.showPicture();
      const silence = setTimeout(() => this.shows(output) && this.addNote(), SILENCE);
      const isLive = id && (await this.isInKernel(id));
      clearTimeout(silence);
      if (this.shows(output)) {
        await (isLive ? this.showWidget() : this.addNote());
      }
    }

    /** Whether this is still what is to be seen here, after a while. */
    shows(output) {
      return !this.isDisposed && this.output === output;
    }

    /** Whether the kernel has this widget, also when the page has been loaded again and does not know it yet.
     *
     * One that computes answers later; JupyterLite's, which ends with its page, never does. */
    async isInKernel(id) {
      try {
        await this.context.ready;
        const reply = await this.kernel.requestCommInfo({ target_name: 'jupyter.widget' });
        return id in reply.content.comms;
      } catch {
        return false; // there is no kernel, or it ended before it answered
      }
    }

    /** The widget itself, by the renderer that the widgets have registered for this notebook. */
    async showWidget() {
      const { output } = this;
      const widget = this.rendermime.createRenderer(WIDGET);
      await widget.renderModel(output);
      if (this.shows(output)) {
        this.clear();
        this.addWidget(widget);
        widget.widgets[0]?.disposed.connect(() => widget.isDisposed || this.leave());
      } else {
        widget.dispose();
      }
    }

    /** The picture that the notebook has kept, with the panel's words for those who cannot see it. */
    showPicture() {
      this.clear();
      const { [JPEG]: jpeg, [PNG]: png, [SVG]: svg } = this.output.data; // without Pillow it is SVG
      const picture = document.createElement('img');
      const drawn = png ? `${PNG};base64,${png}` : `${SVG},${encodeURIComponent(svg)}`;
      picture.src = `data:${jpeg ? `${JPEG};base64,${jpeg}` : drawn}`;
      picture.alt = this.output.data['text/plain'];
      picture.style.maxWidth = '100%';
      this.node.append(picture);
    }

    /** The film in the place of the picture, if one is kept and may run, and what to do about it: who has clicked in
     * vain looks above. */
    addNote() {
      const { [JPEG]: jpeg, 'text/html': stored } = this.output.data;
      const film = this.output.trusted && stored;
      if (film && !this.node.querySelector('.crashlab-film')) {
        this.node.innerHTML = film;
      }
      this.node.querySelector('.crashlab-note')?.remove();
      const note = document.createElement('p');
      note.className = 'jp-RenderedHTMLCommon crashlab-note';
      note.style.margin = '0 0 8px';
      const untrusted = stored ? UNTRUSTED_NOTE : jpeg ? LEFT_NOTE : NOTE;
      note.textContent = this.isShared ? SHARED_NOTE : film ? FILM_NOTE : untrusted;
      this.node.prepend(note);
    }

    clear() {
      this.widgets.slice().forEach(widget => widget.dispose());
      this.node.replaceChildren();
    }

    /** When its kernel ends, a widget is a picture again. */
    onStatus(_, status) {
      if (this.widgets.length && (!this.kernel || ENDS.includes(status))) {
        this.leave();
      }
    }

    /** Show the picture in the place of a widget that has ended, or that the kernel has closed: it was the copy of one. */
    leave() {
      this.keep();
      this.showPicture();
      this.addNote();
    }

    // Without a connection

    get isConnected() {
      return this.kernel?.connectionStatus === 'connected';
    }

    get statusLines() {
      return this.node.querySelectorAll('.crashlab-status');
    }

    /** Stop a press that JupyterLab would keep, and send when nobody expects it any more. A film that is on the page
     * whole goes on. */
    onPress(event) {
      const { target, type, key, cancelable } = event;
      const isLocal = target.closest(OF_THE_PAGE) || (target.shadowRoot && this.hasWholeFilm);
      const passes = type === 'keydown' && (['Tab', 'Escape'].includes(key) || event.ctrlKey || event.metaKey || event.altKey);
      if (!this.widgets.length || this.isConnected || isLocal || passes) {
        return;
      }
      event.stopPropagation();
      if (cancelable && type !== 'touchstart') {
        event.preventDefault();
      }
      for (const line of this.statusLines) {
        const said = document.createElement('div');
        said.className = 'crashlab-error crashlab-cut'; // which is told beside the button, too
        said.setAttribute('role', 'status');
        said.textContent = UNCONNECTED;
        said.instead = line.querySelector('.crashlab-cut')?.instead ?? [...line.childNodes];
        line.replaceChildren(said);
      }
    }

    /** When the connection is back, the status line says again what it said. */
    onConnection() {
      if (this.isConnected) {
        this.node.querySelectorAll('.crashlab-said').forEach(said => said.remove());
        this.node.querySelectorAll('.crashlab-cut').forEach(said => said.replaceWith(...said.instead));
      }
    }

    onSave(_, state) {
      if (state === 'started') {
        this.keep();
      }
    }

    /** The cell that shows it; a view of the output alone has none. */
    get cell() {
      return this.notebook.content?.widgets.find(cell => cell.node.contains(this.node));
    }

    /** What the page knows of the board (crashlab/lab/board_page.js). */
    get board() {
      const marks = this.node.querySelector(BOARD)?.classList ?? [];
      return [...marks].map(mark => globalThis.crashlab.boards?.[mark]).find(Boolean);
    }

    /** What there is to keep, as the kernel has told the page. */
    get left() {
      return this.board?.left;
    }

    get hasWholeFilm() {
      return this.board?.isWhole?.();
    }

    /** A move makes the notebook one that is to be saved. */
    noteChange() {
      const { left } = this;
      if (left && left !== this.seen) {
        this.seen = left;
        this.notebook.context.model.dirty = true;
      }
    }

    /** Write into the notebook what is left in the panel. */
    keep() {
      const { left, cell } = this;
      const board = this.node.querySelector(BOARD);
      if (left && cell) {
        const [kind, { words, ...kept }] = Object.entries(JSON.parse(left))[0];
        cell.model.setMetadata(KEPT, { ...cell.model.getMetadata(KEPT), [kind]: kept });
        const { [PNG]: png, [SVG]: svg, ...rest } = this.output.data;
        const picture = pictureOf(board);
        this.output.setData({ data: { ...rest, [JPEG]: picture, 'text/plain': words } });
      }
    }
  };

/** A board as it is to be seen now. */
function pictureOf(board) {
  const small = document.createElement('canvas');
  [small.width, small.height] = [WIDE, Math.round((WIDE * board.height) / board.width)];
  const pen = small.getContext('2d');
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(board, 0, 0, small.width, small.height);
  return small.toDataURL(JPEG, QUALITY).split(',')[1];
}
