"""Lesson 47, on bluff: the last round and the one before, learning by playing, and matrices behind matrices.

A *game* is a list of rows: what A gains for each plot of A (a row) and of B (a column). A *tree* is a list of rows of
pairs: what A gains in this round, and the tree of the round behind it, None behind the last one.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from crashlab.analysis.matrix_game import Duel
from crashlab.base.errors import real, shown
from crashlab.course.exercises.exercise_types import FunctionWanted
from crashlab.engine.chance import Random
from crashlab.engine.game import State
from crashlab.games import game

Gains = Sequence[Sequence[float]]
Tree = list[list[tuple[int, Any]]]
Counts = tuple[list[int], list[int]]

CARS = {"1": "11SW3", "2": "41NW2"}
CLOSE = 1e-6  # values that are no further apart
MORE = {  # positions with two rounds left, for the competition
    "a chase": {"1": "61E2", "2": "50E3"},
    "side by side": {"1": "22SW3", "2": "32W3"},
    "the bluff": CARS,
}


# Positions, and what stands in their cells


def position(cars: dict[str, str], left: int) -> State:
    """Two cars with so many rounds left, and the last numbers of their columns."""
    return game("autoscooter", players=2).read({"round": 12 - left, "cars": cars})


def last_round() -> State:
    """The last round: car 1 of A against car 2 of B, which nobody plays well without a bluff."""
    return position(CARS, 1)


def round_before() -> State:
    """The same cars with one round more."""
    return position(CARS, 2)


def tree_of(state: State) -> Tree:
    """The tree of a position; rows and columns that differ from others in nothing are left out.

    Positions in which the same can happen share a tree.
    """
    return grown(state, {})


def grown(state: State, known: dict[tuple[int, ...], Tree]) -> Tree:
    """The tree of a position, one of those that are known if it can be."""
    rules: Any = state.game.rules
    out = [0] * rules.MOST_ACTIONS
    outline = tuple(out[: rules.outline(state.table, out)])
    if outline not in known:
        known[outline] = without_twins(
            [
                [cell(state, state.play_codes({0: row, 1: column}), known) for column in state.actions(1).codes]
                for row in state.actions(0).codes
            ]
        )
    return known[outline]


def cell(state: State, after: State, known: dict[tuple[int, ...], Tree]) -> tuple[int, Tree | None]:
    """What A gains on B in a round, and the tree behind it."""
    gain = after.scores[0] - after.scores[1] - (state.scores[0] - state.scores[1])
    return gain, None if after.over else grown(after, known)


def without_twins(tree: Tree) -> Tree:
    """The first of all rows that are equal, and then of all columns."""

    def firsts(lines: Sequence[Sequence[tuple[int, Any]]]) -> list[Any]:
        found: dict[tuple[tuple[int, int], ...], Any] = {}
        for line in lines:
            found.setdefault(tuple((gain, id(rest)) for gain, rest in line), line)
        return list(found.values())

    return [list(row) for row in zip(*firsts(list(zip(*firsts(tree), strict=True))), strict=True)]


def behind(tree: Tree) -> list[Tree]:
    """All different trees right behind a tree."""
    return list({id(rest): rest for row in tree for _, rest in row if rest}.values())


def solved(gains: Gains) -> float:
    """The value of a matrix game: what A gains on average if both mix as well as can be."""
    return Duel.of(gains).reduced().solve().value


# al-47


def best_row(gains: Gains, often: Sequence[float]) -> int:
    """The first of A's best answers to how often B has played each column."""
    worths = [sum(gain * times for gain, times in zip(row, often, strict=True)) for row in gains]
    return worths.index(max(worths))


def best_column(gains: Gains, often: Sequence[float]) -> int:
    """The first of B's best answers to how often A has played each row."""
    columns = zip(*gains, strict=True)
    worths = [sum(gain * times for gain, times in zip(column, often, strict=True)) for column in columns]
    return worths.index(min(worths))


def fictitious_play(gains: Gains, rounds: int) -> Counts:
    """How often each plot of A and of B is played, if both answer best all that the other has played so far."""
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
    """The same with other answers, to the counts and the last plot of the other; B may look at A's new plot."""
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
    """Counts in which one plot has been played once."""
    return [int(place == plot) for place in range(size)]


def mirrored(gains: Gains) -> Gains:
    """All gains with the other sign: who wants the least of them wants the most of these."""
    return [[-gain for gain in row] for row in gains]


def last_of(gains: Gains, often: Sequence[int], find: Callable[[Gains, Sequence[int]], int], rows: bool) -> int:
    """The last one of several best answers."""
    turned = [row[::-1] for row in gains] if not rows else list(gains)[::-1]
    return (len(gains) if rows else len(gains[0])) - 1 - find(turned, often)


def plain_row(gains: Gains, often: list[int], last: int) -> int:
    """A's answer as it should be."""
    return best_row(gains, often)


def plain_column(gains: Gains, often: list[int], last: int) -> int:
    """B's answer as it should be."""
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
    "That answers the last plot alone. Answer all that the other has played so far, as often as it was played.": (
        lambda gains, rounds: played(
            gains,
            rounds,
            lambda table, often, last: best_row(table, only(len(table[0]), last)),
            lambda table, often, last: best_column(table, only(len(table), last)),
        )
    ),
    "B knows A's plot of the same round already. Both choose at once: find both answers, then count both.": (
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
    "That is one round too many: 4 rounds are 4 plots of each.": (
        lambda gains, rounds: fictitious_play(gains, rounds + 1)
    ),
    "Both begin with plot 0, count it, and then answer.": lambda gains, rounds: fictitious_play(gains, rounds - 1),
}


