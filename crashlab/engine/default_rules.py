"""What is the same in most games, so that their rules need not say it: `rules.whole` adds it to those of a game."""

from typing import Any

from crashlab.engine.chance import next_luck
from crashlab.engine.table import CHANCE, NOWHERE, Ints

legal: Any = None  # of the game; so is this:
score: Any = None


def draw(table: Any, seat: int, luck: int, out: Ints) -> int:
    """One of the actions that `legal` lists, each as likely as any other; luck is a number below 2 ** 31."""
    count: int = legal(table, seat, out)
    return out[luck * count >> 31]


def at_random(table: Any, seat: int, luck: Ints, out: Ints) -> int:
    """The only action of a seat, or one that it draws; they are listed once for both."""
    count: int = legal(table, seat, out)
    return out[0] if count == 1 else out[next_luck(luck) * count >> 31]


def rollout_policy(table: Any, seat: int, luck: Ints, out: Ints) -> int:
    """Any action."""
    action: int = draw(table, seat, next_luck(luck), out)
    return action


def only_action(table: Any, seat: int, out: Ints) -> int:
    """The only action, or NOWHERE if there is a choice."""
    return out[0] if legal(table, seat, out) == 1 else NOWHERE


def odds(table: Any, out: Ints) -> int:
    """The outcomes of chance are equally likely."""
    count: int = legal(table, CHANCE, out)
    for place in range(count):
        out[place] = 1
    return count


def evaluate(table: Any, out: Ints) -> None:
    """How every seat stands, in hundredths: nothing but its score."""
    for seat in range(table.players[0]):
        out[seat] = 100 * score(table, seat)


def winners(table: Any) -> int:
    """The seats with the best score, as bits; ties share."""
    best, bits = 0, 0
    for seat in range(table.players[0]):
        best = max(best, score(table, seat))
    for seat in range(table.players[0]):
        if score(table, seat) == best:
            bits |= 1 << seat
    return bits


def spell(table: Any, seat: int, action: int, out: Ints) -> int:
    """An action is one letter."""
    out[0] = action
    return 1


def observe(view: Any, seat: int) -> None:
    """Everybody sees everything."""


def determinize(view: Any, luck: Ints, out: Ints) -> None:
    """Nothing is hidden."""
