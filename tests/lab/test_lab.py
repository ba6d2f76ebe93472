"""The widgets without a browser: handlers are called as by the browser, and the commands sent are checked."""

import json
import re
import subprocess
import sys
import threading
import zlib
from collections import Counter
from dataclasses import replace
from functools import partial
from html import escape

import pytest

import crashlab
from crashlab import CrashlabError
from crashlab.drawing import shapes, tween
from crashlab.engine.game import Game

pytest.importorskip("ipycanvas")

from autoscooter_positions import round_with_crashes
from fake_page import CLOCK, TABLES, Page, Sent, click, quick_fingers, rested, step_to, take, wait_for, words  # noqa: F401
from film_reader import played, short
from ipycanvas import MultiCanvas
from patience import PATIENCE

from crashlab.agents.ladders import strongest
from crashlab.drawing import themes
from crashlab.engine import turn_film
from crashlab.lab import (
    Arena,
    Board,
    Dial,
    Explorer,
    Guess,
    Heat,
    League,
    Poll,
    Predict,
    Review,
    Rules,
    Stepper,
    Watch,
    page_module,
    playback,
)
from crashlab.lab import board as lab_board
from crashlab.lab import explorer as lab_explorer
from crashlab.lab import stepper as lab_stepper
from crashlab.lab.explorer import BY_TURNS
from crashlab.lab.explorer_history import SeatPlan


@pytest.fixture(scope="module")
def game():
    return crashlab.game("autoscooter", players=4)


@pytest.fixture(scope="module")
def turn(game):
    return round_with_crashes(game)


# Messages to the page


def test_private_names_of_ipycanvas_are_as_the_surface_and_the_page_use_them():
    """If a new ipycanvas renames them, this fails instead of the page."""
    multi = MultiCanvas(2)
    assert len(multi._canvases) == 2 and multi[-1] is multi._canvases[-1] and "_canvases" in multi.keys
    mouse, touch = ("mouse_down", "mouse_move", "mouse_up", "mouse_out"), ("touch_start", "touch_move", "touch_end")
    for name in ("client_ready", *mouse, *touch, "key_down"):
        assert hasattr(multi[-1], f"_{name}_callbacks")


def pieces_of(picture):
    return [part for piece in picture.pieces for part in short(piece)]


def test_a_picture_is_one_message_of_what_is_otherwise_than_in_the_one_before(game):
    board = Board(game.start())
    page = Page(board.page)
    ring = (shapes.Circle(100, 100, 20, "", "flash"),)
    for picture, marks, top in ((board.picture, ring, ()), (game.start(2).picture(), (), ring)):
        count = len(page.heard)
        board.show(picture, marks, top)
        assert len(page.heard) == count + 1
        ground, pieces, _ = page.pictures()[-1]
        assert ground == [part for shape in picture.board for part in short(shape)]
        assert pieces[1:-1] == pieces_of(picture)
        rings = [tuple(short(shape)[0] for shape in some) for some in (marks, top)]
        assert [pieces[0].shapes, pieces[-1].shapes] == rings
    board.page.point(())
    assert len(page.last()["beat"]["put"]) == 1 and "colours" not in page.last()  # only the ring has gone


def test_no_number_reaches_the_browser_unchecked(game):
    board = Board(game.start())
    page = Page(board.page)
    bad = (
        shapes.Circle(float("nan"), float("inf"), -5, "ink", "ink", -3, alpha=float("nan")),
        shapes.Polygon(((float("-inf"), 0), (1, float("nan")), (1e30, 2)), "ink", "ink", float("inf")),
        shapes.Line(((0, 0), (0, 0)), "ink", arrow=True),
        shapes.Text(float("nan"), 0, "?", -4),
    )
    odd = shapes.Piece("odd", float("nan"), 3, bad, scale=-1, alpha=7)
    picture = replace(game.start().picture(), pieces=(odd, replace(game.start().picture().pieces[-1], x=float("inf"))))
    board.show(picture, bad, bad)
    json.dumps(page.heard[-1], allow_nan=False)


def test_an_error_while_drawing_sends_nothing_and_the_next_picture_is_whole(game):
    board = Board(game.start())
    page, picture = Page(board.page), game.start(2).picture()
    seen = len(page.pictures())
    with pytest.raises(KeyError):
        board.show(picture, (), (shapes.Circle(0, 0, 1, "no such colour"),))
    assert page.last()["do"] == "scene" and page.pictures()[-1][1][1:-1] == pieces_of(board.picture)
    assert board.picture == game.start().picture() and len(page.pictures()) == seen
    board.show(picture)
    assert page.pictures()[-1][1][1:-1] == pieces_of(picture)


def test_a_page_begins_with_what_is_shown_and_one_that_comes_back_gets_everything_again(game):
    board = Board(game.start())
    board._repr_mimebundle_()
    first = json.loads(zlib.decompress(board.page.first))
    assert first["do"] == "scene" and len(first["beat"]["put"]) == len(board.picture.pieces) + 2
    for _ in range(2):
        page = Page(board.page)
        assert page.pictures()[-1][1][1:-1] == pieces_of(board.picture) and board.page.first == b""
        board.show(board.picture)


def test_a_page_that_begins_with_what_is_shown_is_sent_nothing_but_what_is_otherwise_by_now(game):
    for later in (None, game.start(2).picture()):
        board, heard = Board(game.start()), []
        board._repr_mimebundle_()
        first = json.loads(zlib.decompress(board.page.first))
        if later:
            board.show(later)
        board.page.send = lambda said, heard=heard: heard.extend(json.loads(json.dumps(said.get("each", [said]))))
        board.page._handle_custom_msg({"ready": True, "first": first["first"]}, [])
        scenes = [first, *(said for said in heard if said["do"] == "scene")]
        assert len(scenes) == 1 + bool(later) and not any(said.get("afresh") for said in heard)
        tables = {name: [entry for said in scenes for entry in said[name]] for name in TABLES}
        *_, last = played({**tables, "beats": [said["beat"] for said in scenes]})
        assert last[1][1:-1] == pieces_of(board.picture)


def test_a_page_that_answers_at_once_is_heard_when_the_board_is_complete(game, monkeypatch):
    """In JupyterLab the messages of a page arrive in another thread."""
    answers, begin = [], page_module.PageWidget.open

    def open_and_answer(self):
        begin(self)
        if isinstance(self, playback.BoardPage):
            answers.append(threading.Thread(target=self._handle_custom_msg, args=({"ready": True}, [])))
            answers[-1].start()
            answers[-1].join(0.5)
            assert answers[-1].is_alive() and not self.ready

    monkeypatch.setattr(page_module.PageWidget, "open", open_and_answer)
    board = Board(game.start())
    answers[0].join()
    assert board.page.ready and board.error is None


def test_the_kernel_tells_a_page_nothing_while_a_message_of_the_page_is_handled(turn, monkeypatch):
    """Both change what the page is known to have."""
    stepper, is_alone = Stepper(turn), []
    page, tell, begin = stepper.board.page, playback.BoardPage._tell, playback.BoardPage._begin

    def noted_tell(self, *words, **more):
        is_alone.append(self.lock._is_owned())
        tell(self, *words, **more)

    def noted_begin(self, afresh):
        is_alone.append(self.lock._is_owned())
        begin(self, afresh)

    monkeypatch.setattr(playback.BoardPage, "_tell", noted_tell)
    monkeypatch.setattr(playback.BoardPage, "_begin", noted_begin)
    page.settle()
    assert page.first and is_alone == [True]
    Page(page)
    for change in (
        lambda: page.say("Hello."),
        lambda: page.describe("picture", "another"),
        lambda: page.point(()),
        lambda: page.paint(dict(page.colours)),
        lambda: page.pace({"normal": 500}),
        lambda: page.until(2),
        lambda: page.show(1, None, None, glides=False),
        lambda: page.start(0),
        page.stop,
        lambda: page.explain(0),
        lambda: page.load(2, page.head, page.events),
    ):
        is_alone.clear()
        change()
        assert is_alone and all(is_alone)


