"""The source of a watched function and its variables, as HTML in which lines and names can be clicked.

`data-pick` says what a click means; `page/static/sourceClicks.js` tells it to the kernel. Every part is as high as it
ever gets, so that nothing moves under the mouse.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from html import escape
from math import ceil
from typing import Any

from crashlab.base.errors import cut
from crashlab.drawing.styles import QUOTE
from crashlab.engine.notation import counted
from crashlab.watch import ABSENT, Source, VariableChange
from crashlab.watch.heap import in_words
from crashlab.watch.views.charts import keys_of
from crashlab.watch.views.choose_view import is_container

ROWS = 14  # rows of source that are shown at once
WIDE = 32  # letters for which a row has room at least; longer lines are wrapped
CHIPS = 16  # things of a container that are told
LETTERS = 26  # of one of them
CHAIN = 6  # links of a chain of causes that are told
STYLE = """<style>
.crashlab-source { font: var(--crashlab-small, 13px)/1.45 var(--jp-code-font-family, monospace); }
.crashlab-source { white-space: pre-wrap; overflow-wrap: anywhere; overflow: hidden auto; scrollbar-width: none; }
.crashlab-source > div { cursor: pointer; padding-left: 8ch; text-indent: -8ch; }
.crashlab-source > div:hover { background: rgb(128 128 128 / 20%); }
.crashlab-source i, .crashlab-value small, .crashlab-why small { font-style: normal; font-size: 100%; opacity: 0.65; }
.crashlab-value { height: 1.6em; margin: 0 0 3px; font-size: var(--crashlab-small, 13px); line-height: 1.5; }
.crashlab-value { overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
.crashlab-value.crashlab-large { height: 4.7em; white-space: normal; }
.crashlab-value > button { padding: 0 4px 0 0; border: 0; font: inherit; font-weight: 700; color: inherit;
  background: none; text-decoration: underline dotted; cursor: pointer; }
.crashlab-aside .widget-html-content { min-width: 0; }
.crashlab-chip { display: inline-block; margin: 0 4px 2px 0; padding: 0 4px; line-height: 1.3; border-radius: 4px;
  border: 1px solid var(--jp-border-color1, #c0c0c0); }
.crashlab-source > .crashlab-lit, .crashlab-value .crashlab-lit { color: #1f1b16; background: #ffd21f; }
.crashlab-why { """ + QUOTE + """; line-height: 1.35; }
</style>"""


def listing(
    source: Source | None, line: int, rows: int, counts: Mapping[tuple[str, int], int] | None, runs: bool
) -> str:
    """The source with the running line lit, and how often each line runs in all, if that may be known.

    Of a long one it is the part round that line.
    """
    rows = min(rows, ROWS)
    high = f"<div class='crashlab-source' style='height: {1.45 * rows:.2f}em'>"
    if source is None:
        return f"{high}The source of line {line} cannot be found.</div>"
    place, half, texts = line - source.first, rows // 2 or 1, source.lines
    first = max(place - half, 0) // half * half if wrapped(texts) > rows else 0
    while first and wrapped(texts[first - 1 :]) <= rows:
        first -= 1
    while first < place and wrapped(texts[first : place + 1]) > rows:
        first += 1
    last = next(n for n in range(len(texts), first, -1) if n == first + 1 or wrapped(texts[first:n]) <= rows)
    last = max(last, min(first + rows, len(texts)))  # where no line is wrapped, as on the full screen, there is room
    parts = []
    for number, text in enumerate(texts[first:last], source.first + first):
        lit = runs and number == line
        often = f" runs {counted(counts.get((source.file, number), 0), 'time')}" if counts is not None else ""
        title = f"Line {number}{often}; a click runs to what it changes next"
        parts.append(
            f"<div data-pick='line {number}' title='{title}'{' class=crashlab-lit' if lit else ''}>"
            f"<i>{'▸' if lit else ' '}{number:>3}  </i>{escape(text) or ' '}</div>"
        )
    return f"{high}{''.join(parts)}</div>"


def wrapped(lines: Sequence[str]) -> int:
    """How many rows lines take."""
    return sum(max(ceil((len(line) + 6) / WIDE), 1) for line in lines)


def variables(
    names: Sequence[str], large: Collection[str], values: Mapping[str, Any], changes: Sequence[VariableChange]
) -> str:
    """The variables with their values, those that have just changed lit; the `large` ones have two lines more."""
    return "".join(
        variable(place, name, name in large, values.get(name, ABSENT), changes) for place, name in enumerate(names, 1)
    )


def variable(place: int, name: str, is_large: bool, value: object, changes: Sequence[VariableChange]) -> str:
    """One variable: its name, what it is, and of a container a part of what it holds."""
    own = [event for event in changes if event.name == name]
    said = escape(name, quote=True)
    key = f" (key {place})" if place < 10 else ""
    title = f"A click runs to the next change of {said}{key}"
    lit = " class=crashlab-lit" if own else ""
    head = f"<button tabindex='-1' data-pick='name {said}' title='{title}'{lit}>{said}</button>"
    if value is ABSENT:
        inner = "<small>not set yet</small>"
    elif not is_container(value):
        inner = chip(cut(in_words(value), 200), bool(own))
    else:
        line = "div" if is_large else "span"
        inner = f"<small>{len(value)}</small> <{line}>{chips(value, own)}</{line}>"  # type: ignore[arg-type]
    return f"<div class='crashlab-value{' crashlab-large' if is_large else ''}'>{head}{inner}</div>"


def chips(value: Any, changes: Iterable[VariableChange]) -> str:
    """What a container holds: of a dict what came last, of a list what is at its beginning or has just changed."""
    lit = {keys[0] for event in changes if (keys := keys_of(event.key)) and event.after is not ABSENT}
    places = [*value][::-1] if isinstance(value, Mapping) else [*value] if is_set(value) else range(len(value))
    middle = next((place for place, key in enumerate(places) if key in lit), 0)
    first = middle - 2 if middle > 4 else 0
    shown = [chip(cut(told(value, key), LETTERS), key in lit) for key in places[first : first + CHIPS]]
    return ("… " if first else "") + "".join(shown)


def told(value: Any, key: Any) -> str:
    """What a container has at a key, in words."""
    if is_set(value):
        return in_words(key)
    return f"{in_words(key)}: {in_words(value[key])}" if isinstance(value, Mapping) else in_words(value[key])


def is_set(value: object) -> bool:
    """Whether a container has no keys."""
    return isinstance(value, set | frozenset)


def chip(words: str, is_lit: bool) -> str:
    """A value in a frame."""
    return f"<span class='crashlab-chip{' crashlab-lit' if is_lit else ''}'>{escape(words)}</span>"


def explained(chain: Sequence[VariableChange]) -> str:
    """A change, the line that made it, and why, as far back as there is room for."""
    told = []
    for number, event in enumerate(chain[:CHAIN]):
        because = "<i>because</i> " if number else ""
        line = f"line {event.line}: <code>{escape(cut(' '.join(event.source.split()), 60))}</code>"
        told.append(f"<div>{because}<b>{escape(cut(event.words, 90))}</b> <small>{line}</small></div>")
    if len(chain) > CHAIN:
        last = escape(cut(chain[-1].words, 60))
        told.append(f"<div>and so on, {len(chain) - CHAIN} more, back to <b>{last}</b></div>")
    return f"<div class='crashlab-why'>{''.join(told)}</div>"
