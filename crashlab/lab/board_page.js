/* The page's side of a panel: it paints the board, plays its film and reports on both, with the painter and the
   player of saved films (crashlab/drawing/film_player). `page_module.py` serves both, and the files of panel_page.

   The kernel sends changes of the picture, a few beats of a film at a time, and the beat to show. Its side is
   `BoardPage` in playback.py. The page steps from beat to beat by itself and only reports the shown beat. */

import { clock } from './clock.js';
import { controls } from './controls.js';
import { PARTS, make, themeAround } from './elements.js';
import { eventList, reasonChain } from './events.js';
import { back, holds, onTheWay, ruled, through } from './lens.js';
import { between, unpacker } from './motion.js';
import { painter } from './painter.js';
import { apart, meantTarget, nearest } from './pointing.js';
import { printedText, sourceCode, variableTable } from './program.js';
import { page } from './start.js';

const [GROUND, PIECES] = [0, 1]; // layers of a board
const ASK = 20; // milliseconds before more of a film is requested
const AHEAD = 1500; // beats fetched in advance
const SELDOM = 3000; // least time in milliseconds between reports of a playing film, unless the map moves
const REST = 250; // milliseconds without a change before the size is reported
const [NODE, FAINT] = [13, 0.35]; // reach of a tree's node in pixels; alpha of the others
const CALL = /^call (\d+)$/; // key of a tree's node
const boardOf = mark => (page.boards[mark] ??= { waiting: [] }); // the board with this mark
let isTouched = false; // whether the last pointer on a board was a finger
// The parts have the colours and the font of the notebook.
const LOOK = `${PARTS}
:host { display: flex; flex-flow: column; container-type: inline-size; color: var(--ink);
  font: var(--crashlab-film, var(--jp-ui-font-size1, 13px))/1.4 var(--jp-ui-font-family, system-ui, sans-serif);
  --ink: var(--jp-ui-font-color1, CanvasText); --muted: var(--jp-ui-font-color2, GrayText); --panel: var(--jp-layout-color1, Canvas);
  --line: var(--jp-border-color1, #b0b0b0); --raised: var(--jp-layout-color2, rgb(128 128 128 / 15%)); --flash: #ffd21f;
  --focus: var(--jp-brand-color1, #0359cc); --crash: #d55e00; --small: var(--crashlab-small, 13px); }
.bar { gap: 3px; padding: 1px 0 3px; }
.bar button, .bar select { min-height: 2.2em; border-radius: 4px; }
.bar button { flex: 1 1 26px; min-width: 26px; max-width: 4em; padding: 0 2px; }
.bar .play { min-width: 40px; }
.bar svg { width: 1.2em; height: 1.2em; }
.bar .far { display: var(--crashlab-track, inline-block) !important; }
.track { flex: 1 1 80px; display: var(--crashlab-track, grid); }
.count { display: var(--crashlab-track, inline); }
.story { display: flex; flex-flow: column nowrap; gap: 4px 14px; height: 100%; }
.story > ol { flex: 1 1 0; min-height: 7em; max-height: none; display: var(--crashlab-list, block); }
.story > .why { flex: 1 1 0; min-height: 7em; max-height: none; }
li > button, .name, .chain button, blockquote, table { font-size: inherit; }
h3, summary { font-size: var(--small); }
:is(.source, .values), :is(.source, .values) > section { display: flex; flex-flow: column; flex: 0 1 auto; min-height: 0; }
:is(.source, .values) h3, pre { flex: none; }
.code { min-height: 0; max-height: none; }
.why { max-height: 100%; }
.values .rows { overflow-y: auto; flex: 0 1 auto; height: var(--crashlab-rows, auto); }
.values td > span { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; }
.values table { font-size: var(--small); }
.values pre { height: 4.5em; }
.counts > section { display: var(--crashlab-counts, block); }
.counts table { display: var(--crashlab-counts, table); }
.counts > section, .counts table { flex-flow: row wrap; align-items: baseline; gap: 0 1em; }
@container (min-width: 43em) {
  .story { flex-flow: row nowrap; }
  .story > * { max-height: 20em; }
}`;

/** Start the page's side of a board; the models of its parts need no start. */
export const initialize = ({ model }) => (model.get('canvas') ? begin(model) : null);

