"""Each rule of Crash by Crash is tested from the rules text alone; the mark names the rule that a test proves."""

from collections import Counter

import pytest
from crash_by_crash_positions import *

from crashlab.engine.chance import Random
from crashlab.engine.options import settle
from crashlab.engine.table import CHANCE, NOWHERE
from crashlab.games.crash_by_crash import rules
from crashlab.games.crash_by_crash import state as tables
from crashlab.games.crash_by_crash.state import *

ONE_BELL = ("CB-E2", "CB-E3")  # an action that rings two bells is forbidden by both
WAYS = (E, NE, NW, W, SW, SE)
EDITIONS = ("czech", "english")
FLOWERS = range(1, 25, 2)
ALL_CELLS = [place(number) for number in range(CELLS)]
STROLL = walk(W, W)  # the operator, in his corner, meets no car
IDLE = card(DEAD_ACCUMULATOR)  # seat 0 holds it by default; it changes nothing on the floor


def start(seed=0, **options):
    return Play(tables.set_up(settle(tables.OPTIONS, options), Random(seed)))


def flower_of(spot):
    """Return the cells of a flower, by one of them."""
    return {place(number) for number in tables.cells_of(TILE[cell(spot)])}


# The floor: axial coordinates as the rules have them

STEPS = {E: (1, 0), SE: (0, 1), SW: (-1, 1), W: (-1, 0), NW: (0, -1), NE: (1, -1)}
FLOWER = {(0, 0), *STEPS.values()}
X = {(0, 0), (1, 0), (0, -1), (1, -1), (2, -1), (-1, 1), (0, 1), (1, 1)}
COLUMNS = {0: (0, 3, 5, 8, 10), 1: (1, 3, 6, 8, 11)}


def axial_tiles():
    """Return the axial cells of each tile."""
    tiles = []
    for i in range(5):
        for j in range(5):
            r, shape = 3 * i + 1, FLOWER if (i + j) % 2 else X
            q = COLUMNS[i % 2][j] - r // 2
            tiles.append({(q + right, r + down) for right, down in shape})
    return tiles


def from_axial(q, r):
    return r, q + r // 2


def neighbours(spot):
    return {ahead(spot, way) for way in WAYS} - {None}


def is_connected(spots):
    reached, waiting = set(), [min(spots)]
    while waiting:
        here = waiting.pop()
        if here not in reached:
            reached.add(here)
            waiting += neighbours(here) & spots
    return reached == spots


@pytest.mark.rule("CB-F1")
def test_directions_are_axial():
    for q, r in set().union(*axial_tiles()):
        for way, (right, down) in STEPS.items():
            there = (q + right, r + down)
            on = any(there in tile for tile in axial_tiles())
            assert ahead(from_axial(q, r), way) == (from_axial(*there) if on else None)


@pytest.mark.rule("CB-F1")
@pytest.mark.rule("CB-F2")
def test_the_tiles_cover_the_floor_without_gap_and_overlap():
    tiles = axial_tiles()
    assert sum(map(len, tiles)) == len(set().union(*tiles)) == CELLS == 188
    for number, tile in enumerate(tiles):
        mine = {from_axial(*spot) for spot in tile}
        assert mine == {place(n) for n in range(CELLS) if TILE[n] == number}
        assert mine == {place(n) for n in tables.cells_of(number)}
    rows = Counter(row for row, _ in ALL_CELLS)
    assert [rows[row] for row in range(15)] == [13, 12] * 7 + [13]


@pytest.mark.rule("CB-F2")
def test_facts_of_the_floor():
    near = Counter(len(neighbours(spot)) for spot in ALL_CELLS)
    assert near == {6: 136, 5: 14, 4: 22, 3: 12, 2: 4}
    assert sum(count * of for count, of in near.items()) == 2 * 509
    assert sum(near.values()) - near[6] == 52


@pytest.mark.rule("CB-F2")
def test_flowers_never_touch_and_holes_never_part_the_floor():
    flowers = [{place(n) for n in tables.cells_of(number)} for number in FLOWERS]
    for flower in flowers:
        beside = set().union(*map(neighbours, flower)) - flower
        assert all(TILE[cell(spot)] % 2 == 0 for spot in beside)
        assert beside and is_connected(flower)
    # So a standing flower is attached to an X tile, and the X tiles are connected without any flower
    assert is_connected(set(ALL_CELLS).difference(*flowers))


@pytest.mark.rule("CB-F3")
def test_each_tile_has_its_values_and_an_arrangement_of_its_own():
    worths = [sorted(map(int, row)) for row in tables.X_VALUES]
    assert worths == [[0, 0, 1, 1, 2, 2, 3, 3]] * 13 and len(set(tables.X_VALUES)) == 13
    worths = [sorted(map(int, row)) for row in tables.FLOWER_VALUES]
    assert worths == [[0, 0, 1, 1, 2, 2, 3]] * 12 and len(set(tables.FLOWER_VALUES)) == 12


@pytest.mark.rule("CB-F3")
def test_tiles_are_drawn_and_turned_at_random():
    counts = Counter()
    for seed in range(150):
        table = start(seed).table
        assert sorted(table.tile[0::2]) == list(range(13)) and sorted(table.tile[1::2]) == list(range(12))
        for number in range(25):
            counts["X" if number % 2 == 0 else "flower", table.turned[number]] += 1
            counts[number % 2, number, table.tile[number]] += 1
    assert {turned for kind, turned, *_ in counts if kind == "X"} == {0, 3}
    assert {turned for kind, turned, *_ in counts if kind == "flower"} == set(range(6))
    assert sum(1 for key in counts if key[0] == 0) == 13 * 13 and sum(1 for key in counts if key[0] == 1) == 12 * 12


def turned_about(spot, middle, sixths):
    """Rotate a cell by sixths counter-clockwise around a middle cell (doubled for an X tile)."""
    (q, r), (mq, mr) = spot, middle
    q, r = 2 * q - mq, 2 * r - mr
    for _ in range(sixths):
        q, r = q + r, -q
    return (q + mq) // 2, (r + mr) // 2


