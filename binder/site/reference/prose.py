"""Docstrings and Markdown as HTML, with links to the names and the rules that they mention."""

from __future__ import annotations

import doctest
import re
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from textwrap import indent

import mistune

DEFINED = re.compile(r"\S+(?: \S+)*? {2,}\S")  # a line of a docstring that begins with a name and tells what it is
SECTION = re.compile(r"(Parameters|Returns|Raises|Examples)\n-+\n")  # of a docstring, as NumPy writes them
RULE = re.compile(r"\b[A-Z]{2}-[A-Z]\d+[a-z]?\b")
OWNERS = {"state": "State", "turn": "Turn", "game": "Game", "match": "Match", "film": "Film"}  # usual names of such


class Prose(mistune.HTMLRenderer):
    """Text as HTML. `places` says by its whole name where something is told of."""

    def __init__(self, places: Mapping[str, str]) -> None:
        super().__init__()
        self.places, self.about, self.own, self.listing = places, "crashlab", frozenset[str](), "listing"
        self._made = mistune.create_markdown(renderer=self, plugins=["table", "def_list"])

    def html(self, words: str, about: str = "crashlab", own: Iterable[str] = (), listing: str = "listing") -> str:
        """Markdown, or a docstring, as HTML; blocks without prompts are of the class `listing`.

        `about` is the whole name of what the text is about, in which other names are looked for first. Those that are
        its `own`, as its parameters are, mean nothing else.
        """
        self.about, self.own, self.listing = about, frozenset(own), listing
        return "".join(str(self._made(part)) for part in parts(words))

    def markdown(self, words: str) -> str:
        """A file of Markdown as HTML."""
        self.about, self.own, self.listing = "crashlab", frozenset(), "listing"
        return str(self._made(words))

    def text(self, text: str) -> str:
        """Plain words: rules are linked."""
        return RULE.sub(lambda found: self.linked(found[0], found[0]), escape(text, quote=False))

    def codespan(self, text: str) -> str:
        """Words as in a program: names are linked."""
        return self.linked(text, f"<code>{escape(text, quote=False)}</code>")

    def block_code(self, code: str, info: str | None = None) -> str:
        """A block: an example with its results, or a listing."""
        return example(code) if code.startswith(">>>") else block(code, info or self.listing)

    def table(self, text: str) -> str:
        """A table, which may be wider than the page."""
        return f'<div class="wide"><table>\n{text}</table></div>\n'

    def linked(self, word: str, inner: str) -> str:
        """This, with a link if it is known where the word is told of."""
        name = word.partition("(")[0]
        owner, _, member = name.partition(".")
        module = self.about.rpartition(".")[0]
        around = (self.about, module, module.rpartition(".")[0], "crashlab")
        tried = name, *(f"{each}.{name}" for each in around), f"crashlab.{OWNERS.get(owner)}.{member}"
        place = next((self.places[each] for each in tried if each in self.places and each != self.about), None)
        return f'<a href="{place}">{inner}</a>' if place and name not in self.own else inner


def parts(words: str) -> Iterator[str]:
    """A docstring as Markdown has it, in parts: lines `name  what it is` become lists, examples are indented."""
    plain: list[str] = []
    for paragraph in re.split(r"\n\n+", words.rstrip()):
        if section := SECTION.match(paragraph):
            plain.append(f"**{section[1]}**")
            paragraph = paragraph[section.end() :]
            if section[1] != "Examples":
                yield from ("\n\n".join(plain), as_parameters(paragraph))
                plain = []
                continue
        own = indent(paragraph, "    ") if paragraph.startswith(">>>") else as_list(paragraph)
        if own:
            yield from ("\n\n".join(plain), own)
            plain = []
        else:
            plain.append(paragraph)
    yield "\n\n".join(plain)


def as_list(paragraph: str) -> str:
    """A paragraph of such lines, of which one that is indented goes on; empty if it is none."""
    if not DEFINED.match(paragraph):
        return ""
    entries = re.split(r"\n(?! )", paragraph)
    pairs = (re.split(" {2,}", re.sub(r"\n +", " ", entry), maxsplit=1) for entry in entries)
    return "\n\n".join(f"`{name}`\n: {what}" for name, what in pairs)


def as_parameters(section: str) -> str:
    """Entries `name : type`, or a type alone, each with what it is below it, as a list."""
    entries = (entry.partition("\n") for entry in re.split(r"\n(?! )", section))
    heads = ((" : ".join(f"`{word}`" for word in head.split(" : ")), what) for head, _, what in entries)
    return "\n\n".join(f"{head}\n: {' '.join(what.split())}" for head, what in heads)


def example(code: str) -> str:
    """A block with prompts: what is typed, and what is printed."""
    pairs = (
        f"<code>{escape(each.source, quote=False)}</code><samp>{escape(each.want, quote=False)}</samp>"
        for each in doctest.DocTestParser().get_examples(code)
    )
    return f'<pre class="example">{"".join(pairs)}</pre>\n'


def block(code: str, kind: str) -> str:
    """A block as it stands."""
    return f'<pre class="{kind}"><code>{escape(code.rstrip(), quote=False)}</code></pre>\n'


def anchor(words: str) -> str:
    """The id of a heading."""
    return re.sub(r"\W+", "-", words.lower()).strip("-")
