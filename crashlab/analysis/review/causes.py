"""Reasons why one action is better than another, from the events in playouts of both.

Action values come from playouts (`action_values`). This module replays the playouts with a trace and attributes each
change of a seat's lead to its cause: a crash, or else a rule. Two actions are played out with the same luck, so that
the differences of these changes add up to the difference between the action values. A reason is therefore true of the
playouts and has the right sign. Only significant differences are reported.
"""

import math
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from crashlab.agents.base import leads_of
from crashlab.analysis.action_values import CLEARLY, PlayoutRows, SequentialHalving
from crashlab.base.statistics import Z, half_width, mean
from crashlab.compiled import choose_backend
from crashlab.engine.game import Game, Turn
from crashlab.engine.next_decision import deciding
from crashlab.engine.table import NOTE, NOWHERE, Row, Table, Trace, next_beat, replay
from crashlab.play.summary import clock_of, crash_behind, is_crash

LAPS = 100  # playouts of each of the two actions compared
FEWEST = 20  # fewest playouts, if time is short
SHARE = 0.2  # reasons below this share of the difference are omitted
MOST = 2  # most reasons reported
NOTABLY = 0.05  # smaller relative differences of numbers of events are ignored
MOSTLY = 0.8  # share of a reason's effect within the rounds reported


class EventSort(NamedTuple):
    """A type of event that changes a seat's lead; the rule NOWHERE means the position's value beyond the scores."""

    rule: int
    is_own: bool  # whether it changes the score of the seat itself
    is_up: bool  # whether the lead rises


OWN_PLACE, THEIR_PLACE = EventSort(NOWHERE, True, True), EventSort(NOWHERE, False, True)


class LeadChange(NamedTuple):
    """An event that changed a seat's lead: its round, counted from 0, the change in points, and its text."""

    rounds: int
    points: float
    words: str


@dataclass
class Account:
    """The changes of a seat's lead in a playout, by type of event."""

    moves: dict[EventSort, list[LeadChange]] = field(default_factory=lambda: defaultdict(list))

    def points(self, sort: EventSort, rounds: float = math.inf) -> float:
        """Return the total change by a type of event, up to and including a round."""
        return math.fsum(move.points for move in self.moves.get(sort, ()) if move.rounds <= rounds)

    def often(self, sort: EventSort) -> int:
        """Return the number of events of a type."""
        return len(self.moves.get(sort, ()))

    @property
    def lead(self) -> float:
        """The total change of the lead."""
        return math.fsum(map(self.points, self.moves))


@dataclass(frozen=True)
class EventDifference:
    """A type of event that makes one case better than another; each case is a list of playouts.

    often    the mean number of such events in a playout, in the better case and in the worse one
    points   the mean effect of such events on the lead, likewise
    rounds   the round, from 0, by which most of the difference has occurred
    example  the most frequent text of such events, in the case with more of them
    """

    sort: EventSort
    often: tuple[float, float]
    points: tuple[float, float]
    rounds: int
    example: str

    @property
    def gain(self) -> float:
        """The difference in lead due to these events."""
        return self.points[0] - self.points[1]

    @property
    def is_by_number(self) -> bool:
        """Whether the number of events differs, and not only their effect."""
        more = self.often[0] - self.often[1]
        return (more if self.sort.is_up else -more) >= NOTABLY * max(self.often)


# Events of a playout


@dataclass
class Happening:
    """An event that changed scores: its index among the rows, and each change as a text with the points by seat."""

    place: int
    crash: str  # description of a crash, or empty
    changes: list[tuple[str, list[int]]]

    def points(self, seat: int) -> float:
        """Return the change of a seat's lead."""
        return math.fsum(leads_of(changes)[seat] for _, changes in self.changes)

    def is_own(self, seat: int) -> bool:
        """Return whether the seat's own score changed."""
        return any(changes[seat] for _, changes in self.changes)

    def words(self, seat: int) -> str:
        """Describe the crash, or else the largest change of the seat's lead that has the sign of the total."""
        sign = 1 if self.points(seat) > 0 else -1
        return self.crash or max(self.changes, key=lambda change: sign * leads_of(change[1])[seat])[0]


def happenings(game: Game, before: Table, rows: Sequence[tuple[int, ...]], first: int = 0) -> list[Happening]:
    """Return the events in rows[first:] that changed scores.

    Changes with the same rule and cause are combined into one event, as when both sides score.
    """
    table, book, say = before.copy(), game.rulebook, game.text.event_text
    by_cause: dict[int, Happening] = {}
    crashes: dict[int, str] = {}
    alike: dict[tuple[int, int], int] = {}
    scores = [game.rules.score(table, seat) for seat in game.seats]
    for place in range(first, len(rows)):
        row = Row(*rows[place])
        if row.field == NOTE:
            if is_crash(book, row):
                crashes[place] = say(table, row)
            continue
        replay(table, [row])
        now = [game.rules.score(table, seat) for seat in game.seats]
        if now != scores:
            behind = crash_behind(book, rows, place)
            if behind == NOWHERE:  # no crash: grouped by cause and rule
                behind = alike.setdefault((row.cause, row.rule), place) if row.cause != NOWHERE else place
            event = by_cause.setdefault(behind, Happening(behind, crashes.get(behind, ""), []))
            changes = [late - early for early, late in zip(scores, now, strict=True)]
            replay(table, [row._replace(before=row.after, after=row.before)])
            event.changes.append((say(table, row), changes))  # its text is derived from the table before the change
            replay(table, [row])
            scores = now
    return list(by_cause.values())


