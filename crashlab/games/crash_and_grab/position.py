"""Positions of Crash & Grab as text, as JSON, and back.

A position is one line, for example

    round 2; tiles 1A0 2B1 3A2 4B3; probe B; saucers red 00 3>, green 12 e2 b1, blue 77, yellow off; crew red pilot 20, green pilot blue; upgrades Mines green

with energy `e` (1 if not given), boosters `b` (0), the plan (`?` if the onlooker may not see it), and for saucers in
the middle of a round `#1`, as which one it had its turn, and `x1`, as which one it crashed in this turn. A tile is its
number, its side and its quarter turns clockwise; tiles come in the order of the places: corners, arms above, left,
right and below, centre. Everything but the saucers may be left out; saucers that are not named are off the board,
crewmembers that are not named wait in their queues, upgrades lie in the deck. The same as JSON:

    {"round": 2, "tiles": ["1A0", "2B1", "3A2", "4B3"], "probe": "B",
     "saucers": {"red": {"space": [0, 0], "plan": "3>"}, "green": {"space": [1, 2], "energy": 2, "boosters": 1},
                 "blue": "77"},
     "crew": {"red pilot": [2, 0], "green pilot": "blue"}, "upgrades": {"Proximity Mines": "green"}}

Within a turn a position also has parts like `phase boost`, `turn red`, `distance 3`, `motion card`, `mover red`.
"""  # noqa: E501

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from crashlab.errors import CrashlabError, shown
from crashlab.games.crash_and_grab import table as t
from crashlab.games.crash_and_grab.impossible import default_asked, wrong_phase
from crashlab.games.crash_and_grab.table import CrashAndGrab
from crashlab.games.crash_and_grab.words import (
    ARROWS,
    CARD_NAMES,
    MOTIONS,
    PHASES,
    SEATS,
    SPINS,
    TITLES,
    cell_text,
    crew_place,
    holder_text,
    plan_text,
    read_card,
    read_cell,
    read_crew,
    read_direction,
    read_plan,
    read_saucer,
    saucer_name,
    space,
)
from crashlab.happen import HIDDEN, NOWHERE
from crashlab.notation import (
    as_list,
    check_keys,
    chosen,
    fields,
    flag,
    named_values,
    nothing,
    pieces,
    read_seat,
    refuse,
    sections,
    some,
    unique,
    whole,
)
from crashlab.options import Value

COUNTS = ("round", "distance", "picked", "lost", "crashes", "leg", "left", "leaps")
FLAGS = ("placed", "gained", "declined", "bought", "cloaked")
OTHERS = ("phase", "pass", "asked", "probe", "spin", "turn", "motion", "mover", "heading", "found")
KEYS = (
    "round", "tiles", "phase", "pass", "asked", "probe", "spin", "turn", "saucers", "crew", "marked", "upgrades",
    "placed", "distance", "picked", "gained", "lost", "crashes", "declined", "bought", "cloaked", "motion", "mover",
    "heading", "leg", "left", "leaps", "found",
)  # fmt: skip


def scalar_text(table: CrashAndGrab, key: str) -> int | str | bool | None:
    """A part of the position that is one word; None if it is at its default."""
    if key in COUNTS:
        number: int = vars(table)[key][0]
        return number if number or key == "round" else None
    if key in FLAGS:
        return True if vars(table)[key][0] else None
    if key == "pass":
        return table.asked[0] + 1 if table.phase[0] == t.PLAN and table.asked[0] else None
    if key == "asked":
        return None if table.phase[0] == t.PLAN or table.asked[0] == default_asked(table) else SEATS[table.asked[0]]
    number = vars(table)[key][0]
    if key == "probe":
        return SEATS[number]
    if number == (NOWHERE if key in ("turn", "mover", "found") else default_spin(table) if key == "spin" else 0):
        return None
    words = {"phase": PHASES, "motion": MOTIONS, "heading": ARROWS, "spin": SPINS}
    if key in words:
        return str(words[key][number])  # type: ignore[index]
    return t.crew_name(number) if key == "found" else saucer_name(number)


def default_spin(table: CrashAndGrab) -> int:
    """CG-R2: turns go clockwise unless said otherwise; before the first turn that is open."""
    is_open = table.turn[0] == NOWHERE or table.players[0] == 2 or table.holder[t.STABILIZER] >= 0
    return 0 if is_open else 1


