"""The engine against the second opinions of `oracles/crash_by_crash_*.py`, on crowded random positions."""

import random
from collections import Counter
from itertools import combinations, product

import pytest
from crash_by_crash_positions import Play, ahead, board, card, cell, exchange, magnet, place, swap, walk
from oracles import crash_by_crash_magnets as magnets
from oracles import crash_by_crash_push as pushes

from crashlab.engine.rules import whole
from crashlab.engine.table import NOWHERE
from crashlab.games.crash_by_crash import rules
from crashlab.games.crash_by_crash.state import *

WAYS = ("E", "NE", "NW", "W", "SW", "SE")
TILES = pushes.tiles()
MAGNETS = {STANDARD, FLEET + STANDARD}
TRIED = 4  # actions to play in each position


def axial(spot):
    row, column = spot
    return column - row // 2, row


def spot_of(there):
    q, r = there
    return r, q + r // 2


def crowd(chance, letters, holes=True, **more):
    """Return a position with these cars in a knot or in rows, some holes, some bells, and the operator among them."""
    holes_at = chance.sample(range(1, 25, 2), chance.choice((0, 0, 1, 2, 4)) if holes else 0)
    standing = [number for number in range(25) if number not in holes_at]
    floor = sorted(set().union(*(TILES[number] for number in standing)))
    near = nearest(chance, floor)
    bells = []
    for number in [number for number in standing if number % 2][: chance.choice((0, 12))]:
        bells += [there for there in near[:50] if there in TILES[number]][:1]
    spare = [there for there in near if there not in bells]
    spots = chance.sample(spare[: len(letters) + chance.choice((3, 8, 15))], len(letters) + 1)
    pieces = dict(zip(spots, [*letters, "o"], strict=True)) | dict.fromkeys(bells[:10], "*")
    if chance.random() < 0.3 and (holes_at or bells):
        del pieces[spots[-1]]  # the operator is in a hole, or on a bell
        pieces |= {sorted(TILES[holes_at[0]])[3]: "o"} if holes_at else {bells[0]: "@"}
    rows = [f"{row},{column}: {pieces[there]}" for there in pieces for row, column in [spot_of(there)]]
    values = {spot_of(there): chance.randrange(4) for there in floor}
    return board(*rows, gone=holes_at, values=values, full=False, **{"scores": (2, 10), **more})


def nearest(chance, floor):
    """Sort the cells by their distance from one of them, or from its row, with some randomness."""
    (q, r), flat, loose = chance.choice(floor), chance.choice((1, 1, 3)), chance.choice((0, 2, 4))

    def distance(there):
        right, down = there[0] - q, there[1] - r
        return max(abs(right), flat * abs(down), abs(right + down)) + loose * chance.random()

    return sorted(floor, key=distance)


def world_of(play):
    """Convert the position for the second opinions."""
    where = [axial(place(number)) if number != NOWHERE else None for number in play.table.cell]
    missing = {there for number in play.gone() for there in TILES[number]}
    return {
        "cells": set().union(*TILES) - missing,
        "cars": {where[piece]: piece for piece in range(CARS) if where[piece]},
        "bells": {where[piece] for piece in range(BELL, PIECES) if where[piece]},
        "operator": None if where[OPERATOR] in missing else where[OPERATOR],
        "magnets": MAGNETS,
    }


def copied(world):
    return {name: part.copy() if isinstance(part, dict | set) else part for name, part in world.items()}


