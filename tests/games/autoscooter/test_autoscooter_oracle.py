"""The engine against the second opinion of `oracles/autoscooter_crash.py`, round by round in random play."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest
from autoscooter_positions import CRASH_CASES, FACINGS, car_from, crashes_in, drivers
from oracles.autoscooter_crash import resolve
from test_autoscooter_examples import chains, examples

import crashlab

HEXES = [(row, column) for row in range(7) for column in range(5 + row % 2)]
TABLES = [(2, 4), (2, 3), (3, 4), (4, 4), (5, 4), (6, 4), (7, 4), (8, 4)]  # players, cars
HOUSE = list(itertools.product(("at_move", "at_planning"), ("case", "speed")))
CROWDED_ROUNDS = 24  # for each table and house rule
NOTHING_WRITTEN = 0.06


@pytest.mark.few(2)
@pytest.mark.parametrize("rear_push", [False, True])
@pytest.mark.parametrize("standstill", ["about_face", "pivot_first", "turn_anyway", "none"])
def test_engine_and_second_opinion_agree(standstill, rear_push):
    chance = random.Random(f"{standstill} {rear_push}")
    counts = Counter()
    for (players, cars), (legality, own_car) in itertools.product(TABLES, HOUSE):
        options = {
            "players": players,
            "cars": cars,
            "standstill": standstill,
            "legality": legality,
            "own_car": own_car,
            "rear_push": rear_push,
        }
        game = crashlab.game("autoscooter", **options)
        for _ in range(CROWDED_ROUNDS):
            compare_round(game.read(crowd(chance, game)), options, chance, counts)
        state = game.start(seed=0)
        while not state.over:
            state = compare_round(state, options, chance, counts)
    assert all(counts[case] >= 100 for case in CRASH_CASES), counts
    rare = ("own car", "driverless", "short of chits", "nothing written")
    assert all(counts[what] >= 50 for what in rare), counts
    assert (counts["shove"] >= 100 and counts["second shove"] >= 20) == rear_push, counts
    assert (counts["shove"] == 0) != rear_push, counts


START_CHITS = {3: 20, 4: 20, 8: 10}
DEFAULTS = {"standstill": "about_face", "legality": "at_move", "own_car": "case", "rear_push": False}


@pytest.mark.few(6)
@pytest.mark.parametrize("example", examples())
def test_the_second_opinion_knows_the_worked_examples(example):
    assert_second_opinion(example, DEFAULTS | example.options)


@pytest.mark.few(6)
@pytest.mark.parametrize("chain", chains())
def test_the_second_opinion_knows_the_rear_pushes(chain):
    assert_second_opinion(chain, DEFAULTS | {"rear_push": True} | chain.options)


def assert_second_opinion(example, options):
    """Compare an example, in which only car 1 has a plot, with the second opinion."""
    seats = "ABCDEFGH"[: options["players"]]
    has = dict.fromkeys(seats, START_CHITS[options["players"]]) | example.chits
    cars = {str(car): car_from(words) | {"unused": [car]} for car, words in example.cars.items()}
    result = resolve({"cars": cars, "chits": has, "box": 0}, {1: f"1 {example.manoeuvre}"}, **options)
    cars_then = {
        car: f"({row},{column}) {facing} s{speed}" for car, ((row, column), facing, speed, _) in result["cars"].items()
    }
    assert cars_then == example.then
    gains = [count - before for count, before in zip(result["chits"], has.values(), strict=True)]
    assert gains == [example.change.get(seat, 0) for seat in seats]
    assert result["box"] == -sum(gains)
    assert [crash[:4] for crash in result["crashes"]] == example.crashes


def compare_round(state, options, chance, counts):
    """Play one random round, compare it with the second opinion, and return the state after it."""
    position, plots = state.to_dict(), {}
    waiting = drivers(state)
    while any(waiting.values()):
        choices = {seat: choose(state.actions(seat), chance) for seat in state.actors}
        plots |= {waiting[seat].pop(0): plot for seat, plot in choices.items()}
        turn = state.play(choices)
        state = turn.after
    theirs = resolve(plain(turn, position), plots, **options)
    ours = {
        "cars": {car: (it.hex, it.facing, it.speed, it.unused) for car, it in state.cars.items()},
        "chits": state.scores,
        "box": state.box,
        "crashes": crashes_in(turn.events),
    }
    assert ours == theirs, f"{options}\n{position}\n{plots}"
    count(turn, theirs["crashes"], plots, counts)
    return state


def plain(turn, position):
    """Return the position before the round without defaults."""
    before = turn.before
    chits = dict(zip("ABCDEFGH", before.scores, strict=False))
    cars = {
        str(car): {"hex": it.hex, "facing": it.facing, "speed": it.speed, "unused": it.unused}
        for car, it in before.cars.items()
    }
    assert position["cars"].keys() == cars.keys()
    return {"cars": cars, "chits": chits, "box": before.box}


def choose(actions, chance):
    return "-" if chance.random() < NOTHING_WRITTEN else str(chance.choice(actions))


def count(turn, crashes, plots, counts):
    driver = {car: it.driver for car, it in turn.after.cars.items()}
    counts.update(case for case, *_ in crashes)
    counts["own car"] += sum(driver[rammer] == driver.get(hit, -1) for _, rammer, hit, *_ in crashes)
    counts["driverless"] += sum(hit > 0 and driver[hit] is None for _, _, hit, *_ in crashes)
    counts["nothing written"] += sum(plot == "-" for plot in plots.values())
    counts["short of chits"] += any(event.rule == "AS-C7" for event in turn.events)
    cause_of = {event.number: event.cause for event in turn.events}
    shoves = {event.number for event in turn.events if event.rule == "AS-V1" and event.field is None}
    counts["shove"] += len(shoves)
    counts["second shove"] += sum(cause_of[cause_of[shove]] in shoves for shove in shoves)


# Positions in which fronts, sides, rears and lines are all frequent


def crowd(chance, game):
    """Return a random position: cars in one row, mostly facing along it, in a knot, or anywhere."""
    seats = game.start(seed=0)
    names = sorted(chance.sample(range(1, 9), chance.randint(3, 8)))
    if not any(seats.cars[name].driver is not None for name in names):
        names.append(1)
    arrange = chance.choice([in_a_row, in_a_row, in_a_knot, in_a_knot, anywhere])
    places = arrange(chance, len(names))
    along = chance.choice((0, 3)) if arrange is in_a_row else chance.randrange(6)
    facings = [FACINGS[along]] * (12 if arrange is in_a_row else 6) + [FACINGS[along - 3]] * 3 + [*FACINGS]
    cars = {}
    for name, place in zip(names, places, strict=True):
        speed = chance.choice((0, 1, 1, 2, 2, 3)) if seats.cars[name].driver is not None else 0
        cars[str(name)] = {"hex": list(place), "facing": chance.choice(facings), "speed": speed}
    chits = {seat: chance.randint(0, 3) for seat in "ABCDEFGH"[: len(seats.scores)] if chance.random() < 0.3}
    return {"round": chance.randint(1, 11), "cars": cars, "chits": chits}


def in_a_row(chance, count):
    row = chance.randrange(7)
    line = [place for place in HEXES if place[0] == row]
    rest = [place for place in HEXES if place[0] != row]
    chance.shuffle(line)
    return [*line, *chance.sample(rest, len(rest))][:count]


def in_a_knot(chance, count):
    row, column = chance.choice(HEXES)
    loosely = {place: abs(place[0] - row) + abs(place[1] - column) + chance.random() for place in HEXES}
    return sorted(HEXES, key=loosely.get)[:count]


def anywhere(chance, count):
    return chance.sample(HEXES, count)
