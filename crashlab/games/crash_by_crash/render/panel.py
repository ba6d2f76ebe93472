"""The moving parts of the panel beside the floor: scores, batteries, the turn and the current decision."""

from functools import cache

from crashlab.drawing.shapes import Circle, Line, Piece, Polygon, Shape, Text, slab, star
from crashlab.games import toolkit
from crashlab.games.crash_by_crash import notation as w
from crashlab.games.crash_by_crash import rules
from crashlab.games.crash_by_crash import state as t
from crashlab.games.crash_by_crash.render import layout


def asked_words(table: t.CrashByCrash) -> str:
    """Return the current decision in words; they are also the key of the piece that marks it."""
    phase = table.phase[0]
    if phase == t.ACTION:
        return "the second action" if table.acted[0] else "the first action"
    return (
        "a car to begin with",
        "",
        "a card to draw",
        "a card to give away",
        "a card of the pile",
        "a card to turn up",
        "the end",
    )[phase]


def heading(table: t.CrashByCrash) -> str:
    """Return the heading: `Turn 8`, `Set-up`, or the winners when the game is over."""
    if table.phase[0] == t.OVER:
        bits = rules.winners(table)
        best = [w.SEATS[seat] for seat in range(table.players[0]) if bits >> seat & 1]
        return "A draw" if len(best) == table.players[0] else toolkit.wins(best)
    if table.phase[0] == t.SET_UP:
        return "Set-up"
    return f"Turn {table.turn[0]}"


@cache
def score_shapes(score: int) -> tuple[Shape, ...]:
    return (Text(0, 0, str(score), 28, "ink", "right", bold=True),)


@cache
def battery_shapes(count: int, is_banned: bool) -> tuple[Shape, ...]:
    """Draw four batteries, the spent ones empty; crossed out while they are banned."""
    shapes: list[Shape] = []
    for n in range(4):
        x = 27.0 * n
        paint = "gain" if n < count else ""
        shapes += [
            Polygon(slab(x, -6.5, x + 19, 6.5, 3), paint, "ink" if n < count else "muted", 1.6),
            Polygon(slab(x + 20, -3, x + 22.5, 3, 1), "ink" if n < count else "muted"),
        ]
        if n < count:
            shapes.append(Line(((x + 12, -4), (x + 7, 1), (x + 12, 0), (x + 7, 4.5)), "panel", 1.8))
    if is_banned:
        shapes += [Line(((-4, 0), (106, 0)), "loss", 3.5), Text(112, 0, "banned", 14, "loss", "left", bold=True)]
    return tuple(shapes)


def side_pieces(table: t.CrashByCrash, side: int) -> list[Piece]:
    """Draw the score and the batteries of a side."""
    players = table.players[0]
    name = w.SIDES[side]
    x, y = layout.score_place(players, side)
    count = table.batteries[side]
    is_banned = bool(table.banned[side])
    words = f"{name}: {count} batteries{', which it may not use in its next turn' if is_banned else ''}"
    top = layout.block_top(players, side) + 54
    return [
        Piece(f"score {name}", x, y, score_shapes(table.score[side]), label=f"{name}: {table.score[side]} points"),
        Piece(f"batteries {name}", layout.ROW_LEFT + 2, top, battery_shapes(count, is_banned), label=words),
    ]


@cache
def turn_shapes(words: str, turn: int, decision: str) -> tuple[Shape, ...]:
    """Draw the heading and the decision; a star is lit once bells may ring, and lamps count the turns before that."""
    is_early = turn < rules.EARLIEST
    lamps: list[Shape] = [
        Polygon(star(layout.ROW_RIGHT - 6, 0, 9, 4.2, 5), "" if is_early else "chit", "chit edge", 1.4)
    ]
    for n in range(1, rules.EARLIEST) if is_early else ():
        x = layout.ROW_RIGHT - 13.5 * (rules.EARLIEST - n) - 6
        lamps.append(Circle(x, 0, 4.2, "chit" if turn >= n else "", "chit edge", 1.4))
    return (
        Text(layout.ROW_LEFT, 0, words, 20, "ink", "left", bold=True),
        *lamps,
        Text(layout.ROW_LEFT, 31, decision, 14, "ink", "left"),
    )


def turn_piece(table: t.CrashByCrash) -> Piece:
    """Draw the turn, the decision, and the turns before the first scoring."""
    words = heading(table)
    decision = asked_words(table)
    if table.phase[0] != t.OVER:
        decision = f"{w.SEATS[table.asked[0]]}: {decision}"
    ring = "" if table.turn[0] >= rules.EARLIEST else ", bells may ring from turn 6"
    label = f"{words}{ring}; {table.scorings[0]} of {rules.LAST} scorings"
    return Piece("turn", 0, 32, turn_shapes(words, table.turn[0], decision), label=label)


@cache
def mark_shapes(side: int, letter: str) -> tuple[Shape, ...]:
    """Draw the letter of a seat in a ring of light."""
    return (
        Circle(0, 0, 12.5, f"seat {side}", "flash edge", 5),
        Circle(0, 0, 12.5, f"seat {side}", "flash", 3),
        Text(0, 0, letter, 15, f"seat {side} ink", bold=True),
    )


def mark_piece(table: t.CrashByCrash) -> Piece:
    """Mark the seat whose turn it is with a piece named after the decision."""
    seat = table.asked[0]
    x, y = layout.badge_place(table.players[0], seat)
    words = asked_words(table)
    label = f"{words} of turn {table.turn[0]}" if table.phase[0] == t.ACTION else words
    return Piece(words, x, y, mark_shapes(seat & 1, w.SEATS[seat]), label=label)
