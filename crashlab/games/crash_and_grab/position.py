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
from collections.abc import Mapping, Sequence
from typing import Any

from crashlab.base.errors import CrashlabError, shown
from crashlab.engine.notation import SEATS, as_list, fields, mapping, nothing, pieces, read_seat, some, unique, whole
from crashlab.engine.position import Part, flag, single
from crashlab.engine.table import NOWHERE
from crashlab.engine.words import counted, seat
from crashlab.games.crash_and_grab import table as t
from crashlab.games.crash_and_grab import words as w
from crashlab.games.crash_and_grab.decisions import PHASE
from crashlab.games.crash_and_grab.impossible import default_asked, impossible
from crashlab.games.crash_and_grab.table import CrashAndGrab

__all__ = ["PARTS", "impossible"]


# Tiles


def tiles_of(table: CrashAndGrab) -> list[str]:
    """The tiles in the order of their places, as in 1A0: number, side, quarter turns."""
    return [
        f"{w.tile_number(table, place)}{'AB'[table.side[place] % 2]}{table.turned[place]}"
        for place in range(t.PLACES)
        if table.side[place] != NOWHERE
    ]


def default_tiles(table: CrashAndGrab) -> list[str]:
    """CG-B1: the tiles in the order of their numbers, with side A up."""
    corners, arms, centre = t.TILES[table.size[0]]
    numbered = enumerate((*corners, *arms, *centre))
    return [f"{tile + 1}A{int(place in t.VERTICAL)}" for place, tile in numbered]


def lay_out(table: CrashAndGrab, tiles: object) -> None:
    """CG-B1: the tiles as given."""
    corners, arms, centre = t.TILES[table.size[0]]
    places = range(len(corners) + len(arms) + len(centre))  # those of the arms and the centre come last
    if not isinstance(tiles, (list, tuple)) or len(tiles) != len(places):
        raise CrashlabError(f"tiles: {len(places)} tiles are wanted, as in '1A0', not {shown(tiles)}")
    for place, word in zip(places, tiles, strict=True):
        lay_tile(table, place, word, corners if place < 4 else arms if place < 8 else centre)


def lay_tile(table: CrashAndGrab, place: int, word: object, fitting: Sequence[int]) -> None:
    """CG-B1: one tile that must be one of those which fit."""
    found = re.fullmatch(r"([0-9]{1,2})([ABab])([0-3])", word) if isinstance(word, str) else None
    if not found or int(found[1]) - 1 not in fitting:
        choice = some(tile + 1 for tile in fitting)
        raise CrashlabError(f"tiles: {shown(word)} is not one of {choice} with side A or B and 0 to 3 turns (CG-B1)")
    side, turns = 2 * int(found[1]) - 2 + "AB".index(found[2].upper()), int(found[3])
    if side // 2 in [other // 2 for other in table.side]:
        raise CrashlabError(f"tiles: tile {found[1]} stands twice")
    if 4 <= place < 8 and turns % 2 != (place in t.VERTICAL):
        raise CrashlabError(f"tiles: {shown(word)} does not fit its place; turn it by one quarter (CG-B1)")
    t.lay_tile(table, place, side, turns)


# Who is asked


def pass_of(table: CrashAndGrab) -> int | None:
    """CG-R1: of two players in planning the first or the second pass."""
    return table.asked[0] + 1 if table.phase[0] == t.PLAN and table.players[0] == 2 else None


def put_pass(table: CrashAndGrab, word: object) -> None:
    """The pass of planning."""
    if word is None:
        return
    if whole(word, "pass") not in (1, 2) or table.phase[0] != t.PLAN or table.players[0] != 2:
        raise CrashlabError("pass: only two players plan twice, in the passes 1 and 2 (CG-R1)")
    table.asked[0] = whole(word, "pass") - 1


def asked_of(table: CrashAndGrab) -> str | None:
    """The player who is asked; in planning all are."""
    return None if table.phase[0] == t.PLAN else SEATS[table.asked[0]]


