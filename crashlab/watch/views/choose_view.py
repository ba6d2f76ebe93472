"""The views of a variable: the values of `show={"name": ...}`, and the default views."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import isfinite
from typing import Any, ClassVar

from crashlab.base.errors import CrashlabError, as_float, require, short_repr
from crashlab.drawing.shapes import Point
from crashlab.watch.film_data import Recording
from crashlab.watch.things import Instance, Thing, ThingKind, elements, in_words, parts_of
from crashlab.watch.views.code_reading import Code
from crashlab.watch.views.graph_layout import Graph, Grid
from crashlab.watch.views.rows import is_row
from crashlab.watch.views.tree_layout import is_forest, is_trie

Place = Callable[[object], Point | None]  # returns the point of a place on the board, else None
ENOUGH = 40  # moments of a film that are sampled for the types of variables
WORDS = 24  # longest text of a constant that needs no picture


@dataclass(frozen=True)
class OnBoard:
    """The view of a variable on the board or on a graph."""

    number: bool = False
    ring: bool = False
    mark: bool = False
    arrow: bool = False
    heat: bool | Callable[[Any], float] = False
    graph: Graph | None = None  # the graph that serves as the board
    graph_name: str = ""  # the variable that holds this graph
    is_indexed: bool = False  # whether a list holds the values of the nodes by their numbers


def on_board(
    number: bool = False,
    ring: bool = False,
    mark: bool = False,
    arrow: bool = False,
    heat: bool | Callable[[Any], float] = False,
) -> OnBoard:
    """Show a variable on the board, in each way that is switched on; by default in a way that suits its value.

    Parameters
    ----------
    number : bool
        Write a dict's value at each place; for a list, each place's index.
    ring : bool
        Draw a ring around each place of a list, a set, a queue, or around each key of a dict.
    mark : bool
        Draw a golden ring with the variable's name around the place that is its value.
    arrow : bool
        Draw arrows from each key of a dict to the place (or places) in its value, or along a list of places.
    heat : bool | Callable[[Any], float]
        Colour each key of a dict by its value, or by a function of the value.

    Returns
    -------
    OnBoard
        A view for `show`.

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
        raise CrashlabError(f"heat={short_repr(heat)}: give True, or a function that turns a value into a number")
    return OnBoard(bool(number), bool(ring), bool(mark), bool(arrow), heat)


def on_graph(
    graph: Any,
    number: bool = False,
    ring: bool = False,
    mark: bool = False,
    arrow: bool = False,
    heat: bool | Callable[[Any], float] = False,
) -> OnBoard:
    """Show a variable on a graph, which is laid out once, with the options of `on_board`.

    Parameters
    ----------
    graph : Any
        A dict of dicts or of lists, a set of pairs, a list of triples, or a graph of networkx.
    number : bool
        Write the value at each node, from a dict, or from a list indexed by the numbers of the nodes.
    ring : bool
        Draw a ring around each node of a list, a set, a queue, or around each key of a dict.
    mark : bool
        Draw a golden ring with the variable's name around the node that is its value.
    arrow : bool
        Draw arrows from each key of a dict to the node (or nodes) in its value, or the edges of a list of pairs.
    heat : bool | Callable[[Any], float]
        Colour each key of a dict by its value, or by a function of the value.

    Returns
    -------
    OnBoard
        A view for `show`.

    Examples
    --------
    >>> graph = {"A": ["B", "C"], "B": ["C"], "C": []}
    >>> def steps_from(graph, start):
    ...     steps, queue = {start: 0}, [start]
    ...     for here in queue:
    ...         for there in graph[here]:
    ...             if there not in steps:
    ...                 steps[there] = steps[here] + 1
    ...                 queue.append(there)
    ...     return steps
    >>> show = {"steps": on_graph(graph, number=True), "queue": on_graph(graph, ring=True)}
    >>> watch = Watch(steps_from, graph, "A", show=show)
    """
    return replace(on_board(number, ring, mark, arrow, heat), graph=Graph.of(graph), is_indexed=bool(number))


