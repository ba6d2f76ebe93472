"""Who may ask what: a phone three things without a login, a teacher's page all else, with Jupyter's.

The same three routes are served in two places: under `/crashlab/vote/` of the Jupyter server, and, where that answers
on this machine only, on a port of its own for the local network (`Network`), where there is nothing else.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from jupyter_server.auth.decorator import allow_unauthenticated, ws_authenticated
from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.base.websocket import WebSocketMixin
from jupyter_server.utils import url_path_join
from tornado import web, websocket
from tornado.httpserver import HTTPServer

from crashlab.vote.broker import CODE, GRACE, LETTERS, MOST_BYTES, Ballot, BallotQuestion, Broker, Message, VoteRefused

PAGE = Path(__file__).with_name("phone.html").read_text(encoding="utf-8")
COOKIE = "crashlab-phone"
PREFIX = "/crashlab/vote"
CODES = f"([{LETTERS}{LETTERS.lower()}]{{{CODE}}})"
ROUTES = (f"/{CODES}/?()", f"/{CODES}/(question)", f"/{CODES}/(vote)")
PORTS = range(8040, 8060)  # of which the first that is free is taken, else any
LARGE = 2**20  # bytes of a message of the teacher's page, which has a picture in it


@contextmanager
def as_status() -> Iterator[None]:
    """What is refused is told as a status."""
    try:
        yield
    except VoteRefused as refused:
        raise web.HTTPError(refused.status) from None


class Phone(web.RequestHandler):
    """What a phone may ask. Nothing of Jupyter is used here."""

    broker: Broker

    def initialize(self, broker: Broker) -> None:
        """Ask this broker."""
        self.broker = broker
        self.body = b""

    def refuse_much(self) -> None:
        """No request is longer than a vote."""
        connection: Any = self.request.connection
        connection.set_max_body_size(MOST_BYTES)
        length = self.request.headers.get("Content-Length", "0")
        if not length.isdecimal() or int(length) > MOST_BYTES:
            raise web.HTTPError(413)

    def data_received(self, chunk: bytes) -> None:
        """A part of the body."""
        self.body += chunk

    def check_xsrf_cookie(self) -> None:
        """There is nothing to be stolen here: a vote has no other right than to be counted."""

    def set_default_headers(self) -> None:
        """Nothing is kept, framed, guessed or fetched from elsewhere."""
        self.set_header("Cache-Control", "no-store")
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Referrer-Policy", "no-referrer")
        self.set_header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")

    def write_error(self, status_code: int, **about: Any) -> None:
        """A number: nothing that arrived is said again."""
        self.finish({"status": status_code})

    async def show(self, code: str, what: str) -> None:
        """The page, or the question."""
        if what == "vote":
            raise web.HTTPError(405)
        with as_status():
            poll = self.broker.poll(code)
            if what == "question":
                phone = poll.admit(self.get_cookie(COOKIE))
                seen, pictured = self.get_query_argument("seen", ""), self.get_query_argument("picture", "")
                await poll.news(phone, int(seen) if seen.isascii() and seen.isdecimal() and len(seen) < 10 else -1)
                self.finish(self.broker.poll(code).question(phone, pictured))
                return
        if not self.get_cookie(COOKIE):
            is_safe = self.request.protocol == "https"
            self.set_cookie(COOKIE, secrets.token_urlsafe(16), httponly=True, samesite="Lax", secure=is_safe)
        once = secrets.token_urlsafe(16)
        allowed = f"script-src 'nonce-{once}'; style-src 'nonce-{once}'; img-src data:; connect-src 'self'"
        refused = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        self.set_header("Content-Security-Policy", f"{refused}; {allowed}")
        self.finish(PAGE.replace("ONCE", once))

    def take(self, code: str, what: str) -> None:
        """A vote."""
        if what != "vote":
            raise web.HTTPError(405)
        with as_status():
            poll = self.broker.poll(code)
            self.finish(poll.vote(poll.admit(self.get_cookie(COOKIE)), self.body))

    def log_exception(self, *about: Any) -> None:
        """A phone that is refused fills no log."""
        if not isinstance(about[1], web.HTTPError):
            super().log_exception(*about)


@web.stream_request_body
class NetworkPhone(Phone):
    """A phone on the port for the local network."""

    def prepare(self) -> None:
        """Look at the length before the body is read."""
        self.refuse_much()

    async def get(self, code: str, what: str) -> None:
        """The page, or the question."""
        await self.show(code, what)

    def post(self, code: str, what: str) -> None:
        """A vote."""
        self.take(code, what)


@web.stream_request_body
class JupyterPhone(Phone, JupyterHandler):
    """A phone that comes by Jupyter's own address."""

    async def prepare(self, *given: Any, **named: Any) -> None:
        """Look at the length before the body is read, and at the host, as all of Jupyter does."""
        self.refuse_much()
        await JupyterHandler.prepare(self, *given, **named)

    @allow_unauthenticated
    async def get(self, code: str, what: str) -> None:
        """The page, or the question."""
        await self.show(code, what)

    @allow_unauthenticated
    def post(self, code: str, what: str) -> None:
        """A vote."""
        self.take(code, what)