def to_dict(table: CrashAndGrab) -> dict[str, Any]:
    """The position as plain JSON."""
    parts: dict[str, Any] = {
        "tiles": [tile_text(table, place) for place in range(t.PLACES) if table.side[place] != NOWHERE],
        "saucers": {t.COLOUR_NAMES[saucer]: saucer_dict(table, saucer) for saucer in range(table.saucers[0])},
        "crew": {
            t.crew_name(crew): list(place) if isinstance(place, tuple) else place
            for crew in range(t.CREW)
            if table.where[crew] >= 0
            for place in (crew_place(table.where[crew]),)
        },
        "marked": [t.crew_name(crew) for crew in range(t.CREW) if table.marked[crew]],
        "upgrades": {TITLES[card]: upgrade_text(table, card) for card in range(t.CARDS) if told(table, card)},
    }
    data = {key: parts[key] if key in parts else scalar_text(table, key) for key in KEYS}
    return {key: value for key, value in data.items() if value not in (None, [], {})}


def told(table: CrashAndGrab, card: int) -> bool:
    """Whether an upgrade is anywhere but in the deck, or out of play."""
    return table.holder[card] in (t.DISCARD, t.DRAWN) or table.holder[card] >= 0


def tile_text(table: CrashAndGrab, place: int) -> str:
    """A tile, as in 1A0: number, side, quarter turns."""
    return f"{table.side[place] // 2 + 1}{'AB'[table.side[place] % 2]}{table.turned[place]}"


def upgrade_text(table: CrashAndGrab, card: int) -> str:
    """Where an upgrade is, and whether it is fresh or spent."""
    marks = " fresh" * table.fresh[card] + " spent" * table.spent[card]
    return holder_text(table.holder[card]) + marks


def saucer_dict(table: CrashAndGrab, saucer: int) -> dict[str, Any]:
    """A saucer as plain JSON."""
    cell = space(table.cell[saucer])
    entry: dict[str, Any] = {
        "space": list(cell) if cell else None,
        "energy": table.energy[saucer],
        "boosters": table.boosters[saucer],
    }
    if table.plan[saucer] != t.UNPLANNED:
        entry["plan"] = plan_text(table.plan[saucer])
    if table.acted[saucer]:
        entry["acted"] = table.acted[saucer]
    if table.crashed[saucer]:
        entry["crashed"] = table.crashed[saucer]
    return entry


def write(table: CrashAndGrab) -> str:
    """The position as one line."""
    data = to_dict(table)
    lines = {
        "tiles": " ".join(data["tiles"]),
        "saucers": ", ".join(f"{colour} {saucer_line(entry)}" for colour, entry in data["saucers"].items()),
        "crew": ", ".join(
            f"{name} {place if isinstance(place, str) else cell_text(read_cell(place))}"
            for name, place in data.get("crew", {}).items()
        ),
        "marked": ", ".join(data.get("marked", ())),
        "upgrades": ", ".join(
            f"{CARD_NAMES[card]} {upgrade_text(table, card)}" for card in range(t.CARDS) if told(table, card)
        ),
    }
    return "; ".join(key if data[key] is True else f"{key} {lines.get(key, data[key])}" for key in data)


def saucer_line(entry: dict[str, Any]) -> str:
    """A saucer in the line, as in `34 e2 b1 3>`."""
    words = [
        cell_text(read_cell(entry["space"])) if entry["space"] else "off",
        f"e{entry['energy']}" if entry["energy"] != 1 else "",
        f"b{entry['boosters']}" if entry["boosters"] else "",
        entry.get("plan", ""),
        f"#{entry['acted']}" if "acted" in entry else "",
        f"x{entry['crashed']}" if "crashed" in entry else "",
    ]
    return " ".join(filter(None, words))


def read(options: Mapping[str, Value], line: str) -> CrashAndGrab:
    """The table of a position in one line; refused with the reason if it is malformed or impossible."""
    return from_dict(options, {key: read_section(key, rest) for key, rest in sections(line, KEYS).items()})


def read_section(key: str, rest: str) -> object:
    """One part of a position's line, as it would stand in JSON."""
    if key in FLAGS:
        if rest:
            raise CrashlabError(f"{key} stands alone, without {shown(rest)}")
        return True
    if key == "tiles":
        return rest.split()
    things = pieces(rest, ",")
    if key == "marked":
        return things
    if key == "saucers":
        return unique(key, [thing.partition(" ")[::2] for thing in things])
    if key == "crew":
        return unique(key, [thing.rpartition(" ")[::2] for thing in things])
    if key == "upgrades":
        return unique(key, [split_upgrade(thing) for thing in things])
    return rest


