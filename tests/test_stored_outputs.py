"""The comparison of a notebook with what is stored sees what is drawn and what is said, and nothing that may vary."""

from base64 import b64encode

import pytest
from stored_outputs import differences

import crashlab

GAME = crashlab.game("crash_and_grab")


def cell(*outputs, **metadata):
    return {"cell_type": "code", "metadata": metadata, "source": "x", "outputs": list(outputs)}


def picture(png):
    data = {"text/plain": ["<IPython.core.display.Image object>"], "image/png": b64encode(png).decode()}
    return {"output_type": "execute_result", "data": data, "metadata": {}}


def said(text, name="stdout"):
    return {"output_type": "stream", "name": name, "text": text}


def failed(why):
    return {"output_type": "error", "ename": "ValueError", "evalue": why, "traceback": [why]}


@pytest.mark.parametrize("seed, how", [(8, {}), (7, {"scale": 0.5}), (7, {"theme": "dark"})])
def test_a_picture_of_something_else_is_seen(seed, how):
    other = GAME.start(seed).png(**how)
    stored = [cell(picture(GAME.start(7).png()))]
    assert differences(stored, [cell(picture(GAME.start(7).png()))]) == []
    assert differences(stored, [cell(picture(other))])


@pytest.mark.parametrize(
    ("stored", "new", "is_same"),
    [
        ([said("a\nb\n")], [said(["a\n", "b\n"])], True),
        ([said("a\nb\n")], [said("a\n"), said("b\n")], True),
        ([said("a\n")], [said("b\n")], False),
        ([said("a\n")], [said("a\n", "stderr")], False),
        ([said("a\n")], [], False),
        ([], [said("a\n")], False),
        ([said("in 0.3 s at 0x7f3a12bc")], [said("in 12 s at 0x55d0aa01")], True),
        ([failed("a")], [failed("a")], True),
        ([failed("a")], [failed("b")], False),
    ],
)
def test_words_are_compared_and_timings_and_addresses_are_not(stored, new, is_same):
    assert (differences([cell(*stored)], [cell(*new)]) == []) == is_same
    assert differences([cell(*stored, tags=["nbval-ignore-output"])], [cell(*new)]) == []
