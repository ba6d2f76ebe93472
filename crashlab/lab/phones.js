/* The teacher's page and the broker of polls (crashlab/vote), which phones ask.
 *
 * All panels of a page have one poll, so a class scans one code for a lesson: begun or ended in one panel, it is so in all, and phones
 * show the question of the panel that somebody is at. It belongs to the page: a kernel that is busy or restarted makes no difference to
 * it, and a page that loads again comes back to it. `Phones` in phones.py is the other end.
 */

const KEY = 'crashlab-poll'; // by which a page that loads again comes back
const AGAIN = 2000; // milliseconds after which a lost connection is tried again
const LONELY = 15000; // without a phone, after which the panel says what to try
const LEFT = 120000; // without a panel, after which the poll ends
const LOCAL = /^(localhost|127\.|\[?::1)/; // where phones cannot find this page

/** Where Jupyter's server is, if this page is JupyterLab's. */
function server() {
  const config = JSON.parse(document.getElementById('jupyter-config-data')?.textContent ?? '{}');
  return config.baseUrl ? { base: config.baseUrl, token: config.token ?? '' } : null;
}

class Poll {
  models = new Set(); // of the panels, while phones vote
  asked = null;
  asks = null; // the model whose question phones show
  counted = null; // the last count

  constructor() {
    for (const type of ['focusin', 'pointerdown']) { // a click on a button is no focus in every browser
      document.addEventListener(type, ({ target }) => this.look(target));
    }
  }

  /** Somebody has come to what is in a panel. */
  look(target) {
    const panel = target?.closest?.('.crashlab-panel');
    const found = panel && [...this.models].find(model => panel.querySelector(`.${model.get('mark')}`));
    if (found) {
      this.come(found);
    }
  }

  tell(said, models = [...this.models]) {
    for (const model of models) {
      try {
        model.send(said);
      } catch {
        this.models.delete(model); // its kernel has gone
      }
    }
  }

  join(model) {
    this.models.add(model);
    clearTimeout(this.leaving);
    this.tell({ on: true }, [model]);
    if (this.where) {
      [{ where: this.where }, this.counted].forEach(said => said && this.tell(said, [model]));
    } else if (!this.socket) {
      this.open();
    }
    this.look(document.activeElement); // a page makes a panel's model only when it shows the panel
  }

  leave(model) {
    if (this.models.delete(model) && !this.models.size) {
      this.leaving = setTimeout(() => this.end(), LEFT);
    }
  }

  /** Somebody is at this panel: phones show its question. */
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
      const said = JSON.parse(data);
      if (!said.code) {
        this.count(said);
        return;
      }
      isKnown = true;
      sessionStorage.setItem(KEY, said.key);
      this.where = isLocal ? said.network : location.origin + said.path;
      this.tell(this.where ? { where: this.where } : { trouble: 'network' });
      if (this.asked) {
        this.say({ ask: this.asked });
      }
      clearTimeout(this.lonely);
      this.lonely = setTimeout(() => this.tell({ nobody: true }), LONELY);
    };
    socket.onclose = () => {
      if (this.socket === socket && this.models.size) {
        this.tell({ trouble: isKnown || this.where ? 'lost' : 'none' });
        setTimeout(() => this.socket === socket && this.open(), AGAIN);
      }
    };
  }

  count(said) {
    if (said.here || said.phones) {
      clearTimeout(this.lonely);
    }
    this.counted = said;
    this.tell(said);
  }

  say(said) {
    if (this.socket?.readyState === WebSocket.OPEN) {
      this.socket.send(JSON.stringify(said));
    }
  }

  ask(model, asked) {
    [this.asks, this.asked] = [model, asked];
    this.say({ ask: asked });
  }

  end() {
    this.say({ end: true });
    this.tell({ on: false });
    this.models.clear();
    const { socket } = this;
    [this.socket, this.where, this.asked, this.asks, this.counted] = [null, null, null, null, null];
    socket?.close();
    clearTimeout(this.lonely);
    sessionStorage.removeItem(KEY);
  }
}

function initialize({ model }) {
  const poll = (globalThis[Symbol.for(KEY)] ??= new Poll());
  const hear = said => {
    if (said.do === 'begin') {
      poll.join(model);
    } else if (said.do === 'end') {
      poll.end();
    } else if (said.do === 'ask' && poll.models.has(model)) {
      poll.ask(model, said.ask);
    }
  };
  model.on('msg:custom', hear);
  if (model.get('is_on') || poll.socket) {
    poll.join(model);
  }
  return () => {
    model.off('msg:custom', hear);
    poll.leave(model);
  };
}

export default { initialize, render() {} };
