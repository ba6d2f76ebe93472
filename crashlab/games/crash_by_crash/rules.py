"""Crash by Crash's rules: the docstring of a function that implements a rule begins with the rule's id.

The legality of an action can depend on all its consequences (CB-E2: which bells would ring?). So every function that
moves pieces works on either of two boards, selected by its arguments `out` and `base`: with `table.cell` and 0 on the
table itself, where every change is an event; with `out` and BASE on a copy of the board, stored after the list of legal
actions, where actions are tried and undone.
"""

from __future__ import annotations

from pathlib import Path

from crashlab.engine import rulebook
from crashlab.engine.chance import next_luck
from crashlab.engine.table import CHANCE, HIDDEN, NOWHERE, Ints, Trace, clear, happen, latest, next_beat, note
from crashlab.games.crash_by_crash.state import *

BOOK = rulebook.read(str(Path(__file__).parent))

F3, S2, T1, T2, T4 = BOOK.cite("CB-F3", "CB-S2", "CB-T1", "CB-T2", "CB-T4")
P1, P2, P3, P4, P5, P6 = BOOK.cite("CB-P1", "CB-P2", "CB-P3", "CB-P4", "CB-P5", "CB-P6")
M1, M3, O1, O2, O3 = BOOK.cite("CB-M1", "CB-M3", "CB-O1", "CB-O2", "CB-O3")
E1, E2, E3, E4, E5, V1 = BOOK.cite("CB-E1", "CB-E2", "CB-E3", "CB-E4", "CB-E5", "CB-V1")
CARD = BOOK.cite(*(f"CB-K{card + 1}" for card in range(KINDS)))

GONE, PLACES, SCORE, BATTERIES = CrashByCrash.numbers("gone", "cell", "score", "batteries")
BANNED, HANDS, HAND_SIZE, DISPLAY = CrashByCrash.numbers("banned", "hand", "hand_size", "display")
DISCARDS, DRAWN, PHASE, ASKED, TURN = CrashByCrash.numbers("discards", "drawn", "phase", "asked", "turn")
ACTED, PLACED, SCORED, BOUND = CrashByCrash.numbers("acted", "placed", "scored", "bound")
OWED, SCORINGS = CrashByCrash.numbers("owed", "scorings")

EARLIEST, LAST = 6, 7  # the first turn with a scoring (CB-E2), the last scoring (CB-E4)
SECOND_CAR, FOUR_STEPS, BUMPED = 4, 2, 2  # points: two costs, and the gain for an opponent's car pushed off
STRONGEST, FLIGHT = 3, 100  # cells that a car moves: hit with two batteries; with CB-K10, more than the floor has

# Contents of a cell of the copy, as a sum of these:
CAR_BITS, BELL_THERE, OPERATOR_THERE, HOLE = 31, 32, 64, 128  # CAR_BITS: the car's number + 1
VISITED = 256  # the operator has been here in this move; also set for OUTSIDE
STOPS = CAR_BITS + OPERATOR_THERE + HOLE  # contents that no car can be moved onto
BARS = CAR_BITS + OPERATOR_THERE  # contents that block a magnet
MARK = (*range(1, CARS + 1), OPERATOR_THERE, *(BELL_THERE,) * BELLS)  # by piece: its summand in its cell's contents

BASE = 4096  # more than the number of legal actions; the largest constructed position has 2113
FLOOR, RUNG, LURED, PLAYED, COUNT, MOST, LIMIT, MUST_FOLLOW, SURVEYED = TrialBoard.places(BASE)[2:11]
STIRRED, MAGNETS, BESIDE, AIMED, LOGGED, LOG = TrialBoard.places(BASE)[-6:]
MOST_ACTIONS = BASE + sum(TrialBoard.SIZES)
ATTEMPTS = 100  # maximum number of draws of hidden cards in `determinize`
LETTERS = CELLS

MIDDLE = ON_TILE[::8]  # by tile: its middle cell; for an X tile its first cell
UNITS = (1, STEP, STEP**2, STEP**3)  # factors of the four steps in a walk's number
WAYS, BACK = 63, (8, 16, 32, 1, 2, 4)  # the bits of all directions; by direction, the bit of the opposite one
MANY = 1000  # more than the number of bells
UNKNOWN = 2  # legality that only a trial on the copy can decide
BY_THE_BOOK = 1  # 0 under house rules about legality: then every action is tried


# Decisions and legal actions


def actors(table: CrashByCrash) -> int:
    """CB-T1, CB-T4: return the current seat as a bit, CHANCE for a card from the pile, or 0 if the game is over."""
    if table.phase[0] == OVER:
        return 0
    if table.phase[0] >= FIRST_CHANCE:
        return CHANCE
    return 1 << table.asked[0]


def legal(table: CrashByCrash, seat: int, out: Ints) -> int:
    """Write the legal actions to out and return their number."""
    phase = table.phase[0]
    if phase == ACTION:
        return some_actions(table, out, BASE)
    if phase == SET_UP:
        return places(table, out, BASE)
    count = 0
    for card in range(KINDS):
        if phase == DRAWING:
            action, fits = TAKE, is_face_up(table, card)
        elif phase == KEEP:
            action, fits = DISCARD, table.drawn[0] == card or table.drawn[1] == card
        else:
            action, fits = TURN_UP, in_pile(table, card) > 0
        if fits:
            out[count] = action + card
            count += 1
    if phase == DRAWING and unseen(table) > 0:
        out[count] = TAKE + FROM_PILE
        count += 1
    return count


def places(table: CrashByCrash, out: Ints, most: int) -> int:
    """CB-S2: list the first `most` cells on which the next car can be placed; return their number."""
    count = 0
    for cell in range(CELLS):
        if count < most and can_be_placed(table, cell):
            out[count] = PLACE + cell
            count += 1
    return count


def only_action(table: CrashByCrash, seat: int, out: Ints) -> int:
    """Return the only legal action, or NOWHERE if there is a choice. Stop the search at the second action."""
    if table.phase[0] == ACTION:
        count = some_actions(table, out, 2)
    elif table.phase[0] == SET_UP:
        count = places(table, out, 2)
    else:
        count = legal(table, seat, out)
    return out[0] if count == 1 else NOWHERE


def odds(table: CrashByCrash, out: Ints) -> int:
    """CB-T4: write the number of cards of each kind in the pile, as its odds; return the number of kinds written."""
    count = 0
    for card in range(KINDS):
        left = in_pile(table, card)
        if left > 0:
            out[count] = left
            count += 1
    return count


def score(table: CrashByCrash, seat: int) -> int:
    """Return the points of a seat's side (CB-V1)."""
    return table.score[seat & 1]


def spell(table: CrashByCrash, seat: int, action: int, out: Ints) -> int:
    """CB-T1: write an action as letters to out, its sort and then its details; return the number of letters.

    If a card is played, the sort is PLAY plus the card. The details of a car are its cell, the direction of its hit,
    and 8 * batteries + the second direction. The details of a walk are its steps, followed by 0 if there are two.
    Outside the phase ACTION there is one letter: a card or a cell.
    """
    if table.phase[0] != ACTION:
        out[0] = action % SORT
        return 1
    sort, rest = action - action % SORT, action % SORT
    out[0] = sort // SORT
    if sort == PLAY:
        return spell_play(rest, out)
    if sort == FORFEIT:
        return 1
    if sort == CAR:
        out[1], out[2], out[3] = rest % WAY, rest // WAY % 8, rest // SECOND
        return 4
    if sort == WALK:
        return spell_walk(rest, out)
    out[1], out[2] = rest % (CELL if sort == MAGNET else STEP), rest // STEP
    return 2 if sort == MAGNET else 3


def spell_play(rest: int, out: Ints) -> int:
    """CB-K1 to CB-K13: spell a card and the cells on which it is played; return the number of letters."""
    card = rest % STEP
    out[0] += card
    out[1], out[2] = rest // STEP % CELL, rest // (STEP * CELL)
    if card == SABOTEUR or card == FLYING_DUTCHMAN:
        return 2
    return 3 if card == BELL_CHARMS or card == LAMBADA or card == FREE_RIDE else 1


def spell_walk(rest: int, out: Ints) -> int:
    """CB-O1: spell a walk of two steps followed by 0, or of four; return the number of letters."""
    for step in range(1, 5):
        out[step] = rest % STEP
        rest //= STEP
    return 4 if out[3] == 0 else 5


