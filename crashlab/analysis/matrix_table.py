"""The table of a matrix game as text and HTML: its values, and the probabilities of rows and columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from crashlab.base.statistics import plus_minus
from crashlab.drawing.html import PAPER
from crashlab.drawing.styles import BAD, BLUE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

MOST_ROWS, MOST_COLUMNS = 14, 10  # size of the largest table shown
WIN, LOSS = (tuple(bytes.fromhex(colour[1:])) for colour in (BLUE, BAD))  # distinguishable by colour-blind readers


@dataclass(frozen=True)
class MatrixTable:
    """A matrix game: the gain of the row seat in each cell, and the mixed strategies at the margins."""

    title: str
    names: tuple[str, str]  # row seat, column seat
    rows: Sequence[str]
    columns: Sequence[str]
    values: Floats
    half_widths: Floats  # half the width of each value's 95 % confidence interval
    row: Floats  # probability of each row
    column: Floats
    value: float  # mean gain of the row seat
    gap: float  # gain of both seats together if each plays a best reply
    remarks: Sequence[str] = ()


def as_text(table: MatrixTable) -> str:
    """Return the matrix as text, with probabilities at its margins; a large one is cut to its main rows and columns."""
    rows, columns = shown(table)
    lines = [["", "", *(table.columns[column] for column in columns)]]
    lines.append(["", "", *(percent(table.column[column]) for column in columns)])
    for row in rows:
        cells = [signed(table.values, table.values[row, column]) for column in columns]
        lines.append([table.rows[row], percent(table.row[row]), *cells])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    body = ["  ".join(word.rjust(width) for word, width in zip(line, widths, strict=True)) for line in lines]
    return "\n".join([f"{table.title} ({table.names[0]}: rows, {table.names[1]}: columns)", *body, *remarks(table)])


def as_html(table: MatrixTable) -> str:
    """Return the matrix as an HTML table, with blue cells for gains of the row seat and red ones for losses."""
    rows, columns = shown(table)
    most = float(abs(table.values[rows][:, columns]).max()) or 1.0
    lines = [heading("", table.names[0] + " \u2193 " + table.names[1] + " \u2192", None)]
    lines[0] += "".join(heading("col", table.columns[column], table.column[column]) for column in columns)
    for row in rows:
        line = heading("row", table.rows[row], table.row[row])
        for column in columns:
            value, half = table.values[row, column], table.half_widths[row, column]
            style = f"background:{heat(value / most)};color:{ink(heat(value / most))};text-align:right;padding:3px 8px"
            line += f'<td style="{style}" title="{plus_minus(half)}">{signed(table.values, value)}</td>'
        lines.append(line)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return (
        f'<div style="{PAPER};line-height:1.3"><div>{escape(table.title)}</div>'
        f'<table style="border-collapse:separate;border-spacing:1px;margin:6px 0;font-size:13px">{body}</table>'
        f"{''.join(f'<div>{escape(remark)}</div>' for remark in remarks(table))}</div>"
    )


def shown(table: MatrixTable) -> tuple[list[int], list[int]]:
    """Choose the rows and columns to show: the most probable ones, then those that lose least."""
    wins, losses = table.values @ table.column, table.row @ table.values
    rows = sorted(range(len(wins)), key=lambda row: (-table.row[row], -wins[row]))
    columns = sorted(range(len(losses)), key=lambda column: (-table.column[column], losses[column]))
    return sorted(rows[:MOST_ROWS]), sorted(columns[:MOST_COLUMNS])


def remarks(table: MatrixTable) -> list[str]:
    """Return the lines below a table."""
    row_seat, column_seat = table.names
    rows, columns = shown(table)
    lines = [f"{row_seat} wins {table.value:+.3f} on average; best replies would gain {table.gap:.4f}."]
    sides = (("rows", row_seat, table.row, rows), ("columns", column_seat, table.column, columns))
    for name, seat, mixture, places in sides:
        if len(places) < len(mixture):
            rest = 100 * max(1 - float(mixture[places].sum()), 0.0)
            lines.append(
                f"{len(places)} of {len(mixture)} {name} are shown; {seat} plays the others with {rest:.0f} %."
            )
    return [*lines, *table.remarks]


def percent(probability: float) -> str:
    """Format a probability; "-" if it is below 0.05 %."""
    if probability < 0.0005:
        return "-"
    return f"{100 * probability:.0f} %" if probability >= 0.01 else "<1 %"


def signed(values: Floats, value: float) -> str:
    """Format one of the values with its sign, without decimals if all values are whole."""
    if value == 0:
        return "0"
    return f"{value:+.0f}" if (values == values.round()).all() else f"{value:+.2f}"


def heading(scope: str, words: str, probability: float | None) -> str:
    """Return the HTML header of a row or column, with its probability as a bar, or of the corner (None)."""
    if probability is None:
        return f'<td style="background:#F4F1EA;color:#1F1B16;padding:3px 8px">{escape(words)}</td>'
    long = f"{100 * probability:.1f}%"
    bar = f"background:linear-gradient(to right,#F0C566 {long},#F4F1EA {long})"
    style = f"{bar};color:#1F1B16;text-align:left;font-weight:normal;padding:3px 8px;white-space:nowrap"
    return f'<th scope="{scope}" style="{style}">{escape(words)}<br><b>{percent(probability)}</b></th>'


def heat(share: float) -> str:
    """Return the colour of a share: white for 0, blue for 1, vermilion for -1."""
    full = WIN if share > 0 else LOSS
    return "#" + "".join(f"{round(255 + (part - 255) * abs(share)):02X}" for part in full)


def ink(paper: str) -> str:
    """Return black or white, whichever is easier to read on a colour."""
    parts = [int(paper[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    light = sum(weight * part**2.2 for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))
    return "#000000" if light > 0.18 else "#FFFFFF"
