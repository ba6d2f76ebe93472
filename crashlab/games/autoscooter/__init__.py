"""Autoscooter: plot in secret, drive in number order, crash."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crashlab.engine.contract import Modules

if TYPE_CHECKING:
    from crashlab.games.autoscooter import baselines, notation, positions, poster, render, rules, state, text, ui

    GAME: Modules[state.Autoscooter] = Modules(state, rules, notation, positions, text, render, ui, poster, baselines)
