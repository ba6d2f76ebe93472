"""Phones that vote: their access is limited to voting, and the right votes are counted and refused."""

import asyncio
import gc
import inspect
import json
import re
import socket
import subprocess
import sys
from contextlib import asynccontextmanager, nullcontext
from random import Random

import pytest

pytest.importorskip("jupyter_server")

from effort import effort
from lab_in_chromium import Lab
from patience import PATIENCE
from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.httpserver import HTTPServer
from tornado.websocket import websocket_connect

from crashlab.vote import broker, handlers
from crashlab.vote.broker import LESSON, MAX_PHONES, BallotQuestion, Broker, VoteRefused

# Tornado's client warns of a connection that the server has ended.
pytestmark = pytest.mark.filterwarnings("ignore:Unclosed WebSocketClientConnection:ResourceWarning")

QUESTION = {"key": "q1", "text": "Where?", "options": ["here", "there", "nowhere"]}
VOTERS = effort(40, 300)  # phones that vote at once: a class, and a lecture
ROUTES = """
import json, tempfile
from jupyter_server.serverapp import ServerApp
app = ServerApp(root_dir=tempfile.mkdtemp(), allow_root=True)
app.initialize(argv=[], new_httpserver=False)
routes = []

def flat(router):
    for rule in router.rules:
        if hasattr(rule.target, "rules"):
            yield from flat(rule.target)
        else:
            yield rule

for rule in flat(app.web_app.default_router):
    names = ("get", "post", "put", "patch", "delete", "head", "options")
    methods = {name: getattr(rule.target, name, None) for name in names}
    routes.append({
        "pattern": rule.matcher.regex.pattern, "path": rule.matcher._path, "groups": rule.matcher._group_count,
        "of": rule.target.__module__,
        "open": sorted(name for name, method in methods.items() if getattr(method, "__allow_unauthenticated", False)),
    })
print("ROUTES", json.dumps(routes))
"""


class Room:
    """A port for the local network, as opened by Jupyter's server, and its phones."""

    def __init__(self, polls, address):
        self.polls, self.address, self.client = polls, address, AsyncHTTPClient(max_clients=400)
        self.poll = polls.begin()
        self.heard = []
        self.poll.tell = self.heard.append
        self.poll.ask(BallotQuestion(**{**QUESTION, "options": tuple(QUESTION["options"])}))

    def phone(self):
        """Return the cookie of a phone that has been let in."""
        return self.poll.new_phone()

    async def ask(self, path, phone=None, **options):
        name = f"{handlers.COOKIE}-{self.poll.code}"
        headers = {**({"Cookie": f"{name}={phone}"} if phone else {}), **options.pop("headers", {})}
        method = {"method": "POST"} if "body" in options else {}
        request = HTTPRequest(self.address + path, headers=headers, **{**method, **options})
        return await self.client.fetch(request, raise_error=False)

    async def vote(self, phone, choice, key="q1"):
        body = json.dumps({"question": key, "choice": choice})
        return (await self.ask(f"/{self.poll.code}/vote", phone, body=body)).code

    async def see(self, phone, **options):
        query = "&".join(f"{key}={value}" for key, value in options.items())
        answer = await self.ask(f"/{self.poll.code}/question?{query}", phone)
        return json.loads(answer.body) if answer.code == 200 else answer.code


@asynccontextmanager
async def room():
    polls = Broker()
    server = HTTPServer(handlers.application(polls), max_body_size=broker.MAX_BYTES)
    listening = socket.create_server(("127.0.0.1", 0), backlog=512)
    listening.setblocking(False)
    server.add_sockets([listening])
    try:
        yield Room(polls, f"http://127.0.0.1:{listening.getsockname()[1]}")
    finally:
        for poll in [*polls.polls.values()]:
            polls.end(poll)
        server.stop()
        await server.close_all_connections()


