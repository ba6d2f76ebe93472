"""Crash by Crash as pictures and questions at its board."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import pairwise
from math import atan2, degrees, dist

import pytest
import table_play
from shape_measures import colours, points

import crashlab
from crashlab.course.lessons import example_rules
from crashlab.drawing import story, tween
from crashlab.drawing.shapes import Circle, Line, Polygon, Text, placed
from crashlab.drawing.themes import THEMES, theme
from crashlab.engine.chance import Random
from crashlab.engine.game import Game, edited
from crashlab.engine.options import settle
from crashlab.engine.rules import quickest
from crashlab.engine.table import HIDDEN, NOWHERE, Row, Trace, replay
from crashlab.games.boards import hexes
from crashlab.games.crash_by_crash import notation as w
from crashlab.games.crash_by_crash import render, rules, ui
from crashlab.games.crash_by_crash import state as tables
from crashlab.games.crash_by_crash.notation import action_text
from crashlab.games.crash_by_crash.render import layout, panel, sprites

VARIANTS = ({}, {"edition": "english"}, {"players": 4})
each_variant = pytest.mark.parametrize("options", VARIANTS, ids=str)

NAMED = theme("light", render.COLOURS).keys()  # colours that a picture may use


def game(**options):
    return Game("crash_by_crash", "crashlab.games.crash_by_crash", options)


def read(position, **options):
    """Read a position; if it has no bells, they are put far from the rows 5 to 9."""
    bells = "" if "bells" in position else "; bells 1.3 1.8 4.11 13.8 10.11 10.1"
    return game(**options).read(position + bells)


legal = partial(table_play.legal_codes, rules)


def walk(options, seed, decisions):
    """Yield the table before each decision of a random game, and the rows of the decision."""
    table, rng = tables.set_up(settle(tables.OPTIONS, options), Random(seed)), Random(seed)
    for _ in range(decisions):
        before, trace = table.copy(), Trace()
        rules.apply(table, table.asked[0], rng.choice(legal(table)), trace)
        yield before, list(map(Row._make, trace.rows))
        if not rules.actors(table):
            return


def number(row, column):
    """Return the cell of a row and a column."""
    return tables.BOARD.cell[row, 2 * column + row % 2]


def centre(row, column):
    return layout.CENTRES[number(row, column)]


def shapes_of(picture):
    return [*picture.board, *(shape for piece in picture.pieces for shape in placed(piece))]


def words_in(shapes):
    return [shape.text for shape in shapes if isinstance(shape, Text)]


def pieces_of(table):
    return {piece.key: piece for piece in render.picture(table).pieces}


# The picture


@pytest.mark.few(1)
@each_variant
def test_everything_is_within_the_picture_and_has_a_colour_in_every_theme(options):
    for before, rows in walk(options, 4, 400):
        if before.turn[0] % 9:
            continue
        picture = render.picture(before)
        assert len({piece.key for piece in picture.pieces}) == len(picture.pieces)
        for shape in shapes_of(picture):
            for x, y in points(shape):
                assert -1 <= x <= picture.width + 1 and -1 <= y <= picture.height + 1, shape
            for name in THEMES:
                assert colours(shape) <= theme(name, render.COLOURS).keys()
        for pair in render.effects(before, rows, rows):
            assert pair[0].key == pair[1].key and pair[0].label
            assert all(colours(shape) <= NAMED for piece in pair for shape in placed(piece))
        assert all(colours(shape) <= NAMED for shape in render.paths(before, rows))


@each_variant
def test_words_are_large_enough_and_fit_on_their_cards(options):
    table = game(**options).start(2).table
    for shape in render.picture(table).board:
        assert not isinstance(shape, Text) or shape.size >= 14
    for card in range(tables.KINDS):
        for shapes, half, high in ((sprites.card_shapes(card), 58, 56), (sprites.slip_shapes(card), 134, 9)):
            for shape in shapes:
                if isinstance(shape, Text):
                    assert shape.size >= 14
                    assert all(abs(x) < half and abs(y) < high for x, y in points(shape)), shape
        heights = sorted(shape.y for shape in sprites.card_shapes(card) if isinstance(shape, Text))
        assert all(below - above >= 15 for above, below in pairwise(heights))


def test_each_cell_shows_its_value_by_colour_and_by_dots():
    table = game().start(6).table
    for cell in range(tables.CELLS):
        face, *dots = layout.face(cell, table.value[cell])
        assert face.fill == f"value {table.value[cell]}" and len(dots) == table.value[cell]
        assert all(dist((dot.x, dot.y), layout.CENTRES[cell]) < layout.HALF for dot in dots)
        board = set(render.picture(table).board)
        assert {face, *dots} <= board


def test_a_standing_car_hides_no_dot_of_its_value():
    for cell in range(tables.CELLS):
        for dot in layout.face(cell, 3)[1:]:
            _, y = layout.CENTRES[cell]
            for side in range(2):
                body = sprites.car_shapes(side, False)[0]
                reach = max(py for _, py in points(body))
                assert y - layout.UP + reach < dot.y - dot.radius, side


def test_every_tile_has_a_border_on_all_its_sides():
    for tile in range(tables.TILES):
        cells = set(tables.cells_of(tile))
        sides = sum(tables.AHEAD[6 * cell + way] not in cells for cell in cells for way in range(6))
        assert sides == (18 if tile % 2 else 22)
        rim = layout.rim(tile)
        assert len(rim) == sides == len({(round(x), round(y)) for x, y in rim})
        assert all(dist(a, b) == pytest.approx(layout.SIZE) for a, b in zip(rim, (*rim[1:], rim[0]), strict=True))


def test_where_a_flower_is_gone_there_is_a_hole_and_no_value():
    whole = read("gone 4.1; blue 6.4; orange 6.6").picture().board
    tile = tables.TILE[number(4, 1)]
    cells = tables.cells_of(tile)
    corners = {hexes.corners(layout.CENTRES[cell], layout.SIZE) for cell in cells}
    faces = {shape.points for shape in whole if isinstance(shape, Polygon) and shape.fill.startswith("value")}
    assert len(cells) == 7 and not corners & faces
    (hole,) = [shape for shape in whole if isinstance(shape, Polygon) and shape.fill == "hole"]
    assert hole.points == layout.rim(tile)


def test_the_sides_can_be_told_apart_without_colours():
    for is_magnet in (False, True):
        bodies = [
            [(type(shape), len(points(shape))) for shape in sprites.car_shapes(side, is_magnet)] for side in range(2)
        ]
        assert bodies[0] != bodies[1]
        assert [words_in(sprites.car_shapes(side, is_magnet)) for side in range(2)] == [["A"], ["B"]]
    assert sprites.car_shapes(0, False) != sprites.car_shapes(0, True)


def test_pieces_are_where_they_are():
    pieces = pieces_of(read("gone 4.1; operator 4.2; blue 6.4 M8.6; orange - 2.2, batteries 3").table)
    assert (pieces["blue 1"].x, pieces["blue 1"].y) == pytest.approx((centre(6, 4)[0], centre(6, 4)[1] - layout.UP))
    assert dist((pieces["orange 1"].x, pieces["orange 1"].y), layout.stock_place(2, tables.FLEET)) == 0
    assert pieces["orange 2"].label.startswith("orange car on 2.2")
    assert dist((pieces["operator"].x, pieces["operator"].y), centre(4, 1)) < 3  # CB-O3: in the hole
    assert "in the hole" in pieces["operator"].label
    assert "3 batteries" in pieces["batteries orange"].label


def test_a_magnet_shows_from_where_it_pulls_and_not_over_the_rim():
    assert len(pieces_of(read("blue M7.6; orange 6.6").table)["pull blue"].shapes) == 6 * 4
    # from the corner 0.0 cells at distance two exist only to the E and to the SE
    assert len(pieces_of(read("blue M0.0; orange 6.6").table)["pull blue"].shapes) == 2 * 4
    assert "pull orange" not in pieces_of(read("blue M7.6; orange 6.6").table)


def test_the_scored_bells_are_on_the_track():
    table = read("bells - 1.8 - 4.6 7.3 7.8 10.1 10.6 13.3 13.8; blue 6.4; orange 6.6; operator 0.12").table
    pieces = pieces_of(table)
    assert [(pieces[f"bell {n}"].x, pieces[f"bell {n}"].y) for n in (1, 3)] == [
        layout.track_place(0),
        layout.track_place(1),
    ]
    assert pieces["turn"].label.endswith("2 of 7 scorings")


def test_hidden_hands_lie_face_down():
    position = "asked A; blue 6.4; orange 6.6; hands A Ride Tandem, B Lambada Shady"
    view, all_seen = read(position).seen_by(0).table, read(position).table
    assert {"Lambada", "Shady"} <= set(words_in(shapes_of(render.picture(all_seen))))
    texts = words_in(shapes_of(render.picture(view)))
    assert "Lambada" not in texts and "Shady" not in texts
    assert "Free Ride" in texts and "Tandem" in texts
    assert view.hand[tables.KINDS] == HIDDEN and "card B 2" in pieces_of(view)
    caption = render.caption(view)
    assert "Hand of B: hidden, hidden." in caption and "Hand of A: Free Ride, Tandem." in caption
    assert "Lambada" not in caption


def test_the_hand_in_turn_and_the_face_up_cards_have_their_texts():
    table = read("asked B; blue 6.4; orange 6.6; hands A Ride, B Lambada; display Shady - Hit").table
    pieces = pieces_of(table)
    assert pieces["card B 1"].shapes == sprites.card_shapes(tables.LAMBADA)
    assert pieces["card A 1"].shapes == sprites.slip_shapes(tables.FREE_RIDE)
    assert "face up 2" not in pieces and "3, 2, 1, 0" in pieces["face up 1"].label
    assert "discards" in pieces["pile"].label


def test_the_first_scoring_comes_with_the_sixth_turn():
    def lit(turn):
        shapes = panel.turn_shapes("Turn", turn, "")
        return [shape for shape in shapes if not isinstance(shape, Text) and shape.fill == "chit"]

    assert [len(lit(turn)) for turn in (0, 1, 5, 6, 30)] == [0, 1, 5, 1, 1]
    assert all(isinstance(shape, Circle) for shape in lit(5)) and isinstance(lit(6)[0], Polygon)  # the star


def test_from_then_on_only_the_star_is_beside_the_turn():
    words, *lamps, _ = panel.turn_shapes("Turn 300", 300, "")
    assert len(lamps) == 1 and max(x for x, _ in points(words)) + 40 < min(x for x, _ in points(lamps[0]))


def test_the_discards_are_told_within_the_picture():
    lying = " ".join(f"{word}*3" for word in w.CARD_WORDS[:12])
    table = read(f"turn 9; blue 6.4; orange 6.6; hands A Reaction*3; display -; discards {lying}").table
    below = sprites.PILE_Y - 1
    lines = [shape for shape in shapes_of(render.picture(table)) if isinstance(shape, Text) and shape.y > below]
    assert " ".join(line.text for line in lines) == pieces_of(table)["pile"].label and "Expansion 3" in lines[-1].text
    assert all(0 < x < layout.WIDTH and 0 < y < layout.HEIGHT for line in lines for x, y in points(line))


@each_variant
def test_what_is_decided_is_a_piece_of_the_picture(options):
    for before, _ in walk(options, 8, 120):
        seats = [seat for seat in range(before.players[0]) if ui.subject(before, seat)]
        decided = rules.actors(before)
        assert seats == ([] if decided < 0 else [before.asked[0]])
        for seat in seats:
            assert pieces_of(before)[ui.subject(before, seat)].label


# Effects


def scoring(seed=5):
    """Return a table and the rows of an action with a scoring."""
    return next(
        (before, rows) for before, rows in walk({}, seed, 2000) if any(row[3] == rules.SCORINGS for row in rows)
    )


def test_a_scoring_counts_up_car_by_car():
    table, rows = scoring()
    moment, totals = table.copy(), [0, 0]
    beats = sorted({row[0] for row in rows})
    for beat in beats:
        now = [row for row in rows if row[0] == beat]
        for _, rule, _, field, car, cell, value, total in now:
            if field == NOWHERE and rule == rules.F3:
                side = car // tables.FLEET
                totals[side] += table.value[cell]
                assert value == table.value[cell] and total == totals[side]
                passing = {pair[0].key: pair[0] for pair in render.effects(moment, now, rows)}
                assert words_in(passing[f"sum {side}"].shapes) == [f"+{totals[side]}"]
                assert words_in(passing[f"value {side}"].shapes) == [str(table.value[cell])]
                frame = passing[f"count {side}"]
                assert (frame.x, frame.y) == layout.CENTRES[cell]
        replay(moment, now)
    got = [moment.score[side] - table.score[side] for side in range(2)]
    assert max(totals) > 0 and any(total in got for total in totals)


def test_what_was_counted_stays_to_be_seen_while_one_steps():
    table, rows = scoring()
    counted = [place for place, row in enumerate(rows) if row[3] == NOWHERE and row[1] == rules.E1]
    for number_of_cars, place in enumerate(counted, 1):
        shapes = render.paths(table, rows[: place + 1])
        rims = {shape.points for shape in shapes if isinstance(shape, Polygon) and shape.stroke == "flash"}
        assert rims == {hexes.corners(layout.CENTRES[rows[n][5]], layout.SIZE - 1) for n in counted[:number_of_cars]}
        assert f"+{rows[place][7]}" in words_in(shapes)


def test_a_bell_rings_and_a_flower_sinks():
    table, rows = scoring()
    kinds = set()
    moment = table.copy()
    for beat in sorted({row[0] for row in rows}):
        now = [row for row in rows if row[0] == beat]
        kinds |= {pair[0].key.split()[0] for pair in render.effects(moment, now, rows)}
        replay(moment, now)
    assert {"ring", "count", "sum", "points", "sink"} <= kinds


def test_a_magnet_shows_the_cells_from_which_the_rules_in_force_pull():
    """By the book it pulls from two cells away on the floor (CB-M1); a user's rules may differ."""
    table = read("blue M7.6; orange 6.6").table
    cell = table.cell[rules.STANDARD]
    two = {tables.AHEAD[6 * tables.AHEAD[6 * cell + way] + way] for way in range(6)}
    assert {far for _, far in sprites.pulling(table, 0, cell)} == two
    table.gone[tables.TILE[min(two)]] = 1
    assert {far for _, far in sprites.pulling(table, 0, cell)} == {
        far for far in two if not table.gone[tables.TILE[far]]
    }
    mine = crashlab.game("crash_by_crash").with_rules(*example_rules.FAR_MAGNET)
    (pull,) = [piece for piece in mine.read("blue M7.6; orange 6.6").picture().pieces if piece.key == "pull blue"]
    assert pull.label.endswith("pulls from 12 cells")


