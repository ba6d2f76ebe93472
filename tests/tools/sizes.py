"""How large crashlab is, in statements (docstrings left out): the table of sizes in CONTRIBUTING.

python tests/tools/sizes.py            prints it
python tests/tools/sizes.py --write    puts it there
"""

import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE, PAGE = ROOT / "crashlab", ROOT / "CONTRIBUTING.md"
ORDER = "base drawing engine compiled games watch agents play analysis adapters lab vote course cli".split()


def statements(path: Path) -> int:
    """How many statements a module has; a docstring is none."""
    nodes = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.stmt)]
    return sum(not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)) for node in nodes)


def size(folder: Path, pattern: str = "**/*.py") -> int:
    """The statements of all modules of a folder."""
    return sum(map(statements, folder.glob(pattern)))


def table() -> str:
    """The sizes, a line each."""
    lines = ["| what | statements |", "|---|---|"]
    for name in ORDER:
        lines.append(f"| `{name}` | {size(PACKAGE / name):,} |")
        if name == "games":
            games = [folder for folder in sorted((PACKAGE / name).iterdir()) if (folder / "rules.py").exists()]
            lines += [f"| of it `{game.name}` | {size(game):,} |" for game in games]
    whole = size(PACKAGE)
    scripts = sum(len(path.read_text("utf-8").splitlines()) for path in PACKAGE.glob("**/*.js"))
    return "\n".join([*lines, f"| all | {whole:,} |", f"| JavaScript, in lines | {scripts:,} |"])


def main(words: list[str]) -> None:
    """Print the table, or put it into CONTRIBUTING in the place of the old one."""
    if words != ["--write"]:
        return print(table())
    text = PAGE.read_text("utf-8")
    PAGE.write_text(re.sub(r"\| what \| statements \|\n(\|.*\n)*", lambda _: table() + "\n", text), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
