"""Puzzles at the board, without a browser: answers stay hidden until given, and the first answer counts."""

from html import escape, unescape

import pytest

import crashlab
from crashlab import CrashlabError
from crashlab.analysis.puzzles import solver_rating
from crashlab.analysis.puzzles.puzzle import QUIET

pytest.importorskip("ipycanvas")

from fake_page import rested
from fake_page import words as status

from crashlab.games import NAMES
from crashlab.lab import Puzzle


@pytest.fixture
def file(tmp_path):
    return tmp_path / "ratings.json"


def panel_of(which, file):
    return Puzzle(which, file=file, animate=False)


def answer(panel, words):
    """Choose an action word by word, as from the list."""
    begun = path_to(panel.moment.offers, panel.problem.seat, words)
    for word in begun:
        panel.choose([choice.word for choice in panel.choices()].index(word))
    assert panel.now.answer == words and panel.error is None
    follow(panel)


def follow(panel):
    """Wait for the computation that follows an answer."""
    assert rested(panel).now.continuations and panel.error is None


def path_to(offers, seat, words, begun=()):
    """Return the words of the choices that lead to an action; empty if there are none."""
    for one in offers.choices(seat, begun):
        if one.action == words:
            return (*begun, one.word)
        if not one.action and (path := path_to(offers, seat, words, (*begun, one.word))):
            return path
    return ()


def wrong(problem):
    return min(problem.proof.worths, key=lambda words: problem.proof.worths[words].value)


@pytest.mark.parametrize("name", NAMES)
def test_the_best_is_found_by_the_choices_of_the_board(name, file):
    panel = panel_of(crashlab.puzzles(name)[:2], file)
    problem = panel.problem
    assert problem.question in panel.heading.value
    assert panel.verdict.value == "" and panel.steps.story is None
    assert panel.board.picture == problem.seen.picture()
    answer(panel, problem.best[0])
    assert "✓" in panel.verdict.value and panel.now.shows == problem.best[0]
    assert solver_rating.load(file)[name].solved == {problem.id: True}
    panel.go_on()
    assert panel.problem is crashlab.puzzles(name)[1] and not panel.now.answer
    assert panel.verdict.value == "" and panel.steps.story is None and panel.error is None


@pytest.mark.parametrize("name", NAMES)
def test_after_a_wrong_answer_both_films_are_shown_and_why(name, file):
    panel = panel_of(crashlab.puzzles(name)[:1], file)
    problem = panel.problem
    bad = wrong(problem)
    answer(panel, bad)
    comparison = problem.against(bad)
    for words in (comparison.why, problem.claim, f"Not the best. You chose {bad}; best ", problem.best[0]):
        assert escape(words) in panel.verdict.value
    assert "✗" in panel.verdict.value and panel.steps.story.turns == panel.now.continuations.worse.turns
    assert "What is best?" not in panel.heading.value and "The film shows your answer: " in panel.film.value
    assert film_rules(panel) == visible_rules(comparison.worse)
    panel.show_best()
    assert panel.now.shows == problem.best[0] and film_rules(panel) == visible_rules(comparison.better)
    assert "The film shows the best: " in panel.film.value
    panel.show_yours()
    assert panel.now.shows == bad and film_rules(panel) == visible_rules(comparison.worse) and panel.error is None
    assert solver_rating.load(file)[name].rating < solver_rating.BEGIN


def film_rules(panel):
    """Return the rules cited by the film on the board."""
    return [event.rule for _, event in panel.steps.story.events]


def visible_rules(course):
    """Return the rules cited by the events of a course that its seat may see."""
    return [event.rule for turn in course.turns for event in turn.seen_by(course.seat)]


def test_beside_the_best_answer_the_next_best_is_shown(file):
    panel = panel_of(crashlab.puzzles("autoscooter")[:1], file)
    answer(panel, panel.problem.best[0])
    assert panel.best.description == "The next best"
    assert film_rules(panel) == visible_rules(panel.now.continuations.better)
    panel.show_best()
    assert panel.now.shows == panel.problem.rival and film_rules(panel) == visible_rules(panel.now.continuations.worse)


def test_a_verdict_stays_while_a_film_is_shown(file):
    panel = Puzzle(crashlab.puzzles("autoscooter")[:1], file=file)
    panel.answer(panel.problem.best[0])
    follow(panel)
    assert panel.steps.beat < panel.steps.last and "✓" in panel.verdict.value
    assert panel.now.continuations.why in unescape(panel.verdict.value)


