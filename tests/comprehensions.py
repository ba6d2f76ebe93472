# ruff: noqa: B007, B008, B012, B023, C400, C402, C414, C416, C417, C419, E701, E702, E731, F841, PERF401, RUF012, RUF015, RUF100, SIM
"""Functions whose variables other Pythons store elsewhere, with their arguments.

Run as a program, the module writes their films for a comparison between Pythons. It needs no other package.
"""

# The line breaks are part of each case.
# fmt: off
import asyncio
import json
import linecache
import sys
from collections import OrderedDict
from types import FunctionType

SEEN = []


def dead_ends(after, mover, result):
    outcomes = {here: [result.get(there) for there in after[here]] for here in after if here not in result}
    return {here: mover[here] if mover[here] in winners else 1 - mover[here] for here, winners in outcomes.items()
            if mover[here] in winners or all(winner == 1 - mover[here] for winner in winners)}


def primes(n):
    prime = [True] * n
    for p in range(2, n):
        for q in range(p * p, n, p): prime[q] = False
    return [p for p in range(2, n) if prime[p]]


def shadowed(xs):
    x = 5
    ys = [x * 2 for x in xs]
    x += sum(x for x in ys)
    return x, ys


def later(xs):
    n = 2
    ys = [p * n for p in xs]
    p = ys[0]
    a = p
    return a + n


def nested(rows):
    x = 0
    flat = [x for row in rows for x in row]
    table = [[x + 1 for x in row] for row in rows]
    same = [[x for x in x] for x in rows]
    return flat, table, same, x


def transposed(rows):
    wide = len(rows[0])
    return [[row[n] for row in rows] for n in range(wide)]


def walrus(xs):
    last = 0
    total = 0
    sums = [total := total + x for x in xs]
    is_large = any((last := x) > 2 for x in xs)
    return sums, total, last, is_large


def closures(xs):
    x = 1
    calls = [lambda: x for x in xs]
    here = [call() for call in calls]
    return here, x


def captured(xs):
    def seen():
        return x

    x = 7
    ys = [x + seen() for x in xs]
    zs = [(lambda: x)() for x in xs]
    x = 8
    return ys, zs, seen()


def counter(xs):
    count = 0

    def more(x):
        nonlocal count
        count += x
        return count

    counts = {x: more(x) for x in xs}
    count = -count
    return counts


def after_the_call(n):
    def make():
        kept = [n]
        copy = [x for x in kept]
        return kept

    make().append(3)
    rest = make()
    rest.append(4)
    return rest


def of_class(xs):
    class Box:
        z = 3
        doubled = [x * 2 for x in xs]
        pairs = {x: [y for y in range(x)] for x in xs}
        z = [z for z in xs] and z

        def __init__(self, xs):
            self.xs = [self.much(x) for x in xs]

        def much(self, x):
            return x * len(self.doubled)

    box = Box(xs)
    box.xs[0] = 9
    return box.xs, Box.pairs


def deleted(xs):
    x = 1
    ys = [x for x in xs]
    del x
    zs = [x for x in ys if x > 1]
    x = zs
    return x


def in_order(xs):
    places = {x: n for n, x in enumerate(xs)}
    del places[xs[0]]
    places[xs[0]] = 7
    first = next(iter(places))
    places = {key: places[key] for key in sorted(places)}
    return first, places


def reordered(xs):
    places = dict.fromkeys(xs, 0)
    moved = places.pop(xs[0])
    places[xs[0]] = moved
    return list(places)


def shortened(xs):
    while [x for x in xs if x < 3]:
        xs = [x for x in xs if x != min(xs)]
    return xs


def asked(xs):
    for x in [x + 1 for x in xs]:
        if [x for x in xs if x > 2]:
            xs = xs[1:]
        elif any(x > 1 for x in xs):
            xs = []
    return x


def on_one_line(xs):
    x = 0; ys = [x for x in xs]; x = 4; zs = [x for x in ys]
    for y in ys: zs.append([y for y in zs if y > 2])
    n = 2
    while n: n -= 1; ys = [y + n for y in ys]
    return ys, zs, x


def on_many_lines(xs):
    x = 3
    ys = [
        x
        for x in xs
        if x
        > 1
    ]
    zs = {
        x: [
            y for y in range(x)
        ]
        for x in xs
    }
    return (
        [x for x in ys],
        zs,
        x,
    )


