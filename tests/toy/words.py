"""Bids are 1 and 2; a gust of wind is `gust 0`, `gust 1` or `gust 2`."""

from crashlab.errors import CrashlabError
from crashlab.happen import CHANCE


def seat_name(seat):
    return "AB"[seat] if seat in (0, 1) else f"seat {seat}"


def action_text(table, seat, action):
    return f"gust {action}" if seat == CHANCE else str(action)


def read_action(table, seat, words):
    try:
        return int(str(words).removeprefix("gust "))
    except ValueError:
        raise CrashlabError(f"{words!r} is not a bid") from None
