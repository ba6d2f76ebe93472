"""The notation of Crash by Crash: the names of cells, pieces and cards, and actions as text.

A cell is row.column, as in `7.3`: rows 0 to 14 from the top, columns 0 to 12 from the left, 0 to 11 in odd rows. The
directions are E NE NW W SW SE. The seats A and C play blue, B and D orange. A card is named by a word of its English
or Czech name or by its number (`Ride`, `Volná jízdenka`, `K3`); an unambiguous beginning is enough.

At set-up an action is `place 7.3`. In a turn it is one of these:

- `car 7.3 E`: a standard car is placed on the cell and hits to the E; `car 7.3 E +2` with two batteries, `car 7.3 E SW`
  twice with Double Hit, `car 7.3` without a hit with Expansion Unlimited; `magnet 7.3`: the magnetic car
- `walk E NE`, `walk E NE NW W`: the operator walks; a step out of a hole names the new cell, and if a car is there,
  the direction in which it is pushed: `walk E 4.8`, `walk E 4.8/NE`
- `play Charms 1.3 4.6` (a bell, its new cell), `play Lambada 7.3 7.4` (two cars), `play Ride 7.3 7.4` (a car, its new
  cell; or `play Ride 7.3 E`), `play Saboteur 7.3` (a car), `play Dutchman 7.3` (the operator's new cell), or a card
  alone: `play Tandem`
- `exchange Ride Tandem`, and `forfeit` if no other action is possible

`take Ride` draws a face-up card, `take pile` a card from the pile; `discard Ride` discards one of two drawn cards.
Chance draws a card from the pile; its action is the card alone, `Ride`.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from crashlab.base.errors import CrashlabError, require, short_repr
from crashlab.engine import contract
from crashlab.engine.action_notation import OVER, ActionType, Answer, Decision, action_types, alone, by_number, thing
from crashlab.engine.notation import (
    chosen,
    counted,
    pair,
    some,
)
from crashlab.engine.table import HIDDEN, NOWHERE, Ints
from crashlab.engine.value_codecs import fixed, maybe, named
from crashlab.games.boards.hexes import DIRECTIONS
from crashlab.games.crash_by_crash import rules
from crashlab.games.crash_by_crash import state as t
from crashlab.games.crash_by_crash.state import CrashByCrash

# Names


SEATS = "ABCD"
SIDES = t.SIDES
TITLES = t.CARD_NAMES["english"]
CARD_WORDS = (
    "Charms",
    "Lambada",
    "Ride",
    "Saboteur",
    "Dutchman",
    "Accumulator",
    "Powerless",
    "Shady",
    "Hit",
    "Racket",
    "Tandem",
    "Expansion",
    "Reaction",
)
NAMES = tuple(
    (CARD_WORDS[card], TITLES[card], t.CARD_NAMES["czech"][card], f"K{card + 1}", f"CB-K{card + 1}")
    for card in range(t.KINDS)
)
COLOURS = ("grey", "yellow", "blue")


def colour_of(card: int) -> int:
    """CB-K: return 0 for a grey card, 1 for yellow (changes the next scoring), 2 for blue (changes the next car)."""
    return 2 if rules.is_blue(card) else 1 if rules.is_yellow(card) else 0


def card_rule(card: int) -> str:
    """Return the id of a card's rule."""
    return rules.BOOK[rules.CARD[card]].id


class Card(NamedTuple):
    """A kind of card: its English name, its short name, its Czech name, its colour and the id of its rule."""

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
        card_rule(card),
    )
    for card in range(t.KINDS)
)
WAYS = {name: way for way, name in enumerate(DIRECTIONS)}
COUNTING = ("no", "one", "two", "three")


def row_column(cell: int) -> tuple[int, int]:
    """Return the row and the column of a cell."""
    row, x = t.BOARD.hexes[cell % t.RINGING]
    return row, x // 2


def cell_text(cell: int) -> str:
    """Write a cell as `7.3`, NOWHERE as `-`, and the place of the n-th bell that rings in this action as `7.3!n`."""
    if not 0 <= cell % t.RINGING < t.CELLS:
        return "-"
    row, column = row_column(cell)
    return f"{row}.{column}" + (f"!{cell // t.RINGING}" if cell >= t.RINGING else "")


def place_words(cell: int) -> str:
    """Write a cell as `7.3`, even if a bell rings on it."""
    return cell_text(cell % t.RINGING)


# Reading names


