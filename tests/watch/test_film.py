"""Documents of films: complete, valid by their schema, and played back to the same pictures beat by beat."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from film_reader import played, short

import crashlab
from crashlab import CrashlabError
from crashlab.drawing import film_json, story
from crashlab.engine import turn_film
from crashlab.games import NAMES
from crashlab.watch.things import in_words
from crashlab.watch.views import FilmStory, StoryPair, StorySide

SCHEMA = json.loads(Path(film_json.__file__).with_name("film.schema.json").read_text("utf-8"))
MOST = 150_000  # largest document of a turn, in bytes


def search(numbers, target):
    low, high = 0, len(numbers) - 1
    while low <= high:
        middle = (low + high) // 2
        if numbers[middle] == target:
            return middle
        if numbers[middle] < target:
            low = middle + 1
        else:
            high = middle - 1
    return None


def fib(number):
    return number if number < 2 else fib(number - 1) + fib(number - 2)


def steps(start, goal):
    distances = {start: 0}
    queue = [start]
    while queue:
        x, y = queue.pop(0)
        for place in ((x + 1, y), (x, y + 1)):
            if max(place) <= goal and place not in distances:
                distances[place] = distances[x, y] + 1
                queue.append(place)
    return distances[goal, goal]


def played_match(name, decisions=60):
    match = crashlab.Match(crashlab.game(name), "random", seed=1)
    match.run(decisions)
    return match


@pytest.fixture(scope="module", params=NAMES)
def match(request):
    return played_match(request.param)


@pytest.fixture(scope="module")
def longest(match):
    """Return the turn with the most beats."""
    return max(match.turns, key=lambda turn: turn.beats)


def crash():
    state = crashlab.game("autoscooter").read({"cars": {"1": "21E2", "2": "23SE2"}})
    return state.play({"A": "17 FF", "B": None}), state.play({"A": "17 FFF", "B": None})


def check(film_story, film):
    """Check that a film is valid and plays back the pictures of its story; return it as read from JSON."""
    import jsonschema  # slow to import

    film = json.loads(json.dumps(film))
    jsonschema.validate(film, SCHEMA)
    beats = list(played(film))
    assert len(beats) == len(film["beats"]) == film_story.beats + 1
    for number, (board, pieces, effects) in enumerate(beats):
        picture = story.summary(film_story, number)
        assert board == [part for item in picture.board for part in short(item)]
        assert pieces == [part for item in picture.pieces for part in short(item)]
        plain = [replace(piece, key="", label="") for pair in film_story.effects(number) for piece in pair]
        assert [piece for pair in effects for piece in pair] == [part for item in plain for part in short(item)]
        assert film["beats"][number]["words"] == film_story.words(number)
    assert film["stops"] == list(film_story.stops)
    names = {shape[name] for shape in film["shapes"] for name in ("fill", "stroke") if name in shape}
    assert all(names <= set(colours) for colours in film["themes"].values())
    assert [event["beat"] for event in film["events"]] == sorted(event["beat"] for event in film["events"])
    return film


@pytest.mark.few(2)
def test_a_turn_is_played_back_to_the_same_pictures(longest):
    turn_story = turn_film.story_of([longest])
    film = check(turn_story, longest.film())
    assert len(json.dumps(film, ensure_ascii=False, separators=(",", ":")).encode()) <= MOST
    book = longest.before.game.rulebook
    for event, (beat, original) in zip(film["events"], turn_story.events, strict=True):
        assert (event["beat"], event["text"], event["rule"]) == (beat, original.text, original.rule)
        assert film["rules"][original.rule]["text"] == book[original.rule].text
        causes = [film["events"][cause["event"]]["text"] for cause in event.get("causes", ())]
        assert causes == ([] if original.cause is None else [longest.events[original.cause].text])


@pytest.mark.few(1)
def test_a_match_is_played_back_to_the_same_pictures(match):
    few = crashlab.Match(match.start)
    few.turns = match.turns[:12]
    check(turn_film.story_of(few.turns), few.film())


def test_a_match_that_has_not_begun_has_no_film():
    with pytest.raises(CrashlabError, match="no decision has been played yet"):
        crashlab.Match(crashlab.game("autoscooter"), "random").film()


@pytest.mark.parametrize("function, arguments", [(search, ([1, 3, 5, 8, 12], 8)), (fib, (5,)), (steps, ((0, 0), 2))])
def test_a_watched_function_is_played_back_to_the_same_pictures(function, arguments):
    recorded = crashlab.record(function, *arguments)
    film = check(FilmStory(recorded), recorded.document())
    values = {}
    for number, beat in enumerate(film["beats"]):
        values |= beat.get("values", {})
        visible = {name: value for name, value in values.items() if value is not None}
        assert visible == {name: in_words(value) for name, value in recorded.at(number or 1).items() if name}
        source, line = beat["line"]
        text = film["sources"][source]["lines"][line - film["sources"][source]["first"]]
        assert line == recorded.line(number)[1] and text.strip()
    for event, original in zip(film["events"], recorded.events, strict=True):
        assert event["text"] == original.words and event["line"][1] == original.line
        since = [cause for cause in event.get("causes", ()) if "line" in cause]
        assert [cause["text"] for cause in since] == ([str(original.since)] if original.since else [])
        reads = [cause.get("event", -1) for cause in event.get("causes", ()) if cause not in since]
        assert reads == [cause.event for cause in original.causes]


def test_of_a_long_film_the_beginning_is_told(monkeypatch):
    monkeypatch.setattr(film_json, "MOST", 10)
    film = crashlab.record(fib, 6).document()
    assert len(film["beats"]) == 11 and max(event["beat"] for event in film["events"]) == 10
    assert film["beats"][-1]["words"].endswith(" The film ends here; 40 more beats are not shown.")
    monkeypatch.setattr(film_json, "MOST", 49)
    assert crashlab.record(fib, 6).document()["beats"][-1]["words"].endswith(" 1 more beat is not shown.")


def test_a_value_that_is_too_long_to_be_told_is_told_to_change():
    """Otherwise a player would not stop at its changes."""

    def squares(numbers):
        powers = {}
        for number in numbers:
            powers[number] = number * number
        return powers

    recorded = crashlab.record(squares, range(100))
    beats = recorded.document()["beats"]
    assert beats[-1].get("values", {}).keys().isdisjoint({"powers"})  # its text would be too long
    for event in recorded.events:
        beat = beats[event.beat]
        assert event.kind != "change" or event.name in beat.get("changes", beat.get("values", ()))


def pyramid(rows):
    lines = []
    for row in range(rows):
        lines.append("  " * (rows - row - 1) + "*" + f"{row:>6}|")
    return lines


def test_blanks_are_kept_wherever_a_value_is_written():
    film = crashlab.record(pyramid, 3, watch="lines")
    first = film.events[1]
    assert first.words == "lines[0] = '    *     0|'" and film.returned.startswith("['    *     0|', '  *     1|'")
    assert '"  " * (rows' in str(film.why(first)) and "lines[0] = '    *     0|'" in str(film)
    document = FilmStory(film).document()
    assert "'    *     0|'" in document["events"][1]["text"]
    assert "'    *     0|'" in document["beats"][first.beat]["values"]["lines"]
    image = film.svg(first.beat)
    assert re.search(r'<text [^>]*xml:space="preserve"[^>]*>    \*     0\|<', image)
    assert in_words(["one\nline", 1]) == repr(["one\nline", 1])


def test_on_a_board_places_are_drawn_as_in_the_lab():
    board = crashlab.game("autoscooter").start(seed=1)
    recorded = crashlab.record(steps, (0, 0), 2)
    film = recorded.document(board=board)
    check(FilmStory(recorded, board), film)
    assert len(film["shapes"]) > 100  # the board is drawn


def test_two_turns_are_played_side_by_side():
    one, other = crash()
    pair = StoryPair(StorySide.of(one, title="two"), StorySide.of(other, title="three"))
    film = check(pair, pair.document())
    assert film["beats"][0]["values"]["A"] == "20 · 20"
    for event in film["events"]:
        side = "0 " if event["text"].startswith("two: ") else "1 "
        assert all(film["pieces"][piece].startswith(side) for piece in event["pieces"])
        for cause in event.get("causes", ()):
            assert film["events"][cause["event"]]["text"].startswith(event["text"].partition(" ")[0])


def test_two_films_are_played_side_by_side():
    pair = StoryPair(FilmStory(crashlab.record(fib, 3)), FilmStory(crashlab.record(search, [1, 2, 3], 3)))
    film = check(pair, pair.document())
    for event in film["events"]:
        source, line = event["line"]
        assert 0 <= line - film["sources"][source]["first"] < len(film["sources"][source]["lines"])


def test_an_event_has_the_pieces_that_it_names():
    film = crash()[0].film()
    keys = film["pieces"]
    pays = next(event for event in film["events"] if event["text"].startswith("B pays 4 chits"))
    drives = next(event for event in film["events"] if event["text"].startswith("car 1 drives"))
    assert [keys[piece] for piece in pays["pieces"]] == ["chits B"]
    assert [keys[piece] for piece in drives["pieces"]] == ["car 1"]
    for event in film["events"]:
        changed = {entry["piece"] for entry in film["beats"][event["beat"]].get("put", ())}
        assert set(event["pieces"]) <= changed


def test_shapes_and_drawings_stand_in_a_film_once(longest):
    film = longest.film()
    for name in ("shapes", "drawings"):
        texts = [json.dumps(entry) for entry in film[name]]
        assert len(set(texts)) == len(texts)


def test_what_seats_may_not_know_is_not_in_their_film():
    match = played_match("autoscooter", 1)
    whole, partial = (turn_film.story_of(match.turns, seats).document("") for seats in ((), (0,)))
    plans = [re.findall(r"plans car", event["text"]) for event in whole["events"]]
    assert len(partial["events"]) < len(whole["events"]) and any(plans)
    check(turn_film.story_of(match.turns, (0,)), partial)
