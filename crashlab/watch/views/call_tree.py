"""The calls of a function as a tree: the calls so far, the running ones, and those that were cut off.

A film with few calls has one layout with a place for every call, so that nothing moves. If there are many calls, only
the running ones and the calls they made are drawn, with their results; "+3" below a node counts its hidden calls.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import dist
from typing import Any

from crashlab.base.errors import as_float, truncate
from crashlab.drawing import primitives
from crashlab.drawing.shapes import Circle, Line, Piece, Point, Polygon, Shape, Text, slab
from crashlab.engine.game import State
from crashlab.engine.notation import counted
from crashlab.watch.film_data import Call, Recording
from crashlab.watch.things import ABSENT, Instance, in_words
from crashlab.watch.views.choose_view import Tree
from crashlab.watch.views.tree_layout import spread

MOST = 200  # maximum number of calls if all are drawn
DEEP = 20  # maximum number of rows; a deeper stack is folded in the middle
FIRST = 3  # rows of running calls above the fold
ROW = 26.0  # minimum distance of two rows, in pixels
READABLE = 30.0  # minimum distance of two nodes, in pixels, if not all calls are drawn
DENSE = 22.0  # minimum distance of two nodes, in pixels, if all calls are drawn
BOX = 34.0  # minimum distance of nodes, in pixels, for boxes with text
BEGINNING = 8  # length to which an argument is cut that is too long for a node
HIGH = 13.0  # half the height of a node with text
FOLD = 24.0  # minimum distance of nodes, in pixels, at which "+n" is written below them
ROOMY = 92.0  # minimum distance of nodes, in pixels, for larger text on both sides below them
WIDEST = 120.0  # maximum distance of two nodes, in pixels
TALLEST = 92.0  # maximum distance of two rows, in pixels
MARGIN = 26.0


Shapes = tuple[Shape, ...]


@dataclass(frozen=True)
class TreeLayout:
    """The places of calls, the node above each, and the number of calls folded under each."""

    places: Mapping[int, Point]
    over: Mapping[int, int]
    folded: Mapping[int, int]
    slot: float  # distance of neighbouring leaves, in pixels
    row: float  # distance of rows, in pixels


class CallTree:
    """The tree of a film's calls in a rectangle; `written` maps each part of a node to its variable."""

    def __init__(
        self, film: Recording, views: Mapping[str, Tree], corner: Point, size: Point, is_chosen: bool = False
    ) -> None:
        self.film, self.corner, self.size = film, corner, size
        self.rows = min(DEEP, max(int((size[1] - 2 * MARGIN) / ROW) + 1, FIRST + 3))  # number of rows that have room
        self.fits = max(int((size[0] - 2 * MARGIN) / READABLE), 3)  # number of readable calls side by side
        self.written = {view.part: name for name, view in views.items() if view.part != "node"}
        self.cut = next((view.cut for view in views.values() if view.cut), None)
        self.calls = film.calls
        self.depths = depths(self.calls)
        self.returning = {event.beat: event.call for event in film.events if event.kind == "return"}
        self.firsts = [call.first for call in self.calls]  # the first beat of each call
        self.labels = [labels_of(call) for call in self.calls]
        self.below: list[list[int]] = [[] for _ in self.calls]
        self.sizes = [0 for _ in self.calls]  # the number of calls below each
        for call in reversed(self.calls):
            if call.parent >= 0:
                self.below[call.parent].append(call.number)
                self.sizes[call.parent] += self.sizes[call.number] + 1
        for below in self.below:
            below.reverse()
        are_few = is_chosen or DENSE * sum(not below for below in self.below) <= size[0] - 2 * MARGIN
        self.is_small = (
            len(self.calls) <= MOST and max(self.depths, default=0) < self.rows and are_few
        )  # whether all calls are drawn
        self._kept: tuple[tuple[int, int], TreeLayout] | None = None
        self._nodes: dict[int, tuple[Any, Piece]] = {}
        self._words: dict[tuple[int, bool], str] = {}  # by call and whether it has ended
        self._lines: tuple[Any, Piece] | None = None
        self._lit: tuple[int, Collection[int]] = -1, ()  # the beat, and its running calls

    # Calls and their places

    def begun(self, beat: int) -> int:
        """Return the number of calls that have started by a beat, but at least 1 if there are any."""
        return max(bisect_right(self.firsts, beat), min(len(self.calls), 1))

    def running(self, beat: int) -> list[int]:
        """Return the running calls, outermost first; empty after the function has returned."""
        has_returned = beat == self.film.beats and not self.film.error and not self.film.stopped
        return [] if has_returned else self.film.running(beat)

    def are_lit(self, beat: int) -> Collection[int]:
        """Return the running calls as a set, cached for one beat."""
        if self._lit[0] != beat:
            self._lit = beat, {*self.running(beat)}
        return self._lit[1]

    def has_ended(self, call: int, beat: int) -> bool:
        """Return whether a call has returned or raised an exception."""
        return self.calls[call].last <= beat and (call not in self.are_lit(beat) or self.returning.get(beat) == call)

    def layout(self, beat: int) -> TreeLayout:
        """Return the layout of the calls after a beat, cached while the calls and their counts stay unchanged."""
        count, path = (len(self.calls), []) if self.is_small else (self.begun(beat), self.film.running(beat))
        key = count, path[-1] if path else -1
        if self._kept is None or self._kept[0] != key:
            visible = range(count) if self.is_small else self.near(count, path)
            folded = {} if self.is_small else {call: self.hidden(call, count, {*visible}) for call in visible}
            is_same = self._kept is not None and not self.is_small and self._kept[1].folded == folded
            layout = self._kept[1] if self._kept is not None and is_same else None
            self._kept = key, layout or laid_out(self.calls, visible, folded, self.corner, self.size)
        return self._kept[1]

    def near(self, count: int, path: Sequence[int]) -> list[int]:
        """Return the running calls and the latest calls they made; below the innermost one, whole rows of calls."""
        calls = {*path} if len(path) <= self.rows else {*path[:FIRST], *path[FIRST + 2 - self.rows :]}
        room = self.fits - 1
        for call in reversed(path):
            if room > 0 and call in calls:
                children = self.below[call][: bisect_left(self.below[call], count)]
                children = [child for child in children if child not in calls]
                calls.update(children[-room:])
                room -= len(children)
        row = [path[-1]] if path else []
        for _ in range(self.rows - len(path)):
            row = [child for call in row for child in self.below[call] if child < count]
            if not row or len(row) > room + 1:
                break
            calls.update(row)
        return sorted(calls)

    def hidden(self, call: int, count: int, visible: Collection[int]) -> int:
        """Count the hidden calls below a call."""
        children = self.below[call]
        return sum(self.sizes[child] + 1 for child in children[: bisect_left(children, count)] if child not in visible)

    def call_at(self, beat: int, x: float, y: float) -> int | None:
        """Return the call whose node is at this point; None if there is no node."""
        layout, count = self.layout(beat), self.begun(beat)
        near = [(dist(place, (x, y)), call) for call, place in layout.places.items() if call < count]
        far, call = min(near, default=(0.0, None))
        return call if far <= max(HIGH, layout.slot / 2) else None

    # Drawing

    def pieces(self, beat: int) -> list[Piece]:
        """Draw the tree after a beat: the lines, then the nodes."""
        layout, count, path = self.layout(beat), self.begun(beat), self.running(beat)
        now = path[-1] if path else -1
        visible = [call for call in layout.places if call < count]
        memo = id(layout), count, now
        if self._lines is None or self._lines[0] != memo:
            lines = [shape for call in visible for shape in self.line(call, layout, call in self.are_lit(beat))]
            if left_out := count - len(visible):
                corner = self.corner[0] + 8, self.corner[1] + self.size[1] - 12
                are = "is" if left_out == 1 else "are"
                lines.append(Text(*corner, f"{counted(left_out, 'call')} {are} folded", 13, "muted", "left"))
            self._lines = memo, Piece("calls", 0, 0, tuple(lines))
        return [self._lines[1], *(self.node_once(call, beat, layout, call == now) for call in visible)]

    def node_once(self, call: int, beat: int, layout: TreeLayout, is_now: bool) -> Piece:
        """Draw a node, or reuse its piece if it has not changed."""
        texts = [short(self.value(call, name, beat)) for name in self.written.values()]
        last = self.calls[call].last
        moment = call in self.are_lit(beat), is_now, beat == last, beat > last
        state = layout.slot, layout.row, layout.folded.get(call), moment, texts
        cached, (x, y) = self._nodes.get(call), layout.places[call]
        piece = cached[1] if cached is not None and cached[0] == state else self.node(call, beat, layout, is_now)
        self._nodes[call] = state, piece if (piece.x, piece.y) == (x, y) else replace(piece, x=x, y=y)
        return self._nodes[call][1]

    def line(self, call: int, layout: TreeLayout, lit: bool) -> list[Shape]:
        """Draw the line from a call up to the node above it, broken if calls between them are folded."""
        over = layout.over.get(call)
        if over is None:
            return []
        start, end = layout.places[over], layout.places[call]
        is_whole = self.calls[call].parent == over
        broken = (start, primitives.between(start, end, 0.35)), (primitives.between(start, end, 0.65), end)
        looks = (("flash edge", 5.0), ("flash", 3.0)) if lit else (("muted", 1.3),)
        lines: list[Shape] = [Line(pair, *look) for pair in ([(start, end)] if is_whole else broken) for look in looks]
        skipped = f"{self.depths[call] - self.depths[over] - 1} more"
        return lines if is_whole else [*lines, Text(*primitives.between(start, end, 0.5), skipped, 13, "ink")]

    def node(self, call: int, beat: int, layout: TreeLayout, is_now: bool) -> Piece:
        """Draw a call: lit while it runs, grey if it was cut off, red if it failed."""
        ended, is_lit = self.has_ended(call, beat), call in self.are_lit(beat)
        failed = ended and bool(self.calls[call].error)
        is_cut = ended and self.is_cut(call, beat)
        fill, edge, ink = ("flash", "flash edge", "flash ink") if is_lit else ("cell", "muted", "ink")
        if failed:
            fill, edge, ink = "cell", "loss", "loss"
        elif is_cut:
            fill, edge, ink = "nobody", "cell edge", "nobody ink"
        words = self.words_on(call, beat, ended, layout)
        wide = 4.0 if is_now else 2.0 if is_lit else 1.3
        folded = layout.folded.get(call, 0) if layout.slot >= FOLD else 0
        shapes = body(words, layout.slot, layout.row, (fill, edge, ink), wide, folded)
        if more := [*self.beside(call, beat, layout), *(scissors(layout) if is_cut else ())]:
            shapes = *shapes, *more
        return Piece(f"call {call}", *layout.places[call], shapes, label=self.words(call, beat))

    def words_on(self, call: int, beat: int, ended: bool, layout: TreeLayout) -> str:
        """Return the text of a node: the chosen variable, else the arguments and the result (if any)."""
        name = self.written.get("value", "")
        if (value := self.value(call, name, beat)) is not ABSENT:
            return short(value)
        text, result = self.labels[call]
        text = "" if name else text
        if not ended or not result:
            return text
        both = f"{text} {result}".strip()
        return both if layout.slot >= max(BOX, primitives.PER_EM * 10 * len(both) + 10) else result

    def beside(self, call: int, beat: int, layout: TreeLayout) -> list[Shape]:
        """Write the variables below a node, on its left and on its right."""
        across, size = min(layout.slot / 2 - 4, 44), 12.0 if layout.slot >= ROOMY else 10.0
        sides = [side for side in (("left", -across), ("right", across)) if side[0] in self.written]
        values = [(part, x, self.value(call, self.written[part], beat)) for part, x in sides if layout.slot >= BOX]
        return [
            Text(x, HIGH + 8, short(value), size, "muted", part) for part, x, value in values if value is not ABSENT
        ]

    # Data of a call

    @cached_property
    def history(self) -> dict[tuple[int, str], tuple[list[int], list[Any]]]:
        """The beats and values of each assignment, by call and variable."""
        names = {*self.written.values()}
        by_variable: dict[tuple[int, str], tuple[list[int], list[Any]]] = {}
        for event in self.film.events:
            if event.key is None and event.name in names:
                beats, values = by_variable.setdefault((event.owner, event.name), ([], []))
                beats.append(event.beat)
                values.append(event.after)
        return by_variable

    def value(self, call: int, name: str, beat: int) -> Any:
        """Return a variable of a call after a beat: its last value, else the argument, else ABSENT."""
        beats, values = self.history.get((call, name), ([], []))
        place = bisect_right(beats, beat)
        return values[place - 1] if place else self.calls[call].arguments.get(name, ABSENT)

    def is_cut(self, call: int, beat: int) -> bool:
        """Return whether the rest of a call was cut off.

        The user's `cut` decides; by default, the value on the call's left must be at least the one on its right.
        """
        if self.cut:
            record = self.calls[call]
            try:
                return bool(self.cut({**record.arguments, **self.film.at(min(record.last, beat), call)}))
            except Exception:  # the user's function need not accept every call
                return False
        low, high = (self.written.get(part) for part in ("left", "right"))
        if not low or not high:
            return False
        return as_float(self.value(call, low, beat)) >= as_float(self.value(call, high, beat))

    def words(self, call: int, beat: int) -> str:
        """Describe a call as code, with its result or exception if it has ended."""
        mark = call, self.has_ended(call, beat)
        if mark not in self._words:
            record = self.calls[call]
            small = {name: value for name, value in record.arguments.items() if not isinstance(value, State)}
            gives = "" if record.result is ABSENT else f" gives {short(record.result, 24)}"
            ends = f" raises {truncate(record.error, 40)}" if record.error else gives
            arguments = ", ".join(f"{name}={short(value, 24)}" for name, value in small.items())
            self._words[mark] = f"{record.name}({arguments}){ends if mark[1] else ''}"
        return self._words[mark]


