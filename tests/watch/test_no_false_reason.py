"""The reasons of random programs and lessons agree with an interpreter that tracks the sources of values."""

from copy import deepcopy

import pytest
from effort import effort
from reason_count import count, course_cases, lesson_cases, reasons_of, space_of
from small_programs import Programs
from tagged_interpreter import Interpreter, TooLong

from crashlab import record

MANY = effort(200, 1000, 10_000)  # programs


def judge(seed):
    """Return the number of reasons, the missing and false ones, and the text of a random program; None if it fails."""
    programs = Programs(seed)
    text, arguments = programs.text(), programs.arguments()
    function = space_of(text, f"<program {seed}>")["f"]
    run = Interpreter(text)
    try:
        result = run.run("f", *deepcopy(arguments))
        expected = function(*deepcopy(arguments))
    except (TooLong, LookupError, ArithmeticError, RuntimeError, ValueError):
        return None
    assert result == expected, text
    film = record(function, *deepcopy(arguments))
    assert film.result == expected and film.stopped == ""
    reasons = reasons_of(film, run.writes)
    false = [reason.words for reason in reasons if reason.is_false]
    silent = [reason.words for reason in reasons if reason.is_missing]
    return len(reasons), silent, false, text


@pytest.mark.parametrize("part", range(4))
def test_random_programs_are_told_no_false_reason(part):
    events = told_nothing = programs = 0
    for seed in range(part * MANY // 4, (part + 1) * MANY // 4):
        result = judge(seed)
        if result is not None:
            number, silent, false, text = result
            assert not false, f"{false[:3]}\n{text}"
            programs, events, told_nothing = programs + 1, events + number, told_nothing + len(silent)
    assert programs > MANY / 8 and events > 10 * programs
    assert told_nothing * 10 <= events, (told_nothing, events)


LESSONS, COURSE = lesson_cases(), course_cases()


@pytest.mark.parametrize("name", [*LESSONS, *COURSE])
def test_functions_of_a_first_course_are_told_no_false_reason_and_few_none(name):
    counts = count(*(LESSONS | COURSE)[name])
    assert not counts.false
    assert len(counts.missing) * 10 <= len(counts.reasons), counts.missing