@dataclass(frozen=True)
class Tree:
    """The view of a variable as text at the nodes of the tree of calls.

    `tree.value` writes it on a node, `tree.left` and `tree.right` below it. `tree` alone stands for the calls of the
    function with that name. `tree(cut=...)` takes a function of a call's variables that returns whether the rest of
    the call was cut off; by default a call is cut off if the value on its left is at least the value on its right.
    """

    part: str = "node"
    cut: Callable[[Mapping[str, Any]], bool] | None = None

    def __call__(self, cut: Callable[[Mapping[str, Any]], bool] | None = None) -> Tree:
        require(cut is None or callable(cut), f"cut={short_repr(cut)}: give a function of the variables of a call")
        return replace(self, cut=cut)

    @property
    def value(self) -> Tree:
        """This tree, as a view of the values on its nodes."""
        return replace(self, part="value")

    @property
    def left(self) -> Tree:
        """This tree, as a view of the values below its nodes, on the left."""
        return replace(self, part="left")

    @property
    def right(self) -> Tree:
        """This tree, as a view of the values below its nodes, on the right."""
        return replace(self, part="right")


@dataclass(frozen=True)
class Diagram:
    """The view of a variable as a diagram: a table, bars, the curve of its history, a row of cells, or a tree.

    `table(function)` shows the function's result instead of the variable, and likewise for the other kinds.
    """

    kind: str
    of: Callable[[Any], Any] | None = None
    KINDS: ClassVar = ("table", "bars", "curve", "cells", "heap", "forest", "trie", "objects")

    def __call__(self, of: Callable[[Any], Any] | None = None) -> Diagram:
        if of is not None and not callable(of):
            raise CrashlabError(f"{self.kind}({short_repr(of)}): give a function of the value, or no argument")
        return replace(self, of=of)


tree = Tree()
"""The view of a variable at the nodes of the tree of calls: `value` on a node, `left` and `right` below it.

`tree` alone stands for the calls of the function with that name. `tree(cut=...)` takes a function of a call's variables
that returns whether the rest of the call was cut off.

    >>> def factorial(number):
    ...     return 1 if number == 0 else number * factorial(number - 1)
    >>> watch = Watch(factorial, 3, show={"factorial": tree, "number": tree.value})
"""

table, bars, curve, cells, heap, forest, trie, objects = (Diagram(kind) for kind in Diagram.KINDS)
"""The views of a variable as a diagram: a table, bars, the curve of its history, or a row of cells.

Below the row of cells of a list or a text, its indices are drawn as arrows. `heap` draws a list as a binary tree,
`forest` the parents of union-find, `trie` nested dicts; `objects` draws objects as boxes with arrows to the objects in
their fields.

With a function, each of these views shows the function's result instead of the variable.

    >>> def halves(number):
    ...     while number:
    ...         number //= 2
    ...     return number
    >>> watch = Watch(halves, 12, show={"number": [curve, table(bin)]})
"""

AnyView = OnBoard | Tree | Diagram
Views = dict[str, tuple[AnyView, ...]]  # by variable


def kinds(show: object) -> Views:
    """Return the views of `show` by variable; raise CrashlabError if there is anything but views."""
    if not isinstance(show, Mapping):
        raise CrashlabError(f"show={short_repr(show)}: give a dict, as in show={{'steps': on_board(number=True)}}")
    by_name: Views = {}
    for name, choice in show.items():
        views = tuple(choice) if isinstance(choice, list | tuple) else (choice,)
        by_name[name] = tuple(view() if view is on_board else view for view in views)
        for view in by_name[name]:
            if not isinstance(view, AnyView):
                raise CrashlabError(
                    f"show[{short_repr(name)}] is {short_repr(view)}; give on_board(...), on_graph(...), tree, "
                    f"{', '.join(Diagram.KINDS[:-1])} or {Diagram.KINDS[-1]}"
                )
    return by_name


