"""Lesson 40: claims about its cities, its right answers compared with networkx, and the hints of wrong ones."""

from functools import cache
from math import dist, inf

import networkx
import pytest

import crashlab
from crashlab import CrashlabError
from crashlab.course.exercises import CHECKS
from crashlab.course.lessons import shortest_paths as lesson
from crashlab.course.lessons.cities import BACK, drives, grown, legs, paved, written
from crashlab.course.lessons.crash_city import drive_graph, history
from crashlab.course.lessons.shortest_paths import FROM, HOME, TO, WORK, blocks, city, crow, middle, town


@cache
def roads_of(seed):
    """Return all drives in a grown city."""
    return drives(grown(seed)[-1].streets)


def net(graph):
    result = networkx.DiGraph()
    result.add_nodes_from(graph)
    result.add_weighted_edges_from((one, two, cost) for one, edges in graph.items() for two, cost in edges.items())
    return result


def a_star(graph, start, goal, estimate):
    """Return the spaces of a shortest path and the number of vertices taken."""
    far, waiting, taken = {start: 0}, {start: estimate(start, goal)}, 0
    while waiting:
        here = min(waiting, key=waiting.get)
        del waiting[here]
        taken += 1
        if here == goal:
            return far[here], taken
        for there, spaces in graph[here].items():
            if far[here] + spaces < far.get(there, inf):
                far[there] = far[here] + spaces
                waiting[there] = far[there] + estimate(there, goal)


# Cities


def test_a_city_grows_as_in_the_lessons_of_crash_city():
    for seed in range(3):
        mine = [state.streets.tiles for state in grown(seed, 4)]
        assert mine == [state.streets.tiles for state in history(seed, players=4)[:-1]]


def test_drives_lead_where_the_lessons_of_crash_city_say():
    for seed in range(4):
        roads = grown(seed)[-1].streets
        assert {spot: set(edges) for spot, edges in drives(roads).items()} == {
            written(*stand): {written(*end) for end in ends} for stand, ends in drive_graph(roads).items()
        }


def test_no_drive_leads_to_a_spot_in_two_ways():
    """Otherwise a drive would not have a unique number of spaces."""
    for seed in range(4):
        roads = grown(seed)[-1].streets
        for lane, facing in drive_graph(roads):
            forward = [spot for spot, _ in legs(roads, lane, facing, 99)]
            backward = [(there, way ^ 2) for (there, way), _ in legs(roads, lane, facing ^ 2, BACK)]
            spots = [*forward, *backward, (roads.other(lane), facing ^ 2)]
            assert len(spots) == len(set(spots))


def test_spaces_are_counted_along_the_streets():
    """The street has four straight tiles and a corner at its end."""
    roads = crashlab.game("crash_city", players=2).read("tiles 1,0 N house A / 2,0 NE / 3,0 W; cars A 1,0N>E").streets
    assert drives(roads)["0,0N>E"] == {
        "1,0N>E": 1,
        "2,0N>E": 2,
        "2,0E>S": 3,
        "0,0E>S": 1,
        "3,0W>S": 3,
        "0,0W>N": 1,
    }
    assert drives(roads)["2,0E>S"]["3,0W>N"] == 1  # a U-turn


def test_streets_alone_are_the_same_streets():
    roads = grown(3, 4)[-1].streets
    state = paved(roads, HOME)
    assert state.streets.tiles == roads.tiles
    assert [(car.lane, car.facing) for car in state.cars.values()] == [((0, 0, "E"), "N")]


def test_the_town_shows_what_the_lesson_says():
    """The fewest drives are not the fewest spaces, and the hasty search is wrong there."""
    graph = drives(town().streets)
    shortest = networkx.dijkstra_path_length(net(graph), HOME, WORK)
    assert lesson.first_found(graph, HOME)[WORK] > shortest
    hasty, waiting = {HOME: 0}, {HOME: 0}
    while waiting:
        here = min(waiting, key=waiting.get)
        del waiting[here]
        for there in [there for there in graph[here] if there not in hasty]:
            hasty[there] = waiting[there] = hasty[here] + graph[here][there]
    assert hasty[WORK] > shortest


def test_across_the_city_an_estimate_saves_more_than_half():
    roads = drives(city().streets)
    (spaces, disc), (same, ellipse), (again, thin) = (
        a_star(roads, FROM, TO, estimate) for estimate in (lambda spot, goal: 0, crow, blocks)
    )
    assert spaces == same == again == networkx.dijkstra_path_length(net(roads), FROM, TO)
    assert thin < ellipse < disc / 2


