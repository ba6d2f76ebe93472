"""Choosing in the Explorer: presses and seconds of a game, the seats you play, and clicks on the board."""

import random
import threading
import time
from itertools import pairwise
from math import atan2, cos, dist, hypot, pi, sin

import pytest

import crashlab

pytest.importorskip("ipycanvas")

from autoscooter_positions import round_with_crashes
from fake_page import TABLES, Page, Sent, click, quick_fingers, rested, wait_for, words  # noqa: F401
from ipywidgets.widgets.widget import _instances as models

from crashlab.base.clock import look
from crashlab.drawing.shapes import Circle, Line, Picture, Piece, Polygon, Text, box, placed
from crashlab.engine.prompts import Choice
from crashlab.engine.turn_film import story_of
from crashlab.lab import Explorer, Predict, Stepper, choice_letters, hit_test, jobs
from crashlab.lab.advice import Advice, tags
from crashlab.lab.playback import BESIDE, Target


def seconds(explorer):
    """Return the length in seconds of the current film at normal speed."""
    head = explorer.board.page.head
    return explorer.steps.last * head["milliseconds"]["normal"] * head.get("share", 1) / 1000


def press(explorer, index):
    explorer.board.run_alone(explorer.choose, index)


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("keen", [False, True], ids=["wants nothing more", "chooses at random"])
def test_a_round_of_crash_and_grab_takes_four_presses_and_fifteen_seconds(seed, keen):
    """One human plays against three agents by presses on the board; the last press is "Finish the round" if needed."""
    agents = dict.fromkeys(range(4), crashlab.agents.random(seed))
    explorer = Explorer(crashlab.game("crash_and_grab", players=4).start(seed), agents, you="A", animate=False)
    sent, dice = Sent(explorer), crashlab.Random(seed)
    for _ in range(3):
        current, presses, film = explorer.state.round, 0, 0.0
        while explorer.state.round == current:
            before, offered = explorer.now.turns, explorer.choices()
            presses += 1
            if presses == 4:
                explorer.finish.click()
                rested(explorer)
            else:
                plans = keen or explorer.state.asked[0].decision == "plan"
                one = dice.choice(offered) if plans else next((c for c in offered if c.word[:2] == "no"), offered[0])
                sent.press(one.x, one.y)
            film += seconds(explorer) if explorer.now.turns is not before else 0.0
        assert film <= 15 and presses <= 4 and explorer.error is None
        assert explorer.now.seat == 0 and explorer.state.asked[0].decision == "plan"


@pytest.mark.parametrize("name", crashlab.games())
def test_a_round_is_finished_for_you(name):
    """Agents play until the next round or turn in which your seat decides; one Undo takes everything back."""
    explorer = Explorer(crashlab.game(name, players=2).start(3), "random", you="A", animate=False)
    while explorer.now.seat != 0:
        explorer.board.run_alone(explorer.run_round)
    for _ in range(4):
        before, begun = explorer.now, explorer.now.offers.rounds
        explorer.board.run_alone(explorer.finish_round)
        rested(explorer)
        assert explorer.error is None and explorer.now.before is before
        assert explorer.now.seat == 0 and explorer.now.offers.rounds > begun
        inner = [turn for turn in explorer.now.turns[:-1] if explorer.state.game.ui.rounds(turn.after.table) > begun]
        assert not any(0 in turn.after.actors for turn in inner)
    explorer.undo_button.click()
    assert explorer.now.offers.rounds == begun and explorer.now.seat == 0


def test_who_finishes_a_round_boosts_and_buys_nothing():
    """In the round after the plans, an agent that would boost and buy is not asked about optional decisions."""

    def keen(view, seat):
        return view.actions(seat)[-1]

    explorer = Explorer(crashlab.game("crash_and_grab", players=2).start(1), keen, you="A", animate=False)
    said = []
    for _ in range(12):
        explorer.board.run_alone(explorer.finish_round)
        rested(explorer)
        said += [str(turn.actions[0]) for turn in explorer.now.turns if 0 in turn.actions and spares(turn.before)]
    assert said and set(said) <= {"no", "no more", "stay"}


def spares(state):
    """Return whether A can decline the current decision."""
    return state.game.decision(state.table, 0).without


def test_a_plan_of_crash_and_grab_is_one_press_where_only_one_card_leads():
    """The ends of the three cards are shown before one is chosen (CG-R1)."""
    explorer = Explorer(crashlab.game("crash_and_grab", players=4).start(1), you="A", animate=False)
    card = explorer.choices()[0]
    end = explorer._after(card.word)[0]
    Sent(explorer).press(end.x, end.y)
    assert str(explorer.now.turns[0].actions[0]) == end.action