def test_all_events_of_a_panel_arrive_in_one_thread():
    """The method, if there is one, chooses a thread for each message (ipykernel 7.4)."""
    guess = Guess("How many?", ["one"])
    for widget in (guess.board.surface.widget, guess.board.page, guess.phones):
        assert widget.comm._reply_subshell_for is None


def test_a_cell_changes_a_panel_while_no_callback_runs(game, monkeypatch):
    explorer, heat, is_alone = Explorer(game.start(7)), Heat(game.start(7), limit=10), []
    monkeypatch.setattr(explorer, "view", lambda: is_alone.append(explorer.board.lock._is_owned()))
    explorer.choose(0)
    explorer.undo()
    monkeypatch.setattr(heat, "refresh", lambda **_: is_alone.append(heat.board.lock._is_owned()))
    heat.choose(0)
    assert len(is_alone) >= 3 and all(is_alone)


def test_the_messages_of_a_page_do_not_wait_for_a_cell_that_searches(game, monkeypatch):
    heat, is_locked = Heat(game.start(7), limit=10), []
    monkeypatch.setattr(type(heat.now.search), "grow", lambda *_: is_locked.append(heat.board.lock._is_owned()))
    heat.grow(5)
    assert is_locked == [False]


def test_what_is_forgotten_to_make_room_is_sent_again(game, monkeypatch):
    monkeypatch.setattr(playback, "FULL", 300)
    board = Board(game.start())
    page = Page(board.page)
    for number in range(60):
        board.show(board.picture, [shapes.Circle(number, other, 5, "ink") for other in range(20)])
        assert page.pictures()[-1][1][1:-1] == pieces_of(board.picture)
        assert len(page.pictures()[-1][1][0].shapes) == 20
    assert sum(bool(said.get("afresh")) for said in page.heard) > 3


def test_the_page_plays_a_film_and_the_kernel_sends_nothing(turn):
    stepper = Stepper(turn)
    sent, steps, page = Sent(stepper), stepper.steps, Page(stepper.board.page)
    page.ask_for_all()
    heard = len(page.heard)
    page.toggle()
    page.play()
    assert steps.beat == steps.last and not steps.playing
    page.go(5)
    assert steps.beat == 5 and words(stepper).startswith("Beat 5 of")
    assert stepper.board.picture == turn_film.story_of([turn]).picture(5)
    assert len(page.heard) == heard and not sent.messages


def test_what_the_page_has_of_a_film_is_what_its_document_has(turn):
    stepper = Stepper(turn)
    page, document = Page(stepper.board.page), turn_film.story_of([turn]).document("a turn")
    page.ask_for_all()
    head, beats, events = page.film
    assert [beats[number]["words"] for number in sorted(beats)] == [beat["words"] for beat in document["beats"]]
    said = [beats[number]["words"] for number in sorted(beats)]
    assert [beats[n]["read"] for n in sorted(beats)] == [*map(tween.reading, said, ["", *said])]
    expected = [{name: value for name, value in event.items() if name != "pieces"} for event in document["events"]]
    assert [events[number] for number in sorted(events)] == expected
    assert all(events[beat["first"]]["beat"] == number for number, beat in beats.items() if "first" in beat)
    assert [head[name] for name in ("rules", "stop", "stops", "last")] == [
        document["rules"],
        document["stop"],
        document["stops"],
        len(document["beats"]) - 1,
    ]


def test_of_a_beat_what_comes_is_told_before_what_goes():
    def taken(stack):
        last = stack.pop()
        stack.clear()
        return last

    page = Page(Watch(taken, [3, 4]).board.page)
    page.ask_for_all()
    _, beats, events = page.film
    assert [events[beats[number]["first"]]["text"] for number in (2, 3)] == ["last = 4", "stack[0] goes (was 3)"]


def test_a_beat_far_ahead_comes_without_those_before_it_and_with_the_causes_of_what_happens():
    def count(most):
        total = 0
        for number in range(most):
            total += number
        return total

    watch = Watch(count, 400)
    page, film = Page(watch.board.page), watch.film
    far = film.beats - 3
    page.say(want=far, film=watch.board.page._film)
    _, beats, events = page.film
    assert {*range(far, film.beats + 1)} <= {*beats} and len(beats) < 60
    assert beats[far]["values"] == {name: str(value) for name, value in film.at(far).items()}
    number = beats[far]["first"]
    for cause in film.why(number).events[: playback.CHAIN]:
        assert events[number]["text"] == cause.words
        number = events[number].get("cause")


@pytest.mark.parametrize("make", (Stepper, Predict, partial(Explorer, animate=False)))
def test_what_the_page_has_of_a_film_are_the_pictures_of_its_story(turn, make):
    panel = make(turn.before) if isinstance(make, partial) else make(turn)
    page, steps = Page(panel.board.page), panel.steps
    if isinstance(panel, Predict):
        while not panel.revealed:
            panel.board.run_alone(panel.answer, 0)
        panel.board.run_alone(steps.jump, steps.last)  # shows the rest of the film as well
    elif isinstance(panel, Explorer):
        click(panel.round)
    panel.board.run_alone(steps.jump, 0)
    page.ask_for_all()
    tables = {name: [item for said in page.since_afresh() for item in said.get(name, ())] for name in TABLES}
    film = {**tables, "beats": [beat for _, beat in sorted(page.film[1].items())]}
    assert len(film["beats"]) == steps.story.beats + 1 > 1
    for beat, (board, pieces, effects) in enumerate(played(film)):
        picture = steps.scene(beat)[0]
        marks, top = steps.layers(beat)
        assert board == [part for item in picture.board for part in short(item)]
        shown = {piece.key: piece for piece in pieces}
        assert shown.pop("ways").shapes == tuple(part for item in marks for part in short(item))
        assert shown.pop("top").shapes == tuple(part for item in top for part in short(item))
        expected = [part for item in picture.pieces for part in short(item)]
        assert [piece for piece in pieces if piece.key not in ("ways", "top")] == expected
        assert len(effects) == len(tuple(steps.scene(beat)[1]))


def test_a_film_ends_at_once_where_a_page_shows_the_board_and_does_not_answer(turn, monkeypatch):
    monkeypatch.setattr(playback, "ANSWERS", 0.01)
    stepper = Stepper(turn)
    steps = stepper.steps
    stepper.board.run_alone(steps.start)
    assert steps.page.playing  # there is no page yet, and one that appears may answer
    stepper.board.surface.widget[-1]._client_ready_callbacks()
    wait_for(lambda: words(stepper).endswith(lab_stepper.SILENT))
    assert steps.beat == steps.last and not steps.page.playing
    stepper.board.run_alone(steps.start)
    assert steps.beat == steps.last and words(stepper).endswith(lab_stepper.SILENT)
    page = Page(steps.board.page)  # a late page
    stepper.board.run_alone(steps.start)
    assert steps.page.playing and page.last()["do"] == "play"


def test_a_map_is_looked_at_from_nearer_by_the_page_while_it_shows_a_film(game):
    state = game.read({"cars": {"1": "21E2", "2": "23SE2"}})
    stepper = Stepper(state.play({"A": "17 FF", "B": None}))
    sent, page = Sent(stepper), Page(stepper.board.page)
    page.go(1)
    page.say(near="nearer")
    look = page.last("look")
    assert look["lens"]["zoom"] == stepper.board.lens.zoom and look["before"]["zoom"] < look["lens"]["zoom"]
    stepper.board.page.paint({**stepper.board.page.colours, "ink": "#123456"})
    assert page.last("look")["colours"]["ink"] == "#123456" and not sent.messages


