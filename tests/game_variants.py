"""Games with unusual options, for tests of rules that hold for all of them."""

from itertools import product

import crashlab
from crashlab import CrashlabError
from crashlab.engine.game import Game


def examples(option):
    """Return the values of an option; for a long range its default and its low end, since its high end may be None."""
    values = option.values if len(option.values) < 20 else (option.default, option.values[0])
    return (*values, None) if option.optional else values


def one_by_one():
    """Yield every game with its defaults, and with every value of every option that it accepts."""
    for name in crashlab.games():
        games = []
        for option in crashlab.game(name).choices:
            for value in examples(option):
                for players in (None, 2):
                    options = {option.name: value} | ({"players": players} if players else {})
                    try:
                        game = crashlab.game(name, **options)
                    except CrashlabError:
                        continue
                    if game not in games:
                        games.append(game)
        yield from games


def combined(name, folder):
    """Yield a game with every combination of the values of its options that fit together."""
    choices = Game(name, folder, {}).choices
    for values in product(*map(examples, choices)):
        try:
            yield Game(name, folder, dict(zip((option.name for option in choices), values, strict=True)))
        except CrashlabError:
            continue
