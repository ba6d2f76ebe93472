"""Pairings: a round robin, or Swiss rounds of agents with similar results."""

from collections.abc import Collection, Sequence
from itertools import combinations
from math import ceil, log2

Pairing = tuple[str, str]  # two names in alphabetical order
NOBODY = ""  # the opponent of an agent with a bye


def everybody(names: Collection[str]) -> list[Pairing]:
    """Return all pairs."""
    return list(combinations(sorted(names), 2))


def enough(number: int) -> int:
    """Return the number of Swiss rounds that find the best of `number` agents, if the better one always wins."""
    return ceil(log2(number)) if number > 1 else 0


def most(number: int) -> int:
    """Return how many Swiss rounds `number` agents can always play without a rematch."""
    return (number + 1) // 2


def swiss(order: Sequence[str], earlier: Collection[Pairing]) -> list[Pairing]:
    """Pair agents with new opponents of similar rank; with an odd number, an agent of low rank has a bye.

    `order` has the best agent first. Such pairs exist for `most(len(order))` rounds: each agent has at least half of
    the others left as new opponents, so a perfect matching exists by Dirac's theorem.
    """
    everyone = [*order, NOBODY] if len(order) % 2 else list(order)
    pairs = matched(everyone, set(earlier))
    assert pairs is not None
    return pairs


def matched(remaining: Sequence[str], earlier: set[Pairing]) -> list[Pairing] | None:
    """Pair all remaining agents with new opponents, the first with the next possible one; None if impossible."""
    if not remaining:
        return []
    first, *others = remaining
    for other in others:
        pair = min(first, other), max(first, other)
        if pair not in earlier:
            rest = matched([name for name in others if name != other], earlier)
            if rest is not None:
                return [pair, *rest]
    return None
