"""What happens in Autoscooter, in words, and why a position cannot be."""

from __future__ import annotations

from crashlab.engine import value_kinds
from crashlab.engine.notation import SEATS, counted, some, winners_words
from crashlab.engine.table import NOTE, NOWHERE, Row
from crashlab.engine.value_kinds import Change, Kind, seat, seats, truth
from crashlab.games.autoscooter import notation as w
from crashlab.games.autoscooter import rules
from crashlab.games.autoscooter import state as t
from crashlab.games.autoscooter.state import Autoscooter
from crashlab.games.boards.hexes import DIRECTIONS

# Of what kinds the numbers of an event are

CHANGES = {
    "round": Change(None, value_kinds.counted("round")),
    "asking": Change(None, value_kinds.counted("pass")),
    "box": Change(None, w.CHITS),
    "chits": Change(seat(), w.CHITS),
    "cell": Change(w.CAR, w.HEX),
    "facing": Change(w.CAR, w.DIRECTION),
    "speed": Change(w.CAR, w.SPEED),
    "plot": Change(w.CAR, w.PLOT),
    "used": Change(w.NUMBER, truth("used")),
}
NOTES: dict[str, Kind[Autoscooter]] = {
    "car": w.NOTED, "rammer": w.NOTED, "hit": w.HIT, "obstacle": w.HIT, "payer": seat("payer"), "winners": seats(),
    **{name: value_kinds.counted(name) for name in ("driven", "v", "w", "plotted", "speed", "owed", "paid", "most")},
}  # fmt: skip


def event_text(table: Autoscooter, row: Row) -> str:
    """One row of a trace in words."""
    if row.field == NOTE:
        return note_text(row.rule, *row.numbers)
    rule, index, before, after = row.rule, row.index, row.before, row.after
    name = Autoscooter.NAMES[row.field]
    car = f"car {index + 1}"
    if name == "cell":
        verb = "is shoved" if rule == rules.V1 else "drives"
        return f"{car} {verb} from {w.place_name(before)} to {w.place_name(after)}"
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
        return f"{SEATS[seat]} plans car {car + 1}: {w.plot_words(table, after)}"
    if rule == rules.R2:
        return f"car {car + 1} moves with {w.plot_words(table, before)}"
    if rule == rules.R7:
        return f"nothing is written for car {car + 1}: {w.plot_words(table, after)}"
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


# Positions that cannot be


def impossible(table: Autoscooter) -> list[str]:
    """Why nobody can have come here, or cannot go on; nothing, in a position of a game."""
    return [*wrong_numbers(table), *wrong_plots(table)]


def wrong_numbers(table: Autoscooter) -> list[str]:
    """AS-L2: a number of every car is used in every round."""
    left = t.ROUNDS + 1 - table.round[0]
    unused = {car: len(t.unused(table, car)) for car in range(t.CARS) if table.asked[car] != NOWHERE}
    return [
        f"car {car + 1} has {count} unused numbers, but in round {table.round[0]} it has {left} (AS-L2)"
        for car, count in unused.items()
        if count != left and 0 <= left <= t.ROUNDS
    ]


def wrong_plots(table: Autoscooter) -> list[str]:
    """AS-R1: plots are written in passes, so the cars that have one are those of the first passes."""
    planned = [car for car in range(t.CARS) if table.plot[car] != t.UNPLANNED]
    wrong = [w.plot_refusal(table, car, table.plot[car]) for car in planned if table.plot[car] != t.HIDDEN]
    passes = table.asking[0]
    wanted = [car for car in range(t.CARS) if NOWHERE < table.asked[car] < passes]
    if planned != wanted:
        lacking = some(car + 1 for car in wanted if car not in planned)
        wrong.append(f"all seats plan one car each in every pass (AS-R1); missing are cars {lacking}")
    if passes > max(table.asked):
        wrong.append("every car is planned; leave the last pass open, so that somebody can decide")
    if planned and table.round[0] > t.ROUNDS:
        wrong.append("the game is over, so nothing is planned")
    return [f"plots: {reason}" for reason in wrong if reason]
