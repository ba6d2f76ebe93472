"""Autoscooter: plot in secret, drive in number order, crash."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crashlab.games.autoscooter import ask, events, facts, look, position, refusals, rules, secrets, table, words
    from crashlab.games.contract import Modules

    GAME: Modules[table.Autoscooter] = Modules(
        table, rules, words, refusals, position, secrets, events, facts, look, ask
    )
