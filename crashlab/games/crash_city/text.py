"""What happens in CrashCity, in words, and why a position cannot be."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from crashlab.engine import value_codecs
from crashlab.engine.contract import only
from crashlab.engine.event_words import Texts, teller
from crashlab.engine.notation import counted, together, winners_words
from crashlab.engine.rules import played
from crashlab.engine.table import NOWHERE, Row
from crashlab.engine.value_codecs import Change, Codec, seat_name
from crashlab.games.boards import streets
from crashlab.games.boards.streets import CELLS, letters
from crashlab.games.crash_city import notation as w
from crashlab.games.crash_city import rules
from crashlab.games.crash_city import state as t
from crashlab.games.crash_city.notation import DECISIONS, PHASE, along, listed, on, site_refusal, tile_text
from crashlab.games.crash_city.state import CrashCity

# What happens


# What the numbers of changes and notes are


def at_spot(table: CrashCity, cell: int) -> list[int]:
    """Where the tile lies that is at this place of the row of tiles."""
    spot = next(spot for spot in table.spot if spot != NOWHERE and spot % CELLS == cell)
    return [*streets.xy(spot)]


def tell_place(table: CrashCity, where: int) -> object:
    """Where a car is: a lane, or the tile where it is parked."""
    if where >= t.ROOF:
        return w.TILE.to_json(table, where - t.ROOF)
    return None if where == NOWHERE else w.LANE.to_json(table, where)


def place_words(table: CrashCity, where: int) -> str:
    """The same in a sentence."""
    return t.tile_words(table, where - t.ROOF) if where >= t.ROOF else t.lane_words(table, where)


def tell_stock(table: CrashCity, place: int) -> list[object]:
    """Whose buildings, and which."""
    seat, building = divmod(place, 3)
    return [w.SEAT.to_json(table, seat), w.BUILDING.to_json(table, building)]


CHANGES: dict[str, Change] = {
    # besides the square, as in a position
    "laid": Change(None, value_codecs.told("tiles", lambda table, laid: laid - 1)),
    "tile": Change(value_codecs.told("site", at_spot), w.optional(w.TILE)),
    "spot": Change(None, w.optional(w.SITE)),
    "kind": Change(w.TILE, w.optional(w.KIND)),
    "street": Change(w.TILE, value_codecs.maybe(w.LANES, {0: "none"}, 0)),
    "building": Change(w.TILE, w.optional(w.BUILDING)),
    "owner": Change(w.TILE, w.optional(value_codecs.seat("owner"))),
    "joined": Change(w.LANE, value_codecs.truth("connected")),
    "where": Change(w.CAR, replace(value_codecs.told("place", tell_place), words=place_words)),
    "facing": Change(w.CAR, w.optional(w.FACING)),
    "stock": Change(value_codecs.told("stock", tell_stock), value_codecs.counted("left")),
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
    """A car comes to another place, in words."""
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
    """Whose a building is, in words."""
    return f"the {t.BUILDING_NAMES[table.building[row.index]]} on {{index}} belongs to {{after}}"


def stock_text(table: CrashCity, row: Row) -> str:
    """What a seat has left to build, in words."""
    seat, building = divmod(row.index, 3)
    return f"{seat_name(seat)} has {{after:{t.BUILDING_NAMES[building]}}} left to build"


def asked_text(table: CrashCity, row: Row) -> str:
    """Whose turn it is, in words."""
    return f"{{after}} {'begins the race' if table.phase[0] == t.ROLL else 'is to have the next turn'}"


def phase_text(table: CrashCity, row: Row) -> str:
    """What is asked now, in words."""
    rule, after = row.rule, row.after
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
        return " because all have passed"
    return f" after {counted(table.turn[0], 'turn')}"


def outcome(table: CrashCity) -> str:
    """CC-E1, CC-E2: who wins, and with how many cars parked."""
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


# Why a position cannot be


def unreachable(table: CrashCity) -> list[str]:
    """Why a table that lies in order is no moment of a game, in words."""
    asks_back = table.phase[0] in (t.REVEAL, t.ROTATE, t.BUILD, t.ANSWER)
    return wrong_moment(table) or ([] if not asks_back or t.problems(table) else wrong_question(table))


def wrong_moment(table: CrashCity) -> list[str]:
    """What is wrong with the stage of the game that the table is said to be at."""
    phase = table.phase[0]
    wrong = wrong_crash(table)
    if t.is_growing(table):
        return wrong + wrong_construction(table)
    if phase == t.ROLL and (table.turn[0] or table.passes[0]):
        wrong.append("before the roll no turn of the race is over (CC-R1)")
    bare = [t.tile_words(table, tile) for tile in range(table.laid[0]) if not table.street[tile]]
    if bare:
        now = DECISIONS[phase].name
        wrong.append(f"tile {together(bare)} has no lanes yet; in the phase {now} every tile has (CC-G6)")
    return wrong + wrong_end(table)


def wrong_construction(table: CrashCity) -> list[str]:
    """CC-B2: what is wrong while the city is built."""
    phase = table.phase[0]
    tile = table.laid[0] - 1
    wrong = []
    if table.turn[0] or table.passes[0]:
        wrong.append("turns and passes are counted in the race, which has not begun (CC-R1)")
    if any(where >= t.ROOF for where in table.where):
        wrong.append("nobody parks before the race (CC-R2)")
    if tile + (phase == t.SITE) > t.TURNS * table.players[0]:
        wrong.append(f"there are {counted(tile, 'tile')}: after {t.TURNS} for each the city is done (CC-B2)")
    if phase != t.SITE and tile == t.SQUARE:
        return [*wrong, f"in the phase {DECISIONS[phase].name} the last tile is a new one, and there is none (CC-B2)"]
    if reason := wrong_new_tile(table, phase, tile):
        wrong.append(reason)
    return wrong + wrong_supply(table)


def wrong_new_tile(table: CrashCity, phase: int, tile: int) -> str:
    """CC-B2: what is wrong with the last tile; empty if nothing is."""
    where = t.tile_words(table, tile)
    is_done = phase in (t.BUILD, t.CAR)
    if phase == t.SITE:
        return "" if table.street[tile] else f"tile {where} has no lanes yet; so the phase is reveal or rotate (CC-B2)"
    if is_done != (table.street[tile] > 0):
        has = f"lanes {letters(table.street[tile])}" if table.street[tile] else "no lanes yet"
        return f"tile {where} has {has}, and in the phase {DECISIONS[phase].name} that cannot be (CC-B2)"
    cars = [car for car in range(t.CARS) if table.where[car] in range(4 * tile, 4 * tile + 4)]
    if cars:
        return f"{on(table, cars[:1], table.where[cars[0]])}, and that tile has only just been laid (CC-B6)"
    if (phase == t.REVEAL) != (table.kind[tile] == NOWHERE):
        return f"in the phase reveal the last tile is '{tile_text(table, tile)} ?', in rotate '... ?L' (CC-B2a)"
    if phase == t.CAR:
        is_own = (table.building[tile], table.owner[tile]) == (t.HOME, table.asked[0])
        return "" if is_own else f"a car comes with a house of {seat_name(table.asked[0])} on {where} (CC-B6)"
    return f"on {where} nothing is built yet (CC-B2)" if table.building[tile] != NOWHERE else ""


def wrong_supply(table: CrashCity) -> list[str]:
    """CC-B2, CC-B6: buildings for the turns to come, and cars for the houses to come."""
    phase = table.phase[0]
    players = table.players[0]
    wrong = []
    begun = table.laid[0] - 1 - (phase in (t.REVEAL, t.ROTATE, t.BUILD))  # turns with a building, or a car after it
    to_come = t.TURNS * players - begun
    for seat in range(players):
        name = seat_name(seat)
        stock = table.stock[3 * seat : 3 * seat + 3]
        places = (seat - table.asked[0] - (phase == t.CAR)) % players  # how many seats build before this one
        turns = max(0, -(-(to_come - places) // players))
        if sum(stock) < turns:
            wrong.append(f"{name} has {counted(sum(stock), 'building')} left for {counted(turns, 'more turn')} (CC-B2)")
        cars = t.OWN - table.where[t.OWN * seat : t.OWN * seat + t.OWN].count(NOWHERE)
        houses = stock[t.HOME] + (phase == t.CAR and seat == table.asked[0])
        if cars + houses > t.OWN:
            more = counted(houses, "more car")
            wrong.append(
                f"{name} has {counted(cars, 'car')} on the street, and its houses bring {more} of {t.OWN} (CC-B6)"
            )
    return wrong


def wrong_crash(table: CrashCity) -> list[str]:
    """CC-R4, CC-C4: what is wrong with a crash."""
    hit, push, phase = table.hit[0], table.push[0], table.phase[0]
    if phase == t.ANSWER and table.passes[0]:
        return ["a seat whose car crashes has driven, not passed, so 0 have passed in a row (CC-R1)"]
    if any(table.moved) and not (table.chains[0] and phase == t.ANSWER):
        return ["cars are moved only in a crash, and are named only with the option chains (CC-C4)"]
    if phase != t.ANSWER or t.wrong_crash(table):
        return []
    where = table.where[hit]
    others = [car for car in t.standing(table, where) if car != hit]
    if push % 2 == where % 2:
        return [f"on {t.lane_words(table, where)} a car is hit going {along(where)}, along its street (CC-R4)"]
    pushers = [car for car in range(t.CARS) if table.moved[car]]
    if wrong := [t.car_name(car) for car in pushers if car == hit or not NOWHERE < table.where[car] < t.ROOF]:
        return [f"{together(wrong)} cannot have hit a car in this turn: not on the street, or hit only now (CC-C4)"]
    drivers = {car // t.OWN for car in [*pushers, *others]}
    seat = seat_name(table.asked[0])
    return [] if table.asked[0] in drivers else [f"it is the turn of {seat}, and no car of {seat} crashed (CC-R4)"]


def wrong_end(table: CrashCity) -> list[str]:
    """CC-E1, CC-R1: whether the game is over or not as it should be."""
    done = [seat_name(seat) for seat in range(table.players[0]) if rules.score(table, seat) == t.OWN]
    if len(done) > 1:
        return [f"{together(done)} have parked all cars, and the game is over when the first one has (CC-E1)"]
    is_over = done or table.passes[0] == table.players[0] or table.turn[0] == table.turn_limit[0]
    if table.passes[0] > table.turn[0]:
        return [f"passes are turns, and {table.passes[0]} is more than {table.turn[0]} (CC-R1)"]
    if bool(is_over) == (table.phase[0] == t.OVER):
        return []
    if is_over:
        why = f"{done[0]} has parked all cars" if done else "that many passes or turns end it"
        return [f"the game is over: {why}; write 'phase over' (CC-E1, CC-R1)"]
    return ["the game is not over: nobody has parked all cars, and turns are left (CC-E1, CC-R1)"]


def wrong_question(table: CrashCity) -> list[str]:
    """CC-B3, CC-R5: whether it could come to what is asked: by the site of the new tile, by the car that was hit."""
    phase = table.phase[0]
    if phase in (t.REVEAL, t.ROTATE, t.BUILD):
        before = before_last_tile(table)
        site = t.SELECT + table.spot[table.laid[0] - 1]
        return [] if site in listed(before) else [site_refusal(before, site)]
    if phase == t.ANSWER and not listed(table):
        return [f"{t.car_name(table.hit[0])} cannot make way, so it cannot have been hit (CC-R5)"]
    return []


def before_last_tile(table: CrashCity) -> CrashCity:
    """CC-B2: the table as it was when the site of the last tile was chosen."""
    before = table.copy()
    tile = table.laid[0] - 1
    before.tile[table.spot[tile] % CELLS] = NOWHERE
    before.laid[0], before.phase[0] = tile, t.SITE
    before.joined[:] = t.connected(before)
    return before
