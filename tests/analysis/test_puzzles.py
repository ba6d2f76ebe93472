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
EACH = effort(90, 18, 1)  # one in this many is proven again


def late(text="round 11; cars 1:21E2 2:23SE2; chits A18 B20"):
    return crashlab.game("autoscooter", players=2).read(text)


# Stored puzzles


@pytest.mark.parametrize("name", NAMES)
def test_every_stored_puzzle_is_proven_anew(name):
    """The best action, all values, the margin one decision further and the greedy answers are the stored ones."""
    agents_ready(name)
    for each in crashlab.puzzles(name)[::EACH]:
        found = prove_puzzles.proof(each.state, each.seat)
        assert found.holds and (found.kind, found.best, found.ahead, found.is_dominant) == (
            each.proof.kind,
            each.best,
            each.proof.ahead,
            each.proof.is_dominant,
        ), each.id
        assert found.further == pytest.approx(each.proof.further, abs=2e-3), each.id
        assert mine_puzzles.greedy_answers(each.state, each.seat) == each.greedy, each.id
        assert found.replies == each.replies
        assert set(found.worths) == {str(action) for action in each.state.actions(each.seat)}
        for words, worth in found.worths.items():
            stored = each.proof.worths[words]
            known = stored.value, stored.half_width
            assert (worth.value, worth.half_width) == pytest.approx(known, abs=2e-3), each.id


@pytest.mark.parametrize("name", NAMES)
def test_a_stored_puzzle_is_clear_by_enough_and_one_decision_later_too(name):
    for each in crashlab.puzzles(name):
        assert each.proof.holds and each.proof.gap >= LEAST_GAP[each.proof.kind] - 1e-6, each.id
        assert each.proof.kind == "solved" or each.proof.further >= LEAST_GAP[each.proof.kind] - 1e-6, each.id


@pytest.mark.parametrize("name", NAMES)
def test_a_third_of_a_game_beats_greedy_and_not_many_are_simple(name):
    found = crashlab.puzzles(name)
    assert all(each.greedy and set(each.greedy) <= set(each.proof.worths) for each in found)
    assert 3 * sum(mine_puzzles.beats_greedy(each) for each in found) >= len(found)
    assert 3 * sum(each.proof.is_dominant for each in found) <= len(found)
    assert 9 * sum(each.level == "easy" for each in found) <= 4 * len(found)


@pytest.mark.parametrize("name", NAMES)
def test_a_level_is_no_lie(name):
    for each in crashlab.puzzles(name):
        assert not (each.level == "easy" and mine_puzzles.beats_greedy(each)), each.id
        assert not (each.level == "hard" and mine_puzzles.is_plain(each)), each.id


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
    found = prove_puzzles.proof(state, 0)
    later = prove_puzzles.foreseen(state, 0, found.ahead + 1)
    assert found.kind == "foreseen" and later.ahead == found.ahead + 1
    assert found.further == (later.gap if found.is_clear and later.is_clear and later.best == found.best else 0)
    turned = replace(found, best=(next(words for words in found.worths if words not in found.best),))
    assert prove_puzzles.further(state, 0, turned) == 0


def test_a_plan_is_dominant_where_no_other_is_better_whatever_the_other_plans():
    seen = set()
    for each in crashlab.puzzles("autoscooter"):
        if "round 11" in each.position and len(seen) < 2:
            leads = {}
            for plan in each.state.actions(each.seat):
                replies = each.state.actions(1 - each.seat)
                after = [each.state.play({each.seat: plan, 1 - each.seat: reply}).after.scores for reply in replies]
                leads[str(plan)] = [scores[each.seat] - scores[1 - each.seat] for scores in after]
            best = leads[each.best[0]]
            is_dominant = all(own >= other for row in leads.values() for own, other in zip(best, row, strict=True))
            assert each.proof.is_dominant == is_dominant, each.id
            seen.add(is_dominant)
    assert seen == {False, True}


def agents_ready(name):
    """Compile the searches to save time, which does not change results."""
    made = crashlab.game(name, players=2)
    crashlab.agents.warm(made)
    choose_backend.warm(made, "solve")


