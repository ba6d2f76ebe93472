"""Flat sampling: every action of a seat is played out equally often, and the results are summed.

Plain functions for backends, as in `random_play`, with the evaluations that all searches share.

    worlds    tables that are consistent with the seat's view
    seats     the number of seats
    wins      1: the value of a playout is the seat's share of the win; 0: its lead
    values    the prospect of every seat, as the rules wrote it to `out`: its score plus expected points, in hundredths
              of a point
"""

from typing import Any

from crashlab.compiled.kernels.random_play import begin_luck, choose
from crashlab.engine.table import CHANCE, NOWHERE, Ints, lay

rules: Any = None  # the rules of a game, bound by a backend

LEAP = 1000003  # a prime longer than any list, so that steps of this size visit every index


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
    """Play `playouts` playouts of `decisions` decisions each, numbered from `first`; return `playouts`.

    The playouts try the actions in rotation, in steps of LEAP, so that even a partial lap samples the whole of a long
    list. In each lap all actions are tried in the same world with the same luck.
    """
    for number in range(first, first + playouts):
        place, lap = number * LEAP % len(actions), number // len(actions)
        lay(work, 0, worlds[lap % len(worlds)])
        begin_luck(luck, seed, lap)
        play_first(work[0], seat, actions[place], luck, out)
        # without a limit, decisions - 1 is NOWHERE - 1, which is never reached either
        play_sensibly(work[0], decisions - 1, luck, out)
        rules.evaluate(work[0], out)
        value = worth(work[0], seat, seats, wins, out)
        visits[place] += 1
        sums[place] += value
        squares[place] += value * value
    return playouts


def play_first(table: Any, seat: int, action: int, luck: Ints, out: Ints) -> None:
    """Play one decision: the seat plays `action`, the others follow the rollout policy."""
    bits, actor = rules.actors(table), 0
    while bits >> actor != 0:
        if actor == seat:
            rules.apply(table, seat, action, None)
        elif bits >> actor & 1:
            rules.apply(table, actor, answer(table, actor, luck, out), None)
        actor += 1


def play_sensibly(table: Any, decisions: int, luck: Ints, out: Ints) -> None:
    """Play on by the rollout policy, to the end or for `decisions` decisions that used luck."""
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
    """Return the seat's only action, or one drawn by the rollout policy."""
    action: int = rules.only_action(table, seat, out)
    if action == NOWHERE:
        action = rules.rollout_policy(table, seat, luck, out)
    return action


def worth(table: Any, seat: int, seats: int, wins: int, values: Ints) -> float:
    """Return the value of the table for a seat: its lead, or with `wins` its share of the win.

    `values` must come from this table. Before the end of the game the seats with the best prospect win.
    """
    if wins == 0:
        return lead(seat, seats, values)
    bits = rules.winners(table) if rules.actors(table) == 0 else leaders(seats, values)
    return share(bits, seat)


def lead(seat: int, seats: int, values: Ints) -> float:
    """Return the seat's prospect minus the average of the others, in points."""
    others = 0
    for other in range(seats):
        others += values[other]
    return values[seat] / 100 - (others - values[seat]) / 100 / max(seats - 1, 1)


def leaders(seats: int, values: Ints) -> int:
    """Return the seats with the best prospect, as bits."""
    best, bits = values[0], 0
    for seat in range(seats):
        if values[seat] > best:
            best, bits = values[seat], 0
        if values[seat] == best:
            bits |= 1 << seat
    return bits


def share(bits: int, seat: int) -> float:
    """Return a seat's share of a win shared by the seats in `bits`."""
    winners, place = 0, 0
    while bits >> place != 0:
        winners += bits >> place & 1
        place += 1
    return 1 / winners if bits >> seat & 1 else 0.0
