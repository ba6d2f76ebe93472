"""Display of leagues: the table as a picture, and the whole league as a stand-alone HTML page."""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol

from crashlab.base.statistics import plus_minus
from crashlab.drawing import html, svg
from crashlab.drawing.rank_chart import Rank, ranks
from crashlab.drawing.shapes import Picture
from crashlab.engine.game import Game
from crashlab.play.league.guest import Trouble, promise
from crashlab.play.league.pairings import NOBODY, Pairing
from crashlab.play.tournament import Standing, Standings

HEADS = "points a game, with their 95 % interval", "rating"
STYLE = """
:root { color-scheme: light dark; }
body { font: 18px/1.45 system-ui, sans-serif; margin: 0 auto; padding: 16px; max-width: 1100px; }
.heard { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
svg { width: 100%; height: auto; }
svg.dark { display: none; }
@media (prefers-color-scheme: dark) { svg.dark { display: block; } svg.light { display: none; } }
.wide { overflow-x: auto; }
.wide table, .wide td, .wide th { font-size: 17px !important; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: 8px; border: 1px solid #8888; border-radius: 6px; }
li { margin: 0 0 14px; overflow-wrap: anywhere; }
"""


class SeasonToShow(Protocol):
    """The attributes of a league (`crashlab.play.league.season`) that a page uses."""

    @property
    def broken(self) -> Mapping[str, Trouble]: ...
    @property
    def game(self) -> Game: ...
    @property
    def title(self) -> str: ...
    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def planned_games(self) -> int: ...
    @property
    def played(self) -> Sequence[Any]: ...
    @property
    def standings(self) -> Standings: ...
    @property
    def troubles(self) -> Mapping[str, Sequence[Trouble]]: ...
    @property
    def damage(self) -> str: ...
    @property
    def swiss(self) -> int | None: ...
    @property
    def rounds(self) -> Sequence[Sequence[Pairing]]: ...


def pictured(season: SeasonToShow, playing: Collection[str] = ()) -> Picture:
    """Draw the table of a league, with the playing agents highlighted."""
    rows = [rank(season, row, row.name in playing) for row in season.standings.ranking] if season.names else []
    rows += [Rank(name, 0, 1, 0, "cannot be loaded", "", broken="") for name in sorted(season.broken)]
    now = f"Now: {' against '.join(sorted(playing))}" if playing else remark(season)
    return ranks(rows, season.title, now, HEADS)


def remark(season: SeasonToShow) -> str:
    """Describe the leader, or the winner at the end."""
    if not season.played:
        return "No game has been played yet."
    ranking = season.standings.ranking
    first = [
        row.name for row in ranking if math.isclose(row.rating, ranking[0].rating, abs_tol=0.5)
    ]  # equal after rounding
    verb = ("has won", "have won") if len(season.played) >= season.planned_games else ("leads", "lead")
    return f"{' and '.join(first)} {verb[len(first) > 1]}."


def rank(season: SeasonToShow, row: Standing, plays: bool) -> Rank:
    """Return the row of an agent in the picture."""
    if not row.games:
        return Rank(row.name, 0, 1, 0, "has not played", "", plays)
    forfeits = f"{row.forfeits} forfeited" if row.forfeits else ""
    number = f"{row.rating:.0f}" + f" {plus_minus(row.half_width, 0)}" * (row.half_width != 0)
    return Rank(row.name, row.rate, row.low, row.high, f"{row.points:g} of {row.games}", number, plays, forfeits)


def page(season: SeasonToShow) -> str:
    """Return the league as an HTML page."""
    picture = pictured(season)
    charts = [
        html.Html(svg.paint(picture, theme).replace("<svg ", f"<svg class='{theme}' ", 1))
        for theme in ("light", "dark")
    ]
    cross = html.element("div", season.standings.cross_table(html.AS_AROUND), class_="wide") if season.names else ""
    meaning = (html.element("p", line) for line in (*season.standings.meaning, promise()))
    items = broken_items(season)
    troubles = [html.element("h2", "What broke"), html.element("ul", *items)] if items else []
    games = [html.element("li", game.words(season.game.seat_name)) for game in season.played]
    fold = html.element("details", html.element("summary", "All games"), html.element("ol", *games)) if games else ""
    parts = html.element("h1", season.title, class_="heard"), *charts, cross, *meaning, *troubles, *rounds(season), fold
    return html.page(season.title, STYLE, *parts)


def broken_items(season: SeasonToShow) -> list[html.Html]:
    """Return an HTML list item for each agent that failed, and one if the file is damaged."""
    items = [html.element("li", *report(troubles[0], len(troubles))) for troubles in season.troubles.values()]
    return [*items, *[html.element("li", season.damage)] * bool(season.damage)]


def report(trouble: Trouble, often: int) -> list[str]:
    """Return the parts of an HTML item about a failure: its position, the agent's traceback, and its output."""
    times = f" ({often} times)" if often > 1 else ""
    parts = [html.element("b", trouble.name), f": {trouble.words}{times}"]
    if trouble.position:
        parts += html.LINE_BREAK, f"Seat {trouble.seat} saw this position, for ", html.element("code", "game.read"), ":"
        parts.append(html.element("pre", trouble.position))
    folds = [(title, text) for title, text in (("where", trouble.trace), ("what it printed", trouble.said)) if text]
    return parts + [
        html.element("details", html.element("summary", title), html.element("pre", text)) for title, text in folds
    ]


def rounds(season: SeasonToShow) -> list[html.Html]:
    """Return the pairings of a Swiss league as HTML; empty for a round robin."""
    if season.swiss is None:
        return []
    lines = [
        [f"{pair[1]} has a bye" if pair[0] == NOBODY else " – ".join(pair) for pair in round_]
        for round_ in season.rounds
    ]
    items = (html.element("li", "; ".join(pairs)) for pairs in lines)
    return [html.element("h2", "Rounds"), html.element("ol", *items)]
