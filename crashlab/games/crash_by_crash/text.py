"""Crash by Crash in words: actions, positions and events as text, JSON, and back.

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
from dataclasses import dataclass
from typing import Any

from crashlab.boards.hexes import DIRECTIONS
from crashlab.chance import Random
from crashlab.games.crash_by_crash import rules
from crashlab.games.crash_by_crash.table import (
    ACTION,
    AHEAD,
    BELL,
    BELL_CHARMS,
    BELLS,
    BOARD,
    CAR,
    CARD_NAMES,
    CARS,
    CELL,
    CELLS,
    CZECH,
    DEAD_ACCUMULATOR,
    DISCARD,
    DOUBLE_HIT,
    DRAWING,
    ENGLISH,
    EXCHANGE,
    EXPANSION,
    FIRST_CHANCE,
    FLEET,
    FLYING_DUTCHMAN,
    FORFEIT,
    FREE_RIDE,
    FROM_PILE,
    HAND,
    KEEP,
    KINDS,
    LAMBADA,
    MAGNET,
    OPERATOR,
    OUTSIDE,
    OVER,
    PILE,
    PLACE,
    PLAY,
    POWER,
    POWERLESS_BELL,
    REFILL,
    RINGING,
    SABOTEUR,
    SECOND,
    SET_UP,
    SORT,
    STANDARD,
    STEP,
    TAKE,
    TILE,
    TILES,
    TURN_UP,
    WALK,
    WAY,
    CrashByCrash,
    cells_of,
    copies,
    empty,
    from_pile,
    lay_tile,
    problems,
    seat_to_place,
    star,
)
from crashlab.happen import HIDDEN, NOWHERE
from crashlab.notation import (
    about,
    as_list,
    called,
    check_keys,
    chosen,
    counted,
    fields,
    flag,
    named_values,
    nothing,
    pair,
    pieces,
    read_seat,
    refuse,
    renamed,
    sections,
    some,
    together,
    trimmed,
    unique,
    whole,
)
from crashlab.options import CrashlabError, Value, shown

SEATS = "ABCD"
SIDES = ("blue", "orange")
TITLES = CARD_NAMES["english"]
CARD_WORDS = (
    "Charms", "Lambada", "Ride", "Saboteur", "Dutchman", "Accumulator", "Powerless", "Shady", "Hit", "Racket", "Tandem",
    "Expansion", "Reaction",
)  # fmt: skip
NAMES = tuple(
    (CARD_WORDS[card], TITLES[card], CARD_NAMES["czech"][card], f"K{card + 1}", f"CB-K{card + 1}")
    for card in range(KINDS)
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
    row, x = BOARD.hexes[cell % RINGING]
    return row, x // 2


def cell_text(cell: int) -> str:
    """7.3, or `-` for nowhere; a bell that rings, as the first one of this action, is `7.3!1`."""
    if not 0 <= cell % RINGING < CELLS:
        return "-"
    row, column = place(cell)
    return f"{row}.{column}" + (f"!{cell // RINGING}" if cell >= RINGING else "")


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
    if (row, 2 * column + row % 2) not in BOARD.cell:
        raise CrashlabError(
            f"cell: there is no cell {row}.{column}; rows are 0 to 14, columns 0 to 12, in odd rows to 11 (CB-F2)"
        )
    return BOARD.cell[row, 2 * column + row % 2]


def read_direction(word: object) -> int:
    """The direction E, NE, NW, W, SW or SE."""
    return chosen(word, DIRECTIONS, "direction")


def read_card(words: object) -> int:
    """The kind of card with this number, name, or clear beginning of a word of its name."""
    return chosen(words, NAMES, "card", "or K1 to K13")


# Actions


def action_text(table: CrashByCrash, seat: int, action: int) -> str:
    """The action in notation."""
    sort, rest = action // SORT * SORT, action % SORT
    if sort == PLACE:
        return f"place {cell_text(rest)}"
    if sort == CAR:
        return car_text(rest)
    if sort == MAGNET:
        return f"magnet {cell_text(rest)}"
    if sort == WALK:
        return f"walk {' '.join(steps_text(table, rest))}"
    if sort == EXCHANGE:
        return f"exchange {card_text(rest % STEP)} {card_text(rest // STEP)}"
    if sort == PLAY:
        return play_text(rest % STEP, rest // STEP % CELL, rest // (STEP * CELL))
    if sort == TAKE:
        return "take pile" if rest == FROM_PILE else f"take {card_text(rest)}"
    if sort == DISCARD:
        return f"discard {card_text(rest)}"
    if sort == TURN_UP:
        return card_text(rest)
    return "forfeit" if action == FORFEIT else f"action {action}"


def card_text(card: int) -> str:
    """A card's word, also where there is none."""
    return CARD_WORDS[card] if 0 <= card < KINDS else f"card {card + 1}"


