"""The protocols that a game implements, and the defaults for what it may omit.

A game is a folder of modules; the core uses them only through these protocols. Each game declares in its `__init__.py`

    GAME: Modules[state.Autoscooter] = Modules(
        state, rules, notation, positions, text, render, ui, poster, baselines
    )

for the type checker, which then refuses a game that lacks a name or has other types. A game without `poster` or
`baselines` omits them.

Only the rules change a table, through `happen`. Seats count from 0, and CHANCE is an actor as well. An action is an int
with a meaning private to its game. The argument `out` is a list of MOST_ACTIONS ints to write to; beyond the entries
written, its content is arbitrary and may change between calls.

`default_rules` has the parts of rules that are the same in most games; the defaults below are for the other modules.
Games call their own rules through `legal_actions` and `only`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from crashlab.drawing.shapes import Picture, Piece, Point, Shape
from crashlab.engine.action_notation import Decision
from crashlab.engine.chance import Random
from crashlab.engine.options import Option, Value
from crashlab.engine.position import Part
from crashlab.engine.prompts import Choice, Edit, Question
from crashlab.engine.rulebook import Rulebook
from crashlab.engine.rules import played
from crashlab.engine.table import Ints, Row, Table, Trace
from crashlab.engine.value_codecs import Change, Codec

T = TypeVar("T", bound=Table)
In = TypeVar("In", bound=Table, contravariant=True)
Out = TypeVar("Out", bound=Table, covariant=True)


@dataclass(frozen=True)
class Traits:
    """Properties of all games with these options, to choose an algorithm by.

    Decisions of chance count as decisions; decisions with a single legal action do not.
    """

    chance: bool  # whether there is chance after the set-up
    secrets: bool  # whether seats have different information
    simultaneous: bool  # whether several seats decide at once
    longest: int | None  # largest number of decisions; None without a known bound
    scores: tuple[int, int | None]  # smallest and largest score of a seat; None without a known bound
    clocks: tuple[str, ...] = ()  # fields that count time and matter only for a limit on the game's length


class Tables(Protocol[Out]):
    """`state.py`: the state, declared once, and its set-up."""

    @property
    def TITLE(self) -> str:
        """The title of the game."""
        ...

    @property
    def OPTIONS(self) -> tuple[Option, ...]:
        """The options; every game has `players`."""
        ...

    def check_options(self, options: Mapping[str, Value]) -> None:
        """Raise CrashlabError for options that contradict each other."""

    def empty(self, options: Mapping[str, Value]) -> Out:
        """Return an empty table with these options."""
        ...

    def set_up(self, options: Mapping[str, Value], rng: Random) -> Out:
        """Return the table at the start of a game; rng makes the random choices."""
        ...

    def traits(self, options: Mapping[str, Value]) -> Traits:
        """Return the properties of all games with these options."""
        ...


Judge = Callable[[Any, int, Any], float]
"""A heuristic: (state, seat, action) -> value. The state is the seat's view."""


class Rulings(Protocol[In]):
    """`rules.py`: functions of integers, which can be compiled; each docstring contains the id of the rule."""

    @property
    def BOOK(self) -> Rulebook:
        """Every rule: id, title, text, mark, source, and the names of the numbers of a note that cites it."""
        ...

    @property
    def MOST_ACTIONS(self) -> int:
        """The largest number of legal actions, or of outcomes of chance, at a decision."""
        ...

    @property
    def LETTERS(self) -> int:
        """The number of different letters in the spelling of actions."""
        ...

    def actors(self, table: In) -> int:
        """Return the current actors: seats as bits, or CHANCE, or 0 if the game is over."""
        ...

    def legal(self, table: In, seat: int, out: Ints) -> int:
        """Write the actor's legal actions to out; return their number."""
        ...

    def apply(self, table: In, seat: int, action: int, trace: Trace | None) -> None:
        """Play one actor's action; if several decide at once, the last action triggers the consequences.

        Only the first event has no cause. A call of `next_beat` starts each beat after the first.
        """

    def score(self, table: In, seat: int) -> int:
        """Return the points of a seat."""
        ...


