"""Hands and eyes for tests of the widgets: what a person does in the browser, and what is sent there."""

import html
import re
import time

import pytest
from ipycanvas.canvas import COMMANDS

from crashlab.lab import board as lab_board
from crashlab.stage import canvas

PAUSE = 0.03
NAMES = {code: name for name, code in COMMANDS.items()}


@pytest.fixture(autouse=True)
def quick_fingers(monkeypatch):
    """Two clicks are a double click only if they come at once, so that the tests need not wait."""
    monkeypatch.setattr(canvas, "DOUBLE", PAUSE)
    monkeypatch.setattr(lab_board, "DOUBLE", PAUSE)


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

    def press(self, x, y):
        """The mouse at a point of the picture, wherever its lens shows it; a moment has passed since the last time."""
        time.sleep(PAUSE)
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
    time.sleep(PAUSE)  # else it is a double click
    widget.click()


def numbers(value):
    """Every number in a command."""
    if isinstance(value, list | tuple):
        for inner in value:
            yield from numbers(inner)
    elif isinstance(value, float | int):
        yield value


def wait_for(done, seconds=60):
    """Wait until something in the background has come so far."""
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "that has never come"
        time.sleep(0.005)
