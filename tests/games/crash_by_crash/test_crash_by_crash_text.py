"""Crash by Crash in words: written text can be read again, and errors are refused with the reason."""

import json
import re
from functools import lru_cache
from itertools import islice

import pytest
from crash_by_crash_positions import FLOOR
from effort import LEVEL
from table_play import contains, lines_of

from crashlab.base.errors import CrashlabError
from crashlab.compiled import choose_backend
from crashlab.engine.chance import Random
from crashlab.engine.contract import determinized, observed
from crashlab.engine.game import Action, Game, things_of
from crashlab.engine.notation import counted
from crashlab.engine.position import to_dict, write
from crashlab.engine.table import CHANCE, HIDDEN, NOWHERE, Row, Trace, replay
from crashlab.games.crash_by_crash import notation as w
from crashlab.games.crash_by_crash import positions, rules, text
from crashlab.games.crash_by_crash import state as tables
from crashlab.games.crash_by_crash.notation import DECISIONS, decision


def crash_by_crash(**options):
    return Game("crash_by_crash", "crashlab.games.crash_by_crash", options)


GAMES = [
    crash_by_crash(players=players, edition=edition, turn_limit=60)
    for players in (2, 4)
    for edition in ("czech", "english")
]
each_game = pytest.mark.parametrize("game", GAMES, ids=repr)
PROOF = LEVEL == "proof"  # all positions are checked, else a sample
LENGTH = 400  # decisions of a walk
TWO, ENGLISH, FOUR = crash_by_crash(), crash_by_crash(edition="english"), crash_by_crash(players=4)


def written(table):
    return write(positions.PARTS, table)


def as_dict(table, defaults=False):
    return to_dict(positions.PARTS, table, defaults)


def read(game, position):
    """Return the table of a line or of JSON."""
    return game.read(position, forced=False).table


def cell(row, column):
    """Return the number of a cell; the rows have 13 and 12 cells in turn (CB-F2)."""
    return 13 * row - row // 2 + column


