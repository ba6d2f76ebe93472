"""A game in progress on a bare table, for the tests of rules."""

from crashlab.engine.rules import played
from crashlab.engine.table import NOTE, Row, Trace, replay


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
