"""Advance each game of a batch by one choice: plain functions for the backends of `batch`.

    tables   the tables on which the games are played
    views    by game: a table with the view of the current seat
    lucks    by game: the RNG state for all chance and all agents
    notes    SIZE + seats numbers by game, beginning at index `at`: the fields listed at ASKED, then the action chosen
             by each seat
    kinds    by seat: LEARNER, or the agent that plays it
    masks    `width` numbers by game: 1 for each legal letter
    actions  for each legal letter the only action that is possible after it, or NOWHERE if there are several
    worths   by game and seat: the sum of all rewards to date
    rewards  by game and seat: the latest reward
    luck, dice, out, word, codes, values, work     scratch arrays: see `Rows` in `batch`

A game has one current seat at a time. The seat's choice is kept in the notes until all seats of the decision have
chosen.
"""

from typing import Any

from crashlab.compiled.kernels.flat_search import LEAP, lead, play_first, play_sensibly, share
from crashlab.compiled.kernels.random_play import begin_luck, choose
from crashlab.engine.chance import next_luck
from crashlab.engine.table import CHANCE, MOST_LETTERS, NOT_CHOSEN, NOWHERE, Ints, Numbers, lay

rules: Any = None  # the rules of a game, bound by a backend

# The fields of a game's notes: the seat that chooses a letter now (NOWHERE once the game is over), and the last seat
# that chose a letter; as bits, all seats of the decision, and the seats that have yet to choose; the number of settled
# letters, and the letters themselves.
ASKED, ASKED_LAST, DECIDING, WAITING, DEPTH, LETTERS = range(6)
SIZE = LETTERS + MOST_LETTERS

BEGIN = -2  # instead of a chosen letter: start a new game on this table
LEARNER, RANDOM, GREEDY = range(3)
WORLDS, AHEAD, TRIED = 4, 2, 200  # greedy: sampled worlds; decisions to look ahead; most actions it tries


def step_games(
    numbers: Ints,
    games: int,
    seats: int,
    width: int,
    shares: int,
    tables: Any,
    views: Any,
    lucks: Ints,
    notes: Ints,
    kinds: Ints,
    masks: Ints,
    actions: Ints,
    worths: Numbers,
    rewards: Numbers,
    luck: Ints,
    dice: Ints,
    out: Ints,
    word: Ints,
    codes: Ints,
    values: Numbers,
    work: Any,
) -> int:
    """Choose a letter for the current seat of each game, and play on to the next learner; return `games`.

    Each of `numbers` is the letter for a game, BEGIN to start the game, or NOWHERE to leave the game alone. If `shares`
    is 1, a reward is a share of the win.
    """
    for game in range(games):
        if numbers[game] != NOWHERE:
            table, at, worth_at, first = tables[game], (SIZE + seats) * game, seats * game, width * game
            luck[0] = lucks[game]
            if numbers[game] == BEGIN:
                open_decision(table, at, seats, luck, out, notes)
                reward(table, worth_at, seats, shares, notes[at + DECIDING] == 0, worths, worths)
                is_whole = True
            else:
                for seat in range(worth_at, worth_at + seats):
                    rewards[seat] = 0.0
                action = actions[first + numbers[game]]
                if action == NOWHERE:
                    notes[at + LETTERS + notes[at + DEPTH]] = numbers[game]
                    notes[at + DEPTH] += 1
                    action = narrow(table, at, first, width, notes, masks, actions, out, word)
                is_whole = action != NOWHERE
                if is_whole:
                    take(at, notes[at + ASKED], action, notes)
            if is_whole:
                go_on(table, at, seats, notes, kinds, luck, dice, out, codes, values, work)
                if numbers[game] != BEGIN:
                    reward(table, worth_at, seats, shares, notes[at + DECIDING] == 0, worths, rewards)
                lay(views, game, table)
                rules.observe(views[game], notes[at + ASKED_LAST])
                offer(table, at, first, width, notes, masks, actions, out, word)
            lucks[game] = luck[0]
    return games


def open_decision(table: Any, at: int, seats: int, luck: Ints, out: Ints, notes: Ints) -> None:
    """Play chance and forced decisions; note the seats of the next decision, and those with a choice."""
    bits = rules.actors(table)
    while bits != 0:
        if bits == CHANCE:
            rules.apply(table, CHANCE, choose(table, CHANCE, luck, out), None)
        else:
            notes[at + DECIDING], notes[at + WAITING] = bits, 0
            for seat in range(seats):
                if bits >> seat & 1:
                    notes[at + SIZE + seat] = rules.only_action(table, seat, out)
                    if notes[at + SIZE + seat] == NOWHERE:
                        notes[at + WAITING] |= 1 << seat
            if notes[at + WAITING] != 0:
                return
            play_all(table, at, seats, notes)
        bits = rules.actors(table)
    notes[at + DECIDING], notes[at + WAITING] = 0, 0


def play_all(table: Any, at: int, seats: int, notes: Ints) -> None:
    """Play the noted actions of all seats of the decision."""
    bits = notes[at + DECIDING]
    for seat in range(seats):
        if bits >> seat & 1:
            rules.apply(table, seat, notes[at + SIZE + seat], None)


