"""The common parts of all notations: lists, numbers and names, and refusals."""

import pytest

from crashlab.base.errors import CrashlabError, short_repr
from crashlab.engine.notation import (
    about,
    as_list,
    called,
    check_keys,
    chosen,
    counted,
    fields,
    flag,
    pair,
    pieces,
    plain,
    read_seat,
    refuse,
    sections,
    some,
    together,
    trimmed,
    unique,
    whole,
    winners_words,
)

HUGE = 10**5000  # Python refuses to write this many digits


def refusal(function, *arguments):
    """Return the message with which the call is refused."""
    with pytest.raises(CrashlabError) as caught:
        function(*arguments)
    return str(caught.value)


# Words for values


def test_lists_in_words():
    assert [some(things) for things in ([], [3], (3, 4, "x"))] == ["none", "3", "3, 4, x"]
    assert [together(things) for things in ("", "N", "NS", "NSW")] == ["", "N", "N and S", "N, S and W"]
    assert together(number for number in (1, 2)) == "1 and 2"


@pytest.mark.parametrize(
    ("one", "words"),
    [("car", "2 cars"), ("factory", "2 factories"), ("battery", "2 batteries"), ("pass", "2 passes")],
)
def test_one_and_several_are_counted(one, words):
    assert counted(2, one) == words and counted(0, one) == words.replace("2", "0") and counted(1, one) == f"1 {one}"


def test_what_has_no_name_is_called_by_its_number():
    assert [called(("red", "blue"), number, "saucer") for number in (-1, 0, 1, 2)] == [
        "saucer -1",
        "red",
        "blue",
        "saucer 2",
    ]


def test_winners_are_bits_of_seats():
    assert winners_words(0b100) == "C wins"
    assert winners_words(0b1001) == "A and D share the win"
    assert winners_words(0b10000111) == "A, B, C and H share the win"


# One value from a word


NAMES = ("red", ("green", "lime tree"), "Greek blue", "blue")


@pytest.mark.parametrize(
    ("word", "place"),
    [("red", 0), ("RED ", 0), ("r", 0), ("green", 1), ("lime  Tree", 1), ("tr", 1), ("greek", 2), ("blue", 3)],
)
def test_a_name_or_a_clear_beginning_of_one_of_its_words_is_chosen(word, place):
    assert chosen(word, NAMES, "colour") == place


def test_a_name_that_is_not_clear_or_not_there_is_refused():
    names = "red, green, Greek blue, blue"
    assert refusal(chosen, "gre", NAMES, "colour") == f"colour: 'gre' could mean several of {names}"
    assert refusal(chosen, "b", NAMES, "colour") == f"colour: 'b' could mean several of {names}"
    assert refusal(chosen, "pink", NAMES, "colour", "or 1 to 4") == f"colour: 'pink' is not one of {names}, or 1 to 4"
    for word in ("", "  ", None, 3, ["red"], HUGE):
        assert refusal(chosen, word, NAMES, "colour") == f"colour: {short_repr(word)} is not one of {names}"


def test_a_seat_is_the_letter_of_somebody_who_plays():
    assert [read_seat(word, 3, "asked") for word in ("A", " b ", "c")] == [0, 1, 2] and read_seat("H", 8, "asked") == 7
    for word in ("D", "", "AB", "ABC", 1, None):
        assert refusal(read_seat, word, 3, "asked") == f"asked: there is no seat {word!r}; the seats are A, B, C"


def test_whole_numbers_have_at_most_nine_digits():
    assert [whole(word, "turn") for word in (0, 7, " 7 ", "007", 999_999_999)] == [0, 7, 7, 7, 999_999_999]
    for word in (-1, 10**9, True, 7.0, "-1", "+1", "1_0", "", "1" * 10, "\u0663", None, [7], HUGE, -HUGE):
        message = refusal(whole, word, "turn")
        assert message == f"turn: {short_repr(word)} is not a whole number from 0 to 999,999,999"


def test_numbers_that_cannot_be_written_out_are_shown_all_the_same():
    assert (short_repr("a"), short_repr(3), short_repr([None])) == ("'a'", "3", "[None]")
    assert short_repr(HUGE) == short_repr([HUGE]) == "a number with thousands of digits"


