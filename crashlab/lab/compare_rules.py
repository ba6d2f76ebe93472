"""What does a house rule do? Choose one, and see how the games with each of its values differ."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

import ipywidgets as widgets

from crashlab.agents import Agents
from crashlab.base.errors import CrashlabError, shown, whole
from crashlab.base.statistics import half_width, plus_minus
from crashlab.drawing.charts import Sample, histograms
from crashlab.drawing.shapes import Picture
from crashlab.engine.chance import whole_seed
from crashlab.engine.game import Game
from crashlab.engine.notation import capital
from crashlab.engine.options import Option, Value, number
from crashlab.lab.board import Board, button, expect, known_as
from crashlab.lab.jobs import BackgroundJob, GrowingPanel
from crashlab.lab.stepper import beside
from crashlab.play.comparison import RULES, Comparison, rulebooks
from crashlab.play.simulation import GamesPiece, Job, Results, joined, not_random, own_pieces

KEYS = "up and down change what is counted, left and right the house rule, space stops and goes on, Tab leaves"
STEPS = {"ArrowUp": -1, "ArrowLeft": -1, "ArrowDown": 1, "ArrowRight": 1}
MOST = 8  # values that are compared
NEAR = 2  # how far from its own value a constant of one's own is compared
MORE = 1.3  # times the games that are shown: then they are worth a new picture
FEW = 30  # games with each value after which one can see what differs
REST = 0.02  # seconds between two pieces of games, for clicks
DIGIT = "\N{FIGURE SPACE}"
ON, OFF = "on", "off"  # a rule of one's own
SCORE, LENGTH = "highest score", "decisions"


@dataclass(frozen=True)
class Comparing:
    """Which option is looked at, what is counted, and the games that have been played with each value."""

    option: Option
    rules: Mapping[Value, Game]  # the game with each value
    done: Mapping[Value, GamesPiece | None]
    what: str = ""

    @property
    def games(self) -> int:
        """How many games there are at least with each value."""
        return min(map(count, self.done.values()))


class Compare(GrowingPanel):
    """A house rule and what it does: the distribution of anything that happens, with each of its values.

    It plays while it is on the page; `compare.grow(games)` waits for `games` games with each value. Games of the same
    number begin with the same luck, whatever the value. `compare.comparison` has the numbers, as `crashlab.compare`
    gives them. `KEYS` says what the keys on the picture do.

    A rule of your own is compared on and off. Given games by their names, as in `Compare({"the book": game, "mine":
    mine})`, it compares these.

        >>> compare = Compare(crashlab.game("autoscooter", players=2), "rear_push", games=20)
        >>> done = compare.grow(20)
        >>> compare.comparison[True].mean("AS-V1")
        1.3
    """

    now: Comparing

    def __init__(
        self,
        game: Game | Mapping[str, Game],
        option: str = "",
        *,
        games: int = 2000,
        agents: Agents = "random",
        seed: int = 1,
        theme: str | None = None,
        scale: float | None = None,
    ) -> None:
        self.compared = rulebooks(game) if isinstance(game, Mapping) else {}
        self.game: Game = next(iter(self.compared.values())) if isinstance(game, Mapping) else game
        expect(self.game, Game, "a Compare shows a Game, or games by their names")
        game = self.game
        self.games = whole("games", games)
        self.seed = whole_seed(seed)
        self.agents = not_random(game, agents)
        self.now = self._asked(option)
        self._playing: dict[Value, Generator[GamesPiece]] = {}
        self._drawn = 0
        self.board = Board(self._picture(self.comparison), theme=theme, scale=scale, animate=False)
        self.board.owner = self
        self.work = BackgroundJob(self.board, self._report)
        self._make_controls()
        self.board.on_key(self._key)
        self._go_with_the_page()
        super().__init__([beside(self.board, self._side(), KEYS)])
        self.board.alone(self.refresh)

    def _make_controls(self) -> None:
        on = self.board.guard
        wide = {"width": "auto"}
        names = [RULES] if self.compared else [option.name for option in (*self.game.choices, *switches(self.game))]
        self.options = widgets.Dropdown(options=names, value=self.now.option.name, tooltip="House rule", layout=wide)
        self.options.observe(on(lambda _: self.choose(self.options.value)), "value")
        self.counted = widgets.Select(options=(), rows=13, tooltip="What is counted", layout=wide)
        self.counted.observe(on(lambda _: self.count(self.counted.value)), "value")
        self.heading = widgets.HTML("<b>House rule</b>")
        self.progress = widgets.HTML()
        self.text, self.columns = widgets.HTML(), widgets.HTML()
        self.stop = button("Go on", on(self.stop_or_go_on), "Stop, or go on", "play", once=True)

    def _side(self) -> widgets.Widget:
        below = widgets.HBox([self.stop, self.progress], layout={"flex_flow": "row wrap", "align_items": "center"})
        told = [self.heading, self.options, self.text, self.columns, self.counted]
        return widgets.VBox([*told, known_as(below, "crashlab-foot")])

    def _asked(self, name: str) -> Comparing:
        return asked_of(self.compared, name) if self.compared else asked(self.game, name)

    @property
    def comparison(self) -> Comparison:
        """The games that have been played so far."""
        done = self.now.done
        results = {value: Results(self._job(value), self.games, piece) for value, piece in done.items() if piece}
        return Comparison(self.game, self.now.option.name, results)

    def grow(self, games: int) -> Compare:
        """Play until there are `games` with each value."""
        self.board.alone(self._grow, whole("games", games))
        return self

    def _grow(self, games: int) -> None:
        self.work.stop()
        most = max(games, self.games)
        with self.work.thinking:
            self._until(games)  # and not a game more, so that the numbers are the same everywhere
            while self.now.games < games:
                self._take(*self._think())
            self._until(most)
        self._draw()

    # What the user does

    def choose(self, name: str) -> None:
        """Look at another option."""
        after = self._asked(name)
        self.work.stop()
        self.now = after
        self._playing = {}
        self._drawn = 0
        self.refresh()
        self._begin()

    def count(self, what: str | None) -> None:
        """Look at how often something else happens."""
        if what:
            self.now = replace(self.now, what=what)
            self._draw()
            self.board.say(self.board.picture.words)

    def _want_more(self) -> None:
        self._until(2 * self.games)

    def _key(self, name: str) -> None:
        menu = self.counted if name in ("ArrowUp", "ArrowDown") else self.options
        if name == " ":
            self.stop_or_go_on()
        elif name in STEPS and menu.options:
            menu.index = ((menu.index or 0) + STEPS[name]) % len(menu.options)
            (self.count if menu is self.counted else self.choose)(menu.value)

    # What goes on in the background

    def _until(self, games: int) -> None:
        """Have `games` with each value as the goal."""
        self.games = games
        self._playing = {}

    @property
    def _enough(self) -> bool:
        return self.now.games >= self.games

    def _begin(self) -> None:
        if not self.work.busy:
            self._playing = {}  # what was thought when it stopped is lost: those games are played again
        super()._begin()

    def _think(self) -> tuple[Value, GamesPiece]:
        """Some more games with the value that has fewest."""
        playing = self._playing
        done = self.now.done
        value = min(done, key=lambda known: count(done[known]))
        if value not in playing:
            first = count(done[value])
            playing[value] = own_pieces(self._job(value), first, self.games - first, 1)
        return value, next(playing[value])

    def _take(self, value: Value, piece: GamesPiece) -> None:
        before = self.now.done[value]
        self.now = replace(self.now, done={**self.now.done, value: joined([before, piece]) if before else piece})

    def _show(self, played: tuple[Value, GamesPiece]) -> float:
        """Show the games that have been played, if there are many more than before."""
        self._take(*played)
        if self._enough:
            self.work.stop()
            self._draw()
            self.board.say(self.board.picture.words)
        elif self.now.games >= max(MORE * self._drawn, 2):
            self._draw()
        return REST

    def _job(self, value: Value) -> Job:
        return Job(self.now.rules[value], self.agents, self.seed, True)

    # What is shown

    def refresh(self) -> None:
        """Make everything show what is asked for."""
        option = self.now.option
        self.options.value = option.name
        words = f"{capital(option.text)}{f' [{option.rule}]' if option.rule else ''}."
        if len(self.now.done) == 1:
            words += " This game's other options allow no other value, so there is nothing to compare."
        self.text.value = f"<div style='line-height: 1.35'>{escape(words)}</div>"
        self._draw()
        self.board.say(f"{option.name}: {option.text}.")

    def _draw(self) -> None:
        """Draw the games that there are."""
        self._drawn = self.now.games
        comparison = self.comparison
        if not self.now.what and self.now.games >= FEW:
            self.now = replace(self.now, what=self._clearest(comparison))
        self._list(comparison)
        self._report()
        self.board.show(self._picture(comparison))

    def _clearest(self, comparison: Comparison) -> str:
        """The rule that differs most clearly."""

        def clear(what: str) -> float:
            return max(abs(mean) / (half or 1) for mean, half in self._differences(what, comparison).values())

        return max(comparison.told() or countable(comparison), key=clear)

    def _differences(self, what: str, comparison: Comparison) -> dict[Value, tuple[float, float]]:
        """How much more there is with each value than with the value of this game, and how sure that is."""
        return {value: comparison.difference(what, value, self._own_value) for value in comparison.results}

    @property
    def _own_value(self) -> Value:
        """The value that this game has; the first one, if that is not compared."""
        own = self.game.options.get(self.now.option.name)
        return own if own in self.now.done else next(iter(self.now.done))

    def _list(self, comparison: Comparison) -> None:
        """The mean for each value of what can be counted, and then its name: the list may be too narrow for both."""
        whats = countable(comparison)
        columns = [column([comparison.sample(what, value).mean() for what in whats]) for value in comparison.results]
        means = [" | ".join(row) for row in zip(*columns, strict=True)]
        lines = [(f"{row}   {self._called(what)}", what) for row, what in zip(means, whats, strict=True)]
        with self.counted.hold_sync():
            self.counted.options = lines
            self.counted.value = self.now.what if self.now.what in whats else None
        values = " | ".join(map(str, self.now.done))
        words = f"On average in a game with<br><b>{escape(values)}</b>"
        self.columns.value = f"<div style='line-height: 1.35'>{words}</div>"

    def _called(self, what: str) -> str:
        return what if what in (SCORE, LENGTH) else f"{what} {self.comparison.title(what)}"

    def _report(self) -> None:
        """Say how far it is, and name the button for what it does."""
        busy, games = self.work.busy, self.now.games
        self.stop.description, self.stop.icon = ("Stop", "pause") if busy else ("Go on", "play")
        self.progress.value = f"{games:,} of {self.games:,} games with each value"

    def _picture(self, comparison: Comparison) -> Picture:
        """The distributions, a row for each value."""
        name = self.now.option.name
        what = self.now.what or SCORE
        apart = self._differences(what, comparison) if len(comparison) == len(self.now.done) else {}
        shown = []
        for place, value in enumerate(self.now.done):
            if value not in apart:
                shown.append(Sample(str(value), f"seat {place}", (), 0.0, 0.0))
                continue
            counts = comparison.sample(what, value)
            base = comparison.sample(what, self._own_value)
            remark = "as in this game" if value == self._own_value else difference(*apart[value], same(counts, base))
            mean, half = float(counts.mean()), half_width(counts)
            shown.append(Sample(str(value), f"seat {place}", counts.tolist(), mean, half, remark))
        return histograms(shown, f"{name}: {self._called(what)}", "in one game; the height is the share of the games")

    def still(self) -> tuple[Picture, str]:
        """The distributions, and all means."""
        comparison = self.comparison
        words = str(comparison) if len(comparison) == len(self.now.done) else "No game has been played yet."
        return self._picture(comparison), f"Compare {self.now.option.name} of {self.game.title}. {words}"


def count(played: GamesPiece | None) -> int:
    """How many games these are."""
    return len(played) if played else 0


def asked(game: Game, name: str) -> Comparing:
    """An option with the values that can be compared; by default the one of most, the number of players aside.

    A rule of one's own is compared, too: on and off.
    """
    known = {option.name: option for option in game.choices}
    possible: dict[str, dict[Value, Game]] = {
        option.name: {value: found for value in values(option, game) if (found := with_value(game, option.name, value))}
        for option in game.choices
    }
    for own in switches(game):
        known[own.name] = own
        others = [other.name for other in switches(game) if other.name != own.name]
        possible[own.name] = {ON: game, OFF: game.only(*others)}
    if name is None or isinstance(name, str) and not name:
        name = max(known, key=lambda other: (other != "players", len(possible[other])))
    if not isinstance(name, str) or name not in known:
        raise CrashlabError(f"there is no option {shown(name)}; the options are {', '.join(known)}")
    return Comparing(known[name], possible[name], dict.fromkeys(possible[name]))


def switches(game: Game) -> list[Option]:
    """The rules of one's own, each as an option that is on or off."""
    rules = game.house.rules if game.house else ()
    words = {text.name: " ".join(text.doc.split()).rstrip(".") for text in rules}
    return [Option(name, ON, (ON, OFF), f"a rule of your own: {said}") for name, said in words.items()]


