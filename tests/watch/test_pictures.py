"""The pictures of variables without a board: rows, graphs, trees, objects and running calls."""

import os
import subprocess
import sys
from heapq import heappop, heappush
from itertools import pairwise
from math import dist

import pytest
import recorded_algorithms as algorithms
from watched_functions import steps_from

import crashlab
from crashlab import CrashlabError
from crashlab.drawing.page_layout import PER_BOLD
from crashlab.drawing.shapes import Circle, Line, Polygon, Text, placed
from crashlab.watch.views import FilmStory, forest, heap, objects, on_graph, table, trie
from crashlab.watch.views.choose_view import OnBoard
from crashlab.watch.views.graph_layout import Graph

GRAPH = {"A": "BC", "B": "D", "C": "DE", "D": "F", "E": "F", "F": ""}


class Item:
    def __init__(self, value, following=None):
        self.value, self.following = value, following


class Node:
    def __init__(self, key):
        self.key, self.left, self.right = key, None, None


def bubble(row):
    for end in range(len(row) - 1, 0, -1):
        for here in range(end):
            if row[here] > row[here + 1]:
                row[here], row[here + 1] = row[here + 1], row[here]
    return row


def reverse(here):
    before = None
    while here is not None:
        after = here.following
        here.following = before
        before, here = here, after
    return before


def pieces(show, beat, part):
    """Return the pieces of a picture whose key contains part, by key."""
    return {piece.key: piece for piece in show.picture(beat).pieces if part in piece.key}


def words(drawings):
    return [shape.text for piece in drawings for shape in piece.shapes if isinstance(shape, Text) and shape.text]


def test_what_is_swapped_takes_its_box_along():
    show = FilmStory(crashlab.record(bubble, [5, 2, 4, 1]))
    swaps = 0
    for beat in range(2, show.beats + 1):
        before, after = pieces(show, beat - 1, " box "), pieces(show, beat, " box ")
        assert before.keys() == after.keys()
        swaps += any(event.key is not None for event in show.changes(beat))
        assert all(words([before[key]]) == words([after[key]]) for key in before)  # the number moves with its box
        moved = {key for key in before if before[key].x != after[key].x}
        assert len(moved) == (2 if any(event.key is not None for event in show.changes(beat)) else 0)
    assert swaps == 5  # the number of inversions


def test_truths_are_letters():
    def crossed_out(size):
        seen = [False] * size
        seen[1] = True
        return seen

    show = FilmStory(crashlab.record(crossed_out, 3))
    boxes = pieces(show, show.beats, "seen box ")
    assert [words([boxes[key]])[0] for key in sorted(boxes, key=lambda key: boxes[key].x)] == ["F", "T", "F"]


def test_what_is_popped_lets_the_others_move_up():
    def drain(row):
        while row:
            row.pop(0)

    show = FilmStory(crashlab.record(drain, [7, 8, 9]))
    keys = [set(pieces(show, beat, " box ")) for beat in range(1, show.beats + 1)]
    assert [len(boxes) for boxes in keys] == [3, 2, 1, 0] and all(after < before for before, after in pairwise(keys))


def test_a_slice_is_shaded_in_the_beat_of_its_line():
    def halves(row):
        middle = len(row) // 2
        left = row[:middle]
        right = row[middle:]
        return right, left

    show = FilmStory(crashlab.record(halves, [1, 2, 3, 4, 5]))
    wide = []
    for beat in range(1, show.beats + 1):
        (still,) = pieces(show, beat, "cells row still").values()
        shades = [shape for shape in still.shapes if isinstance(shape, Polygon) and shape.alpha < 1]
        wide.append([max(x for x, _ in shade.points) - min(x for x, _ in shade.points) for shade in shades])
    assert wide[:2] == [[], []] and wide[3][0] == pytest.approx(wide[2][0] * 3 / 2)


def test_an_index_that_is_computed_has_an_arrow_of_its_own():
    def fewest(coins, total):
        need = [0] + [99] * total
        for amount in range(1, total + 1):
            for coin in coins:
                if coin <= amount:
                    need[amount] = min(need[amount], need[amount - coin] + 1)
        return need[total]

    show = FilmStory(crashlab.record(fewest, [1, 3], 5))
    beat = show.stops_of("coin")[-1]
    arrows = pieces(show, beat, "paper cells need at ")
    values, still = show.variables(beat), pieces(show, beat, "paper cells need still")
    at = {shape.text: shape.x for piece in still.values() for shape in placed(piece) if isinstance(shape, Text)}
    assert arrows["paper cells need at amount - coin"].x == pytest.approx(at[str(values["amount"] - values["coin"])])
    assert "paper cells need at coin" not in arrows


