"""What happens in Crash & Grab, in words and as named values."""

from __future__ import annotations

from dataclasses import replace

from crashlab.engine import words as kinds
from crashlab.engine.notation import SEATS, counted, winners_words
from crashlab.engine.table import NOTE, NOWHERE, Row
from crashlab.engine.words import Change, Kind, seat, seats, truth
from crashlab.games.crash_and_grab import decisions, rules
from crashlab.games.crash_and_grab import table as t
from crashlab.games.crash_and_grab import words as w
from crashlab.games.crash_and_grab.table import CrashAndGrab
from crashlab.games.crash_and_grab.words import saucer_name

# Of what kinds the numbers of an event are


def tell_asked(table: CrashAndGrab, asked: int) -> object:
    """Who is asked; in planning the pass of two players, and of more nobody, as all are."""
    has_planned = t.UNPLANNED not in table.plan[: table.saucers[0]]
    if table.phase[0] != t.PLAN or has_planned:
        return SEATS[asked]
    return asked + 1 if table.players[0] == 2 else None


def tell_ground(table: CrashAndGrab, ground: int) -> object:
    """The number of a crash site, an accelerator, or nothing."""
    return {t.PLAIN: None, t.ACCELERATOR: "accelerator"}.get(ground, ground)


ASKED = replace(w.SEAT, name="asked", tell=tell_asked)
GROUND = replace(kinds.counted("ground"), tell=tell_ground)
CHANGES = {
    "turned": Change(w.TILE, kinds.counted("turns")),
    "ground": Change(w.SPACE, GROUND),
    "phase": Change(None, decisions.PHASE),
    "asked": Change(None, ASKED),
    "probe": Change(None, seat("probe")),
    "spin": Change(None, w.SPIN),
    "turn": Change(None, w.playing("turn")),
    "cell": Change(w.SAUCER, w.SPACE),
    "plan": Change(w.SAUCER, w.PLAN),
    "where": Change(w.CREW, w.PLACE),
    "marked": Change(w.CREW, truth("marked")),
    "holder": Change(w.UPGRADE, w.HOLDER),
    "motion": Change(None, w.MOTION),
    "mover": Change(None, w.playing("mover")),
    "heading": Change(None, replace(w.DIRECTION, name="heading")),
    "found": Change(None, w.FOUND),
    **{name: Change(w.SAUCER, kinds.counted(name)) for name in ("acted", "energy", "boosters", "crashed")},
    **{name: Change(w.UPGRADE, truth(name)) for name in ("fresh", "spent")},
    **{name: Change(None, truth(name)) for name in ("placed", "gained", "declined", "bought", "cloaked")},
    **{
        name: Change(None, kinds.counted(name))
        for name in ("round", "distance", "picked", "lost", "crashes", "leg", "left", "leaps")
    },
}
NOTES: dict[str, Kind[CrashAndGrab]] = {
    "roll": kinds.counted("roll"),
    "winners": seats(),
    "round": kinds.counted("round"),
    "saucer": w.SAUCER,
    "hit": replace(w.SAUCER, name="hit"),
    "direction": w.DIRECTION,
    "distance": w.DISTANCE,
}


# Words

PER_SAUCER = ("energy", "boosters", "plan", "acted", "crashed")


def event_text(table: CrashAndGrab, row: Row) -> str:
    """One row of a trace in words."""
    if row.field == NOTE:
        return note_text(row.rule, *row.numbers)
    name, rule, index, before, after = CrashAndGrab.NAMES[row.field], row.rule, row.index, row.before, row.after
    if name == "cell":
        return cell_event(table, rule, index, before, after)
    if name == "where":
        return crew_event(rule, index, before, after)
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
        return f"the {t.crew_name(index)} {'may' if after else 'can no longer'} be passed to its own saucer"
    return turn_event(table, name, before, after)


def off(rule: int) -> str:
    """How a saucer leaves the board."""
    if rule == rules.UPGRADE[t.CLOAK]:
        return "cloaks itself and leaves the board"
    return "is crashed by a mine" if rule == rules.UPGRADE[t.MINES] else "crashes off the board"


