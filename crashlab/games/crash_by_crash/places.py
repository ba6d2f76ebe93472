"""Where what a program holds lies on a picture of Crash by Crash, and to which cell an action leads."""

from __future__ import annotations

from collections.abc import Callable

from crashlab.drawing import primitives as kit
from crashlab.drawing.shapes import Point
from crashlab.engine.table import NOWHERE
from crashlab.games import toolkit
from crashlab.games.crash_by_crash import board, figures
from crashlab.games.crash_by_crash import table as t
from crashlab.games.crash_by_crash import words as w
from crashlab.games.crash_by_crash.facts import Tile

Leads = Callable[[t.CrashByCrash, tuple[int, ...]], int]  # to a cell, from the numbers of an action
PIECES = {w.piece_key(piece): piece for piece in range(t.PIECES)}


def place_of(table: t.CrashByCrash, value: object) -> Point | None:
    """A cell: (7, 3) or "7.3", also in a hole. A piece wherever it is: "blue 1", "blue magnet", "operator", "bell 1".

    A tile: its name, "F7+2" or "F7", one of `state.tiles`, or its number from 0 to 24, counted row by row.
    """
    return toolkit.place_of(table, value.name if type(value) is Tile else value, (cell_at, piece_at, tile_at))


def cell_at(table: t.CrashByCrash, words: object) -> Point:
    """The middle of a cell."""
    return board.CENTRES[w.read_cell(words)]


def piece_at(table: t.CrashByCrash, words: object) -> Point | None:
    """Where a piece is drawn: on the floor, in the stock or on the scoring track."""
    if not isinstance(words, str) or words not in PIECES:
        return None
    drawn = figures.piece(table, PIECES[words])
    return drawn.x, drawn.y


def tile_at(table: t.CrashByCrash, words: object) -> Point | None:
    """The middle of a tile; one that is gone has its number only."""
    for tile in range(t.TILES):
        name = w.tile_text(table, tile)
        if words == tile or (not table.gone[tile] and words in (name, name.partition("+")[0])):
            cells = t.cells_of(tile)
            one, other = (cells[0], cells[0]) if tile % 2 else cells[3:5]
            return kit.between(board.CENTRES[one], board.CENTRES[other], 0.5)
    return None


# Actions


def nowhere(table: t.CrashByCrash, begun: tuple[int, ...]) -> int:
    """To no cell."""
    return NOWHERE


def first_cell(table: t.CrashByCrash, begun: tuple[int, ...]) -> int:
    """To the cell that is chosen first."""
    return begun[1]


def second_cell(table: t.CrashByCrash, begun: tuple[int, ...]) -> int:
    """To the cell that is chosen then."""
    return begun[2]
