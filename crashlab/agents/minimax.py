"""The agents that look at every move and every answer, some decisions ahead.

    alphabeta    where two players decide by turns and see everything; no further than to the next decision of chance
    expectimax   the same, and every outcome of chance counts as much as it is likely

Both give the value of minimax: each player does what is best for them, and who is best off at the end of what was
looked at is told by the lead, as `greedy` has it. Where both players would decide at once, they look no further.

So as not to look at everything, they go deeper step by step. What was best at one depth is tried first at the next one
(and what has cut off most, next); what cannot matter any more is cut off; a position that comes about in several ways
is looked at once. `textbook` has the same without all this.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

from crashlab import advance
from crashlab.actions import Action
from crashlab.agents import sampling, textbook
from crashlab.agents.thoughts import Thinker, Thought, Thoughts, choices
from crashlab.chance import Random
from crashlab.clock import look, looks
from crashlab.errors import CrashlabError, whole
from crashlab.games import contract
from crashlab.happen import CHANCE, HIDDEN, NOWHERE, Changes, Table
from crashlab.notation import together
from crashlab.state import State
from crashlab.watch import record

if TYPE_CHECKING:
    from crashlab.watch import Film

DEEPEST = 100
MOST = 2_500  # positions; two or three seconds of plain Python in a large city
INSTEAD = "greedy, flat and mcts play it"


class Enough(Exception):
    """All positions that may be looked at have been."""


@looks
class Minimax(Thinker):
    """Looks at every move and every answer."""

    def __init__(self, name: str, seed: int, depth: int, most: int) -> None:
        self._rng = Random(seed)
        self.__name__ = name
        self._depth = whole("depth", depth, most=DEEPEST)
        self._most = whole("most", most)

    def think(self, state: State, seat: int) -> Thoughts:
        """What each action of the seat is worth, exactly; the visits are the positions that were looked at behind it.

        The values are those at `depth`, or at the last one that was done when `most` positions had been looked at. Of
        actions that are worth the same the one is best that was better one decision less ahead, and so on: who can win
        now or later wins now.
        """
        codes = [action.code for action in self._rng.shuffled(choices(state, seat))]
        search = self._search(state, seat)
        depths = search.deepened(codes, self._depth)
        met = {code: sum(found[code][1] for found in depths) for code in codes}
        values = {code: [found[code][0] for found in reversed(depths)] for code in codes}
        codes.sort(key=lambda code: values[code], reverse=True)  # stable: of those that are the same, the first one
        rows = [Thought(Action(state, search.seat, code), met[code], values[code][0], 0.0) for code in codes]
        return Thoughts(state, search.seat, tuple(rows), search.met, "lead")

    def tree(self, state: State, seat: int, most: int = 20_000) -> Film:
        """The tree of a seat's decision as a Film of at most so many events, searched as a textbook has it.

        Each call is a node, with its `best` value, `alpha` and `beta`. All moves are tried, in the order of the list,
        so the tree is larger than the one that the agent goes through.

            Watch(agent.tree(state, 0), show={"best": tree.value, "alpha": tree.left, "beta": tree.right})
        """
        search = self._search(state, seat)
        start = State(state.game, state.table)
        if self.__name__ == "expectimax":
            return record(textbook.expectimax, start, search.seat, self._depth, watch="best", most=most)
        names = ["best", "alpha", "beta"]
        return record(textbook.alphabeta, start, search.seat, self._depth, watch=names, most=most)

    def _search(self, state: State, seat: int) -> Search:
        choices(state, seat)
        if reason := unfit(state):
            raise CrashlabError(f"{self.__name__} is {reason}; {INSTEAD}")
        return Search(self.__name__, state, state.game.seat(seat), self._most)


def unfit(state: State) -> str:
    """Why a decision is not one of two players who decide by turns and see everything; empty if it is."""
    game = state.game
    if len(game.seats) != 2:
        return f"for two players, and here {len(game.seats)} play"
    if len(state.actors) > 1:
        return f"for players who decide by turns, and {together(map(game.seat_name, state.actors))} decide at once"
    views = (game.secrets.hide(state.table, seat) for seat in game.seats)
    if any(HIDDEN in row for view in views for row in view.rows()):
        return "for games in which all is open, and here something is hidden"
    return ""


@dataclass
class Bounds:
    """Between which bounds the value of a position lies, at one depth."""

    low: float = -inf
    high: float = inf


class Search:
    """One search for one seat, on tables."""

    def __init__(self, name: str, state: State, seat: int, most: int) -> None:
        self.name, self.state, self.seat, self.most = name, state, seat, most
        self.rules = state.game.rules
        self.met = 0  # positions that were looked at
        self._out = [0] * self.rules.MOST_ACTIONS
        self._is_limited = False  # whether to stop when `most` positions are met
        self._known: dict[tuple[int, Changes], Bounds] = {}
        self._likely: dict[Changes, int] = {}  # by position: what was best there last
        self._cuts: Counter[tuple[int, int]] = Counter()  # by actor and code: how much it has cut off

    def deepened(self, codes: list[int], depth: int) -> list[dict[int, tuple[float, int]]]:
        """For each depth that was done, from 1 on, by code the value, and how many positions were met behind it."""
        depths = []
        for deep in range(1, depth + 1):
            self._is_limited = deep > 1  # one decision ahead is always looked at
            try:
                depths.append({code: self._valued(code, deep) for code in codes})
            except Enough:
                break
        return depths

    def _valued(self, code: int, depth: int) -> tuple[float, int]:
        """What an action is worth, and how many positions were met behind it."""
        before = self.met
        value = self.value(self.played(self.state.table, self.seat, code), depth - 1, -inf, inf)
        return value, self.met - before

    def played(self, table: Table, actor: int, code: int) -> Table:
        """The table after an action, and after what follows without a choice."""
        after = table.copy()
        advance.decide(self.rules, after, {actor: code}, None)
        advance.settle(self.rules, after, None)
        return after

    def value(self, table: Table, depth: int, alpha: float, beta: float) -> float:
        """What a table is worth; where it is no more than alpha or no less than beta, a bound of it."""
        look()
        self.met += 1
        if self._is_limited and self.met > self.most:
            raise Enough
        key = table.since(self.state.table)
        bounds = self._known.setdefault((depth, key), Bounds())
        if bounds.low >= beta or bounds.low == bounds.high:
            return bounds.low
        if bounds.high <= alpha:
            return bounds.high
        alpha, beta = max(alpha, bounds.low), min(beta, bounds.high)
        actor = self._actor(table) if depth else None
        if actor is None:
            bounds.low = bounds.high = self._lead(table)
            return bounds.low
        if actor == CHANCE:
            bounds.low = bounds.high = self._average(table, depth)
            return bounds.low
        best = self._best(table, key, actor, depth, alpha, beta)
        if best > alpha:
            bounds.low = best
        if best < beta:
            bounds.high = best
        return best

    def _best(self, table: Table, key: Changes, actor: int, depth: int, alpha: float, beta: float) -> float:
        """The best that the actor can do, the most for this seat or the least."""
        sign = 1 if actor == self.seat else -1
        best = -sign * inf
        for code in self._ordered(table, key, actor):
            value = self.value(self.played(table, actor, code), depth - 1, alpha, beta)
            if sign * value > sign * best:
                best, self._likely[key] = value, code
            if sign == 1:
                alpha = max(alpha, best)
            else:
                beta = min(beta, best)
            if alpha >= beta:
                self._cuts[actor, code] += depth * depth
                break
        return best

    def _ordered(self, table: Table, key: Changes, actor: int) -> list[int]:
        """The actor's actions, the promising ones first."""
        codes = contract.listed(self.rules, table, actor)
        likely = self._likely.get(key)
        return sorted(codes, key=lambda code: (code == likely, self._cuts[actor, code]), reverse=True)

    def _average(self, table: Table, depth: int) -> float:
        """What chance brings on average."""
        codes = contract.listed(self.rules, table, CHANCE)
        weights = advance.weights(self.rules, table)
        values = (self.value(self.played(table, CHANCE, code), depth, -inf, inf) for code in codes)
        return sum(weight * value for weight, value in zip(weights, values, strict=True)) / sum(weights)

    def _lead(self, table: Table) -> float:
        self.rules.prospects(table, self._out)
        return sampling.lead(self.seat, 2, self._out)

    def _actor(self, table: Table) -> int | None:
        """Who decides alone; None where nobody does, or chance, of which alphabeta knows nothing."""
        actors = advance.deciding(self.rules, table)
        if actors == (CHANCE,):
            return CHANCE if self.name == "expectimax" else None
        choosing = [seat for seat in actors if contract.only(self.rules, table, seat) == NOWHERE]
        return choosing[0] if len(choosing) == 1 else None


def alphabeta(seed: int = 0, depth: int = 3, most: int = MOST) -> Thinker:
    """An agent that looks at every move and every answer, `depth` decisions ahead, and plays what is best then.

    It is for two players who decide by turns and see everything. It goes deeper step by step; when it has looked at
    `most` positions it plays what was best at the last depth that was done.

        >>> state = crashlab.game("crash_city", players=2).read("tiles 1,0 NS shop A; cars A 0,0N>E / B 0,0S>W")
        >>> alphabeta(depth=2)(state, 0)
        <drive A1 1,0N>
    """
    return Minimax("alphabeta", seed, depth, most)


def expectimax(seed: int = 0, depth: int = 2, most: int = MOST) -> Thinker:
    """The same for games with chance: its outcomes count as much as they are likely, and are no decisions.

        >>> state = crashlab.game("crash_city", players=2).start(seed=1)
        >>> expectimax(depth=1).think(state, state.actors[0]).best
        <site 1,0>
    """
    return Minimax("expectimax", seed, depth, most)
