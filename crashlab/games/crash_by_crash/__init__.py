"""Crash by Crash: bumper cars that push, magnets that pull, and a grumpy operator, on a floor that loses tiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crashlab.engine.contract import Modules
    from crashlab.games.crash_by_crash import (
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

    GAME: Modules[table.CrashByCrash] = Modules(
        table, rules, decisions, position, secrets, events, facts, look, ask, poster, rungs
    )
