"""Views: how the variables of a watched function are shown. Data and pictures, without any widget.

choice    what stands in `show={...}`: on_board, tree, table, bars, curve
signs     a variable as pieces on the board
calls     the calls as a tree
paper     a table, bars, a curve
show      a film with its board and its views, as a story
pair      two of them side by side
"""

from crashlab.watch.views.choice import bars, curve, on_board, table, tree
from crashlab.watch.views.pair import Pair, Side
from crashlab.watch.views.show import Show

__all__ = ["Pair", "Show", "Side", "bars", "curve", "on_board", "table", "tree"]