class Teller:
    """A collector of the changes of a seat's lead in playouts; `start` is the round that counts as 0."""

    def __init__(self, game: Game, seat: int, start: int) -> None:
        self.game, self.seat, self.start = game, seat, start

    def tell(self, world: Table, codes: Sequence[int], account: Account) -> None:
        """Replay a playout from a world, and add its changes to the account."""
        rules, table, trace = self.game.rules, world.copy(), Trace()
        left = iter(codes)
        stood = (0.0, 0.0)
        for number, seats in enumerate(iter(lambda: deciding(rules, table), ())):
            played = list(islice(left, len(seats)))
            if len(played) < len(seats):
                break
            before, first = table.copy(), len(trace.rows)
            for seat, code in zip(seats, played, strict=True):
                rules.apply(table, seat, code, trace)
            self.add(before, table, trace.rows, account, first)
            next_beat(trace)
            if number == 0:
                stood = self.stand(table, account, 0, stood)
        self.stand(table, account, max(self.rounds(table), 1), stood)

    def rounds(self, table: Table) -> int:
        """Return the number of rounds since the start."""
        return self.game.ui.rounds(table) - self.start

    def add(
        self, before: Table, after: Table, rows: Sequence[tuple[int, ...]], account: Account, first: int = 0
    ) -> None:
        """Add the changes of scores in rows[first:] to the account."""
        score, seats = self.game.rules.score, self.game.seats
        if all(score(before, seat) == score(after, seat) for seat in seats):
            return
        for event in happenings(self.game, before, rows, first):
            points = event.points(self.seat)
            if points:
                sort = EventSort(rows[event.place][1], event.is_own(self.seat), points > 0)
                account.moves[sort].append(LeadChange(self.rounds(before), points, event.words(self.seat)))

    def stand(self, table: Table, account: Account, rounds: int, before: tuple[float, float]) -> tuple[float, float]:
        """Add the changes of the position's value beyond scores, for the seat and the others; return the new values."""
        rules, seats = self.game.rules, self.game.seats
        out = [0] * max(rules.MOST_ACTIONS, len(seats))
        rules.evaluate(table, out)
        more = [out[seat] / 100 - rules.score(table, seat) for seat in seats]
        now = more[self.seat], leads_of(more)[self.seat] - more[self.seat]
        for sort, early, late in zip((OWN_PLACE, THEIR_PLACE), before, now, strict=True):
            account.moves[sort].append(LeadChange(rounds, late - early, ""))
        return now


def accounts_of(workspace: PlayoutRows, teller: Teller, codes: Sequence[int], ends: float) -> Iterator[Account]:
    """Yield the accounts of LAPS playouts, or fewer if time is up; they begin with the actions in turn, if any."""
    for lap in range(LAPS):
        if lap >= FEWEST and time.perf_counter() > ends:
            break
        account = Account()
        move = (teller.seat, codes[lap % len(codes)]) if codes else ()
        teller.tell(*workspace.played(lap, *move), account)
        yield account


# Differences


def differences(one: Sequence[Account], other: Sequence[Account], is_paired: bool = True) -> list[EventDifference]:
    """Return the reasons why one case is better, the largest first; empty if the difference is not significant.

    If `is_paired`, playouts with the same index had the same luck.
    """
    if is_paired:
        one, other = one[: len(other)], other[: len(one)]
    total = clear_gain([account.lead for account in one], [account.lead for account in other], is_paired, 1.0)
    if not total:
        return []
    sorts = {sort for account in (*one, *other) for sort in account.moves}
    result = []
    for sort in sorts:
        early, late = ([account.points(sort) for account in accounts] for accounts in (one, other))
        if clear_gain(early, late, is_paired, CLEARLY / Z) >= SHARE * total:
            often = [mean([account.often(sort) for account in accounts]) for accounts in (one, other)]
            better = one if sort.is_up else other
            moves = Counter(move.words for account in better for move in account.moves.get(sort, ()))
            commonest = max(moves, key=lambda words: (moves[words], words), default="")
            result.append(
                EventDifference(
                    sort, (often[0], often[1]), (mean(early), mean(late)), by_round(one, other, sort), commonest
                )
            )
    return sorted(result, key=lambda item: (-item.gain, item.sort))[:MOST]


