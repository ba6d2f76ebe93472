"""Lesson 46, Monte Carlo tree search: ends of a race with one car left for each seat, and the exercises."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, log, sqrt
from typing import Any

from crashlab.base.errors import short_repr
from crashlab.course.exercises.exercise_types import FunctionWanted
from crashlab.engine.chance import Random
from crashlab.engine.game import State
from crashlab.engine.notation import counted
from crashlab.games import game

# A city of 32 tiles. The free jobs are the shops on (1,-1) and (1,-2); all other jobs are taken.
CITY = """phase race; asked A; tiles 0,-1 E house A / 1,-1 ESW shop B / -1,0 E house A / 0,-2 NS house B / -1,-2 EW
    house A / 0,-3 ESW shop B / -1,1 SW house A / 1,0 NES factory B / 1,-2 EW shop A / 2,0 NES shop B / 2,1 NE
    shop A / 3,1 S factory B / 0,-4 NS house A / 0,1 EW house B / -1,-4 ES house A / -1,-3 SW house B / 0,2 S shop
    A / 4,1 NW factory B / 0,-5 SW house A / 1,-4 EW house B / 1,-5 W shop A / -2,-3 EW house B / 1,-6 NW factory
    A / 5,1 EW shop B / 4,2 NS factory A / 2,-6 NS factory B / -1,-1 N house A / 2,2 NW house B / 4,0 SW factory A
    / 2,-1 W house B / 4,-1 SW factory A / -2,-2 E house B; """
PARKED_A = "0,-3 0,2 1,-6 1,-5 1,0 2,-6 2,0"
PARKED_B = "2,1 3,1 4,-1 4,0 4,1 4,2 5,1"

C = 0.7  # weight of exploration in the bound of the exercise


def last_cars(mine: str, theirs: str) -> State:
    """Return the end of a race, A to move: seven cars of each seat are parked, the eighth car is on the given lane."""
    cars = f"cars A {PARKED_A} {mine} / B {PARKED_B} {theirs}"
    return game("crash_city", players=2).read(" ".join((CITY + cars).split()))


def threat() -> State:
    """Return a position in which B is about to park at a free shop; only a crash saves A, and it wins the race."""
    return last_cars("0,-2N>E", "1,-1E>S")


def open_race() -> State:
    """Return a position with both cars some drives from a job; A, to move, is one drive nearer."""
    return last_cars("-1,-3W>S", "2,2W>S")


# The exercises


@dataclass(repr=False)
class Node:
    """A position in the tree: the seat that moved into it, its move, and the visits and wins of playouts through it."""

    state: Any
    mover: int
    move: Any = None
    visits: int = 0
    wins: float = 0.0
    children: list[Node] = field(default_factory=list)

    def __repr__(self) -> str:
        return f"<Node {self.move or self.state}: mover {self.mover}, visits {self.visits}, wins {self.wins:g}>"


def backup(path: Sequence[Node], reward: Sequence[float]) -> Sequence[Node]:
    """Count a playout in every node of its path, with the reward of the seat that moved there; return the path."""
    for node in path:
        node.visits += 1
        node.wins += reward[node.mover]
    return path


def select(node: Node, c: float = C) -> Node:
    """Return the child with the highest upper confidence bound; a child without visits comes before all others."""

    def bound(child: Node) -> float:
        if child.visits == 0:
            return inf
        return child.wins / child.visits + c * sqrt(log(node.visits) / child.visits)

    return max(node.children, key=bound)


def random_path(rng: Random) -> tuple[list[Node], tuple[float, float]]:
    """Return a random path, and the reward of a playout."""
    movers = zip("rabcde", [rng.below(2) for _ in range(2 + rng.below(4))], strict=False)
    nodes = [Node(letter, mover, letter, 3 + rng.below(9), rng.below(7) / 2) for letter, mover in movers]
    return nodes, rng.choice([(1.0, 0.0), (0.0, 1.0), (0.5, 0.5)])


Numbers = list[tuple[int, float]]  # visits and wins, node by node


def in_turns(path: Sequence[Node], reward: Sequence[float], first: int) -> Numbers:
    """Return the visits and wins after a wrong backup that takes turns: seat `first`, the other seat, and so on."""
    return [(node.visits + 1, node.wins + reward[(first + number) % 2]) for number, node in enumerate(path)]


WRONG_BACKUPS: Mapping[str, Any] = {
    "Nothing has changed. Change the nodes themselves: `node.visits += 1`.": lambda path, reward: [
        (node.visits, node.wins) for node in path
    ],
    "Only the last node has changed. The playout went through all nodes of the path.": lambda path, reward: [
        *((node.visits, node.wins) for node in path[:-1]),
        (path[-1].visits + 1, path[-1].wins + reward[path[-1].mover]),
    ],
    "The first node, the root, was visited as well.": lambda path, reward: [
        (path[0].visits, path[0].wins),
        *((node.visits + 1, node.wins + reward[node.mover]) for node in path[1:]),
    ],
    "You count A's result in every node. B chooses what is good for B: look at each node's `mover`.": (
        lambda path, reward: [(node.visits + 1, node.wins + reward[0]) for node in path]
    ),
    "You count it for the other side. `mover` is the player who moved into the node, and so chose it.": (
        lambda path, reward: [(node.visits + 1, node.wins + reward[1 - node.mover]) for node in path]
    ),
    "You let the sides alternate. After a crash a seat may decide twice in a row: ask each node for its `mover`.": (
        lambda path, reward: in_turns(path, reward, path[0].mover),
        lambda path, reward: in_turns(path, reward, 1),
    ),
    "The old wins are gone: add to them, `+=`.": lambda path, reward: [
        (node.visits + 1, reward[node.mover]) for node in path
    ],
    "The wins are right; count the visit as well, no matter who won.": lambda path, reward: [
        (node.visits, node.wins + reward[node.mover]) for node in path
    ],
    "The visits are right; the wins are missing.": lambda path, reward: [(node.visits + 1, node.wins) for node in path],
    "You count a win in every node, whoever won.": lambda path, reward: [
        (node.visits + 1, node.wins + 1) for node in path
    ],
}


def backup_hint(got: Any, want: Sequence[Node], path: Sequence[Node], reward: Sequence[float]) -> str:
    """Return the hint for nodes that were changed wrongly (al-46)."""
    nodes = "; ".join(f"{node.state}, moved to by {'AB'[node.mover]}, {numbers(node)}" for node in path)
    if not isinstance(got, list) or len(got) != len(want) or not all(hasattr(node, "visits") for node in got):
        return f"the path was {nodes}; now it is {short_repr(got)}. Change its nodes, but not the path itself."
    mine, right = next(pair for pair in zip(got, want, strict=True) if pair[0] != pair[1])
    where = f"the path was {nodes}, the reward {reward}: {right.state} should now have {numbers(right)}; it has"
    return f"{where} {numbers(mine)}."


def leaves(got: Any, wrong: Numbers) -> bool:
    """Return whether the nodes `got` have the visits and wins of a wrong backup."""
    return [(node.visits, node.wins) for node in got] == wrong


def numbers(node: Node) -> str:
    """Describe the visits and wins of a node."""
    return f"{counted(node.visits, 'visit')} and {counted(node.wins, 'win')}"


FAMILIES: tuple[
    tuple[tuple[int, float], ...], ...
] = (  # visits and wins of children; wrong bounds choose other children
    ((1, 1.0), (3, 0.5), (3, 2.0), (2, 0.0), (2, 1.5)),
    ((37, 18.0), (19, 10.0), (3, 0.5), (3, 1.0)),
    ((2, 0.5), (4, 2.5), (15, 14.0)),
    ((1, 1.0), (0, 0.0)),
    ((0, 0.0), (0, 0.0)),
    ((20, 12.0), (2, 1.0)),
)


def random_family(rng: Random) -> tuple[Node, float]:
    """Return a node with random children, and a random c."""
    visits = rng.shuffled(range(40))[: 2 + rng.below(4)]  # all different, so that no two bounds are equal
    return parent([(count, rng.below(2 * count + 1) / 2) for count in visits]), (1 + rng.below(30)) / 10


def parent(family: Sequence[tuple[int, float]]) -> Node:
    """Return a node whose children have these visits and wins."""
    children = [Node(letter, 0, letter, *child) for letter, child in zip("abcdef", family, strict=False)]
    return Node("root", 1, None, 1 + sum(visits for visits, _ in family), 0.0, children)


def by(bound: Callable[[Node, Node, float], float]) -> Callable[[Node, float], Node]:
    """Return a chooser of the child with the greatest bound(node, child, c); children without visits are first."""
    return lambda node, c: max(node.children, key=lambda child: bound(node, child, c) if child.visits else inf)


def shared(child: Node) -> float:
    """Return the share of wins of a child."""
    return child.wins / max(child.visits, 1)


# hint -> a wrong chooser
WRONG_SELECTS: Mapping[str, Callable[[Node, float], Node]] = {
    f"That is right for c = {C} only: use the c that the function is given.": lambda node, c: select(node),
    "The square root is missing: `sqrt(log(N) / n)`.": by(
        lambda node, child, c: shared(child) + c * log(node.visits) / child.visits
    ),
    "Multiply the square root by c.": by(lambda node, child, c: shared(child) + sqrt(log(node.visits) / child.visits)),
    "That is the best share of wins alone. What bonus does a rarely tried child get?": by(
        lambda node, child, c: shared(child)
    ),
    "The fraction is upside down: a child with *many* visits gets a small bonus, `log(N) / n`.": by(
        lambda node, child, c: shared(child) + c * sqrt(child.visits / log(node.visits))
    ),
    "That is the child with the fewest visits. The share of wins counts, too.": lambda node, c: min(
        node.children, key=lambda child: child.visits
    ),
    "That is the least of the bounds: choose the child with the greatest one.": lambda node, c: min(
        node.children,
        key=lambda child: shared(child) + c * sqrt(log(node.visits) / child.visits) if child.visits else inf,
    ),
    "That is the child with the most visits, which is chosen only when the search is over.": lambda node, c: max(
        node.children, key=lambda child: child.visits
    ),
    "That is the most wins: divide them by the visits of the child, for a share.": by(
        lambda node, child, c: child.wins + c * sqrt(log(node.visits) / child.visits)
    ),
    "Which visits do you take the logarithm of? N counts those of the node, n those of the child.": by(
        lambda node, child, c: shared(child) + c * sqrt(log(child.visits) / child.visits)
    ),
}


def select_hint(got: Any, want: Node, node: Node, c: float) -> str:
    """Return the hint for a wrong child (al-46b)."""
    children = "; ".join(
        f"{child.move}: {counted(child.wins, 'win')} in {counted(child.visits, 'visit')}" for child in node.children
    )
    where = f"the children are {children}; the node has {counted(node.visits, 'visit')}, and c is {c:g}"
    if isinstance(got, ZeroDivisionError | ValueError):
        return f"{where}: {got}. A child without a visit has no share of wins yet: it comes first, give it `math.inf`."
    if not any(got is child for child in node.children):
        kind = "the child itself, neither its number nor its bound"
        return f"{where}; you return {short_repr(got)}. Return {kind}: `max(node.children, key=...)`."
    where = f"{where}; {want.move} must be selected, and you take {got.move}"
    if want.visits == 0:
        return f"{where}. A child that was never visited comes first: give it `math.inf`."
    return f"{where}."


CHECKS = (
    FunctionWanted(
        "al-46",
        "backup(path, reward)",
        "Add up the visits of the children of any node: compare the sum with its own visits. Why do the two"
        " numbers differ?",
        cases=lambda: [
            (
                [
                    Node("root", 1, None, 9, 4.0),
                    Node("a", 0, "a", 5, 3.0),
                    Node("b", 1, "b", 2, 1.0),
                    Node("c", 1, "c", 1),
                ],
                (0.75, 0.25),
            ),
            ([Node("root", 1)], (1.0, 0.0)),
            ([Node("root", 1, None, 4, 1.0), Node("a", 0, "a", 3, 1.0), Node("b", 1, "b")], (0.5, 0.5)),
        ],
        more=20,
        right=backup,
        hint=backup_hint,
        changes=True,
        draw=random_path,
        wrongs=WRONG_BACKUPS,
        alike=leaves,
    ),
    FunctionWanted(
        "al-46b",
        "select(node, c)",
        "Is it possible that a child is never selected again? Its share of wins stays the same, while log(N)"
        " grows without end. How long may it take?",
        cases=lambda: [(parent(family), C) for family in FAMILIES],
        more=60,
        right=select,
        hint=select_hint,
        same=lambda got, want: got is want,
        catches=(ZeroDivisionError, ValueError),
        draw=random_family,
        wrongs=WRONG_SELECTS,
    ),
)
