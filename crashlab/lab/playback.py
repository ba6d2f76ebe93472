"""The kernel's side of a board's page, which paints pictures and plays films by itself.

Pictures and films are packed (`drawing.film_json`). For a picture the page receives the differences from the previous
picture. For a film it requests a few beats at a time, and receives them with all their texts. The page advances by
itself, even while the kernel is busy, and reports the beat it shows. A report that the page sent before it received a
new order from the kernel is outdated and ignored. If a page shows the canvas but does not answer, a film jumps to its
end.
"""

from __future__ import annotations

import asyncio
import json
import threading
import zlib
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import wraps
from itertools import chain
from operator import itemgetter
from typing import Any, Concatenate, ParamSpec, TypeVar
from uuid import uuid4

import traitlets

from crashlab.drawing.canvas import Shapes, Surface
from crashlab.drawing.film_json import Document, LastScene, Packed
from crashlab.drawing.film_json import number as short
from crashlab.drawing.shapes import Circle, Line, Picture, Piece, Point, Polygon, placed
from crashlab.drawing.tween import ZOOM, Effects
from crashlab.drawing.zoom import Lens, contains
from crashlab.lab.page_messages import FROM_PAGE
from crashlab.lab.page_module import PageWidget

FIRST, MORE = 8, 24  # beats sent before the first is shown, and per request of the page
CHAIN = 40  # maximum number of causes sent with an event
FULL = 6000  # with more shapes than this in the page, the next film or picture starts afresh
MUCH = 800  # a message with more characters than this is compressed
TIGHT = 6  # level of zlib compression
ANSWERS = 3.0  # seconds within which a page that shows the canvas must answer
TABLES = {"shapes": "shapes", "drawings": "drawings", "pieces": "keys"}  # tables of `Packed`, by message key

P = ParamSpec("P")
T = TypeVar("T")
CanvasPicture = tuple[Picture, Shapes, Shapes, Lens | None]


Area = tuple[Polygon | Circle, ...]
REACH = 24.0  # pixels around a target's place in which a click hits it, outside all areas
EDGE = 4.0  # pixels around an area in which a click still hits it: the width of its outline
BESIDE = 9.0  # pixels from a line within which a click hits it, if no other line is that near
NEAR = REACH, EDGE, BESIDE  # the distances sent to the page


@dataclass(frozen=True, slots=True)
class Target:
    """A target of the mouse (`hit_test.py`): its letter, area, place or lines can be clicked.

    While the mouse points at it, the page shows its words, draws `over` instead of its shapes and fades the shapes of
    the other targets.
    """

    place: Point
    words: str
    shapes: Shapes
    over: Shapes
    area: Area = ()  # every point in it hits the target
    letter: tuple[float, float, float] | None = None  # its centre and radius

    @property
    def lines(self) -> list[Line]:
        """The lines that lead to the target."""
        return [shape for shape in self.shapes if isinstance(shape, Line)]

    def document(self, packed: Packed) -> Document:
        """Return the target as JSON; `over` is moved to the origin, so that equal drawings are sent once."""
        lines = [[*map(short, chain(*line.points))] for line in self.lines]
        document: Document = {"at": [*map(short, self.place)], "words": self.words}
        document |= {"lines": lines} if lines else {}
        document |= {"letter": [*map(short, self.letter)]} if self.letter else {}
        document |= {"area": [outline(shape) for shape in self.area]} if self.area else {}
        x, y = self.place
        over = placed(Piece("", -x, -y, tuple(self.over)))
        return {**document, "drawing": packed.drawing(self.shapes), "over": packed.drawing(over)}


def outline(shape: Polygon | Circle) -> list[float]:
    """Return a closed shape as numbers: the centre and radius of a circle, or the corners of a polygon."""
    numbers = (shape.x, shape.y, shape.radius) if isinstance(shape, Circle) else chain(*shape.points)
    return [*map(short, numbers)]


