"""The heat map without a browser; most tests use a search with fixed results."""

import threading
from dataclasses import dataclass
from math import inf
from typing import ClassVar

import pytest

import crashlab
from crashlab import CrashlabError
from crashlab.agents import Thought
from crashlab.engine.game import Game

pytest.importorskip("ipycanvas")

from fake_page import Sent, click, quick_fingers, rested, wait_for, words  # noqa: F401
from patience import PATIENCE

from crashlab.drawing import themes
from crashlab.drawing.shapes import Circle, Polygon, Text
from crashlab.lab import Heat, heat_values
from crashlab.lab import heat as lab_heat


@pytest.fixture(scope="module")
def state():
    """Return a start: every car has six manoeuvres with 11 numbers each."""
    return crashlab.game("autoscooter", players=4).start(7)


@dataclass
class FixedSearch:
    """A search with fixed results: a value for each manoeuvre, and slightly more for higher numbers."""

    state: object
    seat: int
    seed: int = 0
    value: str = "lead"
    playouts: int = 0

    WORTH: ClassVar = {"FLL": 1.0, "FL": 2.0, "F": 5.0, "FR": -2.0, "FRR": 0.0, "P": 3.0}
    gate = threading.Event()
    asked = threading.Event()

    def grow(self, playouts):
        self.playouts += playouts

    def grow_for(self, seconds):
        self.asked.set()
        assert self.gate.wait(PATIENCE)
        self.playouts += 1000

    def thoughts(self):
        thoughts = []
        for action in self.state.actions(self.seat):
            number, manoeuvre = str(action).split()
            sure = 100 / (self.playouts or 1)
            thoughts.append(Thought(action, self.playouts, self.WORTH[manoeuvre] + int(number) / 1000, sure))
        return sorted(thoughts, key=lambda thought: -thought.value)


@pytest.fixture
def search(monkeypatch):
    monkeypatch.setattr(lab_heat, "Search", FixedSearch)
    monkeypatch.setattr(lab_heat, "REST", 0.0)
    FixedSearch.gate.set()
    FixedSearch.asked.clear()
    return FixedSearch


def appear(heat):
    """Report a view of the heat map, as a browser does."""
    heat.board.surface.widget[-1]._client_ready_callbacks()


def listed(heat):
    return [text.split()[3] for text in heat.picker.menu.options]


def test_ways_are_listed_best_first_with_the_value_of_their_best_action(state, search):
    heat = Heat(state).grow(1000)
    assert listed(heat) == ["F", "P", "FL", "FLL", "FRR", "FR"]
    best = max(int(str(action).split()[0]) for action in state.actions(0))
    assert heat.picker.menu.options[0] == f"+{5 + best / 1000:.2f} ± 0.10   F   11,000×"
    assert heat.picker.menu.options[-1].startswith("−1.9")
    assert f"best: {best} F with" in heat.progress.value and "1,000 playouts" in heat.progress.value


def test_every_action_stands_under_exactly_one_way(state, search):
    heat = Heat(state).grow(10)
    codes = [code for _, codes in heat._leads(()) for code in codes]
    assert sorted(codes) == sorted(action.code for action in state.actions(0))


def test_colours_go_from_the_worst_to_the_best(state, search):
    heat = Heat(state).grow(100_000)
    by_word = {branch.choice.word: branch for branch in heat.branches}
    shades = {}
    for word, branch in by_word.items():
        shapes = heat_values.tinted(branch.choice, lab_heat.heat(branch.best.value, *heat_values.limits(heat.branches)))
        shades[word] = next(shape.fill for shape in shapes if isinstance(shape, Circle) and shape.fill)
    assert shades["F"] == "heat 8" and shades["FR"] == "heat 0"
    order = [int(shades[word].split()[1]) for word in listed(heat)]
    assert order == sorted(order, reverse=True)
    assert {"+5.08", "+3.08", "+2.08"} <= {shape.text for shape in heat._targets() if isinstance(shape, Text)}
    assert "+4" in heat.legend.value and "lead over the average" in heat.legend.value


