"""A turn, beat by beat: play it, step through it, scrub, and ask of every event why it happened.

While a turn plays, the browser keeps the time: it counts the beats and the kernel sends each as one message, with
the frames that lead to it. So pausing works at once, and a slow connection skips nothing but the gliding.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from html import escape
from typing import Any

import ipywidgets as widgets

from crashlab import film, kit
from crashlab.lab.board import FAR, MAP_KEYS, ROW, SCREEN_KEY, Board, Panel, button, expect, known_as
from crashlab.rulebook import MARKS, Rule
from crashlab.shapes import Picture, Point
from crashlab.stage import frames
from crashlab.stage.canvas import FRAME, Frames, Shapes
from crashlab.state import Turn
from crashlab.why import Event

SPEEDS = {"slow": 1500, "normal": 800, "fast": 380}  # milliseconds for a beat
GLIDE = 280  # milliseconds that a move takes, at most
NARROW, LINE = 255, 380  # pixels in which buttons and words find room; in which the line of an event does
LATE = 0.2  # seconds in which the clock's next beat may still arrive after a stop, or the page may answer with a beat
HINT = "<div style='line-height: 1.35'>Step through the turn, or pick an event to see its rule and its causes.</div>"
KEYS = "left and right step, c and C jump to crashes, Home and End jump, space plays and pauses, Tab leaves"
QUOTE = "padding-left: 10px; border-left: 3px solid #0072B2"
MARK = "border: 1px solid; border-radius: 8px; padding: 0 6px; font-size: 85%"


class Steps(widgets.VBox):  # type: ignore[misc]
    """The controls that lead through a turn on a board, and `story`: its events and the reasons for them.

    `layers(beat)` gives what is drawn under the pieces and above them, by default the ways that were driven;
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
    ) -> None:
        self.board, self.arrived, self.touched, self.stepped = board, arrived, touched, stepped
        self.layers = layers or self.watch
        self.turn: Turn | None = None
        self.beat = self.last = 0
        self.seen = True  # whether the last beat has been shown
        self.event: int | None = None
        self.places: Sequence[Point] = ()  # where something happens in the turn
        self._stopped = 0.0
        self._put: dict[int, float] = {}  # when the slider was put on a beat, other than by hand
        self._scenes: dict[int, frames.Scene] = {}
        on = board.guard
        self.first = button("", on(lambda: self.jump(0)), "To the beginning", "fast-backward")
        self.crash_back = button("◂✸", on(lambda: self.jump_to_crash(-1)), "The crash before")
        self.back = button("", on(lambda: self.jump(self.beat - 1)), "One beat back", "step-backward")
        self.play = button(
            "Play", on(self._play), "Play from here, or pause", "play", once=True, layout={"width": "80px"}
        )
        self.forward = button("", on(lambda: self.jump(self.beat + 1)), "One beat forward", "step-forward")
        self.crash_on = button("✸▸", on(lambda: self.jump_to_crash(1)), "The next crash")
        self.end = button("", on(lambda: self.jump(self.last)), "To the end", "fast-forward")
        for part in (self.crash_back, self.back, self.forward, self.crash_on):
            known_as(part, FAR)
        self.slider = widgets.IntSlider(
            0, 0, 0, description="Beat", layout={"flex": "1 1 140px", "min_width": "120px"},
            style={"description_width": "initial"},
        )  # fmt: skip
        self.speed = widgets.Dropdown(
            options=list(SPEEDS), value="normal", tooltip="How fast it plays", layout={"width": "92px"}
        )
        self.clock = widgets.Play(value=0, min=0, max=0, interval=SPEEDS["normal"], layout={"display": "none"})
        wide = {"flex": f"1 1 {NARROW}px", "width": "auto", "min_width": "0", "margin": "0"}
        self.events = widgets.Select(
            options=[], rows=9, tooltip="Events of the turn", layout={**wide, "flex": f"2 1 {NARROW}px"}
        )
        self.reason = widgets.HTML(layout=wide)
        self.story = widgets.Box([self.events, self.reason], layout={"flex_flow": "row wrap", "grid_gap": "0 12px"})
        known_as(self.story, "crashlab-story")
        self.link = widgets.jslink((self.clock, "value"), (self.slider, "value"))
        self.slider.observe(on(self._scrub), "value")
        self.events.observe(on(self._choose), "value")
        self.speed.observe(on(self._pace), "value")
        self.clock.observe(on(lambda _: self._name_play()), "playing")
        board.surface.widget.on_client_ready(on(self._stop))  # a page that is loaded again has lost its clock
        buttons = [self.first, self.crash_back, self.back, self.play, self.forward, self.crash_on, self.end]
        rest = [self.slider, self.speed, self.clock]
        super().__init__([known_as(widgets.HBox([*buttons, *rest], layout=ROW), "crashlab-row")])

    def load(self, turn: Turn | None, last: int | None = None) -> None:
        """Lead through this turn, up to this beat and no further. Nothing is drawn yet."""
        self._stop()
        self.turn = turn
        self._scenes = {}
        self.seen = turn is None
        self.places = film.places(turn) if turn else ()
        self.last = (turn.beats if last is None else last) if turn else 0
        self._crashes: list[int] | None = None
        self.slider.max = self.clock.max = self.last
        told = [event for event in turn.events if event.beat <= self.last] if turn else []
        self.events.options = [(f"{event.beat:>3}  {event.rule}  {event.text}", event.number) for event in told]
        self._settle(0, None)

    # Where it stands

    def scene(self, beat: int) -> frames.Scene:
        """The turn as it stands after this beat, with the effects that lead there."""
        assert self.turn is not None
        if beat not in self._scenes:
            self._scenes[beat] = film.scene(self.turn, beat)
        return self._scenes[beat]

    def watch(self, beat: int) -> tuple[Shapes, Shapes]:
        """What is drawn of the turn itself; it is looked at where something happens in it."""
        self.board.look_at(self.scene(beat)[0], self.places)
        return self.marks(beat), ()

    def marks(self, beat: int) -> Shapes:
        """The ways that were driven until this beat."""
        assert self.turn is not None
        return tuple(self.turn.ways(beat))

    def beat_events(self, beat: int) -> list[Event]:
        """What happens in this beat."""
        return [event for event in self.turn.events if event.beat == beat] if self.turn else []

    @property
    def crashes(self) -> list[int]:
        """The beats in which something crashes."""
        if self._crashes is None:
            beats = range(1, self.last + 1)
            self._crashes = [beat for beat in beats if any(kit.is_burst(start) for start, _ in self.scene(beat)[1])]
        return self._crashes

    def jump_to_crash(self, way: int) -> None:
        """Go to the next crash, or to the one before; with none there, say so."""
        found = [beat for beat in self.crashes if (beat - self.beat) * way > 0]
        if found:
            self.jump(found[0] if way > 0 else found[-1])
        else:
            self.board.say(f"There is no crash {'after' if way > 0 else 'before'} this.")

    def jump(self, beat: int) -> None:
        """Stop playing, and go to this beat."""
        self.touched()
        self._stop()
        self.go(beat)

    def go(self, beat: int, event: Event | None = None) -> None:
        """Show this beat, and this event of it or its first; the next beat is glided to."""
        if self.turn is None:
            return
        beat = min(max(beat, 0), self.last)
        glides = beat == self.beat + 1 and self.board.animate and not self.board.surface.playing
        self.board.film(self.glide(beat) if glides else (), self.scene(beat)[0], *self.layers(beat))
        self._settle(beat, event)
        self.board.say(self.words(beat))
        self.stepped()
        if beat == self.last:
            self.arrived()

    def rest(self) -> None:
        """Stand at the end, drawing nothing."""
        if self.beat != self.last or self.clock.playing:
            self._stop()
            self._settle(self.last, None)

    def _settle(self, beat: int, event: Event | None) -> None:
        here = self.beat_events(beat)
        event = event or (here[0] if here else None)
        self.beat = beat
        self.event = event.number if event else None
        self.seen = self.seen or beat == self.last
        if self.slider.value != beat:
            self._put[beat] = time.monotonic()
        self.slider.value = beat
        self.events.value = self.event
        self.reason.value = because(self.turn, event) if self.turn and event else HINT

    def glide(self, beat: int) -> Frames:
        """The frames that lead to this beat from the one before."""
        before = self.scene(beat - 1)[0]
        after, effects = self.scene(beat)
        count = max(2, round(min(GLIDE, 0.7 * self.clock.interval) / FRAME))
        return [frames.between(before, after, effects, way / count) for way in range(1, count + 1)]

    def words(self, beat: int) -> str:
        """The beat in words."""
        here = self.beat_events(beat)
        if not here:
            return f"Before the turn. It has {self.last} beats." if beat == 0 else f"Beat {beat} of {self.last}."
        told = "; ".join(f"{event.text} [{event.rule}]" for event in here)
        return f"Beat {beat} of {self.last}: {told}."

    # Playing

    def start(self, beat: int = 0) -> None:
        """Play from this beat, if there is a browser to play in."""
        self.go(beat)
        self.clock.value = self.beat
        self.clock.playing = self.beat < self.last
        self._name_play()

    def _play(self) -> None:
        if self.clock.playing:
            self._stop()
        elif self.beat >= self.last:
            self.start()
        else:
            self.clock.value = self.beat
            self.clock.playing = True
        self._name_play()

    def _stop(self) -> None:
        """Stop the clock; `_scrub` takes no notice of a beat that it has sent already."""
        if self.clock.playing:
            self.clock.playing = False
            self._stopped = time.monotonic()
        self._name_play()

    def _name_play(self) -> None:
        self.play.description, self.play.icon = ("Pause", "pause") if self.clock.playing else ("Play", "play")

    def _pace(self, _: Any = None) -> None:
        self.clock.interval = SPEEDS[self.speed.value]

    def _scrub(self, _: Any = None) -> None:
        now = time.monotonic()
        wanted = self.slider.value
        if wanted == self.beat:
            return
        from_clock = wanted == self.beat + 1 and now - self._stopped < LATE
        if from_clock or now - self._put.get(wanted, -LATE) < LATE:
            self.slider.value = self.beat
        else:
            self.touched()
            self.go(self.slider.value)

    def _choose(self, _: Any = None) -> None:
        if self.turn is None or self.events.value in (None, self.event):
            return
        event = self.turn.events[self.events.value]
        self.touched()
        self._stop()
        self.go(event.beat, event)

    def key(self, name: str) -> None:
        """Arrows step, c goes to crashes, Home and End jump, space plays and pauses."""
        leads = {"ArrowLeft": self.beat - 1, "ArrowRight": self.beat + 1, "Home": 0, "End": self.last}
        if name in leads:
            self.jump(leads[name])
        elif name in ("c", "C"):
            self.jump_to_crash(1 if name == "c" else -1)
        elif name in (" ", "Enter"):
            self._play()


