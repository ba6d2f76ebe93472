"""Why an action of Crash by Crash cannot be played now: for each sort of action a function of its whole code."""

from __future__ import annotations

from crashlab.engine.notation import counted, some
from crashlab.engine.table import HIDDEN, NOWHERE, Ints
from crashlab.games.boards.hexes import DIRECTIONS
from crashlab.games.crash_by_crash import rules
from crashlab.games.crash_by_crash import table as t
from crashlab.games.crash_by_crash import words as w
from crashlab.games.crash_by_crash.actions import car_ways
from crashlab.games.crash_by_crash.table import CrashByCrash

# Set-up, and cards that are drawn


def first_car(table: CrashByCrash, action: int) -> str:
    """CB-S2: why no car can be put here at set-up."""
    return occupied(table, action - t.PLACE) or "there is a car on this tile, and no two begin on one (CB-S2)"


def taken(table: CrashByCrash, action: int) -> str:
    """CB-T4: why this card cannot be drawn."""
    card = action - t.TAKE
    return f"{w.card_text(card)} is not face up (CB-T4)" if card < t.KINDS else "no card is left to draw (CB-T4)"


def given(table: CrashByCrash, action: int) -> str:
    """CB-V1: why this card cannot be given away."""
    return f"the cards drawn are {some(map(w.card_text, table.drawn))} (CB-V1)"


def turned_up(table: CrashByCrash, action: int) -> str:
    """CB-T4: why this card cannot come."""
    return f"there is no {w.card_text(action - t.TURN_UP)} in the pile (CB-T4)"


# The actions of a turn: what forbids one by itself, and then what would follow from it


def car(table: CrashByCrash, action: int) -> str:
    """Why a standard car cannot be placed like this."""
    rest = action - t.CAR
    return placed(table, rest % t.WAY) or hitting(table, rest) or ringing(table, action)


def magnet(table: CrashByCrash, action: int) -> str:
    """Why the magnetic car cannot be placed here."""
    cell = action - t.MAGNET
    side = table.asked[0] & 1
    bound = table.bound[0]
    reason = must_place(bound) if bound != t.EXPANSION else ""
    if reason := reason or placed(table, cell):
        return reason
    if table.cell[t.FLEET * side + t.STANDARD] != NOWHERE:
        return f"{w.SIDES[side]} has its magnetic car on the floor already (CB-S1)"
    if bound != t.EXPANSION and not pulls(table, cell):
        return "this magnet would pull no car (CB-M1)"
    return ringing(table, action)


def walk(table: CrashByCrash, action: int) -> str:
    """Why the operator cannot go like this."""
    side = table.asked[0] & 1
    if reason := must_place(table.bound[0]):
        return reason
    if action - t.WALK >= t.STEP**2 and table.score[side] <= rules.FOUR_STEPS:
        return f"four cells cost 2 points, and {score_words(table, side)} (CB-O1, CB-T3)"
    return ringing(table, action)


