"""The canvas of a board in the browser, and what a mouse, a finger and keys do there. Only this file knows ipycanvas.

The page paints it (`lab.playback`): on two layers, the still board, and above it the pieces with all that marks them.

What ipycanvas 0.14 does that this file works round:
    - every key is swallowed, so that Tab would never leave the canvas: `crashlab/lab/board_page.js`
    - the wheel and touches are swallowed, so that a page does not scroll: `lab/panel_page`, by the classes here
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from math import ceil, hypot

from crashlab.base import errors
from crashlab.drawing.film_json import number
from crashlab.drawing.shapes import Point, Shape
from crashlab.drawing.zoom import Lens

try:
    from ipycanvas import MultiCanvas
    from ipycanvas.canvas import _CANVAS_MANAGER
except ModuleNotFoundError as error:
    if errors.IN_BROWSER and error.name == "numpy":
        raise errors.CrashlabError(
            "NumPy could not be fetched from cdn.jsdelivr.net, so boards cannot be shown: ask whoever runs your network"
            " to allow this address, or use a site that was built with `make site ARGS=--whole`, which brings it along"
        ) from None
    raise

LAYERS = 2  # the still board, and all that stands on it
SHARP = 2  # pixels of the canvas for one of the picture at scale 1: sharp on projectors, and on fine screens
SHARPEST = 3.5  # as many at most, where a fine screen shows it larger
SLACK = 6.0  # pixels that a mouse may move while it clicks
PACE = 0.06  # seconds between two pictures of a map that is dragged
DOUBLE = 0.35  # seconds within which two clicks are one
# How the page knows our canvases, those with a map to be dragged, and those with keys.
OURS, NEAR, KEYS = "crashlab-board", "crashlab-near", "crashlab-keys"

SHARED = _CANVAS_MANAGER  # which all canvases of a kernel have
Shapes = Sequence[Shape]


class Surface:
    """One canvas for pictures of one size. `widget` is what is put on the page."""

    def __init__(self, width: float, height: float, scale: float = 1.0, classes: Sequence[str] = ()) -> None:
        self.lock = threading.RLock()
        self.width, self.height = width, height
        self.zoom = SHARP * scale
        self.widget = MultiCanvas(
            LAYERS,
            width=round(width * self.zoom),
            height=round(height * self.zoom),
            layout={"width": f"{round(width * scale)}px", "max_width": "100%", "height": "auto"},
            _dom_classes=(OURS, *classes),
        )
        self.counts_all = False  # whether a double click is two clicks
        self._drags = False  # whether a map that is looked at from near can be dragged
        self.lens: Lens | None = None  # through which the map is shown

    def sharpen(self, pixels: float) -> None:
        """Have as many pixels as a page needs that shows it with so many across: never fewer than before."""
        zoom = min(ceil(2 * pixels / self.width) / 2, SHARPEST)
        if zoom > self.zoom:
            self.zoom = zoom
            self.widget.width, self.widget.height = round(self.width * zoom), round(self.height * zoom)

    def look(self, lens: Lens | None) -> None:
        """The map is shown through this lens."""
        self.lens = lens
        self._tell_how_near()

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

    def _tell_how_near(self) -> None:
        """Tell the page whether a finger drags the map, not the page."""
        near = self._drags and self.lens is not None and self.lens.zoom > 1
        (self.widget.add_class if near else self.widget.remove_class)(NEAR)

    def on_key(self, react: Callable[[str], object]) -> None:
        """React to keys on the canvas. An arrow with the shift key is `Shift+ArrowLeft`.

        Keys with Ctrl or Meta, and Shift and Enter, are not for the board: they are JupyterLab's and the browser's.
        """

        def press(key: str, shift: bool = False, ctrl: bool = False, meta: bool = False) -> None:
            if ctrl or meta or (shift and key == "Enter"):
                return
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
