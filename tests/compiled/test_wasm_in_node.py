"""The rules of every game, compiled in the memory of Pyodide by Chromium's engine, and run in node.

NumPy is missing, because only Pyodide's site has its wheel: the rows are laid out here as
`crashlab.compiled.wasm.wasm_backend` does. Everything else is as on a desktop.
"""

import json
import shutil
import subprocess
from importlib.util import module_from_spec, spec_from_file_location

import pytest
from checkout import ROOT
from patience import PATIENCE

import crashlab

pytestmark = pytest.mark.slow

RUN = """
import { loadPyodide } from "./pyodide.mjs";
import { readFileSync } from "node:fs";
const pyodide = await loadPyodide();
pyodide.FS.mkdir("/own");
pyodide.mountNodeFS("/own", process.argv[2]);
try {
  await pyodide.runPythonAsync(readFileSync(process.argv[3], "utf8"));
} catch (error) {
  console.log(error.message);
  process.exitCode = 1;
}
"""

INSIDE = """
import ctypes, json, struct, sys, types
from importlib import metadata

sys.path.insert(0, "/own")
numpy = types.ModuleType("numpy")  # of which only a class of rows wants to know
numpy.ndarray = type("ndarray", (), {"__class_getitem__": classmethod(lambda kind, key: kind)})
sys.modules["numpy"], metadata.version = numpy, lambda name: "0"

import crashlab
from crashlab.compiled import choose_backend
from crashlab.engine.rules import table_class
from crashlab.compiled.kernels import random_play
from crashlab.compiled.wasm.browser import Browser
from crashlab.compiled.wasm.emit_module import Module

host, rows = Browser(), []


def row(numbers, length=None):
    buffer, at = host.room(8 * len(numbers))
    rows.append(buffer)
    data = struct.pack(f"<{len(numbers)}q", *numbers)
    ctypes.memmove(at, data, len(data))
    ctypes.c_int64.from_address(at - 8).value = len(numbers) if length is None else length
    return at


def numbers(tables):
    return [number for table in tables for row in table.all_rows() for number in row]


def played(name, games):
    game = crashlab.game(name)
    rules, seats, starts = game.rules, len(game.seats), [game.start(seed).table for seed in range(games)]
    tables = f"tables:{8 * sum(starts[0].ROWS.values())}"
    kinds = (tables, *"iiiii", "urow", "urow", "row", tables, "none", "row", "row", "row", "row")
    module = Module(rules, table_class(rules), host.constants(name), unroll=host.unroll)
    run = host.started(host.compiled(module.binary(random_play.play_games, kinds, host.is_shared)))
    results = [row([0] * size) for size in (games, games * seats, games * seats)]
    begun, work, out = row(numbers(starts), games), row(numbers(starts[:1]), 1), row([0] * rules.MOST_ACTIONS)
    run(row([begun, games, 0, seats, len(rules.BOOK), 0, row([5]), row([0]), out, work, 0, *results, row([])]))
    expected = [0] * games, [0] * games * seats, [0] * games * seats
    choose_backend.interpreted(rules).bind(random_play.play_games)(
        starts, games, 0, seats, len(rules.BOOK), 0, [5], [0], [0] * rules.MOST_ACTIONS, [starts[0].copy()], None,
        *expected, [],
    )
    return all(
        row == list(struct.unpack(f"<{len(row)}q", ctypes.string_at(at, 8 * len(row))))
        for row, at in zip(expected, results, strict=True)
    )


print(json.dumps({name: played(name, games) for name, games in GAMES.items()}))
"""


def test_compiled_in_pyodide_every_game_is_that_of_the_interpreter(tmp_path):
    if not (shutil.which("npm") and shutil.which("node")):
        pytest.skip("no npm here, from which Pyodide comes, or no node")
    spec = spec_from_file_location("build_site", ROOT / "binder" / "site" / "build.py")
    builder = module_from_spec(spec)
    spec.loader.exec_module(builder)
    builder.fetch_pyodide(tmp_path / "pyodide")
    games = {"autoscooter": 5, "crash_and_grab": 2, "crash_by_crash": 1, "crash_city": 1}
    (tmp_path / "pyodide" / "run.mjs").write_text(RUN)
    (tmp_path / "inside.py").write_text(f"GAMES = {games}\n{INSIDE}")
    command = ["node", "run.mjs", str(ROOT), str(tmp_path / "inside.py")]
    process = subprocess.run(command, cwd=tmp_path / "pyodide", capture_output=True, text=True, timeout=10 * PATIENCE)
    assert process.returncode == 0, process.stdout[-2000:]
    assert json.loads(process.stdout.splitlines()[-1]) == dict.fromkeys(games, True)
    assert set(games) == set(crashlab.games())
