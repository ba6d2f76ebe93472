"""The angle dial of Autoscooter: turn the blow and the struck car to see the side, the formula and the case.

Beside it is the table of all crashes by side, speed of the rammer and speed of the struck car. A click on a cell turns
the dial to it and plays its crash. All results come from the engine.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from math import atan2, degrees, dist
from typing import Any, NamedTuple

import ipywidgets as widgets

from crashlab.base.errors import expect, require, short_repr, whole
from crashlab.drawing import html, primitives
from crashlab.drawing.canvas import Shapes
from crashlab.drawing.charts import heat, signed
from crashlab.drawing.crop import Window, around, cropped, seen
from crashlab.drawing.shapes import Circle, Line, Picture, Piece, Point, Polygon, Shape, Text, rectangle
from crashlab.drawing.tween import Effects, Scene
from crashlab.engine.game import Game, State, Turn
from crashlab.engine.notation import chosen, counted
from crashlab.games import game as game_named
from crashlab.games.boards import hexes
from crashlab.games.boards.hexes import DIRECTIONS
from crashlab.lab.board import Board, Panel, button
from crashlab.lab.stepper import Steps

GAME = "autoscooter"
RAMMER, HIT = 1, 2  # the numbers of the cars
MIDDLE = (3, 4)  # the hex of the struck car: row, and twice its column
SPEEDS_OF_RAMMER, SPEEDS_OF_HIT = (1, 2, 3), (0, 1, 2, 3)
SIDES = ("nose", "left front", "left rear", "tail", "right rear", "right front")
WIDTH, HEIGHT = 900.0, 392.0
DIAL = 392.0  # width and height of the dial, in pixels
STEP = 78.0  # approximate distance between neighbouring hexes
CELL, ROW = 31.0, 30.0  # size of a cell of the table
LEFT, TOP = 508.0, 74.0  # top left corner of the first cell
GROUP = 6.0  # gap between the speeds of the rammer
WORDS_TOP = TOP + 6 * ROW + 34  # top of the words below the table
KEYS = (
    "left and right turn the blow, up and down turn the car that is hit, 1 2 3 choose the rammer's speed, "
    "space or Enter plays, Tab leaves"
)
HINT = "Click around the middle of the dial, or a cell of the table."


@dataclass(frozen=True)
class Blow:
    """A car at speed `v` drives in the direction `blow` into a car at speed `w` that faces `facing`."""

    blow: int
    facing: int
    v: int
    w: int

    @property
    def side(self) -> int:
        """The struck side, counted to the left from the nose."""
        return (self.blow + 3 - self.facing) % 6


class CrashOutcome(NamedTuple):
    """The result of a blow."""

    rule: str
    gain: int  # for the rammer's driver, in chits
    v: int  # speed of the rammer afterwards
    w: int  # speed of the struck car afterwards
    facing: int
    beat: int  # the beat of the last consequence


class Dial(Panel):
    """A dial that sets the direction of a blow, and the table of all crashes.

    `game` is Autoscooter, perhaps with house rules. `blow` and `facing` are directions ("E", "NE" ...), `v` and `w` are
    the speeds of the rammer and the struck car.

        >>> dial = Dial(blow="E", facing="SE", v=2, w=1)
        >>> dial.outcome
        CrashOutcome(rule='AS-C4', gain=3, v=2, w=1, facing=0, beat=8)
    """

    now: Blow

    def __init__(
        self,
        game: Game | None = None,
        *,
        blow: str = "E",
        facing: str = "SE",
        v: int = 2,
        w: int = 2,
        theme: str | None = None,
        scale: float = 1.0,
        animate: bool = True,
    ) -> None:
        self.game: Game = game_named(GAME) if game is None else game
        expect(self.game, Game, "a Dial shows the crashes of a Game")
        require(self.game.book == GAME, f"a Dial shows the crashes of {GAME}, not of {short_repr(self.game.name)}")
        self.now = Blow(
            chosen(blow, DIRECTIONS, "blow"),
            chosen(facing, DIRECTIONS, "facing"),
            whole("v", v, more=" to 3", most=3),
            whole("w", w, least=0, more=" to 3", most=3),
        )
        self.table = table(self.game)
        self.board = Board(self._picture(play(self.game, self.now)), theme=theme, scale=scale, animate=animate)
        self.board.owner = self
        self.steps = CrashSteps(self.board, self)
        self._make_controls()
        self.board.on_click(self._click)
        self.board.on_key(self._key)
        keys = widgets.HTML(html.element("div", f"Keys on the board: {KEYS}.", style="line-height: 1.4; opacity: 0.75"))
        flow = {"flex_flow": "row wrap", "align_items": "center", "grid_gap": "0 16px"}
        super().__init__([self.board, widgets.HBox(self.controls, layout=flow), self.steps, self.steps.events, keys])
        self.board.run_alone(self._show)

    def _make_controls(self) -> None:
        on = self.board.guard
        look = {"button_width": "34px", "description_width": "initial"}
        self.v = widgets.ToggleButtons(
            options=SPEEDS_OF_RAMMER, value=self.now.v, description="rammer's speed v", style=look
        )
        self.w = widgets.ToggleButtons(options=SPEEDS_OF_HIT, value=self.now.w, description="other speed w", style=look)
        self.v.observe(on(lambda change: self._set(v=change.new)), "value")
        self.w.observe(on(lambda change: self._set(w=change.new)), "value")
        turns = [
            button("Blow", on(lambda: self._turn(1, 0)), "Turn the blow a sixth to the left", "undo"),
            button("Blow", on(lambda: self._turn(-1, 0)), "Turn the blow a sixth to the right", "repeat"),
            button("Car", on(lambda: self._turn(0, 1)), "Turn the hit car a sixth to the left", "undo"),
            button("Car", on(lambda: self._turn(0, -1)), "Turn the hit car a sixth to the right", "repeat"),
        ]
        self.controls = [self.v, self.w, widgets.HBox(turns)]

    # The current blow

    @property
    def outcome(self) -> CrashOutcome:
        """The result of the current blow."""
        return outcome(self.turn)

    @property
    def turn(self) -> Turn:
        """The current crash, as the engine plays it."""
        assert self.steps.turn is not None
        return self.steps.turn

    def turn_to(self, blow: str, facing: str, v: int | None = None, w: int | None = None) -> None:
        """Show this blow against a car with this facing; None keeps a speed."""
        speeds = Blow(0, 0, self.now.v if v is None else v, self.now.w if w is None else w)
        case = Blow(
            chosen(blow, DIRECTIONS, "blow"),
            chosen(facing, DIRECTIONS, "facing"),
            whole("v", speeds.v, more=" to 3", most=3),
            whole("w", speeds.w, least=0, more=" to 3", most=3),
        )
        self.board.run_alone(self._become, case)

    def _set(self, **changes: int) -> None:
        self._become(replace(self.now, **changes))

    def _turn(self, blow: int, facing: int) -> None:
        self._set(blow=(self.now.blow + blow) % 6, facing=(self.now.facing + facing) % 6)

    def _become(self, blow: Blow) -> None:
        self.now = blow
        self._show()

    def _show(self) -> None:
        self.v.value, self.w.value = self.now.v, self.now.w
        turn = play(self.game, self.now)
        self.steps.load(turn, outcome(turn).beat)
        self.steps.go(0)
        self.board.say(" ".join(self.words()))

    def words(self) -> list[str]:
        """Describe the formula, the case and the result."""
        now = self.now
        result = outcome(play(self.game, now))
        rule = self.game.rulebook[result.rule]
        return [
            f"(blow + 3 \u2212 facing) mod 6 = ({now.blow} + 3 \u2212 {now.facing}) mod 6 = {now.side}.",
            f"Side {now.side}, {SIDES[now.side]}. {rule.id}: {rule.title}.",
            *consequences(now, result),
        ]

    def _picture(self, turn: Turn, beat: int = 0) -> Picture:
        """Draw the dial and the table after a beat."""
        near = cropped(turn.picture(beat), window(turn.before))
        board = (
            *near.board,
            Polygon(rectangle(DIAL, 0, WIDTH, HEIGHT), "panel"),
            Line(((DIAL, 0), (DIAL, HEIGHT)), "panel edge", 2),
            *cells(self.table),
        )
        lines = (
            primitives.headline(f"words {n}", DIAL + 16, WORDS_TOP + 23 * n, line, 15, bold=n == 1)
            for n, line in enumerate(self.words())
        )
        words = f"{' '.join(self.words())} {near.words}"
        return replace(near, width=WIDTH, height=HEIGHT, board=board, pieces=(*near.pieces, *lines), words=words)

    def marks(self) -> tuple[Shape, ...]:
        """Return the marks of the dial's directions, and the sides of the struck car in the table's colours."""
        now = self.now
        middle = DIAL / 2, DIAL / 2
        back = hexes.towards(middle, now.blow + 3, STEP * reach(now.v))
        shapes: list[Shape] = [
            primitives.dot(hexes.towards(middle, now.blow + 3 + turns, 2 * STEP), 7, 2) for turns in range(1, 6)
        ]
        if reach(now.v) > 1:
            ends = hexes.towards(back, now.blow, 36), hexes.towards(middle, now.blow + 3, 52)
            shapes += primitives.way(ends, "path", 5, 8)
        low, high = span(self.table)
        for side in range(6):
            x, y = hexes.towards(middle, now.facing + side, 0.5 * STEP)
            paint = heat(self.table[side, now.v, now.w].gain, low, high)
            if side == now.side:
                shapes += primitives.halo((x, y), 15, 4, 8)
            shapes += [Circle(x, y, 12, paint, "ink", 1.5), Text(x, y, str(side), 15, f"{paint} ink", bold=True)]
        shapes += primitives.ticket((58, 16), f"blow {DIRECTIONS[now.blow]} = {now.blow}", 54, 12, 14)
        shapes += primitives.ticket((66, DIAL - 16), f"facing {DIRECTIONS[now.facing]} = {now.facing}", 62, 12, 14)
        return (*shapes, *self.chosen())

    def chosen(self) -> tuple[Shape, ...]:
        """Return the frame of the current cell of the table."""
        left, top, right, bottom = cell_box(self.now.side, self.now.v, self.now.w)
        frame = ((left, top), (right, top), (right, bottom), (left, bottom))
        return Polygon(frame, "", primitives.GLOW, 6), Polygon(frame, "", "flash", 3)

    # Actions of the user

    def _click(self, x: float, y: float) -> None:
        if x < DIAL:
            self._click_dial(x, y)
        else:
            for side, v, w in self.table:
                left, top, right, bottom = cell_box(side, v, w)
                if left <= x < right and top <= y < bottom:
                    self._become(Blow((side + self.now.facing - 3) % 6, self.now.facing, v, w))
                    self.steps.start()
                    return
            self.board.say_below(HINT)

    def _click_dial(self, x: float, y: float) -> None:
        middle = DIAL / 2, DIAL / 2
        far = dist(middle, (x, y))
        if far < 8:
            self.board.say_below(HINT)
            return
        way = round(degrees(atan2(middle[1] - y, x - middle[0])) / 60) % 6
        if far < 0.8 * STEP:
            self._set(facing=way)
        else:
            self._set(blow=(way + 3) % 6)

    def _key(self, name: str) -> None:
        turns = {"ArrowLeft": (1, 0), "ArrowRight": (-1, 0), "ArrowUp": (0, 1), "ArrowDown": (0, -1)}
        if name in turns:
            self._turn(*turns[name])
        elif name in map(str, SPEEDS_OF_RAMMER):
            self._set(v=int(name))
        elif name in (" ", "Enter"):
            self.steps.start()

    def still(self) -> tuple[Picture, str]:
        """Return the dial and the table as one picture."""
        picture = self._picture(self.turn)
        marks = Piece("marks", 0, 0, self.marks())
        return replace(picture, pieces=(*picture.pieces, marks)), " ".join(self.words())


class CrashSteps(Steps):
    """The film of a dial's crash, zoomed in; before the crash the dial can be turned."""

    def __init__(self, board: Board, dial: Dial) -> None:
        self.dial = dial
        super().__init__(board, keys=())

    def scene(self, beat: int) -> Scene:
        """Return the dial with the cars after this beat, and the effects that lead to it."""
        assert self.turn is not None
        left, top, *_ = window(self.turn.before)
        effects: Effects = tuple(
            (replace(start, x=start.x - left, y=start.y - top), replace(end, x=end.x - left, y=end.y - top))
            for start, end in self.turn.effects(beat)
        )
        return self.dial._picture(self.turn, beat), effects

    def watch(self, beat: int) -> tuple[Shapes, Shapes]:
        """Return the paths of the cars and the frame in the table; at beat 0, the marks of the dial."""
        assert self.turn is not None
        if beat == 0:
            return (), self.dial.marks()
        return seen(self.turn.ways(beat), window(self.turn.before)), self.dial.chosen()


