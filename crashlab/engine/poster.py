"""The rules of a game as one page of pictures: A4 across, to be looked at, projected or handed out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from textwrap import wrap
from typing import TYPE_CHECKING

from crashlab.base.errors import CrashlabError, shown
from crashlab.drawing.crop import Window, around, cut
from crashlab.drawing.primitives import PER_EM
from crashlab.drawing.shapes import Circle, Line, Picture, Piece, Point, Polygon, Shape, Text, placed, slab
from crashlab.drawing.sheet import Sheet
from crashlab.drawing.story import summary
from crashlab.engine.strips import Plays, Strip
from crashlab.engine.table import CHANCE

if TYPE_CHECKING:
    from crashlab.engine.game import Game
    from crashlab.engine.state import State, Turn

WIDTH, HEIGHT = 1000.0, 707.0  # as wide to high as A4 across
MARGIN, GAP = 18.0, 14.0
PAD = 12.0  # within a panel
LEAST = 14.0  # the size of the smallest words
NEARLY = 9.0  # words of a piece that would be smaller are left out; up to LEAST they are made larger
SIZE, LINE = 16.0, 20.0  # of the words below a picture
ARROW = 44.0  # between the pictures before and after
MAT = 18.0  # covers what of a picture's lines stands over its edge
OWN_LINES = 8  # of rules of one's own that find room
PER_BOLD = 0.62  # the mean width of a bold letter, as kit.PER_EM is of a plain one


@dataclass(frozen=True)
class Panel:
    """What is told in one of the panels of a page."""

    title: str
    remark: str
    views: tuple[Picture, ...]  # before and after, or only one
    window: Window | None  # what is shown of them
    told: tuple[str, ...]  # what has happened, in the words of the game
    words: tuple[str, ...]  # lines


def poster(game: Game) -> Sheet:
    """The rules of a game with its options on one page."""
    strips = game.posters.strips(game.options)
    panels = (
        [*(each for strip in strips for each in shown_by(game, strip)), *own_rules(game)] if strips else plain(game)
    )
    first = next(view for each in panels for view in each.views)
    shapes = page(game, panels)
    return Sheet(Picture(WIDTH, HEIGHT, shapes, (), poster_words(game, panels), colours=first.colours))


def poster_words(game: Game, panels: Sequence[Panel]) -> str:
    """The page in words."""
    told = [
        f"{each.title}{f' ({each.remark})' if each.remark else ''}: {' '.join((*each.told, *each.words))}".strip(" :")
        for each in panels
    ]
    return "\n\n".join([f"{game.title}: the rules in pictures. {options_words(game)}.", *told, game.rulebook.credit])


# What the strips tell


def shown_by(game: Game, strip: Strip) -> list[Panel]:
    """The panel of a strip; none where rules of one's own no longer do what it shows."""
    try:
        return [panel(game, strip)]
    except Exception:
        if not game.house:
            raise
        return []


def own_rules(game: Game) -> list[Panel]:
    """A panel in words for the rules of one's own, if there are any."""
    own = [rule for rule in game.rulebook if rule.mark == "yours"]
    words = [line for rule in own for line in lines(f"{rule.id}: {rule.text}", PANEL_WIDE - 2 * PAD, SIZE)]
    return [Panel("Rules of your own", "", (), None, (), tuple(words[:OWN_LINES]))] if own else []


def panel(game: Game, strip: Strip) -> Panel:
    """A strip, played by the engine."""
    for rule in strip.rules:
        game.rulebook[rule]
    start = game.read(strip.position)
    turn = played(start, strip.plays)
    views, told = ((start.picture(),), ()) if turn is None else before_and_after(turn, strip)
    window = around(*strip.at, strip.wide, strip.wide) if strip.wide else None
    words = lines(strip.words, PANEL_WIDE - 2 * PAD, SIZE)
    return Panel(strip.title, cited(strip.rules), views, window, told, words)


def cited(rules: Sequence[str]) -> str:
    """Ids of rules, short: AS-C4, C1, C2."""
    game = rules[0].partition("-")[0]
    return ", ".join((rules[0], *(rule.removeprefix(f"{game}-") for rule in rules[1:])))


