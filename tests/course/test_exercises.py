"""Exercises: a right answer passes, a wrong one gets a useful hint."""

import signal
import sys
import threading
import time
from collections import namedtuple
from importlib import import_module
from itertools import combinations, product
from math import dist
from unittest import mock

import numpy as np
import pytest
from checkout import ROOT
from patience import PATIENCE

import crashlab
from crashlab import CrashlabError, agents
from crashlab.course import lessons
from crashlab.course.exercises import CHECKS, answer_call, exercise_types
from crashlab.course.lessons import crash_city
from crashlab.course.lessons import speed_and_statistics as STATISTICS
from crashlab.course.lessons.crash_and_grab import PUZZLE, flown
from crashlab.course.lessons.crash_by_crash import FLOOR, MIDDLE, SHOWN, hit, outcome, outcomes
from crashlab.course.lessons.crash_city import (
    crow,
    history,
    is_crash,
    jobs,
    joined,
    makes_way,
    played_drives,
    race,
    related,
    sent,
    stand,
)
from crashlab.drawing.shapes import placed, spots


def said(capsys, name, answer):
    crashlab.check(name, answer)
    return capsys.readouterr().out


def gain(case, v, w):
    return {"front": v - w, "standing": v, "rear": v, "side": v + w}[case]


def crash_case(side, w):
    return "standing" if w == 0 else {0: "front", 3: "rear"}.get(side, "side")


def careful(state, seat):
    sys.path.insert(0, str(ROOT / "examples"))
    from my_agent import careful

    return careful(state, seat)


def apart(a, b):
    rows, columns = a // 10 - b // 10, a % 10 - b % 10
    return abs(rows + columns) if rows * columns == 0 else None


def fly_on(line, place, distance, pads):
    """Compute it by a recursion, while the lesson's answer is a loop."""

    def fly(name, place, left):
        if left == 0:
            line[place] = name
        elif place + 1 < 8:
            there = place + 1
            if there in line:
                other, line[there] = line[there], name
                fly(other, there, distance)
            else:
                fly(name, there, distance if there in pads else left - 1)

    fly(line.pop(place), place, distance)


def endless(pads, distance):
    return any(
        a != b
        and (a // 10 == b // 10 or a % 10 == b % 10)
        and abs(a // 10 - b // 10) + abs(a % 10 - b % 10) <= distance
        for a in pads
        for b in pads
    )


def landing_odds(taken, last=12):
    """Count for each free site its own number and those of the taken ones in a row before it."""
    odds = {}
    for site in set(range(1, 13)) - taken:
        run = 0
        while run < 11 and (site - 2 - run) % last + 1 in taken:
            run += 1
        odds[site] = (1 + run) / 12
    return odds


def captain(state, seat):
    """Choose the best of six actions, each tried in one imagined world until the end of the round."""
    rng = crashlab.Random(state.round)

    def types_after(action):
        world = state.guess(rng)
        others = {other: rng.choice(world.actions(other)) for other in world.actors}
        after = world.play({**others, seat: action}).after
        while not after.over and after.round == world.round:
            after = after.sample(rng).after
        return after.scores[seat]

    return max(rng.shuffled(state.actions(seat))[:6], key=types_after)


def without_pads(line, place, distance, pads):
    fly_on(line, place, distance, set())


def keeps_those_off_the_board(line, place, distance, pads):
    last = line[max(line)]
    fly_on(line, place, distance, pads)
    if last not in line.values():
        line[8] = last


def rests_on_pads(line, place, distance, pads):
    fly_on(line, place, distance, pads)
    if pads:
        line[min(pads)] = "R"


def pushes_get_weaker(line, place, distance, pads):
    name = line.pop(place)
    while distance > 0 and place < 8:
        place, distance = place + 1, distance - 1
        if place in line:
            line[place], name = name, line[place]
        if place in pads:
            distance += 1
    if place < 8:
        line[place] = name


AXIAL = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)]  # steps of (q, row), where q = column - row // 2


