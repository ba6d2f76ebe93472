"""Lesson 20, a house rule: the crashes of its exercises, the right rules, and the hints."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from crashlab.base.errors import CrashlabError, short_repr
from crashlab.base.statistics import half_width
from crashlab.course.exercises.answer_call import Unwritten
from crashlab.course.exercises.exercise_types import NOT_WRITTEN, Exercise, ThingWanted, no_function
from crashlab.course.exercises.verdict import Verdict
from crashlab.engine.game import Game, Turn
from crashlab.engine.house_rules.source import RuleSource
from crashlab.engine.table import Row
from crashlab.games import game
from crashlab.play.rule_testing import Unsound, judged, tried
from crashlab.play.simulation import simulate

HOUSE = "HOUSE-1"
ROUND = {"round": 6}
GAMES = 200  # games played with the book's rules, and as many with the answer
TRIED = 5  # games in which a rule must be sound
GENTLE = 3.0  # chits that the poorer driver must gain on average
LEFT = 5.0  # least mean number of chits in the box at the end: crashing into things must still cost something


def bumpers() -> Game:
    """Return Autoscooter for two."""
    return game("autoscooter", players=2)


@dataclass(frozen=True)
class Case:
    """A crash in which a rule is tried: a description, the position, and the plans of the seats."""

    words: str
    position: Mapping[str, Any]
    plans: Mapping[str, str]

    def played(self, rules: Game) -> Turn:
        """Play the crash by these rules and return the turn; raise Unsound if a rule is not sound."""
        return judged(rules.read(self.position), {rules.seat(seat): plan for seat, plan in self.plans.items()})


def crash(words: str, one: str, other: str, plans: str, **more: Any) -> Case:
    """Return a crash between car 1 of A and car 2 of B (or car `other`); `plans` are the plans of A and B."""
    number = more.pop("other", "2")
    first, second = plans.split(", ")
    return Case(words, {**ROUND, "cars": {"1": one, number: other}, **more}, {"A": first, "B": second})


@dataclass(frozen=True)
class Ruling(Exercise):
    """An exercise whose answer is a rule. The turns of some crashes by this rule are compared with the right turns.

    `hint` explains a wrong turn: (turn, right turn) -> text.
    """

    right: Callable[[], Game]
    cases: tuple[Case, ...]
    hint: Callable[[Turn, Turn], str]

    @property
    def total(self) -> int:
        """The number of crashes."""
        return len(self.cases)

    @property
    def called(self) -> str:
        """The name that the function must have."""
        return self.title.partition("(")[0]

    def judge(self, answer: Any) -> Verdict:
        """Play all crashes by the rule and return the verdict, with a hint for the first wrong one."""
        if words := self._unfit(answer):
            return self.verdict(0, words)
        try:
            mine = bumpers().with_rules(answer)
        except CrashlabError as error:
            return self.verdict(0, str(error))
        wrong = [(case, words) for case in self.cases if (words := self._wrong(case, mine))]
        if not wrong:
            return self.verdict(self.total)
        case, words = wrong[0]
        return self.verdict(self.total - len(wrong), f"{case.words}: {words}", mine.read(case.position))

    def _unfit(self, answer: Any) -> str:
        """Explain why an answer cannot be this rule; empty if it can."""
        if not callable(answer):
            return no_function(answer)
        name = getattr(answer, "__name__", "")
        if name != self.called:
            return f"this function must be named {self.called}, not {name}: the rules would never call yours."
        if not RuleSource.of(answer).doc:
            return "describe your rule in a docstring of one sentence: the docstring is its text in the rulebook."
        return ""

    def _wrong(self, case: Case, mine: Game) -> str:
        """Return the hint for the rule in a crash; empty if it is right."""
        target = case.played(self.right())
        try:
            turn = case.played(mine)
        except Unsound as error:
            if is_unwritten_rule(str(error)):
                raise Unwritten(NOT_WRITTEN) from None
            return f"{error}. {why(error)}".strip()
        if turn.after.table != target.after.table or changes(turn, "speed") != changes(target, "speed"):
            return self.hint(turn, target)
        if not any(event.rule == HOUSE for event in turn.events):
            return "no event names your rule. Write HOUSE where the book's function writes its own number."
        if gives_nothing(mine):
            return "at the end return the number of the crash, `return crash`: the next events name it as their cause."
        return ""


def why(error: Unsound) -> str:
    """Return a hint for a rule that is not sound; empty if there is none for this error."""
    if "box is -" in str(error):
        return "What is not in the box cannot be taken out of it."
    if error.kind == "invariant":
        return "No chit appears from nowhere, and none disappears: which seat has fewer now, and which has more?"
    return ""


def gives_nothing(mine: Game) -> bool:
    """Return whether the first house rule has no `return` with a value."""
    assert mine.house
    return "return " not in mine.house.texts[0].lines


def chits(turn: Turn) -> tuple[int, ...]:
    """Return the chits of A and B after the turn."""
    return turn.after.scores


def changes(turn: Turn, field: str) -> list[tuple[int, int, int]]:
    """Return the changes of a field in a turn as sorted (index, old value, new value)."""
    place = turn.before.table.NAMES.index(field)
    rows = [Row(*row) for row in turn.rows]
    return sorted((row.index, row.before, row.after) for row in rows if row.field == place and row.before != row.after)


def box(turn: Turn) -> int:
    """Return the chits in the box after the turn."""
    return int(turn.after.table.box[0])  # type: ignore[attr-defined]


def compared(turn: Turn, target: Turn) -> str:
    """Describe the chits of both seats and in the box, in a turn and in the right turn."""
    have, should = (f"A {chits(one)[0]}, B {chits(one)[1]} and the box {box(one)}" for one in (turn, target))
    return f"your rule ends with {have}; it should be {should}"


def elsewhere(turn: Turn, target: Turn) -> str:
    """Return the hint for a turn in which only the chits are right."""
    if changes(turn, "speed") != changes(target, "speed"):
        return "the chits are right, but a car has the wrong speed: your rule says nothing about speeds."
    if changes(turn, "facing") != changes(target, "facing"):
        return "the chits are right, but the car that was hit faces the wrong way: turn it as the book's rule does."
    return "the chits are right, but something else is not as it should be."


# ru-1: a driver who rams from behind pays


def hit_rear(table, car, hit, v, cause, trace):  # type: ignore[no-untyped-def]
    """A driver who rams from behind pays the driver in front their own speed; both cars keep their speeds."""
    crash = note(HOUSE, cause, car + 1, hit + 1, v, table.speed[hit], trace)  # type: ignore[name-defined]  # noqa: F821
    pay(table, car, hit, v, v, HOUSE, crash, trace)  # type: ignore[name-defined]  # noqa: F821
    return crash


REAR = (
    crash("A rams B from behind, 2 against 1", "21E2", "22E1", "49 FF, 63 F"),
    crash("A rams B from behind, 3 against 1", "21E2", "23E1", "49 FFF, 63 F"),
    crash("A rams B from behind, 2 against 2", "21E2", "22E2", "49 FF, 63 FF"),
    crash("A, with 1 chit left, rams B from behind", "21E2", "22E1", "49 FF, 63 F", chits={"A": 1, "B": 39}),
)


def rear_hint(turn: Turn, target: Turn) -> str:
    """Return the hint for a wrong turn (ru-1)."""
    mine, right = chits(turn), chits(target)
    if mine == right:
        return elsewhere(turn, target)
    start = chits(turn_of(turn))
    text = compared(turn, target)
    if mine == start:
        return f"{text}. Nobody pays. In `pay(table, loser, winner, ...)` the loser comes first."
    if box(turn) > box(target):
        return f"{text}. The chits go into the box; they are for the driver in front: `pay`, not `pay_box`."
    if mine[0] > start[0]:
        return f"{text}. B pays A, as by the book. In `pay(table, loser, winner, ...)`: which car is the loser now?"
    return f"{text}. How much is paid? The rammer's own speed is `v`, that of the other car `table.speed[hit]`."


def turn_of(turn: Turn) -> Turn:
    """Return an empty turn that ends at the start of this turn."""
    return Turn(turn.before, turn.before, {}, [])


# ru-2: a bonus from the box


def hit_side(table, car, hit, side, v, cause, trace):  # type: ignore[no-untyped-def]
    """By the book; in addition the rammer gets two chits from the box, or all of it if it has fewer."""
    w = table.speed[hit]
    crash = note(HOUSE, cause, car + 1, hit + 1, v, w, trace)  # type: ignore[name-defined]  # noqa: F821
    pay(table, hit, car, v + w, v, HOUSE, crash, trace)  # type: ignore[name-defined]  # noqa: F821
    bonus = min(2, table.box[0])
    winner = table.driver[car]
    happen(table.box, BOX, 0, table.box[0] - bonus, HOUSE, crash, trace)  # type: ignore[name-defined]  # noqa: F821
    happen(table.chits, CHITS, winner, table.chits[winner] + bonus, HOUSE, crash, trace)  # type: ignore[name-defined]  # noqa: F821
    turn(table, hit, -1 if side <= 2 else 1, HOUSE, crash, trace)  # type: ignore[name-defined]  # noqa: F821
    return crash


def side_crash(words: str, in_box: int) -> Case:
    """Return a crash of car 1 into the side of car 2, with this number of chits in the box."""
    return crash(words, "31E2", "33SW2", "49 FFL, 63 FLL", chits={"A": 20, "B": 20 - in_box}, box=in_box)


SIDE = (
    side_crash("A hits the side of B, and the box has 5 chits", 5),
    side_crash("A hits the side of B, and the box has 2 chits", 2),
    side_crash("A hits the side of B, and the box has 1 chit", 1),
    side_crash("A hits the side of B, and the box is empty", 0),
)


def side_hint(turn: Turn, target: Turn) -> str:
    """Return the hint for a wrong turn (ru-2)."""
    mine, right = chits(turn), chits(target)
    if mine == right:
        return elsewhere(turn, target)
    text = compared(turn, target)
    if mine[1] < right[1]:
        return f"{text}. B pays the bonus. It should come from the box."
    if mine[1] > right[1]:
        return (
            f"{text}. B gets something, or pays less than by the book: `table.driver[car]` is the driver of the rammer."
        )
    if box(turn) == box(turn_of(turn)) == 1:
        return f"{text}. One chit in the box is better than none: the smaller one of 2 and `table.box[0]`."
    if box(turn) == box(turn_of(turn)):
        return f"{text}. The box gives nothing: `happen(table.box, BOX, 0, ...)` says what is in it from now on."
    return f"{text}. The bonus is two chits."


# ru-3: a rule, measured


def gentle_hint(answer: Any) -> str:
    """Return the hint for an answer to ru-3; empty for a game with a gentler rule."""
    if callable(answer):
        return "give the game, not the function: check('ru-3', mine), with mine = game.with_rules(...)."
    if not isinstance(answer, Game):
        return f"give a game, as returned by game.with_rules(...), not {short_repr(answer)}."
    book = bumpers()
    if not answer.house:
        return "these are the book's rules. Give a game with a rule of your own, game.with_rules(...)."
    if answer.book != book.book or answer.only() != book:
        return f"{answer!r} is a different game from {book!r}, the game of the exercise: change only rules."
    if problem := next(filter(None, (tried(answer, seed) for seed in range(1, TRIED + 1))), None):
        if is_unwritten_rule(problem.words):
            raise Unwritten(NOT_WRITTEN)
        return f"this rule is not sound; crashlab.try_rules(mine) shows where: {problem.kind}: {problem.words}."
    return measured(book, answer)


def is_unwritten_rule(words: str) -> bool:
    """Return whether an error text comes from a rule that is not written yet."""
    return "NotImplementedError" in words


def measured(book: Game, mine: Game) -> str:
    """Return the hint for a rule whose effect is wrong or too small; empty if it is right."""
    before, now = (simulate(rules, GAMES, progress=False).scores for rules in (book, mine))
    more = now.min(axis=1) - before.min(axis=1).astype(float)
    left = float((sum(bumpers().start(1).scores) - now.sum(axis=1)).mean())
    mean, half = float(more.mean()), half_width(more)
    how = f"in {GAMES} games of random drivers the one with fewer chits ends with {abs(mean):.2f} ± {half:.2f}"
    if not (now != before).any():
        return "all games end as with the book's rules. Is your function ever called? crashlab.differ will tell you."
    if left < LEFT:
        return (
            f"at the end there are {left:.1f} chits in the box, and you need at least {LEFT:g}: drivers who"
            " run into something must still pay something."
        )
    if mean + half < 0:
        return f"{how} chits fewer than by the book. Who pays more now?"
    if mean - half <= 0:
        return f"{how} chits {'more' if mean >= 0 else 'fewer'} than by the book: that may be due to chance."
    if mean < GENTLE:
        return (
            f"{how} chits more than by the book; you need {GENTLE:g}. What costs a random driver most? AS-C5, or AS-C2?"
        )
    return ""


CHECKS = (
    Ruling(
        "ru-1",
        "hit_rear(table, car, hit, v, cause, trace)",
        "Now it is dangerous to be quick. Is it still worth following somebody? crashlab.differ(game, mine) shows"
        " where games first diverge.",
        right=lambda: bumpers().with_rules(hit_rear),
        cases=REAR,
        hint=rear_hint,
    ),
    Ruling(
        "ru-2",
        "hit_side(table, car, hit, side, v, cause, trace)",
        "crashlab.try_rules plays it a few hundred times, interpreted and compiled. What happens to the box if"
        " everybody only hits sides?",
        right=lambda: bumpers().with_rules(hit_side),
        cases=SIDE,
        hint=side_hint,
    ),
    ThingWanted(
        "ru-3",
        "a game with a gentler rule",
        "It is gentler for random drivers. Is it gentler for good ones as well? simulate(mine, 50, agents='greedy')"
        " tells you. And is it still a game in which you want to crash?",
        hint=gentle_hint,
    ),
)
