"""Impossible positions, and the messages that refuse them.

Positions that break a rule are refused, and so are positions from which play could not continue. A position that no
game reaches but the rules can continue from is accepted: `test_read_positions.py` changes positions at random and plays
on.
"""

import json
import re

import pytest
from crash_and_grab_positions import TURN, WAY
from crash_by_crash_positions import FLOOR
from effort import spread

import crashlab
from crashlab import CrashlabError, Random

COLUMN_1 = [1, 16, 17, 32, 33, 48, 49, 64, 65, 80, 81]
ONE_CAR = {"round": 2, "cars": {"1": {"hex": [2, 1], "facing": "E", "speed": 1}}}
NO_PILE = "discards " + " ".join(f"K{number}*3" for number in range(1, 14))

AUTOSCOOTER = (
    crashlab.game("autoscooter", players=3),
    [
        (ONE_CAR | {"used": [1, 5]}, "give numbers that these cars have, each once"),
        (ONE_CAR | {"used": [1, 99]}, "give numbers that these cars have, each once"),
        (ONE_CAR | {"used": [1, 1]}, "give numbers that these cars have, each once"),
        (ONE_CAR | {"used": ["x"]}, "used: 'x' is not a whole number"),
        (ONE_CAR | {"used": 1}, "used: give a list of numbers"),
        (ONE_CAR | {"used": None}, "used: give a list of numbers"),
        (
            ONE_CAR | {"cars": {"1": {"hex": [2, 1], "facing": "E", "unused": COLUMN_1[:-1]}}, "used": [1]},
            "give numbers that these cars have, each once",
        ),
        (ONE_CAR | {"cars": {"1": "21E2", 1: "43E2"}}, "cars: 1 appears twice"),
        (ONE_CAR | {"plots": {"1": "16 F", 1: "17 F"}}, "plots: 1 appears twice"),
        (
            ONE_CAR | {"cars": {"1": "21E2", "4": {"hex": [0, 0], "facing": "E", "unused": [4]}}},
            "cars, 4, unused: the car has no driver",
        ),
        (ONE_CAR | {"cars": {"1": {"hex": [[2], 1], "facing": "E"}}}, "there is no hex"),
        (ONE_CAR | {"cars": {"1": {"hex": [2.0, 1], "facing": "E"}}}, "there is no hex"),
        (ONE_CAR | {"cars": {"1": {"hex": [2, True], "facing": "E"}}}, "there is no hex"),
        (ONE_CAR | {"box": 10**5000}, "from 0 to 999,999,999"),
        (ONE_CAR | {"box": "9" * 5000}, "from 0 to 999,999,999"),
        (ONE_CAR | {"chits": {"A": "\u0663"}}, "not a whole number"),
        (ONE_CAR | {"chits": {"A": True}}, "not a whole number"),
        (ONE_CAR | {"chits": {"A": 20.0}}, "not a whole number"),
    ],
)

