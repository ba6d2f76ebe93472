"""The comparison of house rules without a browser."""

import threading

import pytest

import crashlab
from crashlab import CrashlabError
from crashlab.engine.game import Game

pytest.importorskip("ipycanvas")

from fake_page import Sent, click, quick_fingers, wait_for, words  # noqa: F401
from patience import PATIENCE

from crashlab.course.lessons import example_rules
from crashlab.drawing.shapes import Text
from crashlab.lab import Compare
from crashlab.lab import compare_rules as lab_compare


@pytest.fixture(scope="module")
def game():
    return crashlab.game("autoscooter", players=4)


@pytest.fixture(scope="module")
def right(game):
    """What the numbers are to be."""
    return crashlab.compare(game, "own_car", games=40, progress=False)


@pytest.fixture(autouse=True)
def no_rest(monkeypatch):
    monkeypatch.setattr(lab_compare, "REST", 0.0)


def appear(compare):
    """As if a browser showed it."""
    compare.board.surface.widget[-1]._client_ready_callbacks()


def rested(compare):
    wait_for(lambda: not compare.work.busy)
    with compare.board.lock:
        return compare


def texts(compare):
    return [shape.text for shape in compare.board.picture.board if isinstance(shape, Text)]


def test_the_numbers_are_those_of_compare(game, right):
    compare = Compare(game, "own_car").grow(25).grow(40)
    ours = compare.comparison
    assert list(ours.results) == ["case", "speed"]
    for value, results in ours.results.items():
        assert len(results) == 40 and (results.scores == right[value].scores).all()
        assert (results.notes["AS-C5"] == right[value].notes["AS-C5"]).all()
    compare.count("AS-C5")
    for value in ours.results:
        numbers = f"{right[value].mean('AS-C5'):.2f} ± {right[value].half_width('AS-C5'):.2f}"
        assert numbers in texts(compare) and f"{value}: {numbers}" in words(compare)
    assert right.difference("AS-C5", "speed", "case")[0] == 0
    assert {"as in this game", "the same in every game"} <= set(texts(compare))
    compare.count("AS-C7")
    mean, half = right.difference("AS-C7", "speed", "case")
    assert mean < 0 and f"{-mean:.2f} ± {half:.2f} less" in texts(compare)


def test_where_there_is_nothing_to_compare_it_says_so(game):
    compare = Compare(game, "cars").grow(10)
    assert list(compare.now.done) == [4] and "nothing to compare" in compare.text.value
    compare.choose("own_car")
    assert "nothing to compare" not in compare.text.value


def test_more_is_more_than_in_this_game(game):
    compare = Compare(game, "standstill").grow(40)
    compare.count("AS-C2")
    means = {value: results.mean("AS-C2") for value, results in compare.comparison.results.items()}
    assert means["none"] > means["about_face"] > means["pivot_first"]
    for value, word in (("none", "more"), ("pivot_first", "less")):
        mean, half = compare.comparison.difference("AS-C2", value, "about_face")
        assert f"{abs(mean):.2f} ± {half:.2f} {word}" in texts(compare)


def test_it_plays_while_it_is_on_a_page_and_then_rests(game):
    compare = Compare(game, "own_car", games=30)
    sent = Sent(compare)
    assert compare.now.games == 0 and "Nothing is known yet" in compare.board.picture.words
    appear(compare)
    assert rested(compare).now.games == 30 and set(map(lab_compare.count, compare.now.done.values())) == {30}
    assert 1 < len(sent.messages) < 30 and compare.stop.description == "Go on" and "On average" in words(compare)
    assert "30 of 30 games" in compare.progress.value
    appear(compare)
    assert not compare.work.busy
    click(compare.stop)
    assert rested(compare).now.games == 60 and compare.error is None


def test_every_told_rule_is_listed_with_its_means(game, right):
    compare = Compare(game, "own_car").grow(40)
    listed = {what: text for text, what in compare.counted.options}
    assert list(listed) == ["highest score", "decisions", *right.told()]
    means = " | ".join(f"{results.mean('AS-C2'):.1f}" for results in right.results.values())
    assert listed["AS-C2"].replace("\u2007", "") == f"{means}   AS-C2 {game.rulebook['AS-C2'].title}"
    assert len({text.index("   ") for text in listed.values()}) == 1  # the numbers stand one below another
    assert "case | speed" in compare.columns.value


def test_numbers_in_a_column_are_short():
    assert lab_compare.column([8.04, 1205.2, 99.94]) == ["\u2007" + "8.0", "1205", "99.9"]


def test_what_differs_most_clearly_is_counted_until_somebody_asks_for_something_else(game):
    compare = Compare(game, "standstill").grow(lab_compare.FEW)
    base, clear = compare.comparison["about_face"], {}
    for rule in compare.comparison.told():
        pairs = [compare.comparison.difference(rule, value, "about_face") for value in compare.comparison.results]
        clear[rule] = max(abs(mean) / (half or 1) for mean, half in pairs)
    assert len(base) == lab_compare.FEW and compare.now.what == max(clear, key=clear.get) == compare.counted.value
    compare.counted.value = "decisions"
    compare.grow(2 * lab_compare.FEW)
    assert compare.now.what == "decisions" == compare.counted.value
    assert "standstill: decisions" in texts(compare)