@pytest.mark.parametrize("seed", range(4))
def test_four_tiles_of_a_city_are_laid_with_twelve_clicks(seed):
    """Each takes a site, a rotation and a building; chance draws the tile. A new car is one more (CC-B2 to CC-B6)."""
    explorer = Explorer(crashlab.game("crash_city", players=2).start(seed), animate=False)
    while explorer.state.phase != "site":  # the game begins with one tile
        press(explorer, 0)
    laid, clicks = len(explorer.state.tiles), 0
    while len(explorer.state.tiles) < laid + 4 or explorer.state.phase != "site":
        clicks += explorer.state.phase != "car"
        press(explorer, crashlab.Random(clicks).below(len(explorer.choices())))
    assert clicks <= 12 and explorer.error is None


@pytest.fixture
def city():
    """Return a start at which A alone decides."""
    return crashlab.game("crash_city", players=2).start(1)


def test_where_a_click_shall_not_play_it_plans(city):
    explorer = Explorer(city, animate=False)
    explorer.acts.value = False
    press(explorer, 0)
    assert explorer.now.plans and explorer.state is city
    explorer.board.run_alone(explorer.run)
    assert explorer.state.actors == (crashlab.CHANCE,)


def test_a_slip_is_taken_back_with_one_undo(city):
    explorer = Explorer(city, animate=False)
    press(explorer, 0)
    assert explorer.state.phase == "rotate" and len(explorer.now.turns) == 2  # chance has drawn a tile
    explorer.undo_button.click()
    assert explorer.state is city and explorer.choices()


# Who you are


def test_you_are_asked_and_nobody_else(game):
    explorer = Explorer(game.start(7), "random", you="A", animate=False)
    assert words(explorer).startswith("You are A. Car 1: choose where it drives.")
    for _ in range(2):
        press(explorer, 0)
        press(explorer, 0)
        assert explorer.now.seat == 0 and "You are A." in explorer.heading.value and explorer.error is None
    assert explorer.state.round == 2


def test_everybody_is_played_unless_you_are_somebody(game):
    explorer = Explorer(game.start(7), animate=False)
    assert words(explorer).startswith("A. Car 1: choose where it drives. You play all seats.")
    assert explorer.you.label == "you play all seats"
    press(explorer, 0)
    press(explorer, 0)
    assert explorer.now.seat == 1  # Run is only offered for simultaneous decisions
    explorer.you.index = 3
    assert explorer.now.seat == 2 and words(explorer).startswith("You are C.")
    explorer.you.index = 0
    assert not explorer.now.you and explorer.you.index == 0  # the menu shows it: without an index it would be empty


def test_the_plans_of_the_others_are_hidden_from_you(game):
    explorer = Explorer(game.start(7), "random", you="A", animate=False)
    press(explorer, 0)
    press(explorer, 0)
    shown = {piece.key: piece.label for piece in explorer.board.picture.pieces}
    assert shown["plot 1"] != "number of car 1: ?" and shown["plot 2"] == "number of car 2: ?"
    assert "B plans" not in str(explorer.board.page.events) and "A plans" in str(explorer.board.page.events)
    assert "?" in explorer.text.value and explorer.write.disabled and "hide secrets" in explorer.edit.tooltip
    explorer.hides.value = False
    assert not explorer.edit.disabled and not explorer.edit.tooltip
    shown = {piece.key: piece.label for piece in explorer.board.picture.pieces}
    assert shown["plot 2"] != "number of car 2: ?" and "B plans" in str(explorer.board.page.events)
    explorer.hides.value = True
    explorer.fill.click()
    rested(explorer)
    mine, *others = (label for label, _ in explorer.seats.options)
    assert mine == f"A: {explorer.now.plans[0].action} ✓" and others == ["B: planned ✓", "C: planned ✓", "D: planned ✓"]


@pytest.fixture
def game():
    return crashlab.game("autoscooter", players=4)


# Waiting for agents


@pytest.fixture
def slow(game, monkeypatch):
    """Return an Explorer whose agents think until a gate is opened."""
    monkeypatch.setattr(jobs, "SOON", 0.0)
    gate = threading.Event()

    def agent(view, seat):
        while not gate.is_set():
            look()
            time.sleep(0.001)
        return view.actions(seat)[0]

    explorer = Explorer(game.start(7), agent, animate=False)
    explorer.gate = gate
    yield explorer
    gate.set()


