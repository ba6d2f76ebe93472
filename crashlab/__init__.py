"""crashlab: board games about collisions, every change explained by its rule.

Words used throughout: a *game* makes *states*; a state is *played* and gives a *turn*; a turn is a list of *events*,
grouped in *beats* (events of one beat happen at the same time); every event cites its *rule* and its *cause*.
"""

from crashlab import interrupt as _interrupt  # noqa: F401  # first: it is about what takes its time

# isort: split
from importlib.metadata import version as _version
from typing import TYPE_CHECKING

from crashlab.actions import Action, Actions
from crashlab.chance import Dice, Random
from crashlab.comparison import Comparison, compare
from crashlab.differences import Differences, differ
from crashlab.duels import duel
from crashlab.errors import CrashlabError
from crashlab.exercises import check
from crashlab.happen import CHANCE
from crashlab.leagues.season import Season, league
from crashlab.match import Match
from crashlab.matrix import Duel
from crashlab.problems.problem import Problem, Puzzles, Today, puzzles, today
from crashlab.reviews.appraisal import Appraisal
from crashlab.reviews.reviewing import review
from crashlab.rulebook import Rule, Rulebook
from crashlab.simulation import Results, simulate
from crashlab.solving import Solution, solve
from crashlab.state import State, Turn
from crashlab.tablebase import Outcome, Tablebase, retrograde
from crashlab.tournaments import Standings, tournament
from crashlab.trials import Trial, try_rules
from crashlab.variant import Game, game
from crashlab.watch import Film, record
from crashlab.weighing import Worth, Worths, worths
from crashlab.why import Event

if TYPE_CHECKING:

    def games() -> tuple[str, ...]:
        """The names of all games."""
else:
    from crashlab import games

__version__ = _version("crashlab")
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
