"""Look for puzzles in played games until there are enough: decisions in which one action is clearly the best.

    python tests/tools/mine_puzzles.py GAME FILE --count 120

adds to a file of puzzles, one to a line. A candidate is checked in this order, cheap checks first: it has a few
actions, but not too many; a short search sees one of them ahead; `proofs` prove it; no stored puzzle is like it, and
there are not too many simple ones already (`SHARES`); the proof holds one decision later; if the game is not solved,
sensible playouts (`action_values`) find the same action best; and agents of growing strength try it.

The themes of puzzles are declared at the end of a `rulebook.toml`: a theme is a name and the rules that events must
cite (with a `field`, which they must then change). Every theme needs a stored puzzle, and in every game a third of them
beat `greedy`. `--theme "long jam"` adds only puzzles with this theme. After a change of a rule, a search or its luck,
mine again if `tests/analysis/test_puzzles.py` asks for it; `make proof` proves all puzzles, the tests a sample.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from itertools import count, islice
from pathlib import Path
from typing import Any, NamedTuple

from prove_puzzles import AHEAD, LEAST_DEPTH, can_be_foreseen, confirmed, foreseen, is_matrix, proofs

import crashlab
from crashlab.agents import Agent, Search, agent, flat, greedy, mcts
from crashlab.analysis import endgame
from crashlab.analysis.action_values import worths
from crashlab.analysis.puzzles import collection
from crashlab.analysis.puzzles.continuation import by_chance
from crashlab.analysis.puzzles.proof import TINY, Proof
from crashlab.analysis.puzzles.puzzle import QUIET, Problem, chance
from crashlab.engine.chance import Random
from crashlab.engine.game import Game, State, Turn, edited
from crashlab.engine.rulebook import Rulebook
from crashlab.engine.table import CHANCE
from crashlab.play.match import Match, answer
from crashlab.play.summary import depths

LEAST, MOST = 4, 60  # actions of a puzzle
MANY = 400  # actions of a puzzle with a requested theme, at most
PART = 4  # at most one action in PART may be as good as the best one
GLANCE, GAP = 24, 0.2  # playouts of each action at first sight; lead of the best one after them, in points
CAREFUL = 4  # one game in CAREFUL is played with some care
RANDOMLY = 3  # one decision in RANDOMLY is random in a careful game
GLIMPSE = 3000  # positions in a first look at a decision that can be foreseen
LONGEST = 300  # decisions of a game
SENSIBLE = 400  # sensible playouts
FROM_ONE = 6  # puzzles at most from one game
LIKE = 6  # puzzles at most that cite the same rules as often after the same kind of decision
SHARES: tuple[tuple[float, Callable[[Problem], bool]], ...] = (  # largest shares of all puzzles, by property
    (3 / 5, lambda problem: not beats_greedy(problem)),
    (1 / 3, lambda problem: problem.proof.is_dominant),
    (2 / 5, lambda problem: problem.level == "easy"),
)
SPARE = 2  # more of each are accepted, so that the first ones can be of any kind
TRIES, OFTEN = 2, 4  # by each agent; by greedy, whose answers are stored
LADDER: tuple[tuple[float, Any], ...] = (  # agents of growing strength, with their ratings
    (700, lambda seed: greedy(seed, worlds=1)),
    (1000, lambda seed: greedy(seed)),
    (1200, lambda seed: flat(seed, playouts=200)),
    (1400, lambda seed: flat(seed, playouts=1000)),
    (1600, lambda seed: mcts(seed, playouts=1000)),
    (1750, lambda seed: mcts(seed, playouts=2500)),
)
RANDOM = 400.0  # the rating of random answers
MIDDLE = 1000  # the rating of an untried puzzle
WORST, BEST = 300, 2200  # ratings
CHAIN_THEME = "chain"  # a theme of every game
CHAIN = 2  # crashes, each caused by the previous one
DIGITS = 3  # decimals of stored numbers


# Properties of a puzzle before it is stored


def problem_of(state: State, seat: int, proven: Proof, source: str) -> Problem:
    """Return the decision as a puzzle without a rating."""
    usual = {option.name: option.default for option in state.game.choices}
    options = tuple((name, value) for name, value in state.game.options.items() if value != usual[name])
    bare = Problem(state.game.name, options, state.text, seat, proven, proven.replies, (), (), 0, source)
    turns = bare.turns(bare.best[0])
    rules = tuple(event.rule for turn in turns for event in turn.events)
    return replace(bare, rules=rules, themes=themes_of(turns))


def themes_of(turns: Sequence[Turn]) -> tuple[str, ...]:
    """Return the themes that the game defines for the events of these turns; a chain is a theme of every game."""
    events = [event for turn in turns for event in turn.events]
    names = [
        theme.name
        for theme in turns[0].before.game.rulebook.themes
        if sum(event.rule in theme.rules and theme.field in (None, event.field) for event in events) >= theme.least
    ]
    if any(max(depths(turn), default=0) >= CHAIN for turn in turns):
        names.append(CHAIN_THEME)
    return tuple(names) or (QUIET,)


def theme_names(book: Rulebook) -> list[str]:
    """Return the names of a game's puzzle themes."""
    return [*(theme.name for theme in book.themes), CHAIN_THEME]