@pytest.mark.parametrize("name", NAMES)
def test_there_are_enough_and_no_two_are_alike(name):
    found = crashlab.puzzles(name)
    assert len(found) >= MANY
    assert not [pair for pair in combinations(found, 2) if mine_puzzles.alike(*pair)]
    assert len({each.id for each in found}) == len(found)


@pytest.mark.parametrize("name", NAMES)
def test_at_most_a_quarter_of_the_answers_is_the_best(name):
    assert not [each for each in crashlab.puzzles(name) if 4 * len(each.best) > len(each.proof.worths)]


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
    for each in crashlab.puzzles(name):
        turns = each.turns(each.best[0])
        assert each.rules == tuple(event.rule for turn in turns for event in turn.events), each.id
        assert each.themes == mine_puzzles.themes_of(turns), each.id
        assert each.seat in each.state.actors and each.state.text == each.position


@pytest.mark.parametrize("name", NAMES)
def test_levels_and_themes_of_a_game_differ(name):
    found = crashlab.puzzles(name)
    assert len(found.themes) >= 4
    assert {each.level for each in found} == set(puzzle.LEVELS)
    assert [each.rating for each in found] == sorted(each.rating for each in found)


@pytest.mark.parametrize("name", NAMES)
def test_every_theme_of_a_game_has_a_puzzle(name):
    found = crashlab.puzzles(name)
    named = {theme.name for theme in crashlab.game(name).rulebook.themes}
    assert named <= set(found.themes) <= {*named, mine_puzzles.CHAIN_THEME, puzzle.QUIET}
    with pytest.raises(CrashlabError, match=f"choose one of {', '.join(map(repr, found.themes))}"):
        crashlab.puzzles(name, theme="no such theme")


def test_options_that_are_not_as_usual_are_told_with_the_question():
    special = [each for each in crashlab.puzzles("crash_by_crash") if "double bell" in each.themes]
    assert special and all("The game has edition=english." in each.question for each in special)
    assert all(each.turns(each.best[0])[-1].after.scorings >= each.state.scorings + 2 for each in special)


# Claims


def test_a_solved_plan_is_sure_of_what_is_claimed_whatever_the_other_plans():
    """In the last round, each plan is tried against every reply, and the stored reply is the opponent's best one."""
    state = late()
    found = prove_puzzles.proof(state, 0)
    assert found.kind == "solved"
    for plan in state.actions(0):
        leads = {}
        for reply in state.actions(1):
            scores = state.play({0: plan, 1: reply}).after.scores
            leads[str(reply)] = scores[0] - scores[1]
        assert found.worths[str(plan)].value == min(leads.values())
        assert leads[found.replies[str(plan)]["1"]] == min(leads.values())


def test_a_plan_is_no_puzzle_where_a_mixture_is_sure_of_more():
    game = crashlab.game("autoscooter", players=2)
    state = game.read({"round": 11, "cars": {"1": "11SW3", "2": "41NW2"}})
    found = prove_puzzles.proof(state, 0)
    assert crashlab.solve(state, progress=False).value > found.worths[found.best[0]].value
    assert not found.is_clear


def test_what_is_foreseen_is_what_the_textbook_finds():
    state = crashlab.game("crash_city", players=2).read("tiles 1,0 NS shop A; cars A 0,0N>E / B 0,0S>W")
    found = prove_puzzles.foreseen(state, 0)
    assert found.ahead == prove_puzzles.DEPTH
    for action in state.actions(0):
        after = state.play({0: action}).after
        assert found.worths[str(action)].value == pytest.approx(textbook.expectimax(after, 0, found.ahead - 1))


def test_a_sample_is_clear_only_where_intervals_do_not_overlap():
    worths = {"a": proof.ProvenWorth(2.0, 0.4), "b": proof.ProvenWorth(1.0, 0.5)}
    assert proof.Proof("sampled", worths, ("a",)).is_clear
    assert not proof.Proof("sampled", {**worths, "b": proof.ProvenWorth(1.0, 0.7)}, ("a",)).is_clear
    assert not proof.Proof("sampled", worths, ("a", "b")).is_clear


