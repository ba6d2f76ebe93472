"""Puzzles: their claims are proven again, and everything derived from them is checked."""

import json
import math
import os
import re
import subprocess
import sys
from dataclasses import replace
from datetime import date, timedelta
from html import escape
from itertools import combinations

import mine_puzzles
import prove_puzzles
import pytest
from effort import effort

import crashlab
from crashlab.agents import textbook
from crashlab.analysis.puzzles import collection, proof, puzzle, solver_rating, worksheet
from crashlab.analysis.puzzles.continuation import rounded
from crashlab.analysis.puzzles.puzzle import Problem
from crashlab.analysis.puzzles.solver_rating import SolverRating
from crashlab.base.errors import CrashlabError
from crashlab.compiled import choose_backend
from crashlab.engine.chance import Random
from crashlab.engine.rulebook import PuzzleTheme
from crashlab.engine.table import CHANCE
from crashlab.games import NAMES

MANY = 40  # least number of puzzles of a game
LEAST_GAP = {"solved": 0.25, "foreseen": 0.15, "sampled": 0.25}
EVERY = effort(90, 18, 1)  # one in this many is proven again


def late(text="round 11; cars 1:21E2 2:23SE2; chits A18 B20"):
    return crashlab.game("autoscooter", players=2).read(text)


# Stored puzzles


@pytest.mark.parametrize("name", NAMES)
def test_every_stored_puzzle_is_proven_anew(name):
    """The best action, all values, the margin one decision further and the greedy answers are the stored ones."""
    agents_ready(name)
    for problem in crashlab.puzzles(name)[::EVERY]:
        result = prove_puzzles.proof(problem.state, problem.seat)
        assert result.holds and (result.kind, result.best, result.ahead, result.is_dominant) == (
            problem.proof.kind,
            problem.best,
            problem.proof.ahead,
            problem.proof.is_dominant,
        ), problem.id
        assert result.further == pytest.approx(problem.proof.further, abs=2e-3), problem.id
        assert mine_puzzles.greedy_answers(problem.state, problem.seat) == problem.greedy, problem.id
        assert result.replies == problem.replies
        assert set(result.worths) == {str(action) for action in problem.state.actions(problem.seat)}
        for words, worth in result.worths.items():
            stored = problem.proof.worths[words]
            expected = stored.value, stored.half_width
            assert (worth.value, worth.half_width) == pytest.approx(expected, abs=2e-3), problem.id


@pytest.mark.parametrize("name", NAMES)
def test_a_stored_puzzle_is_clear_by_enough_and_one_decision_later_too(name):
    for problem in crashlab.puzzles(name):
        assert problem.proof.holds and problem.proof.gap >= LEAST_GAP[problem.proof.kind] - 1e-6, problem.id
        assert problem.proof.kind == "solved" or problem.proof.further >= LEAST_GAP[problem.proof.kind] - 1e-6, (
            problem.id
        )


@pytest.mark.parametrize("name", NAMES)
def test_a_third_of_a_game_beats_greedy_and_not_many_are_simple(name):
    puzzles = crashlab.puzzles(name)
    assert all(problem.greedy and set(problem.greedy) <= set(problem.proof.worths) for problem in puzzles)
    assert 3 * sum(mine_puzzles.beats_greedy(problem) for problem in puzzles) >= len(puzzles)
    assert 3 * sum(problem.proof.is_dominant for problem in puzzles) <= len(puzzles)
    assert 9 * sum(problem.level == "easy" for problem in puzzles) <= 4 * len(puzzles)


@pytest.mark.parametrize("name", NAMES)
def test_a_level_is_no_lie(name):
    for problem in crashlab.puzzles(name):
        assert not (problem.level == "easy" and mine_puzzles.beats_greedy(problem)), problem.id
        assert not (problem.level == "hard" and mine_puzzles.is_plain(problem)), problem.id


def test_a_puzzle_does_not_hold_where_another_action_is_best_one_decision_later():
    """The best action must be clear both four and five decisions ahead."""
    worths = {"a": proof.ProvenWorth(1.0), "b": proof.ProvenWorth(0.0)}
    assert proof.Proof("foreseen", worths, ("a",)).is_clear
    assert not proof.Proof("foreseen", worths, ("a",)).holds
    assert not proof.Proof("foreseen", worths, ("a",), further=0.1).holds
    assert proof.Proof("foreseen", worths, ("a",), further=0.2).holds
    assert proof.Proof("solved", worths, ("a",), value=1.0).holds


