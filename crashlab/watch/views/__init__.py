"""Views: how the variables of a watched function are shown. Data and pictures, without any widget.

choose_view  the values of `show={...}`, such as on_board, tree or table, and the default views
code_reading facts from the code: indices of lists, heaps, slices, comparisons
rows         a list or a text as a row of cells, with its indices
text_search  the pattern of a text search, drawn below the text
board_marks  a variable as pieces on the board, or on a graph
graph_layout a graph and its layout
tree_layout  heaps, the forests of union-find and nested dicts as trees
object_boxes objects as boxes with arrows
call_stack   the running calls with their variables
call_tree    all calls as a tree
charts       a table, bars, a curve
picture_layout the layout of these views if there is no board
film_text    a film in words
film_story   a film with its board and its views, as a story
side_by_side two films or turns side by side
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
