"""The panel beside the board of Crash & Grab: the supplies of the saucers, the turn, and the current decision."""

from collections.abc import Iterator, Sequence
from functools import cache
from math import cos, pi, sin

from crashlab.drawing import primitives
from crashlab.drawing.shapes import Circle, Line, Piece, Polygon, Shape, Text, slab
from crashlab.engine.notation import SEATS, capital
from crashlab.engine.table import HIDDEN, NOWHERE
from crashlab.games import toolkit
from crashlab.games.crash_and_grab import notation as w
from crashlab.games.crash_and_grab import rules
from crashlab.games.crash_and_grab import state as t
from crashlab.games.crash_and_grab.render import layout, sprites

SPIN_AT = layout.ROW_RIGHT - 14, 33.0  # the direction of the turns

QUESTIONS = {  # by the names of the decisions
    "pilot": "whose pilot is placed?",
    "booster": "who gets the booster?",
    "first": "which saucer goes first?",
    "naming": "which way round?",
    "site": "on which site?",
    "step": "a step first?",
    "distance": "how far?",
    "direction": "which way?",
    "push": "push, or crash it?",
    "waste": "accelerate here?",
    "leg": "how far from here?",
    "turn-off": "which way from here?",
    "exchange": "exchange?",
    "pass": "hand over?",
    "boost": "boost?",
    "penalty": "who gets whom?",
    "reward": "which reward?",
    "refill": "which crew comes next?",
    "end": "an upgrade?",
    "buy": "buy an upgrade?",
    "keep": "keep which?",
    "rotation": "roll for the turn order",
    "set-up-die": "roll for the pilot",
    "die": "roll for the place",
    "refill-die": "roll for the crew",
    "draw": "draw an upgrade",
}
BEFORE_MOVES = (
    t.STEP,
    t.DISTANCE,
    t.DIRECTION,
    t.BOOST,
    t.END,
)  # phases that last until the movement after their answer ends


@cache
def count_shapes(words: str) -> tuple[Shape, ...]:
    """Draw a count beside its sign."""
    return (Text(0, 0, words, 19, "ink", "left", bold=True),)