def in_a_loop(test):
    """Turn a coroutine into a test, with a new Room for its parameter room."""
    parameters = dict(inspect.signature(test).parameters)
    opened = room if parameters.pop("room", None) else nullcontext

    async def inside(fixtures):
        async with opened() as resource:
            await asyncio.wait_for(test(**({"room": resource} if resource else {}), **fixtures), PATIENCE)

    def run(**fixtures):
        asyncio.run(inside(fixtures))
        gc.collect()

    run.__name__, run.__signature__ = test.__name__, inspect.Signature(parameters.values())
    return run


def cookie(page):
    """Return the cookie that a page brings, if it brings one."""
    match = re.search(rf"{handlers.COOKIE}-[A-Z]+=([\w.-]+)", page.headers.get("Set-Cookie", ""))
    return match and match[1]


async def leave(teacher):
    teacher.close()
    while await teacher.read_message() is not None:
        pass


def shown(**change):
    return BallotQuestion(**{**QUESTION, "options": tuple(QUESTION["options"]), **change})


def name():
    """Return a name that no phone has."""
    return handlers.secrets.token_urlsafe(16)


# Counting


@in_a_loop
async def test_a_phone_sees_the_question_votes_changes_its_mind_and_hears_whether_it_was_right(room):
    page = await room.ask(f"/{room.poll.code.lower()}")
    phone = cookie(page)
    assert {"httponly", "samesite=lax"} <= {part.strip().lower() for part in page.headers["Set-Cookie"].split(";")}
    seen = await room.see(phone)
    assert (seen["text"], seen["options"], seen["stage"], seen["mine"]) == ("Where?", QUESTION["options"], "open", None)
    assert "right" not in seen and "reason" not in seen
    assert await room.vote(phone, 2) == 200 and room.poll.counts == [0, 0, 1]
    assert await room.vote(phone, 0) == 200 and room.poll.counts == [1, 0, 0]  # only the last answer counts
    room.poll.ask(shown(stage="shown", right=(1,), reason="Because."))
    seen = await room.see(phone, seen=seen["number"])
    assert (seen["mine"], seen["right"], seen["reason"]) == (0, [1], "Because.")
    assert await room.vote(phone, 1) == 409 and room.poll.counts == [1, 0, 0]  # the vote is over


@in_a_loop
async def test_a_phone_that_votes_in_two_polls_is_counted_once_in_each(room):
    jar = {}
    second = room.polls.begin()
    second.ask(shown())

    async def ask(path, **options):
        sent = "; ".join(f"{name}={value}" for name, value in jar.items())
        answer = await room.ask(path, headers={"Cookie": sent}, **options)
        for text in answer.headers.get_list("Set-Cookie"):
            name, _, value = text.partition(";")[0].partition("=")
            jar[name] = value
            assert "Path=/" in text and "Max-Age=86400" in text  # cookies must not pile up in a fixed address
        return answer

    vote = json.dumps({"question": "q1", "choice": 1})
    for code in [room.poll.code, second.code, room.poll.code.lower()]:
        await ask(f"/{code}")
        assert json.loads((await ask(f"/{code}/question")).body)["number"]
        assert (await ask(f"/{code}/vote", body=vote)).code == 200
    assert room.poll.counts == second.counts == [0, 1, 0] and len(jar) == 2


@in_a_loop
async def test_a_phone_waits_for_the_next_question_and_has_its_picture_once(room):
    phone, picture = room.phone(), "<svg xmlns='http://www.w3.org/2000/svg'/>"
    room.poll.ask(shown(picture=picture))
    seen = await room.see(phone)
    assert seen["picture"] == picture
    waits = asyncio.create_task(room.see(phone, seen=seen["number"], picture=seen["key"]))
    await asyncio.sleep(0.2)
    assert not waits.done()
    room.poll.ask(shown(picture=picture, stage="closed"))
    seen = await waits
    assert seen["stage"] == "closed" and "picture" not in seen
    assert await room.vote(phone, 1) == 409
    room.poll.ask(shown(key="q2"))
    assert (await room.see(phone, picture="q1"))["picture"] == ""
    another = room.phone()
    assert await room.vote(another, 1) == 409 and await room.vote(another, 1, "q2") == 200


