"""Crash & Grab as pictures, and what is asked at its board."""

from __future__ import annotations

import pytest

from crashlab.chance import Random
from crashlab.games.crash_and_grab import look, rules
from crashlab.games.crash_and_grab import table as tables
from crashlab.happen import CHANCE, NOWHERE, Trace, replay
from crashlab.options import settle
from crashlab.shapes import Circle, Line, Polygon, Text, placed
from crashlab.stage.themes import DARK, LIGHT

each_number = pytest.mark.parametrize("players", range(2, 7))


def deciders(table):
    """The seats that decide now."""
    bits = rules.actors(table)
    return [CHANCE] if bits == CHANCE else [seat for seat in range(6) if bits >> seat & 1]


def legal(table, seat):
    """The codes of what a seat can do."""
    out = [0] * rules.MOST_ACTIONS
    return out[: rules.legal(table, seat, out)]


def walk(players, seed, decisions):
    """A random game: the table before each decision, then the rows of the decision."""
    table, rng = tables.set_up(settle(tables.OPTIONS, {"players": players}), Random(seed)), Random(seed)
    for _ in range(decisions):
        before, trace = table.copy(), Trace()
        for seat in deciders(table):
            rules.apply(table, seat, rng.choice(legal(table, seat)), trace)
        yield before, trace.rows
        if not rules.actors(table):
            return


def points(shape):
    """Where a shape reaches."""
    if isinstance(shape, Circle):
        return [(shape.x - shape.radius, shape.y - shape.radius), (shape.x + shape.radius, shape.y + shape.radius)]
    return [(shape.x, shape.y)] if isinstance(shape, Text) else shape.points


def colours(shape):
    """The names of colours in a shape."""
    return {name for name in (getattr(shape, "fill", ""), getattr(shape, "stroke", "")) if name}


@each_number
def test_every_decision_has_a_picture_with_everything_in_it_once(players):
    for table, _ in walk(players, players, 250):
        picture = look.picture(table)
        keys = [piece.key for piece in picture.pieces]
        assert len(keys) == len(set(keys)) and all(piece.label for piece in picture.pieces)
        assert sum(key.startswith("saucer ") for key in keys) == table.saucers[0]
        assert sum(key.startswith("crew ") for key in keys) == 4 * tables.COLOURS[players]
        assert sum(key.startswith("site ") for key in keys) == 12
        for shape in [shape for piece in picture.pieces for shape in placed(piece)]:
            assert all(0 <= x <= picture.width and 0 <= y <= picture.height for x, y in points(shape)), shape
        names = set().union(*(colours(shape) for piece in picture.pieces for shape in piece.shapes))
        assert names | set().union(*map(colours, picture.board)) <= set(LIGHT) & set(DARK)
        assert len(picture.words) > 200 and "None" not in picture.words


@each_number
def test_pieces_are_where_the_table_says(players):
    for table, _ in walk(players, 20 + players, 200):
        at = {piece.key: piece for piece in look.picture(table).pieces}
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
    at = {piece.key: piece for piece in look.picture(table).pieces}
    shown = {key: [s.text for s in at[key].shapes if isinstance(s, Text)] for key in ("card green", "card blue")}
    assert shown == {"card green": ["?"], "card blue": ["0-5"]} and "card red" not in at
    words = look.caption(table)
    assert "a hidden card" in words and "card 0-5 to Stars" in words


@each_number
def test_each_crash_gain_and_collision_is_to_be_seen(players):
    for before, rows in walk(players, 40 + players, 200):
        table = before.copy()
        for beat in sorted({row[0] for row in rows}):
            here = [row for row in rows if row[0] == beat]
            keys = {start.key for start, end in look.effects(table, here, rows) if start.key == end.key}
            assert {f"puff {row[4]}" for row in here if row[3] == rules.CELL and row[6] == NOWHERE} <= keys
            assert {f"bump {row[5]}" for row in here if row[1] == rules.M3 and row[3] == -1} <= keys
            assert {f"energy of {row[4]}" for row in here if row[3] == rules.ENERGY} <= keys
            assert {f"boosters of {row[4]}" for row in here if row[3] == rules.BOOSTERS} <= keys
            assert not keys & {piece.key for piece in look.picture(table).pieces}
            replay(table, here)


def moves_on_board(row):
    """Whether a saucer goes a way; by a mine or a cloak it vanishes where it is."""
    return row[6] != NOWHERE or row[1] == rules.B5


@each_number
def test_ways_lead_from_the_first_to_the_last_space(players):
    for before, rows in walk(players, 60 + players, 200):
        moves = {}
        for row in rows:
            if row[3] == rules.CELL and row[5] != NOWHERE:
                moves.setdefault(row[4], []).append(row)
        shapes = look.paths(before, rows)
        ways = [shape for shape in shapes if isinstance(shape, Line) and shape.arrow]
        gone = {saucer for saucer, steps in moves.items() if any(moves_on_board(row) for row in steps)}
        assert {way.stroke for way in ways} == {look.PAINTS[saucer] for saucer in gone}
        for saucer, steps in moves.items():
            if saucer not in gone:
                continue
            own = [way for way in ways if way.stroke == look.PAINTS[saucer]]
            assert own[0].points[0] == look.centre(before, steps[0][5])
            if steps[-1][6] != NOWHERE:
                assert own[-1].points[-1] == look.centre(before, steps[-1][6])
        crashes = sum(row[6] == NOWHERE for steps in moves.values() for row in steps)
        bumps = sum(row[1] == rules.M3 and row[3] == -1 for row in rows)
        assert sum(isinstance(shape, Polygon) for shape in shapes) == crashes + bumps