def observe(view: CrashByCrash, seat: int) -> None:
    """CB-T4, CB-V1: hide the hands of the other seats, and drawn cards from all seats except `asked`."""
    for other in range(view.players[0]):
        if other != seat and view.hand_size[other]:
            for place in range(KINDS * other, KINDS * other + KINDS):
                happen(view.hand, HANDS, place, HIDDEN, T4, NOWHERE, None)
    if seat != view.asked[0]:
        for place in range(2):
            if view.drawn[place] != NOWHERE:
                happen(view.drawn, DRAWN, place, HIDDEN, T4, NOWHERE, None)


def determinize(view: CrashByCrash, luck: Ints, out: Ints) -> None:
    """CB-T4: replace the hidden cards by unseen ones, drawn at random.

    A seat that must follow a yellow card, or discard one of two cards, was asked because it has a choice. So the cards
    are drawn again, up to ATTEMPTS times, until the seat has a choice.
    """
    seats, places, current = 0, 0, view.asked[0]  # hidden hands and hidden drawn cards, as bits
    for seat in range(4):
        if view.hand[KINDS * seat] == HIDDEN:
            seats |= 1 << seat
    for place in range(2):
        if view.drawn[place] == HIDDEN:
            places |= 1 << place
    deal_unseen(view, seats, places, luck)
    is_held = view.phase[0] == ACTION and is_yellow(view.bound[0]) and seats >> current & 1 == 1
    attempts = ATTEMPTS if is_held or (view.phase[0] == KEEP and places != 0) else 0
    while attempts > 0 and only_action(view, current, out) != NOWHERE:
        deal_unseen(view, seats, places, luck)
        attempts -= 1


def deal_unseen(view: CrashByCrash, seats: int, places: int, luck: Ints) -> None:
    """CB-T4: draw the hands of `seats` and the drawn cards at `places` (bits) from the unseen cards."""
    for place in range(2):
        if places >> place & 1:
            happen(view.drawn, DRAWN, place, HIDDEN, T4, NOWHERE, None)
    for seat in range(4):
        for place in range(KINDS * seat, KINDS * seat + KINDS):
            if seats >> seat & 1:
                happen(view.hand, HANDS, place, 0, T4, NOWHERE, None)
    for seat in range(4):
        for _ in range(view.hand_size[seat] * (seats >> seat & 1)):
            place = KINDS * seat + unseen_card(view, next_luck(luck))
            happen(view.hand, HANDS, place, view.hand[place] + 1, T4, NOWHERE, None)
    for place in range(2):
        if places >> place & 1:
            happen(view.drawn, DRAWN, place, unseen_card(view, next_luck(luck)), T4, NOWHERE, None)


def unseen_card(view: CrashByCrash, luck: int) -> int:
    """CB-T4: return a random card of the pile, which holds all unseen cards; luck is from 0 to 2 ** 31 - 1."""
    total, card = 0, 0
    for kind in range(KINDS):
        total += in_pile(view, kind)
    left = (luck * total >> 31) - in_pile(view, 0)
    while left >= 0:
        card += 1
        left -= in_pile(view, card)
    return card


def winners(table: CrashByCrash) -> int:
    """CB-E4: return the seats of the side with more points as bits; all seats in a draw."""
    bits = 0
    for seat in range(table.players[0]):
        if table.score[seat & 1] >= table.score[1 - (seat & 1)]:
            bits |= 1 << seat
    return bits


# Cards


def unseen(table: CrashByCrash) -> int:
    """CB-T4: count the cards in the pile and in the discards, which are shuffled into it when it is empty."""
    size = pile_size(table)
    for card in range(KINDS):
        size += table.discards[card]
    return size


def is_face_up(table: CrashByCrash, card: int) -> bool:
    """Return whether there is a face-up card of this kind."""
    return table.display[0] == card or table.display[1] == card or table.display[2] == card


def is_blue(card: int) -> bool:
    """Return whether a card changes the placement that must follow it."""
    return card >= DOUBLE_HIT


def is_yellow(card: int) -> bool:
    """Return whether a card changes the scoring that must follow it."""
    return card == POWERLESS_BELL or card == SHADY_EXCEPTION


# The board and its copy


def at(table: CrashByCrash, out: Ints, base: int, cell: int) -> int:
    """Return the contents of a cell: its car's number + 1, plus BELL_THERE, OPERATOR_THERE and HOLE if they apply."""
    if base != 0:
        return out[FLOOR + cell]
    if cell == OUTSIDE:
        return HOLE
    marks = HOLE * table.gone[TILE[cell]]
    for piece in range(PIECES):
        if out[piece] == cell:
            marks += MARK[piece]
    return marks


def put(out: Ints, base: int, piece: int, cell: int, rule: int, cause: int, trace: Trace | None) -> int:
    """Move a piece to a cell or to NOWHERE; return the event's number, or NOWHERE on the copy of the board."""
    if base == 0:
        return happen(out, PLACES, piece, cell, rule, cause, trace)
    log(out, piece, out[BASE + piece])
    shift(out, piece, cell)
    return NOWHERE


def log(out: Ints, what: int, before: int) -> None:
    """On the copy: record a change, so that it can be undone."""
    last = LOG + 2 * out[LOGGED]
    out[last], out[last + 1] = what, before
    out[LOGGED] += 1


def shift(out: Ints, piece: int, cell: int) -> None:
    """On the copy: move a piece to a cell or to NOWHERE; a rung bell leaves its cell and is counted in RUNG."""
    before, weight = out[BASE + piece], MARK[piece]
    out[BASE + piece] = cell
    if before < RINGING:
        out[FLOOR + before] -= weight
    else:
        out[RUNG] -= 1
    if cell < RINGING:
        out[FLOOR + cell] += weight
    else:
        out[RUNG] += 1
    if piece >= BELL or is_magnet(piece):
        out[LURED] = bells_beside_magnets(out, 0)


def bells_beside_magnets(out: Ints, least: int) -> int:
    """CB-M1: count the pairs of a magnet and a bell beside it; if `least` is 1, only bells with a car behind them."""
    count = 0
    for magnet in range(BASE + STANDARD, BASE + CARS, FLEET):
        cell = out[magnet]
        if cell != NOWHERE:
            for way in range(6):
                bell = AHEAD[6 * cell + way]
                if out[FLOOR + bell] & BELL_THERE and out[FLOOR + AHEAD[6 * bell + way]] & CAR_BITS >= least:
                    count += 1
    return count


def undo(out: Ints, kept: int) -> None:
    """On the copy: undo all changes but the first `kept` ones of the log."""
    while out[LOGGED] > kept:
        out[LOGGED] -= 1
        last = LOG + 2 * out[LOGGED]
        piece = out[last]
        if piece >= PIECES:
            dig(out, piece - PIECES, -1)
        else:
            shift(out, piece, out[last + 1])


def dig(out: Ints, tile: int, sign: int) -> None:
    """On the copy: turn a flower into a hole (sign 1), or a hole into a flower again (-1)."""
    for spot in range(8 * tile, 8 * tile + 7):
        out[FLOOR + ON_TILE[spot]] += sign * HOLE


def lay_out(table: CrashByCrash, out: Ints) -> None:
    """Write a copy of the board to out, after the list of actions."""
    clear(out, BASE, LOG)
    out[FLOOR + OUTSIDE] = HOLE + VISITED
    for tile in range(1, TILES, 2):
        if table.gone[tile] == 1:
            dig(out, tile, 1)
    for piece in range(PIECES):
        cell = table.cell[piece]
        out[BASE + piece] = cell
        if cell != NOWHERE:
            out[FLOOR + cell] += MARK[piece]
    out[LURED], out[PLAYED] = bells_beside_magnets(out, 0), table.scorings[0]


def spare(out: Ints, base: int, side: int) -> int:
    """Return a standard car from a side's stock, or NOWHERE."""
    for car in range(FLEET * side, FLEET * side + STANDARD):
        if out[base + car] == NOWHERE:
            return car
    return NOWHERE


def is_magnet(car: int) -> bool:
    """Return whether a car is magnetic."""
    return car % FLEET == STANDARD


def car_at(table: CrashByCrash, out: Ints, base: int, cell: int) -> int:
    """Return the car on a cell, or NOWHERE."""
    return (at(table, out, base, cell) & CAR_BITS) - 1


# Legal actions of a turn: each is tried on the copy, if necessary, and undone.


