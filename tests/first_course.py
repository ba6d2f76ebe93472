# ruff: noqa: RUF007, B905, SIM, PERF, RET, PLR
"""Functions as second-year students write them, with their arguments.

They import only the standard library, and `tagged_interpreter` can run all of them.
"""

import heapq
from bisect import bisect_left
from collections import Counter, OrderedDict, defaultdict, deque
from dataclasses import dataclass
from functools import cache

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


def selection(a):
    for i in range(len(a)):
        least = i
        for j in range(i + 1, len(a)):
            if a[j] < a[least]:
                least = j
        value = a[i]
        a[i] = a[least]
        a[least] = value
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


def two_pointers(a, target):
    i, j = 0, len(a) - 1
    while i < j:
        total = a[i] + a[j]
        if total == target:
            return i, j
        if total < target:
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


def patience(a):
    tails = []
    for x in a:
        k = bisect_left(tails, x)
        if k == len(tails):
            tails.append(x)
        else:
            tails[k] = x
    return len(tails)


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
    table, out = OrderedDict(), None
    for key in keys:
        if key in table:
            table.move_to_end(key)
        else:
            table[key] = key * 10
        if len(table) > 2:
            out, _ = table.popitem(last=False)
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
            piece = s[i : j + 1]
            if piece == piece[::-1] and len(piece) > len(best):
                best = piece
    return best


# No textbook algorithms: words, marks, accounts, games


def counted_words(text):
    counts = {}
    for word in text.lower().split():
        counts[word] = counts.get(word, 0) + 1
    most = max(counts, key=counts.get)
    return most, counts[most]


def inverted(ages):
    people = {}
    for name, age in ages.items():
        people.setdefault(age, []).append(name)
    oldest = max(people)
    return people[oldest]


def by_length(words):
    groups = defaultdict(list)
    for word in words:
        groups[len(word)].append(word)
    for length, group in groups.items():
        group.sort()
        longest = length
    return groups[longest]


def anagrams(words):
    groups = {}
    for word in words:
        key = "".join(sorted(word))
        groups.setdefault(key, set()).add(word)
    sizes = {key: len(group) for key, group in groups.items()}
    return [key for key, size in sizes.items() if size > 1]


def caesar(text, shift):
    secret = ""
    for letter in text:
        if letter.isalpha():
            place = (ord(letter) - ord("a") + shift) % 26
            letter = chr(place + ord("a"))
        secret += letter
    return secret


def run_lengths(text):
    runs = []
    for letter in text:
        if runs and runs[-1][0] == letter:
            runs[-1][1] += 1
        else:
            runs.append([letter, 1])
    return "".join(f"{count}{letter}" for letter, count in runs)


def spelled_out(code):
    text, number = "", 0
    for sign in code:
        if sign.isdigit():
            number = 10 * number + int(sign)
        else:
            text += sign * number
            number = 0
    return text


@dataclass
class Student:
    name: str
    marks: list
    bonus: int = 0

    def mean(self):
        total = sum(self.marks) + self.bonus
        return total / len(self.marks)


def ranking(rows):
    students = []
    for name, *marks in rows:
        students.append(Student(name, marks))
    students[0].bonus = 3
    best = max(students, key=lambda student: student.mean())
    order = sorted(students, key=lambda student: student.name)
    names = [student.name for student in order]
    for place, name in enumerate(names, 1):
        last = f"{place}. {name}"
    return best.name, last


class Account:
    def __init__(self, owner, balance=0):
        self.owner, self._balance = owner, balance
        self.log = []

    @property
    def balance(self):
        return self._balance

    def deposit(self, amount):
        self._balance += amount
        self.log.append(("in", amount))

    def withdraw(self, amount):
        if amount > self.balance:
            raise ValueError("not enough")
        self._balance -= amount
        self.log.append(("out", amount))
        return amount


def bank(amounts):
    mine, yours = Account("me", 50), Account("you")
    failed = 0
    for amount in amounts:
        try:
            moved = mine.withdraw(amount)
            yours.deposit(moved)
        except ValueError:
            failed += 1
    rest = mine.balance
    return rest, yours.balance, failed


class Vector:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, factor):
        return Vector(self.x * factor, self.y * factor)

    def __lt__(self, other):
        return self.x < other.x


def thrown(steps):
    place, speed = Vector(0, 0), Vector(2, 5)
    for _ in range(steps):
        place = place + speed * 2
        speed = speed + Vector(0, -1)
    high = place.y
    return high if speed < place else -high