def read_cell(word: object) -> int:
    """Parse a cell: `7.3`, `(7,3)` or [7, 3]."""
    numbers = pair(word, r"\(?([0-9]{1,2})\s*[.,]\s*([0-9]{1,2})\)?")
    message = f"cell: {short_repr(word)} is not a row and a column, as in '7.3' or [7, 3]"
    row, column = require(numbers, message)
    require(
        (row, 2 * column + row % 2) in t.BOARD.cell,
        f"cell: there is no cell {row}.{column}; rows are 0 to 14, columns 0 to 12, in odd rows to 11 (CB-F2)",
    )
    return t.BOARD.cell[row, 2 * column + row % 2]


def read_direction(word: object) -> int:
    """Parse a direction: E, NE, NW, W, SW or SE."""
    return WAYS[word] if type(word) is str and word in WAYS else chosen(word, DIRECTIONS, "direction")


def read_card(words: object) -> int:
    """Parse a card: its number, its name, or an unambiguous beginning of a word of its name."""
    return chosen(words, NAMES, "card", "or K1 to K13")


def card_text(card: int) -> str:
    """Return a card's short name, or `card 14` for a number without a card."""
    return CARD_WORDS[card] if 0 <= card < t.KINDS else f"card {card + 1}"


# Values of fields


def tell_cell(cell: int) -> list[int] | str | None:
    """Convert a cell for JSON: [7, 3], None for NOWHERE, `7.3!1` for a ringing bell."""
    text = cell_text(cell)
    return None if text == "-" else text if cell >= t.RINGING else list(row_column(cell))


def tell_card(card: int) -> str | None:
    """Return the full name of a card, None for NOWHERE, or `?` for a hidden card."""
    return "?" if card == HIDDEN else TITLES[card] if 0 <= card < t.KINDS else None


def tile_text(table: CrashByCrash, tile: int) -> str:
    """Write a tile, as in F7+2: flower 7, turned by two sixths counter-clockwise."""
    turned = table.turned[tile]
    return f"{'XF'[tile % 2]}{table.tile[tile]}" + (f"+{turned}" if turned else "")


def piece_key(piece: int) -> str:
    """Return the key of a piece: blue 1, blue magnet, operator, bell 1."""
    if piece >= t.CARS:
        return "operator" if piece == t.OPERATOR else f"bell {piece - t.BELL + 1}"
    side, car = divmod(piece, t.FLEET)
    return f"{SIDES[side]} {'magnet' if car == t.STANDARD else car + 1}"


def middle(tile: int) -> int:
    """Return the middle cell of a flower, which names it."""
    return t.cells_of(tile)[0]


def read_flower(word: object) -> int:
    """Parse a cell and return its flower."""
    tile = t.TILE[read_cell(word)]
    if tile % 2 == 0:
        raise CrashlabError(f"only flowers leave the game, but {cell_text(read_cell(word))} is not on a flower (CB-E1)")
    return tile


CELL = fixed("cell", cell_text, read_cell, tell_cell, place_words)
CARD = fixed("card", card_text, read_card, tell_card, lambda card: TITLES[card])
BOUND = maybe(CARD, {NOWHERE: "none"}, NOWHERE)
SIDE = named("side", SIDES)
PIECE_KEYS = tuple(map(piece_key, range(t.PIECES)))
PIECE = fixed("piece", piece_key, lambda word: chosen(word, PIECE_KEYS, "piece"), words=lambda piece: piece_name(piece))
FLOWER = fixed(
    "flower",
    lambda tile: cell_text(middle(tile)),
    read_flower,
    lambda tile: tell_cell(middle(tile)),
    lambda tile: place_words(middle(tile)),
)


# Pieces and cards


def piece_name(piece: int) -> str:
    """Name a piece: a car by its side's colour, the operator or a bell."""
    if piece >= t.CARS:
        return "the operator" if piece == t.OPERATOR else "a bell"
    side, car = divmod(piece, t.FLEET)
    return f"the {SIDES[side]} magnetic car" if car == t.STANDARD else f"{'an' if side else 'a'} {SIDES[side]} car"


def cards_of(counts: Sequence[int]) -> list[int]:
    """Convert the number of cards of each kind to a list of cards."""
    return [card for card, number in enumerate(counts) for _ in range(number)]


def hand_text(table: CrashByCrash, seat: int) -> str:
    """Write the cards in a hand, or one `?` for each card if they are hidden."""
    hand = table.hand[t.KINDS * seat : t.KINDS * (seat + 1)]
    return "?" * table.hand_size[seat] if HIDDEN in hand else counted_text(hand)


