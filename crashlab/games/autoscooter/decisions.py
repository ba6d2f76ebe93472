"""What is decided in Autoscooter: one plot after the other."""

from __future__ import annotations

from dataclasses import replace

from crashlab.answers import Answer, Decision
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


def decision(table: Autoscooter, seat: int) -> Decision[Autoscooter]:
    """AS-R1: everybody plans a car, of which it depends what cannot be written."""
    car = rules.car_asked(table, seat)
    return replace(DECISIONS[0], refuse=lambda table, plot: plot_refusal(table, car, plot))
