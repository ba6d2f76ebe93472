"""Lesson 47, on bluff: the last two rounds of a game, learning by playing, and trees of matrix games.

A *game* is a list of rows: A's gain for each plot of A (a row) and of B (a column). A *tree* is a list of rows of
pairs: A's gain in this round, and the tree of the next round, None after the last round.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from crashlab.analysis.matrix_game import Duel
from crashlab.base.errors import as_float, short_repr
from crashlab.course.exercises.exercise_types import FunctionWanted
from crashlab.engine.chance import Random
from crashlab.engine.game import State
from crashlab.games import game

Gains = Sequence[Sequence[float]]
Tree = list[list[tuple[int, Any]]]
Counts = tuple[list[int], list[int]]

CARS = {"1": "11SW3", "2": "41NW2"}
CLOSE = 1e-6  # values at most this far apart are equal
MORE = {  # positions with two rounds left, for the competition
    "a chase": {"1": "61E2", "2": "50E3"},
    "side by side": {"1": "22SW3", "2": "32W3"},
    "the bluff": CARS,
}


# Positions, and the trees of their gains


def position(cars: dict[str, str], left: int) -> State:
    """Return a position with two cars in which this number of rounds is left."""
    return game("autoscooter", players=2).read({"round": 12 - left, "cars": cars})


def last_round() -> State:
    """Return the last round of car 1 of A and car 2 of B, in which both need a bluff to play well."""
    return position(CARS, 1)


def round_before() -> State:
    """Return the position of the same cars with two rounds left."""
    return position(CARS, 2)


def tree_of(state: State) -> Tree:
    """Return the tree of a position, without duplicates of rows and columns.

    Positions with equal outlines share a tree (see `contract.Rounds`).
    """
    return grown(state, {})


def grown(state: State, cache: dict[tuple[int, ...], Tree]) -> Tree:
    """Return the tree of a position, from `cache` if an equivalent position is in it."""
    rules: Any = state.game.rules
    out = [0] * rules.MOST_ACTIONS
    outline = tuple(out[: rules.outline(state.table, out)])
    if outline not in cache:
        cache[outline] = without_twins(
            [
                [cell(state, state.play_codes({0: row, 1: column}), cache) for column in state.actions(1).codes]
                for row in state.actions(0).codes
            ]
        )
    return cache[outline]


def cell(state: State, after: State, cache: dict[tuple[int, ...], Tree]) -> tuple[int, Tree | None]:
    """Return A's gain on B in a round, and the tree of the next round, None after the last."""
    gain = after.scores[0] - after.scores[1] - (state.scores[0] - state.scores[1])
    return gain, None if after.over else grown(after, cache)


def without_twins(tree: Tree) -> Tree:
    """Return the tree with only the first of equal rows, and then only the first of equal columns."""

    def firsts(lines: Sequence[Sequence[tuple[int, Any]]]) -> list[Any]:
        by_outline: dict[tuple[tuple[int, int], ...], Any] = {}
        for line in lines:
            by_outline.setdefault(tuple((gain, id(rest)) for gain, rest in line), line)
        return list(by_outline.values())

    return [list(row) for row in zip(*firsts(list(zip(*firsts(tree), strict=True))), strict=True)]


def behind(tree: Tree) -> list[Tree]:
    """Return all different trees of the next round."""
    return list({id(rest): rest for row in tree for _, rest in row if rest}.values())


def solved(gains: Gains) -> float:
    """Return the value of a matrix game: A's average gain if both play their best mixtures."""
    return Duel.of(gains).reduced().solve().value


# al-47


def best_row(gains: Gains, often: Sequence[float]) -> int:
    """Return the first of A's best answers to B's counts of columns."""
    worths = [sum(gain * times for gain, times in zip(row, often, strict=True)) for row in gains]
    return worths.index(max(worths))


def best_column(gains: Gains, often: Sequence[float]) -> int:
    """Return the first of B's best answers to A's counts of rows."""
    columns = zip(*gains, strict=True)
    worths = [sum(gain * times for gain, times in zip(column, often, strict=True)) for column in columns]
    return worths.index(min(worths))


def fictitious_play(gains: Gains, rounds: int) -> Counts:
    """Return how often each plot of A and of B is played, if both always choose a best answer to the other's counts."""
    often_a, often_b = [0] * len(gains), [0] * len(gains[0])
    a, b = 0, 0
    for _ in range(rounds):
        often_a[a] += 1
        often_b[b] += 1
        a, b = best_row(gains, often_b), best_column(gains, often_a)
    return often_a, often_b


