"""A city grows: which tile joins the most loose lanes to the streets of the square, and do two ways of counting agree?

    python examples/growing_city.py [FOLDER]

The engine tells each lane that a tile connects as an event. Union-find counts them a second time: groups of lanes that
hang together, of which each has a speaker.
"""

import sys
from pathlib import Path

import crashlab
from crashlab.games.boards.streets import Lane

CITIES = 20
SQUARE = (0, 0, 0)  # a lane of the square
game = crashlab.game("crash_city", players=4)


class Groups:
    """Lanes in groups; two lanes are in the same group if one can go from one to the other."""

    def __init__(self) -> None:
        self.boss: dict[Lane, Lane] = {}

    def speaker(self, lane: Lane) -> Lane:
        """Return the lane that represents the group of this lane."""
        while self.boss[lane] != lane:
            self.boss[lane] = self.boss[self.boss[lane]]
            lane = self.boss[lane]
        return lane

    def grow(self, state: crashlab.State) -> None:
        """Take in the lanes that are new. A tile never cuts what was connected, so groups are only joined."""
        new = [lane for lane in state.streets.lanes() if lane not in self.boss]
        self.boss |= {lane: lane for lane in new}
        for lane in new:
            for other in state.streets.beside(lane):
                self.boss[self.speaker(lane)] = self.speaker(other)

    def connected(self) -> int:
        """Count the lanes connected to the square."""
        return sum(self.speaker(lane) == self.speaker(SQUARE) for lane in self.boss)


def joins(turn: crashlab.Turn) -> int:
    """Count the lanes that the turn connects, by its events."""
    return sum(event.field == "joined" for event in turn.events)


tiles = []  # the turns in which one was laid
for seed in range(CITIES):
    state, rng, groups = game.start(seed), crashlab.Random(seed), Groups()
    groups.grow(state)
    while state.phase != "race":
        turn = state.sample(rng)
        state = turn.after
        if joins(turn):
            before = groups.connected()
            groups.grow(state)
            assert groups.connected() - before == joins(turn)
            tiles.append(turn)

greatest = max(tiles, key=joins)
print(f"{len(tiles)} tiles in {CITIES} cities; so many of them connected 1, 2, 3 ... lanes:")
print([sum(joins(turn) == number for turn in tiles) for number in range(1, joins(greatest) + 1)])
print("\nThe greatest of them:")
for event in greatest.events:
    if event.field in ("street", "joined"):
        print(event)

if len(sys.argv) > 1:
    folder = Path(sys.argv[1])
    (folder / "city.svg").write_text(greatest.svg(), encoding="utf-8")
    (folder / "city.gif").write_bytes(greatest.gif())
    print(f"\ncity.svg and city.gif are in {folder}")