def split_upgrade(thing: str) -> tuple[str, str]:
    """The name of an upgrade and where it is: the last words, of which only the first is a place."""
    found = re.fullmatch(r"(.+?)\s+(\S+(?:\s+(?:fresh|spent))*)", thing)
    if not found:
        raise CrashlabError(f"upgrades: {shown(thing)} is not an upgrade and a place, as in 'Mines red'")
    return found[1], found[2]


def from_dict(options: Mapping[str, Value], data: Mapping[str, Any]) -> CrashAndGrab:
    """The table of a position in JSON; refused with the reason if it is malformed or impossible."""
    check_keys(data, KEYS)
    saucers, upgrades = named_values(data, "saucers"), named_values(data, "upgrades")
    if not saucers:
        raise CrashlabError('position: at least one saucer is needed, as in {"saucers": {"red": "34"}}')
    table = t.empty(options)
    lay_out(table, data.get("tiles"))
    put_saucers(table, saucers)
    put_crew(table, data)
    put_upgrades(table, upgrades)
    for key in (*COUNTS, *FLAGS, *OTHERS):
        if key in data and key != "asked":
            vars(table)["asked" if key == "pass" else key][0] = scalar(table, key, data[key])
    if "spin" not in data:
        table.spin[0] = default_spin(table)
    if "crashes" not in data:
        table.crashes[0] = max(table.crashed)
    if table.turn[0] != NOWHERE and not any(table.acted):
        number_turns(table)
    if table.phase[0] != t.PLAN:
        players = table.players[0]
        table.asked[0] = read_seat(data["asked"], players, "asked") if "asked" in data else default_asked(table)
    elif "asked" in data:
        raise CrashlabError("asked: in the phase plan all players are asked")
    refuse([*t.problems(table), *wrong_phase(table)])
    return table


def lay_out(table: CrashAndGrab, tiles: object) -> None:
    """CG-B1: the tiles as given, by default in the order of their numbers, with side A up."""
    corners, arms, centre = t.TILES[table.size[0]]
    places = range(len(corners) + len(arms) + len(centre))  # those of the arms and the centre come last
    if tiles is None:
        numbered = enumerate((*corners, *arms, *centre))
        tiles = [f"{tile + 1}A{int(place in t.VERTICAL)}" for place, tile in numbered]
    if not isinstance(tiles, (list, tuple)) or len(tiles) != len(places):
        raise CrashlabError(f"tiles: {len(places)} tiles are wanted, as in '1A0', not {shown(tiles)}")
    for place, word in zip(places, tiles, strict=True):
        found = re.fullmatch(r"([0-9]{1,2})([ABab])([0-3])", word) if isinstance(word, str) else None
        fitting = corners if place < 4 else arms if place < 8 else centre
        if not found or int(found[1]) - 1 not in fitting:
            choice = some(tile + 1 for tile in fitting)
            raise CrashlabError(
                f"tiles: {shown(word)} is not one of {choice} with side A or B and 0 to 3 turns (CG-B1)"
            )
        side, turns = 2 * int(found[1]) - 2 + "AB".index(found[2].upper()), int(found[3])
        if side // 2 in [other // 2 for other in table.side]:
            raise CrashlabError(f"tiles: tile {found[1]} stands twice")
        if 4 <= place < 8 and turns % 2 != (place in t.VERTICAL):
            raise CrashlabError(f"tiles: {shown(word)} does not fit its place; turn it by one quarter (CG-B1)")
        t.lay_tile(table, place, side, turns)


def put_saucers(table: CrashAndGrab, saucers: Mapping[str, Any]) -> None:
    """Saucers as given; what is not said is as at the start."""
    named = ((read_saucer(name), entry) for name, entry in saucers.items())
    for saucer, entry in unique("saucers", named, saucer_name).items():
        name = t.COLOUR_NAMES[saucer]
        if saucer >= table.saucers[0]:
            raise CrashlabError(f"saucers: {table.players[0]} players have no {name} one (CG-S1)")
        put_saucer(table, saucer, read_saucer_line(name, entry) if isinstance(entry, str) else entry)


SAUCER_KEYS = ("space", "energy", "boosters", "plan", "acted", "crashed")


def read_saucer_line(name: str, line: str) -> dict[str, Any]:
    """A saucer that is written like `34 e2 b1 3>`, as it would stand in JSON."""
    entry: dict[str, Any] = {}
    marks = {"e": "energy", "b": "boosters", "#": "acted", "x": "crashed"}
    for place, word in enumerate(line.split()):
        marked = re.fullmatch(r"([eb#x])([0-9]{1,9})", word)
        key = "space" if place == 0 else marks[marked[1]] if marked else "plan"
        if key in entry:
            raise CrashlabError(f"saucer {name}: cannot read {shown(line)}; write it like '34 e2 b1 3>'")
        entry[key] = int(marked[2]) if marked and place else word
    return entry


