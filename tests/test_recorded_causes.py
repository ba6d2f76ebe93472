"""A reason is right, or it is not told: each is held against the equation of its algorithm."""

import ast
from copy import deepcopy
from itertools import pairwise

import pytest
from reasoned import INF, REASONED

from crashlab import record
from crashlab.watch.film_data import ReplayedVariables
from crashlab.watch.heap import ABSENT, Attribute, Thing


class Places:
    """The events that brought what is at each place, kept beside a replay of a film."""

    def __init__(self, film):
        self.film, self.moment = film, ReplayedVariables(film._entries, film._met)
        self.slots, self.parts, self.latest = {}, {}, {}
        self.number = 0

    def copy(self):
        found = object.__new__(Places)
        found.film, found.number = self.film, self.number
        found.slots, found.latest = dict(self.slots), dict(self.latest)
        found.parts = {thing: part.copy() for thing, part in self.parts.items()}
        found.values = dict(self.moment.slots)
        found.things = {thing: held.copy() for thing, held in self.moment.things.items()}
        return found

    def go_on(self):
        entry = self.film._entries[self.number]
        self.moment.go_on()
        if entry.thing is None:
            self.slots[entry.slot] = self.number
            self.claim(entry.after)
        else:
            self.latest[entry.thing] = self.number
            part = self.parts.setdefault(entry.thing, {} if entry.thing.kind.name != "ROW" else [])
            if entry.after is ABSENT:
                del part[entry.own]
            elif entry.before is ABSENT and isinstance(part, list):
                part.insert(entry.own, self.number)
            else:
                part[entry.own] = self.number
            self.claim(entry.after)
        self.number += 1

    def claim(self, value):
        """What a thing holds at first was brought by the event that bound it."""
        if type(value) is tuple:
            for each in value:
                self.claim(each)
        if type(value) is Thing and value not in self.parts and value in self.moment.things:
            held = self.moment.things[value]
            self.latest[value] = self.number
            is_row = isinstance(held, list)
            self.parts[value] = [self.number for _ in held] if is_row else dict.fromkeys(held, self.number)
            for each in held if isinstance(held, list) else held.values() if isinstance(held, dict) else ():
                self.claim(each)

    def slot(self, name, call):
        """Whose variable a name is."""
        owners = [owner for owner, other in self.values if other == name]
        return (call if call in owners else max(owners, default=-9), name)

    def at(self, place, call, env):
        """The flat value at a place, and the event that brought it."""
        if isinstance(place, ast.Name):
            slot = self.slot(place.id, call)
            return self.values.get(slot, ABSENT), self.slots.get(slot, -1)
        held, _ = self.at(place.value, call, env)
        if isinstance(place, ast.Attribute):
            key = Attribute(place.attr)
        else:
            key = eval(compile(ast.Expression(place.slice), "key", "eval"), {}, env)
        try:
            return self.things[held][key], self.parts[held][key]
        except (KeyError, IndexError):
            return ABSENT, -1

    def holding(self, name, call, value):
        """The events that brought elements of a container that are, or hold, a value."""
        held = self.values.get(self.slot(name, call))
        if held not in self.things:
            return set()
        contents, parts = self.things[held], self.parts[held]
        pairs = enumerate(contents) if isinstance(contents, list) else contents.items()
        found = set()
        for key, each in pairs:
            inside = (each, *(each if isinstance(each, tuple) else ()), *(() if isinstance(contents, list) else (key,)))
            if any(alike(one, value) for one in inside):
                found.add(parts[key])
        return found


def alike(one, other):
    return one is other or type(one) is type(other) and one == other


def said(film, before, event, equations):
    """The events that are true reasons of a change, and of these those of which one has to be told."""
    env = {}
    callers = [event.call]
    while callers[-1] > 0:
        callers.append(film.calls[callers[-1]].parent)
    for call in [call for call in range(len(film.calls)) if call not in callers] + callers[::-1]:
        env.update(film.at(max(event.beat - 1, 0), call))
    env |= {"INF": INF}
    true, needed = set(), set()
    for equation in equations:
        place, _, worth = (part.strip() for part in f"{equation} ".partition(" : "))
        if place.startswith(":"):
            continue
        is_free, place = "?" in place, place.strip("?")
        if place == "()":
            true |= {
                other.number for other in film.events[: event.number]
                if other.call > event.call and event.call in descent(film, other.call)
            }  # fmt: skip
            continue
        if place[-1] == "*":
            found = before.holding(place[:-1], event.call, film._entries[event.number].after)
            found |= before.holding(place[:-1], event.call, env[worth]) if worth in env else set()
            true |= found
            needed |= set() if is_free else found
            continue
        if place[-1] == "+":
            try:
                held, number = before.at(ast.parse(place[:-1], mode="eval").body, event.call, env)
            except NameError:
                continue
            true |= {before.latest.get(held, -1), number} - {-1}
            continue
        tree = ast.parse(place, mode="eval").body
        try:
            flat, number = before.at(tree, event.call, env)
            value = flat if worth in ("", "value") else eval(worth, dict(env))
        except (NameError, KeyError, IndexError, TypeError):
            continue
        after = film._entries[event.number].after
        if number >= 0 and flat is not ABSENT and (worth == "value" or alike(value, after) or event.after == value):
            true.add(number)
            needed |= set() if is_free else {number}
    return true, needed


def descent(film, call):
    while call > 0:
        call = film.calls[call].parent
        yield call