def chosen(table, out, rng):
    """Choose the actor and one of its actions, first the kind, so that all kinds occur."""
    actor = CHANCE if rules.actors(table) == CHANCE else table.asked[0]
    legal = out[: rules.legal(table, actor, out)]
    kind = rng.choice(sorted({action // tables.SORT for action in legal}))
    return actor, rng.choice([action for action in legal if action // tables.SORT == kind])


@lru_cache(2 * len(GAMES))
def walk(game, seed):
    """Return a random game and its last table; the game is [(table before, actor, action, rows), ...]."""
    table, rng, out, turns = game.set_up(Random(seed)), Random(seed), [0] * rules.MOST_ACTIONS, []
    while rules.actors(table) and len(turns) < LENGTH:
        before, trace = table.copy(), Trace()
        actor, action = chosen(table, out, rng)
        rules.apply(table, actor, action, trace)
        turns.append((before, actor, action, list(map(Row._make, trace.rows))))
    return turns, table


def turns(game, seed):
    """Yield a random game as (table before, a copy, actor, action, rows)."""
    return ((before.copy(), *others) for before, *others in walk(game, seed)[0])


def met(game, seed, decisions=LENGTH):
    """Yield every table of a random game at which a seat or chance decides, and the last one."""
    decided, last = walk(game, seed)
    return islice((table.copy() for table in (*(before for before, *_ in decided), last)), decisions + 1)


@pytest.mark.few(1)
@each_game
def test_every_view_is_read_as_it_was_written(game):
    for table in [*met(game, 1)][:: 1 if PROOF else 8]:
        for seat in game.seats:
            view = observed(rules, table, seat)
            assert read(game, written(view)) == view
            assert read(game, json.loads(json.dumps(as_dict(view)))) == view


@pytest.mark.few(1)
@each_game
def test_every_legal_action_is_written_uniquely_and_read_again(game):
    rng, out, sorts = Random(1), [0] * rules.MOST_ACTIONS, set()
    for seed in (0, 1):
        for table in [*filter(rules.actors, met(game, seed))][seed :: 1 if PROOF else 6]:
            legal = out[: rules.legal(table, table.asked[0], out)]
            words = [TWO.say(table, table.asked[0], action) for action in legal]
            assert len(set(words)) == len(words)
            sorts |= {action // tables.SORT for action in legal}
            for place in rng.shuffled(range(len(legal)))[:3]:
                action, word = legal[place], words[place]
                assert TWO.read_action(table, 0, word) == TWO.read_action(table, 0, word.upper()) == action
                assert TWO.refuse(table, table.asked[0], action) == "", word
    four = game.seats == range(4)
    taking = {tables.DISCARD} if four else {tables.TAKE}
    lively = {
        tables.PLACE,
        tables.CAR,
        tables.MAGNET,
        tables.WALK,
        tables.EXCHANGE,
        tables.PLAY,
        tables.TURN_UP,
    } | taking
    assert {sort * tables.SORT for sort in sorts} - {tables.FORFEIT} == lively


def is_cell(value):
    """Return whether a value is a cell on the floor, such as [7, 3]."""
    return isinstance(value, list) and cell(*value) in range(tables.CELLS) and w.read_cell(value) == cell(*value)


PARTS = {  # the possible values of each part of an action
    "action": lambda word: word in ("place", "forfeit", "car", "magnet", "walk", "exchange", "play", "take", "discard"),
    "cell": is_cell,
    "car": is_cell,
    "other": is_cell,
    "bell": is_cell,
    "cells": lambda cells: all(map(is_cell, cells)),
    "ways": lambda ways: set(ways) <= {"E", "NE", "NW", "W", "SW", "SE"},
    "batteries": lambda number: number in (0, 1, 2),
    "card": lambda name: name in (*w.TITLES, "pile"),
    "cards": lambda names: len(names) == 2 and set(names) <= set(w.TITLES),
}


@pytest.mark.few(2)
@each_game
def test_every_legal_action_has_parts_of_its_own_in_the_words_of_positions(game):
    rng, out = Random(4), [0] * rules.MOST_ACTIONS
    for table in filter(rules.actors, met(game, 0, 120)):
        answer = decision(table, table.asked[0]).answer
        legal = out[: rules.legal(table, table.asked[0], out)]
        some = [legal[place] for place in rng.shuffled(range(len(legal)))[:60]]
        parts = [answer.parts(table, action) for action in some]
        assert all(json.loads(json.dumps(named)) == named for named in parts)
        assert len({json.dumps(named) for named in parts}) == len(some)
        for named in parts:
            assert all(PARTS[name](value) for name, value in named.items()), named


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        ("car 7.7 W +1", {"action": "car", "cell": [7, 7], "ways": ["W"], "batteries": 1}),
        ("magnet 7.7", {"action": "magnet", "cell": [7, 7]}),
        ("walk E NE", {"action": "walk", "ways": ["E", "NE"], "cells": [[9, 7], [8, 8]]}),
        ("exchange Tandem Ride", {"action": "exchange", "cards": ["Free Ride", "Tandem"]}),
        ("play Charms 1.7 2.8", {"action": "play", "card": "Bell Charms", "bell": [1, 7], "cell": [2, 8]}),
        ("Ride 6.6 W", {"action": "play", "card": "Free Ride", "car": [6, 6], "cell": [6, 5]}),
        ("Lambada 6.6 6.5", {"action": "play", "card": "Lambada", "car": [6, 5], "other": [6, 6]}),
        ("Saboteur 6.6", {"action": "play", "card": "Saboteur", "car": [6, 6]}),
        ("Dutchman 0.4", {"action": "play", "card": "Flying Dutchman", "cell": [1, 3]}),
        ("Tandem", {"action": "play", "card": "Tandem"}),
        ("forfeit", {"action": "forfeit"}),
    ],
)
def test_actions_are_taken_apart(words, parts):
    table = position(POSITION)
    assert decision(table, 1).answer.parts(table, TWO.read_action(table, 1, words)) == parts


@pytest.mark.few(2)
@each_game
def test_an_action_that_is_not_listed_is_refused_in_words(game):
    """Codes beside the legal ones and random codes are each either listed or refused."""
    rng, out = Random(2), [0] * rules.MOST_ACTIONS
    for table in met(game, 1, 120):
        legal = set(out[: rules.legal(table, table.asked[0], out)])
        near = {action + step for action in list(legal)[:4] for step in (1, 32, 2048, 16384, 3 * 16384)}
        wild = {tables.SORT * rng.below(11) + rng.below(tables.SORT) for _ in range(6)}
        for action in (near | wild | {-1, 10**9}) - legal:
            assert TWO.refuse(table, table.asked[0], action, [*legal]), action


NOTES = ("CB-S2", "CB-T1", "CB-O1", "CB-P3", "CB-P4", "CB-P6", "CB-K7", "CB-K8", "CB-F3")  # notes with words


@pytest.mark.few(1)
@each_game
def test_every_event_has_words(game):
    for seed in (0, 1):
        for table, _, _, rows in turns(game, seed):
            for row in rows:
                words = text.event_text(table, row)
                if row[3] < 0:
                    assert rules.BOOK[row[1]].id in NOTES
                assert words == words.strip() and words[0].islower() or words[0] in w.SEATS or words[:4].istitle()
                assert not re.search(r"None|-1|  |seat \d|side \d|\b1 (points|cards|cells|batteries)\b", words), words
                replay(table, [row])


def is_place(value):
    """Return whether a value is None, a cell, or the place of a ringing bell."""
    return value is None or is_cell(value) or bool(re.fullmatch(r"[0-9]+\.[0-9]+![0-9]+", value))


def is_number(value):
    return type(value) is int and value >= 0


PIECES = [f"{side} {car}" for side in w.SIDES for car in (*range(1, 11), "magnet")]
PIECES += ["operator", *(f"bell {number}" for number in range(1, 11))]
WHAT = {  # the possible values of each object in an event
    "flower": is_cell,
    "gone": lambda value: type(value) is bool,
    "banned": lambda value: type(value) is bool,
    "piece": PIECES.__contains__,
    "car": PIECES[:22].__contains__,
    "cell": is_place,
    "met": is_cell,
    "operator": is_cell,
    "side": w.SIDES.__contains__,
    "seat": ("A", "B", "C", "D").__contains__,
    "asked": ("A", "B", "C", "D").__contains__,
    "place": ("1", "2", "3").__contains__,
    "hand": lambda hand: len(hand) == 2 and hand[0] in w.SEATS and hand[1] in w.TITLES,
    "card": (None, *w.TITLES).__contains__,
    "phase": [decision.name for decision in DECISIONS].__contains__,
}


@each_game
def test_every_event_tells_the_things_it_is_about_in_the_words_of_positions(game):
    fields, notes = set(), set()
    for table, _, _, rows in turns(game, 1):
        for row in rows:
            what = things_of(game, table, row)
            assert json.loads(json.dumps(what)) == what
            kinds = [name for name in what if name != "was"]
            assert all(WHAT.get(name, is_number)(what[name]) for name in kinds), what
            if row.field >= 0:
                assert WHAT.get(kinds[-1], is_number)(what["was"]), what
                assert what["was"] != what[kinds[-1]]
                fields.add(table.NAMES[row.field])
            else:
                notes |= what.keys()
            replay(table, [row])
    assert fields <= text.CHANGES.keys() and notes <= text.NOTES.keys()


def test_what_an_event_is_about():
    turn = TWO.read("turn 8; operator 13.3; blue 6.5 0.0; orange 14.11; hands A Ride").play("Ride 6.5 W")
    what = {event.rule + (event.field or ""): event.what for event in reversed(turn.events)}
    assert what["CB-K3hand"] == {"hand": ["A", "Free Ride"], "cards": 0, "was": 1}
    assert what["CB-K3cell"] == {"piece": "blue 1", "cell": [6, 4], "was": [6, 5]}
    assert what["CB-E1gone"] == {"flower": [7, 3], "gone": True, "was": False}
    assert what["CB-F3"].items() >= {"car": "blue 1", "cell": [6, 4]}.items()


# By hand

POSITION = (
    "turn 8; asked B; gone 1.3; bells - 1.7 5.0 3.5 4.11 6.4 7.9 9.1 11.6 10.10; operator 9.6;"
    " blue 6.5 6.6 M8.5, score 17; orange 7.6 - 7.5 8.2, score 12, batteries 3;"
    " hands A Ride Tandem, B Lambada; display Shady - Hit; discards Ride*2"
)


def position(line, game=TWO):
    return read(game, line)


def test_a_position_by_hand_is_what_it_says():
    table = position(POSITION)
    assert table.turn == [8] and table.asked == [1] and table.phase == [tables.ACTION]
    assert table.cell[:11] == [cell(6, 5), cell(6, 6)] + [NOWHERE] * 8 + [cell(8, 5)]
    assert table.cell[11:22] == [cell(7, 6), NOWHERE, cell(7, 5), cell(8, 2)] + [NOWHERE] * 7
    assert table.cell[tables.OPERATOR] == cell(9, 6)
    assert table.cell[tables.BELL : tables.BELL + 3] == [NOWHERE, cell(1, 7), cell(5, 0)]
    assert table.gone == [0, 1] + [0] * 23 and table.scorings == [1]
    assert table.score == [17, 12] and table.batteries == [4, 3] and table.banned == [0, 0]
    assert table.hand_size == [2, 1, 0, 0] and table.hand[2] == table.hand[10] == table.hand[13 + 1] == 1
    assert sum(table.hand) == 3 and table.discards[2] == 2 and sum(table.discards) == 2
    assert table.display == [tables.SHADY_EXCEPTION, NOWHERE, tables.DOUBLE_HIT]
    assert table.tile == [place // 2 for place in range(25)] and table.turned == [0] * 25


def test_what_is_left_out_is_as_it_is_usual():
    table = position("blue 0.0; orange 0.5")
    assert table.turn == [6] and table.asked == [0] and table.score == [10, 10] and table.batteries == [4, 4]
    stars = [tables.star(table, place) for place in range(1, 25, 2)]
    assert table.cell[tables.BELL :] == stars[:10] and stars[10:] == [NOWHERE, NOWHERE]
    assert table.cell[tables.OPERATOR] == cell(13, 3)  # the middle of flower 10
    table = position("phase set-up")
    assert table.turn == [0] and table.cell[: tables.CARS] == [NOWHERE] * 22


def test_the_example_of_the_notation_is_a_position():
    lines, *_, data = re.findall(r"(?:^    .*\n)+", positions.__doc__, re.MULTILINE)
    assert written(position(lines.strip())) == lines.strip()
    assert read(TWO, json.loads(data)) == position(lines.strip())


def test_a_cell_of_a_hole_means_the_hole_for_the_operator():
    line = "gone 1.3; bells - 1.7 5.0 3.5 4.11 6.4 7.9 9.1 11.6 10.10; operator {}; blue 6.5; orange 6.6"
    for place in ("1.3", "0.4", "2.4"):
        assert position(line.format(place)).cell[tables.OPERATOR] == cell(1, 3)


def test_tiles_are_laid_as_they_are_named():
    table = position(f"floor {FLOOR}; operator 1.8; blue 0.1; orange 4.2")
    assert table.tile[:3] == [1, 0, 7] and table.turned[:3] == [3, 5, 0] and table.turned[24] == 0
    # Flower 0 has 1 in its middle and 0 0 2 2 3 1 counter-clockwise from E; turned by five sixths it starts with NE.
    assert [table.value[place] for place in tables.cells_of(1)] == [1, 0, 2, 2, 3, 1, 0]


# Actions


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("car 7.7 W", tables.CAR + cell(7, 7) + 256 * 4),
        ("place 7.7 w +2", tables.CAR + cell(7, 7) + 256 * 4 + 2 * 2**14),
        ("car 7.7 +1 W", tables.CAR + cell(7, 7) + 256 * 4 + 2**14),
        ("car 7.7", tables.CAR + cell(7, 7)),
        ("car 7.7 SW E", tables.CAR + cell(7, 7) + 256 * 1 + 2048 * 5),
        ("magnet 7.7", tables.MAGNET + cell(7, 7)),
        ("walk E NE", tables.WALK + 1 + 32 * 2),
        ("Operator e ne NW w", tables.WALK + 1 + 32 * 2 + 32**2 * 3 + 32**3 * 4),
        ("walk 9.7 8.8", tables.WALK + 1 + 32 * 2),
        ("exchange Tandem Ride", tables.EXCHANGE + 2 + 32 * 10),
        ("exchange K11 K3", tables.EXCHANGE + 2 + 32 * 10),
        ("play Charms 1.7 2.8", tables.PLAY + 32 * cell(1, 7) + 2**13 * cell(2, 8)),
        ("bell charms 1.7 2.8", tables.PLAY + 32 * cell(1, 7) + 2**13 * cell(2, 8)),
        ("Lambada 6.6 6.5", tables.PLAY + 1 + 32 * cell(6, 5) + 2**13 * cell(6, 6)),
        ("Ride 6.6 6.5", tables.PLAY + 2 + 32 * cell(6, 6) + 2**13 * cell(6, 5)),
        ("Volná jízdenka 6.6 W", tables.PLAY + 2 + 32 * cell(6, 6) + 2**13 * cell(6, 5)),
        ("card Saboteur 6.6", tables.PLAY + 3 + 32 * cell(6, 6)),
        ("Dutchman 0.4", tables.PLAY + 4 + 32 * cell(1, 3)),
        ("Dutchman 0.6", tables.PLAY + 4 + 32 * cell(0, 6)),
        ("Dead Accumulator", tables.PLAY + 5),
        ("Action and Reaction", tables.PLAY + 12),
        ("cb-k7", tables.PLAY + 6),
        ("forfeit", tables.FORFEIT),
        ("-", tables.FORFEIT),
    ],
)
def test_actions_are_read(words, code):
    assert TWO.read_action(position(POSITION), 1, words) == code


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("car", "say where, as in 'car 7.3 E'"),
        ("car 7.7 X", "not one of E, NE"),
        ("car 15.0 E", "no cell 15.0"),
        ("car 1.12 E", "in odd rows to 11"),
        ("car 7 E", "a row and a column"),
        ("car 7.7 W +3", "one or two batteries.*CB-P2"),
        ("car 7.7 W +1 +1", "one or two batteries.*CB-P2"),
        ("car 7.7 W W", "two different ones.*CB-K9"),
        ("car 7.7 W E SE", "two different ones.*CB-K9"),
        ("magnet 7.6 E", "a row and a column"),
        ("walk E", "exactly 2 or 4.*CB-O1"),
        ("walk E E E", "exactly 2 or 4.*CB-O1"),
        ("walk E W", "back to 9.6.*CB-O1"),
        ("walk E 9.9", "not beside the operator"),
        ("walk E/NE E", "not in a hole.*CB-O3"),
        ("exchange Ride", "two cards"),
        ("Lambada 6.5", "Lambada needs two cells, as in 'Lambada 7.3 7.4'"),
        ("Saboteur", "Saboteur needs one cell, as in"),
        ("Tandem 6.5", "Tandem needs no cells"),
        ("Ride 0.0 W", "no cell W of 0.0"),
        ("Warp 6.5", "begins with car, magnet"),
        ("take Ride", "begins with car, magnet"),
    ],
)
def test_actions_that_cannot_be_read_say_why(words, reason):
    with pytest.raises(CrashlabError, match=reason) as error:
        TWO.read_action(position(POSITION), 1, words)
    assert str(error.value).startswith("cannot read")


def test_a_name_that_could_be_several_is_refused():
    with pytest.raises(CrashlabError, match="could mean several"):
        w.read_card("s")
    assert w.read_card("sa") == tables.SABOTEUR and w.read_card("světlá") == tables.SHADY_EXCEPTION
    for name, card in (("Double Hit", 8), ("Dvojitý zásah", 8), ("Hit", 8), ("K13", 12), ("car-racket", 9)):
        assert w.read_card(name) == card


def test_answers_to_other_questions_are_read():
    table = position("phase set-up")
    assert TWO.read_action(table, 0, "7.3") == TWO.read_action(table, 0, "place 7.3") == tables.PLACE + cell(7, 3)
    table = position("phase drawing; acted 3; owed 1; blue 0.0; orange 0.5; display Ride")
    assert TWO.read_action(table, 0, "Ride") == TWO.read_action(table, 0, "take Free Ride") == tables.TAKE + 2
    assert TWO.read_action(table, 0, "take pile") == TWO.read_action(table, 0, "Pile") == tables.TAKE + 13
    table = position("phase keep; acted 3; owed 1; blue 0.0; orange 0.5; drawn Ride Tandem", FOUR)
    for words in ("discard Ride", "Ride", "keep Tandem"):
        assert TWO.read_action(table, 0, words) == tables.DISCARD + 2
    table = position("phase pile; acted 3; owed 1; blue 0.0; orange 0.5")
    assert TWO.read_action(table, CHANCE, "Lambada") == tables.TURN_UP + 1


HOLE = (
    "gone 7.3; bells 2.4 1.7 5.0 3.5 4.11 - 7.9 9.1 11.6 10.10; operator 7.3;"
    " blue 6.5, score {}; orange 5.3 14.12; hands A Dutchman Charms Saboteur"
)


def test_a_step_out_of_a_hole_names_the_cell_and_where_a_car_stands_the_way():
    """From the hole around 7.3 the cell 6.5 can be reached over 6.4 to the E and over 7.4 to the NE."""
    table, out = position(HOLE.format(10)), [0] * rules.MOST_ACTIONS
    words = {TWO.say(table, 0, action) for action in out[: rules.legal(table, 0, out)]}
    assert {"walk 6.5/E E", "walk 6.5/NE E"} == {word for word in words if re.fullmatch(r"walk 6\.5\S* E", word)}
    assert "walk 7.5 E" in words and "walk 7.5/E E" not in words
    with pytest.raises(CrashlabError, match=r"which way the car is pushed.*6\.5/.*CB-O3"):
        TWO.read_action(table, 0, "walk 6.5 E")
    # A bare direction leads straight over the flower's cell in that direction; a double one turns on it.
    assert TWO.read_action(table, 0, "walk E E") == TWO.read_action(table, 0, "walk 7.5 E")
    assert TWO.read_action(table, 0, "walk E/NE E") == TWO.read_action(table, 0, "walk 6.5/NE E")
    assert TWO.read_action(table, 0, "walk NE/E E") == TWO.read_action(table, 0, "walk 6.5/E E")
    # No car is on 8.5, which is adjacent to 7.4 and 8.4: both ways there are equal.
    assert TWO.read_action(table, 0, "walk E/SE E") == TWO.read_action(table, 0, "walk SE/E E")
    with pytest.raises(CrashlabError, match="cannot be taken"):
        TWO.read_action(table, 0, "walk 6.5/W E")


def test_the_way_out_depends_on_where_the_cars_are_by_then():
    """The operator returns past 6.5, from which he pushed the car away before he entered the hole."""
    line = HOLE.format(10).replace("operator 7.3", "operator 5.5")
    table, out = position(line), [0] * rules.MOST_ACTIONS
    legal = out[: rules.legal(table, 0, out)]
    # SW pushes the car from 6.5 to 7.4, a cell of the hole, so it falls off; 6.5 is entered, then the hole.
    action = TWO.read_action(table, 0, "walk SW 7.3 7.5 E")
    assert action in legal and TWO.say(table, 0, action) == "walk SW W 7.5 E"


def test_a_step_into_a_hole_is_one_whatever_cell_of_it_is_named():
    table = position(HOLE.format(10).replace("operator 7.3", "operator 8.2"))
    assert len({TWO.read_action(table, 0, f"walk {step} 7.5") for step in ("NE", "E", "7.2", "8.3", "7.3")}) == 1


# Refusals

BASE = (
    "turn {turn}; operator 13.3; blue 6.5 6.6 M10.4, score {score}; orange 7.7 7.11 14.1, score 12;"
    " bells 2.4 1.7 5.0 3.5 4.11 6.4 7.9 9.1 11.6 10.10; hands A {cards}"
)


def refused(words, game=TWO, turn=6, score=10, cards="Ride Tandem Charms", more=""):
    table = position(BASE.format(turn=turn, score=score, cards=cards) + more, game)
    return TWO.refuse(table, 0, TWO.read_action(table, 0, words))


@pytest.mark.parametrize(
    ("words", "options", "reason"),
    [
        ("car 6.5 E", {}, "a blue car is on 6.5 \\(CB-P1\\)"),
        ("car 10.4 E", {}, "the blue magnetic car is on"),
        ("car 7.7 W", {}, "an orange car is on"),
        ("car 13.3 W", {}, "the operator is on"),
        ("car 6.4 E", {}, "a bell is on"),
        ("car 6.7 E", {}, "no car E of 6.7 to hit \\(CB-P1\\)"),
        ("car 6.7", {}, "must hit another one.*CB-P1"),
        ("car 6.7 W SE", {}, "only after Double Hit.*CB-K9"),
        ("car 6.7 W", {"more": "; acted 1; bound Hit"}, "two directions after Double Hit; name both.*CB-K9"),
        (
            "car 6.7 W",
            {"score": 4, "more": "; acted 1; placed 1"},
            "4 points, but blue has 4 points and must keep one.*CB-T2, CB-T3",
        ),
        (
            "magnet 6.7",
            {"score": 1, "more": "; acted 1; placed 1"},
            "4 points, but blue has 1 point and must keep one \\(CB-T2, CB-T3\\)",
        ),
        ("magnet 6.8", {}, "magnetic car on the floor already.*CB-S1"),
        ("walk E E E E", {"score": 2}, "2 points, but blue has 2 points and must keep one.*CB-O1, CB-T3"),
        ("exchange Ride Hit", {}, "only Charms Ride Tandem in hand.*CB-T1"),
        ("exchange Ride Ride", {}, "only Charms Ride Tandem in hand.*CB-T1"),
        ("Lambada 6.5 6.6", {}, "only Charms Ride Tandem in hand"),
        ("Tandem", {"more": "; acted 1"}, "blue card can only be the first action of a turn.*CB-K11"),
        ("Powerless", {"cards": "Powerless", "more": "; acted 1"}, "yellow card can only be the first action.*CB-K7"),
        (
            "Powerless",
            {"cards": "Powerless", "turn": 5},
            "could bring a scoring after this card.*the second action cannot be an exchange.*CB-K7",
        ),
        ("walk E E", {"more": "; acted 1; bound Tandem"}, "after Tandem a standard car must be placed.*CB-K11"),
        ("walk E E", {"more": "; acted 1; bound Expansion"}, "after Expansion Unlimited a car must be.*CB-K12"),
        ("car 6.7 W +1", {"more": "; acted 1; bound Tandem"}, "no batteries may be used after Tandem.*CB-P2"),
        ("walk W W", {"more": "; acted 1; bound Shady"}, "after Shady Exception.*must bring a scoring.*CB-K8"),
        ("Charms 6.3 6.4", {}, "no bell on 6.3.*CB-K1"),
        ("Charms 6.4 6.5", {}, "a blue car is on 6.5 \\(CB-K1\\)"),
        ("Charms 6.4 1.8", {}, "another bell on the flower of 1.8.*CB-K1"),
        ("Charms 6.4 0.0", {}, "not on a flower.*CB-K1"),
        ("Ride 6.5 6.6", {}, "a blue car is on 6.6 \\(CB-K3\\)"),
        ("Ride 6.5 6.3", {}, "6.3 is not beside 6.5 \\(CB-K3\\)"),
        ("Ride 6.7 6.8", {}, "no car on 6.7 \\(CB-K3\\)"),
        ("Ride 6.5 6.4", {"game": ENGLISH}, "English edition this card cannot move a car onto a bell \\(CB-K3\\)"),
        ("Ride 6.5 6.4", {"turn": 5}, "a bell would ring in turn 5.*turn 6.*CB-E2"),
        ("Ride 6.5 6.4", {"more": "; acted 1; scored 1"}, "was a scoring in this turn.*CB-E2"),
        ("Lambada 6.5 6.4", {"cards": "Lambada"}, "no car on 6.4.*CB-K2"),
        ("Saboteur 6.5", {"cards": "Saboteur"}, "only a car of the opponent.*CB-K4"),
        ("Saboteur 6.7", {"cards": "Saboteur"}, "no car on 6.7 \\(CB-K4\\)"),
        ("Dutchman 6.4", {"cards": "Dutchman"}, "a bell is on 6.4 \\(CB-K5\\)"),
        ("Dutchman 13.3", {"cards": "Dutchman"}, "the operator is on 13.3 \\(CB-K5\\)"),
        ("forfeit", {}, "you can act, so you cannot forfeit the action.*CB-T1"),
    ],
)
def test_what_a_rule_forbids_is_refused_with_it(words, options, reason):
    if "scored 1" in options.get("more", ""):
        options = {**options, "more": f"{options['more']}; scorings 1"}
        line = BASE.replace(" 10.10;", ";")
        table = position(line.format(turn=6, score=10, cards="Ride") + options["more"])
        assert re.search(reason, TWO.refuse(table, 0, TWO.read_action(table, 0, words)))
        return
    assert re.search(reason, refused(words, **options))


@pytest.mark.parametrize(
    ("words", "options"),
    [
        ("car 6.7 W", {"score": 5, "more": "; acted 1; placed 1"}),
        ("walk E E E E", {"score": 3}),
        ("walk E E", {"score": 1}),
        ("car 6.7 W +2", {}),
        ("Ride 6.5 6.4", {}),
        ("exchange Ride Tandem", {}),
        ("Tandem", {}),
        ("Dutchman 6.3", {"cards": "Dutchman"}),
        ("Charms 6.4 6.3", {"turn": 1}),
        ("car 0.0", {"more": "; acted 1; bound Expansion"}),
    ],
)
def test_what_is_allowed_beside_it_is_not_refused(words, options):
    assert refused(words, **options) == ""


# Whatever the action here, the blue magnet then pulls an orange car onto the bell on 10.10.
PULLED = (
    "turn 6; acted 1; operator 13.3; blue 6.5 6.6 M10.9; orange 7.7 10.11 14.1; hands A {cards};"
    " bells 2.4 1.7 5.0 3.5 4.11 6.4 7.9 9.1 11.6 10.10"
)


@pytest.mark.rule("CB-K7")
@pytest.mark.rule("CB-K8")
@pytest.mark.parametrize(("card", "rule"), [("Powerless", "CB-K7"), ("Shady", "CB-K8")])
@pytest.mark.parametrize("operator", ["13.3", "10.10"])
def test_an_exchange_is_never_what_a_yellow_card_asks_for(operator, card, rule):
    """A bell would ring in the check after it, or the operator is on the bell; either way that is the reason."""
    line = PULLED.format(cards="Ride Tandem").replace("operator 13.3", f"operator {operator}")
    table = position(f"{line}; bound {card}")
    reason = TWO.refuse(table, 0, TWO.read_action(table, 0, "exchange Ride Tandem"))
    assert re.search(f"an exchange cannot \\({rule}\\)", reason) and "E2" not in reason
    free = position(line)
    assert TWO.refuse(free, 0, TWO.read_action(free, 0, "exchange Ride Tandem")) == ""


def test_two_bells_after_a_yellow_card_are_refused_as_two_bells():
    """6.4 would ring by the ride and 10.10 by the magnet; a ride elsewhere rings one and is allowed."""
    table = position(PULLED.format(cards="Ride") + "; bound Shady")
    assert "two bells would ring" in TWO.refuse(table, 0, TWO.read_action(table, 0, "Ride 6.5 6.4"))
    assert TWO.refuse(table, 0, TWO.read_action(table, 0, "Ride 6.5 5.4")) == ""


def test_batteries_are_refused_that_are_not_there_or_banned():
    line = BASE.format(turn=6, score=10, cards="Ride")
    for mark, reason in (("batteries 1", "1 battery left.*CB-P2"), ("banned", "no batteries in this turn.*CB-K6")):
        table = position(line.replace("score 10", f"score 10, {mark}"))
        assert re.search(reason, TWO.refuse(table, 0, TWO.read_action(table, 0, "car 6.7 W +2")))
        assert TWO.refuse(table, 0, TWO.read_action(table, 0, "car 6.7 W")) == ""


def test_a_magnet_that_pulls_nothing_and_a_hole_are_refused():
    table = position("gone 1.3; bells - 1.7 5.0 3.5 4.11 6.4 7.9 9.1 11.6 10.10; blue 7.6; orange 14.12")
    for words, reason in (
        ("magnet 0.10", "pull no car.*CB-M1"),
        ("magnet 1.3", "hole at 1.3.*CB-F5"),
        ("car 0.3 E", "hole at 0.3.*CB-F5"),
        ("magnet 7.8", "^$"),
    ):
        assert re.search(reason, TWO.refuse(table, 0, TWO.read_action(table, 0, words)))


def test_other_answers_are_refused_with_their_rule():
    table = position("phase set-up; blue 7.7; first A")
    for words, reason in (
        ("7.7", "CB-P1"),
        ("8.8", "car on this tile.*CB-S2"),
        ("13.3", "the operator"),
        ("0.0", "^$"),
    ):
        assert re.search(reason, TWO.refuse(table, 1, TWO.read_action(table, 1, words)))
    table = position("phase drawing; acted 3; owed 1; blue 0.0; orange 0.5; display Ride")
    assert re.search("Tandem is not face up.*CB-T4", TWO.refuse(table, 0, TWO.read_action(table, 0, "take Tandem")))
    table = position("phase keep; acted 3; owed 1; blue 0.0; orange 0.5; drawn Ride Tandem", FOUR)
    assert re.search("drawn cards are Ride, Tandem.*CB-V1", TWO.refuse(table, 0, tables.DISCARD + 5))
    table = position("phase pile; acted 3; owed 1; blue 0.0; orange 0.5; discards Lambada*3")
    assert re.search("no Lambada in the pile.*CB-T4", TWO.refuse(table, CHANCE, TWO.read_action(table, 0, "Lambada")))
    assert re.search(
        "is not an answer to the current decision: a card from the pile", TWO.refuse(table, CHANCE, tables.TAKE)
    )


# Malformed and impossible positions


def test_the_english_edition_has_no_thirteenth_card():
    position("blue 0.0; orange 0.5; hands A Reaction")
    with pytest.raises(CrashlabError, match="the game has only 0"):
        position("blue 0.0; orange 0.5; hands A Reaction", ENGLISH)


CARS_ONLY = {"blue": "0.0", "orange": "0.5"}


def test_names_of_several_words_are_one_card():
    table = read(TWO, {**CARS_ONLY, "hands": {"A": "Free Ride Double Hit"}})
    assert table.hand_size[0] == 2 and table.hand[2] == table.hand[8] == 1


# Secrets


@each_game
def test_hands_and_draws_of_others_are_hidden_and_nothing_else(game):
    for table in met(game, 0, 200):
        for seat in game.seats:
            view = observed(rules, table, seat)
            for other in game.seats:
                hand = view.hand[13 * other : 13 * other + 13]
                if other == seat or not table.hand_size[other]:
                    assert hand == table.hand[13 * other : 13 * other + 13]
                else:
                    assert hand == [HIDDEN] * 13
            hidden = [card if card == NOWHERE or seat == table.asked[0] else HIDDEN for card in table.drawn]
            assert view.drawn == hidden
            for name in table.NAMES:
                assert name in ("hand", "drawn") or vars(view)[name] == vars(table)[name]


@pytest.mark.few(3)
@each_game
def test_a_guess_could_be_behind_the_view(game):
    rng, hands = Random(3), set()
    for table in met(game, 1, 200):
        for seat in game.seats:
            view = observed(rules, table, seat)
            full = determinized(rules, view, rng)
            assert observed(rules, full, seat) == view and positions.problems(full) == []
            assert all(tables.in_pile(full, card) >= 0 for card in range(13))
            assert full.phase[0] != tables.KEEP or seat == table.asked[0] or full.drawn[0] != full.drawn[1]
            hands.add(tuple(full.hand))
    assert len(hands) > 100  # they differ


def test_a_guess_deals_every_unseen_card_equally_often():
    """A has all the Rides but one; so among the 38 - 3 cards that A does not see there is one Ride."""
    table = position("blue 0.0; orange 0.5; hands A Ride*2, B ???; display Tandem - -; discards Charms")
    rng, dealt = Random(5), [0] * 13
    for _ in range(4000):
        for card, number in enumerate(determinized(rules, table, rng).hand[13:26]):
            dealt[card] += number
    unseen = [3 - (card == 0) - 2 * (card == 2) - (card == 10) for card in range(13)]
    assert sum(unseen) == 35
    for card in range(13):
        expected = 4000 * 3 * unseen[card] / 35
        assert abs(dealt[card] - expected) < 5 * expected**0.5


def test_who_follows_a_yellow_card_has_a_choice_in_every_guess():
    """Only Ride can ring here (two cars beside bells), so a hand without it could not have played Shady."""
    line = "turn 8; acted 1; bound Shady; operator 13.3; blue 6.5; orange 14.11; discards Shady; hands A ??, B Tandem"
    table = position(line)
    rng, out = Random(1), [0] * rules.MOST_ACTIONS
    for _ in range(20):
        full = determinized(rules, table, rng)
        assert rules.legal(full, 0, out) > 1 and out[0] != tables.FORFEIT


def imagine_all(views, count, luck, out):
    """Guess the hidden information of each of these views."""
    for place in range(count):
        rules.determinize(views[place], luck, out)


def test_nobody_imagines_a_world_in_which_nobody_would_be_asked():
    """Agents and views guess two drawn cards, and hands after a yellow card, in the same way."""
    line = "turn 8; acted 1; bound Shady; operator 13.3; blue 6.5; orange 14.11; discards Shady; hands A ??, B Tandem"
    have_choices, tables_met = [], [position(line)]
    luck, out, views, worlds = [7], [0] * rules.MOST_ACTIONS, [], []
    for game in GAMES[2:]:
        keeping = (table for seed in (0, 1) for table in met(game, seed) if table.phase[0] == tables.KEEP)
        tables_met += [table for table in keeping if rules.only_action(table, table.asked[0], out) == NOWHERE]
    for table in tables_met:
        for seat in set(range(table.players[0])) - {table.asked[0]}:
            for _ in range(2):
                view = observed(rules, table, seat)
                views.append(view.copy())
                rng = Random.at(luck[0])
                full = determinized(rules, view, rng)
                rules.determinize(view, luck, out)
                worlds.append(view)
                assert (view, luck[0]) == (full, rng.luck)
                assert observed(rules, view, seat) == observed(rules, table, seat)
                have_choices.append(rules.only_action(view, table.asked[0], out) == NOWHERE)
    assert all(have_choices) and len(have_choices) > 300
    if choose_backend.can_compile():
        backend = choose_backend.compiled(rules)
        filled = backend.tables(views)
        backend.bind(imagine_all)(filled, len(views), backend.luck(7), backend.row(rules.MOST_ACTIONS))
        assert [backend.table(filled, place) for place in range(len(views))] == worlds


@each_game
def test_only_hands_and_drawn_cards_are_secret_and_only_to_others(game):
    """The rejected one of two drawn cards is discarded openly."""
    count = 0
    for before, _, _, rows in turns(game, 0):
        for row in rows:
            name = "" if row[3] < 0 else before.NAMES[row[3]]
            is_card = name == "hand" or (name == "drawn" and row[6] != NOWHERE)
            for seat in game.seats:
                assert text.is_secret(before, row, seat) == (is_card and seat != before.asked[0])
            count += is_card
    assert count > 20


@each_game
def test_what_a_seat_may_know_of_a_turn_leads_to_what_it_sees(game):
    """The same holds for two cards that another seat draws, keeping one."""
    count = 0
    for before, _, _, rows in turns(game, 1):
        count += before.phase[0] == tables.KEEP
        after = before.copy()
        replay(after, rows)
        for seat in game.seats:
            view, view_after = observed(rules, before, seat), observed(rules, after, seat)
            for row in rows:
                if row[3] >= 0 and not text.is_secret(before, row, seat):
                    view.rows()[row[3]][row[4]] = row[6]
            for other in game.seats:
                if view.hand_size[other] == 0:  # without cards there are none of any kind
                    view.hand[13 * other : 13 * other + 13] = [0] * 13
            for name in view.NAMES:
                for actual, expected in zip(vars(view)[name], vars(view_after)[name], strict=True):
                    assert expected in (actual, HIDDEN), name
    assert count > 10 or len(game.seats) == 2


def test_who_sees_no_other_hand_takes_each_unseen_card_to_be_as_likely():
    """CB-T4: the pile may hold any card that an onlooker does not see, even one in another hand."""
    state = TWO.read("blue 0.0; orange 0.5; hands A Ride, B Tandem*3; display Shady - Hit; phase refill; acted 3")
    odds = {str(card): chance for card, chance in state.seen_by(0).odds().items()}
    unseen = dict.fromkeys(w.CARD_WORDS, 3) | dict.fromkeys(("Ride", "Shady", "Hit"), 2)
    assert odds == pytest.approx({card: number / 36 for card, number in unseen.items()})
    assert "Tandem" not in map(str, state.odds()) and state.seen_by(1).odds() != state.seen_by(0).odds()


def test_a_position_with_hidden_hands_can_be_read_and_not_played():
    state = TWO.read("blue 0.0; orange 0.5; hands A Ride, B ???")
    assert state.closed and state.hands == {"A": ("Free Ride",), "B": "???"} and state.pile == 39 - 4
    full = state.guess(Random(1))
    assert len(full.hands["B"]) == 3 and full.seen_by(0).table == state.table


# Events in words


@pytest.mark.parametrize(
    ("action", "moved"),
    [
        ("car 6.2 E", "a blue car is pushed from 6.3 to 6.4"),
        ("magnet 6.5", "a blue car is pulled by a magnet from 6.3 to 6.4"),
        ("play Ride 6.3 E", "a blue car rides from 6.3 to 6.4"),
        ("walk E E", "a blue car is pushed by the operator from 6.3 to 6.4"),
    ],
)
def test_points_of_a_scoring_are_due_to_the_bell_and_this_to_the_car_that_came_onto_it(action, moved):
    """CB-E1: a car that is moved onto a bell rings it, and then both sides score."""
    bells = "bells 6.4 1.7 5.0 3.5 4.11 1.3 7.9 9.1 11.6 10.10"
    turn = TWO.read(f"turn 8; {bells}; operator 6.1; blue 6.3 7.5; orange 0.2; hands A Ride").play(action)
    (event,) = (event for event in turn.events if event.text.startswith("blue gets"))
    chain = [event.text]
    while event.cause is not None:
        event = turn.events[event.cause]
        chain.append(event.text)
    assert chain[1:4] == ["scoring 1 of 7 begins", "the bell on 6.4 rings", moved]
    assert chain[-1] == turn.events[0].text


def test_how_a_car_comes_to_another_place_in_words():
    line = (
        "turn 8; operator 13.3; orange 14.11 14.6; bells - 1.7 5.0 3.5 4.11 6.4 7.9 9.1 11.6 10.10; gone 1.3; blue {}"
    )
    for pieces, action, expected in (
        ("0.1 0.7", "walk E E", "CB-O1 the operator goes from 13.3 to 13.4"),
        ("13.4 0.1", "walk E E", "CB-O2 a blue car is pushed by the operator from 13.4 to 13.5"),
        ("8.5 8.6", "magnet 8.8", "CB-M3 a blue car is pulled by a magnet from 8.6 to 8.7"),
        ("0.1 0.0", "Lambada 0.0 0.1", "CB-K2 a blue car changes places and goes from 0.1 to 0.0"),
        ("0.1 0.8", "Saboteur 14.6", "CB-K4 an orange car is sent home from 14.6"),
        ("0.1 0.8", "Dutchman 1.3", "CB-K5 the operator flies from 13.3 into the hole at 1.3"),
        ("0.1 0.8", "Charms 1.7 13.8", "CB-K1 the bell moves from 1.7 to 13.8"),
        ("0.1 0.8", "Accumulator", "CB-K6 orange loses 1 battery (4 to 3)"),
        ("0.1 0.8", "Accumulator", "CB-K6 orange may use no batteries in its next turn"),
        ("8.5 8.6", "Tandem", "CB-K11 the second action must place a car, changed by Tandem"),
        ("8.5 8.6", "exchange Tandem Hit", "CB-T1 A discards Double Hit"),
    ):
        card = action.split()[0] if action[0].isupper() else "Hit Tandem"
        lines = lines_of(TWO, f"{line.format(pieces)}; hands A {card}", action)
        assert expected in lines, lines


def test_a_push_over_the_edge_in_words():
    lines = lines_of(TWO, "turn 2; blue 0.1; orange 0.0", "car 0.2 W +1")
    contains(
        lines,
        "CB-T1 A places a car, number 1 in this turn",
        "CB-P2 blue uses 1 battery (4 to 3)",
        "CB-P1 a blue car is placed on 0.2",
        "CB-P5 an orange car falls off from 0.0",
        "CB-P5 blue gets 2 points (10 to 12)",
    )


def test_a_ring_and_its_scoring_in_words():
    """Blue at 6.5 rides onto the bell on 6.4; the flower around 7.3 leaves, and blue's car with it."""
    table = position("turn 8; operator 13.3; blue 6.5 0.0; orange 14.11; hands A Ride; display Hit")
    values = {place: table.value[cell(*place)] for place in ((6, 4), (0, 0), (14, 11))}
    blue, orange = values[6, 4] + values[0, 0], values[14, 11]
    lines = lines_of(TWO, written(table), "Ride 6.5 W")
    contains(
        lines,
        "CB-K3 A plays Free Ride",
        "CB-K3 A has 0 cards in hand",
        "CB-K3 Free Ride goes to the discards",
        "CB-K3 a blue car rides from 6.5 to 6.4",
        "CB-E1 the bell on 6.4 rings",
        "CB-E1 scoring 1 of 7 begins",
        f"CB-F3 a blue car on 6.4 scores {values[6, 4]}, in all {counted(values[6, 4], 'point')}",
        f"CB-F3 a blue car on 0.0 scores {values[0, 0]}, in all {counted(blue, 'point')}",
        f"CB-F3 an orange car on 14.11 scores {orange}, in all {counted(orange, 'point')}",
        "CB-E1 the bell from 6.4 goes to the scoring card",
        "CB-E1 a blue car goes home with the flower from 6.4",
        "CB-E1 the flower round 7.3 leaves the game, and there is a hole",
        "CB-T1 one action is done",
    )


@pytest.mark.parametrize(
    ("line", "words", "note"),
    [
        ("blue 6.5 0.0", "car 6.6 W +1", "CB-P6 the car that rings on 6.4 loses 1 cell of its way"),
        ("blue 8.5 8.7", "car 8.4 E +1", "CB-P3 the car on 8.6 hits the one on 8.7, which has 1 cell to go"),
        ("blue 13.5 0.0", "car 13.6 W +1", "CB-P4 the operator on 13.3 stops the car on 13.4"),
        ("blue 13.4 0.0", "car 13.5 W +2", "CB-P4 the operator on 13.3 stops the car on 13.4"),
        ("blue 0.0", "walk E E", "CB-O1 the operator sets out from 13.3, for 2 cells"),
    ],
)
def test_notes_in_words(line, words, note):
    assert note in lines_of(TWO, f"turn 8; operator 13.3; {line}; orange 14.11", words)


def test_the_end_tells_who_wins():
    line = "turn 8; operator 13.3; blue 0.1 9.9, score 20; orange 0.0, score {}"
    for score, end in ((7, "blue wins, 22 to 7"), (22, "a draw, 22 to 22"), (30, "orange wins, 30 to 22")):
        assert lines_of(TWO, line.format(score), "car 0.2 W")[-1] == f"CB-E4 the game is over: {end}"


def test_the_first_cars_are_compared_in_words():
    table = position("phase set-up; blue 1.3 4.1 7.3 10.1; orange 1.8 4.6 7.8; first A")
    sums = [sum(table.value[place] for place in table.cell[side : side + 10] if place != NOWHERE) for side in (0, 11)]
    lines = lines_of(TWO, written(table), "place 10.6")
    sums[1] += table.value[cell(10, 6)]
    assert any(line.startswith(f"CB-S2 the first cars stand on {sums[0]} (blue) and {sums[1]}") for line in lines)
    assert "CB-T1 turn 1 begins" in lines


def test_what_a_state_tells_by_name():
    state = TWO.read(POSITION)
    blue = state.sides["blue"]
    assert blue.cars == ((6, 5), (6, 6)) and blue.magnet == (8, 5) and blue.stock == 8 and blue.players == ("A",)
    assert state.sides["orange"].batteries == 3 and state.sides["orange"].magnet is None
    assert state.operator == (9, 6) and len(state.bells) == 9 and state.holes == ((1, 3),)
    assert len(state.values) == 188 - 7 and (1, 3) not in state.values
    assert state.hands == {"A": ("Free Ride", "Tandem"), "B": ("Lambada",)}
    assert state.display == ("Shady Exception", "Double Hit") and state.discards == {"Free Ride": 2}
    assert state.pile == 39 - 3 - 2 - 2 and state.phase == "action" and state.turn == 8 and state.whose_turn == "B"
    assert Action(state, 1, tables.WALK + 1 + 32 * 2) in state.actions(1)
    assert str(state.actions(1)[0]).startswith("car ")


def test_a_state_tells_its_tiles_cells_and_cards_by_name():
    state = TWO.read(POSITION)
    assert len(state.tiles) == 24 and [tile.name for tile in state.tiles[:3]] == ["X0", "X1", "F1"]
    assert len(state.cells) == 188 - 7 and (1, 3) not in state.cells
    for tile in state.tiles:
        assert {state.cells[place].tile for place in tile.cells} == {tile.name}
        assert tile.star is None or tile.star in tile.cells
    assert {place: cell.value for place, cell in state.cells.items()} == state.values
    assert state.cells[6, 5].pieces == ("blue 1",) and state.cells[8, 5].pieces == ("blue magnet",)
    assert state.cells[9, 6].pieces == ("operator",) and state.cells[1, 7].pieces == ("bell 2",)
    assert [card.name for card in state.cards] == list(w.TITLES) and len(ENGLISH.start(1).cards) == 12
    assert state.cards[2] == ("Free Ride", "Ride", "Volná jízdenka", "grey", "CB-K3")
    assert [card.colour for card in state.cards] == ["grey"] * 6 + ["yellow"] * 2 + ["blue"] * 5


DOUBLE = (
    "acted 1; bound Hit; discards Hit; blue 7.4; orange 7.6; operator 13.3;"
    " bells 2.4 1.7 5.0 3.5 4.11 7.3 7.7 9.1 11.6 10.10"
)


def test_two_bells_at_once_are_refused_in_one_edition_and_in_order_in_the_other():
    czech, english = position(DOUBLE), position(DOUBLE, ENGLISH)
    for words in ("car 7.5 E W", "car 7.5 W E"):
        reason = TWO.refuse(czech, 0, TWO.read_action(czech, 0, words))
        assert "two bells would ring" in reason and "CB-E2" in reason
        assert TWO.refuse(english, 0, TWO.read_action(english, 0, words)) == ""
        assert TWO.say(english, 0, TWO.read_action(english, 0, words)) == words
    still = position(DOUBLE.replace("7.3 7.7", "8.4 7.9"), ENGLISH)  # no bell rings, so the order does not matter
    assert TWO.read_action(still, 0, "car 7.5 W E") == TWO.read_action(still, 0, "car 7.5 E W")


def candidates(table):
    """Yield cars, magnets, walks of two cells and rides, possible or not."""
    for place in range(tables.CELLS):
        yield tables.MAGNET + place
        for way in range(6):
            yield tables.CAR + place + 256 * (way + 1)
            if (target := tables.AHEAD[6 * place + way]) != tables.OUTSIDE:
                yield tables.PLAY + tables.FREE_RIDE + 32 * place + 2**13 * target
    if not any(table.gone):
        yield from (tables.WALK + first + 32 * second for first in range(1, 7) for second in range(1, 7))


CONSEQUENCES = "pull no car|second action must bring a scoring|bells? would ring|was a scoring in this turn"


@pytest.mark.few(1)
@each_game
def test_what_is_refused_for_its_consequences_would_have_had_them(game):
    """It is done here nevertheless: then a forbidden bell rings, or a required one does not."""
    out, reasons = [0] * rules.MOST_ACTIONS, set()
    choosing = [table for seed in (0, 1) for table in met(game, seed) if table.phase[0] == tables.ACTION]
    strict = [table for table in choosing if table.scored[0] or rules.is_yellow(table.bound[0])]
    for number, table in enumerate(choosing if PROOF else [*strict, *choosing[:9:3], *choosing[::80]]):
        legal = out[: rules.legal(table, table.asked[0], out)]
        for action in {*[*candidates(table)][0 if PROOF else number % 3 :: 1 if PROOF else 3]}.difference(legal):
            reason = TWO.refuse(table, table.asked[0], action, legal)
            if not re.search(CONSEQUENCES, reason):
                continue
            after = table.copy()
            rules.apply(after, table.asked[0], action, None)
            rung = after.scorings[0] - table.scorings[0]
            if "pull no car" in reason:
                assert action // tables.SORT * tables.SORT == tables.MAGNET
            elif "must bring a scoring" in reason:
                assert rung == 0
            else:
                assert rung == (2 if "two bells would ring" in reason else 1)
                assert "in turn" not in reason or table.turn[0] < 6
            reasons.add(reason[-20:])
    assert len(reasons) >= 2
