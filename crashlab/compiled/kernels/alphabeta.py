"""Minimax with alpha-beta pruning and chance nodes: the values of all actions at the first table.

Plain functions for backends, as in `lines_of_play`. The key of a position begins with the number of decisions to look
ahead from it.

The positions on the current path form a stack. Each has a table of `work`, and parts of `stack`, `windows` and `lists`.
The first table is at the bottom of the stack, and its actions are parameters.
"""

from typing import Any, NamedTuple

from crashlab.compiled.kernels.flat_search import lead
from crashlab.compiled.kernels.hash_table import enter, find, has_room, size
from crashlab.compiled.kernels.lines_of_play import NOBODY, Lines, note_fields, play, seat_of
from crashlab.engine.table import CHANCE, NOWHERE, Ints, Numbers, copy_moving, write_pairs

rules: Any = None  # the rules of a game, bound by a backend

DONE, MORE, ROOM = range(3)  # the result of a search call: it is over, it can continue, it needs longer arrays
FAR = 1 << 40  # more than any lead
UNKNOWN = 1 << 41

# Indexes of the numbers about the whole search: the top position of the stack, the number of positions searched, the
# seat that searches, and whether the search continues past chance.
TOP, MET, SEAT, WITH_CHANCE = range(4)
HEAD = 4

# Indexes of the numbers about a position: its actor, the number of decisions to look ahead, its number in the hash
# table, the offset of its actions in `lists`, the count of these actions, how many of them were tried, and the code of
# the latest one tried.
ACTOR, DEPTH, NUMBER, FIRST, COUNT, BEGUN, CODE = range(7)
FRAME = 7

# Indexes of the numbers of a window: the values that the two sides have secured elsewhere, now (ALPHA, BETA) and when
# the position was entered (LOW, HIGH); the position's best value so far. For chance, BEST is the weighted sum of the
# values so far, and WEIGHT the sum of their weights.
ALPHA, BETA, LOW, HIGH, BEST, WEIGHT = range(6)
WINDOW = 6


class SearchTree(NamedTuple):
    """The rows of a search tree: its results, the known positions by number, and the positions of the current path."""

    results: Numbers  # for each action at the first table its value, and how many positions were searched by then
    bounds: Numbers  # by known position: a lower and an upper bound of its value
    likely: Ints  # by known position: 1 + the code of its best action so far, 0 for none
    stack: Ints  # HEAD numbers about the whole search, then FRAME numbers for each position of the path
    windows: Numbers  # WINDOW numbers for each position of the path
    lists: Ints  # for each position of the path its actions, followed by the promise or the weight of each
    cuts: Ints  # history scores of the actions of a seat, whatever the position, by a hash; few share an entry


def begin(codes: Ints, depth: int, alpha: float, beta: float, stack: Ints, windows: Numbers, lists: Ints) -> None:
    """Start a search of `depth` decisions over the seat's actions; their `codes` must fit into the arrays."""
    stack[TOP] = 0
    stack[HEAD + ACTOR], stack[HEAD + DEPTH], stack[HEAD + NUMBER] = stack[SEAT], depth, NOWHERE
    stack[HEAD + FIRST], stack[HEAD + COUNT], stack[HEAD + BEGUN] = 0, len(codes), 0
    for place in range(len(codes)):
        lists[place], lists[len(codes) + place] = codes[place], 0
    open_window(alpha, beta, stack, windows)


def look_ahead(until: int, tree: SearchTree, lines: Lines) -> int:
    """Search until all values are found or `until` positions were searched; return DONE, MORE or ROOM."""
    stack = tree.stack
    while stack[TOP] > 0 or stack[HEAD + BEGUN] < stack[HEAD + COUNT]:
        frame = HEAD + FRAME * stack[TOP]
        if stack[frame + BEGUN] == stack[frame + COUNT]:
            value = leave(tree.bounds, stack, tree.windows)
        elif stack[MET] >= until:
            return MORE
        elif not is_roomy(tree, lines):
            return ROOM
        else:
            choose(stack, tree.lists)
            copy_moving(lines.work, stack[TOP] + 1, stack[TOP], lines.fields)
            bits = play(lines.work[stack[TOP] + 1], stack[frame + ACTOR], stack[frame + CODE], lines.out, lines.trace)
            note_fields(lines)
            stack[MET] += 1
            value = come(bits, tree, lines)
        if value != UNKNOWN:
            hand_up(value, tree.results, tree.likely, stack, tree.windows, tree.lists, tree.cuts)
    return DONE


