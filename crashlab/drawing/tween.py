"""Tweening: the frames between two pictures, and the timing of films."""

import re
from collections.abc import Iterable
from dataclasses import replace

from crashlab.drawing.shapes import Picture, Piece

Effects = Iterable[tuple[Piece, Piece]]  # temporary pieces, each at its start and its end
Scene = tuple[Picture, Effects]  # a picture, and the effects that lead to it

# Timing of films, in milliseconds unless counted in beats or frames.
SPEEDS = {"slow": 1200, "normal": 450, "fast": 220}  # duration of a beat for a reader
FAST, TURNS = "fast", "turn by turn"
MATCH_SPEEDS = {
    "slow": 1500,
    "normal": 700,
    FAST: 250,
    TURNS: 900,
}  # duration of a beat of a match; for TURNS of a turn
AT_ONCE = 50  # duration of a decision without motion, at the speed FAST
BRISK = 30  # number of beats beyond which the film of one click speeds up
WORD, BOUNDS = 400, (1000, 5000)  # time per word read aloud to a class; bounds of a beat's time
GLIDE = 280  # longest duration of a motion
ZOOM = 220  # duration of a zoom
GIF_BEAT, GIF_BEATS = 300, (20, 10_000)  # duration of a beat in a GIF, and its bounds
GIF_FRAMES = 4  # frames per beat
GIF_RESTS = 700, 2500  # extra time of the first and the last frame of a GIF
UNSPOKEN = re.compile(
    r"Beat \d+ of \d+: | \[[A-Z][\w-]*\]| \(line \d+\)"
)  # parts of a status line that are not read aloud


def reading(words: str, before: str = "") -> int:
    """Return the milliseconds a class needs to read the words of a beat; 0 if the beat before has the same words."""
    text = UNSPOKEN.sub("", words)
    if text == UNSPOKEN.sub("", before):
        return 0
    least, most = BOUNDS
    return min(max(WORD * sum(any(map(str.isalnum, word)) for word in text.split()), least), most)


def between(before: Picture, after: Picture, effects: Effects, t: float) -> tuple[Piece, ...]:
    """Return the pieces at time t between two pictures, from 0 (before) to 1 (after).

    Pieces with a common key move, with easing; others fade in or out; effects are on top. If the layout of the map
    changes, nothing moves and the new picture appears at once.
    """
    t = min(max(t, 0.0), 1.0)
    if t > 0 and before.map != after.map:
        before = after
    share = t * t * (3 - 2 * t)
    old = {piece.key: piece for piece in before.pieces}
    new = {piece.key for piece in after.pieces}
    pieces = [mixed(old[piece.key], piece, share) if piece.key in old else faded(piece, t) for piece in after.pieces]
    pieces += [faded(piece, 1 - t) for piece in before.pieces if piece.key not in new]
    pieces += [passing(start, end, t, share) for start, end in effects]
    return tuple(piece for piece in pieces if piece.alpha > 0)


def mixed(start: Piece, end: Piece, t: float) -> Piece:
    """Interpolate between two poses of a piece; it rotates by the smaller angle and changes its shapes half-way."""
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
    """Fade a piece that appears or disappears."""
    return replace(piece, alpha=piece.alpha * t)


def passing(start: Piece, end: Piece, t: float, share: float) -> Piece:
    """Interpolate an effect, which stays visible for most of the beat and fades late."""
    return replace(mixed(start, end, share), alpha=start.alpha + t**3 * (end.alpha - start.alpha))