def test_names_of_indices_next_to_each_other_do_not_overlap():
    def halves(row):
        top, end, middle = 0, len(row) - 1, 1
        while top < end:
            row[top], row[end], row[middle] = row[end], row[top], 0
            top, end, middle = top + 1, end - 1, middle + 1

    show = FilmStory(crashlab.record(halves, list(range(18))))
    for beat in range(1, show.beats + 1):
        arrows = pieces(show, beat, "cells row at ").values()
        boxes = [(piece, text) for piece in arrows for text in placed(piece) if isinstance(text, Text)]
        assert len(boxes) == sum(name in show.variables(beat) for name in ("top", "end", "middle"))
        for n, (_, one) in enumerate(boxes):
            for _, other in boxes[:n]:
                apart = PER_BOLD * (one.size * len(one.text) + other.size * len(other.text)) / 2
                assert abs(one.x - other.x) >= apart or abs(one.y - other.y) >= one.size


def test_a_graph_is_laid_out_once_and_its_variables_stand_at_its_nodes():
    show = FilmStory(crashlab.record(steps_from, GRAPH, "A"))
    assert all(isinstance(show.views[name][0], OnBoard) for name in ("steps", "queue", "here"))
    boards = {show.picture(beat).board for beat in range(show.beats + 1)}
    assert len(boards) == 1
    beat = next(beat for beat in range(show.beats) if len(show.variables(beat).get("queue", ())) > 1)
    labels = words(piece for key, piece in pieces(show, beat, "cells queue box").items())
    assert labels == list(show.variables(beat)["queue"])  # in the order of the queue, which rings cannot show
    names = {shape.text: (shape.x, shape.y) for shape in boards.pop() if isinstance(shape, Text)}
    assert names.keys() >= GRAPH.keys() and len(set(names.values())) == len(names)
    assert all(names[a][0] < names[b][0] for a in GRAPH for b in GRAPH[a])  # every edge leads to the right
    rings = pieces(show, next(beat for beat in range(show.beats) if show.variables(beat).get("queue")), "queue o ")
    assert {(piece.x, piece.y) for piece in rings.values()} <= {*names.values()} and rings
    numbers = pieces(show, show.beats, "steps ")
    assert {key[-1]: int(words([piece])[-1]) for key, piece in numbers.items()} == show.film.result


CHANCE = """
from crashlab import record
from crashlab.watch.views import FilmStory

def reached(graph, start):
    seen, edges, todo = set(), set(), [start]
    while todo:
        here = todo.pop()
        seen.add(here)
        edges |= {(here, there) for there in graph[here]}
        todo += sorted(graph[here] - seen)
    return seen

show = FilmStory(record(reached, {"ant": {"bee", "cat"}, "bee": {"dog", "ant"}, "cat": {"dog"}, "dog": set()}, "ant"))
print([show.picture(beat).pieces for beat in range(show.beats + 1)])
"""


def test_the_order_of_a_set_which_is_chance_changes_no_picture(tmp_path):
    (tmp_path / "reached.py").write_text(CHANCE, "utf-8")
    command = [sys.executable, tmp_path / "reached.py"]
    outputs = {subprocess.check_output(command, env=os.environ | {"PYTHONHASHSEED": seed}) for seed in "1234"}
    assert len(outputs) == 1 and b"in seen" in outputs.pop()


def test_graphs_are_dicts_pairs_triples_and_rows():
    ways = {("A", "B"), ("B", "C")}
    same = [{"A": ["B"], "B": ["A", "C"], "C": ["B"]}, {"A": {"B": 1}, "B": {"A": 1, "C": 1}, "C": {"B": 1}}, ways]
    same += [[("A", "B", 1), ("B", "C", 1)], [(1, "A", "B"), (1, "B", "C")]]
    for value in same:
        graph = Graph.of(value)
        assert graph.nodes == ("A", "B", "C") and not graph.is_directed and graph.steps("B") == {"B": 0, "A": 1, "C": 1}
    assert Graph.of([[1], [2], [0]]).is_directed and Graph.of([("A", "B", -1), ("B", "C", 1)]).is_directed
    for wrong in (3, "ABC", [1, 2], {"A": 1}, {"A": "Z"}):
        with pytest.raises(CrashlabError, match="is not a graph"):
            on_graph(wrong, number=True)


