"""The places on the picture of a program's values: cells, lanes, cars, actions, states."""

import copy
import re
from itertools import product
from math import dist, inf, nan

import numpy as np
import pytest
from test_state import each_game, walk

import crashlab
from crashlab import CHANCE, Random, agents
from crashlab.course.lessons import crash_by_crash as floor_lessons
from crashlab.course.lessons import crash_city as city_lessons
from crashlab.drawing.shapes import Map, Polygon, Text
from crashlab.engine.game import Action, Game

AUTOSCOOTER, GRAB, FLOOR, CITY = map(crashlab.game, crashlab.games())
BOARDS = AUTOSCOOTER, GRAB, FLOOR, CITY


def holds(polygon, point):
    """Return whether a point is in a polygon: a ray to the right crosses its sides an odd number of times."""
    x, y = point
    sides = zip(polygon.points, (*polygon.points[1:], polygon.points[0]), strict=True)
    crossed = [ax + (y - ay) / (by - ay) * (bx - ax) > x for (ax, ay), (bx, by) in sides if (ay > y) != (by > y)]
    return sum(crossed) % 2 == 1


def outlines(state, *fills):
    """Return the polygons of the board in these colours."""
    return [shape for shape in state.picture().board if isinstance(shape, Polygon) and shape.fill in fills]


def inside(polygons, point):
    """Return the indices of the polygons that contain a point."""
    return [number for number, polygon in enumerate(polygons) if holds(polygon, point)]


def pieces(state):
    """Return the places of the picture's pieces."""
    return {piece.key: (piece.x, piece.y) for piece in state.picture().pieces}


# Pieces are where they are drawn

WORDS = {  # the names of the pieces that a value can mean
    "autoscooter": lambda key: key.removeprefix("car ") if key.startswith("car ") else None,
    "crash_and_grab": lambda key: key.partition(" ")[2] if key.startswith(("saucer ", "crew ")) else None,
    "crash_by_crash": lambda key: key if key.startswith(("blue ", "orange ", "bell ", "operator")) else None,
    "crash_city": lambda key: key.removeprefix("car ") if key.startswith("car ") else None,
}


