"""The declarations of a game about positions, answers and events, and the messages about missing ones."""

import shutil
import sys

import pytest
from checkout import TESTS

import crashlab
from crashlab import CrashlabError
from crashlab.engine import contract
from crashlab.engine.action_notation import joined
from crashlab.engine.game import Game, names_of
from crashlab.engine.table import HIDDEN
from crashlab.engine.value_codecs import counted, named

TOY = Game("toy", "toy", {})


def refused(ask, *arguments):
    """Return the message of a refusal."""
    with pytest.raises(CrashlabError) as caught:
        ask(*arguments)
    return str(caught.value)


@pytest.mark.parametrize(
    ("game", "position", "words"),
    [
        (TOY, "squares 3 11", "this position is impossible: square is 11, but must be from 0 to 10"),
        (TOY, {"squares": [12, 11]}, "square is 11, but must be from 0 to 10; square is 12, but"),
        (crashlab.game("autoscooter"), "cars 1:21E9", "speed is 9, but must be from 0 to 3"),
        (crashlab.game("autoscooter"), "cars 1:21E2; round 0", "round is 0, but must be from 1 to 12"),
        (crashlab.game("crash_by_crash"), "blue 6.4, batteries 5; orange 6.6", "5 batteries, but 4 is the most"),
    ],
)
def test_a_number_of_a_position_is_in_the_range_of_its_field(game, position, words):
    assert words in refused(game.read, position)


def test_a_number_is_in_its_range_in_the_middle_of_a_turn_too():
    state, rng = crashlab.game("crash_and_grab").start(1), crashlab.Random(1)
    while state.phase != "boost":
        state = state.sample(rng).after
    assert "distance is 99, but must be from 0 to 10" in refused(state.game.read, {**state.to_dict(), "distance": 99})


def test_what_a_view_hides_is_in_no_range():
    table = TOY.start(1).table.copy()
    table.bid[0] = HIDDEN
    assert table.beyond() == []
    table.bid[0] = HIDDEN - 1
    assert table.beyond() == ["bid is -3, but must be from 0 to 2"]
    assert TOY.problems(crashlab.State(TOY, table)) == table.beyond()


def test_a_part_without_a_default_is_needed():
    for position in ("", "windy", {}, {"squares": []}, {"squares": None}):
        assert refused(TOY.read, position) == "position: 'squares' is missing: the squares of both"
    assert "squares: give 2 values, not 1" in refused(TOY.read, "squares 1")


@pytest.mark.parametrize("name", crashlab.games())
def test_an_empty_position_is_none(name):
    for position in ("", {}):
        assert "is missing: " in refused(crashlab.game(name).read, position)


@pytest.mark.parametrize(
    ("name", "position", "words"),
    [
        ("autoscooter", "cars 1:21E2; box x", "box: 'x' is not a whole number"),
        ("crash_and_grab", "saucers red 00; turn 5", "turn: '5' is not one of red"),
        ("crash_and_grab", "saucers red 00; heading x", "heading: 'x' is not one of"),
        ("crash_by_crash", "blue 6.4; orange 6.6; bound x", "bound: 'x' "),
        ("crash_city", "hit X9", "hit: 'X9' is not one of A1"),
        ("crash_city", "push Z", "push: 'Z' is not one of N, E, S, W"),
    ],
)
def test_what_is_wrong_with_a_part_begins_with_its_key(name, position, words):
    assert refused(crashlab.game(name).read, position).startswith(words)


@pytest.mark.parametrize("game", [TOY, *map(crashlab.game, crashlab.games())], ids=lambda game: game.name)
def test_a_fact_that_is_only_annotated_is_a_part_of_the_position(game):
    state = game.start(1)
    document = state.to_dict(defaults=True)
    annotated = list(game.position.Facts.__annotations__)
    assert annotated and set(annotated) <= set(names_of(game.position.Facts)) & set(dir(state))
    for name in annotated:
        assert getattr(state, name) == (tuple(document[name]) if isinstance(document[name], list) else document[name])
    with pytest.raises(AttributeError, match="'Facts' object has no attribute 'colour'"):
        _ = state.facts.colour


def test_two_things_are_read_with_what_stands_between_them_or_a_space():
    pair = joined(named("colour", ("red", "blue")), counted("number"), 10, ">")
    for words in ("blue>7", "blue 7", "BLUE> 7"):
        assert pair.parse(None, words) == 17
    assert pair.format(None, 17) == "blue>7"
    for words in ("blue", "blue>", ""):
        assert refused(pair.parse, None, words) == "give a colour and a number, separated by '>'"


def test_the_legal_actions_are_listed_for_a_game_too():
    state = TOY.read("squares 4 0")
    assert contract.legal_actions(TOY.rules, state.table, 0) == [1]
    assert contract.legal_actions(TOY.rules, state.table, 1) == state.actions(1).codes == [1, 2]
    assert [contract.only(TOY.rules, state.table, seat) for seat in (0, 1)] == [1, -1]


# Missing parts


@pytest.mark.parametrize(
    ("where", "name", "words"),
    [
        ("CHANGES", "bid", "toy/text.py: CHANGES lacks a Change for the field 'bid'; add it"),
        ("NOTES", "squares", "toy/text.py: NOTES lacks a Codec for the number 'squares'; add it"),
    ],
)
def test_a_declaration_that_events_lack_is_named(monkeypatch, where, name, words):
    monkeypatch.delitem(getattr(TOY.text, where), name)
    turn = TOY.read("squares 0 0").play({0: "1", 1: "2"})
    assert words in refused(lambda: [event.what for part in (turn, turn.after.play("gust 1")) for event in part.events])


@pytest.mark.parametrize("name", ["state", "rules", "notation", "text", "render", "ui"])
def test_a_module_that_a_game_lacks_is_named(monkeypatch, tmp_path, name):
    folder = f"without_{name}"
    shutil.copytree(TESTS / "toy", tmp_path / folder)
    (tmp_path / folder / f"{name}.py").unlink()
    monkeypatch.syspath_prepend(tmp_path)
    words = f"bumper lacks a file {name}.py in its folder; see crashlab.engine.contract for its contents"

    def use():
        game = Game("bumper", folder, {})
        return game.render, game.ui, game.notation

    assert refused(use) == words


def test_a_folder_that_is_not_there_is_named_and_what_a_module_imports_is_not(monkeypatch, tmp_path):
    assert refused(Game, "bumper", "nowhere_at_all", {}).startswith("bumper lacks the folder nowhere_at_all; ")
    (tmp_path / "importing").mkdir()
    (tmp_path / "importing" / "state.py").write_text("import nothing_of_this_name")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="nothing_of_this_name"):
        Game("bumper", "importing", {})
    sys.modules.pop("importing", None)
