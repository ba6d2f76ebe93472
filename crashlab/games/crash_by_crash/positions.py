"""Positions of Crash by Crash: their parts, the public facts of a state, and checks.

A position is one line, for example

    turn 8; asked B; gone 1.3; bells - 1.7 5.0 3.5 4.11 6.4 7.9 9.1 11.6 10.10; operator 9.6; blue 6.5 6.6 M8.5, score 17; orange 7.6 - 7.5 8.2, score 12, batteries 3; hands A Ride Tandem, B Lambada; display Shady - Hit; discards Ride*2

where `M` marks a magnetic car and `-` a missing piece or card: a car in the stock, a bell on the scoring card, an empty
place of the display. A side's cars are followed by its score (default 10), its batteries (default 4), and `banned` if
it may use no batteries; `B ???` is a hand of three hidden cards. `gone` names a cell of each flower that has left the
game. The same position as JSON:

    {"turn": 8, "asked": "B", "gone": [[1, 3]], "bells": "- 1.7 5.0 3.5 4.11 6.4 7.9 9.1 11.6 10.10", "operator": [9, 6],
     "blue": {"cars": [[6, 5], [6, 6]], "magnet": [8, 5], "score": 17}, "orange": "7.6 - 7.5 8.2, score 12, batteries 3",
     "hands": {"A": ["Free Ride", "Tandem"], "B": "Lambada"}, "display": ["Shady Exception", null, "Double Hit"],
     "discards": "Ride*2"}

By default it is turn 6, the first in which bells may ring, there is a bell on every remaining star, and other missing
parts are empty. `floor X0 F0 X1+3 F1+2 ...` lists the 25 tiles row by row, X tiles and flowers, with their numbers and
their rotation in sixths of a turn counter-clockwise; by default they are in numerical order and unturned. Within a turn
a position also has parts like `acted 1`, `placed 1`, `scored 1`, `bound Tandem`, `phase drawing`, `owed 2`, `drawn Ride
Shady`; at set-up it begins with `phase set-up`.
"""  # noqa: E501

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from crashlab.base.errors import CrashlabError, require, short_repr
from crashlab.base.groups import grouped
from crashlab.engine import value_codecs
from crashlab.engine.notation import about, as_list, counted, nothing, together
from crashlab.engine.position import NEEDED, Column, Part, StateFacts, record, row, set_of, single, table_of
from crashlab.engine.table import HIDDEN, NOWHERE
from crashlab.engine.value_codecs import maybe, seat
from crashlab.games.crash_by_crash import notation as w
from crashlab.games.crash_by_crash import rules
from crashlab.games.crash_by_crash import state as t
from crashlab.games.crash_by_crash.state import CrashByCrash

# The floor


def floor_value(table: CrashByCrash) -> list[str]:
    """Return the names of the tiles row by row."""
    return [w.tile_text(table, tile) for tile in range(t.TILES)]


def lay_tiles(table: CrashByCrash, floor: object) -> None:
    """CB-F2, CB-F3: parse the tiles row by row and lay them on the table."""
    words = floor.split() if isinstance(floor, str) else floor
    if not isinstance(words, (list, tuple)) or len(words) != t.TILES:
        raise CrashlabError(f"floor: give 25 tiles, row by row, as in 'X0 F0 X1+3 ...', not {short_repr(floor)}")
    for tile, word in enumerate(words):
        kind, most = "XF"[tile % 2], 12 - tile % 2
        match = re.fullmatch(rf"{kind}([0-9]{{1,2}})(?:\+([0-5]))?", word) if isinstance(word, str) else None
        if not match or int(match[1]) > most:
            what = "a flower F0 to F11" if tile % 2 else "an X tile X0 to X12"
            raise CrashlabError(
                f"floor: tile {tile + 1} must be {what}, as in '{kind}4' or '{kind}4+3', not {short_repr(word)} (CB-F2)"
            )
        number, turned = int(match[1]), int(match[2] or 0)
        if tile % 2 == 0 and turned not in (0, 3):
            raise CrashlabError(f"floor: {word!r} does not fit: an X tile can be turned only by 3 sixths (CB-F3)")
        require(number not in table.tile[tile % 2 : tile : 2], f"floor: {kind}{number} appears twice (CB-F3)")
        t.lay_tile(table, tile, number, turned)


