"""The actions of Crash by Crash: how each is written, read and taken apart, without its verb."""

from __future__ import annotations

import re
from dataclasses import replace

from crashlab.base.errors import CrashlabError, shown
from crashlab.engine import contract
from crashlab.engine.decisions import Answer, thing
from crashlab.engine.notation import some
from crashlab.engine.table import NOWHERE, Ints
from crashlab.engine.words import maybe
from crashlab.games.boards.hexes import DIRECTIONS
from crashlab.games.crash_by_crash import rules
from crashlab.games.crash_by_crash import table as t
from crashlab.games.crash_by_crash import words as w
from crashlab.games.crash_by_crash.table import CrashByCrash


def listed(table: CrashByCrash) -> Ints:
    """The legal actions of whoever is asked."""
    return contract.listed(rules, table, table.asked[0])


def has_choice(table: CrashByCrash) -> bool:
    """Whether there is more than one legal action."""
    return contract.only(rules, table, table.asked[0]) == NOWHERE


# A standard car


def car_ways(rest: int) -> list[int]:
    """The directions in which a car hits."""
    return [rest // unit % 8 - 1 for unit in (t.WAY, t.SECOND) if rest // unit % 8]


def car_text(table: CrashByCrash, rest: int) -> str:
    """Its cell, the ways it hits, batteries."""
    ways = [DIRECTIONS[way] if way < 6 else f"way {way}" for way in car_ways(rest)]
    return " ".join([w.cell_text(rest % t.WAY), *ways]) + (f" +{rest // t.POWER}" if rest >= t.POWER else "")


def read_car(table: CrashByCrash, line: str) -> int:
    """Its cell, with the ways it hits and batteries."""
    words = line.split()
    if not words:
        raise CrashlabError("where? As in 'car 7.3 E'")
    batteries = [word for word in words[1:] if word[0] == "+"]
    ways = [w.read_direction(word) for word in words[1:] if word[0] != "+"]
    if len(batteries) > 1 or any(word not in ("+0", "+1", "+2") for word in batteries):
        raise CrashlabError("a hit may have one battery or two, as in 'car 7.3 E +2' (CB-P2)")
    if len(ways) > 2 or len(set(ways)) < len(ways):
        raise CrashlabError("a car hits once, or with Double Hit in two different directions (CB-K9)")
    power = t.POWER * int(batteries[0]) if batteries else 0
    first, second = (*(way + 1 for way in ways), 0, 0)[:2]
    rest = w.read_cell(words[0]) + t.WAY * first + t.SECOND * second + power
    if second and first > second and t.CAR + rest not in listed(table):  # the order makes no difference (CB-K9)
        rest += (t.WAY - t.SECOND) * (second - first)
    return rest


def car_parts(table: CrashByCrash, rest: int) -> dict[str, object]:
    """Its cell, the ways it hits, and how many batteries."""
    ways = [DIRECTIONS[way] for way in car_ways(rest)]
    return {"cell": w.tell_cell(rest % t.WAY), "ways": ways, "batteries": rest // t.POWER}


# The operator


class Path:
    """Where the operator comes to, on a copy of the table on which he pushes the cars in his way."""

    def __init__(self, table: CrashByCrash) -> None:
        self.table = table.copy()
        self.visited: list[int] = []
        self._arrive()

    def _arrive(self) -> None:
        self.cell = self.table.cell[t.OPERATOR]
        self.inside = bool(self.table.gone[t.TILE[self.cell]])  # CB-O3: whether he is in a hole
        self.visited.append(self.cell)

    def way(self, step: int) -> int:
        """The direction of a step."""
        return rules.direction(step, self.inside)

    def goal(self, step: int) -> int:
        """The cell to which a step leads; OUTSIDE where there is none."""
        known = 0 <= step < (t.EXITS if self.inside else 6)
        return rules.goal(self.cell, step, self.inside) if known else t.OUTSIDE

    def car_on(self, cell: int) -> bool:
        """Whether a car is on a cell."""
        return cell in self.table.cell[: t.CARS]

    def place(self, cell: int) -> int:
        """CB-O3: a cell, or the middle of the hole it is in, which is one cell to him."""
        return t.cells_of(t.TILE[cell])[0] if self.table.gone[t.TILE[cell]] else cell

    def go(self, step: int) -> None:
        """Make a step."""
        rules.stride(self.table, self.table.cell, 0, step, NOWHERE, None)
        self._arrive()

    def steps(self) -> dict[int, int]:
        """The steps that stay on the floor, and the place to which each one leads."""
        goals = [self.goal(step) for step in range(t.EXITS if self.inside else 6)]
        return {step: self.place(goal) for step, goal in enumerate(goals) if goal != t.OUTSIDE}


def steps_of(rest: int) -> list[int]:
    """The steps of a walk, first to last."""
    steps = []
    while rest > 0:
        steps.append(rest % t.STEP - 1)
        rest //= t.STEP
    return steps


def stays_out(table: CrashByCrash, steps: list[int]) -> bool:
    """Whether the operator takes all these steps from cells, none out of a hole."""
    cell = table.cell[t.OPERATOR]
    for step in steps:
        if cell == t.OUTSIDE or table.gone[t.TILE[cell]] or not 0 <= step < 6:
            return False
        cell = t.AHEAD[6 * cell + step]
    return cell != t.OUTSIDE


def walk_text(table: CrashByCrash, rest: int) -> str:
    """The operator's steps: a direction, or out of a hole the cell, with the direction if a car stands there."""
    steps = steps_of(rest)
    if not any(table.gone) or stays_out(table, steps):
        return " ".join(DIRECTIONS[step] if 0 <= step < 6 else f"step {step}" for step in steps)
    words, path = list[str](), Path(table)
    for step in steps:
        goal = path.goal(step)
        if goal == t.OUTSIDE:
            return " ".join([*words, f"step {step}"])
        word = DIRECTIONS[path.way(step)]
        if path.inside:
            word = f"{w.cell_text(goal)}/{word}" if path.car_on(goal) else w.cell_text(goal)
        words.append(word)
        path.go(step)
    return " ".join(words)


def read_walk(table: CrashByCrash, line: str) -> int:
    """CB-O1: the operator's steps, of those that come to the same always the least."""
    words = line.split()
    if len(words) not in (2, 4):
        raise CrashlabError("the operator goes exactly 2 or 4 cells, as in 'walk E NE' (CB-O1)")
    path = Path(table)
    rest = 0
    unit = 1
    for number, word in enumerate(words, 1):
        step = read_step(path, number, word)
        if path.place(path.goal(step)) in path.visited:
            raise CrashlabError(f"step {number} leads back to {w.place_words(path.goal(step))} (CB-O1)")
        rest, unit = rest + unit * (step + 1), unit * t.STEP
        path.go(step)
    return rest


def walk_parts(table: CrashByCrash, rest: int) -> dict[str, object]:
    """The directions of his steps, and the cells to which they lead."""
    path = Path(table)
    ways = []
    for step in steps_of(rest):
        ways.append(DIRECTIONS[path.way(step)])
        path.go(step)
    return {"ways": ways, "cells": [w.tell_cell(cell) for cell in path.visited[1:]]}


def read_step(path: Path, number: int, word: str) -> int:
    """The step that is meant by `E`, or by a cell, with a direction after it if he comes out of a hole."""
    goal, slash, way = word.partition("/")
    steps = path.steps()
    if re.match(r"[0-9]", goal):
        cell = w.read_cell(goal)
        found = [step for step, place in steps.items() if place == path.place(cell)]
        if not found:
            raise CrashlabError(f"step {number}: {w.place_words(cell)} is not beside the operator (CB-O1)")
    else:
        over, way = w.read_direction(goal), way if slash else goal
        if slash and not path.inside:
            raise CrashlabError(f"step {number}: he is in no hole, so a direction is enough, not {shown(word)} (CB-O3)")
        found = [step for step in steps if not path.inside or step // 3 == over]
    wanted = w.read_direction(way) if way and found else NOWHERE
    ways = [step for step in found if not way or path.way(step) == wanted]
    if not ways:
        raise CrashlabError(f"step {number}: {shown(word)} leads off the floor, or is no way there (CB-O1, CB-O3)")
    goals = {steps[step] for step in ways}
    car = any(path.car_on(goal) for goal in goals) and path.inside
    if car and len(ways) > 1:
        raise CrashlabError(
            f"step {number}: which way is the car pushed? As in '{word}/{DIRECTIONS[path.way(ways[0])]}' (CB-O3)"
        )
    return ways[0] if car else next(step for step, place in steps.items() if place in goals)


# Two cards


def pair_text(table: CrashByCrash, rest: int) -> str:
    """The lower card first."""
    return f"{w.card_text(rest % t.STEP)} {w.card_text(rest // t.STEP)}"


def read_pair(table: CrashByCrash, line: str) -> int:
    """Two cards in any order."""
    words = line.split()
    if len(words) != 2:
        raise CrashlabError("two cards are exchanged, as in 'exchange Ride Tandem' (CB-T1)")
    low, high = sorted(map(w.read_card, words))
    return low + t.STEP * high


def pair_parts(table: CrashByCrash, rest: int) -> dict[str, object]:
    """Two cards by their whole names."""
    return {"cards": [w.tell_card(rest % t.STEP), w.tell_card(rest // t.STEP)]}


# A card that is played

TARGETS = {  # on what cells a card is played, by what is there
    t.BELL_CHARMS: ("bell", "cell"),
    t.LAMBADA: ("car", "other"),
    t.FREE_RIDE: ("car", "cell"),
    t.SABOTEUR: ("car",),
    t.FLYING_DUTCHMAN: ("cell",),
}


def targets_of(rest: int) -> list[int]:
    """The cells on which a card is played."""
    cells = rest // t.STEP % t.CELL, rest // (t.STEP * t.CELL)
    return [cell for cell, _ in zip(cells, TARGETS.get(rest % t.STEP, ()), strict=False)]


def play_text(table: CrashByCrash, rest: int) -> str:
    """A card, and on what it is played."""
    return " ".join([w.card_text(rest % t.STEP), *map(w.cell_text, targets_of(rest))])


def read_play(table: CrashByCrash, line: str) -> int:
    """A card, and on what it is played. Its name is the longest beginning that is one."""
    words = line.split()
    for length in range(len(words), 0, -1):
        try:
            card = w.read_card(" ".join(words[:length]))
        except CrashlabError:
            continue
        return card + read_targets(table, card, words[length:])
    raise CrashlabError(
        f"an action begins with car, magnet, walk, play or exchange; a card is one of {some(w.CARD_WORDS)},"
        " or K1 to K13"
    )


def read_targets(table: CrashByCrash, card: int, words: list[str]) -> int:
    """The cells on which a card is played."""
    wanted = len(TARGETS.get(card, ()))
    if len(words) != wanted:
        example = " ".join([w.CARD_WORDS[card], "7.3", "7.4"][: wanted + 1])
        cells = "cell" if wanted == 1 else "cells"
        raise CrashlabError(f"{w.CARD_WORDS[card]} needs {w.COUNTING[wanted]} {cells}, as in '{example}'")
    if wanted == 0:
        return 0
    what = w.read_cell(words[0])
    where = 0
    if card == t.FLYING_DUTCHMAN and table.gone[t.TILE[what]]:
        what = t.cells_of(t.TILE[what])[0]
    if wanted == 2:
        where = read_neighbour(what, words[1]) if card != t.BELL_CHARMS else w.read_cell(words[1])
    if card == t.LAMBADA:
        what, where = min(what, where), max(what, where)
    return t.STEP * what + t.STEP * t.CELL * where


def read_neighbour(cell: int, word: str) -> int:
    """A cell, or the one in this direction."""
    if word.upper() not in DIRECTIONS:
        return w.read_cell(word)
    target = t.AHEAD[6 * cell + w.read_direction(word)]
    if target == t.OUTSIDE:
        raise CrashlabError(f"there is no cell {word.upper()} of {w.place_words(cell)} (CB-F2)")
    return target


def play_parts(table: CrashByCrash, rest: int) -> dict[str, object]:
    """A card by its whole name, and the cells on which it is played."""
    card = rest % t.STEP
    cells = zip(TARGETS.get(card, ()), map(w.tell_cell, targets_of(rest)), strict=True)
    return {"card": w.tell_card(card), **dict(cells)}


# Cards that are drawn


def read_given(table: CrashByCrash, line: str) -> int:
    """The one of two drawn cards that is given away; `keep Ride` means the other one."""
    verb, _, rest = line.partition(" ")
    if verb.casefold() != "keep":
        return w.read_card(line)
    card = w.read_card(rest)
    both = table.drawn[:2]
    return both[1 - both.index(card)] if card in both else card


CELL_ANSWER = thing(w.CELL)
CARD_ANSWER = thing(w.CARD)
CAR_ANSWER = Answer(car_text, read_car, car_parts)
WALK_ANSWER = Answer(walk_text, read_walk, walk_parts)
EXCHANGE_ANSWER = Answer(pair_text, read_pair, pair_parts)
PLAY_ANSWER = Answer(play_text, read_play, play_parts)
TAKE_ANSWER = thing(maybe(w.CARD, {t.FROM_PILE: "pile"}), ("from pile", t.FROM_PILE), ("from the pile", t.FROM_PILE))
DISCARD_ANSWER = replace(CARD_ANSWER, read=read_given)
