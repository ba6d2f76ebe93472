"""What lies between two pictures: keyed pieces that move, come and go. Knows no game.

between  the pieces at a moment between two pictures
film     a turn as pictures, beat by beat, each with the effects that lead to it
motion   where in a turn there begins to be something to look at
places   where in a picture something happens in a turn
summary  a turn as one picture: a moment of it with the ways that were driven until then
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from crashlab.happen import Row
from crashlab.shapes import Picture, Piece, Point

if TYPE_CHECKING:
    from crashlab.game import Turn

Effects = Iterable[tuple[Piece, Piece]]
Scene = tuple[Picture, Effects]


def between(before: Picture, after: Picture, effects: Effects, t: float) -> tuple[Piece, ...]:
    """The pieces at the moment t between two pictures: 0 is the first one, 1 is the second one.

    What has the same key moves, slowly at first and at the end; what has none fades in or out; effects are on top.
    If things lie differently on the second one's map, all is there at once.
    """
    t = min(max(t, 0.0), 1.0)
    if t > 0 and before.map != after.map:
        before = after
    eased = t * t * (3 - 2 * t)
    old = {piece.key: piece for piece in before.pieces}
    new = {piece.key for piece in after.pieces}
    pieces = [mixed(old[piece.key], piece, eased) if piece.key in old else faded(piece, t) for piece in after.pieces]
    pieces += [faded(piece, 1 - t) for piece in before.pieces if piece.key not in new]
    pieces += [passing(start, end, t, eased) for start, end in effects]
    return tuple(piece for piece in pieces if piece.alpha > 0)


def mixed(start: Piece, end: Piece, t: float) -> Piece:
    """A piece on its way; it turns the shorter way and changes its shapes half-way."""
    if start == end or t in (0, 1):
        return end if t else start
    turn = (end.angle - start.angle + 180) % 360 - 180
    return replace(
        start if t < 0.5 else end,
        x=start.x + t * (end.x - start.x),
        y=start.y + t * (end.y - start.y),
        angle=start.angle + t * turn,
        scale=start.scale + t * (end.scale - start.scale),
        alpha=start.alpha + t * (end.alpha - start.alpha),
    )


def faded(piece: Piece, t: float) -> Piece:
    """A piece that comes or goes."""
    return replace(piece, alpha=piece.alpha * t)


def passing(start: Piece, end: Piece, t: float, eased: float) -> Piece:
    """An effect on its way; it is to be seen for most of the time and fades late."""
    return replace(mixed(start, end, eased), alpha=start.alpha + t**3 * (end.alpha - start.alpha))


def film(turn: Turn) -> list[Scene]:
    """The turn beat by beat: each picture with the effects of the beat that leads to it; the first has none."""
    return [scene(turn, beat) for beat in range(turn.beats + 1)]


def scene(turn: Turn, beat: int) -> Scene:
    """The picture after a beat, and the effects of the beat."""
    game = turn.before.game
    rows = [row for row in turn.rows if row[0] == beat]
    passed = game.look.effects(turn.at(beat - 1).table, rows, turn.rows) if rows else ()
    return turn.at(beat).picture(), passed


def motion(turn: Turn) -> int:
    """The first beat in which a piece moves or an effect is seen; 0 if there is none."""
    places: dict[str, tuple[float, float, float]] = {}
    for beat in range(turn.beats + 1):
        picture, passed = scene(turn, beat)
        before, places = places, {piece.key: (piece.x, piece.y, piece.angle) for piece in picture.pieces}
        if any(before.get(key, place) != place for key, place in places.items()) or any(passed):
            return beat
    return 0


def places(turn: Turn) -> list[Point]:
    """Where the pieces were and are that a turn moves, changes, brings or takes away, if there is a map to look at."""
    before, after = turn.before.picture(), turn.after.picture()
    if before.map is None or before.map != after.map:
        return []
    old, new = ({piece.key: piece for piece in picture.pieces} for picture in (before, after))
    changed = [key for key in dict.fromkeys((*old, *new)) if old.get(key) != new.get(key)]
    return [(pieces[key].x, pieces[key].y) for key in changed for pieces in (old, new) if key in pieces]


def summary(turn: Turn, beat: int | None = None) -> Picture:
    """The moment after a beat, by default the last, with the ways that were driven until then."""
    moment = turn.after if beat is None else turn.at(beat)
    rows: Sequence[Row] = turn.rows
    if beat is not None:
        rows = [row for row in rows if row.beat <= beat]
    picture = moment.picture()
    ways = Piece("ways", 0, 0, tuple(turn.before.game.look.paths(turn.before.table, rows)))
    return replace(picture, pieces=(ways, *picture.pieces))
