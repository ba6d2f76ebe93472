"""The prompts on the board of Crash by Crash: actions, predictions and edits of a position."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from math import dist
from typing import Any, NamedTuple

from crashlab.base.errors import CrashlabError, require
from crashlab.drawing import primitives
from crashlab.drawing.shapes import Point, Shape
from crashlab.engine.prompts import Choice, Edit, Field, Question
from crashlab.engine.table import CHANCE, MOST_LETTERS, NOTE, NOWHERE, Row
from crashlab.engine.value_codecs import maybe, truth
from crashlab.engine.value_codecs import seat as seat_kind
from crashlab.games import toolkit
from crashlab.games.boards import hexes
from crashlab.games.crash_by_crash import notation as w
from crashlab.games.crash_by_crash import rules
from crashlab.games.crash_by_crash import state as t
from crashlab.games.crash_by_crash.notation import action_text, legal_now
from crashlab.games.crash_by_crash.render import layout, panel, sprites
from crashlab.games.crash_by_crash.render.sprites import (
    ChoiceMark,
    Leads,
    arrow,
    battery_ticket,
    card_mark,
    cross,
    dot,
    first_cell,
    ghost,
    hit_shapes,
    nowhere,
    pull_marks,
    rack,
    ring,
    second_cell,
    swap_mark,
    ticket,
)
from crashlab.games.toolkit import event_numbers


def subject(table: t.CrashByCrash, seat: int) -> str:
    """Return the key of the piece that shows the seat's decision; empty if the seat does not decide now."""
    return panel.asked_words(table) if decides(table, seat) else ""


def prompt(table: t.CrashByCrash, seat: int, chosen: tuple[str, ...]) -> str:
    """Return the question of the decision, or of the next step of the chosen action."""
    spellings = tree(table)
    prefix = begun_with(table, seat, chosen)
    if not prefix or prefix in spellings.actions:
        return PROMPTS.get(table.phase[0], SECOND if table.acted[0] else FIRST)
    step = len(prefix) - 1
    if HEADS[prefix[0]].steps[step] is STRENGTH:
        doubled = table.bound[0] == t.DOUBLE_HIT
        return "Which car does it hit then?" if doubled else "How many batteries does it use?"
    return HEADS[prefix[0]].asks[step]


def choices(table: t.CrashByCrash, seat: int, chosen: tuple[str, ...]) -> tuple[Choice, ...]:
    """Return the next choices of a seat: first the kind of action, then its steps; single choices are skipped."""
    require(decides(table, seat), f"{w.SEATS[seat]} has nothing to decide now")
    spellings = tree(table)
    prefix = begun_with(table, seat, chosen)
    if prefix in spellings.actions and chosen:
        raise CrashlabError(f"{' '.join(chosen)!r} is a complete action; nothing is left to choose")
    prefix = () if prefix in spellings.actions else prefix  # there is only one action, which is offered whole
    so_far = WordsSoFar(table, seat, prefix, spellings.following[prefix])
    return tuple(choice(so_far, spellings, number, word) for word, number in words_after(so_far).items())


def rounds(table: t.CrashByCrash) -> int:
    """Return the number of turns begun."""
    return table.turn[0]


def plans(table: t.CrashByCrash, actions: Mapping[int, int]) -> tuple[Choice, ...]:
    """Return the planned actions as choices, each with its text and its drawing."""
    return tuple(plan(table, seat, action) for seat, action in actions.items())


def target(table: t.CrashByCrash, seat: int, action: int) -> Point | None:
    """Return the middle of an action's target cell, or None."""
    spelling = spelled(table, action)
    cell = HEADS[spelling[0]].leads(table, spelling)
    return layout.CENTRES[cell] if cell != NOWHERE else None


def questions(turn: Any) -> tuple[Question, ...]:
    """Return the questions to ask before a turn is shown: where cars stop, bells, points, the flower that leaves."""
    rows: Sequence[Row] = turn.rows
    before, after = turn.before.table, turn.after.table
    moves = [row for row in rows if row.field == rules.PLACES and row.index < t.CARS and row.before != NOWHERE]
    stopped = [row for row in rows if row.field == NOTE and row.rule == rules.P4]
    cars = [row.index for row in moves if row.rule != rules.E1]
    cars += [car for row in stopped for car in range(t.CARS) if after.cell[car] == row.index]
    result = [where_question(before, rows, car, place) for place, car in enumerate(list(dict.fromkeys(cars))[:3])]
    if cars:
        result.append(bell_question(before, rows))
    scored = event_numbers(rows, lambda row: row.field == rules.SCORINGS)
    if scored:
        return (*result, score_question(rows, scored[0]), flower_question(before, rows, scored[0]))
    gains = event_numbers(rows, lambda row: row.field == rules.SCORE and row.after > row.before)
    return (*result, points_question(rows, gains)) if gains else tuple(result)