@in_a_loop
async def test_many_phones_that_vote_at_once_are_all_counted_and_the_teacher_is_told_now_and_then(room):
    phones = [room.phone() for _ in range(VOTERS)]
    codes = await asyncio.gather(*(room.vote(phone, number % 3) for number, phone in enumerate(phones)))
    assert codes == [200] * VOTERS
    while not room.heard or sum(room.heard[-1]["counts"]) < VOTERS:
        await asyncio.sleep(0.05)
    expected = [len(range(option, VOTERS, 3)) for option in range(3)]
    assert room.heard[-1]["counts"] == expected and room.heard[-1]["phones"] == VOTERS
    assert len(room.heard) < VOTERS / 2


@in_a_loop
async def test_a_poll_that_is_asked_the_same_again_keeps_its_votes_and_another_question_has_none(room):
    """A restarted kernel asks its question again and gets the votes."""
    await room.vote(room.phone(), 1)
    for key, counts in (("q1", [0, 1, 0]), ("q1 again", [0, 0, 0]), ("q1", [0, 1, 0])):
        room.poll.ask(shown(key=key))
        assert room.poll.counts == counts


@in_a_loop
async def test_another_class_begins_without_votes_though_its_kernel_is_the_same(room, monkeypatch):
    """Votes older than a lesson are put aside, for a repeated question and for one that has stayed open."""
    now, poll = [1_000_000.0], room.poll
    monkeypatch.setattr(broker.time, "time", lambda: now[0])

    def ask(vote="", **change):
        poll.ask(shown(vote=vote, **change))
        poll._count()
        return room.heard[-1]["counts"], room.heard[-1]["aside"], room.heard[-1]["round"]

    def votes(choice):
        poll.vote(name(), json.dumps({"question": poll.question(name(), "")["key"], "choice": choice}).encode())

    votes(1)
    assert ask("again") == ([0, 0, 0], [[1_000_000.0, [0, 1, 0]]], 2)  # the class votes again
    votes(2)
    now[0] += LESSON - 60
    assert ask() == ([0, 0, 1], [[1_000_000.0, [0, 1, 0]]], 2)  # a break or a restart loses no votes
    now[0] += LESSON
    assert ask(stage="shown")[0] == [0, 0, 1]  # viewing the answer again later
    stale = poll.question(name(), "")["key"]
    counts, aside, _ = ask()
    assert (counts, aside[-1]) == ([0, 0, 0], [1_000_000.0, [0, 0, 1]])
    assert await room.vote(room.phone(), 1, stale) == 409  # a phone that still shows the previous question
    votes(0)
    now[0] += 2 * LESSON
    votes(1)  # the question has been open all the time
    assert poll.counts == [0, 1, 0]


# Refusals

GARBAGE = (
    b"",
    b"{",
    b"[]",
    b"null",
    b'"A"',
    b"\xff\xfe",
    b'{"choice": 1}',
    b'{"question": "q1"}',
    b"[" * 2000,
    *(json.dumps({"question": "q1", "choice": wrong}).encode() for wrong in (-1, 3, 1.0, True, None, "1", [1], 10**30)),
)