def cell_event(table: CrashAndGrab, rule: int, saucer: int, before: int, after: int) -> str:
    """A saucer comes to another space, in words."""
    name = saucer_name(saucer)
    if after == NOWHERE:
        return f"{name} {off(rule)} from {t.place_words(before)}"
    if before == NOWHERE:
        verb = "is placed" if rule == rules.P1 else "comes back"
        return f"{name} {verb} on {t.place_words(after)}"
    way = f"from {t.place_words(before)} to {t.place_words(after)}"
    if rule == rules.UPGRADE[t.QUAKE]:
        return f"{name} is turned with its tile {way}"
    if rule == rules.UPGRADE[t.BLAST_OFF]:
        return f"{name} steps {way}"
    if rule in (rules.M2, rules.M3, rules.UPGRADE[t.MINES]):
        pushed = saucer != table.turn[0] or table.motion[0] == t.PULSE
        return f"{name} {'is pushed' if pushed else 'moves'} {way}"
    return f"{name} {'swaps places' if rule == rules.UPGRADE[t.WORMHOLE] else 'jumps'} {way}"


def crew_event(rule: int, crew: int, before: int, after: int) -> str:
    """A crewmember comes to another place, in words."""
    name = t.crew_name(crew)
    if before == t.QUEUE:
        return f"the {name} is placed on {t.place_words(after)}"
    if 0 <= before < t.ABOARD and 0 <= after < t.ABOARD:
        return f"the {name} is turned with its tile from {t.place_words(before)} to {t.place_words(after)}"
    if before < t.ABOARD:
        how = "takes" if rule == rules.UPGRADE[t.AIRLOCK] else "picks up"
        return f"{saucer_name(after - t.ABOARD)} {how} the {name} from {t.place_words(before)}"
    giver = saucer_name(before - t.ABOARD)
    if after < t.ABOARD:
        return f"{giver} puts the {name} down on {t.place_words(after)}"
    taker = saucer_name(after - t.ABOARD)
    if rule == rules.C2:
        return f"{taker} steals the {name} from {giver}"
    verb = {rules.C1: "gives", rules.W4: "passes"}.get(rule, "swaps")
    return f"{giver} {verb} the {name} to {taker}"


def upgrade_event(name: str, card: int, before: int, after: int) -> str:
    """What happens to an upgrade, in words."""
    title = w.TITLES[card]
    if name == "spent":
        return f"{title} is used" if after else f"{title} can be used again"
    if name == "fresh":
        return f"{title} works when this turn is over" if after else f"{title} works from now on"
    if after == t.DRAWN:
        return f"{title} is drawn"
    if after == t.DISCARD:
        return f"{title} is discarded"
    return f"{title} is shuffled into the deck" if after == t.DECK else f"{saucer_name(after)} keeps {title}"


def saucer_event(name: str, rule: int, colour: str, before: int, after: int) -> str:
    """What a saucer has, in words."""
    if name == "plan":
        if after == t.UNPLANNED:
            return f"{colour} takes its card up ({w.plan_text(before)})"
        return f"{colour} {'plans' if rule == rules.R1 else 'reveals'} {w.plan_text(after)}"
    if name == "acted":
        return f"{colour} has turn {after} of this round" if after else f"{colour} is to have a turn again"
    if name == "crashed":
        return f"the crash of {colour} is to be rewarded" if after else f"the crash of {colour} is settled"
    verb = "gets" if after > before else "pays"
    number = abs(after - before)
    things = f"{number} energy" if name == "energy" else counted(number, "booster")
    return f"{colour} {verb} {things} ({before} to {after})"


def question_event(table: CrashAndGrab, rule: int, name: str, after: int) -> str:
    """Who is asked for what, in words."""
    if name == "phase":
        if after == t.OVER:
            return "nothing more is asked"
        if after == t.PLAN:
            return "all plan"
        who = SEATS[table.asked[0]] if after < t.FIRST_CHANCE else "chance"
        question = decisions.DECISIONS[after].about
        if has_no_choice(table, after):
            return f"{who} is not asked for {question}: there is no choice"
        return f"{who} is asked{':' if after >= t.FIRST_CHANCE else ' for'} {question}"
    if rule == rules.R1:
        return "the second saucers are planned now" if after else "planning begins anew"
    return f"the next decision is {SEATS[after]}'s"


