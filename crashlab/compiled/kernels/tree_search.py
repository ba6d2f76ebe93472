"""Monte Carlo tree search for all seats at once, each with a tree of its own (decoupled UCT, open loop).

Plain functions for backends. A seat's path is the sequence of its own decisions and of the public decisions that others
made alone. Simultaneous secret decisions and chance are sampled again in every playout and are not on the path, so a
tree holds only what its seat can know.

All trees are stored in two arrays of equal length, initially zeros. An *edge* is an action of a path. It takes two
places in each array:

    trees[edge], trees[edge + 1]    the first node below it, 0 for none; its visits
    values[edge], values[edge + 1]  its mean value; 1 / sqrt(its visits)

Edge ROOT * seat is the root of the seat's tree. In `values` it has three numbers: the mean of the seat's values, their
mean absolute deviation, and the largest value that this deviation has had. Exploration is multiplied by the third (if
it could shrink, a safe action would keep the seat from ever retrying an action that failed once).

A *node* is a seat and a list of codes below an edge: the legal actions at a decision of the tree's own seat, or the one
code played at a decision of another seat. If the same path leads to a different list, another node is added below the
edge, so an illegal action is never played. A node consists of

    SIZE places for the fields named below, two places for each edge, one place for each code; in `values` the latter
    places hold a sum for each edge, in the order of the edges: the sum of the squares of its values

The edges of a node are stored in order of expansion: edge n is for the code at index (START + n * LEAP) % ACTIONS. At a
seat's first decision FIRST_CHILDREN actions are expanded before any is selected again, and in a longer list one more
for every FIRST_VISITS visits (progressive widening). At later decisions the number of expanded actions stays near the
square root of the visits, since long lists would never be fully expanded.

The other arrays:

    paths   the used length of the trees; then for each seat its current edge, or NOWHERE if it has left its tree, the
            number of its steps, and STEPS pairs of node and edge: its own decisions in this playout
    ucb     two numbers for each n: sqrt(log(n)) and 1 / sqrt(n)
"""

from typing import Any

from crashlab.compiled.kernels.flat_search import play_sensibly, worth
from crashlab.compiled.kernels.random_play import begin_luck, decide
from crashlab.engine.chance import next_luck
from crashlab.engine.table import CHANCE, NOWHERE, Ints, Numbers, lay

rules: Any = None  # the rules of a game, bound by a backend

# The fields of a node: the next node of the same edge, the deciding seat, the number of actions, the number of expanded
# actions, the visits, and the start and step of the order in which the actions are expanded.
NEXT, ACTOR, ACTIONS, CHILDREN, VISITS, START, LEAP = range(7)
SIZE = 8
ROOT = 4  # size of the root of a seat's tree
STEPS = 32  # longest path of own decisions; later decisions in a playout are not in the tree
PATH = 2 + 2 * STEPS  # size of a seat's part of `paths`
FIRST_CHILDREN = 200  # actions expanded at a seat's first decision before any is selected again
FIRST_VISITS = 8  # visits for each further action expanded there
LEAF_VISITS = 4  # visits of an edge before a node is added below it
# primes longer than any list, so that steps of this size visit every index
LEAPS = (1000003, 1000033, 1000037, 1000039)


def grow(
    worlds: Any,
    first: int,
    playouts: int,
    decisions: int,
    seats: int,
    wins: int,
    exploration: float,
    room: int,
    seed: Ints,
    luck: Ints,
    out: Ints,
    work: Any,
    trees: Ints,
    values: Numbers,
    paths: Ints,
    ucb: Numbers,
) -> int:
    """Add `playouts` playouts of `decisions` decisions each to trees of `room` places; return `playouts`.

    The playouts are numbered from `first`.
    """
    for number in range(first, first + playouts):
        lay(work, 0, worlds[number % len(worlds)])
        begin_luck(luck, seed, number)
        paths[0] = max(paths[0], ROOT * seats)
        for seat in range(seats):  # each seat starts at the root of its tree
            paths[1 + PATH * seat], paths[2 + PATH * seat] = ROOT * seat, 0
        played = descend(work[0], decisions, seats, exploration, room, luck, out, trees, values, paths, ucb)
        play_sensibly(work[0], decisions - played if decisions != NOWHERE else NOWHERE, luck, out)  # the rollout
        rules.evaluate(work[0], out)
        for seat in range(seats):
            backpropagate(seat, number + 1, worth(work[0], seat, seats, wins, out), trees, values, paths, ucb)
    return playouts


def descend(
    table: Any,
    decisions: int,
    seats: int,
    exploration: float,
    room: int,
    luck: Ints,
    out: Ints,
    trees: Ints,
    values: Numbers,
    paths: Ints,
    ucb: Numbers,
) -> int:
    """Play until every seat has left its tree; return the number of decisions with a choice."""
    played = 0
    bits = rules.actors(table)
    while bits != 0 and played != decisions and anybody_in_tree(seats, paths):
        free = False
        if bits == CHANCE:
            free = decide(table, bits, luck, out, None)
        for actor in range(seats):
            if bits != CHANCE and bits >> actor & 1:
                action = rules.only_action(table, actor, out)
                if action == NOWHERE:
                    free = True
                    action = select(table, actor, exploration, room, luck, out, trees, values, paths, ucb)
                if bits == 1 << actor:
                    observe(actor, action, seats, room, luck, out, trees, paths)
                rules.apply(table, actor, action, None)
        if free:
            played += 1
        bits = rules.actors(table)
    return played


