"""A position of Crash & Grab: its parts, the public facts of a state, and its errors.

A position is one line, for example

    round 2; tiles 1A0 2B1 3A2 4B3; probe B; saucers red 00 3>, green 12 e2 b1, blue 77, yellow off; crew red pilot 20, green pilot blue; upgrades Mines green

with energy `e` (1 by default), boosters `b` (0 by default), the plan (`?` if it is hidden), and for saucers within a
round `#1`, the position in the order of turns, and `x1`, the position in the order of this turn's crashes. A tile is
its number, its side and its quarter turns clockwise; tiles are written in the order of the places: corners, arms above,
left, right and below, centre. Everything but the saucers is optional: by default, saucers are off the board,
crewmembers wait in their queues, upgrades are in the deck. As JSON:

    {"round": 2, "tiles": ["1A0", "2B1", "3A2", "4B3"], "probe": "B",
     "saucers": {"red": {"space": [0, 0], "plan": "3>"}, "green": {"space": [1, 2], "energy": 2, "boosters": 1},
                 "blue": "77"},
     "crew": {"red pilot": [2, 0], "green pilot": "blue"}, "upgrades": {"Proximity Mines": "green"}}

Within a turn a position also has parts like `phase boost`, `turn red`, `distance 3`, `motion card`, `mover red`.
"""  # noqa: E501

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from crashlab.base.errors import CrashlabError, short_repr
from crashlab.engine.notation import SEATS, some
from crashlab.engine.position import Column, Part, StateFacts, flag, set_of, single, table_of
from crashlab.engine.table import NOWHERE
from crashlab.engine.value_codecs import counted, maybe, numbered, seat, truth
from crashlab.games.crash_and_grab import notation as w
from crashlab.games.crash_and_grab import rules
from crashlab.games.crash_and_grab import state as t
from crashlab.games.crash_and_grab.state import CrashAndGrab

# Tiles


def tiles_of(table: CrashAndGrab) -> list[str]:
    """Return the tiles in the order of their places, as in 1A0: number, side, quarter turns."""
    return [
        f"{w.tile_number(table, place)}{'AB'[table.side[place] % 2]}{table.turned[place]}"
        for place in range(t.PLACES)
        if table.side[place] != NOWHERE
    ]


def default_tiles(table: CrashAndGrab) -> list[str]:
    """CG-B1: return the tiles in the order of their numbers, with side A up."""
    corners, arms, centre = t.TILES[table.size[0]]
    numbered = enumerate((*corners, *arms, *centre))
    return [f"{tile + 1}A{int(place in t.VERTICAL)}" for place, tile in numbered]


def lay_out(table: CrashAndGrab, tiles: object) -> None:
    """CG-B1: lay the tiles as given."""
    corners, arms, centre = t.TILES[table.size[0]]
    places = range(len(corners) + len(arms) + len(centre))  # arms and centre follow the corners
    if not isinstance(tiles, (list, tuple)) or len(tiles) != len(places):
        raise CrashlabError(f"tiles: give a list of {len(places)} tiles, such as '1A0', not {short_repr(tiles)}")
    for place, word in zip(places, tiles, strict=True):
        lay_tile(table, place, word, corners if place < 4 else arms if place < 8 else centre)


def lay_tile(table: CrashAndGrab, place: int, word: object, fitting: Sequence[int]) -> None:
    """CG-B1: lay one tile; raise CrashlabError if it does not fit its place."""
    match = re.fullmatch(r"([0-9]{1,2})([ABab])([0-3])", word) if isinstance(word, str) else None
    if not match or int(match[1]) - 1 not in fitting:
        choice = some(tile + 1 for tile in fitting)
        raise CrashlabError(
            f"tiles: give one of {choice} here, with side A or B and 0 to 3 turns, not {short_repr(word)} (CG-B1)"
        )
    side, turns = 2 * int(match[1]) - 2 + "AB".index(match[2].upper()), int(match[3])
    if side // 2 in [other // 2 for other in table.side]:
        raise CrashlabError(f"tiles: tile {match[1]} appears twice")
    if 4 <= place < 8 and turns % 2 != (place in t.VERTICAL):
        raise CrashlabError(f"tiles: {short_repr(word)} does not fit its place; turn it by a quarter (CG-B1)")
    t.lay_tile(table, place, side, turns)


