"""Pictures as PNG and films as GIF, painted with Pillow, which is imported on first use.

A picture is drawn at SHARP times its size and reduced, for smooth edges. A palette with the exact colours of the theme
keeps the file of a board at a few kilobytes. The file also contains a fingerprint of its shapes (SHAPES), to compare
pictures from different machines, whose pixels differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from io import BytesIO
from itertools import product
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from crashlab.base.errors import number_between
from crashlab.drawing import svg
from crashlab.drawing.shapes import LOW, Circle, Line, Picture, Point, Polygon, Shape, Text, arrow, placed
from crashlab.drawing.svg import SCALES
from crashlab.drawing.themes import Theme
from crashlab.drawing.themes import theme as colours
from crashlab.drawing.tween import GIF_BEAT, GIF_BEATS, GIF_FRAMES, GIF_RESTS, Scene, between

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image
    from PIL.ImageFont import FreeTypeFont, ImageFont

SHARP = 3
Paints = tuple[tuple[str, str], ...]  # the colours of a theme, hashable

COLOURS = 32  # size of the palette of a PNG
SHAPES = "Shapes"  # key of the fingerprint in a PNG
LIKE = {
    "\u2212": "-",
    "\u2013": "-",
    "×": "x",
    "★": "*",
    "→": "->",
    "↓": "v",
    "✓": "",
}  # replacements for letters that Pillow's font lacks
PLAIN = str.maketrans(LIKE)
ANCHORS = {"left": "ls", "centre": "ms", "right": "rs"}


def paint(picture: Picture, theme: str = "light", scale: float = 1.0) -> bytes:
    """Return a picture as PNG."""
    from PIL.PngImagePlugin import PngInfo

    out, info = BytesIO(), PngInfo()
    info.add_text(SHAPES, fingerprint(picture, theme))
    image = reduced(rendered(picture, theme, scale), colours(theme, picture.colours), COLOURS)
    image.save(out, "PNG", optimize=True, pnginfo=info)
    return out.getvalue()


def smaller(content: bytes, share: float, count: int) -> bytes:
    """Reduce a PNG to a share of its size and to `count` colours."""
    from PIL import Image

    with Image.open(BytesIO(content)) as image:
        size = round(image.width * share), round(image.height * share)
        small = image.convert("RGB").resize(size, Image.Resampling.LANCZOS).quantize(count)
    file = BytesIO()
    small.save(file, "PNG", optimize=True)
    return file.getvalue()


def pixels(picture: Picture, theme: str = "light", scale: float = 1.0) -> NDArray[np.uint8]:
    """Return a picture as an array of RGB values."""
    import numpy as np

    return np.array(rendered(picture, theme, scale).convert("RGB"))


def fingerprint(picture: Picture, theme: str = "light") -> str:
    """Return a hash of all shapes, equal on every machine because SVG rounds its numbers."""
    return sha256(svg.paint(picture, theme).encode()).hexdigest()[:16]


def rendered(picture: Picture, theme: str, scale: float) -> Image:
    """Paint a picture in full colour."""
    scale = number_between("scale", scale, *SCALES)
    paints = colours(theme, picture.colours)
    big = ground(picture.width, picture.height, picture.board, tuple(paints.items()), scale).copy()
    brush = Brush(big, paints, scale * SHARP)
    for piece in picture.pieces:
        for shape in placed(piece):
            brush.draw(shape)
    return big.reduce(SHARP)


@lru_cache(maxsize=2)
def ground(width: float, height: float, board: tuple[Shape, ...], paints: Paints, scale: float) -> Image:
    """Paint the still part at SHARP times its size; cached, as all pictures of a game share it."""
    from PIL import Image

    size = (SHARP * max(1, round(width * scale)), SHARP * max(1, round(height * scale)))
    by_name = dict(paints)
    brush = Brush(Image.new("RGB", size, by_name["panel"]), by_name, scale * SHARP)
    for shape in board:
        brush.draw(shape)
    return brush.image


class Brush:
    """A painter of shapes on an image at a scale."""

    def __init__(self, image: Image, paints: Theme, scale: float) -> None:
        from PIL import ImageDraw

        self.image, self.paints, self.scale = image, paints, scale
        self.pen = ImageDraw.Draw(image, "RGBA")  # RGBA: translucent colours blend with the image

    def draw(self, shape: Shape) -> None:
        """Paint a shape."""
        if shape.alpha <= 0:
            return
        if isinstance(shape, Text):
            self.words(shape)
        elif isinstance(shape, Circle):
            self.disc(shape)
        elif isinstance(shape, Line):
            self.line(shape)
        else:
            self.polygon(shape)

    def ink(self, name: str, alpha: float) -> tuple[int, int, int, int]:
        """Return a colour of the theme as RGBA."""
        code = self.paints[name]
        return (int(code[1:3], 16), int(code[3:5], 16), int(code[5:7], 16), round(255 * min(alpha, 1)))

    def points(self, points: Sequence[Point]) -> list[Point]:
        """Convert points of the picture to points of the image."""
        return [(x * self.scale, y * self.scale) for x, y in points]

    def polygon(self, shape: Polygon) -> None:
        points = self.points(shape.points)
        if shape.fill:
            self.pen.polygon(points, self.ink(shape.fill, shape.alpha))
        if shape.stroke:
            self.stroke([*points, points[0], points[1]], shape.stroke, shape.width, shape.alpha)

    def stroke(self, points: list[Point], colour: str, width: float, alpha: float) -> None:
        """Paint a line with round corners and ends."""
        thick = max(1, round(width * self.scale))
        ink = self.ink(colour, alpha)
        self.pen.line(points, ink, thick, "curve")
        if thick > 2 and alpha >= 1:
            for x, y in (points[0], points[-1]):
                self.pen.ellipse((x - thick / 2, y - thick / 2, x + thick / 2, y + thick / 2), ink)

    def line(self, shape: Line) -> None:
        """Paint an open line; an arrow head is painted as a polygon."""
        if shape.arrow:
            shape, head = arrow(shape)
            self.polygon(head)
        self.stroke(self.points(shape.points), shape.stroke, shape.width, shape.alpha)

    def disc(self, shape: Circle) -> None:
        """Paint a disc or a ring."""
        ((x, y),) = self.points([(shape.x, shape.y)])
        half = shape.width / 2 if shape.stroke else 0.0
        outer = (shape.radius + half) * self.scale
        inner = (shape.radius - half) * self.scale
        if shape.stroke and shape.fill:
            self.pen.ellipse((x - outer, y - outer, x + outer, y + outer), self.ink(shape.stroke, shape.alpha))
            self.pen.ellipse((x - inner, y - inner, x + inner, y + inner), self.ink(shape.fill, shape.alpha))
        elif shape.fill:
            self.pen.ellipse((x - outer, y - outer, x + outer, y + outer), self.ink(shape.fill, shape.alpha))
        elif shape.stroke:
            width = max(1, round(shape.width * self.scale))
            box = (x - outer, y - outer, x + outer, y + outer)
            self.pen.ellipse(box, None, self.ink(shape.stroke, shape.alpha), width)

    def words(self, shape: Text) -> None:
        """Paint a line of text, centred on its capitals and digits."""
        size = shape.size * self.scale
        place = (shape.x * self.scale, shape.y * self.scale + LOW * size)
        bold = round(size * 0.03) if shape.bold else 0
        ink = self.ink(shape.fill, shape.alpha)
        words = spelled(shape.text)
        self.pen.text(place, words, ink, font(size), ANCHORS[shape.align], stroke_width=bold, stroke_fill=ink)


@lru_cache(maxsize=64)
def font(size: float) -> FreeTypeFont | ImageFont:
    """Return Pillow's default font."""
    from PIL import ImageFont

    return ImageFont.load_default(size)


