"""Positions of Crash by Crash as text, as JSON, and back.

A position is one line, for example

    turn 8; asked B; gone 1.3; bells - 1.7 5.0 3.5 4.11 6.4 7.9 9.1 11.6 10.10; operator 9.6; blue 6.5 6.6 M8.5, score 17; orange 7.6 - 7.5 8.2, score 12, batteries 3; hands A Ride Tandem, B Lambada; display Shady - Hit; discards Ride*2

where `M` marks a magnetic car, `-` a number that is not there: a car in the stock, a bell on the scoring card, no
face-up card. After a side's cars come its score (10), its batteries (4), and `banned` if it may use none; `B ???` is a
hand of three cards that the onlooker may not see. Flowers are gone where the cells are that `gone` names. The same as
JSON:

    {"turn": 8, "asked": "B", "gone": [[1, 3]], "bells": "- 1.7 5.0 3.5 4.11 6.4 7.9 9.1 11.6 10.10", "operator": [9, 6],
     "blue": {"cars": [[6, 5], [6, 6]], "magnet": [8, 5], "score": 17}, "orange": "7.6 - 7.5 8.2, score 12, batteries 3",
     "hands": {"A": ["Free Ride", "Tandem"], "B": "Lambada"}, "display": ["Shady Exception", null, "Double Hit"],
     "discards": "Ride*2"}

By default it is turn 6, the first in which bells may ring; there is a bell on every star that is left; and of what else
is not named there is nothing. `floor X0 F0 X1+3 F1+2 ...` are the 25 tiles row by row, X or flower, with their numbers
and sixths of a turn counter-clockwise; by default they lie in the order of their numbers, unturned. Within a turn a
position also has parts like `acted 1`, `placed 1`, `scored 1`, `bound Tandem`, `phase drawing`, `owed 2`, `drawn Ride
Shady`; at set-up it begins with `phase set-up`.
"""  # noqa: E501

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from crashlab.chance import Random
from crashlab.errors import CrashlabError, shown
from crashlab.games.crash_by_crash import rules
from crashlab.games.crash_by_crash import table as t
from crashlab.games.crash_by_crash.facts import hand_facts
from crashlab.games.crash_by_crash.impossible import COUNTS, wrong_moment
from crashlab.games.crash_by_crash.secrets import dealt
from crashlab.games.crash_by_crash.table import CrashByCrash
from crashlab.games.crash_by_crash.words import (
    COUNTING,
    PHASES,
    SEATS,
    SIDES,
    TITLES,
    card_text,
    cards_of,
    cards_text,
    cell_text,
    counted_text,
    hand_text,
    place,
    read_card,
    read_cell,
    seat_name,
)
from crashlab.happen import HIDDEN, NOWHERE
from crashlab.notation import (
    about,
    as_list,
    check_keys,
    chosen,
    fields,
    flag,
    named_values,
    nothing,
    pieces,
    read_seat,
    refuse,
    renamed,
    sections,
    trimmed,
    unique,
    whole,
)
from crashlab.options import Value

KEYS = (
    "turn", "asked", "phase", "acted", "placed", "scored", "bound", "owed", "first", "scorings", "floor", "gone",
    "bells", "operator", *SIDES, "hands", "display", "drawn", "discards",
)  # fmt: skip
SIDE_KEYS = ("cars", "magnet", "score", "batteries", "banned")


def scalar_text(table: CrashByCrash, key: str) -> int | str | None:
    """A part of the position that is one word; None if it is at its default."""
    number: int = vars(table)[key][0]
    if key == "asked":
        return SEATS[number]
    if key == "turn":
        return number or None
    if key == "phase":
        return None if number == t.ACTION else PHASES[number]
    if key == "bound":
        return None if number == NOWHERE else TITLES[number]
    if key == "first":
        return SEATS[number] if number else None
    return number if number != (default_scorings(table) if key == "scorings" else 0) else None


def default_scorings(table: CrashByCrash) -> int:
    """CB-E1: every scoring takes a bell from the floor."""
    return table.cell[t.BELL :].count(NOWHERE)


