"""Positions of Autoscooter as text, as JSON, and back.

A position is one line, for example

    round 2; cars 1:21E2 2:34NW1 5:23SE2; chits A20 B18 C20 D20; box 2; used 1 2 5; plots 17 FLF, #2 ?

where `1:21E2` is car 1 on hex (2, 1), facing E at speed 2, and `#2 ?` a plot that the onlooker may not see. The same
as JSON; everything but the cars may be left out:

    {"round": 2, "cars": {"1": {"hex": [2, 1], "facing": "E", "speed": 2}, "2": "34NW1", "5": "23SE2"},
     "chits": {"B": 18}, "box": 2, "plots": {"1": "17 FLF", "2": "?"}}

A car may also have `"unused": [16, 17, ...]`; by default it still has the last numbers of its column. Chits are by
default those of the start, and the box takes what is missing. A position must be possible: one car a hex, no car
without driver at speed, nothing lost of the chits, and as many unused numbers as rounds are left.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from crashlab.boards.hexes import DIRECTIONS
from crashlab.errors import CrashlabError, shown, told
from crashlab.games.autoscooter import table as t
from crashlab.games.autoscooter.refusals import refusal
from crashlab.games.autoscooter.table import Autoscooter
from crashlab.games.autoscooter.words import KEYS, SEATS, plot_text, read_action, seat_name
from crashlab.happen import NOWHERE
from crashlab.notation import (
    as_list,
    check_keys,
    chosen,
    fields,
    named_values,
    pieces,
    read_seat,
    refuse,
    sections,
    some,
    unique,
    whole,
)
from crashlab.options import Value


def to_dict(table: Autoscooter) -> dict[str, Any]:
    """The position as plain JSON."""
    data: dict[str, Any] = {"round": table.round[0], "cars": {}}
    for car in range(t.CARS):
        if table.cell[car] != NOWHERE:
            entry = data["cars"][str(car + 1)] = {
                "hex": list(t.HEXES[table.cell[car]]),
                "facing": DIRECTIONS[table.facing[car]],
                "speed": table.speed[car],
            }
            if table.driver[car] != t.NOBODY:
                entry["unused"] = list(t.unused(table, car))
    data["chits"] = {SEATS[seat]: table.chits[seat] for seat in range(table.players[0])}
    data["box"] = table.box[0]
    data["plots"] = {str(car + 1): plot_text(table, car) for car in range(t.CARS) if table.plot[car] != t.UNPLANNED}
    if not data["plots"]:
        del data["plots"]
    return data


def write(table: Autoscooter) -> str:
    """The position as one line."""
    data = to_dict(table)
    cars = " ".join(
        f"{car}:{entry['hex'][0]}{entry['hex'][1]}{entry['facing']}{entry['speed']}"
        for car, entry in data["cars"].items()
    )
    chits = " ".join(f"{seat}{count}" for seat, count in data["chits"].items())
    crossed = " ".join(map(str, t.used(table))) or "none"
    line = f"round {data['round']}; cars {cars}; chits {chits}; box {data['box']}; used {crossed}"
    plots = ", ".join(f"#{car} {plot}" if plot in ("-", "?") else plot for car, plot in data.get("plots", {}).items())
    return f"{line}; plots {plots}" if plots else line


def read(options: Mapping[str, Value], line: str) -> Autoscooter:
    """The table of a position in one line; refused with the reason if it is malformed or impossible."""
    data = {key: read_section(options, key, rest) for key, rest in sections(line, KEYS).items()}
    return from_dict(options, data)


def read_section(options: Mapping[str, Value], key: str, rest: str) -> object:
    """One part of a position's line, as it would stand in JSON."""
    if key in ("round", "box"):
        return whole(rest, key)
    if key == "used":
        return [] if rest == "none" else [whole(word, "used") for word in rest.split()]
    if key == "cars":
        pairs = (word.partition(":") for word in rest.split())
        return unique("cars", [(car, spot) for car, _, spot in pairs])
    if key == "chits":
        return unique("chits", [(word[:1], whole(word[1:], f"the chits of {word[:1]}")) for word in rest.split()])
    plots: list[tuple[str, object]] = []
    for plot in pieces(rest, ","):
        named = re.fullmatch(r"#([0-9])\s*(.*)", plot)
        plots.append((named[1], named[2]) if named else (str(car_of(options, plot) + 1), plot))
    return unique("plots", plots)


