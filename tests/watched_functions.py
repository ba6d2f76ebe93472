"""Functions that several tests watch: a search, a recursion, a table, an exception, and one without variables."""

from collections import deque


def steps_from(graph, start):
    steps, queue = {start: 0}, deque([start])
    while queue:
        here = queue.popleft()
        for there in graph[here]:
            if there not in steps:
                steps[there] = steps[here] + 1
                queue.append(there)
    return steps


def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


def common(one, other):
    best = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i in range(len(one)):
        for j in range(len(other)):
            best[i + 1][j + 1] = best[i][j] + 1 if one[i] == other[j] else max(best[i][j + 1], best[i + 1][j])
    return best[-1][-1]


def failing(n):
    rest = [1]
    while True:
        n -= 1
        rest.append(10 // n)


def nothing():
    return 3
