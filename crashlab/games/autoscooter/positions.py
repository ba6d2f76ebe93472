"""A position of Autoscooter: its parts, the public facts of a state, and its errors.

A position is one line, for example

    round 2; cars 1:21E2 2:34NW1 5:23SE2; chits A20 B18 C20 D20; box 2; used 1 2 5; plots 17 FLF, #2 ?

where `1:21E2` is car 1 on hex (2, 1), facing E at speed 2, and `#2 ?` a hidden plot. As JSON, where
everything but the cars is optional:

    {"round": 2, "cars": {"1": {"hex": [2, 1], "facing": "E", "speed": 2}, "2": "34NW1", "5": "23SE2"},
     "chits": {"B": 18}, "box": 2, "plots": {"1": "17 FLF", "2": "?"}}

Instead of `used` a car may have `"unused": [16, 17, ...]`; by default it still has the last numbers of its column.
By default, the chits are those of the start, and the box has the missing ones. A position must be possible: one car a
hex, speed 0 for a car without a driver, all chits present, and an unused number for every round to be played.
"""

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from crashlab.base.errors import CrashlabError, require, short_repr, truncate
from crashlab.engine import value_codecs
from crashlab.engine.notation import SEATS, as_list, some, together, whole
from crashlab.engine.position import Column, Part, StateFacts, read, single, table_of
from crashlab.engine.table import NOWHERE, Table
from crashlab.engine.value_codecs import seat, truth
from crashlab.games.autoscooter import notation as w
from crashlab.games.autoscooter import state as t
from crashlab.games.autoscooter.state import Autoscooter
from crashlab.games.boards.hexes import DIRECTIONS

# The parts of a position


class Unused(Column):
    """AS-L2: a column for the unused numbers of a car; it is parsed but not written: `used` is written."""

    def is_left_out(self, table: Table, thing: int) -> bool:
        return True

    def put(self, table: Any, thing: int, entry: object, where: str) -> None:
        """Mark all numbers of the car as used, except those in `entry`."""
        require(table.driver[thing] != t.NOBODY, f"{where}: the car has no driver, so it has no numbers (AS-S3)")
        all_numbers = t.numbers(table, thing)
        numbers = [whole(number, where) for number in as_list(entry, f"{where}: give a list of numbers")]
        for number in numbers:
            require(
                number in all_numbers and numbers.count(number) == 1,
                f"{where}: choose from {some(all_numbers)}, each at most once (AS-L1), not {number}",
            )
        super().put(table, thing, [number not in numbers for number in all_numbers], where)


def used_by_default(table: Autoscooter) -> list[int]:
    """AS-S2: return the used numbers; for a car without any, add the first of its column, one for each past round."""
    crossed = t.used(table)
    for car in range(t.CARS):
        numbers = t.numbers(table, car)
        if table.asked[car] != NOWHERE and not set(numbers) & set(crossed):
            crossed = sorted([*crossed, *numbers[: table.round[0] - 1]])
    return crossed


def put_used(table: Autoscooter, entry: object) -> None:
    """Parse the used numbers and mark them as used; refuse numbers of no car with a driver on the board."""
    crossed = sorted(whole(number, "used") for number in as_list(entry, "used: give a list of numbers"))
    for car in range(t.CARS):
        for row, number in enumerate(t.numbers(table, car)):
            if table.asked[car] != NOWHERE and number in crossed:
                table.used[t.ROUNDS * car + row] = 1
    if crossed != t.used(table):
        raise CrashlabError(
            f"used: give numbers that these cars have, each once (AS-L2), not {truncate(some(crossed))}"
        )


def missing_chits(table: Autoscooter) -> int:
    """Return the number of chits that no seat has."""
    return max(table.players[0] * t.PURSES[table.players[0]] - sum(table.chits), 0)


def planned(table: Autoscooter) -> list[int]:
    """Return the cars with a plot."""
    return [car for car, plot in enumerate(table.plot) if plot != t.UNPLANNED]


def plots_line(table: Autoscooter) -> str:
    """Write the plots, such as "17 FLF, #2 ?", where a visible plot names its car by its number (AS-M4)."""
    plots = ((car, w.plot_words(table, table.plot[car])) for car in planned(table))
    return ", ".join(f"#{car + 1} {plot}" if plot in ("-", "?") else plot for car, plot in plots)


def of_car(table: Autoscooter, plot: str) -> tuple[str, str]:
    """Split a plot in a line, `17 FLF` or `#2 ?`, into the number of its car and the plot."""
    named = re.fullmatch(r"#([0-9])\s*(.*)", plot)
    if named:
        return named[1], named[2]
    number = read(w.WRITTEN, table, plot, "plots") // t.CODES
    for car in range(t.CARS):
        if number in t.numbers(table, car):
            return str(car + 1), plot
    raise CrashlabError(f"plots: {short_repr(plot)} is not a plot; the numbers on the log sheet are 1 to 88 (AS-L1)")


