"""Every fault that a user's rules can have gives one message with its line, and changes nothing."""

import re
from functools import lru_cache, partial

import pytest
from cell_functions import cell

import crashlab
from crashlab import CrashlabError
from crashlab.compiled import choose_backend, disk_cache

GAME = crashlab.game("autoscooter", players=2)
HEAD = '''
# a remark above, so that the first line of the function is the third of the cell

def hit_rear(table, car, hit, v, cause, trace):
    """A car that rams pays."""
'''


def body(*lines):
    """Return a cell in which `hit_rear` has these lines, from line 5 on."""
    return HEAD + "\n".join(f"    {line}" for line in lines)


REFUSED = {
    "a name like that of a rule": (
        "def hit_reer(table):\n    return 1",
        "line 1, .*no function hit_reer.*similar names are hit_rear, ",
    ),
    "a name like no rule's": (
        "def fly(table):\n    return 1",
        r"line 1, .*no function fly, .*; similar names are \w+, \w+, \w+; game.functions lists all$",
    ),
    "too few parameters": (
        "def hit_rear(table, car):\n    return 1",
        r"line 1, in hit_rear: .*have the parameters \(table, car, hit, v, cause, trace\), not \(table, car\)",
    ),
    "too many parameters": (
        "def score(table, seat, more):\n    return 1",
        r"have the parameters \(table, seat\), not \(table, seat, more\)",
    ),
    "any number of parameters": ("def score(*args):\n    return 1", "line 1, in score: .*parameters without \\*"),
    "parameters by name": ("def score(table, *, seat):\n    return 1", "line 1, in score: .*parameters without \\*"),
    "a default that is no number": (
        "def score(table, seat=[]):\n    return 1",
        "line 1, in score: .*the default of a parameter must be a whole number",
    ),
    "a name of nobody": (body("return sped"), "line 5, in hit_rear: `return sped`: sped is not defined in the rules"),
    "a name that is nearly known": (
        body("return NOWERE"),
        "line 5, .*NOWERE is not defined .*; did you mean NOW",
    ),
    "a constant that is not given": (
        body("v = 2", "return v * QQ"),
        r"line 6, .*QQ is not defined in the rules; .*with_rules\(..., QQ=1\)",
    ),
    "a field that the table lacks": (
        body("return table.sped[car]"),
        "line 5, .*the table has no sped; did you mean sp",
    ),
    "a field like no other": (body("return table.qqq[car]"), "line 5, .*the table has no qqq; it has .*speed"),
    "a call with too little": (
        body("pay_box(table, car, v, C3, cause)", "return cause"),
        r"line 5, .*pay_box takes \(table, payer, amount, rule, cause, trace\), but is given 5 values",
    ),
    "a call of one's own with too much": (
        body("return more(table, car)") + "\ndef more(table):\n    return 1",
        r"line 5, .*more takes \(table\), but is given 2 values",
    ),
    "a variable of the cell": (
        "tax = 3\ndef score(table, seat):\n    return tax",
        "line 3, .*tax is not defined in the rules",
    ),
    "a variable of the function around": (
        "def make(tax):\n    def score(table, seat):\n        return tax\n    return score\nscore = make(3)\ndel make",
        "line 3, in score: `return tax`: tax is not defined in the rules",
    ),
    "a decorator": (
        "def same(function): return function\n@same\ndef score(table, seat):\n    return 1\ndel same",
        "line 2, in score: `@same`: a rule must not have a decorator",
    ),
    "a coroutine": ("async def score(table, seat):\n    return 1", "async def score.*not a plain function"),
    "a generator": ("def score(table, seat):\n    yield 1", "line 2, in score: `yield 1`: .*must not use yield"),
    "a memory": (
        "def score(table, seat):\n    global C3\n    C3 = 1",
        "line 2, in score: .*must not use global or nonlocal",
    ),
    "a helper of no use": (
        body("return cause") + "\ndef helper(table):\n    return 1",
        "line 6, in helper: .*none of your functions uses it",
    ),
    "the name of what rules use": (
        "def happen(table):\n    return 1",
        "line 1, in happen: .*the name happen is in use, but not for a rule of this game",
    ),
    "the name of a constant": (
        "def ROUND(table):\n    return 1",
        "line 1, in ROUND: .*is in use, but not for a rule of this game",
    ),
    "HOUSE as a function": (
        "def HOUSE(table):\n    return 1",
        "line 1, in HOUSE: .*is in use, but not for a rule of this game",
    ),
    "a builtin's name": ("def max(table):\n    return 1", "line 1, in max: .*choose another"),
    "HOUSE without a text": (
        "def score(table, seat):\n    return HOUSE",
        "line 2, in score: `return HOUSE`: a function that uses HOUSE needs a docstring: the text of its rule",
    ),
}
WRITES = {
    "a number": ["table.speed[hit] = 0"],
    "a number more": ["table.speed[hit] += 1"],
    "a row": ["table.speed = [0] * 8"],
    "through another name": ["row = table.speed", "row[hit] = 0"],
    "through two names": ["row = again = table.speed", "again[hit] = 0"],
    "through a name that was a new list": ["row = [0]", "row = table.speed", "row[hit] = 0"],
    "through out": ["out = table.speed", "out[hit] = 0"],
    "in a pair": ["v, (table.speed[hit], car) = 1, (2, 3)"],
    "in a loop": ["for table.speed[hit] in range(3): v = 1"],
    "of one row after another": ["for row in (table.speed, table.cell):", "    row[hit] = 0"],
    "in a comprehension": ["v = [1 for table.speed[hit] in range(3)]"],
    "with a with": ["with v as table.speed[hit]: v = 1"],
    "by a method": ["table.speed.append(3)"],
    "by a method of another name": ["row = table.speed", "row.pop()"],
    "by a method's name": ["table.speed.__setitem__(hit, 0)"],
    "by removing": ["del table.speed[hit]"],
    "by name": ["setattr(table, 'speed', [0])"],
    "by a text": ["exec('table.speed[hit] = 0')"],
    "of the trace": ["trace.rows.append(1)"],
    "of the beat": ["trace.beat += 1"],
}
NOT_COMPILED = {  # the start of the message, and the number of the line
    "a dict": (["v = {1: 2}[1]"], "a dict"),
    "a set": (["v = len({1, 2})"], "a set"),
    "a list": (["w = [1, 2]", "w[0] = 3"], "a list"),
    "a string": (["w = 'speed'"], "a string"),
    "bytes": (["w = b'speed'"], "a string"),
    "an f-string": (["w = f'{v}'"], "a string"),
    "a number with a point": (["w = 0.5"], "the number 0.5"),
    "a fraction": (["w = v / 2"], "a fraction"),
    "a fraction in place": (["v /= 2"], "a fraction"),
    "a comprehension": (["w = sum([i for i in range(v)])"], "a comprehension"),
    "a generator expression": (["w = sum(i for i in range(v))"], "a comprehension"),
    "an exception": (["try:", "    w = 1", "finally:", "    w = 2"], "an exception"),
    "an assertion": (["assert v >= 0"], "an exception"),
    "a slice": (["w = table.speed[1:2]"], "a slice"),
    "a lambda": (["w = (lambda x: x)(v)"], "a lambda"),
    "an inner function": (["def inner(): return 1", "w = inner()"], "a function within a function"),
    "a class": (["class Inner: pass"], "a class"),
    "an import": (["import math"], "an import"),
    "a star": (["w = max(*(1, 2))"], "a star"),
    "a match": (["match v:", "    case 0: w = 1"], "a match"),
    "a builtin": (["w = sum((1, v))"], "sum"),
    "a print": (["print(end='')"], "a string"),
    "a thing of the module": (["w = len(BOOK)"], "BOOK"),
}


