"""The hash table of positions, against a dict."""

import pytest

from crashlab import Random
from crashlab.compiled import choose_backend
from crashlab.compiled.kernels import hash_table
from crashlab.engine.game import Game
from crashlab.engine.table import NOWHERE

TOY = Game("toy", "toy", {})


@pytest.mark.parametrize(
    "backend", [choose_backend.interpreted(TOY.rules), choose_backend.compiled(TOY.rules)], ids=["plain", "compiled"]
)
def test_it_knows_what_a_dict_knows(backend):
    """Short keys of small numbers recur; one key may be a prefix of another one, or be empty."""
    keys, buckets, numbers, rng = backend.row(16), backend.row(1), {}, Random(1)
    find, enter, has_room = (backend.bind(it) for it in (hash_table.find, hash_table.enter, hash_table.has_room))
    for _ in range(3000):
        key = [rng.below(4) - 2 for _ in range(rng.below(6))]
        row = backend.row(8)
        row[: len(key)] = key
        assert find(row, len(key), keys, buckets) == numbers.get(tuple(key), NOWHERE)
        while not has_room(len(key), keys, buckets):
            keys, buckets = choose_backend.copied(keys, backend.row, 2), backend.row(2 * len(buckets))
            backend.bind(hash_table.spread)(keys, buckets)
        if tuple(key) not in numbers:
            place = hash_table.next_key(keys)
            assert enter(row, len(key), keys, buckets) == len(numbers) == numbers.setdefault(tuple(key), len(numbers))
            assert tuple(keys[place : place + len(key)]) == tuple(key)
    assert hash_table.size(keys) == len(numbers) > 500


def test_without_room_nothing_is_there_to_be_overwritten():
    assert not hash_table.has_room(0, [0] * 4, [0]) and hash_table.has_room(0, [0] * 5, [0])
    keys, buckets = [0] * 100, [0]
    assert hash_table.enter([7], 1, keys, buckets) == 0 and not hash_table.has_room(1, keys, buckets)
