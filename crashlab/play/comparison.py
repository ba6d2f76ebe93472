"""Comparison of house rules: games with the same seeds under different options or rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any, cast

from crashlab.agents import Agents
from crashlab.base.errors import CrashlabError, listed, require, short_repr
from crashlab.base.statistics import beams, half_width, noted, plus_minus
from crashlab.engine.game import Game
from crashlab.engine.options import Value
from crashlab.play.simulation import Results, axes_for, counted, simulate

if TYPE_CHECKING:
    from numpy.typing import NDArray

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#E69F00", "#CC79A7", "#56B4E9", "#000000", "#F0E442")  # by Okabe and Ito
RULES = "rules"  # the name of the option if rulebooks are compared
MOST_VALUES = 20  # most values compared by default
HATCHES = ("", "//", "..", "xx", "\\\\", "oo", "--", "++")  # distinguish bars without colour

WHOLE_GAMES: dict[str, Callable[[Results], Any]] = {  # statistics that do not depend on the rules
    "highest score": lambda results: results.scores.max(axis=1),
    "lowest score": lambda results: results.scores.min(axis=1),
    "decisions": lambda results: results.decisions,
}


class Comparison:
    """Results by the value of an option, or by the name of a rulebook, such as `comparison["none"]`.

    >>> game = crashlab.game("autoscooter", players=2)
    >>> comparison = crashlab.compare(game, "standstill", ["none", "about_face"], games=20)
    >>> comparison["none"].mean("AS-C4")
    2.9
    >>> lead, half = comparison.difference("AS-C4", "none", "about_face")
    >>> print(f"{lead:.1f} ± {half:.1f}")
    -0.3 ± 2.0
    """

    def __init__(self, game: Game, option: str, results: dict[Value, Results], is_whole: bool = True) -> None:
        self.game, self.option, self.results, self.is_whole = game, option, results, is_whole

    def __getitem__(self, value: Value) -> Results:
        try:
            return self.results[value]
        except Exception:  # not a key, or not even hashable
            words = f"{self.option}={short_repr(value)} is not among the values compared: {_listed(self.results)}"
            raise CrashlabError(words) from None

    def __len__(self) -> int:
        return len(self.results)

    def cited(self) -> list[str]:
        """Return the ids of the rules that notes cite in any of the results, in the order of the rulebook."""
        every = list(self.results.values())
        rules = dict.fromkeys(rule for results in every for rule in results.notes)
        return [rule for rule in rules if any(rule in results.notes and results.notes[rule].any() for results in every)]

    def title(self, rule: str) -> str:
        """Return the title of a rule; all titles if different rules of the user's own have the same id."""
        books = [results.game.rulebook for results in self.results.values()] or [self.game.rulebook]
        return " / ".join(dict.fromkeys(book[rule].title for book in books if rule in book))

    def sample(self, what: str, value: Value) -> NDArray[Any]:
        """Return an array of one value per game: a statistic in `WHOLE_GAMES`, or a count (`Results.column`)."""
        results = self[value]
        if isinstance(what, str) and what in WHOLE_GAMES:
            return cast("NDArray[Any]", WHOLE_GAMES[what](results))
        if isinstance(what, str) and self.title(what) and what not in results.game.rulebook:
            return results.decisions * 0  # only another of the rulebooks has this rule
        return results.column(what)

    def difference(self, what: str, value: Value, base: Value) -> tuple[float, float]:
        """Return the mean difference per game between two values, and the half-width of its 95 % interval.

        Games with the same number have the same luck, so the differences are taken game by game.
        """
        one, other = self.sample(what, value).astype(float), self.sample(what, base).astype(float)
        both = min(len(one), len(other))
        apart = one[:both] - other[:both]
        return float(apart.mean()), half_width(apart)

    def plot(self, *what: str, axes: Any = None) -> Any:
        """Draw bars with intervals, one colour for each value; return the Matplotlib axes."""
        names = list(what) or self.cited()
        for value in self.results if what else ():
            for name in names:
                self.sample(name, value)  # raises CrashlabError if it is not counted
        height = 0.8 / len(self)
        bars = axes_for(axes, 0.8 + 0.25 * len(names) * len(self))
        for place, (value, results) in enumerate(self.results.items()):
            bars.barh(
                [row + (place - (len(self) - 1) / 2) * height for row in range(len(names))],
                [self.sample(rule, value).mean() for rule in names],
                height,
                xerr=beams([half_width(self.sample(rule, value)) for rule in names]),
                label=f"{value} ({counted(len(results))})",
                color=COLOURS[place % len(COLOURS)],
                hatch=HATCHES[place % len(HATCHES)],
                edgecolor="white",
                ecolor="black",
                capsize=2,
            )
        bars.set_yticks(range(len(names)), [f"{name} {self.title(name)}".strip() for name in names])
        bars.invert_yaxis()
        bars.set_xlabel("a game, mean with 95 % interval")
        bars.legend(title=self.option)
        return bars

    def __str__(self) -> str:
        all_results = self.results.values()
        rows = [("", [str(value) for value in self.results]), ("games", [f"{len(one):,}" for one in all_results])]
        rows += [(name, self._cells(name)) for name in WHOLE_GAMES]
        for rule in self.cited():
            rows.append((f"{rule:6} {self.title(rule):34}", self._cells(rule)))
        width = max(16, *(len(cell) + 2 for _, cells in rows for cell in cells))
        lines = [f"{name:41}" + "".join(f"{cell:>{width}}" for cell in cells) for name, cells in rows]
        remark = "" if self.is_whole else " (stopped)"
        return "\n".join(noted([f"{self.game.title}: {self.option}; counts in a game, mean ± 95 %{remark}", *lines]))

    def _cells(self, what: str) -> list[str]:
        """Return the mean and its interval for each value, as text."""
        samples = [self.sample(what, value) for value in self.results]
        return [f"{sample.mean():.2f} {plus_minus(half_width(sample))}" for sample in samples]

    def __repr__(self) -> str:
        return f"<Comparison of {self.option}: {_listed(self.results)}>"

    def _repr_pretty_(self, page: Any, cycle: bool) -> None:
        page.text(str(self))  # shows the table in notebooks