def functions(source):
    return [value for name, value in cell(source).items() if callable(value) and not name.startswith("__")]


@pytest.mark.parametrize("source, words", REFUSED.values(), ids=REFUSED)
def test_what_is_no_rule_is_refused_with_its_line(source, words):
    with pytest.raises(CrashlabError, match=words) as error:
        GAME.with_rules(*functions(source))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("lines", WRITES.values(), ids=WRITES)
def test_a_table_is_written_to_only_through_the_door(lines):
    with pytest.raises(CrashlabError, match=r"in hit_rear: `.*`: change a table only with happen") as error:
        GAME.with_rules(*functions(body(*lines, "return cause")))
    assert int(re.match(r"line (\d+)", str(error.value))[1]) in range(5, 5 + len(lines))


def test_an_index_changes_with_its_field_alone():
    lines = "def score(table, seat):", "    happen(table.crew_at, 0, 0, 1, C1, NOWHERE, None)", "    return 0"
    with pytest.raises(
        CrashlabError, match=r"line 2, in score: .*crew_at is computed from where: change where instead"
    ):
        crashlab.game("crash_and_grab").with_rules(*functions("\n".join(lines)))


def test_what_a_rule_has_made_itself_it_may_change():
    lines = ["row = [0] * 3", "row[0] = 1", "row.append(2)", "seen = {}", "seen[v] = row", "return cause"]
    assert GAME.with_rules(*functions(body(*lines))).start(1).over is False