def test_a_magnet_pulls_along_a_line_of_force():
    turn = read("blue 6.4 6.5; orange 2.2 2.4; operator 0.12").play("magnet 6.7")
    pulled = [row for row in turn.rows if row[1] == rules.M3]
    assert [row[5] for row in pulled] == [number(6, 5)]
    (line,) = [a for a, _ in render.effects(turn.at(pulled[0][0] - 1).table, pulled) if a.key.startswith("force")]
    ends = [shape.points[-1] for shape in placed(line) if isinstance(shape, Line)]
    assert all(dist(end, centre(6, 7)) < 1 for end in ends)


def test_ways_lead_from_where_a_car_was_to_where_it_is():
    turn = read("blue 6.4 2.2; orange 6.5; operator 0.12").play("car 6.3 E +1")
    ways = [shape for shape in render.paths(turn.before.table, turn.rows) if isinstance(shape, Line) and shape.arrow]
    assert [way.points for way in ways] == [(centre(6, 5), centre(6, 6), centre(6, 7))]
    assert ways[0].stroke == "seat 1"
    assert story.motion(turn) > 0


def test_a_lost_car_leaves_a_star():
    turn = read("blue 6.11 2.2; orange 6.12 2.4; operator 0.12").play("car 6.10 E")
    stars = [shape for shape in render.paths(turn.before.table, turn.rows) if isinstance(shape, Polygon)]
    assert len(stars) == 1
    keys = [pair[0].key for row in turn.rows for pair in render.effects(turn.before.table, [row])]
    assert "points 0" in keys and any(key.startswith("fall") for key in keys)


