"""Minimax with alpha-beta cuts and with chance: what each action at the first table is worth.

Plain functions for bodies; what else they take is told in `lines_of_play`. The key of a position begins
with how many decisions are looked ahead from there. Of each known position there is in

    bounds   two numbers between which its value lies
    likely   1 + the code of the action that was best there last, 0 for none

The positions on the way down are on a stack. A table of `work` belongs to each, and in

    stack    HEAD numbers about the whole search, then FRAME numbers of each
    windows  WINDOW numbers of each
    lists    of each its actions, and behind them how promising each one is, or how heavy an outcome of chance
    cuts     how much an action of a seat has cut off, wherever it was: in a place that few others share

At the bottom is the first table, whose actions are given. Of each of them there are in `found` its value, and how many
positions were met when that was known.
"""

from typing import Any

from crashlab.compiled.kernels.flat_search import lead
from crashlab.compiled.kernels.hash_table import enter, find, has_room, known
from crashlab.compiled.kernels.lines_of_play import NOBODY, note_fields, play, seat_of
from crashlab.engine.table import CHANCE, NOWHERE, Ints, differences, resemble

rules: Any = None  # the rules of a game; bound by a body

Numbers = list[float]

DONE, MORE, ROOM = range(3)  # how a search comes back: it is over, it can go on, it can go on in longer rows
FAR = 1 << 40  # more than any lead
UNKNOWN = 1 << 41

# Of the whole search: the place on the stack that is looked at, how many positions were met, for whom the search is,
# and whether it looks behind chance.
TOP, MET, SEAT, WITH_CHANCE = range(4)
HEAD = 4

# Of a position: who decides, how many decisions are looked ahead, its number, where its actions begin, how many there
# are, how many of them were begun, and which one was begun last.
ACTOR, DEPTH, NUMBER, FIRST, COUNT, BEGUN, CODE = range(7)
FRAME = 7

# What the two have elsewhere, now and when the position was begun; what it is worth up to now. Of a decision of chance
# the sum of the values that are known, each as often as it is heavy, and how heavy they are together.
ALPHA, BETA, LOW, HIGH, BEST, WEIGHT = range(6)
WINDOW = 6


def begin(codes: Ints, depth: int, alpha: float, beta: float, stack: Ints, windows: Numbers, lists: Ints) -> None:
    """Begin to look so many decisions ahead with these actions of the seat; there must be room for them."""
    stack[TOP] = 0
    stack[HEAD + ACTOR], stack[HEAD + DEPTH], stack[HEAD + NUMBER] = stack[SEAT], depth, NOWHERE
    stack[HEAD + FIRST], stack[HEAD + COUNT], stack[HEAD + BEGUN] = 0, len(codes), 0
    for place in range(len(codes)):
        lists[place], lists[len(codes) + place] = codes[place], 0
    open_window(alpha, beta, stack, windows)


def look_ahead(
    until: int,
    found: Numbers,
    bounds: Numbers,
    likely: Ints,
    stack: Ints,
    windows: Numbers,
    lists: Ints,
    cuts: Ints,
    work: Any,
    flat: Any,
    fields: Ints,
    key: Ints,
    keys: Ints,
    buckets: Ints,
    out: Ints,
    trace: Any,
    counts: Ints,
) -> int:
    """Go on until all is found, or `until` positions were met."""
    while stack[TOP] > 0 or stack[HEAD + BEGUN] < stack[HEAD + COUNT]:
        frame = HEAD + FRAME * stack[TOP]
        if stack[frame + BEGUN] == stack[frame + COUNT]:
            value = leave(bounds, stack, windows)
        elif stack[MET] >= until:
            return MORE
        elif not is_roomy(stack, lists, likely, work, key, keys, buckets, out):
            return ROOM
        else:
            choose(stack, lists)
            resemble(flat, stack[TOP] + 1, stack[TOP], fields)
            bits = play(work[stack[TOP] + 1], stack[frame + ACTOR], stack[frame + CODE], out, trace)
            note_fields(trace, counts, fields)
            stack[MET] += 1
            value = come(bits, bounds, likely, stack, windows, lists, cuts, work, flat, fields, key, keys, buckets, out)
        if value != UNKNOWN:
            hand_up(value, found, likely, stack, windows, lists, cuts)
    return DONE


def is_roomy(
    stack: Ints, lists: Ints, likely: Ints, work: Any, key: Ints, keys: Ints, buckets: Ints, out: Ints
) -> bool:
    """Whether the rows are long enough for one more position, and for its actions."""
    frame = HEAD + FRAME * stack[TOP]
    used = stack[frame + FIRST] + 2 * stack[frame + COUNT]
    return (
        stack[TOP] + 2 < len(work)
        and used + 2 * len(out) <= len(lists)
        and known(keys) < len(likely)
        and has_room(len(key), keys, buckets)
    )


