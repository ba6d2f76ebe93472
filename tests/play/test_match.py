"""A match: agents, undo and redo, and a record that is verified."""

import json
import os
import sys
from functools import reduce

import numpy as np
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


def test_agents_sit_by_letters_as_by_numbers_and_one_to_a_seat():
    game = crashlab.game("autoscooter", players=2)
    letters, numbers = (dict.fromkeys(seats, "random") for seats in ("AB", (0, 1)))
    assert crashlab.Match(game, letters, seed=3).run() == crashlab.Match(game, numbers, seed=3).run()
    with pytest.raises(crashlab.CrashlabError, match="seat B has two agents; give it one"):
        crashlab.Match(game, {"B": "random", 1: "greedy"})


def test_one_agent_can_play_all_seats(game):
    assert Match(game, agents.random(1)).run(2).round == 2


def test_agents_are_given_by_name(game):
    match = Match(game, {0: "greedy", 2: "random"}, seed=5)
    assert {seat: agent.__name__ for seat, agent in match.agents.items()} == {0: "greedy", 2: "random"}
    ends = [Match(game, "random", seed).run() for seed in (1, 1, 2)]
    assert ends[0] == ends[1] != ends[2]


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
    record = json.loads((tmp_path / "match.json").read_text("utf-8"))
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
        (lambda r: swap(r, "options", 5), "options must be a dict"),
        (lambda r: swap(r, "options", {"name": "x"}), "there is no option 'name'"),
        (lambda r: swap(r, "seed", "x"), "seed"),
        (lambda r: r.pop("end"), "not a record of a match"),
        (lambda r: swap(r, "colour", 1), "not a record of a match"),
        (lambda r: r["actions"].pop(), "do not lead to the recorded end"),
        (lambda r: r["actions"].append({"A": "1 F"}), "decision 23: the game is over"),
        (lambda r: swap(r["actions"][3], "A", "99 F"), "decision 4: A cannot play '99 F'"),
        (lambda r: swap(r["actions"][3], "Z", "1 F"), "decision 4"),
        (lambda r: swap(r["actions"], 2, None), "decision 3"),
        (lambda r: swap(r, "end", r["end"].replace("box", "bax")), "do not lead to the recorded end"),
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
    for content in ("", "hello", "[1, 2]", '{"a": 1}', "3", "[" * 100_000, '"\\ud800"'):
        path.write_text(content)
        with pytest.raises(CrashlabError, match="not a record of a match"):
            Match.load(path)
    with pytest.raises(CrashlabError, match="cannot be read"):
        Match.load(tmp_path / "nothing.json")
    with pytest.raises(CrashlabError, match="cannot be written"):
        Match(crashlab.game("autoscooter")).save(tmp_path / "nowhere" / "match.json")


@pytest.mark.parametrize(
    "start, agents, seed, words",
    [
        (5, None, 0, "from a game or a state, not from int"),
        (None, None, 0, "from a game or a state"),
        ("game", 5, 0, "an agent is a function"),
        ("game", "clever", 0, "there is no agent 'clever'; the agents are random, greedy"),
        ("game", {0: "clever"}, 0, "there is no agent 'clever'"),
        ("game", {0: ["random"]}, 0, "or the name of one, not"),
        ("game", {7: agents.random(0)}, 0, "no seat 7"),
        ("game", None, "7", "seed='7': a seed is a whole number"),
        ("game", None, 1.5, "a seed is a whole number"),
        ("game", None, None, "a seed is a whole number"),
    ],
)
def test_a_match_of_nonsense_is_refused_in_words(game, start, agents, seed, words):
    with pytest.raises(CrashlabError, match=words):
        Match(game if start == "game" else start, agents, seed)


def test_one_action_is_for_the_one_seat_without_an_agent(game):
    players = {seat: agents.random(seat) for seat in game.seats}
    with pytest.raises(CrashlabError, match="you play for A, B, C; give a dict"):
        Match(game).play("1 F")
    with pytest.raises(CrashlabError, match="no seat, because agents play for all"):
        Match(game, players).play("1 F")
    turn = Match(game, {0: players[0], 2: players[2]}).play("2 F")
    assert str(turn.actions[1]) == "2 F"
    over = Match(game, players)
    over.run()
    with pytest.raises(CrashlabError, match="the game is over"):
        over.play("1 F")