def car_of(options: Mapping[str, Value], plot: str) -> int:
    """The car that a plot's number names (AS-M4)."""
    number = read_action(t.empty(options), 0, plot) // t.CODES
    for car in range(t.CARS):
        if number in t.numbers(t.empty(options), car):
            return car
    raise CrashlabError(f"{shown(plot)}: the numbers on the log sheet are 1 to 88 (AS-L1)")


def from_dict(options: Mapping[str, Value], data: Mapping[str, Any]) -> Autoscooter:
    """The table of a position in JSON; refused with the reason if it is malformed or impossible."""
    check_keys(data, KEYS)
    cars, plots = named_values(data, "cars"), named_values(data, "plots")
    if not cars:
        raise CrashlabError('position: at least one car is needed, as in {"cars": {"1": "21E2"}}')
    table = t.empty(options)
    table.round[0] = whole(data.get("round", 1), "round")
    if not 1 <= table.round[0] <= t.ROUNDS + 1:
        raise CrashlabError(
            f"round: {table.round[0]} is not a round; 1 to {t.ROUNDS}, or {t.ROUNDS + 1} when it is over"
        )
    for name in sorted(cars, key=told):
        place_car(table, name, cars[name])
    fill_purses(table, data)
    crossed = used_numbers(data["used"]) if "used" in data else None
    for car in range(t.CARS):
        if table.asked[car] != NOWHERE:
            cross_out(table, car, unused_wanted(table, car, cars, crossed))
    if crossed not in (None, t.used(table)):
        raise CrashlabError(f"used: {some(crossed)} are not the numbers that these cars have used (AS-L2)")
    refuse(t.problems(table))
    for name, plot in plots.items():
        place_plot(table, name, plot)
    settle_pass(table)
    return table


def car_number(name: object) -> int:
    """The car (from 0) that a person calls 1 to 8."""
    if told(name) not in tuple("12345678"):
        raise CrashlabError(f"car {shown(name)}: cars are 1 to 8")
    return int(told(name)) - 1


def place_car(table: Autoscooter, name: object, entry: object) -> None:
    """Stand one car on the board, from JSON or from `21E2`."""
    car = car_number(name)
    if isinstance(entry, str):
        found = re.fullmatch(r"([0-9])([0-9])(E|NE|NW|W|SW|SE)([0-9])", entry)
        if not found:
            raise CrashlabError(f"car {name}: cannot read {shown(entry)}; hex, facing and speed are written like 21E2")
        entry = {"hex": [int(found[1]), int(found[2])], "facing": found[3], "speed": int(found[4])}
    entry = fields(entry, ("hex", "facing", "speed", "unused"), f"car {name}", "21E2")
    place = entry.get("hex")
    spot = tuple(place) if isinstance(place, (list, tuple)) and all(type(part) is int for part in place) else ()
    if spot not in t.HEXES:
        raise CrashlabError(
            f"car {name}: there is no hex {shown(place)}; rows are 0 to 6, columns 0 to 4, and 5 in odd rows (AS-B2)"
        )
    facing = chosen(entry.get("facing"), DIRECTIONS, f"car {name}, facing")
    if table.cell[car] != NOWHERE:
        raise CrashlabError(f"cars: {name} stands twice")
    if "unused" in entry and table.driver[car] == t.NOBODY:
        raise CrashlabError(f"car {name}: nobody drives it, so it has no numbers (AS-S3)")
    speed = whole(entry.get("speed", 0), f"car {name}, speed")
    t.put(table, car, t.CELL[spot], facing, speed)


