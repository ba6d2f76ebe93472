"""The widgets for notebooks: `Board`, the panels around it, and the views of a `Watch`."""

from crashlab.lab.angle_dial import Dial
from crashlab.lab.arena import Arena
from crashlab.lab.bluff import Bluff
from crashlab.lab.board import Board
from crashlab.lab.explorer import Explorer
from crashlab.lab.guess_numbers import Guess
from crashlab.lab.heat import Heat
from crashlab.lab.league import League
from crashlab.lab.matplotlib_figures import keep_open
from crashlab.lab.poll import Poll
from crashlab.lab.predict_turn import Predict
from crashlab.lab.puzzle import Puzzle
from crashlab.lab.review import Review
from crashlab.lab.rules import Rules
from crashlab.lab.stepper import Stepper
from crashlab.lab.vote_file import votes
from crashlab.lab.watch import Watch
from crashlab.watch.views import bars, cells, curve, forest, heap, objects, on_board, on_graph, table, tree, trie

__all__ = [
    "Arena",
    "Bluff",
    "Board",
    "Dial",
    "Explorer",
    "Guess",
    "Heat",
    "League",
    "Poll",
    "Predict",
    "Puzzle",
    "Review",
    "Rules",
    "Stepper",
    "Watch",
    "bars",
    "cells",
    "curve",
    "forest",
    "heap",
    "objects",
    "on_board",
    "on_graph",
    "table",
    "tree",
    "trie",
    "votes",
]

keep_open()
