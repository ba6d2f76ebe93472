"""crashlab: board games about collisions, every change explained by its rule.

Words used throughout: a *game* creates *states*. Playing an action in a state gives a *turn*, a list of *events*.
Events are grouped in *beats*: the events of one beat happen at the same time. Every event cites its *rule* and its
*cause*.
"""

from crashlab.base import interrupt as _interrupt  # noqa: F401  # first: it lets Ctrl-C end the import
from crashlab.engine.game import Action, Actions, Event, Game, State, Turn

# isort: split
from importlib import import_module as _import_module
from typing import TYPE_CHECKING

from crashlab.analysis.action_values import Worth, Worths, worths
from crashlab.analysis.duel import duel
from crashlab.analysis.endgame import Solution, solve
from crashlab.analysis.matrix_game import Duel
from crashlab.analysis.puzzles.collection import Puzzles, Today, puzzles, today
from crashlab.analysis.puzzles.puzzle import Problem
from crashlab.analysis.review.appraisal import Appraisal
from crashlab.analysis.review.review import review
from crashlab.analysis.tablebase import Outcome, Tablebase, retrograde
from crashlab.base.errors import CrashlabError
from crashlab.course.exercises import check
from crashlab.engine.chance import Dice, Random
from crashlab.engine.rulebook import Rule, Rulebook
from crashlab.engine.table import CHANCE
from crashlab.games import game
from crashlab.play.comparison import Comparison, compare
from crashlab.play.league.season import Season, league
from crashlab.play.match import Match
from crashlab.play.rule_testing import Trial, try_rules
from crashlab.play.rulebook_difference import Differences, differ
from crashlab.play.simulation import Results, simulate
from crashlab.play.tournament import Standings, tournament
from crashlab.watch import Film, record

if TYPE_CHECKING:
    from crashlab import adapters as adapters
    from crashlab import agents as agents
    from crashlab import course as course
    from crashlab import lab as lab
    from crashlab import watch as watch

    __version__: str

    def games() -> tuple[str, ...]:
        """Return the names of all games."""
        ...
else:
    from crashlab import games

__all__ = [
    "CHANCE",
    "Action",
    "Actions",
    "Appraisal",
    "Comparison",
    "CrashlabError",
    "Dice",
    "Differences",
    "Duel",
    "Event",
    "Film",
    "Game",
    "Match",
    "Outcome",
    "Problem",
    "Puzzles",
    "Random",
    "Results",
    "Rule",
    "Rulebook",
    "Season",
    "Solution",
    "Standings",
    "State",
    "Tablebase",
    "Today",
    "Trial",
    "Turn",
    "Worth",
    "Worths",
    "check",
    "compare",
    "differ",
    "duel",
    "game",
    "games",
    "league",
    "puzzles",
    "record",
    "retrograde",
    "review",
    "simulate",
    "solve",
    "today",
    "tournament",
    "try_rules",
    "worths",
]


def load_ipython_extension(shell: object) -> None:
    """Register the magics `%watch` and `%%watch`; called by `%load_ext crashlab`."""
    from crashlab.lab.magics import Magics

    shell.register_magics(Magics)  # type: ignore[attr-defined]


_PACKAGES = ("adapters", "agents", "course", "lab", "watch")  # imported on first access


def __getattr__(name: str) -> object:
    if name in _PACKAGES:
        return _import_module(f"crashlab.{name}")
    if name == "__version__":
        from importlib.metadata import version

        return version("crashlab")
    raise AttributeError(f"module 'crashlab' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *_PACKAGES, "__version__"])
