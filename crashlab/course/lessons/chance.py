"""Lesson 45, chance: a last round of Autoscooter as a bandit with ten arms, and the exercises."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from math import inf, log, sqrt
from typing import Any

from crashlab.base.errors import short_repr
from crashlab.course.exercises.exercise_types import FunctionWanted
from crashlab.engine.chance import Random
from crashlab.engine.game import State
from crashlab.games import game

CLOSE = 1e-9


def last_round() -> State:
    """Return a last round with two cars: ten plots for A, fifteen for B."""
    return game("autoscooter", players=2).read({"round": 11, "cars": {"1": "11SW3", "2": "41NW2"}})


FLIGHT = """round 14; tiles 1A3 2B2 3A0 4A2; phase distance; probe B; turn green;
    saucers red off #2, green 47 0-5^ #4, blue 03 #1, yellow off #3;
    crew red pilot red, blue pilot 75, yellow pilot blue, purple pilot 17;
    upgrades Tractor discard, Waste green, Scavenger discard, Distress green, Gateway red, Siphon discard, Cargo green,
    Mines discard, Legs yellow, Airlock discard, Regulator red, Amplifier discard; leg 1"""


def flight() -> State:
    """Return a position of Crash & Grab for two in which A must now choose the distance of green."""
    return game("crash_and_grab", players=2).read(FLIGHT)


# The exercises. A tree is a number, ("max", [trees]), or ("chance", [(probability, tree), ...]).


def expectimax(tree: Any) -> float:
    """Return the value of a tree: the mean at a chance node, the best branch at a decision (al-45)."""
    return judged(tree, mean)


def random_tree(rng: Random, depth: int) -> Any:
    """Return a random tree of at most this depth."""
    if depth == 0 or rng.below(4) == 0:
        return rng.below(10)
    if rng.below(2):
        return ("max", [random_tree(rng, depth - 1) for _ in range(2 + rng.below(2))])
    odds = rng.choice([(0.5, 0.5), (0.25, 0.75), (0.5, 0.25, 0.25)])
    return ("chance", [(odd, random_tree(rng, depth - 1)) for odd in odds])


def judged(tree: Any, chance: Callable[[list[tuple[float, float]]], float], decision: Any = max) -> float:
    """Return the value of a tree: `chance` values the chance nodes, `decision` the decisions."""
    if not isinstance(tree, tuple):
        return float(tree)
    kind, branches = tree
    if kind == "max":
        return float(decision([judged(branch, chance, decision) for branch in branches]))
    return chance([(odd, judged(branch, chance, decision)) for odd, branch in branches])


def mean(pairs: Iterable[tuple[float, float]]) -> float:
    """Return the mean of values, weighted by their probabilities."""
    return sum(odd * value for odd, value in pairs)


WRONG_TREES: Mapping[str, Callable[[Any], float]] = {
    "At a chance node nobody chooses: take the mean of the branches, not the best.": lambda tree: judged(
        tree, lambda pairs: max(value for _, value in pairs)
    ),
    "Chance is not against you: take the mean of the branches, not the worst.": lambda tree: judged(
        tree, lambda pairs: min(value for _, value in pairs)
    ),
    "The branches of chance are not equally likely: multiply each value by its probability.": lambda tree: judged(
        tree, lambda pairs: sum(value for _, value in pairs) / len(pairs)
    ),
    "You add up the branches of chance: multiply each value by its probability first.": lambda tree: judged(
        tree, lambda pairs: sum(value for _, value in pairs)
    ),
    "Do not rely on the likeliest branch: every chance branch counts, in proportion to its probability.": (
        lambda tree: judged(tree, lambda pairs: max(pairs)[1])
    ),
    "At a max node the best branch is chosen, not the worst.": lambda tree: judged(tree, mean, min),
    "At a max node the best branch is chosen; the mean is for chance.": lambda tree: judged(
        tree, mean, lambda values: sum(values) / len(values)
    ),
}


def tree_hint(got: Any, want: float, tree: Any) -> str:
    """Return the hint for a wrong value of a tree (al-45)."""
    if isinstance(got, TypeError):
        return f"the tree {tree}: {got}. A branch may itself be a tree: call `expectimax` for it. A number is a leaf."
    return f"the tree {tree}: it is worth {want:.4g}, and you say {short_repr(got)}."


def close(one: Any, two: Any) -> bool:
    """Return whether two numbers are equal up to rounding."""
    return isinstance(one, int | float) and abs(one - two) < CLOSE


BANDITS: tuple[tuple[list[int], list[float]], ...] = (  # (pulls, sums) for which wrong bounds choose other arms
    ([32, 53, 50, 20, 44], [7.0, 21.0, 36.5, 9.5, 43.5]),
    ([6, 3, 4, 2, 56], [4.5, 2.0, 3.0, 0.5, 40.5]),
    ([29, 4], [20.0, 0.0]),
    ([1, 0], [1.0, 0.0]),
    ([0, 0, 0], [0.0, 0.0, 0.0]),
)


def random_bandit(rng: Random) -> tuple[list[int], list[float]]:
    """Return a random bandit whose arms have different numbers of pulls, so that no two bounds are equal."""
    pulls = rng.shuffled(range(40))[: 2 + rng.below(8)]
    return pulls, [rng.below(2 * count + 1) / 2 for count in pulls]


def highest(bound: Callable[[float, int, float], float]) -> Callable[[Sequence[int], Sequence[float]], int]:
    """Return a chooser of the arm with the greatest bound(all pulls, its pulls, its sum); unpulled arms are first."""
    return lambda pulls, sums: max(
        range(len(pulls)), key=lambda arm: bound(sum(pulls), pulls[arm], sums[arm]) if pulls[arm] else inf
    )


# Choose the arm with the highest upper confidence bound, or an arm without pulls if there is any.
ucb1 = highest(lambda N, n, total: total / n + sqrt(2 * log(N) / n))

# hint -> a wrong chooser
WRONG_ARMS: Mapping[str, Callable[[Sequence[int], Sequence[float]], int]] = {
    "The 2 is missing: `sqrt(2 * log(N) / n)`.": highest(lambda N, n, total: total / n + sqrt(log(N) / n)),
    "That is the best mean alone. What bonus does a rarely tried arm get?": highest(lambda N, n, total: total / n),
    "You compare sums: divide each sum by the pulls of its arm, for a mean.": highest(
        lambda N, n, total: total + sqrt(2 * log(N) / n)
    ),
    "The square root is missing: `sqrt(2 * log(N) / n)`.": highest(lambda N, n, total: total / n + 2 * log(N) / n),
    "N counts the pulls of all arms together, n those of this arm.": highest(
        lambda N, n, total: total / n + sqrt(2 * log(n) / n)
    ),
    "The fraction is upside down: an arm with many pulls should get a small bonus.": highest(
        lambda N, n, total: total / n + sqrt(2 * n / max(log(N), CLOSE))
    ),
    "That is the arm with the fewest pulls. Its mean counts, too.": lambda pulls, sums: pulls.index(min(pulls)),
    "That is the least bound; choose the arm with the greatest one.": lambda pulls, sums: min(
        range(len(pulls)),
        key=lambda arm: sums[arm] / pulls[arm] + sqrt(2 * log(sum(pulls)) / pulls[arm]) if pulls[arm] else inf,
    ),
    "That is the arm with the most pulls.": lambda pulls, sums: pulls.index(max(pulls)),
}


def arm_hint(got: Any, want: int, pulls: Sequence[int], sums: Sequence[float]) -> str:
    """Return the hint for a wrong arm (al-45b)."""
    where = f"pulls {pulls} and sums {sums}"
    if isinstance(got, ZeroDivisionError | ValueError):
        return f"{where}: {got}. An arm that was never pulled has no mean yet: it comes first, give it `math.inf`."
    if isinstance(got, bool) or not isinstance(got, int) or not 0 <= got < len(pulls):
        return f"{where}; you give {short_repr(got)}. Return the number of an arm, from 0: `max(range(...), key=...)`."
    where = f"{where}: arm {want} is next, and you say {got}"
    if pulls[want] == 0:
        return f"{where}. An arm that was never pulled comes first: give it `math.inf`."
    return f"{where}."


def means(state: State) -> list[float]:
    """Return A's mean share of the win for each of its plots, if B plots at random."""
    mine, theirs = state.actions(0), state.actions(1)
    shares = [share(state.play({0: one, 1: other}).after) for one, other in product(mine, theirs)]
    return [sum(shares[start : start + len(theirs)]) / len(theirs) for start in range(0, len(shares), len(theirs))]