def put_saucer(table: CrashAndGrab, saucer: int, entry: object) -> None:
    """One saucer from JSON."""
    name = t.COLOUR_NAMES[saucer]
    entry = fields(entry, SAUCER_KEYS, f"saucer {name}", "34 e2 b1 3>")
    place = entry.get("space")
    table.cell[saucer] = NOWHERE if nothing(place, "off") else read_cell(place)
    table.energy[saucer] = whole(entry.get("energy", 1), f"saucer {name}, energy")
    for key in ("boosters", "acted", "crashed"):
        vars(table)[key][saucer] = whole(entry.get(key, 0), f"saucer {name}, {key}")
    plan = entry.get("plan")
    hidden = isinstance(plan, str) and plan == "?"
    table.plan[saucer] = t.UNPLANNED if nothing(plan, "-") else HIDDEN if hidden else read_plan(plan)


def put_crew(table: CrashAndGrab, data: Mapping[str, Any]) -> None:
    """Crewmembers as given; the others wait."""
    named = ((read_crew(name), place) for name, place in named_values(data, "crew").items())
    for crew, place in unique("crew", named, t.crew_name).items():
        if table.where[crew] == t.UNUSED:
            raise CrashlabError(f"crew: {t.crew_name(crew)} is not in play with {table.players[0]} players (CG-S1)")
        if isinstance(place, str) and place.strip().isalpha():
            is_queue = place.strip().lower() == "queue"
            table.where[crew] = t.QUEUE if is_queue else t.ABOARD + read_saucer(place)
        else:
            table.where[crew] = read_cell(place)
    for name in as_list(data.get("marked", []), "marked: a list of crewmembers is wanted"):
        table.marked[read_crew(name)] = 1


def put_upgrades(table: CrashAndGrab, upgrades: Mapping[str, Any]) -> None:
    """Upgrades as given; the others lie in the deck."""
    places = {"deck": t.DECK, "discard": t.DISCARD, "drawn": t.DRAWN}
    named = ((read_card(name), entry) for name, entry in upgrades.items())
    for card, entry in unique("upgrades", named, TITLES.__getitem__).items():
        words = entry.lower().split() if isinstance(entry, str) else []
        if not words or not set(words[1:]) <= {"fresh", "spent"}:
            raise CrashlabError(
                f"upgrades: {TITLES[card]} is with a saucer, as in 'red' or 'red spent', not {shown(entry)}"
            )
        table.holder[card] = places[words[0]] if words[0] in places else read_saucer(words[0])
        table.fresh[card], table.spent[card] = int("fresh" in words), int("spent" in words)


def number_turns(table: CrashAndGrab) -> None:
    """CG-R2: the turns of a round up to the one that is under way."""
    table.acted[table.turn[0]] = 1
    if table.players[0] == 2:
        if t.owner(table, table.turn[0]) != table.probe[0]:
            table.acted[2 * table.probe[0]], table.acted[table.turn[0]] = 1, 2
        return
    for place in range(table.players[0]):
        saucer = (table.probe[0] + table.spin[0] * place) % table.players[0]
        table.acted[saucer] = place + 1
        if saucer == table.turn[0] or not table.spin[0]:
            return


def scalar(table: CrashAndGrab, key: str, word: object) -> int:
    """The number of a part that is one word."""
    if key in COUNTS:
        return whole(word, key)
    if key in FLAGS:
        return int(flag(word, key))
    if key == "pass":
        if whole(word, "pass") not in (1, 2) or table.phase[0] != t.PLAN or table.players[0] != 2:
            raise CrashlabError("pass: only two players plan twice, in the passes 1 and 2 (CG-R1)")
        return whole(word, "pass") - 1
    if key == "probe":
        return read_seat(word, table.players[0], key)
    if key == "spin":
        return (0, 1, -1)[chosen(word, list(SPINS.values()), key)]
    if key == "heading":
        return read_direction(word)
    if key in ("phase", "motion"):
        return chosen(word, PHASES if key == "phase" else MOTIONS, key)
    if key == "found":
        return read_crew(word)
    if read_saucer(word) >= table.saucers[0]:
        raise CrashlabError(f"{key}: {table.players[0]} players have {table.saucers[0]} saucers (CG-S1), not {word}")
    return read_saucer(word)
