"""Monte Carlo tree search for all seats at once, each with a tree of its own (decoupled UCT, open loop).

Plain functions for `twin`. A seat remembers what it decided and what others decided alone, before all eyes: that is
its path. What others decide at the same time in secret, and chance, is drawn anew each time and is no part of it;
so no seat knows in its tree what it cannot know.

All trees lie in two rows of the same length, zeros at first. An *edge* is where a path has led. It takes two places:

    trees[edge], trees[edge + 1]    the first node of what can follow, 0 for none; how often it was taken
    hopes[edge], hopes[edge + 1]    the mean of what came of it; one by the root of how often it was taken

Edge ROOT * seat is the beginning of the seat's paths. There `hopes` has three numbers: the mean of the seat's values,
how far they lie from it on average, and the widest that this average has been: the scale of what is worth exploring
(were it to shrink, a safe action would keep the seat from ever trying again what went wrong once).

A *node* is a list of codes that was met at an edge, and who decided: at an own decision the legal actions; of a
decision of another the one code that he played. Where the same path leads to another list, that is another node of
the same edge, so nobody ever plays what is not legal now. A node is

    SIZE places for what is named below, two places for each edge, one place for each code; in `hopes` that last
    place is for an edge's sum of the squares of what came of it

The edges of a node lie in the order in which they are first tried: edge n is for the code at
(START + n * LEAP) % COUNT. At a seat's first decision AT_ONCE actions are tried before any is tried again, and of a
longer list one more for every PATIENCE playouts; later, since long lists would never be tried out, only as many as the
root of the visits.

The other rows:

    walk    how much of the trees is used; then for each seat the edge where it is, or NOWHERE once it plays at random,
            the number of its steps, and STEPS pairs of node and edge: its own decisions in this playout
    scale   two numbers for each n: the root of its logarithm, and one by its root
"""

from __future__ import annotations

from typing import Any

from crashlab.agents.sampling import worth
from crashlab.happen import CHANCE, NOWHERE, Ints, lay
from crashlab.playout import begin_luck, decide, next_luck, play_on

rules: Any = None  # the rules of a game; bound by `twin`

NEXT, ACTOR, COUNT, TRIED, VISITS, START, LEAP = range(7)  # what a node knows; NEXT is another node of the same edge
SIZE = 8
ROOT = 4  # places for the beginning of a seat's paths
STEPS = 32  # what comes later in a playout is played at random
WALK = 2 + 2 * STEPS  # what `walk` holds of each seat
AT_ONCE, PATIENCE = 200, 8
RIPE = 4  # how often an edge must have been taken before its seat remembers what follows
LEAPS = (1000003, 1000033, 1000037, 1000039)  # primes: in such leaps one comes to every place of any shorter list

Numbers = list[float]


def grow(
    worlds: Any, first: int, playouts: int, decisions: int, seats: int, wins: int, exploration: float, room: int,
    seed: Ints, luck: Ints, out: Ints, work: Any, trees: Ints, hopes: Numbers, walk: Ints, scale: Numbers,
) -> int:  # fmt: skip
    """Let the trees grow by so many playouts, numbered from `first`, of so many decisions each; `room` is for all."""
    for number in range(first, first + playouts):
        lay(work, 0, worlds[number % len(worlds)])
        begin_luck(luck, seed, number)
        begin_walk(seats, walk)
        played = descend(work[0], decisions, seats, exploration, room, luck, out, trees, hopes, walk, scale)
        play_on(work[0], decisions - played if decisions != NOWHERE else NOWHERE, luck, out, None)
        rules.prospects(work[0], out)
        for seat in range(seats):
            learn(seat, number + 1, worth(work[0], seat, seats, wins, out), trees, hopes, walk, scale)
    return playouts


def begin_walk(seats: int, walk: Ints) -> None:
    """Put every seat at the beginning of its tree."""
    walk[0] = max(walk[0], ROOT * seats)
    for seat in range(seats):
        walk[1 + WALK * seat], walk[2 + WALK * seat] = ROOT * seat, 0


def descend(
    table: Any, decisions: int, seats: int, exploration: float, room: int,
    luck: Ints, out: Ints, trees: Ints, hopes: Numbers, walk: Ints, scale: Numbers,
) -> int:  # fmt: skip
    """Play until every seat has come to the end of what it remembers; how many decisions there were."""
    played = 0
    bits = rules.actors(table)
    while bits != 0 and played != decisions and anybody_inside(seats, walk):
        free = False
        if bits == CHANCE:
            free = decide(table, bits, luck, out, None)
        for actor in range(seats):
            if bits != CHANCE and bits >> actor & 1:
                action = rules.forced(table, actor, out)
                if action == NOWHERE:
                    free = True
                    action = pick(table, actor, exploration, room, luck, out, trees, hopes, walk, scale)
                if bits == 1 << actor:
                    watch(actor, action, seats, room, luck, out, trees, walk)
                rules.apply(table, actor, action, None)
        if free:
            played += 1
        bits = rules.actors(table)
    return played


