"""The smallest look that a game can have: two runners on a line of squares."""

from crashlab.shapes import Choice, Circle, Edit, Field, Line, Picture, Piece, Polygon, Question, Text
from toy import rules

ROOM = ((0, 0), (400, 0), (400, 160), (0, 160))


def spot(square, seat):
    return 40 + 40 * square, 60 + 40 * seat


def runner(table, seat):
    shapes = (Circle(0, 0, 14, f"seat {seat}"), Text(0, 0, "AB"[seat], fill=f"seat {seat} ink"))
    return Piece(f"runner {seat}", *spot(table.square[seat], seat), shapes, label=f"runner {seat}")


def picture(table):
    return Picture(400, 160, (Polygon(ROOM, "wood"),), (runner(table, 0), runner(table, 1)), caption(table))


def caption(table):
    return f"A is on {table.square[0]}, B on {table.square[1]}."


def subject(table, seat):
    return f"runner {seat}"


def effects(table, rows, told=()):
    return ()


def paths(table, rows):
    return ()


def choices(table, seat, chosen):
    found = []
    for bid in rules.options(table, seat):
        x, y = spot(table.square[seat] + bid, seat)
        found.append(Choice(str(bid), f"run {bid}", x, y, (Circle(x, y, 8, "", "ink"),), str(bid)))
    return tuple(found)


def plans(table, actions):
    found = []
    for seat, bid in actions.items():
        way = spot(table.square[seat], seat), spot(table.square[seat] + bid, seat)
        found.append(Choice(str(bid), f"{'AB'[seat]} runs {bid}", *way[1], (Line(way, "ink", arrow=True),)))
    return tuple(found)


def questions(turn):
    end = turn.after.table.square[0]
    squares = range(9)
    places = tuple(spot(square, 0) for square in squares)
    return (Question("Where is A then?", tuple(map(str, squares)), end, len(turn.rows) - 1, places),)


def edits(table):
    squares = tuple(map(str, range(9)))
    fields = (Field("square", squares, str(square)) for square in table.square)
    return tuple(Edit(f"runner {seat}", f"runner {seat}", (field,)) for seat, field in enumerate(fields))


def edited(data, key, name, value):
    squares = list(data["squares"])
    squares[int(key[-1])] = int(value)
    return {**data, "squares": squares}
