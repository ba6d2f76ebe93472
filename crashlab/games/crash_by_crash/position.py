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
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from crashlab.base.errors import CrashlabError, shown
from crashlab.engine.notation import (
    about,
    as_list,
    fields,
    flag,
    mapping,
    nothing,
    pieces,
    read_seat,
    trimmed,
    unique,
    whole,
)
from crashlab.engine.position import NEEDED, Part, single
from crashlab.engine.table import HIDDEN, NOWHERE
from crashlab.engine.words import counted, maybe, seat
from crashlab.games.crash_by_crash import rules
from crashlab.games.crash_by_crash import table as t
from crashlab.games.crash_by_crash import words as w
from crashlab.games.crash_by_crash.decisions import PHASE
from crashlab.games.crash_by_crash.facts import hand_facts
from crashlab.games.crash_by_crash.impossible import impossible
from crashlab.games.crash_by_crash.table import CrashByCrash

__all__ = ["PARTS", "impossible"]

# The floor


def default_floor(table: CrashByCrash) -> list[str]:
    """The tiles in the order of their numbers, unturned."""
    return [f"{'XF'[tile % 2]}{tile // 2}" for tile in range(t.TILES)]


def floor_value(table: CrashByCrash) -> list[str]:
    """The tiles row by row."""
    return [w.tile_text(table, tile) for tile in range(t.TILES)]


def lay_tiles(table: CrashByCrash, floor: object) -> None:
    """CB-F2, CB-F3: the tiles row by row."""
    words = floor.split() if isinstance(floor, str) else floor
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


# Cells


def listed(cells: Iterable[int]) -> list[list[int] | str | None]:
    """Cells as JSON, without the last ones that are nowhere."""
    return trimmed(map(w.tell_cell, cells))


def cells_line(cells: Sequence[Any]) -> str:
    """Cells in JSON as they stand in the line; `-` if there is none."""
    words = ["-" if cell is None else cell if isinstance(cell, str) else f"{cell[0]}.{cell[1]}" for cell in cells]
    return " ".join(words) or "-"


def read_cells(cells: object, where: str) -> list[int]:
    """Cells from `6.4 - 6.5` or [[6, 4], null, [6, 5]]."""
    words = cells.split() if isinstance(cells, str) else cells
    with about(where):
        words = as_list(words, "cells are wanted, as in '6.4 6.5'")
        return [NOWHERE if nothing(word, "-") else w.read_cell(word) for word in words]


def none(table: CrashByCrash) -> list[Any]:
    """None, where nothing is said."""
    return []


def gone_value(table: CrashByCrash) -> list[Any]:
    """The middles of the flowers that are gone."""
    return listed(t.cells_of(tile)[0] for tile in range(t.TILES) if table.gone[tile])


def dig_holes(table: CrashByCrash, cells: object) -> None:
    """CB-E1: flowers leave the game."""
    for cell in read_cells(cells, "gone"):
        if cell == NOWHERE or t.TILE[cell] % 2 == 0:
            raise CrashlabError(f"gone: only flowers leave the game, and {w.cell_text(cell)} is on none (CB-E1)")
        if table.gone[t.TILE[cell]]:
            raise CrashlabError(f"gone: the flower of {w.cell_text(cell)} stands twice")
        table.gone[t.TILE[cell]] = 1


def stars(table: CrashByCrash) -> list[Any]:
    """CB-F4: a bell on every star that is left, in the order of their numbers."""
    places = {table.tile[tile]: t.star(table, tile) for tile in range(1, t.TILES, 2) if not table.gone[tile]}
    return listed(places.get(bell, NOWHERE) for bell in range(t.BELLS))


def put_bells(table: CrashByCrash, cells: object) -> None:
    """CB-F4: the bells in the order of their numbers."""
    found = read_cells(cells, "bells")
    if len(found) > t.BELLS:
        raise CrashlabError(f"bells: there are {len(found)}, and the game has ten (CB-F4)")
    table.cell[t.BELL : t.BELL + len(found)] = found


def operator_at_start(table: CrashByCrash) -> list[int] | str | None:
    """CB-F4: the middle of flower 10."""
    return w.tell_cell(t.cells_of(2 * table.tile[1::2].index(t.BELLS) + 1)[0])


def put_operator(table: CrashByCrash, cell: object) -> None:
    """CB-F5: the operator; in a hole he is on its middle cell."""
    with about("operator"):
        table.cell[t.OPERATOR] = w.read_cell(cell)
    tile = t.TILE[table.cell[t.OPERATOR]]
    if table.gone[tile]:
        table.cell[t.OPERATOR] = t.cells_of(tile)[0]


# The sides

SIDE_KEYS = ("cars", "magnet", "score", "batteries", "banned")


