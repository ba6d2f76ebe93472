"""Lesson 43, minimax and alpha-beta: a town, the value of its positions, and the exercises."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from itertools import islice
from math import inf
from typing import Any, NamedTuple

from crashlab.agents import lead
from crashlab.base.errors import listed, short_repr
from crashlab.course.exercises.exercise_types import FunctionWanted
from crashlab.course.exercises.verdict import Verdict
from crashlab.engine.chance import Random
from crashlab.engine.game import State
from crashlab.games import game

TOWN = """tiles 0,1 NW house A / 1,1 NW house B / 1,0 ES house A / 2,0 NW house B / -1,0 N house A
    / 0,-1 EW shop B / 1,-1 NW house A; cars A {} / B {}"""
TURNS = 24  # turn limit of the race
A, B = 0, 1
Order = Callable[[Any, int], Iterable[Any]]


def town(a: str = "0,0N>E", b: str = "0,1W>N") -> State:
    """Return a small town with one job, a car of each side on these lanes, and A to move."""
    return game("crash_city", players=2, turn_limit=TURNS).read(TOWN.format(a, b))


def worth(state: Any) -> int:
    """Return a leaf's number; for a State, A's lead in hundredths of a parked car, nearness to the job included."""
    if isinstance(state, TreePosition):
        state.met.append(state.content)
        return int(state.content)
    return round(100 * lead(state, A))


# Games in the form of trees


@dataclass(frozen=True)
class TreePosition:
    """A position of a game tree: a list of positions to choose from, or a number at a leaf.

    It is played like a State, and the seats alternate. `met` lists the numbers that `worth` has read.
    """

    content: Any
    seat: int = A
    met: list[int] = field(default_factory=list)

    @property
    def over(self) -> bool:
        """Whether the position is a number."""
        return not isinstance(self.content, list)

    @property
    def actors(self) -> tuple[int, ...]:
        """The seat that chooses; empty if the game is over."""
        return () if self.over else (self.seat,)

    def actions(self, seat: object = None) -> list[int]:
        """Return the actions: the indices of the elements of the list."""
        return [] if self.over else list(range(len(self.content)))

    def play(self, action: int) -> Played:
        """Choose the position with this index."""
        return Played(TreePosition(self.content[action], 1 - self.seat, self.met))

    def __repr__(self) -> str:
        return repr(self.content)


class Played(NamedTuple):
    """The result of a choice, like a Turn."""

    after: TreePosition


def grown(rng: Random, depth: int) -> Any:
    """Return a random tree of this depth: lists of two or three elements, with numbers below 20 at the leaves."""
    return [grown(rng, depth - 1) for _ in range(2 + rng.below(2))] if depth else rng.below(20)


# Searches, right and wrong


def in_order(state: Any, seat: int) -> Iterable[Any]:
    """Return the actions in their listed order."""
    return list(state.actions(seat))


def best_first(state: Any, seat: int) -> list[Any]:
    """Return the actions sorted by the value of the next position, the best for the seat first."""
    return sorted(state.actions(seat), key=lambda action: worth(state.play(action).after), reverse=seat == A)


def worst_first(state: Any, seat: int) -> list[Any]:
    """Return the actions sorted by the value of the next position, the worst for the seat first."""
    return best_first(state, seat)[::-1]


@dataclass
class AlphaBetaSearch:
    """A search by alpha-beta, right or with a mistake; `positions` counts the positions it has visited."""

    order: Order = in_order
    cuts: tuple[int, ...] = (A, B)  # seats that cut off
    is_strict: bool = False  # whether it cuts off only if alpha is greater than beta, not if equal
    hands_down: bool = True  # whether it passes the window down
    swaps: bool = False  # whether it passes alpha and beta in the wrong order
    helps: tuple[int, ...] = (B,)  # seats that choose the least value
    positions: int = 0

    def value(self, state: Any, depth: int, alpha: float = -inf, beta: float = inf) -> float:
        """Return the value of a position."""
        self.positions += 1
        if depth == 0 or state.over:
            return worth(state)
        seat = state.actors[0]
        sign = -1 if seat in self.helps else 1
        best = -sign * inf
        for action in self.order(state, seat):
            window = (beta, alpha) if self.swaps else (alpha, beta) if self.hands_down else (-inf, inf)
            value = self.value(state.play(action).after, depth - 1, *window)
            best = max(best, value) if sign == 1 else min(best, value)
            if sign == 1:
                alpha = max(alpha, best)
            else:
                beta = min(beta, best)
            if seat in self.cuts and (alpha > beta if self.is_strict else alpha >= beta):
                break
        return best


def looked_at(state: Any, depth: int, order: Order = in_order, cuts: bool = True) -> int:
    """Return the number of positions that alpha-beta visits with this order, or minimax if not `cuts`."""
    search = AlphaBetaSearch(order, (A, B) if cuts else ())
    search.value(state, depth)
    return search.positions


def alphabeta(state: Any, depth: int, alpha: float, beta: float) -> float:
    """Return the value of a position to A (al-43)."""
    return AlphaBetaSearch().value(state, depth, alpha, beta)


# al-43: alpha-beta


class Seen(NamedTuple):
    """The value that a search returns, and the numbers read by the search."""

    value: Any
    met: tuple[int, ...]


def noting(search: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a search so that it returns a Seen: its value, and the numbers of the tree that were read."""

    @wraps(search)
    def seen(state: Any, *rest: Any) -> Any:
        fresh = TreePosition(state.content, state.seat) if isinstance(state, TreePosition) else state
        value = search(fresh, *rest)
        return value if value is ... else Seen(value, tuple(fresh.met) if isinstance(fresh, TreePosition) else ())

    return seen


