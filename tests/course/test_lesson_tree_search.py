"""Lesson 46: its positions, its plain search compared with the package's, and its exercises."""

from math import inf, log, sqrt

import pytest
from notebook_cells import defined

import crashlab
from crashlab import Random
from crashlab.agents.monte_carlo import Search
from crashlab.course.exercises import CHECKS
from crashlab.course.lessons import tree_search as lesson


def backup(path, reward):
    """Update the nodes by a recursion, while the lesson's answer is a loop."""
    if path:
        path[0].visits, path[0].wins = path[0].visits + 1, path[0].wins + (reward[0], reward[1])[path[0].mover]
        backup(path[1:], reward)


def select(node, c=0.7):
    """Compute all bounds first, while the lesson's answer is a `max` with a key."""
    bounds = []
    for child in node.children:
        wide = c * (log(node.visits) / max(child.visits, 1)) ** 0.5
        bounds.append(child.wins / child.visits + wide if child.visits else inf)
    return node.children[bounds.index(max(bounds))]


RIGHT = {"al-46": backup, "al-46b": select}


def plain():
    """Return the functions of the notebook with right answers."""
    return defined("46_tree_search.ipynb", backup=backup, select=select)


def changing(change):
    """Return a `backup` that sets each node's visits and wins to change(index, node, reward)."""

    def wrong(path, reward):
        for number, node in enumerate(path):
            node.visits, node.wins = change(number, node, reward)

    return wrong


def mean(child):
    return child.wins / child.visits


def more(total, child, c):
    return c * sqrt(log(total.visits) / child.visits)


def by(bound):
    return lambda node, c: max(node.children, key=lambda child: bound(node, child, c) if child.visits else inf)


def forgets_the_unvisited(node, c):
    return max(node.children, key=lambda child: mean(child) + more(node, child, c))


def least(node, c):
    return min(node.children, key=lambda child: mean(child) + more(node, child, c) if child.visits else inf)


@pytest.mark.parametrize(
    "name, answer, hint",
    [
        ("al-46", lambda path, reward: None, "Nothing has changed"),
        ("al-46", lambda path, reward: path.clear(), "but not the path itself"),
        ("al-46", changing(lambda n, node, reward: (node.visits + 1, node.wins + reward[0])), "B chooses what is good"),
        ("al-46", changing(lambda n, node, reward: (node.visits + 1, node.wins + reward[1 - node.mover])), "other"),
        (
            "al-46",
            changing(lambda n, node, reward: (node.visits + 1, node.wins + reward[1 - n % 2])),
            "the sides alternate",
        ),
        ("al-46", changing(lambda n, node, reward: (node.visits + 1, reward[node.mover])), "The old wins are gone"),
        ("al-46", changing(lambda n, node, reward: (node.visits, node.wins + reward[node.mover])), "count the visit"),
        ("al-46", changing(lambda n, node, reward: (node.visits + 1, node.wins)), "the wins are missing"),
        ("al-46", changing(lambda n, node, reward: (node.visits + 1, node.wins + 1)), "whoever won"),
        ("al-46", lambda path, reward: backup(path[-1:], reward), "Only the last node"),
        ("al-46", lambda path, reward: backup(path[1:], reward), "the root, was visited"),
        ("al-46b", lambda node, c: select(node), "That is right for c = 0.7 only"),
        ("al-46b", lambda node: select(node), "It is called as select(node, c)"),
        ("al-46b", forgets_the_unvisited, "give it `math.inf`"),
        ("al-46b", by(lambda node, child, c: mean(child)), "the best share of wins alone"),
        ("al-46b", by(lambda node, child, c: child.wins + more(node, child, c)), "divide them"),
        ("al-46b", by(lambda node, child, c: mean(child) + c * log(node.visits) / child.visits), "root is missing"),
        ("al-46b", by(lambda node, child, c: mean(child) + more(child, child, c)), "N counts those of the node"),
        ("al-46b", by(lambda node, child, c: mean(child) + more(node, child, 1)), "Multiply the square root by c"),
        ("al-46b", by(lambda node, child, c: mean(child) + c * c / more(node, child, c)), "upside down"),
        ("al-46b", least, "the least"),
        ("al-46b", lambda node, c: select(node, c).visits, "Return the child itself"),
        ("al-46b", lambda node, c: node.children.index(select(node, c)), "Return the child itself"),
        ("al-46b", lambda node, c: min(node.children, key=lambda child: child.visits), "fewest visits"),
        ("al-46b", lambda node, c: max(node.children, key=lambda child: child.visits), "most visits"),
    ],
)
def test_a_wrong_answer_gets_its_hint(capsys, name, answer, hint):
    crashlab.check(name, answer)
    words = capsys.readouterr().out
    assert words.startswith(f"{name}: not yet: ") and hint in words