def has_no_choice(table: CrashAndGrab, phase: int) -> bool:
    """CG-M8: whether there would be one answer only if this were asked now."""
    moment = table.copy()
    moment.phase[0] = phase
    return len(decisions.legal(moment, moment.asked[0])) == 1


def board_event(table: CrashAndGrab, name: str, index: int, before: int, after: int) -> str:
    """What changes on the board, in words."""
    if name == "turned":
        return f"tile {w.tile_number(table, index)} is turned by {90 * ((after - before) % 4)} degrees clockwise"
    things = {t.PLAIN: "nothing special", t.ACCELERATOR: "an accelerator"}
    return f"{t.place_words(index)} has {things.get(after, f'crash site {after}')} now"


def movement_event(table: CrashAndGrab, name: str, before: int, after: int) -> str:
    """What a movement is about, in words."""
    mover = saucer_name(table.mover[0]) if table.mover[0] != NOWHERE else "nobody"
    if name == "mover":
        if after == NOWHERE:
            return "all saucers have come to rest" if table.motion[0] != t.REST else "nobody waits to be placed"
        return f"{saucer_name(after)} {'moves now' if table.motion[0] != t.REST else 'is to be placed'}"
    if name == "heading":
        return f"{mover} heads {w.DIRECTIONS[after]}"
    if name == "leg":
        return f"{mover} travels {counted(after, 'space')} at a time"
    if name == "left":
        return f"{mover} has {counted(after, 'space')} left to go"
    if name == "leaps":
        return f"accelerators reached by {mover} in this turn: {after}" if after else "accelerators are counted anew"
    ways = ("", "its card", "a boost", "a first step", "Landing Legs", "Pulse Cannon", "a jump")
    return f"a movement begins: {ways[after]}" if after != t.REST else f"the movement by {ways[before]} is over"


def turn_event(table: CrashAndGrab, name: str, before: int, after: int) -> str:
    """What changes in the round or in the turn, in words."""
    colour = saucer_name(table.turn[0]) if table.turn[0] != NOWHERE else "the next saucer"
    if name == "round":
        return f"round {after} begins"
    if name == "probe":
        return f"the probe goes from {SEATS[before]} to {SEATS[after]}"
    if name == "spin":
        return f"the turns go {w.SPINS[after]}" if after else "the direction of the turns is open again"
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
        return f"it is about the {t.crew_name(after)}" if after != NOWHERE else f"the {t.crew_name(before)} is seen to"
    done, undone = {
        "placed": ("{} is placed before its turn goes on, and its direction is free", "the placing no longer counts"),
        "gained": ("{} has gained crew in this turn", "gains of crew are counted anew"),
        "declined": ("{} uses no more upgrades in this turn", "upgrades can be used again"),
        "bought": ("{} buys nothing more in this turn", "upgrades can be bought again"),
        "cloaked": ("{} is off the board without a crash", "nobody is cloaked any more"),
    }[name]
    return (done if after else undone).format(colour)


def note_text(rule: int, a: int, b: int, c: int, d: int) -> str:
    """A note in words."""
    if rule == rules.P1:
        return f"the placement die shows {a}"
    if rule == rules.M3:
        return f"{saucer_name(a)} hits {saucer_name(b)}, which is pushed {w.DIRECTIONS[c]} by {counted(d, 'space')}"
    if rule == rules.M4:
        return f"{saucer_name(a)} is accelerated: {counted(b, 'space')} again"
    if rule == rules.UPGRADE[t.MINES]:
        return f"{saucer_name(a)} mines {saucer_name(b)}"
    why = f"after round {b}" if rule == rules.R9 else f"in round {b}"
    return f"the game is over {why}: {winners_words(a)}"
