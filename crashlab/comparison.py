"""What a house rule does: the same games from the same seed, with different values of one option."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any

from crashlab.agents import Agents
from crashlab.errors import CrashlabError, listed, shown
from crashlab.options import Option, Value
from crashlab.simulation import Results, axes_for, simulate
from crashlab.statistics import half_width
from crashlab.variant import Game

if TYPE_CHECKING:
    from numpy.typing import NDArray

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#E69F00", "#CC79A7", "#56B4E9", "#000000", "#F0E442")  # Okabe and Ito's
MOST_VALUES = 20  # that are compared without being asked for
HATCHES = ("", "//", "..", "xx", "\\\\", "oo", "--", "++")  # so that colour is not the only sign

WHOLE_GAMES: dict[str, Callable[[Results], Any]] = {  # what a table says of them, whatever the rules
    "highest score": lambda results: results.scores.max(axis=1),
    "lowest score": lambda results: results.scores.min(axis=1),
    "decisions": lambda results: results.decisions,
}


class Comparison:
    """Results by the value of one option. `results["none"]` are those of one value."""

    def __init__(self, game: Game, option: str, results: dict[Value, Results]) -> None:
        self.game, self.option, self.results = game, option, results

    def __getitem__(self, value: Value) -> Results:
        try:
            return self.results[value]
        except Exception:  # it is none of them, or cannot even be looked up
            words = f"{self.option}={shown(value)} is not compared; compared are {_listed(self.results)}"
            raise CrashlabError(words) from None

    def __len__(self) -> int:
        return len(self.results)

    def told(self) -> list[str]:
        """The rules that are told with any of the values, in the order of the rulebook."""
        every = list(self.results.values())
        return [rule for rule in every[0].notes if any(results.notes[rule].any() for results in every)]

    def sample(self, what: str, value: Value) -> NDArray[Any]:
        """A number for each game with this value: one of `WHOLE_GAMES`, or a count of its results."""
        known = isinstance(what, str) and what in WHOLE_GAMES
        found: NDArray[Any] = WHOLE_GAMES[what](self[value]) if known else self[value].column(what)
        return found

    def difference(self, what: str, value: Value, base: Value) -> tuple[float, float]:
        """How much more often it happens in a game with this value than with the other, and the 95 % half-width.

        Games of the same number begin with the same luck, so the difference is taken game by game.
        """
        one, other = self.sample(what, value).astype(float), self.sample(what, base).astype(float)
        both = min(len(one), len(other))
        apart = one[:both] - other[:both]
        return float(apart.mean()), half_width(apart)

    def plot(self, *what: str, axes: Any = None) -> Any:
        """Bars with intervals, one colour for each value; the Matplotlib axes."""
        shown = list(what) or self.told()
        for one in self.results.values() if what else ():
            for name in shown:
                one.column(name)  # refuses what is not counted
        height = 0.8 / len(self)
        bars = axes_for(axes, 0.8 + 0.25 * len(shown) * len(self))
        for place, (value, results) in enumerate(self.results.items()):
            bars.barh(
                [row + (place - (len(self) - 1) / 2) * height for row in range(len(shown))],
                [results.mean(rule) for rule in shown],
                height,
                xerr=[results.interval(rule) for rule in shown],
                label=f"{value} ({len(results):,} games)",
                color=COLOURS[place % len(COLOURS)],
                hatch=HATCHES[place % len(HATCHES)],
                edgecolor="white",
                ecolor="black",
                capsize=2,
            )
        book = self.game.rulebook
        bars.set_yticks(range(len(shown)), [f"{what} {book[what].title}" if what in book else what for what in shown])
        bars.invert_yaxis()
        bars.set_xlabel("a game, mean with 95 % interval")
        bars.legend(title=self.option)
        return bars

    def __str__(self) -> str:
        all_results = self.results.values()
        rows = [("", [str(value) for value in self.results]), ("games", [f"{len(one):,}" for one in all_results])]
        rows += [(name, self._cells(name)) for name in WHOLE_GAMES]
        for rule in self.told():
            title = self.game.rulebook[rule].title
            rows.append((f"{rule:6} {title:34}", self._cells(rule)))
        width = max(16, *(len(cell) + 2 for _, cells in rows for cell in cells))
        lines = [f"{name:41}" + "".join(f"{cell:>{width}}" for cell in cells) for name, cells in rows]
        return "\n".join([f"{self.game.title}: {self.option}; counts in a game, mean ± 95 %", *lines])

    def _cells(self, what: str) -> list[str]:
        """The mean with each value, and how sure it is."""
        samples = [self.sample(what, value) for value in self.results]
        return [f"{sample.mean():.2f} ± {half_width(sample):.2f}" for sample in samples]

    def __repr__(self) -> str:
        return f"<Comparison of {self.option}: {_listed(self.results)}>"

    def _repr_pretty_(self, page: Any, cycle: bool) -> None:
        page.text(str(self))  # so that a notebook shows the table


def _listed(values: Any) -> str:
    return ", ".join(map(repr, values))


def compare(
    game: Game,
    option: str,
    values: Sequence[Value] | None = None,
    games: int = 2000,
    agents: Agents = "random",
    seed: int = 1,
    workers: int | Executor | None = None,
    progress: bool = True,
) -> Comparison:
    """Play `games` with each value of an option (by default all its values, if they are few), from the same seed.

    When it is interrupted, the values that are done are compared.
    """
    if not isinstance(game, Game):
        raise CrashlabError(f"compare() changes an option of a game, not of {shown(game)}")
    known = {choice.name: choice for choice in game.choices}
    if not isinstance(option, str) or option not in known:
        raise CrashlabError(f"there is no option {shown(option)}; the options are {', '.join(known)}")
    wanted = chosen_values(known[option], values)
    changed = {value: game.changed(**{option: value}) for value in wanted}  # refuses wrong values before any game
    results: dict[Value, Results] = {}
    for value, rules in changed.items():
        try:
            results[value] = simulate(rules, games, agents, seed, workers, progress=progress)
        except KeyboardInterrupt:  # before anything of this value was done
            if not results:
                raise
            break
        if len(results[value]) < games:
            break
    return Comparison(game, option, results)


def chosen_values(option: Option, values: object) -> list[Value]:
    """The values that are compared: those given, or all."""
    if values is None and len(option.values) > MOST_VALUES:
        raise CrashlabError(f"option {option.name} can be {option.allowed}: give the values to compare")
    given = listed(option.values if values is None else values)
    if isinstance(values, str) or given is None:
        raise CrashlabError(f"values={shown(values)}: give a list of values")
    if not (wanted := [option.settled(value) for value in given]):
        raise CrashlabError(f"option {option.name}: give at least one value to compare")
    return wanted
