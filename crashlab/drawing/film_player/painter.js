/* Paints the drawings of a film on a canvas. */

export const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";
const ALIGN = { left: 'left', right: 'right' };

/** Return functions that paint a film's drawings on a canvas. */
export function painter(film) {
  const paths = new Map();

  function pathOf(number) {
    if (!paths.has(number)) {
      const { circle, line, polygon } = film.shapes[number];
      const path = new Path2D();
      if (circle) path.arc(circle[0], circle[1], Math.max(circle[2], 0), 0, 2 * Math.PI);
      else (line ?? polygon).forEach((x, n, all) => n % 2 || path[n ? 'lineTo' : 'moveTo'](x, all[n + 1]));
      if (polygon) path.closePath();
      paths.set(number, path);
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
    if (it.fill) [ctx.fillStyle] = [colours[it.fill]], ctx.fill(pathOf(number));
    if (it.stroke) [ctx.strokeStyle, ctx.lineWidth] = [colours[it.stroke], it.width], ctx.stroke(pathOf(number));
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
      const edge = it.text === undefined ? it.width ?? 0 : it.size;
      const room = pose.scale * (it.circle ? it.circle[2] : edge / 2);
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
