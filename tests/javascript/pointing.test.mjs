// The target at a point; tests/lab/test_choosing.py tests the kernel's side.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { inside, meantTarget, nearest, rank, toLine } from '../../crashlab/lab/panel_page/pointing.js';

const NEAR = [24, 4, 9];
const SQUARE = [0, 0, 40, 0, 40, 40, 0, 40];
const target = (x, y, more = {}) => ({ at: [x, y], words: '', drawing: 0, over: 0, ...more });

test('a point is in a polygon, or in a circle', () => {
  assert.ok(inside(SQUARE, [20, 20]));
  assert.ok(!inside(SQUARE, [41, 20]));
  assert.ok(!inside([0, 0, 40, 0, 0, 40], [30, 30]));
  assert.ok(inside([10, 10, 5], [13, 14]));
  assert.ok(!inside([10, 10, 5], [14, 14]));
});

test('a line is as far as its nearest part', () => {
  assert.equal(toLine([0, 0, 10, 0, 10, 10], [4, 3]), 3);
  assert.equal(toLine([0, 0, 10, 0], [13, 4]), 5);
  assert.equal(toLine([2, 2, 2, 2], [2, 5]), 3);
});

test('of several equally near the first is the nearest, and of none there is none', () => {
  assert.equal(nearest([3, 1, 2, 1], one => one), 1);
  assert.equal(nearest(['ab', 'c', 'd'], one => one.length), 'c');
  assert.equal(nearest([], () => 0), null);
});

test('a letter counts before an area, an area before a place, a place before a rim', () => {
  const at = [20, 20];
  assert.equal(rank(target(0, 0, { letter: [20, 22, 5] }), at, NEAR).stage, 0);
  assert.equal(rank(target(0, 0, { area: [SQUARE] }), at, NEAR).stage, 1);
  assert.equal(rank(target(20, 44), at, NEAR).stage, 2);
  assert.deepEqual(rank(target(90, 90, { area: [SQUARE] }), [43, 20], NEAR), { stage: 3, far: 3 });
  assert.equal(rank(target(90, 90, { area: [SQUARE] }), [45, 20], NEAR).stage, 4);
  const [lettered, around] = [target(90, 90, { letter: [20, 20, 9] }), target(20, 20, { area: [SQUARE] })];
  assert.equal(meantTarget([around, lettered], at, NEAR), lettered);
});

test('of two lines that are near none is meant', () => {
  const line = y => target(200, 200 + y, { lines: [[0, y, 100, y]] });
  const [one, other] = [line(0), line(12)];
  assert.equal(meantTarget([one, other], [50, -8], NEAR), one);
  assert.equal(meantTarget([one, other], [50, 6], NEAR), null);
  assert.equal(meantTarget([one, other], [50, 60], NEAR), null);
});
