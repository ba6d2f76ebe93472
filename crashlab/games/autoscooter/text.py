"""What happens in Autoscooter, in words, and why a position cannot be."""

from __future__ import annotations

from crashlab.engine import value_codecs
from crashlab.engine.event_words import Texts, teller
from crashlab.engine.notation import SEATS, some
from crashlab.engine.table import NOWHERE, Row
from crashlab.engine.value_codecs import Change, Codec, seat, seats, truth
from crashlab.games.autoscooter import notation as w
from crashlab.games.autoscooter import rules
from crashlab.games.autoscooter import state as t
from crashlab.games.autoscooter.state import Autoscooter

# Of what kinds the numbers of an event are

CHANGES = {
    "round": Change(None, value_codecs.counted("round")),
    "asking": Change(None, value_codecs.counted("pass")),
    "box": Change(None, w.CHITS),
    "chits": Change(seat(), w.CHITS),
    "cell": Change(w.CAR, w.HEX),
    "facing": Change(w.CAR, w.DIRECTION),
    "speed": Change(w.CAR, w.SPEED),
    "plot": Change(w.CAR, w.PLOT),
    "used": Change(w.NUMBER, truth("used")),
}
NOTES: dict[str, Codec[Autoscooter]] = {
    "car": w.NOTED, "rammer": w.NOTED, "hit": w.HIT, "obstacle": w.HIT, "payer": seat("payer"), "winners": seats(),
    **{name: value_codecs.counted(name) for name in ("driven", "v", "w", "plotted", "speed", "owed", "paid", "most")},
}  # fmt: skip


# What happens, in words

TURNS = {1: "60° left", 2: "120° left", 3: "round", 4: "120° right", 5: "60° right"}


def facing_text(table: Autoscooter, row: Row) -> str:
    """A turn in words."""
    verb = "is turned" if row.rule == rules.C4 else "turns"
    return f"car {{index}} {verb} {TURNS[(row.after - row.before) % 6]}, now facing {{after}}"


def asking_text(table: Autoscooter, row: Row) -> str:
    """How far the planning is, in words."""
    if row.after == 0:
        return "the next round is to be planned" if table.round[0] < t.ROUNDS else "nothing is left to plan"
    return "everybody has planned" if row.after > max(table.asked) else "pass {after} of planning is complete"


def plan_text(table: Autoscooter, row: Row) -> str:
    """Who plans what, in words."""
    return f"{SEATS[table.driver[row.index]]} plans car {{index}}: {{after}}"


TEXTS: Texts = {"facing": facing_text, "asking": asking_text, "plot AS-R1": plan_text}
event_text = teller(rules.BOOK, Autoscooter.NAMES, CHANGES, NOTES, TEXTS)


# Positions that cannot be


def unreachable(table: Autoscooter) -> list[str]:
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
    wrong = [w.plot_refusal(table, car, table.plot[car]) for car in planned if table.plot[car] != t.HIDDEN]
    passes = table.asking[0]
    wanted = [car for car in range(t.CARS) if NOWHERE < table.asked[car] < passes]
    if planned != wanted:
        lacking = some(car + 1 for car in wanted if car not in planned)
        wrong.append(f"all seats plan one car each in every pass (AS-R1); cars {lacking} are missing")
    if passes > max(table.asked):
        wrong.append("every car is planned; leave the last pass open, so that somebody can decide")
    if planned and table.round[0] > t.ROUNDS:
        wrong.append("the game is over, so nothing is planned")
    return [f"plots: {reason}" for reason in wrong if reason]
