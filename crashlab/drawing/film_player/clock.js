/* The state of a film on a page: its beat, its clock, and the moves between its beats. */

const MOVES = 0.7; // largest share of a beat for motion

/** Return the clock of a film, whose beats may arrive one by one.
 *
 * `film` is a document with `frames` and `last`; `does` has the variable parts: paint(now), say(words), until(),
 * isStill(), isFar(), asks() if a question is open, bring(beat), heard() after each change, and `hint`.
 *
 * @param {any} film
 * @param {any} does */
export function clock(film, does) {
  const updates = new Set(); // functions that update the parts of the page
  /** @type {number | null} */
  let event = null;
  let [beat, t, playing, speed] = [0, 1, false, 'normal'];
  let [timer, began, due] = [0, 0, 0]; // `due`: time of the next beat
  /** @type {(() => unknown) | null} */
  let waiting = null;
  /** @type {{ words: string, fits: (at: number) => boolean } | null} */
  let aim = null; // the target of the stars
  const until = () => Math.min(film.last, does.until?.() ?? film.last);
  const normal = () => film.milliseconds[speed] * (film.share ?? 1);
  /** Return the length of a beat, on a large screen enough to read it. @param {number} at */
  const length = at => (does.isFar?.() ? Math.max(normal(), film.beats[at].read ?? 0) : normal());

  // Moving between beats

  /** @param {number} to */
  function jump(to, glides = true) {
    pause();
    show(to, glides && to === beat + 1);
  }

  /** @param {number} step */
  function jumpToStop(step) {
    if (aim) return seek(aim.fits, step);
    const ahead = film.stops.filter((/** @type {number} */ at) => (at - beat) * step > 0 && at <= until());
    if (ahead.length) jump(ahead.at(step > 0 ? 0 : -1));
    else if (film.stops.length) does.say(`There is no ${stop()} ${step > 0 ? 'after' : 'before'} this beat.`);
  }

  /** Jump to the next beat that fits. @param {(at: number) => boolean} fits @returns {void} */
  function seek(fits, step = 1, at = beat + step) {
    for (; at >= 0 && at <= until(); at += step) {
      if (!film.frames[at]) return later(at, () => seek(fits, step, at));
      if (fits(at)) return jump(at);
    }
    const end = until() < film.last ? 'before the next question' : 'again in this film';
    does.say(`It does not happen ${end}.`);
  }

  /**
   * Run to the next match, also the target of the stars from now on.
   * @type {(words: string, fits: (at: number) => boolean) => void}
   */
  function run(words, fits) {
    aim = { words, fits };
    seek(fits);
  }

  const stop = () => aim?.words ?? (film.stop || 'stop');
  const depth = (/** @type {number} */ at) => film.beats[at].depth ?? 0;
  const over = () => seek(at => depth(at) <= depth(beat) || at === until());
  /** @type {(name: string, at: number) => boolean} */
  const isNew = (name, at) => {
    if (at <= 0) return false;
    const { changes, values = {} } = film.beats[at];
    return (changes ?? Object.keys(values)).includes(name);
  };
  const runToName = (/** @type {string} */ name) => run(`change of ${name}`, at => isNew(name, at));

  /** @type {(at: number, react: () => unknown) => void} */
  function later(at, react) {
    waiting = react;
    does.bring(at);
  }

  function came() {
    const react = waiting;
    [waiting, event] = [null, event ?? firstOf(beat)];
    react?.();
    refresh();
  }

  /** @type {(to: number, glides?: boolean, chosen?: number | null) => void} */
  function show(to, glides = false, chosen = null) {
    to = Math.min(Math.max(Math.round(to), 0), until());
    if (!film.frames[to]) return later(to, () => show(to, glides, chosen));
    const rests = !playing && t >= 1; // steps faster than the glide do not pile up
    [waiting, playing, beat, event] = [null, false, to, chosen ?? firstOf(to)];
    [t, began] = [glides && rests && !does.isStill() ? 0 : 1, performance.now()];
    changed();
    wake();
  }

  /** @type {(at: number) => number | null} */
  const firstOf = at => film.beats[at].first ?? null;

  /** @param {number} number */
  function tellEvent(number) {
    pause();
    show(film.events[number].beat, false, number);
  }

  function start() {
    if (does.asks?.()) return;
    if (beat >= until()) show(0);
    if (playing || until() === 0) return;
    [playing, due, t] = [true, performance.now(), 1];
    began = due - film.glide; // at rest already
    changed();
    wake();
  }

  function pause() {
    if (!playing) return;
    [playing, t] = [false, 1];
    changed();
    wake();
  }

  /** @param {number} at */
  function halt(at) {
    film.beats[at] ??= { words: '' }; // until it arrives
    [playing, t, waiting, beat, event] = [false, 1, null, at, at === beat ? event : firstOf(at)];
    refresh();
  }

  const toggle = () => (playing ? pause() : start());
  const waits = () => playing && !!does.isFar?.();
  const goOn = () => (waits() ? pace() : jump(beat + 1));

  function wake() {
    timer ||= requestAnimationFrame(step);
  }

  /** Paint a frame; the clock sets the beat. @param {number} now */
  function step(now) {
    timer = 0;
    if (playing) {
      const before = beat;
      for (; now >= due && beat < until() && film.frames[beat + 1]; due += length(beat)) {
        [beat, began] = [beat + 1, due];
      }
      if (before !== beat) event = firstOf(beat);
      if (now >= due && beat < until()) [due] = [now, does.bring(beat + 1)]; // not here yet
      t = does.isStill() ? 1 : Math.min(Math.max(now - began, 0) / Math.min(film.glide, MOVES * normal()), 1);
      const isOver = beat === until() && (t >= 1 || now >= due);
      if (isOver) [playing, t] = [false, 1];
      if (before !== beat || isOver) changed();
    } else if (t < 1) {
      t = Math.min(Math.max(now - began, 0) / film.glide, 1);
    }
    if (does.paint(now) || playing || t < 1) wake();
  }

  function pace(name = speed) {
    speed = name in film.milliseconds ? name : Object.keys(film.milliseconds)[0] ?? name;
    due = performance.now();
    refresh();
  }

  /** @param {string} name */
  function setSpeed(name) {
    pace(name);
    does.say(`Speed: ${name}, ${film.milliseconds[speed] / 1000} s per beat.`);
  }

  /** @param {number} by */
  function faster(by) {
    const names = Object.keys(film.milliseconds);
    setSpeed(names[Math.min(Math.max(names.indexOf(speed) + by, 0), names.length - 1)]);
  }

  // Parts of the page

  function changed() {
    refresh();
    does.heard?.();
  }

  const refresh = () => film.beats[beat] && updates.forEach(update => update());

  /** Put parts into an element; return a function that removes them.
   *
   * @param {{ append: (element: any) => void }} place
   * @param {{ element: any, tell: () => void }[]} parts */
  function put(place, ...parts) {
    for (const { element, tell } of parts) {
      place.append(element);
      updates.add(tell);
      if (film.beats[beat]) tell();
    }
    return () => parts.forEach(({ element, tell }) => updates.delete(tell) && element.remove());
  }

  /** @type {Record<string, () => unknown>} */
  const KEYS = {
    ArrowRight: goOn, ArrowLeft: () => jump(beat - 1), Home: () => jump(0), End: () => jump(film.last),
    ' ': toggle, c: () => jumpToStop(1), C: () => jumpToStop(-1), '+': () => faster(1), '=': () => faster(1),
    '-': () => faster(-1), '−': () => faster(-1), o: () => film.calls && over(),
  };

  /** Handle a key; return whether the film uses it. @param {string} name */
  function key(name) {
    const variable = /^[1-9]$/.test(name) && film.names?.[Number(name) - 1];
    if (variable) runToName(variable);
    else if (Object.hasOwn(KEYS, name)) KEYS[name]();
    else return false;
    return true;
  }

  function begin() {
    [beat, t, playing, event, waiting, aim] = [0, 1, false, null, null, null];
    pace();
  }

  return {
    film, does, until, stop, isNew, waits,
    jump, jumpToStop, run, runToName, over, came, show, tellEvent,
    start, pause, halt, toggle, goOn, wake, pace, setSpeed, refresh, put, key, begin,
    get beat() { return beat; },
    get t() { return t; },
    get playing() { return playing; },
    get speed() { return speed; },
    get hasAim() { return aim !== null; },
    get event() { return event; },
    set event(number) { event = number; refresh(); },
    close() { cancelAnimationFrame(timer); updates.clear(); },
  };
}
