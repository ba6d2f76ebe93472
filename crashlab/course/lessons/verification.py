"""Lesson 49, assignment, randomness, trust: all results of a shuffle, functions with bugs, cities from numbers."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from heapq import heappop, heappush
from itertools import combinations
from math import factorial
from typing import Any, NamedTuple

from crashlab.base.errors import CrashlabError, require, short_repr
from crashlab.course.exercises.answer_call import TimedFunction
from crashlab.course.exercises.exercise_types import Exercise, mistaken, seed_of, uncallable
from crashlab.course.exercises.verdict import Verdict
from crashlab.engine.chance import Random
from crashlab.engine.game import State
from crashlab.games import game

Wishes = Mapping[Any, Sequence[Any]]  # car -> jobs it can reach
Holder = dict[Any, Any]  # taken job -> car
Find = Callable[[Wishes], Holder]  # a function that finds jobs for as many cars as possible
Shuffle = Callable[[Any, Random], Any]  # (things, source of random numbers) -> shuffled things

LETTERS = "EFGHIJKLMNOP"
CARDS = "ABCD"  # a student's shuffle gets none, one, two and three of them, then four other letters
LARGEST = 100  # greatest limit of a random number whose outcomes are all tried
RUNS = 500  # most runs of a shuffle, apart from further runs that are as likely as the last one
WISHES, CARS, JOBS = 40, 5, 5  # cases of the property, and their greatest numbers of cars and jobs


# All results of a shuffle


class NumberNeeded(BaseException):
    """The end of a script where a number below `limit` is drawn; `except Exception` does not catch it."""

    def __init__(self, limit: int) -> None:
        self.limit = limit


class Script(Random):
    """A source of random numbers that returns the given numbers and then raises NumberNeeded."""

    def __init__(self, numbers: tuple[int, ...]) -> None:
        super().__init__(0)
        self.left = list(numbers)

    def below(self, limit: int) -> int:
        """Return the next number of the script."""
        require(limit >= 1, f"rng.below({limit}) has nothing to choose from: give a limit of at least 1")
        require(
            limit <= LARGEST,
            f"rng.below({limit}) has too many outcomes to try them all; draw only among the cards",
        )
        if not self.left:
            raise NumberNeeded(limit)
        return self.left.pop(0)

    def shuffled(self, things: Iterable[Any]) -> list[Any]:
        """Raise CrashlabError: the student must write this function."""
        raise CrashlabError("shuffled() is the function that you must write yourself, with rng.below(number)")


def orders(shuffle: Shuffle, things: Any, source: Callable[[tuple[int, ...]], Random] = Script) -> dict[Any, Fraction]:
    """Return every possible order of a shuffle with its probability, if all numbers below a limit are equally likely.

    Likely runs are tried first. If there are more than RUNS, the least likely runs are left out, and the probabilities
    add up to less than 1.
    """
    chances: dict[Any, Fraction] = {}
    waiting: list[tuple[Fraction, tuple[int, ...]]] = [(Fraction(-1), ())]  # negative probability, drawn numbers
    runs, share = 0, Fraction(-1)
    while waiting and (runs < RUNS or waiting[0][0] == share):
        runs += 1
        share, numbers = heappop(waiting)
        try:
            order = as_key(shuffle(things, source(numbers)))
        except NumberNeeded as more:
            for number in range(more.limit):
                heappush(waiting, (share / more.limit, (*numbers, number)))
        else:
            chances[order] = chances.get(order, Fraction()) - share
    return dict(sorted(chances.items(), key=str))


def as_key(order: Any) -> Hashable:
    """Return an order as a hashable key: a word if it consists of letters."""
    if isinstance(order, list | tuple):
        return "".join(order) if all(isinstance(card, str) for card in order) else tuple(order)
    return order if isinstance(order, Hashable) else repr(order)


@dataclass(frozen=True)
class Fair(Exercise):
    """The exercise al-49: a shuffle in which every order is equally likely."""

    @property
    def total(self) -> int:
        """The number of decks tried: one for each number of cards, from 0 to 4."""
        return len(CARDS) + 1

    def judge(self, answer: Any) -> Verdict:
        """Try the shuffle with all random numbers, on larger and larger decks, and return the verdict."""
        if words := uncallable(answer, self.title, 2):
            return self.verdict(0, words)
        function = TimedFunction(answer)
        passed, wrong = 0, ""
        rng = Random(seed_of(self.name, answer))
        cards = [CARDS[:number] for number in range(self.total - 1)]
        for deck in (*cards, "".join(sorted(rng.shuffled(LETTERS)[: len(CARDS)]))):  # the last deck has other letters
            hint = self._hint(function, deck)
            passed += not hint
            wrong = wrong or hint
            function.quiet = True
            if function.late:
                break
        return self.verdict(passed, wrong)

    def _hint(self, function: TimedFunction, cards: str) -> str:
        limits: Counter[int] = Counter()

        def once(things: str, rng: Random) -> Any:
            deck = list(things)
            got = function(deck, rng)
            if words := order_hint(got, deck, things, function.printed):
                raise Unshuffled(words)
            return got

        class CountedScript(Script):
            def below(self, limit: int) -> int:
                limits[limit] += 1
                return super().below(limit)

        try:
            return odds_hint(orders(once, cards, CountedScript), cards, limits)
        except Unshuffled as error:
            return str(error)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a student's code can raise anything
            return f"{self.stopped(function, error)} It was called with {list(cards)}."


class Unshuffled(CrashlabError):
    """The error of a shuffle whose result is not an order of its cards."""


def order_hint(got: Any, deck: list[str], things: str, printed: str) -> str:
    """Return the hint for a result that is not an order of `things` in a new list; empty for such an order."""
    where = f"shuffle({list(things)}, rng)"
    if deck != list(things):
        return f"{where} changes the given list to {deck}. Work on a copy: `cards = list(things)`."
    if got is None or isinstance(got, str):
        words = mistaken(got, "" if got is None else [], printed)
        return f"{where} {words}" if words else f"{where} gives {short_repr(got)}; return the list with the cards."
    if not isinstance(got, list | tuple):
        return f"{where} returns {short_repr(got)}; return a list."
    if sorted(map(str, got)) != sorted(things):
        more, less = Counter(map(str, got)) - Counter(things), Counter(things) - Counter(map(str, got))
        lost = f"{', '.join(less)} is lost" if less else ""
        twice = f"{', '.join(more)} appears too often" if more else ""
        return f"{where} gives {short_repr(got)}: {' and '.join(filter(None, (lost, twice)))}. Each card is drawn once."
    return ""


def odds_hint(chances: Mapping[Any, Fraction], cards: str, limits: Mapping[int, int]) -> str:
    """Return the hint for orders that are not equally likely; empty if they are."""
    number = len(cards)
    fair = Fraction(1, factorial(number))
    if len(set(chances.values())) == 1 and len(chances) * fair == 1:
        return ""
    where = f"{number} cards have {factorial(number)} orders"
    if not limits:
        return (
            f"{where}, and yours always come out as {next(iter(chances))}: nothing is drawn from rng. Ask"
            " rng.below(number)."
        )
    if not any(kept(order, cards) for order in chances) and number > 1:
        return (
            f"{where}, and in those that you reach ({', '.join(chances)}) no card ever stays where it was."
            " But one may: a card can be swapped with its own place, too."
        )
    if len(chances) * fair < 1:
        return (
            f"{where}, and yours reaches {len(chances)}: {', '.join(chances)}."
            f" How many numbers must be drawn for {number} cards, and below which limits?"
        )
    most, least = max(chances, key=lambda order: chances[order]), min(chances, key=lambda order: chances[order])
    words = (
        f"{where}, and {most} has probability {chances[most]}, {least} has {chances[least]}. Each should have {fair}."
    )
    if set(limits) == {2}:
        return f"{words} You toss a coin for each card: cards with the same result keep their order."
    if set(limits) == {number}:
        return (
            f"{words} You always draw among all {number}: the number of ways is a power of {number}, which"
            f" {factorial(number)} orders cannot share equally. Draw among the cards that have no place yet."
        )
    return f"{words} You draw below the limits {', '.join(map(str, sorted(limits)))}."


def kept(order: Any, cards: str) -> bool:
    """Return whether any card is in its old place."""
    return any(now == before for now, before in zip(order, cards, strict=True))


# Functions that find jobs for as many cars as possible, and some with bugs


def augment(car: Any, wishes: Wishes, holder: Holder, tried: set[Any]) -> bool:
    """Find a job for this car, moving other cars to other jobs if necessary; return whether a job was found."""
    for job in wishes[car]:
        if job not in tried:
            tried.add(job)
            if job not in holder or augment(holder[job], wishes, holder, tried):
                holder[job] = car
                return True
    return False


def most_at_work(wishes: Wishes) -> Holder:
    """Return jobs for as many cars as possible."""
    holder: Holder = {}
    for car in wishes:
        augment(car, wishes, holder, set())
    return holder


def first_come(wishes: Wishes) -> Holder:
    """Return a wrong assignment of jobs: each car takes its first free job, and none makes way."""
    holder: Holder = {}
    for car, jobs in wishes.items():
        free = [job for job in jobs if job not in holder]
        if free:
            holder[free[0]] = car
    return holder


def one_makes_way(wishes: Wishes) -> Holder:
    """Return a wrong assignment of jobs: a car makes way only if another job is free for it."""
    holder: Holder = {}
    for car, jobs in wishes.items():
        for job in jobs:
            others = [other for other in wishes[holder[job]] if other not in holder] if job in holder else [job]
            if others:
                if job in holder:
                    holder[others[0]] = holder[job]
                holder[job] = car
                break
    return holder


def two_jobs(wishes: Wishes) -> Holder:
    """Return a wrong assignment of jobs: one car has two jobs, one of them taken from another car."""
    holder = most_at_work(wishes)
    for job, car in holder.items():
        for other in wishes:
            if other != car and other in holder.values() and job in wishes[other]:
                return {**holder, job: other}
    return holder


def anywhere(wishes: Wishes) -> Holder:
    """Return a wrong assignment of jobs: one car takes a job that it cannot reach."""
    holder = most_at_work(wishes)
    free = [job for jobs in wishes.values() for job in jobs if job not in holder]
    for job, car in holder.items():
        for other in free:
            if other not in wishes[car]:
                return {other: car, **{task: who for task, who in holder.items() if task != job}}
    return holder


class Planted(NamedTuple):
    """A function with a bug, and the hint for a property that does not find it."""

    find: Find
    hint: str


RIGHT: tuple[Find, ...] = (most_at_work, lambda wishes: most_at_work(dict(reversed([*wishes.items()]))))
BUGS = (
    Planted(anywhere, "it sends a car to a job that this car cannot reach. What must be true of each job and its car?"),
    Planted(two_jobs, "it gives a car two jobs. How often may a car appear in the result?"),
    Planted(
        lambda wishes: most_at_work(dict([*wishes.items()][:-1])),
        "it forgets the last car. How do you know that no more cars can have a job?",
    ),
    Planted(first_come, "nobody makes way, so cars are left without a job. How many could have one?"),
    Planted(
        one_makes_way,
        "only one car makes way, and sometimes two must. How many cars should have a job?",
    ),
)


def some_wishes(seed: int = 1) -> list[dict[str, list[int]]]:
    """Return cars with the jobs they can reach: small cases first, then random ones."""
    rng = Random(seed)
    cases: list[dict[str, list[int]]] = [{}, {"A1": []}, {"A1": [1]}, {"A1": [1], "A2": [1]}, {"A1": [1, 2], "A2": [1]}]
    cases.append({"A1": [1, 2], "A2": [2, 3], "A3": [1]})  # two cars must make way
    while len(cases) < WISHES:
        jobs = range(1, 2 + rng.below(JOBS))
        cases.append({f"A{car}": [job for job in jobs if rng.below(2)] for car in range(1, 2 + rng.below(CARS))})
    return cases


def at_work(wishes: Wishes) -> int:
    """Return the greatest number of cars with jobs: all cars less the greatest shortage of jobs of any set (Hall)."""
    return len(wishes) - max(
        size - len({job for car in some for job in wishes[car]})
        for size in range(len(wishes) + 1)
        for some in combinations(wishes, size)
    )


def is_right(wishes: Wishes, holder: Holder) -> bool:
    """Return whether as many cars as possible have a job, each within its reach."""
    fit = all(car in wishes and job in wishes[car] for job, car in holder.items())
    return fit and len(set(holder.values())) == len(holder) == at_work(wishes)


@dataclass(frozen=True)
class Property(Exercise):
    """The exercise al-49b: a property that is true of right functions and finds each planted bug."""

    @property
    def total(self) -> int:
        """The number of right functions and of planted bugs."""
        return len(RIGHT) + len(BUGS)

    def judge(self, answer: Any) -> Verdict:
        """Try the property on all functions, with all wishes, and return the verdict."""
        if words := uncallable(answer, self.title, 2):
            return self.verdict(0, words)
        function = TimedFunction(answer)
        passed, wrong, case = 0, "", None
        cases = some_wishes(seed_of(self.name, answer))
        for find, bug in [*((find, "") for find in RIGHT), *BUGS]:
            try:
                hint, wishes = self._hint(function, find, bug, cases)
            except KeyboardInterrupt:
                raise
            except AssertionError:
                hint, wishes = "it stops with an assert. Hypothesis accepts that, too, but here return False.", None
            except BaseException as error:  # a student's code can raise anything
                hint, wishes = self.stopped(function, error), function.arguments and function.arguments[1]
            passed += not hint
            if hint and not wrong:
                wrong, case = hint, wishes
            function.quiet = True
            if function.late:
                break
        return self.verdict(passed, wrong, case)

    def _hint(
        self, function: TimedFunction, find: Find, bug: str, cases: Sequence[dict[str, list[int]]]
    ) -> tuple[str, object]:
        """Return the hint for the property tried on `find`, and the wishes to show; an empty hint if it is right."""
        is_found, missed = False, None
        for wishes in cases:
            holder = find(wishes)
            got = function(lambda case: find(case), {car: list(jobs) for car, jobs in wishes.items()})
            where = f"for {wishes} find returns {holder}"
            if not isinstance(got, bool):
                words = mistaken(got, True, function.printed) or f"gives {short_repr(got)}; return True or False."
                return f"holds(find, {wishes}) {words}", wishes
            well = is_right(wishes, holder)
            if well and not got:
                return f"{where}, which is right, and you say False. {alarm(wishes, holder)}", wishes
            is_found = is_found or not got
            if not well and got and missed is None:
                missed = f"a bug stays hidden: {where}, and you say True. Here {bug}", wishes
        if bug and not is_found and missed:
            return missed
        return "", None


def alarm(wishes: Wishes, holder: Holder) -> str:
    """Return the hint for a property that rejects a right result."""
    if holder != most_at_work(wishes):
        return "There are several right answers: compare how many cars have a job, not which."
    if len(holder) < len(wishes):
        return f"Not every car can have a job there: {len(holder)} can."
    return "What do you demand that nobody promised?"


# Cities built from numbers


def city(picks: Iterable[int]) -> State:
    """Build a city for two by numbers: each number chooses an action or an outcome of chance (modulo their count)."""
    numbers = tuple(picks)
    return [built(numbers[:end]) for end in range(len(numbers) + 1)][-1]


@lru_cache(maxsize=4096)  # successive lists share their first numbers
def built(picks: tuple[int, ...]) -> State:
    """Return the city of a tuple of numbers, built from its cached prefix; numbers after the last tile are ignored."""
    if not picks:
        return game("crash_city", players=2).start(1)
    state = built(picks[:-1])
    if state.facts.phase == "race":
        return state
    (actor,) = state.actors
    codes = state.actions(actor).codes
    return state.play_codes({actor: codes[picks[-1] % len(codes)]})


CHECKS = (
    Fair(
        "al-49",
        "shuffle(things, rng)",
        "Is a pack of cards shuffled by seven riffles? Bayer and Diaconis (1992) say that it is, nearly; find out"
        " which of the 24 orders of four cards one riffle can reach.",
    ),
    Property(
        "al-49b",
        "holds(find, wishes)",
        "Who tests the tests? Planting bugs and counting how many are found is called mutation testing. Plant one that"
        " your property does not find.",
    ),
)
