"""Exercises: a right answer is right, a wrong one gets a hint that helps."""

import sys
from pathlib import Path

import numpy as np
import pytest

import crashlab
from crashlab import CrashlabError, agents
from crashlab.exercises import CHECKS
from crashlab.exercises.crash_and_grab import PUZZLE, flown


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


def apart(a, b):
    rows, columns = a // 10 - b // 10, a % 10 - b % 10
    return abs(rows + columns) if rows * columns == 0 else None


def fly_on(line, place, distance, pads):
    """As a recursion; the lesson's answer is a loop."""

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
    """A free site has its own number and those of the taken ones in a row before it."""
    odds = {}
    for site in set(range(1, 13)) - taken:
        run = 0
        while run < 11 and (site - 2 - run) % last + 1 in taken:
            run += 1
        odds[site] = (1 + run) / 12
    return odds


def captain(state, seat):
    """The best of six actions, each tried in one imagined world until the round is over."""
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
        ("cg-1", lambda a, b: abs(a // 10 - b // 10) + abs(a % 10 - b % 10), "share neither a row nor a column"),
        ("cg-1", lambda a, b: abs(a - b), "changes the number by 10"),
        ("cg-1", lambda a, b: b // 10 + b % 10 - a // 10 - a % 10 if apart(a, b) else apart(a, b), "never negative"),
        ("cg-1", lambda a, b: None, "but it is 0"),
        ("cg-2", lambda line, place, distance, pads: None, "nothing has changed"),
        ("cg-2", without_pads, "as if there were no accelerator"),
        ("cg-2", keeps_those_off_the_board, "nobody stays on 8 or beyond"),
        ("cg-2", rests_on_pads, "nobody ever rests on an accelerator"),
        ("cg-2", pushes_get_weaker, "it should be"),
        ("cg-3", lambda pads, distance: len(pads) > 0, "takes a second accelerator"),
        ("cg-3", lambda pads, distance: len(pads) > 1, "Compare rows and columns"),
        ("cg-3", lambda pads, distance: False, "one can fly to and fro"),
        ("cg-3", lambda pads, distance: any(0 < abs(a - b) <= distance for a in pads for b in pads), "to and fro"),
        ("cg-4", lambda taken: None, "A dict is wanted"),
        ("cg-4", lambda taken: dict.fromkeys(range(1, 13), 1 / 12), "are free, of 1 to 12"),
        ("cg-4", lambda taken: dict.fromkeys(set(range(1, 13)) - taken, 1 / 12), "do not make 1"),
        ("cg-4", lambda taken: landing_odds(taken, 13), "After 12 comes 1"),
        ("cg-4", lambda taken: {site: 12 * p for site, p in landing_odds(taken).items()}, "that many twelfths"),
        (
            "cg-4",
            lambda taken: dict.fromkeys(set(range(1, 13)) - taken, 1 / (12 - len(taken))),
            "numbers lead there",
        ),
        ("cg-5", "3^", "at most 3 types"),
        ("cg-5", "2>", "at most 3 types"),
        ("cg-5", "4>", "cannot be planned"),
        ("cg-5", None, "cannot be planned"),
        ("cg-6", agents.random(3), "9 are wanted"),
        ("cg-6", lambda state, seat: "99", "stops with CrashlabError"),
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
            continue  # red itself is on an accelerator: it chooses, and the line is left
        stands = {name: turn.after.saucers[name].space for name in names}
        assert flown(line, places[0], 3, pads) == {space[1] - 2: name for name, space in stands.items() if space}
        accelerated += bool(pads)
    assert accelerated > 5


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