def test_the_best_is_drawn_last_and_values_stand_beside_all_choices(state, search):
    heat = Heat(state).grow(100_000)
    marks = [shape.fill for shape in heat._targets() if isinstance(shape, Circle) and shape.fill.startswith("heat")]
    assert marks[0] == "heat 0" and marks[-1] == "heat 8"
    frames = [shape for shape in heat._targets() if isinstance(shape, Polygon) and shape.fill == "panel"]
    assert 2 <= len(frames) <= heat_values.TAGS
    for frame in frames:
        left, top, right, bottom = *frame.points[0], *frame.points[2]
        for branch in heat.branches:
            x, y = branch.choice.x, branch.choice.y
            assert not (left - 8 < x < right + 8 and top - 8 < y < bottom + 8)


def test_what_may_be_luck_gets_no_different_colours(state, search):
    heat = Heat(state).grow(1000)  # accurate to 0.1
    heat.choose(0)
    low, high = heat_values.limits(heat.branches)
    assert high - low >= 0.2 and shades_of(heat) <= {"heat 5", "heat 6", "heat 7", "heat 8"}
    heat.grow(99_000)
    assert "heat 0" in shades_of(heat)


def shades_of(heat):
    return {shape.fill for shape in heat._targets() if isinstance(shape, Polygon) and shape.fill.startswith("heat")}


def test_a_click_looks_closer_and_back_again(state, search):
    heat = Heat(state).grow(1000)
    sent = Sent(heat)
    place = next(branch.choice for branch in heat.branches if branch.choice.word == "FL")
    sent.press(place.x, place.y)
    assert heat.now.words == ("FL",) and len(sent.messages) == 1
    numbers = [int(word) for word in listed(heat)]
    assert len(numbers) == 11 and numbers == sorted(numbers, reverse=True)
    number = heat.branches[4].choice
    sent.press(number.x, number.y)
    assert words(heat).startswith(f"{number.action}: +2.0") and "from 1,000 playouts" in words(heat)
    assert heat.now.words == ("FL",) and heat.picker.index == 4
    click(heat.up)
    assert heat.now.words == () and heat.picker.index is None and listed(heat)[0] == "F" and heat.up.disabled
    sent.key("Backspace")
    assert "there is no earlier one" in words(heat)


def test_the_keyboard_is_enough(state, search):
    heat = Heat(state).grow(1000)
    sent = Sent(heat)
    for key in ("ArrowDown", "ArrowDown", "Enter", "ArrowDown", "Enter"):
        sent.key(key)
        if key == "ArrowDown" and not heat.now.words:
            assert "Enter looks closer" in words(heat)
    assert heat.now.words == ("P",) and words(heat).startswith(heat.branches[0].choice.action)
    sent.key("Backspace")
    assert heat.now.words == ()
    assert heat.error is None


def test_it_refines_when_it_is_on_a_page_and_stops_at_the_limit(state, search):
    heat = Heat(state, precision=0.0, limit=20_000)
    sent = Sent(heat)
    assert heat.now.playouts == 0 and not heat.work.busy  # there is no view
    appear(heat)
    rested(heat)
    assert heat.now.playouts == 20_000 and heat.stop.description == "Go on" and "done" in heat.progress.value
    assert 2 <= len(sent.messages) < 25
    appear(heat)
    rested(heat)
    assert heat.now.playouts == 20_000
    click(heat.stop)  # doubles the limit
    rested(heat)
    assert heat.now.playouts == 40_000


def test_it_stops_at_the_precision(state, search):
    heat = Heat(state, precision=0.02)
    appear(heat)
    assert rested(heat).now.playouts == 5000 and heat.thoughts[0].half_width == 0.02


def test_a_few_values_that_happen_to_be_alike_are_not_enough(state):
    """Twelve decisions later all leads may still be 0; equal values are then no evidence."""
    heat = Heat(crashlab.game("crash_and_grab", players=6).start(7), limit=400, precision=0.1)
    heat.grow(36)
    assert {thought.value for thought in heat.thoughts} == {0.0} and heat.thoughts[0].half_width == inf
    appear(heat)
    assert rested(heat).now.playouts >= 400


