"""What is drawn, for the tests of the games' pictures: where a shape reaches, and in which colours it is."""

from crashlab.drawing import png
from crashlab.drawing.shapes import Circle, Text


def points(shape):
    """Where a shape reaches."""
    if isinstance(shape, Circle):
        return [(shape.x - shape.radius, shape.y - shape.radius), (shape.x + shape.radius, shape.y + shape.radius)]
    if isinstance(shape, Text):
        wide, high = png.font(shape.size).getlength(shape.text), shape.size * 0.36
        left = shape.x - wide * {"left": 0, "centre": 0.5, "right": 1}[shape.align]
        return [(left, shape.y - high), (left + wide, shape.y + high)]
    return shape.points


def colours(shape):
    """The names of colours in a shape."""
    return {getattr(shape, "fill", ""), getattr(shape, "stroke", "")} - {""}
