"""What is decided in Autoscooter: one plot after the other."""

from __future__ import annotations

from dataclasses import replace

from crashlab.base.errors import CrashlabError, whole
from crashlab.engine.decisions import Answer, Decision
from crashlab.engine.notation import some
from crashlab.games.autoscooter import rules
from crashlab.games.autoscooter import table as t
from crashlab.games.autoscooter.refusals import plot_refusal
from crashlab.games.autoscooter.table import Autoscooter
from crashlab.games.autoscooter.words import manoeuvre_name, plot_words, read_plot


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
        raise CrashlabError(f"{plot_words(table, code)} is no plot of this car: its numbers are {some(own)} (AS-L1)")
    letters = [0]
    rules.spell(table, seat, code, letters)
    return letters[0]


def code_at(table: Autoscooter, seat: int, number: int) -> int:
    """The plot with this number, of the car that is asked for."""
    row, manoeuvre = divmod(whole("number", number, 0, most=VOCABULARY - 1) - 1, t.ABOUT_FACE + 1)
    return t.numbers(table, rules.car_asked(table, seat))[row] * t.CODES + manoeuvre if number else t.NOTHING


def decision(table: Autoscooter, seat: int) -> Decision[Autoscooter]:
    """AS-R1: everybody plans a car, of which it depends what cannot be written."""
    car = rules.car_asked(table, seat)
    return replace(DECISIONS[0], refuse=lambda table, plot: plot_refusal(table, car, plot))
