"""Positions.

A position is the squares of both, and `windy` if the wind is next: `squares 3 4; windy`.
"""

from crashlab.notation import whole
from crashlab.parts import Part, flag


def put_squares(table, entry):
    table.square[:] = [whole(square, "squares") for square in entry]


PARTS = (
    Part(
        "squares", "the squares of both", lambda table: list(table.square), put_squares, lambda table: [0, 0],
        lambda squares: " ".join(map(str, squares)), str.split, always=True,
    ),
    flag("windy", "the wind is next", "windy"),
)  # fmt: skip


def impossible(table):
    return []