def anybody_inside(seats: int, walk: Ints) -> bool:
    """Whether any seat is still in its tree."""
    for seat in range(seats):
        if walk[1 + WALK * seat] != NOWHERE:
            return True
    return False


def pick(
    table: Any, seat: int, exploration: float, room: int,
    luck: Ints, out: Ints, trees: Ints, hopes: Numbers, walk: Ints, scale: Numbers,
) -> int:  # fmt: skip
    """The action of a seat: by its tree while it is inside, else at random."""
    here = 1 + WALK * seat
    if walk[here] == NOWHERE:
        action: int = rules.draw(table, seat, next_luck(luck), out)
        return action
    count: int = rules.legal(table, seat, out)
    node = meet(walk[here], seat, count, room, luck, out, trees, walk)
    if node == 0 or walk[here + 1] == STEPS:
        walk[here] = NOWHERE
        return out[next_luck(luck) * count >> 31]
    tried = trees[node + TRIED]
    if tried < count and is_time(tried, trees[node + VISITS], walk[here + 1] == 0):
        turn = tried
        trees[node + TRIED] = tried + 1
    else:
        width = exploration * hopes[ROOT * seat + 2] * scale[2 * trees[node + VISITS]]
        turn = most_promising(node + SIZE, tried, width, hopes)
    edge, step = node + SIZE + 2 * turn, here + 2 + 2 * walk[here + 1]
    walk[here], walk[here + 1], walk[step], walk[step + 1] = edge, walk[here + 1] + 1, node, edge
    if trees[edge + 1] < RIPE:
        walk[here] = NOWHERE
    return out[(trees[node + START] + turn * trees[node + LEAP]) % count]


def is_time(tried: int, visits: int, first: bool) -> bool:
    """Whether one more action is tried, at the first decision of a seat or at a later one."""
    if first:
        return tried < AT_ONCE or PATIENCE * tried <= visits
    return tried * tried <= visits


def most_promising(first: int, count: int, width: float, hopes: Numbers) -> int:
    """The one of so many edges whose value may be highest: its mean, and more the less often it was taken (UCB)."""
    if first < 0:  # never; see `same`
        return NOWHERE
    best, most = 0, hopes[first] + width * hopes[first + 1]
    for place in range(1, count):
        hope = hopes[first + 2 * place] + width * hopes[first + 2 * place + 1]
        if hope > most:
            best, most = place, hope
    return best


def watch(
    actor: int, action: int, seats: int, room: int, luck: Ints, out: Ints, trees: Ints, walk: Ints
) -> None:
    """All others see what an actor does alone; who has not seen it before plays at random from then on."""
    out[0] = action
    for seat in range(seats):
        here = 1 + WALK * seat
        if seat != actor and walk[here] != NOWHERE:
            used = walk[0]
            node = meet(walk[here], actor, 1, room, luck, out, trees, walk)
            walk[here] = node + SIZE if 0 < node < used else NOWHERE


def meet(edge: int, actor: int, count: int, room: int, luck: Ints, out: Ints, trees: Ints, walk: Ints) -> int:
    """The node of these codes at this edge; a new one if there is none, or 0 if there is no room for it."""
    node = trees[edge]
    while node != 0:
        if trees[node + ACTOR] == actor and trees[node + COUNT] == count:
            if same(node + SIZE + 2 * count, count, trees, out):
                return node
        node = trees[node + NEXT]
    node = walk[0]
    if node + SIZE + 3 * count > room:
        return 0
    walk[0] = node + SIZE + 3 * count
    chance = next_luck(luck)
    trees[node + NEXT], trees[node + ACTOR], trees[node + COUNT] = trees[edge], actor, count
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


def learn(seat: int, playouts: int, value: float, trees: Ints, hopes: Numbers, walk: Ints, scale: Numbers) -> None:
    """Take a value into the seat's beginning, and into every step of its walk."""
    root = ROOT * seat
    away = value - hopes[root] if playouts > 1 else 0.0
    hopes[root] += (value - hopes[root]) / playouts
    hopes[root + 1] += (abs(away) - hopes[root + 1]) / playouts
    hopes[root + 2] = max(hopes[root + 2], hopes[root + 1])
    here = 1 + WALK * seat
    for step in range(here + 2, here + 2 + 2 * walk[here + 1], 2):
        node, edge = walk[step], walk[step + 1]
        visits = trees[edge + 1] + 1
        trees[edge + 1] = visits
        trees[node + VISITS] += 1
        hopes[edge] += (value - hopes[edge]) / visits
        hopes[edge + 1] = scale[2 * visits + 1]
        hopes[node + SIZE + 2 * trees[node + COUNT] + (edge - node - SIZE) // 2] += value * value