def test_what_is_found_one_decision_later_is_what_a_search_so_far_finds():
    state = crashlab.game("crash_city", players=2).read("tiles 1,0 NS shop A; cars A 0,0N>E / B 0,0S>W")
    result = prove_puzzles.proof(state, 0)
    later = prove_puzzles.foreseen(state, 0, result.ahead + 1)
    assert result.kind == "foreseen" and later.ahead == result.ahead + 1
    assert result.further == (later.gap if result.is_clear and later.is_clear and later.best == result.best else 0)
    turned = replace(result, best=(next(words for words in result.worths if words not in result.best),))
    assert prove_puzzles.further(state, 0, turned) == 0


def test_a_plan_is_dominant_where_no_other_is_better_whatever_the_other_plans():
    seen = set()
    for problem in crashlab.puzzles("autoscooter"):
        if "round 11" in problem.position and len(seen) < 2:
            leads = {}
            for plan in problem.state.actions(problem.seat):
                replies = problem.state.actions(1 - problem.seat)
                after = [
                    problem.state.play({problem.seat: plan, 1 - problem.seat: reply}).after.scores for reply in replies
                ]
                leads[str(plan)] = [scores[problem.seat] - scores[1 - problem.seat] for scores in after]
            best = leads[problem.best[0]]
            is_dominant = all(lead >= other for row in leads.values() for lead, other in zip(best, row, strict=True))
            assert problem.proof.is_dominant == is_dominant, problem.id
            seen.add(is_dominant)
    assert seen == {False, True}


def agents_ready(name):
    """Compile the searches to save time, which does not change results."""
    game = crashlab.game(name, players=2)
    crashlab.agents.warm(game)
    choose_backend.warm(game, "solve")


@pytest.mark.parametrize("name", NAMES)
def test_there_are_enough_and_no_two_are_alike(name):
    puzzles = crashlab.puzzles(name)
    assert len(puzzles) >= MANY
    assert not [pair for pair in combinations(puzzles, 2) if mine_puzzles.alike(*pair)]
    assert len({problem.id for problem in puzzles}) == len(puzzles)


@pytest.mark.parametrize("name", NAMES)
def test_at_most_a_quarter_of_the_answers_is_the_best(name):
    assert not [problem for problem in crashlab.puzzles(name) if 4 * len(problem.best) > len(problem.proof.worths)]


def test_the_same_question_with_the_same_answer_later_in_a_game_is_alike():
    """Another position of the same decision, with other events, is alike."""
    one = crashlab.puzzles("crash_and_grab")[0]
    later = replace(one, position=f"{one.position.partition('; luck ')[0]}; luck 1", rules=("CG-X",))
    assert later.position != one.position and mine_puzzles.alike(one, later)
    assert not mine_puzzles.alike(one, replace(later, source="another game"))
    other = replace(one.proof, best=(one.rival,))
    assert not mine_puzzles.alike(one, replace(later, proof=other))
    assert mine_puzzles.alike(one, replace(one, seat=1 - one.seat, source="another game", rules=("CG-X",)))


@pytest.mark.parametrize("name", NAMES)
def test_a_stored_puzzle_tells_what_its_best_action_brings(name):
    for problem in crashlab.puzzles(name):
        turns = problem.turns(problem.best[0])
        assert problem.rules == tuple(event.rule for turn in turns for event in turn.events), problem.id
        assert problem.themes == mine_puzzles.themes_of(turns), problem.id
        assert problem.seat in problem.state.actors and problem.state.text == problem.position


@pytest.mark.parametrize("name", NAMES)
def test_levels_and_themes_of_a_game_differ(name):
    puzzles = crashlab.puzzles(name)
    assert len(puzzles.themes) >= 4
    assert {problem.level for problem in puzzles} == set(puzzle.LEVELS)
    assert [problem.rating for problem in puzzles] == sorted(problem.rating for problem in puzzles)


@pytest.mark.parametrize("name", NAMES)
def test_every_theme_of_a_game_has_a_puzzle(name):
    puzzles = crashlab.puzzles(name)
    named = {theme.name for theme in crashlab.game(name).rulebook.themes}
    assert named <= set(puzzles.themes) <= {*named, mine_puzzles.CHAIN_THEME, puzzle.QUIET}
    with pytest.raises(CrashlabError, match=f"choose one of {', '.join(map(repr, puzzles.themes))}"):
        crashlab.puzzles(name, theme="no such theme")


