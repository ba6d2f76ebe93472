"""CrashCity: first a city is built from street tiles, then everybody races to work and shoves the others aside."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crashlab.engine.contract import Modules, Open
    from crashlab.games.crash_city import ask, decisions, events, facts, look, position, poster, rules, rungs, table

    GAME: Modules[table.CrashCity] = Modules(
        table, rules, decisions, position, Open(), events, facts, look, ask, poster, rungs
    )
