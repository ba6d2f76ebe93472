"""Random games, as plain functions over the rules of any game.

`rules` is a placeholder: a backend (`choose_backend`) binds it to the rules of one game, and runs the functions as they
are (interpreted) or compiles them. So all data is in arrays of numbers:

    luck    an array of one 64-bit number, the RNG state; it yields the same numbers as `chance.Random`
    out     a scratch array for legal actions or odds, MOST_ACTIONS long
    work    an array of one table, to play on
"""

from typing import Any

from crashlab.engine.chance import MASK, STEP, mix, next_luck
from crashlab.engine.table import CHANCE, NOWHERE, Ints, lay, next_beat, tally

rules: Any = None  # the rules of a game, bound by a backend


def begin_luck(luck: Ints, seed: Ints, number: int) -> None:
    """Set luck to the initial RNG state for this seed and number."""
    luck[0] = (number + 1) * STEP & MASK
    luck[0] = mix(seed[0] ^ luck[0])


def outcome(table: Any, luck: int, out: Ints) -> int:
    """Draw an outcome of chance by its weight; `luck` is a number below 2 ** 31."""
    count, total = rules.odds(table, out), 0
    for place in range(count):
        total += out[place]
    remainder, place = luck * total >> 31, 0
    while remainder >= out[place]:
        remainder -= out[place]
        place += 1
    rules.legal(table, CHANCE, out)
    return out[place]


def choose(table: Any, seat: int, luck: Ints, out: Ints) -> int:
    """Draw an action: for a seat, each legal action with equal probability; for chance, an outcome by its odds."""
    if seat != CHANCE:
        action: int = rules.at_random(table, seat, luck, out)
        return action
    action = rules.only_action(table, CHANCE, out)
    if action == NOWHERE:
        action = outcome(table, next_luck(luck), out)
    return action


def decide(table: Any, bits: int, luck: Ints, out: Ints, trace: Any) -> bool:
    """Play one decision of all its actors at random; return whether there was a choice."""
    before = luck[0]
    if bits == CHANCE:
        rules.apply(table, CHANCE, choose(table, CHANCE, luck, out), trace)
        return luck[0] != before
    seat = 0
    while bits >> seat != 0:
        if bits >> seat & 1:
            rules.apply(table, seat, choose(table, seat, luck, out), trace)
        seat += 1
    return luck[0] != before


def play_on(table: Any, decisions: int, luck: Ints, out: Ints, trace: Any) -> int:
    """Play at random to the end or for at most `decisions` decisions with a choice; return their number."""
    played = 0
    bits = rules.actors(table)
    while bits != 0 and played != decisions:
        if decide(table, bits, luck, out, trace):
            played += 1
        next_beat(trace)
        bits = rules.actors(table)
    return played


def play_games(
    starts: Any,
    games: int,
    first: int,
    seats: int,
    known_rules: int,
    width: int,
    seed: Ints,
    luck: Ints,
    out: Ints,
    work: Any,
    trace: Any,
    lengths: Ints,
    scores: Ints,
    winners: Ints,
    counts: Ints,
) -> int:
    """Play `games` games, numbered from `first`, each with its own luck; return `games`.

    `starts` has one table for each game, or one for all. Each game's length, scores, winners and counts are written to
    the arrays of these names; `counts` receives `width` numbers per game (see `table.tally`).
    """
    for game in range(games):
        lay(work, 0, starts[game % len(starts)])
        table = work[0]
        begin_luck(luck, seed, first + game)
        lengths[game] = play_on(table, NOWHERE, luck, out, trace)
        bits = rules.winners(table)
        for seat in range(seats):
            scores[game * seats + seat] = rules.score(table, seat)
            winners[game * seats + seat] = bits >> seat & 1
        tally(trace, counts, game * width, known_rules)
    return games
