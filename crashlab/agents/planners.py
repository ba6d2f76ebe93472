"""Agents that search with Monte Carlo methods (see `monte_carlo`)."""

from typing import Any

from crashlab.agents.base import Thinker, Thoughts, choices
from crashlab.agents.monte_carlo import FAR, Search, check, positive, reach
from crashlab.base.clock import looks
from crashlab.base.errors import whole
from crashlab.engine.chance import Random
from crashlab.engine.game import Game, State


@looks
class Planner(Thinker):
    """An agent that searches for some playouts or seconds, or tries a limited list of actions once in each world."""

    purpose = "search"

    def __init__(
        self,
        name: str,
        seed: int,
        settings: dict[str, Any],
        playouts: int = 1,
        seconds: float | None = None,
        max_actions: int | None = None,
    ) -> None:
        self.__name__, self._rng = name, Random(seed)
        whole("playouts", playouts)
        if seconds is not None:
            positive(seconds, "seconds")
        check(**settings)
        if max_actions is not None:
            whole("max_actions", max_actions)
        self._settings, self._playouts, self._seconds, self._max_actions = settings, playouts, seconds, max_actions

    def foresight(self, game: Game) -> int:
        """Return the number of decisions the agent looks ahead; NOWHERE if it looks to the end of the game."""
        return reach(game, self._settings["decisions"])

    def think(self, state: State, seat: int) -> Thoughts:
        """Return the statistics of each action tried."""
        only = None if self._max_actions is None else self._rng.shuffled(choices(state, seat))[: self._max_actions]
        search = Search(state, seat, self._rng.below(1 << 32), only=only, **self._settings)
        if only is not None:
            search.grow(len(only) * self._settings["worlds"])
        elif self._seconds is None:
            search.grow(self._playouts)
        else:
            search.grow_for(self._seconds)
        return search.thoughts()


def greedy(seed: int = 0, worlds: int = 4, decisions: int | None = 2, max_actions: int = 200) -> Thinker:
    """Return an agent that plays the action with the best mean lead a few decisions later, over sampled worlds.

    All actions are tried in the same worlds with the same luck. If more than `max_actions` are legal, the agent tries
    that many of them, drawn at random.

    Parameters
    ----------
    seed : int
        The same seed gives the same choices.
    worlds : int
        The number of sampled worlds.
    decisions : int | None
        The number of decisions it looks ahead; None for the end of the game.
    max_actions : int
        The most actions the agent tries; if more are legal, it draws some at random.

    Returns
    -------
    Thinker
        The agent.

    Examples
    --------
    >>> state = crashlab.game("autoscooter", players=2).read({"round": 11, "cars": {"1": "21E2", "2": "23SE2"}})
    >>> greedy(seed=1)(state, 0)
    <81 FFF>
    """
    settings = {"method": "flat", "decisions": decisions, "worlds": worlds, "value": "lead", "exploration": 0.0}
    return Planner("greedy", seed, settings, max_actions=max_actions)


def flat(
    seed: int = 0,
    playouts: int = 2000,
    seconds: float | None = None,
    decisions: int | str | None = FAR,
    worlds: int = 8,
    value: str = "lead",
) -> Thinker:
    """Return an agent that runs equally many playouts of all actions and plays the best on average (flat Monte Carlo).

    With `seconds`, the agent thinks for that long and ignores `playouts`; its games cannot be repeated exactly.

    Parameters
    ----------
    seed : int
        The same seed gives the same choices.
    playouts : int
        The number of playouts per decision.
    seconds : float | None
        The seconds per decision, instead of `playouts`.
    decisions : int | str | None
        The length of a playout in decisions; None for the end of the game.
    worlds : int
        The number of samples of hidden values.
    value : str
        The result to maximise: "lead" or "win".

    Returns
    -------
    Thinker
        The agent.

    Examples
    --------
    >>> state = crashlab.game("autoscooter", players=2).read({"round": 11, "cars": {"1": "21E2", "2": "23SE2"}})
    >>> flat(seed=1, playouts=200)(state, 0)
    <81 FFF>
    """
    settings = {"method": "flat", "decisions": decisions, "worlds": worlds, "value": value, "exploration": 0.0}
    return Planner("flat", seed, settings, playouts, seconds)


def mcts(
    seed: int = 0,
    playouts: int = 2000,
    seconds: float | None = None,
    decisions: int | str | None = FAR,
    worlds: int = 8,
    value: str = "lead",
    exploration: float | None = None,
) -> Thinker:
    """Return an agent that tries promising actions in more playouts and plays the most tried (Monte Carlo tree search).

    With `seconds`, the agent thinks for that long and ignores `playouts`; its games cannot be repeated exactly.

    Parameters
    ----------
    seed : int
        The same seed gives the same choices.
    playouts : int
        The number of playouts per decision.
    seconds : float | None
        The seconds per decision, instead of `playouts`.
    decisions : int | str | None
        The length of a playout in decisions; None for the end of the game.
    worlds : int
        The number of samples of hidden values.
    value : str
        The result to maximise: "lead" or "win".
    exploration : float | None
        The exploration constant; by default the best for the game.

    Returns
    -------
    Thinker
        The agent.

    Examples
    --------
    >>> state = crashlab.game("autoscooter", players=2).read({"round": 11, "cars": {"1": "21E2", "2": "23SE2"}})
    >>> mcts(seed=1, playouts=200)(state, 0)
    <81 FFF>
    """
    settings = {"method": "mcts", "decisions": decisions, "worlds": worlds, "value": value, "exploration": exploration}
    return Planner("mcts", seed, settings, playouts, seconds)
