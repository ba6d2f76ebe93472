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
globalThis.WebSocket.OPEN = 1;
const { default: module } = await import('../../crashlab/lab/phones.js');

/** A panel with its messages to the kernel. */
function panel() {
  const sent = [];
  const model = { sent, get: () => false, send: message => sent.push(message), on: (_, react) => (model.hear = react) };
  module.initialize({ model });
  return model;
}

test('a panel hears why the server has refused a poll, or that there is no server for it', () => {
  const { sent, hear } = panel();
  hear({ do: 'begin' });
  const words = 'Port 8040 is in use.';
  for (const [code, reason, trouble] of [[1013, words, words], [1013, '', 'none'], [1000, 'ping timed out', 'none']]) {
    sockets[0].onclose({ code, reason });
    assert.deepEqual(sent.at(-1), { trouble });
  }
});

test('only the panel in use closes the open question', () => {
  const [used, other] = [panel(), panel()];
  used.hear({ do: 'begin' });
  const said = [];
  Object.assign(sockets[0], { readyState: 1, send: text => said.push(JSON.parse(text)) });
  used.hear({ do: 'ask', ask: { text: 'Where?', stage: 'open' } });
  other.hear({ do: 'pause' });
  assert.deepEqual(said.map(({ ask }) => ask.stage), ['open']);
  used.hear({ do: 'pause' });
  assert.deepEqual(said.map(({ ask }) => ask.stage), ['open', 'closed']);
});