def test_somebody_may_choose_what_is_on_the_graph():
    film = crashlab.record(steps_from, GRAPH, "A")
    show = FilmStory(film, None, {"steps": on_graph(GRAPH, number=True), "queue": on_graph(GRAPH, ring=True)})
    assert set(show.signs) == {"steps", "queue"} and show.graph is not None
    event = show.change_at(film.beats, *show.place("F"))
    assert (event.name, event.key) == ("steps", "F") and show.way(event)
    with pytest.raises(CrashlabError, match="one graph"):
        FilmStory(film, None, {"steps": on_graph(GRAPH), "queue": on_graph({"A": "B", "B": ""})})
    with pytest.raises(CrashlabError, match="one board"):
        FilmStory(film, crashlab.game("crash_by_crash").start(1), {"steps": on_graph(GRAPH)})


def test_in_a_heap_every_parent_is_above_its_children():
    def sort(row):
        waiting = []
        for number in row:
            heappush(waiting, number)
        return [heappop(waiting) for _ in row]

    show = FilmStory(crashlab.record(sort, [5, 2, 4, 7, 1]))
    assert show.views["waiting"] == (heap,)
    for beat in range(show.beats + 1):
        row = show.variables(beat).get("waiting", [])
        at = {words([p])[-1]: (p.x, p.y) for p in pieces(show, beat, "heap waiting node").values()}
        assert len(at) == len(row)
        assert all(at[str((i - 1) // 2)][1] < at[str(i)][1] for i in range(1, len(row)))


def test_parents_of_union_find_are_a_forest_and_dicts_in_dicts_a_tree():
    def join(pairs):
        boss = {node: node for node in "ABCD"}
        for one, other in pairs:
            boss[other] = one
        return boss

    show = FilmStory(crashlab.record(join, ["AB", "CD", "AC"]))
    assert show.views["boss"] == (forest,)
    at = {words([piece])[0]: piece.y for piece in pieces(show, show.beats, "boss node").values()}
    assert at["A"] < at["B"] == at["C"] < at["D"]
    assert len(pieces(show, show.beats, "boss line")) == 3 and not pieces(show, 1, "boss line")

    def spell(texts):
        root = {}
        for text in texts:
            node = root
            for letter in text:
                node = node.setdefault(letter, {})
        return root

    show = FilmStory(crashlab.record(spell, ["tea", "ten"]))
    assert show.views == {"root": (trie,)}
    labels = words(pieces(show, show.beats, "trie root").values())
    assert sorted(word for word in labels if len(word) == 1) == ["a", "e", "n", "t"] and "node" in labels


def find_way(grid, start, goal):
    cost, came, todo = {start: 0}, {start: None}, [(0, start)]
    while todo:
        _, here = heappop(todo)
        row, column = here
        for there in ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)):
            r, c = there
            if 0 <= r < len(grid) and 0 <= c < len(grid[0]) and grid[r][c] != "#" and there not in cost:
                cost[there], came[there] = cost[here] + 1, here
                heappush(todo, (cost[there] + abs(goal[0] - r) + abs(goal[1] - c), there))
    return cost[goal]


def test_dicts_keyed_by_the_cells_of_a_grid_are_drawn_in_its_cells():
    show = FilmStory(crashlab.record(find_way, ["..#.", "....", ".#.."], (0, 0), (2, 3)))
    end, values = show.beats, show.variables(show.beats)
    assert not {name for name, _ in show.papers} & {"grid", "cost", "came"}
    board = show.picture(end).board
    grid = {(round(s.x), round(s.y)): s.text for s in board if isinstance(s, Text)}
    for row, line in enumerate(values["grid"]):
        for column, letter in enumerate(line):
            x, y = show.place((row, column))
            assert grid[round(x), round(y)] == letter
            assert not column or x > show.place((row, column - 1))[0] and y == show.place((row, column - 1))[1]
            assert not row or y > show.place((row - 1, column))[1] and x == show.place((row - 1, column))[0]
    half = (show.place((0, 1))[0] - show.place((0, 0))[0]) / 2
    numbers = pieces(show, end, "cost (")
    assert len(numbers) == len(values["cost"])
    for cell, number in values["cost"].items():
        piece = numbers[f"cost {cell}"]
        assert words([piece]) == [str(number)] and abs(piece.x - show.place(cell)[0]) < half
    (arrows,) = pieces(show, end, "came >").values()
    ends = {(line.points[0], line.points[-1]) for line in arrows.shapes if isinstance(line, Line) and line.arrow}
    assert len(ends) == len(values["came"]) - 1  # the start came from nowhere
    for a, b in ends:
        nearest = [min(values["cost"], key=lambda cell, at=at: dist(at, show.place(cell))) for at in (a, b)]
        assert values["came"][nearest[0]] == nearest[1]
    legend = " ".join(shape.text for shape in board if isinstance(shape, Text))
    assert "cost: numbers" in legend and "came: arrows" in legend and "start" in legend and "goal" in legend
    assert words(pieces(show, show.stops_of("here")[0], "here !").values()) == ["here"]


def test_cells_that_are_column_and_row_are_not_turned_on_the_map():
    def fill(grid):
        steps = {}
        for y in range(len(grid)):
            for x in range(len(grid[0])):
                if grid[y][x]:
                    steps[x, y] = x + y
        return steps

    show = FilmStory(crashlab.record(fill, [[1, 2, 3], [4, 5, 6], [7, 8, 0]]))
    assert show.place((2, 0))[0] > show.place((0, 0))[0] and show.place((2, 0))[1] == show.place((0, 0))[1]
    board = {(s.x, s.y): s.text for s in show.picture(1).board if isinstance(s, Text)}
    assert board[show.place((2, 0))] == "3" and board[show.place((0, 2))] == "7"


def test_a_map_keeps_up_with_a_grid_that_changes_and_a_dict_with_other_keys_is_a_table():
    def paint(grid, offsets):
        seen, far = {}, {}
        for cell in [(0, 0), (1, 1), (1, 2)]:
            seen[cell] = len(seen)
            far[cell[0] + 5, cell[1]] = 1
            grid[cell[0]][cell[1]] = 9
        return seen, far, offsets

    show = FilmStory(crashlab.record(paint, [[1, 2, 3], [4, 5, 6]], [(0, 1), (1, 0), (0, -1)]))
    assert {name for name, views in show.views.items() if table in views} == {"far"}
    marks = pieces(show, show.beats, "grid (")
    assert {key: words([piece]) for key, piece in marks.items()} == {
        f"grid {cell}": ["9"] for cell in [(0, 0), (1, 1), (1, 2)]
    }
    assert not pieces(show, 1, "grid (") and "offsets" not in show.signs


def test_a_list_in_a_tuple_is_no_node():
    def ways(graph, start):
        todo, ends = [(start, [start])], []
        while todo:
            here, way = todo.pop()
            ends.append(way)
            todo += [(there, [*way, there]) for there in graph[here]]
        return ends

    show = FilmStory(crashlab.record(ways, GRAPH, "A"))
    assert words(pieces(show, show.stops_of("here")[0], "here !").values()) == ["here"]


class Sets:
    def __init__(self, names, kind):
        self.boss = kind(names)
        self.count = len(names)

    def find(self, name):
        while self.boss[name] != name:
            name = self.boss[name]
        return name

    def join(self, one, other):
        self.boss[self.find(other)] = self.find(one)


class Owner:
    def __init__(self, sets):
        self.sets = sets


@pytest.mark.parametrize("kind", [list, lambda names: {name: name for name in names}])
@pytest.mark.parametrize("hide", [lambda sets: sets, Owner])
def test_parents_of_union_find_in_an_object_are_the_same_forest_as_in_a_variable(kind, hide):
    def joined(pairs, sets):
        sets = hide(sets)
        inner = getattr(sets, "sets", sets)
        for one, other in pairs:
            inner.join(one, other)

    def plain(pairs, boss):
        for one, other in pairs:
            boss[other] = one

    pairs = [(0, 1), (2, 3), (0, 2)]
    show = FilmStory(crashlab.record(joined, pairs, Sets(range(5), kind)))
    (name,) = {name for name, view in show.papers if view.kind == "forest"}
    other = FilmStory(crashlab.record(plain, pairs, kind(range(5))), None, {"boss": forest})
    changes = [event.beat for event in show.film.events if event.target.endswith("]")]
    assert name.endswith(".boss") and len(changes) == len(pairs)
    for beat, same in zip(changes, other.stops_of("boss")[1:], strict=True):
        values = dict(enumerate(other.variables(same)["boss"])) if kind is list else other.variables(same)["boss"]
        nodes, there = (
            {words([piece])[0]: piece for piece in pieces(film, at, f"forest {title} node").values()}
            for film, at, title in ((show, beat, name), (other, same, "boss"))
        )
        assert nodes.keys() == there.keys() == {*map(str, values)}
        assert {key: piece.shapes for key, piece in nodes.items()} == {k: p.shapes for k, p in there.items()}
        lines = len(pieces(show, beat, f"forest {name} line"))
        assert lines == sum(node != boss for node, boss in values.items())


def test_boxes_of_a_linked_list_stay_where_they_are_while_arrows_turn():
    show = FilmStory(crashlab.record(reverse, Item(1, Item(2, Item(3)))))
    assert set(show.views.values()) == {(objects,)}
    boxes = [{k: (p.x, p.y) for k, p in pieces(show, beat, " box ").items()} for beat in range(1, show.beats + 1)]
    assert all(places == boxes[0] for places in boxes) and len(boxes[0]) == 3
    assert len({y for _, y in boxes[0].values()}) == 1

    def leads(beat):
        """Return for each box, from left to right, whether its arrows point right."""
        arrows = [p.shapes for p in sorted(pieces(show, beat, " arrows ").values(), key=lambda piece: piece.x)]
        ends = [[s.points[-1][0] for s in shapes if isinstance(s, Line) and s.arrow] for shapes in arrows]
        return [[x > 0 for x in tips] for tips in ends]

    assert leads(1) == [[True], [True], []] and leads(show.beats) == [[], [False], [False]]


def test_two_names_for_one_object_are_two_arrows_to_one_box():
    def share(one):
        other = one
        other.value = 5
        return one

    show = FilmStory(crashlab.record(share, Item(1)))
    assert len(pieces(show, show.beats, " box ")) == 1
    names = pieces(show, show.beats, " name ")
    assert words(names.values()) == ["one", "other"]
    assert sum(shape.arrow for piece in names.values() for shape in piece.shapes if isinstance(shape, Line)) == 2


def test_a_tree_of_objects_is_a_tree_and_a_missing_child_leaves_its_room():
    def insert(node, key):
        if node is None:
            return Node(key)
        if key < node.key:
            node.left = insert(node.left, key)
        else:
            node.right = insert(node.right, key)
        return node

    def plant(keys):
        root = None
        for key in keys:
            root = insert(root, key)
        return root

    show = FilmStory(crashlab.record(plant, [5, 2, 8, 3]))
    at = {words([p])[0]: (p.x, p.y) for p in pieces(show, show.beats, " box ").values()}
    assert at["2"][0] < at["3"][0] < at["5"][0] < at["8"][0]
    assert at["5"][1] < at["2"][1] == at["8"][1] < at["3"][1]


def test_the_calls_that_run_stand_below_each_other_with_their_variables():
    def outer(n):
        twice = inner(n)
        return twice + 1

    def inner(m):
        result = 2 * m
        return result

    show = FilmStory(crashlab.record(outer, 4, also=inner))
    beat = show.stops_of("m")[0]
    labels = words(pieces(show, beat, "stack").values())
    assert labels == ["outer", "n", "4", "inner", "m", "4", "result", "not set yet"]
    assert words(pieces(show, show.beats, "stack").values()) == ["outer", "n", "4", "twice", "8"]


def test_what_is_only_read_is_shown_too():
    def look(row, target):
        for i in range(len(row)):
            if row[i] == target:
                return i

    show = FilmStory(crashlab.record(look, [4, 7, 9], 9))
    assert words(pieces(show, 1, " box ").values()) == ["4", "7", "9"]
    assert words(pieces(show, 1, "stack").values())[:2] == ["target", "9"]


def test_buckets_are_rows_and_a_part_of_them_is_no_picture_of_its_own():
    def count(texts):
        buckets = [[] for _ in range(2)]
        for text in texts:
            bucket = buckets[len(text) % 2]
            bucket.append(text)
        return buckets

    show = FilmStory(crashlab.record(count, ["to", "be", "nor"]))
    assert show.views["buckets"] == (table,) and "bucket" not in show.views
    assert words(pieces(show, show.beats, "table buckets").values()) == [
        "buckets: 2",
        "0",
        "'to'",
        "'be'",
        "1",
        "'nor'",
    ]


def test_two_names_of_one_list_and_two_rows_that_are_one_are_seen_to_be_one():
    def share(n):
        grid = [[0] * n] * n
        grid[1][0] = 5
        row = [1, 2]
        other = row
        other[0] = 7
        return grid, row

    show = FilmStory(crashlab.record(share, 3))
    beat = show.stops_of("grid")[-1]
    labels = words(pieces(show, beat, "table grid").values())
    assert {"1 is 0", "2 is 0"} <= {*labels} and labels.count("5") == 3
    lit = [s for p in pieces(show, beat, "table grid").values() for s in p.shapes if getattr(s, "fill", "") == "flash"]
    assert len(lit) == 3
    beat = show.stops_of("other")[-1]
    for name, title in (("row", "row = other"), ("other", "other = row")):
        drawings = pieces(show, beat, f"cells {name}")
        assert title in words(drawings.values()) and "7" in words(drawings.values())
        assert any(getattr(shape, "fill", "") == "flash" for piece in drawings.values() for shape in piece.shapes)


def kahn(graph):
    steps = dict.fromkeys(graph, 0)
    for a in graph:
        for b in graph[a]:
            steps[b] += 1
    ready, order = [node for node in graph if steps[node] == 0], []
    while ready:
        v = ready.pop(0)
        order.append(v)
        for w in graph[v]:
            steps[w] -= 1
            if steps[w] == 0:
                ready.append(w)
    return order


def test_variables_of_a_loop_that_is_over_have_no_rings_and_the_legend_tells_all():
    show = FilmStory(crashlab.record(kahn, GRAPH))
    assert pieces(show, 5, "a !") and pieces(show, 5, "b !")
    last = show.picture(show.beats - 3)
    assert {piece.key for piece in last.pieces if piece.key.endswith(" !")} == {"v !", "w !"}
    assert ["a, b, v, w: golden ring", "steps: numbers"] == show.legend[1:]


def test_edges_end_where_rings_end():
    show = FilmStory(crashlab.record(kahn, GRAPH))
    ends = [shape.points[-1] for shape in show.graph.shapes() if isinstance(shape, Line)]
    for x, y in ends:
        gap = min(((x - p) ** 2 + (y - q) ** 2) ** 0.5 for p, q in show.graph.places.values())
        assert gap > show.graph.radius + 8


def costs(p):
    n = len(p) - 1
    cost = [[0] * n for _ in range(n)]
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            j = i + length - 1
            cost[i][j] = 10**6
            for k in range(i, j):
                new = cost[i][k] + cost[k + 1][j] + p[i] * p[k + 1] * p[j + 1]
                cost[i][j] = min(new, cost[i][j])
    return cost[0][-1]


def test_the_cells_that_a_line_reads_are_framed():
    film = crashlab.record(costs, [10, 30, 5, 60, 4])
    show = FilmStory(film)
    for event in film.events:
        if event.name == "new":
            i, j, k = (film.at(event.beat)[name] for name in "ijk")
            values = show.code.with_indices(film.at(event.beat))
            pairs = show.code.pairs_at("cost", *film.line(event.beat))
            assert {(values[row], values[column]) for row, column in pairs} == {(i, k), (k + 1, j), (i, j)}


def test_on_a_map_every_place_that_is_framed_has_its_name():
    def reaches(grid, start, goal):
        queue, seen = [start], {}
        while queue:
            r, c = queue.pop(0)
            seen[r, c] = True
            for dr, dc in ((0, 1), (1, 0)):
                nr, nc = r + dr, c + dc
                if nr < 3 and nc < 3 and grid[nr][nc] == "." and (nr, nc) not in seen:
                    queue.append((nr, nc))
        return goal in seen

    film = crashlab.record(reaches, ["..#", ".#.", "..."], (0, 0), (2, 2))
    show = FilmStory(film)
    beat = next(event.beat for event in film.events if event.name == "nr" and event.after == 2)
    names = {(1, 0): "r,c", (2, 0): "nr,nc", (0, 0): "start", (2, 2): "goal"}
    assert {(film.at(beat)["r"], film.at(beat)["c"]), (2, film.at(beat)["nc"])} <= names.keys()
    drawn = show.picture(beat)
    texts = {text.text for text in drawn.board if isinstance(text, Text)} | {*words(drawn.pieces)}
    assert {*names.values()} <= texts


def test_all_of_a_text_is_shown_where_it_fits_a_little_smaller():
    def search(text, word):
        places = []
        for i in range(len(text)):
            if text[i] == word[0]:
                places.append(i)
        return places

    show = FilmStory(crashlab.record(search, "abacabacad", "ad"))
    assert "".join(words(pieces(show, 4, "paper cells text box").values())) == "abacabacad"


def test_a_node_is_coloured_by_what_it_has_and_keeps_its_name():
    def two_colours(graph, start):
        side, todo = {start: "red"}, [start]
        while todo:
            here = todo.pop()
            for there in graph[here]:
                if there not in side:
                    side[there] = "black" if side[here] == "red" else "red"
                    todo.append(there)
        return side

    graph = {"A": ["B", "C"], "B": ["A", "D"], "C": ["A", "D"], "D": ["B", "C"]}
    film = crashlab.record(two_colours, graph, "A")
    show = FilmStory(film, None, {"side": on_graph(graph, heat=lambda side: side == "red")})
    discs = {words([piece])[0]: piece.shapes[-2].fill for piece in pieces(show, film.beats, "side").values()}
    assert discs == {"A": "heat 8", "B": "heat 0", "C": "heat 0", "D": "heat 8"}


def by_while(text, word):
    fail, i, k = algorithms.failures(word), 0, 0
    while i < len(text):
        if text[i] == word[k]:
            i += 1
            k += 1
            if k == len(word):
                return i - k
        elif k > 0:
            k = fail[k - 1]
        else:
            i += 1
    return None


def letter_by_letter(text, word):
    for s in range(len(text) - len(word) + 1):
        k = 0
        while k < len(word) and text[s + k] == word[k]:
            k += 1
        if k == len(word):
            return s
    return None


def by_slices(text, word):
    for i in range(len(text)):
        if text[i : i + len(word)] == word:
            return i
    return None


@pytest.mark.parametrize(
    "function, shifts",
    [
        (algorithms.knuth_morris_pratt, [0, 4, 6, 12]),  # the successive positions at which the word is compared
        (by_while, [0, 4, 6]),
        (letter_by_letter, [0, 1, 2, 3, 4, 5, 6]),
        (by_slices, [0, 1, 2, 3, 4, 5, 6]),
    ],
)
def test_a_text_that_is_looked_for_lies_below_the_other_where_it_is_compared(function, shifts):
    show, positions = FilmStory(crashlab.record(function, "abacababacada", "abacad")), []
    for beat in range(1, show.beats + 1):
        below = pieces(show, beat, "paper cells text below ")
        assert "".join(words(piece for _, piece in sorted(below.items()))) == "a0b1a2c3a4d5"[: 2 * len(below)]
        columns = sorted(piece.x for piece in pieces(show, beat, "paper cells text box ").values())
        positions.append(columns.index(below["paper cells text below 0"].x))
    assert list(dict.fromkeys(positions)) == shifts and positions == sorted(positions)
    assert not pieces(show, 3, "paper cells word")


def test_a_name_of_eight_letters_stands_within_its_node_and_can_be_read():
    """Tasks of a topological sort have names of this length."""
    tasks = {"shirt": ["tie", "belt"], "tie": ["jacket"], "trousers": ["shoes", "belt"], "belt": ["jacket"]}
    tasks |= {"shoes": [], "jacket": []}
    shapes = Graph.of(tasks).placed((0, 0), (608, 288)).shapes()
    discs = {(shape.x, shape.y): shape.radius for shape in shapes if isinstance(shape, Circle)}
    names = {shape.text: shape for shape in shapes if isinstance(shape, Text)}
    assert len(discs) == 6 and names["trousers"].size >= 9
    for name, text in names.items():
        assert PER_BOLD * text.size * len(name) <= 2 * discs[text.x, text.y]


class Account:
    def __init__(self, owner):
        self.owner, self.history = owner, []

    def deposit(self, amount):
        self.history.append(amount)


class Letter:
    def __init__(self):
        self.below, self.ends = {}, False


def saved(amounts):
    account = Account("Ada")
    for amount in amounts:
        account.deposit(amount)
    return account


def spelled(texts):
    top = Letter()
    for text in texts:
        here = top
        for letter in text:
            if letter not in here.below:
                here.below[letter] = Letter()
            here = here.below[letter]
        here.ends = True
    return top


def grown(keys):
    root = Node(keys[0])
    for key in keys[1:]:
        here = root
        while (here.left if key < here.key else here.right) is not None:
            here = here.left if key < here.key else here.right
        if key < here.key:
            here.left = Node(key)
        else:
            here.right = Node(key)
    return root


def nearest(cost):
    inside = [False] * len(cost)
    for u in range(len(cost)):
        inside[u] = True
        for v in range(len(cost)):
            if cost[u][v] and not inside[v]:
                best = cost[u][v]
    return best


def wall_at(grid, place):
    is_wall = grid[place[0]][place[1]] == "#"
    return is_wall


def counted_walls(grid):
    walls = 0
    for r in range(len(grid)):
        for c in range(len(grid[0])):
            walls += grid[r][c] == "#"
    return walls


def test_few_objects_show_all_of_their_lists_and_many_are_readable():
    film = crashlab.record(saved, [10, 20, 30, 40, 50])
    show = FilmStory(film)
    assert "history: [10, 20, 30, 40, 50]" in words(show.picture(film.beats).pieces)
    for function, argument in ((grown, [8, 4, 12, 2, 6, 10, 14, 1, 3, 5, 7, 9, 11, 13, 15]), (spelled, ["car", "cat"])):
        film = crashlab.record(function, argument)
        show = FilmStory(film)
        boxes = [piece for key, piece in pieces(show, film.beats, " box ").items() if key.startswith("paper objects")]
        sizes = [piece.scale * shape.size for piece in boxes for shape in piece.shapes if isinstance(shape, Text)]
        assert len(boxes) in (15, 5) and min(sizes) >= 11
    arrows = pieces(show, film.beats, "arrows")
    assert sorted(words(arrows.values())) == ["a", "c", "r", "t"]  # objects in a dict are drawn at its keys


def test_only_rows_that_never_change_name_the_rows_of_a_table_and_equal_texts_are_not_one():
    show = FilmStory(crashlab.record(nearest, [[1, 2, 3], [2, 0, 1], [3, 1, 0]]))
    labels = words(show.picture(show.beats).pieces)
    assert "True" not in labels and {"inside", "T"} <= {*labels}
    show = FilmStory(crashlab.record(counted_walls, ["..#", ".#.", "..#"]))
    assert not [word for word in words(show.picture(show.beats).pieces) if " is " in word]


def test_a_matrix_whose_rows_and_columns_are_indices_of_one_list_is_a_graph():
    show = FilmStory(crashlab.record(nearest, [[0, 2, 3], [2, 0, 0], [3, 0, 0]]))
    assert show.graph is not None and show.graph.graph.edges == {(0, 1): 2, (0, 2): 3, (1, 0): 2, (2, 0): 3}
    last = pieces(show, show.beats, "inside o")
    assert sorted(last) == ["inside o 0", "inside o 1", "inside o 2"] and not pieces(show, 2, "inside o")  # as rings
    grid = FilmStory(crashlab.record(wall_at, ["..#", "#.."], (1, 0)))
    assert "grid: 2 x 3" in words(grid.picture(grid.beats).pieces)  # although it is short and has no named index
    still = FilmStory(crashlab.record(counted_walls, [[0, 1], [1, 0]]))
    assert still.graph is None  # no list is indexed by both


def test_the_arrow_of_an_index_before_the_first_one_is_left_of_the_row():
    def insert(row):
        i = len(row) - 1
        while i >= 0 and row[i] > 2:
            i -= 1
        return i

    story = FilmStory(crashlab.record(insert, [5, 4, 3]))
    places = {piece.key.removeprefix("paper cells row "): piece.x for piece in story.picture(story.beats).pieces}
    assert places["at i"] < places["box 0"] < places["box 1"]


class Dog:
    tricks = []  # noqa: RUF012

    def __init__(self, name):
        self.name = name

    def learn(self, trick):
        self.tricks.append(trick)


def test_a_class_with_data_of_its_own_is_a_box_below_its_objects():
    def teach():
        rex = Dog("Rex")
        rex.learn("sit")
        return rex

    story = FilmStory(crashlab.record(teach, also=Dog))
    texts = [
        shape.text for piece in story.picture(story.beats).pieces for shape in piece.shapes if isinstance(shape, Text)
    ]
    assert {"class Dog", "['sit']", "'Rex'"} <= {*texts}
    boxes = [piece for piece in story.picture(story.beats).pieces if "box" in piece.key]
    assert len(boxes) == 2 and boxes[0].y != boxes[1].y
