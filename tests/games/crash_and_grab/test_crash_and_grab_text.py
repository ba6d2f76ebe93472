"""Crash & Grab in words: written text can be read again, and errors are refused with the reason."""

import json
import re

import pytest
from crash_and_grab_positions import TURN, WAY

from crashlab import CHANCE, CrashlabError, Random
from crashlab.engine.contract import observed
from crashlab.engine.game import Action, Game
from crashlab.engine.table import HIDDEN, NOWHERE, replay
from crashlab.games.crash_and_grab import notation, positions, rules
from crashlab.games.crash_and_grab import notation as w
from crashlab.games.crash_and_grab import state as tables
from crashlab.games.crash_and_grab.render import panel


def crash_and_grab(**options):
    return Game("crash_and_grab", "crashlab.games.crash_and_grab", options)


GAMES = [crash_and_grab(players=players) for players in range(2, 7)]
each_number = pytest.mark.parametrize("game", GAMES, ids=repr)
FOUR = crash_and_grab()


def played(game, seed, decisions=10_000):
    """Yield the turns of a game played at random."""
    state, rng = game.start(seed), Random(seed)
    while not state.over and decisions:
        turn = state.sample(rng)
        yield turn
        state, decisions = turn.after, decisions - 1


def tables_met(game, seed, decisions):
    """Yield the tables of a random game at which a seat or chance decides, even with a single action."""
    table, rng, out = game.set_up(Random(seed)), Random(seed), [0] * rules.MOST_ACTIONS
    while (bits := rules.actors(table)) and decisions:
        yield table
        for seat in [CHANCE] if bits == CHANCE else [seat for seat in game.seats if bits >> seat & 1]:
            rules.apply(table, seat, rng.choice(out[: rules.legal(table, seat, out)]), None)
        decisions -= 1
    yield table


PARTS_OF_ANSWERS = {
    "saucer": set(tables.COLOUR_NAMES),
    "colour": set(tables.COLOUR_NAMES),
    "crew": {tables.crew_name(crew) for crew in range(tables.CREW)},
    "card": {"2", "3", "0-5"},
    "direction": set("^>v<"),
    "distance": set(range(13)),
    "site": set(range(1, 13)),
    "roll": set(range(1, 13)),
    "tile": set(range(1, 15)),
    "degrees": {90, 180, 270},
    "upgrade": set(w.TITLES),
    "spin": {"clockwise", "counter-clockwise", "roll"},
    "answer": {"no", "no more", "stay", "roll", "push", "mine", "accelerate", "buy", "energy"},
}


@each_number
def test_the_parts_of_an_answer_are_plain_words_of_positions(game):
    """Every answer is determined by its parts: no two answers of a decision have the same."""
    out, decided = [0] * rules.MOST_ACTIONS, set()
    for table in tables_met(game, 78, 600):
        bits = rules.actors(table)
        for seat in [CHANCE] if bits == CHANCE else [seat for seat in game.seats if bits >> seat & 1]:
            legal = out[: rules.legal(table, seat, out)]
            parts = [notation.parts(table, action) for action in legal]
            assert json.loads(json.dumps(parts)) == parts
            assert len({json.dumps(things) for things in parts}) == len(parts)
            decided.add(notation.decision(table, seat).name)
            for name, value in (pair for things in parts for pair in things.items()):
                if name == "space":
                    assert type(value) is list and all(0 <= number < table.size[0] for number in value)
                else:
                    assert value in PARTS_OF_ANSWERS[name]
    assert len(decided) > 8


def parts_of(phase, words, game=FOUR):
    """Return the parts of an answer by its words."""
    table = position(TURN.format("boost"))
    table.phase[0] = notation.NAMES.index(phase)
    return notation.parts(table, game.read_action(table, 1, words))


def test_the_parts_of_answers_by_hand():
    assert parts_of("plan", "0-5v") == {"card": "0-5", "direction": "v"}
    assert parts_of("pilot", "red") == {"saucer": "red"}
    assert parts_of("naming", "die") == {"spin": "roll"}
    assert parts_of("rotation", "co") == {"spin": "counter-clockwise"}
    assert parts_of("site", "site 7") == {"site": 7} and parts_of("site", "roll") == {"answer": "roll"}
    assert parts_of("step", "left") == {"direction": "<"} and parts_of("step", "no") == {"answer": "stay"}
    assert parts_of("leg", "6") == {"distance": 6}
    assert parts_of("push", "crash") == {"answer": "mine"}
    assert parts_of("boost", "3^") == {"distance": 3, "direction": "^"}
    assert parts_of("penalty", "blue doctor to green") == {"crew": "blue doctor", "saucer": "green"}
    assert parts_of("reward", "r.p") == {"crew": "red pilot"} and parts_of("reward", "energy") == {"answer": "energy"}
    assert parts_of("refill", "yellow") == {"colour": "yellow"}
    assert parts_of("keep", "Mines") == {"upgrade": "Proximity Mines"}
    assert parts_of("die", "12") == {"roll": 12}
    assert parts_of("end", "no more") == {"answer": "no more"}
    assert parts_of("end", "Cloak") == {"upgrade": "Cloaking Device"}
    assert parts_of("end", "Afterburner 34") == {"upgrade": "Afterburner", "space": [3, 4]}
    assert parts_of("end", "Quake 2 90") == {"upgrade": "Quake Maker", "tile": 2, "degrees": 90}


