"""Crash & Grab in words: names of things, and actions as text and back.

Spaces are row and column from 0: `3,4` is row 3, column 4; in a position it is `34`. Directions are `^ > v <` (or up,
right, down, left, or Sun, Asteroids, Meteor, Stars). Saucers are named by their colours, crewmembers by colour and type
(`red pilot`), upgrades by a word of their name or their number (`Wormhole`, `U2`); an unambiguous beginning is enough
(`r.p`).

A plan is a card and a direction: `2^`, `3>`, `0-5v`. Other answers are as short as the question: a colour, a distance
(`4`), a direction (`>`), a boost (`3^` or `no`), `push` or `mine`, `accelerate` or `no`, `roll` or `site 7`, `stay` or
a direction, `energy` or `blue doctor`, `blue doctor to green`, `buy` or `no`, `clockwise`, `counter-clockwise` or
`roll`, a number of the die, an upgrade; and at the end of a turn `no more` or an upgrade with its target: `Wormhole
blue`, `Afterburner 3,4`, `Pulse blue`, `Tractor red pilot`, `Legs >`, `Cloak`, `Quake 2 90` (tile 2 by 90 degrees
clockwise).
"""

import re
from dataclasses import replace

from crashlab.base.errors import CrashlabError, require, short_repr
from crashlab.engine.action_notation import OVER, Answer, Decision, by_number, either, joined, thing
from crashlab.engine.contract import legal_actions
from crashlab.engine.notation import called, chosen, nothing, pair, some, whole
from crashlab.engine.table import HIDDEN, NOWHERE
from crashlab.engine.value_codecs import Codec, counted, fixed, maybe, named, seat
from crashlab.games.crash_and_grab import rules
from crashlab.games.crash_and_grab import state as t
from crashlab.games.crash_and_grab.state import CrashAndGrab

# Things


ARROWS = "^>v<"
DIRECTIONS = ("up", "right", "down", "left")
DIRECTION_WORDS = tuple(zip(ARROWS, DIRECTIONS, t.MARKERS, strict=True))
PLAN_CARDS = ("2", "3", "0-5")
TITLES = tuple(rules.BOOK[rule].title for rule in rules.UPGRADE)
CARD_NAMES = (
    "Blast",
    "Wormhole",
    "Afterburner",
    "Pulse",
    "Tractor",
    "Teleporter",
    "Cloak",
    "Waste",
    "Hyperdrive",
    "Scavenger",
    "Distress",
    "Time",
    "Gateway",
    "Siphon",
    "Cargo",
    "Mines",
    "Legs",
    "Quake",
    "Stabilizer",
    "Airlock",
    "Regulator",
    "Amplifier",
    "Triangulator",
)
CARD_WORDS = tuple((CARD_NAMES[card], TITLES[card], f"U{card + 1}", f"CG-U{card + 1}") for card in range(t.CARDS))
MOTIONS = ("rest", "card", "boost", "step", "legs", "pulse", "jump")
WAYS = ("clockwise", "counter-clockwise")
PILES = {t.DECK: "deck", t.DISCARD: "discard", t.DRAWN: "drawn"}  # piles of upgrades
SPINS = {0: "open", 1: WAYS[0], -1: WAYS[1]}


# Names and back


def saucer_name(saucer: int) -> str:
    """Return the colour of a saucer."""
    return called(t.COLOUR_NAMES, saucer, "saucer")


def read_saucer(word: object) -> int:
    """Parse a colour and return its saucer."""
    return chosen(word, t.COLOUR_NAMES, "saucer")


def crew_text(crew: int) -> str:
    """Return a crewmember's name, or `crewmember 99` if there is no such crewmember."""
    return t.crew_name(crew) if 0 <= crew < t.CREW else f"crewmember {crew}"


def read_crew(words: object) -> int:
    """Parse a crewmember: `red pilot`, or `r.p` for short."""
    parts = re.split(r"[\s.]+", words.strip()) if isinstance(words, str) else []
    require(len(parts) == 2, f"crewmember: {short_repr(words)} is not a colour and a type, as in 'red pilot'")
    return t.TYPES * chosen(parts[0], t.COLOUR_NAMES, "colour") + chosen(parts[1], t.TYPE_NAMES, "type")


