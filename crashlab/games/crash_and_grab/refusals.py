"""Why an action of Crash & Grab cannot be played now."""

from __future__ import annotations

from crashlab.games.crash_and_grab import rules
from crashlab.games.crash_and_grab import table as t
from crashlab.games.crash_and_grab.table import CrashAndGrab
from crashlab.games.crash_and_grab.words import TITLES, action_text, saucer_name
from crashlab.happen import NOWHERE
from crashlab.notation import (
    some,
)


def refusal(table: CrashAndGrab, seat: int, action: int) -> str:
    """Why this seat cannot answer so now; empty if it can."""
    out = [0] * rules.MOST_ACTIONS
    legal = out[: rules.legal(table, seat, out)]
    if action in legal:
        return ""
    phase, said = table.phase[0], action_text(table, seat, action)
    if phase == t.END:
        return end_refusal(table, action, said)
    if phase in REFUSALS:
        reason = REFUSALS[phase]
        return f"{said} is not possible: {reason}; possible: {listed(table, seat, legal)}"
    return f"{said} is no answer here; possible: {listed(table, seat, legal)}"


REFUSALS = {
    t.PLAN: "a plan is a card and a direction (CG-R1)",
    t.PILOT_CHOICE: "it must be an own saucer (CG-S5)",
    t.BOOSTER_CHOICE: "it must be an own saucer (CG-S5)",
    t.FIRST: "it must be an own saucer (CG-R2)",
    t.SITE: "a saucer comes to a free crash site (CG-U13)",
    t.STEP: "the step leads to an adjacent empty space (CG-U1)",
    t.DISTANCE: "2 and 3 go exactly so far, 0-5 up to 5 (CG-M1), and only Hyperdrive doubles (CG-U9)",
    t.LEG: "off an accelerator it is 1 to 4, with Hyperdrive 6 or 8, or the normal distance (CG-U21)",
    t.EXCHANGE: "it must stand on the board (CG-U20)",
    t.PASS: "it must be aboard a partner that was adjacent to the saucer of its colour (CG-W4)",
    t.BOOST: "a boost goes as far as the card (CG-M7), or 1 to 6 with Boost Amplifier (CG-U22)",
    t.PENALTY: "an off-coloured own one goes to an opponent with the fewest stationed (CG-C1)",
    t.REWARD: "only an off-coloured crewmember of the crashed saucer is stolen, if it has enough stationed (CG-C2)",
    t.REFILL: "a crewmember of this colour must be waiting (CG-W3)",
    t.DRAW: "it is not in the deck (CG-H1)",
    t.KEEP: "it was not drawn (CG-H1)",
    t.SET_UP_DIE: "the die shows 1 to 12 (CG-P1)",
    t.DIE: "the die shows 1 to 12 (CG-P1)",
    t.REFILL_DIE: "the die shows 1 to 12 (CG-P1)",
}


def listed(table: CrashAndGrab, seat: int, legal: list[int]) -> str:
    """Some legal answers in words."""
    words = [action_text(table, seat, action) for action in legal[:8]]
    return some(words) + (", ..." if len(legal) > 8 else "")


def end_refusal(table: CrashAndGrab, action: int, said: str) -> str:
    """Why an upgrade cannot be used, or not so, at the end of this turn."""
    card, saucer = (action - 1) // rules.TARGETS, table.turn[0]
    if not 0 <= card < t.CARDS:
        return f"{said} is no upgrade (CG-S6)"
    title, rule = TITLES[card], rules.BOOK[rules.UPGRADE[card]].id
    if table.holder[card] != saucer:
        return f"{saucer_name(saucer)} does not have {title} (CG-H2)"
    if table.fresh[card]:
        return f"{title} was bought in this turn and works when it is over (CG-H1)"
    if table.spent[card]:
        return f"{title} was already used in this turn (CG-H2)"
    if not rules.targets(card):
        return f"{title} is not for the end of a turn ({rule})"
    may_jump = table.cloaked[0] and card in (t.TELEPORTER, t.TRIANGULATOR)
    if table.cell[saucer] == NOWHERE and card not in (t.DISTRESS, t.QUAKE) and not may_jump:
        return f"{saucer_name(saucer)} is off the board, so {said} is not possible ({rule})"
    if card == t.TRIANGULATOR and table.gained[0]:
        return f"{saucer_name(saucer)} has gained a crewmember in this turn ({rule})"
    return f"{said} is not possible: {title} cannot be used on that ({rule})"
