"""Simulated phones that vote, for measurements."""

from __future__ import annotations

import asyncio
import json
import time

from tornado.httpclient import AsyncHTTPClient
from tornado.httpserver import HTTPServer
from tornado.testing import bind_unused_port

from crashlab.vote.broker import BallotQuestion, Broker
from crashlab.vote.handlers import COOKIE, application


async def voted(voters: int, within: float) -> list[float]:
    """Return the seconds that each phone waits for its answer; a vote that is not counted is an error."""
    broker, (listening, port) = Broker(), bind_unused_port()
    server, client = HTTPServer(application(broker)), AsyncHTTPClient(max_clients=voters)
    server.add_sockets([listening])
    poll = broker.begin()
    poll.ask(BallotQuestion("Which?", ("A", "B"), key="q"))

    async def vote(number: int) -> float:
        await asyncio.sleep(within * number / voters)
        start = time.perf_counter()
        await client.fetch(
            f"http://127.0.0.1:{port}/{poll.code}/vote",
            method="POST",
            body=json.dumps({"question": "q", "choice": 0}),
            headers={"Cookie": f"{COOKIE}-{poll.code}={poll.new_phone()}"},
        )
        return time.perf_counter() - start

    try:
        return list(await asyncio.gather(*map(vote, range(voters))))
    finally:
        broker.end(poll)
        client.close()
        server.stop()
        await server.close_all_connections()
