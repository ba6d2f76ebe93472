"""Lesson 44, a game solved backwards: a town, the exercises and the competition."""

from collections.abc import Callable, Hashable, Mapping
from typing import Any

from crashlab.agents import Agent
from crashlab.analysis.tablebase import Tablebase
from crashlab.base.errors import short_repr
from crashlab.course.exercises.exercise_types import FunctionWanted
from crashlab.engine.chance import Random
from crashlab.engine.game import State
from crashlab.engine.notation import counted
from crashlab.games import game
from crashlab.play.match import Match

TOWN = """tiles 0,1 NW house A / 1,1 NW house B / 1,0 ES house A / 2,0 NW shop B / -1,0 N shop A
    / 0,-1 EW factory B / 1,-1 NW shop A; asked {}; cars A {} / B {}"""
A, B = 0, 1
SEATS = "AB"
Position = Hashable
After = Mapping[Position, list[Position]]  # position -> next positions; an empty list at an end
Winners = Mapping[Position, int]  # solved positions with their winners
CONTESTS = 40  # positions of the competition, each won by the seat to move


def town(a: str = "0,0N>E", b: str = "1,1N>W", asked: str = "A") -> State:
    """Return a small town with a car of each side on these lanes."""
    return game("crash_city", players=2).read(TOWN.format(asked, a, b))


def spot(state: State, car: str) -> tuple[Any, int] | None:
    """Return the (lane, direction) of a car, both as numbers; None if the car is parked."""
    record = state.facts.cars[car]
    if record.lane is None:
        return None
    x, y, side = record.lane
    return (x, y, "NESW".index(side)), "NESW".index(record.facing)


# al-44: one step back


def one_step_back(after: After, mover: Mapping[Position, int], winner_of: Winners) -> dict[Position, int]:
    """Return the new positions whose winner follows from the solved ones in one step (al-44)."""
    new = {}
    for here in after:
        if here not in winner_of and after[here]:
            winners = [winner_of.get(there) for there in after[here]]
            if mover[here] in winners:
                new[here] = mover[here]
            elif None not in winners:
                new[here] = 1 - mover[here]
    return new


Case = tuple[dict[Position, list[Position]], dict[Position, int], dict[Position, int]]


def made_up(rng: Random, size: int) -> Case:
    """Return a random game with its last three positions as ends, one of them a draw, and some solved positions."""
    after = {n: [] if n > size - 4 else [rng.below(size) for _ in range(1 + rng.below(3))] for n in range(size)}
    mover = {n: rng.below(2) for n in range(size)}
    solved = {n: rng.below(2) for n in range(size - 3, size - 1)}
    for _ in range(rng.below(4)):
        solved |= one_step_back(after, mover, solved)  # type: ignore[arg-type]
    return after, mover, solved  # type: ignore[return-value]


def deciding(
    wins: Callable[[int, list[int | None]], bool], loses: Callable[[int, list[int | None]], bool], at_once: bool = True
) -> Callable[[After, Mapping[Position, int], Winners], dict[Position, int]]:
    """Return a step with other tests for won and lost positions; if not `at_once`, new results count immediately."""

    def step(after: After, mover: Mapping[Position, int], winner_of: Winners) -> dict[Position, int]:
        new: dict[Position, int] = {}
        for here in after:
            if here not in winner_of:
                solved = winner_of if at_once else {**winner_of, **new}
                winners = [solved.get(there) for there in after[here]]
                if wins(mover[here], winners):
                    new[here] = mover[here]
                elif loses(mover[here], winners):
                    new[here] = 1 - mover[here]
        return new

    return step


def one_wins(mover: int, winners: list[int | None]) -> bool:
    """Return whether an action is known to win."""
    return mover in winners


def all_lose(mover: int, winners: list[int | None]) -> bool:
    """Return whether there are actions and all of them are known to lose."""
    return bool(winners) and None not in winners


