from typing import Annotated

from crashlab.games.contract import Traits
from crashlab.happen import Ints, Table
from crashlab.options import Option

TITLE = "Toy race"
OPTIONS = (Option("players", 2, (2,), "always two"), Option("goal", 5, (5, 6, 7), "the last square"))
NO_BID = 0


class Toy(Table):
    players: Annotated[Ints, 1, range(2, 3)]
    goal: Annotated[Ints, 1, range(5, 8)]
    windy: Annotated[Ints, 1, range(2)]
    square: Annotated[Ints, 2, range(11)]
    bid: Annotated[Ints, 2, range(3)]


def check_options(options):
    pass


def traits(options):
    return Traits(chance=True, secrets=False, simultaneous=True, longest=12, scores=(0, 10))


def empty(options):
    table = Toy()
    table.players[0], table.goal[0] = options["players"], options["goal"]
    return table


def set_up(options, rng):
    table = empty(options)
    table.square[:] = [rng.below(2), rng.below(2)]
    return table


def bids(table, seat):
    """What a runner may bid."""
    return [1] if table.square[seat] == table.goal[0] - 1 else [1, 2]


def problems(table):
    return [f"runner {seat} on square {table.square[seat]}" for seat in (0, 1) if table.square[seat] < 0]
