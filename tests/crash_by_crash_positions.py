"""Positions of Crash by Crash built by hand, played and read back by the tests of its rules.

A position is drawn by rows: "7,3: a . b *" are the cells 7.3 to 7.6. A cell holds

    .  nothing       a b  a standard car of side 0 or 1      A B  the magnetic one
    *  a bell        o    the operator, also in a hole        @   the operator on a bell

Rows count from the top, columns from the left in their row; rows with odd numbers are shifted half a cell to the right:

    6   6.3 6.4 6.5        from 7.3: E 7.4, NE 6.4, NW 6.3, W 7.2, SW 8.3, SE 8.4
    7      7.3 7.4 7.5
    8   8.3 8.4 8.5        from 8.4: E 8.5, NE 7.4, NW 7.3, W 8.3, SW 9.3, SE 9.4

Cells without a value are worth 0, and only the bells in the drawing are on the floor. A side without a car in the
drawing gets one in a corner, and so does a missing operator, so that no game ends by accident.
"""

from table_play import OnTheTable

import crashlab
from crashlab.engine.options import settle
from crashlab.engine.rules import quickest
from crashlab.engine.table import CHANCE, NOWHERE
from crashlab.games.boards import hexes
from crashlab.games.crash_by_crash import positions
from crashlab.games.crash_by_crash import state as tables
from crashlab.games.crash_by_crash.state import *

rules = quickest("crashlab.games.crash_by_crash")

GAME = crashlab.game("crash_by_crash")
E, NE, NW, W, SW, SE = range(6)
FLOOR = (
    "X1+3 F0+5 X7 F10+1 X3 F7+4 X0 F9+1 X10+3 F8+5 X6+3 F4+4 X9+3 F2 X8+3 F6+3 X12+3 F3 X4+3 F11"
    " X2+3 F5+2 X5+3 F1+2 X11"
)
CORNERS = {"a": (14, 0), "b": (14, 12), "o": (0, 12)}
FILLERS = (DEAD_ACCUMULATOR, SABOTEUR, LAMBADA)  # grey cards that no player can be made to play


def cell(place):
    """Return the number of the cell (row, column)."""
    row, column = place
    return BOARD.cell[row, 2 * column + row % 2]


def place(number):
    """Return the (row, column) of a cell."""
    row, x = BOARD.hexes[number]
    return row, x // 2


def ahead(start, way, steps=1):
    """Return the (row, column) that many steps ahead, or None outside the outline."""
    number = tables.AHEAD[6 * cell(start) + way]
    if number == tables.OUTSIDE:
        return None
    return place(number) if steps == 1 else ahead(place(number), way, steps - 1)


def is_beside(one, other):
    return hexes.distance(BOARD.hexes[cell(one)], BOARD.hexes[cell(other)]) == 1


def drawn(*rows):
    """Return the pieces of a drawing, {(row, column): letter}."""
    pieces = {}
    for line in rows:
        where, letters = line.split(":")
        row, column = map(int, where.split(","))
        for number, letter in enumerate(letters.split()):
            assert letter in ".abABo@*", f"{letter!r} is no piece"
            assert (row, 2 * (column + number) + row % 2) in BOARD.cell, f"{line} leaves the floor"
            if letter != ".":
                pieces[row, column + number] = letter
    return pieces


def board(
    *rows,
    players=2,
    seat=0,
    turn=8,
    acted=0,
    scores=(10, 10),
    batteries=(4, 4),
    values=None,
    gone=(),
    hands=None,
    display=None,
    discards=(),
    scorings=0,
    placed=0,
    scored=0,
    corners=True,
    full=True,
    **options,
):
    """Return a table in this seat's turn; `full` fills the hands up with grey cards, the other cards are in the pile.

    `values` are the values of cells, {(row, column): 3}; `gone` are tiles; `discards` are cards, or "all" the rest.
    """
    table = tables.empty(settle(tables.OPTIONS, {"players": players, **options}))
    for number in range(TILES):
        table.tile[number] = number // 2
    for spot, value in (values or {}).items():
        table.value[cell(spot)] = value
    for number in gone:
        table.gone[number] = 1
    lay_pieces(table, drawn(*rows), corners)
    table.score[:], table.batteries[:] = scores, batteries
    deal(table, hands or {}, display, full)
    for card in range(KINDS):
        table.discards[card] = tables.in_pile(table, card) if discards == "all" else discards.count(card)
    table.phase[0], table.asked[0], table.turn[0] = ACTION, seat, turn
    table.acted[0], table.placed[0], table.scored[0] = acted, placed, scored
    table.scorings[0] = max(scorings, len(gone))
    play = Play(table)
    play.check()
    return play