class Nothing(web.RequestHandler):
    """Whatever else is asked for on the port for the local network."""

    def prepare(self) -> None:
        """It is not there."""
        self.set_status(404)
        self.finish({"status": 404})

    def check_xsrf_cookie(self) -> None:
        """There is nothing here."""


class Network:
    """The port for the local network: open while a poll needs it."""

    def __init__(self, broker: Broker) -> None:
        self.broker = broker
        self.polls: set[Ballot] = set()  # that need it
        self.server: HTTPServer | None = None
        self.port = 0

    def open(self, poll: Ballot) -> str | None:
        """Where phones find this poll, if there is a network."""
        host = address()
        if host is None:
            return None
        if self.server is None:
            self.server = HTTPServer(
                application(self.broker), max_body_size=MOST_BYTES, max_header_size=4 * MOST_BYTES, body_timeout=5,
                idle_connection_timeout=60,
            )  # fmt: skip
            listening = bound()
            self.port = listening.getsockname()[1]
            self.server.add_sockets([listening])
        self.polls.add(poll)
        return f"http://{host}:{self.port}/{poll.code}"

    def close(self, poll: Ballot) -> None:
        """This poll has ended; the last one closes the port."""
        self.polls.discard(poll)
        if self.server and not self.polls:
            self.server.stop()
            asyncio.get_running_loop().create_task(self.server.close_all_connections())
            self.server = None


def application(broker: Broker) -> web.Application:
    """The three routes, and nothing else."""
    return web.Application(
        [(route, NetworkPhone, {"broker": broker}) for route in ROUTES],
        default_handler_class=Nothing,
        log_function=lambda handler: None,
    )


def bound() -> socket.socket:
    """A socket that listens on a port of the local network."""
    for port in (*PORTS, 0):
        try:
            made = socket.create_server(("", port), backlog=512)
        except OSError:
            continue
        made.setblocking(False)
        return made
    raise VoteRefused(503)


def address() -> str | None:
    """This machine's address in the local network, if it is in one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation: nothing is sent
            host = str(probe.getsockname()[0])
        except OSError:
            return None
    return None if host.startswith(("127.", "0.")) else host


class Teacher(WebSocketMixin, websocket.WebSocketHandler, JupyterHandler):
    """The page of a notebook, which has logged in. It opens a poll, asks, and is told what is counted.

    It says `{"begin": true, "key": of a poll to come back to, "network": whether phones need a port}`,
    `{"ask": question}` and `{"end": true}`.
    """

    broker: Broker
    network: Network
    poll: Ballot | None = None

    def initialize(self, broker: Broker, network: Network) -> None:
        """Open polls here."""
        self.broker, self.network = broker, network

    @property
    def max_message_size(self) -> int:
        """Bytes of a message."""
        return LARGE

    @ws_authenticated
    async def get(self, *given: Any, **named: Any) -> None:
        """Become a websocket."""
        await websocket.WebSocketHandler.get(self, *given, **named)

    def on_message(self, message: str | bytes) -> None:
        """Something is wanted; what makes no sense ends the connection."""
        try:
            said = json.loads(message)
            if said.get("begin"):
                self._begin(said.get("key"), bool(said.get("network")))
            elif self.poll and said.get("ask"):
                self.poll.ask(asked(said["ask"]))
            elif self.poll and said.get("end"):
                self._end(self.poll)
        except VoteRefused:
            self.close(1013)
        except (ValueError, TypeError, AttributeError):
            self.close(1003)

    def _begin(self, key: object, needs_port: bool) -> None:
        self.poll = poll = self.broker.again(key) or self.broker.begin()
        poll.tell = self._tell
        place = self.network.open(poll) if needs_port else None
        path = url_path_join(self.base_url, PREFIX, poll.code)
        self._tell({"code": poll.code, "key": poll.key, "path": path, "network": place})
        poll.count_soon()

    def _tell(self, message: Message) -> None:
        if self.ws_connection and not self.ws_connection.is_closing():
            self.write_message(json.dumps(message))

    def _end(self, poll: Ballot) -> None:
        self.poll = None
        self.broker.end(poll)
        self.network.close(poll)

    def on_close(self) -> None:
        """The page has gone: perhaps it loads again."""
        super().on_close()
        poll = self.poll
        if poll:
            asyncio.get_running_loop().call_later(GRACE, self._end_if_lost, poll)

    def _end_if_lost(self, poll: Ballot) -> None:
        if poll.tell == self._tell:  # no other page has come back to it
            self._end(poll)


def asked(said: object) -> BallotQuestion:
    """A question as the page has told it."""
    if not isinstance(said, dict) or not isinstance(said.get("options"), list):
        raise ValueError("that is no question")
    return BallotQuestion(**{**said, "options": tuple(said["options"])})


def serve(web_app: web.Application) -> None:
    """Let a Jupyter server serve polls."""
    broker = Broker()
    base = url_path_join(web_app.settings["base_url"], PREFIX)
    network = Network(broker)
    web_app.add_handlers(
        ".*$",
        [
            (url_path_join(base, "teacher"), Teacher, {"broker": broker, "network": network}),
            *((base + route, JupyterPhone, {"broker": broker}) for route in ROUTES),
        ],
    )