def asked_of(compared: Mapping[str, Game], name: str) -> Comparing:
    """Rulebooks by their names, as if they were the values of an option."""
    if name not in ("", RULES):
        raise CrashlabError("named games are compared as they are: leave out the option")
    words = "the rulebooks that are compared, each with the same luck"
    rules: dict[Value, Game] = dict(compared.items())
    names = tuple(compared)
    return Comparing(Option(RULES, names[0], names, words), rules, dict.fromkeys(rules))


def values(option: Option, game: Game) -> list[Value]:
    """The values to compare: all, or some of very many, few of them large, the one of this game among them."""
    if game.house and option in game.house.options:
        own = number(game.options, option.name)
        return [value for value in range(own - NEAR, own + NEAR + 1) if value in option.values]
    every = [*option.values, *([None] if option.optional else [])]
    if len(every) <= MOST:
        return every
    own = every.index(game.options[option.name])
    places = {round(len(every) ** (place / (MOST - 2))) - 1 for place in range(MOST - 1)} | {own}
    return [every[place] for place in sorted(places)]


def with_value(game: Game, name: str, value: Value) -> Game | None:
    """The game with this value of an option; none where its other options do not allow it."""
    try:
        return game.changed(**{name: value})
    except CrashlabError:
        return None


def countable(comparison: Comparison) -> list[str]:
    """What can be counted in these games."""
    return [SCORE, LENGTH, *comparison.told()] if len(comparison) else []


def column(means: Sequence[float]) -> list[str]:
    """Means one below another, filled up with spaces that are as wide as a digit."""
    words = [f"{mean:.1f}" if mean < 100 else f"{mean:.0f}" for mean in means]
    wide = max(map(len, words), default=0)
    return [word.rjust(wide, DIGIT) for word in words]


def same(counts: Any, base: Any) -> bool:
    """Whether there are as many in every game that was played with both."""
    both = min(len(counts), len(base))
    return bool((counts[:both] == base[:both]).all())


def difference(mean: float, half: float, is_same: bool) -> str:
    """A difference in words."""
    if is_same:
        return "the same in every game"
    return f"{abs(mean):.2f} {plus_minus(half)} {'more' if mean >= 0 else 'less'}"
