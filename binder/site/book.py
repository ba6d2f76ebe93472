"""The book: all lessons as pages whose films play and whose questions are asked, without Python and without a server.

    python binder/site/book.py OUT [LESSONS]

It is made from what is stored in the notebooks; nothing is run. A page loads nothing from anywhere else.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path
from string import Template

import nbformat
from nbconvert import HTMLExporter
from pygments.formatters import HtmlFormatter

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
LESSONS = ROOT / "notebooks"
PANEL = "application/vnd.crashlab.panel+json"
FILM = '<div class="crashlab-film"'
BINDER = "https://mybinder.org/v2/gh/crashlab/crashlab/HEAD?urlpath=lab/tree/notebooks/{file}.ipynb"
SITE = "https://crashlab.github.io/crashlab/lab/index.html?path={file}.ipynb"
BADGE = re.compile(r" ?\[!\[Open in Binder\]\([^)]*\)\]\([^)]*\)")
FORMULA = re.compile(r"\$\$(.+?)\$\$", re.S)
TOKEN = re.compile(r"\\[a-zA-Z]+|[0-9.]+|[a-zA-Z]|\S")
SIGNS = {
    r"\cdot": "·",
    r"\gamma": "γ",
    r"\alpha": "α",
    r"\bmod": "mod",
    r"\ln": "ln",
    r"\max": "max",
    "-": "−",
    r"\qquad": "\u2003\u2003",
    r"\big": "",
}
RAISED, BACK = {"^": "msup", "_": "msub"}, "\\"
NEEDS = '<p class="needs">{what} needs Python: <a href="{binder}">open this lesson on Binder</a>.</p>'


def main(words: list[str]) -> str | None:
    """Make the book in the folder that is named; how this is called, if none is."""
    if len(words) not in (1, 2):
        return "usage: python binder/site/book.py OUT [LESSONS]"
    build(Path(words[0]), Path(words[1]) if len(words) == 2 else LESSONS)
    return None


def build(out: Path, lessons: Path = LESSONS) -> None:
    """Make a page of each lesson, and one that leads to them; what else is in the folder stays."""
    out.mkdir(parents=True, exist_ok=True)
    notebooks = {path.stem: nbformat.read(path, as_version=4) for path in sorted(lessons.glob("*.ipynb"))}
    titles = {file: title(notebook) for file, notebook in notebooks.items()}
    if (lessons / "images").is_dir():
        shutil.copytree(lessons / "images", out / "images", dirs_exist_ok=True)
    for file, notebook in notebooks.items():
        (out / f"{file}.html").write_text(page(file, notebook, titles), encoding="utf-8")
    rows = "".join(f'<li><a href="{file}.html">{escape(name)}</a></li>' for file, name in titles.items())
    words = (
        "<h1>crashlab</h1><p>Board games about collisions, and lessons in which every change explains itself. The films"
        f" play here, and the questions are asked; exercises need Python.</p><ul>{rows}</ul>"
    )
    (out / "index.html").write_text(whole("crashlab: the lessons", words, ""), encoding="utf-8")


def title(notebook: nbformat.NotebookNode) -> str:
    """The heading of a lesson, without a badge."""
    return str(notebook.cells[0].source).splitlines()[0].lstrip("# ").partition(" [![")[0]


def page(file: str, notebook: nbformat.NotebookNode, titles: dict[str, str]) -> str:
    """The page of a lesson."""
    links = {"binder": BINDER.format(file=file), "site": SITE.format(file=file)}
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = FORMULA.sub(lambda found: mathml(found[1]), BADGE.sub("", cell.source))
        for output in cell.get("outputs", []):
            describe(output)
    plain = HTMLExporter(template_name="basic", exclude_input_prompt=True, exclude_output_prompt=True)
    body, _ = plain.from_notebook_node(notebook)
    for cell in notebook.cells:
        if needs := needs_python(cell):
            begin = f'id="cell-id={cell.id}">'
            body = body.replace(begin, begin + NEEDS.format(what=needs, **links), 1)
    body = re.sub(r'href="(\w+)\.ipynb(#[^"]*)?"', r'href="\1.html\2"', body)
    files = list(titles)
    place = files.index(file)
    around = [each for each in (files[place - 1 : place], files[place + 1 : place + 2]) if each]
    ways = "".join(f'<a href="{each}.html">{escape(titles[each])}</a>' for one in around for each in one)
    run = (
        f'<p class="run">Run it yourself: <a href="{links["binder"]}">on Binder</a>, or'
        f' <a href="{links["site"]}">in your browser</a>.</p>'
    )
    return whole(titles[file], f"{run}{body}", ways)


def describe(output: nbformat.NotebookNode) -> None:
    """Say of a picture in words what it shows."""
    data = output.get("data", {})
    if "image/png" in data:
        words = " ".join(str(data.get("text/plain", "A picture")).split())[:300]
        output.setdefault("metadata", {})["image/png"] = {"alt": words}


def needs_python(cell: nbformat.NotebookNode) -> str:
    """What of a cell does not work on a page; empty if all does."""
    if cell.cell_type != "code":
        return ""
    if "crashlab.check(" in cell.source:
        return "This exercise"
    panels = [output.data for output in cell.outputs if PANEL in output.get("data", {})]
    return "To play with this" if any(FILM not in data.get("text/html", "") for data in panels) else ""


def whole(name: str, body: str, ways: str) -> str:
    """A page with the way to the others."""
    light = HtmlFormatter(style="default").get_style_defs(".highlight")
    dark = HtmlFormatter(style="monokai").get_style_defs(".highlight")
    ground = ".highlight { background: none !important; }"
    colours = f"{light}\n@media (prefers-color-scheme: dark) {{ {dark} }}\n{ground}"
    return Template((HERE / "book.html").read_text("utf-8")).substitute(
        title=escape(name), body=body, ways=ways, colours=colours
    )


def mathml(tex: str) -> str:
    """One of the formulas of the lessons as MathML, which browsers show by themselves."""
    tokens = iter(TOKEN.findall(re.sub(r"\\(?:text|mathrel)\{([^}]*)\}", lambda found: held(found[1]), tex)))
    return f'<div class="formula"><math display="block">{"".join(parts(tokens))}</math></div>'


def held(words: str) -> str:
    """Words within a formula as one character, which no formula has otherwise."""
    WORDS.append(words)
    return chr(0xE000 + len(WORDS) - 1)


WORDS: list[str] = []


def parts(tokens: Iterator[str]) -> Iterator[str]:
    """The parts of a formula up to the end of its group."""
    before = ""
    for token in tokens:
        if token == "}":
            break
        if token in RAISED:
            before = f"<{RAISED[token]}>{before}{part(next(tokens), tokens)}</{RAISED[token]}>"
            continue
        yield before
        before = part(token, tokens)
    yield before


def part(token: str, tokens: Iterator[str]) -> str:
    """One part of a formula."""
    if token == "{":
        return f"<mrow>{''.join(parts(tokens))}</mrow>"
    if token == r"\frac":
        above = part(next(tokens), tokens)
        return f"<mfrac>{above}{part(next(tokens), tokens)}</mfrac>"
    if token == r"\sqrt":
        return f"<msqrt>{part(next(tokens), tokens)}</msqrt>"
    if "\ue000" <= token <= "\uf8ff":
        return f"<mtext>{escape(WORDS[ord(token) - 0xE000])}</mtext>"
    kind = "mn" if token[0].isdigit() else "mi" if token.isalpha() or token[0] == "\\" else "mo"
    return f"<{kind}>{escape(SIGNS.get(token, token.removeprefix(BACK)))}</{kind}>"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