def test_a_child_is_selected_again_however_badly_it_went():
    """One child always loses and the other always wins, as in the question after "right!"."""
    good, bad = lesson.Node("good", 0, "good"), lesson.Node("bad", 0, "bad")
    node = lesson.Node("root", 1, children=[good, bad], visits=1)
    taken = []
    for _ in range(2000):
        child = select(node)
        backup([node, child], (1.0, 0.0) if child is good else (0.0, 1.0))
        taken.append(child is bad)
    assert node.visits == good.visits + bad.visits + 1
    assert 2 < sum(taken) < 20 and any(taken[-1500:])


def wins(state, plies):
    """Return whether the mover can force a win within this many decisions; None if that is open."""
    seat = state.actors[0]
    worst = False
    for action in state.actions(seat):
        after = state.play(action).after
        if after.over:
            result = after.winners == (seat,)
        elif plies == 1:
            result = None
        else:
            result = wins(after, plies - 1)
            if result is not None and after.actors[0] != seat:
                result = not result
        if result:
            return True
        worst = None if result is None else worst
    return worst


def test_only_the_crash_saves_a():
    """In the threat every other drive loses at once, and the crash wins, whatever B replies."""
    state = lesson.threat()
    drives = state.actions(0)
    after = {str(drive): state.play(drive).after for drive in drives}
    (crash,) = (drive for drive, there in after.items() if there.phase == "crash")
    assert crash == "drive A8 1,-1E" == str(drives[4])
    for drive, there in after.items():
        if drive != crash:
            assert there.play("park B8").after.winners == (1,)
    assert wins(after[crash], 4) is False


@pytest.mark.parametrize("beginner", "AB")
def test_nobody_wins_the_open_race_soon(beginner):
    state = lesson.open_race().game.read({**lesson.open_race().to_dict(), "asked": beginner})
    assert wins(state, 4) is None


@pytest.mark.slow
def test_the_plain_playouts_are_worth_what_those_of_the_package_are():
    """Both play to the end of the game."""
    functions = plain()
    state = lesson.threat()
    search = Search(state, 0, method="flat", decisions=None, value="win", seed=1)
    search.grow(8 * 1000)
    values = {str(row.action): row.value for row in search.thoughts().rows}
    for drive in ("drive A8 1,-1E", "drive A8 1,-2W"):
        rng, after = Random(2), state.play(drive).after
        share = sum(functions["simulate"](after, rng, 10_000)[0] for _ in range(50)) / 50
        assert abs(share - values[drive]) < 4 * sqrt(0.25 / 50 + 0.25 / 1000), drive


def test_the_plain_tree_chooses_what_the_tree_of_the_package_chooses():
    functions = plain()
    for state in (lesson.threat(), lesson.threat().play("drive A8 1,-2W").after):
        seat = state.actors[0]
        search = Search(state, seat, method="mcts", decisions=30, value="win", seed=1)
        search.grow(600)
        root, tried = functions["search"](state, 300, Random(1), functions["select"])
        assert str(max(tried, key=tried.get)) == str(search.thoughts().best)
        assert sum(child.visits for child in root.children) == root.visits - 1


def test_every_node_counts_all_that_went_through_it():
    functions = plain()
    root, _ = functions["search"](lesson.threat(), 200, Random(1), functions["select"])
    nodes = [root]
    for node in nodes:
        nodes += node.children
        below = sum(child.visits for child in node.children)
        assert node.visits - below in ((0, 1) if node.children else range(201))
        assert 0 <= node.wins <= node.visits
    assert root.visits == 200


@pytest.mark.slow
def test_it_is_deep_only_where_it_matters():
    functions = plain()
    state = lesson.threat()
    deep = {name: functions["search"](state, 300, Random(1), functions[name])[0] for name in ("fair", "select")}
    depths = {name: [functions["depth"](child) for child in root.children] for name, root in deep.items()}
    crash = 4
    assert depths["select"][crash] == max(depths["select"]) > max(depths["fair"])
    assert deep["select"].children[crash].visits > 150
    assert max(child.visits for child in deep["fair"].children) <= 38


def test_the_exercises_are_those_of_the_lesson():
    assert RIGHT.keys() == {exercise.name for exercise in lesson.CHECKS} <= CHECKS.keys()
