"""What makes one action of a seat clearly the best, and the proof of it.

    solved      the last rounds of two who plan in secret are solved: the action guarantees the value of the game,
                whatever the opponent plans; no mixture of plans guarantees more, and any other action less
    foreseen    every move, every answer and every outcome of chance some decisions ahead, for two who take turns
                and see everything: the lead then, on average over chance alone, if both go on as well as can be
    sampled     games played on at random: the means of the leads, with intervals of 99.9 % that do not overlap

What is not solved has to hold one decision later, too: the same action is clearly the best when it is looked, or
played, that much further.

A seat is judged by what it sees: what is hidden from it counts as guessed anew for each of many worlds, and what the
others plan at the same time is unknown. Actions that come to the same are one: they are best together. All is found
again from the same position: a sample has always the same luck.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from crashlab.agents import Search
from crashlab.agents.minimax import DepthSearch as Lookahead
from crashlab.agents.minimax import suits, unfit
from crashlab.analysis.endgame import Solution, obstacle, passes_of, solve
from crashlab.base.statistics import Z
from crashlab.engine.game import State
from crashlab.engine.notation import counted

CLEAR = 3.2905  # standard deviations of a mean, for 99.9 %
FIRST, TIMES, STAGES = 64, 4, 3  # playouts of each action at first; how many times more in each further stage of all
WORLDS = 64  # that are guessed, where something is hidden
AHEAD = 12, 4  # decisions of a playout; fewer where so many prove nothing
DEPTH, LEAST_DEPTH = 4, 3  # decisions that are foreseen; fewer are no proof
FORESEEN, WIDE = 12_000, 30  # positions at most that are looked at for it; actions that are too many to begin
FURTHER = 60_000  # positions at most that are looked at for one decision more
TINY = 1e-6  # less than that is rounding
STEP = {"solved": 0.25, "foreseen": 0.15, "sampled": 0.25}  # points by which an action must be better than any other


@dataclass(frozen=True)
class ProvenWorth:
    """What an action is worth, and half the width of its 99.9 % interval; 0 where it is exact."""

    value: float
    half_width: float = 0.0


@dataclass(frozen=True)
class Proof:
    """What every action is worth, by its words, the best ones first, and how that is known."""

    kind: str
    worths: Mapping[str, ProvenWorth]
    best: tuple[str, ...]  # actions that come to the same
    value: float = 0.0  # of a solved game
    count: int = 0  # of playouts
    ahead: int = 0  # decisions that were foreseen, or played out
    further: float = 0.0  # by how much the best is better one decision later, too; 0 where it is not, or not known
    is_dominant: bool = False  # whether a solved plan is at least as good as any other, whatever the opponent plans
    replies: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # what others can do to a plan, by seat

    @property
    def is_clear(self) -> bool:
        """Whether the best actions are better than all others, beyond doubt and by enough."""
        others = [worth for words, worth in self.worths.items() if words not in self.best]
        first = self.worths[self.best[0]]
        if not others or (self.kind == "solved" and first.value < self.value - TINY):
            return False
        return all(first.value - first.half_width > each.value + each.half_width + TINY for each in others) and (
            self.gap >= STEP[self.kind] - TINY
        )

    @property
    def holds(self) -> bool:
        """Whether the best is clear, and clear one decision later; what is solved goes to the end of the game."""
        return self.is_clear and (self.kind == "solved" or self.further >= STEP[self.kind] - TINY)

    @property
    def gap(self) -> float:
        """By how much the best is better than any other action."""
        return self.worths[self.best[0]].value - self.next

    @property
    def next(self) -> float:
        """What the best of the other actions is worth."""
        others = (worth.value for words, worth in self.worths.items() if words not in self.best)
        return max(others, default=self.worths[self.best[0]].value)

    def words(self, name: str, near: str = "") -> str:
        """What is claimed of the best actions of the seat with this name; `near` counts in its lead besides points."""
        best, second = signed(self.worths[self.best[0]].value), signed(self.next)
        lead = f"{name}'s lead, with {near}," if near else f"{name}'s lead"
        far = f"Looking {counted(self.ahead, 'decision')} ahead, this one included,"
        further = f"One decision further ahead the same action is best, by {self.further:.2g}."
        if self.kind == "solved":
            return (
                f"The best plan guarantees {name} a final lead of {best} or better, whatever the opponent plans; no"
                f" other plan guarantees more than {second}, and no mixture of plans more than {best}. Exact."
            )
        if self.kind == "foreseen":
            return (
                f"{far} {lead} is {best} with best play from both, and {second} at most after anything else."
                f" Exact to that depth. {further}"
            )
        half = self.worths[self.best[0]].half_width
        return (
            f"{far} {lead} was {best} ± {half:.2g} on average with the best, and at most {second} with anything else"
            f" ({self.count:,} playouts in which all that came after was played at random; intervals of 99.9 % that do"
            f" not overlap). {further}"
        )

    @property
    def measure(self) -> str:
        """What the actions are measured by, without telling what they are worth."""
        of_each = f"of each of the {len(self.worths)} actions"
        if self.kind == "solved":
            return f"the final lead that each of the {len(self.worths)} plans guarantees, exactly"
        after = counted(self.ahead, "decision")
        if self.kind == "foreseen":
            return f"the lead {of_each} after {after}, with best play from both, exactly"
        return (
            f"the average lead {of_each} after {after}, in {self.count:,} playouts; that of the best is known to"
            f" ± {self.worths[self.best[0]].half_width:.2g} (99.9 %)"
        )


def signed(value: float) -> str:
    """A lead in words."""
    near = round(value, 2)
    return f"{near:+.2f}".rstrip("0").rstrip(".").replace("-", "\u2212") if near else "0"


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
