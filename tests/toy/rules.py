from pathlib import Path

from crashlab import rulebook
from crashlab.happen import CHANCE, NOWHERE, happen, next_beat, note
from toy.table import NO_BID, Toy

BOOK = rulebook.read(str(Path(__file__).parent))
BID_RULE, GUST_RULE = BOOK.cite("TOY-1", "TOY-2")
WINDY, SQUARE, BID = Toy.numbers("windy", "square", "bid")
MOST_ACTIONS = 3


def actors(table):
    if max(table.square) >= table.goal[0]:
        return 0
    if table.windy[0]:
        return CHANCE
    return sum(1 << seat for seat in (0, 1) if table.bid[seat] == NO_BID)


def options(table, seat):
    if seat == CHANCE:
        return [0, 1, 2]
    return [1] if table.square[seat] == table.goal[0] - 1 else [1, 2]


def legal(table, seat, out):
    found = options(table, seat)
    out[: len(found)] = found
    return len(found)


def draw(table, seat, luck, out):
    return out[luck * legal(table, seat, out) >> 31]


def forced(table, seat):
    found = options(table, seat)
    return found[0] if len(found) == 1 else NOWHERE


def odds(table, out):
    out[:3] = [1, 2, 1]
    return 3


def score(table, seat):
    return table.square[seat]


def winners(table):
    """Who has reached the goal: not always the one with the best score of a longer race."""
    return sum(1 << seat for seat in (0, 1) if table.square[seat] >= table.goal[0])


def apply(table, seat, action, trace):
    if seat == CHANCE:
        gust = note(GUST_RULE, NOWHERE, action, 0, 0, 0, trace)
        happen(table.windy, WINDY, 0, 0, GUST_RULE, gust, trace)
        for runner in (0, 1):
            happen(table.square, SQUARE, runner, table.square[runner] + action, GUST_RULE, gust, trace)
        return
    happen(table.bid, BID, seat, action, BID_RULE, NOWHERE, trace)
    if actors(table) == 0:
        next_beat(trace)
        for runner in (0, 1):
            happen(table.square, SQUARE, runner, table.square[runner] + table.bid[runner], BID_RULE, NOWHERE, trace)
            happen(table.bid, BID, runner, NO_BID, BID_RULE, NOWHERE, trace)
        happen(table.windy, WINDY, 0, 1, BID_RULE, NOWHERE, trace)
