"""Crash & Grab: saucers that bump each other off the board and collect a crew of four."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crashlab.games.crash_and_grab import ask, events, facts, look, position, refusals, rules, secrets, table, words
    from crashlab.games.undeclared import Modules

    GAME: Modules[table.CrashAndGrab] = Modules(
        table, rules, words, refusals, position, secrets, events, facts, look, ask
    )
