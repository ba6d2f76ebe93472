"""Autoscooter in words: plots, positions and events as text, JSON, and back.

A plot is `17 FLF`, `17 P` or `-`. A position is one line, for example

    round 2; cars 1:21E2 2:34NW1 5:23SE2; chits A20 B18 C20 D20; box 2; used 1 2 5; plots 17 FLF, #2 ?

where `1:21E2` is car 1 on hex (2, 1), facing E at speed 2, and `#2 ?` a plot that the onlooker may not see. The same
as JSON; everything but the cars may be left out:

    {"round": 2, "cars": {"1": {"hex": [2, 1], "facing": "E", "speed": 2}, "2": "34NW1", "5": "23SE2"},
     "chits": {"B": 18}, "box": 2, "plots": {"1": "17 FLF", "2": "?"}}

A car may also have `"unused": [16, 17, ...]`; by default it still has the last numbers of its column. Chits are by
default those of the start, and the box takes what is missing. A position must be possible: one car a hex, no car
without driver at speed, nothing lost of the chits, and as many unused numbers as rounds are left.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from crashlab.boards.hexes import DIRECTIONS
from crashlab.chance import Random
from crashlab.games.autoscooter import rules
from crashlab.games.autoscooter.table import (
    ABOUT_FACE,
    CARS,
    CELL,
    CHITS,
    CODES,
    HEXES,
    HIDDEN,
    NOBODY,
    NOTHING,
    PIVOT,
    ROUNDS,
    SEQUENCES,
    SPEEDS,
    STRAIGHT,
    UNPLANNED,
    Autoscooter,
    empty,
    numbers,
    problems,
    put,
    unused,
    used,
)
from crashlab.happen import NOWHERE
from crashlab.notation import (
    as_list,
    called,
    check_keys,
    chosen,
    counted,
    fields,
    named_values,
    pieces,
    read_seat,
    refuse,
    sections,
    some,
    unique,
    whole,
    winners_words,
)
from crashlab.options import CrashlabError, Value, shown, told

SEATS = "ABCDEFGH"
KEYS = ("round", "cars", "chits", "box", "used", "plots")


def seat_name(seat: int) -> str:
    """A to H."""
    return called(SEATS, seat, "seat")


def place_name(cell: int) -> str:
    """(row, column); `off the board` for a car that is nowhere."""
    return f"({HEXES[cell][0]},{HEXES[cell][1]})" if cell != NOWHERE else "off the board"


# Plots


def action_text(table: Autoscooter, seat: int, action: int) -> str:
    """The plot in notation."""
    if action == NOTHING:
        return "-"
    number, manoeuvre = divmod(action, CODES)
    if manoeuvre == STRAIGHT:
        return f"{number} straight on"
    return f"{number} {'P' if manoeuvre == ABOUT_FACE else SEQUENCES[manoeuvre % PIVOT]}"


def read_action(table: Autoscooter, seat: int, words: object) -> int:
    """The action that these words mean, legal or not; None and `-` mean that nothing is written."""
    if words is None or (isinstance(words, str) and words.strip() == "-"):
        return NOTHING
    found = re.fullmatch(r"\s*([0-9]{1,2})\s*([A-Za-z]{1,4})\s*", words) if isinstance(words, str) else None
    if not found:
        raise CrashlabError(
            f"cannot read the plot {shown(words)}: write a number and a manoeuvre, as in '17 FLF', or '-'"
        )
    number, manoeuvre = int(found[1]), found[2].upper()
    if number == 0:
        raise CrashlabError(f"cannot read the plot {shown(words)}: the numbers are 1 to 88 (AS-L1); '-' writes nothing")
    if manoeuvre == "P":
        return number * CODES + ABOUT_FACE
    if manoeuvre not in SEQUENCES:
        raise CrashlabError(
            f"there is no manoeuvre {manoeuvre!r} (AS-M2): choose one of {', '.join(SEQUENCES)}, or P at a standstill"
        )
    return number * CODES + SEQUENCES.index(manoeuvre)


def refusal(table: Autoscooter, seat: int, action: int) -> str:
    """Why this seat cannot write this plot now; empty if it can."""
    if action == NOTHING:
        return ""
    car = rules.car_asked(table, seat)
    number, manoeuvre = divmod(action, CODES)
    speed = table.speed[car]
    if number not in numbers(table, car):
        return f"{number} is not a number of car {car + 1}; unused are {some(unused(table, car))} (AS-L1)"
    if number not in unused(table, car):
        return f"{number} is already used; car {car + 1} still has {some(unused(table, car))} (AS-L2)"
    if not 0 <= manoeuvre <= ABOUT_FACE:
        return f"there is no manoeuvre with code {manoeuvre}"
    if manoeuvre == ABOUT_FACE and not rules.fits(table, car, manoeuvre):
        why = f"car {car + 1} has speed {speed}" if speed else "option standstill is not about_face"
        return f"P is for a standing car with standstill='about_face' only (AS-M5): {why}"
    if not rules.fits(table, car, manoeuvre):
        allowed = some(v for v in (1, 2, 3) if abs(v - speed) <= 1)
        return (
            f"{SEQUENCES[manoeuvre]} is speed {SPEEDS[manoeuvre]}, but car {car + 1} has speed {speed}"
            f" and may plot speed {allowed} (AS-M3)"
        )
    return ""


# Positions


@dataclass(frozen=True)
class Car:
    """A car as a person sees it; `driver` is a seat or None."""

    number: int
    hex: tuple[int, int]
    facing: str
    speed: int
    driver: int | None
    unused: tuple[int, ...]


def facts(table: Autoscooter) -> dict[str, object]:
    """What a state tells by name: `state.cars`, `state.round`, `state.box`."""
    cars = {
        car + 1: Car(
            car + 1,
            HEXES[table.cell[car]],
            DIRECTIONS[table.facing[car]],
            table.speed[car],
            table.driver[car] if table.driver[car] != NOBODY else None,
            unused(table, car),
        )
        for car in range(CARS)
        if table.cell[car] != NOWHERE
    }
    return {"cars": cars, "round": table.round[0], "box": table.box[0]}


def to_dict(table: Autoscooter) -> dict[str, Any]:
    """The position as plain JSON."""
    data: dict[str, Any] = {"round": table.round[0], "cars": {}}
    for car in range(CARS):
        if table.cell[car] != NOWHERE:
            entry = data["cars"][str(car + 1)] = {
                "hex": list(HEXES[table.cell[car]]),
                "facing": DIRECTIONS[table.facing[car]],
                "speed": table.speed[car],
            }
            if table.driver[car] != NOBODY:
                entry["unused"] = list(unused(table, car))
    data["chits"] = {SEATS[seat]: table.chits[seat] for seat in range(table.players[0])}
    data["box"] = table.box[0]
    data["plots"] = {str(car + 1): plot_text(table, car) for car in range(CARS) if table.plot[car] != UNPLANNED}
    if not data["plots"]:
        del data["plots"]
    return data


def plot_text(table: Autoscooter, car: int) -> str:
    """A car's plot in notation, `?` if it is hidden."""
    return "?" if table.plot[car] == HIDDEN else action_text(table, table.driver[car], table.plot[car])


