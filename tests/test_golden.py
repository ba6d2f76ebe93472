"""Golden files: a whole game in words, and counts of decision trees.

`python tests/test_golden.py` writes them anew; read the diff before you commit it.

    playthroughs/GAME.txt   a seeded random game: every position, decision and event, at most of the first 100 decisions
    perft/GAME.txt          id | options | depth | count | position: how many ways one seat has to play `depth`
                            decisions, when everybody else always plays the first legal action
"""

import json
from pathlib import Path

import pytest

import crashlab
from crashlab import Random

HERE = Path(__file__).parent
GAMES = crashlab.games()
DECISIONS = 100


def playthrough(name):
    """The lines of a seeded random game."""
    game, rng = crashlab.game(name), Random(2026)
    state = game.start(seed=2026)
    yield f"# {game!r}, seed 2026"
    for _ in range(DECISIONS):
        if state.over:
            break
        yield f"\n= {state.text}"
        for seat in state.actors:
            actions = state.actions(seat)
            yield f"{game.seat_name(seat)} has {len(actions)} actions: {actions[0]} to {actions[-1]}"
        turn = state.sample(rng)
        for event in turn.events:
            cause = "" if event.cause is None else f" because {event.cause}"
            yield f"{event.number:3} beat {event.beat:2} {event.rule} {event.text}{cause}"
        state = turn.after
    yield f"\n= {state.text}\nscores {state.scores}, winners {state.winners}"


def perft(state, seat, depth):
    """How many ways this seat has to play so many decisions."""
    if state.over or depth == 0:
        return 1
    if seat not in state.actors:
        return perft(fixed_plan(state).after, seat, depth)
    actions = state.actions(seat)
    if depth == 1:
        return len(actions)
    return sum(perft(state.play({**first(state), seat: action}).after, seat, depth - 1) for action in actions)


def first(state):
    return {seat: state.actions(seat)[0] for seat in state.actors}


def fixed_plan(state):
    return state.play(first(state))


def split(state, seat, depth):
    """The count below each action, to find where two counts part."""
    for action in state.actions(seat):
        yield str(action), perft(state.play({**first(state), seat: action}).after, seat, depth - 1)


def perft_lines(name):
    for line in (HERE / "perft" / f"{name}.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            yield tuple(part.strip() for part in line.split("|"))


def state_of(name, options, position):
    game = crashlab.game(name, **json.loads(options))
    return game.start(seed=1) if position == "start" else game.read(position)


@pytest.mark.parametrize("name", GAMES)
def test_the_playthrough_is_as_it_was(name):
    assert list("\n".join(playthrough(name)).splitlines()) == (
        (HERE / "playthroughs" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    )


@pytest.mark.parametrize("name", GAMES)
def test_decision_trees_have_as_many_leaves_as_they_had(name):
    lines = list(perft_lines(name))
    assert lines
    for label, options, depth, count, position in lines:
        state = state_of(name, options, position)
        found = perft(state, 0, int(depth))
        assert found == int(count), (label, list(split(state, 0, int(depth))))


def test_a_lone_car_has_as_many_ways_as_counted_by_hand():
    """In the open, 11 numbers with 5 drives or the about-face; then 10 numbers with 14 manoeuvres, or again 6."""
    state = crashlab.game("autoscooter").read({"cars": {"1": "33E0"}})
    assert perft(state, 0, 1) == 11 * 6
    assert perft(state, 0, 2) == 11 * 5 * 10 * 14 + 11 * 10 * 6


def test_a_car_at_the_barrier_has_as_many_ways_as_counted_by_hand():
    """Nose to the barrier every drive fails, so the car stands again; without the about-face it is stuck."""
    position = {"cars": {"1": "24E0"}}
    assert perft(crashlab.game("autoscooter").read(position), 0, 2) == 11 * 6 * 10 * 6
    assert perft(crashlab.game("autoscooter", standstill="none").read(position), 0, 3) == 11 * 5 * 10 * 5 * 9 * 5


def write():
    for name in GAMES:
        (HERE / "playthroughs").mkdir(exist_ok=True)
        (HERE / "playthroughs" / f"{name}.txt").write_text("\n".join(playthrough(name)) + "\n", encoding="utf-8")
        path = HERE / "perft" / f"{name}.txt"
        fresh = []
        for line in path.read_text().splitlines():
            if line and not line.startswith("#"):
                label, options, depth, _, position = (part.strip() for part in line.split("|"))
                count = perft(state_of(name, options, position), 0, int(depth))
                line = f"{label} | {options} | {depth} | {count} | {position}"
            fresh.append(line)
        path.write_text("\n".join(fresh) + "\n")


if __name__ == "__main__":
    write()