# The engine


@lru_cache(maxsize=256)
def play(game: Game, blow: Blow) -> Turn:
    """Play the round of this blow; the struck car moves later."""
    cars = {str(RAMMER): car(blow.blow + 3, reach(blow.v), blow.blow, blow.v), str(HIT): car(0, 0, blow.facing, blow.w)}
    return game.read({"cars": cars}).play({0: f"{RAMMER} {'F' * blow.v}", 1: "-"})


def reach(v: int) -> int:
    """Return the rammer's starting distance in hexes, at most 2; its full speed counts in any case."""
    return min(v, 2)


def car(way: int, far: int, facing: int, speed: int) -> dict[str, Any]:
    """Return a car `far` hexes from the middle in the direction `way`, as data for `Game.read`."""
    down, across = hexes.STEPS[way % 6]
    row, x = MIDDLE[0] + far * down, MIDDLE[1] + far * across
    return {"hex": [row, x // 2], "facing": DIRECTIONS[facing % 6], "speed": speed}


def outcome(turn: Turn) -> CrashOutcome:
    """Return the result of the first crash of a turn."""
    crash = next(event for event in turn.events if "rammer" in event.numbers)
    follows = {crash.number}
    beat = crash.beat
    for event in turn.events:
        if event.cause in follows:
            follows.add(event.number)
            beat = max(beat, event.beat)
    after = turn.at(beat)
    rammer, other = after.facts.cars[RAMMER], after.facts.cars[HIT]
    gain = after.scores[0] - turn.before.scores[0]
    return CrashOutcome(crash.rule, gain, rammer.speed, other.speed, DIRECTIONS.index(other.facing), beat)


def table(game: Game) -> Mapping[tuple[int, int, int], CrashOutcome]:
    """Return the result of every blow by side, speed of the rammer and speed of the struck car."""
    return {
        (side, v, w): outcome(play(game, Blow((side + 3) % 6, 0, v, w)))
        for side, v, w in product(range(6), SPEEDS_OF_RAMMER, SPEEDS_OF_HIT)
    }


def consequences(blow: Blow, result: CrashOutcome) -> list[str]:
    """Describe the payment, the speeds and the rotation."""
    pays = (
        f"B pays A {counted(result.gain, 'chit')}" if result.gain > 0 else f"A pays B {counted(-result.gain, 'chit')}"
    )
    rammer = f"keeps its speed {result.v}" if result.v else "stops"
    other = "stands" if blow.w == 0 else f"keeps its speed {result.w}" if result.w else "stops"
    rotation = f", and is turned to {DIRECTIONS[result.facing]}" if result.facing != blow.facing else ""
    return [f"{pays if result.gain else 'Nobody pays'}.", f"Car {RAMMER} {rammer}.", f"Car {HIT} {other}{rotation}."]


# Geometry


def window(before: State) -> Window:
    """Return the visible window: two hexes around the struck car."""
    other = next(piece for piece in before.picture().pieces if piece.key == f"car {HIT}")
    return around(other.x, other.y, DIAL, DIAL)


def span(outcomes: Mapping[tuple[int, int, int], CrashOutcome]) -> tuple[int, int]:
    """Return the smallest and the largest gain."""
    gains = [result.gain for result in outcomes.values()]
    return min(gains), max(gains)


def cell_box(side: int, v: int, w: int) -> tuple[float, float, float, float]:
    """Return the left, top, right and bottom of a cell of the table."""
    left = LEFT + (v - 1) * (4 * CELL + GROUP) + w * CELL
    top = TOP + side * ROW
    return left, top, left + CELL, top + ROW


def cells(outcomes: Mapping[tuple[int, int, int], CrashOutcome]) -> list[Shape]:
    """Draw the table of the rammer's gains; a line below a number marks a car that stops."""
    shapes: list[Shape] = [Text(DIAL + 16, 20, "What the rammer gets (click one)", 16, "ink", "left", bold=True)]
    low, high = span(outcomes)
    for v in SPEEDS_OF_RAMMER:
        left, *_ = cell_box(0, v, 0)
        shapes.append(Text(left + 2 * CELL, 42, f"v = {v}", 15, "ink", bold=True))
        shapes += [Text(left + CELL * (w + 0.5), 61, f"w{w}" if w == 0 else str(w), 14, "muted") for w in SPEEDS_OF_HIT]
    for side, name in enumerate(SIDES):
        shapes.append(Text(LEFT - 8, TOP + ROW * (side + 0.5), f"{name} {side}", 14, "ink", "right"))
    for (side, v, w), result in outcomes.items():
        shapes += cell(cell_box(side, v, w), result, heat(result.gain, low, high), w > 0)
    words = "A line in the left half: the rammer stops; in the right half: the other car."
    return [*shapes, Text(DIAL + 16, TOP + 6 * ROW + 14, words, 14, "muted", "left")]


def cell(box: tuple[float, float, float, float], result: CrashOutcome, paint: str, has_moved: bool) -> Iterator[Shape]:
    """Draw a cell of the table: the gain, and lines for cars that stop."""
    left, top, right, bottom = box
    middle: Point = (left + right) / 2, (top + bottom) / 2
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    yield from (
        Polygon(corners, paint, "panel", 1.5),
        Text(*middle, signed(result.gain), 15, f"{paint} ink", bold=True),
    )
    low = bottom - 4.5
    if result.v == 0:
        yield Line(((left + 5, low), (middle[0] - 2, low)), f"{paint} ink", 2)
    if has_moved and result.w == 0:
        yield Line(((middle[0] + 2, low), (right - 5, low)), f"{paint} ink", 2)
