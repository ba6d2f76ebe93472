"""The floor of Crash by Crash (CB-F1 to CB-F4, CB-M4), counted from the text of the rules in axial coordinates."""

from collections import Counter
from itertools import combinations

import pytest
from table_play import set_up

from crashlab.engine.options import settle
from crashlab.games.boards import hexes
from crashlab.games.crash_by_crash import positions
from crashlab.games.crash_by_crash import state as tables

AXIAL = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))  # E NE NW W SW SE
X_CELLS = ((0, 0), (1, 0), (0, -1), (1, -1), (2, -1), (-1, 1), (0, 1), (1, 1))
FLOWER_CELLS = ((0, 0), *AXIAL)
COLUMNS = {0: (0, 3, 5, 8, 10), 1: (1, 3, 6, 8, 11)}


def floor():
    """CB-F2: return every axial cell with its tile; a cell in two tiles would reduce their number."""
    cells = {}
    for i in range(5):
        for j in range(5):
            r = 3 * i + 1
            q = COLUMNS[i % 2][j] - r // 2
            for right, down in FLOWER_CELLS if (i + j) % 2 else X_CELLS:
                assert cells.setdefault((q + right, r + down), 5 * i + j) == 5 * i + j, "two tiles overlap"
    return cells


def neighbours(cell, cells):
    return [(cell[0] + q, cell[1] + r) for q, r in AXIAL if (cell[0] + q, cell[1] + r) in cells]


