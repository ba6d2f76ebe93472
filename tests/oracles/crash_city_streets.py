"""A second opinion on CrashCity's streets: which lanes are connected, found by flooding points of the grid.

Written from the rules alone: a city is {(x, y): "NES"}, the lanes of every tile, and `strict` or not. Streets run along
the edges of the grid, each between two points; a lane is (x, y, side).
"""

EDGES = {"N": ((0, 1), (1, 1)), "S": ((0, 0), (1, 0)), "E": ((1, 0), (1, 1)), "W": ((0, 0), (0, 1))}


def lanes(city):
    return {(x, y, side) for (x, y), sides in city.items() for side in sides}


def edge(lane):
    """Return the two points of a lane's edge."""
    x, y, side = lane
    return frozenset((x + right, y + up) for right, up in EDGES[side])


def at(city, point):
    """Return the lanes that end at a point."""
    return {lane for lane in lanes(near(city, point)) if point in edge(lane)}


def near(city, point):
    """Return the tiles around a point."""
    x, y = point
    return {tile: city[tile] for tile in [(x, y), (x - 1, y), (x - 1, y - 1), (x, y - 1)] if tile in city}


def groups(city, strict, point):
    """Return the sets of lanes that are connected at a point: one set, or two if the crossing splits."""
    there = at(city, point)
    paved = {lane[:2] for lane in there}
    if strict and len(paved) == 2:
        (a, b), (c, d) = paved
        if a != c and b != d:
            return [{lane for lane in there if lane[:2] == tile} for tile in paved]
    return [there]


def connected(city, strict):
    """Return all lanes on segments that can be reached from the square."""
    reached = {lane for lane in lanes(city) if edge(lane) in [edge((0, 0, side)) for side in "NESW"]}
    while True:
        more = set(reached)
        for lane in reached:
            more |= {other for other in lanes(near(city, min(edge(lane)))) if edge(other) == edge(lane)}
            for point in edge(lane):
                for group in groups(city, strict, point):
                    if lane in group:
                        more |= group
        if more == reached:
            return reached
        reached = more


def sites(city, strict):
    """Return the empty places beside a tile at which a single lane on some side would be connected."""
    steps = ((0, 1), (1, 0), (0, -1), (-1, 0))
    free = {(x + right, y + up) for x, y in city for right, up in steps} - set(city)
    return {(x, y) for x, y in free if any((x, y, side) in connected(city | {(x, y): side}, strict) for side in "NESW")}


def rotations(city, strict, place, sides):
    """Return the lanes that a tile can have there after a rotation, at least one of them connected."""
    turns = {frozenset("NESW"[("NESW".index(side) + turn) % 4] for side in sides) for turn in range(4)}
    return {
        turned
        for turned in turns
        if any((*place, side) in connected(city | {place: "".join(turned)}, strict) for side in turned)
    }
