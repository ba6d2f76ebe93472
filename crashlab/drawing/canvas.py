"""The canvas of a board in the browser, with its mouse, touch and key events. Only this file uses ipycanvas.

The browser paints the canvas (`lab.playback`) on two layers: the still board, and the pieces with their marks.

Workarounds for ipycanvas 0.14:
    - it swallows every key, so that Tab would never leave the canvas: see `crashlab/lab/board_page.js`
    - it swallows the wheel and touches, so that a page does not scroll: see `lab/panel_page` and the classes below
"""

import threading
import time
from collections.abc import Callable, Sequence
from math import ceil, hypot, inf
from typing import Any

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
            "NumPy could not be fetched from cdn.jsdelivr.net, so boards cannot be shown. Ask the administrator of your"
            " network to allow this address, or use a site built with `make site ARGS=--whole`: it includes NumPy"
        ) from None
    raise

LAYERS = 2  # the still board, and the pieces on it
SHARP = 2  # canvas pixels per picture pixel at scale 1: sharp on projectors and high-resolution screens
SHARPEST = 3.5  # maximum of canvas pixels per picture pixel, for enlarged boards on high-resolution screens
SLACK = 6.0  # pixels that the mouse may move during a click
PACE = 0.06  # seconds between redraws of a dragged map
DOUBLE = 0.35  # seconds between the clicks of a double click
# CSS classes of all our canvases, of canvases with a draggable map, and of canvases with keys.
OURS, NEAR, KEYS = "crashlab-board", "crashlab-near", "crashlab-keys"

SHARED = _CANVAS_MANAGER  # the canvas manager of the kernel
Shapes = Sequence[Shape]


