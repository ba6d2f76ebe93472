"""What a state of CrashCity tells by name."""

from __future__ import annotations

from dataclasses import dataclass

from crashlab.boards.streets import DIRECTIONS, letters
from crashlab.games.crash_city import rules
from crashlab.games.crash_city import table as t
from crashlab.games.crash_city.table import CrashCity
from crashlab.games.crash_city.words import PHASES, car_name, place, seat_name, standing
from crashlab.happen import NOWHERE

# What a state tells by name


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


def facts(table: CrashCity) -> dict[str, object]:
    """What a state tells by name: `state.tiles`, `state.cars`, `state.streets`, `state.stock`, `state.turn`, ..."""
    seats = range(table.players[0])
    hit = table.hit[0]
    return {
        "tiles": {place(table, tile): tile_facts(table, tile) for tile in range(table.laid[0])},
        "cars": {car_name(car): car_facts(table, car) for car in range(t.CARS) if table.where[car] != NOWHERE},
        "streets": t.city(table),
        "parked": {seat_name(seat): rules.score(table, seat) for seat in seats},
        "stock": {seat_name(seat): stock_facts(table, seat) for seat in seats},
        "unrevealed": {name: t.unrevealed(table, kind) for kind, name in enumerate(t.KIND_NAMES)},
        "phase": PHASES[table.phase[0]],
        "turn": table.turn[0],
        "passes": table.passes[0],
        "whose_turn": seat_name(table.asked[0]),
        "hit": car_name(hit) if hit != NOWHERE else None,
        "push": DIRECTIONS[table.push[0]] if hit != NOWHERE else None,
    }


def tile_facts(table: CrashCity, tile: int) -> Tile:
    """A tile as a person sees it."""
    kind, building, owner = table.kind[tile], table.building[tile], table.owner[tile]
    parked = standing(table, t.ROOF + tile)
    return Tile(
        letters(table.street[tile]) or None,
        t.KIND_NAMES[kind] if kind != NOWHERE else None,
        t.BUILDING_NAMES[building] if building != NOWHERE else None,
        seat_name(owner) if owner != NOWHERE else None,
        car_name(parked[0]) if parked else None,
    )


def car_facts(table: CrashCity, car: int) -> Car:
    """A car as a person sees it."""
    where, owner = table.where[car], seat_name(car // t.OWN)
    if where >= t.ROOF:
        return Car(owner, None, None, place(table, where - t.ROOF))
    return Car(owner, (*place(table, where // 4), DIRECTIONS[where % 4]), DIRECTIONS[table.facing[car]], None)


def stock_facts(table: CrashCity, seat: int) -> dict[str, int]:
    """What a seat has not built yet."""
    return dict(zip(t.BUILDING_NAMES, table.stock[3 * seat : 3 * seat + 3], strict=True))
