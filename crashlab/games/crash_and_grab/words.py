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

from crashlab.errors import CrashlabError, shown
from crashlab.games.crash_and_grab import rules
from crashlab.games.crash_and_grab import table as t
from crashlab.games.crash_and_grab.table import CrashAndGrab
from crashlab.happen import HIDDEN, NOWHERE
from crashlab.notation import (
    about,
    called,
    chosen,
    pair,
    some,
    whole,
)

SEATS = "ABCDEF"
ARROWS = "^>v<"
DIRECTIONS = ("up", "right", "down", "left")
DIRECTION_WORDS = tuple(zip(ARROWS, DIRECTIONS, t.MARKERS, strict=True))
PLAN_CARDS = ("2", "3", "0-5")
WAYS = ("clockwise", "counter-clockwise")
TITLES = tuple(rules.BOOK[rule].title for rule in rules.UPGRADE)
CARD_NAMES = (
    "Blast", "Wormhole", "Afterburner", "Pulse", "Tractor", "Teleporter", "Cloak", "Waste", "Hyperdrive", "Scavenger",
    "Distress", "Time", "Gateway", "Siphon", "Cargo", "Mines", "Legs", "Quake", "Stabilizer", "Airlock", "Regulator",
    "Amplifier", "Triangulator",
)  # fmt: skip
CARD_WORDS = tuple((CARD_NAMES[card], TITLES[card], f"U{card + 1}", f"CG-U{card + 1}") for card in range(t.CARDS))
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
    return called(t.COLOUR_NAMES, saucer, "saucer")


# Names and back


def read_saucer(word: object) -> int:
    """The saucer of this colour."""
    return chosen(word, t.COLOUR_NAMES, "saucer")


def read_crew(words: object) -> int:
    """The crewmember `red pilot`, or short `r.p`."""
    parts = re.split(r"[\s.]+", words.strip()) if isinstance(words, str) else []
    if len(parts) != 2:
        raise CrashlabError(f"crewmember: {shown(words)} is not a colour and a type, as in 'red pilot'")
    return t.TYPES * chosen(parts[0], t.COLOUR_NAMES, "colour") + chosen(parts[1], t.TYPE_NAMES, "type")


def read_card(words: object) -> int:
    """The upgrade with this number, name, or clear beginning of a word of its name."""
    return chosen(words, CARD_WORDS, "upgrade", "or U1 to U23")


def read_direction(word: object) -> int:
    """The direction of `>`, `right`, `r` or `Asteroids`."""
    return chosen(word, DIRECTION_WORDS, "direction", some((*DIRECTIONS, *t.MARKERS)))


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
    if phase == t.PLAN:
        return plan_text(action)
    if phase in (t.DIRECTION, t.TURN_OFF) and 0 <= action < 4:
        return ARROWS[action]
    if phase in (t.PILOT_CHOICE, t.BOOSTER_CHOICE, t.FIRST, t.REFILL):
        return saucer_name(action)
    if phase in (t.SET_UP_DIE, t.DIE, t.REFILL_DIE):
        return str(action + 1)
    if phase in (t.DRAW, t.KEEP) and 0 <= action < t.CARDS:
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
    return t.crew_name(crew) if 0 <= crew < t.CREW else f"crewmember {crew}"


def boost_text(action: int) -> str:
    """A boost, as in `3^`."""
    return f"{(action - 1) // 4}{ARROWS[(action - 1) % 4]}"


def end_text(table: CrashAndGrab, action: int) -> str:
    """An upgrade and its target."""
    card, target = divmod(action - 1, rules.TARGETS)
    if not 0 <= card < t.CARDS:
        return f"upgrade {card + 1}"
    name = CARD_NAMES[card]
    if card in (t.WORMHOLE, t.PULSE_CANNON):
        return f"{name} {saucer_name(target)}"
    if card in (t.AFTERBURNER, t.TELEPORTER, t.TRIANGULATOR):
        return f"{name} {cell_text(target)}"
    if card in (t.TRACTOR_BEAM, t.DISTRESS):
        return f"{name} {crew_text(target)}"
    if card == t.LANDING_LEGS and target < 4:
        return f"{name} {ARROWS[target]}"
    if card == t.QUAKE and target < 4 * t.PLACES:
        return f"{name} {table.side[target // 4] // 2 + 1} {90 * (target % 4)}"
    return name