def listed(cells: Iterable[int]) -> list[list[int] | str | None]:
    """Cells as JSON, without the last ones that are nowhere; a bell that rings as in notation."""
    return trimmed(
        None if cell == NOWHERE else cell_text(cell) if cell >= t.RINGING else list(place(cell)) for cell in cells
    )


def to_dict(table: CrashByCrash) -> dict[str, Any]:
    """The position as plain JSON."""
    floor = [tile_text(table, tile) for tile in range(t.TILES)]
    parts: dict[str, Any] = {
        "floor": floor if floor != default_floor() else [],
        "gone": listed(t.cells_of(tile)[0] for tile in range(t.TILES) if table.gone[tile]),
        "bells": listed(table.cell[t.BELL :]),
        "operator": list(place(table.cell[t.OPERATOR])),
        **{SIDES[side]: side_dict(table, side) for side in range(2)},
        "hands": {SEATS[seat]: hand_dict(table, seat) for seat in range(table.players[0]) if table.held[seat]},
        "display": named(table.display),
        "drawn": named(table.drawn),
        "discards": named(cards_of(table.discards)),
    }
    data = {key: parts[key] if key in parts else scalar_text(table, key) for key in KEYS}
    return {key: value for key, value in data.items() if key == "bells" or value not in (None, [], {})}


def named(cards: Iterable[int]) -> list[str | None]:
    """Cards as JSON; none if there is not one, `?` for a hidden one."""
    things = [None if card == NOWHERE else "?" if card == HIDDEN else TITLES[card] for card in cards]
    return things if any(things) else []


def hand_dict(table: CrashByCrash, seat: int) -> list[str] | str:
    """A hand as JSON."""
    cards = hand_facts(table, seat)
    return cards if isinstance(cards, str) else list(cards)


def default_floor() -> list[str]:
    """The tiles in the order of their numbers, unturned."""
    return [f"{'XF'[tile % 2]}{tile // 2}" for tile in range(t.TILES)]


def tile_text(table: CrashByCrash, tile: int) -> str:
    """A tile, as in F7+2: flower 7, turned by two sixths counter-clockwise."""
    turned = table.turned[tile]
    return f"{'XF'[tile % 2]}{table.tile[tile]}" + (f"+{turned}" if turned else "")


def side_dict(table: CrashByCrash, side: int) -> dict[str, Any]:
    """A side as plain JSON."""
    *cars, magnet = table.cell[t.FLEET * side : t.FLEET * (side + 1)]
    entry: dict[str, Any] = {"cars": listed(cars)}
    if magnet != NOWHERE:
        entry["magnet"] = list(place(magnet))
    entry["score"], entry["batteries"] = table.score[side], table.batteries[side]
    if table.banned[side]:
        entry["banned"] = True
    return entry


def write(table: CrashByCrash) -> str:
    """The position as one line."""
    data = to_dict(table)
    lines: dict[str, str] = {
        "floor": " ".join(data.get("floor", ())),
        "gone": cells_text(t.cells_of(tile)[0] for tile in range(t.TILES) if table.gone[tile]),
        "bells": cells_text(table.cell[t.BELL :]),
        "operator": cell_text(table.cell[t.OPERATOR]),
        **{SIDES[side]: side_line(table, side) for side in range(2)},
        "hands": ", ".join(f"{seat} {hand_text(table, SEATS.index(seat))}" for seat in data.get("hands", ())),
        "display": cards_text(table.display),
        "drawn": cards_text(table.drawn),
        "discards": counted_text(table.discards),
        "bound": card_text(table.bound[0]),
    }
    return "; ".join(f"{key} {lines.get(key, data[key])}".strip() for key in data)


def cells_text(cells: Iterable[int]) -> str:
    """Cells in notation, without the last ones that are nowhere; `-` if all are."""
    words = " ".join(map(cell_text, cells)).rstrip("- ")
    return words or "-"


