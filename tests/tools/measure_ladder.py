"""Measure the strength of the built-in agents: each plays the two below it, and all get ratings with intervals.

python tests/tools/measure_ladder.py GAME crashlab/games/GAME/ladder.json --games 20
"""

from __future__ import annotations

import argparse
import json
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

import crashlab
from crashlab.agents.ladders import Ladder, ladder
from crashlab.base.clock import UNLIMITED
from crashlab.base.errors import whole
from crashlab.base.ratings import ANCHORED, ratings
from crashlab.base.workers import executor_of
from crashlab.engine.chance import whole_seed
from crashlab.engine.game import Game
from crashlab.play.tournament import MOST_GAMES, PlayedGame, Standings, play_all, round_robin

REACH = 2  # rungs down to the weakest opponent of an agent


def measure(
    game: Game, games: int = 20, seed: int = 1, workers: Executor | None = None, progress: bool = True
) -> dict[str, Any]:
    """Let each agent of the ladder play `games` against each of the two below it, as in a tournament.

    The result can be stored: how it was measured, and for each agent its rating, the half width of the 95 % interval of
    its difference to `dice`, and its points in the games with the agent below it.
    """
    games, seed = whole("games", games, most=MOST_GAMES), whole_seed(seed)
    names = [step.agent for step in ladder(game.name)]
    entrants = {name: name for name in names}
    near = [
        job
        for job in round_robin(game, entrants, games, seed, UNLIMITED)
        if abs(names.index(job.sides[0][0]) - names.index(job.sides[1][0])) <= REACH
    ]
    played = play_all(near, executor_of(workers), progress)
    return document(game, names, played, len(near), seed)


def document(game: Game, names: list[str], played: tuple[PlayedGame, ...], requested: int, seed: int) -> dict[str, Any]:
    """Return the JSON to store."""
    standings = Standings(game, tuple(names), played, requested, seed)
    stopped = f" (stopped; {requested:,} were requested)" if len(played) < requested else ""
    short = [name.partition("/")[2] for name in names]
    values, half_widths = ratings(standings.points, short.index("dice"))
    rungs = {}
    for place, name in enumerate(names):
        below = standings.between(name, names[place - 1]) if place else None
        rungs[short[place]] = {
            "rating": round(values[place]),
            "half_width": round(half_widths[place]),
            "points": below.wins + below.draws / 2 if below else 0,
            "games": below.wins + below.draws + below.losses if below else 0,
        }
    how = (
        f"Measured in {len(played):,} games of {game!r}{stopped}, each agent against the {REACH} below it, seed {seed}."
        f" Bradley-Terry on Elo's scale, dice has {ANCHORED}; ± and ( to ) are 95 % intervals."
    )
    return {"how": how, "rungs": rungs}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("file", type=Path)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=20, help="of each agent against the two below it (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    played_by = crashlab.game(arguments.game, players=arguments.players)
    result = measure(played_by, arguments.games, arguments.seed)
    arguments.file.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(Ladder(arguments.game, played_by.baselines.BASELINES, result))
