"""Lesson 48, learning: a city with one car and one job, and the exercises."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from crashlab.base.errors import short_repr
from crashlab.course.exercises.exercise_types import FunctionWanted
from crashlab.course.lessons.cities import Spot, written
from crashlab.course.lessons.crash_city import drive_graph, stand
from crashlab.engine.chance import Random
from crashlab.engine.game import State
from crashlab.games import game
from crashlab.games.boards.streets import Tile

# A city of 32 tiles, in which A1 is seven drives away from the job.
CITY = """phase race; asked A; tiles 1,0 W house B / -1,0 ES shop A / 0,-1 NEW house B / 1,-1 EW shop A / 1,-2 W house B
    / 1,1 SW house A / 1,2 SW house B / 0,-2 EW house A / -2,0 NS shop B / 2,1 S shop A / 2,2 NEW house B / 2,0 N
    house A / -1,-1 NS house B / 0,-3 EW shop A / 3,0 NE house B / -1,-3 EW house A / -1,1 SW shop B / 0,2 N house
    A / -1,-4 NES house B / -2,-1 W house A / 3,2 NW shop B / 0,1 SW house A / 1,3 ESW shop B / -2,1 NE factory A
    / -3,1 NW factory B / -1,2 NS house A / -3,0 SW factory B / -4,0 EW factory A / 4,2 W factory B / 3,3 NES
    factory A / 4,3 S factory B / -4,-1 NSW factory A; cars A -1,-4N>W"""
JOB = 3, 2  # the tile of A1's job, a shop

GAMMA, ALPHA = 0.9, 0.5  # defaults of the exercises
CLOSE = 1e-9

Outcome = tuple[float, float]  # the reward of an action, and the value of the next place
Rows = dict[str, dict[str, float]]  # place -> action -> value


def city() -> State:
    """Return a city with one car."""
    return game("crash_city", players=2).read(" ".join(CITY.split()))


def drives(state: State, *jobs: Tile) -> dict[Spot, list[Spot]]:
    """Return the ends of the drives from each place of a city; an empty list for places at these jobs."""
    return {
        written(*place): [] if place[0][:2] in jobs else [written(*end) for end in ends]
        for place, ends in drive_graph(state.facts.streets).items()
    }


def place_of(car: Any) -> Spot:
    """Return the place of a car that is not parked."""
    return written(*stand(car))


# The exercises


def worth(outcomes: Sequence[Outcome], gamma: float = GAMMA) -> float:
    """Return the value of a place: the value of its best action, 0 if it has no actions."""
    return max((reward + gamma * value for reward, value in outcomes), default=0.0)


def random_place(rng: Random) -> tuple[list[Outcome], float]:
    """Return random outcomes for the actions of a place, and a random gamma."""
    outcomes = [(float(rng.below(2)), rng.below(101) / 100) for _ in range(1 + rng.below(5))]
    return outcomes, rng.choice([0.5, GAMMA, 1.0])


NOTHING = [(0.0, 0.0)]  # stands for an empty list of actions
WRONG_WORTHS: Mapping[str, Callable[[Sequence[Outcome], float], float]] = {
    f"That is right for gamma = {GAMMA} only: use the gamma that the function is given.": (
        lambda some, gamma: worth(some)
    ),
    "You take the worst action; the driver chooses the best.": lambda some, gamma: min(
        reward + gamma * value for reward, value in some or NOTHING
    ),
    "You add up all actions, but only one of them is taken: the best.": lambda some, gamma: sum(
        reward + gamma * value for reward, value in some or NOTHING
    ),
    "You take the mean of all actions, but the driver chooses the best.": lambda some, gamma: (
        sum(reward + gamma * value for reward, value in some or NOTHING) / max(len(some), 1)
    ),
    "What comes later counts less: multiply the value by gamma.": lambda some, gamma: max(
        reward + value for reward, value in some or NOTHING
    ),
    "The reward is paid at once, and counts in full: multiply only the value by gamma.": lambda some, gamma: max(
        gamma * (reward + value) for reward, value in some or NOTHING
    ),
    "The value of the place it leads to is missing.": lambda some, gamma: max(reward for reward, _ in some or NOTHING),
    "The rewards are missing.": lambda some, gamma: max(gamma * value for _, value in some or NOTHING),
    "You take the best reward and the best value, but they belong to different actions.": lambda some, gamma: (
        max(reward for reward, _ in some or NOTHING) + gamma * max(value for _, value in some or NOTHING)
    ),
}


def worth_hint(got: Any, want: float, outcomes: Sequence[Outcome], gamma: float) -> str:
    """Return the hint for a wrong value of a place (al-48)."""
    if isinstance(got, ValueError):
        return (
            f"for a place without actions: {got}. Nothing more can be won there, so return 0. `max` takes a `default`."
        )
    text = "; ".join(f"reward {reward:g} and then value {value:g}" for reward, value in outcomes) or "none"
    where = f"the actions: {text}; gamma is {gamma:g}. The place is worth {want:.4g}, and you say {rounded(got)}"
    return f"{where}. Where nothing can be done, nothing more can be won." if not outcomes else f"{where}."


def rounded(number: Any) -> str:
    """Write a float with four digits, and any other value as its repr."""
    return f"{number:.4g}" if isinstance(number, float) else short_repr(number)


def close(one: Any, two: Any) -> bool:
    """Return whether two numbers are equal up to rounding."""
    return isinstance(one, int | float) and abs(one - two) < CLOSE


def update(q: Rows, here: str, there: str, reward: float, alpha: float = ALPHA, gamma: float = GAMMA) -> Rows:
    """Move the value of a step by alpha towards the reward plus gamma times the best value that follows."""
    target = reward + gamma * max(q[there].values(), default=0.0)
    q[here][there] += alpha * (target - q[here][there])
    return q


Step = tuple[Rows, str, str, float, float, float]


def random_step(rng: Random) -> Step:
    """Return random values and a random step, with a random alpha and gamma."""
    q = {one: {two: rng.below(101) / 100 for two in "abcd" if rng.below(4)} for one in "abcd"} | {"e": {}}
    here = rng.choice("abcd")
    there = rng.choice("abcde")
    q[here][there] = rng.below(101) / 100
    return q, here, there, float(rng.below(2)), rng.choice([0.25, ALPHA, 1.0]), rng.choice([0.75, GAMMA, 1.0])


def instead(number: Callable[[float, float, Sequence[float], float, float], float]) -> Callable[..., Rows]:
    """Return an update that stores number(old value, reward, values that may follow, alpha, gamma) in q."""

    def changed(q: Rows, here: str, there: str, reward: float, alpha: float, gamma: float) -> Rows:
        q[here][there] = number(q[here][there], reward, [*q[there].values()] or [0.0], alpha, gamma)
        return q

    return changed


def looks_here(q: Rows, here: str, there: str, reward: float, alpha: float, gamma: float) -> Rows:
    """Update with the best value of the wrong place, `here`."""
    q[here][there] += alpha * (reward + gamma * max(q[here].values()) - q[here][there])
    return q


WRONG_STEPS: Mapping[str, Any] = {
    f"That is right for alpha = {ALPHA} only: use the alpha that the function is given.": (
        lambda q, here, there, reward, alpha, gamma: update(q, here, there, reward, ALPHA, gamma),
        lambda q, here, there, reward, alpha, gamma: update(q, here, there, reward, ALPHA, GAMMA),
    ),
    f"That is right for gamma = {GAMMA} only: use the gamma that the function is given.": (
        lambda q, here, there, reward, alpha, gamma: update(q, here, there, reward, alpha, GAMMA)
    ),
    "You put the target in place of the old number: go only the fraction alpha of the way there.": instead(
        lambda old, reward, after, alpha, gamma: reward + gamma * max(after)
    ),
    "The old number is lost: add alpha times the *difference* between the target and it.": instead(
        lambda old, reward, after, alpha, gamma: alpha * (reward + gamma * max(after))
    ),
    "The old number stays whole, and the target is added: add alpha times the *difference*.": instead(
        lambda old, reward, after, alpha, gamma: old + alpha * (reward + gamma * max(after))
    ),
    "What follows counts less: multiply it by gamma.": instead(
        lambda old, reward, after, alpha, gamma: old + alpha * (reward + max(after) - old)
    ),
    "The reward is paid at once, and counts in full.": instead(
        lambda old, reward, after, alpha, gamma: old + alpha * (gamma * (reward + max(after)) - old)
    ),
    "The reward is missing.": instead(
        lambda old, reward, after, alpha, gamma: old + alpha * (gamma * max(after) - old)
    ),
    "The value of what follows is missing.": instead(
        lambda old, reward, after, alpha, gamma: old + alpha * (reward - old)
    ),
    "The best next action is chosen: `max`, not the mean.": instead(
        lambda old, reward, after, alpha, gamma: old + alpha * (reward + gamma * sum(after) / len(after) - old)
    ),
    "The best next action is chosen: `max`, not the sum.": instead(
        lambda old, reward, after, alpha, gamma: old + alpha * (reward + gamma * sum(after) - old)
    ),
    "You look at the actions here, but the next choice is made *there*.": looks_here,
    "Wrong sign: go from the old number *towards* the target.": instead(
        lambda old, reward, after, alpha, gamma: old - alpha * (reward + gamma * max(after) - old)
    ),
}


def step_hint(got: Any, want: Rows, q: Rows, here: str, there: str, reward: float, alpha: float, gamma: float) -> str:
    """Return the hint for a wrong update (al-48b)."""
    if isinstance(got, ValueError):
        return f"at {there}: {got}. The episode is over there and nothing follows, so count 0. `max` takes a `default`."
    if isinstance(got, TypeError):
        return f"{got}. q[there] is a dict, from actions to their values: you need `max(q[there].values())`."
    old, after = q[here][there], q[there]
    where = f"q[{here!r}][{there!r}] was {old:g}, the reward {reward:g}, and q[{there!r}] = {after}"
    where = f"{where}, with alpha {alpha:g} and gamma {gamma:g}"
    if got == q:
        return f"{where}: nothing has changed. Change q itself: `q[here][there] = ...`."
    rows = {one: row for one, row in got.items() if row != want.get(one)} if isinstance(got, dict) else got
    if not isinstance(got, dict) or set(rows) != {here} or set(rows[here]) != set(want[here]):
        return f"{where}: only q[here][there] may change. These rows of yours are wrong: {short_repr(rows)}."
    mine = rows[here][there]
    return f"{where}: it should become {want[here][there]:.4g}, and you make it {rounded(mine)}."


def same_rows(got: Any, want: Rows) -> bool:
    """Return whether all values are right up to rounding."""
    if not isinstance(got, dict) or got.keys() != want.keys():
        return False
    return all(
        isinstance(got[one], dict)
        and got[one].keys() == want[one].keys()
        and all(close(got[one][two], want[one][two]) for two in want[one])
        for one in want
    )


CHECKS = (
    FunctionWanted(
        "al-48",
        "worth(outcomes, gamma)",
        "With gamma = 0.9 the value of a place says how far it is from the job. How many drives does 0.729 stand"
        " for? And what does gamma = 1 say about the distance?",
        cases=lambda: [
            ([(0.0, 0.5), (0.25, 0.25), (0.125, 1.0)], GAMMA),
            ([(1.0, 0.0)], GAMMA),
            ([(1.0, 0.0), (0.0, 0.9)], GAMMA),
            ([], GAMMA),
            ([(0.0, 0.0), (-1.0, 0.5)], GAMMA),
            ([(-1.0, -2.0), (-1.0, -3.0)], GAMMA),
        ],
        more=30,
        right=worth,
        hint=worth_hint,
        same=close,
        catches=(ValueError,),
        draw=random_place,
        wrongs=WRONG_WORTHS,
    ),
    FunctionWanted(
        "al-48b",
        "update(q, here, there, reward, alpha, gamma)",
        "With alpha = 1 the old number does not count at all. When is that best, and when is it bad? Think of a drive"
        " that ends somewhere else one time in ten.",
        cases=lambda: [
            (
                {"a": {"b": 0.2, "c": 0.6}, "b": {"a": 0.4, "c": 0.8, "d": 0.1}, "c": {}, "d": {"a": 0.0}},
                *("a", "b", 0.25, ALPHA, GAMMA),
            ),
            ({"a": {"b": 0.0, "c": 0.0}, "b": {"a": 0.0}, "c": {}}, "a", "c", 1.0, ALPHA, GAMMA),
            ({"a": {"b": 0.5}, "b": {"a": 0.0, "c": 0.0}, "c": {}}, "a", "b", 0.0, ALPHA, GAMMA),
        ],
        more=30,
        right=update,
        hint=step_hint,
        same=same_rows,
        changes=True,
        catches=(ValueError, TypeError),
        draw=random_step,
        wrongs=WRONG_STEPS,
    ),
)
