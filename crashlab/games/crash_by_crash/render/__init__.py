"""The pictures of Crash by Crash: a table as shapes, and events as effects and paths.

A picture shows the floor with its 25 tiles, a panel beside it with a block for each side, and below it cards with their
texts: the hand of the seat whose turn it is, and the face-up cards. Pieces are `blue 1` ... `orange magnet` (in the
panel while they are in the stock), `operator`, `bell 1` ... (on the scoring track after their scoring), `pull blue`
(round a magnet), `card A 1` ..., `face up 1` ..., `drawn 1` ..., `pile`; in the panel `score blue`, `batteries blue`,
`turn`, and a piece named after the current decision, such as `the first action`.
"""

from crashlab.drawing.shapes import Colours, Picture
from crashlab.engine.notation import capital
from crashlab.engine.table import NOWHERE
from crashlab.games.crash_by_crash import notation as w
from crashlab.games.crash_by_crash import rules
from crashlab.games.crash_by_crash import state as t
from crashlab.games.crash_by_crash.notation import DECISIONS
from crashlab.games.crash_by_crash.render import layout, panel, sprites
from crashlab.games.crash_by_crash.render.animation import effects, paths
from crashlab.games.crash_by_crash.render.sprites import place_of

__all__ = ["COLOURS", "caption", "effects", "paths", "picture", "place_of", "purses", "seat_paint"]

COLOURS: Colours = {
    "light": {
        # tiles with values, holes, and the operator
        "value 0": "#FBFCFF",
        "value 0 ink": "#1C2B45",
        "value 1": "#D3E4F8",
        "value 1 ink": "#1C2B45",
        "value 2": "#9CC1EA",
        "value 2 ink": "#14233C",
        "value 3": "#5E90CC",
        "value 3 ink": "#0A1526",
        "value edge": "#AEBBD0",
        "seam": "#2A3A55",
        "hole": "#3A2A1E",
        "hole deep": "#120B07",
        "hole edge": "#1E140D",
        "magnet": "#CC1F1A",
        "skin": "#F1C9A5",
    },
    "dark": {
        "value 0": "#DCE3EE",
        "value 1": "#AFC6E2",
        "value 2": "#7CA0CE",
        "value 3": "#4C74AC",
        "value 3 ink": "#050A14",
        "value edge": "#8293AD",
        "seam": "#0E1726",
        "hole": "#0D0A08",
        "hole deep": "#000000",
        "hole edge": "#7A5C3C",
    },
    "projector": {
        "value 0": "#FFFFFF",
        "value 1": "#BCD7F5",
        "value 2": "#7BADE3",
        "value 3": "#3A78C2",
        "value 3 ink": "#000000",
        "value edge": "#75869F",
        "seam": "#111111",
        "hole": "#2A1C12",
    },
}


def seat_paint(table: t.CrashByCrash, seat: int) -> str:
    """Return the colour of a seat's side."""
    return f"seat {seat & 1}"


def purses(table: t.CrashByCrash) -> dict[str, int]:
    """Return the points of each side."""
    return {name: rules.score(table, side) for side, name in enumerate(w.SIDES)}


def picture(table: t.CrashByCrash) -> Picture:
    """Draw the table."""
    here = [car for car in range(t.CARS) if table.cell[car] != NOWHERE]
    pieces = [panel.turn_piece(table)]
    if table.phase[0] != t.OVER:
        pieces.append(panel.mark_piece(table))
    for side in range(2):
        pieces += panel.side_pieces(table, side)
    pieces += sprites.card_pieces(table)
    pieces += [sprites.pull_piece(table, car // t.FLEET) for car in here if rules.is_magnet(car)]
    bells = range(t.BELL, t.BELL + t.BELLS)
    pieces += [sprites.bell_piece(table, bell) for bell in bells if table.cell[bell] < t.RINGING]
    pieces += [sprites.car_piece(table, car) for car in range(t.CARS)]
    pieces.append(sprites.operator_piece(table))
    pieces += [sprites.bell_piece(table, bell) for bell in bells if table.cell[bell] >= t.RINGING]
    board = layout.board_shapes(tuple(table.value), tuple(table.gone), table.players[0])
    return Picture(layout.WIDTH, layout.HEIGHT, board, tuple(pieces), caption(table), colours=COLOURS)


def caption(table: t.CrashByCrash) -> str:
    """Describe the picture in words."""
    who = "" if table.phase[0] == t.OVER else f" {w.SEATS[table.asked[0]]} decides about {panel.asked_words(table)}."
    done = f"{table.scorings[0]} of {rules.LAST} scorings are done."
    sentences = [f"{panel.heading(table)}, {DECISIONS[table.phase[0]].name}.{who} {done}"]
    sentences += [f"{side_words(table, side)}." for side in range(2)]
    where = sprites.operator_piece(table).label
    bells = [w.place_words(cell % t.RINGING) for cell in table.cell[t.BELL :] if cell != NOWHERE]
    holes = [w.place_words(t.cells_of(tile)[0]) for tile in range(t.TILES) if table.gone[tile]]
    sentences += [f"{capital(where)}.", f"Bells: {', '.join(bells) or 'none'}."]
    sentences.append(f"Holes: {', '.join(holes) or 'none'}.")
    for seat in range(table.players[0]):
        titles = [w.TITLES[card] if card >= 0 else "hidden" for card in sprites.hand(table, seat)]
        sentences.append(f"Hand of {w.SEATS[seat]}: {', '.join(titles) or 'empty'}.")
    face_up = [w.TITLES[card] for card in table.display if card != NOWHERE]
    if face_up:
        sentences.append(f"Face up: {', '.join(face_up)}.")
    return " ".join([*sentences, f"Cards: pile {t.pile_size(table)}, {sprites.discard_words(table)}."])


def side_words(table: t.CrashByCrash, side: int) -> str:
    """Describe a side: points, batteries and cars."""
    *cars, magnet = table.cell[t.FLEET * side : t.FLEET * (side + 1)]
    places = [f"{w.place_words(cell)} value {table.value[cell]}" for cell in cars if cell != NOWHERE]
    magnetic = f", magnetic car on {w.place_words(magnet)} value {table.value[magnet]}" if magnet != NOWHERE else ""
    banned = ", which may not be used" if table.banned[side] else ""
    name = w.SIDES[side]
    return (
        f"{capital(name)}: {table.score[side]} points, {table.batteries[side]} batteries{banned}, cars on "
        f"{', '.join(places) or 'no cell'}{magnetic}, {cars.count(NOWHERE)} in the stock"
    )
