"""Streets along the edges of square tiles: lanes, crossings, connections.

Tile (x, y) covers the square from (x, y) to (x + 1, y + 1); x grows to the east, y to the north. A tile has lanes on
some of its sides, along the edge, on the tile's half of the street:

             N                   directions and sides, clockwise:  0 N   1 E   2 S   3 W
        +---------+
        | ------- |              a right turn is +1, a left turn is +3 (mod 4), the way back is ^ 2
      W |         | E            lanes are a sum of bits: N 1, E 2, S 4, W 8
        |         |
        +---------+              a *segment* is the edge of two tiles: a street with up to two lanes
             S                   a *crossing* is a corner of tiles: up to four segments meet there

A growing city has no edge, but is stored in a list of CELLS values. The *spot* of a tile counts from west to east and
then row by row (`spot_of`); its index in the list is spot % CELLS. Two spots with the same index are at least CLEAR
steps apart (east and north together). A connected city of MOST_TILES tiles, including its neighbours and diagonal
neighbours, is never that wide, so no two of its spots share an index.
"""

from collections.abc import Iterator, Mapping

from crashlab.base.groups import grouped

Tile = tuple[int, int]
Lane = tuple[int, int, int]  # x, y, side

DIRECTIONS = ("N", "E", "S", "W")
STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))  # (x, y) of a step in each direction

MOST_TILES = 65  # largest number of tiles, each next to an earlier one
REACH = MOST_TILES + 1  # largest distance from the first tile to a diagonal neighbour of the last
# 2260 cells would be enough for MOST_TILES tiles, but remainders of a power of two are much faster.
ROW, CELLS, CLEAR = 138, 4096, 67
STEP = (ROW, 1, -ROW, -1)  # differences of spots, by direction

# Up to six lanes begin at the end of a lane in a direction: two straight ahead, two round the corner of the lane's
# tile, two round the other corner; the first of each pair is on the tile nearer to the lane. Their index in the lists
# below is 6 * (4 * side + way) + arm; entries for a way that does not run along the side are meaningless.
ARMS = 6
STRAIGHT, OTHER_STRAIGHT, OWN_CORNER = 0, 1, 2
ONWARD, SIDEWAYS = (1, 1, 0, 1, 0, 1), (0, 1, 0, 0, 1, 1)  # by arm: steps to its tile, along the way and the side


def _arms() -> Iterator[tuple[int, int, int]]:
    """Yield for every arm the step to its tile, its side there, and the direction of travel on it."""
    for side in range(4):
        for way in range(4):
            sides = (side, side ^ 2, way, way ^ 2, way, way ^ 2)
            ways = (way, way, side ^ 2, side ^ 2, side, side)
            for arm in range(ARMS):
                yield ONWARD[arm] * STEP[way] + SIDEWAYS[arm] * STEP[side], sides[arm], ways[arm]


ARM_STEP = tuple(step for step, _, _ in _arms())
ARM_SIDE = tuple(side for _, side, _ in _arms())
ARM_WAY = tuple(way for _, _, way in _arms())


def spot_of(x: int, y: int) -> int:
    """Return the spot of a tile."""
    return REACH + x + ROW * (REACH + y)


def xy(spot: int) -> Tile:
    """Return the tile of a spot."""
    return spot % ROW - REACH, spot // ROW - REACH


def beside(x: int, y: int, way: int) -> Tile:
    """Return the next tile in a direction."""
    return x + STEPS[way][0], y + STEPS[way][1]


def turned(lanes: int) -> tuple[int, ...]:
    """Return the different orientations of a tile's lanes, rotated clockwise."""
    turns = (lanes << turn & 15 | lanes >> (4 - turn) for turn in range(4))
    return tuple(dict.fromkeys(turns))


def letters(lanes: int) -> str:
    """Return lanes as letters, in the order of the sides."""
    return "".join(letter for side, letter in enumerate(DIRECTIONS) if lanes >> side & 1)


