"""The layout of a poster: an A4 page in landscape, with pictures and a few words for each."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from textwrap import wrap

from crashlab.drawing.crop import Window, around, cut
from crashlab.drawing.primitives import PER_EM
from crashlab.drawing.shapes import Circle, Line, Picture, Piece, Polygon, Shape, Text, placed, rectangle, slab

WIDTH, HEIGHT = 1000.0, 707.0  # the proportions of A4 in landscape
MARGIN, GAP = 18.0, 14.0
PAD = 12.0  # padding of a panel
LEAST = 14.0  # smallest size of text
NEARLY = 9.0  # text of pieces below this size is left out; text between NEARLY and LEAST is enlarged to LEAST
SIZE, LINE = 16.0, 20.0  # text below a picture: size, line height
ARROW = 44.0  # width of the arrow between two pictures
MAT = 18.0  # width of the frame that covers lines beyond the edge of a picture
PER_BOLD = 0.62  # mean width of a bold letter in ems
WIDE = WIDTH - 2 * MARGIN
PANEL_WIDE = (WIDE - GAP) / 2
TOP = 62.0  # top of the panels
ROW_HIGH = 290.0  # height of panels laid out by `row`


@dataclass(frozen=True)
class PagePanel:
    """A panel of a page: pictures, captions and explanations."""

    title: str
    remark: str
    views: tuple[Picture, ...]  # two pictures, before and after, or a single picture
    window: Window | None  # the visible part of each picture; None for the whole
    events: tuple[str, ...]  # lines about the events, in bold
    words: tuple[str, ...]  # lines of explanation


def panel_high(rows: int, credit: int) -> float:
    """Return the height of a panel, for this number of rows and of credit lines below them."""
    return (HEIGHT - TOP - MARGIN / 2 - 17 * credit - rows * GAP) / rows


def page(title: str, remark: str, credits: str, panels: Sequence[PagePanel]) -> tuple[Shape, ...]:
    """Lay out a page: the title, the panels in two columns, and the credits."""
    credit = lines(credits, WIDE, LEAST)
    high = panel_high((len(panels) + 1) // 2, len(credit))
    inside: list[Shape] = []
    for place, panel in enumerate(panels):
        left, top = MARGIN + place % 2 * (PANEL_WIDE + GAP), TOP + place // 2 * (high + GAP)
        inside += panel_shapes(panel, str(place + 1), left, top, high)
    below = HEIGHT - MARGIN / 2 - 17 * len(credit) + 8
    return (
        Polygon(rectangle(0, 0, WIDTH, HEIGHT), "panel"),
        *inside,
        Text(MARGIN, 34, title, 32, "ink", "left", bold=True),
        Text(WIDTH - MARGIN, 38, remark, SIZE, "muted", "right"),
        *(Text(MARGIN, below + 17 * n, line, LEAST, "muted", "left") for n, line in enumerate(credit)),
    )


def row(panels: Sequence[PagePanel], width: float) -> tuple[Shape, ...]:
    """Lay out panels side by side, without a page round them."""
    inside = [
        shape
        for place, panel in enumerate(panels)
        for shape in panel_shapes(panel, "", MARGIN + place * (PANEL_WIDE + GAP), MARGIN, ROW_HIGH)
    ]
    return Polygon(rectangle(0, 0, width, ROW_HIGH + 2 * MARGIN), "panel"), *inside


def panel_shapes(panel: PagePanel, number: str, left: float, top: float, high: float) -> Iterator[Shape]:
    """Lay out a panel; `number` is drawn unless it is empty."""
    right = left + PANEL_WIDE
    text_top = top + high - PAD - LINE * (len(panel.events) + len(panel.words)) + LINE / 2
    if panel.views:
        yield from views(panel, (left + PAD, top + 40, right - PAD, text_top - LINE / 2 - 8))
    else:
        text_top = top + 40 + LINE / 2
    yield Polygon(slab(left, top, right, top + high, 10), "", "panel edge", 2)
    x, y = left + 22, top + 21
    if number:
        yield from (Circle(x, y, 13, "ink"), Text(x, y, number, 17, "panel", bold=True))
    yield Text(x + 21 if number else left + PAD, y, panel.title, 20, "ink", "left", bold=True)
    yield Text(right - PAD, top + 22, panel.remark, LEAST, "muted", "right")
    bold_lines = len(panel.events)
    for n, line in enumerate((*panel.events, *panel.words)):
        yield Text(left + PAD, text_top + LINE * n, line, SIZE, "ink", "left", bold=n < bold_lines)


def views(panel: PagePanel, room: Window) -> Iterator[Shape]:
    """Lay out the pictures of a panel side by side, with arrows between them."""
    left, top, right, bottom = room
    count = len(panel.views)
    wide = (right - left - ARROW * (count - 1)) / count
    for n, picture in enumerate(panel.views):
        x = left + n * (wide + ARROW)
        yield from view(picture, panel.window, (x, top, x + wide, bottom))
    for n in range(1, count):
        x, y = left + n * (wide + ARROW) - ARROW, (top + bottom) / 2
        yield Line(((x + 8, y), (x + ARROW - 7, y)), "ink", 5, arrow=True)


def view(picture: Picture, window: Window | None, room: Window) -> list[Shape]:
    """Fit the part of a picture inside `window` (None for all of it) into the frame `room`.

    Text of pieces below size LEAST is enlarged to LEAST; text below size NEARLY is left out.
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
    pieces = [shape for piece in picture.pieces for shape in legible(placed(piece), scale)]
    background = [shape for shape in picture.board if not isinstance(shape, Text) or shape.size * scale >= LEAST]
    drawing = Piece(
        "", room[0] - scale * window[0], room[1] - scale * window[1], tuple(cut((*background, *pieces), window))
    )
    return [*placed(replace(drawing, scale=scale)), *mat(room), Polygon(rectangle(*room), "", "panel edge", 1.5)]


def legible(shapes: Sequence[Shape], scale: float) -> Iterator[Shape]:
    """Return shapes with their text enlarged to size LEAST after scaling, without text below size NEARLY."""
    for shape in shapes:
        if not isinstance(shape, Text):
            yield shape
        elif shape.size * scale >= NEARLY:
            yield replace(shape, size=max(shape.size, LEAST / scale))


def mat(room: Window) -> list[Shape]:
    """Return a frame in the colour of the page, which hides lines beyond the edge of a picture."""
    left, top, right, bottom = room
    sides = (
        (left - MAT, top - MAT, right + MAT, top),
        (left - MAT, bottom, right + MAT, bottom + MAT),
        (left - MAT, top, left, bottom),
        (right, top, right + MAT, bottom),
    )
    return [Polygon(rectangle(*side), "panel") for side in sides]


def lines(words: str, wide: float, size: float, per_em: float = PER_EM) -> tuple[str, ...]:
    """Wrap text into lines of at most this width."""
    return tuple(wrap(words, int(wide / (per_em * size)), break_on_hyphens=False))
