"""Why an upgrade cannot be used at the end of a turn of Crash & Grab."""

from __future__ import annotations

from crashlab.engine.table import NOWHERE
from crashlab.games.crash_and_grab import rules
from crashlab.games.crash_and_grab import table as t
from crashlab.games.crash_and_grab.table import CrashAndGrab
from crashlab.games.crash_and_grab.upgrades import use_text
from crashlab.games.crash_and_grab.words import TITLES, saucer_name


def use_refusal(table: CrashAndGrab, action: int) -> str:
    """Why an upgrade cannot be used, or not so, at the end of this turn."""
    card = (action - 1) // rules.TARGETS
    saucer = table.turn[0]
    said = use_text(table, action - 1)
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
