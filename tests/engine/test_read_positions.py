"""No position that `read` accepts leads to an impossible one or to one that cannot be read again.

Positions of random play are changed at random, in plain JSON: parts are left out, numbers changed, parts and single
entries taken from other positions. Most are refused; from the others the game continues, by every legal action if these
are few, and then at random.
"""

import json

import pytest
from effort import effort
from game_variants import combined

import crashlab
from crashlab import CrashlabError, Random

# The number of changed positions to try, smaller for long games; in `make proof` a hundred
# times as many.
POSITIONS = {"autoscooter": 300, "crash_and_grab": 500, "crash_by_crash": 60, "crash_city": 100}
USUAL = 100  # for any other game
TIMES = effort(1, 1, 100)
FEW, DECISIONS = 8, 6  # legal actions that are all tried; random decisions after them


def plain(game, seed, apart):
    """Return a position from the first `apart` decisions of a random game, or a seat's view of it, in plain JSON."""
    state, rng = game.start(seed), Random(seed)
    for _ in range(rng.below(apart)):
        if state.over:
            break
        state = state.sample(rng).after
    view = state.seen_by(rng.choice(game.seats)) if rng.below(8) == 0 else state
    return json.loads(json.dumps(view.to_dict()))


def places(data):
    """Yield every place in nested JSON: its container and its key."""
    for key in list(data) if isinstance(data, dict) else range(len(data)):
        yield data, key
        if isinstance(data[key], (dict, list)):
            yield from places(data[key])


def change(data, other, rng):
    """Change a number, leave out a part, or take a part from the other position."""
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


def changed(bases, rng):
    """Return a position of random play with one to three changes."""
    data, other = (json.loads(rng.choice(bases)) for _ in range(2))
    for _ in range(1 + rng.below(3)):
        change(data, other, rng)
    return data


def check(game, state):
    """Check the invariants that hold for every position."""
    assert game.problems(state) == []
    assert state.over or state.closed or all(len(state.actions(seat)) for seat in state.actors)
    again = state if state.closed else game.read(state.text)
    assert again == state and game.read(json.loads(json.dumps(state.to_dict()))).table == state.table


def play_on(game, state, rng):
    """Play every legal action of a single seat if they are few, and then on at random."""
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
    """Return whether a changed position is accepted, and check an accepted one."""
    data = changed(bases, rng)
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