def falls(position, action):
    """Return the start of each car's fall, with its direction in sixths of a turn from east."""
    turn = read(position).play(action)
    ways = [shape for shape in render.paths(turn.before.table, turn.rows) if isinstance(shape, Line) and shape.arrow]
    ends = [way.points[-2:] for way in ways if way.points[-1] not in layout.CENTRES]
    return [(start, round(degrees(atan2(start[1] - y, x - start[0])) / 60) % 6) for start, (x, y) in ends]


def test_a_car_falls_the_way_it_was_pushed():
    east, north_east, north_west, west = range(4)
    assert falls("blue 6.11 2.2; orange 6.12 2.4; operator 0.12", "car 6.10 E") == [(centre(6, 12), east)]
    # into the north-eastern corner, with three directions off the floor
    assert falls("blue 2.2; orange 0.12 2.4; operator 6.6", "car 1.11 NE") == [(centre(0, 12), north_east)]
    assert falls("blue 2.2; orange 0.12 2.4; operator 6.6", "car 0.11 E") == [(centre(0, 12), east)]
    # with a battery it moves to the rim first, or the operator is there
    assert falls("blue 2.2; orange 0.11 2.4; operator 6.6", "car 0.10 E +1") == [(centre(0, 12), east)]
    assert falls("blue 2.2; orange 0.3 8.4; operator 2.4", "walk NW NW")[:1] == [(centre(0, 3), north_west)]
    # into a hole
    assert falls("gone 4.6; blue 2.2; orange 4.8 2.4; operator 0.12", "car 4.9 W") == [(centre(4, 8), west)]