def is_roomy(tree: SearchTree, lines: Lines) -> bool:
    """Return whether the arrays have room for one more position and its actions."""
    frame = HEAD + FRAME * tree.stack[TOP]
    used = tree.stack[frame + FIRST] + 2 * tree.stack[frame + COUNT]
    return (
        tree.stack[TOP] + 2 < len(lines.work)
        and used + 2 * len(lines.out) <= len(tree.lists)
        and size(lines.keys) < len(tree.likely)
        and has_room(len(lines.key), lines.keys, lines.buckets)
    )


def choose(stack: Ints, lists: Ints) -> None:
    """Take the most promising untried action of the top position; for chance, the next outcome."""
    frame = HEAD + FRAME * stack[TOP]
    first, count = stack[frame + FIRST] + stack[frame + BEGUN], stack[frame + COUNT]
    best = first
    if stack[frame + ACTOR] != CHANCE:
        for place in range(first + 1, stack[frame + FIRST] + count):
            if lists[place + count] > lists[best + count]:
                best = place
        code, promise = lists[best], lists[best + count]
        while best > first:  # shift the actions before it, so that actions of equal promise keep their order
            lists[best], lists[best + count] = lists[best - 1], lists[best - 1 + count]
            best -= 1
        lists[first], lists[first + count] = code, promise
    stack[frame + CODE] = lists[first]
    stack[frame + BEGUN] += 1


def come(bits: int, tree: SearchTree, lines: Lines) -> float:
    """Return the value of the position after the latest action; if it must be searched, push it and return UNKNOWN."""
    stack, bounds, key = tree.stack, tree.bounds, lines.key
    top = stack[TOP]
    frame = HEAD + FRAME * top
    alpha, beta = tree.windows[WINDOW * top + ALPHA], tree.windows[WINDOW * top + BETA]
    key[0] = stack[frame + DEPTH] - (stack[frame + ACTOR] != CHANCE)
    length = write_pairs(lines.work, top + 1, 0, lines.fields, key, 1)
    number = find(key, length, lines.keys, lines.buckets)
    if number == NOWHERE:
        number = enter(key, length, lines.keys, lines.buckets)
        bounds[2 * number], bounds[2 * number + 1], tree.likely[number] = -FAR, FAR, 0
    low, high = bounds[2 * number], bounds[2 * number + 1]
    if low >= beta or low == high:
        return low
    if high <= alpha:
        return high
    actor = decider(bits, key[0], stack)
    if actor == NOBODY:
        rules.evaluate(lines.work[top + 1], lines.out)
        bounds[2 * number] = bounds[2 * number + 1] = lead(stack[SEAT], 2, lines.out)
        return bounds[2 * number]
    best_before = tree.likely[number]
    if best_before == 0:
        best_before = likely_before(length, tree.likely, lines)
    stack[TOP] = top + 1
    stack[frame + FRAME + ACTOR], stack[frame + FRAME + DEPTH] = actor, key[0]
    stack[frame + FRAME + NUMBER] = number
    stack[frame + FRAME + FIRST] = stack[frame + FIRST] + 2 * stack[frame + COUNT]
    list_actions(lines.work[top + 1], best_before, stack, tree.lists, tree.cuts, lines.out)
    open_window(max(alpha, low), min(beta, high), stack, tree.windows)
    return UNKNOWN + 0.0


def decider(bits: int, depth: int, stack: Ints) -> int:
    """Return the only actor with a choice; NOBODY if the position is evaluated without a further search."""
    if depth == 0 or (bits == CHANCE and stack[WITH_CHANCE] == 0):
        return NOBODY
    return CHANCE if bits == CHANCE else seat_of(bits)


