"""CrashCity as pictures and questions at its board."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from math import dist

import pytest
import table_play
from crash_city_positions import city, number
from shape_measures import colours, points

import crashlab
from crashlab.drawing import png
from crashlab.drawing.shapes import Circle, Line, Polygon, Text, placed
from crashlab.drawing.themes import theme
from crashlab.engine.chance import Random
from crashlab.engine.game import Game, edited
from crashlab.engine.options import settle
from crashlab.engine.table import CHANCE, NOWHERE, Row, Trace, replay
from crashlab.games.crash_city import render, rules, ui
from crashlab.games.crash_city import state as tables
from crashlab.games.crash_city.notation import said
from crashlab.games.crash_city.render import layout, panel
from crashlab.games.crash_city.state import ANSWER, BUILD, CAR, OVER, PARK, RACE, ROLL, ROOF, ROTATE, SITE, SORT

each_number = pytest.mark.parametrize("players", (2, 3, 4))
LEFT, TOP, RIGHT, BOTTOM = layout.AREA

NAMED = theme("light", render.COLOURS).keys()  # colours that a picture may use


legal = partial(table_play.legal_codes, rules)
seat_of = partial(table_play.current_seat, rules)


def walk(players, seed, every=1, **options):
    """Yield (table, rows) of some decisions of a game whose seats park as soon as they can."""
    table, rng = tables.set_up(settle(tables.OPTIONS, {"players": players, **options}), Random(seed)), Random(seed)
    for step in range(2000):
        before, trace, codes = table.copy(), Trace(), legal(table, seat_of(table))
        best = [code for code in codes if code // SORT * SORT == PARK] or codes
        rules.apply(table, seat_of(table), rng.choice(best), trace)
        if step % every == 0 or before.phase[0] == ANSWER or (table.phase[0] == ANSWER and trace.rows):
            yield before, list(map(Row._make, trace.rows))
        if not rules.actors(table) or step == 64 * players + 150:
            return


def pieces(table):
    return {piece.key: piece for piece in render.picture(table).pieces}


def wording(shapes):
    return [shape.text for shape in shapes if isinstance(shape, Text)]


def fills(shapes, name):
    return [shape for shape in shapes if isinstance(shape, Polygon) and shape.fill == name]


# The picture


@each_number
def test_every_decision_has_a_picture_with_everything_in_it_once(players):
    for table, _ in walk(players, players, 9):
        picture = render.picture(table)
        keys = [piece.key for piece in picture.pieces]
        assert len(keys) == len(set(keys)) and all(piece.label for piece in picture.pieces)
        assert sum(key.startswith("car ") for key in keys) == sum(where != NOWHERE for where in table.where)
        assert sum(key.startswith("building ") for key in keys) == sum(owner != NOWHERE for owner in table.owner)
        laid = [f"tile {tables.tile_words(table, table.laid[0] - 1)}"] if SITE < table.phase[0] <= CAR else []
        assert [key for key in keys if key.startswith("tile ") and "," in key] == laid
        assert ("crash" in keys) == (table.phase[0] == ANSWER)
        for piece in picture.pieces:
            for shape in placed(piece):
                assert all(0 <= x <= picture.width and 0 <= y <= picture.height for x, y in points(shape)), piece.key
                if piece.x > layout.PANEL[0]:
                    assert all(x <= layout.PANEL[2] and y <= layout.PANEL[3] for x, y in points(shape)), piece.key
        names = set().union(*(colours(shape) for piece in picture.pieces for shape in piece.shapes))
        assert names | set().union(*map(colours, picture.board)) <= NAMED
        assert len(picture.words) > 100 and "None" not in picture.words
        sizes = [shape.size for piece in picture.pieces for shape in placed(piece) if isinstance(shape, Text)]
        assert min(sizes + [shape.size for shape in picture.board if isinstance(shape, Text)]) >= 14


@pytest.mark.parametrize(("side", "aside", "down"), [("N", 0, -1), ("E", 1, 0), ("S", 0, 1), ("W", -1, 0)])
def test_a_car_stands_on_its_lane_and_looks_ahead(side, aside, down):
    """CC-G1, CC-G2: the lane is on the tile's own side of the edge; north is up."""
    for way in "NESW":
        if ("NESW".index(way) - "NESW".index(side)) % 2 == 0:
            continue
        table = city("1,0 NESW", cars=[f"A 1,0 {side} {way}"], tiles="rings").table
        view, car = layout.view(table), pieces(table)["car A1"]
        x, y = view.at(1.5, 0.5)
        assert (car.x - x) * aside + (car.y - y) * down == pytest.approx(view.unit * (0.5 - layout.LANE / 2))
        assert (car.x - x) * down == pytest.approx((car.y - y) * aside)
        lamps = [shape for shape in placed(car) if isinstance(shape, Circle) and shape.fill == "lamp"]
        dx, dy = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}[way]
        assert all((lamp.x - car.x) * dx + (lamp.y - car.y) * dy > 0.2 * view.unit for lamp in lamps)
        assert f"on 1,0{side} facing {way}" in car.label


