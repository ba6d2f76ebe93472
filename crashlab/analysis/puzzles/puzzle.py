"""A puzzle: a position in which one action is proven to be clearly the best.

What is claimed of that action, and how it is proven, is in `proof`; where puzzles lie, in `collection`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import sha256
from typing import Any, cast

from crashlab.analysis.puzzles.continuation import Continuations, by_chance, continuations
from crashlab.analysis.puzzles.proof import STEP, Proof, ProvenWorth
from crashlab.base.errors import CrashlabError, require, shown
from crashlab.base.records import COUNT, misfit
from crashlab.drawing.sheet import mimebundle
from crashlab.engine.game import State, Turn
from crashlab.engine.prompts import Choice
from crashlab.engine.turn_film import view
from crashlab.games import game

LEVELS = {"easy": (0, 900), "medium": (900, 1300), "hard": (1300, 9999)}  # from and below which rating
SPREAD = 400  # points of rating for ten times the chance
QUIET = "quiet"  # the theme of a puzzle in which nothing happens at once that has a name
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
    """A position, a seat that decides, and what each of its actions is proven to be worth.

    >>> problem = crashlab.puzzles("crash_and_grab")[0]
    >>> problem.state.actors == (problem.seat,), problem.is_solved_by(problem.best[0])
    (True, True)
    """

    name: str  # of the game
    options: tuple[tuple[str, Any], ...]  # that are not as usual
    position: str
    seat: int
    proof: Proof
    replies: Mapping[str, Mapping[str, str]]  # by action, by seat: what the others do to it who plan at the same time
    rules: tuple[str, ...]
    themes: tuple[str, ...]
    rating: int
    source: str  # the number of the game that it is from
    greedy: tuple[str, ...] = ()  # what `agents.greedy` answers, at several tries

    @cached_property
    def id(self) -> str:
        """Its id: six letters and digits."""
        return sha256(f"{self.name} {self.position} {self.seat}".encode()).hexdigest()[:6]

    @cached_property
    def state(self) -> State:
        """The position, with what is hidden from the seat that decides."""
        try:
            state: State = game(self.name, **dict(self.options)).read(self.position)
            require(
                {*map(str, state.actions(self.seat))} == {*self.proof.worths},
                "its proof has other actions than its position",
            )
        except CrashlabError as error:
            raise CrashlabError(f"puzzle {self.name} {self.id} cannot be read: {error}") from error
        return state

    @property
    def seen(self) -> State:
        """The position as the seat that decides sees it."""
        return cast("State", view(self.state, frozenset({self.seat})))

    @property
    def who(self) -> str:
        """What the seat that decides is called."""
        return self.state.game.seat_name(self.seat)

    @property
    def best(self) -> tuple[str, ...]:
        """The best actions; all have the same result."""
        return self.proof.best

    @property
    def level(self) -> str:
        """Easy, medium or hard, by its rating."""
        return next(level for level, (low, high) in LEVELS.items() if low <= self.rating < high)

    @property
    def question(self) -> str:
        """Who you are, and what you are asked."""
        what = self.state.game.ui.prompt(self.seen.table, self.seat, ())
        special = [f"{name}={value}" for name, value in self.options if name != "players"]
        told = f" The game has {', '.join(special)}." if special else ""
        return f"You are {self.who}.{told} {what}{'' if what[-1] in '?!.…' else '.'} What is best?"

    @property
    def claim(self) -> str:
        """What is proven about the best action, and what else was found when the puzzle was mined."""
        checked = "" if self.proof.kind == "solved" else f" {CHECKED}"
        return f"{self.proof.words(self.who, self.state.game.rulebook.near)}{checked}"

    @property
    def rival(self) -> str:
        """The best of the other actions."""
        return next(words for words in self.proof.worths if words not in self.best)

    def offered(self, action: object) -> str:
        """An action in the words in which it is offered at the board, with its notation behind."""
        words = self.words(action)
        path = self._path(words, ())
        said = "; ".join(path)
        return said if path[-1].partition(":")[0] == words else f"{said} ({words})"

    def offers(self, seat: int | None = None, brief: bool = False) -> list[str]:
        """What can be chosen at first, in words; where the same follows each, with that; of its seat, or of another.

        If it is to be `brief`, without what explains it.
        """
        ask, table, who = self.state.game.ui, self.seen.table, self.seat if seat is None else seat
        first = ask.choices(table, who, ())
        said = partial(named, brief)
        then = {tuple(map(said, ask.choices(table, who, (each.word,)))) for each in first if not each.action}
        same = [f"then {' or '.join(*then)}"] if len(then) == 1 and not any(one.action for one in first) else []
        return [*map(said, first), *same]

    def _path(self, words: str, begun: tuple[str, ...]) -> tuple[str, ...]:
        """What is chosen one after the other until an action is complete; nothing where it cannot be after these."""
        for one in self.state.game.ui.choices(self.seen.table, self.seat, begun):
            if one.action == words:
                return (one.text,)
            if not one.action and (rest := self._path(words, (*begun, one.word))):
                return (one.text, *rest)
        return ()

    def against(self, action: object) -> Continuations:
        """What follows an action and what follows the best one; for a best action, the best of the others."""
        words = self.words(action)
        if words in self.best:
            return self._continuations(words, self.rival, f"the next best ({self.offered(self.rival)})")
        return self._continuations(self.best[0], words, "yours")

    def _continuations(self, best: str, other: str, name: str) -> Continuations:
        replies = {words: self.replies_to(words) for words in (best, other)}
        return continuations(self.state, self.seat, self.proof, replies, (best, other), ("the best", name))

    def words(self, action: object) -> str:
        """An action that is legal here, in notation; anything else is refused."""
        code = self.state.legal_code(self.seat, action)
        found = next((str(one) for one in self.state.actions(self.seat) if one.code == code), None)
        if found is None:
            count = len(self.proof.worths)
            raise CrashlabError(f"{self.who} cannot play {shown(action)}: choose one of {count} actions")
        return found

    def _worth(self, action: object) -> ProvenWorth:
        return self.proof.worths[self.words(action)]

    def is_solved_by(self, action: object) -> bool:
        """Whether this action is one of the best."""
        return self.words(action) in self.best

    def score(self, action: object) -> int:
        """How close an action comes to the best: from 0 for the worst to 100 for the best.

        >>> problem = crashlab.puzzles("crash_and_grab")[0]
        >>> problem.score(problem.best[0]), 0 <= problem.score(problem.state.actions(problem.seat)[0]) <= 100
        (100, True)
        """
        values = [worth.value for worth in self.proof.worths.values()]
        if self.is_solved_by(action):
            return 100
        return min(99, int(100 * (self._worth(action).value - min(values)) / (max(values) - min(values))))

    def replies_to(self, words: str) -> dict[int, str]:
        """What does most harm to an action of those who plan at the same time, by seat."""
        return {int(seat): reply for seat, reply in self.replies.get(words, {}).items()}

    def turns(self, action: object) -> tuple[Turn, ...]:
        """What an action brings about, with the worst answers of others who plan at the same time, and with what chance
        brings then.
        """
        words = self.words(action)
        return by_chance(self.state.play({self.seat: words, **self.replies_to(words)}))

    @classmethod
    def from_dict(cls, name: str, data: Mapping[str, Any]) -> Problem:
        """Return the puzzle that this JSON describes; refused with the reason if it is damaged."""
        if reason := misfit(data, SHAPE):
            raise CrashlabError(reason)
        pairs = {words: each if isinstance(each, list) else [each] for words, each in data["worths"].items()}
        if reason := misfit(pairs, {str: [float]}, "worths"):
            raise CrashlabError(reason)
        require(
            not ({*map(len, pairs.values())} - {1, 2}) and data["best"] and {*data["best"]} < {*pairs},
            "it needs what each action is worth, and best ones among them",
        )
        if data["kind"] not in STEP:
            raise CrashlabError(f"its kind is {shown(data['kind'])}, none of {', '.join(STEP)}")
        worths = {words: ProvenWorth(*pair) for words, pair in pairs.items()}
        replies = data["replies"]
        require(
            {seat for reply in replies.values() for seat in reply} <= {*map(str, range(8))},
            "it has the reply of a seat that does not exist",
        )
        found = Proof(
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
        require(found.is_clear, "its best action is not clearly better than all others")
        return cls(
            name,
            tuple(data["options"].items()),
            data["position"],
            data["seat"],
            found,
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
    """A choice in words; if it is to be `brief`, without what explains it."""
    return choice.text.partition(": ")[0] if brief else choice.text


def chance(player: float, puzzle: float) -> float:
    """How likely a player solves a puzzle, by their ratings."""
    return float(1 / (1 + 10 ** ((puzzle - player) / SPREAD)))
