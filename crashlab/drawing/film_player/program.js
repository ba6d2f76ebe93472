/* The watched program beside its film: source, variables and what it prints. */

import { make, reveal } from './elements.js';

/** Return whether a beat runs this line of a source. */
const atLine = (beat, which, line) => beat.line?.[0] === which && beat.line[1] === line;

/** Return whether the document has everything that a beat shows, not only its changes. */
const isWhole = (film, at) => !(at && film.frames[at]) || film.beats[at].whole;

/** Return the source, with the line of the current beat lit. */
export function sourceCode(reel) {
  const { film } = reel;
  const code = make('div', { className: 'code' });
  const element = make('section', { 'aria-label': 'Source' }, make('h3', {}, 'Source'), code);
  let shown = null;
  function tell() {
    const [which, line] = film.beats[reel.beat].line ?? [null, 0];
    const it = film.sources?.[which];
    if (it && it !== shown) {
      shown = it;
      code.style.setProperty('--digits', `calc(${String(it.first + it.lines.length).length}ch + 8px)`);
      const most = Math.max(...film.sources.map(({ lines }) => lines.length));
      code.style.height = film.sources.length > 1 ? `${1.5 * most}em` : '';
      code.replaceChildren(...it.lines.map((text, n) => {
        const number = it.first + n;
        const often = it.runs ? ` runs ${it.runs[n]} time${it.runs[n] === 1 ? '' : 's'}:` : ':';
        const title = `Line ${number}${often} click to run to the next change it makes`;
        const go = () => reel.run(`change by line ${number}`, at => atLine(film.beats[at], which, number));
        const inner = `min(${text.search(/\S|$/) + 4}ch, 33cqi)`; // indent of wrapped lines
        const words = make('span', { style: `padding-left: ${inner}; text-indent: calc(-1 * ${inner})` }, text || ' ');
        return make('button', { type: 'button', title, onclick: go }, make('b', {}, number), words);
      }));
    }
    [...code.children].forEach((row, n) => {
      const isLit = Boolean(reel.beat) && it && n === line - it.first;
      row.className = isLit ? 'lit' : '';
      if (isLit) reveal(code, row);
    });
  }
  return { element, tell };
}

/** Return the table of the variables. */
export function variableTable(reel, title) {
  const { film } = reel;
  const table = make('table');
  const list = make('div', { className: 'rows' }, table);
  const element = make('section', { 'aria-label': title }, make('h3', {}, title), list);
  let [beats, shown] = [null, null]; // rows stay for a click under way
  const values = new Map(); // by beat
  function valuesAt(at) {
    let n = at;
    while (!values.has(n) && !isWhole(film, n)) n--;
    for (n += values.has(n); n <= at; n++) {
      const next = { ...(isWhole(film, n) ? {} : values.get(n - 1)), ...film.beats[n].values };
      values.set(n, Object.fromEntries(Object.entries(next).filter(([, value]) => value !== null)));
    }
    return values.get(at);
  }
  const see = ([first, ...more] = table.querySelectorAll('.lit')) => first && reveal(list, first, more.at(-1));
  function tell() {
    if (shown === film.beats[reel.beat] || !film.frames[reel.beat]) return see();
    if (beats !== film.beats) values.clear();
    [beats, shown] = [film.beats, film.beats[reel.beat]];
    const now = valuesAt(reel.beat);
    table.replaceChildren(...new Set([...(film.names ?? []), ...Object.keys(now)]).values().map(name => {
      const number = (film.names ?? []).indexOf(name) + 1;
      const words = `Run to the next change of ${name}${number && number < 10 ? ` (${number})` : ''}`;
      const go = make('button', { type: 'button', className: 'name', title: words }, name);
      go.onclick = () => reel.runToName(name);
      const row = make('tr', { className: reel.isNew(name, reel.beat) ? 'lit' : '' });
      row.append(make('td', {}, go), make('td', {}, make('span', {}, now[name] ?? make('small', {}, 'not set yet'))));
      return row;
    }));
    see();
  }
  return { element, tell };
}

/** Return the text printed so far. */
export function printedText(reel) {
  const { film } = reel;
  const text = make('pre', { tabIndex: 0 });
  const element = make('section', { 'aria-label': 'Printed' }, make('h3', {}, 'Printed'), text);
  function tell() {
    let n = reel.beat;
    while (!isWhole(film, n)) n--;
    text.textContent = film.beats.slice(n, reel.beat + 1).map(beat => beat.printed ?? '').join('');
    element.classList.toggle('hidden', !text.textContent);
    text.scrollTop = text.scrollHeight;
  }
  return { element, tell };
}
