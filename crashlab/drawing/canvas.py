"""Draws pictures on a canvas in the browser. Only this file and `pen` know ipycanvas.

A *surface* is one canvas of four layers: the still board, marks on it, the pieces, and above them whatever moves or
points. Everything that changes at once is written down first, as plain commands, and then sent as one message: if the
writing fails nothing is sent, two threads cannot mix their drawings, and no number reaches the browser unchecked.

A map in the picture is drawn through a lens: larger, cut off at the map's edges, and of it only what may be seen. When
the lens changes, the layers themselves are magnified for some frames, which takes few commands. Films are not drawn
here: the page plays them on the same layers (`PagePlayer`), until a picture is drawn again.

What ipycanvas 0.14 does that this file works round:
    - all canvases of a page share one queue of commands, and one bad command or one sleep stops them all:
      a surface has a queue of its own
    - NaN, an infinity or a negative radius kills a queue until the page is loaded again: `pen.number` and `pen.size`
    - after a reload the canvas is empty and the queue knows no canvas: each message begins by naming its layer,
      and everything is drawn again when a browser says that it is ready
    - every key is swallowed, so that Tab would never leave the canvas: `on_key`
    - the wheel and touches are swallowed, so that the page does not scroll: `crashlab/lab/page`, by the classes here
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from math import ceil, hypot
from typing import Protocol

from ipycanvas import MultiCanvas
from ipycanvas.canvas import _CanvasManager

from crashlab.drawing.pen import Atlas, Command, Pen, number
from crashlab.drawing.shapes import Picture, Point, Shape
from crashlab.drawing.tween import FRAME, NAP, NEARER
from crashlab.drawing.zoom import Lens, gliding

BOARD, MARKS, PIECES, TOP = range(4)  # the layers
SHARP = 2  # pixels of the canvas for one of the picture at scale 1: sharp on projectors, and on fine screens
SHARPEST = 3.5  # as many at most, where a fine screen shows it larger
SLACK = 6.0  # pixels that a mouse may move while it clicks
PACE = 0.06  # seconds between two pictures of a map that is dragged
DOUBLE = 0.35  # seconds within which two clicks are one
# How the page knows our canvases, those with a map to be dragged, and those with keys.
OURS, NEAR, KEYS = "crashlab-board", "crashlab-near", "crashlab-keys"

Shapes = Sequence[Shape]
CanvasPicture = tuple[Picture, Shapes, Shapes, Lens | None]


class PagePlayer(Protocol):
    """Who draws on the layers of a surface while a film is shown (`lab.playback`)."""

    playing: bool

    def leave(self) -> None:
        """Draw no more: the surface does."""

    def look(self, before: Lens | None, lens: Lens | None) -> None:
        """Show the same through this lens, in the surface's colours and as sharply as it is now.

        It comes nearer, or goes farther, from the lens before, if there is one.
        """


class Surface:
    """One canvas for pictures of one size. `widget` is what is put on the page."""

    def __init__(self, width: float, height: float, colours: Mapping[str, str], scale: float = 1.0) -> None:
        self.lock = threading.RLock()
        self.colours = colours
        self.width, self.height = width, height
        self.zoom = SHARP * scale
        self.widget = MultiCanvas(
            TOP + 1,
            width=round(width * self.zoom),
            height=round(height * self.zoom),
            layout={"width": f"{round(width * scale)}px", "max_width": "100%", "height": "auto"},
        )
        self.widget.add_class(OURS)
        self.counts_all = False  # whether a double click is two clicks
        self._drags = False  # whether a map that is looked at from near can be dragged
        self.messages = 0  # sent so far
        self._shown: CanvasPicture | None = None
        self._drawn: dict[int, tuple[Shapes, Lens | None]] = {}  # what layers show, if that may stay
        self.player: PagePlayer | None = None
        self.plays = False  # whether the page's player draws, and not the surface
        self._quiet_at = 0.0  # when the browser has played what was sent to it
        self.atlas = Atlas()
        self._own_queue()
        self.widget.on_client_ready(self.redraw)

    def _own_queue(self) -> None:
        self.queue = _CanvasManager()
        for canvas in (self.widget, *self.widget._canvases, self.atlas.canvas):
            canvas._canvas_manager = self.queue

    # Drawing

    def draw(
        self, picture: Picture, marks: Shapes = (), top: Shapes = (), lens: Lens | None = None, glides: bool = False
    ) -> None:
        """Show a picture, with marks under its pieces and shapes above them, its map through a lens: one message.

        If it may, the map glides nearer or farther.
        """
        with self.lock:
            steps = gliding(self.lens, lens, NEARER) if glides else []
            if self.plays and self.player:
                self.plays = False
                self.player.leave()
            try:
                commands = self._write((picture, marks, top, lens), steps)
            except Exception:
                self.atlas.forget()  # nothing was sent
                self._drawn = {}
                raise
            self.queue._send_custom(commands)
            self.messages += 1
            self._shown = picture, marks, top, lens
            self._tell_how_near()
            self._quiet_at = max(self._quiet_at, time.monotonic()) + len(steps) * FRAME / 1000

    def played(self, picture: Picture, marks: Shapes, top: Shapes, lens: Lens | None) -> None:
        """This is what the page's player shows: nothing is drawn."""
        with self.lock:
            if self.plays and self.player and lens != self.lens:
                self.player.look(self.lens, lens)
            self.hand_over()
            self._shown = picture, marks, top, lens
            self._tell_how_near()

    def hand_over(self) -> None:
        """The page's player draws, until a picture is drawn here."""
        self.plays = True
        self._drawn = {}

    def _write(self, shown: CanvasPicture, steps: Sequence[Lens]) -> list[Command]:
        picture, marks, top, lens = shown
        before = self.lens
        pen = Pen(self.colours, self.zoom, self.atlas, lens)
        pen.stock(picture.pieces)
        comes_near = before and lens and before.zoom < lens.zoom
        if comes_near:
            self._glide(pen, before, steps)
        self._lay(pen, BOARD, picture.board)
        self._lay(pen, MARKS, marks)
        pen.take(self.widget[PIECES])
        pen.pieces(picture.pieces)
        if not comes_near:
            self._glide(pen, lens, steps)
        if steps:
            self._drawn.pop(TOP, None)  # they were above all
        self._lay(pen, TOP, top)
        return pen.commands

    def _glide(self, pen: Pen, drawn: Lens | None, steps: Sequence[Lens]) -> None:
        """Show what the layers have, drawn through one lens, as if through others: magnified, above everything."""
        for lens in steps:
            assert drawn is not None
            pen.take(self.widget[TOP])
            times = lens.zoom / drawn.zoom
            zoom = self.zoom
            shift = [zoom * (to - times * was) for to, was in zip(lens.shift, drawn.shift, strict=True)]
            pen.do("save")
            pen.cut(lens.map)
            pen.style(global_alpha=1.0)
            pen.do("setTransform", round(times, 4), 0, 0, round(times, 4), *map(number, shift))
            for layer in (BOARD, MARKS, PIECES):
                name = pen.name(self.widget[layer])
                pen.do("drawImage", name, 0, 0, self.widget.width, self.widget.height)
            pen.do("restore")
            pen.do("sleep", NAP)

    def _lay(self, pen: Pen, layer: int, shapes: Shapes) -> None:
        """Draw a layer, unless it is to be seen so already: each that is drawn makes the browser compose them all."""
        if self._drawn.get(layer) != (shapes, pen.lens):
            pen.take(self.widget[layer])
            pen.layer(shapes)
            self._drawn[layer] = shapes, pen.lens

    @property
    def playing(self) -> bool:
        """Whether a film plays, or the map still comes nearer or goes farther."""
        plays = self.plays and self.player is not None and self.player.playing
        return plays or time.monotonic() < self._quiet_at

    def redraw(self) -> None:
        """Draw everything again, also the still board."""
        with self.lock:
            self._drawn = {}
            self.atlas.forget()
            if self._shown:
                self.draw(*self._shown)

    def _repaint(self) -> None:
        if self.player:
            self.player.look(None, self.lens)
        if not self.plays:
            self.redraw()

    def paint(self, colours: Mapping[str, str]) -> None:
        """Paint it in these colours from now on."""
        self.colours = colours
        self._repaint()

    def sharpen(self, pixels: float) -> None:
        """Draw for a page that shows it with so many pixels across: never less sharply than before."""
        zoom = min(ceil(2 * pixels / self.width) / 2, SHARPEST)
        if zoom <= self.zoom:
            return
        with self.lock:
            self.zoom = zoom
            self.widget.width, self.widget.height = round(self.width * zoom), round(self.height * zoom)
            self._repaint()

    def point(self, top: Shapes) -> None:
        """Show other shapes above the same picture: only their layer is drawn."""
        with self.lock:
            if self._shown is None:
                return
            picture, marks, _, lens = self._shown
            pen = Pen(self.colours, self.zoom, self.atlas, lens)
            pen.take(self.widget[TOP])
            pen.layer(top)
            self.queue._send_custom(pen.commands)
            self.messages += 1
            self._shown = picture, marks, top, lens
            self._drawn[TOP] = top, lens

    # Mouse, finger and keys

    def on_click(
        self,
        react: Callable[[float, float], object],
        drag: Callable[[float, float, float, float], object] | None = None,
    ) -> None:
        """React to a click or a touch, in the coordinates of the picture; a double click is one unless it `counts_all`.

        Where the map has a lens and can be dragged, `drag` is called from where it was taken and to where it is now,
        and a click is one that has not moved when it ends.
        """
        last = [-1.0, 0.0, 0.0]
        held = Grip()
        self._drags = drag is not None
        self._tell_how_near()

        def click(x: float, y: float) -> None:
            now = time.monotonic()
            with self.lock:
                again = now - last[0] < DOUBLE and hypot(x - last[1], y - last[2]) < 8
                taken = self.counts_all or not again
                if taken:
                    last[:] = now, x, y
            if taken:
                react(x, y)

        def press(x: float, y: float) -> None:
            x, y = number(x) / self.zoom, number(y) / self.zoom
            if drag and self.lens and self.lens.zoom > 1 and self.lens.map.holds(x, y):
                held.take(x, y)
            else:
                click(x, y)

        def move(x: float, y: float) -> None:
            x, y = number(x) / self.zoom, number(y) / self.zoom
            if drag and held.place and held.follows(x, y):
                drag(*held.place, x, y)
                held.take(x, y, True)

        def release(*_: object) -> None:
            place, moved = held.place, held.moved
            held.drop()
            if place and not moved:
                click(*place)

        self.widget.on_mouse_down(press)
        self.widget.on_touch_start(lambda touches: press(*touches[0]) if touches else None)
        self.widget.on_mouse_move(move)
        self.widget.on_touch_move(lambda touches: move(*touches[0]) if touches else None)
        self.widget.on_mouse_up(release)
        self.widget.on_touch_end(release)
        self.widget.on_mouse_out(lambda *_: held.drop())

    def on_draw(self, react: Callable[[float, float, bool], object]) -> None:
        """React to the mouse or a finger as to a pencil: `react(x, y, True)` where it is put down, and with False where
        it goes from there.
        """
        seen: list[float] = []  # while it is down, when it was seen last

        def put(x: float, y: float) -> None:
            seen[:] = [time.monotonic()]
            react(number(x) / self.zoom, number(y) / self.zoom, True)

        def move(x: float, y: float) -> None:
            if seen and time.monotonic() - seen[0] > PACE:
                seen[:] = [time.monotonic()]
                react(number(x) / self.zoom, number(y) / self.zoom, False)

        def lift(*place: float) -> None:
            if seen and len(place) == 2:
                react(number(place[0]) / self.zoom, number(place[1]) / self.zoom, False)
            seen.clear()

        self.widget.add_class(NEAR)  # a finger draws, and does not move the page
        self.widget.on_mouse_down(put)
        self.widget.on_touch_start(lambda touches: put(*touches[0]) if touches else None)
        self.widget.on_mouse_move(move)
        self.widget.on_touch_move(lambda touches: move(*touches[0]) if touches else None)
        self.widget.on_mouse_up(lift)
        self.widget.on_touch_end(lambda *_: lift())
        self.widget.on_mouse_out(lambda *_: lift())

    def on_hover(self, react: Callable[[float, float], object], leave: Callable[[], object]) -> None:
        """React to a mouse that moves over the picture, and to one that leaves it."""
        self.widget.on_mouse_move(lambda x, y: react(number(x) / self.zoom, number(y) / self.zoom))
        self.widget.on_mouse_out(lambda *_: leave())

    def _tell_how_near(self) -> None:
        """Tell the page whether a finger drags the map, not the page."""
        near = self._drags and self.lens is not None and self.lens.zoom > 1
        (self.widget.add_class if near else self.widget.remove_class)(NEAR)

    @property
    def lens(self) -> Lens | None:
        """The lens through which the map is shown."""
        return self._shown[3] if self._shown else None

    def look(self, lens: Lens, glides: bool = False) -> None:
        """Show the same through another lens."""
        with self.lock:
            if self._shown and self.plays and self.player:
                self.player.look(self.lens if glides else None, lens)
                self._shown = *self._shown[:3], lens
                self._tell_how_near()
            elif self._shown:
                self.draw(*self._shown[:3], lens, glides)

    def on_key(self, react: Callable[[str], object], leave: Callable[[], object]) -> None:
        """React to keys on the canvas; Tab and Escape leave it. An arrow with the shift key is `Shift+ArrowLeft`.

        Keys with Ctrl or Meta, and Shift and Enter, are not for the board: they are JupyterLab's and the browser's.
        """

        def press(key: str, shift: bool = False, ctrl: bool = False, meta: bool = False) -> None:
            if ctrl or meta or (shift and key == "Enter"):
                return
            if key in ("Tab", "Escape"):
                leave()
            else:
                react(f"Shift+{key}" if shift and key.startswith("Arrow") else key)

        self.widget.on_key_down(press)
        self.widget.add_class(KEYS)


class Grip:
    """Where a map is held by a mouse or a finger that drags it."""

    place: Point | None = None
    moved = False
    _since = 0.0

    def take(self, x: float, y: float, moved: bool = False) -> None:
        """Hold it at this point; `moved` says whether it has been dragged since it was taken."""
        self.place = (x, y)
        self.moved = moved
        self._since = time.monotonic()

    def follows(self, x: float, y: float) -> bool:
        """Whether the map is to be dragged here: after SLACK pixels at first, then at most every PACE seconds."""
        if not self.place:
            return False
        far = hypot(x - self.place[0], y - self.place[1])
        return far > (0 if self.moved else SLACK) and time.monotonic() - self._since > (PACE if self.moved else 0)

    def drop(self) -> None:
        """Let go of it."""
        self.place, self.moved = None, False
