"""Games with other options than the usual ones, for tests of what holds for all of them."""

from itertools import product

import crashlab
from crashlab import CrashlabError
from crashlab.engine.game import Game


def examples(option):
    """The values of an option; of a long range its default and its low end, beyond the high end is None."""
    values = option.values if len(option.values) < 20 else (option.default, option.values[0])
    return (*values, None) if option.optional else values


def one_by_one():
    """Every game with its defaults, and with every value of every option that it accepts."""
    for name in crashlab.games():
        seen = []
        for option in crashlab.game(name).choices:
            for value in examples(option):
                for players in (None, 2):
                    given = {option.name: value} | ({"players": players} if players else {})
                    try:
                        game = crashlab.game(name, **given)
                    except CrashlabError:
                        continue
                    if game not in seen:
                        seen.append(game)
        yield from seen


def combined(name, folder):
    """A game with every combination of the values of its options that fit together."""
    choices = Game(name, folder, {}).choices
    for values in product(*map(examples, choices)):
        try:
            yield Game(name, folder, dict(zip((option.name for option in choices), values, strict=True)))
        except CrashlabError:
            continue
