"""Views: how the variables of a watched function are shown. Data and pictures, without any widget.

choice       what stands in `show={...}`: on_board, tree, table, bars, curve, cells
cursors      a list or a text as a row of cells, with its indices
board_marks  a variable as pieces on the board
call_tree    the calls as a tree
charts       a table, bars, a curve
show         a film with its board and its views, as a story
pair         two of them side by side
"""

from crashlab.watch.views.choose_view import bars, cells, curve, on_board, table, tree
from crashlab.watch.views.film_story import Show
from crashlab.watch.views.side_by_side import Pair, Side

__all__ = ["Pair", "Show", "Side", "bars", "cells", "curve", "on_board", "table", "tree"]
