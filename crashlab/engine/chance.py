"""Random numbers: seeded and splittable generators, and scripted dice that must be used up.

The generator is SplitMix64: a 64-bit number is stepped and mixed. The same seed gives the same numbers on every machine
and in every version of Python.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import TypeVar
from zlib import crc32

from crashlab.base.errors import CrashlabError, integer, listed, require, require_in, short_repr

T = TypeVar("T")

MASK = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15
LONGEST_SEED = 100  # digits


def mix(luck: int) -> int:
    """Return a 64-bit number that depends on every bit of luck, the RNG state."""
    luck = ((luck ^ (luck >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    luck = ((luck ^ (luck >> 27)) * 0x94D049BB133111EB) & MASK
    return luck ^ (luck >> 31)


def next_luck(luck: list[int]) -> int:
    """Return a random number below 2 ** 31, and advance luck, the RNG state in a list of one number."""
    luck[0] = (luck[0] + STEP) & MASK
    return (mix(luck[0]) >> 33) + 0  # + 0 makes it a signed number in compiled code


def whole_seed(seed: object) -> int:
    """Return a seed as an int; raise CrashlabError for anything but a whole number."""
    words = f"seed={short_repr(seed)}: a seed is a whole number of at most {LONGEST_SEED} digits"
    return require_in(range(1 - 10**LONGEST_SEED, 10**LONGEST_SEED), seed, words)


class Random:
    """A random number generator with a seed; `luck` is its complete state.

    >>> rng = crashlab.Random(7)
    >>> [rng.below(6) for _ in range(5)], rng.choice("ABC")
    ([5, 2, 1, 0, 0], 'C')
    """

    def __init__(self, seed: int = 0) -> None:
        self.luck = mix((whole_seed(seed) * STEP + STEP) & MASK)

    @classmethod
    def at(cls, luck: int) -> Random:
        """Return a generator with this state."""
        source = cls.__new__(cls)
        source.luck = whole_seed(luck) & MASK
        return source

    def below(self, limit: int) -> int:
        """Return a random number from 0 to limit - 1."""
        limit = checked(limit)
        self.luck = (self.luck + STEP) & MASK
        if limit <= 1 << 31:  # the formula of compiled code, whose integers have 64 bits
            return (mix(self.luck) >> 33) * limit >> 31
        return (mix(self.luck) * limit) >> 64

    def choice(self, things: Sequence[T]) -> T:
        """Return a random element of a sequence."""
        if not is_sequence(things):
            raise CrashlabError(f"choice() takes a list, not {short_repr(things)}")
        return things[self.below(len(things))]

    def weighted(self, weights: Sequence[int]) -> int:
        """Return a random index, with a probability proportional to its weight."""
        heavy = [integer(weight) for weight in weights] if is_sequence(weights) else [None]
        valid = [weight for weight in heavy if weight is not None and weight >= 0]
        if len(valid) < len(heavy):
            raise CrashlabError(f"the weights must be a list of whole numbers of at least 0, not {short_repr(weights)}")
        remainder = self.below(sum(valid))
        place = -1
        while remainder >= 0:
            place += 1
            remainder -= valid[place]
        return place

    def shuffled(self, things: Iterable[T]) -> list[T]:
        """Return the elements in random order."""
        order: list[T] | None = listed(things)
        if order is None:
            raise CrashlabError(f"shuffled() takes a list, not {short_repr(things)}")
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order

    def split(self, name: object) -> Random:
        """Return an independent generator, determined by a name and the present state, without advancing the state."""
        try:
            words = repr(name)
        except Exception:
            raise CrashlabError(f"split() needs a name with a working repr(), not {short_repr(name)}") from None
        return Random.at(mix(self.luck ^ crc32(words.encode(errors="backslashreplace")) * STEP & MASK))


def checked(limit: object) -> int:
    """Return the number of possibilities as an int; raise CrashlabError if it is below 1."""
    number = integer(limit)
    if number is None:
        raise CrashlabError(f"the number of possibilities must be a whole number, not {short_repr(limit)}")
    if number < 1:
        raise CrashlabError(f"there is nothing to choose from: the number of possibilities is {short_repr(number)}")
    return number


def is_sequence(things: object) -> bool:
    """Return whether an object can be indexed, like a list or a NumPy array."""
    return isinstance(things, Sequence) or getattr(things, "ndim", 0) > 0


class Dice(Random):
    """Scripted dice, which return the given numbers in order, and raise CrashlabError if some are left over or missing.

    >>> with crashlab.Dice(2, 0) as dice:
    ...     print(dice.below(6), dice.choice(["heads", "tails"]))
    2 heads
    """

    def __init__(self, *numbers: int) -> None:
        super().__init__(0)
        if wrong := [number for number in numbers if integer(number) is None]:
            raise CrashlabError(f"scripted dice take whole numbers, not {short_repr(wrong[0])}")
        self.left = list(numbers)

    def below(self, limit: int) -> int:
        """Return the next scripted number."""
        limit = checked(limit)
        require(self.left, f"the scripted dice are used up, but a number below {short_repr(limit)} is needed")
        require(
            0 <= self.left[0] < limit,
            f"the next scripted number is {short_repr(self.left[0])}, but it must be below {short_repr(limit)}",
        )
        return self.left.pop(0)

    def weighted(self, weights: Sequence[int]) -> int:
        """Return the next scripted number, as the index of a weight."""
        if not is_sequence(weights):
            raise CrashlabError(f"the weights must be a list of whole numbers of at least 0, not {short_repr(weights)}")
        return self.below(len(weights))

    def split(self, name: object) -> Random:
        """Raise CrashlabError, as a split generator would not be scripted."""
        raise CrashlabError("scripted dice cannot be split")

    def __enter__(self) -> Dice:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        require(kind is not None or not self.left, f"these scripted numbers were not used: {short_repr(self.left)}")
