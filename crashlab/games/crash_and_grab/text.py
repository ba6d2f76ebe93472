"""Crash & Grab in words: plans, answers, positions and events as text, JSON, and back.

Spaces are row and column from 0: `34` is row 3, column 4. Directions are `^ > v <` (or up, right, down, left, or Sun,
Asteroids, Meteor, Stars). Saucers go by their colours, crewmembers by colour and type (`red pilot`), upgrades by a word
of their name or their number (`Wormhole`, `U2`); a clear beginning is enough (`r.p`).

A plan is a card and a direction: `2^`, `3>`, `0-5v`. Other answers are as short as the question: a colour, a distance
(`4`), a direction (`>`), a boost (`3^` or `no`), `push` or `mine`, `accelerate` or `no`, `roll` or `site 7`, `stay` or a
direction, `energy` or `blue doctor`, `blue doctor to green`, `buy` or `no`, `clockwise`, `counter-clockwise` or `roll`,
a number of the die, an upgrade; and at the end of a turn `no more` or an upgrade with its target: `Wormhole blue`,
`Afterburner 34`, `Pulse blue`, `Tractor red pilot`, `Legs >`, `Cloak`, `Quake 2 90` (tile 2 by 90 degrees clockwise).

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
from dataclasses import dataclass
from typing import Any

from crashlab.chance import Random
from crashlab.games.crash_and_grab import rules
from crashlab.games.crash_and_grab.table import (
    ABOARD,
    ABSENT,
    ACCELERATOR,
    AFTERBURNER,
    AIRLOCK,
    ANY,
    BLAST_OFF,
    BOOST,
    BOOSTER_CHOICE,
    BUY,
    CARDS,
    CELLS,
    CLOAK,
    COLOUR_NAMES,
    CREW,
    DECK,
    DIE,
    DIRECTION,
    DISCARD,
    DISTANCE,
    DISTRESS,
    DRAW,
    DRAWN,
    END,
    EXCHANGE,
    FIRST,
    FIRST_CHANCE,
    GATEWAY,
    JUMP,
    KEEP,
    LANDING_LEGS,
    LEG,
    MARKERS,
    MINES,
    NAMING,
    OVER,
    PASS,
    PENALTY,
    PILOT,
    PILOT_CHOICE,
    PLACES,
    PLAIN,
    PLAN,
    PULSE,
    PULSE_CANNON,
    PUSH,
    QUAKE,
    QUEUE,
    REFILL,
    REFILL_DIE,
    REGULATOR,
    REST,
    REWARD,
    ROTATION,
    SET_UP_DIE,
    SITE,
    SITES,
    STABILIZER,
    STEP,
    STEPPING,
    TELEPORTER,
    TILES,
    TRACTOR_BEAM,
    TRIANGULATOR,
    TURN_OFF,
    TYPE_NAMES,
    TYPES,
    UNPLANNED,
    UNUSED,
    VERTICAL,
    WASTE,
    WASTE_USE,
    WORMHOLE,
    CrashAndGrab,
    crew_name,
    empty,
    lay_tile,
    owner,
    place_words,
    problems,
)
from crashlab.happen import HIDDEN, NOWHERE
from crashlab.notation import (
    about,
    as_list,
    called,
    check_keys,
    chosen,
    counted,
    fields,
    flag,
    named_values,
    nothing,
    pair,
    pieces,
    read_seat,
    refuse,
    sections,
    some,
    unique,
    whole,
    winners_words,
)
from crashlab.options import CrashlabError, Value, shown

SEATS = "ABCDEF"
ARROWS = "^>v<"
DIRECTIONS = ("up", "right", "down", "left")
DIRECTION_WORDS = tuple(zip(ARROWS, DIRECTIONS, MARKERS, strict=True))
PLAN_CARDS = ("2", "3", "0-5")
WAYS = ("clockwise", "counter-clockwise")
TITLES = tuple(rules.BOOK[rule].title for rule in rules.UPGRADE)
CARD_NAMES = (
    "Blast", "Wormhole", "Afterburner", "Pulse", "Tractor", "Teleporter", "Cloak", "Waste", "Hyperdrive", "Scavenger",
    "Distress", "Time", "Gateway", "Siphon", "Cargo", "Mines", "Legs", "Quake", "Stabilizer", "Airlock", "Regulator",
    "Amplifier", "Triangulator",
)  # fmt: skip
CARD_WORDS = tuple((CARD_NAMES[card], TITLES[card], f"U{card + 1}", f"CG-U{card + 1}") for card in range(CARDS))
PHASES = (
    "plan", "pilot", "booster", "first", "naming", "site", "step", "distance", "direction", "push", "waste", "leg",
    "turn-off", "exchange", "pass", "boost", "penalty", "reward", "refill", "end", "buy", "keep", "rotation",
    "set-up-die", "die", "refill-die", "draw", "over",
)  # fmt: skip
ASKED_FOR = (
    "a plan", "the saucer whose pilot is placed", "the saucer that gets a booster", "the saucer that goes first",
    "the direction of the turns", "the crash site", "a step before the card is revealed", "the distance",
    "the direction", "a push or a mine", "the use of Waste Accelerator", "the distance off the accelerator",
    "the direction off the accelerator", "an exchange", "the passing of crew", "a boost", "the crewmember to give away",
    "the reward", "the queue to refill from", "an upgrade to use", "a purchase", "the upgrade to keep",
)  # fmt: skip
CHANCES = ("the rotation die", "the placement die", "the placement die", "the placement die", "a card from the deck")
MOTIONS = ("rest", "card", "boost", "step", "legs", "pulse", "jump")
SPINS = {0: "open", 1: "clockwise", -1: "counter-clockwise"}
NO, MORE = ("no", "none", "done", "pass", "-"), ("no more", "no", "none", "done", "-")


def seat_name(seat: int) -> str:
    """A to F."""
    return called(SEATS, seat, "seat")


def saucer_name(saucer: int) -> str:
    """The colour."""
    return called(COLOUR_NAMES, saucer, "saucer")


# Names and back


def read_saucer(word: object) -> int:
    """The saucer of this colour."""
    return chosen(word, COLOUR_NAMES, "saucer")


def read_crew(words: object) -> int:
    """The crewmember `red pilot`, or short `r.p`."""
    parts = re.split(r"[\s.]+", words.strip()) if isinstance(words, str) else []
    if len(parts) != 2:
        raise CrashlabError(f"crewmember: {shown(words)} is not a colour and a type, as in 'red pilot'")
    return TYPES * chosen(parts[0], COLOUR_NAMES, "colour") + chosen(parts[1], TYPE_NAMES, "type")


def read_card(words: object) -> int:
    """The upgrade with this number, name, or clear beginning of a word of its name."""
    return chosen(words, CARD_WORDS, "upgrade", "or U1 to U23")


def read_direction(word: object) -> int:
    """The direction of `>`, `right`, `r` or `Asteroids`."""
    return chosen(word, DIRECTION_WORDS, "direction", some((*DIRECTIONS, *MARKERS)))


def read_cell(place: object) -> int:
    """The space of `34`, `(3,4)` or [3, 4]."""
    found = pair(place, r"\(?([0-9])\s*,?\s*([0-9])\)?")
    if found is None or not 0 <= min(found) <= max(found) < 10:
        raise CrashlabError(f"space: {shown(place)} is not a row and a column from 0, as in '34' or [3, 4]")
    return 10 * found[0] + found[1]


def cell_text(cell: int) -> str:
    """34, or `off` the board."""
    return f"{cell:02}" if cell >= 0 else "off"


def plan_text(plan: int) -> str:
    """A plan in notation; `?` if it is hidden."""
    if plan == HIDDEN:
        return "?"
    return f"{PLAN_CARDS[plan // 4]}{ARROWS[plan % 4]}" if 0 <= plan < 12 else "-"


def read_plan(words: object) -> int:
    """The plan `3>`: a card and a direction."""
    found = re.fullmatch(r"\s*(2|3|0-5)\s*(\S+)\s*", words) if isinstance(words, str) else None
    if not found:
        raise CrashlabError(f"plan: {shown(words)} is not a card 2, 3 or 0-5 and a direction, as in '3>'")
    return 4 * PLAN_CARDS.index(found[1]) + read_direction(found[2])


# Actions


def action_text(table: CrashAndGrab, seat: int, action: int) -> str:
    """What is answered, in notation."""
    phase = table.phase[0]
    if phase == PLAN:
        return plan_text(action)
    if phase in (DIRECTION, TURN_OFF) and 0 <= action < 4:
        return ARROWS[action]
    if phase in (PILOT_CHOICE, BOOSTER_CHOICE, FIRST, REFILL):
        return saucer_name(action)
    if phase in (SET_UP_DIE, DIE, REFILL_DIE):
        return str(action + 1)
    if phase in (DRAW, KEEP) and 0 <= action < CARDS:
        return CARD_NAMES[action]
    if phase in WORDS and 0 <= action < len(WORDS[phase]):
        return WORDS[phase][action]
    if action == 0 and phase in NONE:
        return NONE[phase][0]
    if phase in ARGUMENTS:
        return ARGUMENTS[phase](table, action)
    return str(action)


def crew_text(crew: int) -> str:
    """A crewmember's name, also where there is none."""
    return crew_name(crew) if 0 <= crew < CREW else f"crewmember {crew}"