def test_who_waits_sees_how_far_it_is_and_what_arrives(slow):
    before = slow.now
    slow.board.guard(slow.agents_plan)()
    assert slow.awaited.busy and slow.awaited.layout.display is None and slow.now is before
    wait_for(lambda: "steps" in slow.awaited.words.value)
    slow.gate.set()
    assert rested(slow).now.ready
    assert slow.awaited.layout.display == "none" and slow.error is None


def test_what_is_stopped_changes_nothing(slow):
    before = slow.now
    slow.board.guard(slow.run_round)()
    slow.awaited.stop.click()
    assert not slow.awaited.busy and words(slow) == "Stopped. Nothing has changed."
    slow.gate.set()
    slow.board.guard(slow.explain)()
    assert rested(slow).advice.value
    assert slow.now is before and slow.error is None


def test_a_computation_that_outlives_its_panel_ends_in_silence(slow, monkeypatch):
    errors, before, gate = [], {*threading.enumerate()}, slow.gate
    monkeypatch.setattr(threading, "excepthook", errors.append)
    slow.awaited.start("Waiting", gate.wait, errors.append)
    (thread,) = {*threading.enumerate()} - before
    slow.close()
    slow.gate = gate
    gate.set()
    thread.join()
    assert errors == []


def test_what_was_thought_of_another_position_is_forgotten(slow):
    slow.board.guard(slow.run_round)()
    press(slow, 0)
    chosen = slow.now
    slow.gate.set()
    assert not slow.awaited.busy and slow.now is chosen and slow.state.round == 1


def test_advice_stands_on_the_board(crashing):
    explorer = Explorer(crashing.before, crashlab.agents.greedy(3), animate=False)
    above = lambda: explorer.board.page._shown[2]  # noqa: E731
    before = len(above())
    explorer.board.run_alone(explorer.explain)
    best = max(thought.value for thought in explorer._advice.thoughts.values())
    labels = [shape.text for shape in above() if getattr(shape, "text", "").startswith(("+", "−"))]
    best = f"{best:+.2f}".replace("-", "−")
    state, seat = explorer._advised
    table = explorer.advice.value
    assert table.count("<tr>") == 1 + 6 and f"… and {len(state.actions(seat)) - 6} more" in table
    assert best in labels and best in explorer.advice.value and len(above()) > before


def test_advice_has_the_digits_of_its_table_and_no_tag_covers_another():
    places = [(100.0, 100.0), (110.0, 100.0), (300.0, 100.0)]
    choices = [Choice(str(n), str(n), *place, action=str(n)) for n, place in enumerate(places)]

    def labels(*values, interval=0.5):
        thoughts = {str(n): crashlab.agents.Thought(str(n), 9, value, interval) for n, value in enumerate(values)}
        shown = Advice("", thoughts).values(choices, lambda word: ())
        return [words for _, words in shown], sum(isinstance(shape, Text) for shape in tags(shown, 1))

    assert labels(1.0, 1.04, -0.25) == (["+1.04", "+1.00", "−0.25"], 2)
    assert labels(0.011, 0.012, 0.013, interval=0.001) == (["+0.013", "+0.012", "+0.011"], 2)
    assert labels(0.5, 0.5, 0.5) == ([], 0)
    assert labels(0.5) == (["+0.50"], 1)


def test_a_tag_of_advice_at_an_edge_is_within_the_picture_and_beside_its_choice():
    points = [(10.0, 100.0), (300.0, 10.0), (590.0, 100.0)]
    for point in points:
        edges = box(tags([(point, "+1.04")], 1.0, points, lambda _: (0, 0, 600, 400)))
        assert edges[0] >= -4 and edges[1] >= -4 and edges[2] <= 604 and 8 < away(edges, point) < 30


# Clicks on the board


def test_a_click_along_a_line_means_its_end(game):
    explorer = Explorer(game.start(7), animate=False)
    Sent(explorer).press(2, 2)
    assert words(explorer).startswith("There is nothing to choose there.\nA. Car 1: choose where it drives.")
    state = game.read({"cars": {"1": "21E2", "2": "60NE0", "3": "00SE0", "4": "44W0"}})
    choices = state.choices(0)
    straight = next(number for number, choice in enumerate(choices) if choice.word == "FFF")
    far = max(choices[straight].shapes[0].points, key=lambda point: point[0])
    targets = [Target((c.x, c.y), "", c.shapes, ()) for c in choices]
    assert len(hit_test.meant(targets, far[0] - 5, far[1])) == 1
    assert hit_test.meant(targets, 20, 20) == []
    ways = [n for n, one in enumerate(targets) if hit_test.beside(one.lines, (far[0] - 5, far[1])) <= BESIDE]
    assert straight in ways


