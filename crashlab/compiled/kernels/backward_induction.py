"""Backward induction for games with secretly planned rounds: every position is a matrix game.

Functions for backends, as in `random_play`. A row of the matrix is a *plan* of the row seat, and a column is a plan of
the column seat: all decisions of a seat from now to the end of the round. The value of a cell is the *gain*: the growth
of the row seat's lead over the column seat until the end of the game. The growth after this round is the value of the
next position's own matrix.

A matrix is seldom filled. On each side a few plans are *chosen*, at first one; chosen plans are tried against all plans
of the other side. The matrix of the chosen plans is solved by linear programming. Then each side's best reply to the
solution is chosen as well, until no reply gains anything (the double oracle algorithm).

Results are cached by the outline of a position (see `contract.Rounds`). All data is in arrays of numbers:

    stack    HEAD numbers about the whole search, then FRAME numbers for each position on the current path
    plans    the actions of each pass of planning: for each position a list by side and pass, its length before its
             codes
    chosen   for each position its chosen rows, then its chosen columns; after the last position the labels of a
             linear programme
    values   the matrices of the positions on the stack, one after another; unknown cells are UNKNOWN
    scratch  the tableau of a linear programme, then the two mixtures that solve it
    keys, buckets  the known positions (see `hash_table`), by their outlines
    gains    the value of each known position, UNKNOWN before it is computed

If an array is too short for the next step, ROOM is returned before anything is changed.
"""

from typing import Any

from crashlab.compiled.kernels.hash_table import enter, find, has_room, size
from crashlab.engine.table import NOWHERE, Ints, Numbers, lay

rules: Any = None  # the rules of a game, bound by a backend

DONE, MORE, ROOM = range(3)  # the result of a search call: it is over, it can continue, it needs longer arrays
UNKNOWN = 1 << 40  # more than any value

# Indexes of the numbers about the whole search: the depth of the current position (NOWHERE at the end), the number of
# matrix games solved, the two seats, the number of passes in a round, and whether to fill all cells of the first
# matrix, even cells that its value does not depend on.
DEPTH, SOLVED, ROW_SEAT, COLUMN_SEAT, PASSES, FULL = range(6)
HEAD = 6

# Indexes of the numbers about a position: how many rows and columns it has, the offsets of its matrix and its chosen
# plans, how many rows and columns are chosen, the row and the column that are being filled (row NOWHERE: all cells),
# the progress of filling, and the position's number in the hash table.
ROWS, COLUMNS, VALUES, CHOSEN, CHOSEN_ROWS, CHOSEN_COLUMNS, ROW, COLUMN, PLACE, NUMBER = range(10)
FRAME = 10


def induce(
    work: Any,
    until: int,
    stack: Ints,
    plans: Ints,
    chosen: Ints,
    values: Numbers,
    scratch: Numbers,
    keys: Ints,
    gains: Numbers,
    buckets: Ints,
    out: Ints,
) -> int:
    """Search until the end or until `until` matrix games are solved; return DONE, MORE or ROOM.

    If the stack is empty, the search begins with the first table of `work`.
    """
    if stack[SOLVED] == 0 and stack[HEAD + ROWS] == 0:
        if not begin(work, 0, NOWHERE, stack, plans, chosen, values, out):
            return ROOM
    while stack[DEPTH] != NOWHERE:
        if stack[SOLVED] >= until:
            return MORE
        cell = next_cell(stack, values)
        if cell == NOWHERE:
            if not improve(stack, chosen, values, scratch, gains):
                return ROOM
        elif not evaluate(work, cell, stack, plans, chosen, values, keys, gains, buckets, out):
            return ROOM
    return DONE


