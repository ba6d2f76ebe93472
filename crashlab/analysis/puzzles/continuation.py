"""Continuations of two answers to a puzzle, up to a visible difference, and the reasons for it.

    solved      the opponent replies with the worst for the answer; in later rounds both play plans of their mixtures
    foreseen    best play from both, as far as the proof looked ahead
    sampled     careful play of all seats (`kernels.careful_play`) in a sampled world, as an example

Both answers are played with the same luck (RNG state), chosen from several such that the difference between their
results is close to the average.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

from crashlab.agents import lead
from crashlab.agents.minimax import DepthSearch as Lookahead
from crashlab.analysis.action_values import TRIES
from crashlab.analysis.endgame import solve
from crashlab.analysis.puzzles.proof import Proof, ahead, signed
from crashlab.base.clock import look
from crashlab.compiled import choose_backend
from crashlab.compiled.kernels import careful_play
from crashlab.engine.chance import Random
from crashlab.engine.game import State, Turn
from crashlab.engine.table import CHANCE, NOTE, NOWHERE, replay
from crashlab.play.summary import crash_behind

LUCKS = 16  # maximum number of RNG states tried
NEAR = 0.5  # tolerance of an example, as a share of the difference, or of 1 point if that is more
GREAT = 0.25  # simultaneous changes of at least this share of the greatest are described
SHOWN = 0.5  # share of the proven difference at which an example may end
LEAST_SHARE = 0.3  # reasons below this share of the difference are omitted
MOST = 3  # most events described together
LIKELY = 1e-6  # smaller probabilities of a mixture count as 0
TINY = 0.005  # smaller changes count as 0 points
ROUNDS = 2  # most rounds of a solved continuation
ENOUGH = 1 << 20  # limit of positions, larger than for any proof
# Returns each actor's action code, from a state and the number of decisions played; empty to stop.
Policy = Callable[[State, int], Mapping[int, int]]


class LeadShift(NamedTuple):
    """The text of an event, and its effect on a lead, in points."""

    words: str
    change: float


@dataclass(frozen=True)
class Continuation:
    """The turns from an answer on; each step is a turn of the players and the chance turns that follow it."""

    seat: int
    steps: tuple[tuple[Turn, ...], ...]

    @cached_property
    def leads(self) -> tuple[float, ...]:
        """The leads before the answer and after each decision."""
        return tuple(lead(state, self.seat) for state in (self.start, *(step[-1].after for step in self.steps)))

    @property
    def start(self) -> State:
        """The position in which the answer is given."""
        return self.steps[0][0].before

    def at(self, decisions: int) -> float:
        """Return the lead after a number of decisions, or at the end of the continuation."""
        return self.leads[min(decisions, len(self.steps))]

    @property
    def end(self) -> float:
        """The final lead."""
        return self.leads[-1]

    def until(self, decisions: int) -> Continuation:
        """Return the first decisions of the continuation."""
        return Continuation(self.seat, self.steps[:decisions])

    @property
    def turns(self) -> tuple[Turn, ...]:
        """All turns in order."""
        return tuple(turn for step in self.steps for turn in step)

    @cached_property
    def causes(self) -> tuple[LeadShift, ...]:
        """All changes of the lead, in order."""
        return tuple(cause for turn in self.turns for cause in causes(turn, self.seat))


@dataclass(frozen=True)
class Continuations:
    """The continuations of two answers with the same luck, the better answer first."""

    better: Continuation
    worse: Continuation
    names: tuple[str, str]  # names of the two answers
    kind: str  # kind of the proof
    is_example: bool  # whether the difference between the results deviates from the proven one

    @property
    def why(self) -> str:
        """An explanation of why the results differ, from the events of both continuations."""
        name, near = self._name, self._near
        if not self.shows:
            return f"In this example {name} does no better after {self.names[0]}. On average {name} does, as proven."
        one, other = self._reason_words(self.reasons[0], self.worse), self._reason_words(self.reasons[1], self.better)
        return (
            f"{HOW[self.kind]}{near}: after {self.names[1]} {name} is {ahead(self.worse.end)}{other}; after"
            f" {self.names[0]} {name} is {ahead(self.better.end)}{one}."
            f"{EXAMPLE[self.kind] if self.is_example else ''}"
        )

    @property
    def shows(self) -> bool:
        """Whether the better answer also has the better result in these continuations."""
        return self.better.end - self.worse.end > TINY

    @property
    def _name(self) -> str:
        return self.better.start.game.seat_name(self.better.seat)

    @property
    def _near(self) -> str:
        near = self.better.start.game.rulebook.near
        return f", counting {near}" if near else ""

    @cached_property
    def reasons(self) -> tuple[LeadShift | None, LeadShift | None]:
        """The largest gain of only the better answer, and the largest loss of only the worse one; None if too small."""
        ups, downs = (Counter(map(rounded, turns.causes)) for turns in (self.better, self.worse))
        up = max(ups - downs, key=lambda shift: shift.change, default=NOTHING)
        down = min(downs - ups, key=lambda shift: shift.change, default=NOTHING)
        least = min(LEAST_SHARE * (self.better.end - self.worse.end), max(up.change, -down.change))
        return up if up.change >= least else None, down if -down.change >= least else None

    def _reason_words(self, reason: LeadShift | None, other: Continuation) -> str:
        """Describe a reason, with "once more" if the same event also follows the other answer; empty for None."""
        if reason is None:
            return ""
        again = "once more " if reason in map(rounded, other.causes) else ""
        return f" ({again}{reason.words}: {self._name} {signed(reason.change)})"


EXAMPLE = {  # remarks about examples that differ from the proof
    "solved": " In the last round both must mix their plans, so this is only an example.",
    "foreseen": " Chance plays a part, so this is only an example.",
    "sampled": "",
}
HOW = {
    "solved": "Against the best reply",
    "foreseen": "With best play from both",
    "sampled": "In an example with careful play and the same luck after both",
}


NOTHING = LeadShift("", 0.0)


def rounded(cause: LeadShift) -> LeadShift:
    """Return the cause with its change rounded to two decimals."""
    return LeadShift(cause.words, round(cause.change, 2))


def causes(turn: Turn, seat: int) -> Iterator[LeadShift]:
    """Return the changes of a seat's lead in a turn; changes with one cause in one beat are combined."""
    game, table = turn.before.game, turn.before.table.copy()
    before, scores = lead(turn.before, seat), turn.before.scores
    groups: dict[tuple[int, int], dict[int, float]] = {}  # by cause and beat: the change by event
    for number, row in enumerate(turn.rows):
        replay(table, [row])
        if row.field == NOTE:
            continue
        here = State(game, table)
        now = lead(here, seat)
        if now != before:
            first = begin(turn, number, here.scores != scores)
            group = groups.setdefault((turn.rows[first].cause, turn.rows[first].beat), {})
            group[first] = group.get(first, 0.0) + now - before
        before, scores = now, here.scores
    for group in groups.values():  # simultaneous changes are reported as one, described by the largest
        most = max(abs(change) for change in group.values())
        great = [turn.events[number].text for number, change in group.items() if abs(change) >= GREAT * most]
        yield LeadShift("; ".join(great[:MOST]), sum(group.values()))


