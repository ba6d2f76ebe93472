"""Positions of Crash & Grab built by hand, and a driver that plays them: answers by meaning, each one checked.

Spaces are 10 * row + column from the top left. By default the crash sites 1 to 12 are in rows 6 and 7 (site 1 is space
60, site 7 is 70), and there are no accelerators, energy, boosters, crew or upgrades. A saucer that is not named is off
the board, and each one without a plan plans "0-5 up", so that play stops at its turn at the latest.
"""

from table_play import OnTheTable

from crashlab.engine.options import settle
from crashlab.engine.table import CHANCE, NOWHERE
from crashlab.games.crash_and_grab import rules
from crashlab.games.crash_and_grab import state as tables
from crashlab.games.crash_and_grab.state import *

RED, GREEN, BLUE, YELLOW, PURPLE, PINK = range(6)
CARDS = {"2": tables.TWO, "3": tables.THREE, "0-5": tables.ANY}
DIRECTIONS = ("up", "right", "down", "left")
ON_THE_WAY = (PUSH, WASTE_USE, LEG, TURN_OFF, EXCHANGE)
CLOCKWISE, COUNTER = 0, 1

# A turn of green in a given phase, to be formatted; on the way it is on an accelerator
TURN = "probe B; phase {}; turn green; distance 3; saucers red 00 3>, green 12 b1 0-5v, blue 76 2^, yellow 73 3<"
WAY = f"{TURN.replace('green 12 b1 0-5v', 'green 03 3>')}; mover green; motion card"


def crew(name):
    """Return the number of "green pilot"."""
    colour, kind = name.split()
    return 4 * tables.COLOUR_NAMES.index(colour) + tables.TYPE_NAMES.index(kind)


def crew_name(number):
    return f"{tables.COLOUR_NAMES[number // 4]} {tables.TYPE_NAMES[number % 4]}"


def board(
    at,
    players=4,
    *,
    probe=0,
    accelerators=(),
    sites=None,
    lost=None,
    aboard=None,
    energy=None,
    boosters=None,
    upgrades=None,
    deck=None,
    gone=(),
    **options,
):
    """Return a table before planning, with saucers `at` spaces and crew ("red pilot") `lost` on spaces or `aboard`.

    `sites` moves crash sites, by number; a site that a lost crewmember needs is moved there, from site 12 downwards.
    `deck` are the cards left in the deck, the others are discarded; `gone` are crewmembers out of the queues.
    """
    table = tables.empty(settle(tables.OPTIONS, {"players": players, **options}))
    spaces = {number: (59 if number < 7 else 63) + number for number in range(1, 13)} | (sites or {})
    spare = [number for number in range(12, 0, -1) if number not in (sites or {})]
    for space in (lost or {}).values():
        if space not in spaces.values():
            spaces[spare.pop(0)] = space
    assert len(set(spaces.values())) == 12 and not set(spaces.values()) & set(accelerators)
    for number, space in spaces.items():
        table.ground[space] = number
    for space in accelerators:
        table.ground[space] = ACCELERATOR
    table.probe[0] = probe
    table.energy[:] = [0] * 6
    for field, values in ((table.cell, at), (table.energy, energy or {}), (table.boosters, boosters or {})):
        for saucer, number in values.items():
            field[saucer] = number
    for name, space in (lost or {}).items():
        table.where[crew(name)] = space
    for saucer, names in (aboard or {}).items():
        for name in names.split(", "):
            table.where[crew(name)] = ABOARD + saucer
    for name in gone:
        table.where[crew(name)] = tables.UNUSED
    if deck is not None:
        table.holder[:] = [tables.DECK if card in deck else tables.DISCARD for card in range(tables.CARDS)]
    for saucer, cards in (upgrades or {}).items():
        for card in cards:
            table.holder[card] = saucer
    return Play(table)