def test_where_outlines_overlap_a_click_takes_the_nearer_place():
    targets = [Target((place, 0), "", (), (), area=(Circle(place, 0, 80, "ink"),)) for place in (0, 100)]
    assert [hit_test.meant(targets, x, 0) for x in (25, 45, 55, 75)] == [[0], [0], [1], [1]]


@pytest.mark.parametrize("scale", [0.6, 1.0, 1.7])
@pytest.mark.parametrize("name", crashlab.games())
def test_whatever_is_outlined_answers_everywhere_inside_its_outline(name, scale):
    """A click at any of hundreds of points takes a choice whose outline surrounds the point, and no other choice."""
    explorer = Explorer(crashlab.game(name).start(3), scale=scale, animate=False)
    dice, count = random.Random(3), 0
    while count < 300:
        targets = explorer.board.page.targets.items
        places = [target.place for target in targets]
        closed = [[s for s in c.shapes if isinstance(s, Circle | Polygon)] for c in explorer.choices()]
        round_it = [
            [s for s in some if [p for p in places if is_in(p, s)] == [here]]  # one around several places is a strip
            for some, here in zip(closed, places, strict=True)
        ]
        for outline in (outline for some in round_it for outline in some):
            for x, y in points_in(outline, dice):
                around = [n for n, some in enumerate(round_it) if any(is_in((x, y), shape) for shape in some)]
                (taken,) = hit_test.meant(targets, x, y)
                assert taken in [*around, *lettered_at(targets, x, y)]
                count += 1
        press(explorer, dice.randrange(len(targets))) if targets else explorer.board.run_alone(explorer.run_round)


def points_in(outline, dice):
    """Return random points in a shape and points just inside its corners."""
    left, top, right, bottom = box([outline])
    middle = (left + right) / 2, (top + bottom) / 2
    some = [(dice.uniform(left, right), dice.uniform(top, bottom)) for _ in range(12)]
    corners = outline.points if isinstance(outline, Polygon) else ()
    some += [(x + 0.04 * (middle[0] - x), y + 0.04 * (middle[1] - y)) for x, y in corners]
    return [point for point in some if is_in(point, outline)]


def is_in(point, shape):
    """Return whether a point is in a shape, by the sum of the angles between its corners."""
    if isinstance(shape, Circle):
        return dist(point, (shape.x, shape.y)) < shape.radius
    angles = [atan2(y - point[1], x - point[0]) for x, y in shape.points]
    turned = sum((b - a + pi) % (2 * pi) - pi for a, b in pairwise([*angles, angles[0]]))
    return abs(turned) > pi


def lettered_at(targets, x, y):
    return [n for n, one in enumerate(targets) if one.letter and dist(one.letter[:2], (x, y)) <= one.letter[2]]


@pytest.mark.parametrize("poll", [False, True], ids=["alone", "class"])
@pytest.mark.parametrize("turn", ["autoscooter", "crash_and_grab", "crash_by_crash", "crash_city"])
def test_an_answer_takes_a_click_everywhere_inside_its_outline_and_another_click_says_that_it_is_none(turn, poll):
    predict = predict_places(turn, poll)
    sent, dice = Sent(predict), random.Random(7)
    question, count = predict.question, 0
    for index, corners in enumerate(question.outlines):
        for x, y in points_in(Polygon(corners), dice):
            if sum(is_in((x, y), Polygon(other)) for other in question.outlines) == 1:
                before = predict.quiz.picker.counts if poll else ()
                sent.press(x, y)
                after = predict.quiz.picker.counts[index] - before[index] if poll else predict.now.answers[-1] == index
                assert after == 1 and predict.board.error is None
                count += 1
                predict.board.run_alone(predict.begin) if not poll else None
    assert count > 5 * len(question.outlines)
    now = predict.now
    for _ in range(40):
        x, y = dice.uniform(0, predict.board.picture.width), dice.uniform(0, predict.board.picture.height)
        near = [n for n, corners in enumerate(question.outlines) if away(box([Polygon(corners)]), (x, y)) < 25]
        if not near:
            sent.press(x, y)
            assert (
                words(predict).startswith("That is not an answer: click in one of the outlines.") and predict.now == now
            )


def predict_places(name, poll):
    """Return a Predict panel whose first question has places on the board."""
    state, dice = crashlab.game(name).start(5), crashlab.Random(5)
    while True:
        turn = state.sample(dice)
        questions = turn.before.game.ui.questions(turn)
        if any(one.outlines for one in questions[:1]):
            return Predict(turn, poll=poll, animate=False)
        state = turn.after if not turn.after.over else crashlab.game(name).start(dice.below(99))


