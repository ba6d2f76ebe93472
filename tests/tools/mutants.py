"""Check that `make test` catches forty bugs, one at a time: `python tests/tools/mutants.py [WORD ...]`.

Each bug replaces a few letters of the package in a copy of the checkout; then the tests of that place run, as `make
test` runs them. Survivors are printed last. Words choose mutants by their file or their layer.
"""

# One mutant per line.
# fmt: off
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent.parent
NEEDED = 36  # kills out of forty


class Mutant(NamedTuple):
    """`old` occurs once in the file of the package; the tests are a folder of tests and words for pytest's `-k`."""

    layer: str
    file: str
    old: str
    new: str
    tests: str


AS, CG, CB, CC = (f"games/{name}" for name in ("autoscooter", "crash_and_grab", "crash_by_crash", "crash_city"))
MUTANTS = [
    Mutant(layer, *row)
    for layer, rows in {
        "rules": [
            (f"{AS}/rules.py", "pay(table, hit, car, v - w, v, C1", "pay(table, hit, car, v + w, v, C1", f"{AS}"),
            (f"{AS}/rules.py", "abs(SPEED_OF[manoeuvre] - table.speed[car]) > 1", "abs(SPEED_OF[manoeuvre] - table.speed[car]) > 2", f"{AS}"),
            (f"{AS}/rules.py", "for step in range(v):", "for step in range(v - 1):", f"{AS}"),
            (f"{CG}/rules.py", "if stationed(table, player) == most:", "if stationed(table, player) >= most - 1:", f"{CG}"),
            (f"{CG}/rules.py", "if owner(table, saucer) == owner(table, table.turn[0]):\n        happen(table.lost", "if owner(table, saucer) != owner(table, table.turn[0]):\n        happen(table.lost", f"{CG}"),
            (f"{CB}/rules.py", "if table.scorings[0] < LAST:\n            card", "if table.scorings[0] <= LAST:\n            card", f"{CB}"),
            (f"{CB}/rules.py", "return card >= DOUBLE_HIT", "return card > DOUBLE_HIT", f"{CB}"),
            (f"{CC}/rules.py", "if not fits and step > 1:", "if not fits and step > 2:", f"{CC}"),
            (f"{CC}/rules.py", "if table.joined[space] == 1:\n            for turn", "if table.joined[space] != 1:\n            for turn", f"{CC}"),
        ],
        "causes of events": [
            (f"{AS}/rules.py", "start = happen(table.speed, SPEED, car, SPEED_OF[manoeuvre], R3, start, trace)", "happen(table.speed, SPEED, car, SPEED_OF[manoeuvre], R3, start, trace)", f"{AS}"),
            (f"{CG}/rules.py", "table.crashes[0], C2, removal, trace)", "table.crashes[0], C2, cause, trace)", f"{CG}"),
        ],
        "engine": [
            ("engine/table.py", "if trace.rows[event][3] == number and", "if trace.rows[event][3] == number or", "engine -k core"),
            ("engine/game.py", "masked = type(self)(self.game, view, 0,", "masked = type(self)(self.game, view, self.luck,", "engine -k 'every_game or test_state'"),
            ("engine/game.py", "row[:] = [HIDDEN if HIDDEN in pair else pair[0]", "row[:] = [pair[0] if HIDDEN in pair else pair[0]", "engine -k 'test_state or every_game'"),
        ],
        "kernels": [
            ("compiled/kernels/tree_search.py", "values[edge] += (value - values[edge]) / visits", "values[edge] += (value - values[edge]) / (visits + 1)", "agents course -k 'agents or tree_search'"),
            ("compiled/kernels/tree_search.py", "        if bound > most:\n            best, most = place, bound", "        if bound >= most:\n            best, most = place, bound", "compiled agents -k 'wasm or agents'"),
            ("compiled/kernels/batch_step.py", "rewards[first + seat] = now - worths[first + seat]", "rewards[first + seat] = now", "adapters -k batch"),
            ("compiled/kernels/alphabeta.py", "open_window(max(alpha, low), min(beta, high), stack, tree.windows)", "open_window(max(alpha, low), beta - 1, stack, tree.windows)", "agents -k minimax"),
            ("compiled/kernels/batch_step.py", "while same < most and notes", "while same < most - 1 and notes", "adapters -k batch"),
        ],
        "WebAssembly": [
            ("compiled/wasm/emit_arithmetic.py", "wasm.AND64 if is_rest else wasm.SHR_S", "wasm.AND64 if is_rest else wasm.SHR_U", "compiled -k wasm"),
            ("compiled/wasm/encoding.py", "leb(number - (1 << 64) if number >> 63 > 0 else number)", "leb(number)", "compiled -k wasm"),
        ],
        "statistics": [
            ("base/statistics.py", "variance = squares / (games - 1)", "variance = squares / games", "play -k statistics"),
            ("base/statistics.py", "quantile(0.025, points, games - points + 1)", "quantile(0.05, points, games - points + 1)", "play -k statistics"),
        ],
        "words": [
            (f"{AS}/rulebook.toml", "hits the side of car", "hits the back of car", "engine games/autoscooter -k 'golden or rules'"),
            ("engine/position.py", "return not self.has_default(table) if self.has_default", "return self.has_default(table) if self.has_default", "engine -k 'every_game or read_positions'"),
            ("engine/turn_film.py", "return tuple((at[beat], event) for beat", "return tuple((at[beat] - 1, event) for beat", "watch lab -k 'test_film or test_lab'"),
        ],
        "drawing": [
            ("drawing/primitives.py", 'Text(0, 0, words, size, f"{paint} ink", bold=True)', 'Text(6, 0, words, size, f"{paint} ink", bold=True)', "games/autoscooter drawing -k 'render or primitives or drawing'"),
            ("drawing/primitives.py", "x, y = place\n    return passing(Piece(key, x, y, shapes, label=label), y=y - high", "x, y = place\n    return passing(Piece(key, x, y, shapes, label=label), y=y + high", "drawing games -k 'primitives or render'"),
            ("drawing/charts.py", "Text(left - 6, up(value), f\"{value:g}\"", "Text(left - 6, up(-value), f\"{value:g}\"", "drawing -k charts"),
        ],
        "clicks": [
            ("lab/hit_test.py", "return 1, far", "return 1, -far", "lab -k 'test_lab or choosing'"),
            ("lab/hit_test.py", "if any(holds(shape, point) for shape in target.area):", "if any(holds(shape, point[::-1]) for shape in target.area):", "lab -k 'test_lab or choosing'"),
        ],
            "matches and lessons": [
            ("play/match.py", "self._undone.append(self.turns.pop())", "self._undone.append(self.turns.pop(0))", "play -k match"),
            ("course/lessons/autoscooter.py", "The blow comes FROM the opposite direction: add half a turn, 3.", "The blow comes from behind.", "course -k exercises"),
        ],
        "watched functions": [
            ("watch/evaluation.py", "ast.BitAnd: op.and_,", "ast.BitAnd: op.or_,", "watch"),
            ("watch/film_difference.py", 'return ComparedStep("removed" if after is ABSENT else "added"', 'return ComparedStep("added" if after is ABSENT else "removed"', "watch -k difference"),
            ("watch/film_difference.py", "return Difference(mine, here.event.beat if here else mine.beats,", "return Difference(mine, here.event.beat - 1 if here else mine.beats,", "watch -k difference"),
            ("watch/views/rows.py", 'return "T" if element else "F"', 'return "F" if element else "T"', "watch -k 'views or pictures'"),
        ],
        "the player's script": [
            ("drawing/film_player/events.js", "event?.beat <= beat", "event?.beat < beat", "browser -k 'player'"),
            ("drawing/film_player/clock.js", "show(to, glides && to === beat + 1)", "show(to - 1, glides && to === beat + 1)", "browser -k 'player'"),
            ("drawing/film_player/clock.js", "(at - beat) * step > 0", "(at - beat) * step < 0", "browser -k 'player'"),
        ],
    }.items()
    for row in rows
]