@pytest.mark.parametrize("seed", range(3))
def test_blocks_are_admissible_for_spaces_and_not_for_drives(seed):
    roads = roads_of(seed)
    assert all(blocks(one, two) <= spaces for one, edges in roads.items() for two, spaces in edges.items())
    assert any(blocks(one, two) > 1 for one, edges in roads.items() for two in edges)


def turned(spot):
    """Return the same lane with the car facing the other way."""
    return spot[:-1] + "SWNE"["NESW".index(spot[-1])]


def test_to_turn_round_takes_three_spaces():
    """The verdict of the exercise says so."""
    turns = [lesson.dijkstra(roads, spot)[turned(spot)] for roads in map(roads_of, range(6)) for spot in roads]
    assert min(turns) == 3


# The exercises


def test_right_distances_are_those_of_networkx():
    cases = list(lesson.networks())
    assert {len(graph) for graph, _ in cases} >= {1, 2, 3, 4, 5}
    for graph, start in cases:
        assert lesson.dijkstra(graph, start) == networkx.single_source_dijkstra_path_length(net(graph), start)


def test_the_fewest_spaces_of_trips_are_those_of_networkx():
    nets = {}
    for (spot, goal), (spaces, built) in list(lesson.trips().items())[::9]:
        graph = nets.setdefault(id(built), net(drives(built.streets)))
        assert spaces == networkx.dijkstra_path_length(graph, spot, goal)


def heap_dijkstra(graph, start):
    """Use a heap, while the lesson's answer scans a dict."""
    from heapq import heappop, heappush

    far, heap = {}, [(0, 0, start)]
    while heap:
        cost, number, here = heappop(heap)
        if here not in far:
            far[here] = cost
            for there, more in graph[here].items():
                number += 1
                heappush(heap, (cost + more, number + 100 * len(far), there))
    return far


def bellman_ford(graph, start):
    far, changes = {start: 0}, True
    while changes:
        changes = False
        for here in graph:
            for there, cost in graph[here].items():
                if here in far and far[here] + cost < far.get(there, inf):
                    far[there], changes = far[here] + cost, True
    return far


def farthest_first(graph, start):
    far, waiting = {start: 0}, {start: 0}
    while waiting:
        here = max(waiting, key=waiting.get)
        del waiting[here]
        for there, cost in graph[here].items():
            if far[here] + cost < far.get(there, inf):
                far[there] = waiting[there] = far[here] + cost
    return far


def nothing_estimated(spot, goal):
    return 0


def last_edge(graph, start):
    right = lesson.dijkstra(graph, start)
    edges = {there: cost for edges in graph.values() for there, cost in edges.items() if there in right}
    return right | edges | {start: 0}


def nearest_edge_first(graph, start):
    """Take the cheapest edge next (Prim) without improving distances."""
    far, edges = {start: 0}, [(cost, start, there) for there, cost in graph[start].items()]
    while edges:
        edge = min(edges, key=lambda one: one[0])
        edges.remove(edge)
        cost, here, there = edge
        if there not in far:
            far[there] = far[here] + cost
            edges += [(cost, there, other) for other, cost in graph[there].items()]
    return far


def both_ways(graph, start):
    twice = {one: dict(edges) for one, edges in graph.items()}
    for one, edges in graph.items():
        for two, cost in edges.items():
            twice[two].setdefault(one, cost)
    return lesson.dijkstra(twice, start)


def too_cheap(graph, start):
    return {vertex: max(far - 1, 0) for vertex, far in lesson.dijkstra(graph, start).items()}


def without_start(graph, start):
    return {vertex: far for vertex, far in lesson.dijkstra(graph, start).items() if vertex != start}


def not_the_last(graph, start):
    return dict(list(lesson.dijkstra(graph, start).items())[:2])


def only_beside(graph, start):
    return {start: 0} | dict(graph[start])


def endless(graph, start):
    return dict.fromkeys(graph, inf) | lesson.dijkstra(graph, start)


def tile_blocks(spot, goal):
    (x, y), (u, v) = ([int(part) for part in place[:-3].split(",")] for place in (spot, goal))
    return abs(x - u) + abs(y - v)


def steps(spot, goal):
    (x, y), (u, v) = middle(spot), middle(goal)
    return x - u, y - v


