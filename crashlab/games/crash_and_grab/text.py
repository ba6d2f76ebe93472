"""What happens in Crash & Grab, in words, and why a position cannot be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from crashlab.engine import value_codecs
from crashlab.engine.event_words import Texts, teller
from crashlab.engine.notation import SEATS, counted, some
from crashlab.engine.table import NOWHERE, Row
from crashlab.engine.value_codecs import Change, Codec, seat, seats, truth
from crashlab.games.crash_and_grab import notation, rules
from crashlab.games.crash_and_grab import notation as w
from crashlab.games.crash_and_grab import state as t
from crashlab.games.crash_and_grab.notation import DECISIONS, NAMES, TITLES, legal, saucer_name
from crashlab.games.crash_and_grab.state import CrashAndGrab

# What happens


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


ASKED = replace(w.SEAT, name="asked", to_json=tell_asked)
def ground_words(table: CrashAndGrab, ground: int) -> str:
    """The same in words."""
    return {t.PLAIN: "nothing special", t.ACCELERATOR: "an accelerator"}.get(ground, f"crash site {ground}")


GROUND = replace(value_codecs.counted("ground"), to_json=tell_ground, words=ground_words)
MOVEMENTS = ("", "its card", "a boost", "a first step", "Landing Legs", "Pulse Cannon", "a jump")
CHANGES = {
    "turned": Change(w.TILE, value_codecs.counted("turns")),
    "ground": Change(w.SPACE, GROUND),
    "phase": Change(None, notation.PHASE),
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
    "found": Change(None, w.FOUND),
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
    """A saucer leaves the board, comes back to it, or goes on, in words; the rest is in the rulebook."""
    way = "from {before} to {after}"
    if row.after == NOWHERE:
        by_mine, by_cloak = "is crashed by a mine", "cloaks itself and leaves the board"
        off = {rules.UPGRADE[t.CLOAK]: by_cloak, rules.UPGRADE[t.MINES]: by_mine}
        return f"{{index}} {off.get(row.rule, 'crashes off the board')} from {{before}}"
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
    """A crewmember comes to another place, in words."""
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
    """Who is asked for what, in words."""
    phase = row.after
    if phase in (t.PLAN, t.OVER):
        return rules.BOOK.events[f"phase {NAMES[phase]}"]
    who = SEATS[table.asked[0]] if phase < t.FIRST_CHANCE else "chance"
    if has_no_choice(table, phase):
        return f"{who} is not asked for {DECISIONS[phase].about}: there is no choice"
    return f"{who} is asked{':' if phase >= t.FIRST_CHANCE else ' for'} {DECISIONS[phase].about}"


def has_no_choice(table: CrashAndGrab, phase: int) -> bool:
    """CG-M8: whether there would be one answer only if this were asked now."""
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


# Why a position cannot be


BEFORE_TURNS = (t.PLAN, t.PILOT_CHOICE, t.BOOSTER_CHOICE, t.FIRST, t.NAMING, t.ROTATION, t.SET_UP_DIE)
OF_TWO = (t.PILOT_CHOICE, t.BOOSTER_CHOICE, t.FIRST, t.SET_UP_DIE)
SETTING_UP = (t.PILOT_CHOICE, t.BOOSTER_CHOICE, t.SET_UP_DIE)
ON_THE_WAY = (t.PUSH, t.WASTE_USE, t.LEG, t.TURN_OFF)
NEEDED = {
    t.SITE: t.GATEWAY,
    t.STEP: t.BLAST_OFF,
    t.PUSH: t.MINES,
    t.WASTE_USE: t.WASTE,
    t.LEG: t.REGULATOR,
    t.EXCHANGE: t.AIRLOCK,
}


def unreachable(table: CrashAndGrab) -> list[str]:
    """Why nobody can go on from here; nothing, in a position of a game."""
    if table.phase[0] == t.OVER:
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
    wrong = []
    done = rules.last_acted(table)
    if done > table.saucers[0]:
        return [f"{done} turns are too many for {table.saucers[0]} saucers (CG-R2)"]
    for number in range(1, done + 1):
        if table.acted.count(number) != 1:
            wrong.append(f"{table.acted.count(number)} saucers had turn {number} of the round; each has one (CG-R2)")
        elif players == 2 and t.owner(table, table.acted.index(number)) != table.probe[0] ^ 1 - number & 1:
            wrong.append("the turns alternate, beginning with the player who has the probe (CG-R2)")
        elif players > 2 and table.acted.index(number) != (table.probe[0] + table.spin[0] * (number - 1)) % players:
            wrong.append("the turns go round from the player who has the probe (CG-R2)")
    if turn != NOWHERE and players > 2 and not table.spin[0] and table.holder[t.STABILIZER] < 0:
        wrong.append("the direction of the turns is open in a turn only with Rotational Stabilizer (CG-R2, CG-U19)")
    if phase in BEFORE_TURNS and table.spin[0]:
        wrong.append(f"in the phase {NAMES[phase]} the direction of the turns is open (CG-R2)")
    if phase in BEFORE_TURNS and turn != NOWHERE:
        wrong.append(f"it cannot be the turn of {saucer_name(turn)} in the phase {NAMES[phase]}")
    elif turn == NOWHERE and phase not in (*BEFORE_TURNS, t.SITE, t.DIE):
        wrong.append(f"in the phase {NAMES[phase]} it is the turn of a saucer; say which, as in 'turn red'")
    elif turn != NOWHERE and table.acted[turn] != done:
        wrong.append(f"{saucer_name(turn)} must have had the latest turn, as it is under way (CG-R4)")
    elif turn == NOWHERE and done != turns_done(table, phase):
        wrong.append(f"{done} turns of this round are over, which does not fit the phase {NAMES[phase]} (CG-R2)")
    return wrong


def turns_done(table: CrashAndGrab, phase: int) -> int:
    """How many turns of the round are over where none is under way."""
    if phase in (t.SITE, t.DIE):
        return table.saucers[0]  # CG-R7
    may_be_one = phase == t.FIRST or (phase == t.ROTATION and table.holder[t.STABILIZER] >= 0)  # CG-U19
    return min(rules.last_acted(table), 1) if may_be_one else int(phase == t.NAMING)


def wrong_plans(table: CrashAndGrab) -> list[str]:
    """CG-R1: who has still to move has a plan; in planning somebody lacks one."""
    phase = table.phase[0]
    wrong = []
    for saucer in range(table.saucers[0]):
        has_plan, is_due = table.plan[saucer] != t.UNPLANNED, not table.acted[saucer] or saucer == table.turn[0]
        name = t.COLOUR_NAMES[saucer]
        if phase in SETTING_UP or not is_due:
            if has_plan:
                wrong.append(f"{name} cannot have a plan now (CG-R1)")
        elif phase != t.PLAN and not has_plan:
            wrong.append(f"{name} has no plan, but is still to move in this round (CG-R1)")
        elif (
            phase == t.PLAN and table.players[0] == 2 and has_plan != (saucer % 2 == 0) and saucer % 2 != table.asked[0]
        ):
            wrong.append(f"the plan of {name} does not fit pass {table.asked[0] + 1} of planning (CG-R1)")
    if phase == t.PLAN and not wrong and not rules.actors(table):
        wrong.append("all have planned, so the phase cannot be plan (CG-R1)")
    return wrong


def wrong_movement(table: CrashAndGrab) -> list[str]:
    """CG-M2: who moves is on the board, and who is placed is not; only crew aboard can be passed."""
    phase = table.phase[0]
    mover = table.mover[0]
    wrong = []
    if phase in (t.SITE, t.DIE) and (mover == NOWHERE or table.cell[mover] != NOWHERE):
        wrong.append("a saucer off the board is placed; say which, as in 'mover red'")
    if phase in (t.SITE, t.DIE) and NOWHERE not in (table.turn[0], mover) and table.turn[0] != mover:
        wrong.append("at the start of a turn the saucer whose turn it is is placed (CG-R5)")
    if phase in ON_THE_WAY and (mover == NOWHERE or table.cell[mover] == NOWHERE or table.motion[0] == t.REST):
        wrong.append("a saucer is on its way; say which and by what, as in 'mover red' and 'motion card'")
    elif table.left[0] and (mover == NOWHERE or table.cell[mover] == NOWHERE or table.motion[0] == t.REST):
        wrong.append("nobody is on the way, so no distance can be left")
    elif phase == t.PUSH and not is_before_saucer(table):
        wrong.append("the mover is not about to hit a saucer (CG-U16)")
    if phase in (t.STEP, t.DISTANCE, t.DIRECTION, t.BOOST) and table.cell[table.turn[0]] == NOWHERE:
        wrong.append(f"{saucer_name(table.turn[0])} is off the board, so it cannot move")
    for crew in range(t.CREW):
        if table.marked[crew] and (table.players[0] > 2 or table.where[crew] != t.ABOARD + (crew // t.TYPES ^ 1)):
            wrong.append(f"{t.crew_name(crew)} is not aboard a partner, so it cannot be passed (CG-W4)")
    return wrong


def is_before_saucer(table: CrashAndGrab) -> bool:
    """Whether a saucer is on the next space of the mover."""
    cell = rules.ahead(table, table.cell[table.mover[0]], table.heading[0])
    return cell != NOWHERE and rules.saucer_on(table, cell) != NOWHERE


def wrong_question(table: CrashAndGrab) -> list[str]:
    """Whether what is asked can be answered, by the one who is asked."""
    phase, asked, found = table.phase[0], table.asked[0], table.found[0]
    name = NAMES[phase]
    if phase in OF_TWO and table.players[0] != 2 or phase in (t.NAMING, t.ROTATION) and table.players[0] == 2:
        return [f"there is no phase {name} with {table.players[0]} players"]
    if phase == t.NAMING and (table.holder[t.STABILIZER] < 0 or table.spin[0]):
        return ["the direction is named once, by the holder of Rotational Stabilizer (CG-U19)"]
    if phase in (t.SET_UP_DIE, t.REFILL_DIE) and (found == NOWHERE or table.where[found] != t.QUEUE):
        return ["a crewmember from a queue is placed; say which, as in 'found red pilot'"]
    if phase == t.EXCHANGE and (found == NOWHERE or table.where[found] < t.ABOARD):
        return ["a crewmember was just picked up; say which, as in 'found red pilot' (CG-U20)"]
    if phase in NEEDED and not rules.has(table, asked_saucer(table), NEEDED[phase]):
        return [f"there is no phase {name} without {TITLES[NEEDED[phase]]} that can be used (CG-H2)"]
    if table.holder.count(t.DRAWN) > (2 if phase == t.KEEP else 1 if phase == t.DRAW else 0):
        return ["upgrades are drawn only while one is bought: one in the phase draw, two in the phase keep (CG-H1)"]
    if phase in (t.REFILL, t.REFILL_DIE) and not table.picked[0]:
        return ["no crewmember was picked up in this turn, so none is to be refilled (CG-W3)"]
    if phase == t.BUY and table.energy[table.turn[0]] < 2:
        return [f"{saucer_name(table.turn[0])} has less than the 2 energy that an upgrade costs (CG-H1)"]
    if phase == t.BUY and not rules.anything_to_buy(table):
        return ["no upgrade is left to buy (CG-H1)"]
    if phase == t.REWARD and rules.first_crashed(table) == NOWHERE:
        return ["no saucer has crashed, so there is no reward (CG-C2)"]
    if phase == t.PENALTY and table.lost[0] < 1:
        return ["no own saucer has crashed, so there is no penalty (CG-C1)"]
    if phase == t.BOOST and not table.boosters[table.turn[0]]:
        return [f"{saucer_name(table.turn[0])} has no booster (CG-M7)"]
    if t.PLAN < phase < t.FIRST_CHANCE and phase != t.PASS and asked != w.default_asked(table):
        return [f"asked for {DECISIONS[phase].about} is {SEATS[w.default_asked(table)]}, not {SEATS[asked]}"]
    least = 2 if phase == t.PASS else 1
    if phase != t.PLAN and len(legal(table, asked)) < least:
        return [f"in the phase {name} there is nothing to choose from"]
    return []


def wrong_set_up(table: CrashAndGrab) -> list[str]:
    """CG-S5: of two players the one with the probe has a pilot placed, then the other one; all other crew waits."""
    phase = table.phase[0]
    if phase not in SETTING_UP:
        return []
    gone = [crew for crew, where in enumerate(table.where) if where not in (t.QUEUE, t.UNUSED)]
    boosters = sum(table.boosters)
    if boosters > (phase == t.SET_UP_DIE):
        return ["at set-up there is one booster, given before the second pilot is placed (CG-S5)"]
    number = int(phase == t.BOOSTER_CHOICE) + boosters
    if phase == t.SET_UP_DIE:
        gone.append(table.found[0])
        number += 1
    players = [t.owner(table, crew // t.TYPES) for crew in gone]
    if players != [table.probe[0], 1 - table.probe[0]][:number] or any(
        crew % t.TYPES != t.PILOT or table.where[crew] >= t.ABOARD for crew in gone
    ):
        return ["at set-up a pilot of the probe player is placed, then one of the other player's (CG-S5)"]
    return []


COUNTED = ("placed", "distance", "picked", "gained", "lost", "crashes", "declined", "bought", "cloaked", "leaps")


def wrong_turn(table: CrashAndGrab) -> list[str]:
    """CG-R4, CG-C1, CG-C2: what is counted in a turn is not there without one, and no more than can have happened."""
    turn = table.turn[0]
    wrong = []
    marked = [card for card in range(t.CARDS) if table.fresh[card] or table.spent[card]]
    if turn == NOWHERE:
        said = [*(key for key in COUNTED if vars(table)[key][0]), *(["crashed"] if any(table.crashed) else [])]
        wrong = [f"{some(said)}: no turn is under way"] if said else []
    else:
        off = [saucer for saucer in range(table.saucers[0]) if table.cell[saucer] == NOWHERE]
        own = [saucer for saucer in off if t.owner(table, saucer) == t.owner(table, turn)]
        crashed = [saucer for saucer, number in enumerate(table.crashed) if number]
        if table.lost[0] > len(own):
            wrong.append(f"{counted(len(own), 'own saucer')} off the board, so not {table.lost[0]} to pay for (CG-C1)")
        if not set(crashed) <= set(off) - set(own) or table.crashes[0] > len(off) - len(own):
            wrong.append("only saucers of others that are off the board have crashed and are rewarded (CG-C2)")
        if table.cloaked[0] and turn not in off:
            wrong.append(f"{saucer_name(turn)} is on the board, so it is not cloaked (CG-U7)")
        if table.phase[0] == t.END and table.declined[0] or table.phase[0] == t.BUY and table.bought[0]:
            wrong.append(f"after 'no' there is no phase {NAMES[table.phase[0]]} any more in this turn (CG-R6)")
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
    if phase == t.EXCHANGE:
        saucer = asked_saucer(table)
        by_beam = (mover, motion, left) == (NOWHERE, t.REST, 0) and saucer == table.turn[0]
        if not by_beam and (mover != saucer or motion in STILL or not stands(table, range(1, t.SITES + 1))):
            return [f"{saucer_name(saucer)} must be the mover, alone on the crash site of the pick-up (CG-U20)"]
    elif phase == t.PASS:
        if motion == t.REST or mover != NOWHERE or left:
            return ["crew is passed after a movement; say by what, as in 'motion card', without a mover (CG-W4)"]
    elif motion != t.REST or left or any(table.marked) or (mover != NOWHERE and phase not in (t.SITE, t.DIE)):
        return [f"in the phase {NAMES[phase]} nobody moves, so there is no mover, motion or crew marked (CG-M2)"]
    return []


STILL = (t.REST, t.STEPPING, t.JUMP)  # motions in which no space is entered


def wrong_stop(table: CrashAndGrab) -> list[str]:
    """CG-M2, CG-M4, CG-U8, CG-U16: whether the saucer on its way is where this question is asked."""
    phase, left = table.phase[0], table.left[0]
    if table.mover[0] != table.turn[0] or table.motion[0] in (*STILL, t.PULSE):
        return ["only the saucer whose turn it is is asked on its way, when it moves by itself (CG-M4)"]
    if phase == t.PUSH:
        fits = left > 0 and stands(table, range(t.ACCELERATOR + 1))
    elif phase == t.WASTE_USE:
        fits = table.leg[0] > 0 and stands(table, range(1, t.SITES + 1))
    else:
        leaves = (t.ACCELERATOR, *range(1, t.SITES + 1)) if table.spent[t.WASTE] else (t.ACCELERATOR,)
        fits = left == table.leg[0] > 0 and stands(table, leaves)
    if not fits:
        here = f"a saucer standing where {saucer_name(table.mover[0])} does"
        return [f"{here} is not asked for {DECISIONS[phase].about} (CG-M2)"]
    return []


def stands(table: CrashAndGrab, grounds: Sequence[int]) -> bool:
    """Whether the mover is alone on a space that shows one of these."""
    cell = table.cell[table.mover[0]]
    return cell != NOWHERE and table.ground[cell] in grounds and table.cell.count(cell) == 1 and cell not in table.where


def asked_saucer(table: CrashAndGrab) -> int:
    """The saucer that is asked for the use of an upgrade: whose turn it is, that moves, or that has just picked up."""
    if table.phase[0] == t.EXCHANGE:
        return table.where[table.found[0]] - t.ABOARD
    return table.turn[0] if table.phase[0] == t.STEP else table.mover[0]
