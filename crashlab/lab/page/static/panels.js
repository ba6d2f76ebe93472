/* Outputs with a panel of crashlab: the live widget if the kernel has it, otherwise its film or its picture.
 *
 * Without this, JupyterLab prefers the widget to the stored picture, and shows "model not found" in a reopened
 * notebook.
 *
 * The state of a game is saved with the notebook: the board as the picture, and the position as text in the cell's
 * metadata. JupyterLab sends the metadata with every run of the cell, so the panel of another kernel can continue
 * the game (crashlab/lab/notebook_cells.py). The picture is drawn when the notebook is saved.
 */

export const MARK = 'application/vnd.crashlab.panel+json'; // crashlab/lab/board.py marks the outputs of panels with it
export const WIDGET = 'application/vnd.jupyter.widget-view+json';
const [JPEG, PNG, SVG] = ['image/jpeg', 'image/png', 'image/svg+xml'];
const BOARD = '.crashlab-board';
const KEPT = 'crashlab'; // the key in the metadata
const WIDE = 608; // width of a saved picture in pixels, like those stored by Python
const QUALITY = 0.8; // JPEG quality: about 60 kB, a quarter of the PNG
const ENDS = ['restarting', 'autorestarting', 'terminating', 'dead'];
const SILENCE = 6000; // milliseconds until a kernel that does not answer counts as one without the widget
const NOTE = 'This is a picture. To bring it to life, run the cells from the top down to this one.';
const LEFT_NOTE =
  'This is a picture of where you left off. To go on from there, run the cells from the top down to this one, ' +
  'and press “Go on”.';
const FILM_NOTE = 'This is a stored film. To work with it, run the cells from the top down to this one.';
const UNTRUSTED_NOTE =
  'This is a picture of a film. To see the film, choose “Trust Notebook” in the command palette, ' +
  'or run the cells from the top down to this one.';
const SHARED_NOTE =
  'This is a picture: a kernel runs the panels of one notebook only, and another notebook is already using this one. ' +
  'To bring them to life here, choose another kernel and run the cells.';
const UNCONNECTED = '⚠ Not connected. This press was not sent: press again when the connection is back.';
const PRESSES = ['pointerdown', 'mousedown', 'mouseup', 'touchstart', 'click', 'keydown', 'input', 'change'];
const OF_THE_PAGE = 'a, summary, .crashlab-full'; // these need no kernel

/** Return a renderer of outputs with a panel, a subclass of JupyterLab's `Panel`. */
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
        const options = { capture: true, passive: kind === 'touchstart' };
        this.node.addEventListener(kind, event => this.onPress(event), options);
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

    /** Whether another notebook owns the widgets of this kernel; JupyterLab gives them to the first one opened. */
    get isShared() {
      return this.kernel?.handleComms === false;
    }

    /** Show an output; called again when the same output has changed. */
    async renderModel(output) {
      const id = output.trusted && !this.isShared && output.data[WIDGET]?.model_id;
      if (this.widgets.length && this.output === output && this.id === id) {
        return; // it is shown already and was only saved
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

    /** Return whether this output is still shown, after waiting. */
    shows(output) {
      return !this.isDisposed && this.output === output;
    }

    /** Return whether the kernel has this widget, even if the page was reloaded and does not know it yet.
     *
     * A busy kernel answers later; JupyterLite's, which ends with its page, never answers. */
    async isInKernel(id) {
      try {
        await this.context.ready;
        const reply = await this.kernel.requestCommInfo({ target_name: 'jupyter.widget' });
        return id in reply.content.comms;
      } catch {
        return false; // there is no kernel, or it ended before it answered
      }
    }

    /** Show the widget, by the renderer that the widgets have registered for this notebook. */
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

    /** Show the picture stored in the notebook, with the panel's text as its description. */
    showPicture() {
      this.clear();
      const { [JPEG]: jpeg, [PNG]: png, [SVG]: svg } = this.output.data; // SVG without Pillow
      const picture = document.createElement('img');
      const drawn = png ? `${PNG};base64,${png}` : `${SVG},${encodeURIComponent(svg)}`;
      picture.src = `data:${jpeg ? `${JPEG};base64,${jpeg}` : drawn}`;
      picture.alt = this.output.data['text/plain'];
      picture.style.maxWidth = '100%';
      this.node.append(picture);
    }

    /** Replace the picture by the stored film, if there is one that may run, and add a note on top about how to run the
     * cells. */
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

    /** Replace a widget by a picture when its kernel ends. */
    onStatus(_, status) {
      if (this.widgets.length && (!this.kernel || ENDS.includes(status))) {
        this.leave();
      }
    }

    /** Show the picture in place of a widget that has ended or that the kernel has closed. */
    leave() {
      this.keep();
      this.showPicture();
      this.addNote();
    }

    // Lost connections

    get isConnected() {
      return this.kernel?.connectionStatus === 'connected';
    }

    get statusLines() {
      return this.node.querySelectorAll('.crashlab-status');
    }

    /** Stop a press while the connection is lost, which JupyterLab would otherwise deliver later. A complete film on
     * the page keeps its controls. */
    onPress(event) {
      const { target, type, key, cancelable, ctrlKey, metaKey, altKey } = event;
      const isLocal = target.closest(OF_THE_PAGE) || (target.shadowRoot && this.hasWholeFilm);
      const passes = type === 'keydown' && (['Tab', 'Escape'].includes(key) || ctrlKey || metaKey || altKey);
      if (!this.widgets.length || this.isConnected || isLocal || passes) {
        return;
      }
      event.stopPropagation();
      if (cancelable && type !== 'touchstart') {
        event.preventDefault();
      }
      for (const line of this.statusLines) {
        const said = document.createElement('div');
        said.className = 'crashlab-error crashlab-cut';
        said.setAttribute('role', 'status');
        said.textContent = UNCONNECTED;
        said.instead = line.querySelector('.crashlab-cut')?.instead ?? [...line.childNodes];
        line.replaceChildren(said);
      }
    }

    /** Restore the status line when the connection is back. */
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

    /** The cell of this output; undefined in a separate view of the output. */
    get cell() {
      return this.notebook.content?.widgets.find(cell => cell.node.contains(this.node));
    }

    /** The page's record of the board (crashlab/lab/board_page.js). */
    get board() {
      const marks = this.node.querySelector(BOARD)?.classList ?? [];
      return [...marks].map(mark => globalThis.crashlab.boards?.[mark]).find(Boolean);
    }

    /** The state to save, as the kernel reported it. */
    get left() {
      return this.board?.left;
    }

    get hasWholeFilm() {
      return this.board?.isWhole?.();
    }

    /** Mark the notebook as modified after a move. */
    noteChange() {
      const { left } = this;
      if (left && left !== this.seen) {
        this.seen = left;
        this.notebook.context.model.dirty = true;
      }
    }

    /** Write the panel's state into the notebook. */
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

/** Return the current picture of a board. */
function pictureOf(board) {
  const small = document.createElement('canvas');
  [small.width, small.height] = [WIDE, Math.round((WIDE * board.height) / board.width)];
  const pen = small.getContext('2d');
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(board, 0, 0, small.width, small.height);
  return small.toDataURL(JPEG, QUALITY).split(',')[1];
}
