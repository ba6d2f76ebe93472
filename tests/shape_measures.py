"""The extent and the colours of shapes, for the tests of the games' pictures."""

from crashlab.drawing import png
from crashlab.drawing.shapes import Circle, Text


def points(shape):
    """Return points that bound a shape."""
    if isinstance(shape, Circle):
        return [(shape.x - shape.radius, shape.y - shape.radius), (shape.x + shape.radius, shape.y + shape.radius)]
    if isinstance(shape, Text):
        wide, high = png.font(shape.size).getlength(shape.text), shape.size * 0.36
        left = shape.x - wide * {"left": 0, "centre": 0.5, "right": 1}[shape.align]
        return [(left, shape.y - high), (left + wide, shape.y + high)]
    return shape.points


def colours(shape):
    """Return the names of a shape's colours."""
    return {getattr(shape, "fill", ""), getattr(shape, "stroke", "")} - {""}
