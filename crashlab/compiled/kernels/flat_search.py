"""Flat sampling: every action of a seat is played out equally often, and what came of it is added up.

Plain functions for bodies, as in `random_play`; so are the values that all searches share.

    worlds    a row of tables: what may be behind what the seat sees
    seats     how many play
    wins      1: a playout is worth the seat's share of the win; 0: its lead
    values    how every seat stands, as the rules wrote it to `out`: 100 times its score, and what it is near to
"""

from typing import Any

from crashlab.compiled.kernels.random_play import begin_luck, choose
from crashlab.engine.table import CHANCE, NOWHERE, Ints, lay

rules: Any = None  # the rules of a game; bound by a body

LEAP = 1000003  # a prime: in such leaps one comes to every place of any shorter list


def sample(
    worlds: Any,
    seat: int,
    actions: Ints,
    first: int,
    playouts: int,
    decisions: int,
    seats: int,
    wins: int,
    seed: Ints,
    luck: Ints,
    out: Ints,
    work: Any,
    visits: Ints,
    sums: list[float],
    squares: list[float],
) -> int:
    """Play `playouts` of `decisions` each, numbered from `first`; their number is returned.

    They take turns in trying the actions, in leaps, so that even a part of a turn round gives an idea of all of a long
    list. In each turn round all actions meet the same world and the same luck.
    """
    for number in range(first, first + playouts):
        place, lap = number * LEAP % len(actions), number // len(actions)
        lay(work, 0, worlds[lap % len(worlds)])
        begin_luck(luck, seed, lap)
        play_first(work[0], seat, actions[place], luck, out)
        play_sensibly(work[0], decisions - 1, luck, out)  # one less than NOWHERE is never reached either
        rules.evaluate(work[0], out)
        value = worth(work[0], seat, seats, wins, out)
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
            rules.apply(table, actor, answer(table, actor, luck, out), None)
        actor += 1


def play_sensibly(table: Any, decisions: int, luck: Ints, out: Ints) -> None:
    """Play on as seats might, to the end or for at most so many decisions in which somebody had a choice."""
    played = 0
    bits = rules.actors(table)
    while bits != 0 and played != decisions:
        before, actor = luck[0], 0
        if bits == CHANCE:
            rules.apply(table, CHANCE, choose(table, CHANCE, luck, out), None)
        else:
            while bits >> actor != 0:
                if bits >> actor & 1:
                    rules.apply(table, actor, answer(table, actor, luck, out), None)
                actor += 1
        if luck[0] != before:
            played += 1
        bits = rules.actors(table)


def answer(table: Any, seat: int, luck: Ints, out: Ints) -> int:
    """What a seat might well do."""
    action: int = rules.only_action(table, seat, out)
    if action == NOWHERE:
        action = rules.rollout_policy(table, seat, luck, out)
    return action


def worth(table: Any, seat: int, seats: int, wins: int, values: Ints) -> float:
    """What the table is worth to a seat; the values are those of this table."""
    if wins == 0:
        return lead(seat, seats, values)
    bits = rules.winners(table) if rules.actors(table) == 0 else leaders(seats, values)
    return share(bits, seat)


def lead(seat: int, seats: int, values: Ints) -> float:
    """The seat's prospect less the average of the others, in points."""
    others = 0
    for other in range(seats):
        others += values[other]
    return values[seat] / 100 - (others - values[seat]) / 100 / max(seats - 1, 1)


def leaders(seats: int, values: Ints) -> int:
    """The seats with the best prospect, as bits: who would win if it all came true."""
    best, bits = values[0], 0
    for seat in range(seats):
        if values[seat] > best:
            best, bits = values[seat], 0
        if values[seat] == best:
            bits |= 1 << seat
    return bits


def share(bits: int, seat: int) -> float:
    """A seat's share of a win of these seats."""
    winners, place = 0, 0
    while bits >> place != 0:
        winners += bits >> place & 1
        place += 1
    return 1 / winners if bits >> seat & 1 else 0.0
