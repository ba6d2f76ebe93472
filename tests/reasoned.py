# ruff: noqa: E501, RUF007, B905
"""Algorithms of first courses in many styles, with the equations that their variables obey.

An equation of a variable is a list of what may explain its value: a place, or a place with the value that it gives. A
place is what would be written: `far[here]`, `best`; `queue*` is whatever element has that value; `()` is something that
a call has given, and `?` stands before or behind what may be told but need not. It explains a change if its value, with the variables as they were before, is the new one.
"""

import heapq
from bisect import bisect_left
from collections import Counter, OrderedDict, defaultdict, deque
from dataclasses import dataclass

INF = float("inf")
ROADS = {"a": {"b": 7, "c": 3}, "b": {"d": 2}, "c": {"b": 1, "d": 8}, "d": {"e": 4}, "e": {}}
GRAPH = {"a": ["b", "c"], "b": ["d"], "c": ["d", "e"], "d": ["f"], "e": ["f"], "f": []}
EDGES = [("a", "b", 7), ("a", "c", 3), ("c", "b", 1), ("b", "d", 2), ("c", "d", 8), ("d", "e", 4)]


def edit_ternary(s, t):
    d = [[i + j if i * j == 0 else 0 for j in range(len(t) + 1)] for i in range(len(s) + 1)]
    for i in range(1, len(s) + 1):
        for j in range(1, len(t) + 1):
            d[i][j] = min(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (0 if s[i - 1] == t[j - 1] else 1))
    return d[-1][-1]


def edit_temporary(s, t):
    d = [list(range(len(t) + 1))]
    for i, x in enumerate(s, 1):
        d.append([i] + [0] * len(t))
        for j, y in enumerate(t, 1):
            change = d[i - 1][j - 1] + (x != y)
            insert, delete = d[i][j - 1] + 1, d[i - 1][j] + 1
            d[i][j] = min(change, insert, delete)
    return d[-1][-1]


def lcs(s, t):
    c = [[0] * (len(t) + 1) for _ in range(len(s) + 1)]
    for i in range(len(s)):
        for j in range(len(t)):
            if s[i] == t[j]:
                c[i + 1][j + 1] = c[i][j] + 1
            else:
                c[i + 1][j + 1] = max(c[i + 1][j], c[i][j + 1])
    return c[-1][-1]


def knapsack(items, room):
    best = [[0] * (room + 1)]
    for k, (weight, worth) in enumerate(items):
        best.append(best[k][:])
        for r in range(weight, room + 1):
            best[k + 1][r] = max(best[k][r], best[k][r - weight] + worth)
    return best[-1][-1]


def knapsack_row(items, room):
    best = [0] * (room + 1)
    for weight, worth in items:
        for r in range(room, weight - 1, -1):
            if best[r - weight] + worth > best[r]:
                best[r] = best[r - weight] + worth
    return best[room]


def coins(values, total):
    need = [0] + [INF] * total
    for amount in range(1, total + 1):
        for value in values:
            if value <= amount:
                need[amount] = min(need[amount], need[amount - value] + 1)
    return need[total]


def coins_generator(values, total):
    need = {0: 0}
    for amount in range(1, total + 1):
        need[amount] = min((need[amount - v] + 1 for v in values if amount - v in need), default=INF)
    return need[total]


def ways(values, total):
    count = [1] + [0] * total
    for value in values:
        for amount in range(value, total + 1):
            count[amount] += count[amount - value]
    return count[total]


def dijkstra_lesson(roads, start):
    far, queue = {start: 0}, [(0, start)]
    while queue:
        spaces, here = heapq.heappop(queue)
        if spaces > far[here]:
            continue
        for there, more in roads[here].items():
            new = far[here] + more
            if there not in far or new < far[there]:
                far[there] = new
                heapq.heappush(queue, (new, there))
    return far


def dijkstra_scan(roads, start):
    dist = dict.fromkeys(roads, INF)
    dist[start] = 0
    left = set(roads)
    while left:
        u = min(left, key=dist.get)
        left.remove(u)
        for v in roads[u]:
            if dist[u] + roads[u][v] < dist[v]:
                dist[v] = dist[u] + roads[u][v]
    return dist


def dijkstra_lambda(roads, start):
    dist, done = {start: 0}, set()
    while len(done) < len(dist):
        u = min((v for v in dist if v not in done), key=lambda v: dist[v])
        done.add(u)
        for v, w in roads[u].items():
            dist[v] = min(dist.get(v, INF), dist[u] + w)
    return dist


