"""The widget of matrix games without a browser."""

from threading import Thread

import numpy as np
import pytest

import crashlab
from crashlab import CrashlabError
from crashlab.analysis.matrix_game import Duel

pytest.importorskip("ipycanvas")

from fake_page import Page, Sent, click, quick_fingers, step_to, wait_for, words  # noqa: F401

from crashlab.drawing.shapes import Polygon, Text
from crashlab.lab import Bluff
from crashlab.lab import bluff as lab_bluff

NAMES = ["rock", "paper", "scissors"]


@pytest.fixture
def rps():
    """Return rock, paper, scissors in which winning with scissors counts double."""
    return Duel.of([[0, -1, 1], [1, 0, -2], [-1, 2, 0]], rows=NAMES, columns=NAMES)


def margins(bluff):
    return [shape for piece in bluff.board.picture.pieces for shape in piece.shapes]


def texts(shapes):
    return [shape.text for shape in shapes if isinstance(shape, Text)]


def widths(bluff):
    """Return the lengths of the rows' bars."""
    boxes = [shape.points for shape in margins(bluff) if isinstance(shape, Polygon) and shape.fill == "seat 0"]
    return [points[1][0] - points[0][0] for points in boxes]


def test_the_slider_leads_through_what_is_learnt(rps):
    bluff = Bluff(rps, steps=500)
    sent, history = Sent(bluff), rps.solve("regret", 500).history
    for entry in (1, 7, len(history.steps) - 1):
        step_to(bluff, entry)
        assert np.array_equal(bluff.mixtures[0], history.rows[entry])
        assert np.array_equal(bluff.mixtures[1], history.columns[entry])
        assert f"After {history.steps[entry]} of 500 steps" in words(bluff)
        assert f"best replies would gain {history.gaps[entry]:.3f}" in words(bluff)
        assert widths(bluff) == pytest.approx([max(lab_bluff.CERTAIN * chance, 1) for chance in history.rows[entry]])
    assert not sent.messages and bluff.error is None


def test_a_beat_that_comes_with_the_press_does_not_undo_it(rps):
    """Messages of the page may arrive in several threads."""
    bluff, pressed = Bluff(rps), lab_bluff.SOLUTION
    with bluff.board.lock:  # a beat is being handled
        thread = Thread(target=lambda: setattr(bluff.switch, "value", pressed))
        thread.start()
        wait_for(lambda: bluff.switch.index == 1)
        bluff.board.run_alone(bluff._tell, 3)
        assert bluff.switch.value != pressed
    thread.join()
    assert bluff.now is None and bluff.switch.value == pressed and "The solution" in words(bluff)


def test_the_solution_is_exact_and_says_so(rps):
    bluff = Bluff(rps)
    Sent(bluff)
    bluff.switch.value = "solution"
    assert np.allclose(bluff.mixtures[0], [0.5, 0.25, 0.25]) and np.allclose(bluff.mixtures[1], [0.5, 0.25, 0.25])
    assert "The solution: row wins +0.000" in words(bluff) and "gain 0.000" in words(bluff)
    assert texts(margins(bluff)).count("50 %") == 2 and texts(margins(bluff)).count("+0.00 ★") == 6
    assert "neither can do better" in bluff.heading.value
    bluff.switch.value = "learning"
    assert bluff.now == 0 and "After 1 of" in words(bluff)


def test_the_star_is_at_the_best_reply(rps):
    bluff = Bluff(rps)
    bluff.jump(0)  # uniform: paper loses most, scissors win most
    wins = rps.values @ bluff.mixtures[1]
    stars = [text for text in texts(margins(bluff)) if "★" in text]
    assert f"{wins.max():+.2f} ★" in stars


def test_a_click_says_what_a_cell_and_what_a_plot_is_worth(rps):
    bluff = Bluff(rps)
    sent = Sent(bluff)
    bluff.solve(True)
    sent.press(*bluff.story.grid.middle(1, 2))
    assert words(bluff) == "row paper against column scissors: -2 for row."
    sent.press(60, bluff.story.grid.middle(2, 0)[1])
    assert words(bluff) == "row plays scissors: 25 %. It wins +0.000 against column's mixture."
    sent.press(bluff.story.grid.middle(0, 0)[0], 60)
    assert words(bluff) == "column plays rock: 50 %. It loses +0.000 against row's mixture."
    sent.press(10, 10)
    assert words(bluff).startswith("The solution")


