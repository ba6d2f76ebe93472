# ruff: noqa: E501
"""Small random programs such as a first course writes: numbers, lists, dicts, sets, tuples, strings, and functions."""

import random

ROWS = ["row", "other"]
HELPERS = """
def pick(p, q):
    return p if p > q else q


def twice(p):
    q = p + p
    return q % 40


def change(many, p):
    many[p % len(many)] = p
    return many[0]


def copied(many):
    result = []
    for n in many:
        if n > 3:
            continue
        result.append(n)
    return result + [1, 2]


def deep(p, q):
    return q if p < 1 else deep(p - 1, q) if p % 2 else deep(p - 2, q + 1)


def pairs(many):
    best = many[0]
    for n in many[1:]:
        if n == best:
            break
        best = min(best, n)
    return best, len(many)

"""


GENERATORS = """
def totals(p):
    s = p
    while True:
        q = yield s % 20
        if q > 2:
            s = s + q
        else:
            s, p = p, q


def until(p):
    q = 0
    while q < p:
        q = yield q + 1
    return p + q


def through(p):
    r = 0
    while True:
        s = yield from until(p)
        r = s if s > r else p

"""


def is_still(number):
    """Return whether an expression has no side effects, so that a comprehension may use it."""
    return ":=" not in number and "stack.pop" not in number


def popped_once(line):
    """Keep only the first `stack.pop()` of a line, as a film reports a statement's changes of a list as one."""
    head, *more = line.split("stack.pop()")
    return f"{head}stack.pop(){'stack[-1]'.join(more)}" if more else line


