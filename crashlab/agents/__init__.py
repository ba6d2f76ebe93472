"""Agents: functions `(state_as_seen, seat) -> action` that choose. Each maker here makes one from a seed.

    random      any legal action, all equally likely
    greedy      the action with the best lead a few decisions ahead, in a few imagined worlds
    flat        all actions played out equally often: flat Monte Carlo
    mcts        promising actions played out more often: Monte Carlo tree search
    alphabeta   every move and every reply, a few decisions ahead: minimax without what cannot matter
    expectimax  the same, with the outcomes of chance weighted by their probabilities

The last two are for two players who take turns and see everything; elsewhere they say why they cannot play.

A *lead* is how much better a seat stands than the others do on average, in points. A game can count in part what a
seat is near to (`evaluate` in its rules: in CrashCity a car near work), until the game is over.
`lead(state, seat)` says it.

For each game there is a `ladder` of agents with names, such as "autoscooter/nudger", the weakest first.

`agent.think(state, seat)` gives its Thoughts: what it tried how often, and what came of it. A Search gives them while
they grow.
"""

from collections.abc import Callable, Mapping

from crashlab import games
from crashlab.agents.base import Thinker, Thought, Thoughts, lead
from crashlab.agents.by_name import MAKERS
from crashlab.agents.ladders import Ladder, Step, ladder
from crashlab.agents.minimax import alphabeta, expectimax
from crashlab.agents.monte_carlo import Search
from crashlab.agents.planners import flat, greedy, mcts
from crashlab.agents.uniform import random
from crashlab.base.errors import CrashlabError, require, shown
from crashlab.compiled import choose_body
from crashlab.engine.game import Game, State

Agent = Callable[[State, int], object]
"""A function (state, seat) -> action; the state is as the seat sees it, the action one of its own, or its notation.

    >>> def first(state, seat):
    ...     return state.actions(seat)[0]
    >>> crashlab.Match(crashlab.game("autoscooter", players=2), {0: first, 1: "random"}, seed=1).run().winners
    (0,)
"""

Agents = str | Agent | Mapping[int, str | Agent] | Mapping[str, str | Agent]
"""One agent for all seats, or some by seat; also by name.

    >>> game = crashlab.game("autoscooter", players=2)
    >>> crashlab.Match(game, "random", seed=1).run().round, crashlab.Match(game, {0: "greedy"}).agents.keys()
    (12, dict_keys([0]))
"""


def agent(who: object, seed: int = 0) -> Agent:
    """The agent with this name, made with this seed, or the given function (state, seat) -> action itself.

    Parameters
    ----------
    who : object
        The name of an agent, or a function.
    seed : int
        The seed of an agent that is named.

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
        if is_of_the_house and game in games.NAMES:
            step: Step = ladder(game)[name]
            return step.make(seed)
        require(who in MAKERS, f"there is no agent {shown(who)}; the agents are {', '.join(MAKERS)}")
        return MAKERS[who](seed)
    if not callable(who):
        raise CrashlabError(f"an agent is a function (state, seat) -> action, or the name of one, not {shown(who)}")
    return who


def names(game: Game) -> list[str]:
    """The names by which agents can take a seat in this game, those of its ladder last.

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
    """The agent for one game; one of ours gets luck of its own, even if it is not given by name.

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
    found = agent(who, seed)
    return found.seeded(seed) if isinstance(found, Thinker) else found


def by_seat(game: Game, agents: Agents | None) -> dict[int, str | Agent]:
    """The agents by seat, checked: one for all seats, or a dict for some; empty if none is given.

    Parameters
    ----------
    game : Game
        The game.
    agents : Agents | None
        One agent for all seats, a dict for some, or None.

    Returns
    -------
    dict[int, str | Agent]
        The agents by seat, as they were given.

    Examples
    --------
    >>> by_seat(crashlab.game("autoscooter", players=3), "greedy")
    {0: 'greedy', 1: 'greedy', 2: 'greedy'}
    """
    given = agents if isinstance(agents, Mapping) else dict.fromkeys(game.seats, agents) if agents is not None else {}
    found: dict[int, str | Agent] = {}
    for name, who in given.items():
        if (seat := game.seat(name)) in found:
            raise CrashlabError(f"seat {game.seat_name(seat)} has two agents; give it one")
        agent(who)
        found[seat] = who
    return found


def seated(game: Game, agents: Agents | None, seed: int = 0) -> dict[int, Agent]:
    """The agent of each seat that has one; each given by name gets a seed of its own.

    Parameters
    ----------
    game : Game
        The game.
    agents : Agents | None
        One agent for all seats, a dict for some, or None.
    seed : int
        The seed of the first agent that is named; the next seats have the next seeds.

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
    """Compile all searches for this game, or read them from the disk, and wait for it.

    Parameters
    ----------
    game : Game
        The game.

    Examples
    --------
    >>> warm(crashlab.game("autoscooter", players=2))
    """
    choose_body.warm(game, "search", "lookahead")


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
