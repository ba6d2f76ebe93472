"""The events of Crash & Grab as sentences, and those hidden from a seat."""

from dataclasses import replace

from crashlab.engine import value_codecs
from crashlab.engine.event_words import Texts, teller
from crashlab.engine.notation import SEATS
from crashlab.engine.table import NOWHERE, Row
from crashlab.engine.value_codecs import Change, Codec, seat, seats, truth
from crashlab.games.crash_and_grab import notation as w
from crashlab.games.crash_and_grab import rules
from crashlab.games.crash_and_grab import state as t
from crashlab.games.crash_and_grab.notation import DECISIONS, NAMES, legal
from crashlab.games.crash_and_grab.state import CrashAndGrab

# Codecs of the values in events


def tell_asked(table: CrashAndGrab, asked: int) -> object:
    """Return the current player as JSON; while plans are missing, the pass in a game of two, else None."""
    has_planned = t.UNPLANNED not in table.plan[: table.saucers[0]]
    if table.phase[0] != t.PLAN or has_planned:
        return SEATS[asked]
    return asked + 1 if table.players[0] == 2 else None


def tell_ground(table: CrashAndGrab, ground: int) -> object:
    """Return the ground as JSON: the number of a crash site, an accelerator, or None."""
    return {t.PLAIN: None, t.ACCELERATOR: "accelerator"}.get(ground, ground)


ASKED = replace(w.SEAT, name="asked", to_json=tell_asked)


def ground_words(table: CrashAndGrab, ground: int) -> str:
    """Describe the ground of a space."""
    return {t.PLAIN: "nothing special", t.ACCELERATOR: "an accelerator"}.get(ground, f"crash site {ground}")


GROUND = replace(value_codecs.counted("ground"), to_json=tell_ground, words=ground_words)
MOVEMENTS = ("", "its card", "a boost", "a first step", "Landing Legs", "Pulse Cannon", "a jump")
CHANGES = {
    "turned": Change(w.TILE, value_codecs.counted("turns")),
    "ground": Change(w.SPACE, GROUND),
    "phase": Change(None, w.PHASE),
    "asked": Change(None, ASKED),
    "probe": Change(None, seat("probe")),
    "spin": Change(None, w.SPIN),
    "turn": Change(None, w.playing("turn")),
    "cell": Change(w.SAUCER, w.SPACE),
    "plan": Change(w.SAUCER, w.PLAN),
    "where": Change(w.CREW, w.PLACE),
    "marked": Change(w.CREW, truth("marked")),
    "holder": Change(w.UPGRADE, w.HOLDER),
    "motion": Change(None, replace(w.MOTION, words=lambda table, motion: MOVEMENTS[motion])),
    "mover": Change(None, w.playing("mover")),
    "heading": Change(None, replace(w.DIRECTION, name="heading")),
    "current_crew": Change(None, w.CURRENT_CREW),
    **{name: Change(w.SAUCER, value_codecs.counted(name)) for name in ("acted", "energy", "boosters", "crashed")},
    **{name: Change(w.UPGRADE, truth(name)) for name in ("fresh", "spent")},
    **{name: Change(None, truth(name)) for name in ("placed", "gained", "declined", "bought", "cloaked")},
    **{
        name: Change(None, value_codecs.counted(name))
        for name in ("round", "distance", "picked", "lost", "crashes", "leg", "left", "leaps")
    },
}
NOTES: dict[str, Codec[CrashAndGrab]] = {
    "roll": value_codecs.counted("roll"),
    "winners": seats(),
    "round": value_codecs.counted("round"),
    "saucer": w.SAUCER,
    "hit": replace(w.SAUCER, name="hit"),
    "direction": w.DIRECTION,
    "distance": w.DISTANCE,
}


# Words


def cell_text(table: CrashAndGrab, row: Row) -> str:
    """Describe the move of a saucer."""
    way = "from {before} to {after}"
    if row.after == NOWHERE:
        by_mine, by_cloak = "is crashed by a mine on", "cloaks itself and leaves the board from"
        off = {rules.UPGRADE[t.CLOAK]: by_cloak, rules.UPGRADE[t.MINES]: by_mine}
        return f"{{index}} {off.get(row.rule, 'crashes off the board from')} {{before}}"
    if row.before == NOWHERE:
        return f"{{index}} {'is placed' if row.rule == rules.P1 else 'comes back'} on {{after}}"
    if row.rule in (rules.M2, rules.M3, rules.UPGRADE[t.MINES]):
        pushed = row.index != table.turn[0] or table.motion[0] == t.PULSE
        return f"{{index}} {'is pushed' if pushed else 'moves'} {way}"
    verbs = {
        rules.UPGRADE[t.QUAKE]: "is turned with its tile",
        rules.UPGRADE[t.BLAST_OFF]: "steps",
        rules.UPGRADE[t.WORMHOLE]: "swaps places",
    }
    return f"{{index}} {verbs.get(row.rule, 'jumps')} {way}"


def crew_text(table: CrashAndGrab, row: Row) -> str:
    """Describe the move of a crewmember."""
    if row.before == t.QUEUE:
        return "the {index} is placed on {after}"
    if row.before < t.ABOARD:
        if row.after < t.ABOARD:
            return "the {index} is turned with its tile from {before} to {after}"
        how = "takes" if row.rule == rules.UPGRADE[t.AIRLOCK] else "picks up"
        return f"{{after}} {how} the {{index}} from {{before}}"
    if row.after < t.ABOARD:
        return "{before} puts the {index} down on {after}"
    if row.rule == rules.C2:
        return "{after} steals the {index} from {before}"
    return f"{{before}} {({rules.C1: 'gives', rules.W4: 'passes'}).get(row.rule, 'swaps')} the {{index}} to {{after}}"


def phase_text(table: CrashAndGrab, row: Row) -> str:
    """Describe the next decision."""
    phase = row.after
    if phase in (t.PLAN, t.OVER):
        return rules.BOOK.events[f"phase {NAMES[phase]}"]
    who = SEATS[table.asked[0]] if phase < t.FIRST_CHANCE else "chance"
    if has_no_choice(table, phase):
        return f"{who} is not asked for {DECISIONS[phase].about}: there is no choice"
    return f"{who} is asked{':' if phase >= t.FIRST_CHANCE else ' for'} {DECISIONS[phase].about}"


def has_no_choice(table: CrashAndGrab, phase: int) -> bool:
    """CG-M8: return whether this phase would have only one answer now."""
    moment = table.copy()
    moment.phase[0] = phase
    return len(legal(moment, moment.asked[0])) == 1


TEXTS: Texts = {
    "cell": cell_text,
    "where": crew_text,
    "phase": phase_text,
    "mover": lambda table, row: "{after} moves now" if table.motion[0] != t.REST else "{after} is to be placed",
    "mover none": lambda table, row: (
        "all saucers have come to rest" if table.motion[0] != t.REST else "nobody waits to be placed"
    ),
    "asked CG-R1": lambda table, row: "the second saucers are planned now" if row.after else "planning begins anew",
    "turned": lambda table, row: f"tile {{index}} is turned by {90 * ((row.after - row.before) % 4)} degrees clockwise",
}
event_text = teller(rules.BOOK, CrashAndGrab.NAMES, CHANGES, NOTES, TEXTS)


# Hidden events


def is_secret(table: CrashAndGrab, row: Row, seat: int) -> bool:
    """CG-R1: return whether an event is hidden from this seat: the plan of another seat."""
    return (row.rule, row.field) == (rules.R1, rules.PLANNED) and t.owner(table, row.index) != seat