def score(play, world, rung, scores):
    """Score the bells in the order in which they rang: for both sides; the tile leaves with its cars."""
    for bell in rung:
        for there, piece in world["cars"].items():
            scores[piece // FLEET] += play.table.value[cell(spot_of(there))]
        tile = next(tile for tile in TILES if bell in tile)
        world["cells"] -= tile
        world["bells"].discard(bell)
        world["cars"] = {there: piece for there, piece in world["cars"].items() if there not in tile}
        if world["operator"] in tile:
            world["operator"] = None


def assert_same(play, action, world, scores):
    """Check that the engine's result of the action equals the second opinion."""
    after = Play(play.table.copy())
    after.apply(action)
    ours, theirs = world_of(after), world
    assert {name: ours[name] for name in theirs} == theirs, play.floor()
    assert after.scores() == tuple(scores), play.floor()


def cars_of(chance, *more):
    """Return some standard cars of both sides."""
    return ["a", "b", *more, *(chance.choice("ab") for _ in range(chance.choice((1, 4, 8))))]


@pytest.mark.few(2)
@pytest.mark.parametrize("turn", [5, 8])
@pytest.mark.parametrize("edition", ["czech", "english"])
def test_the_engine_pushes_as_the_second_opinion_does(edition, turn):
    chance, counts = random.Random(f"{edition} {turn}"), Counter()
    for _ in range(300):
        batteries = chance.choice((4, 4, 1, 0))
        play = crowd(chance, cars_of(chance), edition=edition, turn=turn, batteries=(batteries, 4))
        world, results = world_of(play), {}
        for (there, way), power in product(sorted(pushes.hits(world)), range(min(2, batteries) + 1)):
            after = copied(world)
            name = play.table.cell.index(NOWHERE)
            fallen, bell = pushes.hit(after, there, way, power, name)
            if turn == 5 and bell:
                continue
            action = CAR + cell(spot_of(there)) + WAY * (WAYS.index(way) + 1) + POWER * power
            results[action] = after, fallen, bell
        assert set(play.sort(CAR)) == set(results) and all(action % POWER < SECOND for action in results)
        for action in chance.sample(sorted(results), min(TRIED, len(results))):
            after, fallen, bell = results[action]
            scores = [2 + 2 * sum(car >= FLEET for car in fallen), 10]
            score(play, after, [bell] if bell else [], scores)
            assert_same(play, action, after, scores)
            counts[bool(fallen), bool(bell)] += 1
    assert all(counts[what] > 30 for what in [(True, False), (False, False)]), counts
    assert (counts[False, True] > 30) == (turn == 8), counts


@pytest.mark.few(2)
@pytest.mark.parametrize("turn", [5, 8])
@pytest.mark.parametrize("edition", ["czech", "english"])
@pytest.mark.parametrize("letters", ["A", "AB"])
def test_the_engine_checks_magnets_as_the_second_opinion_does(letters, edition, turn):
    """A card that changes nothing on the floor triggers the check."""
    chance, counts = random.Random(f"{letters} {edition} {turn}"), Counter()
    for _ in range(500):
        play = crowd(chance, cars_of(chance, *letters), edition=edition, turn=turn, hands={0: [DEAD_ACCUMULATOR]})
        world, action = world_of(play), card(DEAD_ACCUMULATOR)
        rounds = magnets.check(world)
        rung = magnets.rung(world, rounds)
        legal = len(rung) <= most_bells(edition, turn)
        assert play.can(action) == legal, play.floor()
        if legal:
            scores = [2, 10]
            score(play, world, rung, scores)
            assert_same(play, action, world, scores)
        counts["pulls"] += bool(rounds)
        counts["stays"] += not rounds
        counts["rings"] += bool(rung)
    assert all(counts[what] > 20 for what in ("pulls", "stays", "rings")), counts


@pytest.mark.few(2)
@pytest.mark.parametrize("turn", [5, 8])
@pytest.mark.parametrize("edition", ["czech", "english"])
@pytest.mark.parametrize("letters", ["", "B"])
def test_the_engine_places_magnets_where_the_second_opinion_does(letters, edition, turn):
    chance, counts = random.Random(f"{letters} {edition} {turn}"), Counter()
    for _ in range(120):
        play = crowd(chance, cars_of(chance, *letters), edition=edition, turn=turn)
        world, results = world_of(play), {}
        for there in sorted(world["cells"] - set(world["cars"]) - world["bells"] - {world["operator"]}):
            after = copied(world)
            after["cars"][there] = STANDARD
            rounds = magnets.check(after, STANDARD)
            rung = magnets.rung(after, rounds)
            pulls = any(puller == STANDARD for standing in rounds for puller, _, _ in standing)
            if pulls and len(rung) <= most_bells(edition, turn):
                results[magnet(spot_of(there))] = after, rounds, rung
        assert set(play.sort(MAGNET)) == set(results), play.floor()
        richest = sorted(results, key=lambda action: -sum(map(len, results[action][1:])))[: 2 * TRIED]
        for action in {*richest, *chance.sample(sorted(results), min(2 * TRIED, len(results)))}:
            after, rounds, rung = results[action]
            scores = [2, 10]
            score(play, after, rung, scores)
            assert_same(play, action, after, scores)
            counts["round", min(2, len(rounds))] += 1
            counts["bells", min(2, len(rung))] += 1
    assert counts["round", 1] > 50 and (counts["round", 2] > 4) == (letters == "B"), counts
    most = min(2 if letters else 1, most_bells(edition, turn))  # one magnet alone is seldom beside two flowers
    assert all(counts["bells", bells] > 4 for bells in range(most + 1)), counts


def most_bells(edition, turn):
    """Return how many bells the first ringing action of this turn may ring."""
    return 0 if turn == 5 else 1 if edition == "czech" else 7


def test_the_second_opinions_have_the_same_floor():
    assert {spot_of(there) for tile in TILES for there in tile} == {place(number) for number in range(CELLS)}
    assert sum(map(len, TILES)) == CELLS


# Legality: an action is legal if it fits the position and its consequences ring an allowed number of bells

CARDS = [
    [BELL_CHARMS, FREE_RIDE, POWERLESS_BELL],
    [FLYING_DUTCHMAN, SABOTEUR, TANDEM],
    [LAMBADA, SHADY_EXCEPTION, EXPANSION],
    [BELL_CHARMS, DOUBLE_HIT, CAR_RACKET],
]
BOUND = [NOWHERE, NOWHERE, POWERLESS_BELL, SHADY_EXCEPTION, EXPANSION, CAR_RACKET, TANDEM, DOUBLE_HIT]


@pytest.mark.few(1)
@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("edition", "turn", "scored"),
    [("czech", 5, 0), ("czech", 8, 0), ("czech", 8, 1), ("english", 5, 0), ("english", 8, 0)],
)
def test_legal_is_what_rings_no_more_bells_than_may_ring(edition, turn, scored):
    """Every fitting action is played to its end on a copy, without limits, and its scorings are counted."""
    chance, counts = random.Random(f"{edition} {turn} {scored}"), Counter()
    for number in range(160):
        letters = cars_of(chance, *chance.choice(["AB", "AB", "B", ""]))
        hand, bound = chance.choice(CARDS), BOUND[number % len(BOUND)]
        play = crowd(chance, letters, holes=False, edition=edition, turn=turn, hands={0: hand})
        play.table.bound[0], play.table.scored[0] = bound, scored
        play.table.acted[0] = int(bound != NOWHERE or scored > 0)
        if bound in (POWERLESS_BELL, SHADY_EXCEPTION) and (scored or turn == 5):
            continue  # no yellow card has been played there
        most = 0 if turn == 5 else 7 if edition == "english" else 1 - scored
        legal = {action for action in fitting(play, bound) if is_legal(play, action, bound, most)}
        ours = {action for action in play.actions() if action != FORFEIT and not is_turned(action)}
        assert ours == legal, (play.floor(), bound, hand, sorted(ours ^ legal))
        fits = fitting(play, bound)
        counts["legal"] += len(legal)
        counts["all"] += len(fits)
        counts["decided"] += 0 < len(legal) < len(fits)
    assert counts["decided"] > 20, counts