# The current player


def no_pass(table: CrashAndGrab) -> str:
    """CG-R1: return the reason to refuse a pass of planning; empty if there are passes."""
    twice = table.phase[0] == t.PLAN and table.players[0] == 2
    return "" if twice else "passes 1 and 2 exist only in the phase plan of two players (CG-R1)"


def all_asked(table: CrashAndGrab) -> str:
    """CG-R1: return the reason to refuse a single current player; empty if there is one."""
    return "in the phase plan all players decide" if table.phase[0] == t.PLAN else ""


def default_asked(table: CrashAndGrab) -> int:
    """Return the default current player; in the phase `pass`, it can also be the other player (CG-W4)."""
    phase = table.phase[0]
    if phase == t.NAMING:
        return max(table.holder[t.STABILIZER], 0)
    if phase == t.FIRST:
        return table.probe[0] ^ rules.last_acted(table) & 1
    if phase in (t.PILOT_CHOICE, t.BOOSTER_CHOICE):
        return table.probe[0] ^ (phase == t.BOOSTER_CHOICE)
    if phase == t.SITE and table.mover[0] != NOWHERE:
        return t.owner(table, table.mover[0])
    if phase == t.EXCHANGE and table.where[table.current_crew[0]] >= t.ABOARD:
        return t.owner(table, table.where[table.current_crew[0]] - t.ABOARD)
    return t.owner(table, table.turn[0]) if table.turn[0] != NOWHERE else 0


def default_spin(table: CrashAndGrab) -> int:
    """CG-R2: return the default direction of turns: clockwise, or open before the first turn."""
    is_open = table.turn[0] == NOWHERE or table.players[0] == 2 or table.holder[t.STABILIZER] >= 0
    return 0 if is_open else 1


def number_turns(table: CrashAndGrab) -> None:
    """CG-R2: if no turn is numbered, number the turns of the round up to the current one."""
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


# The parts of a position


def count(key: str, about: str) -> Part[Any]:
    """Return a part that is a number, by default 0."""
    return single(key, about, key, counted(key))


