"""Pictures as SVG: stand-alone files with their description inside."""

import html

from crashlab.base.errors import number_between
from crashlab.drawing.shapes import LOW, Circle, Line, Picture, Piece, Point, Shape, Text, arrow, placed
from crashlab.drawing.themes import Theme
from crashlab.drawing.themes import theme as colours

SCALES = 0.1, 10  # smallest and largest scale of a picture
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"
ANCHORS = {"left": "start", "centre": "middle", "right": "end"}


def paint(picture: Picture, theme: str = "light", scale: float = 1.0) -> str:
    """Return a picture as a complete SVG file."""
    paints = colours(theme, picture.colours)
    scale = number_between("scale", scale, *SCALES)
    width, height = num(picture.width), num(picture.height)
    heading = picture.words.partition(".")[0] or "A picture"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {height}"'
            f' width="{num(picture.width * scale)}" height="{num(picture.height * scale)}"'
            f' font-family="{FONT}" stroke-linejoin="round" stroke-linecap="round">',
            f"<title>{escaped(heading)}</title>",
            f"<desc>{escaped(picture.words)}</desc>",
            *(draw(shape, paints) for shape in picture.board),
            *(group(piece, paints) for piece in picture.pieces),
            "</svg>",
            "",
        ]
    )


def escaped(words: str) -> str:
    """Escape text for the content of an element."""
    return html.escape(words, quote=False)  # `xml.sax.saxutils` would import urllib


def group(piece: Piece, paints: Theme) -> str:
    """Return a piece as a group with its key and one opacity."""
    whole = Piece(piece.key, piece.x, piece.y, piece.shapes, piece.angle, piece.scale)
    key = escaped(piece.key).replace('"', "&quot;")
    label = f"<title>{escaped(piece.label)}</title>" if piece.label else ""
    inside = "".join(draw(shape, paints) for shape in placed(whole))
    return f'<g data-key="{key}"{fade(piece.alpha)}>{label}{inside}</g>'


def draw(shape: Shape, paints: Theme) -> str:
    """Return a shape as an element."""
    if isinstance(shape, Text):
        return words(shape, paints)
    if isinstance(shape, Line):
        if shape.arrow:
            shaft, head = arrow(shape)
            return draw(shaft, paints) + draw(head, paints)
        return (
            f'<polyline points="{path(shape.points)}" fill="none" stroke="{paints[shape.stroke]}"'
            f' stroke-width="{num(shape.width)}"{fade(shape.alpha)}/>'
        )
    fill = paints[shape.fill] if shape.fill else "none"
    edge = f' stroke="{paints[shape.stroke]}" stroke-width="{num(shape.width)}"' if shape.stroke else ""
    if isinstance(shape, Circle):
        place = f'cx="{num(shape.x)}" cy="{num(shape.y)}" r="{num(shape.radius)}"'
        return f'<circle {place} fill="{fill}"{edge}{fade(shape.alpha)}/>'
    return f'<polygon points="{path(shape.points)}" fill="{fill}"{edge}{fade(shape.alpha)}/>'


def words(shape: Text, paints: Theme) -> str:
    """Return a line of text, centred on its capitals and digits."""
    bold = ' font-weight="700"' if shape.bold else ""
    space = ' xml:space="preserve"' if shape.text != " ".join(shape.text.split()) else ""
    return (
        f'<text x="{num(shape.x)}" y="{num(shape.y + LOW * shape.size)}" font-size="{num(shape.size)}"'
        f' text-anchor="{ANCHORS[shape.align]}" fill="{paints[shape.fill]}"{bold}{space}{fade(shape.alpha)}>'
        f"{escaped(shape.text)}</text>"
    )


def path(points: tuple[Point, ...]) -> str:
    """Format points for an SVG attribute."""
    return " ".join(f"{num(x)},{num(y)}" for x, y in points)


def fade(alpha: float) -> str:
    """Return the attribute of an opacity; empty if opaque."""
    return f' opacity="{num(alpha)}"' if alpha < 1 else ""


def num(value: float) -> str:
    """Format a number with at most two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
