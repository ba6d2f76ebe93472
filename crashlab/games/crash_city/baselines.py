"""The built-in agents, the weakest first."""

from typing import Any

from crashlab.engine.contract import Baseline

FEW = 4  # number of cars that the loafer parks


def early(state: Any, seat: int, action: Any) -> int:
    """Rank actions by their order in the list, the first one best."""
    return -int(state.actions(seat).codes.index(action.code))


def parking(state: Any, seat: int, action: Any) -> int:
    """Return 1 if an action parks a car, else 0."""
    return int(action.parts.get("action") == "park")


def parking_some(state: Any, seat: int, action: Any) -> int:
    """Return 1 if an action parks one of the first FEW cars, else 0."""
    return int(parking(state, seat, action) and int(action.parts["car"][1:]) <= FEW)


def bee_line(state: Any, seat: int, action: Any) -> float:
    """Rank parking first, then drives by the decrease of the distance to free work, then other actions."""
    if parking(state, seat, action):
        return 100
    parts = action.parts
    if parts.get("action") != "drive":
        return 0
    work = free_work(state)
    return away(work, state.cars[parts["car"]].lane) - away(work, parts["lane"])


def free_work(state: Any) -> list[tuple[int, int]]:
    """Return the places of shops and factories without a parked car."""
    return [place for place, tile in state.tiles.items() if tile.building in ("shop", "factory") and not tile.parked]


def away(work: list[tuple[int, int]], lane: Any) -> float:
    """Return the distance of the nearest work from a lane, in tiles along the grid; 0 if there is no work."""
    return min((abs(lane[0] - x) + abs(lane[1] - y) for x, y in work), default=0)


BASELINES = (
    Baseline("sleeper", "Takes the first action in the list.", early),
    Baseline("dice", "Acts at random, every action equally likely.", "random"),
    Baseline("loafer", "Parks its first four cars when it can, and acts at random with the others.", parking_some),
    Baseline("parker", "Parks when it can.", parking),
    Baseline(
        "dozer",
        "Tries two actions once, and takes the one that leads nearer to work.",
        "greedy",
        {"worlds": 1, "decisions": 1, "max_actions": 2},
    ),
    Baseline("crow", "Parks when it can; otherwise drives nearer to a free workplace, as the crow flies.", bee_line),
    Baseline(
        "blinker",
        "Tries ten actions once, and takes the one that leads nearest to work.",
        "greedy",
        {"worlds": 1, "decisions": 1, "max_actions": 10},
    ),
    Baseline(
        "glancer",
        "Tries every action once, and takes the one that leads nearest to work.",
        "greedy",
        {"worlds": 1, "decisions": 1},
    ),
    Baseline("looker", "Tries every action and a reply to it in two imagined worlds.", "greedy", {"worlds": 2}),
    Baseline("champion", "Searches a tree of 1,000 playouts.", "mcts", {"playouts": 1000}),
)
