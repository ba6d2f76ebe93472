"""What happens in Crash by Crash, in words, and why a position cannot be."""

from __future__ import annotations

from crashlab.engine import value_kinds
from crashlab.engine.notation import as_list, chosen, counted, together
from crashlab.engine.table import NOTE, NOWHERE, Row
from crashlab.engine.value_kinds import Change, Kind, numbered, seat, truth
from crashlab.games.crash_by_crash import notation as w
from crashlab.games.crash_by_crash import rules
from crashlab.games.crash_by_crash import state as t
from crashlab.games.crash_by_crash.notation import DECISIONS, PHASE, has_choice
from crashlab.games.crash_by_crash.state import CrashByCrash

# What happens


def hand_of(index: int) -> list[object]:
    """The cards of a kind in a hand: ["A", "Free Ride"]."""
    return [w.SEATS[index // t.KINDS], w.tell_card(index % t.KINDS)]


def read_hand(word: object) -> int:
    """Where the number of such cards stands."""
    owner, card = as_list(word, "a seat and a card are wanted, as in ['A', 'Free Ride']")
    return t.KINDS * chosen(owner, w.SEATS, "seat") + w.read_card(card)


# Of what kinds the numbers of an event are

HAND = w.kind("hand", lambda index: f"{w.SEATS[index // t.KINDS]} {w.CARD_WORDS[index % t.KINDS]}", read_hand, hand_of)
CARDS, POINTS = value_kinds.counted("cards"), value_kinds.counted("score")
CHANGES = {
    "gone": Change(w.FLOWER, truth("gone")),
    "cell": Change(w.PIECE, w.CELL),
    "score": Change(w.SIDE, POINTS),
    "batteries": Change(w.SIDE, value_kinds.counted("batteries")),
    "banned": Change(w.SIDE, truth("banned")),
    "hand": Change(HAND, CARDS),
    "held": Change(seat(), CARDS),
    "display": Change(numbered("place"), w.CARD),
    "discards": Change(w.CARD, CARDS),
    "drawn": Change(numbered("place"), w.CARD),
    "phase": Change(None, PHASE),
    "asked": Change(None, seat("asked")),
    "bound": Change(None, w.CARD),
    **{
        name: Change(None, value_kinds.counted(name))
        for name in ("turn", "acted", "placed", "scored", "owed", "scorings")
    },
}
NOTES: dict[str, Kind[CrashByCrash]] = {
    "car": w.PIECE, "seat": seat(), "flower": w.FLOWER, "cell": w.CELL, "met": w.CELL, "operator": w.CELL,
    **{name: value_kinds.counted(name) for name in ("blue", "orange", "value", "total", "left", "lost", "cells")},
}  # fmt: skip


def event_text(table: CrashByCrash, row: Row) -> str:
    """One row of a trace in words."""
    if row.field == NOTE:
        return note_text(row.rule, *row.numbers)
    name = CrashByCrash.NAMES[row.field]
    if name == "cell":
        return piece_event(table, row.rule, row.index, row.before, row.after)
    if name in ("score", "batteries", "banned"):
        return side_event(name, row.rule, row.index, row.before, row.after)
    if name == "hand":
        return hand_event(row)
    if name in ("held", "display", "discards", "drawn", "owed"):
        return card_event(table, name, row.index, row.before, row.after)
    if name == "gone":
        return f"the flower round {w.place_words(w.middle(row.index))} leaves the game, and there is a hole"
    return turn_event(table, name, row.rule, row.after)


def piece_event(table: CrashByCrash, rule: int, piece: int, before: int, after: int) -> str:
    """A piece comes to another place, in words."""
    name = w.piece_name(piece)
    if piece == t.OPERATOR:
        return operator_event(table, rule, before, after)
    if piece >= t.BELL:
        return bell_event(rule, before, after)
    if before == NOWHERE:
        return f"{name} is placed on {w.place_words(after)}"
    if after == NOWHERE:
        ways = {rules.E1: "goes home with the flower", rules.CARD[t.SABOTEUR]: "is sent home"}
        return f"{name} {ways.get(rule, 'falls off')} from {w.place_words(before)}"
    verbs = {
        rules.O2: "is pushed by the operator",
        rules.M3: "is pulled by a magnet",
        rules.CARD[t.LAMBADA]: "changes places and goes",
        rules.CARD[t.FREE_RIDE]: "rides",
    }
    return f"{name} {verbs.get(rule, 'is pushed')} from {w.place_words(before)} to {w.place_words(after)}"


def operator_event(table: CrashByCrash, rule: int, before: int, after: int) -> str:
    """The operator goes somewhere, in words."""
    if rule == rules.E1:
        return f"the operator stays where the flower round {w.place_words(after)} was"
    holes = [table.gone[t.TILE[cell]] for cell in (before, after)]
    start = f"out of the hole at {w.place_words(before)}" if holes[0] else f"from {w.place_words(before)}"
    goal = f"into the hole at {w.place_words(after)}" if holes[1] else f"to {w.place_words(after)}"
    return f"the operator {'flies' if rule == rules.CARD[t.FLYING_DUTCHMAN] else 'goes'} {start} {goal}"


def bell_event(rule: int, before: int, after: int) -> str:
    """A bell rings, goes or is moved, in words."""
    if after >= t.RINGING:
        return f"the bell on {w.place_words(after)} rings"
    if after == NOWHERE:
        return f"the bell from {w.place_words(before)} goes to the scoring card"
    if before >= t.RINGING:
        return f"the bell on {w.place_words(after)} is not scored any more"
    return f"the bell moves from {w.place_words(before)} to {w.place_words(after)}"


def side_event(name: str, rule: int, side: int, before: int, after: int) -> str:
    """What a side has, in words."""
    colour = w.SIDES[side]
    number = abs(after - before)
    if name == "score":
        return f"{colour} {'gets' if after > before else 'pays'} {counted(number, 'point')} ({before} to {after})"
    if name == "batteries":
        verb = "loses" if rule == rules.CARD[t.DEAD_ACCUMULATOR] else "uses"
        return f"{colour} {verb} {counted(number, 'battery')} ({before} to {after})"
    return f"{colour} may use no batteries in its next turn" if after else f"{colour} may use batteries again"


def hand_event(row: Row) -> str:
    """A card comes into a hand or leaves it, in words."""
    owner, card = w.SEATS[row.index // t.KINDS], w.TITLES[row.index % t.KINDS]
    if row.after < row.before:
        return f"{owner} {'discards' if row.rule == rules.T1 else 'plays'} {card}"
    is_drawn = row.cause == NOWHERE or row.rule == rules.V1
    return f"{owner} draws {card} from the pile" if is_drawn else f"{owner} takes {card}"


def card_event(table: CrashByCrash, name: str, index: int, before: int, after: int) -> str:
    """What happens to cards, in words."""
    if name == "held":
        return f"{w.SEATS[index]} has {counted(after, 'card')} in hand"
    if name == "display":
        if after == NOWHERE:
            return f"{w.TITLES[before]} is no longer face up"
        return f"{w.TITLES[after]} is turned face up"
    if name == "drawn":
        if after == NOWHERE:
            return f"{w.TITLES[before]} is cleared away"
        verb = "draws" if before == NOWHERE else "keeps the other card, not"
        return f"{w.SEATS[table.asked[0]]} {verb} {w.TITLES[after]}"
    if name == "discards":
        if after > before:
            return f"{w.TITLES[index]} goes to the discards"
        return f"shuffled into the pile: {counted(before, 'discarded card')} {w.TITLES[index]}"
    if after == 0:
        return "no more cards are to be drawn"
    return f"{w.SEATS[table.asked[0]]} is to draw {counted(after, 'card')}"


def has_no_choice(table: CrashByCrash, phase: int) -> bool:
    """Whether there would be one answer only if this were asked now."""
    moment = table.copy()
    moment.phase[0] = phase
    return not has_choice(moment)


def turn_event(table: CrashByCrash, name: str, rule: int, after: int) -> str:
    """What changes in the turn, in words."""
    if name == "phase":
        if after == t.OVER:
            return end_text(table)
        if after >= t.FIRST_CHANCE:
            return f"chance brings {DECISIONS[after].about}"
        if has_no_choice(table, after):
            return f"{DECISIONS[after].about} is not asked for: there is no choice"
        return f"{DECISIONS[after].about} is asked for"
    if name == "asked":
        return f"{w.SEATS[after]} places the next car" if rule == rules.S2 else f"it is the turn of {w.SEATS[after]}"
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
        number = f"{w.SEATS[table.asked[0]]} places a car, number {after} in this turn"
        return number if after else "cars placed are counted anew"
    if name == "scored":
        return f"scorings in this turn: {after}" if after else "scorings are counted anew"
    if name == "bound":
        if after == NOWHERE:
            return "any action may follow again"
        wanted = "bring a scoring" if rules.is_yellow(after) else "place a car"
        return f"the second action must {wanted}, changed by {w.TITLES[after]}"
    return f"scoring {after} of {rules.LAST} begins"


def end_text(table: CrashByCrash) -> str:
    """CB-E4: who has won."""
    bits = rules.winners(table)
    sides = sorted({seat & 1 for seat in range(table.players[0]) if bits >> seat & 1})
    won = f"{w.SIDES[sides[0]]} wins" if len(sides) == 1 else "a draw"
    return f"the game is over: {won}, {table.score[sides[0]]} to {table.score[1 - sides[0]]}"


def note_text(rule: int, a: int, b: int, c: int, d: int) -> str:
    """A note in words."""
    if rule == rules.S2:
        begins = "the lower sum begins" if a != b else "at a tie the side begins that placed first"
        return f"the first cars stand on {a} (blue) and {b} (orange); {begins}"
    if rule == rules.T1:
        return f"{w.SEATS[a]} can do nothing and forfeits the action"
    if rule == rules.O1:
        return f"the operator sets out from {w.place_words(a)}, for {b} cells"
    if rule == rules.P3:
        return f"the car on {w.place_words(a)} hits the one on {w.place_words(b)}, which has {counted(c, 'cell')} to go"
    if rule == rules.P4:
        return f"the operator on {w.place_words(b)} stops the car on {w.place_words(a)}"
    if rule == rules.P6:
        return f"the car that rings on {w.place_words(a)} loses {counted(b, 'cell')} of its way"
    if rule == rules.CARD[t.POWERLESS_BELL]:
        return f"the flower round {w.place_words(w.middle(a))} stays, and so do the cars on it"
    return f"{w.piece_name(a)} on {w.place_words(b)} brings {c}, in all {counted(d, 'point')}"


# Why a position cannot be


COUNTS = ("turn", "acted", "placed", "scored", "owed", "scorings")


def impossible(table: CrashByCrash) -> list[str]:
    """What is wrong with the stage of the game that the table is said to be at."""
    phase = table.phase[0]
    name = DECISIONS[table.phase[0]].name
    if phase == t.SET_UP:
        return wrong_set_up(table)
    wrong = [*wrong_end(table), *wrong_counts(table)]
    if table.turn[0] == 0:
        wrong.append(f"in the phase {name} it is at least turn 1 (CB-T1)")
    if phase == t.OVER:
        return wrong
    if phase == t.ACTION:
        idle = not table.owed[0] and table.drawn.count(NOWHERE) == 2
        return (
            wrong if idle else [*wrong, "no cards are drawn before an action; write another phase, as in 'phase pile'"]
        )
    return [*wrong, *wrong_draw(table, name)]


def wrong_set_up(table: CrashByCrash) -> list[str]:
    """CB-S2: what is wrong at set-up."""
    wrong = []
    cells = [cell for cell in table.cell[: t.CARS] if cell != NOWHERE]
    numbers = [sum(cell != NOWHERE for cell in table.cell[t.FLEET * side :][: t.FLEET]) for side in range(2)]
    second = 1 - (table.first[0] & 1)
    if any(vars(table)[key][0] for key in COUNTS) or table.bound[0] != NOWHERE or any(table.gone):
        wrong.append("at set-up no turn has begun and nothing is bound, drawn or scored (CB-S2)")
    if len(cells) > 7 or numbers[1 - second] - numbers[second] != len(cells) % 2:
        wrong.append(
            f"{numbers[0]} and {numbers[1]} cars: both sides place four cars by turns, and then turn 1 begins (CB-S2)"
        )
    if len({t.TILE[cell] for cell in cells}) < len(cells):
        wrong.append("no two cars begin on the same tile (CB-S2)")
    if any(table.cell[t.FLEET * side + t.STANDARD] != NOWHERE for side in range(2)):
        wrong.append("no magnetic car is placed at set-up (CB-S2)")
    if table.asked[0] != t.seat_to_place(table):
        wrong.append(
            f"the next car is placed by {w.SEATS[t.seat_to_place(table)]}, not by {w.SEATS[table.asked[0]]} (CB-S2)"
        )
    return wrong


def wrong_end(table: CrashByCrash) -> list[str]:
    """CB-E4, CB-E5: whether the game is over or not as it should be."""
    bare = [w.SIDES[side] for side in range(2) if not rules.is_there(table.cell, 0, side)]
    at_limit = table.turn[0] == table.turn_limit[0]
    if table.phase[0] == t.OVER:
        is_over = bare or at_limit or table.scorings[0] == rules.LAST
        return [] if is_over else ["the game is not over before the seventh scoring while both sides have cars (CB-E4)"]
    if table.scorings[0] == rules.LAST:
        return ["after the seventh scoring the game is over; write 'phase over' (CB-E4)"]
    return (
        [f"{together(bare)} has no car on the floor, so the game is over; write 'phase over' (CB-E4)"] if bare else []
    )


def wrong_counts(table: CrashByCrash) -> list[str]:
    """CB-T1, CB-T2, CB-E2: what is wrong with the count of actions, placements and scorings of the turn."""
    wrong = []
    acted = table.acted[0]
    phase = table.phase[0]
    bound = table.bound[0]
    name = DECISIONS[phase].name
    if acted > 3 or (phase == t.ACTION and acted > 1) or (phase == t.REFILL and acted < 3):
        wrong.append(f"acted {acted} is not possible in the phase {name}; a turn has two actions (CB-T1)")
    if table.placed[0] > min(acted, 2):
        wrong.append(f"{table.placed[0]} cars were placed with {acted} actions (CB-T1)")
    if bound != NOWHERE and (acted == 0 or bound < t.POWERLESS_BELL or not t.copies(table, bound)):
        title = w.TITLES[bound]
        wrong.append(f"nothing is bound by {title} here: that does a blue or yellow card, played first (CB-K7)")
    scored = table.scored[0]
    if scored > table.scorings[0] or (scored and acted == 0) or (scored > 1 and table.edition[0] == t.CZECH):
        wrong.append(f"{counted(scored, 'scoring')} in this turn: that is more than can be (CB-E2)")
    if scored and table.turn[0] < rules.EARLIEST:
        wrong.append(f"a scoring in turn {table.turn[0]}: the first one comes in turn 6 at the earliest (CB-E2)")
    return wrong


def wrong_draw(table: CrashByCrash, name: str) -> list[str]:
    """CB-T4, CB-V1: what is wrong while cards are drawn."""
    phase = table.phase[0]
    owed = table.owed[0]
    held = table.held[table.asked[0]]
    drawn = 2 - table.drawn.count(NOWHERE)
    if phase in (t.DRAWING, t.REFILL) and table.players[0] == 4 or phase == t.KEEP and table.players[0] == 2:
        return [f"there is no phase {name} with {table.players[0]} players (CB-V1)"]
    if phase in (t.PILE, t.REFILL) and t.pile_size(table) == 0:
        return ["a card comes from the pile, and the pile is empty; discards are shuffled into it first (CB-T4)"]
    if phase == t.REFILL:
        full = NOWHERE not in table.display
        return (
            ["cards are turned up after those of the hand are drawn, where one is missing (CB-T4)"]
            if owed or full
            else []
        )
    if not 0 < owed <= t.HAND - held:
        return [f"{w.SEATS[table.asked[0]]} is to draw {counted(owed, 'card')} and has {held}; a hand is three (CB-T4)"]
    if table.acted[0] == 0:
        return ["cards are drawn after an action; say after how many, as in 'acted 3' (CB-T4)"]
    if phase == t.DRAWING and table.display.count(NOWHERE) == 3:
        return ["there are no face-up cards to choose from (CB-T4)"]
    fewest, most = (2, 2) if phase == t.KEEP else (0, int(phase == t.PILE and table.players[0] == 4))
    if not fewest <= drawn <= most:
        return [f"{counted(drawn, 'card')} drawn: in the phase {name} that cannot be (CB-V1)"]
    return []