def counted_text(counts: Sequence[int]) -> str:
    """Write cards kind by kind, as in `Ride Tandem*2`."""
    return " ".join(
        CARD_WORDS[card] + (f"*{number}" if number > 1 else "") for card, number in enumerate(counts) if number
    )


# Actions


def legal_now(table: CrashByCrash) -> Ints:
    """Return the legal actions of the current seat."""
    return contract.legal_actions(rules, table, table.asked[0])


def has_choice(table: CrashByCrash) -> bool:
    """Return whether there is more than one legal action."""
    return contract.only(rules, table, table.asked[0]) == NOWHERE


# A standard car


def car_ways(rest: int) -> list[int]:
    """Return the directions in which a car hits."""
    return [rest // unit % 8 - 1 for unit in (t.WAY, t.SECOND) if rest // unit % 8]


def car_text(table: CrashByCrash, rest: int) -> str:
    """Write a car's cell, its hits and batteries, as in `7.3 E +2`."""
    ways = [DIRECTIONS[way] if way < 6 else f"way {way}" for way in car_ways(rest)]
    return " ".join([cell_text(rest % t.WAY), *ways]) + (f" +{rest // t.POWER}" if rest >= t.POWER else "")


def read_car(table: CrashByCrash, line: str) -> int:
    """Parse a car's cell, its hits and batteries."""
    words = line.split()
    require(words, "say where, as in 'car 7.3 E'")
    batteries = [word for word in words[1:] if word[0] == "+"]
    ways = [read_direction(word) for word in words[1:] if word[0] != "+"]
    if len(batteries) > 1 or any(word not in ("+0", "+1", "+2") for word in batteries):
        raise CrashlabError("a hit can use one or two batteries, as in 'car 7.3 E +2' (CB-P2)")
    if len(ways) > 2 or len(set(ways)) < len(ways):
        raise CrashlabError("a car hits in one direction, or with Double Hit in two different ones (CB-K9)")
    power = t.POWER * int(batteries[0]) if batteries else 0
    first, second = (*(way + 1 for way in ways), 0, 0)[:2]
    rest = read_cell(words[0]) + t.WAY * first + t.SECOND * second + power
    if second and first > second and t.CAR + rest not in legal_now(table):  # only one order is listed (CB-K9)
        rest += (t.WAY - t.SECOND) * (second - first)
    return rest


def car_parts(table: CrashByCrash, rest: int) -> dict[str, object]:
    """Return a car's cell, its hits and its number of batteries, for JSON."""
    ways = [DIRECTIONS[way] for way in car_ways(rest)]
    return {"cell": tell_cell(rest % t.WAY), "ways": ways, "batteries": rest // t.POWER}


# The operator


class OperatorWalk:
    """A walk of the operator, made on a copy of the table, on which he also pushes cars."""

    def __init__(self, table: CrashByCrash) -> None:
        self.table = table.copy()
        self.visited: list[int] = []
        self._arrive()

    def _arrive(self) -> None:
        self.cell = self.table.cell[t.OPERATOR]
        self.inside = bool(self.table.gone[t.TILE[self.cell]])  # CB-O3: True in a hole
        self.visited.append(self.cell)

    def way(self, step: int) -> int:
        """Return the direction of a step."""
        return rules.direction(step, self.inside)

    def goal(self, step: int) -> int:
        """Return the target of a step, or OUTSIDE for a step that does not exist."""
        is_step = 0 <= step < (t.EXITS if self.inside else 6)
        return rules.goal(self.cell, step, self.inside) if is_step else t.OUTSIDE

    def car_on(self, cell: int) -> bool:
        """Return whether a car is on a cell."""
        return cell in self.table.cell[: t.CARS]

    def landing(self, cell: int) -> int:
        """CB-O3: return the cell on which a step to this cell ends: the middle of a hole, or the cell itself."""
        return t.cells_of(t.TILE[cell])[0] if self.table.gone[t.TILE[cell]] else cell

    def go(self, step: int) -> None:
        """Make a step and push the cars in the way."""
        rules.stride(self.table, self.table.cell, 0, step, NOWHERE, None)
        self._arrive()

    def steps(self) -> dict[int, int]:
        """Return the steps that stay on the floor, as a dict from step to the cell on which it ends."""
        goals = [self.goal(step) for step in range(t.EXITS if self.inside else 6)]
        return {step: self.landing(goal) for step, goal in enumerate(goals) if goal != t.OUTSIDE}


def steps_of(rest: int) -> list[int]:
    """Return the steps of a walk in order."""
    steps = []
    while rest > 0:
        steps.append(rest % t.STEP - 1)
        rest //= t.STEP
    return steps


def stays_out(table: CrashByCrash, steps: list[int]) -> bool:
    """Return whether all steps begin outside holes and stay on the floor."""
    cell = table.cell[t.OPERATOR]
    for step in steps:
        if cell == t.OUTSIDE or table.gone[t.TILE[cell]] or not 0 <= step < 6:
            return False
        cell = t.AHEAD[6 * cell + step]
    return cell != t.OUTSIDE


def walk_text(table: CrashByCrash, rest: int) -> str:
    """Write a walk: directions, or for a step out of a hole the cell, with the direction if a car is on it."""
    steps = steps_of(rest)
    if not any(table.gone) or stays_out(table, steps):
        return " ".join(DIRECTIONS[step] if 0 <= step < 6 else f"step {step}" for step in steps)
    words, path = list[str](), OperatorWalk(table)
    for step in steps:
        goal = path.goal(step)
        if goal == t.OUTSIDE:
            return " ".join([*words, f"step {step}"])
        word = DIRECTIONS[path.way(step)]
        if path.inside:
            word = f"{cell_text(goal)}/{word}" if path.car_on(goal) else cell_text(goal)
        words.append(word)
        path.go(step)
    return " ".join(words)


def read_walk(table: CrashByCrash, line: str) -> int:
    """CB-O1: parse a walk; each step becomes the least step with its result."""
    words = line.split()
    require(len(words) in (2, 4), "the operator goes exactly 2 or 4 cells, as in 'walk E NE' (CB-O1)")
    path = OperatorWalk(table)
    rest = 0
    unit = 1
    for number, word in enumerate(words, 1):
        step = read_step(path, number, word)
        if path.landing(path.goal(step)) in path.visited:
            raise CrashlabError(f"step {number} leads back to {place_words(path.goal(step))} (CB-O1)")
        rest, unit = rest + unit * (step + 1), unit * t.STEP
        path.go(step)
    return rest


def walk_parts(table: CrashByCrash, rest: int) -> dict[str, object]:
    """Return the directions of a walk and its cells, for JSON."""
    path = OperatorWalk(table)
    ways = []
    for step in steps_of(rest):
        ways.append(DIRECTIONS[path.way(step)])
        path.go(step)
    return {"ways": ways, "cells": [tell_cell(cell) for cell in path.visited[1:]]}


def read_step(path: OperatorWalk, number: int, word: str) -> int:
    """Parse a step: `E` or a cell; out of a hole also a cell with a direction, `4.8/NE`."""
    goal, slash, way = word.partition("/")
    steps = path.steps()
    if re.match(r"[0-9]", goal):
        cell = read_cell(goal)
        matches = [step for step, place in steps.items() if place == path.landing(cell)]
        require(matches, f"step {number}: {place_words(cell)} is not beside the operator (CB-O1)")
    else:
        over, way = read_direction(goal), way if slash else goal
        require(
            path.inside or not slash,
            f"step {number}: the operator is not in a hole, so give only a direction, not {short_repr(word)} (CB-O3)",
        )
        matches = [step for step in steps if not path.inside or step // 3 == over]
    target = read_direction(way) if way and matches else NOWHERE
    ways = [step for step in matches if not way or path.way(step) == target]
    require(ways, f"step {number}: {short_repr(word)} leads off the floor or cannot be taken (CB-O1, CB-O3)")
    goals = {steps[step] for step in ways}
    car = any(path.car_on(goal) for goal in goals) and path.inside
    if car and len(ways) > 1:
        raise CrashlabError(
            f"step {number}: say which way the car is pushed, as in '{word}/{DIRECTIONS[path.way(ways[0])]}' (CB-O3)"
        )
    return ways[0] if car else next(step for step, place in steps.items() if place in goals)


# Two cards


def read_pair(table: CrashByCrash, line: str) -> int:
    """Parse two cards in any order."""
    words = line.split()
    require(len(words) == 2, "give the two cards to exchange, as in 'exchange Ride Tandem' (CB-T1)")
    low, high = sorted(map(read_card, words))
    return low + t.STEP * high


# Playing a card

TARGETS = {  # by card: the names of its targets
    t.BELL_CHARMS: ("bell", "cell"),
    t.LAMBADA: ("car", "other"),
    t.FREE_RIDE: ("car", "cell"),
    t.SABOTEUR: ("car",),
    t.FLYING_DUTCHMAN: ("cell",),
}


def targets_of(rest: int) -> list[int]:
    """Return the target cells of a played card."""
    cells = rest // t.STEP % t.CELL, rest // (t.STEP * t.CELL)
    return [cell for cell, _ in zip(cells, TARGETS.get(rest % t.STEP, ()), strict=False)]


def read_play(table: CrashByCrash, line: str) -> int:
    """Parse a card and its targets; as many words as possible are read as the card's name."""
    words = line.split()
    for length in range(len(words), 0, -1):
        try:
            card = read_card(" ".join(words[:length]))
        except CrashlabError:
            continue
        return card + read_targets(table, card, words[length:])
    raise CrashlabError(
        f"an action begins with car, magnet, walk, play or exchange; a card is one of {some(CARD_WORDS)}, or K1 to K13"
    )


def read_targets(table: CrashByCrash, card: int, words: list[str]) -> int:
    """Parse the target cells of a card."""
    count = len(TARGETS.get(card, ()))
    if len(words) != count:
        example = " ".join([CARD_WORDS[card], "7.3", "7.4"][: count + 1])
        cells = "cell" if count == 1 else "cells"
        raise CrashlabError(f"{CARD_WORDS[card]} needs {COUNTING[count]} {cells}, as in '{example}'")
    if count == 0:
        return 0
    what = read_cell(words[0])
    where = 0
    if card == t.FLYING_DUTCHMAN and table.gone[t.TILE[what]]:
        what = t.cells_of(t.TILE[what])[0]
    if count == 2:
        where = read_neighbour(what, words[1]) if card != t.BELL_CHARMS else read_cell(words[1])
    if card == t.LAMBADA:
        what, where = min(what, where), max(what, where)
    return t.STEP * what + t.STEP * t.CELL * where


def read_neighbour(cell: int, word: str) -> int:
    """Parse a cell, or a direction from `cell`."""
    if word.upper() not in DIRECTIONS:
        return read_cell(word)
    target = t.AHEAD[6 * cell + read_direction(word)]
    require(target != t.OUTSIDE, f"there is no cell {word.upper()} of {place_words(cell)} (CB-F2)")
    return target


def play_parts(table: CrashByCrash, rest: int) -> dict[str, object]:
    """Return the full name of a played card and its targets, for JSON."""
    card = rest % t.STEP
    cells = zip(TARGETS.get(card, ()), map(tell_cell, targets_of(rest)), strict=True)
    return {"card": tell_card(card), **dict(cells)}


# Drawn cards


def read_discard(table: CrashByCrash, line: str) -> int:
    """Parse the card to discard; `keep Ride` means the other drawn card."""
    verb, _, rest = line.partition(" ")
    if verb.casefold() != "keep":
        return read_card(line)
    card = read_card(rest)
    both = table.drawn[:2]
    return both[1 - both.index(card)] if card in both else card


CELL_ANSWER = thing(CELL)
CARD_ANSWER = thing(CARD)
CAR_ANSWER = Answer(car_text, read_car, car_parts)
WALK_ANSWER = Answer(walk_text, read_walk, walk_parts)
EXCHANGE_ANSWER = Answer(
    lambda table, rest: f"{card_text(rest % t.STEP)} {card_text(rest // t.STEP)}",
    read_pair,
    lambda table, rest: {"cards": [tell_card(rest % t.STEP), tell_card(rest // t.STEP)]},
)
PLAY_ANSWER = Answer(
    lambda table, rest: " ".join([card_text(rest % t.STEP), *map(cell_text, targets_of(rest))]), read_play, play_parts
)
TAKE_ANSWER = thing(maybe(CARD, {t.FROM_PILE: "pile"}), ("from pile", t.FROM_PILE), ("from the pile", t.FROM_PILE))
DISCARD_ANSWER = replace(CARD_ANSWER, parse=read_discard)


# Reasons against an action: set-up and drawn cards


def taken(table: CrashByCrash, action: int) -> str:
    """CB-T4: explain why a card cannot be drawn."""
    card = action - t.TAKE
    return f"{card_text(card)} is not face up (CB-T4)" if card < t.KINDS else "no card is left to draw (CB-T4)"


def discard(table: CrashByCrash, action: int) -> str:
    """CB-V1: explain why a card cannot be discarded: it is not one of the drawn cards."""
    return f"this card was not drawn; the drawn cards are {some(map(card_text, table.drawn))} (CB-V1)"


# Reasons against the actions of a turn: first the action itself, then its consequences


def car(table: CrashByCrash, action: int) -> str:
    """Explain why a standard car cannot be placed."""
    rest = action - t.CAR
    return placed(table, rest % t.WAY) or hitting(table, rest) or ringing(table, action)


def magnet(table: CrashByCrash, action: int) -> str:
    """Explain why the magnetic car cannot be placed."""
    cell = action - t.MAGNET
    side = table.asked[0] & 1
    bound = table.bound[0]
    reason = must_place(bound) if bound != t.EXPANSION else ""
    if reason := reason or placed(table, cell):
        return reason
    if table.cell[t.FLEET * side + t.STANDARD] != NOWHERE:
        return f"{SIDES[side]} has its magnetic car on the floor already (CB-S1)"
    if bound != t.EXPANSION and not pulls(table, cell):
        return "this magnet would pull no car (CB-M1)"
    return ringing(table, action)


def walk(table: CrashByCrash, action: int) -> str:
    """Explain why a walk of the operator is illegal."""
    side = table.asked[0] & 1
    if reason := must_place(table.bound[0]):
        return reason
    if action - t.WALK >= t.STEP**2 and table.score[side] <= rules.FOUR_STEPS:
        return f"four cells cost 2 points, but {score_words(table, side)} and must keep one (CB-O1, CB-T3)"
    return ringing(table, action)


def exchange(table: CrashByCrash, action: int) -> str:
    """Explain why two cards cannot be exchanged."""
    rest = action - t.EXCHANGE
    bound = table.bound[0]
    if rules.is_yellow(bound):
        return (
            f"after {TITLES[bound]} the second action must bring a scoring, by a placement, the operator"
            f" or a grey card; an exchange cannot ({card_rule(bound)})"
        )
    return must_place(bound) or not_in_hand(table, rest % t.STEP, rest // t.STEP) or ringing(table, action)


def play(table: CrashByCrash, action: int) -> str:
    """Explain why a card cannot be played, or not on these targets."""
    card = (action - t.PLAY) % t.STEP
    if reason := must_place(table.bound[0]) or not_in_hand(table, card) or played(table, action - t.PLAY):
        return reason
    if rules.is_blue(card):
        return f"no placement of a car could follow this card ({card_rule(card)})"
    if rules.is_yellow(card):
        scoring = "no second action could bring a scoring after this card"
        return f"{scoring}, and the second action cannot be an exchange ({card_rule(card)})"
    return ringing(table, action)


def forfeit(table: CrashByCrash, action: int) -> str:
    """CB-T1: explain why the action cannot be forfeited."""
    return must_place(table.bound[0]) or "you can act, so you cannot forfeit the action (CB-T1)"


# Placing a car


def must_place(bound: int) -> str:
    """CB-K9 to CB-K13: say which car must be placed after a blue card; return "" after other cards."""
    if not rules.is_blue(bound):
        return ""
    cars = "a car" if bound == t.EXPANSION else "a standard car"
    return f"after {TITLES[bound]} {cars} must be placed ({card_rule(bound)})"


def placed(table: CrashByCrash, cell: int) -> str:
    """CB-P1, CB-T2: return the reason against placing a car on a cell; empty if there is none."""
    side = table.asked[0] & 1
    if table.placed[0] and table.score[side] <= rules.SECOND_CAR:
        return f"a second car in a turn costs 4 points, but {score_words(table, side)} and must keep one (CB-T2, CB-T3)"
    return occupied(table, cell)


def score_words(table: CrashByCrash, side: int) -> str:
    """Write a side's score, as in `blue has 3 points`."""
    return f"{SIDES[side]} has {counted(table.score[side], 'point')}"


def occupied(table: CrashByCrash, cell: int, rule: str = "CB-P1") -> str:
    """CB-P1: say why a cell is not free, citing `rule`; return "" if it is free."""
    if table.gone[t.TILE[cell]]:
        return f"there is a hole at {place_words(cell)} (CB-F5)"
    for piece, other in enumerate(table.cell):
        if other == cell:
            return f"{piece_name(piece)} is on {place_words(cell)} ({rule})"
    return ""


def hitting(table: CrashByCrash, rest: int) -> str:
    """CB-P1, CB-P2, CB-K9 to CB-K13: return the reason against the hits of a standard car; empty if there is none."""
    cell = rest % t.WAY
    side = table.asked[0] & 1
    bound = table.bound[0]
    power = rest // t.POWER
    ways = car_ways(rest)
    if NOWHERE not in table.cell[t.FLEET * side : t.FLEET * side + t.STANDARD]:
        return f"{SIDES[side]} has no standard car in its stock (CB-S1)"
    if not ways and bound != t.EXPANSION:
        return "a car must hit another one; say in which direction (CB-P1)"
    for way in ways:
        target = t.AHEAD[6 * cell + way]
        if target not in table.cell[: t.CARS]:
            return f"there is no car {DIRECTIONS[way]} of {place_words(cell)} to hit (CB-P1)"
    if len(ways) > 1 and bound != t.DOUBLE_HIT:
        return "a car hits twice only after Double Hit (CB-K9)"
    if len(ways) == 1 and bound == t.DOUBLE_HIT and table.edition[0] == t.CZECH:
        return "in the Czech edition a car hits in two directions after Double Hit; name both (CB-K9)"
    if power and rules.is_blue(bound):
        return f"no batteries may be used after {TITLES[bound]} (CB-P2)"
    if power and table.banned[side]:
        return f"{SIDES[side]} may use no batteries in this turn (CB-K6)"
    if power > table.batteries[side]:
        return f"{SIDES[side]} has {counted(table.batteries[side], 'battery')} left (CB-P2)"
    return ""


# Cards


def not_in_hand(table: CrashByCrash, *cards: int) -> str:
    """Say that some of these cards are not in the hand; return "" if they all are, or if the hand is hidden."""
    seat = table.asked[0]
    hand = table.hand[t.KINDS * seat : t.KINDS * (seat + 1)]
    for card in cards:
        if HIDDEN not in hand and hand[card] < cards.count(card):
            return f"{SEATS[seat]} has only {hand_text(table, seat) or 'no cards'} in hand (CB-T1)"
    return ""


def played(table: CrashByCrash, rest: int) -> str:
    """CB-K: return the reason against playing a card on these targets; empty if there is none."""
    card, what, where = rest % t.STEP, rest // t.STEP % t.CELL, rest // (t.STEP * t.CELL)
    rule = card_rule(card)
    if rules.is_blue(card) or rules.is_yellow(card):
        colour = "blue" if rules.is_blue(card) else "yellow"
        return f"a {colour} card can only be the first action of a turn ({rule})" if table.acted[0] else ""
    if card == t.BELL_CHARMS:
        return bell_moved(table, what, where)
    if card == t.FLYING_DUTCHMAN:
        return "" if table.gone[t.TILE[what]] and table.cell[t.OPERATOR] != what else occupied(table, what, rule)
    return car_moved(table, card, what, where) if card != t.DEAD_ACCUMULATOR else ""


def car_moved(table: CrashByCrash, card: int, what: int, where: int) -> str:
    """CB-K2, CB-K3, CB-K4: return the reason against moving a car by a card; empty if there is none."""
    cars = table.cell[: t.CARS]
    rule = card_rule(card)
    if what not in cars:
        return f"there is no car on {place_words(what)} ({rule})"
    if card == t.SABOTEUR:
        is_own = cars.index(what) // t.FLEET == table.asked[0] & 1
        return f"only a car of the opponent can be sent home ({rule})" if is_own else ""
    if where not in t.AHEAD[6 * what : 6 * what + 6]:
        return f"{place_words(where)} is not beside {place_words(what)} ({rule})"
    if card == t.LAMBADA:
        return "" if where in cars else f"there is no car on {place_words(where)} ({rule})"
    if where in table.cell[t.BELL :] and where != table.cell[t.OPERATOR]:
        english = table.edition[0] == t.ENGLISH
        return f"in the English edition this card cannot move a car onto a bell ({rule})" if english else ""
    return occupied(table, where, rule)


def bell_moved(table: CrashByCrash, what: int, where: int) -> str:
    """CB-K1: return the reason against moving a bell; empty if there is none."""
    if what not in table.cell[t.BELL :]:
        return f"there is no bell on {place_words(what)} (CB-K1)"
    if reason := occupied(table, where, "CB-K1"):
        return reason
    if t.TILE[where] % 2 == 0:
        return f"{place_words(where)} is not on a flower (CB-K1)"
    if any(t.TILE[bell] == t.TILE[where] for bell in table.cell[t.BELL :] if bell not in (what, NOWHERE)):
        return f"there is another bell on the flower of {place_words(where)} (CB-K1)"
    return ""


# Consequences of an action


def ringing(table: CrashByCrash, action: int) -> str:
    """CB-E2, CB-K7, CB-K8: explain why an action is illegal: the bells that it would or would not ring."""
    bound = table.bound[0]
    if rules.is_yellow(bound) and not brings_scoring(table, action):
        return f"after {TITLES[bound]} the second action must bring a scoring ({card_rule(bound)})"
    if table.turn[0] < rules.EARLIEST:
        return f"a bell would ring in turn {table.turn[0]}, but none may ring before turn 6 (CB-E2)"
    once = "there was a scoring in this turn already" if table.scored[0] else "two bells would ring"
    return f"{once}, but there can be only one scoring in a turn (CB-E2)"


def brings_scoring(table: CrashByCrash, action: int) -> bool:
    """CB-K7, CB-K8: return whether an action or its magnet check would ring a bell after a yellow card."""
    board = copied(table)
    bound = table.bound[0]
    placed = t.FLEET * (table.asked[0] & 1) + t.STANDARD if action // t.SORT * t.SORT == t.MAGNET else NOWHERE
    rules.do(table, board, rules.BASE, action, bound, NOWHERE, None)
    board[rules.LIMIT], board[rules.MUST_FOLLOW] = rules.MANY, bound
    return rules.ends_well(table, board, placed)


def pulls(table: CrashByCrash, cell: int) -> bool:
    """CB-M1: return whether a magnet on this cell would pull a car."""
    board = copied(table)
    magnet = t.FLEET * (table.asked[0] & 1) + t.STANDARD
    rules.put(board, rules.BASE, magnet, cell, rules.M1, NOWHERE, None)
    return bool(rules.check_magnets(table, board, rules.BASE, magnet, NOWHERE, None))


def copied(table: CrashByCrash) -> Ints:
    """Return a list with a copy of the board, on which actions can be tried."""
    out = [0] * rules.MOST_ACTIONS
    rules.lay_out(table, out)
    return out


# Decisions


def deciding(name: str, about: str, *kinds: ActionType[CrashByCrash]) -> Decision[CrashByCrash]:
    """Build a decision between actions of these types."""
    return Decision(name, about, action_types(*kinds, width=t.SORT, tidy=dotted))


def dotted(words: str) -> str:
    """Write each cell as one word: `(7, 3)` becomes `7.3`."""
    return " ".join(re.sub(r"\(\s*([0-9]+)\s*,\s*([0-9]+)\s*\)", r" \1.\2 ", words).split())


TURN_UP = ActionType(
    t.TURN_UP,
    ("", "draw", "turn-up"),
    CARD_ANSWER,
    lambda table, action: f"there is no {card_text(action - t.TURN_UP)} in the pile (CB-T4)",
)
DECISIONS: tuple[Decision[CrashByCrash], ...] = by_number(
    {
        t.SET_UP: deciding(
            "set-up",
            "a cell for a car",
            ActionType(
                t.PLACE,
                ("place", "car", "put"),
                CELL_ANSWER,
                lambda table, action: (
                    occupied(table, action - t.PLACE)
                    or "there is a car on this tile, and no two may start on the same tile (CB-S2)"
                ),
            ),
        ),
        t.ACTION: deciding(
            "action",
            "an action",
            ActionType(t.FORFEIT, ("forfeit", "pass", "-"), alone(), forfeit),
            ActionType(t.CAR, ("car", "place", "put"), CAR_ANSWER, car),
            ActionType(t.MAGNET, ("magnet",), CELL_ANSWER, magnet),
            ActionType(t.WALK, ("walk", "operator"), WALK_ANSWER, walk),
            ActionType(t.EXCHANGE, ("exchange",), EXCHANGE_ANSWER, exchange),
            ActionType(t.PLAY, ("play", "card"), PLAY_ANSWER, play),
        ),
        t.DRAWING: deciding("drawing", "a card to draw", ActionType(t.TAKE, ("take", "draw"), TAKE_ANSWER, taken)),
        t.KEEP: deciding(
            "keep", "a card for the discards", ActionType(t.DISCARD, ("discard",), DISCARD_ANSWER, discard)
        ),
        t.PILE: deciding("pile", "a card from the pile", TURN_UP),
        t.REFILL: deciding("refill", "a card that is turned face up", TURN_UP),
        t.OVER: OVER,
    }
)
PHASE = named("phase", [decision.name for decision in DECISIONS])


def decision(table: CrashByCrash, seat: int) -> Decision[CrashByCrash]:
    """Return the current decision."""
    return DECISIONS[table.phase[0]]


def action_text(table: CrashByCrash, seat: int, action: int) -> str:
    """Write an action in notation."""
    return decision(table, seat).answer.format(table, action)
