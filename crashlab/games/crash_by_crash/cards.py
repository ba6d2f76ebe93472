"""Cards on a picture of Crash by Crash: with their texts below the floor, and by their names in the panel."""

from __future__ import annotations

from functools import cache
from textwrap import wrap

from crashlab.drawing.shapes import Piece, Point, Polygon, Shape, Text, slab, star
from crashlab.engine.table import HIDDEN, NOWHERE
from crashlab.games.crash_by_crash import board
from crashlab.games.crash_by_crash import table as t
from crashlab.games.crash_by_crash import words as w

CARD_WIDE, CARD_HIGH, CARDS_TOP = 116.0, 112.0, board.FLOOR_END[1] + 26
PILE_Y = CARDS_TOP + CARD_HIGH + 30  # of the pile and the discards
HAND_X, TABLE_X = 14.0, 388.0  # of the cards in hand, and of those that are face up or drawn
LETTERS = 88  # of a line about the pile and the discards

TEXTS = (
    "a bell moves to another flower", "swap two cars side by side", "move any car by one cell",
    "an opposing car goes home", "the operator flies to any cell", "they lose a battery, and use none next turn",
    "now the flower stays", "values are now 3, 2, 1, 0", "hit in two directions",
    "the car that is hit flies on", "the last two of the line move", "any free cell, hit or not",
    "your car bounces back",
)  # fmt: skip
THEN = ("", "then a bell", "then a car")  # grey, yellow, blue: what the second action must be
PAINTS = ("nobody", "chit", "seat 5")


@cache
def card_shapes(card: int) -> tuple[Shape, ...]:
    """A card with its title and text, round its middle; its back if it is hidden."""
    wide, high = CARD_WIDE / 2, CARD_HIGH / 2
    paper = Polygon(slab(-wide, -high, wide, high, 8), "ticket", "ticket edge", 2)
    if card < 0:
        return paper, *back(wide - 7, high - 7)
    paint = PAINTS[w.colour_of(card)]
    title = wrap(w.TITLES[card], 12)
    words = wrap(TEXTS[card], 14)
    shapes: list[Shape] = [paper, Polygon(slab(-wide + 4, -high + 4, wide - 4, -high + 7 + 17 * len(title), 5), paint)]
    y = -high + 14.0
    for line in title:
        shapes.append(Text(0, y, line, 14, f"{paint} ink", bold=True))
        y += 17
    y += 5
    for line in words:
        shapes.append(Text(0, y, line, 14, "ticket ink"))
        y += 16
    if THEN[w.colour_of(card)]:
        shapes.append(Text(0, high - 12, THEN[w.colour_of(card)], 14, "ticket ink", bold=True))
    return tuple(shapes)


def back(wide: float, high: float) -> tuple[Shape, ...]:
    """The back of a card."""
    return (
        Polygon(slab(-wide, -high, wide, high, 5), "rail"),
        Polygon(star(0, 0, min(wide, high) * 0.75, min(wide, high) * 0.4, 8), "rail light"),
    )


@cache
def slip_shapes(card: int) -> tuple[Shape, ...]:
    """A card in the panel: its word, or its back."""
    if card < 0:
        left = Polygon(slab(0, -8, 134, 8, 4), "rail", "rail edge", 1)
        return left, *(Polygon(star(x, 0, 5, 2.5, 8), "rail light") for x in (30, 70, 110))
    paint = PAINTS[w.colour_of(card)]
    return (
        Polygon(slab(0, -8.5, 134, 8.5, 4), "ticket", "ticket edge", 1),
        Polygon(slab(0, -8.5, 12, 8.5, 4), paint, "ticket edge", 1),
        Text(18, 0, w.CARD_WORDS[card], 14, "ticket ink", "left"),
    )


def hand(table: t.CrashByCrash, seat: int) -> list[int]:
    """The cards in a hand; HIDDEN ones where they are not known."""
    counts = table.hand[t.KINDS * seat : t.KINDS * (seat + 1)]
    return [HIDDEN] * table.held[seat] if HIDDEN in counts else w.cards_of(counts)


def card_place(left: float, number: int) -> Point:
    """The middle of a card below the floor."""
    return left + CARD_WIDE / 2 + number * (CARD_WIDE + 5), CARDS_TOP + CARD_HIGH / 2


def hand_place(table: t.CrashByCrash, seat: int, number: int) -> tuple[float, float, bool]:
    """Where a card in hand is, and whether it is there with its text: that of the seat whose turn it is."""
    if seat == table.asked[0]:
        return *card_place(HAND_X, number), True
    return *board.slip_place(table.players[0], seat, number), False


def card_words(card: int) -> str:
    """A card in words."""
    if card < 0:
        return "a hidden card"
    then = THEN[w.colour_of(card)]
    return f"{w.TITLES[card]}: {TEXTS[card]}{', ' if then else ''}{then}"


def card_pieces(table: t.CrashByCrash) -> list[Piece]:
    """All cards that lie face up, that are drawn, or that somebody holds."""
    pieces = []
    for name, cards in (("face up", table.display), ("drawn", table.drawn)):
        for number, card in enumerate(cards):
            if card != NOWHERE:
                x, y = card_place(TABLE_X, number)
                pieces.append(
                    Piece(f"{name} {number + 1}", x, y, card_shapes(card), label=f"{name}: {card_words(card)}")
                )
    for seat in range(table.players[0]):
        for number, card in enumerate(hand(table, seat)):
            x, y, is_open = hand_place(table, seat, number)
            shapes = card_shapes(card) if is_open else slip_shapes(card)
            label = f"in the hand of {w.SEATS[seat]}: {card_words(card)}"
            pieces.append(Piece(f"card {w.SEATS[seat]} {number + 1}", x, y, shapes, label=label))
    return [*pieces, pile_piece(table)]


def discard_words(table: t.CrashByCrash) -> str:
    """The discards in words."""
    lying = [
        f"{w.CARD_WORDS[card]}{f' {number}' if number > 1 else ''}"
        for card, number in enumerate(table.discards)
        if number
    ]
    return f"discards {sum(table.discards)}: {', '.join(lying)}" if lying else "no discards"


def pile_piece(table: t.CrashByCrash) -> Piece:
    """The names of the rows of cards; how many are in the pile, and which ones are discarded."""
    y = PILE_Y
    right = "drawn" if table.players[0] == 4 else "face up"
    words = f"pile {t.pile_size(table)}, {discard_words(table)}"
    lines = wrap(words, LETTERS)
    shapes = (
        Text(HAND_X, CARDS_TOP - 11, f"hand of {w.SEATS[table.asked[0]]}", 14, "ink", "left", bold=True),
        Text(TABLE_X, CARDS_TOP - 11, right, 14, "ink", "left", bold=True),
        *(Text(HAND_X, y + 17 * n, line, 14, "ink", "left") for n, line in enumerate(lines)),
    )
    return Piece("pile", 0, 0, shapes, label=words)
