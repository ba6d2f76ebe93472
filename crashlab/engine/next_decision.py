"""How a table goes on: who decides, what is forced, what a decision brings about.

A decision in which nobody has a choice is taken by itself; where some have one, the others' only action is taken with
theirs.
"""

from collections.abc import Mapping
from typing import Any

from crashlab.engine import contract
from crashlab.engine.contract import GameRules
from crashlab.engine.table import CHANCE, NOWHERE, Table, Trace, next_beat


def seats_of(bits: int) -> tuple[int, ...]:
    """The seats whose bits are set; (CHANCE,) for chance."""
    return (CHANCE,) if bits == CHANCE else tuple(seat for seat in range(bits.bit_length()) if bits >> seat & 1)


def deciding(rules: GameRules[Any], table: Table) -> tuple[int, ...]:
    """The actors that the rules ask, also those with one option only."""
    return seats_of(rules.actors(table))


def weights(rules: GameRules[Any], table: Table) -> list[int]:
    """At a decision of chance: how heavy each outcome is, in the order of `legal`."""
    out = [0] * rules.MOST_ACTIONS
    return out[: rules.odds(table, out)]


def decide(rules: GameRules[Any], table: Table, joint: Mapping[int, int], trace: Trace | None) -> dict[int, int]:
    """Play one decision of all who are asked; who has one option takes it. What all did is returned."""
    seats = deciding(rules, table)
    whole = {seat: joint[seat] if seat in joint else contract.only(rules, table, seat) for seat in seats}
    for seat, code in whole.items():
        rules.apply(table, seat, code, trace)
    return whole


def is_forced(rules: GameRules[Any], table: Table) -> bool:
    """Whether somebody decides and nobody has a choice."""
    seats = deciding(rules, table)
    return bool(seats) and all(contract.only(rules, table, seat) != NOWHERE for seat in seats)


def settle(rules: GameRules[Any], table: Table, trace: Trace | None) -> None:
    """Take every decision in which nobody has a choice."""
    while is_forced(rules, table):
        next_beat(trace)
        decide(rules, table, {}, trace)
