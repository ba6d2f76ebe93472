"""CrashCity in words: written text can be read again, and errors are refused with the reason."""

import json
import re

import pytest
from table_play import contains, lines_of

from crashlab.base.errors import CrashlabError
from crashlab.engine import action_notation
from crashlab.engine.chance import Random
from crashlab.engine.contract import determinized, observed
from crashlab.engine.game import Game
from crashlab.engine.position import write
from crashlab.engine.table import CHANCE, HIDDEN, NOTE, NOWHERE, Row, Trace, replay
from crashlab.games.crash_city import notation, positions, rules, text
from crashlab.games.crash_city import notation as w
from crashlab.games.crash_city import state as tables


def crash_city(**options):
    return Game("crash_city", "crashlab.games.crash_city", options)


TWO, FOUR = crash_city(players=2), crash_city()
CHAINS, LAST_STEP = crash_city(players=2, chains=True), crash_city(players=2, lanes="last_step")
GAMES = [
    TWO,
    crash_city(players=3, tiles="rings", corners="loose", turn_limit=None),
    crash_city(players=2, tiles="minimal", lanes="last_step", turn_limit=90),
    crash_city(tiles="plain", chains=True),
]
each_game = pytest.mark.parametrize("game", GAMES, ids=repr)


def chosen(table, out, rng):
    """Choose the actor and one of its actions, first the kind, so that all kinds occur; crashes are preferred."""
    actor = CHANCE if rules.actors(table) == CHANCE else 0
    legal = out[: rules.legal(table, actor, out)]
    hits = [action for action in legal if is_crash(table, action)]
    if hits and rng.below(3) == 0:
        return actor, rng.choice(hits)
    kind = rng.choice(sorted({action // tables.SORT for action in legal}))
    return actor, rng.choice([action for action in legal if action // tables.SORT == kind])


def is_crash(table, action):
    is_drive = action // tables.SORT * tables.SORT == tables.DRIVE
    return is_drive and action % tables.SPACE in table.where


def turns(game, seed, decisions):
    """Yield the decisions of a game, forced ones included, as (table before, actor, action, rows)."""
    table, rng, out = game.set_up(Random(seed)), Random(seed), [0] * rules.MOST_ACTIONS
    while rules.actors(table) and decisions:
        before, trace = table.copy(), Trace()
        actor, action = chosen(table, out, rng)
        rules.apply(table, actor, action, trace)
        yield before, actor, action, list(map(Row._make, trace.rows))
        decisions -= 1
    if not rules.actors(table):
        yield table, NOWHERE, NOWHERE, []


@pytest.fixture(scope="module")
def played():
    """Return a random game of each kind, as a list of its turns."""
    return {game: list(turns(game, 3, 520)) for game in GAMES}


@each_game
def test_an_action_is_taken_apart_into_plain_values(game, played):
    """The values are in the words of the notation; together they make up the action's text."""
    kinds = set()
    for table, actor, *_ in played[game][::3]:
        for action in notation.legal_now(table)[:6] if rules.actors(table) else ():
            decision = notation.decision(table, actor)
            things = decision.answer.parts(table, action)
            assert json.loads(json.dumps(things)) == things
            kinds.add((decision.name, *things))
            words = " ".join(spelt(name, value) for name, value in things.items())
            assert words in game.say(table, actor, action).replace(">", " ")
            assert action_notation.read(decision, table, decision.answer.format(table, action)) == action
    assert kinds - {("race", "action"), ("roll", "seat"), ("crash", "lane")} == {
        ("site", "site"),
        ("reveal", "kind"),
        ("rotate", "lanes"),
        ("build", "building"),
        ("car", "lane", "facing"),
        ("race", "action", "car"),
        ("race", "action", "car", "lane"),
    }


def spelt(name, value):
    """Write a plain value in notation."""
    if name == "site":
        return f"{value[0]},{value[1]}"
    return f"{value[0]},{value[1]}{value[2]}" if name == "lane" else value


@pytest.mark.few(2)
@each_game
def test_an_action_that_is_not_listed_is_refused_in_words(game, played):
    """Codes beside the legal ones and random codes are each either listed or refused with a rule."""
    rng, out = Random(2), [0] * rules.MOST_ACTIONS
    for table, actor, *_ in played[game][::5]:
        legal = set(out[: rules.legal(table, actor, out)])
        near = {action + step for action in list(legal)[:4] for step in (1, 3, 4, 138, 512, 4096)}
        wild = {tables.SORT * rng.below(11) + rng.below(tables.SORT) for _ in range(6)}
        for action in (near | wild | {-1, 10**9}) - legal:
            reason = game.refuse(table, actor, action)
            assert reason and not re.search(r"None|NOWHERE|\bseat -|-1\b lane|  ", reason), reason


@each_game
def test_every_event_has_words(game, played):
    fields = set()
    for before, _, _, rows in played[game]:
        table = before.copy()
        for row in rows:
            words = text.event_text(table, row)
            fields.add("" if row[3] < 0 else table.NAMES[row[3]])
            assert words == words.strip() and re.match(r"[A-D][1-8]? |[a-z]", words), words
            slips = r"None|(?<!,)-1 |  |seat \d|car \d+|space \d|(?<!tile )(?<![,-])\b1 [a-z]+s\b|\bs\b"
            assert not re.search(slips, words), words
            replay(table, [row])
    expected = {"", "laid", "tile", "spot", "kind", "street", "building", "owner", "joined", "where", "facing", "stock"}
    assert fields - {"passes"} - ({"moved"} if game.options["chains"] else set()) == expected | {
        "phase",
        "asked",
        "turn",
        "hit",
        "push",
    }


def what(table, row):
    """Return the plain values of a row, as in an event."""
    if row.field == NOTE:
        names = rules.BOOK[row.rule].numbers
        return {name: text.NOTES[name].to_json(table, number) for name, number in zip(names, row.numbers, strict=False)}
    change = text.CHANGES[table.NAMES[row.field]]
    index = {} if change.index is None else {change.index.name: change.index.to_json(table, row.index)}
    after, before = (change.value.to_json(table, number) for number in (row.after, row.before))
    return {**index, change.value.name: after, "was": before}


PLAIN = {
    "was": object,
    "phase": "[a-z]+",
    "asked": "[ABCD]",
    "owner": "[ABCD]",
    "car": "[ABCD][1-8]",
    "hit": "[ABCD][1-8]",
    "seat": "[ABCD]",
    "kind": "[ILHUO]",
    "lanes": "N?E?S?W?",
    "building": "house|shop|factory",
    "facing": "[NESW]",
    "push": "[NESW]",
    "direction": "[NESW]",
    "connected": bool,
    "moved": bool,
    "tiles": int,
    "left": int,
    "turn": int,
    "passes": int,
    "site": list,
    "tile": list,
    "lane": list,
    "place": list,
    "stock": list,
}


@each_game
def test_every_event_tells_plain_values(game, played):
    """The values are in the words of positions: places are those of existing tiles, or of the new one."""
    fields = set()
    for before, _, _, rows in played[game][::2]:
        table = before.copy()
        for row in rows:
            values, moment = what(table, row), table.copy()
            assert json.loads(json.dumps(values)) == values
            replay(table, [row])
            fields |= set(values)
            for name, value in values.items():
                kind = PLAIN[name]
                assert value is None or (
                    re.fullmatch(kind, value) if isinstance(kind, str) else isinstance(value, kind)
                )
                if isinstance(value, list) and name != "stock":
                    x, y, *side = value
                    spot = tables.streets.spot_of(x, y)
                    assert spot in moment.spot or spot in table.spot or "seat" in values
                    assert side in ([], *map(list, "NESW"))
                assert name != "stock" or (re.fullmatch("[ABCD]", value[0]) and value[1] in tables.BUILDING_NAMES)
    assert {"phase", "asked", "car", "site", "tile", "lane", "place", "stock", "left", "facing", "was"} <= fields


@pytest.mark.parametrize(
    ("line", "words", "expected"),
    [
        (
            "phase site; tiles 1,0 NS house A; cars A 1,0N>E",
            "site 2,0",
            [
                {"site": [2, 0], "was": None},
                {"site": [2, 0], "tile": [2, 0], "was": None},
                {"tiles": 2, "was": 1},
                {"phase": "reveal", "was": "site"},
            ],
        ),
        (
            "phase build; asked B; tiles 1,0 NS house A / 2,0 NS; cars A 1,0N>E",
            "build shop",
            [
                {"tile": [2, 0], "building": "shop", "was": None},
                {"tile": [2, 0], "owner": "B", "was": None},
                {"stock": ["B", "shop"], "left": 3, "was": 4},
                {"asked": "A", "was": "B"},
                {"phase": "site", "was": "build"},
            ],
        ),
        (
            "tiles 1,0 N shop B; cars A 1,0N>E / B 0,0S>E",
            "park A1",
            [
                {"car": "A1", "place": [1, 0], "was": [1, 0, "N"]},
                {"car": "A1", "facing": None, "was": "E"},
                {"turn": 1, "was": 0},
                {"asked": "B", "was": "A"},
            ],
        ),
        (
            "tiles 1,0 NS / 2,0 NE; cars A 0,0N>E / B 2,0N>W",
            "A1 2,0N",
            [
                {"car": "A1", "place": [1, 0, "N"], "was": [0, 0, "N"]},
                {"car": "A1", "place": [2, 0, "N"], "was": [1, 0, "N"]},
                {"car": "A1", "hit": "B1", "lane": [2, 0, "N"], "direction": "E"},
                {"hit": "B1", "was": None},
                {"push": "E", "was": None},
                {"phase": "crash", "was": "race"},
            ],
        ),
    ],
)
def test_what_events_tell(line, words, expected):
    turn = TWO.read(line).play(words)
    table, events = turn.before.table.copy(), []
    for row in turn.rows:
        events.append(what(table, row))
        replay(table, [row])
    assert events[: len(expected)] == expected


# By hand

POSITION = (
    "phase race; asked A; turn 12; tiles 1,0 NS house A / 2,0 NE shop B / 2,1 S; cars A 0,0N>E 2,0 / B 2,0N>W - 1,0S>E"
)


def position(line, game=TWO):
    """Return the table of a line, before forced decisions."""
    table, _ = game._read_line(line)
    return table


def filled(data, game=TWO):
    """Return the table of JSON, before forced decisions."""
    return game._fill(data)


def written(table):
    return write(positions.PARTS, table)


def test_a_position_by_hand_is_what_it_says():
    """The square is tile 0; a lane is 4 * tile + side; A has cars 0 to 7, B 8 to 15."""
    table = position(POSITION)
    assert table.turn == [12] and table.asked == [0] and table.phase == [tables.RACE] and table.laid == [4]
    assert [tables.streets.xy(spot) for spot in table.spot[:4]] == [(0, 0), (1, 0), (2, 0), (2, 1)]
    assert table.street[:5] == [15, 1 + 4, 1 + 2, 4, 0] and table.kind[1:5] == [2, 1, 0, NOWHERE]
    assert table.building[:4] == [NOWHERE, tables.HOME, tables.SHOP, NOWHERE]
    assert table.owner[:4] == [NOWHERE, 0, 1, NOWHERE] and table.stock[:6] == [7, 4, 4, 8, 3, 4]
    assert table.where[:3] == [0, tables.ROOF + 2, NOWHERE] and table.facing[:2] == [1, NOWHERE]
    assert table.where[8:12] == [8, NOWHERE, 6, NOWHERE] and table.facing[8] == 3 and table.facing[10] == 1
    assert table.hit == table.push == [NOWHERE] and table.passes == [0] and sum(table.joined) == 4 + 2 + 2 + 1


def test_what_is_left_out_is_as_it_is_usual():
    table = position("phase site")
    assert table.phase == [tables.SITE] and table.asked == [0] and table.laid == [1] and table.turn == [0]
    assert position("tiles 1,0 N; cars A 1,0N>E").phase == [tables.RACE]
    assert position("tiles 1,0 N").phase == [tables.SITE]


def test_the_examples_of_the_notation_are_positions():
    first, *others, data = re.findall(r"(?:^    .*\n)+", positions.__doc__, re.MULTILINE)
    assert written(position(first.strip())) == first.strip() == POSITION
    assert filled(json.loads(data)) == position(POSITION)
    lines = [line.strip() for example in others for line in example.splitlines()]
    assert [written(position(line)) for line in lines] == lines
    assert [position(line).phase[0] for line in lines] == [tables.REVEAL, tables.ROTATE, tables.ANSWER]


@pytest.mark.parametrize(
    ("line", "same"),
    [
        ("tiles (1, 0) sn HOUSE a", "tiles 1,0 NS house A"),
        ("tiles 1,0N/-1,0 E", "tiles 1,0 N / -1,0 E"),
        ("tiles 1,0 N; cars b 1,0 n > e", "tiles 1,0 N; cars B 1,0N>E"),
        ("tiles 1,0 N shop A; cars a (1, 0)", "tiles 1,0 N shop A; cars A 1,0"),
    ],
)
def test_positions_can_be_written_in_other_ways(line, same):
    assert position(line) == position(same)


def test_a_game_begins_at_a_position_by_hand():
    """Worked example 2 of the rules: on the square alone a car on its N lane has two moves."""
    state = TWO.read("cars A 0,0N>E / B -")
    assert [str(action) for action in state.actions(0)] == ["drive A1 0,0E", "drive A1 0,0W"]
    turn = state.play("A1 0,0E")
    assert turn.after.cars["A1"].lane == (0, 0, "E") and turn.after.cars["A1"].facing == "S"


def test_how_a_car_came_to_its_job_does_not_matter():
    """CC-R2: it faced E or W on the street; parked it is the same."""
    line = "tiles 1,0 N shop B; cars A 1,0N>{} / B 0,0S>E"
    parked = [TWO.read(line.format(way)).play("park A1").after for way in "EW"]
    by_hand = "phase race; asked B; turn 1; tiles 1,0 N shop B; cars A 1,0 / B 0,0S>E"
    assert parked[0] == parked[1] and parked[0].table == position(by_hand)


def test_a_crash_that_is_over_leaves_no_trace():
    """Worked example 6: the spin is the only way out, and then the direction of the push has no meaning."""
    state = TWO.read("tiles 1,0 NS / 2,0 N / 2,1 S; cars A 0,0N>E / B 2,0N>W").play("A1 2,0N").after
    by_hand = "phase race; asked B; turn 1; tiles 1,0 NS / 2,0 N / 2,1 S; cars A 2,0N>E / B 2,1S>E"
    assert state.table == position(by_hand) and "push" not in state.text


def test_what_a_state_tells_by_name():
    state = TWO.read(POSITION)
    assert state.tiles[2, 0] == positions.Tile("NE", "L", "shop", "B", "A2")
    assert state.tiles[2, 1].building is None and state.tiles[0, 0].lanes == "NESW" and len(state.tiles) == 4
    assert state.cars["A1"] == positions.Car("A", (0, 0, "N"), "E", None)
    assert state.cars["A2"] == positions.Car("A", None, None, (2, 0)) and set(state.cars) == {"A1", "A2", "B1", "B3"}
    assert state.parked == {"A": 1, "B": 0} and state.stock["B"] == {"house": 8, "shop": 3, "factory": 4}
    assert state.unrevealed == {"I": 15, "L": 15, "H": 15, "U": 16, "O": 0}
    assert (state.phase, state.turn, state.passes, state.whose_turn, state.hit) == ("race", 12, 0, "A", None)
    assert state.streets.has((2, 0, 1)) and not state.streets.has((2, 0, 2))
    assert repr(state.streets) == "<Streets with 9 lanes>" and state.push is None


def test_each_thing_is_told_only_when_it_is_asked_for():
    facts = positions.Facts(position(POSITION), positions.PARTS)
    stored = set(vars(facts))
    assert facts.turn == 12 and facts.tiles and set(vars(facts)) == {*stored, "tiles"}
    names = [name for name in vars(positions.Facts) if not name.startswith("_")]
    assert set(names) <= set(dir(TWO.read(POSITION))) and all(getattr(positions.Facts, name).__doc__ for name in names)


def test_a_crash_tells_who_was_hit_and_in_which_direction():
    """Worked example 4 with one more lane: A1 drives east to the end of 2,0."""
    state = TWO.read("tiles 1,0 NS / 2,0 NE / 2,1 S; cars A 0,0N>E / B 2,0N>W").play("A1 2,0N").after
    assert (state.phase, state.hit, state.push) == ("crash", "B1", "E")


# Actions


CITY = "tiles 1,0 NS house A / 2,0 NE shop B / 2,1 S"
MOMENTS = {
    "site": f"phase site; {CITY}",
    "reveal": f"phase reveal; {CITY} / 3,0 ?",
    "rotate": f"phase rotate; {CITY} / 3,0 ?L",
    "build": f"phase build; {CITY} / 3,0 NW",
    "car": f"phase car; {CITY} / 3,0 NW house A",
    "roll": f"phase roll; {CITY}",
    "race": POSITION,
    "crash": "phase crash; asked A; hit B1; push E; tiles 1,0 NS / 2,0 NE; cars A 2,0N>E / B 2,0N>W",
    "over": f"phase over; turn 12; passes 2; {CITY}",
}


@pytest.mark.parametrize(
    ("phase", "words", "code"),
    [
        ("site", "site 2,-1", tables.SELECT + tables.streets.spot_of(2, -1)),
        ("site", "(2, -1)", tables.SELECT + tables.streets.spot_of(2, -1)),
        ("reveal", "tile H", tables.REVEALED + 2),
        ("reveal", "u", tables.REVEALED + 3),
        ("rotate", "lanes NE", tables.LAY + 3),
        ("rotate", "EN", tables.LAY + 3),
        ("build", "build shop", tables.ERECT + 1),
        ("build", "Factory", tables.ERECT + 2),
        ("car", "put 3,0N>W", tables.PUT + 4 * 16 + 3),
        ("car", "3,0 W  s", tables.PUT + 4 * 19 + 2),
        ("roll", "B begins", tables.ROLLED + 1),
        ("roll", "b", tables.ROLLED + 1),
        ("race", "park A1", tables.PARK),
        ("race", "park B2", tables.PARK + 9),
        ("race", "drive A1 2,0 N", tables.DRIVE + 8),
        ("race", "b3 2,1 S", tables.DRIVE + 512 * 10 + 14),
        ("race", "pass", tables.PASS),
        ("crash", "to 2,0E", tables.MAKE_WAY + 9),
        ("crash", "2,0 e", tables.MAKE_WAY + 9),
    ],
)
def test_actions_are_read(phase, words, code):
    assert TWO.read_action(position(MOMENTS[phase]), 0, words) == code


@pytest.mark.parametrize(
    ("phase", "words", "things"),
    [
        ("site", "site 2,-1", {"site": [2, -1]}),
        ("reveal", "tile H", {"kind": "H"}),
        ("rotate", "lanes EN", {"lanes": "NE"}),
        ("build", "build shop", {"building": "shop"}),
        ("car", "put 3,0N>W", {"lane": [3, 0, "N"], "facing": "W"}),
        ("roll", "B begins", {"seat": "B"}),
        ("race", "park B2", {"action": "park", "car": "B2"}),
        ("race", "drive A1 2,0N", {"action": "drive", "car": "A1", "lane": [2, 0, "N"]}),
        ("race", "pass", {"action": "pass"}),
        ("crash", "to 2,0E", {"lane": [2, 0, "E"]}),
    ],
)
def test_the_parts_of_an_action(phase, words, things):
    table = position(MOMENTS[phase])
    code = TWO.read_action(table, 0, words)
    assert notation.decision(table, 0).answer.parts(table, code) == things


@pytest.mark.parametrize(
    ("phase", "words", "reason"),
    [
        ("site", "site 2", "not a place x,y, as in '2,0'"),
        ("site", "site 90,0", "90,0 is too far from the square 0,0 for a city of 64 tiles"),
        ("reveal", "tile X", "not one of I, L, H, U, O"),
        ("rotate", "lanes NX", "one or more of the sides N, E, S, W"),
        ("rotate", "lanes NN", "one or more of the sides"),
        ("build", "school", "not one of house, shop, factory"),
        ("car", "put 3,0N", "give a lane and a facing, separated by '>'"),
        ("car", "put 3,0N>X", "not one of N, E, S, W"),
        ("car", "put 3,0E>N", "has no lane E; it has lanes N and W"),
        ("roll", "C begins", "no seat 'C'; the seats are A, B"),
        ("race", "park A9", "not one of A1 to A8, B1 to B8"),
        ("race", "park C1", "not one of A1 to A8, B1 to B8"),
        ("race", "drive A1", "'park A1', 'drive A1 2,0N', or 'pass'"),
        ("race", "drive A1 7,7N", "no tile 7,7"),
        ("race", "drive A1 1,0E", "1,0 has no lane E; it has lanes N and S"),
        ("race", "drive A1 2,1N", "2,1 has no lane N; it has lane S"),
        ("race", "site 3,0", "not one of A1 to A8"),
        ("crash", "to 2", "a tile and one of its sides"),
        ("over", "pass", "there is nothing to decide"),
    ],
)
def test_actions_that_cannot_be_read_say_why(phase, words, reason):
    with pytest.raises(CrashlabError, match=reason) as error:
        TWO.read_action(position(MOMENTS[phase]), 0, words)
    assert str(error.value).startswith("cannot read")


# Refusals with their rules


def refused(line, words, game=TWO, seat=0):
    """Return the reason of a refusal."""
    table = position(line, game)
    return game.refuse(table, seat, game.read_action(table, seat, words))


@pytest.mark.parametrize(
    ("line", "words", "reason"),
    [
        ("phase site", "0,0", r"a tile on 0,0 already \(CC-B3"),
        ("phase site", "1,1", r"does not share a side with a tile or the square.*CC-B3"),
        ("tiles 1,0 NS / 2,0 S", "2,1", r"2,1 is not connected.*CC-B3"),  # worked example 7
        ("phase reveal; tiles 1,0 ?", "O", r"no tile O in this set \(CC-G6"),
        ("phase rotate; tiles 1,0 ?I", "NE", r"tile I has lane N or E or S or W, not NE \(CC-G6"),
        ("phase rotate; tiles 1,0 ?H", "NE", r"tile H has lanes NS or EW, not NE \(CC-G6"),
        ("phase rotate; tiles 1,0 ?I", "E", r"with lane E the tile would not be connected.*CC-B4"),  # example 1
        ("phase build; tiles 1,0 N factory A / 2,0 N", "house", r"beside a factory.*on 1,0 \(CC-B5"),
        ("phase build; tiles 1,0 N house A / 2,0 N", "factory", r"beside a house.*on 1,0 \(CC-B5"),
        ("phase car; tiles 1,0 EW house A", "1,0E>N", r"the E lane of 1,0 is not connected.*CC-B6"),  # example 1
        ("phase car; tiles 1,0 N / 1,1 S house A", "1,0N>E", r"new tile, 1,1 \(CC-B6"),
        ("phase car; tiles 1,0 N house A", "1,0N>N", r"must face E or W, along its street \(CC-G2"),
        (POSITION, "pass", r"can park or drive, so passing is not allowed \(CC-R1"),
        (POSITION, "B1 2,0E", r"B1 is a car of B, but it is the turn of A \(CC-R1"),
        (POSITION, "park A3", r"A3 is not on the table"),
        (POSITION, "A2 2,0E", r"A2 is parked on 2,0 and stays there \(CC-R2"),
        (POSITION, "park A1", r"0,0, where there is no shop or factory \(CC-R2"),
        (POSITION, "A1 0,0N", r"already on the N lane of 0,0 \(CC-R3"),
        (POSITION, "A1 0,0S", r"no move of A1 ends on the S lane of 0,0.*CC-R3"),
        ("asked B; " + POSITION.replace("asked A; ", ""), "park B1", r"A2 is already parked at the shop on 2,0.*CC-R2"),
    ],
)
def test_a_refusal_names_the_rule_that_forbids(line, words, reason):
    assert re.search(reason, refused(line, words))


def test_a_tile_that_is_used_up_is_refused():
    """CC-G6: the set rings has four tiles O."""
    rings, four = crash_city(players=2, tiles="rings"), " / ".join(f"{x},0 NESW" for x in range(1, 5))
    assert refused(f"phase reveal; tiles {four} / 5,0 ?", "O", rings) == (
        "all tiles O of the set have been revealed (CC-B2a)"
    )


@pytest.mark.parametrize(
    ("line", "words", "reason"),
    [
        # Worked example 4: the drift is gone, because the way is blocked; a neighbour is not hit.
        (
            "tiles 1,0 NS / 2,0 NE; cars A 0,0N>E / B 2,0N>W",
            "A1 2,0E",
            r"blocked by B1 on the N lane of 2,0.*CC-R3",
        ),
        (
            "tiles 1,0 NS / 2,0 NE; cars A 0,0N>E / B 1,0N>W",
            "A1 1,0N",
            r"B1 is on the N lane of 1,0, but a move of one space.*CC-R4",
        ),
        ("tiles 1,0 NS / 2,0 NE; cars A 0,0N>E / B 1,0N>W", "A1 2,0N", r"blocked by B1 on the N lane of 1,0"),
        # Worked example 5: the end of a one-lane dead end.
        ("tiles 1,0 NS / 2,0 N; cars A 0,0N>E / B 2,0N>W", "A1 2,0N", r"B1 is blocked.*cannot be hit \(CC-R5"),
        # A U-turn is a move of one space.
        (
            "tiles 0,1 S; cars A 0,0N>E / B 0,1S>W",
            "A1 0,1S",
            r"B1 is on the S lane of 0,1, but a move of one.*CC-R4",
        ),
        # Backing up: B1 is in the way.
        ("tiles 1,0 NS / 2,0 NE; cars A 2,0N>E / B 1,0N>W", "A1 0,0N", r"blocked by B1 on the N lane of 1,0"),
    ],
)
def test_a_refused_drive_names_the_car_that_forbids_it(line, words, reason):
    assert re.search(reason, refused(line, words))


def can_drive(table, action, away=()):
    """Return whether a drive is legal on a table without these cars."""
    bare, out = table.copy(), [0] * rules.MOST_ACTIONS
    for car in away:
        bare.where[car] = NOWHERE
    return action in out[: rules.legal(bare, 0, out)]


@pytest.mark.few(1)
@each_game
def test_a_drive_is_refused_for_what_forbids_it(game, played):
    """The named cars are in the way: without all of them the drive, or a longer part of it, is possible."""
    counts = {"CC-R3": 0, "CC-R4": 0, "CC-R5": 0, "no move": 0}
    racing = [table for table, *_ in played[game] if table.phase[0] == tables.RACE]
    for table in racing[:: max(1, len(racing) // 8)]:
        fleet = range(8 * table.asked[0], 8 * table.asked[0] + 8)
        for car in (car for car in fleet if NOWHERE < table.where[car] < tables.ROOF):
            others = [other for other in range(32) if other != car]
            for space in (space for space in range(4 * table.laid[0]) if table.joined[space]):
                action = tables.DRIVE + 512 * car + space
                reason = "" if space == table.where[car] else game.refuse(table, 0, action)
                if not reason:
                    continue
                rule = reason[-6:-1] if reason[0] != "n" else "no move"
                counts[rule] += 1
                assert can_drive(table, action, others) == (rule != "no move")
                on = [other for other in others if table.where[other] == space]
                assert can_drive(table, action, on) == (rule in ("CC-R4", "CC-R5"))
                assert rule == "no move" or bool(on) or rule == "CC-R3"
                blocking = [w.CAR.parse(table, name) for name in re.findall(r"[A-D][1-8](?= on)", reason)]
                assert all(table.where[other] not in (NOWHERE, space) for other in blocking)
                assert bool(blocking) == (rule == "CC-R3")
    assert counts["no move"] > 20 and counts["CC-R3"] and counts["CC-R4"]


def test_a_car_keeps_its_lane_until_the_last_step_and_is_blocked_in_it():
    line = "tiles 1,0 NS / 1,1 S / 2,0 NE; cars A 0,0N>E / B 1,0N>W"
    assert refused(line, "A1 2,0N") == ""
    assert "blocked by B1 on the N lane of 1,0" in refused(line, "A1 2,0N", LAST_STEP)


def test_a_car_that_stays_on_its_side_is_not_blocked_by_one_on_the_other():
    """CC-R3: with every_step both cars are in the way, with last_step only the one on the N lane."""
    line = "tiles 1,0 NS / 1,1 S / 2,0 NE; cars A 0,0N>E / B 1,0N>W 1,1S>E"
    assert "blocked by B1 on the N lane of 1,0 and B2 on the S lane of 1,1; every" in refused(line, "A1 2,0N")
    assert refused(line, "A1 2,0N", LAST_STEP) == (
        "the way is blocked by B1 on the N lane of 1,0; every space on the way must be empty, "
        "and only the last step changes lanes (CC-R3)"
    )


CRASH = "phase crash; hit B1; push E; tiles 1,0 NS / 2,0 NE / 2,1 S; cars A 2,0N>E {} / B 2,0N>W {}"


@pytest.mark.parametrize(
    ("more", "words", "reason", "game"),
    [
        ((), "1,0N", r"B1 was hit in direction E and can go only.*CC-C1, CC-C2, CC-C3", TWO),
        (("2,1S>E", ""), "2,1S", r"A2 is on the S lane of 2,1.*empty space \(CC-C1", TWO),
        (("2,0E>S", ""), "2,0E", r"A2 is on the E lane of 2,0.*empty space \(CC-C1", TWO),
        (("2,1S>E", ""), "2,1S", r"A2 is on the S lane.*can spin only to an empty lane \(CC-C3", CHAINS),
        # A2 on the E lane faces a dead end: with lanes N, E no street leads further S.
        (("2,0E>S", ""), "2,0E", r"A2 is on the E lane.*could not be completed \(CC-C4", CHAINS),
    ],
)
def test_a_refused_answer_says_why(more, words, reason, game):
    assert re.search(reason, refused(CRASH.format(*(more or ("", ""))), words, game, 1))


def test_an_answer_that_is_possible_is_not_refused():
    assert refused(CRASH.format("", ""), "2,0E") == refused(CRASH.format("", ""), "2,1S") == ""


def test_a_car_that_was_moved_is_not_hit_again():
    line = CRASH.format("2,0E>S", "") + "; moved A2"
    assert re.search(r"A2 is on the E lane.*no car may be moved twice.*CC-C4", refused(line, "2,0E", CHAINS, 1))


# Impossible positions


@pytest.mark.parametrize("phase", MOMENTS)
def test_a_position_with_any_slip_is_read_or_refused_in_words(phase):
    """Changed, missing or doubled characters lead to a table without faults or to a CrashlabError."""
    line, rng, read = MOMENTS[phase], Random(4), 0
    for _ in range(150):
        place, other = rng.below(len(line)), rng.choice("NESWABD0129-,.;>/? ")
        slip = line[:place] + rng.choice(("", other, other + line[place])) + line[place + 1 :]
        try:
            table = position(slip, CHAINS)
        except CrashlabError:
            continue
        read += 1
        assert positions.problems(table) == [] and position(written(table), CHAINS) == table
        assert not rules.actors(table) or rules.legal(table, 0, [0] * rules.MOST_ACTIONS)
    assert read


def test_there_are_buildings_for_the_turns_to_come_and_cars_for_the_houses():
    """CC-B1, CC-B2: sixteen buildings for sixteen turns; a seat that has built one has fifteen turns left."""
    assert position("tiles 1,0 NS factory A").asked == position("phase build; tiles 1,0 N shop A / 2,0 N").asked == [1]
    assert position("asked A; tiles 1,0 NS factory A / 2,0 N").stock[:3] == [8, 4, 3]
    with pytest.raises(CrashlabError, match=r"A has only 15 buildings left for 16 more turns \(CC-B2\)"):
        position("asked A; tiles 1,0 NS factory A")


@pytest.mark.parametrize("more", ["phase reveal; {} / 8,1 ?", "phase rotate; {} / 8,1 ?I", "phase build; {} / 8,1 S"])
def test_the_new_tile_is_on_a_site_that_could_be_chosen(more):
    """CC-B3: A has only houses left; (8, 1) is beside a factory, and there are sites beside shops."""
    row = [f"{x},0 NS shop A / -{x},0 NS shop B" for x in range(1, 5)]
    row += [f"{x},0 NS factory A / -{x},0 NS factory B" for x in range(5, 9)]
    line = more.format(f"asked A; tiles {' / '.join(row)}")
    with pytest.raises(
        CrashlabError, match=r"none of A.s remaining buildings may stand on 8,1, but other sites allow one"
    ):
        position(line)
    assert position(line.replace("8,1", "1,1")).laid == [18]


# There are no secrets


def test_everybody_sees_everything():
    table = position(POSITION)
    for seat in (0, 1):
        view = observed(rules, table, seat)
        assert view == table and view is not table
        assert determinized(rules, view, Random(1)) == table and not any(HIDDEN in row for row in view.rows())
        turn = TWO.read(POSITION).play("A1 1,0N")
        assert turn.seen_by(seat) == turn.events


# Events in words


def test_a_turn_of_the_construction_in_words():
    line = "phase site; tiles 1,0 NS house A; cars A 1,0N>E"
    contains(
        lines_of(TWO, line, "site 2,0"),
        "CC-B3 B chooses the site 2,0",
        "CC-B3 tile 2 lies on 2,0",
        "CC-B3 there are 2 tiles besides the square",
        "CC-B2 chance is asked for the next tile",
    )
    reveal = "phase reveal; asked B; tiles 1,0 NS house A / 2,0 ?; cars A 1,0N>E"
    contains(
        lines_of(TWO, reveal, "H"), "CC-B2a the tile for 2,0 is an H", "CC-B2a B is asked for the lanes of the new tile"
    )
    assert "CC-B2a the tile for 2,0 is a U" in lines_of(TWO, reveal, "U")
    contains(
        lines_of(TWO, reveal.replace("?", "?H").replace("reveal", "rotate"), "lanes NS"),
        "CC-B4 the tile is laid on 2,0 with lanes N and S",
        "CC-G5 the N lane of 2,0 is connected to the square",
        "CC-B2 B is asked for a building",
    )
    contains(
        lines_of(TWO, reveal.replace("?", "NS").replace("reveal", "build"), "build shop"),
        "CC-B5 a shop is built on 2,0",
        "CC-B5 the shop on 2,0 belongs to B",
        "CC-B5 B has 3 shops left to build",
        "CC-B2 A is to have the next turn",
        "CC-B2 A is asked for a site for the next tile",
    )
    house = lines_of(TWO, reveal.replace("?", "NS house B").replace("reveal", "car"), "put 2,0N>W")
    contains(house, "CC-B6 B1 is put on the N lane of 2,0", "CC-B6 B1 faces W")
    north = lines_of(TWO, "phase car; asked B; tiles 1,0 NE house B", "put 1,0E>N")
    contains(north, "CC-B6 B1 is put on the E lane of 1,0", "CC-B6 B1 faces N")


def test_the_roll_and_parking_in_words():
    assert lines_of(TWO, f"phase roll; {CITY}; cars B 2,0N>E", "B begins") == [
        "CC-R1 B begins the race",
        "CC-R1 the race begins, and B is asked for its first turn",
    ]
    assert lines_of(TWO, f"phase roll; {CITY}; cars A 2,0N>E", "A begins") == [
        "CC-R1 the race begins, and A is asked for its first turn"
    ]
    contains(
        lines_of(TWO, "tiles 1,0 N shop B; cars A 1,0N>E / B 0,0S>E", "park A1"),
        "CC-R2 A1 is parked at the shop on 1,0",
        "CC-R2 A1 is off the street",
        "CC-R1 turn 1 of the race is over",
        "CC-R1 B is to have the next turn",
    )


def test_a_crash_in_words():
    """Worked example 6: the crash, then the rival's only outcome, the spin."""
    lines = lines_of(TWO, "tiles 1,0 NS / 2,0 N / 2,1 S; cars A 0,0N>E / B 2,0N>W", "A1 2,0N")
    contains(
        lines,
        "CC-R3 A1 drives from the N lane of 0,0 to the N lane of 1,0",
        "CC-R3 A1 drives from the N lane of 1,0 to the N lane of 2,0",
        "CC-R4 A1 crashes into B1 on the N lane of 2,0, going E",
        "CC-R6 B1 is to make way",
        "CC-R6 B1 is pushed towards E",
        "CC-R6 B is not asked where B1 goes: there is no choice",
        "CC-C3 B1 spins from the N lane of 2,0 to the S lane of 2,1",
        "CC-C3 B1 faces E",
        "CC-R6 B1 is pushed no further",
        "CC-R6 B1 has made way",
        "CC-R6 the crash is over",
    )


def test_why_a_car_was_pushed():
    """CC-R6: it was hit; if its owner has no choice, the crash is in the same turn, also along a chain (CC-C4)."""
    turn = TWO.read("tiles 1,0 NS / 2,0 NE; cars A 0,0N>E / B 2,0N>W").play("A1 2,0N")  # worked example 4
    pushed = next(event for event in turn.events if "pushed round" in event.text)
    assert "because A1 crashes into B1 on the N lane of 2,0, going E" in turn.why(pushed)
    line = "tiles 1,0 N / 2,0 N / 3,0 N / 4,0 N; cars A 0,0N>E 3,0N>E / B 2,0N>E"
    chain = CHAINS.read(line).play("A1 2,0N")
    pushed = next(event for event in chain.events if "A2 is pushed straight" in event.text)
    reasons = [words for words in chain.why(pushed).splitlines() if words.startswith("  because")]
    assert [words.split()[1:5] for words in reasons if "to make way" not in words] == [
        ["B1", "is", "pushed", "into"],
        ["B1", "is", "pushed", "straight"],
        ["A1", "crashes", "into", "B1"],
        ["A1", "drives", "from", "the"],
        ["A1", "drives", "from", "the"],
    ]


def test_other_ways_of_a_car_in_words():
    assert lines_of(TWO, "tiles 0,1 S; cars A 0,0N>E / B 0,0S>E", "A1 0,1S")[0] == (
        "CC-R3 A1 makes a U-turn from the N lane of 0,0 to the S lane of 0,1"
    )
    four = lines_of(TWO, "tiles 1,0 NS / 2,0 NE; cars A 0,0N>E / B 2,0N>W", "A1 2,0N")  # worked example 4
    assert "CC-C2 B1 is pushed round a corner from the N lane of 2,0 to the E lane of 2,0" in four
    on = lines_of(TWO, "tiles 1,0 NS / 2,0 N / 3,0 N; cars A 0,0N>E / B 2,0N>W", "A1 2,0N")
    assert "CC-C1 B1 is pushed straight on from the N lane of 2,0 to the N lane of 3,0" in on


def test_a_chain_in_words():
    line = "tiles 1,0 N / 2,0 N / 3,0 N / 4,0 N; cars A 0,0N>E 3,0N>E / B 2,0N>E"
    lines = lines_of(CHAINS, line, "A1 2,0N")
    contains(
        lines,
        "CC-R4 A1 crashes into B1 on the N lane of 2,0, going E",
        "CC-C4 A1 cannot be hit any more in this turn",
        "CC-C4 B1 is pushed into A2 on the N lane of 3,0, going E",
        "CC-C1 A2 is pushed straight on from the N lane of 3,0 to the N lane of 4,0",
        "CC-C4 B1 can be hit again",
    )


def test_the_end_in_words():
    row = " / ".join(f"{x},0 N {'shop' if x < 5 else 'factory'} B" for x in range(1, 9))
    parked = " ".join(f"{x},0" for x in range(1, 8))
    lines = lines_of(TWO, f"tiles {row}; cars A {parked} 8,0N>E / B 0,0S>E", "park A8")
    assert lines[-1] == "CC-E1 the game is over: A wins with 8 cars parked"
    limit = lines_of(crash_city(players=2, turn_limit=10), "turn 9; cars A 0,0N>E / B 0,0S>E", "A1 0,0E")
    assert limit[-1] == "CC-R1 the game is over after 10 turns: A and B share the win with 0 cars parked"


def test_passing_in_words():
    """A car alone on the ring of the square can always drive, so the passes are made by hand."""
    table = position("turn 4; passes 1; tiles 1,0 N shop B; cars A 1,0 / B -")
    trace, first = Trace(), table.copy()
    rules.apply(table, 0, tables.PASS, trace)
    words = []
    for row in map(Row._make, trace.rows):
        words.append(text.event_text(first, row))
        replay(first, [row])
    assert words[0] == "A passes, number 2 in a row"
    assert words[-1] == "the game is over because all have passed: A wins with 1 car parked"


def test_the_lifted_ban_in_words():
    row = Row(0, rules.B3, NOWHERE, NOWHERE, 1, tables.streets.spot_of(2, -1), 0, 0)
    words = text.event_text(position("phase site"), row)
    assert words == "no site allows what B has left, so all of it may be built on 2,-1"
