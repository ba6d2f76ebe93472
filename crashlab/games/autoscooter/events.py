"""What happens in Autoscooter, in words."""

from __future__ import annotations

from crashlab.engine import words as kinds
from crashlab.engine.notation import SEATS, counted, winners_words
from crashlab.engine.table import NOTE, Row
from crashlab.engine.words import Change, Kind, seat, seats, truth
from crashlab.games.autoscooter import rules
from crashlab.games.autoscooter import table as t
from crashlab.games.autoscooter import words as w
from crashlab.games.autoscooter.table import Autoscooter
from crashlab.games.boards.hexes import DIRECTIONS

# Of what kinds the numbers of an event are

CHANGES = {
    "round": Change(None, kinds.counted("round")),
    "asking": Change(None, kinds.counted("pass")),
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
    **{name: kinds.counted(name) for name in ("driven", "v", "w", "plotted", "speed", "owed", "paid", "most")},
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
