"""The exercises of the CrashCity lesson, and its random cities, positions and pictures."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import permutations
from math import dist
from string import ascii_letters
from typing import Any, cast

from crashlab.agents import random
from crashlab.base.errors import short_repr
from crashlab.course.exercises.exercise_types import AgentWanted, FunctionWanted, ThingWanted
from crashlab.drawing import png
from crashlab.drawing.shapes import Circle, Line, Piece, Point, Text, placed, spots
from crashlab.engine.chance import Random
from crashlab.engine.game import State, Turn
from crashlab.engine.notation import counted
from crashlab.engine.options import Value
from crashlab.games import game
from crashlab.games.boards.streets import DIRECTIONS, STEPS, Lane, Streets, Tile
from crashlab.play.match import Match

Spot = tuple[Lane, int]  # a lane and the direction of a car on it
Box = tuple[float, float, float, float]  # left, top, right, bottom
Graph = Mapping[Any, Collection[Any]]  # vertex -> its neighbours

MOST, TWICE = 9, 2  # cc-4: the longest trip, and the factor between greedy and the best that must be exceeded
# cc-6: turns of a race (of both seats), races, and the mean number of parked cars needed
TURNS, RACES, PARKED = 60, 4, 6
BEND = 0.2  # distance of the middle of an arrow from the straight line, as a share of its length


# Random cities and their pictures


def history(seed: int, **options: Value) -> list[State]:
    """Build a random city for two; return the states before any tile, after each tile, and at the start of the race."""
    state = game("crash_city", **{"players": 2, **options}).start(seed)
    rng = Random(seed)
    states = [state]
    lanes = 4
    while state.phase != "race":
        state = state.sample(rng).after
        if len(state.streets.lanes()) > lanes:
            lanes = len(state.streets.lanes())
            states.append(state)
    return [*states, state]


def race(seed: int, turns: int = 0) -> State:
    """Return a random city for two after `turns` random turns of the race."""
    state = history(seed)[-1]
    rng = Random(seed)
    while state.facts.turn < turns or state.facts.phase != "race":
        state = state.sample(rng).after
    return state


def joined(state: State) -> set[Lane]:
    """Return the lanes that the engine has marked as connected. The engine stores four flags for each tile."""
    table: Any = state.table
    lanes = [(x, y, side) for x, y in state.facts.tiles for side in range(4)]
    return {lane for lane, flag in zip(lanes, table.joined, strict=False) if flag}


def stand(car: Any) -> Spot:
    """Return the lane of a car and the direction it faces, as numbers."""
    x, y, side = car.lane
    return (x, y, DIRECTIONS.index(side)), DIRECTIONS.index(car.facing)


def jobs(state: State) -> list[Tile]:
    """Return the tiles with a free job: shops and factories without a parked car."""
    tiles = state.facts.tiles
    return [place for place, tile in tiles.items() if tile.building in ("shop", "factory") and not tile.parked]


def crow(lane: Lane, tile: Tile) -> float:
    """Return the straight-line distance from the middle of a lane to the middle of a tile, in tiles."""
    x, y, side = lane
    return dist((x + STEPS[side][0] / 2, y + STEPS[side][1] / 2), tile)


def is_crash(turn: Turn) -> bool:
    """Return whether a car hits another one in this turn."""
    return any(event.rule == "CC-R4" for event in turn.events)


def played_drives(state: State) -> set[tuple[str, Lane, int]]:
    """Return every drive without a crash that the engine allows, as (car, lane, direction) at its end."""
    ends = set()
    for action in state.actions(state.actors[0]):
        turn = state.play(action)
        verb, *words = str(action).split()
        if verb == "drive" and not is_crash(turn):
            ends.add((words[0], *stand(turn.after.facts.cars[words[0]])))
    return ends


def threats(state: State) -> set[tuple[str, str]]:
    """Return the pairs of cars (one, other) in which the first could crash into the second if its seat could move."""
    at = {"{},{}{}".format(*car.lane): name for name, car in state.facts.cars.items() if car.lane}
    pairs = set()
    for seat, letter in enumerate("AB"):
        turn = state.game.read({**state.to_dict(), "asked": letter})
        words = [str(action).split() for action in turn.actions(seat)]
        drives = [(word[1], word[2]) for word in words if word[0] == "drive"]
        pairs |= {(car, at[end]) for car, end in drives if end in at}
    return pairs


def barriers(roads: Streets) -> set[tuple[int, int]]:
    """CC-G4: return the crossings that are split, as corners (x, y)."""
    ways = [(lane, (lane[2] + turn) % 4) for lane in roads.lanes() for turn in (1, 3)]
    return {(max if way < 2 else min)(roads.ends(lane)) for lane, way in ways if roads.splits(lane, way)}


def related(state: State, pairs: Iterable[tuple[str, str]]) -> bytes:
    """Draw the city with an arrow from the first car of each pair to the second, as PNG."""
    city, cars = _pieces(state)
    at = {car.key: _box(car) for car in cars}
    arrows = [_arrow(at[f"car {one}"], at[f"car {two}"]) for one, two in sorted(pairs)]
    return _painted(state, [*city, *cars, *arrows])


def sent(state: State, by_car: Mapping[int, int]) -> bytes:
    """Draw the city with a letter at each job and arrows from A's cars to jobs (car index -> job index), as PNG."""
    city, cars = _pieces(state)
    at = {car.key: _box(car) for car in cars}
    work = [place for job in jobs(state) if (place := state.place(job))]
    arrows = [_arrow(at[f"car A{car + 1}"], (*work[job], *work[job])) for car, job in sorted(by_car.items())]
    return _painted(state, [*city, *cars, *arrows, *map(_letter, work, ascii_letters)])


