"""Minimax agents, which search every action and reply to a depth.

    alphabeta    for two players with alternating turns and no secrets; stops at decisions of chance
    expectimax   weights the outcomes of chance by their probabilities

Both evaluate the positions at the end of the search by the lead. They do not search beyond simultaneous decisions.

The search deepens iteratively. The best action of one depth is tried first at the next (then those with the most
cutoffs), branches are pruned, and transpositions are searched once. `textbook` has plain versions of both searches.

A search starts interpreted and continues compiled when the compiler is done. The values and the positions visited do
not depend on when that is (see `kernels.alphabeta`).
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from crashlab.agents import textbook
from crashlab.agents.base import Thinker, Thought, Thoughts, choices
from crashlab.base.clock import look, looks
from crashlab.base.errors import CrashlabError, whole
from crashlab.compiled import choose_backend
from crashlab.compiled.kernels import hash_table
from crashlab.compiled.kernels.alphabeta import (
    DONE,
    FAR,
    FRAME,
    MET,
    MORE,
    SEAT,
    TOP,
    WINDOW,
    WITH_CHANCE,
    SearchTree,
    begin,
    look_ahead,
)
from crashlab.compiled.search_workspace import SearchWorkspace
from crashlab.engine import contract
from crashlab.engine.chance import Random
from crashlab.engine.game import Action, Game, State
from crashlab.engine.notation import together
from crashlab.engine.rules import table_class
from crashlab.engine.table import HIDDEN
from crashlab.watch import record

if TYPE_CHECKING:
    from crashlab.watch import Film

DEEPEST = 100
MOST = 2_500  # default limit of positions: in a large city two or three seconds interpreted, 25 ms compiled
NEVER = 1 << 60  # no limit of positions
SLICE = {False: 20, True: 2000}  # positions per call, interpreted and compiled; a search can be stopped between calls
SHORT = 1 << 8  # initial number of positions with room for bounds
CUTS = 1 << 12
INSTEAD = "use greedy, flat or mcts instead"


@looks
class Minimax(Thinker):
    """An agent that searches every action and reply."""

    purpose = "lookahead"

    def __init__(self, name: str, seed: int, depth: int, max_positions: int) -> None:
        self._rng = Random(seed)
        self.__name__ = name
        self._depth = whole("depth", depth, most=DEEPEST)
        self._max_positions = whole("max_positions", max_positions)

    def think(self, state: State, seat: int) -> Thoughts:
        """Return the minimax value of each action; its visits are the positions searched after it.

        The search goes to `depth`, or to the last depth completed within `max_positions`. Ties are broken by the values
        at smaller depths, so that an immediate win is preferred to a later one.
        """
        codes = [action.code for action in self._rng.shuffled(choices(state, seat))]
        search = self._search(state, seat)
        depths = search.deepened(codes, self._depth)
        visits = {code: sum(results[code][1] for results in depths) for code in codes}
        values = {code: [results[code][0] for results in reversed(depths)] for code in codes}
        codes.sort(key=lambda code: values[code], reverse=True)  # stable: keeps the random order of ties
        rows = [Thought(Action(state, search.seat, code), visits[code], values[code][0], 0.0) for code in codes]
        return Thoughts(state, search.seat, tuple(rows), search.met, "lead")

    def tree(self, state: State, seat: int, max_events: int = 20_000) -> Film:
        """Return the search tree of a seat's decision as a Film, searched by the algorithm in `textbook`.

        Each call is a node, with its `best` value, `alpha` and `beta` (expectimax: only `best`). Actions are tried in
        the order of `state.actions`, so the tree is larger than the agent's own.

            Watch(agent.tree(state, 0), show={"best": tree.value, "alpha": tree.left, "beta": tree.right})
        """
        search = self._search(state, seat)
        start = State(state.game, state.table)
        if self.__name__ == "expectimax":
            return record(textbook.expectimax, start, search.seat, self._depth, watch="best", max_events=max_events)
        names = ["best", "alpha", "beta"]
        return record(textbook.alphabeta, start, search.seat, self._depth, watch=names, max_events=max_events)

    def _search(self, state: State, seat: int) -> DepthSearch:
        choices(state, seat)
        if reason := unfit(state):
            raise CrashlabError(f"{self.__name__} is {reason}; {INSTEAD}")
        return DepthSearch(self.__name__, state, state.game.seat(seat), self._max_positions)


def unfit(state: State) -> str:
    """Return why a decision cannot be searched; empty for two players with alternating turns and no secrets."""
    game = state.game
    if len(game.seats) != 2:
        return f"for two players, but here {len(game.seats)} play"
    if len(state.actors) > 1:
        return f"for players who take turns, but {together(map(game.seat_name, state.actors))} decide at once"
    views = (contract.observed(game.rules, state.table, seat) for seat in game.seats)
    if any(HIDDEN in row for view in views for row in view.rows()):
        return "for games without hidden information, but here something is hidden"
    return ""


class DepthSearch:
    """A search for a seat (see `kernels.alphabeta`), in a given backend or in the fastest one available."""

    def __init__(
        self, name: str, state: State, seat: int, max_positions: int, backend: choose_backend.Backend | None = None
    ) -> None:
        self.state, self.seat, self.max_positions, self._only_body = state, seat, max_positions, backend
        backend = self._quickest()
        self._workspace = SearchWorkspace(backend, state.table)
        tables, most = len(self._workspace.lines.work), backend.rules.MOST_ACTIONS
        self.tree = SearchTree(
            results=backend.numbers(2 * most),
            bounds=backend.numbers(2 * SHORT),
            likely=backend.row(SHORT),
            stack=backend.row(FRAME * tables),
            windows=backend.numbers(WINDOW * tables),
            lists=backend.row(4 * most),
            cuts=backend.row(CUTS),
        )
        self.tree.stack[SEAT], self.tree.stack[WITH_CHANCE] = seat, int(name == "expectimax")

    @property
    def met(self) -> int:
        """The number of positions searched."""
        return int(self.tree.stack[MET])

    def deepened(self, codes: list[int], depth: int) -> list[dict[int, tuple[float, int]]]:
        """Search depths 1 to `depth`; return for each finished one {code: (value, positions searched)}."""
        depths: list[dict[int, tuple[float, int]]] = []
        for deep in range(1, depth + 1):
            max_positions = self.max_positions if deep > 1 else NEVER  # depth 1 is always finished
            before = self.met
            if not self.look_ahead(codes, deep, max_positions):
                break
            values, counts = self.tree.results[0 : 2 * len(codes) : 2], self.tree.results[1 : 2 * len(codes) : 2]
            behind = [int(now - then) for then, now in pairwise([before, *counts])]
            depths.append({code: (float(v), m) for code, v, m in zip(codes, values, behind, strict=True)})
        return depths

    def look_ahead(
        self, codes: list[int], depth: int, max_positions: int = NEVER, alpha: float = -FAR, beta: float = FAR
    ) -> bool:
        """Search actions to a depth; return whether `max_positions` was enough.

        A value outside the window from alpha to beta is only a bound.
        """
        begin(codes, depth, alpha, beta, self.tree.stack, self.tree.windows, self.tree.lists)
        while (status := self._go_on(max_positions)) != DONE:
            if status == MORE:
                if self.met >= max_positions:
                    return False
            elif self.tree.stack[TOP] + 2 >= len(self._workspace.lines.work):  # the stack is full
                self._workspace.add_tables()
                self._remake(deeper=2)
            else:  # the hash table is full
                self._workspace.widen()
                self._remake(wider=2)
        return True

    def _go_on(self, max_positions: int) -> int:
        """Search some more positions and return DONE, MORE or ROOM."""
        look()
        backend = self._workspace.backend
        if not backend.is_compiled and (backend := self._quickest()).is_compiled:
            self._workspace.move(backend)
            self._remake()
        until = min(self.met + SLICE[backend.is_compiled], max_positions)
        return int(backend.bind(look_ahead)(until, self.tree, self._workspace.lines))

    def _quickest(self) -> choose_backend.Backend:
        """Return the backend given at the start, else the fastest one that is ready."""
        return self._only_body or choose_backend.ready(self.state.game, "lookahead")

    def _remake(self, wider: int = 1, deeper: int = 1) -> None:
        """Copy the rows to the backend of the workspace, lengthened by the factors `wider` and `deeper`."""
        times = dict.fromkeys(("stack", "windows"), deeper) | dict.fromkeys(("bounds", "likely", "lists"), wider)
        self.tree = choose_backend.moved(self.tree, self._workspace.backend, **times)


def suits(game: Game) -> bool:
    """Return whether a game has alternating turns and no secrets."""
    return not (game.facts.simultaneous or game.facts.secrets)


@choose_backend.prepares("lookahead", suits)
def prepare(game: Game, backend: choose_backend.Backend) -> None:
    """Compile the search by running an empty one."""
    lines, row, numbers = (
        SearchWorkspace(backend, table_class(game.rules)()).lines,
        backend.row(64),
        backend.numbers(64),
    )
    backend.bind(look_ahead)(0, SearchTree(numbers, numbers, row, row, numbers, row, row), lines)
    backend.bind(hash_table.spread)(lines.keys, lines.buckets)


def alphabeta(seed: int = 0, depth: int = 3, max_positions: int = MOST) -> Thinker:
    """Return an agent that searches every action and reply `depth` decisions ahead (minimax with alpha-beta pruning).

    It is for two players with alternating turns and no secrets. It deepens iteratively; after `max_positions` positions
    it plays the best action of the last completed depth. In a large city it searches some 100,000 positions a second
    compiled, and some 1,500 interpreted.

    Parameters
    ----------
    seed : int
        The same seed gives the same choices.
    depth : int
        The number of decisions it looks ahead.
    max_positions : int
        The most positions it searches.

    Returns
    -------
    Thinker
        The agent.

    Examples
    --------
    >>> state = crashlab.game("crash_city", players=2).read("tiles 1,0 NS shop A; cars A 0,0N>E / B 0,0S>W")
    >>> alphabeta(depth=2)(state, 0)
    <drive A1 1,0N>
    """
    return Minimax("alphabeta", seed, depth, max_positions)


def expectimax(seed: int = 0, depth: int = 2, max_positions: int = MOST) -> Thinker:
    """Return an agent like `alphabeta` for games with chance, whose outcomes are weighted by their probabilities.

    Parameters
    ----------
    seed : int
        The same seed gives the same choices.
    depth : int
        The number of decisions it looks ahead.
    max_positions : int
        The most positions it searches.

    Returns
    -------
    Thinker
        The agent.

    Examples
    --------
    >>> state = crashlab.game("crash_city", players=2).start(seed=1)
    >>> expectimax(depth=1).think(state, state.actors[0]).best
    <site 1,0>
    """
    return Minimax("expectimax", seed, depth, max_positions)
