"""What goes on in the page by itself: a film, which is played there.

A film is packed (`drawing.film_json`) and sent a few beats at a time, as fast as the page asks for them. The page plays
it on the layers of the board and tells which beat it shows; how far away the kernel is, makes no difference to that.
What the page has told before it heard of something new from the kernel comes too late, and is not listened to.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import anywidget
import ipywidgets as widgets
import traitlets

from crashlab.drawing.film_json import Document, Packed
from crashlab.drawing.player import painter
from crashlab.drawing.tween import GLIDE, ZOOM
from crashlab.drawing.zoom import Lens, gliding
from crashlab.lab.board import Board, button, known_as

SENT_AHEAD = 6  # beats that are sent before the first is shown
MORE = 24  # beats that are sent when the page asks for more
FULL = 6000  # shapes of which the page knows, at most, when another film begins


class FilmPlayer(anywidget.AnyWidget):
    """Plays films on a board, in the page; `button` plays and pauses.

    `pack(packed, beat)` gives what a beat changes. `shown(beat, whether it plays)` hears which beat the page has come
    to by itself, `toggle()` that the button was pressed.
    """

    _esm = f"{painter()}\n{Path(__file__).with_name('board_player.js').read_text(encoding='utf-8')}"
    canvas = traitlets.Unicode().tag(sync=True)
    slider = traitlets.Unicode().tag(sync=True)
    mark = traitlets.Unicode().tag(sync=True)  # by which the page knows the board and the button
    glide = traitlets.Int(GLIDE).tag(sync=True)
    zoom = traitlets.Int(ZOOM).tag(sync=True)  # milliseconds in which a map comes nearer
    width = traitlets.Float().tag(sync=True)  # of the board's picture
    board_keys = traitlets.Bool(True).tag(sync=True)  # whether space and Enter on the board pause, too

    def __init__(
        self,
        board: Board,
        slider: widgets.IntSlider,
        pack: Callable[[Packed, int], Document],
        shown: Callable[[int, bool], object],
        toggle: Callable[[], object],
        beat_ms: int,
    ) -> None:
        self.board, self.pack, self.shown = board, pack, shown
        self.playing = self.ready = False
        self.last = self._sent = self._film = self._run = self._from = 0
        self._beat_ms = beat_ms
        self._packed = Packed()
        surface = board.surface
        super().__init__(
            canvas=f"IPY_MODEL_{surface.widget.model_id}", slider=f"IPY_MODEL_{slider.model_id}", width=surface.width,
            mark=f"crashlab-film-{slider.model_id}", layout={"display": "none"},
        )  # fmt: skip
        self.button = button("", board.guard(toggle), "Play from here, or pause", once=True, layout={"width": "80px"})
        known_as(self.button, "crashlab-play", self.mark)
        known_as(surface.widget, self.mark)
        surface.player = self
        self._name()
        self.on_msg(board.guard(lambda _, said, __: self._hear(said)))

    # What the kernel wants

    def load(self, beats: int) -> None:
        """Have a film with so many beats after the first, of which nothing is shown yet."""
        self.stop()
        self.last = beats
        self._begin(afresh=len(self._packed.shapes) > FULL)

    def until(self, last: int) -> None:
        """Play no farther than to this beat, and send nothing beyond it."""
        before, self.last = self.last, last
        if last != before and self.ready:
            self._tell("until", last=last)
            if self._sent > before:  # the page has all of what there was, and asks for no more
                self._send_until(min(self._sent, last))

    def has(self, beat: int) -> bool:
        """Whether the page has all that it needs to show this beat by itself."""
        return self.ready and beat < self._sent

    def show(self, beat: int, glides: bool) -> bool:
        """Show this beat, to which the one before glides; whether the page has it."""
        self._pause()
        if not self.ready or beat > self._sent + SENT_AHEAD:
            return False
        self._send_until(beat)
        self._say("show", beat=beat, glides=glides, **self._seen())
        return True

    def start(self, beat: int) -> None:
        """Play on from this beat, which is shown, if there is a page to play on."""
        self._from = beat
        self.playing = beat < self.last
        if self.playing and self.ready:
            self._send_until(beat + 1)
            self._say("play", beat=beat, **self._seen())
            self.board.surface.hand_over()
        self._name()

    def stop(self) -> None:
        """Play no more; the page stands at the beat that it has come to."""
        if self.playing and self.ready:
            self._say("stop")
        self._pause()

    @property
    def beat_ms(self) -> int:
        """Milliseconds for a beat."""
        return self._beat_ms

    @beat_ms.setter
    def beat_ms(self, milliseconds: int) -> None:
        if milliseconds != self._beat_ms:
            self._beat_ms = milliseconds
            if self.playing and self.ready:
                self._tell("pace", each=milliseconds)

    # What the board wants (`drawing.canvas.PagePlayer`)

    def leave(self) -> None:
        """The kernel draws now."""
        self._pause()
        self._say("leave")

    def look(self, before: Lens | None, lens: Lens | None) -> None:
        """Show the same through this lens, in the board's colours; it comes nearer, or goes farther, from the other."""
        self._tell("look", **seen(before, lens), colours=dict(self.board.surface.colours))

    # Between the two

    def _seen(self) -> Document:
        before = self.board.surface.lens if self.board.animate else None
        return {"each": self.beat_ms, "still": not self.board.animate, **seen(before, self.board.lens)}

    def _say(self, what: str, **more: object) -> None:
        """Say what makes all that the page told before come too late."""
        self._run += 1
        self._tell(what, **more)

    def _tell(self, what: str, **more: object) -> None:
        self.send({"do": what, "run": self._run, **more})

    def _begin(self, afresh: bool) -> None:
        """Have a film of which nothing was sent; `afresh` forgets the shapes of those before, too."""
        if afresh:
            self._packed = Packed()
        self._packed.begin()
        self._film, self._sent = self._film + 1, 0
        if self.ready:
            self._say("film", last=self.last, afresh=afresh)

    def _send_until(self, beat: int) -> None:
        """Send what the page does not have of the beats up to this one."""
        if beat < self._sent:
            return
        known = {name: len(getattr(self._packed, name)) for name in ("shapes", "drawings", "keys")}
        try:
            beats = [self.pack(self._packed, number) for number in range(self._sent, beat + 1)]
        except Exception:
            self._pause()
            self._begin(afresh=True)  # half of it is packed, and nothing sent
            raise
        self._sent = beat + 1
        new = {name: getattr(self._packed, name)[count:] for name, count in known.items()}
        new["pieces"] = new.pop("keys")
        more = self._sent <= self.last
        self.send({"do": "beats", "film": self._film, "beats": beats, "more": more, **new})

    def _hear(self, said: dict[str, Any]) -> None:
        if "ready" in said:
            waits = self.playing and not self.ready  # it was to play before there was a page
            self.ready = True
            self.stop()
            self.look(None, self.board.lens)
            self._begin(afresh=True)
            if waits:
                self.start(self._from)
        elif "more" in said:
            if said["more"] == self._film:
                self._send_until(min(self._sent + MORE - 1, self.last))
        elif said["run"] == self._run and self.board.surface.plays:
            self.playing = said["playing"]
            self._name()
            self.shown(said["at"], self.playing)

    def _pause(self) -> None:
        self.playing = False
        self._name()

    def _name(self) -> None:
        """Say on the button what it does."""
        self.button.description, self.button.icon = ("Pause", "pause") if self.playing else ("Play", "play")


def seen(before: Lens | None, lens: Lens | None) -> Document:
    """A lens for the page, and the one from which it comes nearer or goes farther, if it can."""
    return {"lens": plain(lens), "before": plain(before) if gliding(before, lens, 2) else None}


def plain(lens: Lens | None) -> dict[str, float] | None:
    """A lens as the page knows it."""
    if lens is None:
        return None
    sides = {side: getattr(lens.map, side) for side in ("left", "right", "top", "bottom")}
    return {"zoom": lens.zoom, "x": lens.x, "y": lens.y, **sides}
