"""Corrupt JSON files for the readers that must survive them."""

import copy
import json

ODD = [
    float("inf"), float("-inf"), float("nan"), -1, 0, 1, 2, 2.5, 10**400, -(10**400), 1e308, "", "0", "A", "\x1b[2J",
    "9" * 5000, None, True, False, [], {}, [[]], [1, 2, 3], ["A", "B"], {"A": 1}, [0] * 50,
]  # fmt: skip


def places(data):
    """Yield each container of a document with each of its keys."""
    pairs = list(data.items()) if isinstance(data, dict) else list(enumerate(data))
    for key, value in pairs:
        yield data, key
        if isinstance(value, dict | list):
            yield from places(value)


def damaged(data, rng):
    """Return a copy of a document in which one to three values are replaced, removed, doubled or swapped."""
    data = copy.deepcopy(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        every = list(places(data)) or [([0], 0)]
        where, key = rng.choice(every)
        how = rng.choice(("odd", "odd", "odd", "gone", "twice", "other"))
        if how == "odd":
            where[key] = copy.deepcopy(rng.choice(ODD))
        elif how == "gone":
            del where[key]
        elif how == "twice" and isinstance(where, list):
            where.append(where[key])
        else:
            there, other = rng.choice(every)
            where[key] = copy.deepcopy(there[other])
    return data


def damaged_text(text, rng):
    """Return text with one letter replaced or a part removed."""
    start = rng.randrange(len(text))
    if rng.random() < 0.5:
        return text[:start] + rng.choice('0{}[]",x\x00é ') + text[start + 1 :]
    return text[:start] + text[start + rng.randrange(1, 40) :]


def damaged_lines(text, rng):
    """Return lines of JSON with one of them damaged, as a document or as text."""
    lines = text.splitlines()
    place = rng.randrange(len(lines))
    if rng.random() < 0.2:
        lines[place] = damaged_text(lines[place], rng)
    else:
        lines[place] = json.dumps(damaged(json.loads(lines[place]), rng))
    return "\n".join(lines) + "\n"