@pytest.mark.parametrize("seat", "ABCD")
def test_the_largest_window_of_a_car_is_in_front(seat):
    table = city("1,0 NESW", cars=[f"{seat} 1,0 N E"], tiles="rings", players=4).table
    car = pieces(table)[f"car {seat}1"]
    body = 0.2 * layout.view(table).unit  # wheels reach over the sides, windows do not reach the ends
    dark = [shape for shape in car.shapes if isinstance(shape, Polygon) and shape.fill == "rubber"]
    panes = [shape for shape in dark if len({y > 0 for _, y in shape.points}) == 2]
    largest = max(panes, key=lambda pane: max(x for x, _ in pane.points) - min(x for x, _ in pane.points))
    assert panes and 0 < min(x for x, _ in largest.points) < body


def test_a_parked_car_stands_on_the_roof_of_its_work():
    table = city("1,0 W shop B", parked=["A 1,0"]).table
    at = pieces(table)
    car, shop = at["car A1"], at["building 1,0"]
    assert car.x == shop.x and 0 < shop.y - car.y < layout.view(table).unit
    assert at["car A1"].label == "car A1 parked at the shop on 1,0"
    assert wording(at["building 1,0"].shapes) == ["B"] and fills(at["building 1,0"].shapes, "seat 1")


def test_streets_and_tracks_are_where_the_lanes_are():
    """Example 1, tile H with E and W: only W is connected."""
    table = city("1,0 EW").table
    still, view = render.picture(table).board, layout.view(table)
    (track,) = fills(still, "track")
    assert track.points == view.box(2 - layout.LANE, 0, 2, 1)
    assert view.box(1, 0, 1 + layout.LANE, 1) in [lane.points for lane in fills(still, "street")]
    stripes = [shape for shape in still if isinstance(shape, Line) and shape.stroke == "stripe"]
    assert stripes and {x for stripe in stripes for x, _ in stripe.points} == {view.at(1, 0)[0]}


@pytest.mark.parametrize(("corners", "barriers"), [("strict", 1), ("loose", 0)])
def test_a_split_crossing_has_a_barrier(corners, barriers):
    """Example 7 with a lane on the tile beyond: 1,0 and 2,1 touch only at a corner."""
    table = city("1,0 NS", "2,0 S", corners=corners).table
    tables.lay_tile(table, 2, 1, 8)
    still, view = render.picture(table).board, layout.view(table)
    bars = [shape for shape in still if isinstance(shape, Line) and shape.stroke == "number"]
    assert len(bars) == barriers
    for bar in bars:
        assert dist(bar.points[0], view.at(2, 1)) == pytest.approx(dist(bar.points[1], view.at(2, 1)))
        assert bar.points[0][0] < view.at(2, 1)[0] and bar.points[0][1] < view.at(2, 1)[1]


@pytest.mark.parametrize(("dx", "dy"), [(1, 0), (0, -1)])
def test_a_city_of_64_tiles_in_a_row_fits(dx, dy):
    along = "NS" if dx else "EW"
    tiles = [f"{n * dx},{n * dy} {along if n <= 32 else along[0]}" for n in range(1, 65)]
    table = city(*tiles, cars=["A 0,0 N E"], tiles="minimal").table
    for phase in (RACE, ROTATE):
        table.phase[0] = phase
        picture = render.picture(table)
        for shape in fills(picture.board, "street"):
            assert all(LEFT <= x <= RIGHT and TOP <= y <= BOTTOM for x, y in shape.points)
        assert len(fills(picture.board, "street")) == 4 + 2 * 32 + 32
        words = [shape for shape in picture.board if isinstance(shape, Text) and shape.x < RIGHT and shape.size == 14]
        assert all(dist((a.x, a.y), (b.x, b.y)) > 20 for n, a in enumerate(words) for b in words[:n])
        assert not wording(pieces(table)["car A1"].shapes)
        assert png.paint(picture)


@each_number
def test_nothing_moves_on_the_map_while_a_tile_is_laid(players):
    """This holds from the choice of its site to the car of its house; and the city does not shrink with every tile."""
    views, turns = [], 0
    for table, _ in walk(players, 70 + players):
        if table.phase[0] >= ROLL:
            break
        view = layout.view(table)
        if table.phase[0] == SITE:
            turns += 1
            views.append(view)
        assert view == views[-1]
        if turns % 8 == 1:
            map_shown = render.picture(table).map
            assert map_shown.lie == view
            assert all(map_shown.holds(*layout.middle(view, spot)) for spot in table.spot[: table.laid[0]])
    assert turns == 16 * players and len(set(views)) < turns / 2