@in_a_loop
async def test_garbage_is_refused_and_counted_nowhere(room):
    for body in GARBAGE:
        assert (await room.ask(f"/{room.poll.code}/vote", room.phone(), body=body)).code == 400, body
    for key in ("q0", 1, None, [], {}):
        assert await room.vote(room.phone(), 1, key) == 409
    assert room.poll.counts == [0, 0, 0]
    body = b'{"question": "q1", "choice": 1, "more": "' + b"x" * broker.MAX_BYTES + b'"}'
    assert (await room.ask(f"/{room.poll.code}/vote", room.phone(), body=body)).code in (400, 413, 599)
    signed = room.phone()
    forged = (f"{name()}.{signed.partition('.')[2]}", f"{signed[:-1]}{'1' if signed[-1] == '0' else '0'}", signed[:-1])
    for wrong in (None, "short", name(), f"{name()}.", "../../../../../../etc/p", "<script>alert(1)</scri", *forged):
        assert await room.vote(wrong, 1) == 403 == await room.see(wrong)
    assert room.poll.counts == [0, 0, 0] and await room.vote(signed, 1) == 200


@in_a_loop
async def test_of_several_options_a_phone_chooses_some_and_may_take_them_back(room):
    room.poll.ask(shown(several=True))
    for wrong in (1, [1, 0], [0, 0], [3], [True], ["0"], [[0]], {}, None):
        assert await room.vote(room.phone(), wrong) == 400, wrong
    phone, other = room.phone(), room.phone()
    assert await room.vote(phone, [0, 2]) == await room.vote(other, [1]) == 200
    assert room.poll.counts == [[0, 2], [1]] and (await room.see(phone))["mine"] == [0, 2]
    assert await room.vote(phone, []) == 200
    assert room.poll.counts == [[1]] and (await room.see(phone))["mine"] is None


@in_a_loop
async def test_nothing_that_a_phone_sends_is_said_again(room):
    evil = "<script>alert(1)</script>"
    for answer in [
        await room.ask(f"/{room.poll.code}/vote", room.phone(), body=evil),
        await room.ask(f"/{room.poll.code}?{evil}", headers={"User-Agent": evil, "X-Evil": evil}),
        await room.ask(f"/{room.poll.code}/question?seen={evil}&picture={evil}", room.phone()),
        await room.ask("/%3Cscript%3Ealert(1)%3C/script%3E"),
    ]:
        assert b"alert" not in answer.body and "alert" not in str(answer.headers)
    assert set(room.heard[-1]) == {"counts", "question", "phones", "here"} if room.heard else True


@in_a_loop
async def test_a_phone_that_floods_is_slowed_down_and_others_are_not(room):
    greedy, calm = room.phone(), room.phone()
    codes = [await room.vote(greedy, 1) for _ in range(15)]
    assert codes[:5] == [200] * 5 and 429 in codes
    assert await room.vote(calm, 2) == 200 and room.poll.counts == [0, 1, 1]


@in_a_loop
async def test_a_room_holds_so_many_phones_and_a_server_so_many_polls(room):
    polls, poll = room.polls, room.poll
    phones = [name() for _ in range(MAX_PHONES)]
    for phone in phones:
        poll.vote(phone, b'{"question": "q1", "choice": 1}')
    assert await room.vote(room.phone(), 1) == 429
    poll.vote(phones[0], b'{"question": "q1", "choice": 0}')  # a phone that was admitted may change its vote
    assert poll.counts == [1, MAX_PHONES - 1, 0]
    for _ in range(10 * MAX_PHONES):
        poll.admit(poll.new_phone())
    assert len(poll._pace.times) <= broker.MAX_KEYS  # many phones need bounded memory
    poll.tell = None
    for _ in range(broker.MAX_POLLS):
        polls.begin().tell = print
    assert len(polls.polls) == broker.MAX_POLLS and poll.code not in polls.polls  # its page is gone
    with pytest.raises(VoteRefused):
        polls.begin()


@in_a_loop
async def test_a_code_ends_with_its_poll(room):
    phone = room.phone()
    seen = await room.see(phone)
    waits = asyncio.create_task(room.see(phone, seen=seen["number"]))
    await asyncio.sleep(0.1)
    room.polls.end(room.poll)
    assert await waits == 404 == await room.see(name()) == await room.vote(phone, 1)
    page = await room.ask(f"/{room.poll.code}")
    assert page.code == 404 and b"Which code is on the board?" in page.body and not cookie(page)  # no cookie