def edits(table: t.CrashByCrash) -> tuple[Edit, ...]:
    """Return the edits of a position: pieces, scores and batteries, hands, flowers, and the turn."""
    result = [car_edit(table, car) for car in range(t.CARS)]
    operator = toolkit.setting(table, "cell", "cell", t.OPERATOR, w.CELL, range(t.CELLS), layout.CENTRES)
    result.append(Edit("operator", "the operator", (operator,)))
    result += [bell_edit(table, bell) for bell in range(t.BELL, t.BELL + t.BELLS)]
    result += [side_edit(table, side) for side in range(2)]
    result += [hand_edit(table, seat) for seat in range(table.players[0])]
    result += [flower_edit(table, tile) for tile in range(1, t.TILES, 2)]
    return (*result, *turn_edits(table))


# Choosing

FIRST, SECOND = "What is your first action?", "What is your second action?"
PROMPTS = {t.DRAWING: "Which card do you draw?", t.KEEP: "Which card do you give away?"}


class ActionTree(NamedTuple):
    """The legal actions, each spelled as a few numbers."""

    following: Mapping[Spelling, list[int]]  # the possible next numbers, by beginning
    actions: Mapping[Spelling, int]  # actions by complete spelling


def tree(table: t.CrashByCrash) -> ActionTree:
    """Return the tree of the legal actions."""
    return grown(tuple(map(tuple, table.rows())))


@lru_cache(maxsize=8)
def grown(rows: tuple[tuple[int, ...], ...]) -> ActionTree:
    """Build the tree of the legal actions at the table with these rows."""
    table = t.CrashByCrash()
    for name, row in zip(table.NAMES, rows, strict=True):
        table.__dict__[name] = list(row)
    following: dict[Spelling, dict[int, None]] = {}
    actions: dict[Spelling, int] = {}
    for action in legal_now(table):
        whole = spelled(table, action)
        actions[whole] = action
        for length in range(len(whole)):
            following.setdefault(whole[:length], {})[whole[length]] = None
    return ActionTree({prefix: list(numbers) for prefix, numbers in following.items()}, actions)


def settled(spellings: ActionTree, prefix: Spelling) -> Spelling:
    """Return the beginning extended as long as there is only one next number."""
    while prefix not in spellings.actions and len(spellings.following[prefix]) == 1:
        prefix = (*prefix, spellings.following[prefix][0])
    return prefix


def decides(table: t.CrashByCrash, seat: int) -> bool:
    """Return whether this seat decides now."""
    bits = rules.actors(table)
    return bits != CHANCE and bool(bits >> seat & 1)


def begun_with(table: t.CrashByCrash, seat: int, chosen: tuple[str, ...]) -> Spelling:
    """Return the beginning of a spelling given by the chosen words, extended while only one next number is possible."""
    spellings = tree(table)
    prefix = settled(spellings, ())
    for number, word in enumerate(chosen):
        words = (
            {}
            if prefix in spellings.actions
            else words_after(WordsSoFar(table, seat, prefix, spellings.following[prefix]))
        )
        if word not in words:
            raise toolkit.not_a_choice(chosen[: number + 1], words)
        prefix = settled(spellings, (*prefix, words[word]))
    return prefix


def words_after(so_far: WordsSoFar) -> dict[str, int]:
    """Return the possible next numbers, keyed by their words."""
    if not so_far.prefix:
        return {HEADS[head].word: head for head in so_far.numbers}
    step = HEADS[so_far.prefix[0]].steps[len(so_far.prefix) - 1]
    return dict(zip(step.words(so_far), so_far.numbers, strict=True))


def choice(so_far: WordsSoFar, spellings: ActionTree, number: int, word: str) -> Choice:
    """Build the choice of a possible next number."""
    table, seat, prefix, _ = so_far
    whole = settled(spellings, (*prefix, number))
    action = action_text(table, seat, spellings.actions[whole]) if whole in spellings.actions else ""
    if not prefix:
        place, shapes = HEADS[number].mark(table, seat)
        return Choice(word, HEADS[number].text(table), *place, shapes, action)
    step = HEADS[prefix[0]].steps[len(prefix) - 1]
    place, shapes = step.mark(so_far, number, whole)
    preview = ghost(seat & 1, number, prefix[0] == t.MAGNET) if HEADS[prefix[0]].is_placed and len(prefix) == 1 else ()
    return Choice(word, step.text(so_far, number, word), *place, shapes, action, preview)


# Actions, word by word

Spelling = tuple[int, ...]
Meant = Callable[[t.CrashByCrash, int, Spelling], tuple[Shape, ...]]  # draws the action of a seat
STOP = 0  # chosen instead of a third step


class WordsSoFar(NamedTuple):
    """The beginning of an action and its possible next numbers."""

    table: t.CrashByCrash
    seat: int
    prefix: Spelling
    numbers: Sequence[int]


