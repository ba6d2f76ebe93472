"""The routes of phones, which have no login, and of the teacher's page, which has logged in to Jupyter.

Phones are served in two places: under `/crashlab/vote/` of the Jupyter server and, if only this machine can reach that
server, on a port for the local network (`Network`), which serves nothing else.
"""

import asyncio
import json
import re
import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from importlib import import_module
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from jupyter_server.auth.decorator import allow_unauthenticated, ws_authenticated
from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.base.websocket import WebSocketMixin
from jupyter_server.utils import url_path_join
from tornado import web, websocket
from tornado.httpserver import HTTPServer

from crashlab.vote.broker import LESSON, MAX_BYTES, Ballot, BallotQuestion, Broker, Message, VoteRefused

PAGE = Path(__file__).with_name("phone.html").read_text(encoding="utf-8")
COOKIE = "crashlab-phone"  # followed by the code of the poll, because a phone may be in several polls of a server
DAY = 24 * 60 * 60  # seconds until a cookie expires; too many cookies would make a request too long
PREFIX = "/crashlab/vote"
CODES = "([A-Za-z0-9]{0,6})"  # also empty or mistyped codes, which get a page as well
ROUTES = (f"/{CODES}/?()", f"/{CODES}/(question)", f"/{CODES}/(vote)")
PORTS = range(8040, 8060)  # the first free port is used, else any free port
MAX_MESSAGE = 2**20  # bytes of a message of the teacher's page, which contains a picture
VIRTUAL = re.compile(r"docker|br-|veth|virbr|vmnet|vboxnet|tun|tap|utun|wg|tailscale|zt|ppp")  # names of virtual cards


@contextmanager
def as_status() -> Iterator[None]:
    """Turn `VoteRefused` into an HTTP error with its status."""
    try:
        yield
    except VoteRefused as refusal:
        raise web.HTTPError(refusal.status) from None


class Phone(web.RequestHandler):
    """The requests of a phone. Nothing of Jupyter is used here."""

    broker: Broker
    base: str

    def initialize(self, broker: Broker, base: str) -> None:
        """Serve the polls of a broker, below the path `base`."""
        self.broker, self.base = broker, base
        self.body = b""

    def refuse_much(self) -> None:
        """Refuse a request with more than MAX_BYTES."""
        connection: Any = self.request.connection
        connection.set_max_body_size(MAX_BYTES)
        length = self.request.headers.get("Content-Length", "0")
        if not length.isdecimal() or int(length) > MAX_BYTES:
            raise web.HTTPError(413)

    def data_received(self, chunk: bytes) -> None:
        """Append a chunk to the body."""
        self.body += chunk

    def check_xsrf_cookie(self) -> None:
        """Accept every origin, as a request can only cast a vote."""

    def set_default_headers(self) -> None:
        """Set headers that forbid storing, framing, type guessing and foreign resources."""
        self.set_header("Cache-Control", "no-store")
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Referrer-Policy", "no-referrer")
        self.set_header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")

    def write_error(self, status_code: int, **about: Any) -> None:
        """Answer with the status only, repeating nothing of the request."""
        self.finish({"status": status_code})

    @property
    def cookie_name(self) -> str:
        """The name of the cookie for this poll."""
        return f"{COOKIE}-{self.path_args[0].upper()}"

    @property
    def cookie(self) -> str | None:
        """The cookie for this poll that the phone has sent, or None."""
        return self.get_cookie(self.cookie_name)

    @property
    def address(self) -> str:
        """The address of the phone, or of the network that it is in."""
        return self.request.remote_ip or ""

    @allow_unauthenticated
    async def get(self, code: str, part: str) -> None:
        """Send the page, or the question."""
        if part == "vote":
            raise web.HTTPError(405)
        if part == "question":
            with as_status():
                poll = self.broker.poll(code, self.cookie, self.address)
                phone = poll.admit(self.cookie)
                number, picture_key = self.get_query_argument("seen", ""), self.get_query_argument("picture", "")
                await poll.news(
                    phone, int(number) if number.isascii() and number.isdecimal() and len(number) < 10 else -1
                )
                self.finish(self.broker.poll(code, self.cookie, self.address).question(phone, picture_key))
                return
        try:
            cookie = self.broker.join(code, self.cookie, self.address) if code else None
        except VoteRefused as refusal:  # the page says why, when it asks for the question
            self.set_status(refusal.status)
            cookie = None
        if cookie:
            name, is_safe = self.cookie_name, self.request.protocol == "https"
            self.set_cookie(name, cookie, path=self.base, max_age=DAY, httponly=True, samesite="Lax", secure=is_safe)
        self.send_page()

    def send_page(self) -> None:
        """Send the page, which asks for a code if its address lacks one."""
        once = secrets.token_urlsafe(16)
        own_sources = f"script-src 'nonce-{once}'; style-src 'nonce-{once}'; img-src data:; connect-src 'self'"
        other_sources = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        self.set_header("Content-Security-Policy", f"{other_sources}; {own_sources}")
        self.finish(PAGE.replace("ONCE", once).replace("BASE", escape(self.base)))

    @allow_unauthenticated
    def post(self, code: str = "", part: str = "") -> None:
        """Count a vote."""
        if part != "vote":
            raise web.HTTPError(405)
        with as_status():
            poll = self.broker.poll(code, self.cookie, self.address)
            self.finish(poll.vote(poll.admit(self.cookie), self.body))

    def log_exception(self, typ: Any, value: Any, tb: Any) -> None:
        """Log nothing about refused phones."""
        if not isinstance(value, web.HTTPError):
            super().log_exception(typ, value, tb)


