from crashlab.games.contract import listed
from crashlab.happen import HIDDEN
from toy import rules
from toy.table import NO_BID


def hide(table, seat):
    view = table.copy()
    if view.bid[1 - seat] != NO_BID:
        view.bid[1 - seat] = HIDDEN
    return view


def guess(table, rng):
    full = table.copy()
    for seat in (0, 1):
        if full.bid[seat] == HIDDEN:
            full.bid[seat] = rng.choice(listed(rules, full, seat))
    return full


def is_secret(table, row, seat):
    return (row.rule, row.field) == (rules.BID_RULE, rules.BID) and row.after != NO_BID and row.index != seat
