"""Hands and eyes for tests of the widgets: what a person does in the browser, and what is sent there."""

import json
import time

import pytest
from film_reader import played
from patience import PATIENCE

from crashlab.drawing import canvas
from crashlab.lab import board as lab_board
from crashlab.lab import jobs

TABLES = "shapes", "drawings", "pieces"  # what is sent once


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
    """The pictures that a board sends to the page, besides films: each with its marks, what is above it, its lens."""

    def __init__(self, panel):
        self.messages, self.panel = [], panel
        self.surface = panel.board.surface
        self.attach()

    def attach(self):
        draw = self.panel.board.page.draw

        def note(*shown, **more):
            draw(*shown, **more)
            self.messages.append(shown)

        self.panel.board.page.draw = note

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


def words(panel):
    return panel.board.said


def click(widget):
    CLOCK.pass_by()  # else it is a double click
    widget.click()


def step_to(panel, beat):
    """Somebody goes to a beat where no page plays films."""
    panel.board.guard(panel.steps.jump)(beat)


class Page:
    """What is at the other end of a board: it has what it was sent, and says which beat of a film it shows."""

    def __init__(self, board_page):
        self.clock, self.heard, self.run = board_page, [], 0
        board_page.send = self.hear
        self.say(ready=True)

    def hear(self, said):
        for it in json.loads(json.dumps(said.get("each", [said]))):
            self.heard.append(it)
            self.run = it.get("run", self.run)

    def say(self, **said):
        self.clock._handle_custom_msg(said, [])

    def come_to(self, beat, *, plays=True):
        """The film has come to this beat by itself."""
        self.ask_for_all()
        self.say(at=beat, playing=plays, run=self.run)

    def play(self):
        """Play the film to its end, as the page does."""
        for beat in range(self.clock.beat + 1, self.clock.last + 1):
            self.come_to(beat, plays=beat < self.clock.last)

    def last(self, what=None):
        """What it was told to do last, or last of this sort."""
        words = ("beats", "say", "position") if what is None else ()
        return next(said for said in reversed(self.heard) if what in (None, said["do"]) and said["do"] not in words)

    def since_afresh(self):
        """What it has been told since it was to forget all that it knew."""
        return self.heard[max(number for number, said in enumerate(self.heard) if said.get("afresh")) :]

    def pictures(self):
        """What is seen of the pictures that it was sent: the board, the pieces, and what marks them."""
        heard = self.since_afresh()
        tables = {name: [entry for said in heard for entry in said.get(name, ())] for name in TABLES}
        return list(played({**tables, "beats": [said["beat"] for said in heard if said["do"] == "scene"]}))

    @property
    def film(self):
        """What it has of the film: its head, its beats and its events by their numbers."""
        begin = max(number for number, said in enumerate(self.heard) if said["do"] == "film")
        parts = [said for said in self.heard[begin:] if said["do"] == "beats"]
        beats = {said["from"] + n: beat for said in parts for n, beat in enumerate(said["beats"])}
        events = {number: event for said in parts for number, event in said["events"]}
        return self.heard[begin]["head"], beats, events

    def ask_for_all(self):
        """Fetch the rest of the film."""
        while (missing := sorted({*range(self.clock.last + 1)} - {*self.film[1]})) and self.clock.last:
            heard = len(self.heard)
            self.say(want=missing[0], film=self.clock._film)
            assert len(self.heard) > heard, "the rest of the film was requested, but none arrived"

    def go(self, beat):
        """Somebody goes to this beat, with a button, the slider or a key: the page does it, and says so."""
        self.ask_for_all()
        self.say(at=beat, playing=False, run=self.run)

    def toggle(self):
        """Somebody presses Play."""
        self.say(at=self.clock.beat, playing=not self.clock.playing, run=self.run)


def wait_for(done):
    """Wait until something in the background has come so far."""
    end = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < end, "the condition was never met"
        time.sleep(0.005)


def take(panel, index):
    """A click on a line of the list."""
    menu = panel.picker.menu
    menu._handle_custom_msg({"take": index, "text": menu.options[index]}, [])
