"""Consecutive games with learners: the common part of the environments of Gymnasium and PettingZoo.

An `Episode` plays the decisions of chance. A reward is the growth of the lead since the last reward, or the share of
the win at the end. Learners choose by number, with a mask of the legal numbers (`crashlab.adapters.numbered_choices`).
An illegal number is taken modulo the number of legal ones, so that learners without masks can play.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces

from crashlab.adapters.numbered_choices import MOST_SEED, PartialChoice, beginning, check_utility, utilities, width
from crashlab.base.errors import CrashlabError, integer, require, short_repr, whole
from crashlab.engine.chance import Random
from crashlab.engine.game import Game, State
from crashlab.engine.observation import observed
from crashlab.engine.table import CHANCE, HIDDEN, MOST_LETTERS, NOT_CHOSEN

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from crashlab.adapters.numbered_choices import Ints

    Mask = NDArray[np.int8]

RENDER_MODES = ("ansi", "rgb_array")
METADATA = {"render_modes": list(RENDER_MODES), "render_fps": 2}
SEEDS = 1 << 31  # number of seeds to draw from by default


def checked_seed(seed: object) -> int | None:
    """Return a checked seed as an int, or None for the next seed."""
    return None if seed is None else whole("seed", seed, 0, most=MOST_SEED)


class Episode:
    """A game that learners play repeatedly, from its set-up or from a position."""

    def __init__(self, start: Game | State, utility: str, render_mode: str | None) -> None:
        require(not beginning(start).over, "the game is over")
        require(
            render_mode is None or (isinstance(render_mode, str) and render_mode in RENDER_MODES),
            f"render_mode={short_repr(render_mode)}: choose None, 'ansi' or 'rgb_array'",
        )
        self.start, self.utility, self.render_mode = start, check_utility(utility), render_mode
        self.game = start if isinstance(start, Game) else start.game
        self.width = width(self.game)
        self.step = PartialChoice(beginning(start))
        self.dice, self.seeds = Random(0), Random(int(np.random.default_rng().integers(SEEDS)))

    def begin(self, seed: int | None) -> int:
        """Start a new game with this seed, or with the next one if it is None; return the seed used."""
        seed = checked_seed(seed)
        if seed is None:
            seed = self.seeds.below(SEEDS)
        else:
            self.seeds = Random(seed)
        self.dice = Random(seed).split("chance")
        self.step = self.past_chance(PartialChoice(beginning(self.start, seed)))
        return seed

    def past_chance(self, step: PartialChoice) -> PartialChoice:
        """Play decisions of chance until a seat decides or the game is over; return that step."""
        while step.actors == (CHANCE,):
            step = PartialChoice(step.state.sample(self.dice).after)
        return step

    def play(self, numbers: dict[int, Any]) -> None:
        """Play choices, given as numbers by seat, and the decisions of chance that follow."""
        self.step = self.past_chance(self.step.after({seat: self.meant(seat, numbers[seat]) for seat in numbers}))

    def meant(self, seat: int, number: object) -> int:
        """Return a legal number unchanged, or an illegal one mapped to a legal one (modulo their count)."""
        value, options = integer(number), list(self.step.options(seat))
        if value is None or not 0 <= value < self.width:
            raise CrashlabError(f"{short_repr(number)} is not a number from 0 to {self.width - 1}")
        return value if value in self.step.options(seat) else options[value % len(options)]

    def worth(self) -> list[float]:
        """Return the current utility of each seat; a reward is its growth. A "share" is 0 before the end."""
        is_counted = self.step.state.over or self.utility == "lead"
        return utilities(self.step.state, self.utility) if is_counted else [0.0] * len(self.game.seats)

    def mask(self, seat: int) -> Mask:
        """Return the mask of the numbers that a seat can choose; if the seat must wait, only 0 is legal."""
        mask = np.zeros(self.width, dtype=np.int8)
        mask[list(self.step.options(seat)) or [0]] = 1
        return mask

    def everything(self) -> Ints:
        """Return all values of the table, secrets included."""
        return observed(self.step.state.table)

    def table_space(self) -> Any:
        """Return the space of a table's values, including HIDDEN."""
        low = [min(field.low, HIDDEN) for field in self.game.observation for _ in range(field.size)]
        high = [field.high for field in self.game.observation for _ in range(field.size)]
        return spaces.Box(np.array(low), np.array(high), dtype=np.int64)

    def seen_space(self) -> Any:
        """Return the space of observations: the table and the letters chosen."""
        table = self.table_space()
        low, high = [NOT_CHOSEN] * MOST_LETTERS, [self.width - 1] * MOST_LETTERS
        return spaces.Box(np.append(table.low, low), np.append(table.high, high), dtype=np.int64)

    def action_space(self) -> Any:
        """Return the space of choices."""
        return spaces.Discrete(self.width)

    def render(self) -> Any:
        """Return the position as text or pixels, or None without a render mode."""
        if self.render_mode == "ansi":
            return self.step.state.text
        if self.render_mode == "rgb_array":
            from crashlab.drawing import png

            return png.pixels(self.step.state.picture())
        return None