# Cells


def none(table: CrashByCrash) -> list[Any]:
    """Return an empty list, the default of a part."""
    return []


def stars(table: CrashByCrash) -> list[Any]:
    """CB-F4: return the default cells of the ten bells: their stars, or None where the tile has left."""
    places = {table.tile[tile]: t.star(table, tile) for tile in range(1, t.TILES, 2) if not table.gone[tile]}
    return [w.tell_cell(places.get(bell, NOWHERE)) for bell in range(t.BELLS)]


def read_operator(table: CrashByCrash, word: object) -> int:
    """CB-F5: parse the operator's cell; a cell of a hole means its middle."""
    cell = w.read_cell(word)
    return w.middle(t.TILE[cell]) if table.gone[t.TILE[cell]] else cell


# The sides


def no_side(table: CrashByCrash) -> Any:
    """Return the default of a side, without cars; NEEDED if no side has cars, except at set-up."""
    if table.phase[0] != t.SET_UP and table.cell[: t.CARS].count(NOWHERE) == t.CARS:
        return NEEDED
    return {"cars": [], "score": 10, "batteries": 4}


SPOT = maybe(w.CELL, {NOWHERE: "-"}, NOWHERE)
SIDE_COLUMNS = (
    Column("cars", "cell", SPOT, NOWHERE, in_json=True, first=lambda side: t.FLEET * side, many=t.STANDARD),
    Column("magnet", "cell", SPOT, NOWHERE, "M", first=lambda side: t.FLEET * side + t.STANDARD),
    Column("score", "score", value_codecs.counted("score"), 10, ", score ", in_json=True, in_line=True),
    Column("batteries", "batteries", value_codecs.counted("batteries"), 4, ", batteries ", in_json=True),
    Column("banned", "banned", value_codecs.truth("banned"), 0, ", banned", flag=True),
)


def side_part(side: int) -> Part[CrashByCrash]:
    """CB-S1: build the part of a side."""
    seats = " and ".join(w.SEATS[side::2])
    about = f"the side of {seats}: cars on the floor, magnet, score, batteries, and banned if it may use no batteries"
    return record(w.SIDES[side], about, side, SIDE_COLUMNS, "6.4 6.5 M8.6, score 12, batteries 3", no_side, always=True)


# Cards


def read_cards(cards: object, where: str) -> list[int]:
    """Parse cards: `Ride Tandem*2` or ["Free Ride", "Tandem", "Tandem"]; `-` or None is NOWHERE, `?` is HIDDEN."""
    words = split_cards(cards) if isinstance(cards, str) else cards
    result: list[int] = []
    for word in as_list(words, f"{where}: give cards, as in 'Ride Tandem'"):
        name, star_, number = word.partition("*") if isinstance(word, str) else (word, "", "")
        if star_ and number not in ("1", "2", "3"):
            raise CrashlabError(f"{where}: give one to three cards of a kind, not {short_repr(word)} (CB-S1)")
        if nothing(name, "-"):
            codes = [NOWHERE]
        elif isinstance(name, str) and re.fullmatch(r"\?+", name):
            codes = [HIDDEN] * len(name)
        else:
            with about(where):
                codes = [w.read_card(name)]
        result += codes * int(number or 1)
    return result


def split_cards(line: str) -> list[str]:
    """Split a line into the names of cards; a full name may have several words."""
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