def begin(turn: Turn, number: int, scores: bool) -> int:
    """Return the event behind a change: a crash, or itself if it `scores`, or else the first cause in its beat."""
    crash = crash_behind(turn.before.game.rulebook, turn.rows, number)
    if crash != NOWHERE or scores:
        return number if crash == NOWHERE else crash
    while (cause := turn.rows[number].cause) != NOWHERE and turn.rows[cause].beat == turn.rows[number].beat:
        number = cause
    return number


def continuations(
    state: State,
    seat: int,
    proof: Proof,
    replies: Mapping[str, Mapping[int, str]],
    answers: tuple[str, str],
    names: tuple[str, str],
) -> Continuations:
    """Return the continuations of two answers, the better one first, up to a visible difference.

    `replies` maps each answer to the simultaneous replies of the other seats.
    """
    better, worse = answers
    target = proof.worths[better].value - proof.worths[worse].value
    pairs: list[tuple[Continuation, Continuation]] = []
    for number in range(1 if proof.kind == "solved" else LUCKS):
        one, other = (followed(state, seat, proof, {seat: words, **replies[words]}, number) for words in answers)
        pairs.append((one, other))
        if not far(pairs[-1], target) > (False, NEAR * max(target, 1.0)):
            break
    first, second = min(pairs, key=lambda pair: far(pair, target))
    is_example = far((first, second), target)[1] > TINY
    if proof.kind == "sampled":
        shown = next((n for n in range(1, proof.ahead) if first.at(n) - second.at(n) >= SHOWN * target), proof.ahead)
        first, second = first.until(shown), second.until(shown)
    return Continuations(first, second, names, proof.kind, is_example)