def begin(
    work: Any, depth: int, number: int, stack: Ints, plans: Ints, chosen: Ints, values: Numbers, out: Ints
) -> bool:
    """Push the table at this depth with all its plans; return whether there was room."""
    frame = HEAD + FRAME * depth
    rows = list_plans(work, depth, 0, stack, plans, out)
    columns = list_plans(work, depth, 1, stack, plans, out)
    first, choice = 0, 0
    if depth > 0:
        above = frame - FRAME
        first = stack[above + VALUES] + stack[above + ROWS] * stack[above + COLUMNS]
        choice = stack[above + CHOSEN] + stack[above + ROWS] + stack[above + COLUMNS]
    if first + rows * columns > len(values) or choice + 2 * (rows + columns) > len(chosen):
        return False
    for cell in range(first, first + rows * columns):
        values[cell] = UNKNOWN
    stack[DEPTH], stack[frame + NUMBER] = depth, number
    stack[frame + ROWS], stack[frame + COLUMNS] = rows, columns
    stack[frame + VALUES], stack[frame + CHOSEN] = first, choice
    choose_first(frame, stack, chosen)
    return True


def choose_first(frame: int, stack: Ints, chosen: Ints) -> None:
    """Choose the first plan of each side."""
    stack[frame + CHOSEN_ROWS], stack[frame + CHOSEN_COLUMNS] = 1, 1
    chosen[stack[frame + CHOSEN]], chosen[stack[frame + CHOSEN] + stack[frame + ROWS]] = 0, 0
    stack[frame + ROW], stack[frame + COLUMN], stack[frame + PLACE] = 0, 0, 0


def list_plans(work: Any, depth: int, side: int, stack: Ints, plans: Ints, out: Ints) -> int:
    """List a side's actions in each pass of the round; return the number of its plans.

    In a pass without a decision of this side, the list has NOWHERE as its only action. Both seats play their first
    action to reach the next pass.
    """
    lay(work, depth + 1, work[depth])
    table = work[depth + 1]
    count = 1
    for turn in range(stack[PASSES]):
        bits = rules.actors(table)
        for other in range(2):
            seat = stack[ROW_SEAT + other]
            length = 0
            if bits >> seat & 1:
                length = rules.legal(table, seat, out)
            if other == side:
                first = list_at(depth, side, turn, stack, out)
                plans[first], plans[first + 1] = max(length, 1), NOWHERE
                for place in range(length):
                    plans[first + 1 + place] = out[place]
                count *= max(length, 1)
            if length > 0:
                rules.apply(table, seat, out[0], None)
    return count


def list_at(depth: int, side: int, turn: int, stack: Ints, out: Ints) -> int:
    """Return the offset in `plans` of a side's list of actions in the pass `turn`."""
    return ((2 * depth + side) * stack[PASSES] + turn) * (len(out) + 1)


def play_cell(work: Any, depth: int, cell: int, stack: Ints, plans: Ints, out: Ints) -> None:
    """Play the two plans of a cell from the table at `depth`; the result is the table at depth + 1."""
    lay(work, depth + 1, work[depth])
    columns = stack[HEAD + FRAME * depth + COLUMNS]
    row, column = cell // columns, cell % columns
    for turn in range(stack[PASSES]):
        first, second = list_at(depth, 0, turn, stack, out), list_at(depth, 1, turn, stack, out)
        action, answer = plans[first + 1 + row % plans[first]], plans[second + 1 + column % plans[second]]
        row, column = row // plans[first], column // plans[second]
        if action != NOWHERE:
            rules.apply(work[depth + 1], stack[ROW_SEAT], action, None)
        if answer != NOWHERE:
            rules.apply(work[depth + 1], stack[COLUMN_SEAT], answer, None)


def lead(table: Any, stack: Ints) -> int:
    """Return the row seat's score minus the column seat's."""
    more: int = rules.score(table, stack[ROW_SEAT]) - rules.score(table, stack[COLUMN_SEAT])
    return more


def next_cell(stack: Ints, values: Numbers) -> int:
    """Return the next cell of the top position that is needed and unknown; NOWHERE if none is left.

    The cells of the latest chosen row come first, then those of the latest chosen column. If the whole first matrix
    must be filled, all its cells are needed in the end.
    """
    frame = HEAD + FRAME * stack[DEPTH]
    rows, columns = stack[frame + ROWS], stack[frame + COLUMNS]
    first = stack[frame + VALUES]
    place = stack[frame + PLACE]
    cell = NOWHERE
    if stack[frame + ROW] == NOWHERE:
        while place < rows * columns and values[first + place] != UNKNOWN:
            place += 1
        if place < rows * columns:
            cell = place
    else:
        while cell == NOWHERE and place < rows + columns:
            candidate = stack[frame + ROW] * columns + place
            if place >= columns:
                candidate = (place - columns) * columns + stack[frame + COLUMN]
            if values[first + candidate] == UNKNOWN:
                cell = candidate
            else:
                place += 1
    stack[frame + PLACE] = place
    return cell