class Surface:
    """A canvas for pictures of one size; `widget` is its ipywidget."""

    def __init__(self, width: float, height: float, scale: float = 1.0, classes: Sequence[str] = ()) -> None:
        self.lock = threading.RLock()  # of the board: callbacks and drawing hold it
        self.width, self.height = width, height
        self.zoom = SHARP * scale
        self.widget = MultiCanvas(
            LAYERS,
            width=round(width * self.zoom),
            height=round(height * self.zoom),
            layout={"width": f"{round(width * scale)}px", "max_width": "100%", "height": "auto"},
            _dom_classes=(OURS, *classes),
        )
        let_page_route(self.widget)
        self.counts_all = False  # whether both clicks of a double click count
        self._near = inf  # the zoom above which a finger draws or drags the map, and does not scroll the page
        self.lens: Lens | None = None  # the lens of the map; None without a map

    def sharpen(self, pixels: float) -> None:
        """Raise the resolution for a page that shows the canvas `pixels` wide; it is never lowered."""
        zoom = min(ceil(2 * pixels / self.width) / 2, SHARPEST)
        if zoom > self.zoom:
            self.zoom = zoom
            self.widget.width, self.widget.height = round(self.width * zoom), round(self.height * zoom)

    def look(self, lens: Lens | None) -> None:
        """Set the lens of the map."""
        self.lens = lens
        self._tell_how_near()

    # Mouse, finger and keys

    def on_click(
        self,
        react: Callable[[float, float], object],
        drag: Callable[[float, float, float, float], object] | None = None,
    ) -> None:
        """Call `react` with the picture coordinates of each click or touch.

        A double click counts once unless `counts_all` is set. On a zoomed map, `drag` is called with the old and the
        new point of a drag, and a click is a press that ends where it began.
        """
        last = [-1.0, 0.0, 0.0]
        grip = Grip()
        self._near = 1 if drag else inf
        self._tell_how_near()

        def click(x: float, y: float) -> None:
            now = time.monotonic()
            with self.lock:
                again = now - last[0] < DOUBLE and hypot(x - last[1], y - last[2]) < 8
                is_taken = self.counts_all or not again
                if is_taken:
                    last[:] = now, x, y
            if is_taken:
                react(x, y)

        def press(x: float, y: float) -> None:
            x, y = number(x) / self.zoom, number(y) / self.zoom
            if drag and self.lens and self.lens.zoom > 1 and self.lens.map.holds(x, y):
                grip.take(x, y)
            else:
                click(x, y)

        def move(x: float, y: float) -> None:
            x, y = number(x) / self.zoom, number(y) / self.zoom
            if drag and grip.place and grip.follows(x, y):
                drag(*grip.place, x, y)
                grip.take(x, y, True)

        def release(*_: object) -> None:
            place, moved = grip.place, grip.moved
            grip.drop()
            if place and not moved:
                click(*place)

        self.widget.on_mouse_down(press)
        self.widget.on_touch_start(lambda touches: press(*touches[0]) if touches else None)
        self.widget.on_mouse_move(move)
        self.widget.on_touch_move(lambda touches: move(*touches[0]) if touches else None)
        self.widget.on_mouse_up(release)
        self.widget.on_touch_end(release)
        self.widget.on_mouse_out(lambda *_: grip.drop())

    def on_draw(self, react: Callable[[float, float, bool], object]) -> None:
        """Use the mouse or a finger as a pencil.

        `react(x, y, True)` is called where the pencil is put down, and `react(x, y, False)` where it moves and where
        the mouse is released, or was last before the finger left.
        """
        latest: list[float] = []  # the time of the last event while the pencil is down, else empty
        skipped: list[float] = []  # the place of a move that came too soon after another

        def put(x: float, y: float) -> None:
            latest[:] = [time.monotonic()]
            skipped.clear()
            react(number(x) / self.zoom, number(y) / self.zoom, True)

        def move(x: float, y: float) -> None:
            skipped[:] = x, y
            if latest and time.monotonic() - latest[0] > PACE:
                latest[:] = [time.monotonic()]
                skipped.clear()
                react(number(x) / self.zoom, number(y) / self.zoom, False)

        def lift(*place: float) -> None:
            place = place or tuple(skipped)  # a finger that leaves has no place
            if latest and place:
                react(number(place[0]) / self.zoom, number(place[1]) / self.zoom, False)
            latest.clear()

        self._near = 0
        self._tell_how_near()
        self.widget.on_mouse_down(put)
        self.widget.on_touch_start(lambda touches: put(*touches[0]) if touches else None)
        self.widget.on_mouse_move(move)
        self.widget.on_touch_move(lambda touches: move(*touches[0]) if touches else None)
        self.widget.on_mouse_up(lift)
        self.widget.on_touch_end(lambda *_: lift())
        self.widget.on_mouse_out(lambda *_: lift())

    def _tell_how_near(self) -> None:
        """Tell the page whether a finger draws or drags the map, or else scrolls the page."""
        zoom = self.lens.zoom if self.lens else 1
        (self.widget.add_class if zoom > self._near else self.widget.remove_class)(NEAR)

    def on_key(self, react: Callable[[str], object]) -> None:
        """Call `react` with the name of each key pressed on the canvas, such as `Shift+ArrowLeft`.

        Keys with Ctrl or Meta, and Shift+Enter, are left to JupyterLab and the browser.
        """

        def press(key: str, shift: bool = False, ctrl: bool = False, meta: bool = False) -> None:
            if ctrl or meta or (shift and key == "Enter"):
                return
            react(f"Shift+{key}" if shift and key.startswith("Arrow") else key)

        self.widget.on_key_down(press)
        self.widget.add_class(KEYS)


def let_page_route(widget: Any) -> None:
    """Deliver all messages of a widget in the thread that the page names, and thus in order, even while a cell runs.

    By default ipykernel 7.4 delivers a message in the thread that last sent a message to the widget. Where that thread
    changes between two events, the later one may be handled first, and the thread of a running cell is busy. JupyterLab
    names the same thread for all widgets of a page unless its setting for comms and subshells is changed.
    """
    if widget.comm is not None:
        widget.comm._reply_subshell_for = None  # hides a method


class Grip:
    """The state of a drag: the point at which the map is held."""

    place: Point | None = None
    moved = False
    _since = 0.0

    def take(self, x: float, y: float, has_moved: bool = False) -> None:
        """Hold the map at a point; `has_moved` is true if the drag has already moved the map."""
        self.place = (x, y)
        self.moved = has_moved
        self._since = time.monotonic()

    def follows(self, x: float, y: float) -> bool:
        """Return whether to drag the map to a point: first after SLACK pixels, then at most every PACE seconds."""
        if not self.place:
            return False
        far = hypot(x - self.place[0], y - self.place[1])
        return far > (0 if self.moved else SLACK) and time.monotonic() - self._since > (PACE if self.moved else 0)

    def drop(self) -> None:
        self.place, self.moved = None, False
