"""Crash by Crash in words: names of things, and actions as text and back.

Cells are row.column, rows 0 to 14 from the top, columns 0 to 12 from the left, in odd rows to 11: `7.3`. Directions are
E NE NW W SW SE. Side blue are the seats A and C, side orange B and D. Cards go by a word of their name, also the Czech
one, or by their number (`Ride`, `Volná jízdenka`, `K3`); a clear beginning is enough.

At set-up an action is `place 7.3`. In a turn it is one of these:

- `car 7.3 E`: a standard car on the cell hits to the E; `car 7.3 E +2` with two batteries, `car 7.3 E SW` twice with
  Double Hit, `car 7.3` not at all with Expansion Unlimited; `magnet 7.3`: the magnetic car
- `walk E NE`, `walk E NE NW W`: the operator; a step out of a hole names the cell, and if a car stands there the way it
  is pushed: `walk E 4.8`, `walk E 4.8/NE`
- `play Charms 1.3 4.6` (a bell, its new cell), `play Lambada 7.3 7.4` (two cars), `play Ride 7.3 7.4` (a car, its new
  cell; or `play Ride 7.3 E`), `play Saboteur 7.3` (a car), `play Dutchman 7.3` (the operator's new cell), or a card
  alone: `play Tandem`
- `exchange Ride Tandem`, and `forfeit` where nothing can be done

Cards are drawn by `take Ride` (from the face-up ones) or `take pile`; of two drawn cards one is given away by
`discard Ride`. What comes from the pile is the card alone, `Ride`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from crashlab.base.errors import CrashlabError, shown
from crashlab.engine.notation import chosen, pair
from crashlab.engine.table import HIDDEN
from crashlab.engine.words import Kind, named
from crashlab.games.boards.hexes import DIRECTIONS
from crashlab.games.crash_by_crash import rules
from crashlab.games.crash_by_crash import table as t
from crashlab.games.crash_by_crash.table import CrashByCrash

SEATS = "ABCD"
SIDES = t.SIDES
TITLES = t.CARD_NAMES["english"]
CARD_WORDS = (
    "Charms", "Lambada", "Ride", "Saboteur", "Dutchman", "Accumulator", "Powerless", "Shady", "Hit", "Racket", "Tandem",
    "Expansion", "Reaction",
)  # fmt: skip
NAMES = tuple(
    (CARD_WORDS[card], TITLES[card], t.CARD_NAMES["czech"][card], f"K{card + 1}", f"CB-K{card + 1}")
    for card in range(t.KINDS)
)
COLOURS = ("grey", "yellow", "blue")


def colour_of(card: int) -> int:
    """CB-K: grey stands alone, yellow changes the scoring that must follow, blue the placement: 0, 1 or 2."""
    return 2 if rules.is_blue(card) else 1 if rules.is_yellow(card) else 0


def card_rule(card: int) -> str:
    """The id of a card's rule."""
    return rules.BOOK[rules.CARD[card]].id


class Card(NamedTuple):
    """A kind of card: its name, the words by which it is read, its colour and its rule."""

    name: str
    short: str
    czech: str
    colour: str
    rule: str


CARDS = tuple(
    Card(
        TITLES[card],
        CARD_WORDS[card],
        t.CARD_NAMES["czech"][card],
        COLOURS[colour_of(card)],
        rules.BOOK[rules.CARD[card]].id,
    )
    for card in range(t.KINDS)
)
WAYS = {name: way for way, name in enumerate(DIRECTIONS)}
COUNTING = ("no", "one", "two", "three")


def place(cell: int) -> tuple[int, int]:
    """Row and column."""
    row, x = t.BOARD.hexes[cell % t.RINGING]
    return row, x // 2


def cell_text(cell: int) -> str:
    """7.3, or `-` for nowhere; a bell that rings, as the first one of this action, is `7.3!1`."""
    if not 0 <= cell % t.RINGING < t.CELLS:
        return "-"
    row, column = place(cell)
    return f"{row}.{column}" + (f"!{cell // t.RINGING}" if cell >= t.RINGING else "")


def place_words(cell: int) -> str:
    """(7,3)."""
    row, column = place(cell)
    return f"({row},{column})"


# Names and back