def clear_gain(one: Sequence[float], other: Sequence[float], is_paired: bool, times: float) -> float:
    """Return the difference of two means if it exceeds its 95 % half-width multiplied by `times`, else 0."""
    gain = mean(one) - mean(other)
    if is_paired:
        half = half_width([a - b for a, b in zip(one, other, strict=True)])
    else:
        half = math.hypot(half_width(one), half_width(other))
    return gain if gain > times * half else 0.0


def by_round(one: Sequence[Account], other: Sequence[Account], sort: EventSort) -> int:
    """Return the round by which most of the difference has occurred."""
    last = max(move.rounds for account in (*one, *other) for move in account.moves.get(sort, ()))

    def gain(rounds: int) -> float:
        early, late = ([account.points(sort, rounds) for account in accounts] for accounts in (one, other))
        return mean(early) - mean(late)

    return next(rounds for rounds in range(last + 1) if gain(rounds) >= MOSTLY * gain(last))


class Who(NamedTuple):
    """The subject of a sentence, and whether it is singular."""

    name: str
    is_one: bool


class Reasons:
    """The reasons for costs of decisions and turning points of a game, cached."""

    def __init__(self, turns: Sequence[Turn], seed: int = 0) -> None:
        self.turns, self.seed = turns, seed
        self.game: Game = turns[0].before.game
        self.clock = clock_of(turns[0].before)
        self._differences: dict[tuple[int, ...], list[EventDifference]] = {}

    def of_action(
        self, turn: int, seat: int, best: int, others: Sequence[int], ends: float = math.inf
    ) -> list[EventDifference]:
        """Return the reasons why an action is better than others in a turn, judged by the seat's view."""
        key = turn, seat, best, *others
        if key not in self._differences:
            state = self.turns[turn].before
            workspace = SequentialHalving(state, seat, [], self.seed, None).workspace
            teller = Teller(self.game, seat, self.game.ui.rounds(state.table))
            one, other = (list(accounts_of(workspace, teller, codes, ends)) for codes in ([best], others))
            self._differences[key] = differences(one, other)
        return self._differences[key]

    def of_turn(self, turn: int, seat: int, is_better: bool, ends: float = math.inf) -> list[EventDifference]:
        """Return the reasons why a seat's prospects are better (or worse) after a turn than before it."""
        key = turn, seat, int(is_better)
        if key not in self._differences:
            here = self.turns[turn]
            backend = choose_backend.ready(self.game, "worths", wait=True)
            teller = Teller(self.game, seat, self.game.ui.rounds(here.before.table))
            workspaces = [
                PlayoutRows(backend, self.game, [state.table], self.seed) for state in (here.before, here.after)
            ]
            before, after = (list(accounts_of(workspace, teller, (), ends)) for workspace in workspaces)
            for account in after:
                teller.add(here.before.table, here.after.table, here.rows, account)
            pair = (after, before) if is_better else (before, after)
            self._differences[key] = differences(*pair, is_paired=False)
        return self._differences[key]

    def words(self, seat: int, differences: Sequence[EventDifference], is_gain: bool = True) -> str:
        """Describe reasons: gains of the better case or, if not `is_gain`, losses of the worse case."""
        lines = [self._line(seat, difference, is_gain) for difference in differences]
        if differences and differences[0].example:
            lines[0] += f", as when {differences[0].example}"
        return "; ".join(lines)

    def _line(self, seat: int, difference: EventDifference, is_gain: bool) -> str:
        sort = difference.sort
        one, other = (0, 1) if is_gain else (1, 0)
        who, gain = self._who(seat, sort.is_own), signed(difference.points[one] - difference.points[other])
        if sort.rule == NOWHERE:
            is_well = sort.is_own == is_gain
            verb, when = "is" if who.is_one else "are", "at once" if difference.rounds == 0 else "later"
            return f"{who.name} {verb} {'better' if is_well else 'worse'} placed {when} ({gain})"
        rule = self.game.rulebook[sort.rule]
        verb, source = ("gain", "from") if sort.is_own == sort.is_up else ("lose", "through")
        averages = [
            points / often if often else 0.0 for points, often in zip(difference.points, difference.often, strict=True)
        ]
        if difference.is_by_number:
            count = f"{difference.often[one]:.1f} times instead of {difference.often[other]:.1f}"
        else:
            count = f"{abs(averages[one]):.1f} instead of {abs(averages[other]):.1f} a time"
        clock = self.clock or "decision"
        when = f"within {difference.rounds + 1} {clock}s" if difference.rounds else f"in this {clock}"
        return f"{who.name} {verb}{'s' * who.is_one} {source} {rule.title} ({rule.id}) {count} {when} ({gain})"

    def _who(self, seat: int, is_own: bool) -> Who:
        """Return the subject: the seat, or the others."""
        seats = [seat] if is_own else [other for other in self.game.seats if other != seat]
        return Who(self.game.seat_name(seats[0]), True) if len(seats) == 1 else Who("the others", False)


def signed(points: float) -> str:
    """Format points with their sign."""
    return (f"{points:+.1f}" if abs(points) >= 1 else f"{points:+.2f}").replace("-", "\u2212")
