from crashlab.engine.contract import imagined
from toy import rules
from toy.table import NO_BID


def hide(table, seat):
    view = table.copy()
    rules.conceal(view, seat)
    return view


def guess(table, rng):
    return imagined(rules, table, rng)


def is_secret(table, row, seat):
    return (row.rule, row.field) == (rules.BID_RULE, rules.BID) and row.after != NO_BID and row.index != seat
