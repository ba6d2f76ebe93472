"""Playouts with careful play: every seat draws a few actions and plays the best of them.

Functions for backends, as in `random_play`. A seat rates an action by a trial: LOOK decisions in a world sampled from
the seat's view, with the other seats playing at random. All actions that a seat tries are tried with the same luck.

    tries     the number of actions a seat tries; 1: all play at random
    work      four tables: the game, a trial, a seat's sampled world, and the start of a lap
    spare     a second source of luck, for trials
    plans     by seat: the action it is about to play
    intended  by seat: its action in the first decision; the actions of the other seats are equal within a lap
    record    the actions of the last playout, of seats and chance, in order: their number, then their codes
"""

from typing import Any

from crashlab.compiled.kernels.flat_search import lead
from crashlab.compiled.kernels.random_play import begin_luck, choose, play_on
from crashlab.engine.chance import next_luck
from crashlab.engine.table import CHANCE, NOWHERE, Ints, lay

rules: Any = None  # the rules of a game, bound by a backend

LOOK = 2  # decisions of a trial, the tried action included; as for `greedy`
GAME, TRIAL, IMAGINED, LAP = range(4)


def weigh(
    worlds: Any,
    seat: int,
    actions: Ints,
    first: int,
    laps: int,
    decisions: int,
    tries: int,
    seats: int,
    intended: Ints,
    seed: Ints,
    luck: Ints,
    spare: Ints,
    out: Ints,
    plans: Ints,
    record: Ints,
    work: Any,
    values: list[float],
) -> int:
    """Play `laps` laps, numbered from `first`, with each action of a seat; return the number of playouts.

    In a lap all actions are played in the same world, with the same plans of the others and the same luck. `values`
    receives the seat's lead, by lap and action. A lead is taken after `decisions` decisions, or at the end of the game
    if that is earlier.
    """
    for lap in range(laps):
        lay(work, LAP, worlds[(first + lap) % len(worlds)])
        begin_luck(luck, seed, first + lap)
        lay(work, GAME, work[LAP])
        plan(work, rules.actors(work[GAME]), seat, tries, seats, luck, spare, out, intended)
        state = luck[0]
        for place in range(len(actions)):
            lay(work, GAME, work[LAP])
            luck[0] = state
            intended[seat] = actions[place]
            record[0] = 0
            play_plans(work[GAME], rules.actors(work[GAME]), intended, record)
            play_carefully(work, decisions - 1, tries, seats, luck, spare, out, plans, record)
            rules.evaluate(work[GAME], out)
            values[lap * len(actions) + place] = lead(seat, seats, out)
    return laps * len(actions)


def expect(
    worlds: Any,
    first: int,
    laps: int,
    decisions: int,
    tries: int,
    seats: int,
    seed: Ints,
    luck: Ints,
    spare: Ints,
    out: Ints,
    plans: Ints,
    record: Ints,
    work: Any,
    values: list[float],
) -> int:
    """Play `laps` playouts, numbered from `first`; return `laps`.

    `values` receives the lead of every seat, by lap.
    """
    for lap in range(laps):
        lay(work, GAME, worlds[(first + lap) % len(worlds)])
        begin_luck(luck, seed, first + lap)
        record[0] = 0
        play_carefully(work, decisions, tries, seats, luck, spare, out, plans, record)
        rules.evaluate(work[GAME], out)
        for seat in range(seats):
            values[lap * seats + seat] = lead(seat, seats, out)
    return laps


def play_carefully(
    work: Any,
    decisions: int,
    tries: int,
    seats: int,
    luck: Ints,
    spare: Ints,
    out: Ints,
    plans: Ints,
    record: Ints,
) -> int:
    """Play to the end or for at most `decisions` decisions with a choice; return their number."""
    played = 0
    bits = rules.actors(work[GAME])
    while bits != 0 and played != decisions:
        before = luck[0]
        if bits == CHANCE:
            outcome = choose(work[GAME], CHANCE, luck, out)
            tell(record, outcome)
            rules.apply(work[GAME], CHANCE, outcome, None)
        else:
            plan(work, bits, NOWHERE, tries, seats, luck, spare, out, plans)
            play_plans(work[GAME], bits, plans, record)
        if luck[0] != before:
            played += 1
        bits = rules.actors(work[GAME])
    return played


def plan(
    work: Any, bits: int, but: int, tries: int, seats: int, luck: Ints, spare: Ints, out: Ints, plans: Ints
) -> None:
    """Choose an action for each deciding seat except `but`; no seat knows what the others choose."""
    for seat in range(seats):
        if bits >> seat & 1 and seat != but:
            plans[seat] = pick(work, bits, seat, tries, seats, luck, spare, out)


def play_plans(table: Any, bits: int, plans: Ints, record: Ints) -> None:
    """Play and record the chosen actions of the deciding seats."""
    for seat in range(len(plans)):
        if bits >> seat & 1:
            tell(record, plans[seat])
            rules.apply(table, seat, plans[seat], None)


def tell(record: Ints, code: int) -> None:
    """Append an action to the record if there is room."""
    if record[0] + 1 < len(record):
        record[0] += 1
        record[record[0]] = code


def pick(work: Any, bits: int, seat: int, tries: int, seats: int, luck: Ints, spare: Ints, out: Ints) -> int:
    """Return a seat's only action, or the best of `tries` actions drawn at random."""
    action: int = rules.only_action(work[GAME], seat, out)
    if action != NOWHERE:
        return action
    action = rules.draw(work[GAME], seat, next_luck(luck), out)
    if tries == 1:
        return action
    start = luck[0]
    lay(work, IMAGINED, work[GAME])
    rules.observe(work[IMAGINED], seat)
    spare[0] = start
    rules.determinize(work[IMAGINED], spare, out)
    best, most = action, try_out(work, bits, seat, action, seats, start, spare, out)
    for _ in range(tries - 1):
        action = rules.draw(work[GAME], seat, next_luck(luck), out)
        value = try_out(work, bits, seat, action, seats, start, spare, out)
        if value > most:
            best, most = action, value
    return best


def try_out(work: Any, bits: int, seat: int, action: int, seats: int, start: int, spare: Ints, out: Ints) -> float:
    """Return the seat's lead after this action and LOOK - 1 further decisions, with the others at random."""
    lay(work, TRIAL, work[IMAGINED])
    spare[0] = start
    for actor in range(seats):
        if bits >> actor & 1:
            code = action if actor == seat else choose(work[TRIAL], actor, spare, out)
            rules.apply(work[TRIAL], actor, code, None)
    play_on(work[TRIAL], LOOK - 1, spare, out, None)
    rules.evaluate(work[TRIAL], out)
    return lead(seat, seats, out)
