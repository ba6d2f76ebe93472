"""Phones that vote on the question of a panel: the QR code by which they come, and what they have voted for.

No kernel talks to a server: the page does (`phones.js`), which has logged in to Jupyter, and passes on what is counted.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable, Sequence
from datetime import datetime
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from uuid import uuid4

import anywidget
import traitlets

from crashlab.engine.notation import counted
from crashlab.lab.board import FAR, Board, button, html, known_as

NOBODY = (
    "No phone has come yet. Phones have to be in the same network as this computer, and many schools' networks keep"
    " them apart: try a hotspot, or count hands."
)
TROUBLE = {
    "none": "Phones need JupyterLab with crashlab installed where it runs. Hands can be counted.",
    "network": "This computer is in no network that phones could be in. Hands can be counted.",
    "lost": "The connection to Jupyter's server is lost; it is tried again.",
}
BEGIN, END = "Let phones vote", "End the vote by phone"
SESSION = uuid4().hex  # of this kernel


class Phones(anywidget.AnyWidget):
    """`button` lets phones vote, `card` shows how they come; `counted()` is called when votes have arrived.

    Votes outlive a kernel. Where some are there from before it began, `fresh` puts them aside for another class, and
    `renewed()` is called.
    """

    _esm = Path(__file__).with_name("phones.js").read_text(encoding="utf-8")
    mark = traitlets.Unicode().tag(sync=True)  # of the board, by which the page knows that somebody is at this panel
    is_on = traitlets.Bool(False).tag(sync=True)

    def __init__(self, board: Board, counted: Callable[[], object], renewed: Callable[[], object]) -> None:
        self._counted, self._renewed = counted, renewed
        self.asked: dict[str, Any] | None = None
        self.vote = ""  # the name of a vote that has begun anew; without one it goes on with the last
        self.aside: dict[int, list[tuple[float, list[int]]]] = {}  # by question, when others have voted, and what
        self.kept: list[tuple[float, int, list[int]]] = []  # until when, on what, another class's votes
        self.since = 0.0  # when the last of these votes came, if it was before this kernel
        self.where = self.trouble = ""
        self.votes: Sequence[int] = ()
        self.voted = self.here = 0
        super().__init__(mark=board.page.mark, layout={"display": "none"})
        self.button = known_as(button(BEGIN, board.guard(self.switch), "Show a code for phones", "mobile"), FAR)
        fresh = button("Another class", board.guard(self._begin_anew), "Begin with no votes", "refresh")
        self.fresh = known_as(fresh, FAR)
        self.card = html("crashlab-phones", FAR)
        self.on_msg(board.guard(lambda _, said, __: self._hear(said)))
        self._draw()

    def switch(self) -> None:
        """Let phones vote, or no longer: in all panels of the page."""
        self._turn(not self.is_on)
        self.send({"do": "begin" if self.is_on else "end"})
        self._tell()

    def _turn(self, is_on: bool) -> None:
        self.is_on = is_on
        self.where = self.trouble = ""
        self.votes, self.voted, self.here, self.since = (), 0, 0, 0.0
        self._draw()

    def _tell(self) -> None:
        if self.is_on and self.asked:
            self.send({"do": "ask", "ask": self.asked})

    def ask(
        self, number: int, text: str, options: Sequence[str], picture: str = "", stage: str = "open",
        right: int | None = None, reason: str = "",
    ) -> None:  # fmt: skip
        """What phones show from now on: the question with this number. Its votes stay until it is asked `anew`."""
        self._ask(number, {
            "text": text, "options": [*options], "picture": picture, "stage": stage, "right": right, "reason": reason
        })  # fmt: skip

    def anew(self) -> None:
        """Ask the same again: it has no votes now."""
        self.forget()
        if self.asked:
            self._ask(self._number, self.asked)

    def _begin_anew(self) -> None:
        self.kept.append((self.since, self._number, [*self.votes]))
        self.anew()
        self._renewed()

    def forget(self) -> None:
        """What is asked next has no votes."""
        self.vote = uuid4().hex[:16]

    _number = 0  # of the question

    def _ask(self, number: int, asked: dict[str, Any]) -> None:
        self._number = number
        name = json.dumps([number, asked["text"], *asked["options"]])
        key = hashlib.sha256(name.encode()).hexdigest()[:16]
        if self.asked is None or (self.asked["key"], self.asked["vote"]) != (key, self.vote):
            self.votes, self.voted, self.since = (), 0, 0.0
        self.asked = {**asked, "key": key, "vote": self.vote, "session": SESSION}
        self._tell()
        self._draw()

    def _hear(self, said: dict[str, Any]) -> None:
        if "on" in said:  # it has begun or ended in another panel of the page
            if said["on"] is not self.is_on:
                self._turn(bool(said["on"]))
            return
        if not self.is_on:
            return
        if "comes" in said:  # somebody has come to this panel
            self._tell()
        elif "where" in said:
            self.where, self.trouble = str(said["where"]), ""
        elif "trouble" in said:
            self.trouble = TROUBLE.get(str(said["trouble"]), "")
        elif "nobody" in said:
            self.trouble = NOBODY
        elif self._is_mine(said) and len(said["counts"]) == self._most:
            self.aside[self._number] = [(float(when), counts) for when, counts in said["aside"]]
            self.since = float(said["since"])
            self.votes = [int(count) for count in said["counts"]]
            self.voted, self.here, self.trouble = int(said["phones"]), int(said["here"]), ""
            self._counted()
        self._draw()

    def _is_mine(self, said: dict[str, Any]) -> bool:
        """Whether this was counted for what is asked here."""
        asked = self.asked
        return asked is not None and (said.get("question"), said.get("vote")) == (asked["key"], asked["vote"])

    @property
    def _most(self) -> int:
        return len(self.asked["options"]) if self.asked else 0

    def _draw(self) -> None:
        self.button.description = END if self.is_on else BEGIN
        self.card.layout.display = None if self.is_on else "none"
        is_open = self.asked is not None and self.asked["stage"] == "open"
        self.fresh.layout.display = "" if self.is_on and self.since and is_open else "none"
        trouble = f"<div class='crashlab-trouble'>{escape(self.trouble)}</div>" if self.trouble else ""
        if not self.where:
            self.card.value = trouble or "<div>One moment …</div>"
            return
        here = f"{counted(self.here, 'phone')} here, {self.voted} voted"
        if self.since:
            here += f"<br>Some voted before {when(self.since)[-5:]}. Is this another class?"
        address = self.where.partition("://")[2]
        place, slash, name = address.rpartition("/")
        shown = f"<b>{escape(place + slash)}<wbr>{escape(name)}</b>" if len(address) < 40 else ""
        self.card.value = f"{code(self.where)}<div>{shown}<br>{here}</div>{trouble}"


def when(seconds: float) -> str:
    """A time as it stands on a clock of this place."""
    return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M")


def code(address: str) -> str:
    """An address as a QR code, black on white in every theme; nothing where there is nothing to make it with."""
    if find_spec("segno") is None:
        return ""
    import segno

    file = io.BytesIO()
    segno.make(address, micro=False).save(file, kind="svg", border=2, light="white", xmldecl=False, svgns=True)
    picture = file.getvalue().decode()
    return f"<img alt='QR code of {escape(address)}' src='data:image/svg+xml,{escape(quoted(picture))}'>"


def quoted(picture: str) -> str:
    """A picture as it stands in an address."""
    return picture.replace("%", "%25").replace("#", "%23").replace('"', "'")