CRASH_AND_GRAB = (
    crashlab.game("crash_and_grab"),
    [
        ("saucers red 00, green 00", "both on 0,0"),
        ("saucers red 03", "is at rest on 0,3, an accelerator"),
        ("saucers red 88", "8 rows and columns"),
        ("saucers red 1", "row and a column"),
        ("saucers red 00, red 11", "appears twice"),
        ("saucers red 00, r 11", "appears twice"),
        ("saucers purple 00", "4 players have only 4 saucers"),
        ("saucers orange 00", "is not one of"),
        ("saucers red 00 x y", "write it like"),
        ("saucers red 00 e-1", "plan|write"),
        ("saucers red 01; crew red pilot 01", "is on 0,1 with a crewmember"),
        ("saucers red 00; crew red pilot 11", "not a crash site"),
        ("saucers red 00; crew red pilot 01, green pilot 01", "both on"),
        ("saucers red 00; crew pink pilot 01", "not in play"),
        ("saucers red 00; crew red cook 01", "is not one of"),
        ("saucers red 00; crew red pilot purple", "does not play"),
        ("saucers red 00; upgrades Warp red", "is not one of"),
        ("saucers red 00; upgrades Mines", "holder is missing"),
        ("saucers red 00; upgrades Mines red, U16 blue", "appears twice"),
        ("saucers red 00; upgrades Mines deck spent", "cannot be fresh or spent"),
        ("saucers red 00; upgrades Mines drawn, Waste drawn, Legs drawn", "at most two"),
        ("saucers red 00; tiles 1A0 2A0 3A0", "4 tiles"),
        ("saucers red 00; tiles 1A0 2A0 3A0 3B0", "appears twice"),
        ("saucers red 00; tiles 1A0 2A0 3A0 5A0", "give one of 1, 2, 3, 4 here"),
        ("saucers red 00; tiles 1A4 2A0 3A0 4A0", "0 to 3 turns"),
        ("saucers red 00; probe E", "no seat"),
        ("saucers red 00; round 0", "round is 0, but must be from 1 to"),
        ("saucers red 00; round 61", "the last round is 60"),
        ("saucers red 00; round x", "whole number"),
        ("saucers red 00; pass 2", "two players"),
        ("saucers red 00; asked B", "all players"),
        ("saucers red 00; placed 3", "placed takes no value: leave out '3'"),
        ("saucers red 00; nonsense 3", "has the parts"),
        ("saucers red 00; round 1; round 2", "appears twice"),
        ("saucers red 00; phase boost", "say which, as in 'turn red'"),
        ("saucers red 00; turn red", "cannot be the turn"),
        ("saucers red 00; phase boost; turn pink", "have only 4 saucers"),
        ("saucers red 00; phase boost; turn red", "has no plan"),
        ("saucers red 00; phase nonsense", "is not one of"),
        ("saucers red 00 3>, green 10 3>, blue 11 3>, yellow 12 3>", "all players have planned"),
        (TURN.format("penalty"), "none of your saucers has crashed"),
        (TURN.format("reward"), "no saucer has crashed"),
        (TURN.format("refill-die"), "found red pilot"),
        (TURN.format("exchange"), "just picked up"),
        (TURN.format("keep"), "drawn only in a purchase"),
        (TURN.format("push"), "in this phase a saucer is moving"),
        (TURN.format("step"), "needs Blast Off Thrusters"),
        (TURN.format("step") + "; upgrades Blast green fresh", "needs Blast Off Thrusters"),
        (TURN.format("draw") + "; upgrades Mines drawn, Legs drawn", "drawn only in a purchase"),
        (TURN.format("die"), "off the board is placed"),
        (TURN.format("first"), "cannot be the turn"),
        (TURN.format("end") + "; left 2", "no saucer is moving, so left must be 0"),
        (TURN.format("boost") + "; asked A", "B, not A, is asked for a boost"),
        (TURN.format("boost").replace("b1 ", ""), "no booster"),
        (TURN.format("boost").replace("12 b1", "off b1"), "off the board"),
        (TURN.format("buy"), "green has less than the 2 energy.*CG-H1"),
        (TURN.format("refill"), "no crewmember was picked up.*CG-W3"),
        (TURN.format("refill-die") + "; found red pilot", "no crewmember was picked up.*CG-W3"),
        (TURN.format("boost") + "; motion card; mover green", "no saucer is moving, so left must be 0"),
        ("saucers red 00; spin clockwise", "the direction of the turns must be open.*CG-R2"),
        (WAY.format("turn-off") + "; leg 3; left 2", "green cannot be asked.*CG-M2"),
        (WAY.format("turn-off").replace("03", "02") + "; leg 3; left 3", "green cannot be asked.*CG-M2"),
        (WAY.format("waste").replace("03", "02") + "; leg 3; upgrades Waste green", "green cannot be asked"),
        (WAY.format("push").replace("76", "04") + "; heading >; upgrades Mines green", "green cannot be asked"),
    ],
)