def main(*words):
    """Run the mutants; return 0 if enough are seen."""
    mutants = [one for one in MUTANTS if all(word in f"{one.layer} {one.file}" for word in words)]
    survivors = []
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "crashlab"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".git", ".venv*", "__pycache__", "build", ".*_cache"))
        for tests in dict.fromkeys(one.tests for one in mutants):
            if is_red(tests, copy):
                raise SystemExit(f"these fail with nothing changed: {tests}")
        for one in mutants:
            start = time.monotonic()
            killed = is_killed(one, copy)
            survivors += [] if killed else [one]
            change = f"{' '.join(one.old.split())} -> {' '.join(one.new.split())}"
            outcome = "killed  " if killed else "SURVIVES"
            print(f"{outcome} {time.monotonic() - start:5.0f} s  {one.layer:18} {one.file}: {change}", flush=True)
    print(f"{len(mutants) - len(survivors)} of {len(mutants)} are seen")
    return int(len(survivors) > len(MUTANTS) - NEEDED)


def is_killed(mutant, copy):
    """Return whether a test fails with this bug."""
    path = copy / "crashlab" / mutant.file
    text = path.read_text("utf-8")
    path.write_text(text.replace(mutant.old, mutant.new), "utf-8")
    try:
        return is_red(mutant.tests, copy)
    finally:
        path.write_text(text, "utf-8")


def is_red(tests, copy):
    """Return whether one of these tests fails."""
    folders, _, words = tests.partition(" -k ")
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:nbval", "--timeout", "300"]
    command += ["--timeout-method", "thread"]  # some tests use the signal
    command += [f"tests/{folder}" for folder in folders.split()] + (["-k", words.strip("'")] if words else [])
    environment = {**os.environ, "CRASHLAB_EFFORT": "quick", "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    process = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True)
    if process.returncode not in (0, 1):  # 1: a test has failed
        raise SystemExit(process.stdout[-3000:] + process.stderr[-3000:])
    return process.returncode == 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
