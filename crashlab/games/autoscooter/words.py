"""Autoscooter in words: names of things, and plots as text and back.

A plot is `17 FLF`, `17 P` or `-`.
"""

from __future__ import annotations

import re

from crashlab.base.errors import CrashlabError, shown, told
from crashlab.engine import words as kinds
from crashlab.engine.notation import pair, whole
from crashlab.engine.table import NOWHERE
from crashlab.engine.words import Kind, maybe, named
from crashlab.games.autoscooter import table as t
from crashlab.games.autoscooter.table import Autoscooter
from crashlab.games.boards.hexes import DIRECTIONS


def place_name(cell: int) -> str:
    """(row, column); `off the board` for a car that is nowhere."""
    return f"({t.HEXES[cell][0]},{t.HEXES[cell][1]})" if cell != NOWHERE else "off the board"


def read_hex(table: Autoscooter, place: object) -> int:
    """The cell of `21`, `(2,1)` or [2, 1]."""
    spot = pair(place, r"\(?([0-9])\s*,?\s*([0-9])\)?")
    if spot is None or spot not in t.CELL:
        raise CrashlabError(
            f"there is no hex {shown(place)}; rows are 0 to 6, columns 0 to 4, and 5 in odd rows (AS-B2)"
        )
    return t.CELL[spot]


def car_number(name: object) -> int:
    """The car (from 0) that a person calls 1 to 8."""
    if told(name) not in tuple("12345678"):
        raise CrashlabError(f"car {shown(name)}: cars are 1 to 8")
    return int(told(name)) - 1


HEX: Kind[Autoscooter] = Kind(
    "hex", lambda table, cell: place_name(cell), read_hex, lambda table, cell: list(t.HEXES[cell])
)
CAR: Kind[Autoscooter] = Kind(
    "car", lambda table, car: str(car + 1), lambda table, name: car_number(name), lambda table, car: str(car + 1)
)
DIRECTION = named("facing", DIRECTIONS)
SPEED = kinds.counted("speed")
CHITS = kinds.counted("chits")

# In the notes cars count from 1, so that 0 can be the barrier.
NOTED = kinds.numbered("car", 0)
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


NUMBER: Kind[Autoscooter] = Kind(
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


PLOT: Kind[Autoscooter] = maybe(Kind("plot", plot_words, read_plot, plot_words), {t.UNPLANNED: ""}, t.UNPLANNED)