def failing(xs):
    x = 4
    try:
        ys = [10 // x for x in xs]
    except ZeroDivisionError as error:
        ys = [str(error) for error in [x]]
    finally:
        zs = [x for x in xs]
    return ys, zs


def raising(xs):
    x = 1
    return [{y: 1 // (x - y) for y in xs} for x in xs]


def sorted_by_parts(xs):
    if len(xs) < 2:
        return xs
    first, *rest = xs
    return sorted_by_parts([x for x in rest if x < first]) + [first] + sorted_by_parts([x for x in rest if x >= first])


def permutations(xs):
    return [[x, *rest] for x in xs for rest in permutations([y for y in xs if y != x])] or [[]]


def halves(x):
    half = x // 2
    return half


def called(xs):
    x = 9
    ys = [halves(x) for x in xs]
    zs = {halves(x): [halves(y) for y in range(x)] for x in ys}
    return {halves(x) for x in xs}, zs, x


def numbers(n):
    x = n
    yield [x for x in range(n)]
    for x in range(n):
        yield [x + y for y in range(x)]
    yield from [x for x in range(n)]


def generated(n):
    ys = [x for x in numbers(n)]
    many = list(x * 2 for x in range(n))
    first, *rest = (x for x in numbers(n))
    return ys, many, first, rest


class Ends:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        self.n -= 1
        if self.n < 0:
            raise StopIteration
        return self.n


def pausing(n):
    x = n
    yield [x for x in Ends(n)]
    yield x


def ending(n):
    return [[y for y in Ends(x + 1)] for x in Ends(n)], list(pausing(n))


def moved(xs):
    a, b = [x for x in xs], {x: x for x in xs}
    a, b[1] = [b[x] for x in a], len([x for x in a])
    a += [x for x in a]
    a[1:2] = [x for x in xs if x > 1]
    (first, *rest), last = [[x for x in a], a[-1]]
    return a, b, first, rest, last


def changing(xs):
    x = []
    [x.append(y) for y in xs]
    [SEEN.append(x) for x in xs]
    SEEN[:] = [x for x in SEEN if not x]
    return x


def defaulted(xs, least=min([x for x in (3, 2)])):
    ys = sorted(xs, key=lambda x: [y - x for y in xs])
    pick = lambda xs: [x for x in xs if x > least]
    best = max(pick(ys), key=lambda x: -x)
    return ys, best, f"{[x for x in ys]} of {len(pick(xs))}"


def matched(x):
    match [y for y in x]:
        case [x, *rest] if [y for y in rest]:
            table = {x: [x for x in rest]}
        case _:
            table = {}
    return table, x


def named(xs):
    import math as y

    n = y.gcd(*[y for y in xs])
    try:
        xs[9] = n
    except IndexError as n:
        xs = [str(n) for n in xs]
    with open(__file__) as x:
        ys = [x for x in xs]
    return ys


def life(cells):
    near = {}
    for x, y in cells:
        for place in [(x + a, y + b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)]:
            near[place] = near.get(place, 0) + 1
    return {place for place in near if near[place] == 3 or near[place] == 2 and place in cells}


def ways(n, table):
    if n not in table:
        table[n] = sum([ways(n - coin, table) for coin in (1, 2) if coin <= n])
    return table[n]


def knapsack(items, room):
    best = [[0 for _ in range(room + 1)] for _ in items]
    for n, (weight, worth) in enumerate(items):
        best[n] = [max(best[n - 1][left], best[n - 1][left - weight] + worth if weight <= left else 0)
                   for left in range(room + 1)]
    return max([max([left for left in row]) for row in best])


def grouped(words):
    groups = {}
    for word in words:
        groups.setdefault("".join(sorted(letter for letter in word)), []).append(word)
    words = {key: [word.upper() for word in group] for key, group in groups.items() if len(group) > 1}
    return words


def checked(xs):
    n = len(xs)
    assert [x for x in xs if x < n], [x for x in xs]
    total = sum([x for x in xs]) if [x for x in xs if x > n] else -sum({x for x in xs})
    return total if n in [x for x in xs] else [n for n in xs]


def swapped(xs):
    x, y = 1, 2
    x, y = [y for x in xs for y in [x + 1]], [x for y in xs for x in [y]]
    return [(x, y) for x, y in zip(x, y, strict=True)]


def many_names(xs):
    zebra = 1
    apple = [zebra for _ in xs]
    mango = [apple[0] + x for x in xs]
    berry, x = mango[0], len([apple for apple in mango])
    return lambda: (zebra, x, berry)


def closed(n):
    first = numbers(n)
    x = next(first)
    first.close()
    ways = pausing(n)
    for x in ways: break
    del ways
    return x, OrderedDict({1: x})


def branches(xs):
    x = 1
    x += (sum(x for x in xs) if [x for x in xs] else x)
    for y in [y for y in xs]: x = (x + y if y > 1 else halves(x))
    for y in xs: x += 1 if y > 2 else 2; x = x - y
    return x


copied = lambda xs: (lambda xs: [
    x for x in xs
])([x for x in xs])


def empty_rounds(xs):
    n = 0
    for x in xs: pass
    for y in xs: continue
    for z in xs:
        for x in xs: ...
    else: n += z
    while (n := n + 1) < 6: pass
    return x, y, n


def rounds(n):
    while True:
        n -= halves(
            n
        ) or n
        if not n: break
    while n < 3: n += 1
    return n


async def wait(x):
    await asyncio.sleep(0)
    return x + 1


async def ticks(n):
    for i in range(n):
        await asyncio.sleep(0)
        yield i


async def gathered(xs):
    def seen():
        return x

    x = 5
    ys = [await wait(x) for x in xs]
    zs = [x async for x in ticks(3)]
    x = x + 1
    return ys, zs, seen()


def awaited(xs):
    return asyncio.run(gathered(xs))


def endless(xs):
    n = 0
    return [n for x in iter(int, 1)]


def cut_short(n):
    x = 0
    while True:
        x = [x for _ in range(n)][0] + 1


def elsewhere(text, name):
    """Run a text as another file; return its names and its code."""
    linecache.cache[f"<{name}>"] = (len(text), None, text.splitlines(keepends=True), f"<{name}>")
    code = compile(text, f"<{name}>", "exec")
    space = {"__name__": name}
    exec(code, space)
    return space, code


CELL, CELL_CODE = elsewhere("""xs = [1, 2]
x = 3
ys = [x * 2 for x in xs]
zs = {x: [y for y in range(x)] for x in xs if any(y == x for y in xs)}
for x in [x for x in ys]: zs[x] = [x for x in ys]
total = sum([w := x for x in xs]); x = [(lambda: x)() for x in xs]
class Box:
    kept = [x for x in ys]
    def __init__(self): self.all = [x for x in self.kept]
[x for x in Box().all]
""", "cell")
OTHER, _ = elsewhere("""def spread(xs):
    x = len(xs)
    ys = [[x for x in range(x)] for x in xs]
    return [min(y, key=lambda x: -x, default=x) for y in ys], sum(x for x in xs)
""", "other")
cell = FunctionType(CELL_CODE.replace(co_name="cell"), CELL, "cell")


def spreading(xs):
    x = 1
    ys = [OTHER["spread"]([x, 2]) for x in xs]
    return ys, x


CASES = [
    (dead_ends, {1: [2], 2: [], 3: [1]}, {1: 0, 2: 1, 3: 1}, {2: 0}), (primes, 14), (shadowed, [1, 2, 3]),
    (later, [1, 2]), (nested, [[1, 2], [3]]), (transposed, [[1, 2], [3, 4]]), (walrus, [1, 2, 3]), (closures, [1, 2]),
    (captured, [1, 2]), (counter, [1, 2]), (after_the_call, 3), (of_class, [1, 2]), (deleted, [1, 2, 3]),
    (in_order, ["b", "a", "c"]), (reordered, ["b", "a"]), (shortened, [1, 2, 3, 4]), (asked, [1, 2, 3]),
    (on_one_line, [1, 2, 3]), (on_many_lines, [1, 2, 3]), (failing, [1, 0, 2]), (raising, [1, 2]),
    (sorted_by_parts, [3, 1, 2, 3, 4]), (permutations, [1, 2, 3]), (called, [1, 2, 3]), (generated, 3), (ending, 3),
    (moved, [1, 2]), (changing, [1, 2]), (defaulted, [3, 1, 2, 4]), (matched, [1, 2, 3]), (named, [4, 6]),
    (life, [(0, 0), (1, 0), (2, 0)]), (ways, 5, {0: 1}), (knapsack, [(1, 2), (2, 3)], 3),
    (grouped, ["ab", "ba", "c"]), (checked, [1, 2, 3]), (swapped, [1, 2]), (many_names, [1, 2]), (awaited, [1, 2]),
    (endless, [1]), (cut_short, 2), (cell,), (spreading, [1, 2]), (branches, [1, 2, 3]), (copied, [1, 2]), (closed, 3),
    (rounds, 3), (empty_rounds, [1, 2]),
]


def film_of(function, *args):
    """Record a function and return its film as text."""
    from crashlab import record

    film = record(function, *args, tests=True, max_events=100, also=OTHER["spread"])
    lines = [f"{event!r}\n{film.why(event)}" for event in film.events]
    lines += [repr(call) for call in film.calls]
    lines += [film.stopped, repr(film.error), repr(sorted(film.counts.lines.items())), repr(film.counts.names)]
    lines += [repr(film.counts.calls), json.dumps(film.document())]
    return lines


if __name__ == "__main__":
    json.dump({case[0].__name__: film_of(*case) for case in CASES}, sys.stdout)
