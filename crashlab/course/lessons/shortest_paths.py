"""Lesson 40, breadth-first search, Dijkstra and A*: a town, a city, the exercises and the competition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from math import dist, inf, isfinite
from typing import Any

from crashlab.base.errors import as_float, require, short_repr
from crashlab.course.exercises.exercise_types import FunctionWanted, fresh
from crashlab.course.lessons.cities import Roads, Spot, drives, grown, paved
from crashlab.drawing.shapes import Point
from crashlab.engine.chance import Random
from crashlab.engine.game import State
from crashlab.engine.notation import counted
from crashlab.games.boards.streets import DIRECTIONS, STEPS

Costs = Mapping[Any, Mapping[Any, float]]  # vertex -> neighbour -> cost of the edge
Search = Callable[[Costs, Any, Any], float]

TOWN_SEED, TOWN_TILES = 99, 5  # a town whose paths with the fewest drives and with the fewest spaces differ
HOME: Spot = "0,0E>N"
WORK: Spot = "0,3N>E"
CITY_SEED, SEATS = 1, 4
FROM: Spot = "-1,2W>N"  # a trip across the city for four, in which an estimate saves much
TO: Spot = "6,5W>S"
LOOKS = 2  # allowed reads of a vertex's edges: one in the search, one for a list of all vertices before it
SMALL, TRIPS = (5, 8, 12, 20), 6  # al-40b: the tiles of small cities, and the trips in each
CONTESTS = 8  # cities of the competition, with TRIPS trips in each


def town() -> State:
    """Return the small town, with a car at home."""
    return paved(grown(TOWN_SEED)[TOWN_TILES].facts.streets, HOME)


def city(seed: int = CITY_SEED) -> State:
    """Return a city for four, streets only, with a car at the start of the long trip (other cities: on the square)."""
    return paved(grown(seed, SEATS)[-1].facts.streets, FROM if seed == CITY_SEED else "0,0N>E")


# Distances between spots


def middle(spot: Spot) -> Point:
    """Return the middle of a spot's lane as (x to the east, y to the north), in tiles."""
    lane = spot.partition(">")[0]
    x, y = map(int, lane[:-1].split(","))
    east, north = STEPS[DIRECTIONS.index(lane[-1])]
    return x + east / 2, y + north / 2


def crow(spot: Spot, goal: Spot) -> float:
    """Return the straight-line distance in tiles."""
    return dist(middle(spot), middle(goal))


def blocks(spot: Spot, goal: Spot) -> float:
    """Return the distance in tiles along the axes, as if there were streets everywhere."""
    return sum(abs(one - two) for one, two in zip(middle(spot), middle(goal), strict=True))


# al-40: Dijkstra


def dijkstra(graph: Costs, start: Any) -> dict[Any, float]:
    """Return the cost of the cheapest path to each reachable vertex."""
    far: dict[Any, float] = {start: 0}
    waiting: dict[Any, float] = {start: 0}
    while waiting:
        here = min(waiting, key=lambda vertex: waiting[vertex])
        del waiting[here]
        for there, cost in graph[here].items():
            new = far[here] + cost
            if new < far.get(there, inf):
                far[there] = waiting[there] = new
    return far


def first_found(graph: Costs, start: Any) -> dict[Any, float]:
    """Return the costs found by a breadth-first search that never corrects a cost."""
    far: dict[Any, float] = {start: 0}
    queue = [start]
    for here in queue:
        for there, cost in graph[here].items():
            if there not in far:
                far[there] = far[here] + cost
                queue.append(there)
    return far


def networks() -> Iterable[tuple[dict[Any, dict[Any, int]], Any]]:
    """Return networks of one-way streets, each with a start: small ones first, the drives of the town last."""
    some: list[dict[Any, dict[Any, int]]] = [
        {0: {}},
        {0: {1: 5}, 1: {}},
        {0: {1: 5, 2: 1}, 1: {}, 2: {1: 2}},
        {0: {}, 1: {0: 4}},
        {0: {1: 2, 2: 9}, 1: {2: 3, 3: 20}, 2: {3: 4}, 3: {0: 1}},
    ]
    rng = Random(1)
    some += [network(rng, 4 + rng.below(9)) for _ in range(40)]
    return [*((graph, 0) for graph in some), (dear_shortcuts(9), 0), (drives(town().facts.streets), HOME)]


