"""Crash & Grab as pictures and questions at its board."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from math import dist

import pytest
import table_play
from shape_measures import colours, points

import crashlab
from crashlab.drawing.shapes import Line, Polygon, Text, placed
from crashlab.drawing.themes import DARK, LIGHT
from crashlab.engine.chance import Random
from crashlab.engine.game import Game, edited
from crashlab.engine.options import settle
from crashlab.engine.table import CHANCE, NOWHERE, Row, Trace, replay
from crashlab.games.crash_and_grab import notation, render, rules, ui
from crashlab.games.crash_and_grab import notation as w
from crashlab.games.crash_and_grab import state as tables
from crashlab.games.crash_and_grab.render import layout, panel

each_number = pytest.mark.parametrize("players", range(2, 7))


def deciders(table):
    """Return the current seats."""
    bits = rules.actors(table)
    return [CHANCE] if bits == CHANCE else [seat for seat in range(6) if bits >> seat & 1]


legal = partial(table_play.legal_codes, rules)


def walk(players, seed, decisions):
    """Yield the table before each decision of a random game, and the rows of the decision."""
    table, rng = tables.set_up(settle(tables.OPTIONS, {"players": players}), Random(seed)), Random(seed)
    for _ in range(decisions):
        before, trace = table.copy(), Trace()
        for seat in deciders(table):
            rules.apply(table, seat, rng.choice(legal(table, seat)), trace)
        yield before, list(map(Row._make, trace.rows))
        if not rules.actors(table):
            return


@pytest.mark.few(1)
@each_number
def test_every_decision_has_a_picture_with_everything_in_it_once(players):
    for table, _ in walk(players, players, 250):
        picture = render.picture(table)
        keys = [piece.key for piece in picture.pieces]
        assert len(keys) == len(set(keys)) and all(piece.label for piece in picture.pieces)
        assert sum(key.startswith("saucer ") for key in keys) == table.saucers[0]
        assert sum(key.startswith("crew ") for key in keys) == 4 * tables.COLOURS[players]
        assert sum(key.startswith("site ") for key in keys) == 12
        for shape in [shape for piece in picture.pieces for shape in placed(piece)]:
            assert all(0 <= x <= picture.width and 0 <= y <= picture.height for x, y in points(shape)), shape
        for key, shape in [(p.key, shape) for p in picture.pieces if p.x > layout.PANEL[0] for shape in placed(p)]:
            assert all(x <= layout.PANEL[2] - 4 and y <= layout.PANEL[3] for x, y in points(shape)), key
        names = set().union(*(colours(shape) for piece in picture.pieces for shape in piece.shapes))
        assert names | set().union(*map(colours, picture.board)) <= set(LIGHT) & set(DARK)
        assert len(picture.words) > 200 and "None" not in picture.words


@each_number
def test_pieces_are_where_the_table_says(players):
    for table, _ in walk(players, 20 + players, 200):
        at = {piece.key: piece for piece in render.picture(table).pieces}
        width = 456 / table.size[0]
        for key, cell in {
            **{f"saucer {tables.COLOUR_NAMES[n]}": table.cell[n] for n in range(table.saucers[0])},
            **{
                f"crew {tables.COLOUR_NAMES[n // 4]} {tables.TYPE_NAMES[n % 4]}": where
                for n, where in enumerate(table.where)
                if where >= NOWHERE
            },
        }.items():
            if 0 <= cell < tables.CELLS:
                assert int((at[key].x - 28) / width) == cell % 10 and int((at[key].y - 28) / width) == cell // 10
            else:
                assert at[key].x > 514
            if cell >= tables.ABOARD:
                assert f"aboard {tables.COLOUR_NAMES[cell - tables.ABOARD]}" in at[key].label
        for saucer in range(table.saucers[0]):
            name = tables.COLOUR_NAMES[saucer]
            assert at[f"energy {name}"].shapes[0].text == str(table.energy[saucer])
            assert at[f"boosters {name}"].shapes[0].text == str(table.boosters[saucer])
            assert (f"card {name}" in at) == (table.plan[saucer] != tables.UNPLANNED)
        assert ("turn" in at) == (table.turn[0] != NOWHERE)


def test_a_hidden_card_shows_its_back():
    table = next(walk(4, 1, 1))[0]
    table.plan[1], table.plan[2] = -2, 4 * tables.ANY + tables.LEFT
    at = {piece.key: piece for piece in render.picture(table).pieces}
    labels = {key: [s.text for s in at[key].shapes if isinstance(s, Text)] for key in ("card green", "card blue")}
    assert labels == {"card green": ["?"], "card blue": ["0-5"]} and "card red" not in at
    words = render.caption(table)
    assert "a hidden card" in words and "card 0-5 to Stars" in words


def wording(shapes):
    """Return the texts among shapes."""
    return [shape for shape in shapes if isinstance(shape, Text)]


@pytest.mark.few(2)
@each_number
def test_no_words_are_smaller_than_14_pixels(players):
    for table, _ in walk(players, 30 + players, 120):
        picture = render.picture(table)
        words = [*wording(picture.board), *wording(shape for piece in picture.pieces for shape in placed(piece))]
        for seat in [seat for seat in deciders(table) if seat != CHANCE]:
            words += wording(shape for choice in all_choices(table, seat) for shape in choice.shapes)
        assert {word.text: word.size for word in words if word.size < 14} == {}


def test_cards_to_keep_hide_neither_their_saucer_nor_one_another():
    for space in ("10", "72", "04", "37"):
        table = position({"saucers": {"red": space, "green": "12", "blue": "41"}})
        for one in range(tables.CARDS):
            table.turn[0], table.holder[:] = 0, [tables.DECK] * tables.CARDS
            table.holder[one] = table.holder[(one + 1) % tables.CARDS] = tables.DRAWN
            pieces = [piece for piece in render.picture(table).pieces if piece.key.startswith("upgrade")]
            boxes = [next(shape.points for shape in placed(piece) if isinstance(shape, Polygon)) for piece in pieces]
            x, y = layout.centre(table, table.cell[0])
            for box in boxes:
                (left, right), (top, bottom) = ((min(axis), max(axis)) for axis in zip(*box, strict=True))
                assert not (left < x < right and top - 24 < y < bottom) and bottom < layout.QUEUE_Y - 15
            assert max(x for x, _ in boxes[0]) < min(x for x, _ in boxes[1])


@pytest.mark.few(2)
@each_number
def test_each_upgrade_is_a_card_that_tells_its_rule(players):
    are_drawn = set()
    for table, _ in walk(players, 35 + players, 400):
        at = {piece.key: piece for piece in render.picture(table).pieces}
        for card, holder in enumerate(table.holder):
            rule = rules.BOOK[f"CG-U{card + 1}"]
            if holder < 0 and holder != tables.DRAWN:
                assert f"upgrade {card + 1}" not in at
                continue
            piece = at[f"upgrade {card + 1}"]
            who = tables.COLOUR_NAMES[holder] if holder >= 0 else "drawn"
            assert piece.label.startswith(f"{who}: {rule.title}") and rule.text in piece.label
            words = " ".join(shape.text for shape in wording(piece.shapes))
            if holder == tables.DRAWN:
                assert words == f"{rule.title} {rule.text.partition(' House ruling:')[0]}"
            else:
                assert w.CARD_NAMES[card].startswith(words) and len(words) >= 2
            are_drawn.add(holder == tables.DRAWN)
    assert are_drawn == {True, False}


def test_the_order_of_turns_and_who_may_override_are_shown():
    table = next(walk(6, 3, 1))[0]
    assert not [piece for piece in render.picture(table).pieces if piece.key.startswith(("order", "override"))]
    table.probe[0], table.spin[0], table.acted[:] = 2, -1, [0, 2, 1, 0, 0, 0]  # blue, green, red, pink, purple, yellow
    at = {piece.key: piece for piece in render.picture(table).pieces}
    order = {name: at[f"order {name}"].shapes[-1].text for name in tables.COLOUR_NAMES}
    assert order == {"blue": "1", "green": "2", "red": "3", "pink": "4", "purple": "5", "yellow": "6"}
    assert {key for key in at if key.startswith("override")} == {"override purple", "override yellow"}


def test_a_saucer_that_misses_types_has_empty_seats_for_them():
    table = next(walk(3, 3, 1))[0]
    table.where[:12] = [100, 101, 100, *[tables.QUEUE] * 9]
    at = {piece.key: piece for piece in render.picture(table).pieces}
    assert [shape.text for shape in wording(at["stationed red"].shapes)] == ["2/4", "e", "s"]
    assert [shape.text for shape in wording(at["stationed green"].shapes)] == ["1/4", "p", "d", "s"]


@pytest.mark.few(2)
@each_number
def test_each_crash_gain_and_collision_is_to_be_seen(players):
    for before, rows in walk(players, 40 + players, 200):
        table = before.copy()
        for beat in sorted({row[0] for row in rows}):
            here = [row for row in rows if row[0] == beat]
            keys = {start.key for start, end in render.effects(table, here, rows) if start.key == end.key}
            assert {f"puff {row[4]}" for row in here if row[3] == rules.CELL and row[6] == NOWHERE} <= keys
            assert {f"bump {row[5]}" for row in here if row[1] == rules.M3 and row[3] == -1} <= keys
            assert {f"energy of {row[4]}" for row in here if row[3] == rules.ENERGY} <= keys
            assert {f"boosters of {row[4]}" for row in here if row[3] == rules.BOOSTERS} <= keys
            assert not keys & {piece.key for piece in render.picture(table).pieces}
            replay(table, here)


def moves_on_board(row):
    """Return whether a saucer moves along a way; at a mine or under a cloak it vanishes on its space."""
    return row[6] != NOWHERE or row[1] == rules.B5


@each_number
def test_ways_lead_from_the_first_to_the_last_space(players):
    for before, rows in walk(players, 60 + players, 200):
        moves = {}
        for row in rows:
            if row[3] == rules.CELL and row[5] != NOWHERE:
                moves.setdefault(row[4], []).append(row)
        shapes = render.paths(before, rows)
        ways = [shape for shape in shapes if isinstance(shape, Line) and shape.arrow]
        saucers = {saucer for saucer, steps in moves.items() if any(moves_on_board(row) for row in steps)}
        assert {way.stroke for way in ways} == {layout.PAINTS[saucer] for saucer in saucers}
        for saucer, steps in moves.items():
            if saucer not in saucers:
                continue
            parts = [way for way in ways if way.stroke == layout.PAINTS[saucer]]
            assert parts[0].points[0] == layout.centre(before, steps[0][5])
            if steps[-1][6] != NOWHERE:
                assert parts[-1].points[-1] == layout.centre(before, steps[-1][6])
        crashes = sum(row[6] == NOWHERE for steps in moves.values() for row in steps)
        bumps = sum(row[1] == rules.M3 and row[3] == -1 for row in rows)
        stars = sum(isinstance(shape, Polygon) and shape.fill == "flash" for shape in shapes)
        thrown = [row[4] for row in rows if row[1] == rules.P1 and row[3] == -1]
        assert stars == crashes + bumps
        assert [shape.text for shape in shapes if isinstance(shape, Text)] == [str(number) for number in thrown]


# Choices


all_choices = partial(table_play.all_choices, ui)


@pytest.mark.few(1)
@each_number
def test_the_choices_are_exactly_the_legal_actions(players):
    for table, _ in walk(players, 80 + players, 250):
        for seat in deciders(table):
            if seat == CHANCE:
                continue
            offered = [choice.action for choice in all_choices(table, seat) if choice.action]
            expected = [notation.said(table, code) for code in legal(table, seat)]
            assert sorted(offered) == sorted(expected) and len(set(offered)) == len(offered)
            is_about_one = table.phase[0] not in (tables.PILOT_CHOICE, tables.BOOSTER_CHOICE, tables.FIRST)
            keys = {piece.key for piece in render.picture(table).pieces}
            assert ui.subject(table, seat) in keys if is_about_one else ui.subject(table, seat) == ""


@pytest.mark.few(1)
@each_number
def test_choices_are_clicked_at_different_places_within_the_picture(players):
    for table, _ in walk(players, 100 + players, 250):
        for seat in deciders(table):
            if seat == CHANCE:
                continue
            firsts = ui.choices(table, seat, ())
            for group in (firsts, *(ui.choices(table, seat, (c.word,)) for c in firsts if not c.action)):
                spots = [(choice.x, choice.y) for choice in group]
                assert all(8 <= x <= layout.WIDTH - 8 and 8 <= y <= layout.HEIGHT - 8 for x, y in spots)
                assert all(dist(a, b) > 10 for n, a in enumerate(spots) for b in spots[:n]), (table.phase, group)
                assert all(choice.shapes and choice.text for choice in group)
                for shape in [shape for choice in group for shape in choice.shapes]:
                    assert all(-2 <= x <= layout.WIDTH and -2 <= y <= layout.HEIGHT for x, y in points(shape)), shape
                names = set().union(*(colours(shape) for choice in group for shape in choice.shapes))
                assert names <= set(LIGHT)


def test_what_cannot_be_chosen_is_refused():
    table = next(walk(4, 1, 1))[0]
    with pytest.raises(crashlab.CrashlabError, match="choose one of 2, 3, 0-5"):
        ui.choices(table, 0, ("4",))
    with pytest.raises(crashlab.CrashlabError, match=r"'2 2\^' cannot be chosen now"):
        ui.choices(table, 0, ("2", "2^"))
    rules.apply(table, 0, 0, None)
    with pytest.raises(crashlab.CrashlabError, match="A has nothing to decide"):
        ui.choices(table, 0, ())
    assert ui.subject(table, 0) == "" and ui.subject(table, 1) == "saucer green"


@each_number
def test_the_ways_that_are_shown_are_those_that_are_gone(players):
    """In every direction at every accelerator and free start, without upgrades, a path ends where the rules end it."""
    counts = {"stands": 0, "gone": 0, "pushed": 0, "accelerated": 0}
    for before, _ in walk(players, 120 + players, 400):
        if before.phase[0] not in (tables.TURN_OFF, tables.DIRECTION):
            continue
        before.holder[:] = [tables.DECK] * tables.CARDS
        saucer = ui.saucer_asked(before, before.asked[0])
        for direction in range(4):
            after = before.copy()
            rules.apply(after, before.asked[0], direction, None)
            ways = ui.ways_of(before, before.asked[0], direction)
            assert ways[0].saucer == saucer
            if after.phase[0] == tables.OVER or after.turn[0] != before.turn[0]:
                continue  # other saucers have moved as well
            assert {way.saucer for way in ways} >= {
                other for other in range(6) if after.cell[other] != before.cell[other]
            }
            for number, way in enumerate(ways):
                assert after.cell[way.saucer] == way.cell
                is_on_pad = way.cell != NOWHERE and before.ground[way.cell] == tables.ACCELERATOR
                assert way.goes_on == (number == 0 and is_on_pad)
                counts["accelerated" if way.goes_on else "gone" if way.cell == NOWHERE else "stands"] += 1
                counts["pushed"] += number > 0
    assert min(counts.values()) > 0, counts


def games(players, seed, decisions):
    """Yield the turns of a random game."""
    state, rng = Game("crash_and_grab", "crashlab.games.crash_and_grab", {"players": players}).start(seed), Random(seed)
    for _ in range(decisions):
        turn = state.sample(rng)
        yield turn
        state = turn.after
        if state.over:
            return


@each_number
def test_the_right_answers_are_true(players):
    kinds = set()
    for turn in games(players, 140 + players, 250):
        questions = ui.questions(turn)
        saucers = turn.after.saucers
        for question in questions:
            right = question.answers[question.right]
            assert 3 <= len(question.answers) == len(set(question.answers))
            assert 0 <= question.reason < len(turn.rows)
            assert len(question.places) in (0, len(question.answers))
            kinds.add(question.text.split()[1])
            if question.text.startswith("Where"):
                moved = list(dict.fromkeys(row[4] for row in turn.rows if row[3] == rules.CELL and row[5] != NOWHERE))
                name = question.text.split()[2]
                order = ["first", "second"].index(question.text.split()[3]) + 1 if name == "the" else 0
                assert order or name == list(saucers)[moved[0]]
                place = list(saucers.values())[moved[order]].space
                assert right == ("off the board" if place is None else f"{place[0]},{place[1]}")
            elif question.text.startswith("Who is off"):
                off_the_board = [name for name, saucer in saucers.items() if saucer.space is None]
                assert right == (" and ".join(off_the_board) or "nobody")
            else:
                winner, prize = right.split(": ")
                row = turn.rows[question.reason]
                old, new = turn.at(row[0] - 1).saucers[winner], turn.at(row[0]).saucers[winner]
                gained = [name for name in new.crew if name not in old.crew]
                assert prize in gained if gained else (prize == "1 energy" and new.energy > old.energy)
    assert kinds == {"does", "is"}


@pytest.mark.few(1)
@each_number
def test_every_edit_can_be_read_or_is_refused(players):
    turn = list(games(players, 160 + players, 40))[-1]
    state = turn.after
    pieces = [piece.key for piece in state.picture().pieces if piece.key.startswith(("saucer ", "crew "))]
    assert sorted(edit.key for edit in ui.edits(state.table)) == sorted(pieces)
    for edit in ui.edits(state.table):
        assert edit.key in {piece.key for piece in state.picture().pieces}
        for field in edit.fields:
            assert field.value in field.values and len(field.places) <= len(field.values)
            assert edited(state, edit.key, field.name, field.value).table == state.table
            for value in field.values[:: max(1, len(field.values) // 6)]:
                with suppress(crashlab.CrashlabError):
                    changed = edited(state, edit.key, field.name, value)
                    edit_then = {e.key: e for e in ui.edits(changed.table)}[edit.key]
                    assert {f.name: f.value for f in edit_then.fields}[field.name] == value


def test_plans_are_shown_as_ways_and_secrets_are_not():
    table = next(walk(4, 2, 1))[0]
    table.plan[3] = -2
    plans = ui.plans(table, {0: 4 * tables.TWO + tables.RIGHT})
    assert [choice.word for choice in plans] == ["2>", "?"]
    assert plans[0].shapes and not plans[1].shapes and "Asteroids" in plans[0].text


def end_of(shapes):
    """Return the end of an arrow among shapes."""
    (way,) = [shape for shape in shapes if isinstance(shape, Line) and shape.arrow]
    return way.points[-1]


def position(data, players=3):
    """Return the table of a position."""
    game = Game("crash_and_grab", "crashlab.games.crash_and_grab", {"players": players})
    return game.read({"tiles": ["1A0", "2A0", "3A0", "4A0"], **data}).table


def test_a_plan_is_drawn_as_it_is_meant_whatever_is_in_the_way():
    table = position({"saucers": {"red": "10", "green": "11", "blue": "74"}})
    (red,) = ui.plans(table, {0: 4 * tables.THREE + tables.RIGHT})
    assert end_of(red.shapes) == layout.centre(table, 13)  # though green is on 11
    (plan,) = ui.plans(table, {0: 4 * tables.THREE + tables.LEFT})
    assert end_of(plan.shapes) == layout.outside(table, 10, tables.LEFT)


def test_in_a_turn_the_action_is_shown_and_the_plans_of_others_only_faintly():
    data = {"phase": "direction", "turn": "red", "asked": "A", "distance": 2, "placed": True}
    table = position({**data, "saucers": {"red": "10 2>", "green": "74 3^", "blue": "41 2v"}})
    deed, green, _ = ui.plans(table, {0: tables.DOWN})
    assert deed.text == "red: v: towards Meteor" and end_of(deed.shapes) == layout.centre(table, 30)
    assert green.word == "3^" and all(shape.alpha < 0.5 for shape in green.shapes)
    rolled = position({"phase": "rotation", "saucers": {"red": "10 2>", "green": "74 3^", "blue": "41 2v"}})
    assert ui.plans(rolled, {CHANCE: 1})[0].text == "chance: counter-clockwise"


def test_at_an_accelerator_the_four_ways_on_are_shown():
    """CG-M4: on 1A the space 0,3 is an accelerator; after a 2 the saucer moves 2 more from there."""
    table = position({"saucers": {"red": "01", "green": "74", "blue": "41"}})
    red = {choice.word: choice for choice in ui.choices(table, 0, ("2",))}["2>"]
    assert (red.x, red.y) == layout.centre(table, 3)
    arrows = {shape.points[-1] for shape in red.shapes if isinstance(shape, Line) and shape.alpha == 0.5}
    expected = {layout.outside(table, 3, tables.UP), *(layout.centre(table, cell) for cell in (5, 23, 1))}
    assert arrows == expected and "?" in [shape.text for shape in wording(red.shapes)]
    left = {choice.word: choice for choice in ui.choices(table, 0, ("2",))}["2<"]
    assert "?" not in [shape.text for shape in wording(left.shapes)]


def test_a_distance_leads_off_an_accelerator_as_far_as_it_is():
    """CG-M4: a distance of 2 with a card 0-5 also moves the saucer 2 more from the accelerator 0,3."""
    saucers = {"red": "01 0-5>", "green": "74 3^", "blue": "41 2v"}
    table = position({"phase": "distance", "turn": "red", "saucers": saucers})
    two = {choice.word: choice for choice in ui.choices(table, 0, ())}["2"]
    arrows = {shape.points[-1] for shape in two.shapes if isinstance(shape, Line) and shape.alpha == 0.5}
    assert arrows == {layout.outside(table, 3, tables.UP), *(layout.centre(table, cell) for cell in (5, 23, 1))}


def test_a_card_shows_where_it_leads_before_it_is_chosen():
    """Red on 1,0, green on 1,3: 2 stops short of green, 3 hits it, and upwards both cards fly off."""
    table = position({"saucers": {"red": "10", "green": "13", "blue": "41"}})
    two, three, _ = ui.choices(table, 0, ())
    named = [(word.x, word.y) for word in wording(two.shapes) if word.text == "2"]
    assert layout.centre(table, 12) in named and (two.x, two.y) in named
    stars = [shape for shape in three.shapes if isinstance(shape, Polygon) and shape.fill == "flash"]
    assert [word.text for word in wording(three.shapes)].count("3") == 1  # on the ticket, as it stops nowhere
    left, right = layout.centre(table, 12)[0], layout.centre(table, 13)[0]
    hit = [star for star in stars if all(left < x < right for x, _ in star.points)]
    assert len(hit) == 1 and len(stars) == 3


@pytest.mark.few(2)
@each_number
def test_tickets_hide_no_saucer_where_there_is_room(players):
    hidden = count = 0
    for table, _ in walk(players, 180 + players, 250):
        for seat in [seat for seat in deciders(table) if seat != CHANCE and table.phase[0] != tables.KEEP]:
            for choice in ui.choices(table, seat, ()):
                papers = [s for s in choice.shapes if isinstance(s, Polygon) and s.fill == "ticket"]
                for saucer in [cell for cell in table.cell if cell != NOWHERE] if papers else ():
                    (left, top), (right, bottom) = (
                        tuple(pick(axis) for axis in zip(*papers[0].points, strict=True)) for pick in (min, max)
                    )
                    x, y = layout.centre(table, saucer)
                    count += 1
                    hidden += left < x < right and top < y < bottom
    assert count > 300 and hidden == 0


def test_the_words_tell_the_whole_picture():
    state = Game("crash_and_grab", "crashlab.games.crash_and_grab", {"players": 3}).read(
        {
            "round": 2,
            "probe": "B",
            "saucers": {"red": "00 3>", "green": "12 e2 b1"},
            "crew": {"green pilot": "green"},
            "upgrades": {"Proximity Mines": "green"},
        }
    )
    words = render.caption(state.table)
    assert words.startswith("Round 2 of 60. All plan in secret. B (green) has the probe.")
    assert "Red saucer of A on 0,0, energy 1, boosters 0, no crew, card 3 to Asteroids." in words
    assert "Green saucer of B on 1,2, energy 2, boosters 1, green pilot, Proximity Mines." in words
    assert "Blue saucer of C off the board" in words and "Crew on the board: none." in words


def test_every_edit_of_a_simple_position_does_what_it_says():
    game = Game("crash_and_grab", "crashlab.games.crash_and_grab", {"players": 3})
    state = game.read({"saucers": {"red": "00", "green": "12", "blue": "off"}})
    assert edited(state, "saucer red", "space", "34").saucers["red"].space == (3, 4)
    assert edited(state, "saucer red", "space", "off the board").saucers["red"].space is None
    assert edited(state, "saucer blue", "energy", "7").saucers["blue"].energy == 7
    assert edited(state, "saucer blue", "boosters", "2").saucers["blue"].boosters == 2
    aboard = edited(state, "crew red pilot", "place", "green")
    assert aboard.saucers["green"].crew == ("red pilot",)
    assert edited(aboard, "crew red pilot", "place", "waiting").crew["red pilot"] == "queue"
    with pytest.raises(crashlab.CrashlabError, match="'space' of 'saucer red' cannot be changed to '99'"):
        edited(state, "saucer red", "space", "99")


def ringed(table):
    """Return the keys of the saucers with a ring."""
    pieces = [piece for piece in render.picture(table).pieces if piece.key.startswith("saucer ")]
    return [piece.key for piece in pieces if any("flash edge" in colours(shape) for shape in piece.shapes)]


@each_number
def test_the_ring_is_round_the_saucer_that_moves_or_that_is_asked_about(players):
    """The frame of a row marks the seat in turn even while another one moves."""
    pushed = 0
    for table, rows in walk(players, players, 300):
        subjects = [ui.subject(table, seat) for seat in deciders(table) if seat != CHANCE]
        assert not any(subjects) or set(ringed(table)) <= set(subjects)
        moment = table.copy()
        for beat in range(1, max((row[0] for row in rows), default=0) + 1):
            replay(moment, [row for row in rows if row[0] == beat])
            name, verb, *_ = panel.asked_words(moment).split()
            if verb == "moves":
                assert ringed(moment) == [f"saucer {name.lower()}"]
                pushed += moment.mover[0] != moment.turn[0]
    assert pushed


@pytest.mark.parametrize("players", range(2, 7))
def test_a_saucer_carries_the_letter_of_its_seat_on_the_board_and_in_the_panel(players):
    """A reader of "C wins" finds a C on the saucer; a player's second saucer has a line below the letter."""
    table = crashlab.game("crash_and_grab", players=players).start(1).table
    picture = render.picture(table)
    badges = [shape.text for shape in picture.board if isinstance(shape, Text) and shape.size == 19 and shape.bold]
    for saucer in range(table.saucers[0]):
        letter = "ABCDEF"[tables.owner(table, saucer)]
        piece = next(piece for piece in picture.pieces if piece.key == f"saucer {tables.COLOUR_NAMES[saucer]}")
        assert [shape.text for shape in piece.shapes if isinstance(shape, Text)] == [letter]
        assert badges[saucer] == letter and f" saucer of {letter} " in piece.label
        assert any(isinstance(shape, Line) for shape in piece.shapes) == (players == 2 and saucer in (1, 3))
