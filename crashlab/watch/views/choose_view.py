"""How a variable can be shown: what stands in `show={"name": ...}`, and what is shown where nobody has said."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from crashlab.base.errors import CrashlabError, shown
from crashlab.drawing.shapes import Point
from crashlab.watch.views.cursors import cursors_of, is_row

if TYPE_CHECKING:
    from crashlab.watch.recording import Call, Recording

Place = Callable[[object], Point | None]  # where on the board a value lies, if it is a place
ENOUGH = 40  # moments of a film that are looked at to see what a variable holds


@dataclass(frozen=True)
class OnBoard:
    """A variable is shown on the board."""

    number: bool = False
    ring: bool = False
    mark: bool = False
    arrow: bool = False
    heat: bool | Callable[[Any], float] = False


def on_board(
    number: bool = False,
    ring: bool = False,
    mark: bool = False,
    arrow: bool = False,
    heat: bool | Callable[[Any], float] = False,
) -> OnBoard:
    """Show a variable on the board. Of several ways all are taken, without any the one that fits what it holds.

    Parameters
    ----------
    number : bool
        What a dict has for each place; of a list how far each place is from its beginning.
    ring : bool
        A ring round each place of a list, a set, a queue, or round each key of a dict.
    mark : bool
        A golden ring round the one place that it is, with its name.
    arrow : bool
        From each place of a dict to the place (or the places) that it has there; along a list of places.
    heat : bool | Callable[[Any], float]
        Each place of a dict in the colour of its value, or of what a function makes of the value.

    Returns
    -------
    OnBoard
        What stands in `show`.

    Examples
    --------
    >>> def count(places):
    ...     steps = {}
    ...     for place in places:
    ...         steps[place] = len(steps)
    ...     return steps
    >>> state = crashlab.game("autoscooter").start(seed=7)
    >>> watch = Watch(count, ["21", "22", "23"], board=state, show={"steps": on_board(number=True)})
    """
    if not (isinstance(heat, bool) or callable(heat)):
        raise CrashlabError(f"heat={shown(heat)}: give True, or a function that makes a number of a value")
    return OnBoard(bool(number), bool(ring), bool(mark), bool(arrow), heat)


@dataclass(frozen=True)
class Tree:
    """A variable is written at the nodes of the tree of calls.

    `tree.value` writes it on a node, `tree.left` and `tree.right` below it. `tree` alone stands for the calls of the
    function with that name. `tree(cut=...)` says by a function of a call's variables whether its rest was cut off;
    without it a call is cut where what is on its left has reached what is on its right.
    """

    part: str = "node"
    cut: Callable[[Mapping[str, Any]], bool] | None = None

    def __call__(self, cut: Callable[[Mapping[str, Any]], bool] | None = None) -> Tree:
        if cut is not None and not callable(cut):
            raise CrashlabError(f"cut={shown(cut)}: give a function of the variables of a call")
        return replace(self, cut=cut)

    @property
    def value(self) -> Tree:
        """Written on the node."""
        return replace(self, part="value")

    @property
    def left(self) -> Tree:
        """Written below the node, on its left."""
        return replace(self, part="left")

    @property
    def right(self) -> Tree:
        """Written below the node, on its right."""
        return replace(self, part="right")


@dataclass(frozen=True)
class Paper:
    """A variable is drawn beside the board: as a table, bars, the curve of what it has been, or a row of cells.

    `table(function)` shows what a function makes of the variable; so do `bars` and `curve`.
    """

    kind: str
    of: Callable[[Any], Any] | None = None
    KINDS: ClassVar = ("table", "bars", "curve", "cells")

    def __call__(self, of: Callable[[Any], Any] | None = None) -> Paper:
        if of is not None and not callable(of):
            raise CrashlabError(f"{self.kind}({shown(of)}): give a function of the value, or nothing")
        return replace(self, of=of)


tree = Tree()
"""A variable is written at the nodes of the tree of calls: by `value` on a node, by `left` and `right` below it.

`tree` alone stands for the calls of the function with that name. `tree(cut=...)` says by a function of a call's
variables whether its rest was cut off.

    >>> def factorial(number):
    ...     return 1 if number == 0 else number * factorial(number - 1)
    >>> watch = Watch(factorial, 3, show={"factorial": tree, "number": tree.value})
