"""Helpers that games share: effects, sentences, questions, and the rose of directions."""

from collections.abc import Callable, Collection, Iterable, Sequence
from math import sqrt
from typing import Any

from crashlab.base.errors import CrashlabError
from crashlab.drawing.primitives import Effect, panel, remarks, way
from crashlab.drawing.shapes import Picture, Piece, Point, Polygon, Shape, Text, placed
from crashlab.engine.notation import capital, plain, together
from crashlab.engine.prompts import Field, Question
from crashlab.engine.rules import played
from crashlab.engine.table import Row, Table, replay
from crashlab.engine.value_codecs import Codec, counted, seat_name
from crashlab.games.boards import hexes

ROSE = 52.0  # radius of a hex in a rose


# Choosing


def not_a_choice(chosen: Iterable[str], words: Collection[str]) -> CrashlabError:
    """Return the error for chosen words that are not a choice now; `words` are the possible words."""
    instead = f"; choose one of {', '.join(words)}" if words else ""
    return CrashlabError(f"{' '.join(chosen)!r} cannot be chosen now{instead}")


# Places


def place_of(table: Table, value: object, finders: Iterable[Callable[[Any, Any], Point | None]]) -> Point | None:
    """Return the point that the first successful finder gives for a value, or None.

    A finder without a point for the value returns None or raises CrashlabError.
    """
    words = plain(value)
    if words is None:
        return None
    for find in finders:
        try:
            place = find(table, words)
        except CrashlabError:
            continue
        if place is not None:
            return place
    return None


# Effects


def effects(
    table: Table, rows: Sequence[Row], passing_of: Callable[[Any, Row], Iterable[Effect]]
) -> tuple[Effect, ...]:
    """Return the effects of a beat: `passing_of` is called for each event, with the table right before the event."""
    moment = table.copy()
    result: list[Effect] = []
    for row in rows:
        result += passing_of(moment, row)
        replay(moment, [row])
    return latest(result)


def latest(effects: Iterable[Effect]) -> tuple[Effect, ...]:
    """Keep the last effect of each key."""
    return tuple({pair[0].key: pair for pair in effects}.values())


# Sentences


def wins(names: Sequence[str]) -> str:
    """Return a phrase about the winners: A wins, or A and C win."""
    return f"{together(names)} {'wins' if len(names) == 1 else 'win'}"


def who_wins(rules: Any, table: Any) -> str:
    """Return a phrase about the winners of a table."""
    bits = played(rules).winners(table)
    return wins([seat_name(seat) for seat in range(table.players[0]) if bits >> seat & 1])


def sentences(parts: Iterable[str]) -> str:
    """Join parts as sentences, with a capital and, if missing, a full stop."""
    return " ".join(f"{capital(words)}{'' if words[-1] in '?!.' else '.'}" for words in parts)


# Questions


def event_numbers(rows: Sequence[Row], fits: Callable[[Row], bool]) -> list[int]:
    """Return the indices of the events for which `fits` is true."""
    return [number for number, row in enumerate(rows) if fits(row)]


def question(text: str, answers: Sequence[str], right: str, reason: int) -> Question:
    """Return a question with its right answer among the answers."""
    return Question(text, tuple(answers), answers.index(right), reason)


def where(
    text: str,
    cells: Sequence[int],
    right: int,
    reason: int,
    name: Callable[[int], str],
    spot: Callable[[int], Point],
    outline: Callable[[int], tuple[Point, ...]] | None = None,
) -> Question:
    """Return a question about a place: the answers are cells, with names, points to click and outlines."""
    outlines = tuple(map(outline, cells)) if outline else ()
    places = tuple(map(spot, cells))
    return Question(text, tuple(map(name, cells)), cells.index(right), reason, places, outlines=outlines)


# Edits


def setting(
    table: Table,
    name: str,
    field: str,
    index: int,
    codec: Codec[Any],
    values: Iterable[int],
    places: Sequence[Point] = (),
) -> Field:
    """Return an editable value of a table, field[index], with its possible values."""
    numbers = tuple(values)

    def put(moment: Table, place: int) -> None:
        vars(moment)[field][index] = numbers[place]

    words = tuple(codec.format(table, number) for number in numbers)
    return Field(name, words, codec.format(table, vars(table)[field][index]), tuple(places), put)


def amount(table: Table, field: str, index: int, low: int, high: int) -> Field:
    """Return an editable count of a table, from low to high, or to its present value if that is higher."""
    return setting(table, field, field, index, counted(field), range(low, max(high, vars(table)[field][index]) + 1))


# Pictures of the notation


def rose(names: Sequence[str], middle: Sequence[Shape], words: str) -> Picture:
    """Draw the six directions of hexes with their names and numbers, around the shapes `middle`."""
    wide, high = 520.0, 372.0
    at = wide / 2, 146.0
    shapes: list[Shape] = [panel(0, 0, wide, high), Polygon(hexes.corners(at, ROSE), "cell", "cell edge", 2)]
    for number, name in enumerate(names):
        x, y = hexes.towards(at, number, ROSE * sqrt(3))
        shapes += [
            Polygon(hexes.corners((x, y), ROSE), "cell", "cell edge", 2),
            Text(x, y - 10, name, 26, "ink", bold=True),
            Text(x, y + 18, str(number), 18, "muted"),
        ]
        ends = [hexes.towards(at, number, ROSE * far) for far in (0.66, 1.12)]
        shapes += way(ends, "path", 4, 7)
    shapes += placed(Piece("", *at, tuple(middle)))
    shapes += remarks(words, wide, high)
    return Picture(wide, high, tuple(shapes), (), words)
