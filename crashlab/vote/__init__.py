"""An extension of the Jupyter server with which a class votes on phones; installing crashlab enables it.

The teacher's page, which has logged in, opens a poll (`handlers.Teacher`) and passes the counts to the kernel.
Phones have no login: they get a page, the question on it and a vote, and nothing else (`handlers.ROUTES`).
"""

from typing import Any


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "crashlab.vote"}]


def _load_jupyter_server_extension(app: Any) -> None:
    from crashlab.vote.handlers import serve

    serve(app.web_app)
