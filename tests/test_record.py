"""What is promised of `crashlab.record`: it changes nothing, it tells everything, and it says why."""

import copy
import random
import sys
from collections import deque
from pathlib import Path
from types import FunctionType

import numpy as np
import pytest
import recorded_algorithms as algorithms

from crashlab import record
from crashlab.watch import ABSENT, Instance, Words
from crashlab.watch import Path as Keys
from crashlab.watch.recorder import Recorder

HIDDEN = (FunctionType, type, type(sys), type(len), type([].append))


def plain(value, seen=()):
    """A live value or a recorded one in a form that can be compared, the types of numbers included."""
    if id(value) in seen:
        return "...", len(seen) - seen.index(id(value))
    inner = (*seen, id(value))
    if isinstance(value, np.ndarray):
        return "array", value.tolist()
    if isinstance(value, dict):
        return "dict", sorted(repr((plain(key, inner), plain(held, inner))) for key, held in value.items())
    if isinstance(value, set):
        return "set", sorted(repr(plain(one, inner)) for one in value)
    if isinstance(value, list | tuple | deque):
        kind = next(kind for kind in (deque, list, tuple) if isinstance(value, kind))
        return kind.__name__, [plain(one, inner) for one in value]
    if isinstance(value, Instance):
        return value.name, plain(value.attributes, inner)
    if type(value).__module__ == algorithms.__name__:
        slots = {name: getattr(value, name) for name in getattr(value, "__slots__", ()) if hasattr(value, name)}
        return type(value).__name__, plain(slots or vars(value), inner)
    if isinstance(value, Words):
        return "words"
    if type(value).__module__ not in ("builtins", __name__) or hasattr(value, "__next__"):
        return "words"
    return "words" if isinstance(value, BaseException) else (type(value).__name__, repr(value))


@pytest.fixture
def truths(monkeypatch):
    """What the variables of a call really are, each time that the recorder has looked at them."""
    seen = []
    look = Recorder.look

    def looks(recorder, run, frame, why=None):
        look(recorder, run, frame, why)
        if frame is not None and not recorder.stopped:
            held = {name: value for name, value in frame.f_locals.items() if not isinstance(value, HIDDEN)}
            for scope in set(run.names.values()):
                own = {name: plain(value) for name, value in held.items() if run.names.get(name) is scope}
                seen.append((recorder.beat, scope.number, scope is run.scope, own))

    monkeypatch.setattr(Recorder, "look", looks)
    return seen


def check(film, truths):
    """At every beat the variables are what they were."""
    assert truths
    for beat, call, is_all, held in truths:
        told = {name: plain(value) for name, value in film.at(beat, call).items()}
        assert {name: told.get(name) for name in (told if is_all else held)} == held, beat


@pytest.mark.parametrize("name", algorithms.RETURNING)
def test_the_film_is_what_happened_and_recording_changes_nothing(name, truths):
    function, given = algorithms.RETURNING[name]
    args, others = given(), given()
    result = function(*args)
    film = record(function, *others)
    assert plain(film.result) == plain(result) and plain(others) == plain(args)
    assert film.error is None and film.stopped == ""
    check(film, truths)


@pytest.mark.parametrize("name", algorithms.RAISING)
def test_an_exception_is_the_last_beat(name, truths):
    function, given, error = algorithms.RAISING[name]
    film = record(function, *given())
    last = film.events[-1]
    assert type(film.error) is error and film.result is None and film.stopped == ""
    assert last.name == "" and last.after.startswith(error.__name__) and last.beat == film.beats
    assert film.line(film.beats) == (algorithms.__file__, last.line)
    assert last.source in Path(algorithms.__file__).read_text("utf-8")
    assert error.__name__ in str(film) and error.__name__ in str(film.why(last))


def test_the_line_that_raises_explains_itself():
    film = record(algorithms.raising, [1, 0])
    assert [event.name for event in film.why(film.events[-1]).events] == ["", "value", "row"]
    assert film.events[-1].source == "total += 10 // value"


@pytest.mark.parametrize("name", algorithms.ENDLESS)
def test_an_endless_loop_ends(name):
    film = record(algorithms.ENDLESS[name], 1, most=200)
    assert "recording stopped after" in film.stopped and film.result is film.error is None
    assert len(film.events) <= 202 and film.stopped in str(film)
    assert film.at(film.beats)["n"] >= 1


