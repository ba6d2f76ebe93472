"""Retrograde analysis: all positions that can be reached from one are met, and then solved from the end backwards.

Functions for bodies; `lines_of_play` tells what else they take. A position has a number, in the order in which they
are met. Of each there is in

    places   where its key begins in `keys`; that of the next one ends ENTRY numbers before
    actors   who decides, as bits
    ends     how the race stands; once it is solved, how it ends
    firsts   where its links begin, before those of the next one
    links    where its actions lead, in their order
    steps    how many decisions it is from the end

`codes` are the actions of the position that is looked at, and `head` HEAD numbers about the search.
"""

from typing import Any

from crashlab.compiled.kernels.hash_table import enter, find, has_room, key_end, known, next_key
from crashlab.compiled.kernels.lines_of_play import NOBODY, note_fields, play, seat_of, settle
from crashlab.engine.table import NOWHERE, Ints, amend, differences, resemble

rules: Any = None  # the rules of a game; bound by a body

# How a search comes back: it is over, it can go on, it can go on in longer rows, once it is said how the race stands
# where that is UNASKED, or never, since a position is none of such a race.
DONE, MORE, ROOM, ASK, ODD = range(5)

# How many positions were looked at, how many actions the next one has, and how many of them were tried, how many links
# there are; whether who scores first wins, and what the two seats had at the start.
LOOKED, COUNT, TRIED, LINKS, FIRST_WINS, SCORE, OTHER_SCORE = range(7)
HEAD = 7

UNASKED, OPEN, DRAWN, WON = range(4)  # how a race stands; a seat has won it: WON + seat

START, HERE, THERE = range(3)  # the tables: the first one, that of the position that is looked at, and one behind it


def explore(
    until: int,
    most: int,
    head: Ints,
    codes: Ints,
    places: Ints,
    actors: Ints,
    ends: Ints,
    firsts: Ints,
    links: Ints,
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
    """Look at the positions in their order until `until` are looked at, or more than `most` are known."""
    if known(keys) == 0:
        bits = settle(work[THERE], out, trace)
        meet(bits, head, places, actors, ends, work, flat, fields, key, keys, buckets, trace, counts)
    while head[LOOKED] < known(keys):
        here = head[LOOKED]
        if head[TRIED] < head[COUNT]:
            if not has_room(len(key), keys, buckets) or known(keys) + 2 > len(places) or head[LINKS] == len(links):
                return ROOM
            resemble(flat, THERE, HERE, fields)
            bits = play(work[THERE], seat_of(actors[here]), codes[head[TRIED]], out, trace)
            links[head[LINKS]] = meet(
                bits, head, places, actors, ends, work, flat, fields, key, keys, buckets, trace, counts
            )
            head[LINKS] += 1
            head[TRIED] += 1
        elif head[COUNT] > 0 or ends[here] > OPEN:
            head[COUNT], head[TRIED] = 0, 0
            head[LOOKED] = here + 1
            firsts[here + 1] = head[LINKS]
        elif here >= until or known(keys) > most:
            return MORE
        elif ends[here] == UNASKED:
            return ASK
        elif seat_of(actors[here]) == NOBODY:
            return ODD
        else:
            resemble(flat, HERE, START, fields)
            amend(flat, HERE, fields, keys, places[here], key_end(places[here], keys))
            head[COUNT] = rules.legal(work[HERE], seat_of(actors[here]), codes)
    return DONE


def meet(
    bits: int,
    head: Ints,
    places: Ints,
    actors: Ints,
    ends: Ints,
    work: Any,
    flat: Any,
    fields: Ints,
    key: Ints,
    keys: Ints,
    buckets: Ints,
    trace: Any,
    counts: Ints,
) -> int:
    """The number of the position behind an action, a new one if it was not met before."""
    note_fields(trace, counts, fields)
    length = differences(flat, THERE, START, fields, key, 0)
    number = find(key, length, keys, buckets)
    if number == NOWHERE:
        place = next_key(keys)
        number = enter(key, length, keys, buckets)
        places[number], actors[number] = place, bits
        ends[number] = standing(work[THERE], bits, head)
    return number


def standing(table: Any, bits: int, head: Ints) -> int:
    """How the race stands, where who scores first wins; at the end of the game its winner has won."""
    if head[FIRST_WINS] == 0:
        return UNASKED
    first, second = rules.score(table, 0) > head[SCORE], rules.score(table, 1) > head[OTHER_SCORE]
    if first != second:
        return WON if first else WON + 1
    if bits != 0:
        return OPEN
    won = rules.winners(table)
    return WON + won - 1 if won == 1 or won == 2 else DRAWN


def solve(
    positions: int,
    actors: Ints,
    ends: Ints,
    firsts: Ints,
    links: Ints,
    steps: Ints,
    ways: Ints,
    befores: Ints,
    before: Ints,
    queue: Ints,
) -> int:
    """Who wins each position, from the end backwards: first those that are decided, then those one decision before.

    Since they are settled in the order of their distance, a win is found by its shortest way, and a loss when the last
    and longest way out of it is closed. What stays OPEN is a draw. How many are won is returned.

    `ways` are the actions that are not known to lose; `before` the positions from which an action leads to one, which
    begin at `befores`; `queue` the positions that are settled.
    """
    turn_round(positions, firsts, links, befores, before)
    settled = 0
    for number in range(positions):
        ways[number] = firsts[number + 1] - firsts[number]
        if ends[number] >= WON:
            queue[settled] = number
            settled += 1
    done = 0
    while done < settled:
        here = queue[done]
        done += 1
        for place in range(befores[here], befores[here + 1]):
            number = before[place]
            ways[number] -= 1
            if ends[number] == OPEN and (WON + seat_of(actors[number]) == ends[here] or ways[number] == 0):
                ends[number], steps[number] = ends[here], steps[here] + 1
                queue[settled] = number
                settled += 1
    return settled


def turn_round(positions: int, firsts: Ints, links: Ints, befores: Ints, before: Ints) -> None:
    """Sort the links by where they lead; `before` takes where they come from."""
    for place in range(firsts[positions]):
        befores[links[place]] += 1
    total = 0
    for number in range(positions):
        total += befores[number]
        befores[number] = total  # where those of this position end; each one that is written is put before that
    befores[positions] = total
    for number in range(positions - 1, -1, -1):
        for place in range(firsts[number], firsts[number + 1]):
            befores[links[place]] -= 1
            before[befores[links[place]]] = number
