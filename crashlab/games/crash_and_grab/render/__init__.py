"""Crash & Grab as pictures: a table as shapes, and events as effects and paths.

A picture is a square board with its four markers, below it the queues, and beside it a panel with a row for each
saucer. Pieces are `saucer red` ..., `crew red pilot` ... at their places (on the board, aboard, waiting),
`upgrade 4` ... with a saucer or, drawn, as a card with its text; and in the panel `energy red`, `boosters red`,
`card red`, `order red`, `override red`, `stationed red`, `probe`, `turn`, `round`, `spin`.
"""

from crashlab.drawing.shapes import Picture
from crashlab.engine.table import NOWHERE
from crashlab.engine.value_codecs import seat_name
from crashlab.games import toolkit
from crashlab.games.crash_and_grab import notation as w
from crashlab.games.crash_and_grab import rules
from crashlab.games.crash_and_grab import state as t
from crashlab.games.crash_and_grab.render import layout, panel, sprites
from crashlab.games.crash_and_grab.render.animation import effects, paths
from crashlab.games.crash_and_grab.render.sprites import place_of

__all__ = ["caption", "effects", "paths", "picture", "place_of", "purses", "seat_paint"]


def seat_paint(table: t.CrashAndGrab, seat: int) -> str:
    """Return the colour of a player: the colour of the player's first saucer."""
    return layout.PAINTS[panel.first_saucer(table, seat)]


def purses(table: t.CrashAndGrab) -> dict[str, int]:
    """Return the number of types that each player has aboard."""
    return {seat_name(seat): rules.score(table, seat) for seat in range(table.players[0])}


def picture(table: t.CrashAndGrab) -> Picture:
    """Draw the table."""
    saucers = range(table.saucers[0])
    pieces = [*panel.panel_pieces(table)]
    for saucer in saucers:
        pieces += panel.row_pieces(table, saucer)
    pieces += [
        *sprites.crew_pieces(table),
        *(sprites.saucer_piece(table, saucer) for saucer in reversed(saucers)),
        *sprites.site_pieces(table),
    ]
    pieces += sprites.drawn_pieces(table)
    board = layout.board_shapes(table.size[0], tuple(table.ground), len(saucers), table.players[0])
    return Picture(layout.WIDTH, layout.HEIGHT, board, tuple(pieces), caption(table))


def caption(table: t.CrashAndGrab) -> str:
    """Describe the picture in words."""
    sentences = [panel.heading(table), panel.asked_words(table)]
    if table.turn[0] != NOWHERE:
        sentences.append(f"It is the turn of {w.saucer_name(table.turn[0])}")
    sentences.append(f"{panel.player_name(table, table.probe[0])} has the probe")
    if table.spin[0]:
        sentences.append(panel.spin_words(table.spin[0]))
    sentences += [row_words(table, saucer) for saucer in range(table.saucers[0])]
    on_board = [sprites.crew_words(table, crew) for crew in range(t.CREW) if 0 <= table.where[crew] < t.ABOARD]
    sentences.append(f"crew on the board: {', '.join(on_board) or 'none'}")
    pads = [t.place_words(cell) for cell, kind in enumerate(table.ground) if kind == t.ACCELERATOR]
    sentences.append(f"accelerators: {'; '.join(pads)}")
    return toolkit.sentences(sentences)


def row_words(table: t.CrashAndGrab, saucer: int) -> str:
    """Describe a saucer with its supplies, crew, upgrades and plan."""
    crew = ", ".join(map(t.crew_name, sprites.crew_aboard(table, saucer))) or "no crew"
    words = [
        sprites.saucer_words(table, saucer),
        f"energy {table.energy[saucer]}",
        f"boosters {table.boosters[saucer]}",
        crew,
    ]
    words += [w.TITLES[card] for card in panel.upgrades_of(table, saucer)]
    if table.plan[saucer] != t.UNPLANNED:
        words.append(panel.plan_words(table.plan[saucer]))
    return ", ".join(words)