def dear_shortcuts(vertices: int) -> dict[Any, dict[Any, int]]:
    """Return a graph with edges from each vertex to all later ones, in which paths of many edges are cheapest.

    A search that does not use Dijkstra's order visits the same vertex again and again.
    """
    return {
        one: {two: 2 * (two - one) - 1 for two in reversed(range(one + 1, vertices))}
        for one in reversed(range(vertices))
    }


def network(rng: Random, vertices: int) -> dict[Any, dict[Any, int]]:
    """Return a random network in which some vertices may be unreachable."""
    return {
        one: {two: 1 + rng.below(50) for two in (rng.below(vertices) for _ in range(3)) if two != one}
        for one in range(vertices)
    }


def distances_hint(got: Any, want: dict[Any, float], graph: Costs, start: Any) -> str:
    """Return the hint for wrong distances (al-40)."""
    some = f"in {graph}" if len(graph) < 5 else f"in a network of {len(graph)} vertices"
    where = f"{some}, from {start}"
    if not isinstance(got, Mapping):
        return f"{where}: you say {short_repr(got)}. Return a dict, from each vertex to its distance."
    if start not in got:
        return f"{where}: {start} itself is missing. Its distance is 0."
    if more := [vertex for vertex in got if vertex not in want]:
        return f"{where}: nothing leads to {more[0]}, so it has no distance. An edge is a one-way street."
    if less := [vertex for vertex in want if vertex not in got]:
        return f"{where}: {less[0]} can be reached, but is missing from your answer."
    vertex = next(vertex for vertex in want if got[vertex] != want[vertex])
    where = f"{where}: the cheapest path to {vertex} costs {want[vertex]}, and you say {short_repr(got[vertex])}"
    return f"{where}. No path is that cheap." if as_float(got[vertex]) < want[vertex] else f"{where}."


def last_edges(graph: Costs, start: Any) -> dict[Any, float]:
    """Return the cost of the last edge to each vertex, found by a search that compares only last edges."""
    far: dict[Any, float] = {start: 0}
    waiting = dict(far)
    while waiting:
        here = min(waiting, key=lambda vertex: waiting[vertex])
        del waiting[here]
        for there, cost in graph[here].items():
            if cost < far.get(there, inf):
                far[there] = waiting[there] = cost
    return far


def some_edges(graph: Costs, start: Any) -> dict[Any, float]:
    """Return the cost of the last listed edge to each reachable vertex."""
    edges = {there: cost for edges in graph.values() for there, cost in edges.items()}
    return {vertex: edges[vertex] if vertex != start else 0 for vertex in first_found(graph, start)}


def cheapest_edge_first(graph: Costs, start: Any) -> dict[Any, float]:
    """Search like Prim's algorithm: take the cheapest edge next, and never lower a cost."""
    far: dict[Any, float] = {start: 0}
    edges = [(cost, start, there) for there, cost in graph[start].items()]
    while edges:
        edge = min(edges, key=lambda one: one[0])
        edges.remove(edge)
        cost, here, there = edge
        if there not in far:
            far[there] = far[here] + cost
            edges += [(more, there, other) for other, more in graph[there].items()]
    return far


class Walked(dict[Any, Any]):
    """A graph that counts the reads of each vertex's edges; copies share the counts."""

    def __init__(self, graph: Costs, looks: Counter[Any] | None = None) -> None:
        super().__init__(graph)
        self.looks: Counter[Any] = Counter() if looks is None else looks

    def __getitem__(self, vertex: Any) -> Any:
        self.looks[vertex] += 1
        return super().__getitem__(vertex)

    def get(self, vertex: Any, default: Any = None) -> Any:
        """Return the edges of a vertex, and count the read."""
        return self[vertex] if vertex in self else default

    def items(self) -> Any:
        """Return all vertices with their edges, and count the reads."""
        return [(vertex, self[vertex]) for vertex in self]

    def values(self) -> Any:
        """Return the edges of all vertices, and count the reads."""
        return [self[vertex] for vertex in self]

    def copy(self) -> Walked:
        """Return a copy that shares the counts."""
        return Walked(dict(self), self.looks)

    def __deepcopy__(self, memo: object) -> Walked:
        return Walked({vertex: dict(edges) for vertex, edges in dict.items(self)}, self.looks)