def played(state: State, plays: Plays) -> Turn | None:
    """The last of these turns."""
    turn = None
    for actions in plays:
        turn = state.play(actions)
        state = turn.after
    return turn


def before_and_after(turn: Turn, strip: Strip) -> tuple[tuple[Picture, Picture], tuple[str, ...]]:
    """The moments before a turn and at which the rules of a strip have done their work, and what was done."""
    done = [event for event in turn.events if event.rule in strip.rules]
    if not done:
        raise CrashlabError(f"poster: {', '.join(strip.rules)}: none of these does anything in '{strip.title}'")
    sentence = "; ".join(saying(turn, words) for words in strip.tells)
    words = lines(f"{sentence[0].upper()}{sentence[1:]}.", PANEL_WIDE - 2 * PAD, SIZE, PER_BOLD) if sentence else ()
    return (turn.picture(strip.since), summary(turn, done[-1].beat)), words


def saying(turn: Turn, words: str) -> str:
    """The text of the first event with these words in it."""
    for event in turn.events:
        if words in event.text:
            return event.text
    raise CrashlabError(f"poster: nothing that happens is told with {shown(words)}")


def plain(game: Game) -> list[Panel]:
    """The panels of a game that declares none: how it begins, and the titles of its rules."""
    start = game.start(1)
    while start.actors == (CHANCE,):
        start = start.play().after
    titles = [f"{rule.id}  {rule.title}" for rule in game.rulebook]
    fits = max(1, round((panel_high(2, len(lines(game.rulebook.credit, WIDE, LEAST))) - 50) / LINE))
    shown = [titles[place : place + fits] for place in range(0, min(len(titles), 3 * fits), fits)]
    first = Panel("How it begins", "", (start.picture(),), None, (), ())
    return [first, *(Panel("Rules", f"crashlab rules {game.name}", (), None, (), tuple(part)) for part in shown)]


# How the page is laid out

WIDE = WIDTH - 2 * MARGIN
PANEL_WIDE = (WIDE - GAP) / 2
TOP = 62.0  # of the panels


def panel_high(rows: int, credit: int) -> float:
    """How high the panels are, with this many lines of credit below them."""
    return (HEIGHT - TOP - MARGIN / 2 - 17 * credit - rows * GAP) / rows


