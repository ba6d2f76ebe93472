"""A film as one page of HTML that plays without anything else: its source, its pictures, its variables and reasons."""

from __future__ import annotations

import json
from html import escape
from math import ceil

from crashlab.drawing import svg
from crashlab.watch.heap import in_words
from crashlab.watch.recording import Recording
from crashlab.watch.views.film_story import Show

MOST = 400  # beats that a page shows; of a longer film some, equally far apart
CHAIN = 12  # reasons behind a change, at most
STYLE = (
    "body{font:16px system-ui,sans-serif;margin:16px;background:#fffaf0;color:#1a1a1a}"
    "main{display:flex;flex-wrap:wrap;gap:16px}#picture{flex:1 1 480px;max-width:900px}"
    "#picture svg{width:100%;height:auto}"
    "#side{flex:1 1 360px}pre{margin:0;white-space:pre-wrap;font:14px/1.5 ui-monospace,monospace}"
    "pre span{display:block;padding:0 6px}.now{background:#ffd21f;color:#000}td{padding:2px 8px;vertical-align:top}"
    "td:first-child{font-weight:bold}button,input{font:inherit}#at{width:min(420px,60vw)}.new{background:#ffd21f;color:#000}"
    "#why{white-space:pre-wrap;font:14px/1.5 ui-monospace,monospace}"
)
SCRIPT = """
const film = JSON.parse(document.getElementById("film").textContent), at = document.getElementById("at");
const put = (id, text) => { document.getElementById(id).textContent = text; };
let playing = 0;
function show(n) {
  n = Math.max(0, Math.min(film.beats.length - 1, n));
  at.value = n;
  const beat = film.beats[n], rows = document.getElementById("values");
  document.getElementById("picture").innerHTML = beat.picture;
  put("words", beat.words);
  put("why", beat.why);
  for (const line of document.querySelectorAll("pre span")) line.className = line.id === beat.line ? "now" : "";
  rows.replaceChildren(...beat.values.map(([name, value, isNew]) => {
    const row = document.createElement("tr");
    for (const text of [name, value]) row.append(Object.assign(document.createElement("td"), {textContent: text}));
    if (isNew) row.className = "new";
    return row;
  }));
}
function play() {
  clearInterval(playing);
  playing = playing ? 0 : setInterval(() => { +at.value < film.beats.length - 1 ? show(+at.value + 1) : play(); }, 700);
  document.getElementById("play").textContent = playing ? "pause" : "play";
}
at.oninput = () => show(+at.value);
document.getElementById("back").onclick = () => show(+at.value - 1);
document.getElementById("on").onclick = () => show(+at.value + 1);
document.getElementById("play").onclick = play;
document.onkeydown = (key) => {
  const step = {ArrowLeft: -1, ArrowRight: 1, Home: -1e9, End: 1e9}[key.key];
  if (step && key.target !== at) { show(+at.value + step); key.preventDefault(); }
  if (key.key === " " && key.target.tagName !== "BUTTON") { play(); key.preventDefault(); }
};
show(0);
"""


def page(film: Recording, show: object = None) -> str:
    """The page of a film, with the views of its variables as `Watch` takes them."""
    story = Show(film, None, show)
    step = max(1, ceil(film.beats / MOST))
    beats = [told(story, beat) for beat in [*range(0, film.beats, step), film.beats]]
    data = json.dumps({"beats": beats}).replace("</", "<\\/")
    lines = []
    for source in film.sources:
        for number, text in enumerate(source.lines, source.first):
            lines.append(f'<span id="{escape(place(source.file, number))}">{number:4} {escape(text)}</span>')
    name = escape(film.name)
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{name}</title><style>{STYLE}</style></head>'
        f'<body><h1>{name}</h1><p><button id="back" aria-label="one beat back">&#9664;</button> '
        '<button id="play">play</button> <button id="on" aria-label="one beat on">&#9654;</button> '
        f'<input id="at" type="range" min="0" max="{len(beats) - 1}" value="0" aria-label="beat"></p>'
        '<p id="words" role="status" aria-live="polite"></p><main><div id="picture"></div>'
        f'<div id="side"><pre>{"".join(lines)}</pre><table id="values"></table><p id="why"></p></div></main>'
        f'<script type="application/json" id="film">{data}</script><script>{SCRIPT}</script></body></html>\n'
    )


def told(story: Show, beat: int) -> dict[str, object]:
    """A beat as the page tells it."""
    film, changes = story.film, story.changes(beat)
    new = {event.name for event in changes}
    why = ""
    if changes:
        chain = str(film.why(changes[-1])).split("\n")
        why = "\n".join([*chain[:CHAIN], *(["  and so on"] if len(chain) > CHAIN else [])])
    return {
        "picture": svg.paint(story.picture(beat)),
        "words": story.words(beat),
        "line": place(*film.line(beat)),
        "values": [[name, in_words(value), name in new] for name, value in story.variables(beat).items()],
        "why": why,
    }


def place(file: str, line: int) -> str:
    """A line of a file as the page knows it."""
    return f"{file}:{line}"
