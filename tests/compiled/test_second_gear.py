"""The second compiler tier gives the same numbers and errors, whatever happens during its compilation.

`test_wasm` tests in both tiers that each construct behaves as in Python.
"""

import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from patience import PATIENCE
from test_two_backends import play, rows
from test_wasm import (
    RULES,
    Race,
    best,
    by,
    calls_by_name,
    check,
    drives,
    fractions,
    is_even,
    is_same,
    logic,
    loops,
    marks,
    nowhere,
    several,
    signs,
    squares,
    stateful,
    uses_several,
    whole,
)

import crashlab
from crashlab.compiled import choose_backend
from crashlab.compiled.wasm import encoding as wasm
from crashlab.compiled.wasm import lift, second_gear, wasm_backend
from crashlab.compiled.wasm.emit_module import Module
from crashlab.engine.table import Ints, Trace, clear, lay
from crashlab.play.simulation import Job

pytest.importorskip("llvmlite")
AUTOSCOOTER = crashlab.game("autoscooter")


@pytest.fixture(params=["wasm", "llvm"])
def gear(request, monkeypatch):
    monkeypatch.setenv("CRASHLAB_COMPILER", request.param)
    return request.param


@pytest.fixture
def forced(monkeypatch):
    monkeypatch.setenv("CRASHLAB_COMPILER", "llvm")


@pytest.fixture
def soon(monkeypatch):
    """Start the second tier as soon as a function has run."""
    monkeypatch.delenv("CRASHLAB_COMPILER")
    monkeypatch.setattr(second_gear, "LONG", 0.0)


def gears(backend):
    return [module.gears for module in backend._modules.values()]


def wait(backend):
    """Wait until each function of the backend has its second tier or is refused one."""
    for gear in gears(backend):
        gear._thread.join(PATIENCE)


def test_every_instruction_that_is_lifted_stands_in_a_function_whose_results_are_compared(monkeypatch):
    tables = lift.ONE, lift.TWO, lift.SHIFTS, lift.DIVISIONS, lift.ITEMS
    blocks = wasm.BLOCK, wasm.LOOP, wasm.IF, wasm.ELSE, wasm.BR, wasm.BR_IF, wasm.CALL, wasm.UNREACHABLE
    others = wasm.GET, wasm.SET, wasm.TEE, wasm.DROP, wasm.SELECT, wasm.COPY[:2], wasm.FILL[:2]
    liftable = {*(code for table in tables for code in table), *blocks, *others}
    lifted, lift_one = set(), lift.Lifter.instruction_text

    def note(lifter):
        code = lifter.data[lifter.at]
        lifted.add(lifter.data[lifter.at : lifter.at + 2] if code in (0xFC, 0xFD) else code)
        lift_one(lifter)

    monkeypatch.setattr(lift.Lifter, "instruction_text", note)
    functions = [
        (signs, "i i"),
        (fractions, "f i frow"),
        (whole, "f"),
        (loops, "i row"),
        (stateful, "urow i"),
        (is_even, "i"),
        (marks, "bytes row"),
        (drives, "tables:32 row counts"),
        (is_same, "i i row row"),
        (best, "i i f frow"),
        (by, "i i"),
        (logic, "i i"),
        (squares, "i i"),
        (uses_several, "i i"),
        (several, "i i"),
        (nowhere, "row i"),
        (calls_by_name, "i"),
        (unsigned, "urow"),
        (truths, "i i row"),
        (compared, "f f row"),
    ]
    for function, kinds in functions:
        if function is not several:  # it has two results, and is in `uses_several`
            module = Module(RULES, Race, checked=True, inline=0, single=0, unroll=0)
            binary = module.binary(function, tuple(kinds.split()))
            lift.lifted(binary, 1 << 32)
    assert liftable <= lifted, liftable - lifted
    assert not {code for code in lifted if isinstance(code, bytes) and code[0] == 0xFD}  # no vector instructions