def test_a_card_that_is_played_is_shown():
    turn = read("blue 6.4; orange 6.6 2.2; hands A Saboteur Tandem").play("play Saboteur 6.6")
    pieces = [a for row in turn.rows for a, _ in render.effects(turn.before.table, [row]) if a.key.startswith("shown")]
    assert [piece.shapes for piece in pieces] == [sprites.card_shapes(tables.SABOTEUR)]


# Choosing


def leaves(table, seat, chosen=()):
    """Yield every action that the choices can build, and check the choices."""
    choices = ui.choices(table, seat, chosen)
    assert len({choice.word for choice in choices}) == len(choices)
    for place, choice in enumerate(choices):
        assert 0 < choice.x < layout.WIDTH and 0 < choice.y < layout.HEIGHT and choice.text and choice.shapes
        assert all(dist((choice.x, choice.y), (other.x, other.y)) > 12 for other in choices[:place]), chosen
        for shape in choice.shapes:
            assert colours(shape) <= NAMED
    for choice in choices:
        yield from [choice.action] if choice.action else leaves(table, seat, (*chosen, choice.word))


@pytest.mark.few(1)
@each_variant
@pytest.mark.parametrize("seed", [1, 2])
def test_the_choices_make_every_legal_action_exactly_once(options, seed):
    holes = False
    for place, (table, _) in enumerate(walk(options, seed, 1500)):
        walks_out = bool(table.gone[tables.TILE[table.cell[tables.OPERATOR]]])
        seldom = table.phase[0] == tables.ACTION and place % 25 and not (walks_out and not holes)
        if rules.actors(table) < 0 or (seldom and place > 10):
            continue
        holes = holes or (walks_out and table.phase[0] == tables.ACTION)
        seat = table.asked[0]
        offered = list(leaves(table, seat))
        assert sorted(offered) == sorted(action_text(table, seat, code) for code in legal(table))


