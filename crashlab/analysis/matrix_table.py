"""The table of a matrix game as text and HTML: its values, and the probabilities of rows and columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crashlab.base.statistics import plus_minus
from crashlab.drawing import html
from crashlab.drawing.html import LINE_BREAK, PAPER, Html, element
from crashlab.drawing.styles import BAD, BLUE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from crashlab.analysis.matrix_game import Equilibrium

    Floats = NDArray[np.float64]

MOST_ROWS, MOST_COLUMNS = 14, 10  # size of the largest table shown
CORNER = "background:#F4F1EA;color:#1F1B16;padding:3px 8px"
WIN, LOSS = (tuple(bytes.fromhex(colour[1:])) for colour in (BLUE, BAD))  # distinguishable by colour-blind readers


def as_text(solution: Equilibrium) -> str:
    """Return the matrix as text, with probabilities at its margins; a large one is cut to its main rows and columns."""
    game = solution.duel
    rows, columns = shown(solution)
    row_labels, column_labels = game.labels
    lines = [["", "", *(column_labels[column] for column in columns)]]
    lines.append(["", "", *(percent(solution.column[column]) for column in columns)])
    for row in rows:
        cells = [signed(game.values, game.values[row, column]) for column in columns]
        lines.append([row_labels[row], percent(solution.row[row]), *cells])
    title = f"{game.title} ({game.names[0]}: rows, {game.names[1]}: columns)"
    return "\n".join([title, *html.columns(lines), *remarks(solution)])


def as_html(solution: Equilibrium) -> Html:
    """Return the matrix as an HTML table, with blue cells for gains of the row seat and red ones for losses."""
    game = solution.duel
    rows, columns = shown(solution)
    row_labels, column_labels = game.labels
    most = float(abs(game.values[rows][:, columns]).max()) or 1.0
    corner = element("td", f"{game.names[0]} \u2193 {game.names[1]} \u2192", style=CORNER)
    lines = [[corner, *(heading("col", column_labels[column], solution.column[column]) for column in columns)]]
    for row in rows:
        line = [heading("row", row_labels[row], solution.row[row])]
        for column in columns:
            value, half = game.values[row, column], game.half_widths[row, column]
            style = f"background:{heat(value / most)};color:{ink(heat(value / most))};text-align:right;padding:3px 8px"
            line.append(element("td", signed(game.values, value), style=style, title=plus_minus(half)))
        lines.append(line)
    style = "border-collapse:separate;border-spacing:1px;margin:6px 0;font-size:13px"
    matrix = element("table", *(element("tr", *line) for line in lines), style=style)
    below = (element("div", remark) for remark in remarks(solution))
    return element("div", element("div", game.title), matrix, *below, style=f"{PAPER};line-height:1.3")


def shown(solution: Equilibrium) -> tuple[list[int], list[int]]:
    """Choose the rows and columns to show: the most probable ones, then those that lose least."""
    wins, losses = solution.duel.values @ solution.column, solution.row @ solution.duel.values
    rows = sorted(range(len(wins)), key=lambda row: (-solution.row[row], -wins[row]))
    columns = sorted(range(len(losses)), key=lambda column: (-solution.column[column], losses[column]))
    return sorted(rows[:MOST_ROWS]), sorted(columns[:MOST_COLUMNS])


def remarks(solution: Equilibrium) -> list[str]:
    """Return the lines below a table."""
    game = solution.duel
    row_seat, column_seat = game.names
    rows, columns = shown(solution)
    lines = [f"{row_seat} wins {solution.value:+.3f} on average; best replies would gain {solution.gap:.4f}."]
    sides = (("rows", row_seat, solution.row, rows), ("columns", column_seat, solution.column, columns))
    for name, seat, mixture, places in sides:
        if len(places) < len(mixture):
            rest = 100 * max(1 - float(mixture[places].sum()), 0.0)
            lines.append(
                f"{len(places)} of {len(mixture)} {name} are shown; {seat} plays the others with {rest:.0f} %."
            )
    if any(count > 1 for count in game.like_rows + game.like_columns):
        lines.append("×3 marks three plots equal in every cell.")
    return lines


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


def heading(scope: str, words: str, probability: float) -> Html:
    """Return the HTML header of a row or column, with its probability as a number and a bar."""
    long = f"{100 * probability:.1f}%"
    bar = f"background:linear-gradient(to right,#F0C566 {long},#F4F1EA {long})"
    style = f"{bar};color:#1F1B16;text-align:left;font-weight:normal;padding:3px 8px;white-space:nowrap"
    return element("th", words, LINE_BREAK, element("b", percent(probability)), scope=scope, style=style)


def heat(share: float) -> str:
    """Return the colour of a share: white for 0, blue for 1, vermilion for -1."""
    full = WIN if share > 0 else LOSS
    return "#" + "".join(f"{round(255 + (part - 255) * abs(share)):02X}" for part in full)


def ink(paper: str) -> str:
    """Return black or white, whichever is easier to read on a colour."""
    parts = [int(paper[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    light = sum(weight * part**2.2 for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))
    return "#000000" if light > 0.18 else "#FFFFFF"