def meant_at(explorer, x, y):
    """Return the choices that a mouse click at (x, y) would take."""
    return hit_test.meant(explorer.board.page.targets.items, x, y)


PHONE = 400  # width of a board on the phone's page, in pixels
APART = 24  # least distance of two targets for a finger, in pixels


def touch(panel, wide=PHONE):
    """Report a finger on the board from the page, on a board of this width; 0 is a mouse."""
    panel.board.page._handle_custom_msg({"sight": {"theme": "light", "pixels": 2 * PHONE, "touched": wide}}, [])


def test_a_finger_is_told_of_a_button_and_not_of_keys(game):
    rolling = game.read({"cars": {"1": "31E2", "2": "33W2", "3": "12SE2", "4": "42NW2"}})
    explorer = Explorer(rolling, you="A", animate=False)
    car = next(piece for piece in explorer.board.picture.pieces if piece.key == "car 1")
    first = f"1 of {len(explorer.choices())}: P) {explorer.choices()[0].text}."
    touch(explorer)
    Sent(explorer).press(car.x, car.y)
    assert words(explorer) == f"{first} Tap it in the list to take it."
    touch(explorer, 0)
    explorer.picker.menu.index = None
    Sent(explorer).press(car.x, car.y)
    assert words(explorer) == f"{first} Enter takes it, Backspace goes back."


def texts(panel):
    """Return the choices offered after an ambiguous touch."""
    return [button.description for button in panel.board.which.children] if panel.board.which else []


def lies(panel, place):
    """Return the position of a place on the page, in pixels from the corner of the board."""
    lens = panel.board.lens
    shown = lens.at(*place) if lens and lens.map.holds(*place) else place
    return [PHONE / panel.board.picture.width * part for part in shown]


def test_a_finger_that_misses_by_less_than_half_of_its_width_hits_or_is_asked():
    rng = random.Random(1)
    for _ in range(400):
        places = [(rng.uniform(0, 300), rng.uniform(0, 300)) for _ in range(rng.randrange(1, 20))]
        finger = rng.choice([10.0, 30.0, 46.0, 90.0])
        meant = rng.randrange(len(places))
        away, turn = rng.uniform(0, 0.499 * finger), rng.uniform(0, 7)
        x, y = places[meant][0] + away * cos(turn), places[meant][1] + away * sin(turn)
        targets = [Target(place, "", (), ()) for place in places]
        hits = hit_test.meant(targets, x, y, finger)
        assert meant in hits
        if len(hits) == 1:
            assert all(dist(places[meant], place) >= finger for place in places if place != places[meant])
        assert hit_test.meant(targets, x, y)[1:] == []  # a mouse is never asked


