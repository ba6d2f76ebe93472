"""A game on its way on a bare table, as the tests of rules play it."""

from crashlab.engine.rules import played
from crashlab.engine.table import NOTE, Row, Trace, replay


class OnTheTable:
    """A class for a game has its `rules`, a `check` of what is always true, and says who is asked (`seat`)."""

    def __init__(self, table):
        self.table, self.trace = table, Trace()

    def happens(self, seat, action):
        """The rules play an action; its events tell all that it changes."""
        before, told = self.table.copy(), len(self.trace.rows)
        self.rules.apply(self.table, seat, action, self.trace)
        replay(before, self.trace.rows[told:])
        assert before == self.table
        self.check()

    def actions(self):
        """What is legal; nothing is listed twice."""
        out = [0] * self.rules.MOST_ACTIONS
        found = out[: self.rules.legal(self.table, self.seat(), out)]
        assert len(set(found)) == len(found)
        return found

    def winners(self):
        """Who has won, or None while the game is on."""
        if self.rules.actors(self.table):
            return None
        return {seat for seat in range(self.table.players[0]) if played(self.rules).winners(self.table) >> seat & 1}

    def cited(self):
        """The rules that events cite."""
        return {self.rules.BOOK[row.rule].id for row in map(Row._make, self.trace.rows)}

    def noted(self, rule):
        """The numbers of the notes that cite a rule."""
        rows = map(Row._make, self.trace.rows)
        return [row.numbers for row in rows if row.field == NOTE and self.rules.BOOK[row.rule].id == rule]