def test_clicks_are_served_while_it_thinks(state, search):
    search.gate.clear()
    heat = Heat(state, precision=0.0).grow(1000)
    sent = Sent(heat)
    appear(heat)
    assert search.asked.wait(PATIENCE) and heat.stop.description == "Stop"
    place = heat.branches[0].choice
    sent.press(place.x, place.y)
    assert heat.now.words == ("F",) and len(sent.messages) > 0
    click(heat.stop)
    assert not heat.work.busy and "stopped" in heat.progress.value
    shown = len(sent.messages)
    search.gate.set()
    with heat.work.thinking, heat.board.lock:
        assert len(sent.messages) == shown and heat.now.playouts == 1000


def test_a_click_means_what_is_shown_there_whatever_is_thought_of_it_now(state, search, monkeypatch):
    heat = Heat(state, precision=0.0).grow(100_000)
    sent, shown = Sent(heat), [branch.choice for branch in heat.branches]
    assert [choice.word for choice in shown] == listed(heat) == ["F", "P", "FL", "FLL", "FRR", "FR"]
    monkeypatch.setattr(type(heat.work), "busy", True)
    monkeypatch.setitem(search.WORTH, "FR", 9.0)
    heat._show(heat._think())  # too few new playouts for a new picture
    assert str(heat.thoughts[0].action).endswith("FR") and listed(heat)[0] == "F"
    sent.key("ArrowDown")
    assert shown[0].text in words(heat)
    sent.press(shown[2].x, shown[2].y)
    assert heat.now.words == ("FL",)


def test_it_stops_when_its_cell_is_run_again(state, search):
    heat = Heat(state, precision=0.0, limit=10**9)
    appear(heat)
    heat.board.surface.widget._view_count = 1  # as the browser counts
    assert heat.work.busy
    heat.board.surface.widget._view_count = 0
    assert not heat.work.busy and heat.error is None
    appear(heat)  # in another output
    assert heat.work.busy
    click(heat.stop)


def test_another_seat_ends_the_thought_at_once_and_begins_its_own(state, search):
    search.gate.clear()
    heat = Heat(state, limit=3000)
    sent = Sent(heat)
    appear(heat)
    assert search.asked.wait(PATIENCE)
    old = heat.now.search
    car = next(piece for piece in heat.board.picture.pieces if piece.key == "car 2")
    sent.press(car.x, car.y)
    assert heat.now.seat == heat.seats.value == 1 and "B decides on car 2" in heat.heading.value
    assert heat.now.playouts == 0 and heat.work.busy
    search.gate.set()
    rested(heat)
    assert heat.now.search is not old and heat.now.search.seat == 1
    assert heat.now.playouts == 1000 and {thought.action.seat for thought in heat.thoughts} == {1}
    places = {(choice.x, choice.y) for choice in state.game.ui.choices(state.table, 1, ())}
    assert {(branch.choice.x, branch.choice.y) for branch in heat.branches} == places
    heat.seats.value = 3
    assert rested(heat).now.seat == 3 and heat.now.playouts == 1000  # even after the limit was reached


def test_it_says_why_it_is_slow_at_first(state, search, monkeypatch):
    ready = []
    monkeypatch.setattr(lab_heat.choose_backend, "can_compile", lambda: True)
    monkeypatch.setattr(lab_heat.choose_backend, "is_ready", lambda rules, purpose: bool(ready))
    heat = Heat(state, precision=0.0, limit=10**9)
    appear(heat)
    wait_for(lambda: "slow while the rules are being compiled" in heat.progress.value)
    ready.append(True)
    wait_for(lambda: "refining …" in heat.progress.value)
    click(heat.stop)
    assert "stopped" in heat.progress.value


