"""Objects as boxes with their fields and arrows to the objects in them; variables point to their boxes.

Objects that hold only one other object each, such as the nodes of a linked list, are drawn in rows and keep their
places for the whole film. Other objects are drawn as a tree.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from math import dist
from typing import Any

from crashlab.base.errors import truncate
from crashlab.drawing import primitives
from crashlab.drawing.charts import frame
from crashlab.drawing.shapes import Line, Piece, Point, Polygon, Shape, Text, slab
from crashlab.watch.film_data import GLOBAL, Recording
from crashlab.watch.things import Thing, ThingKind, elements, in_words, whole
from crashlab.watch.views.tree_layout import GAP, spread

BACK = ("parent", "prev", "previous", "up", "back", "before", "owner")  # names of fields with a link back
FIELD = 19.0  # height of a field, in pixels
SIZE = 14.0  # text size in a box
LETTERS, MORE = 14, 44  # longest text of a field, usually and if there are few objects
FEW = 4  # maximum number of objects for long texts
SLOT = 30.0  # width of the compartment of an arrow, in pixels
APART, CLOSE, DOWN = (
    34.0,
    18.0,
    38.0,
)  # distances of boxes in a row, in a tree, and between the rows of a tree, in pixels
TITLE, EDGE = 30.0, 16.0
MOST = 60  # maximum number of boxes
TAGS = 84.0  # height below a row of boxes for names, in pixels
TAG = 16.0  # height of a name above a box, in pixels


@dataclass(frozen=True)
class Box:
    """An object at a moment: its plain fields as text, and the objects in its other fields."""

    thing: Thing
    fields: tuple[tuple[str, str], ...]
    links: tuple[tuple[str, Thing | None], ...]  # None for a field that holds an object at other times
    is_terse: bool = False  # whether the fields have no names

    def lines(self) -> list[str]:
        """Return the lines of text in the box: one for each field, or all values in one if it is terse."""
        if self.is_terse:
            return [" · ".join(words for _, words in self.fields)] if self.fields else []
        return [words if len(self.fields) < 2 else f"{name}: {words}" for name, words in self.fields]

    def size(self, is_tree: bool) -> Point:
        """Return the width and the height of the box."""
        lines = self.lines()
        wide = max((primitives.PER_EM * SIZE * len(line) + 14 for line in lines), default=30.0)
        if is_tree or not self.links:
            return max(wide, 38.0), FIELD * max(len(lines), 1) + 10
        return wide + SLOT, max(FIELD * max(len(lines), 1) + 10, 18.0 * len(self.links))


class Objects:
    """The objects of a film, as boxes."""

    def __init__(self, film: Recording) -> None:
        self.film = film
        self.linking = self._linking()
        linking = self.linking.values()
        names = {field for fields in linking for field in fields}
        self.back = (
            {name for name in names if name.lower() in BACK} if len(names) > 1 else set()
        )  # fields that link back to the previous object
        ahead = [len(fields.keys() - self.back) for fields in linking]
        objects = [thing for thing in film.moment(film.beats).things if thing.kind is ThingKind.OBJECT]
        self.letters = MORE if len(objects) <= FEW else LETTERS
        self.is_tree = max(ahead, default=0) > 1 or any(
            any(fields.values()) for fields in linking
        )  # whether an object holds several others
        kinds = {thing.name for thing in objects}
        self.is_terse = (
            self.is_tree and len(kinds) == 1 and len(objects) > FEW
        )  # whether the title lists the names of the fields instead of the boxes

    # Contents of objects

    def _linking(self) -> dict[str, dict[str, bool]]:
        """Return by class the fields that ever hold an object, and whether they hold it in a list or a dict."""
        by_class: dict[str, dict[str, bool]] = {}
        last = self.film.moment(self.film.beats)
        for moment, things in chain(
            self.film.touched(), [(last, last.things)]
        ):  # a container may get its objects later
            for thing in things:
                if thing.kind is ThingKind.OBJECT:
                    fields = by_class.setdefault(thing.name, {})
                    for key, value in moment.things[thing].items():
                        is_within = bool(inside(value, moment.things))
                        if is_object(value) or is_within:
                            fields[str(key)] = fields.get(str(key), False) or is_within
        return by_class

    def box(self, thing: Thing, things: Mapping[Thing, Any]) -> Box:
        """Build the box of an object."""
        fields, links = [], []
        linking = self.linking.get(thing.name, {})
        for key, value in things[thing].items():
            name = str(key)
            parts = inside(value, things)
            if is_object(value) or (name in linking and value is None):
                links.append((name, value))
            elif parts or name in linking:
                links += parts
            else:
                fields.append((name, truncate(in_words(whole(value, things)[0]), self.letters)))
        return Box(thing, tuple(fields), tuple(links), self.is_terse)

    # Reachable objects

    def named(self, beat: int) -> dict[str, Thing]:
        """Return the objects of the visible variables by name, with those in their lists and dicts as `name[key]`."""
        moment = self.film.moment(beat)
        running = self.film.running(beat)
        by_name: dict[str, Thing] = {}
        for owner in [*running[::-1], GLOBAL]:
            for name, value in moment.variables.get(owner, {}).items():
                if name not in by_name:
                    by_name |= {name: value} if is_object(value) else {}
                    by_name |= {f"{name}[{part}]": thing for part, thing in inside(value, moment.things)[:12]}
        return by_name

    def boxes(self, beat: int) -> dict[Thing, Box]:
        """Return the boxes of the objects reachable from globals and running calls, at most MOST."""
        moment = self.film.moment(beat)
        live = {*self.film.running(beat), GLOBAL}
        values = [value for owner in moment.variables if owner in live for value in moment.variables[owner].values()]
        rows = ([value] if is_object(value) else [part for _, part in inside(value, moment.things)] for value in values)
        todo = [thing for row in rows for thing in row]
        boxes: dict[Thing, Box] = {}
        for thing in todo:  # todo grows in this loop
            if thing not in boxes and len(boxes) < MOST:
                boxes[thing] = self.box(thing, moment.things)
                todo += [part for _, part in boxes[thing].links if part is not None]
        return boxes

    # Layout

    @cached_property
    def rows(self) -> list[list[Thing]]:
        """The first MOST objects of the film, and the objects they hold, in rows.

        Each object is before the first object that it held, or after its first holder.
        """
        rows: list[list[Thing]] = []
        objects: dict[Thing, None] = {}
        for moment, things in self.film.touched():
            for thing in things:
                if thing.kind is ThingKind.OBJECT and len(objects) < MOST:
                    objects[thing] = None
                    for name, value in moment.things[thing].items():
                        if is_object(value) and name not in self.back:
                            join(rows, thing, value)
        linked = {thing for row in rows for thing in row}
        alone = [thing for thing in objects if thing not in linked and not is_class(thing)]
        return [*rows, alone, *([thing] for thing in objects if is_class(thing))]

    def places(self, beat: int, boxes: Mapping[Thing, Box]) -> dict[Thing, Point]:
        """Return the upper left corners of the boxes."""
        sizes = {thing: box.size(self.is_tree) for thing, box in boxes.items()}
        if not self.is_tree:
            right, down = self.largest[0] + APART, self.largest[1] + TAGS
            spots = [(thing, row, n) for row, things in enumerate(self.rows) for n, thing in enumerate(things)]
            return {thing: (right * n, down * row) for thing, row, n in spots if thing in boxes}
        children = {thing: self.below(box, boxes) for thing, box in boxes.items()}
        tops = boxes.keys() - {child for below in children.values() for child in below}
        laid = spread([*(thing for thing in boxes if thing in tops), *boxes], lambda thing: children.get(thing, []))
        slot = max((wide for wide, _ in sizes.values()), default=40.0) + CLOSE
        tall = max((high for _, high in sizes.values()), default=30.0) + DOWN
        return {t: (slot * column - sizes[t][0] / 2, tall * down) for t, (column, down) in laid.items() if t in boxes}

    def below(self, box: Box, boxes: Mapping[Thing, Box]) -> list[Any]:
        """Return the children of an object in a tree; if one of two is missing, a gap takes its place."""
        ahead = [(name, thing) for name, thing in box.links if name not in self.back]
        nodes = [thing if thing in boxes else (GAP, box.thing, name) for name, thing in ahead]
        return nodes if any(thing in boxes for thing in nodes) and len(nodes) == 2 else [t for t in nodes if t in boxes]

    @cached_property
    def largest(self) -> Point:
        """The greatest width and height of a box in a row, measured on samples of the film."""
        beats = range(self.film.beats, -1, -max(1, self.film.beats // 40))[::-1]
        boxes = [box for beat in beats for box in self.boxes(beat).values() if not is_class(box.thing)]
        sizes = [box.size(False) for box in boxes] or [(60.0, 30.0)]
        return max(wide for wide, _ in sizes), max(high for _, high in sizes)

    @cached_property
    def extent(self) -> tuple[float, float, float, float]:
        """The left, top, right and bottom of all boxes and names, measured on samples of the film."""
        corners = [(0.0, 0.0, 60.0, 40.0)]
        for beat in range(self.film.beats, -1, -max(1, self.film.beats // 40))[::-1]:
            boxes = self.boxes(beat)
            for thing, (x, y) in self.places(beat, boxes).items():
                wide, high = boxes[thing].size(self.is_tree)
                corners.append((x, y, x + wide, y + high))
        left, top = (min(corner[axis] for corner in corners) for axis in (0, 1))
        right, bottom = (max(corner[axis] for corner in corners) for axis in (2, 3))
        room = (3 * TAG, 8) if self.is_tree else (TAGS - 24, 34) if self.back else (34, TAGS - 24)
        return left - 24, top - room[0] + 8, right + 24, bottom + room[1]

    @property
    def high(self) -> float:
        """The preferred height of the picture."""
        return self.extent[3] - self.extent[1] + TITLE + EDGE

    # Drawing

    def pieces(self, beat: int, lit: Collection[int], size: Point) -> list[Piece]:
        """Draw the boxes after a beat in a rectangle; `lit` holds the numbers of objects that have just changed."""
        boxes = self.boxes(beat)
        left, top, right, bottom = self.extent
        wide, high = size[0] - 2 * EDGE, size[1] - TITLE - EDGE
        scale = min(wide / (right - left), high / (bottom - top), 1.25)
        x = EDGE + (wide - scale * (right - left)) / 2 - scale * left
        y = TITLE - scale * top
        places = {thing: (x + scale * a, y + scale * b) for thing, (a, b) in self.places(beat, boxes).items()}
        names = list(dict.fromkeys(name for box in boxes.values() for name, _ in box.fields)) if self.is_terse else []
        title = f"objects: {' · '.join(names)}" if len(names) > 1 else "objects"
        pieces = [Piece("", 0, 0, frame(*size, title), label="objects")]
        box_pieces: list[Piece] = []
        has_titles = not self.is_tree and len({box.thing.name for box in boxes.values()}) > 1
        for thing, box in boxes.items():
            at = places[thing]
            shapes = tuple(self.shapes(box, thing.number in lit, has_titles or not box.fields or is_class(thing)))
            box_pieces.append(Piece(f"box {thing.number}", *at, shapes, scale=scale))
            lines: list[Shape] = []
            for number, (name, target) in enumerate(box.links):
                if target in boxes:
                    goal = ((places[target][0] - at[0]) / scale, (places[target][1] - at[1]) / scale)
                    lines += self.arrow(box, number, name, boxes[target], goal)
            pieces.append(Piece(f"arrows {thing.number}", *at, tuple(lines), scale=scale))
        return [*pieces, *box_pieces, *self.tags(beat, boxes, places, scale)]

    def shapes(self, box: Box, is_lit: bool, is_titled: bool) -> Iterator[Shape]:
        """Draw a box with its fields."""
        wide, high = box.size(self.is_tree)
        fill, edge = ("flash", primitives.GLOW) if is_lit else ("cell", "muted")
        ink = "flash ink" if is_lit else "ink"
        yield Polygon(slab(0, 0, wide, high, 6), fill, edge, 2 if is_lit else 1.4)
        if is_titled:
            yield Text(2, -8, box.thing.name, 11, "muted", "left")
        room = wide if self.is_tree or not box.links else wide - SLOT
        lines = box.lines()
        for number, line in enumerate(lines):
            y = (high - FIELD * len(lines)) / 2 + FIELD * (number + 0.5)
            is_alone = len(lines) == 1
            at, align = (room / 2, "centre") if is_alone else (7.0, "left")
            yield Text(at, y, line, SIZE, ink, align, bold=is_alone)
        if room < wide:
            yield Line(((room, 0), (room, high)), "muted", 1.2)
            height = high / len(box.links)
            for number, (_, target) in enumerate(box.links):
                y = height * number
                if target is None:
                    yield Line(((room + 4, y + height - 4), (wide - 4, y + 4)), "muted", 1.2)

    def arrow(self, box: Box, number: int, name: str, goal: Box, at: Point) -> list[Shape]:
        """Draw an arrow from a field to the box `goal`; `at` is the corner of the target relative to this box."""
        wide, high = box.size(self.is_tree)
        goal_wide, goal_high = goal.size(self.is_tree)
        if self.is_tree:
            is_back = name in self.back
            start = wide * (number + 1) / (len(box.links) + 1), 0.0 if is_back else high
            end = at[0] + goal_wide / 2, at[1] + (goal_high + 2 if is_back else -2)
            if at[1] <= 0 and not is_back:  # the arrow does not point down
                end = at[0] + goal_wide / 2, at[1] + goal_high + 2
            is_told = not name.isdigit() and name not in self.linking.get(box.thing.name, {})
            x, y = primitives.between(start, end, 0.5)
            label = [Text(x + (9 if end[0] < start[0] else -9), y - 3, name, 13, "ink", bold=True)] if is_told else []
            return [Line((start, end), "loss" if is_back else "path", 1.5 if is_back else 2, True), *label]
        height = high / len(box.links)
        start = wide - SLOT / 2, height * (number + 0.5)
        dot = Line((start, (start[0] + 0.1, start[1])), "path", 6)
        is_next = abs(at[1]) < 1 and 0 < at[0] < self.largest[0] + APART + 1
        if is_next and name not in self.back:
            return [dot, Line((start, (at[0] - 2, start[1])), "path", 2, True)]
        middle = at[0] + goal_wide / 2
        if abs(at[1]) < 1:
            far = 20 + 0.05 * abs(at[0])
            y, tip = (high + far, goal_high + 2) if name in self.back else (-far, -2.0)
            bow = (start, (start[0] if at[0] else wide + 12, y), (middle, y), (middle, tip))
            return [dot, Line(rounded(bow), "path", 2, True)]
        return [dot, Line((start, (middle, at[1] + (-2 if at[1] > 0 else goal_high + 2))), "path", 2, True)]

    def tags(
        self, beat: int, boxes: Mapping[Thing, Box], places: Mapping[Thing, Point], scale: float
    ) -> Iterator[Piece]:
        """Draw the names of variables: above their boxes in a tree, with arrows to them in rows."""
        named = {name: thing for name, thing in self.named(beat).items() if thing in boxes}
        over = {target: places[thing][0] for thing, box in boxes.items() for _, target in box.links if target in boxes}
        for name, thing in named.items():
            names = [other for other, target in named.items() if target is thing]
            number, count = names.index(name), len(names)
            wide, high = boxes[thing].size(self.is_tree)
            x, y = places[thing]
            if self.is_tree:  # above the box, beside the line to it
                side = "right" if over.get(thing, x) > x else "left"
                at = x + wide / 2 * scale, y - (TAG * number + (9 if boxes[thing].fields else 20)) * scale
                shapes: Any = (Text(-5 if side == "right" else 5, 0, name, 14, "seat 0", side, bold=True),)
            else:  # in steps: the leftmost name is farthest from the box
                down = -1 if self.back else 1
                far = 22 + 16 * (count - 1 - number)
                at = x + wide * (number + 0.6) / (count + 0.6) * scale, y + (high if down > 0 else 0) * scale
                align, aside = ("centre", 0.0) if count == 1 else ("left", 4.0)
                words = Text(aside, down * (far + 6 * (count == 1)), name, 14, "seat 0", align, bold=True)
                shaft = ((0, down * (far + (-4 if count == 1 else 5))), (0, down * 3))
                shapes = words, Line(shaft, "seat 0", 2, True)
            yield Piece(f"name {name}", *at, shapes, scale=scale)


def is_class(thing: Thing) -> bool:
    """Return whether a thing is a class, with its attributes: its name is "class ..."."""
    return thing.name.startswith("class ")


def is_object(value: object) -> bool:
    """Return whether a flat value is an object of the program's classes."""
    return type(value) is Thing and value.kind is ThingKind.OBJECT


