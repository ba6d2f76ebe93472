"""Who meets whom: everybody each other once, or round by round those who have done equally well."""

from collections.abc import Collection, Sequence
from itertools import combinations
from math import ceil, log2

Pairing = tuple[str, str]  # in the order of the alphabet
NOBODY = ""  # whom one meets who has a round off


def everybody(names: Collection[str]) -> list[Pairing]:
    """Every two of them."""
    return list(combinations(sorted(names), 2))


def enough(number: int) -> int:
    """How many rounds find out who is the best of so many, if the better always wins."""
    return ceil(log2(number)) if number > 1 else 0


def most(number: int) -> int:
    """In how many rounds of so many nobody ever needs to meet somebody again, whatever the results."""
    return (number + 1) // 2


def swiss(order: Sequence[str], met: Collection[Pairing]) -> list[Pairing]:
    """Each meets somebody new of about the same rank; of an odd number one low in rank has the round off.

    `order` has the best first. In `most(len(order))` rounds there always are such pairs: each has at least half of the
    others left, and then (Dirac) everybody can be paired.
    """
    everyone = [*order, NOBODY] if len(order) % 2 else list(order)
    found = matched(everyone, set(met))
    assert found is not None
    return found


def matched(left: Sequence[str], met: set[Pairing]) -> list[Pairing] | None:
    """Pairs of new partners for all who are left, the first with the next that is possible; None if there are none."""
    if not left:
        return []
    first, *others = left
    for other in others:
        pair = min(first, other), max(first, other)
        if pair not in met:
            rest = matched([name for name in others if name != other], met)
            if rest is not None:
                return [pair, *rest]
    return None
