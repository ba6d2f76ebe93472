"""A league on the projector: its table grows while the agents of a folder play, and every game can be viewed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

import ipywidgets as widgets

from crashlab.base.errors import CrashlabError, short_repr
from crashlab.drawing.html import AS_AROUND, element, joined
from crashlab.drawing.rank_chart import place_at
from crashlab.drawing.shapes import Picture
from crashlab.engine.game import Game, State
from crashlab.lab.board import FAR, ROW, Board, button, html
from crashlab.lab.jobs import BackgroundJob, GrowingPanel
from crashlab.lab.page_module import show
from crashlab.lab.review import Review
from crashlab.lab.stepper import beside
from crashlab.play.league import page
from crashlab.play.league.fixtures import Kept
from crashlab.play.league.guest import promise
from crashlab.play.league.season import GAMES, ROBIN, Season

KEYS = (
    "up and down choose a game, Enter shows it below, space stops and resumes, a click on a name lists its games;"
    " Tab leaves"
)
MOST = 300  # maximum number of games in the list
REST = 0.02  # seconds between two games, for clicks


@dataclass(frozen=True)
class GamesShown:
    """The number of games shown, and the agent whose games are listed."""

    games: int = 0
    name: str = ""  # empty for the games of all agents
    is_loaded: bool = False  # whether all agents have been checked


class League(GrowingPanel):
    """A league of the agents in a folder, played while its table is on the page; arguments as in `crashlab.league`.

    The games are stored in the folder, and running the cell again continues the league. A click on a game shows it in a
    Review below. `league.season` has the standings and the games, `league.save("table.html")` writes the table as a
    page, and `league.finish()` waits until all games have been played. `KEYS` lists the keys on the picture.

        >>> from tempfile import mkdtemp
        >>> league = League(mkdtemp(), crashlab.game("autoscooter", players=2))
        >>> league.season.title
        'Autoscooter: 0 agents, 0 of 0 games'
    """

    now: GamesShown

    def __init__(
        self,
        folder: str | Path,
        game: Game | State | None = None,
        *,
        games: int = GAMES,
        rounds: str | int = ROBIN,
        limit: float | None = None,
        memory: int | None = None,
        seed: int | None = None,
        theme: str | None = None,
        scale: float | None = None,
    ) -> None:
        self.season = Season(folder, game, games, rounds, limit, memory, seed)
        self.now = GamesShown()
        self._steps: Iterator[object] = iter(())
        self.review: Review | None = None
        self.board = Board(page.pictured(self.season), theme=theme, scale=scale, animate=False)
        self.board.owner = self
        self.work = BackgroundJob(self.board, self._turned)
        self._make_controls()
        self.board.on_click(self._click)
        self.board.on_key(self._key)
        self._go_with_the_page()
        self.stage = widgets.VBox([])
        row = widgets.HBox([self.stop, self.all, self.progress], layout=ROW)
        side = widgets.VBox([row, self.heading, self.list])
        super().__init__([beside(self.board, side, KEYS), self.reports, self.table, self.stage])
        self.board.run_alone(self._draw)
        self.board.run_alone(self.board.say, self.board.picture.words)

    def _make_controls(self) -> None:
        on = self.board.guard
        self.heading = html("crashlab-question", FAR)
        self.list = widgets.Select(options=(), rows=12, tooltip="Games", layout={"width": "auto"})
        self.list.observe(on(lambda change: self._show_game(change.new)), "value")
        self.all = button("All games", on(lambda: self._choose("")), "Everybody's games", "list")
        self.stop = button(
            "Go on", on(self.stop_or_go_on), "Stop, or go on", "play", once=True, layout={"width": "96px"}
        )
        self.progress, self.table, self.reports = widgets.HTML(), widgets.HTML(), widgets.HTML()

    # Actions of the user

    def save(self, path: str | Path) -> None:
        """Write the table as a page of HTML that needs no other file."""
        self.season.save(path)

    def finish(self) -> League:
        """Play all remaining games, and return this panel."""
        self.board.run_alone(self.work.stop)
        with self.work.thinking:
            for _ in chain(self.season.roll_call(), self.season.play()):
                pass
        self.board.run_alone(self._show_all)
        return self

    def _show_all(self) -> None:
        self.now = replace(self.now, is_loaded=True)
        self._draw()
        self.board.say(self.board.picture.words)

    def show(self, number: int) -> None:
        """Show the game with this number, counted from 1, in a Review below."""
        self.board.run_alone(self._show_game, number)

    def _show_game(self, number: int | None) -> None:
        if number is None:
            return
        match = self.season.match(number)  # raises if the game does not exist
        before, self.review = self.review, Review(match, theme=self.board.theme)
        self.stage.children = [self.review]
        if before:
            before.close()
        game = self.season.played[number - 1]
        text = "\n".join(f"{trouble.name}: {trouble.words}" for trouble in game.troubles)
        self.board.say(f"Game {number}, {game.words(match.game.seat_name)}. It is shown below.\n{text}".strip())

    def choose(self, name: str) -> None:
        """List the games of this agent, or all games for an empty name."""
        self.board.run_alone(self._choose, name)

    def _choose(self, name: str) -> None:
        if not isinstance(name, str) or (name and name not in self.season.entries):
            names = ", ".join(self.season.entries)
            raise CrashlabError(f"{short_repr(name)} is not an agent of this league; its agents are {names}")
        self.now = replace(self.now, name=name)
        self._list()
        troubles = self.season.troubles.get(name, ()) if name else ()
        words = "\n".join(str(trouble) for trouble in troubles[:1])
        self.board.say(f"The games of {name or 'all agents'}.\n{words}".strip())

    def _click(self, x: float, y: float) -> None:
        rows = [*(row.name for row in self.season.standings.ranking), *sorted(self.season.broken)]
        place = place_at(len(rows), y)
        if place is not None:
            self._choose(rows[place])
        else:
            self.board.say_below("A click on a name lists its games.")

    def _key(self, name: str) -> None:
        numbers = [number for _, number in self.list.options]
        if name == " ":
            self.stop_or_go_on()
        elif name in ("ArrowUp", "ArrowDown") and numbers:
            here = self.list.index if self.list.index is not None else -1
            self.list.index = (here + (1 if name == "ArrowDown" else -1)) % len(numbers)
        elif name == "Enter":
            self._show_game(self.list.value)

    # Background work

    @property
    def _enough(self) -> bool:
        return self.now.is_loaded and len(self.season.played) >= self.season.planned_games

    def _want_more(self) -> None:
        raise CrashlabError("all games have been played; run the cell again to include changed files")

    def _begin(self) -> None:
        if not self.work.busy:
            self._steps = chain(self.season.roll_call(), self.season.play())
        super()._begin()

    def _think(self) -> object:
        """Play the next game or check the next agent; return the result, or None at the end."""
        return next(self._steps, None)

    def _show(self, result: object) -> float:
        """Show the result of a game or a check; return the seconds to wait."""
        self.now = replace(self.now, is_loaded=not isinstance(result, str))
        if result is None:
            self.work.stop()
        self._draw()
        if isinstance(result, Kept):
            self.board.say(f"Game {self.now.games}: {result.words(self.season.game.seat_name)}.")
        else:
            self.board.say(self.board.picture.words)
        return REST

    def _turned(self) -> None:
        """Update the panel when the work has started or stopped."""
        if not self.work.busy:
            self.season.stop()
            self._steps = iter(())  # releases the folder for other programs
        self._draw()

    # Display

    def _draw(self) -> None:
        """Draw the table, and update all other parts."""
        season = self.season
        games = len(season.played)
        self.now = replace(self.now, games=games)
        busy = self.work.busy
        self.board.show(page.pictured(season, season.next if busy and self.now.is_loaded else ()))
        self.stop.description, self.stop.icon = ("Stop", "pause") if busy else ("Go on", "play")
        self.progress.value = f"{games:,} of {season.planned_games:,} games"
        self.heading.value = self.board.headline(self._heading(), 18)
        items, style = page.broken_items(season), "line-height: 1.35; overflow-wrap: anywhere"
        self.reports.value = element("details", element("summary", "What broke"), element("ul", *items), style=style)
        show(self.reports, items)
        if season.names:
            remarks = [element("p", words) for words in (season.standings.repeated, promise()) if words]
            cross_table = element("div", season.standings.cross_table(AS_AROUND), style="overflow-x: auto")
            self.table.value = joined([cross_table, *remarks])
        self._list()

    def _heading(self) -> str:
        if self.work.busy and not self.now.is_loaded:
            return "Checking the agents …"
        return " against ".join(self.season.next) if self.work.busy and self.season.next else page.remark(self.season)

    def _list(self) -> None:
        """List the games, the latest first; the selected game stays selected."""
        seat = self.season.game.seat_name
        lines = [
            (f"{number}{' ⚠' if game.troubles else ''} {game.words(seat)}", number)
            for number, game in enumerate(self.season.played, 1)
            if self.now.name in ("", *game.pair)
        ][-MOST:][::-1]
        selection = self.list.value
        with self.list.hold_sync():
            if tuple(lines) != tuple(self.list.options):
                self.list.options = lines
            self.list.value = selection if selection in [number for _, number in lines] else None

    def still(self) -> tuple[Picture, str]:
        """Return the table, and a full description in words."""
        return page.pictured(self.season), str(self.season)

    def _end(self) -> None:
        self.work.stop()
        self.season.stop()
        if self.review:
            self.review.close()