def some_actions(table: CrashByCrash, out: Ints, most: int) -> int:
    """CB-T1: list the first `most` legal actions, or FORFEIT if there are none; return their number."""
    lay_out(table, out)
    out[MOST] = most
    out[LIMIT], out[MUST_FOLLOW] = bells_allowed(table, table.scored[0]), table.bound[0]
    bound_actions(table, out)
    if out[COUNT] < most and table.acted[0] == 0:
        binding_cards(table, out)
    if out[COUNT] == 0:
        enter(out, FORFEIT)
    return out[COUNT]


def enter(out: Ints, action: int) -> None:
    """Append a legal action to the list."""
    out[out[COUNT]] = action
    out[COUNT] += 1


def bound_actions(table: CrashByCrash, out: Ints) -> None:
    """CB-K: list the actions that can follow the card in MUST_FOLLOW; if it is NOWHERE, all except blue and yellow."""
    bound = out[MUST_FOLLOW]
    survey(out)
    if table.placed[0] == 0 or table.score[table.asked[0] & 1] > SECOND_CAR:
        placements(table, out)
        if not is_blue(bound) or bound == EXPANSION:
            magnet_placements(table, out)
    if not is_blue(bound):
        walks(table, out)
        plays(table, out)
        if out[COUNT] < out[MOST] and bound == NOWHERE and is_fine(table, out):
            exchanges(table, out)


def offer(table: CrashByCrash, out: Ints, action: int, rings: int) -> None:
    """CB-E2, CB-M1: list an action, which rings at most `rings` bells, if it is legal."""
    if out[COUNT] >= out[MOST]:
        return
    verdict = foreseen(out, rings)
    if verdict == UNKNOWN:
        log_length = out[LOGGED]
        do(table, out, BASE, action, out[MUST_FOLLOW], NOWHERE, None)
        placed = FLEET * (table.asked[0] & 1) + STANDARD if action // SORT * SORT == MAGNET else NOWHERE
        verdict = 1 if ends_well(table, out, placed) else 0
        undo(out, log_length)
    if verdict == 1:
        enter(out, action)


def bells_allowed(table: CrashByCrash, scored: int) -> int:
    """CB-E2: return the number of bells that an action may ring after `scored` scorings in this turn."""
    if table.turn[0] < EARLIEST:
        return 0
    if table.edition[0] == ENGLISH:
        return MANY
    return 1 if scored == 0 else 0


def is_fine(table: CrashByCrash, out: Ints) -> bool:
    """CB-E2: return whether the changes on the copy are legal, assuming that they moved no magnet."""
    verdict = foreseen(out, at_most(out))
    return verdict == 1 if verdict != UNKNOWN else ends_well(table, out, NOWHERE)


def ends_well(table: CrashByCrash, out: Ints, placed: int) -> bool:
    """CB-E2, CB-E3: return whether the changes on the copy, with their consequences, ring at most LIMIT bells.

    After a yellow card, the changes must ring a bell. CB-M1: a magnet just placed must pull a car, except after
    Expansion Unlimited.
    """
    rung, limit, bound = out[RUNG], out[LIMIT], out[MUST_FOLLOW]
    if rung > limit:
        return False
    if out[LURED] > 0 or placed != NOWHERE or BY_THE_BOOK == 0:
        log_length, pulled = out[LOGGED], 0
        clear_rung(table, out, bound)
        if out[PLAYED] + rung < LAST:
            pulled = check_magnets(table, out, BASE, placed, NOWHERE, None)
        rung += out[RUNG]
        undo(out, log_length)
        if rung > limit or (pulled == 0 and placed != NOWHERE and bound != EXPANSION):
            return False
    return rung > 0 or not is_yellow(bound)


def clear_rung(table: CrashByCrash, out: Ints, bound: int) -> None:
    """CB-E1: on the copy, remove the rung bells and their tiles; CB-K7: Powerless Bell saves the first bell's tile."""
    for nth in range(1, out[RUNG] + 1):
        bell = rung_bell(out, BASE, nth)
        tile = TILE[out[BASE + bell] % RINGING]
        put(out, BASE, bell, NOWHERE, E1, NOWHERE, None)
        if nth > 1 or bound != POWERLESS_BELL:
            remove_tile(table, out, BASE, tile, NOWHERE, None)


def binding_cards(table: CrashByCrash, out: Ints) -> None:
    """CB-K: list the blue and yellow cards in hand that leave a legal action after their magnet check."""
    log_length = out[LOGGED]
    check_magnets(table, out, BASE, NOWHERE, NOWHERE, None)
    rung = out[RUNG]
    clear_rung(table, out, NOWHERE)
    out[PLAYED] += rung
    if rung <= out[LIMIT] and out[PLAYED] < LAST and is_there(out, BASE, 0) and is_there(out, BASE, 1):
        out[LIMIT] = bells_allowed(table, rung)
        for card in range(POWERLESS_BELL, KINDS):
            if table.hand[KINDS * table.asked[0] + card] > 0 and not (is_yellow(card) and out[LIMIT] == 0):
                count = out[COUNT]
                out[MOST], out[MUST_FOLLOW] = count + 1, card
                bound_actions(table, out)
                if out[COUNT] > count:
                    out[count], out[COUNT] = PLAY + card, count + 1
    undo(out, log_length)


# Upper bounds of the bells that ring. An action that moves no magnet can ring only the bells onto which it moves cars
# and the bells between a magnet and a car: in a magnet check, no magnet moves unless one was just placed.


def survey(out: Ints) -> None:
    """CB-P1, CB-M1: update STIRRED, MAGNETS, BESIDE and AIMED for the current copy, before actions are tried."""
    if out[SURVEYED] == out[LOGGED] + 1:
        return
    clear(out, BESIDE, LOGGED)
    out[SURVEYED], out[STIRRED] = out[LOGGED] + 1, bells_beside_magnets(out, 1)
    for car in range(CARS):
        cell = out[BASE + car]
        for way in range(6 if cell != NOWHERE else 0):
            ahead = AHEAD[6 * cell + way]
            out[BESIDE + ahead] |= BACK[way]
            out[BESIDE + AHEAD[6 * ahead + way]] |= BACK[way] << 6
    for side in range(2):
        cell = out[BASE + FLEET * side + STANDARD]
        out[MAGNETS + side] = cell
        for way in range(6 if cell != NOWHERE else 0):
            ahead = AHEAD[6 * cell + way]
            while ahead != OUTSIDE:
                out[AIMED + ahead] |= BACK[way]
                ahead = AHEAD[6 * ahead + way]


def foreseen(out: Ints, rings: int) -> int:
    """CB-E2: return 1 if an action that rings at most `rings` bells is legal, 0 if not, or UNKNOWN."""
    if BY_THE_BOOK == 0:
        return UNKNOWN
    if is_yellow(out[MUST_FOLLOW]):
        return 0 if rings == 0 else UNKNOWN
    return 1 if rings <= out[LIMIT] else UNKNOWN


def at_most(out: Ints) -> int:
    """CB-E2: return an upper bound on the bells rung by the changes on the copy, assuming that they moved no magnet."""
    if out[LURED] == 0:
        return out[RUNG]
    return out[RUNG] + (out[STIRRED] if out[LOGGED] + 1 == out[SURVEYED] else bells_beside_magnets(out, 1))


def is_bait(out: Ints, cell: int) -> int:
    """CB-M1: return 1 if a car on this cell may be pulled onto a bell, else 0."""
    if out[LURED] > 0:
        for way in range(6):
            bell = AHEAD[6 * cell + way]
            if out[FLOOR + bell] & BELL_THERE and has_magnet(out, AHEAD[6 * bell + way]):
                return 1
    return 0


def has_magnet(out: Ints, cell: int) -> bool:
    """Return whether a magnet is on this cell."""
    return out[BASE + STANDARD] == cell or out[BASE + FLEET + STANDARD] == cell


def rings_of_hit(out: Ints, cell: int, way: int, power: int) -> int:
    """CB-P1: return an upper bound on the number of bells rung by a hit from this cell; MANY if a magnet may move."""
    if out[AIMED + cell] >> way & 1 or not (has_magnet(out, out[MAGNETS]) and has_magnet(out, out[MAGNETS + 1])):
        return MANY
    if out[LURED] == 0 and foreseen(out, out[RUNG] + 1) == 1:
        return 1
    rings, ahead = 0, AHEAD[6 * cell + way]
    there = out[FLOOR + ahead]
    while power > 0 and there & (HOLE + OPERATOR_THERE) == 0:
        if there & BELL_THERE:
            return rings + 1
        if there & CAR_BITS == 0:
            power -= 1
            rings += is_bait(out, ahead)
        ahead = AHEAD[6 * ahead + way]
        there = out[FLOOR + ahead]
    return rings