def test_options_that_are_not_as_usual_are_told_with_the_question():
    special = [problem for problem in crashlab.puzzles("crash_by_crash") if "double bell" in problem.themes]
    assert special and all("The game has edition=english." in problem.question for problem in special)
    assert all(problem.turns(problem.best[0])[-1].after.scorings >= problem.state.scorings + 2 for problem in special)


# Claims


def test_a_solved_plan_is_sure_of_what_is_claimed_whatever_the_other_plans():
    """In the last round, each plan is tried against every reply, and the stored reply is the opponent's best one."""
    state = late()
    result = prove_puzzles.proof(state, 0)
    assert result.kind == "solved"
    for plan in state.actions(0):
        leads = {}
        for reply in state.actions(1):
            scores = state.play({0: plan, 1: reply}).after.scores
            leads[str(reply)] = scores[0] - scores[1]
        assert result.worths[str(plan)].value == min(leads.values())
        assert leads[result.replies[str(plan)]["1"]] == min(leads.values())


def test_a_plan_is_no_puzzle_where_a_mixture_is_sure_of_more():
    game = crashlab.game("autoscooter", players=2)
    state = game.read({"round": 11, "cars": {"1": "11SW3", "2": "41NW2"}})
    result = prove_puzzles.proof(state, 0)
    assert crashlab.solve(state, progress=False).value > result.worths[result.best[0]].value
    assert not result.is_clear


def test_what_is_foreseen_is_what_the_textbook_finds():
    state = crashlab.game("crash_city", players=2).read("tiles 1,0 NS shop A; cars A 0,0N>E / B 0,0S>W")
    result = prove_puzzles.foreseen(state, 0)
    assert result.ahead == prove_puzzles.DEPTH
    for action in state.actions(0):
        after = state.play({0: action}).after
        assert result.worths[str(action)].value == pytest.approx(textbook.expectimax(after, 0, result.ahead - 1))


def test_a_sample_is_clear_only_where_intervals_do_not_overlap():
    worths = {"a": proof.ProvenWorth(2.0, 0.4), "b": proof.ProvenWorth(1.0, 0.5)}
    assert proof.Proof("sampled", worths, ("a",)).is_clear
    assert not proof.Proof("sampled", {**worths, "b": proof.ProvenWorth(1.0, 0.7)}, ("a",)).is_clear
    assert not proof.Proof("sampled", worths, ("a", "b")).is_clear


def test_a_seat_is_judged_by_what_it_sees():
    """The proof does not depend on the opponent's hidden information."""
    hidden = next(problem for problem in crashlab.puzzles("crash_by_crash") if problem.proof.kind == "sampled")
    others = [hidden.state.seen_by(hidden.seat).guess(Random(seed)) for seed in range(5)]
    other = next(problem for problem in others if problem.table != hidden.state.table)
    worths = prove_puzzles.sampled(other, hidden.seat, 4).worths
    assert worths == prove_puzzles.sampled(hidden.state, hidden.seat, 4).worths


@pytest.mark.parametrize(("value", "words"), [(0.0, "0"), (-0.001, "0"), (1.5, "+1.5"), (-2.0, "\u22122")])
def test_a_lead_is_told_with_its_sign_and_nothing_as_zero(value, words):
    assert proof.signed(value) == words


@pytest.mark.parametrize("name", NAMES)
def test_a_claim_says_what_the_number_is(name):
    near = {"crash_city": "what its cars are near to", "crash_by_crash": "part of what its cars would score now"}
    for problem in crashlab.puzzles(name):
        assert (f"{problem.who}'s lead, with {near[name]}," in problem.claim) if name in near else ("with" not in near)
        assert ("nobody plays at random" in problem.claim) == (problem.proof.kind != "solved")
        horizon = f"Looking {problem.proof.ahead} decisions ahead, this one included, {problem.who}'s lead"
        assert (
            (horizon in problem.claim) == ("One decision further" in problem.claim) == (problem.proof.kind != "solved")
        )
        assert "+0 " not in problem.claim and "\u22120 " not in problem.claim


# Answers and their consequences