def put_asked(table: CrashAndGrab, word: object) -> None:
    """The player who is asked."""
    if table.phase[0] != t.PLAN:
        table.asked[0] = read_seat(word, table.players[0], "asked")
    elif word is not None:
        raise CrashlabError("asked: in the phase plan all players are asked")


def usually_asked(table: CrashAndGrab) -> str | None:
    """Who is asked where a position does not say it."""
    return None if table.phase[0] == t.PLAN else SEATS[default_asked(table)]


def default_spin(table: CrashAndGrab) -> int:
    """CG-R2: turns go clockwise unless said otherwise; before the first turn that is open."""
    is_open = table.turn[0] == NOWHERE or table.players[0] == 2 or table.holder[t.STABILIZER] >= 0
    return 0 if is_open else 1


# Saucers

SAUCER_KEYS = ("space", "energy", "boosters", "plan", "acted", "crashed")


def saucers_of(table: CrashAndGrab) -> dict[str, Any]:
    """The saucers by their colours."""
    return {t.COLOUR_NAMES[saucer]: saucer_of(table, saucer) for saucer in range(table.saucers[0])}


def saucer_of(table: CrashAndGrab, saucer: int) -> dict[str, Any]:
    """A saucer as plain JSON."""
    entry: dict[str, Any] = {
        "space": w.tell_cell(table.cell[saucer]),
        "energy": table.energy[saucer],
        "boosters": table.boosters[saucer],
    }
    if table.plan[saucer] != t.UNPLANNED:
        entry["plan"] = w.plan_text(table.plan[saucer])
    if table.acted[saucer]:
        entry["acted"] = table.acted[saucer]
    if table.crashed[saucer]:
        entry["crashed"] = table.crashed[saucer]
    return entry


def put_saucers(table: CrashAndGrab, entries: object) -> None:
    """Saucers as given; what is not said is as at the start."""
    named = ((w.SAUCER.read(table, name), entry) for name, entry in mapping(entries, "saucers").items())
    for saucer, entry in unique("saucers", named, w.saucer_name).items():
        name = t.COLOUR_NAMES[saucer]
        if saucer >= table.saucers[0]:
            raise CrashlabError(f"saucers: {table.players[0]} players have no {name} one (CG-S1)")
        put_saucer(table, saucer, read_saucer(name, entry) if isinstance(entry, str) else entry)


def put_saucer(table: CrashAndGrab, saucer: int, entry: object) -> None:
    """One saucer from JSON."""
    name = t.COLOUR_NAMES[saucer]
    entry = fields(entry, SAUCER_KEYS, f"saucer {name}", "34 e2 b1 3>")
    place = entry.get("space")
    table.cell[saucer] = NOWHERE if nothing(place, "off") else w.read_cell(place)
    table.energy[saucer] = whole(entry.get("energy", 1), f"saucer {name}, energy")
    for key in ("boosters", "acted", "crashed"):
        vars(table)[key][saucer] = whole(entry.get(key, 0), f"saucer {name}, {key}")
    table.plan[saucer] = w.PLAN.read(table, entry.get("plan"))


def saucers_line(saucers: Mapping[str, Any]) -> str:
    """The saucers in the line."""
    return ", ".join(f"{colour} {saucer_line(entry)}" for colour, entry in saucers.items())


def saucer_line(entry: Mapping[str, Any]) -> str:
    """A saucer in the line, as in `34 e2 b1 3>`."""
    words = [
        w.cell_text(w.read_cell(entry["space"])) if entry["space"] else "off",
        f"e{entry['energy']}" if entry["energy"] != 1 else "",
        f"b{entry['boosters']}" if entry["boosters"] else "",
        entry.get("plan", ""),
        f"#{entry['acted']}" if "acted" in entry else "",
        f"x{entry['crashed']}" if "crashed" in entry else "",
    ]
    return " ".join(filter(None, words))


