"""What happens in CrashCity, in words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from crashlab import kinds
from crashlab.boards import streets
from crashlab.boards.streets import CELLS, DIRECTIONS
from crashlab.games.contract import only
from crashlab.games.crash_city import rules
from crashlab.games.crash_city import table as t
from crashlab.games.crash_city import words as w
from crashlab.games.crash_city.decisions import DECISIONS, PHASE
from crashlab.games.crash_city.table import CrashCity
from crashlab.happen import NOTE, NOWHERE, Row
from crashlab.kinds import Change, Kind, seat_name
from crashlab.notation import counted, winners_words

# What the numbers of changes and notes are


def at_spot(table: CrashCity, cell: int) -> list[int]:
    """Where the tile lies that is at this place of the row of tiles."""
    spot = next(spot for spot in table.spot if spot != NOWHERE and spot % CELLS == cell)
    return [*streets.xy(spot)]


def tell_place(table: CrashCity, where: int) -> object:
    """Where a car is: a lane, or the tile where it is parked."""
    if where >= t.ROOF:
        return w.TILE.tell(table, where - t.ROOF)
    return None if where == NOWHERE else w.LANE.tell(table, where)


def tell_stock(table: CrashCity, place: int) -> list[object]:
    """Whose buildings, and which."""
    seat, building = divmod(place, 3)
    return [w.SEAT.tell(table, seat), w.BUILDING.tell(table, building)]


CHANGES: dict[str, Change] = {
    "laid": Change(None, kinds.told("tiles", lambda table, laid: laid - 1)),  # besides the square, as in a position
    "tile": Change(kinds.told("site", at_spot), w.optional(w.TILE)),
    "spot": Change(None, w.optional(w.SITE)),
    "kind": Change(w.TILE, w.optional(w.KIND)),
    "street": Change(w.TILE, kinds.maybe(w.LANES, {0: "none"}, 0)),
    "building": Change(w.TILE, w.optional(w.BUILDING)),
    "owner": Change(w.TILE, w.optional(kinds.seat("owner"))),
    "joined": Change(w.LANE, kinds.truth("connected")),
    "where": Change(w.CAR, kinds.told("place", tell_place)),
    "facing": Change(w.CAR, w.optional(w.FACING)),
    "stock": Change(kinds.told("stock", tell_stock), kinds.counted("left")),
    "phase": Change(None, PHASE),
    "asked": Change(None, kinds.seat("asked")),
    "turn": Change(None, kinds.counted("turn")),
    "passes": Change(None, kinds.counted("passes")),
    "hit": Change(None, w.optional(replace(w.CAR, name="hit"))),
    "push": Change(None, w.optional(replace(w.DIRECTION, name="push"))),
    "moved": Change(w.CAR, kinds.truth("moved")),
}
NOTES: dict[str, Kind[Any]] = {
    "seat": w.SEAT,
    "site": w.SITE,
    "car": w.CAR,
    "hit": w.CAR,
    "lane": w.LANE,
    "direction": w.DIRECTION,
}


# Events in words


def event_text(table: CrashCity, row: Row) -> str:
    """One row of a trace in words."""
    if row.field == NOTE:
        return note_text(table, row)
    name = CrashCity.NAMES[row.field]
    if name in ("laid", "tile", "spot", "kind", "street", "building", "owner", "joined", "stock"):
        return city_event(table, name, row.index, row.after)
    if name == "where":
        return where_event(table, row)
    if name == "facing":
        way = f"faces {DIRECTIONS[row.after]}" if row.after != NOWHERE else "is off the street"
        return f"{t.car_name(row.index)} {way}"
    if name == "moved":
        return f"{t.car_name(row.index)} {'cannot be hit any more in this turn' if row.after else 'can be hit again'}"
    if name == "phase":
        return phase_event(table, row.rule, row.after)
    return turn_event(table, name, row.before, row.after)


def city_event(table: CrashCity, name: str, index: int, after: int) -> str:
    """How the city grows, in words."""
    if name == "laid":
        return f"there {'is' if after == 2 else 'are'} {counted(after - 1, 'tile')} besides the square"
    if name == "tile":
        return f"tile {after} lies on {t.tile_words(table, after)}"
    if name == "spot":
        return f"{seat_name(table.asked[0])} chooses the site {t.place_words(streets.xy(after))}"
    if name == "kind":
        return f"the tile for {t.tile_words(table, index)} is {'a' if after == KIND_U else 'an'} {t.KIND_NAMES[after]}"
    if name == "street":
        return f"the tile is laid on {t.tile_words(table, index)} with {w.sides_words(after)}"
    if name == "joined":
        return f"{t.lane_words(table, index)} is {'' if after else 'no longer '}connected to the square"
    if name == "building":
        return f"a {t.BUILDING_NAMES[after]} is built on {t.tile_words(table, index)}"
    if name == "owner":
        thing = t.BUILDING_NAMES[table.building[index]]
        return f"the {thing} on {t.tile_words(table, index)} belongs to {seat_name(after)}"
    seat, building = divmod(index, 3)
    return f"{seat_name(seat)} has {counted(after, t.BUILDING_NAMES[building])} left to build"


KIND_U = t.KIND_NAMES.index("U")  # the only kind whose name begins with a consonant when it is read out


def where_event(table: CrashCity, row: Row) -> str:
    """A car comes to another place, in words."""
    name, rule, before, after = t.car_name(row.index), row.rule, row.before, row.after
    if after >= t.ROOF:
        thing = t.BUILDING_NAMES[table.building[after - t.ROOF]]
        return f"{name} is parked at the {thing} on {t.tile_words(table, after - t.ROOF)}"
    if before == NOWHERE:
        return f"{name} is put on {t.lane_words(table, after)}"
    way = f"from {t.lane_words(table, before)} to {t.lane_words(table, after)}"
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
        who, what = "chance", f"for {DECISIONS[after].about}"
    elif after == t.ANSWER:
        who, what = seat_name(table.hit[0] // t.OWN), f"where {t.car_name(table.hit[0])} goes"
    else:
        who, what = seat_name(table.asked[0]), f"for {DECISIONS[after].about}"
    return f"{who} is not asked {what}: there is no choice" if has_no_choice(table, after) else f"{who} is asked {what}"


def has_no_choice(table: CrashCity, phase: int) -> bool:
    """Whether there would be one answer only if this were asked now."""
    moment = table.copy()
    moment.phase[0] = phase
    return only(rules, moment, moment.asked[0]) != NOWHERE


def over_reason(table: CrashCity, rule: int) -> str:
    """CC-E1, CC-R1: why the game is over, in words."""
    if rule == rules.E1:
        return ""
    if table.passes[0] == table.players[0]:
        return ", for all have passed"
    return f" after {counted(table.turn[0], 'turn')}"


def outcome(table: CrashCity) -> str:
    """CC-E1, CC-E2: who wins, and with how many cars parked."""
    bits = rules.winners(table)
    most = max(rules.score(table, seat) for seat in range(table.players[0]) if bits >> seat & 1)
    return f"{winners_words(bits)} with {counted(most, 'car')} parked"


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
        return f"{t.car_name(after)} is to make way" if after != NOWHERE else f"{t.car_name(before)} has made way"
    way = f"towards {DIRECTIONS[after]}" if after != NOWHERE else "no further"
    return f"{t.car_name(table.hit[0])} is pushed {way}"


def note_text(table: CrashCity, row: Row) -> str:
    """A note in words."""
    if row.rule == rules.B3:
        seat, spot, *_ = row.numbers
        where = t.place_words(streets.xy(spot))
        return f"no site allows what {seat_name(seat)} has left, so all of it may be built on {where}"
    car, hit, space, way = row.numbers
    verb = "crashes into" if row.rule == rules.R4 else "is pushed into"
    return f"{t.car_name(car)} {verb} {t.car_name(hit)} on {t.lane_words(table, space)}, going {DIRECTIONS[way]}"
