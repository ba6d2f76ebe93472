"""Controls for a story: play it, step through it, scrub, and see the reason for every event.

`Steps` are the controls of any story (`story.NarratedStory`); a `Stepper` is a turn with them. The page shows the story
(`playback`); this module sends the data, and keeps track of the beat.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import ipywidgets as widgets
import traitlets

from crashlab.base.errors import expect
from crashlab.drawing import story, tween
from crashlab.drawing.canvas import Shapes
from crashlab.drawing.film_json import Document, Packed
from crashlab.drawing.html import LINE_BREAK, element
from crashlab.drawing.player import KEPT
from crashlab.drawing.shapes import Picture, Point
from crashlab.drawing.story import NarratedStory
from crashlab.drawing.styles import MARK, QUOTE
from crashlab.drawing.tween import GLIDE, SPEEDS, reading
from crashlab.engine import turn_film
from crashlab.engine.game import Turn, titled
from crashlab.engine.rulebook import MARKS, Rule
from crashlab.engine.turn_film import TurnStory
from crashlab.lab.board import FAR, MAP_KEYS, SCREEN_KEY, Board, Panel, html, with_classes
from crashlab.lab.page_module import drop, shared
from crashlab.lab.playback import PagePart, packed_beat
from crashlab.watch.views import StoryPair, StorySide

NARROW, LINE = 255, 380  # minimum widths in pixels for buttons and words, and for the line of an event
KEYS = (
    "left and right step, c and C go to crashes, Home and End jump, space plays and pauses (in full screen right"
    " continues at once), + and − set the speed; Tab leaves"
)
SILENT = "Films do not play on this page: this is the end of the film."
FILM_KEYS = ("ArrowLeft", "ArrowRight", "Home", "End", "c", "C", " ", "Enter", "+", "=", "-", "−", "o", "1")
PLAIN_KEYS = "left and right step, Home and End jump, space plays and pauses, + and − set the speed; Tab leaves"


class Steps(PagePart):
    """The controls of a story on a board, and `events`: its events with their reasons.

    The page shows both, and plays the story by itself. `layers(beat)` returns the shapes below and above the pieces, by
    default the paths. A story of more than `brisk` beats plays faster, so that it takes no longer than a story of
    `brisk` beats. `keys` are the keys on the board that control the story. `stepped()` is called whenever a beat is
    shown, `arrived()` when the last beat is shown, and `touched()` when the user picks a beat or an event.
    """

    def __init__(
        self,
        board: Board,
        layers: Callable[[int], tuple[Shapes, Shapes]] | None = None,
        arrived: Callable[[], object] = lambda: None,
        touched: Callable[[], object] = lambda: None,
        stepped: Callable[[], object] = lambda: None,
        brisk: int | None = None,
        keys: Sequence[str] = FILM_KEYS,
        **options: Any,
    ) -> None:
        self.brisk = brisk
        self.milliseconds: Mapping[str, int] = SPEEDS
        self.board, self.arrived, self.touched, self.stepped = board, arrived, touched, stepped
        self.layers = layers or self.watch
        self.story: NarratedStory | None = None
        self.moved: Callable[[], object] = lambda: None  # called when the beat changes, or the story plays or pauses
        self.beat = self.last = 0
        self.seen = True  # whether the last beat has been shown
        self.places: Sequence[Point] = ()  # the places of the story's events
        self._scenes: dict[int, tween.Scene] = {}
        self.page = board.page
        self.page.lead(self._pack, self._played, lambda: self.board.say_below(SILENT), lambda: self.moved())
        self.take(keys)
        super().__init__(board.page, "bar", "crashlab-row", "crashlab-steps", FAR, **options)

    @cached_property
    def events(self) -> PagePart:
        """The events, with their reasons."""
        return PagePart(self.board.page, "story", "crashlab-story", FAR)

    def take(self, keys: Sequence[str]) -> None:
        """Set the keys on the board that control the film."""
        self.page.film_keys = list(keys)

    def load(self, story: NarratedStory | Turn | None, last: int | None = None) -> None:
        """Load a story, or a turn beat by beat up to the beat `last`; nothing is drawn yet."""
        self.story = story = turn_film.whole(story, last) if isinstance(story, Turn) else story
        self._scenes = {}
        self.seen = story is None
        self.places = story.places() if story else ()
        self.beat, self.last = 0, story.beats if story else 0
        head: Document = {"milliseconds": self.milliseconds, "glide": GLIDE}
        if story:
            head |= {"stop": story.stop, "stops": list(story.stops), **story.frame()}
            if self.brisk and self.last:
                head["share"] = min(self.brisk / self.last, 1)
        self.page.load(self.last, head, [*story.event_documents()] if story else ())

    def until(self, last: int) -> None:
        """Set the last beat that can be reached for now."""
        self.last = last
        self.page.until(last)

    # State

    @property
    def turn_story(self) -> TurnStory | None:
        """The story if it is a film of turns, else None."""
        return self.story if isinstance(self.story, TurnStory) else None

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns of the film."""
        return self.turn_story.turns if self.turn_story else ()

    @property
    def turn(self) -> Turn | None:
        """The last turn of the film, or None."""
        return self.turns[-1] if self.turns else None

    @property
    def playing(self) -> bool:
        """Whether the story is playing."""
        return self.page.playing

    def scene(self, beat: int) -> tween.Scene:
        """Return the picture after this beat, with the effects that lead to it."""
        assert self.story is not None
        if beat not in self._scenes:
            self._scenes[beat] = story.scene(self.story, beat)
        return self._scenes[beat]

    def watch(self, beat: int) -> tuple[Shapes, Shapes]:
        """Point the lens at the places of the story, and return its paths as shapes."""
        assert self.story is not None
        self.board.look_at(self.scene(beat)[0], self.places)
        return tuple(self.story.ways(beat)), ()

    def jump(self, beat: int) -> None:
        """Stop playing, and go to this beat."""
        self.touched()
        self.page.stop()
        self.go(beat)

    def go(self, beat: int, event: int | None = None) -> None:
        """Show this beat with an event, by default its first; a step to the next beat glides."""
        if self.story is None:
            return
        beat = min(max(beat, 0), self.last)
        layers = self.layers(beat)  # this may move the lens, which is read below
        glides = beat == self.beat + 1 and self.board.animate
        self.page.show(beat, event, self.board.lens, glides)
        self._come(beat, layers)

    def _come(self, beat: int, layers: tuple[Shapes, Shapes], rests: bool = True) -> None:
        """Update the state to the beat on the board."""
        assert self.story is not None
        self.beat = beat
        self.seen = self.seen or beat == self.last
        self.board.played(beat, self.scene(beat)[0], layers, self.story.words(beat))
        self.moved()
        self.stepped()
        if rests and beat == self.last:
            self.arrived()

    def tell(self, event: int) -> None:
        """Show the event with this number, at its beat."""
        if self.story is not None:
            self.go(self.story.events[event][0], event)

    def rest(self) -> None:
        """Stop at the end, drawing nothing."""
        self.page.stop()
        self.beat = self.page.beat = self.last
        self.seen = True

    # The film in the page

    def _pack(self, packed: Packed, beat: int, whole: bool) -> Document:
        """Return the data of a beat for the page."""
        assert self.story is not None
        lens = self.board.lens
        try:
            picture, effects = self.scene(beat)
            marks, top = self.layers(beat)
            view = self.board.lens
        finally:
            self.board.lens = lens
        words = self.story.words(beat)
        content = {"words": words, **self.story.of_beat(beat, whole)}
        milliseconds = reading(words, self.story.words(beat - 1) if beat else "")
        return {**packed_beat(packed, (picture, marks, top, view), effects, milliseconds), **content}

    def _played(self, beat: int, plays: bool, by_user: bool) -> None:
        """Handle the page's report of the beat that it shows."""
        if self.story is None:
            return
        if by_user:
            self.touched()
        self._come(beat, self.layers(beat), rests=not plays)

    # Playing

    def pace(self, milliseconds: Mapping[str, int]) -> None:
        """Set the speeds by name, in milliseconds per beat, and select the first."""
        self.milliseconds = milliseconds
        self.page.pace(milliseconds)

    def start(self, beat: int = 0) -> None:
        """Play from this beat, if there is a browser to play in."""
        self.go(beat)
        self.page.start(self.beat)

    def play(self) -> None:
        """Play on from here, or from the start after the end."""
        if self.beat >= self.last:
            self.start()
        else:
            self.page.start(self.beat)

    def key(self, name: str) -> None:
        """Handle a key: arrows step, Home and End jump, space plays and pauses."""
        leads = {"ArrowLeft": self.beat - 1, "ArrowRight": self.beat + 1, "Home": 0, "End": self.last}
        if name in leads:
            self.jump(leads[name])
        elif name in (" ", "Enter"):
            self.page.stop() if self.page.playing else self.play()


