"""Decisions and their answers: one declaration from which actions are written, read, refused and taken apart.

A game declares each of its decisions under the number that its table stores for the decision:

    DECISIONS = by_number({
        PLAN: Decision("plan", "a plan", joined(CARD, DIRECTION, 4, " ", halves), "a card and a direction (CG-R1)"),
        BOOST: Decision("boost", "a boost", either("no", thing(BOOST)), boost_refusal),
        ...
    })

An Answer converts an action (an int) to words and back; it also reads illegal actions. These functions build Answers:

    thing         a value of a type
    word_of       one of some words
    either        a word, or any other answer
    joined        two values of two types
    action_types  answers that begin with a verb
    alone         a verb without anything after it

At the end of a game the decision is OVER.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from crashlab.base.errors import MOST, CrashlabError, require, short_repr
from crashlab.engine.notation import about, chosen, some
from crashlab.engine.table import Ints, Table
from crashlab.engine.value_codecs import Codec

In = TypeVar("In", bound=Table, contravariant=True)
MOST_LISTED = 8  # most legal answers listed in a refusal


@dataclass(frozen=True)
class Answer(Generic[In]):
    """A notation of actions; `parts` returns the parts of an action by name, as JSON values."""

    format: Callable[[In, int], str]
    parse: Callable[[In, str], int]
    parts: Callable[[In, int], dict[str, object]]
    refuse: Callable[[In, int], str] | None = None  # returns why an action is illegal, or an empty string


@dataclass(frozen=True)
class Decision(Generic[In]):
    """A decision of a seat or of chance.

    `name` is its keyword in positions, and `about` describes the answer. `refuse` explains illegal actions: it is a
    reason with its rule, or a function of the table and the action that returns the whole refusal. It is empty if all
    meaningful answers are legal. `without` is the answer that declines the decision; empty if it cannot be declined.
    """

    name: str
    about: str
    answer: Answer[In]
    refuse: str | Callable[[In, int], str] = ""
    silence: str = ""  # the answer that None stands for, if any
    without: str = ""


def by_number(decisions: Mapping[int, Decision[In]]) -> tuple[Decision[In], ...]:
    """Return decisions in the order of their numbers, from 0."""
    return tuple(decisions[number] for number in range(len(decisions)))


# Answers


def thing(codec: Codec[In], *also: tuple[str, int]) -> Answer[In]:
    """Return the notation of a value of a type; `also` lists additional words with their codes."""
    more = dict(also)

    def parse(table: In, words: str) -> int:
        code = more.get(words.strip().casefold())
        return codec.parse(table, words) if code is None else code

    return Answer(codec.format, parse, lambda table, code: {codec.name: codec.to_json(table, code)})


def word_of(name: str, *names: str | Sequence[str]) -> Answer[Any]:
    """Return the notation of one of several words, given in the order of their codes; a sequence lists synonyms."""
    first = [spelling if isinstance(spelling, str) else spelling[0] for spelling in names]

    def write(table: Table, code: int) -> str:
        return first[code] if 0 <= code < len(first) else f"{name} {code}"

    def parse(table: Table, words: str) -> int:
        return chosen(words, names, name)

    return Answer(write, parse, lambda table, code: {name: write(table, code)})


def either(word: str | Sequence[str], other: Answer[In], name: str = "answer") -> Answer[In]:
    """Return the notation of a word (code 0, perhaps with synonyms) or any other answer (codes from 1)."""
    spellings = (word,) if isinstance(word, str) else tuple(word)

    def write(table: In, code: int) -> str:
        return other.format(table, code - 1) if code else spellings[0]

    def parse(table: In, words: str) -> int:
        return 0 if words.strip().casefold() in spellings else 1 + other.parse(table, words)

    def parts(table: In, code: int) -> dict[str, object]:
        return other.parts(table, code - 1) if code else {name: spellings[0]}

    return Answer(write, parse, parts)


def joined(
    first: Codec[In], second: Codec[In], base: int, between: str, split: Callable[[str], tuple[str, str]] | None = None
) -> Answer[In]:
    """Return the notation of two values, with the code base * first + second, separated by `between`.

    A space is also read as the separator. If given, `split` separates the two values instead.
    """

    def apart(words: str) -> tuple[str, str]:
        one, _, two = words.replace(between, " ", 1).partition(" ") if between else (words, "", "")
        require(two.strip(), f"give a {first.name} and a {second.name}, separated by {between!r}")
        return one, two

    def write(table: In, code: int) -> str:
        return f"{first.format(table, code // base)}{between}{second.format(table, code % base)}"

    def parse(table: In, words: str) -> int:
        one, two = (split or apart)(words)
        return base * first.parse(table, one) + second.parse(table, two)

    def parts(table: In, code: int) -> dict[str, object]:
        return {first.name: first.to_json(table, code // base), second.name: second.to_json(table, code % base)}

    return Answer(write, parse, parts)


@dataclass(frozen=True)
class ActionType(Generic[In]):
    """A type of actions with codes from `first`; the first verb is written (unless empty), the others are synonyms."""

    first: int
    verbs: tuple[str, ...]
    answer: Answer[In]
    refuse: Callable[[In, int], str] | None = None  # returns why an action of this type is impossible


def action_types(
    *kinds: ActionType[In], name: str = "action", width: int = MOST, tidy: Callable[[str], str] = str
) -> Answer[In]:
    """Return the notation of several types of actions, each with a verb; without a verb, the last type is meant.

    An empty verb is not written. The parts include the verb only if there are several types. A type has at most
    `width` codes. `tidy` normalises words before they are read.
    """
    ordered = sorted(kinds, key=lambda kind: kind.first)

    def of(code: int) -> ActionType[In]:
        return next((kind for kind in reversed(ordered) if kind.first <= code), ordered[0])

    def write(table: In, code: int) -> str:
        sort = of(code)
        return f"{sort.verbs[0]} {sort.answer.format(table, code - sort.first)}".strip()

    def parse(table: In, words: str) -> int:
        words = tidy(words).strip()
        verb, _, rest = words.partition(" ")
        for sort in kinds:
            if verb.casefold() in sort.verbs:
                return sort.first + sort.answer.parse(table, rest)
        return kinds[-1].first + kinds[-1].answer.parse(table, words)

    def parts(table: In, code: int) -> dict[str, object]:
        sort = of(code)
        verb = {name: sort.verbs[0]} if sort.verbs[0] and len(kinds) > 1 else {}
        return {**verb, **sort.answer.parts(table, code - sort.first)}

    def refuse(table: In, code: int) -> str:
        sort = of(code)
        if not 0 <= code - sort.first < width or not sort.refuse:
            return ""
        return misread(answer, table, code) or sort.refuse(table, code)

    answer = Answer(write, parse, parts, refuse)
    return answer


def misread(answer: Answer[In], table: In, code: int) -> str:
    """Return why the notation of an action is not read back as its code; empty if it is."""
    words = answer.format(table, code)
    try:
        is_meant = answer.parse(table, words) == code
    except CrashlabError as error:
        return f"{words} is not possible: {error}"
    return "" if is_meant else f"{code} is not the code of {short_repr(words)}"


def alone(code: int = 0) -> Answer[Any]:
    """Return the notation of a verb without anything after it."""

    def parse(table: Table, words: str) -> int:
        require(not words.strip(), f"leave out {short_repr(words)}: the action is complete without it")
        return code

    return Answer(lambda table, code: "", parse, lambda table, code: {})


def nobody(table: Table, words: str) -> int:
    """Raise CrashlabError, as there is no decision."""
    raise CrashlabError("there is nothing to decide")


NOBODY: Answer[Any] = Answer(lambda table, code: f"action {code}", nobody, lambda table, code: {})
OVER: Decision[Any] = Decision("over", "an action after the end of the game", NOBODY, "the game is over")


# Reading and refusing answers


def read(decision: Decision[In], table: In, words: object) -> int:
    """Parse the answer to a decision, legal or not."""
    with about(f"cannot read {short_repr(words)} as {decision.about}"):
        if words is None and decision.silence:
            words = decision.silence
        if not isinstance(words, str) or not words.strip():
            raise CrashlabError("give the answer as text")
        return decision.answer.parse(table, " ".join(words.split()))


def refusal(decision: Decision[In], table: In, code: int, legal: Ints) -> str:
    """Return why an action cannot be played now; empty if it is in `legal`."""
    if code in legal:
        return ""
    if decision.answer.refuse:
        return (
            decision.answer.refuse(table, code)
            or f"code {code} is not an answer to the current decision: {decision.about}"
        )
    if callable(decision.refuse):
        return decision.refuse(table, code)
    why = f"is not possible: {decision.refuse}" if decision.refuse else "is not an answer here"
    return f"{decision.answer.format(table, code)} {why}; possible: {some_legal(decision, table, legal)}"


def described(decisions: Sequence[Decision[Any]]) -> str:
    """Return a table of decisions: their names and descriptions."""
    widest = max(len(decision.name) for decision in decisions)
    return "\n".join(f"    {decision.name:{widest}}  {decision.about}" for decision in decisions)


def some_legal(decision: Decision[In], table: In, legal: Ints) -> str:
    """Return the first legal answers in words."""
    words = [decision.answer.format(table, code) for code in legal[:MOST_LISTED]]
    return some(words) + (", ..." if len(legal) > MOST_LISTED else "")