def every_step(after: After, mover: Mapping[Position, int], winner_of: Winners) -> dict[Position, int]:
    """Do all further steps in place of one, and return the positions that they solve."""
    solved = dict(winner_of)
    while new := one_step_back(after, mover, solved):
        solved |= new
    return {here: winner for here, winner in solved.items() if here not in winner_of}


WRONG_STEPS: Mapping[str, Any] = {
    "That takes two steps: look at what is in `winner_of` only, not at what you have just found.": (
        deciding(one_wins, all_lose, at_once=False),
        every_step,
    ),
    "`all` of nothing is True: check first that there are any actions.": (
        deciding(one_wins, lambda mover, winners: all(winner == 1 - mover for winner in winners)),
        deciding(lambda mover, winners: all(winner == mover for winner in winners), all_lose),
    ),
    "It loses only when *all* actions lose.": (
        deciding(one_wins, lambda mover, winners: 1 - mover in winners),
        deciding(lambda mover, winners: mover in winners and 1 - mover not in winners, lambda m, w: 1 - m in w),
    ),
    "One good action is enough to win.": deciding(
        lambda mover, winners: bool(winners) and all(winner == mover for winner in winners), all_lose
    ),
}


def step_hint(
    got: Any, want: dict[Position, int], after: After, mover: Mapping[Position, int], winner_of: Winners
) -> str:
    """Return the hint for wrong positions (al-44)."""
    some = f"{dict(after)}" if len(after) < 4 else f"a game of {len(after)} positions"
    if not isinstance(got, Mapping):
        return f"{some}: you say {short_repr(got)}. Return a dict, from each new position to its winner, 0 or 1."
    for here in got:
        if here not in after:
            return f"{some}: you name {short_repr(here)}, which is not one of its positions."
        if here in winner_of:
            return f"{some}: {here} is known already. Return only new positions."
    here = next(here for here in (*got, *want) if got.get(here) != want.get(here))
    where = f"{some}: {SEATS[mover[here]]} decides at {here}"
    leads = ", ".join(f"{there} ({said(there, winner_of)})" for there in after[here])
    where = f"{where}, and its actions lead to {leads or 'nothing: the game is over'}"
    if here not in got:
        return f"{where}. So {SEATS[want[here]]} wins it, and it is missing from your answer."
    mine = f"{where}. You say {winner_said(got[here])}"
    if here in want:
        other = "One good action is enough" if want[here] == mover[here] else "All its actions lose"
        return f"{mine}; but {SEATS[want[here]]} wins. {other}."
    if not after[here]:
        return f"{mine}. Nobody has won there: it is a draw."
    if got[here] == mover[here]:
        return f"{mine}, but {SEATS[mover[here]]} has no action that is known to win."
    return f"{mine}, but the result of one action is still unknown: {SEATS[mover[here]]} loses when *all* lose."


def said(position: Position, solved: Winners) -> str:
    """Describe the winner of a position, or "not known"."""
    return winner_said(solved[position]) if position in solved else "not known"


def winner_said(winner: Any) -> str:
    """Describe a winner; for other values, return the repr."""
    return f"{SEATS[winner]} wins" if winner in (A, B) and not isinstance(winner, bool) else short_repr(winner)


# al-44b: the best of them


def best(options: Mapping[str, tuple[int | None, int | None]], seat: int) -> str:
    """Return the action that wins soonest, or else draws, or else loses latest (al-44b)."""

    def rank(action: str) -> tuple[int, int]:
        winner, decisions = options[action]
        if winner is None or decisions is None:
            return 1, 0
        return (2, -decisions) if winner == seat else (0, decisions)

    return max(options, key=rank)


def random_choice(rng: Random) -> tuple[dict[str, tuple[int | None, int | None]], int]:
    """Return random actions with their (winner, decisions), and a seat."""
    ends = [(None, None), *((winner, decisions) for winner in (A, B) for decisions in range(8))]
    outcomes = rng.shuffled(ends)[: 2 + rng.below(4)]
    return dict(zip(["left", "right", "straight on", "back", "U-turn"], outcomes, strict=False)), rng.below(2)


