"""The size and theme that a page reports for its board, and showing the whole board, without a browser."""

import pytest

import crashlab

pytest.importorskip("ipycanvas")

from fake_page import Page, Sent, quick_fingers, words  # noqa: F401

from crashlab.analysis.matrix_game import Duel
from crashlab.drawing import canvas, themes
from crashlab.lab import Arena, Bluff, Board, Explorer, Heat, Predict, Stepper

GAME = crashlab.game("autoscooter")
FEW = GAME.read({"cars": {"1": "21E2", "2": "23SE2"}})
FILM = FEW.play({0: "1 FF", 1: "82 FF"})


@pytest.fixture(autouse=True)
def no_page(monkeypatch):
    """Reset the reports of pages."""
    monkeypatch.setattr(Board, "seen", themes.FIRST)


def tell(panel, **changes):
    """Report from the page how it shows the board."""
    panel.board.page._handle_custom_msg({"sight": {"theme": "light", "pixels": 760, "touched": 0, **changes}}, [])


# Theme and size


def test_a_board_has_the_theme_of_the_page_unless_one_was_chosen():
    free, chosen = Board(GAME.start()), Board(GAME.start(), theme="projector")
    page, still = Page(free.page), Page(chosen.page)
    for board in (free, chosen):
        tell(board, theme="dark")
    assert free.theme == "dark" and page.last("look")["colours"] == themes.theme("dark")
    assert chosen.theme == "projector" and still.last()["do"] == "scene"
    assert still.last()["colours"] == themes.theme("projector")
    assert Board(GAME.start()).theme == "dark"  # the next board starts with it
    assert Board(GAME.start(), theme="light").theme == "light"
    tell(free, theme="light")
    assert free.theme == "light" and page.last("look")["colours"] == themes.theme("light")


def test_a_stored_picture_is_the_same_whatever_theme_the_page_has():
    board = Board(GAME.start())
    before = board._repr_mimebundle_()["image/png"]
    tell(board, theme="dark")
    assert board._repr_mimebundle_()["image/png"] == before
    assert Board(GAME.start(), theme="dark")._repr_mimebundle_()["image/png"] != before


@pytest.mark.parametrize(
    "make, painted",
    [
        (lambda: Arena(GAME, seed=3), lambda panel: panel.chart.value + panel.table.value),
        (lambda: Heat(GAME.start(7), precision=0.0).grow(50), lambda panel: panel.legend.value),
        (lambda: Bluff(Duel.of([[0, -1], [-1, 2]]), steps=20), lambda panel: panel.chart.value),
    ],
)
def test_what_is_painted_beside_a_board_has_its_theme(make, painted):
    panel = make()
    light = painted(panel)
    tell(panel, theme="dark")
    assert painted(panel) != light
    tell(panel, theme="light")
    assert painted(panel) == light


def test_a_board_is_drawn_as_sharply_as_it_is_seen_and_clicks_hit():
    board, seen = Board(GAME.start()), []
    board.on_click(lambda x, y: seen.append((round(x), round(y))))
    sent = Sent(board)
    tell(board, pixels=1500)
    assert board.surface.zoom == canvas.SHARP
    tell(board, pixels=1900)
    assert board.surface.zoom == 2.5 and board.surface.widget.width == 1900
    assert {layer.width for layer in board.surface.widget._canvases} == {1900}
    sent.press(300, 200)
    tell(board, pixels=9999)
    sent.press(310, 210)
    tell(board, pixels=760)  # a sharper picture stays: no message and no flicker
    sent.press(320, 220)
    assert board.surface.zoom == canvas.SHARPEST and not sent.messages  # the page has the picture already
    assert seen == [(300, 200), (310, 210), (320, 220)]


# The whole board


def test_a_board_that_fits_is_shown_whole_however_few_cars_are_on_it():
    """No hex is cut off in a film, a question or a game; a user can zoom in."""
    explorer = Explorer(FEW, animate=False)
    assert [board.lens.zoom for board in (Board(FEW), Stepper(FILM).board, Predict(FILM).board)] == [1, 1, 1]
    for _ in range(3):
        explorer.board.run_alone(explorer.run_round)
        assert explorer.board.lens.zoom == 1
    explorer.board.go_near(1.5)
    assert explorer.board.lens.zoom == 1.5 and Board(GAME.start()).lens is None


# Places
