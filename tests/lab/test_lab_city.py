"""CrashCity in the widgets: the map moves to the current decision and back, and cars can be moved by hand."""

import pytest

import crashlab

pytest.importorskip("ipycanvas")

from fake_page import Sent, quick_fingers, words  # noqa: F401

from crashlab.drawing.shapes import Polygon
from crashlab.lab import Arena, Explorer, Heat, Predict, Stepper

ROW = " / ".join(f"{x},0 NS" for x in range(1, 14))
CITY = f"asked A; tiles {ROW} / 14,0 NES shop B / 14,1 S; cars A 11,0N>E 1,0N>E / B 13,0N>W"


@pytest.fixture(scope="module")
def game():
    return crashlab.game("crash_city", players=2)


@pytest.fixture
def racing(game):
    return game.read(CITY)


def word(panel, last):
    return next(choice for choice in panel.choices() if choice.word.split()[-1] == last)


def press(sent, choice):
    sent.press(choice.x, choice.y)


def shown(panel, *keys):
    """Return whether the map shows all these pieces."""
    at = {piece.key: (piece.x, piece.y) for piece in panel.board.picture.pieces}
    return panel.board.lens.shows([at[key] for key in keys])


def test_the_map_shows_all_cars_then_the_chosen_one_then_the_crash(racing):
    explorer = Explorer(racing, animate=False)
    sent = Sent(explorer)
    assert shown(explorer, "car A1", "car A2")
    overview = explorer.board.lens.zoom
    press(sent, word(explorer, "A1"))
    assert explorer.board.lens.zoom > 1.5 * overview and shown(explorer, "car A1", "car B1")
    press(sent, word(explorer, "13,0N"))
    assert explorer.board.lens.zoom > 1.5 * overview and shown(explorer, "car A1", "car B1")
    assert "B1" in words(explorer) and explorer.error is None
    press(sent, explorer.choices()[0])
    explorer.board.let_go()
    assert explorer.board.lens.zoom == 1


def test_who_looks_from_near_stays_near_and_sees_what_is_pointed_at(racing):
    explorer = Explorer(racing, animate=False)
    sent = Sent(explorer)
    for _ in range(4):
        sent.key("+")
    zoom = explorer.board.lens.zoom
    for _ in explorer.choices():
        sent.key("ArrowDown")
        choice = explorer.choices()[explorer.picker.index]
        assert explorer.board.lens.shows([(choice.x, choice.y)]) and explorer.board.lens.zoom == zoom
    sent.key("Enter")
    assert explorer.board.lens.zoom == zoom and explorer.board.is_zoomed


def test_a_turn_is_stepped_and_predicted_from_near_and_watched_from_afar(racing):
    turn = racing.play({0: "drive A1 13,0N"})
    stepper, predict = Stepper(turn, animate=False), Predict(turn, animate=False)
    for panel in (stepper, predict):
        assert panel.board.lens.zoom > 2 and shown(panel, "car A1", "car B1")
    assert Arena(racing, "random").board.lens.zoom == 1


def test_a_click_on_the_new_tile_marks_the_next_way_to_turn_it(game):
    state = game.start(3)
    dice = crashlab.Random(5)
    while state.phase != "rotate":
        state = state.sample(dice).after
    explorer = Explorer(state, animate=False)
    asked = game.ui.subject(state.table, state.actors[0])
    tile = next(piece for piece in explorer.board.picture.pieces if piece.key == asked)
    sent, marked = Sent(explorer), []
    for _ in explorer.choices():
        sent.press(tile.x, tile.y)
        marked.append(explorer.picker.index)
    assert marked == list(range(len(explorer.choices()))) and len(marked) > 1
    assert f"{len(marked)} of {len(marked)}" in words(explorer) and explorer.error is None


def test_the_ways_out_are_shown_once_their_number_was_guessed(racing):
    turn = racing.play({0: "drive A1 13,0N"})
    predict = Predict(turn, animate=False)
    while not predict.revealed:
        assert "B1" not in predict.question.text  # the car to guess is not named
        predict.answer(0)
    assert "ways out" in predict.question.text
    cards = [shape for choice in turn.after.game.ui.choices(turn.after.table, 1, ()) for shape in choice.shapes]
    assert list(predict._layers(predict.steps.last)[1]) == cards != []
    assert predict._layers(predict.steps.last - 1)[1] == ()