def test_a_double_click_is_one_click_and_a_touch_is_a_click(game):
    board, seen = Board(game.start()), []
    board.on_click(lambda x, y: seen.append((round(x), round(y))))
    press = board.surface.widget[-1]._mouse_down_callbacks
    press(200, 100)
    press(202, 100)
    assert seen == [(100, 50)]
    board.surface.widget[-1]._touch_start_callbacks([])
    board.surface.widget[-1]._touch_start_callbacks([(600, 400)])
    assert seen == [(100, 50), (300, 200)]


def test_a_click_is_taken_again_a_moment_after_the_last_one_that_was_taken(game):
    board, seen, pressed = Board(game.start()), [], []
    board.on_click(lambda x, y: seen.append((x, y)))
    button = lab_board.button("one", lambda: pressed.append(1), once=True)
    sent = Sent(board)
    for _ in range(6):
        sent.press(100, 50, pause=0.2)
        button.click()
    assert len(seen) == len(pressed) == 3


# A board


def test_a_board_is_a_picture_and_words_where_widgets_do_not_run(game, turn):
    state = game.start()
    for panel in (Board(state), Stepper(turn), Explorer(state), Predict(turn)):
        bundle = panel._repr_mimebundle_(include=None, exclude=None)
        assert {"image/png", "text/plain", "application/vnd.jupyter.widget-view+json"} <= set(bundle)
        assert len(bundle["text/plain"]) > 80 and "VBox" not in bundle["text/plain"]
    assert "Car 1 of A on 0,1" in Board(state)._repr_mimebundle_()["text/plain"]
    assert game.read(Explorer(state)._repr_mimebundle_()["text/plain"].partition(": ")[2]) == state


def test_an_error_in_a_callback_is_shown_and_nothing_changes(game):
    explorer = Explorer(game.start())
    sent, before = Sent(explorer), explorer.now

    def fail():
        explorer.now = None
        raise ZeroDivisionError("by <nothing>")

    explorer.board.guard(fail)()
    assert "ZeroDivisionError: by <nothing>" in words(explorer)
    assert "Nothing has changed" in words(explorer)
    assert isinstance(explorer.error, ZeroDivisionError)
    assert explorer.now is before and not sent.messages


def test_scale_and_theme_reach_canvas_and_picture(game):
    board = Board(game.start(), theme="dark", scale=1.5)
    picture = board.picture
    assert board.surface.widget.width == round(3 * picture.width)
    assert board.page.colours == themes.theme("dark")
    assert board.layout.max_width == f"{round(1.5 * picture.width)}px"


def test_the_piece_that_is_clicked_is_the_nearest(game):
    picture = game.start().picture()
    for piece in picture.pieces:
        middle, _ = lab_board.extent(piece)
        assert lab_board.piece_at(picture, *middle) == piece
    assert lab_board.piece_at(picture, 300, 260) is None


# The stepper


def test_python_leads_through_a_turn_and_glides_to_the_next_beat(turn):
    stepper = Stepper(turn)
    steps, page = stepper.steps, Page(stepper.board.page)
    for beat in range(1, steps.last + 1):
        stepper.beat = beat
        assert (page.last()["do"], page.last()["beat"], page.last()["glides"]) == ("show", beat, True)
    assert stepper.board.picture == turn.after.picture()
    stepper.beat = 0
    assert steps.beat == 0 and not page.last("show")["glides"]


def test_python_sees_and_says_which_beat_is_shown_and_whether_it_plays(turn):
    for panel in (Stepper(turn), Stepper.beside(turn, turn), Watch(lambda number: number + 1, 1)):
        page, seen = Page(panel.board.page), []
        panel.observe(lambda change, seen=seen: seen.append((change["name"], change["new"])), ["beat", "playing"])
        if panel.steps.last:
            panel.playing = True
            assert page.last()["do"] == "play"
            page.come_to(1, plays=panel.steps.last > 1)
            panel.playing = False
            panel.beat = 0
            assert seen[:2] == [("playing", True), ("beat", 1)] and seen[-1] == ("beat", 0)
        for beat, shown in ((10_000, panel.steps.last), (-5, 0)):
            panel.beat = beat
            assert panel.beat == panel.steps.beat == shown and panel.error is None


def test_the_position_in_words_is_told_to_who_reads_it(turn):
    stepper = Stepper(turn)
    page = Page(stepper.board.page)
    page.go(2)
    page.say(position=True)
    assert page.last("position")["words"] == stepper.steps.scene(2)[0].words


def test_without_animation_nothing_glides(turn):
    stepper = Stepper(turn, animate=False)
    sent, page = Sent(stepper), Page(stepper.board.page)
    sent.key("ArrowRight")
    assert not page.last("show")["glides"] and page.last("show")["still"]


def test_a_beat_of_the_turn_is_shown_with_the_one_of_the_film_that_has_it(turn):
    stepper = Stepper(turn)
    for beat in range(turn.beats + 1):  # a beat of the turn without a beat of its own in the film is shown with another
        stepper.show(beat)
        shown = stepper.steps.beat
        assert beat <= stepper.steps.turn_story.shots[shown - 1].beats[-1][1] if beat else shown == 0


def test_a_page_that_is_loaded_again_does_not_go_on_playing(turn):
    stepper = Stepper(turn)
    page = Page(stepper.board.page)
    page.toggle()
    page.come_to(2)
    assert stepper.playing
    page = Page(stepper.board.page)
    assert not stepper.playing and page.last("show")["beat"] == 2


def test_a_film_that_was_to_play_before_there_was_a_page_plays_when_there_is_one(turn):
    stepper = Stepper(turn)
    stepper.steps.start(1)
    page = Page(stepper.board.page)
    assert stepper.steps.page.playing and page.last()["do"] == "play" and page.last()["beat"] == 1
    page.play()
    assert stepper.steps.beat == stepper.steps.last and not stepper.steps.page.playing


def test_to_look_from_nearer_makes_nothing_come_too_late(turn):
    stepper = Stepper(turn)
    steps, page = stepper.steps, Page(stepper.board.page)
    page.toggle()
    run = page.run
    page.say(near="nearer")
    page.say(at=steps.last, playing=False, run=run)  # sent before the page received the new lens
    assert steps.beat == steps.last and not steps.page.playing


def test_a_beat_that_cannot_be_packed_is_an_error_and_the_next_film_is_whole(turn, monkeypatch):
    stepper = Stepper(turn)
    steps, page = stepper.steps, Page(stepper.board.page)
    pack = steps.page.pack
    broken = lambda packed, beat, whole: 1 / 0 if beat == steps.last else pack(packed, beat, whole)  # noqa: E731
    monkeypatch.setattr(steps.page, "pack", broken)
    page.say(want=steps.last, film=steps.page._film)
    assert "ZeroDivisionError" in words(stepper)
    monkeypatch.setattr(steps.page, "pack", pack)
    page.ask_for_all()
    film = max(number for number, said in enumerate(page.heard) if said["do"] == "film")
    sent = [said for said in page.heard[film:] if said["do"] == "beats"]
    shapes = sum(len(said.get("shapes", ())) for said in page.heard[film:])
    drawings = [drawing for said in page.heard[film:] for drawing in said.get("drawings", ())]
    assert page.heard[film]["afresh"] and max(map(max, filter(None, drawings))) < shapes
    assert sum(len(said["beats"]) for said in sent) == steps.last + 1


def test_pause_means_pause_however_long_the_way_to_the_kernel_is(turn):
    """The page stops by itself; a message it sent before it heard of the change is ignored."""
    stepper = Stepper(turn)
    steps, page = stepper.steps, Page(stepper.board.page)
    page.toggle()
    page.come_to(1)
    run = page.run
    stepper.beat = 0
    page.say(at=2, playing=True, run=run)
    assert stepper.beat == 0 and not stepper.playing
    stepper.playing = True
    page.come_to(1)
    page.come_to(2, plays=False)
    stepper.playing = True
    assert page.last("play")["beat"] == 2
    page.come_to(3)
    assert steps.beat == 3