def count_passes(table: Autoscooter) -> None:
    """AS-R1: set the current pass: the last pass with a plot, plus one."""
    for car in planned(table):
        require(table.asked[car] != NOWHERE, f"plots: car {car + 1} has no driver or is not on the board")
    table.asking[0] = 1 + max((table.asked[car] for car in planned(table)), default=-1)


PARTS: tuple[Part[Autoscooter], ...] = (
    single(
        "round",
        "the number of the round, 1 to 11; 12 when the game is over",
        "round",
        value_codecs.counted("round"),
        1,
        always=True,
    ),
    table_of(
        "cars",
        "the cars on the board, each with its hex, facing and speed",
        w.CAR,
        (
            Column("hex", "cell", replace(w.HEX, format=lambda table, cell: "{}{}".format(*t.HEXES[cell]))),
            Column("facing", "facing", w.DIRECTION),
            Column("speed", "speed", w.SPEED, 0, in_json=True, in_line=True),
            Unused("unused", "used", truth("used"), 0, first=lambda car: t.ROUNDS * car, many=t.ROUNDS),
        ),
        "21E2",
        t.present,
        comma=" ",
        colon=":",
        pattern="(?P<hex>[0-9]{2})(?P<facing>[A-Z]{1,2})(?P<speed>[0-9])",
        default=None,
        always=True,
        then=t.ask_in_turn,
    ),
    table_of(
        "chits",
        "the chits of each seat",
        seat(),
        Column("", "chits", w.CHITS),
        "A20",
        lambda table: range(table.players[0]),
        comma=" ",
        colon="",
        always=True,
    ),
    single("box", "the chits in the box; by default those no seat has", "box", w.CHITS, missing_chits, always=True),
    Part(
        "used",
        "the crossed-out numbers; by default the first ones of each column",
        t.used,
        put_used,
        used_by_default,
        lambda table: " ".join(map(str, t.used(table))) or "none",
        lambda rest: [] if rest == "none" else rest.split(),
        always=True,
    ),
    replace(
        table_of(
            "plots",
            "the plots of this round, by car; in each pass every seat plans one car",
            w.CAR,
            Column("", "plot", w.WRITTEN),
            "17 FLF",
            planned,
            split=of_car,
            then=count_passes,
        ),
        line=plots_line,
    ),
)


# Public facts


@dataclass(frozen=True)
class Car:
    """The public facts of a car; `number` counts from 1, and `driver` is the index of a seat or None."""

    number: int
    hex: tuple[int, int]
    facing: str
    speed: int
    driver: int | None
    unused: tuple[int, ...]


class Facts(StateFacts[Autoscooter]):
    """The public facts of a state: `state.cars`, `state.box`."""

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
        """The plots of this round whose cars have not moved, by the numbers of the cars; `?` for a hidden plot."""
        table = self._table
        return {car + 1: w.plot_words(table, table.plot[car]) for car in planned(table)}


# Errors


def problems(table: Autoscooter) -> list[str]:
    """Return the errors of this table as sentences. A table reached in a game never has any."""
    wrong = []
    seats = range(table.players[0])
    total = table.players[0] * t.PURSES[table.players[0]]
    chits = sum(table.chits) + table.box[0]
    if chits != total:
        wrong.append(f"chits and box add up to {chits}, but the game has {total} chits")
    if any(table.chits[seat] for seat in range(t.CARS) if seat not in seats):
        wrong.append("only seats that play can have chits")
    for cell in sorted({table.cell[car] for car in t.present(table)}):
        here = [str(car + 1) for car in t.present(table) if table.cell[car] == cell]
        if len(here) > 1:
            wrong.append(f"cars {together(here)} stand on hex {w.place_name(cell)}, but a hex holds one car (AS-B1)")
    for car in t.present(table):
        if table.driver[car] == t.NOBODY and table.speed[car]:
            wrong.append(f"car {car + 1} has no driver, so its speed must be 0 (AS-S3)")
    if not any(table.driver[car] != t.NOBODY for car in t.present(table)):
        wrong.append("there must be at least one car with a driver on the board")
    return wrong


def stuck(table: Autoscooter) -> list[str]:
    """AS-L2, AS-R1: return the errors of the unused numbers and the plots, as sentences."""
    rounds, passes = t.ROUNDS + 1 - table.round[0], table.asking[0]
    wrong = [
        f"car {car + 1} has too few unused numbers, {len(t.unused(table, car))}, for the {rounds} rounds left (AS-L2)"
        for car in range(t.CARS)
        if table.asked[car] != NOWHERE and len(t.unused(table, car)) < rounds
    ]
    plots = {car: table.plot[car] for car in planned(table)}
    reasons = [w.plot_refusal(table, car, plot) for car, plot in plots.items() if plot != t.HIDDEN]
    lacking = [car + 1 for car in range(t.CARS) if NOWHERE < table.asked[car] < passes and car not in plots]
    if lacking:
        reasons.append(f"each seat plans one car in every pass (AS-R1), but these cars have no plot: {some(lacking)}")
    if passes > max(table.asked):
        reasons.append("all cars are planned, so there is no decision: leave out the plots of the last pass")
    return wrong + [f"plots: {reason}" for reason in reasons if reason]
