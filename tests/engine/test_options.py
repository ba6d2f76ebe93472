"""Options: the values that users may write, and the ints for them in the table."""

import numpy as np
import pytest

from crashlab import CrashlabError
from crashlab.base.errors import whole
from crashlab.engine.options import NO_LIMIT, Option, settle

WORDS = Option("standstill", "none", ("none", "half"), "an option of words")
SWITCH = Option("push", False, (False, True), "an option that is on or off")
SIZE = Option("players", 4, (2, 3, 4), "an option of a few numbers")
LIMIT = Option("turn_limit", 300, range(1, 10_001), "an option of many numbers, or none", optional=True)


@pytest.mark.parametrize(
    "option, value, inside",
    [
        (WORDS, "none", 0),
        (WORDS, "half", 1),
        (SWITCH, False, 0),
        (SWITCH, True, 1),
        (SIZE, 3, 3),
        (LIMIT, 1, 1),
        (LIMIT, 10_000, 10_000),
        (LIMIT, None, NO_LIMIT),
    ],
)
def test_a_value_has_its_int(option, value, inside):
    assert option.inside(value) == inside
    assert option.settled(value) is value or option.settled(value) == value


@pytest.mark.parametrize(
    "option, value, words",
    [
        (WORDS, 0, "choose one of 'none', 'half'"),
        (WORDS, None, "standstill=None"),
        (SWITCH, 1, "push=1: choose one of False, True"),
        (SIZE, True, "players=True: choose one of 2, 3, 4"),
        (SIZE, 5, "players=5"),
        (LIMIT, 0, "turn_limit=0: choose a whole number from 1 to 10000, or None"),
        (LIMIT, True, "turn_limit=True"),
        (LIMIT, "10", "turn_limit='10'"),
        (LIMIT, 10**5000, "turn_limit=a number with thousands of digits"),
        (LIMIT, np.array([1, 2]), "turn_limit=array([1, 2]): choose"),
        (SIZE, np.True_, "players="),
        (WORDS, ["none"], "standstill=['none']"),
        (WORDS, "x" * 5000, "xxx ...: choose"),
    ],
    ids=range(13),
)
def test_anything_else_is_refused_in_words(option, value, words):
    with pytest.raises(CrashlabError) as error:
        option.inside(value)
    assert words in str(error.value)


def test_equal_numbers_of_other_kinds_become_plain_ones():
    settled = settle([SIZE, LIMIT], {"players": np.int64(3), "turn_limit": 7.0})
    assert settled == {"players": 3, "turn_limit": 7} and {type(value) for value in settled.values()} == {int}
    assert settle([SWITCH], {"push": np.True_}) == {"push": True}


def test_defaults_are_filled_in_and_unknown_names_refused():
    assert settle([WORDS, LIMIT], {}) == {"standstill": "none", "turn_limit": 300}
    with pytest.raises(CrashlabError, match="no option 'colour'; the options are standstill, turn_limit"):
        settle([WORDS, LIMIT], {"colour": 1})


@pytest.mark.parametrize("number", [3, np.int64(3), np.uint8(3)])
def test_a_whole_number_may_be_one_of_numpy(number):
    result = whole("games", number, least=3)
    assert result == 3 and type(result) is int


@pytest.mark.parametrize("number", [2, True, 3.0, "3", None])
def test_what_is_no_whole_number_or_too_small_is_refused(number):
    with pytest.raises(CrashlabError, match=r"games=.*: give a whole number from 3; really"):
        whole("games", number, least=3, more="; really")
