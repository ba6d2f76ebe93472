"""Find the proof of a puzzle: what its actions are worth, by the strongest kind that the position allows.

What a proof says is in `crashlab.analysis.puzzles.proof`, and stored with each puzzle. All is found again from the same
position: a sample has always the same luck.
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
FIRST, TIMES, STAGES = 64, 4, 3  # playouts of each action at first; how many times more in each further stage of all
WORLDS = 64  # that are guessed, where something is hidden
AHEAD = 12, 4  # decisions of a playout; fewer where so many prove nothing
DEPTH, LEAST_DEPTH = 4, 3  # decisions that are foreseen; fewer are no proof
FORESEEN, WIDE = 12_000, 30  # positions at most that are looked at for it; actions that are too many to begin
FURTHER = 60_000  # positions at most that are looked at for one decision more


def proof(state: State, seat: int) -> Proof:
    """What the actions of a seat are worth, by the strongest kind of proof that this position allows."""
    for found in proofs(state, seat):
        found = confirmed(state, seat, found)
        if found.holds:
            break
    return found


def proofs(state: State, seat: int) -> Iterator[Proof]:
    """What can be tried one after the other, without looking whether it holds one decision later."""
    if is_matrix(state):
        yield solved(state, seat)
    elif can_be_foreseen(state, seat) and (found := foreseen(state, seat)):
        yield found
    else:
        yield from (sampled(state, seat, ahead) for ahead in AHEAD)


def confirmed(state: State, seat: int, found: Proof) -> Proof:
    """The same, with what is known of one decision later."""
    return found if found.kind == "solved" else replace(found, further=further(state, seat, found))


def further(state: State, seat: int, found: Proof) -> float:
    """By how much the best action is still better one decision later; 0 where it is not, or that is too far."""
    if not found.is_clear:
        return 0.0
    if found.kind == "sampled":
        later: Proof | None = sampled(state, seat, found.ahead + 1)
    else:
        later = foreseen(state, seat, found.ahead + 1, FURTHER)
    is_same = later is not None and later.ahead > found.ahead and later.is_clear and set(later.best) == set(found.best)
    return later.gap if later and is_same else 0.0


def is_matrix(state: State) -> bool:
    """Whether the rest of the game is solved: two seats plan, each once a round, and one or two rounds are left."""
    return not obstacle(state) and len(passes_of(state)) == 1


def can_be_foreseen(state: State, seat: int) -> bool:
    """Whether looking ahead is worth a try: two take turns to the end, see everything, and have few actions."""
    return suits(state.game) and not unfit(state) and len(state.actions(seat)) <= WIDE


def solved(state: State, seat: int) -> Proof:
    """What each plan guarantees a seat at the end of the game."""
    found = solution(state)
    sign = 1 if seat == state.actors[0] else -1
    rows = found.duel.rows if sign == 1 else found.duel.columns
    values = sign * (found.duel.values if sign == 1 else found.duel.values.T)
    sure = {str(row): ProvenWorth(round(float(least), 9)) for row, least in zip(rows, values.min(axis=1), strict=True)}
    cells = {str(row): tuple(line.round(9).tolist()) for row, line in zip(rows, values, strict=True)}
    ranked = in_order(sure)
    first = next(iter(ranked))
    best = tuple(words for words in ranked if cells[words] == cells[first])
    other = next(actor for actor in state.actors if actor != seat)
    columns = found.duel.columns if sign == 1 else found.duel.rows
    is_dominant = bool((values[list(sure).index(first)] >= values - TINY).all())
    worst = {words: {str(other): str(columns[cells[words].index(min(cells[words]))])} for words in ranked}
    return Proof("solved", ranked, best, round(sign * found.value, 9), replies=worst, is_dominant=is_dominant)


@lru_cache(maxsize=1)
def solution(state: State) -> Solution:
    """The solved position; kept, because both seats are asked about it."""
    return solve(state, progress=False)


def foreseen(state: State, seat: int, depth: int = DEPTH, max_positions: int = FORESEEN) -> Proof | None:
    """What comes of each action some decisions later; none where that is too far to look."""
    actions = list(state.actions(seat))
    depths = Lookahead("expectimax", state, seat, max_positions).deepened([each.code for each in actions], depth)
    if len(depths) < LEAST_DEPTH:
        return None
    ranked = in_order({str(each): ProvenWorth(round(depths[-1][each.code][0], 9)) for each in actions})
    return Proof("foreseen", ranked, alike(state, seat, ranked), ahead=len(depths))


def sampled(state: State, seat: int, ahead: int) -> Proof:
    """The means of playouts of so many decisions: more for those actions that may be the best."""
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
        if all(worths[str(action)] == first for action in rivals):  # on the same luck: they come to the same
            break
        left = rivals
    ranked = in_order(worths)
    return Proof("sampled", ranked, alike(state, seat, ranked), count=count, ahead=ahead)


def in_order(worths: Mapping[str, ProvenWorth]) -> dict[str, ProvenWorth]:
    """The best first; of equals that which was listed first."""
    return dict(sorted(worths.items(), key=lambda item: -item[1].value))


def above(worth: ProvenWorth) -> float:
    """The upper end of an interval."""
    return worth.value + worth.half_width


def alike(state: State, seat: int, ranked: Mapping[str, ProvenWorth]) -> tuple[str, ...]:
    """The actions of a seat that decides alone which lead to the same position as the best one."""
    first = next(iter(ranked))
    wanted = [each for each in state.actions(seat) if ranked[str(each)] == ranked[first]]
    after = {str(each): state.play_codes({seat: each.code}).table for each in wanted}
    return tuple(each for each, table in after.items() if table == after[first])
