"""The distance to work in CrashCity: the worth of an unparked car, and its effect on the agents."""

import pytest
from crash_city_positions import SIDES, city, lay
from test_crash_city_play import VARIANTS, Racer, legal, seat_of, start

import crashlab
from crashlab import Match, Random, agents
from crashlab.compiled import choose_backend
from crashlab.engine.rules import quickest
from crashlab.engine.table import NOWHERE
from crashlab.games.crash_city import evaluate
from crashlab.games.crash_city.state import CAR, CARS, FLEET, OVER, RACE, ROOF, SPACES

rules = quickest("crashlab.games.crash_city")
ROAD = ("1,0 NS", "2,0 NE shop B")  # from the square to a shop


def read(tables, out):
    """Write the prospects of the first table; the function suits both backends."""
    rules.evaluate(tables[0], out)
    return 0


def seen(table, backend=None):
    backend = backend or choose_backend.interpreted(rules)
    out = backend.row(rules.MOST_ACTIONS)
    backend.bind(read)(backend.tables([table]), out)
    return [int(out[seat]) for seat in range(table.players[0])]


def of(*cars, tiles=ROAD, **settings):
    """Return the prospects in a small city."""
    return seen(city(*tiles, cars=cars, **settings).table)


@pytest.fixture
def slow(monkeypatch):
    """Let searches run without waiting for a compiler."""
    monkeypatch.setattr(
        choose_backend, "quickest", lambda rules, purpose, use, wait=False: choose_backend.interpreted(rules)
    )


# The worth of a car


def test_nearer_work_is_worth_more_and_parking_most():
    far, turn, near, there = (of(car)[0] for car in ("A 0,0 S E", "A 0,0 W N", "A 0,0 N E", "A 2,0 N E"))
    parked = of(parked=("A 2,0",))[0]
    assert parked == 100 and 0 < far <= turn < near < there < parked


def test_forward_and_back_are_one_drive_each():
    """From the square's northern lane the shop is two steps away, ahead or behind."""
    assert of("A 0,0 N E") == of("A 0,0 N W") == of("A 1,0 N E") == of("A 1,0 N W")


def test_it_does_not_matter_which_way_a_car_faces_at_work():
    assert of("A 2,0 N E") == of("A 2,0 N W") == of("A 2,0 E S")


def test_cars_of_a_seat_are_added_up():
    alone = of("A 0,0 N E")[0], of("A 2,0 N E")[0]
    assert of("A 0,0 N E", "A 2,0 N E", "B 2,0 E S", players=3) == [sum(alone), alone[1], 0]


def test_work_that_is_taken_is_no_work():
    """The second shop is a drive farther; a house is not work either."""
    two = (*ROAD, "2,1 E house A", "0,-1 W shop B")
    free, taken = of("A 2,0 N E", tiles=two)[0], of("A 2,0 N E", tiles=two, parked=("B 2,0",))
    assert taken[1] == 100 and taken[0] < free


def test_a_car_without_work_counts_more_than_none_at_all_and_less_than_with_work():
    nothing, without = of(tiles=("1,0 NS",))[0], of("A 0,0 N E", tiles=("1,0 NS",))[0]
    assert nothing == 0 < without < of("A 0,0 S W")[0]


def test_at_the_end_only_parked_cars_count():
    assert of("A 2,0 N E", "B 0,0 N E", parked=("B 2,0",), phase=OVER) == [0, 100]


@pytest.mark.parametrize("options", VARIANTS, ids=lambda options: "-".join(map(str, options.values())))
def test_only_the_number_of_drives_counts_and_every_drive_does(options):
    """It is compared with all drives, tried one by one, on every lane of a city."""
    table, rng = start(7, **options), Random(7)
    while table.phase[0] != RACE:
        rules.apply(table, seat_of(table), rng.choice(legal(table)), None)
    table.where[:] = [NOWHERE] * CARS
    jobs = [tile for tile in range(table.laid[0]) if table.building[tile] > 0]
    for car, tile in zip(range(FLEET, FLEET * table.players[0]), rng.shuffled(jobs), strict=False):
        table.where[car] = ROOF + tile
    prospects = {}
    for (space, facing), drives in Racer(table, rng).distances().items():
        table.where[0], table.facing[0] = space, facing
        prospects.setdefault(drives, set()).add(seen(table)[0])
    assert len(prospects) > 4 and all(len(values) == 1 for values in prospects.values())
    values = [prospects[drives].pop() for drives in sorted(prospects)]
    assert values == sorted(values, reverse=True) and len(set(values[:8])) == len(values[:8])