def apply(model, event, things):
    """Replay one event, knowing only what it tells."""
    slot = event.owner, event.name
    if event.key is None:
        model.pop(slot, None)
        if event.after is not ABSENT:
            held = things.setdefault(event.thing, event.after) if event.thing >= 0 else event.after
            model[slot] = held
        return
    held = model[slot]
    keys = event.key if isinstance(event.key, Keys) else (event.key,)
    for key in keys[:-1]:
        held = held.attributes[key] if isinstance(held, Instance) else held[key]
    if isinstance(held, Instance):
        held, keys = held.attributes, [str(key) for key in keys]
    if isinstance(held, set):
        held.discard(event.before) if event.after is ABSENT else held.add(event.after)
    elif event.after is ABSENT:
        del held[keys[-1]]
    elif event.before is ABSENT and not isinstance(held, dict):
        held.insert(keys[-1], event.after)
    else:
        held[keys[-1]] = event.after


def replayed(film):
    """The variables of every call beat by beat, made from the events alone."""
    model, things, moments = {}, {}, [{}]
    for event in copy.deepcopy(film.events):
        moments += [copy.deepcopy(model)] * (event.beat - len(moments))
        apply(model, event, things)
        if event.beat == len(moments):
            moments.append({})
        moments[event.beat] = copy.deepcopy(model)
    return moments


SHARED = {"aliases", "itself", "linked", "fixed_point"}  # things in things that have names of their own, too


@pytest.mark.parametrize("name", [name for name in algorithms.RETURNING if name not in SHARED])
def test_replaying_the_events_gives_every_moment(name):
    function, given = algorithms.RETURNING[name]
    film = record(function, *given())
    for beat, moment in enumerate(replayed(film)):
        if name == "payments" or beat == 0:
            continue
        for call in {owner for owner, _ in moment if owner >= 0}:
            held = {name: plain(value) for (owner, name), value in moment.items() if owner == call}
            assert {name: plain(value) for name, value in film.at(beat, call).items()} == held, beat
    assert film.beats == (film.events[-1].beat if film.events else 0)


def program(rng):
    """The text of a function of random statements on dicts, lists and numbers."""
    lines = ["def program(rng):", "    a, b, d, e, n = [3, 1, 2], [], {'x': 1}, {}, 0"]
    for _ in range(rng.randrange(5, 25)):
        one, other = rng.sample(["a", "b"], 2)
        lines.append("    " + rng.choice([
            f"{one}.append(rng.randrange(5))",
            f"{one}.insert(rng.randrange(len({one}) + 1), n)",
            f"{one} and {one}.pop(rng.randrange(len({one})))",
            f"{one}[:] = {other}",
            f"{one} = {other}",
            f"{one} = {one} + [True, 1, 1.0, None][: rng.randrange(5)]",
            f"{one} += [n, 1]",
            f"{one}.sort(key=str); {one}.reverse()",
            f"if {one}: {one}[rng.randrange(len({one}))] = rng.choice([0, False, 0.0, 1, True, 'x', float('nan')])",
            f"del {one}[1:2]",
            "d[rng.choice('xyz')] = n",
            "e[len(d), n] = rng.choice([a[:], (1, 2), 'word', 1])",
            "d.pop(rng.choice('xyz'), None)",
            "d, e = e, d",
            "d = {**d, n: a[:]}",
            "e.setdefault('rows', []).append(n)",
            "for i in range(rng.randrange(3)): n += i",
            "n = n + 1 if n < 3 else 0",
            "d.clear()",
            "e |= {n: n}",
            "s = set(str(d)); s.add(n)",
            "m = {key: value for key, value in d.items() if key}",
        ]))  # fmt: skip
    return "\n".join([*lines, "    return a, b, d, e, n"])


@pytest.mark.parametrize("seed", range(60))
def test_random_programs(seed, truths, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(program(random.Random(seed)), encoding="utf-8")
    space = {"__name__": "program"}
    exec(compile(path.read_text("utf-8"), str(path), "exec"), space)
    made = space["program"](random.Random(seed))
    film = record(space["program"], random.Random(seed))
    assert plain(film.result) == plain(made) and film.error is None
    check(film, truths)
    assert str(film) == str(record(space["program"], random.Random(seed)))
