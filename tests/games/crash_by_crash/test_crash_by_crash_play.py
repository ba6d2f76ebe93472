"""Crash by Crash under random play: the invariants, the legal actions, and the figures of the rules."""

from functools import partial
from itertools import combinations_with_replacement, product
from typing import Any

import pytest
import table_play
from effort import LEVEL

from crashlab.compiled import choose_backend
from crashlab.compiled.kernels.random_play import decide
from crashlab.engine.chance import Random, next_luck
from crashlab.engine.rules import quickest
from crashlab.engine.table import CHANCE, NOTE, NOWHERE, Trace, replay
from crashlab.games.crash_by_crash import positions
from crashlab.games.crash_by_crash import state as tables

cbc = quickest("crashlab.games.crash_by_crash")

ACTION, EXPANSION, DOUBLE_HIT = tables.ACTION, tables.EXPANSION, tables.DOUBLE_HIT
CAR, MAGNET, WALK, PLAY, EXCHANGE = tables.CAR, tables.MAGNET, tables.WALK, tables.PLAY, tables.EXCHANGE
SORT, WAY, SECOND, POWER = tables.SORT, tables.WAY, tables.SECOND, tables.POWER
STEP, CELL = tables.STEP, tables.CELL
VARIANTS = [
    {"players": players, "edition": edition, "turn_limit": limit}
    for players, edition, limit in product((2, 4), ("czech", "english"), (300, 20, None))
]
PROOF = LEVEL == "proof"
each_variant = pytest.mark.parametrize("options", VARIANTS, ids=str)


start = partial(table_play.set_up, tables)
play = partial(table_play.random_game, cbc)
codes_of = partial(table_play.legal_codes, cbc)