def test_a_seat_is_judged_by_what_it_sees():
    """The proof does not depend on the opponent's hidden information."""
    hidden = next(each for each in crashlab.puzzles("crash_by_crash") if each.proof.kind == "sampled")
    others = [hidden.state.seen_by(hidden.seat).guess(Random(seed)) for seed in range(5)]
    other = next(each for each in others if each.table != hidden.state.table)
    found = prove_puzzles.sampled(other, hidden.seat, 4).worths
    assert found == prove_puzzles.sampled(hidden.state, hidden.seat, 4).worths


@pytest.mark.parametrize(("value", "words"), [(0.0, "0"), (-0.001, "0"), (1.5, "+1.5"), (-2.0, "\u22122")])
def test_a_lead_is_told_with_its_sign_and_nothing_as_zero(value, words):
    assert proof.signed(value) == words


@pytest.mark.parametrize("name", NAMES)
def test_a_claim_says_what_the_number_is(name):
    near = {"crash_city": "what its cars are near to", "crash_by_crash": "part of what its cars would score now"}
    for each in crashlab.puzzles(name):
        assert (f"{each.who}'s lead, with {near[name]}," in each.claim) if name in near else ("with" not in near)
        assert ("nobody plays at random" in each.claim) == (each.proof.kind != "solved")
        horizon = f"Looking {each.proof.ahead} decisions ahead, this one included, {each.who}'s lead"
        assert (horizon in each.claim) == ("One decision further" in each.claim) == (each.proof.kind != "solved")
        assert "+0 " not in each.claim and "\u22120 " not in each.claim


# Answers and their consequences


@pytest.mark.few(3)
@pytest.mark.parametrize("name", NAMES)
def test_what_follows_an_answer_leads_to_what_was_proven(name):
    """Without sampling, the final leads are those of the proof; an example has a difference of the right sign."""
    for each in some(name):
        found = each.against(worst(each))
        wanted = [each.proof.worths[words].value for words in (each.best[0], worst(each))]
        assert found.better.start == found.worse.start, "both meet the same luck"
        if not found.is_example:
            assert found.better.end - found.worse.end == pytest.approx(wanted[0] - wanted[1])
        if not found.is_example and each.proof.kind != "sampled":
            assert [found.better.end, found.worse.end] == pytest.approx(wanted)
        assert found.shows, each.id


@pytest.mark.few(3)
@pytest.mark.parametrize("name", NAMES)
def test_the_reasons_are_events_of_the_right_sign(name):
    for each in some(name):
        found = each.against(worst(each))
        for course in (found.better, found.worse):
            assert math.fsum(change for _, change in course.causes) == pytest.approx(course.end - course.leads[0])
        told = [
            (reason, ours, theirs, sign)
            for reason, ours, theirs, sign in zip(
                found.reasons, (found.better, found.worse), (found.worse, found.better), (1, -1), strict=True
            )
            if reason
        ]
        assert told
        for reason, ours, theirs, sign in told:
            counts = [list(map(rounded, course.causes)).count(reason) for course in (ours, theirs)]
            assert reason.change * sign > 0 and counts[0] > counts[1] and f"{reason.words}: {each.who}" in found.why


def test_the_best_answer_is_compared_with_the_next_best():
    each = crashlab.puzzles("autoscooter")[0]
    found = each.against(each.best[-1])
    assert (
        found.better.turns[0].actions[each.seat]
        == found.better.start.actions(each.seat)[
            [str(action) for action in found.better.start.actions(each.seat)].index(each.best[-1])
        ]
    )
    assert str(found.worse.turns[0].actions[each.seat]) == each.rival and each.rival not in each.best
    assert each.offered(each.rival) in found.why


def test_an_answer_is_told_as_it_is_offered():
    assert puzzle_asked("crash_and_grab", "which way?").offered("^").startswith("^: towards ")
    each = crashlab.puzzles("autoscooter")[0]
    assert each.best[0].split()[0] in each.offered(each.best[0]) and f"({each.best[0]})" in each.offered(each.best[0])


def puzzle_asked(name, words):
    """Return the first puzzle with these words in its question and ^ among its actions."""
    return next(each for each in crashlab.puzzles(name) if words in each.question and "^" in each.proof.worths)


