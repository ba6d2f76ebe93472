"""Many games at once as a vector environment of Gymnasium: one seat against agents, or all seats taking turns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from crashlab.adapters.batch import MOST_GAMES, Batch
from crashlab.adapters.episode import SEEDS, Episode, checked_seed
from crashlab.adapters.numbered_choices import MOST_SEED
from crashlab.agents import Agents, by_seat
from crashlab.base.errors import CrashlabError, listed, shown, whole
from crashlab.engine.game import Game, Seat, State
from crashlab.engine.table import NOWHERE

if TYPE_CHECKING:
    from crashlab.adapters.batch import Flags, Floats, Ints


def vector_env(
    start: Game | State,
    num_envs: int = 256,
    seat: Seat | None = 0,
    agents: Agents | None = None,
    utility: str = "lead",
    autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP,
    copy: bool = True,
) -> VectorGames:
    """A game or a position as a vector environment: in each game one seat learns, agents play the others.

    Observations, masks, rewards and numbers are those of `crashlab.adapters.gymnasium_env`. `infos["action_mask"]` says
    which numbers are legal. Where all seats learn, `infos["seat"]` says which one is asked, the reward is that of the
    seat that has just chosen, and `infos["rewards"]` has those of all seats.

    Parameters
    ----------
    start : Game | State
        The game, or the position in which every game begins.
    num_envs : int
        How many games are played at once.
    seat : Seat | None
        The seat that learns; None for every seat without an agent, one after the other.
    agents : Agents | None
        "random" or "greedy", for all others or by seat; by default all others are greedy.
    utility : str
        What is rewarded: "lead" or "share".
    autoreset_mode : AutoresetMode
        When the next game follows one that is done, as in Gymnasium.
    copy : bool
        Whether observations and masks are copied; if not, the next step overwrites them.

    Returns
    -------
    VectorGames
        The environment.

    Examples
    --------
    >>> games = vector_env(crashlab.game("autoscooter", players=2), num_envs=8)
    >>> observations, infos = games.reset(seed=1)
    >>> first = infos["action_mask"].argmax(axis=1)
    >>> observations, rewards, ended, truncated, infos = games.step(first)
    >>> rewards.shape, bool(ended.any())
    ((8,), False)
    """
    return VectorGames(start, num_envs, seat, agents, utility, autoreset_mode, copy)


class VectorGames(VectorEnv):
    """Many games at once."""

    def __init__(
        self, start: Game | State, num_envs: int, seat: Seat | None, agents: Agents | None, utility: str,
        autoreset_mode: AutoresetMode, copy: bool,
    ) -> None:  # fmt: skip
        self.num_envs = whole("num_envs", num_envs, most=MOST_GAMES)
        episode = Episode(start, utility, None)
        self.seat = None if seat is None else episode.game.seat(seat)
        if self.seat is not None:  # agents play all others
            given = by_seat(episode.game, "greedy" if agents is None else agents)
            agents = {episode.game.seat(other): who for other, who in given.items()}
            agents.pop(self.seat, None)
            if missing := [other for other in episode.game.seats if other not in {*agents, self.seat}]:
                raise CrashlabError(f"nobody plays {', '.join(map(episode.game.seat_name, missing))}: give an agent")
        self.batch = Batch(start, agents or {}, utility)
        if not isinstance(autoreset_mode, AutoresetMode):
            raise CrashlabError(f"autoreset_mode={shown(autoreset_mode)}: give one of gymnasium.vector.AutoresetMode")
        self.metadata = {"autoreset_mode": autoreset_mode}
        self.mode, self.copy = autoreset_mode, copy
        self.single_observation_space, self.single_action_space = episode.seen_space(), episode.action_space()
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._begun = False

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Ints, dict[str, Any]]:
        """Begin new games with seed, seed + 1 ... or with a list of seeds; the option reset_mask chooses some rows."""
        rows = self._masked(options)
        one = checked_seed(seed) if listed(seed) is None else None
        super().reset(seed=one)
        wanted = listed(seed) if one is None else [one + row for row in range(self.num_envs)]
        seeds = None if wanted is None else self._seeds(wanted, rows)
        if not self._begun:
            self.batch.reset(self.num_envs, int(self.np_random.integers(SEEDS)))
        if self._begun or seeds is not None:
            self.batch.begin(rows, seeds)
        self._begun = True
        return self._seen(), self._infos()

    def _masked(self, options: dict[str, Any] | None) -> Ints:
        """The rows that begin."""
        mask = (options or {}).get("reset_mask")
        if mask is None:
            return np.arange(self.num_envs)
        if not isinstance(mask, np.ndarray) or mask.shape != (self.num_envs,) or mask.dtype != np.bool_:
            raise CrashlabError(f"reset_mask={shown(mask)}: give an array of {self.num_envs} truth values")
        if not mask.any() or not (self._begun or mask.all()):
            raise CrashlabError("reset_mask: at least one game has to begin, and at first all")
        return np.flatnonzero(mask)

    def _seeds(self, wanted: Sequence[int | None], rows: Ints) -> Ints:
        """The seeds of these rows; None: the next one."""
        if len(wanted) != self.num_envs:
            raise CrashlabError(f"seed: give one for each of {self.num_envs} games, not {len(wanted)}")
        drawn = self.np_random.integers(SEEDS, size=self.num_envs)
        following = self.batch.seeds + self.num_envs if self._begun else drawn
        given = [following[row] if wanted[row] is None else wanted[row] for row in rows]
        return np.array([whole("seed", one, 0, most=MOST_SEED) for one in given])

    def step(self, actions: Any) -> tuple[Ints, Floats, Flags, Flags, dict[str, Any]]:
        """Play one choice in each game, and all that follows until a learner is asked again."""
        if not self._begun:
            raise CrashlabError("nothing is to be chosen: reset() begins new games")
        ended, chosen = self.batch.over, self.batch.asked.copy()
        if ended.any() and self.mode is AutoresetMode.DISABLED:
            row = int(ended.argmax())
            raise CrashlabError(f"game {row} is over: reset(options={{'reset_mask': ...}}) begins another one")
        self.batch.play(self._meant(np.asarray(actions), ended))
        rewards = self.batch.rewards.copy()
        rewards[ended] = 0.0
        over, infos = self.batch.over & ~ended, {}
        if ended.any():
            self.batch.begin(np.flatnonzero(ended))
        own = rewards[np.arange(self.num_envs), chosen if self.seat is None else self.seat]
        if over.any() and self.mode is AutoresetMode.SAME_STEP:
            infos = self._last(over, rewards)
            self.batch.begin(np.flatnonzero(over))
            rewards[over] = 0.0
        return self._seen(), own, over, np.zeros(self.num_envs, dtype=np.bool_), {**infos, **self._infos(rewards)}

    def _meant(self, numbers: Ints, ended: Flags) -> Ints:
        """The numbers that are meant: each that cannot be chosen is one that can; NOWHERE where a game has ended."""
        if numbers.shape != (self.num_envs,) or numbers.dtype.kind not in "iu":
            raise CrashlabError(f"give one whole number for each of {self.num_envs} games")
        masks, found = self.batch.masks, np.where(ended, NOWHERE, numbers).astype(np.int64)
        for row in np.flatnonzero(~ended & ((numbers < 0) | (numbers >= self.batch.width))):
            raise CrashlabError(f"game {row}: {numbers[row]} is not a number from 0 to {self.batch.width - 1}")
        for row in np.flatnonzero(~ended & (masks[np.arange(self.num_envs), found] == 0)):
            known = np.flatnonzero(masks[row])
            found[row] = known[found[row] % len(known)]
        return found

    def _seen(self) -> Ints:
        return self.batch.observations.copy() if self.copy else self.batch.observations

    def _infos(self, rewards: Floats | None = None) -> dict[str, Any]:
        """What is said of all games, each thing with for which of them."""
        masks = self.batch.masks
        told: dict[str, Any] = {"action_mask": masks.copy() if self.copy else masks}
        if self.seat is None:
            told["seat"] = self.batch.asked.copy()
            told["rewards"] = np.zeros((self.num_envs, len(self.batch.game.seats))) if rewards is None else rewards
        return {**told, **{f"_{name}": np.ones(self.num_envs, dtype=np.bool_) for name in told}}

    def _last(self, over: Flags, rewards: Floats) -> dict[str, Any]:
        """How the games ended that are followed by others in the same step."""
        seen = np.full(self.num_envs, None, dtype=object)
        for row in np.flatnonzero(over):
            seen[row] = self.batch.observations[row].copy()
        told = {name: thing.copy() for name, thing in self._infos(rewards).items()}
        for thing in told.values():
            thing[~over] = 0
        return {"final_obs": seen, "_final_obs": over.copy(), "final_info": told, "_final_info": over.copy()}