def test_one_playout_is_not_plural():
    assert [lab_heat.in_playouts(number) for number in (0, 1, 2, 1000)] == [
        "0 playouts",
        "1 playout",
        "2 playouts",
        "1,000 playouts",
    ]


def test_who_has_stopped_it_is_not_asked_again(state, search):
    heat = Heat(state, precision=0.0, limit=10**9)
    Sent(heat)
    appear(heat)
    click(heat.stop)
    heat.seats.value = 2
    assert not heat.work.busy and heat.now.playouts == 0
    click(heat.stop)
    wait_for(lambda: heat.now.playouts > 0)
    click(heat.stop)
    assert not heat.work.busy


def test_what_is_pointed_at_stays_so_while_the_list_changes(state, search, monkeypatch):
    heat = Heat(state).grow(1000)
    Sent(heat)
    heat.picker.menu.index = listed(heat).index("FL")
    monkeypatch.setattr(FixedSearch, "WORTH", {"FLL": 1.0, "FL": 9.0, "F": 5.0, "FR": -2.0, "FRR": 0.0, "P": 3.0})
    heat.grow(1000)
    assert listed(heat)[0] == "FL" and heat.picker.index == 0


def test_an_error_while_thinking_is_told_and_ends_it(state, search, monkeypatch):
    def fail(self, seconds):
        raise ZeroDivisionError("no thought")

    monkeypatch.setattr(FixedSearch, "grow_for", fail)
    heat = Heat(state)
    appear(heat)
    rested(heat)
    assert "ZeroDivisionError: no thought" in words(heat) and heat.stop.description == "Go on"


def test_another_position_can_be_looked_at(state, search):
    heat = Heat(state).grow(1000)
    after = state.sample(crashlab.Random(1)).after
    heat.look_at(after, 2)
    assert heat.now.state is after and heat.now.seat == 2 and heat.now.playouts == 0
    assert heat.board.picture == after.picture() and heat.error is None


def test_a_real_search_fills_it_and_the_same_seed_gives_the_same(state):
    one, other = Heat(state, seed=3).grow(300), Heat(state, seed=3).grow(150).grow(150)
    assert one.thoughts == other.thoughts and len(one.thoughts) == len(state.actions(0))
    other = Heat(state, seed=3, method="mcts", decisions=2, value="win").grow(400)
    assert sum(thought.visits for thought in other.thoughts) == 400 and "share of the win" in other.legend.value


def test_a_picture_and_words_stand_in(state, search):
    bundle = Heat(state).grow(1000)._repr_mimebundle_()
    assert bundle["text/plain"].startswith("Heat of A after 1,000 playouts: round 1")
    assert "+5.08 ± 0.10  F: forward (speed 1)" in bundle["text/plain"] and bundle["image/png"]
    assert Heat(state)._repr_mimebundle_()["image/png"]  # without any playout


def test_any_game_with_a_look_has_a_heat():
    toy = Game("toy", "toy", {}).start(1)
    heat = Heat(toy).grow(60)
    assert heat.error is None and sorted(text.split()[3] for text in heat.picker.menu.options) == ["1", "2"]
    marks = [shape for shape in heat._targets() if isinstance(shape, Circle) and shape.fill.startswith("heat")]
    assert len(marks) == 2  # its choices have no shapes to tint


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda state: Heat("x"), "a Heat shows a State"),
        (lambda state: Heat(state, 9), "seat 9 does not decide now; choose one of A, B, C, D"),
        (lambda state: Heat(state, precision="0"), "precision must be a number"),
        (lambda state: Heat(state, limit=1.5), "limit must be a whole number of playouts"),
        (lambda state: Heat(state, method="magic"), "method='magic'"),
        (lambda state: Heat(state, wings=2), "wings"),
        (lambda state: Heat(finished(state)), "the game is over"),
        (lambda state: Heat(windy()), "chance decides now"),
    ],
)
def test_what_has_no_heat_is_refused_in_words(state, make, words):
    with pytest.raises(CrashlabError) as error:
        make(state)
    assert words in str(error.value)


