"""A story, beat by beat: play it, step through it, scrub, and ask of every event why it happened.

`Steps` are the controls, for any story (`story.NarratedStory`); a `Stepper` is a turn with them. The page plays a story
by itself (`playback`), and shows what the slider is dragged to; the kernel follows with the words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Any

import ipywidgets as widgets

from crashlab.drawing import story, tween
from crashlab.drawing.canvas import Shapes
from crashlab.drawing.film_json import Document, Packed
from crashlab.drawing.player import KEPT
from crashlab.drawing.shapes import Picture, Piece, Point
from crashlab.drawing.story import NarratedStory
from crashlab.drawing.styles import MARK, QUOTE
from crashlab.drawing.tween import SPEEDS
from crashlab.engine import turn_film
from crashlab.engine.game import Event, Turn, titled
from crashlab.engine.rulebook import MARKS, Rule
from crashlab.engine.turn_film import TurnStory
from crashlab.lab.board import FAR, MAP_KEYS, ROW, SCREEN_KEY, Board, Panel, button, expect, known_as
from crashlab.lab.playback import FilmPlayer, plain
from crashlab.watch.views import StoryPair, StorySide

NARROW, LINE = 255, 380  # pixels in which buttons and words find room; in which the line of an event does
HINT = "<div style='line-height: 1.35'>Step through the turn, or pick an event to see its rule and its causes.</div>"
KEYS = (
    "left and right step, c and C go to crashes, Home and End jump, space plays and pauses, + and − set the speed;"
    " Tab leaves"
)
PLAIN_KEYS = "left and right step, Home and End jump, space plays and pauses, + and − set the speed; Tab leaves"


class Steps(widgets.VBox):  # type: ignore[misc]
    """The controls that lead through what is told on a board, and `story`: its events and the reasons for them.

    `layers(beat)` gives what is drawn under the pieces and above them, by default the ways that were gone, and
    `ahead(beat)` the same for the page, which plays a beat later: what is different is drawn when the page rests there;
    `explain(event)` is the reason of an event for the page, and for None a hint; `more` are buttons of the owner's
    that stand behind the one for a beat forward; a story of more than `brisk` beats goes faster, and takes no longer
    than one of that length;
    `stepped()` is called whenever a beat is shown, `arrived()` when it is the last one, `touched()` when somebody picks
    a beat or an event.
    """

    def __init__(
        self,
        board: Board,
        layers: Callable[[int], tuple[Shapes, Shapes]] | None = None,
        arrived: Callable[[], object] = lambda: None,
        touched: Callable[[], object] = lambda: None,
        stepped: Callable[[], object] = lambda: None,
        explain: Callable[[Any], str] | None = None,
        more: Sequence[widgets.Widget] = (),
        ahead: Callable[[int], tuple[Shapes, Shapes]] | None = None,
        brisk: int | None = None,
    ) -> None:
        self.brisk = brisk
        self.board, self.arrived, self.touched, self.stepped = board, arrived, touched, stepped
        self.layers = layers or self.watch
        self.ahead = ahead or self.layers
        self.explain = explain or (lambda event: because(self.turn_story, event))
        self.told: NarratedStory | None = None
        self.beat = self.last = 0
        self.seen = True  # whether the last beat has been shown
        self.event: int | None = None  # its number among those of the story
        self.places: Sequence[Point] = ()  # where something happens in it
        self.stops: Sequence[int] = ()  # beats that one goes to at once, and what is there
        self.stop = ""
        self._first: dict[int, int] = {}  # by its beat, the number of the first event
        self._scenes: dict[int, tween.Scene] = {}
        self._packed: dict[int, tuple[Shapes, Shapes]] = {}  # the layers of the beats that the page has
        on = board.guard
        self.first = button("", on(lambda: self.jump(0)), "To the beginning", "fast-backward")
        self.stop_back = button("◂✸", on(lambda: self.jump_to_stop(-1)), "The previous crash")
        self.back = button("", on(lambda: self.jump(self.beat - 1)), "One beat back", "step-backward")
        self.forward = button("", on(lambda: self.jump(self.beat + 1)), "One beat forward", "step-forward")
        self.stop_on = button("✸▸", on(lambda: self.jump_to_stop(1)), "The next crash")
        self.end = button("", on(lambda: self.jump(self.last)), "To the end", "fast-forward")
        for part in (self.stop_back, self.back, self.forward, *more, self.stop_on):
            known_as(part, FAR)
        self.slider = widgets.IntSlider(
            0, 0, 0, description="Beat", layout={"flex": "1 1 140px", "min_width": "120px"},
            style={"description_width": "initial"},
        )  # fmt: skip
        self.speed = widgets.Dropdown(
            options=list(SPEEDS), value="normal", tooltip="How fast it plays", layout={"width": "92px"}
        )
        self.clock = FilmPlayer(board, self.slider, self._pack, self._played, self._play, SPEEDS["normal"])
        self.play = self.clock.button
        wide = {"flex": f"1 1 {NARROW}px", "width": "auto", "min_width": "0", "margin": "0"}
        self.events = widgets.Select(
            options=[], rows=9, tooltip="Events of the turn", layout={**wide, "flex": f"2 1 {NARROW}px"}
        )
        self.reason = widgets.HTML(layout=wide)
        self.story = widgets.Box([self.events, self.reason], layout={"flex_flow": "row wrap", "grid_gap": "0 12px"})
        known_as(self.story, "crashlab-story")
        self.slider.observe(on(lambda _: self._scrub()), "value")
        self.events.observe(on(self._choose), "value")
        self.speed.observe(on(self._pace), "value")
        board.before_map = self._speed_key
        buttons = [self.first, self.stop_back, self.back, self.play, self.forward, *more, self.stop_on, self.end]
        rest = [self.slider, self.speed, self.clock]
        super().__init__([known_as(widgets.HBox([*buttons, *rest], layout=ROW), "crashlab-row")])

    def load(self, told: NarratedStory | Turn | None, last: int | None = None) -> None:
        """Lead through this story, or beat by beat through a turn up to one of them. Nothing is drawn yet."""
        self.told = turn_film.whole(told, last) if isinstance(told, Turn) else told
        self._scenes, self._packed = {}, {}
        self.clock.load(self.told.beats if self.told else 0)
        self.seen = self.told is None
        self.places = self.told.places() if self.told else ()
        self.until(self.told.beats if self.told else 0)
        events = self.told.events if self.told else ()
        self._first = {beat: number for number, (beat, _) in reversed([*enumerate(events)])}
        self.events.options = [(line, number) for number, line in enumerate(self.told.lines() if self.told else ())]
        self.aim(self.told.stops if self.told else (), self.told.stop if self.told else "")
        if self.brisk:
            self._pace()
        self._settle(0, None)

    def until(self, last: int) -> None:
        """Lead no farther than to this beat, for now."""
        self.slider.value = min(self.slider.value, last)  # else the page does it, and says so as if by hand
        self.last = self.slider.max = last
        self.clock.until(last)

    def aim(self, stops: Sequence[int], stop: str) -> None:
        """Go to these beats at once from now on; `stop` is what is there."""
        self.stops, self.stop = stops, stop
        for way in (self.stop_back, self.stop_on):
            way.disabled = not stops
            way.layout.display = "none" if self.told and not stop else None

    # Where it stands

    @property
    def turn_story(self) -> TurnStory | None:
        """The story, if it is a film of turns."""
        return self.told if isinstance(self.told, TurnStory) else None

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns of the film."""
        return self.turn_story.turns if self.turn_story else ()

    @property
    def turn(self) -> Turn | None:
        """The last of them."""
        return self.turns[-1] if self.turns else None

    def scene(self, beat: int) -> tween.Scene:
        """The story as it stands after this beat, with the effects that lead there."""
        assert self.told is not None
        if beat not in self._scenes:
            self._scenes[beat] = story.scene(self.told, beat)
        return self._scenes[beat]

    def watch(self, beat: int) -> tuple[Shapes, Shapes]:
        """What is drawn of the story itself; it is looked at where something happens in it."""
        self.board.look_at(self.scene(beat)[0], self.places)
        return self.marks(beat), ()

    def marks(self, beat: int) -> Shapes:
        """The paths driven up to this beat."""
        assert self.told is not None
        return tuple(self.told.ways(beat))

    def jump_to_stop(self, step: int) -> None:
        """Go to the next stop, or to the one before."""
        ahead = [beat for beat in self.stops[::step] if (beat - self.beat) * step > 0]
        if ahead:
            self.jump(ahead[0])
        elif self.stop:
            self.board.say(f"There is no {self.stop} {'after' if step > 0 else 'before'} this beat.")

    def jump(self, beat: int) -> None:
        """Stop playing, and go to this beat."""
        self.touched()
        self.clock.stop()
        self.go(beat)

    def go(self, beat: int, event: int | None = None) -> None:
        """Show this beat, and the event with this number or its first; the next beat is glided to."""
        if self.told is None:
            return
        beat = min(max(beat, 0), self.last)
        picture, layers = self.scene(beat)[0], self.layers(beat)
        glides = beat == self.beat + 1 and self.board.animate
        if self._packed.get(beat, layers) == layers and self.clock.show(beat, glides) and self._packed[beat] == layers:
            self.board.played(picture, *layers)
        else:
            self.board.show(picture, *layers)
        self._settle(beat, event)
        self._tell()

    def _tell(self) -> None:
        assert self.told is not None
        self.board.say(self.told.words(self.beat))
        self.stepped()
        if self.beat == self.last:
            self.arrived()

    def tell(self, event: int) -> None:
        """Show the event with this number, at its beat."""
        if self.told is not None:
            self.go(self.told.events[event][0], event)

    def rest(self) -> None:
        """Stand at the end, drawing nothing."""
        if self.beat != self.last or self.clock.playing:
            self.clock.stop()
            self._settle(self.last, None)

    def _settle(self, beat: int, event: int | None) -> None:
        self.beat = beat
        self.event = self._first.get(beat) if event is None else event
        self.seen = self.seen or beat == self.last
        self.slider.value = beat
        if self.events.options:
            self.events.value = self.event
        self.explain_again()

    def explain_again(self) -> None:
        """Say why the event happened that is shown."""
        here = self.told.events[self.event][1] if self.told and self.event is not None else None
        self.reason.value = self.explain(here)

    # The film in the page

    def _pack(self, packed: Packed, beat: int) -> Document:
        """What the page has to change for a beat."""
        assert self.told is not None
        lens = self.board.lens
        try:
            picture, effects = self.scene(beat)
            marks, top = self.ahead(beat)
            seen = self.board.lens
        finally:
            self.board.lens = lens
        self._packed[beat] = marks, top
        pieces = [Piece("ways", 0, 0, tuple(marks)), *picture.pieces, Piece("top", 0, 0, tuple(top))]
        return {"lens": plain(seen), **packed.scene(picture, pieces, effects)}

    def _played(self, beat: int, plays: bool) -> None:
        """The page has come to this beat."""
        if self.told is None:
            return
        layers = self.layers(beat)
        if plays or layers == self._packed.get(beat):
            self.board.played(self.scene(beat)[0], *layers, rests=not plays)
        else:
            self.board.show(self.scene(beat)[0], *layers)
        with self.slider._lock_property(value=beat):  # the page has it there; what goes there now would come too late
            self._settle(beat, None)
        self._tell()

    def _scrub(self) -> None:
        """The page's slider has been dragged here, and what the page has of the film it shows already."""
        beat = self.slider.value
        self.touched()
        self.clock.stop()
        if self.told is None:
            return
        layers = self.layers(beat)
        if layers == self._packed.get(beat) and self.clock.has(beat):
            self.board.played(self.scene(beat)[0], *layers)
            self._settle(beat, None)
            self._tell()
        else:
            self.go(beat)

    # Playing

    def start(self, beat: int = 0) -> None:
        """Play from this beat, if there is a browser to play in."""
        self.go(beat)
        self.clock.start(self.beat)

    def _play(self) -> None:
        if self.clock.playing:
            self.clock.stop()
        elif self.beat >= self.last:
            self.start()
        else:
            self.clock.start(self.beat)

    def _pace(self, _: Any = None) -> None:
        share = min(self.brisk / self.last, 1) if self.brisk and self.last else 1
        self.clock.beat_ms = round(share * SPEEDS[self.speed.value])

    def _choose(self, _: Any = None) -> None:
        event = self.events.value
        if self.told is None or event in (None, self.event):
            return
        self.touched()
        self.clock.stop()
        self.tell(event)

    def _speed_key(self, name: str) -> bool:
        """While it plays, + and − set the speed, also where they would bring a map nearer."""
        return self.clock.playing and self.faster(name)

    def faster(self, name: str) -> bool:
        """Whether a key has set the speed."""
        step = {"+": 1, "=": 1, "-": -1, "−": -1}.get(name)
        if step:
            speeds = list(SPEEDS)
            self.speed.value = speeds[min(max(speeds.index(self.speed.value) + step, 0), len(speeds) - 1)]
            self._pace()
            self.board.say(f"Speed: {self.speed.value}, {SPEEDS[self.speed.value] / 1000:g} s per beat.")
        return bool(step)

    def key(self, name: str) -> None:
        """Arrows step, c and C go to stops, Home and End jump, space plays and pauses, + and − set the speed."""
        leads = {"ArrowLeft": self.beat - 1, "ArrowRight": self.beat + 1, "Home": 0, "End": self.last}
        if name in leads:
            self.jump(leads[name])
        elif name in ("c", "C"):
            self.jump_to_stop(1 if name == "c" else -1)
        elif self.faster(name):
            return
        elif name in (" ", "Enter"):
            self._play()