@web.stream_request_body
class NetworkPhone(Phone):
    """A phone on the port for the local network."""

    def prepare(self) -> None:
        """Check the host and the length before the body is read.

        An unknown name in `Host` may belong to another site that resolves it to this machine (DNS rebinding).
        """
        if not is_address(self.request.host_name) and self.request.host_name != self.settings.get("host"):
            raise web.HTTPError(403)
        self.refuse_much()


@web.stream_request_body
class JupyterPhone(Phone, JupyterHandler):
    """A phone that uses Jupyter's own address."""

    async def prepare(self, *args: Any, **kwargs: Any) -> None:
        """Check the length before the body is read, and the host, as all of Jupyter does."""
        self.refuse_much()
        await JupyterHandler.prepare(self, *args, **kwargs)


class Nothing(NetworkPhone):
    """Any other path on the port for the local network: a page that asks for a code."""

    async def get(self, code: str = "", part: str = "") -> None:
        """Send the page."""
        self.set_status(404)
        self.send_page()


class Network:
    """The port for the local network, open as long as there is a poll.

    `place` is the configured address for phones, a host with or without a port; empty if none is configured.
    """

    def __init__(self, broker: Broker, place: str = "") -> None:
        self.broker = broker
        self.host, _, port = place.lower().partition(":")  # as in `host_name` of a request
        self.ports = (int(port),) if port else (*PORTS, 0)
        self.server: HTTPServer | None = None
        self.port = 0

    def open(self) -> list[str]:
        """Open the port if it is closed; return its addresses for phones, which a code follows, the best one first."""
        hosts = [self.host] if self.host else addresses()
        if not hosts:
            return []
        if self.server is None:
            listening = bound(self.ports)
            self.port = listening.getsockname()[1]
            self.server = server = HTTPServer(
                application(self.broker, self.host),
                max_body_size=MAX_BYTES,
                max_header_size=4 * MAX_BYTES,
                body_timeout=5,
                idle_connection_timeout=60,
            )
            server.add_sockets([listening])
        return [f"http://{host}:{self.port}/" for host in hosts]

    def close(self) -> None:
        """Close the port if there are no polls left."""
        if self.server and not self.broker.polls:
            self.server.stop()
            asyncio.get_running_loop().create_task(self.server.close_all_connections())
            self.server = None


def application(broker: Broker, host: str = "") -> web.Application:
    """Return the web application for phones, which serves only their routes."""
    arguments = {"broker": broker, "base": "/"}
    return web.Application(
        [(route, NetworkPhone, arguments) for route in ROUTES],
        default_handler_class=Nothing,
        default_handler_args=arguments,
        log_function=lambda handler: None,
        host=host,
    )


def bound(ports: tuple[int, ...]) -> socket.socket:
    """Return a socket that listens on the first free port; raise VoteRefused if there is none."""
    for port in ports:
        try:
            listening = socket.create_server(("", port), backlog=512)
        except OSError:
            continue
        listening.setblocking(False)
        return listening
    reason = f"Phones cannot use port {ports[0]}, which is in use or not allowed. You can count hands instead."
    raise VoteRefused(503, reason)


def is_address(host: str) -> bool:
    """Return whether a host is localhost or a numeric address, so that it needs no name server."""
    try:
        return bool(ip_address(host))
    except ValueError:
        return host == "localhost"


