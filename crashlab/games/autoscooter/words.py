"""Autoscooter in words: names of things, and actions as text and back.

A plot is `17 FLF`, `17 P` or `-`.
"""

from __future__ import annotations

import re

from crashlab.errors import CrashlabError, shown
from crashlab.games.autoscooter import table as t
from crashlab.games.autoscooter.table import Autoscooter
from crashlab.happen import NOWHERE
from crashlab.notation import (
    called,
)

SEATS = "ABCDEFGH"
KEYS = ("round", "cars", "chits", "box", "used", "plots")


def seat_name(seat: int) -> str:
    """A to H."""
    return called(SEATS, seat, "seat")


def place_name(cell: int) -> str:
    """(row, column); `off the board` for a car that is nowhere."""
    return f"({t.HEXES[cell][0]},{t.HEXES[cell][1]})" if cell != NOWHERE else "off the board"


# Plots


def action_text(table: Autoscooter, seat: int, action: int) -> str:
    """The plot in notation."""
    if action == t.NOTHING:
        return "-"
    number, manoeuvre = divmod(action, t.CODES)
    if manoeuvre == t.STRAIGHT:
        return f"{number} straight on"
    return f"{number} {'P' if manoeuvre == t.ABOUT_FACE else t.SEQUENCES[manoeuvre % t.PIVOT]}"


def read_action(table: Autoscooter, seat: int, words: object) -> int:
    """The action that these words mean, legal or not; None and `-` mean that nothing is written."""
    if words is None or (isinstance(words, str) and words.strip() == "-"):
        return t.NOTHING
    found = re.fullmatch(r"\s*([0-9]{1,2})\s*([A-Za-z]{1,4})\s*", words) if isinstance(words, str) else None
    if not found:
        raise CrashlabError(
            f"cannot read the plot {shown(words)}: write a number and a manoeuvre, as in '17 FLF', or '-'"
        )
    number, manoeuvre = int(found[1]), found[2].upper()
    if number == 0:
        raise CrashlabError(f"cannot read the plot {shown(words)}: the numbers are 1 to 88 (AS-L1); '-' writes nothing")
    if manoeuvre == "P":
        return number * t.CODES + t.ABOUT_FACE
    if manoeuvre not in t.SEQUENCES:
        raise CrashlabError(
            f"there is no manoeuvre {manoeuvre!r} (AS-M2): choose one of {', '.join(t.SEQUENCES)}, or P at a standstill"
        )
    return number * t.CODES + t.SEQUENCES.index(manoeuvre)


def plot_text(table: Autoscooter, car: int) -> str:
    """A car's plot in notation, `?` if it is hidden."""
    return "?" if table.plot[car] == t.HIDDEN else action_text(table, table.driver[car], table.plot[car])