@dataclass(frozen=True)
class Cutting(FunctionWanted):
    """An exercise whose answer is a search that must not read more numbers than necessary."""

    def judge(self, answer: Any) -> Verdict:
        """Judge the search by its values and by the numbers that it reads."""
        return super().judge(noting(answer) if callable(answer) else answer)


def trees() -> Iterable[tuple[Any, int, float, float]]:
    """Return the fixed cases of al-43: trees, small ones first and some with a window, then the town."""
    windows: list[tuple[Any, int, float, float]] = [
        (TreePosition([3, 5, 1]), 1, -inf, inf),
        (TreePosition([3, 1, 5], B), 1, -inf, inf),
        (TreePosition([2, 7, 4]), 1, -inf, 5),
        (TreePosition([8, 3, 4], B), 1, 5, inf),
        (TreePosition([5, 1]), 1, -inf, 5),
    ]
    some: list[Any] = [[[3, 5], [2, 9]], [[3, 5], [3, 9]], [[4, 1], [6, 2], [0, 8]]]
    some += [[[[5, 6], [7, 4]], [[3, 0], [8, 9]]]]
    some += [[[[[9, 4], [7, 8]], [[5, 1], [6, 3]]], [[[2, 0], [3, 9]], [[4, 8], [1, 7]]]]]
    rng = Random(1)
    some += [grown(rng, 3 + number % 3) for number in range(12)]
    return [*windows, *((TreePosition(tree), height(tree), -inf, inf) for tree in some), (town(), 3, -inf, inf)]


def random_search(rng: Random) -> tuple[Any, int, float, float]:
    """Return a random tree as a case of al-43, in half of all cases with a window."""
    depth = 2 + rng.below(3)
    alpha, beta = (-inf, inf) if rng.below(2) else (float(rng.below(10)), float(10 + rng.below(10)))
    return TreePosition(grown(rng, depth), rng.below(2)), depth, alpha, beta


def height(tree: Any) -> int:
    """Return the number of choices from the top of a tree to its numbers."""
    return 1 + height(tree[0]) if isinstance(tree, list) else 0


class Proven(NamedTuple):
    """The right result of a search: the value, the numbers it may read, and the bounds of a right value."""

    value: float
    met: tuple[int, ...]
    least: float
    most: float


