// @ts-check
/* A map that is looked at from near: through a lens lies what is on the map, beside it all is as it is. */

/** @typedef {import('./messages').Lens} Lens */

const RIM = 8; // pixels that the numbers beside a map keep from its ends

/**
 * Whether a point is on the map; its rim is not.
 * @param {Lens} lens
 * @param {number} x
 * @param {number} y
 */
export const holds = (lens, x, y) => x > lens.left && x < lens.right && y > lens.top && y < lens.bottom;

/** @param {Lens} lens */
const middle = lens => ({ x: (lens.left + lens.right) / 2, y: (lens.top + lens.bottom) / 2 });

/**
 * A lens on its way from another one, of which the share from 0 to 1 is done.
 * @param {Lens} old
 * @param {Lens} lens
 * @param {number} way
 * @returns {Lens}
 */
export function onTheWay(old, lens, way) {
  const eased = way * way * (3 - 2 * way);
  const zoom = old.zoom * (lens.zoom / old.zoom) ** eased;
  const share = old.zoom === lens.zoom ? eased : (1 / old.zoom - 1 / zoom) / (1 / old.zoom - 1 / lens.zoom);
  return { ...lens, zoom, x: old.x + share * (lens.x - old.x), y: old.y + share * (lens.y - old.y) };
}

/**
 * The point of the map that is seen at a point of the picture; beside the map it is that point.
 * @param {Lens | null} lens
 * @param {number} x
 * @param {number} y
 */
export function back(lens, x, y) {
  if (!lens || !holds(lens, x, y)) return [x, y];
  return [(x - middle(lens).x) / lens.zoom + lens.x, (y - middle(lens).y) / lens.zoom + lens.y];
}

/**
 * How far a number beside the map moves along with it; null if it would leave its side.
 * @param {Lens} lens
 * @param {number} x
 * @param {number} y
 */
export function ruled(lens, x, y) {
  const toX = lens.zoom * (x - lens.x) + middle(lens).x;
  const toY = lens.zoom * (y - lens.y) + middle(lens).y;
  if (x < lens.left && y > lens.top && y < lens.bottom) {
    return toY > lens.top + RIM && toY < lens.bottom - RIM ? [0, toY - y] : null;
  }
  if (y > lens.bottom && x > lens.left && x < lens.right) {
    return toX > lens.left + RIM && toX < lens.right - RIM ? [toX - x, 0] : null;
  }
  return [0, 0];
}

/**
 * Paint what lies on the map; nothing of it is seen beside the map.
 * @param {CanvasRenderingContext2D} ctx
 * @param {Lens} lens
 * @param {(words: number) => void} draw with what the size of words is multiplied by
 */
export function through(ctx, lens, draw) {
  ctx.save();
  ctx.beginPath();
  ctx.rect(lens.left, lens.top, lens.right - lens.left, lens.bottom - lens.top);
  ctx.clip();
  const { x, y } = middle(lens);
  ctx.transform(lens.zoom, 0, 0, lens.zoom, x - lens.zoom * lens.x, y - lens.zoom * lens.y);
  draw(lens.zoom ** -0.5);
  ctx.restore();
}