class Streets:
    """The streets of tiles, given as {(x, y): lanes}.

    All streets that meet at a crossing are connected. If `strict`, a crossing splits if exactly two tiles have
    lanes there and these tiles are diagonal.
    """

    def __init__(self, tiles: Mapping[Tile, int], strict: bool = True) -> None:
        self.tiles = dict(tiles)
        self.strict = strict

    def __repr__(self) -> str:
        return f"<Streets with {len(self.lanes())} lanes>"

    def has(self, lane: Lane) -> bool:
        """Return whether a lane exists."""
        x, y, side = lane
        return self.tiles.get((x, y), 0) >> side & 1 == 1

    def lanes(self) -> list[Lane]:
        return [(x, y, side) for (x, y), lanes in self.tiles.items() for side in range(4) if lanes >> side & 1]

    def other(self, lane: Lane) -> Lane | None:
        """Return the other lane of the same segment, or None."""
        x, y, side = lane
        across = (*beside(x, y, side), side ^ 2)
        return across if self.has(across) else None

    def ends(self, lane: Lane) -> tuple[Tile, Tile]:
        """Return the two crossings of a lane's segment, as corners (x, y), the southern or western one first."""
        x, y, side = lane
        right, up = x + (side == 1), y + (side == 0)
        return (right, up), (right + 1, up) if side % 2 == 0 else (right, up + 1)

    def ahead(self, lane: Lane, way: int) -> list[tuple[Lane, int]]:
        """Return the lanes that begin where a lane ends in direction `way`, each with the direction of travel on it."""
        x, y, side = lane
        arms = []
        for arm in range(ARMS):
            number = ARMS * (4 * side + way) + arm
            there = (x, y)
            for steps, direction in ((ONWARD[arm], way), (SIDEWAYS[arm], side)):
                there = beside(*there, direction) if steps else there
            arms.append(((*there, ARM_SIDE[number]), ARM_WAY[number]))
        arms = [arm for arm in arms if self.has(arm[0])]
        return [arm for arm in arms if arm[0][:2] == (x, y)] if self.splits(lane, way) else arms

    def splits(self, lane: Lane, way: int) -> bool:
        """Return whether the crossing where a lane ends in direction `way` splits (see Streets)."""
        x, y, side = lane
        onward, across = beside(x, y, way), beside(x, y, side)
        beyond = beside(*across, way)
        near = self._paves(onward, side, way ^ 2) or self._paves(across, side ^ 2, way)
        return self.strict and not near and self._paves(beyond, side ^ 2, way ^ 2)

    def _paves(self, tile: Tile, *sides: int) -> bool:
        """Return whether a tile has a lane on one of the given sides."""
        return any(self.has((*tile, side)) for side in sides)

    def beside(self, lane: Lane) -> list[Lane]:
        """Return the lanes directly connected to a lane: on its segment and at both of its crossings."""
        other = self.other(lane)
        way = (lane[2] + 1) % 4
        both = [*self.ahead(lane, way), *self.ahead(lane, way ^ 2)]
        return [next_lane for next_lane, _ in both] + ([other] if other else [])

    def connected(self, start: Tile) -> set[Lane]:
        """Return all lanes that can be reached from the lanes of a tile."""
        meeting: dict[Lane, list[list[Lane]]] = {lane: [] for lane in self.lanes()}
        for lanes in self._crossings():
            for lane in lanes:
                meeting[lane].append(lanes)
        waiting = [lane for lane in meeting if lane[:2] == start]
        result = set(waiting)
        while waiting:
            for lanes in meeting[waiting.pop()]:
                new = [lane for lane in lanes if lane not in result]
                result.update(new)
                waiting += new
                lanes.clear()  # all of them have been reached
        return result

    def _crossings(self) -> Iterator[list[Lane]]:
        """Yield the groups of lanes connected at crossings; a split crossing has a group for each tile."""
        corners = grouped((corner, lane) for lane in self.lanes() for corner in self.ends(lane))
        for lanes in corners.values():
            tiles = {(x, y) for x, y, _ in lanes}
            if self.strict and len(tiles) == 2 and are_diagonal(*tiles):
                yield from ([lane for lane in lanes if lane[:2] == tile] for tile in tiles)
            else:
                yield lanes


def are_diagonal(one: Tile, other: Tile) -> bool:
    """Return whether two touching tiles are diagonal neighbours."""
    return one[0] != other[0] and one[1] != other[1]
