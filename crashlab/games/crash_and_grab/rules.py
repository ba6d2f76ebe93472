"""Crash & Grab's rules: the docstring of a function that implements a rule, or a part of one, begins with its id.

In a round, all players plan (CG-R1), and then each saucer has its turn (CG-R4): it is placed if it is off the board,
may take a step (CG-U1), reveals its plan, moves, boosts, and cleans up (CG-R6). For each choice, `ask` sets the phase
and the player, and `apply` passes the answer to the function that continues the turn. A movement is a loop (`go_on`),
not a recursion: a hit saucer becomes the mover, so the movement can stop for a question at any step.
"""

from __future__ import annotations

from pathlib import Path

from crashlab.engine import rulebook
from crashlab.engine.chance import next_luck
from crashlab.engine.table import CHANCE, HIDDEN, NOWHERE, Ints, Trace, happen, latest, next_beat, note
from crashlab.games.crash_and_grab.state import *

BOOK = rulebook.read(str(Path(__file__).parent))

S5, P1 = BOOK.cite("CG-S5", "CG-P1")
R1, R2, R3, R4, R5, R6, R7, R8, R9 = BOOK.cite(*(f"CG-R{number}" for number in range(1, 10)))
M1, M2, M3, M4, M5, M7 = BOOK.cite("CG-M1", "CG-M2", "CG-M3", "CG-M4", "CG-M5", "CG-M7")
B5, C1, C2 = BOOK.cite("CG-B5", "CG-C1", "CG-C2")
W3, W4, W5, H1 = BOOK.cite("CG-W3", "CG-W4", "CG-W5", "CG-H1")
UPGRADE = BOOK.cite(*(f"CG-U{card + 1}" for card in range(CARDS)))

ROUND, PHASE, ASKED, PROBE, SPIN, TURN = CrashAndGrab.numbers("round", "phase", "asked", "probe", "spin", "turn")
ACTED, CELL, ENERGY, BOOSTERS, PLANNED = CrashAndGrab.numbers("acted", "cell", "energy", "boosters", "plan")
WHERE, MARKED, HOLDER, FRESH, SPENT = CrashAndGrab.numbers("where", "marked", "holder", "fresh", "spent")
PLACED, CHOSEN, PICKED, GAINED = CrashAndGrab.numbers("placed", "distance", "picked", "gained")
LOST, CRASHED, CRASHES, DECLINED = CrashAndGrab.numbers("lost", "crashed", "crashes", "declined")
BOUGHT, CLOAKED, MOTION, MOVER, HEADING = CrashAndGrab.numbers("bought", "cloaked", "motion", "mover", "heading")
LEG_FIELD, LEFT_FIELD, LEAPS, CURRENT_CREW = CrashAndGrab.numbers("leg", "left", "leaps", "current_crew")
GROUND, TURNED = CrashAndGrab.numbers("ground", "turned")

MOST_ACTIONS = 512
TARGETS = 256  # the action that uses an upgrade at the end of a turn is 1 + TARGETS * card + target
ROUND_THE_BOARD = 12  # number of accelerators in a turn off which the direction is free (CG-M5)
LETTERS = TARGETS
# Upgrades that work at the end of a turn, as bits: after a crash, with a sure target, when cloaked, and all of them.
WHILE_CRASHED = 1 << DISTRESS | 1 << QUAKE
ALWAYS = 1 << CLOAK | 1 << LANDING_LEGS | 1 << QUAKE  # these always have a target
WHILE_CLOAKED = WHILE_CRASHED | 1 << TELEPORTER | 1 << TRIANGULATOR
AT_END = (
    WHILE_CLOAKED
    | 1 << WORMHOLE
    | 1 << AFTERBURNER
    | 1 << PULSE_CANNON
    | 1 << TRACTOR_BEAM
    | 1 << CLOAK
    | 1 << LANDING_LEGS
)
OF_OTHERS = tuple(~(15 << TYPES * colour) for colour in range(6))  # by colour: the crew of all other colours, as bits
WAIT = -9  # returned instead of an event: a movement waits for an answer, or has ended the game


# Seats to decide, and legal actions


def actors(table: CrashAndGrab) -> int:
    """CG-R1, CG-R4: the players who decide now, as bits; CHANCE for dice and cards; 0 when the game is over."""
    if table.phase[0] == OVER:
        return 0
    if table.phase[0] >= FIRST_CHANCE:
        return CHANCE
    if table.phase[0] != PLAN:
        return 1 << table.asked[0]
    bits = 0
    for player in range(table.players[0]):
        if table.plan[planned_saucer(table, player)] == UNPLANNED:
            bits |= 1 << player
    return bits


def planned_saucer(table: CrashAndGrab, player: int) -> int:
    """CG-R1: the saucer for which a player plans in this pass; with two players each plans for two."""
    return 2 * player + table.asked[0] if table.players[0] == 2 else player


def legal(table: CrashAndGrab, seat: int, out: Ints) -> int:
    """List the legal actions and return their count."""
    phase = table.phase[0]
    if COUNTED[phase] > 0:
        for number in range(COUNTED[phase]):
            out[number] = number
        return COUNTED[phase]
    if phase == END:
        return end_actions(table, out)
    if phase == PENALTY:
        return penalties(table, out)
    if phase == REWARD:
        return rewards(table, out)
    if phase == BOOST:
        return boosts(table, out)
    if phase == DISTANCE or phase == LEG:
        return distances(table, out)
    if phase == PASS or phase == EXCHANGE:
        return crew_choices(table, out)
    if phase == SITE or phase == STEP or phase == REFILL:
        return spots(table, out)
    if phase == DRAW or phase == KEEP:
        return cards_at(table, DECK if phase == DRAW else DRAWN, out)
    out[0], out[1] = 2 * table.asked[0], 2 * table.asked[0] + 1
    return 2


def only_action(table: CrashAndGrab, seat: int, out: Ints) -> int:
    """CG-M8: the only action, or NOWHERE if there is a choice."""
    if COUNTED[table.phase[0]] > 1:
        return NOWHERE
    return out[0] if legal(table, seat, out) == 1 else NOWHERE


def odds(table: CrashAndGrab, out: Ints) -> int:
    """CG-P1, CG-R2: dice are fair and the deck is shuffled, so each outcome has weight 1."""
    count = cards_at(table, DECK, out) if table.phase[0] == DRAW else COUNTED[table.phase[0]]
    for place in range(count):
        out[place] = 1
    return count


def spots(table: CrashAndGrab, out: Ints) -> int:
    """CG-U13, CG-U1, CG-W3: list the answers to the question of a site, a step, or a refill; return their count.

    Sites are 0 and the free sites; steps are 0, and 1 + each direction to an empty space; refills are the colours with
    a queue.
    """
    count = 0
    phase = table.phase[0]
    if phase == REFILL:
        for colour in range(6):
            if next_in_line(table, colour) != NOWHERE:
                out[count] = colour
                count += 1
        return count
    out[0], count = 0, 1
    for number in range(1, 1 + (SITES if phase == SITE else 4)):
        cell = site(table, number) if phase == SITE else ahead(table, table.cell[table.turn[0]], number - 1)
        if cell != NOWHERE and (is_empty(table, cell) if phase == STEP else is_free(table, cell)):
            out[count] = number
            count += 1
    return count


def cards_at(table: CrashAndGrab, place: int, out: Ints) -> int:
    """List the upgrades with this holder and return their count."""
    count = 0
    for card in range(CARDS):
        if table.holder[card] == place:
            out[count] = card
            count += 1
    return count


def distances(table: CrashAndGrab, out: Ints) -> int:
    """CG-M1, CG-U9: list the distances of the card. CG-U21: list the distances off an accelerator."""
    saucer = table.turn[0]
    count = 0
    doubles = has(table, saucer, HYPERDRIVE)
    if table.phase[0] == LEG:
        for number in range(1, 9):
            if number <= 4 or number == table.leg[0] or (doubles and number % 2 == 0):
                out[count] = number
                count += 1
        if table.leg[0] > 8:
            out[count] = table.leg[0]
            count += 1
        return count
    card = table.plan[saucer] // 4
    least, most = (0, 5) if card == ANY else (card + 2, card + 2)
    for number in range(least, most + 1):
        out[count] = number
        count += 1
    for number in range(least, most + 1):
        if doubles and 2 * number > most:
            out[count] = 2 * number
            count += 1
    return count


