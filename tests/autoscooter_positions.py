"""Autoscooter positions in few words: how tests write them, play a round, and look into it move by move."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import crashlab

FACINGS = ("E", "NE", "NW", "W", "SW", "SE")
CRASH_CASES = ("AS-C1", "AS-C2", "AS-C3", "AS-C4", "AS-C5")


def round_with_crashes(game: crashlab.Game) -> crashlab.Turn:
    """The tenth round of a game for four: there are crashes and payments in it."""
    state, rng = game.start(7), crashlab.Random(3)
    for _ in range(9):
        state = state.sample(rng).after
    return state.sample(rng)


def early(car: int) -> int:
    """The car's number in the first row of the log sheet: it moves before every late one."""
    return car


def late(car: int) -> int:
    """The car's number in the last row of the log sheet."""
    return 80 + car


def car_from(words: str) -> dict[str, Any]:
    """`(2,1) E s2` as plain data."""
    row, column, facing, speed = re.fullmatch(r"\((\d),(\d)\) ([NSEW]+) s(\d)", words).groups()
    return {"hex": [int(row), int(column)], "facing": facing, "speed": int(speed)}


def show(car: Any) -> str:
    """A car of a state in the same words."""
    return f"({car.hex[0]},{car.hex[1]}) {car.facing} s{car.speed}"


def read(cars: Mapping[int, str], more: Mapping[str, Any] | None = None, **options: Any) -> Any:
    """The state with these cars on the board; `more` is other plain data of the position, such as chits."""
    plain = {str(car): car_from(words) for car, words in cars.items()}
    return crashlab.game("autoscooter", **options).read({"cars": plain, **(more or {})})


def drivers(state: Any) -> dict[int, list[int]]:
    """The cars on the board that each seat drives, in the order in which it is asked for their plots."""
    seats = range(len(state.scores))
    return {seat: [car for car in sorted(state.cars) if state.cars[car].driver == seat] for seat in seats}


def play_round(state: Any, plots: Mapping[int, str]) -> Any:
    """The turn that resolves the round; a car that has no plot here gets nothing written."""
    waiting = drivers(state)
    while any(waiting.values()):
        turn = state.play({seat: plots.get(waiting[seat].pop(0), "-") for seat in state.actors})
        state = turn.after
    return turn


def starts(turn: Any) -> list[Any]:
    """The first event of each car's own move: its plot is taken up."""
    return [event for event in turn.events if event.field == "plot" and event.rule == "AS-R2"]


def movers(turn: Any) -> list[int]:
    """The cars in the order in which they moved."""
    return [event.index + 1 for event in starts(turn)]


def own_move(turn: Any, car: int) -> list[Any]:
    """The events from the start of this car's own move to the start of the next one's."""
    begins = starts(turn)
    place = movers(turn).index(car)
    first = begins[place].number
    stop = begins[place + 1].number if begins[place + 1 :] else len(turn.events) + first
    return [event for event in turn.events if first <= event.number < stop]


def moment_after(turn: Any, car: int) -> Any:
    """The state when this car's own move is over and the next one has not begun."""
    following = starts(turn)[movers(turn).index(car) + 1 :]
    return turn.at(following[0].beat - 1) if following else turn.after


def told(events: Any) -> list[tuple[str, int, int, int, int]]:
    """Each crash as rule, rammer, hit car (0 is the barrier) and the two speeds."""
    notes = [event for event in events if event.field is None and event.rule in CRASH_CASES]
    return [(note.rule, *(note.numbers[name] for name in ("rammer", "hit", "v", "w"))) for note in notes]


def cited(events: Any) -> set[str]:
    """The rules that the events name."""
    return {event.rule for event in events}
