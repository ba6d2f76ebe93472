"""The calls that run, each with its variables in words; what is not there yet says so."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from crashlab.base.errors import cut
from crashlab.drawing import primitives
from crashlab.drawing.charts import frame
from crashlab.drawing.shapes import Piece, Point, Polygon, Shape, Text, placed, slab
from crashlab.engine.notation import counted
from crashlab.watch.film_data import GLOBAL, Recording
from crashlab.watch.heap import in_words, whole
from crashlab.watch.views.object_boxes import inside, is_object

SIZE, HIGH = 15.0, 28.0  # of words, and pixels of a line
EDGE, GAP, APART = 12.0, 8.0, 5.0
LETTERS = 24  # of a value
MOST = 5  # calls that are told
LARGER = 1.5  # times as large as that it is drawn where there is nothing else
UNSET = "not set yet"
FrameShown = tuple[int, list[tuple[str, str]]]  # a call, and its variables with what they are


class Stack:
    """The calls of a film that run, and their variables but for those that are shown elsewhere."""

    def __init__(self, film: Recording, shown: Collection[str]) -> None:
        self.film, self.shown = film, shown
        self.own: dict[str, dict[str, None]] = {}  # by functions their variables, in their order
        for event in film.events:
            if event.key is None and event.name:
                owner = film.calls[event.owner].name if event.owner >= 0 else ""
                self.own.setdefault(owner, {})[event.name] = None
        self.sampled = range(film.beats, -1, -max(1, film.beats // 40))
        self.deep = max((len(film.running(beat)) for beat in self.sampled), default=1)

    @property
    def is_needed(self) -> bool:
        """Whether there is anything to tell."""
        return any(words for beat in self.sampled for _, words in self.told(beat))

    def told(self, beat: int) -> list[FrameShown]:
        """The calls that run, each with its variables: of what has a picture only what is hidden there."""
        running = [GLOBAL, *self.film.running(beat)]
        moment = self.film.moment(beat)
        pictured: dict[str, object] = {}
        found: list[FrameShown] = []
        for call in reversed(running):
            told = []
            for name in self.own.get(self.film.calls[call].name if call >= 0 else "", ()):
                is_set = (call, name) in moment.slots
                value = moment.slots.get((call, name))
                if is_object(value) or inside(value, moment.things):
                    continue
                if name in self.shown and (name not in pictured or pictured[name] is value):
                    pictured.setdefault(name, value)
                elif is_set:
                    told.append((name, cut(in_words(whole(value, moment.things)[0]), LETTERS)))
                elif call == running[-1]:
                    told.append((name, UNSET))
            if told or (call >= 0 and self.deep > 1):
                found.append((call, told))
        return found[::-1]

    def lines(self, call: int, told: Sequence[tuple[str, str]], wide: float) -> list[list[tuple[str, str, float]]]:
        """The name of a call and its variables in lines that are no wider, each with how wide it is."""
        parts = [(name, words, primitives.PER_EM * SIZE * (len(name) + len(words) + 2) + 12) for name, words in told]
        if self.deep > 1 and call >= 0:
            name = self.film.calls[call].name
            parts.insert(0, (name, "", primitives.PER_EM * SIZE * (len(name) + 1)))
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
        """How high it is at most."""
        return max(self.height(self.told(beat)[-MOST:], wide) for beat in self.sampled) + 8

    def height(self, calls: Sequence[FrameShown], wide: float) -> float:
        """How high these calls are."""
        lines = sum(len(self.lines(call, words, wide - 2 * EDGE - 16)) for call, words in calls)
        return 2 * EDGE + HIGH * lines + APART * len(calls)

    def piece(self, beat: int, lit: Mapping[int, Collection[str]], size: Point) -> Piece:
        """The calls after a beat; `lit` are the names that have just changed, by the calls that own them."""
        calls = self.told(beat)
        scale = LARGER if self.high(size[0] / LARGER) * LARGER <= size[1] else 1.0
        wide, high = size[0] / scale, size[1] / scale
        kept = len(calls)
        while kept > 1 and self.height(calls[-kept:], wide) + HIGH * (kept < len(calls)) > high:
            kept -= 1
        shapes: list[Shape] = []
        y = EDGE
        if kept < len(calls):
            words = f"{counted(len(calls) - kept, 'call')} above"
            shapes.append(Text(EDGE, y + HIGH / 2 - 4, words, SIZE - 2, "muted", "left"))
            y += HIGH - 8
        for call, told in calls[-kept:]:
            is_now = call == calls[-1][0]
            lines = self.lines(call, told, wide - 2 * EDGE - 8)
            if self.deep > 1 and call >= 0:
                ground = slab(EDGE - 4, y, wide - EDGE + 4, y + HIGH * len(lines) + 1, 6)
                shapes.append(Polygon(ground, "", *((primitives.GLOW, 2.0) if is_now else ("cell edge", 1.0))))
            for line in lines:
                x = EDGE + 4
                for name, value, long in line:
                    if value:
                        shapes += chip(name, value, x, y, long, name in lit.get(call, ()))
                    else:
                        shapes.append(Text(x, y + HIGH / 2, name, SIZE, "ink", "left", bold=is_now))
                    x += long + GAP
                y += HIGH
            y += APART
        return Piece(
            "", 0, 0, (*frame(*size, ""), *placed(Piece("", 0, 0, tuple(shapes), scale=scale))), label="variables"
        )


def chip(name: str, value: str, x: float, y: float, wide: float, is_lit: bool) -> list[Shape]:
    """A name and its value in a frame."""
    left = x + primitives.PER_EM * SIZE * (len(name) + 0.6)
    fill, edge, line = ("flash", primitives.GLOW, 2.0) if is_lit else ("cell", "cell edge", 0.8)
    paper = Polygon(slab(left, y + 2, x + wide, y + HIGH - 3, 4), fill, edge, line)
    is_unset = value == UNSET
    room = max(int((x + wide - left - 4) / (primitives.PER_EM * SIZE)), 1)
    words = value if len(value) <= room + 1 else f"{value[: max(room - 1, 1)]}…"
    ink = "muted" if is_unset else "flash ink" if is_lit else "ink"
    told = Text((left + x + wide) / 2, y + HIGH / 2 - 0.5, words, SIZE - 2 * is_unset, ink, bold=is_lit)
    return [Text(left - 5, y + HIGH / 2 - 0.5, name, SIZE, "ink", "right"), *([] if is_unset else [paper]), told]
