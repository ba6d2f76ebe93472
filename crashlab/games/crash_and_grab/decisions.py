"""What is decided in Crash & Grab: by players, one or all at once, and by dice and the deck."""

from __future__ import annotations

import re
from dataclasses import replace

from crashlab.base.errors import CrashlabError
from crashlab.engine.contract import listed
from crashlab.engine.decisions import OVER, Answer, Decision, either, joined, thing
from crashlab.engine.words import named
from crashlab.games.crash_and_grab import rules
from crashlab.games.crash_and_grab import table as t
from crashlab.games.crash_and_grab import words as w
from crashlab.games.crash_and_grab.refusals import use_refusal
from crashlab.games.crash_and_grab.table import CrashAndGrab
from crashlab.games.crash_and_grab.upgrades import USE

# Answers


def split_boost(words: str) -> tuple[str, str]:
    """The distance and the direction of a boost like `3^`."""
    found = re.fullmatch(r"([0-9]{1,2})\s*(\S+)", words)
    if not found:
        raise CrashlabError("a boost is a distance and a direction, as in '3^', or 'no'")
    return found[1], found[2]


def gift_text(table: CrashAndGrab, gift: int) -> str:
    """Who is given to whom."""
    return f"{w.CREW.say(table, gift % t.CREW)} to {w.SAUCER.say(table, gift // t.CREW)}"


def read_gift(table: CrashAndGrab, words: str) -> int:
    """CG-C1: who is given to whom, as in `blue doctor to green`."""
    crew, _, receiver = words.lower().partition(" to ")
    return t.CREW * w.SAUCER.read(table, receiver) + w.CREW.read(table, crew)


def gift_parts(table: CrashAndGrab, gift: int) -> dict[str, object]:
    """Who is given to whom."""
    return {"crew": w.CREW.tell(table, gift % t.CREW), "saucer": w.SAUCER.tell(table, gift // t.CREW)}


NO = ("no", "none", "done", "pass", "-")
NO_MORE = ("no more", "no", "none", "done", "-")
PLAN = joined(w.CARD, w.DIRECTION, 4, "", w.split_plan)
BOOST = joined(w.DISTANCE, w.DIRECTION, 4, "", split_boost)
GIFT = Answer(gift_text, read_gift, gift_parts)
SAUCER = thing(w.SAUCER)
CREW = thing(w.CREW)
DISTANCE = thing(w.DISTANCE)
DIRECTION = thing(w.DIRECTION)
UPGRADE = thing(w.UPGRADE)
ROLL = thing(w.ROLL)
WAY = thing(replace(named("answer", w.WAYS), name="spin"))
WAY_OR_ROLL = thing(replace(named("answer", (*w.WAYS, "roll")), name="spin"), ("die", 2))
PUSH = thing(named("answer", ("push", "mine")), ("no", 0), ("yes", 1), ("mines", 1), ("crash", 1))
WASTE = thing(named("answer", ("no", "accelerate")), ("yes", 1), ("waste", 1), ("-", 0))
BUY = thing(named("answer", ("no", "buy")), ("yes", 1), ("-", 0))


# Decisions, in the order of their numbers

DECISIONS: tuple[Decision[CrashAndGrab], ...] = (
    Decision("plan", "a plan", PLAN, "a plan is a card and a direction (CG-R1)"),
    Decision("pilot", "the saucer whose pilot is placed", SAUCER, "it must be an own saucer (CG-S5)"),
    Decision("booster", "the saucer that gets a booster", SAUCER, "it must be an own saucer (CG-S5)"),
    Decision("first", "the saucer that goes first", SAUCER, "it must be an own saucer (CG-R2)"),
    Decision("naming", "the direction of the turns", WAY_OR_ROLL),
    Decision("site", "the crash site", either("roll", thing(w.SITE)), "a saucer comes to a free crash site (CG-U13)"),
    Decision(
        "step",
        "a step before the card is revealed",
        either(("stay", *NO), DIRECTION),
        "the step leads to an adjacent empty space (CG-U1)",
        without="stay",
    ),
    Decision(
        "distance",
        "the distance",
        DISTANCE,
        "2 and 3 go exactly so far, 0-5 up to 5 (CG-M1), and only Hyperdrive doubles (CG-U9)",
    ),
    Decision("direction", "the direction", DIRECTION),
    Decision("push", "a push or a mine", PUSH),
    Decision("waste", "the use of Waste Accelerator", WASTE, without="no"),
    Decision(
        "leg",
        "the distance off the accelerator",
        DISTANCE,
        "off an accelerator it is 1 to 4, with Hyperdrive 6 or 8, or the normal distance (CG-U21)",
    ),
    Decision("turn-off", "the direction off the accelerator", DIRECTION),
    Decision("exchange", "an exchange", either(NO, CREW), "it must stand on the board (CG-U20)", without="no"),
    Decision(
        "pass",
        "the passing of crew",
        either(NO, CREW),
        "it must be aboard a partner that was adjacent to the saucer of its colour (CG-W4)",
        without="no",
    ),
    Decision(
        "boost",
        "a boost",
        either(NO, BOOST),
        "a boost goes as far as the card (CG-M7), or 1 to 6 with Boost Amplifier (CG-U22)",
        without="no",
    ),
    Decision(
        "penalty",
        "the crewmember to give away",
        GIFT,
        "an off-coloured own one goes to an opponent with the fewest stationed (CG-C1)",
    ),
    Decision(
        "reward",
        "the reward",
        either("energy", CREW),
        "only an off-coloured crewmember of the crashed saucer is stolen, if it has enough stationed (CG-C2)",
    ),
    Decision(
        "refill", "the queue to refill from", thing(w.COLOUR), "a crewmember of this colour must be waiting (CG-W3)"
    ),
    Decision("end", "an upgrade to use", either(NO_MORE, USE), use_refusal, without="no more"),
    Decision("buy", "a purchase", BUY, without="no"),
    Decision("keep", "the upgrade to keep", UPGRADE, "it was not drawn (CG-H1)"),
    Decision("rotation", "the rotation die", WAY),
    Decision("set-up-die", "the placement die", ROLL, "the die shows 1 to 12 (CG-P1)"),
    Decision("die", "the placement die", ROLL, "the die shows 1 to 12 (CG-P1)"),
    Decision("refill-die", "the placement die", ROLL, "the die shows 1 to 12 (CG-P1)"),
    Decision("draw", "a card from the deck", UPGRADE, "it is not in the deck (CG-H1)"),
    OVER,
)
NAMES = tuple(decision.name for decision in DECISIONS)
PHASE = named("phase", NAMES)


def decision(table: CrashAndGrab, seat: int) -> Decision[CrashAndGrab]:
    """What is decided now; it is the same for all who decide."""
    return DECISIONS[table.phase[0]]


def said(table: CrashAndGrab, action: int) -> str:
    """An action in notation."""
    return DECISIONS[table.phase[0]].answer.say(table, action)


def parts(table: CrashAndGrab, action: int) -> dict[str, object]:
    """The things in an action, by the names of their kinds."""
    return DECISIONS[table.phase[0]].answer.parts(table, action)


def legal(table: CrashAndGrab, seat: int) -> list[int]:
    """The actions that can be chosen now."""
    return listed(rules, table, seat)