def _pieces(state: State) -> tuple[list[Piece], list[Piece]]:
    """Return the pieces of the board without the cars, and the cars."""
    pieces = state.picture().pieces
    cars = [piece for piece in pieces if piece.key.startswith("car")]
    return [piece for piece in pieces if piece not in cars], cars


def _letter(place: Point, letter: str) -> Piece:
    """Return a ticket with a letter, beside a place."""
    shapes = Circle(0, 0, 9, "ticket", "ticket edge", 1.5), Text(0, 0, letter, 14, "ticket ink", bold=True)
    return Piece(f"letter {letter}", place[0] + 12, place[1] + 12, shapes)


def _box(piece: Piece) -> Box:
    """Return the left, top, right and bottom of a piece."""
    across, down = zip(*spots(placed(piece)), strict=True)
    return min(across), min(down), max(across), max(down)


def _arrow(start: Box, end: Box) -> Piece:
    """Return an arrow from a dot inside one box to the edge of another; it bends right, away from an arrow back."""
    a, b = (complex(left + right, top + bottom) / 2 for left, top, right, bottom in (start, end))
    curve = [a + (b - a) * complex(share, 4 * BEND * share * (1 - share)) for share in (n / 99 for n in range(100))]
    inner = start[0] + 3, start[1] + 3, start[2] - 3, start[3] - 3
    line = tuple((point.real, point.imag) for point in curve if not (_within(inner, point) or _within(end, point)))
    shapes = Line(line, "path edge", 6, alpha=0.8), Line(line, "flash edge", 3, arrow=True)
    return Piece(f"arrow {start} {end}", 0, 0, (*shapes, Circle(*line[0], 3.5, "flash edge", "path edge", 1)))


def _within(box: Box, point: complex) -> bool:
    left, top, right, bottom = box
    return left <= point.real <= right and top <= point.imag <= bottom


def _painted(state: State, pieces: Sequence[Piece]) -> bytes:
    """Draw these pieces as PNG, without the panel beside the city."""
    return png.paint(replace(state.picture(), width=560, pieces=tuple(pieces)), scale=0.9)


# Functions that one lesson derives and the next lesson uses

TOWN = """tiles 0,1 NW house A / 1,1 NW house B / 1,0 ES house A / 2,0 NW shop B / -1,0 N shop A
    / 0,-1 EW factory B / 1,-1 NW shop A; """


def legs(roads: Streets, taken: Collection[Lane], lane: Lane, way: int, most: int) -> list[Spot]:
    """Return the ends of a drive of at most `most` spaces in direction `way`, each as (lane, direction)."""
    ends: list[Spot] = []
    for _ in range(most):
        ahead = [end for end in roads.ahead(lane, way) if end[0] not in taken]
        straight = [there for there, onward in ahead if onward == way]
        ends += ahead
        if not straight:
            break
        lane = straight[0]
    return ends


def moves(roads: Streets, lane: Lane, facing: int, taken: Collection[Lane] = ()) -> dict[Lane, int]:
    """CC-R3: return every lane to which a car can drive without a crash, with the direction it faces there."""
    forward, backward = legs(roads, taken, lane, facing, 99), legs(roads, taken, lane, facing ^ 2, 2)
    ends = dict(forward) | {there: way ^ 2 for there, way in backward}
    other = roads.other(lane)
    if other and other not in taken:
        ends[other] = facing ^ 2  # a U-turn
    return ends


