"""Measure the value of game knowledge for a search: it plays a search without it, with equal time to think.

    python tests/tools/search_strength.py crash_city --games 20 --seconds 1

The plain search counts the score alone, plays at random below its tree, looks equally far in every game, and explores
more. Ours knows what a seat is near to (`evaluate`), plays on sensibly (`rollout_policy`), and only as far as pays off
(HORIZON).
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from multiprocessing import get_context

import crashlab
from crashlab.agents import Agent, mcts, warm
from crashlab.agents.monte_carlo import positive
from crashlab.base.errors import whole
from crashlab.base.workers import cores
from crashlab.engine import default_rules
from crashlab.engine.game import Action, Game, State
from crashlab.play.tournament import MOST_GAMES, Standings, tournament

OURS, PLAIN = "search", "plain search"
DECISIONS, EXPLORATION = 12, 1.0  # settings of the plain search


@dataclass
class Plain:
    """The plain search, as an agent of the same game."""

    seed: int
    seconds: float

    def __post_init__(self) -> None:
        self._thinker = mcts(self.seed, seconds=self.seconds, decisions=DECISIONS, exploration=EXPLORATION)

    def __call__(self, state: State, seat: int) -> Action:
        same = State(plain(state.game), state.table, state.luck, state.closed)
        return Action(state, seat, self._thinker(same, seat).code)


@cache
def plain(game: Game) -> Game:
    """Return the game without knowledge beyond its score."""
    return game.with_rules(default_rules.rollout_policy, default_rules.evaluate)


def strength(game: Game, games: int, seconds: float, seed: int = 1, progress: bool = True) -> Standings:
    """Play games between the two, each on both sides with the same luck, with these seconds for every decision."""
    whole("games", games, most=MOST_GAMES)
    positive(seconds, "seconds")
    for variant in (game, plain(game)):
        warm(variant)
    entrants = {OURS: partial(ours, seconds=seconds), PLAIN: partial(Plain, seconds=seconds)}
    with ProcessPoolExecutor(cores(), get_context("spawn")) as workers:
        return tournament(game, entrants, games, seed, workers, progress)


def ours(seed: int, seconds: float) -> Agent:
    return mcts(seed, seconds=seconds)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=1.0, help="time for each decision (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    print(strength(crashlab.game(arguments.game, players=2), arguments.games, arguments.seconds, arguments.seed))