def test_a_match_runs_for_so_many_decisions(game):
    match = Match(game, {seat: agents.random(seat) for seat in game.seats})
    match.run(3)
    match.run(0)
    assert len(match.turns) == 3
    for nonsense in (-1, 1.5, "x"):
        with pytest.raises(CrashlabError, match="decisions="):
            match.run(nonsense)
    assert len(match.turns) == 3


def test_numbers_of_numpy_are_numbers(game, tmp_path):
    match = Match(crashlab.game("autoscooter", players=np.int64(3)), seed=np.int64(3))
    match.play({np.int64(0): "1 F", np.int64(1): "2 F", np.int64(2): "3 F"})
    match.save(tmp_path / "match.json")
    assert Match.load(tmp_path / "match.json").state == match.state


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


def test_agents_are_asked_only_when_everything_else_is_right(game):
    """A refused move does not change later actions of an agent."""
    asked = []

    def agent(state, seat):
        asked.append(seat)
        return state.actions(seat)[0]

    match = Match(game, {1: agent, 2: agent})
    refused = {
        "A cannot play '99 F'": "99 F",
        "no agent plays A, and no action is given": {},
        "does not decide": {5: "1 F"},
    }
    for words, actions in refused.items():
        with pytest.raises(CrashlabError, match=words):
            match.play(actions)
    assert asked == [] and match.turns == []


def test_a_match_that_cannot_be_saved_leaves_the_old_file(match, tmp_path, monkeypatch):
    path = tmp_path / "match.json"
    path.write_text("old")

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(CrashlabError, match="cannot be written: No space left"):
        match.save(path)
    monkeypatch.undo()
    assert path.read_text("utf-8") == "old" and list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such rights and links")
def test_a_match_is_saved_with_care(match, tmp_path):
    """Other files are not touched, a link stays a link, and a read-only file is unchanged."""
    for name in ("link.part", "fixed", "there"):
        (tmp_path / name).write_text("mine")
    (tmp_path / "link").symlink_to("there")
    (tmp_path / "fixed").chmod(0o444)
    match.save(tmp_path / "link")
    assert (tmp_path / "link").is_symlink() and Match.load(tmp_path / "there").state == match.state
    with pytest.raises(CrashlabError, match="fixed: cannot be written: it is read-only"):
        match.save(tmp_path / "fixed")
    assert [(tmp_path / name).read_text() for name in ("link.part", "fixed")] == ["mine"] * 2


def test_a_match_is_no_picture(match, tmp_path):
    with pytest.raises(CrashlabError, match=r"m\.gif: a match is saved as \.json or \.html"):
        match.save(tmp_path / "m.gif")
    assert not list(tmp_path.iterdir())


