from pathlib import Path

from crashlab.engine import rulebook
from crashlab.engine.chance import next_luck
from crashlab.engine.table import CHANCE, HIDDEN, NOWHERE, happen, next_beat, note
from toy.state import NO_BID, Toy

BOOK = rulebook.read(str(Path(__file__).parent))
BID_RULE, GUST_RULE = BOOK.cite("TOY-1", "TOY-2")
WINDY, SQUARE, BID = Toy.numbers("windy", "square", "bid")
GUSTS = (1, 2, 1)  # weights of 0, 1 and 2 squares
MOST_ACTIONS = LETTERS = 3
HORIZON = 12
EXPLORATION = 0.5


def actors(table):
    if max(table.square[0], table.square[1]) >= table.goal[0]:
        return 0
    if table.windy[0]:
        return CHANCE
    return (table.bid[0] == NO_BID) + 2 * (table.bid[1] == NO_BID)


def legal(table, seat, out):
    if seat == CHANCE:
        out[0], out[1], out[2] = 0, 1, 2
        return 3
    out[0], out[1] = 1, 2
    return 1 if table.square[seat] == table.goal[0] - 1 else 2


def odds(table, out):
    for gust in range(3):
        out[gust] = GUSTS[gust]
    return 3


def score(table, seat):
    return table.square[seat]


def winners(table):
    """Return the seats at the goal; in a longer race these are not always the seats with the best score."""
    return (table.square[0] >= table.goal[0]) + 2 * (table.square[1] >= table.goal[0])


def apply(table, seat, action, trace):
    if seat == CHANCE:
        gust = note(GUST_RULE, NOWHERE, action, 0, 0, 0, trace)
        happen(table.windy, WINDY, 0, 0, GUST_RULE, gust, trace)
        for runner in range(2):
            happen(table.square, SQUARE, runner, table.square[runner] + action, GUST_RULE, gust, trace)
        return
    happen(table.bid, BID, seat, action, BID_RULE, NOWHERE, trace)
    if actors(table) == 0:
        next_beat(trace)
        for runner in range(2):
            happen(table.square, SQUARE, runner, table.square[runner] + table.bid[runner], BID_RULE, NOWHERE, trace)
            happen(table.bid, BID, runner, NO_BID, BID_RULE, NOWHERE, trace)
        happen(table.windy, WINDY, 0, 1, BID_RULE, NOWHERE, trace)


def observe(view, seat):
    if view.bid[1 - seat] != NO_BID:
        happen(view.bid, BID, 1 - seat, HIDDEN, BID_RULE, NOWHERE, None)


def determinize(view, luck, out):
    for seat in range(2):
        if view.bid[seat] == HIDDEN:
            happen(view.bid, BID, seat, out[next_luck(luck) * legal(view, seat, out) >> 31], BID_RULE, NOWHERE, None)
