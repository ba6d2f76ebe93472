"""Agents: functions `(view, seat) -> action`. Each maker creates an agent from a seed.

    random      any legal action, all equally likely
    greedy      the action with the best lead a few decisions ahead, in a few sampled worlds
    flat        equally many playouts of all actions: flat Monte Carlo
    mcts        more playouts of promising actions: Monte Carlo tree search
    alphabeta   minimax with alpha-beta pruning, a few decisions ahead
    expectimax  minimax with the outcomes of chance weighted by their probabilities

The last two are for two players with alternating turns and no secrets; in other games they raise CrashlabError.

The *lead* of a seat is its score minus the average of the others, in points; `lead(state, seat)` returns it. Before the
end of a game, the function `evaluate` of its rules can add part of the points within reach, as for a car near its work
in CrashCity.

Each game has a `ladder` of agents with names such as "autoscooter/nudger", weakest first.

`agent.think(state, seat)` returns the agent's Thoughts: the visits and the result of each action. The method `thoughts`
of a Search returns them at any time.
"""

from collections.abc import Callable, Mapping

from crashlab.agents.base import Thinker, Thought, Thoughts, lead
from crashlab.agents.by_name import MAKERS
from crashlab.agents.ladders import Ladder, Step, ladder
from crashlab.agents.minimax import alphabeta, expectimax
from crashlab.agents.monte_carlo import Search
from crashlab.agents.planners import flat, greedy, mcts
from crashlab.agents.uniform import random
from crashlab.base.errors import CrashlabError, require, short_repr
from crashlab.compiled import choose_backend
from crashlab.engine.game import Game, State
from crashlab.games import NAMES

Agent = Callable[[State, int], object]
"""A function (state, seat) -> action; the state is the seat's view, the action an Action or its notation.

    >>> def first(state, seat):
    ...     return state.actions(seat)[0]
    >>> crashlab.Match(crashlab.game("autoscooter", players=2), {0: first, 1: "random"}, seed=1).run().winners
    (0,)
"""

Agents = str | Agent | Mapping[int, str | Agent] | Mapping[str, str | Agent]
"""An agent or its name for all seats, or a dict of them by seat.

    >>> game = crashlab.game("autoscooter", players=2)
    >>> crashlab.Match(game, "random", seed=1).run().round, crashlab.Match(game, {0: "greedy"}).agents.keys()
    (12, dict_keys([0]))
"""


def agent(who: object, seed: int = 0) -> Agent:
    """Return the agent with a name, created with a seed; a function (state, seat) -> action is returned unchanged.

    Parameters
    ----------
    who : object
        The name of an agent, or a function.
    seed : int
        The seed of an agent given by name.

    Returns
    -------
    Agent
        The agent.

    Examples
    --------
    >>> state = crashlab.game("autoscooter", players=2).start(seed=7)
    >>> agent("random", seed=1)(state, 0), agent("autoscooter/nudger", seed=1)(state, 0)
    (<32 FLL>, <81 FR>)
    """
    if isinstance(who, str):
        game, is_of_the_house, name = who.partition("/")
        if is_of_the_house and game in NAMES:
            step: Step = ladder(game)[name]
            return step.make(seed)
        require(who in MAKERS, f"there is no agent {short_repr(who)}; the agents are {', '.join(MAKERS)}")
        return MAKERS[who](seed)
    if not callable(who):
        raise CrashlabError(
            f"an agent is a function (state, seat) -> action, or the name of one, not {short_repr(who)}"
        )
    return who


def names(game: Game) -> list[str]:
    """Return the names of the agents for a game: the general agents, then those on its ladder.

    Parameters
    ----------
    game : Game
        The game.

    Returns
    -------
    list[str]
        The names.

    Examples
    --------
    >>> names(crashlab.game("autoscooter"))[2:8]
    ['flat', 'mcts', 'alphabeta', 'expectimax', 'autoscooter/wrecker', 'autoscooter/dice']
    """
    return [*MAKERS, *(f"{game.name}/{rung.name}" for rung in game.baselines.BASELINES)]


def for_one_game(who: object, seed: int) -> Agent:
    """Return an agent for one game; a built-in agent plays with this seed, even if it is not given by name.

    Parameters
    ----------
    who : object
        The name of an agent, or an agent.
    seed : int
        The seed for this game.

    Returns
    -------
    Agent
        The agent.

    Examples
    --------
    >>> state = crashlab.game("autoscooter", players=2).start(seed=7)
    >>> who = random(seed=1)
    >>> for_one_game(who, seed=2)(state, 0), for_one_game(who, seed=2)(state, 0)
    (<81 FL>, <81 FL>)
    """
    result = agent(who, seed)
    return result.seeded(seed) if isinstance(result, Thinker) else result


def by_seat(game: Game, agents: Agents | None) -> dict[int, str | Agent]:
    """Check agents and return them by seat; return an empty dict for None.

    Parameters
    ----------
    game : Game
        The game.
    agents : Agents | None
        One agent for all seats, a dict for some, or None.

    Returns
    -------
    dict[int, str | Agent]
        The agents or names by seat.

    Examples
    --------
    >>> by_seat(crashlab.game("autoscooter", players=3), "greedy")
    {0: 'greedy', 1: 'greedy', 2: 'greedy'}
    """
    entries = agents if isinstance(agents, Mapping) else dict.fromkeys(game.seats, agents) if agents is not None else {}
    result: dict[int, str | Agent] = {}
    for name, who in entries.items():
        if (seat := game.seat(name)) in result:
            raise CrashlabError(f"seat {game.seat_name(seat)} has two agents; give it one")
        agent(who)
        result[seat] = who
    return result


def seated(game: Game, agents: Agents | None, seed: int = 0) -> dict[int, Agent]:
    """Return the agent of each seat that has one; agents given by name get different seeds.

    Parameters
    ----------
    game : Game
        The game.
    agents : Agents | None
        One agent for all seats, a dict for some, or None.
    seed : int
        The seed for seat 0; seat 1 gets seed + 1, and so on.

    Returns
    -------
    dict[int, Agent]
        The agents by seat.

    Examples
    --------
    >>> state = crashlab.game("autoscooter", players=3).start(seed=7)
    >>> {seat: who(state, seat) for seat, who in seated(state.game, {0: "random", 2: "random"}).items()}
    {0: <64 FL>, 2: <83 FL>}
    """
    return {seat: agent(who, seed + seat) for seat, who in by_seat(game, agents).items()}


def warm(game: Game) -> None:
    """Compile all searches for a game, or load them from the cache, and wait until they are ready.

    Parameters
    ----------
    game : Game
        The game.

    Examples
    --------
    >>> warm(crashlab.game("autoscooter", players=2))
    """
    choose_backend.warm(game, "search", "lookahead")


__all__ = [
    "MAKERS",
    "Agent",
    "Agents",
    "Ladder",
    "Search",
    "Step",
    "Thinker",
    "Thought",
    "Thoughts",
    "agent",
    "alphabeta",
    "by_seat",
    "expectimax",
    "flat",
    "for_one_game",
    "greedy",
    "ladder",
    "lead",
    "mcts",
    "names",
    "random",
    "seated",
    "warm",
]
