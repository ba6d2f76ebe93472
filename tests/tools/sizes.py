"""Print the size of each package in statements, without docstrings, and of the JavaScript in lines."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "crashlab"
ORDER = "base drawing engine compiled games watch agents play analysis adapters lab vote course cli".split()


def statements(path: Path) -> int:
    """Return the number of statements of a module; a docstring does not count."""
    nodes = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.stmt)]
    return sum(not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)) for node in nodes)


def size(folder: Path, pattern: str = "**/*.py") -> int:
    """Return the number of statements of all modules of a folder."""
    return sum(map(statements, folder.glob(pattern)))


def table() -> str:
    """Return the sizes as a table."""
    lines = ["| what | statements |", "|---|---|"]
    for name in ORDER:
        lines.append(f"| `{name}` | {size(PACKAGE / name):,} |")
        if name == "games":
            games = [folder for folder in sorted((PACKAGE / name).iterdir()) if (folder / "rules.py").exists()]
            lines += [f"| of it `{game.name}` | {size(game):,} |" for game in games]
    whole = size(PACKAGE)
    scripts = sum(len(path.read_text("utf-8").splitlines()) for path in PACKAGE.glob("**/*.js"))
    return "\n".join([*lines, f"| all | {whole:,} |", f"| JavaScript, in lines | {scripts:,} |"])


if __name__ == "__main__":
    print(table())