@each_number
def test_a_city_that_grows_leaves_at_most_one_ring_of_spots_free_once_its_tiles_are_small(players):
    small = 0
    for table, _ in walk(players, 71 + players, 3):
        if table.phase[0] != SITE:
            continue
        view = layout.view(table)
        places = [layout.middle(view, spot) for spot in table.spot[: table.laid[0]]]
        (left, top), (right, bottom) = (tuple(best(part) for part in zip(*places, strict=True)) for best in (min, max))
        free = (left - layout.MAP[0], layout.MAP[2] - right, top - layout.MAP[1], layout.MAP[3] - bottom)
        assert all(room > 1.5 * view.unit - 1e-6 for room in free)  # half the last tile, and a site
        if view.unit < 50:
            small += 1
            assert min(free) < 1.6 * view.unit
    assert small > 0


def test_marks_of_cars_and_letters_of_buildings_have_room_or_are_left_out():
    """A number is about two thirds as high as its size."""
    large = city("1,0 NS house A", cars=["A 1,0 N E"])
    small = city(*(f"{x},0 NS{' house A' * (x == 1)}" for x in range(1, 12)), cars=["A 1,0 N E"])
    for play, letters in ((large, ["A"]), (small, [])):
        car, house = (pieces(play.table)[key] for key in ("car A1", "building 1,0"))
        [number] = [shape for shape in car.shapes if isinstance(shape, Text)]
        _, top, _, bottom = box(fills(car.shapes, "seat 0")[0])
        assert number.size >= 16 and bottom - top > 0.66 * number.size
        assert wording(house.shapes) == letters


def test_a_city_that_is_large_can_be_looked_at_from_near():
    """Its tiles are then about as large as those of a small city."""
    small, large = city(), city(*(f"{x},0 NS" for x in range(1, 15)))
    near = [render.picture(play.table).map.near * layout.view(play.table).unit for play in (small, large)]
    assert near[0] >= 90 and near[1] == pytest.approx(92)


@each_number
def test_the_panel_tells_stocks_parked_cars_and_unseen_tiles(players):
    for table, _ in walk(players, 10 + players, 7):
        at = pieces(table)
        for seat in range(players):
            name = "ABCD"[seat]
            stock = [str(count) for count in table.stock[3 * seat : 3 * seat + 3]]
            assert wording(at[f"stock {name}"].shapes) == (stock if stock != ["0"] * 3 else ["all is built"])
            parked = sum(where >= ROOF for where in table.where[8 * seat : 8 * seat + 8])
            assert wording(at[f"parked {name}"].shapes) == [*"P" * parked, str(parked)]
        assert ("unseen" in at) == (table.phase[0] < ROLL)
        if "unseen" in at:
            left = [16 - table.kind.count(kind) for kind in range(4)]
            assert at["unseen"].label == "tiles not revealed yet: " + ", ".join(
                f"{letter} {count}" for letter, count in zip("ILHU", left, strict=True) if count
            ) + ("" if any(left) else "none")
        assert ("frame" in at) == (seat_of(table) >= 0)
        if "frame" in at:
            assert at["frame"].label.startswith("ABCD"[seat_of(table)])


def test_the_heading_counts_tiles_and_turns_and_names_the_winner():
    play = city("1,0 W shop B", cars=["A 1,0 W N"], turn=11)
    assert render.caption(play.table).startswith("Race, turn 12. A: park or drive.")
    table = tables.set_up(settle(tables.OPTIONS, {"players": 2}), Random(1))
    assert panel.heading(table) == "Tile 1 of 32"
    table.phase[0] = OVER
    assert panel.heading(table) == "A and B win"
    play.table.where[1], play.table.phase[0] = ROOF + 1, OVER
    assert panel.heading(play.table) == "A wins"


# Effects


@pytest.mark.few(1)
@each_number
def test_each_crash_and_each_gain_is_to_be_seen(players):
    crashes = 0
    for before, rows in walk(players, 20 + players):
        table = before.copy()
        for beat in sorted({row[0] for row in rows}):
            here = [row for row in rows if row[0] == beat]
            keys = {start.key for start, end in render.effects(table, here, rows) if start.key == end.key}
            assert {f"joined {row[4]}" for row in here if row[3] == rules.JOINED} <= keys
            assert {f"work {row[4]}" for row in here if row[3] == rules.WHERE and row[6] >= ROOF} <= keys
            hits = {f"crash {row[5]}" for row in here if row[1] == rules.R4 and row[3] == -1}
            assert hits <= keys and not keys & set(pieces(table))
            crashes += len(hits)
            replay(table, here)
    assert crashes > 0


@each_number
def test_ways_lead_from_the_first_to_the_last_space(players):
    for before, rows in walk(players, 30 + players, 3):
        after = before.copy()
        replay(after, rows)
        shapes = render.paths(before, rows)
        ways = [shape for shape in shapes if isinstance(shape, Line) and shape.arrow]
        moved = [car for car in range(32) if NOWHERE != before.where[car] != after.where[car]]
        assert len(ways) == len(moved) and len(fills(shapes, "flash")) == (after.phase[0] == ANSWER)
        view = layout.view(after)
        for way, car in zip(ways, moved, strict=True):
            assert way.points[0] == layout.lane_at(before, view, before.where[car]) and way.stroke == f"seat {car // 8}"
            if after.where[car] < ROOF:
                assert way.points[-1] == layout.lane_at(after, view, after.where[car])