def page(game: Game, panels: Sequence[Panel]) -> tuple[Shape, ...]:
    """The title, the panels in two columns, and whose game it is."""
    credit = lines(game.rulebook.credit, WIDE, LEAST)
    high = panel_high((len(panels) + 1) // 2, len(credit))
    inside: list[Shape] = []
    for place, each in enumerate(panels):
        inside += panel_shapes(each, place, high)
    below = HEIGHT - MARGIN / 2 - 17 * len(credit) + 8
    return (
        Polygon(((0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)), "panel"),
        *inside,
        Text(MARGIN, 34, game.title, 32, "ink", "left", bold=True),
        Text(WIDTH - MARGIN, 38, options_words(game), SIZE, "muted", "right"),
        *(Text(MARGIN, below + 17 * n, line, LEAST, "muted", "left") for n, line in enumerate(credit)),
    )


def options_words(game: Game) -> str:
    """How many play, and which options are not as usual."""
    usual = {option.name: option.default for option in game.choices}
    changed = [f"{name}={value}" for name, value in game.options.items() if name != "players" and value != usual[name]]
    return ", ".join([f"{len(game.seats)} players", *changed])


def panel_shapes(each: Panel, place: int, high: float) -> list[Shape]:
    """A panel in its place on the page."""
    left, top = MARGIN + place % 2 * (PANEL_WIDE + GAP), TOP + place // 2 * (high + GAP)
    right = left + PANEL_WIDE
    text_top = top + high - PAD - LINE * (len(each.told) + len(each.words)) + LINE / 2
    shapes: list[Shape] = []
    if each.views:
        shapes += views(each, (left + PAD, top + 40, right - PAD, text_top - LINE / 2 - 8))
    else:
        text_top = top + 40 + LINE / 2
    shapes.append(Polygon(slab(left, top, right, top + high, 10), "", "panel edge", 2))
    x, y = left + 22, top + 21
    shapes += [Circle(x, y, 13, "ink"), Text(x, y, str(place + 1), 17, "panel", bold=True)]
    shapes.append(Text(x + 21, y, each.title, 20, "ink", "left", bold=True))
    shapes.append(Text(right - PAD, top + 22, each.remark, LEAST, "muted", "right"))
    told = len(each.told)
    for n, line in enumerate((*each.told, *each.words)):
        shapes.append(Text(left + PAD, text_top + LINE * n, line, SIZE, "ink", "left", bold=n < told))
    return shapes


def views(each: Panel, room: Window) -> list[Shape]:
    """The pictures of a panel beside each other, an arrow from one to the next."""
    left, top, right, bottom = room
    count = len(each.views)
    wide = (right - left - ARROW * (count - 1)) / count
    shapes: list[Shape] = []
    for n, picture in enumerate(each.views):
        x = left + n * (wide + ARROW)
        shapes += view(picture, each.window, (x, top, x + wide, bottom))
    for n in range(1, count):
        x, y = left + n * (wide + ARROW) - ARROW, (top + bottom) / 2
        shapes.append(Line(((x + 8, y), (x + ARROW - 7, y)), "ink", 5, arrow=True))
    return shapes


def view(
    picture: Picture, window: Window | None, room: Window, least: float = LEAST, nearly: float = NEARLY
) -> list[Shape]:
    """What a window shows of a picture, as large as there is room, in a frame; with no window all of it.

    Words that would be smaller than `least` are made larger, those smaller than `nearly` left out.
    """
    wide, high = room[2] - room[0], room[3] - room[1]
    if window is None:
        scale = min(wide / picture.width, high / picture.height)
        window = (0.0, 0.0, picture.width, picture.height)
        wide, high = scale * picture.width, scale * picture.height
        room = around((room[0] + room[2]) / 2, (room[1] + room[3]) / 2, wide, high)
    else:
        scale = wide / (window[2] - window[0])
        window = around((window[0] + window[2]) / 2, (window[1] + window[3]) / 2, wide / scale, high / scale)
    pieces = [shape for piece in picture.pieces for shape in legible(placed(piece), scale, least, nearly)]
    printed = [shape for shape in picture.board if not isinstance(shape, Text) or shape.size * scale >= least]
    seen = Piece("", room[0] - scale * window[0], room[1] - scale * window[1], tuple(cut((*printed, *pieces), window)))
    return [*placed(replace(seen, scale=scale)), *mat(room), Polygon(corners(room), "", "panel edge", 1.5)]


def legible(shapes: Sequence[Shape], scale: float, least: float, nearly: float) -> list[Shape]:
    """The shapes with their words large enough to be read, but for those that would be far too small."""
    found: list[Shape] = []
    for shape in shapes:
        if not isinstance(shape, Text):
            found.append(shape)
        elif shape.size * scale >= nearly:
            found.append(replace(shape, size=max(shape.size, least / scale)))
    return found


def mat(room: Window) -> list[Shape]:
    """A frame in the colour of the page: it covers what stands over the edge of a picture."""
    left, top, right, bottom = room
    sides = (
        (left - MAT, top - MAT, right + MAT, top), (left - MAT, bottom, right + MAT, bottom + MAT),
        (left - MAT, top, left, bottom), (right, top, right + MAT, bottom),
    )  # fmt: skip
    return [Polygon(corners(side), "panel") for side in sides]


def corners(room: Window) -> tuple[Point, ...]:
    """A rectangle."""
    left, top, right, bottom = room
    return (left, top), (right, top), (right, bottom), (left, bottom)


def lines(words: str, wide: float, size: float, per_em: float = PER_EM) -> tuple[str, ...]:
    """Words in lines that are no wider than this."""
    return tuple(wrap(words, int(wide / (per_em * size)), break_on_hyphens=False))