def boost_text(action: int) -> str:
    """A boost, as in `3^`."""
    return f"{(action - 1) // 4}{ARROWS[(action - 1) % 4]}"


def end_text(table: CrashAndGrab, action: int) -> str:
    """An upgrade and its target."""
    card, target = divmod(action - 1, rules.TARGETS)
    if not 0 <= card < CARDS:
        return f"upgrade {card + 1}"
    name = CARD_NAMES[card]
    if card in (WORMHOLE, PULSE_CANNON):
        return f"{name} {saucer_name(target)}"
    if card in (AFTERBURNER, TELEPORTER, TRIANGULATOR):
        return f"{name} {cell_text(target)}"
    if card in (TRACTOR_BEAM, DISTRESS):
        return f"{name} {crew_text(target)}"
    if card == LANDING_LEGS and target < 4:
        return f"{name} {ARROWS[target]}"
    if card == QUAKE and target < 4 * PLACES:
        return f"{name} {table.side[target // 4] // 2 + 1} {90 * (target % 4)}"
    return name


WORDS = {  # answers that are counted from 0
    NAMING: (*WAYS, "roll"),
    PUSH: ("push", "mine"),
    WASTE_USE: ("no", "accelerate"),
    BUY: ("no", "buy"),
    ROTATION: WAYS,
}
NONE = {SITE: ("roll",), STEP: ("stay", *NO), EXCHANGE: NO, PASS: NO, BOOST: NO, REWARD: ("energy",), END: MORE}
ALIASES = {
    NAMING: {"die": 2},
    PUSH: {"no": 0, "yes": 1, "mines": 1, "crash": 1},
    WASTE_USE: {"yes": 1, "waste": 1, "-": 0},
    BUY: {"yes": 1, "-": 0},
}
ARGUMENTS = {
    SITE: lambda table, action: f"site {action}",
    STEP: lambda table, action: ARROWS[(action - 1) % 4],
    EXCHANGE: lambda table, action: crew_text(action - 1),
    PASS: lambda table, action: crew_text(action - 1),
    REWARD: lambda table, action: crew_text(action - 1),
    BOOST: lambda table, action: boost_text(action),
    PENALTY: lambda table, action: f"{crew_text(action % CREW)} to {saucer_name(action // CREW)}",
    END: end_text,
}


def read_action(table: CrashAndGrab, seat: int, words: object) -> int:
    """The answer that these words mean, legal or not."""
    phase = table.phase[0]
    word = " ".join(words.lower().split()) if isinstance(words, str) else ""
    with about(f"cannot read {shown(words)} as {question(phase)}"):
        if not word:
            raise CrashlabError("an answer is a few words")
        return read_answer(table, phase, word)


def question(phase: int) -> str:
    """What is asked in this phase."""
    if phase >= FIRST_CHANCE:
        return CHANCES[phase - FIRST_CHANCE] if phase != OVER else "an answer, for the game is over"
    return ASKED_FOR[phase]


def read_answer(table: CrashAndGrab, phase: int, word: str) -> int:
    """The answer to the question of this phase; the word is in small letters."""
    if phase == PLAN:
        return read_plan(word)
    if phase in (DIRECTION, TURN_OFF):
        return read_direction(word)
    if phase in (PILOT_CHOICE, BOOSTER_CHOICE, FIRST, REFILL):
        return read_saucer(word)
    if phase in (SET_UP_DIE, DIE, REFILL_DIE):
        return roll(word) - 1
    if phase in (DRAW, KEEP):
        return read_card(word)
    if phase in (DISTANCE, LEG):
        return whole(word, "distance")
    if phase in WORDS:
        return ALIASES[phase][word] if word in ALIASES.get(phase, {}) else chosen(word, WORDS[phase], "answer")
    if word in NONE.get(phase, ()):
        return 0
    return read_argument(table, phase, word)


def roll(word: str) -> int:
    """A number of the placement die."""
    number = whole(word.removeprefix("roll ").removeprefix("site "), "die")
    if not 1 <= number <= SITES:
        raise CrashlabError(f"{number} is not on the die from 1 to {SITES} (CG-P1)")
    return number


def read_argument(table: CrashAndGrab, phase: int, word: str) -> int:
    """An answer that names a thing."""
    if phase == SITE:
        return roll(word)
    if phase == STEP:
        return 1 + read_direction(word)
    if phase in (EXCHANGE, PASS, REWARD):
        return 1 + read_crew(word)
    if phase == BOOST:
        found = re.fullmatch(r"([0-9]{1,2})\s*(\S+)", word)
        if not found:
            raise CrashlabError("a boost is a distance and a direction, as in '3^', or 'no'")
        return 1 + 4 * int(found[1]) + read_direction(found[2])
    if phase == PENALTY:
        crew, _, receiver = word.partition(" to ")
        return CREW * read_saucer(receiver) + read_crew(crew)
    if phase == END:
        return read_upgrade(table, word)
    raise CrashlabError("nobody is asked anything")