def bellman_ford(edges, start):
    dist = defaultdict(lambda: INF)
    dist[start] = 0
    for _ in range(4):
        for u, v, w in edges:
            alt = dist[u] + w
            if alt < dist[v]:
                dist[v] = alt
    return dict(dist)


def floyd(roads):
    names = list(roads)
    d = {u: {v: 0 if u == v else roads[u].get(v, INF) for v in names} for u in names}
    for k in names:
        for i in names:
            for j in names:
                if d[i][k] + d[k][j] < d[i][j]:
                    d[i][j] = d[i][k] + d[k][j]
    return d


def bfs(graph, start):
    level, line = {start: 0}, deque([start])
    while line:
        u = line.popleft()
        for v in graph[u]:
            if v not in level:
                level[v] = level[u] + 1
                line.append(v)
    return level


def bfs_parents(graph, start, goal):
    parent, line = {start: None}, [start]
    for u in line:
        for v in graph[u]:
            if v not in parent:
                parent[v] = u
                line.append(v)
    path, here = [], goal
    while here is not None:
        path.append(here)
        here = parent[here]
    return path[::-1]


def topological(graph):
    order, seen = [], set()

    def visit(u):
        if u in seen:
            return
        seen.add(u)
        for v in graph[u]:
            visit(v)
        order.insert(0, u)

    for u in graph:
        visit(u)
    return order


def prim(roads):
    tree, heap, seen, total = [], [(0, "a")], set(), 0
    while heap:
        w, u = heapq.heappop(heap)
        if u in seen:
            continue
        seen.add(u)
        total += w
        for v, x in roads[u].items():
            heapq.heappush(heap, (x, v))
    return total, tree


def kruskal(edges):
    boss, total = {}, 0

    def find(x):
        while boss.get(x, x) != x:
            x = boss[x]
        return x

    for u, v, w in sorted(edges, key=lambda edge: edge[2]):
        p, q = find(u), find(v)
        if p != q:
            boss[p] = q
            total += w
    return total


def bubble(a):
    for end in range(len(a), 1, -1):
        for i in range(end - 1):
            if a[i] > a[i + 1]:
                a[i], a[i + 1] = a[i + 1], a[i]
    return a


def insertion(a):
    for i in range(1, len(a)):
        x, j = a[i], i
        while j > 0 and a[j - 1] > x:
            a[j] = a[j - 1]
            j -= 1
        a[j] = x
    return a


def selection(a):
    for i in range(len(a)):
        least = i
        for j in range(i + 1, len(a)):
            if a[j] < a[least]:
                least = j
        held = a[i]
        a[i] = a[least]
        a[least] = held
    return a


def merge_sort(a):
    if len(a) < 2:
        return a
    mid = len(a) // 2
    left, right = merge_sort(a[:mid]), merge_sort(a[mid:])
    i = j = 0
    out = []
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            out.append(left[i])
            i += 1
        else:
            out.append(right[j])
            j += 1
    out.extend(left[i:])
    out.extend(right[j:])
    return out


def quick_in_place(a):
    def sort(lo, hi):
        if lo >= hi:
            return
        pivot, p = a[hi], lo
        for k in range(lo, hi):
            if a[k] < pivot:
                a[k], a[p] = a[p], a[k]
                p += 1
        a[p], a[hi] = a[hi], a[p]
        sort(lo, p - 1)
        sort(p + 1, hi)

    sort(0, len(a) - 1)
    return a


