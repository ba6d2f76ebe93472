"""The messages between a board and its page; a test compares this list with the code of both sides.

`panel_page/messages.d.ts` has the types of the fields. A name with a question mark is optional.
"""

from __future__ import annotations

from collections.abc import Mapping

SEEN = "lens before colours?"
TABLES = "shapes drawings pieces"
# `BoardPage._tell` sends them as {"do": name, "run": number, ...fields}; `hear` in board_page.js handles them. Several
# together are sent as {"do": "all", "each": [...]}.
TO_PAGE: Mapping[str, str] = {
    "scene": f"beat kept near targets at? first? words? look? kind? still? {TABLES} {SEEN}",
    "say": "words look? kind?",
    "film": "film afresh head",
    "beats": f"from whole beats events {TABLES}",
    "look": SEEN,
    "show": f"beat event glides still {SEEN}",
    "play": f"beat still {SEEN}",
    "pace": "milliseconds",
    "until": "last stops",
    "why": "event events",
    "stop": "",
    "position": "of? left? words?",
}
# The page sends each with its name as the first field; `BoardPage._hear_NAME` handles it.
FROM_PAGE: Mapping[str, str] = {
    "ready": "ready first?",
    "want": "want film",
    "near": "near",
    "sight": "sight",
    "call": "call",
    "position": "position",
    "at": "at playing run",
}
