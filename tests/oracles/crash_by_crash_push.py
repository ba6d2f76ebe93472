"""A second opinion on a standard car's hit in Crash by Crash, with batteries: lines, gaps, operator, bells, the edge.

Written from the rules alone: cells are axial (q, r). A world has the remaining `cells`, the name of the car on each
cell (`cars`), the cells with `bells`, and the `operator`'s cell, None while he is in a hole.
"""

STEPS = {"E": (1, 0), "NE": (1, -1), "NW": (0, -1), "W": (-1, 0), "SW": (-1, 1), "SE": (0, 1)}
ANCHORS = {0: (0, 3, 5, 8, 10), 1: (1, 3, 6, 8, 11)}
FLOWER = {(0, 0), *STEPS.values()}
X = {(0, 0), (1, 0), (0, -1), (1, -1), (2, -1), (-1, 1), (0, 1), (1, 1)}


def tiles():
    """Return the cells of each tile, row by row of tiles."""
    cells = []
    for row in range(5):
        for column in range(5):
            middle = 3 * row + 1
            q = ANCHORS[row % 2][column] - middle // 2
            shape = X if (row + column) % 2 == 0 else FLOWER
            cells.append({(q + right, middle + down) for right, down in shape})
    return cells


def step(cell, way):
    return cell[0] + STEPS[way][0], cell[1] + STEPS[way][1]


def hits(world):
    """Return every cell and direction in which a car can be placed and hit."""
    free = world["cells"] - set(world["cars"]) - set(world["bells"]) - {world["operator"]}
    return {(cell, way) for cell in free for way in STEPS if step(cell, way) in world["cars"]}


def hit(world, cell, way, batteries, name):
    """Place a car that hits, changing the world; return the cars that fell off, and the bell that rang or None."""
    world["cars"][cell] = name
    here = step(cell, way)
    for _ in range(1 + batteries):
        while step(here, way) in world["cars"]:
            here = step(here, way)
        there = step(here, way)
        if there == world["operator"]:
            break
        moving = world["cars"].pop(here)
        if there not in world["cells"]:
            return [moving], None
        world["cars"][there] = moving
        if there in world["bells"]:
            return [], there
        here = there
    return [], None