def write(table: Autoscooter) -> str:
    """The position as one line."""
    data = to_dict(table)
    cars = " ".join(
        f"{car}:{entry['hex'][0]}{entry['hex'][1]}{entry['facing']}{entry['speed']}"
        for car, entry in data["cars"].items()
    )
    chits = " ".join(f"{seat}{count}" for seat, count in data["chits"].items())
    crossed = " ".join(map(str, used(table))) or "none"
    line = f"round {data['round']}; cars {cars}; chits {chits}; box {data['box']}; used {crossed}"
    plots = ", ".join(f"#{car} {plot}" if plot in ("-", "?") else plot for car, plot in data.get("plots", {}).items())
    return f"{line}; plots {plots}" if plots else line


def read(options: Mapping[str, Value], line: str) -> Autoscooter:
    """The table of a position in one line; refused with the reason if it is malformed or impossible."""
    data = {key: read_section(options, key, rest) for key, rest in sections(line, KEYS).items()}
    return from_dict(options, data)


def read_section(options: Mapping[str, Value], key: str, rest: str) -> object:
    """One part of a position's line, as it would stand in JSON."""
    if key in ("round", "box"):
        return whole(rest, key)
    if key == "used":
        return [] if rest == "none" else [whole(word, "used") for word in rest.split()]
    if key == "cars":
        pairs = (word.partition(":") for word in rest.split())
        return unique("cars", [(car, spot) for car, _, spot in pairs])
    if key == "chits":
        return unique("chits", [(word[:1], whole(word[1:], f"the chits of {word[:1]}")) for word in rest.split()])
    plots: list[tuple[str, object]] = []
    for plot in pieces(rest, ","):
        named = re.fullmatch(r"#([0-9])\s*(.*)", plot)
        plots.append((named[1], named[2]) if named else (str(car_of(options, plot) + 1), plot))
    return unique("plots", plots)