def drive_graph(roads: Streets) -> dict[Spot, list[Spot]]:
    """Return the graph of drives without other cars: each (lane, facing) with the ends of one drive."""
    lanes = sorted(roads.connected((0, 0)))  # the order of a set differs between machines
    places = [(lane, way) for lane in lanes for way in range(4) if way % 2 != lane[2] % 2]
    return {place: list(moves(roads, *place).items()) for place in places}


def distances(state: State, letter: str = "A") -> list[list[int]]:
    """Return the number of drives from each car of a seat to each of the free jobs."""
    graph, free = drive_graph(state.facts.streets), jobs(state)
    table = []
    for car in state.facts.cars.values():
        if car.owner == letter:
            near: dict[Tile, int] = {}
            for ((x, y, _), _), number in steps_from(graph, stand(car)).items():
                near[x, y] = min(number, near.get((x, y), number))
            table.append([near[job] for job in free])
    return table


def least(table: Sequence[Sequence[int]]) -> int:
    """Return the least total number of drives that bring every car to a different job."""
    cheapest = {frozenset[int](): 0}  # set of cars with a job -> drives
    for job in range(len(table[0])):
        for served, drives in list(cheapest.items()):
            for car in set(range(len(table))) - served:
                both = served | {car}
                more = drives + table[car][job]
                cheapest[both] = min(more, cheapest.get(both, more))
    return cheapest[frozenset(range(len(table)))]


# The exercises


def across(lane: Lane) -> Lane:
    """Return the other lane of the same segment."""
    x, y, side = lane
    return x + STEPS[side][0], y + STEPS[side][1], (side + 2) % 4


def across_hint(got: Any, want: Lane, lane: Lane) -> str:
    """Return the hint for a wrong lane (cc-1)."""
    where = f"the other side of {lane} is {want}, and you say {short_repr(got)}"
    if not isinstance(got, tuple) or len(got) != 3:
        return f"{where}. A lane is a triple, (x, y, side)."
    if got[:2] == lane[:2]:
        return f"{where}. The other lane is on another tile."
    if got[:2] == want[:2]:
        return f"{where}. The tile is right. Seen from there, on which side is the same edge?"
    return f"{where}. Which tile is beyond side {DIRECTIONS[lane[2]]}?"


def components(graph: Graph) -> int:
    """Return the number of connected components of a graph."""
    left = set(graph)
    number = 0
    while left:
        number = number + 1
        queue = [left.pop()]
        while queue:
            near = left & set(graph[queue.pop()])
            left -= near
            queue += near
    return number


def random_graph(rng: Random, vertices: int, edges: int) -> dict[int, list[int]]:
    """Return a random graph on numbers; each edge is listed at both its ends."""
    graph: dict[int, list[int]] = {vertex: [] for vertex in range(vertices)}
    for _ in range(edges):
        one, two = rng.below(vertices), rng.below(vertices)
        if one != two and two not in graph[one]:
            graph[one].append(two)
            graph[two].append(one)
    return graph


def pieces_hint(got: Any, want: int, graph: dict[int, list[int]]) -> str:
    """Return the hint for a wrong number of pieces (cc-2)."""
    some = f"{graph}" if len(graph) < 5 else f"a graph of {len(graph)} vertices"
    return f"{some} falls into {counted(want, 'piece')}, and you say {short_repr(got)}."


def steps_from(graph: Graph, start: Any) -> dict[Any, int]:
    """Return the distance in steps of every reachable vertex."""
    steps = {start: 0}
    queue = [start]
    for here in queue:  # the list grows during the loop
        for there in graph[here]:
            if there not in steps:
                steps[there] = steps[here] + 1
                queue.append(there)
    return steps


def one_way(rng: Random, vertices: int) -> dict[int, list[int]]:
    """Return a random graph of one-way streets: a ring, so that every vertex is reachable, and some more edges."""
    more = [[rng.below(vertices) for _ in range(rng.below(3))] for _ in range(vertices)]
    return {vertex: [(vertex + 1) % vertices, *others] for vertex, others in enumerate(more)}


def farthest(graph: Graph) -> list[int]:
    """Return, for each vertex, its distance in steps to the vertex farthest from it."""
    return [max(steps_from(graph, vertex).values()) for vertex in graph]