class Stepper(Panel):
    """A turn with everything you need to understand it: the board, the controls, the events and their reasons.

    Turns that follow it, if given, are shown with it as one film. `KEYS` says what the keys on the board do.

        >>> state = crashlab.game("autoscooter").read({"cars": {"1": "21E2", "2": "23SE2"}})
        >>> stepper = Stepper(state.play({"A": "17 FF", "B": None}))
        >>> stepper.show(3)
    """

    def __init__(
        self, turn: Turn, *more: Turn, theme: str | None = None, scale: float | None = None, animate: bool = True
    ) -> None:
        for each in (turn, *more):
            expect(each, Turn, "a Stepper shows a Turn, such as state.play(...) returns")
        self.turn, self.more = turn, more
        self.now = None
        self.board = Board(turn.before, theme=theme, scale=scale, animate=animate, follows=True)
        self.board.owner = self
        self.steps = Steps(self.board)
        self.board.alone(self._begin)
        self.board.on_key(self.steps.key, leave=lambda: self.steps.play)
        super().__init__([beside(self.board, widgets.VBox([self.steps, self.steps.story]), KEYS, LINE)])

    def _begin(self) -> None:
        self.steps.load(turn_film.cut([self.turn, *self.more]))
        self.steps.go(0)

    def show(self, beat: int) -> None:
        """Go to where this beat of the turn is shown."""
        assert self.steps.turn_story is not None
        shots = enumerate(self.steps.turn_story.shots, 1)
        shown = next((n for n, shot in shots if (0, beat) <= shot.beats[-1]), 0) if beat else 0
        self.board.alone(self.steps.jump, shown)

    @staticmethod
    def beside(
        one: Turn, other: Turn, *, theme: str | None = None, scale: float | None = None, animate: bool = True
    ) -> Beside:
        """Two turns, beat by beat with one slider, with what everybody has: such as one turn under two rulebooks."""
        for turn in (one, other):
            expect(turn, Turn, "Stepper.beside shows two Turns, such as state.play(...) returns")
        return Beside(StoryPair(StorySide.of(one), StorySide.of(other)), theme, scale, animate)

    def film_document(self) -> Document | None:
        """The turns with their rules."""
        story = turn_film.cut([self.turn, *self.more])
        return story.document(titled(self.turn)) if story.beats <= KEPT else None

    def still(self) -> tuple[Picture, str]:
        """The whole turn in one picture, and its events in words."""
        turns = [self.turn, *self.more]
        picture = story.summary(turn_film.cut(turns) if self.more else self.turn)
        return picture, "\n".join(f"{turn!r}\n{turn}" for turn in turns)