class StoryPanel(Panel):
    """A panel with a story of its own; setting `beat` or `playing` changes the display."""

    steps: Steps
    beat = traitlets.Int(0)
    playing = traitlets.Bool(False)

    def follow(self) -> None:
        """Connect both traits with the story, in both directions."""
        self.steps.moved = self._note
        self.observe(self._lead, ["beat", "playing"])
        self._note()

    def _note(self) -> None:
        with self.hold_trait_notifications():
            self.beat, self.playing = self.steps.beat, self.steps.playing

    def _lead(self, change: Any) -> None:
        if change["name"] == "beat" and change["new"] != self.steps.beat:
            self.board.run_alone(self.steps.jump, change["new"])
        elif change["name"] == "playing" and change["new"] != self.steps.playing:
            self.board.run_alone(self.steps.play if change["new"] else self.steps.page.stop)
        self._note()


class Stepper(StoryPanel):
    """A turn with everything you need to understand it: the board, the controls, the events and their reasons.

    `more` are the turns that follow it; all are shown as one film. `KEYS` lists the keys on the board.

        >>> state = crashlab.game("autoscooter").read({"cars": {"1": "21E2", "2": "23SE2"}})
        >>> stepper = Stepper(state.play({"A": "17 FF", "B": None}))
        >>> stepper.show(3)
    """

    def __init__(
        self, turn: Turn, *more: Turn, theme: str | None = None, scale: float | None = None, animate: bool = True
    ) -> None:
        for value in (turn, *more):
            expect(value, Turn, "a Stepper shows a Turn, as returned by state.play(...)")
        self.turn, self.more = turn, more
        self.now = None
        self.board = Board(turn.before, theme=theme, scale=scale, animate=animate, follows=True)
        self.board.owner = self
        self.steps = Steps(self.board)
        self.board.run_alone(self._begin)
        self.board.on_click(self.board.refuse_click)
        self.board.on_key(self.steps.key)
        super().__init__([beside(self.board, widgets.VBox([self.steps, self.steps.events]), KEYS, LINE)])

    def _begin(self) -> None:
        self.steps.load(turn_film.story_of([self.turn, *self.more]))
        self.steps.go(0)
        self.follow()

    def show(self, beat: int) -> None:
        """Go to the scene that shows this beat of the turn."""
        assert self.steps.turn_story is not None
        shots = enumerate(self.steps.turn_story.shots, 1)
        scene = next((n for n, shot in shots if (0, beat) <= shot.beats[-1]), 0) if beat else 0
        self.board.run_alone(self.steps.jump, scene)

    @staticmethod
    def beside(
        one: Turn, other: Turn, *, theme: str | None = None, scale: float | None = None, animate: bool = True
    ) -> Beside:
        """Show two turns side by side with one slider and the scores, such as one turn under two rulebooks."""
        for turn in (one, other):
            expect(turn, Turn, "Stepper.beside shows two Turns, as returned by state.play(...)")
        return Beside(StoryPair(StorySide.of(one), StorySide.of(other)), theme, scale, animate)

    def film_document(self) -> Document | None:
        """Return the film of the turns as JSON, or None if it is too long."""
        story = turn_film.story_of([self.turn, *self.more])
        return story.document(titled(self.turn)) if story.beats <= KEPT else None

    def still(self) -> tuple[Picture, str]:
        """Return one picture of the whole turn, and its events in words."""
        turns = [self.turn, *self.more]
        picture = story.summary(turn_film.story_of(turns) if self.more else self.turn)
        return picture, "\n".join(f"{turn!r}\n{turn}" for turn in turns)


