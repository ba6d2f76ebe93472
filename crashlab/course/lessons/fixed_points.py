"""Lesson 41, recursion, invariants and fixed points: a row of saucers, a floor with magnets, and the exercises."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from crashlab.base.errors import short_repr
from crashlab.course.exercises.exercise_types import FunctionWanted
from crashlab.course.lessons.crash_and_grab import crowded_row
from crashlab.course.lessons.crash_by_crash import ahead
from crashlab.course.lessons.crash_by_crash import beside as beside_one
from crashlab.engine.chance import Random
from crashlab.engine.game import State, Turn
from crashlab.games import game

Line = dict[int, str]  # a row of Crash & Grab: space -> saucer; a space is 10 * row + column
LoopMoment = tuple[Line, Line, str, int]  # the row before a flight, the row now, the mover, its space
Cell = tuple[int, int]  # a cell of Crash by Crash: (row, column)

WIDE, SIX = 8, 10  # columns of the board, and of the board for six
FIELD = "tiles 4B3 2A1 3B3 1B0; saucers red off, green off, blue off, yellow off"
MAGNETS = ((6, 6), (9, 4))
CARS = ((4, 5), (4, 7), (6, 4), (6, 8), (8, 5), (8, 7), (11, 3), (11, 5), (9, 2), (9, 6), (7, 3), (3, 9))
BELLS = "2.4 1.7 - - - - - - 11.6 10.10"  # far from the magnets


# Crash & Grab: a row, and the engine's turns with one


def board() -> State:
    """Return an empty board."""
    return game("crash_and_grab").read(FIELD)


def pads_of(state: State) -> set[int]:
    """Return the spaces of the accelerators."""
    return {10 * row + column for row, column in state.facts.accelerators}


def crowded(seed: int) -> Turn | None:
    """Return the turn of `crowded_row`; None unless the first obstacle on the flight is a saucer.

    On an accelerator the flying saucer would choose a new direction, since it is its turn; a pushed saucer goes
    straight on.
    """
    turn = crowded_row(seed)
    pads = pads_of(turn.before)
    spaces = sorted(
        10 * row + column for row, column in (saucer.space for saucer in turn.before.facts.saucers.values())
    )
    first = next((space for space in range(spaces[0] + 1, spaces[0] + 4) if space in spaces or space in pads), None)
    return None if first is None or first in pads else turn


def variant(space: int) -> int:
    """Return the variant of the chain: the steps left to the right, including the step off the board."""
    return WIDE - space % 10


def steps_of(turn: Turn) -> int:
    """Return the number of steps of a chain, including the step off the board."""
    return sum(event.field == "cell" for event in turn.events)


# al-41: the chain with accelerators


def fly(line: Line, space: int, left: int, distance: int, pads: Collection[int], wide: int = WIDE) -> int:
    """Push the saucer on `space` to the right, change the row, and return the total number of steps."""
    if left == 0:
        return 0
    name, there = line.pop(space), space + 1
    if there // 10 != space // 10 or there % 10 == wide:
        return 1
    if there in line:
        steps = fly(line, there, distance, distance, pads, wide)
        line[there] = name
        return 1 + steps
    line[there] = name
    return 1 + fly(line, there, distance if there in pads else left - 1, distance, pads, wide)


def flown(line: Line, space: int, left: int, distance: int, pads: Collection[int]) -> tuple[int, Line]:
    """Return the steps of a flight, and the row after it."""
    return fly(line, space, left, distance, pads), line


def weaker(line: Line, space: int, left: int, distance: int, pads: Collection[int], more: int = 0) -> Line:
    """Return the row after a wrong flight, in which a pushed saucer flies only the rest of the distance plus `more`."""
    name = line.pop(space)
    while left:
        space, left = space + 1, left - 1
        if space % 10 == WIDE:
            return line
        if space in line:
            line[space], name, left = name, line[space], left + more
        left = distance if space in pads else left
    line[space] = name
    return line


def random_flight(rng: Random) -> tuple[Line, int, int, int, set[int]]:
    """Return a random row whose first saucer is pushed, as arguments of `fly`."""
    spaces = rng.shuffled(range(20, 20 + WIDE))
    many, distance = 1 + rng.below(5), 1 + rng.below(5)
    line = dict(zip(sorted(spaces[:many]), "ABCDEF", strict=False))
    return line, min(line), distance, distance, set(spaces[many : many + rng.below(3)])


def flight_hint(
    got: tuple[Any, Line], want: tuple[int, Line], line: Line, space: int, left: int, distance: int, pads: set[int]
) -> str:
    """Return the hint for wrong steps, or for a wrong row after the flight (al-41)."""
    count, after = got
    steps, right = want
    where = f"{line}, accelerators {sorted(pads) or 'none'}, pushed on {space}, distance {distance}: "
    if after == line:
        return f"{where}nothing has changed. Change the dict itself: take the name away here, put it down there."
    if after == right:
        if count is None:
            return f"{where}the row is right, but nothing is returned. How many steps is that in all?"
        inside = " How many of them did the inner call make?" if steps > 1 else ""
        return f"{where}the row is right. The steps are {steps} in all, and you say {short_repr(count)}.{inside}"
    if beyond := [name for place, name in after.items() if place % 10 >= WIDE or place // 10 != space // 10]:
        return f"{where}you leave {after}, but {beyond[0]} flies off the board: there is no column {WIDE}."
    if rests := [name for place, name in after.items() if place in pads]:
        return f"{where}you leave {after}, but {rests[0]} cannot rest on an accelerator: the distance starts again."
    if missing := set(right.values()) - set(after.values()):
        return f"{where}you leave {after}: {min(missing)} is lost. Let the saucer that is hit fly first."
    return f"{where}you leave {after}; it should be {right}."


WRONG_FLIGHTS: Mapping[str, Any] = {
    "That ignores the accelerators: on one, `left` becomes the whole distance again.": (
        lambda line, space, left, distance, pads: flown(line, space, left, distance, set())[1]
    ),
    "A saucer that is hit flies the whole distance, not what the other had left.": (
        lambda line, space, left, distance, pads: weaker(line, space, left, distance, pads),
        lambda line, space, left, distance, pads: weaker(line, space, left, distance, pads, 1),
    ),
}


# al-41b: the invariant of the loop

BUGS = ("loses", "overtakes", "doubles", "blows", "renames")


def moments(line: Line, space: int, distance: int, pads: Collection[int] = (), bug: str = "") -> Iterator[LoopMoment]:
    """Yield the moment at the start of each round of the loop, and at its end; with a bug, the moments of a wrong loop.

    With "loses" the mover is lost in a hit, with "overtakes" it flies past, with "renames" it renames the saucer it
    hits, with "doubles" a copy of it stays on its first space, with "blows" it moves the next saucer before any hit.
    """
    start, now, left = dict(line), dict(line), distance
    mover = now.pop(space)
    if bug == "doubles":
        now[space] = mover
    while left > 0:
        yield start, dict(now), mover, space
        space, left = space + 1, left - 1
        if bug == "blows" and (ahead := [place for place in now if place > space]) and min(ahead) + 1 not in now:
            now[min(ahead) + 1] = now.pop(min(ahead))
        if space % 10 == WIDE:
            return
        if space in now:
            left = distance
            if bug == "loses":
                mover = now.pop(space)
            elif bug == "renames":
                now[space], mover = mover, now[space].lower()
            elif bug != "overtakes":
                now[space], mover = mover, now[space]
        left = distance if space in pads else left
    yield start, {**now, space: mover} if bug == "doubles" else now, mover, space


def wrong(start: Line, line: Line, mover: str, space: int) -> str:
    """Explain why a right flight cannot lead to this moment; empty if it can."""
    count = Counter([*line.values(), mover])
    if strange := [name for name in count if name not in start.values()]:
        return f"no saucer was called {strange[0]}"
    if missing := [name for name in start.values() if name not in count]:
        return f"{missing[0]} is lost"
    if twice := [name for name in count if count[name] > 1]:
        return f"{twice[0]} appears twice"
    if moved := [name for place, name in sorted(start.items()) if place > space and line.get(place) != name]:
        return f"{moved[0]} has moved, but no saucer has reached it yet"
    behind = [line[place] for place in sorted(line) if place <= space]
    ahead = [line[place] for place in sorted(line) if place > space]
    was, now = (" ".join(names) for names in ([start[place] for place in sorted(start)], [*behind, mover, *ahead]))
    return f"the order from left to right is {now}, but it was {was}" if now != was else ""


def is_possible(start: Line, line: Line, mover: str, space: int) -> bool:
    """Return whether a right flight can lead to this moment."""
    return not wrong(start, line, mover, space)


def situations() -> list[LoopMoment]:
    """Return moments of right loops, small ones first, then moments of wrong loops that reveal their bugs."""
    rng = Random(1)
    lines: list[Line] = [{20: "A"}, {20: "A", 21: "B"}, {20: "A", 22: "B", 25: "C"}]
    for many in (2, 3, 4, 5, 6):
        lines += [dict(zip(sorted(rng.shuffled(range(20, 28))[:many]), "ABCDEF", strict=False)) for _ in range(4)]
    result = [moment for line in lines for moment in moments(line, min(line), 3)]
    for line in lines:
        for bug in BUGS:
            result += [moment for moment in moments(line, min(line), 3, (), bug) if wrong(*moment)][:2]
    return result


def random_moment(rng: Random) -> LoopMoment:
    """Return a random moment; in about half of all cases it reveals a bug."""
    line = dict(zip(sorted(rng.shuffled(range(20, 28))[: 2 + rng.below(5)]), "ABCDEF", strict=False))
    distance = 1 + rng.below(5)
    right = list(moments(line, min(line), distance))
    shown = [moment for moment in moments(line, min(line), distance, (), rng.choice(BUGS)) if wrong(*moment)]
    return rng.choice(shown if shown and rng.below(2) else right)


def invariant_hint(got: Any, want: bool, start: Line, line: Line, mover: str, space: int) -> str:
    """Return the hint for an invariant that returns False at a right moment, or True at a wrong one (al-41b)."""
    where = f"the row begins as {start}; now it is {line}, and {mover} flies over {space}"
    if not isinstance(got, bool):
        return f"{where}: you say {short_repr(got)}. Return True or False."
    if not want:
        return f"{where}: you say True, but {wrong(start, line, mover, space)}."
    if line == {place: name for place, name in start.items() if name != mover}:
        return f"{where}: you say False, but this is how the row looks before the first hit."
    return f"{where}: you say False, but a correct loop gets here: a saucer that hits another takes its place."


# Fixed points


def ends(space: int, distance: int, pads: Collection[int]) -> set[int]:
    """Return the possible ends of a flight of this distance on an empty board; an accelerator ends the flight."""
    result = set()
    for step in (-10, 1, 10, -1):
        there = space
        for _ in range(distance):
            there += step
            if not is_on_board(there) or there in pads:
                break
        if is_on_board(there):
            result.add(there)
    return result


def is_on_board(space: int) -> bool:
    """Return whether this is a space of the board of eight by eight."""
    return 0 <= space < 10 * WIDE and space % 10 < WIDE


def floor() -> State:
    """Return the floor of Crash by Crash with two magnets and cars round them."""
    blue, orange = {"cars": CARS[::2], "magnet": MAGNETS[0]}, {"cars": CARS[1::2], "magnet": MAGNETS[1]}
    return game("crash_by_crash").read({"bells": BELLS, "blue": blue, "orange": orange})


def beside(cells: Collection[Cell]) -> set[Cell]:
    """Return all cells next to some cells."""
    return {near for cell in cells for near in beside_one(cell)}


def pulled(cars: Collection[Cell], magnets: Collection[Cell]) -> dict[Cell, Cell]:
    """CB-M3: return the pulled cars and their new cells, without cars pulled by both magnets or next to a magnet."""
    candidates = []
    for magnet in sorted(magnets):
        for way in range(6):
            between = ahead(magnet, way)
            if between not in cars and ahead(between, way) in cars:
                candidates.append((ahead(between, way), between))
    times = Counter(car for car, _ in candidates)
    fixed = beside(magnets) | set(magnets)
    return {car: to for car, to in candidates if times[car] == 1 and car not in fixed}


CHECKS = (
    FunctionWanted(
        "al-41",
        "fly(line, space, left, distance, pads)",
        "The whole chain never takes more steps than there are spaces up to the edge, however many saucers are hit."
        " Which number gets smaller with each call? Not `left`!",
        cases=lambda: [
            ({20: "A"}, 20, 2, 2, set()),
            ({20: "A", 22: "B"}, 20, 3, 3, set()),
            ({26: "A"}, 26, 3, 3, set()),
            ({20: "A"}, 20, 2, 2, {21}),
            ({20: "A", 21: "B"}, 20, 3, 3, {23}),
            ({20: "A", 25: "B"}, 20, 2, 5, set()),
        ],
        more=100,
        right=flown,
        hint=flight_hint,
        changes=True,
        returns=True,
        follows="line",
        draw=random_flight,
        wrongs=WRONG_FLIGHTS,
        alike=lambda got, wrong: bool(got[1] == wrong),
    ),
    FunctionWanted(
        "al-41b",
        "invariant(start, line, mover, space)",
        "Nobody gets lost, nobody overtakes, and nobody moves before they are hit. At the end of the loop this is"
        " still true. What does it say about the final row?",
        cases=situations,
        right=is_possible,
        hint=invariant_hint,
        same=lambda got, want: isinstance(got, bool) and got == want,
        draw=random_moment,
    ),
)
