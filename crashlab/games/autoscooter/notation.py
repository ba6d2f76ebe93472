"""Autoscooter in words: names of things, and plots as text and back.

A plot is `17 FLF`, `17 P` or `-`.
"""

import re
from dataclasses import replace

from crashlab.base import errors
from crashlab.base.errors import CrashlabError, require, short_repr, short_str
from crashlab.engine import value_codecs
from crashlab.engine.action_notation import Answer, Decision
from crashlab.engine.notation import (
    pair,
    some,
    whole,
)
from crashlab.engine.table import NOWHERE
from crashlab.engine.value_codecs import Codec, maybe, named
from crashlab.games.autoscooter import rules
from crashlab.games.autoscooter import state as t
from crashlab.games.autoscooter.state import Autoscooter
from crashlab.games.boards.hexes import DIRECTIONS

# Things


def place_name(cell: int) -> str:
    """Write a hex as `2,1`, its row and column; `off the board` for NOWHERE."""
    return "{},{}".format(*t.HEXES[cell]) if cell != NOWHERE else "off the board"


def read_hex(table: Autoscooter, place: object) -> int:
    """Parse a hex: `2,1`, `21`, `(2,1)` or [2, 1]."""
    spot = pair(place, r"\(?([0-9])\s*,?\s*([0-9])\)?")
    if spot is None or spot not in t.CELL_AT:
        raise CrashlabError(
            f"there is no hex {short_repr(place)}; rows are 0 to 6, columns 0 to 4, and 5 in odd rows (AS-B2)"
        )
    return t.CELL_AT[spot]


def car_number(name: object) -> int:
    """Parse the number of a car, 1 to 8, and return its index from 0."""
    require(short_str(name) in tuple("12345678"), f"car {short_repr(name)}: cars are 1 to 8")
    return int(short_str(name)) - 1


HEX: Codec[Autoscooter] = Codec(
    "hex", lambda table, cell: place_name(cell), read_hex, lambda table, cell: list(t.HEXES[cell])
)
CAR = value_codecs.fixed("car", lambda car: str(car + 1), car_number)
DIRECTION = named("facing", DIRECTIONS)
SPEED = value_codecs.counted("speed")
CHITS = value_codecs.counted("chits")

# Notes number cars from 1, so that 0 can be the barrier.
NOTED = value_codecs.numbered("car", 0)
HIT = maybe(NOTED, {0: "the barrier"}, 0)


