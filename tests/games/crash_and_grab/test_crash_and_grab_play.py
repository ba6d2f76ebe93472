"""Crash & Grab under random play: the invariants, and the frequency of games that meet the round limit."""

from functools import partial

import pytest
import table_play

from crashlab.compiled import choose_backend
from crashlab.engine.chance import Random
from crashlab.engine.rules import quickest
from crashlab.engine.table import CHANCE, NOWHERE
from crashlab.games.crash_and_grab import state as tables

rules = quickest("crashlab.games.crash_and_grab")

each_number = pytest.mark.parametrize("players", range(2, 7))


start = partial(table_play.set_up, tables)


play = partial(table_play.random_game, rules)


def check(table):
    """Check the invariants of the rules file."""
    saucers = [cell for cell in table.cell[: table.saucers[0]] if cell != NOWHERE]
    outside = [where for where in table.where if 0 <= where < tables.ABOARD]
    assert min(table.energy) >= 0 <= min(table.boosters)
    assert len(outside) == len(set(outside)) and all(1 <= table.ground[cell] <= tables.SITES for cell in outside)
    unused = [crew // tables.TYPES for crew, where in enumerate(table.where) if where == tables.UNUSED]
    assert unused == [c for c in range(tables.COLOURS[table.players[0]], 6) for _ in range(tables.TYPES)]
    assert sorted(number for number in table.ground if 1 <= number <= tables.SITES) == list(range(1, 13))
    if table.motion[0] == tables.REST or table.phase[0] == tables.PASS:  # no saucer is on the way
        assert len(saucers) == len(set(saucers)) and not set(saucers) & set(outside)
        assert all(table.ground[cell] != tables.ACCELERATOR for cell in saucers)
        assert sum(1 <= table.ground[cell] <= tables.SITES for cell in saucers) + len(outside) <= 10


@pytest.mark.few(2)
@each_number
def test_the_invariants_hold_at_every_decision(players):
    for seed in range(8):
        table, rng, out = start(seed, players=players), Random(seed), [0] * rules.MOST_ACTIONS
        while bits := rules.actors(table):
            check(table)
            for bounds, row in zip(table.RANGES, table.rows(), strict=True):
                assert min(row) in bounds and max(row) in bounds
            for seat in [CHANCE] if bits == CHANCE else [seat for seat in range(6) if bits >> seat & 1]:
                rules.apply(table, seat, rng.choice(out[: rules.legal(table, seat, out)]), None)
        assert table.round[0] <= 60


@pytest.mark.few(2)
@pytest.mark.parametrize(("players", "percent"), [(2, 32), (3, 12), (4, 9), (5, 2), (6, 1)])
def test_the_round_limit_bites_as_often_as_the_rules_say(players, percent):
    """The limit of 60 rounds is met by `percent` of random games; 800 games leave a noise of 3 %."""
    backend, draws = choose_backend.compiled(rules), 0
    for seed in range(800):
        table, _, _ = play(backend, start(seed, players=players), seed, None)
        draws += not any(rules.complete(table, player) for player in range(players))
    assert abs(draws / 8 - percent) < 1 + 3 * (percent * (100 - percent) / 800) ** 0.5