def cards_line(cards: Sequence[int]) -> str:
    """Write cards place by place, as in `Ride - Ride`; `?` is a hidden card."""
    return " ".join("-" if card == NOWHERE else "?" if card == HIDDEN else w.CARD_WORDS[card] for card in cards)


class Hand(Column):
    """CB-S1: a column with the cards in a hand, or with their number if they are hidden."""

    def value(self, table: Any, thing: int) -> Any:
        """Return the full names of the cards, or one `?` for each hidden card."""
        hand = hand_facts(table, thing)
        return hand if isinstance(hand, str) else list(hand)

    def words(self, table: Any, thing: int) -> str:
        """Write the cards, as in `Ride Tandem*2`."""
        return w.hand_text(table, thing)

    def put(self, table: Any, thing: int, entry: object, where: str) -> None:
        """Parse the cards and put them into the hand."""
        put_hand(table, thing, read_cards(entry, where), where)


def put_hand(table: CrashByCrash, seat: int, cards: list[int], where: str) -> None:
    """CB-S1: put cards into a hand; hidden cards only set its size."""
    require(len(cards) <= t.HAND and NOWHERE not in cards, f"{where}: a hand has at most three cards (CB-S1)")
    require(HIDDEN not in cards or set(cards) == {HIDDEN}, f"{where}: all cards must be hidden, or none")
    table.hand_size[seat] = len(cards)
    for card in cards:
        if card != HIDDEN:
            table.hand[t.KINDS * seat + card] += 1
    if HIDDEN in cards:
        table.hand[t.KINDS * seat : t.KINDS * (seat + 1)] = [HIDDEN] * t.KINDS


def cards_part(key: str, about: str, most: int) -> Part[CrashByCrash]:
    """Build the part for a row of up to `most` cards with empty places, such as the display."""

    def put(table: CrashByCrash, entry: object) -> None:
        cards = read_cards(entry, key)
        if len(cards) > most or (key == "display" and HIDDEN in cards):
            raise CrashlabError(
                f"{key}: give at most {w.COUNTING[most]} cards, as in 'Ride Tandem', not {short_repr(entry)}"
            )
        vars(table)[key][: len(cards)] = cards

    def value(table: CrashByCrash) -> list[str | None]:
        named = list(map(w.tell_card, vars(table)[key]))
        return named if any(named) else []

    return Part(key, about, value, put, none, lambda table: cards_line(vars(table)[key]), str)


def put_discards(table: CrashByCrash, entry: object) -> None:
    """CB-T4: parse the discards and put them on the table."""
    for card in read_cards(entry, "discards"):
        require(card >= 0, "discards: no card can be hidden or missing (CB-T4)")
        table.discards[card] += 1


# All parts


def earliest(table: CrashByCrash) -> int:
    """CB-E2: return the default turn: the first one in which a bell may ring, or 0 at set-up."""
    return 0 if table.phase[0] == t.SET_UP else rules.EARLIEST