def number_on_sheet(table: Autoscooter, place: int) -> int:
    """AS-L1: return the number at 11 * car + row of the log sheet."""
    return t.numbers(table, place // t.ROUNDS)[place % t.ROUNDS]


def read_number(table: Autoscooter, word: object) -> int:
    """AS-L1: return the index of a number on the log sheet, 11 * car + row."""
    number = whole(word, "number")
    require(1 <= number <= 88, f"{number} is not on the log sheet: its numbers are 1 to 88 (AS-L1)")
    return [number_on_sheet(table, place) for place in range(88)].index(number)


NUMBER: Codec[Autoscooter] = Codec(
    "number", lambda table, place: str(number_on_sheet(table, place)), read_number, number_on_sheet
)


# Plots


def manoeuvre_name(manoeuvre: int) -> str:
    """Return a manoeuvre in notation, such as FLF or P; a turn before driving is left out."""
    if manoeuvre == t.STRAIGHT:
        return "straight on"
    return "P" if manoeuvre == t.ABOUT_FACE else t.SEQUENCES[manoeuvre % t.PIVOT]


def plot_words(table: Autoscooter, plot: int) -> str:
    """Return a plot in notation, `?` if it is hidden."""
    if plot == t.HIDDEN:
        return "?"
    number, manoeuvre = divmod(plot, t.CODES)
    return f"{number} {manoeuvre_name(manoeuvre)}" if plot != t.NOTHING else "-"


def read_plot(table: Autoscooter, words: object) -> int:
    """Parse a plot, legal or not; `-` or None is the empty plot."""
    if words is None or words == "-":
        return t.NOTHING
    match = re.fullmatch(r"\s*([0-9]{1,2})\s*([A-Za-z]{1,4})\s*", words) if isinstance(words, str) else None
    if not match:
        raise CrashlabError("write a number and a manoeuvre, as in '17 FLF', or '-' for nothing")
    number, manoeuvre = int(match[1]), match[2].upper()
    require(number != 0, "the numbers are 1 to 88 (AS-L1); '-' writes nothing")
    if manoeuvre == "P":
        return number * t.CODES + t.ABOUT_FACE
    require(
        manoeuvre in t.SEQUENCES,
        f"there is no manoeuvre {manoeuvre!r} (AS-M2): choose one of {', '.join(t.SEQUENCES)}, or P at a standstill",
    )
    return number * t.CODES + t.SEQUENCES.index(manoeuvre)


WRITTEN: Codec[Autoscooter] = maybe(Codec("plot", plot_words, read_plot, plot_words), {t.HIDDEN: "?"})
PLOT = maybe(WRITTEN, {t.UNPLANNED: ""}, t.UNPLANNED)


# Refusals


def plot_refusal(table: Autoscooter, car: int, action: int) -> str:
    """Return the reason to refuse this plot for a car; empty if the plot is legal."""
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
        why = f"car {car + 1} has speed {speed}" if speed else "here the option has another value"
        return f"P is only for a standing car with the option standstill='about_face' (AS-M5): {why}"
    if not rules.fits(table, car, manoeuvre):
        allowed = some(v for v in (1, 2, 3) if abs(v - speed) <= 1)
        return (
            f"{t.SEQUENCES[manoeuvre]} has speed {t.SPEED_OF[manoeuvre]}, but car {car + 1} has speed {speed}"
            f" and may plot speed {allowed} (AS-M3)"
        )
    return ""


# Decisions


def plot_parts(table: Autoscooter, plot: int) -> dict[str, object]:
    """Return the number and the manoeuvre of a plot; both None if it is empty."""
    number, manoeuvre = divmod(plot, t.CODES)
    if plot == t.NOTHING:
        return {"number": None, "manoeuvre": None}
    return {"number": number, "manoeuvre": manoeuvre_name(manoeuvre)}


ANSWER = Answer(plot_words, read_plot, plot_parts)
REASON = "a plot is an unused number of the car and a manoeuvre that fits its speed (AS-L2, AS-M3)"
DECISIONS: tuple[Decision[Autoscooter], ...] = (Decision("plot", "a plot", ANSWER, REASON, silence="-"),)


# The vocabulary: the empty plot, then for each row of the log sheet all manoeuvres.

VOCABULARY = rules.LETTERS


def number_of(table: Autoscooter, seat: int, code: int) -> int:
    """Return the index of a plot in the vocabulary, for the seat's current car."""
    if code == t.NOTHING:
        return 0
    number, manoeuvre = divmod(code, t.CODES)
    numbers = t.numbers(table, rules.car_asked(table, seat))
    require(
        number in numbers and manoeuvre <= t.ABOUT_FACE,
        f"{plot_words(table, code)} is not a plot of this car: its numbers are {some(numbers)} (AS-L1)",
    )
    letters = [0]
    rules.spell(table, seat, code, letters)
    return letters[0]


def code_at(table: Autoscooter, seat: int, number: int) -> int:
    """Return the plot at this index of the vocabulary, for the seat's current car."""
    row, manoeuvre = divmod(errors.whole("number", number, 0, most=VOCABULARY - 1) - 1, t.ABOUT_FACE + 1)
    return t.numbers(table, rules.car_asked(table, seat))[row] * t.CODES + manoeuvre if number else t.NOTHING


def decision(table: Autoscooter, seat: int) -> Decision[Autoscooter]:
    """AS-R1: return the decision about the seat's current car, with the refusals for that car."""
    car = rules.car_asked(table, seat)
    return replace(DECISIONS[0], refuse=lambda table, plot: plot_refusal(table, car, plot))