def test_a_film_that_the_kernel_stops_stands_where_the_page_has_come(turn):
    stepper = Stepper(turn)
    page = Page(stepper.board.page)
    page.toggle()
    page.come_to(1)
    stepper.playing = False
    assert page.last()["do"] == "stop"
    page.come_to(3, plays=False)  # the page had played on
    assert stepper.beat == 3


# The explorer


@pytest.fixture
def explorer(game):
    return Explorer(game.start(7))


def finish(explorer, seat):
    """Plan for a seat, taking the first choice each time."""
    explorer.seats.value = seat
    while explorer.now.seat == seat:
        take(explorer, 0)
        assert explorer.error is None


def test_a_click_elsewhere_says_what_is_there(explorer):
    sent = Sent(explorer)
    purse = next(piece for piece in explorer.board.picture.pieces if piece.key == "chits B")
    middle, _ = lab_board.extent(purse)
    sent.press(*middle)
    assert words(explorer).startswith("B: 20 chits. There is nothing to choose there.\nA. Car 1: choose")
    sent.press(300, 260)
    assert "choices" in words(explorer) and explorer.error is None


def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)


def halves(number):
    while number:
        number //= 2


DEAF = "Clicks do nothing here: use the controls or the keys."
HINTS = {  # of panels: what a click says that means nothing
    "Stepper": (lambda turn, _: Stepper(turn), DEAF),
    "Beside": (lambda turn, _: Stepper.beside(turn, turn), DEAF),
    "Arena": (lambda turn, _: Arena(turn.before), DEAF),
    "Poll": (lambda *_: Poll("Which?", "AB"), DEAF),
    "Rules": (lambda turn, _: Rules(turn.before.game), DEAF),
    "Dial": (lambda *_: Dial(), "Click around the middle of the dial, or a cell of the table."),
    "Review": (lambda turn, _: Review([turn]), "Click a number or a button to show that moment below."),
    "League": (lambda turn, path: League(path, turn.before.game), "A click on a name lists its games."),
    "Watch": (lambda *_: Watch(halves, 12), "Click a variable or a line beside the board."),
    "Watch, tree": (lambda *_: Watch(factorial, 4), "Click a call, or a variable or a line beside the board."),
}


@pytest.mark.parametrize("name", HINTS)
def test_a_click_that_means_nothing_says_so_once_below_what_is_said(name, turn, tmp_path):
    make, hint = HINTS[name]
    panel = make(turn, tmp_path)
    sent, picture = Sent(panel), panel.board.picture
    points = [(picture.width * x / 8, picture.height * y / 8) for x in range(1, 8) for y in range(1, 8)]
    for point in points:
        panel.board.say("A result.")
        sent.press(*point)
        assert words(panel) != "A result."
        if words(panel).startswith("A result."):
            sent.press(*point)
            assert words(panel) == f"A result.\n{hint}"
    panel.board.complain(CrashlabError("no"))
    sent.press(2, 2)
    if "⚠" in words(panel):  # else the click means something there
        assert words(panel) == f"⚠ no\nNothing has changed.\n{hint}"
        assert panel.board.page._said["kind"] == "crashlab-error"
    panel.close()


def test_what_a_click_says_is_added_to_the_words_of_the_beat_that_the_page_shows_by_now(turn):
    stepper = Stepper(turn)
    sent, page = Sent(stepper), Page(stepper.board.page)
    for beat in (0, 1):
        page.go(beat)
        for _ in range(2):  # the page adds them only once
            sent.press(2, 2)
            assert page.heard[-1] == {"do": "below", "run": page.run, "words": DEAF}
            assert words(stepper) == f"{stepper.steps.story.words(beat)}\n{DEAF}"


def test_a_click_that_changes_nothing_in_a_position_says_what_can_be_clicked(explorer):
    sent = Sent(explorer)
    explorer.edit.value = True
    for x in range(0, 800, 100):
        explorer.board.say("§")
        sent.press(x, 5)
        assert words(explorer) == f"There is nothing to change there.\n{explorer.editor.hint}"


def test_the_keyboard_is_enough(explorer):
    sent = Sent(explorer)
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "Enter", "ArrowLeft", "Enter"):
        sent.key(key)
        if key == "ArrowDown":
            text = explorer.choices()[1].text
            count = len(explorer.choices())
            assert words(explorer) == f"2 of {count}: R) {text}. Enter takes it, Backspace goes back."
    plan = explorer.now.plans[0]
    assert plan.action is not None and explorer.now.seat == 1
    assert len(sent.messages) == 6
    sent.key("Backspace")
    assert explorer.now.seat == 0 and len(explorer.now.plans[0].words) == 1
    sent.key("Enter")  # no choice is hovered
    assert words(explorer) == "Choose one first: click it on the board or in the list."
    assert len(explorer.now.plans[0].words) == 1


def test_what_is_missing_is_said_and_nothing_is_played(explorer):
    finish(explorer, 0)
    before = explorer.now
    click(explorer.play)
    assert "B, C, D still have to choose: " in words(explorer) and "'Agents plan the rest'" in words(explorer)
    assert explorer.now is before
    for seat in (1, 2):
        explorer.ask(seat)
        explorer.write_action(str(explorer.state.actions(seat)[0]))
    click(explorer.play)
    assert "D still has to choose: " in words(explorer)


def leading(explorer):
    """Return the label of the primary button, or None; it must be enabled, and the other buttons hidden."""
    buttons = [explorer.play, explorer.fill, explorer.round, explorer.finish, explorer.redo_button]
    primary = [button for button in buttons if button.button_style == "primary"]
    assert primary == [button for button in buttons if button.layout.display != "none"]
    assert len(primary) <= 1 and not any(button.disabled for button in primary)
    return primary[0].description if primary else None


def test_beside_the_board_are_undo_and_ask_and_the_rest_is_behind_more(explorer):
    more = [
        explorer.fill,
        explorer.round,
        explorer.finish,
        explorer.redo_button,
        explorer.advise,
        explorer.action,
        explorer.folds,
    ]
    assert [part.layout.display for part in more] == ["none"] * 7 and leading(explorer) is None
    assert all(part.layout.display is None for part in (explorer.undo_button, explorer.ask_best, explorer.more))
    explorer.more.value = explorer.settings.value = True
    assert explorer.action.placeholder == f"or type an action, such as {explorer.state.actions(0)[0]}"
    assert [part.layout.display for part in [*more, explorer.playing]] == [None] * 8
    explorer.more.value = False
    assert [part.layout.display for part in [*more, explorer.playing]] == ["none"] * 8


def test_one_button_leads_on(explorer, toy):
    finish(explorer, 0)
    assert leading(explorer) == "Agents plan the rest"
    click(explorer.fill)
    assert leading(explorer) == "Run" and explorer.fill.disabled
    chance = Explorer(toy.start(seed=1).play({0: "1", 1: "2"}).after)
    assert chance.state.actors == (crashlab.CHANCE,) and leading(chance) == "Run" and chance.fill.disabled


def test_where_one_seat_decides_an_agent_can_choose_for_it():
    """A lays a tile, and no other seat decides meanwhile (CC-B2)."""
    explorer = Explorer(crashlab.game("crash_city", players=2).start(1), animate=False)
    assert leading(explorer) is None and explorer.fill.description == "Let an agent choose"
    before = explorer.now
    click(explorer.play)
    first = explorer.state.game.seat_name(explorer.now.seat)
    assert f"{first} still has to choose: " in words(explorer) and "'Let an agent choose'" in words(explorer)
    assert explorer.now is before
    click(explorer.fill)
    assert leading(explorer) == "Run" and explorer.error is not None and explorer.now.missing == []


