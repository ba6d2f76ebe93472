/* The picture of a film on a canvas. */

import { between } from './motion.js';
import { painter } from './painter.js';

/** Return the functions of a film's canvas: the board is painted once, pieces in each frame.
 *
 * `wake` asks for the next frame when the browser has lost the content of a canvas. */
export function screen(film, frames, canvas, wake) {
  const paint = painter(film);
  const ground = document.createElement('canvas');
  let painted = '';
  let zoom = 1;
  for (const surface of [canvas, ground]) {
    surface.addEventListener('contextrestored', () => {
      painted = '';
      wake();
    });
  }

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
      const isInside = x >= left - 3 && x <= right + 3 && y >= top - 3 && y <= bottom + 3;
      if (isInside && far < least) [best, least] = [pose, far];
    }
    return best;
  }

  return { resize, draw, hit, box: paint.box };
}
