"""What a game offers, as types, and what it need not say itself.

A game is a folder of modules; the core knows them by these protocols only. Each game says in its `__init__.py`

    GAME: Modules[state.Autoscooter] = Modules(
        state, rules, notation, positions, text, render, ui, poster, baselines
    )

for the type checker alone, which then refuses a game that lacks a name or offers it with other types. A game that has
no `poster` or no `baselines` yet leaves them out.

A table is changed by nothing but the rules, through `happen`. Seats count from 0 and CHANCE is an actor too; an action
is one int, whose meaning only its game knows; `out` is a row of MOST_ACTIONS ints to write to. What rules leave behind
their list may still be there when they get the row again, or something else: they have to look.

What rules need not say, since it is the same in most games, stands in `default_rules`; here stands what a game without
anything else to say need not write. Games ask their own rules by `listed` and `only`.
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
    """What is true of every game with these options, for whoever has to choose an algorithm.

    Decisions of chance count as decisions; those in which nobody has a choice do not.
    """

    chance: bool  # whether something is left to chance after the set-up
    secrets: bool  # whether seats see different things
    simultaneous: bool  # whether several seats decide at once
    longest: int | None  # how many decisions there are at most; None where no bound is known
    scores: tuple[int, int | None]  # the least and the greatest score of a seat; None where no bound is known
    clocks: tuple[str, ...] = ()  # fields that count for how long it has lasted, and matter to nothing but a limit


class Tables(Protocol[Out]):
    """`state.py`: the state, declared once, and its set-up."""

    @property
    def TITLE(self) -> str:
        """The name on the box."""

    @property
    def OPTIONS(self) -> tuple[Option, ...]:
        """Every game has `players`."""

    def check_options(self, options: Mapping[str, Value]) -> None:
        """Refuse options that contradict each other."""

    def empty(self, options: Mapping[str, Value]) -> Out:
        """A table with its options, on which nothing lies yet."""

    def set_up(self, options: Mapping[str, Value], rng: Random) -> Out:
        """The table at the start; rng draws what is drawn."""

    def traits(self, options: Mapping[str, Value]) -> Traits:
        """What is true of every game with these options."""


Judge = Callable[[Any, int, Any], float]
"""How good an action is, by hand: (state, seat, action) -> number. The state is as the seat sees it."""


class Rulings(Protocol[In]):
    """`rules.py`: integers only, with a rule's id in every docstring; they also compile."""

    @property
    def BOOK(self) -> Rulebook:
        """Every rule: id, title, text, mark, source, and the names of the numbers of a note that cites it."""

    @property
    def MOST_ACTIONS(self) -> int:
        """How long a list of legal actions can be, the outcomes of chance too."""

    @property
    def LETTERS(self) -> int:
        """With how many letters actions are spelled."""

    def actors(self, table: In) -> int:
        """Who decides now: bits of seats, CHANCE, or 0 when the game is over."""

    def legal(self, table: In, seat: int, out: Ints) -> int:
        """Write the actor's legal actions into out; how many there are."""

    def apply(self, table: In, seat: int, action: int, trace: Trace | None) -> None:
        """Play one actor's action; of several actors the last one sets things going.

        Only its first event has no cause. What happens later than it stands behind a `next_beat`.
        """

    def score(self, table: In, seat: int) -> int:
        """How many points a seat has."""