@in_a_loop
async def test_the_page_runs_nothing_but_its_own_script_and_asks_nobody_else(room):
    page = await room.ask(f"/{room.poll.code}")
    policy = dict(part.strip().split(" ", 1) for part in page.headers["Content-Security-Policy"].split(";"))
    once = re.search("'nonce-(.+)'", policy["script-src"])[1]
    body = page.body.decode()
    assert policy["default-src"] == policy["frame-ancestors"] == "'none'" and policy["connect-src"] == "'self'"
    assert body.count(f'nonce="{once}"') == body.count("<script") + body.count("<style") == 2
    assert "innerHTML" not in body and "http" not in body.replace("http-equiv", "")


# Attacks from within the room


ATTACKED = 400  # number of invented phones and wrong codes


@in_a_loop
async def test_invented_phones_are_not_counted_and_cookies_are_given_slowly_to_an_address(room):
    assert {await room.vote(name(), 1) for _ in range(ATTACKED)} == {403}
    pages = [await room.ask(f"/{room.poll.code}") for _ in range(ATTACKED)]
    cookies = [*filter(None, map(cookie, pages))]
    assert {page.code for page in pages} == {200} and len(cookies) <= 60 + 2 * 60
    while not room.heard or not room.heard[-1]["crowd"]:
        await asyncio.sleep(0.05)  # the teacher is informed
    honest = room.phone()  # a phone admitted before the attack
    assert await room.vote(honest, 2) == 200 and room.poll.counts == [0, 0, 1]
    room.poll.lock(True)
    assert cookie(await room.ask(f"/{room.poll.code}")) is None and await room.see(None) == 423
    assert await room.vote(honest, 0) == 200 and room.poll.counts == [1, 0, 0]
    room.poll.lock(False)
    assert await room.see(None) == 403


@in_a_loop
async def test_a_class_of_300_behind_one_address_is_let_in_within_a_minute_and_loses_nothing(room, monkeypatch):
    now, poll = [1000.0], room.poll
    monkeypatch.setattr(broker.time, "monotonic", lambda: now[0])
    for number in range(300):
        now[0] += 0.2
        phone = room.polls.join(poll.code, None, "192.0.2.1")
        assert phone, "it has to wait"
        poll.vote(poll.admit(phone), b'{"question": "q1", "choice": 1}')
        assert sum(poll.counts) == number + 1


@in_a_loop
async def test_the_teacher_hears_how_many_phones_wait_now_and_that_none_waits_any_more(room, monkeypatch):
    now, poll, random = [broker.time.monotonic()], room.poll, Random(1)
    monkeypatch.setattr(broker.time, "monotonic", lambda: now[0])  # also of the loop
    waiting, crowds = {phone: now[0] + random.random() for phone in range(100)}, []
    for _ in range(14):  # seconds
        for _ in range(20):
            for phone in [phone for phone, when in waiting.items() if when <= now[0]]:
                waiting[phone] = now[0] + 0.3 + 1.5 * random.random()
                if room.polls.join(poll.code, None, "192.0.2.1"):
                    del waiting[phone]
            await asyncio.sleep(0)
            now[0] += 0.05
        crowds.append((len(waiting), room.heard[-1]["crowd"]))
    assert all(number == 40 and 34 <= crowd <= 46 for number, crowd in crowds[3:9]), crowds
    assert crowds[-1] == (0, 0)


@in_a_loop
async def test_codes_cannot_be_guessed_and_phones_that_are_there_go_on(room):
    phone = room.phone()
    codes = [(await room.ask(f"/GUESS{letter}/question")).code for letter in broker.LETTERS + "IO0123"]
    assert codes == [404] * 20 + [429] * 10
    assert (await room.ask(f"/{room.poll.code}")).code == 429  # even the right code is refused for a while
    assert await room.vote(phone, 1) == 200 and (await room.see(phone))["mine"] == 1


