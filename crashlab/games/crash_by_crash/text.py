"""What happens in Crash by Crash, in words, and why a position cannot be."""

from __future__ import annotations

from crashlab.engine import value_codecs
from crashlab.engine.event_words import Texts, teller
from crashlab.engine.notation import as_list, chosen, counted, together
from crashlab.engine.table import NOWHERE, Row
from crashlab.engine.value_codecs import Change, Codec, fixed, numbered, seat, truth
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

HAND = fixed("hand", lambda index: f"{w.SEATS[index // t.KINDS]} {w.CARD_WORDS[index % t.KINDS]}", read_hand, hand_of)
CARDS, POINTS = value_codecs.counted("cards"), value_codecs.counted("score")
CHANGES = {
    "gone": Change(w.FLOWER, truth("gone")),
    "cell": Change(w.PIECE, w.CELL),
    "score": Change(w.SIDE, POINTS),
    "batteries": Change(w.SIDE, value_codecs.counted("batteries")),
    "banned": Change(w.SIDE, truth("banned")),
    "hand": Change(HAND, CARDS),
    "held": Change(seat(), CARDS),
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
    "car": w.PIECE, "seat": seat(), "flower": w.FLOWER, "cell": w.CELL, "met": w.CELL, "operator": w.CELL,
    **{name: value_codecs.counted(name) for name in ("blue", "orange", "value", "total", "left", "lost", "cells")},
}  # fmt: skip


def piece_text(table: CrashByCrash, row: Row) -> str:
    """A piece comes to another place, in words."""
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
    """The operator goes somewhere, in words."""
    if row.rule == rules.E1:
        return "{index} stays where the flower round {after} was"
    start = "out of the hole at" if table.gone[t.TILE[row.before]] else "from"
    goal = "into the hole at" if table.gone[t.TILE[row.after]] else "to"
    verb = "flies" if row.rule == rules.CARD[t.FLYING_DUTCHMAN] else "goes"
    return f"{{index}} {verb} {start} {{before}} {goal} {{after}}"


def bell_text(before: int, after: int) -> str:
    """A bell rings, goes or is moved, in words."""
    if after >= t.RINGING:
        return "the bell on {after} rings"
    if after == NOWHERE:
        return "the bell from {before} goes to the scoring card"
    is_silent = before >= t.RINGING
    return "the bell on {after} is not scored any more" if is_silent else "the bell moves from {before} to {after}"


def hand_text(table: CrashByCrash, row: Row) -> str:
    """A card comes into a hand or leaves it, in words."""
    owner, card = w.SEATS[row.index // t.KINDS], w.TITLES[row.index % t.KINDS]
    if row.after < row.before:
        return f"{owner} {'discards' if row.rule == rules.T1 else 'plays'} {card}"
    is_drawn = row.cause == NOWHERE or row.rule == rules.V1
    return f"{owner} draws {card} from the pile" if is_drawn else f"{owner} takes {card}"


def discards_text(table: CrashByCrash, row: Row) -> str:
    """Cards go to the discards, or are shuffled into the pile, in words."""
    is_more = row.after > row.before
    return "{index} goes to the discards" if is_more else "shuffled into the pile: {before:discarded card} {index}"


def has_no_choice(table: CrashByCrash, phase: int) -> bool:
    """Whether there would be one answer only if this were asked now."""
    moment = table.copy()
    moment.phase[0] = phase
    return not has_choice(moment)


def phase_text(table: CrashByCrash, row: Row) -> str:
    """What is asked now, in words."""
    about = DECISIONS[row.after].about
    if row.after == t.OVER:
        return end_text(table)
    if row.after >= t.FIRST_CHANCE:
        return f"chance brings {about}"
    is_asked = "is not asked for: there is no choice" if has_no_choice(table, row.after) else "is asked for"
    return f"{about} {is_asked}"


def bound_text(table: CrashByCrash, row: Row) -> str:
    """CB-K7 to CB-K13: what must follow, in words."""
    wanted = "bring a scoring" if rules.is_yellow(row.after) else "place a car"
    return f"the second action must {wanted}, changed by {{after}}"


def end_text(table: CrashByCrash) -> str:
    """CB-E4: who has won."""
    bits = rules.winners(table)
    sides = sorted({seat & 1 for seat in range(table.players[0]) if bits >> seat & 1})
    won = f"{w.SIDES[sides[0]]} wins" if len(sides) == 1 else "a draw"
    return f"the game is over: {won}, {table.score[sides[0]]} to {table.score[1 - sides[0]]}"


def first_sums(table: CrashByCrash, row: Row) -> str:
    """CB-S2: who begins, in words."""
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


# Why a position cannot be


COUNTS = ("turn", "acted", "placed", "scored", "owed", "scorings")


def unreachable(table: CrashByCrash) -> list[str]:
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
            f"{numbers[0]} and {numbers[1]} cars: both sides take turns placing four cars each,"
            " and then turn 1 begins (CB-S2)"
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
        wrong.append(f"{title} binds nothing here: only a blue or yellow card, played first, does (CB-K7)")
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
