"""Summaries of games: the result, the curves of the scores, and highlights.

In every game, a crash is a note with a number that the rulebook calls `hit` or `met`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter
from typing import TYPE_CHECKING

from crashlab.base.errors import require
from crashlab.drawing.charts import Curve, Scale, curves, ticks
from crashlab.drawing.page_layout import lines
from crashlab.drawing.shapes import Circle, Picture, Piece, Point, Polygon, Shape, Text, placed, rectangle
from crashlab.drawing.sheet import Sheet
from crashlab.engine import next_decision
from crashlab.engine.game import State, Turn, names_of
from crashlab.engine.notation import capital, together
from crashlab.engine.table import NOTE, NOWHERE

if TYPE_CHECKING:
    from crashlab.engine.rulebook import Rulebook

WIDTH, HEIGHT = 1000.0, 372.0
CHART = 18.0, 58.0, 600.0, 300.0  # left, top, width, height of the chart
LIST = 636.0  # left edge of the list of highlights
RADIUS = 11.0  # radius of the circle with a highlight's number
CRASHES = {"hit", "met"}
CLOCKS = ("round", "turn")  # facts that measure time, preferred ones first


@dataclass(frozen=True)
class Highlight:
    """A highlight: its kind, the index of its turn, the number of its event (0 for a whole turn), and its text."""

    kind: str
    turn: int
    event: int
    words: str


class Summary(Sheet):
    """The summary of a finished or running game; `moments` are its highlights."""

    def __init__(
        self, turns: Sequence[Turn], winners: Sequence[int] | None = None, forfeits: Collection[int] = ()
    ) -> None:
        require(turns, "there is nothing to sum up: nobody has played yet")
        self.turns = tuple(turns)
        self.end: State = self.turns[-1].after
        self.winners = self.end.winners if winners is None else tuple(winners)
        self.forfeits = tuple(sorted(forfeits))  # forfeited seats
        self.scores = (self.turns[0].before.scores, *(turn.after.scores for turn in self.turns))
        self.moments = (*swing(self), *crashes(self), *decision(self))  # each may be missing
        super().__init__(drawing(self))


# The result


def result(summary: Summary) -> str:
    """Describe the result: winners, scores, lead and forfeits."""
    game = summary.end.game
    losers = together([game.seat_name(seat) for seat in summary.forfeits])
    forfeit = f"; {losers} {'has' if len(summary.forfeits) == 1 else 'have'} forfeited" if losers else ""
    names = [game.seat_name(seat) for seat in summary.winners]
    if not names:
        scores = ", ".join(f"{game.seat_name(seat)} {score}" for seat, score in enumerate(summary.end.scores))
        return f"So far: {scores}{forfeit}"
    best = summary.end.scores[summary.winners[0]]
    others = [score for seat, score in enumerate(summary.end.scores) if seat not in summary.winners]
    lead = f", {best - max(others)} ahead" if others and best > max(others) else ""
    return f"{together(names)} {'wins' if len(names) == 1 else 'win'} with {best}{lead}{forfeit}"


# Highlights


def swing(summary: Summary) -> Iterator[Highlight]:
    """Yield a highlight for the turn with the largest swing of scores, unless all swings above 0 are equal."""
    swings = [moved(before, after) for before, after in pairwise(summary.scores)]
    if len(set(swings) - {0}) > 1:
        turn = swings.index(max(swings))
        yield Highlight("Largest swing", turn, 0, changes(summary, turn))


def moved(before: Sequence[int], after: Sequence[int]) -> int:
    """Return the swing between two tuples of scores: the largest gain of a seat minus the smallest."""
    gains = [late - early for early, late in zip(before, after, strict=True)]
    return max(gains) - min(gains)


def changes(summary: Summary, turn: int) -> str:
    """Describe the changes of scores in a turn."""
    game = summary.end.game
    gains = zip(summary.scores[turn], summary.scores[turn + 1], strict=True)
    moves = [(seat, after - before) for seat, (before, after) in enumerate(gains) if after != before]
    return ", ".join(f"{game.seat_name(seat)} {gain:+d}" for seat, gain in moves).replace("-", "\u2212")


def crashes(summary: Summary) -> Iterator[Highlight]:
    """Yield highlights for the crash that changes scores most and for the last crash of the longest chain.

    In a tie, the crash with more consequences is chosen. A chain has at least two crashes.
    """
    biggest = (0, 0), 0, NOWHERE
    longest = 1, 0, NOWHERE
    for number, turn in enumerate(summary.turns):
        for place, deep in enumerate(depths(turn)):
            if is_crash(turn.before.game.rulebook, turn.rows[place]):
                longest = max(longest, (deep, number, place), key=itemgetter(0))
                biggest = max(biggest, (weight(turn, place), number, place), key=itemgetter(0))
    for kind, (_, number, place) in (("Biggest crash", biggest), ("Longest chain", longest)):
        if place != NOWHERE:
            words = summary.turns[number].events[place].text
            lead = f"{longest[0]} crashes, the last one: " if kind == "Longest chain" else ""
            yield Highlight(kind, number, place, lead + words if lead else capital(words))


def depths(turn: Turn) -> list[int]:
    """Return the number of crashes in the chain of causes of each event, the event itself included."""
    deep: list[int] = []
    for row in turn.rows:
        deep.append((0 if row.cause == NOWHERE else deep[row.cause]) + is_crash(turn.before.game.rulebook, row))
    return deep


def is_crash(book: Rulebook, row: tuple[int, ...]) -> bool:
    """Return whether an event is a crash."""
    _, rule, _, kind, *_ = row
    return kind == NOTE and not CRASHES.isdisjoint(book[rule].numbers)


def crash_behind(book: Rulebook, rows: Sequence[tuple[int, ...]], place: int) -> int:
    """Return the nearest crash in the chain of causes of an event, or the event itself; NOWHERE if there is none."""
    while place != NOWHERE and not is_crash(book, rows[place]):
        place = rows[place][2]
    return place


def weight(turn: Turn, place: int) -> tuple[int, int]:
    """Return the swing of scores caused by an event, and the number of events that follow from it, itself included."""
    follows = {place}
    last = turn.rows[place].beat
    for number, row in enumerate(turn.rows):
        if row.cause in follows:
            follows.add(number)
            last = max(last, row.beat)
    before = turn.at(max(turn.rows[place].beat - 1, 0)).scores
    return moved(before, turn.at(last).scores), len(follows)


def decision(summary: Summary) -> Iterator[Highlight]:
    """Yield a highlight for the turn after which the winners always led, if such a turn exists."""
    if not summary.winners:
        return
    states = (summary.turns[0].before, *(turn.after for turn in summary.turns))
    leading = len(states)
    while leading and leaders(states[leading - 1]) == summary.winners:
        leading -= 1
    if 0 < leading < len(states):
        game = summary.end.game
        names = [game.seat_name(seat) for seat in summary.winners]
        what = "takes the lead for good" if len(names) == 1 else "share the lead to the end"
        yield Highlight("Decided", leading - 1, 0, f"{together(names)} {what}")


def leaders(state: State) -> tuple[int, ...]:
    """Return the seats that would win if the game ended here."""
    return next_decision.seats_of(state.game.rules.winners(state.table))


# The picture


def drawing(summary: Summary) -> Picture:
    """Draw the result, the curves of the scores, and the highlights with their numbers on the curves."""
    left, top, wide, high = CHART
    game = summary.end.game
    table = summary.end.table
    score_lines = [
        Curve(game.seat_name(seat), game.render.seat_paint(table, seat), [scores[seat] for scores in summary.scores])
        for seat in game.seats
    ]
    clock, along = time_line(summary)
    chart = curves(score_lines, len(summary.turns), (wide, high), "Scores", clock, along=along)
    shapes: list[Shape] = [
        Polygon(rectangle(0, 0, WIDTH, HEIGHT), "panel"),
        Text(left, 30, f"{game.title}: {result(summary)}", 24, "ink", "left", bold=True),
        *placed(Piece("", left, top, chart.board)),
    ]
    for number, (moment, spots) in enumerate(zip(summary.moments, places(summary), strict=True), 1):
        for spot in spots:
            shapes += badge(*spot, number)
        x, y = spots[-1][0] + 22, spots[-1][1]
        shapes.append(Text(x, y, f"{moment.kind}, {when(summary, moment.turn)}", 17, "ink", "left", bold=True))
        for n, line in enumerate(lines(moment.words, WIDTH - x - 20, 15), 1):
            shapes.append(Text(x, y + 20 * n, line, 15, "ink", "left"))
    words = [f"{moment.kind}, {when(summary, moment.turn)}: {moment.words}." for moment in summary.moments]
    in_words = "\n".join([f"{game.title}: {result(summary)}.", *words])
    return Picture(WIDTH, HEIGHT, tuple(shapes), (), in_words, colours=summary.end.picture().colours)


def places(summary: Summary) -> list[tuple[Point, Point]]:
    """Return the two points at which each highlight's number is drawn: above the curves and in the list."""
    left, top, wide, _ = CHART
    right = Scale(0, max(len(summary.turns), 1), left + 40, left + wide - 30)
    pairs: list[tuple[Point, Point]] = []
    low = top + 16
    for moment in summary.moments:
        x = right(moment.turn + 1)
        level = sum(abs(x - above[0]) < 2 * RADIUS for above, _ in pairs)
        pairs.append(((x, top + 16 + (2 * RADIUS + 1) * level), (LIST + 12, low)))
        low += 32 + 20 * len(lines(moment.words, WIDTH - LIST - 54, 15))
    return pairs


def badge(x: float, y: float, number: int) -> tuple[Shape, ...]:
    """Draw the number of a highlight."""
    return Circle(x, y, RADIUS, "flash", "flash edge", 1.5), Text(x, y, str(number), 15, "flash ink", bold=True)


def clock_of(state: State) -> str:
    """Return the name of the game's measure of time, or an empty string."""
    return next((name for name in CLOCKS if name in names_of(state.game.position.Facts)), "")


def when(summary: Summary, turn: int) -> str:
    """Describe the time of a turn, such as "round 3", or "decision 3" in a game without a clock."""
    clock = clock_of(summary.end)
    return f"{clock} {getattr(summary.turns[turn].before, clock)}" if clock else f"decision {turn + 1}"


def time_line(summary: Summary) -> tuple[str, list[tuple[int, str]] | None]:
    """Return the title and the labels of the time axis."""
    clock = clock_of(summary.end)
    if not clock:
        return "decisions", None
    times = [getattr(turn.before, clock) for turn in summary.turns]
    begins = {time: place for place, time in reversed(list(enumerate(times)))}
    marks = {tick for tick in ticks(times[0], times[-1], 8) if tick in begins}
    return f"{clock}s", [(begins[time], f"{time:g}") for time in sorted(marks)]
