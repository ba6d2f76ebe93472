"""Whole games of CrashCity: the invariants, both backends, and the known figures."""

from collections import deque
from functools import partial
from statistics import mean, stdev

import pytest
import table_play

from crashlab.compiled import choose_backend
from crashlab.engine.chance import Random
from crashlab.engine.rules import quickest
from crashlab.engine.table import CHANCE, NOTE, NOWHERE, Trace, next_beat, replay
from crashlab.games.crash_city import positions
from crashlab.games.crash_city import state as tables
from crashlab.games.crash_city.state import ANSWER, DRIVE, FLEET, HOME, MAKE_WAY, PARK, RACE, ROOF, SORT, SPACE, SPACES

rules = quickest("crashlab.games.crash_city")
each_number = pytest.mark.parametrize("players", [2, 3, 4])
VARIANTS = [
    {},
    {"chains": True, "lanes": "last_step"},
    {"corners": "loose", "tiles": "rings", "chains": True},
    {"tiles": "minimal", "corners": "loose", "lanes": "last_step"},
    {"tiles": "plain", "players": 2, "chains": True},
]
each_variant = pytest.mark.parametrize("options", VARIANTS, ids=lambda options: "-".join(map(str, options.values())))


start = partial(table_play.set_up, tables)
seat_of = partial(table_play.current_seat, rules)
legal = partial(table_play.legal_codes, rules)
play = partial(table_play.random_game, rules)


# Invariants


@pytest.mark.few(2)
@each_variant
def test_every_moment_of_a_game_is_in_order(options):
    """This includes the beats within a decision; and the events turn each table into the next."""
    table, rng = start(5, turn_limit=150, **options), Random(8)
    while rules.actors(table):
        before, trace = table.copy(), Trace()
        rules.apply(table, seat_of(table), rng.choice(legal(table)), trace)
        for beat in range(1, trace.beat + 1):
            replay(before, [row for row in trace.rows if row[0] == beat])
            for errors in (positions.wrong_cars, positions.wrong_places, positions.wrong_buildings):
                assert not [*errors(before)]
        assert before == table
        if table.phase[0] < RACE or table.turn[0] % 10 == 0:
            assert not positions.problems(table)
    assert table.turn[0] <= 150


@pytest.mark.few(2)
@each_variant
def test_every_number_is_in_the_range_of_its_field(options):
    table, rng = start(7, turn_limit=300, **options), Random(10)
    assert len(table.RANGES) == len(table.NAMES)
    while True:
        for name, row, bounds in zip(table.NAMES, table.rows(), table.RANGES, strict=True):
            assert all(number in bounds for number in row), name
        if not rules.actors(table):
            break
        rules.apply(table, seat_of(table), rng.choice(legal(table)), None)