@pytest.mark.few(3)
@pytest.mark.parametrize("name", NAMES)
def test_what_follows_an_answer_leads_to_what_was_proven(name):
    """Without sampling, the final leads are those of the proof; an example has a difference of the right sign."""
    for problem in some(name):
        comparison = problem.against(worst(problem))
        expected = [problem.proof.worths[words].value for words in (problem.best[0], worst(problem))]
        assert comparison.better.start == comparison.worse.start, "both meet the same luck"
        if not comparison.is_example:
            assert comparison.better.end - comparison.worse.end == pytest.approx(expected[0] - expected[1])
        if not comparison.is_example and problem.proof.kind != "sampled":
            assert [comparison.better.end, comparison.worse.end] == pytest.approx(expected)
        assert comparison.shows, problem.id


@pytest.mark.few(3)
@pytest.mark.parametrize("name", NAMES)
def test_the_reasons_are_events_of_the_right_sign(name):
    for problem in some(name):
        comparison = problem.against(worst(problem))
        for course in (comparison.better, comparison.worse):
            assert math.fsum(change for _, change in course.causes) == pytest.approx(course.end - course.leads[0])
        reasons = [
            (reason, ours, theirs, sign)
            for reason, ours, theirs, sign in zip(
                comparison.reasons,
                (comparison.better, comparison.worse),
                (comparison.worse, comparison.better),
                (1, -1),
                strict=True,
            )
            if reason
        ]
        assert reasons
        for reason, ours, theirs, sign in reasons:
            counts = [list(map(rounded, course.causes)).count(reason) for course in (ours, theirs)]
            assert (
                reason.change * sign > 0
                and counts[0] > counts[1]
                and f"{reason.words}: {problem.who}" in comparison.why
            )


def test_the_best_answer_is_compared_with_the_next_best():
    problem = crashlab.puzzles("autoscooter")[0]
    comparison = problem.against(problem.best[-1])
    assert (
        comparison.better.turns[0].actions[problem.seat]
        == comparison.better.start.actions(problem.seat)[
            [str(action) for action in comparison.better.start.actions(problem.seat)].index(problem.best[-1])
        ]
    )
    assert str(comparison.worse.turns[0].actions[problem.seat]) == problem.rival and problem.rival not in problem.best
    assert problem.offered(problem.rival) in comparison.why


def test_an_answer_is_told_as_it_is_offered():
    assert puzzle_asked("crash_and_grab", "which way?").offered("^").startswith("^: towards ")
    problem = crashlab.puzzles("autoscooter")[0]
    assert problem.best[0].split()[0] in problem.offered(problem.best[0]) and f"({problem.best[0]})" in problem.offered(
        problem.best[0]
    )


def puzzle_asked(name, words):
    """Return the first puzzle with these words in its question and ^ among its actions."""
    return next(
        problem for problem in crashlab.puzzles(name) if words in problem.question and "^" in problem.proof.worths
    )


