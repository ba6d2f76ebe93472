"""The exercises of the lesson on speed and statistics."""

from collections.abc import Callable, Iterable, Mapping
from math import isclose, sqrt
from numbers import Integral, Real
from typing import Any

from crashlab.base.errors import short_repr
from crashlab.course.exercises.exercise_types import FunctionWanted
from crashlab.engine.chance import Random
from crashlab.engine.notation import counted

SAMPLES = ((0, 1, 2, 3, 9), (5, 5, 5), (29, 31, 40, 12, 33, 28), (1, 0))
GAMES = ((100, 2.0, 1.0), (100, 2.0, 0.2), (2000, 0.5, 0.25), (50, 1.0, 1.0), (400, 1.0, 2.0))
MATRIX = ((2.0, -1.0, 0.0), (-3.0, 1.0, 4.0))
MIXES = (((1, 0), (1, 0, 0)), ((0, 1), (0, 0, 1)), ((0.5, 0.5), (1, 0, 0)), ((0.25, 0.75), (0.5, 0.25, 0.25)))
WIDE = 1.96  # standard deviations on each side of the mean that contain 95 % of a normal distribution


def written(answer: Any) -> str:
    """Write an answer as a student would: numbers with six digits."""
    return f"{answer:.6g}" if isinstance(answer, Real) and not isinstance(answer, Integral) else short_repr(answer)


def nearly(got: Any, want: float) -> bool:
    """Return whether an answer is the right number, up to rounding."""
    return isinstance(got, Real) and isclose(got, want, abs_tol=1e-9)


def samples() -> Iterable[tuple[Any]]:
    """Return the cases of st-1, each an array with the counts of some games."""
    from numpy import array

    return ((array(sample),) for sample in SAMPLES)


def half_width(sample: Any) -> float:
    """Return half the width of the 95 % confidence interval of the mean."""
    return WIDE * float(sample.std(ddof=1)) / sqrt(len(sample))


def width_hint(got: Any, want: float, numbers: Any) -> str:
    """Return the hint for a wrong half-width (st-1)."""
    where = f"for the games {numbers.tolist()} you say {written(got)}"
    if not isinstance(got, Real):
        return f"{where}; return a number. Does your function return something?"
    return f"{where}, but it should be {want:.4f}."


WRONG_WIDTHS: Mapping[str, Any] = {
    "Nearly: divide by n - 1 in the standard deviation, with ddof=1.": lambda some: WIDE * some.std() / sqrt(len(some)),
    "That is how single games spread. The mean spreads less: divide by the square root of n.": (
        lambda some: WIDE * some.std(ddof=1),
        lambda some: WIDE * some.std(),
    ),
    "Divide by the square root of n, not by n.": (
        lambda some: WIDE * some.std(ddof=1) / len(some),
        lambda some: WIDE * some.std() / len(some),
    ),
    "You use the variance; the standard deviation is its square root.": (
        lambda some: WIDE * some.var(ddof=1) / sqrt(len(some)),
        lambda some: WIDE * some.var() / sqrt(len(some)),
    ),
    f"That is one standard deviation of the mean; 95 % need {WIDE} of them.": (
        lambda some: some.std(ddof=1) / sqrt(len(some))
    ),
    "That is the whole width; only half of it goes after ±.": lambda some: 2 * half_width(some),
}


def random_sample(rng: Random) -> tuple[Any]:
    from numpy import array

    return (array([rng.below(50) for _ in range(3 + rng.below(6))]),)


def games_needed(games: int, width: float, target: float) -> float:
    """Return the number of games that reduce the half-width from `width` to `target`."""
    return games * (width / target) ** 2


def enough(got: Any, want: float) -> bool:
    """Return whether an answer is the right number of games, exact or rounded up."""
    return isinstance(got, Real) and want - 1e-6 <= float(got) <= want + 1


def games_hint(got: Any, want: float, games: int, width: float, target: float) -> str:
    """Return the hint for a wrong number of games (st-2)."""
    where = f"{games} games give ± {width}, and you need ± {target}: you say {written(got)}"
    if not isinstance(got, Real):
        return f"{where}; return a number."
    return f"{where}, but {counted(round(want), 'game')} are needed."