def transposed(rows):
    columns = []
    for column in zip(*rows):
        columns.append(list(column))
    sums = [sum(column) for column in columns]
    least = min(sums)
    return columns, least


def hanoi(n, pegs, source, goal, spare):
    if n == 0:
        return 0
    moves = hanoi(n - 1, pegs, source, spare, goal)
    pegs[goal].append(pegs[source].pop())
    moves += 1
    return moves + hanoi(n - 1, pegs, spare, goal, source)


def permutations(items):
    if not items:
        return [[]]
    orders = []
    for i, first in enumerate(items):
        rest = items[:i] + items[i + 1 :]
        for tail in permutations(rest):
            orders.append([first, *tail])
    return orders


def subsets(items):
    sets = [()]
    for item in items:
        sets += [(*old, item) for old in sets]
    return sets


def flattened(nested):
    flat = []
    for item in nested:
        if isinstance(item, int):
            flat.append(item)
        else:
            flat += flattened(item)
    return flat


def waiting_room(events):
    line, served, longest = deque(), [], 0
    for event in events:
        if event == "next":
            if line:
                served.append(line.popleft())
        else:
            line.append(event)
        longest = max(longest, len(line))
    return served, longest


def postfix(text):
    does = {"+": lambda a, b: a + b, "*": lambda a, b: a * b, "-": lambda a, b: a - b}
    stack = []
    for word in text.split():
        if word in does:
            right = stack.pop()
            left = stack.pop()
            stack.append(does[word](left, right))
        else:
            stack.append(int(word))
    return stack.pop()


def prime_factors(n):
    factors, p = {}, 2
    while n > 1:
        while n % p == 0:
            n //= p
            factors[p] = factors.get(p, 0) + 1
        p += 1 if p == 2 else 2
    return factors


