"""Hands and eyes for tests of the widgets: what a person does in the browser, and what is sent there."""

import html
import json
import re
import time

import pytest
from ipycanvas.canvas import COMMANDS
from patience import PATIENCE

from crashlab.drawing import canvas
from crashlab.lab import board as lab_board
from crashlab.lab import jobs

NAMES = {code: name for name, code in COMMANDS.items()}


class Clock:
    """A clock that all but stands still until a hand takes its time: what comes at once does so on any machine."""

    now = 1000.0

    def monotonic(self):
        self.pass_by(0.000_001)
        return self.now

    def pass_by(self, seconds=canvas.DOUBLE):
        self.now += seconds


CLOCK = Clock()


@pytest.fixture(autouse=True)
def quick_fingers(monkeypatch):
    """The widgets go by this clock."""
    for module in (canvas, lab_board):
        monkeypatch.setattr(module, "time", CLOCK)
    monkeypatch.setattr(jobs, "SOON", PATIENCE)  # so that what agents think has arrived with the click


class Sent:
    """What a board sends to the browser, one list of commands for each message."""

    def __init__(self, panel):
        self.messages, self.panel = [], panel
        self.surface = panel.board.surface
        self.attach()

    def attach(self):
        self.surface.queue._send_custom = lambda commands, buffers=(): self.messages.append(list(commands))

    def names(self, place=-1):
        return [NAMES[command[0]] for command in self.messages[place]]

    def press(self, x, y, *, pause=canvas.DOUBLE):
        """The mouse at a point of the picture, wherever its lens shows it; a moment has passed since the last time."""
        CLOCK.pass_by(pause)
        zoom, lens, hand = self.surface.zoom, self.surface.lens, self.surface.widget[-1]
        if lens and lens.map.holds(x, y):
            x, y = lens.at(x, y)
        hand._mouse_down_callbacks(x * zoom, y * zoom)
        hand._mouse_up_callbacks(x * zoom, y * zoom)

    def key(self, name):
        self.surface.widget[-1]._key_down_callbacks(name, False, False, False)

    def rested(self):
        """As if the browser had played everything."""
        self.surface._quiet_at = 0.0
        return self


def words(panel):
    return html.unescape(re.sub("<[^>]*>", "", panel.board.status.value))


def click(widget):
    CLOCK.pass_by()  # else it is a double click
    widget.click()


class Page:
    """What is at the other end of a film: it has what it was sent, and says which beat it shows."""

    def __init__(self, steps):
        self.clock, self.heard, self.run = steps.clock, [], 0
        steps.clock.send = self.hear
        self.say(ready=True)

    def hear(self, said):
        self.heard.append(json.loads(json.dumps(said)))
        self.run = said.get("run", self.run)

    def say(self, **said):
        self.clock._handle_custom_msg(said, [])

    def come_to(self, beat, *, plays=True):
        """The film has come to this beat by itself."""
        self.ask_for_all()
        self.say(at=beat, playing=plays, run=self.run)

    def play(self):
        """Play the film to its end, as the page does."""
        for beat in range(self.last("play")["beat"] + 1, self.clock.last + 1):
            self.come_to(beat, plays=beat < self.clock.last)

    def last(self, what=None):
        """What it was told to do last, or last of this sort."""
        return next(said for said in reversed(self.heard) if what in (None, said["do"]) and said["do"] != "beats")

    def ask_for_all(self):
        """Fetch the rest of the film."""
        while (sent := [said for said in self.heard if said["do"] in ("film", "beats")]) and sent[-1].get("more"):
            self.say(more=sent[-1]["film"])


def numbers(value):
    """Every number in a command."""
    if isinstance(value, list | tuple):
        for inner in value:
            yield from numbers(inner)
    elif isinstance(value, float | int):
        yield value


def wait_for(done):
    """Wait until something in the background has come so far."""
    end = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < end, "that has never come"
        time.sleep(0.005)
