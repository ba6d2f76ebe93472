/* Plays films on the canvas of a board in the lab. It stands behind the film and the painter of crashlab/drawing/player.js.

   The kernel sends what the beats change, a few at a time, and which one to show; `FilmPlayer` in playback.py is its end of
   the line. What is seen between two beats, while it plays and while the slider is dragged, the kernel never hears of. */

const [GROUND, MARKS, PIECES, TOP] = [0, 1, 2, 3]; // the layers of a board
const ASK = 20; // milliseconds after which more of a film is asked for
const AHEAD = 1500; // beats of it that are fetched before they are played

async function initialize({ model }) {
  const found = name => model.widget_manager.get_model(model.get(name).slice('IPY_MODEL_'.length));
  const [board, slider] = await Promise.all([found('canvas'), found('slider')]);
  const reduced = matchMedia('(prefers-reduced-motion: reduce)');
  const mark = `.${model.get('mark')}`;
  const film = { shapes: [], drawings: [], pieces: [] };
  let [paint, next, frames] = [painter(film), null, []];
  let [colours, lens, old] = [{}, null, null]; // `old`: the lens from which the map comes nearer
  let [beat, last, t, each, run] = [0, 0, 1, 450, 0];
  let [shows, playing, tells, calm, painted] = [false, false, false, false, []];
  let [timer, began, from, zoomed] = [0, 0, 0, 0];
  let [more, wanted] = [null, null]; // the film of which there is more, and the beat to which the slider went before it came

  const still = () => calm || reduced.matches;

  // Painting

  /** A lens as it is on its way from another one. */
  function seenAt(now) {
    const way = old && Math.min((now - zoomed) / model.get('zoom'), 1);
    if (!old || way >= 1 || still()) return (old = null), lens;
    const eased = way * way * (3 - 2 * way);
    const zoom = old.zoom * (lens.zoom / old.zoom) ** eased;
    const share = old.zoom === lens.zoom ? eased : (1 / old.zoom - 1 / zoom) / (1 / old.zoom - 1 / lens.zoom);
    return { ...lens, zoom, x: mix(old.x, lens.x, share), y: mix(old.y, lens.y, share) };
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

  const holds = (view, x, y) => x > view.left && x < view.right && y > view.top && y < view.bottom; // its rim is not on it

  /** Paint what lies on the map through the lens: nothing of it is to be seen beside the map. */
  function through(ctx, view, draw) {
    ctx.save();
    ctx.beginPath();
    ctx.rect(view.left, view.top, view.right - view.left, view.bottom - view.top);
    ctx.clip();
    const [x, y] = [(view.left + view.right) / 2, (view.top + view.bottom) / 2];
    ctx.transform(view.zoom, 0, 0, view.zoom, x - view.zoom * view.x, y - view.zoom * view.y);
    draw(view.zoom ** -0.5);
    ctx.restore();
  }

  /** Paint the shapes of a drawing that has the whole picture for itself, each where it is. */
  function layer(ctx, number, alpha, view) {
    const shapes = film.drawings[number].map(n => [n, film.shapes[n]]);
    const spot = it => it.circle ?? it.at ?? it.line ?? it.polygon;
    const on = ([, it]) => view && holds(view, spot(it)[0], spot(it)[1]);
    for (const [n, it] of shapes.filter(one => !on(one))) {
      const shift = view && it.text !== undefined ? ruled(it, view) : [0, 0];
      if (!shift) continue;
      ctx.save();
      ctx.translate(...shift);
      paint.shape(ctx, n, colours, alpha, 0);
      ctx.restore();
    }
    if (view) through(ctx, view, words => shapes.filter(on).forEach(([n]) => paint.shape(ctx, n, colours, alpha, 0, words)));
  }

  /** How far the numbers beside a map move along with it; none where they would leave it. */
  function ruled({ at: [x, y] }, view) {
    const toX = view.zoom * (x - view.x) + (view.left + view.right) / 2;
    const toY = view.zoom * (y - view.y) + (view.top + view.bottom) / 2;
    if (x < view.left && y > view.top && y < view.bottom) return toY > view.top + 8 && toY < view.bottom - 8 && [0, toY - y];
    if (y > view.bottom && x > view.left && x < view.right) return toX > view.left + 8 && toX < view.right - 8 && [toX - x, 0];
    return [0, 0];
  }

  function draw(now) {
    const layers = board.get('_canvases');
    const frame = frames[beat];
    let view = seenAt(now);
    const own = frame.lens; // where the map lies otherwise than where the kernel looks, the film knows where
    if (own && (!view || ['left', 'right', 'top', 'bottom'].some(side => own[side] !== view[side]))) view = own;
    if (!own) view = null;
    if (view && view.zoom <= 1) view = null;
    const ground = [frame.board, colours, layers[GROUND].canvas.width, view && JSON.stringify(view), paint];
    if (ground.some((value, n) => value !== painted[n])) {
      layer(ready(layers[GROUND]), frame.board, 1, view);
      painted = ground;
    }
    const ctx = ready(layers[PIECES]);
    const poses = between(frames[beat - 1], frame, t);
    const whole = pose => ['ways', 'top'].includes(film.pieces[pose.piece]);
    const on = pose => view && holds(view, pose.x, pose.y);
    const put = (some, words) => some.forEach(pose => paint.drawing(ctx, pose, colours, words));
    for (const pose of poses.filter(one => film.pieces[one.piece] === 'ways')) layer(ctx, pose.drawing, pose.alpha, view);
    put(poses.filter(pose => !whole(pose) && !on(pose)));
    if (view) through(ctx, view, words => put(poses.filter(pose => !whole(pose) && on(pose)), words));
    for (const pose of poses.filter(one => film.pieces[one.piece] === 'top')) layer(ctx, pose.drawing, pose.alpha, view);
    board.updateCanvas();
  }

  const wake = () => { timer ||= requestAnimationFrame(step); };

  /** A frame: while it plays the beat is what the clock says, so that nothing drifts on a busy machine. */
  function step(now) {
    timer = 0;
    if (!shows || !frames[beat]) return;
    const glide = still() ? 1 : Math.min(model.get('glide'), MOVES * each);
    if (playing) {
      const passed = Math.max(now - began, 0) / each;
      const at = Math.min(from + 1 + Math.floor(passed), last);
      if (!frames[at]) [from, began] = [beat, now]; // it has not come yet
      else if (at !== beat) [beat, tells] = [at, true];
      t = frames[at] ? Math.min(((passed % 1) * each) / glide, 1) : 1;
      if (beat === last && (t >= 1 || passed >= last - from)) [t, playing] = [1, false];
      if (tells && (beat !== last || !playing)) tell();
    } else if (t < 1) {
      t = Math.min(Math.max(now - began, 0) / glide, 1);
    }
    draw(now);
    if (playing || t < 1 || old) wake();
  }

  /** Say which beat is seen. */
  function tell() {
    tells = false;
    ask();
    slider.set('value', beat);
    model.send({ at: beat, playing, run });
  }

  /** Fetch more of the film, as long as the end of what is there is not far. */
  function ask() {
    if (more === null || frames.length > beat + AHEAD) return;
    const which = more;
    more = null;
    setTimeout(() => model.send({ more: which }), ASK);
  }

  function show(to, glides) {
    wanted = null;
    const rests = !playing && t >= 1; // steps that come faster than they glide do not pile up
    [beat, t, playing, began] = [to, glides && rests && !still() ? 0 : 1, false, performance.now()];
    ask();
    wake();
  }

  function pause() {
    [playing, t] = [false, 1];
    tell();
    wake();
  }

  /** Have the canvas, on which the kernel has drawn. */
  function take() {
    const layers = board.get('_canvases');
    if (!shows) [painted, shows] = [[], true], ready(layers[MARKS]);
    ready(layers[TOP]);
  }

  // What the kernel says

  /** Look through a lens from now on; `before` is the one from which it comes nearer or goes farther. */
  function lookThrough(said) {
    [lens, each, calm] = [said.lens, said.each ?? each, said.still ?? calm];
    if (said.before) [old, zoomed] = [said.before, performance.now()];
  }

  const hear = {
    film(said) {
      if (said.afresh) {
        Object.assign(film, { shapes: [], drawings: [], pieces: [] });
        [paint, painted] = [painter(film), []];
      }
      [frames, next, shows, playing, old, last] = [[], unpacker(), false, false, null, said.last];
      [more, wanted] = [null, null];
    },
    beats(said) {
      for (const name of ['shapes', 'drawings', 'pieces']) film[name].push(...said[name]);
      for (const some of said.beats) frames.push({ ...next(some), lens: some.lens ?? (some.lens === null ? null : frames.at(-1)?.lens) });
      more = said.more ? said.film : null;
      ask();
      if (frames[wanted]) scrubTo(wanted);
    },
    look(said) {
      lookThrough(said);
      colours = said.colours;
      wake();
    },
    show(said) {
      lookThrough(said);
      take();
      show(said.beat, said.glides);
    },
    play(said) {
      wanted = null;
      [beat, from, began, t] = [said.beat, said.beat, performance.now(), 1];
      playing = beat < last;
      lookThrough(said);
      take();
      wake();
    },
    pace(said) {
      [each, from, began] = [said.each, beat, performance.now()];
    },
    until(said) { last = said.last; },
    stop() { if (playing) pause(); },
    leave() { [shows, playing, old, wanted] = [false, false, null, null]; },
  };
  model.on('msg:custom', said => {
    run = said.run ?? run;
    hear[said.do](said);
  });

  // What the user does

  function scrubTo(value) {
    take();
    show(value, false);
  }

  const onScrub = (_, value, options) => {
    if (!options?.updated_view || value > last) return; // not by hand
    if (frames[value]) scrubTo(value);
    else wanted = value; // the kernel sends or draws it
  };
  slider.on('change:value', onScrub);

  const isOurs = event => event.target.closest?.(mark);
  const stopHere = event => {
    const key = event.key;
    const isKey = key === ' ' || key === 'Enter';
    if (!playing || !isOurs(event) || (event.type === 'keydown' && !isKey) || (key && event.ctrlKey)) return;
    if (!event.target.closest('button') && (event.type === 'click' || !model.get('board_keys'))) return; // it is the kernel's
    event.preventDefault();
    event.stopPropagation();
    pause();
  };
  document.addEventListener('click', stopHere, { capture: true });
  document.addEventListener('keydown', stopHere, { capture: true });

  model.send({ ready: true });
  return () => {
    cancelAnimationFrame(timer);
    slider.off('change:value', onScrub);
    document.removeEventListener('click', stopHere, { capture: true });
    document.removeEventListener('keydown', stopHere, { capture: true });
  };
}

export default { initialize };