def performance(tries: Sequence[tuple[float, float]]) -> int:
    """Return the rating against which players of these strengths would have solved as often as they did."""
    low, high = float(WORST), float(BEST)
    solved = sum(share for _, share in tries)
    while high - low > 1:
        middle = (low + high) / 2
        if sum(chance(strength, middle) for strength, _ in tries) > solved:
            low = middle
        else:
            high = middle
    return round(low)


def beats_greedy(problem: Problem) -> bool:
    """Return whether `agents.greedy`, which looks two decisions ahead, never finds the answer."""
    return set(problem.greedy).isdisjoint(problem.best)


def is_plain(problem: Problem) -> bool:
    """Return whether `agents.greedy` finds the answer at each try."""
    return set(problem.greedy) <= set(problem.best)


def decision(problem: Problem) -> str:
    """Return the kind of the decision, as positions write it."""
    return next(question.decision for question in problem.state.asked if question.seat == problem.seat)


class Symmetry(NamedTuple):
    """The properties that a puzzle shares with all symmetric ones."""

    rules: tuple[str, ...]  # cited by the events of the best action, in their order
    actions: int
    best: float
    next: float


def symmetry(problem: Problem) -> Symmetry:
    """Return the properties that it shares with all symmetric puzzles."""
    values = problem.proof.worths
    best = round(values[problem.best[0]].value, 1)
    return Symmetry(problem.rules, len(values), best, round(problem.proof.next, 1))


def line(problem: Problem) -> str:
    """Return the puzzle as a line of a file: plain JSON, which `Problem.from_dict` reads."""
    proof = problem.proof
    worths = {
        words: round(worth.value, DIGITS)
        if proof.kind != "sampled"
        else [round(worth.value, DIGITS), round(worth.half_width, DIGITS)]
        for words, worth in proof.worths.items()
    }
    stored = {
        "options": dict(problem.options),
        "position": problem.position,
        "seat": problem.seat,
        "kind": proof.kind,
        "count": proof.count,
        "ahead": proof.ahead,
        "further": round(proof.further, DIGITS),
        "dominant": proof.is_dominant,
        "value": round(proof.value, DIGITS),
        "best": list(problem.best),
        "worths": worths,
        "replies": {words: dict(reply) for words, reply in problem.replies.items()},
        "rules": list(problem.rules),
        "themes": list(problem.themes),
        "rating": problem.rating,
        "source": problem.source,
        "greedy": list(problem.greedy),
    }
    return f"{json.dumps(stored, ensure_ascii=False, separators=(',', ':'))}\n"


# Mining


def mine(
    rules: Game, first: int = 1, stored: Sequence[Problem] = (), themes: Collection[str] = ()
) -> Iterator[Problem]:
    """Yield puzzles of a game, from its game `first` on, that are unlike the stored ones and each other.

    With themes, only puzzles with one of them; decisions with many actions are then considered as well.
    """
    puzzles = list(stored)
    for number in count(first):
        decisions = candidates(played(rules, number), number, themes, not themes and is_full(SHARES[0], puzzles))
        examples = (examined(state, seat, str(number), puzzles, themes) for state, seat in decisions)
        for problem in islice(filter(None, examples), FROM_ONE):
            puzzles.append(problem)
            yield problem