class GameRules(Rulings[In], Protocol[In]):
    """The rules of a game as they are asked, one module (`rules.whole`): what `rules.py` need not say is here, too.

    It stands in `rules.py`, in a file beside it (`rules.BESIDE`), or, as in most games, in `default_rules`.
    """

    @property
    def HORIZON(self) -> int:
        """How many decisions ahead it pays to look, by trial: so many has a playout of a search, unless told."""

    @property
    def EXPLORATION(self) -> float:
        """How much a tree search explores unless told, by trial."""

    def draw(self, table: In, seat: int, luck: int, out: Ints) -> int:
        """One legal action of a seat, each as likely as any other; luck is a number below 2 ** 31."""

    def at_random(self, table: In, seat: int, luck: Ints, out: Ints) -> int:
        """The only action of a seat, or one that it draws; luck is a source, asked only where there is a choice."""

    def rollout_policy(self, table: In, seat: int, luck: Ints, out: Ints) -> int:
        """What a seat that has a choice might well do: how searches play on behind what they know. It must be quick."""

    def only_action(self, table: In, seat: int, out: Ints) -> int:
        """The only action of an actor that has no choice, else NOWHERE."""

    def odds(self, table: In, out: Ints) -> int:
        """At a decision of chance: write the weights of its outcomes, in the order of `legal`; how many there are."""

    def winners(self, table: In) -> int:
        """Who has won, as bits, once the game is over; in every game of the list those with the best score."""

    def evaluate(self, table: In, out: Ints) -> None:
        """Write how every seat stands, in hundredths of a point: its score, and in part what it is near to."""

    def spell(self, table: In, seat: int, action: int, out: Ints) -> int:
        """Write an action of a seat that decides now letter by letter, as numbers from 0; how many there are.

        No action begins with the whole of another one. Programs that learn choose by `table.MOST_LETTERS` at most.
        """

    def observe(self, view: In, seat: int) -> None:
        """Put HIDDEN, on a copy of a table, for every number that the seat does not know."""

    def determinize(self, view: In, luck: Ints, out: Ints) -> None:
        """Put for each HIDDEN what could be there, each as likely as it is; luck is a source (`chance.next_luck`)."""


class Rounds(Protocol[In]):
    """What the rules offer too, where a game ends after rounds that all plan in secret: `crashlab.solve` needs it.

    Within a round a seat learns nothing of what others plan, its actions depend on nothing that anybody has planned
    in it, and nothing is left to chance.
    """

    def rounds_left(self, table: In) -> int:
        """How many rounds are still to be played; it falls by one when a round is over, to 0 at the end."""

    def outline(self, table: In, out: Ints) -> int:
        """Write what the rest of the game depends on; how many numbers that are, at most MOST_ACTIONS.

        Of positions in one and the same game, those with the same numbers have the same rest: whatever is played,
        the leads change alike.
        """

    def at_stake(self, table: In, seat: int, other: int) -> int:
        """No less than what the seat's lead over the other can still grow by."""


class Decisions(Protocol[In]):
    """`notation.py`: what is decided, and how the answers are written, read and refused.

    Its docstring begins `game.notation`.
    """

    @property
    def DECISIONS(self) -> tuple[Decision[Any], ...]:
        """Every decision there is, in the order of the numbers that the table has for them."""

    def decision(self, table: In, seat: int) -> Decision[Any]:
        """What this actor, a seat or CHANCE, decides now."""


class Numbered(Protocol[In]):
    """What `notation.py` offers too, where actors have few enough different actions to number them.

    Those of a seat, and those of chance, are numbered from 0 each.
    """

    @property
    def VOCABULARY(self) -> int:
        """How many numbers there are."""

    def number_of(self, table: In, seat: int, code: int) -> int:
        """The number of an action."""

    def code_at(self, table: In, seat: int, number: int) -> int:
        """The action with this number."""


class Positions(Protocol[T]):
    """`positions.py`: positions as a line and as JSON, secrets included, what a state tells by name, and what is wrong.

    Its docstring stands in `game.notation`. It has a paragraph that ends "A position is one line, for example"; what is
    indented behind that is a position as a line, and what is indented and begins with a brace the same one as JSON.
    """

    @property
    def PARTS(self) -> tuple[Part[T], ...]:
        """Everything that a position says, in the order in which it is written.

        One part at least cannot be left out: it has no default, or one that gives `position.NEEDED`.
        """

    @property
    def Facts(self) -> type[Any]:
        """What a state tells by name, as in `state.box`: a `position.StateFacts`.

        Each property is a fact about a table; for a part of it an annotation will do.
        """

    def problems(self, table: T) -> list[str]:
        """What is wrong with a table, in words; nothing, at any beat of any game.

        That numbers are in their ranges is looked at for every game, and only after this: here what stands in a field
        need not be in its range.
        """

    def stuck(self, table: T) -> list[str]:
        """Why play could not go on from a table that has no problems; nothing, wherever somebody decides in a game.

        It is asked of views, too. That who decides has an action is looked at for every game.
        """