def at_random(table, rng):
    """Yield the decisions of a random game with their actions, changing the table.

    The kind of action is chosen first, and for a card its kind, so that all of them are played.
    """
    while bits := cbc.actors(table):
        codes = codes_of(table)
        yield bits, codes
        for kind in (lambda code: code // SORT, lambda code: code % STEP if code // SORT * SORT == PLAY else 0):
            choice = rng.choice(sorted({kind(code) for code in codes}))
            codes = [code for code in codes if kind(code) == choice]
        cbc.apply(table, CHANCE if bits == CHANCE else bits.bit_length() - 1, rng.choice(codes), None)


# Invariants


def check_pieces(table):
    """Check that cars and the operator have different cells, and that no car is over a hole."""
    cars = [cell for cell in table.cell[: tables.CARS] if cell != NOWHERE]
    assert len(cars) == len(set(cars)) and table.cell[tables.OPERATOR] not in cars
    assert not any(table.gone[tables.TILE[cell]] for cell in cars)
    bells = [cell % tables.RINGING for cell in table.cell[tables.BELL :] if cell != NOWHERE]
    assert len(bells) == len(set(bells)) and all(tables.TILE[cell] % 2 for cell in bells)
    quiet = [cell for cell in table.cell[tables.BELL :] if cell in cars]
    assert not quiet or table.scorings[0] == 7, "a car is on a bell that is not rung"
    assert min(table.score) > 0 and min(table.batteries) >= 0 and table.scorings[0] <= 7
    assert min(table.hand) >= 0 and min(table.hand_size) >= 0 and min(table.discards) >= 0


def check_decision(table, bits, codes):
    """Check the invariants of a decision."""
    check_pieces(table)
    assert positions.problems(table) == []
    assert len(codes) == len(set(codes)) > 0
    out = [0] * cbc.MOST_ACTIONS
    before = table.copy()
    only = cbc.only_action(table, 0, out)
    assert only == (codes[0] if len(codes) == 1 else NOWHERE)
    seat = CHANCE if bits == CHANCE else table.asked[0]
    assert cbc.draw(table, seat, 1 << 30, out) == codes[len(codes) >> 1] and table == before
    assert not any(cell >= tables.RINGING for cell in table.cell)
    if table.phase[0] == ACTION and table.bound[0] != NOWHERE:
        assert tables.FORFEIT not in codes  # CB-K: a legal second action was required
    if bits == CHANCE:
        assert cbc.odds(table, out) == len(codes)
        assert out[: len(codes)] == [tables.in_pile(table, code - tables.TURN_UP) for code in codes]


@pytest.mark.few(3)
@each_variant
def test_the_invariants_hold_at_every_decision_and_the_game_ends(options):
    limited = options["turn_limit"] is not None
    for seed in range(2):
        table, decisions = start(seed, **options), 0
        for bits, codes in at_random(table, Random(seed)):
            check_decision(table, bits, codes)
            decisions += 1
            if not limited and decisions == 400:
                break
        else:
            a_side_is_gone = {NOWHERE} in (set(table.cell[:11]), set(table.cell[11:22]))
            assert table.scorings[0] == 7 or a_side_is_gone or table.turn[0] == options["turn_limit"]


@pytest.mark.few(3)
@each_variant
def test_the_invariants_hold_after_every_beat_and_the_events_rebuild_the_table(options):
    for seed in range(2):
        table, trace = start(seed, **options), Trace()
        after, _, _ = play(choose_backend.interpreted(cbc), table, seed, trace, 300)
        beats = {}
        for row in trace.rows:
            beats.setdefault(row[0], []).append(row)
        for beat in sorted(beats):
            replay(table, beats[beat])
            check_pieces(table)
        assert table == after


@pytest.mark.few(3)
@each_variant
def test_no_number_leaves_its_range(options):
    table, trace = start(3, **options), Trace()
    for row, bounds in zip(table.rows(), table.RANGES, strict=True):
        assert all(number in bounds for number in row)
    play(choose_backend.interpreted(cbc), table, 3, trace, 300)
    for _, _, _, field, _, _, after, _ in trace.rows:
        assert field == NOTE or after in table.RANGES[field], table.NAMES[field]


def test_causes_are_earlier_events_and_notes_have_names():
    trace = Trace()
    play(choose_backend.interpreted(cbc), start(1), 1, trace)
    for number, (_, rule, cause, field, *numbers) in enumerate(trace.rows):
        assert cause < number
        if field == NOTE:
            named = len(cbc.BOOK[rule].numbers)
            assert named and not any(numbers[named:])


def test_the_cards_of_both_editions_come_and_go():
    """CB-K13: in 36 cards there is no Action and Reaction, in 39 it is as frequent as any other."""
    for edition, there in (("czech", True), ("english", False)):
        cards = set()
        for seed in range(20):
            table, _, _ = play(choose_backend.compiled(cbc), start(seed, edition=edition), seed, None)
            cards |= {card for card in range(tables.KINDS) if table.discards[card] or table.hand[card]}
        assert (tables.ACTION_AND_REACTION in cards) == there and len(cards) == (13 if there else 12)


# A second opinion on legality: every conceivable action is tried on a copy, and judged by the result


def occupied(table, cell):
    """Return whether there is no floor here, or something on it."""
    return cell == tables.OUTSIDE or table.gone[tables.TILE[cell]] == 1 or cell in table.cell


def car_on(table, cell):
    return table.cell[: tables.CARS].index(cell) if cell in table.cell[: tables.CARS] else NOWHERE


def ahead(cell, way):
    return tables.AHEAD[6 * cell + way]


def is_fine(table, code):
    """CB-T3, CB-E2, CB-M1, CB-K7: try an action on a copy and check its bells and the car that it pulls."""
    side, bound = table.asked[0] & 1, table.bound[0]
    cost = 4 if code // SORT * SORT in (CAR, MAGNET) and table.placed[0] else 0
    if code // SORT * SORT == WALK and code - WALK >= STEP**2:
        cost = 2
    if cost >= table.score[side]:
        return False
    copy, trace = table.copy(), Trace()
    cbc.apply(copy, table.asked[0], code, trace)
    moves = [row for row in trace.rows if row[3] == cbc.PLACES]
    rung = sum(row[4] >= tables.BELL and row[6] >= tables.RINGING for row in moves)
    if rung and table.turn[0] < 6:
        return False
    if table.edition[0] == tables.CZECH and rung + table.scored[0] > 1:
        return False
    if bound in (tables.POWERLESS_BELL, tables.SHADY_EXCEPTION) and not rung:
        return False
    if code // SORT * SORT == MAGNET and bound != EXPANSION:
        home, pulls = code - MAGNET, [row for row in moves if row[1] == cbc.M3]
        line = [(ahead(ahead(home, way), way), ahead(home, way)) for way in range(6)]
        return any((row[5], row[6]) in line for row in pulls)
    return True


def could_be_placed(table):
    side, bound = table.asked[0] & 1, table.bound[0]
    most = 0 if bound >= DOUBLE_HIT or table.banned[side] else min(2, table.batteries[side])
    for cell in (cell for cell in range(tables.CELLS) if not occupied(table, cell)):
        ways = [way for way in range(6) if car_on(table, ahead(cell, way)) != NOWHERE]
        if any(table.cell[11 * side + car] == NOWHERE for car in range(10)):
            if bound != DOUBLE_HIT or table.edition[0] == tables.ENGLISH:
                yield from (CAR + cell + WAY * (way + 1) + POWER * more for way in ways for more in range(most + 1))
            if bound == EXPANSION:
                yield CAR + cell
            if bound == DOUBLE_HIT:
                for way, second in product(ways, ways):
                    code = CAR + cell + WAY * (way + 1) + SECOND * (second + 1)
                    if way < second or (way > second and both_ring(table, code)):
                        yield code
        if table.cell[11 * side + 10] == NOWHERE and (bound == EXPANSION or bound < DOUBLE_HIT):
            yield MAGNET + cell


def both_ring(table, code):
    """CB-K9, english: return whether two bells ring before the first scoring."""
    copy, trace = table.copy(), Trace()
    cbc.apply(copy, table.asked[0], code, trace)
    ringing = [row[6] // tables.RINGING for row in trace.rows if row[3] == cbc.PLACES and row[4] >= tables.BELL]
    return table.edition[0] == tables.ENGLISH and 2 in ringing and DOUBLE_HIT == table.bound[0]


def could_be_walked(table, steps=(), visited=()):
    """CB-O1 to CB-O3: yield paths of 2 and 4 steps, found by pushing the cars on copies of the whole table."""
    here = table.cell[tables.OPERATOR]
    visited = (*visited, here)
    if len(steps) in (2, 4):
        yield WALK + sum((step + 1) * STEP**n for n, step in enumerate(steps))
    if len(steps) == 4:
        return
    inside = table.gone[tables.TILE[here]]
    reached = set()
    for step in range(18 if inside else 6):
        corner, way = (ahead(here, step // 3), (step // 3 + step % 3 - 1) % 6) if inside else (here, step)
        target = ahead(corner, way)
        if target == tables.OUTSIDE:
            continue
        if table.gone[tables.TILE[target]]:
            target = tables.cells_of(tables.TILE[target])[0]
        key = (target, way if car_on(table, target) != NOWHERE else None)
        if target in visited or key in reached:
            continue
        reached.add(key)
        copy = table.copy()
        cbc.stride(copy, copy.cell, 0, step, NOWHERE, None)
        yield from could_be_walked(copy, (*steps, step), visited)


def could_be_played(table):
    """CB-K1 to CB-K6: yield the cards that can be played, and the binding cards if something can follow them."""
    hand = [card for card in range(13) if table.hand[13 * table.asked[0] + card]]
    side, cells = table.asked[0] & 1, range(tables.CELLS)
    cars = {cell: car for car, cell in enumerate(table.cell[:22]) if cell != NOWHERE}
    bells = [cell for cell in table.cell[tables.BELL :] if cell != NOWHERE]
    for card in hand:
        code = PLAY + card
        if card == tables.BELL_CHARMS:
            for bell, cell in product(bells, cells):
                tile, others = tables.TILE[cell], [tables.TILE[other] for other in bells if other != bell]
                if tile % 2 and tile not in others and not occupied(table, cell):
                    yield code + STEP * bell + STEP * CELL * cell
        elif card in (tables.LAMBADA, tables.FREE_RIDE):
            for cell, way in product(cars, range(6)):
                to = ahead(cell, way)
                on_bell = to in bells and to != table.cell[tables.OPERATOR] and table.edition[0] == tables.CZECH
                free = to not in cars and (not occupied(table, to) or on_bell)
                if (to in cars and cell < to) if card == tables.LAMBADA else free:
                    yield code + STEP * cell + STEP * CELL * to
        elif card == tables.SABOTEUR:
            yield from (code + STEP * cell for cell, car in cars.items() if car // 11 != side)
        elif card == tables.FLYING_DUTCHMAN:
            holes = [tables.cells_of(tile)[0] for tile in range(25) if table.gone[tile]]
            for cell in cells:
                if not occupied(table, cell) or (cell in holes and cell != table.cell[tables.OPERATOR]):
                    yield code + STEP * cell
        elif card == tables.DEAD_ACCUMULATOR:
            yield code
        elif table.acted[0] == 0 and can_be_followed(table, code):
            yield code


def can_be_followed(table, code):
    copy = table.copy()
    cbc.apply(copy, table.asked[0], code, None)
    return copy.phase[0] == ACTION and any(True for _ in naive_actions(copy))


def naive_actions(table):
    """Return every legal action, in no special order."""
    bound = table.bound[0]
    candidates = [could_be_placed(table)]
    if bound < DOUBLE_HIT:
        candidates += [could_be_walked(table), could_be_played(table)]
    if bound == NOWHERE:
        hand = [card for card in range(13) for _ in range(table.hand[13 * table.asked[0] + card])]
        pairs = {pair for pair in combinations_with_replacement(hand, 2) if pair[0] < pair[1]}
        pairs |= {(card, card) for card in hand if hand.count(card) > 1}
        candidates.append(EXCHANGE + card + STEP * other for card, other in pairs)
    for some in candidates:
        yield from (code for code in some if is_fine(table, code))


@pytest.mark.few(2)
@pytest.mark.parametrize(("players", "edition"), [(2, "czech"), (2, "english"), (4, "czech"), (4, "english")])
def test_what_is_legal_is_what_a_naive_reading_allows(players, edition):
    followed = set()
    for seed in range(8):
        table, rng = start(seed, players=players, edition=edition), Random(seed + 7)
        for _, codes in at_random(table, rng):
            if table.phase[0] != ACTION:
                continue
            bound, early = table.bound[0], table.turn[0] < 6
            if rng.below(6 if bound != NOWHERE else 60) == 0 or (bound != NOWHERE and bound not in followed):
                assert set(codes) == (set(naive_actions(table)) or {tables.FORFEIT}), (seed, table.turn[0], early)
                followed.add(bound)
    assert followed == {NOWHERE, *range(tables.POWERLESS_BELL, 13 if edition == "czech" else 12)}


def crowded(seed, edition):
    """Return a position with magnets at or near bells, cars all around, and holes; pulls may be pending."""
    rng = Random(seed)
    table = start(seed, edition=edition)
    table.phase[0], table.turn[0], table.asked[0] = ACTION, rng.choice((3, 9)), rng.below(2)
    table.acted[0] = rng.below(2)
    table.scored[0] = table.acted[0] if table.turn[0] == 9 and rng.below(3) == 0 else 0
    table.score[:], table.batteries[:] = [1 + rng.below(9), 1 + rng.below(9)], [rng.below(5), rng.below(5)]
    table.placed[0] = table.acted[0] * rng.below(2)
    if table.acted[0] and not table.placed[0]:
        table.bound[0] = rng.choice((NOWHERE, *range(tables.POWERLESS_BELL, 13 if edition == "czech" else 12)))
    if table.turn[0] == 9:
        for bell in range(tables.BELL, tables.BELL + 2 + rng.below(5)):
            table.gone[tables.TILE[table.cell[bell]]], table.cell[bell] = 1, NOWHERE
            table.scorings[0] += 1
    cards = rng.shuffled(range(13 if edition == "czech" else 12))[:3]
    table.hand[:] = [int(n // 13 == table.asked[0] and n % 13 in cards) for n in range(52)]
    table.hand_size[:] = [3 * (seat == table.asked[0]) for seat in range(4)]
    table.display[:] = [NOWHERE] * 3
    bells = [cell for cell in table.cell[tables.BELL :] if cell != NOWHERE]
    near, apart = [], rng.below(2)
    for car in (10, 21, *range(7), *range(11, 18)):
        cells = [ahead(cell, way) for cell in (bells if car % 11 == 10 else near or bells) for way in range(6)]
        if car % 11 == 10 and apart:
            cells = [ahead(cell, way) for cell in cells for way in range(6)]
        cell = rng.choice([cell for cell in cells if not occupied(table, cell)] or [NOWHERE])
        table.cell[car] = cell if rng.below(5) else NOWHERE
        if table.cell[car] != NOWHERE:
            near += [ahead(cell, way) for way in range(6) if ahead(cell, way) != tables.OUTSIDE]
    return table


@pytest.mark.few(1)
@pytest.mark.parametrize("edition", ["czech", "english"])
def test_it_is_so_where_magnets_are_busy(edition):
    busy, boards = 0, 500 if PROOF else 40
    for seed in range(boards):
        table = crowded(seed, edition)
        assert positions.problems(table) == []
        codes = codes_of(table)
        assert len(codes) == len(set(codes)) and set(codes) == (set(naive_actions(table)) or {tables.FORFEIT}), seed
        busy += (
            cbc.check_magnets(table.copy(), table.copy().cell, 0, NOWHERE, NOWHERE, trace := Trace()) or trace.beat > 1
        )
    assert busy > boards // 4


# The figures of the rules

rules: Any = None  # bound by `choose_backend`


def kind_of(code, finer):
    return code % STEP if finer else code // SORT


def keep_a_kind(out, count, finer, luck):
    """Keep only the codes of one kind among the first count, all kinds equally likely; return their number."""
    kinds_met, kinds, chosen_kind, count_left = 0, 0, 0, 0
    for place in range(count):
        if kinds_met >> kind_of(out[place], finer) & 1 == 0:
            kinds_met |= 1 << kind_of(out[place], finer)
            kinds += 1
    turn = next_luck(luck) * kinds >> 31
    for kind in range(32):
        if kinds_met >> kind & 1:
            if turn == 0:
                chosen_kind = kind
            turn -= 1
    for place in range(count):
        if kind_of(out[place], finer) == chosen_kind:
            out[count_left] = out[place]
            count_left += 1
    return count_left


def play_by_kinds(table, luck, out, counts):
    """Play a game by choosing the kind of action first, and for a card its kind; return the number of actions.

    `counts` receives the players' decisions, the sum of their legal actions, and the largest number of these.
    """
    actions = 0
    bits = rules.actors(table)
    while bits != 0:
        if bits == CHANCE or table.phase[0] != ACTION:
            if decide(table, bits, luck, out, None) and bits != CHANCE:
                counts[0] += 1
        else:
            count = rules.legal(table, table.asked[0], out)
            actions += 1
            counts[0] += 1
            counts[1] += count
            counts[2] = max(counts[2], count)
            count = keep_a_kind(out, count, False, luck)
            if out[0] >= PLAY:
                count = keep_a_kind(out, count, True, luck)
            rules.apply(table, table.asked[0], out[next_luck(luck) * count >> 31], None)
        bits = rules.actors(table)
    return actions


@pytest.mark.slow
def test_a_game_is_as_long_as_the_rules_say():
    """A game has 97 turns and 359 decisions, about 600 legal actions, 1759 at most, and nearly always seven scorings.

    The lengths of games have a deviation of 40 turns, so the figures of the rules, which are means of some dozens of
    games, have a deviation of about 5.
    """
    backend, games = choose_backend.compiled(cbc), 300
    turns, actions, seven, counts = 0, 0, 0, backend.row(3)
    for seed in range(games):
        work, luck = backend.tables([start(seed)]), backend.luck(Random(seed).luck)
        actions += int(backend.bind(play_by_kinds)(work[0], luck, backend.row(cbc.MOST_ACTIONS), counts))
        table = backend.table(work, 0)
        turns += table.turn[0]
        seven += table.scorings[0] == 7
    assert abs(turns / games - 97) < 15 and abs(counts[0] / games - 359) < 55
    assert abs(counts[0] / turns - 359 / 97) < 0.1
    assert abs(counts[1] / actions - 600) < 60 and abs(counts[2] - 1759) < 250
    assert seven > 0.98 * games
