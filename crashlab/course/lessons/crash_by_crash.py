"""The exercises of the Crash by Crash lesson, and the positions in which its two editions differ."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

from crashlab.agents import random
from crashlab.base.errors import CrashlabError, short_repr
from crashlab.course.exercises.exercise_types import AgentWanted, FunctionWanted, ThingWanted
from crashlab.course.lessons.crash_city import components
from crashlab.drawing import png
from crashlab.engine.chance import Random
from crashlab.engine.game import Game, State, Turn
from crashlab.engine.notation import counted
from crashlab.games import game
from crashlab.games.boards.hexes import DIRECTIONS, STEPS
from crashlab.play.match import Match

Cell = tuple[int, int]  # (row, column)

ROWS, LONG = 15, 13  # rows of the floor, and cells of an even row; odd rows have one cell less
LENGTH = 13  # places of the line of cb-2
TURNS, GAMES, LEAD = 10, 4, 25  # cb-6: turns of a game, games, and the mean lead needed
FLOOR = [(row, column) for row in range(ROWS) for column in range(LONG - row % 2)]

# The middle of a game, A to move; four flowers are gone, and both magnets are on the floor.
MIDDLE = (
    "turn 18; asked A; first B; floor X4 F4+3 X3+3 F8+5 X1+3 F7+5 X2 F3+1 X9 F10+5 X0 F6 X11+3 F2+1 X10+3 F9+4 "
    "X12+3 F5+3 X7+3 F0+5 X6+3 F11+4 X5+3 F1+2 X8+3; gone 4.6 7.3 10.1 13.8; bells 11.10 - 8.9 - 1.3 11.5 - 4.2 "
    "2.8; operator 14.5; blue 2.4 7.7 8.6 13.11 6.9 - 11.6 2.1 3.9 5.8 M4.9, score 39, batteries 0; orange 3.3 "
    "0.4 6.2 9.6 5.11 9.5 10.6 7.6 5.9 10.7 M4.4, score 39, batteries 0; hands A Charms Saboteur Hit, B Powerless "
    "Expansion Reaction; display Racket Hit Tandem; discards Ride Dutchman Powerless Racket Tandem Expansion*2 "
    "Reaction"
)

# A position for each rule in which the rulebooks differ, and the actions played in it. Bells are placed for the rule
# in question; the cars in the corners only keep the game going.
CORNERS, BOTH = "blue 14.0", "bells 2.4 1.7 5.0 5.5 4.11 6.4 7.9 9.1 11.6 10.10; blue 6.3; orange 4.6 11.1"
SHOWN: dict[str, tuple[str, tuple[str, ...]]] = {
    "CB-S1": ("turn 8; blue 14.0; orange 14.12", ()),
    "CB-O2": ("turn 8; operator 8.10; blue 14.0 8.12; orange 14.12", ("walk E E",)),
    "CB-K3": ("turn 8; blue 6.3; orange 14.12; hands A Ride", ("play Ride 6.3 6.4",)),
    "CB-K7": (f"turn 8; {BOTH}; hands A Powerless", ("play Powerless", "magnet 6.5")),
    "CB-K8": (f"turn 8; {BOTH}; hands A Shady", ("play Shady", "magnet 6.5")),
    "CB-K9": ("turn 8; operator 0.12; blue 8.9 14.0; orange 8.11 14.12; hands A Hit", ("play Hit", "car 8.10 E")),
    "CB-K13": ("turn 8; blue 8.4; orange 14.12; hands A Reaction", ("play Reaction", "car 8.5 W")),
    "CB-E2": ("turn 8; blue 14.0; orange 6.3 7.8 14.12", ("car 6.2 E", "car 7.7 E")),
    "CB-E3": (f"turn 8; {BOTH}", ("magnet 6.5",)),
    "CB-V1": (
        "turn 8; blue 14.0; orange 14.12; hands A Ride Hit Tandem",
        ("exchange Ride Hit", "Lambada", "Saboteur", "discard Saboteur"),
    ),
}


def position_of(rules: Game, rule: str) -> State:
    """Return the position that shows how a rule differs, in the edition `rules`; for CB-V1 with four players."""
    return (rules.changed(players=4) if rule == "CB-V1" else rules).read(SHOWN[rule][0])


def outcome(rules: Game, rule: str) -> str:
    """Play the position that shows how a rule differs in the edition `rules`, and return the result as text."""
    actions = SHOWN[rule][1]
    try:
        state = position_of(rules, rule)
    except CrashlabError:
        return "no such card"
    for action in actions:
        if state.refusal(state.actors[0], action):
            return f"`{action}` is refused"
        state = state.play(action).after
    blue, orange = state.scores[:2]
    return f"{blue} : {orange}" if actions else f"{state.facts.pile} cards in the pile"


# Helpers for the cells of the lessons


FAR = {"bells": "2.4 1.7 - - - - - - 11.6 10.10", "hands": {"A": "Accumulator"}}  # no bell is near the middle
NEAR = [cell for cell in FLOOR if 5 <= cell[0] <= 9 and 3 <= cell[1] <= 8]  # cells of the middle


def by_the_engine(cars: Mapping[int, str], strength: int) -> dict[int, str]:
    """Return a line of cars on row 8 (place -> side) after the engine has hit it from 8.0 to the right."""
    sides: dict[str, dict[str, list[Cell]]] = {"blue": {"cars": [(14, 0)]}, "orange": {"cars": [(14, 12)]}}
    for place, side in cars.items():
        sides[side]["cars"].append((8, place))
    power = f" +{strength - 1}" if strength > 1 else ""
    after = game("crash_by_crash").read(sides).play(f"car 8.0 E{power}").after
    lie = {cell: name for name, side in after.sides.items() for cell in side.cars}
    return {place: lie[8, place] for place in range(1, LENGTH) if (8, place) in lie}


def random_board(rng: Random, cars: int = 8) -> tuple[set[Cell], set[Cell]]:
    """Return (cells of all cars and both magnets, cells of both magnets), random and close together."""
    cells = rng.shuffled(NEAR)[: cars + 2]
    return set(cells), set(cells[:2])


def settled_by_the_engine(cars: Collection[Cell], magnets: Collection[Cell]) -> set[Cell]:
    """Return the cells of these cars after the engine's magnet check, caused by a card that moves nothing."""
    (one, two), others = sorted(magnets), sorted(set(cars) - set(magnets))
    blue, orange = {"cars": others[::2], "magnet": one}, {"cars": others[1::2], "magnet": two}
    state = game("crash_by_crash").read({**FAR, "blue": blue, "orange": orange})
    sides = state.play("play Accumulator").after.sides.values()
    return {cell for side in sides for cell in cars_of(side)}


