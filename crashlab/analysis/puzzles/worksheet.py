"""Worksheets: six puzzles for printing, two on a sheet, each with a picture, the question and the choices.

An additional sheet has the answers.
"""

from collections.abc import Sequence
from pathlib import Path

from crashlab.analysis.puzzles.puzzle import Problem
from crashlab.base import files
from crashlab.base.errors import require, short_repr, truth
from crashlab.drawing import html, svg
from crashlab.drawing.html import LINE_BREAK, Html, element, joined
from crashlab.engine.notation import together

MOST, ON_A_SHEET = 6, 2
NUMBERS = ("no", "one", "two", "three", "four", "five", "six")
ROOM = 900  # most letters below a picture
STYLE = (
    "html{background:#fff;color:#1a1a1a}@page{size:A4 landscape;margin:10mm}"
    "body{font:10.5pt/1.3 system-ui,sans-serif;margin:0}"
    "section{max-width:277mm;margin:0 auto;break-after:page}section:last-child{break-after:auto}"
    "section.sheet{height:189mm;display:flex;flex-direction:column}h1{font-size:17pt;margin:0 0 3mm}"
    "header{display:flex;justify-content:space-between;align-items:baseline}"
    ".sheet>div{flex:1;min-height:0;display:grid;grid-template-columns:1fr 1fr;gap:6mm}"
    "article{min-height:0;display:flex;flex-direction:column}p{margin:0 0 1.5mm}"
    "svg{flex:1;min-height:0;max-height:110mm;width:100%;margin-bottom:2mm}"  # fills the space above the text
    "footer{font-size:9pt;color:#555}"
    "@media screen{section{margin:8mm auto;padding:0 4mm}section.sheet{height:auto}svg{flex:none}}"
)
FRAME = "width:100%;height:600px;border:1px solid #999"


class Worksheet:
    """The first six puzzles as a page to print from a browser, optionally with a sheet of answers."""

    def __init__(self, puzzles: Sequence[Problem], answers: bool = False) -> None:
        require(puzzles, "there are no puzzles to put on a sheet")
        self._numbered = tuple(enumerate(puzzles[:MOST], 1))
        self._answers = truth("answers", answers)
        count = len(self._numbered)
        self.title = f"{puzzles[0].state.game.title}: {NUMBERS[count]} puzzle{'s' * (count > 1)}"

    def save(self, path: str | Path) -> None:
        """Save the page as an .html file."""
        target = files.whole_path(path)
        require(target.suffix.lower() == ".html", f"{short_repr(str(path))}: a sheet of puzzles is saved as .html")
        files.write(target, self.page().encode())

    def page(self) -> str:
        """Return a stand-alone HTML page."""
        firsts = range(0, len(self._numbered), ON_A_SHEET)
        sheets = [self._sheet(self._numbered[first : first + ON_A_SHEET]) for first in firsts]
        if self._answers:
            sheets.append(self._answer_sheet())
        return html.page(self.title, STYLE, *sheets)

    def _sheet(self, numbered: Sequence[tuple[int, Problem]]) -> Html:
        """Return a sheet: the title, puzzles side by side, and credits."""
        header = element("header", element("h1", self.title), element("span", f"Name: {'_' * 22}"))
        puzzles = element("div", *(article(number, problem) for number, problem in numbered))
        footer = element("footer", numbered[0][1].state.game.rulebook.credit)
        return element("section", header, puzzles, footer, class_="sheet")

    def _answer_sheet(self) -> Html:
        """Return the sheet of answers with explanations."""
        answers = (
            element("p", element("b", f"{number}: {answers_to(one)}"), LINE_BREAK, one.against(one.best[0]).why)
            for number, one in self._numbered
        )
        return element("section", element("h1", f"{self.title}, answers"), *answers)

    def __repr__(self) -> str:
        return f"<Worksheet: {self.title}>"

    def _repr_html_(self) -> str:
        return element("iframe", title=self.title, style=FRAME, srcdoc=self.page())


def article(number: int, problem: Problem) -> Html:
    """Return a puzzle with its number, picture and task."""
    first, *others = task(problem)
    lines = joined([element("b", f"{number}."), " ", first]), *others
    return element("article", Html(svg.paint(problem.seen.picture())), *(element("p", line) for line in lines))


def task(problem: Problem) -> list[str]:
    """Return the question, the scores and the choices; without explanations if the text would be too long."""
    state = problem.state
    scores = ", ".join(f"{state.game.seat_name(seat)} {score}" for seat, score in enumerate(state.scores))
    others = [
        f"At the same time {state.game.seat_name(seat)} chooses: {'; '.join(problem.offers(seat, brief=True))}."
        for seat in state.actors
        if seat != problem.seat
    ]
    first = f"{problem.question} Scores: {scores}."
    for brief in (False, True):
        lines = [first, f"You can choose: {'; '.join(problem.offers(brief=brief))}.", *others]
        if sum(map(len, lines)) <= ROOM:
            break
    return lines


def answers_to(problem: Problem) -> str:
    """Return the best answer in the words of the board, and equally good ones."""
    first, *same = problem.best
    return f"{problem.offered(first)}{f'; just as good: {together(same)}' if same else ''}"