class Beside(StoryPanel):
    """Two films or turns, beat by beat on two boards, with the counts of both so far.

    `Watch.beside` and `Stepper.beside` return one.
    """

    def __init__(
        self, story: StoryPair, theme: str | None = None, scale: float | None = None, animate: bool = True
    ) -> None:
        self.story = story
        self.now = None
        self.board = Board(story.picture(0), theme=theme, scale=scale, animate=animate)
        self.board.owner = self
        self.steps = Steps(self.board)
        self.counts = PagePart(self.board.page, "counts", "crashlab-counts", FAR)
        self.board.on_click(self.board.refuse_click)
        self.board.on_key(self.steps.key)
        keys = html(value=element("div", f"Keys on the board: {PLAIN_KEYS}.", style="opacity: 0.75"))
        super().__init__([self.steps, self.board, self.counts, keys])
        self.board.run_alone(self._begin)

    def _begin(self) -> None:
        self.steps.load(self.story)
        self.steps.go(0)
        self.follow()

    def show(self, beat: int) -> None:
        """Go to this beat of both stories."""
        self.board.run_alone(self.steps.jump, beat)

    def film_document(self) -> Document | None:
        """Return both films as JSON, or None if they are too long."""
        return self.story.document() if self.story.beats <= KEPT else None

    def still(self) -> tuple[Picture, str]:
        """Return the picture of both stories at their ends, and their counts in words."""
        rows = self.story.counts(self.story.beats)
        return self.story.picture(self.story.beats), "\n".join("  ".join(row) for row in rows)


