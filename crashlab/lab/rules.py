"""A rulebook beside the code and the tests of each rule, with switches for your own rules."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import ipywidgets as widgets
from IPython import get_ipython

from crashlab.base.errors import expect, require, short_repr
from crashlab.drawing.html import Html, element
from crashlab.drawing.page_layout import lines
from crashlab.drawing.primitives import PER_EM
from crashlab.drawing.shapes import Picture, Polygon, Shape, Text, slab
from crashlab.engine.game import Game
from crashlab.engine.house_rules.source import unannotated
from crashlab.engine.notation import counted
from crashlab.engine.rulebook import MARKS, Rule
from crashlab.lab.board import FAR, ROW, Board, Panel, button, html, with_classes
from crashlab.lab.notebook_cells import is_own
from crashlab.lab.playback import alone
from crashlab.lab.rule_tests import RuleTest, proofs
from crashlab.lab.stepper import beside

KEYS = "up and down go from rule to rule, left and right from function to function, Tab leaves"
STEPS = {"ArrowUp": -1, "ArrowLeft": -1, "ArrowDown": 1, "ArrowRight": 1}
ELSEWHERE = "The tests that prove this rule are in the repository."
BY_HAND = "This page cannot write cells: copy this text into the next cell."
WIDE, MARGIN, HEAD = 760.0, 22.0, 64.0  # width, margin and height of the head of a rule's card
SIZE, LINE = 20.0, 27.0  # size and line height of its text


class Chosen(NamedTuple):
    """The indices of the current rule and function, and the names of the house rules switched on."""

    rule: int
    function: int
    on: tuple[str, ...]


class Rules(Panel):
    """The rulebook of a game. Beside each rule are the functions that implement it and the tests that prove it.

    `rules.game` is the game with your own rules that are switched on. "Into the next cell" copies the current function
    and a call of `game.with_rules` into a new cell below, where you can change the function.

        >>> rules = Rules(crashlab.game("autoscooter"), "AS-C4")
        >>> rules.game == crashlab.game("autoscooter")
        True
    """

    now: Chosen

    def __init__(
        self, game: Game, rule: str | None = None, *, theme: str | None = None, scale: float | None = None
    ) -> None:
        expect(game, Game, "Rules shows the rulebook of a Game")
        self.all = game  # with all house rules
        names = tuple(text.name for text in game.house.rules) if game.house else ()
        self.now = Chosen(0 if rule is None else game.rulebook.cite(rule)[0], 0, names)
        self.game: Game = game
        self._high = HEAD + LINE * max(len(card_lines(entry)) for entry in game.rulebook) + MARGIN / 2
        self.board = Board(self._card(), theme=theme, scale=scale, animate=False)
        self.board.owner = self
        self._make_controls()
        self.board.on_click(self.board.refuse_click)
        self.board.on_key(self._key)
        room = beside(self.board, self._side(), KEYS)
        left = room.children[0]
        left.children = [self.board, self.code, self.tests, *left.children[1:]]
        super().__init__([with_classes(room, "crashlab-rules")])
        self.board.run_alone(self.refresh)

    def _make_controls(self) -> None:
        on = self.board.guard
        wide = {"width": "auto"}
        self.list = widgets.Select(options=(), rows=12, tooltip="Rules", layout=wide)
        self.list.observe(on(lambda change: self.show(change.new)), "value")
        self.functions = widgets.Dropdown(options=(), tooltip="The functions of this rule", layout=wide)
        self.functions.observe(on(lambda change: self.show(self.now.rule, change.new)), "value")
        self.code = html("crashlab-code", FAR, layout={"width": "auto"})
        self.tests = widgets.HTML(layout={"width": "auto"})
        self.copied = html("crashlab-cell")
        self.switches = {
            name: widgets.Checkbox(True, description=name, indent=False, layout=wide) for name in self.now.on
        }
        for name, switch in self.switches.items():
            switch.observe(on(lambda change, name=name: self.turn(name, change.new)), "value")
        self.copy = with_classes(
            button("Into the next cell", lambda: None, "Copy this function into a cell below, to change it", "copy"),
            "crashlab-copy",  # handled by the page
        )

    def _side(self) -> widgets.Box:
        switches = [widgets.HTML("<b>Rules of your own</b>"), *self.switches.values()] if self.switches else []
        foot = with_classes(widgets.HBox([self.copy], layout=ROW), "crashlab-foot")
        return widgets.VBox([self.list, *switches, widgets.HTML("<b>Made by</b>"), self.functions, foot, self.copied])

    @property
    def rule(self) -> Rule:
        """The current rule."""
        return self.game.rulebook[self.now.rule]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the functions that implement the rule."""
        return tuple(self.game.makers(self.rule.id))

    # Actions of the user

    @alone
    def show(self, rule: int, function: int = 0) -> None:
        """Show the rule at index `rule`, with the function at index `function` of its functions."""
        require(0 <= rule < len(self.game.rulebook), f"there is no rule {short_repr(rule)}")
        self.now = self.now._replace(rule=rule, function=function or 0)
        self.refresh()

    @alone
    def turn(self, name: str, on: bool) -> None:
        """Switch one of your own rules on or off."""
        require(name in self.switches, f"you have no rule called {short_repr(name)}")
        names = tuple(switch for switch in self.switches if (on if switch == name else switch in self.now.on))
        game, rule = self.all.only(*names), self.rule.id
        place = game.rulebook.cite(rule)[0] if rule in game.rulebook else len(game.rulebook) - 1
        self.now, self.game = Chosen(place, 0, names), game
        self.refresh()

    def _key(self, name: str) -> None:
        step = STEPS.get(name, 0)
        if name in ("ArrowUp", "ArrowDown"):
            self.show(min(max(self.now.rule + step, 0), len(self.game.rulebook) - 1))
        elif step and self.names:
            self.show(self.now.rule, (self.now.function + step) % len(self.names))

    # Display

    def refresh(self) -> None:
        """Show the rule, its code and its tests."""
        book, names = self.game.rulebook, self.names
        self.list.options = [(f"{rule.id}  {rule.title}", number) for number, rule in enumerate(book)]
        self.list.value = self.now.rule
        self.functions.options = [(name, number) for number, name in enumerate(names)]
        self.functions.value = self.now.function if names else None
        self.functions.disabled, self.copy.disabled = len(names) < 2, not names
        for name, switch in self.switches.items():
            switch.value = name in self.now.on
        self.code.value = coloured(self._source())
        self.copied.value = element("p", BY_HAND) + element("pre", self.cell) if names else ""
        replacements = [name for name in names if self.game.house and name in self.game.house.names]
        self.tests.value = proven(self.rule, proofs().get(self.rule.id, ()), replacements)
        self.board.show(self._card())
        note = f"made by {', '.join(names)}" if names else "no function is named after it"
        self.board.say(f"{self.rule.id} {self.rule.title}, {self.now.rule + 1} of {len(book)} rules: {note}.")

    def _source(self) -> str:
        """Return the source of the current function, or a text that explains why there is none."""
        names = self.names
        return self.game.makers(self.rule.id)[names[self.now.function]] if names else self.game.source(self.rule.id)

    @property
    def cell(self) -> str:
        """The code for the next cell: the current function, and a game that uses it."""
        require(self.names, f"there is nothing to copy: no function is named after {self.rule.id}")
        name = self.names[self.now.function]
        house = self.all.house
        constants = [f"{one}={value}" for one, value in house.constants] if house and name in house.names else []
        arguments = ", ".join([name, *constants])
        return f"{unannotated(self._source())}\n\nmine = {named(self.all)}.with_rules({arguments})\n"

    def _card(self) -> Picture:
        """Draw the rule in large type."""
        rule = self.rule
        words = card_lines(rule)
        shapes: tuple[Shape, ...] = (
            Polygon(slab(1, 1, WIDE - 1, self._high - 1, 10), "panel", "panel edge", 2),
            Text(MARGIN, 34, f"{rule.id}  {rule.title}", 26, "ink", "left", bold=True),
            Text(WIDE - MARGIN, 35, f"{rule.mark}: {MARKS[rule.mark]}", 16, "muted", "right"),
            *(Text(MARGIN, HEAD + LINE * (n + 0.5), line, SIZE, "ink", "left") for n, line in enumerate(words)),
        )
        return Picture(WIDE, self._high, shapes, (), str(rule))

    def still(self) -> tuple[Picture, str]:
        """Return the card of the rule, and the rule with the source of its functions."""
        return self.board.picture, f"{self.rule}\n\n{self.game.source(self.rule.id)}"


