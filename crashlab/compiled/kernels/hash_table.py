"""A hash table that numbers positions and finds their number by their key.

Functions for backends. A key is a sequence of numbers that is unique to a position. The table is stored in two arrays,
initially zeros:

    keys     HEAD numbers about the hash table, then for each position ENTRY numbers and its key
    buckets  the offset in `keys` of the first position of each bucket, 0 for none; the length is a power of two
"""

from crashlab.engine.table import NOWHERE, Ints

# The head of the hash table: the number of its positions, and the length that they fill in `keys`.
SIZE, USED = range(2)
HEAD = 2

# The entry of a position: the offset of the next position in the same bucket, its number, the length of its key.
NEXT, NUMBER, LENGTH = range(3)
ENTRY = 3


def size(keys: Ints) -> int:
    """Return the number of known positions, which is also the number that the next position will get."""
    return keys[SIZE]


def next_key(keys: Ints) -> int:
    """Return the index in `keys` at which the key of the next position will begin."""
    return HEAD + keys[USED] + ENTRY


def key_end(first: int, keys: Ints) -> int:
    """Return the end of the key that begins at `first` in `keys`."""
    return first + keys[first - ENTRY + LENGTH]


def has_room(length: int, keys: Ints, buckets: Ints) -> bool:
    """Return whether there is room for one more position with a key of this length."""
    return next_key(keys) + length <= len(keys) and keys[SIZE] < len(buckets)


def find(key: Ints, length: int, keys: Ints, buckets: Ints) -> int:
    """Return the number of the position with this key; NOWHERE if it is not known."""
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
    """Add the position with this key and return its number; it must be new, and there must be room."""
    bucket = bucket_of(key, 0, length, buckets)
    place = HEAD + keys[USED]
    keys[place + NEXT], keys[place + NUMBER], keys[place + LENGTH] = buckets[bucket], keys[SIZE], length
    for number in range(length):
        keys[place + ENTRY + number] = key[number]
    buckets[bucket] = place
    keys[SIZE] += 1
    keys[USED] += ENTRY + length
    return keys[SIZE] - 1


def spread(keys: Ints, buckets: Ints) -> None:
    """Put all positions into `buckets`, which must be empty."""
    place = HEAD
    while place < HEAD + keys[USED]:
        bucket = bucket_of(keys, place + ENTRY, keys[place + LENGTH], buckets)
        keys[place + NEXT], buckets[bucket] = buckets[bucket], place
        place += ENTRY + keys[place + LENGTH]


def bucket_of(row: Ints, first: int, length: int, buckets: Ints) -> int:
    """Return the bucket of the key row[first : first + length]."""
    mixed = length
    for place in range(first, first + length):
        mixed = (mixed * 1000003 ^ row[place]) & 0x7FFFFFFF
    return (mixed ^ mixed >> 15) & len(buckets) - 1
