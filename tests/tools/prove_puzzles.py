"""Prove a puzzle: compute its action values by the strongest method that the position allows.

The contents of a proof are described in `crashlab.analysis.puzzles.proof`, and stored with each puzzle. A proof is
reproducible: samples of one position always use the same luck.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from crashlab.agents import Search
from crashlab.agents.minimax import DepthSearch as Lookahead
from crashlab.agents.minimax import suits, unfit
from crashlab.analysis.endgame import Solution, obstacle, passes_of, solve
from crashlab.analysis.puzzles.proof import TINY, Proof, ProvenWorth
from crashlab.base.statistics import Z
from crashlab.engine.game import State

CLEAR = 3.2905  # standard deviations of a mean, for 99.9 %
FIRST, TIMES, STAGES = 64, 4, 3  # playouts of each action at first, growth per stage, number of stages
WORLDS = 64  # guesses of the hidden information, if there is any
AHEAD = 12, 4  # decisions of a playout, and fewer if that proves nothing
DEPTH, LEAST_DEPTH = 4, 3  # decisions foreseen, and the fewest for a proof
FORESEEN, WIDE = 12_000, 30  # positions to search for it; the most actions to try it with
FURTHER = 60_000  # positions to search for one decision more


def proof(state: State, seat: int) -> Proof:
    """Return the values of a seat's actions, by the strongest kind of proof that holds in this position."""
    for claim in proofs(state, seat):
        claim = confirmed(state, seat, claim)
        if claim.holds:
            break
    return claim


def proofs(state: State, seat: int) -> Iterator[Proof]:
    """Yield the possible proofs, strongest first, without checking them one decision later."""
    if is_matrix(state):
        yield solved(state, seat)
    elif can_be_foreseen(state, seat) and (claim := foreseen(state, seat)):
        yield claim
    else:
        yield from (sampled(state, seat, ahead) for ahead in AHEAD)


def confirmed(state: State, seat: int, claim: Proof) -> Proof:
    """Return the proof with its check one decision later."""
    return claim if claim.kind == "solved" else replace(claim, further=further(state, seat, claim))


def further(state: State, seat: int, claim: Proof) -> float:
    """Return the best action's lead one decision later; 0 if it does not lead there or the search is too large."""
    if not claim.is_clear:
        return 0.0
    if claim.kind == "sampled":
        later: Proof | None = sampled(state, seat, claim.ahead + 1)
    else:
        later = foreseen(state, seat, claim.ahead + 1, FURTHER)
    is_same = later is not None and later.ahead > claim.ahead and later.is_clear and set(later.best) == set(claim.best)
    return later.gap if later and is_same else 0.0


def is_matrix(state: State) -> bool:
    """Return whether the game can be solved: two seats plan, each once a round, and one or two rounds are left."""
    return not obstacle(state) and len(passes_of(state)) == 1


def can_be_foreseen(state: State, seat: int) -> bool:
    """Return whether to try lookahead: two take turns to the end, see everything, and have few actions."""
    return suits(state.game) and not unfit(state) and len(state.actions(seat)) <= WIDE


def solved(state: State, seat: int) -> Proof:
    """Return the points that each plan guarantees a seat at the end of the game."""
    result = solution(state)
    sign = 1 if seat == state.actors[0] else -1
    rows = result.duel.rows if sign == 1 else result.duel.columns
    values = sign * (result.duel.values if sign == 1 else result.duel.values.T)
    sure = {str(row): ProvenWorth(round(float(least), 9)) for row, least in zip(rows, values.min(axis=1), strict=True)}
    cells = {str(row): tuple(line.round(9).tolist()) for row, line in zip(rows, values, strict=True)}
    ranked = in_order(sure)
    first = next(iter(ranked))
    best = tuple(words for words in ranked if cells[words] == cells[first])
    other = next(actor for actor in state.actors if actor != seat)
    columns = result.duel.columns if sign == 1 else result.duel.rows
    is_dominant = bool((values[list(sure).index(first)] >= values - TINY).all())
    worst = {words: {str(other): str(columns[cells[words].index(min(cells[words]))])} for words in ranked}
    return Proof("solved", ranked, best, round(sign * result.value, 9), replies=worst, is_dominant=is_dominant)


@lru_cache(maxsize=1)
def solution(state: State) -> Solution:
    """Solve a position; cached, because both seats are asked about it."""
    return solve(state, progress=False)


def foreseen(state: State, seat: int, depth: int = DEPTH, max_positions: int = FORESEEN) -> Proof | None:
    """Return the action values some decisions ahead, or None if the search is too large."""
    actions = list(state.actions(seat))
    depths = Lookahead("expectimax", state, seat, max_positions).deepened([action.code for action in actions], depth)
    if len(depths) < LEAST_DEPTH:
        return None
    ranked = in_order({str(action): ProvenWorth(round(depths[-1][action.code][0], 9)) for action in actions})
    return Proof("foreseen", ranked, alike(state, seat, ranked), ahead=len(depths))


def sampled(state: State, seat: int, ahead: int) -> Proof:
    """Return the means of playouts with this many decisions, more of them for actions that may be the best."""
    actions = list(state.actions(seat))
    left = actions
    worths: dict[str, ProvenWorth] = {}
    count = 0
    worlds = WORLDS if state.game.facts.secrets else 1
    for stage in range(STAGES):
        search = Search(state, seat, stage, "flat", ahead, worlds, only=left)
        search.grow(FIRST * TIMES**stage * len(left))
        count += search.playouts
        rows = search.thoughts().rows
        worths |= {str(row.action): ProvenWorth(row.value, row.half_width * CLEAR / Z) for row in rows}
        first = worths[str(rows[0].action)]
        rivals = [row.action for row in rows if above(worths[str(row.action)]) >= first.value - first.half_width]
        if all(worths[str(action)] == first for action in rivals):  # equal on equal luck: one position
            break
        left = rivals
    ranked = in_order(worths)
    return Proof("sampled", ranked, alike(state, seat, ranked), count=count, ahead=ahead)


def in_order(worths: Mapping[str, ProvenWorth]) -> dict[str, ProvenWorth]:
    """Sort by value, best first, and stably."""
    return dict(sorted(worths.items(), key=lambda item: -item[1].value))


def above(worth: ProvenWorth) -> float:
    """Return the upper end of an interval."""
    return worth.value + worth.half_width


def alike(state: State, seat: int, ranked: Mapping[str, ProvenWorth]) -> tuple[str, ...]:
    """Return the actions of a seat deciding alone that lead to the same position as the best one."""
    first = next(iter(ranked))
    equals = [action for action in state.actions(seat) if ranked[str(action)] == ranked[first]]
    after = {str(action): state.play_codes({seat: action.code}).table for action in equals}
    return tuple(action for action, table in after.items() if table == after[first])
