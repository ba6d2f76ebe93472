"""Playouts in which nobody plays at random: every seat takes the best of a few actions that it draws.

Functions for bodies, as in `random_play`. How good an action is a seat sees by trying it: in what it imagines behind
its view, with the others at random, LOOK decisions ahead. Of those that it tries each meets the same luck.

    tries     how many actions a seat tries; 1: all play at random
    work      rows for four tables: the game, a trial, what a seat imagines, and where a lap begins
    spare     a second source of luck, for trials
    plans     a place for each seat: what it is about to play
    meant     the same for the first decision, which all actions meet
    told      what was played last, by all and by chance, in its order: how many numbers there are, and then these
"""

from typing import Any

from crashlab.compiled.kernels.flat_search import lead
from crashlab.compiled.kernels.random_play import begin_luck, choose, play_on
from crashlab.engine.chance import next_luck
from crashlab.engine.table import CHANCE, NOWHERE, Ints, lay

rules: Any = None  # the rules of a game; bound by a body

LOOK = 2  # decisions of a trial, its own first; as greedy has it
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
    meant: Ints,
    seed: Ints,
    luck: Ints,
    spare: Ints,
    out: Ints,
    plans: Ints,
    told: Ints,
    work: Any,
    values: list[float],
) -> int:
    """Play `laps` with each of these actions of a seat, numbered from `first`; how many playouts that were.

    In a lap all actions meet the same world, the same plans of the others and the same luck. `values` takes the seat's
    lead after `decisions`, or at the end of the game if that is sooner: lap by lap, action by action.
    """
    for lap in range(laps):
        lay(work, LAP, worlds[(first + lap) % len(worlds)])
        begin_luck(luck, seed, first + lap)
        lay(work, GAME, work[LAP])
        plan(work, rules.actors(work[GAME]), seat, tries, seats, luck, spare, out, meant)
        begun = luck[0]
        for place in range(len(actions)):
            lay(work, GAME, work[LAP])
            luck[0] = begun
            meant[seat] = actions[place]
            told[0] = 0
            play_plans(work[GAME], rules.actors(work[GAME]), meant, told)
            play_carefully(work, decisions - 1, tries, seats, luck, spare, out, plans, told)
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
    told: Ints,
    work: Any,
    values: list[float],
) -> int:
    """Play `laps`, numbered from `first`; `values` takes the lead of every seat, lap by lap. How many there were."""
    for lap in range(laps):
        lay(work, GAME, worlds[(first + lap) % len(worlds)])
        begin_luck(luck, seed, first + lap)
        told[0] = 0
        play_carefully(work, decisions, tries, seats, luck, spare, out, plans, told)
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
    told: Ints,
) -> int:
    """Go on to the end, or at most `decisions` in which somebody has a choice; how many there were."""
    played = 0
    bits = rules.actors(work[GAME])
    while bits != 0 and played != decisions:
        before = luck[0]
        if bits == CHANCE:
            outcome = choose(work[GAME], CHANCE, luck, out)
            tell(told, outcome)
            rules.apply(work[GAME], CHANCE, outcome, None)
        else:
            plan(work, bits, NOWHERE, tries, seats, luck, spare, out, plans)
            play_plans(work[GAME], bits, plans, told)
        if luck[0] != before:
            played += 1
        bits = rules.actors(work[GAME])
    return played


def plan(
    work: Any, bits: int, but: int, tries: int, seats: int, luck: Ints, spare: Ints, out: Ints, plans: Ints
) -> None:
    """Have all seats that are asked choose, each without knowing what the others do; all but one."""
    for seat in range(seats):
        if bits >> seat & 1 and seat != but:
            plans[seat] = pick(work, bits, seat, tries, seats, luck, spare, out)


def play_plans(table: Any, bits: int, plans: Ints, told: Ints) -> None:
    """Play what the seats that are asked have chosen."""
    for seat in range(len(plans)):
        if bits >> seat & 1:
            tell(told, plans[seat])
            rules.apply(table, seat, plans[seat], None)


def tell(told: Ints, code: int) -> None:
    """Write down what is played, as long as there is room."""
    if told[0] + 1 < len(told):
        told[0] += 1
        told[told[0]] = code


def pick(work: Any, bits: int, seat: int, tries: int, seats: int, luck: Ints, spare: Ints, out: Ints) -> int:
    """What a seat plays: the best of the actions that it tries."""
    action: int = rules.only_action(work[GAME], seat, out)
    if action != NOWHERE:
        return action
    action = rules.draw(work[GAME], seat, next_luck(luck), out)
    if tries == 1:
        return action
    begun = luck[0]
    lay(work, IMAGINED, work[GAME])
    rules.observe(work[IMAGINED], seat)
    spare[0] = begun
    rules.determinize(work[IMAGINED], spare, out)
    best, most = action, try_out(work, bits, seat, action, seats, begun, spare, out)
    for _ in range(tries - 1):
        action = rules.draw(work[GAME], seat, next_luck(luck), out)
        value = try_out(work, bits, seat, action, seats, begun, spare, out)
        if value > most:
            best, most = action, value
    return best


def try_out(work: Any, bits: int, seat: int, action: int, seats: int, begun: int, spare: Ints, out: Ints) -> float:
    """The lead of the seat soon after this action, with all others at random."""
    lay(work, TRIAL, work[IMAGINED])
    spare[0] = begun
    for actor in range(seats):
        if bits >> actor & 1:
            code = action if actor == seat else choose(work[TRIAL], actor, spare, out)
            rules.apply(work[TRIAL], actor, code, None)
    play_on(work[TRIAL], LOOK - 1, spare, out, None)
    rules.evaluate(work[TRIAL], out)
    return lead(seat, seats, out)
