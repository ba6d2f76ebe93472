"""The exercises of the Autoscooter lesson."""

from itertools import product
from typing import Any

from crashlab.agents import random
from crashlab.base.errors import short_repr
from crashlab.course.exercises.exercise_types import AgentWanted, FunctionWanted, ThingWanted
from crashlab.engine.game import State, Turn
from crashlab.games import game
from crashlab.games.autoscooter.state import BOARD, HEXES
from crashlab.games.boards.hexes import DIRECTIONS
from crashlab.play.match import Match

DUEL = {"cars": {"1": "21E2", "2": "23SE2"}}  # as-5: car 1 of A, car 2 of B
MIDDLE = 18  # the hex of the car that a picture shows being hit; all its neighbours are on the board
WINS, GAMES = 18, 20  # as-6: wins needed, and games played
SIDE_OF = {"front": 0, "standing": 0, "rear": 3, "side": 1}  # case -> a side with this case
TURN = {1: -1, 2: -1, 4: 1, 5: 1}  # the side hit -> sixths to the left
FULL_TURN = "which is off only by full turns. Use % 6 to bring it into the range 0 to 5."


# Helpers for the cells of the lessons


def meet(car_1: str, car_2: str, plot: str) -> Turn:
    """Play a plot of A's car 1 against B's car 2, while B writes no plot."""
    return game("autoscooter").read({"cars": {"1": car_1, "2": car_2}}).play({0: plot, 1: None})


# The exercises


def about_to_crash(blow: int, facing: int, v: int = 1, w: int = 1) -> State:
    """Return a position in which car 1, at speed v, is about to hit car 2, at speed w."""
    rammer = BOARD.ahead[6 * MIDDLE + (blow + 3) % 6]
    cars = {
        str(car): f"{row}{column}{DIRECTIONS[way]}{speed}"
        for car, (row, column), way, speed in ((1, HEXES[rammer], blow, v), (2, HEXES[MIDDLE], facing, w))
    }
    return game("autoscooter", players=2).read({"cars": cars})


def side_hit(blow: int, facing: int) -> int:
    """Return the side of a car that a blow hits, in sixths to the left of its nose."""
    return (blow + 3 - facing) % 6


def side_hint(got: Any, want: int, blow: int, facing: int) -> str:
    """Return the hint for a wrong side (as-1)."""
    where = f"blow {DIRECTIONS[blow]} ({blow}) against a car facing {DIRECTIONS[facing]} ({facing})"
    if got == (blow - facing) % 6:
        return f"{where}: you say {got}. The blow comes FROM the opposite direction: add half a turn, 3."
    if isinstance(got, int) and got % 6 == want:
        return f"{where}: you say {got}, {FULL_TURN}"
    if got == (facing - blow - 3) % 6:
        return f"{where}: you say {got}. You count to the right; left turns are +1."
    return f"{where}: you say {short_repr(got)}. Nose against nose must be 0, and a blow from behind 3."


def crash_case(side: int, w: int) -> str:
    """Return the case of a crash against this side of a car with speed w."""
    return "standing" if w == 0 else {0: "front", 3: "rear"}.get(side, "side")


def case_hint(got: Any, want: str, side: int, w: int) -> str:
    """Return the hint for a wrong case (as-2)."""
    if want == "standing":
        return f"side {side}, w = 0: you say {short_repr(got)}. First ask whether the car is standing still (AS-C2)."
    return f"side {side}, w = {w}: you say {short_repr(got)}. Side 0 is the nose, 3 the tail, the other four are sides."


def crashes() -> list[tuple[str, int, int]]:
    """List (case, v, w) for every case and every possible pair of speeds."""
    speeds = {case: (0,) if case == "standing" else (1, 2, 3) for case in SIDE_OF}
    return [(case, v, w) for case in SIDE_OF for v in (1, 2, 3) for w in speeds[case]]


def gain(case: str, v: int, w: int) -> int:
    """Return the rammer's gain in chits, negative if they pay."""
    return {"front": v - w, "standing": v, "rear": v, "side": v + w}[case]


def gain_hint(got: Any, want: int, case: str, v: int, w: int) -> str:
    """Return the hint for a wrong gain (as-3)."""
    if case == "front" and got == abs(v - w):
        return f"front, v = {v}, w = {w}: the slower driver pays, and here the rammer is the slower one."
    return f"{case}, v = {v}, w = {w}: you say {short_repr(got)}. Look it up in the table beside the dial."


def new_facing(side: int, facing: int) -> int:
    """Return the direction that a moving car faces after a blow against this side."""
    return (facing + TURN.get(side, 0)) % 6


