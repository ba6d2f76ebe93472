"""The result of a review: the costs of decisions, the turning points, and the reasons."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from crashlab.agents.base import leads_of
from crashlab.analysis.action_values import DECISIONS
from crashlab.analysis.review.causes import LAPS, Reasons, happenings, signed
from crashlab.base import files
from crashlab.base.errors import require, short_repr
from crashlab.base.statistics import plus_minus
from crashlab.drawing import html, story, svg
from crashlab.drawing.charts import Curve, Scale, curves
from crashlab.drawing.html import Html, element, joined
from crashlab.drawing.shapes import Picture, Piece, Polygon, Shape, Text, placed, rectangle
from crashlab.engine.game import Action, State, Turn
from crashlab.engine.notation import capital, counted
from crashlab.engine.table import CHANCE
from crashlab.engine.turn_film import story_of
from crashlab.play.summary import HEIGHT, RADIUS, WIDTH, Highlight, Summary, badge, result, time_line, when

CHART = 18.0, 48.0, 476.0, 300.0  # left, top, width, height of the left chart
HEAD = 36.0  # height of the title above the charts
GAP = 12.0
LONGEST = 40  # most turns of a round to follow
MOST = 6  # most decisions and turning points described
TINY = 0.005  # smaller values are shown as 0.00


@dataclass(frozen=True)
class JudgedDecision:
    """A decision of a seat, judged by its view.

    cost        the value of the best action minus the value of the action played, in points
    half_width  half the width of the 95 % interval of the cost; 0 if exact
    value       the value of the best action: the seat's expected lead
    second      the next best action, if known
    ahead       a lower bound of the best action's advantage over `second`; 0 if not certain
    """

    turn: int  # from 0
    action: Action
    best: Action
    value: float
    cost: float
    half_width: float
    exact: bool
    second: Action | None = None
    ahead: float = 0.0

    @property
    def seat(self) -> int:
        """The deciding seat."""
        return self.action.seat

    @property
    def is_clear(self) -> bool:
        """Whether the cost is significant."""
        return self.cost > max(self.half_width, TINY)

    @property
    def price(self) -> str:
        """The cost in words."""
        if self.action == self.best:
            return "the best action"
        if self.exact:
            return f"cost {self.cost:.2f}, exactly"
        is_known = math.isfinite(self.half_width)
        return f"cost {max(self.cost, 0.0):.2f} {plus_minus(self.half_width)}" if is_known else "cost unknown"


@dataclass(frozen=True)
class Turning:
    """A turning point: a turn with a large change of a seat's expected lead."""

    turn: int  # from 0
    seat: int
    before: float
    after: float

    @property
    def change(self) -> float:
        """The change of the expected lead, in points."""
        return self.after - self.before

    @property
    def words(self) -> str:
        """The expected leads before and after, as text."""
        return f"{self.before:+.1f} to {self.after:+.1f}".replace("-", "\u2212")


