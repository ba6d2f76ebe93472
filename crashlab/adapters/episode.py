"""One game after another, played by learners: what the environments of Gymnasium and PettingZoo share.

Chance is played here. A reward is how much the lead has grown since the last one, or at the end the share of the win.
Learners choose by number, and a mask says which numbers are legal (`crashlab.adapters.numbered_choices`). A number that
is not legal is taken modulo how many are, so that learners without masks can play on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces

from crashlab.adapters.numbered_choices import MOST_SEED, PartialChoice, beginning, check_utility, utilities, width
from crashlab.base.errors import CrashlabError, integer, require, shown, whole
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
SEEDS = 1 << 31  # so many are drawn from where none is given


def checked_seed(seed: object) -> int | None:
    """A seed as an int, as Gymnasium wants it; None means the next one."""
    return None if seed is None else whole("seed", seed, 0, most=MOST_SEED)


class Episode:
    """A game that learners play again and again, from its set-up or from a position."""

    def __init__(self, start: Game | State, utility: str, render_mode: str | None) -> None:
        require(not beginning(start).over, "the game is over")
        require(
            render_mode is None or (isinstance(render_mode, str) and render_mode in RENDER_MODES),
            f"render_mode={shown(render_mode)}: choose None, 'ansi' or 'rgb_array'",
        )
        self.start, self.utility, self.render_mode = start, check_utility(utility), render_mode
        self.game = start if isinstance(start, Game) else start.game
        self.width = width(self.game)
        self.step = PartialChoice(beginning(start))
        self.dice, self.seeds = Random(0), Random(int(np.random.default_rng().integers(SEEDS)))

    def begin(self, seed: int | None) -> int:
        """Begin a new game with this seed, or with the next one; return the seed."""
        seed = checked_seed(seed)
        if seed is None:
            seed = self.seeds.below(SEEDS)
        else:
            self.seeds = Random(seed)
        self.dice = Random(seed).split("chance")
        self.step = self.past_chance(PartialChoice(beginning(self.start, seed)))
        return seed

    def past_chance(self, step: PartialChoice) -> PartialChoice:
        """The step after chance has decided."""
        while step.actors == (CHANCE,):
            step = PartialChoice(step.state.sample(self.dice).after)
        return step

    def play(self, numbers: dict[int, Any]) -> None:
        """Play the choices of these seats, and then what chance brings."""
        self.step = self.past_chance(self.step.after({seat: self.meant(seat, numbers[seat]) for seat in numbers}))

    def meant(self, seat: int, number: object) -> int:
        """The legal number that a number stands for."""
        found, known = integer(number), list(self.step.options(seat))
        if found is None or not 0 <= found < self.width:
            raise CrashlabError(f"{shown(number)} is not a number from 0 to {self.width - 1}")
        return found if found in self.step.options(seat) else known[found % len(known)]

    def worth(self) -> list[float]:
        """What the rewards of each seat so far must add up to."""
        ended = self.step.state.over or self.utility == "lead"
        return utilities(self.step.state, self.utility) if ended else [0.0] * len(self.game.seats)

    def mask(self, seat: int) -> Mask:
        """1 for each number that a seat can choose, else 0; a seat that is not asked can only wait, with 0."""
        mask = np.zeros(self.width, dtype=np.int8)
        mask[list(self.step.options(seat)) or [0]] = 1
        return mask

    def everything(self) -> Ints:
        """The whole table, secrets included."""
        return observed(self.step.state.table)

    def table_space(self) -> Any:
        """The bounds of a table's numbers, hidden ones included."""
        low = [min(field.low, HIDDEN) for field in self.game.observation for _ in range(field.size)]
        high = [field.high for field in self.game.observation for _ in range(field.size)]
        return spaces.Box(np.array(low), np.array(high), dtype=np.int64)

    def seen_space(self) -> Any:
        """The bounds of the numbers that a seat sees: the table, and what it has chosen."""
        table = self.table_space()
        low, high = [NOT_CHOSEN] * MOST_LETTERS, [self.width - 1] * MOST_LETTERS
        return spaces.Box(np.append(table.low, low), np.append(table.high, high), dtype=np.int64)

    def action_space(self) -> Any:
        """The numbers there are to choose from."""
        return spaces.Discrete(self.width)

    def render(self) -> Any:
        """The position as text or as pixels."""
        if self.render_mode == "ansi":
            return self.step.state.text
        if self.render_mode == "rgb_array":
            from crashlab.drawing import png

            return png.pixels(self.step.state.picture())
        return None