def fill_purses(table: Autoscooter, data: Mapping[str, Any]) -> None:
    """Chits as given, by default as at the start; the box by default takes what is missing."""
    players = table.players[0]
    purses = ((read_seat(name, players, "chits"), chits) for name, chits in named_values(data, "chits").items())
    for seat, chits in unique("chits", purses, seat_name).items():
        table.chits[seat] = whole(chits, f"chits of {seat_name(seat)}")
    missing = players * t.CHITS[players] - sum(table.chits)
    table.box[0] = whole(data["box"], "box") if "box" in data else max(missing, 0)


def used_numbers(entry: object) -> list[int]:
    """The numbers that a position calls used, in order."""
    return sorted(whole(number, "used") for number in as_list(entry, "used: a list of numbers is wanted"))


def unused_wanted(table: Autoscooter, car: int, cars: Mapping[Any, Any], crossed: list[int] | None) -> list[int]:
    """The numbers that the position leaves this car; by default its last ones in the order of the sheet (AS-S2)."""
    own = t.numbers(table, car)
    entry = cars[str(car + 1)] if str(car + 1) in cars else cars.get(car + 1)
    if isinstance(entry, Mapping) and "unused" in entry:
        where = f"car {car + 1}, unused"
        wanted = [whole(number, where) for number in as_list(entry["unused"], f"{where}: a list of numbers is wanted")]
    elif crossed is not None:
        wanted = [number for number in own if number not in crossed]
    else:
        wanted = list(own[table.round[0] - 1 :])
    for number in wanted:
        if number not in own or wanted.count(number) > 1:
            raise CrashlabError(f"car {car + 1}: its numbers are {some(own)}, each once (AS-L1), not {number}")
    if len(wanted) != t.ROUNDS + 1 - table.round[0]:
        raise CrashlabError(
            f"car {car + 1} has {len(wanted)} unused numbers, but in round {table.round[0]} it has"
            f" {t.ROUNDS + 1 - table.round[0]} (AS-L2)"
        )
    return wanted


def cross_out(table: Autoscooter, car: int, wanted: list[int]) -> None:
    """Mark all numbers of the car as used but these."""
    for row, number in enumerate(t.numbers(table, car)):
        table.used[t.ROUNDS * car + row] = int(number not in wanted)


def place_plot(table: Autoscooter, name: object, plot: object) -> None:
    """Write the plot of one car that stands in the position."""
    car = car_number(name)
    if table.asked[car] == NOWHERE:
        raise CrashlabError(f"plots: car {name} has no driver or is not on the board")
    if table.plot[car] != t.UNPLANNED:
        raise CrashlabError(f"plots: car {name} stands twice")
    if plot == "?":
        table.plot[car] = t.HIDDEN
        return
    table.asking[0] = table.asked[car]  # so that `refusal` judges this car
    action = read_action(table, table.driver[car], plot)
    if reason := refusal(table, table.driver[car], action):
        raise CrashlabError(f"plots: {reason}")
    table.plot[car] = action


def settle_pass(table: Autoscooter) -> None:
    """AS-R1: plots are written in passes, so the cars that have one are those of the first passes."""
    planned = [car for car in range(t.CARS) if table.plot[car] != t.UNPLANNED]
    table.asking[0] = passes = 1 + max((table.asked[car] for car in planned), default=-1)
    wanted = [car for car in range(t.CARS) if NOWHERE < table.asked[car] < passes]
    if planned != wanted:
        lacking = some(car + 1 for car in wanted if car not in planned)
        raise CrashlabError(f"plots: all seats plan one car each in every pass (AS-R1); missing are cars {lacking}")
    if passes > max(table.asked):
        raise CrashlabError("plots: every car is planned; leave the last pass open, so that somebody can decide")
    if planned and table.round[0] > t.ROUNDS:
        raise CrashlabError("plots: the game is over")