def evaluate(
    work: Any,
    cell: int,
    stack: Ints,
    plans: Ints,
    chosen: Ints,
    values: Numbers,
    keys: Ints,
    gains: Numbers,
    buckets: Ints,
    out: Ints,
) -> bool:
    """Write the value of a cell, or push the position after it; return whether there was room."""
    depth = stack[DEPTH]
    play_cell(work, depth, cell, stack, plans, out)
    change = lead(work[depth + 1], stack) - lead(work[depth], stack)
    here = stack[HEAD + FRAME * depth + VALUES] + cell
    if rules.rounds_left(work[depth + 1]) == 0:
        values[here] = change
        return True
    length = rules.outline(work[depth + 1], out)
    number = find(out, length, keys, buckets)
    if number != NOWHERE:
        values[here] = change + gains[number]
        return True
    number = size(keys)
    if not has_room(length, keys, buckets) or number == len(gains):
        return False
    if not begin(work, depth + 1, number, stack, plans, chosen, values, out):
        return False
    enter(out, rules.outline(work[depth + 1], out), keys, buckets)  # recomputed, since `begin` has overwritten `out`
    gains[number] = UNKNOWN
    return True


def improve(stack: Ints, chosen: Ints, values: Numbers, scratch: Numbers, gains: Numbers) -> bool:
    """Solve the matrix of the chosen plans and add the best replies; return whether there was room.

    If no reply gains, the position is solved and popped.
    """
    frame = HEAD + FRAME * stack[DEPTH]
    rows, columns = stack[frame + CHOSEN_ROWS], stack[frame + CHOSEN_COLUMNS]
    if (rows + 1) * (columns + 1) + rows + columns > len(scratch):
        return False
    value = 0.0
    if stack[frame + ROW] != NOWHERE:
        value = solve_chosen(frame, stack, chosen, values, scratch)
        if choose_replies(frame, value, stack, chosen, values, scratch):
            return True
        stack[SOLVED] += 1
        if stack[frame + NUMBER] != NOWHERE:
            gains[stack[frame + NUMBER]] = value
        elif stack[FULL] == 1:
            stack[frame + ROW], stack[frame + PLACE] = NOWHERE, 0
            return True
    stack[DEPTH] -= 1
    return True


def solve_chosen(frame: int, stack: Ints, chosen: Ints, values: Numbers, scratch: Numbers) -> float:
    """Return the value of the matrix of the chosen plans; write the mixtures after the tableau.

    The values are scaled to 1..2. Then the column seat's linear programme is: give each column a weight of at least 0,
    such that no row wins more than 1, and maximise the total weight. Each line of the tableau except the last is a
    constraint, with its slack at the end. The last line holds the negative gain of each weight, and the total. Pivots
    swap a line and a column until no weight gains. Among several candidates the lowest label enters or leaves, which
    guarantees termination (Bland's rule).
    """
    rows, columns = stack[frame + CHOSEN_ROWS], stack[frame + CHOSEN_COLUMNS]
    labels = stack[frame + CHOSEN] + stack[frame + ROWS] + stack[frame + COLUMNS]
    low, span = fill_tableau(frame, stack, chosen, values, scratch)
    for place in range(rows):
        chosen[labels + place] = columns + place
    for place in range(columns):
        chosen[labels + rows + place] = place
    entering = entering_column(labels, rows, columns, chosen, scratch)
    while entering != NOWHERE:
        leaving = leaving_line(entering, labels, rows, columns, chosen, scratch)
        pivot(leaving, entering, rows, columns, scratch)
        label = chosen[labels + leaving]
        chosen[labels + leaving] = chosen[labels + rows + entering]
        chosen[labels + rows + entering] = label
        entering = entering_column(labels, rows, columns, chosen, scratch)
    total = scratch[rows * (columns + 1) + columns]
    read_mixtures(labels, rows, columns, total, chosen, scratch)
    return low + (1 / total - 1) * span


