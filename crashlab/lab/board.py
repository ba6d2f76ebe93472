"""A board on the page: the picture, and below it a line that describes it.

All interactive panels are built on a board. It guarantees to the widgets around it:

    - callbacks run one at a time, in whatever thread they arrive (`guard`), and never beside a cell's call (`alone`)
    - a callback caused by a callback's own change of a control is ignored
    - a panel's state is one value, `now`, which is replaced and never mutated
    - an error is shown in the status line and stored in `error`, and `now` keeps its value
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from math import dist
from numbers import Real
from typing import Any
from uuid import uuid4

import ipywidgets as widgets
from ipywidgets.widgets.widget_string import HTMLStyle

from crashlab.base.errors import CrashlabError, as_float, expect, printable, require, short_repr, short_str, truth
from crashlab.drawing import player, primitives, svg, themes, zoom
from crashlab.drawing.canvas import DOUBLE, SHARED, Shapes, Surface
from crashlab.drawing.film_json import Document
from crashlab.drawing.html import Html, element
from crashlab.drawing.shapes import Map, Picture, Piece, Point, Polygon, Text, box, placed, slab
from crashlab.drawing.sheet import mimebundle
from crashlab.drawing.styles import WARNING
from crashlab.engine.game import State
from crashlab.lab import notebook_cells, page_module
from crashlab.lab.page_module import shared
from crashlab.lab.playback import NONE, BoardPage, PagePart, Targets

SCREEN_KEY = "f fills the screen"
ZOOM_STEP = 1.4  # factor of each press of the zoom button
STRIDE = 0.25  # an arrow key moves a map by this share of its visible part
WAYS = {"Shift+ArrowRight": (1, 0), "Shift+ArrowLeft": (-1, 0), "Shift+ArrowDown": (0, 1), "Shift+ArrowUp": (0, -1)}
MAP_KEYS = "+ zooms in, − zooms out, 0 follows the game again; Shift and arrows move the map"
ROW = {"flex_flow": "row wrap", "align_items": "center"}
# Buttons in two columns of fixed width, so that a change of their words does not move them.
PAIRS = {"grid_template_columns": "minmax(0, 1fr) minmax(0, 1.1fr)", "grid_gap": "0 2px"}
NO_CLICKS = "Clicks do nothing here: use the controls or the keys."
FAR = "crashlab-far"  # class of the parts that are also visible in full screen
FINGER = 24.0  # minimum distance between two targets for a finger, in pixels of the page
WIDE = 3.0  # a piece this many times wider than high is marked by a frame, not a ring
MARK: dict[str, Any] = {"application/vnd.crashlab.panel+json": {}}  # marks the output of a panel for the page


class PanelClosed(CrashlabError, AttributeError):
    """Raised by any access to a closed panel."""


class Panel(widgets.VBox):  # type: ignore[misc]
    """Widgets in a column, replaced by a picture and words where widgets do not run.

    `close()` frees its models, threads and memory, in the kernel and in the browser. A panel is closed automatically
    when the cell that shows it is run again and no name refers to the panel.
    """

    board: Board
    now: Any  # its whole state, an immutable value
    about: Any  # the subject of work that can be resumed
    left: notebook_cells.SavedWork | None = None  # an earlier state that can be resumed
    closed = False

    def __init__(self, children: Sequence[widgets.Widget], **options: Any) -> None:
        self.cells: dict[str, str] = {}  # ids of the cells that created or showed it, each with the id of that run
        super().__init__(children, **{"layout": shared(), **options}, _dom_classes=("crashlab-panel",))
        notebook_cells.belongs(self)
        self.home = next(iter(self.cells), "")  # the cell that made it

    def still(self) -> tuple[Picture, str]:
        """Return the picture and the words shown instead of the widgets."""
        raise NotImplementedError

    def film_document(self) -> Document | None:
        """Return the film to show where only scripts run; None if there is no film or it is too long."""
        return None

    @property
    def error(self) -> Exception | None:
        """The last error shown in the status line, or None."""
        return self.board.problem

    def close(self) -> None:
        """Remove the panel from the page, and free its models, its threads and its memory."""
        if self.comm is None:
            return  # it is already closed, or its construction failed
        with self.board.lock:
            self._end()
            models = parts(self)
            super().close()
            for part in models:
                part.close()
            notebook_cells.forget(self)
            self.__dict__.clear()  # pyright: ignore[reportAttributeAccessIssue]  # it is a dict here
            self.setup_instance()  # an empty widget without a model
            self.closed = True

    def _end(self) -> None:
        """Stop background work; a hook for subclasses."""

    def repaint(self) -> None:
        """Redraw the parts beside the board after a change of its theme; a hook for subclasses."""

    def done(self) -> notebook_cells.SavedWork | None:
        """Return the work done in the panel, for another panel to resume; None if there is none."""
        return None

    def kept(self) -> dict[str, Any] | None:
        """Return the data that the notebook stores for a later kernel, or None; `words` in it describes the picture."""
        return None

    def _resume(self, words: str, react: Callable[[], object]) -> widgets.Button:
        """Return a hidden button that resumes the earlier state."""
        how_far = self.left.words if self.left else ""
        return button(
            words, self.board.guard(react), how_far, "history", once=True, layout=shared(width="auto", display="none")
        )

    def __getattr__(self, name: str) -> Any:
        if self.closed:
            raise PanelClosed(self._farewell)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    @property
    def _farewell(self) -> str:
        return f"this {type(self).__name__} is closed: run its cell again"

    def __repr__(self) -> str:
        return f"<{self._farewell}>" if self.closed else str(super().__repr__())

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        if self.closed:
            return {"text/plain": f"{self._farewell}."}
        notebook_cells.belongs(self)
        self.board.page.settle()
        widget: dict[str, Any] = super()._repr_mimebundle_(**kwargs) or {}
        with self.board.lock:  # in JupyterLab the page's messages arrive in another thread
            still, film = mimebundle(*self.still(), self.board.chosen or themes.FIRST), self.film_document()
        bundle = {**widget, **(player.shown(film, still, self.board.chosen) if film else still), **MARK}
        _, where = self.board.page._repr_mimebundle_() or ({}, {})  # in Colab: the address of the widget manager
        return (bundle, where) if where else bundle


class Board(Panel):
    """A board that shows a state, or any picture, on the page.

    A map can be zoomed and moved with the buttons, with keys and by dragging. A board that `follows` the game zooms in
    by itself as far as all important places stay visible (see `look_at`).

    Without a `theme` the board uses JupyterLab's theme; without a `scale` it fills the width of the page. If the page
    reports neither, the board is light and has the size of its picture.

        >>> board = Board(crashlab.game("crash_city").start(seed=1), theme="dark", scale=0.5)
        >>> board.show(crashlab.game("crash_city").start(seed=2).picture())
    """

    seen = themes.FIRST  # the theme that a page last reported for a board

    def __init__(
        self,
        shown: State | Picture,
        *,
        theme: str | None = None,
        scale: float | None = None,
        animate: bool = True,
        follows: bool = False,
    ) -> None:
        expect(shown, State | Picture, "a Board shows a State or a Picture")
        picture = shown if isinstance(shown, Picture) else shown.picture()
        expect(scale, Real | None, "scale must be a number")
        require(scale is None or 0.3 <= as_float(scale) <= 4, f"scale={short_repr(scale)}: give a number from 0.3 to 4")
        self.board = self
        self.owner: Panel = self
        self.now = None
        self.chosen = theme
        self.theme = Board.seen if theme is None else theme
        self.scale = 1.0 if scale is None else as_float(scale)
        self.animate = truth("animate", animate)
        self.problem: Exception | None = None
        self.said = ""  # text of the status line
        self._inside = False
        self._what = "picture" if isinstance(shown, Picture) else "position"
        paints = themes.theme(self.theme, picture.colours)
        mark = f"crashlab-board-{uuid4().hex}"
        self.surface = Surface(picture.width, picture.height, self.scale, (mark, FAR))
        self.lock = self.surface.lock
        self.zoomed: Callable[[], object] = lambda: None  # called to redraw marks in another size
        self.follows, self.is_zoomed = truth("follows", follows), False  # whether the user has set the zoom
        self.lens: zoom.Lens | None = None
        self.touched = 0  # width in pixels of the page if a finger touches it, else 0
        self.which: widgets.HBox | None = None  # buttons that ask which target a finger meant
        layout = shared(max_width=f"{round(picture.width * self.scale)}px")
        with self.lock:  # messages of the page wait until the board itself is complete; its owner may not be
            self.page = BoardPage(
                self.surface,
                paints,
                self.guard,
                self.animate,
                mark=mark,
                letters=15 * self.scale,
                has_map=picture.map is not None,
                layout=shared(width="100%", display="flex"),
                _dom_classes=("crashlab-below", FAR),
            )
            self.page.listen(self._near, lambda: self.picture.words, self._see)
            self.words = PagePart(self.page, "position")  # placed by the owner of the board
            super().__init__([self.surface.widget, self.page], layout=layout)
            if scale is not None:
                self.add_class("crashlab-fixed")
            self.show(picture)
            self.say(picture.words)

    def still(self) -> tuple[Picture, str]:
        """Return the current picture and its words."""
        return self.picture, self.picture.words

    # Pictures

    def show(self, picture: Picture, marks: Shapes = (), top: Shapes = (), targets: Targets = NONE) -> None:
        """Show a picture, with marks under its pieces, shapes above them, and hover targets."""
        with self.lock:
            if self.lens is None or self.lens.map != picture.map:
                self.look_at(picture, ())
            self.page.draw(picture, marks, top, self.lens, self.animate, targets)
            self._tell(picture)

    def played(self, beat: int, picture: Picture, layers: tuple[Shapes, Shapes], words: str) -> None:
        """Record the picture that the player shows, the shapes below and above its pieces, and its words."""
        with self.lock:
            self.end_question()
            self.said = words
            self.page.played(beat, (picture, *layers, self.lens))
            self._tell(picture)

    def _tell(self, picture: Picture) -> None:
        self.picture = picture
        state = self.owner.kept()
        self.page.describe(self._what, json.dumps({type(self.owner).__name__: state}) if state else "")

    # Zoom of the map

    def look_at(self, picture: Picture, points: Sequence[Point]) -> None:
        """Set the lens for the next picture so that it shows these points of its map."""
        if picture.map is None:
            self.lens = None
            return
        now = self.lens or zoom.whole(picture.map)
        if now.map != picture.map:
            now = zoom.lens(picture.map, now.zoom if self.is_zoomed else 1.0, *centre(picture.map, points))
        if self.is_zoomed:
            self.lens = zoom.following(now, points)
        else:
            self.lens = zoom.looking(now, points, picture.map.near if self.follows else 1.0)

    @property
    def small(self) -> float:
        """The factor that keeps the size of marks when the map is zoomed."""
        return self.lens.small if self.lens else 1.0

    def go_near(self, times: float) -> None:
        """Multiply the zoom of the map by `times`, and keep it when the game moves on."""
        if self.lens:
            self._look(zoom.lens(self.lens.map, self.lens.zoom * times, self.lens.x, self.lens.y))

    def _near(self, way: str) -> None:
        """Handle a press of a button of the map."""
        ways = {"farther": 1 / ZOOM_STEP, "nearer": ZOOM_STEP}
        self.go_near(ways[way]) if way in ways else self.let_go()

    def go_along(self, across: float, down: float) -> None:
        """Move the visible part of the map by `across` of its width and `down` of its height."""
        if self.lens:
            wide = (self.lens.map.right - self.lens.map.left) / self.lens.zoom
            high = (self.lens.map.bottom - self.lens.map.top) / self.lens.zoom
            x, y = self.lens.x + across * wide, self.lens.y + down * high
            self._look(zoom.lens(self.lens.map, self.lens.zoom, x, y))

    def let_go(self) -> None:
        """Show the whole map, and let it follow the game again from the next picture on."""
        if self.lens:
            self._look(zoom.whole(self.lens.map))
        self.is_zoomed = False

    def _look(self, lens: zoom.Lens) -> None:
        is_nearer = self.lens is None or lens.zoom != self.lens.zoom
        self.lens = lens
        self.is_zoomed = True
        self.page.look(lens, self.animate)
        if is_nearer:
            self.zoomed()

    def _drag(self, x: float, y: float, to_x: float, to_y: float) -> None:
        if self.lens:
            near = self.lens.zoom
            self._look(zoom.lens(self.lens.map, near, self.lens.x - (to_x - x) / near, self.lens.y - (to_y - y) / near))

    def _map_key(self, name: str) -> bool:
        """Handle a key that zooms or moves the map; return whether the key does that."""
        zooms = {"+": ZOOM_STEP, "=": ZOOM_STEP, "-": 1 / ZOOM_STEP, "−": 1 / ZOOM_STEP}
        if not self.lens:
            return False
        if name in zooms:
            self.go_near(zooms[name])
        elif name in WAYS:
            self.go_along(*(STRIDE * part for part in WAYS[name]))
        elif name == "0":
            self.let_go()
        else:
            return False
        return True

    def say(self, words: str, style: str = "", kind: str = "") -> None:
        """Write words into the status line; `kind` is a class that marks errors."""
        self.end_question()
        self.said = words
        self.page.say(printable(words), style, kind)

    def say_below(self, words: str) -> None:
        """Write words below those of the status line, which stay, unless they are there already."""
        if words not in self.said:
            self.said = f"{self.said}\n{words}".strip()
        self.page.say_below(printable(words), printable(self.said))

    def headline(self, words: str, pixels: int = 17) -> Html:
        """Write words in bold letters of this size as HTML; the size grows with the board."""
        return element("b", words, style=f"font-size: {round(pixels * self.scale)}px")

    def complain(self, error: Exception) -> None:
        """Show an error in the status line, and store it."""
        self.problem = error
        words = str(error) if isinstance(error, CrashlabError) else f"{type(error).__name__}: {short_str(error)}"
        hint = "" if isinstance(error, CrashlabError) else " (The full error is in .error.)"
        self.say(f"⚠ {words}\nNothing has changed.{hint}", WARNING, "crashlab-error")

    # Display

    def _see(self, theme: str, pixels: int, touched: int) -> None:
        """Apply the page's theme, unless one was chosen, and the sharpness of its screen."""
        Board.seen = theme
        self.touched = touched
        self.surface.sharpen(pixels)
        if self.chosen is None and theme != self.theme:
            self.theme = theme
            self.page.paint(themes.theme(self.theme, self.picture.colours))
            self.owner.repaint()

    # Fingers

    def finger(self, x: float, y: float) -> float:
        """Return the distance below which a finger cannot separate targets near (x, y); 0 for a mouse."""
        near = self.lens.zoom if self.lens and self.lens.map.holds(x, y) else 1.0
        return FINGER * self.picture.width / self.touched / near if self.touched else 0.0

    def ask_which(self, texts: Sequence[str], pick: Callable[[int], object]) -> None:
        """Ask which of several targets is meant, with a button for each, until another message appears."""
        self.say("Which one? They are too close for a finger.")

        def answer(number: int) -> None:
            self.end_question()
            pick(number)

        buttons = [button(text, self.guard(partial(answer, number))) for number, text in enumerate(texts)]
        self.which = with_classes(widgets.HBox(buttons, layout=shared(flex_flow="row wrap")), "crashlab-which", FAR)
        self.children = [self.surface.widget, self.page, self.which]

    def end_question(self) -> None:
        """Remove the question of `ask_which` from the page, if any."""
        if self.which:
            models, self.which = parts(self.which), None
            self.children = [self.surface.widget, self.page]
            for part in models:
                part.close()

    # Callbacks

    def guard(self, handler: Callable[..., object]) -> Callable[..., None]:
        """Return the handler as a callback that never overlaps with another one and shows its errors."""
        lock = self.lock

        def callback(*arguments: object) -> None:
            with lock:
                if self.closed or self._inside:
                    return  # the panel is closed, or its own change of a control caused this call
                self._inside = True
                before = self.owner.now
                with self.page.together():
                    try:
                        handler(*arguments)
                    except Exception as error:
                        self.owner.now = before
                        self.complain(error)
                    finally:
                        self._inside = False

        return callback

    def run_alone(self, work: Callable[..., object], *arguments: object) -> None:
        """Run work outside of callbacks, which wait meanwhile; its errors are raised, not shown."""
        with self.lock:
            outer = self._inside
            self._inside = True
            try:
                work(*arguments)
            finally:
                self._inside = outer

    def on_click(self, react: Callable[[float, float], object]) -> None:
        """Call `react` with the coordinates of each click or touch in the picture."""

        def click(x: float, y: float) -> None:
            react(*(self.lens.back(x, y) if self.lens else (x, y)))

        self.surface.on_click(self.guard(click), self.guard(self._drag))

    def refuse_click(self, x: float, y: float) -> None:
        """Say that clicks do nothing: the click handler of panels in which nothing can be clicked."""
        self.say_below(NO_CLICKS)

    def on_key(self, react: Callable[[str], object]) -> None:
        """Call `react` with each key pressed on the picture, except those of the map and the film."""

        def press(name: str) -> None:
            if not self._map_key(name):
                react(name)

        self.surface.on_key(self.guard(press))

    def on_gone(self, react: Callable[[], object]) -> None:
        """Call `react` when the board has left the page: its cell is run again, or its output is cleared."""
        widget = self.surface.widget
        widget._view_count = 0  # makes the browser count its views
        widget.observe(self.guard(lambda change: change["new"] or react()), "_view_count")


