/* Plays a film of crashlab, the document made by `turn.film()`, on a canvas, without library, network or kernel.

   play(element, film, options)   in your own page; film.schema.json describes `film`
   export default { render }      an Anywidget Front-End Module with a model of `film`, `beat` and `playing`

   Options: theme ("light", "dark", "projector"), page (fill the window), frame (or a frame), beat (the first),
   onBeat(beat), onPlaying(playing). */

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";
const ALIGN = { left: 'left', right: 'right' };
const LISTED = 300; // events listed at once
const WIDE = 820; // least width in pixels with the events beside the picture

// The film

/** Return a function that turns each beat into its board, pieces in drawing order, and effects. */
function unpacker() {
  const usual = { angle: 0, scale: 1, alpha: 1, label: '' };
  let board = 0;
  let here = new Map();
  return beat => {
    const put = new Map((beat.put ?? []).map(each => [each.piece, { ...(here.get(each.piece) ?? usual), ...each }]));
    const gone = new Set(beat.gone ?? []);
    const kept = [...here].filter(([piece]) => !gone.has(piece)).map(([piece, pose]) => [piece, put.get(piece) ?? pose]);
    const all = new Map([...kept, ...put]);
    here = beat.order ? new Map(beat.order.map(piece => [piece, all.get(piece)])) : all;
    board = beat.board ?? board;
    const passing = (beat.effects ?? []).map(([start, end]) => [{ ...usual, ...start }, { ...usual, ...start, ...end }]);
    return { board, pieces: [...here.values()], passing, cut: Boolean(beat.cut) };
  };
}

const MOVES = 0.7; // largest share of a beat for motion
const mix = (a, b, t) => a + t * (b - a);

/** Return a piece between two poses; its drawing changes half-way. */
function mixed(a, b, t) {
  if (a === b || t >= 1) return b;
  const turn = ((((b.angle - a.angle + 180) % 360) + 360) % 360) - 180;
  const [x, y, scale, alpha] = ['x', 'y', 'scale', 'alpha'].map(name => mix(a[name], b[name], t));
  return { ...(t < 0.5 ? a : b), x, y, scale, alpha, angle: a.angle + t * turn };
}

/** Return the pieces between two beats: they move or fade, with effects on top. */
function between(before, after, t) {
  if (t >= 1 || after.cut || !before) return after.pieces;
  const eased = t * t * (3 - 2 * t);
  const old = new Map(before.pieces.map(pose => [pose.piece, pose]));
  const now = new Set(after.pieces.map(pose => pose.piece));
  const faded = (pose, share) => ({ ...pose, alpha: pose.alpha * share });
  return [
    ...after.pieces.map(pose => (old.has(pose.piece) ? mixed(old.get(pose.piece), pose, eased) : faded(pose, t))),
    ...before.pieces.filter(pose => !now.has(pose.piece)).map(pose => faded(pose, 1 - t)),
    ...after.passing.map(([a, b]) => ({ ...mixed(a, b, eased), alpha: mix(a.alpha, b.alpha, t ** 3) })),
  ];
}

// The painter

/** Return functions that paint a film's drawings on a canvas. */
function painter(film) {
  const paths = new Map();

  function path(number) {
    if (!paths.has(number)) {
      const { circle, line, polygon } = film.shapes[number];
      const made = new Path2D();
      if (circle) made.arc(circle[0], circle[1], Math.max(circle[2], 0), 0, 2 * Math.PI);
      else (line ?? polygon).forEach((x, n, all) => n % 2 || made[n ? 'lineTo' : 'moveTo'](x, all[n + 1]));
      if (polygon) made.closePath();
      paths.set(number, made);
    }
    return paths.get(number);
  }

  /** `words` is the factor of text sizes. */
  function shape(ctx, number, colours, alpha, turn, words = 1) {
    const it = film.shapes[number];
    ctx.globalAlpha = alpha * (it.alpha ?? 1);
    if (it.text !== undefined) {
      ctx.save();
      ctx.translate(...it.at);
      ctx.rotate(-turn); // text stays upright
      ctx.font = `${it.bold ? '700 ' : ''}${words * it.size}px ${FONT}`;
      ctx.textAlign = ALIGN[it.align] ?? 'center';
      ctx.fillStyle = colours[it.fill];
      ctx.fillText(it.text, 0, 0.355 * words * it.size);
      ctx.restore();
      return;
    }
    if (it.fill) [ctx.fillStyle] = [colours[it.fill]], ctx.fill(path(number));
    if (it.stroke) [ctx.strokeStyle, ctx.lineWidth] = [colours[it.stroke], it.width], ctx.stroke(path(number));
  }

  function drawing(ctx, pose, colours, words = 1) {
    if (pose.alpha <= 0) return;
    const turn = (-pose.angle * Math.PI) / 180;
    ctx.save();
    ctx.translate(pose.x, pose.y);
    ctx.rotate(turn);
    ctx.scale(pose.scale, pose.scale);
    for (const number of film.drawings[pose.drawing]) shape(ctx, number, colours, pose.alpha, turn, words);
    ctx.restore();
  }

  /** Return left, top, right and bottom of a posed piece. */
  function box(pose) {
    const [cos, sin] = [Math.cos, Math.sin].map(f => f((-pose.angle * Math.PI) / 180) * pose.scale);
    const edges = [Infinity, Infinity, -Infinity, -Infinity];
    for (const number of film.drawings[pose.drawing]) {
      const it = film.shapes[number];
      const wide = it.text === undefined ? 0 : 0.3 * it.size * it.text.length * pose.scale;
      const left = wide * { left: 0, right: 2 }[it.align] || (it.align === 'left' ? 0 : wide);
      const spots = it.circle ? [it.circle[0], it.circle[1]] : it.line ?? it.polygon ?? it.at;
      const room = pose.scale * (it.circle ? it.circle[2] : it.text === undefined ? (it.width ?? 0) / 2 : 0.5 * it.size);
      for (let n = 0; n < spots.length; n += 2) {
        const x = pose.x + spots[n] * cos - spots[n + 1] * sin;
        const y = pose.y + spots[n] * sin + spots[n + 1] * cos;
        edges[0] = Math.min(edges[0], x - (wide ? left : room));
        edges[1] = Math.min(edges[1], y - room);
        edges[2] = Math.max(edges[2], x + (wide ? 2 * wide - left : room));
        edges[3] = Math.max(edges[3], y + room);
      }
    }
    return edges;
  }

  return { drawing, shape, box };
}

