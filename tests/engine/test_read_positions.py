"""What `read` accepts can be played on from: no position leads to one that is impossible or cannot be read again.

Positions of random play are changed at random, in plain JSON: parts are left out, numbers changed, parts and single
entries taken from other positions. Most are refused; from the others the game goes on, by every legal action where
these are few, and then at random.
"""

import json

import pytest
from effort import effort
from game_variants import combined

import crashlab
from crashlab import CrashlabError, Random

# So many changed positions of a game are tried, fewer of games that take long; in `make proof` a hundred
# times as many.
POSITIONS = {"autoscooter": 300, "crash_and_grab": 500, "crash_by_crash": 60, "crash_city": 100}
USUAL = 100  # of any other game
TIMES = effort(1, 1, 100)
FEW, DECISIONS = 8, 6  # legal actions that are all tried; decisions that follow at random


def plain(game, seed, apart):
    """A position of a random game after fewer than so many decisions, or what a seat sees of it, in plain JSON."""
    state, rng = game.start(seed), Random(seed)
    for _ in range(rng.below(apart)):
        if state.over:
            break
        state = state.sample(rng).after
    view = state.seen_by(rng.choice(game.seats)) if rng.below(8) == 0 else state
    return json.loads(json.dumps(view.to_dict()))


def places(data):
    """Every place in nested JSON: what holds it, and its key."""
    for key in list(data) if isinstance(data, dict) else range(len(data)):
        yield data, key
        if isinstance(data[key], (dict, list)):
            yield from places(data[key])


def change(data, other, rng):
    """One change: of a number, of a part that is left out, or of one that is as in the other position."""
    holder, key = rng.choice(list(places(data)))
    value, kind = holder[key], rng.below(4)
    if kind == 0 and isinstance(value, int) and not isinstance(value, bool):
        holder[key] = max(0, value + rng.below(7) - 3)
    elif kind == 1:
        del holder[key]
    elif kind == 2:
        part = rng.choice(list(other))
        data[part] = other[part]
    else:
        alike = [h[k] for h, k in places(other) if k == key or (isinstance(k, int) and type(h[k]) is type(value))]
        if alike:
            holder[key] = rng.choice(alike)


def changed(game, bases, rng):
    """A position that differs from one of random play in one to three places."""
    data, other = (json.loads(rng.choice(bases)) for _ in range(2))
    for _ in range(1 + rng.below(3)):
        change(data, other, rng)
    return data


def check(game, state):
    """What is true of every position."""
    assert game.problems(state) == []
    assert state.over or state.closed or all(len(state.actions(seat)) for seat in state.actors)
    again = state if state.closed else game.read(state.text)
    assert again == state and game.read(json.loads(json.dumps(state.to_dict()))).table == state.table


def play_on(game, state, rng):
    """By every legal action, where a seat that decides alone has few, and then on at random."""
    check(game, state)
    if state.over:
        return
    few = len(state.actors) == 1 and len(state.actions(state.actors[0])) <= FEW
    turns = [state.play(action) for action in state.actions(state.actors[0])] if few else [state.sample(rng)]
    for turn in turns:
        check(game, turn.after)
    state = rng.choice(turns).after
    for _ in range(DECISIONS):
        if state.over:
            break
        state = state.sample(rng).after
        check(game, state)


def try_out(game, bases, rng):
    """Whether a changed position is accepted; if it is, it has to stand."""
    data = changed(game, bases, rng)
    try:
        state = game.read(data)
    except CrashlabError:
        return False
    check(game, state)
    play_on(game, game.read(state.guess(rng).text) if state.closed else state, rng)
    return True


@pytest.mark.few(2)
@pytest.mark.parametrize("name", crashlab.games())
def test_what_is_read_can_be_played_on_from(name):
    rng, games, accepted = Random(1), list(combined(name, f"crashlab.games.{name}")), 0
    positions = POSITIONS.get(name, USUAL)
    for number in range(4 * TIMES):
        game = rng.choice(games)
        bases = [json.dumps(plain(game, 4 * number + seed, 100)) for seed in range(4)]
        accepted += sum(try_out(game, bases, rng) for _ in range(positions // 4))
    assert accepted > TIMES * positions // 10