@lru_cache(maxsize=4096)
def body(words: str, slot: float, row: float, colours: tuple[str, str, str], wide: float, folded: int) -> Shapes:
    """Draw a node with its text (if it has room), and below it the number of calls folded under it."""
    fill, edge, ink = colours
    half = slot / 2 - 2
    below = (Text(0, HIGH + 12, f"+{folded}", 12, "muted"),) if folded else ()
    if slot < BOX:
        far = min(max(half + 1, 2.0), HIGH, row / 3)
        dot = Circle(0, 0, far, fill, edge, min(wide, max(half, 1)))
        size = min(1.2 * far, 1.8 * far / (primitives.PER_EM * max(len(words), 1)))
        return (dot, Text(0, 0, words, size, ink, bold=True), *below) if size >= 8 and words else (dot, *below)
    tall = min(HIGH, max(row / 3, 6.0))
    size = min(14.0, 1.7 * tall, 2 * (half - 3) / (primitives.PER_EM * max(len(words), 1)))
    if size < 8:
        fits = int(2 * (half - 3) / (primitives.PER_EM * 9))
        words, size = f"{words[: max(fits - 1, 1)]}…", 9.0
    box = slab(-half, -tall, half, tall, min(8, tall))
    return (Polygon(box, fill, edge, wide), Text(0, 0, words, size, ink, bold=True), *below)


