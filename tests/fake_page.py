"""Simulated users and pages for the tests of the widgets."""

import json
import time

import pytest
from film_reader import played
from patience import PATIENCE

from crashlab.drawing import canvas
from crashlab.lab import board as lab_board
from crashlab.lab import jobs

TABLES = "shapes", "drawings", "pieces"  # tables whose entries are sent once


class Clock:
    """A clock that hardly advances by itself, so that immediate reactions are immediate on any machine."""

    now = 1000.0

    def monotonic(self):
        self.pass_by(0.000_001)
        return self.now

    def pass_by(self, seconds=canvas.DOUBLE):
        self.now += seconds


CLOCK = Clock()


@pytest.fixture(autouse=True)
def quick_fingers(monkeypatch):
    """Let the widgets use this clock."""
    for module in (canvas, lab_board):
        monkeypatch.setattr(module, "time", CLOCK)
    monkeypatch.setattr(jobs, "SOON", PATIENCE)  # so that the agents' results arrive with the click


class Sent:
    """The pictures that a board sends to the page outside films, with their marks, upper shapes and lens."""

    def __init__(self, panel):
        self.messages, self.panel = [], panel
        self.surface = panel.board.surface
        self.attach()

    def attach(self):
        draw = self.panel.board.page.draw

        def note(*args, **more):
            draw(*args, **more)
            self.messages.append(args)

        self.panel.board.page.draw = note

    def press(self, x, y, *, pause=canvas.DOUBLE):
        """Click a point of the picture where its lens shows it, pause seconds after the last click."""
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
    CLOCK.pass_by()  # otherwise it is a double click
    widget.click()


def step_to(panel, beat):
    """Go to a beat of a panel whose page plays no films."""
    panel.board.guard(panel.steps.jump)(beat)


class Page:
    """The page of a board, which stores the messages sent to it and reports the beat of a film that it shows."""

    def __init__(self, board_page):
        self.clock, self.heard, self.run = board_page, [], 0
        board_page.send = self.hear
        self.say(ready=True)

    def hear(self, message):
        for it in json.loads(json.dumps(message.get("each", [message]))):
            self.heard.append(it)
            self.run = it.get("run", self.run)

    def say(self, **content):
        self.clock._handle_custom_msg(content, [])

    def come_to(self, beat, *, plays=True):
        """Report that the film has reached this beat by itself."""
        self.ask_for_all()
        self.say(at=beat, playing=plays, run=self.run)

    def play(self):
        """Play the film, as the page does."""
        for beat in range(self.clock.beat + 1, self.clock.last + 1):
            self.come_to(beat, plays=beat < self.clock.last)

    def last(self, what=None):
        """Return the latest command, or the latest of this kind."""
        others = ("beats", "say", "position") if what is None else ()
        return next(one for one in reversed(self.heard) if what in (None, one["do"]) and one["do"] not in others)

    def since_afresh(self):
        """Return the messages since the last one that reset the page."""
        return self.heard[max(number for number, message in enumerate(self.heard) if message.get("afresh")) :]

    def pictures(self):
        """Return the pictures as played back: the board, the pieces and their marks."""
        messages = self.since_afresh()
        tables = {name: [entry for message in messages for entry in message.get(name, ())] for name in TABLES}
        return list(played({**tables, "beats": [message["beat"] for message in messages if message["do"] == "scene"]}))

    @property
    def film(self):
        """The received film: its head, its beats and its events by number."""
        begin = max(number for number, message in enumerate(self.heard) if message["do"] == "film")
        parts = [message for message in self.heard[begin:] if message["do"] == "beats"]
        beats = {message["from"] + n: beat for message in parts for n, beat in enumerate(message["beats"])}
        events = {number: event for message in parts for number, event in message["events"]}
        return self.heard[begin]["head"], beats, events

    def ask_for_all(self):
        """Fetch the rest of the film."""
        while (missing := sorted({*range(self.clock.last + 1)} - {*self.film[1]})) and self.clock.last:
            count = len(self.heard)
            self.say(want=missing[0], film=self.clock._film)
            assert len(self.heard) > count, "the rest of the film was requested, but none arrived"

    def go(self, beat):
        """Go to a beat, as users do with a button, the slider or a key, and report it."""
        self.ask_for_all()
        self.say(at=beat, playing=False, run=self.run)

    def toggle(self):
        """Press Play or Pause."""
        self.say(at=self.clock.beat, playing=not self.clock.playing, run=self.run)


def wait_for(condition):
    """Wait until a condition is met in the background."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "the condition was never met"
        time.sleep(0.005)


def rested(panel):
    """Wait until a panel computes nothing and its results are shown; return the panel."""
    jobs = [vars(panel)[name] for name in ("work", "awaited") if name in vars(panel)]
    wait_for(lambda: not any(job.busy for job in jobs))
    with panel.board.lock:
        return panel


def take(panel, index):
    """Click a line of the list."""
    menu = panel.picker.menu
    menu._handle_custom_msg({"take": index, "text": menu.options[index]}, [])