def beside(board: Board, side: widgets.DOMWidget, keys: str, wide: int = NARROW) -> widgets.Box:
    """Lay out the board and the keys beside the other parts, so that a high board does not move them.

    If the page leaves less than `wide` pixels beside the board, the other parts go below it.
    """
    keys += f"; {MAP_KEYS}" if board.picture.map else ""
    keys += f"; {SCREEN_KEY}"
    style = "line-height: 1.4; opacity: 0.75"
    help_text = element("details", element("summary", "Keys"), f"On the board: {keys}.", style=style)
    help_line = html("crashlab-keys-told", value=help_text)
    least, most = round(0.75 * board.picture.width * board.scale), board.layout.max_width
    flex = {"flex": f"10 1 {least}px", "max_width": most, "min_width": "0"}
    left = widgets.VBox([board, help_line, board.words], layout=shared(**flex), _dom_classes=("crashlab-left",))
    before = side.layout
    with side.hold_sync():
        with_classes(side, "crashlab-side").layout = shared(flex=f"1 1 {wide}px", min_width="0")
    drop(before)
    flow = {"flex_flow": "row wrap", "align_items": "flex-start", "grid_gap": "0 12px", "width": "100%"}
    return widgets.Box([left, side], layout=shared(**flow), _dom_classes=("crashlab-room",))


def quoted(rule: Rule) -> str:
    """Write a rule with its text, as HTML."""
    mark = element("span", rule.mark, title=MARKS[rule.mark], style=MARK)
    return element("div", element("b", rule.id), f" {rule.title} ", mark, LINE_BREAK, rule.text, style=QUOTE)
