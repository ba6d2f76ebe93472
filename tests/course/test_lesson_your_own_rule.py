"""Lesson 20: its crashes, and its exercises with wrong answers."""

import pytest
from cell_functions import cell

import crashlab
from crashlab.course.lessons import example_rules
from crashlab.course.lessons import your_own_rule as lesson
from crashlab.course.lessons.your_own_rule import bumpers
from crashlab.play.rule_testing import tried

GAME = bumpers()
REAR = '''
def hit_rear(table, car, hit, v, cause, trace):
    """A car that rams from behind pays."""
    crash = note(HOUSE, cause, car + 1, hit + 1, v, table.speed[hit], trace)
    {}
    return crash
'''
PAYS = "pay(table, car, hit, v, v, HOUSE, crash, trace)"
SIDE = '''
def hit_side(table, car, hit, side, v, cause, trace):
    """The rule of the book with a bonus."""
    crash = note(HOUSE, cause, car + 1, hit + 1, v, table.speed[hit], trace)
    pay(table, hit, car, v + table.speed[hit], v, HOUSE, crash, trace)
    winner = table.driver[car]
    {}
    turn(table, hit, -1 if side <= 2 else 1, HOUSE, crash, trace)
    return crash
'''
BONUS = """bonus = min(2, table.box[0])
    happen(table.box, BOX, 0, table.box[0] - bonus, HOUSE, crash, trace)
    happen(table.chits, CHITS, winner, table.chits[winner] + bonus, HOUSE, crash, trace)"""


def rear(line=PAYS):
    return cell(REAR.format(line))["hit_rear"]


def side(lines=BONUS):
    return cell(SIDE.format(lines))["hit_side"]


def other(source, old, new):
    """Return the function of a rule with one change in its source."""
    assert old in source
    namespace = cell(source.replace(old, new))
    return next(value for name, value in namespace.items() if callable(value) and not name.startswith("__"))


def said(capsys, name, answer):
    crashlab.check(name, answer)
    return " ".join(capsys.readouterr().out.split())


# The right answers, compared with arithmetic


def test_who_rams_from_behind_pays_their_own_speed():
    paid = [turn.after.scores for turn in (case.played(GAME.with_rules(lesson.hit_rear)) for case in lesson.REAR)]
    assert paid == [(18, 22), (17, 23), (18, 22), (0, 40)]
    for case in lesson.REAR:
        assert any(event.rule == "AS-C3" for event in case.played(GAME).events)


def test_a_bonus_comes_from_the_box_as_far_as_it_goes():
    for case, bonus in zip(lesson.SIDE, (2, 2, 1, 0), strict=True):
        before, book, turn = GAME.read(case.position), case.played(GAME), case.played(GAME.with_rules(lesson.hit_side))
        assert turn.after.scores == (book.after.scores[0] + bonus, book.after.scores[1])
        assert turn.after.table.box[0] == before.table.box[0] - bonus
        assert any(event.rule == "AS-C4" for event in book.events)


@pytest.mark.parametrize("rule", [lesson.hit_rear, lesson.hit_side])
def test_the_right_rules_are_sound(rule):
    assert not any(tried(GAME.with_rules(rule), seed) for seed in range(1, 4))


# ru-1


@pytest.mark.parametrize("answer", [lesson.hit_rear, rear(), rear(PAYS.replace("v, v", "v, 0"))])
def test_who_rams_pays_may_be_written_in_several_ways(capsys, answer):
    assert said(capsys, "ru-1", answer).startswith("ru-1: right!")


@pytest.mark.parametrize(
    "answer, words",
    [
        (rear("pay(table, hit, car, v, v, HOUSE, crash, trace)"), "B pays A, as by the book. In `pay(table, loser"),
        (rear("pay(table, car, hit, table.speed[hit], v, HOUSE, crash, trace)"), "The rammer's own speed is `v`"),
        (rear("pay(table, car, hit, v + table.speed[hit], v, HOUSE, crash, trace)"), "How much is paid?"),
        (rear("pay_box(table, table.driver[car], v, HOUSE, crash, trace)"), "`pay`, not `pay_box`"),
        (rear("pass"), "Nobody pays"),
        (rear(f"{PAYS}\n    happen(table.speed, SPEED, car, 0, HOUSE, crash, trace)"), "says nothing about speeds"),
        (rear("table.chits[0] -= v"), "change a table only with happen()"),
        (
            rear(
                "happen(table.chits, CHITS, table.driver[car], table.chits[table.driver[car]] - v, HOUSE, crash, trace)"
            ),
            "No chit appears from nowhere, and none disappears",
        ),
        (other(REAR.format(PAYS), "HOUSE", "C3"), "no event names your rule. Write HOUSE"),
        (other(REAR.format(PAYS), "    return crash\n", ""), "`return crash`"),
        (other(REAR.format(PAYS), '    """A car that rams from behind pays."""\n', ""), "describe your rule"),
        (
            other(REAR.format(PAYS), "def hit_rear", "def my_rear"),
            "must be named hit_rear, not my_re",
        ),
        (
            other(REAR.format(PAYS), "car, hit, v, cause", "car, hit, cause"),
            "not (table, car, hit, cause, trace)",
        ),
        (rear("pay(table, car, hit, w, v, HOUSE, crash, trace)"), "w is not defined in the rules"),
        (rear("raise NotImplementedError"), "not written yet"),
        ("hit_rear", "without quotation marks"),
        (..., "not written yet"),
    ],
)
def test_wrong_rear_crashes_get_their_hints(capsys, answer, words):
    assert words in said(capsys, "ru-1", answer)