@pytest.mark.few(2)
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize(
    ("edition", "turn", "scored"), [("czech", 5, 0), ("czech", 8, 0), ("czech", 8, 1), ("english", 8, 0)]
)
def test_what_is_foreseen_is_what_trying_finds(edition, turn, scored, players):
    """The same actions are listed in the same order as by trying each of them, even among holes."""
    chance, counts = random.Random(f"clear {edition} {turn} {scored} {players}"), Counter()
    plain, fast = whole("crashlab.games.crash_by_crash"), rules
    plain.BY_THE_BOOK = 0
    for number in range(60):
        letters = cars_of(chance, *chance.choice(["AB", "AB", "A", "B", ""]))
        scores = chance.choice(((2, 10), (2, 10), (3, 10)))
        hands = {0: chance.choice(CARDS)}
        play = crowd(chance, letters, edition=edition, turn=turn, hands=hands, scores=scores, players=players)
        play.table.bound[0], play.table.scored[0] = BOUND[number % len(BOUND)], scored
        play.table.acted[0] = int(play.table.bound[0] != NOWHERE or scored > 0)
        tried, foreseen = list(range(plain.MOST_ACTIONS)), [7] * fast.MOST_ACTIONS
        del tried[plain.legal(play.table, 0, tried) :], foreseen[fast.legal(play.table, 0, foreseen) :]
        assert foreseen == tried, (play.floor(), play.table.bound, sorted({*foreseen} ^ {*tried}))
        assert plain.only_action(play.table, 0, [0] * 9999) == fast.only_action(play.table, 0, [0] * 9999)
        counts.update(action // SORT for action in foreseen)
    assert all(counts[sort // SORT] for sort in (CAR, MAGNET, WALK, PLAY)), counts


@pytest.mark.parametrize(("edition", "turn"), [("czech", 5), ("czech", 8), ("english", 5)])
def test_legal_walks_of_four_cells_ring_no_more_bells_than_may_ring(edition, turn):
    chance, counts = random.Random(f"walks {edition} {turn}"), Counter()
    for _ in range(12):
        play = crowd(chance, cars_of(chance, *"AB"), holes=False, edition=edition, turn=turn, scores=(3, 10))
        routes = {walk(*ways) for length in (2, 4) for ways in routes_from(place(play.table.cell[OPERATOR]), length)}
        legal = {action for action in routes if is_legal(play, action, NOWHERE, 0 if turn == 5 else 1)}
        assert set(play.sort(WALK)) == legal, play.floor()
        counts["forbidden"] += len(routes - legal)
        counts["legal"] += len(legal)
    assert min(counts.values()) > 20, counts


def routes_from(start, length):
    """Return the paths of this many steps on a floor without holes."""
    routes = [((start,), ())]
    for _ in range(length):
        routes = [
            ((*spots, there), (*ways, way))
            for spots, ways in routes
            for way in range(6)
            if (there := ahead(spots[-1], way)) and there not in spots
        ]
    return [ways for _, ways in routes]


def is_turned(action):
    """Return whether it is a double hit with the higher way first."""
    way, second = action % SECOND // WAY, action % POWER // SECOND
    return action - action % SORT == CAR and 0 < second < way


def is_legal(play, action, bound, most):
    free = Play(play.table.copy())
    free.table.edition[0] = ENGLISH
    rules.apply(free.table, 0, action, None)
    rings = free.table.scorings[0]
    kind = action % STEP if action - action % SORT == PLAY else NOWHERE
    if kind < POWERLESS_BELL:
        return rings <= most and (rings > 0 or bound not in (POWERLESS_BELL, SHADY_EXCEPTION))
    after = Play(play.table.copy())
    rules.apply(after.table, 0, action, None)
    return rings <= most and after.table.phase[0] == ACTION and after.actions() != [FORFEIT]


def fitting(play, bound):
    """Return all actions that fit, whatever bells they ring; there are no holes, and scores pay for two steps only."""
    world = world_of(play)
    cars, bells = world["cars"], world["bells"]
    free = sorted(world["cells"] - set(cars) - bells - {world["operator"]})
    actions = []
    powers = range(1 if bound >= DOUBLE_HIT else 3)
    for there, way in pushes.hits(world):
        one = CAR + cell(spot_of(there)) + WAY * (WAYS.index(way) + 1)
        if bound != DOUBLE_HIT or play.table.edition[0] == ENGLISH:
            actions += [one + POWER * power for power in powers]
        if bound == DOUBLE_HIT:
            others = [WAYS.index(other) for spot, other in pushes.hits(world) if spot == there]
            actions += [one + SECOND * (other + 1) for other in others if other > WAYS.index(way)]
    if bound == EXPANSION:
        actions += [CAR + cell(spot_of(there)) for there in free]
    if STANDARD not in cars.values() and (bound == EXPANSION or bound < DOUBLE_HIT):
        actions += [magnet(spot_of(there)) for there in free if bound == EXPANSION or can_pull(world, there)]
    if bound >= DOUBLE_HIT:
        return actions
    actions += [walk(*ways) for ways in routes_from(place(play.table.cell[OPERATOR]), 2)]
    hand = play.hand(0)
    if bound == NOWHERE:
        actions += [exchange(*pair) for pair in combinations(hand, 2)]
        actions += [card(kind) for kind in hand if kind >= POWERLESS_BELL and play.table.acted[0] == 0]
    return actions + [action for kind in hand if kind < POWERLESS_BELL for action in grey(play, world, free, kind)]


def can_pull(world, there):
    after = copied(world)
    after["cars"][there] = STANDARD
    return any(puller == STANDARD for standing in magnets.check(after, STANDARD) for puller, _, _ in standing)


def grey(play, world, free, kind):
    """Return the ways to play a grey card."""
    cars, bells, edition = world["cars"], world["bells"], play.table.edition[0]
    if kind == FLYING_DUTCHMAN:
        return [card(kind, spot_of(there)) for there in free]
    if kind == SABOTEUR:
        return [card(kind, spot_of(there)) for there, car in cars.items() if car >= FLEET]
    if kind == BELL_CHARMS:
        return [
            card(kind, spot_of(bell), spot_of(there))
            for number, tile in enumerate(TILES)
            for there in tile.intersection(free)
            for bell in bells
            if number % 2 and tile & bells <= {bell}
        ]
    pairs = [(there, pushes.step(there, way)) for there in cars for way in WAYS]
    if kind == LAMBADA:
        return [swap(spot_of(one), spot_of(two)) for one, two in pairs if two in cars and one < two]
    onto = {*free, *(bells - {world["operator"]} if edition != ENGLISH else ())}
    return [card(kind, spot_of(one), spot_of(two)) for one, two in pairs if two in onto]
