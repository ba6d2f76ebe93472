"""Views: how the variables of a watched function are shown. Data and pictures, without any widget.

choose_view  what stands in `show={...}`, as on_board, tree or table, and what is shown where nobody says
code_reading what the code tells: which variables are indices of which, what is a heap
rows         a list or a text as a row of cells, with its indices
text_search  a text that is looked for, below another one
board_marks  a variable as pieces on the board, or on a graph
graph_layout a graph, laid out
tree_layout  heaps, the forests of union-find and dicts in dicts as trees
object_boxes objects as boxes with arrows
call_stack   the calls that run with their variables
call_tree    all calls as a tree
charts       a table, bars, a curve
picture_layout where all that lies without a board
told_film    a film in words
film_story   the same with its board and its views, as a story
side_by_side two of them side by side
"""

from crashlab.watch.views.choose_view import (
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
from crashlab.watch.views.film_story import FilmStory
from crashlab.watch.views.side_by_side import StoryPair, StorySide

__all__ = [
    "FilmStory",
    "StoryPair",
    "StorySide",
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
]