def parts(*roots: widgets.Widget) -> list[widgets.Widget]:
    """Return these widgets and their parts, except parts that are shared or have no model in the browser."""
    members: dict[widgets.Widget, None] = {}
    common = {SHARED, *page_module._shared.values()}  # shared with other widgets
    stack: list[object] = list(roots)
    while stack:
        part = stack.pop()
        if isinstance(part, list | tuple):
            stack += part
        elif isinstance(part, widgets.Widget) and part not in members and part.comm is not None and part not in common:
            members[part] = None
            stack += [*(getattr(part, name) for name in part.keys), *vars(part).values()]
    return list(members)


def centre(area: Map, points: Sequence[Point]) -> Point:
    """Return the mean of the points on a map, or the centre of the map if no point is on it."""
    here = [point for point in points if area.holds(*point)] or [(area.left, area.top), (area.right, area.bottom)]
    return sum(x for x, _ in here) / len(here), sum(y for _, y in here) / len(here)


def with_classes(widget: Any, *names: str) -> Any:
    """Add class names, which tell the page the purpose of a widget, and return the widget."""
    widget._dom_classes = (*widget._dom_classes, *names)
    return widget


def column(*parts: widgets.Widget, names: Sequence[str] = (), **layout: str) -> widgets.VBox:
    """Return widgets below each other, with class names and a layout."""
    return widgets.VBox(parts, layout=shared(**layout), _dom_classes=names)