def placed_beside(rng: Random) -> Turn | None:
    """Return the turn in which blue puts its magnet two cells west of orange's; None if that is illegal."""
    cells = [cell for cell in rng.shuffled(NEAR)[:11] if cell not in [(7, 4), (7, 5), (7, 6)]]
    blue, orange = {"cars": cells[::2]}, {"cars": cells[1::2], "magnet": (7, 6)}
    state = game("crash_by_crash").read({**FAR, "blue": blue, "orange": orange})
    return state.play("magnet 7.4") if not state.refusal(0, "magnet 7.4") else None


def cars_of(side: Any) -> set[Cell]:
    """Return the cells of a side's cars and of its magnet."""
    return {*side.cars} | ({side.magnet} if side.magnet else set())


def walks(state: State) -> list[tuple[int, ...]]:
    """Return every legal walk of the operator as a tuple of directions in numbers."""
    words = [str(action).split() for action in state.actions(0)]
    return [tuple(map(DIRECTIONS.index, ways)) for verb, *ways in words if verb == "walk"]


def crowd(rng: Random) -> dict[str, Any]:
    """Return a position with six cars of each side in the two upper rows, and the operator in the third."""
    cells = rng.shuffled([cell for cell in FLOOR if cell[0] < 2 and cell != (1, 7)])[:12]
    sides = {"blue": {"cars": cells[::2]}, "orange": {"cars": cells[1::2]}}
    return {**sides, "operator": (2, 6), "turn": 1}