def played(rules: Game, number: int) -> list[State]:
    """Return the decisions of a game between random agents; in one game of four they mostly look ahead."""
    rng = Random(number)
    share = RANDOMLY if number % CAREFUL == 1 else 0
    seated: dict[int, Agent] = {seat: careless(rng.split(seat), share) for seat in rules.seats}
    start = rules.start(number)
    match = Match(thinned(start, rng) if endgame.suits(rules) else start, seated, seed=number)
    match.run(LONGEST)
    return [turn.before for turn in match.turns]


def careless(rng: Random, share: int) -> Agent:
    """Return an agent that looks a little ahead, but plays one decision in share at random; all if share is 0."""
    careful, careless = greedy(rng.below(1 << 31), worlds=1, max_actions=60), agent("random", rng.below(1 << 31))

    def play(state: State, seat: int) -> object:
        return (careless if share == 0 or rng.below(share) == 0 else careful)(state, seat)

    return play


def thinned(start: State, rng: Random) -> State:
    """Return the start of a game in which each seat plans once a round, with its other pieces edited off the board."""
    here = start
    for edit in rng.shuffled(start.game.ui.edits(start.table)):
        for field in edit.fields:
            off = next((value for value in field.values if value.startswith("off ")), field.value)
            if off != field.value and len(endgame.passes_of(here)) > 1:
                less = edited(here, edit.key, field.name, off)
                here = less if less.actors == start.actors else here
    return here


def candidates(
    states: Sequence[State], number: int, themes: Collection[str], hard: bool
) -> Iterator[tuple[State, int]]:
    """Yield decisions that could be puzzles, with their seats; secret plans only if the rest of the game is solvable.

    If `hard`, a short search must find a different action than greedy.
    """
    most = MANY if themes else MOST
    for state in Random(number).shuffled(states):
        if is_matrix(state):
            yield from ((state, seat) for seat in state.actors)
        elif len(state.actors) == 1 and state.actors != (CHANCE,):
            seat = state.actors[0]
            if LEAST <= len(state.actions(seat)) <= most and can_bring(state, seat, themes):
                first = glimpse(state, seat)
                if first and not (hard and str(answer(greedy(0), state, seat)) in first):
                    yield state, seat


def can_bring(state: State, seat: int, themes: Collection[str]) -> bool:
    """Return whether some action brings about one of these themes; True if there are none."""
    turns = (by_chance(state.play_codes({seat: code}, trace=True)) for code in state.actions(seat).codes)
    return not themes or any(not set(themes).isdisjoint(themes_of(turn)) for turn in turns)


def glimpse(state: State, seat: int) -> tuple[str, ...]:
    """Return the actions that a short search finds clearly best, () if there are none."""
    if can_be_foreseen(state, seat):
        near = foreseen(state, seat, LEAST_DEPTH, GLIMPSE)
        return near.best if near and near.gap > TINY else ()
    search = Search(state, seat, worlds=4, decisions=AHEAD[-1])
    search.grow(GLANCE * len(search.actions))
    first, *others = search.thoughts().rows
    different = [row.value for row in others if row.value < first.value - 1e-9]
    is_ahead = different and first.value - different[0] >= max(GAP, first.half_width / 2)
    return (str(first.action),) if is_ahead else ()


def examined(
    state: State, seat: int, source: str, puzzles: Sequence[Problem], themes: Collection[str]
) -> Problem | None:
    """Return the decision as a puzzle, or None if it is not suitable."""
    for claim in proofs(state, seat):
        if not claim.is_clear:
            continue
        problem = replace(problem_of(state, seat, claim, source), rating=MIDDLE, greedy=greedy_answers(state, seat))
        if PART * len(claim.best) > len(claim.worths) or not is_wanted(problem, puzzles, themes):
            return None
        holding = confirmed(state, seat, claim)
        if holding.holds:
            if claim.kind != "solved" and str(worths(state, seat, playouts=SENSIBLE).best) not in claim.best:
                return None
            rated = replace(problem, proof=holding, rating=rating(state, seat, claim))
            # An honest level: no easy puzzle that greedy never solves, no hard one that it always solves.
            is_wrong = rated.level == "easy" and beats_greedy(rated) or rated.level == "hard" and is_plain(rated)
            return rated if not is_wrong and is_wanted(rated, puzzles, themes) else None
    return None


