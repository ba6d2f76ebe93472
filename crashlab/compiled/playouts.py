"""What plays at random and tells no events, compiled as one function: `run` calls a part of it.

Behind each function that Python calls Numba optimises all the rules anew; so games, searches and duels share one. The
others then have nothing to do.
"""

from __future__ import annotations

from typing import Any

from crashlab.compiled import choose_body
from crashlab.compiled.kernels.flat_search import sample
from crashlab.compiled.kernels.matrix_cells import play_cells
from crashlab.compiled.kernels.random_play import play_games
from crashlab.compiled.kernels.tree_search import grow
from crashlab.engine.rules import table_class

PARTS = (play_games, sample, grow, play_cells)


def play(games: tuple[Any, ...], flat: tuple[Any, ...], mcts: tuple[Any, ...], cells: tuple[Any, ...]) -> int:
    """Play all this; how many playouts there were, or met with chance."""
    return play_games(*games) + sample(*flat) + grow(*mcts) + play_cells(*cells)


def run(body: choose_body.Body, part: Any, *arguments: Any) -> int:
    """One of the parts with these arguments."""
    if not body.is_slow_to_compile:
        return int(body.bind(part)(*arguments))
    given = [arguments if other is part else idle for other, idle in zip(PARTS, nothing(body), strict=True)]
    return int(body.bind(play)(*given))


def nothing(body: choose_body.Body) -> tuple[tuple[Any, ...], ...]:
    """For each of the parts arguments with which it has nothing to do."""
    tables = body.tables([table_class(body.rules)()])
    row, numbers, luck = body.row(0), body.numbers(0), body.luck(0)
    common = luck, luck, row, tables
    return (
        (tables, 0, 0, 0, 0, 0, *common, None, row, row, row, row),
        (tables, 0, row, 0, 0, 0, 0, 0, *common, row, numbers, numbers),
        (tables, 0, 0, 0, 0, 0, 0.0, 0, *common, row, numbers, row, numbers),
        (tables, 0, 0, 0, row, row, 0, 0, 0, 0, *common, row, row),
    )