def side_line(table: CrashByCrash, side: int) -> str:
    """A side in the line, as in `6.4 - 6.5 M8.6, score 17, batteries 3, banned`."""
    *cars, magnet = table.cell[t.FLEET * side : t.FLEET * (side + 1)]
    words = cells_text(cars)
    if magnet != NOWHERE:
        words = f"{words} M{cell_text(magnet)}" if words != "-" else f"M{cell_text(magnet)}"
    marks = [words, f"score {table.score[side]}"]
    if table.batteries[side] != 4:
        marks.append(f"batteries {table.batteries[side]}")
    return ", ".join([*marks, "banned"] if table.banned[side] else marks)


def read(options: Mapping[str, Value], line: str) -> CrashByCrash:
    """The table of a position in one line; refused with the reason if it is malformed or impossible."""
    data = sections(line, KEYS)
    if "hands" in data:
        data["hands"] = unique("hands", [hand.partition(" ")[::2] for hand in pieces(data["hands"], ",")])
    return from_dict(options, data)


def from_dict(options: Mapping[str, Value], data: Mapping[str, Any]) -> CrashByCrash:
    """The table of a position in JSON; refused with the reason if it is malformed or impossible."""
    check_keys(data, KEYS)
    table = t.empty(options)
    phase = chosen(data["phase"], PHASES, "phase") if "phase" in data else None
    if phase != t.SET_UP and not any(side in data for side in SIDES):
        raise CrashlabError(
            'position: the cars are needed, as in {"blue": "6.4 6.5", "orange": "6.6 7.6"}, or {"phase": "set-up"}'
        )
    lay_tiles(table, data.get("floor"))
    dig_holes(table, data.get("gone"))
    for side, name in enumerate(SIDES):
        put_side(table, side, data.get(name, ""))
    put_bells(table, data.get("bells"))
    put_operator(table, data.get("operator"))
    put_cards(table, data)
    for key in COUNTS:
        vars(table)[key][0] = whole(data[key], key) if key in data else default_count(table, key, phase)
    table.bound[0] = read_card(data["bound"]) if "bound" in data else NOWHERE
    table.phase[0] = t.ACTION if phase is None else phase
    table.first[0] = read_seat(data["first"], table.players[0], "first") if "first" in data else 0
    next_seat = t.seat_to_place(table) if table.phase[0] == t.SET_UP else 0
    table.asked[0] = read_seat(data["asked"], table.players[0], "asked") if "asked" in data else next_seat
    wrong = [renamed(complaint, "side", SIDES.__getitem__) for complaint in t.problems(dealt(table, Random(0)))]
    refuse(wrong + wrong_moment(table))
    return table


def default_count(table: CrashByCrash, key: str, phase: int | None) -> int:
    """What a number is that a position does not name."""
    if key == "scorings":
        return default_scorings(table)
    has_cars = any(cell != NOWHERE for cell in table.cell[: t.CARS])
    return rules.EARLIEST if key == "turn" and phase != t.SET_UP and has_cars else 0


def lay_tiles(table: CrashByCrash, floor: object) -> None:
    """CB-F2, CB-F3: the tiles row by row."""
    words = floor.split() if isinstance(floor, str) else default_floor() if floor is None else floor
    if not isinstance(words, (list, tuple)) or len(words) != t.TILES:
        raise CrashlabError(f"floor: 25 tiles are wanted, row by row, as in 'X0 F0 X1+3 ...', not {shown(floor)}")
    for tile, word in enumerate(words):
        kind, most = "XF"[tile % 2], 12 - tile % 2
        found = re.fullmatch(rf"{kind}([0-9]{{1,2}})(?:\+([0-5]))?", word) if isinstance(word, str) else None
        if not found or int(found[1]) > most:
            what = "a flower F0 to F11" if tile % 2 else "an X tile X0 to X12"
            raise CrashlabError(
                f"floor: tile {tile + 1} is {what}, as in '{kind}4' or '{kind}4+3', not {shown(word)} (CB-F2)"
            )
        number, turned = int(found[1]), int(found[2] or 0)
        if tile % 2 == 0 and turned not in (0, 3):
            raise CrashlabError(f"floor: {word!r} does not fit; an X tile is turned by 3 sixths or not at all (CB-F3)")
        if number in table.tile[tile % 2 : tile : 2]:
            raise CrashlabError(f"floor: {kind}{number} stands twice (CB-F3)")
        t.lay_tile(table, tile, number, turned)