def boosts(table: CrashAndGrab, out: Ints) -> int:
    """CG-M7, CG-U22: list 0 for no boost, and 1 + 4 * distance + direction for each boost."""
    saucer = table.turn[0]
    count = 1
    out[0] = 0
    doubles, amplifies = has(table, saucer, HYPERDRIVE), has(table, saucer, AMPLIFIER)
    for number in range(1, 13):
        any_will_do = amplifies and (number <= 6 or (doubles and number % 2 == 0))
        if number == table.distance[0] or any_will_do:
            for direction in range(4):
                out[count] = 1 + 4 * number + direction
                count += 1
    return count


def crew_choices(table: CrashAndGrab, out: Ints) -> int:
    """CG-W4, CG-U20: list 0 for no, and 1 + each crewmember that can be passed, or taken from the board in exchange."""
    out[0], count = 0, 1
    for crew in range(CREW):
        if table.phase[0] == PASS:
            fits = table.marked[crew] == 1 and owner(table, table.where[crew] - ABOARD) == table.asked[0]
        else:
            fits = 0 <= table.where[crew] < ABOARD
        if fits:
            out[count] = 1 + crew
            count += 1
    return count


def penalties(table: CrashAndGrab, out: Ints) -> int:
    """CG-C1: list CREW * receiver + crewmember, for all gifts to the opponents with the fewest stationed."""
    payer = table.turn[0]
    candidates = off_coloured(table, payer)
    fewest = 99
    count = 0
    for saucer in range(table.saucers[0]):
        if owner(table, saucer) != owner(table, payer):
            fewest = min(fewest, stationed(table, owner(table, saucer)))
    for saucer in range(table.saucers[0]):
        if owner(table, saucer) != owner(table, payer) and stationed(table, owner(table, saucer)) == fewest:
            for crew in range(CREW):
                if candidates >> crew & 1:
                    out[count] = CREW * saucer + crew
                    count += 1
    return count


def rewards(table: CrashAndGrab, out: Ints) -> int:
    """CG-C2: list 0 for energy; if the crashed player has enough stationed, also 1 + each crewmember to steal."""
    crashed, thief = first_crashed(table), table.turn[0]
    out[0], count = 0, 1
    if stationed(table, owner(table, crashed)) >= stationed(table, owner(table, thief)):
        stolen = off_coloured(table, crashed)
        for crew in range(CREW):
            if stolen >> crew & 1:
                out[count] = 1 + crew
                count += 1
    return count


def score(table: CrashAndGrab, seat: int) -> int:
    """CG-W2: the number of types that a player has aboard."""
    return stationed(table, seat)


def spell(table: CrashAndGrab, seat: int, action: int, out: Ints) -> int:
    """CG-H2: write the letters of an action: itself, or 1 + card and target for an upgrade; return their count."""
    if table.phase[0] != END or action == 0:
        out[0] = action
        return 1
    out[0], out[1] = 1 + (action - 1) // TARGETS, (action - 1) % TARGETS
    return 2


def observe(view: CrashAndGrab, seat: int) -> None:
    """CG-R1, CG-R2: hide the plans of the other seats that are not revealed."""
    for saucer in range(view.saucers[0]):
        if view.plan[saucer] != UNPLANNED and owner(view, saucer) != seat and not is_revealed(view, saucer):
            happen(view.plan, PLANNED, saucer, HIDDEN, R1, NOWHERE, None)


def determinize(view: CrashAndGrab, luck: Ints, out: Ints) -> None:
    """CG-R1: replace each hidden plan by a random one."""
    for saucer in range(view.saucers[0]):
        if view.plan[saucer] == HIDDEN:
            happen(view.plan, PLANNED, saucer, next_luck(luck) * (4 * (ANY + 1)) >> 31, R1, NOWHERE, None)


def is_revealed(table: CrashAndGrab, saucer: int) -> bool:
    """CG-R4: return whether the card is turned up: after placing and the first step."""
    before = table.phase[0] < DISTANCE or table.phase[0] == DIE or table.motion[0] == STEPPING
    return saucer == table.turn[0] and not before


def winners(table: CrashAndGrab) -> int:
    """CG-W5: the winners as bits: the player who is complete, or else (CG-R9) those with the most stationed."""
    bits, most = 0, 0
    for player in range(table.players[0]):
        if complete(table, player):
            return 1 << player
        most = max(most, stationed(table, player))
    for player in range(table.players[0]):
        if stationed(table, player) == most:
            bits |= 1 << player
    return bits


# Facts of the table


def ahead(table: CrashAndGrab, cell: int, direction: int) -> int:
    """Return the next space in this direction, or NOWHERE off the board (CG-B5)."""
    return AHEAD[4 * (CELLS * (table.size[0] - 8) + cell) + direction]


def saucer_on(table: CrashAndGrab, cell: int) -> int:
    """Return the saucer on this space other than the mover, or NOWHERE."""
    if table.saucers_at[cell] == 0:
        return NOWHERE
    for saucer in range(table.saucers[0]):
        if table.cell[saucer] == cell and saucer != table.mover[0]:
            return saucer
    return NOWHERE


def is_empty(table: CrashAndGrab, cell: int) -> bool:
    """CG-H2: return whether a space is free and not an accelerator."""
    return table.saucers_at[cell] == 0 and table.crew_at[cell] == 0 and table.ground[cell] != ACCELERATOR


def has(table: CrashAndGrab, saucer: int, card: int) -> bool:
    """CG-H2: return whether a saucer can use this upgrade: not in the turn of its purchase, nor twice in a turn."""
    return table.holder[card] == saucer and table.fresh[card] == 0 and table.spent[card] == 0


def aboard(table: CrashAndGrab, saucer: int) -> int:
    """CG-W2: the number of types that a saucer has aboard."""
    crew = table.crew_at[ABOARD + saucer]
    types = crew | crew >> 4 | crew >> 8 | crew >> 12 | crew >> 16 | crew >> 20  # types, whatever their colours
    return (types & 1) + (types >> 1 & 1) + (types >> 2 & 1) + (types >> 3 & 1)


def off_coloured(table: CrashAndGrab, saucer: int) -> int:
    """CG-W1: the crew of other colours aboard a saucer, as bits."""
    return table.crew_at[ABOARD + saucer] & OF_OTHERS[saucer]


def stationed(table: CrashAndGrab, player: int) -> int:
    """CG-W2: the number of types that a player has aboard; with two players, the sum of both saucers."""
    if table.players[0] == 2:
        return aboard(table, 2 * player) + aboard(table, 2 * player + 1)
    return aboard(table, player)


def complete(table: CrashAndGrab, player: int) -> bool:
    """CG-W5: return whether a player has won: with all four types aboard, in a game of two on both saucers."""
    return stationed(table, player) == (8 if table.players[0] == 2 else TYPES)


def next_in_line(table: CrashAndGrab, colour: int) -> int:
    """CG-S3: the crewmember at the front of the queue of this colour, or NOWHERE."""
    for place in range(TYPES):
        crew = TYPES * colour + LINE[TYPES * table.crew_order[0] + place]
        if table.where[crew] == QUEUE:
            return crew
    return NOWHERE


def first_crashed(table: CrashAndGrab) -> int:
    """CG-C2: the earliest crashed saucer with a reward due, or NOWHERE."""
    first = NOWHERE
    for saucer in range(table.saucers[0]):
        if table.crashed[saucer] and (first == NOWHERE or table.crashed[saucer] < table.crashed[first]):
            first = saucer
    return first


# Answers


