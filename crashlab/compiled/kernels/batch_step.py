"""Many games, each played a choice further: what `batch` does with them, as plain functions for bodies.

    tables   a row of tables, on which the games are played
    views    a row of tables: what is seen by whoever is asked
    lucks    by game: what all chance in it is drawn from, and all that agents draw
    notes    SIZE + seats numbers by game, from `at` on: see ASKED; behind them the action that each seat has chosen
    kinds    by seat: LEARNER, or the agent that plays it
    masks    `width` numbers by game: 1 for each letter that can be chosen
    actions  for each such letter the action that is meant by it, or NOWHERE where there are several
    worths   by game and seat: what the rewards must come to until now; `rewards` are what they have grown by
    luck, dice, out, word, codes, values, work     room to reckon in: see `Rows` in `batch`

One seat of a game is asked at a time. What it chooses lies in the notes until all that decide with it have chosen.
"""

from typing import Any

from crashlab.compiled.kernels.flat_search import LEAP, lead, play_first, play_sensibly, share
from crashlab.compiled.kernels.random_play import begin_luck, choose
from crashlab.engine.chance import next_luck
from crashlab.engine.table import CHANCE, MOST_LETTERS, NOT_CHOSEN, NOWHERE, Ints, lay

rules: Any = None  # the rules of a game; bound by a body

# Who chooses a letter now, or NOWHERE once the game is over; who did last; of the seats that decide, as bits, all, and
# those that have to choose; how many letters are settled, and these.
ASKED, ASKED_LAST, DECIDING, WAITING, DEPTH, LETTERS = range(6)
SIZE = LETTERS + MOST_LETTERS

BEGIN = -2  # among the numbers that are chosen: a new game, whose table lies there
LEARNER, RANDOM, GREEDY = range(3)
WORLDS, AHEAD, TRIED = 4, 2, 200  # greedy: what is hidden is imagined so often; decisions it looks ahead; actions

Numbers = list[float]


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
    """In each game whoever is asked chooses this letter; or it begins (BEGIN), or stays (NOWHERE). How many there are.

    Play goes on until a learner is asked again. `shares` is 1 where a reward is a share of the win.
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
    """Play what chance brings, and all in which nobody has a choice; note who decides then, and who has a choice."""
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
    """All who decide do what they have chosen."""
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
    """Let agents choose, and play what all have chosen, until a learner is asked or the game is over."""
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
    """Note the action that a seat has chosen."""
    notes[at + SIZE + seat] = action
    notes[at + WAITING] ^= 1 << seat
    clear(at, 0, notes)


def clear(at: int, depth: int, notes: Ints) -> None:
    """Settle so many letters, and no more."""
    notes[at + DEPTH] = depth
    for place in range(at + LETTERS + depth, at + LETTERS + MOST_LETTERS):
        notes[place] = NOT_CHOSEN


def narrow(
    table: Any, at: int, first: int, width: int, notes: Ints, masks: Ints, actions: Ints, out: Ints, word: Ints
) -> int:
    """The action that is left with the letters that are settled; of several none, but what can follow, and is meant.

    Letters in which there is no choice are settled, too.
    """
    seat = notes[at + ASKED]
    count: int = rules.legal(table, seat, out)
    begun, depth, left, action = notes[at + DEPTH], MOST_LETTERS, 0, NOWHERE
    for place in range(count):
        length = rules.spell(table, seat, out[place], word)
        if in_common(at, begun, notes, word) == begun:
            if left == 0:
                for letter in range(begun, length):
                    notes[at + LETTERS + letter] = word[letter]
                depth = length
            depth = in_common(at, depth, notes, word)
            action = out[place]
            left += 1
            if left > 1 and depth == begun:
                break
    if left == 1:
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
    """How many letters of the word, of the first ones, are as in the notes."""
    same = 0
    while same < most and notes[at + LETTERS + same] == word[same]:
        same += 1
    return same


def offer(
    table: Any, at: int, first: int, width: int, notes: Ints, masks: Ints, actions: Ints, out: Ints, word: Ints
) -> None:
    """Write what can be chosen; where nobody is asked, 0."""
    clear(at, 0, notes)
    if notes[at + ASKED] != NOWHERE:
        narrow(table, at, first, width, notes, masks, actions, out, word)
        return
    for letter in range(first, first + width):
        masks[letter] = 0
    masks[first] = 1


def reward(table: Any, first: int, seats: int, shares: int, is_over: bool, worths: Numbers, rewards: Numbers) -> None:
    """Write what each seat is worth, and by how much more that is than before."""
    for seat in range(seats):
        now = worth(table, seat, seats, shares, is_over)
        rewards[first + seat] = now - worths[first + seat]
        worths[first + seat] = now


def worth(table: Any, seat: int, seats: int, shares: int, is_over: bool) -> float:
    """What a seat has: its lead over the average of the others, or, once the game is over, its share of the win."""
    if shares == 1:
        return share(rules.winners(table), seat) if is_over else 0.0
    own: int = rules.score(table, seat)
    total = 0
    for other in range(seats):
        total += rules.score(table, other)
    return own - (total - own) / (seats - 1)


def greedy(
    table: Any, seat: int, seats: int, luck: Ints, dice: Ints, out: Ints, codes: Ints, values: Numbers, work: Any
) -> int:
    """The action with the best lead a few decisions on, as the agent of this name plays; it sees what its seat sees."""
    count: int = rules.legal(table, seat, codes)
    first, tried = next_luck(luck), min(count, TRIED)
    for place in range(tried):
        values[place] = 0.0
    for world in range(WORLDS):
        lay(work, 0, table)
        rules.observe(work[0], seat)
        begin_luck(dice, luck, world)
        rules.determinize(work[0], dice, out)
        for place in range(tried):
            lay(work, 1, work[0])
            begin_luck(dice, luck, WORLDS + world)
            play_first(work[1], seat, codes[(first + place * LEAP) % count], dice, out)
            play_sensibly(work[1], AHEAD - 1, dice, out)
            rules.evaluate(work[1], out)
            values[place] += lead(seat, seats, out)
    best = 0
    for place in range(1, tried):
        if values[place] > values[best]:
            best = place
    return codes[(first + best * LEAP) % count]


def draw_letters(games: int, width: int, masks: Ints, luck: Ints, numbers: Ints) -> int:
    """For each game one of the letters that can be chosen, each as likely as any other."""
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
