"""What lies between two pictures: keyed pieces that move, come and go; and how fast films are. Knows no game."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from crashlab.drawing.shapes import Picture, Piece

Effects = Iterable[tuple[Piece, Piece]]  # what flies and flashes: each from one piece to the other
Scene = tuple[Picture, Effects]  # a picture, and the effects that lead to it

# How fast films are, in milliseconds, but for what is counted in beats or frames.
SPEEDS = {"slow": 1200, "normal": 450, "fast": 220}  # for a beat that somebody follows
FAST, TURNS = "fast", "turn by turn"
MATCH_SPEEDS = {"slow": 1500, "normal": 700, FAST: 250, TURNS: 900}  # for a beat of a match, or for a turn
AT_ONCE = 50  # for a decision of a match after which every piece is where it was, at the speed `FAST`
BRISK = 30  # beats of what comes of one press; a longer film goes faster
WORD, HELD = 400, (1000, 5000)  # for a word that is read aloud in front of a class; for a beat, at least and at most
GLIDE = 280  # that a move takes, at most
ZOOM = 220  # in which a map comes nearer
GIF_BEAT, GIF_BEATS = 300, (20, 10_000)  # for a beat of a GIF, and what it can be
GIF_FRAMES = 4  # frames of a GIF for a beat
GIF_RESTS = 700, 2500  # that the first and the last frame of a GIF rest
UNSPOKEN = re.compile(r"Beat \d+ of \d+: | \[[A-Z][\w-]*\]| \(line \d+\)")  # what nobody reads aloud


def reading(words: str, before: str = "") -> int:
    """How long a beat is held so that a class can read what is said of it, in milliseconds; not, if it is not new."""
    spoken = UNSPOKEN.sub("", words)
    if spoken == UNSPOKEN.sub("", before):
        return 0
    least, most = HELD
    return min(max(WORD * sum(any(map(str.isalnum, word)) for word in spoken.split()), least), most)


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