def test_the_legal_actions_are_listed_once_for_many_clicks(monkeypatch):
    table = read("turn 5; blue 6.4 6.5 3.3; orange 6.6 7.6; hands A Ride Lambada Charms").table
    calls = []

    def listed(*arguments):
        calls.append(arguments)
        return list_them(*arguments)

    played = quickest("crashlab.games.crash_by_crash")
    list_them = played.legal
    monkeypatch.setattr(played, "legal", listed)
    ui.grown.cache_clear()
    assert len(list(leaves(table, 0))) > 400 and len(calls) == 1
    assert ui.choices(table.copy(), 0, ()) and len(calls) == 1
    table.score[0] += 1
    assert ui.choices(table, 0, ()) and len(calls) == 2


def words(state, *chosen):
    return {choice.word: choice for choice in ui.choices(state.table, state.table.asked[0], chosen)}


def test_one_is_asked_for_the_kind_then_the_cell_the_way_and_the_batteries():
    state = read("turn 5; blue 6.4; orange 6.6; operator 0.12; hands A Ride Lambada Charms")
    assert {"car", "magnet", "walk", "play Ride", "exchange"} <= set(words(state))
    assert "play Lambada" not in words(state)  # no two cars are side by side
    assert {"6.5", "6.3", "6.7"} <= set(words(state, "car"))
    assert set(words(state, "car", "6.5")) == {"E", "W"}
    powers = words(state, "car", "6.5", "E")
    assert [choice.action for choice in powers.values()] == ["car 6.5 E", "car 6.5 E +1", "car 6.5 E +2"]
    labels = [[shape.text for shape in choice.shapes if isinstance(shape, Text)] for choice in powers.values()]
    assert labels == [["0"], ["1"], ["2"]] and all(choice.shapes[-2].fill == "gain" for choice in powers.values())
    # only one car can be hit from 6.3: the batteries are offered at once
    assert [choice.action for choice in words(state, "car", "6.3").values()][2] == "car 6.3 E +2"