class GameText(Protocol[In]):
    """`text.py`: what happens, in words and as named values, and who may know of it."""

    @property
    def CHANGES(self) -> Mapping[str, Change]:
        """By the name of a field: of what kinds its index and its values are."""

    @property
    def NOTES(self) -> Mapping[str, Codec[Any]]:
        """By the name of a note's number in the rulebook: of what kind it is."""

    def event_text(self, table: In, row: Row) -> str:
        """A row of a trace in words (`event_words.teller`); the table is as it was just before."""

    def is_secret(self, table: In, row: Row, seat: int) -> bool:
        """Whether the seat may not know of this row of a trace. Where all is open, it is `no_secret` from here."""


class Render(Protocol[In]):
    """`render.py`: shapes, no drawing. Pieces of two pictures with one key are the same thing, moved.

    A piece whose key is the notation of an outcome of chance is where that is clicked; one that glows
    (`primitives.GLOW`) needs no ring to be marked. Colours that only this game needs are carried by its pictures.
    """

    def picture(self, table: In) -> Picture:
        """The table. A large board lies on the picture's `map`, at which one can look from nearer."""

    def caption(self, table: In) -> str:
        """The picture in words."""

    def effects(self, table: In, rows: Sequence[Row], told: Sequence[Row]) -> tuple[tuple[Piece, Piece], ...]:
        """What flies and flashes in one beat, each piece at its beginning and at its end.

        The table is as it was before the beat, `rows` are the beat's and `told` all of the turn, for causes.
        """

    def paths(self, table: In, rows: Sequence[Row]) -> tuple[Shape, ...]:
        """The ways that are gone in these rows, from this table on; they are drawn beneath the pieces.

        The rows are the first of a turn, and the table is as it was before it.
        """

    def place_of(self, table: In, value: object) -> Point | None:
        """Where a value lies on the picture: a place or a thing, as a program may hold it; None if it is neither.

        It is asked of anything, and refuses nothing (`toolkit.place_of`). Its docstring goes into `game.notation`.
        """

    def seat_paint(self, table: In, seat: int) -> str:
        """The theme's colour of a seat, for words and curves beside the board."""

    def purses(self, table: In) -> Mapping[str, int]:
        """What a film is summed up with, by name: what each seat has scored, and what lies between the seats."""


class UI(Protocol[In]):
    """`ui.py`: what a person is asked at the board."""

    def subject(self, table: In, seat: int) -> str:
        """The key of the piece that the seat decides about; empty if there is none."""

    def prompt(self, table: In, seat: int, chosen: tuple[str, ...]) -> str:
        """What the seat is asked after these words, without its name: "Red: boost?"; no full stop."""

    def choices(self, table: In, seat: int, chosen: tuple[str, ...]) -> tuple[Choice, ...]:
        """The words that can follow those chosen; together they make every legal action. Chance is not asked.

        Heat shows the value of a choice on those of its shapes that are painted with `primitives.MARKS`.
        """

    def rounds(self, table: In) -> int:
        """How many rounds have begun; turns, in a game in which there are none."""

    def plans(self, table: In, actions: Mapping[int, int]) -> tuple[Choice, ...]:
        """What is to happen once these are played too, in words and shapes."""

    def target(self, table: In, seat: int, action: int) -> Point | None:
        """Where a legal action of a seat that is asked leads on the picture; None where it leads nowhere."""

    def questions(self, turn: Any) -> tuple[Question, ...]:
        """What to predict of a turn (`game.Turn`) before it is shown; nothing of some, such as one of chance."""

    def edits(self, table: In) -> tuple[Edit, ...]:
        """What can be changed of the position by hand."""


class Posters(Protocol):
    """`poster.py`: the rules in pictures. A game without this file gets a poster from the titles of its rules."""

    @property
    def PICTURES(self) -> Mapping[str, Callable[[], Picture]]:
        """What the notation names, drawn: `game.picture("directions")`."""

    def strips(self, options: Mapping[str, Value]) -> tuple[Strip, ...]:
        """Four strips or so: what one wants, what a turn is, what a collision does, how it scores and ends.

        They follow the options where these change what is shown.
        """