def share(state: State) -> float:
    """Return A's share of the win."""
    return (0 in state.winners) / len(state.winners)


CHECKS = (
    FunctionWanted(
        "al-45",
        "expectimax(tree)",
        "Minimax may leave out branches that cannot matter (43). Here every branch of chance counts. What would you"
        " have to know about all the numbers to be able to leave out a branch here?",
        cases=lambda: [
            (5,),
            (("max", [1, 4, 2]),),
            (("chance", [(0.5, 4), (0.25, 9), (0.25, 1)]),),
            (("max", [("chance", [(0.5, 0), (0.5, 12)]), 5, ("chance", [(0.75, 7), (0.25, 1)])]),),
            (("chance", [(0.5, ("max", [1, 3])), (0.25, ("max", [8, 2])), (0.25, 0)]),),
        ],
        more=18,
        right=expectimax,
        hint=tree_hint,
        same=close,
        catches=(TypeError,),
        draw=lambda rng: (random_tree(rng, 2 + rng.below(3)),),
        wrongs=WRONG_TREES,
    ),
    FunctionWanted(
        "al-45b",
        "ucb1(pulls, sums)",
        "The bound of an arm that is not pulled grows with the logarithm of all pulls: from a thousand pulls to a"
        " million log(N) only doubles. How often is the worst arm pulled, then?",
        cases=lambda: BANDITS,
        more=40,
        right=ucb1,
        hint=arm_hint,
        same=lambda got, want: type(got) is int and got == want,
        catches=(ZeroDivisionError, ValueError),
        draw=random_bandit,
        wrongs=WRONG_ARMS,
    ),
)
