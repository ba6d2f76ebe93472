"""A puzzle: a position in which one action is proven to be clearly the best.

The claim and its proof are in `proof`, the stored puzzles in `collection`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import sha256
from typing import Any, cast

from crashlab.analysis.puzzles.continuation import Continuations, by_chance, continuations
from crashlab.analysis.puzzles.proof import STEP, Proof, ProvenWorth
from crashlab.base.errors import CrashlabError, require, short_repr
from crashlab.base.records import COUNT, misfit
from crashlab.drawing.sheet import mimebundle
from crashlab.engine.game import State, Turn
from crashlab.engine.prompts import Choice
from crashlab.engine.turn_film import view
from crashlab.games import game

LEVELS = {"easy": (0, 900), "medium": (900, 1300), "hard": (1300, 9999)}  # ranges of ratings
SPREAD = 400  # difference of ratings that means odds of ten to one
QUIET = "quiet"  # theme of puzzles without an immediate named event
SHAPE = {
    "options": dict,
    "position": str,
    "seat": COUNT,
    "kind": str,
    "count": COUNT,
    "ahead": COUNT,
    "further": float,
    "dominant": bool,
    "value": float,
    "best": [str],
    "worths": dict,
    "replies": {str: {str: str}},
    "rules": [str],
    "themes": [str],
    "rating": range(9999),
    "source": str,
    "greedy": [str],
}
CHECKED = "Playouts in which nobody plays at random also find it best."


@dataclass(frozen=True)
class Problem:
    """A position, the deciding seat, and the proven values of its actions.

    >>> problem = crashlab.puzzles("crash_and_grab")[0]
    >>> problem.state.actors == (problem.seat,), problem.is_solved_by(problem.best[0])
    (True, True)
    """

    name: str  # name of the game
    options: tuple[tuple[str, Any], ...]  # options that differ from their defaults
    position: str
    seat: int
    proof: Proof
    replies: Mapping[str, Mapping[str, str]]  # worst simultaneous replies, by action and seat
    rules: tuple[str, ...]
    themes: tuple[str, ...]
    rating: int
    source: str  # number of the played game that the puzzle comes from
    greedy: tuple[str, ...] = ()  # answers of `agents.greedy`, in several attempts

    @cached_property
    def id(self) -> str:
        """The id: six letters and digits."""
        return sha256(f"{self.name} {self.position} {self.seat}".encode()).hexdigest()[:6]

    @cached_property
    def state(self) -> State:
        """The position, including secrets."""
        try:
            state: State = game(self.name, **dict(self.options)).read(self.position)
            require(
                {*map(str, state.actions(self.seat))} == {*self.proof.worths},
                "the actions of its proof are not those of its position",
            )
        except CrashlabError as error:
            raise CrashlabError(f"puzzle {self.name} {self.id} cannot be read: {error}") from error
        return state

    @property
    def seen(self) -> State:
        """The view of the deciding seat."""
        return cast("State", view(self.state, frozenset({self.seat})))

    @property
    def who(self) -> str:
        """The name of the deciding seat."""
        return self.state.game.seat_name(self.seat)

    @property
    def best(self) -> tuple[str, ...]:
        """The best actions; all have the same result."""
        return self.proof.best

    @property
    def level(self) -> str:
        """The level by rating: easy, medium or hard."""
        return next(level for level, (low, high) in LEVELS.items() if low <= self.rating < high)

    @property
    def question(self) -> str:
        """The question to the solver: the seat, unusual options, and what to decide."""
        what = self.state.game.ui.prompt(self.seen.table, self.seat, ())
        special = [f"{name}={value}" for name, value in self.options if name != "players"]
        remark = f" The game has {', '.join(special)}." if special else ""
        return f"You are {self.who}.{remark} {what}{'' if what[-1] in '?!.…' else '.'} What is best?"

    @property
    def claim(self) -> str:
        """The claim about the best action, and its confirmation by playouts."""
        checked = "" if self.proof.kind == "solved" else f" {CHECKED}"
        return f"{self.proof.words(self.who, self.state.game.rulebook.near)}{checked}"

    @property
    def rival(self) -> str:
        """The next best action."""
        return next(words for words in self.proof.worths if words not in self.best)

    def offered(self, action: object) -> str:
        """Return an action in the words of the board, followed by its notation if that differs."""
        words = self.words(action)
        path = self._path(words, ())
        choices = "; ".join(path)
        return choices if path[-1].partition(":")[0] == words else f"{choices} ({words})"

    def offers(self, seat: int | None = None, brief: bool = False) -> list[str]:
        """Return the texts of a seat's first choices, by default the deciding seat's.

        If all of them lead to the same next choices, these are added as a last line. With `brief`, explanations are
        omitted.
        """
        ask, table, who = self.state.game.ui, self.seen.table, self.seat if seat is None else seat
        first = ask.choices(table, who, ())
        text = partial(named, brief)
        then = {tuple(map(text, ask.choices(table, who, (choice.word,)))) for choice in first if not choice.action}
        same = [f"then {' or '.join(*then)}"] if len(then) == 1 and not any(one.action for one in first) else []
        return [*map(text, first), *same]

    def _path(self, words: str, prefix: tuple[str, ...]) -> tuple[str, ...]:
        """Return the texts of the choices that lead from a prefix to an action; empty if there are none."""
        for one in self.state.game.ui.choices(self.seen.table, self.seat, prefix):
            if one.action == words:
                return (one.text,)
            if not one.action and (rest := self._path(words, (*prefix, one.word))):
                return (one.text, *rest)
        return ()

    def against(self, action: object) -> Continuations:
        """Compare an action with the best one, or a best action with the next best; return both continuations."""
        words = self.words(action)
        if words in self.best:
            return self._continuations(words, self.rival, f"the next best ({self.offered(self.rival)})")
        return self._continuations(self.best[0], words, "yours")

    def _continuations(self, best: str, other: str, name: str) -> Continuations:
        replies = {words: self.replies_to(words) for words in (best, other)}
        return continuations(self.state, self.seat, self.proof, replies, (best, other), ("the best", name))

    def words(self, action: object) -> str:
        """Return a legal action in notation; raise CrashlabError for anything else."""
        code = self.state.legal_code(self.seat, action)
        text = next((str(one) for one in self.state.actions(self.seat) if one.code == code), None)
        if text is None:
            count = len(self.proof.worths)
            raise CrashlabError(f"{self.who} cannot play {short_repr(action)}: choose one of {count} actions")
        return text

    def is_solved_by(self, action: object) -> bool:
        """Return whether an action is one of the best."""
        return self.words(action) in self.best

    def score(self, action: object) -> int:
        """Return the score of an action, from 0 for the worst to 100 for the best.

        >>> problem = crashlab.puzzles("crash_and_grab")[0]
        >>> problem.score(problem.best[0]), 0 <= problem.score(problem.state.actions(problem.seat)[0]) <= 100
        (100, True)
        """
        values = [worth.value for worth in self.proof.worths.values()]
        if self.is_solved_by(action):
            return 100
        value = self.proof.worths[self.words(action)].value
        return min(99, int(100 * (value - min(values)) / (max(values) - min(values))))

    def replies_to(self, words: str) -> dict[int, str]:
        """Return the worst simultaneous replies to an action, by seat."""
        return {int(seat): reply for seat, reply in self.replies.get(words, {}).items()}

    def turns(self, action: object) -> tuple[Turn, ...]:
        """Play an action against the worst simultaneous replies; return the turn and the chance turns that follow."""
        words = self.words(action)
        return by_chance(self.state.play({self.seat: words, **self.replies_to(words)}))

    @classmethod
    def from_dict(cls, name: str, data: Mapping[str, Any]) -> Problem:
        """Parse a puzzle from JSON; raise CrashlabError with the reason if it is damaged."""
        if reason := misfit(data, SHAPE):
            raise CrashlabError(reason)
        pairs = {words: entry if isinstance(entry, list) else [entry] for words, entry in data["worths"].items()}
        if reason := misfit(pairs, {str: [float]}, "worths"):
            raise CrashlabError(reason)
        require(
            not ({*map(len, pairs.values())} - {1, 2}) and data["best"] and {*data["best"]} < {*pairs},
            "it needs the value of each action, and the best actions among them",
        )
        require(data["kind"] in STEP, f"its kind is {short_repr(data['kind'])}, not one of {', '.join(STEP)}")
        worths = {words: ProvenWorth(*pair) for words, pair in pairs.items()}
        replies = data["replies"]
        require(
            {seat for reply in replies.values() for seat in reply} <= {*map(str, range(8))},
            "it has a reply of a seat that does not exist",
        )
        proof = Proof(
            data["kind"],
            worths,
            tuple(data["best"]),
            data["value"],
            data["count"],
            data["ahead"],
            data["further"],
            data["dominant"],
            replies,
        )
        require(proof.is_clear, "its best action is not clearly better than all others")
        return cls(
            name,
            tuple(data["options"].items()),
            data["position"],
            data["seat"],
            proof,
            replies,
            tuple(data["rules"]),
            tuple(data["themes"]),
            data["rating"],
            str(int(data["source"])),
            tuple(data["greedy"]),
        )

    def __str__(self) -> str:
        return f"{self.question} ({self.level}, {self.rating})\n{self.seen.text}"

    def __repr__(self) -> str:
        return f"<Problem {self.id} of {self.name}: {self.who}, {self.rating}>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, object]:
        return mimebundle(self.seen.picture(), str(self))


def named(brief: bool, choice: Choice) -> str:
    """Return the text of a choice; with `brief`, without its explanation."""
    return choice.text.partition(": ")[0] if brief else choice.text


def chance(player: float, puzzle: float) -> float:
    """Return the probability that a player solves a puzzle, from both ratings."""
    return float(1 / (1 + 10 ** ((puzzle - player) / SPREAD)))