def html(*names: str, **options: Any) -> widgets.HTML:
    """Return an HTML widget with these class names."""
    return widgets.HTML(**{"layout": shared(), **options}, style=shared(HTMLStyle), _dom_classes=names)


def button(
    words: str, react: Callable[..., object], tooltip: str = "", icon: str = "", *, once: bool = False, **options: Any
) -> widgets.Button:
    """Return a button with words, or with an icon and a tooltip; with `once` a double click counts once."""
    look = {"layout": shared(width="auto"), "style": shared(widgets.ButtonStyle), **options}
    widget = widgets.Button(description=words, tooltip=tooltip or words, icon=icon, **look)
    last = [-1.0]
    lock = threading.Lock()

    def press(_: object) -> None:
        with lock:
            now = time.monotonic()
            again = once and now - last[0] < DOUBLE
            if not again:
                last[0] = now
        if not again:
            react()

    widget.on_click(press)
    return widget


def drawing(picture: Picture, board: Board) -> str:
    """Return a picture as HTML in the board's theme and scale; it shrinks to the available width."""
    return svg.paint(picture, board.theme, board.scale).replace(
        "<svg ", "<svg style='max-width: 100%; height: auto' ", 1
    )


def piece_at(picture: Picture, x: float, y: float) -> Piece | None:
    """Return the piece at (x, y), or None; if several overlap, the piece with the nearest centre."""
    reach = [(*extent(piece), piece) for piece in picture.pieces]
    hit = [(dist(middle, (x, y)), piece) for middle, radius, piece in reach if dist(middle, (x, y)) <= radius]
    return min(hit, key=lambda pair: pair[0], default=(0, None))[1]


