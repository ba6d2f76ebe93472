"""Allowed imports, and allowed changes to tables."""

import ast
import inspect
import re
import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import NamedTuple, get_origin, get_type_hints

import pytest
from checkout import ROOT

import crashlab
from crashlab.course import lessons
from crashlab.engine import contract
from crashlab.engine.game import Game
from crashlab.games import NAMES, game

PACKAGE = ROOT / "crashlab"
FILES = sorted(PACKAGE.rglob("*.py"))

# A package imports only lower floors and itself.
FLOORS = (
    ("base",),
    ("drawing",),
    ("engine",),
    ("compiled", "games", "watch"),
    ("agents",),
    ("play",),
    ("analysis", "adapters"),
    ("vote",),
    ("lab",),
    ("course",),
    ("",),
    ("cli",),
    ("__main__",),
)
ONLY = {  # third parties and the packages that may import them
    "ipycanvas": ("drawing/canvas.py",),
    "ipywidgets": ("lab/",),
    "anywidget": ("lab/phones.py", "lab/page_module.py"),
    "segno": ("lab/phones.py",),
    "IPython": ("lab/", "base/progress.py", "course/exercises/verdict.py"),
    "jupyter_server": ("vote/",),
    "tornado": ("vote/",),
    "wasmtime": ("compiled/",),
    "PIL": ("drawing/png.py",),
    "numpy": (
        "adapters/",
        "agents/",
        "analysis/",
        "base/ratings.py",
        "base/statistics.py",
        "compiled/",
        "course/",
        "drawing/",
        "engine/observation.py",
        "engine/game.py",
        "lab/",
        "play/comparison.py",
        "play/simulation.py",
        "play/tournament.py",
    ),
    "llvmlite": ("compiled/wasm/second_gear.py",),
    "matplotlib": ("play/simulation.py", "play/comparison.py"),
    "random": (  # for the state of an agent's process, or of a watched program
        "play/process_agent.py",
        "play/league/sandbox.py",
        "watch/touched.py",
    ),
    "tqdm": ("base/progress.py",),
    "pyspiel": ("adapters/",),
    "open_spiel": ("adapters/",),
    "pettingzoo": ("adapters/",),
    "gymnasium": ("adapters/",),
}


