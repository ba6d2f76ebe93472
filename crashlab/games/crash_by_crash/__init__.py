"""Crash by Crash: bumper cars that push, magnets that pull, and a grumpy operator, on a floor that loses tiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crashlab.games.crash_by_crash import ask, events, facts, look, position, refusals, rules, secrets, table, words
    from crashlab.games.undeclared import Modules

    GAME: Modules[table.CrashByCrash] = Modules(
        table, rules, words, refusals, position, secrets, events, facts, look, ask
    )
