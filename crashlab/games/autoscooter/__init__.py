"""Autoscooter: plot in secret, drive in number order, crash."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crashlab.engine.contract import Modules
    from crashlab.games.autoscooter import (
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

    GAME: Modules[table.Autoscooter] = Modules(
        table, rules, decisions, position, secrets, events, facts, look, ask, poster, rungs
    )