@in_a_loop
async def test_pages_that_ask_again_and_again_with_an_old_code_keep_no_class_out(room, monkeypatch):
    """The server has been restarted, and the phones of the class before still show their page."""
    now, address = [1000.0], "192.0.2.1"
    monkeypatch.setattr(broker.time, "monotonic", lambda: now[0])
    for _ in range(20):
        for code in ["GONE", "gone"] * 15:
            with pytest.raises(VoteRefused) as refusal:
                room.polls.poll(code, None, address)
            assert refusal.value.status == 404
        now[0] += 15
    assert room.polls.join(room.poll.code, None, address)


@in_a_loop
async def test_the_port_for_phones_answers_to_numbers_and_to_the_name_that_was_chosen(room):
    for host, code in (("evil.example", 403), ("evil.example:8040", 403), ("192.0.2.7:8040", 200)):
        assert (await room.ask(f"/{room.poll.code}", headers={"Host": host})).code == code
    network = handlers.Network(room.polls, "Teacher-PC.local:0")
    network.open()
    page = f"http://127.0.0.1:{network.port}/{room.poll.code}"
    for host, code in (("teacher-pc.local", 200), ("Teacher-PC.local", 200), ("teacher-pc.example", 403)):
        answer = await room.client.fetch(HTTPRequest(page, headers={"Host": host}), raise_error=False)
        assert answer.code == code, host
    room.polls.end(room.poll)
    network.close()


def test_a_hotspot_without_an_uplink_is_a_network_and_cards_of_programs_come_last(monkeypatch):
    psutil = pytest.importorskip("psutil")
    card = lambda host: [type("Entry", (), {"family": socket.AF_INET, "address": host})()]  # noqa: E731
    cards = {"lo": "127.0.0.1", "docker0": "172.17.0.1", "eth0": "93.184.216.34", "wlan0": "10.42.0.1"}
    monkeypatch.setattr(psutil, "net_if_addrs", lambda: {name: card(host) for name, host in cards.items()})
    monkeypatch.setattr(psutil, "net_if_stats", lambda: {name: type("Card", (), {"isup": True}) for name in cards})

    def no_route(*about):
        raise OSError("Network is unreachable")

    monkeypatch.setattr(handlers.socket.socket, "connect", no_route)
    assert handlers.addresses() == ["10.42.0.1", "93.184.216.34", "172.17.0.1"]


@in_a_loop
async def test_a_poll_waits_a_lesson_for_its_page_and_the_last_one_closes_the_port(room, monkeypatch):
    network, ends = handlers.Network(room.polls, "192.0.2.9:0"), []
    loop = asyncio.get_running_loop()
    monkeypatch.setattr(loop, "call_later", lambda after, *call: ends.append(call) if after == LESSON else None)
    assert network.open() == [f"http://192.0.2.9:{network.port}/"]
    for _ in range(2):  # the page reconnects and leaves again
        page = object.__new__(handlers.Teacher)
        page.ws_connection, page.application = None, handlers.application(room.polls)
        page.initialize(room.polls, network)
        page.on_message(json.dumps({"begin": True, "key": room.poll.key}))
        page.on_close()
    room.poll.ask(shown())  # as a vote does that comes after a lesson
    (end, *left), (_, *left_again) = ends
    end(*left)
    assert room.polls.polls and network.server
    end(*left_again)
    assert not room.polls.polls and not network.server and handlers.LESSON == 90 * 60


@in_a_loop
async def test_a_port_that_cannot_be_opened_is_named_and_leaves_no_poll(room):
    page, polls = object.__new__(handlers.Teacher), dict(room.polls.polls)
    page.close = lambda code, reason: reasons.append(reason)
    reasons = []
    with socket.create_server(("", 0)) as other:
        port = other.getsockname()[1]
        network = handlers.Network(room.polls, f"192.0.2.9:{port}")
        page.initialize(room.polls, network)
        for _ in range(2):  # the page tries again
            page.on_message('{"begin": true}')
    assert reasons == [reasons[0]] * 2 and f"port {port}, which is in use" in reasons[0]
    assert network.server is None and room.polls.polls == polls and page.poll is None
    assert len(reasons[0].encode()) < 124  # longest reason of a websocket's end


