from crashlab import kinds
from crashlab.kinds import Change

CHANGES = {
    "square": Change(kinds.seat("runner"), kinds.counted("square")),
    "bid": Change(kinds.seat("runner"), kinds.counted("bid")),
    "windy": Change(None, kinds.truth("windy")),
}
NOTES = {"squares": kinds.counted("squares")}


def event_text(table, row):
    return f"row {tuple(row)}"