def best_hint(got: Any, want: str, options: Mapping[str, tuple[int | None, int | None]], seat: int) -> str:
    """Return the hint for an action that is not the best (al-44b)."""
    where = f"{SEATS[seat]} chooses from {dict(options)}"
    if not isinstance(got, str) or got not in options:
        return f"{where}; you say {short_repr(got)}. Return one of the actions, by its name."
    (mine, late), (winner, soon) = options[got], options[want]
    where = f"{where}; you say {got!r}"
    if winner == seat and mine == seat:
        return (
            f"{where}. That wins, but {want!r} wins sooner, in {soon}. (A player who merely keeps a won position may"
            " never finish.)"
        )
    if winner == seat:
        return f"{where}, but {want!r} wins."
    if winner is None:
        return f"{where}, which loses. {want!r} does not lose: its winner is None, so nobody can force a win."
    latest = counted(soon or 0, "decision")
    return f"{where}. All actions lose; {want!r} loses latest, after {latest}, not {late}: the opponent may err."


# The competition


def contest(table: Tablebase) -> list[State]:
    """Return random positions that the seat to move wins in three decisions or more."""
    rng = Random(1)
    long = [state for decisions in range(3, table.longest + 1) for state in table.layer(decisions)]
    wins = [state for state in long if table.value(state).winner == state.actors[0]]
    return rng.shuffled(wins)[:CONTESTS]


def kept(agent: Agent, table: Tablebase) -> int:
    """Return how many positions of the competition an agent wins against perfect play."""
    wins = 0
    for number, start in enumerate(contest(table)):
        seat = start.actors[0]
        match = Match(start, {seat: agent, 1 - seat: table.agent}, number)
        while not any(match.state.scores) and len(match.turns) < 40:
            match.play()
        wins += bool(match.state.scores[seat])
    return wins


CHECKS = (
    FunctionWanted(
        "al-44",
        "one_step_back(after, mover, winner_of)",
        "Each step goes through all positions. How could you look only at the positions from which an action leads"
        " to a new one? (`crashlab/compiled/kernels/retrograde.py` counts for each position the actions that are not"
        " known to lose yet.)",
        cases=lambda: [
            ({"p": ["x"], "x": []}, {"p": A, "x": B}, {"x": A}),
            ({"p": ["x"], "x": []}, {"p": B, "x": A}, {"x": A}),
            ({"p": ["q", "x"], "q": ["p"], "x": []}, {"p": A, "q": B, "x": B}, {"x": B}),
            ({"p": ["x", "y"], "x": [], "y": []}, {"p": B, "x": A, "y": A}, {"x": A, "y": B}),
            ({"p": ["q"], "q": ["x"], "x": []}, {"p": A, "q": B, "x": A}, {"x": A}),
            ({"p": ["x"], "q": [], "x": []}, {"p": A, "q": B, "x": A}, {"x": B}),
            ({"p": ["p", "x"], "x": []}, {"p": A, "x": A}, {"x": B}),
        ],
        more=40,
        right=one_step_back,
        hint=step_hint,
        follows="new",
        draw=lambda rng: made_up(rng, 6 + rng.below(12)),
        wrongs=WRONG_STEPS,
    ),
    FunctionWanted(
        "al-44b",
        "best(options, seat)",
        "With this function and the table you play perfectly. Why is it not enough to choose any action that keeps the"
        " win? Think of a car that drives in a circle before the shop.",
        cases=lambda: [
            ({"left": (A, 3), "right": (B, 1)}, A),
            ({"left": (B, 5), "right": (B, 1)}, B),
            ({"left": (A, 1), "right": (A, 5)}, B),
            ({"left": (B, 7), "right": (None, None)}, A),
            ({"left": (A, 9), "right": (None, None)}, A),
            ({"left": (B, 2), "middle": (A, 8), "right": (A, 4)}, A),
        ],
        more=30,
        right=best,
        hint=best_hint,
        draw=random_choice,
    ),
)
