/* Plays a film of crashlab, the document made by `turn.film()`, on a canvas, without library, network or kernel.

   play(element, film, options)   in your own page; film.schema.json describes `film`
   export default { render }      an Anywidget Front-End Module with a model of `film`, `beat` and `playing`

   Options: theme ("light", "dark", "projector"), page (fill the window), frame (or a frame), beat (the first),
   onBeat(beat), onPlaying(playing). */

import { clock } from './clock.js';
import { controls } from './controls.js';
import { PARTS, make, press, themeAround, tint } from './elements.js';
import { eventList, reasonChain } from './events.js';
import { unpacker } from './motion.js';
import { FONT } from './painter.js';
import { printedText, sourceCode, variableTable } from './program.js';
import { screen } from './screen.js';

const WIDE = 820; // least width in pixels with the events beside the picture
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

export function play(element, original, options = {}) {
  if (original?.format !== 'crashlab film' || original.version !== 1) {
    throw new Error('this is not a crashlab film, version 1');
  }
  const beats = original.beats.map(beat => ({ ...beat }));
  const film = { ...original, beats, frames: beats.map(unpacker()), last: beats.length - 1 };
  for (const gone of [false, true]) // removals last: they have no reason
    film.events.forEach(({ kind, beat }, n) => { if ((kind === 'gone') === gone) film.beats[beat].first ??= n; });
  const { last, events, stops } = film;
  const questions = film.questions ?? [];
  const hasLines = film.beats.some(({ line }) => line);
  const answers = []; // to the questions
  const still = matchMedia('(prefers-reduced-motion: reduce)');
  let [ringed, theme, reported] = [null, options.theme, { beat: 0, playing: false }];

  // The limit of playing: the next question

  const open = () => questions[answers.length];
  const until = () => Math.min(open()?.at ?? last, last);
  const asks = () => open() && reel.beat === open().at;


  const host = make('div', { className: options.page ? 'page' : '' });
  const root = host.attachShadow({ mode: 'open' });
  const canvas = make('canvas', { role: 'img' });
  const words = make('div', { className: 'words', role: 'status', 'aria-live': 'polite' });
  const view = screen(film, film.frames, canvas, () => reel.wake());
  const say = text => { words.textContent = text; };
  const reel = clock(film, {
    say, until, asks, heard,
    hint: 'Pick an event, or click on something on the board.',
    isStill: () => still.matches,
    bring() {},
    paint: () => view.draw(reel.beat, reel.t, theme, marks),
  });
  const parts = hasLines
    ? [sourceCode(reel), printedText(reel), variableTable(reel, 'Variables')]
    : [variableTable(reel, 'So far')];
  if (!film.beats.some(({ values }) => values)) parts.pop();
  const quiz = make('section', { className: 'quiz', 'aria-label': 'Questions' });
  const all = make('details', { open: !hasLines }, make('summary', {}, 'Events'));
  const help = make('details', { className: 'help' }, make('summary', {}, 'Keys'));
  for (const [keys, does] of [
    ['→ ←', 'a beat'],
    ['Home End', 'to the ends'],
    ['Space', 'play and pause'],
    ...(stops.length ? [['c C', `the next or the previous ${film.stop}`]] : []),
    ...(film.calls ? [['o', 'over a call']] : []),
    ['+ −', 'the speed'],
    ['f', 'full screen'],
  ]) {
    help.append(make('div', {}, make('kbd', {}, keys), ` ${does}`));
  }
  const left = make('div', { className: 'left' }, make('div', { className: 'stage' }, canvas));
  const side = make('div', { className: 'side' }, quiz);
  const look = hasLines ? 'film coded' : 'film';
  const box = make('div', { className: look, tabIndex: 0, role: 'group', 'aria-label': `Film: ${film.title}` });
  box.append(make('h2', {}, film.title), left, side);
  const colours = press('Other colours', 'colours', () => recolour(), 'far');
  const bar = controls(reel, colours, press('Full screen (f)', 'full', () => fullScreen()));
  reel.put(left, bar);
  left.append(words);
  reel.put(side, ...parts, reasonChain(reel));
  reel.put(all, eventList(reel));
  side.append(all, help);
  for (const part of [box, host]) part.dataset.lmSuppressShortcuts = 'true'; // keep keys from JupyterLab
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
    if (reported.beat !== beat) options.onBeat?.(beat);
    if (reported.playing !== playing) options.onPlaying?.(playing);
    reported = { beat, playing };
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
      const isDecided = reel.beat >= decided;
      const isRight = choice === right;
      const verdict = !isDecided ? `You say: ${all[choice]}.`
        : isRight ? `✓ Right: ${all[right]}.` : `✗ No: ${all[right]}, not ${all[choice]}.`;
      const reason = isDecided ? why : '';
      const look = `verdict ${isDecided ? (isRight ? 'right' : 'wrong') : ''}`;
      const result = [make('br'), make('strong', {}, verdict), reason];
      parts.push(make('div', { className: look }, `${n + 1}. ${text} `, ...result));
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
    if (reel.beat !== last) return;
    for (const { places, right } of questions) {
      if (places?.length) outline(places[right], colours.flash, 4);
    }
  }

  // User input

  const spot = at => {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    return [((at.clientX - left) / width) * film.size[0], ((at.clientY - top) / height) * film.size[1]];
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
    const latest = events.findLastIndex(({ beat, pieces }) => beat <= reel.beat && pieces.includes(pose.piece));
    if (latest >= 0) reel.event = latest;
    ringed = pose;
    const what = pose.label || film.pieces[pose.piece];
    say(latest >= 0
      ? `${what}: ${events[latest].text} (beat ${events[latest].beat}).`
      : `${what}: nothing has happened to it so far.`);
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
  const run = () => {
    if (model.get('playing') !== player.playing) player[model.get('playing') ? 'start' : 'pause']();
  };
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
