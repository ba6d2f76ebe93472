"""The exercises of the Crash & Grab lesson."""

from collections.abc import Iterable
from itertools import product
from typing import Any

from crashlab.agents import random
from crashlab.base.errors import short_repr
from crashlab.course.exercises.exercise_types import AgentWanted, FunctionWanted, ThingWanted
from crashlab.engine.chance import Random
from crashlab.engine.game import State, Turn
from crashlab.games import game
from crashlab.play.match import Match

LENGTH = 8  # spaces of the line of cg-2
SITES = 12
CARDS = (2, 3, 5)
TYPES = 4  # types of crewmembers; a crew with all of them is complete
WINS, GAMES = 9, 12  # cg-6: wins needed, and games played

# cg-5: A needs a scientist, and blue has one. A saucer that flies down column 7 pushes blue onto the accelerator 7,7.
PUZZLE = (
    "round 9; tiles 4B3 2A1 3B3 1B0; probe A; saucers red 24, green 41, blue 57, yellow 04; "
    "crew red pilot red, red engineer red, red doctor red, blue pilot blue, green engineer blue, green scientist blue, "
    "green pilot green, green doctor 10"
)

# A board for four, A to fly first; ROW adds red, which flies 3 to the right, into a line of other saucers.
FIELD = "tiles 4B3 2A1 3B3 1B0; probe A; phase rotation; "
ROW = FIELD + "saucers red 30 3>, green 32 0-5^, blue 35 0-5^, yellow 74 0-5^"


# Helpers for the cells of the lessons


def ahead(space: int, direction: int, size: int = 8) -> int | None:
    """Return the next space in a direction (0 up, 1 right, 2 down, 3 left); None if it is off the board."""
    row, column = divmod(space, 10)
    row += (-1, 0, 1, 0)[direction]
    column += (0, 1, 0, -1)[direction]
    return 10 * row + column if 0 <= row < size and 0 <= column < size else None


def random_line(rng: Random) -> dict[int, str]:
    """Return a random line of one to six saucers, as place -> letter."""
    return dict(zip(sorted(rng.shuffled(range(LENGTH))[: 1 + rng.below(6)]), "ABCDEF", strict=False))


def crowded_row(seed: int) -> Turn:
    """Return the turn in which red, the leftmost of six saucers in a row of a random board, flies 3 to the right."""
    six = game("crash_and_grab", players=6)
    rng, start = Random(seed), six.start(seed)
    row = rng.below(10)
    free = [column for column in range(10) if (row, column) not in start.accelerators]
    spaces = [[row, column] for column in sorted(rng.shuffled(free)[:6])]
    names = zip(start.saucers, spaces, strict=True)
    saucers: dict[str, dict[str, Any]] = {name: {"space": space, "plan": "0-5^"} for name, space in names}
    saucers["red"]["plan"] = "3>"
    position = {"tiles": start.to_dict()["tiles"], "saucers": saucers, "phase": "rotation"}
    return six.read(position).play("clockwise")


def steps(turn: Turn) -> int:
    """Return the number of steps of a movement."""
    return sum(event.field == "cell" for event in turn.events)


# The exercises


