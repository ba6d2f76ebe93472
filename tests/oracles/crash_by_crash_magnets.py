"""A second opinion on the magnet check of Crash by Crash: pulls, holds, rounds, bells that ring.

Written from the rules alone: cells are axial (q, r). A world has the name of the car on each cell (`cars`), the names
of the `magnets` among them, the cells with `bells`, and the `operator`'s cell, None while he is in a hole.
"""

STEPS = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]


def pulls(world):
    """Return all pulls of the present position as (magnet, car, cell between)."""
    cars, all_pulls = world["cars"], []
    for (q, r), name in cars.items():
        for right, down in STEPS if name in world["magnets"] else ():
            between, far = (q + right, r + down), (q + 2 * right, r + 2 * down)
            if far in cars and between not in cars and between != world["operator"]:
                all_pulls.append((name, cars[far], between))
    return all_pulls


def check(world, placed=None):
    """Move the cars and return the rounds, each a set of (magnet, car, cell); `placed` is this action's new magnet."""
    moved, rounds = set(), []
    while True:
        standing = one_round(world, moved, placed)
        if not standing:
            return rounds
        rounds.append(standing)
        where = {name: cell for cell, name in world["cars"].items()}
        where |= {car: cell for _, car, cell in standing}
        world["cars"] = {cell: name for name, cell in where.items()}
        moved |= {car for _, car, _ in standing}


def one_round(world, moved, placed):
    every = pulls(world)
    pairs = {(magnet, car) for magnet, car, _ in every}
    candidates = set()
    for magnet, car, cell in every:
        is_cancelled = sum(other == car for _, other in pairs) > 1
        is_mutual = (car, magnet) in pairs and magnet != placed
        if not (is_cancelled or is_mutual or car in moved or is_held(world, car)):
            candidates.add((magnet, car, cell))
    goals = [cell for _, _, cell in candidates]
    return {pull for pull in candidates if goals.count(pull[2]) == 1}


def is_held(world, car):
    q, r = next(cell for cell, name in world["cars"].items() if name == car)
    return any(world["cars"].get((q + right, r + down)) in world["magnets"] for right, down in STEPS)


def rung(world, rounds):
    """Return the bells that rang, each once, by round, then row, then column."""
    order = []
    for standing in rounds:
        cells = sorted((r, q) for _, _, (q, r) in standing if (q, r) in world["bells"])
        order += [(q, r) for r, q in cells if (q, r) not in order]
    return order
