"""CrashCity: first the players build a city from street tiles, then they race to work and shove other cars aside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crashlab.engine.contract import Modules

if TYPE_CHECKING:
    from crashlab.games.crash_city import baselines, notation, positions, poster, render, rules, state, text, ui

    GAME: Modules[state.CrashCity] = Modules(state, rules, notation, positions, text, render, ui, poster, baselines)