PASS = replace(numbered("pass", most=2), to_json=lambda table, n: n + 1)
PARTS: tuple[Part[CrashAndGrab], ...] = (
    single("round", "the number of the round, from 1", "round", counted("round"), 1, always=True),
    Part(
        "tiles",
        "the tiles in the order of their places",
        tiles_of,
        lay_out,
        default_tiles,
        lambda table: " ".join(tiles_of(table)),
        str.split,
        always=True,
    ),
    single("phase", "the name of the current decision, see below", "phase", w.PHASE),
    single(
        "pass",
        "1 or 2 in the phase plan of two players, who plan in two passes",
        "asked",
        PASS,
        refuse=no_pass,
    ),
    single(
        "asked",
        "the player who decides; left out in the phase plan, where all decide",
        "asked",
        seat("asked"),
        default_asked,
        refuse=all_asked,
    ),
    single("probe", "the player who has the probe", "probe", seat("probe"), always=True),
    single("spin", "the direction of the turns: clockwise, counter-clockwise or open", "spin", w.SPIN, default_spin),
    single("turn", "the saucer whose turn it is", "turn", w.playing("turn"), NOWHERE),
    table_of(
        "saucers",
        "space (or off), energy, boosters and plan of each saucer; # its turn in this round, x its crash in this turn",
        w.in_play("saucers"),
        (
            Column("space", "cell", maybe(w.SPACE, {NOWHERE: "off"}, NOWHERE), NOWHERE, in_json=True, in_line=True),
            Column("energy", "energy", counted("energy"), 1, "e", in_json=True),
            Column("boosters", "boosters", counted("boosters"), 0, "b", in_json=True),
            Column("plan", "plan", w.PLAN, t.UNPLANNED),
            Column("acted", "acted", counted("acted"), 0, "#"),
            Column("crashed", "crashed", counted("crashed"), 0, "x"),
        ),
        "34 e2 b1 3>",
        lambda table: range(table.saucers[0]),
        default=None,
        always=True,
        settle=number_turns,
    ),
    table_of(
        "crew",
        "each crewmember on a space or aboard a saucer; the others wait in the queues",
        w.CREW_IN_PLAY,
        Column("", "where", w.PLACE),
        "red pilot 20",
        lambda table: [crew for crew, where in enumerate(table.where) if where >= 0],
    ),
    set_of("marked", "the crew that may be passed between partners that met in this movement", w.CREW, "marked", ", "),
    table_of(
        "upgrades",
        "each with its saucer, or drawn or discarded; it is fresh if bought, and spent if used, in this turn",
        w.UPGRADE,
        (
            Column("holder", "holder", w.HOLDER),
            Column("fresh", "fresh", truth("fresh"), 0, "fresh", flag=True),
            Column("spent", "spent", truth("spent"), 0, "spent", flag=True),
        ),
        "red spent",
        in_words=True,
        things=lambda table: [card for card, where in enumerate(table.holder) if where not in (t.DECK, t.ABSENT)],
    ),
    flag("placed", "written if the saucer was placed at the start of this turn", "placed"),
    count("distance", "the distance of this turn's card"),
    count("picked", "the number of crewmembers picked up in this turn and not yet refilled"),
    flag("gained", "written if the saucer has gained crew in this turn", "gained"),
    count("lost", "the number of the player's crashes in this turn that are not yet paid for"),
    single(
        "crashes",
        "the number of other players' saucers that crashed in this turn",
        "crashes",
        counted("crashes"),
        lambda table: max(table.crashed),
        always=lambda table: table.crashes[0] > 0,
    ),
    flag("declined", "written if no more upgrades are used in this turn", "declined"),
    flag("bought", "written if no more upgrades are bought in this turn", "bought"),
    flag("cloaked", "written if the saucer has left the board without a crash", "cloaked"),
    single("motion", "the kind of movement: rest, card, boost, step, legs, pulse or jump", "motion", w.MOTION),
    single("mover", "the saucer that moves or must be placed", "mover", w.playing("mover"), NOWHERE),
    single("heading", "the direction in which the mover moves", "heading", w.DIRECTION),
    count("leg", "the full distance of the current leg"),
    count("left", "the remaining distance of the current leg"),
    count("leaps", "the number of accelerators that the saucer itself has reached in this turn"),
    single("found", "the crewmember that is placed or may be exchanged", "current_crew", w.CURRENT_CREW, NOWHERE),
)


# Public facts


@dataclass(frozen=True)
class Saucer:
    """A saucer as the user sees it; `space` is None off the board, `plan` is `?` if hidden and None if missing."""

    colour: str
    player: str
    space: tuple[int, int] | None
    energy: int
    boosters: int
    crew: tuple[str, ...]
    stationed: int
    upgrades: tuple[str, ...]
    plan: str | None