@pytest.mark.few(1)
@pytest.mark.parametrize("options", VARIANTS, ids=lambda options: "-".join(map(str, options.values())))
def test_both_bodies_see_the_same_at_every_moment(options):
    table, rng = start(4, turn_limit=60, **options), Random(4)
    phases = set()
    while True:
        phases.add(table.phase[0])
        assert seen(table) == seen(table, choose_backend.compiled(rules))
        if not rules.actors(table):
            break
        rules.apply(table, seat_of(table), rng.choice(legal(table)), None)
    assert phases >= {CAR, RACE, OVER}
    assert seen(table) == [100 * rules.score(table, seat) for seat in range(table.players[0])]


def test_the_list_of_actions_has_room_for_the_search():
    """Every car state can be on the pile, since none is put there twice."""
    assert evaluate.PILE + 2 * SPACES <= rules.MOST_ACTIONS


def test_nothing_is_changed():
    table = city(*ROAD, cars=("A 0,0 N E", "B 2,0 N W")).table
    before = table.copy()
    rules.evaluate(table, [7] * rules.MOST_ACTIONS)  # whatever the row contained
    assert table == before


# The agents


def state_of(play):
    return crashlab.State(crashlab.game("crash_city", players=play.table.players[0]), play.table)


@pytest.mark.parametrize("name", ["greedy", "flat", "mcts"])
def test_they_park_when_they_can(name, slow):
    play = city(*ROAD, cars=("A 2,0 N E", "B 0,0 S E"))
    assert str(agents.agent(name)(state_of(play), 0)) == "park A1"


def test_greedy_parks_before_it_drives(slow):
    play = city(*ROAD, "0,1 EW factory A", cars=("A 0,0 W N", "A 2,0 N E", "B 0,0 S E"))
    assert str(agents.greedy(1)(state_of(play), 0)) == "park A2"


def test_greedy_drives_to_work(slow):
    play = city(*ROAD, cars=("A 0,0 N E", "B 0,0 S E"))
    assert str(agents.greedy(1)(state_of(play), 0)) in ("drive A1 2,0N", "drive A1 2,0E")


@pytest.mark.parametrize(("ahead", "corner", "goal"), [(" shop A", "", "to 3,0N"), ("", " shop A", "to 2,1S")])
def test_greedy_answers_a_crash_towards_work(ahead, corner, goal, slow):
    """A1 has hit B1 on a street with three exits: straight on, around the corner, or spun about."""
    game = crashlab.game("crash_city", players=2)
    cars = "cars A 0,0N>E 0,0S>E / B 2,0N>W"
    state = game.read(f"tiles 1,0 NS / 2,0 NE / 3,0 N{ahead} / 2,1 S{corner}; {cars}").play({0: "drive A1 2,0N"}).after
    assert set(map(str, state.actions(1))) == {"to 3,0N", "to 2,1S", "to 2,0E"}
    assert str(agents.greedy(1)(state, 1)) == goal


def test_greedy_puts_a_new_car_where_work_is_nearest(slow):
    play = city(*ROAD, phase=RACE)
    lay(play.table, "0,1 SW house A")
    play.table.phase[0] = CAR
    action = str(agents.greedy(1, decisions=1)(state_of(play), 0))
    drives = Racer(play.table, Random(1)).distances()
    far = {place: drives[play.space(place[:-2]), SIDES.index(place[-1])] for place in play.places()}
    assert min(far.values()) < max(far.values())
    lane = action.removeprefix("put ")  # such as 0,1S>E
    assert far[f"{lane[:-3]} {lane[-3]} {lane[-1]}"] == min(far.values())


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_greedy_beats_random_players(seed, slow):
    """It parks all its cars before they park three."""
    game = crashlab.game("crash_city", players=2)
    end = Match(game, {seed: agents.greedy(seed), 1 - seed: agents.random(seed)}, seed).run()
    assert end.scores[seed] == FLEET and end.scores[1 - seed] <= 2 and end.turn < 80