def inside(value: object, things: Mapping[Thing, Any]) -> list[tuple[str, Thing]]:
    """Return the objects in a list, a dict or a set, each with the text of its key; empty for other values."""
    if type(value) is not Thing or value.kind in (ThingKind.OBJECT, ThingKind.ARRAY) or value not in things:
        return []
    contents = things[value]
    if Thing not in {
        *map(type, contents if value.kind is ThingKind.ROW else contents.values())
    }:  # quick exit for long lists
        return []
    pairs = elements(value, contents)
    return [(key if isinstance(key, str) else in_words(key), element) for key, element in pairs if is_object(element)]


def join(rows: list[list[Thing]], thing: Thing, target: Thing) -> None:
    """Place an object before the object it holds in the rows.

    If one of them is new, it joins the row of the other; two rows are joined at matching ends.
    """
    first, second = ([row for row in rows if end in row] for end in (thing, target))
    if first and second and first != second and first[0][-1] is thing and second[0][0] is target:
        first[0] += second[0]  # the objects of a linked list appear last one first
        rows.remove(second[0])
    elif first and not second:
        first[0].insert(first[0].index(thing) + 1, target)
    elif second and not first:
        second[0].insert(second[0].index(target), thing)
    elif not first and not second:
        rows.append([thing, target] if thing is not target else [thing])


def rounded(points: Sequence[Point]) -> tuple[Point, ...]:
    """Cut the corners of a line."""
    path = [points[0]]
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        for end in (before, after):
            far = min(10.0, dist(corner, end) / 2)
            path.append(primitives.between(corner, end, far / (dist(corner, end) or 1.0)))
    return (*path, points[-1])