def some(name):
    """Return the easiest puzzle, one from the middle and the hardest."""
    found = crashlab.puzzles(name)
    return [found[0], found[len(found) // 2], found[-1]]


def worst(each):
    """Return the action with the lowest value."""
    return min(each.proof.worths, key=lambda words: each.proof.worths[words].value)


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
    assert [each.id for each in crashlab.puzzles("crash_and_grab", theme=theme, level="easy")] == [
        each.id for each in every if theme in each.themes and each.level == "easy"
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
    table = "a table is needed"
    for wrong, reason in (
        ('{"a": 1}', f"it lacks {every}"),
        ("[]", rf"it is \[\]: {table}"),
        ("7", f"it is 7: {table}"),
        (json.dumps(short), "it lacks seat, greedy"),
    ):
        path.write_text(f"{wrong}\n{line}")
        with pytest.raises(CrashlabError, match=f"line 1 is not a puzzle: {reason}$"):
            collection.read("autoscooter", path)
        with pytest.warns(RuntimeWarning, match=f"line 1 is not a puzzle, and left out: {reason}$"):
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
    for each in crashlab.puzzles(name)[:5]:
        assert Problem.from_dict(name, json.loads(mine_puzzles.line(each))) == each


def test_a_day_has_one_puzzle_and_all_take_their_turns():
    many = len([each for each in crashlab.puzzles("crash_and_grab") if puzzle.QUIET not in each.themes])
    first = date.fromordinal(date(2026, 11, 23).toordinal() // many * many)
    days = [crashlab.today("crash_and_grab", first + timedelta(days=n)) for n in range(many)]
    assert len({day.problem.id for day in days}) == many
    assert not [day for day in days if puzzle.QUIET in day.problem.themes]
    assert days[3] == crashlab.today("crash_and_grab", (first + timedelta(days=3)).isoformat())
    assert crashlab.today("crash_and_grab").date == date.today()
    assert "23 November 2026" in str(crashlab.today("crash_and_grab", "2026-11-23"))


@pytest.mark.parametrize("name", NAMES)
def test_no_puzzle_of_a_day_comes_again_before_half_of_the_others_were_there(name):
    many = len([each for each in crashlab.puzzles(name) if puzzle.QUIET not in each.themes])
    last = {}
    for n in range(12 * many):
        day = crashlab.today(name, date(2026, 1, 1) + timedelta(days=n)).problem.id
        assert n - last.get(day, -many) > many // 2
        last[day] = n


def test_a_score_says_how_near_an_action_comes():
    each = crashlab.puzzles("crash_city")[0]
    by_worth = sorted(each.proof.worths, key=lambda words: each.proof.worths[words].value)
    scores = [each.score(words) for words in by_worth]
    assert scores == sorted(scores) and scores[0] == 0
    assert [words for words in by_worth if each.score(words) == 100] == [w for w in by_worth if w in each.best]


MEASURES = {
    "solved": "guarantees, exactly",
    "foreseen": "decisions, with best play from both, exactly",
    "sampled": "playouts; that of the best is known to ±",
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
        told = str(day)
        assert MEASURES[proven.kind] in told and f"{len(values)} " in told.splitlines()[-1]
        assert proven.kind != "sampled" or f"{proven.count:,} playouts" in told


def test_what_is_hidden_is_not_shown():
    for each in crashlab.puzzles("crash_by_crash")[:5]:
        assert each.state.text not in str(each)
        assert each.seen.table != each.state.table


@pytest.mark.few(1)
@pytest.mark.parametrize("name", NAMES)
def test_six_are_printed_two_on_a_sheet_and_the_answers_on_one_more(name, tmp_path):
    """A player with nothing but the paper can see the board, choose among all its choices, and look up the answer."""
    found = crashlab.puzzles(name)
    found.sheet(tmp_path / "six.html", answers=True)
    *sheets, answers = (tmp_path / "six.html").read_text("utf-8").split("<section")[1:]
    assert len(sheets) == 3 and found.sheet().page().count("<section") == 3
    for number, each in enumerate(found[:6], 1):
        sheet = sheets[(number - 1) // 2]
        assert f"<b>{number}.</b> {escape(each.question)}" in sheet and sheet.count("<svg") == 2
        assert all(escape(words.partition(": ")[0]) in sheet for words in each.offers())
        assert f"<b>{number}: {escape(each.offered(each.best[0]))}" in answers
    for width, height in re.findall(r'viewBox="0 0 (\S+) (\S+)"', "".join(sheets)):
        assert 0.6 < float(height) / float(width) < 1.5
    with pytest.raises(CrashlabError, match="is saved as"):
        found.sheet(tmp_path / "six.pdf")
    assert [path.name for path in tmp_path.iterdir()] == ["six.html"]


def test_all_numbers_and_plans_are_printed_and_all_that_is_right_is_named():
    """A puzzle of Autoscooter can be solved and checked on paper alone."""
    for each in crashlab.puzzles("autoscooter"):
        printed = " ".join(worksheet.task(each))
        for seat in each.state.actors:
            said = printed.partition("At the same time")[0 if seat == each.seat else 2]
            for number, moves in (str(plan).split() for plan in each.state.actions(seat)):
                assert f" {moves};" in said or f" {moves} (hits " in said or f" {moves}:" in said, each.id
                assert f"then {number}" in said or f" or {number}" in said, each.id
        named = worksheet.answers_to(each)
        assert all(words in named for words in each.best), each.id
        assert named.count(", ") + named.count(" and ") >= len(each.best) - 2


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
    each = crashlab.puzzles("crash_city")[0]
    before, after = solver_rating.note(solver_rating.usual(), each, True)
    assert before == SolverRating() and after.rating > before.rating
    again, same = solver_rating.note(solver_rating.usual(), each, False)
    assert again is same and again.solved == {each.id: True}
    assert solver_rating.load(solver_rating.usual())["crash_city"].rating == round(after.rating, 1)


def test_two_notebooks_at_a_time_keep_what_each_of_them_notes(tmp_path):
    code = """if True:
        import sys
        import crashlab
        from crashlab.analysis.puzzles import solver_rating
        for each in crashlab.puzzles("crash_and_grab")[int(sys.argv[1])::2][:30]:
            solver_rating.note(solver_rating.usual(), each, True)
    """
    env = {**os.environ, "CRASHLAB_DATA": str(tmp_path)}
    running = [subprocess.Popen([sys.executable, "-c", code, str(first)], env=env) for first in range(2)]
    assert [each.wait() for each in running] == [0, 0]
    assert len(solver_rating.load(tmp_path / "puzzles.json")["crash_and_grab"].solved) == 60


BROKEN = '{"x": 3}', '{"x": {"rating": "a", "solved": {}}}', '{"x": {"rating": 1e9, "solved": {}}}'


@pytest.mark.parametrize("broken", ["", "7", "[1]", "{", *BROKEN])
def test_a_file_of_ratings_that_is_broken_is_left_as_it_is(broken, tmp_path):
    path = tmp_path / "puzzles.json"
    path.write_text(broken)
    with pytest.raises(CrashlabError, match="it is not changed"):
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
    for each in both:
        assert prove_puzzles.proof(each.state, each.seat).is_clear
        assert each.seat in each.state.actors and CHANCE not in each.state.actors


@pytest.mark.slow
def test_a_theme_can_be_mined_for(tmp_path, capsys):
    path = tmp_path / "autoscooter.json"
    mine_puzzles.main(["autoscooter", str(path), "--count", "2", "--theme", "side crash", "--first", "3"])
    found = collection.read("autoscooter", path)
    assert len(found) == 2 and all("side crash" in each.themes and int(each.source) >= 3 for each in found)
    with pytest.raises(SystemExit):
        mine_puzzles.main(["autoscooter", str(path), "--theme", "no such theme"])
    assert "choose one of front crash" in capsys.readouterr().err and collection.read("autoscooter", path) == found


def test_a_decision_is_looked_at_for_a_theme_only_where_an_action_brings_it_about():
    jammed = next(each for each in crashlab.puzzles("crash_by_crash") if "long jam" in each.themes)
    assert mine_puzzles.can_bring(jammed.state, jammed.seat, ["long jam"])
    calm = crashlab.puzzles("crash_by_crash", theme="card")[0]
    assert not mine_puzzles.can_bring(calm.state, calm.seat, ["double bell"])
    assert mine_puzzles.can_bring(calm.state, calm.seat, [])
