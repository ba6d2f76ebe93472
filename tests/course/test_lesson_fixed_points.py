"""Lesson 41: its chains match the engine, its invariant finds every bug, its magnets match the lessons of the game, and
wrong answers get their hints."""

from itertools import combinations

import pytest

import crashlab
from crashlab.course.exercises import CHECKS
from crashlab.course.lessons import crash_and_grab, crash_by_crash
from crashlab.course.lessons import fixed_points as lesson

# The chain


def row_of(state, row):
    """Return the letters of the seats with a saucer in a row, by space."""
    saucers = state.facts.saucers
    by_space = {10 * saucer.space[0] + saucer.space[1]: name for name, saucer in saucers.items() if saucer.space}
    letters = dict(zip(saucers, "ABCDEF", strict=False))
    return {space: letters[name] for space, name in sorted(by_space.items()) if space // 10 == row}


def test_a_chain_is_what_the_engine_plays():
    turns = [turn for seed in range(150) if (turn := lesson.crowded(seed))]
    assert len(turns) > 100
    for turn in turns:
        row = next(iter(turn.before.saucers.values())).space[0]
        line = row_of(turn.before, row)
        assert lesson.fly(line, min(line), 3, 3, lesson.pads_of(turn.before), lesson.SIX) == lesson.steps_of(turn)
        assert line == row_of(turn.after, row)


def test_no_chain_has_more_than_ten_steps_and_some_have_ten():
    lengths = [lesson.steps_of(turn) for seed in range(150) if (turn := lesson.crowded(seed))]
    assert max(lengths) == 10


def test_700_seeds_are_enough_for_500_boards():
    assert sum(lesson.crowded(seed) is not None for seed in range(0, 700, 7)) > 100 * 500 / 700


def test_a_right_flight_is_that_of_the_lesson_on_momentum():
    for line, space, left, distance, pads in lesson.CHECKS[0].fixed_cases:
        if left == distance:
            ended = crash_and_grab.flown(
                {at % 10: name for at, name in line.items()}, space % 10, distance, {pad % 10 for pad in pads}
            )
            after = lesson.flown(dict(line), space, distance, distance, pads)[1]
            assert {at % 10: name for at, name in after.items()} == ended


def test_the_board_is_empty_and_has_two_accelerators_in_the_row():
    assert not row_of(lesson.board(), 2)
    assert {pad for pad in lesson.pads_of(lesson.board()) if pad // 10 == 2} == {21, 27}


# The invariant


def reachable(line, space):
    """Yield every moment of a flight for any distance and any accelerators."""
    free = [place for place in range(20, 28) if place not in line]
    for distance in range(1, 6):
        for number in range(3):
            for pads in combinations(free, number):
                yield from lesson.moments(line, space, distance, pads)


@pytest.mark.parametrize("line", [{20: "A"}, {20: "A", 22: "B"}, {21: "A", 22: "B", 25: "C"}, {20: "A", 27: "B"}])
def test_what_can_be_is_possible(line):
    assert all(lesson.is_possible(*moment) for moment in reachable(line, min(line)))


def test_moments_lead_to_the_end_of_the_flight():
    for line, space, left, distance, pads in lesson.CHECKS[0].fixed_cases:
        start, now, mover, place = list(lesson.moments(line, space, distance, pads))[-1]
        after = lesson.flown(dict(line), space, distance, distance, pads)[1]
        assert start == line
        assert after in (now, now | {place: mover}) or place == 27, left


@pytest.mark.parametrize("bug", lesson.BUGS)
def test_every_bug_shows(bug):
    line = {20: "A", 22: "B", 25: "C"}
    assert any(lesson.wrong(*moment) for moment in lesson.moments(line, 20, 3, (), bug))


def test_the_exercise_has_moments_of_both_kinds_and_of_every_bug():
    problems = [lesson.wrong(*moment) for moment in lesson.situations()]
    for words in ("", "is lost", "appears twice", "no saucer was called", "has moved", "the order from left to right"):
        assert any(words in problem if words else not problem for problem in problems)


# Fixed points


def test_flights_end_where_the_search_of_the_game_says():
    state = crashlab.game("crash_and_grab").start(seed=24)
    pads = lesson.pads_of(state)
    for space in (41, 23, 0, 77, *pads):
        for distance in (2, 3, 5):
            ends = set()
            for direction in range(4):
                there = space
                for _ in range(distance):
                    there = crash_and_grab.ahead(there, direction)
                    if there is None or there in pads:
                        break
                ends.add(there)
            assert lesson.ends(space, distance, pads) == ends - {None}


def test_magnets_pull_as_the_lesson_of_the_game_says():
    rng = crashlab.Random(1)
    for _ in range(100):
        cars, magnets = crash_by_crash.random_board(rng)
        assert lesson.pulled(cars, magnets) == dict(crash_by_crash.pulls(cars, magnets))


@pytest.mark.parametrize("which", [min, max])
def test_on_the_floor_many_cars_are_pulled_one_by_one_and_fewer_are_free_each_time(which):
    cars, magnets = set(lesson.CARS) | set(lesson.MAGNETS), set(lesson.MAGNETS)
    free = [len(cars - lesson.beside(magnets) - magnets)]
    while moves := lesson.pulled(cars, magnets):
        car = which(moves)
        cars = cars - {car} | {moves[car]}
        free.append(len(cars - lesson.beside(magnets) - magnets))
    assert free == list(range(free[0], free[-1] - 1, -1)) and len(free) > 8


def test_the_floor_has_these_cars():
    sides = lesson.floor().sides.values()
    assert {cell for side in sides for cell in side.cars} == set(lesson.CARS)
    assert {side.magnet for side in sides} == set(lesson.MAGNETS)


# The exercises


def loop(line, space, left, distance, pads):
    """Compute it by a loop, while the lesson's answer is a recursion."""
    mover, steps = line.pop(space), 0
    while left > 0:
        space, left, steps = space + 1, left - 1, steps + 1
        if space % 10 == 8:
            return steps
        if space in line:
            line[space], mover, left = mover, line[space], distance
        left = distance if space in pads else left
    line[space] = mover
    return steps


def without_pads(line, space, left, distance, pads):
    return loop(line, space, left, distance, ())


def without_return(line, space, left, distance, pads):
    loop(line, space, left, distance, pads)


def own_steps_only(line, space, left, distance, pads):
    return min(1, loop(line, space, left, distance, pads))


def momentum_gets_weaker(line, space, left, distance, pads):
    lesson.weaker(line, space, left, distance, pads)
    return 0


def flies_what_is_left(line, space, left, distance, pads):
    if left == 0:
        return 0
    name, there = line.pop(space), space + 1
    if there % 10 == 8:
        return 1
    if there in line:
        steps = flies_what_is_left(line, there, left, distance, pads)
        line[there] = name
        return 1 + steps
    line[there] = name
    return 1 + flies_what_is_left(line, there, distance if there in pads else left - 1, distance, pads)


def down_first(line, space, left, distance, pads):
    if left == 0:
        return 0
    name, there = line.pop(space), space + 1
    if there % 10 == 8:
        return 1
    was_there = there in line
    line[there] = name
    again = was_there or there in pads
    return 1 + down_first(line, there, distance if again else left - 1, distance, pads)


def over_the_edge(line, space, left, distance, pads):
    if left == 0:
        return 0
    name, there = line.pop(space), space + 1
    steps = over_the_edge(line, there, distance, distance, pads) if there in line else 0
    line[there] = name
    if steps:
        return 1 + steps
    return 1 + over_the_edge(line, there, distance if there in pads else left - 1, distance, pads)


def rests_on_pads(line, space, left, distance, pads):
    steps = loop(line, space, left, distance, pads)
    if pads:
        line.pop(max(line), None)
        line[min(pads)] = "A"
    return steps


def same_people(start, line, mover, space):
    return sorted([*line.values(), mover]) == sorted(start.values())


def same_order(start, line, mover, space):
    behind, ahead = ([line[p] for p in sorted(line) if (p > space) == is_ahead] for is_ahead in (False, True))
    return [*behind, mover, *ahead] == [start[place] for place in sorted(start)]


def whole(start, line, mover, space):
    """Check more than the lesson does: a saucer that hit another is exactly where that one started."""
    names = [start[place] for place in sorted(start)]
    hit = names.index(mover) if mover in names else -1
    places = sorted(start)
    stay = {places[number + 1]: names[number] for number in range(max(hit, 0))}
    others = stay | {place: start[place] for place in places[hit + 1 :]}
    return hit >= 0 and line == others and places[hit] <= space < [*places, 28][hit + 1]


@pytest.mark.parametrize("name, answer", [("al-41", loop), ("al-41b", whole)])
def test_a_right_answer_is_right(capsys, name, answer):
    assert crashlab.check(name, answer)
    assert capsys.readouterr().out == f"{name}: right! {CHECKS[name].then}\n"


@pytest.mark.parametrize(
    "name, answer, hint",
    [
        ("al-41", lambda line, space, left, distance, pads: 0, "nothing has changed"),
        ("al-41", without_return, "nothing is returned. How many steps"),
        ("al-41", own_steps_only, "How many of them did the inner call make?"),
        ("al-41", without_pads, "ignores the accelerators"),
        ("al-41", without_pads, "Step by step: "),
        ("al-41", momentum_gets_weaker, "The steps are 2 in all, and you say 0"),
        ("al-41", lambda *args: (lesson.weaker(*args), loop({20: "A"}, 20, *args[2:]))[1], "the whole distance"),
        ("al-41", flies_what_is_left, "the whole distance, not what the other had left"),
        ("al-41", down_first, "B is lost. Let the saucer that is hit fly first"),
        ("al-41", over_the_edge, "there is no column 8"),
        ("al-41", rests_on_pads, "cannot rest on an accelerator"),
        ("al-41", lambda line, space, left: 0, "It is called as fly(line, space, left, distance, pads)"),
        ("al-41b", lambda start, line, mover, space: True, "you say True, but"),
        ("al-41b", lambda start, line, mover, space: line == start, "this is how the row looks before the first hit"),
        ("al-41b", lambda start, line, mover, space: line.items() <= start.items(), "takes its place"),
        ("al-41b", lambda start, line, mover, space: len(line) + 1 == len(start), "right is B A, but"),
        (
            "al-41b",
            lambda start, line, mover, space: whole(start, line, mover.upper(), space),
            "no saucer was called b",
        ),
        ("al-41b", lambda start, line, mover, space: mover not in line.values(), "A is lost"),
        ("al-41b", lambda start, line, mover, space: {*line.values(), mover} == {*start.values()}, "A appears twice"),
        ("al-41b", same_people, "the order from left to right is B A, but it was A B"),
        ("al-41b", same_order, "has moved, but no saucer has reached it yet"),
        ("al-41b", lambda start, line, mover, space: None, "Return True or False"),
        ("al-41b", lambda start, line, mover, space: len(line), "Return True or False"),
    ],
)
def test_a_wrong_answer_gets_its_hint(capsys, name, answer, hint):
    assert not crashlab.check(name, answer)
    words = capsys.readouterr().out
    assert words.startswith(f"{name}: not yet: ") and hint in words
