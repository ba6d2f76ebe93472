"""The rules of a game as one page of pictures, each played by the engine."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from crashlab.base.errors import CrashlabError, require, short_repr
from crashlab.drawing.crop import around
from crashlab.drawing.page_layout import (
    GAP,
    HEIGHT,
    LEAST,
    LINE,
    MARGIN,
    PAD,
    PANEL_WIDE,
    PER_BOLD,
    ROW_HIGH,
    SIZE,
    WIDE,
    WIDTH,
    PagePanel,
    lines,
    page,
    panel_high,
    row,
)
from crashlab.drawing.shapes import Picture
from crashlab.drawing.sheet import Sheet
from crashlab.drawing.story import summary
from crashlab.engine.contract import Plays, Posters, Strip
from crashlab.engine.notation import capital
from crashlab.engine.options import Option, Value
from crashlab.engine.rulebook import Rulebook
from crashlab.engine.table import CHANCE

OWN_LINES = 8  # most lines for the user's own rules


class PosterGame(Protocol):
    """The attributes of a game (`crashlab.engine.game`) that a poster uses."""

    name: str
    house: Any  # the user's own rules
    choices: tuple[Option, ...]
    seats: range

    @property
    def title(self) -> str: ...
    @property
    def rulebook(self) -> Rulebook: ...
    @property
    def options(self) -> dict[str, Value]: ...
    @property
    def posters(self) -> Posters: ...
    def read(self, position: str | Mapping[str, Any]) -> Any: ...
    def start(self, seed: int) -> Any: ...


def poster(game: PosterGame) -> Sheet:
    """Draw the rules of a game with its options on one page."""
    strips = game.posters.strips(game.options)
    panels = (
        [*(panel for strip in strips for panel in shown_by(game, strip)), *own_rules(game)] if strips else plain(game)
    )
    first = next(view for panel in panels for view in panel.views)
    shapes = page(game.title, options_words(game), game.rulebook.credit, panels)
    return Sheet(Picture(WIDTH, HEIGHT, shapes, (), poster_words(game, panels), colours=first.colours))


def some_of_it(game: PosterGame, rules: Sequence[str]) -> Sheet:
    """Draw the pictures of the page that show one of these rules, side by side."""
    ids = [game.rulebook[rule].id for rule in rules]
    strips = game.posters.strips(game.options)
    panels = [panel for strip in strips if {*ids} & {*strip.rules} for panel in shown_by(game, strip)]
    if not panels:
        every = ", ".join(rule for strip in strips for rule in strip.rules)
        hint = f"the pictures show {every}" if strips else "the game has no pictures"
        raise CrashlabError(f"no picture shows {' or '.join(ids)}; {hint}")
    width = len(panels) * (PANEL_WIDE + GAP) - GAP + 2 * MARGIN
    words = f"{game.title}: {' '.join(map(panel_words, panels))}"
    colours = panels[0].views[0].colours
    return Sheet(Picture(width, ROW_HIGH + 2 * MARGIN, row(panels, width), (), words, colours=colours))


def poster_words(game: PosterGame, panels: Sequence[PagePanel]) -> str:
    """Describe the page in words."""
    texts = map(panel_words, panels)
    return "\n\n".join([f"{game.title}: the rules in pictures. {options_words(game)}.", *texts, game.rulebook.credit])


def panel_words(panel: PagePanel) -> str:
    """Describe a panel in words."""
    remark = f" ({panel.remark})" if panel.remark else ""
    return f"{panel.title}{remark}: {' '.join((*panel.events, *panel.words))}".strip(" :")


def options_words(game: PosterGame) -> str:
    """Return the number of players and the options that differ from their defaults."""
    usual = {option.name: option.default for option in game.choices}
    changed = [f"{name}={value}" for name, value in game.options.items() if name != "players" and value != usual[name]]
    return ", ".join([f"{len(game.seats)} players", *changed])


# Strips


def shown_by(game: PosterGame, strip: Strip) -> list[PagePanel]:
    """Return the panel of a strip, in a list; empty if the user's own rules no longer do what the strip shows."""
    try:
        return [panel(game, strip)]
    except Exception:
        if not game.house:
            raise
        return []


def own_rules(game: PosterGame) -> list[PagePanel]:
    """Return a panel with the text of the user's own rules, in a list; empty without such rules."""
    rules = [rule for rule in game.rulebook if rule.mark == "yours"]
    words = [line for rule in rules for line in lines(f"{rule.id}: {rule.text}", PANEL_WIDE - 2 * PAD, SIZE)]
    return [PagePanel("Rules of your own", "", (), None, (), tuple(words[:OWN_LINES]))] if rules else []


def panel(game: PosterGame, strip: Strip) -> PagePanel:
    """Return the panel of a strip, played by the engine."""
    for rule in strip.rules:
        game.rulebook[rule]
    start = game.read(strip.position)
    turn = played(start, strip.plays)
    views, captions = ((start.picture(),), ()) if turn is None else before_and_after(turn, strip)
    window = around(*strip.at, strip.wide, strip.wide) if strip.wide else None
    words = lines(strip.words, PANEL_WIDE - 2 * PAD, SIZE)
    return PagePanel(strip.title, cited(strip.rules), views, window, captions, words)


def cited(rules: Sequence[str]) -> str:
    """Return abbreviated ids of rules: AS-C4, C1, C2."""
    game = rules[0].partition("-")[0]
    return ", ".join((rules[0], *(rule.removeprefix(f"{game}-") for rule in rules[1:])))


def played(state: Any, plays: Plays) -> Any:
    """Play the turns of a strip and return the last one, or None."""
    turn = None
    for actions in plays:
        turn = state.play(actions)
        state = turn.after
    return turn


def before_and_after(turn: Any, strip: Strip) -> tuple[tuple[Picture, Picture], tuple[str, ...]]:
    """Return two pictures, before a turn and after the rules of a strip took effect, and the lines of a caption."""
    events = [event for event in turn.events if event.rule in strip.rules]
    require(events, f"poster: no event in '{strip.title}' cites {', '.join(strip.rules)}")
    sentence = "; ".join(saying(turn, words) for words in strip.tells)
    words = lines(f"{capital(sentence)}.", PANEL_WIDE - 2 * PAD, SIZE, PER_BOLD) if sentence else ()
    return (turn.picture(strip.since), summary(turn, events[-1].beat)), words


def saying(turn: Any, words: str) -> str:
    """Return the text of the first event that contains some words."""
    for event in turn.events:
        if words in event.text:
            return str(event.text)
    raise CrashlabError(f"poster: no event contains {short_repr(words)}")


def plain(game: PosterGame) -> list[PagePanel]:
    """Return the panels of a game without strips: the start, and the titles of its rules."""
    start = game.start(1)
    while start.actors == (CHANCE,):
        start = start.play().after
    titles = [f"{rule.id}  {rule.title}" for rule in game.rulebook]
    fits = max(1, round((panel_high(2, len(lines(game.rulebook.credit, WIDE, LEAST))) - 50) / LINE))
    shown = [titles[place : place + fits] for place in range(0, min(len(titles), 3 * fits), fits)]
    first = PagePanel("How it begins", "", (start.picture(),), None, (), ())
    return [first, *(PagePanel("Rules", f"crashlab rules {game.name}", (), None, (), tuple(part)) for part in shown)]
