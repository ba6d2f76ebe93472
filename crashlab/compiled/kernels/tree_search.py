"""Monte Carlo tree search for all seats at once, each with a tree of its own (decoupled UCT, open loop).

Plain functions for bodies. A seat remembers what it decided and what others decided alone, before all eyes: that is
its path. What others decide at the same time in secret, and chance, is drawn anew each time and is no part of it;
so no seat knows in its tree what it cannot know.

All trees lie in two rows of the same length, zeros at first. An *edge* is an action of a path. It takes two places:

    trees[edge], trees[edge + 1]    the first node behind it, 0 for none; its visits
    values[edge], values[edge + 1]  its mean value; one by the root of its visits

Edge ROOT * seat is the root of the seat's tree. There `values` has three numbers: the mean of the seat's values, how
far they lie from it on average, and the largest that this average has been: what exploration is multiplied with (were
it to shrink, a safe action would keep the seat from ever trying again what went wrong once).

A *node* is a list of codes that was found behind an edge, and who decides: at an own decision the legal actions; of a
decision of another the one code that was played. Where the same path leads to another list, that is another node of
the same edge, so nobody ever plays what is not legal now. A node is

    SIZE places for what is named below, two places for each edge, one place for each code; in `values` that last
    place is for the sum of the squares of an edge's values

The edges of a node lie in the order in which they are expanded: edge n is for the code at
(START + n * LEAP) % ACTIONS. At a seat's first decision FIRST_CHILDREN actions are expanded before any is selected
again, and of a longer list one more for every FIRST_VISITS visits (progressive widening); later, since long lists would
never be expanded, only as many as the root of the visits.

The other rows:

    paths   how much of the trees is used; then for each seat the edge where it is, or NOWHERE behind its tree, the
            number of its steps, and STEPS pairs of node and edge: its own decisions in this playout
    ucb     two numbers for each n: the root of its logarithm, and one by its root
"""

from typing import Any

from crashlab.compiled.kernels.flat_search import play_sensibly, worth
from crashlab.compiled.kernels.random_play import begin_luck, decide
from crashlab.engine.chance import next_luck
from crashlab.engine.table import CHANCE, NOWHERE, Ints, lay

rules: Any = None  # the rules of a game; bound by a body

# What a node knows: another node of the same edge, who decides, how many actions there are, how many of them are
# expanded, how often it was visited, and where the actions begin and in which leaps they are gone through.
NEXT, ACTOR, ACTIONS, CHILDREN, VISITS, START, LEAP = range(7)
SIZE = 8
ROOT = 4  # places for the root of a seat's tree
STEPS = 32  # what comes later in a playout is played at random
PATH = 2 + 2 * STEPS  # places of `paths` for each seat
FIRST_CHILDREN = 200  # actions that are expanded at a seat's first decision before any is selected again
FIRST_VISITS = 8  # for each further one
LEAF_VISITS = 4  # of an edge, before a node is added behind it
LEAPS = (1000003, 1000033, 1000037, 1000039)  # primes: in such leaps one comes to every place of any shorter list

Numbers = list[float]


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
    """Add `playouts` of `decisions` each, numbered from `first`; the trees have `room` places. How many were added."""
    for number in range(first, first + playouts):
        lay(work, 0, worlds[number % len(worlds)])
        begin_luck(luck, seed, number)
        paths[0] = max(paths[0], ROOT * seats)
        for seat in range(seats):  # every one at the root of its tree
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
    """Play until every seat has left its tree; how many decisions there were."""
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
    """Whether a seat is still in its tree."""
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
    """The action of a seat: in its tree a new child, or the best one by UCB; behind it what might well be."""
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
    if paths[here + 1] == 0:  # the first decision of the seat
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
    """The one of `count` edges with the highest upper confidence bound: its mean, and more the fewer visits it has."""
    if first < 0:  # never; see `same`
        return NOWHERE
    best, most = 0, values[first] + width * values[first + 1]
    for place in range(1, count):
        bound = values[first + 2 * place] + width * values[first + 2 * place + 1]
        if bound > most:
            best, most = place, bound
    return best


def observe(actor: int, action: int, seats: int, room: int, luck: Ints, out: Ints, trees: Ints, paths: Ints) -> None:
    """Move all others along this edge, which one actor has taken alone; who has no node there leaves its tree."""
    out[0] = action
    for seat in range(seats):
        here = 1 + PATH * seat
        if seat != actor and paths[here] != NOWHERE:
            used = paths[0]
            node = node_at(paths[here], actor, 1, room, luck, out, trees, paths)
            paths[here] = node + SIZE if 0 < node < used else NOWHERE


def node_at(edge: int, actor: int, count: int, room: int, luck: Ints, out: Ints, trees: Ints, paths: Ints) -> int:
    """The node of these codes behind this edge; a new one if there is none, or 0 if there is no room for it."""
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
    """Whether the codes from `first` on are those in `out`; without a jump, for speed."""
    different = 0
    if first < 0:  # never; so the compiler sees that no place counts from the end, and compares four at once
        return False
    for place in range(count):
        different |= trees[first + place] ^ out[place]
    return different == 0


def backpropagate(
    seat: int, playouts: int, value: float, trees: Ints, values: Numbers, paths: Ints, ucb: Numbers
) -> None:
    """Add a value to the root of the seat's tree, and to every node and edge of its path."""
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