def read_upgrade(table: CrashAndGrab, word: str) -> int:
    """An upgrade with its target. The name is the longest beginning that is one."""
    parts = word.split()
    for length in range(len(parts), 0, -1):
        try:
            card = read_card(" ".join(parts[:length]))
        except CrashlabError:
            continue
        return 1 + rules.TARGETS * card + read_target(table, card, " ".join(parts[length:]))
    raise CrashlabError(f"an upgrade comes first, one of {some(CARD_NAMES)}, or 'no more'")


def read_target(table: CrashAndGrab, card: int, word: str) -> int:
    """What an upgrade is used on."""
    if card in (WORMHOLE, PULSE_CANNON):
        return read_saucer(word)
    if card in (AFTERBURNER, TELEPORTER, TRIANGULATOR):
        return read_cell(word)
    if card in (TRACTOR_BEAM, DISTRESS):
        return read_crew(word)
    if card == LANDING_LEGS:
        return read_direction(word)
    if card == QUAKE:
        found = re.fullmatch(r"(?:tile )?([0-9]{1,2}) (90|180|270)", word)
        tiles = [side // 2 + 1 for side in table.side if side != NOWHERE]
        if not found or int(found[1]) not in tiles:
            raise CrashlabError(f"a tile ({some(sorted(tiles))}) and 90, 180 or 270 are wanted, as in 'Quake 2 90'")
        return 4 * [side // 2 + 1 for side in table.side].index(int(found[1])) + int(found[2]) // 90
    if word:
        raise CrashlabError(f"{CARD_NAMES[card]} has no target, so {shown(word)} says too much")
    return 0


def refusal(table: CrashAndGrab, seat: int, action: int) -> str:
    """Why this seat cannot answer so now; empty if it can."""
    out = [0] * rules.MOST_ACTIONS
    legal = out[: rules.legal(table, seat, out)]
    if action in legal:
        return ""
    phase, said = table.phase[0], action_text(table, seat, action)
    if phase == END:
        return end_refusal(table, action, said)
    if phase in REFUSALS:
        reason = REFUSALS[phase]
        return f"{said} is not possible: {reason}; possible: {listed(table, seat, legal)}"
    return f"{said} is no answer here; possible: {listed(table, seat, legal)}"


REFUSALS = {
    PLAN: "a plan is a card and a direction (CG-R1)",
    PILOT_CHOICE: "it must be an own saucer (CG-S5)",
    BOOSTER_CHOICE: "it must be an own saucer (CG-S5)",
    FIRST: "it must be an own saucer (CG-R2)",
    SITE: "a saucer comes to a free crash site (CG-U13)",
    STEP: "the step leads to an adjacent empty space (CG-U1)",
    DISTANCE: "2 and 3 go exactly so far, 0-5 up to 5 (CG-M1), and only Hyperdrive doubles (CG-U9)",
    LEG: "off an accelerator it is 1 to 4, with Hyperdrive 6 or 8, or the normal distance (CG-U21)",
    EXCHANGE: "it must stand on the board (CG-U20)",
    PASS: "it must be aboard a partner that was adjacent to the saucer of its colour (CG-W4)",
    BOOST: "a boost goes as far as the card (CG-M7), or 1 to 6 with Boost Amplifier (CG-U22)",
    PENALTY: "an off-coloured own one goes to an opponent with the fewest stationed (CG-C1)",
    REWARD: "only an off-coloured crewmember of the crashed saucer is stolen, if it has enough stationed (CG-C2)",
    REFILL: "a crewmember of this colour must be waiting (CG-W3)",
    DRAW: "it is not in the deck (CG-H1)",
    KEEP: "it was not drawn (CG-H1)",
    SET_UP_DIE: "the die shows 1 to 12 (CG-P1)",
    DIE: "the die shows 1 to 12 (CG-P1)",
    REFILL_DIE: "the die shows 1 to 12 (CG-P1)",
}


def listed(table: CrashAndGrab, seat: int, legal: list[int]) -> str:
    """Some legal answers in words."""
    words = [action_text(table, seat, action) for action in legal[:8]]
    return some(words) + (", ..." if len(legal) > 8 else "")


def end_refusal(table: CrashAndGrab, action: int, said: str) -> str:
    """Why an upgrade cannot be used, or not so, at the end of this turn."""
    card, saucer = (action - 1) // rules.TARGETS, table.turn[0]
    if not 0 <= card < CARDS:
        return f"{said} is no upgrade (CG-S6)"
    title, rule = TITLES[card], rules.BOOK[rules.UPGRADE[card]].id
    if table.holder[card] != saucer:
        return f"{saucer_name(saucer)} does not have {title} (CG-H2)"
    if table.fresh[card]:
        return f"{title} was bought in this turn and works when it is over (CG-H1)"
    if table.spent[card]:
        return f"{title} was already used in this turn (CG-H2)"
    if not rules.targets(card):
        return f"{title} is not for the end of a turn ({rule})"
    may_jump = table.cloaked[0] and card in (TELEPORTER, TRIANGULATOR)
    if table.cell[saucer] == NOWHERE and card not in (DISTRESS, QUAKE) and not may_jump:
        return f"{saucer_name(saucer)} is off the board, so {said} is not possible ({rule})"
    if card == TRIANGULATOR and table.gained[0]:
        return f"{saucer_name(saucer)} has gained a crewmember in this turn ({rule})"
    return f"{said} is not possible: {title} cannot be used on that ({rule})"


# Positions


@dataclass(frozen=True)
class Saucer:
    """A saucer as a person sees it; `space` is None off the board, `plan` is `?` where it is hidden."""

    colour: str
    player: str
    space: tuple[int, int] | None
    energy: int
    boosters: int
    crew: tuple[str, ...]
    stationed: int
    upgrades: tuple[str, ...]
    plan: str | None


def space(cell: int) -> tuple[int, int] | None:
    """Row and column; None off the board."""
    return divmod(cell, 10) if cell >= 0 else None


def facts(table: CrashAndGrab) -> dict[str, object]:
    """What a state tells by name: `state.saucers`, `state.crew`, `state.upgrades`, `state.board`, `state.round`, ..."""
    saucers = {
        COLOUR_NAMES[saucer]: Saucer(
            COLOUR_NAMES[saucer],
            SEATS[owner(table, saucer)],
            space(table.cell[saucer]),
            table.energy[saucer],
            table.boosters[saucer],
            tuple(crew_name(crew) for crew in range(CREW) if table.where[crew] == ABOARD + saucer),
            rules.aboard(table, saucer),
            tuple(TITLES[card] for card in range(CARDS) if table.holder[card] == saucer),
            plan_text(table.plan[saucer]) if table.plan[saucer] != UNPLANNED else None,
        )
        for saucer in range(table.saucers[0])
    }
    cells = range(CELLS)
    return {
        "saucers": saucers,
        "crew": {crew_name(crew): crew_place(table.where[crew]) for crew in range(CREW) if table.where[crew] != UNUSED},
        "upgrades": {TITLES[card]: holder_text(holder) for card, holder in enumerate(table.holder) if holder != ABSENT},
        "sites": {table.ground[cell]: divmod(cell, 10) for cell in cells if 1 <= table.ground[cell] <= SITES},
        "accelerators": tuple(divmod(cell, 10) for cell in cells if table.ground[cell] == ACCELERATOR),
        "round": table.round[0],
        "phase": PHASES[table.phase[0]],
        "probe": SEATS[table.probe[0]],
        "turn": COLOUR_NAMES[table.turn[0]] if table.turn[0] != NOWHERE else None,
    }


def crew_place(where: int) -> tuple[int, int] | str:
    """A space, a saucer, or `queue`."""
    if where >= ABOARD:
        return COLOUR_NAMES[where - ABOARD]
    return divmod(where, 10) if where >= 0 else "queue"


def holder_text(holder: int) -> str:
    """Where an upgrade is."""
    places = {DECK: "deck", DISCARD: "discard", DRAWN: "drawn"}
    return places[holder] if holder in places else saucer_name(holder)


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
        return table.asked[0] + 1 if table.phase[0] == PLAN and table.asked[0] else None
    if key == "asked":
        return None if table.phase[0] == PLAN or table.asked[0] == default_asked(table) else SEATS[table.asked[0]]
    number = vars(table)[key][0]
    if key == "probe":
        return SEATS[number]
    if number == (NOWHERE if key in ("turn", "mover", "found") else default_spin(table) if key == "spin" else 0):
        return None
    words = {"phase": PHASES, "motion": MOTIONS, "heading": ARROWS, "spin": SPINS}
    if key in words:
        return str(words[key][number])  # type: ignore[index]
    return crew_name(number) if key == "found" else saucer_name(number)


def default_asked(table: CrashAndGrab) -> int:
    """Who is asked where a position does not say it; only who passes crew first is open (CG-W4)."""
    phase = table.phase[0]
    if phase == NAMING:
        return max(table.holder[STABILIZER], 0)
    if phase == FIRST:
        return table.probe[0] ^ rules.last_acted(table) & 1
    if phase in (PILOT_CHOICE, BOOSTER_CHOICE):
        return table.probe[0] ^ (phase == BOOSTER_CHOICE)
    if phase == SITE and table.mover[0] != NOWHERE:
        return owner(table, table.mover[0])
    if phase == EXCHANGE and table.where[table.found[0]] >= ABOARD:
        return owner(table, table.where[table.found[0]] - ABOARD)
    return owner(table, table.turn[0]) if table.turn[0] != NOWHERE else 0


def default_spin(table: CrashAndGrab) -> int:
    """CG-R2: turns go clockwise unless said otherwise; before the first turn that is open."""
    is_open = table.turn[0] == NOWHERE or table.players[0] == 2 or table.holder[STABILIZER] >= 0
    return 0 if is_open else 1


def to_dict(table: CrashAndGrab) -> dict[str, Any]:
    """The position as plain JSON."""
    parts: dict[str, Any] = {
        "tiles": [tile_text(table, place) for place in range(PLACES) if table.side[place] != NOWHERE],
        "saucers": {COLOUR_NAMES[saucer]: saucer_dict(table, saucer) for saucer in range(table.saucers[0])},
        "crew": {
            crew_name(crew): list(place) if isinstance(place, tuple) else place
            for crew in range(CREW)
            if table.where[crew] >= 0
            for place in (crew_place(table.where[crew]),)
        },
        "marked": [crew_name(crew) for crew in range(CREW) if table.marked[crew]],
        "upgrades": {TITLES[card]: upgrade_text(table, card) for card in range(CARDS) if told(table, card)},
    }
    data = {key: parts[key] if key in parts else scalar_text(table, key) for key in KEYS}
    return {key: value for key, value in data.items() if value not in (None, [], {})}


def told(table: CrashAndGrab, card: int) -> bool:
    """Whether an upgrade is anywhere but in the deck, or out of play."""
    return table.holder[card] in (DISCARD, DRAWN) or table.holder[card] >= 0


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
    if table.plan[saucer] != UNPLANNED:
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
            f"{CARD_NAMES[card]} {upgrade_text(table, card)}" for card in range(CARDS) if told(table, card)
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
    table = empty(options)
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
    if table.phase[0] != PLAN:
        players = table.players[0]
        table.asked[0] = read_seat(data["asked"], players, "asked") if "asked" in data else default_asked(table)
    elif "asked" in data:
        raise CrashlabError("asked: in the phase plan all players are asked")
    refuse([*problems(table), *wrong_phase(table)])
    return table


def lay_out(table: CrashAndGrab, tiles: object) -> None:
    """CG-B1: the tiles as given, by default in the order of their numbers, with side A up."""
    corners, arms, centre = TILES[table.size[0]]
    places = range(len(corners) + len(arms) + len(centre))  # those of the arms and the centre come last
    if tiles is None:
        numbered = enumerate((*corners, *arms, *centre))
        tiles = [f"{tile + 1}A{int(place in VERTICAL)}" for place, tile in numbered]
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
        if 4 <= place < 8 and turns % 2 != (place in VERTICAL):
            raise CrashlabError(f"tiles: {shown(word)} does not fit its place; turn it by one quarter (CG-B1)")
        lay_tile(table, place, side, turns)


def put_saucers(table: CrashAndGrab, saucers: Mapping[str, Any]) -> None:
    """Saucers as given; what is not said is as at the start."""
    named = ((read_saucer(name), entry) for name, entry in saucers.items())
    for saucer, entry in unique("saucers", named, saucer_name).items():
        name = COLOUR_NAMES[saucer]
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
    name = COLOUR_NAMES[saucer]
    entry = fields(entry, SAUCER_KEYS, f"saucer {name}", "34 e2 b1 3>")
    place = entry.get("space")
    table.cell[saucer] = NOWHERE if nothing(place, "off") else read_cell(place)
    table.energy[saucer] = whole(entry.get("energy", 1), f"saucer {name}, energy")
    for key in ("boosters", "acted", "crashed"):
        vars(table)[key][saucer] = whole(entry.get(key, 0), f"saucer {name}, {key}")
    plan = entry.get("plan")
    hidden = isinstance(plan, str) and plan == "?"
    table.plan[saucer] = UNPLANNED if nothing(plan, "-") else HIDDEN if hidden else read_plan(plan)


def put_crew(table: CrashAndGrab, data: Mapping[str, Any]) -> None:
    """Crewmembers as given; the others wait."""
    named = ((read_crew(name), place) for name, place in named_values(data, "crew").items())
    for crew, place in unique("crew", named, crew_name).items():
        if table.where[crew] == UNUSED:
            raise CrashlabError(f"crew: {crew_name(crew)} is not in play with {table.players[0]} players (CG-S1)")
        if isinstance(place, str) and place.strip().isalpha():
            is_queue = place.strip().lower() == "queue"
            table.where[crew] = QUEUE if is_queue else ABOARD + read_saucer(place)
        else:
            table.where[crew] = read_cell(place)
    for name in as_list(data.get("marked", []), "marked: a list of crewmembers is wanted"):
        table.marked[read_crew(name)] = 1


def put_upgrades(table: CrashAndGrab, upgrades: Mapping[str, Any]) -> None:
    """Upgrades as given; the others lie in the deck."""
    places = {"deck": DECK, "discard": DISCARD, "drawn": DRAWN}
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
        if owner(table, table.turn[0]) != table.probe[0]:
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
        if whole(word, "pass") not in (1, 2) or table.phase[0] != PLAN or table.players[0] != 2:
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


# Positions that cannot be


BEFORE_TURNS = (PLAN, PILOT_CHOICE, BOOSTER_CHOICE, FIRST, NAMING, ROTATION, SET_UP_DIE)
OF_TWO = (PILOT_CHOICE, BOOSTER_CHOICE, FIRST, SET_UP_DIE)
SETTING_UP = (PILOT_CHOICE, BOOSTER_CHOICE, SET_UP_DIE)
ON_THE_WAY = (PUSH, WASTE_USE, LEG, TURN_OFF)
NEEDED = {SITE: GATEWAY, STEP: BLAST_OFF, PUSH: MINES, WASTE_USE: WASTE, LEG: REGULATOR, EXCHANGE: AIRLOCK}


def wrong_phase(table: CrashAndGrab) -> list[str]:
    """Why nobody can go on from here; nothing, in a position of a game."""
    if table.phase[0] == OVER:
        return []
    wrong = [*wrong_win(table), *wrong_order(table), *wrong_plans(table), *wrong_movement(table)]
    return wrong or wrong_question(table) or [*wrong_set_up(table), *wrong_turn(table), *wrong_way(table)]


def wrong_win(table: CrashAndGrab) -> list[str]:
    """CG-W5: who is complete has won at once."""
    complete = [player for player in range(table.players[0]) if rules.complete(table, player)]
    return [f"{SEATS[player]} has won, so the phase is over (CG-W5)" for player in complete]


def wrong_order(table: CrashAndGrab) -> list[str]:
    """CG-R2: turns are numbered from the probe holder on, and the last one is under way."""
    phase, turn, players = table.phase[0], table.turn[0], table.players[0]
    wrong, done = [], rules.last_acted(table)
    if done > table.saucers[0]:
        return [f"{done} turns are too many for {table.saucers[0]} saucers (CG-R2)"]
    for number in range(1, done + 1):
        if table.acted.count(number) != 1:
            wrong.append(f"{table.acted.count(number)} saucers had turn {number} of the round; each has one (CG-R2)")
        elif players == 2 and owner(table, table.acted.index(number)) != table.probe[0] ^ 1 - number & 1:
            wrong.append("the turns alternate, beginning with the player who has the probe (CG-R2)")
        elif players > 2 and table.acted.index(number) != (table.probe[0] + table.spin[0] * (number - 1)) % players:
            wrong.append("the turns go round from the player who has the probe (CG-R2)")
    if turn != NOWHERE and players > 2 and not table.spin[0] and table.holder[STABILIZER] < 0:
        wrong.append("the direction of the turns is open in a turn only with Rotational Stabilizer (CG-R2, CG-U19)")
    if phase in BEFORE_TURNS and table.spin[0]:
        wrong.append(f"in the phase {PHASES[phase]} the direction of the turns is open (CG-R2)")
    if phase in BEFORE_TURNS and turn != NOWHERE:
        wrong.append(f"it cannot be the turn of {saucer_name(turn)} in the phase {PHASES[phase]}")
    elif turn == NOWHERE and phase not in (*BEFORE_TURNS, SITE, DIE):
        wrong.append(f"in the phase {PHASES[phase]} it is the turn of a saucer; say which, as in 'turn red'")
    elif turn != NOWHERE and table.acted[turn] != done:
        wrong.append(f"{saucer_name(turn)} must have had the latest turn, as it is under way (CG-R4)")
    elif turn == NOWHERE and done != turns_done(table, phase):
        wrong.append(f"{done} turns of this round are over, which does not fit the phase {PHASES[phase]} (CG-R2)")
    return wrong


def turns_done(table: CrashAndGrab, phase: int) -> int:
    """How many turns of the round are over where none is under way."""
    if phase in (SITE, DIE):
        return table.saucers[0]  # CG-R7
    may_be_one = phase == FIRST or (phase == ROTATION and table.holder[STABILIZER] >= 0)  # CG-U19
    return min(rules.last_acted(table), 1) if may_be_one else int(phase == NAMING)


def wrong_plans(table: CrashAndGrab) -> list[str]:
    """CG-R1: who has still to move has a plan; in planning somebody lacks one."""
    phase, wrong = table.phase[0], []
    for saucer in range(table.saucers[0]):
        has_plan, is_due = table.plan[saucer] != UNPLANNED, not table.acted[saucer] or saucer == table.turn[0]
        name = COLOUR_NAMES[saucer]
        if phase in SETTING_UP or not is_due:
            if has_plan:
                wrong.append(f"{name} cannot have a plan now (CG-R1)")
        elif phase != PLAN and not has_plan:
            wrong.append(f"{name} has no plan, but is still to move in this round (CG-R1)")
        elif phase == PLAN and table.players[0] == 2 and has_plan != (saucer % 2 == 0) and saucer % 2 != table.asked[0]:
            wrong.append(f"the plan of {name} does not fit pass {table.asked[0] + 1} of planning (CG-R1)")
    if phase == PLAN and not wrong and not rules.actors(table):
        wrong.append("all have planned, so the phase cannot be plan (CG-R1)")
    return wrong


def wrong_movement(table: CrashAndGrab) -> list[str]:
    """CG-M2: who moves is on the board, and who is placed is not; only crew aboard can be passed."""
    phase, mover, wrong = table.phase[0], table.mover[0], []
    if phase in (SITE, DIE) and (mover == NOWHERE or table.cell[mover] != NOWHERE):
        wrong.append("a saucer off the board is placed; say which, as in 'mover red'")
    if phase in (SITE, DIE) and NOWHERE not in (table.turn[0], mover) and table.turn[0] != mover:
        wrong.append("at the start of a turn the saucer whose turn it is is placed (CG-R5)")
    if phase in ON_THE_WAY and (mover == NOWHERE or table.cell[mover] == NOWHERE or table.motion[0] == REST):
        wrong.append("a saucer is on its way; say which and by what, as in 'mover red' and 'motion card'")
    elif table.left[0] and (mover == NOWHERE or table.cell[mover] == NOWHERE or table.motion[0] == REST):
        wrong.append("nobody is on the way, so no distance can be left")
    elif phase == PUSH and not is_before_saucer(table):
        wrong.append("the mover is not about to hit a saucer (CG-U16)")
    if phase in (STEP, DISTANCE, DIRECTION, BOOST) and table.cell[table.turn[0]] == NOWHERE:
        wrong.append(f"{saucer_name(table.turn[0])} is off the board, so it cannot move")
    for crew in range(CREW):
        if table.marked[crew] and (table.players[0] > 2 or table.where[crew] != ABOARD + (crew // TYPES ^ 1)):
            wrong.append(f"{crew_name(crew)} is not aboard a partner, so it cannot be passed (CG-W4)")
    return wrong


def is_before_saucer(table: CrashAndGrab) -> bool:
    """Whether a saucer is on the next space of the mover."""
    cell = rules.ahead(table, table.cell[table.mover[0]], table.heading[0])
    return cell != NOWHERE and rules.saucer_on(table, cell) != NOWHERE


def wrong_question(table: CrashAndGrab) -> list[str]:
    """Whether what is asked can be answered, by the one who is asked."""
    phase, asked, found = table.phase[0], table.asked[0], table.found[0]
    name = PHASES[phase]
    if phase in OF_TWO and table.players[0] != 2 or phase in (NAMING, ROTATION) and table.players[0] == 2:
        return [f"there is no phase {name} with {table.players[0]} players"]
    if phase == NAMING and (table.holder[STABILIZER] < 0 or table.spin[0]):
        return ["the direction is named once, by who has Rotational Stabilizer (CG-U19)"]
    if phase in (SET_UP_DIE, REFILL_DIE) and (found == NOWHERE or table.where[found] != QUEUE):
        return ["a crewmember from a queue is placed; say which, as in 'found red pilot'"]
    if phase == EXCHANGE and (found == NOWHERE or table.where[found] < ABOARD):
        return ["a crewmember was just picked up; say which, as in 'found red pilot' (CG-U20)"]
    if phase in NEEDED and not rules.has(table, asked_saucer(table), NEEDED[phase]):
        return [f"there is no phase {name} without {TITLES[NEEDED[phase]]} that can be used (CG-H2)"]
    if table.holder.count(DRAWN) > (2 if phase == KEEP else 1 if phase == DRAW else 0):
        return ["upgrades are drawn only while one is bought: one in the phase draw, two in the phase keep (CG-H1)"]
    if phase in (REFILL, REFILL_DIE) and not table.picked[0]:
        return ["no crewmember was picked up in this turn, so none is to be refilled (CG-W3)"]
    if phase == BUY and table.energy[table.turn[0]] < 2:
        return [f"{saucer_name(table.turn[0])} has less than the 2 energy that an upgrade costs (CG-H1)"]
    if phase == BUY and not rules.anything_to_buy(table):
        return ["no upgrade is left to buy (CG-H1)"]
    if phase == REWARD and rules.first_crashed(table) == NOWHERE:
        return ["no saucer has crashed, so there is no reward (CG-C2)"]
    if phase == PENALTY and table.lost[0] < 1:
        return ["no own saucer has crashed, so there is no penalty (CG-C1)"]
    if phase == BOOST and not table.boosters[table.turn[0]]:
        return [f"{saucer_name(table.turn[0])} has no booster (CG-M7)"]
    if PLAN < phase < FIRST_CHANCE and phase != PASS and asked != default_asked(table):
        return [f"asked for {ASKED_FOR[phase]} is {SEATS[default_asked(table)]}, not {SEATS[asked]}"]
    least = 2 if phase == PASS else 1
    if phase != PLAN and rules.legal(table, asked, [0] * rules.MOST_ACTIONS) < least:
        return [f"in the phase {name} there is nothing to choose from"]
    return []


def wrong_set_up(table: CrashAndGrab) -> list[str]:
    """CG-S5: of two players the one with the probe has a pilot placed, then the other one; all other crew waits."""
    phase = table.phase[0]
    if phase not in SETTING_UP:
        return []
    gone = [crew for crew, where in enumerate(table.where) if where not in (QUEUE, UNUSED)]
    boosters = sum(table.boosters)
    if boosters > (phase == SET_UP_DIE):
        return ["at set-up there is one booster, given before the second pilot is placed (CG-S5)"]
    number = int(phase == BOOSTER_CHOICE) + boosters
    if phase == SET_UP_DIE:
        gone.append(table.found[0])
        number += 1
    players = [owner(table, crew // TYPES) for crew in gone]
    if players != [table.probe[0], 1 - table.probe[0]][:number] or any(
        crew % TYPES != PILOT or table.where[crew] >= ABOARD for crew in gone
    ):
        return ["at set-up a pilot of the probe player is placed, then one of the other player's (CG-S5)"]
    return []


COUNTED = ("placed", "distance", "picked", "gained", "lost", "crashes", "declined", "bought", "cloaked", "leaps")


def wrong_turn(table: CrashAndGrab) -> list[str]:
    """CG-R4, CG-C1, CG-C2: what is counted in a turn is not there without one, and no more than can have happened."""
    turn, wrong = table.turn[0], []
    marked = [card for card in range(CARDS) if table.fresh[card] or table.spent[card]]
    if turn == NOWHERE:
        said = [*(key for key in COUNTED if vars(table)[key][0]), *(["crashed"] if any(table.crashed) else [])]
        wrong = [f"{some(said)}: no turn is under way"] if said else []
    else:
        off = [saucer for saucer in range(table.saucers[0]) if table.cell[saucer] == NOWHERE]
        own = [saucer for saucer in off if owner(table, saucer) == owner(table, turn)]
        crashed = [saucer for saucer, number in enumerate(table.crashed) if number]
        if table.lost[0] > len(own):
            wrong.append(f"{counted(len(own), 'own saucer')} off the board, so not {table.lost[0]} to pay for (CG-C1)")
        if not set(crashed) <= set(off) - set(own) or table.crashes[0] > len(off) - len(own):
            wrong.append("only saucers of others that are off the board have crashed and are rewarded (CG-C2)")
        if table.cloaked[0] and turn not in off:
            wrong.append(f"{saucer_name(turn)} is on the board, so it is not cloaked (CG-U7)")
        if table.phase[0] == END and table.declined[0] or table.phase[0] == BUY and table.bought[0]:
            wrong.append(f"after 'no' there is no phase {PHASES[table.phase[0]]} any more in this turn (CG-R6)")
    return wrong + [
        f"{TITLES[card]} is bought or used only in the turn of the saucer that has it (CG-H2)"
        for card in marked
        if table.holder[card] != turn
    ]


def wrong_way(table: CrashAndGrab) -> list[str]:
    """CG-M2: in a movement of its own the saucer whose turn it is is asked; after it, crew is passed; else all rest."""
    phase, mover, motion, left = table.phase[0], table.mover[0], table.motion[0], table.left[0]
    if phase in ON_THE_WAY:
        return wrong_stop(table)
    if phase == EXCHANGE:
        saucer = asked_saucer(table)
        by_beam = (mover, motion, left) == (NOWHERE, REST, 0) and saucer == table.turn[0]
        if not by_beam and (mover != saucer or motion in STILL or not stands(table, range(1, SITES + 1))):
            return [f"{saucer_name(saucer)} must be the mover, alone on the crash site of the pick-up (CG-U20)"]
    elif phase == PASS:
        if motion == REST or mover != NOWHERE or left:
            return ["crew is passed after a movement; say by what, as in 'motion card', without a mover (CG-W4)"]
    elif motion != REST or left or any(table.marked) or (mover != NOWHERE and phase not in (SITE, DIE)):
        return [f"in the phase {PHASES[phase]} nobody moves, so there is no mover, motion or crew marked (CG-M2)"]
    return []


STILL = (REST, STEPPING, JUMP)  # motions in which no space is entered


def wrong_stop(table: CrashAndGrab) -> list[str]:
    """CG-M2, CG-M4, CG-U8, CG-U16: whether the saucer on its way is where this question is asked."""
    phase, left = table.phase[0], table.left[0]
    if table.mover[0] != table.turn[0] or table.motion[0] in (*STILL, PULSE):
        return ["only the saucer whose turn it is is asked on its way, when it moves by itself (CG-M4)"]
    if phase == PUSH:
        fits = left > 0 and stands(table, range(ACCELERATOR + 1))
    elif phase == WASTE_USE:
        fits = table.leg[0] > 0 and stands(table, range(1, SITES + 1))
    else:
        leaves = (ACCELERATOR, *range(1, SITES + 1)) if table.spent[WASTE] else (ACCELERATOR,)
        fits = left == table.leg[0] > 0 and stands(table, leaves)
    if not fits:
        return [f"nobody who is where {saucer_name(table.mover[0])} is is asked for {ASKED_FOR[phase]} (CG-M2)"]
    return []


def stands(table: CrashAndGrab, grounds: Sequence[int]) -> bool:
    """Whether the mover is alone on a space that shows one of these."""
    cell = table.cell[table.mover[0]]
    return cell != NOWHERE and table.ground[cell] in grounds and table.cell.count(cell) == 1 and cell not in table.where


def asked_saucer(table: CrashAndGrab) -> int:
    """The saucer that is asked for the use of an upgrade: whose turn it is, that moves, or that has just picked up."""
    if table.phase[0] == EXCHANGE:
        return table.where[table.found[0]] - ABOARD
    return table.turn[0] if table.phase[0] == STEP else table.mover[0]


# What a seat sees


def is_revealed(table: CrashAndGrab, saucer: int) -> bool:
    """CG-R4: whether the card is turned up: after placing and the first step."""
    before = table.phase[0] in (*BEFORE_TURNS, SITE, STEP, DIE) or table.motion[0] == STEPPING
    return saucer == table.turn[0] and not before


def hide(table: CrashAndGrab, seat: int) -> CrashAndGrab:
    """CG-R1, CG-R2: the table without the plans of the other seats that are not yet revealed."""
    view = table.copy()
    for saucer in range(view.saucers[0]):
        if view.plan[saucer] != UNPLANNED and owner(view, saucer) != seat and not is_revealed(view, saucer):
            view.plan[saucer] = HIDDEN
    return view


def guess(table: CrashAndGrab, rng: Random) -> CrashAndGrab:
    """The table with a plan, drawn at random, for each that is hidden."""
    full = table.copy()
    for saucer in range(full.saucers[0]):
        if full.plan[saucer] == HIDDEN:
            full.plan[saucer] = rng.below(4 * (ANY + 1))
    return full


# Events


def is_secret(table: CrashAndGrab, row: tuple[int, ...], seat: int) -> bool:
    """CG-R1: whether this seat may not know of it: the plans that others make."""
    _, rule, _, field, saucer, *_ = row
    return (rule, field) == (rules.R1, rules.PLANNED) and owner(table, saucer) != seat


def event_text(table: CrashAndGrab, row: tuple[int, ...]) -> str:
    """One row of a trace in words."""
    _, rule, _, field, index, before, after, last = row
    if field == NOWHERE:
        return note_text(table, rule, index, before, after, last)
    name = CrashAndGrab.NAMES[field]
    if name == "cell":
        return cell_event(table, rule, index, before, after)
    if name == "where":
        return crew_event(table, rule, index, before, after)
    if name in ("holder", "fresh", "spent"):
        return upgrade_event(name, index, before, after)
    if name in PER_SAUCER:
        return saucer_event(name, rule, saucer_name(index), before, after)
    if name in ("phase", "asked"):
        return question_event(table, rule, name, after)
    if name in ("ground", "turned"):
        return board_event(table, name, index, before, after)
    if name in ("mover", "heading", "leg", "left", "motion", "leaps"):
        return movement_event(table, name, before, after)
    if name == "marked":
        return f"the {crew_name(index)} {'may' if after else 'can no longer'} be passed to its own saucer"
    return turn_event(table, name, before, after)


PER_SAUCER = ("energy", "boosters", "plan", "acted", "crashed")


def off(rule: int) -> str:
    """How a saucer leaves the board."""
    if rule == rules.UPGRADE[CLOAK]:
        return "cloaks itself and leaves the board"
    return "is crashed by a mine" if rule == rules.UPGRADE[MINES] else "crashes off the board"


def cell_event(table: CrashAndGrab, rule: int, saucer: int, before: int, after: int) -> str:
    """A saucer comes to another space, in words."""
    name = saucer_name(saucer)
    if after == NOWHERE:
        return f"{name} {off(rule)} from {place_words(before)}"
    if before == NOWHERE:
        verb = "is placed" if rule == rules.P1 else "comes back"
        return f"{name} {verb} on {place_words(after)}"
    way = f"from {place_words(before)} to {place_words(after)}"
    if rule == rules.UPGRADE[QUAKE]:
        return f"{name} is turned with its tile {way}"
    if rule == rules.UPGRADE[BLAST_OFF]:
        return f"{name} steps {way}"
    if rule in (rules.M2, rules.M3, rules.UPGRADE[MINES]):
        pushed = saucer != table.turn[0] or table.motion[0] == PULSE
        return f"{name} {'is pushed' if pushed else 'moves'} {way}"
    return f"{name} {'swaps places' if rule == rules.UPGRADE[WORMHOLE] else 'jumps'} {way}"


def crew_event(table: CrashAndGrab, rule: int, crew: int, before: int, after: int) -> str:
    """A crewmember comes to another place, in words."""
    name = crew_name(crew)
    if before == QUEUE:
        return f"the {name} is placed on {place_words(after)}"
    if 0 <= before < ABOARD and 0 <= after < ABOARD:
        return f"the {name} is turned with its tile from {place_words(before)} to {place_words(after)}"
    if before < ABOARD:
        how = "takes" if rule == rules.UPGRADE[AIRLOCK] else "picks up"
        return f"{saucer_name(after - ABOARD)} {how} the {name} from {place_words(before)}"
    giver = saucer_name(before - ABOARD)
    if after < ABOARD:
        return f"{giver} puts the {name} down on {place_words(after)}"
    taker = saucer_name(after - ABOARD)
    if rule == rules.C2:
        return f"{taker} steals the {name} from {giver}"
    verb = {rules.C1: "gives", rules.W4: "passes"}.get(rule, "swaps")
    return f"{giver} {verb} the {name} to {taker}"


def upgrade_event(name: str, card: int, before: int, after: int) -> str:
    """What happens to an upgrade, in words."""
    title = TITLES[card]
    if name == "spent":
        return f"{title} is used" if after else f"{title} can be used again"
    if name == "fresh":
        return f"{title} works when this turn is over" if after else f"{title} works from now on"
    if after == DRAWN:
        return f"{title} is drawn"
    if after == DISCARD:
        return f"{title} is discarded"
    return f"{title} is shuffled into the deck" if after == DECK else f"{saucer_name(after)} keeps {title}"


def saucer_event(name: str, rule: int, colour: str, before: int, after: int) -> str:
    """What a saucer has, in words."""
    if name == "plan":
        if after == UNPLANNED:
            return f"{colour} takes its card up ({plan_text(before)})"
        return f"{colour} {'plans' if rule == rules.R1 else 'reveals'} {plan_text(after)}"
    if name == "acted":
        return f"{colour} has turn {after} of this round" if after else f"{colour} is to have a turn again"
    if name == "crashed":
        return f"the crash of {colour} is to be rewarded" if after else f"the crash of {colour} is settled"
    verb, number = "gets" if after > before else "pays", abs(after - before)
    things = f"{number} energy" if name == "energy" else counted(number, "booster")
    return f"{colour} {verb} {things} ({before} to {after})"


def question_event(table: CrashAndGrab, rule: int, name: str, after: int) -> str:
    """Who is asked for what, in words."""
    if name == "phase":
        if after == OVER:
            return "nothing more is asked"
        if after == PLAN:
            return "all plan"
        who = SEATS[table.asked[0]] if after < FIRST_CHANCE else "chance"
        if has_no_choice(table, after):
            return f"{who} is not asked for {question(after)}: there is no choice"
        return f"{who} is asked{':' if after >= FIRST_CHANCE else ' for'} {question(after)}"
    if rule == rules.R1:
        return "the second saucers are planned now" if after else "planning begins anew"
    return f"the next decision is {SEATS[after]}'s"


def has_no_choice(table: CrashAndGrab, phase: int) -> bool:
    """CG-M8: whether there would be one answer only if this were asked now."""
    moment = table.copy()
    moment.phase[0] = phase
    return rules.forced(moment, moment.asked[0], [0] * rules.MOST_ACTIONS) != NOWHERE


def board_event(table: CrashAndGrab, name: str, index: int, before: int, after: int) -> str:
    """What changes on the board, in words."""
    if name == "turned":
        return f"tile {table.side[index] // 2 + 1} is turned by {90 * ((after - before) % 4)} degrees clockwise"
    things = {PLAIN: "nothing special", ACCELERATOR: "an accelerator"}
    return f"{place_words(index)} has {things.get(after, f'crash site {after}')} now"


def movement_event(table: CrashAndGrab, name: str, before: int, after: int) -> str:
    """What a movement is about, in words."""
    mover = saucer_name(table.mover[0]) if table.mover[0] != NOWHERE else "nobody"
    if name == "mover":
        if after == NOWHERE:
            return "all saucers have come to rest" if table.motion[0] != REST else "nobody waits to be placed"
        return f"{saucer_name(after)} {'moves now' if table.motion[0] != REST else 'is to be placed'}"
    if name == "heading":
        return f"{mover} heads {DIRECTIONS[after]}"
    if name == "leg":
        return f"{mover} travels {counted(after, 'space')} at a time"
    if name == "left":
        return f"{mover} has {counted(after, 'space')} left to go"
    if name == "leaps":
        return f"accelerators reached by {mover} in this turn: {after}" if after else "accelerators are counted anew"
    ways = ("", "its card", "a boost", "a first step", "Landing Legs", "Pulse Cannon", "a jump")
    return f"a movement begins: {ways[after]}" if after != REST else f"the movement by {ways[before]} is over"


def turn_event(table: CrashAndGrab, name: str, before: int, after: int) -> str:
    """What changes in the round or in the turn, in words."""
    colour = saucer_name(table.turn[0]) if table.turn[0] != NOWHERE else "the next saucer"
    if name == "round":
        return f"round {after} begins"
    if name == "probe":
        return f"the probe goes from {SEATS[before]} to {SEATS[after]}"
    if name == "spin":
        return f"the turns go {SPINS[after]}" if after else "the direction of the turns is open again"
    if name == "turn":
        over = after == NOWHERE
        return f"the turn of {saucer_name(before)} is over" if over else f"it is the turn of {saucer_name(after)}"
    if name == "distance":
        return f"{colour} is to move {counted(after, 'space')}" if after else f"the distance {before} is done with"
    if name == "picked":
        return f"{counted(after, 'crewmember')} {'is' if after == 1 else 'are'} to be refilled"
    if name == "lost":
        return f"own crashes to be paid: {after}"
    if name == "crashes":
        return f"saucers of others crashed in this turn: {after}"
    if name == "found":
        return f"it is about the {crew_name(after)}" if after != NOWHERE else f"the {crew_name(before)} is seen to"
    done, undone = {
        "placed": ("{} is placed before its turn goes on, and its direction is free", "the placing no longer counts"),
        "gained": ("{} has gained crew in this turn", "gains of crew are counted anew"),
        "declined": ("{} uses no more upgrades in this turn", "upgrades can be used again"),
        "bought": ("{} buys nothing more in this turn", "upgrades can be bought again"),
        "cloaked": ("{} is off the board without a crash", "nobody is cloaked any more"),
    }[name]
    return (done if after else undone).format(colour)


def note_text(table: CrashAndGrab, rule: int, a: int, b: int, c: int, d: int) -> str:
    """A note in words."""
    if rule == rules.P1:
        return f"the placement die shows {a}"
    if rule == rules.M3:
        return f"{saucer_name(a)} hits {saucer_name(b)}, which is pushed {DIRECTIONS[c]} by {counted(d, 'space')}"
    if rule == rules.M4:
        return f"{saucer_name(a)} is accelerated: {counted(b, 'space')} again"
    if rule == rules.UPGRADE[MINES]:
        return f"{saucer_name(a)} mines {saucer_name(b)}"
    why = f"after round {b}" if rule == rules.R9 else f"in round {b}"
    return f"the game is over {why}: {winners_words(a)}"