def place_text(where: int) -> str:
    """Write the place of a crewmember: `34`, a saucer's colour, or `queue`."""
    place = crew_place(where)
    return place if isinstance(place, str) else cell_text(where)


def place_words(where: int) -> str:
    """Write the place of a crewmember for a sentence, a space as `3,4`."""
    return t.place_words(where) if 0 <= where < t.ABOARD else place_text(where)


def read_place(place: object) -> int:
    """Parse the place of a crewmember: a space, a saucer or `queue`."""
    if isinstance(place, str) and place.strip().isalpha():
        return t.QUEUE if place.strip().lower() == "queue" else t.ABOARD + read_saucer(place)
    return read_cell(place)


def tell_place(where: int) -> object:
    """Return the place of a crewmember as JSON."""
    place = crew_place(where)
    return list(place) if isinstance(place, tuple) else place


def crew_place(where: int) -> tuple[int, int] | str:
    """Return the place of a crewmember: a space, a saucer's colour, or `queue`."""
    if where >= t.ABOARD:
        return t.COLOUR_NAMES[where - t.ABOARD]
    return divmod(where, 10) if where >= 0 else "queue"


def card_name(card: int) -> str:
    """Return the short name of an upgrade."""
    return called(CARD_NAMES, card, "upgrade")


def card_title(card: int) -> str:
    """Return the full name of an upgrade."""
    return called(TITLES, card, "upgrade")


def read_card(words: object) -> int:
    """Parse an upgrade: its number, its name, or an unambiguous beginning of a word of its name."""
    return chosen(words, CARD_WORDS, "upgrade", "or U1 to U23")


def holder_text(holder: int) -> str:
    """Write the holder of an upgrade: a pile or a saucer."""
    return PILES[holder] if holder in PILES else saucer_name(holder)


def read_holder(word: object) -> int:
    """Parse the holder of an upgrade: a pile or a saucer."""
    for pile, name in PILES.items():
        if word == name:
            return pile
    return read_saucer(word)


def cell_text(cell: int) -> str:
    """Write a space: 34, or `off` for NOWHERE."""
    return f"{cell:02}" if cell >= 0 else "off"


def read_cell(place: object) -> int:
    """Parse a space: `3,4`, `34`, `(3,4)` or [3, 4]."""
    numbers = pair(place, r"\(?([0-9])\s*,?\s*([0-9])\)?")
    if numbers is None or not 0 <= min(numbers) <= max(numbers) < 10:
        raise CrashlabError(f"space: {short_repr(place)} is not a row and a column from 0, as in '34' or [3, 4]")
    return 10 * numbers[0] + numbers[1]


def tell_cell(cell: int) -> list[int] | None:
    """Return row and column as JSON; None off the board."""
    return [*divmod(cell, 10)] if cell >= 0 else None


def space(cell: int) -> tuple[int, int] | None:
    """Return row and column; None off the board."""
    return divmod(cell, 10) if cell >= 0 else None


def read_site(word: object) -> int:
    """Parse the number of a crash site, 1 to 12, and return it minus 1."""
    plain_word = word.lower().removeprefix("roll ").removeprefix("site ") if isinstance(word, str) else word
    number = whole(plain_word, "die")
    require(1 <= number <= t.SITES, f"the die shows 1 to {t.SITES}, not {number} (CG-P1)")
    return number - 1


def tile_number(table: CrashAndGrab, place: int) -> int:
    """Return the number of the tile on a place."""
    return table.side[place] // 2 + 1


def tile_text(table: CrashAndGrab, place: int) -> str:
    """Write the number of the tile on a place, or `tile 99` if there is no such place."""
    return str(tile_number(table, place)) if 0 <= place < t.PLACES else f"tile {place}"


