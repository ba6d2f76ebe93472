"""No reason is false: programs, against an interpreter whose values carry where they come from."""

import random
from copy import deepcopy

import pytest
from effort import effort
from reason_count import counted, lesson_cases, own_cases, space_of, told_by
from small_programs import Programs
from tagged_interpreter import Interpreter, TooLong, differ

from crashlab import record

MANY = effort(200, 1000, 10_000)  # programs


def able(text, given, writes, event, cause, rng):
    """Whether another value of a cause can change an event, whatever else it comes from.

    Where another value is as great, as in a sort, it may stand in for the cause: such ones are exchanged with it, too.
    """
    same = [write for write in writes[: writes.index(event)] if write.made == cause.made]
    others = [write.step for write in writes if write.number in event.sources or write in same if write is not cause]
    is_counted = "GONE" in (cause.before, cause.after)
    if cause.place[0] == "[]" and (is_counted or type(cause.place[1]) is str) or cause.made[0] == "{":
        return True  # it may be the key that came with it, or how many there are, which stays the same
    if cause.held is not None and cause.held is event.held:
        return True  # it is that very list, whatever is in it by now
    for _ in range(40):
        few = rng.choice([range(-4, 12), range(-30, 60)])
        forced = {step: rng.choice(few) for step in others if rng.random() < 0.5}
        runs = [Interpreter(text, {**forced, cause.step: value}) for value in rng.sample(few, 2)]
        for run in runs:
            try:
                run.run("f", *deepcopy(given))
            except (TooLong, LookupError, ArithmeticError, RuntimeError, TypeError, ValueError):
                return True  # another way was gone
        if differ(*runs, event):
            return True
    return False


def judged(seed):
    """How many events of a random program have sources, what is silent and what is false; None if it is none."""
    programs = Programs(seed)
    text, given = programs.text(), programs.given()
    function = space_of(text, f"<program {seed}>")["f"]
    run = Interpreter(text)
    try:
        found = run.run("f", *deepcopy(given))
        wanted = function(*deepcopy(given))
    except (TooLong, LookupError, ArithmeticError, RuntimeError, ValueError):
        return None
    assert found == wanted, text
    film = record(function, *deepcopy(given))
    assert film.result == wanted and film.stopped == ""
    told = told_by(film, run.writes)
    rng = random.Random(seed)
    false = [each.words for each in told if each.is_false]
    for each in told:
        is_able = each.is_missing or rng.random() >= 0.02 or able(text, given, run.writes, each.write, each.cause, rng)
        false += [] if is_able else [f"{each.words} cannot be changed by that"]
    silent = [each.words for each in told if each.is_missing]
    return len(told), silent, false, text


@pytest.mark.parametrize("part", range(4))
def test_random_programs_are_told_no_false_reason(part):
    events = told_nothing = programs = 0
    for seed in range(part * MANY // 4, (part + 1) * MANY // 4):
        found = judged(seed)
        if found is not None:
            count, silent, false, text = found
            assert not false, f"{false[:3]}\n{text}"
            programs, events, told_nothing = programs + 1, events + count, told_nothing + len(silent)
    assert programs > MANY / 8 and events > 10 * programs
    assert told_nothing * 10 <= events, (told_nothing, events)


LESSONS, OWN = lesson_cases(), own_cases()


@pytest.mark.parametrize("name", [*LESSONS, *OWN])
def test_functions_of_a_first_course_are_told_no_false_reason_and_few_none(name):
    count = counted(*(LESSONS | OWN)[name])
    assert not count.false
    assert len(count.missing) * 10 <= len(count.told), count.missing
