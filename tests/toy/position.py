"""Positions.

A position is the squares of both, and 1 if the wind is next: `3 4 1`.
"""

from toy.table import empty


def to_dict(table):
    return {"squares": list(table.square), "windy": table.windy[0]}


def from_dict(options, data):
    table = empty(options)
    table.square[:] = data["squares"]
    table.windy[0] = data.get("windy", 0)
    return table


def write(table):
    return f"{table.square[0]} {table.square[1]} {table.windy[0]}"


def read(options, line):
    first, second, windy = map(int, line.split())
    return from_dict(options, {"squares": [first, second], "windy": windy})
