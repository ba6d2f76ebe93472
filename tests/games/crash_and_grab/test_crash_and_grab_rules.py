"""Each rule of Crash & Grab is tested from the rules text alone; the mark names the rule that a test proves."""

import random
from collections import Counter

import pytest
from crash_and_grab_positions import BLUE, CLOCKWISE, COUNTER, GREEN, PINK, PURPLE, RED, YELLOW, Play, board, crew, ends
from oracles import crash_and_grab_line as oracle

from crashlab.engine.chance import Random
from crashlab.engine.options import settle
from crashlab.engine.table import NOWHERE
from crashlab.games.crash_and_grab import rules
from crashlab.games.crash_and_grab import state as tables
from crashlab.games.crash_and_grab.state import *

ALL_WAYS = (UP, RIGHT, DOWN, LEFT)
CREW_NAMES = [f"{colour} {kind}" for colour in tables.COLOUR_NAMES for kind in tables.TYPE_NAMES]
THREE = "{0} pilot, {0} engineer, {0} doctor"


def start(players, seed=0, **options):
    return Play(tables.set_up(settle(tables.OPTIONS, {"players": players, **options}), Random(seed)))


# The board

FACES_IN_THE_RULES = """
1A            1B            2A            2B            3A            3B            4A            4B
. 1 . A       A 2 . .       . . A .       . 4 . .       . 7 . .       . . A .       .  .  11 .    .  . 10 .
. . 3 .       . . 1 .       . . . 5       . . A .       . . 9 .       . 8 . .       10 .  .  .    12 A .  .
2 . . .       . . . 3       4 A . .       6 . . A       A . . 8       A . . 9       .  .  A  .    .  . .  11
A . . .       . . . A       . . 6 .       . . 5 .       . A . .       . . 7 .       .  12 .  A    .  . .  A
"""
CROSS_OF_FIVE = ["...A|..A.", "....|....", ".A..|A...", "....|....", "A|."]
CROSS_OF_SIX = ["..../A...|...A/....", "..../..A.|.A../....", "A.../....|..../...A", "..A./....|..../.A..", "../.A"]


def number(word):
    return {".": 0, "A": ACCELERATOR}.get(word) if word in ".A" else int(word)


def faces():
    """Return the eight faces of the rules, two for each tile."""
    rows = [line.split() for line in FACES_IN_THE_RULES.strip().splitlines()[1:]]
    return [[[number(word) for word in row[4 * face : 4 * face + 4]] for row in rows] for face in range(8)]


def turned(face):
    """Turn a face by a quarter clockwise: new[r][c] = old[5-c][r], counted from 1."""
    size = len(face)
    return [[face[size - 1 - c][r] for c in range(size)] for r in range(size)]


def turnings(face):
    """Return the four rotations of a face; two of a divider are laid down."""
    rows, faces = [list(row) for row in face], []
    for _ in range(4):
        faces.append(rows)
        rows = [list(row) for row in zip(*rows[::-1], strict=True)]
    return faces


def patch(table, row, column, height, width):
    return [table.ground[10 * r + column : 10 * r + column + width] for r in range(row, row + height)]


@pytest.mark.rule("CG-B1")
@pytest.mark.parametrize(("players", "size"), [(2, 8), (3, 8), (4, 8), (5, 9), (6, 10)])
def test_the_size_of_the_board(players, size):
    table = start(players).table
    assert table.size[0] == size
    assert all(table.ground[10 * r + c] == 0 for r in range(10) for c in range(10) if r >= size or c >= size)


