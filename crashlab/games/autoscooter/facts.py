"""What a state of Autoscooter tells by name."""

from __future__ import annotations

from dataclasses import dataclass

from crashlab.boards.hexes import DIRECTIONS
from crashlab.games.autoscooter import table as t
from crashlab.games.autoscooter.table import Autoscooter
from crashlab.happen import NOWHERE

# Positions


@dataclass(frozen=True)
class Car:
    """A car as a person sees it; `driver` is a seat or None."""

    number: int
    hex: tuple[int, int]
    facing: str
    speed: int
    driver: int | None
    unused: tuple[int, ...]


def facts(table: Autoscooter) -> dict[str, object]:
    """What a state tells by name: `state.cars`, `state.round`, `state.box`."""
    cars = {
        car + 1: Car(
            car + 1,
            t.HEXES[table.cell[car]],
            DIRECTIONS[table.facing[car]],
            table.speed[car],
            table.driver[car] if table.driver[car] != t.NOBODY else None,
            t.unused(table, car),
        )
        for car in range(t.CARS)
        if table.cell[car] != NOWHERE
    }
    return {"cars": cars, "round": table.round[0], "box": table.box[0]}