def addresses() -> list[str]:
    """Return this machine's network addresses, the best one first.

    They are sorted by three criteria: real network cards before virtual ones, private addresses before public ones, and
    the address for outgoing traffic before others.
    """
    cards: list[tuple[str, str]] = []  # name and address
    if find_spec("psutil"):  # ipykernel depends on it
        psutil = import_module("psutil")
        running = {name for name, card in psutil.net_if_stats().items() if card.isup}
        for name, entries in psutil.net_if_addrs().items():
            cards += [(name, entry.address) for entry in entries if entry.family == socket.AF_INET and name in running]
    usual = ""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation: nothing is sent
            usual = str(probe.getsockname()[0])
        except OSError:
            pass  # a hotspot has no route outside, but is a network
    if usual and usual not in [host for _, host in cards]:
        cards.append(("", usual))

    def rank(card: tuple[str, str]) -> tuple[bool, bool, bool]:
        name, host = card
        return bool(VIRTUAL.match(name)), not ip_address(host).is_private, host != usual

    hosts = [host for _, host in sorted(cards, key=rank)]
    return [host for host in hosts if not host.startswith(("127.", "0.", "169.254."))]


class Teacher(WebSocketMixin, websocket.WebSocketHandler, JupyterHandler):  # pyright: ignore[reportIncompatibleMethodOverride]  # their bases' check_origin
    """The page of a notebook, which has logged in. It opens a poll, asks, and receives the counts.

    Its messages are `{"begin": true, "key": of a poll to resume, "network": whether phones need a port}`, `{"ask":
    question}` and `{"lock": whether}`. A page that resumes the poll of another page takes it over.
    """

    broker: Broker
    network: Network
    poll: Ballot | None = None

    def initialize(self, broker: Broker, network: Network) -> None:
        """Set the broker of the polls, and the port for phones."""
        self.broker, self.network = broker, network

    @property
    def max_message_size(self) -> int:
        """The greatest length of a message, in bytes."""
        return MAX_MESSAGE

    @ws_authenticated
    async def get(self, *args: Any, **kwargs: Any) -> None:
        """Open the websocket."""
        await websocket.WebSocketHandler.get(self, *args, **kwargs)

    def on_message(self, message: str | bytes) -> None:
        """Handle a message; an invalid one closes the connection."""
        try:
            content = json.loads(message)
            if content.get("begin"):
                self._begin(content.get("key"), bool(content.get("network")))
            elif self.poll and self.poll.tell == self._tell:
                if content.get("ask"):
                    self.poll.ask(asked(content["ask"]))
                if "lock" in content:
                    self.poll.lock(bool(content["lock"]))
        except VoteRefused as refusal:
            self.close(1013, refusal.reason)
        except (ValueError, TypeError, AttributeError):
            self.close(1003)

    def _begin(self, key: object, needs_port: bool) -> None:
        places = self.network.open() if needs_port or self.network.host else []  # without it no poll begins
        self.poll = poll = self.broker.again(key) or self.broker.begin()
        if poll.tell and poll.tell != self._tell:
            poll.tell({"taken": True})
        poll.tell = self._tell
        poll.pages += 1
        path = url_path_join(self.base_url, PREFIX, poll.code)
        network = [place + poll.code for place in places]
        self._tell({"code": poll.code, "key": poll.key, "path": path, "network": network})
        poll.count_soon()

    def _tell(self, message: Message) -> None:
        if self.ws_connection and not self.ws_connection.is_closing():
            self.write_message(json.dumps(message))

    def on_close(self) -> None:
        """Keep the poll for LESSON seconds, in case the page is reloaded or the laptop was closed for a break."""
        super().on_close()
        poll = self.poll
        if poll and poll.tell == self._tell:
            poll.tell = None
            asyncio.get_running_loop().call_later(LESSON, self._end_if_lost, poll, poll.pages)

    def _end_if_lost(self, poll: Ballot, pages: int) -> None:
        if poll.tell is None and poll.pages == pages:  # no page has resumed it since
            self.broker.end(poll)
            self.network.close()


def asked(content: Any) -> BallotQuestion:
    """Parse a question from the teacher's page; raise ValueError, TypeError or AttributeError if it is invalid."""
    fields: dict[str, Any] = {key: tuple(it) if isinstance(it, list) else it for key, it in content.items()}
    return BallotQuestion(**fields)


def serve(web_app: web.Application) -> None:
    """Add the routes of polls to a Jupyter server."""
    broker = Broker()
    base = url_path_join(web_app.settings["base_url"], PREFIX)
    network = Network(broker, web_app.settings.get("crashlab_phones", ""))
    web_app.add_handlers(
        ".*$",
        [
            (url_path_join(base, "teacher"), Teacher, {"broker": broker, "network": network}),
            *((base + route, JupyterPhone, {"broker": broker, "base": f"{base}/"}) for route in ROUTES),
        ],
    )