def test_agents_play_on_until_a_seat_is_asked_that_you_play():
    """In the first turns of a city you make every choice for one seat, and no agent does (CC-B2)."""
    game = crashlab.game("crash_city", players=2)
    asked = []

    def spy(view, seat):
        asked.append(seat)
        return view.actions(seat)[0]

    explorer = Explorer(game.start(1), spy, animate=False)
    mine = explorer.now.seat
    for _ in range(20):
        if explorer.now.seat == mine:
            finish(explorer, mine)
        else:
            click(explorer.round)
        assert explorer.error is None
    assert len(explorer.state.tiles) > 4 and asked and set(asked) == {1 - mine}
    for _ in range(9):  # more often than needed
        click(explorer.round)
    assert explorer.now.seat == mine and f"{game.seat_name(mine)} still has to choose: " in words(explorer)
    assert set(asked) == {1 - mine}
    click(explorer.fill)  # leaves the seat to an agent
    for _ in range(12):
        click(explorer.round)
    assert asked.count(mine) > 2 and not explorer.now.yours


def test_plans_are_run_pass_by_pass_and_the_round_is_stepped_through(explorer):
    sent = Sent(explorer)
    plan = {}
    for seat in range(4):
        finish(explorer, seat)
        plan[seat] = explorer.now.plans[seat].action
    assert "Press Run" in words(explorer)
    click(explorer.play)
    first = explorer.turn
    assert {seat: str(action) for seat, action in first.actions.items()} == plan
    assert not explorer.steps.page.playing  # a plan has no film
    assert words(explorer).startswith("Noted. Nothing has moved yet.\nA. Car 5: choose where it drives.")
    assert "A. Car 5: choose where it drives." in explorer.heading.value
    click(explorer.fill)
    count = len(sent.messages)
    click(explorer.play)
    assert explorer.turn.before == first.after and explorer.turn.beats > 10
    assert explorer.steps.page.playing and explorer.steps.beat == 0 and len(sent.messages) == count
    step_to(explorer, explorer.steps.last)
    assert explorer.board.picture == explorer.state.picture()
    assert "\nA. Car 1: choose where it drives." in words(explorer)


def offers(explorer):
    """Return whether the page offers choices."""
    layouts = [part.layout for part in (explorer.seats, explorer.picker.menu)]
    shown = {layout.visibility != "hidden" and layout.display != "none" for layout in layouts}
    assert len(shown) == 1
    return shown.pop()


def test_what_comes_next_is_told_when_the_film_has_ended(explorer):
    sent, page = Sent(explorer), Page(explorer.board.page)
    assert offers(explorer)
    click(explorer.round)
    assert not offers(explorer) and "choose" not in explorer.heading.value
    for beat in range(1, explorer.steps.last):
        page.come_to(beat)
        assert not offers(explorer) and words(explorer).startswith(f"Beat {beat} of")
    choice, planned = explorer.choices()[0], explorer.now
    sent.press(choice.x, choice.y)
    sent.key("Enter")
    assert explorer.now is planned  # a choice that is not on the board cannot be taken
    click(explorer.round)
    page.come_to(explorer.steps.last, plays=False)
    assert offers(explorer) and "A. Car 1: choose" in explorer.heading.value
    assert "A. Car 1: choose where it drives." in words(explorer)
    step_to(explorer, 0)
    assert offers(explorer)  # beats already seen hide nothing
    click(explorer.round)
    sent.press(5, 5)  # no choice is there
    assert offers(explorer) and explorer.board.picture == explorer.state.picture()


def test_agents_play_on_keeps_your_plans_and_asks_for_the_next_one(explorer):
    finish(explorer, 1)
    mine = explorer.now.plans[1].action
    click(explorer.round)
    first = explorer.turn
    assert str(first.actions[1]) == mine and explorer.state.round == 1 and explorer.now.seat == 0
    finish(explorer, 1)
    mine = explorer.now.plans[1].action
    click(explorer.round)
    assert explorer.turn.before is first.after and str(explorer.turn.actions[1]) == mine
    assert explorer.state.round == 2 and explorer.turn.beats > 10
    click(explorer.undo_button)
    assert explorer.now.yours == {1} and explorer.now.plans[1].action == mine


def test_undo_and_redo_go_along_every_step(explorer):
    start = explorer.now
    click(explorer.round)
    finish(explorer, 0)
    planned = explorer.now
    for _ in range(2):
        explorer.undo_button.click()
    assert explorer.state.round == 2 and not explorer.now.plans
    explorer.undo_button.click()
    assert explorer.state is start.state and explorer.undo_button.disabled
    explorer.undo_button.click()
    assert "nothing to undo" in words(explorer)
    for _ in range(3):
        explorer.redo_button.click()
    assert explorer.now.plans == planned.plans and explorer.redo_button.disabled
    explorer.redo_button.click()
    assert "nothing to redo" in words(explorer)


def test_a_position_is_copied_and_pasted_as_text_and_as_json(explorer, game):
    click(explorer.round)
    line = explorer.text.value
    assert game.read(line) == explorer.state
    other = game.start(3).sample(crashlab.Random(5)).after
    for words_of_it in (other.text, json.dumps(other.to_dict())):
        explorer.text.value = words_of_it
        click(explorer.set_up)
        assert explorer.state == other and explorer.turn is None and explorer.error is None
        click(explorer.undo_button)
    for nonsense in ("", "round 99", "{not json", '{"cars": 3}', "cars 1:00E0 2:00E0"):
        before = explorer.now
        explorer.text.value = nonsense
        click(explorer.set_up)
        assert words(explorer).startswith("⚠") and explorer.now is before and explorer.text.value == nonsense


def test_what_is_written_in_the_field_of_the_position_stays_while_the_position_is_the_same(game):
    explorer = Explorer(game.start(7))
    page = Page(explorer.board.page)
    explorer.write.value = True
    click(explorer.round)
    other = game.start(3).text
    explorer.text.value = other
    page.play()
    explorer.refresh()
    assert explorer.steps.seen and explorer.text.value == other
    click(explorer.set_up)
    assert explorer.state.text == explorer.text.value == other
    click(explorer.set_up)
    assert "this position is on the board already" in words(explorer)
    click(explorer.undo_button)
    assert explorer.text.value == explorer.state.text != other
    explorer.text.value = "nonsense"
    explorer.write.value = False
    assert explorer.text.value == explorer.state.text


def test_a_position_is_edited_and_the_impossible_refused(explorer):
    sent = Sent(explorer)
    explorer.edit.value = True
    car = next(piece for piece in explorer.board.picture.pieces if piece.key == "car 4")
    sent.press(car.x, car.y)
    editor = explorer.editor
    assert editor.edit.key == "car 4"
    hexes = editor.edit.fields[0]
    sent.press(*hexes.places[hexes.values.index("3,2")])
    assert explorer.state.cars[4].hex == (3, 2)
    facing, speed = editor.fields[1:3]
    facing.value = "NW"
    speed.value = "3"
    assert (explorer.state.cars[4].facing, explorer.state.cars[4].speed) == ("NW", 3)
    before = explorer.now
    editor.fields[0].value = "0,1"  # car 1 is there already
    assert "a hex holds one car" in words(explorer) and explorer.now is before
    assert editor.fields[0].value == "3,2"
    editor.fields[0].value = "off the board"
    assert 4 not in explorer.state.cars and editor.fields[0].value == "off the board"
    explorer.undo_button.click()
    assert explorer.state.cars[4].hex == (3, 2)
    explorer.edit.value = False
    assert "choices" in words(explorer)


@pytest.mark.parametrize("is_other", [False, True])
def test_what_is_chosen_for_a_piece_counts_for_this_piece_whatever_arrives_at_the_same_moment(explorer, is_other):
    explorer.edit.value = True
    editor = explorer.editor
    facing = editor.fields[1]
    one, other = (edit.key for edit in editor.edits[:2])
    before = {key: explorer.state.cars[int(key.split()[1])].facing for key in (one, other)}
    value = next(value for value in facing.options if value not in before.values())
    choose = threading.Thread(target=setattr, args=(facing, "value", value))

    def arrive():
        choose.start()
        wait_for(lambda: sys._current_frames()[choose.ident].f_code.co_name == "callback")  # it waits for the lock
        if is_other:
            editor._turn_to(1)
        explorer.view()

    explorer.board.run_alone(arrive)
    choose.join(PATIENCE)
    after = {key: explorer.state.cars[int(key.split()[1])].facing for key in (one, other)}
    assert after == {**before, one: value} and explorer.error is None


