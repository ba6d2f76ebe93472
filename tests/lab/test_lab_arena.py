"""The arena and its background work, without a browser."""

import asyncio
import os
import re
import threading

import pytest

import crashlab
from crashlab import CrashlabError, Match, agents
from crashlab.engine.game import Game

pytest.importorskip("ipycanvas")

from fake_page import Page, Sent, click, quick_fingers, rested, step_to, wait_for, words  # noqa: F401
from patience import PATIENCE

from crashlab.drawing.shapes import Text
from crashlab.drawing.themes import theme
from crashlab.lab import Arena
from crashlab.lab import arena as lab_arena


@pytest.fixture(scope="module")
def game():
    return crashlab.game("autoscooter", players=4)


@pytest.fixture(autouse=True)
def quick_films(monkeypatch):
    """Make the beats of films take no time."""
    monkeypatch.setattr(lab_arena, "MATCH_SPEEDS", dict.fromkeys(lab_arena.MATCH_SPEEDS, 0))


def first(view, seat):
    """Play the first legal action."""
    return view.actions(seat)[0]


class Slow:
    """An agent that thinks until it is allowed to answer."""

    def __init__(self):
        self.asked, self.may_answer = threading.Event(), threading.Event()
        self.count = 0

    def __call__(self, view, seat):
        self.count += 1
        self.asked.set()
        assert self.may_answer.wait(PATIENCE)
        return view.actions(seat)[0]


def test_on_the_full_screen_it_plays_pauses_and_goes_from_decision_to_decision():
    arena = Arena(crashlab.game("autoscooter").start(3), animate=False)
    assert all("crashlab-far" in button._dom_classes for button in (arena.back, arena.play, arena.forward))


def test_a_step_plays_one_decision_and_the_page_plays_its_film(game):
    arena = Arena(game, first)
    sent, page = Sent(arena), Page(arena.board.page)
    click(arena.forward)
    rested(arena)
    assert arena.now.place == 1 and arena.state == arena.match.turns[0].after
    shown = len(sent.messages)
    click(arena.forward)
    wait_for(lambda: arena.steps.playing)
    assert arena.work.busy and arena.steps.beat == 0
    page.play()
    beats = rested(arena).steps.turn_story.beats
    assert arena.board.picture == arena.state.picture() and 10 < beats < arena.match.turns[1].beats
    assert len(sent.messages) == shown
    assert f"Beat {beats} of {beats}" in words(arena) and "A, B, C, D decide next" in arena.heading.value
    assert arena.error is None


def test_playing_goes_on_to_the_end_and_says_who_wins(game):
    arena = Arena(game, {0: agents.greedy(1, worlds=1, max_actions=4)}, speed="turn by turn")
    Sent(arena)
    click(arena.play)
    assert arena.play.description == "Pause"
    match = rested(arena).match
    assert match.state.over and arena.now.place == arena.now.latest == len(match.turns)
    assert arena.play.description == "Play" and arena.error is None
    winners = [game.seat_name(seat) for seat in match.winners]
    assert words(arena).startswith("The game is over.") and all(name in words(arena) for name in winners)
    assert [list(curve.values) for curve in seen_curves(arena)] == [
        [match.start.scores[seat], *(turn.after.scores[seat] for turn in match.turns)] for seat in game.seats
    ]
    click(arena.forward)
    assert "the game is over: go back, or press 'New game'" in words(arena)
    click(arena.play)  # replays the game from its start
    rested(arena)
    assert arena.match is match and arena.now.place == len(match.turns)


def seen_curves(arena):
    """Return the curves passed to the drawing of the scores."""
    curves = []
    real = lab_arena.curves
    lab_arena.curves = lambda shown, *rest, **more: curves.extend(shown) or real(shown, *rest, **more)
    try:
        arena.curves()
    finally:
        lab_arena.curves = real
    return curves