def test_a_path_is_built_step_by_step():
    state = read("turn 5; blue 6.4; orange 6.6; operator 10.5")
    assert set(words(state, "walk")) == {"E", "NE", "NW", "W", "SW", "SE"}
    assert "W" not in words(state, "walk", "E")  # CB-O1: no cell twice
    third = words(state, "walk", "E", "NE")
    assert third["stop"].action == "walk E NE" and not third["E"].action and "for 2 points" in third["E"].text
    assert (third["E"].x, third["E"].y) == centre(9, 7)
    assert words(state, "walk", "E", "NE", "E")["SE"].action == "walk E NE E SE"
    poor = read("turn 5; blue 6.4, score 2; orange 6.6; operator 10.5")
    assert words(poor, "walk", "E")["NE"].action == "walk E NE"  # no choice is left


def test_out_of_a_hole_one_says_where_and_which_way_a_car_is_pushed():
    # 3.2 is east of 3.1 and north-east of 4.2, both in the hole around 4.1
    state = read("turn 9; gone 4.1; operator 4.1; blue 4.4 12.2; orange 3.2 12.6")
    steps = words(state, "walk")
    assert {word for word in steps if word.startswith("3.2")} == {"3.2/E", "3.2/NE"}
    assert {word for word in steps if word.startswith("4.3")} == {"4.3"}
    assert steps["3.2/NE"].text == "to 3.2, pushing NE" and steps["4.3"].text == "to 4.3"
    places = [(steps[word].x, steps[word].y) for word in ("3.2/E", "3.2/NE")]
    assert dist(*places) > 12 and all(dist(place, centre(3, 2)) < 2 * layout.HALF for place in places)
    actions = [choice.action for choice in words(state, "walk", "3.2/NE").values()]
    assert actions and all(action.startswith("walk 3.2/NE ") for action in actions if action)


def test_cards_are_played_at_the_pieces_they_are_played_on():
    state = read("turn 7; blue 6.4 6.5; orange 7.4; hands A Lambada Saboteur Charms; operator 0.12")
    pairs = words(state, "play Lambada")
    assert {choice.action for choice in pairs.values()} == {
        "play Lambada 6.4 6.5",
        "play Lambada 6.4 7.4",
        "play Lambada 6.5 7.4",
    }
    middle = pairs["6.4 6.5"]
    assert dist((middle.x, middle.y), centre(6, 4)) == pytest.approx(dist((middle.x, middle.y), centre(6, 5)))
    assert words(state)["play Saboteur"].action == "play Saboteur 7.4"  # there is only one such car
    assert set(words(state, "play Charms")) == {"1.3", "1.8", "4.11", "13.8", "10.11", "10.1"}  # the bells
    assert words(state, "play Charms", "1.3")["1.4"].action == "play Charms 1.3 1.4"


def test_an_exchange_is_chosen_by_the_card_that_is_kept():
    state = read("turn 5; asked B; blue 6.4; orange 6.6; hands B Lambada Ride Tandem")
    pairs = words(state, "exchange")
    assert {choice.action for choice in pairs.values()} == {
        "exchange Lambada Ride",
        "exchange Lambada Tandem",
        "exchange Ride Tandem",
    }
    assert pairs["Lambada Ride"].x == sprites.card_place(sprites.HAND_X, 2)[0]  # Tandem is the third card


def test_what_cannot_be_chosen_is_refused():
    state = read("turn 5; blue 6.4; orange 6.6; operator 10.5")
    with pytest.raises(crashlab.CrashlabError, match="choose one of car"):
        words(state, "fly")
    with pytest.raises(crashlab.CrashlabError, match="'walk E W' cannot be chosen now"):
        words(state, "walk", "E", "W")
    with pytest.raises(crashlab.CrashlabError, match="nothing is left to choose"):
        words(state, "walk", "E", "NE", "stop")
    with pytest.raises(crashlab.CrashlabError, match="B has nothing to decide now"):
        ui.choices(state.table, 1, ())


# Plans


def planned(state, action):
    seat = state.table.asked[0]
    (plan,) = ui.plans(state.table, {seat: state.code(seat, action)})
    return plan


def test_a_planned_magnet_shows_its_six_cells():
    state = read("turn 5; blue 6.4; orange 6.6; operator 0.12")
    plan = planned(state, "magnet 6.8")
    rims = [shape for shape in plan.shapes if isinstance(shape, Polygon) and shape.stroke == "magnet"]
    cells = [(6, 6), (6, 10), (4, 7), (4, 9), (8, 7), (8, 9)]
    assert {shape.points for shape in rims} == {hexes.corners(centre(*cell), layout.SIZE - 3) for cell in cells}
    assert plan.text == "A: magnet 6.8"