def diameter(graph: Graph) -> int:
    """Return the greatest distance between two vertices, in steps."""
    return max(farthest(graph))


def diameter_hint(got: Any, want: int, graph: dict[int, list[int]]) -> str:
    """Return the hint for a wrong diameter (cc-3)."""
    some = f"{graph}" if len(graph) < 4 else f"a graph of {len(graph)} vertices"
    return f"{some}: the longest shortest path has {counted(want, 'step')}, and you say {short_repr(got)}."


def greedy_totals(table: Sequence[Sequence[int]]) -> set[int]:
    """Return all totals that greedy can reach; it may choose any of several shortest trips."""
    trips = [(number, car, job) for car, row in enumerate(table) for job, number in enumerate(row)]
    totals = set()
    for number, car, job in trips:
        if number == min(trips)[0]:
            totals.add(number + table[1 - car][1 - job])
    return totals


def table_hint(answer: Any) -> str:
    """Return the hint for distances [[a, b], [c, d]]; empty if greedy needs over twice the fewest drives (cc-4)."""
    rows = [row for row in answer if isinstance(row, list | tuple)] if isinstance(answer, list | tuple) else []
    if len(rows) != 2 or {len(row) for row in rows} != {2}:
        return f"give two rows of two distances, [[a, b], [c, d]], not {short_repr(answer)}."
    numbers = [number for row in rows for number in row]
    if any(type(number) is not int or not 1 <= number <= MOST for number in numbers):
        return f"each distance is a whole number from 1 to {MOST}; yours are {numbers}."
    if numbers.count(min(numbers)) > 1:
        return f"the shortest distance, {min(numbers)}, appears twice; make it unique, so that greedy has no choice."
    (greedy,) = greedy_totals(rows)
    least = min(rows[0][a] + rows[1][b] for a, b in permutations(range(2)))
    if greedy > TWICE * least:
        return ""
    if greedy == least:
        return f"greedy needs {greedy} drives here, and that is the best. What is left when it has taken the shortest?"
    return f"greedy needs {greedy} drives, and the best choice {least}: that is not yet more than twice as many."


def makes_way(roads: Streets, lane: Lane, way: int, taken: Collection[Lane]) -> bool:
    """CC-C1 to CC-C3: return whether a car on this lane, hit in this direction, has a free lane to go to."""
    ways = [there for there, _ in roads.ahead(lane, way)] + [roads.other(lane)]
    return any(there is not None and there not in taken for there in ways)


def threatened() -> Iterable[tuple[Streets, Lane, int, set[Lane]]]:
    """Yield hit cars in random cities as (streets, lane, direction of the blow, taken lanes)."""
    rng = Random(1)
    for seed in range(12):
        for share in (1, 3, 4):
            yield random_threat(rng, seed, share)


@cache
def built(seed: int) -> Streets:
    """Return the streets of a random city."""
    return cast("Streets", history(seed)[-1].facts.streets)


def random_threat(rng: Random, seed: int | None = None, share: int = 3) -> tuple[Streets, Lane, int, set[Lane]]:
    """Return a hit car in one of twelve cities; each lane next to it is taken with a chance of `share` fifths."""
    roads = built(rng.below(12) if seed is None else seed)
    lanes = sorted(roads.connected((0, 0)))
    lane = rng.choice(lanes)
    way = (lane[2] + 1 + 2 * rng.below(2)) % 4
    near = [there for there in roads.beside(lane) if rng.below(5) < share]
    return roads, lane, way, set(near + rng.shuffled([other for other in lanes if other != lane])[:5])


def way_hint(got: object, want: bool, roads: Streets, lane: Lane, way: int, taken: Collection[Lane]) -> str:
    """Return the hint for a wrong answer (cc-5)."""
    ahead = sorted(there for there, _ in roads.ahead(lane, way))
    other = roads.other(lane)
    free = [_triple(there) for there in ahead if there not in taken]
    where = f"the car on {_triple(lane)} is hit by a car going {DIRECTIONS[way]}"
    where += f"; ahead: {', '.join(map(_triple, ahead)) or 'nothing'}; its other lane: {other and _triple(other)}"
    if not isinstance(got, bool):
        return f"{where}; you say {short_repr(got)}. Return True or False."
    if want and other is not None and other not in taken:
        return f"{where}, and that lane is free: it can spin."
    if want:
        return f"{where}; of these {free[0]} is free, so it can be hit."
    no_lane = "" if other else " None is not a lane: test for None first."
    return f"{where}; no free lane is left, so it cannot be hit.{no_lane}"


