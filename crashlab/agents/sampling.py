"""Flat sampling: every action of a seat is played out equally often, and what came of it is added up.

Plain functions for `twin`, as in `playout`; so are the values that all searches share.

    worlds    a row of tables: what may be behind what the seat sees
    seats     how many play
    wins      1: a playout is worth the seat's share of the win; 0: its lead
"""

from __future__ import annotations

from typing import Any

from crashlab.happen import Ints, lay
from crashlab.playout import begin_luck, choose, play_on

rules: Any = None  # the rules of a game; bound by `twin`

LEAP = 1000003  # a prime: in such leaps one comes to every place of any shorter list


def sample(
    worlds: Any, seat: int, actions: Ints, first: int, playouts: int, decisions: int, seats: int, wins: int,
    seed: Ints, luck: Ints, out: Ints, work: Any, visits: Ints, sums: list[float], squares: list[float],
) -> int:  # fmt: skip
    """Play so many playouts, numbered from `first`, of so many decisions each; their number is returned.

    They take turns in trying the actions, in leaps, so that even a part of a turn round gives an idea of all of a long
    list. In each turn round all actions meet the same world and the same luck.
    """
    for number in range(first, first + playouts):
        place, lap = number * LEAP % len(actions), number // len(actions)
        lay(work, 0, worlds[lap % len(worlds)])
        begin_luck(luck, seed, lap)
        play_first(work[0], seat, actions[place], luck, out)
        play_on(work[0], decisions - 1, luck, out, None)  # one less than NOWHERE is never reached either
        value = worth(work[0], seat, seats, wins)
        visits[place] += 1
        sums[place] += value
        squares[place] += value * value
    return playouts


def play_first(table: Any, seat: int, action: int, luck: Ints, out: Ints) -> None:
    """One decision, in which the seat plays this action and the others play at random."""
    bits, actor = rules.actors(table), 0
    while bits >> actor != 0:
        if actor == seat:
            rules.apply(table, seat, action, None)
        elif bits >> actor & 1:
            rules.apply(table, actor, choose(table, actor, luck, out), None)
        actor += 1


def worth(table: Any, seat: int, seats: int, wins: int) -> float:
    """What the table is worth to a seat."""
    if wins == 0:
        return lead(table, seat, seats)
    bits = rules.winners(table) if rules.actors(table) == 0 else leaders(table, seats)
    return share(bits, seat)


def lead(table: Any, seat: int, seats: int) -> float:
    """The seat's score less the average of the others."""
    own: int = rules.score(table, seat)
    others = 0
    for other in range(seats):
        others += rules.score(table, other)
    return own - (others - own) / max(seats - 1, 1)


def leaders(table: Any, seats: int) -> int:
    """The seats with the best score, as bits: who would win if the game ended here."""
    best, bits = rules.score(table, 0), 0
    for seat in range(seats):
        score = rules.score(table, seat)
        if score > best:
            best, bits = score, 0
        if score == best:
            bits |= 1 << seat
    return bits


def share(bits: int, seat: int) -> float:
    """A seat's share of a win of these seats."""
    winners, place = 0, 0
    while bits >> place != 0:
        winners += bits >> place & 1
        place += 1
    return 1 / winners if bits >> seat & 1 else 0.0
