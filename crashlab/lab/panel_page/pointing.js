// @ts-check
/* The target at a point of a picture, by the rules with which the kernel handles a click (crashlab/lab/hit_test.py). */

/** @typedef {import('./messages').Target} Target */
/** @typedef {readonly number[]} Point */

/** @param {Point} a @param {Point} b */
export const apart = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);

/**
 * Return the first of the nearest elements; null if there are none.
 * @template T
 * @param {T[]} some
 * @param {(one: T) => number} far
 */
export const nearest = (some, far) => some.reduce(
  (best, one) => (best !== null && far(best) <= far(one) ? best : one), /** @type {T | null} */ (null));

/**
 * Return the target at a point; null if there is none, or if several lines match.
 * @param {Target[]} targets
 * @param {Point} at
 * @param {number[]} near the reach of a place, of an area's rim, and of a line
 */
export function meantTarget(targets, at, near) {
  const ranks = targets.map(target => rank(target, at, near));
  const best = nearest(ranks, rank => rank.stage * 1e6 + rank.far);
  if (best && best.stage < 4) return targets[ranks.indexOf(best)];
  const crossed = targets.filter(target => target.lines?.some(line => toLine(line, at) <= near[2]));
  return crossed.length === 1 ? crossed[0] : null;
}

/**
 * Rank a target for a point: on its letter, in its area, near its place, at the rim of its area, or no match.
 * @param {Target} target
 * @param {Point} at
 * @param {number[]} near
 */
export function rank({ at: place, letter, area = [] }, at, near) {
  const far = apart(place, at);
  if (letter && apart(letter, at) <= letter[2]) return { stage: 0, far: apart(letter, at) };
  if (area.some(shape => inside(shape, at))) return { stage: 1, far };
  if (far <= near[0]) return { stage: 2, far };
  const away = Math.min(...area.map(shape => toRim(shape, at)));
  return away <= near[1] ? { stage: 3, far: away } : { stage: 4, far: 0 };
}

/** @param {number[]} polygon */
const closed = polygon => [...polygon, polygon[0], polygon[1]];
/** @param {number[]} shape */
const isCircle = shape => shape.length === 3;

/**
 * Return whether a point is in a circle or in a polygon.
 * @param {number[]} shape
 * @param {Point} at
 */
export function inside(shape, at) {
  if (isCircle(shape)) return apart(shape, at) <= shape[2];
  const corners = closed(shape);
  let is = false;
  for (let n = 0; n < shape.length; n += 2) {
    const [ax, ay, bx, by] = corners.slice(n, n + 4);
    if (ay > at[1] !== by > at[1] && at[0] < ax + ((at[1] - ay) / (by - ay)) * (bx - ax)) is = !is;
  }
  return is;
}

/** @param {number[]} shape @param {Point} at */
const toRim = (shape, at) => (isCircle(shape) ? Math.abs(apart(shape, at) - shape[2]) : toLine(closed(shape), at));

/**
 * Return the distance of a point from a line with these corners.
 * @param {number[]} line
 * @param {Point} at
 */
export function toLine(line, at) {
  let far = Infinity;
  for (let n = 0; n + 3 < line.length; n += 2) {
    const [x, y, toX, toY] = line.slice(n, n + 4);
    const [across, down] = [toX - x, toY - y];
    const share = ((at[0] - x) * across + (at[1] - y) * down) / (across ** 2 + down ** 2 || 1);
    const part = Math.min(Math.max(share, 0), 1);
    far = Math.min(far, apart([x + part * across, y + part * down], at));
  }
  return far;
}
