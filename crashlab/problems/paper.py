"""Six puzzles on one page for paper: each a picture of the position, who you are, and what is asked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from crashlab.errors import CrashlabError, truth
from crashlab.posters import GAP, HEIGHT, LEAST, MARGIN, SIZE, WIDTH, lines, view
from crashlab.problems.problem import Problem, Puzzles
from crashlab.shapes import Circle, Picture, Polygon, Shape, Text, slab
from crashlab.sheets import Sheet

MOST, COLUMNS = 6, 3
NUMBERS = ("no", "one", "two", "three", "four", "five", "six")
TOP = 58.0  # of the panels
LINE = 18.0  # from one line of words to the next
ROOM = 4  # lines below a picture: the question and, if they find room, all actions
PAD = 8.0  # within a panel
SMALL = 6.0  # words of a picture that would be smaller on paper are left out


def sheet(puzzles: Puzzles, path: str | Path | None = None, answers: bool = False) -> Sheet:
    """The first six of these puzzles, with the answers at the foot if they are wanted; saved if there is a path."""
    shown = list(puzzles[:MOST])
    if not shown:
        raise CrashlabError("there are no puzzles for a sheet")
    made = Sheet(page(shown, truth("answers", answers)))
    if path is not None:
        made.save(path)
    return made


def page(shown: Sequence[Problem], answers: bool) -> Picture:
    """The title, the puzzles in rows of three, and the foot."""
    game = shown[0].state.game
    title = f"{game.title}: {NUMBERS[len(shown)]} puzzle{'s' * (len(shown) > 1)}"
    told = [f"{number}: {' or '.join(each.best[:2])}" for number, each in enumerate(shown, 1)]
    foot = lines("Answers. " + ". ".join(told) + "." if answers else game.rulebook.credit, WIDTH - 2 * MARGIN, LEAST)
    wide = (WIDTH - 2 * MARGIN - (COLUMNS - 1) * GAP) / COLUMNS
    rows = (MOST + COLUMNS - 1) // COLUMNS
    high = (HEIGHT - TOP - MARGIN / 2 - LINE * len(foot) - rows * GAP) / rows
    shapes: list[Shape] = [
        Polygon(((0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)), "panel"),
        Text(MARGIN, 32, title, 28, "ink", "left", bold=True),
        Text(WIDTH - MARGIN, 34, "Name: ______________________", SIZE, "muted", "right"),
    ]
    for place, problem in enumerate(shown):
        left, top = MARGIN + place % COLUMNS * (wide + GAP), TOP + place // COLUMNS * (high + GAP)
        shapes += panel(problem, place + 1, (left, top, left + wide, top + high))
    below = HEIGHT - MARGIN / 2 - LINE * len(foot) + LINE / 2
    shapes += [Text(MARGIN, below + LINE * n, line, LEAST, "muted", "left") for n, line in enumerate(foot)]
    words = [f"{title}.", *(f"{number}. {each}" for number, each in enumerate(shown, 1)), *(told if answers else ())]
    return Picture(WIDTH, HEIGHT, tuple(shapes), (), "\n\n".join(words), colours=shown[0].seen.picture().colours)


def panel(problem: Problem, number: int, room: tuple[float, float, float, float]) -> list[Shape]:
    """A puzzle in its place on the page."""
    left, top, right, bottom = room
    wide = right - left - 2 * PAD - 34
    full = lines(f"{problem.question} {', '.join(sorted(problem.proof.worths))}", wide, LEAST - 1)
    words = full if len(full) <= ROOM else lines(problem.question, wide, LEAST - 1)[:ROOM]
    under = bottom - PAD - LINE * ROOM
    picture = problem.seen.picture()
    return [
        *view(picture, None, (left + PAD, top + PAD, right - PAD, under), SMALL, SMALL),
        Polygon(slab(left, top, right, bottom, 10), "", "panel edge", 2),
        Circle(left + 20, under + LINE, 13, "ink"),
        Text(left + 20, under + LINE, str(number), 17, "panel", bold=True),
        *(Text(left + 40, under + LINE * (n + 0.8), line, LEAST - 1, "ink", "left") for n, line in enumerate(words)),
    ]