PARTS: tuple[Part[CrashByCrash], ...] = (
    single(
        "turn",
        "the number of the turn, from 1; by default 6",
        "turn",
        value_codecs.counted("turn"),
        earliest,
        always=lambda table: table.turn[0] > 0,
    ),
    single(
        "asked",
        "the seat whose turn it is",
        "asked",
        seat("asked"),
        lambda table: t.seat_to_place(table) if table.phase[0] == t.SET_UP else 0,
        always=True,
    ),
    single("phase", "the name of the current decision; by default action", "phase", w.PHASE, t.ACTION),
    single(
        "acted",
        "the number of actions done in this turn; 3 while cards are drawn at its end",
        "acted",
        value_codecs.counted("acted"),
    ),
    single("placed", "the number of cars placed in this turn", "placed", value_codecs.counted("placed")),
    single("scored", "the number of scorings in this turn", "scored", value_codecs.counted("scored")),
    single("bound", "the blue or yellow card that the second action must follow", "bound", w.BOUND, NOWHERE),
    single("owed", "the number of cards still to draw", "owed", value_codecs.counted("owed")),
    single("first", "the seat that put the first car on the floor; by default A", "first", seat("first")),
    single(
        "scorings",
        "the number of scorings so far; by default the number of bells that are not on the floor",
        "scorings",
        value_codecs.counted("scorings"),
        lambda table: table.cell[t.BELL :].count(NOWHERE),
        late=True,
    ),
    Part(
        "floor",
        "the 25 tiles row by row, with their numbers; +3 is a turn by three sixths",
        floor_value,
        lay_tiles,
        lambda table: [f"{'XF'[tile % 2]}{tile // 2}" for tile in range(t.TILES)],
        lambda table: " ".join(floor_value(table)),
        str,
    ),
    set_of("gone", "a cell of each flower that has left the game", w.FLOWER, "gone"),
    row(
        "bells",
        "the cells of the ten bells; by default the remaining stars",
        "cell",
        SPOT,
        stars,
        first=t.BELL,
        many=t.BELLS,
        always=True,
    ),
    single(
        "operator",
        "the operator's cell; by default the middle of flower 10",
        "cell",
        replace(w.CELL, parse=read_operator),
        lambda table: w.middle(2 * table.tile[1::2].index(t.BELLS) + 1),
        at=t.OPERATOR,
        always=True,
    ),
    side_part(0),
    side_part(1),
    table_of(
        "hands",
        "the cards of each seat; ??? is three hidden cards",
        seat(),
        Hand("", "hand", w.CARD),
        "A Ride Tandem",
        lambda table: [seat for seat in range(table.players[0]) if table.hand_size[seat]],
    ),
    cards_part("display", "the three face-up cards", 3),
    cards_part("drawn", "with four players, the drawn cards, of which one is kept", 2),
    Part(
        "discards",
        "the cards in the discard pile",
        lambda table: [w.TITLES[card] for card in w.cards_of(table.discards)],
        put_discards,
        none,
        lambda table: w.counted_text(table.discards),
        str,
    ),
)


# Public facts of a state


@dataclass(frozen=True)
class Side:
    """The facts of a side. Cells are (row, column); `magnet` is None if it is in the stock."""

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
    """The facts of a tile. Its name is as in positions: F7+2; cells are (row, column); `star` is a cell or None."""

    name: str
    cells: tuple[tuple[int, int], ...]
    star: tuple[int, int] | None


@dataclass(frozen=True)
class Cell:
    """The facts of a cell: value, name of the tile, and pieces like `blue 1`, `orange magnet`, `operator`, `bell 3`."""

    value: int
    tile: str
    pieces: tuple[str, ...]