def read_cells(cells: object, where: str) -> list[int]:
    """Cells from `6.4 - 6.5` or [[6, 4], null, [6, 5]]."""
    words = cells.split() if isinstance(cells, str) else [] if cells is None else cells
    with about(where):
        words = as_list(words, "cells are wanted, as in '6.4 6.5'")
        return [NOWHERE if nothing(word, "-") else read_cell(word) for word in words]


def dig_holes(table: CrashByCrash, cells: object) -> None:
    """CB-E1: flowers leave the game."""
    for cell in read_cells(cells, "gone"):
        if cell == NOWHERE or t.TILE[cell] % 2 == 0:
            raise CrashlabError(f"gone: only flowers leave the game, and {cell_text(cell)} is on none (CB-E1)")
        if table.gone[t.TILE[cell]]:
            raise CrashlabError(f"gone: the flower of {cell_text(cell)} stands twice")
        table.gone[t.TILE[cell]] = 1


def put_bells(table: CrashByCrash, cells: object) -> None:
    """CB-F4: the bells in the order of their numbers, by default on the stars that are left."""
    if cells is None:
        for tile in range(1, t.TILES, 2):
            if not table.gone[tile] and t.star(table, tile) != NOWHERE:
                table.cell[t.BELL + table.tile[tile]] = t.star(table, tile)
        return
    found = read_cells(cells, "bells")
    if len(found) > t.BELLS:
        raise CrashlabError(f"bells: there are {len(found)}, and the game has ten (CB-F4)")
    table.cell[t.BELL : t.BELL + len(found)] = found


def put_operator(table: CrashByCrash, cell: object) -> None:
    """CB-F4, CB-F5: the operator, by default in the middle of flower 10; in a hole he is on its middle cell."""
    if cell is None:
        table.cell[t.OPERATOR] = t.cells_of(2 * table.tile[1::2].index(t.BELLS) + 1)[0]
        return
    with about("operator"):
        table.cell[t.OPERATOR] = read_cell(cell)
    tile = t.TILE[table.cell[t.OPERATOR]]
    if table.gone[tile]:
        table.cell[t.OPERATOR] = t.cells_of(tile)[0]


def read_side_line(name: str, line: str) -> dict[str, Any]:
    """A side that is written like `6.4 - 6.5 M8.6, score 17, batteries 3, banned`, as it would stand in JSON."""
    entry: dict[str, Any] = {}
    for number, part in enumerate(pieces(line, ",")):
        key, _, value = part.partition(" ")
        found: dict[str, Any] = {key: value if value else key == "banned"}
        if key not in SIDE_KEYS:
            magnets = [word[1:] for word in part.split() if word[0] == "M"]
            if number or len(magnets) > 1:
                raise CrashlabError(
                    f"{name}: cannot read {shown(part)}; write a side like '6.4 6.5 M8.6, score 12, batteries 3'"
                )
            found = {"cars": [word for word in part.split() if word[0] != "M"]}
            found |= {"magnet": magnets[0]} if magnets else {}
        if found.keys() & entry:
            raise CrashlabError(f"{name}: {key} stands twice")
        entry |= found
    return entry


def put_side(table: CrashByCrash, side: int, entry: object) -> None:
    """CB-S1: a side's cars, score and batteries, from JSON or a line."""
    name = SIDES[side]
    if isinstance(entry, str):
        entry = read_side_line(name, entry)
    entry = fields(entry, SIDE_KEYS, name, "6.4 6.5 M8.6, score 12")
    cars = read_cells(entry.get("cars"), f"{name}, cars")
    if len(cars) > t.STANDARD:
        raise CrashlabError(f"{name}: {len(cars)} standard cars are too many; a side has ten (CB-S1)")
    table.cell[t.FLEET * side : t.FLEET * side + len(cars)] = cars
    if not nothing(entry.get("magnet"), "-"):
        table.cell[t.FLEET * side + t.STANDARD] = read_cells([entry["magnet"]], f"{name}, magnet")[0]
    table.score[side] = whole(entry.get("score", 10), f"{name}, score")
    table.batteries[side] = whole(entry.get("batteries", 4), f"{name}, batteries")
    table.banned[side] = int(flag(entry.get("banned", False), f"{name}, banned"))


