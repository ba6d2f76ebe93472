"""Crash & Grab in words: names of things, and actions as text and back.

Spaces are row and column from 0: `34` is row 3, column 4. Directions are `^ > v <` (or up, right, down, left, or Sun,
Asteroids, Meteor, Stars). Saucers go by their colours, crewmembers by colour and type (`red pilot`), upgrades by a word
of their name or their number (`Wormhole`, `U2`); a clear beginning is enough (`r.p`).

A plan is a card and a direction: `2^`, `3>`, `0-5v`. Other answers are as short as the question: a colour, a distance
(`4`), a direction (`>`), a boost (`3^` or `no`), `push` or `mine`, `accelerate` or `no`, `roll` or `site 7`, `stay` or
a direction, `energy` or `blue doctor`, `blue doctor to green`, `buy` or `no`, `clockwise`, `counter-clockwise` or
`roll`, a number of the die, an upgrade; and at the end of a turn `no more` or an upgrade with its target: `Wormhole
blue`, `Afterburner 34`, `Pulse blue`, `Tractor red pilot`, `Legs >`, `Cloak`, `Quake 2 90` (tile 2 by 90 degrees
clockwise).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from crashlab.base.errors import CrashlabError, shown
from crashlab.engine.notation import called, chosen, nothing, pair, some, whole
from crashlab.engine.table import HIDDEN, NOWHERE
from crashlab.engine.words import Kind, counted, maybe, named, seat
from crashlab.games.crash_and_grab import rules
from crashlab.games.crash_and_grab import table as t
from crashlab.games.crash_and_grab.table import CrashAndGrab

ARROWS = "^>v<"
DIRECTIONS = ("up", "right", "down", "left")
DIRECTION_WORDS = tuple(zip(ARROWS, DIRECTIONS, t.MARKERS, strict=True))
PLAN_CARDS = ("2", "3", "0-5")
TITLES = tuple(rules.BOOK[rule].title for rule in rules.UPGRADE)
CARD_NAMES = (
    "Blast", "Wormhole", "Afterburner", "Pulse", "Tractor", "Teleporter", "Cloak", "Waste", "Hyperdrive", "Scavenger",
    "Distress", "Time", "Gateway", "Siphon", "Cargo", "Mines", "Legs", "Quake", "Stabilizer", "Airlock", "Regulator",
    "Amplifier", "Triangulator",
)  # fmt: skip
CARD_WORDS = tuple((CARD_NAMES[card], TITLES[card], f"U{card + 1}", f"CG-U{card + 1}") for card in range(t.CARDS))
MOTIONS = ("rest", "card", "boost", "step", "legs", "pulse", "jump")
WAYS = ("clockwise", "counter-clockwise")
PILES = {t.DECK: "deck", t.DISCARD: "discard", t.DRAWN: "drawn"}  # of upgrades
SPINS = {0: "open", 1: WAYS[0], -1: WAYS[1]}


# Names and back


def saucer_name(saucer: int) -> str:
    """The colour."""
    return called(t.COLOUR_NAMES, saucer, "saucer")


def read_saucer(word: object) -> int:
    """The saucer of this colour."""
    return chosen(word, t.COLOUR_NAMES, "saucer")


def crew_text(crew: int) -> str:
    """A crewmember's name, also where there is none."""
    return t.crew_name(crew) if 0 <= crew < t.CREW else f"crewmember {crew}"


def read_crew(words: object) -> int:
    """The crewmember `red pilot`, or short `r.p`."""
    parts = re.split(r"[\s.]+", words.strip()) if isinstance(words, str) else []
    if len(parts) != 2:
        raise CrashlabError(f"crewmember: {shown(words)} is not a colour and a type, as in 'red pilot'")
    return t.TYPES * chosen(parts[0], t.COLOUR_NAMES, "colour") + chosen(parts[1], t.TYPE_NAMES, "type")


def place_text(where: int) -> str:
    """Where a crewmember is."""
    place = crew_place(where)
    return place if isinstance(place, str) else cell_text(where)


def read_place(place: object) -> int:
    """Where a crewmember is: a space, a saucer or `queue`."""
    if isinstance(place, str) and place.strip().isalpha():
        return t.QUEUE if place.strip().lower() == "queue" else t.ABOARD + read_saucer(place)
    return read_cell(place)


def tell_place(where: int) -> object:
    """Where a crewmember is, as JSON."""
    place = crew_place(where)
    return list(place) if isinstance(place, tuple) else place


def crew_place(where: int) -> tuple[int, int] | str:
    """A space, a saucer, or `queue`."""
    if where >= t.ABOARD:
        return t.COLOUR_NAMES[where - t.ABOARD]
    return divmod(where, 10) if where >= 0 else "queue"


def card_name(card: int) -> str:
    """An upgrade, short."""
    return called(CARD_NAMES, card, "upgrade")


def card_title(card: int) -> str:
    """An upgrade by its whole name."""
    return called(TITLES, card, "upgrade")


def read_card(words: object) -> int:
    """The upgrade with this number, name, or clear beginning of a word of its name."""
    return chosen(words, CARD_WORDS, "upgrade", "or U1 to U23")


def holder_text(holder: int) -> str:
    """Where an upgrade is."""
    return PILES[holder] if holder in PILES else saucer_name(holder)


def read_holder(word: object) -> int:
    """Where an upgrade is: in a pile or with a saucer."""
    for pile, name in PILES.items():
        if word == name:
            return pile
    return read_saucer(word)