class Facts(StateFacts[CrashByCrash]):
    """The public facts of a state: `state.sides`, `state.bells`, `state.values`, `state.hands`, ..."""

    phase: str
    turn: int
    scorings: int

    @cached_property
    def sides(self) -> dict[str, Side]:
        """Both sides by colour."""
        return {w.SIDES[side]: side_facts(self._table, side) for side in range(2)}

    @cached_property
    def operator(self) -> tuple[int, int]:
        """The operator's cell; in a hole, its middle cell."""
        return w.row_column(self._table.cell[t.OPERATOR])

    @cached_property
    def bells(self) -> tuple[tuple[int, int], ...]:
        """The cells of the bells on the floor."""
        return tuple(w.row_column(cell) for cell in self._table.cell[t.BELL :] if cell != NOWHERE)

    @cached_property
    def holes(self) -> tuple[tuple[int, int], ...]:
        """The middle cells of the flowers that have left the game."""
        return tuple(w.row_column(w.middle(tile)) for tile in range(t.TILES) if self._table.gone[tile])

    @cached_property
    def values(self) -> dict[tuple[int, int], int]:
        """The values of the remaining cells."""
        table = self._table
        return {w.row_column(cell): value for cell, value in enumerate(table.value) if not table.gone[t.TILE[cell]]}

    @cached_property
    def tiles(self) -> tuple[Tile, ...]:
        """The remaining tiles, row by row."""
        return tuple(tile_facts(self._table, tile) for tile in range(t.TILES) if not self._table.gone[tile])

    @cached_property
    def cells(self) -> dict[tuple[int, int], Cell]:
        """The remaining cells with their pieces."""
        table = self._table
        there = grouped(
            (cell % t.RINGING, w.piece_key(piece)) for piece, cell in enumerate(table.cell) if cell != NOWHERE
        )
        return {
            w.row_column(cell): Cell(table.value[cell], w.tile_text(table, t.TILE[cell]), tuple(there.get(cell, ())))
            for cell in range(t.CELLS)
            if not table.gone[t.TILE[cell]]
        }

    @cached_property
    def hands(self) -> dict[str, tuple[str, ...] | str]:
        """The cards of each seat, or one `?` for each card if they are hidden."""
        return {w.SEATS[seat]: hand_facts(self._table, seat) for seat in range(self._table.players[0])}

    @cached_property
    def display(self) -> tuple[str, ...]:
        """The face-up cards."""
        return tuple(w.TITLES[card] for card in self._table.display if card != NOWHERE)

    @cached_property
    def discards(self) -> dict[str, int]:
        """The number of discards of each kind."""
        return {w.TITLES[card]: number for card, number in enumerate(self._table.discards) if number}

    @cached_property
    def pile(self) -> int:
        """The number of cards in the pile."""
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
    """Return the facts of a tile."""
    star = t.star(table, tile)
    cells = tuple(map(w.row_column, t.cells_of(tile)))
    return Tile(w.tile_text(table, tile), cells, w.row_column(star) if star != NOWHERE else None)


def side_facts(table: CrashByCrash, side: int) -> Side:
    """Return the facts of a side."""
    *cars, magnet = table.cell[t.FLEET * side : t.FLEET * (side + 1)]
    return Side(
        w.SIDES[side],
        tuple(w.SEATS[side : table.players[0] : 2]),
        table.score[side],
        table.batteries[side],
        bool(table.banned[side]),
        tuple(w.row_column(cell) for cell in cars if cell != NOWHERE),
        w.row_column(magnet) if magnet != NOWHERE else None,
        cars.count(NOWHERE),
    )


def hand_facts(table: CrashByCrash, seat: int) -> tuple[str, ...] | str:
    """Return the full names of the cards in a hand, or one `?` for each card if they are hidden."""
    hand = table.hand[t.KINDS * seat : t.KINDS * (seat + 1)]
    return "?" * table.hand_size[seat] if HIDDEN in hand else tuple(w.TITLES[card] for card in w.cards_of(hand))


# Checks of a table


def problems(table: CrashByCrash) -> list[str]:
    """Describe the problems of a table; the table of a game has no problems at any beat."""
    return [*wrong_floor(table), *wrong_pieces(table), *wrong_cards(table), *wrong_turn(table)]


def piece_words(piece: int) -> str:
    """Name a piece for the description of a problem."""
    if piece >= t.BELL:
        return f"bell {piece - t.BELL + 1}"
    if piece == t.OPERATOR:
        return "the operator"
    side, car = divmod(piece, t.FLEET)
    return f"{t.SIDES[side]}'s magnetic car" if car == t.STANDARD else f"{t.SIDES[side]}'s car {car + 1}"


def wrong_floor(table: CrashByCrash) -> Iterator[str]:
    """CB-F3, CB-E1: check that each tile is on the floor once, and only flowers have left, at most one per scoring."""
    for kind, first, count in (("X tile", 0, 13), ("flower", 1, 12)):
        if sorted(table.tile[first::2]) != list(range(count)):
            yield f"each {kind} 0 to {count - 1} must be on the floor exactly once (CB-F3)"
    if any(table.gone[0::2]):
        yield "an X tile has no bell, so it never leaves the game (CB-E1)"
    if sum(table.gone) > table.scorings[0]:
        yield f"{sum(table.gone)} tiles are gone, but there were only {table.scorings[0]} scorings (CB-E1)"