# Placing a car


def placements(table: CrashByCrash, out: Ints) -> None:
    """CB-P1, CB-P2: list each hit of each strength from a free cell beside a car; CB-K12: also a car without a hit."""
    bound = out[MUST_FOLLOW]
    if spare(out, BASE, table.asked[0] & 1) == NOWHERE:
        return
    most_power = strength(table, bound)
    for cell in range(CELLS):
        if (out[BESIDE + cell] & WAYS or bound == EXPANSION) and out[FLOOR + cell] == 0 and out[COUNT] < out[MOST]:
            if bound == EXPANSION:
                offer(table, out, CAR + cell, out[STIRRED] + is_bait(out, cell))
            for way in range(6):
                if out[BESIDE + cell] >> way & 1:
                    hits(table, out, cell, way, most_power)


def hits(table: CrashByCrash, out: Ints, cell: int, way: int, most_power: int) -> None:
    """CB-P2, CB-K9: list the hits from a cell in a direction, with each strength; then double hits, if allowed."""
    bound, action = out[MUST_FOLLOW], CAR + cell + WAY * (way + 1)
    power = FLIGHT if bound == CAR_RACKET else most_power
    rings = out[STIRRED] + is_bait(out, cell) + rings_of_hit(out, cell, way, power)
    for more in range(most_power):
        offer(table, out, action + POWER * more, MANY + 1 if bound == ACTION_AND_REACTION else rings)
    if bound == DOUBLE_HIT:
        double_hits(table, out, cell, way)


def strength(table: CrashByCrash, bound: int) -> int:
    """CB-P2, CB-K9: return the maximum number of cells that a single hit moves a car; 0 if a hit must be double."""
    if bound == DOUBLE_HIT and table.edition[0] == CZECH:
        return 0
    side = table.asked[0] & 1
    return 1 if is_blue(bound) or table.banned[side] == 1 else 1 + min(2, table.batteries[side])


def double_hits(table: CrashByCrash, out: Ints, cell: int, way: int) -> None:
    """CB-K9: list the double hits in this direction and a later one; in both orders only if two bells ring."""
    for second in range(way + 1, 6):
        if out[FLOOR + AHEAD[6 * cell + second]] & CAR_BITS:
            before, action = out[COUNT], CAR + cell + WAY * (way + 1) + SECOND * (second + 1)
            offer(table, out, action, MANY)
            if out[COUNT] > before and rings_two(table, out, action):
                enter(out, CAR + cell + WAY * (second + 1) + SECOND * (way + 1))


def rings_two(table: CrashByCrash, out: Ints, action: int) -> bool:
    """CB-K9: return whether a double hit rings two bells before any magnet check."""
    log_length = out[LOGGED]
    do(table, out, BASE, action, DOUBLE_HIT, NOWHERE, None)
    two = out[RUNG] == 2
    undo(out, log_length)
    return two


def magnet_placements(table: CrashByCrash, out: Ints) -> None:
    """CB-M1: list each free cell from which the magnetic car pulls a car; CB-K12: each free cell."""
    if out[BASE + FLEET * (table.asked[0] & 1) + STANDARD] == NOWHERE:
        for cell in range(CELLS):
            is_near = out[BESIDE + cell] > WAYS or out[MUST_FOLLOW] == EXPANSION or BY_THE_BOOK == 0
            if is_near and out[FLOOR + cell] == 0 and out[COUNT] < out[MOST]:
                magnet_placement(table, out, cell)


def magnet_placement(table: CrashByCrash, out: Ints, cell: int) -> None:
    """CB-M1: list a magnet on this cell, if legal. A pull is sure if no cell of it is in line with the other magnet."""
    pulls, sure, rings = 0, 0, out[STIRRED]
    for way in range(6):
        between = AHEAD[6 * cell + way]
        if out[BESIDE + cell] >> (way + 6) & 1 and out[FLOOR + between] & STOPS == 0:
            pulls += 1
            rings += 1 if out[FLOOR + between] & BELL_THERE else 0
            if out[AIMED + between] == 0 and out[AIMED + AHEAD[6 * between + way]] == 0:
                sure = 1
    if pulls > 0 or out[MUST_FOLLOW] == EXPANSION or BY_THE_BOOK == 0:
        offer(table, out, MAGNET + cell, rings if sure == 1 and out[AIMED + cell] == 0 else MANY + 1)


# The operator


def walks(table: CrashByCrash, out: Ints) -> None:
    """CB-O1: list each walk of 2 cells, and of 4 if the side can pay.

    While the walks are tried, the operator is not on the copy.
    """
    start = out[BASE + OPERATOR]
    shift(out, OPERATOR, NOWHERE)
    steps(table, out, start, WALK, 0, 4 if table.score[table.asked[0] & 1] > FOUR_STEPS else 2)
    shift(out, OPERATOR, start)


def steps(table: CrashByCrash, out: Ints, cell: int, path: int, depth: int, length: int) -> None:
    """CB-O1: list the walks that begin with `path`, whose `depth` steps lead to this cell."""
    log_length = out[LOGGED]
    out[FLOOR + cell] += VISITED
    for step in range(exits(out, cell)):
        if out[COUNT] < out[MOST] and can_step(out, cell, step):
            here, longer = goal(cell, step, out[FLOOR + cell] & HOLE != 0), path + UNITS[depth] * (step + 1)
            if out[FLOOR + here] != 0:
                here = shove(table, out, BASE, cell, step, NOWHERE, None)
            if depth == 1 and may_stop(table, out, here):
                enter(out, longer)
            if out[RUNG] <= out[LIMIT]:
                if depth == length - 2:
                    last_steps(table, out, here, longer, UNITS[depth + 1])
                else:
                    steps(table, out, here, longer, depth + 1, length)
            undo(out, log_length)
    out[FLOOR + cell] -= VISITED


def may_stop(table: CrashByCrash, out: Ints, cell: int) -> bool:
    """CB-E2: return whether the operator's move may end on this cell, after its pushes on the copy."""
    shift(out, OPERATOR, cell)
    fine = is_fine(table, out)
    shift(out, OPERATOR, NOWHERE)
    return fine


def last_steps(table: CrashByCrash, out: Ints, cell: int, path: int, unit: int) -> None:
    """CB-O1: list the walks that end with a step from this cell; usually all are known to be legal without a trial."""
    rings, count, inside, log_length = at_most(out), out[COUNT], out[FLOOR + cell] & HOLE != 0, out[LOGGED]
    verdict = foreseen(out, rings)
    for step in range(EXITS if inside else 6):
        path += unit
        target = goal(cell, step, inside)
        there, fine = out[FLOOR + target], verdict
        if there & VISITED:
            continue
        if (inside or there & HOLE) and not is_least(out, cell, step, target):
            continue
        if there & CAR_BITS:
            way = direction(step, inside)
            fine = foreseen(out, rings + rings_of_hit(out, AHEAD[6 * target + (way + 3) % 6], way, 1))
        if fine == UNKNOWN:
            here = shove(table, out, BASE, cell, step, NOWHERE, None)
            fine = 1 if may_stop(table, out, here) else 0
            undo(out, log_length)
        if fine == 1:
            out[count] = path
            count += 1
    out[COUNT] = count


def exits(out: Ints, cell: int) -> int:
    """CB-O3: return the number of possible steps from a cell: EXITS in a hole, else 6."""
    return EXITS if out[FLOOR + cell] & HOLE else 6


def can_step(out: Ints, cell: int, step: int) -> bool:
    """CB-O1, CB-O3: return whether a step leads to a new cell of the floor, and no lesser step has the same result."""
    inside = out[FLOOR + cell] & HOLE != 0
    target = goal(cell, step, inside)
    there = out[FLOOR + target]
    return there & VISITED == 0 and (not (inside or there & HOLE) or is_least(out, cell, step, target))


def in_hole(table: CrashByCrash, out: Ints, base: int) -> bool:
    """CB-O3: return whether the operator is in a hole."""
    return at(table, out, base, out[base + OPERATOR]) & HOLE != 0


