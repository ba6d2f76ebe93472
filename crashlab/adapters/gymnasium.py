"""Environments of Gymnasium: one seat of a game against agents."""

from __future__ import annotations

from typing import Any

import gymnasium

from crashlab.adapters.episode import METADATA, Episode, checked_seed
from crashlab.agents import Agent, Agents, by_seat, seated
from crashlab.base.errors import CrashlabError, require
from crashlab.engine.game import Game, Seat, State
from crashlab.play.match import answer


def gymnasium_env(
    start: Game | State,
    seat: Seat = 0,
    agents: Agents = "greedy",
    utility: str = "lead",
    render_mode: str | None = None,
) -> OneSeat:
    """Return a game or a position as an environment: one seat learns, agents play the others.

    An observation is the view of the seat; `info["action_mask"]` is the mask of legal numbers.
    `crashlab.adapters.episode` describes rewards, masks and numbers. Render modes are "ansi" and "rgb_array".

    Parameters
    ----------
    start : Game | State
        The game, or the first position of every game.
    seat : Seat
        The seat that learns.
    agents : Agents
        The agent for all other seats, or a dict of agents by seat.
    utility : str
        The reward: "lead" or "share".
    render_mode : str | None
        "ansi", "rgb_array", or None.

    Returns
    -------
    OneSeat
        The environment.

    Examples
    --------
    >>> env = gymnasium_env(crashlab.game("autoscooter", players=2), seat="A", agents="random")
    >>> observation, info = env.reset(seed=1)
    >>> observation, reward, done, cut, info = env.step(int(info["action_mask"].argmax()))
    >>> reward, done
    (0.0, False)
    """
    return OneSeat(Episode(start, utility, render_mode), seat, agents)


class OneSeat(gymnasium.Env):
    """A learning seat against agents."""

    metadata = METADATA

    def __init__(self, episode: Episode, seat: Seat, agents: Agents) -> None:
        self.episode, self.render_mode = episode, episode.render_mode
        self.seat = episode.game.seat(seat)
        self.other_agents = {other: who for other, who in by_seat(episode.game, agents).items() if other != self.seat}
        missing = [other for other in episode.game.seats if other not in {*self.other_agents, self.seat}]
        require(not missing, f"no agent plays {', '.join(map(episode.game.seat_name, missing))}: give one in agents=")
        self.agents: dict[int, Agent] = {}
        self.paid = 0.0  # the seat's utility up to which rewards have been returned
        self.observation_space, self.action_space = episode.seen_space(), episode.action_space()

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        """Start a new game, and play until the seat decides; return the observation and the info."""
        seed = checked_seed(seed)
        super().reset(seed=seed)
        self.agents = seated(self.episode.game, self.other_agents, self.episode.begin(seed))
        self.paid = self.episode.worth()[self.seat]
        self._until_asked()
        if self.episode.step.state.over:
            name = self.episode.game.seat_name(self.seat)
            raise CrashlabError(f"the game is over before {name} decides anything; choose another seat")
        return self._observed()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play the seat's choice until the seat decides again; return observation, reward, over, False and info."""
        require(
            self.agents and self.seat in self.episode.step.actors,
            "there is nothing to choose: call reset() to start a new game",
        )
        self.episode.play({self.seat: action})
        self._until_asked()
        before, self.paid = self.paid, self.episode.worth()[self.seat]
        observation, info = self._observed()
        return observation, self.paid - before, self.episode.step.state.over, False, info

    def _until_asked(self) -> None:
        """Let the other seats play until only the learning seat must choose, or the game is over."""
        while others := [actor for actor in self.episode.step.actors if actor != self.seat]:
            state = self.episode.step.state
            codes = {other: state.legal_code(other, answer(self.agents[other], state, other)) for other in others}
            self.episode.step = self.episode.past_chance(self.episode.step.taken(codes))

    def _observed(self) -> tuple[Any, dict[str, Any]]:
        return self.episode.step.observation(self.seat), {"action_mask": self.episode.mask(self.seat)}

    def action_masks(self) -> Any:
        """Return the mask of legal numbers as bools, for sb3-contrib."""
        return self.episode.mask(self.seat).astype(bool)

    def render(self) -> Any:
        """Return the position as text or pixels, or None without a render mode."""
        return self.episode.render()