def sift(a):
    n = len(a)
    for k in range(n // 2 - 1, -1, -1):
        top = k
        while 2 * top + 1 < n:
            child = 2 * top + 1
            if child + 1 < n and a[child + 1] > a[child]:
                child += 1
            if a[top] >= a[child]:
                break
            a[top], a[child] = a[child], a[top]
            top = child
    return a


def binary(a, wanted):
    lo, hi = 0, len(a) - 1
    while lo <= hi:
        mid = (lo + hi) // 2
        if a[mid] == wanted:
            return mid
        lo, hi = (mid + 1, hi) if a[mid] < wanted else (lo, mid - 1)
    return -1


def two_pointers(a, wanted):
    i, j = 0, len(a) - 1
    while i < j:
        total = a[i] + a[j]
        if total == wanted:
            return i, j
        if total < wanted:
            i += 1
        else:
            j -= 1
    return None


def greatest(a):
    best = -INF
    for x in a:
        best = x if x > best else best
    return best


def kadane(a):
    best = here = a[0]
    for x in a[1:]:
        here = max(x, here + x)
        best = max(best, here)
    return best


def lis(a):
    longest = [1] * len(a)
    for i in range(len(a)):
        for j in range(i):
            if a[j] < a[i] and longest[j] + 1 > longest[i]:
                longest[i] = longest[j] + 1
    return max(longest)


def patience(a):
    tails = []
    for x in a:
        k = bisect_left(tails, x)
        if k == len(tails):
            tails.append(x)
        else:
            tails[k] = x
    return len(tails)


def fib_memo(n, memo=None):
    memo = {} if memo is None else memo
    if n in memo:
        return memo[n]
    memo[n] = n if n < 2 else fib_memo(n - 1, memo) + fib_memo(n - 2, memo)
    return memo[n]


def fib_pair(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


def factorial(n):
    if n == 0:
        return 1
    rest = factorial(n - 1)
    return n * rest


def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


def power(base, n):
    result = 1
    while n > 0:
        if n % 2:
            result = result * base
        base, n = base * base, n // 2
    return result


def horner(coefficients, x):
    value = 0
    for c in coefficients:
        value = value * x + c
    return value


def minimax(tree, is_high):
    if isinstance(tree, int):
        return tree
    best = -INF if is_high else INF
    for branch in tree:
        value = minimax(branch, not is_high)
        best = max(best, value) if is_high else min(best, value)
    return best


def kmp_table(word):
    fail, k = [0] * len(word), 0
    for i in range(1, len(word)):
        while k and word[i] != word[k]:
            k = fail[k - 1]
        if word[i] == word[k]:
            k += 1
        fail[i] = k
    return fail


def union_size(pairs, n):
    boss, size = list(range(n)), [1] * n

    def find(x):
        if boss[x] != x:
            boss[x] = find(boss[x])
        return boss[x]

    for u, v in pairs:
        p, q = find(u), find(v)
        if p == q:
            continue
        if size[p] < size[q]:
            p, q = q, p
        boss[q] = p
        size[p] += size[q]
    return boss, size


def sieve(n):
    prime = [True] * n
    for p in range(2, n):
        if prime[p]:
            for multiple in range(p * p, n, p):
                prime[multiple] = False
    return [p for p in range(2, n) if prime[p]]


def counting(words):
    count, first = Counter(), {}
    for place, word in enumerate(words):
        count[word] += 1
        first.setdefault(word, place)
    most = max(count, key=count.get)
    return most, first


def brackets(text):
    stack, deepest = [], 0
    for letter in text:
        if letter in "([":
            stack.append(letter)
        elif stack:
            last = stack.pop()
        deepest = max(deepest, len(stack))
    return deepest, last


def stairs(n):
    ways = [1, 1]
    while len(ways) <= n:
        ways.append(ways[-1] + ways[-2])
    return ways[n]


def pascal(n):
    rows = [[1]]
    for _ in range(n):
        last = rows[-1]
        rows.append([1] + [x + y for x, y in zip(last, last[1:])] + [1])
    return rows


def prefix(a):
    sums = [0]
    for x in a:
        sums.append(sums[-1] + x)
    i, j = 1, 4
    between = sums[j] - sums[i]
    return between


def value_iteration(gain, stay):
    worth = {"low": 0.0, "high": 0.0}
    for _ in range(4):
        for state in worth:
            other = "high" if state == "low" else "low"
            walk = gain[state] + 0.5 * worth[other]
            rest = stay[state] + 0.5 * worth[state]
            worth[state] = walk if walk > rest else rest
    return worth


def q_learning(steps):
    q, alpha = defaultdict(float), 0.5
    for state, action, reward, following in steps:
        ahead = max(q[following, other] for other in "lr")
        target = reward + 0.9 * ahead
        q[state, action] += alpha * (target - q[state, action])
    return dict(q)


@dataclass
class Item:
    key: int
    following: "Item | None" = None


def linked_reverse(n):
    head = None
    for key in range(n):
        head = Item(key, head)
    before = None
    while head is not None:
        after = head.following
        head.following = before
        before = head
        head = after
    return before


class Tree:
    def __init__(self, key):
        self.key = key
        self.left = self.right = None


def insert(tree, key):
    if tree is None:
        return Tree(key)
    if key < tree.key:
        tree.left = insert(tree.left, key)
    else:
        tree.right = insert(tree.right, key)
    return tree


def tree_of(keys):
    root = None
    for key in keys:
        root = insert(root, key)
    return root


def choices(n):
    u, v = 3, 4
    first = max(u, v)
    second = u if u > v else v
    third = u or v
    fourth = (u > 9) and u
    fifth = {True: u, False: v}[u > v]
    sixth, seventh = v, u
    return first, second, third, fourth, fifth, sixth, seventh


def lru(keys):
    held, out = OrderedDict(), None
    for key in keys:
        if key in held:
            held.move_to_end(key)
        else:
            held[key] = key * 10
        if len(held) > 2:
            out, _ = held.popitem(last=False)
    return out


def window(a, k):
    total = sum(a[:k])
    best = total
    for i in range(k, len(a)):
        total += a[i] - a[i - k]
        if total > best:
            best = total
    return best


def matmul(x, y):
    z = [[0 for _ in y[0]] for _ in x]
    for i, row in enumerate(x):
        for j in range(len(y[0])):
            for k, v in enumerate(row):
                z[i][j] += v * y[k][j]
    return z


def chain(p):
    n = len(p) - 1
    m = {}
    for length in range(1, n + 1):
        for i in range(n - length + 1):
            j = i + length - 1
            m[i, j] = 0 if i == j else min(m[i, k] + m[k + 1, j] + p[i] * p[k + 1] * p[j + 1] for k in range(i, j))
    return m[0, n - 1]


def huffman(counts):
    heap = [(c, s) for s, c in counts.items()]
    heapq.heapify(heap)
    while len(heap) > 1:
        one, first = heapq.heappop(heap)
        two, second = heapq.heappop(heap)
        both = one + two
        heapq.heappush(heap, (both, first + second))
    return heap[0][0]


def astar(graph, h, start, goal):
    g, came, open_ = {start: 0}, {}, {start}
    while open_:
        u = min(open_, key=lambda n: g[n] + h[n])
        if u == goal:
            break
        open_.remove(u)
        for v, w in graph[u]:
            t = g[u] + w
            if t < g.get(v, 10**9):
                came[v] = u
                g[v] = t
                open_.add(v)
    return g


def roman(s):
    worth = {"I": 1, "V": 5, "X": 10}
    total, last = 0, 0
    for c in reversed(s):
        v = worth[c]
        total = total - v if v < last else total + v
        last = v
    return total


class Stack:
    def __init__(self):
        self.items = []
        self.low = None
    def push(self, x):
        self.items.append(x)
        self.low = x if self.low is None else min(self.low, x)
    def pop(self):
        top = self.items.pop()
        return top


def stacked(xs):
    s = Stack()
    for x in xs:
        s.push(x)
    got = s.pop()
    return got


def gen(xs):
    last = 0
    for x in xs:
        last = last + x
        yield last


def consume(xs):
    out = []
    for t in gen(xs):
        out.append(t)
    m = max(out)
    return m


def rotate(a, k):
    for _ in range(k):
        first = a.pop(0)
        a.append(first)
    return a


def flood(grid, r, c, new):
    old = grid[r][c]
    stack = [(r, c)]
    while stack:
        y, x = stack.pop()
        if 0 <= y < len(grid) and 0 <= x < len(grid[0]) and grid[y][x] == old:
            grid[y][x] = new
            for dy, dx in ((0, 1), (1, 0)):
                stack.append((y + dy, x + dx))
    return grid


def ackley(n):
    def go(k, acc):
        if k == 0:
            return acc
        return go(k - 1, acc * k)
    result = go(n, 1)
    return result


def palin(s):
    best = ""
    for i in range(len(s)):
        for j in range(i, len(s)):
            piece = s[i:j + 1]
            if piece == piece[::-1] and len(piece) > len(best):
                best = piece
    return best


# name: the algorithm, what it is called with, and the equations
PLACES = "d[i - 1][j] : d[i - 1][j] + 1", "d[i][j - 1] : d[i][j - 1] + 1"
REASONED = {
    "edit_ternary": (edit_ternary, ("crash", "clasp"), {
        "d": [*PLACES, "d[i - 1][j - 1] : d[i - 1][j - 1] + (s[i - 1] != t[j - 1])"]}),
    "edit_temporary": (edit_temporary, ("crash", "clasp"), {
        "change": ["d[i - 1][j - 1] : d[i - 1][j - 1] + (x != y)"], "insert": [PLACES[1]], "delete": [PLACES[0]]}),
    "lcs": (lcs, ("ABCBDAB", "BDCABA"), {
        "c": ["c[i][j] : c[i][j] + 1 if s[i] == t[j] else None", "c[i + 1][j] : None if s[i] == t[j] else c[i + 1][j]",
              "c[i][j + 1] : None if s[i] == t[j] else c[i][j + 1]"]}),
    "knapsack": (knapsack, ([(2, 3), (3, 4), (4, 6), (1, 1)], 8), {
        "best": ["best[k]+", "best[k][r]", "best[k][r - weight] : best[k][r - weight] + worth", "worth : best[k][r - weight] + worth"]}),
    "knapsack_row": (knapsack_row, ([(2, 3), (3, 4), (4, 6)], 8), {
        "best": ["best[r - weight] : best[r - weight] + worth", "worth : best[r - weight] + worth"]}),
    "coins": (coins, ([1, 3, 4], 7), {"need": ["need[amount]", "need[amount - value] : need[amount - value] + 1"]}),
    "coins_generator": (coins_generator, ([1, 3, 4], 7), {
        "need": [f"need[amount - {v}] : need[amount - {v}] + 1" for v in (1, 3, 4)]}),
    "ways": (ways, ([1, 2, 5], 8), {
        "count": ["count[amount] : count[amount] + count[amount - value]", "count[amount - value] : count[amount] + count[amount - value]"]}),
    "dijkstra_lesson": (dijkstra_lesson, (ROADS, "a"), {
        "new": ["far[here] : far[here] + more", "more : far[here] + more"], "far": ["new"],
        "here": ["queue* : here"], "spaces": ["queue* : spaces"]}),
    "dijkstra_scan": (dijkstra_scan, (ROADS, "a"), {
        "dist": ["dist[u] : dist[u] + roads[u][v]", "roads[u][v] : dist[u] + roads[u][v]"], "u": ["left* : u"]}),
    "dijkstra_lambda": (dijkstra_lambda, (ROADS, "a"), {
        "dist": ["dist[u] : dist[u] + w", "w : dist[u] + w", "dist[v]"]}),
    "bellman_ford": (bellman_ford, (EDGES, "a"), {
        "alt": ["dist[u] : dist[u] + w", "w : dist[u] + w"], "dist": ["alt", ": INF"]}),
    "floyd": (floyd, (ROADS,), {
        "d": ["d[i][k] : d[i][k] + d[k][j]", "d[k][j] : d[i][k] + d[k][j]"]}),
    "bfs": (bfs, (GRAPH, "a"), {"level": ["level[u] : level[u] + 1"], "u": ["line* : u"]}),
    "bfs_parents": (bfs_parents, (GRAPH, "a", "f"), {
        "parent": ["u"], "here": ["goal", "parent[here]"], "u": ["line* : u"]}),
    "topological": (topological, (GRAPH,), {"order": ["u"]}),
    "prim": (prim, (ROADS,), {"total": ["total : total + w", "w : total + w"], "w": ["heap* : w"]}),
    "kruskal": (kruskal, (EDGES,), {
        "total": ["total : total + w", "w : total + w"], "boss": ["q", "()?"], "p": ["()?"], "q": ["()?"]}),
    "bubble": (bubble, ([5, 2, 4, 2, 1],), {"a": ["a[i]", "a[i + 1]"]}),
    "insertion": (insertion, ([5, 2, 4, 7, 1],), {
        "a": ["a[j - 1] : a[j - 1] if j and a[j - 1] > x else None", "x : None if j and a[j - 1] > x else x"],
        "x": ["a[i]"], "j": ["j : j - 1", "i"]}),
    "selection": (selection, ([5, 2, 4, 7, 1],), {
        "a": ["a[least]", "held"], "held": ["a[i]"], "least": ["i", "j"]}),
    "merge_sort": (merge_sort, ([5, 2, 4, 7, 1],), {
        "left": ["()?"], "right": ["()?"], "i": ["i : i + 1", ": 0"], "j": ["j : j + 1", ": 0"],
        "out": ["left[i]", "right[j]", "left* : value", "right* : value", ": []"]}),
    "quick_in_place": (quick_in_place, ([5, 2, 4, 7, 1],), {
        "pivot": ["a[hi]"], "p": ["p : p + 1", "lo"], "a": ["a[k] : a[k]", "a[p] : a[p]", "a[hi] : a[hi]"]}),
    "sift": (sift, ([1, 4, 2, 7, 5],), {
        "a": ["a[top]", "a[child]"], "top": ["child", "k"],
        "child": ["child : child + 1", "top : 2 * top + 1"]}),
    "binary": (binary, ([1, 3, 5, 7, 9, 11], 9), {
        "mid": ["lo : (lo + hi) // 2", "hi : (lo + hi) // 2"], "lo": ["mid : mid + 1", ": 0"],
        "hi": ["mid : mid - 1", "a : len(a) - 1"]}),
    "two_pointers": (two_pointers, ([1, 3, 5, 7, 9, 11], 12), {
        "total": ["a[i] : a[i] + a[j]", "a[j] : a[i] + a[j]"], "i": ["i : i + 1", ": 0"], "j": ["j : j - 1", "a : len(a) - 1"]}),
    "greatest": (greatest, ([3, 9, 2, 11],), {"best": ["x", ": -INF"], "x": ["a* : x"]}),
    "kadane": (kadane, ([-2, 1, -3, 4, -1, 2, 1, -5, 4],), {
        "here": ["x", "here : here + x", "x : here + x", "a[0]"], "best": ["here", "a[0]"]}),
    "lis": (lis, ([3, 1, 4, 1, 5, 9, 2, 6],), {"longest": ["longest[j] : longest[j] + 1"]}),
    "patience": (patience, ([3, 1, 4, 1, 5, 9, 2, 6],), {"tails": ["x"], "x": ["a* : x"]}),
    "fib_memo": (fib_memo, (6,), {"memo": ["()?", "n"]}),
    "fib_pair": (fib_pair, (7,), {"a": ["b", ": 0"], "b": ["a : a + b", "b : a + b", ": 1"]}),
    "factorial": (factorial, (5,), {"rest": ["()?"]}),
    "gcd": (gcd, (84, 36), {"a": ["b"], "b": ["a : a % b", "b : a % b"]}),
    "power": (power, (3, 13), {
        "result": ["result : result * base", "base : result * base", ": 1"], "base": ["base : base * base"],
        "n": ["n : n // 2"]}),
    "horner": (horner, ([2, 0, 3, 1], 3), {
        "value": ["value : value * x + c", "c : value * x + c", ": 0", "x : value * x + c"]}),
    "minimax": (minimax, ([[3, [5, 1]], [[2, 9], [0, 1]]], True), {
        "best": ["value", "best", ": INF", ": -INF"], "value": ["()?"]}),
    "kmp_table": (kmp_table, ("abacabadabac",), {
        "k": ["k : k + 1", "fail[k - 1]", ": 0"], "fail": ["k", ": [0] * len(word)", "?word : [0] * len(word)"]}),
    "union_size": (union_size, ([(0, 1), (2, 3), (1, 3), (4, 5)], 6), {
        "size": ["size[p] : size[p] + size[q]", "size[q] : size[p] + size[q]"], "boss": ["p", "()?", "n : list(range(n))", "boss* : value"],
        "p": ["()?", "q", "boss* : value"], "q": ["()?", "p", "boss* : value"]}),
    "sieve": (sieve, (20,), {"prime": [": False", "?n : [True] * n", ": [True] * n"]}),
    "counting": (counting, ("to be or not to be".split(),), {
        "count": ["count[word] : count[word] + 1", ": 1"], "first": ["place"], "most": ["count* : most"]}),
    "brackets": (brackets, ("([])[()]",), {
        "deepest": ["deepest", "stack : len(stack)", "stack+ : len(stack)", ": 0"], "last": ["stack* : last"]}),
    "stairs": (stairs, (6,), {
        "ways": ["ways[-1] : ways[-1] + ways[-2]", "ways[-2] : ways[-1] + ways[-2]"]}),
    "pascal": (pascal, (4,), {"last": ["rows* : last"], "rows": ["last+ : value"]}),
    "prefix": (prefix, ([3, 1, 4, 1, 5],), {
        "sums": ["sums[-1] : sums[-1] + x", "x : sums[-1] + x"],
        "between": ["sums[j] : sums[j] - sums[i]", "sums[i] : sums[j] - sums[i]"]}),
    "value_iteration": (value_iteration, ({"low": 1, "high": 3}, {"low": 2, "high": 1}), {
        "walk": ["worth[other] : gain[state] + 0.5 * worth[other]", "gain[state] : gain[state] + 0.5 * worth[other]"],
        "rest": ["worth[state] : stay[state] + 0.5 * worth[state]", "stay[state] : stay[state] + 0.5 * worth[state]"],
        "worth": ["walk : walk if walk > rest else None", "rest : None if walk > rest else rest"]}),
    "q_learning": (q_learning, ([("a", "l", 0, "b"), ("b", "r", 5, "a"), ("a", "l", 0, "b"), ("b", "l", 1, "a")],), {
        "target": ["ahead : reward + 0.9 * ahead", "reward : reward + 0.9 * ahead", "?q* : ahead", "?q : value"],
        "ahead": ["?q[following, 'l']", "?q[following, 'r']"],
        "q": ["?target : q[state, action] + alpha * (target - q[state, action])", "?target : 0.0",
              "?q[state, action] : q[state, action] + alpha * (target - q[state, action])",
              "?alpha : q[state, action] + alpha * (target - q[state, action])"]}),
    "linked_reverse": (linked_reverse, (4,), {
        "before": ["head", ": None"], "after": ["head.following"], "head": ["after", "()?", "head : value", "key : value", "before"]}),
    "tree_of": (tree_of, ([5, 2, 8, 1, 9],), {"root": ["()?", ": None"]}),
    "choices": (choices, (0,), {
        "first": ["v"], "second": ["v"], "third": ["u"], "fifth": ["v"], "sixth": ["v"], "seventh": ["u"],
        "fourth": ["u : False"]}),
    "lru": (lru, ([1, 2, 1, 3, 4, 1],), {"held": ["key : key * 10", "held[key]", "held* : value"], "out": ["held* : out"]}),

 "window": (window, ([1,5,2,8,3],2), {"total": ["total : total + (a[i] - a[i-k])","a[i] : total + (a[i]-a[i-k])","a[i-k] : total + (a[i]-a[i-k])","a : sum(a[:k])"], "best": ["total"]}),
 "matmul": (matmul, ([[1,2],[3,4]],[[5,6],[7,8]]), {"z": ["z[i][j] : z[i][j] + v*y[k][j]","v : z[i][j] + v*y[k][j]","y[k][j] : z[i][j] + v*y[k][j]"]}),
 "chain": (chain, ([10,30,5,60],), {"m": [f"m[i,i+{d}] : m[i,i+{d}]+m[i+{d}+1,j]+p[i]*p[i+{d}+1]*p[j+1]" for d in (0,1)]+[f"m[i+{d}+1,j] : m[i,i+{d}]+m[i+{d}+1,j]+p[i]*p[i+{d}+1]*p[j+1]" for d in (0,1)]+["?p : value"]}),
 "huffman": (huffman, ({"a":5,"b":2,"c":1,"d":1},), {"one":["heap* : one"],"two":["heap* : two"],"both":["one : one+two","two : one+two"]}),
 "astar": (astar, ({"s":[("a",1),("b",4)],"a":[("b",2),("g",6)],"b":[("g",3)],"g":[]},{"s":5,"a":4,"b":2,"g":0},"s","g"), {"t":["g[u] : g[u]+w","w : g[u]+w"],"g":["t"],"came":["u"],"u":["open_* : u"]}),
 "roman": (roman, ("XIV",), {"v":["worth[c]"],"total":["total : value","v : value"],"last":["v"]}),
 "stacked": (stacked, ([3,1,2],), {"top":["self* : top","?self.items[-1]"],"got":["()?"],"x":["xs* : x","x"]}),
 "consume": (consume, ([1,2,3],), {"last":["last : last + x","x : last + x"],"t":["()?","last"],"out":["t"],"m":["out* : m"]}),
 "rotate": (rotate, ([1,2,3,4],2), {"first":["a* : first"],"a":["first"]}),
 "flood": (flood, ([[0,0,1],[0,1,1]],0,0,7), {"grid":["new"],"y":["stack* : y"],"x":["stack* : x"]}),
 "ackley": (ackley, (4,), {"result":["()?"],"acc":["acc : acc*k","k : acc*k"]}),
 "palin": (palin, ("abacab",), {"piece":["s : value","i : value","j : value"],"best":["piece"]}),
}  # fmt: skip