def read_tile(table: CrashAndGrab, word: object) -> int:
    """Parse the number of a tile and return its place."""
    there = [tile_text(table, place) for place in range(t.PLACES) if table.side[place] >= 0]
    return chosen(str(word), there, "tile")


# Plans


def plan_text(plan: int) -> str:
    """Write a plan in notation; `?` if it is hidden, `-` if there is no plan."""
    if plan == HIDDEN:
        return "?"
    return f"{PLAN_CARDS[plan // 4]}{ARROWS[plan % 4]}" if 0 <= plan < 12 else "-"


def tell_plan(plan: int) -> str | None:
    """Return a plan as JSON; None if there is no plan."""
    return None if plan == t.UNPLANNED else plan_text(plan)


def split_plan(words: object) -> tuple[str, str]:
    """Split a plan like `3>` into its card and its direction."""
    match = re.fullmatch(r"\s*(2|3|0-5)\s*(\S+)\s*", words) if isinstance(words, str) else None
    if not match:
        raise CrashlabError(f"plan: {short_repr(words)} is not a card 2, 3 or 0-5 and a direction, as in '3>'")
    return match[1], match[2]


# Codecs of things


SEAT = seat()
SAUCER = fixed("saucer", saucer_name, read_saucer)
COLOUR = fixed("colour", saucer_name, read_saucer)  # colour of a crew
CREW = fixed("crew", crew_text, read_crew)
PLACE = fixed("place", place_text, read_place, tell_place, place_words)  # place of a crewmember
SPACE = fixed("space", cell_text, read_cell, tell_cell, t.place_words)
TARGET = replace(SPACE, format=lambda table, cell: t.place_words(cell))  # the target of an answer
SITE = fixed("site", lambda site: f"site {site + 1}", read_site, lambda site: site + 1)
ROLL = fixed("roll", lambda roll: str(roll + 1), read_site, lambda roll: roll + 1)
TILE = Codec("tile", tile_text, read_tile, tile_number)  # a tile by its place
CARD = named("card", PLAN_CARDS)  # movement card of a plan
DISTANCE = counted("distance")
DIRECTION = replace(
    named("direction", ARROWS, DIRECTION_WORDS, some((*DIRECTIONS, *t.MARKERS))),
    words=lambda table, direction: DIRECTIONS[direction],
)
UPGRADE = fixed("upgrade", card_name, read_card, card_title, card_title)
HOLDER = fixed("holder", holder_text, read_holder)
SPIN = fixed("spin", SPINS.__getitem__, lambda word: (0, 1, -1)[chosen(word, [*SPINS.values()], "spin")])
MOTION = named("motion", MOTIONS)
CURRENT_CREW = maybe(replace(CREW, name="found"), {NOWHERE: "none"}, NOWHERE)


def in_play(name: str) -> Codec[CrashAndGrab]:
    """Return a codec for a saucer in play."""

    def parse(table: CrashAndGrab, word: object) -> int:
        saucer = chosen(word, t.COLOUR_NAMES, name)
        require(
            saucer < table.saucers[0],
            f"{name}: {table.players[0]} players have only {table.saucers[0]} saucers (CG-S1), without {word}",
        )
        return saucer

    return replace(SAUCER, name=name, parse=parse)


def playing(name: str) -> Codec[CrashAndGrab]:
    """Return a codec for a saucer in play or NOWHERE."""
    return maybe(in_play(name), {NOWHERE: "none"}, NOWHERE)


def read_crew_in_play(table: CrashAndGrab, words: object) -> int:
    """Parse a crewmember in play."""
    crew = read_crew(words)
    if table.where[crew] == t.UNUSED:
        raise CrashlabError(f"{t.crew_name(crew)} is not in play with {table.players[0]} players (CG-S1)")
    return crew


CREW_IN_PLAY = replace(CREW, parse=read_crew_in_play)


def read_plan(table: CrashAndGrab, words: object) -> int:
    """Parse the plan of a saucer in a position: `?` if it is hidden, `-` if there is no plan."""
    if isinstance(words, str) and words == "?":
        return HIDDEN
    if nothing(words, "-"):
        return t.UNPLANNED
    card, direction = split_plan(words)
    return 4 * CARD.parse(table, card) + DIRECTION.parse(table, direction)