@dataclass(frozen=True)
class Expanding(FunctionWanted):
    """An exercise whose answer is a search that may read the edges of a vertex at most LOOKS times."""

    def _prepared(self, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        graph, *rest = fresh(arguments)
        return Walked(graph), *rest

    def _beside(self, got: Any, arguments: tuple[Any, ...], now: tuple[Any, ...]) -> str:
        if words := super()._beside(got, arguments, now):
            return words
        (vertex, times), *_ = now[0].looks.most_common(1) or [(None, 0)]
        if times <= LOOKS:
            return ""
        graph = arguments[0]
        some = f"in {graph}" if len(graph) < 5 else f"in a network of {len(graph)} vertices"
        return (
            f"{some}, from {arguments[1]}: your numbers are right, but found too slowly: the edges of {vertex} are"
            f" looked at {times} times. Take the waiting vertex with the *smallest* number. Then its number is"
            " final, and one look at its edges is enough."
        )


def edges_counted(graph: Costs, start: Any) -> dict[Any, float]:
    """Return the fewest edges on a path to each vertex."""
    return first_found({one: dict.fromkeys(edges, 1) for one, edges in graph.items()}, start)


# al-40b: an estimate


@cache
def cities() -> list[State]:
    """Return cities, small ones first."""
    return [grown(seed)[tiles] for tiles in SMALL for seed in range(3)] + [grown(1)[-1], grown(CITY_SEED, SEATS)[-1]]


@cache
def graphs() -> list[tuple[State, Roads]]:
    """Return the cities, each with its graph of drives."""
    return [(built, drives(built.facts.streets)) for built in cities()]


@cache
def trips() -> dict[tuple[Spot, Spot], tuple[float, State]]:
    """Map (spot, goal) to the fewest spaces of a path in any city, and to that city; small cities are first."""
    longest: dict[tuple[Spot, Spot], tuple[float, State]] = {}
    for number, (built, graph) in enumerate(graphs()):
        rng = Random(number)
        for goal in rng.shuffled(list(graph))[:TRIPS]:
            for spot in [goal, *rng.shuffled(list(graph))[:TRIPS]]:
                spaces = dijkstra(graph, spot).get(goal, inf)
                if spaces < longest.get((spot, goal), (inf, built))[0]:
                    longest[spot, goal] = spaces, built
    return longest


def fits(got: Any, spaces: float, least: float) -> bool:
    """Return whether an estimate is a number from `least`, the bound without knowledge of streets, to `spaces`."""
    number = as_float(got)
    return isfinite(number) and least - 1e-9 <= number <= spaces + 1e-9


@cache
def way(spot: Spot, goal: Spot) -> tuple[float, State]:
    """Return the fewest spaces of a trip in any city, and that city."""
    if (spot, goal) in trips():
        return trips()[spot, goal]
    ways = [(dijkstra(graph, spot).get(goal, inf), built) for built, graph in graphs() if spot in graph]
    return min(ways, key=lambda way: way[0])


def random_trip(rng: Random) -> tuple[Spot, Spot]:
    """Return a random trip in one of the cities, whose goal is reachable."""
    _, graph = rng.choice(graphs())
    start = rng.choice(list(graph))
    return start, rng.choice(list(dijkstra(graph, start)))


@dataclass(frozen=True)
class Trip:
    """The bounds of a right estimate: the distance along the axes in tiles, and the fewest spaces of a path."""

    least: float
    spaces: float


def judged(spot: Spot, goal: Spot) -> Trip:
    """Return the bounds of a right estimate."""
    return Trip(blocks(spot, goal), way(spot, goal)[0])


def estimate_hint(got: Any, want: Trip, spot: Spot, goal: Spot) -> str:
    """Return the hint for an estimate that is too high, or lower than necessary (al-40b)."""
    number = as_float(got)
    if not isfinite(number):
        return f"from {spot} to {goal} you say {short_repr(got)}. Return a number."
    if spot == goal:
        return f"at the goal itself, on {goal}, there is nothing left to drive, but you say {number:g}."
    where = f"from {spot} (A1) to {goal} (B1) you say {number:.3g}"
    if number > want.spaces:
        enough = counted(int(want.spaces), "space")
        words = "your estimate is too high, and A* may miss the best path"
        return f"{where}, but the best path takes {enough} in this city: {words}."
    if number == 0:
        return (
            f"{where}. That is admissible, but it turns A* into Dijkstra's search, which is right and looks everywhere."
            f" Even without knowing the streets you can promise {want.least:g}. (Or do two differences cancel out?)"
        )
    if number < 0:
        return (
            f"{where}: the number of spaces is never negative. Even without knowing the streets you can"
            f" promise {want.least:g}."
        )
    return (
        f"{where}: that is not too high, but even without knowing the streets you can promise {want.least:g}. Streets"
        " run along x or along y, never diagonally: does a car not have to drive both distances, one after the other?"
    )


def seen(spot: Spot, goal: Spot) -> State:
    """Return the city of a trip, with cars at its start and its goal."""
    return paved(way(spot, goal)[1].facts.streets, *dict.fromkeys((spot, goal)))


# The competition


class Counted(Mapping[Any, Mapping[Any, float]]):
    """A graph that counts how many times the edges of a vertex are read."""

    def __init__(self, graph: Costs) -> None:
        self._graph = graph
        self.asked = 0

    def __getitem__(self, vertex: Any) -> Mapping[Any, float]:
        self.asked += 1
        return dict(self._graph[vertex])

    def __iter__(self) -> Iterator[Any]:
        return iter(self._graph)

    def __len__(self) -> int:
        return len(self._graph)


@cache
def contest() -> tuple[tuple[Roads, Spot, Spot, float], ...]:
    """Return the trips of the competition as (graph, start, goal, fewest spaces)."""
    tasks = []
    for seed in range(CONTESTS):
        graph, rng = drives(grown(100 + seed, SEATS)[-1].facts.streets), Random(seed)
        for start in rng.shuffled(list(graph))[:TRIPS]:
            goal, spaces = rng.choice(list(dijkstra(graph, start).items()))
            tasks.append((graph, start, goal, spaces))
    return tuple(tasks)


def expanded(search: Search) -> float:
    """Return the average number of vertices that a search expands; raise if an answer is wrong."""
    count = 0
    for graph, start, goal, spaces in contest():
        watched = Counted(graph)
        got = as_float(search(watched, start, goal))
        require(
            got == spaces,
            f"from {start} to {goal} {spaces:g} spaces are enough, but this search says"
            f" {short_repr(got)}: correct it first",
        )
        count += watched.asked
    return count / len(contest())


CHECKS = (
    Expanding(
        "al-40",
        "distances(graph, start)",
        "What does it do if an edge has a negative cost? Try {0: {1: 5, 2: 9}, 1: {3: 1}, 2: {1: -8}, 3: {}}.",
        cases=networks,
        right=dijkstra,
        hint=distances_hint,
        follows="far",
        draw=lambda rng: (network(rng, 4 + rng.below(9)), 0),
        wrongs={
            "You count edges; add up what they cost.": edges_counted,
            "The first path that is found need not be the cheapest: can a number get smaller later?": first_found,
            "That is the cost of one edge. What does it cost to reach the start of this edge?": (
                last_edges,
                some_edges,
            ),
            "You look only at the neighbours of the start. Continue from them.": (
                lambda graph, start: {**graph[start], start: 0}
            ),
            "Which vertex do you take next? Of all waiting vertices, take the one nearest to the start.": (
                cheapest_edge_first
            ),
        },
    ),
    FunctionWanted(
        "al-40b",
        "estimate(spot, goal)",
        "What if the car stands on the goal's lane and faces the other way? Your estimate is 0, but in no random city"
        " does it take fewer than 3 spaces. An estimate that knows which way a car faces is better still.",
        cases=lambda: trips().keys(),
        right=judged,
        hint=estimate_hint,
        same=lambda got, want: fits(got, want.spaces, want.least),
        shows=seen,
        draw=random_trip,
    ),
)
