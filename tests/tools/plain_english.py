"""Count constructions that sound translated, per 1,000 words; `make lint` runs it.

    python tests/tools/plain_english.py            prints the rates, and fails above the limits
    python tests/tools/plain_english.py FILE ...   prints every place in these files

It is a smoke alarm: one place in six is a false alarm, and it misses a third of what needs a second reading.
The patterns are in tests/plain_english.txt. Questions, quoted text, code and lists of parameters are not counted.
"""

import ast
import io
import json
import re
import sys
import tokenize
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PYTHON = ["crashlab/**/*.py", "tests/**/*.py", "binder/**/*.py", "examples/*.py"]
MANUAL = ["binder/site/*/manual/*.md", "README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
FILES = [*PYTHON, "crashlab/**/*.js", "notebooks/*.ipynb", *MANUAL, "crashlab/games/*/rulebook.toml"]
LIMITS = {"docstrings": 4.0, "comments": 4.0, "strings": 1.5, "notebooks": 1.5, "manual": 1.5, "rules": 1.5}
# First words of docstrings that begin with a clause or a genitive.
OPENINGS = re.compile(r"(?:[A-Z]{2}-\w+(?:, [A-Z]{2}-\w+)*: )?(?:What|Who|Where|How|Why|Of|As)\b", re.I)
COMMENT = re.compile(r"(?s)/\*(.*?)\*/|(?:^|(?<=\s))//(?-s:(.*))", re.M)  # of JavaScript
SETTINGS = re.compile(r"fmt:|noqa|type:|mypy:|pyright:|@ts-|pragma")
# The parts removed before counting, in this order, and their replacements.
CODE = [
    (r"(?s)```.*?```", " "),
    (r"(?m)^\s*(?:>>>|\.\.\.).*$", ""),
    (r"``[^`]*``|`[^`]*`", "X"),
    (r"https?://\S+", ""),
    (r"(?m)^(?:Parameters|Returns|Examples|Raises|Notes|See Also|Attributes|Yields)\n *-+$", ""),
    (r"(?m)^\s*\w[\w, *]* : .*$", ""),
    (r'"[^"\n]{1,200}"|“[^”]*”', "X"),
    (r"\(?\b[A-Z]{2}-[A-Z]+\d*(?:(?:,| to) [A-Z]{2}-[A-Z]+\d*)*\b:?\)?", ""),
    (r"[*_]{1,2}", ""),
]
QUESTION = r"(?:(?<=^)|(?<=[.:;|?!]))[^.:;|?!\n]*\?"


class Text(NamedTuple):
    """A piece of prose and its place."""

    kind: str
    place: str
    words: str


def python_texts(path: Path) -> Iterator[Text]:
    """Yield the docstrings, comments and longer strings of a module."""
    source = path.read_text("utf-8")
    place = path.relative_to(ROOT).as_posix()
    docstrings = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            docstrings.add(node.value)
            text = re.sub(r"\s*\n\s*(?=\S)", " ", re.split(r"\n\s*>>>", node.value.value)[0])
            yield Text("docstrings", f"{place}:{node.lineno}", text)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in docstrings:
            if len(node.value.split()) > 3 and "\n" not in node.value.strip()[:400]:
                yield Text("strings", f"{place}:{node.lineno}", node.value)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and not SETTINGS.search(token.string):
            trailing = "\x01" if token.line[: token.start[1]].strip() else ""
            yield Text("comments", f"{place}:{token.start[0]}", trailing + token.string.lstrip("# "))


def texts(path: Path) -> Iterator[Text]:
    """Yield all prose of a file."""
    place = path.relative_to(ROOT).as_posix()
    match path.suffix:
        case ".py":
            yield from python_texts(path)
        case ".js":
            for match in COMMENT.finditer(path.read_text("utf-8")):
                yield Text("comments", place, re.sub(r"\n\s*\*? *|@\w+|\{[^}]*\}", " ", match[1] or match[2]))
        case ".ipynb":
            for number, cell in enumerate(json.loads(path.read_text("utf-8"))["cells"]):
                if cell["cell_type"] == "markdown":
                    yield Text("notebooks", f"{place}:{number}", "".join(cell["source"]))
        case ".md":
            yield Text("manual", place, re.sub(r"(?m)^ {4,}\S.*$", "", path.read_text("utf-8")))
        case ".toml":
            book = tomllib.loads(path.read_text("utf-8"))
            for rule in book["rule"]:
                for key in ("title", "text", "event", "source"):
                    yield Text("rules", f"{place}:{rule.get('id', '')}", str(rule.get(key, "")))


def prose(text: Text) -> str:
    """Return a text without code, quotes and questions."""
    words = text.words
    for pattern, replacement in CODE:
        words = re.sub(pattern, replacement, words)
    return re.sub(QUESTION, " ", words).strip()


def read_patterns() -> dict[str, re.Pattern[str]]:
    """Read the patterns; a name that begins with * is for docstrings and comments only."""
    lines = (ROOT / "tests/plain_english.txt").read_text("utf-8").splitlines()
    lines = [line for line in lines if line[:1] != "#"]
    return {name: re.compile(pattern.strip(), re.M) for name, pattern in zip(lines[::2], lines[1::2], strict=True)}


def places(text: Text, words: str, patterns: dict[str, re.Pattern[str]]) -> Iterator[tuple[str, str]]:
    """Yield the pattern and the words of each flagged place; overlapping places count once."""
    code = text.kind in ("docstrings", "comments")
    spans: list[tuple[int, int]] = []
    for name, pattern in patterns.items():
        if name.startswith("*") and (not code or (text.kind == "comments" and "opens a docstring" in name)):
            continue
        for match in pattern.finditer(words):
            start, end = match.span()
            if start < end and not any(start < b and a < end for a, b in spans):
                spans.append((start, end))
                yield name.removeprefix("* "), words[max(0, start - 45) : end + 45].replace("\n", " ")


def main(names: list[str]) -> int:
    """Print the places of some files, or all rates; return 1 if a rate is above its limit."""
    files = [Path(name).resolve() for name in names]
    patterns, words, hits = read_patterns(), dict.fromkeys(LIMITS, 1), dict.fromkeys(LIMITS, 0)
    openings = 0
    for path in files or [path for pattern in FILES for path in sorted(ROOT.glob(pattern))]:
        for text in texts(path):
            clean = prose(text)
            words[text.kind] += len(clean.split())
            if text.kind == "docstrings" and OPENINGS.match(clean):
                openings += 1
                if files:
                    print(text.place, "opening", clean[:60], sep=" | ")
            for name, context in places(text, clean, patterns):
                hits[text.kind] += 1
                if files:
                    print(text.place, name, context, sep=" | ")
    rates = {kind: 1000 * hits[kind] / words[kind] for kind in LIMITS}
    for kind, rate in rates.items():
        print(f"{kind:12}{words[kind]:8,} words, {hits[kind]:6,} places: {rate:5.1f} per 1,000, at most {LIMITS[kind]}")
    print(f"{openings} docstrings begin with What, Who, Where, How, Why, Of or As; none may")
    return int(not files and (openings > 0 or any(rate > LIMITS[kind] for kind, rate in rates.items())))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