def test_agents_are_asked_with_what_they_may_see_and_their_errors_are_told(game):
    asked = []

    def spy(view, seat):
        asked.append((seat, "?" in view.text))
        return view.actions(seat)[0]

    explorer = Explorer(game.start(), spy)
    click(explorer.round)
    assert explorer.error is None
    assert [seat for seat, _ in asked] == [0, 1, 2, 3, 0, 1, 2, 3]
    assert [hidden for _, hidden in asked] == [False] * 4 + [True] * 4

    def broken(view, seat):
        return view.no_such_thing

    explorer = Explorer(game.start(), {2: broken})
    before = explorer.now
    click(explorer.fill)
    assert "the agent of C failed: AttributeError" in words(explorer) and explorer.now is before
    explorer = Explorer(game.start(), lambda view, seat: "99 X")
    click(explorer.round)
    assert "the agent of A answered '99 X'" in words(explorer)


def test_other_agents_are_chosen_by_name(explorer, game):
    names = [*[name for name in crashlab.agents.MAKERS if name not in BY_TURNS], "autoscooter/champion"]
    assert [name for _, name in explorer.who.options] == names  # the others need two players who take turns
    assert all(label.startswith(f"{name}: ") for label, name in explorer.who.options[:-1])  # each has a description
    explorer.who.value = "greedy"
    assert "greedy plans for all seats" in words(explorer)
    click(explorer.fill)
    expected = {seat: crashlab.agents.agent("greedy", seat)(game.start(7).seen_by(seat), seat) for seat in game.seats}
    assert {seat: plan.action for seat, plan in explorer.now.plans.items()} == expected
    mine = Explorer(game.start(7), {1: lambda view, seat: view.actions(seat)[0]})
    assert mine.who.value == "yours" and len(mine.who.options) == 1 + len(names)
    mine.who.value = "greedy"
    mine.who.value = "yours"
    assert mine.agents[1] is mine.user_agents[1] and mine.error is None
    assert type(mine.agents[0]) is type(crashlab.agents.random(0))  # as before: seat 0 had no agent of yours


def test_an_agent_that_does_not_suit_says_why_and_does_no_harm(explorer, game):
    """Autoscooter's plots are simultaneous, so alphabeta cannot play."""
    before = explorer.now
    explorer.board.run_alone(explorer.seat_agents, "alphabeta")
    for press in (explorer.fill, explorer.round, explorer.advise):
        click(press)
        assert "alphabeta is for two players, but here 4 play; use greedy, flat or mcts instead" in words(explorer)
        assert explorer.now is before
    explorer.who.value = "greedy"
    click(explorer.fill)
    assert set(explorer.now.plans) == set(game.seats)


def test_agents_are_given_by_name(game):
    explorer = Explorer(game.start(7), {1: "greedy", 2: crashlab.agents.flat(5)})
    assert explorer.agents[1].__name__ == "greedy" and explorer.agents[0].__name__ == "random"
    assert {agent.__name__ for agent in Explorer(game.start(7), "greedy").agents.values()} == {"greedy"}


def test_an_agent_explains_what_it_would_do(explorer):
    explorer.who.value = "greedy"
    explorer.ask(2)
    click(explorer.advise)
    best = crashlab.agents.agent("greedy", 2).think(explorer.state.seen_by(2), 2)
    table = explorer.advice.value
    assert table.count("<tr>") == 7 and f"… and {len(best) - 6} more" in table
    for row in best.rows[:6]:
        assert f">{row.action}<" in table and f"{row.value:+.2f}".replace("-", "−") in table
    assert explorer.now.plans == {} and "choices" in words(explorer)  # no choice is made
    assert words(explorer).startswith(f"{best.best}: ") and " 2 decisions later.\n" in words(explorer)
    explorer.ask(1)
    assert not explorer.advice.value
    explorer.who.value = "random"
    click(explorer.advise)
    count = len(explorer.state.actions(1))
    assert ">random: any action, each equally likely.<" in explorer.advice.value and count > 6


@pytest.mark.parametrize("name", [*crashlab.games(), "toy"])
def test_ask_shows_what_the_strongest_agent_would_do_whoever_plays(name, toy, monkeypatch):
    """It asks the champion of the ladder for two seconds and draws the action like a plan."""
    monkeypatch.setattr(lab_explorer, "SECONDS", 0.05)
    game = toy if name == "toy" else crashlab.game(name, players=2)
    explorer = Explorer(game.start(seed=1), "random", animate=False)
    seat = explorer.now.seat
    before, seen = explorer.now, explorer.board.page._shown[1:3]
    click(explorer.ask_best)
    assert rested(explorer).advice.value
    best = explorer._advice.best
    assert best in explorer.state.actions(seat) and explorer.now is before and explorer.error is None
    said = rf"{re.escape(str(best))}: (about [0-9.]+ points? (ahead|behind)|level with the others)"
    assert re.match(said, words(explorer))
    shown = explorer.state.game.ui.plans(explorer.state.table, {seat: best.code})
    assert [*explorer.board.page._shown[1]][: len(shown[0].shapes)] == [*shown[0].shapes]
    assert explorer.board.page._shown[1:3] != seen or not shown[0].shapes  # an action that moves no piece draws nothing
    if name in crashlab.games():
        baseline = crashlab.agents.ladder(name)[-1].baseline
        assert strongest(game, 1.0).__name__ == {"greedy": "flat"}.get(baseline.by, baseline.by)


def test_an_agent_that_cannot_explain_is_asked_what_it_would_do(game):
    explorer = Explorer(game.start(7), lambda view, seat: view.actions(seat)[3])
    click(explorer.advise)
    assert f"It would play <b>{game.start(7).actions(0)[3]}</b>" in explorer.advice.value
    explorer = Explorer(game.start(7), lambda view, seat: "99 X")
    click(explorer.advise)
    assert "answered '99 X'" in words(explorer) and not explorer.advice.value

    class Broken:
        def __call__(self, view, seat):
            return view.actions(seat)[0]

        def think(self, view, seat):
            raise ZeroDivisionError("no thought")

    explorer = Explorer(game.start(7), Broken())
    click(explorer.advise)
    assert "the agent of A failed: ZeroDivisionError: no thought" in words(explorer)
    click(explorer.fill)
    assert explorer.now.seat is None and explorer.advise.disabled
    explorer.board.guard(explorer.explain)()
    assert "nobody to ask" in words(explorer)


def test_after_undo_the_others_plan_what_they_had_planned_whatever_you_change(game):
    explorer = Explorer(game.start(7), dict.fromkeys(game.seats[1:], "random"), you="A")
    planned = []
    for place in (0, -1):
        explorer.now = explorer.now.planned(0, SeatPlan(action=explorer.state.actions(0)[place]))
        filled = explorer.now.filled(explorer.agents).actions
        assert filled[0] == explorer.state.actions(0)[place]
        planned.append({seat: str(action) for seat, action in filled.items() if seat != 0})
    assert len(planned[0]) == len(game.seats) - 1 and planned[0] == planned[1]


