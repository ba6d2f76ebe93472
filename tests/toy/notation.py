"""Bids are 1 and 2; a gust of wind is `gust 0`, `gust 1` or `gust 2`."""

from crashlab.engine.action_notation import Decision, thing, word_of
from crashlab.engine.table import CHANCE
from crashlab.engine.value_codecs import counted

DECISIONS = (
    Decision("bid", "a bid", thing(counted("bid")), "who stands before the last square runs one (TOY-1)"),
    Decision("wind", "the wind", word_of("gust", "gust 0", "gust 1", "gust 2"), "it blows 0 to 2 squares (TOY-2)"),
)


def decision(table, seat):
    return DECISIONS[seat == CHANCE]