def car_text(rest: int) -> str:
    """A standard car: its cell, the ways it hits, batteries."""
    ways = [rest // unit % 8 - 1 for unit in (WAY, SECOND)]
    words = ["car", cell_text(rest % WAY), *(DIRECTIONS[way] if way < 6 else f"way {way}" for way in ways if way >= 0)]
    return " ".join(words) + (f" +{rest // POWER}" if rest >= POWER else "")


def play_text(card: int, what: int, where: int) -> str:
    """A card, and on what it is played."""
    words = ["play", card_text(card)]
    if card <= SABOTEUR or card == FLYING_DUTCHMAN:
        words.append(cell_text(what))
    if card <= FREE_RIDE:
        words.append(cell_text(where))
    return " ".join(words)


def steps_text(table: CrashByCrash, rest: int) -> list[str]:
    """The operator's steps: a direction, or out of a hole the cell, with the direction if a car stands there."""
    steps = []
    while rest > 0:
        steps.append(rest % STEP - 1)
        rest //= STEP
    if not any(table.gone):
        return [DIRECTIONS[step] if 0 <= step < 6 else f"step {step}" for step in steps]
    words, path = list[str](), Path(table)
    for step in steps:
        goal = path.goal(step)
        if goal == OUTSIDE:
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
        return self.out[rules.BASE + OPERATOR]

    @property
    def inside(self) -> bool:
        """CB-O3: whether he is in a hole."""
        return bool(self.table.gone[TILE[self.cell]])

    def way(self, step: int) -> int:
        """The direction of a step."""
        return rules.direction(step, self.inside)

    def goal(self, step: int) -> int:
        """The cell to which a step leads; OUTSIDE where there is none."""
        known = 0 <= step < (rules.EXITS if self.inside else 6)
        return rules.goal(self.cell, step, self.inside) if known else OUTSIDE

    def car_on(self, cell: int) -> bool:
        """Whether a car is on a cell."""
        return rules.car_at(self.table, self.out, rules.BASE, cell) != NOWHERE

    def place(self, cell: int) -> int:
        """CB-O3: a cell, or the middle of the hole it is in, which is one cell to him."""
        return cells_of(TILE[cell])[0] if self.table.gone[TILE[cell]] else cell

    def go(self, step: int) -> None:
        """Make a step."""
        rules.stride(self.table, self.out, rules.BASE, step, NOWHERE, None)
        self.visited.append(self.cell)

    def steps(self) -> list[int]:
        """The steps that stay on the floor."""
        return [step for step in range(rules.EXITS) if self.goal(step) != OUTSIDE]


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
    if phase == SET_UP:
        return PLACE + read_cell(" ".join(rest if verb in ("place", "car", "put") else words))
    if phase == ACTION:
        return read_deed(table, verb, rest, words)
    if phase == DRAWING:
        what = " ".join(rest if verb in ("take", "draw") else words)
        return TAKE + (FROM_PILE if what.lower() in ("pile", "from pile", "from the pile") else read_card(what))
    if phase == KEEP and verb in ("keep", "discard"):
        card = read_card(" ".join(rest))
        both = table.drawn[:2]
        if verb == "keep" and card in both:
            card = both[1 - both.index(card)]
        return DISCARD + card
    if phase == KEEP:
        return DISCARD + read_card(" ".join(words))
    if phase == OVER:
        raise CrashlabError("nobody is asked anything")
    return TURN_UP + read_card(" ".join(rest if verb in ("draw", "turn-up") else words))


def read_deed(table: CrashByCrash, verb: str, rest: list[str], words: list[str]) -> int:
    """One of the two actions of a turn."""
    if verb in ("forfeit", "pass", "-") and not rest:
        return FORFEIT
    if verb in ("car", "place", "put"):
        return read_car(table, rest)
    if verb == "magnet":
        return MAGNET + read_cell(" ".join(rest))
    if verb in ("walk", "operator"):
        return read_walk(table, rest)
    if verb == "exchange":
        if len(rest) != 2:
            raise CrashlabError("two cards are exchanged, as in 'exchange Ride Tandem' (CB-T1)")
        low, high = sorted(map(read_card, rest))
        return EXCHANGE + low + STEP * high
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
    power = POWER * int(batteries[0]) if batteries else 0
    first, second = (*(way + 1 for way in ways), 0, 0)[:2]
    action = CAR + read_cell(words[0]) + WAY * first + SECOND * second + power
    if second and first > second and not in_list(table, action):  # the order makes no difference (CB-K9)
        action += (WAY - SECOND) * (second - first)
    return action


def in_list(table: CrashByCrash, action: int) -> bool:
    """Whether it is one of the legal actions."""
    out = [0] * rules.MOST_ACTIONS
    return action in out[: rules.legal(table, table.asked[0], out)]


def read_walk(table: CrashByCrash, words: list[str]) -> int:
    """CB-O1: the operator's steps, of those that come to the same always the least."""
    if len(words) not in (2, 4):
        raise CrashlabError("the operator goes exactly 2 or 4 cells, as in 'walk E NE' (CB-O1)")
    path, action, unit = Path(table), WALK, 1
    for number, word in enumerate(words, 1):
        step = read_step(path, number, word)
        if path.place(path.goal(step)) in path.visited:
            raise CrashlabError(f"step {number} leads back to {place_words(path.goal(step))} (CB-O1)")
        action, unit = action + unit * (step + 1), unit * STEP
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
        return PLAY + card + read_target(table, card, words[length:])
    raise CrashlabError(
        f"an action begins with car, magnet, walk, play or exchange; a card is one of {some(CARD_WORDS)}, or K1 to K13"
    )


def read_target(table: CrashByCrash, card: int, words: list[str]) -> int:
    """What a card is played on."""
    wanted = 2 if card <= FREE_RIDE else 1 if card in (SABOTEUR, FLYING_DUTCHMAN) else 0
    if len(words) != wanted:
        example = " ".join([CARD_WORDS[card], "7.3", "7.4"][: wanted + 1])
        raise CrashlabError(f"{CARD_WORDS[card]} needs {COUNTING[wanted]} cell{'s' * (wanted != 1)}, as in '{example}'")
    if wanted == 0:
        return 0
    what, where = read_cell(words[0]), 0
    if card == FLYING_DUTCHMAN and table.gone[TILE[what]]:
        what = cells_of(TILE[what])[0]
    if wanted == 2:
        where = read_neighbour(what, words[1]) if card != BELL_CHARMS else read_cell(words[1])
    if card == LAMBADA:
        what, where = min(what, where), max(what, where)
    return STEP * what + STEP * CELL * where


def read_neighbour(cell: int, word: str) -> int:
    """A cell, or the one in this direction."""
    if word.upper() not in DIRECTIONS:
        return read_cell(word)
    target = AHEAD[6 * cell + read_direction(word)]
    if target == OUTSIDE:
        raise CrashlabError(f"there is no cell {word.upper()} of {place_words(cell)} (CB-F2)")
    return target


# What cannot be done


FITTING = {
    SET_UP: (PLACE,),
    ACTION: (FORFEIT, CAR, MAGNET, WALK, EXCHANGE, PLAY),
    DRAWING: (TAKE,),
    KEEP: (DISCARD,),
    PILE: (TURN_UP,),
    REFILL: (TURN_UP,),
}


def refusal(table: CrashByCrash, seat: int, action: int) -> str:
    """Why this seat cannot do so now, with the rule that forbids it; empty if it can."""
    phase = table.phase[0]
    if action // SORT * SORT not in FITTING.get(phase, ()):
        return f"{question(phase)} is asked for now, not code {action}"
    try:
        said = action_text(table, seat, action)
        if read_action(table, seat, said) != action:
            return f"{shown(said)} is never done with code {action}"
    except CrashlabError as error:
        return str(error)
    if phase != ACTION:
        return "" if in_list(table, action) else REASONS[phase](table, action)
    reason = deed_refusal(table, action)
    return ringing_refusal(table, action) if not reason and not in_list(table, action) else reason


def set_up_refusal(table: CrashByCrash, action: int) -> str:
    """CB-S2: why no car can be put here at set-up."""
    return occupied(table, action - PLACE) or "there is a car on this tile, and no two begin on one (CB-S2)"


def take_refusal(table: CrashByCrash, action: int) -> str:
    """CB-T4: why this card cannot be drawn."""
    card = action - TAKE
    return f"{card_text(card)} is not face up (CB-T4)" if card < KINDS else "no card is left to draw (CB-T4)"


def discard_refusal(table: CrashByCrash, action: int) -> str:
    """CB-V1: why this card cannot be given away."""
    return f"the cards drawn are {some(map(card_text, table.drawn))} (CB-V1)"


def turn_up_refusal(table: CrashByCrash, action: int) -> str:
    """CB-T4: why this card cannot come."""
    return f"there is no {card_text(action - TURN_UP)} in the pile (CB-T4)"


REASONS = {
    SET_UP: set_up_refusal,
    DRAWING: take_refusal,
    KEEP: discard_refusal,
    PILE: turn_up_refusal,
    REFILL: turn_up_refusal,
}


def occupied(table: CrashByCrash, cell: int) -> str:
    """CB-P1: why a cell is not free; empty if it is."""
    if table.gone[TILE[cell]]:
        return f"there is a hole at {place_words(cell)} (CB-F5)"
    for piece, other in enumerate(table.cell):
        if other == cell:
            return f"{piece_name(piece)} is on {place_words(cell)} (CB-P1)"
    return ""


def deed_refusal(table: CrashByCrash, action: int) -> str:
    """Why one of the two actions cannot be done, bells aside."""
    sort, rest, side, bound = action // SORT * SORT, action % SORT, table.asked[0] & 1, table.bound[0]
    placing = sort in (CAR, MAGNET)
    if rules.is_blue(bound) and not (sort == CAR or (bound == EXPANSION and placing)):
        cars = "a car" if bound == EXPANSION else "a standard car"
        return f"after {TITLES[bound]} {cars} must be placed ({card_rule(bound)})"
    if rules.is_yellow(bound) and sort == EXCHANGE:
        return (
            f"after {TITLES[bound]} a placement, the operator or a grey card must bring a scoring;"
            f" an exchange is none of these ({card_rule(bound)})"
        )
    if placing and table.placed[0] and table.score[side] <= rules.SECOND_CAR:
        return f"a second car in a turn costs 4 points, and {score_words(table, side)} (CB-T2, CB-T3)"
    if placing and (reason := occupied(table, rest % WAY)):
        return reason
    if sort == CAR:
        return car_refusal(table, side, rest)
    if sort == MAGNET and table.cell[FLEET * side + STANDARD] != NOWHERE:
        return f"{SIDES[side]} has its magnetic car on the floor already (CB-S1)"
    if sort == WALK and rest >= STEP**2 and table.score[side] <= rules.FOUR_STEPS:
        return f"four cells cost 2 points, and {score_words(table, side)} (CB-O1, CB-T3)"
    if sort == EXCHANGE:
        return hand_refusal(table, rest % STEP, rest // STEP)
    return play_refusal(table, rest) if sort == PLAY else ""


def score_words(table: CrashByCrash, side: int) -> str:
    """Blue has 3 points."""
    return f"{SIDES[side]} has {counted(table.score[side], 'point')}"


def car_refusal(table: CrashByCrash, side: int, rest: int) -> str:
    """CB-P1, CB-P2, CB-K9 to CB-K13: why no standard car can be placed like this."""
    cell, bound, power = rest % WAY, table.bound[0], rest // POWER
    ways = [rest // unit % 8 - 1 for unit in (WAY, SECOND) if rest // unit % 8]
    if NOWHERE not in table.cell[FLEET * side : FLEET * side + STANDARD]:
        return f"{SIDES[side]} has no standard car in its stock (CB-S1)"
    if not ways and bound != EXPANSION:
        return "a car must hit another one; say in which direction (CB-P1)"
    for way in ways:
        target = AHEAD[6 * cell + way]
        if target not in table.cell[:CARS]:
            return f"there is no car {DIRECTIONS[way]} of {place_words(cell)} to hit (CB-P1)"
    if len(ways) > 1 and bound != DOUBLE_HIT:
        return "only after Double Hit a car hits twice (CB-K9)"
    if power and rules.is_blue(bound):
        return f"no batteries are used after {TITLES[bound]} (CB-P2)"
    if power and table.banned[side]:
        return f"{SIDES[side]} may use no batteries in this turn (CB-K6)"
    if power > table.batteries[side]:
        return f"{SIDES[side]} has {counted(table.batteries[side], 'battery')} left (CB-P2)"
    return ""


def hand_refusal(table: CrashByCrash, *cards: int) -> str:
    """Why these cards cannot be given from the hand; empty if they can."""
    hand = table.hand[KINDS * table.asked[0] : KINDS * (table.asked[0] + 1)]
    for card in cards:
        if HIDDEN not in hand and hand[card] < cards.count(card):
            return f"{SEATS[table.asked[0]]} has only {hand_text(table, table.asked[0]) or 'no cards'} in hand (CB-T1)"
    return ""


def play_refusal(table: CrashByCrash, rest: int) -> str:
    """CB-K: why a card cannot be played, or not so."""
    card, what, where = rest % STEP, rest // STEP % CELL, rest // (STEP * CELL)
    side, rule = table.asked[0] & 1, card_rule(card)
    if reason := hand_refusal(table, card):
        return reason
    if rules.is_blue(card) or rules.is_yellow(card):
        colour = "blue" if rules.is_blue(card) else "yellow"
        return f"a {colour} card is the first action of a turn ({rule})" if table.acted[0] else ""
    if card == BELL_CHARMS:
        return bell_refusal(table, what, where)
    if card == FLYING_DUTCHMAN:
        reason = "" if table.gone[TILE[what]] and table.cell[OPERATOR] != what else occupied(table, what)
        return reason.replace("CB-P1", rule)
    if card == DEAD_ACCUMULATOR:
        return ""
    cars = table.cell[:CARS]
    if what not in cars:
        return f"there is no car on {place_words(what)} ({rule})"
    if card == SABOTEUR:
        return "" if cars.index(what) // FLEET != side else f"only a car of the opponent can be sent home ({rule})"
    if where not in AHEAD[6 * what : 6 * what + 6]:
        return f"{place_words(where)} is not beside {place_words(what)} ({rule})"
    if card == LAMBADA:
        return "" if where in cars else f"there is no car on {place_words(where)} ({rule})"
    if where in table.cell[BELL:] and where != table.cell[OPERATOR]:
        return f"in the english edition no car comes onto a bell so ({rule})" if table.edition[0] == ENGLISH else ""
    return occupied(table, where).replace("CB-P1", rule)


def bell_refusal(table: CrashByCrash, what: int, where: int) -> str:
    """CB-K1: why a bell cannot be moved like this."""
    if what not in table.cell[BELL:]:
        return f"there is no bell on {place_words(what)} (CB-K1)"
    if reason := occupied(table, where):
        return reason.replace("CB-P1", "CB-K1")
    if TILE[where] % 2 == 0:
        return f"{place_words(where)} is not on a flower (CB-K1)"
    if any(TILE[bell] == TILE[where] for bell in table.cell[BELL:] if bell not in (what, NOWHERE)):
        return f"there is another bell on the flower of {place_words(where)} (CB-K1)"
    return ""


def ringing_refusal(table: CrashByCrash, action: int) -> str:
    """Why an action that is fine in itself is not allowed for what would follow."""
    sort, card, bound = action // SORT * SORT, action % STEP, table.bound[0]
    if sort == FORFEIT:
        return "there is something that can be done (CB-T1)"
    if sort == MAGNET and bound != EXPANSION and not pulls(table, action - MAGNET):
        return "this magnet would pull no car (CB-M1)"
    if sort == PLAY and rules.is_blue(card):
        return f"no placement of a car could follow it ({card_rule(card)})"
    if sort == PLAY and rules.is_yellow(card):
        scoring = "no second action that brings a scoring could follow it"
        return f"{scoring}, and an exchange does not count ({card_rule(card)})"
    if rules.is_yellow(bound) and not brings_scoring(table, action):
        return f"after {TITLES[bound]} the second action must bring a scoring ({card_rule(bound)})"
    if table.turn[0] < rules.EARLIEST:
        return f"a bell would ring in turn {table.turn[0]}, and not before turn 6 may one (CB-E2)"
    once = "there was a scoring in this turn" if table.scored[0] else "two bells would ring"
    return f"{once}, and there is only one scoring in a turn (CB-E2)"


def brings_scoring(table: CrashByCrash, action: int) -> bool:
    """CB-K7, CB-K8: whether any bell would ring, by the action after a yellow card or by the check that ends it."""
    path, bound = Path(table), table.bound[0]
    placed = FLEET * (table.asked[0] & 1) + STANDARD if action // SORT * SORT == MAGNET else NOWHERE
    rules.do(table, path.out, rules.BASE, action, bound, NOWHERE, None)
    return rules.ends_well(table, path.out, BELLS, bound, placed)


def pulls(table: CrashByCrash, cell: int) -> bool:
    """CB-M1: whether a magnet on this cell would move a car towards it."""
    path = Path(table)
    magnet = FLEET * (table.asked[0] & 1) + STANDARD
    rules.put(path.out, rules.BASE, magnet, cell, rules.M1, NOWHERE, None)
    return bool(rules.check_magnets(table, path.out, rules.BASE, magnet, NOWHERE, None))


def card_rule(card: int) -> str:
    """The id of a card's rule."""
    return rules.BOOK[rules.CARD[card]].id


def piece_name(piece: int) -> str:
    """A car by its side's colour, the operator, a bell."""
    if piece >= CARS:
        return "the operator" if piece == OPERATOR else "a bell"
    side, car = divmod(piece, FLEET)
    return f"the {SIDES[side]} magnetic car" if car == STANDARD else f"{'an' if side else 'a'} {SIDES[side]} car"


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
        "operator": place(table.cell[OPERATOR]),
        "bells": tuple(place(cell) for cell in table.cell[BELL:] if cell != NOWHERE),
        "holes": tuple(place(cells_of(tile)[0]) for tile in range(TILES) if table.gone[tile]),
        "values": {place(cell): value for cell, value in enumerate(table.value) if not table.gone[TILE[cell]]},
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
    *cars, magnet = table.cell[FLEET * side : FLEET * (side + 1)]
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


def cards_of(counts: Sequence[int]) -> list[int]:
    """The cards, given how many there are of each kind."""
    return [card for card, number in enumerate(counts) for _ in range(number)]


def hand_facts(table: CrashByCrash, seat: int) -> tuple[str, ...] | str:
    """The cards in a hand; `???` if it is hidden."""
    hand = table.hand[KINDS * seat : KINDS * (seat + 1)]
    return "?" * table.held[seat] if HIDDEN in hand else tuple(TITLES[card] for card in cards_of(hand))


def hand_text(table: CrashByCrash, seat: int) -> str:
    """The cards in a hand in notation."""
    hand = table.hand[KINDS * seat : KINDS * (seat + 1)]
    return "?" * table.held[seat] if HIDDEN in hand else counted_text(hand)


def cards_text(cards: Iterable[int]) -> str:
    """Cards in notation, place by place, as in `Ride - Ride`; `?` is a hidden one."""
    return " ".join("-" if card == NOWHERE else "?" if card == HIDDEN else CARD_WORDS[card] for card in cards)


def counted_text(counts: Sequence[int]) -> str:
    """Cards in notation, kind by kind, as in `Ride Tandem*2`."""
    return " ".join(
        CARD_WORDS[card] + (f"*{number}" if number > 1 else "") for card, number in enumerate(counts) if number
    )


COUNTS = ("turn", "acted", "placed", "scored", "owed", "scorings")
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
        return None if number == ACTION else PHASES[number]
    if key == "bound":
        return None if number == NOWHERE else TITLES[number]
    if key == "first":
        return SEATS[number] if number else None
    return number if number != (default_scorings(table) if key == "scorings" else 0) else None


def default_scorings(table: CrashByCrash) -> int:
    """CB-E1: every scoring takes a bell from the floor."""
    return table.cell[BELL:].count(NOWHERE)


def listed(cells: Iterable[int]) -> list[list[int] | str | None]:
    """Cells as JSON, without the last ones that are nowhere; a bell that rings as in notation."""
    return trimmed(
        None if cell == NOWHERE else cell_text(cell) if cell >= RINGING else list(place(cell)) for cell in cells
    )


def to_dict(table: CrashByCrash) -> dict[str, Any]:
    """The position as plain JSON."""
    floor = [tile_text(table, tile) for tile in range(TILES)]
    parts: dict[str, Any] = {
        "floor": floor if floor != default_floor() else [],
        "gone": listed(cells_of(tile)[0] for tile in range(TILES) if table.gone[tile]),
        "bells": listed(table.cell[BELL:]),
        "operator": list(place(table.cell[OPERATOR])),
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
    return [f"{'XF'[tile % 2]}{tile // 2}" for tile in range(TILES)]


def tile_text(table: CrashByCrash, tile: int) -> str:
    """A tile, as in F7+2: flower 7, turned by two sixths counter-clockwise."""
    turned = table.turned[tile]
    return f"{'XF'[tile % 2]}{table.tile[tile]}" + (f"+{turned}" if turned else "")


def side_dict(table: CrashByCrash, side: int) -> dict[str, Any]:
    """A side as plain JSON."""
    *cars, magnet = table.cell[FLEET * side : FLEET * (side + 1)]
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
        "gone": cells_text(cells_of(tile)[0] for tile in range(TILES) if table.gone[tile]),
        "bells": cells_text(table.cell[BELL:]),
        "operator": cell_text(table.cell[OPERATOR]),
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
    *cars, magnet = table.cell[FLEET * side : FLEET * (side + 1)]
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
    table = empty(options)
    phase = chosen(data["phase"], PHASES, "phase") if "phase" in data else None
    if phase != SET_UP and not any(side in data for side in SIDES):
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
    table.phase[0] = ACTION if phase is None else phase
    table.first[0] = read_seat(data["first"], table.players[0], "first") if "first" in data else 0
    next_seat = seat_to_place(table) if table.phase[0] == SET_UP else 0
    table.asked[0] = read_seat(data["asked"], table.players[0], "asked") if "asked" in data else next_seat
    wrong = [renamed(complaint, "side", SIDES.__getitem__) for complaint in problems(dealt(table, Random(0)))]
    refuse(wrong + wrong_moment(table))
    return table


def default_count(table: CrashByCrash, key: str, phase: int | None) -> int:
    """What a number is that a position does not name."""
    if key == "scorings":
        return default_scorings(table)
    has_cars = any(cell != NOWHERE for cell in table.cell[:CARS])
    return rules.EARLIEST if key == "turn" and phase != SET_UP and has_cars else 0


def lay_tiles(table: CrashByCrash, floor: object) -> None:
    """CB-F2, CB-F3: the tiles row by row."""
    words = floor.split() if isinstance(floor, str) else default_floor() if floor is None else floor
    if not isinstance(words, (list, tuple)) or len(words) != TILES:
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
        lay_tile(table, tile, number, turned)


def read_cells(cells: object, where: str) -> list[int]:
    """Cells from `6.4 - 6.5` or [[6, 4], null, [6, 5]]."""
    words = cells.split() if isinstance(cells, str) else [] if cells is None else cells
    with about(where):
        words = as_list(words, "cells are wanted, as in '6.4 6.5'")
        return [NOWHERE if nothing(word, "-") else read_cell(word) for word in words]


def dig_holes(table: CrashByCrash, cells: object) -> None:
    """CB-E1: flowers leave the game."""
    for cell in read_cells(cells, "gone"):
        if cell == NOWHERE or TILE[cell] % 2 == 0:
            raise CrashlabError(f"gone: only flowers leave the game, and {cell_text(cell)} is on none (CB-E1)")
        if table.gone[TILE[cell]]:
            raise CrashlabError(f"gone: the flower of {cell_text(cell)} stands twice")
        table.gone[TILE[cell]] = 1


def put_bells(table: CrashByCrash, cells: object) -> None:
    """CB-F4: the bells in the order of their numbers, by default on the stars that are left."""
    if cells is None:
        for tile in range(1, TILES, 2):
            if not table.gone[tile] and star(table, tile) != NOWHERE:
                table.cell[BELL + table.tile[tile]] = star(table, tile)
        return
    found = read_cells(cells, "bells")
    if len(found) > BELLS:
        raise CrashlabError(f"bells: there are {len(found)}, and the game has ten (CB-F4)")
    table.cell[BELL : BELL + len(found)] = found


def put_operator(table: CrashByCrash, cell: object) -> None:
    """CB-F4, CB-F5: the operator, by default in the middle of flower 10; in a hole he is on its middle cell."""
    if cell is None:
        table.cell[OPERATOR] = cells_of(2 * table.tile[1::2].index(BELLS) + 1)[0]
        return
    with about("operator"):
        table.cell[OPERATOR] = read_cell(cell)
    tile = TILE[table.cell[OPERATOR]]
    if table.gone[tile]:
        table.cell[OPERATOR] = cells_of(tile)[0]


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
    if len(cars) > STANDARD:
        raise CrashlabError(f"{name}: {len(cars)} standard cars are too many; a side has ten (CB-S1)")
    table.cell[FLEET * side : FLEET * side + len(cars)] = cars
    if not nothing(entry.get("magnet"), "-"):
        table.cell[FLEET * side + STANDARD] = read_cells([entry["magnet"]], f"{name}, magnet")[0]
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
    whole_names = {name.casefold() for edition in CARD_NAMES.values() for name in edition}
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
    for card in range(KINDS):
        if known(table, card) > copies(table, card):
            raise CrashlabError(
                f"{known(table, card)} cards {TITLES[card]}: the game has {copies(table, card)} (CB-S1)"
            )


def known(table: CrashByCrash, card: int) -> int:
    """How many cards of a kind are seen in hands, among the drawn or face-up ones or in the discards."""
    hands = sum(max(0, table.hand[KINDS * seat + card]) for seat in range(4))
    return hands + table.display.count(card) + table.drawn.count(card) + table.discards[card]


def put_hand(table: CrashByCrash, seat: int, cards: list[int]) -> None:
    """CB-S1: the cards in a hand, or how many there are."""
    if len(cards) > HAND or NOWHERE in cards:
        raise CrashlabError(f"hands: {SEATS[seat]} has at most three cards (CB-S1)")
    if HIDDEN in cards and set(cards) != {HIDDEN}:
        raise CrashlabError(f"hands: {SEATS[seat]} has cards that are hidden and others that are not")
    table.held[seat] = len(cards)
    for card in cards:
        if card != HIDDEN:
            table.hand[KINDS * seat + card] += 1
    if HIDDEN in cards:
        table.hand[KINDS * seat : KINDS * (seat + 1)] = [HIDDEN] * KINDS


# Positions that cannot be


def wrong_moment(table: CrashByCrash) -> list[str]:
    """What is wrong with the stage of the game that the table is said to be at."""
    phase, name = table.phase[0], PHASES[table.phase[0]]
    if phase == SET_UP:
        return wrong_set_up(table)
    wrong = [*wrong_end(table), *wrong_counts(table)]
    if table.turn[0] == 0:
        wrong.append(f"in the phase {name} it is at least turn 1 (CB-T1)")
    if phase == OVER:
        return wrong
    if phase == ACTION:
        idle = not table.owed[0] and table.drawn.count(NOWHERE) == 2
        return (
            wrong if idle else [*wrong, "no cards are drawn before an action; write another phase, as in 'phase pile'"]
        )
    return [*wrong, *wrong_draw(table, name)]


def wrong_set_up(table: CrashByCrash) -> list[str]:
    """CB-S2: what is wrong at set-up."""
    wrong = []
    cells = [cell for cell in table.cell[:CARS] if cell != NOWHERE]
    numbers = [sum(cell != NOWHERE for cell in table.cell[FLEET * side :][:FLEET]) for side in range(2)]
    second = 1 - (table.first[0] & 1)
    if any(vars(table)[key][0] for key in COUNTS) or table.bound[0] != NOWHERE or any(table.gone):
        wrong.append("at set-up no turn has begun and nothing is bound, drawn or scored (CB-S2)")
    if len(cells) > 7 or numbers[1 - second] - numbers[second] != len(cells) % 2:
        wrong.append(
            f"{numbers[0]} and {numbers[1]} cars: both sides place four cars by turns, and then turn 1 begins (CB-S2)"
        )
    if len({TILE[cell] for cell in cells}) < len(cells):
        wrong.append("no two cars begin on the same tile (CB-S2)")
    if any(table.cell[FLEET * side + STANDARD] != NOWHERE for side in range(2)):
        wrong.append("no magnetic car is placed at set-up (CB-S2)")
    if table.asked[0] != seat_to_place(table):
        wrong.append(f"the next car is placed by {SEATS[seat_to_place(table)]}, not by {SEATS[table.asked[0]]} (CB-S2)")
    return wrong


def wrong_end(table: CrashByCrash) -> list[str]:
    """CB-E4, CB-E5: whether the game is over or not as it should be."""
    bare = [SIDES[side] for side in range(2) if not rules.is_there(table.cell, 0, side)]
    at_limit = table.turn[0] == table.turn_limit[0]
    if table.phase[0] == OVER:
        is_over = bare or at_limit or table.scorings[0] == rules.LAST
        return [] if is_over else ["the game is not over before the seventh scoring while both sides have cars (CB-E4)"]
    if table.scorings[0] == rules.LAST:
        return ["after the seventh scoring the game is over; write 'phase over' (CB-E4)"]
    return (
        [f"{together(bare)} has no car on the floor, so the game is over; write 'phase over' (CB-E4)"] if bare else []
    )


def wrong_counts(table: CrashByCrash) -> list[str]:
    """CB-T1, CB-T2, CB-E2: what is wrong with the count of actions, placements and scorings of the turn."""
    wrong, acted, phase, bound = [], table.acted[0], table.phase[0], table.bound[0]
    if acted > 3 or (phase == ACTION and acted > 1) or (phase == REFILL and acted < 3):
        wrong.append(f"acted {acted} is not possible in the phase {PHASES[phase]}; a turn has two actions (CB-T1)")
    if table.placed[0] > min(acted, 2):
        wrong.append(f"{table.placed[0]} cars were placed with {acted} actions (CB-T1)")
    if bound != NOWHERE and (acted == 0 or bound < POWERLESS_BELL or not copies(table, bound)):
        wrong.append(f"nothing is bound by {TITLES[bound]} here: that does a blue or yellow card, played first (CB-K7)")
    scored = table.scored[0]
    if scored > table.scorings[0] or (scored and acted == 0) or (scored > 1 and table.edition[0] == CZECH):
        wrong.append(f"{counted(scored, 'scoring')} in this turn: that is more than can be (CB-E2)")
    if scored and table.turn[0] < rules.EARLIEST:
        wrong.append(f"a scoring in turn {table.turn[0]}: the first one comes in turn 6 at the earliest (CB-E2)")
    return wrong


def wrong_draw(table: CrashByCrash, name: str) -> list[str]:
    """CB-T4, CB-V1: what is wrong while cards are drawn."""
    phase, owed, held = table.phase[0], table.owed[0], table.held[table.asked[0]]
    drawn = 2 - table.drawn.count(NOWHERE)
    if phase in (DRAWING, REFILL) and table.players[0] == 4 or phase == KEEP and table.players[0] == 2:
        return [f"there is no phase {name} with {table.players[0]} players (CB-V1)"]
    if phase in (PILE, REFILL) and rules.pile_size(table) == 0:
        return ["a card comes from the pile, and the pile is empty; discards are shuffled into it first (CB-T4)"]
    if phase == REFILL:
        full = NOWHERE not in table.display
        return (
            ["cards are turned up after those of the hand are drawn, where one is missing (CB-T4)"]
            if owed or full
            else []
        )
    if not 0 < owed <= HAND - held:
        return [f"{SEATS[table.asked[0]]} is to draw {counted(owed, 'card')} and has {held}; a hand is three (CB-T4)"]
    if table.acted[0] == 0:
        return ["cards are drawn after an action; say after how many, as in 'acted 3' (CB-T4)"]
    if phase == DRAWING and table.display.count(NOWHERE) == 3:
        return ["there are no face-up cards to choose from (CB-T4)"]
    fewest, most = (2, 2) if phase == KEEP else (0, int(phase == PILE and table.players[0] == 4))
    if not fewest <= drawn <= most:
        return [f"{counted(drawn, 'card')} drawn: in the phase {name} that cannot be (CB-V1)"]
    return []


# What a seat sees


def hide(table: CrashByCrash, seat: int) -> CrashByCrash:
    """CB-T4, CB-V1: the table without the hands of the other seats, and without what another one has drawn."""
    view = table.copy()
    for other in range(view.players[0]):
        if other != seat and view.held[other]:
            view.hand[KINDS * other : KINDS * (other + 1)] = [HIDDEN] * KINDS
    if seat != view.asked[0]:
        view.drawn[:] = [NOWHERE if card == NOWHERE else HIDDEN for card in view.drawn]
    return view


def guess(table: CrashByCrash, rng: Random) -> CrashByCrash:
    """The table with cards that nobody has seen, drawn at random, for those that are hidden.

    Whoever is to follow a yellow card, or to give one of two cards away, has a choice: else nobody would be asked.
    """
    full = dealt(table, rng)
    needs_choice = table.phase[0] == KEEP or (table.phase[0] == ACTION and rules.is_yellow(table.bound[0]))
    for _ in range(100 if needs_choice else 0):
        if rules.forced(full, full.asked[0], [0] * rules.MOST_ACTIONS) == NOWHERE:
            break
        full = dealt(table, rng)
    return full


def dealt(table: CrashByCrash, rng: Random) -> CrashByCrash:
    """The table with all hidden cards dealt from those that nobody has seen."""
    full = table.copy()
    hidden = [seat for seat in range(4) if HIDDEN in full.hand[KINDS * seat : KINDS * (seat + 1)]]
    for seat in hidden:
        full.hand[KINDS * seat : KINDS * (seat + 1)] = [0] * KINDS
    for seat in hidden:
        for _ in range(full.held[seat]):
            full.hand[KINDS * seat + from_pile(full, rng)] += 1
    for number, card in enumerate(full.drawn):
        if card == HIDDEN:
            full.drawn[number] = from_pile(full, rng)
    return full


# Events


def is_secret(table: CrashByCrash, row: tuple[int, ...], seat: int) -> bool:
    """CB-T4, CB-V1: whether this seat may not know of it: how many cards of a kind another one has, and what he draws.

    That he plays, takes or gives away a card can be seen at the discards and at the face-up cards.
    """
    _, _, _, field, index, _, after, _ = row
    if field == rules.DRAWN:
        return seat != table.asked[0] and after != NOWHERE
    return field == rules.HANDS and index // KINDS != seat


def event_text(table: CrashByCrash, row: tuple[int, ...]) -> str:
    """One row of a trace in words."""
    _, rule, cause, field, index, before, after, last = row
    if field == NOWHERE:
        return note_text(table, rule, index, before, after, last)
    name = CrashByCrash.NAMES[field]
    if name == "cell":
        return piece_event(table, rule, index, before, after)
    if name in ("score", "batteries", "banned"):
        return side_event(name, rule, index, before, after)
    if name == "hand":
        return hand_event(rule, cause, index, before, after)
    if name in ("held", "display", "discards", "drawn", "owed"):
        return card_event(table, name, index, before, after)
    if name == "gone":
        return f"the flower round {place_words(cells_of(index)[0])} leaves the game, and there is a hole"
    return turn_event(table, name, rule, after)


def piece_event(table: CrashByCrash, rule: int, piece: int, before: int, after: int) -> str:
    """A piece comes to another place, in words."""
    name = piece_name(piece)
    if piece == OPERATOR:
        return operator_event(table, rule, before, after)
    if piece >= BELL:
        return bell_event(rule, before, after)
    if before == NOWHERE:
        return f"{name} is placed on {place_words(after)}"
    if after == NOWHERE:
        ways = {rules.E1: "goes home with the flower", rules.CARD[SABOTEUR]: "is sent home"}
        return f"{name} {ways.get(rule, 'falls off')} from {place_words(before)}"
    verbs = {
        rules.O2: "is pushed by the operator",
        rules.M3: "is pulled by a magnet",
        rules.CARD[LAMBADA]: "changes places and goes",
        rules.CARD[FREE_RIDE]: "rides",
    }
    return f"{name} {verbs.get(rule, 'is pushed')} from {place_words(before)} to {place_words(after)}"


def operator_event(table: CrashByCrash, rule: int, before: int, after: int) -> str:
    """The operator goes somewhere, in words."""
    if rule == rules.E1:
        return f"the operator stays where the flower round {place_words(after)} was"
    holes = [table.gone[TILE[cell]] for cell in (before, after)]
    start = f"out of the hole at {place_words(before)}" if holes[0] else f"from {place_words(before)}"
    goal = f"into the hole at {place_words(after)}" if holes[1] else f"to {place_words(after)}"
    return f"the operator {'flies' if rule == rules.CARD[FLYING_DUTCHMAN] else 'goes'} {start} {goal}"


def bell_event(rule: int, before: int, after: int) -> str:
    """A bell rings, goes or is moved, in words."""
    if after >= RINGING:
        return f"the bell on {place_words(after)} rings"
    if after == NOWHERE:
        return f"the bell from {place_words(before)} goes to the scoring card"
    if before >= RINGING:
        return f"the bell on {place_words(after)} is not scored any more"
    return f"the bell moves from {place_words(before)} to {place_words(after)}"


def side_event(name: str, rule: int, side: int, before: int, after: int) -> str:
    """What a side has, in words."""
    colour, number = SIDES[side], abs(after - before)
    if name == "score":
        return f"{colour} {'gets' if after > before else 'pays'} {counted(number, 'point')} ({before} to {after})"
    if name == "batteries":
        verb = "loses" if rule == rules.CARD[DEAD_ACCUMULATOR] else "uses"
        return f"{colour} {verb} {counted(number, 'battery')} ({before} to {after})"
    return f"{colour} may use no batteries in its next turn" if after else f"{colour} may use batteries again"


def hand_event(rule: int, cause: int, index: int, before: int, after: int) -> str:
    """A card comes into a hand or leaves it, in words."""
    seat, card = SEATS[index // KINDS], TITLES[index % KINDS]
    if after < before:
        return f"{seat} {'discards' if rule == rules.T1 else 'plays'} {card}"
    from_pile_ = cause == NOWHERE or rule == rules.V1
    return f"{seat} draws {card} from the pile" if from_pile_ else f"{seat} takes {card}"


def card_event(table: CrashByCrash, name: str, index: int, before: int, after: int) -> str:
    """What happens to cards, in words."""
    if name == "held":
        return f"{SEATS[index]} has {counted(after, 'card')} in hand"
    if name == "display":
        if after == NOWHERE:
            return f"{TITLES[before]} is no longer face up"
        return f"{TITLES[after]} is turned face up"
    if name == "drawn":
        if after == NOWHERE:
            return f"{TITLES[before]} is cleared away"
        verb = "draws" if before == NOWHERE else "keeps the other card, not"
        return f"{SEATS[table.asked[0]]} {verb} {TITLES[after]}"
    if name == "discards":
        if after > before:
            return f"{TITLES[index]} goes to the discards"
        return f"shuffled into the pile: {counted(before, 'discarded card')} {TITLES[index]}"
    return f"{SEATS[table.asked[0]]} is to draw {counted(after, 'card')}" if after else "no more cards are to be drawn"


def has_no_choice(table: CrashByCrash, phase: int) -> bool:
    """Whether there would be one answer only if this were asked now."""
    moment = table.copy()
    moment.phase[0] = phase
    return rules.forced(moment, moment.asked[0], [0] * rules.MOST_ACTIONS) != NOWHERE


def turn_event(table: CrashByCrash, name: str, rule: int, after: int) -> str:
    """What changes in the turn, in words."""
    if name == "phase":
        if after == OVER:
            return end_text(table)
        if after >= FIRST_CHANCE:
            return f"chance brings {question(after)}"
        if has_no_choice(table, after):
            return f"{question(after)} is not asked for: there is no choice"
        return f"{question(after)} is asked for"
    if name == "asked":
        return f"{SEATS[after]} places the next car" if rule == rules.S2 else f"it is the turn of {SEATS[after]}"
    if name == "turn":
        return f"turn {after} begins"
    if name == "acted":
        told = (
            "two actions are to be done",
            "one action is done",
            "both actions are done",
            "the turn is at its end",
        )
        return told[after]
    if name == "placed":
        number = f"{SEATS[table.asked[0]]} places a car, number {after} in this turn"
        return number if after else "cars placed are counted anew"
    if name == "scored":
        return f"scorings in this turn: {after}" if after else "scorings are counted anew"
    if name == "bound":
        if after == NOWHERE:
            return "any action may follow again"
        wanted = "bring a scoring" if rules.is_yellow(after) else "place a car"
        return f"the second action must {wanted}, changed by {TITLES[after]}"
    return f"scoring {after} of {rules.LAST} begins"


def end_text(table: CrashByCrash) -> str:
    """CB-E4: who has won."""
    blue, orange = table.score
    won = f"{SIDES[int(orange > blue)]} wins" if blue != orange else "a draw"
    return f"the game is over: {won}, {max(blue, orange)} to {min(blue, orange)}"


def note_text(table: CrashByCrash, rule: int, a: int, b: int, c: int, d: int) -> str:
    """A note in words."""
    if rule == rules.S2:
        begins = "the lower sum begins" if a != b else "at a tie the side begins that placed first"
        return f"the first cars stand on {a} (blue) and {b} (orange); {begins}"
    if rule == rules.T1:
        return f"{SEATS[a]} can do nothing and forfeits the action"
    if rule == rules.O1:
        return f"the operator sets out from {place_words(a)}, for {b} cells"
    if rule == rules.P3:
        return f"the car on {place_words(a)} hits the one on {place_words(b)}, which has {counted(c, 'cell')} to go"
    if rule == rules.P4:
        return f"the operator on {place_words(b)} stops the car on {place_words(a)}"
    if rule == rules.P6:
        return f"the car that rings on {place_words(a)} loses {counted(b, 'cell')} of its way"
    if rule == rules.CARD[POWERLESS_BELL]:
        return f"the flower round {place_words(cells_of(a)[0])} stays, and so do the cars on it"
    return f"{piece_name(a)} on {place_words(b)} brings {c}, in all {counted(d, 'point')}"
