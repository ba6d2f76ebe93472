"""The views of a watched function's variables: on the board, as a tree of calls, as diagrams, and all together."""

from itertools import pairwise

import pytest
import recorded_algorithms as algorithms
from watched_functions import common, failing, fib, nothing, steps_from

import crashlab
from crashlab import CrashlabError
from crashlab.course.lessons.crash_city import history
from crashlab.drawing import svg
from crashlab.drawing.shapes import Circle, Line, Polygon, Text, box, placed
from crashlab.watch.things import parts_of
from crashlab.watch.views import FilmStory, StoryPair, bars, cells, curve, on_board, table, tree
from crashlab.watch.views.call_tree import DEEP, MOST
from crashlab.watch.views.choose_view import Diagram, OnBoard, Tree

CITY = history(seed=1, players=2)[-1]
LANES = {lane: CITY.streets.beside(lane) for lane in CITY.streets.lanes()}
HOME = (0, 0, 0)


def parents_from(graph, start):
    parent, queue = {start: start}, [start]
    for here in queue:
        for there in graph[here]:
            if there not in parent:
                parent[there] = here
                queue.append(there)
    return parent


def deep(n):
    return 0 if n == 0 else 1 + deep(n - 1)


def wide(n):
    total = 0
    for _ in range(3 if n else 0):
        total += wide(n - 1)
    return total


def best_of(values, depth, low, high):
    """Search a list of lists with alpha-beta pruning."""
    best = low
    if depth == 0:
        return values
    for inner in values:
        best = max(best, -best_of(inner, depth - 1, -high, -best))
        low = best
        if low >= high:
            break
    return best


def ordered(values):
    values = list(values)
    for end in range(len(values)):
        least = min(range(end, len(values)), key=values.__getitem__)
        values[end], values[least] = values[least], values[end]
    return values


@pytest.fixture(scope="module")
def search():
    return crashlab.record(steps_from, LANES, HOME)


def shown(picture, kind=Text):
    """Return the shapes of a kind in a picture's pieces, at their final positions."""
    return [shape for piece in picture.pieces for shape in placed(piece) if isinstance(shape, kind)]


def words(picture):
    return [text.text for text in shown(picture)]


def pieces(picture, name):
    return [piece for piece in picture.pieces if piece.key.startswith(f"{name} ")]


# On the board


