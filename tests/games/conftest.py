"""The outlines that tests of causes expect."""

import pytest
from checkout import TESTS


@pytest.fixture
def outlines(request):
    """Iterate over the outlines of a test in `outlines/GAME.txt`; the test has to use all of them."""
    file = TESTS / f"outlines/{request.path.parent.name}.txt"
    blocks = file.read_text("utf-8").removeprefix("== ").rstrip("\n").split("\n\n== ")
    expected = iter(dict(block.split("\n", 1) for block in blocks)[request.function.__name__].split("\n--\n"))
    yield expected
    assert next(expected, None) is None