class Facts(StateFacts[CrashAndGrab]):
    """The public facts of a state: `state.saucers`, `state.crew`, `state.upgrades`."""

    round: int
    phase: str
    probe: str
    turn: str | None

    @cached_property
    def saucers(self) -> dict[str, Saucer]:
        """The saucers by their colours."""
        return {t.COLOUR_NAMES[saucer]: self._saucer(saucer) for saucer in range(self._table.saucers[0])}

    def _saucer(self, saucer: int) -> Saucer:
        table = self._table
        return Saucer(
            t.COLOUR_NAMES[saucer],
            SEATS[t.owner(table, saucer)],
            w.space(table.cell[saucer]),
            table.energy[saucer],
            table.boosters[saucer],
            tuple(t.crew_name(crew) for crew in range(t.CREW) if table.where[crew] == t.ABOARD + saucer),
            rules.aboard(table, saucer),
            tuple(w.TITLES[card] for card in range(t.CARDS) if table.holder[card] == saucer),
            w.tell_plan(table.plan[saucer]),
        )

    @cached_property
    def crew(self) -> dict[str, tuple[int, int] | str]:
        """The place of each crewmember in play: a space, a saucer's colour, or `queue`."""
        places = enumerate(self._table.where)
        return {t.crew_name(crew): w.crew_place(where) for crew, where in places if where != t.UNUSED}

    @cached_property
    def upgrades(self) -> dict[str, str]:
        """The holder of each upgrade: a saucer's colour, `deck`, `discard` or `drawn`."""
        holders = enumerate(self._table.holder)
        return {w.TITLES[card]: w.holder_text(holder) for card, holder in holders if holder != t.ABSENT}

    @cached_property
    def sites(self) -> dict[int, tuple[int, int]]:
        """The spaces of the crash sites, by their numbers."""
        ground = enumerate(self._table.ground)
        return {number: divmod(cell, 10) for cell, number in ground if 1 <= number <= t.SITES}

    @cached_property
    def accelerators(self) -> tuple[tuple[int, int], ...]:
        """The spaces of the accelerators."""
        return tuple(divmod(cell, 10) for cell, kind in enumerate(self._table.ground) if kind == t.ACCELERATOR)


# Errors


def problems(table: CrashAndGrab) -> list[str]:
    """Return the errors of this table as sentences. A table reached in a game never has any."""
    return [*wrong_places(table), *wrong_crew(table), *wrong_upgrades(table), *wrong_purses(table)]


def wrong_places(table: CrashAndGrab) -> Iterator[str]:
    """CG-M4: return the errors about saucers' spaces; only the mover may share one or be on an accelerator (CG-M3)."""
    moving = table.mover[0] if table.motion[0] != t.REST else NOWHERE
    for saucer, cell in enumerate(table.cell):
        if cell == NOWHERE:
            continue
        name, here = t.COLOUR_NAMES[saucer], t.place_words(cell)
        size = table.size[0]
        if saucer >= table.saucers[0]:
            yield f"{table.players[0]} players have no {name} saucer (CG-S1)"
        elif cell // 10 >= size or cell % 10 >= size:
            yield f"{name} is on {here}, but the board has {size} rows and columns (CG-B1)"
        if saucer == moving:
            continue
        if table.ground[cell] == t.ACCELERATOR:
            yield f"{name} is at rest on {here}, an accelerator, where no saucer stops (CG-M4)"
        for other in range(saucer):
            if table.cell[other] == cell and other != moving:
                yield f"{t.COLOUR_NAMES[other]} and {name} are both on {here}, but a space holds one saucer"
        if cell in table.where:
            yield f"{name} is on {here} with a crewmember, which it would have picked up (CG-M2)"