def glyph(letter: str) -> bytes:
    """Return the bitmap of a letter in Pillow's own font."""
    return bytes(font(20).getmask(letter))  # pyright: ignore[reportArgumentType]  # its stubs lack the bytes of a mask


@lru_cache(maxsize=512)
def spelled(words: str) -> str:
    """Replace letters that Pillow's font lacks: accents are removed, a minus sign becomes a hyphen."""
    lacking = glyph("\uffff")
    return "".join(
        letter if letter.isascii() or glyph(letter) != lacking else LIKE.get(letter, normalize("NFKD", letter)[0])
        for letter in words
    )


def reduced(image: Image, paints: Theme, count: int) -> Image:
    """Reduce an image to a palette: its colours of the theme, then its most frequent other colours."""
    from PIL import Image

    return image.quantize(palette=palette([image], paints, count), dither=Image.Dither.NONE)


def palette(images: Iterable[Image], paints: Theme, count: int) -> Image:
    """Return an image of one pixel with the common palette of some images.

    Pillow looks up colours in boxes of four levels. So mixtures close to a colour of the theme are left out, because
    they would replace that colour.
    """
    from PIL import Image

    tally: dict[Any, int] = {}
    for image in images:
        for number, colour in image.getcolors(image.width * image.height) or ():
            tally[colour] = tally.get(colour, 0) + number
    theme_colours = {tuple(bytes.fromhex(code[1:])) for code in paints.values()}
    colours = sorted(colour for colour in theme_colours if colour in tally)
    while len(colours) > count * 3 // 4:  # leave room for mixtures, which make the edges smooth
        count *= 2
    near = {box for colour in colours for box in product(*((p // 4 - 1, p // 4, p // 4 + 1) for p in colour))}
    for colour in sorted(tally, key=lambda colour: (-tally[colour], colour)):
        if len(colours) >= count:
            break
        box = tuple(part // 4 for part in colour)
        if box not in near:
            near.add(box)
            colours.append(colour)
    carrier = Image.new("P", (1, 1))
    carrier.putpalette([part for colour in colours for part in colour])
    return carrier


def animate(film: Sequence[Scene], theme: str = "light", scale: float = 1.0, milliseconds: int = GIF_BEAT) -> bytes:
    """Return a film as an endless GIF, with `milliseconds` per beat and a pause at its end."""
    from PIL import Image

    pace = number_between("milliseconds", milliseconds, *GIF_BEATS)
    stills = list(moments(film, theme, scale))
    paints = colours(theme, film[0][0].colours)
    colours_of_all = palette([image for image, _ in stills[:: max(1, len(stills) // 12)]], paints, 128)
    step = max(20, round(pace / GIF_FRAMES / 10) * 10)
    frames = [image.quantize(palette=colours_of_all, dither=Image.Dither.NONE) for image, _ in stills]
    times = [step * count for _, count in stills]
    times[0], times[-1] = times[0] + GIF_RESTS[0], times[-1] + GIF_RESTS[1]
    out = BytesIO()
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:], duration=times, loop=0, disposal=1)
    return out.getvalue()


def moments(film: Sequence[Scene], theme: str, scale: float) -> Iterator[tuple[Image, int]]:
    """Yield the frames of a film, each with its duration in steps."""
    before = film[0][0]
    yield rendered(before, theme, scale), 1
    for after, effects in film[1:]:
        passing = tuple(effects)
        if after.pieces == before.pieces and not passing:
            continue
        for step in range(1, GIF_FRAMES + 1):
            pieces = between(before, after, passing, step / GIF_FRAMES)
            yield rendered(replace(after, pieces=pieces), theme, scale), 1
        before = after
