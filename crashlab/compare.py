"""What a house rule does: the same games from the same seed, with different values of one option."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from typing import Any

from crashlab.game import Game
from crashlab.options import CrashlabError, Value
from crashlab.simulate import Agents, Results, half_width, simulate

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#E69F00", "#CC79A7", "#56B4E9", "#000000", "#F0E442")  # Okabe and Ito's
HATCHES = ("", "//", "..", "xx", "\\\\", "oo", "--", "++")  # so that colour is not the only sign


class Comparison:
    """Results by the value of one option. `results["none"]` are those of one value."""

    def __init__(self, game: Game, option: str, results: dict[Value, Results]) -> None:
        self.game, self.option, self.results = game, option, results

    def __getitem__(self, value: Value) -> Results:
        if value not in self.results:
            raise CrashlabError(f"{self.option}={value!r} is not compared; compared are {_listed(self.results)}")
        return self.results[value]

    def __len__(self) -> int:
        return len(self.results)

    def told(self) -> list[str]:
        """The rules that are told with any of the values, in the order of the rulebook."""
        every = list(self.results.values())
        return [rule for rule in every[0].notes if any(results.notes[rule].any() for results in every)]

    def difference(self, what: str, value: Value, base: Value) -> tuple[float, float]:
        """How much more often it happens in a game with this value than with the other, and the 95 % half-width.

        Games of the same number begin with the same luck, so the difference is taken game by game.
        """
        one, other = self[value].column(what).astype(float), self[base].column(what).astype(float)
        both = min(len(one), len(other))
        apart = one[:both] - other[:both]
        return float(apart.mean()), half_width(apart)

    def plot(self, *what: str, axes: Any = None) -> Any:
        """Bars with intervals, one colour for each value; the Matplotlib axes."""
        from matplotlib import pyplot

        shown = list(what) or self.told()
        height = 0.8 / len(self)
        bars = axes or pyplot.figure(figsize=(7, 0.8 + 0.25 * len(shown) * len(self)), layout="constrained").subplots()
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
        notes = next(iter(self.results.values())).notes
        bars.set_yticks(range(len(shown)), [f"{rule} {book[rule].title}" if rule in notes else rule for rule in shown])
        bars.invert_yaxis()
        bars.set_xlabel("a game, mean with 95 % interval")
        bars.legend(title=self.option)
        return bars

    def __str__(self) -> str:
        width = max(16, *(len(str(value)) + 2 for value in self.results))
        head = "".join(f"{value!s:>{width}}" for value in self.results)
        lines = [f"{self.game.title}: {self.option}; counts in a game, mean ± 95 %", f"{'':41}{head}"]
        lines.append(f"{'games':41}" + "".join(f"{len(results):>{width},}" for results in self.results.values()))
        lines.append(
            f"{'decisions':41}" + "".join(_cell(results.decisions, width) for results in self.results.values())
        )
        for rule in self.told():
            title = self.game.rulebook[rule].title
            cells = "".join(_cell(results.notes[rule], width) for results in self.results.values())
            lines.append(f"{rule:6} {title:34}{cells}")
        return "\n".join(lines)


def _cell(sample: Any, width: int) -> str:
    return f"{f'{sample.mean():.2f} ± {half_width(sample):.2f}':>{width}}"


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
    """So many games with each value of an option (by default all its values), from the same seed.

    When it is interrupted, the values that are done are compared.
    """
    if not isinstance(game, Game):
        raise CrashlabError(f"compare() changes an option of a game, not of {game!r}")
    known = {choice.name: choice for choice in game.choices}
    if option not in known:
        raise CrashlabError(f"there is no option {option!r}; the options are {', '.join(known)}")
    wanted = list(values) if values is not None else list(known[option].values)
    if not wanted:
        raise CrashlabError(f"option {option}: give at least one value to compare")
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