def pictured(state: State) -> bytes:
    """Draw the floor with everything on it, as PNG."""
    return png.paint(replace(state.picture(), width=560, height=562), scale=0.64)


# The exercises


def ahead(cell: Cell, way: int, steps: int = 1) -> Cell:
    """Return the cell this many steps ahead in a direction, on the floor or not."""
    row, column = cell
    down, across = STEPS[way]
    return row + steps * down, (2 * column + row % 2 + steps * across) // 2


def beside(cell: Cell) -> set[Cell]:
    """Return the six cells next to a cell, on the floor or not."""
    return {ahead(cell, way) for way in range(6)}


def two_ahead(cell: Cell) -> set[Cell]:
    """Return the six cells that a magnet on this cell reaches, on the floor or not."""
    return {ahead(cell, way, 2) for way in range(6)}


def reach_hint(got: Any, want: set[Cell], cell: Cell) -> str:
    """Return the hint for wrong cells (cb-1)."""
    where = f"a magnet on {cell}: "
    if not isinstance(got, set | frozenset | list | tuple):
        return f"{where}you say {short_repr(got)}. Return a set of six cells (row, column)."
    if extra := sorted(set(got) - want):
        if extra[0] in beside(cell):
            return f"{where}{extra[0]} is beside it. Take two steps in the same direction."
        return f"{where}it does not reach {extra[0]}. Its reach is two steps straight on, with no turn."
    return f"{where}{min(want - set(got))} is missing. (Cells outside the floor count here, too.)"


def hit(line: Mapping[int, str], place: int, strength: int, operator: int | None) -> dict[int, str]:
    """Return the line after a hit of this strength on the car on this place. The operator absorbs any hit."""
    line = dict(line)
    while strength > 0:
        while place + 1 in line:
            place += 1
        if place + 1 == operator:
            return line
        car = line.pop(place)
        place = place + 1
        strength = strength - 1
        if place == LENGTH:
            return line
        line[place] = car
    return line


def random_hit(rng: Random) -> tuple[dict[int, str], int, int, int]:
    """Return a random line, the place of its first car, a strength for the hit, and the operator's place."""
    places = rng.shuffled(range(2, LENGTH))
    cars = {1: "a"} | {place: "abcdefgh"[n] for n, place in enumerate(places[: 1 + rng.below(7)], 1)}
    return cars, 1, 1 + rng.below(3), places[-1]


def hit_hint(got: Any, want: Any, line: dict[int, str], place: int, strength: int, operator: int) -> str:
    """Return the hint for a line that is wrong after the hit (cb-2)."""
    where = f"{dict(sorted(line.items()))}, operator on {operator}, strength {strength}: "
    if len(got) < len(want):
        return f"{where}you leave {got}: a car is missing. Look at the operator before you take the car away."
    return f"{where}you leave {got}; it should be {want}."


def pulls(cars: Collection[Cell], magnets: Collection[Cell]) -> list[tuple[Cell, Cell]]:
    """Return the effective pulls as (cell of the car, cell it is pulled to). Magnets stay."""
    candidates = []
    for magnet in magnets:
        for way in range(6):
            between = ahead(magnet, way)
            car = ahead(magnet, way, 2)
            if car in cars and between not in cars:
                candidates.append((car, between))
    times = Counter(car for car, _ in candidates)
    fixed = {cell for magnet in magnets for cell in beside(magnet)} | set(magnets)
    return sorted((car, to) for car, to in candidates if times[car] == 1 and car not in fixed)


def outcomes(cars: frozenset[Cell], magnets: Collection[Cell]) -> set[frozenset[Cell]]:
    """Return all possible final positions of the cars after pulls one at a time, in any order."""
    steps = pulls(cars, magnets)
    if not steps:
        return {cars}
    return {end for car, to in steps for end in outcomes(cars - {car} | {to}, magnets)}