def test_a_way_goes_round_a_corner_within_the_lanes():
    """Example 3: the drift along N of three tiles, then around the corner of the last one into its E lane."""
    play = city("1,0 NS", "2,0 NE", cars=["A 0,0 N E"])
    before = play.table.copy()
    play.do(play.drives("A1", "2,0 E"))
    view, near, far = layout.view(before), 1 - layout.LANE / 2, 3 - layout.LANE / 2
    rows = list(map(Row._make, play.trace.rows))
    (way,) = [shape for shape in render.paths(before, rows) if isinstance(shape, Line) and shape.arrow]
    corners = [(0.5, near), (1.5, near), (2.5, near), (far, near), (far, 0.5)]
    assert len(way.points) == 5
    assert all(dist(point, view.at(*corner)) < 1e-6 for point, corner in zip(way.points, corners, strict=True))


# Choices


all_choices = partial(table_play.all_choices, ui)


@pytest.mark.parametrize("options", [{"players": 2}, {"players": 4, "chains": True, "corners": "loose"}])
def test_the_choices_are_exactly_the_legal_actions(options):
    for table, _ in walk(seed=5, every=5, **options):
        seat = seat_of(table)
        if seat == CHANCE:
            continue
        offered = [choice.action for choice in all_choices(table, seat) if choice.action]
        assert sorted(offered) == sorted(said(table, code) for code in legal(table, seat))
        assert ui.subject(table, seat) in {"", *pieces(table)}
        assert (ui.subject(table, seat) == "") == (table.phase[0] in (SITE, RACE))


@each_number
def test_choices_are_clicked_at_different_places_within_the_picture(players):
    for table, _ in walk(players, 40 + players, 11):
        seat = seat_of(table)
        if seat == CHANCE:
            continue
        firsts = ui.choices(table, seat, ())
        for group in (firsts, *(ui.choices(table, seat, (c.word,)) for c in firsts if not c.action)):
            spots = [(choice.x, choice.y) for choice in group]
            assert all(LEFT < x < RIGHT and TOP < y < BOTTOM for x, y in spots)
            assert all(dist(a, b) > 7 for n, a in enumerate(spots) for b in spots[:n]), table.phase
            assert all(choice.shapes and choice.text for choice in group)
            for shape in [shape for choice in group for shape in choice.shapes]:
                assert all(0 <= x <= layout.WIDTH and 0 <= y <= layout.HEIGHT for x, y in points(shape)), shape
                assert colours(shape) <= NAMED and (not isinstance(shape, Text) or shape.size >= 14)


def offered(play, *chosen):
    """Return the choices, by their last word."""
    return {c.word.split()[-1]: c for c in ui.choices(play.table, play.seat(), chosen)}


def drives(play, *chosen):
    """Return the text of each place that a car can reach."""
    return {place: choice.text for place, choice in offered(play, *chosen).items()}


ROAD = ("1,0 NS", "2,0 NE")


def test_a_click_on_a_car_shows_each_place_with_its_manoeuvre():
    """Example 3 of the rules."""
    play = city(*ROAD, cars=["A 0,0 N E"])
    assert drives(play) == {
        "0,0E": "turn forward to 0,0E, facing S",
        "0,0W": "turn backward to 0,0W, facing N",
        "1,0N": "forward 1 to 1,0N, facing E",
        "2,0N": "forward 2 to 2,0N, facing E",
        "2,0E": "forward 2 and drift to 2,0E, facing S",
    }
    view = layout.view(play.table)
    for place, choice in offered(play).items():
        space = play.space(f"{place[:-1]} {place[-1]}")
        assert (choice.x, choice.y) == layout.lane_at(play.table, view, space) and not fills(choice.shapes, "flash")
    marks = {place: wording(choice.shapes) for place, choice in offered(play).items()}
    assert marks == {"0,0E": ["T"], "0,0W": ["Y"], "1,0N": ["F"], "2,0N": ["F"], "2,0E": ["D"]}


def test_the_card_of_a_crash_lies_beside_the_car_and_the_star_where_they_meet():
    play = city(*ROAD, "2,1 S", cars=["A 0,0 N E", "B 2,0 N W"])
    view, crash, car = layout.view(play.table), offered(play)["2,0N"], pieces(play.table)["car B1"]
    [star] = fills(crash.shapes, "flash")
    assert fills(crash.shapes, "ticket"), "Heat paints these"
    assert crash.y > car.y + 0.25 * view.unit and crash.x == pytest.approx(car.x)  # on its tile, not on the other lane
    assert all(x < car.x - 0.2 * view.unit for x, _ in star.points)  # A1 comes from the west


