"""A film with a board and views, as a story: what the lab leads through, and what slides show.

The largest part is the board, else the tree of calls, else what is drawn on paper; what is left stands in a strip on
its right. Every part keeps its place from beat to beat.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from math import ceil, dist, isfinite, sqrt
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from crashlab.base.errors import CrashlabError, cut, real, shown
from crashlab.drawing import primitives
from crashlab.drawing.shapes import Colours, Picture, Piece, Point, Polygon, Shape, Text, placed, spots
from crashlab.engine.game import State
from crashlab.engine.notation import counted
from crashlab.watch.heap import ABSENT, Words, in_words
from crashlab.watch.recording import Change, Recording
from crashlab.watch.views import charts
from crashlab.watch.views.board_marks import Signs, is_place, radius, remembered, worth
from crashlab.watch.views.call_tree import CallTree
from crashlab.watch.views.choose_view import OnBoard, Paper, Tree, Views, checked, fitting, names_of, table, values_of
from crashlab.watch.views.cursors import cursors_of, row

if TYPE_CHECKING:
    from crashlab.drawing.tween import Effects

SIZE = 760.0, 540.0  # of a tree, or of paper, without a board
STRIP = 360.0  # pixels that the strip is wide
LOW = 170.0  # pixels that it is high where it lies below the board
CROP = 8.0  # pixels right of a map that are shown
CAPTION = 84.0  # pixels below a picture of a film
LETTERS = 110  # of a value in words
KEPT = 300  # beats whose variables are remembered
SCENES = 80  # beats of a GIF, at most
INSET = 0.44  # the share of the picture that the position of a call takes
VARIABLES = "variables"


class Show:
    """A film, the board that it is shown on, and the views of its variables."""

    stop = ""
    stops: Sequence[int] = ()

    def __init__(self, film: Recording, board: State | None = None, show: object = None) -> None:
        if not isinstance(film, Recording):
            raise CrashlabError(f"a film is shown, as crashlab.record(function, ...) makes it, not {shown(film)}")
        if board is not None and not isinstance(board, State):
            raise CrashlabError(f"board={shown(board)}: give a State, as game.start() does")
        self.film, self.board = film, board
        self.place = remembered(board.place) if board else None
        is_free = show is None
        self.views: Views = fitting(film, self.place) if is_free else checked(show, film, board is not None)
        self.names = names_of(film)
        self.values = values_of(film)
        self._known: dict[int, dict[str, Any]] = {}
        self.papers = [(name, view) for name, views in self.views.items() for view in views if isinstance(view, Paper)]
        if is_free and board and self._on_board:
            self.papers = []
        trees = {name: view for name, views in self.views.items() for view in views if isinstance(view, Tree)}
        self.ground = self._ground()
        if not (board or trees or self.papers):
            self.papers = [(VARIABLES, table)]
        self.tree = CallTree(film, trees, *self._room_of_tree()) if trees else None

    # What happens

    @property
    def beats(self) -> int:
        """The number of the last beat."""
        return self.film.beats

    @property
    def events(self) -> list[tuple[int, Change]]:
        """All changes, each with its beat."""
        return self._events

    @cached_property
    def _events(self) -> list[tuple[int, Change]]:
        return [(event.beat, event) for event in self.film.events]

    @cached_property
    def _changes(self) -> dict[int, list[Change]]:
        found: dict[int, list[Change]] = {}
        for event in self.film.events:
            found.setdefault(event.beat, []).append(event)
        return found

    def changes(self, beat: int) -> Sequence[Change]:
        """What changes in a beat."""
        return self._changes.get(beat, ())

    def lines(self) -> Sequence[str]:
        """Changes are not listed: they are too many."""
        return ()

    def variables(self, beat: int) -> dict[str, Any]:
        """The watched variables after a beat; an exception, which has no name, is none."""
        if beat not in self._known:
            if len(self._known) >= KEPT:
                self._known.clear()
            self._known[beat] = {name: value for name, value in self.film.at(beat).items() if name}
        return self._known[beat]

    def words(self, beat: int) -> str:
        """What a beat changes, in which line; at the end also how it ended."""
        if beat == 0:
            ending = "" if self.beats else self.ending
            return f"Before {self.film.name}. It has {counted(self.beats, 'beat')}.{ending}"
        told = "; ".join(cut(words_of(event), LETTERS) for event in self.changes(beat))
        ending = self.ending if beat == self.beats else ""
        return f"Beat {beat} of {self.beats}: {told} (line {self.film.line(beat)[1]}).{ending}"

    @property
    def ending(self) -> str:
        """How the function ended, in a sentence."""
        if self.film.stopped:
            return f" {self.film.stopped[0].upper()}{self.film.stopped[1:].rstrip('.')}."
        is_cell = self.film.name == "cell" and self.film.result is None
        return "" if self.film.error or is_cell else f" It returned {cut(self.film.returned, LETTERS)}."

    def stops_of(self, name: str) -> list[int]:
        """The beats in which a variable changes."""
        return [beat for beat, events in self._changes.items() if any(event.name == name for event in events)]

    def stops_at(self, file: str, line: int) -> list[int]:
        """The beats that a line makes."""
        return [beat for beat in range(1, self.beats + 1) if self.film.line(beat) == (file, line)]

    def over(self, beat: int) -> int:
        """The next beat of the call that runs, or of one of its callers: what it calls is stepped over."""
        here = self.film.call(beat)
        for later in range(beat + 1, self.beats + 1):
            call = self.film.call(later)
            while call > here:
                call = self.film.calls[call].parent
            if call != here or self.film.call(later) == here:
                return later
        return self.beats

    def done(self, beat: int) -> dict[str, int]:
        """How many calls have begun and how often each variable has changed until a beat."""
        events = [event.name for event in self.film.events if event.beat <= beat]
        calls = sum(call.first <= beat for call in self.film.calls)
        return {"calls": calls, **{f"changes of {name}": events.count(name) for name in self.names}}

    # The picture

    def picture(self, beat: int) -> Picture:
        """How it looks after a beat."""
        values = self.variables(beat)
        changes = self.changes(beat)
        pieces: list[Piece] = []
        for name, sign in self.signs.items():
            if name in values:
                pieces += sign.pieces(values[name], places_of(values[name], name, changes))
        if self.tree:
            pieces += self.tree.pieces(beat)
        pieces += [self._sheet(name, view, at, size, beat) for (name, view), (at, size) in self.sheets]
        told = [f"{name} = {cut(in_words(value), LETTERS)}" for name, value in values.items()]
        words = " ".join([self.words(beat), *([". ".join(told) + "."] if told else []), self.ground.words])
        return replace(self.ground, pieces=tuple(pieces), words=words)

    def effects(self, beat: int) -> Effects:
        """Rings that widen where something on the board changes."""
        values = self.variables(beat)
        found: list[primitives.Effect] = []
        for name in self.signs:
            for each in places_of(values.get(name, ABSENT), name, self.changes(beat)):
                if self.place and (at := self.place(each)):
                    found.append(primitives.ring_out(f"{name} {each} changes", at, name))
        return found

    def ways(self, beat: int) -> Iterable[Shape]:
        """Nothing: why something is what it is stands on the board when it is asked for; see `way`."""
        return ()

    def way(self, event: Change) -> tuple[Shape, ...]:
        """The places for which a dict got something on the way to a change, as a line; the index of a list is none."""
        if self.place is None or event.key is None or not isinstance(self.film.at(event.beat).get(event.name), Mapping):
            return ()
        steps = [step for step in self.film.why(event).events if step.name == event.name]
        keys = [key for step in steps for key in charts.keys_of(step.key)[:1] or first_key(step.after)]
        points = [at for at in dict.fromkeys(map(self.place, keys)) if at]
        return primitives.way(points[::-1], "flash edge", 4, 8, arrow=False) if len(points) > 1 else ()

    def places(self) -> list[Point]:
        """The whole map is looked at; of one that few things lie on, those."""
        picture = self.board.picture() if self.board else None
        is_small = picture and picture.map and picture.map.room
        return [(piece.x, piece.y) for piece in picture.pieces] if picture and is_small else []

    def captioned(self, beat: int) -> Picture:
        """The picture with its beat, its line and its signs in words below it."""
        picture = self.picture(beat)
        wide, high = picture.width, picture.height
        fits = int((wide - 24) / (primitives.PER_EM * 15))
        source = " ".join(self.changes(beat)[-1].source.split()) if self.changes(beat) else self.film.name
        lines = wrap(self.words(beat), fits)
        shapes: tuple[Shape, ...] = (
            Polygon(((0, high), (wide, high), (wide, high + CAPTION), (0, high + CAPTION)), "panel"),
            *(Text(12, high + 16 + 20 * row, line, 15, "ink", "left", bold=True) for row, line in enumerate(lines[:2])),
            Text(12, high + 56, source[:fits], 14, "muted", "left"),
            Text(12, high + 74, "   ".join(self.legend)[:fits], 14, "muted", "left"),
        )
        return replace(picture, height=high + CAPTION, board=(*picture.board, *shapes))

    @property
    def legend(self) -> list[str]:
        """What the signs on the board stand for."""
        return [f"{name}: {sign_words(sign, self.values[name])}" for name, sign in self.signs.items()]

    def scenes(self) -> list[tuple[Picture, Effects]]:
        """The film for a GIF; of a long one some beats, equally far apart."""
        step = max(1, ceil(self.beats / SCENES))
        return [(self.captioned(beat), self.effects(beat)) for beat in [*range(0, self.beats, step), self.beats]]

    # Its parts

    @property
    def name(self) -> str:
        """The function that is filmed."""
        return self.film.name

    @property
    def _on_board(self) -> dict[str, OnBoard]:
        return {name: view for name, views in self.views.items() for view in views if isinstance(view, OnBoard)}

    @cached_property
    def signs(self) -> dict[str, Signs]:
        """How the variables on the board are drawn: arrows and numbers below rings, rings below marks."""
        if not self.place:
            return {}
        far = radius(self._places())
        found: dict[str, Signs] = {}
        for order, (name, view) in enumerate(self._on_board.items()):
            numbers = self._numbers(name, view)
            found[name] = Signs(name, view, self.place, far, min(numbers, default=0), max(numbers, default=1), order)
        return dict(sorted(found.items(), key=lambda item: self._rank(item[1])))

    def _rank(self, sign: Signs) -> int:
        ways = sign.ways(next(iter(self.values.get(sign.name, ())), ABSENT))
        return 0 if ways.arrow else 1 if ways.number or ways.heat else 2 if ways.ring else 3

    def _places(self) -> list[Point]:
        """Where on the board something is ever shown, more or less."""
        assert self.place is not None
        found: list[Point] = []
        for name in self._on_board:
            for value in self.values.get(name, [])[-3:]:
                parts = [value] if is_place(value, self.place) or not isinstance(value, Iterable) else list(value)
                found += [at for part in parts if (at := self.place(part))]
        return found

    def _numbers(self, name: str, view: OnBoard) -> list[float]:
        """The numbers by which places are coloured."""
        found: list[float] = []
        for value in self.values.get(name, []):
            if hasattr(value, "values"):
                found += [number for held in value.values() if isfinite(number := worth(held, view))]
            elif isinstance(value, list | tuple) or type(value).__name__ == "deque":
                found += [0.0, float(max(len(value) - 1, 0))]
        return found

    def _ground(self) -> Picture:
        """The board, or an empty sheet, with room for the strip."""
        if self.board:
            ground = still(self.board.picture())
        else:
            ground = Picture(*SIZE, (sheet(0, 0, *SIZE),), (), "", colours=self._colours())
        self.strip_left = ground.width
        has_tree = any(isinstance(view, Tree) for views in self.views.values() for view in views)
        self.strip_below = ground.height if self._is_below(ground, has_tree) else None
        if self.strip_below is not None:
            strip = sheet(0, ground.height, ground.width, ground.height + LOW)
            ground = replace(ground, height=ground.height + LOW, board=(*ground.board, strip))
        elif (self.board and (has_tree or self.papers)) or (has_tree and self.papers):
            strip = sheet(ground.width, 0, ground.width + STRIP, ground.height)
            ground = replace(ground, width=ground.width + STRIP, board=(*ground.board, strip))
        return ground

    def _is_below(self, ground: Picture, has_tree: bool) -> bool:
        """Whether the strip lies below the board: beside a curve a board that is wider than high keeps its width."""
        are_curves = bool(self.papers) and all(view.kind == "curve" for _, view in self.papers)
        return self.board is not None and are_curves and not has_tree and ground.width > 1.2 * ground.height

    def _colours(self) -> Colours:
        """The colours of the positions that calls were given."""
        state = next((state for call in self.film.calls if (state := state_in(call.arguments.values()))), None)
        return state.picture().colours if state else {}

    def _room_of_tree(self) -> tuple[Point, Point]:
        """Where the tree begins, and how large it is."""
        if not self.board:
            return (0.0, 0.0), SIZE
        share = len(self.papers) + 1
        return (self.strip_left, 0.0), (STRIP, self.ground.height * (0.5 if share == 2 else 1 / share))

    @cached_property
    def sheets(self) -> list[tuple[tuple[str, Paper], tuple[Point, Point]]]:
        """Each paper with the corner and the size of its rectangle."""
        count = len(self.papers)
        if self.strip_below is not None:
            wide = self.ground.width / count
            places = [((wide * place, self.strip_below), (wide, LOW)) for place in range(count)]
        elif self.board or self.tree:
            top = self.tree.size[1] if self.tree and self.board else 0.0
            high = (self.ground.height - top) / max(count, 1)
            places = [((self.strip_left, top + high * place), (STRIP, high)) for place in range(count)]
        else:
            columns = max(1, round(sqrt(count * 0.7)))
            rows = ceil(count / columns)
            size = SIZE[0] / columns, SIZE[1] / max(rows, 1)
            places = [((size[0] * (n % columns), size[1] * (n // columns)), size) for n in range(count)]
        return list(zip(self.papers, places, strict=True))

    def _sheet(self, name: str, view: Paper, at: Point, size: Point, beat: int) -> Piece:
        """One paper as it is after a beat."""
        changes = [event for event in self.changes(beat) if event.name == name]
        keys = [event.key for event in changes]
        room = size[0] - 8, size[1] - 8
        if name == VARIABLES and view is table and name not in self.names:
            shapes = self._table_of_all(beat, room)
        elif view.kind == "curve":
            shapes = charts.curve(name, self._history(name, view, beat), len(self.stops_of(name)), room)
        else:
            value = made(view, self.variables(beat).get(name, ABSENT))
            if view.kind == "cells":
                values = self.variables(beat)
                held = {each: values[each] for each in self._cursors.get(name, ()) if each in values}
                shapes = row(name, value, keys, held, room)
            elif view.kind == "bars":
                shapes = charts.bars(name, value, keys, room, *self._range(name, view))
            else:
                shapes = charts.table(name, value, keys, room)
        return Piece(f"paper {view.kind} {name}", at[0] + 4, at[1] + 4, tuple(shapes), label=name)

    @cached_property
    def _cursors(self) -> dict[str, list[str]]:
        return cursors_of(self.film)

    def _table_of_all(self, beat: int, room: Point) -> list[Shape]:
        """All variables in one table."""
        names = {name: Words(name, number) for number, name in enumerate(self.names)}
        held = {names[name]: value for name, value in self.variables(beat).items()}
        keys = [names[event.name] for event in self.changes(beat) if event.name]
        return charts.table(VARIABLES, held, keys, room)

    def _history(self, name: str, view: Paper, beat: int) -> list[float]:
        """What a number has been, change by change."""
        if (name, view) not in self._curves:
            beats = self.stops_of(name)
            step = max(1, len(beats) // 400)
            numbers = [(at, real(made(view, self.film.at(at).get(name, ABSENT)))) for at in beats[::step]]
            self._curves[name, view] = [(at, number) for at, number in numbers if isfinite(number)]
        return [number for at, number in self._curves[name, view] if at <= beat]

    @cached_property
    def _curves(self) -> dict[tuple[str, Paper], list[tuple[int, float]]]:
        return {}

    def _range(self, name: str, view: Paper) -> tuple[float, float]:
        """The least and the greatest number that bars show."""
        found = [
            number
            for value in self.values.get(name, [])
            for held in (lambda one: one.values() if hasattr(one, "values") else charts.numbers(one))(made(view, value))
            if isfinite(number := real(held))
        ]
        return min(found, default=0.0), max(found, default=1.0)

    # What is pointed at

    def change_at(self, beat: int, x: float, y: float) -> Change | None:
        """The change that made what the board shows at this point as it is."""
        found: list[tuple[float, str, Any]] = []
        for name, sign in self.signs.items():
            value = self.variables(beat).get(name, ABSENT)
            if hasattr(value, "keys"):
                found += [(dist(at, (x, y)), name, key) for at, key, _ in sign.items(value)]
        far, name, key = min(found, key=lambda one: one[0], default=(0.0, "", None))
        if not name or far > max(self.signs[name].radius, 10):
            return None
        made = [event for event in self.film.events if event.beat <= beat and event.name == name]
        return next((event for event in reversed(made) if charts.keys_of(event.key)[:1] in ((key,), ())), None)

    def call_at(self, beat: int, x: float, y: float) -> int | None:
        """The call whose node in the tree is at this point."""
        return self.tree.call_at(beat, x, y) if self.tree else None

    def position(self, call: int) -> State | None:
        """The State that a call was given, if it was given one."""
        return state_in(self.film.calls[call].arguments.values())

    def pointed(self, call: int, beat: int) -> tuple[Shape, ...]:
        """A call in words, and the position that it was given, in the corner that is farthest from it."""
        assert self.tree is not None
        x, y = self.tree.layout(beat).places[call]
        words = cut(self.tree.words(call, beat), int((self.ground.width - 60) / (primitives.PER_EM * 15)))
        half = 0.5 * primitives.PER_EM * 15 * len(words) + 10
        wide, high = self.ground.width, self.ground.height
        middle = min(max(x, half + 4), max(wide - half - 4, half + 4))
        above = y - 34 if y > 60 else y + 40
        tag = primitives.ticket((middle, above), words, half, 12, 15)
        state = self.position(call)
        if state is None:
            return (*primitives.halo((x, y), 16, 3, 6), *tag)
        picture = state.picture()
        scale = INSET * min(wide / picture.width, high / picture.height)
        left = wide - picture.width * scale - 6 if x < wide / 2 else 6
        top = high - picture.height * scale - 6 if y < high / 2 else 6
        drawn = (*picture.board, *(shape for piece in picture.pieces for shape in placed(piece)))
        edge = sheet(left - 3, top - 3, left + picture.width * scale + 3, top + picture.height * scale + 3)
        inset = placed(Piece("", left, top, drawn, scale=scale))
        return (*primitives.halo((x, y), 16, 3, 6), replace(edge, fill="panel edge"), *inset, *tag)


def still(picture: Picture) -> Picture:
    """A picture whose pieces do not move; of one with a map only the map."""
    board = (*picture.board, *(shape for piece in picture.pieces for shape in placed(piece)))
    if picture.map is None:
        return replace(picture, board=board, pieces=())
    right = picture.map.right
    kept = tuple(shape for shape in board if any(x < right for x, _ in spots([shape])))
    return replace(picture, width=right + CROP, board=kept, pieces=())


def sheet(left: float, top: float, right: float, bottom: float) -> Polygon:
    """A plain ground."""
    return Polygon(((left, top), (right, top), (right, bottom), (left, bottom)), "panel")


def first_key(value: object) -> list[Any]:
    """The key with which a dict begins, if it has but one."""
    return list(value) if isinstance(value, dict) and len(value) == 1 else []


def words_of(event: Change) -> str:
    """A change in words, without what was there before."""
    return event.words if not event.name or event.after is ABSENT else f"{event.target} = {in_words(event.after)}"


def made(view: Paper, value: object) -> Any:
    """What a paper shows of a value."""
    if view.of is None or value is ABSENT:
        return value
    try:
        return view.of(value)
    except Exception:  # the user's function need not know every value
        return ABSENT


def places_of(value: object, name: str, changes: Iterable[Change]) -> list[Any]:
    """The places that changes of a variable are about: keys of a dict, else what has come."""
    found = []
    for event in changes:
        if event.name == name:
            keys = charts.keys_of(event.key)
            found += [keys[0] if keys and hasattr(value, "keys") else event.after]
    return [each for each in found if each is not ABSENT and not isinstance(each, dict | list | set)]


def sign_words(sign: Signs, values: Sequence[Any]) -> str:
    """How a variable is drawn, in a word or two."""
    ways = sign.ways(values[-1]) if values else sign.view
    names = {"number": "numbers", "ring": "rings", "mark": "golden ring", "arrow": "arrows", "heat": "colours"}
    return ", ".join(words for way, words in names.items() if getattr(ways, way))


def state_in(values: Iterable[object]) -> State | None:
    """The first State among values, or in a list or a tuple of them."""
    rows = (value if isinstance(value, list | tuple) else [value] for value in values)
    return next((part for row in rows for part in row if isinstance(part, State)), None)
