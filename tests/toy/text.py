from crashlab.engine.value_codecs import Change, counted, seat, truth
from toy import rules
from toy.state import NO_BID

CHANGES = {
    "square": Change(seat("runner"), counted("square")),
    "bid": Change(seat("runner"), counted("bid")),
    "windy": Change(None, truth("windy")),
}
NOTES = {"squares": counted("squares")}


def event_text(table, row):
    return f"row {tuple(row)}"


def is_secret(table, row, seat):
    return (row.rule, row.field) == (rules.BID_RULE, rules.BID) and row.after != NO_BID and row.index != seat
