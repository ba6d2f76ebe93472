"""Cropping of pictures to a window."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import pairwise
from math import cos, pi, sin

from crashlab.drawing.shapes import Circle, Line, Picture, Piece, Point, Polygon, Shape, Text, box, placed

Window = tuple[float, float, float, float]  # left, top, right, bottom, in the coordinates of the picture


def around(x: float, y: float, wide: float, high: float) -> Window:
    """Return the window with this centre and size."""
    return x - wide / 2, y - high / 2, x + wide / 2, y + high / 2


def cropped(picture: Picture, window: Window) -> Picture:
    """Crop a picture: its board is cut at the edges; pieces with their centre inside are kept whole."""
    left, top, right, bottom = window
    pieces = [replace(piece, x=piece.x - left, y=piece.y - top) for piece in picture.pieces if is_in(window, piece)]
    board = seen(picture.board, window)
    return replace(picture, width=right - left, height=bottom - top, board=board, pieces=tuple(pieces), map=None)


def seen(shapes: Iterable[Shape], window: Window) -> tuple[Shape, ...]:
    """Crop shapes, and return them in the coordinates of the window."""
    return placed(Piece("", -window[0], -window[1], tuple(cut(shapes, window))))


def is_in(window: Window, piece: Piece) -> bool:
    """Return whether the centre of a piece is in the window."""
    if not piece.shapes:
        return False
    left, top, right, bottom = box(placed(piece))
    return window[0] < (left + right) / 2 < window[2] and window[1] < (top + bottom) / 2 < window[3]


def cut(shapes: Iterable[Shape], window: Window) -> Iterator[Shape]:
    """Yield shapes cut at the edges of the window; text that does not fit is left out."""
    for shape in shapes:
        left, top, right, bottom = box([shape])
        if window[0] <= left and right <= window[2] and window[1] <= top and bottom <= window[3]:
            yield shape
        elif isinstance(shape, Text) or left >= window[2] or right <= window[0]:
            continue
        elif top >= window[3] or bottom <= window[1]:
            continue
        elif isinstance(shape, Line):
            yield from cut_line(shape, window)
        else:
            points = shape.points if isinstance(shape, Polygon) else outline(shape)
            if shape.fill and (inner := clipped(points, window)):
                yield Polygon(inner, shape.fill, alpha=shape.alpha)
            if shape.stroke:
                yield from cut_line(Line((*points, points[0]), shape.stroke, shape.width, alpha=shape.alpha), window)


def outline(disc: Circle) -> tuple[Point, ...]:
    """Return a disc as a polygon."""
    turns = [n * pi / 24 for n in range(48)]
    return tuple((disc.x + disc.radius * cos(turn), disc.y + disc.radius * sin(turn)) for turn in turns)


def cut_line(line: Line, window: Window) -> Iterator[Line]:
    """Yield the parts of a line inside the window; the last keeps the arrow head if the line ends inside."""
    run: list[Point] = []
    for start, end in pairwise(line.points):
        piece = segment(start, end, window)
        if piece is None:
            continue
        if run and run[-1] != piece[0]:
            yield replace(line, points=tuple(run), arrow=False)
            run = []
        run = [*(run or [piece[0]]), piece[1]]
    if run:
        yield replace(line, points=tuple(run), arrow=line.arrow and run[-1] == line.points[-1])


def segment(start: Point, end: Point, window: Window) -> tuple[Point, Point] | None:
    """Return the part of a straight line inside the window, or None."""
    low, high = 0.0, 1.0
    for axis in (0, 1):
        way = end[axis] - start[axis]
        near, far = window[axis] - start[axis], window[axis + 2] - start[axis]
        if way == 0:
            if not near <= 0 <= far:
                return None
            continue
        enters, leaves = sorted((near / way, far / way))
        low, high = max(low, enters), min(high, leaves)
    if low >= high:
        return None
    at = [(start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])) for share in (low, high)]
    return (start if low == 0 else at[0]), (end if high == 1 else at[1])


def clipped(points: tuple[Point, ...], window: Window) -> tuple[Point, ...]:
    """Return the part of a polygon inside the window, cut at one edge after another."""
    for axis in (0, 1):
        points = half(points, axis, window[axis], lambda value, edge: value >= edge)
        points = half(points, axis, window[axis + 2], lambda value, edge: value <= edge)
    return points


def half(points: tuple[Point, ...], axis: int, edge: float, keeps: Callable[[float, float], bool]) -> tuple[Point, ...]:
    """Return the part of a polygon on one side of a line perpendicular to the axis."""
    corners: list[Point] = []
    for start, end in zip(points, (*points[1:], *points[:1]), strict=True):
        if keeps(start[axis], edge):
            corners.append(start)
        if keeps(start[axis], edge) != keeps(end[axis], edge):
            share = (edge - start[axis]) / (end[axis] - start[axis])
            there = start[1 - axis] + share * (end[1 - axis] - start[1 - axis])
            corners.append((edge, there) if axis == 0 else (there, edge))
    return tuple(corners)
