"""Default rules that hold in most games; `rules.whole` adds them to the rules of a game."""

from typing import Any

from crashlab.engine.chance import next_luck
from crashlab.engine.table import CHANCE, NOWHERE, Ints

legal: Any = None  # replaced by the function of the game, as is score
score: Any = None


def draw(table: Any, seat: int, luck: int, out: Ints) -> int:
    """Return a random legal action, all equally likely; luck is a number below 2 ** 31."""
    count: int = legal(table, seat, out)
    return out[luck * count >> 31]


def at_random(table: Any, seat: int, luck: Ints, out: Ints) -> int:
    """Return the only action of a seat, or a random one; the actions are listed once."""
    count: int = legal(table, seat, out)
    return out[0] if count == 1 else out[next_luck(luck) * count >> 31]


def rollout_policy(table: Any, seat: int, luck: Ints, out: Ints) -> int:
    """Return a random action."""
    action: int = draw(table, seat, next_luck(luck), out)
    return action


def only_action(table: Any, seat: int, out: Ints) -> int:
    """Return the only action, or NOWHERE if there is a choice."""
    return out[0] if legal(table, seat, out) == 1 else NOWHERE


def odds(table: Any, out: Ints) -> int:
    """Write equal weights for all outcomes of chance; return their number."""
    count: int = legal(table, CHANCE, out)
    for place in range(count):
        out[place] = 1
    return count


def evaluate(table: Any, out: Ints) -> None:
    """Write the score of every seat, in hundredths."""
    for seat in range(table.players[0]):
        out[seat] = 100 * score(table, seat)


def winners(table: Any) -> int:
    """Return the seats with the best score, as bits; several in a tie."""
    best, bits = 0, 0
    for seat in range(table.players[0]):
        best = max(best, score(table, seat))
    for seat in range(table.players[0]):
        if score(table, seat) == best:
            bits |= 1 << seat
    return bits


def spell(table: Any, seat: int, action: int, out: Ints) -> int:
    """Write the action as a single letter; return 1."""
    out[0] = action
    return 1


def observe(view: Any, seat: int) -> None:
    """Hide nothing."""


def determinize(view: Any, luck: Ints, out: Ints) -> None:
    """Do nothing, as nothing is hidden."""