# Reachable addresses


@pytest.fixture(scope="module")
def routes():
    """Return all routes of a Jupyter server."""
    done = subprocess.run([sys.executable, "-c", ROUTES], capture_output=True, text=True, timeout=PATIENCE)
    return json.loads(re.search("^ROUTES (.*)$", done.stdout, re.M)[1])


def test_without_a_login_a_phone_has_three_routes_of_ours(routes):
    ours = [route for route in routes if route["of"].startswith("crashlab")]
    code = handlers.CODES
    assert {route["pattern"]: route["open"] for route in ours} == {
        "/crashlab/vote/teacher$": [],
        f"/crashlab/vote/{code}/?()$": ["get", "post"],
        f"/crashlab/vote/{code}/(question)$": ["get", "post"],
        f"/crashlab/vote/{code}/(vote)$": ["get", "post"],
    }


@in_a_loop
async def test_on_the_network_there_is_nothing_of_jupyter(room, routes):
    paths = {route["path"].replace("%s", "x") for route in routes if (route["path"] or "").startswith("/")}
    assert len(paths) > 30 and {"/api/kernels", "/api/terminals", "/logout"} <= {path.rstrip("?") for path in paths}
    patterns = [rule.matcher.regex.pattern for rule in handlers.application(room.polls).wildcard_router.rules]
    assert patterns == [f"{route}$" for route in handlers.ROUTES]
    code = room.poll.code
    ours = ("/crashlab/vote/teacher", f"/crashlab/vote/{code}", f"/{code}/x", f"/{code}/../")
    for path in [*sorted({*paths} - {"/"}), *ours]:
        for options in ({}, {"body": "{}"}, {"method": "DELETE"}, {"method": "OPTIONS"}):
            answer = await room.ask(path, name(), **options)
            assert answer.code in (404, 405), path
            assert options or b"Which code is on the board?" in answer.body
    for method in ("PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"):
        body = {"body": "{}"} if method in ("PUT", "PATCH") else {}
        assert (await room.ask(f"/{code}", name(), method=method, **body)).code == 405


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """Yield a Jupyter server with its token."""
    (folder := tmp_path_factory.mktemp("folder")).joinpath("secret.txt").write_text("secret")
    with Lab(folder, tmp_path_factory.mktemp("work")) as server:
        yield server


CLOSED = (
    "/api/contents",
    "/api/contents/secret.txt",
    "/api/kernels",
    "/api/sessions",
    "/api/terminals",
    "/api/kernelspecs",
    "/files/secret.txt",
    "/lab",
    "/tree",
    "/api/config/x",
    "/lab/api/settings/",
    "/api/status",
    "/metrics",
)