def test_what_cannot_be_saved_leaves_nothing_behind(match, tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(CrashlabError, match="folder: cannot be written"):
        match.save(tmp_path / "folder")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
    for nothing in (None, 7, b"match.json", "", "a\0b"):
        for use in (match.save, Match.load):
            with pytest.raises(CrashlabError, match="give a path"):
                use(nothing)


def test_whatever_an_agent_says_when_it_fails_can_be_saved(game, tmp_path):
    def mumbles(state, seat):
        raise ValueError("half a letter: \ud800")

    match = Match(game, {0: mumbles, 1: agents.random(1), 2: agents.random(2)}, forfeits=True)
    match.run(1)
    match.save(tmp_path / "match.json")
    assert Match.load(tmp_path / "match.json").forfeits == match.forfeits


@pytest.mark.parametrize("seat", ["Z", None, 1.0, True, 17, 10**5000], ids=type)
def test_actions_for_what_is_no_seat_are_refused(game, seat):
    match = Match(game, {0: agents.random(1), 1: agents.random(1), 2: agents.random(2)})
    with pytest.raises(CrashlabError, match="does not decide now; A, B and C decide now"):
        match.play({seat: "1 F"})
    assert match.turns == []


def fails(state, seat):
    raise ZeroDivisionError("no idea")


def leaves(state, seat):
    raise SystemExit("bye")


class Shy:
    def __repr__(self):
        raise ValueError("not telling")


class Mute(Exception):
    def __str__(self):
        raise ValueError("not telling")


class Leaving(Exception):
    def __str__(self):
        raise SystemExit


def leaves_when_asked(state, seat):
    raise Leaving


def nested(state, seat):
    return reduce(lambda inside, _: [inside], range(100_000), [])


def gives_up(state, seat):
    raise GeneratorExit


def says_nothing(state, seat):
    raise Mute


@pytest.mark.parametrize(
    ("agent", "reason"),
    [
        (fails, "no idea"),
        (leaves, "bye"),
        (lambda state, seat: "99 Z", "99 Z"),
        (lambda state, seat: None, "answered None: it must return an action"),  # although None is a plot like "-"
        (lambda state, seat: Shy(), "not telling"),
        (gives_up, "GeneratorExit"),
        (says_nothing, "Mute: its text cannot be shown"),
        (leaves_when_asked, "Leaving: its text cannot be shown"),
        (nested, "answered list that cannot be shown (RecursionError"),
        (lambda state, seat: 10**5000, "answered a number with thousands of digits"),
    ],
)
def test_an_agent_that_fails_forfeits_and_the_others_play_on(agent, reason, tmp_path):
    seated = {2: agent} | dict.fromkeys((0, 1, 3), agents.random(1))
    match = Match(crashlab.game("autoscooter"), seated, 5, forfeits=True)
    match.run()
    assert match.state.over and list(match.forfeits) == [2] and 2 not in match.winners != ()
    assert reason in match.forfeits[2] and "C forfeits at decision 1" in match.forfeits[2]
    match.save(tmp_path / "match.json")
    assert Match.load(tmp_path / "match.json").forfeits == match.forfeits


def talks(state, seat):
    raise ValueError("x" * 1_000_000)


@pytest.mark.parametrize("agent", [talks, lambda state, seat: "x" * 1_000_000], ids=["fails", "answers"])
def test_of_a_million_letters_only_the_first_are_told(agent):
    match = Match(crashlab.game("autoscooter"), agent, forfeits=True)
    match.play()
    assert 200 < len(match.forfeits[0]) < 1500 and "xxx ..." in match.forfeits[0]


def test_who_forfeits_cannot_win_even_alone_in_front():
    game = crashlab.game("autoscooter")
    last = game.read({"round": 11, "cars": {"1": "21E0", "2": "43W0"}, "chits": {"A": 40, "B": 15, "C": 10, "D": 15}})
    match = Match(last, {0: fails, 1: lambda state, seat: state.actions(1)[-1]}, forfeits=True)
    match.run()
    assert match.state.winners == (0,) and match.winners in ((1,), (1, 3), (3,))


def test_without_forfeits_a_failing_agent_stops_the_match():
    match = Match(crashlab.game("autoscooter"), fails)
    with pytest.raises(CrashlabError, match="the agent of A failed: ZeroDivisionError: no idea"):
        match.run()
    assert match.turns == [] and match.forfeits == {}


@pytest.mark.parametrize("name", crashlab.games())
def test_an_agent_that_writes_to_what_it_sees_changes_nothing(name):
    """It gets a copy, so that it cannot change even its own score."""

    def vandal(state, seat):
        action = state.actions(seat)[0]
        for row in state.table.rows():
            row[:] = [7] * len(row)
        return action

    def polite(state, seat):
        return state.actions(seat)[0]

    spoiled, whole = (Match(crashlab.game(name), agent, 3) for agent in (vandal, polite))
    assert spoiled.run(12) == whole.run(12) and [str(turn) for turn in spoiled.turns] == [str(t) for t in whole.turns]