def apply(table: CrashAndGrab, seat: int, action: int, trace: Trace | None) -> None:
    """Apply the answer to the question of this phase."""
    phase = table.phase[0]
    if phase == PLAN:
        plan(table, seat, action, trace)
    elif phase == PILOT_CHOICE:
        choice = happen(table.current_crew, CURRENT_CREW, 0, TYPES * action + PILOT, S5, NOWHERE, trace)
        ask(table, SET_UP_DIE, NOWHERE, S5, choice, trace)
    elif phase == BOOSTER_CHOICE:
        choice = happen(table.boosters, BOOSTERS, action, 1, S5, NOWHERE, trace)
        happen(table.current_crew, CURRENT_CREW, 0, TYPES * (action ^ 1) + PILOT, S5, choice, trace)
        ask(table, SET_UP_DIE, NOWHERE, S5, choice, trace)
    elif phase == FIRST:
        begin_turn(table, action, NOWHERE, trace)
    elif phase == NAMING:
        name_direction(table, action, trace)
    elif phase == SITE:
        choose_site(table, action, trace)
    elif phase == STEP:
        step_first(table, action, trace)
    elif phase == DISTANCE:
        choose_distance(table, action, trace)
    elif phase == DIRECTION:
        set_out(table, action, NOWHERE, trace)
    elif phase == PUSH:
        push_or_mine(table, action, trace)
    elif phase == WASTE_USE:
        use_waste(table, action, trace)
    elif phase == LEG:
        leave_accelerator(table, action, trace)
    elif phase == TURN_OFF:
        turn_off(table, action, trace)
    elif phase == EXCHANGE:
        exchange(table, action, trace)
    elif phase == PASS:
        pass_on(table, action, trace)
    elif phase == BOOST:
        boost(table, action, trace)
    elif phase == PENALTY:
        pay_penalty(table, action // CREW, action % CREW, trace)
    elif phase == REWARD:
        take_reward(table, action, trace)
    elif phase == REFILL:
        choice = happen(table.current_crew, CURRENT_CREW, 0, next_in_line(table, action), W3, NOWHERE, trace)
        ask(table, REFILL_DIE, NOWHERE, W3, choice, trace)
    elif phase == END:
        use_upgrade(table, action, trace)
    elif phase == BUY:
        buy(table, action, trace)
    elif phase == KEEP:
        keep(table, action, trace)
    elif phase == ROTATION:
        turn_round(table, 1 - 2 * action, trace)
    elif phase == DRAW:
        draw_card(table, action, trace)
    else:
        rolled = note(P1, NOWHERE, action + 1, 0, 0, 0, trace)
        cell = next_free_site(table, action + 1)
        if phase == DIE:
            place_saucer(table, cell, rolled, trace)
        else:
            place_crew(table, cell, rolled, trace)


def ask(table: CrashAndGrab, phase: int, player: int, rule: int, cause: int, trace: Trace | None) -> None:
    """Stop the rules and ask this question."""
    next_beat(trace)
    if player != NOWHERE:
        cause = happen(table.asked, ASKED, 0, player, rule, cause, trace)
    happen(table.phase, PHASE, 0, phase, rule, cause, trace)


# Set-up and rounds


def place_crew(table: CrashAndGrab, cell: int, cause: int, trace: Trace | None) -> None:
    """CG-S5, CG-W3: put the crewmember `current_crew` on the rolled site."""
    placed = happen(table.where, WHERE, table.current_crew[0], cell, P1, cause, trace)
    happen(table.current_crew, CURRENT_CREW, 0, NOWHERE, P1, placed, trace)
    if table.phase[0] == REFILL_DIE:
        happen(table.picked, PICKED, 0, table.picked[0] - 1, W3, placed, trace)
        clean_up(table, placed, trace)
    elif table.boosters[0] + table.boosters[1] + table.boosters[2] + table.boosters[3] == 0:
        ask(table, BOOSTER_CHOICE, 1 - table.probe[0], S5, placed, trace)
    else:
        begin_round(table, placed, trace)


def begin_round(table: CrashAndGrab, cause: int, trace: Trace | None) -> None:
    """CG-R1: all players plan."""
    next_beat(trace)
    happen(table.phase, PHASE, 0, PLAN, R1, cause, trace)
    happen(table.asked, ASKED, 0, 0, R1, cause, trace)


def plan(table: CrashAndGrab, seat: int, action: int, trace: Trace | None) -> None:
    """CG-R1: plan for a saucer. After the last plan (with two players, in the second pass) the turns begin."""
    start = happen(table.plan, PLANNED, planned_saucer(table, seat), action, R1, NOWHERE, trace)
    if somebody_plans(table):
        return
    next_beat(trace)
    if table.players[0] == 2 and table.asked[0] == 0:
        happen(table.asked, ASKED, 0, 1, R1, start, trace)
    elif table.players[0] == 2 or table.holder[STABILIZER] >= 0:
        next_turn(table, start, trace)  # CG-U19: the direction is named after the probe player's turn
    else:
        ask(table, ROTATION, NOWHERE, R2, start, trace)


def somebody_plans(table: CrashAndGrab) -> bool:
    """Return whether a plan of this pass is missing; check the last player first, as they mostly plan in order."""
    for player in range(table.players[0] - 1, -1, -1):
        if table.plan[planned_saucer(table, player)] == UNPLANNED:
            return True
    return False


def turn_round(table: CrashAndGrab, spin: int, trace: Trace | None) -> None:
    """CG-R2: set the direction of the turns."""
    turned = happen(table.spin, SPIN, 0, spin, R2, NOWHERE, trace)
    next_turn(table, turned, trace)


def name_direction(table: CrashAndGrab, action: int, trace: Trace | None) -> None:
    """CG-U19: set the named direction (0 clockwise, 1 counter-clockwise), or ask for the die (2)."""
    if action == 2:
        ask(table, ROTATION, NOWHERE, UPGRADE[STABILIZER], NOWHERE, trace)
    else:
        turn_round(table, 1 - 2 * action, trace)


def next_turn(table: CrashAndGrab, cause: int, trace: Trace | None) -> None:
    """CG-R2: begin the next turn; the probe player is the first."""
    done = last_acted(table)
    if done == table.saucers[0]:
        end_round(table, cause, trace)
    elif table.players[0] == 2:
        player = table.probe[0] ^ (done & 1)
        if done < 2:
            ask(table, FIRST, player, R2, cause, trace)
        else:
            begin_turn(table, 2 * player + (table.acted[2 * player] != 0), cause, trace)
    elif done == 1 and table.spin[0] == 0:
        ask(table, NAMING, owner(table, table.holder[STABILIZER]), UPGRADE[STABILIZER], cause, trace)
    else:
        begin_turn(table, (table.probe[0] + table.spin[0] * done) % table.players[0], cause, trace)


def end_round(table: CrashAndGrab, cause: int, trace: Trace | None) -> None:
    """CG-R7, CG-R8: place crashed saucers, the probe player's first; then move the probe and begin the next round."""
    first = 2 * table.probe[0] if table.players[0] == 2 else table.probe[0]
    for place in range(table.saucers[0]):
        saucer = (first + place) % table.saucers[0]
        if table.cell[saucer] == NOWHERE:
            ask_for_site(table, saucer, R7, cause, trace)
            return
    next_beat(trace)
    happen(table.probe, PROBE, 0, next_probe(table), R8, cause, trace)
    for saucer in range(table.saucers[0]):
        happen(table.acted, ACTED, saucer, 0, R8, cause, trace)
    happen(table.spin, SPIN, 0, 0, R8, cause, trace)
    if table.round[0] == table.round_limit[0]:
        end_game(table, R9, cause, trace)
        return
    start = happen(table.round, ROUND, 0, table.round[0] + 1, R8, cause, trace)
    begin_round(table, start, trace)


def next_probe(table: CrashAndGrab) -> int:
    """CG-R8: the player with the fewest stationed; if several have the fewest, the one whose turn was last."""
    best, fewest, last = 0, 99, 0
    for player in range(table.players[0]):
        have, acted = stationed(table, player), last_turn(table, player)
        if have < fewest or (have == fewest and acted > last):
            best, fewest, last = player, have, acted
    return best


def last_turn(table: CrashAndGrab, player: int) -> int:
    """Return the position of a player's last turn in this round's order, from 1."""
    if table.players[0] == 2:
        return max(table.acted[2 * player], table.acted[2 * player + 1])
    return table.acted[player]


def end_game(table: CrashAndGrab, rule: int, cause: int, trace: Trace | None) -> None:
    """CG-W5, CG-R9: the game is over; note the winners as bits."""
    next_beat(trace)
    end = note(rule, cause, winners(table), table.round[0], 0, 0, trace)
    happen(table.left, LEFT_FIELD, 0, 0, rule, end, trace)
    happen(table.phase, PHASE, 0, OVER, rule, end, trace)


# The start of a turn


def begin_turn(table: CrashAndGrab, saucer: int, cause: int, trace: Trace | None) -> None:
    """CG-R4, CG-R5: a saucer off the board is placed first, and has a free direction."""
    done = last_acted(table)
    next_beat(trace)
    start = happen(table.turn, TURN, 0, saucer, R4, cause, trace)
    happen(table.acted, ACTED, saucer, done + 1, R4, start, trace)
    if table.cell[saucer] == NOWHERE:
        happen(table.placed, PLACED, 0, 1, R5, start, trace)
        ask_for_site(table, saucer, R5, start, trace)
    else:
        first_step(table, start, trace)


def ask_for_site(table: CrashAndGrab, saucer: int, rule: int, cause: int, trace: Trace | None) -> None:
    """CG-P1, CG-U13: ask for the placement die, or for a choice of the site."""
    cause = happen(table.mover, MOVER, 0, saucer, rule, cause, trace)
    if has(table, saucer, GATEWAY):
        ask(table, SITE, owner(table, saucer), UPGRADE[GATEWAY], cause, trace)
    else:
        ask(table, DIE, NOWHERE, rule, cause, trace)


def choose_site(table: CrashAndGrab, action: int, trace: Trace | None) -> None:
    """CG-U13: place the saucer on a free site, or ask for the die after all (0)."""
    if action == 0:
        ask(table, DIE, NOWHERE, UPGRADE[GATEWAY], NOWHERE, trace)
    else:
        place_saucer(table, site(table, action), NOWHERE, trace)


def place_saucer(table: CrashAndGrab, cell: int, cause: int, trace: Trace | None) -> None:
    """CG-R5, CG-R7: put a saucer back on the board. CG-U10: it gains a booster and an energy."""
    saucer = table.mover[0]
    next_beat(trace)
    back = happen(table.cell, CELL, saucer, cell, P1, cause, trace)
    happen(table.mover, MOVER, 0, NOWHERE, P1, back, trace)
    if has(table, saucer, SCAVENGER):
        happen(table.boosters, BOOSTERS, saucer, table.boosters[saucer] + 1, UPGRADE[SCAVENGER], back, trace)
        happen(table.energy, ENERGY, saucer, table.energy[saucer] + 1, UPGRADE[SCAVENGER], back, trace)
    if table.turn[0] == NOWHERE:
        end_round(table, back, trace)
    else:
        first_step(table, back, trace)


def first_step(table: CrashAndGrab, cause: int, trace: Trace | None) -> None:
    """CG-U1: ask for a step before the reveal, if the saucer has the thrusters and there is room."""
    saucer = table.turn[0]
    if has(table, saucer, BLAST_OFF):
        for direction in range(4):
            cell = ahead(table, table.cell[saucer], direction)
            if cell != NOWHERE and is_empty(table, cell):
                ask(table, STEP, owner(table, saucer), UPGRADE[BLAST_OFF], cause, trace)
                return
    reveal(table, cause, trace)


def step_first(table: CrashAndGrab, action: int, trace: Trace | None) -> None:
    """CG-U1: take the step, or none (0); partners that become adjacent may pass crew (CG-W4)."""
    saucer = table.turn[0]
    start = happen(table.motion, MOTION, 0, STEPPING, UPGRADE[BLAST_OFF], NOWHERE, trace)
    if action != 0:
        next_beat(trace)
        cell = ahead(table, table.cell[saucer], action - 1)
        moved = happen(table.cell, CELL, saucer, cell, UPGRADE[BLAST_OFF], start, trace)
        happen(table.spent, SPENT, BLAST_OFF, 1, UPGRADE[BLAST_OFF], start, trace)
        mark(table, saucer, moved, trace)
    come_to_rest(table, start, trace)


def reveal(table: CrashAndGrab, cause: int, trace: Trace | None) -> None:
    """CG-R4, CG-M1: reveal the card and ask for its distance."""
    saucer = table.turn[0]
    next_beat(trace)
    shown = table.plan[saucer]
    removal = happen(table.plan, PLANNED, saucer, UNPLANNED, R4, cause, trace)
    revealed = happen(table.plan, PLANNED, saucer, shown, R4, removal, trace)
    ask(table, DISTANCE, owner(table, saucer), R4, revealed, trace)


def choose_distance(table: CrashAndGrab, distance: int, trace: Trace | None) -> None:
    """CG-M1, CG-U9: set the distance; then ask for the direction if it is free."""
    saucer = table.turn[0]
    farthest = 5 if table.plan[saucer] // 4 == ANY else table.plan[saucer] // 4 + 2
    rule = M1 if distance <= farthest else UPGRADE[HYPERDRIVE]
    choice = happen(table.distance, CHOSEN, 0, distance, rule, NOWHERE, trace)
    if distance == 0:
        set_out(table, table.plan[saucer] % 4, choice, trace)
    elif table.placed[0]:
        ask(table, DIRECTION, owner(table, saucer), R5, choice, trace)
    elif table.players[0] >= 5 and table.acted[saucer] >= 5:
        ask(table, DIRECTION, owner(table, saucer), R3, choice, trace)
    elif has(table, saucer, TIME_MACHINE):
        ask(table, DIRECTION, owner(table, saucer), UPGRADE[TIME_MACHINE], choice, trace)
    else:
        set_out(table, table.plan[saucer] % 4, choice, trace)


def set_out(table: CrashAndGrab, direction: int, cause: int, trace: Trace | None) -> None:
    """CG-M1: begin the movement of the card."""
    set_moving(table, CARD, table.turn[0], direction, table.distance[0], M1, cause, trace)


def take_bonus(table: CrashAndGrab, cause: int, trace: Trace | None) -> None:
    """CG-S2, CG-R4: take the bonus of the card before the movement."""
    saucer = table.turn[0]
    card = table.plan[table.turn[0]] // 4
    if card == TWO:
        happen(table.boosters, BOOSTERS, saucer, table.boosters[saucer] + 1, M1, cause, trace)
    if card == THREE:
        happen(table.energy, ENERGY, saucer, table.energy[saucer] + 1, M1, cause, trace)
    next_beat(trace)


# Movement


def set_moving(
    table: CrashAndGrab, kind: int, mover: int, heading: int, distance: int, rule: int, cause: int, trace: Trace | None
) -> None:
    """Begin a movement of this kind."""
    next_beat(trace)
    start = happen(table.motion, MOTION, 0, kind, rule, cause, trace)
    if kind == CARD:
        take_bonus(table, start, trace)
    take_over(table, mover, heading, distance, rule, start, trace)
    go_on(table, start, trace)


def take_over(
    table: CrashAndGrab, saucer: int, direction: int, distance: int, rule: int, cause: int, trace: Trace | None
) -> None:
    """Make this saucer the mover, with `distance` spaces in this direction."""
    happen(table.mover, MOVER, 0, saucer, rule, cause, trace)
    happen(table.heading, HEADING, 0, direction, rule, cause, trace)
    happen(table.leg, LEG_FIELD, 0, distance, rule, cause, trace)
    happen(table.left, LEFT_FIELD, 0, distance, rule, cause, trace)


def go_on(table: CrashAndGrab, cause: int, trace: Trace | None) -> None:
    """CG-M2: enter one space after another, until there is a question, the game is won, or the movement ends."""
    while table.left[0] > 0:
        cause = enter(table, cause, trace)
        if cause == WAIT:
            return
    come_to_rest(table, cause, trace)


def enter(table: CrashAndGrab, cause: int, trace: Trace | None) -> int:
    """CG-M2: move one space. Return the cause of the next step, or WAIT if a player must decide or the game is over."""
    saucer = table.mover[0]
    cell = ahead(table, table.cell[saucer], table.heading[0])
    next_beat(trace)
    if cell == NOWHERE:
        removal = crash(table, saucer, B5, cause, trace)
        happen(table.left, LEFT_FIELD, 0, 0, B5, removal, trace)
        return removal
    hit = saucer_on(table, cell)
    if hit != NOWHERE:
        return collide(table, saucer, hit, cell, cause, trace)
    moved = happen(table.cell, CELL, saucer, cell, M2, cause, trace)
    happen(table.left, LEFT_FIELD, 0, table.left[0] - 1, M2, moved, trace)
    mark(table, saucer, moved, trace)
    if table.ground[cell] == ACCELERATOR:
        return accelerate(table, moved, trace)
    cause = moved if cause == NOWHERE else cause  # the decision to go straight on has no event
    if table.ground[cell] == PLAIN:
        return cause  # crew is on crash sites only (CG-P1)
    crew = crew_on(table, cell)
    if crew != NOWHERE:
        return WAIT if pick_up(table, saucer, crew, moved, trace) else cause
    if moves_itself(table) and has(table, saucer, WASTE):
        ask(table, WASTE_USE, owner(table, saucer), UPGRADE[WASTE], moved, trace)
        return WAIT
    return cause


def moves_itself(table: CrashAndGrab) -> bool:
    """CG-M4: return whether the mover is the current saucer and was not pushed."""
    return table.mover[0] == table.turn[0] and table.motion[0] != PULSE


def collide(table: CrashAndGrab, saucer: int, hit: int, cell: int, cause: int, trace: Trace | None) -> int:
    """CG-M3, CG-U16: push the hit saucer, or ask whether to mine it. Return the cause of its move, or WAIT."""
    if moves_itself(table) and has(table, saucer, MINES):
        ask(table, PUSH, owner(table, saucer), UPGRADE[MINES], cause, trace)
        return WAIT
    return push(table, saucer, hit, cell, cause, trace)


def push(table: CrashAndGrab, saucer: int, hit: int, cell: int, cause: int, trace: Trace | None) -> int:
    """CG-M3: the mover takes the space and stops; the hit saucer moves the whole leg. Return the cause of its move."""
    bump = note(M3, cause, saucer, hit, table.heading[0], table.leg[0], trace)
    if moves_itself(table):
        siphon(table, bump, trace)
    moved = happen(table.cell, CELL, saucer, cell, M3, bump, trace)
    next_beat(trace)
    take_over(table, hit, table.heading[0], table.leg[0], M3, bump, trace)
    mark(table, saucer, moved, trace)
    return bump


def siphon(table: CrashAndGrab, cause: int, trace: Trace | None) -> None:
    """CG-U14: gain a booster for a push, once in a turn."""
    saucer = table.turn[0]
    if has(table, saucer, SIPHON):
        happen(table.boosters, BOOSTERS, saucer, table.boosters[saucer] + 1, UPGRADE[SIPHON], cause, trace)
        happen(table.spent, SPENT, SIPHON, 1, UPGRADE[SIPHON], cause, trace)


def push_or_mine(table: CrashAndGrab, action: int, trace: Trace | None) -> None:
    """CG-U16: push as usual (0), or crash the hit saucer (1) and stop on its space."""
    saucer = table.mover[0]
    cell = ahead(table, table.cell[saucer], table.heading[0])
    hit = saucer_on(table, cell)
    next_beat(trace)
    if action == 0:
        go_on(table, push(table, saucer, hit, cell, NOWHERE, trace), trace)
    else:
        boom = note(UPGRADE[MINES], NOWHERE, saucer, hit, 0, 0, trace)
        crash(table, hit, UPGRADE[MINES], boom, trace)
        moved = happen(table.cell, CELL, saucer, cell, UPGRADE[MINES], boom, trace)
        happen(table.left, LEFT_FIELD, 0, 0, UPGRADE[MINES], boom, trace)
        mark(table, saucer, moved, trace)
        come_to_rest(table, boom, trace)


def accelerate(table: CrashAndGrab, cause: int, trace: Trace | None) -> int:
    """CG-M4: repeat the leg; a saucer that moves itself chooses a direction. CG-M5: up to twelve times a turn."""
    again = note(M4, cause, table.mover[0], table.leg[0], 0, 0, trace)
    happen(table.left, LEFT_FIELD, 0, table.leg[0], M4, again, trace)
    if not moves_itself(table):
        return again
    happen(table.leaps, LEAPS, 0, table.leaps[0] + 1, M5, again, trace)
    if has(table, table.mover[0], REGULATOR):
        ask(table, LEG, owner(table, table.mover[0]), UPGRADE[REGULATOR], again, trace)
        return WAIT
    return choose_turn(table, again, trace)


def choose_turn(table: CrashAndGrab, cause: int, trace: Trace | None) -> int:
    """CG-M4, CG-M5: ask for the direction off an accelerator; after the twelfth one, the direction stays the same."""
    if table.leaps[0] > ROUND_THE_BOARD:
        return cause
    ask(table, TURN_OFF, owner(table, table.mover[0]), M4, cause, trace)
    return WAIT


def leave_accelerator(table: CrashAndGrab, distance: int, trace: Trace | None) -> None:
    """CG-U21: set the distance off the accelerator, then ask for the direction."""
    rule = UPGRADE[REGULATOR]
    choice = happen(table.leg, LEG_FIELD, 0, distance, rule, NOWHERE, trace)
    happen(table.left, LEFT_FIELD, 0, distance, rule, choice, trace)
    if choose_turn(table, choice, trace) != WAIT:
        go_on(table, choice, trace)


def turn_off(table: CrashAndGrab, direction: int, trace: Trace | None) -> None:
    """CG-M4: leave the accelerator in this direction."""
    turned = happen(table.heading, HEADING, 0, direction, M4, NOWHERE, trace)
    go_on(table, turned, trace)


def use_waste(table: CrashAndGrab, action: int, trace: Trace | None) -> None:
    """CG-U8: use the crash site as an accelerator (1), or not (0)."""
    cause = NOWHERE
    if action == 1:
        used = happen(table.spent, SPENT, WASTE, 1, UPGRADE[WASTE], NOWHERE, trace)
        cause = accelerate(table, used, trace)
    if cause != WAIT:
        go_on(table, cause, trace)


def come_to_rest(table: CrashAndGrab, cause: int, trace: Trace | None) -> None:
    """CG-W4: end a movement with all its pushes; partners that met may pass crew."""
    rest = happen(table.mover, MOVER, 0, NOWHERE, M2, cause, trace)
    if not ask_to_pass(table, rest, trace):
        after_motion(table, rest, trace)


def after_motion(table: CrashAndGrab, cause: int, trace: Trace | None) -> None:
    """CG-M6, CG-R6: after a first step, reveal; after the card or a boost, offer a boost if possible; else clean up."""
    motion = table.motion[0]
    saucer = table.turn[0]
    over = happen(table.motion, MOTION, 0, REST, R4, cause, trace)
    if motion == STEPPING:
        reveal(table, over, trace)
        return
    may_boost = motion == CARD or motion == BOOSTING
    if may_boost and table.cell[saucer] != NOWHERE and table.boosters[saucer] > 0:
        if table.distance[0] > 0 or has(table, saucer, AMPLIFIER):
            ask(table, BOOST, owner(table, saucer), M7, over, trace)
            return
    clean_up(table, over, trace)


def boost(table: CrashAndGrab, action: int, trace: Trace | None) -> None:
    """CG-M7, CG-U22: spend a booster and move; 0 ends boosting."""
    if action == 0:
        clean_up(table, NOWHERE, trace)
        return
    saucer = table.turn[0]
    distance = (action - 1) // 4
    rule = M7 if distance == table.distance[0] else UPGRADE[AMPLIFIER]
    next_beat(trace)
    paid = happen(table.boosters, BOOSTERS, saucer, table.boosters[saucer] - 1, M7, NOWHERE, trace)
    set_moving(table, BOOSTING, saucer, (action - 1) % 4, distance, rule, paid, trace)


# Crew


def pick_up(table: CrashAndGrab, saucer: int, crew: int, cause: int, trace: Trace | None) -> bool:
    """CG-M2: a crewmember comes aboard; return whether the game is over or an exchange is asked for (CG-U20)."""
    happen(table.picked, PICKED, 0, table.picked[0] + 1, W3, cause, trace)
    if gain(table, saucer, crew, M2, cause, trace):
        return True
    mark(table, saucer, latest(WHERE, crew, trace), trace)
    if has(table, saucer, AIRLOCK) and crew_outside(table):
        rescue = happen(table.current_crew, CURRENT_CREW, 0, crew, UPGRADE[AIRLOCK], cause, trace)
        ask(table, EXCHANGE, owner(table, saucer), UPGRADE[AIRLOCK], rescue, trace)
        return True
    return False


def gain(table: CrashAndGrab, saucer: int, crew: int, rule: int, cause: int, trace: Trace | None) -> bool:
    """CG-W5: a crewmember comes aboard; return whether that wins the game."""
    come = happen(table.where, WHERE, crew, ABOARD + saucer, rule, cause, trace)
    happen(table.marked, MARKED, crew, 0, W4, come, trace)
    if saucer == table.turn[0]:
        happen(table.gained, GAINED, 0, 1, rule, come, trace)
    if complete(table, owner(table, saucer)):
        end_game(table, W5, come, trace)
        return True
    return False


def crew_outside(table: CrashAndGrab) -> bool:
    """Return whether a crewmember is on the board."""
    for crew in range(CREW):
        if 0 <= table.where[crew] < ABOARD:
            return True
    return False


def exchange(table: CrashAndGrab, action: int, trace: Trace | None) -> None:
    """CG-U20: keep the crewmember just picked up (0), or swap it for one on the board."""
    crew, saucer = table.current_crew[0], table.where[table.current_crew[0]] - ABOARD
    next_beat(trace)
    start = happen(table.current_crew, CURRENT_CREW, 0, NOWHERE, UPGRADE[AIRLOCK], NOWHERE, trace)
    if action != 0:
        left = happen(table.where, WHERE, crew, table.where[action - 1], UPGRADE[AIRLOCK], start, trace)
        happen(table.marked, MARKED, crew, 0, UPGRADE[AIRLOCK], left, trace)
        if gain(table, saucer, action - 1, UPGRADE[AIRLOCK], left, trace):
            return
        mark(table, saucer, latest(WHERE, action - 1, trace), trace)
    go_on(table, start, trace)


def mark(table: CrashAndGrab, saucer: int, cause: int, trace: Trace | None) -> None:
    """CG-W4: if partners are adjacent, mark the crew aboard each in the other's colour, to be passed later."""
    if table.players[0] != 2 or table.motion[0] == REST or not are_adjacent(table, saucer, saucer ^ 1):
        return
    for giver in (saucer, saucer ^ 1):
        for crew in range(TYPES * (giver ^ 1), TYPES * (giver ^ 1) + TYPES):
            if table.where[crew] == ABOARD + giver:
                happen(table.marked, MARKED, crew, 1, W4, cause, trace)


def are_adjacent(table: CrashAndGrab, saucer: int, other: int) -> bool:
    """CG-W4: return whether two saucers are exactly one orthogonal space apart."""
    if table.cell[saucer] == NOWHERE or table.cell[other] == NOWHERE:
        return False
    rows = abs(table.cell[saucer] // 10 - table.cell[other] // 10)
    columns = abs(table.cell[saucer] % 10 - table.cell[other] % 10)
    return rows + columns == 1


def ask_to_pass(table: CrashAndGrab, cause: int, trace: Trace | None) -> bool:
    """CG-W4: ask the first player who may pass, starting with the probe player; return whether any may."""
    if table.players[0] == 2:
        for turn in range(2):
            player = table.probe[0] ^ turn
            for crew in range(CREW):
                if table.marked[crew] and owner(table, table.where[crew] - ABOARD) == player:
                    ask(table, PASS, player, W4, cause, trace)
                    return True
    return False


def pass_on(table: CrashAndGrab, action: int, trace: Trace | None) -> None:
    """CG-W4: hand a crewmember to its own saucer; 0 ends passing for this movement."""
    next_beat(trace)
    if action == 0:
        cause = decline(table, trace)
    elif gain(table, (action - 1) // TYPES, action - 1, W4, NOWHERE, trace):
        return
    else:
        cause = latest(WHERE, action - 1, trace)
    if not ask_to_pass(table, cause, trace):
        after_motion(table, cause, trace)


def decline(table: CrashAndGrab, trace: Trace | None) -> int:
    """CG-W4: unmark the player's crew; return the first event, which causes the others; NOWHERE without marked crew."""
    start = NOWHERE
    for crew in range(CREW):
        if table.marked[crew] and owner(table, table.where[crew] - ABOARD) == table.asked[0]:
            change = happen(table.marked, MARKED, crew, 0, W4, start, trace)
            start = change if start == NOWHERE else start
    return start


# Crashes and the end of a turn


def crash(table: CrashAndGrab, saucer: int, rule: int, cause: int, trace: Trace | None) -> int:
    """CG-B5: a saucer leaves the board. CG-C1: a penalty is due if it is the player's own; CG-C2: else a reward."""
    removal = happen(table.cell, CELL, saucer, NOWHERE, rule, cause, trace)
    if owner(table, saucer) == owner(table, table.turn[0]):
        happen(table.lost, LOST, 0, table.lost[0] + 1, C1, removal, trace)
    else:
        happen(table.crashes, CRASHES, 0, table.crashes[0] + 1, C2, removal, trace)
        happen(table.crashed, CRASHED, saucer, table.crashes[0], C2, removal, trace)
    if saucer == table.turn[0]:
        happen(table.cloaked, CLOAKED, 0, 0, C1, removal, trace)
    return removal


def clean_up(table: CrashAndGrab, cause: int, trace: Trace | None) -> None:
    """CG-R6: ask about a penalty, a reward, refill, upgrades or buying, or end the turn; called after each answer."""
    saucer = table.turn[0]
    player = owner(table, saucer)
    if table.lost[0] > 0:
        loss = source(LOST, 0, cause, trace)
        if off_coloured(table, saucer) != 0:
            ask(table, PENALTY, player, C1, loss, trace)
            return
        cause = happen(table.lost, LOST, 0, 0, C1, loss, trace)
    if first_crashed(table) != NOWHERE:
        ask(table, REWARD, player, C2, source(CRASHED, first_crashed(table), cause, trace), trace)
    elif table.picked[0] > 0 and anybody_waits(table):
        ask(table, REFILL, player, W3, source(PICKED, 0, cause, trace), trace)
    elif table.declined[0] == 0 and has_end_upgrade(table):
        ask(table, END, player, R6, cause, trace)
    elif table.bought[0] == 0 and table.energy[saucer] >= 2 and anything_to_buy(table):
        ask(table, BUY, player, H1, cause, trace)
    else:
        end_turn(table, cause, trace)


def source(number: int, index: int, cause: int, trace: Trace | None) -> int:
    """Return the last event of this turn that changed a field at an index, or else `cause`."""
    event = latest(number, index, trace)
    return cause if event == NOWHERE else event


def anybody_waits(table: CrashAndGrab) -> bool:
    """CG-W3: return whether any queue has crew."""
    for colour in range(6):
        if next_in_line(table, colour) != NOWHERE:
            return True
    return False


def anything_to_buy(table: CrashAndGrab) -> bool:
    """CG-H1: return whether deck or discards hold a card."""
    for card in range(CARDS):
        if table.holder[card] == DECK or table.holder[card] == DISCARD:
            return True
    return False


def pay_penalty(table: CrashAndGrab, receiver: int, crew: int, trace: Trace | None) -> None:
    """CG-C1: give a crewmember away, one for each crash of the player's own saucers."""
    next_beat(trace)
    settled = happen(table.lost, LOST, 0, table.lost[0] - 1, C1, NOWHERE, trace)
    if not gain(table, receiver, crew, C1, settled, trace):
        clean_up(table, settled, trace)


def take_reward(table: CrashAndGrab, action: int, trace: Trace | None) -> None:
    """CG-C2: take energy (0), or a crewmember of the saucer that crashed."""
    saucer = table.turn[0]
    next_beat(trace)
    settled = happen(table.crashed, CRASHED, first_crashed(table), 0, C2, NOWHERE, trace)
    if action == 0:
        happen(table.energy, ENERGY, saucer, table.energy[saucer] + 1, C2, settled, trace)
    elif gain(table, saucer, action - 1, C2, settled, trace):
        return
    clean_up(table, settled, trace)


def buy(table: CrashAndGrab, action: int, trace: Trace | None) -> None:
    """CG-H1: pay two energy for one of two cards; 0 ends buying in this turn."""
    if action == 0:
        done = happen(table.bought, BOUGHT, 0, 1, H1, NOWHERE, trace)
        clean_up(table, done, trace)
        return
    saucer = table.turn[0]
    next_beat(trace)
    paid = happen(table.energy, ENERGY, saucer, table.energy[saucer] - 2, H1, NOWHERE, trace)
    ask_for_card(table, paid, trace)


def ask_for_card(table: CrashAndGrab, cause: int, trace: Trace | None) -> None:
    """CG-H1: ask for a card of the deck; if that is empty, the discards are shuffled into it first."""
    if not lies_at(table, DECK):
        for card in range(CARDS):
            if table.holder[card] == DISCARD:
                happen(table.holder, HOLDER, card, DECK, H1, cause, trace)
    ask(table, DRAW, NOWHERE, H1, cause, trace)


def lies_at(table: CrashAndGrab, place: int) -> int:
    """Return the number of upgrades with this holder."""
    count = 0
    for card in range(CARDS):
        count += table.holder[card] == place
    return count


def draw_card(table: CrashAndGrab, card: int, trace: Trace | None) -> None:
    """CG-H1: draw a card; ask for a second one if there is one, else for the card to keep."""
    next_beat(trace)
    start = happen(table.holder, HOLDER, card, DRAWN, H1, NOWHERE, trace)
    if lies_at(table, DRAWN) < 2 and lies_at(table, DECK) + lies_at(table, DISCARD) > 0:
        ask_for_card(table, start, trace)
    else:
        ask(table, KEEP, owner(table, table.turn[0]), H1, start, trace)


def keep(table: CrashAndGrab, kept: int, trace: Trace | None) -> None:
    """CG-H1: keep one card, usable from the next turn; discard the other. CG-U15: the Cargo Hold gives boosters."""
    saucer = table.turn[0]
    next_beat(trace)
    mine = happen(table.holder, HOLDER, kept, saucer, H1, NOWHERE, trace)
    for card in range(CARDS):
        if table.holder[card] == DRAWN:
            happen(table.holder, HOLDER, card, DISCARD, H1, mine, trace)
    happen(table.fresh, FRESH, kept, 1, H1, mine, trace)
    if kept == CARGO_HOLD:
        happen(table.boosters, BOOSTERS, saucer, table.boosters[saucer] + 3, UPGRADE[CARGO_HOLD], mine, trace)
    clean_up(table, mine, trace)


def end_turn(table: CrashAndGrab, cause: int, trace: Trace | None) -> None:
    """CG-R4: reset the fields of the turn and begin the next one."""
    next_beat(trace)
    end = happen(table.turn, TURN, 0, NOWHERE, R4, cause, trace)
    tired = table.fresh_at[1] | table.spent_at[1]
    for card in range(CARDS if tired else 0):
        if tired >> card & 1:
            happen(table.fresh, FRESH, card, 0, R4, end, trace)
            happen(table.spent, SPENT, card, 0, R4, end, trace)
    done = last_acted(table)
    for saucer in range(table.saucers[0]):
        happen(table.crashed, CRASHED, saucer, 0, R4, end, trace)
        if table.acted[saucer] == done:
            happen(table.plan, PLANNED, saucer, UNPLANNED, R4, end, trace)
    happen(table.placed, PLACED, 0, 0, R4, end, trace)
    happen(table.distance, CHOSEN, 0, 0, R4, end, trace)
    happen(table.picked, PICKED, 0, 0, R4, end, trace)
    happen(table.gained, GAINED, 0, 0, R4, end, trace)
    happen(table.crashes, CRASHES, 0, 0, R4, end, trace)
    happen(table.declined, DECLINED, 0, 0, R4, end, trace)
    happen(table.bought, BOUGHT, 0, 0, R4, end, trace)
    happen(table.cloaked, CLOAKED, 0, 0, R4, end, trace)
    happen(table.leaps, LEAPS, 0, 0, R4, end, trace)
    next_turn(table, end, trace)


def last_acted(table: CrashAndGrab) -> int:
    """Return the number of turns of this round, the current one included."""
    done = 0
    for saucer in range(table.saucers[0]):
        if table.acted[saucer] > done:
            done = table.acted[saucer]
    return done


# Upgrades at the end of a turn


def end_actions(table: CrashAndGrab, out: Ints) -> int:
    """CG-R6: list 0 to stop, and 1 + TARGETS * card + target for all uses of upgrades; return the count."""
    out[0], count = 0, 1
    ready = ready_at_end(table)
    for card in range(CARDS):
        if ready >> card & 1:
            if targets(card) == CELLS:
                count = jumps(table, card, out, count)
            else:
                for target in range(targets(card)):
                    if can_use(table, card, target):
                        out[count] = 1 + TARGETS * card + target
                        count += 1
    return count


def jumps(table: CrashAndGrab, card: int, out: Ints, count: int) -> int:
    """CG-U3, CG-U6, CG-U23: add the spaces to which the saucer can jump; return the count."""
    size = table.size[0]
    for row in range(0, 10 * size, 10):
        for cell in range(row, row + size):
            if can_jump(table, card, cell):
                out[count] = 1 + TARGETS * card + cell
                count += 1
    return count


def can_jump(table: CrashAndGrab, card: int, cell: int) -> bool:
    """CG-U3, CG-U6, CG-U23: return whether the saucer can jump to a space, which must be empty.

    The Afterburner leads along a row or column, the Teleporter to crash sites, the Triangulator anywhere.
    """
    ground = table.ground[cell]
    if ground == ACCELERATOR or table.saucers_at[cell] != 0 or table.crew_at[cell] != 0:
        return False
    if card == AFTERBURNER:
        return in_line(table.cell[table.turn[0]], cell)
    return card == TRIANGULATOR or ground != PLAIN


def has_end_upgrade(table: CrashAndGrab) -> bool:
    """Return whether an upgrade can be used at the end of this turn."""
    ready = ready_at_end(table)
    if ready & ALWAYS != 0:
        return True
    for card in range(CARDS if ready else 0):
        if ready >> card & 1:
            for target in range(targets(card)):
                if can_use(table, card, target):
                    return True
    return False


def ready_at_end(table: CrashAndGrab) -> int:
    """Return the usable upgrades at the end of the turn, as bits. CG-U2 to CG-U7, CG-U17, CG-U23."""
    saucer = table.turn[0]
    ready = table.cards_at[saucer] & AT_END & ~(table.fresh_at[1] | table.spent_at[1])
    if ready != 0 and table.gained[0] == 1:
        ready &= ~(1 << TRIANGULATOR)
    if ready != 0 and table.cell[saucer] == NOWHERE:
        ready &= WHILE_CLOAKED if table.cloaked[0] == 1 else WHILE_CRASHED
    return ready


def targets(card: int) -> int:
    """Return the exclusive limit of an upgrade's targets; 0 for upgrades that are not for the end of a turn."""
    if card == WORMHOLE or card == PULSE_CANNON:
        return 6  # a saucer
    if card == AFTERBURNER or card == TELEPORTER or card == TRIANGULATOR:
        return CELLS
    if card == TRACTOR_BEAM or card == DISTRESS:
        return CREW
    if card == LANDING_LEGS:
        return 4
    if card == QUAKE:
        return 4 * PLACES
    return card == CLOAK


def can_use(table: CrashAndGrab, card: int, target: int) -> bool:
    """Return whether a ready upgrade can be used on this target. CG-U2 to CG-U7, CG-U11, CG-U17, CG-U18, CG-U23."""
    saucer = table.turn[0]
    cell = table.cell[saucer]
    if card == AFTERBURNER or card == TELEPORTER or card == TRIANGULATOR:
        return on_board(table, target) and can_jump(table, card, target)
    if card == QUAKE:
        return can_turn(table, target // 4, target % 4)
    if card == DISTRESS:
        return can_swap_crew(table, saucer, target)
    if card == WORMHOLE:
        return target != saucer and table.cell[target] != NOWHERE
    if card == PULSE_CANNON:
        return target != saucer and table.cell[target] != NOWHERE and in_line(cell, table.cell[target])
    if card == TRACTOR_BEAM:
        return (
            0 <= table.where[target] < ABOARD
            and in_line(cell, table.where[target])
            and (apart(cell, table.where[target]) <= 2)
        )
    return True  # the cloak, and any direction for the legs


def on_board(table: CrashAndGrab, cell: int) -> bool:
    """Return whether a board of this size has this space."""
    return cell // 10 < table.size[0] and cell % 10 < table.size[0]


def in_line(cell: int, other: int) -> bool:
    """Return whether two spaces are in the same row or column."""
    return cell // 10 == other // 10 or cell % 10 == other % 10


def apart(cell: int, other: int) -> int:
    """Return the number of orthogonal steps between two spaces."""
    return abs(cell // 10 - other // 10) + abs(cell % 10 - other % 10)


def can_swap_crew(table: CrashAndGrab, saucer: int, crew: int) -> bool:
    """CG-U11: return whether this crewmember can be swapped for its counterpart in the saucer's colour."""
    if table.where[crew] != ABOARD + saucer or crew // TYPES == saucer:
        return False
    return table.where[TYPES * saucer + crew % TYPES] >= ABOARD and (
        table.where[TYPES * saucer + crew % TYPES] != ABOARD + saucer
    )


def can_turn(table: CrashAndGrab, place: int, turns: int) -> bool:
    """CG-U18: return whether a tile fits after `turns` more quarter turns: squares always, oblongs after two."""
    return TURNS[4 * (PLACES * (table.size[0] - 8) + place) + turns] == 1


def extent(table: CrashAndGrab, place: int, what: int) -> int:
    """CG-B1: the row, column, height or width of a place for a tile; `what` selects which."""
    return LAYOUT[4 * (PLACES * (table.size[0] - 8) + place) + what]


def use_upgrade(table: CrashAndGrab, action: int, trace: Trace | None) -> None:
    """CG-R6: use an upgrade, each once in a turn; 0 ends their use in this turn."""
    if action == 0:
        done = happen(table.declined, DECLINED, 0, 1, R6, NOWHERE, trace)
        clean_up(table, done, trace)
        return
    card, target = (action - 1) // TARGETS, (action - 1) % TARGETS
    next_beat(trace)
    used = happen(table.spent, SPENT, card, 1, UPGRADE[card], NOWHERE, trace)
    if card == PULSE_CANNON or card == LANDING_LEGS:
        shoot_or_walk(table, card, target, used, trace)
    elif card == TRACTOR_BEAM:
        if not pick_up(table, table.turn[0], target, used, trace):
            clean_up(table, used, trace)
    elif card == QUAKE:
        turn_tile(table, target // 4, target % 4, used, trace)
        clean_up(table, used, trace)
    elif card == DISTRESS:
        swap_crew(table, target, used, trace)
        clean_up(table, used, trace)
    elif card == CLOAK:
        happen(table.cell, CELL, table.turn[0], NOWHERE, UPGRADE[CLOAK], used, trace)
        happen(table.cloaked, CLOAKED, 0, 1, UPGRADE[CLOAK], used, trace)
        clean_up(table, used, trace)
    else:
        jump(table, card, target, used, trace)


def shoot_or_walk(table: CrashAndGrab, card: int, target: int, cause: int, trace: Trace | None) -> None:
    """CG-U4: push a saucer one space straight away. CG-U17: move the saucer itself one space."""
    saucer = table.turn[0]
    if card == LANDING_LEGS:
        set_moving(table, LEGS, saucer, target, 1, UPGRADE[LANDING_LEGS], cause, trace)
        return
    here, there = table.cell[saucer], table.cell[target]
    if here % 10 == there % 10:
        direction = 2 if there > here else 0
    else:
        direction = 1 if there > here else 3
    siphon(table, cause, trace)
    set_moving(table, PULSE, target, direction, 1, UPGRADE[PULSE_CANNON], cause, trace)


def jump(table: CrashAndGrab, card: int, target: int, cause: int, trace: Trace | None) -> None:
    """CG-U2: swap two saucers. CG-U3, CG-U6, CG-U23: move the saucer to another space."""
    saucer = table.turn[0]
    happen(table.motion, MOTION, 0, JUMP, UPGRADE[card], cause, trace)
    if card == WORMHOLE:
        here, there = table.cell[saucer], table.cell[target]
        swapped = happen(table.cell, CELL, target, here, UPGRADE[card], cause, trace)
        moved = happen(table.cell, CELL, saucer, there, UPGRADE[card], cause, trace)
        mark(table, target, swapped, trace)
    else:
        moved = happen(table.cell, CELL, saucer, target, UPGRADE[card], cause, trace)
        happen(table.cloaked, CLOAKED, 0, 0, UPGRADE[card], cause, trace)
    mark(table, saucer, moved, trace)
    come_to_rest(table, cause, trace)


def swap_crew(table: CrashAndGrab, theirs: int, cause: int, trace: Trace | None) -> None:
    """CG-U11: swap a crewmember for its counterpart in the saucer's colour, which is aboard another saucer."""
    saucer = table.turn[0]
    mine = TYPES * saucer + theirs % TYPES
    happen(table.where, WHERE, theirs, table.where[mine], UPGRADE[DISTRESS], cause, trace)
    gain(table, saucer, mine, UPGRADE[DISTRESS], cause, trace)


def turn_tile(table: CrashAndGrab, place: int, turns: int, cause: int, trace: Trace | None) -> None:
    """CG-U18: turn a tile with everything on it."""
    rule, height, width = UPGRADE[QUAKE], extent(table, place, HEIGHT), extent(table, place, WIDTH)
    first = 10 * extent(table, place, ROW) + extent(table, place, COLUMN)
    happen(table.turned, TURNED, place, (table.turned[place] + turns) % 4, rule, cause, trace)
    for row in range(height):
        for column in range(width):
            ground = ground_of(table.side[place], table.turned[place], row, column, height, width)
            happen(table.ground, GROUND, first + 10 * row + column, ground, rule, cause, trace)
    for saucer in range(table.saucers[0]):
        cell = carried(table.cell[saucer], first, turns, height, width)
        happen(table.cell, CELL, saucer, cell, rule, cause, trace)
    for crew in range(CREW):
        if table.where[crew] < ABOARD:
            cell = carried(table.where[crew], first, turns, height, width)
            happen(table.where, WHERE, crew, cell, rule, cause, trace)


def carried(cell: int, first: int, turns: int, height: int, width: int) -> int:
    """CG-U18: the position of a space after its tile is turned; other spaces keep theirs."""
    row, column = cell // 10 - first // 10, cell % 10 - first % 10
    if cell < 0 or row < 0 or column < 0 or row >= height or column >= width:
        return cell
    if turns == 2:
        return first + 10 * (height - 1 - row) + width - 1 - column
    if turns == 1:
        return first + 10 * column + height - 1 - row
    return first + 10 * (width - 1 - column) + row
