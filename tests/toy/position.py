"""Positions.

A position is the squares of both, and `windy` if the wind is next: `squares 3 4; windy`.
"""

from crashlab.games import contract
from crashlab.kinds import counted
from crashlab.parts import flag, row

PARTS = row("squares", "the squares of both", "square", counted("square")), flag("windy", "the wind is next", "windy")
impossible = contract.no_problems