def read_cell(word: object) -> int:
    """The cell of `7.3`, `(7,3)` or [7, 3]."""
    found = pair(word, r"\(?([0-9]{1,2})\s*[.,]\s*([0-9]{1,2})\)?")
    if found is None:
        raise CrashlabError(f"cell: {shown(word)} is not a row and a column, as in '7.3' or [7, 3]")
    row, column = found
    if (row, 2 * column + row % 2) not in t.BOARD.cell:
        raise CrashlabError(
            f"cell: there is no cell {row}.{column}; rows are 0 to 14, columns 0 to 12, in odd rows to 11 (CB-F2)"
        )
    return t.BOARD.cell[row, 2 * column + row % 2]


def read_direction(word: object) -> int:
    """The direction E, NE, NW, W, SW or SE."""
    return WAYS[word] if type(word) is str and word in WAYS else chosen(word, DIRECTIONS, "direction")


def read_card(words: object) -> int:
    """The kind of card with this number, name, or clear beginning of a word of its name."""
    return chosen(words, NAMES, "card", "or K1 to K13")


def card_text(card: int) -> str:
    """A card's word, also where there is none."""
    return CARD_WORDS[card] if 0 <= card < t.KINDS else f"card {card + 1}"


# Kinds of things


def tell_cell(cell: int) -> list[int] | str | None:
    """[7, 3], or null for nowhere; a bell that rings is as in notation."""
    text = cell_text(cell)
    return None if text == "-" else text if cell >= t.RINGING else list(place(cell))


def tell_card(card: int) -> str | None:
    """The whole name of a card, null for none, `?` for a hidden one."""
    return "?" if card == HIDDEN else TITLES[card] if 0 <= card < t.KINDS else None


def kind(
    name: str, say: Callable[[int], str], read: Callable[[object], int], tell: Callable[[int], object]
) -> Kind[CrashByCrash]:
    """A kind of things whose names are the same at every table."""
    return Kind(name, lambda table, n: say(n), lambda table, word: read(word), lambda table, n: tell(n))


def tile_text(table: CrashByCrash, tile: int) -> str:
    """A tile, as in F7+2: flower 7, turned by two sixths counter-clockwise."""
    turned = table.turned[tile]
    return f"{'XF'[tile % 2]}{table.tile[tile]}" + (f"+{turned}" if turned else "")


def piece_key(piece: int) -> str:
    """The key of a piece: blue 1, blue magnet, operator, bell 1."""
    if piece >= t.CARS:
        return "operator" if piece == t.OPERATOR else f"bell {piece - t.BELL + 1}"
    side, car = divmod(piece, t.FLEET)
    return f"{SIDES[side]} {'magnet' if car == t.STANDARD else car + 1}"


def read_piece(word: object) -> int:
    """The piece with this key."""
    return chosen(word, list(map(piece_key, range(t.PIECES))), "piece")


def middle(tile: int) -> int:
    """The cell by which a flower is named."""
    return t.cells_of(tile)[0]


CELL = kind("cell", cell_text, read_cell, tell_cell)
CARD = kind("card", card_text, read_card, tell_card)
SIDE = named("side", SIDES)
PIECE = kind("piece", piece_key, read_piece, piece_key)
FLOWER = kind(
    "flower",
    lambda tile: cell_text(middle(tile)),
    lambda word: t.TILE[read_cell(word)],
    lambda tile: tell_cell(middle(tile)),
)


# Pieces and cards in words


def piece_name(piece: int) -> str:
    """A car by its side's colour, the operator, a bell."""
    if piece >= t.CARS:
        return "the operator" if piece == t.OPERATOR else "a bell"
    side, car = divmod(piece, t.FLEET)
    return f"the {SIDES[side]} magnetic car" if car == t.STANDARD else f"{'an' if side else 'a'} {SIDES[side]} car"


def cards_of(counts: Sequence[int]) -> list[int]:
    """The cards, given how many there are of each kind."""
    return [card for card, number in enumerate(counts) for _ in range(number)]


def hand_text(table: CrashByCrash, seat: int) -> str:
    """The cards in a hand in notation."""
    hand = table.hand[t.KINDS * seat : t.KINDS * (seat + 1)]
    return "?" * table.held[seat] if HIDDEN in hand else counted_text(hand)


def counted_text(counts: Sequence[int]) -> str:
    """Cards in notation, kind by kind, as in `Ride Tandem*2`."""
    return " ".join(
        CARD_WORDS[card] + (f"*{number}" if number > 1 else "") for card, number in enumerate(counts) if number
    )