def play_hint(got: Any, want: Counts, gains: Gains, rounds: int) -> str:
    """al-47: what to say of wrong counts."""
    lead = f"fictitious_play({shown(gains)}, {rounds}): "
    pair = tuple(map(list, got)) if is_pair(got) else None
    if pair is None:
        return f"{lead}return two lists, often_a and often_b; you return {shown(got)}."
    told = f"you count {shown(pair[0])} and {shown(pair[1])}, right is {want[0]} and {want[1]}"
    return f"{lead}{told}."


def is_pair(got: Any) -> bool:
    """Whether these are two lists, as is wanted."""
    return isinstance(got, tuple | list) and len(got) == 2 and all(isinstance(side, tuple | list) for side in got)


def same_counts(got: Any, want: Counts) -> bool:
    """Whether both lists of counts are right."""
    return is_pair(got) and [list(side) for side in got] == [list(side) for side in want]


def play_cases() -> list[tuple[Gains, int]]:
    """Small games and few rounds first; last the bluff."""
    small: list[Gains] = [
        [[3, -1], [-2, 1]],
        [[2, 0, -2], [0, 2, 1]],
        [[1, -1], [1, -2], [-1, 3]],
        [[0, -1, 1], [1, 0, -2], [-1, 2, 0]],
    ]
    return [(gains, rounds) for rounds in (1, 2, 4, 9) for gains in small] + [(bluff_gains(), 30)]


def random_play(rng: Random) -> tuple[Gains, int]:
    """A small game, and some rounds."""
    rows, columns = 2 + rng.below(2), 2 + rng.below(2)
    return [[rng.below(9) - 4 for _ in range(columns)] for _ in range(rows)], 1 + rng.below(12)


def bluff_gains() -> list[list[int]]:
    """What A gains in the last round, without plots that differ from others in nothing."""
    return [[gain for gain, _ in row] for row in tree_of(last_round())]


# al-47b


def value(tree: Tree) -> float:
    """What a tree is worth to A if both mix as well as can be in each round."""
    return solved([[gain + (value(rest) if rest else 0) for gain, rest in row] for row in tree])


def judged(tree: Tree, judge: Callable[[Gains], float], gains: int = 1, rest: int = 1) -> float:
    """The same with another judgement of a matrix, and with these factors for the gains and for what comes later."""
    return judge(
        [
            [gains * gain + (rest * judged(more, judge, gains, rest) if more else 0) for gain, more in row]
            for row in tree
        ]
    )


def surely(gains: Gains) -> float:
    """What A is sure of with a single row."""
    return max(min(row) for row in gains)


def mean(gains: Gains) -> float:
    """What A gains against chance, playing at random as well."""
    return sum(map(sum, gains)) / sum(map(len, gains))


WRONG_VALUES: Mapping[str, Callable[[Tree], float]] = {
    "You look at this round alone. Add the value of what is behind a cell.": lambda tree: judged(tree, solved, rest=0),
    "You count nothing that is gained: each cell is worth its gain, too.": lambda tree: judged(tree, solved, gains=0),
    "You turn the sign with each round. Here nobody moves in turn: all numbers are what A gains.": (
        lambda tree: judged(tree, solved, rest=-1)
    ),
    "That is what A is sure of with single plots. Mixtures bring more: use solved(...).": (
        lambda tree: judged(tree, surely)
    ),
    "That is the mean of all cells, as if both played at random. Use solved(...).": lambda tree: judged(tree, mean),
    "That is the best cell of all. B decides too, and at the same time: use solved(...).": (
        lambda tree: judged(tree, lambda gains: max(map(max, gains)))
    ),
    "The sign is wrong: the numbers are A's gains, and the value is A's gain as well.": lambda tree: -value(tree),
}


def value_hint(got: Any, want: float, tree: Tree) -> str:
    """al-47b: what to say of a wrong value."""
    lead = f"value({shown(tree)}) is {want:.4f}, and you say {shown(got)}"
    return f"{lead}. Every cell is worth gain + value(rest), or the gain alone where rest is None."


def value_cases() -> list[tuple[Tree]]:
    """One round, two rounds, three rounds."""
    pennies: Tree = [[(2, None), (-1, None)], [(-1, None), (1, None)]]
    saddle: Tree = [[(3, None), (1, None)], [(0, None), (-2, None)]]
    unlike: Tree = [[(1, None), (4, None), (-3, None)], [(2, None), (-2, None), (2, None)]]
    two: Tree = [[(0, pennies), (2, saddle)], [(1, unlike), (-1, None)]]
    three: Tree = [[(1, two), (0, unlike)], [(-1, saddle), (3, two)]]
    return [(saddle,), (pennies,), (unlike,), ([[(-2, pennies)]],), (two,), (three,)]


def random_rounds(rng: Random) -> tuple[Tree]:
    """One, two or three rounds."""

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
        "Watch it: which plots does nobody play any more after 100 rounds, and which for ever?",
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
        same=lambda got, want: abs(real(got) - want) < CLOSE,
        draw=random_rounds,
        wrongs=WRONG_VALUES,
    ),
)
