"""The beats without changes, of returns and of tests that decide; and the printed text of beats."""

import threading
from functools import lru_cache

import pytest

import crashlab
from crashlab.drawing.shapes import Text
from crashlab.watch.views import FilmStory, tree


def fact(n):
    if n == 0:
        return 1
    return n * fact(n - 1)


def depth(node):
    return 0 if node is None else 1 + max(depth(node[0]), depth(node[1]))


def even(n):
    return True if n == 0 else odd(n - 1)


def odd(n):
    return False if n == 0 else even(n - 1)


def moves(n, source, target, spare):
    if n:
        moves(n - 1, source, spare, target)
        print(source, target)
        moves(n - 1, spare, target, source)


def twice(n):
    return 2 * n


def total(numbers):
    result = 0
    for number in numbers:
        result += twice(number)
    return result


def returns(film):
    return [event for event in film.events if event.kind == "return"]


def node(story, beat, call):
    """Return the label of a call's node and its colour."""
    drawing = next(piece for piece in story.picture(beat).pieces if piece.key == f"call {call}")
    return next(shape.text for shape in drawing.shapes if isinstance(shape, Text)), drawing.shapes[0].fill


def test_a_recursion_is_stepped_back_up_with_each_value_and_where_it_goes():
    film = crashlab.record(fact, 4)
    events = returns(film)
    assert [event.after for event in events] == [1, 1, 2, 6, 24]
    assert [event.beat for event in events] == [6, 7, 8, 9, 10] and film.beats == 10
    assert [event.call for event in events] == [4, 3, 2, 1, 0] == [film.call(event.beat) for event in events]
    assert events[0].words == f"fact(0) returns 1 to fact(1), line {events[1].line}"
    assert events[-1].words == "fact(4) returns 24"
    assert film.events[events[2].causes[1].event] == events[1]  # 2 is 2 * 1, and this call returned the 1
    assert events[2].sentence.endswith(" because n is 2 and fact(1) returns 1, since 2 != 0")
    reasons = [event.words for event in film.why(events[-1]).events]
    assert [words for words in reasons if "returns" in words] == [event.words for event in events[::-1]]
    assert [film.calls[event.call].last for event in events] == [event.beat for event in events]


def test_what_has_returned_stands_on_its_node_and_what_waits_does_not():
    story = FilmStory(crashlab.record(fact, 4))
    assert [node(story, 5, call)[0] for call in range(5)] == list("43210")  # all are waiting: no result appears early
    for beat, result in zip(range(6, 10), (1, 1, 2, 6), strict=True):
        call = 10 - beat
        assert node(story, beat, call) == (f"{4 - call} → {result}", "flash")
        assert [node(story, beat, over) for over in range(call)] == [(str(4 - over), "flash") for over in range(call)]
    assert [node(story, 10, call)[0] for call in range(5)] == ["4 → 24", "3 → 6", "2 → 2", "1 → 1", "0 → 1"]
    returned = "fact(4) returns 24 because n is 4 and fact(3) returns 6, since 4 != 0"
    assert story.words(10) == f"Beat 10 of 10: {returned} (line {story.film.line(10)[1]})."


@pytest.mark.parametrize(
    ("function", "arguments", "results"),
    [
        (depth, ((None, (None, None)),), [0, 0, 0, 1, 2]),
        (even, (3,), [False, False, False, False]),
        (moves, (1, "A", "B", "C"), [None, None, None]),
        (total, ([1, 2],), []),
    ],
)
def test_returns_are_told_where_functions_call_themselves_or_each_other(function, arguments, results):
    assert [event.after for event in returns(crashlab.record(function, *arguments))] == results


def test_returns_can_be_asked_for_and_left_out():
    assert [event.after for event in returns(crashlab.record(total, [1, 2], returns=True))] == [2, 4, 6]
    assert not returns(crashlab.record(fact, 4, returns=False))
    assert not returns(crashlab.record(fact, 4, every="n"))
    film = crashlab.record(fact, 2, every="n", returns=True)
    assert [[event.words.split()[0] for event in film.events if event.beat == beat] for beat in range(1, 7)] == [
        ["n"],
        ["n"],
        ["n"],
        ["fact(0)"],
        ["fact(1)"],
        ["fact(2)"],
    ]


