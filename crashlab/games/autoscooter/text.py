"""The events of Autoscooter as sentences, and which of them are hidden from a seat."""

from crashlab.engine import value_codecs
from crashlab.engine.event_words import Texts, teller
from crashlab.engine.notation import SEATS
from crashlab.engine.table import Row
from crashlab.engine.value_codecs import Change, Codec, seat, seats, truth
from crashlab.games.autoscooter import notation as w
from crashlab.games.autoscooter import rules
from crashlab.games.autoscooter import state as t
from crashlab.games.autoscooter.state import Autoscooter

# Codecs of the numbers of an event

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
    "car": w.NOTED,
    "rammer": w.NOTED,
    "hit": w.HIT,
    "obstacle": w.HIT,
    "payer": seat("payer"),
    "winners": seats(),
    **{name: value_codecs.counted(name) for name in ("driven", "v", "w", "plotted", "speed", "owed", "paid", "most")},
}


# Events in words

TURNS = {1: "60° left", 2: "120° left", 3: "round", 4: "120° right", 5: "60° right"}


def facing_text(table: Autoscooter, row: Row) -> str:
    """Describe a turn."""
    verb = "is turned" if row.rule == rules.C4 else "turns"
    return f"car {{index}} {verb} {TURNS[(row.after - row.before) % 6]}, now facing {{after}}"


def asking_text(table: Autoscooter, row: Row) -> str:
    """Describe the progress of planning."""
    if row.after == 0:
        return "the next round is to be planned" if table.round[0] < t.ROUNDS else "nothing is left to plan"
    return "everybody has planned" if row.after > max(table.asked) else "everybody has planned {after} of their cars"


def plan_text(table: Autoscooter, row: Row) -> str:
    """Describe the plot of a seat."""
    return f"{SEATS[table.driver[row.index]]} plans car {{index}}: {{after}}"


TEXTS: Texts = {"facing": facing_text, "asking": asking_text, "plot AS-R1": plan_text}
event_text = teller(rules.BOOK, Autoscooter.NAMES, CHANGES, NOTES, TEXTS)


# Hidden events


def is_secret(table: Autoscooter, row: Row, seat: int) -> bool:
    """AS-R1: return whether an event is hidden from this seat: the plot of another seat."""
    return row.rule == rules.R1 and row.field == rules.PLOT and table.driver[row.index] != seat
