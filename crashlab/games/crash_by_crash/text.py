"""Texts for the events of Crash by Crash, and which events are secret."""

from crashlab.engine import value_codecs
from crashlab.engine.event_words import Texts, teller
from crashlab.engine.notation import as_list, chosen
from crashlab.engine.table import NOWHERE, Row
from crashlab.engine.value_codecs import Change, Codec, fixed, numbered, seat, truth
from crashlab.games.crash_by_crash import notation as w
from crashlab.games.crash_by_crash import rules
from crashlab.games.crash_by_crash import state as t
from crashlab.games.crash_by_crash.notation import DECISIONS, PHASE, has_choice
from crashlab.games.crash_by_crash.state import CrashByCrash

# Values in events


def hand_of(index: int) -> list[object]:
    """Convert an index of `hand` for JSON: ["A", "Free Ride"]."""
    return [w.SEATS[index // t.KINDS], w.tell_card(index % t.KINDS)]


def read_hand(word: object) -> int:
    """Parse a seat and a card as an index of `hand`."""
    owner, card = as_list(word, "give a seat and a card, as in ['A', 'Free Ride']")
    return t.KINDS * chosen(owner, w.SEATS, "seat") + w.read_card(card)


# Codecs of the numbers of an event

HAND = fixed("hand", lambda index: f"{w.SEATS[index // t.KINDS]} {w.CARD_WORDS[index % t.KINDS]}", read_hand, hand_of)
CARDS, POINTS = value_codecs.counted("cards"), value_codecs.counted("score")
CHANGES = {
    "gone": Change(w.FLOWER, truth("gone")),
    "cell": Change(w.PIECE, w.CELL),
    "score": Change(w.SIDE, POINTS),
    "batteries": Change(w.SIDE, value_codecs.counted("batteries")),
    "banned": Change(w.SIDE, truth("banned")),
    "hand": Change(HAND, CARDS),
    "hand_size": Change(seat(), CARDS),
    "display": Change(numbered("place"), w.BOUND),
    "discards": Change(w.CARD, CARDS),
    "drawn": Change(numbered("place"), w.BOUND),
    "phase": Change(None, PHASE),
    "asked": Change(None, seat("asked")),
    "bound": Change(None, w.BOUND),
    **{
        name: Change(None, value_codecs.counted(name))
        for name in ("turn", "acted", "placed", "scored", "owed", "scorings")
    },
}
NOTES: dict[str, Codec[CrashByCrash]] = {
    "car": w.PIECE,
    "seat": seat(),
    "flower": w.FLOWER,
    "cell": w.CELL,
    "met": w.CELL,
    "operator": w.CELL,
    **{name: value_codecs.counted(name) for name in ("blue", "orange", "value", "total", "left", "lost", "cells")},
}


def piece_text(table: CrashByCrash, row: Row) -> str:
    """Describe the move of a piece."""
    if row.index == t.OPERATOR:
        return operator_text(table, row)
    if row.index >= t.BELL:
        return bell_text(row.before, row.after)
    if row.before == NOWHERE:
        return "{index} is placed on {after}"
    if row.after == NOWHERE:
        ways = {rules.E1: "goes home with the flower", rules.CARD[t.SABOTEUR]: "is sent home"}
        return f"{{index}} {ways.get(row.rule, 'falls off')} from {{before}}"
    verbs = {
        rules.O2: "is pushed by the operator",
        rules.M3: "is pulled by a magnet",
        rules.CARD[t.LAMBADA]: "changes places and goes",
        rules.CARD[t.FREE_RIDE]: "rides",
    }
    return f"{{index}} {verbs.get(row.rule, 'is pushed')} from {{before}} to {{after}}"


def operator_text(table: CrashByCrash, row: Row) -> str:
    """Describe a move of the operator."""
    if row.rule == rules.E1:
        return "{index} stays where the flower round {after} was"
    start = "out of the hole at" if table.gone[t.TILE[row.before]] else "from"
    goal = "into the hole at" if table.gone[t.TILE[row.after]] else "to"
    verb = "flies" if row.rule == rules.CARD[t.FLYING_DUTCHMAN] else "goes"
    return f"{{index}} {verb} {start} {{before}} {goal} {{after}}"


def bell_text(before: int, after: int) -> str:
    """Describe a bell that rings, leaves or is moved."""
    if after >= t.RINGING:
        return "the bell on {after} rings"
    if after == NOWHERE:
        return "the bell from {before} goes to the scoring card"
    is_silent = before >= t.RINGING
    return "the bell on {after} is not scored any more" if is_silent else "the bell moves from {before} to {after}"


def hand_text(table: CrashByCrash, row: Row) -> str:
    """Describe a drawn, taken, played or discarded card."""
    owner, card = w.SEATS[row.index // t.KINDS], w.TITLES[row.index % t.KINDS]
    if row.after < row.before:
        return f"{owner} {'discards' if row.rule == rules.T1 else 'plays'} {card}"
    is_drawn = row.cause == NOWHERE or row.rule == rules.V1
    return f"{owner} draws {card} from the pile" if is_drawn else f"{owner} takes {card}"


def discards_text(table: CrashByCrash, row: Row) -> str:
    """Describe cards that are discarded, or shuffled into the pile."""
    is_more = row.after > row.before
    return "{index} goes to the discards" if is_more else "shuffled into the pile: {before:discarded card} {index}"


def has_no_choice(table: CrashByCrash, phase: int) -> bool:
    """Return whether there would be only one legal action in this phase."""
    moment = table.copy()
    moment.phase[0] = phase
    return not has_choice(moment)


def phase_text(table: CrashByCrash, row: Row) -> str:
    """Describe the next decision, or the end of the game."""
    about = DECISIONS[row.after].about
    if row.after == t.OVER:
        return end_text(table)
    if row.after >= t.FIRST_CHANCE:
        return f"chance brings {about}"
    is_asked = "is not asked for: there is no choice" if has_no_choice(table, row.after) else "is asked for"
    return f"{about} {is_asked}"


def bound_text(table: CrashByCrash, row: Row) -> str:
    """CB-K7 to CB-K13: describe the second action that must follow a card."""
    duty = "bring a scoring" if rules.is_yellow(row.after) else "place a car"
    return f"the second action must {duty}, changed by {{after}}"


def end_text(table: CrashByCrash) -> str:
    """CB-E4: describe the result of the game."""
    bits = rules.winners(table)
    sides = sorted({seat & 1 for seat in range(table.players[0]) if bits >> seat & 1})
    outcome = f"{w.SIDES[sides[0]]} wins" if len(sides) == 1 else "a draw"
    return f"the game is over: {outcome}, {table.score[sides[0]]} to {table.score[1 - sides[0]]}"


def first_sums(table: CrashByCrash, row: Row) -> str:
    """CB-S2: describe the sums that decide the first turn."""
    begins = "the lower sum begins" if row.index != row.before else "in a tie the side that placed first begins"
    return f"the first cars stand on {{blue}} (blue) and {{orange}} (orange); {begins}"


TEXTS: Texts = {
    "cell": piece_text,
    "hand": hand_text,
    "discards": discards_text,
    "phase": phase_text,
    "bound": bound_text,
    "CB-S2": first_sums,
}
event_text = teller(rules.BOOK, CrashByCrash.NAMES, CHANGES, NOTES, TEXTS)


# Secrets


def is_secret(table: CrashByCrash, row: Row, seat: int) -> bool:
    """CB-T4, CB-V1: return whether an event is secret from a seat: a change of another seat's hand or drawn cards.

    Playing, taking or discarding a card is public through events of `discards` and `display`.
    """
    if row.field == rules.DRAWN:
        return seat != table.asked[0] and row.after != NOWHERE
    return row.field == rules.HANDS and row.index // t.KINDS != seat