class Stepper(Panel):
    """A turn with everything to understand it: the board, the controls, the events and their reasons.

    `KEYS` says what the keys on the board do.
    """

    def __init__(
        self, turn: Turn, *, theme: str | None = None, scale: float | None = None, animate: bool = True
    ) -> None:
        expect(turn, Turn, "a Stepper shows a Turn, as state.play(...) gives it")
        self.turn = turn
        self.now = None
        self.board = Board(turn.before, theme=theme, scale=scale, animate=animate, follows=True)
        self.board.owner = self
        self.steps = Steps(self.board)
        self.board.alone(self._begin)
        self.board.on_key(self.steps.key, leave=lambda: self.steps.play)
        super().__init__([beside(self.board, widgets.VBox([self.steps, self.steps.story]), KEYS, LINE)])

    def _begin(self) -> None:
        self.steps.load(self.turn)
        self.steps.go(0)

    def show(self, beat: int) -> None:
        """Go to this beat."""
        self.board.alone(self.steps.jump, beat)

    def still(self) -> tuple[Picture, str]:
        """The whole turn in one picture, and its events in words."""
        return film.summary(self.turn), f"{self.turn!r}\n{self.turn}"


def beside(board: Board, side: widgets.Widget, keys: str, wide: int = NARROW) -> widgets.Box:
    """The board, below it what the keys do, and at its side the rest: a high board does not push it off the page.

    Where the page leaves less than `wide` pixels for the rest, it comes below too.
    """
    keys += f"; {MAP_KEYS}" if board.picture.map else ""
    keys += f"; {SCREEN_KEY}"
    help_line = widgets.HTML(f"<div style='line-height: 1.4; opacity: 0.75'>Keys on the board: {escape(keys)}.</div>")
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


def because(turn: Turn, event: Event) -> str:
    """The event, its rule, and the chain of its causes, for the page."""
    book = turn.before.game.rulebook
    parts: list[str] = []
    cited = ""
    while True:
        rule = book[event.rule]
        lead = "<i>because</i> " if parts else ""
        parts.append(f"<div style='margin: 6px 0 2px'>{lead}<b>{escape(event.text)}</b></div>")
        if rule.id != cited:
            parts.append(quoted(rule))
        cited = rule.id
        if event.cause is None:
            return f"<div style='line-height: 1.35; max-height: 340px; overflow-y: auto'>{''.join(parts)}</div>"
        event = turn.events[event.cause]