class GameRules(Rulings[In], Protocol[In]):
    """The complete rules of a game as one module (`rules.whole`), including the parts that `rules.py` may omit.

    The additional parts are defined in `rules.py`, in a file next to it (`rules.BESIDE`) or, in most games, in
    `default_rules`.
    """

    @property
    def HORIZON(self) -> int:
        """The default length of a search playout in decisions, found by experiment."""
        ...

    @property
    def EXPLORATION(self) -> float:
        """The default exploration constant of a tree search, found by experiment."""
        ...

    def draw(self, table: In, seat: int, luck: int, out: Ints) -> int:
        """Return a legal action of a seat, all equally likely; luck is a number below 2 ** 31."""
        ...

    def at_random(self, table: In, seat: int, luck: Ints, out: Ints) -> int:
        """Return the only action of a seat, or a random one; luck, the RNG state, is used only if there is a choice."""
        ...

    def rollout_policy(self, table: In, seat: int, luck: Ints, out: Ints) -> int:
        """Return a plausible action of a seat with a choice, for the playouts of searches; must be fast."""
        ...

    def only_action(self, table: In, seat: int, out: Ints) -> int:
        """Return the only action of an actor without a choice, else NOWHERE."""
        ...

    def odds(self, table: In, out: Ints) -> int:
        """Write the weights of the outcomes of chance in the order of `legal`; return their number."""
        ...

    def winners(self, table: In) -> int:
        """Return the winners as bits, once the game is over; in all built-in games, the seats with the best score."""
        ...

    def evaluate(self, table: In, out: Ints) -> None:
        """Write an evaluation of every seat in hundredths of a point: its score and part of the points in reach."""

    def spell(self, table: In, seat: int, action: int, out: Ints) -> int:
        """Write the spelling of a current seat's action, with letters numbered from 0; return its length.

        No spelling is a prefix of another one. Learning programs choose by at most `table.MOST_LETTERS` letters.
        """
        ...

    def observe(self, view: In, seat: int) -> None:
        """Replace every value that the seat does not know by HIDDEN, in a copy of a table."""

    def determinize(self, view: In, luck: Ints, out: Ints) -> None:
        """Replace every HIDDEN by a random possible value; luck is the RNG state (`chance.next_luck`)."""


class Rounds(Protocol[In]):
    """Additional rules of a game that ends after rounds of secret simultaneous plans, for `crashlab.solve`.

    Within a round, a seat learns nothing about the plans of others, the plans do not change which actions are legal,
    and there is no chance.
    """

    def rounds_left(self, table: In) -> int:
        """Return the number of rounds left; it drops by one after each round, to 0 at the end."""
        ...

    def outline(self, table: In, out: Ints) -> int:
        """Write the numbers that determine the rest of the game; return their count, at most MOST_ACTIONS.

        Two positions of one game with the same numbers are equivalent: the same actions change the leads equally.
        """
        ...

    def at_stake(self, table: In, seat: int, other: int) -> int:
        """Return an upper bound on how much the seat's lead over the seat `other` can still grow."""
        ...


class Decisions(Protocol[In]):
    """`notation.py`: the decisions, and how their answers are written, read and refused.

    Its docstring is the beginning of `game.notation`.
    """

    @property
    def DECISIONS(self) -> tuple[Decision[Any], ...]:
        """All decisions, in the order of their numbers in the table."""
        ...

    def decision(self, table: In, seat: int) -> Decision[Any]:
        """Return the current decision of an actor, a seat or CHANCE."""
        ...


class Numbered(Protocol[In]):
    """Additional names of `notation.py` in games with few enough different actions to number them.

    The actions of seats and the outcomes of chance are numbered separately, each from 0.
    """

    @property
    def VOCABULARY(self) -> int:
        """The number of different actions."""
        ...

    def number_of(self, table: In, seat: int, code: int) -> int:
        """Return the number of an action."""
        ...

    def code_at(self, table: In, seat: int, number: int) -> int:
        """Return the action with a number."""
        ...


class Positions(Protocol[T]):
    """`positions.py`: positions as text and JSON (secrets included), the public facts of a state, and checks.

    Its docstring is part of `game.notation`. One of its paragraphs ends with "A position is one line, for example"; the
    indented text after it is a position as a line, and the indented text that begins with a brace is the same as JSON.
    """

    @property
    def PARTS(self) -> tuple[Part[T], ...]:
        """The parts of a position, in the order in which they are written.

        At least one part is required: it has no default, or a default that returns `position.NEEDED`.
        """
        ...

    @property
    def Facts(self) -> type[Any]:
        """The facts of a state, such as `state.box`: a subclass of `position.StateFacts`.

        Each property is a fact about a table; for a part of the position an annotation is enough.
        """
        ...

    def problems(self, table: T) -> list[str]:
        """Describe everything impossible about a table; empty at every beat of every game.

        The engine checks the ranges of values in all games, but only after this call, so values may be out of range.
        """
        ...

    def stuck(self, table: T) -> list[str]:
        """Describe why play cannot continue from a table without problems; empty at every decision of a game.

        Views are passed as well. The engine itself checks that every actor has a legal action.
        """
        ...


