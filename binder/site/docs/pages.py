"""Build the pages of the site: `python binder/site/docs/pages.py OUT`, as `make docs` calls it.

    index.md    the start page
    manual/     the manual, which continues the README
    lessons/    the notebooks with their stored outputs, without running them
    names/      every public name, from `__all__` and the docstrings
    rules/      the rules and the notation of every game (`rule_pages.py`)
    own/        sections of CONTRIBUTING.md with example files

The sources are collected in a folder, from which Sphinx builds the pages (`conf.py`); a warning is an error.
"""

from __future__ import annotations

import argparse
import ast
import doctest
import inspect
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import chdir
from importlib import import_module
from pathlib import Path
from string import Template
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

import nbformat
import rule_pages
from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer

from crashlab.drawing.player import player
from crashlab.lab.board import Panel

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
LESSONS = ROOT / "notebooks"
MODULES = {
    "crashlab": "Games, their states, and what is done with them in large numbers.",
    "crashlab.lab": "The widgets of a notebook.",
    "crashlab.agents": "Agents, which choose actions.",
    "crashlab.watch": "Functions that are watched while they run.",
    "crashlab.adapters": "The games in other libraries.",
    "crashlab.engine.table": "For games of your own: tables, and the functions through which they change.",
    "crashlab.engine.value_codecs": "For games of your own: values in words.",
}
MANUAL = ("installing", "playing", "watching", "films", "own_rules", "league", "numbers", "libraries")
GUIDES = {  # by page: its section of CONTRIBUTING.md, and its example files
    "add-a-game": ("Add a game", "tests/toy"),
    "add-an-agent": ("Add an agent", "examples/my_agent.py"),
    "add-a-lesson": ("Add a notebook", ""),
}
ORDER = ("__init__", "rulebook", "state", "rules", "notation", "positions", "text", "render", "ui")  # files of a game
BADGE = re.compile(r" ?\[!\[Open in Binder\]\([^)]*\)\]\([^)]*\)")
BINDER = "https://mybinder.org/v2/gh/crashlab/crashlab/HEAD?urlpath=lab/tree/notebooks/{}.ipynb"
PUBLISHED = "https://crashlab.github.io/crashlab/"
FOLDERS = "lessons", "manual", "names", "own", "rules"
PANEL, FILM = "application/vnd.crashlab.panel+json", '<div class="crashlab-film"'


def build(out: Path, lessons: Path = LESSONS, lab: str = PUBLISHED) -> None:
    """Build the site in a folder; `lab` is JupyterLab's address, relative to a folder of the site."""
    with TemporaryDirectory() as temporary:
        source = Path(temporary) / "docs"
        shutil.copytree(HERE, source, ignore=shutil.ignore_patterns("*.pyc"))
        shutil.copy(ROOT / "crashlab" / "drawing" / "film.schema.json", source)
        write(source / "player.js", player())
        write_manual(source / "manual")
        write_lessons(lessons, source / "lessons", lab)
        write_names(source / "names")
        rule_pages.write(source / "rules")
        write_own(source / "own")
        index = Template((HERE / "index.md").read_text("utf-8"))
        write(source / "index.md", index.substitute(games=rule_pages.gallery("rules/")))
        for folder in FOLDERS:
            shutil.rmtree(out / folder, ignore_errors=True)
        app = Sphinx(source, source, out, Path(temporary) / "doctrees", "html", warningiserror=lessons == LESSONS)
        app.build()
        if app.statuscode:
            sys.exit(app.statuscode)