def car_of(options: Mapping[str, Value], plot: str) -> int:
    """The car that a plot's number names (AS-M4)."""
    number = read_action(empty(options), 0, plot) // CODES
    for car in range(CARS):
        if number in numbers(empty(options), car):
            return car
    raise CrashlabError(f"{shown(plot)}: the numbers on the log sheet are 1 to 88 (AS-L1)")


def from_dict(options: Mapping[str, Value], data: Mapping[str, Any]) -> Autoscooter:
    """The table of a position in JSON; refused with the reason if it is malformed or impossible."""
    check_keys(data, KEYS)
    cars, plots = named_values(data, "cars"), named_values(data, "plots")
    if not cars:
        raise CrashlabError('position: at least one car is needed, as in {"cars": {"1": "21E2"}}')
    table = empty(options)
    table.round[0] = whole(data.get("round", 1), "round")
    if not 1 <= table.round[0] <= ROUNDS + 1:
        raise CrashlabError(f"round: {table.round[0]} is not a round; 1 to {ROUNDS}, or {ROUNDS + 1} when it is over")
    for name in sorted(cars, key=told):
        place_car(table, name, cars[name])
    fill_purses(table, data)
    crossed = used_numbers(data["used"]) if "used" in data else None
    for car in range(CARS):
        if table.asked[car] != NOWHERE:
            cross_out(table, car, unused_wanted(table, car, cars, crossed))
    if crossed not in (None, used(table)):
        raise CrashlabError(f"used: {some(crossed)} are not the numbers that these cars have used (AS-L2)")
    refuse(problems(table))
    for name, plot in plots.items():
        place_plot(table, name, plot)
    settle_pass(table)
    return table


def car_number(name: object) -> int:
    """The car (from 0) that a person calls 1 to 8."""
    if told(name) not in tuple("12345678"):
        raise CrashlabError(f"car {shown(name)}: cars are 1 to 8")
    return int(told(name)) - 1


def place_car(table: Autoscooter, name: object, entry: object) -> None:
    """Stand one car on the board, from JSON or from `21E2`."""
    car = car_number(name)
    if isinstance(entry, str):
        found = re.fullmatch(r"([0-9])([0-9])(E|NE|NW|W|SW|SE)([0-9])", entry)
        if not found:
            raise CrashlabError(f"car {name}: cannot read {shown(entry)}; hex, facing and speed are written like 21E2")
        entry = {"hex": [int(found[1]), int(found[2])], "facing": found[3], "speed": int(found[4])}
    entry = fields(entry, ("hex", "facing", "speed", "unused"), f"car {name}", "21E2")
    place = entry.get("hex")
    spot = tuple(place) if isinstance(place, (list, tuple)) and all(type(part) is int for part in place) else ()
    if spot not in HEXES:
        raise CrashlabError(
            f"car {name}: there is no hex {shown(place)}; rows are 0 to 6, columns 0 to 4, and 5 in odd rows (AS-B2)"
        )
    facing = chosen(entry.get("facing"), DIRECTIONS, f"car {name}, facing")
    if table.cell[car] != NOWHERE:
        raise CrashlabError(f"cars: {name} stands twice")
    if "unused" in entry and table.driver[car] == NOBODY:
        raise CrashlabError(f"car {name}: nobody drives it, so it has no numbers (AS-S3)")
    speed = whole(entry.get("speed", 0), f"car {name}, speed")
    put(table, car, CELL[spot], facing, speed)


def fill_purses(table: Autoscooter, data: Mapping[str, Any]) -> None:
    """Chits as given, by default as at the start; the box by default takes what is missing."""
    players = table.players[0]
    purses = ((read_seat(name, players, "chits"), chits) for name, chits in named_values(data, "chits").items())
    for seat, chits in unique("chits", purses, seat_name).items():
        table.chits[seat] = whole(chits, f"chits of {seat_name(seat)}")
    missing = players * CHITS[players] - sum(table.chits)
    table.box[0] = whole(data["box"], "box") if "box" in data else max(missing, 0)


def used_numbers(entry: object) -> list[int]:
    """The numbers that a position calls used, in order."""
    return sorted(whole(number, "used") for number in as_list(entry, "used: a list of numbers is wanted"))


