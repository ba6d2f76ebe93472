"""What can be asked about a turn of CrashCity before it is shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from math import dist
from typing import Any

from crashlab.drawing.shapes import Point, Shape
from crashlab.engine.prompts import Choice, Question
from crashlab.engine.table import NOWHERE, Row
from crashlab.engine.words import seat_name
from crashlab.games import toolkit
from crashlab.games.boards import streets
from crashlab.games.boards.streets import DIRECTIONS
from crashlab.games.crash_city import board, rules
from crashlab.games.crash_city import table as t
from crashlab.games.crash_city import words as w
from crashlab.games.crash_city.decisions import listed
from crashlab.games.crash_city.effects import is_crash

NEIGHBOURS = 4  # cars that could have been hit instead, and how many tiles away they may be
MANY = 6  # so many, or more, are one answer to how many there are


def questions(turn: Any) -> tuple[Question, ...]:
    """What to ask about a turn before it is shown: how many lanes it connects, what can be built then; whom a car hits,
    where cars end and face, who is next, how many ways out there are.

    Of the questions that one beat decides only the first is asked: one thing is asked about each moment.
    """
    rows: Sequence[Row] = turn.rows
    before, after = turn.before.table, turn.after.table
    found = [*lanes_question(before, rows), *car_questions(before, after, rows)]
    if found and before.phase[0] in (t.RACE, t.ANSWER):
        found += next_question(after, rows)
    first: dict[int, Question] = {}
    for question in found:
        first.setdefault(rows[question.reason].beat, question)
    decided = [first[beat] for beat in sorted(first)]
    return (*decided, *building_question(turn, rows), *ways_out_question(turn, rows))


def numbered(rows: Sequence[Row], field: int) -> list[int]:
    """The numbers of the events that change this field."""
    return [number for number, row in enumerate(rows) if row.field == field]


def lanes_question(before: t.CrashCity, rows: Sequence[Row]) -> Iterator[Question]:
    """CC-G5: how many lanes does a new tile connect?"""
    laid = numbered(rows, rules.STREET)
    joined = numbered(rows, rules.JOINED)
    if laid and before.phase[0] == t.ROTATE:
        yield Question("How many lanes are connected by it?", *how_many(len(joined)), joined[-1])


def building_question(turn: Any, rows: Sequence[Row]) -> Iterator[Question]:
    """CC-B5: what can be built on the new tile?"""
    after = turn.after.table
    asked = numbered(rows, rules.PHASE)
    if not asked or after.phase[0] != t.BUILD:
        return
    seat = after.asked[0]
    left = [building for building in range(len(t.BUILDING_NAMES)) if after.stock[3 * seat + building] > 0]
    sets = [some for count in range(1, len(left) + 1) for some in combinations(left, count)]
    if len(sets) > 1:
        right = sets.index(tuple(sorted(code - t.ERECT for code in listed(after))))
        answers = tuple(", ".join(t.BUILDING_NAMES[building] for building in some) for some in sets)
        asking = f"What can {seat_name(seat)} build there?"
        yield Question(asking, answers, right, asked[-1], shapes=offered(turn))


def car_questions(before: t.CrashCity, after: t.CrashCity, rows: Sequence[Row]) -> Iterator[Question]:
    """CC-R3, CC-R4, CC-C: which car is hit, where is it in the end, and how do cars face that have moved?

    The way of the driver would tell; it is to be found in the city.
    """
    for number in crashes(rows)[:1]:
        driver, hit, *_ = rows[number].numbers
        ways = sorted({hit, *others(before, hit, driver)})
        if len(ways) > 1:
            yield hit_question(before, after, ways, hit, number)
    moved = list(dict.fromkeys(rows[n].index for n in numbered(rows, rules.WHERE) if NOWHERE < rows[n].before < t.ROOF))
    for car in moved[:2]:
        last = [n for n in numbered(rows, rules.WHERE) if rows[n].index == car][-1]
        turned = [n for n in numbered(rows, rules.FACING) if rows[n].index == car]
        if after.where[car] < t.ROOF and car != moved[0]:  # of the first one everybody sees where it goes
            yield space_question(before, after, car, last)
        if after.where[car] < t.ROOF:
            asking = f"Which way does {t.car_name(car)} face at the end?"
            yield Question(asking, DIRECTIONS, after.facing[car], (turned or [last])[-1], hides_ways=True)


def hit_question(before: t.CrashCity, after: t.CrashCity, cars: Sequence[int], hit: int, reason: int) -> Question:
    """CC-C: which of these cars is hit?"""
    seen = board.view(after)
    places = tuple(board.car_at(before, seen, car) for car in cars)
    outlines = tuple(outline(before, seen, before.where[car]) for car in cars)
    names = tuple(map(t.car_name, cars))
    asking, right = "Which car is hit?", cars.index(hit)
    return Question(asking, names, right, reason, places, outlines=outlines, hides_ways=True)


def outline(table: t.CrashCity, seen: board.View, space: int) -> tuple[Point, ...]:
    """The outline of a lane."""
    return board.lane_box(seen, *streets.xy(table.spot[space // 4]), space % 4)


def crashes(rows: Sequence[Row]) -> list[int]:
    """The numbers of the events in which a car hits another one."""
    return [number for number, row in enumerate(rows) if is_crash(row)]


def ways_out_question(turn: Any, rows: Sequence[Row]) -> Iterator[Question]:
    """CC-C: how many outcomes has the car that was hit?"""
    after = turn.after.table
    if after.phase[0] == t.ANSWER and crashes(rows):
        asking = "How many ways out has the car that is hit?"
        yield Question(asking, *how_many(len(listed(after))), crashes(rows)[-1], shapes=offered(turn), hides_ways=True)


def offered(turn: Any) -> tuple[Shape, ...]:
    """All that can be chosen after a turn."""
    after = turn.after.table
    choices: tuple[Choice, ...] = turn.after.game.ask.choices(after, rules.actors(after).bit_length() - 1, ())
    return tuple(shape for choice in choices for shape in choice.shapes)


def how_many(count: int) -> tuple[tuple[str, ...], int]:
    """The answers to how many there are, of at least one, and which is right; they are the same whatever is right."""
    return (*(str(number) for number in range(1, MANY)), f"{MANY} or more"), min(count, MANY) - 1


def others(table: t.CrashCity, hit: int, driver: int) -> list[int]:
    """The cars on the street besides these two that are nearest to the one that is hit, if they are near enough."""
    seen = board.view(table)
    here = board.car_at(table, seen, hit)
    cars = [car for car, where in enumerate(table.where) if NOWHERE < where < t.ROOF and car not in (hit, driver)]
    far = {car: dist(board.car_at(table, seen, car), here) for car in cars}
    near = [car for car in cars if far[car] < NEIGHBOURS * seen.unit]
    return sorted(near, key=lambda car: far[car])[:NEIGHBOURS]


def space_question(before: t.CrashCity, after: t.CrashCity, car: int, reason: int) -> Question:
    """Where does a car end? The answers are its space, and what lies round where it was and where it is."""
    end, start = after.where[car], before.where[car]
    seen = board.view(after)
    roads = t.city(after)
    lane, old = t.lane_of(after, end), t.lane_of(after, start)
    near = [lane, old, *sorted(roads.beside(old))[:3], *sorted(roads.beside(lane))]
    lanes = sorted(list(dict.fromkeys(near))[:6])
    spaces = [t.space_at(after, *other) for other in lanes]

    def name(space: int) -> str:
        return w.lane_text(after, space)

    def place(space: int) -> Point:
        return board.lane_at(after, seen, space)

    def outline_of(space: int) -> tuple[Point, ...]:
        return outline(after, seen, space)

    asked = toolkit.where(f"Where does {t.car_name(car)} end?", spaces, end, reason, name, place, outline_of)
    return replace(asked, hides_ways=True)


def next_question(after: t.CrashCity, rows: Sequence[Row]) -> Iterator[Question]:
    """Who decides next?"""
    decides = numbered(rows, rules.HIT) + numbered(rows, rules.ASKED) + numbered(rows, rules.PHASE)
    names = (*(seat_name(seat) for seat in range(after.players[0])), "nobody")
    bits = rules.actors(after)
    if decides and bits >= 0:
        yield Question("Who decides next?", names, bits.bit_length() - 1 if bits else len(names) - 1, max(decides))
