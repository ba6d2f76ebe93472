"""Ladders of built-in agents: for each game, agents of increasing strength for students to beat.

The agents are declared in `baselines.py` in the folder of a game. Their measured strength is stored in `ladder.json`
next to it; `tests/tools/measure_ladder.py` repeats the measurement.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from textwrap import wrap
from typing import Any

from crashlab.agents.base import Thinker, Thought, Thoughts, choices
from crashlab.agents.by_name import MAKERS
from crashlab.base.clock import looks
from crashlab.base.errors import CrashlabError, require, short_repr
from crashlab.base.statistics import ends, share_interval
from crashlab.drawing.html import CELL, PAPER, WHITE, element, table
from crashlab.engine.chance import Random
from crashlab.engine.contract import Baseline, Judge
from crashlab.engine.game import Action, Game, State
from crashlab.games import game as game_named

GAMES = Path(__file__).parent.parent / "games"
STORED = "ladder.json"
WIDTH = 60  # width of sentences in letters
LEFT = f"{WHITE}{CELL};text-align:left"


@looks
class Judging(Thinker):
    """An agent that plays the action with the best heuristic value, a random one in a tie."""

    def __init__(self, seed: int, game: str, judge: Judge) -> None:
        self.__name__ = judge.__name__
        self._rng, self._game, self._judge = Random(seed), game, judge

    def think(self, state: State, seat: int) -> Thoughts:
        """Return the heuristic value of each action, without playouts."""
        if isinstance(state, State) and state.game.name != self._game:
            raise CrashlabError(f"{self.__name__} plays {self._game}, not {state.game.name}")
        actions: list[Action] = self._rng.shuffled(choices(state, seat))
        judged = [Thought(action, 0, float(self._judge(state, seat, action)), math.inf) for action in actions]
        judged.sort(key=lambda row: row.value, reverse=True)
        return Thoughts(state, seat, tuple(judged), 0, "judged")


@dataclass(frozen=True)
class Step:
    """A built-in agent and its place on the ladder, from 1 for the weakest; `agent` is its full name.

    >>> step = ladder("autoscooter")["dice"]
    >>> step.place, step.agent, step.sentence
    (2, 'autoscooter/dice', 'Plots at random, every plot equally likely.')
    >>> crashlab.Match(crashlab.game("autoscooter", players=2), {0: step.agent, 1: "random"}, seed=1).run().over
    True
    """

    place: int
    name: str
    sentence: str
    game: str
    baseline: Baseline
    measured: dict[str, Any]  # empty if never measured

    @property
    def agent(self) -> str:
        """The full name of the agent, such as "autoscooter/nudger"."""
        return f"{self.game}/{self.name}"

    def make(self, seed: int = 0) -> Thinker:
        """Create the agent with a seed."""
        by = self.baseline.by
        thinker = MAKERS[by](seed, **self.baseline.settings) if isinstance(by, str) else Judging(seed, self.game, by)
        thinker.__name__ = self.agent
        return thinker

    @property
    def rating(self) -> str:
        """The rating with its 95 % interval, as text; "-" if not measured."""
        return f"{self.measured['rating']:.0f} ± {self.measured['half_width']:.0f}" if self.measured else "-"

    @property
    def against_the_one_below(self) -> str:
        """The score against the next weaker agent with a 95 % interval, a draw counting half; "-" if not measured."""
        points, games = self.measured.get("points", 0), self.measured.get("games", 0)
        return "-" if not games else f"{100 * points / games:.0f} % {ends(*share_interval(points, games))}"


class Ladder(Sequence[Step]):
    """The built-in agents for a game, weakest first.

    >>> ladder("autoscooter")
    <Ladder of autoscooter: wrecker, dice, ..., champion>
    >>> len(ladder("autoscooter")), ladder("autoscooter")["nudger"].place > 2
    (10, True)
    """

    def __init__(self, game: str, baselines: Sequence[Baseline], stored: dict[str, Any]) -> None:
        self.game, self.how = game, str(stored.get("how", "It was never measured."))
        records = stored.get("rungs", {})
        self._steps = tuple(
            Step(place, baseline.name, baseline.sentence, game, baseline, records.get(baseline.name, {}))
            for place, baseline in enumerate(baselines, 1)
        )

    def __len__(self) -> int:
        return len(self._steps)

    def __getitem__(self, which: Any) -> Any:
        if not isinstance(which, str):
            return self._steps[which]
        if which not in self._by_name:
            names = ", ".join(self._by_name)
            raise CrashlabError(f"there is no agent {short_repr(f'{self.game}/{which}')}; the ladder has {names}")
        return self._by_name[which]

    @cached_property
    def _by_name(self) -> dict[str, Step]:
        return {step.name: step for step in self._steps}

    def __repr__(self) -> str:
        names = [step.name for step in self]
        return f"<Ladder of {self.game}: {', '.join([*names[:2], '...', names[-1]])}>"

    def __str__(self) -> str:
        lines = [f"{self.game}: the built-in agents"]
        for step in reversed(self._steps):
            words = wrap(step.sentence, WIDTH)
            numbers = f"{step.rating:>11}  {step.against_the_one_below:18}"
            lines.append(f"{step.place:2}  {step.name:11} {numbers}  {words[0]}")
            lines += [" " * 49 + more for more in words[1:]]
        return "\n".join([*lines, *wrap(self.how, 100)])

    def _repr_html_(self) -> str:
        rows = (
            (str(step.place), step.agent, step.rating, step.against_the_one_below, step.sentence)
            for step in reversed(self._steps)
        )
        steps = table(HEADS, rows, LEFT, "border-collapse:collapse;font-size:13px", name_column=1)
        return element("div", steps, element("div", self.how), style=f"{PAPER};max-width:60em")


def strongest(game: Game, seconds: float) -> Thinker:
    """Return an agent like the strongest on a game's ladder, with a time in seconds for each decision.

    Without a ladder, or if its strongest agent is a heuristic, this is mcts.
    """
    baselines = game.baselines.BASELINES
    settings: dict[str, Any] = {}
    by = "mcts"
    if baselines and isinstance(baselines[-1].by, str):
        settings = {name: value for name, value in baselines[-1].settings.items() if name not in ENDS}
        if baselines[-1].by != by:  # flat replaces greedy, which takes no time limit, with greedy's defaults
            settings = {"worlds": 4, "decisions": 2} | settings if baselines[-1].by == "greedy" else settings
            by = "flat"
    return MAKERS[by](seconds=seconds, **settings)


ENDS = "playouts", "max_actions"  # settings that limit a search, replaced by its time
HEADS = ("", "agent", "rating", "wins against the one below", "what it does")


def ladder(game: str) -> Ladder:
    """Return the built-in agents for a game, weakest first; prints as a table of names, sentences and ratings.

    Their names are valid wherever an agent is given by name: `Match(game, {0: "autoscooter/nudger"})`.

    Parameters
    ----------
    game : str
        The name of the game.

    Returns
    -------
    Ladder
        The agents, indexed from 0 or by name.

    Examples
    --------
    >>> [step.name for step in ladder("crash_city")][:4]
    ['sleeper', 'dice', 'loafer', 'parker']
    >>> nudger = ladder("autoscooter")["nudger"].make(seed=1)
    >>> nudger(crashlab.game("autoscooter", players=2).read({"cars": {"1": "20E2", "2": "22E0"}}), 0)
    <1 FFF>
    """
    played = game_named(game)
    baselines = played.baselines.BASELINES
    require(baselines, f"{game} has no ladder: its folder has no file baselines.py")
    stored = GAMES / played.name / STORED
    return Ladder(game, baselines, json.loads(stored.read_text("utf-8")) if stored.is_file() else {})