class Beside(Panel):
    """Two films or turns, beat by beat on two boards, with what each has done so far.

    `Watch.beside` and `Stepper.beside` make it.
    """

    def __init__(
        self, story: StoryPair, theme: str | None = None, scale: float | None = None, animate: bool = True
    ) -> None:
        self.story = story
        self.now = None
        self.board = Board(story.picture(0), theme=theme, scale=scale, animate=animate)
        self.board.owner = self
        self.steps = Steps(self.board, stepped=self._show, explain=lambda event: "")
        self.counts = known_as(widgets.HTML(), FAR)
        self.board.on_key(self.steps.key, leave=lambda: self.steps.play)
        keys = widgets.HTML(f"<div style='opacity: 0.75'>Keys on the board: {escape(PLAIN_KEYS)}.</div>")
        super().__init__([self.steps, self.board, self.counts, keys])
        self.board.alone(self._begin)

    def _begin(self) -> None:
        self.steps.load(self.story)
        self.steps.go(0)

    def show(self, beat: int) -> None:
        """Go to this beat of both."""
        self.board.alone(self.steps.jump, beat)

    def _show(self) -> None:
        """Show both counts."""
        rows = [[f"<td>{escape(cell)}&emsp;</td>" for cell in row] for row in self.story.counts(self.steps.beat)]
        lines = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
        self.counts.value = f"<table style='line-height: 1.5'>{lines}</table>"

    def film_document(self) -> Document | None:
        """Both side by side."""
        return self.story.document() if self.story.beats <= KEPT else None

    def still(self) -> tuple[Picture, str]:
        """Both at their ends, and the counts in words."""
        rows = self.story.counts(self.story.beats)
        return self.story.picture(self.story.beats), "\n".join("  ".join(row) for row in rows)