@dataclass(frozen=True)
class SpelledNumber:
    """A step of a spelling: the words of all possible numbers, the text of a number, and its mark.

    The third argument of `mark` is the beginning with the number, extended as long as there is only one next number.
    """

    words: Callable[[WordsSoFar], list[str]]
    text: Callable[[WordsSoFar, int, str], str]
    mark: Callable[[WordsSoFar, int, Spelling], ChoiceMark]


def last_step(table: t.CrashByCrash, prefix: Spelling) -> int:
    """Return the target of the operator's last step."""
    return walked(table, prefix[1:]).cell


@dataclass(frozen=True)
class Head:
    """A kind of action: its word, its text, its mark, the drawing of the whole action, and its steps.

    `asks` has the question of each step; `leads` returns the target cell.
    """

    word: str
    text: Callable[[t.CrashByCrash], str]
    mark: Callable[[t.CrashByCrash, int], ChoiceMark]
    meant: Meant
    steps: tuple[SpelledNumber, ...] = ()
    leads: Leads = nowhere
    is_placed: bool = False  # whether a car is placed on the first chosen cell
    asks: tuple[str, ...] = ()


# Cells


def cell_words(so_far: WordsSoFar) -> list[str]:
    """Write the possible cells in notation."""
    return [w.cell_text(cell) for cell in so_far.numbers]


def there_words(so_far: WordsSoFar, cell: int, word: str) -> str:
    """Describe a cell by its piece, its hole or its value."""
    table = so_far.table
    there = [w.piece_name(piece) for piece in range(t.PIECES) if table.cell[piece] == cell]
    if there:
        return f"{there[0]} on {w.place_words(cell)}"
    if table.gone[t.TILE[cell]]:
        return f"the hole round {w.place_words(cell)}"
    return f"{w.place_words(cell)}, value {table.value[cell]}"


def cell_mark(so_far: WordsSoFar, cell: int, whole: Spelling) -> ChoiceMark:
    """Mark a free cell with a dot, or a piece with a ring."""
    x, y = layout.CENTRES[cell]
    return (x, y), ring((x, y - layout.UP + 1), 18) if cell in so_far.table.cell else dot((x, y))


def ride_mark(so_far: WordsSoFar, cell: int, whole: Spelling) -> ChoiceMark:
    """Mark the new cell of a car with an arrow from its old cell."""
    place, shapes = cell_mark(so_far, cell, whole)
    return place, shapes if cell in so_far.table.cell else (*arrow(layout.CENTRES[so_far.prefix[1]], place), *shapes)


CELL = SpelledNumber(cell_words, there_words, cell_mark)
RIDE = SpelledNumber(cell_words, there_words, ride_mark)


# The hits of a standard car


def hit_mark(so_far: WordsSoFar, number: int, whole: Spelling) -> ChoiceMark:
    """Mark a possible hit with an arrow, or the choice of no hit with a label on the cell."""
    here = layout.CENTRES[so_far.prefix[1]]
    if number == 0:
        return here, ticket(here, "alone" if len(so_far.prefix) == 2 else "once")
    place = layout.CENTRES[t.AHEAD[6 * so_far.prefix[1] + number - 1]]
    return place, hit_shapes(here, place)


def power_of(number: int) -> int:
    """Return how many batteries the last number of a car's spelling stands for."""
    return number * t.SECOND // t.POWER


def more_words(so_far: WordsSoFar) -> list[str]:
    """CB-P2, CB-K9: write the numbers of batteries, or the second directions of a double hit."""
    if so_far.table.bound[0] == t.DOUBLE_HIT:
        return [hexes.DIRECTIONS[number - 1] if number else "once" for number in so_far.numbers]
    return [f"+{power_of(number)}" for number in so_far.numbers]


def strength_words(so_far: WordsSoFar, number: int, word: str) -> str:
    """Describe a number of batteries, or a second hit."""
    if so_far.table.bound[0] == t.DOUBLE_HIT:
        return f"and hit to the {word}" if number else "hit only once"
    power = power_of(number)
    return f"{('no battery', 'one battery', 'two batteries')[power]}: {power + 1} cell{'s' * (power > 0)}"


def strength_mark(so_far: WordsSoFar, number: int, whole: Spelling) -> ChoiceMark:
    """Mark a number of batteries with a label near the cell, or a second hit with an arrow."""
    if so_far.table.bound[0] == t.DOUBLE_HIT:
        return hit_mark(so_far, number, whole)
    power = power_of(number)
    middle, height = rack(so_far.table, layout.CENTRES[so_far.prefix[1]])
    place = middle + 42 * (power - 1), height
    return place, battery_ticket(place, power)


HIT = SpelledNumber(
    lambda so_far: [hexes.DIRECTIONS[number - 1] if number else "alone" for number in so_far.numbers],
    lambda so_far, number, said: f"hit to the {said}" if number else "hit no car",
    hit_mark,
)
STRENGTH = SpelledNumber(more_words, strength_words, strength_mark)


# The operator


