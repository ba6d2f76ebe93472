"""The events of CrashCity as sentences."""

from dataclasses import replace
from typing import Any

from crashlab.engine import contract, value_codecs
from crashlab.engine.contract import only
from crashlab.engine.event_words import Texts, teller
from crashlab.engine.notation import counted, winners_words
from crashlab.engine.rules import played
from crashlab.engine.table import NOWHERE, Row
from crashlab.engine.value_codecs import Change, Codec, seat_name
from crashlab.games.boards import streets
from crashlab.games.boards.streets import CELLS
from crashlab.games.crash_city import notation as w
from crashlab.games.crash_city import rules
from crashlab.games.crash_city import state as t
from crashlab.games.crash_city.notation import DECISIONS, PHASE
from crashlab.games.crash_city.state import CrashCity

# Codecs of the values in changes and notes


def at_spot(table: CrashCity, cell: int) -> list[int]:
    """Return the place of the tile at an index of the field `tile`, as [x, y]."""
    spot = next(spot for spot in table.spot if spot != NOWHERE and spot % CELLS == cell)
    return [*streets.xy(spot)]


def tell_place(table: CrashCity, where: int) -> object:
    """Return the position of a car as JSON: a lane, or the tile of its work."""
    if where >= t.ROOF:
        return w.TILE.to_json(table, where - t.ROOF)
    return None if where == NOWHERE else w.LANE.to_json(table, where)


def place_words(table: CrashCity, where: int) -> str:
    """Write the position of a car for a sentence."""
    return t.tile_words(table, where - t.ROOF) if where >= t.ROOF else t.lane_words(table, where)


def tell_stock(table: CrashCity, place: int) -> list[object]:
    """Return the seat and the kind of building of a stock as JSON."""
    seat, building = divmod(place, 3)
    return [w.SEAT.to_json(table, seat), w.BUILDING.to_json(table, building)]


CHANGES: dict[str, Change] = {
    # without the square, as in a position
    "laid": Change(None, value_codecs.output_only("tiles", lambda table, laid: laid - 1)),
    "tile": Change(value_codecs.output_only("site", at_spot), w.optional(w.TILE)),
    "spot": Change(None, w.optional(w.SITE)),
    "kind": Change(w.TILE, w.optional(w.KIND)),
    "street": Change(w.TILE, value_codecs.maybe(w.LANES, {0: "none"}, 0)),
    "building": Change(w.TILE, w.optional(w.BUILDING)),
    "owner": Change(w.TILE, w.optional(value_codecs.seat("owner"))),
    "joined": Change(w.LANE, value_codecs.truth("connected")),
    "where": Change(w.CAR, replace(value_codecs.output_only("place", tell_place), words=place_words)),
    "facing": Change(w.CAR, w.optional(w.FACING)),
    "stock": Change(value_codecs.output_only("stock", tell_stock), value_codecs.counted("left")),
    "phase": Change(None, PHASE),
    "asked": Change(None, value_codecs.seat("asked")),
    "turn": Change(None, value_codecs.counted("turn")),
    "passes": Change(None, value_codecs.counted("passes")),
    "hit": Change(None, w.optional(replace(w.CAR, name="hit"))),
    "push": Change(None, w.optional(replace(w.DIRECTION, name="push"))),
    "moved": Change(w.CAR, value_codecs.truth("moved")),
}
NOTES: dict[str, Codec[Any]] = {
    "seat": w.SEAT,
    "site": w.SITE,
    "car": w.CAR,
    "hit": w.CAR,
    "lane": w.LANE,
    "direction": w.DIRECTION,
}


# Events in words


def where_text(table: CrashCity, row: Row) -> str:
    """Describe the move of a car."""
    rule, before, after = row.rule, row.before, row.after
    if after >= t.ROOF:
        thing = t.BUILDING_NAMES[table.building[after - t.ROOF]]
        return f"{{index}} is parked at the {thing} on {{after}}"
    if before == NOWHERE:
        return "{index} is put on {after}"
    is_turn = rules.other_lane(table, before) == after
    verbs = {rules.C1: "is pushed straight on", rules.C2: "is pushed round a corner", rules.C3: "spins"}
    verb = verbs.get(rule, "makes a U-turn" if is_turn else "drives")
    return f"{{index}} {verb} from {{before}} to {{after}}"


def owner_text(table: CrashCity, row: Row) -> str:
    """Describe the owner of a building."""
    return f"the {t.BUILDING_NAMES[table.building[row.index]]} on {{index}} belongs to {{after}}"


def stock_text(table: CrashCity, row: Row) -> str:
    """Describe the buildings that a seat has left."""
    seat, building = divmod(row.index, 3)
    return f"{seat_name(seat)} has {{after:{t.BUILDING_NAMES[building]}}} left to build"


def asked_text(table: CrashCity, row: Row) -> str:
    """Describe the next seat."""
    return f"{{after}} {'begins the race' if table.phase[0] == t.ROLL else 'is to have the next turn'}"


def phase_text(table: CrashCity, row: Row) -> str:
    """Describe the next decision."""
    rule, after = row.rule, row.after
    if after == t.OVER:
        return f"the game is over{over_reason(table, rule)}: {outcome(table)}"
    if rule == rules.R6 and after == t.RACE:
        return "the crash is over"
    if after == t.RACE and table.phase[0] == t.ROLL:
        more = "" if has_no_choice(table, after) else f", and {seat_name(table.asked[0])} is asked for its first turn"
        return f"the race begins{more}"
    if after in (t.REVEAL, t.ROLL):
        who, what = "chance", f"for {DECISIONS[after].about}"
    elif after == t.ANSWER:
        who, what = seat_name(table.hit[0] // t.FLEET), f"where {t.car_name(table.hit[0])} goes"
    else:
        who, what = seat_name(table.asked[0]), f"for {DECISIONS[after].about}"
    return f"{who} is not asked {what}: there is no choice" if has_no_choice(table, after) else f"{who} is asked {what}"


def has_no_choice(table: CrashCity, phase: int) -> bool:
    """Return whether this phase would have only one answer now."""
    moment = table.copy()
    moment.phase[0] = phase
    return only(rules, moment, moment.asked[0]) != NOWHERE


def over_reason(table: CrashCity, rule: int) -> str:
    """CC-E1, CC-R1: describe the reason for the end of the game."""
    if rule == rules.E1:
        return ""
    if table.passes[0] == table.players[0]:
        return " because all have passed"
    return f" after {counted(table.turn[0], 'turn')}"


def outcome(table: CrashCity) -> str:
    """CC-E1, CC-E2: name the winners and their number of parked cars."""
    bits = played(rules).winners(table)
    most = max(rules.score(table, seat) for seat in range(table.players[0]) if bits >> seat & 1)
    return f"{winners_words(bits)} with {counted(most, 'car')} parked"


TEXTS: Texts = {
    "tile": lambda table, row: f"tile {row.after} lies on {{after}}",
    "where": where_text,
    "owner": owner_text,
    "stock": stock_text,
    "asked": asked_text,
    "phase": phase_text,
}
event_text = teller(rules.BOOK, CrashCity.NAMES, CHANGES, NOTES, TEXTS)


is_secret = contract.no_secret  # all events are public
