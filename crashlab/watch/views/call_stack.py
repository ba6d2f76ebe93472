"""The running calls, each with its variables in words; a variable without a value is "not set yet"."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from crashlab.base.errors import truncate
from crashlab.drawing import primitives
from crashlab.drawing.charts import frame
from crashlab.drawing.shapes import Piece, Point, Polygon, Shape, Text, slab
from crashlab.engine.notation import counted
from crashlab.watch.film_data import GLOBAL, Recording
from crashlab.watch.things import in_words
from crashlab.watch.views.object_boxes import inside, is_object

SIZE, HIGH = 15.0, 28.0  # the size of text, and the height of a line, in pixels
EDGE, GAP, APART = 12.0, 14.0, 5.0
LETTERS = 24  # longest text of a value
MOST = 5  # maximum number of calls for which room is reserved
MAX_CALLS = 12  # maximum number of innermost calls whose variables are read
LARGER = 1.5  # the scale if there is room for it
UNSET = "not set yet"
RETURNS = "returns"
FrameShown = tuple[int, list[tuple[str, str]]]  # a call, and its variables with their values as text


class Stack:
    """The running calls of a film, with the variables that are not shown elsewhere."""

    def __init__(self, film: Recording, shown: Collection[str]) -> None:
        self.film, self.shown = film, shown
        self.by_function: dict[str, dict[str, None]] = {}  # by function: its variables, in order of appearance
        for event in film.events:
            if event.key is None and event.name:
                owner = film.calls[event.owner].name if event.owner >= 0 else ""
                self.by_function.setdefault(owner, {})[event.name] = None
        self.returning = {event.beat: event for event in film.events if event.kind == "return"}
        self._high: dict[float, float] = {}  # by width
        self._drawn: tuple[Any, list[Piece]] | None = None
        sampled = range(film.beats, -1, -max(1, film.beats // 40))[::-1]
        self.deep = max((len(film.running(beat)) for beat in sampled), default=1)
        self._samples = [self.frames(beat) for beat in sampled]
        self.is_needed = any(words for calls in self._samples for _, words in calls)  # whether any variable is shown

    def frames(self, beat: int) -> list[FrameShown]:
        """Return the innermost running calls, the outermost of them first, each with its variables.

        A variable with a picture is omitted, unless the picture shows an inner call's variable of the same name.
        """
        running = [GLOBAL, *self.film.running(beat)]
        moment = self.film.moment(beat)
        pictured: dict[str, object] = {}
        frames: list[FrameShown] = []
        for call in reversed(running):
            if len(frames) > MAX_CALLS:
                break
            variables = []
            for name in self.by_function.get(self.film.calls[call].name if call >= 0 else "", ()):
                by_name = moment.variables.get(call, {})
                is_set, value = name in by_name, by_name.get(name)
                if is_object(value) or inside(value, moment.things):
                    continue
                if name in self.shown and (name not in pictured or pictured[name] is value):
                    pictured.setdefault(name, value)
                elif is_set:
                    variables.append((name, truncate(in_words(moment.copy(value)), LETTERS)))
                elif call == running[-1] and beat not in self.returning:
                    variables.append((name, UNSET))
            if call == running[-1] and (event := self.returning.get(beat)):
                variables.append((RETURNS, truncate(in_words(event.after), LETTERS)))
            if variables or (call >= 0 and self.deep > 1):
                frames.append((call, variables))
        return frames[::-1]

    def lines(self, call: int, variables: Sequence[tuple[str, str]], wide: float) -> list[list[tuple[str, str, float]]]:
        """Arrange the name and the variables of a call in lines of at most this width, each with its own width."""
        parts = [
            (name, words, primitives.PER_EM * SIZE * (len(name) + len(words) + 2) + 12) for name, words in variables
        ]
        if self.deep > 1 and call >= 0:
            name = self.film.calls[call].name
            parts.insert(0, (name, "", primitives.PER_EM * SIZE * (len(name) + 2)))
        lines: list[list[tuple[str, str, float]]] = []
        left = wide
        for name, words, long in parts:
            if left + long > wide:
                lines.append([])
                left = 0.0
            lines[-1].append((name, words, min(long, wide)))
            left += long + GAP
        return lines

    def high(self, wide: float) -> float:
        """Return the greatest height at a width, measured on samples of the film."""
        if wide not in self._high:
            calls = [calls[-MOST:] for calls in self._samples]
            heights = ((HIGH * len(self.lines(*call, wide - 2 * EDGE - 16)) + APART for call in some) for some in calls)
            self._high[wide] = 2 * EDGE + max(map(sum, heights)) + 8
        return self._high[wide]

    def pieces(self, beat: int, lit: Collection[tuple[int, str]], at: Point, size: Point) -> Iterator[Piece]:
        """Yield the pieces after a beat; `lit` holds the (call, name) pairs of variables that have just changed."""
        calls = self.frames(beat)
        count = max(len(self.film.running(beat)), len(calls)) if len(calls) > MAX_CALLS else len(calls)
        memo = calls, count, lit, size
        if self._drawn is None or self._drawn[0] != memo:
            self._drawn = memo, self.drawn(calls, count, lit, size)
        for piece in self._drawn[1]:
            yield replace(piece, x=at[0], y=at[1])

    def drawn(
        self, calls: Sequence[FrameShown], count: int, lit: Collection[tuple[int, str]], size: Point
    ) -> list[Piece]:
        """Draw the innermost calls that have room, in a rectangle from (0, 0), and how many of `count` are above."""
        scale = LARGER if self.high(size[0] / LARGER) * LARGER <= size[1] else 1.0
        wide, high = size[0] / scale, size[1] / scale
        visible, room = len(calls), high - 2 * EDGE
        for number, (call, words) in enumerate(reversed(calls)):
            room -= HIGH * len(self.lines(call, words, wide - 2 * EDGE - 16)) + APART
            if number and room < HIGH * (number < len(calls) - 1 or count > len(calls)):
                visible = number
                break
        above = count - visible
        shapes: list[Shape] = []
        y = EDGE
        if above:
            shapes.append(Text(EDGE, y + HIGH / 2 - 4, f"{counted(above, 'call')} above", SIZE - 2, "muted", "left"))
            y += HIGH - 8
        for call, variables in calls[-visible:]:
            is_now = call == calls[-1][0]
            lines = self.lines(call, variables, wide - 2 * EDGE - 8)
            if self.deep > 1 and call >= 0:
                paper = slab(EDGE - 4, y, wide - EDGE + 4, y + HIGH * len(lines) + 1, 6)
                shapes.append(Polygon(paper, "", *((primitives.GLOW, 2.0) if is_now else ("cell edge", 1.0))))
            for line in lines:
                x = EDGE + 4
                for name, value, long in line:
                    if value:
                        shapes += chip(name, value, x, y, long, name == RETURNS or (call, name) in lit)
                    else:
                        shapes.append(Text(x, y + HIGH / 2, name, SIZE, "ink", "left", bold=is_now))
                    x += long + GAP
                y += HIGH
            y += APART
        ground = Piece("stack ground", 0, 0, tuple(frame(*size, "")), label="variables")
        return [ground, Piece("stack", 0, 0, tuple(shapes), scale=scale, label="variables")]


@lru_cache(maxsize=4096)
def chip(name: str, value: str, x: float, y: float, wide: float, is_lit: bool) -> tuple[Shape, ...]:
    """Draw a name and its value, the value in a frame unless it is not set yet."""
    left = x + primitives.PER_EM * SIZE * (len(name) + 0.6)
    fill, edge, line = ("flash", primitives.GLOW, 2.0) if is_lit else ("cell", "cell edge", 0.8)
    paper = Polygon(slab(left, y + 2, x + wide, y + HIGH - 3, 4), fill, edge, line)
    is_unset = value == UNSET
    room = max(int((x + wide - left - 4) / (primitives.PER_EM * SIZE)), 1)
    words = value if len(value) <= room + 1 else f"{value[: max(room - 1, 1)]}…"
    ink = "muted" if is_unset else "flash ink" if is_lit else "ink"
    value_text = Text((left + x + wide) / 2, y + HIGH / 2 - 0.5, words, SIZE - 2 * is_unset, ink, bold=is_lit)
    name_text = Text(left - 5, y + HIGH / 2 - 0.5, name, SIZE, "ink", "right")
    return (name_text, value_text) if is_unset else (name_text, paper, value_text)
