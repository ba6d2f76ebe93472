"""The next decision of a table: its actors, forced decisions, and playing it.

A decision without a choice for any actor is played automatically. If only some actors have a choice, the single actions
of the others are added automatically.
"""

from collections.abc import Mapping
from typing import Any

from crashlab.engine import contract
from crashlab.engine.contract import GameRules
from crashlab.engine.table import CHANCE, NOWHERE, Table, Trace, next_beat


def seats_of(bits: int) -> tuple[int, ...]:
    """Return the seats whose bits are set; (CHANCE,) for chance."""
    return (CHANCE,) if bits == CHANCE else tuple(seat for seat in range(bits.bit_length()) if bits >> seat & 1)


def deciding(rules: GameRules[Any], table: Table) -> tuple[int, ...]:
    """Return all actors by the rules, including those with a single action."""
    return seats_of(rules.actors(table))


def weights(rules: GameRules[Any], table: Table) -> list[int]:
    """Return the weights of the outcomes of chance, in the order of `legal`."""
    out = [0] * rules.MOST_ACTIONS
    return out[: rules.odds(table, out)]


def decide(rules: GameRules[Any], table: Table, joint: Mapping[int, int], trace: Trace | None) -> dict[int, int]:
    """Play a decision of all actors, adding the only actions of those without a choice; return all actions."""
    seats = deciding(rules, table)
    whole = {seat: joint[seat] if seat in joint else contract.only(rules, table, seat) for seat in seats}
    for seat, code in whole.items():
        rules.apply(table, seat, code, trace)
    return whole


def is_forced(rules: GameRules[Any], table: Table) -> bool:
    """Return whether the game is not over and no actor has a choice."""
    seats = deciding(rules, table)
    return bool(seats) and all(contract.only(rules, table, seat) != NOWHERE for seat in seats)


def settle(rules: GameRules[Any], table: Table, trace: Trace | None) -> None:
    """Play decisions as long as no actor has a choice."""
    while is_forced(rules, table):
        next_beat(trace)
        decide(rules, table, {}, trace)