def test_a_click_on_a_p_parks_at_once(game):
    """Two cars are on lanes next to one shop."""
    state = game.read("asked A; tiles 1,0 NS / 2,0 NE shop B; cars A 2,0N>W 2,0E>S / B 0,0N>E")
    for car in ("A1", "A2"):
        explorer = Explorer(state, animate=False)
        press(Sent(explorer), next(choice for choice in explorer.choices() if choice.word == f"park {car}"))
        assert str(explorer.turn.actions[0]) == f"park {car}" and explorer.error is None
        assert explorer.state.cars[car].parked == (2, 0)
    heat = Heat(state, seed=1).grow(200)
    coloured = [shape.fill for shape in heat._targets() if isinstance(shape, Polygon)]
    assert sum(fill.startswith("heat") for fill in coloured) >= 2 and "ticket" not in coloured


def test_values_stand_on_the_map_with_their_frames(game):
    row = " / ".join(f"{x},0 NS" for x in range(-1, -14, -1))
    heat = Heat(game.read(f"asked A; tiles {row}; cars A -13,0N>W -13,0S>W / B 0,0N>E"), seed=1).grow(200)
    frames = [shape for shape in heat._targets() if isinstance(shape, Polygon) and shape.fill == "panel"]
    assert frames and all(heat.board.picture.map.holds(*corner) for frame in frames for corner in frame.points)


def test_every_place_of_a_car_has_a_colour_of_its_value(racing):
    heat = Heat(racing, seed=1).grow(300)
    heat.choose(next(place for place, branch in enumerate(heat.branches) if branch.choice.word == "A1"))
    fills = [shape.fill for shape in heat._targets() if isinstance(shape, Polygon)]
    valued = [branch for branch in heat.branches if branch.best]
    assert len(valued) > 3 and sum(fill.startswith("heat") for fill in fills) >= len(valued)
    assert "ticket" not in fills


def test_a_tile_that_is_pointed_at_lies_on_its_site(game):
    """CC-B4: the lanes that it would connect are drawn as streets."""
    state = game.read("asked A; tiles 1,0 NS factory B").play({0: "site 2,0"}).after
    state = state.play({crashlab.engine.table.CHANCE: "tile H"}).after
    explorer = Explorer(state, animate=False)
    site = next(piece for piece in explorer.board.picture.pieces if piece.key == "tile 2,0")
    assert "A. Which way round does the new tile go?" in explorer.heading.value
    assert explorer._marks() == []
    Sent(explorer).key("ArrowDown")
    lanes = [shape for shape in explorer._marks() if isinstance(shape, Polygon) and shape.fill == "street"]
    assert len(lanes) == 2 and all(abs(x - site.x) < 60 for shape in lanes for x, _ in shape.points)
    assert explorer.state == state  # nothing is chosen yet


def test_a_car_is_put_on_a_lane_and_a_building_is_turned_to(racing):
    explorer = Explorer(racing, animate=False)
    sent = Sent(explorer)
    explorer.edit.value = True
    assert explorer.board.lens.zoom == 1  # the whole map can be edited
    at = {piece.key: (piece.x, piece.y) for piece in explorer.board.picture.pieces}
    sent.press(*at["car A2"])
    assert explorer.editor.edit.key == "car A2"
    place = explorer.editor.edit.fields[0]
    sent.press(*place.places[place.values.index("14,0S")])
    assert explorer.state.cars["A2"].lane == (14, 0, "S") and explorer.error is None
    sent.press(*at["building 14,0"])
    assert explorer.editor.edit.key == "building 14,0"


def test_what_chance_does_is_clicked(game):
    """Chance draws one of the tiles unseen so far (CC-B2a) and chooses who begins the race (CC-R1)."""
    explorer = Explorer(game.read("asked A; tiles 1,0 NS factory B").play({0: "site 2,0"}).after, animate=False)
    sent = Sent(explorer)
    press(sent, word(explorer, "U"))
    assert explorer.state.tiles[(2, 0)].kind == "U" and explorer.error is None
    rolling = Explorer(game.read(f"phase roll; {CITY.partition('; ')[2]}"), animate=False)
    press(Sent(rolling), next(choice for choice in rolling.choices() if choice.word == "B begins"))
    assert rolling.state.actors == (1,)


def test_chance_is_not_clicked_where_there_is_nothing(game):
    explorer = Explorer(crashlab.game("crash_by_crash").start(1), animate=False)
    while explorer.state.actors != (crashlab.CHANCE,):
        explorer.run_round()
    before = explorer.now
    Sent(explorer).press(1, 1)
    assert explorer.now is before