@dataclass(frozen=True, slots=True)
class Targets:
    """The hover targets of a picture, and the shapes shown above it while any target is hovered."""

    items: Sequence[Target] = ()
    marks: Shapes = ()

    def document(self, packed: Packed) -> Document:
        targets = [target.document(packed) for target in self.items]
        return {"kept": packed.drawing(self.marks), "near": NEAR, "targets": targets}


NONE = Targets()


def alone(method: Callable[Concatenate[Any, P], T]) -> Callable[Concatenate[Any, P], T]:
    """Return a method of a board's page or panel that holds the board's lock: callbacks may run in another thread."""

    @wraps(method)
    def call(self: Any, /, *arguments: P.args, **options: P.kwargs) -> T:
        with getattr(self, "board", self).lock:
            return method(self, *arguments, **options)

    return call


class PagePart(PageWidget):
    """A part of a board's page with a position of its own, such as the controls of a film or its events."""

    mark = traitlets.Unicode().tag(sync=True)
    part = traitlets.Unicode().tag(sync=True)

    def __init__(self, page: BoardPage, part: str, *names: str, **options: Any) -> None:
        super().__init__(mark=page.mark, part=part, _dom_classes=names, **options)


class BoardPage(PageWidget):
    """The page of a board: it paints pictures on a surface and plays films on it (`lead`).

    A picture has marks under its pieces and shapes above them, and its map is seen through a lens. The widget itself
    shows the parts below the board: the status line, and the buttons of a map. Callbacks are guarded by `guard`.
    """

    canvas = traitlets.Unicode().tag(sync=True)
    this_model = traitlets.Unicode().tag(sync=True)
    mark = traitlets.Unicode().tag(sync=True)  # class of the canvas, for finding the board in the page
    zoom = traitlets.Int(ZOOM).tag(sync=True)  # milliseconds that a zoom takes
    width = traitlets.Float().tag(sync=True)  # width of the picture
    letters = traitlets.Float(15).tag(sync=True)  # font size of the status line, in pixels
    has_map = traitlets.Bool(False).tag(sync=True)  # whether the picture has a map to zoom
    film_keys = traitlets.List(traitlets.Unicode()).tag(sync=True)  # keys on the board that control the film
    board_keys = traitlets.Bool(True).tag(sync=True)  # whether space and Enter on the board also pause
    first = traitlets.Bytes().tag(sync=True)  # the first picture of a new page, compressed

    def __init__(
        self,
        surface: Surface,
        colours: Mapping[str, str],
        guard: Callable[[Callable[..., object]], Callable[..., None]],
        animate: bool,
        **options: Any,
    ) -> None:
        self.surface, self.colours, self.guard, self.animate = surface, colours, guard, animate
        self.lock = surface.lock
        self.playing = self.ready = self.shows_film = False
        self.pictures = 0  # number of pictures sent
        self.last = self.beat = self._film = self._run = 0
        self.head: Document = {}  # the data of a film that is sent before its beats
        self.events: Sequence[Document] = ()
        self._packed = Packed()
        self._still, self._filmed = LastScene(), LastScene()  # the last scenes packed for pictures and for the film
        self._has: set[int] = set()  # beats sent to the page
        self._next = -1  # the beat after the last beat sent
        self._sent_events: set[int] = set()
        self._gathered: list[Document] | None = None  # messages to be sent as one
        self._shown: CanvasPicture | None = None
        self._said: Document = {"words": ""}  # content of the status line
        self._painted: Mapping[str, str] | None = None  # the colours that the page has
        self._settled: tuple[int, CanvasPicture | None] = (0, None)  # the film and the picture of `first`
        self._is_silent = False  # whether the page that shows the canvas has not answered in time
        self.pack: Callable[[Packed, int, bool], Document] | None = None
        model_id = uuid4().hex
        self.on_msg(guard(lambda _, message, __: self._hear(message)))  # first: a page may answer at once
        super().__init__(
            model_id=model_id,
            this_model=f"IPY_MODEL_{model_id}",
            canvas=f"IPY_MODEL_{surface.widget.model_id}",
            width=surface.width,
            **options,
        )
        surface.widget.on_client_ready(guard(self._await))

    def listen(self, near: Callable[[str], object], position: Callable[[], str], sight: Callable[..., object]) -> None:
        """Set the callbacks for the map, the position and the display.

        `near(way)` is called when a button of the map is pressed; `position()` returns the position in words.
        `sight(theme, pixels, touched)` receives the page's theme and the board's width in pixels of the screen.
        `touched` is the board's width in pixels of the page if a finger last touched the board, else 0.
        """
        self.near, self.position, self.sight = near, position, sight

    @alone
    def say(self, words: str, look: str = "", kind: str = "") -> None:
        """Write words into the status line in this style; `kind` is a class that marks errors."""
        self._said = {"words": words, "look": look, "kind": kind}
        if self.ready:
            self._tell("say", **self._said)

    @alone
    def say_below(self, words: str, together: str) -> None:
        """Write words below the status line of the page, whose film may be ahead; `together` is all text here."""
        self._said = {**self._said, "words": together}
        if self.ready:
            self._tell("below", words=words)

    @alone
    def describe(self, what: str, state: str) -> None:
        """Set the title of the position's text, and the state that the notebook keeps."""
        if (what, state) != self._described:
            self._described = what, state
            if self.ready:
                self._tell("position", of=what, left=state)

    _described = "", ""
    opened: Callable[[], object] = staticmethod(lambda: None)  # called when a page has opened the board
    targets = NONE  # the targets of the picture

    # Pictures

    @alone
    def draw(
        self,
        picture: Picture,
        marks: Shapes = (),
        top: Shapes = (),
        lens: Lens | None = None,
        glides: bool = False,
        targets: Targets = NONE,
    ) -> None:
        """Show a picture with its hover targets; if `glides`, the map zooms smoothly."""
        before = self.surface.lens if glides else None
        view = picture, marks, top, lens
        self.targets = targets
        self._put(view, before)
        self.shows_film = False
        self._pause()
        self._keep(view)

    @alone
    def point(self, top: Shapes) -> None:
        """Replace the shapes above the current picture."""
        if self._shown:
            picture, marks, _, lens = self._shown
            self.draw(picture, marks, top, lens)

    def on_point(self, react: Callable[[int | None], object]) -> None:
        """Call `react` with the call whose node the mouse points at, or None when it leaves the node."""
        self._points = react

    _points: Callable[[int | None], object] | None = None

    @alone
    def look(self, lens: Lens, glides: bool = False) -> None:
        """Show the current picture through another lens."""
        if self._shown:
            self._look(self.surface.lens if glides else None, lens)
            self._keep((*self._shown[:3], lens))

    @alone
    def paint(self, colours: Mapping[str, str]) -> None:
        """Repaint in these colours."""
        self.colours = colours
        self._look(None, self.surface.lens)

    @alone
    def settle(self) -> None:
        """Store the current picture as the first one of a page that is opened later."""
        if self._shown and not self.ready:
            self._begin(afresh=True)
            scene = self._scene(self._shown, None, self._packed, self._still, self.targets)
            self._painted = self.colours
            self._settled = self._film, self._shown
            first = {"do": "scene", "run": self._run, "first": self._film, **scene, **self._said}
            self.first = zlib.compress(json.dumps(first).encode(), TIGHT)

    def _keep(self, view: CanvasPicture) -> None:
        self._shown = view
        self.surface.look(view[3])

    def _put(self, view: CanvasPicture, before: Lens | None) -> None:
        if not self.ready:
            return
        if len(self._packed.shapes) > FULL:
            self._begin(afresh=True)
        try:
            scene = self._scene(view, before, self._packed, self._still, self.targets)
        except Exception:
            self._begin(afresh=True)  # some of it is packed, but nothing was sent
            raise
        self._painted = self.colours
        self._order("scene", at=self.beat, **scene)
        self.pictures += 1

    def _scene(
        self, view: CanvasPicture, before: Lens | None, packed: Packed, last: LastScene, targets: Targets = NONE
    ) -> Document:
        """Return all that the page needs to show a picture."""
        picture, marks, top, lens = view
        packed.seen = last
        counts = sizes(packed)
        beat = packed.scene(picture, layered(picture, marks, top), ())
        at = targets.document(packed)
        return {"beat": beat, **at, **self._new(packed, counts), **self._seen(before, lens), **self._ink()}

    def _new(self, packed: Packed, counts: Mapping[str, int]) -> Document:
        """Return the entries packed since these sizes were taken; raise KeyError for an unknown colour."""
        entries = {name: getattr(packed, table)[counts[name] :] for name, table in TABLES.items()}
        for shape in entries["shapes"]:
            for paint in ("fill", "stroke"):
                if paint in shape:
                    self.colours[shape[paint]]
        return entries

    def _ink(self) -> Document:
        """Return the colours, if the page does not have them."""
        return {} if self.ready and self.colours is self._painted else {"colours": dict(self.colours)}

    def _look(self, before: Lens | None, lens: Lens | None) -> None:
        if self.ready:
            self._tell("look", **seen(before, lens), **self._ink())
            self._painted = self.colours

    # A film

    def lead(
        self,
        pack: Callable[[Packed, int, bool], Document],
        shown: Callable[[int, bool, bool], object],
        silent: Callable[[], object],
        moved: Callable[[], object],
    ) -> None:
        """Enable films, and set the callbacks for their data and for the reports of the page.

        `pack(packed, beat, whole)` returns the changes of a beat, or its full content. `shown(beat, plays, touched)` is
        called with the current beat of the page, whether it plays on, and whether the user has moved or paused it.
        `silent()` is called when a film is over because no page plays it, and `moved()` when playing starts or stops.
        """
        self.pack, self.shown, self.silent, self.moved = pack, shown, silent, moved

    @alone
    def load(self, beats: int, head: Document, events: Sequence[Document]) -> None:
        """Load a film that has `beats` beats after the first; nothing is shown yet."""
        self._pause()
        self.last, self.head, self.events, self.beat = beats, head, events, 0
        self._begin(afresh=len(self._packed.shapes) > FULL)

    @alone
    def until(self, last: int) -> None:
        """Set the last beat to play and send."""
        if last != self.last:
            self.last = last
            if self.ready:
                self._tell("until", last=last, stops=self._stops)

    @alone
    def pace(self, milliseconds: Mapping[str, int]) -> None:
        """Set the speeds of the film by name, in milliseconds per beat."""
        self.head = {**self.head, "milliseconds": milliseconds}
        if self.ready:
            self._tell("pace", milliseconds=milliseconds)

    @alone
    def show(self, beat: int, event: int | None, lens: Lens | None, glides: bool) -> None:
        """Show this beat and event through a lens; if `glides`, the page moves smoothly from the previous lens."""
        self._pause()
        self.beat, self.shows_film = beat, True
        if self.ready:
            self._supply(beat, FIRST)
            look = {**self._seen(self.surface.lens, lens), **self._ink()}
            self._order("show", beat=beat, event=event, glides=glides, **look)
            self._painted = self.colours
        self.surface.look(lens)

    @alone
    def played(self, beat: int, view: CanvasPicture) -> None:
        """Record that the film shows this beat."""
        self.beat = beat
        self.shows_film = True
        if view[3] != self.surface.lens:
            self._look(self.surface.lens, view[3])
        self._keep(view)

    @alone
    def start(self, beat: int) -> None:
        """Play from this beat, if a page can play it."""
        self.beat = beat
        self.playing = beat < self.last
        self.moved()
        if self.playing and self.ready:
            self._supply(beat, FIRST)
            self._order("play", beat=beat, **self._seen(None, self.surface.lens), **self._ink())
            self._painted = self.colours
            self.shows_film = True
        elif self.playing and self._is_silent:
            self._end()

    @alone
    def stop(self) -> None:
        """Stop playing; the page stays at its current beat."""
        if self.playing and self.ready:
            self._order("stop")
        self._pause()

    # Orders and data

    @property
    def _stops(self) -> list[int]:
        return [stop for stop in self.head.get("stops", ()) if stop <= self.last]

    def _seen(self, before: Lens | None, lens: Lens | None) -> Document:
        return {"still": not self.animate, **seen(before if self.animate else None, lens)}

    def _order(self, what: str, **more: object) -> None:
        """Send an order, which outdates all earlier reports of the page."""
        self._run += 1
        self._tell(what, **more)

    def _tell(self, what: str, **more: object) -> None:
        message = {"do": what, "run": self._run, **more}
        if self._gathered is None:
            self.send(message)
        else:
            self._gathered.append(message)

    @contextmanager
    def together(self) -> Generator[None]:
        """Send all messages of this block as one, with the beats of a short film, so that the page paints once."""
        if self._gathered is not None:
            yield
            return
        self._gathered = []
        try:
            yield
            if self.ready and not self._has and 0 < self.last < FIRST:
                self._supply(0, FIRST)
        finally:
            messages, self._gathered = self._gathered, None
            if messages:
                self.send(messages[0] if len(messages) == 1 else {"do": "all", "each": messages})

    def send(self, content: Document, buffers: list[bytes] | None = None) -> None:
        """Send content to the page, compressed if it is long."""
        words = json.dumps(content)
        if len(words) > MUCH:
            super().send({}, [zlib.compress(words.encode(), TIGHT)])
        else:
            super().send(content, buffers)

    def _begin(self, afresh: bool) -> None:
        """Start a new, unsent film; `afresh` clears all packed data and sends the picture again."""
        if afresh:
            self._packed, self._still, self._painted = Packed(), LastScene(), None
            self._settled = 0, None
        self._packed.begin()
        self._film, self._next = self._film + 1, -1
        self._has, self._sent_events = set(), set()
        if self.ready:
            head = {**self.head, "last": self.last, "stops": self._stops}
            self._order("film", film=self._film, afresh=afresh, head=head)
            if afresh and self._shown:
                self._put(self._shown, None)

    def _supply(self, beat: int, count: int) -> None:
        """Send `count` beats from this beat on, unless the page has this beat."""
        if beat in self._has or beat > self.last or not self.pack:
            return
        counts = sizes(self._packed)
        whole = beat != self._next
        if whole:
            self._filmed = LastScene()
        self._packed.seen = self._filmed
        try:
            some = range(beat, min(beat + count, self.last + 1))
            beats = [self.pack(self._packed, number, whole and number == beat) for number in some]
            new = self._new(self._packed, counts)
        except Exception:
            self._pause()
            self._begin(afresh=True)  # some of it is packed, but nothing was sent
            raise
        self._next = some.stop
        self._has |= set(some)
        for at, document in zip(some, beats, strict=True):
            if mine := self._of_beats(range(at, at + 1)):
                document["first"] = next((n for n in mine if self.events[n].get("kind") != "gone"), mine.start)
        events = self._with_causes(self._of_beats(range(some.start, some.stop)))
        self._tell("beats", **{"from": beat}, whole=whole, beats=beats, events=events, **new)

    @alone
    def explain(self, event: int) -> None:
        """Show in the page why this event happened."""
        if self.ready:
            self._tell("why", event=event, events=self._with_causes([event]))

    def _of_beats(self, beats: range) -> range:
        """Return the indexes of the events of these beats."""
        return range(*(bisect_left(self.events, at, key=itemgetter("beat")) for at in (beats.start, beats.stop)))

    def _with_causes(self, events: Iterable[int]) -> list[list[Any]]:
        """Return [index, event] pairs of these events and their causes, except events that the page has."""
        documents: dict[int, Document] = {}
        for number in events:
            queue: deque[Document] = deque([{"event": number}])
            most = len(documents) + CHAIN
            while queue and len(documents) < most:
                cause = queue.popleft()
                queue += cause.get("causes", ())
                event = cause.get("event")
                if event is not None and event not in self._sent_events:
                    documents[event] = self.events[event]
                    self._sent_events.add(event)
                    queue += self.events[event].get("causes", ())
        return [[number, documents[number]] for number in sorted(documents)]

    def _await(self) -> None:
        """Check after some seconds that a page that shows the canvas has answered."""

        def look() -> None:
            self._is_silent = not self.ready
            if self._is_silent and self.playing:
                self._end()

        later(ANSWERS, self.guard(look))

    def _end(self) -> None:
        """Show the last beat, as no page plays the film."""
        self._pause()
        self.shown(self.last, False, False)
        self.silent()

    def _hear(self, message: dict[str, Any]) -> None:
        """Handle a message of the page; `page_messages.FROM_PAGE` lists them."""
        getattr(self, f"_hear_{next(name for name in FROM_PAGE if name in message)}")(**message)

    def _hear_want(self, want: int, film: int) -> None:
        if film == self._film:
            self._has.discard(want)  # the page does not have it, or it would not ask
            self._supply(want, MORE)

    def _hear_near(self, near: str) -> None:
        self.near(near)

    def _hear_sight(self, sight: dict[str, Any]) -> None:
        self.sight(**sight)

    def _hear_call(self, call: int | None) -> None:
        if self._points:
            self._points(call)

    def _hear_position(self, position: bool) -> None:
        self._tell("position", words=self.position())

    def _hear_at(self, at: int, playing: bool, run: int) -> None:
        if run == self._run:
            ends = self.playing and at == self.last  # the film has ended by itself
            self.playing = playing
            self.shown(at, playing, not playing and not ends)

    def _hear_ready(self, ready: bool, first: object = None) -> None:
        """Send a new page its first picture and film, and play if playing was requested.

        A page that has started with the `first` picture receives only the changes since then.
        """
        waits = self.playing and not self.ready  # playing was requested before there was a page
        film, at = self.shows_film, self.beat
        has_begun, begun_with, colours = (
            first is not None and first == self._settled[0],
            self._settled[1],
            self._painted,
        )
        self.ready, self.first = True, b""
        self._pause()
        self._begin(afresh=not has_begun)
        if has_begun and self._shown and (self._shown is not begun_with or self.colours is not colours):
            self._put(self._shown, None)
        self._tell("position", of=self._described[0], left=self._described[1])
        if film and self.pack:
            self.show(at, None, self.surface.lens, glides=False)
        else:
            self._tell("say", **self._said)
        if waits:
            self.start(at)
        self.opened()

    def _pause(self) -> None:
        if self.playing:
            self.playing = False
            self.moved()