def depths(calls: Iterable[Call]) -> list[int]:
    """Return the depth of each call: 0 for the outermost ones."""
    depths: list[int] = []
    for call in calls:
        depths.append(depths[call.parent] + 1 if call.parent >= 0 else 0)
    return depths


def laid_out(
    calls: Sequence[Call], visible: Sequence[int], folded: Mapping[int, int], corner: Point, size: Point
) -> TreeLayout:
    """Lay out these calls: one column for each leaf, a caller above the middle of the calls it made."""
    over: dict[int, int] = {}
    below: dict[int, list[int]] = {call: [] for call in (-1, *visible)}
    rows: dict[int, int] = {}
    for call in visible:
        up = calls[call].parent
        while up not in below:
            up = calls[up].parent
        rows[call] = rows[up] + (1 if up == calls[call].parent else 2) if up >= 0 else 0  # a fold takes a row
        below[up].append(call)
        if up >= 0:
            over[call] = up
    columns = {call: column for call, (column, _) in spread(below[-1], lambda call: below[call]).items()}
    leaves = sum(not below[call] for call in visible)
    wide, high = size[0] - 2 * MARGIN, size[1] - 2 * MARGIN
    slot = min(wide / max(leaves, 1), WIDEST)
    row = min(high / max(max(rows.values(), default=0), 1), TALLEST)
    left = corner[0] + MARGIN + (wide - slot * (leaves - 1)) / 2
    places = {call: (left + slot * columns[call], corner[1] + MARGIN + row * rows[call]) for call in visible}
    return TreeLayout(places, over, folded, slot, row)


