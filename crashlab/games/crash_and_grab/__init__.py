"""Crash & Grab: saucers that bump each other off the board and collect a crew of four."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crashlab.engine.contract import Modules

if TYPE_CHECKING:
    from crashlab.games.crash_and_grab import baselines, notation, positions, poster, render, rules, state, text, ui

    GAME: Modules[state.CrashAndGrab] = Modules(state, rules, notation, positions, text, render, ui, poster, baselines)