class GameText(Protocol[In]):
    """`text.py`: events in words and as named values, and their secrecy."""

    @property
    def CHANGES(self) -> Mapping[str, Change]:
        """The types of the index and the values of each field, by name."""
        ...

    @property
    def NOTES(self) -> Mapping[str, Codec[Any]]:
        """The type of each number of a note, by its name in the rulebook."""
        ...

    def event_text(self, table: In, row: Row, /) -> str:
        """Describe an event in words (`event_words.teller`), given the table before the event."""
        ...

    def is_secret(self, table: In, row: Row, seat: int) -> bool:
        """Return whether an event is secret from a seat; games without secrets use `no_secret`."""
        ...


class Render(Protocol[In]):
    """`render.py`: pictures as shapes. Pieces with the same key in two pictures are the same object.

    A piece whose key is the notation of an outcome of chance is the click target of that outcome. A piece with the
    colour `primitives.GLOW` is marked already, so the board draws no ring around it. Colours that only this game needs
    are part of its pictures.
    """

    def picture(self, table: In) -> Picture:
        """Return the picture of a table; a large board is on its `map`, which can be magnified."""
        ...

    def caption(self, table: In) -> str:
        """Describe the picture in words."""
        ...

    def effects(self, table: In, rows: Sequence[Row], turn_rows: Sequence[Row]) -> tuple[tuple[Piece, Piece], ...]:
        """Return the effects of a beat, each as a piece at its start and at its end.

        The table is the one before the beat. `rows` are the events of the beat; `turn_rows` are all events of the turn,
        in which causes can be looked up.
        """
        ...

    def paths(self, table: In, rows: Sequence[Row]) -> tuple[Shape, ...]:
        """Return the paths driven in the first events of a turn, to be drawn below the pieces.

        The table is the one before the turn.
        """
        ...

    def place_of(self, table: In, value: object) -> Point | None:
        """Return the point of a value of a program that denotes a place or a piece; None for other values.

        It must accept any object (`toolkit.place_of`). Its docstring becomes part of `game.notation`.
        """
        ...

    def seat_paint(self, table: In, seat: int) -> str:
        """Return the colour name of a seat, for text and curves beside the board."""
        ...

    def purses(self, table: In) -> Mapping[str, int]:
        """Return the totals that sum up a film, by name: the score of each seat, and stocks that belong to no seat."""
        ...


class UI(Protocol[In]):
    """`ui.py`: how people decide at the board."""

    def subject(self, table: In, seat: int) -> str:
        """Return the key of the piece that the seat decides about, or an empty string."""
        ...

    def prompt(self, table: In, seat: int, chosen: tuple[str, ...]) -> str:
        """Return the question to the seat after the words chosen, such as "Red: boost?", without a final full stop.

        The caller adds the name of the seat (A, B, ...) if necessary.
        """
        ...

    def choices(self, table: In, seat: int, chosen: tuple[str, ...]) -> tuple[Choice, ...]:
        """Return the next choices after the words chosen; together they lead to every legal action.

        This is not called for chance. To show the value of a choice, `lab/heat.py` recolours its shapes that have a
        colour of `primitives.MARKS`.
        """
        ...

    def rounds(self, table: In) -> int:
        """Return the number of rounds started, or of turns in a game without rounds."""
        ...

    def plans(self, table: In, actions: Mapping[int, int]) -> tuple[Choice, ...]:
        """Return the plans made so far and the given actions, in words and shapes."""
        ...

    def target(self, table: In, seat: int, action: int) -> Point | None:
        """Return the point to which a legal action of a current seat leads, or None."""
        ...

    def questions(self, turn: Any) -> tuple[Question, ...]:
        """Return the questions about a turn (`game.Turn`) to answer before it is shown; empty for some turns."""
        ...

    def edits(self, table: In) -> tuple[Edit, ...]:
        """Return the edits of the position that a user can make by hand."""
        ...


class Posters(Protocol):
    """`poster.py`: the rules in pictures. A game without this file gets a poster from the titles of its rules."""

    @property
    def PICTURES(self) -> Mapping[str, Callable[[], Picture]]:
        """The pictures of the notation, such as `game.picture("directions")`."""
        ...

    def strips(self, options: Mapping[str, Value]) -> tuple[Strip, ...]:
        """Return about four strips: the goal, a turn, a collision, scoring and the end, according to the options."""
        ...


