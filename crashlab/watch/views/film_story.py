"""A film with a board and views, as a story for the lab and for slides.

The largest part is the board; the other parts are in a strip on its right. Without a board all parts are arranged
below and next to each other. Every part keeps its place from beat to beat.
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from functools import cached_property, lru_cache
from math import ceil, dist, isfinite
from textwrap import wrap
from typing import Any

from crashlab.base.errors import CrashlabError, as_float, expect, integer, one_line, short_repr, truncate
from crashlab.base.groups import grouped
from crashlab.drawing import primitives
from crashlab.drawing.charts import frame
from crashlab.drawing.film_json import Document, document
from crashlab.drawing.page_layout import PER_BOLD
from crashlab.drawing.shapes import Picture, Piece, Point, Polygon, Shape, Text, placed, rectangle, slab, spots
from crashlab.drawing.tween import Effects
from crashlab.engine.game import State
from crashlab.watch.film_data import Recording, VariableChange
from crashlab.watch.origins import is_plain
from crashlab.watch.things import ABSENT, Path, Thing, ThingKind, in_words, keys_of
from crashlab.watch.views import charts, tree_layout
from crashlab.watch.views.board_marks import BoardMarks, is_place, radius, remembered, worth
from crashlab.watch.views.call_stack import Stack
from crashlab.watch.views.call_tree import CallTree, depths
from crashlab.watch.views.choose_view import (
    Diagram,
    OnBoard,
    Tree,
    Views,
    cells,
    checked,
    fitting,
    forest,
    forests_in,
    heads_of,
    is_matrix,
    objects,
    pictured,
    values_of,
)
from crashlab.watch.views.code_reading import Code, names_in
from crashlab.watch.views.film_text import LETTERS, FilmText
from crashlab.watch.views.graph_layout import PlacedGraph, PlacedGrid
from crashlab.watch.views.object_boxes import Objects
from crashlab.watch.views.picture_layout import HALF, WIDE, FlowPart, flow
from crashlab.watch.views.rows import RowLook, numbered, room_of, row, wide_of
from crashlab.watch.views.text_search import TextSearch

LARGE = 760.0, 1200.0  # size of a diagram with room for everything, in pixels
STRIP = 360.0  # width of the strip, in pixels
LOW = 170.0  # height of the strip if it is below the board, in pixels
CROP = 8.0  # width shown to the right of a map, in pixels
CAPTION = 84.0  # height of the caption below a picture, in pixels
SCENES = 80  # maximum number of beats in a GIF
INSET = 0.44  # largest share of the picture for the position of a call
CORNERS = "top right", "top left", "bottom right", "bottom left"  # the places of numbers at a node
END = ("end", "size", "last", "n")  # names of variables for the length of a heap within its list


class FilmStory(FilmText):
    """A film with its board and the views of its variables."""

    def __init__(self, film: Recording, board: State | None = None, show: object = None) -> None:
        expect(film, Recording, "give a film, as returned by crashlab.record(function, ...)")
        if board is not None and not isinstance(board, State):
            raise CrashlabError(f"board={short_repr(board)}: give a State, as returned by game.start()")
        super().__init__(film)
        self._laid: dict[tuple[str, str], tuple[Piece, Piece]] = {}
        self._signed: dict[str, tuple[Any, list[Any], list[Piece]]] = {}
        self._tables: dict[str, tuple[Any, Any, list[Piece]]] = {}
        self._over: dict[str, tuple[str, str]] = {}  # the variables that label the rows and columns of a table
        self._boxes: dict[str, list[tuple[int, list[int]]]] = {}
        self._curves: dict[tuple[str, Diagram], list[tuple[int, float]]] = {}
        self.board = board
        self.fields: dict[str, tuple[Thing, str, list[Any]]] = {}  # the parents of union-find in objects
        self.place = remembered(board.place) if board else None
        self.code = Code(film)
        self.values = values_of(film)
        is_free = show is None
        if not is_free:
            self.views: Views = checked(show, film, board is not None)
        elif self.place:
            self.views = fitting(film, self.values, self.place)
        else:
            self.views = pictured(film, self.values, self.code)
            self.fields = forests_in(film)
            self.views |= dict.fromkeys(self.fields, (forest,))
            self.values |= {name: samples for name, (_, _, samples) in self.fields.items()}
        pairs = [(name, view) for name, views in self.views.items() for view in views]
        self._on_board = {name: view for name, view in pairs if isinstance(view, OnBoard)}
        self.ground_view = next(iter(self._on_board.values()), OnBoard())
        self.papers = [(name, view) for name, view in pairs if isinstance(view, Diagram)]
        if is_free and board and self._on_board:
            self.papers = []
        by_key = {view.kind if view.kind == "objects" else (name, view): (name, view) for name, view in self.papers}
        self.papers = list(by_key.values())
        rows = {name for name, view in self.papers if is_free and view.kind == "cells"}
        self.search = TextSearch.of(film, self.code, self.values, rows)
        if self.search:
            self.papers = [paper for paper in self.papers if paper[0] != self.search.pattern]
        self.objects = Objects(film) if any(view.kind == "objects" for _, view in self.papers) else None
        self.stack = Stack(film, self._elsewhere()) if is_free and not board else None
        trees = {name: view for name, view in pairs if isinstance(view, Tree)}
        self.parts: Mapping[Any, tuple[Point, Point]] = {}
        self.graph: PlacedGraph | None = None
        self.ground = self._ground(bool(trees))
        self.tree = CallTree(film, trees, *self.parts["tree"], not is_free) if trees else None

    # Pictures

    def picture(self, beat: int) -> Picture:
        """Draw the board and all views after a beat."""
        values, changes = self.variables(beat), self.changes(beat)
        words = self._described(beat)
        beat = max(beat, self.opening)
        pieces: list[Piece] = []
        if isinstance(self.graph, PlacedGrid):
            name = self.ground_view.graph_name
            lit = [(*keys_of(event.key),) for event in changes if event.name == name]
            pieces += self.graph.changes(name, values.get(name), lit)
            marks = [values.get(name) for name, sign in self.signs.items() if sign.view.mark]
            for pair in self.code.places:
                cell = tuple(values.get(part) for part in (pair[::-1] if self.graph.graph.is_turned else pair))
                values = values if cell in marks else {**values, ",".join(pair): cell}
        for name, sign in self.signs.items():
            if name in values and not self.code.is_over(name, *self.film.line(beat)):
                lit = places_of(values[name], name, changes)
                was = self._signed.get(name)
                if was is None or was[0] is not values[name] or was[1] != lit:
                    was = self._signed[name] = values[name], lit, [*sign.pieces(values[name], lit)]
                pieces += was[2]
        if self.tree:
            pieces += self.tree.pieces(beat)
        for name, view in self.papers:
            key = f"paper {view.kind} {name}"
            at, room = self._inner((name, view))
            pieces += [self._shifted(piece, key, at) for piece in self._sheet(name, view, room, beat, changes)]
            if any(event.name == name and event.key is None for event in changes):
                pieces.append(Piece(f"{key} bound", *at, outline(*room)))
        if self.stack and "stack" in self.parts:
            pieces += self.stack.pieces(beat, {(event.owner, event.name) for event in changes}, *self._inner("stack"))
        return replace(self.ground, pieces=tuple(pieces), words=words)

    def _shifted(self, piece: Piece, key: str, at: Point) -> Piece:
        """Return a piece of a diagram moved to its place; for an equal piece, the object returned before."""
        was = self._laid.get((key, piece.key))
        if was is None or was[0] is not piece and was[0] != piece:
            new = replace(piece, key=f"{key} {piece.key}".rstrip(), x=piece.x + at[0], y=piece.y + at[1])
            was = self._laid[key, piece.key] = piece, new
        return was[1]

    def _described(self, beat: int) -> str:
        """Describe the picture after a beat: its changes, its variables and the board."""
        values = [f"{name} = {truncate(words, LETTERS)}" for name, words in self._in_words(beat).items()]
        return " ".join([self.words(beat), *([". ".join(values) + "."] if values else []), self.ground.words])

    def effects(self, beat: int) -> Effects:
        """Return widening rings at changed places of the board."""
        values = self.variables(beat)
        return [
            primitives.ring_out(f"{name} {place} changes", at, name)
            for name in self.signs
            for place in places_of(values.get(name, ABSENT), name, self.changes(beat))
            if self.place and (at := self.place(place))
        ]

    def ways(self, beat: int) -> Iterable[Shape]:
        """Return no lines: a film shows the causes of a change only on request, by `way`."""
        return ()

    def way(self, event: VariableChange) -> tuple[Shape, ...]:
        """Draw a line through the keys whose changes in a dict led to this change; empty for other variables."""
        value = self.variables(event.beat).get(event.name)
        if self.place is None or event.key is None or not isinstance(value, Mapping):
            return ()
        steps = [  # a dict with one key is the start of a search
            keys_of(step.key)[:1] or (step.after if isinstance(step.after, dict) and len(step.after) == 1 else ())
            for step in self.film.way(event)
        ]
        points = [at for at in dict.fromkeys(self.place(key) for keys in steps for key in keys) if at]
        return primitives.way(points[::-1], "flash edge", 4, 8, arrow=False) if len(points) > 1 else ()

    def places(self) -> list[Point]:
        """Return no places: the whole map is shown."""
        return []

    def captioned(self, beat: int) -> Picture:
        """Draw a picture with a caption: the words of the beat, its line of code, and the legend."""
        picture = self.picture(beat)
        wide, high = picture.width, picture.height
        fits = int((wide - 24) / (primitives.PER_EM * 15))
        source = one_line(self.changes(beat)[-1].source) if self.changes(beat) else self.film.name
        lines = wrap(self.words(beat), fits)
        shapes: tuple[Shape, ...] = (
            sheet(0, high, wide, high + CAPTION),
            *(Text(12, high + 16 + 20 * row, line, 15, "ink", "left", bold=True) for row, line in enumerate(lines[:2])),
            Text(12, high + 56, source[:fits], 14, "muted", "left"),
            Text(12, high + 74, "   ".join(self.legend)[:fits], 14, "muted", "left"),
        )
        return replace(picture, height=high + CAPTION, board=(*picture.board, *shapes))

    @property
    def legend(self) -> list[str]:
        """The legend of the marks on the board."""
        by_words = grouped((self._label(sign), name) for name, sign in self.signs.items())
        return [f"{', '.join(names)}: {words}" for words, names in by_words.items()]

    def _label(self, sign: BoardMarks) -> str:
        labels = {"number": "numbers", "ring": "rings", "mark": "golden ring", "arrow": "arrows", "heat": "colours"}
        ways = self._ways(sign)
        words = ", ".join(words for way, words in labels.items() if getattr(ways, way))
        count = sum(self._ways(other).number for other in self.signs.values()) if self.graph and ways.number else 0
        return CORNERS[sign.corner % 4] if count > 1 else words

    def _key(self, wide: float) -> Iterator[Shape]:
        """Write the legend in the frame of a map, in the colours of rings and arrows; marks have their names."""
        left = 22 + PER_BOLD * 15 * len(self.ground_view.graph_name)
        for name, sign in sorted(self.signs.items(), key=lambda item: item[1].order):
            ways, words = self._ways(sign), f"{name}: {self._label(sign)}"
            needed = PER_BOLD * 12 * len(words)
            if not ways.mark and left + needed < wide:
                yield Text(left, 15, words, 12, "ink" if ways.number else sign.paint, "left", bold=True)
                left += needed + 10

    def scenes(self) -> list[tuple[Picture, Effects]]:
        """Return the pictures for a GIF with their effects; for a long film, of about SCENES equally spaced beats."""
        step = max(1, ceil(self.beats / SCENES))
        return [(self.captioned(beat), self.effects(beat)) for beat in [*range(0, self.beats, step), self.beats]]

    def document(self, **more: Any) -> Document:
        """Return the film as plain JSON, with its source and the variables of each beat."""
        result = document(self, self.film.name, **more)
        for part, key in ((result, "names"), (result, "calls"), *((source, "runs") for source in result["sources"])):
            part.pop(key, None)  # only the lab uses them
        for beat in result["beats"]:
            beat.pop("depth", None)
        return result

    # Parts

    @cached_property
    def signs(self) -> dict[str, BoardMarks]:
        """The drawings of the variables on the board: arrows and numbers below rings, rings below marks."""
        if not self.place:
            return {}
        far = self.graph.radius if self.graph else radius(self._places())
        marks: dict[str, BoardMarks] = {}
        corner = 0
        for order, (name, view) in enumerate(self._on_board.items()):
            ends = span(list(self._numbers(name, view)))
            sign = marks[name] = BoardMarks(name, view, self.place, far, *ends, order, self.graph is not None, corner)
            corner += self._ways(sign).number
        return dict(sorted(marks.items(), key=lambda item: self._rank(item[1])))

    def _ways(self, sign: BoardMarks) -> OnBoard:
        samples = self.values.get(sign.name)
        return sign.ways(samples[-1]) if samples else sign.view

    def _rank(self, sign: BoardMarks) -> int:
        ways = self._ways(sign)
        if self.graph and ways.number:  # beside the rings, and above all else
            return 4
        return 0 if ways.arrow else 1 if ways.number or ways.heat else 2 if ways.ring else 3

    def _places(self) -> list[Point]:
        """Return the places of the last samples of all variables on the board."""
        assert self.place is not None
        values = [value for name in self._on_board for value in self.values.get(name, [])[-3:]]
        rows = (
            [value] if is_place(value, self.place) or not isinstance(value, Iterable) else value for value in values
        )
        return [at for row in rows for part in row if (at := self.place(part))]

    def _numbers(self, name: str, view: OnBoard) -> Iterator[float]:
        """Return the numbers that decide the colours of a variable's places."""
        for value in self.values.get(name, []):
            if hasattr(value, "values"):
                yield from (number for element in value.values() if isfinite(number := worth(element, view)))
            elif view.is_indexed and isinstance(value, list):
                yield from (number for element in value if isfinite(number := worth(element, view)))
            elif isinstance(value, list | tuple) or type(value).__name__ == "deque":
                yield from (0.0, float(max(len(value) - 1, 0)))

    def _ground(self, has_tree: bool) -> Picture:
        """Build the background: the board with room for the strip, or an empty picture with the graph, if any."""
        if not self.board:
            high, self.parts = flow(self._parts(has_tree))
            shapes: list[Shape] = [sheet(0, 0, WIDE, high)]
            if graph := self.ground_view.graph:
                at, room = self._inner("graph")
                self.graph = graph.placed(at, room)
                self.place = remembered(self.graph.place)
                is_map = isinstance(self.graph, PlacedGrid)
                title = frame(*room, self.ground_view.graph_name if is_map else "")
                shapes += placed(Piece("", *at, (*title, *(self._key(room[0]) if is_map else ()))))
                shapes += self.graph.shapes()
            states = (state_in(call.arguments.values()) for call in self.film.calls)
            state = next((state for state in states if state), None)
            return Picture(WIDE, high, tuple(shapes), (), "", colours=state.picture().colours if state else {})
        ground, papers = still(self.board.picture()), self.papers
        left, below = ground.width, ground.height
        are_curves = bool(papers) and all(view.kind == "curve" for _, view in papers)
        if are_curves and not has_tree and left > 1.2 * below:  # a wide board keeps its width
            wide = left / len(papers)
            self.parts = {paper: ((wide * n, below), (wide, LOW)) for n, paper in enumerate(papers)}
            return replace(ground, height=below + LOW, board=(*ground.board, sheet(0, below, left, below + LOW)))
        if not has_tree and not papers:
            return ground
        strip = ["tree", *papers] if has_tree else papers
        high = below / len(strip)
        self.parts = {part: ((left, high * n), (STRIP, high)) for n, part in enumerate(strip)}
        return replace(ground, width=left + STRIP, board=(*ground.board, sheet(left, 0, left + STRIP, below)))

    def _inner(self, part: Any) -> tuple[Point, Point]:
        """Return the corner and the size of a part without its margin."""
        (x, y), (wide, high) = self.parts[part]
        return (x + 4, y + 4), (wide - 8, high - 8)

    def _parts(self, has_tree: bool) -> list[FlowPart]:
        """Return the parts of a picture without a board, with their preferred sizes."""
        parts: list[FlowPart] = []
        if has_tree:
            is_alone = not self.papers and not self._on_board
            most = 540.0 if is_alone else 180.0 if self.objects else 220.0
            has_positions = any(self.position(call.number) for call in self.film.calls)
            high = most if has_positions else 52.0 + 56 * max(depths(self.film.calls), default=0)
            parts.append(FlowPart("tree", True, min(max(high, 110.0), most)))
        if graph := self.ground_view.graph:
            parts.append(
                FlowPart(
                    "graph", len(graph.nodes) > 4 or not (self.papers or self.stack), getattr(graph, "high", 290.0)
                )
            )
        papers = [FlowPart((name, view), *self._preferred_size(name, view)) for name, view in self.papers]
        if len(papers) == 1 and not graph:
            papers = [replace(papers[0], is_wide=True)]
        parts += papers
        if self.stack and (self.stack.is_needed or not parts):
            is_wide = sum(not part.is_wide for part in parts) % 2 == 0
            most = 130.0 if self.objects else 260.0
            parts.append(FlowPart("stack", is_wide, min(self.stack.high(WIDE if is_wide else HALF), most)))
        return parts

    def _preferred_size(self, name: str, view: Diagram) -> tuple[bool, float]:
        """Return whether a diagram needs the whole width, and its preferred height."""
        samples = [mapped_value(view, value) for value in self.values[name]]
        if view.kind == "objects":
            assert self.objects is not None
            return True, min(self.objects.high * 1.25, 400.0)
        if view.kind == "cells":
            rows = [value for value in samples if isinstance(value, Collection)]
            wide = max((wide_of(value) * (len(value) + 2) for value in rows), default=0)
            return wide > HALF - 40, 1.1 * self._room_of(name) + 8
        if view.kind in ("bars", "curve"):
            return len(self.papers) == 1, 220.0
        wide, high = 0.0, 0.0
        for value in samples:
            if view.kind == "table":
                across, down = charts.extent(value, (HALF - 8, LARGE[1]))
            else:
                pieces = self._branches(name, view.kind, value, [], LARGE, 0)
                places = [(piece.x, piece.y) for piece in pieces if piece.key.startswith("node")]
                across = max((x for x, _ in places), default=0) - min((x for x, _ in places), default=0) + 80
                down = max((y for _, y in places), default=40) + 44
            wide, high = max(wide, across), max(high, down)
        return wide > HALF - 8, min(max(high + 8, 90.0), 320.0)

    def _room_of(self, name: str) -> float:
        """Return the preferred height of a row, with the pattern below it (if any)."""
        pattern = self.search.pattern if self.search and self.search.name == name else ""
        cursors = {cursor for below in (name, pattern) for cursor in self.code.cursors.get(below, ())}
        return room_of(len(cursors), bool(pattern))

    def _elsewhere(self) -> set[str]:
        """Return the variables with a picture, which are not repeated as text."""
        is_drawn = (OnBoard, Diagram)
        names = {name for name, views in self.views.items() if any(isinstance(view, is_drawn) for view in views)}
        names -= {
            name for name, views in self.views.items() if objects in views
        }  # a variable of objects may be None, shown only as text
        extra = [(self.search.pattern, cells)] if self.search else []
        names |= {name for name, _ in extra}
        for name, view in self.papers + extra:
            if view.kind == "cells":
                names |= self.code.cursors.get(name, {}).keys()
            elif view.kind == "table":
                names |= {*heads_of(name, self.values[name][-1], self.values, self.code)}
        return names | {view.graph_name for view in self._on_board.values()}

    def _sheet(self, name: str, view: Diagram, room: Point, beat: int, events: Sequence[VariableChange]) -> list[Piece]:
        """Draw the diagram of a variable after a beat, with these events lit."""
        if name in self.fields:
            thing, field, _ = self.fields[name]
            moment = self.film.moment(beat)
            boss = moment.things.get(thing, {}).get(field, ABSENT)
            lit = [keys_of(event.key)[-1] for event in events if type(boss) is Thing and event.thing == boss.number]
            return tree_layout.forest(name, moment.copy(boss), lit, room)
        values = self.variables(beat)
        title = [name, *self._same(name, beat)]
        changes = [event for event in events if event.name in title]
        keys = [key for event in changes for key in changed_keys(event)]
        value = mapped_value(view, values.get(name, ABSENT))
        if view.kind == "objects":
            assert self.objects is not None
            return self.objects.pieces(beat, {event.thing for event in events}, room)
        if view.kind == "cells":
            all_values = self.code.with_indices(values)
            cursors = {cursor: all_values[cursor] for cursor in self.code.cursors.get(name, ()) if cursor in all_values}
            shaded = self.code.shaded(*self.film.line(beat), values).get(name, ())
            is_open = bool(self.code.open & cursors.keys())
            high = self._room_of(name)
            focus = self._middle(name, beat, cursors)
            marks = self._marks_of(name, beat)
            below = None
            if self.search and self.search.name == name:
                pattern_cursors = {
                    cursor: all_values[cursor]
                    for cursor in self.code.cursors.get(self.search.pattern, ())
                    if cursor in all_values
                }
                below = self.search.below(beat, pattern_cursors)
                title = [f"{name}, and {self.search.pattern} below"]
            look = RowLook(" = ".join(title), value, keys, cursors, marks, shaded, is_open, focus, below)
            return row(look, room, high)
        if view.kind in ("heap", "forest", "trie"):
            return self._branches(name, view.kind, value, keys, room, beat)
        if view.kind == "table":
            return self._table(name, value, keys, room, beat, " = ".join(title))
        if view.kind == "curve":
            shapes = charts.curve(name, self._history(name, view, beat), len(self.stops_of(name)), room)
        else:
            shapes = charts.bars(name, value, keys, room, *self._range(name, view))
        return [Piece("", 0, 0, tuple(shapes), label=name)]

    def _same(self, name: str, beat: int) -> list[str]:
        """Return the other variables that hold the same mutable object as this one."""
        values = self.variables(beat)
        value = values.get(name)
        if not isinstance(value, list | dict | set | deque):
            return []
        return [other for other, other_value in values.items() if other_value is value and other != name]

    def _table(self, name: str, value: Any, keys: Sequence[object], room: Point, beat: int, title: str) -> list[Piece]:
        """Draw a table after a beat; return the cached pieces if its look is unchanged."""
        values = self.variables(beat)
        all_values = self.code.with_indices(values)
        pairs = self.code.pairs_at(name, *self.film.line(beat))
        cells = ((all_values.get(row), all_values.get(column)) for row, column in pairs)
        name_at = {cell: "" for cell in cells if is_plain(cell)}  # not those of objects, whose copies have no hash
        if is_matrix(value):
            for other, other_value in values.items():
                if charts.is_pair(other_value) and other not in self.views:
                    name_at[other_value] = ", ".join(filter(None, [name_at.get(other_value, ""), other]))
            if any(name_at.values()):  # a map with places: each cell at a pair of indices is labelled with them
                for pair in self.code.places:
                    place = all_values.get(pair[0]), all_values.get(pair[1])
                    if is_plain(place):
                        name_at[place] = name_at.get(place) or ",".join(pair)
        at = {cell: words for cell, words in name_at.items() if None not in cell}
        changed = [keys_of(key) for key in keys]
        latest = self._latest(name, beat)
        last = keys_of(latest.key) if latest and latest.key is not ... else ()
        look = charts.TableLook(changed, self._heads(name, value, values), at, last)
        memo = id(value), tuple(changed), look.heads, tuple(at.items()), last, room, title
        was = self._tables.get(name)
        if was is None or was[0] != memo:
            larger = charts.LARGER if self.board else charts.LARGE
            was = self._tables[name] = memo, value, [*charts.table(title, value, room, look, larger)]
        return was[2]

    def _latest(self, name: str, beat: int) -> VariableChange | None:
        """Return the last change of a variable until a beat; None if there is none."""
        events = self.named.get(name, [])
        place = bisect_right(events, beat, key=lambda event: event.beat)
        return events[place - 1] if place else None

    def _middle(self, name: str, beat: int, cursors: Mapping[str, Any]) -> int | None:
        """Return the index around which a long row is shown: its last changed element, or the last moved cursor."""
        latest = [(event.number, event.key) for event in [self._latest(name, beat)] if event]
        for cursor, index in cursors.items():
            names = names_in(self.code.expressions[cursor]) if cursor in self.code.expressions else [cursor]
            latest += [(event.number, index) for variable in names if (event := self._latest(variable, beat))]
        middle = max(latest, key=lambda one: one[0], default=(0, None))[1]
        return integer(middle)

    def _branches(
        self, name: str, kind: str, value: object, keys: Sequence[object], room: Point, beat: int
    ) -> list[Piece]:
        """Draw a variable as a tree of this kind."""
        if kind == "forest":
            return tree_layout.forest(name, value, keys, room)
        if kind == "trie":
            return tree_layout.trie(name, value, keys, room, self._inside(name, beat))
        top = self.code.heaps.get(name, 0)
        values = self.variables(beat)
        end = next((values[key] for key in END if key in values), None) if name in self.code.cursors else None
        return tree_layout.heap(name, value, keys, room, top, self._marks_of(name, beat), end)

    def _inside(self, name: str, beat: int) -> dict[tuple[Any, ...], str]:
        """Return the names of the variables that hold one of the nested dicts, by the path of keys to it."""
        moment = self.film.moment(beat)
        visible = moment.variables.get(self.film.call(beat), {})
        by_path: dict[tuple[Any, ...], str] = {}
        todo: list[tuple[tuple[Any, ...], Any]] = [((), visible.get(name))]
        for way, thing in todo:  # todo grows in this loop
            if type(thing) is Thing and thing.kind is ThingKind.MAP and len(todo) < tree_layout.MOST:
                names = [other for other, value in visible.items() if value is thing and other != name]
                by_path[way] = ", ".join(names)
                todo += [((*way, key), part) for key, part in moment.things[thing].items()]
        return by_path

    def _marks_of(self, name: str, beat: int) -> Sequence[int]:
        """Return the numbers of the boxes of a list; a box that moves keeps its number."""
        if name not in self._boxes:
            self._boxes[name] = numbered(self.named.get(name, ()))
        place = bisect_right(self._boxes[name], beat, key=lambda one: one[0])
        return self._boxes[name][place - 1][1] if place else ()

    def _heads(self, name: str, value: Any, values: Mapping[str, Any]) -> tuple[Sequence[str], Sequence[str]]:
        """Return the labels of the rows and the columns of a table, with "" in front if one label is missing."""
        if not self.values.get(name):
            return (), ()
        if name not in self._over:
            self._over[name] = heads_of(name, self.values[name][-1], self.values, self.code)
        heads = []
        for axis, over in enumerate(self._over[name]):
            labels = [element if isinstance(element, str) else in_words(element) for element in values.get(over, ())]
            rows = value if is_matrix(value) else ()
            count = len(rows[0] if axis and rows else rows)
            heads.append(["", *labels] if labels and count == len(labels) + 1 else labels)
        return heads[0], heads[1]

    def _history(self, name: str, view: Diagram, beat: int) -> list[float]:
        """Return the values of a number so far, one for each change."""
        if (name, view) not in self._curves:
            beats = self.stops_of(name)
            step = max(1, len(beats) // 400)
            numbers = [(at, as_float(mapped_value(view, self.variables(at).get(name, ABSENT)))) for at in beats[::step]]
            self._curves[name, view] = [(at, number) for at, number in numbers if isfinite(number)]
        return [number for at, number in self._curves[name, view] if at <= beat]

    def _range(self, name: str, view: Diagram) -> tuple[float, float]:
        """Return the least and the greatest number of the bars, found in samples of the film."""
        samples = [mapped_value(view, value) for value in self.values.get(name, [])]
        parts = (sample.values() if hasattr(sample, "values") else charts.numbers(sample) for sample in samples)
        return span([number for elements in parts for part in elements if isfinite(number := as_float(part))])

    # Hit tests

    def change_at(self, beat: int, x: float, y: float) -> VariableChange | None:
        """Return the last change of the dict element drawn at this point of the board; None if there is none."""
        values = [(sign, self.variables(beat).get(name)) for name, sign in self.signs.items()]
        hits = [
            (dist(at, (x, y)), sign.name, key)
            for sign, value in values
            if hasattr(value, "keys")
            for at, key, _ in sign.items(value)
        ]
        far, name, key = min(hits, key=lambda one: one[0], default=(0.0, "", None))
        if not name or far > max(self.signs[name].radius * (1.6 if self.graph else 1), 10):
            return None
        events = (event for event in reversed(self.named[name]) if event.beat <= beat)
        return next((event for event in events if keys_of(event.key)[:1] in ((key,), ())), None)

    def call_at(self, beat: int, x: float, y: float) -> int | None:
        """Return the call whose node in the tree is at this point; None if there is no node."""
        return self.tree.call_at(beat, x, y) if self.tree else None

    def position(self, call: int) -> State | None:
        """Return the first State among the arguments of a call, or None."""
        return state_in(self.film.calls[call].arguments.values())

    def pointed(self, call: int, beat: int) -> tuple[Shape, ...]:
        """Draw a call's words and, in the corner farthest from its node, the position among its arguments (if any)."""
        assert self.tree is not None
        x, y = self.tree.layout(beat).places[call]
        words = truncate(self.tree.words(call, beat), int((self.ground.width - 60) / (primitives.PER_EM * 15)))
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
        shapes = (*picture.board, *(shape for piece in picture.pieces for shape in placed(piece)))
        edge = sheet(left - 3, top - 3, left + picture.width * scale + 3, top + picture.height * scale + 3)
        inset = placed(Piece("", left, top, shapes, scale=scale))
        return (*primitives.halo((x, y), 16, 3, 6), replace(edge, fill="panel edge"), *inset, *tag)


def still(picture: Picture) -> Picture:
    """Merge the pieces of a picture into its board, and crop it to its map if it has one."""
    board = (*picture.board, *(shape for piece in picture.pieces for shape in placed(piece)))
    if picture.map is None:
        return replace(picture, board=board, pieces=())
    right = picture.map.right
    visible = tuple(shape for shape in board if any(x < right for x, _ in spots([shape])))
    return replace(picture, width=right + CROP, board=visible, pieces=())


def span(numbers: Sequence[float]) -> tuple[float, float]:
    """Return the least and the greatest number; 0 and 1 if there are no numbers."""
    return min(numbers, default=0.0), max(numbers, default=1.0)


@lru_cache(maxsize=64)
def outline(wide: float, high: float) -> tuple[Shape, ...]:
    """Draw a golden outline around the diagram of a variable that was just assigned."""
    return (Polygon(slab(2, 2, wide - 2, high - 2, 6), "", primitives.GLOW, 2.0),)


def changed_keys(event: VariableChange) -> list[Any]:
    """Return the keys of a change; for a change of a whole array, the keys of the cells that differ."""
    before, after = event.before, event.after
    if event.key is not ... or getattr(before, "shape", 0) != getattr(after, "shape", 1):
        return [event.key]
    cells = (before != after).nonzero()
    return [Path(map(int, place)) for place in zip(*cells, strict=True)]


def sheet(left: float, top: float, right: float, bottom: float) -> Polygon:
    """Draw a plain background."""
    return Polygon(rectangle(left, top, right, bottom), "panel")


def mapped_value(view: Diagram, value: object) -> Any:
    """Return the result of a view's function for a copy of a value, ABSENT if the function raises an exception.

    A view without a function returns the value itself.
    """
    if view.of is None or value is ABSENT:
        return value
    try:
        return view.of(deepcopy(value))
    except Exception:  # the user's function need not accept every value
        return ABSENT


def places_of(value: object, name: str, changes: Iterable[VariableChange]) -> list[Any]:
    """Return the places changed in a variable: keys of a dict, else new values."""
    events = [event for event in changes if event.name == name]
    places = [(keys_of(e.key) if hasattr(value, "keys") else ())[:1] or (e.after,) for e in events]
    return [place for (place,) in places if place is not ABSENT and not isinstance(place, dict | list | set)]


def state_in(values: Iterable[object]) -> State | None:
    """Return the first State among values, or in a list or a tuple of them; None if there is none."""
    rows = (value if isinstance(value, list | tuple) else [value] for value in values)
    return next((part for row in rows for part in row if isinstance(part, State)), None)
