"""CrashCity as pictures: a table as shapes, and events as effects and paths.

A picture is the city, as large as fits, and beside it a panel with a row for each seat. Pieces are `building 2,0` on
its tile, `car A3` on its lane or on the roof of its work, `tile 2,0` during the turn that lays it; and in the panel
`turn`, `asked`, `frame`, for each seat `stock A` and `parked A`, and during construction `unseen`, the tiles that are
not revealed.
"""

from crashlab.drawing.shapes import Colours, Map, Picture
from crashlab.engine import contract
from crashlab.engine.table import NOWHERE
from crashlab.engine.value_codecs import seat_name
from crashlab.games import toolkit
from crashlab.games.boards import streets
from crashlab.games.crash_city import rules
from crashlab.games.crash_city import state as t
from crashlab.games.crash_city.render import layout, panel, sprites
from crashlab.games.crash_city.render.animation import effects, paths
from crashlab.games.crash_city.render.layout import place_of

__all__ = ["COLOURS", "caption", "effects", "paths", "picture", "place_of", "purses", "seat_paint"]

COLOURS: Colours = {
    "light": {
        # the surroundings of the city, gardens, pavements and yards between its streets, and the roofs of houses
        "meadow": "#E4EBCB",
        "lawn": "#C3DDA2",
        "tree": "#5C9650",
        "pavement": "#F1E6D0",
        "yard": "#D3CCC0",
        "street": "#71767E",
        "street edge": "#FFFFFF",
        "track": "#CDBB95",
        "stripe": "#FFF1BF",
        "water": "#7FB6E6",
        "roof": "#CC1F1A",
    },
    "dark": {
        "meadow": "#1C2418",
        "lawn": "#2C3F24",
        "tree": "#4E8045",
        "pavement": "#39342A",
        "yard": "#33322F",
        "street": "#626975",
        "street edge": "#8B93A0",
        "track": "#5F5440",
        "stripe": "#F4DF9A",
        "water": "#2F5F8C",
    },
    "projector": {
        "meadow": "#F4F7E8",
        "lawn": "#D5EBB8",
        "tree": "#3F7A33",
        "pavement": "#FBF4E4",
        "yard": "#DEDAD2",
        "street": "#5A5F66",
        "track": "#CDBB95",
    },
}


seat_paint = contract.seat_paint


def purses(table: t.CrashCity) -> dict[str, int]:
    """Return the number of parked cars of each player."""
    return {seat_name(seat): rules.score(table, seat) for seat in range(table.players[0])}


def picture(table: t.CrashCity) -> Picture:
    """Draw the table."""
    view = layout.view(table)
    laid = table.laid[0]
    pieces = list(panel.panel_pieces(table))
    if t.is_laying(table):
        pieces.append(sprites.site_piece(table, view))
    pieces += [sprites.building_piece(table, view, tile) for tile in range(laid) if table.building[tile] != NOWHERE]
    if table.hit[0] != NOWHERE:
        pieces.append(sprites.crash_piece(table, view))
    cars = [car for car, where in enumerate(table.where) if where != NOWHERE]
    pieces += [sprites.car_piece(table, view, car) for car in sorted(cars, key=lambda car: table.where[car] < t.ROOF)]
    tiles = tuple(zip(table.spot[:laid], table.street[:laid], table.building[:laid], strict=True))
    board = layout.board_shapes(view, tiles, tuple(table.joined), table.corners[0], table.players[0])
    shown = Map(*layout.MAP, max(1.0, layout.NEAR / view.unit), view)
    return Picture(layout.WIDTH, layout.HEIGHT, board, tuple(pieces), caption(table), shown, COLOURS)


def caption(table: t.CrashCity) -> str:
    """Describe the picture in words."""
    sentences = [panel.heading(table), panel.asked_words(table)]
    sentences += [seat_words(table, seat) for seat in range(table.players[0])]
    tiles = [tile_words(table, tile) for tile in range(1, table.laid[0])]
    sentences.append(f"tiles round the square: {'; '.join(tiles) or 'none'}")
    cars = [sprites.car_words(table, car) for car, where in enumerate(table.where) if where != NOWHERE]
    sentences.append("; ".join(cars) or "no cars yet")
    return toolkit.sentences(sentences)


def seat_words(table: t.CrashCity, seat: int) -> str:
    """Describe the parked cars and the supplies of a seat."""
    left = ", ".join(f"{name} {table.stock[3 * seat + n]}" for n, name in enumerate(t.BUILDING_NAMES))
    return f"{seat_name(seat)} has parked {rules.score(table, seat)} of {t.FLEET} cars and has left {left}"


def tile_words(table: t.CrashCity, tile: int) -> str:
    """Describe a tile with its lanes and its building."""
    words = f"{t.tile_words(table, tile)} with lanes {streets.letters(table.street[tile]) or '?'}"
    if table.building[tile] != NOWHERE:
        words += f" and a {t.BUILDING_NAMES[table.building[tile]]} of {seat_name(table.owner[tile])}"
    return words
