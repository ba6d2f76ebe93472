"""Games and positions as games of OpenSpiel.

The position is the state, and chance is explicit. Seats that decide at the same time choose together, or one after
the other without seeing each other's choices. The information state of a seat is a digest of its
past observations and choices, and its present view. Positions are cached, so that walking a tree again is fast.
"""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import blake2b
from itertools import accumulate
from typing import Any

import numpy as np
import pyspiel

from crashlab.adapters.numbered_choices import (
    FAR,
    WIDEST,
    PartialChoice,
    beginning,
    bounds,
    check_utility,
    utilities,
    width,
)
from crashlab.base.errors import require, short_repr
from crashlab.engine.chance import Random
from crashlab.engine.game import Game, State
from crashlab.engine.table import CHANCE, MOST_LETTERS

MODES = ("turns", "simultaneous")
DIGEST = 10  # bytes of a digest
SAMPLES = 1 << 53  # number of different values of OpenSpiel's sampler
REMEMBERED = 10_000  # cached steps, of a few thousand bytes each
SETTINGS: dict[str, tuple[object, ...]] = {}  # settings of the games registered here, by name


def pyspiel_game(name: str, start: Game | State, mode: str = "turns", utility: str = "lead") -> Any:
    """Register a game or a position with OpenSpiel, for `pyspiel.load_game(name)`.

    Parameters
    ----------
    name : str
        The name of the game in OpenSpiel.
    start : Game | State
        A position, or a game; a game has a parameter `seed` for its set-up ("name(seed=3)").
    mode : str
        "turns": one seat after the other, with pending choices hidden; "simultaneous": all current seats at once.
    utility : str
        At the end: the "lead" over the average of the others (sum zero), or the "share" of the win (sum one).

    Returns
    -------
    Any
        The game of OpenSpiel.

    Examples
    --------
    >>> game = crashlab.game("autoscooter", players=2)
    >>> last = game.read({"round": 11, "cars": {"1": "11SW3", "2": "41NW2"}})
    >>> spiel = pyspiel_game("last_round", last)
    >>> spiel.num_players(), spiel.new_initial_state().current_player()
    (2, 0)
    """
    require(
        isinstance(name, str) and re.fullmatch("[a-z][a-z0-9_]*", name),
        f"name={short_repr(name)}: use small letters, digits and underscores, with a letter first",
    )
    require(
        isinstance(mode, str) and mode in MODES, f"mode={short_repr(mode)}: choose one of {', '.join(map(repr, MODES))}"
    )
    require(not beginning(start).over, "the game is over")
    settings = (start, mode, check_utility(utility))
    if SETTINGS.get(name) != settings:
        require(
            name not in pyspiel.registered_names(), f"OpenSpiel already has a game named {name!r}; choose another name"
        )
        kind = kind_of(name, *settings)
        # A class: OpenSpiel would free a function after the interpreter has ended, and the process would abort.
        attributes = {"kind": kind, "start": start, "mode": mode, "utility": utility}
        pyspiel.register_game(kind, type(name, (Adapted,), attributes))
        SETTINGS[name] = settings
    return pyspiel.load_game(name)


def kind_of(name: str, start: Game | State, mode: str, utility: str) -> Any:
    """Return the description of a game for OpenSpiel."""
    game = start if isinstance(start, Game) else start.game
    kind, facts = pyspiel.GameType, game.facts
    is_open = not facts.secrets and (mode == "simultaneous" or not facts.simultaneous)
    return kind(
        short_name=name,
        long_name=f"{game.title} (crashlab)",
        dynamics=kind.Dynamics.SIMULTANEOUS if mode == "simultaneous" else kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC if facts.chance else kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.PERFECT_INFORMATION if is_open else kind.Information.IMPERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM if utility == "lead" else kind.Utility.CONSTANT_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=len(game.seats),
        min_num_players=len(game.seats),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"seed": 0} if isinstance(start, Game) else {},
    )


