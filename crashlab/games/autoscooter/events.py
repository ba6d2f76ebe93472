"""What happens in Autoscooter, in words."""

from __future__ import annotations

from crashlab.boards.hexes import DIRECTIONS
from crashlab.games.autoscooter import rules
from crashlab.games.autoscooter import table as t
from crashlab.games.autoscooter.table import Autoscooter
from crashlab.games.autoscooter.words import SEATS, action_text, place_name
from crashlab.happen import NOWHERE
from crashlab.notation import (
    counted,
    winners_words,
)


def event_text(table: Autoscooter, row: tuple[int, ...]) -> str:
    """One row of a trace in words."""
    _, rule, _, field, index, before, after, last = row
    if field == NOWHERE:
        return note_text(rule, index, before, after, last)
    name = Autoscooter.NAMES[field]
    car = f"car {index + 1}"
    if name == "cell":
        verb = "is shoved" if rule == rules.V1 else "drives"
        return f"{car} {verb} from {place_name(before)} to {place_name(after)}"
    if name == "facing":
        return turn_text(car, rule, (after - before) % 6, after)
    if name == "speed":
        return f"{car} stops (speed {before} to 0)" if after == 0 else f"{car} goes from speed {before} to {after}"
    if name == "chits":
        verb = "gets" if after > before else "pays"
        return f"{SEATS[index]} {verb} {counted(abs(after - before), 'chit')} ({before} to {after})"
    if name == "box":
        return f"{counted(after - before, 'chit')} into the box ({before} to {after})"
    if name == "used":
        return f"number {t.numbers(table, index // t.ROUNDS)[index % t.ROUNDS]} is crossed out"
    if name == "round":
        return f"round {before} is over" + (f", round {after} begins" if after <= t.ROUNDS else "")
    if name == "asking":
        if after == 0:
            return "the next round is to be planned" if table.round[0] < t.ROUNDS else "nothing is left to plan"
        return "everybody has planned" if after > max(table.asked) else f"pass {after} of planning is complete"
    return plot_event_text(table, rule, index, before, after)


def turn_text(car: str, rule: int, sixths: int, facing: int) -> str:
    """A turn in words."""
    verb = "is turned" if rule == rules.C4 else "turns"
    how = {1: "60° left", 2: "120° left", 3: "round", 4: "120° right", 5: "60° right"}[sixths]
    return f"{car} {verb} {how}, now facing {DIRECTIONS[facing]}"


def plot_event_text(table: Autoscooter, rule: int, car: int, before: int, after: int) -> str:
    """What happens to a plot, in words."""
    seat = table.driver[car]
    if rule == rules.R1:
        return f"{SEATS[seat]} plans car {car + 1}: {action_text(table, seat, after)}"
    if rule == rules.R2:
        return f"car {car + 1} moves with {action_text(table, seat, before)}"
    if rule == rules.R7:
        return f"nothing is written for car {car + 1}: {action_text(table, seat, after)}"
    return f"car {car + 1} stands, so it will turn before it drives"


def note_text(rule: int, a: int, b: int, c: int, d: int) -> str:
    """A note in words."""
    if rule == rules.R4:
        obstacle = f"car {b}" if b else "the barrier"
        return f"car {a} is stopped by {obstacle} after {c} of {d} hexes"
    if rule == rules.R6:
        then = f"straight on at {c}" if c else "it stays"
        return f"the plot of car {a} (speed {b}) no longer fits its speed {c}: {then}"
    if rule == rules.R8:
        return f"car {a} has speed {c} now, but drives at {b} as planned"
    if rule == rules.C7:
        return f"{SEATS[a]} owes {counted(b, 'chit')} and has only {c}"
    if rule == rules.V1:
        return f"car {a} is shoved"
    if rule == rules.E1:
        return f"the game is over: {winners_words(b)} with {counted(a, 'chit')}"
    if rule == rules.C5:
        return f"car {a} at speed {c} runs into {f'the driverless car {b}' if b else 'the barrier'}"
    if rule == rules.C2:
        return f"car {a} at speed {c} hits car {b}, which stands"
    side = {rules.C1: "the front", rules.C3: "the rear", rules.C4: "the side"}[rule]
    return f"car {a} at speed {c} hits {side} of car {b} at speed {d}"