def read_saucers(line: str) -> dict[str, str]:
    """The saucers from the line."""
    return unique("saucers", [(name, rest) for name, _, rest in (thing.partition(" ") for thing in pieces(line, ","))])


def read_saucer(name: str, line: str) -> dict[str, Any]:
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


def number_turns(table: CrashAndGrab) -> None:
    """CG-R2: if no turn is numbered, those of the round up to the one that is under way are."""
    if table.turn[0] == NOWHERE or any(table.acted):
        return
    table.acted[table.turn[0]] = 1
    if table.players[0] == 2:
        if t.owner(table, table.turn[0]) != table.probe[0]:
            table.acted[2 * table.probe[0]] = 1
            table.acted[table.turn[0]] = 2
        return
    for place in range(table.players[0]):
        saucer = (table.probe[0] + table.spin[0] * place) % table.players[0]
        table.acted[saucer] = place + 1
        if saucer == table.turn[0] or not table.spin[0]:
            return


# Crew


def crew_of(table: CrashAndGrab) -> dict[str, Any]:
    """Where crew is that does not wait."""
    return {t.crew_name(crew): w.PLACE.tell(table, where) for crew, where in enumerate(table.where) if where >= 0}


def put_crew(table: CrashAndGrab, entries: object) -> None:
    """Crewmembers as given; the others wait."""
    named = ((w.read_crew(name), place) for name, place in mapping(entries, "crew").items())
    for crew, place in unique("crew", named, t.crew_name).items():
        if table.where[crew] == t.UNUSED:
            raise CrashlabError(f"crew: {t.crew_name(crew)} is not in play with {table.players[0]} players (CG-S1)")
        table.where[crew] = w.PLACE.read(table, place)


def crew_line(crew: Mapping[str, Any]) -> str:
    """The crew in the line."""
    return ", ".join(
        f"{name} {place if isinstance(place, str) else w.cell_text(w.read_cell(place))}" for name, place in crew.items()
    )


def read_crew(line: str) -> dict[str, str]:
    """The crew from the line."""
    return unique("crew", [(name, place) for name, _, place in (thing.rpartition(" ") for thing in pieces(line, ","))])


def marked_of(table: CrashAndGrab) -> list[str]:
    """Who may be passed."""
    return [t.crew_name(crew) for crew in range(t.CREW) if table.marked[crew]]


def put_marked(table: CrashAndGrab, names: object) -> None:
    """CG-W4: crewmembers that may be passed."""
    for name in as_list(names, "marked: a list of crewmembers is wanted"):
        table.marked[w.read_crew(name)] = 1


# Upgrades


def upgrades_of(table: CrashAndGrab) -> dict[str, str]:
    """The upgrades that are neither in the deck nor out of play, each fresh or spent if it is."""
    return {
        w.TITLES[card]: w.holder_text(holder) + " fresh" * table.fresh[card] + " spent" * table.spent[card]
        for card, holder in enumerate(table.holder)
        if holder in (t.DISCARD, t.DRAWN) or holder >= 0
    }


def put_upgrades(table: CrashAndGrab, entries: object) -> None:
    """Upgrades as given; the others lie in the deck."""
    named = ((w.read_card(name), entry) for name, entry in mapping(entries, "upgrades").items())
    for card, entry in unique("upgrades", named, w.card_title).items():
        words = entry.lower().split() if isinstance(entry, str) else []
        if not words or not set(words[1:]) <= {"fresh", "spent"}:
            raise CrashlabError(
                f"upgrades: {w.TITLES[card]} is with a saucer, as in 'red' or 'red spent', not {shown(entry)}"
            )
        table.holder[card] = w.HOLDER.read(table, words[0])
        table.fresh[card] = int("fresh" in words)
        table.spent[card] = int("spent" in words)


def upgrades_line(upgrades: Mapping[str, str]) -> str:
    """The upgrades in the line, by their short names."""
    return ", ".join(f"{w.CARD_NAMES[w.TITLES.index(title)]} {place}" for title, place in upgrades.items())