def lay_pieces(table, pieces, corners):
    """Place cars, bells and the operator, each letter the next piece of its kind; missing ones go into corners."""
    standing = {"a": "aA", "b": "bB", "o": "o@"}
    if corners:
        for letter, kinds in standing.items():
            if not set(kinds) & set(pieces.values()):
                assert CORNERS[letter] not in pieces, f"draw {letter!r}, its corner is taken"
                pieces[CORNERS[letter]] = letter
    left = {
        "a": list(range(STANDARD)),
        "b": list(range(FLEET, FLEET + STANDARD)),
        "A": [STANDARD],
        "B": [FLEET + STANDARD],
        "*": list(range(BELL, tables.PIECES)),
        "o": [OPERATOR],
    }
    for spot, letter in sorted(pieces.items()):
        for kind in "*o" if letter == "@" else letter:
            table.cell[left[kind].pop(0)] = cell(spot)


def deal(table, hands, display, full):
    """Deal the hands, filled up if `full`, and three face-up cards."""
    full_hands = {seat: list(hands.get(seat, ())) for seat in range(table.players[0])}
    face_up = list(display if display is not None else ())
    for card in [card for hand in full_hands.values() for card in hand]:
        assert 0 <= card < KINDS
    for seat, hand in full_hands.items():
        for card in hand:
            table.hand[KINDS * seat + card] += 1
        table.hand_size[seat] = len(hand)
    table.display[: len(face_up)] = face_up
    spare = [card for card in (*FILLERS, *range(KINDS)) for _ in range(tables.in_pile(table, card))]
    if full:
        for seat in full_hands:
            while table.hand_size[seat] < HAND:
                table.hand[KINDS * seat + next_spare(table, spare)] += 1
                table.hand_size[seat] += 1
    if table.players[0] == 2 and display is None:
        for number in range(3):
            table.display[number] = next_spare(table, spare[::-1])


def next_spare(table, spare):
    return next(card for card in spare if tables.in_pile(table, card) > 0)


# Actions


def car(spot, way=None, second=None, batteries=0):
    """Return the code of a standard car that hits this way, and perhaps a second way."""
    ways = WAY * (0 if way is None else way + 1) + SECOND * (0 if second is None else second + 1)
    return CAR + cell(spot) + ways + POWER * batteries


def magnet(spot):
    return MAGNET + cell(spot)


def card(kind, what=None, where=None):
    """Return the code of a card and of the cells (row, column) that it needs."""
    first, second = (0 if spot is None else cell(spot) for spot in (what, where))
    return PLAY + kind + STEP * first + STEP * CELL * second


def swap(one, other):
    """Return the code of Lambada, the lower cell first."""
    return card(LAMBADA, *sorted((one, other), key=cell))


def exchange(one, other):
    low, high = sorted((one, other))
    return EXCHANGE + low + STEP * high


def walk(*ways):
    """Return the code of steps from cell to cell that do not start in a hole."""
    return WALK + sum((way + 1) * STEP**number for number, way in enumerate(ways))


