/* The teacher's page, which connects panels to the broker of polls (crashlab/vote) for phones.
 *
 * The panels of a page share one poll, so a class scans one code per lesson: starting it in one panel starts it in
 * all, and phones show the question of the panel in use. The poll belongs to the page, not to a kernel: it
 * survives a busy or restarted kernel, and a reloaded page reconnects to it. Of two tabs with the same poll, the
 * one used last has it. `Phones` in phones.py is the other end.
 */

const KEY = 'crashlab-poll'; // the key with which a reloaded page reconnects
const AGAIN = 2000; // milliseconds before a lost connection is retried
const REFUSED = 1013; // why the server ends a connection: it begins no poll
const LONELY = 15000; // milliseconds without a phone before the panel gives advice
const LOCAL = /^(localhost|127\.|\[?::1)/; // phones cannot open such an address
const ELSEWHERE = 'crashlab-elsewhere'; // the class with which room.css shows that another tab has the poll
const USED = ['focusin', 'pointerdown']; // some browsers do not focus a clicked button
const ON_SCREEN = [
  '.crashlab-screen:popover-open .crashlab-board',
  '.crashlab-stage:not([hidden]) > .crashlab-stage-said:not(:empty)',
].join();
const POSTER = 'crashlab-poster'; // the code that fills the board

/** Return the address of Jupyter's server, or null if this page is not JupyterLab's. */
function server() {
  const config = JSON.parse(document.getElementById('jupyter-config-data')?.textContent ?? '{}');
  return config.baseUrl ? { base: config.baseUrl, token: config.token ?? '' } : null;
}

class Poll {
  panels = new Set(); // models of the panels
  models = new Set(); // models that take part in the vote
  asked = null;
  asks = null; // model whose question phones show, or a panel that asks no phones
  counted = null; // last counts
  places = null; // addresses for phones, the shown one first

  constructor() {
    USED.forEach(type => document.addEventListener(type, event => {
      this.look(event.target, event.isTrusted && type === 'pointerdown');
    }));
    document.addEventListener('click', event => this.onClick(event), { capture: true });
    window.addEventListener('keydown', event => this.onKey(event), { capture: true }); // before screen.js
    setInterval(() => this.tick(), 250);
  }

  /** Show phones the question of a panel that is used. */
  look(target, isClick = false) {
    // The stage is there between two panels, and after the last.
    const panel = target?.closest?.('.crashlab-panel, .crashlab-stage');
    const model = panel && [...this.models].find(one => panel.querySelector(`.${one.get('mark')}`));
    if (model) {
      if (isClick && document.body.classList.contains(ELSEWHERE)) {
        this.open();
      }
      this.come(model);
    } else if (panel && this.asks !== panel && !panel.querySelector(`.${this.mark}`)) { // it asks no phones
      this.pause(panel);
    }
  }

  tell(message, models = [...this.models]) {
    for (const model of models) {
      try {
        model.send(message);
      } catch {
        this.models.delete(model); // its kernel is gone
      }
    }
  }

  join(model) {
    this.models.add(model);
    this.tell({ on: true }, [model]);
    if (this.places) {
      [{ places: this.places }, this.counted].forEach(message => message && this.tell(message, [model]));
    } else if (!this.socket) {
      this.open();
    }
    this.look(document.activeElement); // a panel may be in use before its model exists
  }

  /** Show phones the question of this panel. */
  come(model) {
    if (this.asks !== model && this.models.has(model)) {
      this.asks = model;
      this.tell({ comes: true }, [model]);
    }
  }

  open() {
    const at = server();
    if (!at) {
      this.tell({ trouble: 'none' });
      return;
    }
    document.body.classList.remove(ELSEWHERE);
    const isLocal = LOCAL.test(location.hostname);
    const address = new URL(`${at.base.replace(/\/*$/, '/')}crashlab/vote/teacher`, location.href);
    address.protocol = address.protocol.replace('http', 'ws');
    if (at.token) {
      address.searchParams.set('token', at.token);
    }
    const socket = (this.socket = new WebSocket(address));
    let isKnown = false;
    socket.onopen = () => this.say({ begin: true, key: sessionStorage.getItem(KEY), network: isLocal });
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (message.taken) {
        document.body.classList.add(ELSEWHERE);
        this.socket = null;
        socket.close();
      } else if (message.code) {
        isKnown = true;
        sessionStorage.setItem(KEY, message.key);
        this.places = message.network.length || isLocal ? message.network : [location.origin + message.path];
        this.tell(this.places.length ? { places: this.places } : { trouble: 'network' });
        if (this.asked) {
          this.say({ ask: this.asked });
        }
        clearTimeout(this.lonely);
        this.lonely = setTimeout(() => this.tell({ trouble: 'nobody' }), LONELY);
      } else {
        this.count(message);
      }
    };
    socket.onclose = ({ code, reason }) => {
      if (this.socket === socket) {
        this.tell({ trouble: (code === REFUSED && reason) || (isKnown || this.places ? 'lost' : 'none') });
        setTimeout(() => this.socket === socket && this.open(), AGAIN);
      }
    };
  }

  count(message) {
    if (message.here || message.phones) {
      clearTimeout(this.lonely);
    }
    this.counted = message;
    this.tell(message);
  }

  say(message) {
    if (this.socket?.readyState === WebSocket.OPEN) {
      this.socket.send(JSON.stringify(message));
    }
  }

  ask(model, asked) {
    if (asked.stage) {
      [this.asks, this.asked] = [model, asked];
      this.mark = model.get?.('mark') ?? this.mark; // a restarted kernel's panel keeps its question
      this.say({ ask: asked });
    }
  }

  /** Close the open question: the panel in use, or its beat, asks nothing. */
  pause(asks) {
    this.ask(asks, { ...this.asked, stage: this.asked?.stage === 'open' ? 'closed' : this.asked?.stage });
  }

  /** Show the remaining time, and close the vote when it is over. */
  tick() {
    this.look(document.querySelector(ON_SCREEN)); // it may have no focus
    const { until = 0, stage } = this.asked ?? {};
    const left = stage === 'open' && until ? Math.ceil(until - Date.now() / 1000) : -1;
    document.querySelectorAll('.crashlab-clock').forEach(clock => (clock.textContent = left < 0 ? '' : `${left} s`));
    if (until && stage === 'open' && left <= 0) {
      this.ask(this.asks, { ...this.asked, stage: 'closed' });
      this.tell({ over: true }, [this.asks]);
    }
  }

  // The code on the board

  /** Return the visible code of a panel. */
  code(target) {
    const isSeen = image => image.checkVisibility() && image.closest('.crashlab-room')?.contains(target);
    return [...document.querySelectorAll('.crashlab-phones img')].find(isSeen);
  }

  onClick({ target }) {
    if (target.closest?.(`.${POSTER}`)) {
      this.poster.remove();
    } else if (target.matches?.('.crashlab-phones img')) {
      this.show(target);
    } else if (target.matches?.('.crashlab-copy-link')) {
      navigator.clipboard?.writeText(target.dataset.link).then(() => (target.textContent = 'copied'));
    }
  }

  onKey(event) {
    if (event.key === 'Enter' && event.target.matches('.crashlab-copy-link')) {
      event.target.click();
      event.stopImmediatePropagation(); // to the panel Enter means "Show it"
      return;
    }
    const hasModifier = event.ctrlKey || event.altKey || event.metaKey;
    const isPlain = !hasModifier && !event.target.matches('input, textarea, select');
    const isOpen = this.poster?.isConnected;
    const image = this.code(event.target);
    if (isPlain && (isOpen || (event.key.toLowerCase() === 'q' && image))) {
      isOpen ? this.poster.remove() : this.show(image);
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  }

  /** Fill the screen with a code and its address until a key or a click. */
  show(image) {
    this.poster = document.createElement('div');
    this.poster.className = POSTER;
    this.poster.popover = 'manual'; // above the panel in full screen
    const place = Object.assign(document.createElement('div'), { textContent: image.dataset.place });
    this.poster.append(image.cloneNode(), place);
    document.body.append(this.poster);
    this.poster.showPopover();
  }
}

function initialize({ model }) {
  const poll = (globalThis[Symbol.for(KEY)] ??= new Poll());
  const isInUse = () => (poll.asks ?? model) === model; // not a panel whose film plays on meanwhile
  const hear = message => {
    if (message.do === 'begin') {
      [model, ...poll.panels].forEach(one => poll.models.has(one) || poll.join(one));
      poll.asks = model;
    } else if (message.do === 'ask' && isInUse()) {
      poll.ask(model, message.ask);
    } else if (message.do === 'pause' && isInUse()) { // there is no question at this beat
      poll.pause(model);
    } else if (message.do === 'choose') {
      poll.places = message.places;
      poll.tell({ places: poll.places });
    } else if (message.do === 'lock') {
      poll.say({ lock: message.lock });
    }
  };
  poll.panels.add(model);
  model.on('msg:custom', hear);
  if (model.get('is_on') || poll.socket) {
    poll.join(model);
  }
  return () => {
    model.off('msg:custom', hear);
    poll.panels.delete(model);
    poll.models.delete(model);
    poll.asks = poll.asks === model ? null : poll.asks;
  };
}

export default { initialize, render() {} };
