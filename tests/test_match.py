"""A match: agents, undo and redo, and a record that is verified."""

import json

import pytest

import crashlab
from crashlab import CrashlabError, Match, agents


@pytest.fixture
def game():
    return crashlab.game("autoscooter", players=3, rear_push=True)


@pytest.fixture
def match(game):
    match = Match(game, {seat: agents.random(seat) for seat in game.seats}, seed=5)
    match.run()
    return match


def test_agents_play_to_the_end(match):
    assert match.state.over and len(match.turns) == 22


def test_undo_and_redo_walk_through_the_match(match):
    end, before = match.state, match.turns[-1].before
    assert match.undo() == before
    assert match.redo() == end
    with pytest.raises(CrashlabError, match="nothing to redo"):
        match.redo()
    for _ in range(22):
        match.undo()
    assert match.state == match.start
    with pytest.raises(CrashlabError, match="at its start"):
        match.undo()


def test_a_new_decision_forgets_what_was_undone(match):
    match.undo()
    match.play()
    with pytest.raises(CrashlabError, match="nothing to redo"):
        match.redo()


def test_a_saved_match_is_the_same_match(match, tmp_path):
    match.save(tmp_path / "match.json")
    again = Match.load(tmp_path / "match.json")
    assert again.state == match.state and [t.rows for t in again.turns] == [t.rows for t in match.turns]
    record = json.loads((tmp_path / "match.json").read_text())
    assert record["options"]["rear_push"] is True and "start" not in record
    assert record["crashlab"] == crashlab.__version__
    assert record["actions"][0].keys() == {"A", "B", "C"}


def test_a_match_from_a_position_keeps_its_start(game, tmp_path):
    match = Match(game.read({"round": 11, "cars": {"1": "21E2", "2": "23W1"}}))
    number = match.state.cars[1].unused[0]
    match.play({0: f"{number} FFF", 1: "-"})
    match.save(tmp_path / "match.json")
    assert Match.load(tmp_path / "match.json").state == match.state


def test_an_empty_match_can_be_saved(game, tmp_path):
    Match(game, seed=3).save(tmp_path / "match.json")
    assert Match.load(tmp_path / "match.json").state == game.start(3)


def swap(record, key, value):
    record[key] = value


@pytest.mark.parametrize(
    "tamper, words",
    [
        (lambda r: swap(r, "game", "ludo"), "there is no game"),
        (lambda r: swap(r, "options", {"players": 99}), "option players=99"),
        (lambda r: swap(r, "options", 5), "options must be a table"),
        (lambda r: swap(r, "seed", "x"), "seed"),
        (lambda r: r.pop("end"), "no record of a match"),
        (lambda r: swap(r, "colour", 1), "no record of a match"),
        (lambda r: r["actions"].pop(), "do not lead to the end"),
        (lambda r: r["actions"].append({"A": "1 F"}), "decision 23: the game is over"),
        (lambda r: swap(r["actions"][3], "A", "99 F"), "decision 4: A cannot play 99 F"),
        (lambda r: swap(r["actions"][3], "Z", "1 F"), "decision 4"),
        (lambda r: swap(r["actions"], 2, None), "decision 3"),
        (lambda r: swap(r, "end", r["end"].replace("box", "bax")), "do not lead to the end"),
        (lambda r: swap(r, "start", {"cars": {"1": "99E1"}}), "there is no hex"),
    ],
)
def test_a_tampered_record_is_refused_in_words(match, tamper, words):
    record = json.loads(json.dumps(match.to_dict()))
    tamper(record)
    with pytest.raises(CrashlabError, match=words):
        Match.from_dict(record)


def test_a_foreign_file_is_refused_in_words(tmp_path):
    path = tmp_path / "match.json"
    for content in ("", "hello", "[1, 2]", '{"a": 1}', "3"):
        path.write_text(content)
        with pytest.raises(CrashlabError, match="no record of a match"):
            Match.load(path)
    with pytest.raises(CrashlabError, match="cannot be read"):
        Match.load(tmp_path / "nothing.json")


def test_an_agent_sees_only_what_its_seat_sees(game):
    seen = []

    def spy(state, seat):
        seen.append(state.text)
        return state.actions(seat)[0]

    match = Match(game, {0: spy, 1: agents.random(1), 2: agents.random(2)})
    match.run(2)
    assert "#2 ?" in seen[1] and "#3 ?" in seen[1] and "luck" not in seen[1] and "plots" in seen[1]


@pytest.mark.parametrize(
    "agent, words",
    [
        (lambda state, seat: 1 / 0, "agent of B failed: ZeroDivisionError"),
        (lambda state, seat: "99 F", "agent of B answered '99 F': 99 is not a number of car 2"),
        (lambda state, seat: 42, "agent of B answered 42"),
    ],
)
def test_an_agent_that_fails_leaves_the_match_as_it_was(game, agent, words):
    match = Match(game, {0: agents.random(0), 1: agent, 2: agents.random(2)})
    with pytest.raises(CrashlabError, match=words):
        match.play()
    assert match.turns == [] and match.state == match.start


def test_you_play_the_seats_without_agent(game):
    match = Match(game, {1: agents.random(1), 2: agents.random(2)})
    match.play("1 F")
    assert str(match.turns[0].actions[0]) == "1 F"
    with pytest.raises(CrashlabError, match=r"seats \[0, 1, 2\]"):
        Match(game).play("1 F")
    with pytest.raises(CrashlabError, match="no seat 7"):
        Match(game, {7: agents.random(1)})


def test_the_greedy_agent_beats_the_random_one():
    game = crashlab.game("autoscooter")
    for seed in range(2):
        match = Match(game, {0: agents.greedy(seed)} | {seat: agents.random(seat) for seat in (1, 2, 3)}, seed)
        assert match.run().winners == (0,)
