"""Plain algorithms of all kinds with their arguments, which do not know that they are watched."""

import heapq
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from watched_functions import steps_from

GRAPH = {"a": ["b", "c"], "b": ["d"], "c": ["d", "e"], "d": ["f"], "e": ["f"], "f": []}
ROADS = {"a": {"b": 7, "c": 3}, "b": {"d": 2}, "c": {"b": 1, "d": 8}, "d": {}}
MAZE = ["..#.", ".#..", "....", "#.#."]


def search_depth(graph, here, seen=None):
    seen = [] if seen is None else seen
    seen.append(here)
    for there in graph[here]:
        if there not in seen:
            search_depth(graph, there, seen)
    return seen


def dijkstra(roads, start):
    best, heap, before = {}, [(0, start, None)], {}
    while heap:
        length, here, came = heapq.heappop(heap)
        if here in best:
            continue
        best[here], before[here] = length, came
        for there, more in roads[here].items():
            heapq.heappush(heap, (length + more, there, here))
    return best, before


def flood(maze, start):
    stack, reached = [start], set()
    while stack:
        row, column = here = stack.pop()
        if here in reached or not (0 <= row < len(maze) and 0 <= column < len(maze[0])) or maze[row][column] == "#":
            continue
        reached.add(here)
        stack += [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
    return sorted(reached)


def bubble(row):
    for end in range(len(row) - 1, 0, -1):
        for here in range(end):
            if row[here] > row[here + 1]:
                row[here], row[here + 1] = row[here + 1], row[here]
    return row


def insertion(row):
    done = []
    for value in row:
        place = 0
        while place < len(done) and done[place] < value:
            place += 1
        done.insert(place, value)
    return done


def quick(row):
    if len(row) < 2:
        return row
    first, *rest = row
    low = [value for value in rest if value < first]
    high = [value for value in rest if value >= first]
    return quick(low) + [first] + quick(high)


def merge(row):
    if len(row) < 2:
        return list(row)
    middle = len(row) // 2
    left, right, result = merge(row[:middle]), merge(row[middle:]), []
    while left and right:
        result.append((left if left[0] <= right[0] else right).pop(0))
    return result + left + right


def library_sort(row):
    row.sort(key=lambda value: -value)
    row.reverse()
    return row


def counting(words):
    counts, places = Counter(words), defaultdict(list)
    for place, word in enumerate(words):
        places[word].append(place)
    return counts, places


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def memory(n, cache=None):
    cache = {} if cache is None else cache
    if n not in cache:
        cache[n] = n if n < 2 else memory(n - 1, cache) + memory(n - 2, cache)
    return cache[n]


@lru_cache
def cached(n):
    return n if n < 2 else cached(n - 1) + cached(n - 2)


def cached_afresh(n):
    cached.cache_clear()
    return cached(n)


def hanoi(n, source="A", spare="B", target="C"):
    moves = []

    def move(n, source, spare, target):
        if n:
            move(n - 1, source, target, spare)
            moves.append((source, target))
            move(n - 1, spare, source, target)

    move(n, source, spare, target)
    return moves


def queens(n):
    places, count = [], 0

    def put():
        nonlocal count
        if len(places) == n:
            count += 1
            return
        for column in range(n):
            if all(column != other and abs(column - other) != len(places) - row for row, other in enumerate(places)):
                places.append(column)
                put()
                places.pop()

    put()
    return count


def knapsack(things, most):
    table = [[0] * (most + 1) for _ in range(len(things) + 1)]
    for i, (weight, worth) in enumerate(things, 1):
        for room in range(most + 1):
            table[i][room] = table[i - 1][room]
            if weight <= room:
                table[i][room] = max(table[i][room], table[i - 1][room - weight] + worth)
    return table[-1][-1]


def distance(one, other):
    row = list(range(len(other) + 1))
    for i, here in enumerate(one, 1):
        corner, row[0] = row[0], i
        for j, there in enumerate(other, 1):
            corner, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, corner + (here != there))
    return row[-1]


def unions(pairs, n):
    boss = list(range(n))

    def find(one):
        while boss[one] != one:
            boss[one] = boss[boss[one]]
            one = boss[one]
        return one

    for one, other in pairs:
        boss[find(one)] = find(other)
    return [find(one) for one in range(n)]


def sieve(n):
    prime = [True] * n
    prime[:2] = [False] * min(2, n)
    for number in range(2, n):
        if prime[number]:
            prime[number * number :: number] = [False] * len(range(number * number, n, number))
    return [number for number, is_prime in enumerate(prime) if is_prime]