def test_nothing_can_be_done_after_the_end_but_undo(game):
    explorer = Explorer(game.start(1))
    for _ in range(11):
        click(explorer.round)
    assert explorer.state.over and "The game is over" not in explorer.heading.value
    step_to(explorer, explorer.steps.last)
    assert explorer.play.disabled and "The game is over" in explorer.heading.value and not offers(explorer)
    assert "wins" in explorer.result.value and explorer.final.children == (
        explorer.result,
        explorer.ending.review.costs.ask,
        explorer.anew,
        explorer.again,
    )
    sent, over = Sent(explorer), explorer.now
    for button in (explorer.play, explorer.round, explorer.fill):
        click(button)
        assert explorer.now is over
    car = next(piece for piece in explorer.board.picture.pieces if piece.key == "car 1")
    sent.press(car.x, car.y)
    sent.key("ArrowRight")
    sent.key("Enter")
    assert explorer.now is over
    explorer.undo_button.click()
    assert not explorer.state.over and offers(explorer) and not explorer.final.children
    explorer.redo_button.click()
    click(explorer.again)
    assert explorer.state == game.start(1) and not explorer.now.before and not explorer.redo_button.disabled
    click(explorer.anew)
    assert explorer.state == game.start(1) and explorer.now.before
    click(explorer.anew)
    assert explorer.state == game.start(2)


def test_a_click_ends_a_film_wherever_it_is_and_what_comes_late_changes_nothing(game):
    explorer = Explorer(game.start(7))
    sent, page = Sent(explorer), Page(explorer.board.page)
    click(explorer.round)
    page.come_to(1)
    piece = explorer.board.picture.pieces[0]
    sent.press(piece.x, piece.y)
    assert not explorer.steps.page.playing and offers(explorer) and page.last()["do"] == "scene"
    page.say(at=2, playing=True, run=page.run - 1)
    assert explorer.board.picture == explorer.state.picture() and offers(explorer) and explorer.error is None


def test_agents_begin_by_themselves_where_another_seat_decides_first():
    city = crashlab.game("crash_city", players=2).start(1)
    you = next(seat for seat in city.game.seats if seat not in city.actors)
    explorer = Explorer(city, "random", you=you, animate=False)
    assert explorer.state.actors in ((you,), (crashlab.CHANCE,)) and explorer.now.turns and explorer.error is None
    assert explorer.now.seat is not None and explorer.undo_button.disabled
    assert explorer.still()[0] == city.picture() and explorer.done() is None
    explorer.choose(0)
    assert explorer.now.before


def test_a_double_click_on_a_button_runs_once(explorer):
    click(explorer.round)
    explorer.round.click()
    assert explorer.state.round == 2


def test_planning_goes_back_to_the_present(explorer):
    sent = Sent(explorer)
    click(explorer.round)
    step_to(explorer, 0)
    assert explorer.board.picture == explorer.now.turns[0].before.picture()
    sent.key("ArrowRight")
    assert explorer.steps.beat == explorer.steps.last
    assert explorer.board.picture == explorer.state.picture()


# Threads


def together(*jobs):
    """Run the jobs at the same time and raise the first of their errors."""
    failed = []
    gate = threading.Barrier(len(jobs))

    def run(job):
        try:
            gate.wait()
            job()
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=run, args=(job,)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert not failed and not any(thread.is_alive() for thread in threads)


def test_two_threads_that_step_do_not_mix(turn):
    stepper = Stepper(turn)
    sent, steps = Sent(stepper), stepper.steps
    rng = crashlab.Random(5)
    beats = [rng.below(turn.beats + 1) for _ in range(60)]

    def scrub():
        for beat in beats:
            step_to(stepper, beat)

    def keys():
        for _ in range(60):
            sent.key(rng.choice(["ArrowRight", "ArrowLeft", "Home", "End", " "]))

    def pick():
        for _ in range(30):
            stepper.board.guard(steps.tell)(rng.below(len(turn.events)))
            stepper.board.show(stepper.board.picture)

    together(scrub, keys, pick)
    assert stepper.error is None
    assert stepper.board.picture == steps.turn_story.picture(steps.beat)


def test_two_threads_that_explore_leave_a_whole_history(explorer):
    sent = Sent(explorer)

    def plan():
        for _ in range(25):
            sent.key("ArrowRight")
            sent.key("Enter")

    def run():
        for _ in range(10):
            explorer.board.guard(explorer.run_round)()

    def regret():
        for _ in range(20):
            explorer.undo_button.click()
            explorer.redo_button.click()

    together(plan, run, regret)
    assert isinstance(explorer.error, crashlab.CrashlabError | None)
    assert explorer.state.game.problems(explorer.state) == []
    moment, length = explorer.now, 0
    while moment.before:
        moment, length = moment.before, length + 1
    assert moment.state.round == 1 and length < 100
    assert explorer.text.value == explorer.state.text


# A game unknown to the lab


@pytest.fixture
def toy():
    return Game("toy", "toy", {})


def test_any_game_with_a_look_can_be_explored(toy):
    explorer = Explorer(toy.start(seed=1))
    sent = Sent(explorer)
    for seat in (0, 1):
        choice = explorer.choices()[0]
        sent.press(choice.x, choice.y)
        assert explorer.now.plans[seat].action == choice.action
    click(explorer.play)
    step_to(explorer, explorer.steps.last)
    assert explorer.state.actors == (crashlab.CHANCE,) and "Chance decides" in explorer.heading.value
    assert "\nChance decides. Press Run, or click one of 3." in words(explorer)
    assert words(Explorer(explorer.state)).startswith("Chance decides. Press Run, or click one of 3.")
    assert [text for text, _ in explorer.seats.options] == ["chance: ?"]
    sent.key("ArrowRight")
    sent.key("Enter")  # plays it, as no other seat decides
    assert str(explorer.turn.actions[crashlab.CHANCE]) == "gust 0"
    click(explorer.undo_button)
    click(explorer.play)  # without a choice the state's luck decides
    assert explorer.error is None and explorer.turn.before.actors == (crashlab.CHANCE,)
    while not explorer.state.over:
        click(explorer.fill)  # otherwise Run waits for you
        click(explorer.round)
    step_to(explorer, explorer.steps.last)
    assert explorer.error is None and "The game is over" in explorer.heading.value
    explorer.edit.value = True
    explorer.editor.fields[0].value = "0"
    assert explorer.state.squares[0] == 0


