"""How strong the built-in agents are: each plays the two below it, and all get ratings with their intervals."""

from __future__ import annotations

from concurrent.futures import Executor
from typing import Any

from crashlab.agents.ladders import ladder
from crashlab.base.clock import UNLIMITED
from crashlab.base.errors import whole
from crashlab.base.ratings import ANCHORED, ratings
from crashlab.base.workers import executor_of
from crashlab.engine.chance import whole_seed
from crashlab.engine.game import Game
from crashlab.play.tournament import MOST_GAMES, PlayedGame, Standings, play_all, round_robin

REACH = 2  # how many places below it an agent plays


def measure(
    game: Game, games: int = 20, seed: int = 1, workers: Executor | None = None, progress: bool = True
) -> dict[str, Any]:
    """Let each agent of the ladder play `games` against each of the two below it, as in a tournament.

    What it gives can be stored: how it was measured, and for each agent its rating, the half width of the 95 %
    interval of its difference to `dice`, and its points in the games with the one below.

        >>> found = measure(crashlab.game("autoscooter", players=2), games=2, progress=False)  # doctest: +SKIP
        >>> found["rungs"]["champion"]["games"]  # doctest: +SKIP
        2
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
    return told(game, names, played, len(near), seed)


def told(game: Game, names: list[str], played: tuple[PlayedGame, ...], wanted: int, seed: int) -> dict[str, Any]:
    """What is stored."""
    standings = Standings(game, tuple(names), played, wanted, seed)
    stopped = f" (stopped; {wanted:,} were requested)" if len(played) < wanted else ""
    short = [name.partition("/")[2] for name in names]
    values, half_widths = ratings(standings.points, short.index("dice"))
    rungs = {}
    for place, name in enumerate(names):
        below = standings.between(name, names[place - 1]) if place else None
        rungs[short[place]] = {
            "rating": round(values[place]), "half_width": round(half_widths[place]),
            "points": below.wins + below.draws / 2 if below else 0,
            "games": below.wins + below.draws + below.losses if below else 0,
        }  # fmt: skip
    how = (
        f"Measured in {len(played):,} games of {game!r}{stopped}, each agent against the {REACH} below it, seed {seed}."
        f" Bradley-Terry on Elo's scale, dice has {ANCHORED}; ± and ( to ) are 95 % intervals."
    )
    return {"how": how, "rungs": rungs}
