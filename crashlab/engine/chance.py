"""Chance as numbers: seeded, splittable, and scripted dice that must be used up.

SplitMix64: a 64-bit number is stepped and mixed. The same seed gives the same numbers on every machine and in every
version of Python.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import TypeVar
from zlib import crc32

from crashlab.base.errors import CrashlabError, integer, listed, shown

T = TypeVar("T")

MASK = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15
LONGEST_SEED = 100  # digits


def mix(luck: int) -> int:
    """A 64-bit number that depends on every bit of this one."""
    luck = ((luck ^ (luck >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    luck = ((luck ^ (luck >> 27)) * 0x94D049BB133111EB) & MASK
    return luck ^ (luck >> 31)


def next_luck(luck: list[int]) -> int:
    """The next number below 2 ** 31, all equally likely, of a source that is a row of one 64-bit number."""
    luck[0] = (luck[0] + STEP) & MASK
    return (mix(luck[0]) >> 33) + 0  # + 0: a signed number, where numbers have a size


def whole_seed(seed: object) -> int:
    """A seed as an int; what is no whole number is refused."""
    found = integer(seed)
    if found is None or abs(found) >= 10**LONGEST_SEED:
        raise CrashlabError(f"seed={shown(seed)}: a seed is a whole number of at most {LONGEST_SEED} digits")
    return found


class Random:
    """Random numbers from a seed. `luck` is the generator's whole state.

    >>> rng = crashlab.Random(7)
    >>> [rng.below(6) for _ in range(5)], rng.choice("ABC")
    ([5, 2, 1, 0, 0], 'C')
    """

    def __init__(self, seed: int = 0) -> None:
        self.luck = mix((whole_seed(seed) * STEP + STEP) & MASK)

    @classmethod
    def at(cls, luck: int) -> Random:
        """The source in this very state."""
        source = cls.__new__(cls)
        source.luck = whole_seed(luck) & MASK
        return source

    def below(self, limit: int) -> int:
        """A number from 0 to limit - 1, all equally likely."""
        limit = checked(limit)
        self.luck = (self.luck + STEP) & MASK
        if limit <= 1 << 31:  # as compiled code, which has 64 bits, does it
            return (mix(self.luck) >> 33) * limit >> 31
        return (mix(self.luck) * limit) >> 64

    def choice(self, things: Sequence[T]) -> T:
        """One of the things, all equally likely."""
        if not is_sequence(things):
            raise CrashlabError(f"choice() takes one of a list, not of {shown(things)}")
        return things[self.below(len(things))]

    def weighted(self, weights: Sequence[int]) -> int:
        """The index of one of the weights, drawn with a probability in proportion to it."""
        heavy = [integer(weight) for weight in weights] if is_sequence(weights) else [None]
        known = [weight for weight in heavy if weight is not None and weight >= 0]
        if len(known) < len(heavy):
            raise CrashlabError(f"the weights are a list of whole numbers of at least 0, not {shown(weights)}")
        left = self.below(sum(known))
        place = -1
        while left >= 0:
            place += 1
            left -= known[place]
        return place

    def shuffled(self, things: Iterable[T]) -> list[T]:
        """The things in random order."""
        order: list[T] | None = listed(things)
        if order is None:
            raise CrashlabError(f"shuffled() takes a list, not {shown(things)}")
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order

    def split(self, name: object) -> Random:
        """An independent source; the same name gives the same one, and this one is not moved."""
        try:
            words = repr(name)
        except Exception:
            raise CrashlabError(f"split() takes a name that can be shown, not {shown(name)}") from None
        return Random.at(mix(self.luck ^ crc32(words.encode(errors="backslashreplace")) * STEP & MASK))


def checked(limit: object) -> int:
    """How many there are to choose from; refused if it is none."""
    found = integer(limit)
    if found is None:
        raise CrashlabError(f"a number below {shown(limit)} is wanted, but that is not a whole number")
    if found < 1:
        raise CrashlabError(f"there is no number from 0 to {shown(found - 1)}: nothing to choose from")
    return found


def is_sequence(things: object) -> bool:
    """Whether there are places in it from which things can be taken, as in a list or in an array of NumPy."""
    return isinstance(things, Sequence) or getattr(things, "ndim", 0) > 0


class Dice(Random):
    """Scripted chance: hands out these numbers, and complains about any that are left over or missing.

    >>> with crashlab.Dice(2, 0) as dice:
    ...     print(dice.below(6), dice.choice(["heads", "tails"]))
    2 heads
    """

    def __init__(self, *numbers: int) -> None:
        super().__init__(0)
        if wrong := [number for number in numbers if integer(number) is None]:
            raise CrashlabError(f"dice show whole numbers, not {shown(wrong[0])}")
        self.left = list(numbers)

    def below(self, limit: int) -> int:
        """The next scripted number."""
        limit = checked(limit)
        if not self.left:
            raise CrashlabError(f"the dice are used up, and a number below {shown(limit)} is wanted")
        if not 0 <= self.left[0] < limit:
            raise CrashlabError(f"the dice say {shown(self.left[0])}, but a number below {shown(limit)} is wanted")
        return self.left.pop(0)

    def weighted(self, weights: Sequence[int]) -> int:
        """The next scripted number, as the place of a weight."""
        if not is_sequence(weights):
            raise CrashlabError(f"the weights are a list of whole numbers of at least 0, not {shown(weights)}")
        return self.below(len(weights))

    def split(self, name: object) -> Random:
        """Refused: what comes from elsewhere is not scripted."""
        raise CrashlabError("scripted dice cannot be split")

    def __enter__(self) -> Dice:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        if kind is None and self.left:
            raise CrashlabError(f"dice that were not used: {shown(self.left)}")
