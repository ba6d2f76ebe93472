"""Bids are 1 and 2; a gust of wind is `gust 0`, `gust 1` or `gust 2`.

A position is the squares of both, and `windy` if the wind is next: `squares 3 4; windy`.
"""


from crashlab.engine.action_notation import Decision, thing, word_of
from crashlab.engine.position import StateFacts, flag, row
from crashlab.engine.table import CHANCE
from crashlab.engine.value_codecs import counted
from toy import rules
from toy.state import NO_BID


class Facts(StateFacts):
    squares: tuple


DECISIONS = (
    Decision("bid", "a bid", thing(counted("bid")), "who stands before the last square runs one (TOY-1)"),
    Decision("wind", "the wind", word_of("gust", "gust 0", "gust 1", "gust 2"), "it blows 0 to 2 squares (TOY-2)"),
)


def decision(table, seat):
    return DECISIONS[seat == CHANCE]


PARTS = row("squares", "the squares of both", "square", counted("square")), flag("windy", "the wind is next", "windy")


def is_secret(table, row, seat):
    return (row.rule, row.field) == (rules.BID_RULE, rules.BID) and row.after != NO_BID and row.index != seat