def card_lines(rule: Rule) -> tuple[str, ...]:
    """Return the text of a rule in lines of its card."""
    return lines(rule.text, WIDE - 2 * MARGIN, SIZE, PER_EM)


def named(game: Game) -> str:
    """Return the variable name of this game in the notebook, or "game" if there is none."""
    names = get_ipython().user_ns if get_ipython() else {}
    return next((name for name, value in names.items() if is_own(name) and value is game), "game")


@lru_cache(1000)
def coloured(source: str) -> str:
    """Return highlighted code as HTML, in the colours of the page's theme."""
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import PythonLexer

    return str(highlight(source, PythonLexer(), HtmlFormatter()))


def proven(rule: Rule, tests: Sequence[RuleTest], replacements: Sequence[str]) -> str:
    """Write the tests that prove a rule, as HTML: the tests of the book, even if functions are replaced."""
    if not proofs():
        return element("p", ELSEWHERE)
    if not tests:
        return element("p", f"There is no test of {'your own rule' if rule.mark == 'yours' else 'this rule'}.")
    items = [
        element("details", element("summary", element("code", str(test))), Html(coloured(test.lines))) for test in tests
    ]
    by = f"roven by {counted(len(tests), 'test')}"
    head = f"The book's rule is p{by}, which do not use your {' and '.join(replacements)}" if replacements else f"P{by}"
    return element("div", f"{head}:", *items, class_="crashlab-proofs")