WRONG_GAMES: Mapping[str, Callable[[int, float, float], float]] = {
    "Four times as many games halve the width: use the square of the ratio.": (
        lambda games, width, target: games * width / target
    ),
    "A narrower interval needs more games, not fewer.": lambda games, width, target: games * (target / width) ** 2,
    "That is how many more you need; give the total.": (
        lambda games, width, target: games_needed(games, width, target) - games
    ),
}


def mixed() -> list[tuple[Any, Any, Any]]:
    """Return the matrix with some mixtures of its rows and of its columns."""
    from numpy import array

    return [(array(MATRIX), array(x, float), array(y, float)) for x, y in MIXES]


def expected_gain(matrix: Any, x: Any, y: Any) -> float:
    """Return the row player's average gain."""
    return float(x @ matrix @ y)


def gain_hint(got: Any, want: float, matrix: Any, x: Any, y: Any) -> str:
    """Return the hint for a wrong gain, or for an error (st-3)."""
    case = f"matrix {matrix.tolist()}, x = {x.tolist()}, y = {y.tolist()}"
    if isinstance(got, Exception):
        return f"{case}: {type(got).__name__}. x[i] belongs to the row matrix[i], and y[j] to matrix[i][j]."
    where = f"{case}: you say {written(got)}"
    if not isinstance(got, Real):
        return f"{where}; return one number: add up the whole table."
    return f"{where}, but it is {want:.4f}."


WRONG_GAINS: Mapping[str, Any] = {
    "Weight each cell by the probability that both choose it: x of its row times y of its column.": (
        lambda matrix, x, y: matrix.mean(),
        lambda matrix, x, y: matrix.sum(),
    ),
    "y is missing: a cell counts only as often as both choose it.": lambda matrix, x, y: x @ matrix.sum(1),
    "x is missing: a cell counts only as often as both choose it.": lambda matrix, x, y: matrix.sum(0) @ y,
}


def random_mix(rng: Random) -> tuple[Any, Any, Any]:
    """Return a random matrix, and mixtures of its rows and columns."""
    from numpy import array

    rows, columns = 2 + rng.below(2), 2 + rng.below(3)
    x, y = (array([1.0 + rng.below(9) for _ in range(number)]) for number in (rows, columns))
    return array([[rng.below(9) - 4.0 for _ in range(columns)] for _ in range(rows)]), x / x.sum(), y / y.sum()


CHECKS = (
    FunctionWanted(
        "st-1",
        "half_width(sample)",
        "Three games with 5 hits each have half-width 0: does that make you certain? With one game alone there is no"
        " half-width at all; what does your function say?",
        cases=samples,
        right=half_width,
        hint=width_hint,
        same=nearly,
        draw=random_sample,
        wrongs=WRONG_WIDTHS,
    ),
    FunctionWanted(
        "st-2",
        "games_needed(games, width, target)",
        "One more decimal place: `games_needed(100, 2.0, 0.2)` is 10,000 games, a hundred times as many. How long"
        " would the decimal place after that take here? The progress bar of `simulate` shows how many games a second"
        " are played.",
        cases=lambda: GAMES,
        right=games_needed,
        hint=games_hint,
        same=enough,
        draw=lambda rng: (10 + rng.below(1000), (1 + rng.below(30)) / 10, (1 + rng.below(30)) / 10),
        wrongs=WRONG_GAMES,
        alike=nearly,
    ),
    FunctionWanted(
        "st-3",
        "expected_gain(matrix, x, y)",
        f"For the matrix {[list(map(int, row)) for row in MATRIX]}, try x = [4/7, 3/7]: against columns 1 and 2"
        " you gain -1/7, and against column 3 as much as 12/7. No other x guarantees as much as -1/7."
        " `crashlab.Duel.of(matrix).solve()` finds it.",
        cases=mixed,
        right=expected_gain,
        hint=gain_hint,
        same=nearly,
        catches=(IndexError, ValueError),
        draw=random_mix,
        wrongs=WRONG_GAINS,
    ),
)
