"""Phones that vote on the question of a panel: the QR code that leads them to it, and their votes.

The kernel does not talk to the server. The page (`phones.js`), which is logged in to Jupyter, talks to the server and
sends the counts to the kernel.
"""

import hashlib
import io
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any
from uuid import uuid4
from weakref import WeakSet

import anywidget
import ipywidgets as widgets
import traitlets

from crashlab.drawing.canvas import let_page_route
from crashlab.drawing.html import LINE_BREAK, Html, element, joined
from crashlab.engine.notation import counted
from crashlab.lab.board import FAR, Board, button, html, with_classes
from crashlab.lab.page_module import shared, show
from crashlab.lab.vote_file import clock
from crashlab.vote.broker import BallotQuestion

TROUBLE = {
    "nobody": "No phone has joined yet. Phones must be on the same network as this computer, and many schools"
    " keep devices apart: try another address or a hotspot, or count hands.",
    "none": "For phones, crashlab must be in the environment that runs JupyterLab. You can count hands instead.",
    "network": "This computer is not on a network that phones can join. You can count hands instead.",
    "lost": "The connection to Jupyter's server is lost; trying again.",
}
BEGIN, END, REOPEN = "By phone", "End the vote", "Go on voting"
ICONS = {BEGIN: "mobile", END: "stop", REOPEN: "mobile"}
COUNTDOWN = 30  # seconds that a press of the button adds
STARTED = time.time()  # start of this kernel
individual: WeakSet[Any] = WeakSet()  # quizzes for one person, which join the vote of another panel
voting: WeakSet[Any] = WeakSet()  # Phones with an address