def fill_tableau(frame: int, stack: Ints, chosen: Ints, values: Numbers, scratch: Numbers) -> tuple[float, float]:
    """Write the scaled matrix of the chosen plans; return its minimum and its range (1 if all values are equal)."""
    rows, columns = stack[frame + CHOSEN_ROWS], stack[frame + CHOSEN_COLUMNS]
    wide = columns + 1
    low = high = chosen_value(frame, 0, 0, stack, chosen, values)
    for row in range(rows):
        for column in range(columns):
            value = chosen_value(frame, row, column, stack, chosen, values)
            scratch[row * wide + column] = value
            low, high = min(low, value), max(high, value)
    span = high - low if high > low else 1.0
    for row in range(rows):
        for column in range(columns):
            scratch[row * wide + column] = (scratch[row * wide + column] - low) / span + 1
        scratch[row * wide + columns] = 1.0
    for column in range(columns):
        scratch[rows * wide + column] = -1.0
    scratch[rows * wide + columns] = 0.0
    return low, span


def chosen_value(frame: int, row: int, column: int, stack: Ints, chosen: Ints, values: Numbers) -> float:
    """Return the value of a cell of the matrix of the chosen plans."""
    choice = stack[frame + CHOSEN]
    line, across = chosen[choice + row], chosen[choice + stack[frame + ROWS] + column]
    return values[stack[frame + VALUES] + line * stack[frame + COLUMNS] + across] + 0.0


def entering_column(labels: int, rows: int, columns: int, chosen: Ints, scratch: Numbers) -> int:
    """Return the column with the lowest label whose weight would raise the total; NOWHERE if there is none."""
    best = NOWHERE
    for column in range(columns):
        if scratch[rows * (columns + 1) + column] < -1e-11:
            if best == NOWHERE or chosen[labels + rows + column] < chosen[labels + rows + best]:
                best = column
    return best


def leaving_line(entering: int, labels: int, rows: int, columns: int, chosen: Ints, scratch: Numbers) -> int:
    """Return the line whose constraint binds first; among equals, the line with the lowest label."""
    best, nearest = 0, -1.0
    for line in range(rows):
        steep = scratch[line * (columns + 1) + entering]
        if steep > 1e-11:
            ratio = scratch[line * (columns + 1) + columns] / steep
            is_lower = chosen[labels + line] < chosen[labels + best]
            if nearest < 0 or ratio < nearest - 1e-12 or (ratio <= nearest + 1e-12 and is_lower):
                best, nearest = line, ratio
    return best


def pivot(leaving: int, entering: int, rows: int, columns: int, scratch: Numbers) -> None:
    """Pivot the tableau: swap a line and a column."""
    wide = columns + 1
    turning = scratch[leaving * wide + entering]
    for column in range(wide):
        if column != entering:
            scratch[leaving * wide + column] /= turning
    for line in range(rows + 1):
        if line != leaving:
            steep = scratch[line * wide + entering]
            if steep != 0:
                for column in range(wide):
                    if column != entering:
                        scratch[line * wide + column] -= steep * scratch[leaving * wide + column]
            scratch[line * wide + entering] = -steep / turning
    scratch[leaving * wide + entering] = 1 / turning


def read_mixtures(labels: int, rows: int, columns: int, total: float, chosen: Ints, scratch: Numbers) -> None:
    """Write the mixture of the rows, then the mixture of the columns, after a solved tableau."""
    wide = columns + 1
    mixed = (rows + 1) * wide
    for place in range(rows + columns):
        scratch[mixed + place] = 0.0
    for line in range(rows):
        label = chosen[labels + line]
        if label < columns:
            scratch[mixed + rows + label] = max(scratch[line * wide + columns], 0.0) / total
    for column in range(columns):
        label = chosen[labels + rows + column]
        if label >= columns:
            scratch[mixed + label - columns] = max(scratch[rows * wide + column], 0.0) / total