def proven(state: Any, depth: int, alpha: float, beta: float) -> Proven:
    """Return the right result of a search.

    If the value is outside the window, any number between it and the nearer end of the window is right.
    """
    value, count = noting(alphabeta)(state, depth, alpha, beta)
    whole = AlphaBetaSearch(cuts=()).value(state, depth)
    return Proven(value, count, min(whole, beta), max(whole, alpha))


def is_proven(value: Any, want: Proven) -> bool:
    """Return whether a value is a number within the right bounds."""
    return isinstance(value, int | float) and not isinstance(value, bool) and want.least <= value <= want.most


def explained(got: Any, wrong: Seen) -> bool:
    """Return whether a wrong search gives the same value, and the same list of numbers unless its list is empty."""
    return bool(got.value == wrong.value) and wrong.met in ((), got.met)


def valued(**mistake: Any) -> Callable[..., Seen]:
    """Return a search with this mistake; its results leave out the numbers read."""
    return lambda *arguments: Seen(AlphaBetaSearch(**mistake).value(*arguments), ())


def first_only(state: Any, depth: int, alpha: float, beta: float) -> float:
    """Search with `return` inside the loop, so that only first choices are tried."""
    while depth and not state.over:
        state, depth = state.play(state.actions(state.actors[0])[0]).after, depth - 1
    return worth(state)


WRONG_SEARCHES: Mapping[str, Callable[..., Seen]] = {
    "That is what A gets if B helps: B takes the least.": valued(helps=()),
    "A takes the most.": valued(helps=(A, B)),
    "You look at one number only: is `return` inside the loop?": lambda *args: noting(first_only)(*args),
    "Alpha is what A has for sure, beta what B has: in which order do you pass them down?": valued(swaps=True),
    "Pass alpha and beta down: the values that A and B have elsewhere count further below as well.": lambda *args: (
        noting(AlphaBetaSearch(hands_down=False).value)(*args)
    ),
}


def search_hint(got: Seen, want: Proven, state: Any, depth: int, alpha: float, beta: float) -> str:
    """Return the hint for a wrong value, or for a search that reads too many numbers (al-43)."""
    where = "the town, three decisions ahead"
    if isinstance(state, TreePosition):
        window = f", with alpha {alpha} and beta {beta}" if (alpha, beta) != (-inf, inf) else ""
        where = f"the tree {state}: {'AB'[state.seat]} chooses first{window}"
    if got.value is None:
        return f"{where}. You return nothing. What is the last line of the function?"
    if not is_proven(got.value, want):
        hint = " That is the value that a search begins with. Is `best` changed before the loop is left?"
        bounds = "" if want.least == want.most else f" (or anything from {want.least:g} to {want.most:g})"
        return (
            f"{where}. It is worth {want.value}{bounds}, and you say {short_repr(got.value)}."
            f"{hint if got.value in (inf, -inf) else ''}"
        )
    where = f"{where}. Your value, {got.value}, is right, but you look at {len(got.met)} numbers,"
    where = f"{where} and {len(want.met)} are enough"
    if depth == 1:
        return f"{where}. {no_cut(state, want, alpha, beta)}"
    first = next(place for place, number in enumerate(got.met) if got.met[: place + 1] != want.met[: place + 1])
    return f"{where}. The first {first} are right; then you look at {got.met[first]}. What are alpha and beta there?"


def no_cut(node: TreePosition, want: Proven, alpha: float, beta: float) -> str:
    """Explain why the rest of a list is irrelevant."""
    last = want.met[-1]
    if last in (alpha, beta):
        return (
            f"After {last} alpha and beta are equal: nothing that follows can improve on what is already guaranteed."
            " Cut off there."
        )
    if node.seat == A:
        return f"After {last} A has more than beta: B has {beta} elsewhere, and will not come here. Leave the loop."
    return f"After {last} B has less than alpha: A has {alpha} elsewhere, and will not come here. Leave the loop."


# al-43b: the order