def judged(film, equations):
    """What is told of the changes of the variables that have equations: how many have causes, false and silent ones."""
    places, befores, beat = Places(film), None, 0
    told, false, silent = 0, [], []
    for event in film.events:
        if event.beat != beat:
            befores, beat = places.copy(), event.beat
        is_given = event.source.startswith(("def ", "class "))
        if event.name in equations and event.after is not ABSENT and not is_given:
            true, needed = said(film, befores, event, equations[event.name])
            told += bool(needed)
            if event.cause >= 0 and event.cause not in true:
                false.append(f"{event.words} [{event.source}] because {film.events[event.cause]}, true {sorted(true)}")
            elif event.cause < 0 and needed:
                silent.append(f"{event.words} [{event.source}], true {sorted(true)}")
        places.go_on()
    return told, false, silent


@pytest.mark.parametrize("name", REASONED)
def test_no_reason_is_false_and_few_are_silent(name):
    function, given, equations = REASONED[name]
    film = record(function, *deepcopy(given))
    assert film.error is None and film.stopped == ""
    told, false, silent = judged(film, equations)
    assert not false, false[:3]
    assert 10 * len(silent) <= told, silent[:3]


# What is told, one rule at a time


def causes(function, *given, watch=None):
    """What each change is told to come from, by what changed."""
    film = record(function, *given, watch=watch)
    return {event.target: film.events[event.cause].target if event.cause >= 0 else "" for event in film.events}


def test_each_parameter_has_its_own_argument():
    def inner(p, q, *, r):
        return q

    def outer(u, v):
        w = 3
        got = inner(u, v, r=w)
        return got

    film = record(outer, 1, 2)
    told = {event.name: film.events[event.cause].target for event in film.events if event.cause >= 0}
    assert told == {"p": "u", "q": "v", "r": "w", "got": "q"}


def test_each_target_has_its_own_expression():
    def function(a):
        low, high = 0, len(a)
        (x, y), z = (low, high), a[0]
        return x, y, z

    told = causes(function, [5, 6])
    assert told == {"a": "", "low": "", "high": "a", "x": "low", "y": "high", "z": "a"}


def test_what_is_not_watched_hands_its_reasons_on():
    def function(far, more):
        first = far["a"]
        new = first + more
        pair = (new, "x")
        got, word = pair
        far["b"] = got
        return word

    film = record(function, {"a": 1}, 2, watch="far")
    last = film.events[-1]
    assert last.target == "far['b']" and film.events[last.cause].target == "far"


def test_an_equal_value_renews_its_reasons():
    def function(row):
        row[0] = 1
        got = row[0]
        row[1] = 1
        got = row[1]
        made = got * 2
        return made

    film = record(function, [5, 5], watch=["row", "made"])
    made = next(event for event in film.events if event.name == "made")
    assert film.events[made.cause].target == "row[1]"


@pytest.mark.parametrize(
    "text, cause",
    [
        ("max(a, b)", "b"), ("min(a, b)", "a"), ("a if a > b else b", "b"), ("a and b", "b"), ("a or b", "a"),
        ("max([a, b], key=lambda n: -n)", "a"), ("d.get('k', b)", "d"), ("d.get('z', b)", "b"), ("[a, b][1]", "b"),
        ("any(n > 1 for n in [a, b])", "b"), ("sum([a, b])", "b"), ("[n for n in row if n > 2][0]", "row"),
        ("(lambda: b)()", ""), ("unknown(a, b)", ""), ("7", ""), ("row.pop()", "row"), ("abs(-b)", "b"), ("-a", "a"),
        ("f'{b}'", "b"), ("len(row)", "row"), ("sorted([b, a])[0]", "a"), ("[x for x, y in zip([b], [a])][0]", "b"),
        ("{'k': a}['k']", "a"), ("next(iter([a]))", ""), ("(a, b)[0]", "a"), ("(c := b)", "b"), ("[*row, b][-1]", "b"),
        ("[q for p, q in enumerate([a, b])][1]", "b"), ("str(b)", "b"), ("b - (a > 0)", "b"),
    ],
)  # fmt: skip
def test_of_an_expression_what_counts_is_told(text, cause, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(f"def f(a, b, d, row):\n    a += 0\n    found = {text}\n    return found\n", encoding="utf-8")
    space = {"__name__": "program", "unknown": vars(__import__("operator"))["add"]}
    exec(compile(path.read_text("utf-8"), str(path), "exec"), space)
    film = record(space["f"], 1, 2, {"k": 1}, [1, 2, 3])
    last = next(event for event in film.events if event.name == "found")
    assert (film.events[last.cause].name if last.cause >= 0 else "") == cause


def test_nothing_of_the_program_is_changed_by_looking():
    from collections import defaultdict

    def function(table):
        found = table["x"] if "x" in table else 0
        seen = max((table[key] for key in ("y", "z") if key in table), default=found)
        return seen

    table = defaultdict(list)
    record(function, table)
    assert not table


def test_the_way_behind_a_distance_is_a_way():
    for name in ("dijkstra_lesson", "dijkstra_scan", "bfs"):
        function, given, _ = REASONED[name]
        film = record(function, *deepcopy(given))
        graph = given[0]
        far = "level" if name == "bfs" else "far" if name == "dijkstra_lesson" else "dist"
        for event in film.events:
            if event.name == far and event.key is not None:
                way = [one.key for one in film.why(event).events if one.name == far and one.key is not None][::-1]
                way = way if way[0] == given[1] else [given[1], *way]
                assert all(there in graph[here] for here, there in pairwise(way)), (name, way)


def test_a_loop_does_not_look_at_all_that_it_goes_through_in_every_round(monkeypatch):
    def looked_at(given):
        calls = []
        monkeypatch.setattr("crashlab.watch.causes.alike", lambda one, other: calls.append(1) or alike(one, other))
        assert record(walk, given).result == given[-1]
        return len(calls)

    def walk(given):
        last = 0
        for each in given:
            last = each
        return last

    for made in (range, lambda n: list(range(n))):
        assert looked_at(made(300)) < 4 * looked_at(made(100))