def write(path: Path, text: str) -> None:
    """Write a file and create its folder if needed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def contents(title: str, words: str, pages: list[str], shown: bool = True) -> str:
    """Return the Markdown of a page that links to others."""
    tree = "\n".join(["```{toctree}", ":maxdepth: 1", *([] if shown else [":hidden:"]), "", *pages, "```"])
    return f"# {title}\n\n{words}\n\n{tree}\n"


# The manual, and instructions for additions


def write_manual(folder: Path) -> None:
    """Write the start page of the manual."""
    write(folder / "index.md", contents("Manual", "More than fits into the README.", [*MANUAL]))


def write_own(folder: Path) -> None:
    """Write sections of CONTRIBUTING.md, each with its example files."""
    contributing = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    for page, (section, shown) in GUIDES.items():
        words = re.search(rf"^## {section}\n(.*?)(?=^## |\Z)", contributing, re.M | re.S)
        assert words, section
        parts = [f"# {section}\n{words[1]}".replace("\n### ", "\n## ")]
        for path in example_files(ROOT / shown) if shown else ():
            language = {".py": "python", ".toml": "toml"}[path.suffix]
            parts.append(f"## `{path.relative_to(ROOT).as_posix()}`\n\n````{language}\n{path.read_text('utf-8')}````\n")
        write(folder / f"{page}.md", "\n".join(parts))
    write(folder / "index.md", contents("Your own", "How to add something of your own.", [*GUIDES]))


def example_files(path: Path) -> list[Path]:
    """Return a file, or the files of a folder in reading order."""
    if path.is_file():
        return [path]
    return sorted((file for file in path.iterdir() if file.stem in ORDER), key=lambda file: ORDER.index(file.stem))


# The lessons


def write_lessons(lessons: Path, folder: Path, lab: str) -> None:
    """Write the notebooks for Sphinx, and their start page."""
    paths = sorted(lessons.glob("*.ipynb"))
    rows = []
    if (lessons / "images").is_dir():
        shutil.copytree(lessons / "images", folder / "images")
    for path in paths:
        notebook = nbformat.read(path, as_version=4)
        links = run_links(path.stem, lab)
        prepare(notebook, links)
        write(folder / path.name, nbformat.writes(notebook))
        title = str(notebook.cells[0].source).splitlines()[0].lstrip("# ") or path.stem
        rows.append(f"- [{title}]({path.name}) ({links})")
    words = (
        "Films play on these pages, and questions are asked. Exercises and boards need Python: open a lesson in your "
        "browser, where nothing is installed and nothing leaves your computer. The first time some 40 MB are loaded; "
        "rules are not compiled there, so lessons play fewer games, and what is loaded again has to be run again.\n"
    )
    pages = [path.stem for path in paths]
    write(folder / "index.md", contents("Lessons", "\n".join([words, *rows]), pages, shown=False))


def run_links(name: str, lab: str) -> str:
    """Return the links that run a lesson, in HTML, as MyST would take the first for a page of its own in Markdown."""
    binder = f", [on Binder]({BINDER.format(name)})" if lab == PUBLISHED else ""
    return f'<a href="{lab}lab/index.html?path={name}.ipynb">in your browser</a>{binder}'


def prepare(notebook: nbformat.NotebookNode, links: str) -> None:
    """Add links that run the lesson below its heading and above cells that need Python; drop what pages cannot show."""
    title, _, rest = BADGE.sub("", str(notebook.cells[0].source)).partition("\n")
    notebook.cells[0].source = f"{title}\n\nRun it yourself: {links}.\n{rest}"
    cells = []
    for cell in notebook.cells:
        needs = "This exercise" if "crashlab.check(" in cell.source and cell.cell_type == "code" else ""
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if data.pop(PANEL, None) and FILM not in data.get("text/html", ""):
                needs = needs or "To play with this"
            if "image/png" in data:
                words = " ".join(str(data.get("text/plain", "A picture")).split())[:300]
                cell.metadata["mystnb"] = {"image": {"alt": words}}
        if needs:
            cells.append(nbformat.v4.new_markdown_cell(f"*{needs} needs Python: {links}.*"))
        cells.append(cell)
    notebook.cells = cells


# The names


def write_names(folder: Path) -> None:
    """Write a page for each public name and a start page for each module."""
    seen: dict[tuple[str, int], str] = {}
    for module, about in MODULES.items():
        rows, pages = [], []
        for name in sorted(import_module(module).__all__, key=str.lower):
            full, thing = f"{module}.{name}", getattr(import_module(module), name)
            first = seen.setdefault((name, id(thing)), full)
            rows.append(f"- [`{name}`]({first}.rst): {described(module, name, thing).partition(chr(10))[0]}")
            if first == full:
                write(folder / f"{full}.rst", name_page(module, name, thing, folder))
                pages.append(full)
        begin = f"The examples begin with\n\n```python\n{beginning(module)}\n```\n"
        write(folder / f"{module}.md", contents(f"`{module}`", "\n".join([about, begin, *rows]), pages, shown=False))
    rows = [f"- [`{module}`]({module}.md): {about}" for module, about in MODULES.items()]
    words = "\n".join(["Every public name, with an example.\n", *rows])
    write(folder / "index.md", contents("Names", words, [*MODULES], shown=False))


def name_page(module: str, name: str, thing: Any, folder: Path) -> str:
    """Return a name's page for Sphinx, with a picture if it is a widget."""
    full = f"{module}.{name}"
    head = [name, "=" * len(name), "", f"The example begins with ``{'; '.join(beginning(module).splitlines())}``.", ""]
    if inspect.isclass(thing) and thing.__module__.startswith("crashlab"):
        body = [f".. autoclass:: {full}"]
    elif inspect.isroutine(thing):
        body = [f".. autofunction:: {full}"]
    else:
        words = described(module, name, thing)
        is_called = callable(thing) and type(thing).__module__.startswith("crashlab")
        kind = f"py:function:: {full}{inspect.signature(thing)}" if is_called else f"py:data:: {full}"
        body = [f".. {kind}", "", *(f"   {line}".rstrip() for line in words.splitlines())]
    return "\n".join([*head, *body, "", *widget_picture(module, full, thing, folder), ""])


