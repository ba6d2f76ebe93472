"""The choices of a heat map with their statistics: their colours, and the values next to them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor, isfinite

from crashlab.agents import Thought
from crashlab.analysis.matrix_game import percent
from crashlab.drawing import primitives
from crashlab.drawing.canvas import Shapes
from crashlab.drawing.charts import round_up
from crashlab.drawing.shapes import Circle, Line, Picture, Point, Polygon, Shape, Text
from crashlab.engine.prompts import Choice
from crashlab.lab.advice import digits, worth
from crashlab.lab.board import extent

AROUND = ((0, -25), (0, 25), (54, 0), (-54, 0))  # positions of a label around its choice
TAGS = 3  # number of best choices with a label on the board
HALF = 30  # half the width of a label


@dataclass(frozen=True)
class HeatChoice:
    """A choice with the best action that it leads to, and the total number of tries of all actions that it leads to.

    In a solved endgame, `chance` is the probability that best play chooses one of these actions.
    """

    choice: Choice
    best: Thought | None
    visits: int
    chance: float | None = None

    @property
    def worth(self) -> str:
        """The value of the best action, with its interval unless it is exact."""
        return worth(self.best) if self.chance is None else worth(self.best).partition(" ±")[0]

    @property
    def often(self) -> str:
        """The number of tries, or the probability in best play."""
        return f"{self.visits:,}×" if self.chance is None else percent(self.chance)

    @property
    def text(self) -> str:
        """The text of this choice in the list."""
        return f"{self.worth}   {self.choice.word}   {self.often}"


def limits(branches: Sequence[HeatChoice]) -> tuple[float, float]:
    """Return round limits of the colour scale, so wide that differences within the uncertainty do not fill it."""
    thoughts = [branch.best for branch in branches if branch.best]
    if not thoughts:
        return 0.0, 0.0
    high, low = max(thought.value for thought in thoughts), min(thought.value for thought in thoughts)
    doubt = min(thought.half_width for thought in thoughts)
    low = min(low, high - 2 * doubt) if isfinite(doubt) else low
    step = round_up((high - low) / 20 or 0.05)
    return floor(low / step) * step, ceil(high / step) * step


def tinted(choice: Choice, colour: str) -> Shapes:
    """Draw a choice in a colour, with an edge in the theme's ink, or as a disc if its shapes take no colour."""
    names = {**dict.fromkeys(primitives.MARKS, colour), **dict.fromkeys(primitives.EDGES, "ink")}
    names |= dict.fromkeys(primitives.INKS, f"{colour} ink")
    shapes = [repainted(shape, names) for shape in choice.shapes]
    plain = all(before == after for before, after in zip(choice.shapes, shapes, strict=True))
    return [*shapes, Circle(choice.x, choice.y, 11, colour, "ink", 1.5)] if plain else shapes


def repainted(shape: Shape, names: Mapping[str, str]) -> Shape:
    """Return a shape with renamed colours."""
    if isinstance(shape, Text):
        return replace(shape, fill=names.get(shape.fill, shape.fill))
    if isinstance(shape, Line):
        return replace(shape, stroke=names.get(shape.stroke, shape.stroke))
    return replace(shape, fill=names.get(shape.fill, shape.fill), stroke=names.get(shape.stroke, shape.stroke))


def tags(branches: Sequence[HeatChoice], picture: Picture, small: float = 1.0) -> Shapes:
    """Return labels of the best choices, next to their places if there is room, hiding as few pieces as possible.

    `small` scales their size.
    """
    shapes: list[Shape] = []
    half = HALF * small
    high = 9 * small
    labels = [(branch.choice.x, branch.choice.y, 20 * small) for branch in branches]
    around = [(across * small, down * small) for across, down in AROUND]
    little = [reach for reach in map(extent, picture.pieces) if reach[1] < 2 * HALF]

    def hidden(place: Point) -> int:
        return sum(abs(place[0] - x) < half + size and abs(place[1] - y) < high + size for (x, y), size in little)

    for place, branch in enumerate(branches[:TAGS]):
        others = labels[:place] + labels[place + 1 :]
        if not branch.best:
            break
        free = [
            (x, y)
            for x, y in ((branch.choice.x + across, branch.choice.y + down) for across, down in around)
            if HALF < x < picture.width - HALF and y > 12
            if picture.map is None or (picture.map.holds(x - half, y - high) and picture.map.holds(x + half, y + high))
            if all(abs(x - ox) > half + wide or abs(y - oy) > 19 * small for ox, oy, wide in others)
        ]
        if free:
            x, y = min(free, key=hidden)
            labels.append((x, y, half))
            shapes += label(x, y, branch.best, small)
    return shapes


def label(x: float, y: float, thought: Thought, small: float = 1.0) -> Shapes:
    """Return a value in a frame."""
    half = HALF * small
    high = 9 * small
    corners = ((x - half, y - high), (x + half, y - high), (x + half, y + high), (x - half, y + high))
    exact = 1 if abs(thought.value) >= 10 else digits(thought)
    words = f"{round(thought.value, exact) + 0.0:+.{exact}f}".replace("-", "−")
    return Polygon(corners, "panel", "ink", 1.5 * small), Text(x, y, words, 14, "ink", bold=True)
