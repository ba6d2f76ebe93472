/* An output with a panel of crashlab in it: the live widget where the kernel has it, else its film or its picture.
 *
 * Without this, JupyterLab prefers the widget to the picture that is stored with it, and says "model not found" in a
 * notebook that is opened on the next day.
 */

export const MARK = 'application/vnd.crashlab.panel+json'; // crashlab/lab/board.py marks the outputs of panels so
const WIDGET = 'application/vnd.jupyter.widget-view+json';
const ENDS = ['restarting', 'autorestarting', 'terminating', 'dead'];
const SILENCE = 6000; // milliseconds after which a kernel that does not answer is taken for one that has no widget
const NOTE = 'This is a picture. To bring it to life, run the cells from the top down to this one.';
const FILM_NOTE = 'This is a film that was kept. To work with it, run the cells from the top down to this one.';

/** The renderer of such outputs, as a kind of JupyterLab's `Panel`. */
export const rendererOn = Panel =>
  class extends Panel {
    constructor(notebook) {
      super();
      this.context = notebook.sessionContext;
      this.rendermime = notebook.content.rendermime;
      this.context.statusChanged.connect(this.onStatus, this);
    }

    dispose() {
      if (!this.isDisposed) {
        this.context.statusChanged.disconnect(this.onStatus, this);
        super.dispose();
      }
    }

    get kernel() {
      return this.context.session?.kernel;
    }

    /** Show an output; called again when the same output has changed. */
    async renderModel(output) {
      this.output = output;
      const id = output.trusted && output.data[WIDGET]?.model_id;
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
      } else {
        widget.dispose();
      }
    }

    /** The picture that the notebook has kept, with the panel's words for those who cannot see it. */
    showPicture() {
      this.clear();
      const { 'image/png': png, 'image/svg+xml': svg } = this.output.data; // without Pillow it is SVG
      const picture = document.createElement('img');
      picture.src = png ? `data:image/png;base64,${png}` : `data:image/svg+xml,${encodeURIComponent(svg)}`;
      picture.alt = this.output.data['text/plain'];
      picture.style.maxWidth = '100%';
      this.node.append(picture);
    }

    /** The film in the place of the picture, if one is kept and may run, and what to do about it: who has clicked in
     * vain looks above. */
    addNote() {
      const film = this.output.trusted && this.output.data['text/html'];
      if (film && !this.node.querySelector('.crashlab-film')) {
        this.node.innerHTML = film;
      }
      this.node.querySelector('.crashlab-note')?.remove();
      const note = document.createElement('p');
      note.className = 'jp-RenderedHTMLCommon crashlab-note';
      note.style.margin = '0 0 8px';
      note.textContent = film ? FILM_NOTE : NOTE;
      this.node.prepend(note);
    }

    clear() {
      this.widgets.slice().forEach(widget => widget.dispose());
      this.node.replaceChildren();
    }

    /** When its kernel ends, a widget is a picture again. */
    onStatus(_, status) {
      if (this.widgets.length && (!this.kernel || ENDS.includes(status))) {
        this.showPicture();
        this.addNote();
      }
    }
  };