PLAN: Codec[CrashAndGrab] = Codec(
    "plan", lambda table, plan: plan_text(plan), read_plan, lambda table, plan: tell_plan(plan)
)


# Uses of upgrades


def read_turning(table: CrashAndGrab, words: str) -> int:
    """CG-U18: parse the tile and the quarter turns of `2 90`."""
    match = re.fullmatch(r"(?:tile )?([0-9]{1,2}) (90|180|270)", words)
    tiles = [side // 2 + 1 for side in table.side]
    if not match or int(match[1]) not in tiles:
        there = some(sorted(tile for tile in tiles if tile))
        raise CrashlabError(f"give a tile ({there}) and 90, 180 or 270 degrees, as in 'Quake 2 90'")
    return 4 * tiles.index(int(match[1])) + int(match[2]) // 90


A_SAUCER, A_SPACE, A_CREWMEMBER = thing(SAUCER), thing(TARGET), thing(CREW)
TARGETS: dict[int, Answer[CrashAndGrab]] = {  # by upgrade, if it has a target
    t.WORMHOLE: A_SAUCER,
    t.PULSE_CANNON: A_SAUCER,
    t.AFTERBURNER: A_SPACE,
    t.TELEPORTER: A_SPACE,
    t.TRIANGULATOR: A_SPACE,
    t.TRACTOR_BEAM: A_CREWMEMBER,
    t.DISTRESS: A_CREWMEMBER,
    t.LANDING_LEGS: thing(DIRECTION),
    t.QUAKE: Answer(
        lambda table, turning: f"{TILE.format(table, turning // 4)} {90 * (turning % 4)}",
        read_turning,
        lambda table, turning: {"tile": TILE.to_json(table, turning // 4), "degrees": 90 * (turning % 4)},
    ),
}


def use_text(table: CrashAndGrab, use: int) -> str:
    """Write an upgrade and its target."""
    card, target = divmod(use, rules.TARGETS)
    name = UPGRADE.format(table, card)
    return f"{name} {TARGETS[card].format(table, target)}" if card in TARGETS else name


def read_use(table: CrashAndGrab, words: str) -> int:
    """Parse an upgrade, as the longest prefix that names one, and its target."""
    parts = words.lower().split()
    for length in range(len(parts), 0, -1):
        try:
            card = UPGRADE.parse(table, " ".join(parts[:length]))
        except CrashlabError:
            continue
        return rules.TARGETS * card + read_target(table, card, " ".join(parts[length:]))
    raise CrashlabError(f"begin with an upgrade, one of {some(CARD_NAMES)}, or write 'no more'")


def read_target(table: CrashAndGrab, card: int, words: str) -> int:
    """Parse the target of an upgrade."""
    if card in TARGETS:
        return TARGETS[card].parse(table, words)
    require(not words, f"{CARD_NAMES[card]} has no target: leave out {short_repr(words)}")
    return 0


def use_parts(table: CrashAndGrab, use: int) -> dict[str, object]:
    """Return the upgrade and its target as JSON, by the names of their codecs."""
    card, target = divmod(use, rules.TARGETS)
    named = {UPGRADE.name: UPGRADE.to_json(table, card)}
    return {**named, **TARGETS[card].parts(table, target)} if card in TARGETS else named


USE = Answer(use_text, read_use, use_parts)


# Refusals


def use_refusal(table: CrashAndGrab, action: int) -> str:
    """Return the reason to refuse this use of an upgrade at the end of a turn."""
    card = (action - 1) // rules.TARGETS
    saucer = table.turn[0]
    use = use_text(table, action - 1)
    if not 0 <= card < t.CARDS:
        return f"{use} is not an upgrade (CG-S6)"
    title, rule = TITLES[card], rules.BOOK[rules.UPGRADE[card]].id
    if table.holder[card] != saucer:
        return f"{saucer_name(saucer)} does not have {title} (CG-H2)"
    if table.fresh[card]:
        return f"{title} was bought in this turn and works only after it (CG-H1)"
    if table.spent[card]:
        return f"{title} was already used in this turn (CG-H2)"
    if not rules.targets(card):
        return f"{title} cannot be used at the end of a turn ({rule})"
    may_jump = table.cloaked[0] and card in (t.TELEPORTER, t.TRIANGULATOR)
    if table.cell[saucer] == NOWHERE and card not in (t.DISTRESS, t.QUAKE) and not may_jump:
        return f"{saucer_name(saucer)} is off the board, so {use} is not possible ({rule})"
    if card == t.TRIANGULATOR and table.gained[0]:
        return f"{saucer_name(saucer)} has gained a crewmember in this turn, so {title} cannot be used ({rule})"
    return f"{use} is not possible: {title} cannot be used on this target ({rule})"


# Answers


def split_boost(words: str) -> tuple[str, str]:
    """Split a boost like `3^` into its distance and its direction."""
    match = require(
        re.fullmatch(r"([0-9]{1,2})\s*(\S+)", words), "a boost is a distance and a direction, as in '3^', or 'no'"
    )
    return match[1], match[2]


def read_gift(table: CrashAndGrab, words: str) -> int:
    """CG-C1: parse a crewmember and its receiver, as in `blue doctor to green`."""
    crew, _, receiver = words.lower().partition(" to ")
    return t.CREW * SAUCER.parse(table, receiver) + CREW.parse(table, crew)


NO = ("no", "none", "done", "pass", "-")
NO_MORE = ("no more", "no", "none", "done", "-")
A_PLAN = joined(CARD, DIRECTION, 4, "", split_plan)
A_BOOST = joined(DISTANCE, DIRECTION, 4, "", split_boost)
A_GIFT = Answer(
    lambda table, gift: f"{CREW.format(table, gift % t.CREW)} to {SAUCER.format(table, gift // t.CREW)}",
    read_gift,
    lambda table, gift: {"crew": CREW.to_json(table, gift % t.CREW), "saucer": SAUCER.to_json(table, gift // t.CREW)},
)
WHICH_SAUCER = thing(SAUCER)
A_CREW = thing(CREW)
A_DISTANCE = thing(DISTANCE)
A_DIRECTION = thing(DIRECTION)
AN_UPGRADE = thing(UPGRADE)
A_ROLL = thing(ROLL)
A_WAY = thing(replace(named("answer", WAYS), name="spin"))
A_WAY_OR_ROLL = thing(replace(named("answer", (*WAYS, "roll")), name="spin"), ("die", 2))
A_PUSH = thing(named("answer", ("push", "mine")), ("no", 0), ("yes", 1), ("mines", 1), ("crash", 1))
WASTE = thing(named("answer", ("no", "accelerate")), ("yes", 1), ("waste", 1), ("-", 0))
BUY = thing(named("answer", ("no", "buy")), ("yes", 1), ("-", 0))


# Decisions, in the order of their numbers

DECISIONS: tuple[Decision[CrashAndGrab], ...] = by_number(
    {
        t.PLAN: Decision("plan", "a plan", A_PLAN, "a plan is a card and a direction (CG-R1)"),
        t.PILOT_CHOICE: Decision(
            "pilot", "the saucer whose pilot is placed", WHICH_SAUCER, "the saucer must be one of your own (CG-S5)"
        ),
        t.BOOSTER_CHOICE: Decision(
            "booster", "the saucer that gets a booster", WHICH_SAUCER, "the saucer must be one of your own (CG-S5)"
        ),
        t.FIRST: Decision(
            "first", "the saucer that goes first", WHICH_SAUCER, "the saucer must be one of your own (CG-R2)"
        ),
        t.NAMING: Decision("naming", "the direction of the turns", A_WAY_OR_ROLL),
        t.SITE: Decision("site", "the crash site", either("roll", thing(SITE)), "the crash site must be free (CG-U13)"),
        t.STEP: Decision(
            "step",
            "a step before the card is revealed",
            either(("stay", *NO), A_DIRECTION),
            "the step must lead to an adjacent empty space (CG-U1)",
            without="stay",
        ),
        t.DISTANCE: Decision(
            "distance",
            "the distance",
            A_DISTANCE,
            "2 and 3 are exact distances, 0-5 goes up to 5 (CG-M1), and only Hyperdrive doubles them (CG-U9)",
        ),
        t.DIRECTION: Decision("direction", "the direction", A_DIRECTION),
        t.PUSH: Decision("push", "a push or a mine", A_PUSH),
        t.WASTE_USE: Decision("waste", "the use of Waste Accelerator", WASTE, without="no"),
        t.LEG: Decision(
            "leg",
            "the distance off the accelerator",
            A_DISTANCE,
            "the distance off an accelerator is 1 to 4, with Hyperdrive 6 or 8, or the normal one (CG-U21)",
        ),
        t.TURN_OFF: Decision("turn-off", "the direction off the accelerator", A_DIRECTION),
        t.EXCHANGE: Decision(
            "exchange", "an exchange", either(NO, A_CREW), "the crewmember must be on the board (CG-U20)", without="no"
        ),
        t.PASS: Decision(
            "pass",
            "the passing of crew",
            either(NO, A_CREW),
            "the crewmember must be aboard a partner that was adjacent to the saucer of its colour (CG-W4)",
            without="no",
        ),
        t.BOOST: Decision(
            "boost",
            "a boost",
            either(NO, A_BOOST),
            "a boost goes as far as the card (CG-M7), or 1 to 6 with Boost Amplifier (CG-U22)",
            without="no",
        ),
        t.PENALTY: Decision(
            "penalty",
            "the crewmember to give away",
            A_GIFT,
            "one of your off-coloured crew must go to an opponent with the fewest stationed (CG-C1)",
        ),
        t.REWARD: Decision(
            "reward",
            "the reward",
            either("energy", A_CREW),
            "only an off-coloured crewmember of the crashed saucer can be stolen, if it has enough stationed (CG-C2)",
        ),
        t.REFILL: Decision(
            "refill", "the queue to refill from", thing(COLOUR), "a crewmember of this colour must be waiting (CG-W3)"
        ),
        t.END: Decision("end", "an upgrade to use", either(NO_MORE, USE), use_refusal, without="no more"),
        t.BUY: Decision("buy", "a purchase", BUY, without="no"),
        t.KEEP: Decision("keep", "the upgrade to keep", AN_UPGRADE, "the upgrade was not drawn (CG-H1)"),
        t.ROTATION: Decision("rotation", "the rotation die", A_WAY),
        t.SET_UP_DIE: Decision("set-up-die", "the placement die", A_ROLL, "the die shows 1 to 12 (CG-P1)"),
        t.DIE: Decision("die", "the placement die", A_ROLL, "the die shows 1 to 12 (CG-P1)"),
        t.REFILL_DIE: Decision("refill-die", "the placement die", A_ROLL, "the die shows 1 to 12 (CG-P1)"),
        t.DRAW: Decision("draw", "a card from the deck", AN_UPGRADE, "the upgrade is not in the deck (CG-H1)"),
        t.OVER: OVER,
    }
)
NAMES = tuple(decision.name for decision in DECISIONS)
PHASE = named("phase", NAMES)


def decision(table: CrashAndGrab, seat: int) -> Decision[CrashAndGrab]:
    """Return the current decision, which is the same for all seats."""
    return DECISIONS[table.phase[0]]


def said(table: CrashAndGrab, action: int) -> str:
    """Write an action of the current decision in notation."""
    return DECISIONS[table.phase[0]].answer.format(table, action)


def parts(table: CrashAndGrab, action: int) -> dict[str, object]:
    """Return the things in an action as JSON, by the names of their codecs."""
    return DECISIONS[table.phase[0]].answer.parts(table, action)


def legal(table: CrashAndGrab, seat: int) -> list[int]:
    """Return the legal actions."""
    return legal_actions(rules, table, seat)