def choose(stack: Ints, lists: Ints) -> None:
    """Begin the most promising action of the position on top; of chance simply the next outcome."""
    frame = HEAD + FRAME * stack[TOP]
    first, count = stack[frame + FIRST] + stack[frame + BEGUN], stack[frame + COUNT]
    best = first
    if stack[frame + ACTOR] != CHANCE:
        for place in range(first + 1, stack[frame + FIRST] + count):
            if lists[place + count] > lists[best + count]:
                best = place
        code, promise = lists[best], lists[best + count]
        while best > first:  # those before it move on, so that equals stay in their order
            lists[best], lists[best + count] = lists[best - 1], lists[best - 1 + count]
            best -= 1
        lists[first], lists[first + count] = code, promise
    stack[frame + CODE] = lists[first]
    stack[frame + BEGUN] += 1


def come(
    bits: int,
    bounds: Numbers,
    likely: Ints,
    stack: Ints,
    windows: Numbers,
    lists: Ints,
    cuts: Ints,
    work: Any,
    flat: Any,
    fields: Ints,
    key: Ints,
    keys: Ints,
    buckets: Ints,
    out: Ints,
) -> float:
    """What the position behind the action is worth that was begun; or it is put on the stack, and that is UNKNOWN."""
    top = stack[TOP]
    frame = HEAD + FRAME * top
    alpha, beta = windows[WINDOW * top + ALPHA], windows[WINDOW * top + BETA]
    key[0] = stack[frame + DEPTH] - (stack[frame + ACTOR] != CHANCE)
    length = differences(flat, top + 1, 0, fields, key, 1)
    number = find(key, length, keys, buckets)
    if number == NOWHERE:
        number = enter(key, length, keys, buckets)
        bounds[2 * number], bounds[2 * number + 1], likely[number] = -FAR, FAR, 0
    low, high = bounds[2 * number], bounds[2 * number + 1]
    if low >= beta or low == high:
        return low
    if high <= alpha:
        return high
    actor = decider(bits, key[0], stack)
    if actor == NOBODY:
        rules.evaluate(work[top + 1], out)
        bounds[2 * number] = bounds[2 * number + 1] = lead(stack[SEAT], 2, out)
        return bounds[2 * number]
    best_before = likely[number]
    if best_before == 0:
        best_before = likely_before(length, likely, key, keys, buckets)
    stack[TOP] = top + 1
    stack[frame + FRAME + ACTOR], stack[frame + FRAME + DEPTH] = actor, key[0]
    stack[frame + FRAME + NUMBER] = number
    stack[frame + FRAME + FIRST] = stack[frame + FIRST] + 2 * stack[frame + COUNT]
    list_actions(work[top + 1], best_before, stack, lists, cuts, out)
    open_window(max(alpha, low), min(beta, high), stack, windows)
    return UNKNOWN + 0.0


def decider(bits: int, depth: int, stack: Ints) -> int:
    """Who decides alone, if it is looked further ahead; NOBODY else, or where it is not looked behind chance."""
    if depth == 0 or (bits == CHANCE and stack[WITH_CHANCE] == 0):
        return NOBODY
    return CHANCE if bits == CHANCE else seat_of(bits)


def likely_before(length: int, likely: Ints, key: Ints, keys: Ints, buckets: Ints) -> int:
    """What was best at the position with this key when it was looked one decision less ahead."""
    key[0] -= 1
    number = find(key, length, keys, buckets)
    key[0] += 1
    return 0 if number == NOWHERE else likely[number]


def list_actions(table: Any, best_before: int, stack: Ints, lists: Ints, cuts: Ints, out: Ints) -> None:
    """Write the actions of the position on top, and how promising they are; of chance how heavy."""
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
    """Begin to look for what the position on top is worth; behind chance everything counts."""
    actor, window = stack[HEAD + FRAME * stack[TOP] + ACTOR], WINDOW * stack[TOP]
    if actor == CHANCE:
        low, high = -FAR + 0.0, FAR + 0.0
        windows[window + BEST] = 0.0
    else:
        windows[window + BEST] = -FAR if actor == stack[SEAT] else FAR
    windows[window + ALPHA], windows[window + BETA] = low, high
    windows[window + LOW], windows[window + HIGH], windows[window + WEIGHT] = low, high, 0.0


def hand_up(value: float, found: Numbers, likely: Ints, stack: Ints, windows: Numbers, lists: Ints, cuts: Ints) -> None:
    """Tell the position on top what the action is worth that was begun last; cut off what cannot matter then."""
    frame, window = HEAD + FRAME * stack[TOP], WINDOW * stack[TOP]
    actor, begun = stack[frame + ACTOR], stack[frame + BEGUN]
    if stack[TOP] == 0:
        found[2 * begun - 2], found[2 * begun - 1] = value, stack[MET]
        return
    if actor == CHANCE:
        weight = lists[stack[frame + FIRST] + stack[frame + COUNT] + begun - 1]
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
    """Take the position on top off the stack; what it is worth is written down, and returned."""
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
    """Where it is noted what an action has cut off."""
    return ((2 * code + actor) * 1000003 & 0x7FFFFFFF) >> 8 & len(cuts) - 1
