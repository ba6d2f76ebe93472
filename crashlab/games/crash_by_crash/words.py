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

import re
from collections.abc import Iterable, Sequence

from crashlab.boards.hexes import DIRECTIONS
from crashlab.errors import CrashlabError, shown
from crashlab.games.crash_by_crash import rules
from crashlab.games.crash_by_crash import table as t
from crashlab.games.crash_by_crash.table import CrashByCrash
from crashlab.happen import HIDDEN, NOWHERE
from crashlab.notation import (
    about,
    called,
    chosen,
    pair,
    some,
)

SEATS = "ABCD"
SIDES = ("blue", "orange")
TITLES = t.CARD_NAMES["english"]
CARD_WORDS = (
    "Charms", "Lambada", "Ride", "Saboteur", "Dutchman", "Accumulator", "Powerless", "Shady", "Hit", "Racket", "Tandem",
    "Expansion", "Reaction",
)  # fmt: skip
NAMES = tuple(
    (CARD_WORDS[card], TITLES[card], t.CARD_NAMES["czech"][card], f"K{card + 1}", f"CB-K{card + 1}")
    for card in range(t.KINDS)
)
PHASES = ("set-up", "action", "drawing", "keep", "pile", "refill", "over")
QUESTIONS = (
    "a cell for a car", "an action", "a card to draw", "a card for the discards", "a card from the pile",
    "a card that is turned face up", "an answer, for the game is over",
)  # fmt: skip
COUNTING = ("no", "one", "two", "three")


def seat_name(seat: int) -> str:
    """A to D."""
    return called(SEATS, seat, "seat")


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
    return chosen(word, DIRECTIONS, "direction")


def read_card(words: object) -> int:
    """The kind of card with this number, name, or clear beginning of a word of its name."""
    return chosen(words, NAMES, "card", "or K1 to K13")


# Actions


