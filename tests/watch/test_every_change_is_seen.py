"""Every beat that changes something changes the picture, however large the values are."""

from random import Random

import numpy as np
import pytest
import recorded_algorithms as algorithms

import crashlab
from crashlab.drawing.primitives import GLOW
from crashlab.drawing.shapes import Text
from crashlab.watch.things import ABSENT
from crashlab.watch.views import FilmStory

LETTERS = "intention to be read by everybody who is here"


def rows_of(numbers):
    """Fill the table of a knapsack."""
    best = [[0] * 51 for _ in range(5)]
    for n, (weight, worth) in enumerate(numbers, 1):
        for left in range(51):
            best[n][left] = best[n - 1][left]
            if weight <= left:
                best[n][left] = max(best[n][left], best[n - 1][left - weight] + worth)
    return best


def edits(one, other):
    """Fill the table of the edit distance of two texts."""
    far = [[i + j if i * j == 0 else 0 for j in range(len(other) + 1)] for i in range(len(one) + 1)]
    for i in range(1, len(one) + 1):
        for j in range(1, len(other) + 1):
            far[i][j] = min(far[i - 1][j] + 1, far[i][j - 1] + 1, far[i - 1][j - 1] + (one[i - 1] != other[j - 1]))
    return far


def primes(n):
    prime = [True] * n
    for p in range(2, n):
        if prime[p]:
            for k in range(p * p, n, p):
                prime[k] = False
    return prime


def squares(n):
    table = [[0] * n for _ in range(n)]
    for row in range(n):
        for column in range(n):
            table[row][column] = (row + 1) * (column + 1)
    return table


def linked(edges):
    graph = {}
    for one, other, far in edges:
        graph.setdefault(one, {})[other] = far
        graph.setdefault(other, {})
    return graph


def cells_of(n):
    grid = np.zeros((n, n), dtype=int)
    for row in range(1, n):
        for column in range(1, n):
            grid[row, column] = grid[row - 1, column] + column
    line = np.zeros(n * n)
    for place in range(n * n):
        line[place] = place
    grid[3] += 1
    return grid, line


def pairs(n):
    ways = {}
    for row in range(n):
        for column in range(n):
            ways[row, column] = ways.get((row - 1, column), 1) + ways.get((row, column - 1), 0)
    return ways


def counted(n):
    often, seen, recent = {}, set(), []
    for number in range(n):
        often[number % 97] = often.get(number % 97, 0) + 1
        seen.add(number * 7 % 101)
        recent.append(number)
        if len(recent) > 60:
            recent.pop(0)
    return often


def aliased(n):
    grid = [[0] * n] * n
    for place in range(n):
        grid[place][place] = 1
    row = grid[0]
    row[0] = 2
    return grid


def numbers(n):
    return [Random(1).sample(range(n), n)]


GRAPH = {n: [n + 1, 2 * n] if 2 * n < 24 else [] for n in range(1, 24)}
LARGE = {
    "knapsack of 50": (rows_of, [[(12, 4), (2, 2), (1, 1), (4, 10)]]),
    "edits of 40 letters": (edits, ["intention", LETTERS[:40]]),
    "sieve of 60": (primes, [60]),
    "table of 12 x 12": (squares, [12]),
    "dict of dicts": (linked, [["AB2", "BC1", "CA4", "DE1", "EF2"]]),
    "arrays": (cells_of, [9]),
    "dict of pairs": (pairs, [14]),
    "dict, set and list": (counted, [150]),
    "one list as rows": (aliased, [5]),
    "bubble": (algorithms.bubble, numbers(30)),
    "insertion": (algorithms.insertion, numbers(40)),
    "quick": (algorithms.quick, numbers(20)),
    "merge": (algorithms.merge, numbers(20)),
    "heaps": (algorithms.heaps, numbers(30)),
    "counting": (algorithms.counting, [LETTERS.split() * 3]),
    "memory": (algorithms.memory, [30]),
    "hanoi": (algorithms.hanoi, [5]),
    "queens": (algorithms.queens, [6]),
    "row of distances": (algorithms.distance, ["crash" * 2, LETTERS[:30]]),
    "search in a text": (algorithms.knuth_morris_pratt, ["abacab" * 6 + "abacad", "abacad"]),
    "unions": (algorithms.unions, [[(n, 3 * n % 40) for n in range(40)], 40]),
    "sieve by slices": (algorithms.sieve, [90]),
    "relax": (algorithms.relax, [30]),
    "life": (algorithms.life, [np.eye(14, dtype=int).tolist(), 3]),
    "linked": (algorithms.linked, numbers(14)),
    "rotation": (algorithms.rotation, [list(range(30)), 20]),
    "flood": (algorithms.flood, [["." * 12] * 6, (0, 0)]),
    "search": (algorithms.search_depth, [GRAPH, 1]),
    "steps": (algorithms.steps_from, [GRAPH, 1]),
    "dijkstra": (algorithms.dijkstra, [{n: dict.fromkeys(ends, n) for n, ends in GRAPH.items()}, 1]),
}


def drawn(story, beat):
    """Return the positions and texts of a picture's pieces, without the highlights."""
    return {
        (piece.key, round(piece.x, 2), round(piece.y, 2), tuple(s for s in piece.shapes if isinstance(s, Text)))
        for piece in story.picture(beat).pieces
    }


def is_lit(piece):
    return any(getattr(shape, "fill", "") == "flash" or getattr(shape, "stroke", "") == GLOW for shape in piece.shapes)


def lit(story, beat, name):
    """Return whether a diagram of a variable is highlighted."""
    papers = [p for p in story.picture(beat).pieces if p.key.startswith("paper") and name in p.key.split()]
    return any(map(is_lit, papers))


@pytest.mark.few(10)
@pytest.mark.parametrize("name", LARGE)
def test_every_beat_that_changes_something_changes_the_picture(name):
    function, arguments = LARGE[name]
    film = crashlab.record(function, *arguments)
    assert not film.stopped and film.beats > 7
    story = FilmStory(film)
    papers = {name: view.kind for name, view in story.papers}
    before = drawn(story, 1)  # the first beat shows the arguments, some of them only as heads of tables
    unseen, unlit = [], []
    for beat in range(2, film.beats + 1):
        now = drawn(story, beat)
        if now == before and not any(map(is_lit, story.picture(beat).pieces)):
            unseen.append((beat, story.words(beat)))
        before = now
        for event in story.changes(beat):
            if event.key is not None and event.after is not ABSENT and papers.get(event.name, "objects") != "objects":
                if not lit(story, beat, event.name):
                    unlit.append((beat, event.words))
    assert (len(unseen), unseen[:3], len(unlit), unlit[:3]) == (0, [], 0, [])
