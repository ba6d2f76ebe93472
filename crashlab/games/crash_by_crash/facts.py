"""What a state of Crash by Crash tells by name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from crashlab.engine.position import Told
from crashlab.engine.table import HIDDEN, NOWHERE
from crashlab.games.crash_by_crash import table as t
from crashlab.games.crash_by_crash import words as w
from crashlab.games.crash_by_crash.table import CrashByCrash


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


@dataclass(frozen=True)
class Tile:
    """A tile by its name in positions, as F7+2; its cells are (row, column), `star` is None where it has none."""

    name: str
    cells: tuple[tuple[int, int], ...]
    star: tuple[int, int] | None


@dataclass(frozen=True)
class Cell:
    """A cell: its value, the name of its tile, and what is on it: `blue 1`, `orange magnet`, `operator`, `bell 3`."""

    value: int
    tile: str
    pieces: tuple[str, ...]


class Facts(Told[CrashByCrash]):
    """What a state tells by name: `state.sides`, `state.bells`, `state.values`, `state.hands`, ..."""

    phase: str
    turn: int
    scorings: int

    @cached_property
    def sides(self) -> dict[str, Side]:
        """Both sides, by their colours."""
        return {w.SIDES[side]: side_facts(self._table, side) for side in range(2)}

    @cached_property
    def operator(self) -> tuple[int, int]:
        """His cell; in a hole its middle one."""
        return w.place(self._table.cell[t.OPERATOR])

    @cached_property
    def bells(self) -> tuple[tuple[int, int], ...]:
        """The cells of the bells that are on the floor."""
        return tuple(w.place(cell) for cell in self._table.cell[t.BELL :] if cell != NOWHERE)

    @cached_property
    def holes(self) -> tuple[tuple[int, int], ...]:
        """The middle cells of the flowers that are gone."""
        return tuple(w.place(w.middle(tile)) for tile in range(t.TILES) if self._table.gone[tile])

    @cached_property
    def values(self) -> dict[tuple[int, int], int]:
        """The value of every cell that there is."""
        table = self._table
        return {w.place(cell): value for cell, value in enumerate(table.value) if not table.gone[t.TILE[cell]]}

    @cached_property
    def tiles(self) -> tuple[Tile, ...]:
        """The tiles that are there, row by row."""
        return tuple(tile_facts(self._table, tile) for tile in range(t.TILES) if not self._table.gone[tile])

    @cached_property
    def cells(self) -> dict[tuple[int, int], Cell]:
        """Every cell that there is, with all that is on it."""
        table = self._table
        there: dict[int, list[str]] = {}
        for piece, cell in enumerate(table.cell):
            if cell != NOWHERE:
                there.setdefault(cell % t.RINGING, []).append(w.piece_key(piece))
        return {
            w.place(cell): Cell(table.value[cell], w.tile_text(table, t.TILE[cell]), tuple(there.get(cell, ())))
            for cell in range(t.CELLS)
            if not table.gone[t.TILE[cell]]
        }

    @cached_property
    def hands(self) -> dict[str, tuple[str, ...] | str]:
        """The cards of each seat; `???` where they are hidden."""
        return {w.SEATS[seat]: hand_facts(self._table, seat) for seat in range(self._table.players[0])}

    @cached_property
    def display(self) -> tuple[str, ...]:
        """The face-up cards."""
        return tuple(w.TITLES[card] for card in self._table.display if card != NOWHERE)

    @cached_property
    def discards(self) -> dict[str, int]:
        """How many cards of each kind lie there."""
        return {w.TITLES[card]: number for card, number in enumerate(self._table.discards) if number}

    @cached_property
    def pile(self) -> int:
        """How many cards are in the pile."""
        return t.pile_size(self._table)

    @cached_property
    def cards(self) -> tuple[w.Card, ...]:
        """The kinds of cards in the game, in the order of their rules."""
        return tuple(card for number, card in enumerate(w.CARDS) if t.copies(self._table, number))

    @cached_property
    def whose_turn(self) -> str:
        """The seat whose turn it is."""
        return w.SEATS[self._table.asked[0]]


def tile_facts(table: CrashByCrash, tile: int) -> Tile:
    """A tile as a person sees it."""
    star = t.star(table, tile)
    cells = tuple(map(w.place, t.cells_of(tile)))
    return Tile(w.tile_text(table, tile), cells, w.place(star) if star != NOWHERE else None)


def side_facts(table: CrashByCrash, side: int) -> Side:
    """A side as a person sees it."""
    *cars, magnet = table.cell[t.FLEET * side : t.FLEET * (side + 1)]
    return Side(
        w.SIDES[side],
        tuple(w.SEATS[side : table.players[0] : 2]),
        table.score[side],
        table.batteries[side],
        bool(table.banned[side]),
        tuple(w.place(cell) for cell in cars if cell != NOWHERE),
        w.place(magnet) if magnet != NOWHERE else None,
        cars.count(NOWHERE),
    )


def hand_facts(table: CrashByCrash, seat: int) -> tuple[str, ...] | str:
    """The cards in a hand; `???` if it is hidden."""
    hand = table.hand[t.KINDS * seat : t.KINDS * (seat + 1)]
    return "?" * table.held[seat] if HIDDEN in hand else tuple(w.TITLES[card] for card in w.cards_of(hand))