def unsigned(luck):
    first, second, third = luck[0], luck[1], luck[2]
    luck[2] = (first // second + first % second) >> 3
    result = (first > second) + 2 * (first <= second) + 4 * (first < third) + 8 * (first >= third)
    return result + 16 * (first / 3 > 1.0)


def truths(a: int, b: int, row: Ints) -> int:
    one, other = a > 2, b > 2
    row[0] = (one ^ other) + 2 * (one & other) + 4 * (one | other) + 8 * (one == other) + 16 * (one != other)
    return 32 * (not one) + (7 if one and other else 9) + (a * 0.5 > other)


def compared(a: float, b: float, row: Ints) -> int:
    row[0] = (a < b) + 2 * (a <= b) + 4 * (a > b) + 8 * (a >= b) + 16 * (a == b) + 32 * (a != b)
    return int(-a) + int(abs(b) * 3)


def test_truths_fractions_and_what_has_no_sign(gear):
    backend = wasm_backend.Wasm(RULES, Race)
    for a in (-3, 2, 3, 1 << 40):
        for b in (1, 2, 3, 7):
            check(backend, truths, a, b, [0])
            check(backend, compared, float(a), float(b), [0])
            ours, theirs = [(1 << 64) - 1 - a if a > 0 else 5, b, 1 << 63], backend.array((3,), "uint64")
            theirs[:] = ours
            assert backend.bind(unsigned)(theirs) == unsigned(ours) and theirs.tolist() == ours


# Errors


def endless(n: int) -> int:
    return endless(n + 1) + 1


def depth(n: int) -> int:
    return 1 + depth(n - 1) if n else 0


def quotient(a: int, by: int) -> int:
    return a // by


def rest(a: int, by: int) -> int:
    return a % by


def no_end(a: int) -> int:
    if a > 0:
        return 1


def at(row: Ints, place: int) -> int:
    return row[place]


def put(row: Ints, place: int) -> int:
    row[place] += 1
    return 0


def of_tables(tables, place: int) -> int:
    return tables[place].square[0]


def laid(tables, place: int) -> int:
    lay(tables, place, tables[0])
    return 0


def cleared(row: Ints, last: int) -> int:
    clear(row, 1, last)
    return 0


@pytest.mark.parametrize(
    ("function", "good", "bad", "message"),
    [
        (by, (5, 2), (5, 0), "integer divide by zero"),
        (quotient, (-(1 << 63), 1), (-(1 << 63), -1), "integer overflow"),
        (endless, None, (0,), "call stack exhausted"),
        (depth, (100,), (1 << 40,), "call stack exhausted"),
        (no_end, (1,), (0,), "unreachable"),
    ],
)
def test_what_breaks_off_is_told_in_both_gears_and_the_body_goes_on(gear, function, good, bad, message):
    call = wasm_backend.Wasm(RULES, Race).bind(function)
    for _ in range(2):
        with pytest.raises(crashlab.CrashlabError, match=f"the compiled rules stopped with an error: .*{message}"):
            call(*bad)
        assert good is None or call(*good) == function(*good)


def test_the_least_number_divided_by_minus_one_leaves_nothing(gear):
    assert wasm_backend.Wasm(RULES, Race).bind(rest)(-(1 << 63), -1) == 0


@pytest.mark.parametrize("function", [at, put, of_tables, laid, cleared])
@pytest.mark.parametrize("place", [-1, -(1 << 61), 4, 1 << 20, 1 << 61])
@pytest.mark.usefixtures("forced")
def test_an_index_beyond_its_row_is_told_with_its_line(function, place):
    backend = wasm_backend.Wasm(RULES, Race)
    row = backend.tables([Race()] * 3) if function in (of_tables, laid) else backend.row(3)
    line = rf'File ".*test_second_gear.py", line \d+, in {function.__name__}: .*this index is beyond its row'
    for _ in range(2):
        with pytest.raises(IndexError, match=line):
            backend.bind(function)(row, place)
        assert backend.bind(function)(row, 2) == 0


@pytest.mark.usefixtures("forced")
@pytest.mark.parametrize("how", ["checked", "wary"])
def test_what_is_checked_and_rules_of_ones_own_stay_in_the_first_gear(how):
    backend = wasm_backend.Wasm(RULES, Race, **{how: True})
    assert backend.bind(by)(7, 2) == 3001 and gears(backend) == [None]
    mine = AUTOSCOOTER.with_rules(score)
    backend = choose_backend.compiled_backend(mine.rules)
    Job(mine, {}, 1, False).play(0, 1, backend, Event())
    assert gears(backend) == [None]


def score(table, seat):
    return 0


# The switch between tiers


@pytest.mark.few(1)
@pytest.mark.parametrize("name", ["toy", *crashlab.games()])
@pytest.mark.usefixtures("forced")
def test_games_are_those_of_the_interpreter_event_by_event(name):
    from crashlab.engine.game import Game

    game = Game("toy", "toy", {}) if name == "toy" else crashlab.game(name)
    backend = choose_backend.compiled_backend(game.rules)
    for number in range(2):
        trace, events = backend.trace(1_000_000), Trace()
        assert play(backend, game, number, trace) == play(choose_backend.interpreted(game.rules), game, number, events)
        assert rows(trace) == events.rows and trace[0, 0] == events.beat
    assert all(gear.second for gear in gears(backend))


@pytest.mark.usefixtures("soon")
def test_what_has_run_for_long_goes_on_in_the_second_gear_by_all_threads(capsys):
    job, backend = Job(AUTOSCOOTER, {}, 1, True), choose_backend.compiled_backend(AUTOSCOOTER.rules)
    first = job.play(0, 30, backend, Event())
    with ThreadPoolExecutor(3) as threads:
        meanwhile = [threads.submit(job.play, 0, 30, backend, Event()) for _ in range(9)]
        pieces = [future.result(PATIENCE) for future in meanwhile]
    wait(backend)
    assert all(gear.second for gear in gears(backend))
    for piece in [*pieces, job.play(0, 30, backend, Event())]:
        assert (piece.scores == first.scores).all() and (piece.counts == first.counts).all()
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("soon")
def test_where_it_fails_or_no_thread_can_be_started_wasmtime_goes_on(monkeypatch, capsys):
    def failing(*_):
        raise ValueError("no such instruction")

    second_gear.say.cache_clear()
    monkeypatch.setattr(second_gear, "lifted", failing)
    backend = wasm_backend.Wasm(RULES, Race)
    for _ in range(3):
        assert backend.bind(by)(7, 2) == 3001
        wait(backend)
    (failed,) = gears(backend)
    assert failed.second is None
    assert capsys.readouterr().err == "crashlab: continues without LLVM: no such instruction\n"
    monkeypatch.setattr(threading.Thread, "start", unable)
    other = wasm_backend.Wasm(RULES, Race)
    assert [other.bind(by)(7, 2) for _ in range(2)] == [3001, 3001] and gears(other)[0].second is None


def unable(thread):
    raise RuntimeError("can't start new thread")


@pytest.mark.usefixtures("soon")
def test_rules_that_were_changed_meanwhile_are_not_taken(monkeypatch, capsys):
    rules = crashlab.game("autoscooter", players=2).rules
    job, backend = Job(AUTOSCOOTER, {}, 1, False), choose_backend.compiled_backend(rules)
    monkeypatch.setattr(second_gear, "LONG", 1e9)
    before = job.play(0, 20, backend, Event()).scores
    monkeypatch.setattr(rules.score, "__code__", (lambda table, seat: 7).__code__)
    second_gear.say.cache_clear()
    monkeypatch.setattr(second_gear, "LONG", 0.0)
    job.play(0, 1, backend, Event())
    wait(backend)
    assert (job.play(0, 20, backend, Event()).scores == before).all() and gears(backend)[0].second is None
    assert "changed in the meantime" in capsys.readouterr().err


LEAVES = """
import os, crashlab
from threading import Event
from crashlab.compiled import choose_backend
from crashlab.compiled.wasm import second_gear
from crashlab.play.simulation import Job
second_gear.LONG = 0.0
game = crashlab.game("crash_city")
job, backend = Job(game, {}, 1, False), choose_backend.compiled(game.rules)
first = job.play(0, 2, backend, Event()).scores.tolist()
(gears,) = (module.gears for module in backend._modules.values())
assert gears._thread.is_alive() and gears.second is None
"""
FORKS = """
import warnings
warnings.simplefilter("ignore")
pid = os.fork()
played = job.play(0, 2, backend, Event()).scores.tolist() == first
if not pid:
    os._exit(0 if played else 1)
assert played and os.waitpid(pid, 0)[1] == 0
"""
WAITS = """
try:
    gears._thread.join(0.01)
    raise KeyboardInterrupt
except KeyboardInterrupt:
    assert job.play(0, 2, backend, Event()).scores.tolist() == first
gears._thread.join()
assert gears.second and job.play(0, 2, backend, Event()).scores.tolist() == first
"""


@pytest.mark.few(1)
@pytest.mark.parametrize("then", ["", FORKS, WAITS], ids=["leaves", "is copied", "waits and is interrupted"])
def test_a_process_may_end_be_copied_or_interrupted_while_it_is_made(then):
    if then is FORKS and not hasattr(os, "fork"):
        pytest.skip("no process can be copied here")
    environment = {name: value for name, value in os.environ.items() if name != "CRASHLAB_COMPILER"}
    process = subprocess.run(
        [sys.executable, "-c", LEAVES + then], capture_output=True, text=True, timeout=PATIENCE, env=environment
    )
    assert (process.returncode, process.stdout, process.stderr) == (0, "", "")


ENDS = """
import sys, threading
import llvmlite.binding as llvm
import crashlab
from crashlab.compiled import choose_backend
begun, make = threading.Event(), llvm.create_pass_builder
def noted(*settings):
    begun.set()
    return make(*settings)
llvm.create_pass_builder = noted
choose_backend.ready(crashlab.game(sys.argv[1]), "games")
begun.wait()
"""


@pytest.mark.few(1)
@pytest.mark.parametrize("name", ["crash_city", "crash_by_crash", "crash_and_grab", "autoscooter"])
def test_a_process_may_end_while_another_thread_has_llvm_compile_at_once(name):
    environment = {**os.environ, "CRASHLAB_COMPILER": "llvm"}
    process = subprocess.run(
        [sys.executable, "-c", ENDS, name], capture_output=True, text=True, timeout=PATIENCE, env=environment
    )
    assert (process.returncode, process.stdout, process.stderr) == (0, "", "")
