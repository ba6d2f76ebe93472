"""A rulebook beside the code that makes each rule, and the tests that prove it; one's own rules, on and off."""

from __future__ import annotations

from html import escape
from typing import NamedTuple

import ipywidgets as widgets

from crashlab.errors import CrashlabError, shown
from crashlab.lab.board import ROW, Board, Panel, button, expect, known_as
from crashlab.lab.stepper import beside, quoted
from crashlab.notation import counted
from crashlab.proofs import proofs
from crashlab.rulebook import Rule
from crashlab.shapes import Picture
from crashlab.variant import Game

KEYS = "up and down go from rule to rule, Tab leaves"
ELSEWHERE = "The tests that prove it are in the repository."
CODE = "font: 13px/1.45 var(--jp-code-font-family, monospace); white-space: pre; overflow-x: auto; margin: 0"


class Chosen(NamedTuple):
    """The rule that is shown, by its number, and which of one's own rules are on, by the names of their functions."""

    rule: int
    on: tuple[str, ...]


class Rules(Panel):
    """The rulebook of a game. Beside each rule are the functions that make it and the tests that prove it.

    `rules.game` is the game with those of one's own rules that are on. "Into the next cell" writes the functions of a
    rule into a new cell below, to be changed, and handed to `game.with_rules`.
    """

    now: Chosen

    def __init__(
        self, game: Game, rule: str | None = None, *, theme: str | None = None, scale: float | None = None
    ) -> None:
        expect(game, Game, "Rules shows the rulebook of a Game")
        self.all = game  # with all rules of one's own
        names = tuple(text.name for text in game.house.rules) if game.house else ()
        self.now = Chosen(0 if rule is None else game.rulebook.cite(rule)[0], names)
        self.game: Game = game
        self.board = Board(game.poster().picture(), theme=theme, scale=scale, animate=False)
        self.board.owner = self
        self._make_controls()
        self.board.on_key(self._key, leave=lambda: self.list)
        super().__init__([beside(self.board, self._side(), KEYS), self.code])
        self.board.alone(self.refresh)

    def _make_controls(self) -> None:
        on = self.board.guard
        self.list = widgets.Select(options=(), rows=12, tooltip="Rules", layout={"width": "auto"})
        self.list.observe(on(lambda _: self.show(self.list.value)), "value")
        self.text, self.code = widgets.HTML(), known_as(widgets.HTML(), "crashlab-code")
        self.switches = {
            name: widgets.Checkbox(True, description=name, indent=False, layout={"width": "auto"})
            for name in self.now.on
        }
        for name, switch in self.switches.items():
            switch.observe(on(lambda _, name=name: self.turn(name, self.switches[name].value)), "value")
        self.copy = known_as(
            button("Into the next cell", on(lambda: None), "A new cell below with these functions, to be changed"),
            "crashlab-copy",
        )

    def _side(self) -> widgets.Widget:
        own = [widgets.HTML("<b>Rules of yours</b>"), *self.switches.values()] if self.switches else []
        foot = known_as(widgets.HBox([self.copy], layout=ROW), "crashlab-foot")
        return widgets.VBox([self.list, self.text, *own, foot])

    @property
    def rule(self) -> Rule:
        """The rule that is shown."""
        return self.game.rulebook[self.now.rule]

    # What the user does

    def show(self, number: int) -> None:
        """Show the rule with this number."""
        if not 0 <= number < len(self.game.rulebook):
            raise CrashlabError(f"there is no rule {shown(number)}")
        self.now = self.now._replace(rule=number)
        self.refresh()

    def turn(self, name: str, on: bool) -> None:
        """Switch one of one's own rules on or off."""
        if name not in self.switches:
            raise CrashlabError(f"there is no rule of yours called {shown(name)}")
        wanted = tuple(each for each in self.switches if (on if each == name else each in self.now.on))
        game = self.all.only(*wanted)
        self.now, self.game = Chosen(min(self.now.rule, len(game.rulebook) - 1), wanted), game
        self.refresh()

    # What is shown

    def refresh(self) -> None:
        """Show the rule, its code and its proofs."""
        book = self.game.rulebook
        self.list.options = [(f"{rule.id}  {rule.title}", number) for number, rule in enumerate(book)]
        self.list.value = self.now.rule
        rule = self.rule
        self.text.value = f"{quoted(rule)}{self._proven(rule)}"
        self.code.value = f"<pre style='{CODE}'>{escape(self.game.source(rule.id))}</pre>"
        self.board.show(self.game.poster().picture())
        self.board.say(f"{rule.id} of {counted(len(book), 'rule')}: {rule.title}.")

    def _proven(self, rule: Rule) -> str:
        if not proofs():
            return f"<p>{ELSEWHERE}</p>"
        found = proofs().get(rule.id, ())
        lines = "".join(
            f"<details><summary>{escape(test.name)}</summary><pre style='{CODE}'>{escape(test.lines)}</pre></details>"
            for test in found
        )
        return f"<p>Proven by {counted(len(found), 'test')}:</p>{lines}" if found else ""

    def _key(self, name: str) -> None:
        step = {"ArrowUp": -1, "ArrowDown": 1}.get(name, 0)
        if step:
            self.show(min(max(self.now.rule + step, 0), len(self.game.rulebook) - 1))

    def still(self) -> tuple[Picture, str]:
        """The poster, and the rule with its code."""
        return self.board.picture, f"{self.rule}\n\n{self.game.source(self.rule.id)}"