def likely_before(length: int, likely: Ints, lines: Lines) -> int:
    """Return 1 + the code of the best action found by the search one decision shallower; 0 if there is none."""
    lines.key[0] -= 1
    number = find(lines.key, length, lines.keys, lines.buckets)
    lines.key[0] += 1
    return 0 if number == NOWHERE else likely[number]


def list_actions(table: Any, best_before: int, stack: Ints, lists: Ints, cuts: Ints, out: Ints) -> None:
    """Write the actions of the top position, then the promise of each; for chance, the outcomes and their weights."""
    frame = HEAD + FRAME * stack[TOP]
    actor, first = stack[frame + ACTOR], stack[frame + FIRST]
    count = rules.legal(table, actor, out)
    stack[frame + COUNT], stack[frame + BEGUN] = count, 0
    for place in range(count):
        lists[first + place] = out[place]
    if actor == CHANCE:
        rules.odds(table, out)
    for place in range(count):
        if actor == CHANCE:
            lists[first + count + place] = out[place]
        elif lists[first + place] + 1 == best_before:
            lists[first + count + place] = FAR
        else:
            lists[first + count + place] = cuts[cut_at(actor, lists[first + place], cuts)]


def open_window(low: float, high: float, stack: Ints, windows: Numbers) -> None:
    """Set the window of the top position; at a decision of chance it is unbounded."""
    actor, window = stack[HEAD + FRAME * stack[TOP] + ACTOR], WINDOW * stack[TOP]
    if actor == CHANCE:
        low, high = -FAR + 0.0, FAR + 0.0
        windows[window + BEST] = 0.0
    else:
        windows[window + BEST] = -FAR if actor == stack[SEAT] else FAR
    windows[window + ALPHA], windows[window + BETA] = low, high
    windows[window + LOW], windows[window + HIGH], windows[window + WEIGHT] = low, high, 0.0


def hand_up(
    value: float, results: Numbers, likely: Ints, stack: Ints, windows: Numbers, lists: Ints, cuts: Ints
) -> None:
    """Record the value of the latest action of the top position; skip its other actions on a cutoff."""
    frame, window = HEAD + FRAME * stack[TOP], WINDOW * stack[TOP]
    actor, count = stack[frame + ACTOR], stack[frame + BEGUN]
    if stack[TOP] == 0:
        results[2 * count - 2], results[2 * count - 1] = value, stack[MET]
        return
    if actor == CHANCE:
        weight = lists[stack[frame + FIRST] + stack[frame + COUNT] + count - 1]
        windows[window + BEST] += weight * value
        windows[window + WEIGHT] += weight
        return
    sign = 1 if actor == stack[SEAT] else -1
    if sign * value > sign * windows[window + BEST]:
        windows[window + BEST] = value
        likely[stack[frame + NUMBER]] = 1 + stack[frame + CODE]
    if sign == 1:
        windows[window + ALPHA] = max(windows[window + ALPHA], value)
    else:
        windows[window + BETA] = min(windows[window + BETA], value)
    if windows[window + ALPHA] >= windows[window + BETA]:
        stack[frame + BEGUN] = stack[frame + COUNT]
        cuts[cut_at(actor, stack[frame + CODE], cuts)] += stack[frame + DEPTH] * stack[frame + DEPTH]


def leave(bounds: Numbers, stack: Ints, windows: Numbers) -> float:
    """Pop the top position, store the bounds that follow from its value, and return the value."""
    frame, window = HEAD + FRAME * stack[TOP], WINDOW * stack[TOP]
    value, number = windows[window + BEST], stack[frame + NUMBER]
    if stack[frame + ACTOR] == CHANCE:
        value = value / windows[window + WEIGHT]
    if value > windows[window + LOW]:
        bounds[2 * number] = value
    if value < windows[window + HIGH]:
        bounds[2 * number + 1] = value
    stack[TOP] -= 1
    return value


def cut_at(actor: int, code: int, cuts: Ints) -> int:
    """Return the index of an action's history score in `cuts`."""
    return ((2 * code + actor) * 1000003 & 0x7FFFFFFF) >> 8 & len(cuts) - 1
