/* The events of a film, and the reasons of each. */

import { make, reveal } from './elements.js';

const LISTED = 300; // events listed at once

/** Return the list of events. */
export function eventList(reel) {
  const { film } = reel;
  const element = make('ol', { 'aria-label': 'Events' });
  let [rows, shown, range] = [[], null, [0, 0, 0]];
  function tell() {
    const { events } = film;
    const lastOf = beat => events.findLastIndex(event => event?.beat <= beat);
    const count = reel.until() < film.last ? lastOf(reel.until()) + 1 : events.length; // of events that may be seen
    const place = Math.min(reel.event ?? lastOf(reel.beat), count - 1);
    const [low, high] = [Math.max(place - LISTED / 2, 0), Math.min(Math.max(place, 0) + LISTED / 2, count)];
    const has = events.slice(low, high).filter(Boolean).length;
    if (shown !== film.beats || place < range[0] || place >= range[1] || range[2] !== count || rows.length < has) {
      [shown, range, rows] = [film.beats, [low, high, count], []];
      for (let n = low; n < high; n++) if (events[n]) rows.push(n);
      element.replaceChildren(...rows.map(n => {
        const rule = events[n].rule ? make('small', {}, ` ${events[n].rule}`) : '';
        const text = make('span', {}, events[n].text, rule);
        const look = { type: 'button', onclick: () => reel.tellEvent(n) };
        return make('li', {}, make('button', look, make('b', {}, events[n].beat), text));
      }));
    }
    [...element.children].forEach((row, n) => {
      row.className = events[rows[n]].beat === reel.beat ? 'now' : '';
      if (rows[n] === reel.event) row.firstChild.setAttribute('aria-current', 'true');
      else row.firstChild.removeAttribute('aria-current');
    });
    const row = element.children[Math.max(rows.findLastIndex(n => n <= place), 0)];
    if (row) reveal(element, row);
  }
  return { element, tell };
}

/** Return the rule of an event, unless it is the cited one, or else its line of the program. */
function quote(film, { rule: id, line: at }, cited) {
  const rule = film.rules?.[id];
  const title = rule && [make('b', {}, id), ` ${rule.title} `, make('i', {}, rule.mark), make('br'), rule.text];
  if (rule && id !== cited) return [make('blockquote', {}, ...title)];
  const it = film.sources?.[at?.[0]];
  if (!it) return [];
  const line = it.lines[at[1] - it.first] ?? '';
  return [make('blockquote', { className: 'code' }, `line ${at[1]}  ${line.trim()}`)];
}

/** Return an event, its rule or line, and its causes. */
function reasons(reel, n, before, cited) {
  const { film } = reel;
  const here = film.events[n];
  if (!here) return [];
  const to = { type: 'button', title: `Go to beat ${here.beat}`, onclick: () => reel.tellEvent(n) };
  const causes = (here.causes ?? []).flatMap(cause => reason(reel, cause, here.rule));
  return [make('button', to, make('span', {}, before), here.text), ...quote(film, here, cited), ...causes];
}

/** Return a reason, which opens if there is more to show. */
function reason(reel, it, cited) {
  const { film } = reel;
  if (!it.text) return reasons(reel, it.event, 'because ', cited);
  if (!it.causes && !film.events[it.event]) return [make('p', {}, it.text)];
  const more = make('details', {}, make('summary', { className: it.line ? 'since' : '' }, it.text));
  more.ontoggle = () => {
    if (more.children[1]) return;
    const causes = (it.causes ?? []).flatMap(cause => reason(reel, cause));
    more.append(...quote(film, it), ...causes, ...reasons(reel, it.event, ''));
  };
  return [more];
}

/** Return the chain of reasons of the current event. */
export function reasonChain(reel) {
  const { film, does } = reel;
  const chain = make('div', { className: 'chain' });
  const element = make('section', { className: 'why', 'aria-label': 'Why' }, make('h3', {}, 'Why'), chain);
  let shown = '';
  function tell() {
    element.classList.toggle('hidden', !film.events.length || Boolean(does.asks?.()));
    const now = [film.title, reel.event, film.events.filter(Boolean).length].join();
    if (shown === now) return;
    shown = now;
    const parts = reasons(reel, reel.event, '');
    chain.replaceChildren(...(parts.length ? parts : [does.hint]));
  }
  return { element, tell };
}
