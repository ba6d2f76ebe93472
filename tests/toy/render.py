"""The smallest drawing that a game can have: two runners on a line of squares."""

from crashlab.drawing.shapes import Circle, Picture, Piece, Polygon, Text
from crashlab.engine import contract

COLOURS = {"light": {"track": "#E8D9B0"}, "dark": {"track": "#332B1A"}}  # themes that the package does not have
effects, paths, seat_paint = contract.no_effects, contract.no_paths, contract.seat_paint
place_of = contract.no_places


def spot(square, seat):
    return 40 + 40 * square, 60 + 40 * seat


def runner(table, seat):
    shapes = (Circle(0, 0, 14, f"seat {seat}"), Text(0, 0, "AB"[seat], fill=f"seat {seat} ink"))
    return Piece(f"runner {seat}", *spot(table.square[seat], seat), shapes, label=f"runner {seat}")


def picture(table):
    track = Polygon(((0, 0), (400, 0), (400, 160), (0, 160)), "track")
    return Picture(400, 160, (track,), (runner(table, 0), runner(table, 1)), caption(table), colours=COLOURS)


def caption(table):
    return f"A is on {table.square[0]}, B on {table.square[1]}."


def purses(table):
    return {"AB"[seat]: square for seat, square in enumerate(table.square)}