@pytest.mark.few(1)
@pytest.mark.parametrize("name", crashlab.games.NAMES)
def test_a_finger_is_asked_which_of_the_targets_it_means_that_lie_close(name):
    explorer = Explorer(crashlab.game(name).start(2), "random", animate=False)
    explorer.acts.value = False  # a click plans without playing
    sent, asked, alone = Sent(explorer), 0, 0
    for _ in range(12):
        offered = explorer.choices()
        for place in range(0, len(offered), 1 + len(offered) // 4):
            if offered[place].x < 0:
                continue
            touch(explorer)
            targets, point = explorer.board.page.targets.items, (offered[place].x, offered[place].y)
            letter = targets[place].letter
            on_letter = letter and dist(letter[:2], point) <= letter[2]
            points = [one.letter[:2] if on_letter and one.letter else one.place for one in targets]
            here = lies(explorer, points[place])
            near = [n for n, one in enumerate(points) if dist(lies(explorer, one), here) < APART]
            listed = explorer.picker.menu.options  # with letters, if the board has them
            now = explorer.now
            sent.press(offered[place].x, offered[place].y)
            if len(near) > 1:
                asked += 1
                assert explorer.now is now and texts(explorer) == [listed[n] for n in near]
                assert len(set(texts(explorer))) == len(near) and "Which one?" in words(explorer)
                click(explorer.board.which.children[near.index(place)])
            else:
                alone += 1
            assert explorer.board.which is None and explorer.error is None
            planned = *now.begun.words, offered[place].word
            assert explorer.now.before is now and explorer.now.plans[now.seat].words == planned
            explorer.board.run_alone(explorer.undo)
            touch(explorer, 0)
            now = explorer.now
            sent.press(offered[place].x, offered[place].y)  # the mouse takes the nearest one
            assert explorer.board.which is None
            assert explorer.now.before is now and explorer.now.plans[now.seat].words == planned
            explorer.board.run_alone(explorer.undo)
        if offered:
            explorer.board.run_alone(explorer.choose, 0)
        else:
            explorer.board.run_alone(explorer.run if explorer.now.ready else explorer.run_round)
    assert asked + alone > 10 and asked > 0


def test_a_question_ends_with_whatever_else_happens():
    explorer = Explorer(crashlab.game("autoscooter").start(2), animate=False)
    sent, offered = Sent(explorer), explorer.choices()
    before = set(models)
    ends = {
        "a tap on nothing": lambda: sent.press(2, 2),
        "a key": lambda: sent.key("ArrowRight"),
        "another seat": lambda: explorer.board.run_alone(explorer.ask, 2),
        "agents": lambda: explorer.board.run_alone(explorer.agents_plan),
        "the list": lambda: explorer.board.run_alone(explorer.choose, 1),
    }
    for how, end in ends.items():
        explorer.board.run_alone(explorer.ask, 0)
        touch(explorer)
        sent.press(offered[0].x, offered[0].y)
        assert len(texts(explorer)) > 1, how
        end()
        assert not texts(explorer), how
    assert set(models) == before  # the buttons have been removed from the page


def test_hands_and_answers_ask_a_finger_too():
    turn = crashlab.game("autoscooter").read({"cars": {"1": "21E2", "2": "23SE2"}}).play({0: "1 FF", 1: "82 FF"})
    for poll in (False, True):
        predict = Predict(turn, poll=poll)
        sent = Sent(predict)
        while not predict.quiz.question.places:
            predict.board.run_alone(predict.answer, [1] if poll else 0)
        places = predict.quiz.question.places
        touch(predict, 30)  # all targets are close together
        sent.press(*places[0])
        assert len(texts(predict)) > 1 and not any(predict.quiz.picker.counts if poll else predict.now.answers)


def test_whoever_goes_nearer_clicks_what_is_to_be_seen():
    explorer = Explorer(crashlab.game("crash_city", players=2).start(seed=7), "greedy", you="A", animate=False)
    page = Page(explorer.board.page)
    while not explorer._letters:
        press(explorer, 0)
    for _ in range(3):
        explorer.board.guard(explorer.board._near)("nearer")
        for number, target in enumerate(page.last("scene")["targets"]):
            x, y, radius = target["letter"]
            assert radius == pytest.approx(choice_letters.RADIUS * explorer.board.small, abs=0.01)
            for right, down in ((0.9, 0), (-0.9, 0), (0, 0.9), (0, -0.9)):
                assert meant_at(explorer, x + right * radius, y + down * radius) == [number]


@pytest.mark.parametrize("name", crashlab.games())
def test_the_page_knows_what_a_mouse_may_point_at(name):
    """Each target has its place, its text and its drawings; at a beat without choices there are no targets."""
    explorer = Explorer(crashlab.game(name).start(7), animate=False)
    page = Page(explorer.board.page)
    for _ in range(2):
        shown, offered = page.last("scene"), explorer.choices()
        tables = {part: [entry for said in page.since_afresh() for entry in said.get(part, ())] for part in TABLES}
        assert [target["words"] for target in shown["targets"]] == [f"{c.text}. Click to choose it." for c in offered]
        for number, (target, choice) in enumerate(zip(shown["targets"], offered, strict=True)):
            assert meant_at(explorer, *target["at"]) == [number] or (choice.x, choice.y) in [
                (c.x, c.y) for c in offered[:number]
            ]
            assert not target.get("letter") or meant_at(explorer, *target["letter"][:2]) == [number]
            drawn = tables["drawings"][target["drawing"]], tables["drawings"][target["over"]]
            assert len(drawn[1]) >= len(drawn[0]) + len(choice.ghost)
        press(explorer, 0)
        assert explorer.steps.page.beat == explorer.steps.beat == explorer.steps.last  # as the buttons of the film show
    explorer.board.run_alone(explorer.finish_round)
    explorer.board.run_alone(explorer.steps.jump, 0)
    assert page.last("scene")["targets"] == [] or page.last()["do"] == "show"


# Films


@pytest.mark.parametrize("name", crashlab.games())
def test_in_every_beat_of_a_film_there_is_something_to_see(name):
    state, dice = crashlab.game(name).start(5), crashlab.Random(5)
    turns = []
    for _ in range(12):
        turns.append(state.sample(dice))
        state = turns[-1].after
    film = story_of(turns)
    assert [event for _, event in film.events] == [event for turn in turns for event in turn.events]
    assert all(shot.seen for shot in film.shots) and film.beats < sum(turn.beats for turn in turns)
    assert all(film.effects(beat) or film.picture(beat) != film.picture(beat - 1) for beat in range(1, film.beats + 1))
    assert film.picture(0) == turns[0].before.picture() and film.picture(film.beats) == turns[-1].after.picture()


@pytest.fixture
def crashing(game):
    return round_with_crashes(game)


def test_a_film_ends_with_who_has_more_and_who_less(crashing):
    stepper = Stepper(crashing, animate=False)
    Sent(stepper).key("End")
    said = words(stepper).partition(".")[0]
    changes = {name: int(change.replace("−", "-")) for name, change in map(str.split, said.split(", "))}
    expected = {"ABCD"[seat]: crashing.after.scores[seat] - crashing.before.scores[seat] for seat in range(4)}
    expected["box"] = crashing.after.box - crashing.before.box
    assert changes == {name: change for name, change in expected.items() if change} and sum(changes.values()) == 0


def test_who_has_more_and_who_less_stays_until_the_next_decision(game):
    start = game.read({"cars": {"1": "31E2", "2": "33W2", "3": "12SE2", "4": "42NW2"}})
    explorer = Explorer(start, "greedy", you="A")
    page = Page(explorer.board.page)
    for word in ("FF", "1"):
        press(explorer, next(n for n, choice in enumerate(explorer.choices()) if choice.word == word))
    assert rested(explorer).now.turns
    balance = explorer.steps.turn_story.balance
    assert balance and explorer.steps.page.playing
    explorer.board.guard(explorer._click)(1.0, 1.0)  # a click ends the film
    assert words(explorer).startswith(f"{balance}.")
    assert page.heard
    press(explorer, 0)
    assert balance not in words(explorer)


def test_where_no_score_changes_the_words_say_what_happened():
    """They describe the tile drawn for the chosen site, or the crash before its consequences."""
    explorer = Explorer(crashlab.game("crash_city", players=2).start(seed=3), you="A", animate=False)
    site = explorer.choices()[0].word.removeprefix("site ")
    press(explorer, 0)
    assert rested(explorer).now.turns
    assert words(explorer).startswith(f"The tile for {site} is ") and "No score has changed." in words(explorer)
    saucers = "red 20 0-5>, green 21 0-5^, blue 52 0-5^, yellow 53 0-5^"
    game = crashlab.game("crash_and_grab")
    turn = game.read(f"probe A; phase distance; turn red; spin clockwise; saucers {saucers}").play("3")
    hit = next(event for event in turn.events if {"hit", "met"} & set(event.numbers))
    assert story_of([turn]).outcome == f"{hit.text[0].upper()}{hit.text[1:]}. No score has changed"


# Letters


@pytest.mark.parametrize(
    "position",
    [
        ("autoscooter", {"cars": {"1": "31E2", "2": "33W2", "3": "12SE2", "4": "42NW2"}}),
        ("crash_city", None),
        ("crash_and_grab", None),
        ("crash_by_crash", None),
    ],
)
def test_what_can_be_called_out_has_a_letter_that_hides_nothing_and_can_be_clicked(position):
    name, words_of_it = position
    game = crashlab.game(name)
    explorer = Explorer(game.read(words_of_it) if words_of_it else game.start(seed=1), animate=False)
    for _ in range(6):
        choices, small = explorer.choices(), explorer.board.small
        texts = [shape for shape in explorer.board.page._shown[2] if isinstance(shape, Text)]
        named = [any(isinstance(shape, Text) for shape in choice.shapes) for choice in choices]
        where = explorer._letters
        letters = choice_letters.names(choices)
        assert bool(where) == (2 <= len(choices) <= len(letters) and not all(named))
        assert letters[0] == ("Q" if "P" in [choice.word for choice in choices] else "P") or "P" not in letters
        assert not {*letters} & {*"ABCDEFGHIJKLMNO", *(choice.word for choice in choices)}
        for place, (number, (x, y)) in enumerate(where.items()):
            assert [text for text in texts if (text.x, text.y, text.text) == (x, y, letters[number])]
            others = [at for other, at in where.items() if other != number]
            assert all(dist((x, y), at) >= 2 * choice_letters.RADIUS * small for at in others)
            middles = [(c.x, c.y) for c in choices if (c.x, c.y) != (x, y)]
            assert all(dist((x, y), at) >= choice_letters.RADIUS * small for at in middles)
            assert meant_at(explorer, x, y) == [number] and number == [*where][place]
        listed = explorer.picker.menu.options
        assert [n for n, text in enumerate(listed) if text != choices[n].text] == [*where]
        assert all(listed[n] == f"{letters[n]}) {choices[n].text}" for n in where)
        last = [*where][-1] if where else 0
        if where:
            taken, pick = [], explorer.picker._pick
            explorer.picker._pick = taken.append
            explorer._click(*where[last])
            explorer.picker._pick = pick
            assert taken == [last]
        press(explorer, last)


LARGE = 90  # pixels: of pieces that are wider and higher only the sheets count, such as a card


@pytest.mark.parametrize("name", crashlab.games())
def test_no_letter_hides_another_one_a_piece_or_a_tag(name):
    """Checked in positions of random games and zoomed in; only pieces without a choice at their place count."""
    state, dice, count = crashlab.game(name).start(seed=1), crashlab.Random(1), 0
    while count < 60:
        explorer = Explorer(state, animate=False)
        for _ in range(4):
            choices, small = explorer.choices(), explorer.board.small
            radius = choice_letters.RADIUS * small
            pieces = [edges for piece in explorer.moment.offers.picture.pieces for edges in solid(piece)]
            tagged = [choice.shapes for choice in choices if any(isinstance(shape, Text) for shape in choice.shapes)]
            tags = [box([shape]) for shapes in tagged for shape in shapes if isinstance(shape, Text | Polygon)]
            for number, at in explorer._letters.items():
                others = [where for other, where in explorer._letters.items() if other != number]
                assert all(dist(at, other) >= 2 * radius for other in others)
                mine = choices[number].x, choices[number].y
                ground = [edges for edges in pieces if away(edges, mine) > 0]
                if at != mine:  # a letter in its mark covers only what the mark covers
                    assert all(away(edges, at) >= radius - 2 for edges in [*ground, *filter(is_thing, tags)])
                assert not is_label(choices[number]) or is_in_tab(explorer, number, at)
                count += 1
            if not choices:
                break
            press(explorer, dice.below(len(choices)))
            explorer.board.guard(explorer.board._near)("nearer")
        explorer.close()
        for _ in range(10):
            state = crashlab.game(name).start(seed=dice.below(99)) if state.over else state.sample(dice).after


def away(edges, point):
    left, top, right, bottom = edges
    return hypot(max(left - point[0], 0, point[0] - right), max(top - point[1], 0, point[1] - bottom))


def solid(piece):
    """Return the box of a piece, or of each sheet of a large one."""
    shapes = placed(piece)
    whole = [box(shapes)] if shapes else []
    if all(map(is_thing, whole)):
        return whole
    return [box([shape]) for shape in shapes if isinstance(shape, Polygon) and shape.fill]


def is_label(choice):
    return any(isinstance(shape, Text) and shape.text != "?" for shape in choice.shapes)


def is_in_tab(explorer, number, at):
    """Return whether a letter is in a clickable tab joined to its label; among many choices, a line will do."""
    target, radius = explorer.board.page.targets.items[number], choice_letters.RADIUS * explorer.board.small
    if any(isinstance(shape, Line) and shape.points == (at, target.place) for shape in target.over):
        return len(explorer.choices()) > 10
    *sheets, tab = target.area
    left, top, right, bottom = box([tab])
    others = box(sheets)
    joined = min(right, others[2]) > max(left, others[0]) and min(bottom, others[3]) > max(top, others[1])
    return joined and min(at[0] - left, right - at[0], at[1] - top, bottom - at[1]) >= radius


def is_thing(edges):
    left, top, right, bottom = edges
    return min(right - left, bottom - top) <= LARGE


def test_a_letter_that_had_to_go_away_has_a_line_to_its_choice(game):
    """There are pieces all round."""
    places = [(340 + 20 * across, 260 + 20 * down) for across in range(5) for down in range(5)]
    pieces = tuple(Piece(str(place), *place, (Circle(0, 0, 9, "target"),)) for place in places)
    rings = [Choice(f"go {n}", "", 380, 300 + 200 * n, (Circle(380, 300 + 200 * n, 9, "target"),)) for n in range(2)]
    where = choice_letters.letters(rings, Picture(760, 550, (), pieces, ""), None)
    lines = [shape for shape in choice_letters.drawn(rings, where, 1.0) if isinstance(shape, Line)]
    assert [line.points for line in lines] == [(where[0], (380, 300))] and dist(where[0], (380, 300)) > 50


def test_a_letter_makes_room_for_what_an_agent_thinks_of_a_choice(game):
    explorer = Explorer(game.start(seed=1), animate=False)
    before = explorer._letters
    explorer._labels = lambda: tags([(before[0], "+2.4 ± 0.3")], 1.0)
    moved = explorer._letters
    left, top, right, bottom = box(explorer._labels())
    assert away((left, top, right, bottom), moved[0]) >= choice_letters.RADIUS - 2
