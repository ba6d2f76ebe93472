// A zoomed map; tests/drawing/test_zoom.py tests the kernel's side.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { back, holds, onTheWay, ruled } from '../../crashlab/lab/panel_page/lens.js';

const WHOLE = { zoom: 1, x: 50, y: 50, left: 0, right: 100, top: 0, bottom: 100 };
const LENS = { ...WHOLE, zoom: 2, x: 25, y: 75 };

test('a map ends before its rim', () => {
  assert.ok(holds(LENS, 1, 99));
  assert.ok(!holds(LENS, 0, 50) && !holds(LENS, 50, 100));
});

test('the middle of the map shows the point that is looked at, and beside the map nothing is moved', () => {
  assert.deepEqual(back(LENS, 50, 50), [25, 75]);
  assert.deepEqual(back(LENS, 60, 40), [30, 70]);
  assert.deepEqual(back(LENS, 130, 40), [130, 40]);
  assert.deepEqual(back(null, 60, 40), [60, 40]);
});

test('a lens glides from one to another, and a point that both show at one place stays there', () => {
  const near = lens => JSON.stringify([lens.zoom, lens.x, lens.y].map(value => Math.round(value * 1e6) / 1e6));
  assert.equal(near(onTheWay(WHOLE, LENS, 0)), near(WHOLE));
  assert.equal(near(onTheWay(WHOLE, LENS, 1)), near(LENS));
  const half = onTheWay(WHOLE, LENS, 0.5);
  assert.ok(Math.abs(half.zoom - Math.SQRT2) < 1e-9);
  const fixed = onTheWay(WHOLE, LENS, 0.3);
  assert.ok(Math.abs(fixed.zoom * (0 - fixed.x) + 50) < 1e-9); // the left end of the map
  assert.deepEqual(onTheWay(LENS, { ...LENS, x: 45 }, 0.5).x, 35);
});

test('the numbers beside a map move along with it, and leave before they pass its ends', () => {
  assert.deepEqual(ruled(LENS, -10, 75), [0, -25]);
  assert.equal(ruled(LENS, -10, 20), null);
  assert.deepEqual(ruled(LENS, 25, 110), [25, 0]);
  assert.deepEqual(ruled(LENS, 130, 50), [0, 0]);
});