def steps_apart(a: int, b: int) -> int | None:
    """Return the number of steps between two spaces; None if they share neither a row nor a column."""
    rows = abs(a // 10 - b // 10)
    columns = abs(a % 10 - b % 10)
    return rows + columns if 0 in (rows, columns) else None


def apart_hint(got: Any, want: int | None, a: int, b: int) -> str:
    """Return the hint for a wrong distance (cg-1)."""
    where = f"from {a} to {b}: you say {short_repr(got)}"
    if want is None:
        return f"{where}. They share neither a row nor a column: return None."
    if got == -want or got == abs(a - b):
        return f"{where}. It is {want}: a step down or up changes the number by 10, and steps are never negative."
    return f"{where}, but it is {want}. Split spaces into row and column with // 10 and % 10."


def flown(line: dict[int, str], place: int, distance: int, pads: Iterable[int]) -> dict[int, str]:
    """Return the line after the flight of the saucer on this place to the right."""
    line = dict(line)
    mover = line.pop(place)
    left = distance
    while left > 0:
        place = place + 1
        left = left - 1
        if place == LENGTH:
            return line
        if place in line:
            line[place], mover = mover, line[place]
            left = distance
        if place in pads:
            left = distance
    line[place] = mover
    return line


def random_flight(rng: Random) -> tuple[dict[int, str], int, int, set[int]]:
    """Return a random flight: a line, the place of the first saucer, its distance, and the accelerators."""
    places = rng.shuffled(range(LENGTH))
    saucers = 1 + rng.below(5)
    pads = rng.below(3)
    line = dict(zip(sorted(places[:saucers]), "ABCDEF", strict=False))
    return line, min(line), rng.below(6), set(places[saucers : saucers + pads])


def flight_hint(got: Any, want: Any, line: dict[int, str], place: int, distance: int, pads: set[int]) -> str:
    """Return the hint for a line that is wrong after the flight (cg-2)."""
    where = f"{line}, accelerators {sorted(pads) or 'none'}, the saucer on {place} flies {distance}: "
    if got == line:
        return f"{where}nothing has changed. Change the dict itself, as fly_loop does."
    if set(got) & pads:
        return f"{where}you leave {got}, but nobody ever rests on an accelerator."
    if sorted(got.values()) != sorted(want.values()) and len(got) > len(want):
        return f"{where}you leave {got}, but one saucer flies off the board: none stays on {LENGTH} or beyond."
    return f"{where}you leave {got}; it should be {want}."


def is_endless(pads: Iterable[int], distance: int) -> bool:
    """Return whether two accelerators are in the same row or column, at most `distance` steps apart."""
    return any(0 < (steps_apart(a, b) or 0) <= distance for a in pads for b in pads)


def random_board(rng: Random) -> tuple[set[int], int]:
    """Return random accelerators and the distance of a card."""
    return {pad for pad in rng.shuffled(range(78))[:8] if pad % 10 < 8}, rng.choice(list(CARDS))


def endless_hint(got: Any, want: bool, pads: set[int], distance: int) -> str:
    """Return the hint for a wrong answer (cg-3)."""
    where = f"accelerators {sorted(pads)}, distance {distance}: you say {short_repr(got)}"
    if not want and len(pads) < 2:
        return f"{where}. It takes two accelerators: a saucer needs the second one to fly back from."
    if not want:
        return f"{where}, but no leg leads from one accelerator to another. Compare rows and columns."
    return f"{where}. Look for two in one row or column, at most {distance} apart: a saucer can fly back and forth."


def odds_of(taken: Iterable[int]) -> dict[int, int]:
    """Return how many of the twelve numbers lead to each free site."""
    odds = {site: 0 for site in range(1, SITES + 1) if site not in taken}
    for roll in range(1, SITES + 1):
        site = roll
        while site not in odds:
            site = site % SITES + 1
        odds[site] += 1
    return odds


def odds_hint(got: Any, want: dict[int, int], taken: set[int]) -> str:
    """Return the hint for wrong probabilities (cg-4)."""
    return f"taken {sorted(taken) or 'none'}: {wrong_odds(got, want)}"


def wrong_odds(got: Any, want: dict[int, int]) -> str:
    """Explain the first mistake in these probabilities, empty if all are right; `want` is in twelfths."""
    if not isinstance(got, dict):
        return f"you give {short_repr(got)}. Return a dict, from each free site to its probability."
    if set(got) != set(want):
        return f"your sites are {sorted(got)}, but the free sites are {sorted(want)}, out of 1 to {SITES}."
    site = next((site for site in sorted(want) if abs(float(got[site]) * SITES - want[site]) > 1e-9), None)
    if site is None:
        return ""
    text = f"site {site}: you say {got[site]}"
    if all(abs(float(got[site]) - want[site]) < 1e-9 for site in want):
        return f"{text}. That counts the numbers that lead there; a probability is that many twelfths."
    if abs(sum(map(float, got.values())) - 1) > 1e-9:
        return (
            f"{text}, and your numbers do not add up to 1. Where does a number go if its site is taken? After 12 comes"
            " 1."
        )
    return f"{text}, but {want[site]} of the 12 numbers lead there: its own, and those of the taken sites before it."


def best_crew(state: State) -> int:
    """Return the most types of crewmembers that A can have at the end of red's turn."""
    if state.over or state.actors != (0,) or state.facts.turn != "red":
        return state.scores[0]
    return max(best_crew(state.play(action).after) for action in state.actions(0))


def puzzle() -> State:
    """Return the position of cg-5."""
    return game("crash_and_grab").read(PUZZLE)


def planned(plan: object) -> State:
    """Return the puzzle after this plan of A, with 0-5^ as the plan of the others."""
    state = puzzle()
    others = {seat: "0-5^" for seat in state.actors if seat != 0}
    return state.play({**others, 0: plan}).after.play("clockwise").after


def plan_hint(answer: object) -> str:
    """Return the hint for a plan that does not complete red's crew in its turn (cg-5)."""
    if reason := puzzle().refusal(0, answer):
        return f"{short_repr(answer)} is not a possible plan: {reason}"
    most = best_crew(planned(answer))
    if most == TYPES:
        return ""
    return (
        f"with {answer} red has at most {most} types after its turn. Blue has the scientist: push blue off the board,"
        " and you may steal it. An accelerator lies on your way, and one on blue's."
    )


def beats_two_random(answer: Any) -> tuple[float, str]:
    """Play 12 games for three against random agents; return the wins (cg-6 demands 9) and a hint."""
    rules = game("crash_and_grab", players=3)
    wins = 0.0
    types = 0
    for seed in range(GAMES):
        seat = seed % 3
        match = Match(rules, {other: answer if other == seat else random(seed + other) for other in range(3)}, seed)
        state = match.run()
        wins += (seat in state.winners) / len(state.winners)
        types += state.scores[seat]
    return wins, (
        f"it wins {wins:.3g} of {GAMES} games, with {types / GAMES:.1f} of {TYPES} types at the end; you need {WINS}."
        " Where does it lose its crew? Try out what follows before you answer: state.guess(rng) returns a state that"
        " you can play."
    )


CHECKS = (
    FunctionWanted(
        "cg-1",
        "apart(a, b)",
        "How often are two different spaces of this board in line? Guess, then count with your function: 448 of the"
        " 2016 pairs are, two in nine. On a board of n times n spaces it is 2 in n + 1: why?",
        cases=lambda: product((10 * row + column for row in range(8) for column in range(8)), repeat=2),
        right=steps_apart,
        hint=apart_hint,
    ),
    FunctionWanted(
        "cg-2",
        "fly_on(line, place, distance, pads)",
        "However many saucers are hit, at most one flies off the board, and no saucer ever overtakes another."
        " Try it with eight in a row, `dict(enumerate('ABCDEFGH'))`: which one flies off?",
        cases=lambda: [
            ({0: "R"}, 0, 3, set()),
            ({0: "R", 1: "G"}, 0, 2, set()),
            ({0: "R"}, 0, 3, {2}),
            ({0: "R", 1: "G"}, 0, 3, {3}),
            ({0: "R"}, 0, 2, {2, 4}),
            ({0: "R", 1: "G"}, 0, 0, set()),
        ],
        more=300,
        right=flown,
        hint=flight_hint,
        changes=True,
        follows="line",
        draw=random_flight,
        wrongs={
            "That ignores the accelerators: on one, `left` becomes the whole distance again.": (
                lambda line, place, distance, pads: flown(line, place, distance, set())
            ),
        },
    ),
    FunctionWanted(
        "cg-3",
        "endless(pads, distance)",
        "How common are endless flights? Call your function with the accelerators of many random boards:"
        " `10 * row + column` for each (row, column) in `game.start(seed).accelerators`. With card 5 it says True for"
        " 982 of the first 1000 boards, and with card 2 still for 596.",
        cases=lambda: product(({0}, {0, 3}, {0, 30}, {0, 4}, {17, 20}, {0, 33}, set()), CARDS),
        more=120,
        right=is_endless,
        hint=endless_hint,
        draw=random_board,
    ),
    FunctionWanted(
        "cg-4",
        "landing_odds(taken)",
        "If n sites in a row are taken, the free one after them has a probability of n + 1 twelfths. So which six"
        " crewmembers would you leave lying to make the next site as predictable as possible? And which six to make it"
        " as unpredictable as possible?",
        cases=lambda: [(taken,) for taken in (set(), {1}, {3, 4}, {12}, {11, 12}, {12, 1})],
        more=40,
        right=odds_of,
        hint=odds_hint,
        same=lambda got, want: not wrong_odds(got, want),
        draw=lambda rng: (set(rng.shuffled(range(1, SITES + 1))[: 1 + rng.below(10)]),),
    ),
    ThingWanted(
        "cg-5",
        "a plan of A that completes red's crew",
        "Two of A's 12 plans do it: `3>` and `0-5>`. Which one leaves more options open, and what could the others do"
        " against it if they could move before red?",
        hint=plan_hint,
        shows=planned,
    ),
    AgentWanted(
        "cg-6",
        "an agent that beats two random captains",
        "The agent `greedy` passes this exercise as well. Can yours beat it?"
        " `crashlab.tournament(crashlab.game('crash_and_grab'), {'me': my_agent, 'greedy': 'greedy'})`",
        goal=WINS,
        play=beats_two_random,
    ),
)