// The player

const PARTS = `
* { box-sizing: border-box; margin: 0; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 1px; }
h3 { font-size: 12px; letter-spacing: .06em; text-transform: uppercase; color: var(--muted); margin: 0 0 3px; }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: 4px; }
button, select { font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--line);
  border-radius: 7px; min-height: 36px; cursor: pointer; }
button:hover:not(:disabled) { border-color: var(--muted); }
button:disabled { opacity: .4; cursor: default; }
.bar button { min-width: 38px; padding: 0 7px; display: inline-grid; place-items: center; grid-auto-flow: column; }
.bar svg { width: 18px; height: 18px; fill: currentColor; }
.bar .play { min-width: 52px; color: var(--panel); background: var(--ink); border-color: var(--ink); }
.track { flex: 1 1 80px; position: relative; display: grid; align-items: center; min-width: 80px; height: 36px; }
.track input { width: 100%; accent-color: var(--focus); height: 30px; cursor: pointer; }
.track i { position: absolute; top: 1px; width: 4px; height: 7px; margin-left: -2px; border-radius: 2px;
  background: var(--crash); pointer-events: none; forced-color-adjust: none; }
.asks .track i { display: none; }
.count { font-variant-numeric: tabular-nums; color: var(--muted); white-space: nowrap; padding: 0 4px; }
.hidden { display: none !important; }
ol { list-style: none; padding: 0; max-height: 17em; }
li > button, .name, .chain button { display: block; width: 100%; text-align: left; border: 0; background: none;
  padding: 3px 6px; min-height: 0; border-radius: 5px; font-size: 14px; }
li > button, .code button { display: grid; grid-template-columns: var(--digits, 2.6em) minmax(0, 1fr); overflow-wrap: anywhere; }
:is(li > button, .chain, blockquote, td:last-child, .quiz) { white-space: pre-wrap; }
li > button { gap: 0 4px; }
:is(li > button, .code button) > b { font-weight: 400; color: var(--muted); font-variant-numeric: tabular-nums; }
li > button small { color: var(--muted); font-size: 12px; white-space: nowrap; }
li > button:hover, .chain button:hover, .code button:hover { background: var(--raised); }
.now > button { background: var(--raised); box-shadow: inset 3px 0 0 var(--focus); }
.why { max-height: 22em; }
ol, .why { overflow-y: auto; overscroll-behavior: contain; }
.chain button { padding: 2px 0; font-weight: 700; }
summary { cursor: pointer; } .since { color: var(--muted); }
details > :not(summary) { margin-left: 14px; }
.chain button span { font-weight: 400; font-style: italic; color: var(--muted); }
blockquote { font-size: 14px; border-left: 3px solid var(--focus); padding: 1px 0 1px 9px; margin: 1px 0 7px; }
blockquote i { font-style: normal; font-size: 12px; border: 1px solid var(--line); border-radius: 4px; padding: 0 4px;
  color: var(--muted); }
.code, pre, td:last-child { font: var(--small, 13px)/1.5 ui-monospace, 'DejaVu Sans Mono', monospace; overflow: auto; }
.code { max-height: 21em; tab-size: 4; scrollbar-width: thin; }
.code button { width: 100%; min-height: 0; border: 0; background: none; text-align: left; white-space: pre-wrap; border-radius: 3px;
  padding: 0 0 0 3px; }
pre { min-height: 1.5em; max-height: 9em; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
td { padding: 1px 4px; vertical-align: top; overflow-wrap: anywhere; border-radius: 3px; }
td:first-child { width: 1%; white-space: nowrap; }
td:last-child { line-height: 1.6; }
.name { padding: 0; font-weight: 700; text-decoration: underline dotted; white-space: nowrap; }
li > button[aria-current], .code .lit, .lit td { background: var(--flash); color: #1f1b16; forced-color-adjust: none; }
:is(li > button[aria-current], .code .lit) :is(b, small) { color: #4b3f12; }
summary { cursor: pointer; color: var(--muted); font-size: 14px; }
@container (max-width: 520px) { .bar button { min-width: 36px; } .track { order: 9; flex-basis: 100%; } .far { display: none !important; } }
`;

const ICONS = {
  first: 'M3 3h2v12H3zM15 3v12L6 9z', end: 'M13 3h2v12h-2zM3 3v12l9-6z', play: 'M4 2.5v13l11-6.5z',
  pause: 'M4 3h4v12H4zM10 3h4v12h-4z', back: 'M12 3v12L4 9z', on: 'M6 3v12l8-6z',
  over: 'M3 9a6 6 0 0 1 11-3l2-1.5V11h-6l2-2a4 4 0 0 0-7 0zM7 13h4v3H7z',
  full: 'M2 2h6v2H4v4H2zM10 2h6v6h-2V4h-4zM2 10h2v4h4v2H2zM14 10h2v6h-6v-2h4z',
  colours: 'M9 1.5a7.5 7.5 0 1 0 0 15zM9 3.5a5.5 5.5 0 0 1 0 11z',
};
const SPIKES = 'l1.4 3.4 3.5-1.2-1.3 3.5 3.4 1.5-3.4 1.4 1.3 3.5-3.5-1.2L9 17l-1.4-4.1';
ICONS.stopOn = `M9 1${SPIKES} -3.5 1.2 1.3-3.5L2 9.2l3.4-1.5-1.3-3.5 3.5 1.2z`;

function make(name, given = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(given)) {
    if (key in element && key !== 'list') element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 18 18');
  svg.setAttribute('aria-hidden', 'true');
  svg.append(document.createElementNS(svg.namespaceURI, 'path'));
  svg.firstChild.setAttribute('d', ICONS[name]);
  return svg;
}

const press = (title, name, react, className = '') =>
  make('button', { type: 'button', title, 'aria-label': title, className, onclick: react }, icon(name));

