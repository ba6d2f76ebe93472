"""Where what a program holds lies on a picture of Crash & Grab."""

from __future__ import annotations

from crashlab.drawing.shapes import Point
from crashlab.engine.table import NOWHERE
from crashlab.games import toolkit
from crashlab.games.crash_and_grab import board, figures
from crashlab.games.crash_and_grab import table as t
from crashlab.games.crash_and_grab import words as w
from crashlab.games.crash_and_grab.facts import Saucer

SAUCERS = {f"{lead}{name}": saucer for saucer, name in enumerate(t.COLOUR_NAMES) for lead in ("", "saucer ")}
CREW = {f"{lead}{t.crew_name(crew)}": crew for crew in range(t.CREW) for lead in ("", "crew ")}
SITES = {f"site {number}": number for number in range(1, t.SITES + 1)}


def place_of(table: t.CrashAndGrab, value: object) -> Point | None:
    """A space: (3, 4), "34" or 34. A space of a tile, with its row and column as it lies: (2, 0, 3) for tile 2.

    A crash site: "site 7". A saucer, off the board on its badge: "red"; one of `state.saucers` while it has a space. A
    crewmember, also aboard and in the queue: "red pilot".
    """
    finders = (space_at, space_on_tile, site_at, saucer_at, crew_at)
    return toolkit.place_of(table, value.space if type(value) is Saucer else value, finders)


def space_at(table: t.CrashAndGrab, words: object) -> Point | None:
    """The middle of a space."""
    cell = w.read_cell(f"{words:02}" if isinstance(words, int) else words)
    return board.centre(table, cell) if max(divmod(cell, 10)) < table.size[0] else None


def space_on_tile(table: t.CrashAndGrab, words: object) -> Point | None:
    """The middle of a space, counted from the upper left one of its tile."""
    if not isinstance(words, tuple) or len(words) != 3:
        return None
    tile, down, across = words
    for place in range(t.PLACES):
        row, column, height, width = t.layout(table.size[0], place)
        if w.tile_number(table, place) == tile and down in range(height) and across in range(width):
            return board.centre(table, 10 * (row + down) + column + across)
    return None


def site_at(table: t.CrashAndGrab, words: object) -> Point | None:
    """The middle of the space of a crash site."""
    cell = t.site(table, SITES[words]) if isinstance(words, str) and words in SITES else NOWHERE
    return board.centre(table, cell) if cell != NOWHERE else None


def saucer_at(table: t.CrashAndGrab, words: object) -> Point | None:
    """Where a saucer is drawn."""
    saucer = SAUCERS.get(words, NOWHERE) if isinstance(words, str) else NOWHERE
    return figures.saucer_place(table, saucer) if saucer in range(table.saucers[0]) else None


def crew_at(table: t.CrashAndGrab, words: object) -> Point | None:
    """Where a crewmember is drawn: on the board, aboard or waiting."""
    drawn = figures.crew_places(table).get(CREW[words]) if isinstance(words, str) and words in CREW else None
    return drawn[:2] if drawn else None