def test_any_game_with_a_look_can_be_stepped_through_and_predicted(toy):
    turn = toy.start(seed=1).play({0: "1", 1: "2"})
    stepper = Stepper(turn)
    for beat in range(turn.beats + 1):
        stepper.show(beat)
    assert stepper.board.picture == turn.after.picture()
    predict = Predict(turn, animate=False)
    Sent(predict).press(*predict.question.places[turn.after.squares[0]])
    assert predict.right == 1 and "A runs 1" in predict.heading.value


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda state: Board(5), "a Board shows a State or a Picture, not 5"),
        (lambda state: Board(state, scale="1"), "scale must be a number, not '1'"),
        (lambda state: Board(state, scale=99), "scale=99"),
        (lambda state: Board(state, scale=0), "scale=0"),
        (lambda state: Board(state, theme=[]), "theme"),
        (lambda state: Board(state, theme="pink"), "pink"),
        (lambda state: Stepper(state), "a Stepper shows a Turn"),
        (lambda state: Predict("x"), "Predict asks about a Turn"),
        (lambda state: Predict(state.sample(crashlab.Random(1))), "nothing to predict"),
        (lambda state: Explorer("x"), "an Explorer shows a State"),
        (lambda state: Explorer(state, 5), "an agent is a function"),
        (lambda state: Explorer(state, "magic"), "no agent 'magic'"),
        (lambda state: Explorer(state, {9: print}), "no seat 9"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_words(game, make, words):
    with pytest.raises(CrashlabError) as error:
        make(game.start())
    assert words in str(error.value)


def test_an_action_can_be_written_and_one_that_is_forbidden_tells_the_rule(explorer):
    seat = explorer.now.seat
    best = str(explorer.state.actions(seat)[3])
    explorer.action.value = f" {best} "
    assert explorer.now.plans[seat].action == best and explorer.now.seat != seat and explorer.action.value == ""
    before = explorer.now
    explorer.action.value = "nonsense"
    assert explorer.now is before and words(explorer).startswith("⚠ cannot read 'nonsense' as ")
    for other in explorer.now.missing:
        explorer.ask(other)
        explorer.action.value = str(explorer.state.actions(other)[0])
    explorer.action.value = best
    assert "everything is planned" in words(explorer)
    click(explorer.play)
    assert explorer.error is not None and explorer.turn.actions[seat] == before.state.actions(seat)[3]


def test_a_forbidden_action_shows_the_text_of_its_rule(explorer):
    car = int(explorer.state.game.ui.subject(explorer.state.table, explorer.now.seat).split()[1])
    explorer.action.value = f"{car + 1} F"  # another player's car
    rule = explorer.state.game.rulebook["AS-L1"]
    assert "(AS-L1)" in words(explorer) and escape(rule.text) in explorer.advice.value
    click(explorer.fill)
    assert explorer.advice.value == ""


def test_what_is_marked_in_the_list_is_said_in_full(explorer):
    sent = Sent(explorer)
    explorer.picker.menu.index = 2
    choice, count = explorer.choices()[2], len(explorer.choices())
    assert words(explorer) == f"3 of {count}: S) {choice.text}. Enter takes it." and len(sent.messages) == 1
    take(explorer, 2)
    assert explorer.now.plans[0].words == (choice.word,)


def test_the_words_say_what_is_chosen_so_far(explorer):
    sent = Sent(explorer)
    choice = explorer.choices()[0]
    sent.press(choice.x, choice.y)
    count = len(explorer.choices())
    assert words(explorer).startswith(f"A. Car 1: {choice.word}, choose when it moves. {count} choices")


def test_only_what_has_a_place_is_put_there_with_a_click(explorer):
    explorer.edit.value = True
    Sent(explorer)
    for index, edit in enumerate(explorer.editor.edits):
        explorer.editor.piece.index = index
        assert ("click where it should stand" in words(explorer)) == any(field.places for field in edit.fields)
        assert edit.text[1:] in words(explorer)


@pytest.mark.parametrize("kind", [Stepper, Explorer, Predict])
def test_the_controls_are_beside_the_board_however_high_it_is(turn, kind):
    panel = kind(turn.before if kind is Explorer else turn)
    left, side = panel.children[0].children
    inside = [*side.children, *getattr(side.children[-1], "children", ())]
    assert panel.board in left.children and panel.steps in inside


def test_json_without_end_is_refused_in_the_status_line(explorer):
    explorer.text.value = '{"cars": ' * 5000
    click(explorer.set_up)
    assert "begins like JSON" in words(explorer) and isinstance(explorer.error, CrashlabError)


# Calls of the game for each click

ASKED = ("picture", "choices", "subject", "plans", "edits")


class Counted:
    """A game's module that records each call with its table, and so keeps the tables alive."""

    def __init__(self, module, calls):
        self._module, self._calls = module, calls

    def __getattr__(self, name):
        answer = getattr(self._module, name)

        def noted(table, *rest):
            self._calls.append((name, table, str(rest)))
            return answer(table, *rest)

        return noted if name in ASKED else answer


@pytest.fixture(params=["toy", "autoscooter", "crash_and_grab"])
def counted(request, toy):
    """Return a game that records calls of its modules in `calls`."""
    game = toy if request.param == "toy" else crashlab.game(request.param)
    game.calls = []
    game.ui, game.render = Counted(game.ui, game.calls), Counted(game.render, game.calls)
    return game


def once_a_state(calls):
    """Return whether every call was made once."""
    return max(Counter((name, id(table), rest) for name, table, rest in calls).values()) == 1


def asked(game, act):
    """Count the calls of the game during an act, by function."""
    before = len(game.calls)
    act()
    return Counter(name for name, _, _ in game.calls[before:])


def plan_with_clicks(explorer, game):
    """Plan for every seat, looking at another seat before each choice."""
    while explorer.now.seat is not None:
        seat = explorer.now.seat
        for other in (*explorer.state.actors[::-1], seat):
            looked = asked(game, partial(setattr, explorer.seats, "value", other))
            assert looked.keys() <= {"choices"} and looked["choices"] <= 1
        chosen = asked(game, partial(take, explorer, 0))
        assert chosen.keys() <= {"choices", "plans"} and max(chosen.values(), default=0) <= 1
        assert explorer.error is None


def step_through(explorer):
    """Show every beat of the film."""
    for beat in range(explorer.turn.beats + 1):
        step_to(explorer, beat)
    step_to(explorer, explorer.steps.last)


@pytest.mark.few(1)
def test_a_click_asks_the_game_for_each_thing_once_a_state(counted):
    explorer = Explorer(counted.start(1))
    explorer.acts.value = False
    for _ in range(2):
        plan_with_clicks(explorer, counted)
        run = asked(counted, partial(click, explorer.play))
        run += asked(counted, partial(step_through, explorer))
        assert run["choices"] <= 1 and run["plans"] <= 1 and run["subject"] <= len(explorer.state.actors)
        assert run["picture"] <= explorer.turn.beats  # the first picture is cached
    steps = 0
    while explorer.now.before:
        assert not asked(counted, explorer.undo_button.click)
        steps += 1
    while explorer.now.undone:
        assert not asked(counted, explorer.redo_button.click)
        steps -= 1
    assert not steps and explorer.error is None and once_a_state(counted.calls)


def test_what_is_written_pasted_and_edited_is_asked_for_once(counted):
    explorer = Explorer(counted.start(1))
    sent, best = Sent(explorer), str(explorer.state.actions(explorer.now.seat)[0])
    written = asked(counted, partial(setattr, explorer.action, "value", best))
    assert max(written.values()) == 1 and explorer.now.plans
    pasted = explorer.text.value = counted.start(2).text
    assert not asked(counted, partial(click, explorer.set_up))["edits"]
    assert explorer.state.text == pasted
    for is_open in (True, False, True):
        explorer.edit.value = is_open
    first = explorer.board.picture.pieces[-1]
    sent.press(first.x, first.y)
    explorer.undo_button.click()
    explorer.redo_button.click()
    assert explorer.error is None and once_a_state(counted.calls)
    assert {name for name, _, _ in counted.calls} == set(ASKED)


def asked_about(state):
    """Return the first turn after this state that has questions."""
    rng = crashlab.Random(3)
    while not state.game.ui.questions(turn := state.sample(rng)):
        state = turn.after
    return turn


def test_other_panels_ask_the_game_for_each_thing_once_a_state(counted):
    state = counted.start(1)
    heat = Heat(state).grow(30)
    for act in (partial(heat.choose, 0), partial(heat.ask, state.actors[-1]), partial(heat.ask, state.actors[0])):
        heat.board.run_alone(act)
    predict = Predict(asked_about(state))
    while len(predict.now.answers) < len(predict.questions):
        predict.board.run_alone(predict.answer, 0)
    step_to(predict, predict.steps.last)
    arena = Arena(counted.start(2))
    arena.step()
    assert (
        rested(arena).now.latest and arena.error is predict.error is heat.error is None and once_a_state(counted.calls)
    )


def test_a_beat_that_the_clock_had_sent_does_not_lead_back_from_the_end(turn):
    stepper = Stepper(turn, animate=False)
    steps, page = stepper.steps, Page(stepper.board.page)
    steps.jump(2)
    steps.page.start(2)
    run = page.run
    steps.jump(steps.last)
    page.say(at=3, playing=True, run=run)  # was on its way when the clock stopped
    assert steps.beat == steps.last > 3


def test_without_numpy_in_a_browser_the_first_import_says_where_it_comes_from():
    code = "import crashlab.base.errors as errors, sys; errors.IN_BROWSER = True; sys.modules['numpy'] = None"
    command = [sys.executable, "-c", f"{code}; import crashlab.lab"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 1 and "NumPy could not be fetched from cdn.jsdelivr.net" in done.stderr.splitlines()[-1]
