"""The first difference between two films: the first step at which a variable changes differently.

Only the values and their order count. Lines, names and the division into functions may differ.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AnySet
from dataclasses import dataclass
from typing import Any

from crashlab.base.errors import CrashlabError, short_repr
from crashlab.watch.film_data import Recording, VariableChange, written
from crashlab.watch.things import ABSENT, Path, in_words, keys_of

SWAPPED = 4  # maximum number of consecutive changes whose order does not matter


@dataclass(frozen=True)
class ComparedStep:
    """One change of a variable: the operation, its key and value, and the event.

    `key` is None if only the value counts: a list may get or lose an element at any index.
    """

    verb: str
    key: Any
    value: Any
    event: VariableChange

    def words(self, name: str) -> str:
        """Describe the step for a variable with this name."""
        if self.key is None and self.verb != "set":
            return in_words(self.value)
        target = name + "".join(map(written, keys_of(self.key)))
        return target if self.value is ABSENT else f"{target} = {in_words(self.value)}"


@dataclass(frozen=True)
class Difference:
    """The first step at which two films differ.

    film     the examined film
    beat     its beat at the difference
    name     the variable
    agreed   the number of equal steps before
    mine     the step of the examined film; None if it has ended
    right    the step of the right film; None if it has ended

        >>> def squares(numbers):
        ...     results = []
        ...     for number in numbers:
        ...         results.append(number * number)
        >>> def doubles(numbers):
        ...     results = []
        ...     for number in numbers:
        ...         results.append(number + number)
        >>> difference = first_difference(record(doubles, [2, 3]), record(squares, [2, 3]))
        >>> difference.name, difference.agreed, difference.beat
        ('results', 1, 6)
    """

    film: Recording
    beat: int
    name: str
    agreed: int
    mine: ComparedStep | None
    right: ComparedStep | None

    @property
    def words(self) -> str:
        """The difference as a question."""
        mine, right = self.mine, self.right
        action = f"{mine.verb} {mine.words(self.name)} here" if mine else "ends here"
        if right is None:
            return f"yours {action}, but nothing more was expected. Why?"
        return f"yours {action}, but a right one {right.verb} {right.words(self.name)}. Why?"


def first_difference(mine: Recording, right: Recording, name: str | None = None) -> Difference | None:
    """Return the first step at which `mine` differs from `right`; None if they agree or cannot be compared.

    The variable of `right` with this name (by default its first container that changes in place) is compared with the
    variable of `mine` that agrees with it for longest, preferably one of the same name.

    Parameters
    ----------
    mine : Recording
        The examined film.
    right : Recording
        The right film.
    name : str | None
        The variable of `right`; by default the first container that changes in place.

    Returns
    -------
    Difference | None
        The first difference, or None.

    Examples
    --------
    >>> def squares(numbers):
    ...     results = []
    ...     for number in numbers:
    ...         results.append(number * number)
    >>> def doubles(numbers):
    ...     results = []
    ...     for number in numbers:
    ...         results.append(number + number)
    >>> print(first_difference(record(doubles, [2, 3]), record(squares, [2, 3])).words)
    yours put 6 here, but a right one put 9. Why?
    """
    target, want = followed(right, name)
    candidates = []
    for other in dict.fromkeys(event.name for event in mine.events if event.name):
        got = list(steps(mine, other))
        agreed = agreement(got, want)
        if got and (agreed or other == target):
            candidates.append((agreed, other == target, other, got))
    agreed, _, other, got = max(candidates, key=lambda candidate: candidate[:2], default=(0, False, "", []))
    if agreed == len(got) == len(want) or not candidates:
        return None
    here = got[agreed] if agreed < len(got) else None
    expected = want[agreed] if agreed < len(want) else None
    return Difference(mine, here.event.beat if here else mine.beats, other, agreed, here, expected)


def followed(film: Recording, name: str | None) -> tuple[str, list[ComparedStep]]:
    """Return the name and the steps of the compared variable; empty if no container changes in place."""
    names = dict.fromkeys(event.name for event in film.events if event.name)
    if name is None:
        name = next((event.name for event in film.events if event.key is not None), None)
    elif name not in names:
        raise CrashlabError(
            f"there is no variable {short_repr(name)} in this film; its variables are {', '.join(names)}"
        )
    return (name, list(steps(film, name))) if name else ("", [])


def steps(film: Recording, name: str) -> Iterator[ComparedStep]:
    """Yield the changes of a variable as steps, including changes made to its containers through other names.

    If the variable gets a new container, each element that differs from the previous one is a step.
    """
    kinds: dict[int, Any] = {}  # the containers among its values, by number
    for event in film.events:
        if event.key is not None:
            if event.thing in kinds or event.name == name:
                yield step(kinds.get(event.thing), event.key, event.before, event.after, event)
        elif event.name == name and event.after is not ABSENT:
            after = contents(event.after)
            if after is None:
                yield ComparedStep("set", None, event.after, event)
            elif event.thing not in kinds:
                kinds[event.thing] = event.after
                before = (type(event.before) is type(event.after) and contents(event.before)) or {}
                for key in [*before, *(key for key in after if key not in before)]:
                    was, now = before.get(key, ABSENT), after.get(key, ABSENT)
                    if not equal(was, now):
                        yield step(event.after, key, was, now, event)


def step(container: Any, key: Any, before: Any, after: Any, event: VariableChange) -> ComparedStep:
    """Return a change of a container as a step."""
    if isinstance(container, AnySet):
        return ComparedStep("removed" if after is ABSENT else "added", None, key, event)
    if isinstance(container, list | deque) and (before is ABSENT or after is ABSENT) and not isinstance(key, Path):
        return ComparedStep("took", None, before, event) if after is ABSENT else ComparedStep("put", None, after, event)
    return ComparedStep("removed" if after is ABSENT else "set", key, after, event)


def contents(value: Any) -> dict[Any, Any] | None:
    """Return a container's elements by key (those of a set by themselves), or None for other values."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, AnySet):
        return {element: element for element in value}
    return dict(enumerate(value)) if isinstance(value, list | deque) else None


def agreement(got: Sequence[ComparedStep], want: Sequence[ComparedStep]) -> int:
    """Count the equal steps at the start; up to SWAPPED neighbours may be in another order."""
    place, more = 0, 1
    while more and place < min(len(got), len(want)):
        more = next((n for n in range(1, SWAPPED + 1) if mixed(got[place : place + n], want[place : place + n])), 0)
        place += more
    return place


def mixed(some: Sequence[ComparedStep], others: Sequence[ComparedStep]) -> bool:
    """Return whether two sequences hold the same steps in any order."""
    rest = list(others)
    for one in some:
        does = (n for n, other in enumerate(rest) if other.verb == one.verb and equal(other.key, one.key))
        same = next((n for n in does if equal(one.value, rest[n].value)), None)
        if same is None:
            return False
        del rest[same]
    return not rest


def equal(one: Any, other: Any) -> bool:
    """Return whether two values are equal; compare their texts if `==` fails."""
    try:
        return bool(one == other)
    except Exception:  # an array, or a user's `__eq__`
        return in_words(one) == in_words(other)