def walked(table: t.CrashByCrash, numbers: Sequence[int]) -> w.OperatorWalk:
    """Return the operator's walk after these steps, on a copy of the table."""
    path = w.OperatorWalk(table)
    for number in numbers:
        if number != STOP:
            path.go(number - 1)
    return path


def goal_of(path: w.OperatorWalk, number: int) -> int:
    """Return the landing of the next step, or the current cell for STOP."""
    return path.cell if number == STOP else path.landing(path.goal(number - 1))


def step_words(so_far: WordsSoFar) -> list[str]:
    """Write the next steps: directions; out of a hole, cells, with the direction if several steps lead to one cell."""
    path = walked(so_far.table, so_far.prefix[1:])
    if not path.inside:
        return ["stop" if number == STOP else hexes.DIRECTIONS[number - 1] for number in so_far.numbers]
    goals = [goal_of(path, number) for number in so_far.numbers]
    words = []
    for number, goal in zip(so_far.numbers, goals, strict=True):
        way = f"/{hexes.DIRECTIONS[path.way(number - 1)]}" if goals.count(goal) > 1 else ""
        words.append("stop" if number == STOP else w.cell_text(goal) + way)
    return words


def going_words(so_far: WordsSoFar, number: int, word: str) -> str:
    """Describe a step."""
    if number == STOP:
        return "stop here"
    path = walked(so_far.table, so_far.prefix[1:])
    goal = goal_of(path, number)
    pay = ", for 2 points" if len(so_far.prefix) == 3 else ""
    where = f"to {'the hole round ' if so_far.table.gone[t.TILE[goal]] else ''}{w.place_words(goal)}{pay}"
    if not path.inside:
        return f"{word}: {where}"
    return f"{where}, pushing {word.partition('/')[2]}" if "/" in word else where