def unused_wanted(table: Autoscooter, car: int, cars: Mapping[Any, Any], crossed: list[int] | None) -> list[int]:
    """The numbers that the position leaves this car; by default its last ones in the order of the sheet (AS-S2)."""
    own = numbers(table, car)
    entry = cars[str(car + 1)] if str(car + 1) in cars else cars.get(car + 1)
    if isinstance(entry, Mapping) and "unused" in entry:
        where = f"car {car + 1}, unused"
        wanted = [whole(number, where) for number in as_list(entry["unused"], f"{where}: a list of numbers is wanted")]
    elif crossed is not None:
        wanted = [number for number in own if number not in crossed]
    else:
        wanted = list(own[table.round[0] - 1 :])
    for number in wanted:
        if number not in own or wanted.count(number) > 1:
            raise CrashlabError(f"car {car + 1}: its numbers are {some(own)}, each once (AS-L1), not {number}")
    if len(wanted) != ROUNDS + 1 - table.round[0]:
        raise CrashlabError(
            f"car {car + 1} has {len(wanted)} unused numbers, but in round {table.round[0]} it has"
            f" {ROUNDS + 1 - table.round[0]} (AS-L2)"
        )
    return wanted


def cross_out(table: Autoscooter, car: int, wanted: list[int]) -> None:
    """Mark all numbers of the car as used but these."""
    for row, number in enumerate(numbers(table, car)):
        table.used[ROUNDS * car + row] = int(number not in wanted)


def place_plot(table: Autoscooter, name: object, plot: object) -> None:
    """Write the plot of one car that stands in the position."""
    car = car_number(name)
    if table.asked[car] == NOWHERE:
        raise CrashlabError(f"plots: car {name} has no driver or is not on the board")
    if table.plot[car] != UNPLANNED:
        raise CrashlabError(f"plots: car {name} stands twice")
    if plot == "?":
        table.plot[car] = HIDDEN
        return
    table.asking[0] = table.asked[car]  # so that `refusal` judges this car
    action = read_action(table, table.driver[car], plot)
    if reason := refusal(table, table.driver[car], action):
        raise CrashlabError(f"plots: {reason}")
    table.plot[car] = action


def settle_pass(table: Autoscooter) -> None:
    """AS-R1: plots are written in passes, so the cars that have one are those of the first passes."""
    planned = [car for car in range(CARS) if table.plot[car] != UNPLANNED]
    table.asking[0] = passes = 1 + max((table.asked[car] for car in planned), default=-1)
    wanted = [car for car in range(CARS) if NOWHERE < table.asked[car] < passes]
    if planned != wanted:
        lacking = some(car + 1 for car in wanted if car not in planned)
        raise CrashlabError(f"plots: all seats plan one car each in every pass (AS-R1); missing are cars {lacking}")
    if passes > max(table.asked):
        raise CrashlabError("plots: every car is planned; leave the last pass open, so that somebody can decide")
    if planned and table.round[0] > ROUNDS:
        raise CrashlabError("plots: the game is over")


def hide(table: Autoscooter, seat: int) -> Autoscooter:
    """AS-R1: the table without the plots of the other seats."""
    view = table.copy()
    for car in range(CARS):
        if view.plot[car] != UNPLANNED and view.driver[car] != seat:
            view.plot[car] = HIDDEN
    return view


def guess(table: Autoscooter, rng: Random) -> Autoscooter:
    """The table with a legal plot, drawn at random, for each that is hidden."""
    full = table.copy()
    for car in range(CARS):
        if full.plot[car] == HIDDEN:
            fitting = [manoeuvre for manoeuvre in range(ABOUT_FACE + 1) if rules.fits(full, car, manoeuvre)]
            full.plot[car] = rng.choice(unused(full, car)) * CODES + rng.choice(fitting)
    return full


# Events


def is_secret(table: Autoscooter, row: tuple[int, ...], seat: int) -> bool:
    """AS-R1: whether this seat may not know of it: the plots that others write."""
    _, rule, _, field, car, *_ = row
    return (rule, field) == (rules.R1, rules.PLOT) and table.driver[car] != seat


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
        return f"number {numbers(table, index // ROUNDS)[index % ROUNDS]} is crossed out"
    if name == "round":
        return f"round {before} is over" + (f", round {after} begins" if after <= ROUNDS else "")
    if name == "asking":
        if after == 0:
            return "the next round is to be planned" if table.round[0] < ROUNDS else "nothing is left to plan"
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
