"""Makes the reference pages: `python binder/site/reference/build.py OUT`.

    names.py    the public names, from `__all__` and the docstrings
    games.py    the rules and the notation of every game, from its rulebook and its declarations
    prose.py    docstrings and Markdown as HTML
    manual/     what the README has no room for, a page each
    build.py    the pages, the way between them, and what can be searched for

The pages are files: they need no server, and nothing from anywhere else. The same text gives the same bytes.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from html import escape, unescape
from pathlib import Path

import games
import names
from names import Name
from prose import Prose, anchor, block

import crashlab
from crashlab import Game
from crashlab.drawing import svg
from crashlab.drawing.shapes import Picture
from crashlab.lab.board import Panel

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
GUIDES = {  # by file: the section of CONTRIBUTING.md, and the files that show one
    "add-a-game": ("Add a game", "tests/toy", "The toy race of the tests, whole"),
    "add-an-agent": ("Add an agent", "examples/my_agent.py", "An agent in ten lines, whole"),
    "add-a-lesson": ("Add a notebook", "", ""),
}
MANUAL = {  # by file: its first line
    file: (HERE / "manual" / f"{file}.md").read_text("utf-8").partition("\n")[0].removeprefix("# ")
    for file in ("installing", "playing", "watching", "films", "own_rules", "league", "numbers", "libraries")
}
ORDER = (  # of the files of a game
    "__init__",
    "rulebook",
    "state",
    "rules",
    "notation",
    "positions",
    "text",
    "render",
    "ui",
)
CODE = {".py": "source", ".toml": "data"}

Entry = tuple[str, str, str, str]  # what can be found: its name, what it is, where, and its words


# Where things are


def places() -> dict[str, str]:
    """Where each name and each rule is told of."""
    found = {rule.id: f"rules-{game.name}.html#{rule.id}" for game in games.games() for rule in game.rulebook}
    for module, told in names.public().items():
        for name in (inner for each in told for inner in (each, *each.members)):
            found[name.full] = found[name.same] if name.same else f"{module}.html#{name.full}"
            if name.short[0].isupper():
                found.setdefault(name.short, found[name.full])  # no other word looks like it
    return {module: f"{module}.html" for module in names.MODULES} | found


def page_titles() -> dict[str, dict[str, str]]:
    """The pages of each kind: the title of each by its file."""
    made = games.games()
    return {
        "Manual": MANUAL,
        "Names": {module: module for module in names.MODULES},
        "Rules": {f"rules-{game.name}": game.title for game in made},
        "Notation": {f"notation-{game.name}": game.title for game in made},
        "Your own": {file: title.replace("notebook", "lesson") for file, (title, *_) in GUIDES.items()},
    }


# The pages of names


def module_page(module: str, prose: Prose) -> str:
    """The page of a module's names."""
    told = names.public()[module]
    index = "".join(f'<li><a href="#{name.full}">{name.short}</a></li>' for name in told)
    return "".join(
        (
            f"<h1><code>{module}</code></h1>\n<p>{names.MODULES[module]} The examples begin with</p>\n",
            block(names.begin(module), "begin"),
            f'<nav aria-label="On this page"><ul class="contents">{index}</ul></nav>\n',
            *(entry(name, prose) for name in told),
        )
    )


def entry(name: Name, prose: Prose) -> str:
    """A name with all that is said of it."""
    head = f'<section id="{name.full}" class="name"><h2><a href="#{name.full}">{name.short}</a>'
    if name.same:
        return f"{head}</h2>\n<p>The same as {prose.codespan(name.same)}.</p></section>\n"
    inside = "".join(member(each, name, prose) for each in name.members)
    return (
        f'{head} <span class="kind">{name.kind}</span></h2>\n{called(name)}{told(name, prose)}'
        f"{seen(name)}{inside}</section>\n"
    )


def seen(name: Name) -> str:
    """The picture of the widget that the example makes, if it makes one."""
    picture = widgets().get(name.full)
    return f"<figure>{games.drawn(name.full, picture)}</figure>\n" if picture else ""