@in_a_loop
async def test_by_jupyters_own_address_a_phone_votes_and_reaches_nothing_else(lab):
    """The poll belongs to the teacher's page and needs no kernel."""

    client = AsyncHTTPClient()
    ws = lab.address.replace("http", "ws") + "/crashlab/vote/teacher"
    upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
    upgrade["Sec-WebSocket-Key"] = "x" * 22 + "=="

    async def knock(query="", **headers):
        request = HTTPRequest(f"{lab.address}/crashlab/vote/teacher{query}", headers={**upgrade, **headers})
        return (await client.fetch(request, raise_error=False)).code

    assert await knock() == await knock("?token=wrong") == 403
    login = HTTPRequest(f"{lab.address}/lab?token={lab.token}", follow_redirects=False)
    login = (await client.fetch(login, raise_error=False)).headers.get_list("Set-Cookie")
    login = {"Cookie": "; ".join(cookie.partition(";")[0] for cookie in login)}
    await leave(await websocket_connect(HTTPRequest(ws, headers=login)))
    assert await knock(**login, Origin="http://evil.example") == 403  # another site's page in the same browser
    teacher = await websocket_connect(f"{ws}?token={lab.token}")
    await teacher.write_message(json.dumps({"begin": True}))
    poll = json.loads(await teacher.read_message())
    assert poll["network"] == [] and poll["path"] == f"/crashlab/vote/{poll['code']}"
    await teacher.write_message(json.dumps({"ask": QUESTION}))
    page = await client.fetch(lab.address + poll["path"])
    cookies = page.headers.get_list("Set-Cookie")
    assert len(cookies) == 1 and cookies[0].startswith(handlers.COOKIE)  # a phone gets only our cookie
    headers = {"Cookie": cookies[0].partition(";")[0]}

    async def ask(path, **options):
        request = HTTPRequest(lab.address + path, headers=headers, follow_redirects=False, **options)
        return await client.fetch(request, raise_error=False)

    await ask(f"{poll['path']}/question")
    vote = json.dumps({"question": "q1", "choice": 2})
    assert (await ask(f"{poll['path']}/vote", method="POST", body=vote)).code == 200
    while (counted := json.loads(await teacher.read_message())).get("phones") != 1:
        pass
    assert counted["counts"] == [0, 0, 1]
    for path in CLOSED:
        answer = await ask(path)
        assert answer.code in (302, 403, 404) and b"secret" not in answer.body, path
        assert answer.code != 302 or "login" in answer.headers["Location"]
    much = await ask(f"{poll['path']}/vote", method="POST", body="x" * 5000)
    assert much.code in (400, 413, 599)
    assert (await ask("/crashlab/vote/AAAA/question")).code == 404
    await leave(teacher)  # the page reconnects to the same poll
    teacher = await websocket_connect(f"{ws}?token={lab.token}")
    await teacher.write_message(json.dumps({"begin": True, "key": poll["key"], "network": True}))
    again = json.loads(await teacher.read_message())
    assert again["code"] == poll["code"] and json.loads(await teacher.read_message())["counts"] == [0, 0, 1]
    for address in again["network"]:  # in a network the same poll is available at the machine's address
        assert (await client.fetch(address)).code == 200
        elsewhere = f"{address.rpartition('/')[0]}/api/status"
        assert (await client.fetch(elsewhere, raise_error=False)).code == 404
    other = await websocket_connect(f"{ws}?token={lab.token}")  # a duplicated tab takes over the poll
    await other.write_message(json.dumps({"begin": True, "key": poll["key"]}))
    while "taken" not in json.loads(await teacher.read_message()):
        pass
    await teacher.write_message(json.dumps({"ask": {**QUESTION, "key": "q2"}}))
    await other.write_message(json.dumps({"lock": True}))
    while not (counted := json.loads(await other.read_message())).get("locked"):
        pass
    assert counted["question"] == "q1"
    await leave(teacher)
    assert (await ask(f"{poll['path']}/question")).code == 200
    await leave(other)


@in_a_loop
async def test_what_makes_no_sense_ends_the_teachers_connection_and_nothing_else(lab):
    ws = f"{lab.address.replace('http', 'ws')}/crashlab/vote/teacher?token={lab.token}"
    for garbage in ("{", "[]", '"x"', '{"ask": 1}', '{"ask": {"key": "k", "text": "t", "options": []}}'):
        teacher = await websocket_connect(ws)
        await teacher.write_message('{"begin": true}')
        await teacher.read_message()
        await teacher.write_message(garbage)
        while await teacher.read_message() is not None:
            pass
        teacher.close()
        await asyncio.sleep(0.1)  # time to notice the end
    teacher = await websocket_connect(ws)
    await teacher.write_message('{"begin": true}')
    assert json.loads(await teacher.read_message())["code"]
    await leave(teacher)
