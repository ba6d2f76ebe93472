"""Backward induction in games whose rounds are planned in secret: every position is a matrix game.

Functions for bodies, as in `random_play`. A row of the matrix is a *plan* of the row seat, a column one of the column
seat: what a seat decides from now to the end of the round. A cell is worth the *gain*: by how much the row seat's lead
over the column seat grows to the end of the game, which of a position behind the cell is the value of its own matrix.

A matrix is seldom filled. Of each side a few plans are *chosen*, at first one; only what is chosen on one side is
tried against all plans of the other. The matrix of what is chosen is solved by linear programming, and the best
replies of both sides to that solution are chosen too, until they gain nothing (the double oracle algorithm).

What has been found is kept by the outline of a position (see `contract.Rounds`). All is kept in rows of numbers:

    stack    HEAD numbers about the whole search, then FRAME numbers for each position on the way down
    plans    the actions of each pass of planning: LISTS of a position, each its length and then the codes
    chosen   of each position its chosen rows, then its chosen columns; after the last one the labels of a programme
    values   the matrices of the positions on the stack, one behind the other; UNKNOWN where a cell is
    scratch  the tableau of a programme, then the two mixtures that solve it
    keys, buckets  the known positions (see `hash_table`), by their outlines
    gains    of each known position its value, UNKNOWN before it is found

Where a row is too short for what comes next, ROOM is returned before anything is changed.
"""

from typing import Any

from crashlab.compiled.kernels.hash_table import enter, find, has_room, known
from crashlab.engine.table import NOWHERE, Ints, lay

rules: Any = None  # the rules of a game; bound by a body

Numbers = list[float]

DONE, MORE, ROOM = range(3)  # how a search comes back: it is over, it can go on, it can go on in longer rows
UNKNOWN = 1 << 40  # more than any value

# Of the whole search: the depth of the position that is looked at (NOWHERE in the end), how many matrix games were
# solved, the two seats, the passes of a round, and whether the first matrix is filled even where its value does not
# depend on it.
DEPTH, SOLVED, ROW_SEAT, COLUMN_SEAT, PASSES, FULL = range(6)
HEAD = 6

# Of a position: how many plans there are, where its matrix and its choice begin, how many plans are chosen, the plans
# that are tried now against all others, how far that is, and its number among the known ones.
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
    """Go on until the search is over or `until` matrix games are solved: DONE, MORE or ROOM.

    An empty stack begins with the table at the first place of `work`.
    """
    if stack[SOLVED] == 0 and stack[HEAD + ROWS] == 0:
        if not begin(work, 0, NOWHERE, stack, plans, chosen, values, out):
            return ROOM
    while stack[DEPTH] != NOWHERE:
        if stack[SOLVED] >= until:
            return MORE
        cell = wanted(stack, values)
        if cell == NOWHERE:
            if not improve(stack, chosen, values, scratch, gains):
                return ROOM
        elif not evaluate(work, cell, stack, plans, chosen, values, keys, gains, buckets, out):
            return ROOM
    return DONE


def begin(
    work: Any, depth: int, number: int, stack: Ints, plans: Ints, chosen: Ints, values: Numbers, out: Ints
) -> bool:
    """Put the table at this depth on the stack, with all its plans; whether there was room for it."""
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
    """Choose the first plan of either side."""
    stack[frame + CHOSEN_ROWS], stack[frame + CHOSEN_COLUMNS] = 1, 1
    chosen[stack[frame + CHOSEN]], chosen[stack[frame + CHOSEN] + stack[frame + ROWS]] = 0, 0
    stack[frame + ROW], stack[frame + COLUMN], stack[frame + PLACE] = 0, 0, 0


def list_plans(work: Any, depth: int, side: int, stack: Ints, plans: Ints, out: Ints) -> int:
    """List what a side can decide in each pass of the round; how many plans that makes.

    Where a seat decides nothing in a pass, NOWHERE is its only choice there. The others do what they can do first.
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
    """Where a list of actions begins; `turn` is the pass."""
    return ((2 * depth + side) * stack[PASSES] + turn) * (len(out) + 1)


def play_cell(work: Any, depth: int, cell: int, stack: Ints, plans: Ints, out: Ints) -> None:
    """Play a round from the table at this depth: the plans of this cell of its matrix; it goes on one place deeper."""
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
    """What the row seat has more than the column seat."""
    more: int = rules.score(table, stack[ROW_SEAT]) - rules.score(table, stack[COLUMN_SEAT])
    return more


def wanted(stack: Ints, values: Numbers) -> int:
    """The next cell of the position on top that is needed and not known; NOWHERE if there is none.

    First the row that was chosen last, then the column; in a first matrix that is to be full, in the end all.
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
            found = stack[frame + ROW] * columns + place
            if place >= columns:
                found = (place - columns) * columns + stack[frame + COLUMN]
            if values[first + found] == UNKNOWN:
                cell = found
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
    """Find what a cell is worth, or put the position behind it on the stack; whether there was room for it."""
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
    number = known(keys)
    if not has_room(length, keys, buckets) or number == len(gains):
        return False
    if not begin(work, depth + 1, number, stack, plans, chosen, values, out):
        return False
    enter(out, rules.outline(work[depth + 1], out), keys, buckets)  # `begin` has written to `out`
    gains[number] = UNKNOWN
    return True


