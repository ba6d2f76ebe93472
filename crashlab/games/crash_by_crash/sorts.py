"""The sorts of actions of Crash by Crash as a person chooses them: step by step, in words, and how they look.

An action is spelled as a few numbers. The first one, its head, is its sort, with the card if one is played or drawn;
what follows is chosen number by number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from crashlab.drawing import primitives as kit
from crashlab.drawing.shapes import Shape
from crashlab.games.boards import hexes
from crashlab.games.crash_by_crash import board, cards, rules
from crashlab.games.crash_by_crash import table as t
from crashlab.games.crash_by_crash import words as w
from crashlab.games.crash_by_crash.actions import steps_of
from crashlab.games.crash_by_crash.marks import (
    Mark,
    arrow,
    card_mark,
    cross,
    dot,
    ghost,
    hit_shapes,
    pull_marks,
    rack,
    ring,
    swap_mark,
    ticket,
)
from crashlab.games.crash_by_crash.places import Leads, first_cell, nowhere, second_cell

Spelling = tuple[int, ...]
Meant = Callable[[t.CrashByCrash, int, Spelling], tuple[Shape, ...]]  # an action of a seat, drawn
STOP = 0  # instead of a third step


class Asked(NamedTuple):
    """What is chosen so far, and what can follow."""

    table: t.CrashByCrash
    seat: int
    begun: Spelling
    numbers: Sequence[int]


@dataclass(frozen=True)
class Step:
    """A number of a spelling: the word for each that can follow, one in words, and where it is clicked.

    `mark` is also given the numbers with all that then follows of necessity.
    """

    words: Callable[[Asked], list[str]]
    text: Callable[[Asked, int, str], str]
    mark: Callable[[Asked, int, Spelling], Mark]


def nothing(rest: int) -> Spelling:
    """No number but the head."""
    return ()


def last_step(table: t.CrashByCrash, begun: Spelling) -> int:
    """To where the operator comes with his last step."""
    return route(table, begun[1:])[-1]


@dataclass(frozen=True)
class Head:
    """A kind of action: its word, what it is in words and where it is clicked; the steps that follow; how it is meant.

    `leads` says to which cell. `spell` gives the numbers after the head for the rest of an action.
    """

    word: str
    text: Callable[[t.CrashByCrash], str]
    mark: Callable[[t.CrashByCrash, int], Mark]
    meant: Meant
    steps: tuple[Step, ...] = ()
    spell: Callable[[int], Spelling] = nothing
    leads: Leads = nowhere
    is_placed: bool = False  # whether something is placed on the cell that is chosen first


# Cells


def cell_words(asked: Asked) -> list[str]:
    """Cells in notation."""
    return [w.cell_text(cell) for cell in asked.numbers]


def there_words(asked: Asked, cell: int, said: str) -> str:
    """A cell in words, and what is there."""
    table = asked.table
    there = [w.piece_name(piece) for piece in range(t.PIECES) if table.cell[piece] == cell]
    if there:
        return f"{there[0]} on {w.place_words(cell)}"
    if table.gone[t.TILE[cell]]:
        return f"the hole round {w.place_words(cell)}"
    return f"{w.place_words(cell)}, value {table.value[cell]}"


def cell_mark(asked: Asked, cell: int, whole: Spelling) -> Mark:
    """A free cell gets a dot, a piece a ring."""
    x, y = board.CENTRES[cell]
    return (x, y), ring((x, y - board.UP + 1), 18) if cell in asked.table.cell else dot((x, y))


def ride_mark(asked: Asked, cell: int, whole: Spelling) -> Mark:
    """From a car to its new cell leads an arrow."""
    place, shapes = cell_mark(asked, cell, whole)
    return place, shapes if cell in asked.table.cell else (*arrow(board.CENTRES[asked.begun[1]], place), *shapes)


CELL = Step(cell_words, there_words, cell_mark)
RIDE = Step(cell_words, there_words, ride_mark)


# A standard car: whom it hits, and how


def way_words(asked: Asked) -> list[str]:
    """The direction of a hit, or none."""
    return [hexes.DIRECTIONS[number - 1] if number else "alone" for number in asked.numbers]


def hit_words(asked: Asked, number: int, said: str) -> str:
    """A hit in words."""
    return f"hit to the {said}" if number else "hit no car"


def hit_mark(asked: Asked, number: int, whole: Spelling) -> Mark:
    """A car that can be hit gets an arrow; no hit is a ticket at the cell."""
    here = board.CENTRES[asked.begun[1]]
    if number == 0:
        return here, ticket(here, "alone" if len(asked.begun) == 2 else "once")
    place = board.CENTRES[t.AHEAD[6 * asked.begun[1] + number - 1]]
    return place, hit_shapes(here, place)


def power_of(number: int) -> int:
    """How many batteries the last number of a car says."""
    return number * t.SECOND // t.POWER


def more_words(asked: Asked) -> list[str]:
    """CB-P2: batteries; CB-K9: a second direction."""
    if asked.table.bound[0] == t.DOUBLE_HIT:
        return [hexes.DIRECTIONS[number - 1] if number else "once" for number in asked.numbers]
    return [f"+{power_of(number)}" for number in asked.numbers]


def strength_words(asked: Asked, number: int, said: str) -> str:
    """Batteries or a second hit in words."""
    if asked.table.bound[0] == t.DOUBLE_HIT:
        return f"and hit to the {said}" if number else "hit only once"
    power = power_of(number)
    return f"{('no battery', 'one battery', 'two batteries')[power]}: {power + 1} cell{'s' * (power > 0)}"


def strength_mark(asked: Asked, number: int, whole: Spelling) -> Mark:
    """Strengths are tickets at the cell."""
    if asked.table.bound[0] == t.DOUBLE_HIT:
        return hit_mark(asked, number, whole)
    power = power_of(number)
    middle, height = rack(asked.table, board.CENTRES[asked.begun[1]])
    place = middle + 42 * (power - 1), height
    return place, ticket(place, f"+{power}")


HIT = Step(way_words, hit_words, hit_mark)
STRENGTH = Step(more_words, strength_words, strength_mark)


# The operator


def goal_of(table: t.CrashByCrash, cell: int, number: int) -> int:
    """CB-O3: where a step of the operator leads: a hole is its middle; where it stops, nowhere else."""
    if number == STOP:
        return cell
    goal = rules.goal(cell, number - 1, bool(table.gone[t.TILE[cell]]))
    return t.cells_of(t.TILE[goal])[0] if table.gone[t.TILE[goal]] else goal


def route(table: t.CrashByCrash, numbers: Sequence[int]) -> list[int]:
    """The cells that the operator comes to with these steps, from where he is."""
    cells = [table.cell[t.OPERATOR]]
    for number in numbers:
        if number != STOP:
            cells.append(goal_of(table, cells[-1], number))
    return cells


def step_words(asked: Asked) -> list[str]:
    """A direction, or out of a hole a cell, with the direction of the push where it matters."""
    table = asked.table
    cell = route(table, asked.begun[1:])[-1]
    if not table.gone[t.TILE[cell]]:
        return ["stop" if number == STOP else hexes.DIRECTIONS[number - 1] for number in asked.numbers]
    goals = [goal_of(table, cell, number) for number in asked.numbers]
    found = []
    for number, goal in zip(asked.numbers, goals, strict=True):
        way = f"/{hexes.DIRECTIONS[rules.direction(number - 1, True)]}" if goals.count(goal) > 1 else ""
        found.append("stop" if number == STOP else w.cell_text(goal) + way)
    return found


def going_words(asked: Asked, number: int, said: str) -> str:
    """A step in words."""
    table = asked.table
    if number == STOP:
        return "stop here"
    cell = route(table, asked.begun[1:])[-1]
    goal = goal_of(table, cell, number)
    pay = ", for 2 points" if len(asked.begun) == 3 else ""
    where = f"to {'the hole round ' if table.gone[t.TILE[goal]] else ''}{w.place_words(goal)}{pay}"
    if not table.gone[t.TILE[cell]]:
        return f"{said}: {where}"
    return f"{where}, pushing {said.partition('/')[2]}" if "/" in said else where


def step_mark(asked: Asked, number: int, whole: Spelling) -> Mark:
    """The operator's next cell, and the way there; where he stops, a ticket. Pushes of one car are side by side."""
    table, begun = asked.table, asked.begun
    cells = route(table, begun[1:])
    here = board.CENTRES[cells[-1]]
    if number == STOP:
        return here, ticket(here, "stop")
    goal = goal_of(table, cells[-1], number)
    place = board.CENTRES[goal]
    is_car = goal in table.cell[: t.CARS]
    goals = [goal_of(table, cells[-1], other) for other in asked.numbers]
    if goals.count(goal) > 1:
        place = kit.between(board.CENTRES[t.AHEAD[6 * cells[-1] + (number - 1) // 3]], place, 0.55)
    if len(begun) % 2:  # he stands here, or a ticket does
        here = kit.between(here, place, 0.45 if len(begun) == 1 else 0.62)
    points = (here, place, *(board.CENTRES[cell] for cell in route(table, whole[1:])[len(cells) + 1 :]))
    return place, (*kit.way(points, "path", 3.2, 6.5, 0.8, arrow=False), *(ring(place, 15) if is_car else dot(place)))


WALK = Step(step_words, going_words, step_mark)


# Two cards, two cars


def pair_words(asked: Asked) -> list[str]:
    """Two cards."""
    return [f"{w.CARD_WORDS[number % t.STEP]} {w.CARD_WORDS[number // t.STEP]}" for number in asked.numbers]


def giving_words(asked: Asked, number: int, said: str) -> str:
    """Two cards in words."""
    return f"give {w.TITLES[number % t.STEP]} and {w.TITLES[number // t.STEP]}"


def kept_mark(asked: Asked, number: int, whole: Spelling) -> Mark:
    """A ticket at the card that is kept."""
    held = cards.hand(asked.table, asked.seat)
    kept = held[:]
    kept.remove(number % t.STEP)
    kept.remove(number // t.STEP)
    return card_mark(cards.HAND_X, held.index(kept[0]) if kept else 1, "keep")


def cars_words(asked: Asked) -> list[str]:
    """The cells of two cars."""
    return [f"{w.cell_text(number % t.CELL)} {w.cell_text(number // t.CELL)}" for number in asked.numbers]


def swapping_words(asked: Asked, number: int, said: str) -> str:
    """Two cars in words."""
    return f"swap {w.place_words(number % t.CELL)} and {w.place_words(number // t.CELL)}"


def cars_mark(asked: Asked, number: int, whole: Spelling) -> Mark:
    """Two cars that can change places."""
    return swap_mark(board.CENTRES[number % t.CELL], board.CENTRES[number // t.CELL])


PAIR = Step(pair_words, giving_words, kept_mark)
SWAP = Step(cars_words, swapping_words, cars_mark)


# How actions are meant


def meant_place(table: t.CrashByCrash, seat: int, begun: Spelling) -> tuple[Shape, ...]:
    """The first cars."""
    return ghost(seat & 1, begun[1], False)


def meant_car(table: t.CrashByCrash, seat: int, begun: Spelling) -> tuple[Shape, ...]:
    """The car that is placed, its hits, and its batteries."""
    x, y = board.CENTRES[begun[1]]
    ways = [way - 1 for way in (begun[2], begun[3] % 8) if way]
    shapes = [shape for way in ways for shape in hit_shapes((x, y), board.CENTRES[t.AHEAD[6 * begun[1] + way]])]
    power = power_of(begun[3])
    return (*ghost(seat & 1, begun[1], False), *shapes, *(ticket((x, y - 28), f"+{power}") if power else ()))


def meant_magnet(table: t.CrashByCrash, seat: int, begun: Spelling) -> tuple[Shape, ...]:
    """The magnetic car, and what it reaches."""
    return (*ghost(seat & 1, begun[1], True), *pull_marks(table, seat & 1, begun[1]))


def meant_walk(table: t.CrashByCrash, seat: int, begun: Spelling) -> tuple[Shape, ...]:
    """The operator's way."""
    return kit.way(tuple(board.CENTRES[cell] for cell in route(table, begun[1:])), "purple", 4, 8, 0.8)


def meant_exchange(table: t.CrashByCrash, seat: int, begun: Spelling) -> tuple[Shape, ...]:
    """Tickets at the cards that are given."""
    held = cards.hand(table, seat)
    first = begun[1] % t.STEP
    one = held.index(first)
    given = one, held.index(begun[1] // t.STEP, one + 1 if begun[1] // t.STEP == first else 0)
    return tuple(shape for number in given for shape in card_mark(cards.HAND_X, number, "give")[1])


def meant_forfeit(table: t.CrashByCrash, seat: int, begun: Spelling) -> tuple[Shape, ...]:
    """Nothing is to be seen of it."""
    return ()


def meant_card(table: t.CrashByCrash, seat: int, begun: Spelling) -> tuple[Shape, ...]:
    """A ticket at the card."""
    return HEADS[begun[0]].mark(table, seat)[1]


def meant_ride(table: t.CrashByCrash, seat: int, begun: Spelling) -> tuple[Shape, ...]:
    """An arrow from a piece to its new cell."""
    return (*arrow(board.CENTRES[begun[1]], board.CENTRES[begun[2]]), *meant_card(table, seat, begun))


def meant_swap(table: t.CrashByCrash, seat: int, begun: Spelling) -> tuple[Shape, ...]:
    """An arrow between two cars."""
    one, other = board.CENTRES[begun[1] % t.CELL], board.CENTRES[begun[1] // t.CELL]
    return (*swap_mark(one, other)[1], *meant_card(table, seat, begun))


def meant_sabotage(table: t.CrashByCrash, seat: int, begun: Spelling) -> tuple[Shape, ...]:
    """A cross on a car."""
    return (*cross(begun[1]), *meant_card(table, seat, begun))


def meant_flight(table: t.CrashByCrash, seat: int, begun: Spelling) -> tuple[Shape, ...]:
    """An arrow from the operator to his new cell."""
    start = board.CENTRES[table.cell[t.OPERATOR]]
    return (*arrow(start, board.CENTRES[begun[1]]), *meant_card(table, seat, begun))


# All sorts of actions


def pay(table: t.CrashByCrash) -> str:
    """CB-T2: what a second car costs."""
    return ", for 4 points" if table.placed[0] else ""


def stock_mark(table: t.CrashByCrash, seat: int, is_magnet: bool) -> Mark:
    """A ring round a car in the stock."""
    side = seat & 1
    car = t.FLEET * side + t.STANDARD if is_magnet else rules.spare(table.cell, 0, side)
    place = board.stock_place(table.players[0], car)
    return place, ring(place, 13 if is_magnet else 10)


def operator_mark(table: t.CrashByCrash, seat: int) -> Mark:
    """A ring round the operator."""
    place = board.CENTRES[table.cell[t.OPERATOR]]
    return place, ring(place, 20)


def ticket_mark(said: str, right: float, y: float) -> Callable[[t.CrashByCrash, int], Mark]:
    """A ticket `right` of the left edge of the cards in hand."""
    place = cards.HAND_X + right, y
    return lambda table, seat: (place, ticket(place, said))


def played(
    card: int,
    meant: Meant = meant_card,
    steps: tuple[Step, ...] = (),
    spell: Callable[[int], Spelling] = nothing,
    leads: Leads = nowhere,
) -> Head:
    """A card that is played; a ticket at it is clicked."""

    def mark(table: t.CrashByCrash, seat: int) -> Mark:
        return card_mark(cards.HAND_X, cards.hand(table, seat).index(card), "play")

    return Head(f"play {w.CARD_WORDS[card]}", lambda table: f"play {w.TITLES[card]}", mark, meant, steps, spell, leads)


def taken(card: int) -> Head:
    """A face-up card that is drawn."""

    def mark(table: t.CrashByCrash, seat: int) -> Mark:
        return card_mark(cards.TABLE_X, table.display.index(card), "take")

    return Head(f"take {w.CARD_WORDS[card]}", lambda table: f"take {w.TITLES[card]}", mark, meant_card)


def given(card: int) -> Head:
    """A drawn card that is given away."""

    def mark(table: t.CrashByCrash, seat: int) -> Mark:
        return card_mark(cards.TABLE_X, table.drawn.index(card), "give away")

    return Head(f"discard {w.CARD_WORDS[card]}", lambda table: f"give {w.TITLES[card]} away", mark, meant_card)


def one(rest: int) -> Spelling:
    """A single number."""
    return (rest,)


def two(rest: int) -> Spelling:
    """Of a card: what, and where."""
    return rest // t.STEP % t.CELL, rest // (t.STEP * t.CELL)


def car_numbers(rest: int) -> Spelling:
    """A cell, a way, and a second way or batteries."""
    return rest % t.WAY, rest // t.WAY % 8, rest // t.SECOND


def walk_numbers(rest: int) -> Spelling:
    """Two steps and STOP, or four."""
    steps = tuple(step + 1 for step in steps_of(rest))
    return steps if len(steps) > 2 else (*steps, STOP)


BESIDE_PILE, BESIDE_HAND = (26, cards.PILE_Y), (300, cards.CARDS_TOP - 11)
HEADS: dict[int, Head] = {
    t.FORFEIT: Head("forfeit", lambda table: "forfeit", ticket_mark("forfeit", *BESIDE_HAND), meant_forfeit),
    t.PLACE: Head(
        "place", lambda table: "place", lambda table, seat: stock_mark(table, seat, False), meant_place,
        (CELL,), one, first_cell, is_placed=True,
    ),
    t.CAR: Head(
        "car", lambda table: f"place a car{pay(table)}", lambda table, seat: stock_mark(table, seat, False), meant_car,
        (CELL, HIT, STRENGTH), car_numbers, first_cell, is_placed=True,
    ),
    t.MAGNET: Head(
        "magnet", lambda table: f"place the magnetic car{pay(table)}",
        lambda table, seat: stock_mark(table, seat, True), meant_magnet, (CELL,), one, first_cell,
        is_placed=True,
    ),
    t.WALK: Head(
        "walk", lambda table: "move the operator", operator_mark, meant_walk, (WALK,) * 4, walk_numbers, last_step
    ),
    t.EXCHANGE: Head(
        "exchange", lambda table: "exchange two cards", ticket_mark("exchange", *BESIDE_HAND), meant_exchange,
        (PAIR,), one,
    ),
    **{t.PLAY + card: played(card) for card in range(t.KINDS)},
    t.PLAY + t.BELL_CHARMS: played(t.BELL_CHARMS, meant_ride, (CELL, CELL), two, second_cell),
    t.PLAY + t.LAMBADA: played(t.LAMBADA, meant_swap, (SWAP,), lambda rest: (rest // t.STEP,)),
    t.PLAY + t.FREE_RIDE: played(t.FREE_RIDE, meant_ride, (CELL, RIDE), two, second_cell),
    t.PLAY + t.SABOTEUR: played(t.SABOTEUR, meant_sabotage, (CELL,), lambda rest: (rest // t.STEP,), first_cell),
    t.PLAY + t.FLYING_DUTCHMAN: played(
        t.FLYING_DUTCHMAN, meant_flight, (CELL,), lambda rest: (rest // t.STEP,), first_cell
    ),
    **{t.TAKE + card: taken(card) for card in range(t.KINDS)},
    t.TAKE + t.FROM_PILE: Head(
        "take pile", lambda table: "draw from the pile", ticket_mark("pile", *BESIDE_PILE), meant_card
    ),
    **{t.DISCARD + card: given(card) for card in range(t.KINDS)},
}  # fmt: skip
HAVE_CARDS = (t.PLAY, t.TAKE, t.DISCARD)  # sorts of which the card belongs to the head


def spelled(action: int) -> Spelling:
    """An action as numbers to be chosen one after another."""
    sort, rest = action // t.SORT * t.SORT, action % t.SORT
    head = sort + rest % t.STEP if sort in HAVE_CARDS else sort
    return head, *HEADS[head].spell(rest)