def test_switching_while_it_plays_is_not_undone_by_the_clock(rps):
    bluff = Bluff(rps)
    Sent(bluff)
    page = Page(bluff.board.page)
    bluff.board.run_alone(bluff.steps.play)
    page.come_to(1)
    run = page.run
    bluff.switch.value = "solution"
    assert page.last()["do"] == "scene"
    page.say(at=bluff.story.beats, playing=False, run=run)  # the film's last report is late
    assert bluff.now is None and bluff.switch.value == "solution" and bluff.steps.beat == 1
    bluff.board.run_alone(bluff.steps.play)
    page.come_to(2)
    assert bluff.now == 2 and bluff.steps.page.playing and bluff.switch.value == "learning"
    page.go(bluff.steps.last)
    assert bluff.now == bluff.story.beats and not bluff.steps.page.playing


def test_plots_that_differ_in_nothing_stand_for_each_other():
    bluff = Bluff(Duel.of([[1, 0, 1], [1, 0, 1], [0, 3, 0]], rows=["a", "b", "c"]))
    assert bluff.story.duel.values.tolist() == [[1, 0], [0, 3]]
    assert {"a ×2", "c", "1 ×2", "2"} <= set(texts(bluff.board.picture.board))


def test_of_a_large_game_what_is_played_is_shown():
    rng = np.random.default_rng(1)
    duel = Duel.of(rng.normal(size=(40, 30)))
    bluff = Bluff(duel, steps=300)
    assert len(bluff.story.rows) == lab_bluff.MOST_ROWS and len(bluff.story.columns) == lab_bluff.MOST_COLUMNS
    solved = duel.solve("lp")
    played = set(np.argsort(-solved.row)[:3])
    assert played <= set(bluff.story.rows) and bluff.story.rows == sorted(bluff.story.rows)
    assert bluff.story.grid.height < 520
    hasty = Bluff(duel, steps=1)  # has learnt nothing
    assert played <= set(hasty.story.rows)


def test_a_duel_of_the_game_is_shown_in_the_colours_of_its_seats():
    state = crashlab.game("autoscooter", players=4).start(1)
    for _ in range(5):
        state = state.sample(crashlab.Random(2)).after
    rows, columns = (list(state.actions(seat))[:6] for seat in (1, 3))
    duel = crashlab.duel(state, (1, 3), rows, columns, playouts=20, decisions=8, progress=False)
    bluff = Bluff(duel)
    bluff.solve(True)
    assert {shape.fill for shape in margins(bluff) if isinstance(shape, Polygon)} == {"seat 1", "seat 3"}
    assert "B wins" in words(bluff) and "20 playouts a cell" in " ".join(texts(bluff.board.picture.board))
    sent = Sent(bluff)
    sent.press(*bluff.story.grid.middle(0, 0))
    half = bluff.story.duel.half_widths[bluff.story.rows[0], bluff.story.columns[0]]
    assert (f"± {half:.2f} for B" in words(bluff)) == (half > 0)


def test_a_picture_and_words_stand_in(rps):
    bluff = Bluff(rps)
    bundle = bluff._repr_mimebundle_()
    assert bundle["text/plain"] == str(rps.solve("lp")) and bundle["image/png"]
    assert bluff.now is not None
    assert "row plays rock 33 %, paper 33 %, scissors 33 %" in bluff.board.picture.words


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda duel: Bluff("x"), "a Bluff shows a State, or a Duel"),
        (lambda duel: Bluff(duel, steps=0), "steps=0"),
        (lambda duel: Bluff(duel, theme="pink"), "theme"),
    ],
)
def test_what_is_no_bluff_is_refused_in_words(rps, make, words):
    with pytest.raises(CrashlabError) as error:
        make(rps)
    assert words in str(error.value)


def test_one_plot_against_one_is_a_game_too():
    bluff = Bluff(Duel.of([[2]]))
    Sent(bluff)
    bluff.solve(True)
    assert bluff.error is None and "row wins +2.000" in words(bluff)


def test_a_position_is_its_matrix_game():
    game = crashlab.game("autoscooter", players=2)
    two = game.read({"round": 10, "cars": {"1": "11SW3", "2": "41NW2"}})
    bluff = Bluff(two)
    assert bluff.story.solution.value == pytest.approx(-11 / 7) and "exact" in bluff.story.duel.title
    assert Bluff(crashlab.solve(two)).story.solution.value == pytest.approx(-11 / 7)
    cars = {"1": "11SW3", "2": "41NW3", "3": "24W3", "4": "32E3"}
    both = Bluff(game.read({"round": 11, "cars": cars}), steps=20)
    assert both.story.solution.value == pytest.approx(crashlab.solve(game.read({"round": 11, "cars": cars})).value)
    assert ", " in str(both.story.duel.rows[0]) and both.error is None
    early = game.read({"round": 5, "cars": {"1": "11SW3", "2": "41NW2"}})
    assert np.array_equal(Bluff(early, steps=20).story.duel.values, crashlab.duel(early).reduced().values)