def wrong_pieces(table: CrashByCrash) -> Iterator[str]:
    """CB-P1, CB-F4, CB-F5: check the cells of pieces: one car per cell, bells on separate flowers, no car in a hole."""
    pieces = dict[int, int]()
    bells = set[int]()
    ringing = False
    for piece, cell in enumerate(table.cell):
        if cell == NOWHERE:
            continue
        if piece >= t.BELL and cell >= t.RINGING:  # not yet scored (CB-E3); its cell may have a car
            ringing = True
            continue
        name = piece_words(piece)
        place = w.place_words(cell)
        tile = t.TILE[cell]
        if table.gone[tile] and (piece != t.OPERATOR or cell != t.cells_of(tile)[0]):
            yield f"{name} is on {place}, where there is a hole (CB-F5)"
        if piece >= t.BELL:
            if tile % 2 == 0 or tile in bells:
                yield f"{name} is on {place}: a bell needs a flower without another bell (CB-F4)"
            bells.add(tile)
        rung_too_late = table.phase[0] == t.OVER and piece >= t.BELL  # after the seventh scoring (CB-E3)
        if cell in pieces and not rung_too_late and not (piece >= t.BELL and pieces[cell] == t.OPERATOR):
            yield f"{piece_words(pieces[cell])} and {name} are both on {place} (CB-P1)"
        pieces[cell] = piece
    if len(bells) + table.scorings[0] != t.BELLS and not ringing:
        yield f"{len(bells)} bells are on the floor, but {t.BELLS - table.scorings[0]} must be (CB-E1)"


def wrong_cards(table: CrashByCrash) -> Iterator[str]:
    """CB-S1, CB-T4: check that there are at most three cards of a kind, and three in a hand."""
    yield from (
        f"{t.copies(table, card) - t.in_pile(table, card)} cards {t.CARD_NAMES['english'][card]}, but the game has"
        f" only {t.copies(table, card)} (CB-S1)"
        for card in range(t.KINDS)
        if t.in_pile(table, card) < 0
    )
    if t.pile_size(table) < 0:
        yield f"there are {-t.pile_size(table)} more cards than the game has (CB-S1)"
    for player, count in enumerate(table.hand_size):
        cards = table.hand[t.KINDS * player : t.KINDS * (player + 1)]
        if HIDDEN in cards:
            continue  # a view
        if sum(cards) != count or min(cards) < 0 or count > (t.HAND if player < table.players[0] else 0):
            yield f"the hand of seat {player} is impossible: {cards} by kind, {count} in all (CB-S1)"
    if table.players[0] == 4 and any(card != NOWHERE for card in table.display):
        yield "four players have no face-up cards (CB-V1)"


def wrong_turn(table: CrashByCrash) -> Iterator[str]:
    """CB-T3, CB-S1, CB-E5: check scores, batteries, the current seat and the turn limit."""
    for side in range(2):
        if table.score[side] < 1:
            yield f"{t.SIDES[side]} has {table.score[side]} points, but must have more than 0 (CB-T3)"
        if table.batteries[side] > 4:
            yield f"{t.SIDES[side]} has {table.batteries[side]} batteries, but 4 is the most (CB-S1)"
    if table.asked[0] >= table.players[0]:
        yield f"seat {table.asked[0]} does not play"
    if NOWHERE < table.turn_limit[0] < table.turn[0]:
        yield f"turn {table.turn[0]} is too late: the last turn is {table.turn_limit[0]} (CB-E5)"


