"""The smallest look that a game can have: two runners on a line of squares."""

from crashlab.shapes import Circle, Picture, Piece, Polygon, Text

COLOURS = {"light": {"track": "#E8D9B0"}, "dark": {"track": "#332B1A"}}  # in no list of the package
ROOM = ((0, 0), (400, 0), (400, 160), (0, 160))


def spot(square, seat):
    return 40 + 40 * square, 60 + 40 * seat


def runner(table, seat):
    shapes = (Circle(0, 0, 14, f"seat {seat}"), Text(0, 0, "AB"[seat], fill=f"seat {seat} ink"))
    return Piece(f"runner {seat}", *spot(table.square[seat], seat), shapes, label=f"runner {seat}")


def picture(table):
    runners = runner(table, 0), runner(table, 1)
    return Picture(400, 160, (Polygon(ROOM, "track"),), runners, caption(table), colours=COLOURS)


def caption(table):
    return f"A is on {table.square[0]}, B on {table.square[1]}."


def effects(table, rows, told=()):
    return ()


def paths(table, rows):
    return ()


def seat_paint(table, seat):
    return f"seat {seat}"


def purses(table):
    return {"AB"[seat]: square for seat, square in enumerate(table.square)}
