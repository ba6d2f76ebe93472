"""A reader of film documents, which restores the board, the pieces and the effects of each beat."""

from dataclasses import fields, replace

from crashlab.drawing.shapes import Circle, Line, Piece, Polygon, Text, arrow

USUAL = {"angle": 0, "scale": 1, "alpha": 1, "label": ""}


def pairs(numbers):
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


def shape(entry):
    """Convert a shape of a document."""
    look = {name: entry[name] for name in ("fill", "stroke", "width", "alpha") if name in entry}
    if "polygon" in entry:
        return Polygon(pairs(entry["polygon"]), **look)
    if "line" in entry:
        return Line(pairs(entry["line"]), **look)
    if "circle" in entry:
        return Circle(*entry["circle"], **look)
    bold, align = entry.get("bold", False), entry.get("align", "centre")
    return Text(*entry["at"], entry["text"], entry["size"], align=align, bold=bold, **look)


def piece(film, pose, key=""):
    shapes = tuple(shape(film["shapes"][number]) for number in film["drawings"][pose["drawing"]])
    return Piece(key, pose["x"], pose["y"], shapes, pose["angle"], pose["scale"], pose["alpha"], pose["label"])


def played(film):
    """Yield for each beat the board, the pieces in their order, and the effects that lead to it."""
    board, here = None, {}
    for beat in film["beats"]:
        board = beat.get("board", board)
        for number in beat.get("gone", ()):
            del here[number]
        for change in beat.get("put", ()):
            here[change["piece"]] = {**here.get(change["piece"], USUAL), **change}
        if "order" in beat:
            assert sorted(beat["order"]) == sorted(here)
            here = {number: here[number] for number in beat["order"]}
        ground = [shape(film["shapes"][number]) for number in film["drawings"][board]]
        pieces = [piece(film, pose, film["pieces"][number]) for number, pose in here.items()]
        passing = [
            (piece(film, {**USUAL, **start}), piece(film, {**USUAL, **start, **end}))
            for start, end in beat.get("effects", ())
        ]
        yield ground, pieces, passing


def short(thing):
    """Round the numbers of a shape or a piece as in a document, and split arrows into a line and its head."""
    if isinstance(thing, Line) and thing.arrow:
        return [part for inner in arrow(thing) for part in short(inner)]
    if isinstance(thing, Piece):
        thing = replace(thing, shapes=tuple(part for inner in thing.shapes for part in short(inner)))
    if isinstance(thing, Polygon | Circle) and not thing.stroke:
        thing = replace(thing, width=1.0)  # the width of a missing outline
    numbers = {
        field.name: round(value, 2)
        for field in fields(thing)
        if isinstance(value := getattr(thing, field.name), int | float) and not isinstance(value, bool)
    }
    if isinstance(thing, Polygon | Line):
        numbers["points"] = tuple((round(x, 2), round(y, 2)) for x, y in thing.points)
    return [replace(thing, **numbers)]
