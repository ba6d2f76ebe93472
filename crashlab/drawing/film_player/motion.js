/* The beats of a film, and what is between two of them. */

/** Return a function that turns each beat into its board, pieces in drawing order, and effects. */
export function unpacker() {
  const usual = { angle: 0, scale: 1, alpha: 1, label: '' };
  let board = 0;
  let here = new Map();
  return beat => {
    const put = new Map((beat.put ?? []).map(pose => [pose.piece, { ...(here.get(pose.piece) ?? usual), ...pose }]));
    const gone = new Set(beat.gone ?? []);
    const kept = [...here]
      .filter(([piece]) => !gone.has(piece))
      .map(([piece, pose]) => [piece, put.get(piece) ?? pose]);
    const all = new Map([...kept, ...put]);
    here = beat.order ? new Map(beat.order.map(piece => [piece, all.get(piece)])) : all;
    board = beat.board ?? board;
    const passing = (beat.effects ?? []).map(([start, end]) => [
      { ...usual, ...start },
      { ...usual, ...start, ...end },
    ]);
    return { board, pieces: [...here.values()], passing, cut: Boolean(beat.cut) };
  };
}

export const mix = (a, b, t) => a + t * (b - a);

/** Return a piece between two poses; its drawing changes half-way. */
function mixed(a, b, t) {
  if (a === b || t >= 1) return b;
  const turn = ((((b.angle - a.angle + 180) % 360) + 360) % 360) - 180;
  const [x, y, scale, alpha] = ['x', 'y', 'scale', 'alpha'].map(name => mix(a[name], b[name], t));
  return { ...(t < 0.5 ? a : b), x, y, scale, alpha, angle: a.angle + t * turn };
}

/** Return the pieces between two beats: they move or fade, with effects on top. */
export function between(before, after, t) {
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