def test_every_decision_has_a_number_of_its_own_and_a_short_question():
    assert len(set(notation.NAMES)) == len(notation.NAMES) == tables.OVER + 1
    assert {*panel.QUESTIONS} == {*notation.NAMES} - {"plan", "over"}


@pytest.mark.few(2)
@each_number
def test_every_event_has_words_of_its_own_and_problems_never_come(game):
    for turn in played(game, 5, 400):
        table = turn.before.table.copy()
        for beat in range(1, turn.beats + 1):
            replay(table, [row for row in turn.rows if row[0] == beat])
            assert positions.problems(table) == []
        for event in turn.events:
            assert event.text and not re.search(r"None|nobody (heads|travels|has)|saucer -|saucer \d", event.text)
            assert event.text == event.text.strip()


@pytest.mark.few(2)
@each_number
def test_every_event_tells_things_as_positions_do(game):
    """Each change has its object, its value and its old value; each note has its numbers by name."""
    words = {*tables.COLOUR_NAMES, *w.TITLES, *map(tables.crew_name, range(tables.CREW)), *notation.NAMES, *w.MOTIONS}
    words |= {*map(game.seat_name, game.seats), *"^>v<", *w.SPINS.values(), *w.PILES.values(), "queue", "accelerator"}
    words |= {f"{card}{arrow}" for card in w.PLAN_CARDS for arrow in "^>v<"}
    fields = set()
    for turn in played(game, 6, 400):
        for event in turn.events:
            assert json.loads(json.dumps(event.what)) == event.what and event.what
            assert event.field is None or "was" in event.what
            fields.add(event.field)
            for name, value in event.what.items():
                if name == "winners":
                    assert value == [game.seat_name(seat) for seat in turn.after.winners]
                elif isinstance(value, list):
                    assert len(value) == 2 and all(0 <= number < game.set_up(Random(0)).size[0] for number in value)
                else:
                    assert value is None or type(value) in (bool, int) or value in words, event
    assert len(fields) > 20


def test_events_by_hand_tell_what_they_are_about():
    state = FOUR.read(
        "probe B; spin clockwise; phase direction; turn green; distance 2; placed;"
        " saucers red 00 3>, green 44 2>, blue 46 2^, yellow 73 3<"
    )
    events = [event.what for event in state.play(">").events]
    for what in (
        {"saucer": "green", "boosters": 1, "was": 0},
        {"saucer": "green", "space": [4, 5], "was": [4, 4]},
        {"saucer": "green", "hit": "blue", "direction": ">", "distance": 2},
        {"saucer": "blue", "space": None, "was": [4, 7]},
        {"mover": "green", "was": None},
        {"mover": "blue", "was": "green"},
        {"motion": "card", "was": "rest"},
        {"heading": ">", "was": "^"},
        {"phase": "boost", "was": "direction"},
    ):
        assert what in events


@pytest.mark.few(2)
@each_number
def test_plans_of_others_are_hidden_until_they_are_revealed(game):
    for turn in played(game, 8, 60):
        state = turn.after
        for seat in game.seats:
            view = state.seen_by(seat)
            for saucer in range(state.table.saucers[0]):
                hidden = view.table.plan[saucer] == HIDDEN
                is_own = tables.owner(state.table, saucer) == seat
                if is_own or state.table.plan[saucer] < 0:
                    assert not hidden
                elif saucer != state.table.turn[0]:
                    assert hidden
                elif state.table.distance[0]:
                    assert not hidden
            assert view.actors == state.actors
            assert view.guess(Random(3)).seen_by(seat) == view
            assert game.read(view.text).table == view.table


# By hand

PLANS = "red 00 3>, green 12 e2 b1 0-5v, blue 76 2^, yellow 73 3<"


def position(line, game=FOUR):
    return game.read(line, forced=False).table