class Phones(anywidget.AnyWidget):
    """Votes by phone on one question at a time; `arrived()` is called when votes have arrived.

    `button` lets phones vote, or ends the vote on a question and keeps its votes; `card` shows the QR code. Votes are
    hidden until the answer is shown, unless `live` is pressed. Votes outlive a kernel. If some were cast before the
    kernel started, the button `fresh` starts again for another class. `renewed()` is called before the votes of a class
    are removed.
    """

    _esm = Path(__file__).with_name("phones.js").read_text(encoding="utf-8")
    mark = traitlets.Unicode().tag(sync=True)  # class of the board; the page uses it to detect activity in this panel
    is_on = traitlets.Bool(False).tag(sync=True)

    def __init__(self, board: Board, arrived: Callable[[], object], renewed: Callable[[], object]) -> None:
        self._arrived, self._renewed = arrived, renewed
        self.asked: BallotQuestion | None = None
        self.vote = ""  # name of the vote: a new name starts without votes, an empty name keeps the last votes
        self.aside: dict[int, list[tuple[float, list[int]]]] = {}  # by question: times and counts of earlier votes
        self.since = 0.0  # time of the last vote before this kernel started, else 0
        self.places: list[str] = []  # addresses for phones, the address of the QR code first
        self.trouble = ""
        self.votes: Sequence[Any] = ()
        # index of the question; numbers of phones that have voted, that are here, and that wait to be let in
        self.number = self.voted = self.here = self.crowd = 0
        self._round, self._last = 0, 0.0  # number of votes on the question, and time of the last answer if there is one
        self._is_locked = self._begins = False
        on = board.guard

        def tool(words: str, react: Callable[..., object], tooltip: str, icon: str) -> widgets.Button:
            return with_classes(button(words, on(react), tooltip, icon), FAR)

        self.button = tool(BEGIN, self.switch, "Let phones vote: shows a code to scan", ICONS[BEGIN])
        self.fresh = tool("Another class", self._begin_anew, "Begin without votes", "refresh")
        self.clock = tool(f"{COUNTDOWN} s", self._count_down, f"Add {COUNTDOWN} seconds to the countdown", "clock-o")
        self.lock = tool("Lock the room", self._lock, "Let no more phones in", "lock")
        auto, live_tooltip = shared(width="auto"), "Show the votes while they arrive"
        self.live = with_classes(
            widgets.ToggleButton(value=False, description="Live", tooltip=live_tooltip, layout=auto), FAR
        )
        self.live.observe(on(lambda _: arrived()), "value")
        self.tools = [self.clock, self.live, self.lock, self.fresh]
        self.menu = widgets.Dropdown(options=(), tooltip="The address for phones", layout={"width": "auto"})
        self.menu.observe(on(lambda change: self._choose(change.new)), "value")
        with_classes(self.menu, FAR)
        self.card = html("crashlab-phones", FAR)
        self.on_msg(on(lambda _, message, __: self._hear(message)))
        super().__init__(mark=board.page.mark, layout={"display": "none"})
        self._draw()

    def open(self) -> None:
        """Open the widget so that its messages arrive in order, even while a cell runs."""
        super().open()
        let_page_route(self)

    def switch(self) -> None:
        """Let phones vote in all panels of the page; if they can already, end or reopen the vote on this question."""
        if not self.is_on:
            self.is_on = self._begins = True
            self._begin()
        elif self.asked and self.asked.stage in ("open", "closed"):
            self._put(stage="closed" if self.is_open else "open", until=0)
        self._draw()
        self._arrived()

    def _begin(self) -> None:
        self.send({"do": "begin"})
        self._tell()

    @property
    def is_open(self) -> bool:
        """Whether phones can vote now."""
        return self.is_on and self.asked is not None and self.asked.stage == "open"

    @property
    def is_secret(self) -> bool:
        """Whether the votes are still hidden."""
        return self.is_on and not self.live.value

    def _put(self, **change: Any) -> None:
        """Change the current question for phones."""
        if self.asked:
            self.asked = replace(self.asked, **change)
            self._tell()

    def _tell(self) -> None:
        if self.is_on and self.asked:
            self.send({"do": "ask", "ask": asdict(self.asked)})

    @property
    def time(self) -> float:
        """The time of the last answer, in seconds since 1970; without an answer, the current time."""
        return self._last or time.time()

    def pause(self) -> None:
        """Close the question, and ask nothing for now."""
        self.asked = None
        self._clear()
        if self.is_on:
            self.send({"do": "pause"})
        self._draw()

    def ask(self, number: int, question: BallotQuestion) -> None:
        """Show phones the question with this index; its votes are kept until `anew` is called."""
        self.number = number
        name = json.dumps([number, question.text, *question.options, question.several])
        key = hashlib.sha256(name.encode()).hexdigest()[:16]
        if self.asked is None or (self.asked.key, self.asked.vote) != (key, self.vote):
            self._clear()
        self.asked = replace(question, key=key, vote=self.vote)
        self._tell()
        self._draw()

    def anew(self) -> None:
        """Ask the same question again, without votes."""
        self.forget()
        self._clear()
        self._put(vote=self.vote, stage="open", until=0)
        self._draw()

    def _clear(self) -> None:
        self.votes, self.voted, self.since, self._round, self._last = (), 0, 0.0, 0, 0.0

    def _begin_anew(self) -> None:
        self._renewed()
        self.anew()
        self._arrived()

    def forget(self) -> None:
        """Start the next question without votes."""
        self.vote = uuid4().hex[:16]

    def _count_down(self) -> None:
        if self.is_open and self.asked:
            self._put(until=max(self.asked.until, time.time()) + COUNTDOWN)

    def _lock(self) -> None:
        self._is_locked = not self._is_locked
        self.send({"do": "lock", "lock": self._is_locked})
        self._draw()

    def _choose(self, place: str | None) -> None:
        if place and self.places and place != self.places[0]:
            self.send({"do": "choose", "places": [place, *(other for other in self.places if other != place)]})

    def _hear(self, message: dict[str, Any]) -> None:
        if "on" in message:  # the page knows this panel, and phones vote in all panels
            self.is_on = True
            if self._begins:
                self._begin()
            self._begins = False
            self._arrived()
        if not self.is_on:
            return
        if "comes" in message:  # the user has turned to this panel
            self._tell() if self.asked else self.send({"do": "pause"})
        elif "places" in message:
            self.places, self.trouble = [str(place) for place in message["places"]], ""
            options = [(place.partition("://")[2], place) for place in sorted(self.places)]
            if self.menu.options != tuple(options):
                self.menu.options = options
            self.menu.value = self.places[0]
            voting.add(self)
            for quiz in [quiz for quiz in individual if not quiz.board.closed]:
                quiz.board.guard(quiz.join)()
        elif "trouble" in message:
            reason = str(message["trouble"])  # perhaps in the server's words
            self.trouble = TROUBLE.get(reason, reason)
        elif "over" in message:
            self._put(stage="closed", until=0)
            self._arrived()
        if "here" in message:
            self.here, self.crowd = int(message["here"]), int(message["crowd"])
            self._is_locked = bool(message["locked"])
        if self._is_mine(message):
            if self._round and message["round"] > self._round:  # the votes of an earlier lesson were put aside
                self._renewed()
            self._round, self._last = int(message["round"]), float(message["last"])
            last, self.votes = self._last, message["counts"]
            self.aside[self.number] = [(float(when), counts) for when, counts in message["aside"] if when < STARTED]
            self.since = last if self.votes and last and last < STARTED else self.since
            self.voted, self.trouble = int(message["phones"]), ""
            self._arrived()
        self._draw()

    def _is_mine(self, message: dict[str, Any]) -> bool:
        """Return whether these are the counts of the current question."""
        question = self.asked
        if question is None or (message.get("question"), message.get("vote")) != (question.key, question.vote):
            return False
        return bool(question.most or question.several) or len(message["counts"]) == len(question.options)

    @property
    def progress(self) -> str:
        """The number of phones that have voted, in words."""
        return f"{self.voted} of {max(self.here, self.voted)} have voted"

    def _draw(self) -> None:
        stage = self.asked.stage if self.asked else ""
        self.button.description = (REOPEN if stage == "closed" else END) if self.is_on else BEGIN
        self.button.icon = ICONS[self.button.description]
        self.lock.description = "Unlock the room" if self._is_locked else "Lock the room"
        visible = {
            self.card: self.is_on,
            self.menu: len(self.places) > 1 and not self.here,
            self.live: self.is_open,
            self.clock: self.is_open,
            self.lock: self.is_on and bool(self.crowd or self._is_locked),
            self.fresh: self.is_open and bool(self.since),
        }
        for part, is_visible in visible.items():
            show(part, is_visible)
        self.card.value = self._card()

    def _card(self) -> str:
        """Return the QR code, its address and the state of the phones, as HTML."""
        trouble = self.trouble
        if self.crowd:
            trouble = f"{self.crowd} more phones are waiting to join. If they are not your class, lock the room."
        warning = element("div", trouble, class_="crashlab-trouble") if trouble else ""
        if not self.places:
            return warning or element("div", "One moment …")
        phones = f"{counted(self.here, 'phone')} here" if self.here else "No phone has joined yet"
        lines = [self.progress if self.asked and self.asked.stage != "shown" and self.here else phones]
        if self.since:
            lines.append(f"Some voted before {clock(self.since)[-5:]}. Is this another class?")
        place, _, name = self.places[0].rpartition("/")
        address = place.partition("://")[2]
        link = element("b", f"{address}/", element("wbr"), name)
        copy = element(
            "a",
            "copy",
            class_="crashlab-copy-link",
            role="button",
            tabindex="0",
            title="Copy the address",
            data_link=self.places[0],
        )
        first = joined([link, copy, element("span", class_="crashlab-clock")], " ")
        picture = element("div", code(self.places[0]), class_="" if self.is_open else "crashlab-small")
        return joined([picture, element("div", joined([first, *lines], LINE_BREAK)), warning])


def are_voting() -> bool:
    """Return whether phones vote in an open panel of this kernel."""
    return any(phones.comm is not None for phones in voting)


def code(address: str) -> Html:
    """Return an address as a QR code, black on white in every theme."""
    import segno

    file = io.BytesIO()
    segno.make(address, micro=False).save(file, kind="svg", border=2, light="white", xmldecl=False, svgns=True)
    picture = file.getvalue().decode().replace("%", "%25").replace("#", "%23").replace('"', "'")
    return element(
        "img",
        alt=f"QR code of {address}",
        title="Click it, or press Q, to fill the board with it",
        data_place=address.partition("://")[2],
        src=f"data:image/svg+xml,{picture}",
    )
