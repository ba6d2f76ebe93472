"""What happens in CrashCity, in words."""

from __future__ import annotations

from crashlab.boards import streets
from crashlab.boards.streets import DIRECTIONS
from crashlab.games.crash_city import rules
from crashlab.games.crash_city import table as t
from crashlab.games.crash_city.table import CrashCity
from crashlab.games.crash_city.words import car_name, lane_words, question, seat_name, sides_words, tile_words
from crashlab.happen import NOWHERE
from crashlab.notation import (
    counted,
    winners_words,
)

# Events


def event_text(table: CrashCity, row: tuple[int, ...]) -> str:
    """One row of a trace in words."""
    _, rule, _, field, index, before, after, last = row
    if field == NOWHERE:
        return note_text(table, rule, index, before, after, last)
    name = CrashCity.NAMES[field]
    if name in ("laid", "tile", "spot", "kind", "street", "building", "owner", "joined", "stock"):
        return city_event(table, name, index, after)
    if name == "where":
        return where_event(table, rule, index, before, after)
    if name == "facing":
        return f"{car_name(index)} {f'faces {DIRECTIONS[after]}' if after != NOWHERE else 'is off the street'}"
    if name == "moved":
        return f"{car_name(index)} {'cannot be hit any more in this turn' if after else 'can be hit again'}"
    if name == "phase":
        return phase_event(table, rule, after)
    return turn_event(table, name, before, after)


def city_event(table: CrashCity, name: str, index: int, after: int) -> str:
    """How the city grows, in words."""
    if name == "laid":
        return f"there {'is' if after == 2 else 'are'} {counted(after - 1, 'tile')} besides the square"
    if name == "tile":
        return f"tile {after} lies on {tile_words(table, after)}"
    if name == "spot":
        return f"{seat_name(table.asked[0])} chooses the site {t.place_words(streets.xy(after))}"
    if name == "kind":
        return f"the tile for {tile_words(table, index)} is {'a' if after == KIND_U else 'an'} {t.KIND_NAMES[after]}"
    if name == "street":
        return f"the tile is laid on {tile_words(table, index)} with {sides_words(after)}"
    if name == "joined":
        return f"{lane_words(table, index)} is {'' if after else 'no longer '}connected to the square"
    if name == "building":
        return f"a {t.BUILDING_NAMES[after]} is built on {tile_words(table, index)}"
    if name == "owner":
        thing = t.BUILDING_NAMES[table.building[index]]
        return f"the {thing} on {tile_words(table, index)} belongs to {seat_name(after)}"
    seat, building = divmod(index, 3)
    return f"{seat_name(seat)} has {counted(after, t.BUILDING_NAMES[building])} left to build"


KIND_U = t.KIND_NAMES.index("U")  # the only kind whose name begins with a consonant when it is read out


def where_event(table: CrashCity, rule: int, car: int, before: int, after: int) -> str:
    """A car comes to another place, in words."""
    name = car_name(car)
    if after >= t.ROOF:
        thing = t.BUILDING_NAMES[table.building[after - t.ROOF]]
        return f"{name} is parked at the {thing} on {tile_words(table, after - t.ROOF)}"
    if before == NOWHERE:
        return f"{name} is put on {lane_words(table, after)}"
    way = f"from {lane_words(table, before)} to {lane_words(table, after)}"
    if rule in (rules.C1, rules.C2):
        return f"{name} is pushed {'straight on' if rule == rules.C1 else 'round a corner'} {way}"
    if rule == rules.C3:
        return f"{name} spins {way}"
    return f"{name} {'makes a U-turn' if rules.other_lane(table, before) == after else 'drives'} {way}"


def phase_event(table: CrashCity, rule: int, after: int) -> str:
    """What is asked now, in words."""
    if after == t.OVER:
        return f"the game is over{over_reason(table, rule)}: {outcome(table)}"
    if rule == rules.R6 and after == t.RACE:
        return "the crash is over"
    if after == t.RACE and table.phase[0] == t.ROLL:
        asked = "" if has_no_choice(table, after) else f", and {seat_name(table.asked[0])} is asked for its first turn"
        return f"the race begins{asked}"
    if after in (t.REVEAL, t.ROLL):
        who, what = "chance", f"for {question(after)}"
    elif after == t.ANSWER:
        who, what = seat_name(table.hit[0] // t.OWN), f"where {car_name(table.hit[0])} goes"
    else:
        who, what = seat_name(table.asked[0]), f"for {question(after)}"
    return f"{who} is not asked {what}: there is no choice" if has_no_choice(table, after) else f"{who} is asked {what}"


def has_no_choice(table: CrashCity, phase: int) -> bool:
    """Whether there would be one answer only if this were asked now."""
    moment = table.copy()
    moment.phase[0] = phase
    return rules.forced(moment, moment.asked[0], [0] * rules.MOST_ACTIONS) != NOWHERE


def over_reason(table: CrashCity, rule: int) -> str:
    """CC-E1, CC-R1: why the game is over, in words."""
    if rule == rules.E1:
        return ""
    if table.passes[0] == table.players[0]:
        return ", for all have passed"
    return f" after {counted(table.turn[0], 'turn')}"


def outcome(table: CrashCity) -> str:
    """CC-E1, CC-E2: who wins, and with how many cars parked."""
    most = max(rules.score(table, seat) for seat in range(table.players[0]))
    return f"{winners_words(rules.winners(table))} with {counted(most, 'car')} parked"


def turn_event(table: CrashCity, name: str, before: int, after: int) -> str:
    """What changes in the turn, in words."""
    if name == "asked":
        begins = "begins the race" if table.phase[0] == t.ROLL else "is to have the next turn"
        return f"{seat_name(after)} {begins}"
    if name == "turn":
        return f"turn {after} of the race is over"
    if name == "passes":
        asked = seat_name(table.asked[0])
        return f"{asked} passes, number {after} in a row" if after else "passes in a row are counted anew"
    if name == "hit":
        return f"{car_name(after)} is to make way" if after != NOWHERE else f"{car_name(before)} has made way"
    way = f"towards {DIRECTIONS[after]}" if after != NOWHERE else "no further"
    return f"{car_name(table.hit[0])} is pushed {way}"


def note_text(table: CrashCity, rule: int, a: int, b: int, c: int, d: int) -> str:
    """A note in words."""
    if rule == rules.B3:
        where = t.place_words(streets.xy(b))
        return f"no site allows what {seat_name(a)} has left, so all of it may be built on {where}"
    verb = "crashes into" if rule == rules.R4 else "is pushed into"
    return f"{car_name(a)} {verb} {car_name(b)} on {lane_words(table, c)}, going {DIRECTIONS[d]}"
