"""What a state of CrashCity tells by name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from crashlab.engine.position import Told
from crashlab.engine.table import NOWHERE
from crashlab.engine.words import seat_name
from crashlab.games.boards.streets import DIRECTIONS, Streets, letters
from crashlab.games.crash_city import rules
from crashlab.games.crash_city import table as t
from crashlab.games.crash_city.table import CrashCity


@dataclass(frozen=True)
class Tile:
    """A tile as a person sees it; `lanes` and `kind` are None before they are known, `parked` is a car's name."""

    lanes: str | None
    kind: str | None
    building: str | None
    owner: str | None
    parked: str | None


@dataclass(frozen=True)
class Car:
    """A car as a person sees it: on a `lane` (x, y, side), the side a letter, or `parked` at (x, y)."""

    owner: str
    lane: tuple[int, int, str] | None
    facing: str | None
    parked: tuple[int, int] | None


class Facts(Told[CrashCity]):
    """What a state tells by name: `state.tiles`, `state.cars`, `state.streets`, ..."""

    phase: str
    turn: int
    passes: int
    hit: str | None
    push: str | None

    @cached_property
    def tiles(self) -> dict[tuple[int, int], Tile]:
        """The tiles by their places, in the order in which they were laid; the square is the first one."""
        return {t.place(self._table, tile): tile_facts(self._table, tile) for tile in range(self._table.laid[0])}

    @cached_property
    def cars(self) -> dict[str, Car]:
        """The cars on the table by their names."""
        cars = [car for car in range(t.CARS) if self._table.where[car] != NOWHERE]
        return {t.car_name(car): car_facts(self._table, car) for car in cars}

    @cached_property
    def streets(self) -> Streets:
        """The streets: what lanes there are, and how they are connected."""
        return t.city(self._table)

    @cached_property
    def parked(self) -> dict[str, int]:
        """How many cars each seat has parked."""
        return {seat_name(seat): rules.score(self._table, seat) for seat in range(self._table.players[0])}

    @cached_property
    def stock(self) -> dict[str, dict[str, int]]:
        """How many buildings of each kind each seat has not built yet."""
        return {seat_name(seat): stock_facts(self._table, seat) for seat in range(self._table.players[0])}

    @cached_property
    def unrevealed(self) -> dict[str, int]:
        """How many tiles of each kind nobody has seen yet."""
        return {name: t.unrevealed(self._table, kind) for kind, name in enumerate(t.KIND_NAMES)}

    @cached_property
    def whose_turn(self) -> str:
        """The seat whose turn it is."""
        return seat_name(self._table.asked[0])


def tile_facts(table: CrashCity, tile: int) -> Tile:
    """A tile as a person sees it."""
    kind, building, owner = table.kind[tile], table.building[tile], table.owner[tile]
    parked = t.standing(table, t.ROOF + tile)
    return Tile(
        letters(table.street[tile]) or None,
        t.KIND_NAMES[kind] if kind != NOWHERE else None,
        t.BUILDING_NAMES[building] if building != NOWHERE else None,
        seat_name(owner) if owner != NOWHERE else None,
        t.car_name(parked[0]) if parked else None,
    )


def car_facts(table: CrashCity, car: int) -> Car:
    """A car as a person sees it."""
    where = table.where[car]
    owner = seat_name(car // t.OWN)
    if where >= t.ROOF:
        return Car(owner, None, None, t.place(table, where - t.ROOF))
    return Car(owner, (*t.place(table, where // 4), DIRECTIONS[where % 4]), DIRECTIONS[table.facing[car]], None)


def stock_facts(table: CrashCity, seat: int) -> dict[str, int]:
    """What a seat has not built yet."""
    return dict(zip(t.BUILDING_NAMES, table.stock[3 * seat : 3 * seat + 3], strict=True))
