"""Monte Carlo searches, whose values improve with every playout.

    flat    equally many playouts of every action (see `kernels.flat_search`)
    mcts    more playouts of promising actions, with a tree for every seat (see `kernels.tree_search`)

The result depends on the seed and the number of playouts, but not on how they were divided or whether they ran
compiled. So a search can start interpreted and continue compiled when the compiler is done.
"""

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from crashlab.agents.base import Thought, Thoughts, choices
from crashlab.base.clock import look
from crashlab.base.errors import as_float, listed, require, short_repr, whole
from crashlab.compiled import choose_backend
from crashlab.compiled.kernels import flat_search, tree_search
from crashlab.engine.chance import Random
from crashlab.engine.game import Action, Game, State
from crashlab.engine.rules import table_class
from crashlab.engine.table import NOWHERE, Table

FAR = "as far as pays off"  # the default length of a playout: the HORIZON of the rules
MOST_WORLDS = 10_000
VALUES = ("lead", "win")
SLICE = {False: 20, True: 2000}  # playouts per call, interpreted and compiled; a search can be stopped between calls


@dataclass(frozen=True)
class Task:
    """The task of a search; `tables` are sampled worlds consistent with the seat's view."""

    rules: Any
    tables: tuple[Table, ...]
    seats: int
    seat: int
    codes: tuple[int, ...]
    decisions: int
    wins: int
    exploration: float
    luck: int


class Method(ABC):
    """A search method with its data in a backend."""

    def __init__(self, task: Task) -> None:
        self.task = task

    def move(self, backend: choose_backend.Backend) -> None:
        """Move the search to another backend, with its data."""
        task = self.task
        self._backend = backend
        self._worlds = backend.tables(task.tables)
        out = backend.row(task.rules.MOST_ACTIONS)
        work = backend.tables(task.tables[:1])
        self._common = (backend.luck(task.luck), backend.luck(0), out, work)
        self._take()

    @abstractmethod
    def _take(self) -> None:
        """Copy the data to the backend."""

    @abstractmethod
    def run(self, first: int, number: int) -> None:
        """Run `number` playouts, numbered from `first`, and add their results to the statistics."""

    @abstractmethod
    def statistics(self) -> list[tuple[int, float, float]]:
        """Return (visits, sum of values, sum of squares) for each action."""


class Flat(Method):
    """Flat Monte Carlo: equally many playouts of every action."""

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        size = len(task.codes)
        self._visits: Any = [0] * size
        self._sums, self._squares = [0.0] * size, [0.0] * size

    def _take(self) -> None:
        row, numbers = self._backend.row, self._backend.numbers
        self._codes, self._visits = (
            choose_backend.copied(self.task.codes, row),
            choose_backend.copied(self._visits, row),
        )
        self._sums, self._squares = (
            choose_backend.copied(self._sums, numbers),
            choose_backend.copied(self._squares, numbers),
        )

    def run(self, first: int, number: int) -> None:
        """Run `number` playouts, numbered from `first`, and add their results to the statistics."""
        task = self.task
        self._backend.bind(flat_search.sample)(
            self._worlds,
            task.seat,
            self._codes,
            first,
            number,
            task.decisions,
            task.seats,
            task.wins,
            *self._common,
            self._visits,
            self._sums,
            self._squares,
        )

    def statistics(self) -> list[tuple[int, float, float]]:
        """Return (visits, sum of values, sum of squares) for each action."""
        rows = zip(self._visits, self._sums, self._squares, strict=True)
        return [(int(visits), float(total), float(squares)) for visits, total, squares in rows]