def go_on(
    table: Any,
    at: int,
    seats: int,
    notes: Ints,
    kinds: Ints,
    luck: Ints,
    dice: Ints,
    out: Ints,
    codes: Ints,
    values: Numbers,
    work: Any,
) -> None:
    """Let agents choose and play decisions until a learner must choose or the game is over."""
    while notes[at + DECIDING] != 0:
        if notes[at + WAITING] == 0:
            play_all(table, at, seats, notes)
            open_decision(table, at, seats, luck, out, notes)
        else:
            seat = 0
            while notes[at + WAITING] >> seat & 1 == 0:
                seat += 1
            if kinds[seat] == LEARNER:
                notes[at + ASKED], notes[at + ASKED_LAST] = seat, seat
                return
            if kinds[seat] == RANDOM:
                take(at, seat, rules.draw(table, seat, next_luck(luck), out), notes)
            else:
                take(at, seat, greedy(table, seat, seats, luck, dice, out, codes, values, work), notes)
    notes[at + ASKED] = NOWHERE


def take(at: int, seat: int, action: int, notes: Ints) -> None:
    """Note the action chosen by a seat."""
    notes[at + SIZE + seat] = action
    notes[at + WAITING] ^= 1 << seat
    clear(at, 0, notes)


def clear(at: int, depth: int, notes: Ints) -> None:
    """Set the number of settled letters to `depth`, and erase the letters after them."""
    notes[at + DEPTH] = depth
    for place in range(at + LETTERS + depth, at + LETTERS + MOST_LETTERS):
        notes[place] = NOT_CHOSEN


def narrow(
    table: Any, at: int, first: int, width: int, notes: Ints, masks: Ints, actions: Ints, out: Ints, word: Ints
) -> int:
    """Return the only action that begins with the settled letters; NOWHERE if there are several.

    If there are several, settle the letters that leave no choice. Then write the next legal letters to `masks`, and the
    only action after each letter to `actions` (NOWHERE if there are several).
    """
    seat = notes[at + ASKED]
    count: int = rules.legal(table, seat, out)
    typed, depth, remaining, action = notes[at + DEPTH], MOST_LETTERS, 0, NOWHERE
    for place in range(count):
        length = rules.spell(table, seat, out[place], word)
        if in_common(at, typed, notes, word) == typed:
            if remaining == 0:
                for letter in range(typed, length):
                    notes[at + LETTERS + letter] = word[letter]
                depth = length
            depth = in_common(at, depth, notes, word)
            action = out[place]
            remaining += 1
            if remaining > 1 and depth == typed:
                break
    if remaining == 1:
        return action
    clear(at, depth, notes)
    for letter in range(first, first + width):
        masks[letter] = 0
    for place in range(count):
        rules.spell(table, seat, out[place], word)
        if in_common(at, depth, notes, word) == depth:
            letter = first + word[depth]
            actions[letter] = out[place] if masks[letter] == 0 else NOWHERE
            masks[letter] = 1
    return NOWHERE


def in_common(at: int, most: int, notes: Ints, word: Ints) -> int:
    """Count the leading letters of the word, at most `most`, that equal the settled letters."""
    same = 0
    while same < most and notes[at + LETTERS + same] == word[same]:
        same += 1
    return same


def offer(
    table: Any, at: int, first: int, width: int, notes: Ints, masks: Ints, actions: Ints, out: Ints, word: Ints
) -> None:
    """Write the legal letters of a new choice to `masks`; only letter 0 if the game is over."""
    clear(at, 0, notes)
    if notes[at + ASKED] != NOWHERE:
        narrow(table, at, first, width, notes, masks, actions, out, word)
        return
    for letter in range(first, first + width):
        masks[letter] = 0
    masks[first] = 1


def reward(table: Any, first: int, seats: int, shares: int, is_over: bool, worths: Numbers, rewards: Numbers) -> None:
    """Write each seat's current value to `worths`, and the increase of this value to `rewards`."""
    for seat in range(seats):
        now = worth(table, seat, seats, shares, is_over)
        rewards[first + seat] = now - worths[first + seat]
        worths[first + seat] = now


def worth(table: Any, seat: int, seats: int, shares: int, is_over: bool) -> float:
    """Return a seat's lead over the average of the others; with `shares`, its share of the win, 0 before the end."""
    if shares == 1:
        return share(rules.winners(table), seat) if is_over else 0.0
    score: int = rules.score(table, seat)
    total = 0
    for other in range(seats):
        total += rules.score(table, other)
    return score - (total - score) / (seats - 1)


def greedy(
    table: Any, seat: int, seats: int, luck: Ints, dice: Ints, out: Ints, codes: Ints, values: Numbers, work: Any
) -> int:
    """Return the action with the best lead after AHEAD decisions; like the agent `greedy`, use only the seat's view."""
    count: int = rules.legal(table, seat, codes)
    first, trials = next_luck(luck), min(count, TRIED)
    for place in range(trials):
        values[place] = 0.0
    for world in range(WORLDS):
        lay(work, 0, table)
        rules.observe(work[0], seat)
        begin_luck(dice, luck, world)
        rules.determinize(work[0], dice, out)
        for place in range(trials):
            lay(work, 1, work[0])
            begin_luck(dice, luck, WORLDS + world)
            play_first(work[1], seat, codes[(first + place * LEAP) % count], dice, out)
            play_sensibly(work[1], AHEAD - 1, dice, out)
            rules.evaluate(work[1], out)
            values[place] += lead(seat, seats, out)
    best = 0
    for place in range(1, trials):
        if values[place] > values[best]:
            best = place
    return codes[(first + best * LEAP) % count]


def draw_letters(games: int, width: int, masks: Ints, luck: Ints, numbers: Ints) -> int:
    """Write a random legal letter for each game to `numbers`, all equally likely; return `games`."""
    for game in range(games):
        count = 0
        for letter in range(width):
            count += masks[width * game + letter]
        left = next_luck(luck) * count >> 31
        letter = 0
        while masks[width * game + letter] == 0 or left > 0:
            left -= masks[width * game + letter]
            letter += 1
        numbers[game] = letter
    return games