def some(name):
    """Return the easiest puzzle, one from the middle and the hardest."""
    puzzles = crashlab.puzzles(name)
    return [puzzles[0], puzzles[len(puzzles) // 2], puzzles[-1]]


def worst(problem):
    """Return the action with the lowest value."""
    return min(problem.proof.worths, key=lambda words: problem.proof.worths[words].value)


# Difficulty


def test_a_rating_is_that_against_which_players_would_have_solved_as_often():
    strengths = (400, 1000, 1600)
    tried = [(strength, puzzle.chance(strength, 1234)) for strength in strengths]
    assert mine_puzzles.performance(tried) == pytest.approx(1234, abs=2)
    assert mine_puzzles.performance([(s, 1.0) for s in strengths]) <= mine_puzzles.WORST + 1
    assert mine_puzzles.performance([(s, 0.0) for s in strengths]) >= mine_puzzles.BEST - 1
    assert mine_puzzles.performance([(400, 0.1), (1000, 0.5)]) > mine_puzzles.performance([(400, 0.1), (1000, 1.0)])


def test_themes_are_found_from_events():
    turns = (late().play({0: "81 FFF", 1: late().actions(1)[0]}),)
    rules = [event.rule for event in turns[0].events]
    for theme in late().game.rulebook.themes:
        assert isinstance(theme, PuzzleTheme)
        happened = sum(rules.count(rule) for rule in theme.rules) >= theme.least
        assert (theme.name in mine_puzzles.themes_of(turns)) == happened
    assert all(rule in late().game.rulebook for theme in late().game.rulebook.themes for rule in theme.rules)


# Selection


def test_puzzles_are_chosen_by_theme_and_level():
    every = crashlab.puzzles("crash_and_grab")
    theme = next(iter(every.themes))
    assert [problem.id for problem in crashlab.puzzles("crash_and_grab", theme=theme, level="easy")] == [
        problem.id for problem in every if theme in problem.themes and problem.level == "easy"
    ]
    assert "<table>" in every._repr_html_() and every[0].id in every[:3]._repr_html_()


@pytest.mark.parametrize(
    ("ask", "reason"),
    [
        (lambda: crashlab.puzzles("chess"), "there is no game 'chess'"),
        (lambda: crashlab.puzzles(["x"]), "there is no game"),
        (lambda: crashlab.puzzles("autoscooter", theme="castling"), "theme='castling': choose one of"),
        (lambda: crashlab.puzzles("autoscooter", level=3), "level=3: choose one of 'easy'"),
        (lambda: crashlab.today("autoscooter", "tomorrow"), "date='tomorrow': write a day as"),
        (lambda: crashlab.today("autoscooter", 7), "date=7: write a day as"),
        (lambda: crashlab.puzzles("autoscooter")[0].score("99 X"), "cannot play '99 X'"),
        (lambda: crashlab.puzzles("autoscooter")[:0].sheet(), "there are no puzzles to put on a sheet"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(ask, reason):
    with pytest.raises(CrashlabError, match=reason):
        ask()


def test_a_file_that_is_broken_says_where(tmp_path):
    path = tmp_path / "autoscooter.json"
    line = mine_puzzles.line(crashlab.puzzles("autoscooter")[0])
    path.write_text(f"{line}{{}}\n")
    with pytest.raises(CrashlabError, match="line 2 is not a puzzle"):
        collection.read("autoscooter", path)
    every = ", ".join(json.loads(line))
    short = {key: value for key, value in json.loads(line).items() if key not in ("seat", "greedy")}
    table = "it must be a table"
    for wrong, reason in (
        ('{"a": 1}', f"it lacks {every}"),
        ("[]", rf"it is \[\]: {table}"),
        ("7", f"it is 7: {table}"),
        (json.dumps(short), "it lacks seat, greedy"),
    ):
        path.write_text(f"{wrong}\n{line}")
        with pytest.raises(CrashlabError, match=f"line 1 is not a puzzle: {reason}$"):
            collection.read("autoscooter", path)
        with pytest.warns(RuntimeWarning, match=f"line 1 is not a puzzle and was left out: {reason}$"):
            (problem,) = collection.read("autoscooter", path, is_strict=False)
        assert problem.id == crashlab.puzzles("autoscooter")[0].id
    path.write_text(line.replace("round 1", "round 7"))
    with pytest.raises(CrashlabError, match="cannot be read"):
        collection.read("autoscooter", path)[0].state  # noqa: B018


@pytest.mark.parametrize("content", [b"\xff\xfe\x00{", b"\xe9\n", b"[" * 100_000])
def test_a_file_that_holds_no_puzzles_is_refused_and_left_as_it_is(content, tmp_path):
    path = tmp_path / "bin.json"
    path.write_bytes(content)
    with pytest.raises(CrashlabError, match=r"no puzzles|not a puzzle"):
        mine_puzzles.main(["autoscooter", str(path)])
    assert path.read_bytes() == content
    with pytest.raises(CrashlabError, match="cannot be read: Is a directory"):
        mine_puzzles.main(["autoscooter", str(tmp_path)])


@pytest.mark.parametrize("name", NAMES)
def test_a_puzzle_is_the_same_when_it_is_read_again(name):
    for problem in crashlab.puzzles(name)[:5]:
        assert Problem.from_dict(name, json.loads(mine_puzzles.line(problem))) == problem


def test_a_day_has_one_puzzle_and_all_take_their_turns():
    many = len([problem for problem in crashlab.puzzles("crash_and_grab") if puzzle.QUIET not in problem.themes])
    first = date.fromordinal(date(2026, 11, 23).toordinal() // many * many)
    days = [crashlab.today("crash_and_grab", first + timedelta(days=n)) for n in range(many)]
    assert len({day.problem.id for day in days}) == many
    assert not [day for day in days if puzzle.QUIET in day.problem.themes]
    assert days[3] == crashlab.today("crash_and_grab", (first + timedelta(days=3)).isoformat())
    assert crashlab.today("crash_and_grab").date == date.today()
    assert "23 November 2026" in str(crashlab.today("crash_and_grab", "2026-11-23"))


@pytest.mark.parametrize("name", NAMES)
def test_no_puzzle_of_a_day_comes_again_before_half_of_the_others_were_there(name):
    many = len([problem for problem in crashlab.puzzles(name) if puzzle.QUIET not in problem.themes])
    last = {}
    for n in range(12 * many):
        day = crashlab.today(name, date(2026, 1, 1) + timedelta(days=n)).problem.id
        assert n - last.get(day, -many) > many // 2
        last[day] = n


def test_a_score_says_how_near_an_action_comes():
    problem = crashlab.puzzles("crash_city")[0]
    by_worth = sorted(problem.proof.worths, key=lambda words: problem.proof.worths[words].value)
    scores = [problem.score(words) for words in by_worth]
    assert scores == sorted(scores) and scores[0] == 0
    assert [words for words in by_worth if problem.score(words) == 100] == [w for w in by_worth if w in problem.best]


MEASURES = {
    "solved": "guarantees, exactly",
    "foreseen": "decisions, with best play from both, exactly",
    "sampled": "playouts; the best one's is accurate to ±",
}


@pytest.mark.few(2)
@pytest.mark.parametrize("name", NAMES)
def test_a_day_says_what_is_scored_against_and_every_answer_has_its_own_value(name):
    days = [crashlab.today(name, date(2026, 1, 1) + timedelta(days=n)) for n in range(len(crashlab.puzzles(name)))]
    for day in days:
        proven = day.problem.proof
        values = {words: worth.value for words, worth in proven.worths.items()}
        low, high = min(values.values()), max(values.values())
        assert set(values) == {str(action) for action in day.state.actions(day.problem.seat)}
        for words, value in values.items():
            exact = 100 * (value - low) / (high - low)
            assert day.score(words) == 100 if words in day.problem.best else exact - 1 <= day.score(words) <= exact
        text = str(day)
        assert MEASURES[proven.kind] in text and f"{len(values)} " in text.splitlines()[-1]
        assert proven.kind != "sampled" or f"{proven.count:,} playouts" in text


def test_what_is_hidden_is_not_shown():
    for problem in crashlab.puzzles("crash_by_crash")[:5]:
        assert problem.state.text not in str(problem)
        assert problem.seen.table != problem.state.table


@pytest.mark.few(1)
@pytest.mark.parametrize("name", NAMES)
def test_six_are_printed_two_on_a_sheet_and_the_answers_on_one_more(name, tmp_path):
    """A player with nothing but the paper can see the board, choose among all its choices, and look up the answer."""
    puzzles = crashlab.puzzles(name)
    puzzles.sheet(tmp_path / "six.html", answers=True)
    *sheets, answers = (tmp_path / "six.html").read_text("utf-8").split("<section")[1:]
    assert len(sheets) == 3 and puzzles.sheet().page().count("<section") == 3
    for number, problem in enumerate(puzzles[:6], 1):
        sheet = sheets[(number - 1) // 2]
        assert f"<b>{number}.</b> {escape(problem.question)}" in sheet and sheet.count("<svg") == 2
        assert all(escape(words.partition(": ")[0]) in sheet for words in problem.offers())
        assert f"<b>{number}: {escape(problem.offered(problem.best[0]))}" in answers
    for width, height in re.findall(r'viewBox="0 0 (\S+) (\S+)"', "".join(sheets)):
        assert 0.6 < float(height) / float(width) < 1.5
    with pytest.raises(CrashlabError, match="is saved as"):
        puzzles.sheet(tmp_path / "six.pdf")
    assert [path.name for path in tmp_path.iterdir()] == ["six.html"]


def test_all_numbers_and_plans_are_printed_and_all_that_is_right_is_named():
    """A puzzle of Autoscooter can be solved and checked on paper alone."""
    for problem in crashlab.puzzles("autoscooter"):
        printed = " ".join(worksheet.task(problem))
        for seat in problem.state.actors:
            said = printed.partition("At the same time")[0 if seat == problem.seat else 2]
            for number, moves in (str(plan).split() for plan in problem.state.actions(seat)):
                assert f" {moves};" in said or f" {moves} (hits " in said or f" {moves}:" in said, problem.id
                assert f"then {number}" in said or f" or {number}" in said, problem.id
        named = worksheet.answers_to(problem)
        assert all(words in named for words in problem.best), problem.id
        assert named.count(", ") + named.count(" and ") >= len(problem.best) - 2


# Your rating


def test_a_rating_moves_by_what_was_not_expected_and_once_for_each_puzzle():
    easy, hard = crashlab.puzzles("crash_and_grab")[0], crashlab.puzzles("crash_and_grab")[-1]
    begin = SolverRating()
    won, lost = begin.after(hard, True), begin.after(hard, False)
    assert won.rating - lost.rating == pytest.approx(solver_rating.FAST)
    assert won.rating - begin.rating > begin.after(easy, True).rating - begin.rating > 0
    assert won.after(hard, False) is won


def test_a_rating_is_kept_in_a_file(tmp_path, monkeypatch):
    monkeypatch.setenv("CRASHLAB_DATA", str(tmp_path / "new"))
    problem = crashlab.puzzles("crash_city")[0]
    before, after = solver_rating.note(solver_rating.usual(), problem, True)
    assert before == SolverRating() and after.rating > before.rating
    again, same = solver_rating.note(solver_rating.usual(), problem, False)
    assert again is same and again.solved == {problem.id: True}
    assert solver_rating.load(solver_rating.usual())["crash_city"].rating == round(after.rating, 1)


def test_two_notebooks_at_a_time_keep_what_each_of_them_notes(tmp_path):
    code = """if True:
        import sys
        import crashlab
        from crashlab.analysis.puzzles import solver_rating
        for problem in crashlab.puzzles("crash_and_grab")[int(sys.argv[1])::2][:30]:
            solver_rating.note(solver_rating.usual(), problem, True)
    """
    env = {**os.environ, "CRASHLAB_DATA": str(tmp_path)}
    running = [subprocess.Popen([sys.executable, "-c", code, str(first)], env=env) for first in range(2)]
    assert [process.wait() for process in running] == [0, 0]
    assert len(solver_rating.load(tmp_path / "puzzles.json")["crash_and_grab"].solved) == 60


BROKEN = '{"x": 3}', '{"x": {"rating": "a", "solved": {}}}', '{"x": {"rating": 1e9, "solved": {}}}'


@pytest.mark.parametrize("broken", ["", "7", "[1]", "{", *BROKEN])
def test_a_file_of_ratings_that_is_broken_is_left_as_it_is(broken, tmp_path):
    path = tmp_path / "puzzles.json"
    path.write_text(broken)
    with pytest.raises(CrashlabError, match="was not changed"):
        solver_rating.note(path, crashlab.puzzles("crash_city")[0], True)
    assert path.read_text() == broken


# Mining


def test_a_game_is_mined_the_same_way_each_time_and_goes_on(tmp_path):
    path = tmp_path / "autoscooter.json"
    mine_puzzles.main(["autoscooter", str(path), "--count", "1"])
    first = collection.read("autoscooter", path)
    mine_puzzles.main(["autoscooter", str(path), "--count", "2"])
    both = collection.read("autoscooter", path)
    assert both[:1] == first and len(both) == 2 and not mine_puzzles.alike(*both)
    mine_puzzles.main(["autoscooter", str(path), "--count", "2"])
    assert collection.read("autoscooter", path) == both
    for problem in both:
        assert prove_puzzles.proof(problem.state, problem.seat).is_clear
        assert problem.seat in problem.state.actors and CHANCE not in problem.state.actors


@pytest.mark.slow
def test_a_theme_can_be_mined_for(tmp_path, capsys):
    path = tmp_path / "autoscooter.json"
    mine_puzzles.main(["autoscooter", str(path), "--count", "2", "--theme", "side crash", "--first", "3"])
    puzzles = collection.read("autoscooter", path)
    assert len(puzzles) == 2 and all("side crash" in problem.themes and int(problem.source) >= 3 for problem in puzzles)
    with pytest.raises(SystemExit):
        mine_puzzles.main(["autoscooter", str(path), "--theme", "no such theme"])
    assert "choose one of front crash" in capsys.readouterr().err and collection.read("autoscooter", path) == puzzles


def test_a_decision_is_looked_at_for_a_theme_only_where_an_action_brings_it_about():
    jammed = next(problem for problem in crashlab.puzzles("crash_by_crash") if "long jam" in problem.themes)
    assert mine_puzzles.can_bring(jammed.state, jammed.seat, ["long jam"])
    calm = crashlab.puzzles("crash_by_crash", theme="card")[0]
    assert not mine_puzzles.can_bring(calm.state, calm.seat, ["double bell"])
    assert mine_puzzles.can_bring(calm.state, calm.seat, [])
