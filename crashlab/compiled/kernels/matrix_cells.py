"""Playouts for the cells of a matrix game of two actions, as plain functions for backends; see `random_play`."""

from typing import Any

from crashlab.compiled.kernels.lines_of_play import settle
from crashlab.compiled.kernels.random_play import begin_luck, choose, play_on
from crashlab.engine.table import Ints, lay

rules: Any = None  # the rules of a game, bound by a backend


def play_cells(
    start: Any,
    bits: int,
    row_seat: int,
    column_seat: int,
    rows: Ints,
    columns: Ints,
    first: int,
    playouts: int,
    decisions: int,
    wins: int,
    seed: Ints,
    luck: Ints,
    out: Ints,
    work: Any,
    sums: Ints,
    squares: Ints,
) -> int:
    """Add the leads of `playouts` playouts to each cell, and their squares; return how many playouts used chance.

    If `wins` is set, a lead counts as 1, 0 or -1. The playouts are numbered from `first`. A playout's number seeds its
    luck, so all cells are played with the same luck.
    """
    chances = 0
    for cell in range(len(sums)):
        row, column = rows[cell // len(columns)], columns[cell % len(columns)]
        for number in range(first, first + playouts):
            lay(work, 0, start[0])
            begin_luck(luck, seed, number)
            before = luck[0]
            play_cell(work[0], bits, row_seat, row, column_seat, column, decisions, luck, out)
            lead = rules.score(work[0], row_seat) - rules.score(work[0], column_seat)
            if wins:
                lead = min(max(lead, -1), 1)
            sums[cell] += lead
            squares[cell] += lead * lead
            if luck[0] != before:
                chances += 1
    return chances


def play_cell(
    table: Any, bits: int, row_seat: int, row: int, column_seat: int, column: int, decisions: int, luck: Ints, out: Ints
) -> None:
    """Play the two actions, then at random up to `decisions` in total, then all forced decisions."""
    seat = 0
    while bits >> seat != 0:
        if bits >> seat & 1:
            action = row
            if seat == column_seat:
                action = column
            elif seat != row_seat:
                action = choose(table, seat, luck, out)
            rules.apply(table, seat, action, None)
        seat += 1
    play_on(table, decisions - 1, luck, out, None)
    settle(table, out, None)
