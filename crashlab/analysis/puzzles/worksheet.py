"""Six puzzles for paper, two on a page: each with a picture, who you are, what is asked, and what can be chosen.

With the answers, there is one more page for the teacher.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from crashlab.analysis.puzzles.puzzle import Problem
from crashlab.base.errors import CrashlabError, truth
from crashlab.drawing.crop import Window
from crashlab.drawing.page_layout import GAP, HEIGHT, LEAST, MARGIN, PER_BOLD, SIZE, WIDTH, lines, view
from crashlab.drawing.shapes import Circle, Picture, Piece, Point, Polygon, Shape, Text, placed, rectangle, slab
from crashlab.drawing.sheet import Sheet
from crashlab.engine.notation import together

MOST, COLUMNS = 6, 2
NUMBERS = ("no", "one", "two", "three", "four", "five", "six")
TOP = 58.0  # of the panels
LINE = 18.0  # from one line of words to the next
PICTURE = 0.5  # of the height of a panel, at most where the words need the rest
PAD = 8.0  # within a panel
SMALL = 6.0  # words of a picture that would be smaller on paper are left out
NEAR = 0.7  # of a city: at least so much is shown of it
AIR = 60.0  # round all that can be chosen in it


def sheet(puzzles: Sequence[Problem], path: str | Path | None = None, answers: bool = False) -> Sheet:
    """The first six of these puzzles, with a page of answers if they are wanted; saved if there is a path."""
    shown = list(puzzles[:MOST])
    if not shown:
        raise CrashlabError("there are no puzzles to put on a sheet")
    made = Sheet(pages(shown, truth("answers", answers)), HEIGHT)
    if path is not None:
        made.save(path)
    return made


def pages(shown: Sequence[Problem], answers: bool) -> Picture:
    """All pages, one below the other."""
    title = f"{shown[0].state.game.title}: {NUMBERS[len(shown)]} puzzle{'s' * (len(shown) > 1)}"
    numbered = list(enumerate(shown, 1))
    made = [page(title, numbered[first : first + COLUMNS]) for first in range(0, len(shown), COLUMNS)]
    words = [f"{title}.", *(f"{number}. {each}" for number, each in numbered)]
    if answers:
        made.append(answer_page(title, numbered))
        words += [f"{number}: {answers_to(each)}" for number, each in numbered]
    shapes = [shape for number, each in enumerate(made) for shape in placed(Piece("", 0, number * HEIGHT, tuple(each)))]
    colours = shown[0].seen.picture().colours
    return Picture(WIDTH, HEIGHT * len(made), tuple(shapes), (), "\n\n".join(words), colours=colours)


def page(title: str, shown: Sequence[tuple[int, Problem]]) -> list[Shape]:
    """The title, some puzzles beside each other, and whose game it is."""
    credit = lines(shown[0][1].state.game.rulebook.credit, WIDTH - 2 * MARGIN, LEAST)
    wide = (WIDTH - 2 * MARGIN - (COLUMNS - 1) * GAP) / COLUMNS
    bottom = HEIGHT - MARGIN / 2 - LINE * len(credit) - GAP
    shapes = [*head(title), Text(WIDTH - MARGIN, 34, "Name: ______________________", SIZE, "muted", "right")]
    for place, (number, problem) in enumerate(shown):
        left = MARGIN + place * (wide + GAP)
        shapes += panel(problem, number, (left, TOP, left + wide, bottom))
    below = bottom + GAP + LINE / 2
    return [*shapes, *(Text(MARGIN, below + LINE * n, line, LEAST, "muted", "left") for n, line in enumerate(credit))]


def head(title: str) -> list[Shape]:
    """The ground of a page, and its title."""
    ground = Polygon(rectangle(0, 0, WIDTH, HEIGHT), "panel")
    return [ground, Text(MARGIN, 32, title, 28, "ink", "left", bold=True)]


def panel(problem: Problem, number: int, room: Window) -> list[Shape]:
    """A puzzle in its place on the page: its words, and above them the picture as large as there is room."""
    left, top, right, bottom = room
    picture = problem.seen.picture()
    wide = right - left - 2 * PAD
    high = min(PICTURE * (bottom - top), wide * picture.height / picture.width)
    words = task(problem, wide - 34, int((bottom - top - high - 3 * PAD) / LINE - 0.5))
    under = bottom - PAD - LINE * (len(words) + 0.5)
    return [
        *view(picture, window(problem), (left + PAD, top + PAD, right - PAD, under - PAD), SMALL, SMALL),
        Polygon(slab(left, top, right, bottom, 10), "", "panel edge", 2),
        Circle(left + 20, under + LINE, 13, "ink"),
        Text(left + 20, under + LINE, str(number), 17, "panel", bold=True),
        *(Text(left + 40, under + LINE * (n + 0.8), line, LEAST - 1, "ink", "left") for n, line in enumerate(words)),
    ]


def task(problem: Problem, wide: float, fits: int) -> list[str]:
    """The question, how it stands, and all that can be chosen; in more lines than fit without what explains it."""
    state = problem.state
    scores = ", ".join(f"{state.game.seat_name(seat)} {score}" for seat, score in enumerate(state.scores))
    others = [
        f"At the same time {state.game.seat_name(seat)} chooses: {'; '.join(problem.offers(seat, brief=True))}."
        for seat in state.actors if seat != problem.seat
    ]  # fmt: skip
    first = f"{problem.question} Scores: {scores}."
    for brief in (False, True):
        told = [first, f"You can choose: {'; '.join(problem.offers(brief=brief))}.", *others]
        found = [line for words in told for line in lines(words, wide, LEAST - 1)]
        if len(found) <= fits:
            break
    return found


def window(problem: Problem) -> Window | None:
    """What is shown of the map of a city: where something can be chosen, with some air; of other pictures all."""
    chart = problem.seen.picture().map
    if chart is None or chart.room > 0:
        return None
    places = [place for place in spots(problem, ()) if chart.holds(*place)]
    if not places:
        return None
    across, down = [x for x, _ in places], [y for _, y in places]
    wide = max(max(across) - min(across) + 2 * AIR, NEAR * (chart.right - chart.left))
    high = max(max(down) - min(down) + 2 * AIR, NEAR * (chart.bottom - chart.top))
    x, y = (min(across) + max(across)) / 2, (min(down) + max(down)) / 2
    x = min(max(x, chart.left + wide / 2), max(chart.right - wide / 2, chart.left + wide / 2))
    y = min(max(y, chart.top + high / 2), max(chart.bottom - high / 2, chart.top + high / 2))
    return x - wide / 2, y - high / 2, x + wide / 2, y + high / 2


def spots(problem: Problem, begun: tuple[str, ...]) -> list[Point]:
    """Where all that can be chosen after these words lies."""
    found: list[Point] = []
    for one in problem.state.game.ui.choices(problem.seen.table, problem.seat, begun):
        found.append((one.x, one.y))
        if not one.action:
            found += spots(problem, (*begun, one.word))
    return found


def answer_page(title: str, shown: Sequence[tuple[int, Problem]]) -> list[Shape]:
    """For each puzzle all that is right, and why."""
    told: list[tuple[str, bool]] = []  # lines, and whether they are an answer
    for number, problem in shown:
        best, why = f"{number}: {answers_to(problem)}", problem.against(problem.best[0]).why
        told += [(line, True) for line in lines(best, WIDTH - 2 * MARGIN, LEAST, PER_BOLD)]
        told += [(line, False) for line in lines(why, WIDTH - 2 * MARGIN, LEAST - 1)]
        told.append(("", False))
    step = min(LINE - 2, (HEIGHT - MARGIN - TOP) / len(told))
    words = [
        Text(MARGIN, TOP + step * (n + 0.5), line, min(LEAST - (not bold), step), "ink", "left", bold=bold)
        for n, (line, bold) in enumerate(told)
        if line
    ]
    return [*head(f"{title}, answers"), *words]


def answers_to(problem: Problem) -> str:
    """All that is right: the best answer as it is offered, and what comes to the same."""
    first, *same = problem.best
    return f"{problem.offered(first)}{f'; just as good: {together(same)}' if same else ''}"
