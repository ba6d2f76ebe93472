"""Environments of PettingZoo: a learner at every seat, acting in turn or in parallel.

An observation is a dict of the seat's view ("observation") and the mask of its choices ("action_mask").
`crashlab.adapters.episode` describes rewards, masks and numbers.
"""

from __future__ import annotations

from typing import Any

from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv

from crashlab.adapters.episode import METADATA, Episode
from crashlab.base.errors import CrashlabError, require
from crashlab.engine.game import Game, State

ByAgent = dict[str, Any]


def pettingzoo_env(start: Game | State, utility: str = "lead", render_mode: str | None = None) -> InTurns:
    """Return a game or a position as an AEC environment: the seats choose one after the other.

    In a simultaneous decision a seat does not see the choices of the others. A reward is the growth of the "lead" over
    the average of the others, or at the end the "share" of the win. Render modes are "ansi" and "rgb_array".

    Parameters
    ----------
    start : Game | State
        The game, or the first position of every game.
    utility : str
        The reward: "lead" or "share".
    render_mode : str | None
        "ansi", "rgb_array", or None.

    Returns
    -------
    InTurns
        The environment.

    Examples
    --------
    >>> env = pettingzoo_env(crashlab.game("autoscooter", players=2))
    >>> env.reset(seed=1)
    >>> env.agent_selection, sorted(env.last()[0])
    ('seat_0', ['action_mask', 'observation'])
    """
    return InTurns(Episode(start, utility, render_mode))


def parallel_env(start: Game | State, utility: str = "lead", render_mode: str | None = None) -> AtOnce:
    """Return a game or a position as a parallel environment: all current seats act together while the others wait.

    Parameters
    ----------
    start : Game | State
        The game, or the first position of every game.
    utility : str
        The reward: "lead" or "share".
    render_mode : str | None
        "ansi", "rgb_array", or None.

    Returns
    -------
    AtOnce
        The environment.

    Examples
    --------
    >>> env = parallel_env(crashlab.game("autoscooter", players=2))
    >>> observations, infos = env.reset(seed=1)
    >>> env.agents
    ['seat_0', 'seat_1']
    """
    return AtOnce(Episode(start, utility, render_mode))


class Seats:
    """The common part of both environments: agents, spaces and pictures."""

    def __init__(self, episode: Episode) -> None:
        self.episode, self.render_mode = episode, episode.render_mode
        self.metadata = {**METADATA, "name": f"crashlab_{episode.game.name}", "is_parallelizable": True}
        self.possible_agents = [f"seat_{seat}" for seat in episode.game.seats]
        self.seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        self.state_space = episode.table_space()
        self.action_spaces = {agent: episode.action_space() for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict({"observation": episode.seen_space(), "action_mask": spaces.MultiBinary(episode.width)})
            for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's choices."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return the view of an agent and the mask of its choices."""
        seat = self.seats[agent]
        return {"observation": self.episode.step.observation(seat), "action_mask": self.episode.mask(seat)}

    def rewarded(self, numbers: dict[int, Any]) -> dict[str, float]:
        """Play choices, given as numbers by seat, and return the rewards by agent."""
        before = self.episode.worth()
        self.episode.play(numbers)
        gains = [now - old for now, old in zip(self.episode.worth(), before, strict=True)]
        return dict(zip(self.possible_agents, gains, strict=True))

    def check_begun(self) -> None:
        """Raise CrashlabError before the first game and after the end of a game."""
        require(self.agents, "there is nothing to choose: call reset() to start a new game")

    def by_agent(self, value: Any) -> dict[str, Any]:
        """Return a dict with this value, or the result of calling it, for each agent."""
        return {agent: value() if callable(value) else value for agent in self.possible_agents}

    def state(self) -> Any:
        """Return all values of the table, secrets included."""
        return self.episode.everything()

    def render(self) -> Any:
        """Return the position as text or pixels, or None without a render mode."""
        return self.episode.render()

    def close(self) -> None:
        """Do nothing, as there are no resources to release."""


class InTurns(Seats, AECEnv):  # type: ignore[misc]  # PettingZoo's types are ignored
    """The environment in which agents act one after the other."""

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        """Start a new game."""
        self.episode.begin(seed)
        self.agents = self.possible_agents[:]
        self.rewards, self._cumulative_rewards = self.by_agent(0.0), self.by_agent(0.0)
        self.terminations, self.truncations, self.infos = (
            self.by_agent(False),
            self.by_agent(False),
            self.by_agent(dict),
        )
        self._select()

    def _select(self) -> None:
        actors = self.episode.step.actors
        self.agent_selection = self.possible_agents[actors[0]] if actors else self.agents[0]
        if not actors:
            self.terminations = self.by_agent(True)

    def step(self, action: Any) -> None:
        """Play the choice of the selected agent."""
        self.check_begun()
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.rewards = self.rewarded({self.seats[agent]: action})
        self._accumulate_rewards()
        self._select()


class AtOnce(Seats, ParallelEnv):  # type: ignore[misc]
    """The environment in which all agents act at once."""

    def reset(self, seed: int | None = None, options: Any = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """Start a new game; return the observations and the infos by agent."""
        self.episode.begin(seed)
        self.agents = self.possible_agents[:]
        return {agent: self.observe(agent) for agent in self.agents}, self.by_agent(dict)

    def step(self, actions: dict[str, Any]) -> tuple[ByAgent, ByAgent, ByAgent, ByAgent, ByAgent]:
        """Play the actions of the agents to move; return observations, rewards, terminations, truncations and infos."""
        self.check_begun()
        actors = [self.possible_agents[seat] for seat in self.episode.step.actors]
        if missing := [agent for agent in actors if agent not in actions]:
            raise CrashlabError(f"no action is given for {', '.join(missing)}")
        rewards = self.rewarded({self.seats[agent]: actions[agent] for agent in actors})
        over = self.episode.step.state.over
        self.agents = [] if over else self.agents
        observations = {agent: self.observe(agent) for agent in self.possible_agents}
        return observations, rewards, self.by_agent(over), self.by_agent(False), self.by_agent(dict)
