"""Retrograde analysis: find all positions reachable from one, then solve them backwards from the end.

Functions for backends, as in `lines_of_play`. Positions are numbered in order of discovery.
"""

from typing import Any, NamedTuple

from crashlab.compiled.kernels.hash_table import enter, find, has_room, key_end, next_key, size
from crashlab.compiled.kernels.lines_of_play import NOBODY, Lines, note_fields, play, seat_of, settle
from crashlab.engine.table import NOWHERE, Ints, apply_pairs, copy_moving, write_pairs

rules: Any = None  # the rules of a game, bound by a backend

# The result of a search call: it is over, it can continue, it needs longer arrays, it needs the standing of a position
# that is UNASKED, or it cannot continue, since a position does not belong to a race of two.
DONE, MORE, ROOM, ASK, ODD = range(5)

# Indexes of `head`: how many positions are finished, how many actions the current position has, how many of these were
# tried, and how many links there are; whether the first to score wins, and the scores of the two seats at the start.
LOOKED, COUNT, TRIED, LINKS, FIRST_WINS, SCORE, OTHER_SCORE = range(7)
HEAD = 7

UNASKED, OPEN, DRAWN, WON = range(4)  # the standing of a race; WON + seat if a seat has won it

START, HERE, THERE = range(3)  # the tables: the first, the current position, and the position after an action


class RaceGraph(NamedTuple):
    """The rows about the search and its positions."""

    head: Ints  # HEAD numbers about the search
    codes: Ints  # the actions of the current position
    places: Ints  # by position: the offset of its key in `keys`
    actors: Ints  # by position: the deciding seats, as bits
    ends: Ints  # by position: the standing of the race; once solved, its outcome
    firsts: Ints  # by position: the offset of its links, which end at the next position's offset
    links: Ints  # for each position the positions after its actions, in their order
    steps: Ints  # by position: the number of decisions to the end, once solved


def explore(until: int, most: int, graph: RaceGraph, lines: Lines) -> int:
    """Expand positions until `until` are expanded or more than `most` known; return DONE, MORE, ROOM, ASK or ODD."""
    head, keys = graph.head, lines.keys
    if size(keys) == 0:
        meet(settle(lines.work[THERE], lines.out, lines.trace), graph, lines)
    while head[LOOKED] < size(keys):
        here = head[LOOKED]
        if head[TRIED] < head[COUNT]:
            if (
                not has_room(len(lines.key), keys, lines.buckets)
                or size(keys) + 2 > len(graph.places)
                or head[LINKS] == len(graph.links)
            ):
                return ROOM
            copy_moving(lines.work, THERE, HERE, lines.fields)
            bits = play(
                lines.work[THERE], seat_of(graph.actors[here]), graph.codes[head[TRIED]], lines.out, lines.trace
            )
            graph.links[head[LINKS]] = meet(bits, graph, lines)
            head[LINKS] += 1
            head[TRIED] += 1
        elif head[COUNT] > 0 or graph.ends[here] > OPEN:
            head[COUNT], head[TRIED] = 0, 0
            head[LOOKED] = here + 1
            graph.firsts[here + 1] = head[LINKS]
        elif here >= until or size(keys) > most:
            return MORE
        elif graph.ends[here] == UNASKED:
            return ASK
        elif seat_of(graph.actors[here]) == NOBODY:
            return ODD
        else:
            copy_moving(lines.work, HERE, START, lines.fields)
            apply_pairs(lines.work, HERE, lines.fields, keys, graph.places[here], key_end(graph.places[here], keys))
            head[COUNT] = rules.legal(lines.work[HERE], seat_of(graph.actors[here]), graph.codes)
    return DONE


def meet(bits: int, graph: RaceGraph, lines: Lines) -> int:
    """Return the number of the position after an action; add it if it is new."""
    note_fields(lines)
    length = write_pairs(lines.work, THERE, START, lines.fields, lines.key, 0)
    number = find(lines.key, length, lines.keys, lines.buckets)
    if number == NOWHERE:
        place = next_key(lines.keys)
        number = enter(lines.key, length, lines.keys, lines.buckets)
        graph.places[number], graph.actors[number] = place, bits
        graph.ends[number] = standing(lines.work[THERE], bits, graph.head)
    return number


def standing(table: Any, bits: int, head: Ints) -> int:
    """Return the standing of a race that the first to score wins; UNASKED for other races.

    If the game ends before that, the winner of the game has won the race.
    """
    if head[FIRST_WINS] == 0:
        return UNASKED
    first, second = rules.score(table, 0) > head[SCORE], rules.score(table, 1) > head[OTHER_SCORE]
    if first != second:
        return WON if first else WON + 1
    if bits != 0:
        return OPEN
    winners = rules.winners(table)
    return WON + winners - 1 if winners == 1 or winners == 2 else DRAWN


def solve(positions: int, graph: RaceGraph, ways: Ints, befores: Ints, before: Ints, queue: Ints) -> int:
    """Write the winner of each position to `ends`, backwards from the end; return how many positions are won.

    Positions are settled in order of distance, so a win is found along its shortest path, and a loss when the last and
    longest escape is closed. Positions that stay OPEN are draws.

    `ways` counts a position's actions that are not known to lose; `before` holds the predecessors of each position,
    from the index in `befores` on; `queue` holds the settled positions.
    """
    ends, steps = graph.ends, graph.steps
    turn_round(positions, graph.firsts, graph.links, befores, before)
    settled = 0
    for number in range(positions):
        ways[number] = graph.firsts[number + 1] - graph.firsts[number]
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
            if ends[number] == OPEN and (WON + seat_of(graph.actors[number]) == ends[here] or ways[number] == 0):
                ends[number], steps[number] = ends[here], steps[here] + 1
                queue[settled] = number
                settled += 1
    return settled


def turn_round(positions: int, firsts: Ints, links: Ints, befores: Ints, before: Ints) -> None:
    """Write the predecessors of each position to `before`, and their offsets to `befores`."""
    for place in range(firsts[positions]):
        befores[links[place]] += 1
    total = 0
    for number in range(positions):
        total += befores[number]
        befores[number] = total  # the end of its predecessors, which are then written backwards
    befores[positions] = total
    for number in range(positions - 1, -1, -1):
        for place in range(firsts[number], firsts[number + 1]):
            befores[links[place]] -= 1
            before[befores[links[place]]] = number