def test_pause_takes_effect_while_an_agent_thinks_and_what_it_thought_is_kept(game):
    slow = Slow()
    arena = Arena(game, {2: slow})
    sent = Sent(arena)
    click(arena.play)
    assert slow.asked.wait(PATIENCE)
    assert "A, B, C, D are thinking" in arena.heading.value
    click(arena.play)
    assert not arena.work.busy and arena.play.description == "Play" and "decide next" in arena.heading.value
    shown, now = len(sent.messages), arena.now
    slow.may_answer.set()
    wait_for(lambda: len(arena.match.turns) == 1)
    with arena.work.thinking, arena.board.lock:
        assert len(sent.messages) == shown and arena.now == now
    click(arena.forward)
    rested(arena)
    assert slow.count == 1 and arena.now.place == 1


def test_a_choice_on_the_slider_counts_even_if_a_decision_arrives_at_the_same_moment(game):
    arena = Arena(game, animate=False)
    for _ in range(3):
        arena.board.run_alone(arena.match.play)
    arena.stand(3)
    drag = threading.Thread(target=lambda: setattr(arena.slider, "value", 1))

    def arrive():
        drag.start()
        wait_for(lambda: arena.slider.value == 1)
        arena.view()

    arena.board.run_alone(arrive)
    drag.join(PATIENCE)
    assert arena.now.place == arena.slider.value == 1


def test_thoughts_never_overlap(game):
    """Pause and play again while an agent thinks: it is asked once, not twice at the same time."""
    slow = Slow()
    arena = Arena(game, {0: slow})
    Sent(arena)
    click(arena.forward)
    assert slow.asked.wait(PATIENCE)
    for _ in range(4):
        click(arena.play)
    click(arena.forward)
    slow.may_answer.set()
    rested(arena)
    assert slow.count == 1 and len(arena.match.turns) == arena.now.place == 1


def test_a_new_game_leaves_the_old_thought_behind(game):
    slow = Slow()
    arena = Arena(game, {0: slow}, seed=5)
    Sent(arena)
    click(arena.play)
    assert slow.asked.wait(PATIENCE)
    old = arena.match
    arena.seed.value = 77
    click(arena.again)
    assert arena.match is not old and arena.match.start == game.start(77) and arena.seed.value == 78
    slow.may_answer.set()
    wait_for(lambda: len(old.turns) == 1)
    with arena.work.thinking, arena.board.lock:
        assert arena.match.turns == [] and arena.now.place == 0
    assert arena.board.picture == game.start(77).picture() and not arena.work.busy


def test_an_agent_that_fails_forfeits_in_words_and_the_play_stops(game):
    def broken(view, seat):
        return view.no_such_thing

    arena = Arena(game, {1: broken, 2: first})
    Sent(arena)
    click(arena.play)
    rested(arena)
    assert arena.now.place == 1 and set(arena.match.forfeits) == {1}
    assert arena.match.forfeits[1] in words(arena) and "AttributeError" in words(arena)
    assert "broken (forfeited)" in arena.table.value and "first (forfeited)" not in arena.table.value
    click(arena.end)
    rested(arena)
    assert arena.state.over and 1 not in arena.match.winners
    assert arena.match.forfeits[1] in words(arena) and arena.error is None


def hangs(view, seat):
    """Compute forever in one call of C code, which blocks all other threads."""
    return re.match(r"(a+)+$", "a" * 64 + "b")


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="no process can be copied here")


@needs_fork
def test_who_takes_too_long_forfeits_in_words_and_the_play_stops(game):
    arena = Arena(game, {1: hangs}, limit=0.2)
    Sent(arena)
    click(arena.play)
    rested(arena)
    assert arena.now.place == 1 and "the agent of B took more than 0.2 s for a decision" in words(arena)
    assert "hangs (forfeited)" in arena.table.value and arena.error is None
    click(arena.end)
    assert rested(arena).state.over
    click(arena.again)
    assert arena.match.turns == [] and arena.match.time == (0.2, None)


@needs_fork
@pytest.mark.parametrize("leave", ["again", "gone"])
def test_nothing_waits_for_an_agent_that_never_answers(game, leave, tmp_path):
    """Its limit is a minute and the page stays usable; leaving the arena ends its process at once."""
    pid = tmp_path / "pid"

    def hangs_forever(view, seat):
        pid.write_text(str(os.getpid()))
        return hangs(view, seat)

    arena = Arena(game, {0: hangs_forever}, limit=60)
    Sent(arena)
    click(arena.play)
    wait_for(lambda: pid.exists() and pid.read_text())
    click(arena.play)
    assert not arena.work.busy and "Pause" not in arena.play.description
    old = arena.match
    if leave == "again":
        click(arena.again)
        assert arena.match is not old
    else:
        arena.board.surface.widget._view_count = 1  # as the browser counts
        arena.board.surface.widget._view_count = 0
    with arena.work.thinking, pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)
    assert old.forfeits == {} and old.turns == [] and arena.error is None