class Programs:
    """A generator of random programs."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def one(self, *choices: str) -> str:
        return self.rng.choice(choices)

    def text(self) -> str:
        """Return a program whose function `f` takes two numbers, a list and a dict."""
        lines = [
            "x = a",
            self.one("y = b", "y, z = b, 3"),
            "z = a + 1",
            f"other = {self.row(1, ['row'])}",
            self.one("table['k'] = x", "table['m'] = a"),
            self.one("bag = {a, b, 4}", "bag = set(row)"),
            self.one("box = {1, 2, b}", "box = {n for n in row if n > 1}"),
            "stack = [a, 5, b, a, z]",
            self.one("gen = totals(a)", "gen = through(y + 1)"),
            "next(gen)",
            *self.one(
                "fs = [lambda: n for n in row]",
                "fs = [lambda: n + y for n, y in zip(row, row[1:])]",
                "fs = []|for t in (a, b, 3):|    fs = [*fs, lambda: t]",
                "fs = [lambda: y for _ in row]",
            ).split("|"),
            self.one("word = 'abc'", "word = 'abc' + 'de'"),
            self.one("pair = (a, b)", "pair = pairs(row)"),
            self.one("grid = [[a, 1], row[:2]]", "grid = [[0] * 3, [b, a, 2]]", "grid = [list(row), [5, b]]"),
        ]
        lines += self.block(self.rng.randrange(4, 9), 2)
        lines.append(f"return {self.one('x', 'y + z', 'row', 'table', 'sum(row)', 'other')}")
        return (
            f"{HELPERS}{GENERATORS}"
            + "\ndef f(a, b, row, table):\n"
            + "\n".join(f"    {popped_once(line)}" for line in lines)
            + "\n"
        )

    def arguments(self) -> tuple[int, int, list[int], dict[str, int]]:
        """Return random arguments of `f`."""
        rng = self.rng
        row = [rng.randrange(6) for _ in range(rng.randrange(3, 6))]
        return rng.randrange(6), rng.randrange(6), row, {key: rng.randrange(6) for key in "km"[: rng.randrange(1, 3)]}

    def block(self, count: int, depth: int) -> list[str]:
        """Return the lines of count random statements."""
        return [line for _ in range(count) for line in self.statement(depth)]

    def statement(self, depth: int) -> list[str]:
        rng = self.rng
        if depth and rng.random() < 0.3:
            inner = [f"    {line}" for line in self.block(rng.randrange(1, 4), depth - 1)]
            if rng.random() < 0.35:
                inner += [f"    if {self.test(1)}:", f"        {self.one('break', 'continue')}"]
                inner += [f"    {line}" for line in self.block(1, 0)]
            target = self.one("x", "y", "z", "t")
            head = self.one(
                f"for {target} in {self.one('row', 'other', 'row[:]', 'sorted(bag)', 'grid[0]', 'range(3)')}:",
                f"for i, {target} in enumerate({self.one('row', 'other')}):",
                f"for k, {target} in table.items():",
                f"for {target} in table.values():",
                f"for {target.replace('y', 't')}, y in zip(row, {self.one('other', 'grid[1]')}):",
                f"for {target} in [{self.number(1)}, {self.number(1)}]:",
                f"for {target} in reversed(row):",
                f"for {target} in [n for n in {self.one('row', 'other')} if {self.filter('z')}]:",
                f"for i, {target} in [(i, n) for i, n in enumerate(row) if {self.filter('b')}]:",
                "for n in grid:",
                f"while z > {rng.randrange(3)}:",
            )
            if head.startswith("while"):
                return ["z = z % 4", head, "    z -= 1", *inner]
            return [head, *inner]
        if depth and rng.random() < 0.2:
            inner = [f"    {line}" for line in self.block(1, depth - 1)]
            other = [f"    {line}" for line in self.block(1, depth - 1)]
            return [f"if {self.test(1)}:", *inner, *(["else:", *other] if rng.random() < 0.6 else [])]
        name, row, number = self.one("x", "y", "z"), self.one(*ROWS), self.number
        return rng.choice(
            [
                lambda: [f"{name} = {number(2)}"],
                lambda: [f"{name} = {number(2)}"],
                lambda: [f"{name} = {number(2)}"],
                lambda: [f"{name} {self.one('+=', '-=')} {number(1)}", f"{name} %= 50"],
                lambda: [f"{row}[{number(0)} % len({row})] = {number(1)} % 30"],
                lambda: [f"{row}[{number(0)} % len({row})] += {number(1)} % 5"],
                lambda: [f"x, {self.one('y', 'z')} = {number(1)}, {number(1)}"],
                lambda: [f"{row}[0], {row}[-1] = {row}[-1], {row}[0]"],
                lambda: [f"{row}.append({number(1)} % 9)"],
                lambda: [f"{row}.insert({number(0)} % 3, {number(0)})"],
                lambda: [
                    f"if len({row}) > 2:",
                    f"    {self.one(f'{row}.pop()', f'{name} = {row}.pop(0)', f'del {row}[1]', f'{row}.remove({row}[1])')}",
                ],
                lambda: [f"{row}.{self.one('reverse', 'sort')}()"],
                lambda: [f"{self.one(*ROWS)} = {self.row(1)}"],
                lambda: [f"{row}[{self.one('', '1', '0')}:{self.one('', '2')}] = {self.row(1)}"],
                lambda: [self.one(f"{row}.extend({self.row(0)})", f"{row} += {self.row(0)}")],
                lambda: [f"table[{self.one(chr(39) + 'k' + chr(39), chr(39) + 'n' + chr(39), 'x')}] = {number(1)}"],
                lambda: [
                    f"{name} = table.{self.one('get', 'setdefault', 'pop')}({self.one('x', chr(39) + 'k' + chr(39))}, {number(0)})"
                ],
                lambda: [f"table['k'] = table.get('k', 0) + {number(0)} % 7"],
                lambda: [f"bag.{self.one('add', 'discard')}({number(0)} % 9)"],
                lambda: [f"{self.one('bag', 'box')} = bag {self.one('&', '|', '-')} box"],
                lambda: [f"pair = {self.one('pairs(row)', f'({number(1)}, {number(1)})', 'pair[1], pair[0]')}"],
                lambda: ["x, y = pair"],
                lambda: [f"grid[{number(0)} % 2] = {self.row(1)}"],
                lambda: [f"{name} = gen.send({number(1)}) % 30"],
                lambda: [f"{name} = gen.send({number(0)})"],
                lambda: [f"x, *_ = [n for n in {row} if {self.filter('y')}] + [{number(0)}]"],
                lambda: [f"table.update({{n % 3: n for n in {row} if {self.filter('y')}}})"],
                lambda: [f"bag |= {{n for n in {row} if {self.filter('y')}}}"],
                lambda: [f"grid[{number(0)} % 2][0] = {number(1)} % 8"],
                lambda: [f"word = word {self.one('+ word[:1]', '+ word[0]', '+ chr_of')}".replace("+ chr_of", "+ 'x'")],
                lambda: [f"{name} = len(word) + {number(0)}"],
                lambda: [f"{name} = change({row}, {number(0)})"],
                lambda: [f"row = copied({self.one(*ROWS)})"],
                lambda: [f"{name} = [twice(n) for n in {row}][{self.one('0', '-1')}]"],
                lambda: [f"{name} = {number(0)} & {number(0)} | {number(1)} % 8"],
            ]
        )()

    def number(self, depth: int) -> str:
        """Return an expression of a number."""
        if depth == 0:
            return self.one("x", "y", "z", "a", "b", "2", "5")
        deeper, row, name = depth - 1, self.one(*ROWS), self.one("x", "y", "z")
        one, other = self.number(deeper), self.number(deeper)
        return self.one(
            self.number(0),
            f"{row}[{self.number(0)} % len({row})]",
            f"({one} + {other})",
            f"({one} - {other}) % 20",
            f"({one} if {self.test(deeper)} else {other})",
            f"({self.test(deeper)} and {one} or {other})",
            f"min({one}, {other})",
            f"max({row})",
            f"min({row})",
            f"len({row})",
            f"sum({row}) % 90",
            "pair[0]",
            "pair[1]",
            f"(pick({one}, {other}) if {self.test(0)} else pick({other}, {one}))",
            f"twice({one} % 9)",
            "grid[0][0]",
            f"grid[{name} % 2][1]",
            f"sum([{name} + n for n in {row}]) % 60",
            f"(w{self.rng.randrange(90)} := {one})",
            f"abs({one})",
            f"({one} + ({self.test(0)}))",
            f"table.get('k', {one})",
            f"deep({one} % 4, {other})",
            f"change({row}, {one} % 9)",
            f"{row}.count({one})",
            f"sum({row}[1:])% 70",
            f"sorted({row})[0]",
            f"[n for n in {row} if n >= 0][-1]",
            f"({self.test(0)} and pick({one}, {other}) or twice(3))",
            f"max([pick(n, {one if is_still(one) else name}) for n in {row}])",
            f"(stack.pop() if len(stack) > 2 else {one})",
            f"({one} + {row}[0] + change({row}, 3) + {row}[0]) % 50",
            f"({one} or {other})",
            f"({one} & {other})",
            f"({one} | {other}) % 50",
            f"list({row})[0]",
            "fs[0]()",
            "[f() for f in fs][-1]",
            f"([n for n in {row} if n > {other if is_still(other) else name}] or [{one}])[-1]",
            f"max([n for n in {row} if {self.filter(one)}], default={other})",
        )

    def filter(self, number: str) -> str:
        """Return a condition on the variable `n` of a comprehension."""
        other = number if is_still(number) else "y"
        return self.one("n % 2", "n", f"n > {other}", f"n < 3 or n > {other}", f"not n == {other}", "twice(n) > x")

    def test(self, depth: int) -> str:
        """Return a condition."""
        row = self.one(*ROWS)
        one, other = self.number(depth), self.number(0)
        return self.one(
            f"{one} > {other}",
            f"{one} == {other}",
            f"{one} < 3",
            f"{other} in {row}",
            f"not {one} < {other}",
            f"any(n > {other} for n in {row})",
            f"{one} < {other} or {other} > 2",
            f"twice({other} % 9) > 6",
        )

    def row(self, depth: int, names: list[str] = ROWS) -> str:
        """Return an expression of a list of at least two numbers."""
        row, one, other = self.one(*names), self.number(0) if len(names) > 1 else "a", "b"
        if depth == 0:
            return f"[{one}, {self.one('a', 'b', '3')}]"
        return self.one(
            f"[{one}, {other}, {one}]",
            f"{row}[:]",
            f"{row}[1:] + [{one}]",
            f"[{one}] * 3",
            f"sorted({row})",
            f"{row} + [{one}]",
            f"[n + {one} for n in {row}]",
            f"list({row})",
            f"{row}[::-1]",
            f"{row}.copy()",
            f"[{one}, *{row}]".replace(f"*{row}", f"{row}[0]"),
            f"list(reversed({row}))",
            f"sorted({{4, 2, {one}}}) + [1]",
            f"[twice(n) for n in {row} if n != 2] + [0, {one}]",
            f"[n for n in {row} if {self.filter(one)}] + [{one}, *[m for m in {row} if m < 3 for _ in range(1)]]",
        )