def choose_replies(frame: int, value: float, stack: Ints, chosen: Ints, values: Numbers, scratch: Numbers) -> bool:
    """Add the best replies of both sides to the current mixtures; return whether any reply gains."""
    row, gain = best_reply(0, frame, stack, chosen, values, scratch)
    column, loss = best_reply(1, frame, stack, chosen, values, scratch)
    rows, columns = stack[frame + CHOSEN_ROWS], stack[frame + CHOSEN_COLUMNS]
    gains_more = gain > value + 1e-9 and rows < stack[frame + ROWS]
    loses_less = loss < value - 1e-9 and columns < stack[frame + COLUMNS]
    choice = stack[frame + CHOSEN]
    if gains_more:
        chosen[choice + rows] = stack[frame + ROW] = row
        stack[frame + CHOSEN_ROWS] = rows + 1
    if loses_less:
        chosen[choice + stack[frame + ROWS] + columns] = stack[frame + COLUMN] = column
        stack[frame + CHOSEN_COLUMNS] = columns + 1
    stack[frame + PLACE] = 0
    return gains_more or loses_less


def best_reply(
    side: int, frame: int, stack: Ints, chosen: Ints, values: Numbers, scratch: Numbers
) -> tuple[int, float]:
    """Return a side's best reply to the other's mixture, and its value.

    For side 0 this is the row that wins most against the chosen columns, for side 1 the column that loses least.
    """
    rows, columns = stack[frame + CHOSEN_ROWS], stack[frame + CHOSEN_COLUMNS]
    mixed, choice = (rows + 1) * (columns + 1), stack[frame + CHOSEN]
    count, stride, other_stride, sign = rows, 1, stack[frame + COLUMNS], -1
    if side == 0:
        mixed, choice = mixed + rows, choice + stack[frame + ROWS]
        count, stride, other_stride, sign = columns, stack[frame + COLUMNS], 1, 1
    best, most = 0, 0.0
    for line in range(stack[frame + ROWS + side]):
        total = 0.0
        for place in range(count):
            at = stack[frame + VALUES] + stride * line + other_stride * chosen[choice + place]
            total += scratch[mixed + place] * values[at]
        if line == 0 or sign * total > sign * most:
            best, most = line, total
    return best, most


# The results of a search, finished or not


def bound(
    work: Any,
    stack: Ints,
    plans: Ints,
    values: Numbers,
    highs: Numbers,
    keys: Ints,
    gains: Numbers,
    buckets: Ints,
    out: Ints,
) -> None:
    """Write a lower bound of each cell of the first matrix to `values`, and an upper bound to `highs`."""
    for cell in range(stack[HEAD + ROWS] * stack[HEAD + COLUMNS]):
        if values[cell] == UNKNOWN:
            play_cell(work, 0, cell, stack, plans, out)
            change = lead(work[1], stack) - lead(work[0], stack)
            row_seat, column_seat = stack[ROW_SEAT], stack[COLUMN_SEAT]
            values[cell] = change - rules.at_stake(work[1], column_seat, row_seat)
            highs[cell] = change + rules.at_stake(work[1], row_seat, column_seat)
            if rules.rounds_left(work[1]) == 0:
                values[cell] = highs[cell] = change
            else:
                number = find(out, rules.outline(work[1], out), keys, buckets)
                if number != NOWHERE and gains[number] != UNKNOWN:
                    values[cell] = highs[cell] = change + gains[number]
        else:
            highs[cell] = values[cell]


def settle(stack: Ints, chosen: Ints, values: Numbers, scratch: Numbers, row: Numbers, column: Numbers) -> float:
    """Solve the first matrix, which must have no unknown cells; return its value, or UNKNOWN if there is no room.

    The mixtures are written to `row` and `column`.
    """
    choose_first(HEAD, stack, chosen)
    while True:
        rows, columns = stack[HEAD + CHOSEN_ROWS], stack[HEAD + CHOSEN_COLUMNS]
        if (rows + 1) * (columns + 1) + rows + columns > len(scratch):
            return UNKNOWN + 0.0
        value = solve_chosen(HEAD, stack, chosen, values, scratch)
        if not choose_replies(HEAD, value, stack, chosen, values, scratch):
            break
    mixed = (rows + 1) * (columns + 1)
    for place in range(len(row)):
        row[place] = 0.0
    for place in range(len(column)):
        column[place] = 0.0
    for place in range(rows):
        row[chosen[place]] = scratch[mixed + place]
    for place in range(columns):
        column[chosen[stack[HEAD + ROWS] + place]] = scratch[mixed + rows + place]
    return value