def test_a_match_has_the_time_that_it_had_unless_another_is_given(game):
    assert Arena(Match(game, first, limit=7)).match.time == (7, None)
    assert Arena(Match(game, first, limit=7), budget=9).match.time == (None, 9)
    with pytest.raises(CrashlabError, match="limit='2': give a number"):
        Arena(game, limit="2")


def test_a_match_without_forfeits_stops_with_the_error(game):
    match = Match(game, lambda view, seat: "99 X")
    arena = Arena(match)
    Sent(arena)
    click(arena.play)
    rested(arena)
    assert "the agent of A answered '99 X'" in words(arena) and "Nothing has changed" in words(arena)
    assert isinstance(arena.error, CrashlabError) and arena.play.description == "Play" and arena.now.place == 0


def test_turn_by_turn_ends_a_film_that_is_running(game, monkeypatch):
    monkeypatch.setattr(lab_arena, "MATCH_SPEEDS", {**lab_arena.MATCH_SPEEDS, "turn by turn": 20})
    arena = Arena(game, first, speed="slow")
    page = Page(arena.board.page)
    click(arena.play)
    wait_for(lambda: arena.steps.playing)
    page.come_to(1)
    place = arena.now.place
    arena.speed.value = "turn by turn"
    wait_for(lambda: arena.now.place > place + 1)
    click(arena.end)
    rested(arena)


ROW = " / ".join(f"{x},0 NS" for x in range(1, 14))
DRIVING = f"asked A; tiles {ROW} / 14,0 NES shop B / 14,1 S; cars A 11,0N>E 1,0N>E / B 13,0N>W"


@pytest.mark.parametrize(
    ("name", "position", "film"),
    [
        ("crash_city", "asked A; tiles 1,0 NS factory B", False),  # choosing a site (CC-B2)
        ("crash_city", DRIVING, True),  # driving a car (CC-R3)
        ("autoscooter", None, False),  # planning
    ],
)
def test_fast_shows_at_once_what_moves_no_piece(name, position, film, monkeypatch):
    monkeypatch.setattr(lab_arena, "MATCH_SPEEDS", {"fast": 2000, "normal": 3000})
    game = crashlab.game(name, players=2)
    start = game.read(position) if position else game.start(1)
    for speed, rest in (("fast", lab_arena.LOOK / 1000 if film else 0.05), ("normal", lab_arena.LOOK / 1000)):
        arena = Arena(start, first, speed=speed)
        Page(arena.board.page)
        shown = []
        arena.board.run_alone(lambda arena=arena, shown=shown: shown.append(arena._show(arena._think(), None)))
        assert arena.now.place == 1 and shown == [rest]
        assert arena.steps.playing != (arena.steps.beat == arena.steps.last) == (speed == "fast" and not film)


def test_a_piece_that_the_map_moves_does_not_drive():
    """A growing city is drawn smaller, which moves its cars in the picture; no car drives before the race."""
    match = Match(crashlab.game("crash_city", players=2), agents.random(5), seed=5)
    drove = [lab_arena.drives(match.play()) for _ in range(145)]
    race = next(place for place, turn in enumerate(match.turns) if turn.before.phase == "race")
    assert not any(drove[:race]) and all(drove[race:]) and race > 100


def test_the_seed_is_said_to_be_that_of_the_next_game(game):
    arena = Arena(game, first, seed=5)
    assert (arena.seed.description, arena.seed.value, arena.match.seed) == ("next seed", 6, 5)


