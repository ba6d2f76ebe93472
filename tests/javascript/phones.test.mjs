// The teacher's page and the server; tests/browser/test_vote_in_browser.py tests them with phones.
import assert from 'node:assert/strict';
import { test } from 'node:test';

const sockets = [];
globalThis.document = {
  addEventListener() {}, body: { classList: { remove() {} } }, querySelector: () => null, querySelectorAll: () => [],
  getElementById: () => ({ textContent: '{"baseUrl": "/"}' }),
};
globalThis.window = { addEventListener() {} };
globalThis.location = { href: 'http://localhost:8888/lab', hostname: 'localhost' };
globalThis.WebSocket = class { constructor() { sockets.push(this); } };
[globalThis.setInterval, globalThis.setTimeout] = [() => 0, () => 0];
const { default: module } = await import('../../crashlab/lab/phones.js');

test('a panel hears why the server has refused a poll, or that there is no server for it', () => {
  const sent = [];
  const hear = {};
  module.initialize({ model: { get: () => false, send: message => sent.push(message), on: (_, react) => (hear.message = react) } });
  hear.message({ do: 'begin' });
  const words = 'Port 8040 is in use.';
  for (const [code, reason, trouble] of [[1013, words, words], [1013, '', 'none'], [1000, 'ping timed out', 'none']]) {
    sockets[0].onclose({ code, reason });
    assert.deepEqual(sent.at(-1), { trouble });
  }
});