def side_dict(table: CrashByCrash, side: int) -> dict[str, Any]:
    """A side as plain JSON."""
    *cars, magnet = table.cell[t.FLEET * side : t.FLEET * (side + 1)]
    entry: dict[str, Any] = {"cars": listed(cars)}
    if magnet != NOWHERE:
        entry["magnet"] = w.tell_cell(magnet)
    entry["score"], entry["batteries"] = table.score[side], table.batteries[side]
    if table.banned[side]:
        entry["banned"] = True
    return entry


def no_side(table: CrashByCrash) -> Any:
    """A side without cars; a position without any is none, but before the first one is placed."""
    if table.phase[0] != t.SET_UP and table.cell[: t.CARS].count(NOWHERE) == t.CARS:
        return NEEDED
    return {"cars": [], "score": 10, "batteries": 4}


def side_line(entry: Mapping[str, Any]) -> str:
    """A side in the line, as in `6.4 - 6.5 M8.6, score 17, batteries 3, banned`."""
    words = cells_line(entry["cars"])
    if "magnet" in entry:
        magnet = f"M{cells_line([entry['magnet']])}"
        words = f"{words} {magnet}" if words != "-" else magnet
    marks = [words, f"score {entry['score']}"]
    if entry["batteries"] != 4:
        marks.append(f"batteries {entry['batteries']}")
    return ", ".join([*marks, "banned"] if entry.get("banned") else marks)


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
    name = w.SIDES[side]
    if isinstance(entry, str):
        entry = read_side_line(name, entry)
    entry = fields(entry, SIDE_KEYS, name, "6.4 6.5 M8.6, score 12")
    cars = read_cells(entry.get("cars", []), f"{name}, cars")
    if len(cars) > t.STANDARD:
        raise CrashlabError(f"{name}: {len(cars)} standard cars are too many; a side has ten (CB-S1)")
    table.cell[t.FLEET * side : t.FLEET * side + len(cars)] = cars
    if not nothing(entry.get("magnet"), "-"):
        table.cell[t.FLEET * side + t.STANDARD] = read_cells([entry["magnet"]], f"{name}, magnet")[0]
    table.score[side] = whole(entry.get("score", 10), f"{name}, score")
    table.batteries[side] = whole(entry.get("batteries", 4), f"{name}, batteries")
    table.banned[side] = int(flag(entry.get("banned", False), f"{name}, banned"))


def side_part(side: int) -> Part[CrashByCrash]:
    """A side of a position."""
    seats = " and ".join(w.SEATS[side::2])
    return Part(
        w.SIDES[side],
        f"the side of {seats}: cars on the floor, magnet, score, batteries, and whether it may use none (banned)",
        lambda table: side_dict(table, side),
        lambda table, entry: put_side(table, side, entry),
        no_side,
        side_line,
        str,
        always=True,
    )


# Cards


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
                meant = [w.read_card(name)]
        found += meant * int(number or 1)
    return found


def split_cards(line: str) -> list[str]:
    """A line of cards as a list; a whole name of several words is one card."""
    words = line.split()
    names = []
    whole_names = {name.casefold() for edition in t.CARD_NAMES.values() for name in edition}
    while words:
        long = next(
            n for n in range(min(4, len(words)), 0, -1) if n == 1 or " ".join(words[:n]).casefold() in whole_names
        )
        names.append(" ".join(words[:long]))
        del words[:long]
    return names


def named(cards: Sequence[int]) -> list[str | None]:
    """Cards as JSON; none if there is not one, `?` for a hidden one."""
    things = list(map(w.tell_card, cards))
    return things if any(things) else []


def cards_line(cards: Sequence[str | None]) -> str:
    """Cards in JSON place by place, as in `Ride - Ride`; `?` is a hidden one."""
    return " ".join("-" if card is None else "?" if card == "?" else card_word(card) for card in cards)


def card_word(title: str) -> str:
    """The short name of a card."""
    return w.CARD_WORDS[w.TITLES.index(title)]


def counted_line(cards: str | Sequence[str]) -> str:
    """Cards in JSON kind by kind, as in `Ride Tandem*2`; hidden ones as they are."""
    return cards if isinstance(cards, str) else w.counted_text([cards.count(title) for title in w.TITLES])


def hands_value(table: CrashByCrash) -> dict[str, Any]:
    """The hands of those who have cards."""
    hands = {w.SEATS[seat]: hand_facts(table, seat) for seat in range(table.players[0]) if table.held[seat]}
    return {seat: hand if isinstance(hand, str) else list(hand) for seat, hand in hands.items()}


def put_hands(table: CrashByCrash, entry: object) -> None:
    """CB-S1: the cards in the hands."""
    players = table.players[0]
    hands = ((read_seat(name, players, "hands"), cards) for name, cards in mapping(entry, "hands").items())
    for owner, cards in unique("hands", hands, w.SEATS.__getitem__).items():
        put_hand(table, owner, read_cards(cards, f"hands, {w.SEATS[owner]}"))