def test_the_floor_is_the_one_of_the_rules():
    cells = floor()
    number = {cell: tables.BOARD.cell[hexes.from_axial(*cell)] for cell in cells}
    assert sorted(number.values()) == list(range(tables.CELLS)) == list(range(188))
    for cell, tile in cells.items():
        assert tables.TILE[number[cell]] == tile and number[cell] in tables.cells_of(tile)
        for way, (q, r) in enumerate(AXIAL):
            ahead = (cell[0] + q, cell[1] + r)
            assert tables.AHEAD[6 * number[cell] + way] == number.get(ahead, tables.OUTSIDE)
    assert all(tables.AHEAD[6 * tables.OUTSIDE + way] == tables.OUTSIDE for way in range(6))
    assert sorted((r, q + r // 2) for q, r in cells) == [(r, k) for r in range(15) for k in range(13 - r % 2)]


def test_its_rim_and_its_neighbours_are_counted_right():
    cells = floor()
    counts = Counter(len(neighbours(cell, cells)) for cell in cells)
    assert counts == {6: 136, 5: 14, 4: 22, 3: 12, 2: 4} and 188 - counts[6] == 52
    assert sum(len(neighbours(cell, cells)) for cell in cells) == 2 * 509
    ours = Counter(len(tables.BOARD.neighbours(cell)) for cell in range(tables.CELLS))
    assert ours == counts


def test_two_flowers_never_touch():
    cells = floor()
    for cell, tile in cells.items():
        for other in neighbours(cell, cells):
            assert tile == cells[other] or not (tile % 2 and cells[other] % 2)


def connected(cells):
    waiting, visited = [next(iter(cells))], set()
    while waiting:
        here = waiting.pop()
        if here not in visited:
            visited.add(here)
            waiting += neighbours(here, cells)
    return len(visited) == len(cells)


def test_whatever_flowers_are_gone_the_rest_hangs_together():
    cells, flowers = floor(), range(1, 25, 2)
    for count in (0, 1, 2, 6, 11, 12):
        for gone in combinations(flowers, count):
            assert connected({cell for cell, tile in cells.items() if tile not in gone}), gone


def test_between_a_magnet_and_its_range_there_is_never_a_hole():
    """CB-M4: a straight line has two or three cells in a flower, so it never has one alone between two others."""
    for cell in range(tables.CELLS):
        for way in range(6):
            between = tables.AHEAD[6 * cell + way]
            far = tables.AHEAD[6 * between + way]
            if far == tables.OUTSIDE:
                continue
            assert between != tables.OUTSIDE
            tile = tables.TILE[between]
            assert tile % 2 == 0 or tile in (tables.TILE[cell], tables.TILE[far])


def test_every_tile_has_its_values_in_an_arrangement_of_its_own():
    assert len(tables.X_VALUES) == 13 and len(tables.FLOWER_VALUES) == 12 and len(tables.STARS) == 10
    assert {"".join(sorted(values)) for values in tables.X_VALUES} == {"00112233"}
    assert {"".join(sorted(values)) for values in tables.FLOWER_VALUES} == {"0011223"}
    turned = [{values, values[::-1]} for values in tables.X_VALUES]
    turned += [{values[0] + values[1 + n :] + values[1 : 1 + n] for n in range(6)} for values in tables.FLOWER_VALUES]
    assert all(not one & other for one, other in combinations(turned, 2))


def rotated(cell, centre):
    """Return a cell after a sixth of a turn counter-clockwise around another one."""
    q, r = cell[0] - centre[0], cell[1] - centre[1]
    return centre[0] + q + r, centre[1] - q


@pytest.mark.parametrize("place", range(1, 25, 2))
def test_a_flower_turns_with_its_star(place):
    table = tables.empty(settle(tables.OPTIONS, {}))
    cells = [hexes.axial(*tables.BOARD.hexes[cell]) for cell in tables.cells_of(place)]
    for tile in range(12):
        tables.lay_tile(table, place, tile, 0)
        values = dict(zip(cells, map(int, tables.FLOWER_VALUES[tile]), strict=True))
        stars = {hexes.axial(*tables.BOARD.hexes[tables.star(table, place)])} if tile < 10 else set()
        for turned in range(6):
            tables.lay_tile(table, place, tile, turned)
            assert {cell: table.value[tables.BOARD.cell[hexes.from_axial(*cell)]] for cell in cells} == values
            star = tables.star(table, place)
            assert ({hexes.axial(*tables.BOARD.hexes[star])} if tile < 10 else set()) == stars
            values = {rotated(cell, cells[0]): value for cell, value in values.items()}
            stars = {rotated(cell, cells[0]) for cell in stars}


@pytest.mark.parametrize("place", range(0, 25, 2))
def test_an_x_tile_turns_by_a_half(place):
    table = tables.empty(settle(tables.OPTIONS, {}))
    cells = [tables.BOARD.hexes[cell] for cell in tables.cells_of(place)]
    tables.lay_tile(table, place, 3, 0)
    before = {hex_: table.value[tables.BOARD.cell[hex_]] for hex_ in cells}
    tables.lay_tile(table, place, 3, 3)
    rows, columns = cells[3][0] + cells[4][0], cells[3][1] + cells[4][1]
    assert all(table.value[tables.BOARD.cell[rows - row, columns - x]] == before[row, x] for row, x in cells)


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("edition", ["czech", "english"])
def test_the_game_is_set_up_as_the_rules_say(players, edition):
    """CB-S1, CB-F4: 10 bells and the operator on twelve flowers, 3 cards in each hand and 3 face up for two."""
    operators = set()
    for seed in range(40):
        table = set_up(tables, seed, players=players, edition=edition)
        assert positions.problems(table) == []
        bells = table.cell[tables.BELL :]
        operator = table.cell[tables.OPERATOR]
        assert len({tables.TILE[cell] for cell in [*bells, operator]}) == 11
        assert all(tables.TILE[cell] % 2 for cell in [*bells, operator])
        assert operator == tables.cells_of(tables.TILE[operator])[0]
        operators.add(operator)
        assert table.score == [10, 10] and table.batteries == [4, 4] and set(table.cell[: tables.CARS]) == {-1}
        assert table.hand_size == ([3, 3, 0, 0] if players == 2 else [3] * 4) and sum(table.hand) == 3 * players
        face_up = [card for card in table.display if card != -1]
        assert len(face_up) == (3 if players == 2 else 0)
        pile = [tables.in_pile(table, card) for card in range(tables.KINDS)]
        assert sum(pile) + 3 * players + len(face_up) == (39 if edition == "czech" else 36)
    assert len(operators) > 6