def cell_text(cell: int) -> str:
    """34, or `off` the board."""
    return f"{cell:02}" if cell >= 0 else "off"


def read_cell(place: object) -> int:
    """The space of `34`, `(3,4)` or [3, 4]."""
    found = pair(place, r"\(?([0-9])\s*,?\s*([0-9])\)?")
    if found is None or not 0 <= min(found) <= max(found) < 10:
        raise CrashlabError(f"space: {shown(place)} is not a row and a column from 0, as in '34' or [3, 4]")
    return 10 * found[0] + found[1]


def tell_cell(cell: int) -> list[int] | None:
    """Row and column as JSON; nothing off the board."""
    return [*divmod(cell, 10)] if cell >= 0 else None


def space(cell: int) -> tuple[int, int] | None:
    """Row and column; None off the board."""
    return divmod(cell, 10) if cell >= 0 else None


def read_site(word: object) -> int:
    """The crash site with this number."""
    plain_word = word.lower().removeprefix("roll ").removeprefix("site ") if isinstance(word, str) else word
    number = whole(plain_word, "die")
    if not 1 <= number <= t.SITES:
        raise CrashlabError(f"{number} is not on the die from 1 to {t.SITES} (CG-P1)")
    return number - 1


def tile_number(table: CrashAndGrab, place: int) -> int:
    """The number of the tile on a place."""
    return table.side[place] // 2 + 1


def tile_text(table: CrashAndGrab, place: int) -> str:
    """The number of the tile on a place, also where there is no such place."""
    return str(tile_number(table, place)) if 0 <= place < t.PLACES else f"tile {place}"


def read_tile(table: CrashAndGrab, word: object) -> int:
    """The place of the tile with this number."""
    there = [tile_text(table, place) for place in range(t.PLACES) if table.side[place] >= 0]
    return chosen(str(word), there, "tile")


# Plans


def plan_text(plan: int) -> str:
    """A plan in notation; `?` if it is hidden."""
    if plan == HIDDEN:
        return "?"
    return f"{PLAN_CARDS[plan // 4]}{ARROWS[plan % 4]}" if 0 <= plan < 12 else "-"


def tell_plan(plan: int) -> str | None:
    """A plan as JSON; nothing where there is none."""
    return None if plan == t.UNPLANNED else plan_text(plan)


def split_plan(words: object) -> tuple[str, str]:
    """The card and the direction of `3>`."""
    found = re.fullmatch(r"\s*(2|3|0-5)\s*(\S+)\s*", words) if isinstance(words, str) else None
    if not found:
        raise CrashlabError(f"plan: {shown(words)} is not a card 2, 3 or 0-5 and a direction, as in '3>'")
    return found[1], found[2]


# Kinds of things


def plain(
    name: str, say: Callable[[int], str], read: Callable[[object], int], tell: Callable[[int], object] | None = None
) -> Kind[Any]:
    """A kind of thing whose names do not depend on the table; told as it is said where nothing else is given."""
    telling = tell or say
    return Kind(name, lambda table, n: say(n), lambda table, word: read(word), lambda table, n: telling(n))


SEAT = seat()
SAUCER = plain("saucer", saucer_name, read_saucer)
COLOUR = plain("colour", saucer_name, read_saucer)  # of a crew
CREW = plain("crew", crew_text, read_crew)
PLACE = plain("place", place_text, read_place, tell_place)  # of a crewmember
SPACE = plain("space", cell_text, read_cell, tell_cell)
SITE = plain("site", lambda site: f"site {site + 1}", read_site, lambda site: site + 1)
ROLL = plain("roll", lambda roll: str(roll + 1), read_site, lambda roll: roll + 1)
TILE = Kind("tile", tile_text, read_tile, tile_number)  # by its place
CARD = named("card", PLAN_CARDS)  # of a plan
DISTANCE = counted("distance")
DIRECTION = named("direction", ARROWS, DIRECTION_WORDS, some((*DIRECTIONS, *t.MARKERS)))
UPGRADE = plain("upgrade", card_name, read_card, card_title)
HOLDER = plain("holder", holder_text, read_holder)
SPIN = plain("spin", SPINS.__getitem__, lambda word: (0, 1, -1)[chosen(word, [*SPINS.values()], "spin")])
MOTION = named("motion", MOTIONS)
FOUND = maybe(replace(CREW, name="found"), {NOWHERE: "none"}, NOWHERE)


def playing(name: str) -> Kind[CrashAndGrab]:
    """A saucer that plays, or none."""

    def read(table: CrashAndGrab, word: object) -> int:
        saucer = chosen(word, t.COLOUR_NAMES, name)
        if saucer >= table.saucers[0]:
            raise CrashlabError(
                f"{name}: {table.players[0]} players have {table.saucers[0]} saucers (CG-S1), not {word}"
            )
        return saucer

    return maybe(replace(SAUCER, name=name, read=read), {NOWHERE: "none"}, NOWHERE)


def read_plan(table: CrashAndGrab, words: object) -> int:
    """A plan from a position, in which it can be hidden or still to come."""
    if isinstance(words, str) and words == "?":
        return HIDDEN
    if nothing(words, "-"):
        return t.UNPLANNED
    card, direction = split_plan(words)
    return 4 * CARD.read(table, card) + DIRECTION.read(table, direction)


PLAN: Kind[CrashAndGrab] = Kind(
    "plan", lambda table, plan: plan_text(plan), read_plan, lambda table, plan: tell_plan(plan)
)