def test_numbers_stand_where_their_places_are(search):
    show = FilmStory(search, CITY, {"steps": on_board(number=True)})
    for beat in (0, 40, search.beats // 2, search.beats):
        steps = search.at(beat).get("steps", {})
        numbers = {(piece.x, piece.y): piece.shapes[-1].text for piece in pieces(show.picture(beat), "steps")}
        assert numbers == {CITY.place(lane): str(number) for lane, number in steps.items()}


def test_a_greater_number_is_brighter_and_the_new_one_is_lit(search):
    show = FilmStory(search, CITY, {"steps": on_board(number=True)})
    discs = {piece.shapes[-1].text: piece.shapes[-2].fill for piece in pieces(show.picture(search.beats), "steps")}
    heats = [int(discs[number].removeprefix("heat ")) for number in sorted(discs, key=int)]
    assert heats == sorted(heats) and heats[0] == 0 and heats[-1] == 8
    beat = show.stops_of("steps")[5]
    new = next(event.key for event in show.changes(beat) if event.name == "steps")
    lit = [(p.x, p.y) for p in pieces(show.picture(beat), "steps") if any(s.fill == "flash" for s in p.shapes[:-1])]
    assert lit == [CITY.place(new)]


def test_rings_are_round_what_waits_and_that_of_the_next_is_wider(search):
    show = FilmStory(search, CITY, {"queue": on_board(ring=True)})
    beat = next(beat for beat in range(search.beats) if len(search.at(beat).get("queue", ())) > 4)
    queue = search.at(beat)["queue"]
    rings = pieces(show.picture(beat), "queue")
    assert [(ring.x, ring.y) for ring in rings] == [CITY.place(lane) for lane in queue]
    widths = [max(circle.width for circle in ring.shapes) for ring in rings]
    assert widths[0] > widths[1] == max(widths[1:])


def test_a_mark_goes_from_place_to_place_with_its_name(search):
    show = FilmStory(search, CITY, {"here": on_board(mark=True)})
    first, second = show.stops_of("here")[:2]
    before, after = (pieces(show.picture(beat), "here") for beat in (first, second))
    assert [piece.key for piece in before] == [piece.key for piece in after]  # so that it glides
    assert (after[0].x, after[0].y) == CITY.place(search.at(second)["here"]) != (before[0].x, before[0].y)
    assert after[0].shapes[-1].text == "here"


def test_arrows_lead_from_key_to_value():
    film = crashlab.record(parents_from, LANES, HOME)
    show = FilmStory(film, CITY, {"parent": on_board(arrow=True)})
    lines = [line.points for line in shown(show.picture(film.beats), Line) if line.arrow]
    parent = film.result
    assert {line[0] for line in lines} == {CITY.place(lane) for lane in parent if lane != HOME}
    for start, tip in lines:
        goals = [CITY.place(parent[lane]) for lane in parent if CITY.place(lane) == start]
        assert min(abs(tip[0] - x) + abs(tip[1] - y) for x, y in goals) < 15


def test_a_dict_of_numbers_is_shown_as_numbers_where_numbers_are_names_of_places():
    floor = crashlab.game("crash_by_crash").start(1)
    cells = [(row, column) for row in range(4) for column in range(4)]
    graph = {(r, c): [(r + 1, c), (r, c + 1)] if r < 3 and c < 3 else [] for r, c in cells}
    film = crashlab.record(steps_from, graph, (0, 0))
    picture = FilmStory(film, floor, None).picture(film.beats)
    assert floor.place(1)  # a tile
    assert [piece.shapes[-1].text for piece in pieces(picture, "steps")] == [str(n) for n in film.result.values()]
    assert not any(line.arrow for piece in pieces(picture, "steps") for line in piece.shapes if isinstance(line, Line))


def test_heat_colours_by_a_function_of_the_value():
    def learn(spots):
        worth = {}
        for number, spot in enumerate(spots):
            worth[spot] = [number, -number]
        return worth

    film = crashlab.record(learn, list(LANES)[:9])
    show = FilmStory(film, CITY, {"worth": on_board(heat=max)})
    fills = [piece.shapes[-1].fill for piece in pieces(show.picture(film.beats), "worth")]
    assert fills == [f"heat {n}" for n in range(9)]
    assert not words(show.picture(film.beats))
    by_str = FilmStory(film, CITY, {"worth": on_board(heat=str)})  # str returns no number
    assert {piece.shapes[-1].fill for piece in pieces(by_str.picture(film.beats), "worth")} == {"ticket"}


def test_the_way_of_a_number_is_the_shortest_path(search):
    show = FilmStory(search, CITY, {"steps": on_board(number=True)})
    far = max(search.result, key=search.result.__getitem__)
    event = next(event for event in search.events if event.name == "steps" and event.key == far)
    (*_, line) = show.way(event)
    assert line.points[0] == CITY.place(HOME) and line.points[-1] == CITY.place(far)
    assert len(line.points) == search.result[far] + 1
    at = {CITY.place(lane): lane for lane in LANES}
    assert all(at[after] in LANES[at[before]] for before, after in pairwise(line.points))


def test_the_indices_of_a_list_are_no_places_of_a_way():
    floor = crashlab.game("crash_by_crash").start(1)
    film = crashlab.record(steps_from, {(0, 0): [(0, 1), (1, 0)], (0, 1): [(1, 1)], (1, 0): [], (1, 1): []}, (0, 0))
    assert floor.place(1)  # a tile
    show = FilmStory(film, floor, {"queue": on_board(ring=True), "steps": on_board(number=True)})
    assert not any(show.way(event) for event in film.events if event.name == "queue")
    assert any(show.way(event) for event in film.events if event.name == "steps")


def test_a_click_on_a_number_finds_the_change_that_made_it(search):
    show = FilmStory(search, CITY, {"steps": on_board(number=True)})
    for lane in list(search.result)[:20]:
        event = show.change_at(search.beats, *CITY.place(lane))
        assert (event.name, event.key or HOME, search.result[lane]) == ("steps", lane, event.after if event.key else 0)
    assert show.change_at(search.beats, -50, -50) is None


def test_a_city_is_shown_without_its_panel(search):
    show = FilmStory(search, CITY)
    picture = show.picture(3)
    assert picture.width < CITY.picture().width and picture.map == CITY.picture().map
    assert all(box([shape])[0] < picture.width for shape in picture.board)


# The tree


def test_the_tree_has_a_node_for_every_call_so_far_and_lights_those_that_run():
    film = crashlab.record(fib, 5)
    show = FilmStory(film)
    for beat in range(film.beats + 1):
        nodes = {p.key: p for p in show.picture(beat).pieces if p.key.startswith("call ")}
        assert set(nodes) == {f"call {call.number}" for call in film.calls if call.first <= beat or not call.number}
        running, path = film.call(beat), set()
        while running >= 0:
            path.add(f"call {running}")
            running = film.calls[running].parent
        lit = {key for key, node in nodes.items() if node.shapes[0].fill == "flash"}
        assert lit == (path if beat < film.beats else set())  # at the end it has returned


def test_a_small_tree_never_moves_and_no_two_nodes_touch():
    film = crashlab.record(fib, 7)
    show = FilmStory(film)
    places = {}
    for beat in range(film.beats + 1):
        for piece in show.picture(beat).pieces:
            assert places.setdefault(piece.key, (piece.x, piece.y)) == (piece.x, piece.y)
    layout = show.tree.layout(0)
    for call, over in layout.over.items():
        assert layout.places[call][1] > layout.places[over][1]  # a call is drawn below its caller
    rows = {}
    for x, y in layout.places.values():
        rows.setdefault(y, []).append(x)
    assert all(b - a >= layout.slot - 1e-6 for row in rows.values() for a, b in pairwise(sorted(row)))


def test_the_nodes_tell_what_came_of_their_calls():
    film = crashlab.record(fib, 5)
    show = FilmStory(film)
    labels = {p.key: [s.text for s in p.shapes if isinstance(s, Text)] for p in show.picture(film.beats).pieces}
    assert all(labels[f"call {c.number}"] == [f"{c.arguments['n']} → {c.result}"] for c in film.calls)
    assert show.words(0) == f"Before fib(5). It has {film.beats} beats; in each of them something changes."


def halve(row):
    return row if len(row) < 2 else halve(row[: len(row) // 2])


def test_a_film_begins_with_its_arguments_and_every_node_has_a_label_of_one_kind():
    film = crashlab.record(halve, [5, 2, 4, 7, 1])
    show = FilmStory(film)
    assert {"5", "2", "4", "7", "1", "[5, 2, 4 ..."} <= set(words(show.picture(0)))
    assert show.of_beat(0)["values"] == {"row": "[5, 2, 4, 7, 1]"}
    bound = [piece.key for beat in (0, 1) for piece in show.picture(beat).pieces if piece.key.endswith("bound")]
    assert len(bound) == 1 and show.of_beat(1)["changes"] == ["row"]  # it changes in the first beat, not before
    assert {"[5, 2] → [5]", "[5] → [5]"} <= set(words(show.picture(film.beats)))


@pytest.mark.parametrize(("function", "argument"), [(deep, 200), (wide, 6)])
def test_of_many_calls_some_are_folded(function, argument):
    film = crashlab.record(function, argument)
    show = FilmStory(film)
    assert len(film.calls) > MOST
    for beat in (film.beats // 3, film.beats // 2, film.beats):
        picture, count = show.picture(beat), show.tree.begun(beat)
        nodes = [piece for piece in picture.pieces if piece.key.startswith("call ")]
        rows = {round(node.y, 3) for node in nodes}
        assert f"call {film.call(beat)}" in [node.key for node in nodes] and f"call {0}" in [node.key for node in nodes]
        assert len(nodes) <= MOST and len(rows) <= DEEP
        assert f"{count - len(nodes)} calls are folded" in words(picture)
        assert all(0 < node.x < picture.width and 0 < node.y < picture.height for node in nodes)


def test_a_line_over_folded_calls_tells_how_many_they_are():
    story = FilmStory(crashlab.record(deep, 200))
    hung = story.tree
    is_tested = False
    for beat in range(0, story.beats + 1, 37):
        layout = hung.layout(beat)
        for call, over in layout.over.items():
            way = [call]
            while way[-1] != over:
                way.append(hung.calls[way[-1]].parent)
            if len(way) > 2:
                is_tested = True
                assert [shape.text for shape in hung.line(call, layout, False) if type(shape) is Text] == [
                    f"{len(way) - 2} more"
                ]
    assert is_tested


def test_a_call_that_has_failed_is_red():
    def sink(n):
        if n == 0:
            raise ValueError("down")
        sink(n - 1)

    def tried(n):
        try:
            sink(n)
        except ValueError:
            n = -1
        return n

    film = crashlab.record(tried, 1, also=sink)
    hung = FilmStory(film).tree
    node = hung.node(2, film.beats, hung.layout(film.beats), [])
    assert film.calls[2].error == "ValueError: down"
    assert {shape.stroke for shape in node.shapes if not isinstance(shape, Text)} == {"loss"}


def test_values_stand_on_nodes_and_below_them_and_cut_branches_are_grey():
    film = crashlab.record(best_of, [[3, 5], [3, 9], [8, 1]], 2, -99, 99)
    show = FilmStory(film, None, {"best": tree.value, "low": tree.left, "high": tree.right})
    picture = show.picture(film.beats)
    grey = {p.key for p in picture.pieces if p.shapes and getattr(p.shapes[0], "fill", "") == "nobody"}
    variables = [(call.number, {**call.arguments, **film.at(film.beats, call.number)}) for call in film.calls]
    cut = {f"call {number}" for number, values in variables if values["low"] >= values["high"]}
    assert grey == cut and cut and len(cut) < len(film.calls)
    story = FilmStory(film, None, {"best": tree.value, "best_of": tree(cut=lambda values: values["depth"] == 0)})
    grey = {
        p.key for p in story.picture(film.beats).pieces if p.shapes and getattr(p.shapes[0], "fill", "") == "nobody"
    }
    leaves = {f"call {c.number}" for c in film.calls if c.arguments["depth"] == 0}
    assert grey == leaves


def test_a_call_that_is_pointed_at_is_drawn_as_a_board():
    def look(state, depth):
        if depth:
            look(state.play(state.actions(state.actors[0])[0]).after, depth - 1)

    start = crashlab.game("crash_by_crash").start(seed=3)
    film = crashlab.record(look, start, 2)
    show = FilmStory(film)
    assert show.position(0) == start and show.position(1) != start
    x, y = show.tree.layout(film.beats).places[1]
    assert show.call_at(film.beats, x, y) == 1 and show.call_at(film.beats, 2, 2) is None
    shapes = show.pointed(1, film.beats)
    assert len(shapes) > len(show.position(1).picture().board)
    left, top, right, bottom = box(shapes)
    assert left >= -8 and top >= -8 and right <= show.ground.width + 8 and bottom <= show.ground.height + 8
    svg.paint(show.picture(film.beats))  # it has the colours of the game
    within = FilmStory(crashlab.record(lambda pair: fib(pair[1]), (start, 3), also=fib))
    assert within.position(0) == start and within.position(1) is None
    plain = FilmStory(crashlab.record(fib, 3))
    labels = [shape.text for shape in plain.pointed(1, 3) if isinstance(shape, Text)]
    assert len(labels) == 1 and "fib(n=2)" in labels[0]


# Diagram


def test_a_matrix_is_a_table_in_which_the_changed_cell_is_lit():
    film = crashlab.record(common, "ab", "cab")
    show = FilmStory(film, show={"best": table})
    for beat in range(film.beats + 1):
        best = film.at(beat).get("best")
        if best:
            labels = words(show.picture(beat))
            rows = [list(map(str, line)) for line in best]
            assert labels == ["best: 3 x 4", *"cab", *rows[0], "a", *rows[1], "b", *rows[2]]
    beat = next(e.beat for e in film.events if e.name == "best" and e.key is not None)
    lit = [shape for shape in shown(show.picture(beat), Polygon) if shape.fill == "flash"]
    assert len(lit) == 1


def halving(numbers, target):
    low, high = 0, len(numbers) - 1
    while low <= high:
        middle = (low + high) // 2
        if numbers[middle] == target:
            return middle
        low, high = (middle + 1, high) if numbers[middle] < target else (low, middle - 1)
    return -1


def test_indices_are_arrows_below_the_list_that_they_belong_to():
    film = crashlab.record(halving, [1, 3, 5, 7, 9], 7)
    story = FilmStory(film)
    assert story.views == {"numbers": (cells,)}
    beat = film.beats
    row = {piece.key.removeprefix("paper cells numbers").strip(): piece for piece in story.picture(beat).pieces}
    indices = {shape.text: shape.x for shape in placed(row["still"]) if type(shape) is Text}
    for name in ("low", "high", "middle"):
        assert row[f"at {name}"].x == pytest.approx(indices[str(film.at(beat)[name])])


def test_what_lies_outside_of_both_ends_is_faded():
    film = crashlab.record(halving, [1, 3, 5, 7, 9], 7)
    picture = FilmStory(film).picture(film.beats)
    boxes = [shape for piece in picture.pieces if " box " in piece.key for shape in piece.shapes]
    faded = {shape.text for shape in boxes if type(shape) is Text and shape.fill == "muted"}
    assert faded >= {"1", "3", "5"} and not faded & {"7", "9"}


def test_letters_of_a_text_and_an_index_that_has_left():
    def mirror(word):
        left, right = 0, len(word) - 1
        while left < right and word[left] == word[right]:
            left, right = left + 1, right - 1
        return left >= right

    story = FilmStory(crashlab.record(mirror, "otto"))
    assert {"o", "t", "left", "right"} <= set(words(story.picture(3)))
    assert "not set yet" not in words(story.picture(0))


def test_dicts_lists_sets_and_what_is_not_there_are_tables():
    def gather():
        counts, seen, row = {}, set(), []
        for letter in "hello":
            counts[letter] = counts.get(letter, 0) + 1
            seen.add(letter)
            row.append(letter)
        later = (counts, seen)
        return later

    film = crashlab.record(gather)
    show = FilmStory(film)
    assert [name for name, _ in show.papers] == ["counts", "seen", "row"]
    last = words(show.picture(film.beats))
    assert {"counts: 4", "seen: 4", "row", "'l'", "l"} <= {*last}
    assert words(show.picture(0)).count("not set yet") == 5 and "empty" in words(show.picture(1))


def test_a_table_whose_rows_are_objects_is_shown():
    class Node:
        pass

    def function():
        node, costs = Node(), {}
        for i in range(3):
            costs[node, i] = 10 + i
        return costs

    film = crashlab.record(function)
    assert all(f">{10 + i}<" in film.svg(film.beats) for i in range(3)) and film.document()


def test_of_a_long_table_the_part_is_shown_that_changes():
    def fill(n):
        squares = {}
        for number in range(n):
            squares[number] = number * number
        for number in range(n):
            squares[number] = -1
        return squares

    film = crashlab.record(fill, 400)
    show = FilmStory(film)
    for beat in show.stops_of("squares")[::97]:
        picture = show.picture(beat)
        key = next((event.key for event in show.changes(beat) if event.key is not None), None)
        assert key is None or str(key) in words(picture)
        assert all(0 <= text.x <= picture.width and 0 <= text.y <= picture.height for text in shown(picture))


def test_bars_are_as_high_as_their_numbers_and_a_curve_goes_on():
    film = crashlab.record(ordered, [5, 2, 9])
    show = FilmStory(film, None, {"values": bars, "end": curve})
    picture = show.picture(film.beats)
    tall = [bar for bar in shown(picture, Polygon) if bar.fill in ("seat 0", "flash")]
    heights = [max(y for _, y in bar.points) - min(y for _, y in bar.points) for bar in tall]
    assert [round(high / heights[0], 3) for high in heights] == [1, 2.5, 4.5]  # 2, 5, 9
    points = [len(line.points) for line in shown(picture, Line) if line.stroke == "seat 0"]
    assert points == [len(show.stops_of("end"))]


def test_a_function_of_the_value_is_shown():
    film = crashlab.record(ordered, [5, 2, 9])
    picture = FilmStory(film, None, {"values": table(sum)}).picture(film.beats)
    assert "16" in words(picture) and "9" not in words(picture)
    assert "not set yet" in words(FilmStory(film, None, {"values": table(lambda value: 1 / 0)}).picture(3))


# Defaults


def test_without_a_choice_places_are_on_the_board_and_the_graph_is_not(search):
    show = FilmStory(search, CITY)
    assert set(show.views) == {"steps", "queue", "here", "there"}
    assert all(views == (OnBoard(),) for views in show.views.values())
    ways = {name: sign.ways(search.at(search.beats)[name]) for name, sign in show.signs.items()}
    assert ways["steps"].number and ways["queue"].ring and ways["here"].mark


def test_without_a_board_what_is_no_graph_is_a_table_and_recursion_is_a_tree():
    def gather(words):
        counts, long = {}, [[0] * 2 for _ in words]
        for place, word in enumerate(words):
            counts[word] = long[place][1] = len(word)
        return counts

    views = FilmStory(crashlab.record(gather, ["to", "be"])).views
    assert views == {"words": (cells,), "counts": (table,), "long": (table,)}
    assert FilmStory(crashlab.record(fib, 4)).views == {"fib": (Tree(),)}


def test_who_has_only_numbers_gets_one_table_of_them():
    def count(n):
        total = 0
        for number in range(n):
            total += number
        return total

    film = crashlab.record(count, 4)
    labels = words(FilmStory(film).picture(film.beats))
    assert {"total", "6", "number", "3"} <= set(labels)


# Words, ends, and stops


def test_every_beat_is_told_in_words(search):
    show = FilmStory(search, CITY)
    assert show.words(0) == f"Before steps_from. It has {search.beats} beats; in each of them something changes."
    beat = show.stops_of("steps")[3]
    event = next(event for event in show.changes(beat) if event.name == "steps")
    assert event.sentence.startswith(f"{event.target} = {event.after} because steps[0, 0, 0] is 0, since ")
    assert show.words(beat) == f"Beat {beat} of {search.beats}: {event.sentence} (line {event.line})."
    assert "It returned {" in show.words(search.beats)
    assert show.words(beat) in show.picture(beat).words


def test_a_film_ends_with_what_came_of_it():
    show = FilmStory(crashlab.record(nothing))
    assert show.words(0) == "Before nothing. It has 0 beats. It returned 3." and show.picture(0).pieces
    show = FilmStory(crashlab.record(failing, 3))
    assert "ZeroDivisionError" in show.words(show.beats) and "returned" not in show.words(show.beats)

    def endless():
        n = 0
        while True:
            n += 1

    film = crashlab.record(endless, max_events=50)
    assert film.stopped and FilmStory(film).words(film.beats).endswith(f"{film.stopped[1:].rstrip('.')}.")


def test_stops_are_where_a_variable_changes(search):
    show = FilmStory(search, CITY)
    assert show.stops_of("steps") == sorted({event.beat for event in search.events if event.name == "steps"})
    assert show.stops_of("nobody") == []


def test_effects_flash_where_something_changes(search):
    show = FilmStory(search, CITY, {"steps": on_board(number=True)})
    beat = show.stops_of("steps")[4]
    new = next(event.key for event in show.changes(beat) if event.name == "steps")
    assert [(start.x, start.y) for start, _ in show.effects(beat)] == [CITY.place(new)]


# Pictures for slides


def test_a_film_is_an_svg_a_png_and_a_gif(search):
    image = search.svg(40, board=CITY, show={"steps": on_board(number=True)})
    assert image.startswith("<svg") and "Beat 40 of" in image and "steps: numbers" in image
    assert search.svg(board=CITY) == search.svg(search.beats, board=CITY) != search.svg(board=CITY, theme="dark")
    film = crashlab.record(fib, 3)
    assert film.png(2).startswith(b"\x89PNG")
    assert film.gif(scale=0.2, milliseconds=40).startswith(b"GIF8")
    assert set(film._repr_mimebundle_()) == {"image/png", "text/html", "text/plain"}
    with pytest.raises(CrashlabError, match="no beat 99999"):
        film.svg(99999)


def test_a_long_gif_shows_some_beats_and_the_last(search):
    scenes = FilmStory(search).scenes()
    assert 40 < len(scenes) <= 82 and f"Beat {search.beats} of" in scenes[-1][0].words


# Side by side


def test_two_films_stand_side_by_side_at_the_same_beat(search):
    other = crashlab.record(steps_from, LANES, HOME, watch="steps")
    views = {"steps": on_board(number=True)}
    pair = StoryPair(FilmStory(other, CITY, views), FilmStory(search, CITY, views))
    assert pair.beats == search.beats > other.beats
    for beat in (0, 5, other.beats + 10, pair.beats):
        picture = pair.picture(beat)
        numbers = [sum(p.key.startswith(f"{n} steps ") for p in picture.pieces) for n in (0, 1)]
        assert numbers == [len(film.at(min(beat, film.beats)).get("steps", ())) for film in (other, search)]
        assert len({piece.key for piece in picture.pieces}) == len(picture.pieces)
        assert all(x < pair.shifts[1] for p in picture.pieces if p.key.startswith("0 steps") for x in [p.x])
    rows = {row[0]: row[1:] for row in pair.counts(pair.beats)}
    assert rows["beats"] == [f"{other.beats} of {other.beats}", f"{search.beats} of {search.beats}"]
    assert rows["changes of steps"] == [str(len(search.result))] * 2 and rows["changes of queue"][0] == "–"
    assert pair.counts(0)[2][1:] == ["0", "0"] or pair.counts(0)[2][0] == "calls"


# Bad inputs


@pytest.mark.parametrize(
    ("show", "message"),
    [
        (3, "give a dict"),
        ({"steps": 3}, "give on_board"),
        ({"stops": table}, "there is no variable 'stops'"),
        ({"stops": tree.value}, "there is no variable 'stops'"),
        ({3: table}, "there is no variable 3"),
    ],
)
def test_what_cannot_be_shown_is_refused(search, show, message):
    with pytest.raises(CrashlabError, match=message):
        FilmStory(search, CITY, show)


def test_other_bad_inputs_are_refused(search):
    for call, message in (
        (lambda: FilmStory(search, None, {"steps": on_board()}), "there is no board"),
        (lambda: FilmStory(search, "city"), "give a State"),
        (lambda: FilmStory(steps_from), "give a film"),
        (lambda: on_board(heat="red"), "heat='red'"),
        (lambda: tree(cut=3), "cut=3"),
        (lambda: bars(3), "bars"),
    ):
        with pytest.raises(CrashlabError, match=message):
            call()


def test_a_bare_on_board_and_several_views_of_one_variable_are_fine(search):
    show = FilmStory(search, CITY, {"steps": [on_board, table], "queue": on_board})
    assert set(show.signs) == {"steps", "queue"} and show.papers == [("steps", Diagram("table"))]
    assert show.ground.width > FilmStory(search, CITY, {"queue": on_board}).ground.width
    circles = shown(show.picture(30), Circle)
    assert circles and all(circle.radius > 0 for circle in circles)


def test_very_large_containers_are_shown_in_part():
    def fill(n):
        row, squares, cells = list(range(n)), dict.fromkeys(range(n)), {}
        for number in range(0, n, n // 5):
            row[number] = -1
            squares[number] = -1
            cells[number, number + 1] = number
        return row, squares, cells

    film = crashlab.record(fill, 5000)
    show = FilmStory(film, None, {"row": table, "squares": table, "cells": table})
    for beat in range(1, film.beats + 1):
        labels = words(show.picture(beat))
        assert len(labels) < 1500
        assert all(str(e.key) in labels for e in show.changes(beat) if e.key is not None and e.name != "cells")


def test_arrays_are_tables_too():
    numpy = pytest.importorskip("numpy")

    def fill():
        grid, number = numpy.zeros((2, 3)), numpy.array(3.0)
        for row in range(2):
            grid[row, 1] = row + 5
        return grid, number

    film = crashlab.record(fill)
    picture = FilmStory(film).picture(film.beats)
    assert {"grid: 2 x 3", "5.0", "6.0"} <= set(words(picture))
    assert FilmStory(film, None, {"grid": bars, "number": table}).picture(film.beats).pieces


@pytest.mark.few(8)
@pytest.mark.parametrize("name", [*algorithms.RETURNING, *algorithms.RAISING])
def test_every_algorithm_can_be_shown(name):
    function, arguments = {**algorithms.RETURNING, **algorithms.RAISING}[name][:2]
    film = crashlab.record(function, *arguments(), max_events=400)
    show = FilmStory(film)
    for beat in {0, 1, film.beats // 2, film.beats} & {*range(film.beats + 1)}:
        picture = show.picture(beat)
        svg.paint(picture)
        assert picture.pieces and len({piece.key for piece in picture.pieces}) == len(picture.pieces)
        assert show.words(beat) and (show.graph or list(show.effects(beat)) == []) and list(show.ways(beat)) == []


@pytest.mark.parametrize("game, below", [("crash_and_grab", True), ("crash_by_crash", False)])
def test_beside_a_curve_a_wide_board_keeps_its_width(game, below):
    board, film = crashlab.game(game).start(1), crashlab.record(fib, 4)
    plain = board.picture()
    wide, table_too = (FilmStory(film, board, {"n": kinds}) for kinds in (curve, [curve, table]))
    picture, (room,) = wide.picture(1), wide.parts.values()
    if below:
        assert room == ((0, plain.height), (plain.width, picture.height - plain.height))
        assert picture.width == plain.width and picture.height < 1.4 * plain.height
    else:
        assert room == ((plain.width, 0), (360, plain.height)) and picture.width == plain.width + 360
    assert table_too.picture(1).width == plain.width + 360


def test_a_set_is_shown_in_the_same_order_each_time():
    assert parts_of({"B", "A", "C"}) == ["A", "B", "C"] and parts_of({10, 9, 2}) == [2, 9, 10]
    assert parts_of({"A", 2, 1}) == [1, 2, "A"]
    assert parts_of({frozenset("AB"), frozenset("C"), frozenset("A")}) == [{"A", "B"}, {"A"}, {"C"}]
