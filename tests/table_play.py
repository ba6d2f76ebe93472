"""Games in progress on a bare table, their choices and their events in words, for the tests of all games."""

from crashlab.compiled.kernels import random_play
from crashlab.engine.chance import Random
from crashlab.engine.options import settle
from crashlab.engine.rules import played
from crashlab.engine.table import CHANCE, NOTE, NOWHERE, Row, Trace, replay


def set_up(tables, seed, **options):
    """Return the table at the start of a game with these options."""
    return tables.set_up(settle(tables.OPTIONS, options), Random(seed))


def current_seat(rules, table):
    bits = rules.actors(table)
    return CHANCE if bits == CHANCE else bits.bit_length() - 1


def legal_codes(rules, table, seat=None):
    """Return the codes of the legal actions of a seat, by default the current one."""
    out = [0] * rules.MOST_ACTIONS
    return out[: rules.legal(table, current_seat(rules, table) if seat is None else seat, out)]


def random_game(rules, backend, table, seed, trace, decisions=NOWHERE):
    """Play at random; return the table, the number of decisions, and the state of chance."""
    work, luck = backend.tables([table]), backend.luck(Random(seed).luck)
    count = backend.bind(random_play.play_on)(work[0], decisions, luck, backend.row(rules.MOST_ACTIONS), trace)
    return backend.table(work, 0), count, int(luck[0])


def all_choices(ui, table, seat, chosen=()):
    """Yield every choice, with or without an action."""
    for choice in ui.choices(table, seat, chosen):
        yield choice
        if not choice.action:
            yield from all_choices(ui, table, seat, (*chosen, choice.word))


def lines_of(game, line, *words):
    """Return the events in words, with their rules."""
    return [f"{event.rule} {event.text}" for event in game.read(line).play(*words).events]


def contains(lines, *expected):
    """Check that the lines contain all of these, in this order."""
    rest = iter(lines)
    missing = [line for line in expected if line not in rest]
    assert not missing, (missing, lines)


class OnTheTable:
    """Base class of the games' drivers, which define `rules`, `check` (the invariants) and `seat` (to decide)."""

    def __init__(self, table):
        self.table, self.trace = table, Trace()

    def happens(self, seat, action):
        """Play an action by the rules, and check that its events record all its changes."""
        before, count = self.table.copy(), len(self.trace.rows)
        self.rules.apply(self.table, seat, action, self.trace)
        replay(before, self.trace.rows[count:])
        assert before == self.table
        self.check()

    def actions(self):
        """Return the legal actions, and check that they are distinct."""
        out = [0] * self.rules.MOST_ACTIONS
        actions = out[: self.rules.legal(self.table, self.seat(), out)]
        assert len(set(actions)) == len(actions)
        return actions

    def winners(self):
        """Return the winners, or None before the end of the game."""
        if self.rules.actors(self.table):
            return None
        return {seat for seat in range(self.table.players[0]) if played(self.rules).winners(self.table) >> seat & 1}

    def cited(self):
        return {self.rules.BOOK[row.rule].id for row in map(Row._make, self.trace.rows)}

    def noted(self, rule):
        """Return the numbers of the notes that cite a rule."""
        rows = map(Row._make, self.trace.rows)
        return [row.numbers for row in rows if row.field == NOTE and self.rules.BOOK[row.rule].id == rule]
