"""Autoscooter in words: names of things, and plots as text and back.

A plot is `17 FLF`, `17 P` or `-`.

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
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from crashlab.base import errors
from crashlab.base.errors import CrashlabError, cut, shown, told
from crashlab.engine import value_codecs
from crashlab.engine.action_notation import Answer, Decision
from crashlab.engine.notation import (
    SEATS,
    as_list,
    pair,
    some,
    whole,
)
from crashlab.engine.position import Column, Part, StateFacts, read, single, table_of
from crashlab.engine.table import NOWHERE, Row, Table
from crashlab.engine.value_codecs import Codec, maybe, named, seat, truth
from crashlab.games.autoscooter import rules
from crashlab.games.autoscooter import state as t
from crashlab.games.autoscooter.state import Autoscooter
from crashlab.games.boards.hexes import DIRECTIONS

# Things


def place_name(cell: int) -> str:
    """(row, column); `off the board` for a car that is nowhere."""
    return f"({t.HEXES[cell][0]},{t.HEXES[cell][1]})" if cell != NOWHERE else "off the board"


def read_hex(table: Autoscooter, place: object) -> int:
    """The cell of `21`, `(2,1)` or [2, 1]."""
    spot = pair(place, r"\(?([0-9])\s*,?\s*([0-9])\)?")
    if spot is None or spot not in t.CELL_AT:
        raise CrashlabError(
            f"there is no hex {shown(place)}; rows are 0 to 6, columns 0 to 4, and 5 in odd rows (AS-B2)"
        )
    return t.CELL_AT[spot]


def car_number(name: object) -> int:
    """The car (from 0) that a person calls 1 to 8."""
    if told(name) not in tuple("12345678"):
        raise CrashlabError(f"car {shown(name)}: cars are 1 to 8")
    return int(told(name)) - 1


HEX: Codec[Autoscooter] = Codec(
    "hex", lambda table, cell: place_name(cell), read_hex, lambda table, cell: list(t.HEXES[cell])
)
CAR = value_codecs.fixed("car", lambda car: str(car + 1), car_number)
DIRECTION = named("facing", DIRECTIONS)
SPEED = value_codecs.counted("speed")
CHITS = value_codecs.counted("chits")

# In the notes cars count from 1, so that 0 can be the barrier.
NOTED = value_codecs.numbered("car", 0)
HIT = maybe(NOTED, {0: "the barrier"}, 0)


def number_on_sheet(table: Autoscooter, place: int) -> int:
    """AS-L1: the number at 11 * car + row of the log sheet."""
    return t.numbers(table, place // t.ROUNDS)[place % t.ROUNDS]


def read_number(table: Autoscooter, word: object) -> int:
    """AS-L1: where on the log sheet a number stands."""
    number = whole(word, "number")
    if not 1 <= number <= 88:
        raise CrashlabError(f"{number} is not on the log sheet: its numbers are 1 to 88 (AS-L1)")
    return [number_on_sheet(table, place) for place in range(88)].index(number)


NUMBER: Codec[Autoscooter] = Codec(
    "number", lambda table, place: str(number_on_sheet(table, place)), read_number, number_on_sheet
)


# Plots


def manoeuvre_name(manoeuvre: int) -> str:
    """FLF, or P; of a car that turns before it drives what it was to be."""
    if manoeuvre == t.STRAIGHT:
        return "straight on"
    return "P" if manoeuvre == t.ABOUT_FACE else t.SEQUENCES[manoeuvre % t.PIVOT]


def plot_words(table: Autoscooter, plot: int) -> str:
    """A plot in notation, `?` if it is hidden."""
    if plot == t.HIDDEN:
        return "?"
    number, manoeuvre = divmod(plot, t.CODES)
    return f"{number} {manoeuvre_name(manoeuvre)}" if plot != t.NOTHING else "-"


def read_plot(table: Autoscooter, words: object) -> int:
    """The plot that these words mean, legal or not; `-` means that nothing is written."""
    if words is None or words == "-":
        return t.NOTHING
    found = re.fullmatch(r"\s*([0-9]{1,2})\s*([A-Za-z]{1,4})\s*", words) if isinstance(words, str) else None
    if not found:
        raise CrashlabError("write a number and a manoeuvre, as in '17 FLF', or '-'")
    number, manoeuvre = int(found[1]), found[2].upper()
    if number == 0:
        raise CrashlabError("the numbers are 1 to 88 (AS-L1); '-' writes nothing")
    if manoeuvre == "P":
        return number * t.CODES + t.ABOUT_FACE
    if manoeuvre not in t.SEQUENCES:
        raise CrashlabError(
            f"there is no manoeuvre {manoeuvre!r} (AS-M2): choose one of {', '.join(t.SEQUENCES)}, or P at a standstill"
        )
    return number * t.CODES + t.SEQUENCES.index(manoeuvre)


WRITTEN: Codec[Autoscooter] = maybe(Codec("plot", plot_words, read_plot, plot_words), {t.HIDDEN: "?"})
PLOT = maybe(WRITTEN, {t.UNPLANNED: ""}, t.UNPLANNED)


# What a state tells by name


@dataclass(frozen=True)
class Car:
    """A car as a person sees it; `driver` is a seat or None."""

    number: int
    hex: tuple[int, int]
    facing: str
    speed: int
    driver: int | None
    unused: tuple[int, ...]


class Facts(StateFacts[Autoscooter]):
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
        return {car + 1: plot_words(table, table.plot[car]) for car in planned(table)}


# Why not


def plot_refusal(table: Autoscooter, car: int, action: int) -> str:
    """Why this plot cannot be written for a car; empty if it can."""
    if action == t.NOTHING:
        return ""
    number, manoeuvre = divmod(action, t.CODES)
    speed = table.speed[car]
    if number not in t.numbers(table, car):
        return f"{number} is not a number of car {car + 1}; its unused numbers are {some(t.unused(table, car))} (AS-L1)"
    if number not in t.unused(table, car):
        return f"{number} is already used; car {car + 1} still has {some(t.unused(table, car))} (AS-L2)"
    if not 0 <= manoeuvre <= t.ABOUT_FACE:
        return f"there is no manoeuvre with code {manoeuvre}"
    if manoeuvre == t.ABOUT_FACE and not rules.fits(table, car, manoeuvre):
        why = f"car {car + 1} has speed {speed}" if speed else "option standstill is not about_face"
        return f"P is for a standing car with standstill='about_face' only (AS-M5): {why}"
    if not rules.fits(table, car, manoeuvre):
        allowed = some(v for v in (1, 2, 3) if abs(v - speed) <= 1)
        return (
            f"{t.SEQUENCES[manoeuvre]} is speed {t.SPEED_OF[manoeuvre]}, but car {car + 1} has speed {speed}"
            f" and may plot speed {allowed} (AS-M3)"
        )
    return ""


# Decisions


def plot_parts(table: Autoscooter, plot: int) -> dict[str, object]:
    """Its number and its manoeuvre; neither, where nothing is written."""
    number, manoeuvre = divmod(plot, t.CODES)
    if plot == t.NOTHING:
        return {"number": None, "manoeuvre": None}
    return {"number": number, "manoeuvre": manoeuvre_name(manoeuvre)}


ANSWER = Answer(plot_words, read_plot, plot_parts)
REASON = "a plot is an unused number of the car and a manoeuvre that fits its speed (AS-L2, AS-M3)"
DECISIONS: tuple[Decision[Autoscooter], ...] = (Decision("plot", "a plot", ANSWER, REASON, silence="-"),)


# The vocabulary: nothing written, then row of the log sheet by manoeuvre.

VOCABULARY = rules.LETTERS


def number_of(table: Autoscooter, seat: int, code: int) -> int:
    """The number of a plot of the car that is asked for."""
    if code == t.NOTHING:
        return 0
    number, manoeuvre = divmod(code, t.CODES)
    own = t.numbers(table, rules.car_asked(table, seat))
    if number not in own or manoeuvre > t.ABOUT_FACE:
        raise CrashlabError(f"{plot_words(table, code)} is not a plot of this car: its numbers are {some(own)} (AS-L1)")
    letters = [0]
    rules.spell(table, seat, code, letters)
    return letters[0]


def code_at(table: Autoscooter, seat: int, number: int) -> int:
    """The plot with this number, of the car that is asked for."""
    row, manoeuvre = divmod(errors.whole("number", number, 0, most=VOCABULARY - 1) - 1, t.ABOUT_FACE + 1)
    return t.numbers(table, rules.car_asked(table, seat))[row] * t.CODES + manoeuvre if number else t.NOTHING


def decision(table: Autoscooter, seat: int) -> Decision[Autoscooter]:
    """AS-R1: everybody plans a car, of which it depends what cannot be written."""
    car = rules.car_asked(table, seat)
    return replace(DECISIONS[0], refuse=lambda table, plot: plot_refusal(table, car, plot))


# Positions


class Unused(Column):
    """AS-L2: the numbers that a car has left; they are never told, as `used` tells all that are gone."""

    def is_left_out(self, table: Table, thing: int) -> bool:
        """Always."""
        return True

    def put(self, table: Any, thing: int, entry: object, where: str) -> None:
        """The car has used all its numbers but these."""
        if table.driver[thing] == t.NOBODY:
            raise CrashlabError(f"{where}: nobody drives it, so it has no numbers (AS-S3)")
        own = t.numbers(table, thing)
        wanted = [whole(number, where) for number in as_list(entry, f"{where}: give a list of numbers")]
        for number in wanted:
            if number not in own or wanted.count(number) > 1:
                raise CrashlabError(f"{where}: its numbers are {some(own)}, each once (AS-L1), not {number}")
        super().put(table, thing, [number not in wanted for number in own], where)


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
    crossed = sorted(whole(number, "used") for number in as_list(entry, "used: give a list of numbers"))
    for car in range(t.CARS):
        for row, number in enumerate(t.numbers(table, car)):
            if table.asked[car] != NOWHERE and number in crossed:
                table.used[t.ROUNDS * car + row] = 1
    if crossed != t.used(table):
        raise CrashlabError(f"used: {cut(some(crossed))} are not the numbers that these cars have used (AS-L2)")


def missing_chits(table: Autoscooter) -> int:
    """What the purses lack of all chits."""
    return max(table.players[0] * t.PURSES[table.players[0]] - sum(table.chits), 0)


def planned(table: Autoscooter) -> list[int]:
    """The cars of which a plot is written."""
    return [car for car, plot in enumerate(table.plot) if plot != t.UNPLANNED]


def plots_line(table: Autoscooter) -> str:
    """17 FLF, #2 ?; whose a plot is is told by its number (AS-M4)."""
    said = ((car, plot_words(table, table.plot[car])) for car in planned(table))
    return ", ".join(f"#{car + 1} {plot}" if plot in ("-", "?") else plot for car, plot in said)