def exchange(table: CrashByCrash, action: int) -> str:
    """Why these cards cannot be exchanged."""
    rest = action - t.EXCHANGE
    bound = table.bound[0]
    if rules.is_yellow(bound):
        return (
            f"after {w.TITLES[bound]} a placement, the operator or a grey card must bring a scoring;"
            f" an exchange is none of these ({w.card_rule(bound)})"
        )
    return must_place(bound) or not_in_hand(table, rest % t.STEP, rest // t.STEP) or ringing(table, action)


def play(table: CrashByCrash, action: int) -> str:
    """Why this card cannot be played, or not so."""
    card = (action - t.PLAY) % t.STEP
    if reason := must_place(table.bound[0]) or not_in_hand(table, card) or played(table, action - t.PLAY):
        return reason
    if rules.is_blue(card):
        return f"no placement of a car could follow it ({w.card_rule(card)})"
    if rules.is_yellow(card):
        scoring = "no second action that brings a scoring could follow it"
        return f"{scoring}, and an exchange does not count ({w.card_rule(card)})"
    return ringing(table, action)


def forfeit(table: CrashByCrash, action: int) -> str:
    """CB-T1: why the action cannot be forfeited."""
    return must_place(table.bound[0]) or "there is something that can be done (CB-T1)"


# Placing a car


def must_place(bound: int) -> str:
    """CB-K9 to CB-K13: what else is to follow a blue card; empty after any other one."""
    if not rules.is_blue(bound):
        return ""
    cars = "a car" if bound == t.EXPANSION else "a standard car"
    return f"after {w.TITLES[bound]} {cars} must be placed ({w.card_rule(bound)})"


def placed(table: CrashByCrash, cell: int) -> str:
    """CB-P1, CB-T2: why no car can be placed here."""
    side = table.asked[0] & 1
    if table.placed[0] and table.score[side] <= rules.SECOND_CAR:
        return f"a second car in a turn costs 4 points, and {score_words(table, side)} (CB-T2, CB-T3)"
    return occupied(table, cell)


def score_words(table: CrashByCrash, side: int) -> str:
    """Blue has 3 points."""
    return f"{w.SIDES[side]} has {counted(table.score[side], 'point')}"


def occupied(table: CrashByCrash, cell: int) -> str:
    """CB-P1: why a cell is not free; empty if it is."""
    if table.gone[t.TILE[cell]]:
        return f"there is a hole at {w.place_words(cell)} (CB-F5)"
    for piece, other in enumerate(table.cell):
        if other == cell:
            return f"{w.piece_name(piece)} is on {w.place_words(cell)} (CB-P1)"
    return ""


def hitting(table: CrashByCrash, rest: int) -> str:
    """CB-P1, CB-P2, CB-K9 to CB-K13: why no standard car can hit like this from here."""
    cell = rest % t.WAY
    side = table.asked[0] & 1
    bound = table.bound[0]
    power = rest // t.POWER
    ways = car_ways(rest)
    if NOWHERE not in table.cell[t.FLEET * side : t.FLEET * side + t.STANDARD]:
        return f"{w.SIDES[side]} has no standard car in its stock (CB-S1)"
    if not ways and bound != t.EXPANSION:
        return "a car must hit another one; say in which direction (CB-P1)"
    for way in ways:
        target = t.AHEAD[6 * cell + way]
        if target not in table.cell[: t.CARS]:
            return f"there is no car {DIRECTIONS[way]} of {w.place_words(cell)} to hit (CB-P1)"
    if len(ways) > 1 and bound != t.DOUBLE_HIT:
        return "only after Double Hit a car hits twice (CB-K9)"
    if power and rules.is_blue(bound):
        return f"no batteries are used after {w.TITLES[bound]} (CB-P2)"
    if power and table.banned[side]:
        return f"{w.SIDES[side]} may use no batteries in this turn (CB-K6)"
    if power > table.batteries[side]:
        return f"{w.SIDES[side]} has {counted(table.batteries[side], 'battery')} left (CB-P2)"
    return ""


# Cards


def not_in_hand(table: CrashByCrash, *cards: int) -> str:
    """Why these cards cannot be given from the hand; empty if they can."""
    seat = table.asked[0]
    hand = table.hand[t.KINDS * seat : t.KINDS * (seat + 1)]
    for card in cards:
        if HIDDEN not in hand and hand[card] < cards.count(card):
            return f"{w.SEATS[seat]} has only {w.hand_text(table, seat) or 'no cards'} in hand (CB-T1)"
    return ""


def played(table: CrashByCrash, rest: int) -> str:
    """CB-K: why a card in hand cannot be played, or not on these cells."""
    card, what, where = rest % t.STEP, rest // t.STEP % t.CELL, rest // (t.STEP * t.CELL)
    rule = w.card_rule(card)
    if rules.is_blue(card) or rules.is_yellow(card):
        colour = "blue" if rules.is_blue(card) else "yellow"
        return f"a {colour} card is the first action of a turn ({rule})" if table.acted[0] else ""
    if card == t.BELL_CHARMS:
        return bell_moved(table, what, where)
    if card == t.FLYING_DUTCHMAN:
        reason = "" if table.gone[t.TILE[what]] and table.cell[t.OPERATOR] != what else occupied(table, what)
        return reason.replace("CB-P1", rule)
    return car_moved(table, card, what, where) if card != t.DEAD_ACCUMULATOR else ""


def car_moved(table: CrashByCrash, card: int, what: int, where: int) -> str:
    """CB-K2, CB-K3, CB-K4: why no car can be moved like this."""
    cars = table.cell[: t.CARS]
    rule = w.card_rule(card)
    if what not in cars:
        return f"there is no car on {w.place_words(what)} ({rule})"
    if card == t.SABOTEUR:
        own = cars.index(what) // t.FLEET == table.asked[0] & 1
        return f"only a car of the opponent can be sent home ({rule})" if own else ""
    if where not in t.AHEAD[6 * what : 6 * what + 6]:
        return f"{w.place_words(where)} is not beside {w.place_words(what)} ({rule})"
    if card == t.LAMBADA:
        return "" if where in cars else f"there is no car on {w.place_words(where)} ({rule})"
    if where in table.cell[t.BELL :] and where != table.cell[t.OPERATOR]:
        return f"in the english edition no car comes onto a bell so ({rule})" if table.edition[0] == t.ENGLISH else ""
    return occupied(table, where).replace("CB-P1", rule)


def bell_moved(table: CrashByCrash, what: int, where: int) -> str:
    """CB-K1: why a bell cannot be moved like this."""
    if what not in table.cell[t.BELL :]:
        return f"there is no bell on {w.place_words(what)} (CB-K1)"
    if reason := occupied(table, where):
        return reason.replace("CB-P1", "CB-K1")
    if t.TILE[where] % 2 == 0:
        return f"{w.place_words(where)} is not on a flower (CB-K1)"
    if any(t.TILE[bell] == t.TILE[where] for bell in table.cell[t.BELL :] if bell not in (what, NOWHERE)):
        return f"there is another bell on the flower of {w.place_words(where)} (CB-K1)"
    return ""


# What would follow


def ringing(table: CrashByCrash, action: int) -> str:
    """CB-E2, CB-K7, CB-K8: why an action that is fine in itself is not allowed for the bells that would ring."""
    bound = table.bound[0]
    if rules.is_yellow(bound) and not brings_scoring(table, action):
        return f"after {w.TITLES[bound]} the second action must bring a scoring ({w.card_rule(bound)})"
    if table.turn[0] < rules.EARLIEST:
        return f"a bell would ring in turn {table.turn[0]}, and not before turn 6 may one (CB-E2)"
    once = "there was a scoring in this turn" if table.scored[0] else "two bells would ring"
    return f"{once}, and there is only one scoring in a turn (CB-E2)"


def brings_scoring(table: CrashByCrash, action: int) -> bool:
    """CB-K7, CB-K8: whether any bell would ring, by the action after a yellow card or by the check that ends it."""
    board = copied(table)
    bound = table.bound[0]
    placed = t.FLEET * (table.asked[0] & 1) + t.STANDARD if action // t.SORT * t.SORT == t.MAGNET else NOWHERE
    rules.do(table, board, rules.BASE, action, bound, NOWHERE, None)
    return rules.ends_well(table, board, t.BELLS, bound, placed)


def pulls(table: CrashByCrash, cell: int) -> bool:
    """CB-M1: whether a magnet on this cell would move a car towards it."""
    board = copied(table)
    magnet = t.FLEET * (table.asked[0] & 1) + t.STANDARD
    rules.put(board, rules.BASE, magnet, cell, rules.M1, NOWHERE, None)
    return bool(rules.check_magnets(table, board, rules.BASE, magnet, NOWHERE, None))


def copied(table: CrashByCrash) -> Ints:
    """A copy of the board on which actions can be tried."""
    out = [0] * rules.MOST_ACTIONS
    rules.lay_out(table, out)
    return out
