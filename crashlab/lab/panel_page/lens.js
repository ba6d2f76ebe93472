// @ts-check
/* A zoomed map: the lens magnifies the map and leaves the rest of the picture unchanged. */

/** @typedef {import('./messages').Lens} Lens */

const RIM = 8; // least distance in pixels between a number beside a map and the map's ends

/**
 * Return whether a point is inside the map; points on its rim are outside.
 * @param {Lens} lens
 * @param {number} x
 * @param {number} y
 */
export const holds = (lens, x, y) => x > lens.left && x < lens.right && y > lens.top && y < lens.bottom;

/** @param {Lens} lens */
const middle = lens => ({ x: (lens.left + lens.right) / 2, y: (lens.top + lens.bottom) / 2 });

/**
 * Return the lens between two others, after a share from 0 to 1 of the way.
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
 * Return the map's point shown at a point of the picture; outside the map that is the point itself.
 * @param {Lens | null} lens
 * @param {number} x
 * @param {number} y
 */
export function back(lens, x, y) {
  if (!lens || !holds(lens, x, y)) return [x, y];
  return [(x - middle(lens).x) / lens.zoom + lens.x, (y - middle(lens).y) / lens.zoom + lens.y];
}

/**
 * Return the shift of a number beside the map; null if it would leave its side.
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
 * Paint the map's content, clipped to the map.
 * @param {CanvasRenderingContext2D} ctx
 * @param {Lens} lens
 * @param {(words: number) => void} draw called with the factor of text sizes
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