@cache
def card_shapes(plan: int) -> tuple[Shape, ...]:
    """Draw a movement card: the distance and an arrow; only its back if it is hidden."""
    back = plan == HIDDEN
    paper = Polygon(slab(-15, -19, 15, 19, 4), "target" if back else "ticket", "ticket edge", 1.6)
    if back:
        return paper, Text(0, 0, "?", 22, "target ink", bold=True)
    middle = (0.0, 8.5)
    arrow = Line(
        (primitives.towards(middle, plan % 4, -8), primitives.towards(middle, plan % 4, 8)), "ticket ink", 2, arrow=True
    )
    return paper, Text(0, -8, w.PLAN_CARDS[plan // 4], 16, "ticket ink", bold=True), arrow


def plan_words(plan: int) -> str:
    """Describe a plan."""
    return "a hidden card" if plan == HIDDEN else f"card {w.PLAN_CARDS[plan // 4]} to {t.MARKERS[plan % 4]}"


def upgrades_of(table: t.CrashAndGrab, saucer: int) -> list[int]:
    """Return the upgrades of a saucer."""
    return [card for card in range(t.CARDS) if table.holder[card] == saucer]


def upgrade_pieces(table: t.CrashAndGrab, saucer: int) -> list[Piece]:
    """Return the upgrades of a saucer as small cards, with shorter names if there are too many."""
    cards = upgrades_of(table, saucer)
    saucers = table.saucers[0]
    lines = int((layout.row_height(saucers) - 57) / 19)
    for cut in (12, 8, 6, 5, 4, 3, 2):
        places = [*flowed([chip_width(w.CARD_NAMES[card][:cut]) for card in cards])]
        if not places or places[-1][1] < lines:
            break
    x, y = layout.ROW_LEFT - 4, layout.row_top(saucers, saucer) + 67.5
    return [
        Piece(
            f"upgrade {card + 1}",
            x + left,
            y + 19 * line,
            chip_shapes(w.CARD_NAMES[card][:cut]),
            alpha=0.6 if table.fresh[card] or table.spent[card] else 1.0,
            label=sprites.upgrade_words(table, card),
        )
        for card, (left, line) in zip(cards, places, strict=True)
    ]


def flowed(widths: Sequence[float]) -> Iterator[tuple[float, int]]:
    """Put boxes side by side in lines as wide as the panel; return the middle of each box and the index of its line."""
    left = 0.0
    line = 0
    for width in widths:
        if left and left + width > layout.ROW_RIGHT - layout.ROW_LEFT + 8:
            left = 0.0
            line = line + 1
        yield (left + width / 2, line)
        left += width + 2


def chip_width(word: str) -> float:
    """Return the width of a small card with this word."""
    return 8.3 * len(word) + 7


@cache
def chip_shapes(word: str) -> tuple[Shape, ...]:
    """Draw a small card with a word."""
    half = chip_width(word) / 2
    paper = Polygon(slab(-half, -8.5, half, 8.5, 4), "ticket", "ticket edge", 1.3)
    return paper, Text(0, 0.5, word, 14, "ticket ink")


def row_pieces(table: t.CrashAndGrab, saucer: int) -> Iterator[Piece]:
    """Return the pieces of a saucer's row without its crew."""
    name = w.saucer_name(saucer)
    top = layout.row_top(table.saucers[0], saucer)
    x = layout.ROW_LEFT
    energy = table.energy[saucer]
    boosters = table.boosters[saucer]
    plan = table.plan[saucer]
    yield from (
        Piece(f"energy {name}", x + 65, top + 17, count_shapes(str(energy)), label=f"{name}: energy {energy}"),
        Piece(f"boosters {name}", x + 113, top + 17, count_shapes(str(boosters)), label=f"{name}: boosters {boosters}"),
        stationed_piece(table, saucer),
        *upgrade_pieces(table, saucer),
    )
    if plan != t.UNPLANNED:
        words = f"{name}: {plan_words(plan)}"
        yield Piece(f"card {name}", layout.ROW_RIGHT - 13, top + 22, card_shapes(plan), label=words)
    if turn := turn_of(table, saucer):
        words = f"{name}: turn {turn} of this round, {'started' if table.acted[saucer] else 'still to come'}"
        shapes = order_shapes(turn, bool(table.acted[saucer]))
        yield Piece(f"order {name}", layout.ROW_RIGHT - 13, top + 52, shapes, label=words)
        if table.players[0] >= 5 <= turn:
            words = f"{name} has an override token: it chooses its direction in its turn (CG-R3)"
            yield Piece(f"override {name}", x + 154, top + 17, override_shapes(), label=words)


def turn_of(table: t.CrashAndGrab, saucer: int) -> int:
    """Return a saucer's position in this round's order of turns, from 1; 0 if it is not known yet (CG-R2)."""
    players = table.players[0]
    if table.acted[saucer] or players == 2 or not table.spin[0]:
        return table.acted[saucer]
    return 1 + (saucer - table.probe[0]) * table.spin[0] % players


@cache
def order_shapes(turn: int, is_done: bool) -> tuple[Shape, ...]:
    """Draw a position in the order of turns; with a ring before that turn."""
    ring = () if is_done else (Circle(0, 0, 9.5, "", "ink", 1.5),)
    return (*ring, Text(0, 0, str(turn), 14, "muted" if is_done else "ink", bold=not is_done))


@cache
def override_shapes() -> tuple[Shape, ...]:
    """Draw an override token: four directions."""
    return (Circle(0, 0, 12.5, "rail edge", "rail light", 1.5), *layout.accelerator(0, 0, 0.45)[1:])


def stationed_piece(table: t.CrashAndGrab, saucer: int) -> Piece:
    """Return the number of the four types aboard, with an empty seat for each missing one."""
    name = w.saucer_name(saucer)
    types = rules.aboard(table, saucer)
    empty = tuple((-1 - member, aside) for member, aside in sprites.seats_aboard(table, saucer) if member < 0)
    words = f"{name}: {types} of 4 stationed"
    if empty:
        words += f"; missing: {', '.join(t.TYPE_NAMES[kind] for kind, _ in empty)}"
    place = layout.ROW_LEFT + sprites.CREW_X, layout.row_top(table.saucers[0], saucer) + sprites.CREW_Y
    return Piece(f"stationed {name}", *place, stationed_shapes(types, empty), label=words)


@cache
def stationed_shapes(types: int, empty: tuple[tuple[int, float], ...]) -> tuple[Shape, ...]:
    """Draw a number, and a faint letter for each empty seat."""
    seats: list[Shape] = [Text(-12, 2, f"{types}/4", 14, "ink", "right")]
    for kind, aside in empty:
        seats += [
            Polygon(slab(aside - 8, -4, aside + 8, 10, 4), "", "muted", 1, 0.6),
            Text(aside, 2.6, t.TYPE_NAMES[kind][0], 14, "muted", alpha=0.8),
        ]
    return tuple(seats)


@cache
def probe_shapes() -> tuple[Shape, ...]:
    """Draw the probe: a small satellite."""
    wings = tuple(Polygon(slab(x - 5, -4, x + 5, 4, 1), "path", "path edge", 0.8) for x in (-11, 11))
    return (
        Line(((-7, 0), (7, 0)), "path", 2),
        *wings,
        Circle(0, 0, 5.5, "rail light", "path", 1.5),
        Line(((0, -5), (0, -11)), "path", 1.5),
        Circle(0, -11, 2, "path"),
    )


def first_saucer(table: t.CrashAndGrab, player: int) -> int:
    """Return the saucer whose row shows the probe of a player: the player's first one."""
    return 2 * player if table.players[0] == 2 else player


def panel_pieces(table: t.CrashAndGrab) -> Iterator[Piece]:
    """Return the heading, the frame round the current row, the probe, and the direction of the turns."""
    saucers = table.saucers[0]
    yield from (
        primitives.headline("round", layout.ROW_LEFT, 32, heading(table), 19, bold=True),
        primitives.headline("asked", layout.ROW_LEFT, 60, asked_words(table), 14),
    )
    if table.turn[0] != NOWHERE:
        shapes = primitives.row_frame(layout.PANEL[0], layout.PANEL[2], layout.row_height(saucers))
        words = f"it is the turn of {w.saucer_name(table.turn[0])}"
        yield Piece("turn", 0, layout.row_top(saucers, table.turn[0]), shapes, label=words)
    top = layout.row_top(saucers, first_saucer(table, table.probe[0]))
    words = f"{player_name(table, table.probe[0])} has the probe"
    yield Piece("probe", layout.ROW_LEFT + 154, top + 20, probe_shapes(), label=words)
    if spin := table.spin[0]:
        yield Piece("spin", *SPIN_AT, spin_shapes(spin, "ink"), label=spin_words(spin))


@cache
def spin_shapes(spin: int, ink: str) -> tuple[Shape, ...]:
    """Draw a circular arrow, clockwise (1) or counter-clockwise (-1)."""
    arc = tuple((spin * 11 * sin(n * pi / 9), -11 * cos(n * pi / 9)) for n in range(-6, 9))
    return (Line(arc, ink, 2.5, arrow=True),)


def spin_words(spin: int) -> str:
    """Describe the direction of the turns."""
    return "turns go clockwise" if spin == 1 else "turns go counter-clockwise"


def player_name(table: t.CrashAndGrab, player: int) -> str:
    """Return a player with the colours of the saucers, as in `A (red)`."""
    saucers = [w.saucer_name(saucer) for saucer in range(table.saucers[0]) if t.owner(table, saucer) == player]
    return f"{SEATS[player]} ({' and '.join(saucers)})"


def heading(table: t.CrashAndGrab) -> str:
    """Return a heading such as "Round 3 of 60", or the winners when the game is over."""
    if table.phase[0] != t.OVER:
        return f"Round {table.round[0]}" + (f" of {table.round_limit[0]}" if table.round_limit[0] > 0 else "")
    return toolkit.who_wins(rules, table)


def asked_words(table: t.CrashAndGrab) -> str:
    """Return the current player and the question as text."""
    phase = table.phase[0]
    if phase in (t.PLAN, t.OVER):
        return "All plan in secret" if phase == t.PLAN else "The game is over"
    if sprites.is_moving(table) and phase in BEFORE_MOVES:
        return f"{w.saucer_name(table.mover[0]).capitalize()} moves"
    question = QUESTIONS[w.NAMES[phase]]
    return capital(question) if phase >= t.FIRST_CHANCE else f"{SEATS[table.asked[0]]}: {question}"
