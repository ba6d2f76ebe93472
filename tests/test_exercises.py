"""Exercises: a right answer is right, a wrong one gets a hint that helps."""

import sys
from pathlib import Path

import numpy as np
import pytest

import crashlab
from crashlab import CrashlabError, agents
from crashlab.exercises import CHECKS


def said(capsys, name, answer):
    crashlab.check(name, answer)
    return capsys.readouterr().out


def gain(case, v, w):
    return {"front": v - w, "standing": v, "rear": v, "side": v + w}[case]


def crash_case(side, w):
    return "standing" if w == 0 else {0: "front", 3: "rear"}.get(side, "side")


def careful(state, seat):
    sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))
    from my_agent import careful

    return careful(state, seat)


RIGHT = {
    "as-1": lambda blow, facing: (blow + 3 - facing) % 6,
    "as-2": crash_case,
    "as-3": gain,
    "as-5": "49 FFF",
    "as-4": lambda side, facing: (facing + (0, -1, -1, 0, 1, 1)[side]) % 6,
    "as-6": careful,
    "st-1": lambda sample: 1.96 * np.std(sample, ddof=1) / len(sample) ** 0.5,
    "st-2": lambda games, width, wanted: games * width**2 / wanted**2,
    "st-3": lambda matrix, x, y: x @ matrix @ y,
}


def test_every_exercise_has_a_right_answer_here():
    assert RIGHT.keys() == CHECKS.keys()


@pytest.mark.parametrize("name", CHECKS)
def test_the_right_answer_is_right(capsys, name):
    assert said(capsys, name, RIGHT[name]) == f"{name}: right!\n"


@pytest.mark.parametrize(
    "name, answer, hint",
    [
        ("as-1", lambda blow, facing: (blow - facing) % 6, "half a turn"),
        ("as-1", lambda blow, facing: (facing - blow - 3) % 6, "left turns are"),
        ("as-1", lambda blow, facing: blow + 3 - facing, "% 6"),
        ("as-1", lambda blow, facing: None, "nose must be 0"),
        ("as-1", lambda blow: 0, "stops with TypeError"),
        ("as-1", 3, "Give its name alone, without brackets"),
        ("as-6", None, "Give its name alone, without brackets"),
        ("as-2", lambda side, w: {0: "front", 3: "rear"}.get(side, "side"), "AS-C2"),
        ("as-2", lambda side, w: "standing" if w == 0 else "side", "tail"),
        ("as-3", lambda case, v, w: abs(gain(case, v, w)), "slower driver pays"),
        ("as-3", lambda case, v, w: v, "table of the crash cases"),
        ("as-5", "1 F", "brings 0 chits, but 5 are possible"),
        ("as-5", "2 FFF", "not a number of car 1"),
        ("as-5", None, "brings"),
        ("as-4", lambda side, facing: facing, "by one sixth"),
        ("as-4", lambda side, facing: facing + (0, -1, -1, 0, 1, 1)[side], "% 6"),
        ("as-4", lambda side, facing: (facing + (0, 1, 1, 0, -1, -1)[side]) % 6, "AWAY"),
        ("as-4", lambda side, facing: (facing + 1) % 6, "turn nothing"),
        ("as-6", agents.random(3), "18 are wanted"),
        ("as-6", lambda state, seat: state.actions(seat)[0], "18 are wanted"),
        ("as-6", lambda state, seat: "99 F", "stops with CrashlabError"),
        ("st-1", lambda sample: 1.96 * np.std(sample) / len(sample) ** 0.5, "ddof=1"),
        ("st-1", lambda sample: 1.96 * np.std(sample, ddof=1), "divide by the root of n"),
        ("st-1", lambda sample: np.std(sample, ddof=1) / len(sample) ** 0.5, "need 1.96 of them"),
        ("st-1", lambda sample: 3.92 * np.std(sample, ddof=1) / len(sample) ** 0.5, "the whole width"),
        ("st-1", lambda sample: None, "Does your function return"),
        ("st-1", lambda sample: 7.0, "it should be"),
        ("st-2", lambda games, width, wanted: games * width / wanted, "the square of the ratio"),
        ("st-2", lambda games, width, wanted: games * (wanted / width) ** 2, "more games, not fewer"),
        ("st-2", lambda games, width, wanted: games * (width / wanted) ** 2 - games, "in all"),
        ("st-2", lambda games, width, wanted: games, "400 are needed"),
        ("st-3", lambda matrix, x, y: matrix.mean(), "the probability that both choose it"),
        ("st-3", lambda matrix, x, y: x @ matrix, "one number is wanted"),
        ("st-3", lambda matrix, x, y: matrix[0, 0], "but it is"),
    ],
)
def test_a_wrong_answer_gets_its_hint(capsys, name, answer, hint):
    words = said(capsys, name, answer)
    assert words.startswith(f"{name}: not yet: ") and hint in words


def test_an_answer_that_is_not_written_yet_is_no_error(capsys):
    def stub(*arguments):
        raise NotImplementedError

    assert "not written yet" in said(capsys, "as-1", stub)
    assert "not written yet" in said(capsys, "as-6", stub)  # an agent


def test_an_unknown_exercise_is_refused():
    with pytest.raises(CrashlabError, match="the exercises are as-1"):
        crashlab.check("as-99", 1)
    with pytest.raises(CrashlabError, match="the exercises are as-1"):
        crashlab.check([], 1)