def _triple(lane: Lane) -> str:
    """Write a lane as a student does, with a letter for its side."""
    x, y, side = lane
    return f"({x}, {y}, {DIRECTIONS[side]})"


def races(answer: Any) -> tuple[float, str]:
    """Play four races of 60 turns against a random agent; return the sum of parked cars and a hint (cc-6)."""
    rules = game("crash_city", players=2, turn_limit=TURNS)
    parked = []
    for seed in range(RACES):
        seat = seed % 2
        end = Match(rules.read(history(seed)[-1].to_dict()), {seat: answer, 1 - seat: random(seed)}, seed).run()
        parked.append(end.scores[seat])
    return sum(parked), (
        f"it parks {sum(parked) / RACES:.3g} cars on average (in the {RACES} races: {', '.join(map(str, parked))});"
        f" you need {PARKED}. Which drive brings a car nearer to work? A distance counts drives, not tiles."
    )


CHECKS = (
    FunctionWanted(
        "cc-1",
        "across(lane)",
        "Is there always another lane? In the first twelve random cities 509 of 807 lanes have none across the"
        " stripe; `state.streets.other(lane)` is None for those. What can a car not do there?",
        cases=lambda: ((lane,) for lane in ((0, 0, 0), (0, 0, 1), (0, 0, 2), (0, 0, 3), (3, -2, 1), (-4, 5, 2))),
        right=across,
        hint=across_hint,
        draw=lambda rng: ((rng.below(19) - 9, rng.below(19) - 9, rng.below(4)),),
    ),
    FunctionWanted(
        "cc-2",
        "pieces(graph)",
        "Adding an edge reduces the number of pieces by at most one. So at least how many edges does it take to join n"
        " vertices into one piece? And how many pieces can there be with that number of edges?",
        cases=lambda: [
            ({0: []},),
            ({0: [1], 1: [0]},),
            ({0: [], 1: []},),
            ({0: [2], 1: [2], 2: [0, 1]},),
            ({0: [3], 1: [2], 2: [1], 3: [0]},),
        ],
        more=60,
        right=components,
        hint=pieces_hint,
        same=lambda got, want: got == want and not isinstance(got, bool),
        draw=lambda rng: (random_graph(rng, 2 + rng.below(30), rng.below(40)),),
        wrongs={
            "You count its vertices.": len,
            "A separate piece may have more than one vertex.": lambda graph: (
                any(graph.values()) + sum(not others for others in graph.values())
            ),
        },
    ),
    FunctionWanted(
        "cc-3",
        "diameter(graph)",
        "What do one-way streets cost? A ring of n vertices has diameter n - 1 one way, and n // 2 both ways. Which"
        " one extra street shortens a one-way ring the most?",
        cases=lambda: [({0: [1], 1: [0]},), ({0: [1], 1: [2], 2: [0]},), ({0: [1], 1: [0, 2], 2: [1]},)],
        more=40,
        right=diameter,
        hint=diameter_hint,
        follows="steps",
        draw=lambda rng: (one_way(rng, 3 + rng.below(12)),),
        wrongs={
            "That is the greatest distance from vertex 0; begin at each vertex.": lambda graph: farthest(graph)[0],
            "Return the greatest of these distances, not the least.": lambda graph: min(farthest(graph)),
        },
    ),
    ThingWanted(
        "cc-4",
        "distances for which greedy loses",
        "Only 8 of the 6561 tables with distances from 1 to 9 do it; the worst is 10 drives instead of 4. With"
        " distances up to n it is 1 + n instead of 4: how bad can it get with three cars?",
        hint=table_hint,
    ),
    FunctionWanted(
        "cc-5",
        "can_be_hit(roads, lane, way, taken)",
        "A spin is often impossible: in the first twelve random cities 509 of 807 lanes have no other lane across the"
        " stripe. Where would you park for a moment, so that nobody can move you?",
        cases=threatened,
        right=makes_way,
        hint=way_hint,
        draw=random_threat,
        same=lambda got, want: isinstance(got, bool) and got == want,
    ),
    AgentWanted(
        "cc-6",
        "an agent that parks six cars",
        "The agent `greedy` passes this exercise as well. Can yours beat it?"
        " `crashlab.tournament(crashlab.game('crash_city', turn_limit=60), {'me': my_agent, 'greedy': 'greedy'})`",
        goal=RACES * PARKED,
        play=races,
    ),
)