@pytest.mark.few(2)
@each_variant
def test_all_lists_of_actions_agree(options):
    """Nothing is listed twice, random play covers the list, and only a single action is forced."""
    table, rng, out = start(6, turn_limit=200, **options), Random(9), [0] * rules.MOST_ACTIONS
    while rules.actors(table):
        actions, seat = legal(table), seat_of(table)
        assert len(set(actions)) == len(actions) > 0
        assert rules.only_action(table, seat, out) == (actions[0] if len(actions) == 1 else NOWHERE)
        if seat == CHANCE:
            weights = out[: rules.odds(table, out)]
            assert len(weights) == len(actions) and min(weights) > 0
        else:
            lucks = [(place << 31) // len(actions) + 1 for place in range(len(actions))]
            assert [rules.draw(table, seat, luck, out) for luck in lucks] == actions
        rules.apply(table, seat, rng.choice(actions), None)


def test_what_is_told_of_a_drive():
    """Every step is a beat, along adjacent spaces; a crash is noted when it happens."""
    table, rng, crashes = start(3, players=4, turn_limit=300), Random(4), 0
    where = tables.CrashCity.NAMES.index("where")
    while rules.actors(table):
        action, trace, before = rng.choice(legal(table)), Trace(), table.copy()
        rules.apply(table, seat_of(table), action, trace)
        if before.phase[0] == RACE and action // SORT * SORT == DRIVE:
            car, steps = action % SORT // SPACE, [row for row in trace.rows if row[3] == where]
            assert [row[0] for row in steps] == list(range(1, len(steps) + 1)) and {row[4] for row in steps} == {car}
            is_crash = before.where.count(action % SPACE) == 1
            notes = [row for row in trace.rows if row[3] == NOTE]
            assert len(notes) == is_crash and all(row[0] == len(steps) > 1 for row in notes)
            crashes += is_crash
    assert crashes > 3


# Both backends


# Figures


@pytest.mark.few(1)
@each_number
def test_random_players_take_as_long_as_the_rules_say(players):
    """The turns are compared on average; the figures of the rules are means as well, so a tenth is allowed."""
    figure = {2: 905, 3: 1047, 4: 1288}[players]
    backend = choose_backend.compiled(rules)
    ends = [play(backend, start(seed, players=players), seed, None)[0] for seed in range(400)]
    turns = [table.turn[0] for table in ends]
    assert abs(mean(turns) - figure) < 0.1 * figure + stdev(turns) / 20
    assert sum(turn == 5000 for turn in turns) < 12
    assert all((FLEET in [rules.score(table, seat) for seat in range(4)]) == (table.turn[0] < 5000) for table in ends)


def test_the_ban_on_buildings_is_rarely_lifted():
    """It happens, but in less than one random game of thirty; here with the tiles that leave the fewest sites."""
    backend = choose_backend.compiled(rules)
    number, lifted = rules.BOOK.cite("CC-B3")[0], 0
    for seed in range(1000):
        counts = backend.counter(2 * len(rules.BOOK) + len(tables.CrashCity.NAMES))
        play(backend, start(seed, players=2, tiles="minimal", turn_limit=1), seed, counts)
        lifted += int(counts[number]) > 0
    assert 0 < lifted < 33


class Racer:
    """The reference agent of the rules file, in one city."""

    def __init__(self, table, rng):
        self.table, self.rng = table, rng
        self.arcs = {state: dict(self.drives(*state)) for state in self.states()}
        self.into = {state: [] for state in self.arcs}
        for state, ends in self.arcs.items():
            for end in ends.items():
                self.into[end].append(state)
        self.jobs, self.far = None, {}

    def states(self):
        lanes = [space for space in range(SPACES) if self.table.joined[space]]
        return [(space, facing) for space in lanes for facing in ((space + 1) % 4, (space + 3) % 4)]

    def drives(self, space, facing):
        """Yield all drives on an empty board, each with its end and the facing there."""
        table, out = self.table.copy(), [0] * rules.MOST_ACTIONS
        table.where[:] = [NOWHERE] * tables.CARS
        table.where[0], table.facing[0], table.asked[0] = space, facing, 0
        for action in out[: rules.race_actions(table, out, rules.ALL)]:
            if action // SORT * SORT == DRIVE:
                after = table.copy()
                rules.apply(after, 0, action, None)
                yield after.where[0], after.facing[0]

    def distances(self):
        """Return the number of drives to the nearest free work."""
        occupied = {where - ROOF for where in self.table.where if where >= ROOF}
        jobs = {tile for tile, built in enumerate(self.table.building) if built > HOME} - occupied
        if jobs != self.jobs:
            self.jobs, self.far = jobs, {state: 0 for state in self.arcs if state[0] // 4 in jobs}
            waiting = deque(self.far)
            while waiting:
                state = waiting.popleft()
                for earlier in self.into[state]:
                    if earlier not in self.far:
                        self.far[earlier] = self.far[state] + 1
                        waiting.append(earlier)
        return self.far

    def choose(self):
        actions = legal(self.table)
        if self.table.phase[0] == ANSWER:
            return self.best(actions, self.nearness)
        if self.rng.below(10) == 0:
            return self.rng.choice(actions)
        parking = [action for action in actions if action // SORT * SORT == PARK]
        return self.rng.choice(parking) if parking else self.best(actions, self.drop)

    def best(self, actions, worth):
        values = [worth(action) for action in actions]
        return self.rng.choice([action for action, value in zip(actions, values, strict=True) if value == max(values)])

    def nearness(self, action):
        after = self.table.copy()
        rules.apply(after, self.table.hit[0] // FLEET, action, None)
        assert action // SORT * SORT == MAKE_WAY
        car = self.table.hit[0]
        return -self.distances().get((after.where[car], after.facing[car]), 100)

    def drop(self, action):
        if action // SORT * SORT != DRIVE:
            return 0
        car, space = action % SORT // SPACE, action % SPACE
        here = self.table.where[car], self.table.facing[car]
        far, crash = self.distances(), space in self.table.where
        return far.get(here, 100) - far.get((space, self.arcs[here][space]), 100) - crash / 2


def race(players, seed):
    """Play a game of reference agents; return the numbers of turns and crashes."""
    table, rng, trace = start(seed, players=players), Random(seed).split("race"), Trace()
    while table.phase[0] != RACE:
        rules.apply(table, seat_of(table), rng.choice(legal(table)), None)
    racer = Racer(table, rng)
    while rules.actors(table):
        rules.apply(table, seat_of(table), racer.choose(), trace)
        next_beat(trace)
    return table.turn[0], sum(row[3] == NOTE for row in trace.rows)


@pytest.mark.few(1)
@pytest.mark.parametrize(("players", "turns", "crashes"), [(2, 61, 0.8), (3, 94, 1.7), (4, 126, 3.3)])
def test_the_reference_agent_races_as_the_rules_say(players, turns, crashes):
    """The means agree with those of 60 reference games within four standard errors."""
    games = 12
    results = [race(players, seed) for seed in range(games)]
    noise = {2: 1.4, 3: 2.4, 4: 3.9}[players] * (1 + 60 / games) ** 0.5
    assert abs(mean(turn for turn, _ in results) - turns) < 4 * noise
    assert abs(mean(crash for _, crash in results) - crashes) < 4 * (crashes * 2 * (1 / 60 + 1 / games)) ** 0.5