def test_a_car_that_is_hit_from_behind_has_the_star_behind():
    """A1 backs up two spaces, to the west."""
    play = city("1,0 NS", "2,0 NE", cars=["A 2,0 N E", "B 0,0 N W"])
    crash, car = offered(play)["0,0N"], pieces(play.table)["car B1"]
    [star] = fills(crash.shapes, "flash")
    assert all(x > car.x + 0.2 * layout.view(play.table).unit for x, _ in star.points)


def box(shape):
    """Return left, top, right, bottom of a polygon."""
    xs, ys = zip(*shape.points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def covered(one, other):
    """Return the overlap of two boxes, in pixels across and down."""
    return min(one[2], other[2]) - max(one[0], other[0]), min(one[3], other[3]) - max(one[1], other[1])


@pytest.mark.few(1)
@each_number
def test_no_card_covers_another_one_or_a_car(players):
    """Cards stand for drives, crashes, parking, ways out, turned tiles and buildings."""
    cards = crashes = parks = 0
    for table, _ in walk(players, 90 + players, 3):
        seat = seat_of(table)
        if seat == CHANCE:
            continue
        cars = [car for key, car in pieces(table).items() if key.startswith("car") and "parked" not in car.label]
        cars = [car for car in cars if car.angle % 90 == 0]  # a hit car is drawn askew
        street = [box(fills(placed(car), f"seat {'ABCD'.index(car.key[4])}")[0]) for car in cars]
        firsts = ui.choices(table, seat, ())
        for group in (firsts, *(ui.choices(table, seat, (c.word,)) for c in firsts if not c.action)):
            boxes = street if table.phase[0] in (RACE, ANSWER) else []
            for choice in group:
                for card in fills(choice.shapes, "ticket")[:1]:
                    here = box(card)
                    assert all(min(covered(here, there)) < 0.5 for there in boxes), choice.word
                    boxes = [*boxes, here]
                    cards += 1
                    crashes += bool(fills(choice.shapes, "flash"))
                    parks += choice.word.startswith("park")
    assert cards > 500 and crashes > 10 and parks > 2


def test_cards_that_have_no_room_are_to_be_seen_all_the_same():
    """The lanes of a tile with four lanes hold four cars that can park there."""
    cars = [f"A 1,0 {side} {way}" for side, way in zip("NESW", "ESWN", strict=True)]
    play = city("1,0 NESW shop A", cars=cars, tiles="rings")
    parks = [choice for choice in ui.choices(play.table, 0, ()) if choice.action.startswith("park")]
    assert len(parks) == 4 and len({(choice.x, choice.y) for choice in parks}) == 4


def test_a_crash_is_marked_and_the_owner_of_the_car_that_is_hit_chooses():
    """Examples 4 and 6 of the rules."""
    play = city(*ROAD, cars=["A 0,0 N E", "B 2,0 N W"])
    assert drives(play)["2,0N"] == "crash into B1: forward 2 to 2,0N, facing E"
    starred = {place for place, choice in offered(play).items() if fills(choice.shapes, "flash")}
    assert starred == {"2,0N"}
    play.do(play.drives("A1", "2,0 N"))
    assert ui.subject(play.table, 1) == "car B1" and drives(play) == {"2,0E": "round the corner to 2,0E, facing N"}
    at = pieces(play.table)
    assert at["crash"].label == "A1 has hit B1" and at["car A1"].x < at["crash"].x < at["car B1"].x
    play = city("1,0 NS", "2,0 N", "2,1 S", cars=["A 0,0 N E", "B 2,0 N W"])
    play.do(play.drives("A1", "2,0 N"))
    assert drives(play) == {"2,1S": "spin to 2,1S, facing E"}


def test_backing_and_the_u_turn_are_named():
    play = city("1,0 NS", "2,0 NE", "2,1 S", cars=["A 2,0 N E"])
    words = {place: phrase.partition(" to ")[0] for place, phrase in drives(play).items()}
    assert words["1,0N"] == "reverse 1" and words["0,0N"] == "reverse 2"
    assert words["0,0E"] == "reverse and turn" and words["2,1S"] == "U-turn" and words["2,0E"] == "turn forward"


def test_a_car_is_chosen_and_then_its_drive_but_to_park_is_one_click():
    play = city("1,0 NS", "2,0 NE shop B", cars=["A 0,0 N E", "A 2,0 N W"])
    drives = len(play.moves("A2"))
    assert {choice.word: choice.text.partition(": ")[2] for choice in ui.choices(play.table, 0, ())} == {
        "A1": "4 drives",
        "A2": f"{drives} drives",
        "park A2": "park at the shop on 2,0",
    }
    [park] = [choice for choice in ui.choices(play.table, 0, ()) if choice.action]
    assert park.action == "park A2" and wording(park.shapes) == ["P"]
    assert all(choice.action.startswith("drive") for choice in ui.choices(play.table, 0, ("A2",)))
    car, work = (pieces(play.table)[key] for key in ("car A2", "building 2,0"))
    assert dist((park.x, park.y), (work.x, work.y)) < dist((park.x, park.y), (car.x, car.y))


def test_two_cars_that_can_park_at_one_shop_have_a_card_each():
    play = city("1,0 NS", "2,0 NE shop B", cars=["A 2,0 N W", "A 2,0 E S"])
    parks = {choice.word: choice for choice in ui.choices(play.table, 0, ()) if choice.action}
    at = pieces(play.table)
    assert set(parks) == {"park A1", "park A2"}
    for word, choice in parks.items():
        [line] = [shape for shape in choice.shapes if isinstance(shape, Line) and shape.stroke == "seat 0"]
        car = at[word.replace("park", "car")]
        assert dist(line.points[0], (car.x, car.y)) < 0.15 * layout.view(play.table).unit
        assert line.points[1] == (choice.x, choice.y)


def test_what_one_car_alone_can_do_is_shown_at_once():
    play = city("1,0 NS", "2,0 NE shop B", cars=["A 2,0 N W"])
    assert len(ui.choices(play.table, 0, ())) == len(play.moves("A1")) + 1
    with pytest.raises(crashlab.CrashlabError, match=r"'A1' cannot be chosen now$"):
        ui.choices(play.table, 0, ("A1",))


@pytest.mark.parametrize(
    ("kind", "right", "crossed"),
    [
        ("I", {"N": "N connected", "S": "S connected", "W": "W connected"}, 1),
        ("H", {"NS": "NS connected", "EW": "W connected, not E"}, 0),
        ("L", {"NE": "NE connected", "ES": "ES connected", "SW": "SW connected", "NW": "NW connected"}, 0),
    ],
)
def test_the_rotations_show_what_they_connect(kind, right, crossed):
    """Example 1 of the rules."""
    play = city(phase=SITE)
    play.do(play.site("1,0"), play.shows(kind))
    choices = offered(play)
    assert {word: choice.text.partition(": ")[2] for word, choice in choices.items()} == right
    crosses = [s for c in choices.values() for s in c.shapes if isinstance(s, Line) and s.stroke == "loss"]
    assert len(crosses) == 2 * crossed
    for word, choice in choices.items():
        cards = len(wording(choice.shapes))
        tracks = fills(choice.shapes, "track")
        assert len(tracks) == (1 if word == "EW" else 0) + (cards - 1), word
    letters = [word for choice in choices.values() for word in wording(choice.shapes)]
    assert sorted(letters) == sorted([*right, *"E" * crossed])


def test_a_site_tells_what_can_be_built_there():
    """CC-B5: no factory beside a house; a shop may be anywhere."""
    play = city("1,0 NS house A", cars=["A 1,0 N E"], phase=SITE)
    words = {place: choice.text for place, choice in offered(play).items()}
    assert words["2,0"] == "2,0: house, shop" and words["-1,0"] == "-1,0: house, shop, factory"
    assert set(words) == {f"{x},{y}" for x, y in play.sites()}
    x, y = layout.view(play.table).at(2.5, 0.5)
    assert (offered(play)["2,0"].x, offered(play)["2,0"].y) == (x, y)


def test_a_building_is_chosen_and_then_the_car_of_a_house_on_the_tile():
    play = city(phase=SITE)
    play.do(play.site("1,0"), play.shows("H"), play.turned("EW"))
    assert play.table.phase[0] == BUILD and {w: c.text for w, c in offered(play).items()} == {
        "house": "house, 8 left",
        "shop": "shop, 4 left",
        "factory": "factory, 4 left",
    }
    play.do(play.builds("house"))
    choices = offered(play)
    assert set(choices) == {"1,0W>N", "1,0W>S"} and choices["1,0W>N"].y < choices["1,0W>S"].y
    assert choices["1,0W>N"].text == "1,0W, facing N"


def test_what_cannot_be_chosen_is_refused():
    play = city("1,0 NS", "2,0 NE", cars=["A 0,0 N E", "A 2,0 N W"])
    with pytest.raises(crashlab.CrashlabError, match="'A3' cannot be chosen now; choose one of A1, A2"):
        ui.choices(play.table, 0, ("A3",))
    with pytest.raises(crashlab.CrashlabError, match="'A1 A2' cannot be chosen now"):
        ui.choices(play.table, 0, ("A1", "A2"))
    with pytest.raises(crashlab.CrashlabError, match="B has nothing to decide"):
        ui.choices(play.table, 1, ())
    assert ui.subject(play.table, 1) == ""


def test_who_can_do_nothing_passes():
    """CC-R1: no car on the street."""
    play = city("1,0 NS", cars=["B 0,0 N E"])
    (choice,) = ui.choices(play.table, 0, ())
    assert choice.action == "pass" and choice.text.startswith("pass")


def test_plans_show_what_will_be_there():
    play = city(phase=SITE)
    play.do(play.site("1,0"), play.shows("H"))
    (plan,) = ui.plans(play.table, {0: play.turned("EW")})
    view = layout.view(play.table)
    expected = view.box(2 - layout.LANE, 0, 2, 1), view.box(1, 0, 1 + layout.LANE, 1)
    for street, corners in zip(fills(plan.shapes, "street"), expected, strict=True):
        assert all(dist(a, b) < 1e-6 for a, b in zip(street.points, corners, strict=True))
    assert not fills(plan.shapes, "track")  # the connected lanes are asked about
    play.do(play.turned("EW"))
    (plan,) = ui.plans(play.table, {0: play.builds("shop")})
    assert plan.word == "build shop" and "A" in wording(plan.shapes)
    play = city(*ROAD, cars=["A 0,0 N E"])
    (plan,) = ui.plans(play.table, {0: play.drives("A1", "2,0 E")})
    (way,) = [shape for shape in plan.shapes if isinstance(shape, Line) and shape.arrow]
    assert plan.text == "A: drive A1 2,0E" and way.points[-1] == layout.lane_at(play.table, layout.view(play.table), 9)


def test_who_plans_to_park_sees_it_beside_the_pieces_that_stand_above_it():
    play = city("1,0 NS", "2,0 NE shop B", cars=["A 2,0 N W"])
    [code] = [code for code in legal(play.table, 0) if code // SORT * SORT == PARK]
    (plan,) = ui.plans(play.table, {0: code})
    at, unit = pieces(play.table), layout.view(play.table).unit
    rings = [shape for shape in plan.shapes if isinstance(shape, Circle) and shape.stroke == "seat 0"]
    assert {(ring.x, ring.y) for ring in rings} == {(at[key].x, at[key].y) for key in ("car A1", "building 2,0")}
    assert all(ring.radius > 0.31 * unit for ring in rings)  # half a car is 0.28, half a diagonal of a shop 0.3
    [sign] = [shape for shape in plan.shapes if isinstance(shape, Text)]
    assert sign.text == "P" and abs(sign.x - at["car A1"].x) > 0.35 * unit and sign.y == at["car A1"].y


@pytest.mark.parametrize("kind", "ILHU")
def test_the_cards_for_a_new_tile_lie_round_it_on_free_spots(kind):
    play = city("1,0 NS", "2,0 NS", phase=SITE)
    play.do(play.site("3,0"), play.shows(kind))
    view, cards = layout.view(play.table), ui.choices(play.table, 0, ())
    tiles = [layout.middle(view, spot) for spot in play.table.spot[: play.table.laid[0]]]
    for card in cards:
        assert dist((card.x, card.y), tiles[-1]) < 2.1 * view.unit
        assert min(dist((card.x, card.y), tile) for tile in tiles) > 0.9 * view.unit


# Questions about a turn, and changes by hand


def games(players, seed, decisions, **options):
    """Yield the turns of a random game."""
    game = Game("crash_city", "crashlab.games.crash_city", {"players": players, **options})
    state, rng = game.start(seed), Random(seed)
    for _ in range(decisions):
        turn = state.sample(rng)
        yield turn
        state = turn.after
        if state.over:
            return


@each_number
def test_the_right_answers_are_true(players):
    kinds = set()
    for turn in games(players, 50 + players, 64 * players + 60):
        after = turn.after
        for question in ui.questions(turn):
            right = question.answers[question.right]
            assert len(question.answers) == len(set(question.answers)) >= 2
            assert 0 <= question.reason < len(turn.rows) and len(question.places) in (0, len(question.answers))
            kinds.add(question.text.split()[0])
            name = question.text.split()[2]
            if question.text.startswith("How many"):
                assert question.answers == ("1", "2", "3", "4", "5", "6 or more")  # without a hint at the right one
            if question.text.startswith("How many ways out"):
                assert right.removesuffix(" or more") == str(min(6, len(after.actions(after.actors[0]))))
            elif question.text.startswith("What can"):
                assert right == ", ".join(str(action).split()[1] for action in after.actions(after.actors[0]))
            elif question.text.startswith("How many"):
                joined = sum(after.table.joined) - sum(turn.before.table.joined)
                assert right.removesuffix(" or more") == str(min(6, joined))
            elif question.text.startswith("Where"):
                x, y, side = after.cars[name].lane
                assert right == f"{x},{y}{side}"
            elif question.text.startswith("Which way"):
                assert right == after.cars[question.text.split()[3]].facing
            elif question.text.startswith("Which car"):
                assert turn.before.table.where[number(right)] in [row[6] for row in turn.rows if row[3] == rules.WHERE]
            else:
                assert right == ("nobody" if after.over else after.game.seat_name(after.actors[0]))
    assert {"How", "Which", "Who"} <= kinds


@each_number
def test_no_question_is_answered_by_what_is_shown_before(players):
    """A turn is shown up to the beat that decides a question, and the actions after it are not shown."""
    count = 0
    for turn in games(players, 60 + players, 64 * players + 150):
        questions = ui.questions(turn)
        ordered = [q for q in questions if not q.text.startswith(("How many ways", "What can"))]
        beats = [turn.events[question.reason].beat for question in ordered]
        assert beats == sorted(set(beats)) and list(questions[: len(ordered)]) == ordered
        count += len(questions)
    assert count > 100


def test_where_the_car_that_is_hit_ends_is_asked_for():
    """Example 4 of the rules, with the only outcome."""
    game = Game("crash_city", "crashlab.games.crash_city", {"players": 2})
    state = game.read("tiles 1,0 NS / 2,0 NE; cars A 0,0N>E / B 2,0N>W")
    answers = {q.text: q.answers[q.right] for q in ui.questions(state.play({0: "drive A1 2,0N"}))}
    assert answers == {
        "Which way does A1 face at the end?": "E",
        "Where does B1 end?": "2,0E",
        "Who decides next?": "A",  # B1 can neither park nor drive there: B has to pass
    }


def test_the_driver_is_not_among_those_it_could_hit():
    game = Game("crash_city", "crashlab.games.crash_city", {"players": 2})
    state = game.read("tiles 1,0 NS / 2,0 NE / 3,0 N / 2,1 S; cars A 0,0N>E 0,0S>E / B 2,0N>W")
    turn = state.play({0: "drive A1 2,0N"})
    (which,) = [question for question in ui.questions(turn) if question.text == "Which car is hit?"]
    assert which.answers == ("A2", "B1") and which.right == 1
    ways = [question for question in ui.questions(turn) if question.text.startswith("How many ways out")]
    assert [question.answers[question.right] for question in ways] == [str(len(turn.after.actions(1)))]
    assert len(fills(ways[0].shapes, "ticket")) == 2 * len(turn.after.actions(1))  # each is shown at the end


def test_a_car_far_away_is_not_among_those_that_could_be_hit():
    game = Game("crash_city", "crashlab.games.crash_city", {"players": 2})
    row = " / ".join(f"{x},0 NS" for x in range(1, 9))
    state = game.read(f"tiles {row} / 3,1 S; cars A 0,0N>E / B 2,0N>W 8,0S>W")
    texts = [question.text for question in ui.questions(state.play({0: "drive A1 2,0N"}))]
    assert texts == ["Which way does A1 face at the end?", "How many ways out does the car that is hit have?"]


def test_what_can_be_built_is_asked_before_the_tile_lies():
    """CC-B5: there is a factory of the other player beside the new tile."""
    game = Game("crash_city", "crashlab.games.crash_city", {"players": 2})
    state = game.read("asked A; tiles 1,0 NS factory B").play({0: "site 2,0"}).after
    state = state.play({CHANCE: "tile U"}).after
    (question,) = [q for q in ui.questions(state.play({0: "lanes NES"})) if q.text == "What can A build there?"]
    assert question.answers[question.right] == "shop, factory" and "house, shop, factory" in question.answers


def test_every_edit_can_be_read_or_is_refused():
    for state in [list(games(2, 61, decisions))[-1].after for decisions in (60, 170)]:
        for edit in ui.edits(state.table)[::4]:
            assert edit.key in {piece.key for piece in state.picture().pieces}
            for field in edit.fields:
                assert field.value in field.values and len(field.places) in (0, len(field.values))
                assert edited(state, edit.key, field.name, field.value).table == state.table
                for value in field.values[:: max(1, len(field.values) // 3)]:
                    with suppress(crashlab.CrashlabError):
                        changed = edited(state, edit.key, field.name, value)
                        edit_then = {e.key: e for e in ui.edits(changed.table)}[edit.key]
                        assert {f.name: f.value for f in edit_then.fields}[field.name] == value


def test_a_car_is_put_elsewhere_and_turns_along_the_street():
    game = Game("crash_city", "crashlab.games.crash_city", {"players": 2})
    state = game.read("tiles 1,0 NS / 2,0 NE shop B; cars A 0,0N>E / B 2,0N>W")
    moved = edited(state, "car A1", "place", "0,0E")
    assert (moved.cars["A1"].lane, moved.cars["A1"].facing) == ((0, 0, "E"), "S")
    parked = edited(state, "car A1", "place", "2,0")
    assert parked.cars["A1"].parked == (2, 0) and parked.cars["B1"] == state.cars["B1"]
    turned = edited(state, "car B1", "facing", "E")
    assert turned.cars["B1"].facing == "E"
    built = edited(state, "building 2,0", "building", "factory")
    assert built.tiles[2, 0].building == "factory"
    assert edited(state, "asked", "asked", "B").whose_turn == "B"


def test_it_is_asked_for_what_there_is():
    """A car parks only at a free job, so the usual question is about a drive alone."""
    texts = set()
    for seed in range(3):
        state, dice = crashlab.game("crash_city", players=2).start(seed), crashlab.Random(seed)
        while state.actors:
            (seat,) = state.actors
            if seat != CHANCE and state.facts.phase == "race":
                parks = {str(action).split()[0] == "park" for action in state.actions(seat)}
                question = ui.prompt(state.table, seat, ())
                assert ("Park a car, or drive one?" == question) == (True in parks), (question, state.text)
                texts.add(question)
            state = state.sample(dice).after
    assert "Which car drives, and where?" in texts and any(words.startswith("Where does ") for words in texts)
