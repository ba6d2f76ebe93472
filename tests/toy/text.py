
from crashlab.engine import contract
from crashlab.engine.value_codecs import Change, counted, seat, truth

CHANGES = {
    "square": Change(seat("runner"), counted("square")),
    "bid": Change(seat("runner"), counted("bid")),
    "windy": Change(None, truth("windy")),
}
NOTES = {"squares": counted("squares")}


def event_text(table, row):
    return f"row {tuple(row)}"


unreachable = contract.no_problems