class Play(OnTheTable):
    """A game in progress."""

    rules = rules

    # Playing

    def do(self, *actions):
        """Play these actions one after another, each for the seat to decide."""
        for action in actions:
            assert action in self.actions(), GAME.refuse(self.table, self.seat(), action)
            self.apply(action)
        return self

    def apply(self, action):
        self.happens(self.seat(), action)

    def draws(self, *cards):
        """Finish the turn with these cards: a face-up kind or "pile"; when they run out, take the first choice."""
        cards = list(cards)
        while self.table.phase[0] not in (ACTION, OVER):
            choices = self.actions()
            choice = cards.pop(0) if cards and self.table.phase[0] == tables.DRAWING else None
            action = TAKE + (tables.FROM_PILE if choice == "pile" else choice or 0)
            self.do(choices[0] if choice is None else action)
        assert not cards
        return self

    def seat(self):
        return CHANCE if rules.actors(self.table) == CHANCE else self.table.asked[0]

    def check(self):
        """Check the invariants, except that bells may be missing."""
        wrong = [words for words in positions.problems(self.table) if "bells are on the floor" not in words]
        assert not wrong, wrong

    # The legal actions

    def sort(self, sort):
        """Return the legal actions of this sort."""
        return [action for action in self.actions() if action // SORT * SORT == sort]

    def can(self, action):
        return action in self.actions()

    def refuses(self, action, *rules_named):
        """Return whether an action is refused, and check that the refusal names one of these rules."""
        offered, words = self.can(action), GAME.refuse(self.table, self.seat(), action)
        assert offered == (not words), (
            f"{action} is {'offered' if offered else 'not offered'}, and refused with {words!r}"
        )
        assert offered or any(f"{rule})" in words or f"{rule}," in words for rule in rules_named), words
        return not offered

    def placements(self):
        """Return the cells for a standard car without batteries, {(row, column): ways}."""
        cells = {}
        for action in self.sort(CAR):
            if action % SORT < POWER:
                cells.setdefault(place(action % WAY), set()).add(action % SECOND // WAY - 1)
        return cells

    def magnet_cells(self):
        return {place(action - MAGNET) for action in self.sort(MAGNET)}

    def cards(self):
        return {action % STEP for action in self.sort(PLAY)}

    def targets(self, kind):
        """Return the pairs of cells with which a card can be played."""
        pairs = set()
        for action in self.sort(PLAY):
            if action % STEP == kind:
                rest = (action - PLAY) // STEP
                pairs.add((place(rest % CELL), place(rest // CELL)))
        return pairs

    def routes(self):
        """Return the legal walks, {action: (steps as (row, column), ways)}; a hole is given as its middle cell."""
        return {action: self.route(action) for action in self.sort(WALK)}

    def route(self, action):
        here, spots, ways = self.table.cell[OPERATOR], [], []
        rest = action - WALK
        while rest:
            step, rest = rest % STEP - 1, rest // STEP
            way = step
            if self.is_hole(here):
                near, turn = divmod(step, 3)
                here, way = tables.AHEAD[6 * here + near], (near + turn - 1) % 6
            here = tables.AHEAD[6 * here + way]
            assert here != tables.OUTSIDE
            if self.is_hole(here):
                here = tables.cells_of(TILE[here])[0]
            spots.append(place(here))
            ways.append(way)
        return tuple(spots), tuple(ways)

    def is_hole(self, number):
        return bool(self.table.gone[TILE[number]])

    def go(self, *spots, ways=None):
        """Walk with the operator over these cells (a hole by its middle); `ways` only if they make a difference."""
        walks = [a for a, (way_by, pushed) in self.routes().items() if way_by == spots and ways in (None, pushed)]
        assert len(walks) == 1, f"{len(walks)} walks by {spots}"
        return self.do(walks[0])

    def can_go(self, *spots):
        return any(by == spots for by, _ in self.routes().values())

    # The table

    def floor(self):
        """Return the pieces on the floor, {(row, column): letter}."""
        letters = {}
        names = "a" * STANDARD + "A" + "b" * STANDARD + "B" + "o" + "*" * tables.BELLS
        for piece, number in enumerate(self.table.cell):
            if number != NOWHERE:
                assert 0 <= number < CELLS
                spot = place(number)
                letters[spot] = "@" if spot in letters else names[piece]
        return letters

    def lies(self, *rows):
        """Check that the floor looks like this drawing, which may omit pieces in their corners; return True."""
        drawing, floor = drawn(*rows), self.floor()
        for letter, corner in CORNERS.items():
            if corner not in drawing and floor.get(corner) == letter:
                del floor[corner]
        assert floor == drawing, f"{sorted(floor.items())}"
        return True

    def stock(self, side):
        """Return how many standard cars a side has in stock, and whether it has the magnetic one."""
        at = self.table.cell[FLEET * side : FLEET * side + FLEET]
        return at[:STANDARD].count(NOWHERE), at[STANDARD] == NOWHERE

    def hand(self, seat):
        """Return the cards of a seat, lowest first."""
        return [card for card in range(KINDS) for _ in range(self.table.hand[KINDS * seat + card])]

    def scores(self):
        return tuple(self.table.score)

    def gone(self):
        return {number for number in range(TILES) if self.table.gone[number]}

    def asks(self, seat, phase=ACTION):
        return (self.table.asked[0], self.table.phase[0]) == (seat, phase)

    def beats(self, field):
        """Return the changes of a field, beat by beat: [{(index, new), ...}, ...]."""
        number, changes = tables.CrashByCrash.NAMES.index(field), {}
        for row in self.trace.rows:
            if row[3] == number:
                changes.setdefault(row[0], set()).add((row[4], row[6]))
        return list(changes.values())


__all__ = [
    "DISCARD",
    "FORFEIT",
    "NE",
    "NW",
    "PILE",
    "PLACE",
    "SE",
    "SW",
    "TURN_UP",
    "E",
    "Play",
    "W",
    "ahead",
    "board",
    "car",
    "card",
    "cell",
    "drawn",
    "exchange",
    "is_beside",
    "magnet",
    "place",
    "swap",
    "walk",
]
