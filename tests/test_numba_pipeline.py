"""What other compiled functions call is optimised once, and nothing is different but the time it takes."""

import operator
import sys
import types
from threading import Event

import numba
import pytest
from numba import int64
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Flags
from numba.core.registry import CPUDispatcher
from numba.core.targetconfig import ConfigStack
from numba.core.types.functions import BaseFunction

import crashlab
from crashlab.compiled import choose_body, numba_body, numba_pipeline
from crashlab.compiled.kernels import random_play
from crashlab.engine.game import Game
from crashlab.play.simulation import Job

pytestmark = pytest.mark.usefixtures("by_numba")

TOY = Game("toy", "toy", {})


@pytest.fixture(autouse=True, scope="module")
def games_alone():
    """Games are compiled without all else that plays at random."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numba_body.Numba, "is_slow_to_compile", False)
        yield


@pytest.fixture(scope="module")
def bodies(games_alone, tmp_path_factory):
    """The toy's rules as we compile them, which are kept on disk, and as Numba does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CRASHLAB_CACHE", str(tmp_path_factory.mktemp("compiled")))
        yield numba_body.Numba(TOY.rules), numba_body.Numba(TOY.rules, forgetful=True)


def played(body, events=False):
    """The results of some games on this body."""
    job = Job(TOY, {}, 1, events).play(0, 200, body, Event())
    return job.scores.tolist(), job.decisions.tolist(), None if job.counts is None else job.counts.tolist()


def libraries(body):
    """The library of the function that Python calls first, and those of the rules behind it."""
    whole, *_ = body.bind(random_play.play_games).overloads.values()
    parts = [found.library for rule in body._copies.values() for found in rule.overloads.values()]
    return whole.library, parts


def is_emitted(library):
    """Whether there is machine code of it."""
    return getattr(library, "_compiled", False)


@pytest.mark.parametrize("events", [False, True])
def test_both_ways_play_the_same_games(bodies, events):
    ours, numbas = bodies
    assert played(ours, events) == played(numbas, events) == played(choose_body.interpreted(TOY.rules), events)


def test_only_what_python_calls_becomes_machine_code(bodies):
    """That is the point of it: everything else is typed and lowered, and optimised where it is used."""
    ours, numbas = bodies
    played(ours), played(numbas)
    whole, parts = libraries(ours)
    assert type(whole) is numba_pipeline.WholeLibrary and whole._get_compiled_object()
    assert len(parts) > 5 and {type(part) for part in parts} == {numba_pipeline.PartLibrary}
    assert not any(is_emitted(part) for part in parts)
    whole, parts = libraries(numbas)
    assert {type(library) for library in (whole, *parts)} == {JITCodeLibrary}
    assert all(is_emitted(part) for part in parts)


def test_what_others_compile_with_numba_is_left_alone(bodies):
    played(bodies[0])
    double = numba.njit(lambda number: 2 * number)
    assert double(21) == 42
    (found,) = double.overloads.values()
    assert type(found.library) is JITCodeLibrary


def test_a_process_of_numba_alone_reads_what_we_have_kept(bodies, monkeypatch):
    """The disk has plain machine code: who reads it needs none of this."""
    results = played(bodies[0])
    read = numba_body.Numba(TOY.rules)
    monkeypatch.setattr(numba_pipeline.CalledCompiler, "compile_extra", None)  # whoever compiles now, fails
    monkeypatch.setattr(numba_pipeline.EntryCompiler, "compile_extra", None)
    assert played(read) == results
    whole, parts = libraries(read)
    assert type(whole) is JITCodeLibrary and not parts


@pytest.fixture
def told_anew():
    """What is said once is said again, here and afterwards."""
    choose_body.say.cache_clear()
    yield
    choose_body.say.cache_clear()


def is_told(capsys):
    """Whether the fallback is told, once, on stderr."""
    return capsys.readouterr().err == (
        f"crashlab: Numba {numba.__version__} is new here, so compiling takes three times as long\n"
    )


def finalize(self):
    """The same name and the same parameters as Numba's, another body."""


@pytest.mark.usefixtures("told_anew")
@pytest.mark.parametrize("place", range(len(numba_pipeline.USED)))
def test_a_function_of_numba_with_another_body_is_noticed(monkeypatch, capsys, place):
    known = list(numba_pipeline.USED.values())
    used = dict(zip(numba_pipeline.USED, known, strict=True))
    del used[list(used)[place]]
    monkeypatch.setattr(numba_pipeline, "USED", {**used, finalize: known[place]})
    assert not numba_pipeline.is_known()
    assert numba_body.pipelines(plain=False) == numba_body.pipelines(plain=False, forward=True) == ({}, {})
    assert is_told(capsys)


def test_a_function_without_a_text_is_another_one(monkeypatch):
    namespace = {}
    exec("def finalize(self): pass", namespace)
    monkeypatch.setattr(numba_pipeline, "USED", {namespace["finalize"]: numba_pipeline.digest(finalize)})
    assert not numba_pipeline.is_known()


@pytest.mark.usefixtures("told_anew")
def test_the_numba_of_the_pins_is_known_and_nothing_is_said(capsys):
    assert numba_pipeline.is_known() and numba_body.pipelines(plain=False) != ({}, {})
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("told_anew")
def test_where_numba_lacks_a_name_all_is_compiled_in_its_own_way(bodies, monkeypatch, capsys):
    results = played(choose_body.interpreted(TOY.rules))
    monkeypatch.setitem(sys.modules, "crashlab.compiled.numba_pipeline", None)  # as if an import in it failed
    monkeypatch.delattr(crashlab.compiled, "numba_pipeline")
    body = numba_body.Numba(TOY.rules)
    assert played(body) == results
    whole, parts = libraries(body)
    assert {type(library) for library in (whole, *parts)} == {JITCodeLibrary}
    assert is_told(capsys)


