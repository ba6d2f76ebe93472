"""Positions of Autoscooter as text, as JSON, and back.

A position is one line, for example

    round 2; cars 1:21E2 2:34NW1 5:23SE2; chits A20 B18 C20 D20; box 2; used 1 2 5; plots 17 FLF, #2 ?

where `1:21E2` is car 1 on hex (2, 1), facing E at speed 2, and `#2 ?` a plot that the onlooker may not see. The same
as JSON; everything but the cars may be left out:

    {"round": 2, "cars": {"1": {"hex": [2, 1], "facing": "E", "speed": 2}, "2": "34NW1", "5": "23SE2"},
     "chits": {"B": 18}, "box": 2, "plots": {"1": "17 FLF", "2": "?"}}

Instead of `used` a car may have `"unused": [16, 17, ...]`; by default it still has the last numbers of its column.
Chits are by default those of the start, and the box takes what is missing. A position must be possible: one car a hex,
no car without driver at speed, nothing lost of the chits, and as many unused numbers as rounds are left.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from crashlab.base.errors import CrashlabError, cut, shown
from crashlab.engine.notation import SEATS, about, as_list, fields, mapping, pieces, read_seat, some, unique, whole
from crashlab.engine.position import Part, single
from crashlab.engine.table import NOWHERE
from crashlab.engine.words import counted
from crashlab.games.autoscooter import table as t
from crashlab.games.autoscooter import words as w
from crashlab.games.autoscooter.refusals import plot_refusal
from crashlab.games.autoscooter.table import Autoscooter
from crashlab.games.boards.hexes import DIRECTIONS

# Cars


def cars_told(table: Autoscooter) -> dict[str, Any]:
    """Every car on the board."""
    return {
        str(car + 1): {
            "hex": w.HEX.tell(table, table.cell[car]),
            "facing": DIRECTIONS[table.facing[car]],
            "speed": table.speed[car],
        }
        for car in range(t.CARS)
        if table.cell[car] != NOWHERE
    }


def cars_line(cars: Mapping[str, Any]) -> str:
    """1:21E2 2:34NW1."""
    return " ".join(
        f"{car}:{entry['hex'][0]}{entry['hex'][1]}{entry['facing']}{entry['speed']}" for car, entry in cars.items()
    )


def read_cars_line(rest: str) -> dict[str, str]:
    """The cars of a line."""
    pairs = (word.partition(":") for word in rest.split())
    return unique("cars", [(car, spot) for car, _, spot in pairs])


def put_cars(table: Autoscooter, entry: object) -> None:
    """Stand the cars on the board, in the order of their numbers (AS-R1)."""
    named = [(w.car_number(name), place) for name, place in mapping(entry, "cars").items()]
    cars = unique("cars", named, lambda car: car + 1)
    for car in sorted(cars):
        place_car(table, car, cars[car])


def place_car(table: Autoscooter, car: int, entry: object) -> None:
    """Stand one car on the board, from JSON or from `21E2`."""
    where = f"car {car + 1}"
    if isinstance(entry, str):
        found = re.fullmatch(r"([0-9])([0-9])(E|NE|NW|W|SW|SE)([0-9])", entry)
        if not found:
            raise CrashlabError(f"{where}: cannot read {shown(entry)}; hex, facing and speed are written like 21E2")
        entry = {"hex": [int(found[1]), int(found[2])], "facing": found[3], "speed": int(found[4])}
    entry = fields(entry, ("hex", "facing", "speed", "unused"), where, "21E2")
    with about(where):
        cell = w.HEX.read(table, entry.get("hex"))
        facing = w.DIRECTION.read(table, entry.get("facing"))
        speed = whole(entry.get("speed", 0), "speed")
        t.put(table, car, cell, facing, speed)
        if "unused" in entry:
            cross_out_all_but(table, car, entry["unused"])


def cross_out_all_but(table: Autoscooter, car: int, entry: object) -> None:
    """AS-L2: a car has used all its numbers but these."""
    if table.driver[car] == t.NOBODY:
        raise CrashlabError("nobody drives it, so it has no numbers (AS-S3)")
    own = t.numbers(table, car)
    wanted = [whole(number, "unused") for number in as_list(entry, "unused: a list of numbers is wanted")]
    for number in wanted:
        if number not in own or wanted.count(number) > 1:
            raise CrashlabError(f"its numbers are {some(own)}, each once (AS-L1), not {number}")
    for row, number in enumerate(own):
        table.used[t.ROUNDS * car + row] = int(number not in wanted)


# Numbers that are used


def used_by_default(table: Autoscooter) -> list[int]:
    """AS-S2: a car of which nothing is said has used the first numbers of its column."""
    crossed = t.used(table)
    for car in range(t.CARS):
        own = t.numbers(table, car)
        if table.asked[car] != NOWHERE and not set(own) & set(crossed):
            crossed = sorted([*crossed, *own[: table.round[0] - 1]])
    return crossed


def put_used(table: Autoscooter, entry: object) -> None:
    """Cross out the numbers that were used."""
    crossed = sorted(whole(number, "used") for number in as_list(entry, "used: a list of numbers is wanted"))
    for car in range(t.CARS):
        for row, number in enumerate(t.numbers(table, car)):
            if table.asked[car] != NOWHERE and number in crossed:
                table.used[t.ROUNDS * car + row] = 1
    if crossed != t.used(table):
        raise CrashlabError(f"used: {cut(some(crossed))} are not the numbers that these cars have used (AS-L2)")


# Chits


def chits_told(table: Autoscooter) -> dict[str, int]:
    """The chits of every seat."""
    return {SEATS[seat]: table.chits[seat] for seat in range(table.players[0])}


def put_chits(table: Autoscooter, entry: object) -> None:
    """The chits of some seats."""
    players = table.players[0]
    purses = ((read_seat(name, players, "chits"), chits) for name, chits in mapping(entry, "chits").items())
    for seat, chits in unique("chits", purses, SEATS.__getitem__).items():
        table.chits[seat] = whole(chits, f"chits of {SEATS[seat]}")


def read_chits_line(rest: str) -> dict[str, int]:
    """A20 B18."""
    return unique("chits", [(word[:1], whole(word[1:], f"the chits of {word[:1]}")) for word in rest.split()])


def missing_chits(table: Autoscooter) -> int:
    """What the purses lack of all chits."""
    return max(table.players[0] * t.CHITS[table.players[0]] - sum(table.chits), 0)


# Plots


def plots_told(table: Autoscooter) -> dict[str, str]:
    """The plots that are written."""
    return {str(car + 1): w.plot_words(table, plot) for car, plot in enumerate(table.plot) if plot != t.UNPLANNED}


def plots_line(plots: Mapping[str, str]) -> str:
    """17 FLF, #2 ?."""
    return ", ".join(f"#{car} {plot}" if plot in ("-", "?") else plot for car, plot in plots.items())


