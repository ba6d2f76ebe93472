"""Elements and tables as HTML, and tables as lines of text."""

from collections.abc import Iterable, Sequence
from html import escape

WHITE = "background:#FFFFFF;color:#1F1B16;"  # black on white, in light and dark notebooks
AS_AROUND = "background:transparent;color:inherit;"  # the colours of the surrounding page
PAPER = f"display:inline-block;padding:8px;{WHITE}font-size:13px"
CELL = "padding:2px 8px;border-bottom:1px solid #D9D4C8"


class Html(str):
    """HTML, which `element` does not escape."""


LINE_BREAK = Html("<br>")


def element(name: str, *parts: str, **attributes: str) -> Html:
    """Return an HTML element; parts that are no Html are escaped, and empty attributes are left out.

    Write `class` as `class_`, and a hyphen as an underscore, as in `aria_live`.
    """
    look = "".join(f" {key.strip('_').replace('_', '-')}='{escape(text)}'" for key, text in attributes.items() if text)
    return Html(f"<{name}{look}>{joined(parts)}</{name}>")


def joined(parts: Iterable[str], between: str = "") -> Html:
    """Join parts of HTML; those that are no Html are escaped."""
    return Html(between.join(part if isinstance(part, Html) else escape(part) for part in parts))


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], cell: str, style: str = "") -> Html:
    """Return an HTML table; the CSS `cell` is that of each cell, `style` that of the table."""
    lines = [("th", heads), *(("td", row) for row in rows)]
    content = (element("tr", *(element(name, word, style=cell) for word in words)) for name, words in lines)
    return element("table", *content, style=style)


def columns(lines: Sequence[Sequence[str]]) -> list[str]:
    """Align the words of lines in columns: the second column to the left, all others to the right."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [
        "  ".join(
            word.ljust(width) if place == 1 else word.rjust(width)
            for place, (word, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]


def html_table(heads: Sequence[str], lines: Sequence[Sequence[str]], paper: str = WHITE) -> Html:
    """Return an HTML table with a rank before each line; `paper` is its CSS for the background."""
    cell = f"{paper}{CELL};white-space:nowrap"
    top = "".join(f'<th scope="col" style="{cell};text-align:right">{escape(word)}</th>' for word in ["", *heads])
    body = "".join(
        f'<tr><td style="{cell}">{rank}</td><th scope="row" style="{cell};text-align:left">{escape(line[0])}</th>'
        + "".join(f'<td style="{cell};text-align:right">{escape(word)}</td>' for word in line[1:])
        + "</tr>"
        for rank, line in enumerate(lines, 1)
    )
    return Html(f'<table style="border-collapse:collapse;margin:6px 0;font-size:13px"><tr>{top}</tr>{body}</table>')