def test_a_flag_is_true_or_false_and_nothing_like_it():
    assert flag(True, "banned") is True and flag(False, "banned") is False
    for word in (0, 1, "true", None):
        assert refusal(flag, word, "banned") == f"banned: give true or false, not {word!r}"


def test_a_pair_is_two_whole_numbers_or_a_word_of_this_pattern():
    pattern = r"\(?([0-9]+),\s*(-?[0-9]+)\)?"
    assert [pair(word, pattern) for word in ([2, 0], (2, -1), "2,0", " (2, -1) ")] == [(2, 0), (2, -1)] * 2
    for word in ("2", "-2,0", [2], [2, 0, 1], [2, 0.5], [2, True], [2, "0"], [HUGE, 0], {2, 0}, None, 20):
        assert pair(word, pattern) is None


# Several values


def test_pieces_stand_between_the_marks():
    assert pieces(" a b , ,c,", ",") == ["a b", "c"] and pieces("", ",") == pieces(" / ", "/") == []


def test_a_list_is_wanted():
    assert as_list([1], "cars are wanted") == [1] and as_list((), "cars are wanted") == ()
    for entry in (3, "A1", None, {"A": 1}, {1}):
        assert refusal(as_list, entry, "cars are wanted") == f"cars are wanted, not {entry!r}"


def test_nothing_stands_twice():
    pairs = [("b", 1), ("a", 2)]
    assert list(unique("plots", pairs).items()) == pairs
    assert refusal(unique, "plots", [*pairs, ("b", 1)]) == "plots: b appears twice"
    assert refusal(unique, "seats", [(0, "x"), (0, "y")], "AB".__getitem__) == "seats: A appears twice"


def test_the_last_ones_that_are_none_are_left_out():
    assert trimmed([None, 0, None, "", None, None]) == [None, 0, None, ""]
    assert trimmed([None, None]) == trimmed([]) == []


# The parts of a position


def test_a_line_has_parts_with_keys():
    keys = ("turn", "cars", "placed")
    assert sections(" cars  A1 2,0 ;placed; turn 3;", keys) == {"cars": "A1 2,0", "placed": "", "turn": "3"}
    assert sections("", keys) == {}
    message = "cannot read 'wheel 3': a position has the parts turn, cars, placed, separated by ;"
    assert refusal(sections, "turn 1; wheel 3", keys) == message
    assert refusal(sections, "turn 1; cars; turn 1", keys) == "the part 'turn' appears twice in the position"


def test_unknown_keys_are_refused():
    check_keys({}, ("turn", "cars"))
    check_keys({"cars": 1}, ("turn", "cars"))
    assert refusal(check_keys, {"cars": 1, "car": 1}, ("turn", "cars")) == (
        "position: there is no key 'car'; the keys are turn, cars"
    )


def test_one_thing_is_told_by_its_fields():
    keys = ("hex", "speed")
    assert fields({"speed": 2}, keys, "car 1", "21E2") == {"speed": 2}
    for entry in ({"speed": 2, "wheel": 1}, ["speed"], None, 21):
        message = f"car 1: give hex, speed, or write it like '21E2', not {entry!r}"
        assert refusal(fields, entry, keys, "car 1", "21E2") == message


def test_a_position_is_refused_with_all_that_is_wrong():
    refuse([])
    assert refusal(refuse, ["no car", "no street"]) == "this position is impossible: no car; no street"


def test_a_row_of_four_in_three_rows_is_short_and_one_more_is_not():
    assert plain([1, 2, 3, 4]) == (1, 2, 3, 4) and plain([1, 2, 3, 4, 5]) is None
    assert plain([[[1]]]) == (((1,),),) and plain([[[[1]]]]) == (((None,),),)
    assert plain("x" * 40) == "x" * 40 and plain("x" * 41) is None


def test_a_refusal_says_what_it_is_about():
    def read(word):
        with about("operator"), about("cell"):
            return whole(word, "row")

    assert read("7") == 7
    assert refusal(read, "x") == "operator: cell: row: 'x' is not a whole number from 0 to 999,999,999"
    with pytest.raises(KeyError), about("operator"):
        raise KeyError