def order_hint(answer: Any) -> str:
    """Return the hint for (cars, magnets) whose result does not depend on the order of the pulls (cb-3)."""
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        return f"give two sets of cells, (cars, magnets), not {short_repr(answer)}."
    cars, magnets = (set(cells) for cells in answer)
    for cell in sorted(cars | magnets):
        if cell not in FLOOR:
            return f"{cell} is not on the floor."
    if len(magnets) > 2 or len(cars) > 4 or cars & magnets:
        return f"give at most two magnets and four cars, on different cells; you have {magnets} and {cars}."
    if not pulls(cars | magnets, magnets):
        return (
            "nothing is pulled here. A magnet pulls cars at a distance of two cells in a straight line, if the cell"
            " between is free."
        )
    ends = outcomes(frozenset(cars | magnets), magnets)
    if len(ends) > 1:
        return ""
    question = "Which car could block another car, or keep it from a second pull?"
    return f"every order leaves the cars on {sorted(*ends)}. {question}"


def together(cells: Iterable[Cell]) -> bool:
    """Return whether these cells are connected."""
    return components({cell: beside(cell) for cell in cells}) <= 1


def together_hint(got: Any, want: bool, cells: set[Cell]) -> str:
    """Return the hint for a wrong answer (cb-4)."""
    some = f"{sorted(cells)}" if len(cells) < 3 else f"{len(cells)} cells"
    hang = "are connected" if want else "are not connected"
    return f"{some} {hang}, but you say {short_repr(got)}. {look_at(cells, got)}"


def look_at(cells: Collection[Cell], got: object) -> str:
    """Return advice after a wrong answer for these cells; for two cells the advice is about the geometry."""
    if got is None:
        return "Return True or False."
    if len(cells) == 1:
        return "A single cell is always connected: no step is needed."
    if len(cells) == 2 and len({row for row, _ in cells}) == 2:
        return "Rows with odd numbers lie half a cell to the right."
    if len(cells) == 2:
        return "In the same row, the neighbours of a cell are the next cells to its left and right."
    return "Walk from one of them, and continue from every cell that you reach: was every cell visited?"


def lead_of_two(
    blue: Iterable[Cell], orange: Iterable[Cell], values: Mapping[Cell, int], tile: Collection[Cell], powerless: bool
) -> int:
    """Return blue's lead in two scorings; cars on `tile` score once only, except with Powerless Bell."""
    lead = 0
    for sign, cars in ((1, blue), (-1, orange)):
        lead += sign * sum(values[car] * (2 if powerless or car not in tile else 1) for car in cars)
    return lead


def random_scoring(rng: Random) -> tuple[set[Cell], set[Cell], dict[Cell, int], set[Cell], bool]:
    """Return a random case of cb-5: blue, orange, the values of the cells, a tile, and whether the card is played."""
    values = {cell: rng.below(4) for cell in FLOOR}
    middle = (1 + 3 * rng.below(5), 2 + rng.below(9))
    tile = {middle, *beside(middle)}
    cars = [*rng.shuffled(sorted(tile))[:3], *rng.shuffled([cell for cell in FLOOR if cell not in tile])[:7]]
    return set(cars[::2]), set(cars[1::2]), values, tile, bool(rng.below(2))


def scoring_hint(
    got: Any, want: int, blue: set[Cell], orange: set[Cell], values: dict[Cell, int], tile: set[Cell], powerless: bool
) -> str:
    """Return the hint for a wrong lead (cb-5)."""
    where = f"{'with' if powerless else 'without'} Powerless Bell you say {short_repr(got)}, but it is {want}"
    return f"{where}. Blue stands on {sorted(values[car] for car in blue)} and orange on " + (
        f"{sorted(values[car] for car in orange)}; on the tile are {counted(len(blue & tile), 'blue car')} and"
        f" {counted(len(orange & tile), 'orange one')}."
    )


def after_set_up(rules: Game, seed: int) -> State:
    """Return the first turn after a random set-up."""
    state = rules.start(seed)
    rng = Random(seed)
    while state.facts.phase == "set-up":
        state = state.sample(rng).after
    return state