CRASH_BY_CRASH = (
    crashlab.game("crash_by_crash"),
    [
        ("", "'blue' is missing: the side of A and C"),
        ("nonsense", "has the parts"),
        ("round 3", "has the parts"),
        ("turn 3", "'blue' is missing"),
        ("blue 0.0; blue 0.1", "appears twice"),
        ("blue 0.0; orange 0.0", "blue's car 1 and orange's car 1 are both on 0\\.0"),
        ("blue 0.0 0.0; orange 0.5", "blue's car 1 and blue's car 2 are both on"),
        ("blue 0.13; orange 0.5", "blue, cars: there is no cell 0.13"),
        ("blue x; orange 0.5", "blue, cars: 'x'"),
        ("blue 0.0 M; orange 0.5", "blue, cars: 'M' is not a row"),
        ("blue 0.0 M0.1 M0.2; orange 0.5", "write it like"),
        ("blue 0.0, fuel 3; orange 0.5", "blue, cars: 'fuel' is not a row"),
        ("blue 0.0, score x; orange 0.5", "blue, score: 'x' is not a whole number"),
        ("blue 0.0, score 0; orange 0.5", "blue has 0 points.*CB-T3"),
        ("blue 0.0, score -3; orange 0.5", "not a whole number"),
        ("blue 0.0, score 3, score 4; orange 0.5", "blue: cannot read .*score 4.*write it like"),
        ("blue 0.0, batteries 5; orange 0.5", "blue has 5 batteries, but 4 is the most.*CB-S1"),
        ("blue 0.0, banned yes; orange 0.5", "blue, cars: 'yes' is not a row"),
        ("blue 0.0 0.1 0.2 0.3 1.0 1.1 1.2 1.5 1.6 2.0 2.1; orange 0.5", "blue, cars: give at most 10 values, not 11"),
        ("blue 0.0", "orange has no car on the floor.*phase over.*CB-E4"),
        ("blue 2.4; orange 0.5", "blue's car 1 and bell 1 are both on 2\\.4"),
        ("blue 0.0; orange 0.5; bells 0.1", "needs a flower"),
        ("blue 0.0; orange 0.5; bells 1.3 1.4", "needs a flower without another bell"),
        ("blue 0.0; orange 0.5; bells 1.3 1.9", "scorings is 8, but must be from 0 to 7"),
        (
            "blue 0.0; orange 0.5; bells 1.3 1.9 4.1 4.6 4.11 7.3 7.8 10.1 10.6 10.11 13.3",
            "bells: give at most 10 values, not 11",
        ),
        ("blue 0.0; orange 0.5; bells 1.3 1.9 4.1", "after the seventh scoring.*CB-E4"),
        ("blue 0.0; orange 0.5; scorings 2", "10 bells are on the floor, but 8 must be"),
        ("blue 0.0; orange 0.5; gone 0.0", "only flowers leave.*CB-E1"),
        ("blue 0.0; orange 0.5; gone 1.3 1.4", "gone: 1.3 appears twice"),
        ("blue 1.4; orange 0.5; gone 1.3", "blue's car 1 is on 1\\.4, where there is a hole.*CB-F5"),
        ("blue 0.0; orange 0.5; gone 13.3", "1 tiles are gone, but there were only 0 scorings"),
        ("blue 0.0; orange 0.5; operator 0.0", "blue's car 1 and the operator are both on"),
        ("blue 0.0; orange 0.5; operator off", "operator: 'off'"),
        ("blue 0.0; orange 0.5; floor X0 F0", "25 tiles"),
        (f"blue 0.1; orange 4.2; floor {FLOOR.replace('X7', 'F7')}", "tile 3 must be an X tile X0 to X12.*CB-F2"),
        (f"blue 0.1; orange 4.2; floor {FLOOR.replace('X7', 'X13')}", "tile 3 must be an X tile X0 to X12.*CB-F2"),
        (f"blue 0.1; orange 4.2; floor {FLOOR.replace('F11', 'F12')}", "a flower F0 to F11"),
        (f"blue 0.1; orange 4.2; floor {FLOOR.replace('X7', 'X7+2')}", "'X7\\+2' does not fit.*CB-F3"),
        (f"blue 0.1; orange 4.2; floor {FLOOR.replace('X7', 'X1')}", "X1 appears twice"),
        (f"blue 0.1; orange 4.2; floor {FLOOR.replace('F2 ', 'F2+6 ')}", "'F2\\+6'"),
        ("blue 0.0; orange 0.5; hands C Ride", "no seat 'C'"),
        ("blue 0.0; orange 0.5; hands A Ride, A Tandem", "A appears twice"),
        ("blue 0.0; orange 0.5; hands A Ride, a Tandem", "A appears twice"),
        ("blue 0.0; orange 0.5; hands A Warp", "hands, A: card: 'Warp' is not one of"),
        ("blue 0.0; orange 0.5; hands A Ride*4", "one to three cards"),
        ("blue 0.0; orange 0.5; hands A Ride*3 Tandem", "at most three cards"),
        ("blue 0.0; orange 0.5; hands A Ride ?", "all cards must be hidden, or none"),
        ("blue 0.0; orange 0.5; hands A Ride*3; display Ride", "4 cards Free Ride, but the game has only 3.*CB-S1"),
        ("blue 0.0; orange 0.5; display Ride Ride Tandem Hit", "at most three cards"),
        ("blue 0.0; orange 0.5; display ?", "display"),
        ("blue 0.0; orange 0.5; discards ?", "no card can be hidden or missing"),
        ("blue 0.0; orange 0.5; drawn Ride", "so name the phase"),
        ("blue 0.0; orange 0.5; owed 1", "so name the phase"),
        ("blue 0.0; orange 0.5; asked C", "no seat 'C'"),
        ("blue 0.0; orange 0.5; asked nobody", "no seat 'nobody'"),
        ("blue 0.0; orange 0.5; turn 301", "the last turn is 300"),
        ("blue 0.0; orange 0.5; turn x", "turn: 'x' is not a whole number"),
        ("blue 0.0; orange 0.5; phase dancing", "is not one of set-up, action"),
        ("blue 0.0; orange 0.5; acted 2", "two actions are done.*CB-T1"),
        ("blue 0.0; orange 0.5; phase drawing; acted 3; owed 1", "no face-up cards to choose from"),
        (
            f"blue 0.0; orange 0.5; phase pile; acted 3; owed 1; {NO_PILE}",
            "no card can come from the empty pile.*CB-T4",
        ),
        (f"blue 0.0; orange 0.5; phase refill; acted 3; {NO_PILE}", "no card can come from the empty pile.*CB-T4"),
        ("blue 0.0; orange 0.5; phase drawing; acted 3; display Ride", "to draw 0 cards.*a hand has three"),
        ("blue 0.0; orange 0.5; phase pile; owed 1", "say after how many"),
        ("blue 0.0; orange 0.5; phase keep; acted 3; owed 1", "no phase keep with 2 players"),
        ("blue 0.0; orange 0.5; phase pile; acted 3; owed 1; drawn Ride", "1 card drawn.*CB-V1"),
        ("blue 0.0; orange 0.5; phase refill; acted 3; display Ride Ride Ride", "needs a missing face-up card"),
        ("phase set-up; orange 0.0", "take turns placing four cars"),
        ("phase set-up; blue 0.0 M4.4; orange 0.5", "no magnetic car"),
        ("phase set-up; blue 0.0; orange 0.1", "same tile"),
        ("phase set-up; asked B", "placed by A, not by B"),
    ],
)

