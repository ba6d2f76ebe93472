"""Cities of CrashCity for lessons of algorithms: how they grow, their streets alone as a board, drives as a graph."""

from collections.abc import Iterator

from crashlab.engine.chance import Random
from crashlab.engine.game import State
from crashlab.games import game
from crashlab.games.boards.streets import DIRECTIONS, Lane, Streets, letters

Spot = str  # a lane, and the direction in which a car faces there, as positions have it: `0,0N>E`
Stand = tuple[Lane, int]  # the same in numbers
Roads = dict[Spot, dict[Spot, int]]  # from each spot where one drive leads, and its spaces

SQUARE = (0, 0)
BACK = 2  # spaces that a car can go back in one drive


def grown(seed: int, players: int = 2) -> list[State]:
    """A city that is built at random: the state before the first tile and after each one."""
    state, rng = game("crash_city", players=players).start(seed), Random(seed)
    states: list[State] = [state]
    while state.phase != "race":
        state = state.sample(rng).after
        if len(state.streets.lanes()) > len(states[-1].facts.streets.lanes()):
            states.append(state)
    return states


def paved(roads: Streets, *spots: Spot) -> State:
    """The streets alone, with a car of another seat on each of these one or two spots."""
    seats = "AB"[: len(spots)]
    owners = [f" house {seat}" for seat in seats]
    places = [tile for tile in roads.tiles if tile != SQUARE]
    tiles = [f"{x},{y} {letters(roads.tiles[x, y])}" for x, y in places]
    laid = [tile + owner for tile, owner in zip(tiles, [*owners, *[""] * len(tiles)], strict=False)]
    cars = [f"{seat} {spot}" for seat, spot in zip(seats, spots, strict=True)]
    return game("crash_city", players=2).read(f"tiles {' / '.join(laid)}; cars {' / '.join(cars)}")


def named(lane: Lane) -> str:
    """A lane as positions have it: `0,0N`."""
    x, y, side = lane
    return f"{x},{y}{DIRECTIONS[side]}"


def written(lane: Lane, facing: int) -> Spot:
    """A lane and a direction as positions have them."""
    return f"{named(lane)}>{DIRECTIONS[facing]}"


def legs(roads: Streets, lane: Lane, way: int, most: int) -> Iterator[tuple[Stand, int]]:
    """Where a drive that goes this way can end, the way it goes there, and its spaces, which are `most` at most."""
    for spaces in range(1, most + 1):
        ahead = roads.ahead(lane, way)
        yield from ((end, spaces) for end in ahead)
        straight = [there for there, onward in ahead if onward == way]
        if not straight:
            return
        lane = straight[0]


def drives(roads: Streets) -> Roads:
    """CC-R3: where one drive leads from each spot, as if no other car were about, and the spaces of it."""
    lanes = sorted(roads.connected(SQUARE))
    stands = [(lane, facing) for lane in lanes for facing in range(4) if facing % 2 != lane[2] % 2]
    return {
        written(*stand): {written(*end): spaces for end, spaces in sorted(ends(roads, *stand).items())}
        for stand in stands
    }


def ends(roads: Streets, lane: Lane, facing: int) -> dict[Stand, int]:
    """Where one drive leads from here, and its spaces: forward, backward, or round in a U-turn."""
    forward = legs(roads, lane, facing, len(roads.lanes()))
    backward = (((there, way ^ 2), spaces) for (there, way), spaces in legs(roads, lane, facing ^ 2, BACK))
    found = dict([*forward, *backward])
    if other := roads.other(lane):
        found[other, facing ^ 2] = 1
    return found
