"""Golden files: a whole game in words, and counts of decision trees.

`PYTHONPATH=tests python tests/engine/test_golden.py` rewrites them; read the diff before you commit it.

    playthroughs/NAME.txt   a seeded random game: every position, decision and event, of 30 decisions at most; from
                            the start, or from later on if the start misses the heart of the game (SCENES)
    playthroughs/scenes.txt one decision for each rule with a sentence that none of these games shows:
                            rule | game | options | actions by seat | position, and below it the events
    perft/GAME.txt          id | options | depth | count | position: how many ways one seat has to play `depth`
                            decisions, if all others always play the first legal action
"""

import json

import pytest
from checkout import TESTS

import crashlab
from crashlab import Random

GAMES = crashlab.games()
DECISIONS = 30
NEW = "# id | options | depth | count | position\nstart | {} | 2 | 0 | start\n"  # for a new game

SCENES = {  # name of the file: game, options, position
    **{name: (name, {}, None) for name in GAMES},
    "crash_by_crash_end": (
        "crash_by_crash",
        {},
        "turn 93; asked B; acted 1; placed 1; floor X2 F1+2 X0+3 F7+3 X12+3 F9+5 X7 F11+3 X3+3 F4+4 X5 F0+4 "
        "X10 F6+4 X4+3 F8+4 X8 F5+5 X11+3 F10 X9 F2+3 X1 F3+4 X6; gone 4.6 7.8 10.6 13.3; bells 7.2 2.4 - "
        "13.9 4.10 - - 10.0 - 3.0; operator 12.2; blue 1.3 6.2 0.6 2.3 13.1 10.12 12.11 11.11 11.10, score "
        "2, batteries 0; orange 11.1 4.0 1.2 0.12 10.10 4.2 4.3 13.6 2.5 9.1 M1.4, score 2, batteries 0; "
        "hands A Powerless Tandem Expansion, B Lambada Shady Expansion; display Ride Tandem Hit; discards "
        "Saboteur; luck 988142ef6d69fff",
    ),
    "crash_city_race": (
        "crash_city",
        {"players": 2},
        "phase race; asked B; turn 359; tiles 0,-1 NW house B / 1,-1 W house A / 0,-2 NS house B / 1,-2 NS "
        "house A / 1,0 W house B / -1,0 N factory A / 1,1 EW shop B / 1,2 NES house A / 2,1 NS factory B / "
        "3,1 N shop A / 0,1 NW house B / 2,2 NEW shop A / 4,1 SW house B / 5,1 ES house A / 5,2 ES shop B / "
        "-1,1 S shop A / 6,2 W shop B / 3,2 NSW factory A / 2,-2 NW shop B / 1,3 S house A / 5,3 ESW factory "
        "B / 6,3 S factory A / 7,3 NW factory B / 3,-2 W shop A / 2,-3 NS factory B / 5,4 EW factory A / 2,3 "
        "NE house B / 6,1 EW house A / 2,4 NW house B / -1,-2 N house A / 4,0 NW house B / 5,0 EW house A; "
        "cars A 2,-2 -1,1 2,2N>E 6,3 2,1 5,3 2,2 5,2 / B 2,3N>W 3,1 0,0S>W 3,2 2,1S>W 1,1 2,4N>E 2,2E>N; "
        "luck d3f528f658975ec3",
    ),
}


def playthrough(name, by=lambda game: game):
    """Yield the lines of a seeded random game; `by` replaces the rules by ones that should be equal."""
    name, options, position = SCENES[name]
    book, rng = crashlab.game(name, **options), Random(2026)
    game = by(book)
    state = game.start(seed=2026) if position is None else game.read(position)
    yield f"# {book!r}, seed 2026"
    for _ in range(DECISIONS):
        if state.over:
            break
        yield f"\n= {state.text}"
        for seat in state.actors:
            actions = state.actions(seat)
            yield f"{game.seat_name(seat)} has {len(actions)} actions: {actions[0]} to {actions[-1]}"
        turn = state.sample(rng)
        yield from events(turn)
        state = turn.after
    yield f"\n= {state.text}\nscores {state.scores}, winners {state.winners}"


def events(turn):
    for event in turn.events:
        cause = "" if event.cause is None else f" because {event.cause}"
        yield f"{event.number:3} beat {event.beat:2} {event.rule} {event.text}{cause}"


def scene(header):
    """Return the lines of a scene: its header and its events."""
    _, name, options, actions, position = header.split(" | ", 4)
    state = crashlab.game(name, **json.loads(options)).read(position)
    return [header, *events(state.play({int(seat): action for seat, action in json.loads(actions).items()}))]


def golden(name):
    return (TESTS / "playthroughs" / f"{name}.txt").read_text(encoding="utf-8").splitlines()


def scenes():
    return [block.splitlines() for block in "\n".join(golden("scenes")).split("\n\n")]


def perft(state, seat, depth):
    """Return how many ways this seat has to play `depth` decisions."""
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
    """Yield the count below each action, to find where two counts differ."""
    for action in state.actions(seat):
        yield str(action), perft(state.play({**first(state), seat: action}).after, seat, depth - 1)


def perft_lines(name):
    for line in (TESTS / "perft" / f"{name}.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            yield tuple(part.strip() for part in line.split("|"))


def state_of(name, options, position):
    game = crashlab.game(name, **json.loads(options))
    return game.start(seed=1) if position == "start" else game.read(position)


@pytest.mark.parametrize("name", SCENES)
def test_the_playthrough_is_as_it_was(name):
    assert list("\n".join(playthrough(name)).splitlines()) == golden(name)


@pytest.mark.parametrize("lines", scenes(), ids=lambda lines: lines[0].partition(" ")[0])
def test_the_scene_is_as_it_was_and_shows_its_rule(lines):
    assert scene(lines[0]) == lines
    rule = lines[0].partition(" ")[0]
    assert any(line.split()[3] == rule for line in lines[1:])


def test_every_rule_that_has_a_sentence_is_told_somewhere():
    rules = {line.split()[3] for name in (*SCENES, "scenes") for line in golden(name) if line[4:8] == "beat"}
    assert {rule.id for name in GAMES for rule in crashlab.game(name).rulebook if rule.event} <= rules


@pytest.mark.few(1)
@pytest.mark.parametrize("name", GAMES)
def test_decision_trees_have_as_many_leaves_as_they_had(name):
    lines = list(perft_lines(name))
    assert lines
    for label, options, depth, count, position in lines:
        state = state_of(name, options, position)
        leaves = perft(state, 0, int(depth))
        assert leaves == int(count), (label, list(split(state, 0, int(depth))))


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
    for name in SCENES:
        (TESTS / "playthroughs").mkdir(exist_ok=True)
        (TESTS / "playthroughs" / f"{name}.txt").write_text("\n".join(playthrough(name)) + "\n", encoding="utf-8")
    blocks = ["\n".join(scene(lines[0])) for lines in scenes()]
    (TESTS / "playthroughs/scenes.txt").write_text("\n\n".join(blocks) + "\n", encoding="utf-8")
    for name in GAMES:
        path = TESTS / "perft" / f"{name}.txt"
        if not path.exists():
            path.write_text(NEW, encoding="utf-8")
        fresh = []
        for line in path.read_text("utf-8").splitlines():
            if line and not line.startswith("#"):
                label, options, depth, _, position = (part.strip() for part in line.split("|"))
                count = perft(state_of(name, options, position), 0, int(depth))
                line = f"{label} | {options} | {depth} | {count} | {position}"
            fresh.append(line)
        path.write_text("\n".join(fresh) + "\n")


if __name__ == "__main__":
    write()
