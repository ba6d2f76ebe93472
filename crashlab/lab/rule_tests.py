"""The tests that prove each rule, marked `@pytest.mark.rule("AS-C4")` in this checkout."""

import ast
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from crashlab.base.syntax import module_tree

FOLDER = Path(__file__).parent.parent.parent / "tests"


class RuleTest(NamedTuple):
    """A test: its file, its name, and its source."""

    file: str
    name: str
    lines: str

    def __str__(self) -> str:
        return f"tests/{self.file}::{self.name}"


@cache
def proofs(folder: Path = FOLDER) -> Mapping[str, tuple[RuleTest, ...]]:
    """Return the tests by the rules that they prove; empty if there are no tests, as in an installed package."""
    by_rule: dict[str, list[RuleTest]] = defaultdict(list)
    for path in sorted(folder.rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        lines = text.split("\n")
        for node in module_tree(text).body if "mark.rule(" in text else ():
            for rule in marks(node):
                source = "\n".join(lines[node.lineno - 1 : node.end_lineno])
                by_rule[rule].append(RuleTest(path.relative_to(folder).as_posix(), node.name, source))  # type: ignore[attr-defined]
    return {rule: tuple(tests) for rule, tests in by_rule.items()}


def marks(node: ast.stmt) -> list[str]:
    """Return the rules with which a test is marked."""
    decorators = node.decorator_list if isinstance(node, ast.FunctionDef) else []
    calls = [one for one in decorators if isinstance(one, ast.Call) and ast.unparse(one.func) == "pytest.mark.rule"]
    return [str(call.args[0].value) for call in calls if call.args and isinstance(call.args[0], ast.Constant)]
