"""The messages between a board and its page match the types declared for both sides."""

import re
from pathlib import Path

import pytest

import crashlab

pytest.importorskip("ipycanvas")

from fake_page import Page, click, quick_fingers  # noqa: F401

from crashlab.lab import Explorer, page_messages, playback

LAB = Path(playback.__file__).parent
SCRIPT = (LAB / "board_page.js").read_text("utf-8")
TYPES = (LAB / "panel_page" / "messages.d.ts").read_text("utf-8")
KERNEL = (LAB / "playback.py").read_text("utf-8")


def fields(listed):
    """Return the set of a message's fields; an optional one ends in a question mark."""
    return set(listed.split())


def typed(side):
    """Return the fields of each message of one side, according to the types for JavaScript."""
    shared = {name: fields_of(body) for name, body in re.findall(r"interface (Tables|Seen) \{(.*?)\}", TYPES)}
    body = re.search(rf"interface {side} \{{\n(.*?)\n\}}", TYPES, re.S)[1]
    messages = {}
    for name, kind in re.findall(r"^  (\w+): (.*?);$", re.sub(r"\n    ", " ", body).replace("\n  };", " };"), re.M):
        names = fields_of(kind[kind.index("{") + 1 : kind.rindex("}")])
        messages[name] = names.union(*(shared[other] for other in shared if re.search(rf"\b{other} &", kind)))
    return messages


def fields_of(body):
    flat = re.sub(r"\{[^{}]*\}", "", body)
    return set(re.findall(r"(\w+\??): ", flat))


def test_every_message_to_the_page_is_sent_obeyed_and_typed():
    sent = set(re.findall(r'_(?:tell|order)\(\s*"(\w+)"', KERNEL))
    obeyed = re.search(r"const hear = \{(.*?)\n  \};", SCRIPT, re.S)[1]
    assert set(re.findall(r"^    (\w+)(?:\(|,)", obeyed, re.M)) == sent == set(page_messages.TO_PAGE)
    assert typed("ToPage") == {name: fields(listed) for name, listed in page_messages.TO_PAGE.items()}


def test_every_message_of_the_page_is_sent_heard_and_typed():
    sent = dict(re.findall(r"model\.send\(\{ ((\w+)[^}]*) \}\)", SCRIPT))
    names = {re.match(r"\w+", said)[0] for said in sent}
    heard = {name.removeprefix("_hear_") for name in vars(playback.BoardPage) if name.startswith("_hear_")}
    assert names == heard == set(page_messages.FROM_PAGE)
    assert typed("FromPage") == {name: fields(listed) for name, listed in page_messages.FROM_PAGE.items()}


@pytest.mark.parametrize("name", ["autoscooter", "crash_city"])
def test_what_is_sent_has_the_fields_of_the_list(name):
    explorer = Explorer(crashlab.game(name).start(7), "greedy", theme="dark")
    page = Page(explorer.board.page)
    click(explorer.round)
    page.play()
    explorer.board.go_near(1.5)
    page.say(position=True)
    for said in page.heard:
        listed = fields(page_messages.TO_PAGE[said["do"]])
        required = {field for field in listed if not field.endswith("?")}
        assert required <= {*said} - {"do", "run"} <= {field.removesuffix("?") for field in listed}, said["do"]