class NoPictures:
    """The poster of a game that declares none."""

    PICTURES: Mapping[str, Callable[[], Picture]] = {}

    def strips(self, options: Mapping[str, Value]) -> tuple[Strip, ...]:
        """Return no strips, as the rulebook suffices."""
        return ()


@dataclass(frozen=True)
class Baseline:
    """A built-in agent: a step of the ladder of opponents for students."""

    name: str
    sentence: str  # its description
    by: str | Judge  # the name of a general agent, or a heuristic
    settings: Mapping[str, Any] = field(default_factory=dict)  # the arguments of a general agent


class Baselines(Protocol):
    """`baselines.py`: the built-in agents, the weakest first. A game without this file has no ladder."""

    @property
    def BASELINES(self) -> tuple[Baseline, ...]:
        """The agents; their names are lower case and unique."""
        ...


class NoBaselines:
    """The ladder of a game that declares none."""

    BASELINES: tuple[Baseline, ...] = ()


@dataclass(frozen=True)
class Modules(Generic[T]):
    """The modules of a game."""

    state: Tables[T]
    rules: Rulings[T]
    notation: Decisions[T]
    positions: Positions[T]
    text: GameText[T]
    render: Render[T]
    ui: UI[T]
    poster: Posters = field(default_factory=NoPictures)
    baselines: Baselines = field(default_factory=NoBaselines)


# Functions with which a game calls its own rules.


def legal_actions(rules: Any, table: Table, seat: int) -> Ints:
    """Return the legal actions of a current actor."""
    rules = played(rules)
    out = [0] * rules.MOST_ACTIONS
    return out[: rules.legal(table, seat, out)]


def only(rules: Any, table: Table, seat: int) -> int:
    """Return the only action of an actor, or NOWHERE if it has a choice."""
    action: int = played(rules).only_action(table, seat, [0] * rules.MOST_ACTIONS)
    return action


def observed(rules: Any, table: T, seat: int) -> T:
    """Return a seat's view of a table: a copy with HIDDEN for every value that it does not know."""
    view = table.copy()
    played(rules).observe(view, seat)
    return view


def determinized(rules: Any, view: T, rng: Random) -> T:
    """Return a random table that is consistent with a view."""
    full, luck = view.copy(), [rng.luck]
    played(rules).determinize(full, luck, [0] * rules.MOST_ACTIONS)
    rng.luck = luck[0]
    return full


# Defaults for games without secrets, or with simple options or pictures.


def no_secret(table: Any, row: Row, seat: int) -> bool:
    """Return False: no event is secret."""
    return False


def any_options(options: Mapping[str, Value]) -> None:
    """Accept all combinations of options."""


def no_problems(table: Any) -> list[str]:
    """Return an empty list, as a game with simple positions needs no checks of its own."""
    return []


def seat_paint(table: Any, seat: int) -> str:
    """Return the colour name of a seat: "seat 0", "seat 1", ..."""
    return f"seat {seat}"


def no_effects(table: Any, rows: Sequence[Row], turn_rows: Sequence[Row]) -> tuple[tuple[Piece, Piece], ...]:
    return ()


def no_paths(table: Any, rows: Sequence[Row]) -> tuple[Shape, ...]:
    return ()


def no_places(table: Any, value: object) -> Point | None:
    """Return None: no value has a place."""
    return None


def no_targets(table: Any, seat: int, action: int) -> Point | None:
    """Return None: no action leads to a place on the picture."""
    return None


# Posters


Plays = tuple[Mapping[int, str] | str, ...]  # for each turn the actions by seat, or the only action


@dataclass(frozen=True)
class Strip:
    """A strip of a poster: one position or, with `plays`, the positions before and after them.

    The second picture shows the last turn at the beat at which the last of `rules` takes effect.
    """

    title: str
    words: str  # one to three short sentences
    rules: tuple[str, ...]
    position: Mapping[str, Any] | str
    plays: Plays = ()
    at: tuple[float, float] = (0.0, 0.0)  # the centre of the part of the picture shown
    wide: float = 0.0  # the width of the part shown; 0 for all
    tells: tuple[str, ...] = ()  # events to describe below the pictures, each identified by a part of its text
    since: int = 0  # the beat of the last turn that the first picture shows
