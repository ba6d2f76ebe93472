"""What is decided in Crash by Crash, and how the answers are written, read and refused."""

from __future__ import annotations

import re

from crashlab.engine.decisions import OVER, Decision, Sort, alone, sorts
from crashlab.engine.words import named
from crashlab.games.crash_by_crash import actions as a
from crashlab.games.crash_by_crash import refusals as why
from crashlab.games.crash_by_crash import table as t
from crashlab.games.crash_by_crash.table import CrashByCrash


def asked(name: str, about: str, *kinds: Sort[CrashByCrash]) -> Decision[CrashByCrash]:
    """A decision between actions of these sorts."""
    return Decision(name, about, sorts(*kinds, width=t.SORT, tidy=dotted))


def dotted(words: str) -> str:
    """The words with each cell as one word: `(7, 3)` becomes `7.3`."""
    return " ".join(re.sub(r"\(\s*([0-9]+)\s*,\s*([0-9]+)\s*\)", r" \1.\2 ", words).split())


TURN_UP = Sort(t.TURN_UP, ("", "draw", "turn-up"), a.CARD_ANSWER, why.turned_up)
DECISIONS: tuple[Decision[CrashByCrash], ...] = (
    asked("set-up", "a cell for a car", Sort(t.PLACE, ("place", "car", "put"), a.CELL_ANSWER, why.first_car)),
    asked(
        "action", "an action",
        Sort(t.FORFEIT, ("forfeit", "pass", "-"), alone(), why.forfeit),
        Sort(t.CAR, ("car", "place", "put"), a.CAR_ANSWER, why.car),
        Sort(t.MAGNET, ("magnet",), a.CELL_ANSWER, why.magnet),
        Sort(t.WALK, ("walk", "operator"), a.WALK_ANSWER, why.walk),
        Sort(t.EXCHANGE, ("exchange",), a.EXCHANGE_ANSWER, why.exchange),
        Sort(t.PLAY, ("play", "card"), a.PLAY_ANSWER, why.play),
    ),
    asked("drawing", "a card to draw", Sort(t.TAKE, ("take", "draw"), a.TAKE_ANSWER, why.taken)),
    asked("keep", "a card for the discards", Sort(t.DISCARD, ("discard",), a.DISCARD_ANSWER, why.given)),
    asked("pile", "a card from the pile", TURN_UP),
    asked("refill", "a card that is turned face up", TURN_UP),
    OVER,
)  # fmt: skip
PHASE = named("phase", [decision.name for decision in DECISIONS])


def decision(table: CrashByCrash, seat: int) -> Decision[CrashByCrash]:
    """What is decided now."""
    return DECISIONS[table.phase[0]]


def action_text(table: CrashByCrash, seat: int, action: int) -> str:
    """The action in notation."""
    return decision(table, seat).answer.say(table, action)
