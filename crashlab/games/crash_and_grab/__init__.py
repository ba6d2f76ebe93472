"""Crash & Grab: saucers that bump each other off the board and collect a crew of four."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crashlab.engine.contract import Modules
    from crashlab.games.crash_and_grab import (
        ask,
        decisions,
        events,
        facts,
        look,
        position,
        poster,
        rules,
        rungs,
        secrets,
        table,
    )

    GAME: Modules[table.CrashAndGrab] = Modules(
        table, rules, decisions, position, secrets, events, facts, look, ask, poster, rungs
    )
