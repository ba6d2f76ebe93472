from crashlab.happen import CHANCE
from toy.table import bids


def refusal(table, seat, action):
    options = [0, 1, 2] if seat == CHANCE else bids(table, seat)
    return "" if action in options else f"choose one of {options}"
