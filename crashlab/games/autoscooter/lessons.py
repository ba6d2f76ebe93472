"""The checks of the Autoscooter lesson."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from crashlab.agents import random
from crashlab.boards.hexes import DIRECTIONS
from crashlab.errors import shown
from crashlab.match import Match
from crashlab.state import Turn
from crashlab.variant import game

DUEL = {"cars": {"1": "21E2", "2": "23SE2"}}  # as-5: car 1 of A, car 2 of B


# What the lessons begin with


def meet(car_1: str, car_2: str, plot: str) -> Turn:
    """Car 1 of A drives this plot and meets car 2 of B, who writes nothing."""
    state = game("autoscooter").read({"cars": {"1": car_1, "2": car_2}})
    return state.play({0: plot, 1: None})


# The exercises


def side_hit(answer: Any) -> str:
    """as-1: side_hit(blow, facing): how many sixths left of its nose a car is hit."""
    for blow in range(6):
        for facing in range(6):
            got = answer(blow, facing)
            want = (blow + 3 - facing) % 6
            if got == want:
                continue
            where = f"blow {DIRECTIONS[blow]} ({blow}) against a car facing {DIRECTIONS[facing]} ({facing})"
            if got == (blow - facing) % 6:
                return f"{where}: you say {got}. The blow comes FROM the opposite direction: add half a turn, 3."
            if isinstance(got, int) and got % 6 == want:
                return f"{where}: you say {got}, which is right up to a full turn. Bring it into 0 to 5 with % 6."
            if got == (facing - blow - 3) % 6:
                return f"{where}: you say {got}. You count to the right; left turns are +1."
            return f"{where}: you say {shown(got)}. Nose against nose must be 0, and a blow from behind 3."
    return ""


def crash_case(answer: Any) -> str:
    """as-2: crash_case(side, w): 'front', 'standing', 'rear' or 'side'."""
    for side in range(6):
        for w in range(4):
            got = answer(side, w)
            want = "standing" if w == 0 else {0: "front", 3: "rear"}.get(side, "side")
            if got == want:
                continue
            if want == "standing":
                return f"side {side}, w = 0: you say {shown(got)}. Ask first whether the car stands at all (AS-C2)."
            where = f"side {side}, w = {w}: you say {shown(got)}"
            return f"{where}. Side 0 is the nose, 3 the tail, the other four are sides."
    return ""


def gain(answer: Any) -> str:
    """as-3: gain(case, v, w): what the rammer gets; less than 0 if he pays."""
    for case in ("front", "standing", "rear", "side"):
        for v in (1, 2, 3):
            for w in (0,) if case == "standing" else (1, 2, 3):
                want = {"front": v - w, "standing": v, "rear": v, "side": v + w}[case]
                got = answer(case, v, w)
                if got == want:
                    continue
                if case == "front" and got == abs(v - w):
                    return f"front, v = {v}, w = {w}: the slower driver pays, and here the rammer is the slower one."
                return f"{case}, v = {v}, w = {w}: you say {shown(got)}. Look it up in the table of the crash cases."
    return ""


def new_facing(answer: Any) -> str:
    """as-4: new_facing(side, facing): where a moving car looks after a blow against this side."""
    for side in range(6):
        for facing in range(6):
            turn = {1: -1, 2: -1, 4: 1, 5: 1}.get(side, 0)
            got = answer(side, facing)
            want = (facing + turn) % 6
            if got == want:
                continue
            where = f"side {side}, facing {DIRECTIONS[facing]} ({facing})"
            if turn == 0:
                return f"{where}: you say {shown(got)}. Blows against nose and tail turn nothing."
            if got == (facing - turn) % 6:
                way = "It turns AWAY from the blow: hit on its left, it turns right (-1)."
                return f"{where}: you say {shown(got)}. {way}"
            if isinstance(got, int) and got % 6 == want:
                return f"{where}: you say {got}, which is right up to a full turn. Bring it into 0 to 5 with % 6."
            return f"{where}: you say {shown(got)}. A blow against the side turns a moving car by one sixth."
    return ""


def best_plot(answer: object) -> str:
    """as-5: a plot of car 1 in DUEL that takes as many chits from B as possible."""
    state = game("autoscooter", players=4).read(DUEL)
    if reason := state.refusal(0, answer):
        return f"{shown(answer)} cannot be written: {reason}"
    won = won_from_b(state, answer)
    best = max(won_from_b(state, action) for action in state.actions(0))
    if won == best:
        return ""
    return f"{answer} brings {won} chits, but {best} are possible. Which case pays the sum of both speeds?"


def won_from_b(state: Any, action: object) -> int:
    """What seat A has won when both cars have moved; B drives straight with his highest number."""
    return int(state.play({0: action, 1: "82 FF"}).after.scores[0] - state.scores[0])


def beats_random(answer: Any) -> str:
    """as-6: an agent that wins at least 18 of 20 games of two players against the random agent."""
    rules = game("autoscooter", players=2)
    wins = 0.0
    lead = 0
    for seed in range(20):
        match = Match(rules, {seed % 2: answer, 1 - seed % 2: random(seed)}, seed)
        state = match.run()
        wins += (seed % 2 in state.winners) / len(state.winners)
        lead += state.scores[seed % 2] - state.scores[1 - seed % 2]
    if wins >= 18:
        return ""
    return (
        f"it wins {wins:g} of 20 games against the random agent, with a lead of {lead / 20:+.1f} chits; 18 are wanted."
        " What costs a driver most of his chits? Imagine the round before you write: state.guess(rng) can be played."
    )


CHECKS: dict[str, Callable[[Any], str]] = {
    "as-1": side_hit,
    "as-2": crash_case,
    "as-3": gain,
    "as-4": new_facing,
    "as-5": best_plot,
    "as-6": beats_random,
}