def labels_of(call: Call) -> tuple[str, str]:
    """Return the short texts of a call's arguments, or its name, and of its result.

    The result is "" if it is None or missing, or if it is long and there are short arguments.
    """
    values = call.arguments.values()
    arguments = [value if isinstance(value, str) else short(value) for value in values if is_brief(value)]
    is_told = call.result is not ABSENT and call.result is not None and (not arguments or is_brief(call.result))
    if not arguments:  # the beginning of a list says more than the name of the function
        arguments = [short(value, BEGINNING) for value in values if isinstance(value, list | tuple | str)][:1]
    return ", ".join(arguments) or call.name, f"→ {short(call.result)}" if is_told else ""


def scissors(layout: TreeLayout) -> list[Shape]:
    """Draw two short lines below a node, which show that the rest of the call was cut off."""
    if layout.slot < 8:
        return []
    half = min(layout.slot / 3, 12)
    return [
        Line(((half * 0.4, HIGH * 0.8), (half, HIGH + 9)), "muted", 1.3),
        Line(((half * 0.55, HIGH + 10), (half * 1.45, HIGH + 6)), "loss", 2),
    ]


def short(value: object, most: int = 12) -> str:
    """Return a short text of a value."""
    number = as_float(value)
    if number == number and isinstance(value, float):
        return f"{value:.3g}"
    if isinstance(value, Instance):
        first = next(iter(value.attributes.values()), None)
        return truncate(value.name if first is None else f"{value.name} {in_words(first)}", most)
    return truncate(in_words(value), most)


def is_brief(value: object) -> bool:
    """Return whether a value is short enough for a node."""
    return not isinstance(value, dict | set) and len(in_words(value)) <= 12