def finished(state):
    rng = crashlab.Random(1)
    while not state.over:
        state = state.sample(rng).after
    return state


def windy():
    """Return a state of the toy game at which chance decides."""
    state = Game("toy", "toy", {}).start(1).play({0: "1", 1: "2"}).after
    assert state.actors == (crashlab.CHANCE,)
    return state


def test_every_theme_has_the_colours(state, search):
    for theme in themes.THEMES:
        heat = Heat(state, theme=theme).grow(10)
        sent = Sent(heat)
        heat.board.page.draw(*heat.board.page._shown)
        assert sent.messages


TAGS = [
    (3.0, 0.005, "+3.00"),
    (-0.001, 0.02, "+0.00"),
    (-0.0012, 0.002, "−0.001"),
    (-2.345, 1, "−2.35"),
    (12.34, 1, "+12.3"),
]


@pytest.mark.parametrize(("value", "interval", "label"), TAGS)
def test_a_tag_has_room_for_as_many_digits_as_are_known(state, value, interval, label):
    frame, text = heat_values.label(100, 50, Thought(state.actions(0)[0], 100, value, interval))
    assert text.text == label and max(x for x, _ in frame.points) - 100 == heat_values.HALF


# Solved endgames


@pytest.fixture
def bluff():
    """Return a position with two rounds left: A's car 1 and B's car 2, worth -11/7."""
    return crashlab.game("autoscooter", players=2).read({"round": 10, "cars": {"1": "11SW3", "2": "41NW2"}})


def test_an_endgame_is_solved_and_said_to_be_exact(bluff):
    for seat, best in ((0, -11 / 7), (1, 11 / 7)):
        heat = Heat(bluff, seat).grow(1)
        solution = crashlab.solve(bluff)
        assert heat.thoughts[0].value == pytest.approx(best)
        assert not any(thought.half_width for thought in heat.thoughts)
        assert len(heat.thoughts) == len(bluff.actions(seat))
        worths = solution.duel.values @ solution.column if seat == 0 else -(solution.row @ solution.duel.values)
        side = solution.duel.rows if seat == 0 else solution.duel.columns
        for thought in heat.thoughts:
            assert thought.value == pytest.approx(worths[side.index(thought.action)])
        assert "exact: solved to the end of the game" in heat.progress.value
        assert ("A finishes 1.57 behind B", "B finishes 1.57 ahead of A")[seat] in heat.progress.value
        assert "Exact expected lead" in heat.lines.value and "exactly" in heat.legend.value
        assert heat._enough and heat.stop.disabled and heat.error is None
    assert "with best play from both, " in heat.progress.value
    assert "solved exactly" in heat._repr_mimebundle_()["text/plain"]


def test_its_list_says_how_often_each_way_is_played(bluff):
    heat = Heat(bluff).grow(1)
    chances = {branch.choice.word: branch.chance for branch in heat.branches}
    assert sum(chances.values()) == pytest.approx(1) and max(chances, key=chances.get) == "FLF"
    assert heat.picker.menu.options[0].split() == ["−1.57", "FLF", "86", "%"]
    heat.choose(0)
    heat.choose(0)
    assert "exactly −1.57 at the end; best play chooses it" in words(heat)
    assert "±" not in "".join(heat.picker.menu.options)


def test_it_is_solved_when_it_is_on_a_page(bluff):
    heat = Heat(bluff)
    assert "nothing is known yet" in heat.progress.value and not heat.thoughts
    appear(heat)
    rested(heat)
    assert "exact" in heat.progress.value and heat.thoughts


def test_options_of_a_search_ask_for_a_search(bluff):
    assert Heat(bluff, method="flat", decisions=2).grow(30).now.playouts == 30
    three = crashlab.game("autoscooter", players=2).read({"round": 9, "cars": {"1": "11SW3", "2": "41NW2"}})
    heat = Heat(bluff).grow(1)
    heat.look_at(three)
    assert heat.now.solved is None and not heat.stop.disabled and "Value ± interval" in heat.lines.value