def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


def bisect(row, target):
    low, high = 0, len(row)
    while low < high:
        middle = (low + high) // 2
        if row[middle] < target:
            low = middle + 1
        else:
            high = middle
    return low


def fixed_point(values):
    rounds = 0
    while True:
        new = {key: max(values[other] for other in (key, *GRAPH[key])) for key in values}
        rounds += 1
        if new == values:
            return new, rounds
        values = new


def naturals(n):
    number = 0
    while number < n:
        yield number
        number += 1


def squares(numbers):
    for number in numbers:
        yield number * number


def generators(n):
    total = 0
    for square in squares(naturals(n)):
        total += square
    return total


def inner(n):
    got = yield n
    while got is not None:
        got = yield got * 2
    return "done"


def delegating(n):
    return (yield from inner(n))


def sending(n):
    talk, heard = delegating(n), []
    heard.append(next(talk))
    try:
        for number in range(n):
            heard.append(talk.send(number))
        talk.send(None)
    except StopIteration as stop:
        heard.append(stop.value)
    return heard


def closed_early(n):
    taken = []
    numbers = naturals(n)
    for number in numbers:
        taken.append(number)
        if number == 2:
            numbers.close()
    return taken


class Node:
    def __init__(self, value, following=None):
        self.value = value
        self.following = following


def linked(values):
    head = None
    for value in values:
        head = Node(value, head)
    before = None
    while head:
        head.following, before, head = before, head, head.following
    result = []
    while before:
        result.append(before.value)
        before = before.following
    return result