def checked(show: object, film: Recording, has_board: bool) -> Views:
    """Return the views of `show` by variable; raise CrashlabError if the film cannot show one of them."""
    names = names_of(film)
    by_name = kinds(show)
    graphs: list[Graph] = []
    for name, views in by_name.items():
        for view in views:
            graph = view.graph if isinstance(view, OnBoard) else None
            graphs += [graph] if graph else []
            if isinstance(view, OnBoard) and not has_board and graph is None:
                raise CrashlabError(
                    f"show[{short_repr(name)}] is on_board(...), but there is no board: give board=state"
                )
            if graph and (has_board or graph != graphs[0]):
                raise CrashlabError(f"show[{short_repr(name)}]: a film can use only one board or one graph")
            is_function = isinstance(view, Tree) and view.part == "node"
            if name not in names and not is_function:
                text = ", ".join(names) or "none"
                raise CrashlabError(f"there is no variable {short_repr(name)} in the film; its variables are {text}")
    return by_name


def names_of(film: Recording) -> list[str]:
    """Return the watched variables in order of appearance, constants (such as many arguments) last."""
    often = film.counts.names
    return sorted(often, key=lambda name: often[name] < 2)


def values_of(film: Recording) -> dict[str, list[Any]]:
    """Return samples of the values of each variable, up to the last moment of the film."""
    samples: dict[str, list[Any]] = {name: [] for name in names_of(film)}
    step = max(1, film.beats // ENOUGH)
    for beat in dict.fromkeys([*range(film.beats, 0, -step)][::-1]):
        for name, value in film.shared(beat).items():
            if name in samples:
                samples[name].append(value)
    return samples


def fitting(film: Recording, values: Mapping[str, Sequence[Any]], place: Place) -> Views:
    """Return the default views with a board: places on the board, dicts and lists as tables, recursion as a tree.

    Constants, such as a graph that is searched, are not shown.
    """
    views: Views = {}
    for name, samples in values.items():
        if film.counts.names[name] > 1 and any(lies_on_board(value, place) for value in samples):
            views[name] = (OnBoard(),)
        elif film.counts.names[name] > 1 and any(map(is_container, samples)):
            views[name] = (table,)
    return {**views, **calls_of(film, views)}


def pictured(film: Recording, values: Mapping[str, Sequence[Any]], code: Code) -> Views:
    """Return the default views without a board: each variable in its most usual form."""
    values = {name: samples for name, samples in values.items() if samples}
    once = {name for name, count in film.counts.names.items() if count < 2}
    still = {name for name, samples in values.items() if name in once and len({*map(in_words, samples)}) == 1}
    graph_name, graph = graph_in(values, still, code)
    ground = OnBoard(graph=graph, graph_name=graph_name)
    heads = {head for name in code.across if name in values for head in heads_of(name, values[name][-1], values, code)}
    by_name: Views = {}
    parts = parts_in(film)
    for name, samples in values.items():
        last = samples[-1]
        is_still = name in still
        is_small = (
            all(isinstance(value, tuple) and len(value) < 4 for value in samples) and len({*map(len, samples)}) == 1
        )
        if name == graph_name or name in heads or name in parts or (is_still and is_written(name, last, code)):
            continue
        if is_small and not graph and not has_object(last):  # a small tuple, such as a place
            continue
        is_word = isinstance(last, str) and name not in code.cursors
        view = on_it(name, samples, ground, code) if graph and (is_container(last) or not is_still) else None
        if is_forest(samples):
            by_name[name] = (forest,)
        elif view:
            by_name[name] = (view,)
            are_rows = all(isinstance(value, list | deque) and is_row(value) for value in samples)
            if (
                are_rows
                and not view.is_indexed
                and (type(graph) is Graph or any(len(b) < len(a) for a, b in pairwise(samples)))
            ):
                by_name[name] += (cells,)  # shows the order of the elements
        elif any(has_object(value) for value in samples):
            by_name[name] = (objects,)
        elif name in code.heaps and all(isinstance(value, list) for value in samples):
            by_name[name] = (cells, heap) if code.cursors.get(name) else (heap,)
        elif is_trie(last):
            by_name[name] = (trie,)
        elif all(map(is_row, samples)) and not is_word and not all(map(is_matrix, samples)):
            by_name[name] = (cells,)
        elif any(is_container(value) or is_matrix(value) for value in samples):
            by_name[name] = (table,)
    if isinstance(graph, Grid):
        by_name |= dict.fromkeys(map(",".join, code.places), (replace(ground, mark=True),))
    if graph and not any(isinstance(view, OnBoard) for views in by_name.values() for view in views):
        by_name = {graph_name: (ground,), **by_name}
    return {**calls_of(film, by_name), **by_name}


def is_written(name: str, value: Any, code: Code) -> bool:
    """Return whether a constant is written as text, not drawn: it is short and no index points into it."""
    is_used = name in code.cursors or any(name == fact.name for fact in code.slices)
    is_grid = isinstance(value, list) and is_matrix(value) and isinstance(value[0], str)
    return not (is_used or is_grid or has_object(value)) and len(in_words(value)) <= WORDS


def parts_in(film: Recording) -> set[str]:
    """Return the variables whose lists and dicts are always part of another variable of the call, such as a bucket."""
    within: dict[str, set[int]] = {}  # 1: part of another variable, 0: the same object as another variable, -1: neither
    for beat in range(film.beats, -1, -max(1, film.beats // ENOUGH))[::-1]:
        moment = film.moment(beat)
        for variables in moment.variables.values():
            outer = [value for value in variables.values() if type(value) is Thing]
            inner = {part for value in outer for part in things_in(moment.things, value)}
            for name, value in variables.items():
                if type(value) is Thing and value.kind in (ThingKind.ROW, ThingKind.MAP, ThingKind.SET):
                    within.setdefault(name, set()).add(1 if value in inner else 0 if outer.count(value) > 1 else -1)
    return {name for name, marks in within.items() if 1 in marks and -1 not in marks}


def forests_in(film: Recording) -> dict[str, tuple[Thing, str, list[Any]]]:
    """Return the attributes that hold parents of union-find: the object, the attribute and samples of its values."""
    fields: dict[tuple[Thing, str], list[Any]] = {}
    names: dict[Thing, str] = {}
    for beat in range(film.beats, -1, -max(1, film.beats // ENOUGH))[::-1]:
        moment = film.moment(beat)
        for thing, contents in moment.things.items():
            for name, value in contents.items() if thing.kind is ThingKind.OBJECT else ():
                if type(value) is Thing and value.kind in (ThingKind.ROW, ThingKind.MAP):
                    fields.setdefault((thing, str(name)), []).append(moment.copy(value))
        for variables in reversed(moment.variables.values()):
            names |= {value: name for name, value in variables.items() if type(value) is Thing}
    forests = {field: samples for field, samples in fields.items() if is_forest(samples)}
    return {
        f"{names.get(thing, thing.name)}.{name}": (thing, name, values) for (thing, name), values in forests.items()
    }


def things_in(things: Mapping[Thing, Any], outer: Thing) -> Iterable[Thing]:
    """Yield the things in a list or a dict, and in the lists and dicts in it."""
    todo = [outer] if outer.kind in (ThingKind.ROW, ThingKind.MAP) else []
    for thing in todo:  # todo grows in this loop
        new = [part for _, part in elements(thing, things[thing]) if type(part) is Thing and part not in todo]
        yield from new
        todo += [part for part in new if part.kind in (ThingKind.ROW, ThingKind.MAP)]


def graph_in(values: Mapping[str, Sequence[Any]], still: Collection[str], code: Code) -> tuple[str, Graph | None]:
    """Return the name and the graph of the board for other variables; "" and None if there is none.

    It is the first table with a dict keyed by its cells (constant tables first), else the first constant graph.
    """
    for name in sorted(values, key=lambda name: name not in still):
        grid = Grid.of_table(values[name][0], name in code.turned)
        constants = {
            other: samples[0] for other, samples in values.items() if type(samples[0]) is tuple and other in still
        }
        if grid and any(
            on_grid(samples, OnBoard(graph=grid)) for samples in values.values() if isinstance(samples[-1], Mapping)
        ):
            return name, replace(grid, constants=constants)
    for name, samples in values.items():
        last = samples[-1]
        if name in still and is_adjacency(name, last, code):
            links = {a: {b: weight for b, weight in enumerate(row) if is_edge(weight)} for a, row in enumerate(last)}
            return name, Graph.read(links)
        graph = Graph.read(last) if name in still else None
        are_numbers = graph is not None and any(isinstance(node, int) for node in graph.nodes)
        is_told = isinstance(last, Mapping) or name in code.along
        if graph and len(graph.nodes) > 2 and (is_told or not (are_numbers or is_matrix(last))):
            return name, graph
    return "", None


def is_adjacency(name: str, value: Any, code: Code) -> bool:
    """Return whether a matrix holds the edges of a graph.

    Its diagonal has no edges, and another list shares an index with its rows and an index with its columns.
    """
    if not is_matrix(value) or isinstance(value[0], str) or {*map(len, value)} != {len(value)}:
        return False
    ends = code.cursors.get(name, {}).keys(), code.across.get(name, {}).keys()
    is_node = any(all(indices.keys() & end for end in ends) for other, indices in code.cursors.items() if other != name)
    return is_node and not any(is_edge(row[place]) for place, row in enumerate(value))


def is_edge(weight: object) -> bool:
    """Return whether this is the weight of an edge in a matrix: neither 0, False, None nor infinite."""
    return bool(weight) and isfinite(as_float(weight) if not isinstance(weight, bool) else 1)


def on_it(name: str, samples: Sequence[Any], ground: OnBoard, code: Code) -> OnBoard | None:
    """Return the view of a variable on a graph; None if it does not hold nodes."""
    if isinstance(ground.graph, Grid):
        return on_grid(samples, ground)
    nodes = {*ground.graph.nodes} if ground.graph else set()
    ends = code.along.get(ground.graph_name) or code.across.get(
        ground.graph_name, {}
    )  # indices of nodes at the ends of edges
    cursors = {**code.cursors.get(ground.graph_name, {}), **ends}
    last = samples[-1]
    if any(isinstance(node, int) for node in nodes):  # then an int need not be a node
        if name in cursors:
            return replace(ground, mark=True)
        if isinstance(last, list) and code.cursors.get(name, {}).keys() & cursors.keys():
            are_truths = all(isinstance(element, bool) for element in last)
            view = replace(ground, number=not are_truths, ring=are_truths, is_indexed=True)
            return view if len(last) == len(nodes) else None
        if not isinstance(last, Mapping | list | set | deque) or not all(are_in(value, nodes) for value in samples):
            return None
        is_map = isinstance(last, Mapping)
        return replace(ground, number=is_map, ring=not is_map) if any(samples) else None
    links = [value for value in samples if isinstance(value, list | set) and value]
    parts = [part for value in links for part in value]
    are_pairs = all(isinstance(part, tuple) and len(part) in (2, 3) for part in parts)
    are_edges = (
        bool(parts) and are_pairs and all(sum(are_in([element], nodes) for element in part) == 2 for part in parts)
    )
    is_about = any(
        lies_on_board(value, lambda element: (1.0, 1.0) if are_in([element], nodes) else None) for value in samples
    )
    return ground if is_about or are_edges else None


def on_grid(samples: Sequence[Any], ground: OnBoard) -> OnBoard | None:
    """Return the view of a variable on a grid: a dict keyed by cells, cells in a list or a set, or a moving cell.

    Return None for other values, and for directions such as (0, 1), which are not cells.
    """
    cells = {*ground.graph.nodes} if ground.graph else set()
    last = samples[-1]
    if isinstance(last, tuple):
        places = [value for value in samples if are_in([value], cells)]
        return replace(ground, mark=True) if 2 * len(places) >= len(samples) and max(map(max, places)) > 1 else None
    are_cells = all(isinstance(value, type(last)) and are_in(value, cells) for value in samples)
    if not isinstance(last, Mapping | list | set | deque) or not are_cells or not any(samples):
        return None
    if not isinstance(last, Mapping):
        return replace(ground, ring=True) if max(max(cell) for value in samples for cell in value) > 1 else None
    parts = [part for value in samples for part in value.values() if part is not None]
    if all(isinstance(part, int | float | str) for part in parts):
        is_mark = all(part is True for part in parts)
        return replace(ground, number=not is_mark, ring=is_mark)
    return replace(ground, arrow=True) if are_in(parts, cells) else None


def are_in(parts: Iterable[Any], nodes: Collection[Any]) -> bool:
    """Return whether all parts are nodes."""
    try:
        return all(isinstance(part, int | str | tuple) and part in nodes for part in parts)
    except TypeError:  # a tuple with a list in it is no node
        return False


def has_object(value: object) -> bool:
    """Return whether a value is an object of the program's classes, or a list or a dict with one."""
    elements = (
        value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple | deque) else ()
    )
    return isinstance(value, Instance) or Instance in {*map(type, elements)}


def heads_of(name: str, value: Any, values: Mapping[str, Sequence[Any]], code: Code) -> tuple[str, str]:
    """Return the names of the lists or texts that label the rows and the columns of a table; "" if there are none.

    Such a list or text shares an index with the table, and has its length or is one shorter.
    """
    if not is_matrix(value) or isinstance(value[0], str):
        return "", ""
    names = []
    for count, indices in ((len(value), code.cursors.get(name, {})), (len(value[0]), code.across.get(name, {}))):
        over = [other for other, cursors in code.cursors.items() if other != name and cursors.keys() & indices.keys()]
        rows = {other: values[other][-1] for other in over if are_heads(values.get(other, ()))}
        names.append(next((other for other, row in rows.items() if len(row) in (count, count - 1)), ""))
    return names[0], names[1]


def are_heads(samples: Sequence[Any]) -> bool:
    """Return whether a variable can label rows: it is a constant list or text without bools."""
    is_still = bool(samples) and is_row(samples[-1]) and len({*map(in_words, samples)}) == 1
    return is_still and not any(isinstance(element, bool) for element in samples[-1])


def calls_of(film: Recording, but: Views) -> Views:
    """Return a tree as the view of the first recursive function; empty if there is none, or if it is in `but`."""
    above: list[set[str]] = []  # for each call: the functions above it
    for call in film.calls:
        above.append(above[call.parent] | {film.calls[call.parent].name} if call.parent >= 0 else set())
        if call.name in above[-1]:
            return {} if call.name in but else {call.name: (tree,)}
    return {}


def lies_on_board(value: object, place: Place) -> bool:
    """Return whether a value is a place, or at least half of its elements are; a number does not count as a place."""
    if isinstance(value, Mapping):
        parts = list(value)
    elif isinstance(value, str) or not isinstance(value, Iterable):
        parts = [value]
    else:
        parts = [value] if place(value) else parts_of(value)
    parts = parts[:ENOUGH]
    places = [part for part in parts if not isinstance(part, int | float) and place(part)]
    return bool(places) and 2 * len(places) >= len(parts)


def is_container(value: object) -> bool:
    """Return whether a value is drawn as a table."""
    is_array = type(value).__name__ == "ndarray" and getattr(value, "ndim", 0) > 0
    return is_array or isinstance(value, Mapping | list | set | frozenset | deque)


def is_matrix(value: object) -> bool:
    """Return whether a value is a list of lists, or of equally long texts without lower-case letters (a map)."""
    rows = value if isinstance(value, list | tuple) else ()
    if len(rows) > 1 and all(isinstance(row, str) for row in rows):
        return len({*map(len, rows)}) == 1 < len(rows[0]) and not any(text.islower() for row in rows for text in row)
    return bool(rows) and isinstance(rows[0], list) and all(isinstance(row, list | tuple) for row in rows)