@pytest.mark.rule("CB-F3")
@pytest.mark.parametrize("number", [0, 6, 11, 7])
def test_a_turned_tile_is_the_same_tile_turned(number):
    tile = axial_tiles()[number]
    middle = [sum(spot[axis] for spot in tile) * 2 // len(tile) for axis in range(2)]
    table = tables.empty(settle(tables.OPTIONS, {}))
    tables.lay_tile(table, number, 5, 0)
    plain = {spot: table.value[cell(from_axial(*spot))] for spot in tile}
    for sixths in [0, 3] if number % 2 == 0 else range(6):
        tables.lay_tile(table, number, 5, sixths)
        for spot in tile:
            assert table.value[cell(from_axial(*turned_about(spot, middle, sixths)))] == plain[spot]


@pytest.mark.rule("CB-F4")
def test_ten_flowers_have_a_bell_and_the_operator_is_on_another_one():
    stars, middles = {}, set()
    for seed in range(60):
        table = start(seed).table
        bells = [number for number in table.cell[BELL:] if number != NOWHERE]
        assert len(bells) == BELLS == 10 and len({TILE[bell] for bell in bells}) == 10
        assert all(TILE[bell] % 2 for bell in bells)
        for bell in bells:
            spot = tables.cells_of(TILE[bell]).index(bell)
            fixed = (spot - 1 - table.turned[TILE[bell]]) % 6 if spot else "middle"
            stars.setdefault(table.tile[TILE[bell]], set()).add(fixed)
        home = table.cell[OPERATOR]
        assert home == tables.cells_of(TILE[home])[0] and TILE[home] % 2
        assert TILE[home] not in {TILE[bell] for bell in bells}
        middles.add(table.tile[TILE[home]])
    assert len(stars) == 10 and all(len(spots) == 1 for spots in stars.values())
    assert len(middles) == 2 and not middles & set(stars)


@pytest.mark.rule("CB-F5")
def test_a_hole_is_off_the_board_for_cars_and_one_cell_for_the_operator():
    """Flower 11 is gone: no car can be put there, and the operator crosses it with two steps."""
    play = board("7,0: o a", "7,6: b", gone=[11], hands={0: [EXPANSION, FREE_RIDE]})
    assert not set(play.placements()) & flower_of((7, 3)) and play.refuses(car((7, 2), W), "CB-F5")
    assert play.can_go((7, 1), (7, 3)) and not any(where in flower_of((7, 3)) for _, where in play.targets(FREE_RIDE))
    play = board("7,1: o", gone=[11])
    assert play.can_go((7, 3), (7, 5)) and play.can_go((7, 3), (5, 2))


# Set-up


@pytest.mark.rule("CB-S1")
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize(("edition", "kinds"), [("czech", 13), ("english", 12)])
def test_what_everybody_has_at_the_start(players, edition, kinds):
    for seed in range(5):
        play = start(seed, players=players, edition=edition)
        table = play.table
        assert [play.stock(side) for side in (0, 1)] == [(10, True)] * 2
        assert (
            table.score == [10, 10]
            and table.batteries == [4, 4]
            and table.hand_size == [3] * players + [0] * (4 - players)
        )
        hands = [play.hand(seat) for seat in range(players)]
        face_up = [kind for kind in table.display if kind != NOWHERE]
        assert [len(hand) for hand in hands] == [3] * players and len(face_up) == (3 if players == 2 else 0)
        cards = Counter(kind for hand in [*hands, face_up] for kind in hand)
        for kind in range(KINDS):
            cards[kind] += tables.in_pile(table, kind)
        assert [cards[kind] for kind in range(KINDS)] == [3] * kinds + [0] * (KINDS - kinds)


@pytest.mark.rule("CB-S2")
@pytest.mark.parametrize("seed", range(6))
def test_four_cars_each_in_turns_never_two_on_a_tile(seed):
    play, rng = start(seed), Random(seed)
    table, order, tiles = play.table, [], set()
    for _ in range(8):
        assert table.phase[0] == SET_UP
        order.append(table.asked[0])
        bells = set(table.cell[BELL:])
        free = {n for n in range(CELLS) if n not in bells and n != table.cell[OPERATOR] and TILE[n] not in tiles}
        assert {action - PLACE for action in play.actions()} == free
        choice = rng.choice(sorted(free))
        tiles.add(TILE[choice])
        play.do(PLACE + choice)
    first = table.first[0]
    assert order == [first, 1 - first] * 4 and [play.stock(side) for side in (0, 1)] == [(6, True)] * 2
    sums = [sum(table.value[n] for n in table.cell[11 * side : 11 * side + 11] if n != NOWHERE) for side in (0, 1)]
    assert play.asks(first if sums[0] == sums[1] else sums.index(min(sums))) and table.turn[0] == 1
    assert play.scores() == (10, 10) and "CB-S2" in play.cited()


@pytest.mark.rule("CB-S2")
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("better", [None, 0, 1])
@pytest.mark.parametrize("seed", range(4))
def test_who_begins(players, better, seed):
    """The cars of one side, or of neither, are on a cell with a value."""
    play = start(seed, players=players)
    table = play.table
    table.value[:] = [0] * CELLS
    order = []
    for number in range(8):
        order.append(table.asked[0])
        action = play.actions()[0]
        if number in (4, 5) and better is not None and table.asked[0] % 2 == 1 - better:
            table.value[action - PLACE] = 1
        play.do(action)
    first = table.first[0]
    assert order == [(first + number) % players for number in range(8)]
    assert play.asks(first if better is None else better)


@pytest.mark.rule("CB-S2")
@pytest.mark.parametrize("players", [2, 4])
def test_who_places_first_is_drawn(players):
    assert {start(seed, players=players).table.first[0] for seed in range(40)} == set(range(players))


# The turn


@pytest.mark.rule("CB-T1")
def test_a_turn_is_two_actions():
    play = board().do(walk(W, W))
    assert play.asks(0) and play.table.turn[0] == 8
    play.do(walk(W, W))
    assert play.asks(1) and play.table.turn[0] == 9
    play.do(walk(W, W), walk(W, W))
    assert play.asks(0) and play.table.turn[0] == 10


@pytest.mark.rule("CB-T1")
def test_there_are_four_kinds_of_action_and_any_may_be_repeated():
    play = board("7,3: . a b", hands={0: [LAMBADA, LAMBADA, SABOTEUR]})
    assert {action // SORT * SORT for action in play.actions()} == {CAR, MAGNET, WALK, EXCHANGE, PLAY}
    play.do(swap((7, 4), (7, 5)))
    play.do(swap((7, 4), (7, 5)))
    assert play.lies("7,4: a b") and play.asks(0, DRAWING)


@pytest.mark.rule("CB-T1")
def test_nobody_may_pass():
    play = board()
    assert not play.can(FORFEIT) and play.refuses(FORFEIT, "CB-T1")


@pytest.mark.rule("CB-T1")
@pytest.mark.parametrize("turn", [1, 5])
def test_who_can_do_nothing_forfeits_and_no_magnet_pulls(turn):
    """All cars of side 0 are on the floor, and after any walk of the operator the magnet would ring a bell."""
    drawing = ("7,2: A * b", "12,9: a a a a", "13,8: a a a", "14,9: a a a")
    play = board(*drawing, turn=turn, scores=(2, 10), full=False, hands={0: [], 1: []}, display=[])
    assert play.actions() == [FORFEIT] and play.refuses(STROLL, "CB-E2")
    play.do(FORFEIT)
    assert play.lies(*drawing) and play.asks(0) and "CB-T1" in play.cited()
    play.do(FORFEIT)
    assert play.lies(*drawing) and not play.asks(0, ACTION)


@pytest.mark.rule("CB-T2")
@pytest.mark.parametrize("second", [car((7, 2), E), magnet((7, 8))])
def test_the_second_car_of_a_turn_costs_4(second):
    play = board("7,3: . a b").do(car((7, 3), E))
    assert play.scores() == (10, 10)
    play.do(second)
    assert play.scores() == (6, 10) and play.asks(1)


@pytest.mark.rule("CB-T2")
def test_a_car_in_the_next_turn_costs_nothing():
    play = board("7,3: . a b").do(STROLL, car((7, 3), E), car((7, 7), W))
    assert play.scores() == (10, 10)
    play.do(car((6, 4), SW))
    assert play.scores() == (10, 6)


@pytest.mark.rule("CB-T3")
@pytest.mark.parametrize(("score", "left"), [(3, None), (4, None), (5, 1), (6, 2)])
def test_a_second_car_takes_5_points(score, left):
    play = board("7,3: . a b", scores=(score, 10)).do(car((7, 3), E))
    for second in (car((7, 2), E), magnet((7, 8))):
        assert play.refuses(second, "CB-T3") == (not left)
    if left:
        assert play.do(car((7, 2), E)).scores() == (left, 10)


@pytest.mark.rule("CB-T3")
def test_costs_are_paid_before_gains():
    """The second car would push off an opponent's car for 2 points, but it costs 4 of 4."""
    play = board("7,10: . b", scores=(4, 10), acted=1, placed=1)
    assert play.refuses(car((7, 10), E), "CB-T3")
    play = board("7,10: . b", scores=(5, 10), acted=1, placed=1).do(car((7, 10), E))
    assert play.scores() == (3, 10)


@pytest.mark.rule("CB-T3")
def test_a_scoring_does_not_pay_for_it_either():
    values = {(7, 0): 3, (7, 2): 3}
    play = board("7,0: . a *", scores=(4, 10), acted=1, placed=1, values=values)
    assert play.refuses(car((7, 0), E), "CB-T3")


@pytest.mark.rule("CB-T3")
@pytest.mark.parametrize(("score", "left"), [(1, None), (2, None), (3, 1)])
def test_four_steps_take_3_points(score, left):
    play = board("7,6: o", scores=(score, 10))
    assert play.refuses(walk(E, E, E, E), "CB-T3") == (not left) and play.can(walk(E, E))
    if left:
        assert play.do(walk(E, E, E, E)).scores() == (left, 10)


# Cards drawn

SHOWN = [BELL_CHARMS, FLYING_DUTCHMAN, DOUBLE_HIT]


def two_cards_played(**more):
    """Play two cards of three, so that two must be drawn."""
    hands = {0: [LAMBADA, LAMBADA, SABOTEUR], 1: [DEAD_ACCUMULATOR] * 3}
    play = board("7,4: a b", hands=hands, **{"display": SHOWN, **more})
    return play.do(swap((7, 4), (7, 5)), swap((7, 4), (7, 5)))


@pytest.mark.rule("CB-T4")
def test_up_to_three_cards_are_drawn_at_the_end_one_at_a_time():
    play = two_cards_played()
    assert play.asks(0, DRAWING) and set(play.actions()) == {TAKE + kind for kind in (*SHOWN, FROM_PILE)}
    play.do(TAKE + DOUBLE_HIT)
    assert play.hand(0) == [SABOTEUR, DOUBLE_HIT]
    assert play.asks(0, DRAWING) and set(play.actions()) == {TAKE + kind for kind in (*SHOWN[:2], FROM_PILE)}
    play.do(TAKE + FROM_PILE)
    assert play.seat() == CHANCE and play.table.phase[0] == PILE
    play.do(TURN_UP + TANDEM)
    assert play.hand(0) == [SABOTEUR, DOUBLE_HIT, TANDEM]
    assert play.seat() == CHANCE and play.table.phase[0] == REFILL and sorted(play.table.display)[0] == NOWHERE
    play.do(TURN_UP + EXPANSION)
    assert sorted(play.table.display) == sorted([BELL_CHARMS, FLYING_DUTCHMAN, EXPANSION]) and play.asks(1)
    assert "CB-T4" in play.cited()


@pytest.mark.rule("CB-T4")
def test_a_card_from_the_pile_is_as_likely_as_it_is_there():
    play = two_cards_played(discards=[TANDEM, TANDEM, TANDEM, EXPANSION]).do(TAKE + FROM_PILE)
    weights = [0] * rules.MOST_ACTIONS
    odds = dict(zip(play.actions(), weights[: rules.odds(play.table, weights)], strict=True))
    # Three of each kind; hands hold SABOTEUR and 3 DEAD ACCUMULATORs, SHOWN is face up, LAMBADA twice discarded
    left = dict.fromkeys(range(KINDS), 3) | dict.fromkeys(SHOWN, 2)
    left |= {SABOTEUR: 2, DEAD_ACCUMULATOR: 0, LAMBADA: 1, TANDEM: 0, EXPANSION: 2}
    assert odds == {TURN_UP + kind: weight for kind, weight in left.items() if weight}


@pytest.mark.rule("CB-T4")
def test_two_face_up_cards_of_a_kind_are_one_choice():
    play = two_cards_played(display=[TANDEM, TANDEM, DOUBLE_HIT])
    assert set(play.actions()) == {TAKE + TANDEM, TAKE + DOUBLE_HIT, TAKE + FROM_PILE}
    play.do(TAKE + TANDEM, TAKE + TANDEM)
    assert play.hand(0) == [SABOTEUR, TANDEM, TANDEM]
    assert play.table.phase[0] == REFILL


@pytest.mark.rule("CB-T4")
def test_an_empty_pile_is_made_of_the_discards():
    play = two_cards_played(discards="all")
    assert sum(tables.in_pile(play.table, kind) for kind in range(KINDS)) == 0
    discarded = list(play.table.discards)
    play.do(TAKE + FROM_PILE)
    assert {action - TURN_UP for action in play.actions()} == {kind for kind in range(KINDS) if discarded[kind]}
    play.do(TURN_UP + TANDEM)
    assert sum(play.table.discards) == 0 and play.hand(0) == [SABOTEUR, TANDEM]
    assert sum(tables.in_pile(play.table, kind) for kind in range(KINDS)) == sum(discarded) - 1


@pytest.mark.rule("CB-T4")
def test_an_empty_pile_is_made_anew_for_the_face_up_cards_too():
    play = two_cards_played(discards="all").do(TAKE + DOUBLE_HIT, TAKE + BELL_CHARMS)
    assert play.table.phase[0] == REFILL
    play.do(TURN_UP + TANDEM, TURN_UP + TANDEM)
    assert sorted(play.table.display) == sorted([FLYING_DUTCHMAN, TANDEM, TANDEM])
    assert sum(play.table.discards) == 0 and play.asks(1)


@pytest.mark.rule("CB-T4")
def test_who_has_three_cards_draws_none():
    assert board(display=SHOWN).do(STROLL, walk(W, W)).asks(1)


@pytest.mark.rule("CB-T4")
def test_the_end_of_the_game_cancels_all_draws():
    play = board("7,0: . b *", "7,6: a b", scorings=6, hands={0: [LAMBADA]})
    play.do(swap((7, 6), (7, 7)), car((7, 0), E))
    assert play.winners() is not None and play.table.phase[0] == OVER and len(play.hand(0)) == 2


@pytest.mark.rule("CB-T1")
@pytest.mark.rule("CB-T4")
def test_an_exchange_discards_two_and_draws_two_at_once():
    play = board(hands={0: [LAMBADA, LAMBADA, SABOTEUR]}, display=SHOWN)
    assert set(play.sort(EXCHANGE)) == {exchange(LAMBADA, LAMBADA), exchange(LAMBADA, SABOTEUR)}
    play.do(exchange(SABOTEUR, LAMBADA))
    assert play.hand(0) == [LAMBADA] and play.table.discards[LAMBADA] == play.table.discards[SABOTEUR] == 1
    assert play.asks(0, DRAWING)
    play.do(TAKE + DOUBLE_HIT, TAKE + BELL_CHARMS)
    assert play.hand(0) == [BELL_CHARMS, LAMBADA, DOUBLE_HIT]
    assert play.asks(0, ACTION) and sorted(play.table.display) == [NOWHERE, NOWHERE, FLYING_DUTCHMAN]
    play.do(exchange(LAMBADA, DOUBLE_HIT))
    assert set(play.actions()) == {TAKE + FLYING_DUTCHMAN, TAKE + FROM_PILE}
    play.do(TAKE + FLYING_DUTCHMAN)
    play.do(*[] if play.table.phase[0] == PILE else [TAKE + FROM_PILE]).do(TURN_UP + TANDEM)
    assert play.hand(0) == [BELL_CHARMS, FLYING_DUTCHMAN, TANDEM] and play.table.phase[0] == REFILL
    play.draws()
    assert NOWHERE not in play.table.display and play.asks(1)


@pytest.mark.rule("CB-T4")
@pytest.mark.parametrize("left", range(3))
def test_the_only_card_that_is_still_face_up_can_be_drawn(left):
    display = [NOWHERE] * 3
    display[left] = TANDEM
    play = board(hands={0: [LAMBADA, SABOTEUR]}, display=display).do(exchange(LAMBADA, SABOTEUR))
    assert play.asks(0, DRAWING) and set(play.actions()) == {TAKE + TANDEM, TAKE + FROM_PILE}


@pytest.mark.rule("CB-T1")
@pytest.mark.parametrize(("hand", "can"), [([LAMBADA], False), ([], False), ([LAMBADA, SABOTEUR], True)])
def test_an_exchange_takes_two_cards(hand, can):
    play = board(hands={0: hand}, full=False)
    assert bool(play.sort(EXCHANGE)) == can and play.can(exchange(LAMBADA, SABOTEUR)) == can


@pytest.mark.rule("CB-T1")
def test_the_magnet_check_comes_before_the_cards_of_an_exchange():
    play = board("7,2: A . b", hands={0: [LAMBADA, SABOTEUR]}).do(exchange(LAMBADA, SABOTEUR))
    assert play.asks(0, DRAWING) and play.lies("7,2: A b")


@pytest.mark.rule("CB-T4")
def test_an_exchange_that_ends_the_game_draws_nothing():
    play = board("7,2: A * b", scorings=6, hands={0: [LAMBADA, SABOTEUR]}).do(exchange(LAMBADA, SABOTEUR))
    assert play.winners() is not None and len(play.hand(0)) == 1


# Placing a standard car


@pytest.mark.rule("CB-P1")
def test_beside_a_line_of_three_only_the_third_moves():
    play = board("7,2: . a b a").do(car((7, 2), E))
    assert play.lies("7,2: a a b . a") and play.stock(0) == (7, True)


@pytest.mark.rule("CB-P1")
@pytest.mark.parametrize(("way", "then"), [(SE, ("7,5: a a b b", "9,6: b")), (E, ("7,5: a a b . b", "8,6: b"))])
def test_diagram_2_the_player_chooses_which_car_to_hit(way, then):
    """Car A lies southeast of the new car, car B begins a line of three to the east."""
    play = board("7,6: a b b", "8,6: b")
    assert play.placements()[7, 5] == {SE, E}
    assert play.do(car((7, 5), way)).lies(*then)


@pytest.mark.rule("CB-P1")
@pytest.mark.parametrize("way", WAYS)
def test_lines_run_in_all_six_directions(way):
    spots = [(7, 6), *(ahead((7, 6), way, steps) for steps in (1, 2, 3))]
    rows = [f"{row},{column}: {letter}" for (row, column), letter in zip(spots[1:3], "ab", strict=True)]
    play = board(*rows).do(car((7, 6), way))
    assert set(play.floor()) >= {spots[0], spots[1], spots[3]} and spots[2] not in play.floor()
    assert play.floor()[spots[3]] == "b"


@pytest.mark.rule("CB-P1")
def test_a_car_goes_on_any_free_cell_next_to_a_car_of_either_side():
    play = board("7,4: a", "7,9: b", "3,6: o")
    expected = {}
    for spot in ((7, 4), (7, 9)):
        for way in WAYS:
            expected.setdefault(ahead(spot, way), set()).add((way + 3) % 6)
    assert play.placements() == expected


@pytest.mark.rule("CB-P1")
def test_cells_with_a_bell_the_operator_a_car_or_a_hole_are_not_free():
    play = board("7,2: * a o", "6,4: a", "11,1: . b", gone=[15])
    for spot, way in {(7, 2): E, (7, 4): W, (6, 4): SW, (11, 1): E}.items():
        assert spot not in play.placements() and play.refuses(car(spot, way), "CB-P1", "CB-F5")
    assert play.refuses(car((8, 8), E), "CB-P1")  # no car is adjacent
    assert play.refuses(car((8, 3), E), "CB-P1")  # the car is elsewhere
    assert play.placements()[8, 3] == {NE}


@pytest.mark.rule("CB-P1")
def test_without_a_car_in_stock_none_can_be_placed():
    rows = ("7,1: a a a a a", "9,1: a a a a a", "7,9: b")
    play = board(*rows)
    assert play.stock(0) == (0, True) and not play.sort(CAR) and play.magnet_cells()
    assert play.refuses(car((7, 8), E), "CB-S1")


@pytest.mark.rule("CB-P2")
@pytest.mark.parametrize(("batteries", "cells"), [(0, 1), (1, 2), (2, 3)])
def test_a_battery_adds_a_cell_and_leaves_the_game(batteries, cells):
    play = board("7,2: . b").do(car((7, 2), E, batteries=batteries))
    assert play.lies("7,2: a" + " ." * cells + " b") and play.table.batteries == [4 - batteries, 4]
    if batteries:
        assert "CB-P2" in play.cited()


@pytest.mark.rule("CB-P2")
@pytest.mark.parametrize(("left", "most"), [(4, 2), (2, 2), (1, 1), (0, 0)])
def test_one_or_two_batteries_of_those_that_are_left(left, most):
    play = board("7,2: . b", batteries=(left, 4))
    powers = {action % SORT // POWER for action in play.sort(CAR)}
    assert powers == set(range(most + 1))
    for batteries in range(most + 1, 3):
        assert play.refuses(car((7, 2), E, batteries=batteries), "CB-P2")
    play.do(car((7, 2), E, batteries=most))
    assert play.table.batteries == [left - most, 4]


@pytest.mark.rule("CB-P2")
@pytest.mark.parametrize("blue", [DOUBLE_HIT, CAR_RACKET, TANDEM, EXPANSION, ACTION_AND_REACTION])
def test_no_batteries_in_a_turn_with_a_blue_card(blue):
    play = board("7,2: . b b . b", hands={0: [blue]}).do(card(blue))
    assert {action % SORT // POWER for action in play.sort(CAR)} == {0}
    second = W if blue == DOUBLE_HIT else None
    assert play.refuses(car((7, 5), E, second, batteries=1), "CB-P2")


@pytest.mark.rule("CB-P3")
def test_diagram_3_what_is_left_of_the_way_goes_to_the_last_car_of_the_line_that_is_met():
    """There are two batteries: one cell for the hit car, two for the last car of the line beyond the gap."""
    play = board("7,1: . a . b a").do(car((7, 1), E, batteries=2))
    assert play.lies("7,1: a . a b . . a")


@pytest.mark.rule("CB-P3")
def test_a_hit_is_handed_on_twice():
    play = board("7,1: . a . b . a").do(car((7, 1), E, batteries=2))
    assert play.lies("7,1: a . a . b . a")


@pytest.mark.rule("CB-P3")
def test_the_car_that_is_met_falls_off_with_the_rest_of_the_way():
    play = board("7,8: . b . b").do(car((7, 8), E, batteries=1))
    assert play.lies("7,8: a . b") and play.scores() == (12, 10)


@pytest.mark.rule("CB-P4")
@pytest.mark.parametrize("batteries", [0, 1, 2])
def test_the_operator_takes_a_hit_and_the_batteries_are_gone(batteries):
    play = board("7,2: . a b o").do(car((7, 2), E, batteries=batteries))
    assert play.lies("7,2: a a b o") and play.table.batteries == [4 - batteries, 4]


@pytest.mark.rule("CB-P4")
def test_a_moving_car_stops_at_the_operator():
    play = board("7,2: . b . o").do(car((7, 2), E, batteries=2))
    assert play.lies("7,2: a . b o")


@pytest.mark.rule("CB-P4")
def test_the_operator_is_no_car_to_hit():
    play = board("7,2: . o", "7,6: b")
    assert (7, 2) not in play.placements() and play.refuses(car((7, 2), E), "CB-P1")


@pytest.mark.rule("CB-P4")
def test_a_car_that_stops_beside_another_does_not_hit_it():
    play = board("7,2: . a . b").do(car((7, 2), E))
    assert play.lies("7,2: a . a b")


@pytest.mark.rule("CB-P4")
def test_a_car_that_falls_off_hands_nothing_on():
    """Beyond the hole of flower 11 there is another car in the same row."""
    play = board("7,0: . b", "7,5: b", gone=[11]).do(car((7, 0), E, batteries=2))
    assert play.lies("7,0: a", "7,5: b") and play.scores() == (12, 10)


@pytest.mark.rule("CB-P5")
@pytest.mark.parametrize(
    ("rows", "spot", "way", "then"),
    [
        (("7,10: . b", "5,5: b"), (7, 10), E, ("7,10: a", "5,5: b")),
        (("0,4: b", "1,4: .", "5,5: b"), (1, 4), NW, ("1,4: a", "5,5: b")),
        (("6,0: b .", "5,5: b"), (6, 1), W, ("6,1: a", "5,5: b")),
        (("14,5: b", "5,5: b"), (13, 5), SW, ("13,5: a", "5,5: b")),
    ],
)
def test_an_opponents_car_that_leaves_the_board_brings_2_points(rows, spot, way, then):
    play = board(*rows).do(car(spot, way))
    assert play.lies(*then) and play.scores() == (12, 10) and play.stock(1) == (9, True)


@pytest.mark.rule("CB-P5")
def test_an_own_car_that_falls_off_brings_nothing():
    play = board("7,10: . a", "5,5: a").do(car((7, 10), E))
    assert play.lies("7,10: a", "5,5: a") and play.scores() == (10, 10) and play.stock(0) == (8, True)


@pytest.mark.rule("CB-P5")
@pytest.mark.parametrize(("letter", "score"), [("a", 10), ("b", 12), ("A", 10), ("B", 12)])
def test_a_hole_swallows_a_car(letter, score):
    play = board(f"7,0: . {letter}", "5,5: a b", gone=[11]).do(car((7, 0), E))
    assert play.lies("7,0: a", "5,5: a b") and play.scores() == (score, 10)
    assert play.stock(0) == (8, True) and play.stock(1) == (9, True)


@pytest.mark.rule("CB-P5")
def test_the_operator_in_a_hole_stops_nothing():
    play = board("7,0: . b", "7,3: o", "5,5: b", gone=[11]).do(car((7, 0), E))
    assert play.lies("7,0: a", "7,3: o", "5,5: b") and play.scores() == (12, 10)


@pytest.mark.rule("CB-P5")
def test_the_player_in_turn_gets_the_points():
    play = board("7,10: . a", "5,5: a", seat=1).do(car((7, 10), E))
    assert play.lies("7,10: b", "5,5: a") and play.scores() == (10, 12) and play.stock(0) == (9, True)


@pytest.mark.rule("CB-P6")
def test_a_moving_car_stops_on_a_bell_and_rings_it():
    """With strength 3 the car would reach 7.4, and hit the car there; it stops on the bell at 7.3."""
    play = board("7,0: . b . * a", "5,5: b", values={(7, 3): 3, (7, 4): 1})
    play.do(car((7, 0), E, batteries=2))
    assert play.lies("7,0: a", "5,5: b") and play.scores() == (11, 13) and play.gone() == {11}


@pytest.mark.rule("CB-P6")
def test_a_car_that_takes_over_the_hit_rings_a_bell_too():
    play = board("8,0: . a b *", "5,5: b", values={(8, 3): 2}).do(car((8, 0), E, batteries=1))
    assert play.lies("8,0: a a", "5,5: b") and play.scores() == (10, 12)
    play = board("8,0: . b . a *", "5,5: b", values={(8, 4): 2}).do(car((8, 0), E, batteries=1))
    assert play.lies("8,0: a . b", "5,5: b") and play.scores() == (12, 10)


# Magnets


@pytest.mark.rule("CB-M1")
def test_diagram_5_the_range_is_the_six_cells_at_distance_two_in_straight_lines():
    play = board("5,5: b a b", "6,5: a . . a", "7,4: b . . . b", "8,5: a . . a", "9,5: b a b")
    play.do(magnet((7, 6)))
    assert play.lies("5,6: a", "6,5: a b b a", "7,5: b A b", "8,5: a b b a", "9,6: a")


@pytest.mark.rule("CB-M1")
def test_diagram_4_two_cars_are_pulled_and_the_third_is_behind_the_operator():
    play = board("7,4: b . . . a", "6,7: o", "5,7: b").do(magnet((7, 6)))
    assert play.lies("7,5: b A a", "6,7: o", "5,7: b")


@pytest.mark.rule("CB-M1")
def test_a_magnet_goes_where_it_pulls_a_car():
    """The operator is between one car and its cell to the east; a bell may be between, but no magnet is put on one."""
    play = board("7,4: b", "4,6: a o", "9,9: b *", "7,2: *")
    expected = set()
    for spot in [(7, 4), (4, 6), (9, 9)]:
        expected |= {ahead(spot, way, 2) for way in WAYS if (spot, way) != ((4, 6), E)}
    assert play.magnet_cells() == expected - {(7, 2)}
    assert play.refuses(magnet((7, 7)), "CB-M1")


@pytest.mark.rule("CB-M1")
def test_a_magnet_pulls_nothing_over_a_car_or_the_operator():
    play = board("7,4: b a", "11,4: b o")
    assert play.refuses(magnet((7, 6)), "CB-M1") and play.refuses(magnet((11, 6)), "CB-M1")


@pytest.mark.rule("CB-M1")
@pytest.mark.parametrize("spot", [(7, 2), (7, 4), (8, 4)])
def test_a_magnet_needs_a_free_cell(spot):
    """On 7.2 there is a bell, on 7.4 the operator, on 8.4 a car; each is two cells from a car."""
    play = board("5,3: b", "7,2: * . o", "8,4: a", "10,5: b")
    assert play.refuses(magnet(spot), "CB-M1", "CB-P1")


@pytest.mark.rule("CB-M1")
def test_a_magnet_that_only_holds_up_another_one_may_not_be_placed():
    """The opponent's magnet pulls the car already: two pulls cancel out, so nothing would move to the new one."""
    play = board("7,4: b . B")
    assert play.refuses(magnet((7, 2)), "CB-M1")


@pytest.mark.rule("CB-M1")
def test_a_magnet_on_the_floor_cannot_be_placed():
    play = board("7,2: A", "7,6: b")
    assert not play.magnet_cells() and play.refuses(magnet((7, 8)), "CB-S1", "CB-M1")


@pytest.mark.rule("CB-M2")
def test_a_magnet_pulls_after_every_action_of_anyone():
    play = board("7,2: A . . b", seat=1).do(car((7, 6), W))
    assert play.lies("7,2: A b . . b")
    assert board("7,2: A . b").do(IDLE).lies("7,2: A b")
    assert board("7,2: A . b").do(STROLL).lies("7,2: A b", "0,10: o")


@pytest.mark.rule("CB-M2")
@pytest.mark.parametrize("drawing", [("7,2: A . o",), ("7,1: A . *",), ("7,1: B . @",)])
def test_bells_and_the_operator_are_never_pulled(drawing):
    assert board(*drawing).do(IDLE).lies(*drawing)


@pytest.mark.rule("CB-M2")
def test_a_magnetic_car_is_hit_like_any_other():
    play = board("7,2: . B").do(car((7, 2), E))
    assert play.lies("7,3: a B"), "it moves to 7.4, and then pulls the car that has hit it"
    play = board("7,10: . B", "5,5: b").do(car((7, 10), E))
    assert play.scores() == (12, 10) and play.stock(1) == (9, True)
    play = board("7,2: . A b").do(car((7, 2), E))
    assert play.lies("7,2: a A b"), "the last car of the line moves, and is pulled back"


@pytest.mark.rule("CB-M2")
def test_a_magnet_never_pushes():
    """It is placed beside a line in order to pull a car, and the line stays."""
    play = board("7,3: a b", "7,0: b").do(magnet((7, 2)))
    assert play.lies("7,1: b A a b")


@pytest.mark.rule("CB-M3")
@pytest.mark.parametrize("second", ["5,5: B", "5,3: B", "7,6: B", "9,3: B", "9,5: B"])
def test_two_magnets_that_pull_one_car_hold_each_other_up(second):
    assert board("7,2: A . b", second).do(IDLE).lies("7,2: A . b", second)


@pytest.mark.rule("CB-M3")
@pytest.mark.parametrize("between", ["a", "o"])
def test_a_blocked_magnet_holds_nothing_up(between):
    play = board("7,2: A . b", f"6,5: {between}", "5,5: B")
    assert play.do(IDLE).lies("7,2: A b", f"6,5: {between}", "5,5: B")


@pytest.mark.rule("CB-M3")
def test_a_car_next_to_a_magnet_is_held():
    assert board("7,2: A . b B").do(IDLE).lies("7,2: A . b B")


@pytest.mark.rule("CB-M3")
def test_two_magnets_that_pull_each_other_stay():
    assert board("7,2: A . B").do(IDLE).lies("7,2: A . B")


@pytest.mark.rule("CB-M3")
def test_a_magnet_that_is_placed_pulls_the_other_one():
    play = board("7,4: B").do(magnet((7, 2)))
    assert play.lies("7,2: A B")


@pytest.mark.rule("CB-M3")
def test_cars_that_would_come_to_the_same_cell_stay():
    drawing = ("6,3: B", "7,2: A . b", "8,4: a")
    assert board(*drawing).do(IDLE).lies(*drawing)


@pytest.mark.rule("CB-M3")
def test_a_second_round_pulls_what_the_first_has_set_free():
    """The new magnet pulls the other away from a car that it held, which is then two cells from the new one."""
    play = board("7,4: B a").do(magnet((7, 2)))
    assert play.lies("7,2: A B a")
    moves = [beat for beat in play.beats("cell") if (21, cell((7, 3))) in beat or (0, cell((7, 4))) in beat]
    assert len(moves) == 2, "the rounds of a check are beats of their own"


@pytest.mark.rule("CB-M3")
def test_a_car_moves_once_in_a_check():
    """The old magnet and the car move at once; the car, then in range of it again, waits for the next check."""
    play = board("7,4: B . a").do(magnet((7, 2)))
    assert play.lies("7,2: A B . a")
    assert play.do(IDLE).lies("7,2: A B a")


@pytest.mark.rule("CB-M3")
def test_the_publishers_magnet_case():
    """Relative to cell 2.7: magnet 0.0, car (0,-2), another magnet (-2,1)."""
    first, second, hit = (from_axial(2 + q, 7 + r) for q, r in ((0, 0), (-2, 1), (0, -2)))
    rows = [f"{r},{c}: {letter}" for (r, c), letter in {first: "A", second: "B", hit: "b"}.items()]
    play, there = board(*rows), from_axial(2, 6)
    for _ in range(2):
        play.do(IDLE)
        assert {spot for spot, letter in play.floor().items() if letter in "bAB"} == {first, second, there}


@pytest.mark.rule("CB-M4")
def test_between_a_magnet_and_a_car_there_is_never_a_hole():
    """In three cells in a row the outer ones are outside a flower only if the middle one is."""
    for spot in ALL_CELLS:
        for way in (E, NE, NW):
            ends = (ahead(spot, way), ahead(spot, way + 3))
            if TILE[cell(spot)] % 2 and None not in ends:
                assert set(ends) & flower_of(spot)
    for spot in ALL_CELLS:  # and no straight line leaves the outline and enters it again
        q, r = next(a for tile in axial_tiles() for a in tile if from_axial(*a) == spot)
        for right, down in STEPS.values():
            far = from_axial(q + 2 * right, r + 2 * down)
            if far in ALL_CELLS:
                assert from_axial(q + right, r + down) in ALL_CELLS


# The operator

SELF_AVOIDING = {2: 30, 4: 618}  # walks on the triangular lattice


@pytest.mark.rule("CB-O1")
@pytest.mark.parametrize(("score", "lengths"), [(10, (2, 4)), (2, (2,))])
def test_two_or_four_cells_in_a_new_direction_at_each_and_none_twice(score, lengths):
    play = board("7,6: o", scores=(score, 10))
    routes = play.routes().values()
    assert Counter(len(spots) for spots, _ in routes) == {length: SELF_AVOIDING[length] for length in lengths}
    for spots, _ in routes:
        assert len({(7, 6), *spots}) == len(spots) + 1


def walks_from(here, gone, length):
    """Return every path of this length by the rules: holes are one cell each, nothing twice, never off the outline."""
    holes = [frozenset(place(n) for n in tables.cells_of(number)) for number in gone]

    def knot(spot):
        return next((hole for hole in holes if spot in hole), frozenset([spot]))

    ways = {(knot(here),)}
    for _ in range(length):
        ways = {
            (*way, knot(spot)) for way in ways for old in way[-1] for spot in neighbours(old) if knot(spot) not in way
        }
    return {way[1:] for way in ways}


@pytest.mark.rule("CB-O1")
@pytest.mark.rule("CB-O3")
@pytest.mark.parametrize(
    ("here", "gone"),
    [((0, 0), []), ((7, 0), []), ((13, 11), []), ((7, 1), [11]), ((7, 3), [11]), ((4, 1), [5, 11]), ((6, 5), [7, 11])],
)
def test_the_ways_of_the_operator(here, gone):
    play = board(f"{here[0]},{here[1]}: o", gone=gone)
    routes = [spots for spots, _ in play.routes().values()]
    assert len(set(routes)) == len(routes)
    expected = walks_from(here, gone, 2) | walks_from(here, gone, 4)
    middles = {n: place(tables.cells_of(n)[0]) for n in gone}

    def name(knot):
        spot = min(knot)
        return middles.get(TILE[cell(spot)], spot)

    assert set(routes) == {tuple(map(name, way)) for way in expected}


@pytest.mark.rule("CB-O1")
def test_four_cells_cost_2_points_and_two_cells_none():
    assert board("7,6: o").do(walk(E, NE)).scores() == (10, 10)
    play = board("7,6: o").do(walk(E, NE, W, W))
    assert play.scores() == (8, 10) and play.lies("6,6: o") and "CB-O1" in play.cited()


@pytest.mark.rule("CB-O1")
def test_one_or_three_steps_and_a_cell_twice_are_refused():
    play = board("7,6: o")
    for steps in ([E], [E, E, E], [E, W], [E, NW, SW, E], [E, NE, W, SW]):
        assert play.refuses(walk(*steps), "CB-O1")
    assert board("7,10: o").refuses(walk(E, E), "CB-O1")


@pytest.mark.rule("CB-O2")
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_operator_pushes_whole_lines(edition):
    play = board("7,1: o a b . . . b", edition=edition).do(walk(E, E))
    assert play.lies("7,3: o a b . b") and play.scores() == (10, 10)


@pytest.mark.rule("CB-O2")
def test_the_operator_pushes_in_a_new_direction_at_every_step():
    play = board("7,3: o a", "7,5: b", "6,4: b").do(walk(E, NW))
    # E: a to 7.5, b there to 7.6. NW of 7.4 is 6.4: that b moves on to 5.3
    assert play.lies("7,4: .", "6,4: o", "7,5: a b", "5,3: b")


@pytest.mark.rule("CB-O2")
@pytest.mark.parametrize(("edition", "score"), [("czech", 12), ("english", 14)])
def test_points_for_cars_that_the_operator_pushes_off(edition, score):
    """At the edge are two cars, one of each side: two steps push off both."""
    play = board("7,8: o . b a", "5,5: a b", edition=edition)
    play.do(walk(E, E))
    assert play.lies("7,10: o b", "5,5: a b") and play.scores() == ((10, 10) if edition == "czech" else (12, 10))
    play.do(walk(E, NE))
    assert play.scores() == (score, 10) and play.lies("6,12: o", "5,5: a b")


@pytest.mark.rule("CB-O2")
@pytest.mark.parametrize(("edition", "own_score"), [("czech", 10), ("english", 12)])
@pytest.mark.parametrize("letter", ["a", "b", "A", "B"])
def test_the_operator_pushes_cars_into_holes(edition, own_score, letter):
    play = board(f"7,0: o {letter}", "5,5: a b", gone=[11], edition=edition).go((7, 1), (7, 3))
    assert play.lies("7,3: o", "5,5: a b") and play.scores() == (12 if letter in "bB" else own_score, 10)


@pytest.mark.rule("CB-O2")
def test_a_line_is_pushed_into_a_hole_car_by_car():
    play = board("6,0: o b b", "9,9: b", gone=[11]).do(walk(E, E))
    assert play.lies("6,2: o", "9,9: b") and play.scores() == (14, 10) and play.stock(1) == (9, True)


@pytest.mark.rule("CB-O2")
def test_what_the_operator_pushes_can_be_pulled_on():
    """Pushed east it reaches 7.4, two cells from the magnet; then the operator moves on to 6.4."""
    play = board("7,2: o b", "7,6: B").do(walk(E, NE))
    assert play.lies("7,5: b B", "6,4: o")


@pytest.mark.rule("CB-O2")
def test_cars_never_stop_the_operator():
    """The paths of an operator among cars are the same as without them."""
    crowd = ("6,5: a b a b", "7,5: b . b", "8,5: b a a b")
    with_cars, without = board(*crowd, "7,6: o"), board("7,6: o", "3,3: a b")
    assert {spots for spots, _ in with_cars.routes().values()} == {spots for spots, _ in without.routes().values()}


@pytest.mark.rule("CB-O3")
def test_out_of_a_hole_a_car_is_pushed_from_the_cell_that_is_chosen():
    """6.5 is adjacent to two cells of flower 11: 6.4 to the west and 7.4 to the southwest."""
    rows = ("7,1: o", "6,5: b")
    play = board(*rows, gone=[11]).go((7, 3), (6, 5), ways=(E, E))
    assert play.lies("6,5: o b")
    play = board(*rows, gone=[11]).go((7, 3), (6, 5), ways=(E, NE))
    assert play.lies("6,5: o", "5,5: b")
    play = board(*rows, gone=[11])
    assert sum(spots == ((7, 3), (6, 5)) for spots, _ in play.routes().values()) == 2
    play = board("7,1: o", gone=[11])
    assert sum(spots == ((7, 3), (6, 5)) for spots, _ in play.routes().values()) == 1


@pytest.mark.rule("CB-O3")
def test_a_hole_counts_once_in_a_move():
    play = board("7,1: o", gone=[11])
    assert play.can_go((7, 3), (7, 5), (7, 6), (7, 7)) and not play.can_go((7, 3), (7, 5), (8, 5), (7, 3))
    assert play.can_go((7, 0), (8, 1), (8, 2), (7, 3))
    play = board("7,3: o", gone=[11])
    assert not any((7, 3) in spots for spots, _ in play.routes().values())


@pytest.mark.rule("CB-O3")
def test_the_operator_on_a_bell_rings_nothing_and_guards_it():
    play = board("7,0: o . *", "5,5: b").do(walk(E, E))
    assert play.lies("7,2: @", "5,5: b") and play.table.scorings[0] == 0
    play = board("7,0: . b @", "5,5: b").do(car((7, 0), E))
    assert play.lies("7,0: a b @", "5,5: b") and play.table.scorings[0] == 0
    play = board("7,0: . b @", hands={0: [FREE_RIDE]})
    assert play.refuses(card(FREE_RIDE, (7, 1), (7, 2)), "CB-K3")
    play = board("7,1: A @ b").do(IDLE)
    assert play.lies("7,1: A @ b") and play.table.scorings[0] == 0


@pytest.mark.rule("CB-O3")
def test_the_operator_walks_over_a_bell_and_leaves_it():
    play = board("7,1: o * .").do(walk(E, E))
    assert play.lies("7,2: * o")


# Grey cards


def with_card(kind, *rows, **more):
    """Return a turn in which seat 0 holds this card."""
    return board(*rows, hands={0: [kind]}, **more)


@pytest.mark.rule("CB-K1")
def test_bell_charms_moves_a_bell_to_a_flower_without_one():
    play = with_card(BELL_CHARMS, "7,2: *", "4,6: * a")
    moves = play.targets(BELL_CHARMS)
    assert {bell for bell, _ in moves} == {(7, 2), (4, 6)}
    goals = {where for bell, where in moves if bell == (7, 2)}
    spots = {(7, 2), (4, 6), (4, 7)} | flower_of((4, 6))
    assert goals == {spot for spot in ALL_CELLS if TILE[cell(spot)] % 2} - spots - {(0, 12)}
    play.do(card(BELL_CHARMS, (7, 2), (8, 3)))
    assert play.lies("8,3: *", "4,6: * a") and "CB-K1" in play.cited()


@pytest.mark.rule("CB-K1")
def test_bell_charms_takes_a_bell_from_under_the_operator_and_puts_none_there():
    play = with_card(BELL_CHARMS, "7,2: @")
    goals = {where for _, where in play.targets(BELL_CHARMS)}
    assert (7, 2) not in goals and (7, 3) in goals
    assert play.do(card(BELL_CHARMS, (7, 2), (7, 3))).lies("7,2: o *")
    play = with_card(BELL_CHARMS, "7,2: o", "4,6: *")
    assert play.refuses(card(BELL_CHARMS, (4, 6), (7, 2)), "CB-K1")


@pytest.mark.rule("CB-K1")
def test_bell_charms_needs_a_flower_that_stands():
    play = with_card(BELL_CHARMS, "4,6: *", gone=[11])
    assert not flower_of((7, 3)) & {where for _, where in play.targets(BELL_CHARMS)}
    for where in [(7, 3), (7, 0), (4, 6)]:
        assert play.refuses(card(BELL_CHARMS, (4, 6), where), "CB-K1", "CB-F5")


@pytest.mark.rule("CB-K1")
def test_a_bell_put_before_a_pulled_car_rings_in_the_check_after_it():
    """The magnets cancelled out until the operator stepped between; so the car is pulled over the charmed bell."""
    rows = ("7,2: A . b", "6,5: o", "5,5: B", "4,6: *")
    play = with_card(BELL_CHARMS, *rows).do(card(BELL_CHARMS, (4, 6), (7, 3)))
    assert play.gone() == {11} and play.table.scorings[0] == 1 and play.lies("6,5: o", "5,5: B")
    play = with_card(BELL_CHARMS, *rows, turn=5)
    assert play.refuses(card(BELL_CHARMS, (4, 6), (7, 3)), "CB-E2")


@pytest.mark.rule("CB-K1")
def test_a_bell_put_behind_a_car_rings_with_the_second_action():
    play = with_card(BELL_CHARMS, "7,0: . b .", "4,6: *", "5,9: b").do(card(BELL_CHARMS, (4, 6), (7, 2)))
    assert play.do(car((7, 0), E)).lies("7,0: a", "5,9: b") and play.gone() == {11}


@pytest.mark.rule("CB-K2")
def test_diagram_6_lambada_swaps_two_cars_side_by_side():
    play = with_card(LAMBADA, "7,4: a b . a", "6,5: a")
    swaps = {((7, 4), (7, 5)), ((6, 5), (7, 4)), ((6, 5), (7, 5))}
    assert {tuple(sorted(pair)) for pair in play.targets(LAMBADA)} == swaps and len(play.targets(LAMBADA)) == 3
    assert play.do(swap((7, 5), (7, 4))).lies("7,4: b a . a", "6,5: a") and "CB-K2" in play.cited()


@pytest.mark.rule("CB-K2")
def test_lambada_with_two_equal_cars_changes_nothing():
    play = with_card(LAMBADA, "7,4: b b").do(swap((7, 4), (7, 5)))
    assert play.lies("7,4: b b") and play.asks(0) and play.table.acted[0] == 1


@pytest.mark.rule("CB-K2")
def test_a_magnet_that_is_swapped_pulls_from_its_new_cell():
    """The magnet moves to 7.5, two cells from the car at 7.7."""
    play = with_card(LAMBADA, "7,4: A a . b").do(swap((7, 4), (7, 5)))
    assert play.lies("7,4: a A b")


@pytest.mark.rule("CB-K2")
def test_lambada_needs_two_cars_beside_each_other():
    play = with_card(LAMBADA, "7,4: a . b", "9,4: a o")
    for pair in [((7, 4), (7, 6)), ((9, 4), (9, 5)), ((7, 4), (7, 5))]:
        assert play.refuses(swap(*pair), "CB-K2")
    assert LAMBADA not in play.cards()


@pytest.mark.rule("CB-K3")
def test_free_ride_moves_any_car_one_cell():
    play = with_card(FREE_RIDE, "7,4: b A o", corners=False)
    expected = {((7, 4), (row, column)) for row, column in [(7, 3), (6, 4), (6, 5), (8, 4), (8, 5)]}
    expected |= {((7, 5), (row, column)) for row, column in [(6, 5), (6, 6), (8, 5), (8, 6)]}
    assert play.targets(FREE_RIDE) == expected
    assert play.do(card(FREE_RIDE, (7, 4), (7, 3))).lies("7,4: b A o"), "the magnet pulls it back"
    assert "CB-K3" in play.cited()


@pytest.mark.rule("CB-K3")
def test_a_magnet_on_a_free_ride_pulls_from_its_new_cell():
    play = with_card(FREE_RIDE, "7,4: . A . . b").do(card(FREE_RIDE, (7, 5), (7, 6)))
    assert play.lies("7,6: A b")


@pytest.mark.rule("CB-K3")
def test_a_free_ride_neither_leaves_the_floor_nor_pushes():
    play = with_card(FREE_RIDE, "7,0: a b", gone=[11])
    for where in [(7, 2), (7, 0)]:
        assert play.refuses(card(FREE_RIDE, (7, 1), where), "CB-K3", "CB-F5")


@pytest.mark.rule("CB-K3")
def test_a_free_ride_onto_a_bell_in_both_editions():
    rows = ("7,1: b *", "5,5: b")
    play = with_card(FREE_RIDE, *rows, edition="czech", values={(7, 2): 3})
    play.do(card(FREE_RIDE, (7, 1), (7, 2)))
    assert play.lies("5,5: b") and play.gone() == {11} and play.scores() == (10, 13)
    play = with_card(FREE_RIDE, *rows, edition="english")
    assert play.refuses(card(FREE_RIDE, (7, 1), (7, 2)), "CB-K3")
    assert play.can(card(FREE_RIDE, (7, 1), (7, 0)))


@pytest.mark.rule("CB-K4")
def test_saboteur_sends_an_opponents_car_home_without_points():
    play = with_card(SABOTEUR, "7,4: a b . B", "9,9: A")
    assert {what for what, _ in play.targets(SABOTEUR)} == {(7, 5), (7, 7)}
    assert play.refuses(card(SABOTEUR, (7, 4)), "CB-K4")
    play.do(card(SABOTEUR, (7, 5)))
    assert play.floor().get((7, 5)) is None and play.scores() == (10, 10) and play.stock(1) == (10, False)
    assert "CB-K4" in play.cited()


@pytest.mark.rule("CB-K4")
def test_saboteur_on_a_magnet_sets_its_rival_free():
    """Two magnets cancelled out; without the opponent's the car is pulled at once."""
    play = with_card(SABOTEUR, "7,2: A . b . B").do(card(SABOTEUR, (7, 6)))
    assert play.lies("7,2: A b") and play.stock(1) == (9, True)


@pytest.mark.rule("CB-K4")
@pytest.mark.rule("CB-E4")
def test_saboteur_on_the_last_car_ends_the_game():
    play = with_card(SABOTEUR, "7,2: a . . b").do(card(SABOTEUR, (7, 5)))
    assert play.table.phase[0] == OVER and play.winners() == {0, 1}


@pytest.mark.rule("CB-K5")
def test_the_flying_dutchman_lands_on_any_cell_without_car_or_bell():
    play = with_card(FLYING_DUTCHMAN, "7,2: * . a", "4,6: o", "5,9: b", gone=[1, 3])
    expected = set(ALL_CELLS) - {(7, 2), (7, 4), (4, 6), (5, 9)} - flower_of((1, 3)) - flower_of((1, 8))
    assert {what for what, _ in play.targets(FLYING_DUTCHMAN)} == expected | {(14, 0), (1, 3), (1, 8)}
    for what in [(7, 2), (7, 4), (4, 6)]:
        assert play.refuses(card(FLYING_DUTCHMAN, what), "CB-K5")
    assert play.do(card(FLYING_DUTCHMAN, (7, 3))).lies("7,2: * o a", "5,9: b") and "CB-K5" in play.cited()


@pytest.mark.rule("CB-K5")
def test_the_flying_dutchman_in_holes():
    play = with_card(FLYING_DUTCHMAN, "7,3: o", gone=[11])
    spots = {what for what, _ in play.targets(FLYING_DUTCHMAN)}
    assert not spots & flower_of((7, 3)), "the hole in which he is, is no other cell"
    play = with_card(FLYING_DUTCHMAN, gone=[11]).do(card(FLYING_DUTCHMAN, (7, 3)))
    assert play.lies("7,3: o")


@pytest.mark.rule("CB-K5")
def test_the_dutchman_uncovers_a_bell_and_a_pull():
    """He was on a bell between magnet and car; when he leaves, the car is pulled onto it."""
    play = with_card(FLYING_DUTCHMAN, "7,1: A @ b", "5,5: b", values={(7, 2): 3})
    play.do(card(FLYING_DUTCHMAN, (4, 6)))
    assert play.lies("7,1: A", "4,6: o", "5,5: b") and play.scores() == (10, 13)
    play = with_card(FLYING_DUTCHMAN, "7,2: A . b", "5,5: B").do(card(FLYING_DUTCHMAN, (6, 5)))
    assert play.lies("7,2: A b", "6,5: o", "5,5: B"), "and between a car and the other magnet he lets this one pull"


@pytest.mark.rule("CB-K6")
def test_dead_accumulator_takes_a_battery_and_bans_the_others_for_a_turn():
    play = board("7,2: . b").do(IDLE, STROLL).draws()
    assert play.asks(1) and play.table.batteries == [4, 3] and "CB-K6" in play.cited()
    assert play.refuses(car((7, 2), E, batteries=1), "CB-K6")
    play.do(car((7, 2), E))
    assert {action % SORT // POWER for action in play.sort(CAR)} == {0}
    play.do(exchange(SABOTEUR, SABOTEUR)).draws()
    assert play.asks(0) and play.can(car((7, 5), W, batteries=2))
    play.do(walk(E, E), walk(W, W)).draws()
    assert play.asks(1) and play.can(car((7, 5), W, batteries=2)), "the ban ends with one turn"


@pytest.mark.rule("CB-K6")
def test_dead_accumulator_against_an_opponent_without_batteries():
    play = board("7,2: . b", batteries=(4, 0)).do(IDLE, IDLE).draws()
    assert play.table.batteries == [4, 0] and play.asks(1)
    play = board("7,2: . b", batteries=(4, 3)).do(IDLE, IDLE).draws()
    assert play.table.batteries == [4, 1]


@pytest.mark.rule("CB-K6")
def test_dead_accumulator_leaves_ones_own_batteries():
    play = board("7,2: . b").do(IDLE)
    assert play.can(car((7, 2), E, batteries=2))


@pytest.mark.rule("CB-K6")
def test_dead_accumulator_leaves_the_other_hits():
    """A ban on batteries forbids no plain hit, no magnet and no walk."""
    play = board("7,2: . b").do(IDLE, STROLL).draws()
    assert {action // SORT * SORT for action in play.actions()} >= {CAR, MAGNET, WALK}


# Yellow cards

RINGABLE = ("7,0: . b *", "8,4: a", "9,9: b", "11,9: a")
VALUES = {(7, 0): 2, (7, 1): 1, (7, 2): 3, (8, 4): 1, (9, 9): 2, (11, 9): 0}


@pytest.mark.rule("CB-K7")
def test_powerless_bell_leaves_the_tile_and_its_cars():
    play = with_card(POWERLESS_BELL, *RINGABLE, values=VALUES).do(card(POWERLESS_BELL), car((7, 0), E))
    assert play.lies("7,0: a . b", "8,4: a", "9,9: b", "11,9: a") and not play.gone()
    assert play.scores() == (10 + 2 + 1, 10 + 3 + 2) and play.table.scorings[0] == 1


@pytest.mark.rule("CB-K8")
def test_shady_exception_turns_the_values_round():
    play = with_card(SHADY_EXCEPTION, *RINGABLE, values=VALUES | dict.fromkeys([(14, 0), (14, 12)], 3))
    play.do(card(SHADY_EXCEPTION), car((7, 0), E))
    assert play.lies("7,0: a", "9,9: b", "11,9: a") and play.gone() == {11}
    assert play.scores() == (10 + 1 + 2 + 3, 10 + 0 + 1)


@pytest.mark.rule("CB-K7")
@pytest.mark.rule("CB-K8")
@pytest.mark.parametrize("yellow", [POWERLESS_BELL, SHADY_EXCEPTION])
def test_after_a_yellow_card_only_a_scoring_may_follow(yellow):
    play = with_card(yellow, *RINGABLE).do(card(yellow))
    assert play.asks(0) and play.placements()[7, 0] == {E} and play.can(car((7, 0), E, batteries=1))
    assert not play.can(STROLL) and play.refuses(STROLL, f"CB-K{yellow + 1}")
    assert play.magnet_cells() == {(7, 3)} and not play.sort(EXCHANGE)
    for action in play.actions():
        after = Play(play.table.copy()).do(action)
        assert after.table.scorings[0] == 1, action


@pytest.mark.rule("CB-K7")
@pytest.mark.parametrize("yellow", [POWERLESS_BELL, SHADY_EXCEPTION])
def test_batteries_are_allowed_after_a_yellow_card(yellow):
    play = with_card(yellow, "7,0: . b . *", "9,9: b").do(card(yellow))
    assert not play.can(car((7, 0), E)) and play.can(car((7, 0), E, batteries=1))


@pytest.mark.rule("CB-K7")
@pytest.mark.rule("CB-K8")
@pytest.mark.parametrize("yellow", [POWERLESS_BELL, SHADY_EXCEPTION])
def test_a_yellow_card_needs_a_scoring_within_reach(yellow):
    play = with_card(yellow, "7,0: . b", "4,6: *", "9,9: b", scores=(2, 10))
    assert yellow not in play.cards() and play.refuses(card(yellow), f"CB-K{yellow + 1}")


@pytest.mark.rule("CB-K7")
@pytest.mark.rule("CB-K8")
@pytest.mark.parametrize("yellow", [POWERLESS_BELL, SHADY_EXCEPTION])
@pytest.mark.parametrize(("turn", "can"), [(5, False), (6, True)])
def test_no_yellow_card_before_turn_6(yellow, turn, can):
    assert (yellow in with_card(yellow, *RINGABLE, turn=turn).cards()) == can


@pytest.mark.rule("CB-K7")
@pytest.mark.rule("CB-K9")
@pytest.mark.parametrize(
    "kind", [POWERLESS_BELL, SHADY_EXCEPTION, DOUBLE_HIT, CAR_RACKET, TANDEM, EXPANSION, ACTION_AND_REACTION]
)
def test_yellow_and_blue_cards_are_the_first_action_only(kind):
    play = with_card(kind, *RINGABLE)
    assert kind in play.cards()
    play.do(walk(W, W))
    assert kind not in play.cards() and play.refuses(card(kind), f"CB-K{kind + 1}")


@pytest.mark.rule("CB-K7")
def test_a_bell_that_the_card_itself_sets_ringing_is_not_the_powerless_one():
    """The check after the card rings the only bell of a Czech turn, so the card is refused; in English the first."""
    rows = ("7,1: A * b", "4,3: . b *", "9,9: b")
    play = with_card(POWERLESS_BELL, *rows, edition="czech")
    assert play.refuses(card(POWERLESS_BELL), "CB-K7", "CB-E2")
    play = with_card(POWERLESS_BELL, *rows, edition="english").do(card(POWERLESS_BELL))
    assert play.gone() == {11} and play.table.scorings[0] == 1 and play.asks(0) and not play.can(STROLL)
    assert play.do(car((4, 3), E)).lies("7,1: A", "4,3: a . b", "9,9: b") and play.gone() == {11}


@pytest.mark.rule("CB-K7")
def test_a_powerless_bell_rung_by_the_operator():
    play = with_card(POWERLESS_BELL, "7,0: o b *", values={(7, 2): 3}).do(card(POWERLESS_BELL))
    play.do(walk(E, NE))
    # E: the car comes to 7.2 and rings; NE of 7.1 is 6.2
    assert play.lies("7,2: b", "6,2: o") and play.scores() == (10, 13)


@pytest.mark.rule("CB-K8")
def test_a_shady_exception_rung_by_a_magnet():
    play = with_card(SHADY_EXCEPTION, "7,2: b * .", "9,9: b", values={(9, 9): 1, (7, 3): 1, (7, 1): 3})
    play.do(card(SHADY_EXCEPTION), magnet((7, 4)))
    # On cells worth 1 each car of side 1 scores 2; on cells worth 0, such as 7.4 and the corner, 3
    assert play.lies("9,9: b") and play.scores() == (10 + 3 + 3, 10 + 2 + 2)


@pytest.mark.rule("CB-K7")
def test_a_powerless_bell_rung_by_a_free_ride():
    play = board("7,1: b *", hands={0: [POWERLESS_BELL, FREE_RIDE]}, values={(7, 2): 3})
    play.do(card(POWERLESS_BELL), card(FREE_RIDE, (7, 1), (7, 2)))
    assert play.lies("7,2: b") and play.scores() == (10, 13)


@pytest.mark.rule("CB-K7")
@pytest.mark.rule("CB-K8")
@pytest.mark.parametrize("yellow", [POWERLESS_BELL, SHADY_EXCEPTION])
def test_a_yellow_card_lasts_for_its_turn_only(yellow):
    play = with_card(yellow, *RINGABLE, "4,5: b * .", values=VALUES).do(card(yellow), car((7, 0), E)).draws()
    assert play.asks(1)
    before, floor = play.scores(), play.floor()
    play.do(car((4, 4), E))
    worth = dict.fromkeys("ab", 0)
    for spot, letter in {**floor, (4, 4): "b", (4, 6): "b"}.items():
        if spot != (4, 5) and letter in worth:
            worth[letter] += VALUES.get(spot, 0)
    assert play.scores() == (before[0] + worth["a"], before[1] + worth["b"]) and 7 in play.gone()


# Blue cards


@pytest.mark.rule("CB-K9")
@pytest.mark.parametrize(
    ("first", "second", "then"),
    [
        (E, None, ("6,6: a", "7,5: a a b . b")),
        (E, W, ("6,6: a", "7,4: a . a b . b")),
        (NW, W, ("5,5: a", "7,4: a . a b b")),
        (E, NW, ("5,5: a", "7,5: a a b . b")),
    ],
)
def test_double_hit_in_two_directions(first, second, then):
    edition = "english" if second is None else "czech"
    play = with_card(DOUBLE_HIT, "6,6: a", "7,5: a . b b", edition=edition).do(card(DOUBLE_HIT))
    play.do(car((7, 6), first, second))
    assert play.lies(*then)


@pytest.mark.rule("CB-K9")
@pytest.mark.parametrize("edition", EDITIONS)
def test_double_hit_goes_one_or_two_ways_in_english_and_two_in_czech_and_orders_them_only_where_it_matters(edition):
    play = with_card(DOUBLE_HIT, "6,6: a", "7,5: a . b b", edition=edition).do(card(DOUBLE_HIT))
    codes = [action for action in play.sort(CAR) if action % WAY == cell((7, 6))]
    ways = [(action % SECOND // WAY - 1, action % POWER // SECOND - 1) for action in codes]
    once = [(E, -1), (NW, -1), (W, -1)] if edition == "english" else []
    assert sorted(ways) == sorted([*once, (E, NW), (E, W), (NW, W)]) and E < NW < W


@pytest.mark.rule("CB-K9")
@pytest.mark.parametrize("edition", EDITIONS)
def test_double_hit_without_two_cars_beside_a_cell_is_no_card_of_the_czech_edition(edition):
    play = with_card(DOUBLE_HIT, "7,2: a", "5,8: b", edition=edition)
    assert (PLAY + DOUBLE_HIT in play.actions()) == (edition == "english")


@pytest.mark.rule("CB-K9")
def test_one_hit_of_two_is_taken_by_the_operator_and_another_pushes_off():
    play = with_card(DOUBLE_HIT, "7,8: o b . b", "5,5: b").do(card(DOUBLE_HIT), car((7, 10), E, W))
    assert play.lies("7,8: o b a", "5,5: b") and play.scores() == (12, 10)


@pytest.mark.rule("CB-K9")
def test_a_double_hit_sets_two_magnets_going():
    """Both magnets are pushed away; each is then two cells from the new car, and these pulls cancel out."""
    play = with_card(DOUBLE_HIT, "7,4: A . B").do(card(DOUBLE_HIT), car((7, 5), E, W))
    assert play.lies("7,3: A . a . B")


@pytest.mark.rule("CB-K10")
def test_car_racket_flies_off_the_board():
    play = with_card(CAR_RACKET, "7,2: . b", "5,5: b").do(card(CAR_RACKET), car((7, 2), E))
    assert play.lies("7,2: a", "5,5: b") and play.scores() == (12, 10)
    play = with_card(CAR_RACKET, "7,2: . a", "5,5: b").do(card(CAR_RACKET), car((7, 2), E))
    assert play.lies("7,2: a", "5,5: b") and play.scores() == (10, 10)


@pytest.mark.rule("CB-K10")
def test_car_racket_flies_into_a_hole():
    play = with_card(CAR_RACKET, "7,10: b .", "5,5: b", gone=[11]).do(card(CAR_RACKET), car((7, 11), W))
    assert play.lies("7,11: a", "5,5: b") and play.scores() == (12, 10)


@pytest.mark.rule("CB-K10")
def test_car_racket_is_stopped_by_the_operator():
    play = with_card(CAR_RACKET, "7,2: . b . . . . o").do(card(CAR_RACKET), car((7, 2), E))
    assert play.lies("7,2: a . . . . b o")


@pytest.mark.rule("CB-K10")
def test_car_racket_is_stopped_by_a_car_which_is_hit():
    play = with_card(CAR_RACKET, "7,1: . b . . a").do(card(CAR_RACKET), car((7, 1), E))
    assert play.lies("7,1: a . . b . a")
    play = with_card(CAR_RACKET, "7,1: . b . . a b a").do(card(CAR_RACKET), car((7, 1), E))
    assert play.lies("7,1: a . . b a b . a"), "of a line the last one moves"


@pytest.mark.rule("CB-K10")
def test_car_racket_starts_from_the_end_of_a_line():
    play = with_card(CAR_RACKET, "7,1: . b a . . . o").do(card(CAR_RACKET), car((7, 1), E))
    assert play.lies("7,1: a b . . . a o")


@pytest.mark.rule("CB-K10")
def test_car_racket_is_stopped_by_a_bell_which_rings():
    play = with_card(CAR_RACKET, "8,0: . b . . *", "9,9: b", values={(8, 4): 3}).do(card(CAR_RACKET), car((8, 0), E))
    assert play.lies("8,0: a", "9,9: b") and play.scores() == (10, 13) and play.gone() == {11}


@pytest.mark.rule("CB-K10")
def test_car_racket_is_stopped_before_an_operator_on_a_bell():
    play = with_card(CAR_RACKET, "8,0: . b . . @").do(card(CAR_RACKET), car((8, 0), E))
    assert play.lies("8,0: a . . b @") and play.table.scorings[0] == 0


@pytest.mark.rule("CB-K10")
def test_the_car_that_a_racket_hits_rings_a_bell():
    play = with_card(CAR_RACKET, "8,0: . b . a *", "9,9: b", values={(8, 2): 1, (8, 4): 3})
    play.do(card(CAR_RACKET), car((8, 0), E))
    assert play.lies("8,0: a . b", "9,9: b") and play.scores() == (13, 11)


@pytest.mark.rule("CB-K10")
def test_the_car_that_a_racket_hits_falls_off_or_is_stopped():
    play = with_card(CAR_RACKET, "7,7: . b . . b", "5,5: b").do(card(CAR_RACKET), car((7, 7), E))
    assert play.lies("7,7: a . . b", "5,5: b") and play.scores() == (12, 10)
    play = with_card(CAR_RACKET, "7,3: . b . . b o", "5,5: b").do(card(CAR_RACKET), car((7, 3), E))
    assert play.lies("7,3: a . . b b o", "5,5: b")


@pytest.mark.rule("CB-K10")
def test_a_racket_is_pulled_only_where_it_stops():
    play = with_card(CAR_RACKET, "7,0: . b . . . . o", "5,3: B").do(card(CAR_RACKET), car((7, 0), E))
    assert play.lies("7,0: a . . . . b o", "5,3: B"), "it flies through the range at 7.2 and 7.4"
    play = with_card(CAR_RACKET, "7,0: . b . . . o", "5,3: B").do(card(CAR_RACKET), car((7, 0), E))
    assert play.lies("7,0: a . . . . o", "6,4: b", "5,3: B"), "where it stops, it is pulled"
    play = with_card(CAR_RACKET, "7,0: . b . . . o", "6,4: B").do(card(CAR_RACKET), car((7, 0), E))
    assert play.lies("7,0: a . . . b o", "6,4: B")


@pytest.mark.rule("CB-K11")
def test_diagram_7_a_tandem_of_the_car_that_is_hit_and_the_new_one():
    play = with_card(TANDEM, "7,2: . b").do(card(TANDEM), car((7, 2), E))
    assert play.lies("7,3: a b")


@pytest.mark.rule("CB-K11")
@pytest.mark.parametrize(
    ("row", "then"),
    [("7,2: . a b", "7,2: a . a b"), ("7,2: . a b a", "7,2: a a . b a"), ("7,1: . b a b a", "7,1: a b a . b a")],
)
def test_diagram_8_the_last_two_of_a_line_move(row, then):
    start_at = (7, int(row[2]))
    assert with_card(TANDEM, row).do(card(TANDEM), car(start_at, E)).lies(then)


@pytest.mark.rule("CB-K11")
@pytest.mark.parametrize("row", ["7,2: . b o", "7,2: . a b o", "7,2: . b a b o"])
def test_before_the_operator_no_tandem_moves(row):
    play = with_card(TANDEM, row).do(card(TANDEM), car((7, 2), E))
    assert play.lies(row.replace(": .", ": a"))


@pytest.mark.rule("CB-K11")
def test_of_a_tandem_the_last_falls_off_and_the_other_follows():
    play = with_card(TANDEM, "7,10: . b", "5,5: b").do(card(TANDEM), car((7, 10), E))
    assert play.lies("7,11: a", "5,5: b") and play.scores() == (12, 10)
    play = with_card(TANDEM, "7,9: . a b", "5,5: b").do(card(TANDEM), car((7, 9), E))
    assert play.lies("7,9: a . a", "5,5: b") and play.scores() == (12, 10)


@pytest.mark.rule("CB-K11")
def test_of_a_tandem_the_last_rings_and_the_other_follows():
    """The bell's tile leaves with the car that rang it; the other has moved to the cell before it."""
    play = with_card(TANDEM, "7,0: . b *", "9,9: b", values={(7, 1): 1, (7, 2): 3}).do(card(TANDEM), car((7, 0), E))
    assert play.lies("7,1: a", "9,9: b") and play.scores() == (11, 13)


@pytest.mark.rule("CB-K11")
def test_a_tandem_moves_one_cell_and_hits_nobody():
    play = with_card(TANDEM, "7,2: . a b . a").do(card(TANDEM), car((7, 2), E))
    assert play.lies("7,2: a . a b a")


@pytest.mark.rule("CB-K11")
def test_a_tandem_moves_magnets():
    play = with_card(TANDEM, "7,2: . A b").do(card(TANDEM), car((7, 2), E))
    # The line moves to 7.4 and 7.5; then the magnet is two cells from the new car, and pulls it
    assert play.lies("7,3: a A b")


@pytest.mark.rule("CB-K12")
def test_diagram_9_english_expansion_unlimited_allows_any_free_cell():
    play = with_card(EXPANSION, "7,2: * a", "4,6: b", "9,9: o").do(card(EXPANSION))
    free = set(ALL_CELLS) - {(7, 2), (7, 3), (4, 6), (9, 9)}
    placements = play.placements()
    assert set(placements) == free and all(-1 in ways for ways in placements.values())
    assert placements[7, 4] == {-1, W} and placements[11, 4] == {-1}
    assert play.do(car((11, 4))).lies("7,2: * a", "4,6: b", "9,9: o", "11,4: a")
    assert "CB-K12" in play.cited()


@pytest.mark.rule("CB-K12")
def test_after_expansion_a_hit_is_optional():
    play = with_card(EXPANSION, "7,2: . b").do(card(EXPANSION), car((7, 2), E))
    assert play.lies("7,2: a . b")
    play = with_card(EXPANSION, "7,2: . b").do(card(EXPANSION), car((7, 2)))
    assert play.lies("7,2: a b")


@pytest.mark.rule("CB-K12")
def test_after_expansion_a_magnet_need_not_pull():
    play = with_card(EXPANSION, "7,2: * a", "4,6: b", "9,9: o").do(card(EXPANSION))
    assert play.magnet_cells() == set(ALL_CELLS) - {(7, 2), (7, 3), (4, 6), (9, 9)}
    assert play.do(magnet((11, 4))).lies("7,2: * a", "4,6: b", "9,9: o", "11,4: A")
    play = with_card(EXPANSION, "7,4: b").do(card(EXPANSION), magnet((7, 2)))
    assert play.lies("7,2: A b"), "but where it can, it pulls"


@pytest.mark.rule("CB-K12")
def test_a_new_magnet_may_hold_up_another_one_after_expansion():
    play = with_card(EXPANSION, "7,2: . . b B").do(card(EXPANSION), magnet((7, 2)))
    assert play.lies("7,2: A . b B"), "the car is next to the other magnet"


@pytest.mark.rule("CB-K12")
def test_a_car_placed_in_range_of_a_magnet_after_expansion_is_pulled():
    """It may be pulled onto a bell only if bells may ring; on 7.4 no magnet reaches it."""
    play = with_card(EXPANSION, "7,1: A * .", "5,9: a b", turn=5).do(card(EXPANSION))
    assert play.refuses(car((7, 3)), "CB-E2") and play.can(car((7, 4)))
    play = with_card(EXPANSION, "7,1: A * .", "5,9: a b", values={(7, 2): 3}).do(card(EXPANSION), car((7, 3)))
    assert play.lies("7,1: A", "5,9: a b") and play.scores() == (13, 10)


@pytest.mark.rule("CB-K12")
def test_a_car_placed_between_after_expansion_breaks_a_pull_and_frees_the_other():
    play = with_card(EXPANSION, "7,2: A . b", "5,5: B").do(card(EXPANSION), car((6, 5)))
    assert play.lies("7,2: A b", "6,5: a", "5,5: B")


@pytest.mark.rule("CB-K13")
def test_diagram_9_czech_action_and_reaction():
    play = with_card(ACTION_AND_REACTION, "7,4: b").do(card(ACTION_AND_REACTION), car((7, 3), E))
    assert play.lies("7,2: a . . b") and "CB-K13" in play.cited()


@pytest.mark.rule("CB-K13")
def test_cars_behind_the_new_one_form_a_line_with_it():
    play = with_card(ACTION_AND_REACTION, "7,3: b . a").do(card(ACTION_AND_REACTION), car((7, 4), E))
    assert play.lies("7,2: b . a . a")


@pytest.mark.rule("CB-K13")
def test_a_car_behind_falls_off():
    play = with_card(ACTION_AND_REACTION, "7,0: b . a", "9,9: b").do(card(ACTION_AND_REACTION), car((7, 1), E))
    assert play.lies("7,1: a . a", "9,9: b") and play.scores() == (12, 10)


@pytest.mark.rule("CB-K13")
def test_the_reaction_comes_also_where_the_operator_took_the_hit():
    play = with_card(ACTION_AND_REACTION, "7,4: b o").do(card(ACTION_AND_REACTION), car((7, 3), E))
    assert play.lies("7,2: a . b o")


@pytest.mark.rule("CB-K13")
def test_the_operator_takes_the_reaction_too():
    play = with_card(ACTION_AND_REACTION, "7,2: o . b").do(card(ACTION_AND_REACTION), car((7, 3), E))
    assert play.lies("7,2: o a . b")


@pytest.mark.rule("CB-K13")
def test_an_own_car_that_reacts_off_the_board_brings_nothing():
    play = with_card(ACTION_AND_REACTION, "7,1: b", "9,9: a").do(card(ACTION_AND_REACTION), car((7, 0), E))
    assert play.lies("7,2: b", "9,9: a") and play.scores() == (10, 10) and play.stock(0) == (9, True)


@pytest.mark.rule("CB-K13")
def test_the_reaction_rings_a_bell():
    play = with_card(ACTION_AND_REACTION, "7,4: * . b", "4,6: .", "9,9: b a", values={(7, 4): 3})
    play.do(card(ACTION_AND_REACTION), car((7, 5), E))
    assert play.lies("7,7: b", "9,9: b a") and play.scores() == (13, 10) and play.gone() == {11}


@pytest.mark.rule("CB-K13")
@pytest.mark.rule("CB-E3")
def test_a_reaction_and_an_action_that_ring_both_are_illegal():
    play = with_card(ACTION_AND_REACTION, "7,4: * . b .", "9,9: b a").do(card(ACTION_AND_REACTION))
    assert play.can(car((7, 5), E))
    play = with_card(ACTION_AND_REACTION, "7,4: * . b *", "9,9: b a").do(card(ACTION_AND_REACTION))
    assert play.refuses(car((7, 5), E), *ONE_BELL)


@pytest.mark.rule("CB-K13")
def test_action_and_reaction_is_no_english_card():
    play = board(edition="english")
    assert tables.copies(play.table, ACTION_AND_REACTION) == 0
    assert sum(tables.copies(play.table, kind) for kind in range(KINDS)) == 36
    play = board(edition="czech")
    assert sum(tables.copies(play.table, kind) for kind in range(KINDS)) == 39


@pytest.mark.rule("CB-K9")
@pytest.mark.rule("CB-K12")
@pytest.mark.parametrize("blue", [DOUBLE_HIT, CAR_RACKET, TANDEM, EXPANSION, ACTION_AND_REACTION])
def test_after_a_blue_card_a_car_is_placed(blue):
    play = with_card(blue, "6,1: b", "7,2: b . . . b").do(card(blue))
    sorts = {action // SORT * SORT for action in play.actions()}
    assert sorts == ({CAR, MAGNET} if blue == EXPANSION else {CAR})
    assert play.refuses(STROLL, f"CB-K{blue + 1}") and play.can(magnet((7, 4))) == (blue == EXPANSION)


@pytest.mark.rule("CB-K9")
@pytest.mark.parametrize("blue", [DOUBLE_HIT, CAR_RACKET, TANDEM, ACTION_AND_REACTION])
def test_a_blue_card_needs_a_car_in_stock(blue):
    rows = ("7,1: a a a a a", "9,1: a a a a a", "7,9: b")
    play = with_card(blue, *rows)
    assert blue not in play.cards() and play.refuses(card(blue), f"CB-K{blue + 1}")


@pytest.mark.rule("CB-K12")
def test_expansion_needs_a_car_or_the_magnet_in_stock():
    rows = ("7,1: a a a a a", "9,1: a a a a a", "7,9: b")
    play = with_card(EXPANSION, *rows).do(card(EXPANSION))
    assert {action // SORT * SORT for action in play.actions()} == {MAGNET}
    assert EXPANSION not in with_card(EXPANSION, *rows, "11,1: A").cards()


@pytest.mark.rule("CB-M2")
def test_the_magnet_check_follows_a_blue_card_too():
    """The second action is judged on the position after that check."""
    play = with_card(TANDEM, "7,2: A . b").do(card(TANDEM))
    assert play.lies("7,2: A b") and play.asks(0)


# Scorings


@pytest.mark.rule("CB-E1")
@pytest.mark.parametrize("edition", EDITIONS)
def test_both_sides_score_and_the_tile_leaves_with_its_cars(edition):
    play = board(*RINGABLE, values=VALUES, edition=edition).do(car((7, 0), E))
    assert play.scores() == (10 + 2 + 1, 10 + 3 + 2)
    assert play.lies("7,0: a", "9,9: b", "11,9: a") and play.gone() == {11}
    assert play.stock(0) == (8, True) and play.stock(1) == (9, True)
    assert play.table.scorings[0] == 1 and play.asks(0)


@pytest.mark.rule("CB-E1")
@pytest.mark.rule("CB-F3")
def test_a_scoring_counts_car_by_car():
    play = board(*RINGABLE, values=VALUES).do(car((7, 0), E))
    counted = {(spot, value) for _, spot, value, _ in play.noted("CB-F3") if value}
    assert counted == {(cell(spot), VALUES[spot]) for spot in [(7, 0), (7, 2), (8, 4), (9, 9)]}
    totals = [0, 0]
    for piece, _, value, total in play.noted("CB-F3"):
        totals[piece // 11] += value
        assert total == totals[piece // 11]
    assert totals == [3, 5]


@pytest.mark.rule("CB-E1")
def test_the_operator_stays_in_the_hole():
    play = board(*RINGABLE, "6,3: o").do(car((7, 0), E))
    assert play.lies("7,0: a", "9,9: b", "11,9: a", "7,3: o")


@pytest.mark.rule("CB-E1")
@pytest.mark.parametrize(
    ("rows", "ring"),
    [
        (("7,0: . b *",), car((7, 0), E)),
        (("7,0: o b *",), walk(E, NE)),
        (("7,1: b *",), magnet((7, 3))),
        (("7,1: b *",), card(FREE_RIDE, (7, 1), (7, 2))),
        (("7,1: A * b",), IDLE),
        (("7,1: B * b",), STROLL),
    ],
)
def test_what_moves_a_car_onto_a_bell(rows, ring):
    hands = {0: [FREE_RIDE, DEAD_ACCUMULATOR]}
    play = board(*rows, "5,5: b", turn=6, hands=hands, values={(7, 2): 3}).do(ring)
    assert play.table.scorings[0] == 1 and play.gone() == {11} and play.scores() == (10, 13)
    play = board(*rows, "5,5: b", turn=5, hands=hands)
    assert play.refuses(ring, "CB-E2")


@pytest.mark.rule("CB-E2")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize(("turn", "can"), [(1, False), (5, False), (6, True), (7, True)])
def test_the_first_scoring_is_in_turn_6(edition, players, turn, can):
    play = board("7,0: . b *", "5,5: b", edition=edition, players=players, turn=turn)
    assert play.refuses(car((7, 0), E), "CB-E2") == (not can)
    assert play.can(magnet((7, 3))) == can


TWO_BELLS = ("7,0: . b *", "4,3: . b *", "9,9: b")


@pytest.mark.rule("CB-E2")
def test_one_scoring_a_turn_or_any_number():
    play = board(*TWO_BELLS, edition="czech").do(car((7, 0), E))
    assert play.refuses(car((4, 3), E), "CB-E2")
    play.do(STROLL)
    assert play.asks(1) and play.do(car((4, 3), E)).table.scorings[0] == 2
    play = board(*TWO_BELLS, edition="english").do(car((7, 0), E), car((4, 3), E))
    assert play.table.scorings[0] == 2 and play.gone() == {7, 11}


@pytest.mark.rule("CB-E2")
def test_a_forbidden_scoring_forbids_every_action_that_lets_the_magnet_ring():
    """An action that ends the pull is allowed, such as putting a car in between."""
    play = board("7,1: A * b", "6,1: b", "5,9: b", turn=5, hands={0: [SABOTEUR, DEAD_ACCUMULATOR]})
    assert play.refuses(STROLL, "CB-E2") and play.refuses(IDLE, "CB-E2")
    assert play.can(card(SABOTEUR, (7, 3))) and not play.can(card(SABOTEUR, (6, 1)))


# A magnet on flower 11 and one beside flower 13 compete for the car at 7.6; a car can ring beyond the other flower
HELD_UP = ("7,0: . b * . B . a . A", "11,1: b")
HELD_VALUES = {(7, 0): 1, (7, 2): 3, (7, 4): 1, (7, 6): 1, (7, 7): 3, (7, 8): 2, (11, 1): 2}


@pytest.mark.rule("CB-E3")
@pytest.mark.parametrize("edition", EDITIONS)
def test_bells_are_scored_before_the_magnets_pull(edition):
    """The car scores on its cell, then the tile leaves with one of the two magnets, and the car moves."""
    play = board(*HELD_UP, values=HELD_VALUES, edition=edition).do(car((7, 0), E))
    assert play.lies("7,0: a", "7,7: a A", "11,1: b")
    assert play.scores() == (10 + 1 + 1 + 2, 10 + 3 + 1 + 2)


HELD_UP_AND_BELL = ("7,0: . b * . B . a * A", "11,1: b")


@pytest.mark.rule("CB-E3")
def test_a_pull_that_rings_after_a_scoring_in_both_editions():
    play = board(*HELD_UP_AND_BELL, values=HELD_VALUES, edition="czech")
    assert play.refuses(car((7, 0), E), *ONE_BELL)
    play = board(*HELD_UP_AND_BELL, values=HELD_VALUES, edition="english").do(car((7, 0), E))
    first, second = (1 + 1 + 2, 3 + 1 + 2), (1 + 3 + 2, 2)
    assert play.scores() == (10 + first[0] + second[0], 10 + first[1] + second[1])
    assert play.lies("7,0: a", "11,1: b") and play.gone() == {11, 13} and play.table.scorings[0] == 2


@pytest.mark.rule("CB-E3")
@pytest.mark.parametrize("edition", EDITIONS)
def test_nothing_happens_after_the_seventh_scoring(edition):
    play = board(*HELD_UP_AND_BELL, values=HELD_VALUES, scorings=6, edition=edition).do(car((7, 0), E))
    assert play.table.phase[0] == OVER and play.table.scorings[0] == 7
    assert play.scores() == (10 + 1 + 1 + 2, 10 + 3 + 1 + 2)
    assert play.lies("7,0: a", "7,6: a * A", "11,1: b")


@pytest.mark.rule("CB-E3")
@pytest.mark.parametrize("edition", EDITIONS)
def test_no_second_check_after_a_bell_that_a_magnet_rang(edition):
    """The magnet on the tile leaves with it; the other's pull is free then, and waits for the next action."""
    play = board("7,4: B . a . A", "6,9: *", "5,9: b", edition=edition).do(IDLE)
    assert play.lies("7,4: B . a") and play.gone() == {13}
    assert play.do(IDLE).lies("7,4: B a")


@pytest.mark.rule("CB-E3")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_bell_stays_rung_when_its_car_is_pushed_on(edition):
    values = {(7, 2): 1, (7, 3): 3, (7, 5): 2}
    play = board("7,0: o b *", "5,9: b", values=values, edition=edition).do(walk(E, E))
    assert play.lies("7,3: o", "5,9: b") and play.scores() == (10, 13) and play.gone() == {11}
    play = board("7,0: o b *", "5,9: b", values=values, edition=edition).do(walk(E, E, E, E))
    assert play.lies("7,3: o", "7,5: b", "5,9: b") and play.scores() == (8, 12) and play.gone() == {11}


@pytest.mark.rule("CB-E3")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_bell_stays_rung_when_its_car_is_pushed_off_the_floor(edition):
    play = board("4,10: o b *", "9,9: b", values={(9, 9): 1}, edition=edition).do(walk(E, E))
    assert play.lies("4,11: o", "9,9: b") and play.gone() == {9} and play.scores() == (12, 11)


@pytest.mark.rule("CB-E3")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_bell_rings_once_in_an_action(edition):
    """Two cars are pushed over it, one after the other."""
    rows = ("7,0: o b a *", "5,9: a b")
    play = board(*rows, values={(7, 3): 2, (7, 4): 1}, edition=edition).do(walk(E, E))
    assert play.lies("7,3: o", "5,9: a b") and play.table.scorings[0] == 1 and play.scores() == (11, 12)


# One car hits two: 7.4 to the bell on flower 11, and 7.6 to the bell on flower 13
BOTH_RING = ("7,3: * a . b *", "11,1: b")
BOTH_VALUES = {(7, 3): 3, (7, 5): 1, (7, 7): 2}


@pytest.mark.rule("CB-E3")
@pytest.mark.rule("CB-K9")
@pytest.mark.parametrize(("first", "second", "scores"), [(E, W, (18, 12)), (W, E, (15, 14))])
def test_a_double_hit_that_rings_twice_in_both_editions(first, second, scores):
    """East first: 4 to 2, the tile leaves with the car of side 1, 4 to 0. West first: 4 to 2, then 1 to 2."""
    play = with_card(DOUBLE_HIT, *BOTH_RING, "11,3: a", values=BOTH_VALUES, edition="czech").do(card(DOUBLE_HIT))
    assert (7, 5) not in play.placements()
    assert play.refuses(car((7, 5), E, W), *ONE_BELL)
    play = with_card(DOUBLE_HIT, *BOTH_RING, values=BOTH_VALUES, edition="english").do(card(DOUBLE_HIT))
    play.do(car((7, 5), first, second))
    assert play.scores() == scores and play.lies("7,5: a", "11,1: b") and play.gone() == {11, 13}


@pytest.mark.rule("CB-E3")
@pytest.mark.rule("CB-K9")
@pytest.mark.parametrize(("first", "second", "gone"), [(E, W, 13), (W, E, 11)])
def test_the_eighth_bell_is_ignored(first, second, gone):
    play = with_card(DOUBLE_HIT, *BOTH_RING, values=BOTH_VALUES, edition="english", scorings=6)
    play.do(card(DOUBLE_HIT), car((7, 5), first, second))
    assert play.scores() == (14, 12) and play.gone() == {gone} and play.table.scorings[0] == 7
    assert play.winners() == {0}


@pytest.mark.rule("CB-E3")
def test_bells_that_the_operator_rings_are_scored_in_the_order_in_which_they_rang():
    """Row 7 is first: 3 to 2, its tile leaves with the car of side 0, 0 to 2."""
    rows, values = ("7,0: o a *", "6,1: b", "5,0: *", "9,9: a b"), {(7, 2): 3, (5, 0): 2}
    play = board(*rows, values=values, edition="english").do(walk(E, NW))
    assert play.scores() == (13, 14) and play.lies("6,1: o", "9,9: a b") and play.gone() == {5, 11}
    assert board(*rows, values=values, edition="czech").refuses(walk(E, NW), *ONE_BELL)


@pytest.mark.rule("CB-E3")
def test_two_hits_that_both_ring_are_two_bells_before_the_last_scoring_too():
    """The seventh scoring prevents the magnet check after it, but not the action's own bells."""
    play = with_card(DOUBLE_HIT, *BOTH_RING, "11,3: a", edition="czech", scorings=6).do(card(DOUBLE_HIT))
    assert (7, 5) not in play.placements() and play.refuses(car((7, 5), E, W), *ONE_BELL)


# A magnet on 6.5 pulls from flower 7 over the bell at 5.5, and from flower 11 over the bell at 6.4
PULLED_BOTH = ("4,6: b", "5,5: *", "6,3: a *", "11,1: b")
PULLED_VALUES = {(5, 5): 3, (6, 4): 2, (6, 5): 1}


@pytest.mark.rule("CB-E3")
def test_bells_of_one_round_of_magnets_are_scored_by_row():
    """Row 5 is first: 3 to 3; then, without flower 7, 3 to 0. The pieces are numbered the other way round."""
    play = board(*PULLED_BOTH, values=PULLED_VALUES, edition="english")
    play.table.cell[BELL], play.table.cell[BELL + 1] = play.table.cell[BELL + 1], play.table.cell[BELL]
    play.do(magnet((6, 5)))
    assert play.scores() == (16, 13) and play.lies("6,5: A", "11,1: b") and play.gone() == {7, 11}
    assert board(*PULLED_BOTH, values=PULLED_VALUES).refuses(magnet((6, 5)), *ONE_BELL)


@pytest.mark.rule("CB-E3")
def test_bells_of_one_round_of_magnets_in_one_row_are_scored_by_column():
    """7.2 is first: 4 to 2; then, without flower 11, 4 to 1."""
    rows, values = ("7,1: A * b", "7,6: B * a", "11,1: a b"), {(7, 1): 1, (7, 2): 1, (7, 6): 1, (7, 7): 3}
    play = board(*rows, values=values, edition="english")
    play.table.cell[BELL], play.table.cell[BELL + 1] = play.table.cell[BELL + 1], play.table.cell[BELL]
    play.do(IDLE)
    assert play.scores() == (18, 13) and play.lies("7,1: A", "7,6: B", "11,1: a b") and play.gone() == {11, 13}
    assert board(*rows, values=values).refuses(IDLE, *ONE_BELL)


@pytest.mark.rule("CB-E3")
@pytest.mark.rule("CB-K7")
def test_a_powerless_bell_is_the_first_one_only():
    """The score is 3 to 3 twice: flower 7 stays with its car, flower 11 leaves with the other."""
    play = with_card(POWERLESS_BELL, *PULLED_BOTH, values=PULLED_VALUES, edition="english")
    play.do(card(POWERLESS_BELL), magnet((6, 5)))
    assert play.scores() == (16, 16) and play.lies("5,5: b", "6,5: A", "11,1: b") and play.gone() == {11}
    play = with_card(POWERLESS_BELL, *PULLED_BOTH, edition="czech")
    assert not play.can(card(POWERLESS_BELL)) or not play.do(card(POWERLESS_BELL)).can(magnet((6, 5)))


@pytest.mark.rule("CB-E3")
@pytest.mark.rule("CB-K8")
def test_a_shady_exception_is_for_the_first_scoring_only():
    """The first is reversed, 1 + 3 to 0 + 3; the second without flower 7 is as usual, 2 + 0 to 0."""
    values = PULLED_VALUES | {(6, 5): 0}
    play = with_card(SHADY_EXCEPTION, *PULLED_BOTH, values=values, edition="english")
    play.do(card(SHADY_EXCEPTION), magnet((6, 5)))
    assert play.scores() == (10 + 4 + 2, 10 + 3 + 0)


# The end


@pytest.mark.rule("CB-E4")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("scores", "winners"), [((10, 10), {1}), ((13, 10), {0, 1}), ((14, 10), {0})])
def test_the_seventh_scoring_ends_the_game_at_once(edition, scores, winners):
    play = board("7,0: . b *", "9,9: b", scorings=6, scores=scores, values={(7, 2): 3}, edition=edition)
    play.do(car((7, 0), E))
    assert play.table.phase[0] == OVER and play.winners() == winners and "CB-E4" in play.cited()


@pytest.mark.rule("CB-E4")
def test_the_sixth_scoring_does_not():
    play = board("7,0: . b *", "9,9: b", scorings=5).do(car((7, 0), E))
    assert play.asks(0) and play.winners() is None


@pytest.mark.rule("CB-E4")
@pytest.mark.parametrize(("theirs", "winners"), [(11, {0}), (12, {0, 1}), (13, {1})])
def test_a_side_without_cars_ends_the_game_and_the_points_of_the_action_count(theirs, winners):
    play = board("7,10: . b", scores=(10, theirs)).do(car((7, 10), E))
    assert play.table.phase[0] == OVER and play.scores() == (12, theirs) and play.winners() == winners


@pytest.mark.rule("CB-E4")
def test_the_own_last_car_counts_too():
    play = board("7,9: o . a", "9,9: b").do(walk(E, E))
    assert play.table.phase[0] == OVER and play.winners() == {0, 1}


@pytest.mark.rule("CB-E4")
def test_a_scoring_can_take_the_last_cars_of_both_sides():
    """The operator pushes the only car of side 1 onto the bell; the only one of side 0 is on its tile."""
    play = board("7,0: o b *", "7,4: a", values={(7, 2): 2, (7, 4): 3}).do(walk(E, NE))
    assert play.table.phase[0] == OVER and play.lies("6,2: o") and play.winners() == {0}
    assert play.scores() == (13, 12)


@pytest.mark.rule("CB-E4")
def test_the_magnets_have_pulled_before_it_is_seen_whether_the_game_is_over():
    """The last car of side 1 is removed; the check after it rings a bell, which is scored, and then the game ends."""
    play = board("7,1: A * a", "9,9: b", hands={0: [SABOTEUR]}, values={(7, 2): 3})
    play.do(card(SABOTEUR, (9, 9)))
    assert play.table.phase[0] == OVER and play.scores() == (13, 10) and play.table.scorings[0] == 1


@pytest.mark.rule("CB-E5")
@pytest.mark.parametrize(("scores", "winners"), [((9, 10), {1}), ((10, 10), {0, 1}), ((11, 10), {0})])
def test_the_game_ends_with_the_last_turn(scores, winners):
    play = board(turn=20, turn_limit=20, scores=scores).do(STROLL)
    assert play.winners() is None
    play.do(walk(W, W))
    assert play.winners() == winners and "CB-E5" in play.cited()


@pytest.mark.rule("CB-E5")
@pytest.mark.parametrize(
    ("turn", "limit", "over"),
    [(299, {}, False), (300, {}, True), (300, {"turn_limit": None}, False), (20, {"turn_limit": 21}, False)],
)
def test_the_turn_limit_is_300_or_as_chosen_or_none(turn, limit, over):
    play = board(turn=turn, **limit).do(STROLL, walk(W, W))
    assert (play.winners() is not None) == over


# Four players


@pytest.mark.rule("CB-V1")
def test_turns_go_clockwise():
    play, seats = board(players=4), []
    for _ in range(5):
        seats.append(play.table.asked[0])
        assert not play.can(FORFEIT)
        play.do(walk(W, W), walk(E, E))
    assert seats == [0, 1, 2, 3, 0] and play.table.turn[0] == 13


@pytest.mark.rule("CB-V1")
@pytest.mark.parametrize(
    ("seat", "letter", "scores", "batteries"),
    [
        (0, "a", (12, 10), [3, 4]),
        (1, "b", (10, 10), [4, 3]),
        (2, "a", (12, 10), [3, 4]),
        (3, "b", (10, 10), [4, 3]),
    ],
)
def test_a_team_has_its_cars_batteries_and_score_together(seat, letter, scores, batteries):
    play = board("7,10: . b", "5,5: a b", players=4, seat=seat).do(car((7, 10), E, batteries=1))
    assert play.lies(f"7,10: {letter}", "5,5: a b") and play.scores() == scores and play.table.batteries == batteries


@pytest.mark.rule("CB-V1")
def test_partners_win_together():
    play = board("7,10: . b", players=4, seat=2).do(car((7, 10), E))
    assert play.winners() == {0, 2}
    play = board("7,10: . a", players=4, seat=3, scores=(12, 10)).do(car((7, 10), E))
    assert play.winners() == {0, 1, 2, 3}


@pytest.mark.rule("CB-V1")
@pytest.mark.rule("CB-K6")
@pytest.mark.parametrize("seat", range(4))
def test_dead_accumulator_hits_the_next_turn_of_the_other_team(seat):
    hands = {seat: [DEAD_ACCUMULATOR]}
    play = board("7,2: . b", "9,2: . a", players=4, seat=seat, hands=hands, full=False).do(IDLE, STROLL).draws()
    can = []
    for _ in range(4):
        can.append(play.can(car((7, 2), E, batteries=1)))
        play.do(walk(E, E) if play.table.turn[0] % 2 else STROLL)
        play.do(walk(W, W) if play.table.turn[0] % 2 and play.floor().get((0, 12)) == "o" else play.sort(WALK)[0])
        play.draws()
    assert can == [False, True, True, True]


def pile_cards(play, *cards):
    """Draw these cards from the pile, once it is chance's turn."""
    for kind in cards:
        while play.table.phase[0] == DRAWING:
            assert play.actions() == [TAKE + FROM_PILE]
            play.do(TAKE + FROM_PILE)
        play.do(TURN_UP + kind)
    return play


@pytest.mark.rule("CB-V1")
def test_who_draws_takes_two_cards_keeps_one_and_discards_the_other():
    play = board(players=4, hands={0: [LAMBADA, LAMBADA]}, full=False, seat=0).do(STROLL, walk(W, W))
    pile_cards(play, TANDEM, EXPANSION)
    assert play.asks(0, KEEP) and set(play.actions()) == {DISCARD + TANDEM, DISCARD + EXPANSION}
    assert play.hand(0) == [LAMBADA, LAMBADA] and play.table.hand_size[0] == 2
    play.do(DISCARD + TANDEM)
    assert play.hand(0) == [LAMBADA, LAMBADA, EXPANSION] and play.table.discards[TANDEM] == 1
    assert play.asks(1) and "CB-V1" in play.cited()


@pytest.mark.rule("CB-V1")
def test_two_equal_cards_leave_no_choice():
    play = board(players=4, hands={0: [LAMBADA, LAMBADA]}, full=False).do(STROLL, walk(W, W))
    pile_cards(play, TANDEM, TANDEM)
    while play.asks(0, KEEP):
        assert play.actions() == [DISCARD + TANDEM]
        play.do(DISCARD + TANDEM)
    assert play.hand(0) == [LAMBADA, LAMBADA, TANDEM] and play.table.discards[TANDEM] == 1


@pytest.mark.rule("CB-V1")
@pytest.mark.parametrize("acted", range(2))
def test_an_exchange_draws_two_cards_in_czech(acted):
    """Played cards are replaced two for one, exchanged cards one for one."""
    play = board(players=4, acted=acted, hands={0: [LAMBADA, SABOTEUR, SABOTEUR]}).do(exchange(SABOTEUR, LAMBADA))
    pile_cards(play, TANDEM, EXPANSION)
    assert play.hand(0) == [SABOTEUR, TANDEM, EXPANSION] and play.asks(acted, ACTION)
    assert not any(play.table.hand_size[seat] > 3 or play.table.drawn[0] != NOWHERE for seat in range(4))


@pytest.mark.rule("CB-V1")
def test_an_exchange_draws_twice_two_cards_in_english():
    hands = {0: [LAMBADA, SABOTEUR, SABOTEUR]}
    play = board(players=4, hands=hands, edition="english").do(exchange(SABOTEUR, LAMBADA))
    pile_cards(play, TANDEM, EXPANSION).do(DISCARD + EXPANSION)
    pile_cards(play, FREE_RIDE, DOUBLE_HIT).do(DISCARD + DOUBLE_HIT)
    assert play.hand(0) == [FREE_RIDE, SABOTEUR, TANDEM] and play.asks(0, ACTION)
    assert play.table.discards[EXPANSION] == play.table.discards[DOUBLE_HIT] == 1


@pytest.mark.rule("CB-V1")
def test_the_second_card_comes_from_the_shuffled_discards():
    play = board(players=4, hands={0: [LAMBADA, LAMBADA]}, full=False, discards="all")
    play.table.discards[TANDEM] -= 1
    play.do(STROLL, walk(W, W))
    while play.table.phase[0] == DRAWING:
        play.do(TAKE + FROM_PILE)
    assert play.actions() == [TURN_UP + TANDEM]
    play.do(TURN_UP + TANDEM)
    assert {TURN_UP + EXPANSION, TURN_UP + TANDEM} <= set(play.actions())
    play.do(TURN_UP + EXPANSION)
    assert sum(play.table.discards) == 0 and play.do(DISCARD + TANDEM).hand(0) == [LAMBADA, LAMBADA, EXPANSION]


@pytest.mark.rule("CB-V1")
def test_four_players_have_no_face_up_cards():
    play = board(players=4, hands={0: [LAMBADA, LAMBADA]}, full=False).do(STROLL, walk(W, W)).draws()
    assert play.table.display == [NOWHERE] * 3 and play.asks(1) and play.table.hand_size == [3, 0, 0, 0]


@pytest.mark.rule("CB-K12")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("kind", [TANDEM, EXPANSION])
@pytest.mark.parametrize("scorings", [0, 6])
def test_no_binding_card_where_its_own_check_ends_the_game(edition, kind, scorings):
    """The magnet rings with the only car of side 1, or for the seventh time; then there is no second action."""
    rows = ("7,1: A * b", "9,9: a") if scorings == 0 else ("7,1: A * b", "9,9: b")
    play = with_card(kind, *rows, edition=edition, scorings=scorings)
    assert not play.can(card(kind)) and play.can(STROLL)