class Play(OnTheTable):
    """A game in progress, in which a decision with a single answer is made at once (CG-M8)."""

    rules = rules

    # Playing

    def go(self, plans=None, spin=CLOCKWISE, first=None):
        """Let everybody plan ("0-5 up" unless given as {RED: "3 right"}), roll the die, start the first turn."""
        table, plans = self.table, plans or {}
        for turn in range(2 if table.players[0] == 2 else 1):
            for player in range(table.players[0]):
                saucer = 2 * player + turn if table.players[0] == 2 else player
                card, direction = plans.get(saucer, "0-5 up").split()
                assert rules.actors(table) >> player & 1
                self.apply(PLAN, player, 4 * CARDS[card] + DIRECTIONS.index(direction))
        if table.players[0] == 2:
            self.answer(FIRST, 2 * table.probe[0] if first is None else first)
        elif table.phase[0] == ROTATION:
            self.answer(ROTATION, spin)
        return self

    def ride(self, saucer, distance, direction, **other):
        """Play this saucer's first turn with 0-5, up to the first decision after the distance."""
        self.go({saucer: f"0-5 {DIRECTIONS[direction]}"}, first=saucer if self.table.players[0] == 2 else None, **other)
        assert self.table.turn[0] == saucer
        return self.answer(DISTANCE, distance)

    def answer(self, phase, meaning, by=None):
        """Answer the current question; `by` is the player who must be asked."""
        assert self.table.phase[0] == phase, f"asked is phase {self.table.phase[0]}, not {phase}"
        seat = CHANCE if rules.actors(self.table) == CHANCE else self.table.asked[0]
        assert by is None or seat == by
        self.apply(phase, seat, self.number(phase, meaning))
        self.go_on()
        return self

    def go_on(self):
        out = [0] * rules.MOST_ACTIONS
        while (bits := rules.actors(self.table)) and self.table.phase[0] != PLAN:
            seat = CHANCE if bits == CHANCE else self.table.asked[0]
            if rules.legal(self.table, seat, out) != 1:
                return
            self.apply(self.table.phase[0], seat, out[0])

    def apply(self, phase, seat, action):
        assert action in self.actions(), f"{action} is not legal in phase {phase}: {self.actions()}"
        self.happens(seat, action)

    def check(self):
        """Check the invariants."""
        table = self.table
        outside = [where for where in table.where if 0 <= where < ABOARD]
        assert min(table.energy) >= 0 <= min(table.boosters)
        assert len(outside) == len(set(outside)) and all(1 <= table.ground[space] <= 12 for space in outside)
        if table.phase[0] not in ON_THE_WAY:
            saucers = [space for space in table.cell if space != NOWHERE]
            assert len(saucers) == len(set(saucers)) and not set(saucers) & set(outside)
            assert table.phase[0] == OVER or all(table.ground[space] != ACCELERATOR for space in saucers)

    # Questions and answers

    def seat(self):
        return self.table.asked[0]

    def offers(self):
        """Return the legal answers, by meaning."""
        return {self.meaning(self.table.phase[0], action) for action in self.actions()}

    def number(self, phase, meaning):
        answers = [action for action in self.actions() if self.meaning(phase, action) == meaning]
        assert len(answers) == 1, f"{meaning} is not among {self.offers()}"
        return answers[0]

    @staticmethod
    def meaning(phase, action):
        """Return an action's meaning: None for no, a pair for a boost (distance, direction), and the like."""
        if phase in (DIE, SET_UP_DIE, REFILL_DIE):
            return action + 1
        if phase in (BOOST, PASS, EXCHANGE, REWARD, END, SITE, STEP) and action == 0:
            return None
        if phase in (PASS, EXCHANGE, REWARD):
            return crew_name(action - 1)
        if phase == PENALTY:
            return action // 24, crew_name(action % 24)
        if phase == BOOST:
            return (action - 1) // 4, (action - 1) % 4
        if phase == STEP:
            return action - 1
        if phase == END:
            return (action - 1) // rules.TARGETS, (action - 1) % rules.TARGETS
        return action

    def asks(self, phase=None, saucer=None):
        """Return whether this is asked now, in the turn of this saucer."""
        return phase in (None, self.table.phase[0]) and saucer in (None, self.table.turn[0])

    def targets(self, card):
        """Return the possible targets of an upgrade at the end of the turn."""
        assert self.asks(END)
        return {offer[1] for offer in self.offers() if offer is not None and offer[0] == card}

    # The table

    def at(self, saucer):
        """Return the saucer's space, or None if it is off the board."""
        return None if self.table.cell[saucer] == NOWHERE else self.table.cell[saucer]

    def energy(self, saucer):
        return self.table.energy[saucer]

    def boosters(self, saucer):
        return self.table.boosters[saucer]

    def aboard(self, saucer):
        return {crew_name(number) for number in range(24) if self.table.where[number] == ABOARD + saucer}

    def lost(self):
        return {crew_name(number): space for number, space in enumerate(self.table.where) if 0 <= space < ABOARD}

    def waiting(self):
        return {crew_name(number) for number in range(24) if self.table.where[number] == QUEUE}


def ends(play, saucer):
    """Return whether the turn of this saucer is over, without a further question in it."""
    return play.table.turn[0] != saucer or play.table.phase[0] in (PLAN, FIRST, OVER)


__all__ = [
    "BLUE",
    "CLOCKWISE",
    "COUNTER",
    "DIRECTION",
    "DRAW",
    "GREEN",
    "PINK",
    "PURPLE",
    "RED",
    "YELLOW",
    "board",
    "crew",
    "crew_name",
    "ends",
]