def test_a_position_by_hand_is_what_it_says():
    table = position(
        "round 2; tiles 1A0 2B1 3A2 4B3; probe B; saucers red 00 3>, green 12 e2 b1, blue 77, yellow off;"
        " crew r.p 20, green pilot blue; upgrades Mines green, U2 discard"
    )
    assert table.round == [2] and table.probe == [1] and table.cell == [0, 12, 77, NOWHERE, NOWHERE, NOWHERE]
    assert table.energy == [1, 2, 1, 1, 0, 0] and table.boosters == [0, 1, 0, 0, 0, 0]
    assert table.plan[0] == 4 * tables.THREE + tables.RIGHT and table.plan[1] == tables.UNPLANNED
    assert table.where[:5] == [20, tables.QUEUE, tables.QUEUE, tables.QUEUE, tables.ABOARD + 2]
    assert table.holder[tables.MINES] == 1 and table.holder[tables.WORMHOLE] == tables.DISCARD
    assert table.side == [0, 3, 4, 7] + [NOWHERE] * 5 and table.turned[:4] == [0, 1, 2, 3]
    # 1A unturned: . 1 . A in the first row; 2B turned once clockwise: its first column, from below, is the first row.
    assert table.ground[0:4] == [0, 1, 0, 13] and table.ground[4:8] == [0, 6, 0, 0]


@each_number
def test_what_is_left_out_is_as_at_the_start(game):
    table = position({"saucers": {"red": "00"}}, game)
    assert table.round == [1] and table.phase == [tables.PLAN] and table.probe == [0] and table.cell[0] == 0
    assert sorted(ground for ground in table.ground if 1 <= ground <= 12) == list(range(1, 13))
    assert all(where in (tables.QUEUE, tables.UNUSED) for where in table.where)


def test_a_turn_by_hand_numbers_the_turns_and_asks_its_player():
    line = f"probe D; phase boost; turn green; distance 3; saucers {PLANS}"
    table = position(line.replace(" 3>", "").replace(" 3<", ""))
    assert table.acted[:4] == [2, 3, 0, 1]
    assert table.spin == [1] and table.asked == [1] and table.turn == [1]


@pytest.mark.parametrize(
    ("phase", "words", "code"),
    [
        ("direction", ">", 1),
        ("direction", "Asteroids", 1),
        ("direction", "d", 2),
        ("distance", "4", 4),
        ("boost", "no", 0),
        ("boost", "3^", 13),
        ("boost", "3 up", 13),
        ("end", "no more", 0),
        ("end", "Wormhole blue", 1 + 256 * 1 + 2),
        ("end", "u2 b", 1 + 256 * 1 + 2),
        ("end", "Wormhole Generator BLUE", 1 + 256 * 1 + 2),
        ("end", "Afterburner 34", 1 + 256 * 2 + 34),
        ("end", "Afterburner 3,4", 1 + 256 * 2 + 34),
        ("end", "Afterburner 3,4", 1 + 256 * 2 + 34),
        ("end", "tractor r.p", 1 + 256 * 4),
        ("end", "landing legs >", 1 + 256 * 16 + 1),
        ("end", "Quake 2 90", 1 + 256 * 17 + 4 * 1 + 1),
        ("end", "cloak", 1 + 256 * 6),
        ("buy", "yes", 1),
    ],
)
def test_answers_are_read(phase, words, code):
    table = position(f"{TURN.format('boost')}")
    table.phase[0] = notation.NAMES.index(phase)
    assert FOUR.read_action(table, 1, words) == code


@pytest.mark.parametrize(
    ("phase", "words", "reason"),
    [
        ("plan", "4>", "card 2, 3 or 0-5"),
        ("plan", "3?", "is not one of"),
        ("boost", "^3", "as in '3\\^'"),
        ("end", "Warp 3", "begin with an upgrade"),
        ("end", "Quake 9 90", "a tile"),
        ("end", "Quake 2 45", "90, 180 or 270"),
        ("end", "Cloak red", "leave out 'red'"),
        ("end", "Wormhole orange", "is not one of"),
        ("end", "Wormhole p", "could mean several"),
        ("die", "13", "the die shows 1 to 12, not"),
        ("die", "0", "the die shows 1 to 12, not"),
        ("penalty", "blue doctor", "is not one of"),
        ("reward", "doctor", "a colour and a type"),
        ("push", "perhaps", "is not one of"),
        ("over", "3>", "there is nothing to decide"),
    ],
)
def test_answers_that_cannot_be_read_say_why(phase, words, reason):
    table = position(TURN.format("boost"))
    table.phase[0] = notation.NAMES.index(phase)
    with pytest.raises(CrashlabError, match=reason) as error:
        FOUR.read_action(table, 1, words)
    assert str(error.value).startswith("cannot read")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("Mines", "cannot be used at the end of a turn.*CG-U16"),
        ("Wormhole blue", "does not have Wormhole Generator"),
        ("Pulse blue", "already used"),
        ("Quake 2 90", "bought in this turn"),
        ("Afterburner 34", "cannot be used on this target.*CG-U3"),
    ],
)
def test_upgrades_are_refused_with_their_rule(words, reason):
    upgrades = "Mines green, Pulse green spent, Quake green fresh, Afterburner green"
    table = position(f"{TURN.format('end')}; upgrades {upgrades}")
    assert re.search(reason, FOUR.refuse(table, 1, FOUR.read_action(table, 1, words)))


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("Teleporter 00", "cannot be used on this target.*CG-U6"),
        ("Triangulator 00", "cannot be used on this target.*CG-U23"),
        ("Afterburner 34", "off the board.*CG-U3"),
    ],
)
def test_a_cloaked_saucer_is_refused_for_the_right_reason(words, reason):
    """It may jump out of its cloak to an empty space; every other upgrade that needs the board is refused."""
    line = TURN.format("end").replace("12 b1", "off b1")
    table = position(f"{line}; upgrades Teleporter green, Triangulator green, Afterburner green; cloaked")
    assert re.search(reason, FOUR.refuse(table, 1, FOUR.read_action(table, 1, words)))


