"""A hash table: what has been met, by number, found again by its key in one step.

Functions for bodies. A key is a row of numbers that tells a position from all others of the same hash table. All
is kept in two rows, zeros at first:

    keys     HEAD numbers about the hash table, then of each position ENTRY numbers and its key
    buckets  where the first position of each bucket begins in `keys`, 0 for none; their number is a power of two
"""

from crashlab.engine.table import NOWHERE, Ints

# Of the hash table: how many positions are in it, and how much of `keys` they fill.
KNOWN, USED = range(2)
HEAD = 2

# Of a position: where the next one with the same bucket begins, its number, how long its key is.
NEXT, NUMBER, LENGTH = range(3)
ENTRY = 3


def known(keys: Ints) -> int:
    """How many positions are known; the next one gets this number."""
    return keys[KNOWN]


def next_key(keys: Ints) -> int:
    """Where in `keys` the key of the next position will begin."""
    return HEAD + keys[USED] + ENTRY


def key_end(first: int, keys: Ints) -> int:
    """Where the key ends that begins here in `keys`."""
    return first + keys[first - ENTRY + LENGTH]


def has_room(length: int, keys: Ints, buckets: Ints) -> bool:
    """Whether one more position with a key of this length can be entered."""
    return next_key(keys) + length <= len(keys) and keys[KNOWN] < len(buckets)


def find(key: Ints, length: int, keys: Ints, buckets: Ints) -> int:
    """The number of the position with this key; NOWHERE if it is not known."""
    place = buckets[bucket_of(key, 0, length, buckets)]
    while place != 0:
        if keys[place + LENGTH] == length:
            same = 0
            while same < length and keys[place + ENTRY + same] == key[same]:
                same += 1
            if same == length:
                return keys[place + NUMBER]
        place = keys[place + NEXT]
    return NOWHERE


def enter(key: Ints, length: int, keys: Ints, buckets: Ints) -> int:
    """Enter the position with this key, which is not known; its number. There must be room for it."""
    bucket = bucket_of(key, 0, length, buckets)
    place = HEAD + keys[USED]
    keys[place + NEXT], keys[place + NUMBER], keys[place + LENGTH] = buckets[bucket], keys[KNOWN], length
    for number in range(length):
        keys[place + ENTRY + number] = key[number]
    buckets[bucket] = place
    keys[KNOWN] += 1
    keys[USED] += ENTRY + length
    return keys[KNOWN] - 1


def spread(keys: Ints, buckets: Ints) -> None:
    """Put all positions into these buckets, which are empty."""
    place = HEAD
    while place < HEAD + keys[USED]:
        bucket = bucket_of(keys, place + ENTRY, keys[place + LENGTH], buckets)
        keys[place + NEXT], buckets[bucket] = buckets[bucket], place
        place += ENTRY + keys[place + LENGTH]


def bucket_of(row: Ints, first: int, length: int, buckets: Ints) -> int:
    """The bucket of the key that begins here in a row."""
    mixed = length
    for place in range(first, first + length):
        mixed = (mixed * 1000003 ^ row[place]) & 0x7FFFFFFF
    return (mixed ^ mixed >> 15) & len(buckets) - 1