def played(
    gains: Gains,
    rounds: int,
    answer_a: Callable[[Gains, list[int], int], int],
    answer_b: Callable[[Gains, list[int], int], int],
    at_once: bool = True,
) -> Counts:
    """Do fictitious play with other answers to (gains, counts, last plot); if not `at_once`, B knows A's new plot."""
    often_a, often_b = [0] * len(gains), [0] * len(gains[0])
    a, b = 0, 0
    for number in range(rounds):
        often_a[a] += 1
        if not at_once and number:
            b = answer_b(gains, often_a, a)
        often_b[b] += 1
        last_a, last_b = a, b
        a = answer_a(gains, often_b, last_b)
        if at_once:
            b = answer_b(gains, often_a, last_a)
    return often_a, often_b


def only(size: int, plot: int) -> list[int]:
    """Return counts in which one plot has been played once."""
    return [int(place == plot) for place in range(size)]


def mirrored(gains: Gains) -> Gains:
    """Return all gains with the opposite sign, so that the worst becomes the best."""
    return [[-gain for gain in row] for row in gains]


def last_of(gains: Gains, often: Sequence[int], find: Callable[[Gains, Sequence[int]], int], rows: bool) -> int:
    """Return the last of several best answers, where `find` returns the first."""
    turned = [row[::-1] for row in gains] if not rows else list(gains)[::-1]
    return (len(gains) if rows else len(gains[0])) - 1 - find(turned, often)


def plain_row(gains: Gains, often: list[int], last: int) -> int:
    """Return the right answer of A, with the parameters of `played`."""
    return best_row(gains, often)


def plain_column(gains: Gains, often: list[int], last: int) -> int:
    """Return the right answer of B, with the parameters of `played`."""
    return best_column(gains, often)


WRONG_PLAYS: Mapping[str, Callable[[Gains, int], Any]] = {
    "These are the right counts in the wrong order: first those of A, then those of B.": (
        lambda gains, rounds: fictitious_play(gains, rounds)[::-1]
    ),
    "You return shares; return counts, so do not divide by the number of rounds.": (
        lambda gains, rounds: tuple([count / rounds for count in side] for side in fictitious_play(gains, rounds))
    ),
    "B takes the column in which A gains most. The numbers are what A gains: B wants the least.": (
        lambda gains, rounds: played(
            gains, rounds, plain_row, lambda table, often, last: best_column(mirrored(table), often)
        )
    ),
    "A takes the row in which it gains least. The numbers are what A gains: A wants the most.": (
        lambda gains, rounds: played(
            gains, rounds, lambda table, often, last: best_row(mirrored(table), often), plain_column
        )
    ),
    "That answers the last plot alone. Answer all plots that the other has played so far, weighted by their counts.": (
        lambda gains, rounds: played(
            gains,
            rounds,
            lambda table, often, last: best_row(table, only(len(table[0]), last)),
            lambda table, often, last: best_column(table, only(len(table), last)),
        )
    ),
    "B already knows A's plot of the same round. Both choose at once: find both answers, then count both.": (
        lambda gains, rounds: played(gains, rounds, plain_row, plain_column, at_once=False)
    ),
    "If several replies are best, take the first: with `>` in place of `>=`, or with `index`.": (
        lambda gains, rounds: played(
            gains,
            rounds,
            lambda table, often, last: last_of(table, often, best_row, True),
            lambda table, often, last: last_of(table, often, best_column, False),
        )
    ),
    "That is one round too many: in 4 rounds each side plays 4 plots.": (
        lambda gains, rounds: fictitious_play(gains, rounds + 1)
    ),
    "Both begin with plot 0, count it, and then answer.": lambda gains, rounds: fictitious_play(gains, rounds - 1),
}


def play_hint(got: Any, want: Counts, gains: Gains, rounds: int) -> str:
    """Return the hint for wrong counts (al-47)."""
    lead = f"fictitious_play({short_repr(gains)}, {rounds}): "
    pair = tuple(map(list, got)) if is_pair(got) else None
    if pair is None:
        return f"{lead}return two lists, often_a and often_b; you return {short_repr(got)}."
    text = f"you count {short_repr(pair[0])} and {short_repr(pair[1])}; the right counts are {want[0]} and {want[1]}"
    return f"{lead}{text}."


def is_pair(got: Any) -> bool:
    """Return whether a value is a pair of lists or tuples."""
    return isinstance(got, tuple | list) and len(got) == 2 and all(isinstance(side, tuple | list) for side in got)


def same_counts(got: Any, want: Counts) -> bool:
    """Return whether both lists of counts are right."""
    return is_pair(got) and [list(side) for side in got] == [list(side) for side in want]


def play_cases() -> list[tuple[Gains, int]]:
    """Return the cases of al-47: small games and few rounds first, the bluff last."""
    small: list[Gains] = [
        [[3, -1], [-2, 1]],
        [[2, 0, -2], [0, 2, 1]],
        [[1, -1], [1, -2], [-1, 3]],
        [[0, -1, 1], [1, 0, -2], [-1, 2, 0]],
    ]
    return [(gains, rounds) for rounds in (1, 2, 4, 9) for gains in small] + [(bluff_gains(), 30)]