def far(pair: tuple[Continuation, Continuation], target: float) -> tuple[bool, float]:
    """Return whether two continuations differ the wrong way, and how far their difference is from the target."""
    apart = pair[0].end - pair[1].end
    return apart <= TINY, abs(apart - target)


def followed(state: State, seat: int, proof: Proof, first: Mapping[int, object], number: int) -> Continuation:
    """Return the continuation after the given first actions, with `number` as the seed of its luck."""
    rng = Random(number)
    if proof.kind == "solved":
        return goes_on(state, seat, first, mixed, ROUNDS)
    if proof.kind == "foreseen":
        here = State(state.game, state.table, rng.below(1 << 64))
        return goes_on(here, seat, first, partial(as_well_as_can_be, proof.ahead), proof.ahead)
    return goes_on(state.seen_by(seat).guess(rng), seat, first, partial(with_care, rng), proof.ahead)


def goes_on(state: State, seat: int, first: Mapping[int, object], policy: Policy, most: int) -> Continuation:
    """Play at most `most` decisions: the first with the given actions, the others by a policy."""
    steps = [by_chance(state.play(first))]
    while len(steps) < most and not (here := steps[-1][-1].after).over:
        look()
        if not (codes := policy(here, len(steps))):
            break
        steps.append(by_chance(here.play_codes(codes, trace=True)))
    return Continuation(seat, tuple(steps))


def by_chance(turn: Turn) -> tuple[Turn, ...]:
    """Return a turn and the chance turns that follow it."""
    turns = [turn]
    while turns[-1].after.actors == (CHANCE,):
        turns.append(turns[-1].after.play())
    return tuple(turns)


def mixed(state: State, done: int) -> Mapping[int, int]:
    """Return the plans, one from each seat's best mixture, whose result is closest to the value of the position."""
    solution = solve(state, progress=False)
    rows, columns = solution.duel.rows, solution.duel.columns
    pairs = [
        (abs(solution.duel.values[i, j] - solution.value), i, j)
        for i in range(len(rows))
        for j in range(len(columns))
        if solution.row[i] > LIKELY and solution.column[j] > LIKELY
    ]
    _, i, j = min(pairs)
    return {seat: state.legal_code(seat, plan) for seat, plan in zip(state.actors, (rows[i], columns[j]), strict=True)}


def as_well_as_can_be(ahead: int, state: State, done: int) -> Mapping[int, int]:
    """Return the best action of the actor, searched to the depth of the proof; empty for simultaneous decisions."""
    if len(state.actors) != 1:
        return {}
    (who,) = state.actors
    codes = list(state.actions(who).codes)
    values = Lookahead("expectimax", state, who, ENOUGH).deepened(codes, ahead - done)[-1]
    return {who: max(codes, key=lambda code: values[code][0])}


def with_care(rng: Random, state: State, done: int) -> Mapping[int, int]:
    """Return the actions of careful play (`careful_play.pick`)."""
    game = state.game
    backend = choose_backend.interpreted(game.rules)
    work, out = backend.tables([state.table] * 4), backend.row(game.rules.MOST_ACTIONS)
    luck, bits = backend.luck(rng.below(1 << 64)), sum(1 << seat for seat in state.actors)
    pick = backend.bind(careful_play.pick)
    return {seat: pick(work, bits, seat, TRIES, len(game.seats), luck, backend.luck(0), out) for seat in state.actors}