class Appraisal:
    """The review of a game, as far as it is complete; the result of `crashlab.review(match)`.

    decisions  all decisions with a choice, in order
    leads      the lead of each seat over the average of the others, before the first turn and after each one
    expected   the expected leads of all seats at these moments; `half_widths` has half the widths of their intervals
    turnings   the turning points, the largest change first

        >>> late = crashlab.game("autoscooter", players=2).read({"round": 10, "cars": {"1": "21E2", "2": "23SE2"}})
        >>> match = crashlab.Match(late, "random", seed=3)
        >>> end = match.run()
        >>> appraisal = crashlab.review(match, seconds=None, playouts=20, progress=False)
        >>> len(appraisal.decisions), appraisal.worst(0).cost >= appraisal.best(0).cost
        (4, True)
    """

    def __init__(
        self,
        summary: Summary,
        decisions: Sequence[JudgedDecision],
        expected: Sequence[Sequence[float]],
        half_widths: Sequence[Sequence[float]],
        done: float = 1.0,
        reasons: Reasons | None = None,
        left: int = 0,
        sampled: Mapping[int, tuple[Sequence[float], Sequence[float]]] | None = None,
    ) -> None:
        self.summary = summary
        self.turns: tuple[Turn, ...] = summary.turns
        self.decisions = tuple(decisions)
        self.expected, self.half_widths = expected, half_widths
        self.done = done  # completed share of the work
        self.reasons = reasons or Reasons(self.turns)
        self.left = left  # number of decisions skipped for lack of time
        # by moment: leads and half-widths from playouts, also for the first moment with an exact value
        self.sampled = sampled or {}
        self.leads = [leads_of(scores) for scores in summary.scores]
        self.turnings = tuple(self._turnings())

    @property
    def end(self) -> State:
        """The last state."""
        return self.summary.end

    # Highlights

    def of(self, seat: int) -> tuple[JudgedDecision, ...]:
        """Return the decisions of a seat."""
        actor = self.end.game.seat(seat)
        return tuple(decision for decision in self.decisions if decision.seat == actor)

    def worst(self, seat: int) -> JudgedDecision | None:
        """Return the costliest decision of a seat, preferably a significant one; None without choices."""
        return max(self.of(seat), key=lambda decision: (decision.is_clear, decision.cost), default=None)

    def best(self, seat: int) -> JudgedDecision | None:
        """Return the best decision of a seat without a significant cost, or None.

        A best action is preferred, then the largest certain advantage over the next best action, then the largest gain.
        """

        def gain(decision: JudgedDecision) -> float:  # increase of the expected lead in the turn
            early, *late = self.expected[decision.turn : decision.turn + 2]
            return late[0][decision.seat] - early[decision.seat] if late else 0.0

        right = [one for one in self.of(seat) if not one.is_clear and math.isfinite(one.half_width)]
        return max(right, key=lambda one: (one.action == one.best, one.ahead, gain(one)), default=None)

    @cached_property
    def blunders(self) -> tuple[JudgedDecision, ...]:
        """The decisions with a significant cost, the costliest first."""
        clear = (decision for decision in self.decisions if decision.is_clear)
        return tuple(sorted(clear, key=lambda decision: -decision.cost))

    def lost(self, seat: int) -> float:
        """Return the total cost of a seat's blunders."""
        return math.fsum(decision.cost for decision in self.of(seat) if decision.is_clear)

    def _turnings(self) -> list[Turning]:
        """Return the largest changes of expected leads, at most one per turn.

        Values from playouts are not compared with exact values. If all seats played exactly solved best actions and
        chance played no part, a turn is not a turning point: the change comes only from simultaneous plans, which no
        seat knew.
        """
        turnings = []
        values = list(zip(self.expected, self.half_widths, strict=True))
        for turn, (early, late) in enumerate(pairwise(values)):
            before, after = early[0], late[0]
            if any(early[1]) and turn + 1 in self.sampled:
                after, late = self.sampled[turn + 1][0], self.sampled[turn + 1]
            decisions = [decision for decision in self.decisions if decision.turn == turn]
            is_faultless = decisions and all(decision.exact and decision.cost <= TINY for decision in decisions)
            if is_faultless and CHANCE not in self.turns[turn].actions:
                continue
            seat = max(range(len(before)), key=lambda seat: abs(after[seat] - before[seat]))
            half = math.hypot(early[1][seat], late[1][seat])
            if abs(after[seat] - before[seat]) > max(half, TINY):
                turnings.append(Turning(turn, seat, before[seat], after[seat]))
        return sorted(turnings, key=lambda turning: -abs(turning.change))[:MOST]

    # Reasons

    def course(self, decision: JudgedDecision) -> tuple[Turn, ...]:
        """Return the turns from a decision to the end of the round."""
        return self._round(decision.turn)

    def _round(self, begin: int) -> tuple[Turn, ...]:
        """Return the turns from `begin` to the end of the round."""
        first = self.turns[begin]
        turns = [first]
        for turn in self.turns[begin + 1 : begin + LONGEST]:
            if rounds(turn.before) > rounds(first.before):
                break
            turns.append(turn)
        return tuple(turns)

    def better(self, decision: JudgedDecision) -> tuple[Turn, ...]:
        """Replay `course(decision)` with the best action for this decision.

        The luck stays the same; the later actions are repeated as long as they are legal.
        """
        course = self.course(decision)
        done = {**course[0].actions, decision.seat: decision.best}
        turns = [course[0].before.play_codes({seat: action.code for seat, action in done.items()}, trace=True)]
        for turn in course[1:]:
            state = turns[-1].after
            if state.actors == (CHANCE,):
                turns.append(state.play())
                continue
            words = {seat: str(action) for seat, action in turn.actions.items()}
            if set(words) != set(state.actors) or any(state.refusal(seat, word) for seat, word in words.items()):
                break
            turns.append(state.play(words))
        return tuple(turns)

    def why(self, decision: JudgedDecision, ends: float = math.inf) -> str:
        """Explain the cost of a decision, or why it was the best, in one line, from playouts of both actions.

        `ends` is the time limit, as a value of `time.perf_counter`.
        """
        turn, seat, code = decision.turn, decision.seat, decision.best.code
        if decision.action != decision.best:
            words = self.reasons.words(seat, self.reasons.of_action(turn, seat, code, [decision.action.code], ends))
            parts = [f"after {decision.best} {words}"] if words else []
            return "; ".join([*parts, *self._here(decision)]) or "no single kind of event stands out"
        if decision.second is None:
            return ""
        others = [other for other in self.turns[turn].before.actions(seat).codes if other != code]
        for rivals, name in (([decision.second.code], str(decision.second)), (others, "the average of the others")):
            if differences := self.reasons.of_action(turn, seat, code, rivals, ends):
                return f"against {name}, {self.reasons.words(seat, differences)}"
        return "no clear difference from the others"

    def _here(self, decision: JudgedDecision) -> list[str]:
        """Describe the worst event after the action and the best after the better one; empty if they explain little."""
        better = self.better(decision)
        course = self.course(decision)[: len(better)]
        came, instead = (tellings(turns, decision.seat) for turns in (course, better))
        gain = sum(telling.change for telling in instead) - sum(telling.change for telling in came)
        if gain < max(decision.cost / 2, TINY):
            return []
        both = {telling.words for telling in came} & {telling.words for telling in instead}
        losses = [telling for telling in came if telling.change < 0 and telling.words not in both]
        gains = [telling for telling in instead if telling.change > 0 and telling.words not in both]
        name = self.end.game.seat_name(decision.seat)
        return [
            *(f"here {telling.line(name)}" for telling in sorted(losses)[:1]),
            *(f"with {decision.best} {telling.line(name)}" for telling in sorted(gains)[-1:]),
        ]

    def reason(self, turning: Turning, ends: float = math.inf) -> str:
        """Explain a turning point: a mistake, and the main event or else the changed prospects."""
        telling, name = self.event(turning), self.end.game.seat_name
        if telling:
            words = telling.line(name(turning.seat))
        else:
            differences = self.reasons.of_turn(turning.turn, turning.seat, turning.change > 0, ends)
            words = self.reasons.words(turning.seat, differences, turning.change > 0)
        luck = "luck" if CHANCE in self.turns[turning.turn].actions else "no single kind of event stands out"
        erred = [
            f"{name(blunder.seat)} {blunder.action} {blunder.price}, better {blunder.best}"
            for blunder in self.blunders
            if blunder.turn == turning.turn and (blunder.seat == turning.seat) == (turning.change < 0)
        ]
        return "; ".join([*erred[:1], words or luck])

    def event(self, turning: Turning) -> Telling | None:
        """Return the event that contributed most to a turning point; None if it is less than half of the change."""
        sign = 1 if turning.change > 0 else -1
        options = [
            telling for telling in tellings([self.turns[turning.turn]], turning.seat) if telling.change * sign > 0
        ]
        most = max(options, key=lambda telling: abs(telling.change), default=None)
        return most if most and abs(most.change) >= abs(turning.change) / 2 else None

    def scene(self, turning: Turning) -> tuple[Turn, ...]:
        """Return the turns that show a turning point: its own if it has a main event, else the rest of the round."""
        return self._round(turning.turn)[: 1 if self.event(turning) else None]

    @property
    def explained(self) -> list[JudgedDecision]:
        """The decisions to explain: the costliest ones, and the best one of each seat."""
        best = [self.best(seat) for seat in self.end.game.seats]
        return [*self.blunders[:MOST], *(decision for decision in best if decision)]

    # Text

    @property
    def note(self) -> str:
        """A paragraph that explains the numbers."""
        part = "" if self.done >= 1 else f" So far {self.done:.0%} of the work is done."
        if self.left:
            were = "was" if self.left == 1 else "were"
            part += f" {counted(self.left, 'decision')} {were} not examined because the time was up."
        return (
            "The cost of an action is the number of points by which it lowers a seat's expected lead, compared with"
            " the best action and judged by what the seat saw. Costs and expected leads are exact if the end of the"
            f" game can be solved. Otherwise they come from careful playouts, {DECISIONS} decisions ahead and with the"
            " same luck for every action, and have 95 % intervals."
            f" The reasons are events that happen more or less often in {LAPS} playouts of one action than of the"
            " other, with their effect on the lead. A seat is better placed if it can expect more of the points not yet"
            f" scored.{part}"
        )

    def moment(self, turn: int, seat: int) -> str:
        """Describe the time of a turn, with the number of the decision if a seat has several at that time."""
        time = when(self.summary, turn)
        near = range(max(turn - LONGEST, 0), min(turn + LONGEST, len(self.turns)))
        same = [number for number in near if seat in self.turns[number].actions and when(self.summary, number) == time]
        return f"{time}, decision {turn + 1}" if len(same) > 1 else time

    def line(self, decision: JudgedDecision) -> str:
        """Describe a decision in a line, with its cost."""
        name = self.end.game.seat_name(decision.seat)
        instead = "" if decision.action == decision.best else f"; better {decision.best}"
        return f"{self.moment(decision.turn, decision.seat)}, {name} {decision.action}: {decision.price}{instead}"

    def turning_line(self, turning: Turning) -> str:
        """Describe a turning point in a line, with the expected leads."""
        name = self.end.game.seat_name(turning.seat)
        return f"{self.moment(turning.turn, turning.seat)}, {name} from {turning.words}"

    def highlight(self, turning: Turning) -> Highlight:
        """Return a turning point as a highlight at its main event, explained once the review is complete."""
        telling = self.event(turning)
        kind = f"{when(self.summary, turning.turn)}: {self.end.game.seat_name(turning.seat)} {turning.words}"
        words = self.reason(turning) if self.done >= 1 else ""
        return Highlight(kind, turning.turn, telling.event if telling else 0, words)

    def __str__(self) -> str:
        lines = [f"{self.end.game.title}: {result(self.summary)}."]
        lines += [f"{self.end.game.seat_name(seat)}: {self._seat_words(seat)}" for seat in self.end.game.seats]
        lines += ["", "Turning points"] if self.turnings else []
        lines += [f"  {n} {self.turning_line(item)}: {self.reason(item)}" for n, item in enumerate(self.turnings, 1)]
        lines += ["", "The costliest decisions"] if self.blunders else ["", "No decision clearly cost anything."]
        lines += [f"  {self.line(item)}. {capital(self.why(item))}" for item in self.blunders[:MOST]]
        return "\n".join([*lines, "", self.note])

    def _seat_words(self, seat: int) -> str:
        """Describe the play of a seat."""
        if not self.of(seat):
            return "nothing to decide."
        count = counted(len(self.of(seat)), "decision")
        loss = f"{self.lost(seat):.1f} points clearly lost"
        return f"{count}, {loss}; best: {self._best_words(seat)}; worst: {self._worst_words(seat)}."

    def __repr__(self) -> str:
        decisions, mistakes = counted(len(self.decisions), "decision"), counted(len(self.blunders), "mistake")
        return f"<Appraisal of {self.end.game.title}: {decisions}, {mistakes}>"

    # Pictures and pages

    def picture(self, headed: bool = True) -> Picture:
        """Draw the leads and the expected leads with the turning points; with a title if `headed`."""
        left, top, wide, high = CHART
        game, clock = self.end.game, time_line(self.summary)
        shapes: list[Shape] = []
        if headed:
            shapes.append(Text(left, 26, f"{game.title}: {result(self.summary)}", 22, "ink", "left", bold=True))
        titles = "Lead", f"Expected lead, {DECISIONS} decisions on"
        heights = [0.0, *(lead for rows in (self.leads, self.expected) for row in rows for lead in row)]
        bases = min(heights), max(heights)  # common scale of both charts
        for place, (title, rows) in enumerate(zip(titles, (self.leads, self.expected), strict=True)):
            chart = curves(
                self._curves(rows), len(self.turns), (wide, high), title, clock[0], along=clock[1], bases=bases
            )
            shapes += placed(Piece("", left + place * (wide + GAP), top, chart.board))
        for number, turning in enumerate(self.turnings, 1):
            for x, y in self.places(turning):
                shapes += badge(x, y, number)
        words = f"{game.title}: {result(self.summary)}. " + " ".join(
            f"Turning point {number}: {self.turning_line(item)}." for number, item in enumerate(self.turnings, 1)
        )
        up = 0.0 if headed else HEAD
        ground = Polygon(rectangle(0, 0, WIDTH, HEIGHT - up), "panel")
        board = ground, *placed(Piece("", 0, -up, tuple(shapes)))
        return Picture(WIDTH, HEIGHT - up, board, (), words, colours=self.end.picture().colours)

    def _curves(self, rows: Sequence[Sequence[float]]) -> list[Curve]:
        """Return a curve for each seat."""
        game, table = self.end.game, self.end.table
        return [
            Curve(game.seat_name(seat), game.render.seat_paint(table, seat), [row[seat] for row in rows])
            for seat in game.seats
        ]

    def places(self, turning: Turning) -> list[tuple[float, float]]:
        """Return the points at which a turning point's number is drawn on the two charts."""
        left, top, wide, _ = CHART
        right = Scale(0, max(len(self.turns), 1), left + 40, left + wide - 30)
        x = right(turning.turn + 1)
        before = self.turnings[: self.turnings.index(turning)]
        stacked = sum(abs(x - right(earlier.turn + 1)) < 2 * RADIUS for earlier in before)
        y = top + 40 + (2 * RADIUS + 1) * stacked
        return [(x, y), (x + wide + GAP, y)]

    def turn_at(self, x: float, y: float) -> int | None:
        """Return the turn at a point of either chart, or None."""
        left, top, wide, high = CHART
        along = Scale(left + 40, left + wide - 30, 0, len(self.turns))(x - (wide + GAP) * (x > left + wide))
        return round(min(max(along, 1), len(self.turns))) - 1 if top < y < top + high and left < x < WIDTH else None

    def svg(self, theme: str = "light", scale: float = 1.0) -> str:
        """Return the curves as SVG."""
        return svg.paint(self.picture(), theme, scale)

    def save(self, path: str | Path) -> None:
        """Save the review: .html with pictures, .txt for the text."""
        target = files.whole_path(path)
        require(
            target.suffix.lower() in (".html", ".txt"),
            f"{short_repr(str(path))}: a review is saved as .html or as .txt",
        )
        files.write(target, self.page().encode() if target.suffix.lower() == ".html" else f"{self}\n".encode())

    def page(self) -> str:
        """Return a stand-alone HTML page: the curves, the text, and pictures of the costliest decisions."""
        title = f"{self.end.game.title}: {result(self.summary)}"
        scenes = map(self._scene, self.blunders[:MOST])
        return html.page(title, STYLE, element("h1", title), self._body(headed=False), *scenes)

    def _repr_html_(self) -> str:
        return self._body(headed=True)

    def _body(self, headed: bool) -> Html:
        """Return the HTML of the curves and the text."""
        image = Html(svg.paint(self.picture(headed), "light", 1.0))
        return element("div", image, self.tables(), element("p", self.note), class_="crashlab-review")

    def tables(self) -> Html:
        """Return the tables of turning points, costliest decisions and seats."""
        turnings = [
            (str(number), self.turning_line(item), self.reason(item)) for number, item in enumerate(self.turnings, 1)
        ]
        blunders = [(self.line(item), self.why(item)) for item in self.blunders[:MOST]]
        return joined(
            (
                table("Turning points", ("", "time and expected lead", "why"), turnings),
                table("The costliest decisions", ("decision", "why"), blunders),
                self.seat_table(),
            )
        )

    def seat_table(self) -> Html:
        name = self.end.game.seat_name
        rows = [
            (name(seat), f"{self.lost(seat):.1f}", self._best_words(seat), self._worst_words(seat))
            for seat in self.end.game.seats
            if self.of(seat)
        ]
        return table("Seat by seat", ("seat", "points clearly lost", "best", "worst"), rows)

    def _best_words(self, seat: int) -> str:
        best = self.best(seat)
        if best is None:
            return "no decision without a clear cost"
        why = self.why(best)
        return f"{self.line(best)}. {capital(why)}" if why else self.line(best)

    def _worst_words(self, seat: int) -> str:
        worst = self.worst(seat)
        return self.line(worst) if worst and worst.is_clear else "no clear mistake"

    def _scene(self, decision: JudgedDecision) -> Html:
        """Return the pictures of a decision: the action played beside the better one."""
        films = {"Played": (decision.action, self.course(decision)), "Better": (decision.best, self.better(decision))}
        figures = (
            element(
                "figure",
                element("figcaption", element("b", f"{head}: {action}")),
                Html(svg.paint(story.summary(story_of(turns)), "light", 1.0)),
            )
            for head, (action, turns) in films.items()
        )
        why = element("p", f"{capital(self.why(decision))}.")
        return joined([element("h2", self.line(decision)), why, element("div", *figures)])


STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:1060px;margin:0 auto;padding:0 16px;color:#1a1a1a;"
    "background:#fff}svg{max-width:100%;height:auto}table{border-collapse:collapse;width:100%}"
    "th,td{text-align:left;vertical-align:top;padding:4px 14px 4px 0;border-bottom:1px solid #ddd}"
    "h1{font-size:24px}h2{font-size:18px;margin-top:32px}figure{display:inline-block;width:48%;margin:0 1% 0 0}"
    "@media(max-width:700px){figure{width:100%}}"
)


def table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> Html:
    """Return a table with a title, styled for pages and notebooks; empty without rows."""
    if not rows:
        return Html()
    cell = "text-align:left;vertical-align:top;line-height:1.4;white-space:normal"
    return joined([element("h3", title, style="margin:12px 0 4px;font-size:16px"), html.table(head, rows, cell)])


class Telling(NamedTuple):
    """An event that changed a seat's lead: the change in points, the turn, the event's index in the turn, its text."""

    change: float
    turn: int
    event: int
    words: str

    def line(self, name: str) -> str:
        """Describe the event and its change."""
        return f"{self.words} ({name} {signed(self.change)})"


def tellings(turns: Sequence[Turn], seat: int) -> list[Telling]:
    """Return all events of turns that changed a seat's lead."""
    return [
        Telling(event.points(seat), number, event.place, event.words(seat))
        for number, turn in enumerate(turns)
        for event in happenings(turn.before.game, turn.before.table, turn.rows)
        if event.points(seat)
    ]


def rounds(state: State) -> int:
    """Return the number of rounds started."""
    return state.game.ui.rounds(state.table)