def random_play(rng: Random) -> tuple[Gains, int]:
    """Return a small random game and a number of rounds."""
    rows, columns = 2 + rng.below(2), 2 + rng.below(2)
    return [[rng.below(9) - 4 for _ in range(columns)] for _ in range(rows)], 1 + rng.below(12)


def bluff_gains() -> list[list[int]]:
    """Return A's gains in the last round, without duplicates of plots."""
    return [[gain for gain, _ in row] for row in tree_of(last_round())]


# al-47b


def value(tree: Tree) -> float:
    """Return the value of a tree to A if both play their best mixtures in each round."""
    return solved([[gain + (value(rest) if rest else 0) for gain, rest in row] for row in tree])


def judged(tree: Tree, judge: Callable[[Gains], float], gains: int = 1, rest: int = 1) -> float:
    """Return the value of a tree: `judge` values a matrix, and two factors weigh the gains and the later rounds."""
    return judge(
        [
            [gains * gain + (rest * judged(more, judge, gains, rest) if more else 0) for gain, more in row]
            for row in tree
        ]
    )


def mean(gains: Gains) -> float:
    """Return A's average gain if both play at random."""
    return sum(map(sum, gains)) / sum(map(len, gains))


WRONG_VALUES: Mapping[str, Callable[[Tree], float]] = {
    "You look at this round alone. Add the value of the game that follows a cell.": lambda tree: judged(
        tree, solved, rest=0
    ),
    "You leave out the gains: each cell is also worth its gain.": lambda tree: judged(tree, solved, gains=0),
    "You change the sign with each round. Here nobody moves in turn: all numbers are what A gains.": (
        lambda tree: judged(tree, solved, rest=-1)
    ),
    "That is what single plots guarantee A. Mixtures gain more: use solved(...).": (
        lambda tree: judged(tree, lambda gains: max(map(min, gains)))
    ),
    "That is the mean of all cells, as if both played at random. Use solved(...).": lambda tree: judged(tree, mean),
    "That is the best cell of all. B decides too, and at the same time: use solved(...).": (
        lambda tree: judged(tree, lambda gains: max(map(max, gains)))
    ),
    "The sign is wrong: the numbers are A's gains, and the value is A's gain as well.": lambda tree: -value(tree),
}


def value_hint(got: Any, want: float, tree: Tree) -> str:
    """Return the hint for a wrong value (al-47b)."""
    lead = f"value({short_repr(tree)}) is {want:.4f}, and you say {short_repr(got)}"
    return f"{lead}. Every cell is worth gain + value(rest), or the gain alone where rest is None."


def value_cases() -> list[tuple[Tree]]:
    """Return the cases of al-47b: trees of one, two and three rounds."""
    pennies: Tree = [[(2, None), (-1, None)], [(-1, None), (1, None)]]
    saddle: Tree = [[(3, None), (1, None)], [(0, None), (-2, None)]]
    unlike: Tree = [[(1, None), (4, None), (-3, None)], [(2, None), (-2, None), (2, None)]]
    two: Tree = [[(0, pennies), (2, saddle)], [(1, unlike), (-1, None)]]
    three: Tree = [[(1, two), (0, unlike)], [(-1, saddle), (3, two)]]
    return [(saddle,), (pennies,), (unlike,), ([[(-2, pennies)]],), (two,), (three,)]


def random_rounds(rng: Random) -> tuple[Tree]:
    """Return a random tree of one, two or three rounds."""

    def grow(rounds: int) -> Tree:
        columns = 1 + rng.below(3)
        return [
            [(rng.below(7) - 3, grow(rounds - 1) if rounds > 1 and rng.below(3) else None) for _ in range(columns)]
            for _ in range(1 + rng.below(2))
        ]

    return (grow(1 + rng.below(3)),)


CHECKS = (
    FunctionWanted(
        "al-47",
        "fictitious_play(gains, rounds)",
        "Watch it: which plots stop being played by round 100, and which are played for ever?",
        cases=play_cases,
        right=fictitious_play,
        hint=play_hint,
        same=same_counts,
        follows="often_a",
        draw=random_play,
        wrongs=WRONG_PLAYS,
        alike=same_counts,
    ),
    FunctionWanted(
        "al-47b",
        "value(tree)",
        "That is backward induction. What would have to change if A saw B's plot before it chose its own?",
        cases=value_cases,
        right=value,
        hint=value_hint,
        same=lambda got, want: abs(as_float(got) - want) < CLOSE,
        draw=random_rounds,
        wrongs=WRONG_VALUES,
    ),
)
