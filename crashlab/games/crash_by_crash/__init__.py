"""Crash by Crash: bumper cars that push, magnets that pull, and a grumpy operator, on a floor that loses tiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crashlab.engine.contract import Modules

if TYPE_CHECKING:
    from crashlab.games.crash_by_crash import baselines, notation, positions, poster, render, rules, state, text, ui

    GAME: Modules[state.CrashByCrash] = Modules(state, rules, notation, positions, text, render, ui, poster, baselines)
