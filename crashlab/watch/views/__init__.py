"""Views: how the variables of a watched function are shown. Data and pictures, without any widget.

choice       what stands in `show={...}`: on_board, on_graph, tree, table, bars, ...; and what is shown where nobody says
code         what the code tells: which variables are indices of which, what is a heap
rows         a list or a text as a row of cells, with its indices
board_marks  a variable as pieces on the board, or on a graph
graph        a graph, laid out
branches     heaps, the forests of union-find and dicts in dicts as trees
objects      objects as boxes with arrows
stack        the calls that run with their variables
call_tree    all calls as a tree
charts       a table, bars, a curve
flow         where all that lies without a board
show         a film with its board and its views, as a story
pair         two of them side by side
"""

from crashlab.watch.views.choice import (
    bars,
    cells,
    curve,
    forest,
    heap,
    objects,
    on_board,
    on_graph,
    table,
    tree,
    trie,
)
from crashlab.watch.views.pair import Pair, Side
from crashlab.watch.views.show import Show

__all__ = [
    "Pair", "Show", "Side", "bars", "cells", "curve", "forest", "heap", "objects", "on_board", "on_graph", "table",
    "tree", "trie",
]  # fmt: skip