class NoPictures:
    """The poster of a game that declares none."""

    PICTURES: Mapping[str, Callable[[], Picture]] = {}

    def strips(self, options: Mapping[str, Value]) -> tuple[Strip, ...]:
        """None: the rulebook will do."""
        return ()


@dataclass(frozen=True)
class Baseline:
    """An agent of the house: one that a student can beat, and then the next one."""

    name: str
    sentence: str  # what it does
    by: str | Judge  # the name of an agent for any game, or how good it thinks an action is
    settings: Mapping[str, Any] = field(default_factory=dict)  # of the agent for any game


class Baselines(Protocol):
    """`baselines.py`: the built-in agents, the weakest first. A game without this file has no ladder."""

    @property
    def BASELINES(self) -> tuple[Baseline, ...]:
        """Their names are lower case, and none stands twice."""


class NoBaselines:
    """The ladder of a game that declares none."""

    BASELINES: tuple[Baseline, ...] = ()


@dataclass(frozen=True)
class Modules(Generic[T]):
    """All that a game offers."""

    state: Tables[T]
    rules: Rulings[T]
    notation: Decisions[T]
    positions: Positions[T]
    text: GameText[T]
    render: Render[T]
    ui: UI[T]
    poster: Posters = field(default_factory=NoPictures)
    baselines: Baselines = field(default_factory=NoBaselines)


# What games ask of their own rules.


def legal_actions(rules: Any, table: Table, seat: int) -> Ints:
    """The legal actions of an actor that decides now."""
    rules = played(rules)
    out = [0] * rules.MOST_ACTIONS
    return out[: rules.legal(table, seat, out)]


def only(rules: Any, table: Table, seat: int) -> int:
    """The only action of an actor, or NOWHERE if it has a choice."""
    action: int = played(rules).only_action(table, seat, [0] * rules.MOST_ACTIONS)
    return action


def observed(rules: Any, table: T, seat: int) -> T:
    """What a seat sees of a table: a copy with HIDDEN for every number that it does not know."""
    view = table.copy()
    played(rules).observe(view, seat)
    return view


def determinized(rules: Any, view: T, rng: Random) -> T:
    """A table that could be behind a view."""
    full, luck = view.copy(), [rng.luck]
    played(rules).determinize(full, luck, [0] * rules.MOST_ACTIONS)
    rng.luck = luck[0]
    return full


# What a game without secrets, and one of which the options or the pictures are simple, need not say.


def no_secret(table: Any, row: Row, seat: int) -> bool:
    """Nothing is secret."""
    return False


def any_options(options: Mapping[str, Value]) -> None:
    """All options go together."""


def no_problems(table: Any) -> list[str]:
    """Nothing can be wrong but what is wrong in every game."""
    return []


def seat_paint(table: Any, seat: int) -> str:
    """Every seat has a colour of its own."""
    return f"seat {seat}"


def no_effects(table: Any, rows: Sequence[Row], told: Sequence[Row]) -> tuple[tuple[Piece, Piece], ...]:
    """Nothing flies or flashes."""
    return ()


def no_paths(table: Any, rows: Sequence[Row]) -> tuple[Shape, ...]:
    """No ways are drawn."""
    return ()


def no_places(table: Any, value: object) -> Point | None:
    """Nothing."""
    return None


def no_targets(table: Any, seat: int, action: int) -> Point | None:
    """No action leads anywhere on the picture."""
    return None


# Posters


Plays = tuple[Mapping[int, str] | str, ...]  # of each turn the actions by seat, or the only one


@dataclass(frozen=True)
class Strip:
    """One strip of a poster. Without `plays` it shows one moment, with them the moments before and after.

    The picture after is that at which the last of `rules` in the last turn has done its work.
    """

    title: str
    words: str  # one to three short sentences
    rules: tuple[str, ...]
    position: Mapping[str, Any] | str
    plays: Plays = ()
    at: tuple[float, float] = (0.0, 0.0)  # the middle of what is shown of the game's picture
    wide: float = 0.0  # how much of it is shown, across; 0 for all of it
    tells: tuple[str, ...] = ()  # the events that are told below the pictures, each by some of its words
    since: int = 0  # the beat of the last turn after which the moment before is