WORDS = {  # answers that are counted from 0
    t.NAMING: (*WAYS, "roll"),
    t.PUSH: ("push", "mine"),
    t.WASTE_USE: ("no", "accelerate"),
    t.BUY: ("no", "buy"),
    t.ROTATION: WAYS,
}
NONE = {
    t.SITE: ("roll",),
    t.STEP: ("stay", *NO),
    t.EXCHANGE: NO,
    t.PASS: NO,
    t.BOOST: NO,
    t.REWARD: ("energy",),
    t.END: MORE,
}
ALIASES = {
    t.NAMING: {"die": 2},
    t.PUSH: {"no": 0, "yes": 1, "mines": 1, "crash": 1},
    t.WASTE_USE: {"yes": 1, "waste": 1, "-": 0},
    t.BUY: {"yes": 1, "-": 0},
}
ARGUMENTS = {
    t.SITE: lambda table, action: f"site {action}",
    t.STEP: lambda table, action: ARROWS[(action - 1) % 4],
    t.EXCHANGE: lambda table, action: crew_text(action - 1),
    t.PASS: lambda table, action: crew_text(action - 1),
    t.REWARD: lambda table, action: crew_text(action - 1),
    t.BOOST: lambda table, action: boost_text(action),
    t.PENALTY: lambda table, action: f"{crew_text(action % t.CREW)} to {saucer_name(action // t.CREW)}",
    t.END: end_text,
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
    if phase >= t.FIRST_CHANCE:
        return CHANCES[phase - t.FIRST_CHANCE] if phase != t.OVER else "an answer, for the game is over"
    return ASKED_FOR[phase]


def read_answer(table: CrashAndGrab, phase: int, word: str) -> int:
    """The answer to the question of this phase; the word is in small letters."""
    if phase == t.PLAN:
        return read_plan(word)
    if phase in (t.DIRECTION, t.TURN_OFF):
        return read_direction(word)
    if phase in (t.PILOT_CHOICE, t.BOOSTER_CHOICE, t.FIRST, t.REFILL):
        return read_saucer(word)
    if phase in (t.SET_UP_DIE, t.DIE, t.REFILL_DIE):
        return roll(word) - 1
    if phase in (t.DRAW, t.KEEP):
        return read_card(word)
    if phase in (t.DISTANCE, t.LEG):
        return whole(word, "distance")
    if phase in WORDS:
        return ALIASES[phase][word] if word in ALIASES.get(phase, {}) else chosen(word, WORDS[phase], "answer")
    if word in NONE.get(phase, ()):
        return 0
    return read_argument(table, phase, word)


def roll(word: str) -> int:
    """A number of the placement die."""
    number = whole(word.removeprefix("roll ").removeprefix("site "), "die")
    if not 1 <= number <= t.SITES:
        raise CrashlabError(f"{number} is not on the die from 1 to {t.SITES} (CG-P1)")
    return number


def read_argument(table: CrashAndGrab, phase: int, word: str) -> int:
    """An answer that names a thing."""
    if phase == t.SITE:
        return roll(word)
    if phase == t.STEP:
        return 1 + read_direction(word)
    if phase in (t.EXCHANGE, t.PASS, t.REWARD):
        return 1 + read_crew(word)
    if phase == t.BOOST:
        found = re.fullmatch(r"([0-9]{1,2})\s*(\S+)", word)
        if not found:
            raise CrashlabError("a boost is a distance and a direction, as in '3^', or 'no'")
        return 1 + 4 * int(found[1]) + read_direction(found[2])
    if phase == t.PENALTY:
        crew, _, receiver = word.partition(" to ")
        return t.CREW * read_saucer(receiver) + read_crew(crew)
    if phase == t.END:
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
    if card in (t.WORMHOLE, t.PULSE_CANNON):
        return read_saucer(word)
    if card in (t.AFTERBURNER, t.TELEPORTER, t.TRIANGULATOR):
        return read_cell(word)
    if card in (t.TRACTOR_BEAM, t.DISTRESS):
        return read_crew(word)
    if card == t.LANDING_LEGS:
        return read_direction(word)
    if card == t.QUAKE:
        found = re.fullmatch(r"(?:tile )?([0-9]{1,2}) (90|180|270)", word)
        tiles = [side // 2 + 1 for side in table.side if side != NOWHERE]
        if not found or int(found[1]) not in tiles:
            raise CrashlabError(f"a tile ({some(sorted(tiles))}) and 90, 180 or 270 are wanted, as in 'Quake 2 90'")
        return 4 * [side // 2 + 1 for side in table.side].index(int(found[1])) + int(found[2]) // 90
    if word:
        raise CrashlabError(f"{CARD_NAMES[card]} has no target, so {shown(word)} says too much")
    return 0


def space(cell: int) -> tuple[int, int] | None:
    """Row and column; None off the board."""
    return divmod(cell, 10) if cell >= 0 else None


def crew_place(where: int) -> tuple[int, int] | str:
    """A space, a saucer, or `queue`."""
    if where >= t.ABOARD:
        return t.COLOUR_NAMES[where - t.ABOARD]
    return divmod(where, 10) if where >= 0 else "queue"


def holder_text(holder: int) -> str:
    """Where an upgrade is."""
    places = {t.DECK: "deck", t.DISCARD: "discard", t.DRAWN: "drawn"}
    return places[holder] if holder in places else saucer_name(holder)
