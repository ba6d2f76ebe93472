"""A second opinion on one movement of Crash & Grab: steps, pick-ups, collisions, accelerators, a crash, a win.

Written from the rules alone: spaces are (row, column) pairs, a crewmember is a (colour, type) pair, and the world is
made of dicts and sets. It has its `size`, the `player` of each saucer, the space of each saucer (`at`, None off the
board), the `accelerators`, the space of each lost crewmember (`lost`) and the crew `aboard` each saucer.
"""

STEPS = {"up": (-1, 0), "right": (0, 1), "down": (1, 0), "left": (0, -1)}


def move(world, saucer, direction, distance, turns):
    """Change the world by a saucer's own movement; return the player who won by it, or None.

    `turns` are the directions taken at the accelerators that it reaches itself; when they run out it goes straight on.
    """
    turns, left, is_first = iter(turns), distance, True
    while left > 0:
        left -= 1
        row, column = world["at"][saucer]
        down, across = STEPS[direction]
        space = (row + down, column + across)
        if not set(space) <= set(range(world["size"])):
            world["at"][saucer] = None
            return None
        hit = [other for other, place in world["at"].items() if place == space]
        world["at"][saucer] = space
        for crewmember in [crew for crew, place in world["lost"].items() if place == space]:
            del world["lost"][crewmember]
            world["aboard"][saucer].add(crewmember)
            if is_complete(world, world["player"][saucer]):
                return world["player"][saucer]
        if hit:
            (saucer,), left, is_first = hit, distance, False
        elif space in world["accelerators"]:
            left = distance
            direction = next(turns, direction) if is_first else direction
    return None


def is_complete(world, player):
    """Return whether each of the player's saucers has four types of crew aboard."""
    saucers = [saucer for saucer, its in world["player"].items() if its == player]
    return all(len({kind for _, kind in world["aboard"][saucer]}) == 4 for saucer in saucers)
