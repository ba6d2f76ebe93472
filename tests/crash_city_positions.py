"""Positions of CrashCity built by hand, played and read back by the tests of its rules.

A tile is written "2,0 NE" (its place and its lanes), with a building "2,0 NE shop B"; the town square is there from the
start. A space is "2,0 N", a car "A 2,0 N E": its owner, its space and its facing. Cars of a seat are numbered in the
order given: A1 is the first one of seat 0, B1 of seat 1.
"""

from table_play import OnTheTable

from crashlab.engine.options import settle
from crashlab.engine.table import CHANCE, NOWHERE, next_beat
from crashlab.games.boards import streets
from crashlab.games.crash_city import positions, rules
from crashlab.games.crash_city import state as tables
from crashlab.games.crash_city.state import *

SIDES = "NESW"


def spot(words):
    """Return (x, y) of "2,0"."""
    x, y = map(int, words.split(","))
    return x, y


def bits(letters):
    """Return lanes as a sum of bits."""
    return sum(1 << SIDES.index(letter) for letter in letters)


def number(car):
    """Return the number of a car: A1 is 0, B1 is 8."""
    return FLEET * "ABCD".index(car[0]) + int(car[1:]) - 1


def name(car):
    """Return the name of a car: 0 is A1, 8 is B1."""
    return f"{'ABCD'[car // FLEET]}{car % FLEET + 1}"


def lay(table, *tiles):
    for words in tiles:
        place, letters, *building = words.split()
        tile = tables.lay_tile(table, *spot(place), bits(letters))
        if building:
            kind, seat = BUILDING_NAMES.index(building[0]), "ABCD".index(building[1])
            table.building[tile], table.owner[tile] = kind, seat
            table.stock[3 * seat + kind] -= 1


def city(*tiles, cars=(), parked=(), seat=0, players=2, phase=RACE, turn=0, **options):
    """Return a game in this seat's turn; `parked` are cars like "A 2,0"."""
    table = tables.empty(settle(tables.OPTIONS, {"players": players, **options}))
    lay(table, *tiles)
    play = Play(table)
    seats = []
    for words in (*cars, *parked):
        who, place, *rest = words.split()
        car = number(f"{who}{seats.count(who) + 1}")
        seats.append(who)
        if rest:
            table.where[car], table.facing[car] = play.space(f"{place} {rest[0]}"), SIDES.index(rest[1])
        else:
            table.where[car] = ROOF + tables.tile_at(table, *spot(place))
    table.asked[0], table.phase[0], table.turn[0] = seat, phase, turn
    play.check()
    return play