@pytest.mark.parametrize("game", BOARDS, ids=repr)
def test_whatever_moves_lies_where_its_piece_is_drawn(game):
    moved = set()
    for turn in walk(game, 8, 80):
        for state in (turn.at(turn.beats // 2), turn.after):
            for key, point in pieces(state).items():
                if word := WORDS[game.name](key):
                    assert state.place(word) == state.place(key) == point, (state, key)
                    moved.add(word)
    assert len(moved) >= 8


@pytest.mark.parametrize("game", BOARDS, ids=repr)
def test_the_piece_that_one_is_asked_about_has_its_place(game):
    for turn in walk(game, 2, 40):
        for question in turn.after.asked:
            if question.piece in pieces(turn.after) and WORDS[game.name](question.piece):
                assert turn.after.place(question.piece) == pieces(turn.after)[question.piece]


def test_what_a_state_tells_of_cars_has_a_place():
    state = AUTOSCOOTER.start(3)
    assert [state.place(car) for car in state.cars.values()] == [state.place(number) for number in state.cars]
    state = GRAB.start(3)
    assert {state.place(saucer) for saucer in state.saucers.values()} == {state.place(name) for name in state.saucers}
    lost = GRAB.read(state.to_dict() | {"saucers": {"red": {"space": None}}})
    assert lost.place("red") == pieces(lost)["saucer red"] and lost.place(lost.saucers["red"]) is None
    state = FLOOR.start(3)
    assert len({state.place(tile) for tile in state.tiles}) == 25
    state = CITY.read(city_lessons.TOWN + "cars A 0,0N>E / B 1,1N>W 1,-1")
    assert state.place(state.cars["A1"]) == state.place("A1") == state.place("0,0N")
    assert state.place(state.cars["B2"]) == state.place((1, -1)) != state.place("B2")  # the car is on the roof


def test_a_car_that_is_not_on_the_table_has_no_place():
    assert AUTOSCOOTER.read({"cars": {"1": "21E2"}}).place("2") is None
    assert CITY.start(1).place("A1") is None and crashlab.game("crash_city", players=2).start().place("D1") is None
    assert crashlab.game("crash_and_grab", players=3).start(1).place("pink") is None


# Cells are in their outlines, each at a different place


def test_each_hex_of_autoscooter_lies_in_a_hex_of_the_board():
    state = AUTOSCOOTER.start(1)
    cells = [(row, column) for row in range(7) for column in range(5 + row % 2)]
    places = [inside(outlines(state, "cell"), state.place(cell)) for cell in cells]
    assert [len(hexes) for hexes in places] == [1] * 38 and len({hexes[0] for hexes in places}) == 38
    names = {shape.text: (shape.x, shape.y) for shape in state.picture().board if isinstance(shape, Text)}
    for row, column in cells:
        x, y = state.place((row, column))
        assert abs(names[f"{row},{column}"][0] - x) < 1 and 0 < y - names[f"{row},{column}"][1] < 45
    wrong = [(0, 5), (7, 0), (-1, 2), (2, 5), "05", "(7,0)", 21, 0, 9, "9"]
    assert [state.place(value) for value in wrong] == [None] * 10


@pytest.mark.parametrize("players", [3, 4, 5])
def test_each_space_of_crash_and_grab_is_the_one_with_its_number(players):
    state = crashlab.game("crash_and_grab", players=players).start(1)
    names = {
        shape.text.replace(",", ""): (shape.x, shape.y)
        for shape in state.picture().board
        if isinstance(shape, Text) and re.fullmatch(r"\d,\d", shape.text)
    }
    assert len(names) in (64, 81, 100)
    for name in names:
        place = state.place(name)
        assert min(names, key=lambda other: dist(names[other], place)) == name
    assert len({state.place(name) for name in names}) == len(names)
    off = [f"{row}{column}" for row, column in product(range(10), repeat=2) if f"{row}{column}" not in names]
    assert [state.place(name) for name in off] == [None] * (100 - len(names))
    assert [state.place(wrong) for wrong in [-1, 100, (0, 10), "3", "344", (3, -1)]] == [None] * 6


def test_a_space_of_crash_and_grab_is_also_told_by_its_tile():
    state = GRAB.read("tiles 4B3 2A1 3B3 1B0; saucers red 24, green 41, blue 57, yellow 04")
    size = 8
    corners = {4: (0, 0), 2: (0, 4), 3: (4, 0), 1: (4, 4)}
    spaces = [
        (state.place((tile, down, across)), state.place((row + down, column + across)))
        for tile, (row, column) in corners.items()
        for down, across in product(range(4), repeat=2)
    ]
    assert all(one == other for one, other in spaces) and len(set(spaces)) == size * size
    assert [state.place(wrong) for wrong in [(5, 0, 0), (4, 4, 0), (4, 0, -1), (0, 0, 0), ("4", 0, 0)]] == [None] * 5
    for number, space in state.sites.items():
        assert state.place(f"site {number}") == state.place(space)
    assert state.place("site 13") is None


def test_each_cell_of_the_floor_lies_in_a_cell_of_its_value():
    state = FLOOR.read(floor_lessons.MIDDLE)
    fills = [f"value {value}" for value in range(4)]
    shapes = [shape for shape in outlines(state, *fills) if shape.stroke == "value edge"]
    places = {cell: inside(shapes, state.place(cell)) for cell in state.values}
    assert all(len(numbers) == 1 for numbers in places.values())
    assert len({numbers[0] for numbers in places.values()}) == len(state.values) == len(shapes)
    assert all(shapes[places[cell][0]].fill == f"value {value}" for cell, value in state.values.items())
    holes = outlines(state, "hole")
    assert all(len(inside(holes, state.place(hole))) == 1 for hole in state.holes) and len(state.holes) == 4
    assert [state.place(wrong) for wrong in [(0, 13), (1, 12), (15, 0), (-1, 0), "7.13", "73", "7.3!1"]] == [None] * 7


def test_a_tile_of_the_floor_lies_between_its_cells():
    state = FLOOR.read(floor_lessons.MIDDLE)
    for tile in state.tiles:
        spots = [state.place(cell) for cell in tile.cells]
        middle = [sum(parts) / len(spots) for parts in zip(*spots, strict=True)]
        assert state.place(tile.name) == pytest.approx(middle)
        assert state.place(tile.name) == state.place(tile.name.partition("+")[0])
    assert len({state.place(number) for number in range(25)}) == 25
    assert {state.place(number) for number in range(1, 25, 2)} >= {state.place(hole) for hole in state.holes}
    assert [state.place(wrong) for wrong in [25, -1, "F7+3", "X13", "F"]] == [None] * 5
    assert state.place("F3+1") is None and FLOOR.start(1).place("F3")  # a sunk flower has no place


def test_each_lane_lies_in_its_street_on_its_side_of_the_tile():
    for state in (city_lessons.history(3)[20], city_lessons.race(3)):
        streets = outlines(state, "street", "track")
        places = {lane: inside(streets, state.place(lane)) for lane in state.streets.lanes()}
        assert all(len(numbers) == 1 for numbers in places.values())
        assert len({numbers[0] for numbers in places.values()}) == len(places) > 40
        for x, y, side in places:
            middle = tile_middle(state, (x, y))
            right, down = (lane - mid for lane, mid in zip(state.place((x, y, side)), middle, strict=True))
            assert (down < 0, right > 0, down > 0, right < 0)[side] and abs(right if side % 2 == 0 else down) < 1e-6


def tile_middle(state, tile):
    """Return the middle of a tile by the rulers beside the map."""
    left, low = state.picture().map.left, state.picture().map.bottom
    rulers = [shape for shape in state.picture().board if isinstance(shape, Text) and shape.fill == "muted"]
    across = {int(shape.text): shape.x for shape in rulers if shape.y > low}
    down = {int(shape.text): shape.y for shape in rulers if shape.x < left}
    return across[tile[0]], down[tile[1]]


def test_each_tile_lies_within_its_square_and_so_do_the_sites():
    start, rng = CITY.start(3), Random(3)
    while len(start.tiles) < 20 or start.phase != "site":
        start = start.sample(rng).after
    half = (tile_middle(start, (1, 0))[0] - tile_middle(start, (0, 0))[0]) / 2
    for place in [*start.tiles, *(tuple(action.parts["site"]) for action in start.actions(start.actors[0]))]:
        x, y = tile_middle(start, place)
        assert abs(start.place(place)[0] - x) < half and abs(start.place(place)[1] - y) < half
    assert start.place((40, 0)) is None and start.place((66, 0)) is None and start.place("-64,64") is None
    race = city_lessons.race(3)
    for key, point in pieces(race).items():
        if key.startswith("building "):
            assert dist(race.place(key.removeprefix("building ")), point) < 4


def test_both_directions_on_a_lane_have_places_ahead_of_its_middle():
    state = city_lessons.race(3)
    vertices = city_lessons.drive_graph(state.streets)
    places = {vertex: state.place(vertex) for vertex in vertices}
    assert len(set(places.values()) | set(map(state.place, state.streets.lanes()))) == len(vertices) + len(
        state.streets.lanes()
    )
    for (lane, way), (x, y) in places.items():
        right, up = x - state.place(lane)[0], state.place(lane)[1] - y
        assert (up > 5, right > 5, up < -5, right < -5)[way]
    assert state.place(((0, 0, 0), 0)) is None  # across the lane
    assert state.place(((0, 0, 0), 4)) is None and state.place(((0, 0, 0), -1)) is None


# A value means the same in every form


@pytest.mark.parametrize(
    ("game", "position", "same"),
    [
        (
            AUTOSCOOTER,
            {"cars": {"1": "21E2", "3": "34NW1"}},
            [(2, 1), [2, 1], "21", "(2,1)", "(2, 1)", 1, "1", "car 1"],
        ),
        (
            GRAB,
            "tiles 4B3 2A1 3B3 1B0; saucers red 24, green 41, blue 57, yellow 04",
            [(2, 4), [2, 4], "24", "(2,4)", 24, "red", "saucer red"],
        ),
        (GRAB, "tiles 4B3 2A1 3B3 1B0; saucers red 24, green 41, blue 57, yellow 04", [(0, 4), 4, "04", "yellow"]),
        (FLOOR, "operator 7.3; blue 14.0; orange 14.12", [(7, 3), [7, 3], "7.3", "(7,3)", "(7, 3)"]),
        (CITY, city_lessons.TOWN + "cars A 0,0N>E / B 1,1N>W", [(1, 0), [1, 0], "1,0", "(1,0)", "(1, 0)"]),
        (
            CITY,
            city_lessons.TOWN + "cars A 0,0N>E / B 1,1N>W",
            [(0, 0, "N"), (0, 0, 0), [0, 0, "N"], "0,0N", "(0,0) N", "A1", "car A1"],
        ),
        (
            CITY,
            city_lessons.TOWN + "cars A 0,0N>E / B 1,1N>W",
            [((0, 0, 0), 1), [[0, 0, "N"], "E"], ("0,0N", "E"), "0,0N>E", ("A1", (0, 0, "N"), 1), "A1>0,0N>E"],
        ),
    ],
)
def test_a_place_is_the_same_in_all_words_for_it(game, position, same):
    state = game.read(position)
    places = {state.place(value) for value in [*same, *map(of_numpy, same)]}
    assert len(places) == 1 and None not in places


def of_numpy(value):
    """Return the value with NumPy's numbers and strings."""
    if isinstance(value, tuple | list):
        return type(value)(map(of_numpy, value))
    return np.int64(value) if isinstance(value, int) else np.str_(value)


# The values of programs in the lessons


def test_what_the_algorithms_of_the_lessons_go_through_has_a_place():
    state = city_lessons.race(5, turns=12)
    for one, other in city_lessons.drive_graph(state.streets).items():
        assert state.place(one) and all(map(state.place, other))
    for lane in state.streets.lanes():
        assert state.place(lane) and all(map(state.place, state.streets.beside(lane)))
    assert all(map(state.place, city_lessons.jobs(state)))
    assert all(map(state.place, city_lessons.played_drives(state)))
    state = FLOOR.start(1)
    beside = {cell: floor_lessons.beside(cell) & set(state.values) for cell in state.values}
    assert all(state.place(cell) and all(map(state.place, others)) for cell, others in beside.items())
    state = GRAB.start(24)
    assert all(state.place(10 * row + column) == state.place((row, column)) for row, column in state.accelerators)


# Values that are no places


class Odd:
    """An object whose every operation raises."""

    def refuse(self, *arguments):
        raise RuntimeError("do not ask me")

    __eq__ = __hash__ = __index__ = __repr__ = __str__ = __len__ = __iter__ = __bool__ = refuse
    __class__ = property(refuse)


class OddTuple(tuple):
    """A tuple whose iterator raises."""

    __slots__ = ()

    def refuse(self, *arguments):
        raise RuntimeError("do not ask me")

    __iter__ = __len__ = __getitem__ = __eq__ = __hash__ = __repr__ = refuse


class OddWords(str):
    """A str whose methods raise."""

    __slots__ = ()

    def refuse(self, *arguments):
        raise RuntimeError("do not ask me")

    __len__ = __eq__ = __hash__ = __repr__ = __str__ = strip = split = partition = removeprefix = refuse


def nonsense():
    """Return values that are not a place in any game."""
    endless = []
    endless.append(endless)
    return [
        None, True, False, np.True_, nan, inf, -inf, 2.0, 1j, np.float64(3), 10**400, -(10**400), -1, 1000, b"21",
        "", " ", "?", "-", "off", "x" * 10**6, "9" * 5000, "\ud800", "\0", "²¹", "２１", "-1", "+1", "1e1", (), [], {},
        set(), (1,), (1, 2, 3, 4, 5), (1.0, 2.0), (True, 2), (nan, nan), (None, None), (10**400, 0), (0, 10**400),
        ("x", "y"), ((), ()), ((0, 0), (0, 0)), ((0, 0, 0), (0, 0, 0)), ((0, 0, True), 1), ((0, 0, 0), True),
        [[0] * 10**5], [0] * 10**6, endless, [[[[[1, 2]]]]], {"hex": (2, 1)}, {(2, 1)}, frozenset(), range(2),
        np.zeros(2), np.array([[7, 3]]), object(), Odd(), OddTuple((2, 1, 9, 9)), OddWords("nowhere"), Odd,
        int, len, ..., Random(1), crashlab.game, AUTOSCOOTER, agents.random(1),
    ]  # fmt: skip


@each_game
def test_nonsense_has_no_place_and_does_no_harm(game):
    for turn in [*walk(game, 4, 20)][::6]:
        before = copy.deepcopy(turn.after.table.rows())
        for state in (turn.after, turn.at(turn.beats // 2), turn.after.seen_by(0)):
            for value in nonsense():
                assert state.place(value) is None, type(value)
        assert list(map(list, before)) == list(map(list, turn.after.table.rows()))


@each_game
def test_what_is_made_of_the_words_of_a_game_has_a_place_on_the_picture_or_none(game):
    state = [*walk(game, 6, 30)][-1].after
    words = ["A1", "2,0", "N", "red", "red pilot", "F7", "blue 1", "34", "7.3", "2,0N", ">", "car", "site 3", "off"]
    rng, picture, count = Random(1), state.picture(), 0
    for _ in range(2000):
        value = anything(rng, words)
        if place := state.place(value):
            assert 0 <= place[0] <= picture.width and 0 <= place[1] <= picture.height, value
            count += 1
    assert count > 20 or game.name == "toy"


def anything(rng, words, deep=3):
    """Return a value made of words, numbers and nested lists of them."""
    kind = rng.below(6 if deep else 3)
    if kind == 0:
        return rng.choice(words)
    if kind == 1:
        return rng.choice(words) + rng.choice(words)
    if kind == 2:
        return rng.choice([rng.below(12) - 2, rng.below(200) - 50, np.int8(rng.below(8)), None, True, 0.5])
    parts = [anything(rng, words, deep - 1) for _ in range(rng.below(5))]
    return parts if kind == 3 else tuple(parts)


@pytest.mark.parametrize("subclass", [lambda: OddTuple((2, 1)), lambda: OddWords("21")])
def test_the_class_of_a_value_has_no_say(subclass):
    state = AUTOSCOOTER.start(1)
    assert state.place(subclass()) == state.place((2, 1))


def test_long_rows_are_not_gone_through():
    class Counted:
        asked = 0

        def __index__(self):
            Counted.asked += 1
            return 1

    assert AUTOSCOOTER.start(1).place([Counted()] * 1000) is None and Counted.asked == 0
    assert AUTOSCOOTER.start(1).place([Counted(), Counted()]) and Counted.asked == 2


def test_a_game_that_says_nothing_of_places_has_none():
    state = Game("toy", "toy", {}).read("squares 0 0")
    assert [state.place(value) for value in (0, "runner 0", (0, 0), state.actions(0)[0], state)] == [None] * 5


# Actions are where they lead


def test_a_plot_leads_to_the_hex_where_the_car_would_end():
    state = AUTOSCOOTER.read({"cars": {"1": "21E2", "2": "04W0", "3": "64E0"}})
    leads = {str(action): state.place(action) for action in state.actions(0)}
    assert leads["1 FF"] == state.place((2, 3)) and leads["1 FFF"] == state.place((2, 4))
    assert leads["1 FLF"] == state.place((1, 3)) and leads["1 FFL"] == leads["1 FFR"] == leads["1 FF"]
    assert state.place(Action(state, 0, state.code(0, "-"))) == state.place((2, 3))  # straight on
    blocked = AUTOSCOOTER.read({"cars": {"1": "21E2", "2": "23W0"}})
    straight = [action for action in blocked.actions(0) if str(action).endswith("FF")]
    assert {blocked.place(action) for action in straight} == {blocked.place((2, 2))}
    barrier = AUTOSCOOTER.read({"cars": {"1": "24E2", "2": "23W0"}})
    assert barrier.place(barrier.actions(0)[0]) == barrier.place("1")
    standing = [Action(blocked, 1, blocked.code(1, words)) for words in ("2 P", "-")]
    assert [blocked.place(action) for action in standing] == [blocked.place("2")] * 2


def test_actions_of_crash_and_grab_lead_along_the_board_or_to_what_they_name():
    state = GRAB.read("tiles 4B3 2A1 3B3 1B0; saucers red 24, green 41, blue 57, yellow 04")
    leads = {str(action): state.place(action) for action in state.actions(0)}
    assert leads["2<"] == state.place((2, 2)) and leads["2>"] == state.place((2, 6))
    assert leads["3^"][1] < state.place((0, 4))[1] or leads["3^"] == state.place("yellow")
    assert len(leads) == 12 and None not in leads.values()
    for turn in walk(GRAB, 1, 250):
        state = turn.before
        if state.phase == "pilot":
            for action in state.actions(state.actors[0]):
                assert state.place(action) == state.place(str(action))
        if state.phase == "reward":
            for action in state.actions(state.actors[0]):
                assert state.place(action) == (None if str(action) == "energy" else state.place(str(action)))


def test_actions_of_crash_by_crash_lead_to_the_cell_where_something_comes():
    state = FLOOR.read(floor_lessons.MIDDLE)
    for action in state.actions(0):
        verb, *words = str(action).split()
        if verb in ("car", "magnet"):
            assert state.place(action) == state.place(words[0])
        elif verb == "walk":
            end = state.play(action).after
            assert end.operator in end.holes or state.place(action) == state.place(end.operator)
        elif verb in ("exchange", "forfeit"):
            assert state.place(action) is None
        elif words[0] == "Charms":
            assert state.place(action) == state.place(words[2])
        elif words[0] == "Saboteur":
            assert state.place(action) == state.place(words[1])
    assert {str(action).split()[0] for action in state.actions(0)} >= {"car", "walk", "exchange", "play"}


def test_actions_of_crash_city_lead_where_the_car_is_then():
    verbs = set()
    for turn in walk(crashlab.game("crash_city", players=2), 3, 400):
        state = turn.before
        if state.actors == (CHANCE,) or not str(turn.actions[state.actors[0]]):
            continue
        action = turn.actions[state.actors[0]]
        parts, place = action.parts, state.place(action)
        verb = str(action).split()[0]
        verbs.add(verb)
        if "site" in parts:
            assert place == state.place(tuple(parts["site"]))
        elif verb == "put":
            assert place == state.place((tuple(parts["lane"]), parts["facing"]))
        elif verb in ("drive", "to"):
            assert place == state.place(tuple(parts["lane"]))
        elif verb == "park":
            assert place == turn.after.place(turn.after.cars[str(action).split()[1]].parked)
        elif verb == "pass":
            assert place is None
        else:
            assert place and Map(0, 0, 760, 560).holds(*place)
    assert verbs >= {"site", "lanes", "build", "put", "drive", "park"}


@each_game
def test_only_what_a_seat_can_choose_now_leads_anywhere(game):
    state = game.start(1)
    while state.actors == (CHANCE,):
        state = state.play().after
    seat = state.actors[0]
    legal = state.actions(seat)[-1]
    for code in (-1, 10**9, "x", None, 1.5):
        assert state.place(Action(state, seat, code)) is None
    for actor in (CHANCE, 77, None, "A", True, nan, []):
        assert state.place(Action(state, actor, legal.code)) is None
    for other in BOARDS:
        if other.name != game.name:
            assert other.start(1).place(legal) is None
    over = [*walk(game, 1, 3000)][-1].after if game.name in ("toy", "autoscooter") else None
    assert over is None or (over.over and over.place(legal) is None)


def test_an_action_of_another_position_leads_where_its_words_do():
    state = CITY.read(city_lessons.TOWN + "cars A 0,0N>E / B 1,1N>W")
    other = CITY.read(city_lessons.TOWN + "turn 4; cars A 0,0N>E / B 1,1N>W")
    for action in other.actions(0):
        assert state.place(action) == other.place(action)


@pytest.mark.parametrize("game", BOARDS, ids=repr)
def test_actions_of_views_and_of_moments_within_a_turn_do_no_harm(game):
    for turn in [*walk(game, 9, 40)]:
        for state in (turn.after.seen_by(1), *(turn.at(beat) for beat in range(0, turn.beats, 3))):
            for action in turn.actions.values():
                state.place(action)
            assert state.place(turn.before) is None or state.place(turn.before)


# States are at the piece that moved


def test_a_state_lies_where_the_only_thing_is_that_moved():
    state = CITY.read(city_lessons.TOWN + "cars A 0,0N>E / B 1,1N>W")
    for action in state.actions(0):
        assert state.place(state.play(action).after) == state.place(action)
    assert state.place(state) is None
    both = CITY.read(city_lessons.TOWN + "cars A 1,0S>E / B 0,0W>N")
    assert state.place(both) is None
    assert state.place(AUTOSCOOTER.start(1)) is None and state.place(CITY.start(1)) is None
    here = GRAB.read("tiles 4B3 2A1 3B3 1B0; saucers red 24, green 41, blue 57, yellow 04")
    there = GRAB.read("tiles 4B3 2A1 3B3 1B0; saucers red 25, green 41, blue 57, yellow 04")
    assert here.place(there) == here.place((2, 5)) and there.place(here) == there.place((2, 4))


@pytest.mark.parametrize("game", BOARDS, ids=repr)
def test_it_is_said_what_has_a_place(game):
    assert "Values with a place on the picture, for `state.place(value)`:" in game.notation