def is_wanted(problem: Problem, puzzles: Sequence[Problem], themes: Collection[str]) -> bool:
    """Return whether a puzzle has a requested theme, is unlike the others, and exceeds no limit (LIKE, SHARES)."""
    if themes and set(themes).isdisjoint(problem.themes) or any(alike(problem, other) for other in puzzles):
        return False
    kind = decision(problem), problem.rules  # the same decision, and the same rules in the same order after it
    if sum((decision(other), other.rules) == kind for other in puzzles) >= LIKE:
        return False
    return bool(themes) or not any(is_so(problem) and is_full((share, is_so), puzzles) for share, is_so in SHARES)


def is_full(part: tuple[float, Callable[[Problem], bool]], puzzles: Sequence[Problem]) -> bool:
    """Return whether one more of a kind would make it too large a part of all puzzles."""
    share, is_so = part
    return 1 + sum(map(is_so, puzzles)) > share * (1 + len(puzzles)) + SPARE


def greedy_answers(state: State, seat: int) -> tuple[str, ...]:
    """Return greedy's different answers."""
    return tuple(dict.fromkeys(str(answer(greedy(seed), state, seat)) for seed in range(OFTEN)))


def alike(one: Problem, other: Problem) -> bool:
    """Return whether two puzzles are the same up to rotation, mirroring, names of seats or irrelevant details.

    The events of the best action cite the same rules in the same order in both, among as many actions, and the best and
    the second-best action are worth the same in both: all this is equal in symmetric positions. Two puzzles of one game
    are also alike if the same question has the same answer some turns later, or if both seats are asked about the same
    position.
    """
    is_from_one_game = (one.source, one.options) == (other.source, other.options)
    comes_again = is_from_one_game and decision(one) == decision(other) and not set(one.best).isdisjoint(other.best)
    return symmetry(one) == symmetry(other) or comes_again or one.position == other.position


def rating(state: State, seat: int, claim: Proof) -> int:
    """Rate a puzzle by how often agents of growing strength solve it."""
    tries: list[tuple[float, float]] = [(RANDOM, len(claim.best) / len(claim.worths))]
    for strength, maker in LADDER:
        solved = [str(answer(maker(seed), state, seat)) in claim.best for seed in range(TRIES)]
        tries.append((strength, sum(solved) / TRIES))
    return performance(tries)


def main(words: list[str]) -> None:
    """Add puzzles to a file until there are enough; an interrupted run keeps those it found."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("file", type=Path)
    parser.add_argument("-o", "--option", action="append", default=[], metavar="NAME=VALUE", help="a game option")
    parser.add_argument("--count", type=int, default=100, help="how many the file should hold (%(default)s)")
    parser.add_argument("--theme", action="append", default=[], help="only puzzles with this theme, or one of these")
    parser.add_argument("--first", type=int, help="the number of the first game (the one after those in the file)")
    arguments = parser.parse_args(words)
    options: dict[str, Any] = {"players": 2}
    for name, _, value in (option.partition("=") for option in arguments.option):
        options[name] = int(value) if value.isdigit() else value
    game = crashlab.game(arguments.game, **options)
    for theme in arguments.theme:
        if theme not in (names := theme_names(game.rulebook)):
            parser.error(f"--theme {theme}: choose one of {', '.join(names)}")
    stored = collection.read(arguments.game, arguments.file)
    first = arguments.first or 1 + max((int(one.source) for one in stored), default=0)
    missing = arguments.count - len(stored)
    for number, problem in enumerate(
        islice(mine(game, first, stored, arguments.theme), max(missing, 0)), len(stored) + 1
    ):
        with arguments.file.open("a", encoding="utf-8") as file:
            file.write(line(problem))
        print(
            f"{number:>4}  {problem.id}  {problem.rating:>4}  {', '.join(problem.themes)}: {problem.best[0]}",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