def module_name(path):
    return ".".join(("crashlab", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")


MODULES = {module_name(path): path for path in FILES}


class FileNames(NamedTuple):
    """The imports and classes of a file, late imports and those for types included."""

    imports: list[str]
    named: list[str]  # modules imported by a name in a string
    classes: list[str]


@cache
def file_names(path):
    nodes = [*ast.walk(ast.parse(path.read_text("utf-8")))]
    calls = [node for node in nodes if isinstance(node, ast.Call) and called(node).endswith("import_module")]
    return FileNames(
        [*imported(nodes)],
        [part.value for node in calls for part in ast.walk(node) if isinstance(getattr(part, "value", None), str)],
        [node.name for node in nodes if isinstance(node, ast.ClassDef)],
    )


def called(node):
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


def imported(nodes):
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            for alias in node.names:
                inner = PACKAGE.parent / Path(*node.module.split(".")) / alias.name
                is_module = inner.with_suffix(".py").exists() or inner.is_dir()
                yield f"{node.module}.{alias.name}" if is_module else node.module


def package(name):
    return (name.split(".") + [""])[1]


def floor(name):
    return next(place for place, names in enumerate(FLOORS) if package(name) in names)


def test_nothing_imports_upwards():
    for module, path in MODULES.items():
        for name in file_names(path).imports + file_names(path).named:
            if name.split(".")[0] == "crashlab" and package(name) != package(module):
                assert floor(name) < floor(module), f"{module} imports {name}"


def test_kernels_know_tables_and_chance_alone():
    for path in (PACKAGE / "compiled" / "kernels").glob("*.py"):
        for name in file_names(path).imports:
            is_allowed = name.startswith(
                ("crashlab.engine.table", "crashlab.engine.chance", "crashlab.compiled.kernels.")
            )
            assert is_allowed or name in ("__future__", "typing"), f"{path.name} imports {name}"


def test_modules_are_in_no_circle():
    """Late imports and imports for types count."""
    names = set(MODULES)
    below = {
        name: names & {*file_names(path).imports, *file_names(path).named} - {name} for name, path in MODULES.items()
    }

    def reached(start):
        result, new = set(), [start]
        while new:
            new += below[name := new.pop()] - result
            result |= below[name]
        return result

    assert not {name for name in names if name in reached(name)}


def test_a_class_has_a_name_of_its_own():
    """Only games may share a class name, for things like `Facts`."""
    places = {}
    for path in FILES:
        for name in file_names(path).classes:
            places.setdefault(name, []).append(path.relative_to(PACKAGE).as_posix())
    shared = {name: where for name, where in places.items() if len(where) > 1}
    for name, where in shared.items():
        assert all(re.match(r"games/\w+/positions.py", path) for path in where), f"{name}: {', '.join(where)}"


def test_third_parties_have_their_place():
    for path in FILES:
        here = path.relative_to(PACKAGE).as_posix()
        for name in file_names(path).imports:
            allowed = ONLY.get(name.split(".")[0])
            assert allowed is None or here.startswith(allowed or "/"), f"{here} imports {name}"


def test_games_do_not_know_each_other_and_nobody_knows_a_game():
    for path in FILES:
        parts = path.relative_to(PACKAGE).parts[:2]
        if parts == ("games", "__init__.py") or parts == ("course", "lessons"):  # for type checkers and for learners
            continue
        for name in file_names(path).imports:
            if name.startswith("crashlab.games.") and name.split(".")[2] in NAMES:
                assert parts[0] == "games" and name.split(".")[2] == parts[1], f"{path} imports {name}"


@pytest.mark.parametrize("name", NAMES)
def test_a_game_declares_what_it_offers(name):
    """A type checker can then report missing parts."""
    tree = ast.parse((PACKAGE / "games" / name / "__init__.py").read_text("utf-8"))
    declared = [ast.unparse(node.annotation) for node in ast.walk(tree) if isinstance(node, ast.AnnAssign)]
    kind = type(game(name).start(1).table).__name__
    assert declared == [f"Modules[state.{kind}]"]


@pytest.mark.parametrize("candidate", [*map(game, NAMES), Game("toy", "toy", {})], ids=lambda one: one.name)
def test_a_game_offers_all_that_the_contract_says(candidate):
    for part, protocol in get_type_hints(contract.Modules).items():
        optional = {"poster": "posters", "baselines": "baselines"}
        offered = (
            getattr(candidate, optional[part]) if part in optional else import_module(f"{candidate._folder}.{part}")
        )
        for name in names_of(get_origin(protocol) or protocol):
            assert hasattr(offered, name), f"{candidate.name}.{part} lacks {name}"


def names_of(protocol):
    return [name for kind in protocol.__mro__ for name in vars(kind) if not name.startswith("_")]


def test_rules_write_to_a_table_only_through_the_door():
    """In rules.py the only element or attribute assigned is an element of `out`."""
    for path in (PACKAGE / "games").glob("*/rules.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
                for target in targets:
                    for part in target.elts if isinstance(target, ast.Tuple) else [target]:
                        fine = isinstance(part, ast.Name) or (
                            isinstance(part, ast.Subscript) and getattr(part.value, "id", "") == "out"
                        )
                        assert fine, f"{path}:{node.lineno} writes around happen()"


def test_rules_are_plain_functions():
    """Each cites its rule and is simple enough to be compiled."""
    data = (ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.GeneratorExp, ast.JoinedStr, ast.Slice)
    flow = (ast.Raise, ast.Try, ast.With, ast.Lambda, ast.Yield, ast.Global, ast.Nonlocal, ast.Assert)
    for path in (PACKAGE / "games").glob("*/rules.py"):
        for function in [node for node in ast.parse(path.read_text("utf-8")).body if isinstance(node, ast.FunctionDef)]:
            assert not function.decorator_list and ast.get_docstring(function)
            for node in [inner for statement in function.body[1:] for inner in ast.walk(statement)]:
                assert not isinstance(node, (*data, *flow, ast.FunctionDef)), f"{path}:{function.name}"
                assert not isinstance(node, ast.Constant) or type(node.value) in (int, bool, type(None))


def test_a_module_is_found_by_its_name():
    """`import crashlab.x.y as m` and crashlab.x.y are the module, not a function of the same name."""
    for name, path in MODULES.items():
        if path.stem != "__main__":
            module = import_module(name)
            assert isinstance(module, ModuleType) and module.__file__ == str(path)
            assert eval(name, {"crashlab": crashlab}) is module, name


def test_importing_crashlab_is_light():
    heavy = (
        "numpy",
        "llvmlite",
        "ipywidgets",
        "ipycanvas",
        "anywidget",
        "matplotlib",
        "PIL",
        "IPython",
        "pyspiel",
        "pettingzoo",
        "gymnasium",
        "crashlab.course.lessons.speed_and_statistics",
        *(f"crashlab.course.lessons.{subject}" for subject in lessons.NAMES),
    )
    code = f"import sys, crashlab; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_seed_that_nobody_gives_is_what_such_a_seed_is():
    """The default seed is 0 for one result or one position, 1 for counts of many games and in panels, else None."""
    by_default = {0: [], 1: [], None: []}
    for module in (crashlab, crashlab.agents, crashlab.lab):
        for name in module.__all__:
            thing = getattr(module, name)
            parameter = (
                inspect.signature(thing).parameters.get("seed") if isinstance(thing, FunctionType | type) else None
            )
            if parameter and parameter.default is not parameter.empty:
                by_default[parameter.default].append(name)
    counting, panels = ["compare", "differ", "simulate", "tournament", "try_rules"], ["Arena", "Heat"]
    assert sorted(by_default[1]) == sorted(counting + panels)
    assert sorted(by_default[None]) == ["League", "Season", "league"]
    assert {"agent", "duel", "Match", "mcts", "review", "worths"} <= set(by_default[0])


def test_public_names_are_exported():
    assert sorted(crashlab.__all__) == sorted(set(crashlab.__all__))
    assert all(hasattr(crashlab, name) for name in crashlab.__all__)
