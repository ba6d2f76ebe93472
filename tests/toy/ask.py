"""The smallest set of questions that a game can ask."""

from crashlab.asking import Choice, Edit, Field, Question
from crashlab.shapes import Circle, Line
from toy.look import spot
from toy.table import bids


def subject(table, seat):
    return f"runner {seat}"


def prompt(table, seat, chosen):
    return "How far?"


def choices(table, seat, chosen):
    found = []
    for bid in bids(table, seat):
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
