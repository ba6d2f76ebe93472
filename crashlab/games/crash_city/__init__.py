"""CrashCity: first a city is built from street tiles, then everybody races to work and shoves the others aside."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crashlab.games.crash_city import ask, events, facts, look, position, refusals, rules, table, words
    from crashlab.games.undeclared import Modules, Open

    GAME: Modules[table.CrashCity] = Modules(table, rules, words, refusals, position, Open(), events, facts, look, ask)