def of_car(table: Autoscooter, plot: str) -> tuple[str, str]:
    """The car whose a plot of a line is, with the plot: `17 FLF`, or `#2 ?`."""
    named = re.fullmatch(r"#([0-9])\s*(.*)", plot)
    if named:
        return named[1], named[2]
    number = read(WRITTEN, table, plot, "plots") // t.CODES
    for car in range(t.CARS):
        if number in t.numbers(table, car):
            return str(car + 1), plot
    raise CrashlabError(f"plots: {shown(plot)} is not a plot; the numbers on the log sheet are 1 to 88 (AS-L1)")


def count_passes(table: Autoscooter) -> None:
    """AS-R1: the pass after those in which the plots were written."""
    for car in planned(table):
        if table.asked[car] == NOWHERE:
            raise CrashlabError(f"plots: car {car + 1} has no driver or is not on the board")
    table.asking[0] = 1 + max((table.asked[car] for car in planned(table)), default=-1)


PARTS: tuple[Part[Autoscooter], ...] = (
    single(
        "round", "which round it is, 1 to 11; 12 when the game is over", "round", value_codecs.counted("round"), 1,
        always=True,
    ),
    table_of(
        "cars", "the cars on the board: hex, facing and speed of each", CAR,
        (
            Column("hex", "cell", replace(HEX, format=lambda table, cell: "{}{}".format(*t.HEXES[cell]))),
            Column("facing", "facing", DIRECTION),
            Column("speed", "speed", SPEED, 0, told=True, written=True),
            Unused("unused", "used", truth("used"), 0, first=lambda car: t.ROUNDS * car, many=t.ROUNDS),
        ),
        "21E2", t.present, comma=" ", colon=":", pattern="(?P<hex>[0-9]{2})(?P<facing>[A-Z]{1,2})(?P<speed>[0-9])",
        default=None, always=True, then=t.ask_in_turn,
    ),
    table_of(
        "chits", "what is in the purses", seat(), Column("", "chits", CHITS), "A20",
        lambda table: range(table.players[0]), comma=" ", colon="", always=True,
    ),
    single("box", "the chits in the box; by default what the purses lack", "box", CHITS, missing_chits, always=True),
    Part(
        "used", "the numbers that are crossed out; by default the first of each column", t.used, put_used,
        used_by_default, lambda table: " ".join(map(str, t.used(table))) or "none",
        lambda rest: [] if rest == "none" else rest.split(), always=True,
    ),
    replace(
        table_of(
            "plots", "what is planned, by the cars' numbers; all seats plan pass by pass", CAR,
            Column("", "plot", WRITTEN), "17 FLF", planned, split=of_car, then=count_passes,
        ),
        line=plots_line,
    ),
)  # fmt: skip


# What a seat sees


def is_secret(table: Autoscooter, row: Row, seat: int) -> bool:
    """AS-R1: whether this seat may not know of it: the plots that others write."""
    return row.rule == rules.R1 and row.field == rules.PLOT and table.driver[row.index] != seat
