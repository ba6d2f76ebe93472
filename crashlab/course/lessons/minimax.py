"""Lesson 43, minimax and alpha-beta: its town, what a position in it is worth, and its exercises."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from itertools import islice
from math import inf
from typing import Any, NamedTuple

from crashlab.agents import lead
from crashlab.base.errors import listed, shown
from crashlab.course.exercises.exercise_types import FunctionWanted
from crashlab.course.exercises.verdict import Verdict
from crashlab.engine.chance import Random
from crashlab.engine.game import State
from crashlab.games import game

TOWN = """tiles 0,1 NW house A / 1,1 NW house B / 1,0 ES house A / 2,0 NW house B / -1,0 N house A
    / 0,-1 EW shop B / 1,-1 NW house A; cars A {} / B {}"""
TURNS = 24  # of the race
A, B = 0, 1
Order = Callable[[Any, int], Iterable[Any]]


def town(a: str = "0,0N>E", b: str = "0,1W>N") -> State:
    """A small town with one job, a car of each side on these lanes, and some turns to play; A decides."""
    return game("crash_city", players=2, turn_limit=TURNS).read(TOWN.format(a, b))


def worth(state: Any) -> int:
    """How much better A stands than B, in hundredths of a parked car: a car on the street counts for its nearness."""
    if isinstance(state, TreePosition):
        state.met.append(state.content)
        return int(state.content)
    return round(100 * lead(state, A))


# Games that are given by their trees


@dataclass(frozen=True)
class TreePosition:
    """A position of a game that is a tree: a list of positions one of which is chosen, or at the end a number.

    It is played as a State is, by turns. `met` are the numbers at which somebody has looked.
    """

    content: Any
    seat: int = A
    met: list[int] = field(default_factory=list)

    @property
    def over(self) -> bool:
        """Whether it is a number."""
        return not isinstance(self.content, list)

    @property
    def actors(self) -> tuple[int, ...]:
        """Who chooses."""
        return () if self.over else (self.seat,)

    def actions(self, seat: object = None) -> list[int]:
        """The places of the list."""
        return [] if self.over else list(range(len(self.content)))

    def play(self, action: int) -> Played:
        """Choose a place."""
        return Played(TreePosition(self.content[action], 1 - self.seat, self.met))

    def __repr__(self) -> str:
        return repr(self.content)


class Played(NamedTuple):
    """What a choice leads to."""

    after: TreePosition


def grown(rng: Random, depth: int) -> Any:
    """A tree at random."""
    return [grown(rng, depth - 1) for _ in range(2 + rng.below(2))] if depth else rng.below(20)


# Searches, right and wrong


def in_order(state: Any, seat: int) -> Iterable[Any]:
    """The actions as they are listed."""
    return list(state.actions(seat))


def best_first(state: Any, seat: int) -> list[Any]:
    """The actions in the order of what they lead to, the best one for the seat first."""
    return sorted(state.actions(seat), key=lambda action: worth(state.play(action).after), reverse=seat == A)


def worst_first(state: Any, seat: int) -> list[Any]:
    """The same, the worst one first."""
    return best_first(state, seat)[::-1]


@dataclass
class AlphaBetaSearch:
    """Alpha-beta as it should be, or with a mistake; `positions` counts at how many it has looked."""

    order: Order = in_order
    cuts: tuple[int, ...] = (A, B)  # who cuts off
    is_strict: bool = False  # cut off only where alpha is greater than beta
    hands_down: bool = True  # the window
    swaps: bool = False  # alpha and beta
    helps: tuple[int, ...] = (B,)  # who takes the least
    positions: int = 0

    def value(self, state: Any, depth: int, alpha: float = -inf, beta: float = inf) -> float:
        """What a position is worth."""
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
    """At how many positions alpha-beta looks with this order; minimax, where nothing is cut off."""
    search = AlphaBetaSearch(order, (A, B) if cuts else ())
    search.value(state, depth)
    return search.positions


def alphabeta(state: Any, depth: int, alpha: float, beta: float) -> float:
    """al-43: what a position is worth to A."""
    return AlphaBetaSearch().value(state, depth, alpha, beta)


# al-43: alpha-beta


class Seen(NamedTuple):
    """What a search gives, and the numbers at which it has looked."""

    value: Any
    met: tuple[int, ...]


def noting(search: Callable[..., Any]) -> Callable[..., Any]:
    """A search that also tells at which numbers of a tree it looks."""

    @wraps(search)
    def seen(state: Any, *rest: Any) -> Any:
        fresh = TreePosition(state.content, state.seat) if isinstance(state, TreePosition) else state
        value = search(fresh, *rest)
        return value if value is ... else Seen(value, tuple(fresh.met) if isinstance(fresh, TreePosition) else ())

    return seen


@dataclass(frozen=True)
class Cutting(FunctionWanted):
    """What is wanted is a search; it is also judged by where it looks."""

    def judge(self, answer: Any) -> Verdict:
        """Ask it for all cases, and note where it looks."""
        return super().judge(noting(answer) if callable(answer) else answer)


def trees() -> Iterable[tuple[Any, int, float, float]]:
    """Trees, small ones first, some with a window, and the town."""
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
    """A tree at random, in every other case with a window."""
    depth = 2 + rng.below(3)
    alpha, beta = (-inf, inf) if rng.below(2) else (float(rng.below(10)), float(10 + rng.below(10)))
    return TreePosition(grown(rng, depth), rng.below(2)), depth, alpha, beta


def height(tree: Any) -> int:
    """How many choices a tree has from its top to its numbers."""
    return 1 + height(tree[0]) if isinstance(tree, list) else 0


class Proven(NamedTuple):
    """What is right of a search: a value, or outside of the window what proves that it is there; and what is met."""

    value: float
    met: tuple[int, ...]
    least: float
    most: float


def proven(state: Any, depth: int, alpha: float, beta: float) -> Proven:
    """What is right: below alpha and above beta, any bound for the value will do."""
    value, met = noting(alphabeta)(state, depth, alpha, beta)
    whole = AlphaBetaSearch(cuts=()).value(state, depth)
    return Proven(value, met, min(whole, beta), max(whole, alpha))


def is_proven(value: Any, want: Proven) -> bool:
    """Whether a value is right: a number, and no bound that proves too little."""
    return isinstance(value, int | float) and not isinstance(value, bool) and want.least <= value <= want.most


def explained(got: Any, wrong: Seen) -> bool:
    """Whether a search gives what a wrong one gives, and looks where that looks, if it matters."""
    return bool(got.value == wrong.value) and wrong.met in ((), got.met)


def valued(**mistake: Any) -> Callable[..., Seen]:
    """What a search with this mistake gives, wherever it looks."""
    return lambda *given: Seen(AlphaBetaSearch(**mistake).value(*given), ())


def first_only(state: Any, depth: int, alpha: float, beta: float) -> float:
    """As if `return` stood inside the loop."""
    while depth and not state.over:
        state, depth = state.play(state.actions(state.actors[0])[0]).after, depth - 1
    return worth(state)


WRONG_SEARCHES: Mapping[str, Callable[..., Seen]] = {
    "That is what A gets if B helps: B takes the least.": valued(helps=()),
    "A takes the most.": valued(helps=(A, B)),
    "You look at one number only: is `return` inside the loop?": lambda *given: noting(first_only)(*given),
    "Alpha is what A has for sure, beta what B has: in which order do you pass them down?": valued(swaps=True),
    "Pass alpha and beta down: what A has elsewhere counts further below, too.": lambda *given: noting(
        AlphaBetaSearch(hands_down=False).value
    )(*given),
}


def search_hint(got: Seen, want: Proven, state: Any, depth: int, alpha: float, beta: float) -> str:
    """al-43: what to say of a wrong value, or of a search that looks at too much."""
    where = "the town, three decisions ahead"
    if isinstance(state, TreePosition):
        given = f", with alpha {alpha} and beta {beta}" if (alpha, beta) != (-inf, inf) else ""
        where = f"the tree {state}: {'AB'[state.seat]} chooses first{given}"
    if got.value is None:
        return f"{where}. You give nothing back. What is the last line of the function?"
    if not is_proven(got.value, want):
        hint = " That is what a search begins with. Is `best` changed before the loop is left?"
        bounds = "" if want.least == want.most else f" (or anything from {want.least:g} to {want.most:g})"
        return (
            f"{where}. It is worth {want.value}{bounds}, and you say {shown(got.value)}."
            f"{hint if got.value in (inf, -inf) else ''}"
        )
    where = f"{where}. Your value, {got.value}, is right, but you look at {len(got.met)} numbers,"
    where = f"{where} and {len(want.met)} are enough"
    if depth == 1:
        return f"{where}. {no_cut(state, want, alpha, beta)}"
    first = next(place for place, number in enumerate(got.met) if got.met[: place + 1] != want.met[: place + 1])
    return f"{where}. The first {first} are right; then you look at {got.met[first]}. What are alpha and beta there?"


def no_cut(node: TreePosition, want: Proven, alpha: float, beta: float) -> str:
    """Why the rest of a list need not be looked at."""
    last = want.met[-1]
    if last in (alpha, beta):
        return (
            f"After {last} alpha and beta are equal: nothing that follows can improve on what is already guaranteed."
            " Cut off there."
        )
    if node.seat == A:
        return f"After {last} A has more than beta: B has {beta} elsewhere, and will not come here. Leave the loop."
    return f"After {last} B has less than alpha: A has {alpha} elsewhere. The same holds for B: leave the loop."


# al-43b: the order


def met(rng: Random) -> Iterator[tuple[State, int]]:
    """Such positions, one after another, as they come in random games."""
    state = town()
    while True:
        state = state.sample(rng).after
        if state.over or any(state.scores):
            state = town("1,0E>S", "1,1N>W")
        if len(state.actors) == 1 and len({worth(end) for end in ends(state).values()}) > 2:
            yield state, state.actors[0]


def ends(state: State) -> dict[Any, State]:
    """Where each action leads."""
    return {action: state.play(action).after for action in state.actions(state.actors[0])}


def values_of(state: State, actions: Iterable[Any]) -> list[int]:
    """What these actions lead to."""
    found = ends(state)
    return [worth(found[action]) for action in actions]


def good_order(got: Any, want: Sequence[Any]) -> bool:
    """Whether these are the same actions, in an order that is as good."""
    actions = listed(got)
    if isinstance(got, str) or actions is None or not all(action in want for action in actions):
        return False
    state = want[0].state
    return len(set(actions)) == len(actions) == len(want) and values_of(state, actions) == values_of(state, want)


def order_hint(got: Any, want: Sequence[Any], state: State, seat: int) -> str:
    """al-43b: what to say of a wrong order."""
    who = "AB"[seat]
    where = f"with the cars {state.text.partition('cars ')[2]} {who} has {len(want)} actions"
    actions = listed(got)
    if isinstance(got, str) or actions is None:
        return f"{where}: you say {shown(got)}. Return a list of the actions."
    if any(action not in want for action in actions):
        wrong = next(action for action in actions if action not in want)
        more = " Return the actions, not their values." if isinstance(wrong, int | float | tuple) else ""
        more = more or (" Give the actions, not where they lead." if isinstance(wrong, State) else "")
        return f"{where}: {shown(wrong)} is none of them.{more}"
    if len(set(actions)) < len(want):
        return f"{where}: {len(set(actions))} are in your list. None may be left out, or a good one may be missed."
    if len(actions) > len(want):
        return f"{where}: your list has {len(actions)}; each of them once is enough."
    mine, best = values_of(state, actions), values_of(state, want)
    if mine == best[::-1]:
        return f"{where}: in your order they lead to {mine}. {who} wants {most(seat)}: turn it round."
    if actions == list(state.actions(seat)):
        return f"{where}: that is the order of the list; they lead to {mine}. `sorted` has a parameter `key`."
    first = next(place for place, pair in enumerate(zip(mine, best, strict=True)) if pair[0] != pair[1])
    where = f"{where}: in your order they lead to {mine}"
    return f"{where}. Number {first + 1} should lead to {best[first]}: {who} wants {most(seat)}."


def most(seat: int) -> str:
    """What a seat wants of `worth`."""
    return "the most" if seat == A else "the least"


CHECKS = (
    Cutting(
        "al-43",
        "alphabeta(state, depth, alpha, beta)",
        "How few can it be? If the best is always tried first, alpha-beta looks at about the square root of what"
        " minimax looks at, so in the same time it sees twice as far. Section 4 is about that.",
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
        "This order costs something, too: a look one decision ahead for each action. What could tell a good action"
        " without playing it? (In chess programs it is often what was good in another branch: the killer move.)",
        cases=lambda: sorted(islice(met(Random(2)), 16), key=lambda case: len(case[0].actions(case[1]))),
        right=best_first,
        hint=order_hint,
        same=good_order,
        draw=lambda rng: next(islice(met(rng), rng.below(4), None)),
    ),
)
