"""What can be changed about a position of Crash by Crash by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from crashlab.engine.notation import changed
from crashlab.engine.prompts import Edit, Field
from crashlab.engine.table import NOWHERE
from crashlab.games import toolkit
from crashlab.games.crash_by_crash import board, cards, figures
from crashlab.games.crash_by_crash import table as t
from crashlab.games.crash_by_crash import words as w

STOCK, SCORED, NONE = "in the stock", "scored", "none"
EVERYWHERE = tuple(w.cell_text(cell) for cell in range(t.CELLS))
FLOWER_CELLS = tuple(cell for cell in range(t.CELLS) if t.TILE[cell] % 2)


def edits(table: t.CrashByCrash) -> tuple[Edit, ...]:
    """What can be set: where each piece is, scores and batteries, hands, which flowers stand, and the turn."""
    found = [car_edit(table, car) for car in range(t.CARS)]
    place = w.cell_text(table.cell[t.OPERATOR])
    found.append(Edit("operator", "the operator", (Field("cell", EVERYWHERE, place, board.CENTRES),)))
    found += [bell_edit(table, bell) for bell in range(t.BELL, t.BELL + t.BELLS)]
    found += [side_edit(table, side) for side in range(2)]
    found += [hand_edit(table, seat) for seat in range(table.players[0])]
    found += [flower_edit(table, tile) for tile in range(1, t.TILES, 2)]
    return (*found, *turn_edits(table))


def car_edit(table: t.CrashByCrash, car: int) -> Edit:
    """Where a car is."""
    place = STOCK if table.cell[car] == NOWHERE else w.cell_text(table.cell[car])
    field = Field("cell", (*EVERYWHERE, STOCK), place, (*board.CENTRES, board.stock_place(table.players[0], car)))
    return Edit(w.piece_key(car), f"{w.piece_key(car)} ({figures.car_piece(table, car).label})", (field,))


def bell_edit(table: t.CrashByCrash, bell: int) -> Edit:
    """Where a bell is: on a flower, or scored."""
    cell = table.cell[bell]
    place = SCORED if cell == NOWHERE else w.cell_text(cell % t.RINGING)
    places = tuple(board.CENTRES[cell] for cell in FLOWER_CELLS)
    field = Field("cell", (*map(w.cell_text, FLOWER_CELLS), SCORED), place, places)
    key = w.piece_key(bell)
    return Edit(key, f"{key} ({place})", (field,))


def side_edit(table: t.CrashByCrash, side: int) -> Edit:
    """The points of a side, its batteries, and whether it may use them."""
    fields = (
        toolkit.numbers("score", table.score[side], 1, 99),
        toolkit.numbers("batteries", table.batteries[side], 0, 4),
        Field("banned", ("no", "yes"), "yes" if table.banned[side] else "no"),
    )
    return Edit(f"score {w.SIDES[side]}", f"points and batteries of {w.SIDES[side]}", fields)


def hand_edit(table: t.CrashByCrash, seat: int) -> Edit:
    """The cards in a hand."""
    held = [w.TITLES[card] if card >= 0 else NONE for card in cards.hand(table, seat)]
    held += [NONE] * (t.HAND - len(held))
    fields = tuple(Field(f"card {number + 1}", (*w.TITLES, NONE), card) for number, card in enumerate(held))
    return Edit(f"card {w.SEATS[seat]} 1", f"hand of {w.SEATS[seat]}", fields)


def flower_edit(table: t.CrashByCrash, tile: int) -> Edit:
    """Whether a flower stands."""
    middle = w.place_words(t.cells_of(tile)[0])
    field = Field("flower", ("there", "gone"), "gone" if table.gone[tile] else "there")
    return Edit(f"flower {tile}", f"the flower round {middle}", (field,))


def turn_edits(table: t.CrashByCrash) -> tuple[Edit, ...]:
    """The number of the turn, and whose it is."""
    if table.turn[0] == 0:
        return ()
    asked = Field("asked", tuple(w.SEATS[: table.players[0]]), w.SEATS[table.asked[0]])
    return (Edit("turn", "the turn", (toolkit.numbers("turn", table.turn[0], 1, 99), asked)),)


def edited(data: dict[str, Any], key: str, name: str, value: str) -> dict[str, Any]:
    """The position with this changed; all else stays."""
    kind, _, which = key.partition(" ")
    if kind in w.SIDES:
        return {**data, kind: side_edited(data[kind], which, value)}
    if kind == "score":
        return changed(data, (which, name), value == "yes" if name == "banned" else value)
    if kind == "card":
        cards = list(data.get("hands", {}).get(which[0], []))
        cards += [None] * (t.HAND - len(cards))
        cards[int(name.partition(" ")[2]) - 1] = None if value == NONE else value
        return {**data, "hands": {**data.get("hands", {}), which[0]: [card for card in cards if card]}}
    if kind == "bell":
        return {**data, "bells": changed_place(data["bells"], int(which) - 1, value, SCORED)}
    if kind == "flower":
        return flower_edited(data, int(which), value)
    return {**data, "operator" if kind == "operator" else name: value}


def side_edited(entry: dict[str, Any], car: str, value: str) -> dict[str, Any]:
    """A side with one of its cars elsewhere."""
    if car == "magnet":
        return {**entry, "magnet": None if value == STOCK else value}
    return {**entry, "cars": changed_place(entry["cars"], int(car) - 1, value, STOCK)}


def changed_place(places: Sequence[Any], number: int, value: str, away: str) -> list[Any]:
    """The places with one changed."""
    found = [*places, *[None] * (number + 1 - len(places))]
    found[number] = None if value == away else value
    return found


def flower_edited(data: dict[str, Any], tile: int, value: str) -> dict[str, Any]:
    """The position with a flower there, or gone with all that is on it."""
    cells = t.cells_of(tile)
    gone = [place for place in data.get("gone", []) if w.read_cell(place) not in cells]
    if value == "there":
        return {**data, "gone": gone}
    left = {side: without(data[side], cells) for side in w.SIDES}
    bells = [None if bell is not None and w.read_cell(bell) in cells else bell for bell in data["bells"]]
    return {**data, **left, "bells": bells, "gone": [*gone, w.cell_text(cells[0])]}


def without(entry: dict[str, Any], cells: Sequence[int]) -> dict[str, Any]:
    """A side without its cars on these cells."""
    cars = [None if car is not None and w.read_cell(car) in cells else car for car in entry["cars"]]
    magnet = entry.get("magnet")
    return {**entry, "cars": cars, "magnet": None if magnet and w.read_cell(magnet) in cells else magnet}
