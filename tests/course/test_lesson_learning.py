"""Lesson 48: its city, its plain learners compared with networkx, and its exercises."""

import networkx
import pytest
from notebook_cells import defined

import crashlab
from crashlab import Random
from crashlab.course.exercises import CHECKS
from crashlab.course.lessons import learning as lesson


def worth(outcomes, gamma=0.9):
    """Sort and take the last, while the lesson's answer is a `max`."""
    return sorted([reward + value * gamma for reward, value in outcomes] or [0])[-1]


def update(q, here, there, reward, alpha=0.5, gamma=0.9):
    """Assign the weighted mean of the old and the new value, while the lesson's answer adds a difference."""
    following = sorted([0.0, *q[there].values()])[-1] if q[there] else 0.0
    q[here][there] = (1 - alpha) * q[here][there] + alpha * (reward + gamma * following)


RIGHT = {"al-48": worth, "al-48b": update}


def streets():
    """Return the drives of the lesson, with none from the job."""
    return lesson.drives(lesson.city(), lesson.JOB)


def plain():
    """Return the functions of the notebook with right answers."""
    return defined("48_learning.ipynb", worth=worth, update=update, drives=streets())


def distances(drives):
    """Return the number of drives to the job for every place, by networkx."""
    graph = networkx.DiGraph([(there, here) for here, ends in drives.items() for there in ends])
    return networkx.multi_source_dijkstra_path_length(graph, {place for place, ends in drives.items() if not ends})


def learns(number):
    """Return an `update` that stores number(old, reward, following values, values here, alpha, gamma)."""

    def wrong(q, here, there, reward, a, g):
        q[here][there] = number(q[here][there], reward, list(q[there].values()), list(q[here].values()), a, g)

    return wrong


def best(some):
    return max(some, default=0.0)


def backwards(q, here, there, reward, alpha, gamma):
    q.setdefault(there, {})[here] = reward


@pytest.mark.parametrize(
    "name, answer, hint",
    [
        ("al-48", lambda some, g: max(r + g * v for r, v in some), "`max` takes a `default`"),
        ("al-48", lambda some, g: max((r + v for r, v in some), default=0.0), "multiply the value by gamma"),
        ("al-48", lambda some, g: max((g * (r + v) for r, v in some), default=0.0), "only the value"),
        ("al-48", lambda some, g: sum(r + g * v for r, v in some), "add up all"),
        ("al-48", lambda some, g: sum(r + g * v for r, v in some) / max(len(some), 1), "the mean"),
        ("al-48", lambda some, g: min((r + g * v for r, v in some), default=0.0), "the worst action"),
        (
            "al-48",
            lambda some, g: max((r for r, _ in some), default=0.0),
            "The value of the place it leads to is missing",
        ),
        ("al-48", lambda some, g: max((g * v for _, v in some), default=0.0), "The rewards are missing"),
        ("al-48", lambda some, g: best([r for r, _ in some]) + g * best([v for _, v in some]), "different actions"),
        ("al-48", lambda some, g: worth(some, g) if some else 1.0, "nothing more can be won"),
        ("al-48", lambda some, g: max(some, default=0.0), "must return one number"),
        ("al-48", lambda some, g: max(worth(some, g), 0.0), "and you say 0."),
        ("al-48", lambda some, g: worth(some), "That is right for gamma = 0.9 only"),
        ("al-48", lambda some: worth(some), "It is called as worth(outcomes, gamma)"),
        ("al-48b", lambda q, *step: update(q, *step[:3]), "That is right for alpha = 0.5 only"),
        ("al-48b", lambda q, *step: update(q, *step[:4]), "That is right for gamma = 0.9 only"),
        ("al-48b", learns(lambda old, r, after, row, a, g: r + g * best(after)), "only the fraction alpha"),
        ("al-48b", learns(lambda old, r, after, row, a, g: a * (r + g * best(after))), "The old number is lost"),
        ("al-48b", learns(lambda old, r, after, row, a, g: old + a * (r + g * best(after))), "stays whole"),
        ("al-48b", learns(lambda old, r, after, row, a, g: old + a * (r + best(after) - old)), "it by gamma"),
        ("al-48b", learns(lambda old, r, after, row, a, g: old + a * (g * (r + best(after)) - old)), "counts in full"),
        ("al-48b", learns(lambda old, r, after, row, a, g: old + a * (g * best(after) - old)), "The reward is missing"),
        (
            "al-48b",
            learns(lambda old, r, after, row, a, g: old + a * (r - old)),
            "The value of what follows is missing",
        ),
        ("al-48b", learns(lambda old, r, after, row, a, g: old + a * (r + g * sum(after) - old)), "not the sum"),
        (
            "al-48b",
            learns(lambda old, r, after, row, a, g: old + a * (r + g * best(row) - old)),
            "choice is made *there*",
        ),
        ("al-48b", learns(lambda old, r, after, row, a, g: old - a * (r + g * best(after) - old)), "*towards*"),
        ("al-48b", learns(lambda old, r, after, row, a, g: old + a * (r + g * max(after) - old)), "takes a `default`"),
        ("al-48b", lambda q, here, there, reward, a, g: None, "nothing has changed"),
        ("al-48b", backwards, "only q[here][there] may change"),
        ("al-48b", lambda q, here, there, reward, a, g: q[there] + reward, "is a dict"),
    ],
)
def test_a_wrong_answer_gets_its_hint(capsys, name, answer, hint):
    crashlab.check(name, answer)
    words = capsys.readouterr().out
    assert words.startswith(f"{name}: not yet: ") and hint in words


def test_the_city_is_as_the_lesson_says():
    drives, city = streets(), lesson.city()
    assert len(drives) == 130
    assert city.tiles[lesson.JOB].building == "shop" and list(city.cars) == ["A1"]
    assert distances(drives)[lesson.place_of(city.cars["A1"])] == 7
    assert all(city.place(place) for place in drives) and lesson.place_of(city.cars["A1"]) == "-1,-4N>W"


def test_the_layers_are_the_distances_of_networkx():
    assert plain()["steps_to_work"](streets()) == distances(streets())


def test_value_iteration_finds_the_values_of_the_distances():
    far = distances(streets())
    values = plain()["value_iteration"](streets(), max(far.values()))
    assert values == pytest.approx({place: 0.9 ** (far[place] - 1) if far[place] else 0.0 for place in far})


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "explore, episodes, learnt",
    [(0.5, 30, range(1, 65)), (0.5, 3000, [130]), (0, 3000, range(1, 65)), (1, 3000, [130])],
)
def test_what_is_learnt(explore, episodes, learnt):
    """3,000 episodes learn everything the search knows; 30, or any number without exploring, learn less than half."""
    functions = plain()
    functions["steps"] = distances(streets())
    assert functions["count_shortest"](functions["q_learn"](streets(), episodes, Random(1), explore)) in learnt


def test_what_is_learnt_are_the_values():
    functions, far = plain(), distances(streets())
    q = functions["q_learn"](streets(), 3000, Random(1), 1)
    right = sum(max(row.values()) == pytest.approx(0.9 ** (far[place] - 1)) for place, row in q.items() if row)
    assert right == sum(number > 0 for number in far.values())


def test_the_exercises_are_those_of_the_lesson():
    assert RIGHT.keys() == {exercise.name for exercise in lesson.CHECKS} <= CHECKS.keys()
