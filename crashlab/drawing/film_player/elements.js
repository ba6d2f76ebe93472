/* The elements of the parts of a film, and their style. */

export const PARTS = `
* { box-sizing: border-box; margin: 0; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 1px; }
h3 { font-size: 12px; letter-spacing: .06em; text-transform: uppercase; color: var(--muted); margin: 0 0 3px; }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: 4px; }
button, select { font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--line);
  border-radius: 7px; min-height: 36px; cursor: pointer; }
button:hover:not(:disabled) { border-color: var(--muted); }
button:disabled { opacity: .4; cursor: default; }
.bar button { min-width: 38px; padding: 0 7px; display: inline-grid; place-items: center; grid-auto-flow: column; }
.bar svg { width: 18px; height: 18px; fill: currentColor; }
.bar .play { min-width: 52px; color: var(--panel); background: var(--ink); border-color: var(--ink); }
.track { flex: 1 1 80px; position: relative; display: grid; align-items: center; min-width: 80px; height: 36px; }
.track input { width: 100%; accent-color: var(--focus); height: 30px; cursor: pointer; }
.track i { position: absolute; top: 1px; width: 4px; height: 7px; margin-left: -2px; border-radius: 2px;
  background: var(--crash); pointer-events: none; forced-color-adjust: none; }
.asks .track i { display: none; }
.count { font-variant-numeric: tabular-nums; color: var(--muted); white-space: nowrap; padding: 0 4px; }
.hidden { display: none !important; }
ol { list-style: none; padding: 0; max-height: 17em; }
li > button, .name, .chain button { display: block; width: 100%; text-align: left; border: 0; background: none;
  padding: 3px 6px; min-height: 0; border-radius: 5px; font-size: 14px; }
li > button, .code button { display: grid; grid-template-columns: var(--digits, 2.6em) minmax(0, 1fr); overflow-wrap: anywhere; }
:is(li > button, .chain, blockquote, td:last-child, .quiz) { white-space: pre-wrap; }
li > button { gap: 0 4px; }
:is(li > button, .code button) > b { font-weight: 400; color: var(--muted); font-variant-numeric: tabular-nums; }
li > button small { color: var(--muted); font-size: 12px; white-space: nowrap; }
li > button:hover, .chain button:hover, .code button:hover { background: var(--raised); }
.now > button { background: var(--raised); box-shadow: inset 3px 0 0 var(--focus); }
.why { max-height: 22em; }
ol, .why { overflow-y: auto; overscroll-behavior: contain; }
.chain button { padding: 2px 0; font-weight: 700; }
summary { cursor: pointer; } .since { color: var(--muted); }
details > :not(summary) { margin-left: 14px; }
.chain button span { font-weight: 400; font-style: italic; color: var(--muted); }
blockquote { font-size: 14px; border-left: 3px solid var(--focus); padding: 1px 0 1px 9px; margin: 1px 0 7px; }
blockquote i { font-style: normal; font-size: 12px; border: 1px solid var(--line); border-radius: 4px; padding: 0 4px;
  color: var(--muted); }
.code, pre, td:last-child { font: var(--small, 13px)/1.5 ui-monospace, 'DejaVu Sans Mono', monospace; overflow: auto; }
.code { max-height: 21em; tab-size: 4; scrollbar-width: thin; }
.code button { width: 100%; min-height: 0; border: 0; background: none; text-align: left; white-space: pre-wrap; border-radius: 3px;
  padding: 0 0 0 3px; }
pre { min-height: 1.5em; max-height: 9em; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
td { padding: 1px 4px; vertical-align: top; overflow-wrap: anywhere; border-radius: 3px; }
td:first-child { width: 1%; white-space: nowrap; }
td:last-child { line-height: 1.6; }
.name { padding: 0; font-weight: 700; text-decoration: underline dotted; white-space: nowrap; }
li > button[aria-current], .code .lit, .lit td { background: var(--flash); color: #1f1b16; forced-color-adjust: none; }
:is(li > button[aria-current], .code .lit) :is(b, small) { color: #4b3f12; }
summary { cursor: pointer; color: var(--muted); font-size: 14px; }
@container (max-width: 520px) { .bar button { min-width: 36px; } .track { order: 9; flex-basis: 100%; } .far { display: none !important; } }
`;

const ICONS = {
  first: 'M3 3h2v12H3zM15 3v12L6 9z', end: 'M13 3h2v12h-2zM3 3v12l9-6z', play: 'M4 2.5v13l11-6.5z',
  pause: 'M4 3h4v12H4zM10 3h4v12h-4z', back: 'M12 3v12L4 9z', on: 'M6 3v12l8-6z',
  over: 'M3 9a6 6 0 0 1 11-3l2-1.5V11h-6l2-2a4 4 0 0 0-7 0zM7 13h4v3H7z',
  full: 'M2 2h6v2H4v4H2zM10 2h6v6h-2V4h-4zM2 10h2v4h4v2H2zM14 10h2v6h-6v-2h4z',
  colours: 'M9 1.5a7.5 7.5 0 1 0 0 15zM9 3.5a5.5 5.5 0 0 1 0 11z',
};
const SPIKES = 'l1.4 3.4 3.5-1.2-1.3 3.5 3.4 1.5-3.4 1.4 1.3 3.5-3.5-1.2L9 17l-1.4-4.1';
ICONS.stopOn = `M9 1${SPIKES} -3.5 1.2 1.3-3.5L2 9.2l3.4-1.5-1.3-3.5 3.5 1.2z`;

export function make(name, traits = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(traits)) {
    if (key in element && key !== 'list') element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 18 18');
  svg.setAttribute('aria-hidden', 'true');
  svg.append(document.createElementNS(svg.namespaceURI, 'path'));
  svg.firstChild.setAttribute('d', ICONS[name]);
  return svg;
}

export const press = (title, name, react, className = '') =>
  make('button', { type: 'button', title, 'aria-label': title, className, onclick: react }, icon(name));

export function reveal(list, first, last = first) {
  const [box, { top }, { bottom }] = [list, first, last].map(part => part.getBoundingClientRect());
  const free = Math.max(list.clientHeight - (bottom - top), 0);
  if (top < box.top || bottom > box.bottom) list.scrollTop += top - box.top - free / 2;
}

export function tint(element, c, isDark) {
  const look = { panel: c.panel, 'panel-edge': c['panel edge'], ink: c.ink, muted: c.muted, flash: c.flash,
    gain: c.gain, loss: c.loss, crash: c['flash edge'], focus: isDark ? '#56B4E9' : '#0359CC',
    line: `color-mix(in srgb, ${c.muted} 38%, ${c.panel})`, raised: `color-mix(in srgb, ${c.ink} 7%, ${c.panel})` };
  for (const [name, value] of Object.entries(look)) element.style.setProperty(`--${name}`, value);
  element.style.colorScheme = isDark ? 'dark' : 'light';
}

/** Return the theme of JupyterLab, of the page around the frame, or of the system. */
export function themeAround(element) {
  try {
    for (let here = element.ownerDocument.defaultView; ; here = here.parent) {
      const said = here.document.body?.dataset.jpThemeLight;
      if (said) return said === 'false' ? 'dark' : 'light';
      if (here.parent === here) break;
    }
  } catch { /* the outer page has another origin */ }
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}