def test_another_option_ends_the_games_at_once(game, monkeypatch):
    gate, asked = threading.Event(), threading.Event()
    real = lab_compare.own_pieces

    def slow(*arguments):
        for piece in real(*arguments):
            asked.set()
            assert gate.wait(PATIENCE)
            yield piece

    monkeypatch.setattr(lab_compare, "own_pieces", slow)
    compare = Compare(game, "standstill", games=5)
    Sent(compare)
    appear(compare)
    assert asked.wait(PATIENCE) and compare.stop.description == "Stop"
    compare.options.value = "rear_push"
    assert compare.now.option.name == "rear_push" and compare.now.games == 0
    assert "shoved one hex [AS-V1]" in compare.text.value and "a car hit from behind" in words(compare)
    gate.set()
    rested(compare)
    assert list(compare.now.done) == [False, True] and compare.now.games == 5
    assert not any(results.notes["AS-V1"].any() for results in [compare.comparison[False]])


def test_stop_takes_effect_while_games_are_played(game):
    compare = Compare(game, "own_car", games=10**6)
    sent = Sent(compare)
    appear(compare)
    wait_for(lambda: compare.now.games > 1)
    click(compare.stop)
    now, shown = compare.now, len(sent.messages)
    with compare.work.thinking, compare.board.lock:
        assert compare.now is now and len(sent.messages) == shown and not compare.work.busy
    compare.options.value = "rear_push"
    assert not compare.work.busy  # who has stopped it is not asked again
    click(compare.stop)
    wait_for(lambda: compare.now.games > 0)
    click(compare.stop)


def test_games_that_were_being_played_when_it_stopped_are_played_when_it_goes_on(game, monkeypatch):
    going, reached, real = threading.Event(), threading.Event(), lab_compare.own_pieces

    def held(job, first, games, threads):
        for number in range(first, first + games):
            if number == 3:
                reached.set()
                assert going.wait(PATIENCE)
            yield from real(job, number, 1, threads)

    monkeypatch.setattr(lab_compare, "own_pieces", held)
    compare = Compare(game, "own_car", games=8)
    appear(compare)
    assert reached.wait(PATIENCE)
    click(compare.stop)
    going.set()
    click(compare.stop)
    rested(compare)
    assert compare.error is None and compare.stop.description == "Go on"
    assert {tuple(results.numbers) for results in compare.comparison.results.values()} == {tuple(range(8))}


def test_the_keyboard_is_enough(game):
    compare = Compare(game, "own_car").grow(lab_compare.FEW)
    sent = Sent(compare)
    compare.count("highest score")
    sent.key("ArrowDown")
    assert compare.now.what == "decisions"
    sent.key("ArrowUp")
    sent.key("ArrowUp")
    assert compare.now.what == compare.counted.options[-1][1]
    sent.key("ArrowRight")
    assert compare.now.option.name == "last_row_reversed" == compare.options.value
    sent.key("ArrowUp")  # nothing is listed yet
    sent.key(" ")
    assert compare.work.busy and compare.error is None
    sent.key(" ")
    assert not compare.work.busy


def test_an_error_in_a_game_is_told(game, monkeypatch):
    def broken(*arguments):
        raise ZeroDivisionError("no game")
        yield

    monkeypatch.setattr(lab_compare, "own_pieces", broken)
    compare = Compare(game, "own_car")
    appear(compare)
    rested(compare)
    assert "ZeroDivisionError: no game" in words(compare) and compare.stop.description == "Go on"


def test_only_values_that_the_other_options_allow_are_compared(game):
    assert list(Compare(crashlab.game("autoscooter", players=2), "cars").now.done) == [4, 3]
    possible = [value for value in (4, 3) if lab_compare.with_value(game, "cars", value)]
    assert list(Compare(game, "cars").now.done) == possible
    assert list(Compare(game, "players").now.done) == [2, 3, 4, 5, 6, 7, 8]


def test_by_default_the_option_of_most_values_is_compared(game):
    assert Compare(game).now.option.name == "standstill"


def test_of_very_many_values_some_are_compared(game):
    option = crashlab.engine.options.Option("players", 4, range(2, 103), "many", optional=True)
    found = lab_compare.values(option, game)
    assert len(found) <= lab_compare.MOST and {2, 4, None} <= set(found)


def test_any_game_can_be_compared():
    compare = Compare(Game("toy", "toy", {})).grow(20)
    assert compare.now.option.name == "goal" and list(compare.now.done) == [5, 6, 7]
    assert compare.error is None and compare.comparison[7].decisions.mean() > compare.comparison[5].decisions.mean()


def test_a_picture_and_words_stand_in(game, right):
    bundle = Compare(game, "own_car").grow(40)._repr_mimebundle_()
    assert bundle["text/plain"] == f"Compare own_car of Autoscooter. {right}" and bundle["image/png"]
    assert "No game has been played yet" in Compare(game)._repr_mimebundle_()["text/plain"]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda game: Compare("x"), "a Compare shows a Game"),
        (lambda game: Compare(game, "wings"), "there is no option 'wings'; the options are players"),
        (lambda game: Compare(game, games=0), "games=0"),
        (lambda game: Compare(game, agents="magic"), "no agent 'magic'"),
        (lambda game: Compare(game).grow("many"), "games='many'"),
    ],
)
def test_what_cannot_be_compared_is_refused_in_words(game, make, words):
    with pytest.raises(CrashlabError) as error:
        make(game)
    assert words in str(error.value)


def test_a_rule_of_ones_own_is_compared_on_and_off():
    book = crashlab.game("autoscooter", players=2)
    mine = book.with_rules(*example_rules.FINED_SIDE, FINE=2)
    compare = Compare(mine, "hit_side").grow(20)
    assert "hit_side" in compare.options.options and "The car that is hit in the side pays FINE" in compare.text.value
    found = crashlab.compare({"on": mine, "off": book}, games=20, progress=False)
    assert list(compare.comparison.results) == ["on", "off"]
    for value, results in compare.comparison.results.items():
        assert (results.scores == found[value].scores).all()
    compare.count("HOUSE-1")
    assert "as in this game" in " ".join(texts(compare))