def test_looking_for_oneself_pauses_and_nothing_of_the_rest_is_told(game):
    arena = Arena(game, seed=3, speed="slow")
    page = Page(arena.board.page)
    click(arena.play)
    for place in range(1, 4):
        wait_for(lambda place=place: arena.now.place == place and arena.steps.playing)
        page.play()
    wait_for(lambda: arena.now.place == 4 and arena.steps.playing)
    page.come_to(6)
    page.go(3)
    assert not arena.work.busy and arena.steps.beat == 3
    turn = arena.match.turns[3]
    assert arena.board.picture == turn.at(3).picture() and "Beat 3 of" in words(arena)
    assert "Decision 4 is being played" in arena.heading.value and arena.now.latest == 3
    assert len(seen_curves(arena)[0].values) == 4
    assert all(f"<b>{score}</b>" in arena.table.value for score in turn.before.scores)
    page.go(arena.steps.last)
    assert arena.now.latest == 4 and "decide next" in arena.heading.value


def test_a_saved_match_is_watched_and_gone_on_with(game, tmp_path):
    match = Match(game, first, seed=4)
    match.run(6)
    match.save(tmp_path / "match.json")
    arena = Arena(Match.load(tmp_path / "match.json"))
    Sent(arena)
    assert arena.now.place == 0 and "nobody" in arena.table.value
    click(arena.play)
    rested(arena)
    assert arena.now.place == 6 and "no agent plays" in words(arena)
    arena = Arena(Match.load(tmp_path / "match.json"), first)
    Sent(arena)
    click(arena.end)
    assert rested(arena).state.over
    again = Match(game, first, seed=4)
    assert again.run() == arena.state


def test_a_new_game_from_a_state_begins_there(game):
    state = game.start(2).sample(crashlab.Random(1)).after
    arena = Arena(state, first)
    Sent(arena)
    click(arena.again)
    assert arena.match.start == state


def test_players_are_changed_for_the_next_game(game):
    arena = Arena(game, {0: "greedy", 1: first})
    Sent(arena)
    assert arena.now.names == {0: "greedy", 1: "first", 2: "random", 3: "random"}
    assert arena.casting.layout.display == "none"
    arena.who.value = True
    assert arena.casting.layout.display is None
    menus, old = arena.casting.children, arena.match
    assert [menu.label for menu in menus] == ["greedy", "first", "random", "random"]
    assert "first" not in [label for label, _ in menus[0].options] and menus[1].options[0] == ("first", first)
    menus[1].value = "flat"
    assert "flat will play B in the next game" in words(arena) and arena.match is old and "first" in arena.table.value
    click(arena.again)
    assert arena.now.names[1] == "flat" and "flat" in arena.table.value and arena.match.agents[1] is not first
    menus[1].value = first
    click(arena.again)
    assert arena.match.agents[1] is first
    click(arena.forward)
    assert rested(arena).now.place == 1 and arena.error is None


def test_a_new_game_depends_on_its_seed_and_not_on_the_games_before(game):
    who = crashlab.agents.random(3)
    arena = Arena(game, who, seed=5)
    first_game = arena.match.run(4)
    arena.seed.value = 5
    click(arena.again)
    assert arena.match.run(4) == first_game
    going = Match(game, who, seed=5)
    assert Arena(going).match.agents[0] is who  # a match continues with its own luck


def test_any_game_with_a_look_can_be_watched():
    arena = Arena(Game("toy", "toy", {}))
    Sent(arena)
    click(arena.play)
    rested(arena)
    assert arena.error is None and arena.state.over and arena.state.winners


@pytest.mark.parametrize(("players", "colours"), [(3, ("red", "seat 2", "seat 0")), (2, ("red", "seat 0"))])
def test_seats_have_the_colours_that_they_have_on_the_board(players, colours):
    """Seat 0 is red, then green and blue; with two players the second one is blue."""
    arena = Arena(crashlab.game("crash_and_grab", players=players))
    codes = [theme("light")[colour] for colour in colours]
    assert re.findall("background: (#[0-9A-F]{6})", arena.table.value) == codes
    letters = [shape.fill for shape in arena.curves().board if isinstance(shape, Text) and shape.text in "ABC"]
    assert sorted(letters) == sorted(colours)