@pytest.mark.parametrize("lines, what", NOT_COMPILED.values(), ids=NOT_COMPILED)
def test_what_cannot_be_compiled_is_played_and_told_in_our_words(lines, what, capsys):
    mine = GAME.with_rules(*functions(body(*lines, "pay(table, car, hit, v, v, HOUSE, cause, trace)", "return cause")))
    with pytest.raises(
        CrashlabError, match=rf"^line 5, in hit_rear: `.*`: {re.escape(what)}.* cannot be compiled; com"
    ):
        choose_backend.compiled(mine.rules)
    disk_cache.say.cache_clear()
    for _ in range(2):
        assert not choose_backend.quickest(mine.rules, "games", lambda body: 1 / 0, wait=True).is_compiled
    message = capsys.readouterr().err
    assert (
        message.startswith("crashlab: these rules are not compiled: line 5, in hit_rear") and message.count("\n") == 1
    )


@pytest.mark.parametrize(
    "value, shown",
    [
        (3, "3"),
        ("hit_rear", "'hit_rear'"),
        (None, "None"),
        (len, "built-in function len"),
        (lambda table: 1, "lambda"),
        (int, "<class 'int'>"),
        (partial(max, 1), "functools.partial"),
        (lru_cache(cell), "lru_cache_wrapper"),
        (GAME.start, "bound method"),
        ([len], "[<built-in"),
    ],
)
def test_only_functions_are_rules(value, shown):
    with pytest.raises(CrashlabError, match=rf"a rule is a function, not .*{re.escape(shown)}.*; write it with def"):
        GAME.with_rules(value)


def test_a_function_without_a_text_is_refused():
    names = {}
    exec("def score(table, seat): return 1", names)
    with pytest.raises(CrashlabError, match="the source of score cannot be found: define it in a cell or in a file"):
        GAME.with_rules(names["score"])


def test_nothing_and_the_same_twice_are_refused():
    with pytest.raises(CrashlabError, match="needs a function that replaces a rule"):
        GAME.with_rules()
    one, other = (cell("def score(table, seat):\n    return 1")["score"] for _ in range(2))
    with pytest.raises(CrashlabError, match="two of these functions are named score"):
        GAME.with_rules(one, other)


@pytest.mark.parametrize(
    "constants, words",
    [
        ({"FINE": 2.5}, "FINE=2.5: a constant is a whole number from -1000 to 1000"),
        ({"FINE": True}, "FINE=True: a constant is a whole number"),
        ({"FINE": "2"}, "FINE='2': a constant is a whole number"),
        ({"FINE": None}, "FINE=None: a constant is a whole number"),
        ({"FINE": 1001}, "FINE=1001: a constant is a whole number"),
        ({"SPEED": 2}, "the rules use the name SPEED already: give your constant another name"),
        ({"HOUSE": 2}, "the rules use the name HOUSE already"),
        ({"players": 3}, "the rules use the name players already"),
        ({"score": 3}, "the rules use the name score already"),
    ],
)
def test_constants_are_whole_numbers_with_names_of_their_own(constants, words):
    with pytest.raises(CrashlabError, match=re.escape(words)):
        GAME.with_rules(*functions("def score(table, seat):\n    return 1"), **constants)


def test_an_error_of_the_compiler_is_told_with_the_line_of_the_cell():
    """Only the compiler notices a name that holds a number here and a row there."""
    pytest.importorskip("wasmtime")
    lines = ["w = 1", "if v > 1:", "    w = table.speed", "return cause + (0 * w[0] if v > 1 else 0)"]
    mine = GAME.with_rules(*functions(body(*lines)))
    message = r"because compiling failed: line \d+, in hit_rear: `.*`: this cannot be compiled"
    with pytest.warns(RuntimeWarning, match=message):
        crashlab.play.simulation.warm(mine, events=True)
    assert len(crashlab.simulate(mine, 3, progress=False)) == 3