def collatz(n):
    way = [n]
    while way[-1] != 1:
        last = way[-1]
        way.append(last // 2 if last % 2 == 0 else 3 * last + 1)
    return len(way), max(way)


def fizzbuzz(n):
    said = []
    for i in range(1, n + 1):
        word = "Fizz" * (i % 3 == 0) + "Buzz" * (i % 5 == 0)
        said.append(word or str(i))
    return said


def moving_mean(values, k):
    means = []
    for i in range(len(values) - k + 1):
        part = values[i : i + k]
        means.append(sum(part) / k)
    change = means[-1] - means[0]
    return round(change, 2)


def winner(board):
    lines = [*board, *map(list, zip(*board)), [board[i][i] for i in range(3)]]
    for line in lines:
        if line[0] != " " and line.count(line[0]) == 3:
            who = line[0]
            return who
    return None


def life(cells):
    near = {}
    for x, y in sorted(cells):
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                if dx or dy:
                    place = x + dx, y + dy
                    near[place] = near.get(place, 0) + 1
    alive = {place for place, count in near.items() if count == 3 or count == 2 and place in cells}
    return sorted(alive)


def bill(cart, prices):
    total, lines = 0, []
    for name, count in cart.items():
        price = prices[name]
        cost = count * price
        total += cost
        lines.append((name, cost))
    dearest, most = max(lines, key=lambda line: line[1])
    tax = round(total * 0.19, 2)
    return dearest, most, total + tax


def counter(times):
    count = 0

    def up(by):
        nonlocal count
        count += by
        return count

    for step in times:
        now = up(step)
    return now, count


def search(row, target, low, high):
    middle = (low + high) // 2
    if low > high or row[middle] == target:
        return middle if low <= high else -1
    return search(row, target, middle + 1, high) if row[middle] < target else search(row, target, low, middle - 1)


@cache
def stairs_of(n):
    return 1 if n < 2 else stairs_of(n - 1) + stairs_of(n - 2)


def climbed(n):
    ways = stairs_of(n)
    fewer = stairs_of(n - 1)
    return ways - fewer


def scalar(xs, ys):
    total = 0
    for i, (x, y) in enumerate(zip(xs, ys)):
        product = x * y
        total += product
        last = i
    return total / (last + 1)


def common_friends(pairs, one, other):
    friends = {}
    for a, b in pairs:
        friends.setdefault(a, set()).add(b)
        friends.setdefault(b, set()).add(a)
    both = friends[one] & friends[other]
    either = (friends[one] | friends[other]) - {one, other}
    return sorted(both), len(either)


def robot(program):
    x = y = 0
    heading = 1
    for command in program:
        match command:
            case ("go", steps):
                x += heading * steps
            case ("up", steps):
                y += steps
            case ("say", words, times):
                said = words * times
            case _:
                heading = -heading
    return x, y, said


def running(numbers):
    last = 0
    for number in numbers:
        last = last + number
        yield last


def sums_of(numbers):
    out = []
    for total in running(numbers):
        out.append(total)
    greatest = max(out)
    return greatest


def trie_of(words):
    root = {}
    for word in words:
        node = root
        for letter in word:
            node = node.setdefault(letter, {})
        node["."] = word
    return root


def turned(picture):
    result = [list(row) for row in picture]
    size = len(result)
    for r in range(size):
        for c in range(size):
            result[c][size - 1 - r] = picture[r][c]
    return result


def without_doubles(items):
    seen, kept = set(), []
    for item in items:
        if item not in seen:
            seen.add(item)
            kept.append(item)
    return kept


def bubble_until(row):
    swapped, rounds = True, 0
    while swapped:
        swapped = False
        for i, (one, other) in enumerate(zip(row, row[1:])):
            if one > other:
                row[i], row[i + 1] = other, one
                swapped = True
                break
        rounds += 1
    return row, rounds


def histogram(rolls):
    bars = [0] * 7
    for roll in rolls:
        bars[roll] += 1
    lines = []
    for face, count in enumerate(bars):
        if count:
            lines.append(f"{face} {'*' * count}")
    return lines


def shares(amounts, people):
    got = []
    for amount, count in zip(amounts, people):
        try:
            share = amount // count
        except ZeroDivisionError:
            share = -1
        got.append(share)
    return got


class Cell:
    def __init__(self, value):
        self.value = value
        self.next = None


class LinkedList:
    def __init__(self):
        self.first = self.last = None
        self.size = 0

    def append(self, value):
        cell = Cell(value)
        if self.last is None:
            self.first = cell
        else:
            self.last.next = cell
        self.last = cell
        self.size += 1

    def pop(self):
        value = self.first.value
        self.first = self.first.next
        self.size -= 1
        return value


def chained(values):
    row = LinkedList()
    for value in values:
        row.append(value)
    first = row.pop()
    here, total = row.first, 0
    while here is not None:
        total += here.value
        here = here.next
    return first, total, row.size


class TwoStacks:
    def __init__(self):
        self.back, self.front = [], []

    def push(self, value):
        self.back.append(value)

    def pop(self):
        if not self.front:
            while self.back:
                self.front.append(self.back.pop())
        return self.front.pop()


def queued(values):
    line, got = TwoStacks(), []
    for value in values:
        line.push(value)
        if value % 2:
            got.append(line.pop())
    return got


def extremes(row):
    low = high = row[0]
    for value in row[1:]:
        if value < low:
            low = value
        elif value > high:
            high = value
    return low, high


def spread(row):
    low, high = extremes(row)
    width = high - low
    return width


def settings(standard, custom):
    result = {**standard, **custom}
    result["size"] += 1
    changed = [key for key in result if key not in standard or result[key] != standard[key]]
    return result, changed


def reachable(flights, start, changes):
    cities = {start}
    for _ in range(changes):
        new = set()
        for here in sorted(cities):
            new |= flights.get(here, set())
        cities |= new
    return len(cities)


class Branch:
    def __init__(self, key):
        self.key, self.left, self.right = key, None, None

    def add(self, key):
        if key < self.key:
            if self.left is None:
                self.left = Branch(key)
            else:
                self.left.add(key)
        elif self.right is None:
            self.right = Branch(key)
        else:
            self.right.add(key)

    def height(self):
        left = self.left.height() if self.left else 0
        right = self.right.height() if self.right else 0
        return 1 + max(left, right)

    def keys(self):
        if self.left:
            yield from self.left.keys()
        yield self.key
        if self.right:
            yield from self.right.keys()


def planted(keys):
    root = Branch(keys[0])
    for key in keys[1:]:
        root.add(key)
    high = root.height()
    order = list(root.keys())
    return high, order


def merged(one, other):
    out, i, j = [], 0, 0
    while i < len(one) and j < len(other):
        if one[i] < other[j]:
            out.append(one[i])
            i += 1
        else:
            out.append(other[j])
            j += 1
    return out + one[i:] + other[j:]


def josephus(n, step):
    circle, place, out = list(range(1, n + 1)), 0, []
    while len(circle) > 1:
        place = (place + step - 1) % len(circle)
        out.append(circle.pop(place))
    return circle[0], out


def change(amount, values):
    notes = []
    for value in sorted(values, reverse=True):
        many, amount = divmod(amount, value)
        notes += [value] * many
    return notes


def favourites(votes):
    counts = Counter(votes)
    counts["tea"] += 2
    ranking = counts.most_common()
    (first, most), *others = ranking
    behind = most - others[0][1]
    return first, behind


def days_between(one, other):
    day, month, year = map(int, one.split("."))
    d, m, y = map(int, other.split("."))
    months = 12 * (y - year) + m - month
    return 30 * months + d - day


def bits(n):
    digits, ones = "", 0
    while n:
        n, bit = n >> 1, n & 1
        ones += bit
        digits = str(bit) + digits
    return digits, ones


def bouncing(height, factor, floor):
    heights = [height]
    while (height := height * factor) > floor:
        heights.append(height)
    lost = heights[0] - heights[-1]
    return lost


def pages(links, rounds):
    rank = {page: 1 / len(links) for page in links}
    for _ in range(rounds):
        new = dict.fromkeys(links, 0.1)
        for page, goals in links.items():
            for goal in goals:
                new[goal] += 0.9 * rank[page] / len(goals)
        rank = new
    best = max(rank, key=lambda page: rank[page])
    return best


class Dog:
    tricks = []  # noqa: RUF012
    count = 0

    def __init__(self, name):
        self.name = name
        Dog.count += 1

    def learn(self, trick):
        self.tricks.append(trick)
        return len(self.tricks)


class Puppy(Dog):
    def __init__(self, name, age):
        super().__init__(name)
        self.age = age

    def learn(self, trick):
        short = trick[: self.age]
        return super().learn(short)


def dogs(names):
    pack = [Dog(name) for name in names]
    fido = Puppy("Fido", 3)
    for dog in pack:
        dog.learn("roll over")
    tricks = fido.learn("sitting")
    last = pack[0].tricks[-1]
    return tricks, last, Dog.count


def collect(item, items=[], *, seen={}):  # noqa: B006
    items.append(item)
    seen[item] = len(items)
    return items


def collected(words):
    for word in words:
        kept = collect(word)
    other = collect("x", [])
    return kept, other


CASES = [
    (edit_ternary, ("crash", "clasp")),
    (edit_temporary, ("crash", "clasp")),
    (lcs, ("ABCBDAB", "BDCABA")),
    (knapsack_row, ([(2, 3), (3, 4), (4, 6)], 8)),
    (coins, ([1, 3, 4], 7)),
    (coins_generator, ([1, 3, 4], 7)),
    (ways, ([1, 2, 5], 8)),
    (dijkstra_lesson, (ROADS, "a")),
    (dijkstra_scan, (ROADS, "a")),
    (dijkstra_lambda, (ROADS, "a")),
    (bellman_ford, (EDGES, "a")),
    (floyd, (ROADS,)),
    (bfs, (GRAPH, "a")),
    (bfs_parents, (GRAPH, "a", "f")),
    (kruskal, (EDGES,)),
    (bubble, ([5, 2, 4, 2, 1],)),
    (selection, ([5, 2, 4, 7, 1],)),
    (merge_sort, ([5, 2, 4, 7, 1],)),
    (quick_in_place, ([5, 2, 4, 7, 1],)),
    (sift, ([1, 4, 2, 7, 5],)),
    (two_pointers, ([1, 3, 5, 7, 9, 11], 12)),
    (greatest, ([3, 9, 2, 11],)),
    (kadane, ([-2, 1, -3, 4, -1, 2, 1, -5, 4],)),
    (patience, ([3, 1, 4, 1, 5, 9, 2, 6],)),
    (fib_pair, (7,)),
    (factorial, (5,)),
    (power, (3, 13)),
    (horner, ([2, 0, 3, 1], 3)),
    (minimax, ([[3, [5, 1]], [[2, 9], [0, 1]]], True)),
    (kmp_table, ("abacabadabac",)),
    (union_size, ([(0, 1), (2, 3), (1, 3), (4, 5)], 6)),
    (counting, ("to be or not to be".split(),)),
    (brackets, ("([])[()]",)),
    (stairs, (6,)),
    (pascal, (4,)),
    (prefix, ([3, 1, 4, 1, 5],)),
    (value_iteration, ({"low": 1, "high": 3}, {"low": 2, "high": 1})),
    (q_learning, ([("a", "l", 0, "b"), ("b", "r", 5, "a"), ("a", "l", 0, "b"), ("b", "l", 1, "a")],)),
    (tree_of, ([5, 2, 8, 1, 9],)),
    (choices, (0,)),
    (lru, ([1, 2, 1, 3, 4, 1],)),
    (window, ([1, 5, 2, 8, 3], 2)),
    (matmul, ([[1, 2], [3, 4]], [[5, 6], [7, 8]])),
    (chain, ([10, 30, 5, 60],)),
    (huffman, ({"a": 5, "b": 2, "c": 1, "d": 1},)),
    (
        astar,
        (
            {"s": [("a", 1), ("b", 4)], "a": [("b", 2), ("g", 6)], "b": [("g", 3)], "g": []},
            {"s": 5, "a": 4, "b": 2, "g": 0},
            "s",
            "g",
        ),
    ),
    (roman, ("XIV",)),
    (stacked, ([3, 1, 2],)),
    (rotate, ([1, 2, 3, 4], 2)),
    (flood, ([[0, 0, 1], [0, 1, 1]], 0, 0, 7)),
    (ackley, (4,)),
    (palin, ("abacab",)),
    (counted_words, ("To be or not to be to",)),
    (inverted, ({"Ann": 12, "Bob": 11, "Cem": 12},)),
    (by_length, (["tree", "car", "bus", "wood"],)),
    (anagrams, (["tea", "eat", "ant", "tan", "dog"],)),
    (caesar, ("a bus, a car", 3)),
    (run_lengths, ("aabcccd",)),
    (spelled_out, ("3a1b12c",)),
    (ranking, ([("Eve", 2, 3), ("Ann", 1, 4), ("Bob", 3, 3)],)),
    (bank, ([20, 40, 10],)),
    (thrown, (3,)),
    (transposed, ([[1, 2, 3], [4, 5, 6]],)),
    (hanoi, (3, [[3, 2, 1], [], []], 0, 2, 1)),
    (permutations, ([1, 2, 3],)),
    (subsets, ([1, 2, 3],)),
    (flattened, ([1, [2, [3, 4]], [5]],)),
    (waiting_room, (["Ann", "Bob", "next", "Cem", "next", "next", "next"],)),
    (postfix, ("3 4 + 2 * 5 -",)),
    (prime_factors, (360,)),
    (collatz, (6,)),
    (fizzbuzz, (15,)),
    (moving_mean, ([3, 5, 4, 8, 7], 2)),
    (winner, ([["x", "o", " "], ["x", "o", "x"], [" ", "o", "x"]],)),
    (life, ({(0, 0), (0, 1), (0, 2)},)),
    (bill, ({"tea": 2, "cake": 3}, {"tea": 2.5, "cake": 3.2})),
    (counter, ([1, 2, 3],)),
    (search, ([1, 3, 5, 7, 9], 3, 0, 4)),
    (climbed, (5,)),
    (scalar, ([1, 2, 3], [4, 5, 6])),
    (common_friends, ([("a", "b"), ("a", "c"), ("b", "c"), ("c", "d")], "a", "b")),
    (robot, ([("go", 3), ("up", 2), ("turn",), ("go", 1), ("say", "ho", 2)],)),
    (sums_of, ([3, 1, 2],)),
    (trie_of, (["car", "cat", "do"],)),
    (turned, ([[1, 2], [3, 4]],)),
    (without_doubles, ([3, 1, 3, 2, 1],)),
    (bubble_until, ([3, 1, 2],)),
    (histogram, ([3, 6, 3, 1, 3],)),
    (shares, ([10, 5, 7], [2, 0, 3])),
    (chained, ([4, 2, 5],)),
    (queued, ([1, 2, 4, 3, 5],)),
    (spread, ([4, 2, 9, 5],)),
    (settings, ({"size": 1, "colour": "red"}, {"size": 3, "name": "x"})),
    (reachable, ({"a": {"b"}, "b": {"c", "d"}, "c": {"a"}}, "a", 2)),
    (planted, ([4, 2, 6, 1, 3],)),
    (merged, ([1, 4, 6], [2, 3, 9])),
    (josephus, (6, 3)),
    (change, (87, [50, 20, 10, 5, 2, 1])),
    (favourites, (["tea", "milk", "tea", "juice", "milk", "milk"],)),
    (days_between, ("12.3.2020", "2.5.2021")),
    (bits, (13,)),
    (bouncing, (8, 0.5, 1)),
    (dogs, (["Rex", "Bello"],)),
    (collected, (["b", "a"],)),
    (pages, ({"a": ["b", "c"], "b": ["c"], "c": ["a"]}, 2)),
]