def read_cards(cards: object, where: str) -> list[int]:
    """Cards from `Ride Tandem*2` or ["Free Ride", "Tandem", "Tandem"]; `-` or null is none, `?` a hidden one."""
    words = split_cards(cards) if isinstance(cards, str) else cards
    found: list[int] = []
    for word in as_list(words, f"{where}: cards are wanted, as in 'Ride Tandem'"):
        name, star_, number = word.partition("*") if isinstance(word, str) else (word, "", "")
        if star_ and number not in ("1", "2", "3"):
            raise CrashlabError(f"{where}: {shown(word)} is not one to three cards of a kind (CB-S1)")
        if nothing(name, "-"):
            meant = [NOWHERE]
        elif isinstance(name, str) and re.fullmatch(r"\?+", name):
            meant = [HIDDEN] * len(name)
        else:
            with about(where):
                meant = [read_card(name)]
        found += meant * int(number or 1)
    return found


def split_cards(line: str) -> list[str]:
    """A line of cards as a list; a whole name of several words is one card."""
    words, names = line.split(), []
    whole_names = {name.casefold() for edition in t.CARD_NAMES.values() for name in edition}
    while words:
        long = next(
            n for n in range(min(4, len(words)), 0, -1) if n == 1 or " ".join(words[:n]).casefold() in whole_names
        )
        names.append(" ".join(words[:long]))
        del words[:long]
    return names


def put_cards(table: CrashByCrash, data: Mapping[str, Any]) -> None:
    """CB-S1, CB-T4, CB-V1: hands, face-up cards, drawn cards and discards."""
    players = table.players[0]
    hands = ((read_seat(name, players, "hands"), entry) for name, entry in named_values(data, "hands").items())
    for seat, entry in unique("hands", hands, seat_name).items():
        put_hand(table, seat, read_cards(entry, f"hands, {seat_name(seat)}"))
    for key, row, most in (("display", table.display, 3), ("drawn", table.drawn, 2)):
        cards = read_cards(data.get(key, []), key)
        if len(cards) > most or (key == "display" and HIDDEN in cards):
            raise CrashlabError(
                f"{key}: at most {COUNTING[most]} cards are wanted, as in 'Ride Tandem', not {shown(data[key])}"
            )
        row[: len(cards)] = cards
    for card in read_cards(data.get("discards", []), "discards"):
        if card < 0:
            raise CrashlabError("discards: every card that lies there is known (CB-T4)")
        table.discards[card] += 1
    for card in range(t.KINDS):
        if known(table, card) > t.copies(table, card):
            raise CrashlabError(
                f"{known(table, card)} cards {TITLES[card]}: the game has {t.copies(table, card)} (CB-S1)"
            )


def known(table: CrashByCrash, card: int) -> int:
    """How many cards of a kind are seen in hands, among the drawn or face-up ones or in the discards."""
    hands = sum(max(0, table.hand[t.KINDS * seat + card]) for seat in range(4))
    return hands + table.display.count(card) + table.drawn.count(card) + table.discards[card]


def put_hand(table: CrashByCrash, seat: int, cards: list[int]) -> None:
    """CB-S1: the cards in a hand, or how many there are."""
    if len(cards) > t.HAND or NOWHERE in cards:
        raise CrashlabError(f"hands: {SEATS[seat]} has at most three cards (CB-S1)")
    if HIDDEN in cards and set(cards) != {HIDDEN}:
        raise CrashlabError(f"hands: {SEATS[seat]} has cards that are hidden and others that are not")
    table.held[seat] = len(cards)
    for card in cards:
        if card != HIDDEN:
            table.hand[t.KINDS * seat + card] += 1
    if HIDDEN in cards:
        table.hand[t.KINDS * seat : t.KINDS * (seat + 1)] = [HIDDEN] * t.KINDS
