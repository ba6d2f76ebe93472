// The clock of a film, in a time that the tests set; tests/browser/test_player.py tests what a page makes of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { clock } from '../../crashlab/drawing/film_player/clock.js';

let [now, frame] = [0, null];
globalThis.requestAnimationFrame = react => { frame = react; return 1; };
globalThis.cancelAnimationFrame = () => { frame = null; };
Object.defineProperty(globalThis, 'performance', { value: { now: () => now } });

/** Let milliseconds pass, a frame every ten. */
function pass(milliseconds) {
  for (const end = now + milliseconds; now < end; ) {
    now += 10;
    const react = frame;
    frame = null;
    react?.(now);
  }
}

/** Return a film with so many beats after the first, and how its clock calls the page. */
function begin(last, more = {}, does = {}) {
  const beats = Array.from({ length: last + 1 }, (_, at) => ({ words: `beat ${at}`, ...more.beats?.[at] }));
  const film = { last, stops: [], stop: '', milliseconds: { slow: 2000, normal: 1000 }, glide: 400, frames: beats.map(() => ({})), ...more, beats };
  const page = { words: '', beats: [], brought: [] };
  const reel = clock(film, {
    paint: () => false, say: words => { page.words = words; }, isStill: () => false, bring: at => page.brought.push(at),
    heard: () => page.beats.push(reel.beat), ...does,
  });
  frame = null;
  reel.show(0);
  return { film, page, reel };
}

test('a film that plays shows a beat a second, and stops at the last one', () => {
  const { reel } = begin(3);
  reel.start();
  pass(900);
  assert.equal(reel.beat, 1);
  pass(1000);
  assert.deepEqual([reel.beat, reel.playing], [2, true]);
  pass(3000);
  assert.deepEqual([reel.beat, reel.playing, frame], [3, false, null]);
});

test('played again at its end it begins again', () => {
  const { reel } = begin(2);
  reel.jump(2);
  reel.start();
  assert.deepEqual([reel.beat, reel.playing], [0, true]);
});

test('another speed holds from the next beat on', () => {
  const { reel, page } = begin(4);
  reel.setSpeed('slow');
  assert.equal(page.words, 'Speed: slow, 2 s per beat.');
  reel.start();
  pass(1900);
  assert.equal(reel.beat, 1);
  pass(1000);
  assert.equal(reel.beat, 2);
});

test('a page that was hidden for a while goes on where the time is, not beat by beat', () => {
  const { reel, page } = begin(9);
  reel.start();
  pass(500);
  page.beats.length = 0;
  now += 5000;
  pass(10);
  assert.equal(reel.beat, 6);
  assert.deepEqual(page.beats, [6]);
});

test('a beat that is not here yet is asked for, and the film goes on when it comes', () => {
  const { film, page, reel } = begin(3);
  film.frames.length = 2;
  reel.start();
  pass(2500);
  assert.deepEqual([reel.beat, reel.playing, page.brought.at(-1)], [1, true, 2]);
  film.frames.push({}, {});
  reel.came();
  pass(20);
  assert.equal(reel.beat, 2);
});

test('a step glides, and a jump does not', () => {
  const { reel } = begin(5);
  reel.jump(1);
  pass(200);
  assert.ok(reel.t > 0.4 && reel.t < 0.6);
  pass(300);
  assert.equal(reel.t, 1);
  reel.jump(4);
  assert.equal(reel.t, 1);
});

test('steps faster than the glide do not pile up', () => {
  const { reel } = begin(5);
  reel.jump(1);
  reel.jump(2);
  assert.deepEqual([reel.beat, reel.t], [2, 1]);
});

test('nothing moves for a reader who wants no motion', () => {
  const { reel } = begin(5, {}, { isStill: () => true });
  reel.jump(1);
  assert.equal(reel.t, 1);
});

test('an open question stops the film, and it does not play before the answer', () => {
  let limit = 2;
  const { page, reel } = begin(5, {}, { until: () => limit, asks: () => limit === 2 && reel.beat === 2 });
  reel.start();
  pass(9000);
  assert.deepEqual([reel.beat, reel.playing], [2, false]);
  reel.start();
  assert.equal(reel.playing, false);
  reel.jump(4);
  assert.equal(reel.beat, 2);
  limit = 5;
  reel.start();
  pass(9000);
  assert.equal(reel.beat, 5);
  assert.ok(page.beats.every(beat => beat <= 5));
});

test('the stars lead to the stops, and say when there is none', () => {
  const { page, reel } = begin(6, { stops: [2, 5], stop: 'crash' });
  const beats = ['c', 'c', 'C'].map(name => reel.key(name) && reel.beat);
  assert.deepEqual(beats, [2, 5, 2]);
  reel.key('C');
  assert.deepEqual([reel.beat, page.words], [2, 'There is no crash before this beat.']);
});

test('a digit runs to the next change of its variable, and so do the stars from then on', () => {
  const { page, reel } = begin(5, { names: ['low', 'high'], beats: { 2: { values: { high: '9' } }, 4: { values: { high: '4' } } } });
  reel.key('2');
  assert.equal(reel.beat, 2);
  reel.key('c');
  assert.equal(reel.beat, 4);
  reel.key('c');
  assert.deepEqual([reel.beat, page.words], [4, 'It does not happen again in this film.']);
  assert.equal(reel.key('3'), false);
});

test('a step over a call leads to the next beat that is no deeper', () => {
  const { reel } = begin(5, { calls: true, beats: { 1: { depth: 0 }, 2: { depth: 1 }, 3: { depth: 2 }, 4: { depth: 0 }, 5: { depth: 0 } } });
  reel.jump(1);
  reel.key('o');
  assert.equal(reel.beat, 4);
});

test('an event that is chosen is the current one, at its beat', () => {
  const { reel } = begin(3, { events: [{ beat: 1 }, { beat: 3 }, { beat: 3 }], beats: { 1: { first: 0 }, 3: { first: 1 } } });
  reel.tellEvent(2);
  assert.deepEqual([reel.beat, reel.event], [3, 2]);
  reel.jump(1);
  assert.equal(reel.event, 0);
});

test('on a large screen a beat lasts until it is read, and the arrow goes on at once', () => {
  const { reel } = begin(3, { beats: { 1: { read: 3000 } } }, { isFar: () => true });
  reel.start();
  pass(2900);
  assert.equal(reel.beat, 1);
  reel.key('ArrowRight');
  pass(10);
  assert.deepEqual([reel.beat, reel.playing], [2, true]);
});

test('parts are updated at every change until they are removed', () => {
  const { reel } = begin(2);
  const [texts, place] = [[], []];
  place.append = element => place.push(element);
  const remove = reel.put(place, { element: { remove: () => place.pop() }, tell: () => texts.push(reel.beat) });
  reel.jump(1);
  remove();
  reel.jump(2);
  assert.deepEqual([texts, place.length], [[0, 1], 0]);
});