@cache
def widgets() -> dict[str, Picture]:
    """The pictures of the widgets that are made in examples, by the names that have the examples."""
    found = {}
    for name in names.public()["crashlab.lab"]:
        made = [thing for thing in names.played(name).values() if isinstance(thing, Panel)] if name.doc else []
        if made:
            found[name.full], _words = made[-1].still()
    return found


def member(name: Name, owner: Name, prose: Prose) -> str:
    """What a class offers by one name."""
    return (
        f'<div id="{name.full}" class="member"><h3><a href="#{name.full}">{owner.short}.{name.short}</a> '
        f'<span class="kind">{name.kind}</span></h3>\n{called(name) if name.signature else ""}'
        f"{told(name, prose)}</div>\n"
    )


def told(name: Name, prose: Prose) -> str:
    """What a docstring says."""
    return prose.html(name.doc, name.full, name.parameters)


def called(name: Name) -> str:
    """How a name is called, or what it is."""
    return f'<pre class="signature"><code>{escape(name.short + name.signature, quote=False)}</code></pre>\n'


# The manual, and how to add something


def manual(file: str, prose: Prose) -> str:
    """A page of the manual."""
    head, _, text = (HERE / "manual" / f"{file}.md").read_text("utf-8").partition("\n")
    return f"<h1>{head.removeprefix('# ')}</h1>\n{with_anchors(prose.markdown(text))}"


