"""What comes of an answer to a puzzle, and of another one beside it, up to where the difference shows, and why.

    solved      the others do what is worst for the answer; what follows is played as the mixtures of both have it
    foreseen    both go on as well as can be, as far as that was looked ahead
    sampled     all go on carefully (`kernels.careful_play`), in a world that is imagined: an example

Both answers meet the same luck, and of some lucks one in which they part about as far as they do on average.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

from crashlab.agents import lead
from crashlab.agents.minimax import DepthSearch as Lookahead
from crashlab.analysis.action_values import TRIES
from crashlab.analysis.endgame import solve
from crashlab.analysis.puzzles.proof import Proof, ahead, signed
from crashlab.base.clock import look
from crashlab.compiled import choose_body
from crashlab.compiled.kernels import careful_play
from crashlab.engine.chance import Random
from crashlab.engine.game import State, Turn
from crashlab.engine.table import CHANCE, NOTE, NOWHERE, replay
from crashlab.play.summary import crash_behind

LUCKS = 16  # that are tried at most
NEAR = 0.5  # of a difference, or of a point: an example that is no further from it is typical
GREAT = 0.25  # of the greatest change of some that come together: those that are told
SHOWN = 0.5  # of a difference: where so much of it is seen, it shows
TOLD = 0.3  # of a difference: what makes less of it is not told
MOST = 3  # events that are told together
LIKELY = 1e-6  # what a mixture plays less often it does not play
TINY = 0.005  # points that are told as 0
ROUNDS = 2  # at most that are solved
ENOUGH = 1 << 20  # positions: more than a proof has looked at
Policy = Callable[[State, int], Mapping[int, int]]  # what every actor plays in a state, after so many decisions


class LeadShift(NamedTuple):
    """Something that happened, and by how many points it has changed a lead."""

    words: str
    change: float


@dataclass(frozen=True)
class Continuation:
    """What comes of an answer, decision by decision; what chance brings belongs to the decision before it."""

    seat: int
    steps: tuple[tuple[Turn, ...], ...]

    @cached_property
    def leads(self) -> tuple[float, ...]:
        """The lead before the answer, and after each decision."""
        return tuple(lead(state, self.seat) for state in (self.start, *(step[-1].after for step in self.steps)))

    @property
    def start(self) -> State:
        """The position in which it is answered."""
        return self.steps[0][0].before

    def at(self, decisions: int) -> float:
        """The lead after so many decisions, or at the end of the game if that is sooner."""
        return self.leads[min(decisions, len(self.steps))]

    @property
    def end(self) -> float:
        """The lead at the end."""
        return self.leads[-1]

    def until(self, decisions: int) -> Continuation:
        """The first decisions of it."""
        return Continuation(self.seat, self.steps[:decisions])

    @property
    def turns(self) -> tuple[Turn, ...]:
        """All turns, one after the other."""
        return tuple(turn for step in self.steps for turn in step)

    @cached_property
    def causes(self) -> tuple[LeadShift, ...]:
        """What has changed the lead, in its order."""
        return tuple(cause for turn in self.turns for cause in causes(turn, self.seat))


@dataclass(frozen=True)
class Continuations:
    """The continuations of two answers on the same luck, the better answer first."""

    better: Continuation
    worse: Continuation
    names: tuple[str, str]  # what the two answers are called
    kind: str  # of the proof
    is_example: bool  # whether they do not part by exactly what was proven

    @property
    def why(self) -> str:
        """What makes the difference between the two, from the events of both."""
        name, near = self._name, self._near
        if not self.shows:
            return f"In the example shown, {name} does no better after {self.names[0]}, but on average does, as proven."
        one, other = self._told(self.reasons[0], self.worse), self._told(self.reasons[1], self.better)
        return (
            f"{HOW[self.kind]}{near}: after {self.names[1]} {name} is {ahead(self.worse.end)}{other}; after"
            f" {self.names[0]} {name} is {ahead(self.better.end)}{one}."
            f"{EXAMPLE[self.kind] if self.is_example else ''}"
        )

    @property
    def shows(self) -> bool:
        """Whether the better answer comes out better here."""
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
        """What does most for the better answer, and what most against the worse one, as far as it does much."""
        ups, downs = (Counter(map(rounded, each.causes)) for each in (self.better, self.worse))
        up = max(ups - downs, key=lambda each: each.change, default=NOTHING)
        down = min(downs - ups, key=lambda each: each.change, default=NOTHING)
        least = min(TOLD * (self.better.end - self.worse.end), max(up.change, -down.change))
        return up if up.change >= least else None, down if -down.change >= least else None

    def _told(self, reason: LeadShift | None, other: Continuation) -> str:
        """A reason in words; of what happens after the other answer, too, that it happens once more."""
        if reason is None:
            return ""
        again = "once more " if reason in map(rounded, other.causes) else ""
        return f" ({again}{reason.words}: {self._name} {signed(reason.change)})"


EXAMPLE = {  # why it is not exactly what was proven
    "solved": " In the last round both have to mix their plans: what is shown is an example.",
    "foreseen": " Chance has a part in it: what is shown is an example.",
    "sampled": "",
}
HOW = {
    "solved": "Against the best reply",
    "foreseen": "With best play from both",
    "sampled": "An example, with the same luck for both and nobody playing at random",
}


NOTHING = LeadShift("", 0.0)


def rounded(cause: LeadShift) -> LeadShift:
    """The same, with the change as it is told."""
    return LeadShift(cause.words, round(cause.change, 2))


def causes(turn: Turn, seat: int) -> list[LeadShift]:
    """What has changed the lead of a seat in a turn: crashes, and what came of each other cause at one time."""
    game, table = turn.before.game, turn.before.table.copy()
    before, scores = lead(turn.before, seat), turn.before.scores
    groups: dict[tuple[int, int], dict[int, float]] = {}  # by their cause and their beat, events that changed it
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
    found = []
    for group in groups.values():  # changes at one time are one, told by the greatest of them
        most = max(abs(change) for change in group.values())
        great = [turn.events[number].text for number, change in group.items() if abs(change) >= GREAT * most]
        found.append(LeadShift("; ".join(great[:MOST]), sum(group.values())))
    return found


def begin(turn: Turn, number: int, scores: bool) -> int:
    """What tells of an event: the crash that it comes from; else itself if it `scores`, or what it began with then."""
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
    """What comes of two answers, the better one first, up to where the difference shows; what they are called.

    `replies` has for each what the others do to it who plan at the same time.
    """
    better, worse = answers
    wanted = proof.worths[better].value - proof.worths[worse].value
    found: list[tuple[Continuation, Continuation]] = []
    for number in range(1 if proof.kind == "solved" else LUCKS):
        one, other = (followed(state, seat, proof, {seat: words, **replies[words]}, number) for words in answers)
        found.append((one, other))
        if not far(found[-1], wanted) > (False, NEAR * max(wanted, 1.0)):
            break
    first, second = min(found, key=lambda pair: far(pair, wanted))
    is_example = far((first, second), wanted)[1] > TINY
    if proof.kind == "sampled":
        shown = next((n for n in range(1, proof.ahead) if first.at(n) - second.at(n) >= SHOWN * wanted), proof.ahead)
        first, second = first.until(shown), second.until(shown)
    return Continuations(first, second, names, proof.kind, is_example)


def far(pair: tuple[Continuation, Continuation], wanted: float) -> tuple[bool, float]:
    """Whether two continuations do not part the right way, and how far they are from parting by so much."""
    apart = pair[0].end - pair[1].end
    return apart <= TINY, abs(apart - wanted)


def followed(state: State, seat: int, proof: Proof, first: Mapping[int, object], number: int) -> Continuation:
    """What comes of what is played first, on the luck with this number."""
    rng = Random(number)
    if proof.kind == "solved":
        return goes_on(state, seat, first, mixed, ROUNDS)
    if proof.kind == "foreseen":
        here = State(state.game, state.table, rng.below(1 << 64))
        return goes_on(here, seat, first, partial(as_well_as_can_be, proof.ahead), proof.ahead)
    return goes_on(state.seen_by(seat).guess(rng), seat, first, partial(with_care, rng), proof.ahead)


def goes_on(state: State, seat: int, first: Mapping[int, object], policy: Policy, most: int) -> Continuation:
    """At most so many decisions, the first one as it is given, the others as the policy has it."""
    steps = [by_chance(state.play(first))]
    while len(steps) < most and not (here := steps[-1][-1].after).over:
        look()
        if not (codes := policy(here, len(steps))):
            break
        steps.append(by_chance(here.play_codes(codes, trace=True)))
    return Continuation(seat, tuple(steps))


def by_chance(turn: Turn) -> tuple[Turn, ...]:
    """A turn with those that chance decides after it."""
    found = [turn]
    while found[-1].after.actors == (CHANCE,):
        found.append(found[-1].after.play())
    return tuple(found)


def mixed(state: State, done: int) -> Mapping[int, int]:
    """Of the plans that the best mixtures of two have those that come nearest to the value of the position."""
    found = solve(state, progress=False)
    rows, columns = found.duel.rows, found.duel.columns
    pairs = [
        (abs(found.duel.values[i, j] - found.value), i, j)
        for i in range(len(rows))
        for j in range(len(columns))
        if found.row[i] > LIKELY and found.column[j] > LIKELY
    ]
    _, i, j = min(pairs)
    return {seat: state.legal_code(seat, plan) for seat, plan in zip(state.actors, (rows[i], columns[j]), strict=True)}


def as_well_as_can_be(ahead: int, state: State, done: int) -> Mapping[int, int]:
    """What is best for the one who decides, looking as far as the proof did; nothing where both decide at once."""
    if len(state.actors) != 1:
        return {}
    (who,) = state.actors
    codes = list(state.actions(who).codes)
    values = Lookahead("expectimax", state, who, ENOUGH).deepened(codes, ahead - done)[-1]
    return {who: max(codes, key=lambda code: values[code][0])}


def with_care(rng: Random, state: State, done: int) -> Mapping[int, int]:
    """What each actor plays who tries a few actions (`careful_play.pick`)."""
    game = state.game
    body = choose_body.interpreted(game.rules)
    work, out = body.tables([state.table] * 4), body.row(game.rules.MOST_ACTIONS)
    luck, bits = body.luck(rng.below(1 << 64)), sum(1 << seat for seat in state.actors)
    pick = body.bind(careful_play.pick)
    return {seat: pick(work, bits, seat, TRIES, len(game.seats), luck, body.luck(0), out) for seat in state.actors}