def facing_hint(got: Any, want: int, side: int, facing: int) -> str:
    """Return the hint for a wrong facing (as-4)."""
    where = f"side {side}, facing {DIRECTIONS[facing]} ({facing})"
    if side not in TURN:
        return f"{where}: you say {short_repr(got)}. A blow against the nose or the tail does not turn the car."
    if got == (facing - TURN[side]) % 6:
        return f"{where}: you say {short_repr(got)}. The car turns AWAY: hit on its left, it turns right (-1)."
    if isinstance(got, int) and got % 6 == want:
        return f"{where}: you say {got}, {FULL_TURN}"
    return f"{where}: you say {short_repr(got)}. A blow against the side turns a moving car by one sixth."


def plot_hint(answer: object) -> str:
    """Return the hint for a plot of car 1 in DUEL that takes fewer chits from B than possible (as-5)."""
    state = duel()
    if reason := state.refusal(0, answer):
        return f"{short_repr(answer)} is not a possible plot: {reason}"
    chits = won_from_b(state, answer)
    best = max(won_from_b(state, action) for action in state.actions(0))
    return (
        ""
        if chits == best
        else (f"{answer} brings {chits} chits, but {best} are possible. Which case pays the sum of both speeds?")
    )


def duel() -> State:
    """Return the position of as-5."""
    return game("autoscooter", players=4).read(DUEL)


def after_plots(state: State, action: object) -> State:
    """Return the state after A's plot `action` and B's plot: straight on with the highest number of car 2."""
    return state.play({0: action, 1: "82 FF"}).after


def crashed(answer: object) -> State | None:
    """Return the position after a plot that changes A's score; None after any other plot."""
    return after_plots(duel(), answer) if won_from_b(duel(), answer) else None


def won_from_b(state: State, action: object) -> int:
    """Return the chits that seat A has won after both moves."""
    return int(after_plots(state, action).scores[0] - state.scores[0])


def beats_random(answer: Any) -> tuple[float, str]:
    """Play 20 games for two against the random agent; return the wins (as-6 demands 18) and a hint."""
    rules = game("autoscooter", players=2)
    wins = 0.0
    lead = 0
    for seed in range(GAMES):
        state = Match(rules, {seed % 2: answer, 1 - seed % 2: random(seed)}, seed).run()
        wins += (seed % 2 in state.winners) / len(state.winners)
        lead += state.scores[seed % 2] - state.scores[1 - seed % 2]
    return wins, (
        f"it wins {wins:g} of {GAMES} games against the random agent, with a lead of {lead / GAMES:+.1f} chits;"
        f" you need {WINS}. What costs a driver the most chits? Try the round out before you write: state.guess(rng)"
        " returns a state that you can play."
    )


CHECKS = (
    FunctionWanted(
        "as-1",
        "side_hit(blow, facing)",
        "A harder one: write `blow(side, facing)`, the direction from which this side is hit. For all 36 pairs"
        " `side_hit(blow(side, facing), facing)` must be `side` again.",
        cases=lambda: product(range(6), repeat=2),
        right=side_hit,
        hint=side_hint,
        shows=about_to_crash,
    ),
    FunctionWanted(
        "as-2",
        "crash_case(side, w)",
        "Which case is the most common? Guess, then ask `crashlab.simulate(crashlab.game('autoscooter'))`: about"
        " 16 of 21 crashes between the cars of random drivers are into a standing car.",
        cases=lambda: product(range(6), range(4)),
        right=crash_case,
        hint=case_hint,
        shows=lambda side, w: about_to_crash(3, side_hit(3, side), 1, w),
    ),
    FunctionWanted(
        "as-3",
        "gain(case, v, w)",
        "The most profitable crash earns 6 chits, the worst one costs the rammer 2. At which speeds? And at what speed"
        " is it best to be hit from the front?",
        cases=crashes,
        right=gain,
        hint=gain_hint,
        shows=lambda case, v, w: about_to_crash(3, side_hit(3, SIDE_OF[case]), v, w),
    ),
    FunctionWanted(
        "as-4",
        "new_facing(side, facing)",
        "Hit a moving car on side 1 again and again, always from the same direction: the blows meet its sides 1, 2, 3,"
        " 3, 3 ... It turns until its tail faces the blows. Which sides are hit if the first blow hits side 5?",
        cases=lambda: product(range(6), repeat=2),
        right=new_facing,
        hint=facing_hint,
        shows=lambda side, facing: about_to_crash((side + facing - 3) % 6, facing),
    ),
    ThingWanted(
        "as-5",
        "the plot of car 1 that wins the most",
        "Of the 165 plots that A can write here, 11 win these 5 chits. Which ones? And what would B's best answer be,"
        " if B knew that you were going to write one of them?",
        hint=plot_hint,
        shows=crashed,
    ),
    AgentWanted(
        "as-6",
        "an agent that beats a random driver",
        "The agent `greedy` passes this exercise as well. Can yours beat it?"
        " `crashlab.tournament(crashlab.game('autoscooter'), {'me': my_agent, 'greedy': 'greedy'})`",
        goal=WINS,
        play=beats_random,
    ),
)
