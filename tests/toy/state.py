from typing import Annotated

from crashlab.engine import contract
from crashlab.engine.options import Option, filled
from crashlab.engine.table import Ints, Table

TITLE = "Toy race"
OPTIONS = (Option("players", 2, (2,), "always two"), Option("goal", 5, (5, 6, 7), "the last square"))
NO_BID = 0
check_options = contract.any_options


class Toy(Table):
    players: Annotated[Ints, 1, range(2, 3)]
    goal: Annotated[Ints, 1, range(5, 8)]
    windy: Annotated[Ints, 1, range(2)]
    square: Annotated[Ints, 2, range(11)]
    bid: Annotated[Ints, 2, range(3)]


def traits(options):
    return contract.Traits(chance=True, secrets=False, simultaneous=True, longest=12, scores=(0, 10))


def empty(options):
    return filled(Toy(), OPTIONS, options)


def set_up(options, rng):
    table = empty(options)
    table.square[:] = [rng.below(2), rng.below(2)]
    return table
