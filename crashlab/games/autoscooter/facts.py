"""What a state of Autoscooter tells by name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from crashlab.engine.notation import SEATS
from crashlab.engine.position import Told
from crashlab.engine.table import NOWHERE
from crashlab.games.autoscooter import table as t
from crashlab.games.autoscooter.table import Autoscooter
from crashlab.games.autoscooter.words import plot_words
from crashlab.games.boards.hexes import DIRECTIONS


@dataclass(frozen=True)
class Car:
    """A car as a person sees it; `driver` is a seat or None."""

    number: int
    hex: tuple[int, int]
    facing: str
    speed: int
    driver: int | None
    unused: tuple[int, ...]


class Facts(Told[Autoscooter]):
    """What a state tells by name: `state.cars`, `state.box`."""

    round: int
    box: int

    @cached_property
    def cars(self) -> dict[int, Car]:
        """The cars on the board, by their numbers."""
        return {car + 1: self._car(car) for car in range(t.CARS) if self._table.cell[car] != NOWHERE}

    def _car(self, car: int) -> Car:
        table = self._table
        driver = table.driver[car] if table.driver[car] != t.NOBODY else None
        place, facing = t.HEXES[table.cell[car]], DIRECTIONS[table.facing[car]]
        return Car(car + 1, place, facing, table.speed[car], driver, t.unused(table, car))

    @cached_property
    def chits(self) -> dict[str, int]:
        """The chits of each seat, by its letter."""
        return {SEATS[seat]: self._table.chits[seat] for seat in range(self._table.players[0])}

    @cached_property
    def plots(self) -> dict[int, str]:
        """What is planned for this round and not driven yet, by the numbers of the cars; `?` is hidden."""
        table = self._table
        return {car + 1: plot_words(table, table.plot[car]) for car in range(t.CARS) if table.plot[car] != t.UNPLANNED}
