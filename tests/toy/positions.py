"""A position is the squares of both, and `windy` if the wind is next: `squares 3 4; windy`."""

from crashlab.engine import contract
from crashlab.engine.position import StateFacts, flag, row
from crashlab.engine.value_codecs import counted

PARTS = row("squares", "the squares of both", "square", counted("square")), flag("windy", "the wind is next", "windy")
problems = stuck = contract.no_problems


class Facts(StateFacts):
    squares: tuple
