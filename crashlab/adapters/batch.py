"""Many games at once, for programs that learn: arrays in, arrays out, played by machine code.

    games = batch_env(crashlab.game("autoscooter", players=2))
    observations, masks = games.reset(1024, seed=1)
    while learning:
        numbers = policy(observations, masks)             # one legal number for each game
        observations, masks, rewards, done = games.step(numbers)

In each game one seat decides at a time (`games.asked`). In a simultaneous decision the seats choose one after the
other, without seeing each other's choices. All adapters use these numbers and observations (see
`crashlab.adapters.numbered_choices`). A seat's reward is the growth of its lead or, with utility="share", its share of
the win at the end.

When a game ends, the next one starts in the same step: the rewards belong to the finished game, the observation to the
new one. Game r is played with seed + r, then with seed + r + n, seed + r + 2 n, ...: see `games.seeds`. Chance and
agents draw from Random(seed).split("chance"), so every game can be repeated, even without compiled code:
`pettingzoo_env(start).reset(seed=games.seeds[r])` starts the same game.

All arrays belong to the batch, are read-only, and are overwritten by the next step.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from crashlab.adapters.numbered_choices import MOST_SEED, beginning, check_utility, width
from crashlab.agents import Agents, by_seat
from crashlab.base.errors import CrashlabError, require, short_repr, whole
from crashlab.compiled import choose_backend
from crashlab.compiled.kernels import batch_step
from crashlab.engine.chance import Random
from crashlab.engine.game import Game, State, check_source
from crashlab.engine.observation import observed
from crashlab.engine.table import MOST_LETTERS, NOWHERE, Table, lay
from crashlab.play.simulation import draws_at_the_start

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Ints = NDArray[np.int64]
    Masks = NDArray[np.int8]
    Floats = NDArray[np.float64]
    Flags = NDArray[np.bool_]
    Number = TypeVar("Number", bound=np.generic)

KINDS = {"random": batch_step.RANDOM, "greedy": batch_step.GREEDY}
MOST_GAMES = 1 << 20
PATIENCE = 100  # maximum number of successive games without a learner's decision


def batch_env(start: Game | State, agents: Agents | None = None, utility: str = "lead") -> Batch:
    """Return a batch of games, each from the set-up of the game or from a position.

    Parameters
    ----------
    start : Game | State
        The game, or the first position of every game.
    agents : Agents | None
        A dict of "random" or "greedy" by seat; the other seats learn. Greedy tries at most 200 actions, in four sampled
        worlds.
    utility : str
        The reward: the growth of the "lead" over the average of the others, or the "share" of the win.

    Returns
    -------
    Batch
        The games, as arrays.

    Examples
    --------
    >>> games = batch_env(crashlab.game("autoscooter", players=2))
    >>> observations, masks = games.reset(64, seed=1)
    >>> first = masks.argmax(axis=1)
    >>> observations, masks, rewards, done = games.step(first)
    >>> rewards.shape, bool(done.any())
    ((64, 2), False)
    """
    return Batch(start, agents, utility)


class Batch:
    """A batch of games that advance together, one decision per step."""

    def __init__(self, start: Game | State, agents: Agents | None, utility: str) -> None:
        require(not beginning(start).over, "the game is over")
        self.start, self.utility = start, check_utility(utility)
        self.game = start if isinstance(start, Game) else start.game
        self.width = width(self.game)  # number of choices
        self.kinds = kinds(self.game, agents)
        self._rows: Rows | None = None

    def reset(self, n: int, seed: int = 0) -> tuple[Ints, Masks]:
        """Start `n` games; return the observations of the current seats and the masks of their choices."""
        n = whole("n", n, most=MOST_GAMES)
        seed = whole("seed", seed, 0, most=MOST_SEED)
        self._rows = Rows(self, n, choose_backend.ready(self.game, "batch", wait=True))
        self.begin(np.arange(n), seed + np.arange(n))
        return self.observations, self.masks

    def step(self, numbers: ArrayLike) -> tuple[Ints, Masks, Floats, Flags]:
        """Make a choice in each game; return observations, masks, rewards by seat, and whether each game is done."""
        self.play(self.checked(numbers))
        over = self.over
        if over.any():
            self.begin(np.flatnonzero(over))
        return self.observations, self.masks, self.rewards, over

    def play(self, numbers: Ints) -> None:
        """Play a number in each game, except in finished games and games whose number is NOWHERE."""
        self.rows.run(numbers)

    def sample(self, rng: Random) -> Ints:
        """Return a random legal number for each game."""
        check_source(rng, "sample()")
        return self.rows.drawn(rng)

    def checked(self, numbers: ArrayLike) -> Ints:
        """Return the numbers as an array; raise CrashlabError if one of them is illegal."""
        array = np.asarray(numbers)
        if array.shape != self.rows.seeds.shape or array.dtype.kind not in "iu":
            what = f"{array.dtype} of shape {array.shape}"
            raise CrashlabError(f"give one whole number for each of {len(self.rows.seeds)} games, not {what}")
        inside = (array >= 0) & (array < self.width)
        legal = inside & (self.masks[np.arange(len(array)), np.where(inside, array, 0)] == 1) & (self.asked != NOWHERE)
        if not legal.all():
            row = int(legal.argmin())
            seat = int(self.asked[row])
            why = f"{self.game.seat_name(seat)} has no such choice now" if seat != NOWHERE else "the game is over"
            raise CrashlabError(f"game {row}: {array[row]} cannot be chosen: {why}")
        return array.astype(np.int64)

    def begin(self, rows: Ints, seeds: Ints | None = None) -> None:
        """Start a game in each of these rows, with its next seed or with the given seeds.

        Games that end before a learner decides are skipped.
        """
        if seeds is not None:
            self.rows.seeds[rows] = seeds - len(self.rows.seeds)
        for _ in range(PATIENCE):
            self.rows.begin(rows)
            rows = rows[self.over[rows]]
            if not len(rows):
                return
        raise CrashlabError(f"{PATIENCE} games in a row ended before a learner had to decide; let other seats learn")

    def state(self, row: int) -> State:
        """Return the position of a game, without the choices already made in an unfinished simultaneous decision."""
        row = whole("row", row, 0, most=len(self.rows.seeds) - 1)
        return State(self.game, self.rows.backend.table(self.rows.tables, row), int(self.rows.lucks[row]))

    @property
    def rows(self) -> Rows:
        """The data of the games; raises CrashlabError before the first `reset`."""
        if self._rows is None:
            raise CrashlabError("there is nothing to choose: call reset(n) to start n games")
        return self._rows

    @property
    def observations(self) -> Ints:
        """The observations of the current seats: the table, then the letters chosen; indexed by [game, value]."""
        return fixed(self.rows.observations)

    @property
    def masks(self) -> Masks:
        """The masks: 1 for each number that can be chosen, else 0; indexed by [game, number]."""
        return fixed(self.rows.masks)

    @property
    def rewards(self) -> Floats:
        """The rewards of the last step, an array indexed by [game, seat]."""
        return fixed(self.rows.rewards)

    @property
    def asked(self) -> Ints:
        """The current seat of each game, an array; NOWHERE (-1) if the game is over."""
        return fixed(self.rows.notes[:, batch_step.ASKED])

    @property
    def over(self) -> Flags:
        """Whether each game is over, an array."""
        return np.equal(self.asked, NOWHERE)

    @property
    def seeds(self) -> Ints:
        """The seed of each game, an array."""
        return fixed(self.rows.seeds)

    @cached_property
    def table(self) -> Table | None:
        """The first table of every game; None if the set-up is random."""
        return None if isinstance(self.start, Game) and draws_at_the_start(self.start) else beginning(self.start).table

    def first_table(self, seed: int) -> Table:
        """Return the first table of the game with this seed."""
        return beginning(self.start, seed).table if self.table is None else self.table


class Rows:
    """The arrays and tables of all games of a batch, as `kernels.batch_step` reads and writes them."""

    def __init__(self, batch: Batch, n: int, backend: choose_backend.Backend) -> None:
        self.batch, self.backend = batch, backend
        game, table = batch.game, batch.first_table(0)
        seats, most = len(game.seats), game.rules.MOST_ACTIONS
        self.size = sum(table.SIZES)
        self.seeds = np.zeros(n, dtype=np.int64)
        # Each row starts with a view. The letters overwrite the view's indexes, which are not used after that.
        room = backend.array((n, max(sum(table.ROWS.values()), self.size + MOST_LETTERS)))
        self.observations = room[:, : self.size + MOST_LETTERS]
        self.masks = backend.array((n, batch.width), np.int8)
        self.actions = backend.array((n, batch.width))
        self.rewards, self.worths = (backend.array((n, seats), np.float64) for _ in range(2))
        self.notes = backend.array((n, batch_step.SIZE + seats))
        self.lucks = backend.array((n,), np.uint64)
        self.tables: Any = backend.tables([table] * n)
        self.views: Any = backend.windows(room)
        self.settings = n, seats, batch.width, int(batch.utility == "share")
        self.kinds = np.array(batch.kinds)
        self.room = (
            backend.luck(0),
            backend.luck(0),
            backend.row(most),
            backend.row(MOST_LETTERS),
            backend.row(most),
            backend.numbers(batch_step.TRIED),
            backend.tables([table] * 2),
        )

    def begin(self, rows: Ints) -> None:
        """Start the next game in some rows."""
        numbers = np.full(len(self.seeds), NOWHERE)
        numbers[rows] = batch_step.BEGIN
        self.seeds[rows] += len(self.seeds)
        first = self.batch.table
        common = None if first is None else self.backend.tables([first])[0]  # the common first table
        for row in rows.tolist():
            seed = int(self.seeds[row])
            self.lucks[row] = Random(seed).split("chance").luck
            table = self.backend.tables([self.batch.first_table(seed)])[0] if common is None else common
            lay(self.tables, row, table)
        self.run(numbers)

    def run(self, numbers: Ints) -> None:
        """Play a number in each game; an interpreted backend gets lists in place of arrays."""
        arrays = [numbers, self.lucks, self.notes, self.kinds, self.masks, self.actions, self.worths, self.rewards]
        flat = [array.reshape(-1) for array in arrays]
        rows: list[Any] = flat if self.backend.is_compiled else [array.tolist() for array in flat]
        step = self.backend.bind(batch_step.step_games)
        step(rows[0], *self.settings, self.tables, self.views, *rows[1:], *self.room)
        if not self.backend.is_compiled:
            for array, row in zip(flat, rows, strict=True):
                array[:] = row
            self.observations[:, : self.size] = [observed(view) for view in self.views[: len(self.seeds)]]
        self.observations[:, self.size :] = self.notes[:, batch_step.LETTERS : batch_step.SIZE]

    def drawn(self, rng: Random) -> Ints:
        """Return a random legal number for each game."""
        masks, luck = self.masks.reshape(-1), self.backend.luck(rng.luck)
        numbers = self.backend.row(len(self.seeds))
        draw = self.backend.bind(batch_step.draw_letters)
        draw(*self.masks.shape, masks if self.backend.is_compiled else masks.tolist(), luck, numbers)
        rng.luck = int(luck[0])
        return np.asarray(numbers)


def kinds(game: Game, agents: Agents | None) -> list[int]:
    """Return LEARNER, RANDOM or GREEDY for each seat."""
    kinds = [batch_step.LEARNER for _ in game.seats]
    for seat, who in by_seat(game, agents).items():
        if not isinstance(who, str) or who not in KINDS:
            raise CrashlabError(f"agents: a batch has only {' and '.join(KINDS)}, not {short_repr(who)}")
        kinds[game.seat(seat)] = KINDS[who]
    require(batch_step.LEARNER in kinds, "agents play all seats: leave at least one seat to a learner")
    return kinds


@choose_backend.prepares("batch")
def prepare(game: Game, backend: choose_backend.Backend) -> None:
    """Compile the kernel by playing a batch of one game."""
    rows = Rows(Batch(game, None, "lead"), 1, backend)
    rows.begin(np.arange(1))
    rows.run(rows.drawn(Random(0)))


def fixed(array: NDArray[Number]) -> NDArray[Number]:
    """Return a read-only view of an array."""
    view = array.view(np.ndarray)
    view.flags.writeable = False
    return view