def stuck(table: CrashByCrash) -> list[str]:
    """Return the reasons why the phase is impossible, such as a pile without cards to draw."""
    phase = table.phase[0]
    if phase == t.OVER:
        return []
    if phase > t.ACTION:
        return wrong_end(table) or wrong_draw(table)
    if table.owed[0] or table.drawn.count(NOWHERE) < 2 or table.acted[0] > 1:
        return ["two actions are done or cards are being drawn, so name the phase, as in 'phase pile' (CB-T1)"]
    return [*wrong_set_up(table)] if phase == t.SET_UP else wrong_end(table)


def wrong_set_up(table: CrashByCrash) -> Iterator[str]:
    """CB-S2: describe the problems of a set-up."""
    cells = [cell for cell in table.cell[: t.CARS] if cell != NOWHERE]
    numbers = [sum(cell != NOWHERE for cell in table.cell[t.FLEET * side :][: t.FLEET]) for side in range(2)]
    second = 1 - (table.first[0] & 1)
    if len(cells) > 7 or numbers[1 - second] - numbers[second] != len(cells) % 2:
        yield (
            f"{numbers[0]} and {numbers[1]} cars are impossible: the sides take turns placing four cars each,"
            " and then turn 1 begins (CB-S2)"
        )
    if len({t.TILE[cell] for cell in cells}) < len(cells):
        yield "no two cars may start on the same tile (CB-S2)"
    if any(table.cell[t.FLEET * side + t.STANDARD] != NOWHERE for side in range(2)):
        yield "no magnetic car may be placed at set-up (CB-S2)"
    if table.asked[0] != t.seat_to_place(table):
        yield f"the next car is placed by {w.SEATS[t.seat_to_place(table)]}, not by {w.SEATS[table.asked[0]]} (CB-S2)"


def wrong_end(table: CrashByCrash) -> list[str]:
    """CB-E4: return the reason why the game should be over; an empty list if it should not."""
    bare = [w.SIDES[side] for side in range(2) if not rules.is_there(table.cell, 0, side)]
    if table.scorings[0] == rules.LAST:
        return ["after the seventh scoring the game is over; write 'phase over' (CB-E4)"]
    over = f"{together(bare)} has no car on the floor, so the game is over; write 'phase over' (CB-E4)"
    return [over] if bare else []


def wrong_draw(table: CrashByCrash) -> list[str]:
    """CB-T4, CB-V1: describe the problems of a phase in which cards are drawn."""
    phase = table.phase[0]
    name = w.DECISIONS[phase].name
    owed = table.owed[0]
    hand = table.hand_size[table.asked[0]]
    face_up = 2 - table.drawn.count(NOWHERE)
    if phase in (t.DRAWING, t.REFILL) and table.players[0] == 4 or phase == t.KEEP and table.players[0] == 2:
        return [f"there is no phase {name} with {table.players[0]} players (CB-V1)"]
    if phase in (t.PILE, t.REFILL) and t.pile_size(table) == 0:
        return ["no card can come from the empty pile; the discards are shuffled into it first (CB-T4)"]
    if phase == t.REFILL:
        full = NOWHERE not in table.display
        words = "the phase refill needs a missing face-up card, and nobody may still have cards to draw (CB-T4)"
        return [words] if owed or full else []
    if not 0 < owed <= t.HAND - hand:
        return [
            f"{w.SEATS[table.asked[0]]} has {hand} and is to draw {counted(owed, 'card')}; a hand has three (CB-T4)"
        ]
    if table.acted[0] == 0:
        return ["cards are drawn after an action; say after how many, as in 'acted 3' (CB-T4)"]
    if phase == t.DRAWING and table.display.count(NOWHERE) == 3:
        return ["there are no face-up cards to choose from (CB-T4)"]
    is_pair = rules.draws_two(table)
    fewest, most = (2, 2 * is_pair) if phase == t.KEEP else (0, int(phase == t.PILE and is_pair))
    if not fewest <= face_up <= most:
        return [f"the phase {name} is impossible with {counted(face_up, 'card')} drawn (CB-V1)"]
    return []