def described(module: str, name: str, thing: Any) -> str:
    """Return the docstring of an object; for a value, the comment or string documenting its assignment."""
    if isinstance(thing, ModuleType):
        return inspect.getdoc(type(thing).__call__) or ""
    if inspect.isroutine(thing) or inspect.isclass(thing):
        return inspect.getdoc(thing) or ""
    analyzer = ModuleAnalyzer.for_module(module)
    if words := analyzer.find_attr_docs().get(("", name)):
        return "\n".join(words)
    for node in ast.walk(ast.parse(analyzer.code)):
        if isinstance(node, ast.ImportFrom) and name in [alias.name for alias in node.names]:
            return described(str(node.module), name, thing)
    return inspect.getdoc(thing) or ""


def beginning(module: str) -> str:
    """Return the first lines of a module's examples."""
    lines = ["import crashlab", *([f"from {module} import *"] if module != "crashlab" else [])]
    more = ["from crashlab.engine.table import Table"] if module == "crashlab.engine.value_codecs" else []
    return "\n".join([*lines, *more])


def widget_picture(module: str, full: str, thing: Any, folder: Path) -> Iterator[str]:
    """Yield the picture of the widget in a name's example, if there is one."""
    if module != "crashlab.lab":
        return
    space: dict[str, Any] = {}
    exec(beginning(module), space)
    test = doctest.DocTestParser().get_doctest(inspect.getdoc(thing) or "", space, full, None, 0)
    with chdir(folder):  # some write a file
        doctest.DocTestRunner(verbose=False).run(test, clear_globs=False)
    panels = [value for value in test.globs.values() if isinstance(value, Panel)]
    if panels:
        picture, _words = panels[-1].still()
        for theme, name in rule_pages.painted(folder, full, picture).items():
            yield f".. image:: {name}\n   :class: only-{theme}\n   :alt: {rule_pages.plain(picture.words)}\n"


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description="Build the site: manual, lessons, names, rules.")
    parser.add_argument("out", type=Path, help="the folder of the site")
    parser.add_argument("--lessons", type=Path, default=LESSONS, metavar="FOLDER", help="other notebooks than ours")
    parser.add_argument("--lab", default=PUBLISHED, metavar="ADDRESS", help="where JupyterLite is, seen from a folder")
    arguments = parser.parse_args()
    build(arguments.out.resolve(), arguments.lessons.resolve(), arguments.lab)


if __name__ == "__main__":
    main()
