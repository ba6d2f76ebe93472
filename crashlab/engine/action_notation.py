"""What is to be decided, and how the answers are written: said, read, refused and taken apart from one declaration.

A game lists its decisions by the numbers that its table has for them:

    DECISIONS = by_number({
        PLAN: Decision("plan", "a plan", joined(CARD, DIRECTION, 4, " ", halves), "a card and a direction (CG-R1)"),
        BOOST: Decision("boost", "a boost", either("no", thing(BOOST)), boost_refusal),
        ...
    })

An Answer is a way to write an action, which is one int, in words; what an Answer reads need not be legal.

    thing       one thing of a kind
    word_of     one of some words
    either      a word, or any other answer
    joined      two things of two kinds
    sorts       answers that begin with a verb
    alone       nothing more than the verb of its sort

Once a game is over, OVER is what is decided.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from crashlab.base.errors import MOST, CrashlabError, shown
from crashlab.engine.notation import about, chosen, some
from crashlab.engine.table import Ints, Table
from crashlab.engine.value_codecs import Codec

In = TypeVar("In", bound=Table, contravariant=True)
MOST_LISTED = 8  # legal answers that a refusal lists


@dataclass(frozen=True)
class Answer(Generic[In]):
    """How actions are written; `parts` names the things in one, as plain JSON values."""

    format: Callable[[In, int], str]
    parse: Callable[[In, str], int]
    parts: Callable[[In, int], dict[str, object]]
    refuse: Callable[[In, int], str] | None = None  # of sorts: why an action that is not legal is not


@dataclass(frozen=True)
class Decision(Generic[In]):
    """What somebody, or chance, is asked for.

    `name` is its word in positions, `about` what is asked for, and `refuse` why an action that is not legal is not: a
    reason with its rule, or a function of the table and the action that gives the whole refusal; nothing where no
    answer is refused but those that make no sense. `without` is the answer of who does without, where one can.
    """

    name: str
    about: str
    answer: Answer[In]
    refuse: str | Callable[[In, int], str] = ""
    silence: str = ""  # the answer that None stands for, where it does
    without: str = ""


def by_number(decisions: Mapping[int, Decision[In]]) -> tuple[Decision[In], ...]:
    """These decisions in the order of their numbers, which count from 0."""
    return tuple(decisions[number] for number in range(len(decisions)))


# Answers


def thing(codec: Codec[In], *also: tuple[str, int]) -> Answer[In]:
    """One thing of a kind; `also` are more words that mean a number."""
    more = dict(also)

    def parse(table: In, words: str) -> int:
        found = more.get(words.strip().casefold())
        return codec.parse(table, words) if found is None else found

    return Answer(codec.format, parse, lambda table, code: {codec.name: codec.to_json(table, code)})


def word_of(name: str, *names: str | Sequence[str]) -> Answer[Any]:
    """One of some words, in the order of their codes; each may have other names, after its first."""
    first = [own if isinstance(own, str) else own[0] for own in names]

    def write(table: Table, code: int) -> str:
        return first[code] if 0 <= code < len(first) else f"{name} {code}"

    def parse(table: Table, words: str) -> int:
        return chosen(words, names, name)

    return Answer(write, parse, lambda table, code: {name: write(table, code)})


def either(word: str | Sequence[str], other: Answer[In], name: str = "answer") -> Answer[In]:
    """A word, which has the code 0 (and may have other names, after its first), or any other answer, from 1 on."""
    own = (word,) if isinstance(word, str) else tuple(word)

    def write(table: In, code: int) -> str:
        return other.format(table, code - 1) if code else own[0]

    def parse(table: In, words: str) -> int:
        return 0 if words.strip().casefold() in own else 1 + other.parse(table, words)

    def parts(table: In, code: int) -> dict[str, object]:
        return other.parts(table, code - 1) if code else {name: own[0]}

    return Answer(write, parse, parts)


def joined(
    first: Codec[In], second: Codec[In], base: int, between: str, split: Callable[[str], tuple[str, str]] | None = None
) -> Answer[In]:
    """Two things: the code is base * the first + the second; they are written with `between` between.

    They are read with it, or a space, between; `split` takes words apart where they can be written otherwise.
    """

    def apart(words: str) -> tuple[str, str]:
        one, _, two = words.replace(between, " ", 1).partition(" ") if between else (words, "", "")
        if not two.strip():
            raise CrashlabError(f"a {first.name} and a {second.name} are wanted, with {between!r} between")
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
    """Answers of one sort: codes from `first` on; the first of its verbs is said (if any), the others are read too."""

    first: int
    verbs: tuple[str, ...]
    answer: Answer[In]
    refuse: Callable[[In, int], str] | None = None  # why an action of this sort, as a whole, is not possible


def action_types(
    *kinds: ActionType[In], name: str = "action", width: int = MOST, tidy: Callable[[str], str] = str
) -> Answer[In]:
    """Answers of several sorts, each with a verb before it; without a verb, the last sort is meant.

    A verb that is empty is not said. The parts tell the verb only where there are several sorts. Each sort has codes
    for `width` actions at most. `tidy` is done to words before they are read.
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
    """Why the words of an action do not mean this code; empty if they do."""
    words = answer.format(table, code)
    try:
        is_meant = answer.parse(table, words) == code
    except CrashlabError as error:
        return f"{words} is not possible: {error}"
    return "" if is_meant else f"{shown(words)} is never done with code {code}"


def alone(code: int = 0) -> Answer[Any]:
    """Nothing more than its verb."""

    def parse(table: Table, words: str) -> int:
        if words.strip():
            raise CrashlabError(f"nothing comes after it, so {shown(words)} says too much")
        return code

    return Answer(lambda table, code: "", parse, lambda table, code: {})


def nobody(table: Table, words: str) -> int:
    """Refused: there is nothing to answer."""
    raise CrashlabError("nobody is asked anything")


NOBODY: Answer[Any] = Answer(lambda table, code: f"action {code}", nobody, lambda table, code: {})
OVER: Decision[Any] = Decision("over", "an answer, for the game is over", NOBODY, "the game is over")


# What becomes of a decision


def read(decision: Decision[In], table: In, words: object) -> int:
    """The action that these words mean as an answer, legal or not."""
    with about(f"cannot read {shown(words)} as {decision.about}"):
        if words is None and decision.silence:
            words = decision.silence
        if not isinstance(words, str) or not words.strip():
            raise CrashlabError("an answer is a few words")
        return decision.answer.parse(table, " ".join(words.split()))


def refusal(decision: Decision[In], table: In, code: int, legal: Ints) -> str:
    """Why this action cannot be played now; empty if it is one of the legal ones."""
    if code in legal:
        return ""
    if decision.answer.refuse:
        return decision.answer.refuse(table, code) or f"{decision.about} is asked for now, not code {code}"
    if callable(decision.refuse):
        return decision.refuse(table, code)
    why = f"is not possible: {decision.refuse}" if decision.refuse else "is not an answer here"
    return f"{decision.answer.format(table, code)} {why}; possible: {some_legal(decision, table, legal)}"


def described(decisions: Sequence[Decision[Any]]) -> str:
    """All decisions by their names, each with what is asked for."""
    widest = max(len(decision.name) for decision in decisions)
    return "\n".join(f"    {decision.name:{widest}}  {decision.about}" for decision in decisions)


def some_legal(decision: Decision[In], table: In, legal: Ints) -> str:
    """Some legal answers in words."""
    words = [decision.answer.format(table, code) for code in legal[:MOST_LISTED]]
    return some(words) + (", ..." if len(legal) > MOST_LISTED else "")