def step_mark(so_far: WordsSoFar, number: int, whole: Spelling) -> ChoiceMark:
    """Mark the operator's next cell with a path, or STOP with a label; several pushes of a car have separate marks."""
    table, prefix = so_far.table, so_far.prefix
    path = walked(table, prefix[1:])
    here = layout.CENTRES[path.cell]
    if number == STOP:
        return here, ticket(here, "stop")
    goal = goal_of(path, number)
    place = layout.CENTRES[goal]
    is_car = goal in table.cell[: t.CARS]
    goals = [goal_of(path, other) for other in so_far.numbers]
    if goals.count(goal) > 1:
        place = primitives.between(layout.CENTRES[t.AHEAD[6 * path.cell + (number - 1) // 3]], place, 0.55)
    if len(prefix) % 2:  # the path begins beside the operator or the label of STOP
        here = primitives.between(here, place, 0.45 if len(prefix) == 1 else 0.62)
    onward = walked(table, whole[1:]).visited[len(path.visited) + 1 :]
    points = (here, place, *(layout.CENTRES[cell] for cell in onward))
    return place, (
        *primitives.way(points, "path", 3.2, 6.5, 0.8, arrow=False),
        *(ring(place, 15) if is_car else dot(place)),
    )


WALK = SpelledNumber(step_words, going_words, step_mark)


# Two cards, two cars


def kept_mark(so_far: WordsSoFar, number: int, whole: Spelling) -> ChoiceMark:
    """Mark the kept card with a label."""
    cards = sprites.hand(so_far.table, so_far.seat)
    others = cards[:]
    others.remove(number % t.STEP)
    others.remove(number // t.STEP)
    return card_mark(sprites.HAND_X, cards.index(others[0]) if others else 1, "keep")


PAIR = SpelledNumber(
    lambda so_far: [f"{w.CARD_WORDS[two % t.STEP]} {w.CARD_WORDS[two // t.STEP]}" for two in so_far.numbers],
    lambda so_far, two, said: f"give {w.TITLES[two % t.STEP]} and {w.TITLES[two // t.STEP]}",
    kept_mark,
)
SWAP = SpelledNumber(
    lambda so_far: [f"{w.cell_text(two % t.CELL)} {w.cell_text(two // t.CELL)}" for two in so_far.numbers],
    lambda so_far, two, said: f"swap {w.place_words(two % t.CELL)} and {w.place_words(two // t.CELL)}",
    lambda so_far, two, whole: swap_mark(layout.CENTRES[two % t.CELL], layout.CENTRES[two // t.CELL]),
)


# Drawings of whole actions


def meant_car(table: t.CrashByCrash, seat: int, spelling: Spelling) -> tuple[Shape, ...]:
    """Draw the placed car, its hits and its batteries."""
    x, y = layout.CENTRES[spelling[1]]
    ways = [way - 1 for way in (spelling[2], spelling[3] % 8) if way]
    shapes = [shape for way in ways for shape in hit_shapes((x, y), layout.CENTRES[t.AHEAD[6 * spelling[1] + way]])]
    power = power_of(spelling[3])
    return (*ghost(seat & 1, spelling[1], False), *shapes, *(battery_ticket((x, y - 28), power) if power else ()))


def meant_exchange(table: t.CrashByCrash, seat: int, spelling: Spelling) -> tuple[Shape, ...]:
    """Draw labels at the exchanged cards."""
    cards = sprites.hand(table, seat)
    first = spelling[1] % t.STEP
    one = cards.index(first)
    numbers = one, cards.index(spelling[1] // t.STEP, one + 1 if spelling[1] // t.STEP == first else 0)
    return tuple(shape for number in numbers for shape in card_mark(sprites.HAND_X, number, "give")[1])


def meant_card(table: t.CrashByCrash, seat: int, spelling: Spelling) -> tuple[Shape, ...]:
    """Draw the label of the card."""
    return HEADS[spelling[0]].mark(table, seat)[1]


def meant_ride(table: t.CrashByCrash, seat: int, spelling: Spelling) -> tuple[Shape, ...]:
    """Draw an arrow from a piece to its new cell."""
    return (*arrow(layout.CENTRES[spelling[1]], layout.CENTRES[spelling[2]]), *meant_card(table, seat, spelling))


def meant_swap(table: t.CrashByCrash, seat: int, spelling: Spelling) -> tuple[Shape, ...]:
    """Draw an arrow between two cars."""
    one, other = layout.CENTRES[spelling[1] % t.CELL], layout.CENTRES[spelling[1] // t.CELL]
    return (*swap_mark(one, other)[1], *meant_card(table, seat, spelling))


def meant_flight(table: t.CrashByCrash, seat: int, spelling: Spelling) -> tuple[Shape, ...]:
    """Draw an arrow from the operator to his new cell."""
    start = layout.CENTRES[table.cell[t.OPERATOR]]
    return (*arrow(start, layout.CENTRES[spelling[1]]), *meant_card(table, seat, spelling))


# Kinds of actions


def pay(table: t.CrashByCrash) -> str:
    """CB-T2: write the cost of a second car; empty for the first car."""
    return ", for 4 points" if table.placed[0] else ""


def stock_mark(table: t.CrashByCrash, seat: int, is_magnet: bool) -> ChoiceMark:
    """Mark a car in the stock with a label."""
    side = seat & 1
    car = t.FLEET * side + t.STANDARD if is_magnet else rules.spare(table.cell, 0, side)
    x, y = layout.stock_place(table.players[0], car)
    word, half = ("magnet", 30) if is_magnet else ("car", 18)
    place = (x - 11 if is_magnet else x), y
    return place, primitives.ticket(place, word, half, 11, 13)


def operator_mark(table: t.CrashByCrash, seat: int) -> ChoiceMark:
    """Mark the operator with a ring."""
    place = layout.CENTRES[table.cell[t.OPERATOR]]
    return place, ring(place, 20)


def ticket_mark(word: str, right: float, y: float) -> Callable[[t.CrashByCrash, int], ChoiceMark]:
    """Build a mark: a label `right` pixels right of the left edge of the hand."""
    place = sprites.HAND_X + right, y
    return lambda table, seat: (place, ticket(place, word))


def played(
    card: int,
    meant: Meant = meant_card,
    steps: tuple[SpelledNumber, ...] = (),
    leads: Leads = nowhere,
    asks: tuple[str, ...] = (),
) -> Head:
    """Build the head of the action that plays a card, with a clickable label at the card."""

    def mark(table: t.CrashByCrash, seat: int) -> ChoiceMark:
        return card_mark(sprites.HAND_X, sprites.hand(table, seat).index(card), "play")

    word = f"play {w.CARD_WORDS[card]}"
    return Head(word, lambda table: f"play {w.TITLES[card]}", mark, meant, steps, leads, asks=asks)


def taken(card: int) -> Head:
    """Build the head of the action that takes a face-up card."""

    def mark(table: t.CrashByCrash, seat: int) -> ChoiceMark:
        return card_mark(sprites.TABLE_X, table.display.index(card), "take")

    return Head(f"take {w.CARD_WORDS[card]}", lambda table: f"take {w.TITLES[card]}", mark, meant_card)


def discarded(card: int) -> Head:
    """Build the head of the action that discards a drawn card."""

    def mark(table: t.CrashByCrash, seat: int) -> ChoiceMark:
        return card_mark(sprites.TABLE_X, table.drawn.index(card), "give away")

    return Head(f"discard {w.CARD_WORDS[card]}", lambda table: f"give {w.TITLES[card]} away", mark, meant_card)


ABOVE_PILE, BESIDE_HAND = (26, sprites.CARDS_TOP + sprites.CARD_HIGH + sprites.BELOW), (140, sprites.CARDS_TOP - 14.5)
HEADS: dict[int, Head] = {
    t.FORFEIT: Head("forfeit", lambda table: "forfeit", ticket_mark("forfeit", *BESIDE_HAND), lambda *_: ()),
    t.PLACE: Head(
        "place",
        lambda table: "place",
        lambda table, seat: stock_mark(table, seat, False),
        lambda table, seat, prefix: ghost(seat & 1, prefix[1], False),
        (CELL,),
        first_cell,
        is_placed=True,
        asks=("Where do you put your next car?",),
    ),
    t.CAR: Head(
        "car",
        lambda table: f"place a car{pay(table)}",
        lambda table, seat: stock_mark(table, seat, False),
        meant_car,
        (CELL, HIT, STRENGTH),
        first_cell,
        is_placed=True,
        asks=("Where do you place the car?", "Which car does it hit?", ""),
    ),
    t.MAGNET: Head(
        "magnet",
        lambda table: f"place the magnetic car{pay(table)}",
        lambda table, seat: stock_mark(table, seat, True),
        lambda table, seat, prefix: (*ghost(seat & 1, prefix[1], True), *pull_marks(table, seat & 1, prefix[1])),
        (CELL,),
        first_cell,
        is_placed=True,
        asks=("Where do you place the magnetic car?",),
    ),
    t.WALK: Head(
        "walk",
        lambda table: "move the operator",
        operator_mark,
        lambda table, seat, prefix: primitives.way(
            [layout.CENTRES[cell] for cell in walked(table, prefix[1:]).visited], "purple", 4, 8, 0.8
        ),
        (WALK,) * 4,
        last_step,
        asks=("Where does the operator go first?", *("Where does he go next?",) * 3),
    ),
    t.EXCHANGE: Head(
        "exchange",
        lambda table: "exchange two cards",
        ticket_mark("exchange", *BESIDE_HAND),
        meant_exchange,
        (PAIR,),
        asks=("Which card do you keep?",),
    ),
    **{t.PLAY + card: played(card) for card in range(t.KINDS)},
    t.PLAY + t.BELL_CHARMS: played(
        t.BELL_CHARMS, meant_ride, (CELL, CELL), second_cell, ("Which bell do you move?", "Where to?")
    ),
    t.PLAY + t.LAMBADA: played(t.LAMBADA, meant_swap, (SWAP,), asks=("Which two cars change places?",)),
    t.PLAY + t.FREE_RIDE: played(
        t.FREE_RIDE, meant_ride, (CELL, RIDE), second_cell, ("Which car do you move?", "Where to?")
    ),
    t.PLAY + t.SABOTEUR: played(
        t.SABOTEUR,
        lambda table, seat, prefix: (*cross(prefix[1]), *meant_card(table, seat, prefix)),
        (CELL,),
        first_cell,
        ("Which car goes back to its stock?",),
    ),
    t.PLAY + t.FLYING_DUTCHMAN: played(
        t.FLYING_DUTCHMAN,
        meant_flight,
        (CELL,),
        first_cell,
        ("Where does the operator go?",),
    ),
    **{t.TAKE + card: taken(card) for card in range(t.KINDS)},
    t.TAKE + t.FROM_PILE: Head(
        "take pile", lambda table: "draw from the pile", ticket_mark("pile", *ABOVE_PILE), meant_card
    ),
    **{t.DISCARD + card: discarded(card) for card in range(t.KINDS)},
}
HAVE_CARDS = (t.PLAY, t.TAKE, t.DISCARD)  # sorts of actions with a head for each card


def spelled(table: t.CrashByCrash, action: int) -> Spelling:
    """Return an action as the numbers to choose one after another.

    They are the letters of `rules.spell`, but two cards or two cars are one number.
    """
    sort, rest = action // t.SORT * t.SORT, action % t.SORT
    head = sort + rest % t.STEP if sort in HAVE_CARDS else sort
    if head in (t.PLACE, t.EXCHANGE, t.PLAY + t.LAMBADA):
        return head, rest // t.STEP if sort == t.PLAY else rest
    letters = [0] * MOST_LETTERS
    return head, *letters[1 : rules.spell(table, table.asked[0], action, letters)]


# Planned actions


def plan(table: t.CrashByCrash, seat: int, action: int) -> Choice:
    """Return an action as a choice, with its text and a drawing of the action without its consequences."""
    text = action_text(table, seat, action)
    if seat == CHANCE:
        return Choice(text, f"chance: {text}", sprites.HAND_X, sprites.PILE_Y)
    spelling = spelled(table, action)
    head = HEADS[spelling[0]]
    place = layout.CENTRES[spelling[1] if head.is_placed else table.cell[t.OPERATOR]]
    return Choice(text, f"{w.SEATS[seat]}: {text}", *place, head.meant(table, seat, spelling))


# Predictions

OFF = "off the floor"

ORDER = ("first", "second", "third")
OFF_PLACE, OFF_SIZE = (18.0, 18.0), 9.0  # the square to click for OFF, and half its width
OTHERS = 2  # number of other cars whose cells are among the answers


def where_question(before: t.CrashByCrash, rows: Sequence[Row], car: int, place: int) -> Question:
    """Ask where a car stops, without naming it; `place` is its index among the cars that move.

    The answers are "off the floor" and cells: those on and around its path, and those of the nearest other cars.
    """
    start = before.cell[car]
    moves = event_numbers(rows, lambda row: row.field == rules.PLACES and row.index == car and row.rule != rules.E1)
    end = rows[moves[-1]].after if moves else start
    notes = event_numbers(rows, lambda row: row.field == NOTE and row.rule == rules.P4 and row.index == end)
    base = end if end != NOWHERE else rows[moves[-1]].before
    near = [end, NOWHERE, *([start] if start != NOWHERE else []), *others(before, base)[:OTHERS]]
    near += [rows[number].after for number in moves]
    near += [*round_it(before, start), *round_it(before, base)]
    cells = sorted(list(dict.fromkeys(near))[:7])
    who = f"the {ORDER[place]} car that is set going" if start != NOWHERE else "the car that is placed"

    def place_name(cell: int) -> str:
        return OFF if cell == NOWHERE else w.place_words(cell)

    def spot(cell: int) -> Point:
        return OFF_PLACE if cell == NOWHERE else layout.CENTRES[cell]

    def outline(cell: int) -> tuple[Point, ...]:
        return primitives.square(OFF_PLACE, OFF_SIZE) if cell == NOWHERE else hexes.corners(spot(cell), layout.SIZE)

    asking = f"Where does {who} stop?"
    return toolkit.where(asking, cells, end, (moves or notes)[-1], place_name, spot, outline)


def others(table: t.CrashByCrash, cell: int) -> list[int]:
    """Return the cells of the other cars, nearest first."""
    standing = [there for there in table.cell[: t.CARS] if there not in (NOWHERE, cell)]
    return sorted(standing, key=lambda there: dist(layout.CENTRES[there], layout.CENTRES[cell]))


def round_it(table: t.CrashByCrash, cell: int) -> list[int]:
    """Return the adjacent cells with floor; empty for NOWHERE."""
    if cell == NOWHERE:
        return []
    there = t.AHEAD[6 * cell : 6 * cell + 6]
    return [near for near in there if near != t.OUTSIDE and not table.gone[t.TILE[near]]]


def bell_question(before: t.CrashByCrash, rows: Sequence[Row]) -> Question:
    """Ask for the bells that ring. The wrong answers are `none` and the bells nearest to the first move."""
    rung = event_numbers(rows, lambda row: row.field == rules.PLACES and row.index >= t.BELL and row.after >= t.RINGING)
    moves = event_numbers(rows, lambda row: row.field in (rules.PLACES, NOTE))
    right = " and ".join(w.place_words(rows[number].after) for number in rung) or "none"
    bells = {cell for cell in before.cell[t.BELL :] if cell != NOWHERE}
    near = sorted(bells, key=lambda cell: dist(layout.CENTRES[cell], layout.CENTRES[begin(rows)]))
    wrong = [name for name in ("none", *map(w.place_words, near)) if name != right]
    return toolkit.question("Which bell rings?", sorted([right, *wrong[:4]]), right, (rung or moves)[-1])


def begin(rows: Sequence[Row]) -> int:
    """Return the cell to which the first piece moves, or the cell that it leaves for the stock or the scoring card."""
    first = next(row for row in rows if row.field == rules.PLACES)
    return (first.after if first.after != NOWHERE else first.before) % t.RINGING


def score_words(points: Sequence[int]) -> str:
    """Write the points of both sides."""
    return ", ".join(f"{w.SIDES[side]} {points[side]}" for side in range(2))


def score_question(rows: Sequence[Row], start: int) -> Question:
    """CB-E1: ask for each side's points in the scoring."""
    paid = event_numbers(rows, lambda row: row.field == rules.SCORE and row.cause == start)
    points = [0, 0]
    for number in paid:
        points[rows[number].index] += rows[number].after - rows[number].before
    first, second = points
    wrong = [(second, first), (first + 1, second), (first, second + 1), (first + 2, max(0, second - 1))]
    names = [score_words(points), *(score_words(pair) for pair in wrong if list(pair) != points)]
    answers = sorted(dict.fromkeys(names))
    asking = "The bell rings: what do the cars score?"
    return toolkit.question(asking, answers, names[0], (paid or [start])[-1])


def flower_question(before: t.CrashByCrash, rows: Sequence[Row], start: int) -> Question:
    """CB-E1, CB-K7: ask for the flower that leaves the game."""
    holes = event_numbers(rows, lambda row: row.field == rules.GONE and row.cause >= 0 and start in causes(rows, row))
    right = t.cells_of(rows[holes[0]].index)[0] if holes else NOWHERE
    standing = [t.cells_of(tile)[0] for tile in range(1, t.TILES, 2) if not before.gone[tile]]
    near = sorted(standing, key=lambda cell: dist(layout.CENTRES[cell], layout.CENTRES[begin(rows)]))
    cells = sorted(dict.fromkeys([right, *near[:4], NOWHERE]))
    names = tuple("none" if cell == NOWHERE else f"the one round {w.place_words(cell)}" for cell in cells)
    reason = holes[0] if holes else start
    return Question("Which flower leaves the game?", names, cells.index(right), reason)


def causes(rows: Sequence[Row], row: Row) -> set[int]:
    """Return the indices of the direct and indirect causes of an event."""
    result = set()
    while row.cause != NOWHERE:
        result.add(row.cause)
        row = rows[row.cause]
    return result


def points_question(rows: Sequence[Row], gains: Sequence[int]) -> Question:
    """CB-P5, CB-O2: ask for the points for cars that fall off."""
    side = rows[gains[0]].index
    total = sum(rows[number].after - rows[number].before for number in gains if rows[number].index == side)
    numbers = sorted({0, 1, 2, 4, total})
    asking = f"How many points does {w.SIDES[side]} get for cars that fall off?"
    return toolkit.question(asking, tuple(map(str, numbers)), str(total), gains[-1])


# Edits of a position

NONE = "none"
OR_STOCK, OR_SCORED = (maybe(w.CELL, {NOWHERE: words}) for words in ("in the stock", "scored"))
FLOWER_CELLS = tuple(cell for cell in range(t.CELLS) if t.TILE[cell] % 2)


def car_edit(table: t.CrashByCrash, car: int) -> Edit:
    """Build the edit of a car's place."""
    places = (*layout.CENTRES, layout.stock_place(table.players[0], car))
    field = toolkit.setting(table, "cell", "cell", car, OR_STOCK, (*range(t.CELLS), NOWHERE), places)
    return Edit(w.piece_key(car), f"{w.piece_key(car)} ({sprites.car_piece(table, car).label})", (field,))


def bell_edit(table: t.CrashByCrash, bell: int) -> Edit:
    """Build the edit of a bell's place: on a flower, or scored."""
    places = [layout.CENTRES[cell] for cell in FLOWER_CELLS]
    field = toolkit.setting(table, "cell", "cell", bell, OR_SCORED, (*FLOWER_CELLS, NOWHERE), places)
    return Edit(w.piece_key(bell), f"{w.piece_key(bell)} ({field.value})", (field,))


def side_edit(table: t.CrashByCrash, side: int) -> Edit:
    """Build the edit of a side's points, batteries and ban of batteries."""
    fields = (
        toolkit.amount(table, "score", side, 1, 99),
        toolkit.amount(table, "batteries", side, 0, 4),
        toolkit.setting(table, "banned", "banned", side, truth("banned"), range(2)),
    )
    return Edit(f"score {w.SIDES[side]}", f"points and batteries of {w.SIDES[side]}", fields)


def hand_edit(table: t.CrashByCrash, seat: int) -> Edit:
    """Build the edit of a hand."""
    cards = [card if card >= 0 else NOWHERE for card in sprites.hand(table, seat)]
    cards += [NOWHERE] * (t.HAND - len(cards))
    names = (*w.TITLES, NONE)
    fields = tuple(
        Field(f"card {number + 1}", names, names[card], put=partial(put_card, seat, cards, number))
        for number, card in enumerate(cards)
    )
    return Edit(f"card {w.SEATS[seat]} 1", f"hand of {w.SEATS[seat]}", fields)


def put_card(seat: int, hand: Sequence[int], number: int, moment: t.CrashByCrash, card: int) -> None:
    """Replace the card at index `number` of a hand; a value that is not a kind of card removes it."""
    cards = [card if place == number else other for place, other in enumerate(hand)]
    cards = [card for card in cards if 0 <= card < t.KINDS]
    moment.hand_size[seat] = len(cards)
    moment.hand[t.KINDS * seat : t.KINDS * (seat + 1)] = map(cards.count, range(t.KINDS))


def flower_edit(table: t.CrashByCrash, tile: int) -> Edit:
    """Build the edit that removes a flower with its cars and its bell, or restores it."""

    def put(moment: t.CrashByCrash, is_gone: int) -> None:
        moment.gone[tile] = is_gone
        for piece, cell in enumerate(moment.cell):
            if is_gone and piece != t.OPERATOR and cell in cells:
                moment.cell[piece] = NOWHERE

    cells = t.cells_of(tile)
    values = "there", "gone"
    field = Field("flower", values, values[table.gone[tile]], put=put)
    return Edit(f"flower {tile}", f"the flower round {w.place_words(cells[0])}", (field,))


def turn_edits(table: t.CrashByCrash) -> tuple[Edit, ...]:
    """Build the edits of the turn's number and seat; empty at set-up."""
    if table.turn[0] == 0:
        return ()
    seat = toolkit.setting(table, "asked", "asked", 0, seat_kind("asked"), range(table.players[0]))
    return (Edit("turn", "the turn", (toolkit.amount(table, "turn", 0, 1, 99), seat)),)
