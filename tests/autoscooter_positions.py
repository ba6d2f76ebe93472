"""Build Autoscooter positions from a few words, play a round and pick out the parts of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import crashlab

FACINGS = ("E", "NE", "NW", "W", "SW", "SE")
CRASH_CASES = ("AS-C1", "AS-C2", "AS-C3", "AS-C4", "AS-C5")


def round_with_crashes(game: crashlab.Game) -> crashlab.Turn:
    """Return the tenth round of a game for four, which has crashes and payments."""
    state, rng = game.start(7), crashlab.Random(3)
    for _ in range(9):
        state = state.sample(rng).after
    return state.sample(rng)


def early(car: int) -> int:
    """Return the car's number in the first row of the log sheet; it moves before every late one."""
    return car


def late(car: int) -> int:
    """Return the car's number in the last row of the log sheet."""
    return 80 + car


def car_from(words: str) -> dict[str, Any]:
    """Parse `(2,1) E s2` into plain data."""
    row, column, facing, speed = re.fullmatch(r"\((\d),(\d)\) ([NSEW]+) s(\d)", words).groups()
    return {"hex": [int(row), int(column)], "facing": facing, "speed": int(speed)}


def show(car: Any) -> str:
    """Describe a car of a state as `car_from` reads it."""
    return f"({car.hex[0]},{car.hex[1]}) {car.facing} s{car.speed}"


def read(cars: Mapping[int, str], more: Mapping[str, Any] | None = None, **options: Any) -> Any:
    """Return the state with these cars on the board; `more` is further plain data of the position, such as chits."""
    plain = {str(car): car_from(words) for car, words in cars.items()}
    return crashlab.game("autoscooter", **options).read({"cars": plain, **(more or {})})


def drivers(state: Any) -> dict[int, list[int]]:
    """Return the cars on the board that each seat drives, in the order in which their plots are asked for."""
    seats = range(len(state.scores))
    return {seat: [car for car in sorted(state.cars) if state.cars[car].driver == seat] for seat in seats}


def play_round(state: Any, plots: Mapping[int, str]) -> Any:
    """Return the turn that resolves the round; a car without a plot here gets an empty one."""
    waiting = drivers(state)
    while any(waiting.values()):
        turn = state.play({seat: plots.get(waiting[seat].pop(0), "-") for seat in state.actors})
        state = turn.after
    return turn


def starts(turn: Any) -> list[Any]:
    """Return the first event of each car's own move, in which its plot is taken up."""
    return [event for event in turn.events if event.field == "plot" and event.rule == "AS-R2"]


def movers(turn: Any) -> list[int]:
    """Return the cars in the order in which they moved."""
    return [event.index + 1 for event in starts(turn)]


def own_move(turn: Any, car: int) -> list[Any]:
    """Return the events from the start of this car's own move to the start of the next car's."""
    begins = starts(turn)
    place = movers(turn).index(car)
    first = begins[place].number
    stop = begins[place + 1].number if begins[place + 1 :] else len(turn.events) + first
    return [event for event in turn.events if first <= event.number < stop]


def moment_after(turn: Any, car: int) -> Any:
    """Return the state after this car's own move, before the next one starts."""
    following = starts(turn)[movers(turn).index(car) + 1 :]
    return turn.at(following[0].beat - 1) if following else turn.after


def crashes_in(events: Any) -> list[tuple[str, int, int, int, int]]:
    """Return each crash as rule, rammer, hit car (0 is the barrier) and the two speeds."""
    notes = [event for event in events if event.field is None and event.rule in CRASH_CASES]
    return [(note.rule, *(note.numbers[name] for name in ("rammer", "hit", "v", "w"))) for note in notes]


def cited(events: Any) -> set[str]:
    return {event.rule for event in events}