def beside(board: Board, side: widgets.Widget, keys: str, wide: int = NARROW) -> widgets.Box:
    """The board, what the keys do, and at its side the rest: a high board does not push that away.

    Where the page leaves less than `wide` pixels for the rest, it comes below too.
    """
    keys += f"; {MAP_KEYS}" if board.picture.map else ""
    keys += f"; {SCREEN_KEY}"
    told = f"<summary title='Keys on the board'>?</summary>Keys on the board: {escape(keys)}."
    help_line = widgets.HTML(f"<details style='line-height: 1.4; opacity: 0.75'>{told}</details>")
    known_as(help_line, "crashlab-keys-told")
    least, most = round(0.75 * board.picture.width * board.scale), board.layout.max_width
    flex = {"flex": f"10 1 {least}px", "max_width": most, "min_width": "0"}
    left = known_as(widgets.VBox([board, help_line, board.words], layout=flex), "crashlab-left")
    known_as(side, "crashlab-side")
    side.layout.flex = f"1 1 {wide}px"
    side.layout.min_width = "0"
    flow = {"flex_flow": "row wrap", "align_items": "flex-start", "grid_gap": "0 12px", "width": "100%"}
    return known_as(widgets.Box([left, side], layout=flow), "crashlab-room")


def quoted(rule: Rule) -> str:
    """A rule with its text, for the page."""
    mark = f"<span title='{escape(MARKS[rule.mark])}' style='{MARK}'>{escape(rule.mark)}</span>"
    return f"<div style='{QUOTE}'><b>{escape(rule.id)}</b> {escape(rule.title)} {mark}<br>{escape(rule.text)}</div>"


def because(told: TurnStory | None, event: Event | None) -> str:
    """The event, its rule, and the chain of its causes, as far as one may know of them, for the page."""
    if told is None or event is None:
        return HINT
    turn, step = event.turn, event
    parts: list[str] = []
    cited = ""
    while True:
        rule = turn.before.game.rulebook[step.rule]
        lead = "<i>because</i> " if parts else ""
        if told.knows(step):
            parts.append(f"<div style='margin: 6px 0 2px'>{lead}<b>{escape(step.text)}</b></div>")
            if rule.id != cited:
                parts.append(quoted(rule))
            cited = rule.id
        if step.cause is None:
            return f"<div style='line-height: 1.35; max-height: 340px; overflow-y: auto'>{''.join(parts)}</div>"
        step = turn.events[step.cause]
