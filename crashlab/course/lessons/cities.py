"""Cities of CrashCity for lessons on algorithms: their growth, boards with streets only, drives as a graph."""

from collections.abc import Iterator

from crashlab.engine.chance import Random
from crashlab.engine.game import State
from crashlab.games import game
from crashlab.games.boards.streets import DIRECTIONS, Lane, Streets, letters

Spot = str  # a lane and the direction of a car on it, as in the text of a position: `0,0N>E`
Stand = tuple[Lane, int]  # a lane and a direction as numbers
Roads = dict[Spot, dict[Spot, int]]  # spot -> ends of one drive -> its spaces

SQUARE = (0, 0)
BACK = 2  # longest drive backward, in spaces


def grown(seed: int, players: int = 2) -> list[State]:
    """Build a city at random and return the states before the first tile and after each tile."""
    state, rng = game("crash_city", players=players).start(seed), Random(seed)
    states: list[State] = [state]
    while state.phase != "race":
        state = state.sample(rng).after
        if len(state.streets.lanes()) > len(states[-1].facts.streets.lanes()):
            states.append(state)
    return states


def paved(roads: Streets, *spots: Spot) -> State:
    """Return a position with these streets only, and a car of A or B on each of the one or two spots."""
    seats = "AB"[: len(spots)]
    owners = [f" house {seat}" for seat in seats]
    places = [tile for tile in roads.tiles if tile != SQUARE]
    tiles = [f"{x},{y} {letters(roads.tiles[x, y])}" for x, y in places]
    laid = [tile + owner for tile, owner in zip(tiles, [*owners, *[""] * len(tiles)], strict=False)]
    cars = [f"{seat} {spot}" for seat, spot in zip(seats, spots, strict=True)]
    return game("crash_city", players=2).read(f"tiles {' / '.join(laid)}; cars {' / '.join(cars)}")


def named(lane: Lane) -> str:
    """Write a lane as in the text of a position: `0,0N`."""
    x, y, side = lane
    return f"{x},{y}{DIRECTIONS[side]}"


def written(lane: Lane, facing: int) -> Spot:
    """Write a lane and a direction as in the text of a position."""
    return f"{named(lane)}>{DIRECTIONS[facing]}"


def legs(roads: Streets, lane: Lane, way: int, most: int) -> Iterator[tuple[Stand, int]]:
    """Yield ((lane, direction), spaces) for every end of a drive of at most `most` spaces in direction `way`."""
    for spaces in range(1, most + 1):
        ahead = roads.ahead(lane, way)
        yield from ((end, spaces) for end in ahead)
        straight = [there for there, onward in ahead if onward == way]
        if not straight:
            return
        lane = straight[0]


def drives(roads: Streets) -> Roads:
    """CC-R3: map each spot to the ends of one drive and their spaces, on streets without other cars."""
    lanes = sorted(roads.connected(SQUARE))
    stands = [(lane, facing) for lane in lanes for facing in range(4) if facing % 2 != lane[2] % 2]
    return {
        written(*stand): {written(*end): spaces for end, spaces in sorted(ends(roads, *stand).items())}
        for stand in stands
    }


def ends(roads: Streets, lane: Lane, facing: int) -> dict[Stand, int]:
    """Return the ends of one drive (forward, backward or a U-turn), each with the number of its spaces."""
    forward = legs(roads, lane, facing, len(roads.lanes()))
    backward = (((there, way ^ 2), spaces) for (there, way), spaces in legs(roads, lane, facing ^ 2, BACK))
    stands = dict([*forward, *backward])
    if other := roads.other(lane):
        stands[other, facing ^ 2] = 1
    return stands