@pytest.mark.parametrize("nonsense", [None, 7, 2.5, [], {}, "99 X", object(), b"x"])
def test_what_is_no_answer_is_refused_in_words_and_leaves_the_puzzle_open(nonsense, file):
    panel = panel_of(crashlab.puzzles("autoscooter")[:1], file)
    problem, before = panel.problem, panel.now
    other = problem.state.actions(1 - problem.seat)[0]
    for answer in (nonsense, other):
        for ask in (panel.answer, problem.is_solved_by, problem.score, problem.turns, problem.against):
            with pytest.raises(CrashlabError, match="cannot play"):
                ask(answer)
    assert panel.now is before and not file.exists()


@pytest.mark.parametrize("place", [99, -1, None, "0", 0.5])
def test_a_choice_that_is_not_offered_is_refused(place, file):
    panel = panel_of(crashlab.puzzles("autoscooter")[:1], file)
    with pytest.raises(CrashlabError, match="there is no choice"):
        panel.choose(place)
    assert not panel.moment.begun.words


def test_films_are_shown_only_after_an_answer(file):
    panel = panel_of(crashlab.puzzles("autoscooter")[:2], file)
    for ask in (panel.show_yours, panel.show_best, panel.go_on):
        with pytest.raises(CrashlabError, match="answer this puzzle first"):
            ask()


def test_only_the_first_answer_counts(file):
    problem = crashlab.puzzles("crash_and_grab")[0]
    for words in (wrong(problem), problem.best[0]):
        panel = panel_of(problem, file)
        answer(panel, words)
    assert "your rating stays" in panel.verdict.value
    assert solver_rating.load(file)["crash_and_grab"].solved == {problem.id: False}
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
    follow(panel)
    for key, shows in (("b", panel.other), ("y", panel.now.answer)):
        panel._key(key)
        assert panel.now.shows == shows
    panel._key("n")
    assert panel.now.number == 1
    with pytest.raises(CrashlabError, match="answer this puzzle first"):
        panel.go_on()


def test_the_line_below_the_board_asks_what_the_heading_asks(file):
    panel = panel_of(crashlab.puzzles("autoscooter")[:1], file)
    assert "choose where it drives. What is best?" in status(panel)
    panel.choose(0)
    assert "choose when it moves. " in status(panel) and "What is best?" not in status(panel)


def test_a_broken_file_is_told_of_and_left_and_the_puzzle_goes_on(file):
    file.write_text("no ratings")
    panel = panel_of("crash_and_grab", file)
    panel.answer(panel.problem.best[0])
    assert "was not changed" in panel.board.said
    assert file.read_text() == "no ratings"
    assert "✓" in panel.verdict.value


def test_of_a_game_those_come_first_that_suit_and_are_new(file):
    first = panel_of("autoscooter", file)
    assert abs(first.problem.rating - solver_rating.BEGIN) == min(
        abs(puzzle.rating - solver_rating.BEGIN) for puzzle in crashlab.puzzles("autoscooter")
    )
    answer(first, first.problem.best[0])
    second = panel_of("autoscooter", file)
    assert second.problem is not first.problem and second.problems[-1] is first.problem


def test_a_puzzle_of_the_day_is_one_with_its_day_and_a_score(file):
    today = crashlab.today("crash_and_grab", "2026-11-23")
    panel = panel_of(today, file)
    assert panel.problems == (today.problem,) and QUIET not in today.problem.themes
    assert "23 November 2026" in panel.heading.value and "Crash &amp; Grab" in panel.heading.value
    assert escape(today.measure) in panel.heading.value
    middle = sorted(today.problem.proof.worths, key=today.score)[1]
    answer(panel, middle)
    assert f"{today.score(middle)} of 100" in panel.verdict.value and escape(today.measure) in panel.verdict.value
    assert panel.next.layout.display == "none"
    with pytest.raises(CrashlabError, match="no other puzzle"):
        panel.go_on()


@pytest.mark.parametrize("which", [7, [], ["autoscooter"], None, crashlab.game("autoscooter")])
def test_what_is_no_puzzle_is_refused(which, file):
    with pytest.raises(CrashlabError, match="give the name of a game, or the result of"):
        panel_of(which, file)