def met(rng: Random) -> Iterator[tuple[State, int]]:
    """Yield (position, seat to move) from random games. The seat's actions lead to at least three different values."""
    state = town()
    while True:
        state = state.sample(rng).after
        if state.over or any(state.scores):
            state = town("1,0E>S", "1,1N>W")
        if len(state.actors) == 1 and len({worth(end) for end in ends(state).values()}) > 2:
            yield state, state.actors[0]


def ends(state: State) -> dict[Any, State]:
    """Return the next position of each action."""
    return {action: state.play(action).after for action in state.actions(state.actors[0])}


def values_of(state: State, actions: Iterable[Any]) -> list[int]:
    """Return the values of the positions after these actions."""
    states = ends(state)
    return [worth(states[action]) for action in actions]


def good_order(got: Any, want: Sequence[Any]) -> bool:
    """Return whether `got` has all actions of `want`, in an order that is just as good."""
    actions = listed(got)
    if isinstance(got, str) or actions is None or not all(action in want for action in actions):
        return False
    state = want[0].state
    return len(set(actions)) == len(actions) == len(want) and values_of(state, actions) == values_of(state, want)


def order_hint(got: Any, want: Sequence[Any], state: State, seat: int) -> str:
    """Return the hint for a wrong order (al-43b)."""
    who = "AB"[seat]
    where = f"with the cars {state.text.partition('cars ')[2]}, {who} has {len(want)} actions"
    actions = listed(got)
    if isinstance(got, str) or actions is None:
        return f"{where}: you say {short_repr(got)}. Return a list of the actions."
    if any(action not in want for action in actions):
        wrong = next(action for action in actions if action not in want)
        more = " Return the actions, not their values." if isinstance(wrong, int | float | tuple) else ""
        more = more or (" Return the actions, not the positions that they lead to." if isinstance(wrong, State) else "")
        return f"{where}: {short_repr(wrong)} is none of them.{more}"
    if len(set(actions)) < len(want):
        return f"{where}: {len(set(actions))} are in your list. Do not leave any out: one of them could be the best."
    if len(actions) > len(want):
        return f"{where}: your list has {len(actions)}; give each action only once."
    mine, best = values_of(state, actions), values_of(state, want)
    if mine == best[::-1]:
        return f"{where}: in your order they lead to {mine}. {who} wants {most(seat)}: reverse it."
    if actions == list(state.actions(seat)):
        return f"{where}: that is the order of `state.actions`; it leads to {mine}. `sorted` has a parameter `key`."
    first = next(place for place, pair in enumerate(zip(mine, best, strict=True)) if pair[0] != pair[1])
    where = f"{where}: in your order they lead to {mine}"
    return f"{where}. Number {first + 1} should lead to {best[first]}: {who} wants {most(seat)}."


def most(seat: int) -> str:
    """Return the aim of a seat in words: the most or the least of `worth`."""
    return "the most" if seat == A else "the least"


CHECKS = (
    Cutting(
        "al-43",
        "alphabeta(state, depth, alpha, beta)",
        "How few numbers are enough? If the best action is always tried first, alpha-beta looks at about the square"
        " root of what minimax looks at, so in the same time it sees twice as far. Section 4 is about that.",
        cases=trees,
        right=proven,
        hint=search_hint,
        same=lambda got, want: is_proven(got.value, want) and len(got.met) <= len(want.met),
        draw=random_search,
        wrongs=WRONG_SEARCHES,
        alike=explained,
    ),
    FunctionWanted(
        "al-43b",
        "ordered(state, seat)",
        "This order also has a cost: a look one decision ahead for each action. How could you recognise a good"
        " action without playing it? (In chess programs it is often what was good in another branch: the killer move.)",
        cases=lambda: sorted(islice(met(Random(2)), 16), key=lambda case: len(case[0].actions(case[1]))),
        right=best_first,
        hint=order_hint,
        same=good_order,
        draw=lambda rng: next(islice(met(rng), rng.below(4), None)),
    ),
)