def test_a_planned_path_is_drawn_from_the_operator_to_its_end():
    state = read("turn 5; blue 6.4; orange 6.6; operator 10.5")
    lines = [shape for shape in planned(state, "walk E NE E SE").shapes if isinstance(shape, Line)]
    way = tuple(centre(*cell) for cell in [(10, 5), (10, 6), (9, 6), (9, 7), (10, 8)])
    assert all(line.points == way for line in lines)


def tickets(plan):
    return sorted((shape.text, round(shape.x)) for shape in plan.shapes if isinstance(shape, Text))


def test_a_planned_card_is_marked():
    state = read("turn 9; blue 6.4 6.5; orange 6.6; operator 10.5; hands A Lambada*2 Accumulator")
    first, second, third = (round(sprites.card_place(sprites.HAND_X, number)[0]) for number in range(3))
    assert tickets(planned(state, "play Accumulator")) == [("play", third)]
    assert tickets(planned(state, "play Lambada 6.4 6.5")) == [("play", first)]
    assert tickets(planned(state, "exchange Lambada Lambada")) == [("give", first), ("give", second)]
    assert tickets(planned(state, "exchange Lambada Accumulator")) == [("give", first), ("give", third)]


@pytest.mark.few(1)
@each_variant
def test_every_action_can_be_planned(options):
    for before, _ in walk(options, 3, 160):
        for action in legal(before)[::17]:
            seat = rules.actors(before) if rules.actors(before) < 0 else before.asked[0]
            (plan,) = ui.plans(before, {seat: action})
            assert plan.text.endswith(action_text(before, seat, action))
            assert all(colours(shape) <= NAMED for shape in plan.shapes)


# Questions


def answers(turn):
    return [(question.text, question.answers[question.right]) for question in ui.questions(turn)]


def test_the_right_answers_are_those_of_the_rules():
    turn = read("blue 6.4 2.2; orange 6.5; operator 0.12").play("car 6.3 E +1")
    assert answers(turn) == [
        ("Where does the first car that is set going stop?", "6.7"),
        ("Which bell rings?", "none"),
    ]
    turn = read("blue 6.11 2.2; orange 6.12 2.4; operator 0.12").play("car 6.10 E")
    assert answers(turn) == [
        ("Where does the first car that is set going stop?", "off the floor"),
        ("Which bell rings?", "none"),
        ("How many points does blue get for cars that fall off?", "2"),
    ]


def test_a_scoring_is_asked_about():
    state = read("blue 4.3 2.2; orange 12.4; operator 0.12; bells 1.3 1.8 4.2 13.8 10.11 10.1")
    bell = number(4, 2)
    value = state.table.value
    turn = state.play("car 4.4 W")
    sums = [value[bell] + value[number(2, 2)] + value[number(4, 4)], value[number(12, 4)]]
    assert answers(turn) == [
        ("Where does the first car that is set going stop?", "4.2"),
        ("Which bell rings?", "4.2"),
        ("The bell rings: what do the cars score?", f"blue {sums[0]}, orange {sums[1]}"),
        ("Which flower leaves the game?", "the one round 4.1"),
    ]


def test_a_car_that_the_operator_stops_stays():
    turn = read("blue 6.4 2.2; orange 6.5; operator 6.6").play("car 6.3 E")
    assert answers(turn)[0] == ("Where does the first car that is set going stop?", "6.5")


@each_variant
def test_questions_of_random_turns_can_be_answered(options):
    variant = game(**options)
    state, rng, count = variant.start(3), Random(3), 0
    while not state.over and state.table.turn[0] < 30:
        turn = state.sample(rng)
        for question in ui.questions(turn):
            count += 1
            assert 0 <= question.right < len(question.answers) <= 7 and len(question.answers) >= 2
            assert len(set(question.answers)) == len(question.answers)
            assert 0 <= question.reason < len(turn.events)
            assert not question.places or len(question.places) == len(question.answers)
        state = turn.after
    assert count > 10


# Changing a position by hand


@each_variant
def test_what_can_be_changed_is_shown_as_it_is(options):
    state = next(state for state in states(options) if state.table.turn[0] > 5)
    for edit in ui.edits(state.table):
        for field in edit.fields:
            assert field.value in field.values
            assert len(field.places) <= len(field.values)
            same = edited(state, edit.key, field.name, field.value)
            assert same.table == state.table, (edit.key, field.name)


def states(options):
    """Yield the states of a random game."""
    state, rng = game(**options).start(1), Random(1)
    while not state.over:
        state = state.sample(rng).after
        if rules.actors(state.table) > 0 and state.table.phase[0] == tables.ACTION:
            yield state


