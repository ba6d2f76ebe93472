"""The rulebook beside its code and its proofs, and your own rules, on and off."""

import re
from html import unescape

import pytest
from cell_functions import cell

import crashlab
from crashlab import CrashlabError, Random
from crashlab.course.lessons import example_rules
from crashlab.lab.rule_tests import RuleTest, proofs

pytest.importorskip("ipycanvas")

from fake_page import Sent, words

from crashlab.lab import Rules

GAME = crashlab.game("autoscooter", players=2)


def plain(part):
    """Return the text of an HTML widget."""
    return unescape(re.sub("<[^>]*>", "", part.value))


@pytest.fixture
def mine():
    return GAME.with_rules(*example_rules.FINED_SIDE, FINE=2)


def test_a_rule_stands_beside_its_code_and_its_tests():
    rules = Rules(GAME, "AS-C4")
    assert rules.rule.id == "AS-C4" and rules.rule.text in rules.board.picture.words
    assert "def hit_side(table: Autoscooter" in plain(rules.code) and "made by hit_side" in words(rules)
    assert "Proven by 3 tests" in plain(rules.tests) and "def test_a_side_crash" in plain(rules.tests)
    rules.list.value = 0
    assert rules.rule is GAME.rulebook[0] and rules.error is None


def test_the_keys_go_from_rule_to_rule_and_stop_at_the_ends():
    rules = Rules(GAME)
    sent = Sent(rules)
    sent.key("ArrowUp")
    assert rules.now.rule == 0
    sent.key("ArrowDown")
    sent.key("ArrowDown")
    assert rules.now.rule == 2 and rules.list.value == 2


def test_a_rule_of_ones_own_is_switched_off_and_on(mine):
    rules = Rules(mine, "HOUSE-1")
    assert rules.game == mine and "FINE *" in plain(rules.code)
    rules.switches["hit_side"].value = False
    assert rules.game == GAME and rules.error is None
    assert "HOUSE-1" not in [label.partition(" ")[0] for label, _ in rules.list.options]
    rules.switches["hit_side"].value = True
    assert rules.game == mine


def test_where_a_rule_of_ones_own_stands_the_books_one_says_so(mine):
    rules = Rules(mine, "AS-C4")
    assert plain(rules.code).startswith("# your HOUSE-1 replaces the book's hit_side\ndef hit_side(table")
    assert "FINE * (v" in plain(rules.code)
    assert "The book's rule is proven by 3 tests, which do not use your hit_side:" in plain(rules.tests)
    rules.switches["hit_side"].value = False
    assert rules.rule.id == "AS-C4" and "# your" not in plain(rules.code) and "def hit_side(" in plain(rules.code)
    assert plain(rules.tests).startswith("Proven by 3 tests:")


def test_of_several_functions_one_is_chosen():
    rules = Rules(GAME, "AS-C3")
    first, second = rules.names[:2]
    assert f"def {first}(" in plain(rules.code) and not rules.functions.disabled
    Sent(rules).key("ArrowRight")
    assert f"def {second}(" in plain(rules.code) and rules.functions.value == 1
    rules.functions.value = 0
    assert f"def {first}(" in plain(rules.code)
    rules.list.value = 0
    assert not rules.names and rules.functions.value is None and rules.copy.disabled
    assert "No function is named after AS-B1" in plain(rules.code)


@pytest.mark.few(1)
@pytest.mark.parametrize("name", crashlab.games())
def test_what_goes_into_the_next_cell_runs_there_and_plays_by_the_same_rules(name):
    """Check each function of each rule."""
    game = crashlab.game(name)
    rules = Rules(game)
    copied = {}
    for number in range(len(game.rulebook)):
        rules.board.run_alone(rules.show, number)
        for place, function in enumerate(rules.names):
            rules.board.run_alone(rules.show, number, place)
            assert rules.cell.rstrip().endswith(f"mine = game.with_rules({function})")
            copied[function] = cell(rules.cell.rpartition("mine = ")[0])[function]
    assert len(copied) > 15
    mine = game.with_rules(*copied.values())
    assert str(mine.start(1).sample(Random(1))) == str(game.start(1).sample(Random(1)))


def test_one_of_ones_own_is_copied_with_its_constants(mine):
    rules = Rules(mine, "HOUSE-1")
    assert rules.cell.rstrip().endswith("mine = game.with_rules(hit_side, FINE=2)")
    rules.board.run_alone(rules.show, 0)
    with pytest.raises(CrashlabError, match="nothing to copy: no function is named after AS-B1"):
        rules.cell  # noqa: B018


def test_of_several_rules_each_is_switched_alone():
    """A helper function stays active as long as any rule does."""
    city = crashlab.game("crash_city", players=2).with_rules(*example_rules.NEXT_JOB)
    names = [text.name for text in city.house.rules]
    assert city.only(*names) == city and city.only() == crashlab.game("crash_city", players=2)
    with pytest.raises(CrashlabError, match="you have no rule called 'hit_side'"):
        city.only("hit_side")
    with pytest.raises(CrashlabError, match="this game has none"):
        GAME.only("hit_side")


def test_what_is_no_game_and_no_rule_is_refused():
    with pytest.raises(CrashlabError, match="Rules shows the rulebook of a Game"):
        Rules("autoscooter")
    with pytest.raises(CrashlabError, match="there is no rule 'AS-C99'"):
        Rules(GAME, "AS-C99")


def test_every_rule_of_every_game_can_be_shown():
    for name in crashlab.games():
        game = crashlab.game(name)
        rules = Rules(game)
        for rule in game.rulebook:
            rules.board.run_alone(rules.show, game.rulebook.cite(rule.id)[0])
            assert rules.error is None and rule.title in words(rules)


def test_tests_are_found_by_their_marks(tmp_path):
    marks = '@pytest.mark.rule("X-1")\n@pytest.mark.rule("X-2")\n'
    (tmp_path / "test_it.py").write_text(f"{marks}def test_it():\n    assert 1\n")
    (tmp_path / "test_other.py").write_text("def test_other(): ...\n")
    test = RuleTest("test_it.py", "test_it", "def test_it():\n    assert 1")
    assert proofs(tmp_path) == {"X-1": (test,), "X-2": (test,)}
    assert proofs(tmp_path / "nowhere") == {} and str(test) == "tests/test_it.py::test_it"