def straight(cell, steps):
    """Return the cells this many steps straight ahead, by axial coordinates, while the lesson counts half cells."""
    row, column = cell
    axial = [(column - row // 2 + steps * right, row + steps * down) for right, down in AXIAL]
    return {(down, right + down // 2) for right, down in axial}


def hit_with_operator(line, place, strength, operator):
    """Compute it by a recursion, while the lesson's answer is a loop."""
    while place + 1 in line:
        place += 1
    if strength > 0 and place + 1 != operator:
        car = line.pop(place)
        if place + 1 < 13:
            line[place + 1] = car
            hit_with_operator(line, place + 1, strength - 1, operator)


def through_the_operator(line, place, strength, operator):
    hit_with_operator(line, place, strength, None)


def loses_the_car(line, place, strength, operator):
    hit_with_operator(line, place, strength, operator)
    if operator - 1 in line:
        del line[operator - 1]


def first_car_only(line, place, strength, operator):
    if place + 1 != operator:
        line[operator - 1] = line.pop(place)


def hangs_together(cells):
    """Spread marks until there are no new ones, while the lesson searches breadth first."""
    marked = set(list(cells)[:1])
    while more := {other for cell in marked for other in straight(cell, 1)} & cells - marked:
        marked |= more
    return marked == cells


def two_scorings(blue, orange, values, tile, powerless):
    worth = {cell: value if cell in tile and not powerless else 2 * value for cell, value in values.items()}
    return sum(worth[car] for car in blue) - sum(worth[car] for car in orange)


def driver(state, seat):
    """Choose the best of 60 actions, each tried in one imagined world."""
    rng = crashlab.Random(state.turn)
    world = state.guess(rng)

    def standing(action):
        after = world.play(action).after
        cars = [[*side.cars, *([side.magnet] if side.magnet else [])] for side in after.sides.values()]
        worth = [sum(after.values[car] for car in side) for side in cars]
        return after.scores[seat] - after.scores[1 - seat] + (worth[seat] - worth[1 - seat]) / 2

    return max(rng.shuffled(state.actions(seat))[:60], key=standing)


def across(lane):
    x, y, side = lane
    return [(x, y + 1, 2), (x + 1, y, 3), (x, y - 1, 0), (x - 1, y, 1)][side]


def pieces(graph):
    """Spread the smallest number of each group, while the lesson joins groups."""
    mark = {vertex: vertex for vertex in graph}
    while any(mark[one] > mark[two] for one in graph for two in graph[one]):
        mark = {one: min(mark[two] for two in (one, *graph[one])) for one in graph}
    return len(set(mark.values()))


def diameter(graph):
    """Compute all distances at once (Floyd and Warshall), while the lesson searches from each vertex."""
    far = {(a, b): 0 if a == b else 1 if b in graph[a] else len(graph) for a in graph for b in graph}
    for by in graph:
        for a, b in far:
            far[a, b] = min(far[a, b], far[a, by] + far[by, b])
    return max(far.values())


def can_be_hit(roads, lane, way, taken):
    return bool({*dict(roads.ahead(lane, way)), roads.other(lane)} - {None, *taken})


def counts_none_as_a_lane(roads, lane, way, taken):
    return bool({*dict(roads.ahead(lane, way)), roads.other(lane)} - taken)


def swaps_the_indices(matrix, x, y):
    return sum(x[i] * matrix[j][i] * y[j] for i in range(len(x)) for j in range(len(y)))


def swaps_the_sides(matrix, x, y):
    return y @ matrix @ x


def racer(state, seat):
    """Park, or minimise the distance of its own cars to jobs in lanes, while the lesson counts drives."""
    actions, world, roads = state.actions(seat), state.guess(crashlab.Random(1)), state.streets
    near = dict.fromkeys((lane for lane in roads.lanes() if lane[:2] in jobs(state)), 0)
    queue = list(near)
    for lane in queue:
        new = [other for other in roads.beside(lane) if other not in near]
        near |= dict.fromkeys(new, near[lane] + 1)
        queue += new

    def away(action):
        cars = world.play(action).after.cars.values()
        return sum(near.get(stand(car)[0], 99) for car in cars if car.owner == "AB"[seat] and car.lane)

    return min(actions, key=lambda action: (not str(action).startswith("park"), away(action)))


def lengths(graph, start):
    """Return the distance of every vertex from start."""
    far = {start: 0}
    for _ in graph:
        far = {there: far[here] + 1 for here in far for there in graph[here] if there not in far} | far
    return far.values()


def parker(state, seat):
    actions = state.actions(seat)
    parking = [action for action in actions if str(action).startswith("park")]
    return crashlab.Random(state.turn).choice(parking or list(actions))


RIGHT = {
    "as-1": lambda blow, facing: (blow + 3 - facing) % 6,
    "as-2": crash_case,
    "as-3": gain,
    "as-5": "49 FFF",
    "as-4": lambda side, facing: (facing + (0, -1, -1, 0, 1, 1)[side]) % 6,
    "as-6": careful,
    "cg-1": apart,
    "cg-2": fly_on,
    "cg-3": endless,
    "cg-4": landing_odds,
    "cg-5": "3>",
    "cg-6": captain,
    "cb-1": lambda cell: straight(cell, 2),
    "cb-2": hit_with_operator,
    "cb-3": ({(5, 4), (5, 5)}, {(7, 4), (7, 5)}),
    "cb-4": hangs_together,
    "cb-5": two_scorings,
    "cb-6": driver,
    "cc-1": across,
    "cc-2": pieces,
    "cc-3": diameter,
    "cc-4": [[1, 2], [2, 9]],
    "cc-5": can_be_hit,
    "cc-6": racer,
    "st-1": lambda sample: 1.96 * np.std(sample, ddof=1) / len(sample) ** 0.5,
    "st-2": lambda games, width, target: games * width**2 / target**2,
    "st-3": lambda matrix, x, y: x @ matrix @ y,
}


def test_every_exercise_has_a_right_answer_here():
    """Answers to exercises on algorithms are in the tests of their lessons."""
    algorithms = {exercise.name for subject in lessons.NAMES for exercise in lesson(subject).CHECKS}
    assert RIGHT.keys() == CHECKS.keys() - algorithms


def lesson(subject):
    return import_module(f"crashlab.course.lessons.{subject}")


@pytest.mark.few(9)
@pytest.mark.parametrize("name", RIGHT)
def test_the_right_answer_is_right(capsys, name):
    assert said(capsys, name, RIGHT[name]) == f"{name}: right! {CHECKS[name].then}\n"


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
        ("as-3", lambda case, v, w: v, "table beside the dial"),
        ("as-5", "1 F", "brings 0 chits, but 5 are possible"),
        ("as-5", "2 FFF", "not a number of car 1"),
        ("as-5", None, "brings"),
        ("as-4", lambda side, facing: facing, "by one sixth"),
        ("as-4", lambda side, facing: facing + (0, -1, -1, 0, 1, 1)[side], "% 6"),
        ("as-4", lambda side, facing: (facing + (0, 1, 1, 0, -1, -1)[side]) % 6, "AWAY"),
        ("as-4", lambda side, facing: (facing + 1) % 6, "does not turn the car"),
        ("as-6", agents.random(3), "you need 18"),
        ("as-6", lambda state, seat: state.actions(seat)[0], "you need 18"),
        ("as-6", lambda state, seat: "99 F", "stops with CrashlabError"),
        ("cg-1", lambda a, b: abs(a // 10 - b // 10) + abs(a % 10 - b % 10), "share neither a row nor a column"),
        ("cg-1", lambda a, b: abs(a - b), "changes the number by 10"),
        ("cg-1", lambda a, b: b // 10 + b % 10 - a // 10 - a % 10 if apart(a, b) else apart(a, b), "never negative"),
        ("cg-1", lambda a, b: None, "but it is 0"),
        ("cg-2", lambda line, place, distance, pads: None, "nothing has changed"),
        ("cg-2", without_pads, "ignores the accelerators"),
        ("cg-2", keeps_those_off_the_board, "none stays on 8 or beyond"),
        ("cg-2", rests_on_pads, "nobody ever rests on an accelerator"),
        ("cg-2", pushes_get_weaker, "it should be"),
        ("cg-3", lambda pads, distance: len(pads) > 0, "takes two accelerators"),
        ("cg-3", lambda pads, distance: len(pads) > 1, "Compare rows and columns"),
        ("cg-3", lambda pads, distance: False, "a saucer can fly back and forth"),
        ("cg-3", lambda pads, distance: any(0 < abs(a - b) <= distance for a in pads for b in pads), "back and forth"),
        ("cg-4", lambda taken: None, "Return a dict"),
        ("cg-4", lambda taken: dict.fromkeys(range(1, 13), 1 / 12), "but the free sites are"),
        ("cg-4", lambda taken: dict.fromkeys(set(range(1, 13)) - taken, 1 / 12), "do not add up to 1"),
        ("cg-4", lambda taken: landing_odds(taken, 13), "After 12 comes 1"),
        ("cg-4", lambda taken: {site: 12 * p for site, p in landing_odds(taken).items()}, "that many twelfths"),
        (
            "cg-4",
            lambda taken: dict.fromkeys(set(range(1, 13)) - taken, 1 / (12 - len(taken))),
            "numbers lead there",
        ),
        ("cg-5", "3^", "at most 3 types"),
        ("cg-5", "2>", "at most 3 types"),
        ("cg-5", "4>", "is not a possible plan"),
        ("cg-5", None, "is not a possible plan"),
        ("cg-6", agents.random(3), "you need 9"),
        ("cg-6", lambda state, seat: "99", "stops with CrashlabError"),
        ("cb-1", lambda cell: straight(cell, 1), "is beside it"),
        ("cb-1", lambda cell: straight(cell, 3), "does not reach"),
        ("cb-1", lambda cell: straight(cell, 2) & set(FLOOR), "is missing"),
        ("cb-1", lambda cell: None, "a set of six cells"),
        ("cb-2", through_the_operator, "ignores the operator"),
        ("cb-2", loses_the_car, "a car is missing"),
        ("cb-2", first_car_only, "it should be"),
        ("cb-3", ({(7, 6)}, {(7, 4)}), "every order leaves"),
        ("cb-3", ({(7, 5)}, {(7, 4)}), "nothing is pulled here"),
        ("cb-3", ({(7, 12)}, {(7, 4)}), "(7, 12) is not on the floor"),
        ("cb-3", ({(7, 6)}, {(7, 4), (6, 4), (5, 4)}), "at most two magnets"),
        ("cb-3", {(7, 6)}, "two sets of cells"),
        ("cb-4", lambda cells: True, "are not connected"),
        ("cb-4", lambda cells: None, "you say None. Return True or False"),
        ("cb-4", lambda cells: False, "[(7, 3)] are connected, but you say False. A single cell is always connected"),
        ("cb-4", lambda cells: len(cells) == 1, "In the same row, the neighbours of a cell are the next cells"),
        ("cb-4", lambda cells: True, "In the same row, the neighbours of a cell are the next cells"),
        ("cb-4", lambda cells: len(cells) < 3 and max(cells) in ((7, 3), (7, 4)), "half a cell to the right"),
        ("cb-4", lambda cells: len(cells) < 3 and hangs_together(cells), "continue from every cell that you reach"),
        ("cb-4", lambda cells: len(cells) > 2 or hangs_together(cells), "was every cell visited?"),
        ("cb-5", lambda *position: -two_scorings(*position), "blue's points minus orange's"),
        ("cb-5", lambda *position: two_scorings(*position[:4], True), "still there for the second"),
        (
            "cb-5",
            lambda blue, orange, values, tile, powerless: two_scorings(blue, orange, values, values, False),
            "Count two scorings",
        ),
        ("cb-5", lambda *position: 1000, "blue cars and"),
        ("cb-6", agents.random(3), "you need 25"),
        ("cb-6", lambda state, seat: "car 20.20", "stops with CrashlabError"),
        ("cc-1", lambda lane: (*lane[:2], lane[2] ^ 2), "on another tile"),
        ("cc-1", lambda lane: (*across(lane)[:2], lane[2]), "on which side is the same edge"),
        ("cc-1", lambda lane: (lane[0] + 1, lane[1], lane[2] ^ 2), "beyond side N"),
        ("cc-1", lambda lane: across(lane)[:2], "is a triple"),
        ("cc-2", len, "You count its vertices"),
        ("cc-2", lambda graph: any(graph.values()) + list(graph.values()).count([]), "may have more than one vertex"),
        ("cc-2", lambda graph: pieces(graph) + 1, "into 1 piece, and you say 2"),
        ("cc-2", lambda graph: None, "you say None"),
        ("cc-3", lambda graph: max(lengths(graph, 0)), "begin at each vertex"),
        ("cc-3", lambda graph: min(max(lengths(graph, one)) for one in graph), "not the least"),
        ("cc-3", lambda graph: diameter(graph) + 1, "has 1 step, and you say 2"),
        ("cc-4", [[1, 2], [3, 4]], "and that is the best"),
        ("cc-4", [[1, 2], [2, 7]], "the best choice 4: that is not yet"),
        ("cc-4", [[1, 1], [1, 9]], "1, appears twice; make it unique"),
        ("cc-4", [[0, 2], [2, 9]], "from 1 to 9"),
        ("cc-4", [1, 2, 2, 9], "two rows of two"),
        ("cc-4", None, "two rows of two"),
        ("cc-5", lambda roads, lane, way, taken: True, "no free lane is left"),
        ("cc-5", counts_none_as_a_lane, "its other lane: None; no free lane is left"),
        ("cc-5", counts_none_as_a_lane, "None is not a lane: test for None first"),
        (
            "cc-5",
            lambda roads, lane, way, taken: True,
            "the car on (1, -3, E) is hit by a car going N; ahead: (1, -3, N);",
        ),
        ("cc-5", lambda roads, lane, way, taken: can_be_hit(roads, lane, way, {*taken, roads.other(lane)}), "can spin"),
        ("cc-5", lambda roads, lane, way, taken: roads.other(lane) not in (None, *taken), "is free, so it can be hit"),
        ("cc-5", lambda roads, lane, way, taken: None, "Return True or False"),
        ("cc-6", agents.random(3), "you need 6"),
        ("cc-6", parker, "you need 6"),
        ("cc-6", lambda state, seat: "drive A1 0,0N", "stops with CrashlabError"),
        ("st-1", lambda sample: 1.96 * np.std(sample) / len(sample) ** 0.5, "ddof=1"),
        ("st-1", lambda sample: 1.96 * np.std(sample, ddof=1), "divide by the square root of n"),
        ("st-1", lambda sample: np.std(sample, ddof=1) / len(sample) ** 0.5, "need 1.96 of them"),
        ("st-1", lambda sample: 3.92 * np.std(sample, ddof=1) / len(sample) ** 0.5, "the whole width"),
        ("st-1", lambda sample: 1.96 * np.std(sample, ddof=1) / len(sample), "Divide by the square root of n, not by"),
        ("st-1", lambda sample: 1.96 * np.std(sample) / len(sample), "Divide by the square root of n, not by"),
        ("st-1", lambda sample: 1.96 * np.var(sample, ddof=1) / len(sample) ** 0.5, "deviation is its square root"),
        ("st-1", lambda sample: 1.96 * np.var(sample) / len(sample) ** 0.5, "deviation is its square root"),
        ("st-1", lambda sample: None, "Does your function return"),
        ("st-1", lambda sample: 7.0, "it should be"),
        ("st-2", lambda games, width, target: games * width / target, "the square of the ratio"),
        ("st-2", lambda games, width, target: games * (target / width) ** 2, "more games, not fewer"),
        ("st-2", lambda games, width, target: games * (width / target) ** 2 - games, "give the total"),
        ("st-2", lambda games, width, target: games, "400 games are needed"),
        ("st-3", lambda matrix, x, y: matrix.mean(), "the probability that both choose it"),
        ("st-3", swaps_the_indices, "x[i] belongs to the row matrix[i]"),
        ("st-3", swaps_the_sides, "y[j] to matrix[i][j]"),
        ("st-3", lambda matrix, x, y: sum(x[i] * sum(matrix[i]) for i in range(len(x))), "y is missing"),
        ("st-3", lambda matrix, x, y: (matrix @ y).sum(), "x is missing"),
        ("st-3", lambda matrix, x, y: x @ matrix, "return one number"),
        ("st-3", lambda matrix, x, y: 7.0, "you say 7, but it is 2.0000"),
    ],
)
def test_a_wrong_answer_gets_its_hint(capsys, name, answer, hint):
    words = said(capsys, name, answer)
    assert words.startswith(f"{name}: not yet: ") and hint in words


def test_the_winning_plan_wins_as_the_lesson_says():
    state = crashlab.game("crash_and_grab").read(PUZZLE)
    for plan, answers in {"3>": ["v", "green scientist"], "0-5>": ["3", "v", "green scientist"]}.items():
        after = state.play({0: plan, 1: "2^", 2: "2^", 3: "2^"}).after.play("clockwise").after
        for answer in answers:
            after = after.play(answer).after
        assert after.over and after.winners == (0,)


def test_the_line_of_the_exercise_moves_as_the_engine_does():
    game, accelerated, rng = crashlab.game("crash_and_grab", players=6), 0, crashlab.Random(3)
    for seed in range(60):
        start = game.start(seed)
        row = rng.below(8)
        pads = {column - 2 for line, column in start.accelerators if line == row and column >= 2}
        free = [place for place in range(8) if place not in pads]
        places = sorted(rng.shuffled(free)[:4])
        names = list(start.saucers)[: len(places)]
        line = dict(zip(places, names, strict=True))
        saucers = {name: {"plan": "0-5^"} for name in start.saucers}
        for place, name in line.items():
            saucers[name]["space"] = [row, place + 2]
        saucers["red"]["plan"] = "3>"
        data = {"tiles": start.to_dict()["tiles"], "saucers": saucers, "phase": "rotation"}
        turn = game.read(data).play("clockwise")
        if turn.after.phase == "turn-off":
            continue  # red is on an accelerator, chooses its direction and leaves the line
        stands = {name: turn.after.saucers[name].space for name in names}
        assert flown(line, places[0], 3, pads) == {space[1] - 2: name for name, space in stands.items() if space}
        accelerated += bool(pads)
    assert accelerated > 5


def test_the_hit_of_the_exercise_moves_as_the_engine_does():
    """The hits are on row 8, which has 13 cells and no bell; the operator is on it."""
    game, rng, stopped = crashlab.game("crash_by_crash"), crashlab.Random(4), 0
    for _ in range(60):
        places = rng.shuffled(range(2, 13))
        line, operator, strength = {1: "a"} | dict.fromkeys(places[:4], "b"), places[4], 1 + rng.below(3)
        sides = {"blue": {"cars": [(14, 0), (8, 1)]}, "orange": {"cars": [(8, place) for place in places[:4]]}}
        power = f" +{strength - 1}" if strength > 1 else ""
        after = game.read({**sides, "operator": (8, operator)}).play(f"car 8.0 E{power}").after
        stands = {column for side in after.sides.values() for row, column in side.cars if row == 8 and column > 0}
        assert set(hit(line, 1, strength, operator)) == stands
        stopped += hit(line, 1, strength, operator) != hit(line, 1, strength, None)
    assert stopped > 5


def test_every_difference_between_the_editions_has_a_position_that_shows_it():
    czech = crashlab.game("crash_by_crash")
    english = czech.changed(edition="english")
    assert SHOWN.keys() == {rule.id for rule in czech.rulebook if rule.editions}
    for rule in SHOWN:
        assert outcome(czech, rule) != outcome(english, rule), rule


@pytest.mark.parametrize(
    "rule, czech, english",
    [
        ("CB-S1", "39 cards", "36 cards"),
        ("CB-O2", "10 : 10", "12 : 10"),  # one of the player's cars
        ("CB-K13", "10 : 10", "no such card"),
        ("CB-K3", "", "`play Ride 6.3 6.4` is refused"),
        ("CB-E2", "`car 7.7 E` is refused", ""),
        ("CB-E3", "`magnet 6.5` is refused", ""),
    ],
)
def test_what_the_positions_show(rule, czech, english):
    game = crashlab.game("crash_by_crash")
    assert czech in outcome(game, rule)
    assert english in outcome(game.changed(edition="english"), rule)


def test_the_position_of_the_lesson_can_be_played():
    state = crashlab.game("crash_by_crash").read(MIDDLE)
    assert state.actors == (0,) and len(state.holes) == 4 and all(side.magnet for side in state.sides.values())


def test_only_cars_that_want_the_same_cell_make_an_order_matter():
    cars, magnets = (frozenset(cells) for cells in RIGHT["cb-3"])
    assert len(outcomes(cars | magnets, magnets)) == 2
    assert len(outcomes(frozenset({(5, 4)}) | magnets, magnets)) == 1


@pytest.mark.parametrize("players", [2, 4])
def test_the_history_of_a_city_is_told_tile_by_tile(players):
    states = history(3, players=players, tiles="minimal")
    assert [len(state.tiles) for state in states] == [*range(1, 16 * players + 2), 16 * players + 1]
    assert {tile.kind for tile in states[-1].tiles.values()} == {"I", "H", None}
    assert states[-1].phase == "race" and race(3, turns=7).turn == 7 and race(3, turns=7).phase == "race"
    for state in states[::8]:
        assert joined(state) == state.streets.connected((0, 0))


TOWN = "tiles 0,1 NW house A / 1,1 NW house B / 1,0 ES house A / 2,0 NW shop B / -1,0 N shop A / 0,-1 EW factory B; "


def test_drives_as_they_are_played():
    town = crashlab.game("crash_city", players=2).read(TOWN + "cars A -1,0N>E / B 0,0N>W")
    assert jobs(town) == [(2, 0), (-1, 0), (0, -1)]
    assert played_drives(town) == {("A1", (0, 1, 3), 0), ("A1", (0, 0, 3), 2)}  # through the two corners ahead
    hit = crashlab.game("crash_city", players=2).read(TOWN + "cars A -1,0N>E / B 0,0E>S").play("drive A1 0,0E")
    assert is_crash(hit) and not is_crash(town.play("drive A1 0,1W"))
    assert crow((0, 0, 0), (0, 1)) == 0.5 and crow((2, 0, 3), (-1, 0)) == 2.5


@pytest.mark.parametrize(
    "tiles, makes",
    [("1,0 NS / 2,0 NE", True), ("1,0 NS / 2,0 N", False), ("1,0 NS / 2,0 N / 2,1 S", True)],
    ids=["round a corner", "the end of a dead end", "spin"],
)
def test_who_can_make_way_in_the_worked_examples(tiles, makes):
    state = crashlab.game("crash_city", players=2).read(f"tiles {tiles}; cars A 0,0N>E / B 2,0N>W")
    assert makes_way(state.streets, (2, 0, 0), 1, {(2, 0, 0)}) == makes
    assert (state.refusal(0, "drive A1 2,0N") == "") == makes
    assert not makes_way(state.streets, (2, 0, 0), 1, {*state.streets.lanes()})


def test_pictures_of_threats_and_of_trips():
    state = race(1)
    pictures = related(state, [("A1", "B2")]), related(state, []), sent(state, {0: 1})
    assert all(picture.startswith(b"\x89PNG") for picture in pictures) and len(set(pictures)) == 3


def painted(monkeypatch):
    """Make pictures of a city return their pieces."""
    monkeypatch.setattr(crash_city, "_painted", lambda state, pieces: pieces)


def ends(arrow):
    return arrow.shapes[-2].points[0], arrow.shapes[-2].points[-1]


def within(piece, point):
    across, down = zip(*spots(placed(piece)), strict=True)
    return min(across) <= point[0] <= max(across) and min(down) <= point[1] <= max(down)


def test_an_arrow_between_cars_begins_on_the_one_and_ends_beside_the_other(monkeypatch):
    painted(monkeypatch)
    state = crashlab.game("crash_city", players=2).read(TOWN + "cars A -1,0N>E 2,0N>W / B 0,0E>S")
    pieces = related(state, [("A1", "A2"), ("A2", "A1")])
    cars = {piece.key: piece for piece in pieces if piece.key.startswith("car")}
    there, back = pieces[-2:]  # drawn above the cars
    for arrow, one, two in ((there, "car A1", "car A2"), (back, "car A2", "car A1")):
        start, end = ends(arrow)
        assert within(cars[one], start) and not any(within(car, end) for car in cars.values())
        assert dist(end, (cars[two].x, cars[two].y)) < 45
    middles = [arrow.shapes[-2].points[len(arrow.shapes[-2].points) // 2] for arrow in (there, back)]
    assert dist(*middles) > 50


def test_arrows_lead_from_cars_to_their_jobs(monkeypatch):
    painted(monkeypatch)
    tiles = TOWN.replace(";", "/ 1,-1 NW shop A;")
    state = crashlab.game("crash_city", players=2).read(tiles + "cars A 0,0N>E 1,0S>E / B 1,1N>W")
    pieces = sent(state, {0: 2, 1: 0})
    cars = {piece.key: piece for piece in pieces if piece.key.startswith("car")}
    letters = {piece.key: piece for piece in pieces if piece.key.startswith("letter")}
    assert jobs(state) == [(2, 0), (-1, 0), (0, -1), (1, -1)]  # the columns a to d
    assert "".join(key[-1] for key in sorted(letters, key=lambda key: letters[key].x)) == "bcda"  # from west to east
    arrows = [piece for piece in pieces if piece.key.startswith("arrow")]
    for arrow, car, letter in zip(arrows, ("car A1", "car A2"), ("letter c", "letter a"), strict=True):
        start, end = ends(arrow)
        assert within(cars[car], start) and dist(end, (letters[letter].x, letters[letter].y)) < 30


def halves(a, b):
    """Raise ZeroDivisionError in the third line if a is 0."""
    return next(b / a for _ in range(2))


def forgets_parking(state, seat):
    parking = []

    def first():
        return parking[0]

    return first()


@pytest.mark.parametrize(
    "name, answer, words",
    [
        ("cg-1", halves, "ZeroDivisionError: division by zero, in line 3 of halves: `return next(b / a"),
        ("cc-6", forgets_parking, "list index out of range, in line 5 of forgets_parking: `return parking[0]`"),
        ("cg-1", lambda a, b: int([]), "in line 1 of <lambda>"),
    ],
    ids=["a function", "an agent", "a lambda"],
)
def test_an_answer_that_stops_is_told_in_which_line(capsys, name, answer, words):
    hint = said(capsys, name, answer)
    assert hint.startswith(f"{name}: not yet: your answer stops with ") and words in hint


def test_no_line_is_named_where_the_answer_was_not_begun(capsys):
    assert "in line" not in said(capsys, "as-1", lambda blow: 0)
    assert said(capsys, "as-1", int).count("your answer stops") == 1  # it has no Python lines


def test_an_answer_that_is_not_written_yet_is_no_error(capsys):
    def stub(*arguments):
        raise NotImplementedError

    assert "not written yet" in said(capsys, "as-1", stub)
    assert "not written yet" in said(capsys, "as-6", stub)  # an agent


# Errors of any answer


def prints(blow, facing):
    print((blow + 3 - facing) % 6)


def loops(a, b):
    while a == a:
        a = a + 0
    return a


def loops_for_some(a, b):
    return loops(a, b) if a == b == 3 else apart(a, b)


def sleeps(a, b):
    time.sleep(PATIENCE)


def catches_all(a, b):
    while True:
        try:
            time.sleep(0.01)
        except:  # noqa: E722  # as beginners write it
            pass


def empties(taken):
    odds = landing_odds(taken)
    taken.clear()
    return odds


def unfinished(side, w): ...


def only_described(side, w):
    """Describe the case without a value."""


@pytest.mark.parametrize(
    "name, answer, hint",
    [
        ("as-1", prints, "side_hit(0, 0) prints '3' and returns nothing. `print` only shows something"),
        ("as-1", lambda blow, facing: str((blow + 3 - facing) % 6), "returns the string '3', but must return a number"),
        ("as-1", lambda blow, facing: [(blow + 3 - facing) % 6], "returns [3], but must return one number"),
        ("as-1", lambda blow, facing: (yield 3), "Write `return` in place of `yield`"),
        ("as-1", lambda blow, facing: prints, "Put brackets after its name to call it"),
        ("as-1", lambda blow: 0, "It is called as side_hit(blow, facing); yours is <lambda>(blow)."),
        ("as-1", "side_hit", "without quotation marks"),
        ("as-2", lambda side, w: crash_case(side, w).capitalize(), "but must return exactly 'standing': capital"),
        ("as-2", lambda side, w: crash_case(side, w) + " ", "capital letters and spaces count"),
        ("as-2", lambda side, w: w / w and crash_case(side, w), "division by zero, in line 1 of <lambda>"),
        ("as-2", lambda side, w: w / w and crash_case(side, w), "It was called as crash_case(0, 0)"),
        ("cg-3", lambda pads, distance: str(endless(pads, distance)), "'False', but must return True or False"),
        ("cg-4", empties, "which is right, but its argument has changed, from {1} to set()"),
        ("cb-1", lambda cell: str(straight(cell, 2)), "but must return a set"),
        ("cc-1", lambda lane: str(across(lane)), "but must return a tuple"),
        ("cc-2", lambda graph: graph.clear() or 0, "into 1 piece, and you say 0"),
        ("st-1", lambda sample: sample.sort() or RIGHT["st-1"](sample), "its argument has changed"),
        ("as-6", lambda state, seat: print(state.actions(seat)[0]), "return the action instead of printing it"),
        ("as-6", lambda state: None, "my_agent(state, seat)"),
        ("cc-4", [[1, []], [2, 9]], "from 1 to 9"),
        ("cb-3", (7, 4), "cannot be read"),
    ],
)
def test_what_can_be_wrong_with_any_answer_gets_a_hint_of_its_own(capsys, name, answer, hint):
    assert hint in said(capsys, name, answer)


def test_the_first_print_is_seen_and_the_others_are_not(capsys):
    assert said(capsys, "as-1", prints).startswith("3\nas-1: not yet: ")


@pytest.mark.parametrize("answer", [..., unfinished, only_described, lambda side, w: ...])
def test_a_placeholder_is_no_answer(capsys, answer):
    verdict = crashlab.check("as-2", answer)
    assert "as-2: not written yet. " in capsys.readouterr().out
    assert not verdict and not verdict.written and verdict.passed == 0


@pytest.fixture
def impatient(monkeypatch):
    """Limit an answer to half a second."""
    monkeypatch.setattr(answer_call, "LIMIT", 0.5)
    monkeypatch.setattr(exercise_types, "MOVES", 0.5)


@pytest.mark.parametrize("answer", [loops, sleeps, catches_all])
def test_an_endless_answer_is_stopped_and_told_where_it_hangs(capsys, impatient, answer):
    alarm, timer = signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)
    hint = said(capsys, "cg-1", answer)
    assert "does not finish: it was stopped after 0.5 s, in line" in hint
    assert hint.endswith("It was called as apart(0, 0).\n")
    assert (signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)) == (alarm, timer)


def test_what_was_right_before_it_hung_counts(capsys, monkeypatch):
    monkeypatch.setattr(answer_call, "LIMIT", 2.0)
    verdict = crashlab.check("cg-1", loops_for_some)
    assert "It was called as apart(3, 3). (195 of 4096 cases are right.)" in verdict.hint
    assert (verdict.passed, verdict.total, verdict.case) == (195, 4096, (3, 3))


def test_an_endless_agent_is_stopped_in_its_position(capsys, impatient):
    verdict = crashlab.check("as-6", sleeps)
    assert "does not finish: it was stopped after 0.5 s, in line" in verdict.hint
    assert verdict.case.actors and verdict.case.text in verdict.hint


def test_outside_of_the_main_thread_another_one_stops_it_and_ends(impatient):
    before, verdicts = threading.active_count(), []
    thread = threading.Thread(target=lambda: verdicts.append(CHECKS["cg-1"].check(loops)))
    thread.start()
    thread.join()
    assert "it was stopped after 0.5 s" in verdicts[0].hint and "apart(0, 0)" in verdicts[0].hint
    deadline = time.monotonic() + PATIENCE
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert threading.active_count() == before


def test_a_timer_of_somebody_else_goes_on(impatient):
    rung = []
    heard = signal.signal(signal.SIGALRM, lambda *_: rung.append(1))
    try:
        signal.setitimer(signal.ITIMER_REAL, PATIENCE)
        CHECKS["cg-1"].check(apart)
        left, _ = signal.getitimer(signal.ITIMER_REAL)
        assert 0 < left <= PATIENCE and signal.getsignal(signal.SIGALRM) is not signal.SIG_DFL
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, heard)


def test_the_stop_button_stops_a_check():
    def stopped(a, b):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        crashlab.check("cg-1", stopped)


# Answers that cheat


class Anything(int):
    """A number that equals everything and is at distance 0 from everything."""

    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __sub__(self, other):
        return 0

    __rsub__ = __sub__
    __hash__ = int.__hash__


FUNCTIONS = [name for name, exercise in CHECKS.items() if isinstance(exercise, exercise_types.FunctionWanted)]
WHOLE = ("as-1", "as-2", "as-3", "as-4", "cg-1", "cb-1")  # exercises that check all their cases


@pytest.mark.few(13)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_says_by_itself_that_it_is_equal_is_refused(name):
    exercise = CHECKS[name]

    def fills(first):
        """Put Anything in all values of a dict and in all nodes of a list, and return one."""
        if isinstance(first, dict):
            first.update(dict.fromkeys(first, Anything()))
        for node in first if isinstance(first, list) else ():
            node.visits = node.wins = Anything()
        return Anything()

    verdict = exercise.check(
        (lambda *arguments: fills(arguments[0])) if exercise.changes else lambda *arguments: Anything()
    )
    assert not verdict and ("an object of class Anything" in verdict.hint or exercise.changes)


def test_mock_is_refused_too_and_a_named_tuple_is_a_tuple():
    assert "an object of class _ANY" in CHECKS["cg-1"].check(lambda a, b: mock.ANY).hint
    triple = namedtuple("triple", "x y side")
    assert CHECKS["cc-1"].check(lambda lane: triple(*across(lane)))


@pytest.mark.few(6)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_table_of_all_cases_of_the_last_time_does_not_pass(name):
    exercise, table = CHECKS[name], {}

    def learns(*arguments):
        now = exercise_types.fresh(arguments)
        if name != "al-43":
            table[repr(arguments)] = now
        return exercise.right(*arguments)

    def looks_up(*arguments):
        stored = table.get(repr(arguments))
        return None if stored is None else exercise.right(*arguments)

    exercise.check(learns)
    if name in WHOLE:
        assert exercise.draw is None and exercise.check(looks_up)
    else:
        assert not exercise.check(looks_up)


def test_the_cases_are_new_each_time_and_the_same_when_all_is_run_again():
    exercise = CHECKS["cb-4"]
    rounds = []
    for _ in range(2):
        exercise_types.ASKED.clear()
        rounds.append([repr(exercise._drawn(hangs_together)) for _ in range(2)])
    assert rounds[0] == rounds[1] and rounds[0][0] != rounds[0][1]
    assert repr(exercise._drawn(endless)) not in rounds[0]


def test_one_case_and_one_win_are_no_plurals(impatient):
    assert "(1 of 4096 cases is right.)" in CHECKS["cg-1"].check(lambda a, b: 0 if a == b == 0 else 99).hint
    endless = CHECKS["cg-1"].check(loops).hint
    assert "Is there an endless loop? It was called as" in endless
    assert "a: 1 win in 1 visit; b: 0.5 wins in 3 visits" in CHECKS["al-46b"].check(lambda node, c: 1).hint


def test_a_mistake_is_told_only_if_it_explains_every_answer():
    right = RIGHT["st-2"]
    assert "use the square" in CHECKS["st-2"].check(lambda games, width, target: games * width / target).hint
    once = CHECKS["st-2"].check(lambda games, w, v: games * w / v if games == 100 else right(games, w, v) + 7)
    assert not once and "square" not in once.hint


# The verdict


def test_a_verdict_of_a_right_answer(capsys):
    verdict = crashlab.check("as-1", RIGHT["as-1"])
    assert verdict and (verdict.passed, verdict.total, verdict.hint, verdict.case) == (36, 36, "", None)
    assert verdict.then and repr(verdict) == "<Verdict on as-1: right, 36 of 36>"


def test_a_verdict_of_a_wrong_answer_has_the_case_to_look_at():
    verdict = crashlab.check("as-4", lambda side, facing: facing)
    assert not verdict and (verdict.passed, verdict.total) == (12, 36) and "(12 of 36 cases are right.)" in verdict.hint
    assert verdict.case.cars[2].facing == "E"
    assert crashlab.check("cg-1", lambda a, b: 0).case == (0, 1)
    assert crashlab.check("as-5", "1 FF").case.scores[:2] == (24, 14)
    assert [crashlab.check("as-5", plot).case for plot in ("1 F", "no plot")] == ["1 F", "no plot"]


@pytest.mark.slow
def test_an_agent_is_counted_up_to_what_is_wanted():
    verdict = crashlab.check("as-6", RIGHT["as-6"])
    assert verdict and verdict.passed == verdict.total == 18
    verdict = crashlab.check("cc-6", parker)
    assert not verdict and 0 < verdict.passed < verdict.total == 24


def crash_in(state):
    """Return the rule of the crash into car 2, A's gain, and the new facing of car 2 or None."""
    ahead = {car: "F" * max(1, state.cars[car].speed) for car in (1, 2)}
    events = state.play({0: f"1 {ahead[1]}", 1: f"82 {ahead[2]}"}).events
    crash = next(event for event in events if "hit" in event.what)
    later = next((event for event in events if event.text.startswith("car 2 is next")), None)
    mine = [event.what for event in events[: events.index(later) if later else None] if event.rule == crash.rule]
    gained = sum(what["chits"] - what["was"] for what in mine if what.get("seat") == "A")
    return crash.rule, gained, next((what["facing"] for what in mine if "facing" in what), None)


CASES = {"AS-C1": "front", "AS-C2": "standing", "AS-C3": "rear", "AS-C4": "side"}


@pytest.mark.parametrize("name", ["as-1", "as-2", "as-3", "as-4"])
def test_what_the_engine_does_in_the_position_to_look_at_is_what_is_right(name):
    exercise = CHECKS[name]
    for case in exercise.cases():
        rule, gained, looks = crash_in(exercise.shows(*case))
        right = exercise.right(*case)
        if name == "as-1":
            assert CASES[rule] == crash_case(right, 1)
        if name == "as-2":
            assert CASES[rule] == right
        if name == "as-3":
            assert (CASES[rule], gained) == (case[0], right)
        if name == "as-4":
            assert looks == (None if right == case[1] else ("E", "NE", "NW", "W", "SW", "SE")[right])


def test_what_a_verdict_says_after_a_right_answer_is_true():
    """Check the numbers in the text that follows "right!"."""
    from crashlab.course.lessons import autoscooter, crash_and_grab

    duel = autoscooter.duel()
    won = [autoscooter.won_from_b(duel, plot) for plot in duel.actions(0)]
    assert (len(won), won.count(max(won)), max(won)) == (165, 11, 5)
    assert {autoscooter.gain(*crash) for crash in autoscooter.crashes()} >= {6, -2}
    assert max(map(abs, (autoscooter.gain(*crash) for crash in autoscooter.crashes()))) == 6
    facing, sides = 0, []
    for _ in range(5):
        sides.append(autoscooter.side_hit(4, facing))
        facing = autoscooter.new_facing(sides[-1], facing)
    assert sides == [1, 2, 3, 3, 3]
    pairs = [(a, b) for a, b in CHECKS["cg-1"].cases() if a < b]
    assert (len(pairs), sum(apart(a, b) is not None for a, b in pairs)) == (2016, 448)
    for line, place, distance, pads in CHECKS["cg-2"].cases():
        after = flown(line, place, distance, pads)
        names = [line[place] for place in sorted(line) if line[place] in after.values()]
        assert len(after) >= len(line) - 1 and [after[place] for place in sorted(after)] == names
    boards = [crashlab.game("crash_and_grab").start(seed).accelerators for seed in range(1000)]
    boards = [{10 * row + column for row, column in board} for board in boards]
    assert [sum(endless(pads, card) for pads in boards) for card in (5, 2)] == [982, 596]
    assert landing_odds({3, 4, 5})[6] == 4 / 12
    puzzle = crash_and_grab.puzzle()
    winning = [str(plan) for plan in puzzle.actions(0) if not crash_and_grab.plan_hint(plan)]
    assert (len(puzzle.actions(0)), winning) == (12, ["3>", "0-5>"])
    assert (len(FLOOR), sum(straight(cell, 2) <= set(FLOOR) for cell in FLOOR)) == (188, 94)
    assert all(hangs_together(set(FLOOR) - {cell}) for cell in FLOOR)
    for line, place, strength, operator in CHECKS["cb-2"].cases():
        assert len(hit(line, place, strength, operator)) == len(line) or operator < place
        assert len(hit(line, place, strength, None)) >= len(line) - 1
    for blue, orange, values, tile, _ in CHECKS["cb-5"].cases():
        on_tile = sum(values[car] for car in blue & tile) - sum(values[car] for car in orange & tile)
        lead, less = (two_scorings(blue, orange, values, tile, powerless) for powerless in (True, False))
        assert lead - less == on_tile
    streets = [history(seed)[-1].streets for seed in range(12)]
    lanes = [roads.other(lane) for roads in streets for lane in roads.connected((0, 0))]
    assert (len(lanes), lanes.count(None)) == (807, 509)
    for n in range(3, 9):
        assert diameter({a: [(a + 1) % n] for a in range(n)}) == n - 1
        assert diameter({a: [(a + 1) % n, (a - 1) % n] for a in range(n)}) == n // 2
    tables = [[[a, b], [c, d]] for a, b, c, d in product(range(1, 10), repeat=4)]
    assert (len(tables), sum(not crash_city.table_hint(table) for table in tables)) == (6561, 8)
    gains = [RIGHT["st-3"](np.array(STATISTICS.MATRIX), np.array([4, 3]) / 7, np.eye(3)[column]) for column in range(3)]
    assert np.allclose(gains, [-1 / 7, -1 / 7, 12 / 7])
    assert abs(crashlab.Duel.of(STATISTICS.MATRIX).solve().value + 1 / 7) < 1e-6
    assert RIGHT["st-2"](100, 2.0, 0.2) == pytest.approx(10_000)


@pytest.mark.few(1)
@pytest.mark.parametrize("name", ["as-6", "cg-6", "cb-6", "cc-6"])
def test_greedy_passes_as_the_verdict_says(name, monkeypatch):
    monkeypatch.setattr(exercise_types, "MOVES", 86_400)  # the agent searches, and the machine may be busy
    assert CHECKS[name].check(agents.agent("greedy", 1))


def test_one_magnet_alone_never_makes_an_order_matter():
    magnet = (7, 4)
    near = [cell for cell in FLOOR if 0 < len({cell} & (straight(magnet, 1) | straight(magnet, 2)))]
    near += [cell for cell in FLOOR if cell not in near and straight(cell, 1) & straight(magnet, 1)]
    for number in range(5):
        for cars in combinations(set(near) - {magnet}, number):
            assert len(outcomes(frozenset({magnet, *cars}), {magnet})) == 1


def test_an_unknown_exercise_is_refused():
    with pytest.raises(CrashlabError, match="the exercises are as-1"):
        crashlab.check("as-99", 1)
    with pytest.raises(CrashlabError, match="the exercises are as-1"):
        crashlab.check([], 1)