def direction(step: int, inside: bool) -> int:
    """Return the direction of a step, from a cell or out of a hole."""
    return (step // 3 + step % 3 + 5) % 6 if inside else step


def goal(cell: int, step: int, inside: bool) -> int:
    """CB-O3: return the target of a step from this cell, or out of the hole around it if `inside`."""
    return OUT_OF[EXITS * cell + step] if inside else AHEAD[6 * cell + step]


def is_least(out: Ints, cell: int, step: int, target: int) -> bool:
    """CB-O3: return whether a step out of a hole or into one is the first of the steps with the same result."""
    if out[FLOOR + cell] & HOLE:
        return out[FLOOR + target] & CAR_BITS != 0 or step == 0 or (step % 3 != 0 and step != EXITS - 1)
    for other in range(step):
        if TILE[AHEAD[6 * cell + other]] == TILE[target]:
            return False
    return out[FLOOR + MIDDLE[TILE[target]]] & VISITED == 0


def stride(table: CrashByCrash, out: Ints, base: int, step: int, cause: int, trace: Trace | None) -> int:
    """CB-O1, CB-O3: move the operator by one step; return the event of the move."""
    inside = in_hole(table, out, base)
    here = shove(table, out, base, out[base + OPERATOR], step, cause, trace)
    rule = O3 if inside or at(table, out, base, here) & HOLE else O1
    return put(out, base, OPERATOR, here, rule, cause, trace)


def shove(table: CrashByCrash, out: Ints, base: int, cell: int, step: int, cause: int, trace: Trace | None) -> int:
    """CB-O2, CB-O3: push the cars in the way of a step; return the cell on which it ends, for a hole the middle."""
    inside = at(table, out, base, cell) & HOLE != 0
    target = goal(cell, step, inside)
    there = at(table, out, base, target)
    if there & CAR_BITS:
        push(table, out, base, target, direction(step, inside), cause, trace)
    return MIDDLE[TILE[target]] if there & HOLE else target


def push(table: CrashByCrash, out: Ints, base: int, cell: int, way: int, cause: int, trace: Trace | None) -> None:
    """CB-O2: move the line of cars that begins on this cell by one cell; its last car may fall off."""
    end = end_of_line(table, out, base, cell, way)
    advance(table, out, base, end, way, O2, cause, trace)
    while end != cell:
        behind = AHEAD[6 * end + (way + 3) % 6]
        put(out, base, car_at(table, out, base, behind), end, O2, cause, trace)
        end = behind


# Playing and exchanging cards


def plays(table: CrashByCrash, out: Ints) -> None:
    """CB-K: list each grey card in hand with each of its choices."""
    for card in range(POWERLESS_BELL):
        if table.hand[KINDS * table.asked[0] + card] == 0:
            continue
        if card == BELL_CHARMS:
            bell_moves(table, out)
        elif card == DEAD_ACCUMULATOR:
            offer(table, out, PLAY + card, out[STIRRED])
        else:
            for cell in range(CELLS):
                if out[FLOOR + cell] & CAR_BITS or card == FLYING_DUTCHMAN:
                    plays_on(table, out, card, cell)


def bell_moves(table: CrashByCrash, out: Ints) -> None:
    """CB-K1: list the moves of each bell to each free cell of its own flower, or of a flower without a bell."""
    for tile in range(1, TILES, 2):
        owner = bell_of(out, tile)
        for spot in range(8 * tile, 8 * tile + 7):
            cell = ON_TILE[spot]
            if out[FLOOR + cell] == 0:
                rings = out[STIRRED] + (1 if out[AIMED + cell] else 0)
                for bell in range(BELL, PIECES):
                    here = out[BASE + bell]
                    if here != NOWHERE and (owner == NOWHERE or owner == bell):
                        offer(table, out, PLAY + BELL_CHARMS + STEP * here + STEP * CELL * cell, rings)


def plays_on(table: CrashByCrash, out: Ints, card: int, cell: int) -> None:
    """CB-K2 to CB-K5: list the plays of a card on a cell: on its car, on two adjacent cells, or on an empty cell."""
    there, action = out[FLOOR + cell], PLAY + card + STEP * cell
    rings = MANY if has_magnet(out, cell) else out[STIRRED]
    if card == SABOTEUR:
        if ((there & CAR_BITS) - 1) // FLEET != table.asked[0] & 1:
            offer(table, out, action, rings)
        return
    if card == FLYING_DUTCHMAN:
        if there == 0 or (there == HOLE and MIDDLE[TILE[cell]] == cell):
            offer(table, out, action, rings)
        return
    stops = STOPS if table.edition[0] != ENGLISH else STOPS + BELL_THERE
    for way in range(6):
        target = AHEAD[6 * cell + way]
        onto = out[FLOOR + target]
        if onto & CAR_BITS != 0 and cell < target if card == LAMBADA else onto & stops == 0:
            more = MANY if has_magnet(out, target) else is_bait(out, target) + (1 if onto & BELL_THERE else 0)
            offer(table, out, action + STEP * CELL * target, rings + more)


def bell_of(out: Ints, tile: int) -> int:
    """Return the bell on a tile, or NOWHERE."""
    for bell in range(BELL, PIECES):
        if out[BASE + bell] != NOWHERE and TILE[out[BASE + bell]] == tile:
            return bell
    return NOWHERE


def exchanges(table: CrashByCrash, out: Ints) -> None:
    """CB-T1: list each pair of cards in hand."""
    hand = KINDS * table.asked[0]
    for card in range(KINDS):
        if table.hand[hand + card] > 0:
            for other in range(card, KINDS):
                if table.hand[hand + other] > (1 if card == other else 0):
                    enter(out, EXCHANGE + card + STEP * other)


# Set-up


def can_be_placed(table: CrashByCrash, cell: int) -> bool:
    """CB-S2: return whether a cell is free and its tile has no car."""
    for piece in range(PIECES):
        if table.cell[piece] == cell or (
            piece < CARS and table.cell[piece] != NOWHERE and TILE[table.cell[piece]] == TILE[cell]
        ):
            return False
    return True


def place_first(table: CrashByCrash, cell: int, trace: Trace | None) -> None:
    """CB-S2, CB-V1: put a car on the floor. After the eighth car, begin the first turn.

    The side with the lower sum of values under its cars begins; in a tie, the seat that placed the first car.
    """
    seat = table.asked[0]
    start = put(table.cell, 0, spare(table.cell, 0, seat & 1), cell, S2, NOWHERE, trace)
    next_beat(trace)
    cars = 0
    for piece in range(CARS):
        if table.cell[piece] != NOWHERE:
            cars += 1
    if cars < 8:
        happen(table.asked, ASKED, 0, (table.first[0] + cars) % table.players[0], S2, start, trace)
        return
    sum_0, sum_1 = worth(table, 0, 0), worth(table, 1, 0)
    start = note(S2, start, sum_0, sum_1, 0, 0, trace)
    beginner = table.first[0]
    if sum_0 != sum_1:
        beginner = 0 if sum_0 < sum_1 else 1
    begin_turn(table, beginner, start, trace)


def worth(table: CrashByCrash, side: int, reversed_values: int) -> int:
    """CB-E1: return the sum of the values under a side's cars."""
    total = 0
    for car in range(FLEET * side, FLEET * side + FLEET):
        if table.cell[car] != NOWHERE:
            total += value_under(table, car, reversed_values)
    return total


def value_under(table: CrashByCrash, car: int, reversed_values: int) -> int:
    """CB-F3, CB-K8: return the value of the cell under a car, or 3 minus it if values are reversed."""
    value = table.value[table.cell[car]]
    return 3 - value if reversed_values == 1 else value


# A turn


def apply(table: CrashByCrash, seat: int, action: int, trace: Trace | None) -> None:
    """Apply an action to the table and set the next decision."""
    phase = table.phase[0]
    if phase == SET_UP:
        place_first(table, action - PLACE, trace)
    elif phase == ACTION:
        act(table, action, trace)
    elif phase == DRAWING:
        take(table, action - TAKE, trace)
    elif phase == KEEP:
        keep(table, action - DISCARD, trace)
    elif phase == PILE:
        draw_from_pile(table, action - TURN_UP, trace)
    else:
        turn_up(table, action - TURN_UP, trace)


def act(table: CrashByCrash, action: int, trace: Trace | None) -> None:
    """CB-E3: do the action, score its bells, check magnets, score the bells they rang; end the game or call `go_on`."""
    if action == FORFEIT:
        start = note(T1, NOWHERE, table.asked[0], 0, 0, 0, trace)
    else:
        start = pay(table, action, trace)
        do(table, table.cell, 0, action, table.bound[0], start, trace)
        first = 1 - score_rung(table, 1, trace)
        if table.scorings[0] < LAST:
            placed = FLEET * (table.asked[0] & 1) + STANDARD if action // SORT * SORT == MAGNET else NOWHERE
            check_magnets(table, table.cell, 0, placed, start, trace)
            score_rung(table, first, trace)
    next_beat(trace)
    happen(table.acted, ACTED, 0, table.acted[0] + 1, T1, start, trace)
    if table.scorings[0] >= LAST:
        happen(table.phase, PHASE, 0, OVER, E4, latest(SCORINGS, 0, trace), trace)
    elif not (is_there(table.cell, 0, 0) and is_there(table.cell, 0, 1)):
        happen(table.phase, PHASE, 0, OVER, E4, start, trace)
    else:
        go_on(table, start, trace)


def is_there(out: Ints, base: int, side: int) -> bool:
    """CB-E4: return whether a side has a car on the floor."""
    for car in range(base + FLEET * side, base + FLEET * side + FLEET):
        if out[car] != NOWHERE:
            return True
    return False


def pay(table: CrashByCrash, action: int, trace: Trace | None) -> int:
    """CB-T3: pay for an action in advance: points, batteries, cards. Return the event that starts the action."""
    side = table.asked[0] & 1
    sort = action // SORT * SORT
    start = NOWHERE
    if sort == CAR or sort == MAGNET:
        start = happen(table.placed, PLACED, 0, table.placed[0] + 1, T1, NOWHERE, trace)
        if table.placed[0] > 1:
            happen(table.score, SCORE, side, table.score[side] - SECOND_CAR, T2, start, trace)
        batteries = (action - sort) // POWER
        happen(table.batteries, BATTERIES, side, table.batteries[side] - batteries, P2, start, trace)
    elif sort == WALK:
        start = note(O1, NOWHERE, table.cell[OPERATOR], 4 if action - sort >= STEP**2 else 2, 0, 0, trace)
        if action - sort >= STEP**2:
            happen(table.score, SCORE, side, table.score[side] - FOUR_STEPS, O1, start, trace)
    elif sort == EXCHANGE:
        start = give_up(table, (action - sort) % STEP, T1, NOWHERE, trace)
        give_up(table, (action - sort) // STEP, T1, start, trace)
        happen(table.owed, OWED, 0, 2, T1, start, trace)
    else:
        card = (action - sort) % STEP
        start = give_up(table, card, CARD[card], NOWHERE, trace)
        if is_blue(card) or is_yellow(card):
            happen(table.bound, BOUND, 0, card, CARD[card], start, trace)
        if card == DEAD_ACCUMULATOR:
            remaining = max(0, table.batteries[1 - side] - 1)
            happen(table.batteries, BATTERIES, 1 - side, remaining, CARD[card], start, trace)
            happen(table.banned, BANNED, 1 - side, 1, CARD[card], start, trace)
    return start


def give_up(table: CrashByCrash, card: int, rule: int, cause: int, trace: Trace | None) -> int:
    """Move a card from the hand to the discards; return the event."""
    seat = table.asked[0]
    place = KINDS * seat + card
    start = happen(table.hand, HANDS, place, table.hand[place] - 1, rule, cause, trace)
    happen(table.hand_size, HAND_SIZE, seat, table.hand_size[seat] - 1, rule, start, trace)
    happen(table.discards, DISCARDS, card, table.discards[card] + 1, rule, start, trace)
    return start


# Effects of an action on the board


def do(table: CrashByCrash, out: Ints, base: int, action: int, bound: int, cause: int, trace: Trace | None) -> None:
    """Move the pieces of an action, without its costs and cards (see `pay`)."""
    sort = action // SORT * SORT
    rest = action - sort
    if sort == CAR:
        place_car(table, out, base, rest, bound, cause, trace)
    elif sort == MAGNET:
        put(out, base, FLEET * (table.asked[0] & 1) + STANDARD, rest, M1, cause, trace)
    elif sort == WALK:
        while rest > 0:
            next_beat(trace)
            stride(table, out, base, rest % STEP - 1, cause, trace)
            rest = rest // STEP
    elif sort == PLAY:
        play(table, out, base, rest % STEP, rest // STEP % CELL, rest // (STEP * CELL), cause, trace)


def play(
    table: CrashByCrash, out: Ints, base: int, card: int, what: int, where: int, cause: int, trace: Trace | None
) -> None:
    """CB-K1 to CB-K5: move the pieces of a grey card."""
    next_beat(trace)
    rule = CARD[card]
    if card == BELL_CHARMS:
        for bell in range(BELL, PIECES):
            if out[base + bell] == what:
                put(out, base, bell, where, rule, cause, trace)
                return
    elif card == LAMBADA:
        car, other = car_at(table, out, base, what), car_at(table, out, base, where)
        put(out, base, car, where, rule, cause, trace)
        put(out, base, other, what, rule, cause, trace)
    elif card == FREE_RIDE:
        land(table, out, base, car_at(table, out, base, what), where, rule, cause, trace)
    elif card == SABOTEUR:
        put(out, base, car_at(table, out, base, what), NOWHERE, rule, cause, trace)
    elif card == FLYING_DUTCHMAN:
        put(out, base, OPERATOR, what, rule, cause, trace)


def place_car(
    table: CrashByCrash, out: Ints, base: int, rest: int, bound: int, cause: int, trace: Trace | None
) -> None:
    """CB-P1, CB-K9 to CB-K13: place a standard car and make its hits, changed by the blue card `bound`."""
    cell, way, second = rest % WAY, rest // WAY % 8 - 1, rest // SECOND % 8 - 1
    rule = CARD[EXPANSION] if way == NOWHERE else P1
    cause = put(out, base, spare(out, base, table.asked[0] & 1), cell, rule, cause, trace)
    if way == NOWHERE:
        return
    first = AHEAD[6 * cell + way]
    if bound == TANDEM:
        hit_tandem(table, out, base, first, way, cause, trace)
    elif bound == CAR_RACKET:
        strike(table, out, base, first, way, FLIGHT, CARD[CAR_RACKET], cause, trace)
    else:
        strike(table, out, base, first, way, 1 + rest // POWER, P1, cause, trace)
    if bound == ACTION_AND_REACTION:
        strike(table, out, base, cell, (way + 3) % 6, 1, CARD[ACTION_AND_REACTION], cause, trace)
    if second != NOWHERE:
        strike(table, out, base, AHEAD[6 * cell + second], second, 1, CARD[DOUBLE_HIT], cause, trace)


def strike(
    table: CrashByCrash,
    out: Ints,
    base: int,
    first: int,
    way: int,
    power: int,
    rule: int,
    cause: int,
    trace: Trace | None,
) -> None:
    """CB-P1 to CB-P6, CB-K10: move the last car of the line; the last car of any line that it meets moves the rest."""
    end = end_of_line(table, out, base, first, way)
    while power > 0:
        next_beat(trace)
        ahead = AHEAD[6 * end + way]
        there = at(table, out, base, ahead)
        if there & CAR_BITS:
            power = 1 if power > STRONGEST else power
            cause = note(P3, cause, end, ahead, power, 0, trace)
            end = end_of_line(table, out, base, ahead, way)
            continue
        if there & OPERATOR_THERE and there & HOLE == 0:
            note(P4, cause, end, ahead, power, 0, trace)
            return
        cause = advance(table, out, base, end, way, rule, cause, trace)
        end, power = ahead, power - 1
        if there & HOLE:
            return
        if there & BELL_THERE:
            if 0 < power < STRONGEST:
                note(P6, cause, ahead, power, 0, 0, trace)
            return


def hit_tandem(
    table: CrashByCrash, out: Ints, base: int, first: int, way: int, cause: int, trace: Trace | None
) -> None:
    """CB-K11: move the last two cars of the line one cell; if it has one car, move that car and the placed car."""
    end = end_of_line(table, out, base, first, way)
    ahead = AHEAD[6 * end + way]
    there = at(table, out, base, ahead)
    next_beat(trace)
    if there & OPERATOR_THERE and there & HOLE == 0:
        note(P4, cause, end, ahead, 1, 0, trace)
        return
    advance(table, out, base, end, way, CARD[TANDEM], cause, trace)
    follower = car_at(table, out, base, AHEAD[6 * end + (way + 3) % 6])
    put(out, base, follower, end, CARD[TANDEM], cause, trace)


def end_of_line(table: CrashByCrash, out: Ints, base: int, cell: int, way: int) -> int:
    """CB-P1: return the cell of the last car of the line that begins on this cell."""
    ahead = AHEAD[6 * cell + way]
    while at(table, out, base, ahead) & CAR_BITS:
        cell = ahead
        ahead = AHEAD[6 * cell + way]
    return cell


def advance(
    table: CrashByCrash, out: Ints, base: int, cell: int, way: int, rule: int, cause: int, trace: Trace | None
) -> int:
    """CB-P5, CB-P6: move the car on this cell one cell; it may fall off or ring a bell. Return the move's event."""
    car, ahead = car_at(table, out, base, cell), AHEAD[6 * cell + way]
    if at(table, out, base, ahead) & HOLE == 0:
        return land(table, out, base, car, ahead, rule, cause, trace)
    cause = put(out, base, car, NOWHERE, P5, cause, trace)
    if base == 0:
        side = table.asked[0] & 1
        if car // FLEET != side or (rule == O2 and table.edition[0] == ENGLISH):
            happen(table.score, SCORE, side, table.score[side] + BUMPED, O2 if rule == O2 else P5, cause, trace)
    return cause


def land(
    table: CrashByCrash, out: Ints, base: int, car: int, cell: int, rule: int, cause: int, trace: Trace | None
) -> int:
    """CB-E1: move a car onto a cell, and ring the bell there, if any; return the move's event."""
    bell_there = at(table, out, base, cell) & BELL_THERE
    cause = put(out, base, car, cell, rule, cause, trace)
    if bell_there:
        ring(out, base, cell, cause, trace)
    return cause


def ring(out: Ints, base: int, cell: int, cause: int, trace: Trace | None) -> None:
    """CB-P6, CB-E1: mark the bell on this cell as the next rung bell."""
    nth, rung = 1, NOWHERE
    for bell in range(BELL, PIECES):
        if out[base + bell] >= RINGING:
            nth += 1
        if out[base + bell] == cell:
            rung = bell
    put(out, base, rung, cell + RINGING * nth, E1, cause, trace)


def rung_bell(out: Ints, base: int, nth: int) -> int:
    """CB-E3: return the n-th bell that rang, or NOWHERE."""
    for bell in range(BELL, PIECES):
        if out[base + bell] // RINGING == nth and out[base + bell] != NOWHERE:
            return bell
    return NOWHERE


# Magnets. The index of a pull is 6 * side of the magnet + direction from the magnet to the car.


def check_magnets(table: CrashByCrash, out: Ints, base: int, placed: int, cause: int, trace: Trace | None) -> int:
    """CB-M3: let magnets pull until all cars stay. Return 1 if the magnet just placed has pulled a car, else 0."""
    moved, towards = 0, 0
    raw = all_pulls(table, out, base)
    while raw != 0:
        pulls = standing_pulls(table, out, base, raw, placed, moved)
        if pulls == 0:
            break
        next_beat(trace)
        if placed != NOWHERE and pulls >> (6 * (placed // FLEET)) & 63:
            towards = 1
        moved |= pull_all(table, out, base, pulls, cause, trace)
        ring_covered(table, out, base, trace)
        raw = all_pulls(table, out, base)
    return towards


def all_pulls(table: CrashByCrash, out: Ints, base: int) -> int:
    """CB-M1: return all pulls as bits; a magnet pulls each car two cells away with no car or operator between."""
    bits = 0
    for side in range(2):
        cell = out[base + FLEET * side + STANDARD]
        if cell != NOWHERE:
            for way in range(6):
                between = AHEAD[6 * cell + way]
                far = AHEAD[6 * between + way]
                if base != 0:
                    pulls = out[FLOOR + far] & CAR_BITS != 0 and out[FLOOR + between] & BARS == 0
                else:
                    pulls = at(table, out, 0, far) & CAR_BITS != 0 and at(table, out, 0, between) & BARS == 0
                if pulls:
                    bits |= 1 << (6 * side + way)
    return bits


def between_of(out: Ints, base: int, pull: int) -> int:
    """Return the target of a pull, the cell beside its magnet."""
    return AHEAD[6 * out[base + FLEET * (pull // 6) + STANDARD] + pull % 6]


def end_of_pull(out: Ints, base: int, pull: int) -> int:
    """Return the cell of a pull's car."""
    return AHEAD[6 * between_of(out, base, pull) + pull % 6]


def standing_pulls(table: CrashByCrash, out: Ints, base: int, raw: int, placed: int, moved: int) -> int:
    """CB-M3: return as bits the pulls that move a car in this round, without cancelled pulls and pairs that meet."""
    pulls = 0
    for pull in range(12):
        if raw >> pull & 1 and stands(table, out, base, raw, pull, placed, moved):
            pulls |= 1 << pull
    meeting = 0
    for pull in range(6):
        for other in range(6, 12):
            if pulls >> pull & 1 and pulls >> other & 1:
                if between_of(out, base, pull) == between_of(out, base, other):
                    meeting |= 1 << pull | 1 << other
    return pulls ^ meeting


def stands(table: CrashByCrash, out: Ints, base: int, raw: int, pull: int, placed: int, moved: int) -> bool:
    """CB-M3: return whether a pull counts.

    A pull does not count if its car has moved in this check, is held by the other magnet beside it, or is also pulled
    by the other magnet. The other magnet is pulled only if this magnet was just placed.
    """
    cell, side = end_of_pull(out, base, pull), pull // 6
    car, magnet = car_at(table, out, base, cell), FLEET * (1 - side) + STANDARD
    if moved >> car & 1:
        return False
    if car == magnet:
        return placed == FLEET * side + STANDARD
    for way in range(6):
        if out[base + magnet] != NOWHERE and AHEAD[6 * cell + way] == out[base + magnet]:
            return False
        other = 6 * (1 - side) + way
        if raw >> other & 1 and end_of_pull(out, base, other) == cell:
            return False
    return True


def pull_all(table: CrashByCrash, out: Ints, base: int, pulls: int, cause: int, trace: Trace | None) -> int:
    """CB-M3: move the cars pulled in a round and return them as bits.

    Magnets move last, because pulls are computed from their old cells.
    """
    moved, magnets = 0, 0
    for pull in range(12):
        if pulls >> pull & 1:
            car = car_at(table, out, base, end_of_pull(out, base, pull))
            moved |= 1 << car
            if is_magnet(car):
                magnets |= 1 << pull
            else:
                put(out, base, car, between_of(out, base, pull), M3, cause, trace)
    for pull in range(12):
        if magnets >> pull & 1:
            car = car_at(table, out, base, end_of_pull(out, base, pull))
            put(out, base, car, between_of(out, base, pull), M3, cause, trace)
    return moved


def ring_covered(table: CrashByCrash, out: Ints, base: int, trace: Trace | None) -> None:
    """CB-E3: ring the bells onto which cars were pulled, by row, then column."""
    lowest = 0
    while lowest < OUTSIDE:
        lowest = OUTSIDE
        for bell in range(BELL, PIECES):
            cell = out[base + bell]
            if NOWHERE < cell < lowest and at(table, out, base, cell) & CAR_BITS:
                lowest = cell
        if lowest < OUTSIDE:
            pulled = latest(PLACES, car_at(table, out, base, lowest), trace)
            ring(out, base, lowest, pulled, trace)


# Scoring


def score_rung(table: CrashByCrash, first: int, trace: Trace | None) -> int:
    """CB-E3: score the rung bells in the order they rang, up to the seventh scoring; return 1 if any was scored, or 0.

    `first` is 1 until the first scoring of the action, the only one that a yellow card changes.
    """
    nth, scored = 1, 0
    bell = rung_bell(table.cell, 0, nth)
    while bell != NOWHERE:
        rang = latest(PLACES, bell, trace)
        if table.scorings[0] < LAST:
            card = table.bound[0] if first == 1 and scored == 0 and table.acted[0] == 1 else NOWHERE
            score_bell(table, bell, card, rang, trace)
            scored = 1
        else:
            happen(table.cell, PLACES, bell, table.cell[bell] % RINGING, E3, rang, trace)
        nth += 1
        bell = rung_bell(table.cell, 0, nth)
    return scored


def score_bell(table: CrashByCrash, bell: int, card: int, cause: int, trace: Trace | None) -> None:
    """CB-E1, CB-K7, CB-K8: let both sides score the values under their cars; then remove the bell.

    Its tile leaves the game as well, except after Powerless Bell.
    """
    next_beat(trace)
    tile = TILE[table.cell[bell] % RINGING]
    start = happen(table.scorings, SCORINGS, 0, table.scorings[0] + 1, E1, cause, trace)
    happen(table.scored, SCORED, 0, table.scored[0] + 1, E2, start, trace)
    reverse = 1 if card == SHADY_EXCEPTION else 0
    for side in range(2):
        count_up(table, side, reverse, CARD[SHADY_EXCEPTION] if reverse == 1 else F3, start, trace)
    next_beat(trace)
    happen(table.score, SCORE, 0, table.score[0] + worth(table, 0, reverse), E1, start, trace)
    happen(table.score, SCORE, 1, table.score[1] + worth(table, 1, reverse), E1, start, trace)
    next_beat(trace)
    happen(table.cell, PLACES, bell, NOWHERE, E1, start, trace)
    if card == POWERLESS_BELL:
        note(CARD[POWERLESS_BELL], start, tile, 0, 0, 0, trace)
    else:
        remove_tile(table, table.cell, 0, tile, start, trace)


def count_up(table: CrashByCrash, side: int, reverse: int, rule: int, cause: int, trace: Trace | None) -> None:
    """CB-E1, CB-F3: record the value under each of a side's cars and the running total."""
    total = 0
    for car in range(FLEET * side, FLEET * side + FLEET):
        if table.cell[car] != NOWHERE:
            next_beat(trace)
            value = value_under(table, car, reverse)
            total += value
            note(rule, cause, car, table.cell[car], value, total, trace)


def remove_tile(table: CrashByCrash, out: Ints, base: int, tile: int, cause: int, trace: Trace | None) -> None:
    """CB-E1, CB-F5: remove a tile; its cars return to their stocks, and the operator stays in the hole."""
    for piece in range(OPERATOR + 1):
        if out[base + piece] != NOWHERE and TILE[out[base + piece]] == tile:
            put(out, base, piece, MIDDLE[tile] if piece == OPERATOR else NOWHERE, E1, cause, trace)
    if base == 0:
        happen(table.gone, GONE, tile, 1, E1, cause, trace)
    else:
        log(out, PIECES + tile, 0)
        dig(out, tile, 1)


# Drawing cards and the next turn


def go_on(table: CrashByCrash, cause: int, trace: Trace | None) -> None:
    """CB-T4: ask for owed cards, then for an action; after two actions, fill hand and display and end the turn."""
    if table.owed[0] == 0 and table.acted[0] == 2:
        happen(table.acted, ACTED, 0, 3, T4, cause, trace)
        happen(table.owed, OWED, 0, HAND - table.hand_size[table.asked[0]], T4, cause, trace)
    if table.owed[0] > 0:
        face_up = table.display[0] != NOWHERE or table.display[1] != NOWHERE or table.display[2] != NOWHERE
        if face_up:
            happen(table.phase, PHASE, 0, DRAWING, T4, cause, trace)
            return
        if unseen(table) > 0:
            from_pile(table, PILE, cause, trace)
            return
        happen(table.owed, OWED, 0, 0, T4, cause, trace)
        if table.acted[0] == 2:
            happen(table.acted, ACTED, 0, 3, T4, cause, trace)
    if table.acted[0] < 2:
        happen(table.phase, PHASE, 0, ACTION, T1, cause, trace)
    elif gap(table) != NOWHERE and unseen(table) > 0:
        from_pile(table, REFILL, cause, trace)
    else:
        end_turn(table, cause, trace)


def gap(table: CrashByCrash) -> int:
    """Return the index of the first empty place for a face-up card; NOWHERE if none, or with four players (CB-V1)."""
    if table.players[0] == 2:
        for place in range(3):
            if table.display[place] == NOWHERE:
                return place
    return NOWHERE


def from_pile(table: CrashByCrash, phase: int, cause: int, trace: Trace | None) -> None:
    """CB-T4: let chance choose a card of the pile; if the pile is empty, shuffle the discards first."""
    cause = happen(table.phase, PHASE, 0, phase, T4, cause, trace)
    if pile_size(table) == 0:
        for card in range(KINDS):
            happen(table.discards, DISCARDS, card, 0, T4, cause, trace)


def take(table: CrashByCrash, card: int, trace: Trace | None) -> None:
    """CB-T4: take a face-up card, or let chance choose one from the pile."""
    if card == FROM_PILE:
        from_pile(table, PILE, NOWHERE, trace)
        return
    place = 0
    while table.display[place] != card:
        place += 1
    start = happen(table.display, DISPLAY, place, NOWHERE, T4, NOWHERE, trace)
    receive(table, card, T4, start, trace)


def receive(table: CrashByCrash, card: int, rule: int, cause: int, trace: Trace | None) -> None:
    """CB-T4: add a card to the hand of the seat whose turn it is."""
    seat = table.asked[0]
    place = KINDS * seat + card
    cause = happen(table.hand, HANDS, place, table.hand[place] + 1, rule, cause, trace)
    happen(table.hand_size, HAND_SIZE, seat, table.hand_size[seat] + 1, rule, cause, trace)
    happen(table.owed, OWED, 0, table.owed[0] - 1, rule, cause, trace)
    next_beat(trace)
    go_on(table, cause, trace)


def draw_from_pile(table: CrashByCrash, card: int, trace: Trace | None) -> None:
    """CB-T4: draw a card. CB-V1: with four players, draw two if there are two, and keep one."""
    if not draws_two(table):
        receive(table, card, T4, NOWHERE, trace)
    elif table.drawn[0] == NOWHERE and unseen(table) == 1:
        receive(table, card, V1, NOWHERE, trace)
    elif table.drawn[0] == NOWHERE:
        start = happen(table.drawn, DRAWN, 0, card, V1, NOWHERE, trace)
        from_pile(table, PILE, start, trace)
    else:
        start = happen(table.drawn, DRAWN, 1, card, V1, NOWHERE, trace)
        happen(table.phase, PHASE, 0, KEEP, V1, start, trace)


def draws_two(table: CrashByCrash) -> bool:
    """CB-V1: return whether a seat draws two cards and keeps one; never for exchanged cards in the Czech edition."""
    return table.players[0] == 4 and (table.edition[0] == ENGLISH or table.acted[0] == 3)


def keep(table: CrashByCrash, card: int, trace: Trace | None) -> None:
    """CB-V1: discard one of two drawn cards openly and keep the other in the hand.

    The discarded card first replaces the kept one in a secret event, so that the public events that clear both places
    show only the discarded card.
    """
    place = 1 if table.drawn[0] == card else 0
    other = table.drawn[place]
    covered = happen(table.drawn, DRAWN, place, card, V1, NOWHERE, trace)
    start = happen(table.drawn, DRAWN, 0, NOWHERE, V1, covered, trace)
    happen(table.drawn, DRAWN, 1, NOWHERE, V1, start, trace)
    happen(table.discards, DISCARDS, card, table.discards[card] + 1, V1, start, trace)
    receive(table, other, V1, start, trace)


def turn_up(table: CrashByCrash, card: int, trace: Trace | None) -> None:
    """CB-T4: turn a card from the pile face up."""
    start = happen(table.display, DISPLAY, gap(table), card, T4, NOWHERE, trace)
    next_beat(trace)
    go_on(table, start, trace)


def end_turn(table: CrashByCrash, cause: int, trace: Trace | None) -> None:
    """CB-E5, CB-K6: end the turn, a ban of the side's batteries, and the game if this was the last turn."""
    side = table.asked[0] & 1
    happen(table.banned, BANNED, side, 0, CARD[DEAD_ACCUMULATOR], cause, trace)
    if table.turn[0] == table.turn_limit[0]:
        happen(table.phase, PHASE, 0, OVER, E5, cause, trace)
    else:
        begin_turn(table, (table.asked[0] + 1) % table.players[0], cause, trace)


def begin_turn(table: CrashByCrash, seat: int, cause: int, trace: Trace | None) -> None:
    """CB-T1: begin the turn of a seat."""
    happen(table.asked, ASKED, 0, seat, T1, cause, trace)
    cause = happen(table.turn, TURN, 0, table.turn[0] + 1, T1, cause, trace)
    happen(table.acted, ACTED, 0, 0, T1, cause, trace)
    happen(table.placed, PLACED, 0, 0, T1, cause, trace)
    happen(table.scored, SCORED, 0, 0, T1, cause, trace)
    happen(table.bound, BOUND, 0, NOWHERE, T1, cause, trace)
    happen(table.phase, PHASE, 0, ACTION, T1, cause, trace)