def wrong_crew(table: CrashAndGrab) -> Iterator[str]:
    """CG-S1, CG-S3: return the errors about the sites, and about crew not in a queue, aboard, or alone on a site."""
    for crew, where in enumerate(table.where):
        name = t.crew_name(crew)
        if (where == t.UNUSED) != (crew // t.TYPES >= t.COLOURS[table.players[0]]):
            colours = t.COLOURS[table.players[0]]
            yield f"{name}: {table.players[0]} players have {colours} colours of crew in play (CG-S1)"
        elif 0 <= where < t.ABOARD and not 1 <= table.ground[where] <= t.SITES:
            yield f"{name} is on {t.place_words(where)}, which is not a crash site (CG-P1)"
        elif 0 <= where < t.ABOARD and table.where.index(where) != crew:
            yield f"{t.crew_name(table.where.index(where))} and {name} are both on {t.place_words(where)}"
        elif where >= t.ABOARD + table.saucers[0]:
            yield f"{name} is aboard a saucer that does not play"
    outside = sum(0 <= where < t.ABOARD for where in table.where) + table.picked[0]
    if outside + table.saucers[0] >= t.SITES:
        yield f"with {outside} crewmembers on the board or to be refilled, the die may find no free crash site (CG-P1)"
    if sorted(ground for ground in table.ground if 1 <= ground <= t.SITES) != list(range(1, t.SITES + 1)):
        yield "the board must have each of the crash sites 1 to 12 once (CG-B2)"


def wrong_upgrades(table: CrashAndGrab) -> Iterator[str]:
    """CG-S6, CG-H1: return the errors about upgrades: their holders, marks fresh and spent, and the number drawn."""
    for card, holder in enumerate(table.holder):
        if (holder == t.ABSENT) != (table.players[0] == 2 and card == t.STABILIZER):
            yield f"upgrade {card + 1}: only Rotational Stabilizer is out of play, and only with 2 players (CG-S6)"
        if holder >= table.saucers[0]:
            yield f"upgrade {card + 1} belongs to a saucer that does not play"
        if holder < 0 and (table.fresh[card] or table.spent[card]):
            yield f"upgrade {card + 1} has no saucer, so it cannot be fresh or spent"
    if table.holder.count(t.DRAWN) > 2:
        yield "at most two upgrades can be drawn at once (CG-H1)"


def wrong_purses(table: CrashAndGrab) -> Iterator[str]:
    """CG-S2, CG-R9: return the errors about supplies of saucers not in play, and about a round after the last."""
    yield from (
        f"{name} does not play, but has energy or boosters"
        for saucer, name in enumerate(t.COLOUR_NAMES)
        if saucer >= table.saucers[0] and (table.energy[saucer] or table.boosters[saucer])
    )
    if NOWHERE < table.round_limit[0] < table.round[0]:
        yield f"round {table.round[0]} is too late: the last round is {table.round_limit[0]} (CG-R9)"


BEFORE_TURNS = (t.PLAN, t.PILOT_CHOICE, t.BOOSTER_CHOICE, t.FIRST, t.NAMING, t.ROTATION, t.SET_UP_DIE)
OF_TWO = (t.PILOT_CHOICE, t.BOOSTER_CHOICE, t.FIRST, t.SET_UP_DIE)
SETTING_UP = (t.PILOT_CHOICE, t.BOOSTER_CHOICE, t.SET_UP_DIE)
ON_THE_WAY = (t.PUSH, t.WASTE_USE, t.LEG, t.TURN_OFF)
MOVING = (*ON_THE_WAY, t.EXCHANGE, t.PASS)
NEEDED = {
    t.SITE: t.GATEWAY,
    t.STEP: t.BLAST_OFF,
    t.PUSH: t.MINES,
    t.WASTE_USE: t.WASTE,
    t.LEG: t.REGULATOR,
    t.EXCHANGE: t.AIRLOCK,
}


def stuck(table: CrashAndGrab) -> list[str]:
    """Return the errors that make the phase impossible: in the turns, or else the plans, movement or question."""
    if table.phase[0] == t.OVER:
        return []
    return wrong_turn(table) or wrong_plans(table) or [*wrong_movement(table)] or wrong_question(table)


def wrong_turn(table: CrashAndGrab) -> list[str]:
    """CG-R2, CG-R4: return the errors about turns, which are numbered from the probe player's to the current one."""
    phase, turn, players = table.phase[0], table.turn[0], table.players[0]
    done, name = rules.last_acted(table), w.NAMES[phase]
    if phase in BEFORE_TURNS and turn != NOWHERE:
        return [f"it cannot be the turn of {w.saucer_name(turn)} in the phase {name}"]
    if phase in BEFORE_TURNS and table.spin[0]:
        return [f"in the phase {name} the direction of the turns must be open (CG-R2)"]
    if turn == NOWHERE and phase not in (*BEFORE_TURNS, t.SITE, t.DIE):
        return [f"in the phase {name} it is the turn of a saucer; say which, as in 'turn red'"]
    for number in range(1, done + 1):
        later = number - 1 & 1 if players == 2 else table.spin[0] * (number - 1)
        first = (table.probe[0] + later) % players
        if [t.owner(table, saucer) for saucer in range(6) if table.acted[saucer] == number] != [first]:
            return [
                f"from the probe on, turn {number} of the round must be that of one saucer of {SEATS[first]} (CG-R2)"
            ]
    if done != (table.acted[turn] if turn != NOWHERE else turns_done(table, phase)):
        return [f"{done} turns of this round have begun, which is impossible in the phase {name} (CG-R2, CG-R4)"]
    return []


def turns_done(table: CrashAndGrab, phase: int) -> int:
    """Return the number of finished turns of the round in a phase between turns."""
    if phase in (t.SITE, t.DIE):
        return table.saucers[0]  # CG-R7
    may_be_one = phase == t.FIRST or (phase == t.ROTATION and table.holder[t.STABILIZER] >= 0)  # CG-U19
    return min(rules.last_acted(table), 1) if may_be_one else int(phase == t.NAMING)


def wrong_plans(table: CrashAndGrab) -> list[str]:
    """CG-R1: return the errors about plans: missing for saucers that are still to move, or present at set-up."""
    phase = table.phase[0]
    if phase == t.PLAN and not rules.actors(table):
        return ["all players have planned, so the phase cannot be plan (CG-R1)"]
    if phase in SETTING_UP:
        return ["no saucer has a plan at set-up (CG-R1)"] if any(plan != t.UNPLANNED for plan in table.plan) else []
    due = [saucer for saucer in range(table.saucers[0]) if not table.acted[saucer] or saucer == table.turn[0]]
    if phase == t.PLAN:  # with two players the first saucers have plans in the second pass
        due = [saucer for saucer in due if table.players[0] == 2 and saucer % 2 < table.asked[0]]
    return [
        f"{w.saucer_name(saucer)} has no plan, but must still move in this round (CG-R1)"
        for saucer in due
        if table.plan[saucer] == t.UNPLANNED
    ]


def wrong_movement(table: CrashAndGrab) -> Iterator[str]:
    """CG-M2: return the errors about movement: a moving saucer is on the board, a saucer to be placed is not."""
    phase = table.phase[0]
    mover = table.mover[0]
    if phase in (t.SITE, t.DIE) and (mover == NOWHERE or table.cell[mover] != NOWHERE):
        yield "in this phase a saucer off the board is placed; say which, as in 'mover red'"
    if phase in (t.SITE, t.DIE) and NOWHERE not in (table.turn[0], mover) and table.turn[0] != mover:
        yield "at the start of a turn only the current saucer can be placed (CG-R5)"
    moves = mover != NOWHERE and table.cell[mover] != NOWHERE and table.motion[0] != t.REST
    if phase in ON_THE_WAY and not moves:
        yield "in this phase a saucer is moving; say which and how, as in 'mover red; motion card'"
    elif table.left[0] and not moves or table.motion[0] != t.REST and phase not in MOVING:
        yield "no saucer is moving, so left must be 0 and motion must be rest"
    elif phase in ON_THE_WAY and not stops(table):
        yield f"{w.saucer_name(mover)} cannot be asked for {w.DECISIONS[phase].about} on its space (CG-M2)"
    elif phase == t.PUSH and not is_before_saucer(table):
        yield "the mover is not about to hit a saucer (CG-U16)"
    if phase in (t.STEP, t.DISTANCE, t.DIRECTION, t.BOOST) and table.cell[table.turn[0]] == NOWHERE:
        yield f"{w.saucer_name(table.turn[0])} is off the board, so it cannot move"


def stops(table: CrashAndGrab) -> bool:
    """CG-M2, CG-M4, CG-U8, CG-U16: return whether the mover can be asked the phase's question on its space."""
    left, leg, cell = table.left[0], table.leg[0], table.cell[table.mover[0]]
    if table.mover[0] != table.turn[0] or table.cell.count(cell) > 1 or cell in table.where:
        return False
    on_site, on_accelerator = 1 <= table.ground[cell] <= t.SITES, table.ground[cell] == t.ACCELERATOR
    if table.phase[0] == t.PUSH:
        return left > 0
    if table.phase[0] == t.WASTE_USE:
        return leg > 0 and on_site
    return left == leg > 0 and (on_accelerator or (on_site and table.spent[t.WASTE] > 0))


def is_before_saucer(table: CrashAndGrab) -> bool:
    """Return whether a saucer is on the next space of the mover."""
    cell = rules.ahead(table, table.cell[table.mover[0]], table.heading[0])
    return cell != NOWHERE and rules.saucer_on(table, cell) != NOWHERE


def wrong_question(table: CrashAndGrab) -> list[str]:
    """Return the error that makes the question impossible for the current player, in a list."""
    phase, seat, crew = table.phase[0], table.asked[0], table.current_crew[0]
    name = w.NAMES[phase]
    if phase in OF_TWO and table.players[0] != 2 or phase in (t.NAMING, t.ROTATION) and table.players[0] == 2:
        return [f"there is no phase {name} with {table.players[0]} players"]
    if phase == t.NAMING and (table.holder[t.STABILIZER] < 0 or table.spin[0]):
        return ["a held Rotational Stabilizer names the direction, and only once (CG-U19)"]
    if phase in (t.SET_UP_DIE, t.REFILL_DIE) and (crew == NOWHERE or table.where[crew] != t.QUEUE):
        return ["in this phase a crewmember from a queue is placed; say which, as in 'found red pilot'"]
    if phase == t.EXCHANGE and (crew == NOWHERE or table.where[crew] < t.ABOARD):
        return ["in this phase a crewmember was just picked up; say which, as in 'found red pilot' (CG-U20)"]
    if phase in NEEDED and not rules.has(table, asked_saucer(table), NEEDED[phase]):
        return [f"the phase {name} needs {w.TITLES[NEEDED[phase]]}, ready to use (CG-H2)"]
    count = table.holder.count(t.DRAWN)
    if count > (2 if phase == t.KEEP else phase == t.DRAW) or (phase == t.KEEP and count == 0):
        return [
            "cards can be drawn only in a purchase: at most one in the phase 'draw', and one or two in the phase 'keep'"
            " (CG-H1)"
        ]
    if phase in (t.REFILL, t.REFILL_DIE) and not table.picked[0]:
        return ["no crewmember was picked up in this turn, so there is nothing to refill (CG-W3)"]
    if phase == t.BUY and table.energy[table.turn[0]] < 2:
        return [f"{w.saucer_name(table.turn[0])} has less than the 2 energy that an upgrade costs (CG-H1)"]
    if phase == t.BUY and not rules.anything_to_buy(table):
        return ["no upgrade is left to buy (CG-H1)"]
    if phase == t.REWARD and rules.first_crashed(table) == NOWHERE:
        return ["no saucer has crashed, so there is no reward (CG-C2)"]
    if phase == t.PENALTY and table.lost[0] < 1:
        return ["none of your saucers has crashed, so there is no penalty (CG-C1)"]
    if phase == t.BOOST and not table.boosters[table.turn[0]]:
        return [f"{w.saucer_name(table.turn[0])} has no booster (CG-M7)"]
    if t.PLAN < phase < t.FIRST_CHANCE and phase != t.PASS and seat != default_asked(table):
        return [f"{SEATS[default_asked(table)]}, not {SEATS[seat]}, is asked for {w.DECISIONS[phase].about}"]
    return []


def asked_saucer(table: CrashAndGrab) -> int:
    """Return the saucer that may use an upgrade: the current saucer, the mover, or the finder of crew."""
    if table.phase[0] == t.EXCHANGE:
        return table.where[table.current_crew[0]] - t.ABOARD
    return table.turn[0] if table.phase[0] == t.STEP else table.mover[0]