def put_hand(table: CrashByCrash, seat: int, cards: list[int]) -> None:
    """CB-S1: the cards in a hand, or how many there are."""
    if len(cards) > t.HAND or NOWHERE in cards:
        raise CrashlabError(f"hands: {w.SEATS[seat]} has at most three cards (CB-S1)")
    if HIDDEN in cards and set(cards) != {HIDDEN}:
        raise CrashlabError(f"hands: {w.SEATS[seat]} has cards that are hidden and others that are not")
    table.held[seat] = len(cards)
    for card in cards:
        if card != HIDDEN:
            table.hand[t.KINDS * seat + card] += 1
    if HIDDEN in cards:
        table.hand[t.KINDS * seat : t.KINDS * (seat + 1)] = [HIDDEN] * t.KINDS


def read_hands_line(rest: str) -> dict[str, str]:
    """The hands of a line."""
    return unique("hands", [hand.partition(" ")[::2] for hand in pieces(rest, ",")])


def cards_part(key: str, about: str, most: int) -> Part[CrashByCrash]:
    """Cards in places, of which some can be empty."""

    def put(table: CrashByCrash, entry: object) -> None:
        cards = read_cards(entry, key)
        if len(cards) > most or (key == "display" and HIDDEN in cards):
            raise CrashlabError(
                f"{key}: at most {w.COUNTING[most]} cards are wanted, as in 'Ride Tandem', not {shown(entry)}"
            )
        vars(table)[key][: len(cards)] = cards

    return Part(key, about, lambda table: named(vars(table)[key]), put, none, cards_line, str)


def put_discards(table: CrashByCrash, entry: object) -> None:
    """CB-T4: the discards."""
    for card in read_cards(entry, "discards"):
        if card < 0:
            raise CrashlabError("discards: every card that lies there is known (CB-T4)")
        table.discards[card] += 1


# All parts


def first_asked(table: CrashByCrash) -> int:
    """CB-S2: who is asked where nothing is said: seat A, or who places the next car."""
    return t.seat_to_place(table) if table.phase[0] == t.SET_UP else 0


def earliest(table: CrashByCrash) -> int:
    """CB-E2: the first turn in which a bell may ring; none at set-up."""
    return 0 if table.phase[0] == t.SET_UP else rules.EARLIEST


def bells_scored(table: CrashByCrash) -> int:
    """CB-E1: every scoring takes a bell from the floor."""
    return table.cell[t.BELL :].count(NOWHERE)


BOUND = maybe(w.CARD, {NOWHERE: "none"}, NOWHERE)
PARTS: tuple[Part[CrashByCrash], ...] = (
    single(
        "turn", "the number of the turn, from 1; by default 6", "turn", counted("turn"), earliest,
        always=lambda table: table.turn[0] > 0,
    ),
    single("asked", "whose turn it is", "asked", seat("asked"), first_asked, always=True),
    single("phase", "what is to be decided; by default an action", "phase", PHASE, t.ACTION),
    single("acted", "how many actions of the turn are done; 3: its cards are drawn", "acted", counted("acted")),
    single("placed", "how many cars were placed in this turn", "placed", counted("placed")),
    single("scored", "how many scorings there were in this turn", "scored", counted("scored")),
    replace(
        single("bound", "the blue or yellow card that the second action must follow", "bound", BOUND, NOWHERE),
        line=card_word,
    ),
    single("owed", "how many cards are to be drawn now", "owed", counted("owed")),
    single("first", "who put the first car on the floor; by default A", "first", seat("first")),
    single(
        "scorings", "how many scorings there were; by default as many as bells are not on the floor", "scorings",
        counted("scorings"), bells_scored, late=True,
    ),
    Part(
        "floor", "the 25 tiles row by row, with their numbers, +3 for three sixths of a turn", floor_value, lay_tiles,
        default_floor, " ".join, str,
    ),
    Part("gone", "a cell of each flower that has left the game", gone_value, dig_holes, none, cells_line, str),
    Part(
        "bells", "where the ten bells are; by default on every star that is left",
        lambda table: listed(table.cell[t.BELL :]), put_bells, stars, cells_line, str, always=True,
    ),
    Part(
        "operator", "where he is; by default in the middle of flower 10",
        lambda table: w.tell_cell(table.cell[t.OPERATOR]), put_operator, operator_at_start,
        lambda cell: cells_line([cell]), str, always=True,
    ),
    side_part(0),
    side_part(1),
    Part(
        "hands", "the cards of each seat, ??? for three hidden ones", hands_value, put_hands, lambda table: {},
        lambda hands: ", ".join(f"{seat} {counted_line(cards)}" for seat, cards in hands.items()), read_hands_line,
    ),
    cards_part("display", "the three face-up cards", 3),
    cards_part("drawn", "with four players, the cards of which one is kept", 2),
    Part(
        "discards", "the cards that lie there", lambda table: named(w.cards_of(table.discards)), put_discards,
        none, counted_line, str,
    ),
)  # fmt: skip