def test_nobody_may_pass_because_a_third_saucer_moves():
    state = GAMES[0].read(
        "round 2; tiles 1A0 2A0 3A0 4A0; phase boost; probe A; turn blue;"
        " saucers red 64 #1, green 65 2^, blue 41 b1 2> #2, yellow off 2>; crew green doctor red; distance 1"
    )
    turn = state.play("1>")
    assert not [event for event in turn.events if event.field == "marked"]
    assert (turn.after.turn, turn.after.phase) == ("green", "boost")


def test_on_its_way_a_saucer_can_stand_on_an_accelerator():
    table = position(WAY.format("turn-off") + "; leg 3; left 3")
    assert table.phase[0] == tables.TURN_OFF and table.ground[table.cell[1]] == tables.ACCELERATOR


def test_saucers_that_crashed_are_counted_if_it_is_not_said():
    table = position(TURN.format("reward").replace("76 2^", "off 2^ x1"))
    assert table.crashes == [1] and table.crashed[2] == 1


def test_a_push_over_the_edge_in_words():
    """Green moves 2 to the right and hits blue, which is pushed 2 and leaves the board; yellow is not concerned."""
    state = FOUR.read(
        "probe B; spin clockwise; phase direction; turn green; distance 2; placed;"
        " saucers red 00 3>, green 44 2>, blue 46 2^, yellow 73 3<"
    )
    assert [str(action) for action in state.actions(1)] == list("^>v<")
    assert Action(state, 1, 1) in state.actions(1)
    lines = [event.text for event in state.play(">").events]
    for words in (
        "green gets 1 booster (0 to 1)",
        "green moves from 4,4 to 4,5",
        "green hits blue, which is pushed right by 2 spaces",
        "green moves from 4,5 to 4,6",
        "blue is pushed from 4,6 to 4,7",
        "blue crashes off the board from 4,7",
        "the crash of blue is to be rewarded",
        "B is asked for a boost",
    ):
        assert words in lines


@each_number
def test_a_question_names_the_player_who_is_asked(game):
    """The name is in the question even if the same player or the same question is repeated."""
    names, questions = "ABCDEF", set()
    state, rng = game.start(2), Random(3)
    while not state.over and state.round < 12:
        turn = state.sample(rng)
        events = [event for event in turn.events if event.field in ("phase", "asked") and event.rule != "CG-R1"]
        state = turn.after
        if events and len(state.actors) == 1 and state.actors[0] >= 0:  # the last question is open
            words = events[-1].text.removeprefix("the next decision is ")
            assert words.startswith(names[state.actors[0]]), events[-1]
            questions.add(words.partition(" is asked for ")[2])
    assert len(questions) > 5


def test_what_a_state_tells_by_name():
    state = FOUR.read("probe B; saucers red 00, green 12 e2; crew red pilot 01, blue doctor red; upgrades Mines red")
    assert state.saucers["red"].crew == ("blue doctor",) and state.saucers["red"].stationed == 1
    assert state.saucers["red"].upgrades == ("Proximity Mines",) and state.saucers["blue"].space is None
    assert state.crew["red pilot"] == (0, 1) and state.crew["blue doctor"] == "red" and "pink pilot" not in state.crew
    assert state.upgrades["Proximity Mines"] == "red" and state.upgrades["Airlock"] == "deck"
    assert state.sites[1] == (0, 1) and (0, 3) in state.accelerators and state.probe == "B"


def test_two_players_do_not_see_the_second_card_of_the_other():
    game = GAMES[0]
    line = "saucers red 00 3>, green 12 2^, blue 76 2<, yellow 73 0-5v; phase distance; turn red"
    table = position(line, game)
    assert [plan == HIDDEN for plan in observed(rules, table, 1).plan[:4]] == [False, True, False, False]
    assert [plan == HIDDEN for plan in observed(rules, table, 0).plan[:4]] == [False, False, True, True]