def layered(picture: Picture, marks: Shapes, top: Shapes) -> list[Piece]:
    """Return the pieces of a picture, between a piece of the marks below them and a piece of the shapes above them."""
    return [Piece("ways", 0, 0, tuple(marks)), *picture.pieces, Piece("top", 0, 0, tuple(top))]


def packed_beat(packed: Packed, view: CanvasPicture, effects: Effects, milliseconds: int) -> Document:
    """Return the changes of a film's beat, with its duration in milliseconds in front of a class."""
    picture, marks, top, lens = view
    return {"lens": plain(lens), "read": milliseconds, **packed.scene(picture, layered(picture, marks, top), effects)}


def sizes(packed: Packed) -> dict[str, int]:
    """Return the number of packed entries of each table."""
    return {name: len(getattr(packed, table)) for name, table in TABLES.items()}


def seen(before: Lens | None, lens: Lens | None) -> Document:
    """Return a lens as JSON, with the previous one if the page can glide between them."""
    glides = before is not None and lens is not None and before.zoom != lens.zoom and contains(before, lens)
    return {"lens": plain(lens), "before": plain(before) if glides else None}


def plain(lens: Lens | None) -> dict[str, float] | None:
    """Return a lens as JSON, or None for no lens."""
    if lens is None:
        return None
    sides = {side: getattr(lens.map, side) for side in ("left", "right", "top", "bottom")}
    return {"zoom": lens.zoom, "x": lens.x, "y": lens.y, **sides}


def later(seconds: float, react: Callable[[], object]) -> None:
    """Call `react` after this many seconds, in a thread or else in the event loop; do nothing if there is neither."""
    timer = threading.Timer(seconds, react)
    timer.daemon = True
    try:
        timer.start()
    except RuntimeError:
        with suppress(RuntimeError):
            asyncio.get_running_loop().call_later(seconds, react)