CRASH_BY_CRASH_PLAYERS_4 = (
    crashlab.game("crash_by_crash", players=4),
    [
        ("blue 0.0; orange 0.5; display Ride", "four players have no face-up cards"),
        ("blue 0.0; orange 0.5; phase keep; acted 3; owed 1; drawn Ride", "1 card drawn.*CB-V1"),
        ("blue 0.0; orange 0.5; phase refill; acted 3", "no phase refill with 4 players"),
        ("blue 0.0; orange 0.5; hands E Ride", "the seats are A, B, C, D"),
    ],
)

CRASH_CITY = (
    crashlab.game("crash_city", players=2),
    [
        ("", "'phase' is missing: the name of the current decision"),
        ("turn 3", "'phase' is missing"),
        ("nonsense", "a position has the parts phase, asked"),
        ("turn 1; turn 2", "'turn' appears twice"),
        ("phase asleep", "phase: 'asleep' is not one of site, reveal"),
        ("phase race; asked C", "asked: there is no seat 'C'; the seats are A, B"),
        ("phase race; turn x", "turn: 'x' is not a whole number"),
        ("tiles 1,0", "write a tile like '2,0 NE shop B'"),
        ("tiles 1,0 N shop", "write a tile like '2,0 NE shop B'"),
        ("tiles 1 N", "tiles.*not a place x,y"),
        ("tiles 1,0 NQ", "lanes: give one or more of the sides .*, not 'NQ'"),
        ("tiles 1,0 N school A", "building: 'school' is not one of house, shop, factory"),
        ("tiles 1,0 N shop C", "owner: there is no seat 'C'"),
        ("tiles 3,0 N", "tile 3,0 is not beside an earlier tile"),
        ("tiles 1,0 N / 1,0 S", "there are two tiles on 1,0"),
        ("tiles 0,0 N", "two tiles on 0,0"),
        ("tiles 1,0 E", "not connected to the square \\(CC-B4"),
        ("tiles 1,0 NESW", "more than the set has \\(CC-G6"),
        ("tiles 1,0 N; cars A 1,0S>E", "no lane S; it has lane N"),
        ("tiles 1,0 N; cars A 1,0N>N", "must face E or W, along its street \\(CC-G2"),
        ("tiles 1,0 N; cars A 1,0N", "say which way the car faces"),
        ("tiles 1,0 N; cars A 1,0", "no shop or factory to park at \\(CC-R2"),
        ("tiles 1,0 N house A; cars A 1,0", "no shop or factory to park at \\(CC-R2"),
        ("tiles 1,0 EW; cars A 1,0E>N", "not connected.*CC-B6"),
        ("cars A 0,0N>E / B 0,0N>W", "too many cars on the N lane of 0,0: A1 and B1 .*CC-G2"),
        ("tiles 1,0 N shop A; cars A 1,0 1,0", "too many cars parked on 1,0: A1 and A2"),
        ("cars A 0,0N>E / A 0,0S>E", "A appears twice"),
        ("cars C 0,0N>E", "there is no seat 'C'"),
        ("cars A - - - - - - - - -", "9 cars are too many; each seat has 8 \\(CC-B1"),
        (
            "tiles 1,0 N shop A / 2,0 N shop A / 3,0 N shop A / 4,0 N shop A / 5,0 N shop A",
            "A has built 5 shops.*CC-B1",
        ),
        ("phase race; tiles 1,0 ?", "1,0 has no lane \\(CC-G6"),
        ("phase reveal", "the last tile must be new, but there is none"),
        ("phase reveal; tiles 1,0 N", "has lanes N, which is impossible in the phase reveal"),
        ("phase reveal; tiles 1,0 ?L", "the last tile must be '1,0 \\?'"),
        ("phase rotate; tiles 1,0 ?", "'... \\?L' in rotate"),
        ("phase reveal; tiles 1,0 NS / 2,0 S / 2,1 ?", r"the site 2,1 is not connected.*CC-B3"),
        ("phase build; tiles 1,0 N shop A", "nothing can be built on 1,0 yet"),
        ("phase car; tiles 1,0 N shop A", "the phase car needs a house of A on 1,0 \\(CC-B6"),
        (
            "phase car; tiles 0,1 S house A / -1,0 N house B / 1,0 NS house A; cars A 1,0N>E / B -1,0N>E",
            "A1 is on the N lane of 1,0, but that tile has only just been laid \\(CC-B6",
        ),
        (
            "phase build; asked A; tiles 0,1 S house A / -1,0 N house B / 1,0 NS; cars A 0,1S>E / B 1,0S>E",
            "B1 is on the S lane of 1,0, but that tile has only just been laid \\(CC-B6",
        ),
        ("phase site; turn 3", "the race, which has not begun"),
        ("phase site; tiles 1,0 N shop A; cars A 1,0", "no car can park before the race"),
        (
            "phase site; cars A 0,0N>E",
            "A has 1 car on the street and 8 more cars to come, but only 8 in all \\(CC-B6",
        ),
        ("phase race; passes 1; cars A 0,0N>E", "passes are turns"),
        ("phase race; turn 5; passes 2; cars A 0,0N>E", "the game is over.*write 'phase over'"),
        ("phase race; turn 5000; cars A 0,0N>E", "the game is over"),
        ("phase race; turn 5001; cars A 0,0N>E", "at most 5000"),
        ("phase over; turn 5; passes 1; cars A 0,0N>E", "not over: nobody has parked all"),
        ("phase crash; cars A 0,0N>E", "name the hit car and its direction, as in 'hit B1; push E'"),
        ("phase crash; hit B1; cars A 0,0N>E / B 0,0N>W", "name the hit car and its direction, as in 'hit B1; push E'"),
        ("phase race; push E; cars A 0,0N>E", "in the phase crash, and only there"),
        ("phase crash; hit B1; push X; cars A 0,0N>E / B 0,0N>W", "push: 'X' is not one of"),
        ("tiles 1,0 N shop A; cars A 1,0>E", "'2,0' if it is parked"),
        ("phase crash; hit B1; push E; cars A 0,0N>E / B 0,0S>W", "one other car must be on its space"),
        ("phase crash; hit B1; push N; cars A 0,0N>E / B 0,0N>W", "B must decide, but there is no legal action"),
        ("phase race; hit B1; push E; cars A 0,0N>E / B 0,0S>W", "in the phase crash, and only there"),
        (
            "phase crash; hit B1; push E; tiles 1,0 NS / 2,0 N; cars A 2,0N>E / B 2,0N>W",
            "B must decide, but there is no legal action",
        ),
        ({"tile": []}, "there is no key 'tile'"),
        ({"phase": 3}, "phase: 3 is not one of"),
        ({}, "'phase' is missing"),
        ({"turn": True, "cars": {}}, "turn: True is not a whole number"),
        ({"turn": -1, "cars": {}}, "turn: -1 is not a whole number"),
        ({"tiles": 3}, "tiles: give a list"),
        ({"tiles": [3]}, "tiles: give at, lanes, kind, building, owner"),
        ({"tiles": [{"lanes": "N"}]}, "tile: None is not a place x,y"),
        ({"tiles": [{"at": [1, 0], "lane": "N"}]}, "tiles: give at"),
        ({"tiles": [{"at": [1, 0], "lanes": 3}]}, "lanes: give one or more of the sides .*, not 3"),
        ({"tiles": [{"at": [1, 0.5], "lanes": "N"}]}, "tile: \\[1, 0.5\\] is not a place x,y"),
        ({"tiles": [{"at": [1, 0], "lanes": "N", "kind": "L"}]}, "with lane N is of kind I \\(CC-G6"),
        ({"tiles": [{"at": [1, 0], "lanes": "N", "building": "shop"}]}, "owner: there is no seat None"),
        ({"tiles": [{"at": [1, 0], "lanes": "N", "owner": "A"}]}, "building: None is not one of"),
        ({"cars": 3}, "cars: give a dict of names and values"),
        ({"cars": {"A": 3}}, "cars, A: give a list"),
        ({"cars": {"A": [3]}}, "cars, A, 3: write a car like"),
        ({"cars": {"A": [{"at": [0, 0], "lane": "N"}]}}, "write a car like"),
        ({"cars": {"A": [{"at": [0, 0], "lane": "X", "facing": "E"}]}}, "direction: 'X' is not one of"),
        ({"cars": {"A": [{"parked": None}]}}, "tile: None is not a place x,y"),
        ({"cars": {}, "hit": 3}, "hit: 3 is not one of A1 to A8, B1 to B8"),
        ({"cars": {}, "moved": 3}, "moved: give a list"),
        ({"cars": {}, "moved": [3]}, "moved: 3 is not one of"),
    ],
)