def leads_random(answer: Any) -> tuple[float, str]:
    """Play four games of ten turns, from turn 6, against a random agent; return the sum of the leads and a hint."""
    rules = game("crash_by_crash", turn_limit=5 + TURNS)
    leads = []
    for seed in range(GAMES):
        seat = seed % 2
        start = rules.read({**after_set_up(rules, seed).to_dict(), "turn": 6})
        end = Match(start, {seat: answer, 1 - seat: random(seed)}, seed).run()
        leads.append(end.scores[seat] - end.scores[1 - seat])
    return sum(leads), (
        f"it leads by {sum(leads) / GAMES:.3g} points on average (in the {GAMES} games: {', '.join(map(str, leads))});"
        f" you need {LEAD}. What does each of its actions cost, and what does it bring? Try it out: state.guess(rng)"
        " returns a state that you can play."
    )


CHECKS = (
    FunctionWanted(
        "cb-1",
        "two_ahead(cell)",
        "From how many cells of the floor does a magnet reach six cells that are all on the floor? Guess, then count"
        " with your function: from half of them, 94 of 188.",
        cases=lambda: ((cell,) for cell in FLOOR),
        right=two_ahead,
        hint=reach_hint,
        same=lambda got, want: isinstance(got, set | frozenset | list | tuple) and set(got) == want,
    ),
    FunctionWanted(
        "cb-2",
        "hit_with_operator(line, place, strength, operator)",
        "A hit takes at most one car off the floor, however strong it is; with the operator to its right it takes none"
        " at all. Why? And where would you send the operator to save the most cars?",
        cases=lambda: [({1: "a"}, 1, 1, 2), ({1: "a", 2: "b"}, 1, 3, 4), ({11: "a"}, 11, 2, 5)],
        more=300,
        right=hit,
        hint=hit_hint,
        changes=True,
        follows="line",
        draw=random_hit,
        wrongs={
            "That ignores the operator: nobody moves onto his cell.": (
                lambda line, place, strength, operator: hit(line, place, strength, None)
            ),
        },
    ),
    ThingWanted(
        "cb-3",
        "cars and magnets for which the order matters",
        "One magnet alone is never enough: every board with up to four cars near it ends in one way only. Can"
        " you prove it? Where do the cars that it pulls end up?",
        hint=order_hint,
    ),
    FunctionWanted(
        "cb-4",
        "hangs_together(cells)",
        "Take a single cell away from the whole floor: does the rest ever fall apart? Ask your function about all 188."
        " (Never.) How few cells must you take away to split it?",
        cases=lambda: [
            *(({(7, 3), cell},) for cell in ((7, 3), (7, 4), (7, 5), (8, 3), (8, 2))),
            *(({(8, 3), cell},) for cell in ((7, 2), (7, 4))),
            (set(FLOOR),),
            (set(FLOOR[:40] + FLOOR[60:]),),
        ],
        more=60,
        right=together,
        hint=together_hint,
        same=lambda got, want: got is not None and bool(got) == want,
        draw=lambda rng: (set(rng.shuffled(FLOOR)[: 60 + rng.below(120)]),),
    ),
    FunctionWanted(
        "cb-5",
        "two_scorings(blue, orange, values, tile, powerless)",
        "What is the card Powerless Bell worth? The two answers of your function differ by exactly the lead of blue on"
        " the tile. So for which tiles would blue play the card?",
        cases=tuple,
        more=60,
        right=lead_of_two,
        hint=scoring_hint,
        draw=random_scoring,
        wrongs={
            "Return blue's points minus orange's.": lambda *args: -lead_of_two(*args),
            "Which cars are still there for the second scoring?": (
                lambda blue, orange, values, tile, powerless: lead_of_two(blue, orange, values, tile, not powerless),
                lambda blue, orange, values, tile, powerless: lead_of_two(blue, orange, values, tile, True),
                lambda blue, orange, values, tile, powerless: lead_of_two(blue, orange, values, tile, False),
            ),
            "Count two scorings, one after the other.": (
                lambda blue, orange, values, tile, powerless: lead_of_two(blue, orange, values, FLOOR, False)
            ),
        },
    ),
    AgentWanted(
        "cb-6",
        "an agent that leads a random player by 25 points",
        "The agent `greedy` passes this exercise as well. Can yours beat it?"
        " `crashlab.tournament(crashlab.game('crash_by_crash', turn_limit=15), {'me': my_agent, 'greedy': 'greedy'})`",
        goal=GAMES * LEAD,
        play=leads_random,
    ),
)