def read_upgrades(line: str) -> dict[str, str]:
    """The upgrades from the line."""
    return unique("upgrades", map(split_upgrade, pieces(line, ",")))


def split_upgrade(thing: str) -> tuple[str, str]:
    """The name of an upgrade and where it is: the last words, of which only the first is a place."""
    found = re.fullmatch(r"(.+?)\s+(\S+(?:\s+(?:fresh|spent))*)", thing)
    if not found:
        raise CrashlabError(f"upgrades: {shown(thing)} is not an upgrade and a place, as in 'Mines red'")
    return found[1], found[2]


# Everything


def count(key: str, about: str) -> Part[Any]:
    """A part that is a number, 0 if it is not given."""
    return single(key, about, key, counted(key))


PARTS: tuple[Part[CrashAndGrab], ...] = (
    single("round", "which round it is, from 1", "round", counted("round"), 1, always=True),
    Part(
        "tiles", "the tiles in the order of the places",
        tiles_of, lay_out, default_tiles, " ".join, str.split, always=True,
    ),
    single("phase", "what is decided, by one of the names below", "phase", PHASE),
    Part(
        "pass", "in the phase plan with two players, who plan twice: 1 or 2", pass_of, put_pass,
        lambda table: None if pass_of(table) is None else 1, str, str,
    ),
    Part("asked", "the player who decides; in the phase plan all do", asked_of, put_asked, usually_asked, str, str),
    single("probe", "the player who has the probe", "probe", seat("probe"), always=True),
    single("spin", "which way round the turns go: clockwise, counter-clockwise or open", "spin", w.SPIN, default_spin),
    single("turn", "the saucer whose turn it is", "turn", w.playing("turn"), NOWHERE),
    Part(
        "saucers", "each with its space or off, energy, boosters, plan, turn of the round, and crash of the turn",
        saucers_of, put_saucers, None, saucers_line, read_saucers, always=True, settle=number_turns,
    ),
    Part(
        "crew", "each on its space or aboard a saucer; the others wait",
        crew_of, put_crew, lambda table: {}, crew_line, read_crew,
    ),
    Part(
        "marked", "crew that may be passed between partners, as they met in this movement",
        marked_of, put_marked, lambda table: [], ", ".join, lambda line: pieces(line, ","),
    ),
    Part(
        "upgrades", "each with a saucer, drawn or discarded; fresh if bought and spent if used in this turn",
        upgrades_of, put_upgrades, lambda table: {}, upgrades_line, read_upgrades,
    ),
    flag("placed", "the saucer was placed at the start of this turn", "placed"),
    count("distance", "how far the card of this turn goes"),
    count("picked", "crewmembers picked up in this turn that are still to be refilled"),
    flag("gained", "the saucer has gained crew in this turn", "gained"),
    count("lost", "own crashes of this turn that are still to be paid for"),
    single(
        "crashes", "how many saucers of others have crashed in this turn", "crashes", counted("crashes"),
        lambda table: max(table.crashed), always=lambda table: table.crashes[0] > 0,
    ),
    flag("declined", "no more upgrades are used in this turn", "declined"),
    flag("bought", "no more upgrades are bought in this turn", "bought"),
    flag("cloaked", "the saucer has left the board without a crash", "cloaked"),
    single("motion", "what moves: rest, card, boost, step, legs, pulse or jump", "motion", w.MOTION),
    single("mover", "the saucer that moves, or is to be placed", "mover", w.playing("mover"), NOWHERE),
    single("heading", "the direction in which it moves", "heading", w.DIRECTION),
    count("leg", "the whole distance that it goes at a time"),
    count("left", "how much of that is left"),
    count("leaps", "accelerators that the saucer has reached by itself in this turn"),
    single("found", "the crewmember that is placed, or may be exchanged", "found", w.FOUND, NOWHERE),
)  # fmt: skip
