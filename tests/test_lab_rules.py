"""The rulebook beside its code and its proofs, and one's own rules, on and off."""

from html import escape

import pytest

import crashlab
from crashlab import CrashlabError
from crashlab.lessons import own_rules
from crashlab.proofs import Proof, proofs

pytest.importorskip("ipycanvas")

from hands import Sent, words

from crashlab.lab import Rules

GAME = crashlab.game("autoscooter", players=2)


@pytest.fixture
def mine():
    return GAME.with_rules(*own_rules.FINED_SIDE, FINE=2)


def test_a_rule_stands_beside_its_code_and_its_tests():
    rules = Rules(GAME, "AS-C4")
    assert rules.rule.id == "AS-C4" and rules.rule.text in rules.text.value
    assert "def hit_side(table" in rules.code.value and "AS-C4" in words(rules)
    assert "Proven by" in rules.text.value and "def test_" in rules.text.value
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
    assert rules.game == mine and "FINE *" in rules.code.value
    rules.switches["hit_side"].value = False
    assert rules.game == GAME and rules.error is None
    assert "HOUSE-1" not in [label.partition(" ")[0] for label, _ in rules.list.options]
    rules.switches["hit_side"].value = True
    assert rules.game == mine


def test_of_several_rules_each_is_switched_alone():
    """A helper, which makes no rule, stays as long as a rule does."""
    city = crashlab.game("crash_city", players=2).with_rules(*own_rules.NEXT_JOB)
    own = [text.name for text in city.house.rules]
    assert city.only(*own) == city and city.only() == crashlab.game("crash_city", players=2)
    with pytest.raises(CrashlabError, match="no rule of yours called 'hit_side'"):
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
            rules.board.alone(rules.show, game.rulebook.cite(rule.id)[0])
            assert rules.error is None and escape(rule.title) in rules.text.value


def test_tests_are_found_by_their_marks(tmp_path):
    marks = '@pytest.mark.rule("X-1")\n@pytest.mark.rule("X-2")\n'
    (tmp_path / "test_it.py").write_text(f"{marks}def test_it():\n    assert 1\n")
    (tmp_path / "test_other.py").write_text("def test_other(): ...\n")
    test = Proof("test_it.py", "test_it", "def test_it():\n    assert 1")
    assert proofs(tmp_path) == {"X-1": (test,), "X-2": (test,)}
    assert proofs(tmp_path / "nowhere") == {} and str(test) == "tests/test_it.py::test_it"
