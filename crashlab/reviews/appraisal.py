"""A game looked at again: what each decision cost, where it turned, and why. `reviewing` finds it out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from crashlab import files, film
from crashlab.actions import Action
from crashlab.errors import CrashlabError, shown
from crashlab.happen import CHANCE, NOWHERE, replay
from crashlab.notation import counted
from crashlab.reel import cut
from crashlab.shapes import Picture, Piece, Polygon, Shape, Text, placed
from crashlab.stage.charts import Curve, Scale, curves
from crashlab.state import State, Turn
from crashlab.summary import HEIGHT, RADIUS, WIDTH, Highlight, Summary, badge, is_crash, result, time_line, when
from crashlab.weighing import DECISIONS

CHART = 18.0, 48.0, 476.0, 300.0  # left, top, width, height of the left one of two
GAP = 12.0
LONGEST = 40  # turns of a round that are gone through
NOTHING = "nothing"
MOST = 6  # decisions and turning points that are told of
TINY = 0.005  # points that are told as 0.00


@dataclass(frozen=True)
class Decision:
    """One decision of a seat, judged by what it saw.

    cost    how many points less the action was worth than the best one
    apart   half the width of the 95 % interval of the cost; 0 where it is exact
    value   what the best action was worth: the seat's expected lead
    """

    turn: int  # from 0
    action: Action
    best: Action
    value: float
    cost: float
    apart: float
    exact: bool

    @property
    def seat(self) -> int:
        """Who decided."""
        return self.action.seat

    @property
    def is_clear(self) -> bool:
        """Whether it did cost something, as far as one can tell."""
        return self.cost > max(self.apart, TINY)

    @property
    def sure(self) -> float:
        """What it cost at least, with its interval."""
        return max(self.cost - self.apart, 0.0) if math.isfinite(self.apart) else 0.0

    @property
    def price(self) -> str:
        """The cost in words."""
        if self.action == self.best:
            return "the best there was"
        if self.exact:
            return f"cost {self.cost:.2f}, exactly"
        return f"cost {max(self.cost, 0.0):.2f} ± {self.apart:.2f}" if math.isfinite(self.apart) else "cost: not known"


@dataclass(frozen=True)
class Turning:
    """A turn in which the expected lead of a seat changed a lot."""

    turn: int  # from 0
    seat: int
    before: float
    after: float

    @property
    def change(self) -> float:
        """By how many points."""
        return self.after - self.before

    @property
    def words(self) -> str:
        """From what to what."""
        return f"{self.before:+.1f} to {self.after:+.1f}".replace("-", "\u2212")


class Appraisal:
    """A game looked at again, as far as that has been done; `crashlab.review(match)` gives it.

    decisions  every Decision in which there was a choice, in their order
    leads      how far each seat was ahead of the average of the others, before the first turn and after each one
    expected   the lead that each could expect then, a little later; with half the width of its interval in `unsure`
    turnings   where that changed most, the greatest change first

        >>> late = crashlab.game("autoscooter", players=2).read({"round": 10, "cars": {"1": "21E2", "2": "23SE2"}})
        >>> match = crashlab.Match(late, "random", seed=3)
        >>> end = match.run()
        >>> found = crashlab.review(match, playouts=20, progress=False)
        >>> len(found.decisions), found.worst(0).cost >= found.best(0).cost
        (4, True)
    """

    def __init__(
        self, told: Summary, decisions: Sequence[Decision], expected: Sequence[Sequence[float]],
        unsure: Sequence[Sequence[float]], done: float = 1.0,
    ) -> None:  # fmt: skip
        self.summary = told
        self.turns: tuple[Turn, ...] = told.turns
        self.decisions = tuple(decisions)
        self.expected, self.unsure = expected, unsure
        self.done = done  # which part of the work
        self.leads = [leads_of(scores) for scores in told.scores]
        self.turnings = tuple(self._turnings())

    @property
    def end(self) -> State:
        """Where the game stands."""
        return self.summary.end

    # What stands out

    def of(self, seat: int) -> tuple[Decision, ...]:
        """The decisions of a seat."""
        found = self.end.game.seat(seat)
        return tuple(decision for decision in self.decisions if decision.seat == found)

    def worst(self, seat: int) -> Decision | None:
        """The decision of a seat that cost most, as far as one can be sure; None if it had no choice."""
        return max(self.of(seat), key=lambda each: (each.sure, each.cost), default=None)

    def best(self, seat: int) -> Decision | None:
        """Of the decisions of a seat that were the best there was, the one after which it gained most."""
        found = self.of(seat)
        right = [each for each in found if each.cost <= TINY]
        if right:
            return max(right, key=self._gain)
        return min(found, key=lambda each: each.cost, default=None)

    def _gain(self, decision: Decision) -> float:
        """What the seat's expected lead rose by in the turn."""
        if decision.turn + 1 >= len(self.expected):
            return 0.0
        return self.expected[decision.turn + 1][decision.seat] - self.expected[decision.turn][decision.seat]

    @cached_property
    def blunders(self) -> tuple[Decision, ...]:
        """The decisions that clearly cost something, the dearest first."""
        return tuple(sorted((each for each in self.decisions if each.is_clear), key=lambda each: -each.sure))

    def lost(self, seat: int) -> float:
        """What those decisions of a seat have cost together that clearly cost something."""
        return math.fsum(decision.cost for decision in self.of(seat) if decision.is_clear)

    def _turnings(self) -> list[Turning]:
        """The greatest changes of what could be expected, of each turn the one of the seat that it hit most."""
        found = []
        for turn, (before, after) in enumerate(pairwise(self.expected)):
            seat = max(range(len(before)), key=lambda seat: abs(after[seat] - before[seat]))
            unsure = math.hypot(self.unsure[turn][seat], self.unsure[turn + 1][seat])
            if abs(after[seat] - before[seat]) > max(unsure, TINY):
                found.append(Turning(turn, seat, before[seat], after[seat]))
        return sorted(found, key=lambda each: -abs(each.change))[:MOST]

    # Why

    def course(self, decision: Decision) -> tuple[Turn, ...]:
        """What came after a decision, with its own turn, to the end of the round."""
        first = self.turns[decision.turn]
        found = [first]
        for turn in self.turns[decision.turn + 1 : decision.turn + LONGEST]:
            if rounds(turn.before) > rounds(first.before):
                break
            found.append(turn)
        return tuple(found)

    def better(self, decision: Decision) -> tuple[Turn, ...]:
        """The same with the best action, with the same luck and all that was done next, as far as that can be done."""
        course = self.course(decision)
        done = {**course[0].actions, decision.seat: decision.best}
        found = [course[0].before.play_codes({seat: action.code for seat, action in done.items()}, trace=True)]
        for turn in course[1:]:
            state = found[-1].after
            if state.actors == (CHANCE,):
                found.append(state.play())
                continue
            words = {seat: str(action) for seat, action in turn.actions.items()}
            if set(words) != set(state.actors) or any(state.refusal(seat, word) for seat, word in words.items()):
                break
            found.append(state.play(words))
        return tuple(found)

    def why(self, decision: Decision) -> str:
        """What came of a decision, and what would have come of the best one, in one line."""
        seat = decision.seat
        came = telling(self.course(decision), seat)
        if decision.action == decision.best:
            return came.words or "nothing came of it at once"
        other = telling(self.better(decision), seat)
        if came.words != other.words:
            return f"it came to this: {came.words or NOTHING}; instead: {other.words or NOTHING}"
        later = telling(self._after(decision), seat)
        where = f"it shows later: {later.words}" if later.change < 0 else "it shows in where the pieces stand"
        return f"at once the same comes of both ({came.words or NOTHING}); {where}"

    def _after(self, decision: Decision) -> tuple[Turn, ...]:
        """What came after the round of a decision, as long as it can be a matter of it."""
        begin = decision.turn + len(self.course(decision))
        return self.turns[begin : begin + DECISIONS]

    def reason(self, turning: Turning) -> str:
        """Why it turned: who erred, or what happened."""
        words = telling([self.turns[turning.turn]], turning.seat).words
        erred = [each for each in self.blunders if each.turn == turning.turn]
        sign = 1 if turning.change > 0 else -1
        for decision in erred:
            if (decision.seat == turning.seat) == (sign < 0):
                name = self.end.game.seat_name(decision.seat)
                price = f"{name} {decision.action} {decision.price}, better {decision.best}"
                return f"{price}: {words}" if words else price
        return words or ("luck" if CHANCE in self.turns[turning.turn].actions else "by what is planned, or stands now")

    # In words

    @property
    def note(self) -> str:
        """What the numbers are."""
        part = "" if self.done >= 1 else f" So far {self.done:.0%} of the work is done."
        return (
            "A cost is how many points a seat's expected lead is less than with the best action, judged by what the"
            " seat saw. It is exact where the end can be solved; else careful playouts with the same luck for every"
            f" action tell it, {DECISIONS} decisions far, with an interval that holds in 95 of 100 cases.{part}"
        )

    def moment(self, turn: int, seat: int) -> str:
        """When a turn was played; with the number of the decision, where a seat has several at that time."""
        time = when(self.summary, turn)
        near = range(max(turn - LONGEST, 0), min(turn + LONGEST, len(self.turns)))
        same = [each for each in near if seat in self.turns[each].actions and when(self.summary, each) == time]
        return f"{time}, decision {turn + 1}" if len(same) > 1 else time

    def line(self, decision: Decision) -> str:
        """A decision in words."""
        name = self.end.game.seat_name(decision.seat)
        instead = "" if decision.action == decision.best else f"; better {decision.best}"
        return f"{self.moment(decision.turn, decision.seat)}, {name} {decision.action}: {decision.price}{instead}"

    def turning_line(self, turning: Turning) -> str:
        """A turning point in words."""
        name = self.end.game.seat_name(turning.seat)
        return f"{self.moment(turning.turn, turning.seat)}, {name} from {turning.words}"

    def highlight(self, turning: Turning) -> Highlight:
        """A turning point as a moment, at the event that tells most of it."""
        turn = self.turns[turning.turn]
        told = telling([turn], turning.seat).event
        kind = f"{when(self.summary, turning.turn)}: {self.end.game.seat_name(turning.seat)} {turning.words}"
        return Highlight(kind, turning.turn, told, self.reason(turning))

    def __str__(self) -> str:
        lines = [f"{self.end.game.title}: {result(self.summary)}."]
        for seat in self.end.game.seats:
            lines.append(f"{self.end.game.seat_name(seat)}: {self._seat_words(seat)}")
        lines += ["", "Turning points"] if self.turnings else []
        lines += [f"  {n} {self.turning_line(each)}: {self.reason(each)}" for n, each in enumerate(self.turnings, 1)]
        lines += ["", "What cost most"] if self.blunders else ["", "No decision clearly cost anything."]
        lines += [f"  {self.line(each)}. {capital(self.why(each))}" for each in self.blunders[:MOST]]
        return "\n".join([*lines, "", self.note])

    def _seat_words(self, seat: int) -> str:
        """How a seat played, in words."""
        if not self.of(seat):
            return "nothing to decide."
        count = counted(len(self.of(seat)), "decision")
        lost = f"{self.lost(seat):.1f} points clearly lost"
        return f"{count}, {lost}; best: {self._best_words(seat)}; worst: {self._worst_words(seat)}."

    def __repr__(self) -> str:
        return f"<Appraisal of {self.end.game.title}: {len(self.decisions)} decisions, {len(self.blunders)} mistakes>"

    # On paper

    def picture(self) -> Picture:
        """The leads, and the leads that could be expected, with the turning points on both."""
        left, top, wide, high = CHART
        game, clock = self.end.game, time_line(self.summary)
        shapes: list[Shape] = [
            Polygon(((0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)), "panel"),
            Text(left, 26, f"{game.title}: {result(self.summary)}", 22, "ink", "left", bold=True),
        ]
        titles = "Lead", f"Lead to expect, {DECISIONS} decisions on"
        for place, (title, rows) in enumerate(zip(titles, (self.leads, self.expected), strict=True)):
            drawn = curves(self._curves(rows), len(self.turns), (wide, high), title, clock[0], along=clock[1], base=0)
            shapes += placed(Piece("", left + place * (wide + GAP), top, drawn.board))
        for number, turning in enumerate(self.turnings, 1):
            for x, y in self.places(turning):
                shapes += badge(x, y, number)
        words = f"{game.title}: {result(self.summary)}. " + " ".join(
            f"Turning point {number}: {self.turning_line(each)}." for number, each in enumerate(self.turnings, 1)
        )
        return Picture(WIDTH, HEIGHT, tuple(shapes), (), words, colours=self.end.picture().colours)

    def _curves(self, rows: Sequence[Sequence[float]]) -> list[Curve]:
        """A curve for each seat."""
        game, table = self.end.game, self.end.table
        return [
            Curve(game.seat_name(seat), game.look.seat_paint(table, seat), [row[seat] for row in rows])
            for seat in game.seats
        ]

    def places(self, turning: Turning) -> list[tuple[float, float]]:
        """Where the number of a turning point stands on either chart."""
        left, top, wide, _ = CHART
        right = Scale(0, max(len(self.turns), 1), left + 40, left + wide - 30)
        x = right(turning.turn + 1)
        before = self.turnings[: self.turnings.index(turning)]
        stacked = sum(abs(x - right(each.turn + 1)) < 2 * RADIUS for each in before)
        y = top + 40 + (2 * RADIUS + 1) * stacked
        return [(x, y), (x + wide + GAP, y)]

    def turn_at(self, x: float, y: float) -> int | None:
        """The turn that a point of the picture is about, on either chart; None beside them."""
        left, top, wide, high = CHART
        along = Scale(left + 40, left + wide - 30, 0, len(self.turns))(x - (wide + GAP) * (x > left + wide))
        return round(min(max(along, 1), len(self.turns))) - 1 if top < y < top + high and left < x < WIDTH else None

    def svg(self, theme: str = "light", scale: float = 1.0) -> str:
        """The curves as SVG."""
        from crashlab.stage import svg

        return svg.paint(self.picture(), theme, scale)

    def save(self, path: str | Path) -> None:
        """Write it to a file: .html is one page with everything, .txt the words."""
        target = files.whole_path(path)
        if target.suffix.lower() not in (".html", ".txt"):
            raise CrashlabError(f"{shown(str(path))}: a review is saved as .html or as .txt")
        files.write(target, self.page().encode() if target.suffix.lower() == ".html" else f"{self}\n".encode())

    def page(self) -> str:
        """A page of HTML that needs nothing else: the curves, the words, and a picture of what cost most."""
        title = escape(f"{self.end.game.title}: {result(self.summary)}")
        return (
            f"<!doctype html>\n<html lang='en'><head><meta charset='utf-8'><title>{title}</title>"
            f"<meta name='viewport' content='width=device-width'><style>{STYLE}</style></head>"
            f"<body><h1>{title}</h1>{self._repr_html_()}{''.join(map(self._scene, self._told))}</body></html>\n"
        )

    @property
    def _told(self) -> list[Decision]:
        """The decisions that are shown in pictures."""
        return list(self.blunders[:MOST])

    def _repr_html_(self) -> str:
        from crashlab.stage import svg

        drawn = svg.paint(self.picture(), "light", 1.0)
        return f"<div class='crashlab-review'>{drawn}{self.tables()}<p>{escape(self.note)}</p></div>"

    def tables(self) -> str:
        """Turning points, what cost most, and every seat, as tables."""
        turnings = [
            (str(number), self.turning_line(each), self.reason(each)) for number, each in enumerate(self.turnings, 1)
        ]
        blunders = [(self.line(each), self.why(each)) for each in self.blunders[:MOST]]
        return (
            table("Turning points", ("", "when, and the lead to expect", "why"), turnings)
            + table("What cost most", ("decision", "why"), blunders)
            + self.seat_table()
        )

    def seat_table(self) -> str:
        """How every seat played, as a table."""
        name = self.end.game.seat_name
        rows = [
            (name(seat), f"{self.lost(seat):.1f}", self._best_words(seat), self._worst_words(seat))
            for seat in self.end.game.seats
            if self.of(seat)
        ]
        return table("Seat by seat", ("seat", "points clearly lost", "best", "worst"), rows)

    def _best_words(self, seat: int) -> str:
        best = self.best(seat)
        return self.line(best) if best else ""

    def _worst_words(self, seat: int) -> str:
        worst = self.worst(seat)
        return self.line(worst) if worst and worst.is_clear else "no clear mistake"

    def _scene(self, decision: Decision) -> str:
        """A decision in pictures: what was played beside what would have been better."""
        from crashlab.stage import svg

        films = {"Played": (decision.action, self.course(decision)), "Better": (decision.best, self.better(decision))}
        parts = "".join(
            f"<figure><figcaption><b>{head}: {escape(str(action))}</b></figcaption>"
            f"{svg.paint(film.summary(cut(turns)), 'light', 1.0)}</figure>"
            for head, (action, turns) in films.items()
        )
        return f"<h2>{escape(self.line(decision))}</h2><p>{escape(capital(self.why(decision)))}.</p><div>{parts}</div>"


STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:1060px;margin:0 auto;padding:0 16px;color:#1a1a1a;"
    "background:#fff}svg{max-width:100%;height:auto}table{border-collapse:collapse;width:100%}"
    "th,td{text-align:left;vertical-align:top;padding:4px 14px 4px 0;border-bottom:1px solid #ddd}"
    "h1{font-size:24px}h2{font-size:18px;margin-top:32px}figure{display:inline-block;width:48%;margin:0 1% 0 0}"
    "@media(max-width:700px){figure{width:100%}}"
)


def table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table with a title; nothing, if it is empty."""
    if not rows:
        return ""
    first = "".join(f"<th>{escape(words)}</th>" for words in head)
    lines = "".join("<tr>" + "".join(f"<td>{escape(words)}</td>" for words in row) + "</tr>" for row in rows)
    look = "margin:12px 0 4px;font-size:16px"
    return f"<h3 style='{look}'>{escape(title)}</h3><table><tr>{first}</tr>{lines}</table>"


def leads_of(scores: Sequence[float]) -> list[float]:
    """How far each seat is ahead of the average of the others."""
    others = max(len(scores) - 1, 1)
    return [score - (sum(scores) - score) / others for score in scores]


class Telling(NamedTuple):
    """The event that says most about how a seat fared, in its turn, and by how many points its lead changed there."""

    change: float
    event: int
    words: str


def telling(turns: Sequence[Turn], seat: int) -> Telling:
    """The event of the beat that changed a seat's lead most, a crash first; no words if nothing changed it."""
    found = Telling(0.0, 0, "")
    for turn in turns:
        leads = [leads_of(turn.at(beat).scores)[seat] for beat in range(turn.beats + 1)]
        for beat, (before, after) in enumerate(pairwise(leads), 1):
            if abs(after - before) > abs(found.change):
                event = event_of(turn, beat, seat)
                found = Telling(after - before, event, turn.events[event].text)
    name = turns[0].before.game.seat_name(seat) if turns else ""
    gain = f"{found.change:+.1f}".replace("-", "\u2212")
    return found._replace(words=f"{found.words} ({name} {gain})") if found.words else found


def event_of(turn: Turn, beat: int, seat: int) -> int:
    """The event that changed a seat's lead most in a beat: the crash that it came from, if there was one."""
    game, table = turn.before.game, turn.at(beat - 1).table.copy()
    changes: dict[int, float] = {}
    before = leads_of(turn.at(beat - 1).scores)[seat]
    for place, row in enumerate(turn.rows):
        if row.beat == beat:
            replay(table, [row])
            after = leads_of([game.rules.score(table, each) for each in game.seats])[seat]
            changes[place] = abs(after - before)
            before = after
    return crash_behind(turn, max(changes, key=changes.__getitem__))


def crash_behind(turn: Turn, place: int) -> int:
    """The nearest crash in the chain of causes of an event; the event, if there is none."""
    here = place
    while here != NOWHERE:
        if is_crash(turn, turn.rows[here]):
            return here
        here = turn.rows[here].cause
    return place


def rounds(state: State) -> int:
    """How many rounds have begun."""
    return state.game.ask.rounds(state.table)


def capital(words: str) -> str:
    """A sentence begins with a capital letter."""
    return f"{words[:1].upper()}{words[1:]}"