def improve(stack: Ints, chosen: Ints, values: Numbers, scratch: Numbers, gains: Numbers) -> bool:
    """Solve the matrix of the chosen plans and choose the best replies too; without any, the position is solved.

    It is then taken off the stack. Whether there was room for it.
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
    """The value of the matrix of the chosen plans; the mixtures are left behind the tableau.

    Scaled to lie from 1 to 2, it is this programme for the column seat: give each column a weight from 0, as much in
    total as possible, so that no row wins more than 1. In the tableau each line but the last is a limit, with what is
    left of it behind; the last one is what more of each weight would bring, negative, and the total. Line and column
    change places until nothing brings more. Of several that could, and that could leave, the one with the lowest label
    does, so that it comes to an end (Bland's rule).
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
    """Write the matrix of the chosen plans, scaled; its least value, and how much more the greatest one is."""
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
    """The value of a cell of the matrix of the chosen plans."""
    choice = stack[frame + CHOSEN]
    line, across = chosen[choice + row], chosen[choice + stack[frame + ROWS] + column]
    return values[stack[frame + VALUES] + line * stack[frame + COLUMNS] + across] + 0.0


def entering_column(labels: int, rows: int, columns: int, chosen: Ints, scratch: Numbers) -> int:
    """The column with the lowest label of those of which more brings more; NOWHERE if none does."""
    found = NOWHERE
    for column in range(columns):
        if scratch[rows * (columns + 1) + column] < -1e-11:
            if found == NOWHERE or chosen[labels + rows + column] < chosen[labels + rows + found]:
                found = column
    return found


def leaving_line(entering: int, labels: int, rows: int, columns: int, chosen: Ints, scratch: Numbers) -> int:
    """The line whose limit is reached first; of several the one with the lowest label."""
    found, nearest = 0, -1.0
    for line in range(rows):
        steep = scratch[line * (columns + 1) + entering]
        if steep > 1e-11:
            reached = scratch[line * (columns + 1) + columns] / steep
            is_lower = chosen[labels + line] < chosen[labels + found]
            if nearest < 0 or reached < nearest - 1e-12 or (reached <= nearest + 1e-12 and is_lower):
                found, nearest = line, reached
    return found


def pivot(leaving: int, entering: int, rows: int, columns: int, scratch: Numbers) -> None:
    """Have a line and a column of the tableau change places."""
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
    """Write the mixture of the rows and that of the columns behind a solved tableau."""
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
    """Choose the best replies of both sides to the mixtures of the chosen plans; whether any gains something."""
    row, won = best_reply(0, frame, stack, chosen, values, scratch)
    column, lost = best_reply(1, frame, stack, chosen, values, scratch)
    rows, columns = stack[frame + CHOSEN_ROWS], stack[frame + CHOSEN_COLUMNS]
    gains_more = won > value + 1e-9 and rows < stack[frame + ROWS]
    loses_less = lost < value - 1e-9 and columns < stack[frame + COLUMNS]
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
    """The row (side 0) that wins most against the chosen columns as they are mixed, or the column that loses least."""
    rows, columns = stack[frame + CHOSEN_ROWS], stack[frame + CHOSEN_COLUMNS]
    mixed, choice = (rows + 1) * (columns + 1), stack[frame + CHOSEN]
    count, own, other, sign = rows, 1, stack[frame + COLUMNS], -1
    if side == 0:
        mixed, choice = mixed + rows, choice + stack[frame + ROWS]
        count, own, other, sign = columns, stack[frame + COLUMNS], 1, 1
    best, most = 0, 0.0
    for line in range(stack[frame + ROWS + side]):
        total = 0.0
        for place in range(count):
            at = stack[frame + VALUES] + own * line + other * chosen[choice + place]
            total += scratch[mixed + place] * values[at]
        if line == 0 or sign * total > sign * most:
            best, most = line, total
    return best, most


# The end of a search, whether it is over or not


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
    """Have `values` hold the least that each cell of the first matrix can be worth, and `highs` the most."""
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
    """Write the mixtures that solve a first matrix without unknown cells; its value, or UNKNOWN for want of room."""
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
