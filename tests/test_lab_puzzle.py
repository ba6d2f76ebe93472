"""Puzzles at the board, without a browser: nothing is told before it is answered, and the first answer counts."""

from html import escape

import pytest

import crashlab
from crashlab import CrashlabError
from crashlab.problems import standing

pytest.importorskip("ipycanvas")

from crashlab.games import NAMES
from crashlab.lab import Puzzle


@pytest.fixture
def file(tmp_path):
    return tmp_path / "ratings.json"


def panel_of(which, file):
    return Puzzle(which, file=file, animate=False)


def answer(panel, words):
    """Choose an action word by word, as somebody does at the list."""
    begun = path_to(panel.moment.offers, panel.problem.seat, words)
    for word in begun:
        panel.choose([choice.word for choice in panel.choices()].index(word))
    assert panel.now.answer == words and panel.error is None


def path_to(offers, seat, words, begun=()):
    """The choices that make an action, one after the other."""
    for one in offers.choices(seat, begun):
        if one.action == words:
            return (*begun, one.word)
        if not one.action and (found := path_to(offers, seat, words, (*begun, one.word))):
            return found
    return ()


def wrong(problem):
    return min(problem.proof.worths, key=lambda words: problem.proof.worths[words].value)


@pytest.mark.parametrize("name", NAMES)
def test_the_best_is_found_by_the_choices_of_the_board(name, file):
    panel = panel_of(crashlab.puzzles(name)[:2], file)
    problem = panel.problem
    assert problem.question in panel.heading.value
    assert panel.verdict.value == "" and panel.steps.told is None
    assert panel.board.picture == problem.seen.picture()
    answer(panel, problem.best[0])
    assert "✓" in panel.verdict.value and panel.now.shows == problem.best[0]
    assert standing.load(file)[name].solved == {problem.id: True}
    panel.go_on()
    assert panel.problem is crashlab.puzzles(name)[1] and not panel.now.answer
    assert panel.verdict.value == "" and panel.steps.told is None and panel.error is None


@pytest.mark.parametrize("name", NAMES)
def test_after_a_wrong_answer_both_films_are_shown_and_why(name, file):
    panel = panel_of(crashlab.puzzles(name)[:1], file)
    problem = panel.problem
    bad = wrong(problem)
    answer(panel, bad)
    assert "✗" in panel.verdict.value and escape(problem.best[0]) in panel.verdict.value
    assert [event.rule for _, event in panel.steps.told.events] == known(problem, bad)
    panel.show_best()
    assert panel.now.shows == problem.best[0]
    assert [event.rule for _, event in panel.steps.told.events] == known(problem, problem.best[0])
    panel.show_yours()
    assert panel.now.shows == bad and panel.error is None
    assert standing.load(file)[name].rating < standing.BEGIN


def known(problem, words):
    """The rules of what the seat may know of a film."""
    return [event.rule for turn in problem.turns(words) for event in turn.seen_by(problem.seat)]


def test_only_the_first_answer_counts(file):
    problem = crashlab.puzzles("crash_and_grab")[0]
    for words in (wrong(problem), problem.best[0]):
        panel = panel_of(problem, file)
        answer(panel, words)
    assert "your rating stays" in panel.verdict.value
    assert standing.load(file)["crash_and_grab"].solved == {problem.id: False}
    with pytest.raises(CrashlabError, match="you have answered"):
        panel.answer(problem.best[0])


def test_a_board_that_is_clicked_chooses_and_the_keys_lead_on(file):
    panel = panel_of(crashlab.puzzles("crash_and_grab")[:2], file)
    one = panel.choices()[0]
    panel._click(one.x, one.y)
    assert panel.moment.begun.words == (one.word,) or panel.now.answer
    panel._key("Backspace")
    assert panel.moment.begun.words == () or panel.now.answer
    while not panel.now.answer:
        panel._key("ArrowDown")
        panel._key("Enter")
    for key, shows in (("b", panel.problem.best[0]), ("y", panel.now.answer)):
        panel._key(key)
        assert panel.now.shows == shows
    panel._key("n")
    assert panel.now.number == 1
    with pytest.raises(CrashlabError, match="answer this puzzle first"):
        panel.go_on()


def test_a_broken_file_is_told_of_and_left_and_the_puzzle_goes_on(file):
    file.write_text("no ratings")
    panel = panel_of("crash_and_grab", file)
    panel.answer(panel.problem.best[0])
    assert "left as it is" in panel.board.status.value
    assert file.read_text() == "no ratings"
    assert "✓" in panel.verdict.value


def test_of_a_game_those_come_first_that_suit_and_are_new(file):
    first = panel_of("autoscooter", file)
    assert abs(first.problem.rating - standing.BEGIN) == min(
        abs(each.rating - standing.BEGIN) for each in crashlab.puzzles("autoscooter")
    )
    answer(first, first.problem.best[0])
    second = panel_of("autoscooter", file)
    assert second.problem is not first.problem and second.problems[-1] is first.problem


def test_a_puzzle_of_the_day_is_one(file):
    panel = panel_of(crashlab.today("crash_city", "2026-11-23"), file)
    assert panel.problems == (crashlab.today("crash_city", "2026-11-23").problem,)


@pytest.mark.parametrize("which", [7, [], ["autoscooter"], None, crashlab.game("autoscooter")])
def test_what_is_no_puzzle_is_refused(which, file):
    with pytest.raises(CrashlabError, match="a Puzzle is made of"):
        panel_of(which, file)
