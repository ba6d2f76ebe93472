"""Elements and tables as HTML, and tables as lines of text."""

from collections.abc import Iterable, Sequence
from html import escape

WHITE = "background:#FFFFFF;color:#1F1B16;"  # black on white, in light and dark notebooks
AS_AROUND = "background:transparent;color:inherit;"  # the colours of the surrounding page
PAPER = f"display:inline-block;padding:8px;{WHITE}font-size:13px"
CELL = "padding:2px 8px;border-bottom:1px solid #D9D4C8"


class Html(str):
    """HTML, which `element` does not escape."""


VOID = ("br", "img", "wbr")  # elements that have neither content nor an end tag


def element(name: str, *parts: str, **attributes: str) -> Html:
    """Return an HTML element; parts that are no Html are escaped, and empty attributes are left out.

    Write `class` as `class_`, and a hyphen as an underscore, as in `aria_live`.
    """
    look = "".join(f' {key.strip("_").replace("_", "-")}="{escape(text)}"' for key, text in attributes.items() if text)
    return Html(f"<{name}{look}>{joined(parts)}" + f"</{name}>" * (name not in VOID))


def joined(parts: Iterable[str], between: str = "") -> Html:
    """Join parts of HTML; those that are no Html are escaped."""
    return Html(between.join(part if isinstance(part, Html) else escape(part) for part in parts))


LINE_BREAK = element("br")


def page(title: str, style: str, *parts: str) -> str:
    """Return a stand-alone HTML page; `style` is its CSS."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"{element('title', title)}{element('style', Html(style))}</head>{element('body', *parts)}</html>\n"
    )


def table(
    heads: Sequence[str], rows: Iterable[Sequence[str]], cell: str, style: str = "", name_column: int | None = None
) -> Html:
    """Return an HTML table; `cell` is the CSS of each cell, and `style` the CSS of the table.

    The column `name_column` is aligned to the left, and its words are the headers of their rows.
    """
    looks = [f"{cell};text-align:left" if column == name_column else cell for column in range(len(heads))]
    top = (element("th", word, scope="col", style=look) for word, look in zip(heads, looks, strict=True))
    lines = (
        (
            element("td", word, style=look) if look is cell else element("th", word, scope="row", style=look)
            for word, look in zip(row, looks, strict=True)
        )
        for row in rows
    )
    return element("table", *(element("tr", *line) for line in (top, *lines)), style=style)


def ranked(lines: Iterable[Sequence[str]]) -> list[Sequence[str]]:
    """Insert a rank at the beginning of each line."""
    return [(str(rank), *line) for rank, line in enumerate(lines, 1)]


def ranked_table(heads: Sequence[str], lines: Iterable[Sequence[str]], paper: str = WHITE) -> Html:
    """Return an HTML table with a rank before each line; `paper` is its CSS for the background."""
    cell = f"{paper}{CELL};white-space:nowrap;text-align:right"
    return table(
        ("", *heads), ranked(lines), cell, "border-collapse:collapse;margin:6px 0;font-size:13px", name_column=1
    )


def columns(lines: Sequence[Sequence[str]], left: int | None = None) -> list[str]:
    """Align the words of lines in columns: the column `left` to the left, all others to the right."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [
        "  ".join(
            word.ljust(width) if place == left else word.rjust(width)
            for place, (word, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]
