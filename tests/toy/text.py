from crashlab.happen import CHANCE, HIDDEN
from crashlab.options import CrashlabError
from toy import rules
from toy.table import NO_BID, Toy, bids


def seat_name(seat):
    return "AB"[seat] if seat in (0, 1) else f"seat {seat}"


def action_text(table, seat, action):
    return f"gust {action}" if seat == CHANCE else str(action)


def read_action(table, seat, words):
    try:
        return int(str(words).removeprefix("gust "))
    except ValueError:
        raise CrashlabError(f"{words!r} is not a bid") from None


def refusal(table, seat, action):
    options = [0, 1, 2] if seat == CHANCE else bids(table, seat)
    return "" if action in options else f"choose one of {options}"


def facts(table):
    return {"squares": tuple(table.square)}


def to_dict(table):
    return {"squares": list(table.square), "windy": table.windy[0]}


def from_dict(options, data):
    table = Toy()
    table.goal[0] = options["goal"]
    table.square[:] = data["squares"]
    table.windy[0] = data.get("windy", 0)
    return table


def write(table):
    return f"{table.square[0]} {table.square[1]} {table.windy[0]}"


def read(options, line):
    first, second, windy = map(int, line.split())
    return from_dict(options, {"squares": [first, second], "windy": windy})


def hide(table, seat):
    view = table.copy()
    if view.bid[1 - seat] != NO_BID:
        view.bid[1 - seat] = HIDDEN
    return view


def guess(table, rng):
    full = table.copy()
    for seat in (0, 1):
        if full.bid[seat] == HIDDEN:
            full.bid[seat] = rng.choice(bids(full, seat))
    return full


def is_secret(table, row, seat):
    _, rule, _, field, bidder, _, after, _ = row
    return (rule, field) == (rules.BID_RULE, rules.BID) and after != NO_BID and bidder != seat


def event_text(table, row):
    return f"row {row}"