def action_text(table: CrashByCrash, seat: int, action: int) -> str:
    """The action in notation."""
    sort, rest = action // t.SORT * t.SORT, action % t.SORT
    if sort == t.PLACE:
        return f"place {cell_text(rest)}"
    if sort == t.CAR:
        return car_text(rest)
    if sort == t.MAGNET:
        return f"magnet {cell_text(rest)}"
    if sort == t.WALK:
        return f"walk {' '.join(steps_text(table, rest))}"
    if sort == t.EXCHANGE:
        return f"exchange {card_text(rest % t.STEP)} {card_text(rest // t.STEP)}"
    if sort == t.PLAY:
        return play_text(rest % t.STEP, rest // t.STEP % t.CELL, rest // (t.STEP * t.CELL))
    if sort == t.TAKE:
        return "take pile" if rest == t.FROM_PILE else f"take {card_text(rest)}"
    if sort == t.DISCARD:
        return f"discard {card_text(rest)}"
    if sort == t.TURN_UP:
        return card_text(rest)
    return "forfeit" if action == t.FORFEIT else f"action {action}"


def card_text(card: int) -> str:
    """A card's word, also where there is none."""
    return CARD_WORDS[card] if 0 <= card < t.KINDS else f"card {card + 1}"


def car_text(rest: int) -> str:
    """A standard car: its cell, the ways it hits, batteries."""
    ways = [rest // unit % 8 - 1 for unit in (t.WAY, t.SECOND)]
    words = [
        "car",
        cell_text(rest % t.WAY),
        *(DIRECTIONS[way] if way < 6 else f"way {way}" for way in ways if way >= 0),
    ]
    return " ".join(words) + (f" +{rest // t.POWER}" if rest >= t.POWER else "")


def play_text(card: int, what: int, where: int) -> str:
    """A card, and on what it is played."""
    words = ["play", card_text(card)]
    if card <= t.SABOTEUR or card == t.FLYING_DUTCHMAN:
        words.append(cell_text(what))
    if card <= t.FREE_RIDE:
        words.append(cell_text(where))
    return " ".join(words)


def steps_text(table: CrashByCrash, rest: int) -> list[str]:
    """The operator's steps: a direction, or out of a hole the cell, with the direction if a car stands there."""
    steps = []
    while rest > 0:
        steps.append(rest % t.STEP - 1)
        rest //= t.STEP
    if not any(table.gone):
        return [DIRECTIONS[step] if 0 <= step < 6 else f"step {step}" for step in steps]
    words, path = list[str](), Path(table)
    for step in steps:
        goal = path.goal(step)
        if goal == t.OUTSIDE:
            return [*words, f"step {step}"]
        word = DIRECTIONS[path.way(step)]
        if path.inside:
            word = f"{cell_text(goal)}/{word}" if path.car_on(goal) else cell_text(goal)
        words.append(word)
        path.go(step)
    return words


class Path:
    """Where the operator comes to, on a copy of the board on which he pushes the cars in his way."""

    def __init__(self, table: CrashByCrash) -> None:
        self.table, self.out = table, [0] * rules.MOST_ACTIONS
        rules.lay_out(table, self.out)
        self.visited = [self.cell]

    @property
    def cell(self) -> int:
        """The operator's cell."""
        return self.out[rules.BASE + t.OPERATOR]

    @property
    def inside(self) -> bool:
        """CB-O3: whether he is in a hole."""
        return bool(self.table.gone[t.TILE[self.cell]])

    def way(self, step: int) -> int:
        """The direction of a step."""
        return rules.direction(step, self.inside)

    def goal(self, step: int) -> int:
        """The cell to which a step leads; OUTSIDE where there is none."""
        known = 0 <= step < (rules.EXITS if self.inside else 6)
        return rules.goal(self.cell, step, self.inside) if known else t.OUTSIDE

    def car_on(self, cell: int) -> bool:
        """Whether a car is on a cell."""
        return rules.car_at(self.table, self.out, rules.BASE, cell) != NOWHERE

    def place(self, cell: int) -> int:
        """CB-O3: a cell, or the middle of the hole it is in, which is one cell to him."""
        return t.cells_of(t.TILE[cell])[0] if self.table.gone[t.TILE[cell]] else cell

    def go(self, step: int) -> None:
        """Make a step."""
        rules.stride(self.table, self.out, rules.BASE, step, NOWHERE, None)
        self.visited.append(self.cell)

    def steps(self) -> list[int]:
        """The steps that stay on the floor."""
        return [step for step in range(rules.EXITS) if self.goal(step) != t.OUTSIDE]


def question(phase: int) -> str:
    """What is asked in this phase."""
    return QUESTIONS[phase]


def read_action(table: CrashByCrash, seat: int, words: object) -> int:
    """The action that these words mean, legal or not."""
    phase = table.phase[0]
    line = re.sub(r"\(\s*([0-9]+)\s*,\s*([0-9]+)\s*\)", r" \1.\2 ", words) if isinstance(words, str) else ""
    with about(f"cannot read {shown(words)} as {question(phase)}"):
        if not line.split():
            raise CrashlabError("an action is a few words")
        return read_answer(table, phase, line.split())


def read_answer(table: CrashByCrash, phase: int, words: list[str]) -> int:
    """The answer to the question of this phase."""
    verb, rest = words[0].lower(), words[1:]
    if phase == t.SET_UP:
        return t.PLACE + read_cell(" ".join(rest if verb in ("place", "car", "put") else words))
    if phase == t.ACTION:
        return read_deed(table, verb, rest, words)
    if phase == t.DRAWING:
        what = " ".join(rest if verb in ("take", "draw") else words)
        return t.TAKE + (t.FROM_PILE if what.lower() in ("pile", "from pile", "from the pile") else read_card(what))
    if phase == t.KEEP and verb in ("keep", "discard"):
        card = read_card(" ".join(rest))
        both = table.drawn[:2]
        if verb == "keep" and card in both:
            card = both[1 - both.index(card)]
        return t.DISCARD + card
    if phase == t.KEEP:
        return t.DISCARD + read_card(" ".join(words))
    if phase == t.OVER:
        raise CrashlabError("nobody is asked anything")
    return t.TURN_UP + read_card(" ".join(rest if verb in ("draw", "turn-up") else words))


def read_deed(table: CrashByCrash, verb: str, rest: list[str], words: list[str]) -> int:
    """One of the two actions of a turn."""
    if verb in ("forfeit", "pass", "-") and not rest:
        return t.FORFEIT
    if verb in ("car", "place", "put"):
        return read_car(table, rest)
    if verb == "magnet":
        return t.MAGNET + read_cell(" ".join(rest))
    if verb in ("walk", "operator"):
        return read_walk(table, rest)
    if verb == "exchange":
        if len(rest) != 2:
            raise CrashlabError("two cards are exchanged, as in 'exchange Ride Tandem' (CB-T1)")
        low, high = sorted(map(read_card, rest))
        return t.EXCHANGE + low + t.STEP * high
    return read_play(table, rest if verb in ("play", "card") else words)


def read_car(table: CrashByCrash, words: list[str]) -> int:
    """A standard car on a cell, with the ways it hits and batteries."""
    if not words:
        raise CrashlabError("where? As in 'car 7.3 E'")
    batteries = [word for word in words[1:] if word[0] == "+"]
    ways = [read_direction(word) for word in words[1:] if word[0] != "+"]
    if len(batteries) > 1 or any(word not in ("+0", "+1", "+2") for word in batteries):
        raise CrashlabError("a hit may have one battery or two, as in 'car 7.3 E +2' (CB-P2)")
    if len(ways) > 2 or len(set(ways)) < len(ways):
        raise CrashlabError("a car hits once, or with Double Hit in two different directions (CB-K9)")
    power = t.POWER * int(batteries[0]) if batteries else 0
    first, second = (*(way + 1 for way in ways), 0, 0)[:2]
    action = t.CAR + read_cell(words[0]) + t.WAY * first + t.SECOND * second + power
    if second and first > second and not in_list(table, action):  # the order makes no difference (CB-K9)
        action += (t.WAY - t.SECOND) * (second - first)
    return action


def in_list(table: CrashByCrash, action: int) -> bool:
    """Whether it is one of the legal actions."""
    out = [0] * rules.MOST_ACTIONS
    return action in out[: rules.legal(table, table.asked[0], out)]


def read_walk(table: CrashByCrash, words: list[str]) -> int:
    """CB-O1: the operator's steps, of those that come to the same always the least."""
    if len(words) not in (2, 4):
        raise CrashlabError("the operator goes exactly 2 or 4 cells, as in 'walk E NE' (CB-O1)")
    path, action, unit = Path(table), t.WALK, 1
    for number, word in enumerate(words, 1):
        step = read_step(path, number, word)
        if path.place(path.goal(step)) in path.visited:
            raise CrashlabError(f"step {number} leads back to {place_words(path.goal(step))} (CB-O1)")
        action, unit = action + unit * (step + 1), unit * t.STEP
        path.go(step)
    return action


def read_step(path: Path, number: int, word: str) -> int:
    """The step that is meant by `E`, or by a cell, with a direction after it if he comes out of a hole."""
    goal, slash, way = word.partition("/")
    if re.match(r"[0-9]", goal):
        cell = read_cell(goal)
        found = [step for step in path.steps() if path.place(path.goal(step)) == path.place(cell)]
        if not found:
            raise CrashlabError(f"step {number}: {place_words(cell)} is not beside the operator (CB-O1)")
    else:
        over, way = read_direction(goal), way if slash else goal
        if slash and not path.inside:
            raise CrashlabError(f"step {number}: he is in no hole, so a direction is enough, not {shown(word)} (CB-O3)")
        found = [step for step in path.steps() if not path.inside or step // 3 == over]
    ways = [step for step in found if not way or path.way(step) == read_direction(way)]
    if not ways:
        raise CrashlabError(f"step {number}: {shown(word)} leads off the floor, or is no way there (CB-O1, CB-O3)")
    goals = {path.place(path.goal(step)) for step in ways}
    car = any(path.car_on(goal) for goal in goals) and path.inside
    if car and len(ways) > 1:
        raise CrashlabError(
            f"step {number}: which way is the car pushed? As in '{word}/{DIRECTIONS[path.way(ways[0])]}' (CB-O3)"
        )
    return ways[0] if car else next(step for step in path.steps() if path.place(path.goal(step)) in goals)


def read_play(table: CrashByCrash, words: list[str]) -> int:
    """A card, and on what it is played. Its name is the longest beginning that is one."""
    for length in range(len(words), 0, -1):
        try:
            card = read_card(" ".join(words[:length]))
        except CrashlabError:
            continue
        return t.PLAY + card + read_target(table, card, words[length:])
    raise CrashlabError(
        f"an action begins with car, magnet, walk, play or exchange; a card is one of {some(CARD_WORDS)}, or K1 to K13"
    )


def read_target(table: CrashByCrash, card: int, words: list[str]) -> int:
    """What a card is played on."""
    wanted = 2 if card <= t.FREE_RIDE else 1 if card in (t.SABOTEUR, t.FLYING_DUTCHMAN) else 0
    if len(words) != wanted:
        example = " ".join([CARD_WORDS[card], "7.3", "7.4"][: wanted + 1])
        raise CrashlabError(f"{CARD_WORDS[card]} needs {COUNTING[wanted]} cell{'s' * (wanted != 1)}, as in '{example}'")
    if wanted == 0:
        return 0
    what, where = read_cell(words[0]), 0
    if card == t.FLYING_DUTCHMAN and table.gone[t.TILE[what]]:
        what = t.cells_of(t.TILE[what])[0]
    if wanted == 2:
        where = read_neighbour(what, words[1]) if card != t.BELL_CHARMS else read_cell(words[1])
    if card == t.LAMBADA:
        what, where = min(what, where), max(what, where)
    return t.STEP * what + t.STEP * t.CELL * where


def read_neighbour(cell: int, word: str) -> int:
    """A cell, or the one in this direction."""
    if word.upper() not in DIRECTIONS:
        return read_cell(word)
    target = t.AHEAD[6 * cell + read_direction(word)]
    if target == t.OUTSIDE:
        raise CrashlabError(f"there is no cell {word.upper()} of {place_words(cell)} (CB-F2)")
    return target


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


def cards_text(cards: Iterable[int]) -> str:
    """Cards in notation, place by place, as in `Ride - Ride`; `?` is a hidden one."""
    return " ".join("-" if card == NOWHERE else "?" if card == HIDDEN else CARD_WORDS[card] for card in cards)


def counted_text(counts: Sequence[int]) -> str:
    """Cards in notation, kind by kind, as in `Ride Tandem*2`."""
    return " ".join(
        CARD_WORDS[card] + (f"*{number}" if number > 1 else "") for card, number in enumerate(counts) if number
    )