def _listed(values: Any) -> str:
    return ", ".join(map(repr, values))


def compare(
    game: Game | Mapping[str, Game],
    option: str = "",
    values: Sequence[Value] | None = None,
    games: int = 2000,
    agents: Agents = "random",
    seed: int = 1,
    workers: int | Executor | None = None,
    progress: bool = True,
) -> Comparison:
    """Play games with each value of an option (by default all values, if they are few), with the same seeds.

    Constants of your own rules are options, as in `compare(mine, "FINE", [0, 1, 2, 3])`; rulebooks are compared by
    name, as in `compare({"the book": game, "mine": mine})`. On interruption, the values finished so far are compared.

    Parameters
    ----------
    game : Game | Mapping[str, Game]
        The game, or the games to compare, by name.
    option : str
        The name of the option, or of a constant of your own rules.
    values : Sequence[Value] | None
        The values of the option; by default all, if they are few.
    games : int
        The number of games for each value.
    agents : Agents
        The agent of all seats, by name or as a function; or a dict of agents by seat.
    seed : int
        The same seed gives the same numbers.
    workers : int | Executor | None
        The number of threads, an `Executor`, or a Dask client.
    progress : bool
        Whether to show a progress bar if the computation takes longer than a second.

    Returns
    -------
    Comparison
        The results by value.

    Examples
    --------
    >>> game = crashlab.game("autoscooter", players=2)
    >>> comparison = crashlab.compare(game, "standstill", games=20)
    >>> {value: results.mean("AS-C5") for value, results in comparison.results.items()}
    {'about_face': 30.75, 'pivot_first': 28.15, 'turn_anyway': 27.2, 'none': 36.1}
    """
    if isinstance(game, Mapping):
        require(
            not option and values is None,
            "compare() takes an option and values only for a single game, not for named games",
        )
        variants: Mapping[Any, Game] = rulebooks(game)
        option, game = RULES, next(iter(variants.values()))
    else:
        variants = by_value(game, option, values)
    results: dict[Value, Results] = {}
    for value, rules in variants.items():
        try:
            results[value] = simulate(rules, games, agents, seed, workers, progress=progress)
        except KeyboardInterrupt:  # before the first game of this value
            if not results:
                raise
            break
        if not results[value].is_whole:
            break
    is_whole = len(results) == len(variants) and all(one.is_whole for one in results.values())
    return Comparison(game, option, results, is_whole)


def rulebooks(variants: Mapping[str, Game]) -> dict[str, Game]:
    """Return the games as a dict; raise CrashlabError unless they vary one game for one number of players."""
    require(
        variants and all(isinstance(name, str) for name in variants),
        'give a dict of games by name, as in {"the book": game, "mine": mine}',
    )
    if wrong := [game for game in variants.values() if not isinstance(game, Game)]:
        raise CrashlabError(f"compare() compares games, not {short_repr(wrong[0])}")
    kinds = {(game.book, len(game.seats)) for game in variants.values()}
    if len(kinds) > 1:
        words = " and ".join(f"{book} for {seats}" for book, seats in sorted(kinds))
        raise CrashlabError(
            f"{words} cannot be compared: the games must be the same game for the same number of players"
        )
    return dict(variants)


def by_value(game: Game, option: str, values: Sequence[Value] | None) -> dict[Value, Game]:
    """Return the game with each value of an option; raise CrashlabError for an invalid value."""
    require(isinstance(game, Game), f"compare() takes a game, or a dict of games, not {short_repr(game)}")
    options = {choice.name: choice for choice in game.choices}
    require(
        isinstance(option, str) and option in options,
        f"there is no option {short_repr(option)}; the options are {', '.join(options)}",
    )
    choice = options[option]
    require(
        values is not None or len(choice.values) <= MOST_VALUES,
        f"option {option} can be {choice.allowed}: give the values to compare",
    )
    candidates = listed(choice.values if values is None else values)
    if isinstance(values, str) or candidates is None:
        raise CrashlabError(f"values={short_repr(values)}: give a list of values")
    require(candidates, f"option {option}: give at least one value to compare")
    return {value: game.changed(**{option: value}) for value in map(choice.settled, candidates)}
