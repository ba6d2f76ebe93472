"""What is decided in Crash by Crash, and how the answers are written, read and refused."""

from __future__ import annotations

import re
from dataclasses import replace

from crashlab import answers
from crashlab.answers import Answer, Decision, Sort, alone, sorts
from crashlab.errors import CrashlabError, shown
from crashlab.games.crash_by_crash import actions as a
from crashlab.games.crash_by_crash import refusals as why
from crashlab.games.crash_by_crash import table as t
from crashlab.games.crash_by_crash.table import CrashByCrash
from crashlab.kinds import named


def asked(name: str, about: str, *kinds: Sort[CrashByCrash]) -> Decision[CrashByCrash]:
    """A decision between actions of these sorts; a code that is of none of them, or that no words mean, is refused."""
    known = sorts(*kinds)

    def read(table: CrashByCrash, words: str) -> int:
        if not kinds:
            raise CrashlabError("nobody is asked anything")
        line = re.sub(r"\(\s*([0-9]+)\s*,\s*([0-9]+)\s*\)", r" \1.\2 ", words)
        return known.read(table, " ".join(line.split()))

    def refuse(table: CrashByCrash, action: int) -> str:
        sort = next((kind for kind in kinds if kind.first == action // t.SORT * t.SORT), None)
        if sort is None or isinstance(sort.refuse, str):
            return f"{about} is asked for now, not code {action}"
        said = known.say(table, action)
        try:
            meant = answers.read(plain, table, said)
        except CrashlabError as error:
            return str(error)
        return sort.refuse(table, action) if meant == action else f"{shown(said)} is never done with code {action}"

    plain = Decision(name, about, Answer(known.say, read, known.parts), "")
    return replace(plain, refuse=refuse)


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
    asked("over", "an answer, for the game is over"),
)  # fmt: skip
PHASE = named("phase", [decision.name for decision in DECISIONS])


def decision(table: CrashByCrash, seat: int) -> Decision[CrashByCrash]:
    """What is decided now."""
    return DECISIONS[table.phase[0]]


def action_text(table: CrashByCrash, seat: int, action: int) -> str:
    """The action in notation."""
    return decision(table, seat).answer.say(table, action)
