"""Hands and eyes for tests of the widgets: what a person does in the browser, and what is sent there."""

import html
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


def tick(clock, number, *, is_seen=True):
    """The browser's clock has counted so far; and once it is drawn, the page says so."""
    clock.value = number
    if is_seen:
        clock.seen.value = number


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
