"""What a state of Crash by Crash tells by name."""

from __future__ import annotations

from dataclasses import dataclass

from crashlab.games.crash_by_crash import rules
from crashlab.games.crash_by_crash import table as t
from crashlab.games.crash_by_crash.table import CrashByCrash
from crashlab.games.crash_by_crash.words import PHASES, SEATS, SIDES, TITLES, cards_of, place
from crashlab.happen import HIDDEN, NOWHERE

# Positions


@dataclass(frozen=True)
class Side:
    """A side as a person sees it; cells are (row, column), `magnet` is None where it is in the stock."""

    colour: str
    players: tuple[str, ...]
    score: int
    batteries: int
    banned: bool
    cars: tuple[tuple[int, int], ...]
    magnet: tuple[int, int] | None
    stock: int


def facts(table: CrashByCrash) -> dict[str, object]:
    """What a state tells by name: `state.sides`, `state.bells`, `state.values`, `state.hands`, `state.turn`, ..."""
    return {
        "sides": {SIDES[side]: side_facts(table, side) for side in range(2)},
        "operator": place(table.cell[t.OPERATOR]),
        "bells": tuple(place(cell) for cell in table.cell[t.BELL :] if cell != NOWHERE),
        "holes": tuple(place(t.cells_of(tile)[0]) for tile in range(t.TILES) if table.gone[tile]),
        "values": {place(cell): value for cell, value in enumerate(table.value) if not table.gone[t.TILE[cell]]},
        "hands": {SEATS[seat]: hand_facts(table, seat) for seat in range(table.players[0])},
        "display": tuple(TITLES[card] for card in table.display if card != NOWHERE),
        "discards": {TITLES[card]: number for card, number in enumerate(table.discards) if number},
        "pile": rules.pile_size(table),
        "phase": PHASES[table.phase[0]],
        "turn": table.turn[0],
        "whose_turn": SEATS[table.asked[0]],
        "scorings": table.scorings[0],
    }


def side_facts(table: CrashByCrash, side: int) -> Side:
    """A side as a person sees it."""
    *cars, magnet = table.cell[t.FLEET * side : t.FLEET * (side + 1)]
    return Side(
        SIDES[side],
        tuple(SEATS[side : table.players[0] : 2]),
        table.score[side],
        table.batteries[side],
        bool(table.banned[side]),
        tuple(place(cell) for cell in cars if cell != NOWHERE),
        place(magnet) if magnet != NOWHERE else None,
        cars.count(NOWHERE),
    )


def hand_facts(table: CrashByCrash, seat: int) -> tuple[str, ...] | str:
    """The cards in a hand; `???` if it is hidden."""
    hand = table.hand[t.KINDS * seat : t.KINDS * (seat + 1)]
    return "?" * table.held[seat] if HIDDEN in hand else tuple(TITLES[card] for card in cards_of(hand))