function begin(model) {
  /** Return the model that a trait names, as soon as the page has it; null if the panel was closed. */
  async function modelOf(name) {
    const look = () => model.widget_manager.get_model(model.get(name).slice('IPY_MODEL_'.length));
    for (let tries = 0; tries < 50; tries++) {
      const it = await Promise.resolve().then(look).catch(() => null);
      if (it) return it;
      await new Promise(later => setTimeout(later, 100));
    }
    return null;
  }
  let [board, layers] = [null, []];
  const reduced = matchMedia('(prefers-reduced-motion: reduce)');
  const mark = model.get('mark');
  const isOurs = event => event.target.closest?.(`.${mark}`);
  const seenBoards = () => document.querySelectorAll(`.${mark}`); // the canvas in each of its views
  const film = {
    shapes: [], drawings: [], pieces: [], beats: [], frames: [], events: [], stops: [],
    rules: {}, last: 0, milliseconds: {},
  };
  let [paint, next, number] = [painter(film), unpacker(), 0];
  let [picture, turnTo] = [null, unpacker()]; // the picture without a film, and its decoder
  let [colours, lens, old] = [{}, null, null]; // `old`: the lens at the start of a zoom
  // `obeys`: whether the kernel has commanded the current change
  let [shows, calm, asked, obeys, run, painted, zoomed] = [false, false, false, false, 0, [], 0];
  let [status, position, toldBeat] = [{ words: '' }, {}, { at: 0, playing: false }];
  // `view`: the current lens
  let [targets, kept, near, pointed, view, mouse] = [[], 0, [], null, null, null];
  const [lines, details] = [new Set(), new Set()]; // status lines and texts of the position

  const isStill = () => calm || reduced.matches;
  const hint = 'Step through it, or pick an event, to see what happens and why.';
  const isFar = () => Boolean(document.querySelector(`.crashlab-screen .${mark}`));
  const reel = clock(film, { isStill, isFar, heard, bring, hint, paint: draw, say: words => say({ words }) });
  const wake = () => board && reel.wake();
  /** Paint all layers again: a canvas has another size, or the browser has lost its content. */
  const paintAgain = () => {
    painted = [];
    wake();
  };

  // Painting

  /** Return the current lens, also during a zoom. */
  function seenAt(now) {
    const way = old && Math.min((now - zoomed) / model.get('zoom'), 1);
    if (old && way < 1 && !isStill()) return onTheWay(old, lens, way);
    old = null;
    return lens;
  }

  function ready(layer) {
    const { ctx, canvas } = layer;
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.globalAlpha = 1;
    ctx.clearRect(0, 0, canvas.width, canvas.height);
    const zoom = canvas.width / model.get('width');
    ctx.setTransform(zoom, 0, 0, zoom, 0, 0);
    [ctx.lineCap, ctx.lineJoin, ctx.textBaseline] = ['round', 'round', 'alphabetic'];
    return ctx;
  }

  /** Paint the shapes of a drawing of the whole picture at their places. */
  function layer(ctx, number, alpha, view) {
    const shapes = film.drawings[number].map(n => [n, film.shapes[n]]);
    const spot = it => it.circle ?? it.at ?? it.line ?? it.polygon;
    const on = ([, it]) => view && holds(view, spot(it)[0], spot(it)[1]);
    for (const [n, it] of shapes.filter(one => !on(one))) {
      const shift = view && it.text !== undefined ? ruled(view, ...it.at) : [0, 0];
      if (!shift) continue;
      ctx.save();
      ctx.translate(...shift);
      paint.shape(ctx, n, colours, alpha, 0);
      ctx.restore();
    }
    if (!view) return;
    through(ctx, view, words => {
      shapes.filter(on).forEach(([n]) => paint.shape(ctx, n, colours, alpha, 0, words));
    });
  }

  /** Paint the current picture; return whether the lens still moves. */
  function draw(now) {
    const frame = shows ? film.frames[reel.beat] : picture;
    if (!frame || !board) return false;
    view = seenAt(now);
    const frameLens = frame.lens; // a film has a lens for its own map
    const differs = side => frameLens[side] !== view[side];
    if (frameLens && (!view || ['left', 'right', 'top', 'bottom'].some(differs))) view = frameLens;
    if (!frameLens) view = null;
    if (view && view.zoom <= 1) view = null;
    const ground = [frame.board, colours, layers[GROUND].canvas.width, view && JSON.stringify(view), paint];
    if (ground.some((value, n) => value !== painted[n])) {
      layer(ready(layers[GROUND]), frame.board, 1, view);
      painted = ground;
    }
    const ctx = ready(layers[PIECES]);
    const poses = shows ? between(film.frames[reel.beat - 1], frame, reel.t) : frame.pieces;
    const whole = pose => ['ways', 'top'].includes(film.pieces[pose.piece]);
    const on = pose => view && holds(view, pose.x, pose.y);
    const put = (some, words) => some.forEach(pose => paint.drawing(ctx, pose, colours, words));
    const spread = name => poses
      .filter(({ piece }) => film.pieces[piece] === name)
      .forEach(({ drawing, alpha }) => layer(ctx, drawing, alpha, view));
    spread('ways');
    put(poses.filter(pose => !whole(pose) && !on(pose)));
    if (view) through(ctx, view, words => put(poses.filter(pose => !whole(pose) && on(pose)), words));
    if (!shows && targets.includes(pointed)) showPointed(ctx);
    else spread('top');
    board.updateCanvas();
    return Boolean(old);
  }

  let late = 0; // timer of an unreported beat
  const isElsewhere = beat => JSON.stringify(film.frames[beat].lens) !== JSON.stringify(film.frames[beat - 1]?.lens);

  // Reports of the player

  /** Report a change of the beat or of playing to the kernel, unless it was its own command. */
  function heard() {
    const { beat, playing } = reel;
    shows = true;
    say({ words: film.beats[beat].words });
    read();
    ask();
    const now = performance.now();
    const isNews = !playing || playing !== toldBeat.playing || isElsewhere(beat) || now - toldBeat.at >= SELDOM;
    if (obeys) toldBeat = { at: now, playing };
    else if (isNews) report();
    else late ||= setTimeout(tellLate, SELDOM - (now - toldBeat.at));
  }

  function tellLate() {
    late = 0;
    if (reel.playing) report();
  }

  function report() {
    clearTimeout(late);
    late = 0;
    const { beat, playing } = reel;
    toldBeat = { at: performance.now(), playing };
    model.send({ at: beat, playing, run });
  }

  /** Return the first missing beat of a range, or null. */
  function missing(from, to) {
    for (let at = from; at <= to; at++) if (!film.frames[at]) return at;
    return null;
  }

  function ask() {
    const { beat } = reel;
    const at = missing(beat, Math.min(beat + AHEAD, film.last)) ?? missing(Math.max(beat - AHEAD, 0), beat);
    if (at !== null && film.last) setTimeout(() => film.frames[at] || bring(at), ASK);
  }

  function bring(beat) {
    if (!asked) model.send({ want: beat, film: number });
    asked = true;
  }

  // Messages of the kernel

  /** Set the lens; `before` is the lens at the start of a zoom. */
  function lookThrough(it) {
    [lens, calm, colours] = [it.lens, it.still ?? calm, it.colours ?? colours];
    if (it.before) [old, zoomed] = [it.before, performance.now()];
  }

  function learn(it) {
    for (const name of ['shapes', 'drawings', 'pieces']) film[name].push(...it[name]);
  }

  function obey(react) {
    obeys = true;
    react();
    obeys = false;
  }

  const hear = {
    scene(it) {
      learn(it);
      lookThrough(it);
      picture = { ...turnTo(it.beat), lens: it.lens };
      const wordsOf = some => some.map(({ words }) => words).join();
      const isSame = !targets.length || wordsOf(targets) === wordsOf(it.targets);
      [shows, targets, kept, near] = [false, it.targets, it.kept, it.near];
      if (typeof pointed !== 'number') pointed = isSame ? meant() : null; // new text first
      tellStatus(status);
      reel.halt(it.at ?? 0);
      ask();
      read();
      wake();
    },
    say,
    below({ words }) {
      if (!status.words.includes(words)) say({ ...status, words: `${status.words}\n${words}`.trim() });
    },
    film(it) {
      if (shows && film.frames[reel.beat]) picture = film.frames[reel.beat]; // kept until something else is shown
      if (it.afresh) {
        Object.assign(film, { shapes: [], drawings: [], pieces: [] });
        [targets, pointed] = [[], null];
        [paint, painted, picture, turnTo] = [painter(film), [], null, unpacker()];
      }
      Object.assign(film, it.head, { beats: [{ words: '' }], frames: [], events: [] });
      [number, next, shows, old, asked] = [it.film, null, false, null, false];
      reel.begin();
    },
    beats(it) {
      asked = false;
      learn(it);
      if (it.whole) next = unpacker();
      it.beats.forEach((some, n) => {
        const at = it.from + n;
        film.beats[at] = some;
        film.frames[at] = { ...next(some), lens: some.lens ?? (some.lens === null ? null : film.frames[at - 1]?.lens) };
      });
      for (const [n, event] of it.events) film.events[n] = event;
      reel.came();
      ask();
    },
    look(it) {
      lookThrough(it);
      wake();
    },
    show(it) {
      lookThrough(it);
      obey(() => reel.show(it.beat, it.glides, it.event));
    },
    play(it) {
      lookThrough(it);
      obey(() => reel.show(it.beat));
      reel.start();
    },
    pace(it) {
      film.milliseconds = it.milliseconds;
      reel.pace();
    },
    until(it) {
      [film.last, film.stops, asked] = [it.last, it.stops, false]; // beats behind the former end are not sent
      reel.refresh();
      ask();
    },
    why(it) {
      for (const [n, event] of it.events) film.events[n] = event;
      reel.event = it.event;
    },
    stop() { reel.pause(); },
    position(it) {
      position = { ...position, ...it };
      for (const tell of details) tell();
      if (it.left === undefined) return;
      boardOf(mark).left = it.left;
      seenBoards().forEach(canvas => canvas.dispatchEvent(new CustomEvent('crashlab-left', { bubbles: true })));
    },
  };
  let before = Promise.resolve(); // resolved when all messages so far are handled
  let isMet = false; // false while all messages were for an earlier page
  const unpacked = packed => {
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
    return new Response(stream).json();
  };
  const take = it => {
    isMet ||= Boolean(it.afresh);
    if (!isMet) return;
    run = it.run ?? run;
    hear[it.do](it);
  };
  model.on('msg:custom', (said, [packed] = []) => {
    const coming = packed ? unpacked(packed) : said;
    before = before.then(() => coming).then(all => (all.each ?? [all]).forEach(take)).catch(console.error);
  });

  // Parts

  /** Put a text into the status line. */
  function say(it) {
    status = it;
    tellStatus(it);
  }

  function tellStatus(said) {
    const it = pointed?.words && !said.kind ? { words: pointed.words } : said;
    for (const line of lines) {
      const size = `font-size: ${model.get('letters')}px; line-height: 1.35; min-height: 2.7em`;
      const style = `${size}; white-space: pre-wrap; ${it.look ?? ''}`;
      const look = { role: 'status', 'aria-live': 'polite', className: it.kind ?? '', style };
      line.replaceChildren(make('div', look, it.words));
    }
    seenBoards().forEach(canvas => label(canvas, it));
  }

  /** Give a board its status line as a label for screen readers. */
  function label(canvas, it = status) {
    canvas.setAttribute('role', canvas.matches('.crashlab-keys') ? 'application' : 'img');
    canvas.setAttribute('aria-label', it.words);
  }

  // Size and theme

  let [lastSight, timer] = ['{}', 0];
  // boards are hidden until the next frame
  const themed = new MutationObserver(() => requestAnimationFrame(
    () => seenBoards().forEach(canvas => tellSight(canvas)),
  ));
  themed.observe(document.body, { attributes: true, attributeFilter: ['data-jp-theme-light'] });

  /** Report a board's theme to the kernel immediately, its size when it is stable. */
  function tellSight(canvas, at = {}) {
    const tell = () => {
      const { width } = canvas.getBoundingClientRect();
      const [pixels, touched] = [Math.round(width * devicePixelRatio), isTouched ? Math.round(width) : 0];
      const sight = { theme: themeAround(canvas), pixels, touched };
      if (!pixels || lastSight === JSON.stringify(sight)) return;
      lastSight = JSON.stringify(sight);
      model.send({ sight });
    };
    clearTimeout(timer);
    if (at.now || JSON.parse(lastSight).theme !== themeAround(canvas)) tell();
    else timer = setTimeout(tell, REST);
  }

  /** Watch a new canvas of the board. After a touch the kernel asks which of several near targets is meant. */
  function meet(canvas) {
    label(canvas);
    canvas.addEventListener('pointermove', event => {
      if (event.pointerType === 'touch' || event.buttons) return;
      mouse = { canvas, event };
      pointAt(meant());
    });
    canvas.addEventListener('pointerleave', () => {
      mouse = null;
      pointAt(null);
    });
    canvas.addEventListener('pointerdown', event => {
      isTouched = event.pointerType === 'touch';
      tellSight(canvas, { now: true }); // before the click
    }, { capture: true });
  }

  // Hovering over a target of a picture or a call in a tree

  /** Return the point of the picture, or of its map, below the mouse. */
  function spot({ canvas, event: { clientX, clientY } }) {
    const box = canvas.getBoundingClientRect();
    const [x, y] = [clientX - box.left, clientY - box.top].map(value => (value * model.get('width')) / box.width);
    return back(view, x, y);
  }

  /** Return the hovered target, by the kernel's rules for a click (crashlab/lab/hit_test.py). */
  function meant() {
    if (reel.playing || !mouse) return null;
    const at = spot(mouse);
    const poses = (shows ? film.frames[reel.beat] : picture)?.pieces ?? [];
    const calls = poses.filter(({ piece }) => CALL.test(film.pieces[piece]));
    const call = nearest(calls, pose => apart([pose.x, pose.y], at));
    if (call && apart([call.x, call.y], at) <= Math.max(NODE, wide(call))) {
      return Number(film.pieces[call.piece].match(CALL)[1]);
    }
    if (shows) return null;
    return meantTarget(targets, at, near);
  }

  /** Return the half-width of a node. */
  const wide = ({ drawing }) => {
    const { polygon, circle } = film.shapes[film.drawings[drawing][0]];
    return polygon ? Math.max(...polygon.filter((_, n) => n % 2 === 0)) : circle[2];
  };

  /** Paint the hovered target with its consequences, and the others faint. */
  function showPointed(ctx) {
    layer(ctx, kept, 1, view);
    targets.forEach(target => target !== pointed && layer(ctx, target.drawing, FAINT, view));
    const [x, y] = pointed.at;
    const pose = { drawing: pointed.over, x, y, angle: 0, scale: 1, alpha: 1 };
    const put = words => paint.drawing(ctx, pose, colours, words);
    if (view && holds(view, x, y)) through(ctx, view, put);
    else put();
  }

  /** Show and describe the hovered target; calls are sent to the kernel. */
  function pointAt(what) {
    if (what === pointed) return;
    const was = pointed;
    pointed = what;
    for (const canvas of seenBoards()) canvas.style.cursor = what === null ? '' : 'pointer';
    if (typeof (what ?? was) === 'number') model.send({ call: what });
    else {
      tellStatus(status);
      wake();
    }
  }

  /** Request the position in words again if it is open. */
  function read() {
    if (details.size && [...details].some(tell => tell.isOpen())) model.send({ position: true });
  }

  /** Return the part with the position in words, which the kernel sends on request. */
  function inWords() {
    const text = make('div');
    const element = make('details', { style: 'line-height: 1.4', ontoggle: read }, make('summary'), text);
    const tell = () => {
      element.firstChild.textContent = `The ${position.of ?? 'picture'} in words`;
      text.textContent = position.words ?? '';
    };
    tell.isOpen = () => element.open;
    details.add(tell);
    return { element, tell };
  }

  const PLACES = {
    bar: () => [controls(reel)],
    story: () => [eventList(reel), reasonChain(reel)],
    why: () => [reasonChain(reel)],
    source: () => [sourceCode(reel)],
    values: () => [variableTable(reel, 'Variables'), printedText(reel)],
    counts: () => [variableTable(reel, 'So far')],
  };

  boardOf(mark).place = place;
  boardOf(mark).isWhole = () => missing(0, film.last) === null;
  boardOf(mark).waiting.forEach(put => put());
  function place(part, el, partModel) {
    if (part === 'below') return below(el);
    if (part === 'choices') return choices(el, partModel);
    if (part === 'position') {
      const { element, tell } = inWords();
      tell();
      el.append(element);
      return () => details.delete(tell);
    }
    const host = make('div', { style: 'height: 100%; min-height: 0' });
    host.dataset.lmSuppressShortcuts = 'true';
    const root = host.attachShadow({ mode: 'open' });
    const inner = make('div', { className: part });
    root.append(make('style', {}, LOOK), inner);
    host.onkeydown = onPartKey;
    el.append(host);
    const away = reel.put(inner, ...PLACES[part]());
    const sizes = new ResizeObserver(() => reel.refresh()); // keeps the lit line in view
    sizes.observe(host);
    return () => {
      sizes.disconnect();
      away();
    };
  }

  // User input

  /** Pass keys on a film's parts to the film, except those that the control needs. */
  function onPartKey(event) {
    const at = event.composedPath()[0];
    const isOwn = at.tagName === 'SELECT' || (['Enter', ' '].includes(event.key) && at.matches('button, summary'));
    if (isOwn || event.ctrlKey || event.metaKey || event.altKey || !reel.key(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Pass a board's keys to its film if the film uses them; Tab and Escape leave the board, unseen by ipycanvas. */
  function onKey(event) {
    const { key } = event;
    if (!isOurs(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (key === 'Tab' || key === 'Escape') {
      event.stopPropagation();
      if (key === 'Escape') event.target.blur();
      return;
    }
    const speeds = '+=-−'.includes(key);
    const isTaken = speeds ? reel.playing || (!lens && takes(key)) : takes(key);
    const isOnward = (model.get('board_keys') && [' ', 'Enter'].includes(key)) || (isFar() && key === 'ArrowRight');
    const leads = reel.playing && isOnward;
    if (!film.last || !(isTaken || leads) || !reel.key(key === 'Enter' ? ' ' : key)) return;
    event.preventDefault();
    event.stopPropagation();
  }
  const takes = key => model.get('film_keys').includes(/^[1-9]$/.test(key) ? '1' : key);
  document.addEventListener('keydown', onKey, { capture: true });

  /** Paint again what the browser has lost on the page, also where nobody has scrolled to yet. */
  const onRestored = event => isOurs(event) && paintAgain();
  document.addEventListener('contextrestored', onRestored, { capture: true });

  const thisModel = modelOf('this_model');
  Promise.all([modelOf('canvas'), thisModel]).then(async ([canvas, me]) => {
    if (!canvas || !me) return;
    layers = await Promise.all(canvas.get('_canvases'));
    board = canvas;
    for (const surface of [board, ...layers]) {
      surface.on('change:width change:height', paintAgain);
      surface.canvas.addEventListener('contextrestored', paintAgain);
    }
    const first = model.get('first')?.byteLength ? await unpacked(model.get('first')) : null;
    if (first && !isMet) {
      isMet = true;
      hear.scene(first);
      say(first);
    }
    listen(me);
    model.send({ ready: true, first: first?.first });
  });
  return () => {
    reel.close();
    document.removeEventListener('keydown', onKey, { capture: true });
    document.removeEventListener('contextrestored', onRestored, { capture: true });
    themed.disconnect();
    page.boards[mark] = { left: boardOf(mark).left, waiting: [] }; // the saved state outlives the kernel
  };

  /** Build a list of choices: a click or Enter takes one, the mouse shows it on the board, arrows select. */
  function choices(el, partModel) {
    const list = make('ul', { className: 'crashlab-choices', 'aria-label': partModel.get('words') });
    const lines = () => [...list.querySelectorAll('button')];
    const show = n => !shows && !reel.playing && pointAt(targets[n] ?? null);
    let marked = null;
    const mark = () => {
      const index = partModel.get('index');
      if (marked) marked.tabIndex = -1;
      marked?.removeAttribute('aria-current');
      marked = list.children[index ?? 0]?.firstChild ?? null;
      if (marked) marked.tabIndex = 0;
      if (!marked || index === null) return;
      marked.setAttribute('aria-current', 'true');
      marked.scrollIntoView({ block: 'nearest' });
    };
    const line = text => {
      const button = make('button', { type: 'button', tabIndex: -1 }, text);
      const number = () => lines().indexOf(button);
      button.onclick = event => event.detail < 2 && partModel.send({ take: number(), text }); // ignore double clicks
      button.onpointerenter = () => show(number());
      button.onpointerleave = () => show(-1);
      return make('li', {}, button);
    };
    const fill = () => {
      const had = list.contains(document.activeElement);
      const texts = partModel.get('options') ?? []; // after the kernel's end a list has none
      const kept = new Set(texts);
      [...list.children].filter(item => !kept.has(item.textContent)).forEach(item => item.remove());
      texts.forEach((text, n) => {
        const old = list.children[n];
        if (old?.textContent !== text) list.insertBefore(line(text), old ?? null);
      });
      while (list.children.length > texts.length) list.lastChild.remove();
      list.scrollTop = 0;
      mark();
      if (had) lines()[0]?.focus({ preventScroll: true });
    };
    list.dataset.lmSuppressShortcuts = 'true';
    list.onkeydown = event => {
      const all = lines();
      const step = { ArrowDown: 1, ArrowUp: -1, Home: -all.length, End: all.length }[event.key];
      if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
      const next = Math.min(Math.max(all.indexOf(document.activeElement) + step, 0), all.length - 1);
      all[next].focus();
      partModel.set('index', next);
      partModel.save_changes();
      event.preventDefault();
      event.stopPropagation();
    };
    el.append(list);
    fill();
    partModel.on('change:options', fill);
    partModel.on('change:index', mark);
    return () => {
      partModel.off('change:options', fill);
      partModel.off('change:index', mark);
    };
  }

  /** Build the row below the board: the status line, and the buttons of a map and of the full screen. */
  function below(el) {
    const style = 'flex: 1 1 200px; min-width: 0; margin: 6px 0 0';
    const line = make('div', { className: 'crashlab-status crashlab-far', style });
    const tools = make('div', { className: 'crashlab-tools', style: 'display: flex; flex: 0 0 auto' });
    const tool = (title, icon, react, look = '') => {
      const className = `jupyter-button ${look}`;
      const button = make('button', { type: 'button', title, 'aria-label': title, style: 'width: auto', className });
      button.append(make('i', { className: `fa fa-${icon}`, 'aria-hidden': 'true' }));
      button.onclick = react;
      tools.append(button);
      return button;
    };
    const near = way => () => model.send({ near: way });
    if (model.get('has_map')) {
      tool('Farther', 'search-minus', near('farther'));
      tool('Nearer', 'search-plus', near('nearer'));
      tool('Follow the game', 'crosshairs', near('follow'));
    }
    tool('Full screen (f)', 'expand', null, 'crashlab-full');
    el.append(line, tools);
    lines.add(line);
    say(status);
    let canvas = null; // the board above, once it is on the page
    const sizes = new ResizeObserver(() => {
      const current = el.parentElement?.querySelector(`.${mark}`);
      if (current && current !== canvas) {
        canvas = current;
        sizes.observe(canvas);
        meet(canvas);
      }
      if (canvas) tellSight(canvas);
      wake(); // a canvas that was off the page may have lost its content
    });
    sizes.observe(el);
    return () => {
      lines.delete(line);
      sizes.disconnect();
    };
  }
}

/** Receive messages like other widgets, even if anywidget does not forward them after a late start. */
function listen(model) {
  const above = object => Object.getPrototypeOf(object);
  let kind = above(model);
  while (above(kind)?._handle_comm_msg) kind = above(kind);
  model.comm?.on_msg?.(message => kind._handle_comm_msg.call(model, message));
}

/** Put a part of a board on the page once the board has begun. */
export function render({ model, el }) {
  let away = null;
  const board = boardOf(model.get('mark'));
  const put = () => { away = board.place(model.get('part') ?? 'below', el, model); };
  if (board.place) put();
  else board.waiting.push(put);
  return () => away?.();
}