def test_without_threads_the_event_loop_does_the_work(game, monkeypatch):
    def refuse(thread):
        raise RuntimeError("can't start new thread")

    arena = Arena(game, first)
    Sent(arena)
    monkeypatch.setattr(threading.Thread, "start", refuse)
    click(arena.play)
    assert "neither threads nor an event loop" in words(arena) and not arena.work.busy
    assert arena.play.description == "Play"

    async def watch():
        click(arena.play)
        while arena.now.place < 3:
            await asyncio.sleep(0)
        click(arena.play)
        place = arena.now.place
        for _ in range(50):
            await asyncio.sleep(0)
        assert arena.now.place == place and not arena.work.busy

    asyncio.run(asyncio.wait_for(watch(), PATIENCE))


def test_many_clicks_at_the_same_time_leave_a_whole_match(game):
    arena = Arena(game, first, speed="turn by turn")
    sent = Sent(arena)
    rng = crashlab.Random(3)
    moves = [rng.choice([arena.play, arena.forward, arena.back, arena.end, arena.first]) for _ in range(60)]
    halves = (moves[::2], moves[1::2])
    threads = [threading.Thread(target=lambda half=half: [move.click() for move in half]) for half in halves]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    click(arena.end)
    rested(arena)
    match = arena.match
    assert all(one.after is other.before for one, other in zip(match.turns, match.turns[1:], strict=False))
    assert sent.messages and isinstance(arena.error, CrashlabError | None)


def test_a_picture_and_words_stand_in(game):
    bundle = Arena(game, {0: first})._repr_mimebundle_()
    assert bundle["text/plain"].startswith("Arena of Autoscooter: A first, B random, C random, D random. Round 1")
    assert bundle["image/png"]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda game: Arena("x"), "an Arena shows a Match, a Game or a State, not 'x'"),
        (lambda game: Arena(game, 5), "an agent is a function"),
        (lambda game: Arena(game, "magic"), "no agent 'magic'"),
        (lambda game: Arena(game, {9: first}), "no seat 9"),
        (lambda game: Arena(game, speed="ludicrous"), "the speeds are slow, normal"),
    ],
)
def test_what_cannot_be_watched_is_refused_in_words(game, make, words):
    with pytest.raises(CrashlabError) as error:
        make(game)
    assert words in str(error.value)


# Scores and counts during a film


def listed(arena):
    return [int(score) for score in re.findall(r"<b>(-?\d+)</b>", arena.table.value)]


def test_at_every_beat_the_scores_beside_the_board_are_those_on_it(game):
    arena = Arena(game, "random", seed=3, speed="slow")
    paid = 0
    for place in range(1, 9):
        arena.step()
        rested(arena)
        turn = arena.match.turns[place - 1]
        film = arena.steps.turn_story
        for beat in range(film.beats + 1):
            arena.steps.jump(beat)
            _, last = film.end(beat)
            assert tuple(listed(arena)) == turn.at(last).scores
            paid += turn.at(last).scores != turn.before.scores and beat < film.beats
    assert paid  # some film has a payment before its end


def test_what_the_class_is_asked_to_count_is_counted_as_it_is_seen(game):
    arena = Arena(game, "random", seed=3, count={"barrier": "AS-C5", "other": ["AS-C1", "AS-C2"]})
    assert arena.counts() == {"barrier": 0, "other": 0}
    arena.run()
    rested(arena)
    events = [event for turn in arena.match.turns for event in turn.events]
    barrier = [event for event in events if event.rule == "AS-C5" and event.field is None]
    assert arena.counts()["barrier"] == len(barrier) > 0
    assert f"barrier: <b>{len(barrier)}</b>" in arena.tally.value
    place = 1 + next(place for place, turn in enumerate(arena.match.turns) if "AS-C5" in str(turn))
    arena.stand(place)
    seen = []
    for beat in range(arena.steps.last + 1):
        arena.steps.jump(beat)
        seen.append(arena.counts()["barrier"])
    assert seen[0] == 0 < seen[-1] and seen == sorted(seen)


@pytest.mark.parametrize("count", [["AS-C5"], {"crashes": "AS-C99"}, {"crashes": 5}, {"crashes": [None]}, "AS-C5"])
def test_what_cannot_be_counted_is_refused_in_words(game, count):
    with pytest.raises(CrashlabError, match="count"):
        Arena(game, "random", count=count)