def facing_blocks(spot, goal):
    """Improve on the lesson's estimate: turning round needs three spaces."""
    return 3 if goal == turned(spot) else blocks(spot, goal)


@pytest.mark.parametrize("name, answer", [("al-40", heap_dijkstra), ("al-40b", blocks), ("al-40b", facing_blocks)])
def test_a_right_answer_is_right(capsys, name, answer):
    assert crashlab.check(name, answer)
    assert capsys.readouterr().out == f"{name}: right! {CHECKS[name].then}\n"


@pytest.mark.parametrize(
    "name, answer, hint",
    [
        ("al-40", lesson.edges_counted, "You count edges"),
        ("al-40", lesson.first_found, "The first path that is found need not be the cheapest"),
        ("al-40", lesson.first_found, "Step by step: yours ends here, but a right one set far[1] = 3"),
        ("al-40", last_edge, "That is the cost of one edge"),
        ("al-40", nearest_edge_first, "Which vertex do you take next?"),
        ("al-40", both_ways, "An edge is a one-way street"),
        ("al-40", endless, "nothing leads to 1, so it has no distance"),
        ("al-40", without_start, "0 itself is missing"),
        ("al-40", only_beside, "You look only at the neighbours of the start"),
        ("al-40", bellman_ford, "your numbers are right, but found too slowly"),
        ("al-40", farthest_first, "Take the waiting vertex with the *smallest* number"),
        ("al-40", not_the_last, "2 can be reached, but is missing"),
        ("al-40", too_cheap, "No path is that cheap"),
        ("al-40", lambda graph, start: list(graph), "Return a dict"),
        ("al-40", lambda graph, start: {}, "0 itself is missing"),
        ("al-40", lambda graph, start: dict.fromkeys(graph, "far"), "you say 'far'"),
        ("al-40b", lambda spot, goal: 0, "That is admissible, but it turns A* into Dijkstra's search"),
        ("al-40b", nothing_estimated, "That is admissible, but it turns A* into Dijkstra's search"),
        ("al-40b", crow, "does a car not have to drive both distances"),
        ("al-40b", lambda spot, goal: max(map(abs, steps(spot, goal))), "does a car not have to drive both distances"),
        ("al-40b", lambda spot, goal: sum(steps(spot, goal)), "(Or do two differences cancel out?"),
        ("al-40b", lambda spot, goal: 2 * blocks(spot, goal), "your estimate is too high, and A* may miss"),
        ("al-40b", lambda spot, goal: dist(middle(spot), middle(goal)) ** 2, "your estimate is too high"),
        ("al-40b", tile_blocks, "the best path takes 1 space in this city"),
        ("al-40b", lambda spot, goal: blocks(spot, goal) + 1, "there is nothing left to drive"),
        ("al-40b", steps, "Return a number"),
        ("al-40b", lambda spot, goal: None, "Return a number"),
    ],
)
def test_a_wrong_answer_gets_its_hint(capsys, name, answer, hint):
    assert not crashlab.check(name, answer)
    words = capsys.readouterr().out
    assert words.startswith(f"{name}: not yet: ") and hint in words


def test_an_estimate_that_is_too_much_is_shown_its_city(capsys):
    case = crashlab.check("al-40b", lambda spot, goal: 2 * blocks(spot, goal)).case
    assert set(case.cars) == {"A1", "B1"}
    assert "(A1)" in capsys.readouterr().out


# The competition


def lengths(estimate):
    return lambda graph, start, goal: a_star(graph, start, goal, estimate)[0]


def test_the_competition_counts_what_is_asked_for():
    asked = [sum(a_star(*trip[:3], blocks)[1] - 1 for trip in lesson.contest())]
    assert lesson.expanded(lengths(blocks)) == asked[0] / len(lesson.contest())
    assert lesson.expanded(lengths(blocks)) < lesson.expanded(lengths(crow)) < lesson.expanded(lengths(lambda a, b: 0))
    assert len(lesson.contest()) == 48
    assert len({id(graph) for graph, *_ in lesson.contest()}) == 8


def test_the_competition_has_right_answers():
    for graph, start, goal, spaces in lesson.contest()[::7]:
        assert spaces == networkx.dijkstra_path_length(net(graph), start, goal)


@pytest.mark.parametrize("answer", [None, 1000, "7", float("nan")])
def test_a_wrong_answer_is_out_of_the_competition(answer):
    with pytest.raises(CrashlabError, match="correct it first"):
        lesson.expanded(lambda graph, start, goal: answer)