class Adapted(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """A game or a position as a game of OpenSpiel; each registered name gets a subclass."""

    kind: Any
    start: Game | State
    mode: str
    utility: str

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        self.root = PartialChoice(beginning(self.start, (params or {}).get("seed", 0)))
        game = self.root.state.game
        least, most = bounds(game, self.utility)
        longest = FAR if game.facts.longest is None else game.facts.longest
        info = pyspiel.GameInfo(
            num_distinct_actions=width(game),
            max_chance_outcomes=min(WIDEST, game.rules.MOST_ACTIONS) if game.facts.chance else 0,
            num_players=len(game.seats),
            min_utility=least,
            max_utility=most,
            utility_sum=0.0 if self.utility == "lead" else 1.0,
            max_game_length=longest * len(game.seats) * (1 if game.vocabulary else MOST_LETTERS),
        )
        super().__init__(self.kind, info, params or {})

    def new_initial_state(self) -> OpenSpielState:
        """Return the first state of the game."""
        return OpenSpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Return an observer of a player's view."""
        return Observer(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


class OpenSpielState(pyspiel.State):  # type: ignore[misc]
    """A `PartialChoice` as a state of OpenSpiel; `memory` holds a digest of each seat's observations and choices."""

    def __init__(self, game: Adapted) -> None:
        super().__init__(game)
        self.step, self.at_once, self.utility = game.root, game.mode == "simultaneous", game.utility
        self.memory = [bytes(DIGEST)] * len(game.root.state.game.seats)

    def current_player(self) -> Any:
        """Return the current seat, or OpenSpiel's id for chance, simultaneous decisions or the end of the game."""
        actors = self.step.actors
        if not actors:
            return pyspiel.PlayerId.TERMINAL
        return pyspiel.PlayerId.SIMULTANEOUS if self.at_once and len(actors) > 1 else self._seat()

    def _seat(self) -> Any:
        seat = self.step.actors[0]
        return pyspiel.PlayerId.CHANCE if seat == CHANCE else seat

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return not self.step.actors

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.step.options(player))  # OpenSpiel calls this for the current seats

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the indexes of the outcomes, with their probabilities."""
        return list(enumerate(self.step.state.odds().values()))

    def _apply_action(self, action: int) -> None:
        self._go({self.step.actors[0]: action})

    def _apply_actions(self, actions: list[int]) -> None:
        self._go({seat: actions[seat] for seat in self.step.actors})

    def _go(self, numbers: dict[int, int]) -> None:
        for seat, number in numbers.items():
            if seat != CHANCE:
                self.memory[seat] = digest(self.memory[seat], f"{seen(self.step, seat)} {number}")
        self.step = following(self.step, tuple(numbers.items()))
        if self.step.turn is not None:
            self.memory = [digest(old, news) for old, news in zip(self.memory, learned(self.step), strict=True)]

    def resample_from_infostate(self, player: int, sampler: Any) -> OpenSpielState:
        """Return a random state consistent with the information of this player."""
        rng = Random(int(sampler() * SAMPLES))
        step = PartialChoice(self.step.seen_by(player).guess(rng), {player: self.step.so_far(player)})
        for seat in [other for other, choice in self.step.begun.items() if other != player and choice.code is not None]:
            while seat in step.actors:
                step = step.after({seat: rng.choice(list(step.options(seat)))})
        node: OpenSpielState = self.clone()
        node.step = step
        return node

    def _action_to_string(self, player: int, action: int) -> str:
        if action in self.step.options(player):
            return self.step.word(player, action)
        state = self.step.state  # OpenSpiel may pass any number of a vocabulary
        return str(state.numbered(player, action)) if state.game.vocabulary else str(action)

    def returns(self) -> list[float]:
        """Return the utility of each player; zeros before the end."""
        return utilities(self.step.state, self.utility) if self.is_terminal() else [0.0] * len(self.memory)

    def __str__(self) -> str:
        game, step = self.step.state.game, self.step
        sentences = [f"{game.seat_name(seat)} chooses {step.so_far_said(seat)}" for seat in step.begun]
        return "; ".join([step.state.text, *sentences])


class Observer:
    """An observer of a player's view, as text and numbers; with perfect recall, includes a digest of the past."""

    def __init__(self, game: Adapted, kind: Any) -> None:
        self.public, self.recall = kind.public_info, kind.perfect_recall
        self.private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        sizes = {"player": len(game.root.state.game.seats), "seen": len(game.root.observation(None))}
        if self.recall:
            sizes["memory"] = DIGEST
        self.tensor = np.zeros(sum(sizes.values()), dtype=np.float32)
        ends = list(accumulate(sizes.values()))
        self.dict = {name: self.tensor[end - sizes[name] : end] for name, end in zip(sizes, ends, strict=True)}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Write the view of a player into the tensor."""
        self.dict["player"][:] = [player == seat for seat in range(len(self.dict["player"]))]
        observation = state.step.observation(player if self.private else None)
        self.dict["seen"][:] = (
            observation if self.public else np.where(observation == state.step.observation(None), 0, observation)
        )
        if self.recall:
            self.dict["memory"][:] = list(state.memory[player])

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """Return the view of a player as text."""
        if not self.private:
            return state.step.seen_by(None).text if self.public else ""
        if not self.public:  # private: the values hidden from others, and the pending choice
            private, everybody = (state.step.seen_by(one).table.rows() for one in (player, None))
            rows = zip(state.step.state.table.NAMES, private, everybody, strict=True)
            pending = state.step.so_far_said(player) if len(state.step.state.actors) > 1 else ""
            return " ".join([*(f"{name} {mine}" for name, mine, public in rows if mine != public), pending]).strip()
        now = f"{state.step.state.game.seat_name(player)}: {seen(state.step, player)}"
        return f"{state.memory[player].hex()} {now}" if self.recall else now


@lru_cache(maxsize=REMEMBERED)
def following(step: PartialChoice, numbers: tuple[tuple[int, int], ...]) -> PartialChoice:
    """Return the step after these choices, (seat, number) pairs, with its turn."""
    return step.after(dict(numbers), watched=True)


@lru_cache(maxsize=REMEMBERED)
def learned(step: PartialChoice) -> list[str]:
    """Return one text per seat: the events it sees in the turn that led to this step."""
    assert step.turn is not None
    return ["\n".join(map(str, step.turn.seen_by(seat))) for seat in step.state.game.seats]


@lru_cache(maxsize=REMEMBERED)
def seen(step: PartialChoice, seat: int) -> str:
    """Return the view of a seat, and its partial choice."""
    pending = step.so_far_said(seat)
    return "; ".join([step.seen_by(seat).text, *([f"> {pending}"] if pending else [])])


def digest(memory: bytes, news: str) -> bytes:
    """Return the digest of the past extended by news."""
    return blake2b(memory + news.encode(), digest_size=DIGEST).digest()