def test_the_meaning_of_an_operation_is_looked_for_once(monkeypatch):
    """Numba would look among dozens, for each `+` anew, once more for other flags; rules of our own are asked for."""
    monkeypatch.setattr(numba_pipeline.Calls, "KNOWN", {})
    context, asked = CPUDispatcher.targetdescr.typing_context, []
    plus, minus = context.resolve_value_type(operator.add), context.resolve_value_type(operator.sub)
    own = context.resolve_value_type(numba.njit(lambda row: row))

    def note(function, context, args, kws):
        asked.append(function)
        return args

    monkeypatch.setattr(numba_pipeline.Calls, "plain", note)
    checked = Flags()
    checked.boundscheck = True
    calls = numba_pipeline.Calls()
    for flags in (Flags(), checked, Flags()):
        with ConfigStack().enter(flags):
            for function in (plus, plus, minus):
                assert calls.find(function, context, (int64, int64), {}) == (int64, int64)
    assert asked == [plus, minus, plus, minus]
    assert not isinstance(own, BaseFunction)  # it has a way of its own, in whose place nothing is put


def test_numbas_own_way_of_finding_calls_is_put_back(bodies):
    played(bodies[0])
    assert BaseFunction.get_call_type is numba_pipeline.Calls.plain


@pytest.mark.usefixtures("told_anew")
def test_where_linking_fails_all_is_compiled_in_numbas_own_way(tmp_path, monkeypatch, recwarn, capsys):
    """A Numba that looks the same and is not: the second try does without."""
    monkeypatch.setenv("CRASHLAB_CACHE", str(tmp_path))

    def fail(self):
        raise AssertionError("Symbol not linked properly")

    monkeypatch.setattr(numba_pipeline.WholeLibrary, "finalize", fail)
    rules = type(TOY.rules)("rules")
    vars(rules).update(vars(TOY.rules))
    seen = []

    def use(body):
        seen.append(Job(TOY, {}, 1, False).play(0, 50, body, Event()).scores.tolist())

    body = choose_body.quickest(rules, "games", use, wait=True)
    assert body.is_compiled and not recwarn.list
    told = "compiled anew in Numba's own way, which takes longer: Symbol not linked properly"
    assert told in capsys.readouterr().err
    use(choose_body.interpreted(TOY.rules))
    assert seen[0] == seen[1]


def test_an_index_outside_is_told_from_within_a_part():
    """Checked code raises in functions that were only linked, too."""

    def beyond(row):
        return row[7]

    def entry(row):
        return 1 + beyond(row)

    parts, wholes = numba_body.pipelines(plain=False)
    beyond = numba_body.compiler(boundscheck=True, **parts)(beyond)
    with pytest.raises(IndexError):
        numba_body.compiler(boundscheck=True, **wholes)(entry)(numba_body.Numba(TOY.rules).row(3))


def last(row):
    """In Python the last number of a row."""
    return row[-1]


def compiled_last(forward):
    """The same as an entry that is compiled as the book's rules are, or as rules of one's own; every index checked."""
    _, wholes = numba_body.pipelines(plain=False, forward=forward)
    return numba_body.compiler(boundscheck=True, **wholes)(last)


def test_the_books_rules_have_no_index_that_counts_from_the_end():
    """So none is asked whether it is negative; checked code tells where one is."""
    row = numba_body.Numba(TOY.rules).row(3)
    with pytest.raises(IndexError):
        compiled_last(forward=True)(row)
    assert numba.njit(last)(row) == 0  # what others compile afterwards is as ever


def test_in_rules_of_ones_own_an_index_counts_from_the_end_as_in_python():
    row = numba_body.Numba(TOY.rules).row(3)
    row[2] = 7
    assert compiled_last(forward=False)(row) == last(row) == 7
    own = crashlab.game("autoscooter").with_rules(fits)
    assert numba_body.Numba(own.rules)._wholes["pipeline_class"] is numba_pipeline.EntryCompiler
    assert numba_body.Numba(TOY.rules)._wholes["pipeline_class"] is numba_pipeline.ForwardEntryCompiler


def parts_of(number, out):
    """A number divided by constants: powers of two, which are done by bits, and others."""
    out[0], out[1] = number // 1, number % 1
    out[2], out[3] = number // 8, number % 8
    out[4], out[5] = number // 4096, number % 4096
    out[6], out[7] = number // -8, number % -8
    out[8], out[9] = number // 6, number % 6


def test_numbers_are_divided_as_in_python():
    """Downwards, below zero too; also by a number that is known only when it is divided by."""
    _, wholes = numba_body.pipelines(plain=False)
    compiled = numba_body.compiler(**wholes)(types.FunctionType(numba_body.plain_ints(parts_of.__code__), {}))
    divide = numba_body.compiler(**wholes)(lambda number, by: (number // by) * 1000 + number % by)
    row = numba_body.Numba(TOY.rules).row(10)
    for number in (-(1 << 63), -4097, -4096, -9, -8, -7, -1, 0, 1, 5, 8, 4095, 4096, (1 << 63) - 1):
        expected = [0] * 10
        parts_of(number, expected)
        compiled(number, row)
        assert row.tolist() == expected
        for by in (1, 8, 6, -8, -6) if abs(number) < 5000 else ():
            assert divide(number, by) == (number // by) * 1000 + number % by


def fits(table, car, manoeuvre):
    """Everything fits."""
    return True