class Heap:
    __slots__ = ("row", "size")

    def __init__(self):
        self.row = []
        self.size = 0

    def push(self, value):
        self.row.append(value)
        self.size += 1
        here = self.size - 1
        while here and self.row[here] < self.row[(here - 1) // 2]:
            up = (here - 1) // 2
            self.row[here], self.row[up] = self.row[up], self.row[here]
            here = up

    @property
    def least(self):
        return self.row[0]


def heaps(values):
    heap = Heap()
    for value in values:
        heap.push(value)
    return heap.row, heap.least


@dataclass
class Account:
    owner: str
    money: int = 0
    past: list = field(default_factory=list)

    def pay(self, other, sum):
        if sum > self.money:
            raise ValueError(f"{self.owner} has not {sum}")
        self.money -= sum
        other.money += sum
        self.past.append(-sum)


def payments(sums):
    one, other, refused = Account("one", 5), Account("other"), []
    for sum in sums:
        try:
            one.pay(other, sum)
        except ValueError as error:
            refused.append(str(error))
        finally:
            one, other = other, one
    return refused, one, other


Place = namedtuple("Place", "row column")


def places(n):
    seen = {}
    here = Place(0, 0)
    for number in range(n):
        seen[here] = number
        here = here._replace(row=here.row + 1) if number % 2 else Place(here.row, here.column + 1)
    return seen


def raising(row):
    total = 0
    for value in row:
        total += 10 // value
    return total


def unbound(n):
    if n > 100:
        late = n
    return late


def endless(n):
    row = []
    while True:
        row.append(n)
        n += 1


def idle(n):
    while True:
        pass


def swallowing(n):
    while True:
        try:
            n += 1
        except:  # noqa: E722
            pass


def rotation(row, times):
    line, newest = deque(row), OrderedDict()
    for time in range(times):
        line.rotate(1)
        line.appendleft(line.pop() + time)
        newest[line[0]] = time
        newest.move_to_end(next(iter(newest)))
        while len(newest) > 2:
            newest.popitem(last=False)
    return line, newest


def life(board, times):
    board = np.array(board)
    for _ in range(times):
        around = sum(np.roll(board, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j)
        board[:] = (around == 3) | (board & (around == 2))
    return board.tolist()


def relax(n):
    values = np.zeros(n)
    values[0] = 1.0
    for _ in range(3):
        for here in range(1, n - 1):
            values[here] = (values[here - 1] + values[here + 1]) / 2
    return values.tolist()


def aliases(n):
    rows = [[0] * n] * 2
    first = rows[0]
    for here in range(n):
        first[here] += here
        rows[1][0] += 1
    copy = [row[:] for row in rows]
    copy[0][0] = "changed"
    return rows, copy


def itself(n):
    row = [n]
    row.append(row)
    row[0] += 1
    table = {"row": row}
    table["table"] = table
    del row[1]
    return row


def walrus(row):
    total = 0
    while (value := row.pop() if row else None) is not None:
        total += value
    return total


def matching(row):
    parts = []
    for thing in row:
        match thing:
            case [first, *rest]:
                parts.append((first, rest))
            case {"key": value}:
                parts.append(value)
            case _:
                parts.append(None)
    return parts


# fmt: off
def several_lines(n):
    table = {
        key: [
            key * other
            for other in range(n)
        ]
        for key in range(n)
    }
    total = (
        sum(
            len(row)
            for row in table.values()
        )
        + n
    )
    return table, total
# fmt: on


def failures(word):
    fail, k = [0] * len(word), 0
    for i in range(1, len(word)):
        while k > 0 and word[i] != word[k]:
            k = fail[k - 1]
        k += word[i] == word[k]
        fail[i] = k
    return fail


def knuth_morris_pratt(text, word):
    fail, places, k = failures(word), [], 0
    for i, letter in enumerate(text):
        while k > 0 and word[k] != letter:
            k = fail[k - 1]
        if word[k] == letter:
            k += 1
        if k == len(word):
            places.append(i - k + 1)
            k = fail[k - 1]
    return places


# name: the algorithm, and a function that creates its arguments
RETURNING = {
    "steps_from": (steps_from, lambda: (GRAPH, "a")),
    "search_depth": (search_depth, lambda: (GRAPH, "a")),
    "dijkstra": (dijkstra, lambda: (ROADS, "a")),
    "flood": (flood, lambda: (MAZE, (0, 0))),
    "bubble": (bubble, lambda: ([5, 2, 4, 2, 1],)),
    "insertion": (insertion, lambda: ([5, 2, 4, 2, 1],)),
    "quick": (quick, lambda: ([5, 2, 4, 2, 1, 9],)),
    "merge": (merge, lambda: ([5, 2, 4, 2, 1, 9],)),
    "library_sort": (library_sort, lambda: ([5, 2, 4, 2, 1, 9],)),
    "counting": (counting, lambda: ("to be or not to be".split(),)),
    "fibonacci": (fibonacci, lambda: (7,)),
    "memory": (memory, lambda: (12,)),
    "cached": (cached_afresh, lambda: (12,)),
    "hanoi": (hanoi, lambda: (4,)),
    "queens": (queens, lambda: (5,)),
    "knapsack": (knapsack, lambda: ([(2, 3), (3, 4), (4, 6)], 6)),
    "distance": (distance, lambda: ("crash", "clasp")),
    "knuth_morris_pratt": (knuth_morris_pratt, lambda: ("abacababacada", "abacad")),
    "unions": (unions, lambda: ([(0, 1), (2, 3), (1, 3)], 6)),
    "sieve": (sieve, lambda: (40,)),
    "gcd": (gcd, lambda: (84, 36)),
    "bisect": (bisect, lambda: ([1, 3, 5, 7, 9], 6)),
    "fixed_point": (fixed_point, lambda: (dict.fromkeys(GRAPH, 0) | {"f": 3},)),
    "generators": (generators, lambda: (6,)),
    "sending": (sending, lambda: (4,)),
    "closed_early": (closed_early, lambda: (9,)),
    "linked": (linked, lambda: ([1, 2, 3, 4],)),
    "heaps": (heaps, lambda: ([4, 2, 7, 1],)),
    "payments": (payments, lambda: ([3, 1, 9, 2],)),
    "places": (places, lambda: (5,)),
    "rotation": (rotation, lambda: ([1, 2, 3, 4], 5)),
    "life": (life, lambda: ([[0, 1, 0, 0], [0, 1, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]], 2)),
    "relax": (relax, lambda: (6,)),
    "aliases": (aliases, lambda: (3,)),
    "itself": (itself, lambda: (3,)),
    "walrus": (walrus, lambda: ([1, 2, 3],)),
    "matching": (matching, lambda: ([[1, 2, 3], {"key": 4}, 5],)),
    "several_lines": (several_lines, lambda: (3,)),
}
RAISING = {
    "raising": (raising, lambda: ([1, 2, 0, 4],), ZeroDivisionError),
    "unbound": (unbound, lambda: (1,), UnboundLocalError),
    "too deep": (fibonacci, lambda: (float("inf"),), RecursionError),
    "wrong arguments": (gcd, lambda: (1,), TypeError),
}
ENDLESS = {"endless": endless, "idle": idle, "swallowing": swallowing}