"""

table, bars, curve, cells = (Paper(kind) for kind in Paper.KINDS)
"""A variable is drawn beside the board: as a table, as bars, as the curve of what it has been, or as a row of cells.

Below a row of cells, of a list or a text, stand the variables that are indices of it, as arrows.

With a function they show what it makes of the variable.

    >>> def halves(number):
    ...     while number:
    ...         number //= 2
    ...     return number
    >>> watch = Watch(halves, 12, show={"number": [curve, table(bin)]})
"""

View = OnBoard | Tree | Paper
Views = dict[str, tuple[View, ...]]  # by the name of the variable


def checked(show: object, film: Recording, has_board: bool) -> Views:
    """What somebody wants to see, by the names of variables; refused where it cannot be shown."""
    if not isinstance(show, Mapping):
        raise CrashlabError(f"show={shown(show)}: give a dict, as in show={{'steps': on_board(number=True)}}")
    names = names_of(film)
    found: Views = {}
    for name, wanted in show.items():
        views = tuple(wanted) if isinstance(wanted, list | tuple) else (wanted,)
        views = tuple(view() if view is on_board else view for view in views)
        for view in views:
            if not isinstance(view, View):
                raise CrashlabError(
                    f"show[{shown(name)}] is {shown(view)}; give on_board(...), tree, table, bars, curve or cells"
                )
            if isinstance(view, OnBoard) and not has_board:
                raise CrashlabError(f"show[{shown(name)}] is on_board(...), but there is no board: give board=state")
            is_function = isinstance(view, Tree) and view.part == "node"
            if name not in names and not is_function:
                known = ", ".join(names) or "none"
                raise CrashlabError(f"there is no variable {shown(name)} in the film; its variables are {known}")
        found[name] = views
    return found


def names_of(film: Recording) -> list[str]:
    """The watched variables, in the order in which they appeared; last those that never changed, as many arguments."""
    often = Counter(event.name for event in film.events if event.name)
    return sorted(often, key=lambda name: often[name] < 2)


def values_of(film: Recording) -> dict[str, list[Any]]:
    """What each variable held at some moments of the film, the last one among them."""
    found: dict[str, list[Any]] = {name: [] for name in names_of(film)}
    step = max(1, film.beats // ENOUGH)
    for beat in dict.fromkeys([*range(film.beats, 0, -step)][::-1]):
        for name, value in film.at(beat).items():
            if name in found:
                found[name].append(value)
    return found


def fitting(film: Recording, place: Place | None) -> Views:
    """What is shown where nobody has said: places on the board, dicts and lists as tables, recursion as a tree.

    What never changes is not shown, as a graph that is searched, but for a list or a text with indices in it. Those are
    rows of cells.
    """
    found: Views = {}
    indexed = cursors_of(film)
    often = Counter(event.name for event in film.events)
    for name, values in values_of(film).items():
        if place is None and name in indexed and values and all(map(is_row, values)):
            found[name] = (cells,)
            continue
        if often[name] < 2:
            continue
        if place and any(lies_on_board(value, place) for value in values):
            found[name] = (OnBoard(),)
        elif any(is_container(value) for value in values):
            found[name] = (table,)
    for call in film.calls:
        if is_recursive(film.calls, call):
            found.setdefault(call.name, (tree,))
            break
    return found


def is_recursive(calls: Sequence[Call], call: Call) -> bool:
    """Whether the function of a call had called it."""
    parent = call.parent
    return parent >= 0 and (calls[parent].name == call.name or is_recursive(calls, calls[parent]))


def lies_on_board(value: object, place: Place) -> bool:
    """Whether a value is a place, or most of what it holds are; a bare number is not enough to tell."""
    if isinstance(value, Mapping):
        parts = list(value)
    elif isinstance(value, str) or not isinstance(value, Iterable):
        parts = [value]
    else:
        parts = [value] if place(value) else list(value)
    parts = parts[:ENOUGH]
    places = [part for part in parts if not isinstance(part, int | float) and place(part)]
    return bool(places) and 2 * len(places) >= len(parts)


def is_container(value: object) -> bool:
    """Whether a value is drawn as a table."""
    is_array = type(value).__name__ == "ndarray" and getattr(value, "ndim", 0) > 0
    return is_array or isinstance(value, Mapping | list | set | frozenset | deque)
