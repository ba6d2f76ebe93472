"""Lesson 42, union-find, hashing, symmetry: the opening of streets, rounds of Autoscooter and their mirror images."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from crashlab.base.errors import short_repr
from crashlab.course.exercises.exercise_types import FunctionWanted
from crashlab.course.lessons.cities import SQUARE, Spot, grown, named, paved
from crashlab.engine.chance import Random
from crashlab.engine.game import State
from crashlab.games import game
from crashlab.games.boards.hexes import DIRECTIONS
from crashlab.games.boards.streets import Lane, Streets

Boss = dict[Any, Any]
Car = tuple[int, int, int, str, int]  # number, row, column, facing, speed

CAR: Spot = "0,0N>E"  # a car, to show the size of a lane
TOWN_SEED, TOWN_TILES = 1, 7
CITY_SEED, ORDER = 5, 11  # the seeds of a city and of an order of its openings in which two large parts join late
SEATS = 4
WIDE, HIGH = (5, 6, 5, 6, 5, 6, 5), 6  # hexes of Autoscooter: the columns of each row, and the last row
TURNED = str.maketrans("LR", "RL")


# The opening of streets


def town() -> State:
    """Return the streets of a small town."""
    return paved(grown(TOWN_SEED)[TOWN_TILES].facts.streets, CAR)


def city() -> State:
    """Return the streets of a city for two."""
    return paved(grown(CITY_SEED)[-1].facts.streets, CAR)


def lanes_of(roads: Streets, seed: int = ORDER) -> list[str]:
    """Return all lanes connected with the square, in random order."""
    return [named(lane) for lane in Random(seed).shuffled(sorted(roads.connected(SQUARE)))]


def openings(roads: Streets, seed: int = ORDER) -> list[tuple[str, str]]:
    """Return all pairs of neighbouring lanes, in random order."""
    lanes = roads.connected(SQUARE)
    both = {(min(one, two), max(one, two)) for one in lanes for two in roads.beside(one)}
    return [(named(one), named(two)) for one, two in Random(seed).shuffled(sorted(both))]


def chain(roads: Streets) -> Boss:
    """Return a shortest path from the farthest lane to the start as bosses: the next lane, and the start for itself."""
    start = (0, 0, 0)
    before: dict[Lane, Lane] = {start: start}
    queue = [start]
    for here in queue:
        new = [there for there in roads.beside(here) if there not in before]
        before |= dict.fromkeys(new, here)
        queue += new
    way = [queue[-1]]
    while way[-1] != start:
        way.append(before[way[-1]])
    names = [named(lane) for lane in way]
    return dict(pairwise(names)) | {names[-1]: names[-1]}


# al-42: find


class CountedBosses(dict[Any, Any]):
    """A dict of bosses that counts its reads."""

    asked = 0

    def __getitem__(self, one: Any) -> Any:
        self.asked += 1
        return super().__getitem__(one)


def halving(boss: Boss, one: Any) -> Any:
    """Return the speaker of an element, and halve the path to it: every second element on it moves up."""
    while boss[one] != one:
        boss[one] = boss[boss[one]]
        one = boss[one]
    return one


def halved(boss: Boss, one: Any) -> tuple[Any, Boss]:
    """Return the speaker of an element, and the bosses after path halving."""
    return halving(boss, one), boss


def walk(boss: Boss, one: Any) -> list[Any]:
    """Return the path from an element to its speaker, both included."""
    way = [one]
    while boss[way[-1]] != way[-1]:
        way.append(boss[way[-1]])
    return way


def forests() -> Iterable[tuple[Boss, Any]]:
    """Return the cases of al-42: dicts of bosses, each with an element whose speaker is wanted; small cases first."""
    some: list[tuple[Boss, Any]] = [({0: 0}, 0), ({0: 1, 1: 1}, 0)]
    some += [({one: min(one + 1, last) for one in range(last + 1)}, 0) for last in range(2, 8)]
    rng = Random(1)
    some += [random_forest(rng, 5 + number) for number in range(30)]
    roads = city().facts.streets
    return [*some, (chain(roads), next(iter(chain(roads))))]


def random_forest(rng: Random, many: int = 20) -> tuple[Boss, Any]:
    """Return a dict of random bosses, and the last element, whose speaker is wanted."""
    return {one: rng.below(one) if one and rng.below(9) else one for one in range(many)}, many - 1


def find_hint(got: tuple[Any, Boss], want: tuple[Any, Boss], boss: Boss, one: Any) -> str:
    """Return the hint for a wrong speaker, or for wrong bosses afterwards (al-42)."""
    answer, after = got
    speaker, right = want
    some = f"with boss = {boss}" if len(boss) < 7 else f"with {len(boss)} bosses"
    where = f"{some} and {short_repr(one)}"
    way = walk(boss, one)
    if answer is None:
        return f"{where}: nothing is returned. The speaker is {short_repr(speaker)}: return it."
    if answer != speaker:
        where = f"{where}: the speaker is {short_repr(speaker)}, and you say {short_repr(answer)}"
        return f"{where}. A speaker is its own boss."
    if after == boss:
        return f"{where}: the speaker is right, but no element has moved up; next time the path is as long as before."
    if any(after.get(name) != boss[name] for name in boss if name not in way[:-1]):
        return f"{where}: an element that is not on the path to the speaker has a new boss."
    wrong = next(element for element in way if after[element] != right[element])
    theirs, expected = short_repr(after[wrong]), short_repr(right[wrong])
    return f"{where}: afterwards the boss of {short_repr(wrong)} is {theirs}; it should be {expected}."


def compressed(boss: Boss, one: Any) -> tuple[Any, Boss]:
    """Return the speaker, and the bosses after full compression: the speaker is the boss of all on the path."""
    way = walk(boss, one)
    boss |= dict.fromkeys(way, way[-1])
    return way[-1], boss


def all_moved_up(boss: Boss, one: Any) -> tuple[Any, Boss]:
    """Return the speaker, and wrong bosses: every element on the path has moved up, not only every second one."""
    way = walk(boss, one)
    boss |= {name: boss[boss[name]] for name in way}
    return way[-1], boss


def painted(forest: Boss) -> dict[Any, int]:
    """Return the colour of each element: the index of its speaker."""
    number = {one: place for place, one in enumerate(forest)}
    return {one: number[walk(forest, one)[-1]] for one in forest}


# Rounds of Autoscooter, and their mirror images


def position(seed: int) -> State:
    """Return the start of a round for four seats, after some random rounds."""
    rng = Random(seed)
    state = game("autoscooter", players=SEATS).start(seed)
    last = 1 + rng.below(8)
    while state.round < last:
        state = state.sample(rng).after
    return state


def cars_of(state: State) -> list[Car]:
    """Return the cars on the board as (number, row, column, facing, speed)."""
    cars = state.to_dict()["cars"].items()
    return [(int(number), *car["hex"], car["facing"], car["speed"]) for number, car in cars]


def east_west(car: Car) -> Car:
    """Reflect a car in a mirror from north to south, which swaps east and west."""
    number, row, column, facing, speed = car
    return number, row, WIDE[row] - 1 - column, DIRECTIONS[(3 - DIRECTIONS.index(facing)) % 6], speed


def north_south(car: Car) -> Car:
    """Reflect a car in a mirror from east to west, which swaps north and south."""
    number, row, column, facing, speed = car
    return number, HIGH - row, column, DIRECTIONS[-DIRECTIONS.index(facing) % 6], speed


def half_turn(car: Car) -> Car:
    """Rotate a car with the board by 180 degrees, which is what both mirrors do together."""
    return east_west(north_south(car))


MIRRORS = (east_west, north_south, half_turn)


def image(state: State, mirror: Any) -> State:
    """Return the mirror image of a position."""
    cars = map(mirror, cars_of(state))
    mirrored = {
        str(number): {"hex": [row, column], "facing": facing, "speed": speed}
        for number, row, column, facing, speed in cars
    }
    return state.game.read({**state.to_dict(), "cars": mirrored})


def plans(state: State, seed: int) -> list[dict[int, str]]:
    """Return random plans of all seats for a round, pass by pass."""
    rng, now, rounds = Random(seed), state, []
    while not now.over and now.facts.round == state.facts.round:
        rounds.append({seat: str(rng.choice(now.actions(seat))) for seat in now.actors})
        now = now.play(rounds[-1]).after
    return rounds


def paid(state: State, planned: Sequence[Mapping[int, str]], mirror: Any = None) -> tuple[int, ...]:
    """Return the scores after a round with these plans; with one mirror, left and right are swapped in the plans."""
    for step in planned:
        turned = {seat: plan.translate(TURNED) for seat, plan in step.items()}
        state = state.play(turned if mirror in (east_west, north_south) else dict(step)).after
    return tuple(state.scores)


# al-42b: the key after a move


def numbers(bits: int = 64, seed: int = 1) -> dict[Car, int]:
    """Return a random number of this many bits, at most 64, for each car on each hex with each facing and speed."""
    rng = Random(seed)
    hexes = [(row, column) for row, columns in enumerate(WIDE) for column in range(columns)]
    return {
        (number, *place, facing, speed): sum(rng.below(1 << 16) << shift for shift in (0, 16, 32, 48)) >> (64 - bits)
        for number in range(1, 2 * SEATS + 1)
        for place in hexes
        for facing in DIRECTIONS
        for speed in range(4)
    }


def moved(key: int, table: Mapping[Any, int], gone: Collection[Any], come: Collection[Any]) -> int:
    """Return the key of a position after some things have left it and others have been added."""
    for piece in [*gone, *come]:
        key ^= table[piece]
    return key


def moves() -> Iterable[tuple[int, dict[str, int], list[str], list[str]]]:
    """Return the cases of al-42b: keys, numbers, things that leave and things that are added; small numbers first."""
    rng = Random(1)
    some: list[tuple[int, dict[str, int], list[str], list[str]]] = [
        (3, {"1 at 21E": 1, "1 at 22E": 4, "2 at 34W": 2}, ["1 at 21E"], ["1 at 22E"]),
        (3, {"1 at 21E": 1, "2 at 34W": 2}, ["2 at 34W"], []),
        (1, {"1 at 21E": 1, "2 at 34W": 3}, [], ["2 at 34W"]),
        (5, {"1 at 21E": 1}, [], []),
    ]
    some += [random_move(rng, bits, number) for bits in (4, 8, 16, 24) for number in range(5)]
    return some


def random_move(rng: Random, bits: int = 16, number: int = 3) -> tuple[int, dict[str, int], list[str], list[str]]:
    """Return a random key, numbers of this many bits, and at most `number` + 1 things that leave and are added."""
    things = [f"{car} at {place}" for car in "1234" for place in ("21E", "22E")]
    table = {thing: 1 + rng.below(1 << bits) for thing in things}
    before, after = ([f"{car} at {rng.choice(('21E', '22E'))}" for car in "1234"] for _ in range(2))
    gone = [piece for piece in before if piece not in after][: number + 1]
    come = [piece for piece in after if piece[0] in {one[0] for one in gone}]
    return moved(0, table, before, ()), table, gone, come


def moved_hint(got: Any, want: int, key: int, table: Mapping[str, int], gone: list[str], come: list[str]) -> str:
    """Return the hint for a wrong key (al-42b)."""
    out, new = ([table[piece] for piece in some] for some in (gone, come))
    where = f"the key is {key:b}, the numbers to take out are {' '.join(f'{number:b}' for number in out) or 'none'},"
    where += f" those to put in {' '.join(f'{number:b}' for number in new) or 'none'} (all in bits)"
    if not isinstance(got, int) or isinstance(got, bool):
        return f"{where}; you say {short_repr(got)}. Return one whole number."
    return f"{where}; then it is {want:b}, and you say {got:b}. Does every number of both lists go in once, with `^`?"


WRONG_KEYS: Mapping[str, Callable[..., int]] = {
    "You add and subtract. `^` compares the bits of two numbers, and undoes itself.": lambda key, table, gone, come: (
        key - sum(table[number] for number in gone) + sum(table[number] for number in come)
    ),
    "The numbers that have gone are still in the key. Another `^` with each takes it out.": (
        lambda key, table, gone, come: moved(key, table, (), come)
    ),
    "The numbers that have come are not in the key.": lambda key, table, gone, come: moved(key, table, gone, ()),
    "The old key is lost: the cars that have not moved are in it.": lambda key, table, gone, come: moved(
        0, table, gone, come
    ),
    "That is the key of the new numbers alone. The cars that have not moved are in the old key.": (
        lambda key, table, gone, come: moved(0, table, (), come)
    ),
}


CHECKS = (
    FunctionWanted(
        "al-42",
        "find(boss, one)",
        "Each walk halves the path for the next one. How long is a path of 1,000 bosses after ten walks?",
        cases=forests,
        right=halved,
        hint=find_hint,
        same=lambda got, want: bool(got == want),
        changes=True,
        returns=True,
        follows="boss",
        draw=random_forest,
        wrongs={
            "Now everything on the path points at the speaker. That is full compression, also good, but it"
            " takes a second walk. Here each element visited gets its boss's boss, and the walk goes on there.": (
                compressed
            ),
            "Every element on the path has moved up; only every second one has to: continue from the *new* boss.": (
                all_moved_up
            ),
        },
    ),
    FunctionWanted(
        "al-42b",
        "moved(key, numbers, gone, come)",
        "The same line takes a move back. Two moves that are played in either order lead to the same key: is that good"
        " for a table of positions, or bad? And what else must be in the key, if it should depend on whose turn it is?",
        cases=moves,
        right=moved,
        hint=moved_hint,
        same=lambda got, want: got == want and type(got) is int,
        draw=random_move,
        wrongs=WRONG_KEYS,
    ),
)