class Mcts(Method):
    """Monte Carlo tree search: more playouts of promising actions."""

    ROOM = 1 << 23  # largest size of the trees; full trees get no new nodes

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        self._trees: Any = []
        self._values: Any = []
        self._paths: Any = [0] * (1 + tree_search.PATH * task.seats)
        self._ucb: Any = []

    def _take(self) -> None:
        self._lay(len(self._trees))
        self._paths = choose_backend.copied(self._paths, self._backend.row)
        self._ucb = choose_backend.copied(self._ucb, self._backend.numbers)

    def _lay(self, size: int) -> None:
        """Resize the trees, keeping the part in use."""
        used = self._paths[0]
        self._trees = choose_backend.filled(self._trees[:used], self._backend.row(size))
        self._values = choose_backend.filled(self._values[:used], self._backend.numbers(size))

    def run(self, first: int, number: int) -> None:
        """Make room for `number` playouts, numbered from `first`, and add them to the trees."""
        task = self.task
        node = (
            tree_search.SIZE + 3 * task.rules.MOST_ACTIONS
        )  # largest size of a node; each playout adds at most one node per seat
        size = min(int(self._paths[0]) + task.seats * (tree_search.ROOT + node * number), self.ROOM)
        if size > len(self._trees):
            self._lay(min(max(size, 2 * len(self._trees)), self.ROOM))
        length, needed_size = len(self._ucb) // 2, first + number + 1
        if length < needed_size:
            self._ucb = choose_backend.filled(self._ucb, self._backend.numbers(2 * max(needed_size, 2 * length)))
            for n in range(max(length, 1), len(self._ucb) // 2):
                self._ucb[2 * n : 2 * n + 2] = math.sqrt(math.log(n)), 1 / math.sqrt(n)
        self._backend.bind(tree_search.grow)(
            self._worlds,
            first,
            number,
            task.decisions,
            task.seats,
            task.wins,
            task.exploration,
            self.ROOM,
            *self._common,
            self._trees,
            self._values,
            self._paths,
            self._ucb,
        )

    def statistics(self) -> list[tuple[int, float, float]]:
        """Return (visits, sum of values, sum of squares) for each action."""
        node = int(self._trees[tree_search.ROOT * self.task.seat]) if self._paths[0] else 0
        count = len(self.task.codes)
        results = [(0, 0.0, 0.0)] * count
        if node == 0:  # before the first playout
            return results
        first = node + tree_search.SIZE
        for turn in range(int(self._trees[node + tree_search.CHILDREN])):
            place = int(self._trees[node + tree_search.START] + turn * self._trees[node + tree_search.LEAP]) % count
            visits = int(self._trees[first + 2 * turn + 1])
            mean = float(self._values[first + 2 * turn])
            results[place] = visits, visits * mean, float(self._values[first + 2 * count + turn])
        return results


METHODS: dict[str, type[Method]] = {"flat": Flat, "mcts": Mcts}


class Search:
    """A search of a seat's actions in a state, or in the seat's view of a state; `grow` adds playouts.

    A playout has `decisions` decisions (by default the best number for the game); with None it goes to the end of the
    game. Beyond the tree all seats follow `rollout_policy` of the rules. Hidden values are sampled once for each of
    `worlds`. The `value` of a playout is the seat's "lead" over the average of the others, or its share of the "win";
    if a playout stops before the end, the leaders share the win. A lead before the end can include part of the points
    within reach: see `evaluate` of the rules. A larger `exploration` makes mcts explore more; the default is the best
    for the game. A flat search can be limited to some actions with `only`.

        >>> state = crashlab.game("autoscooter", players=2).read({"round": 11, "cars": {"1": "21E2", "2": "23SE2"}})
        >>> search = Search(state, 0, seed=1)
        >>> search.grow(200)
        >>> search.thoughts().playouts, search.thoughts().best
        (200, <81 FFF>)
    """

    def __init__(
        self,
        state: State,
        seat: int,
        seed: int = 0,
        method: str = "flat",
        decisions: int | str | None = FAR,
        worlds: int = 8,
        value: str = "lead",
        exploration: float | None = None,
        only: Sequence[Action] | None = None,
    ) -> None:
        check(method, decisions, worlds, value, exploration)
        selection = listed(only) if only is not None else None
        require(
            only is None or (method == "flat" and selection),
            "only: give at least one action, and method='flat', because mcts always tries all actions",
        )
        legal = choices(state, seat)
        self.state = state
        self.seat = int(seat)
        self.value = value
        self.playouts = 0
        legal_actions = set(legal)
        self.actions = (
            list(legal)
            if selection is None
            else [
                action if isinstance(action, Action) and action in legal_actions else legal_one(state, seat, action)
                for action in selection
            ]
        )
        rng = Random(seed)
        view = state.seen_by(self.seat)
        task = Task(
            state.game.rules,
            tuple(view.guess(rng).table for _ in range(worlds)),
            len(state.game.seats),
            self.seat,
            tuple(action.code for action in self.actions),
            reach(state.game, decisions),
            int(value == "win"),
            float(state.game.rules.EXPLORATION if exploration is None else exploration),
            rng.below(1 << 64),
        )
        self._method = METHODS[method](task)
        self._by_visits = method == "mcts"
        self._backend: choose_backend.Backend | None = None

    def grow(self, playouts: int) -> None:
        """Add playouts."""
        playouts = whole("playouts", playouts, least=0)
        while playouts > 0:
            look()
            backend = choose_backend.ready(self.state.game, "search")
            if backend is not self._backend:
                self._method.move(backend)
                self._backend = backend
            slice_ = min(playouts, SLICE[backend.is_compiled])
            self._method.run(self.playouts, slice_)
            self.playouts += slice_
            playouts -= slice_

    def grow_for(self, seconds: float) -> None:
        """Add playouts for some seconds, at least one playout; how many depends on the machine."""
        positive(seconds, "seconds")
        end = time.perf_counter() + seconds
        slice_ = 1
        while slice_ > 0:
            begin = time.perf_counter()
            self.grow(slice_)
            now = time.perf_counter()
            rate = slice_ / max(now - begin, 1e-6)
            slice_ = max(int(rate * min(0.01, end - now)), 1) if now < end else 0

    def thoughts(self) -> Thoughts:
        """Return the statistics so far, best action first: mcts ranks by visits, flat by mean value."""
        numbers_of_actions = self._method.statistics()
        rows = [Thought.of(action, *numbers) for action, numbers in zip(self.actions, numbers_of_actions, strict=True)]
        rows.sort(key=self._rank, reverse=True)
        return Thoughts(self.state, self.seat, tuple(rows), self.playouts, self.value)

    def _rank(self, row: Thought) -> tuple[float, float]:
        value = row.value if row.visits else -math.inf
        return (row.visits, value) if self._by_visits else (value, row.visits)


def reach(game: Game, decisions: int | str | None) -> int:
    """Return the number of decisions of a playout, or NOWHERE if it goes to the end of the game."""
    if decisions is None:
        return NOWHERE
    horizon: int = game.rules.HORIZON
    return horizon if isinstance(decisions, str) else int(decisions)


def legal_one(state: State, seat: int, action: object) -> Action:
    """Return a legal action from an Action or notation; raise CrashlabError with the reason if it is illegal."""
    return Action(state, seat, state.legal_code(seat, action))


@choose_backend.prepares("search")
def prepare(game: Game, backend: choose_backend.Backend) -> None:
    """Compile both methods by running them without playouts."""
    task = Task(game.rules, (table_class(game.rules)(),), len(game.seats), 0, (0,), NOWHERE, 0, 1.0, 0)
    for kind in METHODS.values():
        method = kind(task)
        method.move(backend)
        method.run(0, 0)


def check(method: str, decisions: object, worlds: object, value: object, exploration: object) -> None:
    """Raise CrashlabError for invalid settings of a search."""
    require(
        isinstance(method, str) and method in METHODS,
        f"method={short_repr(method)}: choose one of {', '.join(METHODS)}",
    )
    if decisions is not None and not (isinstance(decisions, str) and decisions == FAR):
        whole("decisions", decisions, more="; None plays to the end of the game")
    whole("worlds", worlds, most=MOST_WORLDS)
    require(isinstance(value, str) and value in VALUES, f"value={short_repr(value)}: choose one of {', '.join(VALUES)}")
    require(
        exploration is None or 0 <= as_float(exploration) < math.inf,
        f"exploration={short_repr(exploration)}: give a number of at least 0",
    )


def positive(number: object, name: str) -> None:
    """Raise CrashlabError if a number is not above 0 or not finite."""
    require(0 < as_float(number) < math.inf, f"{name}={short_repr(number)}: give a number above 0")