function reveal(list, first, last = first) {
  const [box, { top }, { bottom }] = [list, first, last].map(each => each.getBoundingClientRect());
  const free = Math.max(list.clientHeight - (bottom - top), 0);
  if (top < box.top || bottom > box.bottom) list.scrollTop += top - box.top - free / 2;
}

function tint(element, c, isDark) {
  const look = { panel: c.panel, 'panel-edge': c['panel edge'], ink: c.ink, muted: c.muted, flash: c.flash,
    gain: c.gain, loss: c.loss, crash: c['flash edge'], focus: isDark ? '#56B4E9' : '#0359CC',
    line: `color-mix(in srgb, ${c.muted} 38%, ${c.panel})`, raised: `color-mix(in srgb, ${c.ink} 7%, ${c.panel})` };
  for (const [name, value] of Object.entries(look)) element.style.setProperty(`--${name}`, value);
  element.style.colorScheme = isDark ? 'dark' : 'light';
}

/** Play a film, whose beats may arrive one by one, and make the parts of its page.
 *
 * `film` is a document with `frames` and `last`; `does` has the variable parts: paint(now), say(words), until(),
 * isStill(), isFar(), asks() if a question is open, bring(beat), heard() after each change, and `hint`. */
function player(film, does) {
  const told = new Set(); // the parts, each with its update function
  let [beat, t, playing, event, speed] = [0, 1, false, null, 'normal'];
  // `due`: time of the next beat; `aim`: the stars' target
  let [timer, began, due, waiting, aim] = [0, 0, 0, null, null];
  const until = () => Math.min(film.last, does.until?.() ?? film.last);
  const each = () => film.milliseconds[speed] * (film.share ?? 1);
  /** Return the length of a beat, on a large screen enough to read it. */
  const length = at => (does.isFar?.() ? Math.max(each(), film.beats[at].read ?? 0) : each());
  const stop = () => aim?.words ?? (film.stop || 'stop');

  // Moving between beats

  function jump(to, glides = true) {
    pause();
    show(to, glides && to === beat + 1);
  }

  function jumpToStop(step) {
    if (aim) return seek(aim.fits, step);
    const ahead = film.stops.filter(at => (at - beat) * step > 0 && at <= until());
    if (ahead.length) jump(ahead.at(step > 0 ? 0 : -1));
    else if (film.stops.length) does.say(`There is no ${stop()} ${step > 0 ? 'after' : 'before'} this beat.`);
  }

  function seek(fits, step = 1, at = beat + step) {
    for (; at >= 0 && at <= until(); at += step) {
      if (!film.frames[at]) return later(at, () => seek(fits, step, at));
      if (fits(at)) return jump(at);
    }
    does.say(until() < film.last ? 'It does not happen before the next question.' : 'It does not happen again in this film.');
  }

  /** Run to the next match, also the target of the stars from now on. */
  function run(words, fits) {
    aim = { words, fits };
    seek(fits);
  }

  const depth = at => film.beats[at].depth ?? 0;
  const over = () => seek(at => depth(at) <= depth(beat) || at === until());

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

  function show(to, glides = false, chosen = null) {
    to = Math.min(Math.max(Math.round(to), 0), until());
    if (!film.frames[to]) return later(to, () => show(to, glides, chosen));
    const rests = !playing && t >= 1; // steps faster than the glide do not pile up
    [waiting, playing, beat, event] = [null, false, to, chosen ?? firstOf(to)];
    [t, began] = [glides && rests && !does.isStill() ? 0 : 1, performance.now()];
    changed();
    wake();
  }

  const firstOf = at => film.beats[at].first ?? null;

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

  /** Paint a frame; the clock sets the beat. */
  function step(now) {
    timer = 0;
    if (playing) {
      const before = beat;
      for (; now >= due && beat < until() && film.frames[beat + 1]; due += length(beat)) [beat, began] = [beat + 1, due];
      const isNew = before !== beat;
      if (isNew) event = firstOf(beat);
      if (now >= due && beat < until()) [due] = [now, does.bring(beat + 1)]; // not here yet
      t = does.isStill() ? 1 : Math.min(Math.max(now - began, 0) / Math.min(film.glide, MOVES * each()), 1);
      const isOver = beat === until() && (t >= 1 || now >= due);
      if (isOver) [playing, t] = [false, 1];
      if (isNew || isOver) changed();
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

  function setSpeed(name) {
    pace(name);
    does.say(`Speed: ${name}, ${film.milliseconds[speed] / 1000} s per beat.`);
  }

  function faster(by) {
    const names = Object.keys(film.milliseconds);
    setSpeed(names[Math.min(Math.max(names.indexOf(speed) + by, 0), names.length - 1)]);
  }

  // Parts

  function changed() {
    refresh();
    does.heard?.();
  }

  const refresh = () => film.beats[beat] && told.forEach(tell => tell());

  /** Put parts into an element; return a function that removes them. */
  function put(place, ...parts) {
    for (const { element, tell } of parts) {
      place.append(element);
      told.add(tell);
      if (film.beats[beat]) tell();
    }
    return () => parts.forEach(({ element, tell }) => told.delete(tell) && element.remove());
  }

  function bar(...more) {
    const slider = make('input', { type: 'range', min: 0, max: 0, value: 0, step: 1, 'aria-label': 'Beat' });
    slider.oninput = () => jump(Number(slider.value), false);
    const track = make('div', { className: 'track' }, slider);
    const count = make('span', { className: 'count' }); // of fixed width
    const [first, back] = [press('To the beginning (Home)', 'first', () => jump(0)), press('One beat back (←)', 'back', () => jump(beat - 1))];
    const [on, end] = [press('', 'on', goOn), press('To the end (End)', 'end', () => jump(film.last))];
    const [stopBack, stopOn] = [press('', 'stopOn', () => jumpToStop(-1)), press('', 'stopOn', () => jumpToStop(1))];
    const [plays, above] = [press('', 'play', toggle, 'play'), press('Step over the call (o)', 'over', over)];
    stopBack.prepend('‹');
    stopOn.append('›');
    const speeds = make('select', { title: 'How fast it plays (+ and −)', 'aria-label': 'Speed', className: 'far' });
    speeds.onchange = () => setSpeed(speeds.value);
    const element = make('div', { className: 'bar', role: 'group', 'aria-label': 'Controls' });
    element.append(first, stopBack, back, plays, on, above, stopOn, end, track, count, speeds, ...more);
    const name = (button, words) => { button.title = words; button.setAttribute('aria-label', words); };
    let [shown, isPlaying] = [null, null];
    function tell() {
      if (shown !== film.beats) {
        shown = film.beats;
        count.style.minWidth = `calc(${2 * Math.max(String(film.last).length, 2) + 1.6}ch + 8px)`;
        speeds.replaceChildren(...Object.keys(film.milliseconds).map(each => make('option', { value: each }, each)));
        track.querySelectorAll('i').forEach(each => each.remove());
        film.stops.slice(0, 300).forEach(at => track.append(make('i', { style: `left: calc(8px + (100% - 16px) * ${at / film.last})` })));
      }
      if (isPlaying !== playing) {
        isPlaying = playing;
        plays.replaceChildren(icon(playing ? 'pause' : 'play'));
        name(plays, `${playing ? 'Pause' : 'Play'} (space)`);
      }
      name(on, waits() ? 'Go on (→)' : 'One beat on (→)');
      on.classList.toggle('play', waits());
      name(stopBack, `The ${stop()} before (C)`);
      name(stopOn, `The next ${stop()} (c)`);
      for (const each of [stopBack, stopOn]) {
        each.classList.toggle('hidden', Boolean(film.sources?.length) && !film.stops.length && !aim);
        each.disabled = !film.stops.length && !aim;
      }
      above.classList.toggle('hidden', !film.calls);
      [slider.max, slider.value, speeds.value] = [film.last, beat, speed];
      speeds.classList.toggle('hidden', speeds.length < 2);
      slider.setAttribute('aria-valuetext', film.beats[beat].words);
      count.textContent = `${beat} / ${film.last}`;
      first.disabled = back.disabled = beat === 0;
      on.disabled = end.disabled = beat >= until();
    }
    return { element, tell };
  }

  function list() {
    const element = make('ol', { 'aria-label': 'Events' });
    let [rows, shown, range] = [[], null, [0, 0, 0]];
    function tell() {
      const { events } = film;
      const known = until() < film.last ? events.findLastIndex(each => each?.beat <= until()) + 1 : events.length;
      const place = Math.min(event ?? events.findLastIndex(each => each?.beat <= beat), known - 1);
      const [low, high] = [Math.max(place - LISTED / 2, 0), Math.min(Math.max(place, 0) + LISTED / 2, known)];
      const has = events.slice(low, high).filter(Boolean).length;
      if (shown !== film.beats || place < range[0] || place >= range[1] || range[2] !== known || rows.length < has) {
        [shown, range, rows] = [film.beats, [low, high, known], []];
        for (let n = low; n < high; n++) if (events[n]) rows.push(n);
        element.replaceChildren(...rows.map(n => {
          const rule = events[n].rule ? make('small', {}, ` ${events[n].rule}`) : '';
          const text = make('span', {}, events[n].text, rule);
          const button = make('button', { type: 'button', onclick: () => tellEvent(n) }, make('b', {}, events[n].beat), text);
          return make('li', {}, button);
        }));
      }
      [...element.children].forEach((row, n) => {
        row.className = events[rows[n]].beat === beat ? 'now' : '';
        if (rows[n] === event) row.firstChild.setAttribute('aria-current', 'true');
        else row.firstChild.removeAttribute('aria-current');
      });
      const row = element.children[Math.max(rows.findLastIndex(n => n <= place), 0)];
      if (row) reveal(element, row);
    }
    return { element, tell };
  }

  function tellEvent(number) {
    pause();
    show(film.events[number].beat, false, number);
  }

  function quote({ rule: id, line: at }, cited) {
    const rule = film.rules?.[id];
    const title = rule && [make('b', {}, id), ` ${rule.title} `, make('i', {}, rule.mark), make('br'), rule.text];
    if (rule && id !== cited) return [make('blockquote', {}, ...title)];
    const it = film.sources?.[at?.[0]];
    return it ? [make('blockquote', { className: 'code' }, `line ${at[1]}  ${(it.lines[at[1] - it.first] ?? '').trim()}`)] : [];
  }

  function reasons(n, before, cited) {
    const here = film.events[n];
    if (!here) return [];
    const to = { type: 'button', title: `Go to beat ${here.beat}`, onclick: () => tellEvent(n) };
    return [make('button', to, make('span', {}, before), here.text), ...quote(here, cited), ...(here.causes ?? []).flatMap(each => reason(each, here.rule))];
  }

  /** Return a reason, which opens if there is more to show. */
  function reason(it, cited) {
    if (!it.text) return reasons(it.event, 'because ', cited);
    if (!it.causes && !film.events[it.event]) return [make('p', {}, it.text)];
    const more = make('details', {}, make('summary', { className: it.line ? 'since' : '' }, it.text));
    more.ontoggle = () => more.children[1]
      ?? more.append(...quote(it), ...(it.causes ?? []).flatMap(each => reason(each)), ...reasons(it.event, ''));
    return [more];
  }

  function why() {
    const chain = make('div', { className: 'chain' });
    const element = make('section', { className: 'why', 'aria-label': 'Why' }, make('h3', {}, 'Why'), chain);
    let shown = '';
    function tell() {
      element.classList.toggle('hidden', !film.events.length || Boolean(does.asks?.()));
      const now = [film.title, event, film.events.filter(Boolean).length].join();
      if (shown === now) return;
      shown = now;
      const parts = reasons(event, '');
      chain.replaceChildren(...(parts.length ? parts : [does.hint]));
    }
    return { element, tell };
  }

  const atLine = (at, which, line) => film.beats[at].line?.[0] === which && film.beats[at].line[1] === line;

  function source() {
    const code = make('div', { className: 'code' });
    const element = make('section', { 'aria-label': 'Source' }, make('h3', {}, 'Source'), code);
    let shown = null;
    function tell() {
      const [which, line] = film.beats[beat].line ?? [null, 0];
      const it = film.sources?.[which];
      if (it && it !== shown) {
        shown = it;
        code.style.setProperty('--digits', `calc(${String(it.first + it.lines.length).length}ch + 8px)`);
        const most = Math.max(...film.sources.map(({ lines }) => lines.length));
        code.style.height = film.sources.length > 1 ? `${1.5 * most}em` : '';
        code.replaceChildren(...it.lines.map((text, n) => {
          const number = it.first + n;
          const often = it.runs ? ` runs ${it.runs[n]} time${it.runs[n] === 1 ? '' : 's'}:` : ':';
          const title = `Line ${number}${often} a click runs to what it changes next`;
          const go = () => run(`change by line ${number}`, at => atLine(at, which, number));
          const inner = `min(${text.search(/\S|$/) + 4}ch, 33cqi)`; // indent of wrapped lines
          const words = make('span', { style: `padding-left: ${inner}; text-indent: calc(-1 * ${inner})` }, text || ' ');
          return make('button', { type: 'button', title, onclick: go }, make('b', {}, number), words);
        }));
      }
      [...code.children].forEach((row, n) => {
        const isLit = Boolean(beat) && it && n === line - it.first;
        row.className = isLit ? 'lit' : '';
        if (isLit) reveal(code, row);
      });
    }
    return { element, tell };
  }

  const isWhole = at => !(at && film.frames[at]) || film.beats[at].whole; // complete
  const held = new Map(); // fetched values, by beat
  function valuesAt(at) {
    let n = at;
    while (!held.has(n) && !isWhole(n)) n--;
    for (n += held.has(n); n <= at; n++) {
      const next = { ...(isWhole(n) ? {} : held.get(n - 1)), ...film.beats[n].values };
      held.set(n, Object.fromEntries(Object.entries(next).filter(([, value]) => value !== null)));
    }
    return held.get(at);
  }

  const isNew = (name, at) => at > 0 && (film.beats[at].changes ?? Object.keys(film.beats[at].values ?? {})).includes(name);
  const runToName = name => run(`change of ${name}`, at => isNew(name, at));

  function variables(title) {
    const values = make('table');
    const list = make('div', { className: 'rows' }, values);
    const element = make('section', { 'aria-label': title }, make('h3', {}, title), list);
    let shown = null; // rows stay for a click under way
    const see = ([first, ...more] = values.querySelectorAll('.lit')) => first && reveal(list, first, more.at(-1));
    function tell() {
      if (shown === film.beats[beat] || !film.frames[beat]) return see();
      shown = film.beats[beat];
      const now = valuesAt(beat);
      values.replaceChildren(...new Set([...(film.names ?? []), ...Object.keys(now)]).values().map(name => {
        const number = (film.names ?? []).indexOf(name) + 1;
        const words = `Run to the next change of ${name}${number && number < 10 ? ` (${number})` : ''}`;
        const go = make('button', { type: 'button', className: 'name', title: words, onclick: () => runToName(name) }, name);
        const row = make('tr', { className: isNew(name, beat) ? 'lit' : '' });
        row.append(make('td', {}, go), make('td', {}, make('span', {}, now[name] ?? make('small', {}, 'not set yet'))));
        return row;
      }));
      see();
    }
    return { element, tell };
  }

  function printed() {
    const text = make('pre', { tabIndex: 0 });
    const element = make('section', { 'aria-label': 'Printed' }, make('h3', {}, 'Printed'), text);
    function tell() {
      let n = beat;
      while (!isWhole(n)) n--;
      text.textContent = film.beats.slice(n, beat + 1).map(each => each.printed ?? '').join('');
      element.classList.toggle('hidden', !text.textContent);
      text.scrollTop = text.scrollHeight;
    }
    return { element, tell };
  }

  const KEYS = {
    ArrowRight: goOn, ArrowLeft: () => jump(beat - 1), Home: () => jump(0), End: () => jump(film.last),
    ' ': toggle, c: () => jumpToStop(1), C: () => jumpToStop(-1), '+': () => faster(1), '=': () => faster(1),
    '-': () => faster(-1), '−': () => faster(-1), o: () => film.calls && over(),
  };

  function key(name) {
    const named = /^[1-9]$/.test(name) && film.names?.[name - 1];
    if (named) runToName(named);
    else if (Object.hasOwn(KEYS, name)) KEYS[name]();
    else return false;
    return true;
  }

  function begin() {
    [beat, t, playing, event, waiting, aim] = [0, 1, false, null, null, null];
    held.clear();
    pace();
  }

  return {
    jump, show, start, pause, halt, wake, came, refresh, put, tellEvent, pace, key, begin, until,
    bar, list, why, source, variables, printed,
    get beat() { return beat; },
    get t() { return t; },
    get playing() { return playing; },
    get event() { return event; },
    set event(number) { event = number; refresh(); },
    close() { cancelAnimationFrame(timer); told.clear(); },
  };
}

/** Return the theme of JupyterLab, of the page around the frame, or of the system. */
function themeAround(element) {
  try {
    for (let here = element.ownerDocument.defaultView; ; here = here.parent) {
      const said = here.document.body?.dataset.jpThemeLight;
      if (said) return said === 'false' ? 'dark' : 'light';
      if (here.parent === here) break;
    }
  } catch { /* the outer page has another origin */ }
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

export { PARTS, between, make, mix, painter, player, themeAround, unpacker };

// The page

const [COLUMN, PRINTED] = [480, 60]; // column width on paper, in pixels; longest list printed whole

const STYLE = `${PARTS}
:host { display: block; container-type: inline-size; }
.film { font: 15px/1.4 ${FONT}; color: var(--ink); background: var(--panel); border: 1px solid var(--panel-edge);
  border-radius: 10px; padding: 10px; display: grid; gap: 8px 14px; grid-template-columns: minmax(0, 1fr); }
.film:fullscreen { border-radius: 0; padding: 12px 16px; overflow: auto; align-content: start; }
:host(.page) .film { border: 0; border-radius: 0; min-height: 100vh; padding: 14px max(14px, 2vw); align-content: start; }
h2 { font-size: 17px; line-height: 1.3; grid-column: 1 / -1; overflow-wrap: anywhere; }
.stage { display: grid; justify-items: center; min-width: 0; }
canvas { display: block; border-radius: 6px; max-width: 100%; touch-action: manipulation; }
.left { min-width: 0; display: grid; gap: 8px; align-content: start; }
.side { min-width: 0; }
.words { min-height: 2.8em; font-size: 16px; overflow-wrap: anywhere; white-space: pre-wrap; }
.side > * { border-top: 1px solid var(--line); padding: 6px 0 8px; }
.quiz b { font-size: 17px; display: block; margin: 2px 0 6px; }
.quiz button { display: block; width: 100%; text-align: left; padding: 6px 10px; margin: 0 0 5px; }
.quiz ul { padding-left: 1.3em; margin: 0 0 6px; }
.verdict { border-left: 4px solid var(--line); padding: 1px 0 1px 9px; margin: 0 0 6px; }
.verdict.right { border-color: var(--gain); } .verdict.wrong { border-color: var(--loss); }
kbd { font: 12px ui-monospace, monospace; border: 1px solid var(--line); border-radius: 4px; padding: 0 4px; }
.help { font-size: 14px; color: var(--muted); }
@container (min-width: ${WIDE}px) {
  .film { grid-template-columns: minmax(0, 1.75fr) minmax(290px, 1fr); }
  .coded { grid-template-columns: minmax(0, 1.2fr) minmax(410px, 1fr); }
  .side { overflow-y: auto; max-height: var(--high); }
  .side .code { max-height: max(21em, var(--high) - 36em); }
  .side ol { max-height: 24em; }
  .rows { max-height: 14em; overflow-y: auto; }
}
@container (max-width: 520px) { .film { padding: 8px; } }
:host(.paper) :is(.bar, .help) { display: none; }
:host(.paper) :is(.why, .code, .rows, ol:not(:has(> :nth-child(${PRINTED + 1})))) { max-height: none; }
`;

/** Return the functions of a film's canvas: the board is painted once, pieces in each frame. */
function screen(film, frames, canvas) {
  const paint = painter(film);
  const ground = document.createElement('canvas');
  let painted = '';
  let zoom = 1;

  function resize(width) {
    const ratio = Math.min(Math.max(devicePixelRatio || 1, 1), 3);
    zoom = (width * ratio) / film.size[0];
    canvas.width = ground.width = Math.round(film.size[0] * zoom);
    canvas.height = ground.height = Math.round(film.size[1] * zoom) || 1;
    painted = '';
  }

  function ready(ctx) {
    ctx.setTransform(zoom, 0, 0, zoom, 0, 0);
    [ctx.lineCap, ctx.lineJoin, ctx.textBaseline] = ['round', 'round', 'alphabetic'];
  }

  function draw(beat, t, theme, over = () => {}) {
    const colours = film.themes[theme];
    const { board } = frames[beat];
    if (painted !== `${board} ${theme}`) {
      const ctx = ground.getContext('2d');
      ctx.clearRect(0, 0, ground.width, ground.height);
      ready(ctx);
      paint.drawing(ctx, { drawing: board, x: 0, y: 0, angle: 0, scale: 1, alpha: 1 }, colours);
      ctx.setTransform(1, 0, 0, 1, 0, 0);
      painted = `${board} ${theme}`;
    }
    const ctx = canvas.getContext('2d');
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.globalAlpha = 1;
    ctx.clearRect(0, 0, canvas.width, canvas.height);
    ctx.drawImage(ground, 0, 0);
    ready(ctx);
    for (const pose of between(frames[beat - 1], frames[beat], t)) paint.drawing(ctx, pose, colours);
    ctx.globalAlpha = 1;
    over(ctx, colours);
  }

  /** Return the piece at a point, the nearest of several. */
  function hit(beat, x, y) {
    let [best, least] = [null, Infinity];
    for (const pose of frames[beat].pieces) {
      if (film.pieces[pose.piece] === 'ways') continue;
      const [left, top, right, bottom] = paint.box(pose);
      const far = Math.hypot((left + right) / 2 - x, (top + bottom) / 2 - y);
      if (x >= left - 3 && x <= right + 3 && y >= top - 3 && y <= bottom + 3 && far < least) [best, least] = [pose, far];
    }
    return best;
  }

  return { resize, draw, hit, box: paint.box };
}

export function play(element, given, options = {}) {
  if (given?.format !== 'crashlab film' || given.version !== 1) throw new Error('this is no film of crashlab, version 1');
  const beats = given.beats.map(each => ({ ...each }));
  const film = { ...given, beats, frames: beats.map(unpacker()), last: beats.length - 1 };
  for (const gone of [false, true]) // removals last: they have no reason
    film.events.forEach((each, n) => { if ((each.kind === 'gone') === gone) film.beats[each.beat].first ??= n; });
  const { last, events, stops } = film;
  const questions = film.questions ?? [];
  const hasLines = film.beats.some(each => each.line);
  const answers = []; // to the questions
  const still = matchMedia('(prefers-reduced-motion: reduce)');
  let [ringed, theme, told] = [null, options.theme, { beat: 0, playing: false }];

  // The limit of playing: the next question

  const open = () => questions[answers.length];
  const until = () => Math.min(open()?.at ?? last, last);
  const asks = () => open() && reel.beat === open().at;


  const host = make('div', { className: options.page ? 'page' : '' });
  const root = host.attachShadow({ mode: 'open' });
  const canvas = make('canvas', { role: 'img' });
  const words = make('div', { className: 'words', role: 'status', 'aria-live': 'polite' });
  const view = screen(film, film.frames, canvas);
  const say = text => { words.textContent = text; };
  const reel = player(film, {
    say, until, asks, heard, hint: 'Pick an event, or click on something on the board.', isStill: () => still.matches, bring() {},
    paint: () => view.draw(reel.beat, reel.t, theme, marks),
  });
  const parts = hasLines ? [reel.source(), reel.printed(), reel.variables('Variables')] : [reel.variables('So far')];
  if (!film.beats.some(each => each.values)) parts.pop();
  const quiz = make('section', { className: 'quiz', 'aria-label': 'Questions' });
  const all = make('details', { open: !hasLines }, make('summary', {}, 'Events'));
  const help = make('details', { className: 'help' }, make('summary', {}, 'Keys'));
  for (const [keys, does] of [['→ ←', 'a beat'], ['Home End', 'to the ends'], ['Space', 'play and pause'],
    ...(stops.length ? [['c C', `the next or the previous ${film.stop}`]] : []), ...(film.calls ? [['o', 'over a call']] : []),
    ['+ −', 'the speed'], ['f', 'full screen']]) {
    help.append(make('div', {}, make('kbd', {}, keys), ` ${does}`));
  }
  const left = make('div', { className: 'left' }, make('div', { className: 'stage' }, canvas));
  const side = make('div', { className: 'side' }, quiz);
  const box = make('div', { className: hasLines ? 'film coded' : 'film', tabIndex: 0, role: 'group', 'aria-label': `Film: ${film.title}` });
  box.append(make('h2', {}, film.title), left, side);
  const colours = press('Other colours', 'colours', () => recolour(), 'far');
  const bar = reel.bar(colours, press('Full screen (f)', 'full', () => fullScreen()));
  reel.put(left, bar);
  left.append(words);
  reel.put(side, ...parts, reel.why());
  reel.put(all, reel.list());
  side.append(all, help);
  for (const each of [box, host]) each.dataset.lmSuppressShortcuts = 'true'; // keep keys from JupyterLab
  root.append(make('style', {}, STYLE), box);
  element.append(host);

  /** Update the page after a change of the beat, or of playing. */
  function heard() {
    const { beat, playing } = reel;
    ringed = null;
    say(asks() ? open().text : film.beats[beat].words);
    canvas.setAttribute('aria-label', beat === 0 ? film.words : film.beats[beat].words);
    all.classList.toggle('hidden', !events.length || Boolean(asks()));
    showQuestions();
    if (told.beat !== beat) options.onBeat?.(beat);
    if (told.playing !== playing) options.onPlaying?.(playing);
    told = { beat, playing };
  }

  // Questions

  function answer(number) {
    const asked = open();
    answers.push(number);
    if (asked.at === until() && open()) return reel.show(reel.beat);
    if (still.matches) reel.show(until());
    else reel.start();
    box.focus({ preventScroll: true });
  }

  function showQuestions() {
    quiz.classList.toggle('hidden', !questions.length);
    box.classList.toggle('asks', Boolean(open())); // marks of crashes would give it away
    if (!questions.length) return;
    const parts = [];
    answers.forEach((choice, n) => {
      const { text, answers: all, right, beat: decided, why = '' } = questions[n];
      const known = reel.beat >= decided;
      const isRight = choice === right;
      const told = !known ? `You say: ${all[choice]}.`
        : isRight ? `✓ Right: ${all[right]}.` : `✗ No: ${all[right]}, not ${all[choice]}.`;
      const reason = known ? why : '';
      const look = `verdict ${known ? (isRight ? 'right' : 'wrong') : ''}`;
      parts.push(make('div', { className: look }, `${n + 1}. ${text} `, make('br'), make('strong', {}, told), reason));
    });
    if (asks()) {
      if (film.plans?.length) {
        parts.push('What is planned:', make('ul', {}, ...film.plans.map(plan => make('li', {}, plan))));
      }
      parts.push(`Question ${answers.length + 1} of ${questions.length}`, make('b', {}, open().text));
      parts.push(...open().answers.map((text, n) =>
        make('button', { type: 'button', onclick: () => answer(n) }, `${n < 9 ? `${n + 1}. ` : ''}${text}`)));
    } else if (open()) {
      parts.push(`Keep playing: question ${answers.length + 1} of ${questions.length} is coming up.`);
    } else {
      const right = answers.filter((choice, n) => choice === questions[n].right).length;
      if (reel.beat === last) parts.push(`${right} of ${questions.length} right. `);
      const again = () => { answers.length = 0; reel.show(0); };
      parts.push(make('button', { type: 'button', onclick: again }, 'Again'));
    }
    quiz.replaceChildren(...parts);
  }

  // Marks over the picture

  function marks(ctx, colours) {
    const outline = (points, colour, width) => {
      ctx.beginPath();
      points.forEach((x, n) => n % 2 || ctx[n ? 'lineTo' : 'moveTo'](x, points[n + 1]));
      ctx.closePath();
      [ctx.strokeStyle, ctx.lineWidth] = [colour, width];
      ctx.stroke();
    };
    if (ringed && reel.t >= 1) {
      const [l, u, r, d] = view.box(ringed);
      for (const [colour, width] of [[colours['flash edge'], 5], [colours.flash, 2.5]]) {
        ctx.beginPath();
        ctx.roundRect(l - 3, u - 3, r - l + 6, d - u + 6, 8);
        [ctx.strokeStyle, ctx.lineWidth] = [colour, width];
        ctx.stroke();
      }
    }
    if (asks()) {
      (open().places ?? []).forEach((points, n) => {
        outline(points, colours['path edge'], 5);
        outline(points, colours.path, 2.5);
        const top = Math.min(...points.filter((_, m) => m % 2)); // not shared with other places
        const [x, y] = [points[points.findIndex((value, m) => m % 2 && value === top) - 1], top];
        ctx.beginPath();
        ctx.arc(x, y, 10, 0, 2 * Math.PI);
        ctx.fillStyle = colours.path;
        ctx.fill();
        [ctx.fillStyle, ctx.font, ctx.textAlign] = [colours['path edge'], `700 14px ${FONT}`, 'center'];
        ctx.fillText(n + 1, x, y + 5);
      });
    }
    if (reel.beat === last) for (const each of questions) if (each.places?.length) outline(each.places[each.right], colours.flash, 4);
  }

  // User input

  const spot = at => {
    const edge = canvas.getBoundingClientRect();
    return [((at.clientX - edge.left) / edge.width) * film.size[0], ((at.clientY - edge.top) / edge.height) * film.size[1]];
  };

  const inside = (points, x, y) => {
    let is = false;
    for (let n = 0, m = points.length - 2; n < points.length; m = n, n += 2) {
      const [ax, ay, bx, by] = [points[n], points[n + 1], points[m], points[m + 1]];
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) is = !is;
    }
    return is;
  };

  canvas.onclick = at => {
    const [x, y] = spot(at);
    box.focus({ preventScroll: true });
    if (asks()) {
      const chosen = (open().places ?? []).findIndex(points => inside(points, x, y));
      if (chosen >= 0) answer(chosen);
      return;
    }
    reel.pause();
    const pose = view.hit(reel.beat, x, y);
    if (!pose) return;
    const found = events.findLastIndex(each => each.beat <= reel.beat && each.pieces.includes(pose.piece));
    if (found >= 0) reel.event = found;
    ringed = pose;
    const what = pose.label || film.pieces[pose.piece];
    say(found >= 0 ? `${what}: ${events[found].text} (beat ${events[found].beat}).` : `${what}: nothing has happened to it so far.`);
    reel.wake();
  };
  canvas.onmousemove = at => {
    const pose = reel.playing ? null : view.hit(reel.beat, ...spot(at));
    canvas.title = pose?.label ?? '';
    canvas.style.cursor = pose ? 'pointer' : '';
  };

  function onKey(pressed) {
    const { key, ctrlKey, metaKey, altKey } = pressed;
    const at = pressed.composedPath()[0];
    const isOwn = (key === ' ' || key === 'Enter') && /^(BUTTON|SUMMARY|SELECT)$/.test(at.tagName);
    if (ctrlKey || metaKey || altKey || isOwn || at.tagName === 'SELECT') return;
    if (/^(INPUT|TEXTAREA)$/.test(at.tagName) && at.type !== 'range') return;
    const number = Number(key) - 1;
    if (asks() && number >= 0 && number < open().answers.length) answer(number);
    else if (key === 'f') fullScreen();
    else if (!reel.key(key)) return;
    pressed.preventDefault();
    pressed.stopPropagation();
  }
  const listening = options.page ? document : box;
  listening.addEventListener('keydown', onKey);

  function fullScreen() {
    const done = document.fullscreenElement ? document.exitFullscreen() : box.requestFullscreen?.();
    done?.catch?.(() => say('This page does not allow full screen.'));
  }

  // Size and colours

  function paintPage() {
    tint(box, film.themes[theme], theme === 'dark');
    if (options.page || options.frame) document.body.style.background = film.themes[theme].panel;
    reel.wake();
  }

  function recolour() {
    const names = Object.keys(film.themes);
    theme = names[(names.indexOf(theme) + 1) % names.length];
    say(`Colours: ${theme}.`);
    paintPage();
  }

  function fit() {
    const [wide, tall] = film.size;
    const room = left.clientWidth;
    const isFull = root.fullscreenElement === box;
    let width = Math.min(room, wide * (isFull ? 4 : 1.6));
    if (isFull || options.page) {
      const used = box.firstChild.offsetHeight + bar.element.offsetHeight + words.offsetHeight + 64;
      const least = room < 560 ? 0 : 220;
      width = Math.min(width, (Math.max(innerHeight - used, least || room) * wide) / tall);
    }
    width = Math.max(Math.floor(width), 1);
    if (canvas.style.width !== `${width}px`) {
      canvas.style.width = `${width}px`;
      view.resize(width);
      view.draw(reel.beat, reel.t, theme, marks);
    }
    const high = isFull || options.page ? innerHeight - side.offsetTop - 16 : left.offsetHeight;
    side.style.setProperty('--high', `${Math.max(high, 460)}px`);
  }
  /** Lay out for paper: nothing scrolls, and a frame is as high as its content. */
  function print({ type }) {
    const isPaper = type === 'beforeprint';
    host.classList.toggle('paper', isPaper);
    const frame = options.frame && window.frameElement;
    if (!frame) return;
    frame.style.width = isPaper ? `${COLUMN}px` : '100%';
    const behind = frame.previousElementSibling;
    if (behind) behind.style.visibility = isPaper ? 'hidden' : '';
    fit();
    frame.style.height = `${document.documentElement.offsetHeight}px`;
  }
  const [PRINTS, watching] = [['beforeprint', 'afterprint'], new ResizeObserver(() => fit())];
  for (const kind of PRINTS) addEventListener(kind, print);
  watching.observe(host);
  watching.observe(box);
  addEventListener('resize', fit);
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  const onScheme = () => { theme = options.theme ?? themeAround(element); paintPage(); };
  scheme.addEventListener('change', onScheme);

  theme = film.themes[theme] ? theme : themeAround(element);
  paintPage();
  fit();
  reel.show(options.beat ?? 0);

  return {
    show: to => reel.jump(to, false), start: reel.start, pause: reel.pause, tell: reel.tellEvent,
    get beat() { return reel.beat; },
    get playing() { return reel.playing; },
    close() {
      reel.pause();
      reel.close();
      watching.disconnect();
      removeEventListener('resize', fit);
      for (const kind of PRINTS) removeEventListener(kind, print);
      scheme.removeEventListener('change', onScheme);
      listening.removeEventListener('keydown', onKey);
      host.remove();
    },
  };
}

/** Render for anywidget: a model with `film`, `beat` and `playing`. */
function render({ model, el }) {
  let player = null;
  const tell = (name, value) => { model.set(name, value); model.save_changes(); };
  function load() {
    player?.close();
    const options = { theme: model.get('theme') || undefined, beat: model.get('beat') || 0 };
    player = play(el, model.get('film'), {
      ...options, onBeat: beat => tell('beat', beat), onPlaying: playing => tell('playing', playing),
    });
  }
  const follow = () => { if (model.get('beat') !== player.beat) player.show(model.get('beat')); };
  const run = () => { if (model.get('playing') !== player.playing) player[model.get('playing') ? 'start' : 'pause'](); };
  load();
  model.on('change:film', load);
  model.on('change:beat', follow);
  model.on('change:playing', run);
  return () => {
    model.off('change:film', load);
    model.off('change:beat', follow);
    model.off('change:playing', run);
    player.close();
  };
}

export default { render };