def read_plots_line(rest: str) -> list[str]:
    """The plots of a line; whose they are is told by their numbers (AS-M4)."""
    return pieces(rest, ",")


def put_plots(table: Autoscooter, entry: object) -> None:
    """Write the plots, by the cars' numbers or, as in a line, one after the other."""
    named = [of_car(table, plot) for plot in entry] if isinstance(entry, list) else mapping(entry, "plots").items()
    plots = unique("plots", [(w.car_number(name), plot) for name, plot in named], lambda car: f"car {car + 1}")
    for car, plot in plots.items():
        if table.asked[car] == NOWHERE:
            raise CrashlabError(f"plots: car {car + 1} has no driver or is not on the board")
        with about("plots"):
            table.plot[car] = t.HIDDEN if plot == "?" else w.read_plot(table, plot)
    table.asking[0] = 1 + max((table.asked[car] for car in plots), default=-1)


def of_car(table: Autoscooter, plot: str) -> tuple[str, str]:
    """A plot of a line with the car whose it is: `17 FLF`, or `#2 ?`."""
    named = re.fullmatch(r"#([0-9])\s*(.*)", plot)
    if named:
        return named[1], named[2]
    with about("plots"):
        number = w.read_plot(table, plot) // t.CODES
    for car in range(t.CARS):
        if number in t.numbers(table, car):
            return str(car + 1), plot
    raise CrashlabError(f"{shown(plot)}: the numbers on the log sheet are 1 to 88 (AS-L1)")


PARTS: tuple[Part[Autoscooter], ...] = (
    single("round", "which round it is, 1 to 11; 12 when the game is over", "round", counted("round"), 1, always=True),
    Part(
        "cars", "the cars on the board: hex, facing and speed of each", cars_told, put_cars, None, cars_line,
        read_cars_line, always=True,
    ),
    Part(
        "chits", "what is in the purses", chits_told, put_chits, chits_told, lambda chits: " ".join(
            f"{seat}{count}" for seat, count in chits.items()
        ), read_chits_line, always=True,
    ),
    single("box", "the chits in the box; by default what the purses lack", "box", w.CHITS, missing_chits, always=True),
    Part(
        "used", "the numbers that are crossed out; by default the first of each column", t.used, put_used,
        used_by_default, lambda used: " ".join(map(str, used)) or "none",
        lambda rest: [] if rest == "none" else [whole(word, "used") for word in rest.split()], always=True,
    ),
    Part(
        "plots", "what is planned, by the cars' numbers; all seats plan pass by pass", plots_told, put_plots,
        lambda table: {}, plots_line, read_plots_line,
    ),
)  # fmt: skip


# Positions that cannot be


def impossible(table: Autoscooter) -> list[str]:
    """Why nobody can have come here, or cannot go on; nothing, in a position of a game."""
    return [*wrong_numbers(table), *wrong_plots(table)]


def wrong_numbers(table: Autoscooter) -> list[str]:
    """AS-L2: a number of every car is used in every round."""
    left = t.ROUNDS + 1 - table.round[0]
    unused = {car: len(t.unused(table, car)) for car in range(t.CARS) if table.asked[car] != NOWHERE}
    return [
        f"car {car + 1} has {count} unused numbers, but in round {table.round[0]} it has {left} (AS-L2)"
        for car, count in unused.items()
        if count != left and 0 <= left <= t.ROUNDS
    ]


def wrong_plots(table: Autoscooter) -> list[str]:
    """AS-R1: plots are written in passes, so the cars that have one are those of the first passes."""
    planned = [car for car in range(t.CARS) if table.plot[car] != t.UNPLANNED]
    wrong = [plot_refusal(table, car, table.plot[car]) for car in planned if table.plot[car] != t.HIDDEN]
    passes = table.asking[0]
    wanted = [car for car in range(t.CARS) if NOWHERE < table.asked[car] < passes]
    if planned != wanted:
        lacking = some(car + 1 for car in wanted if car not in planned)
        wrong.append(f"all seats plan one car each in every pass (AS-R1); missing are cars {lacking}")
    if passes > max(table.asked):
        wrong.append("every car is planned; leave the last pass open, so that somebody can decide")
    if planned and table.round[0] > t.ROUNDS:
        wrong.append("the game is over, so nothing is planned")
    return [f"plots: {reason}" for reason in wrong if reason]
