"""Why a plot cannot be written."""

from __future__ import annotations

from crashlab.engine.notation import some
from crashlab.games.autoscooter import rules
from crashlab.games.autoscooter import table as t
from crashlab.games.autoscooter.table import Autoscooter


def plot_refusal(table: Autoscooter, car: int, action: int) -> str:
    """Why this plot cannot be written for a car; empty if it can."""
    if action == t.NOTHING:
        return ""
    number, manoeuvre = divmod(action, t.CODES)
    speed = table.speed[car]
    if number not in t.numbers(table, car):
        return f"{number} is not a number of car {car + 1}; unused are {some(t.unused(table, car))} (AS-L1)"
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
            f"{t.SEQUENCES[manoeuvre]} is speed {t.SPEEDS[manoeuvre]}, but car {car + 1} has speed {speed}"
            f" and may plot speed {allowed} (AS-M3)"
        )
    return ""
