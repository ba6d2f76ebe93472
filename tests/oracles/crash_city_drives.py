"""A second opinion on CrashCity's drives and crashes, in which every path is walked lane by lane.

Written from the rules alone: a world has the `city` and `strict` (see `crash_city_streets`), `cars` {lane: facing},
`last_step` and `chains`. A path is listed with all its lanes; a car's options are the ends of its paths.
"""

from oracles.crash_city_streets import EDGES, edge, groups, lanes, near

BACK = {"N": "S", "S": "N", "E": "W", "W": "E"}
HEADING = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}


def end(lane, way):
    """Return the point at the end of a lane in a direction."""
    right, up = HEADING[way]
    return max(edge(lane), key=lambda point: right * point[0] + up * point[1])


def exits(world, lane, way):
    """Yield the lanes that continue a lane, each with the direction of travel on it."""
    point = end(lane, way)
    for group in groups(world["city"], world["strict"], point):
        if lane in group:
            for other in group:
                if edge(other) != edge(lane):
                    (far,) = edge(other) - {point}
                    step = (far[0] - point[0], far[1] - point[1])
                    yield other, next(heading for heading in HEADING if HEADING[heading] == step)


def twin(world, lane):
    """Return the other lane of the segment, or None."""
    same = [other for other in lanes(near(world["city"], min(edge(lane)))) if edge(other) == edge(lane)]
    return next((other for other in same if other != lane), None)


def straight(world, lane, way, steps):
    """Return the ends of all paths of this many steps straight on over empty lanes, in the middle of a move."""
    if steps == 0:
        return {lane}
    ends = set()
    for here in straight(world, lane, way, steps - 1):
        ahead = [other for other, heading in exits(world, here, way) if heading == way]
        own_side = [other for other in ahead if other[2] == here[2]]
        if world["last_step"] and own_side:
            ahead = own_side
        ends |= {other for other in ahead if other not in world["cars"]}
    return ends


def drives(world, start):
    """Return the ends of a car's drives, {lane: (its facing then, whether it crashes)}."""
    facing, ends = world["cars"][start], {}
    for way, most in ((facing, len(world["city"]) + 2), (BACK[facing], 2)):
        for steps in range(most):
            for here in straight(world, start, way, steps):
                for lane, heading in exits(world, here, way):
                    crashes = lane in world["cars"]
                    if crashes and (steps == 0 or not can_hit(world, start, lane, heading)):
                        continue
                    faces = heading if way == facing else BACK[heading]
                    assert ends.setdefault(lane, (faces, crashes)) == (faces, crashes)
    other = twin(world, start)
    if other and other not in world["cars"]:
        assert other not in ends
        ends[other] = (BACK[facing], False)
    return ends


def can_hit(world, start, lane, way):
    """Return whether the car there can make way for one that comes from `start`."""
    cars = {place: facing for place, facing in world["cars"].items() if place != start}
    return bool(ways_out(world | {"cars": cars}, lane, way, cars[lane], {lane}))


def ways_out(world, lane, way, facing, moved):
    """Return the moves of a car that was hit, {lane: (its facing then, whether it hits another one)}.

    `moved` are the lanes of cars that have been moved in this turn.
    """
    ends = {}
    for there, heading in exits(world, lane, way):
        faces = facing if heading == way else heading if facing == way else BACK[heading]
        if there not in world["cars"]:
            ends[there] = (faces, False)
        elif world["chains"] and there not in moved:
            if ways_out(world, there, heading, world["cars"][there], moved | {there}):
                ends[there] = (faces, True)
    other = twin(world, lane)
    if other and other not in world["cars"]:
        ends[other] = (BACK[facing], False)
    return ends


__all__ = ["EDGES", "drives", "ways_out"]