def extent(piece: Piece) -> tuple[Point, float]:
    """Return the centre of a piece and its radius."""
    left, top, right, bottom = box(placed(piece))
    return ((left + right) / 2, (top + bottom) / 2), max(right - left, bottom - top) / 2


def ring(piece: Piece, small: float = 1.0) -> Shapes:
    """Return a ring around a piece, or a frame if it is wide; empty if the game marks it already."""
    if any(not isinstance(shape, Text) and shape.stroke == primitives.GLOW for shape in piece.shapes):
        return ()
    left, top, right, bottom = box(placed(piece))
    if right - left > WIDE * (bottom - top):
        frame = slab(left, top, right, bottom, (bottom - top) / 3)
        return Polygon(frame, "", primitives.GLOW, 5 * small), Polygon(frame, "", "flash", 2.5 * small)
    (x, y), radius = extent(piece)
    return rim(x, y, radius, small)


def rim(x: float, y: float, radius: float, small: float = 1.0) -> Shapes:
    """Return a golden ring; `small` scales the width of its line."""
    return primitives.halo((x, y), radius, 4 * small, 7 * small)


def status_words(state: State) -> str:
    """Describe a state and its scores in one short line."""
    scores = ", ".join(f"{state.game.seat_name(seat)} {score}" for seat, score in enumerate(state.scores))
    return f"{state.picture().words.partition('.')[0]}; {scores}"
