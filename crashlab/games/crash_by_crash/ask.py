"""What a person can be asked at the board of Crash by Crash, and how it looks there.

subject, choices  what is decided, and the answers step by step: what kind of action, which cell, which way
plans             what is planned, drawn before it happens
questions         what will happen in a turn
edits, edited     what can be changed in a position by hand

There can be two thousand legal actions. They are listed once for a table and kept as a tree: an action is spelled as a
few numbers (`spelled`), and what follows the numbers that are chosen is looked up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from crashlab import kit
from crashlab.asking import Choice
from crashlab.boards import hexes
from crashlab.errors import CrashlabError, shown
from crashlab.games.crash_by_crash import board, cards, figures, panel, rules
from crashlab.games.crash_by_crash import table as t
from crashlab.games.crash_by_crash import words as w
from crashlab.games.crash_by_crash.edits import edited, edits
from crashlab.games.crash_by_crash.predict import questions
from crashlab.happen import CHANCE, NOWHERE
from crashlab.shapes import Line, Piece, Point, Polygon, Shape, placed

__all__ = ["choices", "edited", "edits", "plans", "questions", "subject"]

Spelling = tuple[int, ...]
STOP = 0  # instead of a third step

# Choosing


class Tree(NamedTuple):
    """All legal actions, each spelled as a few numbers."""

    following: Mapping[Spelling, list[int]]  # the numbers that can follow a beginning
    actions: Mapping[Spelling, int]  # by whole spelling


def spelled(action: int) -> Spelling:
    """An action as numbers to be chosen one after another: first its sort, with the card if one is played."""
    sort = action // t.SORT * t.SORT
    rest = action % t.SORT
    if sort == t.CAR:
        return sort, rest % t.WAY, rest // t.WAY % 8, rest // t.SECOND
    if sort == t.WALK:
        steps = [rest // t.STEP**n % t.STEP for n in range(4)]
        return (sort, *steps) if steps[2] else (sort, *steps[:2], STOP)
    if sort == t.PLAY:
        card = rest % t.STEP
        what = rest // t.STEP % t.CELL
        where = rest // (t.STEP * t.CELL)
        if card in (t.BELL_CHARMS, t.FREE_RIDE):
            return sort + card, what, where
        if card == t.LAMBADA:
            return sort + card, rest // t.STEP
        return (sort + card, what) if card in (t.SABOTEUR, t.FLYING_DUTCHMAN) else (sort + card,)
    return (sort, rest) if sort in (t.PLACE, t.MAGNET, t.EXCHANGE) else (action,)


def tree(table: t.CrashByCrash) -> Tree:
    """All actions that are legal now."""
    return grown(tuple(map(tuple, table.rows())))


@lru_cache(maxsize=8)
def grown(rows: tuple[tuple[int, ...], ...]) -> Tree:
    """All actions that are legal at the table with these rows."""
    table = t.CrashByCrash()
    for name, row in zip(table.NAMES, rows, strict=True):
        table.__dict__[name] = list(row)
    out = [0] * rules.MOST_ACTIONS
    following: dict[Spelling, dict[int, None]] = {}
    actions: dict[Spelling, int] = {}
    for action in out[: rules.legal(table, table.asked[0], out)]:
        whole = spelled(action)
        actions[whole] = action
        for length in range(len(whole)):
            following.setdefault(whole[:length], {})[whole[length]] = None
    return Tree({begun: list(numbers) for begun, numbers in following.items()}, actions)


def settled(known: Tree, begun: Spelling) -> Spelling:
    """The beginning with all that follows of necessity."""
    while begun not in known.actions and len(known.following[begun]) == 1:
        begun = (*begun, known.following[begun][0])
    return begun


def subject(table: t.CrashByCrash, seat: int) -> str:
    """The key of the piece that says what this seat decides, or nothing."""
    return panel.asked_words(table) if decides(table, seat) else ""


def decides(table: t.CrashByCrash, seat: int) -> bool:
    """Whether this seat decides now."""
    bits = rules.actors(table)
    return bits != CHANCE and bool(bits >> seat & 1)


def choices(table: t.CrashByCrash, seat: int, chosen: tuple[str, ...]) -> tuple[Choice, ...]:
    """How this seat can go on: first the kind of an action, then where and how, as far as there is a choice."""
    if not decides(table, seat):
        raise CrashlabError(f"{w.SEATS[seat]} has nothing to decide now")
    known = tree(table)
    begun = settled(known, ())
    for number, said in enumerate(chosen):
        words = {} if begun in known.actions else words_after(table, known, begun)
        if said not in words:
            lead = f"after {' '.join(chosen[:number])!r} " if number else ""
            possible = ", ".join(words) or "nothing"
            raise CrashlabError(f"{shown(said)} cannot be chosen {lead}now; choose one of {possible}")
        begun = settled(known, (*begun, words[said]))
    if begun in known.actions and chosen:
        raise CrashlabError(f"{' '.join(chosen)!r} is a whole action; nothing is left to choose")
    begun = () if begun in known.actions else begun  # there is only one action
    return tuple(
        choice(table, seat, known, begun, number, said) for said, number in words_after(table, known, begun).items()
    )


def words_after(table: t.CrashByCrash, known: Tree, begun: Spelling) -> dict[str, int]:
    """The words for the numbers that can follow."""
    numbers = known.following[begun]
    if begun and begun[0] == t.WALK:
        return step_words(table, begun, numbers)
    return {word(table, begun, number): number for number in numbers}


def word(table: t.CrashByCrash, begun: Spelling, number: int) -> str:
    """A word for a number that follows this beginning."""
    if not begun:
        return first_word(number)
    head = begun[0]
    if head == t.EXCHANGE:
        return f"{w.CARD_WORDS[number % t.STEP]} {w.CARD_WORDS[number // t.STEP]}"
    if head == t.PLAY + t.LAMBADA:
        return f"{w.cell_text(number % t.CELL)} {w.cell_text(number // t.CELL)}"
    if head != t.CAR or len(begun) == 1:
        return w.cell_text(number)
    if len(begun) == 2:
        return hexes.DIRECTIONS[number - 1] if number else "alone"
    if table.bound[0] == t.DOUBLE_HIT:
        return hexes.DIRECTIONS[number - 1] if number else "once"
    return f"+{number * t.SECOND // t.POWER}"


def first_word(head: int) -> str:
    """The word for a kind of action."""
    sort = head // t.SORT * t.SORT
    card = head % t.SORT
    if sort == t.PLAY:
        return f"play {w.CARD_WORDS[card]}"
    if sort == t.TAKE:
        return "take pile" if card == t.FROM_PILE else f"take {w.CARD_WORDS[card]}"
    if sort == t.DISCARD:
        return f"discard {w.CARD_WORDS[card]}"
    return {t.CAR: "car", t.MAGNET: "magnet", t.WALK: "walk", t.EXCHANGE: "exchange", t.PLACE: "place"}.get(
        sort, "forfeit"
    )


def step_words(table: t.CrashByCrash, begun: Spelling, numbers: Sequence[int]) -> dict[str, int]:
    """The words for a step: a direction, or out of a hole a cell, with the direction of the push where it matters."""
    cell = route(table, begun[1:])[-1]
    if not table.gone[t.TILE[cell]]:
        return {"stop" if number == STOP else hexes.DIRECTIONS[number - 1]: number for number in numbers}
    goals = [goal_of(table, cell, number) for number in numbers]
    found = {}
    for number, goal in zip(numbers, goals, strict=True):
        way = f"/{hexes.DIRECTIONS[rules.direction(number - 1, True)]}" if goals.count(goal) > 1 else ""
        found["stop" if number == STOP else w.cell_text(goal) + way] = number
    return found


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


# How choices look


def choice(table: t.CrashByCrash, seat: int, known: Tree, begun: Spelling, number: int, said: str) -> Choice:
    """A number that can follow, as a choice."""
    whole = settled(known, (*begun, number))
    is_step = bool(begun) and begun[0] == t.WALK
    place, shapes = step_mark(table, known, begun, number, whole) if is_step else mark(table, seat, begun, number)
    action = w.action_text(table, seat, known.actions[whole]) if whole in known.actions else ""
    return Choice(said, words_of(table, begun, number, said), *place, shapes, action)


def words_of(table: t.CrashByCrash, begun: Spelling, number: int, said: str) -> str:
    """A choice in words, for a list."""
    if not begun:
        return first_words_of(table, number, said)
    head = begun[0]
    if head == t.WALK:
        cell = route(table, begun[1:])[-1]
        if number == STOP:
            return "stop here"
        goal = goal_of(table, cell, number)
        pay = ", for 2 points" if len(begun) == 3 else ""
        where = f"to {'the hole round ' if table.gone[t.TILE[goal]] else ''}{w.place_words(goal)}{pay}"
        if not table.gone[t.TILE[cell]]:
            return f"{said}: {where}"
        return f"{where}, pushing {said.partition('/')[2]}" if "/" in said else where
    if head == t.EXCHANGE:
        return f"give {w.TITLES[number % t.STEP]} and {w.TITLES[number // t.STEP]}"
    if head == t.PLAY + t.LAMBADA:
        return f"swap {w.place_words(number % t.CELL)} and {w.place_words(number // t.CELL)}"
    if head != t.CAR or len(begun) == 1:
        return cell_words_of(table, begun, number)
    if len(begun) == 2:
        return f"hit to the {said}" if number else "hit no car"
    if table.bound[0] == t.DOUBLE_HIT:
        return f"and hit to the {said}" if number else "hit only once"
    power = number * t.SECOND // t.POWER
    return f"{('no battery', 'one battery', 'two batteries')[power]}: {power + 1} cell{'s' * (power > 0)}"


def cell_words_of(table: t.CrashByCrash, begun: Spelling, cell: int) -> str:
    """A cell in words, and what is there."""
    there = [w.piece_name(piece) for piece in range(t.BELL + t.BELLS) if table.cell[piece] == cell]
    if there:
        return f"{there[0]} on {w.place_words(cell)}"
    if table.gone[t.TILE[cell]]:
        return f"the hole round {w.place_words(cell)}"
    return f"{w.place_words(cell)}, value {table.value[cell]}"


def first_words_of(table: t.CrashByCrash, head: int, said: str) -> str:
    """A kind of action in words."""
    sort = head // t.SORT * t.SORT
    card = head % t.SORT
    pay = ", for 4 points" if table.placed[0] else ""
    if sort == t.PLAY:
        return f"play {w.TITLES[card]}"
    if sort == t.TAKE:
        return "draw from the pile" if card == t.FROM_PILE else f"take {w.TITLES[card]}"
    if sort == t.DISCARD:
        return f"give {w.TITLES[card]} away"
    words = {t.CAR: f"place a car{pay}", t.MAGNET: f"place the magnetic car{pay}", t.WALK: "move the operator"}
    return {**words, t.EXCHANGE: "exchange two cards"}.get(sort, said)


def mark(table: t.CrashByCrash, seat: int, begun: Spelling, number: int) -> tuple[Point, tuple[Shape, ...]]:
    """Where a choice is clicked, and how it looks."""
    if not begun:
        return first_mark(table, seat, number)
    head = begun[0]
    if head == t.CAR and len(begun) > 1:
        return hit_mark(table, begun, number)
    if head == t.EXCHANGE:
        kept = cards.hand(table, seat)
        kept.remove(number % t.STEP)
        kept.remove(number // t.STEP)
        return card_mark(cards.HAND_X, cards.hand(table, seat).index(kept[0]) if kept else 1, "keep")
    if head == t.PLAY + t.LAMBADA:
        return swap_mark(board.CENTRES[number % t.CELL], board.CENTRES[number // t.CELL])
    return cell_mark(table, begun, number)


def first_mark(table: t.CrashByCrash, seat: int, head: int) -> tuple[Point, tuple[Shape, ...]]:
    """Where a kind of action is clicked: at what is used for it."""
    sort = head // t.SORT * t.SORT
    card = head % t.SORT
    if sort in (t.CAR, t.MAGNET):
        side = seat & 1
        car = rules.spare(table.cell, 0, side) if sort == t.CAR else t.FLEET * side + t.STANDARD
        place = board.stock_place(table.players[0], car)
        return place, ring(place, 10 if sort == t.CAR else 13)
    if sort == t.WALK:
        place = board.CENTRES[table.cell[t.OPERATOR]]
        return place, ring(place, 20)
    if sort == t.PLAY:
        return card_mark(cards.HAND_X, cards.hand(table, seat).index(card), "play")
    if sort == t.TAKE and card != t.FROM_PILE:
        return card_mark(cards.TABLE_X, table.display.index(card), "take")
    if sort == t.DISCARD:
        return card_mark(cards.TABLE_X, table.drawn.index(card), "give away")
    place = (cards.HAND_X + 26, cards.PILE_Y) if sort == t.TAKE else (cards.HAND_X + 300, cards.CARDS_TOP - 11)
    return place, ticket(place, "pile" if sort == t.TAKE else "exchange")


def card_mark(left: float, number: int, said: str) -> tuple[Point, tuple[Shape, ...]]:
    """A ticket at the lower edge of a card."""
    x, y = cards.card_place(left, number)
    place = x, y + cards.CARD_HIGH / 2 + 9
    return place, ticket(place, said)


def cell_mark(table: t.CrashByCrash, begun: Spelling, cell: int) -> tuple[Point, tuple[Shape, ...]]:
    """A free cell gets a dot, a piece a ring; from a piece to its new cell leads an arrow."""
    place = board.CENTRES[cell]
    if cell in table.cell:
        return place, ring((place[0], place[1] - board.UP + 1), 18)
    ways = arrow(board.CENTRES[begun[1]], place) if begun[0] == t.PLAY + t.FREE_RIDE and len(begun) == 2 else ()
    return place, (*ways, *dot(place))


def hit_mark(table: t.CrashByCrash, begun: Spelling, number: int) -> tuple[Point, tuple[Shape, ...]]:
    """A car that can be hit gets an arrow; strengths, and no hit, are tickets at the cell."""
    x, y = board.CENTRES[begun[1]]
    if len(begun) == 2 or table.bound[0] == t.DOUBLE_HIT:
        if number == 0:
            return (x, y), ticket((x, y), "alone" if len(begun) == 2 else "once")
        place = board.CENTRES[t.AHEAD[6 * begun[1] + number - 1]]
        return place, hit_shapes((x, y), place)
    power = number * t.SECOND // t.POWER
    middle, height = rack(table, (x, y))
    place = middle + 42 * (power - 1), height
    return place, ticket(place, f"+{power}")


def rack(table: t.CrashByCrash, place: Point) -> Point:
    """The middle of three tickets above or below a cell, where they hide the fewest pieces."""
    x, y = min(max(place[0], board.EDGE + 62), board.FLOOR_END[0] - 62), place[1]
    heights = [y + down for down in (-34, 34, -68, 68) if 30 < y + down < board.FLOOR_END[1] - 10]
    pieces = [board.CENTRES[cell % t.RINGING] for cell in table.cell if cell != NOWHERE]
    hidden = [sum(abs(px - x) < 78 and abs(py - height) < 26 for px, py in pieces) for height in heights]
    return x, heights[hidden.index(min(hidden))]


def step_mark(
    table: t.CrashByCrash, known: Tree, begun: Spelling, number: int, whole: Spelling
) -> tuple[Point, tuple[Shape, ...]]:
    """The operator's next cell, and the way there; where he stops, a ticket. Pushes of one car are side by side."""
    cells = route(table, begun[1:])
    here = board.CENTRES[cells[-1]]
    if number == STOP:
        return here, ticket(here, "stop")
    goal = goal_of(table, cells[-1], number)
    place = board.CENTRES[goal]
    is_car = goal in table.cell[: t.CARS]
    goals = [goal_of(table, cells[-1], other) for other in known.following[begun]]
    if goals.count(goal) > 1:
        place = kit.between(board.CENTRES[t.AHEAD[6 * cells[-1] + (number - 1) // 3]], place, 0.55)
    if len(begun) % 2:  # he stands here, or a ticket does
        here = kit.between(here, place, 0.45 if len(begun) == 1 else 0.62)
    points = (here, place, *(board.CENTRES[cell] for cell in route(table, whole[1:])[len(cells) + 1 :]))
    return place, (*kit.way(points, "path", 3.2, 6.5, 0.8, arrow=False), *(ring(place, 15) if is_car else dot(place)))


def swap_mark(one: Point, other: Point) -> tuple[Point, tuple[Shape, ...]]:
    """Two cars that can change places."""
    place = kit.between(one, other, 0.5)
    ends = kit.between(one, other, 0.28), kit.between(one, other, 0.72)
    return place, (*kit.way(ends, "path", 4, 8), Line(ends[::-1], "path", 4, arrow=True))


def ring(place: Point, radius: float) -> tuple[Shape, ...]:
    """A ring round a piece to click."""
    return kit.ring(place, radius, 3, 5.5)


def dot(place: Point) -> tuple[Shape, ...]:
    """A cell to click."""
    return (kit.dot(place, 6.5, 2),)


def ticket(place: Point, words: str) -> tuple[Shape, ...]:
    """A ticket to click, with words on it."""
    return kit.ticket(place, words, max(15.0, 4.8 * len(words) + 5), 11, 14)


def arrow(start: Point, end: Point) -> tuple[Shape, ...]:
    """An arrow from a piece to a cell."""
    points = kit.between(start, end, 0.3), kit.between(start, end, 0.8)
    return kit.way(points, "path", 3.5, 7, 0.8)


def hit_shapes(start: Point, end: Point) -> tuple[Shape, ...]:
    """A hit from a cell on the car beside it."""
    points = kit.between(start, end, 0.15), kit.between(start, end, 0.62)
    return *ring((end[0], end[1] - board.UP), 18), *kit.way(points, "path", 4.5, 9)


# What is about to happen


def plans(table: t.CrashByCrash, actions: Mapping[int, int]) -> tuple[Choice, ...]:
    """The action that is chosen, in words and as it is meant."""
    return tuple(plan(table, seat, action) for seat, action in actions.items())


def plan(table: t.CrashByCrash, seat: int, action: int) -> Choice:
    """An action in words, and as it is meant, whatever may come of it."""
    said = w.action_text(table, seat, action)
    if seat == CHANCE:
        return Choice(said, f"chance: {said}", cards.HAND_X, cards.PILE_Y)
    begun = spelled(action)
    shapes = *meant(table, seat, begun), *used_cards(table, seat, begun)
    place = board.CENTRES[begun[1]] if begun[0] in (t.CAR, t.MAGNET, t.PLACE) else board.CENTRES[table.cell[t.OPERATOR]]
    return Choice(said, f"{w.SEATS[seat]}: {said}", *place, shapes)


def meant(table: t.CrashByCrash, seat: int, begun: Spelling) -> tuple[Shape, ...]:
    """An action as it is meant."""
    head = begun[0]
    side = seat & 1
    if head in (t.CAR, t.PLACE, t.MAGNET):
        x, y = board.CENTRES[begun[1]]
        ghost = placed(Piece("", x, y - board.UP, figures.car_shapes(side, head == t.MAGNET), alpha=0.65))
        return (*ghost, *(pull_marks(table, side, begun[1]) if head == t.MAGNET else hits(table, begun)))
    if head == t.WALK:
        points = tuple(board.CENTRES[cell] for cell in route(table, begun[1:]))
        return kit.way(points, "purple", 4, 8, 0.8)
    if head == t.PLAY + t.LAMBADA:
        return swap_mark(board.CENTRES[begun[1] % t.CELL], board.CENTRES[begun[1] // t.CELL])[1]
    if head in (t.PLAY + t.BELL_CHARMS, t.PLAY + t.FREE_RIDE):
        return arrow(board.CENTRES[begun[1]], board.CENTRES[begun[2]])
    if head == t.PLAY + t.FLYING_DUTCHMAN:
        return arrow(board.CENTRES[table.cell[t.OPERATOR]], board.CENTRES[begun[1]])
    if head == t.PLAY + t.SABOTEUR:
        x, y = board.CENTRES[begun[1]]
        crosses = [((x - 12, y - 12), (x + 12, y + 12)), ((x - 12, y + 12), (x + 12, y - 12))]
        return (*(Line(cross, "path edge", 7) for cross in crosses), *(Line(cross, "loss", 4) for cross in crosses))
    return ()


def used_cards(table: t.CrashByCrash, seat: int, begun: Spelling) -> tuple[Shape, ...]:
    """Tickets at the cards that an action uses."""
    sort = begun[0] // t.SORT * t.SORT
    if sort in (t.PLAY, t.TAKE, t.DISCARD):
        return first_mark(table, seat, begun[0])[1]
    if sort != t.EXCHANGE:
        return ()
    held = cards.hand(table, seat)
    first = begun[1] % t.STEP
    one = held.index(first)
    given = one, held.index(begun[1] // t.STEP, one + 1 if begun[1] // t.STEP == first else 0)
    return tuple(shape for number in given for shape in card_mark(cards.HAND_X, number, "give")[1])


def hits(table: t.CrashByCrash, begun: Spelling) -> tuple[Shape, ...]:
    """The hits of a car that is placed, and its batteries."""
    if begun[0] != t.CAR:
        return ()
    start = board.CENTRES[begun[1]]
    ways = [way - 1 for way in (begun[2], begun[3] % 8) if way]
    shapes = [shape for way in ways for shape in hit_shapes(start, board.CENTRES[t.AHEAD[6 * begun[1] + way]])]
    power = begun[3] * t.SECOND // t.POWER
    return (*shapes, *(ticket((start[0], start[1] - 28), f"+{power}") if power else ()))


def pull_marks(table: t.CrashByCrash, side: int, cell: int) -> tuple[Shape, ...]:
    """CB-M1: the six cells from which a magnet on this cell would pull, and its lines of force."""
    moment = table.copy()
    moment.cell[t.FLEET * side + t.STANDARD] = cell
    far = [t.AHEAD[6 * t.AHEAD[6 * cell + way] + way] for way in range(6)]
    rims = [
        Polygon(hexes.corners(board.CENTRES[other], board.SIZE - 3), "", "magnet", 3)
        for other in far
        if other != t.OUTSIDE and not table.gone[t.TILE[other]]
    ]
    return (*rims, *placed(figures.pull_piece(moment, side)))