def anybody_in_tree(seats: int, paths: Ints) -> bool:
    """Return whether any seat is still in its tree."""
    for seat in range(seats):
        if paths[1 + PATH * seat] != NOWHERE:
            return True
    return False


def select(
    table: Any,
    seat: int,
    exploration: float,
    room: int,
    luck: Ints,
    out: Ints,
    trees: Ints,
    values: Numbers,
    paths: Ints,
    ucb: Numbers,
) -> int:
    """Choose a seat's action: in its tree a new child or the best by UCB, outside it by the rollout policy."""
    here = 1 + PATH * seat
    if paths[here] == NOWHERE:
        action: int = rules.rollout_policy(table, seat, luck, out)
        return action
    count: int = rules.legal(table, seat, out)
    node = node_at(paths[here], seat, count, room, luck, out, trees, paths)
    if node == 0 or paths[here + 1] == STEPS:
        paths[here] = NOWHERE
        return out[next_luck(luck) * count >> 31]
    children, visits = trees[node + CHILDREN], trees[node + VISITS]
    may_expand = children * children <= visits
    if paths[here + 1] == 0:  # the seat's first decision in this playout
        may_expand = children < FIRST_CHILDREN or FIRST_VISITS * children <= visits
    if children < count and may_expand:
        child = children
        trees[node + CHILDREN] = children + 1
    else:
        width = exploration * values[ROOT * seat + 2] * ucb[2 * visits]
        child = best_child(node + SIZE, children, width, values)
    edge, step = node + SIZE + 2 * child, here + 2 + 2 * paths[here + 1]
    paths[here], paths[here + 1], paths[step], paths[step + 1] = edge, paths[here + 1] + 1, node, edge
    if trees[edge + 1] < LEAF_VISITS:
        paths[here] = NOWHERE
    return out[(trees[node + START] + child * trees[node + LEAP]) % count]


def best_child(first: int, count: int, width: float, values: Numbers) -> int:
    """Return the index of the edge (of `count`) with the highest bound: its mean plus `width` / sqrt(visits)."""
    if first < 0:  # never; see `same`
        return NOWHERE
    best, most = 0, values[first] + width * values[first + 1]
    for place in range(1, count):
        bound = values[first + 2 * place] + width * values[first + 2 * place + 1]
        if bound > most:
            best, most = place, bound
    return best


def observe(actor: int, action: int, seats: int, room: int, luck: Ints, out: Ints, trees: Ints, paths: Ints) -> None:
    """Advance the other seats in their trees by the action that one actor has chosen alone.

    A seat leaves its tree if the tree has no node for this action; the node is added for later playouts if there is
    room.
    """
    out[0] = action
    for seat in range(seats):
        here = 1 + PATH * seat
        if seat != actor and paths[here] != NOWHERE:
            used = paths[0]
            node = node_at(paths[here], actor, 1, room, luck, out, trees, paths)
            paths[here] = node + SIZE if 0 < node < used else NOWHERE


def node_at(edge: int, actor: int, count: int, room: int, luck: Ints, out: Ints, trees: Ints, paths: Ints) -> int:
    """Return the node of the codes in `out` below an edge; add it if missing, or return 0 if there is no room."""
    node = trees[edge]
    while node != 0:
        if trees[node + ACTOR] == actor and trees[node + ACTIONS] == count:
            if same(node + SIZE + 2 * count, count, trees, out):
                return node
        node = trees[node + NEXT]
    node = paths[0]
    if node + SIZE + 3 * count > room:
        return 0
    paths[0] = node + SIZE + 3 * count
    chance = next_luck(luck)
    trees[node + NEXT], trees[node + ACTOR], trees[node + ACTIONS] = trees[edge], actor, count
    trees[node + START], trees[node + LEAP] = chance * count >> 31, LEAPS[chance & 3]
    for place in range(count):
        trees[node + SIZE + 2 * count + place] = out[place]
    trees[edge] = node
    return node


def same(first: int, count: int, trees: Ints, out: Ints) -> bool:
    """Return whether trees[first : first + count] equals the start of `out`; the loop has no branch, for speed."""
    different = 0
    if first < 0:  # never true, but shows the compiler that no index is negative, so that it compares four at once
        return False
    for place in range(count):
        different |= trees[first + place] ^ out[place]
    return different == 0


def backpropagate(
    seat: int, playouts: int, value: float, trees: Ints, values: Numbers, paths: Ints, ucb: Numbers
) -> None:
    """Add a value to the root of the seat's tree and to every node and edge of its path."""
    root = ROOT * seat
    away = value - values[root] if playouts > 1 else 0.0
    values[root] += (value - values[root]) / playouts
    values[root + 1] += (abs(away) - values[root + 1]) / playouts
    values[root + 2] = max(values[root + 2], values[root + 1])
    here = 1 + PATH * seat
    for step in range(here + 2, here + 2 + 2 * paths[here + 1], 2):
        node, edge = paths[step], paths[step + 1]
        visits = trees[edge + 1] + 1
        trees[edge + 1] = visits
        trees[node + VISITS] += 1
        values[edge] += (value - values[edge]) / visits
        values[edge + 1] = ucb[2 * visits + 1]
        values[node + SIZE + 2 * trees[node + ACTIONS] + (edge - node - SIZE) // 2] += value * value