def test_a_return_that_only_waits_for_a_value_shows_it_where_a_variable_is_chosen():
    def best(values, deep):
        if deep == 0:
            return values
        highest = -9
        for value in values:
            highest = max(highest, -best(value, deep - 1))
        return highest

    story = FilmStory(crashlab.record(best, [[3, 5], [1]], 2), None, {"highest": tree.value})
    leaf = next(call for call in story.film.calls if call.result == 3)
    assert [node(story, beat, leaf.number)[0] for beat in (leaf.last, story.beats)] == ["3", "3"]


def test_tests_that_decide_are_beats_with_their_values():
    def sort(row, least):
        for place in range(1, len(row)):
            while place and row[place] < row[place - 1]:
                row[place], row[place - 1] = row[place - 1], row[place]
                place -= 1
            if row[0] == least and len(row) > 1:
                least = None
            elif not least:
                return row
        return row

    film = crashlab.record(sort, [7, 4, 5], 4, tests=True)
    assert [(event.words, event.after) for event in film.events if event.kind == "test"] == [
        ("1 and 4 < 7: yes", True),
        ("0 and row[place] < row[place - 1]: no", False),
        ("4 == 4 and 3 > 1: yes", True),
        ("2 and 5 < 7: yes", True),
        ("1 and 5 < 4: no", False),
        ("4 == None and len(row) > 1: no", False),
        ("least is None: yes", True),
    ]
    assert [cause.place for cause in film.events[3].causes] == ["place", "row[1]", "row[0]"]
    assert [event.kind for event in film.events if event.beat == 3] == ["test"]
    assert film.counts.names == crashlab.record(sort, [7, 4, 5], 4).counts.names
    assert not any(event.kind == "test" for event in crashlab.record(sort, [7, 4, 5], 4).events)


def test_a_test_that_fails_decides_nothing_and_the_last_one_of_a_function_does():
    def look(row):
        try:
            if row[3] > 1:
                row = []
        except IndexError:
            row = [0]
        if row != [0]:
            row = [1]

    film = crashlab.record(look, [1], tests=True)
    assert [event.words for event in film.events if event.kind == "test"] == ["row != [0]: no"]


def test_what_is_printed_is_known_by_the_beat_and_printed_all_the_same(capsys):
    def count(n):
        for number in range(n):
            print(number, end=", ")
        return n

    film = crashlab.record(count, 3)
    assert capsys.readouterr().out == "0, 1, 2, "
    assert [film.printed(beat) for beat in range(film.beats + 1)] == ["", "", "", "0, ", "0, 1, 2, "]
    texts = [beat.get("printed", "") for beat in film.document()["beats"]]
    assert "".join(texts) == "0, 1, 2, " and texts[3] == "0, "


def test_a_film_says_that_other_threads_are_not_followed():
    def work(row):
        row.append(1)

    def begin():
        row = []
        worker = threading.Thread(target=work, args=(row,))
        worker.start()
        worker.join()
        return row

    before = threading.gettrace()
    film = crashlab.record(begin)
    assert film.result == [1] and "threads" in str(film) and "threads" in FilmStory(film).words(film.beats)
    assert threading.gettrace() is before
    assert not crashlab.record(fact, 1).remark


def test_an_empty_film_says_that_a_cache_had_the_result():
    @lru_cache
    def fib(n):
        return n if n < 2 else fib(n - 1) + fib(n - 2)

    assert not crashlab.record(fib, 4).remark
    film = crashlab.record(fib, 4)
    assert film.beats == 0 and film.result == 3
    assert "fib was not run" in str(film) and "a wrapper, such as a cache" in FilmStory(film).words(0)


class Pile:
    def __init__(self):
        self.items = [1, 2]

    def pop(self):
        return self.items.pop()


def taken():
    pile = Pile()
    return pile.pop()


def renewed():
    row = [1]
    old = row
    row = [1]
    return old


def test_a_method_named_like_one_of_a_list_does_not_call_itself():
    assert "return" not in {event.kind for event in crashlab.record(taken).events}


def test_another_list_that_is_equal_is_told_to_be_another_one():
    assert crashlab.record(renewed).events[-1].words == "row = [1], another list that is equal"