# ru-2


@pytest.mark.parametrize(
    "lines",
    [
        BONUS,
        BONUS.replace(
            "bonus = min(2, table.box[0])",
            """bonus = 2
    if table.box[0] < 2:
        bonus = table.box[0]""",
        ),
    ],
)
def test_a_bonus_may_be_written_in_several_ways(capsys, lines):
    assert said(capsys, "ru-2", side(lines)).startswith("ru-2: right!")


@pytest.mark.parametrize(
    "answer, words",
    [
        (side(BONUS.partition("\n")[0] + "\n" + BONUS.rpartition("\n")[2]), "No chit appears from nowhere"),
        (side(BONUS.replace("min(2, table.box[0])", "2")), "What is not in the box cannot be taken out of it"),
        (side(BONUS.replace("min(2, table.box[0])", "2 if table.box[0] >= 2 else 0")), "One chit in the box is better"),
        (side(BONUS.replace("min(2, table.box[0])", "0")), "The box gives nothing"),
        (side("pass"), "The box gives nothing"),
        (side(BONUS.replace("min(2", "min(3")), "The bonus is two chits"),
        (side("pay(table, hit, car, 2, v, HOUSE, crash, trace)"), "B pays the bonus. It should come from the box."),
        (side(BONUS.replace("winner", "table.driver[hit]")), "`table.driver[car]` is the driver of the rammer"),
        (side(BONUS.replace("table.box[0] - bonus", "table.box[0] + bonus")), "No chit appears from nowhere"),
        (
            other(SIDE.format(BONUS), "    turn(table, hit, -1 if side <= 2 else 1, HOUSE, crash, trace)\n", ""),
            "the car that was hit faces the wrong way",
        ),
        (side(f"{BONUS}\n    happen(table.speed, SPEED, hit, 0, HOUSE, crash, trace)"), "says nothing about speeds"),
        (side("table.box[0] -= 2"), "change a table only with happen()"),
        (lesson.hit_rear, "must be named hit_side"),
    ],
)
def test_wrong_bonuses_get_their_hints(capsys, answer, words):
    assert words in said(capsys, "ru-2", answer)


# ru-3

HALF = '''
def pay_box(table, payer, amount, rule, cause, trace):
    """Into the box one pays one chit at most, and only who has more than ten."""
    next_beat(trace)
    paid = {}
    happen(table.chits, CHITS, payer, table.chits[payer] - paid, rule, cause, trace)
    happen(table.box, BOX, 0, table.box[0] + paid, rule, cause, trace)
'''
FEW = "min(amount, 1 if table.chits[payer] > 10 else 0)"


def paying(paid=FEW):
    return GAME.with_rules(cell(HALF.format(paid))["pay_box"])


def named(name, source):
    return GAME.with_rules(cell(source)[name])


FRONT = '''
def hit_front(table, car, hit, v, cause, trace):
    """Nobody pays where two meet."""
    return note(HOUSE, cause, car + 1, hit + 1, v, table.speed[hit], trace)
'''


def test_a_gentle_rule_is_right(capsys):
    assert said(capsys, "ru-3", paying()).startswith("ru-3: right!")


@pytest.mark.parametrize(
    "answer, words",
    [
        (GAME, "these are the book's rules"),
        (lesson.hit_rear, "give the game, not the function"),
        ("mine", "give a game, as returned by game.with_rules(...), not 'mine'"),
        (paying().changed(standstill="none"), "is a different game from"),
        (crashlab.game("crash_city", players=2).with_rules(*example_rules.NEXT_JOB), "is a different game"),
        (paying("0"), "who run into something must still pay something"),
        (paying("min(2 * amount, table.chits[payer])"), "Who pays more now?"),
        (paying("min(amount, table.chits[payer], 2)"), "chits more than by the book"),
        (paying("-1"), "this rule is not sound; crashlab.try_rules(mine) shows where: invariant"),
        (named("hit_front", FRONT), "that may be due to chance"),
        (
            named("shove", 'def shove(table, car, blow, cause, trace):\n    """No."""\n    return False'),
            "all games end as",
        ),
        (
            named(
                "hit_barrier",
                '''
def hit_barrier(table, car, hit, v, cause, trace):
    """It is to be written."""
    raise NotImplementedError
''',
            ),
            "not written yet",
        ),
        (..., "not written yet"),
    ],
)
@pytest.mark.few(4)
def test_what_is_not_gentle_gets_its_hint(capsys, answer, words):
    assert words in said(capsys, "ru-3", answer)
