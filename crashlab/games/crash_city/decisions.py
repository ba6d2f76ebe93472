"""What is decided in CrashCity, and how the answers are written, read and refused."""

from __future__ import annotations

import re
from dataclasses import replace

from crashlab.base.errors import CrashlabError
from crashlab.engine import contract
from crashlab.engine.decisions import OVER, Decision, Sort, alone, joined, sorts, thing
from crashlab.engine.words import named
from crashlab.games.crash_city import refusals, rules
from crashlab.games.crash_city import table as t
from crashlab.games.crash_city import words as w
from crashlab.games.crash_city.table import CrashCity


def decision(table: CrashCity, seat: int) -> Decision[CrashCity]:
    """What this actor decides now."""
    return DECISIONS[table.phase[0]]


def said(table: CrashCity, code: int) -> str:
    """An action of whoever decides now, in notation."""
    return DECISIONS[table.phase[0]].answer.say(table, code)


def listed(table: CrashCity) -> list[int]:
    """All legal actions of whoever decides now."""
    return contract.listed(rules, table, table.asked[0])


# How the answers are written


def asked(name: str, about: str, *kinds: Sort[CrashCity]) -> Decision[CrashCity]:
    """A decision whose answers are of these sorts."""
    return Decision(name, about, sorts(*kinds, width=t.SORT, tidy=w.close_up))


def car_and_lane(words: str) -> tuple[str, str]:
    """Which car drives, and where it ends: `A1 2,0N`."""
    car, _, lane = words.partition(" ")
    if not lane or " " in lane:
        raise CrashlabError("a turn is 'park A1', 'drive A1 2,0N', or 'pass'")
    return car, lane


BEGINNER = replace(
    w.SEAT,
    say=lambda table, seat: f"{w.SEAT.say(table, seat)} begins",
    read=lambda table, word: w.SEAT.read(table, re.sub(r"\s+begins$", "", str(word), flags=re.IGNORECASE)),
)


DECISIONS = (
    asked(
        "site", "a site for the next tile",
        Sort(t.SELECT, ("site", "select"), thing(w.SITE), refusals.site_refusal),
    ),
    asked(
        "reveal", "the next tile",
        Sort(t.REVEALED, ("tile", "reveal"), thing(w.KIND), refusals.reveal_refusal),
    ),
    asked(
        "rotate", "the lanes of the new tile",
        Sort(t.LAY, ("lanes", "lane", "lay", "turn"), thing(w.LANES), refusals.rotate_refusal),
    ),
    asked(
        "build", "a building",
        Sort(t.ERECT, ("build", "erect"), thing(w.BUILDING), refusals.build_refusal),
    ),
    asked(
        "car", "a place for the new car",
        Sort(t.PUT, ("put", "car"), joined(w.LANE, w.FACING, 4, ">"), refusals.put_refusal),
    ),
    asked(
        "roll", "the seat that begins the race",
        Sort(t.ROLLED, ("", "roll"), thing(BEGINNER), refusals.roll_refusal),
    ),
    asked(
        "race", "a turn of the race",
        Sort(t.PARK, ("park",), thing(w.CAR), refusals.park_refusal),
        Sort(t.PASS, ("pass", "-"), alone(), refusals.pass_refusal),
        Sort(t.DRIVE, ("drive",), joined(w.CAR, w.LANE, t.SPACE, " ", car_and_lane), refusals.drive_refusal),
    ),
    asked(
        "crash", "where the car goes that was hit",
        Sort(t.MAKE_WAY, ("to", "go"), thing(w.LANE), refusals.answer_refusal),
    ),
    OVER,
)  # fmt: skip
PHASE = named("phase", [decision.name for decision in DECISIONS])
