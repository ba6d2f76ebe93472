"""What can be changed about a position of Crash & Grab by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from crashlab.engine.notation import changed
from crashlab.engine.prompts import Edit, Field
from crashlab.engine.table import NOWHERE
from crashlab.games import toolkit
from crashlab.games.crash_and_grab import board, rules
from crashlab.games.crash_and_grab import table as t
from crashlab.games.crash_and_grab import words as w

WAITING = "waiting"
MANY = 12  # energy or boosters


def edits(table: t.CrashAndGrab) -> tuple[Edit, ...]:
    """What can be set about each saucer, its space, energy and boosters, and where each crewmember is."""
    cells = [cell for cell in range(t.CELLS) if rules.on_board(table, cell)]
    saucers = [saucer_edit(table, saucer, cells) for saucer in range(table.saucers[0])]
    return (*saucers, *(crew_edit(table, crew) for crew in range(t.CREW) if table.where[crew] != t.UNUSED))


def saucer_edit(table: t.CrashAndGrab, saucer: int, cells: Sequence[int]) -> Edit:
    """What can be set about a saucer."""
    cell = table.cell[saucer]
    name = w.saucer_name(saucer)
    place = board.OFF if cell == NOWHERE else w.cell_text(cell)
    spaces = Field(
        "space", (*map(w.cell_text, cells), board.OFF), place, tuple(board.centre(table, cell) for cell in cells)
    )
    fields = (
        spaces,
        toolkit.numbers("energy", table.energy[saucer], 0, MANY),
        toolkit.numbers("boosters", table.boosters[saucer], 0, MANY),
    )
    return Edit(f"saucer {name}", f"{name} saucer", fields)


def crew_edit(table: t.CrashAndGrab, crew: int) -> Edit:
    """Where a crewmember can be: on a crash site, aboard a saucer, or waiting."""
    sites = sorted(cell for cell in range(t.CELLS) if 0 < table.ground[cell] < t.ACCELERATOR)
    aboard = t.COLOUR_NAMES[: table.saucers[0]]
    where = table.where[crew]
    place = WAITING if where == t.QUEUE else w.cell_text(where) if where < t.CELLS else str(w.crew_place(where))
    spots = tuple(board.centre(table, cell) for cell in sites)
    spots += tuple(board.badge_at(table.saucers[0], saucer) for saucer in range(table.saucers[0]))
    fields = (Field("place", (*map(w.cell_text, sites), *aboard, WAITING), place, spots),)
    return Edit(f"crew {t.crew_name(crew)}", t.crew_name(crew), fields)


def edited(data: dict[str, Any], key: str, name: str, value: str) -> dict[str, Any]:
    """The position with this about the saucer or the crewmember changed; all else stays."""
    kind, _, who = key.partition(" ")
    if kind == "crew":
        others = {other: place for other, place in data.get("crew", {}).items() if other != who}
        return {**data, "crew": others if value == WAITING else {**others, who: value}}
    return changed(data, ("saucers", who, name), None if value == board.OFF else value)