GAMES = AUTOSCOOTER, CRASH_AND_GRAB, CRASH_BY_CRASH, CRASH_BY_CRASH_PLAYERS_4, CRASH_CITY
CASES = [(game, *case) for game, cases in GAMES for case in cases]


@pytest.mark.parametrize(("game", "position", "words"), CASES)
def test_what_cannot_be_is_refused_with_the_reason(game, position, words):
    with pytest.raises(CrashlabError, match=words) as error:
        game.read(position)
    assert isinstance(position, dict) or not re.search(r"None\b(?! is none)|seat \d|  ", str(error.value))


def places(data):
    """Yield every place in nested JSON, as the keys that lead there."""
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in inner:
        yield (key,)
        yield from ((key, *rest) for rest in places(value))


def changed(data, keys, value):
    """Return a copy with another value at a place."""
    data = json.loads(json.dumps(data))
    holder = data
    for key in keys[:-1]:
        holder = holder[key]
    holder[keys[-1]] = value
    return data


@pytest.mark.parametrize("name", crashlab.games())
def test_malformed_json_is_refused_in_words(name):
    """A value of the wrong type is refused at any place of a position."""
    game, rng = crashlab.game(name), Random(2)
    state = game.start(2)
    for _ in range(20):
        state = state.sample(rng).after
    data = json.loads(json.dumps(state.to_dict(defaults=True)))
    with pytest.raises(CrashlabError, match="nonsense"):
        game.read(data | {"nonsense": 1})
    for keys in spread([*places(data)], 60):
        for value in ("nonsense", 7.5, -7, 10**10, b"no", {"nonsense": 7}, [["nonsense"]]):
            with pytest.raises(CrashlabError):
                game.read(changed(data, keys, value))