def test_positions_are_changed_by_hand():
    state = read("turn 8; blue 6.4 6.5 M8.6; orange 6.6; hands A Ride, B Tandem")

    def changed(*change):
        return edited(state, *change).table

    assert changed("blue 2", "cell", "9.9").cell[1] == number(9, 9)
    assert changed("blue 2", "cell", "in the stock").cell[1] == NOWHERE
    assert changed("orange 4", "cell", "2.2").cell[tables.FLEET + 3] == number(2, 2)
    assert changed("blue magnet", "cell", "in the stock").cell[tables.STANDARD] == NOWHERE
    assert changed("operator", "cell", "0.12").cell[tables.OPERATOR] == number(0, 12)
    assert changed("bell 1", "cell", "scored").cell[tables.BELL] == NOWHERE
    assert changed("score orange", "score", "33").score[1] == 33
    assert changed("score orange", "banned", "yes").banned[1] == 1
    assert changed("card A 1", "card 2", "Lambada").hand[tables.LAMBADA] == 1
    assert changed("card B 1", "card 1", "none").hand_size[1] == 0
    assert changed("turn", "asked", "B").asked[0] == 1
    assert changed("turn", "turn", "31").turn[0] == 31
    tile = tables.TILE[number(4, 1)]
    assert changed(f"flower {tile}", "flower", "gone").gone[tile] == 1
    with pytest.raises(crashlab.CrashlabError, match="both on"):
        changed("blue 2", "cell", "6.6")


def test_a_flower_goes_with_all_that_is_on_it():
    state = read("blue 4.1 2.2 M4.2; orange 12.4; operator 0.12; bells 1.3 1.8 3.1 13.8 10.11 10.1")
    tile = tables.TILE[number(4, 1)]
    after = edited(state, f"flower {tile}", "flower", "gone").table
    assert after.cell[0] == after.cell[tables.STANDARD] == NOWHERE and after.cell[1] == number(2, 2)
    assert all(cell == NOWHERE or tables.TILE[cell] != tile for cell in after.cell)


def test_a_film_moves_what_has_the_same_key():
    turn = read("blue 6.4 2.2; orange 6.5; operator 0.12").play("car 6.3 E +1")
    scene, effects = story.scene(turn, turn.beats - 1)
    assert replace(scene, pieces=tween.between(turn.before.picture(), scene, effects, 0.5)).pieces
    before, after = pieces_of(turn.before.table), pieces_of(turn.after.table)
    assert before["orange 1"].x < after["orange 1"].x and before.keys() >= {"blue 3", "turn"} <= after.keys()


def asked_on_the_way(state, words):
    """Return the questions before each word of an action."""
    seat = state.actors[0]
    return [ui.prompt(state.table, seat, words[:count]) for count in range(len(words))]


def test_each_choice_is_asked_for_in_a_whole_question():
    state = read("turn 1; blue 7.4 7.6; orange 7.5 14.12; operator 0.12")
    first = "What is your first action?"
    hit, power = "Which car does it hit?", "How many batteries does it use?"
    assert asked_on_the_way(state, ("car", "6.5", "SE")) == [first, "Where do you place the car?", hit]
    assert ui.prompt(state.table, state.actors[0], ("car", "6.5", "SE")) == power
    start = crashlab.game("crash_by_crash").start(seed=1)
    assert ui.prompt(start.table, start.actors[0], ()) == "Where do you put your next car?"


@each_variant
def test_whatever_is_chosen_first_the_next_question_is_whole(options):
    rng = Random(5)
    state = game(**options).start(seed=5)
    for _ in range(30):
        for seat in [seat for seat in state.actors if seat >= 0]:
            waiting = [()]
            while waiting:
                words = waiting.pop()
                assert ui.prompt(state.table, seat, words).endswith("?"), words
                open_ones = [choice for choice in ui.choices(state.table, seat, words) if not choice.action]
                waiting += [(*words, rng.choice(open_ones).word)] if open_ones else []
        state = state.sample(rng).after


def test_cars_to_place_are_named_and_cells_are_no_dots():
    state = read("turn 1; blue 7.4 7.6; orange 7.5 14.12; operator 0.12")
    offered = {choice.word: choice for choice in ui.choices(state.table, state.actors[0], ())}
    assert [shape.text for shape in offered["car"].shapes if isinstance(shape, Text)] == ["car"]
    cells = ui.choices(state.table, state.actors[0], ("car",))
    assert all(not shape.fill for choice in cells for shape in choice.shapes if isinstance(shape, Circle))