class Play(OnTheTable):
    """A game in progress."""

    rules = rules

    # Actions

    def space(self, words):
        """Return the number of a space."""
        place, side = words.split()
        tile = tables.tile_at(self.table, *spot(place))
        assert tile != NOWHERE and self.table.street[tile] & bits(side), f"there is no lane {words}"
        return 4 * tile + SIDES.index(side)

    def site(self, place):
        return SELECT + streets.spot_of(*spot(place))

    def shows(self, kind):
        return REVEALED + KIND_NAMES.index(kind)

    def turned(self, letters):
        return LAY + bits(letters)

    def builds(self, building):
        return ERECT + BUILDING_NAMES.index(building)

    def puts(self, words):
        """Return the code of placing a house's car, by its space and its facing."""
        return PUT + 4 * self.space(words[:-2]) + SIDES.index(words[-1])

    def drives(self, car, space):
        return DRIVE + SPACE * number(car) + self.space(space)

    def parks(self, car):
        return PARK + number(car)

    def makes_way(self, space):
        return MAKE_WAY + self.space(space)

    # Playing

    def do(self, *actions):
        """Play these actions one after another, each for the seat to decide, and forced ones before and between."""
        for action in actions:
            self.settle(action)
            assert action in self.actions(), f"{action} is not legal in phase {self.table.phase[0]}"
            self.apply(action)
        return self

    def settle(self, until=None):
        """Play every forced decision, up to this action."""
        while rules.actors(self.table):
            only = rules.only_action(self.table, self.seat(), [0] * rules.MOST_ACTIONS)
            if only in (NOWHERE, until):
                break
            self.apply(only)
        return self

    def apply(self, action):
        next_beat(self.trace)
        self.happens(self.seat(), action)

    def turn(self, site, kind, letters, building, car=None):
        """Play a whole turn of the construction."""
        self.do(self.site(site), self.shows(kind), self.turned(letters), self.builds(building))
        return self.do(self.puts(car)) if car else self

    def seat(self):
        actors = rules.actors(self.table)
        return CHANCE if actors == CHANCE else actors.bit_length() - 1

    def check(self):
        """Check the invariants."""
        assert not positions.problems(self.table)

    def copy(self):
        return Play(self.table.copy())

    # The legal actions

    def sort(self, sort):
        """Return the legal actions of this sort, each without the number of its sort."""
        return [action % SORT for action in self.actions() if action // SORT * SORT == sort]

    def sites(self):
        return {streets.xy(number) for number in self.sort(SELECT)}

    def rotations(self):
        """Return the possible lanes of the new tile."""
        return {streets.letters(lanes) for lanes in self.sort(LAY)}

    def buildings(self):
        return {BUILDING_NAMES[building] for building in self.sort(ERECT)}

    def places(self):
        """Return the possible spaces and facings of the house's car."""
        return {f"{self.words(number // 4)} {SIDES[number % 4]}" for number in self.sort(PUT)}

    def moves(self, car="A1"):
        """Return a car's drives, {space: final facing}, with "!" after a crash."""
        return self._tried(DRIVE, SPACE * number(car), SPACE, number(car))

    def answers(self):
        """Return the moves of the car that was hit, {space: final facing}, with "!" if it hits another one."""
        return self._tried(MAKE_WAY, 0, SORT, self.table.hit[0])

    def _tried(self, sort, first, size, car):
        ends = {}
        for number in self.sort(sort):
            if first <= number < first + size:
                after = self.copy()
                after.apply(sort + number)
                mark = "!" if after.table.phase[0] == ANSWER else ""
                ends[self.words(number - first)] = SIDES[after.table.facing[car]] + mark
                assert after.table.where[car] == number - first
        return ends

    # The table

    def words(self, space):
        """Write a space in words."""
        x, y = streets.xy(self.table.spot[space // 4])
        return f"{x},{y} {SIDES[space % 4]}"

    def car(self, car):
        """Return a car's space and facing, "2,0 N E"; only the tile if it is parked."""
        where = self.table.where[number(car)]
        if where >= ROOF:
            x, y = streets.xy(self.table.spot[where - ROOF])
            return f"{x},{y}"
        return f"{self.words(where)} {SIDES[self.table.facing[number(car)]]}"

    def connected(self):
        return {self.words(space) for space, flag in enumerate(self.table.joined) if flag}

    def asks(self, seat, phase=RACE):
        return (self.seat(), self.table.phase[0]) == (seat, phase)

    def is_over(self):
        return self.table.phase[0] == OVER

    def scores(self):
        return tuple(rules.score(self.table, seat) for seat in range(self.table.players[0]))

    def crashes(self, rule="CC-R4"):
        """Return the crashes: rammer, hit car, space and direction."""
        return [
            f"{name(car)} {name(hit)} {self.words(space)} {SIDES[way]}" for car, hit, space, way in self.noted(rule)
        ]

    def way(self, car):
        """Return the spaces that a car went through, one a beat."""
        field = tables.CrashCity.NAMES.index("where")
        rows = [row for row in self.trace.rows if row[3] == field and row[4] == number(car)]
        beats = [row[0] for row in rows]
        assert beats == list(range(beats[0], beats[0] + len(beats)))
        return [self.words(row[6]) for row in rows]