def guide(file: str, prose: Prose) -> str:
    """A section of CONTRIBUTING.md, and the files that show how it is done."""
    section, shown, title = GUIDES[file]
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    words = re.search(rf"^## {section}\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    assert words, section
    body = prose.html(words[1].replace("\n### ", "\n## "), listing="python")
    files = "".join(whole_file(path) for path in shown_files(shown))
    return f"<h1>{section.replace('notebook', 'lesson')}</h1>\n{with_anchors(body)}" + (
        f'<h2 id="whole">{title}</h2>\n{files}' if files else ""
    )


def shown_files(shown: str) -> list[Path]:
    """The file, or those of a folder in the order in which they are to be read."""
    path = ROOT / shown
    if not shown or path.is_file():
        return [path] * bool(shown)
    return sorted((each for each in path.iterdir() if each.suffix in CODE), key=lambda each: ORDER.index(each.stem))


def whole_file(path: Path) -> str:
    """A file as it stands."""
    name = path.relative_to(ROOT).as_posix()
    return f'<h3 id="{anchor(name)}"><code>{name}</code></h3>\n{block(path.read_text("utf-8"), CODE[path.suffix])}'


def with_anchors(body: str) -> str:
    """The headings with ids."""
    return re.sub(r"<h(\d)>(.*?)</h", lambda found: f'<h{found[1]} id="{anchor(found[2])}">{found[2]}</h', body)


# The first page


def index_page(prose: Prose) -> str:
    """The first page: a search, and what there is."""
    return "".join(
        (
            "<h1>crashlab reference</h1>\n",
            "<p>Board games about collisions, and notebooks in which every change explains itself: a manual, every "
            "public name with an example, the rules and the notation of every game, and how to add one of your own."
            "</p>\n",
            '<section id="found" aria-label="Search results" hidden><p role="status"></p><ol></ol></section>\n',
            *(section(kind, titles) for kind, titles in page_titles().items()),
        )
    )


def section(kind: str, titles: dict[str, str]) -> str:
    """The pages of one kind, those of rules with a picture."""
    rows = "".join(f"<li>{front(file, title)}</li>\n" for file, title in titles.items())
    return f'<h2 id="{anchor(kind)}">{kind}</h2>\n<ul class="{"games" if kind == "Rules" else "pages"}">\n{rows}</ul>\n'


def front(file: str, title: str) -> str:
    """The way to a page, and what is there."""
    kind, _, game = file.partition("-")
    if kind == "rules":
        shown = games.under_way(crashlab.game(game)).picture()
        words = f"{title}, in the middle of a game"
        return f'<a href="{file}.html">{games.drawn(f"{game}-game", shown, words)}{title}</a>'
    about = names.MODULES.get(file, "")
    shown_title = f"<code>{title}</code>" if about else escape(title)
    return f'<a href="{file}.html">{shown_title}</a>{f": {about}" if about else ""}'


# What every page has


def whole(file: str, title: str, body: str) -> str:
    """A page with the way to all others."""
    return (
        (HERE / "page.html")
        .read_text("utf-8")
        .format(title=escape(title), body=body, ways="".join(ways(file)), version=crashlab.__version__)
    )


def ways(here: str) -> Iterator[str]:
    """The way to all pages, by their kinds."""
    for kind, titles in page_titles().items():
        rows = "".join(
            f'<li><a href="{file}.html"{" aria-current=page" if file == here else ""}>{escape(title)}</a></li>'
            for file, title in titles.items()
        )
        yield f"<h2>{kind}</h2><ul>{rows}</ul>"


# What can be searched for


def entries(pages: dict[str, str]) -> list[Entry]:
    """Everything that can be found."""
    found: list[Entry] = []
    for module, told in names.public().items():
        for name in (inner for each in told if not each.same for inner in (each, *each.members)):
            found.append((name.full, name.kind, f"{module}.html#{name.full}", plain_words(name.doc)))
    for game in games.games():
        found += [rule_entry(game, rule.id) for rule in game.rulebook]
    for file, body in pages.items():
        if not file.startswith("crashlab"):
            title = plain_words(re.sub(r"<.*?>", "", re.findall(r"<h1>(.*?)</h1>", body)[0]))
            found += [(title, "page", f"{file}.html", "")]
            found += [
                (unescape(re.sub(r"<.*?>", "", words)), title, f"{file}.html#{place}", "")
                for place, words in re.findall(r'<h[23] id="(.*?)">(.*?)</h', body)
            ]
    return found


def rule_entry(game: Game, rule_id: str) -> Entry:
    """What can be found of a rule."""
    rule = game.rulebook[rule_id]
    return f"{rule.id} {rule.title}", f"{game.title}, {rule.mark}", f"rules-{game.name}.html#{rule.id}", rule.text


def plain_words(text: str) -> str:
    """The words of a text up to its first block."""
    return " ".join(unescape(text).partition("\n\n    ")[0].split())


# All of it


def pictures() -> Iterator[tuple[str, str]]:
    """The files of the pictures."""
    shown = widgets().copy()
    for game in games.games():
        shown |= {f"{game.name}-{name}": game.picture(name).picture() for name in game.pictures}
        shown |= {f"{game.name}-poster": game.poster().picture(), f"{game.name}-game": games.under_way(game).picture()}
    for name, picture in shown.items():
        yield from ((f"{name}-{theme}.svg", svg.paint(picture, theme)) for theme in games.THEMES)


def bodies(prose: Prose) -> dict[str, str]:
    """What stands on each page, by its file."""
    made = {f"rules-{game.name}": games.rules(game, prose) for game in games.games()}
    made |= {f"notation-{game.name}": games.notation(game, prose) for game in games.games()}
    made |= {module: module_page(module, prose) for module in names.MODULES}
    made |= {file: guide(file, prose) for file in GUIDES}
    made |= {file: manual(file, prose) for file in MANUAL}
    return made


def files() -> dict[str, str]:
    """Every file of the pages, with its text."""
    prose = Prose(places())
    made = bodies(prose)
    titles = {file: f"{kind}: {title}" for kind, of in page_titles().items() for file, title in of.items()}
    found = {f"{file}.html": whole(file, titles[file], body) for file, body in made.items()}
    found["index.html"] = whole("index", "All", index_page(prose))
    found["entries.js"] = f"const ENTRIES = {json.dumps(entries(made), ensure_ascii=False, indent=0)};\n"
    found |= {name: (HERE / name).read_text("utf-8") for name in ("style.css", "search.js")}
    drawing = ROOT / "crashlab" / "drawing"
    found |= {name: (drawing / name).read_text("utf-8") for name in ("player.js", "film.schema.json")}
    return found | dict(pictures())


def main(words: list[str]) -> str | None:
    """Write all pages to the folder that is named; how this is called, if none is."""
    if len(words) != 1:
        return "usage: python binder/site/reference/build.py OUT"
    out = Path(words[0])
    out.mkdir(parents=True, exist_ok=True)
    for name, text in files().items():
        (out / name).write_text(text, "utf-8", newline="\n")
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