@pytest.mark.rule("CG-B1")
@pytest.mark.rule("CG-B2")
@pytest.mark.parametrize("players", range(2, 7))
def test_corners_are_the_four_tiles_in_any_place_side_and_turn(players):
    counts, far = Counter(), {8: 4, 9: 5, 10: 6}
    for seed in range(60):
        table = start(players, seed).table
        gap = far[table.size[0]]
        corners = []
        for corner, (row, column) in enumerate([(0, 0), (0, gap), (gap, 0), (gap, gap)]):
            lying = patch(table, row, column, 4, 4)
            fits = [(f, t) for f, face in enumerate(faces()) for t, rows in enumerate(turnings(face)) if rows == lying]
            assert len(fits) == 1
            corners.append(fits[0][0] // 2)
            counts[corner, fits[0][0]] += 1
            counts["turn", fits[0][1]] += 1
        assert sorted(corners) == [0, 1, 2, 3]
    assert len(counts) == 4 * 8 + 4


@pytest.mark.rule("CG-B2")
def test_a_quarter_turn_is_clockwise():
    table = tables.empty(settle(tables.OPTIONS, {}))
    for turns in range(8):
        tables.lay_tile(table, 3, 7, turns)
        face = faces()[7]
        for _ in range(turns):
            face = turned(face)
        assert patch(table, 4, 4, 4, 4) == face


@pytest.mark.rule("CG-B2")
@pytest.mark.rule("CG-B3")
@pytest.mark.parametrize(("players", "accelerators"), [(2, {8}), (3, {8}), (4, {8}), (5, {10, 11}), (6, {13})])
def test_twelve_crash_sites_and_so_many_accelerators(players, accelerators):
    numbers = set()
    for seed in range(20):
        table = start(players, seed).table
        assert sorted(what for what in table.ground if 0 < what <= 12) == list(range(1, 13))
        numbers.add(table.ground.count(ACCELERATOR))
    assert numbers == accelerators


@pytest.mark.rule("CG-B3")
@pytest.mark.parametrize(("players", "gap", "cross"), [(5, 1, CROSS_OF_FIVE), (6, 2, CROSS_OF_SIX)])
def test_the_cross_is_made_of_the_dividers(players, gap, cross):
    tiles = [
        [[[number(word) for word in row] for row in face.split("/")] for face in tile.split("|")] for tile in cross
    ]
    variants = set()
    for seed in range(80):
        table = start(players, seed).table
        arms = [(4, 0, gap, 4), (4, 4 + gap, gap, 4), (0, 4, 4, gap), (4 + gap, 4, 4, gap), (4, 4, gap, gap)]
        dividers = Counter()
        lying = [patch(table, *arm) for arm in arms]
        for place, rows in enumerate(lying):
            fits = [t for t, tile in enumerate(tiles) if any(rows in turnings(face) for face in tile)]
            assert fits and (4 in fits) == (place == 4)
            dividers[min(fits)] += 1
            variants.add((place, str(rows)))
        # 5 players: turned, the two faces with an accelerator look alike, and so do both plain ones
        assert dividers == ({0: 2, 1: 2, 4: 1} if players == 5 else dict.fromkeys(range(5), 1))
    # Each divider on each arm: 4x1 A..., .A.., ..A., ...A, plain; 4x2 each of eight spaces; the centre
    assert len(variants) == (4 * 5 + 2 if players == 5 else 4 * 8 + 4)


@pytest.mark.rule("CG-B4")
def test_markers_stand_at_the_four_sides():
    assert dict(zip((UP, RIGHT, DOWN, LEFT), tables.MARKERS, strict=True)) == {
        UP: "Sun",
        RIGHT: "Asteroids",
        DOWN: "Meteor",
        LEFT: "Stars",
    }


@pytest.mark.rule("CG-B5")
@pytest.mark.parametrize(("players", "size"), [(3, 8), (4, 8), (5, 9), (6, 10)])
def test_off_the_grid_is_a_crash(players, size):
    last = size - 1
    for direction, space in {UP: 3, RIGHT: 30 + last, DOWN: 10 * last + 7, LEFT: 30}.items():
        play = board({RED: space}, players).ride(RED, 1, direction)
        assert play.at(RED) is None and "CG-B5" in play.cited()
    for direction, space in {UP: 13, RIGHT: 30 + last - 1, DOWN: 10 * last - 10 + 7, LEFT: 31}.items():
        play = board({RED: space}, players).ride(RED, 1, direction)
        assert play.at(RED) == space + (-10, 1, 10, -1)[direction]


# Set-up


@pytest.mark.rule("CG-S1")
@pytest.mark.parametrize(
    ("players", "saucers", "colours", "pilots", "boosters"),
    [(2, 4, 5, 0, 0), (3, 3, 4, 2, 0), (4, 4, 5, 2, 1), (5, 5, 6, 3, 1), (6, 6, 6, 4, 1)],
)
def test_what_is_on_the_board_at_the_start(players, saucers, colours, pilots, boosters):
    for seed in range(10):
        play = start(players, seed)
        assert sum(space != NOWHERE for space in play.table.cell) == saucers
        assert None not in [play.at(saucer) for saucer in range(saucers)]
        assert len(play.lost()) + len(play.waiting()) == 4 * colours
        assert all(name.endswith("pilot") for name in play.lost()) and len(play.lost()) == pilots
        assert sum(play.table.boosters) == boosters
        play.check()


@pytest.mark.rule("CG-S1")
@pytest.mark.parametrize(("players", "spare"), [(2, "purple"), (3, "yellow"), (4, "purple"), (5, "pink")])
def test_the_spare_crew_is_of_the_next_colour(players, spare):
    play = start(players)
    assert f"{spare} scientist" in play.waiting() and f"{spare} pilot" in play.waiting()


@pytest.mark.rule("CG-S2")
@pytest.mark.parametrize(("players", "energy"), [(2, [1] * 4), (3, [1] * 3), (4, [1] * 4), (5, [1] * 5), (6, [1] * 6)])
def test_every_saucer_starts_with_one_energy(players, energy):
    assert start(players).table.energy[: len(energy)] == energy


@pytest.mark.rule("CG-S2")
def test_three_movement_cards_are_kept_all_game():
    play = board({RED: 33, GREEN: 11, BLUE: 22, YELLOW: 44})
    for _ in range(3):
        assert play.actions() == list(range(12))
        play.go().answer(DISTANCE, 0).answer(DISTANCE, 0).answer(DISTANCE, 0).answer(DISTANCE, 0)
        assert play.asks(PLAN)


ORDERS = ["engineer doctor scientist", "scientist doctor engineer", "doctor scientist engineer"]


@pytest.mark.rule("CG-S3")
@pytest.mark.parametrize("order", ORDERS)
def test_each_colour_waits_in_its_order_behind_the_pilot(order):
    """RED picks up four crewmembers, and four purple ones come for them."""
    lost = dict(zip(("red pilot", "red doctor", "blue pilot", "blue doctor"), (31, 32, 33, 34), strict=True))
    play, came = board({RED: 30}, lost=lost, crew_order=order).ride(RED, 4, RIGHT), []
    for roll in range(4):
        before = set(play.lost())
        play.answer(REFILL, PURPLE).answer(REFILL_DIE, 1 + roll)
        came += set(play.lost()) - before
    assert came == [f"purple {kind}" for kind in ("pilot", *order.split())]


@pytest.mark.rule("CG-S4")
@pytest.mark.parametrize("players", range(2, 7))
def test_the_first_probe_holder_is_random(players):
    assert {start(players, seed).table.probe[0] for seed in range(60)} == set(range(players))


@pytest.mark.rule("CG-S4")
@pytest.mark.rule("CG-P1")
@pytest.mark.parametrize("players", range(2, 7))
def test_saucers_and_pilots_start_on_different_crash_sites(players):
    sites = set()
    for seed in range(30):
        play = start(players, seed)
        places = [play.at(saucer) for saucer in range(play.table.saucers[0])] + list(play.lost().values())
        assert len(set(places)) == len(places)
        assert all(1 <= play.table.ground[space] <= 12 for space in places)
        sites |= {play.table.ground[space] for space in places}
    assert sites == set(range(1, 13))


@pytest.mark.rule("CG-S5")
@pytest.mark.parametrize("players", range(3, 7))
def test_who_has_neither_probe_nor_booster_places_a_pilot(players):
    for seed in range(20):
        play = start(players, seed)
        probe = play.table.probe[0]
        right = None if players == 3 else (probe - 1) % players
        assert [play.boosters(s) for s in range(players)] == [int(s == right) for s in range(players)]
        pilots = {f"{tables.COLOUR_NAMES[saucer]} pilot" for saucer in range(players) if saucer not in (probe, right)}
        assert set(play.lost()) == pilots


@pytest.mark.rule("CG-S5")
@pytest.mark.parametrize("seed", range(6))
def test_two_players_choose_a_pilot_and_a_booster(seed):
    play = start(2, seed)
    probe, other = play.table.probe[0], 1 - play.table.probe[0]
    free = [n for n in range(1, 13) if play.table.ground.index(n) not in play.table.cell]
    assert play.offers() == {2 * probe, 2 * probe + 1}
    play.answer(PILOT_CHOICE, 2 * probe + 1, by=probe).answer(SET_UP_DIE, free[0])
    mine, theirs = f"{tables.COLOUR_NAMES[2 * probe + 1]} pilot", f"{tables.COLOUR_NAMES[2 * other + 1]} pilot"
    assert play.lost() == {mine: play.table.ground.index(free[0])}
    play.answer(BOOSTER_CHOICE, 2 * other, by=other).answer(SET_UP_DIE, free[1])
    assert set(play.lost()) == {mine, theirs}
    assert [play.boosters(s) for s in range(4)] == [int(s == 2 * other) for s in range(4)]
    assert play.asks(PLAN)


@pytest.mark.rule("CG-S6")
@pytest.mark.parametrize("players", range(2, 7))
def test_the_deck_at_the_start(players):
    table = start(players).table
    assert table.holder.count(tables.DECK) == (22 if players == 2 else 23) and len(table.holder) == 23
    assert (table.holder[STABILIZER] == tables.DECK) == (players > 2)


# Placing


@pytest.mark.rule("CG-P1")
@pytest.mark.parametrize(("roll", "site"), [(1, 1), (6, 6), (2, 3), (3, 3), (4, 7), (5, 7), (12, 1), (11, 1), (10, 1)])
def test_counting_up_from_an_occupied_site(roll, site):
    """Sites 4 (with a saucer), 2, 5, 10, 11 and 12 (saucers and crew) are taken, and 6 only in the long count."""
    places = {number: (59 if number < 7 else 63) + number for number in range(1, 13)}
    at = {GREEN: places[4], BLUE: places[2], YELLOW: places[12]}
    lost = {"red pilot": places[5], "green pilot": places[10], "blue pilot": places[11]}
    if roll in (4, 5):
        lost["yellow pilot"] = places[6]
    play = board(at, lost=lost).go({RED: "3 right"})
    assert play.asks(DIE, RED) and play.offers() == set(range(1, 13))
    play.answer(DIE, roll)
    assert play.at(RED) == places[site] and "CG-P1" in play.cited()


@pytest.mark.rule("CG-P1")
def test_lost_crew_counts_up_too():
    play = board({RED: 33, GREEN: 61}, lost={"blue pilot": 34, "green pilot": 62}).ride(RED, 1, RIGHT)
    play.answer(REFILL, BLUE).answer(REFILL_DIE, 2)
    assert play.lost() == {"green pilot": 62, "blue engineer": 63}


# Rounds


@pytest.mark.rule("CG-R1")
def test_all_plan_at_once_any_card_and_direction():
    play = board({RED: 0, GREEN: 33, BLUE: 44, YELLOW: 55})
    assert rules.actors(play.table) == 0b1111
    assert play.actions() == list(range(12))
    play.apply(PLAN, 2, 5)
    assert rules.actors(play.table) == 0b1011


@pytest.mark.rule("CG-R1")
def test_two_players_plan_for_each_of_their_saucers():
    play = board({RED: 0, GREEN: 33, BLUE: 44, YELLOW: 55}, 2).go({GREEN: "3 right", RED: "2 right"}, first=GREEN)
    assert play.at(GREEN) == 36 and play.energy(GREEN) == 1


@pytest.mark.rule("CG-R2")
@pytest.mark.parametrize(("spin", "order"), [(CLOCKWISE, [2, 3, 0, 1]), (COUNTER, [2, 1, 0, 3])])
def test_the_rotation_die_says_who_comes_next(spin, order):
    play = board({RED: 0, GREEN: 33, BLUE: 44, YELLOW: 55}, probe=2).go(spin=spin)
    for saucer in order:
        assert play.asks(DISTANCE, saucer)
        play.answer(DISTANCE, 0, by=saucer)
    assert play.asks(PLAN) and play.table.round[0] == 2


@pytest.mark.rule("CG-R2")
def test_the_rotation_die_is_fair():
    play = board({RED: 0, GREEN: 33, BLUE: 44}, 3)
    for player in range(3):
        play.apply(PLAN, player, 8)
    weights = [0] * rules.MOST_ACTIONS
    assert play.asks(ROTATION) and rules.actors(play.table) == rules.CHANCE
    assert weights[: rules.odds(play.table, weights)] == [1, 1]


@pytest.mark.rule("CG-R2")
@pytest.mark.parametrize("probe", [0, 1])
def test_turns_of_two_players_alternate(probe):
    play = board({RED: 0, GREEN: 33, BLUE: 44, YELLOW: 55}, 2, probe=probe)
    mine, yours = [2 * probe + 1, 2 * probe], [3 - 2 * probe, 2 - 2 * probe]
    play.go(first=mine[0])
    assert play.asks(DISTANCE, mine[0])
    play.answer(DISTANCE, 0, by=probe)
    assert play.offers() == {yours[0], yours[1]}
    play.answer(FIRST, yours[0], by=1 - probe)
    play.answer(DISTANCE, 0, by=1 - probe)
    assert play.asks(DISTANCE, mine[1])
    play.answer(DISTANCE, 0, by=probe)
    assert play.asks(DISTANCE, yours[1])
    assert play.answer(DISTANCE, 0, by=1 - probe).asks(PLAN)


@pytest.mark.rule("CG-R2")
def test_two_players_choose_the_first_saucer_before_it_is_placed():
    play = board({GREEN: 33, BLUE: 44, YELLOW: 55}, 2)
    for player in (0, 1, 0, 1):
        play.apply(PLAN, player, 8)
    assert play.asks(FIRST) and play.offers() == {RED, GREEN}
    assert play.answer(FIRST, RED).asks(DIE, RED)


@pytest.mark.rule("CG-R3")
@pytest.mark.parametrize(("players", "tokens"), [(3, 0), (4, 0), (5, 1), (6, 2)])
@pytest.mark.parametrize("spin", [CLOCKWISE, COUNTER])
def test_the_last_ones_have_a_free_direction(players, tokens, spin):
    play = board({saucer: 10 * saucer + 3 for saucer in range(players)}, players, probe=1)
    play.go(dict.fromkeys(range(players), "0-5 right"), spin=spin)
    free = []
    for _ in range(players):
        play.answer(DISTANCE, 1)
        free.append(play.asks(DIRECTION))
        if play.asks(DIRECTION):
            saucer = play.table.turn[0]
            assert play.offers() == set(ALL_WAYS)
            play.answer(DIRECTION, LEFT)
            assert play.at(saucer) == 10 * saucer + 2
    assert free == [False] * (players - tokens) + [True] * tokens


@pytest.mark.rule("CG-R4")
def test_the_order_of_a_turn():
    """The saucer is placed, makes a step, is revealed with its bonus, moves, boosts and cleans up."""
    play = board(
        {GREEN: 5},
        lost={"blue pilot": 31},
        upgrades={RED: [BLAST_OFF, LANDING_LEGS, TIME_MACHINE]},
        energy={RED: 2},
        sites={1: 40},
    )
    play.go({RED: "2 left"}).answer(DIE, 1)
    play.answer(STEP, UP)
    assert play.at(RED) == 30 and play.boosters(RED) == 0  # the bonus is taken after the direction is chosen
    play.answer(DIRECTION, RIGHT)
    assert play.boosters(RED) == 1 and play.at(RED) == 32 and "blue pilot" in play.aboard(RED)
    play.answer(BOOST, None)
    play.answer(REFILL, BLUE).answer(REFILL_DIE, 1)
    play.answer(END, None).answer(BUY, 0)
    assert ends(play, RED)


@pytest.mark.rule("CG-R4")
def test_the_distance_comes_before_a_free_direction():
    play = board({GREEN: 5}).go({RED: "0-5 left"}).answer(DIE, 1).answer(DISTANCE, 2)
    assert play.asks(DIRECTION, RED)


@pytest.mark.rule("CG-R5")
@pytest.mark.parametrize(("card", "energy", "boosters"), [("2", 0, 1), ("3", 1, 0)])
def test_crashed_before_its_turn(card, energy, boosters):
    """RED pushes GREEN off before its turn: GREEN is placed, keeps its card and bonus, and chooses its direction."""
    play = board({RED: 35, GREEN: 36}).go({RED: "3 right", GREEN: f"{card} up"})
    assert play.at(GREEN) is None and play.energy(RED) == 2  # the reward is forced: GREEN has no crew to steal
    play.answer(BUY, 0).answer(DIE, 3)
    assert play.at(GREEN) == 62 and play.offers() == set(ALL_WAYS)
    play.answer(DIRECTION, RIGHT)
    assert play.at(GREEN) == 62 + int(card)
    assert (play.energy(GREEN), play.boosters(GREEN)) == (energy, boosters)
    assert "CG-R5" in play.cited()


@pytest.mark.rule("CG-R6")
def test_the_order_of_clean_up():
    """RED takes a crewmember, pushes GREEN off, boosts off: penalty, reward, refill, upgrades, buying."""
    play = board(
        {RED: 34, GREEN: 37},
        lost={"blue pilot": 35},
        energy={RED: 2},
        boosters={RED: 1},
        upgrades={RED: [QUAKE]},
        aboard={GREEN: "blue doctor, green doctor"},
    )
    play.table.side[0] = 0
    play.go({RED: "3 right"})
    assert play.at(RED) == 37 and play.at(GREEN) is None
    play.answer(BOOST, (3, RIGHT))
    assert play.at(RED) is None and play.asks(PENALTY)
    play.answer(PENALTY, (YELLOW, "blue pilot"))
    play.answer(REWARD, None)
    play.answer(REFILL, GREEN).answer(REFILL_DIE, 9)
    play.answer(END, (QUAKE, 1))
    assert play.energy(RED) == 4
    play.answer(BUY, 1)
    assert play.asks(DRAW)


@pytest.mark.rule("CG-R6")
def test_no_more_upgrades_is_final_for_the_turn():
    play = board({RED: 33}, energy={RED: 2}, upgrades={RED: [AFTERBURNER]}, deck=[CARGO_HOLD, LANDING_LEGS])
    play.ride(RED, 1, RIGHT).answer(END, None).answer(BUY, 1).answer(DRAW, CARGO_HOLD).answer(KEEP, LANDING_LEGS)
    assert ends(play, RED)


@pytest.mark.rule("CG-R6")
def test_clean_up_starts_over_after_an_upgrade():
    """When Landing Legs bring a crewmember, it is replaced on the board before the next upgrade."""
    play = board({RED: 33}, lost={"blue pilot": 34}, upgrades={RED: [LANDING_LEGS, AFTERBURNER]})
    play.ride(RED, 0, RIGHT).answer(END, (LANDING_LEGS, RIGHT))
    assert play.aboard(RED) == {"blue pilot"} and play.asks(REFILL)
    play.answer(REFILL, BLUE).answer(REFILL_DIE, 1)
    assert play.asks(END) and not play.targets(LANDING_LEGS) and play.targets(AFTERBURNER)


@pytest.mark.rule("CG-R7")
@pytest.mark.parametrize(("probe", "order"), [(0, [1, 3]), (2, [3, 1]), (3, [3, 1])])
def test_crashed_saucers_are_placed_at_the_end_of_the_round(probe, order):
    play = board({RED: 0, GREEN: 7, BLUE: 33, YELLOW: 17}, probe=probe)
    play.go({GREEN: "3 right", YELLOW: "3 right"})
    for _ in range(2):
        play.answer(DISTANCE, 0)
    assert play.at(GREEN) is None and play.at(YELLOW) is None
    play.answer(DIE, 1).answer(DIE, 2)
    assert [play.at(saucer) for saucer in order] == [60, 61]
    assert play.asks(PLAN)


@pytest.mark.rule("CG-R7")
def test_two_players_place_in_listed_order_from_the_probe():
    play = board({RED: 7, GREEN: 17, BLUE: 27, YELLOW: 37}, 2, probe=1)
    play.go(dict.fromkeys(range(4), "3 right"), first=YELLOW).answer(FIRST, GREEN)
    for roll in (1, 2, 3, 4):
        play.answer(DIE, roll)
    assert [play.at(saucer) for saucer in (BLUE, YELLOW, RED, GREEN)] == [60, 61, 62, 63]


def whole_round(players, aboard, probe=0, spin=CLOCKWISE):
    """Play a round without moves; return the next player to hold the probe."""
    saucers = 4 if players == 2 else players
    play = board({saucer: 10 * saucer + 3 for saucer in range(saucers)}, players, probe=probe, aboard=aboard)
    play.go(spin=spin)
    while not play.asks(PLAN):
        play.answer(FIRST, min(play.offers())) if play.asks(FIRST) else play.answer(DISTANCE, 0)
        if play.asks(DIRECTION):
            play.answer(DIRECTION, UP)
    return play.table.probe[0]


@pytest.mark.rule("CG-R8")
def test_the_probe_goes_to_the_fewest_stationed():
    two, one = "red pilot, blue doctor", "pink pilot"
    assert whole_round(4, {RED: "purple pilot", GREEN: "blue pilot", YELLOW: "red doctor"}) == BLUE
    assert (
        whole_round(
            4,
            {RED: two, GREEN: "purple pilot", BLUE: "green pilot, green doctor", YELLOW: "yellow pilot, yellow doctor"},
            probe=3,
        )
        == GREEN
    )
    assert (
        whole_round(
            6,
            {
                RED: two,
                GREEN: "green pilot, green doctor",
                BLUE: one,
                YELLOW: "yellow pilot, green scientist",
                PURPLE: "purple pilot, purple doctor",
                PINK: "red scientist, red doctor",
            },
        )
        == BLUE
    )


@pytest.mark.rule("CG-R8")
def test_extra_crew_of_one_type_does_not_count_for_the_probe():
    assert (
        whole_round(
            3,
            {
                RED: "red pilot, green pilot, blue pilot",
                GREEN: "green doctor, red scientist",
                BLUE: "blue doctor, blue scientist",
            },
        )
        == RED
    )


@pytest.mark.rule("CG-R8")
@pytest.mark.parametrize(
    ("probe", "spin", "after"), [(0, CLOCKWISE, 3), (0, COUNTER, 1), (2, CLOCKWISE, 1), (2, COUNTER, 3)]
)
def test_of_tied_players_the_one_who_acted_latest_gets_the_probe(probe, spin, after):
    assert whole_round(4, None, probe, spin) == after
    one_before = (after + 1) % 4 if spin == COUNTER else (after - 1) % 4
    assert whole_round(4, {after: "purple pilot"}, probe, spin) == one_before


@pytest.mark.rule("CG-R8")
def test_two_players_add_both_saucers_and_the_latest_turn_decides():
    assert whole_round(2, None, probe=0) == 1
    assert whole_round(2, None, probe=1) == 0
    assert whole_round(2, {BLUE: "purple pilot", RED: "blue doctor"}, probe=0) == 1
    assert whole_round(2, {BLUE: "purple pilot", YELLOW: "blue doctor", RED: "red pilot"}, probe=0) == 0
    assert whole_round(2, {BLUE: "purple pilot", RED: "red pilot, red doctor"}, probe=0) == 1


def at_the_limit(players, aboard, limit=1):
    saucers = 4 if players == 2 else players
    play = board({saucer: 10 * saucer + 3 for saucer in range(saucers)}, players, aboard=aboard, round_limit=limit)
    play.go()
    while rules.actors(play.table) and not play.asks(PLAN):
        play.answer(FIRST, min(play.offers())) if play.asks(FIRST) else play.answer(DISTANCE, 0)
    return play.winners()


@pytest.mark.rule("CG-R9")
def test_at_the_round_limit_the_most_stationed_share_the_game():
    aboard = {GREEN: "green pilot, blue doctor", YELLOW: "red pilot, red doctor", RED: "blue pilot"}
    assert at_the_limit(4, aboard) == {GREEN, YELLOW}
    assert at_the_limit(4, None) == {0, 1, 2, 3}
    assert at_the_limit(2, {RED: "red pilot", GREEN: "red doctor", BLUE: "blue pilot"}) == {0}
    assert at_the_limit(2, {RED: "red pilot, red doctor", YELLOW: "blue pilot", BLUE: "yellow pilot"}) == {0, 1}
    assert at_the_limit(4, {GREEN: "green pilot"}, limit=2) is None
    assert at_the_limit(4, {GREEN: "green pilot"}, limit=None) is None


@pytest.mark.rule("CG-R9")
def test_the_limit_is_60_rounds_and_comes_after_placing():
    assert settle(tables.OPTIONS, {})["round_limit"] == 60
    play = board({RED: 7, GREEN: 13, BLUE: 23}, 3, round_limit=1).go({RED: "3 right"})
    play.answer(DISTANCE, 0).answer(DISTANCE, 0)
    assert play.asks(DIE)
    assert play.answer(DIE, 1).winners() == {0, 1, 2} and "CG-R9" in play.cited()


# Movement


@pytest.mark.rule("CG-M1")
@pytest.mark.parametrize(("card", "energy", "boosters"), [("2", 0, 1), ("3", 1, 0)])
@pytest.mark.parametrize(("direction", "step"), [("up", -10), ("right", 1), ("down", 10), ("left", -1)])
def test_cards_2_and_3_go_exactly_so_far(card, energy, boosters, direction, step):
    play = board({RED: 33}).go({RED: f"{card} {direction}"})
    assert play.at(RED) == 33 + int(card) * step
    assert (play.energy(RED), play.boosters(RED)) == (energy, boosters)


@pytest.mark.rule("CG-M1")
@pytest.mark.parametrize("distance", range(6))
def test_the_third_card_goes_0_to_5_without_a_bonus(distance):
    play = board({RED: 31}).go({RED: "0-5 right"})
    assert play.offers() == set(range(6))
    play.answer(DISTANCE, distance)
    assert play.at(RED) == 31 + distance and (play.energy(RED), play.boosters(RED)) == (0, 0)
    assert ends(play, RED)


@pytest.mark.rule("CG-M1")
def test_the_bonus_comes_before_the_movement():
    """RED has no booster before its bonus, and yet may boost; after a crash it keeps the booster."""
    play = board({RED: 33}).go({RED: "2 right"})
    assert play.asks(BOOST)
    play = board({RED: 36}).go({RED: "2 right"})
    assert play.at(RED) is None and play.boosters(RED) == 1 and ends(play, RED)


@pytest.mark.rule("CG-M2")
def test_crew_is_picked_up_on_the_way_and_the_saucer_moves_on():
    play = board({RED: 30}, lost={"blue pilot": 31, "green pilot": 33, "purple pilot": 35, "yellow pilot": 20})
    play.ride(RED, 4, RIGHT)
    assert play.at(RED) == 34 and play.aboard(RED) == {"blue pilot", "green pilot"}
    assert play.lost() == {"purple pilot": 35, "yellow pilot": 20}


@pytest.mark.rule("CG-M2")
def test_off_the_board_the_way_is_over():
    play = board({RED: 36}, lost={"blue pilot": 37}, boosters={RED: 2}).ride(RED, 3, RIGHT)
    assert play.at(RED) is None and play.aboard(RED) == {"blue pilot"}
    assert play.asks(PENALTY)  # after a crash no boost


@pytest.mark.rule("CG-M3")
def test_the_hit_saucer_moves_the_full_distance():
    play = board({RED: 20, GREEN: 22}).ride(RED, 4, RIGHT)
    assert (play.at(RED), play.at(GREEN)) == (22, 26)
    play = board({RED: 70, GREEN: 60}, sites={1: 0, 7: 7}).ride(RED, 5, UP)
    assert (play.at(RED), play.at(GREEN)) == (60, 10)


@pytest.mark.rule("CG-M3")
def test_a_chain_goes_on_in_one_line():
    play = board({RED: 20, GREEN: 21, BLUE: 23, YELLOW: 24}).ride(RED, 3, RIGHT)
    assert [play.at(saucer) for saucer in range(4)] == [21, 23, 24, 27]


@pytest.mark.rule("CG-M3")
def test_a_saucer_hit_at_the_last_step_moves_the_full_distance_too():
    play = board({RED: 20, GREEN: 23}).ride(RED, 3, RIGHT)
    assert (play.at(RED), play.at(GREEN)) == (23, 26)


@pytest.mark.rule("CG-M3")
def test_a_pushed_saucer_picks_up_and_a_crewmember_it_passed_is_gone():
    play = board({RED: 20, GREEN: 21}, lost={"blue pilot": 22, "green pilot": 24}).ride(RED, 3, RIGHT)
    assert (play.at(RED), play.at(GREEN)) == (21, 24)
    assert play.aboard(GREEN) == {"blue pilot", "green pilot"} and not play.aboard(RED)


@pytest.mark.rule("CG-M4")
@pytest.mark.parametrize(("direction", "space"), [(UP, 2), (RIGHT, 35), (DOWN, 62), (LEFT, None)])
def test_an_accelerator_gives_the_full_distance_again_in_a_free_direction(direction, space):
    play = board({RED: 30}, accelerators=[32]).go({RED: "3 right"})
    assert play.asks(TURN_OFF) and play.at(RED) == 32 and play.offers() == set(ALL_WAYS)
    play.answer(TURN_OFF, direction, by=RED)
    assert play.at(RED) == space


@pytest.mark.rule("CG-M4")
def test_an_accelerator_at_the_last_space_works_too():
    play = board({RED: 30}, accelerators=[32]).ride(RED, 2, RIGHT)
    assert play.answer(TURN_OFF, DOWN).at(RED) == 52


@pytest.mark.rule("CG-M4")
def test_any_number_of_accelerators_in_a_row():
    play = board({RED: 30}, accelerators=[32, 52, 54]).ride(RED, 2, RIGHT)
    play.answer(TURN_OFF, DOWN).answer(TURN_OFF, RIGHT).answer(TURN_OFF, UP)
    assert play.at(RED) == 34 and ends(play, RED)


@pytest.mark.rule("CG-M4")
def test_a_pushed_saucer_goes_straight_on():
    play = board({RED: 20, GREEN: 21}, accelerators=[22, 24]).ride(RED, 3, RIGHT)
    assert (play.at(RED), play.at(GREEN)) == (21, 27)
    assert ends(play, RED)


@pytest.mark.rule("CG-M4")
def test_a_chain_over_an_accelerator():
    """GREEN leaves the accelerator at 22 with three fresh steps and hits BLUE at 25, which moves three."""
    play = board({RED: 40, GREEN: 41, BLUE: 44}, accelerators=[42], sites={1: 7}).ride(RED, 3, RIGHT)
    assert [play.at(saucer) for saucer in (RED, GREEN, BLUE)] == [41, 44, 47]


@pytest.mark.rule("CG-M4")
def test_the_second_own_saucer_goes_straight_on_when_pushed():
    play = board({RED: 20, GREEN: 22}, 2, accelerators=[23]).ride(RED, 3, RIGHT)
    assert (play.at(RED), play.at(GREEN)) == (22, 26)


@pytest.mark.rule("CG-M4")
def test_the_mover_after_a_turn_collides_in_the_new_direction():
    play = board({RED: 30, GREEN: 52}, accelerators=[32]).ride(RED, 3, RIGHT).answer(TURN_OFF, DOWN)
    assert play.at(RED) == 52 and play.at(GREEN) is None  # 62, 72 and off


def to_and_fro(play, times):
    """Move between the accelerators 33, which was entered rightwards, and 34."""
    for time in range(times):
        play.answer(TURN_OFF, LEFT if time % 2 else RIGHT)


@pytest.mark.rule("CG-M5")
def test_from_the_13th_accelerator_on_it_goes_straight():
    play = board({RED: 32}, accelerators=[33, 34]).ride(RED, 1, RIGHT)
    to_and_fro(play, 11)
    assert play.asks(TURN_OFF) and play.at(RED) == 34  # the twelfth
    play.answer(TURN_OFF, LEFT)
    assert play.at(RED) == 32 and ends(play, RED)  # 33 was the 13th, entered leftwards
    assert "CG-M5" in play.cited()


@pytest.mark.rule("CG-M5")
def test_the_13th_is_counted_over_card_and_boosts():
    play = board({RED: 32}, accelerators=[33, 34], boosters={RED: 1}).ride(RED, 1, RIGHT)
    to_and_fro(play, 11)
    play.answer(TURN_OFF, RIGHT)  # off the twelfth, to 35
    play.answer(BOOST, (1, LEFT))
    assert play.at(RED) == 32 and ends(play, RED)  # 34 and 33, straight on


@pytest.mark.rule("CG-M5")
def test_pushed_saucers_do_not_count():
    play = board({RED: 40, GREEN: 41}, accelerators=[42, 43, 44, 45, 33, 34, 31], boosters={RED: 2})
    play.ride(RED, 1, RIGHT)  # GREEN passes four accelerators
    assert (play.at(RED), play.at(GREEN)) == (41, 46)
    play.answer(BOOST, (1, UP)).answer(TURN_OFF, RIGHT)  # 31 is the first of RED's own
    play.answer(BOOST, (1, RIGHT))
    to_and_fro(play, 10)
    assert play.asks(TURN_OFF) and play.at(RED) == 33  # the twelfth
    play.answer(TURN_OFF, RIGHT)
    assert play.at(RED) == 35 and ends(play, RED)


@pytest.mark.rule("CG-M5")
def test_the_count_starts_afresh_in_every_turn():
    play = board({RED: 32, GREEN: 35}, accelerators=[33, 34]).go({RED: "0-5 right", GREEN: "0-5 left"})
    play.answer(DISTANCE, 1)
    to_and_fro(play, 11)
    play.answer(TURN_OFF, LEFT).answer(DISTANCE, 1)
    assert play.asks(TURN_OFF, GREEN)


@pytest.mark.rule("CG-M6")
def test_after_a_collision_the_mover_may_boost():
    play = board({RED: 20, GREEN: 22}, boosters={RED: 1}).ride(RED, 3, RIGHT).answer(BOOST, (3, DOWN))
    assert (play.at(RED), play.at(GREEN), play.boosters(RED)) == (52, 25, 0)


@pytest.mark.rule("CG-M6")
def test_after_a_crash_the_mover_may_not_boost():
    play = board({RED: 27}, boosters={RED: 3}).ride(RED, 3, RIGHT)
    assert ends(play, RED) and play.boosters(RED) == 3


@pytest.mark.rule("CG-M7")
def test_several_boosts_one_at_a_time():
    play = board({RED: 22}, boosters={RED: 2}).ride(RED, 2, RIGHT)
    assert play.offers() == {None} | {(2, direction) for direction in ALL_WAYS}
    play.answer(BOOST, (2, DOWN))
    assert (play.at(RED), play.boosters(RED)) == (44, 1)
    assert play.offers() == {None} | {(2, direction) for direction in ALL_WAYS}
    play.answer(BOOST, (2, LEFT))
    assert (play.at(RED), play.boosters(RED)) == (42, 0) and ends(play, RED)


@pytest.mark.rule("CG-M7")
def test_a_boost_collides_and_accelerates_like_any_movement():
    play = board({RED: 20, GREEN: 44}, accelerators=[42], boosters={RED: 1}).ride(RED, 2, RIGHT)
    play.answer(BOOST, (2, DOWN)).answer(TURN_OFF, RIGHT)
    assert (play.at(RED), play.at(GREEN)) == (44, 46)


@pytest.mark.rule("CG-M7")
def test_boosts_have_the_distance_of_the_card_also_after_an_accelerator():
    play = board({RED: 30}, accelerators=[32], boosters={RED: 1}).go({RED: "3 right"}).answer(TURN_OFF, RIGHT)
    assert play.offers() == {None} | {(3, direction) for direction in ALL_WAYS}


@pytest.mark.rule("CG-M7")
def test_with_distance_0_there_is_no_boost():
    play = board({RED: 33}, boosters={RED: 2}).ride(RED, 0, RIGHT)
    assert ends(play, RED) and play.boosters(RED) == 2


@pytest.mark.rule("CG-M7")
def test_with_distance_0_no_direction_is_asked():
    play = board({GREEN: 5}).go().answer(DIE, 1).answer(DISTANCE, 0)
    assert ends(play, RED) and play.at(RED) == 60


@pytest.mark.rule("CG-M7")
def test_boosters_are_held_per_saucer():
    play = board({RED: 33, GREEN: 5}, 2, boosters={GREEN: 1}).ride(RED, 1, RIGHT)
    assert ends(play, RED)


@pytest.mark.rule("CG-M8")
def test_one_answer_is_carried_out_and_no_is_an_answer():
    """A crashed saucer without crew yields energy, and a single waiting colour is taken without a question."""
    play = board({RED: 35, GREEN: 36}).ride(RED, 2, RIGHT)
    assert play.energy(RED) == 1 and ends(play, RED)
    others = [name for name in CREW_NAMES if name not in ("blue pilot", "green pilot")]
    play = board({RED: 33}, lost={"blue pilot": 34}, gone=others).ride(RED, 1, RIGHT)
    assert play.asks(REFILL_DIE)  # one colour waits


# Crashes


@pytest.mark.rule("CG-C1")
def test_an_own_crash_costs_one_off_coloured_crewmember():
    aboard = {RED: "red pilot, green pilot, blue doctor", GREEN: "pink pilot"}
    play = board({RED: 37, GREEN: 3, BLUE: 33, YELLOW: 13}, aboard=aboard).ride(RED, 1, RIGHT)
    assert play.offers() == {(to, name) for to in (BLUE, YELLOW) for name in ("green pilot", "blue doctor")}
    play.answer(PENALTY, (YELLOW, "green pilot"), by=RED)
    assert play.aboard(RED) == {"red pilot", "blue doctor"} and play.aboard(YELLOW) == {"green pilot"}
    assert ends(play, RED) and play.table.energy == [0] * 6


@pytest.mark.rule("CG-C1")
def test_fewest_stationed_counts_types_and_also_saucers_off_the_board():
    play = board(
        {RED: 37, GREEN: 3},
        aboard={
            RED: "green pilot",
            GREEN: "red pilot, blue pilot, purple pilot",
            BLUE: "blue doctor, red engineer",
            YELLOW: "red doctor",
        },
    ).ride(RED, 1, RIGHT)
    assert play.offers() == {(GREEN, "green pilot"), (YELLOW, "green pilot")}


@pytest.mark.rule("CG-C1")
@pytest.mark.parametrize("aboard", [None, {RED: "red pilot, red doctor"}])
def test_without_off_coloured_crew_nothing_is_given(aboard):
    play = board({RED: 37, GREEN: 3}, aboard=aboard).ride(RED, 1, RIGHT)
    assert ends(play, RED) and play.aboard(RED) == set(() if aboard is None else {"red pilot", "red doctor"})


@pytest.mark.rule("CG-C1")
def test_two_players_pay_for_the_partner_too():
    """RED pushes its partner GREEN off and boosts off itself: two crewmembers, from RED only."""
    play = board(
        {RED: 35, GREEN: 36, BLUE: 3},
        2,
        boosters={RED: 1},
        aboard={RED: "blue pilot, red doctor, green engineer", GREEN: "yellow pilot"},
    ).ride(RED, 2, RIGHT)
    assert play.at(GREEN) is None
    play.answer(PASS, None).answer(BOOST, (2, RIGHT))
    assert play.offers() == {(to, name) for to in (BLUE, YELLOW) for name in ("blue pilot", "green engineer")}
    play.answer(PENALTY, (YELLOW, "blue pilot"), by=0)
    play.answer(PENALTY, (BLUE, "green engineer"), by=0)
    assert ends(play, RED) and play.aboard(GREEN) == {"yellow pilot"} and play.aboard(RED) == {"red doctor"}


@pytest.mark.rule("CG-C1")
def test_a_partner_that_crashed_costs_even_though_the_mover_stays():
    play = board({RED: 35, GREEN: 36, BLUE: 3}, 2, aboard={RED: "blue pilot", GREEN: "yellow pilot"})
    play.ride(RED, 2, RIGHT)
    assert play.at(RED) == 36 and play.offers() == {(BLUE, "blue pilot"), (YELLOW, "blue pilot")}


@pytest.mark.rule("CG-C2")
def test_energy_or_a_crewmember_for_a_crash():
    aboard = {GREEN: "green pilot, red doctor, blue engineer", RED: "red pilot, blue scientist"}
    play = board({RED: 35, GREEN: 36}, aboard=aboard).ride(RED, 2, RIGHT)
    assert play.offers() == {None, "red doctor", "blue engineer"}
    play.answer(REWARD, "red doctor", by=RED)
    assert play.aboard(RED) == {"red pilot", "blue scientist", "red doctor"} and play.energy(RED) == 0
    play = board({RED: 35, GREEN: 36}, aboard=aboard).ride(RED, 2, RIGHT).answer(REWARD, None)
    assert play.energy(RED) == 1 and len(play.aboard(RED)) == 2


@pytest.mark.rule("CG-C2")
@pytest.mark.parametrize(
    ("mine", "theirs", "may"),
    [
        ("red pilot", "red doctor", True),
        ("red pilot, blue pilot", "red doctor", True),  # one type only
        ("red pilot, blue scientist", "red doctor", False),
        ("red pilot, blue scientist", "red doctor, blue doctor", False),
        ("red pilot, blue scientist", "green pilot, blue doctor", True),
    ],
)
def test_only_who_has_as_many_stationed_can_be_robbed(mine, theirs, may):
    play = board({RED: 35, GREEN: 36}, aboard={RED: mine, GREEN: theirs}).ride(RED, 2, RIGHT)
    assert play.asks(REWARD) == may and play.energy(RED) == (not may)


@pytest.mark.rule("CG-C2")
def test_the_last_of_a_chain_is_my_reward():
    play = board({RED: 34, GREEN: 35, BLUE: 36}, aboard={BLUE: "red doctor"}).ride(RED, 2, RIGHT)
    assert (play.at(RED), play.at(GREEN), play.at(BLUE)) == (35, 36, None)
    assert play.offers() == {None, "red doctor"}


@pytest.mark.rule("CG-C2")
def test_rewards_in_the_order_of_the_crashes_and_counted_afresh():
    """YELLOW crashes first, then GREEN; after one type from YELLOW, RED has more stationed than GREEN."""
    play = board(
        {RED: 35, YELLOW: 36, GREEN: 26},
        boosters={RED: 2},
        aboard={YELLOW: "red doctor", GREEN: "yellow doctor", RED: "red pilot"},
    )
    play.ride(RED, 2, RIGHT)
    assert play.at(RED) == 36
    play.answer(BOOST, (2, UP))
    assert play.at(RED) == 26 and play.at(GREEN) == 6
    play.answer(BOOST, (2, UP))
    assert play.at(RED) == 6 and play.at(GREEN) is None
    assert play.offers() == {None, "red doctor"}  # YELLOW's
    play.answer(REWARD, "red doctor")
    assert play.energy(RED) == 1 and ends(play, RED)  # only energy from GREEN


@pytest.mark.rule("CG-C2")
def test_two_players_compare_sums():
    """RED has two types, GREEN none; BLUE none, YELLOW two: BLUE has as many by its player's sum."""
    play = board(
        {RED: 35, BLUE: 36, GREEN: 3},
        2,
        aboard={RED: "red pilot, red doctor", BLUE: "red engineer", YELLOW: "yellow pilot"},
    )
    play.ride(RED, 2, RIGHT)
    assert play.offers() == {None, "red engineer"}
    play = board(
        {RED: 35, BLUE: 36, GREEN: 3},
        2,
        aboard={RED: "red pilot, red doctor", BLUE: "red engineer", YELLOW: "yellow pilot", GREEN: "green pilot"},
    )
    play.ride(RED, 2, RIGHT)
    assert ends(play, RED) and play.energy(RED) == 1


@pytest.mark.rule("CG-C2")
@pytest.mark.rule("CG-C3")
def test_a_crashed_saucer_still_gets_its_rewards_after_its_penalty():
    """The crewmember that RED must give away first does not count; then GREEN has as many stationed as RED."""
    play = board(
        {RED: 35, GREEN: 36, BLUE: 3, YELLOW: 5},
        boosters={RED: 1},
        aboard={RED: "red pilot, blue doctor", GREEN: "blue pilot"},
    )
    play.ride(RED, 2, RIGHT).answer(BOOST, (2, RIGHT)).answer(PENALTY, (BLUE, "blue doctor"))
    assert play.asks(REWARD) and play.at(RED) is None
    play.answer(REWARD, "blue pilot")
    assert play.aboard(RED) == {"red pilot", "blue pilot"}


@pytest.mark.rule("CG-C3")
def test_a_saucer_off_the_board_cannot_be_hit_and_keeps_what_it_has():
    play = board(
        {RED: 35, GREEN: 36},
        energy={GREEN: 3},
        boosters={GREEN: 2, RED: 1},
        upgrades={GREEN: [SIPHON]},
        aboard={GREEN: "green pilot, red doctor"},
    ).ride(RED, 1, RIGHT)
    play.answer(BOOST, (1, RIGHT))
    assert (play.at(RED), play.at(GREEN)) == (37, None)
    play.answer(REWARD, "red doctor")
    assert (play.energy(GREEN), play.boosters(GREEN)) == (3, 2) and play.aboard(GREEN) == {"green pilot"}
    assert play.table.holder[SIPHON] == GREEN


@pytest.mark.rule("CG-C4")
def test_a_saucer_placed_in_its_turn_pays_if_it_crashes_then():
    play = board({GREEN: 33, BLUE: 34, YELLOW: 35}, aboard={RED: "blue doctor"}).go({RED: "3 left"})
    play.answer(DIE, 1).answer(DIRECTION, LEFT)
    assert play.at(RED) is None and play.asks(PENALTY, RED)


# Crew


@pytest.mark.rule("CG-W1")
def test_the_own_colour_cannot_be_stolen():
    play = board({RED: 35, GREEN: 36}, aboard={GREEN: "green pilot, green doctor"}).ride(RED, 2, RIGHT)
    assert ends(play, RED) and play.energy(RED) == 1


@pytest.mark.rule("CG-W1")
def test_the_partners_colour_is_off_coloured():
    play = board({RED: 35, BLUE: 36}, 2, aboard={BLUE: "yellow pilot, blue doctor"}).ride(RED, 2, RIGHT)
    assert play.offers() == {None, "yellow pilot"}


@pytest.mark.rule("CG-W2")
def test_extras_step_in():
    """GREEN loses one of two doctors and is still as strong as before; types are counted once."""
    play = board({RED: 35, GREEN: 36}, boosters={RED: 1}, aboard={GREEN: "red doctor, blue doctor, green pilot"})
    assert rules.score(play.table, GREEN) == 2
    play.ride(RED, 2, RIGHT).answer(BOOST, None).answer(REWARD, "red doctor")
    assert rules.score(play.table, GREEN) == 2 and rules.score(play.table, RED) == 1


@pytest.mark.rule("CG-W3")
def test_every_crewmember_picked_up_is_refilled_by_the_turn_player():
    play = board({RED: 30, GREEN: 32}, lost={"blue pilot": 31, "purple pilot": 33}).ride(RED, 3, RIGHT)
    assert play.aboard(RED) == {"blue pilot"} and play.aboard(GREEN) == {"purple pilot"}
    assert play.offers() == {RED, GREEN, BLUE, YELLOW, PURPLE}
    play.answer(REFILL, PURPLE, by=RED).answer(REFILL_DIE, 1)
    play.answer(REFILL, PURPLE, by=RED).answer(REFILL_DIE, 1)
    assert play.lost() == {"purple engineer": 60, "purple doctor": 61} and ends(play, RED)


@pytest.mark.rule("CG-W3")
def test_nothing_is_refilled_when_all_queues_are_empty():
    play = board({RED: 30}, lost={"blue pilot": 31}, gone=[name for name in CREW_NAMES if name != "blue pilot"])
    assert ends(play.ride(RED, 3, RIGHT), RED) and play.lost() == {}


@pytest.mark.rule("CG-W3")
def test_stolen_crew_is_not_refilled():
    play = board({RED: 35, GREEN: 36}, aboard={GREEN: "red doctor"}).ride(RED, 2, RIGHT).answer(REWARD, "red doctor")
    assert ends(play, RED)


def partners(at, aboard, **more):
    return board(at, 2, aboard=aboard, **more)


@pytest.mark.rule("CG-W4")
def test_partners_pass_crew_where_they_were_adjacent():
    aboard = {RED: "green pilot, red pilot, blue pilot", GREEN: "red doctor, yellow pilot"}
    play = partners({RED: 30, GREEN: 42}, aboard)
    play.ride(RED, 4, RIGHT)
    assert play.at(RED) == 34 and play.offers() == {None, "green pilot", "red doctor"}
    play.answer(PASS, "green pilot", by=0)
    assert play.offers() == {None, "red doctor"}
    play.answer(PASS, "red doctor", by=0)
    assert play.aboard(GREEN) == {"green pilot", "yellow pilot"}
    assert play.aboard(RED) == {"red pilot", "blue pilot", "red doctor"} and ends(play, RED)


@pytest.mark.rule("CG-W4")
@pytest.mark.parametrize("other", [43, 35, 51, 23, 30])
def test_only_orthogonal_neighbours_pass_and_the_start_is_not_checked(other):
    """From 33 to 34 by one step: 33 was adjacent to 43 and 23, 34 is diagonal to both."""
    play = partners({RED: 33, GREEN: other}, {RED: "green pilot"}).ride(RED, 1, RIGHT)
    assert play.asks(PASS) == (other == 35 and play.at(GREEN) == 35)
    assert ends(play, RED) or other == 35


@pytest.mark.rule("CG-W4")
def test_crew_picked_up_next_to_the_partner_can_be_passed():
    play = partners({RED: 30, GREEN: 42}, None, lost={"green pilot": 32, "green doctor": 34}).ride(RED, 5, RIGHT)
    assert play.offers() == {None, "green pilot"}


@pytest.mark.rule("CG-W4")
def test_a_pushed_saucer_passes_too_and_the_probe_player_is_asked_first():
    """BLUE is pushed past its partner YELLOW; RED, adjacent to GREEN at its stop, may pass as well."""
    aboard = {RED: "green pilot", BLUE: "yellow pilot"}
    for probe in (0, 1):
        play = partners({RED: 20, GREEN: 32, BLUE: 22, YELLOW: 34}, aboard, probe=probe)
        play.go({RED: "3 right"}, first=(YELLOW if probe else RED))
        if probe:
            play.answer(DISTANCE, 0).answer(FIRST, RED)
        assert (play.at(RED), play.at(BLUE)) == (22, 25)
        first, second = ("green pilot", "yellow pilot") if probe == 0 else ("yellow pilot", "green pilot")
        assert play.offers() == {None, first}
        play.answer(PASS, None, by=probe)
        play.answer(PASS, second, by=1 - probe)
        assert play.aboard(GREEN) == (set() if probe == 0 else {"green pilot"})
        assert play.aboard(YELLOW) == ({"yellow pilot"} if probe == 0 else set())


@pytest.mark.rule("CG-W4")
@pytest.mark.parametrize("other_passes", [False, True])
def test_who_has_declined_is_not_asked_again_for_this_movement(other_passes):
    """RED stops beside GREEN, BLUE is pushed past YELLOW."""
    play = partners({RED: 20, GREEN: 32, BLUE: 22, YELLOW: 34}, {RED: "green pilot", BLUE: "yellow pilot"})
    play.ride(RED, 3, RIGHT).answer(PASS, None, by=0).answer(PASS, "yellow pilot" if other_passes else None, by=1)
    assert ends(play, RED)


@pytest.mark.rule("CG-W4")
def test_crew_can_be_passed_though_a_saucer_has_crashed_since():
    play = partners({RED: 35, GREEN: 46, BLUE: 0}, {RED: "green pilot, blue doctor"}).ride(RED, 3, RIGHT)
    assert play.at(RED) is None
    play.answer(PASS, "green pilot").answer(PENALTY, (YELLOW, "blue doctor"))
    assert play.aboard(GREEN) == {"green pilot"}


@pytest.mark.rule("CG-W4")
def test_the_space_of_a_saucer_that_is_hit_counts_too():
    """BLUE leaves the board at once, by the push or by a mine."""
    play = partners({RED: 25, GREEN: 37, BLUE: 27}, {RED: "green pilot"}).ride(RED, 3, RIGHT)
    assert play.answer(PASS, "green pilot").at(BLUE) is None
    play = partners({RED: 25, GREEN: 37, BLUE: 27}, {RED: "green pilot"}, upgrades={RED: [MINES]}).ride(RED, 3, RIGHT)
    assert play.answer(PUSH, 1).answer(PASS, "green pilot").at(BLUE) is None


@pytest.mark.rule("CG-W4")
def test_passing_is_settled_after_the_card_and_after_each_boost():
    play = partners({RED: 30, GREEN: 41}, {RED: "green pilot"}, boosters={RED: 1}).ride(RED, 2, RIGHT)
    play.answer(PASS, None, by=0)
    play.answer(BOOST, (2, LEFT))
    play.answer(PASS, "green pilot", by=0)
    assert play.aboard(GREEN) == {"green pilot"}
    play = partners({RED: 30, GREEN: 41}, {RED: "green pilot"}, boosters={RED: 1}).ride(RED, 2, RIGHT)
    play.answer(PASS, None, by=0).answer(BOOST, (2, RIGHT))
    assert ends(play, RED)  # earlier marks are removed


@pytest.mark.rule("CG-W4")
def test_placing_is_no_step():
    play = partners({GREEN: 61, BLUE: 0, YELLOW: 2}, {RED: "green pilot"}, probe=0).go(first=RED)
    play.answer(DIE, 1).answer(DISTANCE, 0)
    assert play.at(RED) == 60 and ends(play, RED)


@pytest.mark.rule("CG-W4")
def test_a_step_of_a_third_saucer_lets_nobody_pass():
    """RED and GREEN are side by side; BLUE moves, pushes its own partner and picks up crew."""
    play = partners({RED: 30, GREEN: 31, BLUE: 11, YELLOW: 13}, {RED: "green pilot"}, probe=1, lost={"red doctor": 12})
    play.ride(BLUE, 3, RIGHT)
    assert (play.at(BLUE), play.at(YELLOW)) == (13, 16) and not any(play.table.marked) and not play.asks(PASS)
    assert not play.noted("CG-W4") and "CG-W4" not in play.cited()


@pytest.mark.rule("CG-W4")
def test_only_the_partners_of_the_saucer_that_steps_are_marked():
    """Two pairs are side by side; RED passes GREEN on its way, BLUE and YELLOW do not move."""
    play = partners({RED: 30, GREEN: 42, BLUE: 50, YELLOW: 51}, {RED: "green pilot", BLUE: "yellow pilot"})
    play.ride(RED, 4, RIGHT).answer(PASS, "green pilot", by=0)
    assert play.aboard(BLUE) == {"yellow pilot"} and ends(play, RED)


@pytest.mark.rule("CG-W4")
@pytest.mark.parametrize("mined", [False, True])
def test_a_third_saucer_that_hits_a_partner_marks_nothing_by_its_own_step(mined):
    """BLUE hits RED beside GREEN: pushed or crashed, RED makes no step that ends beside GREEN."""
    at = {RED: 33, GREEN: 43, BLUE: 31}
    play = partners(at, {GREEN: "red pilot", RED: "green pilot"}, probe=1, upgrades={BLUE: [MINES]} if mined else {})
    play.ride(BLUE, 2, RIGHT)
    if mined:
        play.answer(PUSH, 1)
    assert play.at(BLUE) == 33 and not play.asks(PASS) and not any(play.table.marked)


@pytest.mark.rule("CG-W4")
@pytest.mark.parametrize("mover", [RED, GREEN])
def test_a_swap_brings_both_that_are_swapped_beside_their_partners(mover):
    """The mover swaps with BLUE, which arrives beside YELLOW as the mover arrives beside its own partner."""
    at = {mover: 20, mover ^ 1: 40, BLUE: 41, YELLOW: 21}
    aboard = {mover: "red pilot" if mover else "green pilot", BLUE: "yellow pilot"}
    play = partners(at, aboard, upgrades={mover: [WORMHOLE]}).ride(mover, 0, UP).answer(END, (WORMHOLE, BLUE))
    play.answer(PASS, aboard[mover], by=0).answer(PASS, "yellow pilot", by=1)
    assert play.aboard(mover ^ 1) == {aboard[mover]} and play.aboard(YELLOW) == {"yellow pilot"}


def test_who_may_pass_says_why():
    """A mark is caused by the step or the pick-up that let the partners pass."""
    play = partners({RED: 30, GREEN: 42}, {GREEN: "red doctor"}, lost={"green pilot": 32}).ride(RED, 4, RIGHT)
    rows = play.trace.rows
    marks = {row[4]: rows[row[2]] for row in rows if row[3] == rules.MARKED and row[6] == 1 and row[2] != NOWHERE}
    assert marks[crew("red doctor")][3:7] == (rules.CELL, RED, 31, 32)
    assert marks[crew("green pilot")][3:7] == (rules.WHERE, crew("green pilot"), 32, 100 + RED)


@pytest.mark.rule("CG-W4")
def test_three_players_never_pass():
    play = board({RED: 30, GREEN: 42}, 3, aboard={RED: "green pilot"}).ride(RED, 4, RIGHT)
    assert ends(play, RED)


@pytest.mark.rule("CG-W5")
def test_all_four_types_win_at_once():
    play = board({RED: 30, GREEN: 33}, lost={"blue scientist": 31}, aboard={RED: THREE.format("red")})
    play.ride(RED, 3, RIGHT)
    assert play.winners() == {RED} and play.at(RED) == 31 and play.asks(OVER)


@pytest.mark.rule("CG-W5")
def test_four_of_three_types_do_not_win():
    play = board({RED: 30}, lost={"blue doctor": 31}, aboard={RED: THREE.format("red")}).ride(RED, 3, RIGHT)
    assert play.winners() is None and play.at(RED) == 33


@pytest.mark.rule("CG-W5")
def test_a_pushed_saucer_wins_on_anothers_turn():
    play = board({RED: 30, GREEN: 31}, lost={"blue scientist": 32}, aboard={GREEN: THREE.format("green")})
    assert play.ride(RED, 3, RIGHT).winners() == {GREEN}


@pytest.mark.rule("CG-W5")
def test_winning_comes_before_the_penalty():
    play = board({RED: 36}, lost={"blue scientist": 37}, aboard={RED: THREE.format("green")}).ride(RED, 3, RIGHT)
    assert play.winners() == {RED}


@pytest.mark.rule("CG-W5")
def test_the_receiver_of_a_penalty_can_win():
    aboard = {RED: "red pilot, green scientist", GREEN: THREE.format("green"), BLUE: THREE.format("blue")}
    play = board({RED: 37, GREEN: 3, BLUE: 5}, 3, aboard=aboard)
    play.ride(RED, 1, RIGHT).answer(PENALTY, (BLUE, "green scientist"))
    assert play.winners() == {BLUE}


@pytest.mark.rule("CG-W5")
def test_a_thief_wins():
    aboard = {RED: THREE.format("red"), GREEN: "red scientist, green doctor, green pilot"}
    play = board({RED: 35, GREEN: 36}, aboard=aboard).ride(RED, 2, RIGHT).answer(REWARD, "red scientist")
    assert play.winners() == {RED}


@pytest.mark.rule("CG-W5")
def test_two_players_need_both_saucers_complete():
    aboard = {RED: THREE.format("red"), GREEN: THREE.format("green") + ", red scientist"}
    play = board({RED: 30, GREEN: 0}, 2, aboard=aboard | {GREEN: THREE.format("green")}, lost={"blue scientist": 31})
    assert play.ride(RED, 3, RIGHT).winners() is None and play.at(RED) == 33
    play = board({RED: 30, GREEN: 0}, 2, aboard=aboard, lost={"blue scientist": 31}).ride(RED, 3, RIGHT)
    assert play.winners() == {0} and play.at(RED) == 31


@pytest.mark.rule("CG-W5")
@pytest.mark.rule("CG-W4")
def test_passing_wins_also_on_the_others_turn():
    """BLUE has two scientists; RED pushes it past YELLOW, which lacks one."""
    aboard = {BLUE: THREE.format("blue") + ", blue scientist, yellow scientist", YELLOW: THREE.format("yellow")}
    play = board({RED: 20, BLUE: 22, YELLOW: 34}, 2, aboard=aboard).ride(RED, 3, RIGHT)
    assert play.answer(PASS, "yellow scientist", by=1).winners() == {1}


@pytest.mark.rule("CG-W5")
def test_the_first_in_time_wins():
    """RED picks up what it lacks before it hits GREEN, which would have got what it lacks."""
    play = board(
        {RED: 30, GREEN: 32},
        lost={"blue scientist": 31, "yellow scientist": 33},
        aboard={RED: THREE.format("red"), GREEN: THREE.format("green")},
    ).ride(RED, 3, RIGHT)
    assert play.winners() == {RED} and play.at(GREEN) == 32 and play.lost() == {"yellow scientist": 33}


@pytest.mark.rule("CG-W5")
def test_the_victim_of_a_theft_does_not_win_and_the_game_goes_on():
    play = board({RED: 35, GREEN: 36}, aboard={RED: "red pilot", GREEN: "red doctor, green engineer"})
    play.ride(RED, 2, RIGHT).answer(REWARD, "red doctor")
    assert play.winners() is None and ends(play, RED)


@pytest.mark.rule("CG-C3")
@pytest.mark.rule("CG-U2")
@pytest.mark.rule("CG-U4")
def test_a_saucer_off_the_board_cannot_be_swapped_or_pushed():
    play = board({RED: 33, GREEN: 36}, upgrades={RED: [WORMHOLE, PULSE_CANNON]}).ride(RED, 0, UP)
    assert play.targets(WORMHOLE) == play.targets(PULSE_CANNON) == {GREEN}


@pytest.mark.rule("CG-U4")
@pytest.mark.rule("CG-W4")
def test_partners_pass_after_a_pulse():
    at = {RED: 41, GREEN: 32, BLUE: 2}
    play = board(at, 2, upgrades={BLUE: [PULSE_CANNON]}, aboard={RED: "green pilot"}, probe=1)
    play.ride(BLUE, 0, UP).answer(END, (PULSE_CANNON, GREEN)).answer(PASS, None, by=0)
    assert play.at(GREEN) == 42 and ends(play, BLUE)


# Upgrades


def armed(card, at, **more):
    """Return a board on which RED, first to move, has this upgrade."""
    return board(at, more.pop("players", 4), upgrades={RED: [card]}, **more)


def rested(card, at, **more):
    """Return the end of a turn in which RED did not move."""
    return armed(card, at, **more).ride(RED, 0, UP)


def spaces(size=8):
    return {10 * row + column for row in range(size) for column in range(size)}


@pytest.mark.rule("CG-H1")
def test_two_energy_buy_one_of_two_cards():
    play = board({RED: 33}, energy={RED: 5}).ride(RED, 0, UP)
    play.answer(BUY, 1, by=RED)
    assert play.energy(RED) == 3 and play.asks(DRAW) and play.offers() == set(range(23))
    play.answer(DRAW, WORMHOLE)
    assert play.offers() == set(range(23)) - {WORMHOLE}
    play.answer(DRAW, QUAKE)
    assert play.asks(KEEP) and play.offers() == {WORMHOLE, QUAKE}
    play.answer(KEEP, QUAKE, by=RED)
    assert play.table.holder[QUAKE] == RED and play.table.holder[WORMHOLE] == tables.DISCARD
    play.answer(BUY, 1).answer(DRAW, CLOAK).answer(DRAW, MINES).answer(KEEP, MINES)
    assert play.energy(RED) == 1 and ends(play, RED)
    assert "CG-H1" in play.cited()


@pytest.mark.rule("CG-H1")
@pytest.mark.parametrize(("energy", "asked"), [(0, False), (1, False), (2, True)])
def test_buying_takes_two_energy_and_no_is_final(energy, asked):
    play = board({RED: 33}, energy={RED: energy}).ride(RED, 0, UP)
    assert play.asks(BUY) == asked
    if asked:
        play.answer(BUY, 0)
    assert ends(play, RED) and play.energy(RED) == energy


@pytest.mark.rule("CG-H1")
def test_a_crashed_saucer_may_buy():
    assert board({RED: 37}, energy={RED: 2}).ride(RED, 1, RIGHT).asks(BUY)


@pytest.mark.rule("CG-H1")
def test_an_empty_deck_is_made_of_the_discards():
    owned = {GREEN: [card for card in range(23) if card not in (QUAKE, MINES, SIPHON)]}
    play = board({RED: 33}, energy={RED: 2}, deck=[], upgrades=owned).ride(RED, 0, UP).answer(BUY, 1)
    assert play.asks(DRAW) and play.offers() == {QUAKE, MINES, SIPHON}
    play.answer(DRAW, MINES).answer(DRAW, QUAKE).answer(KEEP, MINES)
    assert play.table.holder[SIPHON] == tables.DECK and play.table.holder[QUAKE] == tables.DISCARD


@pytest.mark.rule("CG-H1")
def test_the_draw_goes_on_with_the_discards():
    owned = {GREEN: [card for card in range(23) if card not in (QUAKE, MINES, SIPHON)]}
    play = board({RED: 33}, energy={RED: 2}, deck=[QUAKE], upgrades=owned).ride(RED, 0, UP).answer(BUY, 1)
    assert play.table.holder[QUAKE] == tables.DRAWN and play.offers() == {MINES, SIPHON}
    play.answer(DRAW, SIPHON)
    assert play.offers() == {QUAKE, SIPHON}


@pytest.mark.rule("CG-H1")
def test_the_last_card_is_drawn_alone_and_with_none_there_is_no_purchase():
    owned = {GREEN: [card for card in range(23) if card != MINES]}
    play = board({RED: 33}, energy={RED: 4}, deck=[MINES], upgrades=owned).ride(RED, 0, UP).answer(BUY, 1)
    assert play.table.holder[MINES] == RED and play.energy(RED) == 2
    assert ends(play, RED)  # nothing is left to buy


@pytest.mark.rule("CG-H1")
@pytest.mark.rule("CG-U13")
@pytest.mark.rule("CG-U10")
def test_a_bought_card_works_when_the_turn_is_over():
    """RED crashes, buys Gateway, and chooses its crash site at the end of the round; Scavenger Bot likewise."""
    at = {RED: 37, GREEN: 3, BLUE: 13, YELLOW: 23}
    play = board(at, energy={RED: 2}).ride(RED, 1, RIGHT)
    play.answer(BUY, 1).answer(DRAW, GATEWAY).answer(DRAW, MINES).answer(KEEP, GATEWAY)
    for _ in range(3):
        play.answer(DISTANCE, 0)
    play.answer(SITE, 5, by=RED)
    assert play.at(RED) == 64
    play = board(at, energy={RED: 2}).ride(RED, 1, RIGHT)
    play.answer(BUY, 1).answer(DRAW, SCAVENGER).answer(DRAW, MINES).answer(KEEP, SCAVENGER)
    for _ in range(3):
        play.answer(DISTANCE, 0)
    play.answer(DIE, 5)
    assert (play.energy(RED), play.boosters(RED)) == (1, 1)


@pytest.mark.rule("CG-H2")
def test_upgrades_are_held_per_saucer():
    play = board({RED: 33, GREEN: 5}, 2, upgrades={GREEN: [AFTERBURNER, HYPERDRIVE, AMPLIFIER]}).go(first=RED)
    assert play.offers() == set(range(6))
    assert ends(play.answer(DISTANCE, 1), RED)


@pytest.mark.rule("CG-H2")
def test_each_end_of_turn_card_works_once_a_turn_in_any_order():
    cards = [AFTERBURNER, TELEPORTER, LANDING_LEGS]
    play = board({RED: 33}, upgrades={RED: cards}).ride(RED, 0, UP)
    play.answer(END, (LANDING_LEGS, UP)).answer(END, (TELEPORTER, 60)).answer(END, (AFTERBURNER, 0))
    assert play.at(RED) == 0 and ends(play, RED)


# CG-U1 Blast Off Thrusters


@pytest.mark.rule("CG-U1")
def test_blast_off_steps_to_an_empty_space():
    """Above 33 is an accelerator, right a crewmember, left a saucer; the crash site below is empty."""
    play = armed(BLAST_OFF, {RED: 33, GREEN: 32}, accelerators=[23], lost={"blue pilot": 34}, sites={5: 43})
    play.go({RED: "0-5 up"})
    assert play.asks(STEP) and play.offers() == {None, DOWN}
    play.answer(STEP, DOWN, by=RED)
    assert play.at(RED) == 43 and play.asks(DISTANCE)


@pytest.mark.rule("CG-U1")
def test_blast_off_stays_on_the_board_and_is_optional():
    play = armed(BLAST_OFF, {RED: 0}).go({RED: "3 right"})
    assert play.offers() == {None, RIGHT, DOWN}
    assert play.answer(STEP, None).at(RED) == 3


@pytest.mark.rule("CG-U1")
def test_blast_off_before_a_collision():
    """The step aside puts GREEN into the way."""
    play = armed(BLAST_OFF, {RED: 33, GREEN: 44}).go({RED: "3 right"}).answer(STEP, DOWN)
    assert (play.at(RED), play.at(GREEN)) == (44, 47)


@pytest.mark.rule("CG-U1")
def test_blast_off_after_placing_and_with_nowhere_to_go():
    play = armed(BLAST_OFF, {GREEN: 3}).go({RED: "3 right"}).answer(DIE, 1)
    assert play.answer(STEP, UP).at(RED) == 50 and play.asks(DIRECTION)
    play = armed(BLAST_OFF, {RED: 0, GREEN: 1}, accelerators=[10]).go({RED: "3 right"})
    assert (play.at(RED), play.at(GREEN)) == (1, 4)  # nothing to choose: it was not asked


@pytest.mark.rule("CG-U1")
@pytest.mark.rule("CG-W4")
def test_blast_off_passes_at_its_arrival():
    play = board({RED: 31, GREEN: 42}, 2, upgrades={RED: [BLAST_OFF]}, aboard={RED: "green pilot"}).go(first=RED)
    play.answer(STEP, RIGHT).answer(PASS, "green pilot", by=0)
    assert play.aboard(GREEN) == {"green pilot"}


# CG-U2 Wormhole Generator


@pytest.mark.rule("CG-U2")
def test_wormhole_swaps_with_any_saucer_on_the_board():
    play = rested(WORMHOLE, {RED: 33, GREEN: 11, BLUE: 60})
    assert play.targets(WORMHOLE) == {GREEN, BLUE}
    play.answer(END, (WORMHOLE, BLUE), by=RED)
    assert (play.at(RED), play.at(BLUE), play.at(GREEN)) == (60, 33, 11) and ends(play, RED)


@pytest.mark.rule("CG-U2")
def test_wormhole_not_while_crashed_and_not_alone():
    assert ends(armed(WORMHOLE, {RED: 37, GREEN: 11}).ride(RED, 1, RIGHT), RED)
    assert ends(rested(WORMHOLE, {RED: 33}), RED)


@pytest.mark.rule("CG-U2")
@pytest.mark.rule("CG-U7")
def test_wormhole_not_while_cloaked():
    play = board({RED: 33, GREEN: 11}, upgrades={RED: [WORMHOLE, CLOAK]}).ride(RED, 0, UP).answer(END, (CLOAK, 0))
    assert play.at(RED) is None and ends(play, RED)


@pytest.mark.rule("CG-U2")
def test_wormhole_after_a_collision():
    play = armed(WORMHOLE, {RED: 30, GREEN: 31}).ride(RED, 2, RIGHT).answer(END, (WORMHOLE, GREEN))
    assert (play.at(RED), play.at(GREEN)) == (33, 31)


@pytest.mark.rule("CG-U2")
@pytest.mark.rule("CG-W4")
def test_wormhole_passes_at_both_ends():
    """RED arrives at 11 next to GREEN; YELLOW's partner BLUE arrives at 33 next to YELLOW."""
    play = board(
        {RED: 33, GREEN: 12, BLUE: 11, YELLOW: 34},
        2,
        upgrades={RED: [WORMHOLE]},
        aboard={RED: "green pilot", YELLOW: "blue pilot"},
    )
    play.ride(RED, 0, UP).answer(END, (WORMHOLE, BLUE))
    play.answer(PASS, "green pilot", by=0).answer(PASS, "blue pilot", by=1)
    assert play.aboard(GREEN) == {"green pilot"} and play.aboard(BLUE) == {"blue pilot"}


# CG-U3 Afterburner


@pytest.mark.rule("CG-U3")
def test_afterburner_jumps_in_its_row_or_column():
    """No saucer, crewmember or accelerator; crash sites and spaces behind others are allowed."""
    play = rested(AFTERBURNER, {RED: 33, GREEN: 35}, accelerators=[13], lost={"blue pilot": 31})
    row, column = {30, 32, 34, 36, 37}, {3, 23, 43, 53, 63, 73}
    assert play.targets(AFTERBURNER) == row | column
    play.answer(END, (AFTERBURNER, 30))
    assert play.at(RED) == 30 and not play.aboard(RED) and ends(play, RED)


@pytest.mark.rule("CG-U3")
@pytest.mark.parametrize(("players", "size"), [(5, 9), (6, 10)])
def test_afterburner_on_larger_boards(players, size):
    play = rested(AFTERBURNER, {RED: 33}, players=players)
    assert play.targets(AFTERBURNER) == {s for s in spaces(size) if (s // 10 == 3) != (s % 10 == 3)}


@pytest.mark.rule("CG-U3")
def test_afterburner_not_while_crashed():
    assert ends(armed(AFTERBURNER, {RED: 37}).ride(RED, 1, RIGHT), RED)


@pytest.mark.rule("CG-U3")
@pytest.mark.rule("CG-U7")
def test_afterburner_not_while_cloaked_but_after_an_accelerator():
    play = board({RED: 33}, upgrades={RED: [AFTERBURNER, CLOAK]}).ride(RED, 0, UP).answer(END, (CLOAK, 0))
    assert ends(play, RED)
    play = armed(AFTERBURNER, {RED: 32}, accelerators=[33]).ride(RED, 1, RIGHT).answer(TURN_OFF, DOWN)
    assert 33 not in play.targets(AFTERBURNER) and {13, 53, 40, 47} <= play.targets(AFTERBURNER)


@pytest.mark.rule("CG-U3")
@pytest.mark.rule("CG-W4")
def test_afterburner_passes_at_its_arrival_only():
    def jump(space):
        play = board({RED: 30, GREEN: 43}, 2, upgrades={RED: [AFTERBURNER]}, aboard={RED: "green pilot"})
        return play.ride(RED, 0, UP).answer(END, (AFTERBURNER, space))

    assert not jump(35).asks(PASS) and jump(33).asks(PASS)


# CG-U4 Pulse Cannon


@pytest.mark.rule("CG-U4")
def test_pulse_cannon_pushes_one_space_away():
    play = rested(PULSE_CANNON, {RED: 33, GREEN: 36, BLUE: 13, YELLOW: 44})
    assert play.targets(PULSE_CANNON) == {GREEN, BLUE}
    play.answer(END, (PULSE_CANNON, BLUE))
    assert (play.at(RED), play.at(BLUE), play.at(GREEN)) == (33, 3, 36)
    play = rested(PULSE_CANNON, {RED: 33, GREEN: 36, BLUE: 63}).answer(END, (PULSE_CANNON, BLUE))
    assert play.at(BLUE) == 73


@pytest.mark.rule("CG-U4")
def test_nothing_blocks_the_pulse_cannon_and_it_may_crash():
    play = rested(PULSE_CANNON, {RED: 33, GREEN: 35, BLUE: 37}, aboard={BLUE: "red doctor"}, lost={"purple pilot": 36})
    assert play.targets(PULSE_CANNON) == {GREEN, BLUE}
    play.answer(END, (PULSE_CANNON, BLUE)).answer(REWARD, "red doctor")
    assert play.at(BLUE) is None and play.aboard(RED) == {"red doctor"}


@pytest.mark.rule("CG-U4")
def test_the_pulse_is_a_real_push_of_distance_1():
    """GREEN hits BLUE, which moves over the accelerator by one; a crewmember is picked up and refilled."""
    play = rested(PULSE_CANNON, {RED: 30, GREEN: 32, BLUE: 33}, accelerators=[34], lost={"yellow pilot": 35})
    play.answer(END, (PULSE_CANNON, GREEN))
    assert [play.at(saucer) for saucer in (RED, GREEN, BLUE)] == [30, 33, 35]
    assert play.aboard(BLUE) == {"yellow pilot"} and play.asks(REFILL)


@pytest.mark.rule("CG-U4")
def test_pulse_cannon_not_off_the_board():
    assert ends(armed(PULSE_CANNON, {RED: 37, GREEN: 33}).ride(RED, 1, RIGHT), RED)
    play = board({RED: 33, GREEN: 36}, upgrades={RED: [PULSE_CANNON, CLOAK]}).ride(RED, 0, UP)
    assert ends(play.answer(END, (CLOAK, 0)), RED)


# CG-U5 Tractor Beam


@pytest.mark.rule("CG-U5")
def test_tractor_beam_takes_in_line_at_most_two_away():
    lost = {"blue pilot": 35, "green pilot": 43, "yellow pilot": 30, "purple pilot": 44, "red pilot": 3}
    play = rested(TRACTOR_BEAM, {RED: 33, GREEN: 34}, lost=lost)
    assert play.targets(TRACTOR_BEAM) == {crew("blue pilot"), crew("green pilot")}
    play.answer(END, (TRACTOR_BEAM, crew("blue pilot")))
    assert play.aboard(RED) == {"blue pilot"} and play.at(RED) == 33  # GREEN does not block
    play.answer(REFILL, YELLOW).answer(REFILL_DIE, 1)
    assert ends(play, RED)


@pytest.mark.rule("CG-U5")
def test_tractor_beam_not_off_the_board_and_wins_at_once():
    assert ends(armed(TRACTOR_BEAM, {RED: 37}, lost={"blue pilot": 36}).ride(RED, 1, RIGHT), RED)
    play = rested(TRACTOR_BEAM, {RED: 33}, lost={"blue scientist": 13}, aboard={RED: THREE.format("red")})
    assert play.answer(END, (TRACTOR_BEAM, crew("blue scientist"))).winners() == {RED}


@pytest.mark.rule("CG-U5")
@pytest.mark.rule("CG-U20")
def test_the_airlock_works_with_the_tractor_beam():
    lost = {"blue pilot": 35, "green pilot": 70}
    play = board({RED: 33}, upgrades={RED: [TRACTOR_BEAM, AIRLOCK]}, lost=lost).ride(RED, 0, UP)
    play.answer(END, (TRACTOR_BEAM, crew("blue pilot"))).answer(EXCHANGE, "green pilot", by=RED)
    assert play.aboard(RED) == {"green pilot"} and play.lost() == {"blue pilot": 70}
    assert play.asks(REFILL)


# CG-U6 Saucer Teleporter


@pytest.mark.rule("CG-U6")
def test_teleporter_to_any_empty_crash_site():
    play = rested(TELEPORTER, {RED: 33, GREEN: 61}, lost={"blue pilot": 62})
    assert play.targets(TELEPORTER) == {60, 63, 64, 65, *range(70, 76)} - set(play.lost().values())
    play.answer(END, (TELEPORTER, 71))
    assert play.at(RED) == 71 and ends(play, RED)


@pytest.mark.rule("CG-U6")
def test_teleporter_not_when_crashed():
    assert ends(armed(TELEPORTER, {RED: 37}).ride(RED, 1, RIGHT), RED)


@pytest.mark.rule("CG-U6")
def test_teleporter_while_cloaked():
    play = board({RED: 33}, upgrades={RED: [TELEPORTER, CLOAK]}).ride(RED, 0, UP).answer(END, (CLOAK, 0))
    play.answer(END, (TELEPORTER, 71))
    assert play.at(RED) == 71


@pytest.mark.rule("CG-U6")
def test_teleporter_after_a_collision_and_passing_on_arrival():
    play = board({RED: 30, BLUE: 31, GREEN: 61}, 2, upgrades={RED: [TELEPORTER]}, aboard={RED: "green pilot"})
    play.ride(RED, 2, RIGHT).answer(END, (TELEPORTER, 60)).answer(PASS, "green pilot")
    assert (play.at(RED), play.at(BLUE)) == (60, 33)


# CG-U7 Cloaking Device


@pytest.mark.rule("CG-U7")
def test_cloaked_until_the_end_of_the_round():
    play = rested(CLOAK, {RED: 33, GREEN: 1, BLUE: 11, YELLOW: 21}, aboard={RED: "green pilot"})
    assert play.targets(CLOAK) == {0}
    play.answer(END, (CLOAK, 0))
    assert play.at(RED) is None and play.aboard(RED) == {"green pilot"} and ends(play, RED)
    for _ in range(3):
        play.answer(DISTANCE, 0)
    play.answer(DIE, 4)
    assert play.at(RED) == 63 and play.asks(PLAN) and play.table.energy == [0] * 6


@pytest.mark.rule("CG-U7")
def test_a_cloaked_saucer_is_not_in_the_way():
    play = board({RED: 33, GREEN: 31}, upgrades={RED: [CLOAK]}).go({RED: "0-5 up", GREEN: "3 right"})
    play.answer(DISTANCE, 0).answer(END, (CLOAK, 0))
    assert play.at(GREEN) == 34


@pytest.mark.rule("CG-U7")
def test_cloaking_not_when_crashed_and_after_an_accelerator():
    assert ends(armed(CLOAK, {RED: 37}).ride(RED, 1, RIGHT), RED)
    play = armed(CLOAK, {RED: 32}, accelerators=[33]).ride(RED, 1, RIGHT).answer(TURN_OFF, DOWN).answer(END, (CLOAK, 0))
    assert play.at(RED) is None


# CG-U8 Waste Accelerator


@pytest.mark.rule("CG-U8")
def test_an_empty_crash_site_may_work_as_an_accelerator():
    play = armed(WASTE, {RED: 30}, sites={1: 32, 2: 52}).ride(RED, 3, RIGHT)
    assert play.at(RED) == 32 and play.asks(WASTE_USE)
    play.answer(WASTE_USE, 1, by=RED).answer(TURN_OFF, DOWN)
    assert play.at(RED) == 62 and ends(play, RED)  # once a turn: 52 and 62 (site 3) were not asked


@pytest.mark.rule("CG-U8")
def test_waste_accelerator_on_the_last_space_and_at_any_site_until_used():
    play = armed(WASTE, {RED: 30}, sites={1: 32, 2: 33}).ride(RED, 3, RIGHT)
    play.answer(WASTE_USE, 0).answer(WASTE_USE, 1).answer(TURN_OFF, UP)
    assert play.at(RED) == 3


@pytest.mark.rule("CG-U8")
def test_waste_accelerator_not_where_crew_or_a_saucer_was():
    play = armed(WASTE, {RED: 30, GREEN: 33}, sites={2: 33}, lost={"blue pilot": 32}).ride(RED, 3, RIGHT)
    assert (play.at(RED), play.at(GREEN)) == (33, 36) and play.asks(REFILL)


@pytest.mark.rule("CG-U8")
def test_waste_accelerator_not_when_pushed_and_not_on_the_start():
    play = board({RED: 30, GREEN: 31}, upgrades={GREEN: [WASTE]}, sites={1: 33}).ride(RED, 3, RIGHT)
    assert play.at(GREEN) == 34 and ends(play, RED)
    play = armed(WASTE, {RED: 60}).ride(RED, 3, UP)
    assert play.at(RED) == 30 and ends(play, RED)


@pytest.mark.rule("CG-U8")
def test_waste_accelerator_in_a_boost_and_with_landing_legs():
    play = armed(WASTE, {RED: 30}, sites={1: 42}, boosters={RED: 1}).ride(RED, 2, RIGHT).answer(BOOST, (2, DOWN))
    assert play.at(RED) == 42 and play.answer(WASTE_USE, 1).answer(TURN_OFF, RIGHT).at(RED) == 44
    play = board({RED: 30}, upgrades={RED: [WASTE, LANDING_LEGS]}, sites={1: 31}).ride(RED, 0, UP)
    play.answer(END, (LANDING_LEGS, RIGHT)).answer(WASTE_USE, 1).answer(TURN_OFF, DOWN)
    assert play.at(RED) == 41


@pytest.mark.rule("CG-U8")
@pytest.mark.rule("CG-U21")
def test_the_regulator_applies_to_the_waste_accelerator():
    play = board({RED: 30}, upgrades={RED: [WASTE, REGULATOR]}, sites={1: 32}).ride(RED, 5, RIGHT)
    play.answer(WASTE_USE, 1)
    assert play.offers() == {1, 2, 3, 4, 5}
    assert play.answer(LEG, 1).answer(TURN_OFF, DOWN).at(RED) == 42


@pytest.mark.rule("CG-U8")
@pytest.mark.rule("CG-M5")
def test_the_waste_accelerator_counts_among_the_twelve():
    play = armed(WASTE, {RED: 31}, accelerators=[33, 34], sites={1: 32}).ride(RED, 1, RIGHT)
    play.answer(WASTE_USE, 1).answer(TURN_OFF, RIGHT)
    to_and_fro(play, 10)
    play.answer(TURN_OFF, RIGHT)  # off the twelfth, 33, onto 34 and straight on
    assert play.at(RED) == 35 and ends(play, RED)


# CG-U9 Hyperdrive


@pytest.mark.rule("CG-U9")
@pytest.mark.parametrize(("card", "offers"), [("2", {2, 4}), ("3", {3, 6}), ("0-5", {0, 1, 2, 3, 4, 5, 6, 8, 10})])
def test_hyperdrive_doubles_at_the_reveal(card, offers):
    play = armed(HYPERDRIVE, {RED: 31}).go({RED: f"{card} right"})
    assert play.asks(DISTANCE) and play.offers() == offers
    play.answer(DISTANCE, max(offers - {8, 10}))
    assert play.at(RED) == 31 + max(offers - {8, 10})


@pytest.mark.rule("CG-U9")
def test_the_doubled_distance_holds_for_pushes_accelerators_and_boosts():
    play = armed(HYPERDRIVE, {RED: 30, GREEN: 31}).go({RED: "2 right"}).answer(DISTANCE, 4)
    assert play.at(GREEN) == 35 and play.offers() == {None} | {(4, direction) for direction in ALL_WAYS}
    play = armed(HYPERDRIVE, {RED: 30}, accelerators=[31]).go({RED: "2 right"}).answer(DISTANCE, 4)
    assert play.answer(TURN_OFF, RIGHT).at(RED) == 35


@pytest.mark.rule("CG-U9")
def test_hyperdrive_may_be_left_alone_and_crashes_far_away():
    play = armed(HYPERDRIVE, {RED: 30}).go({RED: "3 right"}).answer(DISTANCE, 3)
    assert play.at(RED) == 33 and play.energy(RED) == 1
    play = armed(HYPERDRIVE, {RED: 0}, players=6).ride(RED, 10, RIGHT)
    assert play.at(RED) is None
    play = armed(HYPERDRIVE, {RED: 0}, players=6).ride(RED, 8, RIGHT)
    assert play.at(RED) == 8


# CG-U10 Scavenger Bot


@pytest.mark.rule("CG-U10")
def test_scavenger_bot_at_the_start_of_the_turn():
    play = armed(SCAVENGER, {GREEN: 3}).go({RED: "0-5 up"}).answer(DIE, 1)
    assert (play.energy(RED), play.boosters(RED)) == (1, 1)


@pytest.mark.rule("CG-U10")
@pytest.mark.parametrize("cards", [[SCAVENGER], [SCAVENGER, CLOAK]])
def test_scavenger_bot_at_the_end_of_the_round(cards):
    at = {RED: 37, GREEN: 3, BLUE: 13, YELLOW: 23}
    play = board(at, upgrades={RED: cards}).ride(RED, 0 if CLOAK in cards else 1, RIGHT)
    if CLOAK in cards:
        play.answer(END, (CLOAK, 0))
    assert (play.energy(RED), play.boosters(RED)) == (0, 0)
    for _ in range(3):
        play.answer(DISTANCE, 0)
    play.answer(DIE, 2)
    assert (play.energy(RED), play.boosters(RED)) == (1, 1)


# CG-U11 Distress Signaler


@pytest.mark.rule("CG-U11")
def test_distress_signaler_swaps_for_the_own_colour():
    """The yellow engineer is not offered: the red one is aboard RED already."""
    aboard = {
        RED: "green pilot, blue doctor, red engineer, yellow engineer",
        GREEN: "red pilot, red scientist",
        BLUE: "red doctor",
    }
    play = rested(DISTRESS, {RED: 33}, aboard=aboard)
    assert play.targets(DISTRESS) == {crew("green pilot"), crew("blue doctor")}
    play.answer(END, (DISTRESS, crew("green pilot")))
    assert play.aboard(RED) == {"red pilot", "blue doctor", "red engineer", "yellow engineer"}
    assert play.aboard(GREEN) == {"green pilot", "red scientist"} and ends(play, RED)


@pytest.mark.rule("CG-U11")
def test_distress_signaler_works_while_crashed_and_after_the_penalty():
    aboard = {RED: "green pilot, blue doctor", GREEN: "red pilot, red doctor"}
    play = armed(DISTRESS, {RED: 37}, aboard=aboard).ride(RED, 1, RIGHT).answer(PENALTY, (BLUE, "green pilot"))
    assert play.targets(DISTRESS) == {crew("blue doctor")}
    play.answer(END, (DISTRESS, crew("blue doctor")))
    assert play.aboard(RED) == {"red doctor"} and play.aboard(GREEN) == {"red pilot", "blue doctor"}


@pytest.mark.rule("CG-U11")
def test_distress_signaler_not_for_crew_on_the_board_or_of_another_type():
    aboard = {RED: "green pilot", GREEN: "red doctor"}
    assert ends(rested(DISTRESS, {RED: 33}, aboard=aboard, lost={"red pilot": 50}), RED)


# CG-U12 Time Machine


@pytest.mark.rule("CG-U12")
def test_time_machine_chooses_the_direction_after_the_distance():
    play = armed(TIME_MACHINE, {RED: 33, GREEN: 34}).go({RED: "0-5 right"}).answer(DISTANCE, 2)
    assert play.offers() == set(ALL_WAYS)
    play.answer(DIRECTION, UP, by=RED)
    assert play.at(RED) == 13 and play.at(GREEN) == 34


@pytest.mark.rule("CG-U12")
def test_time_machine_with_a_fixed_card_a_collision_and_distance_0():
    play = armed(TIME_MACHINE, {RED: 33, GREEN: 34}).go({RED: "3 left"}).answer(DIRECTION, RIGHT)
    assert (play.at(RED), play.at(GREEN)) == (34, 37)
    play = armed(TIME_MACHINE, {RED: 33}).ride(RED, 0, UP)
    assert ends(play, RED)


# CG-U13 Regeneration Gateway


@pytest.mark.rule("CG-U13")
def test_gateway_chooses_the_site_or_rolls():
    play = armed(GATEWAY, {GREEN: 60}, lost={"blue pilot": 61}).go({RED: "3 up"})
    free = set(range(1, 13)) - {1, play.table.ground[61]}
    assert play.asks(SITE) and play.offers() == {None} | free and len(free) == 10
    play.answer(SITE, None).answer(DIE, 1)
    assert play.at(RED) == 62
    play = armed(GATEWAY, {GREEN: 60}).go({RED: "3 up"}).answer(SITE, 9, by=RED)
    assert play.at(RED) == 72


@pytest.mark.rule("CG-U13")
def test_gateway_at_the_end_of_the_round_but_not_for_crew():
    at = {RED: 36, GREEN: 3, BLUE: 13, YELLOW: 23}
    play = armed(GATEWAY, at, lost={"blue pilot": 37}).ride(RED, 2, RIGHT).answer(PENALTY, (GREEN, "blue pilot"))
    play.answer(REFILL, BLUE).answer(REFILL_DIE, 1)
    for _ in range(3):
        play.answer(DISTANCE, 0)
    assert play.answer(SITE, 2).at(RED) == 61


# CG-U14 Kinetic Siphon


@pytest.mark.rule("CG-U14")
def test_siphon_gives_a_booster_at_the_first_push_of_the_turn():
    play = armed(SIPHON, {RED: 20, GREEN: 22, BLUE: 52}).ride(RED, 3, RIGHT)
    assert play.boosters(RED) == 1
    play.answer(BOOST, (3, DOWN))
    assert play.at(RED) == 52 and play.boosters(RED) == 0 and ends(play, RED)  # once a turn


@pytest.mark.rule("CG-U14")
def test_siphon_not_for_further_pushes_down_the_chain_or_others_turns():
    play = board({RED: 20, GREEN: 21, BLUE: 23}, upgrades={GREEN: [SIPHON]}).ride(RED, 3, RIGHT)
    assert play.table.boosters == [0] * 6
    play = armed(SIPHON, {RED: 20}).ride(RED, 3, RIGHT)
    assert play.table.boosters == [0] * 6


@pytest.mark.rule("CG-U14")
def test_siphon_with_the_pulse_cannon_landing_legs_and_the_partner():
    play = board({RED: 33, GREEN: 36}, upgrades={RED: [SIPHON, PULSE_CANNON]}).ride(RED, 0, UP)
    play.answer(END, (PULSE_CANNON, GREEN))
    assert play.boosters(RED) == 1 and ends(play, RED)
    play = board({RED: 33, GREEN: 34}, 2, upgrades={RED: [SIPHON, LANDING_LEGS]}).ride(RED, 0, UP)
    play.answer(END, (LANDING_LEGS, RIGHT))
    assert play.boosters(RED) == 1 and (play.at(RED), play.at(GREEN)) == (34, 35) and ends(play, RED)


@pytest.mark.rule("CG-U14")
@pytest.mark.rule("CG-U16")
def test_mines_give_no_booster_but_a_push_after_them_does():
    play = board({RED: 20, GREEN: 22, BLUE: 42}, upgrades={RED: [SIPHON, MINES]}, boosters={RED: 1})
    play.ride(RED, 2, RIGHT).answer(PUSH, 1)
    assert play.boosters(RED) == 1
    play.answer(BOOST, (2, DOWN)).answer(PUSH, 0)
    assert play.boosters(RED) == 1 and play.at(BLUE) == 62


# CG-U15 Cargo Hold


@pytest.mark.rule("CG-U15")
def test_cargo_hold_gives_three_boosters_on_buying():
    play = board({RED: 33}, energy={RED: 2}).ride(RED, 0, UP)
    play.answer(BUY, 1).answer(DRAW, CARGO_HOLD).answer(DRAW, MINES).answer(KEEP, CARGO_HOLD)
    assert play.boosters(RED) == 3 and ends(play, RED)


@pytest.mark.rule("CG-U15")
def test_cargo_hold_gives_nothing_when_discarded_or_later():
    play = board({RED: 33}, energy={RED: 2}).ride(RED, 0, UP)
    play.answer(BUY, 1).answer(DRAW, CARGO_HOLD).answer(DRAW, MINES).answer(KEEP, MINES)
    assert play.boosters(RED) == 0
    assert armed(CARGO_HOLD, {RED: 33}).ride(RED, 1, UP).boosters(RED) == 0


@pytest.mark.rule("CG-U15")
def test_a_crashed_saucer_buys_cargo_hold():
    play = board({RED: 37}, energy={RED: 2}).ride(RED, 1, RIGHT)
    play.answer(BUY, 1).answer(DRAW, CARGO_HOLD).answer(DRAW, MINES).answer(KEEP, CARGO_HOLD)
    assert play.boosters(RED) == 3 and play.at(RED) is None


# CG-U16 Proximity Mines


@pytest.mark.rule("CG-U16")
def test_mines_crash_what_they_hit_and_the_mover_stops_there():
    play = armed(MINES, {RED: 20, GREEN: 22}, boosters={RED: 1}, aboard={GREEN: "red doctor"}).ride(RED, 4, RIGHT)
    assert play.offers() == {0, 1}
    play.answer(PUSH, 1, by=RED)
    assert (play.at(RED), play.at(GREEN)) == (22, None)
    play.answer(BOOST, None).answer(REWARD, "red doctor")
    assert play.aboard(RED) == {"red doctor"} and ends(play, RED)


@pytest.mark.rule("CG-U16")
def test_mines_each_time_and_only_for_the_turn_saucers_own_hits():
    play = armed(MINES, {RED: 20, GREEN: 22, BLUE: 42}, boosters={RED: 1}).ride(RED, 2, RIGHT)
    play.answer(PUSH, 1).answer(BOOST, (2, DOWN)).answer(PUSH, 1)
    assert (play.at(RED), play.at(GREEN), play.at(BLUE), play.energy(RED)) == (42, None, None, 2)
    play = armed(MINES, {RED: 20, GREEN: 21, BLUE: 22}).ride(RED, 2, RIGHT).answer(PUSH, 0)
    assert (play.at(GREEN), play.at(BLUE)) == (22, 24)  # GREEN's hit is no question


@pytest.mark.rule("CG-U16")
def test_mines_not_on_others_turns():
    play = board({RED: 20, GREEN: 21, BLUE: 22}, upgrades={GREEN: [MINES]}).ride(RED, 2, RIGHT)
    assert (play.at(GREEN), play.at(BLUE)) == (22, 24)


@pytest.mark.rule("CG-U16")
@pytest.mark.rule("CG-C1")
def test_mining_the_partner_costs_a_crewmember():
    play = board({RED: 20, GREEN: 22, BLUE: 3}, 2, upgrades={RED: [MINES]}, aboard={RED: "blue pilot"})
    play.ride(RED, 3, RIGHT).answer(PUSH, 1)
    assert play.at(GREEN) is None and play.at(RED) == 22
    play.answer(PENALTY, (BLUE, "blue pilot"))
    assert ends(play, RED) and play.energy(RED) == 0


@pytest.mark.rule("CG-U16")
def test_mines_behind_an_accelerator_and_with_landing_legs():
    play = armed(MINES, {RED: 20, GREEN: 32}, accelerators=[22]).ride(RED, 2, RIGHT).answer(TURN_OFF, DOWN)
    play.answer(PUSH, 1)
    assert play.at(RED) == 32 and play.at(GREEN) is None
    play = board({RED: 20, GREEN: 21}, upgrades={RED: [MINES, LANDING_LEGS]}).ride(RED, 0, UP)
    play.answer(END, (LANDING_LEGS, RIGHT)).answer(PUSH, 1)
    assert play.at(RED) == 21 and play.energy(RED) == 1 and ends(play, RED)


# CG-U17 Landing Legs


@pytest.mark.rule("CG-U17")
def test_landing_legs_move_by_one_without_a_boost():
    play = rested(LANDING_LEGS, {RED: 33}, boosters={RED: 1}, lost={"blue pilot": 34})
    assert play.targets(LANDING_LEGS) == set(ALL_WAYS)
    play.answer(END, (LANDING_LEGS, RIGHT), by=RED)
    assert play.at(RED) == 34 and play.aboard(RED) == {"blue pilot"} and play.asks(REFILL)


@pytest.mark.rule("CG-U17")
def test_landing_legs_collide_accelerate_by_one_and_crash():
    play = rested(LANDING_LEGS, {RED: 33, GREEN: 34}).answer(END, (LANDING_LEGS, RIGHT))
    assert (play.at(RED), play.at(GREEN)) == (34, 35)
    play = armed(LANDING_LEGS, {RED: 30}, accelerators=[34]).ride(RED, 3, RIGHT)
    play.answer(END, (LANDING_LEGS, RIGHT)).answer(TURN_OFF, DOWN)
    assert play.at(RED) == 44
    play = rested(LANDING_LEGS, {RED: 30}, aboard={RED: "blue pilot"}).answer(END, (LANDING_LEGS, LEFT))
    assert play.at(RED) is None and play.asks(PENALTY)


@pytest.mark.rule("CG-U17")
def test_landing_legs_push_another_off():
    play = rested(LANDING_LEGS, {RED: 36, GREEN: 37}, aboard={GREEN: "red pilot"}).answer(END, (LANDING_LEGS, RIGHT))
    assert play.at(GREEN) is None and play.offers() == {None, "red pilot"}


@pytest.mark.rule("CG-U17")
@pytest.mark.rule("CG-U4")
def test_no_boost_after_landing_legs_and_the_pulse():
    cards = [LANDING_LEGS, PULSE_CANNON]
    play = board({RED: 33, GREEN: 24}, upgrades={RED: cards}, boosters={RED: 1}).ride(RED, 1, RIGHT)
    play.answer(BOOST, None).answer(END, (PULSE_CANNON, GREEN)).answer(END, (LANDING_LEGS, DOWN))
    assert (play.at(RED), play.at(GREEN)) == (44, 14) and ends(play, RED)


@pytest.mark.rule("CG-U17")
def test_landing_legs_not_off_the_board():
    assert ends(armed(LANDING_LEGS, {RED: 37}).ride(RED, 1, RIGHT), RED)
    play = board({RED: 33}, upgrades={RED: [LANDING_LEGS, CLOAK]}).ride(RED, 0, UP).answer(END, (CLOAK, 0))
    assert ends(play, RED)


@pytest.mark.rule("CG-U17")
@pytest.mark.rule("CG-U21")
def test_the_regulator_applies_to_landing_legs():
    play = board({RED: 32}, upgrades={RED: [LANDING_LEGS, REGULATOR]}, accelerators=[33]).ride(RED, 0, UP)
    play.answer(END, (LANDING_LEGS, RIGHT))
    assert play.offers() == {1, 2, 3, 4}
    assert play.answer(LEG, 4).answer(TURN_OFF, DOWN).at(RED) == 73


# CG-U18 Quake Maker


def tiled(players, at, sides, **more):
    """Return a board of unturned tiles (upright dividers turned by 90 degrees): side 2 * t or 2 * t + 1 for tile t."""
    play = board(at, players, upgrades={RED: [QUAKE]}, **more)
    play.table.ground[:] = [0] * 100
    for place, side in enumerate(sides):
        tables.lay_tile(play.table, place, side, 1 if place in (4, 7) else 0)
    return play


EIGHT = (0, 2, 4, 6)
NINE = (0, 2, 4, 6, 8, 10, 12, 14, 16)
TEN = (0, 2, 4, 6, 18, 20, 22, 24, 26)


@pytest.mark.rule("CG-U18")
@pytest.mark.parametrize("turns", [1, 2, 3])
def test_quake_maker_turns_a_tile_with_everything_on_it(turns):
    """RED at (0, 1), site 1, and a crewmember at (1, 2), site 3, turn with the tile; GREEN beside it does not."""
    play = tiled(4, {RED: 1, GREEN: 5}, EIGHT)
    play.table.where[crew("blue pilot")] = 12
    play.ride(RED, 0, UP).answer(END, (QUAKE, turns))
    red, blue = (0, 1), (1, 2)
    face = faces()[0]
    for _ in range(turns):
        red, blue, face = (red[1], 3 - red[0]), (blue[1], 3 - blue[0]), turned(face)
    assert play.at(RED) == 10 * red[0] + red[1] and play.at(GREEN) == 5
    assert play.lost() == {"blue pilot": 10 * blue[0] + blue[1]} and not play.aboard(RED)
    assert patch(play.table, 0, 0, 4, 4) == face and patch(play.table, 0, 4, 4, 4) == faces()[2]
    assert play.table.ground[play.at(RED)] == 1 and play.table.ground[play.lost()["blue pilot"]] == 3
    assert ends(play, RED)


@pytest.mark.rule("CG-U18")
@pytest.mark.parametrize(
    ("players", "sides", "turns"),
    [
        (4, EIGHT, {p: {1, 2, 3} for p in range(4)}),
        (5, NINE, {p: {1, 2, 3} if p < 4 else {2} for p in range(8)}),
        (6, TEN, {p: {2} if 4 <= p < 8 else {1, 2, 3} for p in range(9)}),
    ],
)
def test_dividers_turn_as_they_fit(players, sides, turns):
    play = tiled(players, {RED: 1}, sides).ride(RED, 0, UP)
    assert play.targets(QUAKE) == {4 * place + turn for place in turns for turn in turns[place]}


@pytest.mark.rule("CG-U18")
def test_a_divider_carries_its_saucer():
    """The left arm of 10x10 covers rows 4 and 5, columns 0 to 3; the upper one columns 4 and 5, rows 0 to 3."""
    play = tiled(6, {RED: 41, GREEN: 5}, TEN).ride(RED, 0, UP).answer(END, (QUAKE, 4 * 5 + 2))
    assert play.at(RED) == 52 and play.at(GREEN) == 5
    play = tiled(6, {RED: 41, GREEN: 5}, TEN).ride(RED, 0, UP).answer(END, (QUAKE, 4 * 4 + 2))
    assert play.at(GREEN) == 34 and play.at(RED) == 41
    play = tiled(5, {RED: 41, GREEN: 4}, NINE).ride(RED, 0, UP).answer(END, (QUAKE, 4 * 4 + 2))
    assert play.at(GREEN) == 34
    play = tiled(6, {RED: 44}, TEN).ride(RED, 0, UP).answer(END, (QUAKE, 4 * 8 + 1))
    assert play.at(RED) == 45 and patch(play.table, 4, 4, 2, 2) == turned([[0, 0], [0, ACCELERATOR]])


@pytest.mark.rule("CG-U18")
@pytest.mark.rule("CG-W4")
def test_quake_maker_while_crashed_and_without_passing():
    play = tiled(4, {RED: 7}, EIGHT).ride(RED, 1, RIGHT)
    assert play.at(RED) is None and play.targets(QUAKE)
    play = tiled(2, {RED: 1, GREEN: 14}, EIGHT, aboard={RED: "green pilot"})  # 1 turns to 13, beside GREEN
    assert ends(play.ride(RED, 0, UP).answer(END, (QUAKE, 1)), RED) and play.at(RED) == 13


# CG-U19 Rotational Stabilizer


@pytest.mark.rule("CG-U19")
@pytest.mark.parametrize(("naming", "order"), [(0, [1, 2, 3]), (1, [3, 2, 1])])
@pytest.mark.parametrize("holder", [RED, BLUE])
def test_stabilizer_names_the_direction_after_the_first_turn(naming, order, holder):
    play = board({RED: 0, GREEN: 33, BLUE: 44, YELLOW: 55}, upgrades={holder: [STABILIZER]}).go()
    assert play.asks(DISTANCE, RED)  # no die was rolled
    play.answer(DISTANCE, 0)
    assert play.asks(NAMING) and play.offers() == {0, 1, 2}
    play.answer(NAMING, naming, by=holder)
    for saucer in order:
        assert play.asks(DISTANCE, saucer)
        play.answer(DISTANCE, 0)
    assert play.asks(PLAN)


@pytest.mark.rule("CG-U19")
def test_stabilizer_may_have_the_die_rolled():
    play = board({RED: 0, GREEN: 33, BLUE: 44, YELLOW: 55}, upgrades={BLUE: [STABILIZER]}).go().answer(DISTANCE, 0)
    play.answer(NAMING, 2).answer(ROTATION, COUNTER)
    assert play.asks(DISTANCE, YELLOW)


@pytest.mark.rule("CG-U19")
@pytest.mark.rule("CG-R3")
def test_override_tokens_are_given_out_after_the_naming():
    play = board({saucer: 10 * saucer + 3 for saucer in range(5)}, 5, upgrades={RED: [STABILIZER]})
    play.go(dict.fromkeys(range(5), "0-5 right")).answer(DISTANCE, 1).answer(NAMING, 1)
    for saucer in (4, 3, 2):
        assert play.asks(DISTANCE, saucer)
        play.answer(DISTANCE, 1)
    assert play.answer(DISTANCE, 1).asks(DIRECTION, GREEN)


@pytest.mark.rule("CG-U19")
@pytest.mark.rule("CG-H1")
def test_a_stabilizer_bought_by_the_probe_player_waits_for_the_next_round():
    """The die had been rolled when the round began without it."""
    play = board({RED: 0, GREEN: 33, BLUE: 44, YELLOW: 55}, energy={RED: 2}).go(spin=COUNTER).answer(DISTANCE, 0)
    play.answer(BUY, 1).answer(DRAW, STABILIZER).answer(DRAW, MINES).answer(KEEP, STABILIZER)
    for saucer in (3, 2, 1):
        assert play.asks(DISTANCE, saucer)
        play.answer(DISTANCE, 0)
    play.go()
    assert play.asks(DISTANCE)
    play.answer(DISTANCE, 0)
    assert play.asks(NAMING) and play.table.asked[0] == RED


@pytest.mark.rule("CG-U19")
def test_the_naming_follows_the_whole_turn_with_its_crash_settled():
    play = board({RED: 7, GREEN: 33, BLUE: 44, YELLOW: 55}, upgrades={GREEN: [STABILIZER]}, aboard={RED: "blue pilot"})
    play.ride(RED, 1, RIGHT).answer(PENALTY, (BLUE, "blue pilot")).answer(NAMING, 1, by=GREEN)
    assert play.asks(DISTANCE, YELLOW)


# CG-U20 Airlock


@pytest.mark.rule("CG-U20")
def test_airlock_exchanges_the_crewmember_picked_up():
    lost = {"blue pilot": 32, "green doctor": 70, "yellow scientist": 71}
    play = armed(AIRLOCK, {RED: 30}, lost=lost).ride(RED, 3, RIGHT)
    assert play.at(RED) == 32 and play.offers() == {None, "green doctor", "yellow scientist"}
    play.answer(EXCHANGE, "green doctor", by=RED)
    assert play.aboard(RED) == {"green doctor"} and play.at(RED) == 33
    assert play.lost() == {"blue pilot": 70, "yellow scientist": 71}
    play.answer(REFILL, BLUE).answer(REFILL_DIE, 1)
    assert ends(play, RED)  # one refill: the exchange is no new pick-up


@pytest.mark.rule("CG-U20")
def test_airlock_when_pushed_on_anothers_turn():
    play = board({RED: 30, GREEN: 31}, upgrades={GREEN: [AIRLOCK]}, lost={"blue pilot": 32, "green doctor": 70})
    play.ride(RED, 3, RIGHT).answer(EXCHANGE, "green doctor", by=GREEN)
    assert play.aboard(GREEN) == {"green doctor"} and play.at(GREEN) == 34 and play.asks(REFILL, RED)


@pytest.mark.rule("CG-U20")
def test_the_one_put_down_can_be_picked_up_later_in_the_movement():
    play = armed(AIRLOCK, {RED: 30}, lost={"blue pilot": 32, "green doctor": 34}).ride(RED, 5, RIGHT)
    play.answer(EXCHANGE, "green doctor")
    assert play.aboard(RED) == {"green doctor", "blue pilot"} and play.lost() == {}
    assert play.asks(REFILL) and play.table.picked[0] == 2


@pytest.mark.rule("CG-U20")
@pytest.mark.rule("CG-W5")
def test_an_exchange_can_win_and_alone_there_is_none():
    play = armed(AIRLOCK, {RED: 30}, lost={"blue pilot": 32, "green scientist": 70}, aboard={RED: THREE.format("red")})
    play.ride(RED, 5, RIGHT).answer(EXCHANGE, "green scientist")
    assert play.winners() == {RED}
    play = armed(AIRLOCK, {RED: 30}, lost={"blue pilot": 32}).ride(RED, 5, RIGHT)
    assert play.asks(REFILL)


@pytest.mark.rule("CG-U20")
@pytest.mark.rule("CG-W4")
def test_an_exchanged_crewmember_is_marked_for_the_partner():
    play = board({RED: 30, GREEN: 42}, 2, upgrades={RED: [AIRLOCK]}, lost={"blue pilot": 32, "green doctor": 70})
    play.ride(RED, 5, RIGHT).answer(EXCHANGE, "green doctor")
    assert play.asks(PASS) and play.offers() == {None, "green doctor"}


# CG-U21 Acceleration Regulator


@pytest.mark.rule("CG-U21")
@pytest.mark.parametrize(("distance", "offers"), [(2, {1, 2, 3, 4}), (5, {1, 2, 3, 4, 5})])
def test_the_regulator_chooses_the_distance_then_the_direction(distance, offers):
    play = armed(REGULATOR, {RED: 30}, accelerators=[32]).ride(RED, distance, RIGHT)
    assert play.asks(LEG) and play.offers() == offers
    play.answer(LEG, 1, by=RED).answer(TURN_OFF, DOWN)
    assert play.at(RED) == 42


@pytest.mark.rule("CG-U21")
def test_the_chosen_distance_is_the_travelling_distance():
    """A saucer hit after the accelerator moves that far, and so does the next leg; a boost has the card's distance."""
    play = armed(REGULATOR, {RED: 30, GREEN: 33}, accelerators=[32], boosters={RED: 1}).ride(RED, 2, RIGHT)
    play.answer(LEG, 4).answer(TURN_OFF, RIGHT)
    assert (play.at(RED), play.at(GREEN)) == (33, 37)
    assert play.offers() == {None} | {(2, direction) for direction in ALL_WAYS}


@pytest.mark.rule("CG-U21")
def test_the_normal_distance_of_a_later_accelerator_in_the_same_turn():
    play = armed(REGULATOR, {RED: 30}, accelerators=[32, 33]).ride(RED, 5, RIGHT).answer(LEG, 1).answer(TURN_OFF, RIGHT)
    assert play.at(RED) == 33 and play.asks(LEG) and {1, 2, 3, 4} <= play.offers() <= {1, 2, 3, 4, 5}


@pytest.mark.rule("CG-U21")
@pytest.mark.rule("CG-U9")
def test_the_regulator_with_hyperdrive():
    play = board({RED: 30}, upgrades={RED: [REGULATOR, HYPERDRIVE]}, accelerators=[32]).go({RED: "3 right"})
    play.answer(DISTANCE, 3)
    assert play.offers() == {1, 2, 3, 4, 6, 8}
    play.answer(LEG, 6).answer(TURN_OFF, RIGHT)
    assert play.at(RED) is None
    play = board({RED: 30}, upgrades={RED: [REGULATOR, HYPERDRIVE]}, accelerators=[32]).ride(RED, 10, RIGHT)
    assert play.offers() == {1, 2, 3, 4, 6, 8, 10}


@pytest.mark.rule("CG-U21")
def test_the_regulator_not_when_pushed():
    play = board({RED: 30, GREEN: 31}, upgrades={RED: [REGULATOR], GREEN: [REGULATOR]}, accelerators=[32])
    assert play.ride(RED, 3, RIGHT).at(GREEN) == 35


@pytest.mark.rule("CG-U21")
@pytest.mark.rule("CG-M5")
def test_from_the_13th_accelerator_on_the_distance_may_still_be_chosen():
    play = armed(REGULATOR, {RED: 32}, accelerators=[33, 34]).ride(RED, 1, RIGHT)
    for time in range(12):
        play.answer(LEG, 1).answer(TURN_OFF, LEFT if time % 2 else RIGHT)
    assert play.at(RED) == 33
    play.answer(LEG, 3)
    assert play.at(RED) == 30 and ends(play, RED)


# CG-U22 Boost Amplifier


@pytest.mark.rule("CG-U22")
def test_each_boost_may_be_1_to_6():
    play = armed(AMPLIFIER, {RED: 30}, boosters={RED: 2}).ride(RED, 2, RIGHT)
    assert play.offers() == {None} | {(n, direction) for n in range(1, 7) for direction in ALL_WAYS}
    play.answer(BOOST, (5, RIGHT)).answer(BOOST, (1, DOWN))
    assert play.at(RED) == 47 and ends(play, RED)


@pytest.mark.rule("CG-U22")
@pytest.mark.rule("CG-U9")
def test_the_amplifier_with_hyperdrive():
    play = board({RED: 30}, upgrades={RED: [AMPLIFIER, HYPERDRIVE]}, boosters={RED: 1}).ride(RED, 1, RIGHT)
    numbers = {1, 2, 3, 4, 5, 6, 8, 10, 12}
    assert play.offers() == {None} | {(n, direction) for n in numbers for direction in ALL_WAYS}


@pytest.mark.rule("CG-U22")
@pytest.mark.rule("CG-M7")
def test_with_distance_0_the_amplifier_boosts_1_to_6():
    play = armed(AMPLIFIER, {RED: 30}, boosters={RED: 1}).ride(RED, 0, RIGHT)
    assert play.offers() == {None} | {(n, direction) for n in range(1, 7) for direction in ALL_WAYS}
    assert play.answer(BOOST, (6, RIGHT)).at(RED) == 36


@pytest.mark.rule("CG-U22")
def test_an_amplified_boost_collides_and_accelerates_with_its_distance():
    play = armed(AMPLIFIER, {RED: 30, GREEN: 33}, boosters={RED: 1}).ride(RED, 1, RIGHT).answer(BOOST, (4, RIGHT))
    assert (play.at(RED), play.at(GREEN)) == (33, 37)
    play = armed(AMPLIFIER, {RED: 30}, boosters={RED: 1}, accelerators=[33]).ride(RED, 1, RIGHT)
    play.answer(BOOST, (4, RIGHT)).answer(TURN_OFF, RIGHT)
    assert play.at(RED) == 37


# CG-U23 Organic Triangulator


@pytest.mark.rule("CG-U23")
def test_the_triangulator_moves_to_any_empty_space():
    play = rested(TRIANGULATOR, {RED: 33, GREEN: 61}, accelerators=[0, 44], lost={"blue pilot": 51})
    assert play.targets(TRIANGULATOR) == spaces() - {33, 61, 0, 44, 51}
    play.answer(END, (TRIANGULATOR, 7))
    assert play.at(RED) == 7 and ends(play, RED)


@pytest.mark.rule("CG-U23")
def test_the_triangulator_not_after_a_gain_or_a_crash():
    play = armed(TRIANGULATOR, {RED: 33}, lost={"blue pilot": 34}).ride(RED, 1, RIGHT)
    assert ends(play.answer(REFILL, BLUE).answer(REFILL_DIE, 1), RED)
    assert ends(armed(TRIANGULATOR, {RED: 37}).ride(RED, 1, RIGHT), RED)
    play = armed(TRIANGULATOR, {RED: 35, GREEN: 36}, aboard={GREEN: "red pilot"}).ride(RED, 2, RIGHT)
    assert ends(play.answer(REWARD, "red pilot"), RED)
    play = armed(TRIANGULATOR, {RED: 35, GREEN: 36}, aboard={GREEN: "red pilot"}).ride(RED, 2, RIGHT)
    assert play.answer(REWARD, None).asks(END)


@pytest.mark.rule("CG-U23")
def test_anothers_gain_does_not_count_for_the_triangulator():
    play = armed(TRIANGULATOR, {RED: 30, GREEN: 31}, lost={"blue pilot": 32}).ride(RED, 3, RIGHT)
    assert play.answer(REFILL, BLUE).answer(REFILL_DIE, 1).asks(END)


@pytest.mark.rule("CG-U23")
@pytest.mark.rule("CG-U11")
def test_a_swap_or_a_pass_counts_as_a_gain_for_the_triangulator():
    play = board({RED: 33}, upgrades={RED: [TRIANGULATOR, DISTRESS]}, aboard={RED: "green pilot", GREEN: "red pilot"})
    assert ends(play.ride(RED, 0, UP).answer(END, (DISTRESS, crew("green pilot"))), RED)
    play = board({RED: 30, GREEN: 42}, 2, upgrades={RED: [TRIANGULATOR]}, aboard={GREEN: "red pilot"})
    assert ends(play.ride(RED, 4, RIGHT).answer(PASS, "red pilot"), RED)
    play = board({RED: 30, GREEN: 42}, 2, upgrades={RED: [TRIANGULATOR]}, aboard={GREEN: "red pilot"})
    assert play.ride(RED, 4, RIGHT).answer(PASS, None).asks(END)


@pytest.mark.rule("CG-U23")
@pytest.mark.rule("CG-U7")
def test_the_triangulator_while_cloaked():
    play = board({RED: 33}, upgrades={RED: [TRIANGULATOR, CLOAK]}).ride(RED, 0, UP).answer(END, (CLOAK, 0))
    assert play.targets(TRIANGULATOR) == spaces()
    assert play.answer(END, (TRIANGULATOR, 20)).at(RED) == 20


# Upgrades together


@pytest.mark.rule("CG-M1")
@pytest.mark.rule("CG-U8")
@pytest.mark.rule("CG-W4")
def test_distance_0_enters_no_space():
    """There is no Waste Accelerator on RED's own site, and no passing to the partner beside it."""
    play = board({RED: 60, GREEN: 50}, 2, upgrades={RED: [WASTE]}, aboard={RED: "green pilot"}).ride(RED, 0, UP)
    assert ends(play, RED) and play.at(RED) == 60


@pytest.mark.rule("CG-P1")
@pytest.mark.rule("CG-H1")
def test_dice_and_the_deck_are_fair():
    weights = [0] * rules.MOST_ACTIONS
    play = board({GREEN: 3}).go()
    assert play.asks(DIE) and rules.odds(play.table, weights) == 12 and set(weights[:12]) == {1}
    play = board({RED: 33}, energy={RED: 2}, deck=[MINES, QUAKE, CLOAK]).ride(RED, 0, UP).answer(BUY, 1)
    assert play.asks(DRAW) and rules.odds(play.table, weights) == 3 and set(weights[:3]) == {1}


@pytest.mark.rule("CG-U10")
@pytest.mark.rule("CG-U13")
def test_scavenger_bot_with_the_gateway():
    play = board({GREEN: 3}, upgrades={RED: [SCAVENGER, GATEWAY]}).go().answer(SITE, 4)
    assert play.at(RED) == 63 and (play.energy(RED), play.boosters(RED)) == (1, 1)


@pytest.mark.rule("CG-U10")
@pytest.mark.rule("CG-U6")
def test_the_teleporter_out_of_the_cloak_is_no_placing():
    play = board({RED: 33}, upgrades={RED: [TELEPORTER, CLOAK, SCAVENGER]}).ride(RED, 0, UP)
    play.answer(END, (CLOAK, 0)).answer(END, (TELEPORTER, 71))
    assert (play.energy(RED), play.boosters(RED)) == (0, 0) and ends(play, RED)


@pytest.mark.rule("CG-U7")
@pytest.mark.rule("CG-U6")
def test_back_from_the_cloak_the_other_upgrades_work_again():
    play = board({RED: 33}, upgrades={RED: [TELEPORTER, CLOAK, AFTERBURNER]}).ride(RED, 0, UP)
    play.answer(END, (CLOAK, 0))
    assert not play.targets(AFTERBURNER)
    play.answer(END, (TELEPORTER, 71))
    assert play.targets(AFTERBURNER)


@pytest.mark.rule("CG-U17")
@pytest.mark.rule("CG-U6")
def test_who_crashed_by_landing_legs_is_crashed():
    play = board({RED: 30}, upgrades={RED: [LANDING_LEGS, TELEPORTER, TRIANGULATOR]}).ride(RED, 0, UP)
    assert ends(play.answer(END, (LANDING_LEGS, LEFT)), RED) and play.at(RED) is None


@pytest.mark.rule("CG-U17")
@pytest.mark.rule("CG-W4")
def test_landing_legs_and_the_triangulator_pass():
    play = board({RED: 31, GREEN: 42}, 2, upgrades={RED: [LANDING_LEGS]}, aboard={RED: "green pilot"}).ride(RED, 0, UP)
    assert play.answer(END, (LANDING_LEGS, RIGHT)).answer(PASS, "green pilot").aboard(GREEN) == {"green pilot"}
    play = board({RED: 31, GREEN: 66}, 2, upgrades={RED: [TRIANGULATOR]}, aboard={RED: "green pilot"}).ride(RED, 0, UP)
    assert play.answer(END, (TRIANGULATOR, 56)).answer(PASS, "green pilot").aboard(GREEN) == {"green pilot"}


@pytest.mark.rule("CG-U9")
@pytest.mark.rule("CG-U12")
def test_hyperdrive_and_time_machine_distance_first():
    play = board({RED: 33}, upgrades={RED: [HYPERDRIVE, TIME_MACHINE]}).go({RED: "2 left"}).answer(DISTANCE, 4)
    assert play.answer(DIRECTION, DOWN).at(RED) == 73


@pytest.mark.rule("CG-U9")
@pytest.mark.rule("CG-U16")
def test_hyperdrive_pushes_far_and_mines_need_no_distance():
    play = board({RED: 0, GREEN: 1}, 6, upgrades={RED: [HYPERDRIVE, MINES]}).ride(RED, 8, RIGHT).answer(PUSH, 0)
    assert play.at(GREEN) == 9
    play = board({RED: 0, GREEN: 1}, 6, upgrades={RED: [HYPERDRIVE, MINES]}).ride(RED, 8, RIGHT).answer(PUSH, 1)
    assert (play.at(RED), play.at(GREEN), play.energy(RED)) == (1, None, 1)


@pytest.mark.rule("CG-U22")
@pytest.mark.rule("CG-M5")
def test_boosts_of_other_distances_over_accelerators():
    play = board({RED: 20}, upgrades={RED: [AMPLIFIER, REGULATOR]}, accelerators=[26], boosters={RED: 1})
    play.ride(RED, 1, RIGHT).answer(BOOST, (5, RIGHT))
    assert play.asks(LEG) and play.offers() == {1, 2, 3, 4, 5}
    assert play.answer(LEG, 5).answer(TURN_OFF, LEFT).at(RED) == 21


@pytest.mark.rule("CG-C1")
@pytest.mark.rule("CG-U23")
def test_receiving_a_penalty_on_anothers_turn_does_not_last():
    """GREEN gains in RED's turn and may still use the Triangulator in its own."""
    play = board(
        {RED: 37, GREEN: 33}, 3, upgrades={GREEN: [TRIANGULATOR]}, aboard={RED: "blue pilot", BLUE: "red pilot"}
    )
    play.ride(RED, 1, RIGHT)
    assert play.aboard(GREEN) == {"blue pilot"}  # the only choice
    assert play.answer(DISTANCE, 0).targets(TRIANGULATOR)


# A second opinion on whole movements


def random_world(rng):
    """Return a position with many saucers, accelerators and crew, RED's plan, and the same as data for the oracle."""
    players = rng.randrange(2, 7)
    size, saucers = {5: 9, 6: 10}.get(players, 8), tables.SAUCERS[players]
    line, way = rng.randrange(size), rng.choice(ALL_WAYS)
    in_line = [10 * line + n if way in (LEFT, RIGHT) else 10 * n + line for n in range(size)]
    others = rng.sample(sorted(spaces(size) - set(in_line)), 30)
    rng.shuffle(in_line)

    def anywhere():
        """Return an unused space, half of the time in RED's line, so that much happens there."""
        return (in_line if len(in_line) > 1 and rng.random() < 0.5 else others).pop()

    at = {RED: in_line.pop()} | {saucer: anywhere() for saucer in range(1, saucers) if rng.random() < 0.9}
    accelerators = [anywhere() for _ in range(rng.randrange(6))]
    colours = tables.COLOUR_NAMES[: tables.COLOURS[players]]
    names = [f"{colour} {kind}" for colour in colours for kind in tables.TYPE_NAMES]
    rng.shuffle(names)
    lost = {names.pop(): anywhere() for _ in range(rng.randrange(1, 9))}
    aboard = {saucer: [names.pop() for _ in range(rng.randrange(3))] for saucer in range(saucers)}
    lucky, missing = rng.randrange(saucers), rng.choice(list(lost)).split()[1]  # one saucer lacks a single type
    waiting = {name.split()[1]: name for name in names}
    aboard[lucky] = [name for kind, name in waiting.items() if kind != missing]
    return players, size, at, accelerators, lost, {s: crews for s, crews in aboard.items() if crews}, way


def plain(space):
    return None if space is None else divmod(space, 10)


@pytest.mark.few(2)
@pytest.mark.rule("CG-M2")
@pytest.mark.rule("CG-M3")
@pytest.mark.rule("CG-M4")
@pytest.mark.parametrize("seed", range(4))
def test_the_engine_moves_as_the_oracle_does(seed):
    rng, counts = random.Random(seed), Counter()
    for _ in range(500):
        players, size, at, accelerators, lost, aboard, way = random_world(rng)
        sites = dict(enumerate(set(lost.values()), 1))
        free = sorted(spaces(size) - set(accelerators) - set(lost.values()))
        sites |= dict(zip(range(len(sites) + 1, 13), rng.sample(free, 12 - len(sites)), strict=True))
        play = board(
            at,
            players,
            sites=sites,
            accelerators=accelerators,
            lost=lost,
            aboard={saucer: ", ".join(names) for saucer, names in aboard.items()},
        )
        saucers = range(tables.SAUCERS[players])
        world = {
            "size": size,
            "accelerators": {plain(space) for space in accelerators},
            "player": {saucer: saucer // 2 if players == 2 else saucer for saucer in saucers},
            "at": {saucer: plain(at.get(saucer)) for saucer in saucers},
            "lost": {tuple(name.split()): plain(space) for name, space in lost.items()},
            "aboard": {saucer: {tuple(name.split()) for name in aboard.get(saucer, ())} for saucer in saucers},
        }
        distance, turns = rng.randrange(1, 6), [rng.choice(ALL_WAYS) for _ in range(12)]
        names = ("up", "right", "down", "left")
        winner = oracle.move(world, RED, names[way], distance, [names[turn] for turn in turns])
        play.go({RED: f"0-5 {names[way]}"}, first=RED if players == 2 else None)
        play.apply(DISTANCE, 0, distance)
        while play.asks(TURN_OFF, RED):
            play.apply(TURN_OFF, 0, turns.pop(0))
        assert {saucer: plain(play.at(saucer)) for saucer in saucers} == world["at"]
        assert {tuple(name.split()): plain(space) for name, space in play.lost().items()} == world["lost"]
        assert {s: {tuple(name.split()) for name in play.aboard(s)} for s in saucers} == world["aboard"]
        assert play.winners() == (None if winner is None else {winner})
        counts["crash"] += None in [world["at"][saucer] for saucer in at]
        counts["win"] += winner is not None
        counts["push"] += sum(play.at(saucer) != space for saucer, space in at.items()) > 1
        counts["chain"] += sum(play.at(saucer) != space for saucer, space in at.items()) > 2
        counts["turn"] += len(turns) < 12
    assert min(counts[what] for what in ("crash", "win", "push", "chain", "turn")) >= 10
