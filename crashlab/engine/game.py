"""The public classes of a game: a Game creates States, a State plays a Turn, a Turn has Events.

    Game    the rules of a game with its options
    State   a decision point (or the end of a game); immutable
    Action  an action of a seat; prints as notation
    Turn    a decision with its consequences: the state before, the events, the state after
    Event   a change or a note, with its rule and its cause

`state.actors` are the seats that decide now; several seats decide simultaneously and in secret. Chance is the actor
CHANCE. A decision with a single option is taken automatically.
"""

from __future__ import annotations

import dataclasses
import inspect
import os
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from inspect import cleandoc
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, Self, cast, overload

from crashlab.base.errors import (
    CrashlabError,
    expect,
    integer,
    require,
    require_in,
    short_repr,
    short_str,
    truncate,
    truth,
)
from crashlab.drawing import player, png, svg
from crashlab.drawing.sheet import Sheet, mimebundle
from crashlab.drawing.story import film, summary
from crashlab.drawing.tween import GIF_BEAT
from crashlab.engine import action_notation, contract, next_decision, position, value_codecs
from crashlab.engine.action_notation import Decision
from crashlab.engine.chance import Random
from crashlab.engine.house_rules import check, modules
from crashlab.engine.notation import SEATS, counted, deciding, refuse, together
from crashlab.engine.observation import Observed, described, observed
from crashlab.engine.options import Option, Value, number, settle
from crashlab.engine.rulebook import Rulebook
from crashlab.engine.rules import quickest, readable
from crashlab.engine.table import CHANCE, HIDDEN, NOTE, NOWHERE, Row, Table, Trace, replay
from crashlab.engine.value_codecs import Change

if TYPE_CHECKING:
    import numpy as np
    from typing_extensions import TypeVar

    from crashlab.drawing.film_json import Document
    from crashlab.drawing.shapes import Picture, Point, Shape
    from crashlab.drawing.tween import Effects
    from crashlab.engine.prompts import Choice

    S = TypeVar("S", bound="State", default="State", covariant=True)
else:
    from typing import TypeVar

    S = TypeVar("S")  # the states of a game, with their facts


# Games


class Lasting:
    """An immutable object, which is its own copy."""

    __slots__ = ()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self


class Game(Lasting, Generic[S]):
    """The rules of one game with its options.

    >>> game = crashlab.game("autoscooter", players=2)
    >>> game.title, game.options["players"], len(game.rulebook)
    ('Autoscooter', 2, 32)
    """

    def __init__(self, name: str, folder: str, options: Mapping[str, object], house: check.House | None = None) -> None:
        self.book, self._folder = name, folder  # `book`: the name of the game without house rules
        self.house = house.with_values(options) if house else None  # the user's own rules
        self._copy = modules.copied(folder, self.house) if self.house else None
        self.name = f"{name} with {house.words}" if house else name
        self._table: contract.Tables[Any] = self._module("state")
        self.rules: contract.GameRules[Any] = self._module("rules")
        self.decisions: contract.Decisions[Any] = self._module("notation")
        self.position: contract.Positions[Any] = self._module("positions")
        self.text: contract.GameText[Any] = self._wrapped(modules.OwnText, self._module("text"))
        self.choices: tuple[Option, ...] = (*self._table.OPTIONS, *(self.house.options if self.house else ()))
        self._options = settle(self.choices, options)
        self._table.check_options(self._options)
        self.seats = range(number(self._options, "players"))  # all seats, from 0

    def decision(self, table: Table, seat: int) -> Decision[Any]:
        """Return the current decision of an actor."""
        return self.decisions.decision(table, seat)

    def numbered(self) -> contract.Numbered[Any]:
        """Return the module that numbers actions; raise CrashlabError for a game without a vocabulary."""
        require(self.vocabulary, f"{self.name} has too many actions to number them; see state.choices()")
        return cast("contract.Numbered[Any]", self._module("notation"))

    def say(self, table: Table, seat: int, code: int) -> str:
        """Return an action in notation."""
        return self.decision(table, seat).answer.format(table, code)

    def read_action(self, table: Table, seat: int, words: object) -> int:
        """Parse an action, legal or not."""
        return action_notation.read(self.decision(table, seat), table, words)

    def refuse(self, table: Table, seat: int, code: int, legal: list[int] | None = None) -> str:
        """Return why an action is not legal now, or an empty string; `legal` has the legal actions, if known."""
        codes = contract.legal_actions(self.rules, table, seat) if legal is None else legal
        reason = action_notation.refusal(self.decision(table, seat), table, code, codes)
        if not reason and self._copy and code in self._copy.banned(table, seat):
            return "it is legal by the book, but not by your own rules"
        return reason

    def _fill(self, data: Mapping[str, Any]) -> Table:
        """Return the table of a position in JSON; raise CrashlabError for an impossible one."""
        table: Table = self._table.empty(self.options)
        position.fill(self.position.PARTS, table, data)
        refuse(self.position.problems(table) or table.beyond() or self.position.stuck(table) or self._idle(table))
        return table

    def _idle(self, table: Table) -> list[str]:
        """Describe actors without a legal action; views and games with the user's own rules are not checked."""
        seats = () if hidden(table) or self.house else next_decision.deciding(self.rules, table)
        idle = [self.seat_name(seat) for seat in seats if not contract.legal_actions(self.rules, table, seat)]
        return [f"{together(idle)} must decide, but there is no legal action"] if idle else []

    @property
    def home(self) -> str:
        """The folder of the game's files."""
        spec = find_spec(self._folder)
        assert spec is not None and spec.submodule_search_locations
        return os.path.abspath(spec.submodule_search_locations[0])

    def _wrapped(self, kind: type[modules.AsInTheBook], module: Any) -> Any:
        """Wrap a module that expects the book's events if the user's own rules are played; else return it unchanged."""
        return kind(module, self._copy) if self._copy else module

    def _module(self, name: str) -> Any:
        try:
            if name == "rules":
                return self._copy.rules if self._copy else quickest(self._folder)
            return self._copy.module(name) if self._copy else import_module(f"{self._folder}.{name}")
        except ModuleNotFoundError as error:
            if error.name not in (self._folder, f"{self._folder}.{name}"):
                raise  # a missing import within the module
            where = f"the folder {self._folder}" if error.name == self._folder else f"a file {name}.py in its folder"
            raise CrashlabError(f"{self.name} lacks {where}; see crashlab.engine.contract for its contents") from error

    @cached_property
    def render(self) -> contract.Render[Any]:
        """The module `render`, imported on first use."""
        return cast("contract.Render[Any]", self._wrapped(modules.OwnRender, self._module("render")))

    @cached_property
    def ui(self) -> contract.UI[Any]:
        """The module `ui`, imported on first use."""
        return cast("contract.UI[Any]", self._wrapped(modules.OwnUI, self._module("ui")))

    @property
    def posters(self) -> contract.Posters:
        """The module `poster`; the default draws the poster from the rulebook."""
        return cast(
            "contract.Posters", self._module("poster") if find_spec(f"{self._folder}.poster") else contract.NoPictures()
        )

    @cached_property
    def baselines(self) -> contract.Baselines:
        """The module `baselines`, with the built-in agents; the default has no agents."""
        return cast(
            "contract.Baselines",
            self._module("baselines") if find_spec(f"{self._folder}.baselines") else contract.NoBaselines(),
        )

    @property
    def options(self) -> dict[str, Value]:
        """All options with their values."""
        return dict(self._options)

    def changed(self, **options: Value) -> Game[S]:
        """Return the game with some options changed."""
        return Game(self.book, self._folder, {**self._options, **options}, self.house)

    def with_rules(self, *functions: object, **constants: int) -> Game[S]:
        """Return the game with some of its rules replaced by your functions.

            >>> def hit_side(table, car, hit, side, v, cause, trace):
            ...     \"\"\"A driver who is hit in the side pays a fine.\"\"\"
            ...     crash = note(HOUSE, cause, car + 1, hit + 1, v, table.speed[hit], trace)
            ...     pay(table, hit, car, FINE * v, v, HOUSE, crash, trace)
            ...     return crash
            >>> mine = crashlab.game("autoscooter", players=2).with_rules(hit_side, FINE=2)
            >>> mine.options["FINE"], mine.rulebook["HOUSE-1"].text
            (2, 'A driver who is hit in the side pays a fine.')

        A function replaces the rule with its name and parameters; other functions are helpers. All of them can use the
        names defined in the rules. A docstring is the text of a new rule (HOUSE-1, HOUSE-2, ...), and HOUSE is the
        number of that rule in the function. Constants become options of the new game.
        """
        book = {*vars(readable(self._folder)), *(option.name for option in self._table.OPTIONS)}
        new = check.house(self._copy.rules if self._copy else readable(self._folder), functions, constants, book)
        house = self.house.more(new) if self.house else new
        return Game(self.book, self._folder, {**self._options, **constants}, house)

    def only(self, *names: str) -> Game[S]:
        """Return the game with only some of your rules, by the names of their functions; without names, by the book."""
        names_of_rules = {text.name for text in self.house.rules} if self.house else set()
        for name in names:
            if name not in names_of_rules:
                hint = f"your rules are {together(sorted(names_of_rules))}" if names_of_rules else "this game has none"
                raise CrashlabError(f"you have no rule called {short_repr(name)}; {hint}")
        if not names or not self.house:
            options = {option.name: self._options[option.name] for option in self._table.OPTIONS}
            return Game(self.book, self._folder, options)
        texts = tuple(text for text in self.house.texts if text.name in names or text.name not in names_of_rules)
        return Game(self.book, self._folder, self._options, check.House(texts, self.house.constants))

    def source(self, rule: str) -> str:
        """Return the source of the functions that implement a rule."""
        texts = self.makers(rule).values()
        none = f"No function is named after {self.rulebook[rule].id}: this rule says how to read other rules.\n"
        return "\n\n".join(texts) if texts else none

    def makers(self, rule: str) -> dict[str, str]:
        """Return the source of the functions that implement a rule, by name; your functions replace the originals."""
        target = self.rulebook[rule]
        if self.house and target.mark == check.YOURS:
            text = self.house.rules[int(target.id.rpartition("-")[2]) - 1]
            return {text.name: text.lines}
        book = readable(self._folder)
        return {
            name: self.house.standing(name) if self.house and name in self.house.names else inspect.getsource(function)
            for name in check.own_names(book)
            if target.id in re.findall(r"[A-Z]+-\w+", inspect.getdoc(function := getattr(book, name)) or "")
        }

    @property
    def functions(self) -> tuple[str, ...]:
        """The names of the functions that `with_rules` can replace.

        >>> crashlab.game("autoscooter").functions[:4]
        ('winners', 'actors', 'car_asked', 'fits')
        """
        return tuple(check.own_names(readable(self._folder)))

    @property
    def title(self) -> str:
        """The title of the game."""
        return self._table.TITLE

    @property
    def rulebook(self) -> Rulebook:
        """All rules, in our own words."""
        return self.rules.BOOK

    @property
    def notation(self) -> str:
        """The notation of actions and positions, as text and JSON, with examples."""
        return (
            f"{self.decisions.__doc__}\n{self.position.__doc__}"
            f"\nThe parts of a position:\n\n{position.described(self.position.PARTS)}\n"
            f"\nThe decisions:\n\n{action_notation.described(self.decisions.DECISIONS)}\n"
            f"{self._placed()}"
        )

    def _placed(self) -> str:
        """Describe the values with a place on the picture; empty for a game without pictures."""
        if not find_spec(f"{self._folder}.render"):
            return ""
        doc = cleandoc(str(self.render.place_of.__doc__))
        return f"\nValues with a place on the picture, for `state.place(value)`:\n\n{doc}\n"

    def poster(self, *rules: str) -> Sheet:
        """Return the rules with these options as a page of pictures, each played by the engine.

        With ids of rules, only the pictures that show one of them are included.

            >>> crashlab.game("crash_city").poster("CC-E1").save("parking.svg")
        """
        from crashlab.engine.poster import poster, some_of_it

        return some_of_it(self, rules) if rules else poster(self)

    @property
    def pictures(self) -> tuple[str, ...]:
        """The names of the pictures for `picture`."""
        return tuple(self.posters.PICTURES)

    def picture(self, name: str) -> Sheet:
        """Return a picture of a part of the notation, such as the directions; `pictures` lists the names."""
        if name not in self.pictures:
            hint = f"the pictures are {', '.join(self.pictures)}" if self.pictures else f"{self.name} has none"
            raise CrashlabError(f"there is no picture {short_repr(name)}; {hint}")
        return Sheet(self.posters.PICTURES[name]())

    @property
    def facts(self) -> contract.Traits:
        """Properties of all games with these options (chance, secrets, bounds), to choose an algorithm by."""
        return self._table.traits(self._options)

    @cached_property
    def observation(self) -> tuple[Observed, ...]:
        """The layout of `state.observation(seat)`: the position and the bounds of each field's values."""
        return described(type(self._table.empty(self._options)))

    @property
    def vocabulary(self) -> int:
        """The number of different actions of a seat in all games; 0 if there are too many to number.

        With a vocabulary, `state.number` returns the number of an action, and `state.numbered` the action of a number;
        without one, actions are built word by word with `state.choices`.
        """
        return int(getattr(self.decisions, "VOCABULARY", 0))

    def seat_name(self, seat: object) -> str:
        """Return the name of a seat: A, B, ..., or chance."""
        number = integer(seat)
        if number is None:
            return f"seat {short_repr(seat)}"
        return "chance" if number == CHANCE else value_codecs.seat_name(number)

    def seat(self, seat: object) -> int:
        """Return the seat with this number or letter as an int; raise CrashlabError if there is none."""
        letter = seat.strip().upper() if isinstance(seat, str) else ""
        index = SEATS.index(letter) if len(letter) == 1 and letter in SEATS else integer(seat)
        if index is None or index not in self.seats:
            spellings = [f"{number} or {SEATS[number]}" for number in self.seats]
            raise CrashlabError(f"there is no seat {short_repr(seat)}; the seats are {', '.join(spellings)}")
        return index

    def actor(self, actor: object) -> int:
        """Return a seat as an int, or CHANCE."""
        is_chance = integer(actor) == CHANCE or (isinstance(actor, str) and actor.strip().lower() == "chance")
        return CHANCE if is_chance else self.seat(actor)

    def start(self, seed: int = 0) -> S:
        """Return the first decision of a new game; the same seed gives the same game."""
        rng = Random(seed)
        table = self.set_up(rng.split("set-up"))
        next_decision.settle(self.rules, table, None)
        return self._state(table, rng.split("luck").luck)

    def set_up(self, rng: Random) -> Table:
        """Return the table at the start of a game; rng makes the random choices."""
        check_source(rng, "set_up()")
        return cast("Table", self._table.set_up(self.options, rng))

    def read(self, position: str | Mapping[str, Any], forced: bool = True) -> S:
        """Return the state of a position in text or JSON; raise CrashlabError with the reason if it is impossible.

        Decisions with a single option are played first, as in any game; with forced=False the state keeps them, and
        `state.play()` plays them.
        """
        if isinstance(position, str):
            table, luck = self._read_line(position)
        elif isinstance(position, Mapping):
            data = dict(position)
            luck = _luck(data.pop("luck", "0"))
            table = self._fill(data)
        else:
            raise CrashlabError(f"a position is text or a dict, not {type(position).__name__}")
        return self._first(table, luck) if truth("forced", forced) else self._state(table, luck, hidden(table))

    def _first(self, table: Table, luck: int) -> S:
        """Return the first state with a choice; views are returned unchanged."""
        closed = hidden(table)
        if not closed:
            next_decision.settle(self.rules, table, None)
        return self._state(table, luck, closed)

    def _state(self, table: Table, luck: int, closed: str = "") -> S:
        return cast("S", State(self, table, luck, closed))

    def _read_line(self, line: str) -> tuple[Table, int]:
        body, separator, luck = line.partition("; luck ")
        return self._fill(position.read_line(self.position.PARTS, body)), _luck(luck.strip()) if separator else 0

    def problems(self, state: State) -> list[str]:
        """Return the broken invariants of the game; empty for every reachable state."""
        expect(state, State, "problems() takes a state")
        return [*self.position.problems(state.table), *state.table.beyond()]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self._identity == other._identity

    @property
    def _identity(self) -> tuple[object, ...]:
        """The values that games are compared by."""
        return self.book, self._options, self.house

    def __hash__(self) -> int:
        return hash((self.name, tuple(self._options.items())))

    def __reduce__(self) -> tuple[object, ...]:
        return Game, (self.book, self._folder, self.options, self.house)

    def __repr__(self) -> str:
        changed = {o.name: self._options[o.name] for o in self.choices if self._options[o.name] != o.default}
        arguments = [f"with_rules={self.house.words}"] if self.house else []
        arguments += [f"{name}={value}" for name, value in (self.house.constants if self.house else ())]
        arguments += [f"{name}={value!r}" for name, value in changed.items()]
        return f"game({', '.join([repr(self.book), *arguments])})"


def hidden(table: Table) -> str:
    """Return why a table is not playable if it is a view, else an empty string."""
    return "some values are hidden; guess(rng) fills them in" if any(HIDDEN in row for row in table.rows()) else ""


def _luck(word: object) -> int:
    if not isinstance(word, str) or not re.fullmatch("[0-9a-fA-F]{1,16}", word):
        raise CrashlabError(f"luck: give 1 to 16 hexadecimal digits, not {short_repr(word)}")
    return int(word, 16)


# States and turns


UNSAID = ...  # the default for no action, as None is an action in some games
Seat = int | str  # a number from 0, or a letter


class Asked(NamedTuple):
    """The current decision of a seat; `piece` is the key of the piece that it is about, or empty."""

    seat: int
    name: str
    decision: str  # its keyword in positions
    about: str
    piece: str


class State(Lasting):
    """A position in a game. It is immutable: `play` returns a Turn with the next state.

    The facts of a game are attributes (`state.cars`, `state.box`: see `dir(state)`).

        >>> state = crashlab.game("autoscooter", players=2).read({"cars": {"1": "21E2", "2": "23SE2"}})
        >>> state.round, state.actors, state.scores
        (1, (0, 1), (20, 20))
        >>> state.text
        'round 1; cars 1:21E2 2:23SE2; chits A20 B20; box 0; used none'
        >>> after = state.play({"A": "17 FF", "B": None}).after
        >>> after.scores
        (24, 14)
    """

    def __init__(self, game: Game[Self], table: Table, luck: int = 0, closed: str = "") -> None:
        self.game, self.luck = game, luck
        self.table = table  # read-only here: only `happen` changes tables
        self.closed = closed  # why the state is not playable (a view, a beat within a turn), or empty
        self._listed: dict[int, Actions] = {}

    # Decisions

    @cached_property
    def actors(self) -> tuple[int, ...]:
        """The seats that decide now; (CHANCE,) for chance, () at the end of the game.

        Seats without a choice are left out, unless no seat has a choice (see `game.read`).
        """
        rules, seats = self.game.rules, next_decision.deciding(self.game.rules, self.table)
        if len(seats) == 1:
            return seats
        return tuple(seat for seat in seats if contract.only(rules, self.table, seat) == NOWHERE) or seats

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return not self.game.rules.actors(self.table)

    @property
    def asked(self) -> tuple[Asked, ...]:
        """The current decision of every actor."""
        return tuple(self._asked(seat) for seat in self.actors)

    def _asked(self, seat: int) -> Asked:
        decision = self.game.decision(self.table, seat)
        piece = self.game.ui.subject(self.table, seat) if seat != CHANCE else ""
        return Asked(seat, self.game.seat_name(seat), decision.name, decision.about, piece)

    def actions(self, seat: Seat) -> Actions:
        """Return the legal actions of a current actor."""
        actor = self._actor(seat)
        if actor not in self._listed:
            self._listed[actor] = Actions(self, actor)
        return self._listed[actor]

    def odds(self) -> dict[Action, float]:
        """Return the outcomes of a decision of chance with their probabilities."""
        outcomes = self.actions(CHANCE)
        weights = next_decision.weights(self.game.rules, self.table)
        total = sum(weights)
        return {action: weight / total for action, weight in zip(outcomes, weights, strict=True)}

    def _actor(self, seat: object) -> int:
        """Return a seat as an int; raise CrashlabError if it does not decide now."""
        if type(seat) is int and seat in self.actors:
            return seat
        try:
            actor = self.game.actor(seat)
        except CrashlabError:
            actor = None
        if actor is None or actor not in self.actors:
            name = short_repr(seat) if isinstance(seat, str) else f"seat {short_repr(seat)}"
            raise CrashlabError(f"{name} does not decide now; {self._who()}")
        return actor

    def code(self, seat: Seat, action: object) -> int:
        """Return the integer of an Action or of an action in notation, legal or not.

        An Action of another position is translated by its notation, as its integer may have another meaning here.
        """
        seat = self.game.actor(seat)
        if isinstance(action, Action):
            if action.seat != seat:
                raise CrashlabError(
                    f"{short_repr(action)} is an action of seat {short_repr(action.seat)}, not of seat {seat}"
                )
            if action.game.book != self.game.book:
                raise CrashlabError(f"{short_repr(action)} is an action of {action.game.name}, not of {self.game.name}")
            if action.is_of(self.table):
                if (code := integer(action.code)) is None:
                    raise CrashlabError(f"{short_repr(action)} is not an action: its code is {short_repr(action.code)}")
                return code
            action = str(action)
        return self.game.read_action(self.table, seat, action)

    def choices(self, seat: Seat, *chosen: str) -> tuple[Choice, ...]:
        """Return the next choices after the words chosen; a choice with an `action` completes the action."""
        for word in chosen:
            if not isinstance(word, str):
                raise CrashlabError(f"choices() takes words, as in choices(0, 'FFF'), not {short_repr(word)}")
        if (actor := self._actor(seat)) == CHANCE:
            raise CrashlabError("chance has no choices; odds() lists its outcomes")
        return self.game.ui.choices(self.table, actor, chosen)

    def number(self, seat: Seat, action: object) -> int:
        """Return the number of an action in the vocabulary of the game, from 0."""
        return self.game.numbered().number_of(self.table, self._actor(seat), self.code(seat, action))

    def numbered(self, seat: Seat, number: int) -> Action:
        """Return the action with a number in the vocabulary, legal or not."""
        actor = self._actor(seat)
        return Action(self, actor, self.game.numbered().code_at(self.table, actor, number))

    def refusal(self, seat: Seat, action: object) -> str:
        """Return why an action cannot be played now; empty if it can."""
        return self._judged(seat, action)[0]

    def _judged(self, seat: object, action: object) -> tuple[str, int]:
        """Return why an action cannot be played now (empty if it can), and its integer (NOWHERE if unreadable)."""
        try:
            actor = self._actor(seat)
            code = self.code(actor, action)
            legal = self.actions(actor).codes
            return "" if code in legal else self.game.refuse(self.table, actor, code, legal), code
        except CrashlabError as error:
            return str(error), NOWHERE

    def play(self, actions: object = UNSAID) -> Turn[Self]:
        """Play actions and return the turn: a dict {seat: action}, or a single action if one seat decides.

        Actions are Action objects or notation. At a decision of chance, `play()` draws the outcome from the state's
        luck, and `play(outcome)` chooses it.
        """
        self._check_open()
        if actions is UNSAID and next_decision.is_forced(self.game.rules, self.table):
            return self._turn({}, self.luck)
        luck = self._luck_after_chance() if self.actors == (CHANCE,) else self.luck
        if actions is UNSAID:
            if self.actors != (CHANCE,):
                raise CrashlabError(f"{self._who()}: give play() an action")
            return self._turn({CHANCE: self._drawn(Random.at(self.luck)).code}, luck)
        return self._turn(self._joint(actions), luck)

    def _check_open(self) -> None:
        """Raise CrashlabError if the state is not playable."""
        require(not self.closed, f"this state cannot be played: {self.closed}")
        require(not self.over, "the game is over")

    @overload
    def play_codes(self, codes: Mapping[int, int], trace: Literal[False] = False) -> Self: ...

    @overload
    def play_codes(self, codes: Mapping[int, int], trace: Literal[True]) -> Turn[Self]: ...

    def play_codes(self, codes: Mapping[int, int], trace: bool = False) -> Self | Turn[Self]:
        """Play actions given as integers by seat, unchecked, and return the next state; with a trace, the Turn.

        This is for searches: an illegal action breaks the rules without an error. `codes` has every seat of `actors`;
        each decision of chance advances the luck of the state.
        """
        luck = self._luck_after_chance() if CHANCE in codes else self.luck
        if trace:
            return self._turn(codes, luck)
        table = self.table.copy()
        next_decision.decide(self.game.rules, table, codes, None)
        next_decision.settle(self.game.rules, table, None)
        return type(self)(self.game, table, luck)

    def sample(self, rng: Random) -> Turn[Self]:
        """Play a turn in which chance, or every actor, chooses at random; `rng` is used instead of the state's luck.

        `simulate` draws random actions in the same way, so the same luck gives the same game.
        """
        check_source(rng, "sample()")
        self._check_open()
        if self.actors == (CHANCE,):
            return self._turn({CHANCE: self._drawn(rng).code}, self._luck_after_chance())
        return self._turn({seat: rng.choice(self.actions(seat).codes) for seat in self.actors}, self.luck)

    def _luck_after_chance(self) -> int:
        """Return the luck after a decision of chance; the decision uses up one number even if the outcome is chosen."""
        rng = Random.at(self.luck)
        rng.below(1)
        return rng.luck

    def _drawn(self, rng: Random) -> Action:
        """Draw an outcome of chance."""
        place = rng.weighted(next_decision.weights(self.game.rules, self.table))
        return Action(self, CHANCE, self.actions(CHANCE).codes[place])

    def _turn(self, joint: Mapping[int, int], luck: int) -> Turn[Self]:
        """Play actions, and then every decision with a single option."""
        table, trace = self.table.copy(), Trace()
        next_decision.decide(self.game.rules, table, joint, trace)
        next_decision.settle(self.game.rules, table, trace)
        return Turn(self, type(self)(self.game, table, luck), joint, trace.rows)

    def _joint(self, actions: object) -> dict[int, int]:
        """Return the legal code of every actor's action; raise CrashlabError if one is missing or illegal."""
        if not isinstance(actions, Mapping):
            if len(self.actors) != 1:
                raise CrashlabError(f"{self._who()}: give play() a dict with one action for each")
            actions = {self.actors[0]: actions}
        joint = self.by_seat(actions)
        if set(joint) != set(self.actors) or len(joint) < len(actions):
            raise CrashlabError(f"{self._who()}, but actions are given for {_some(self.game, actions)}")
        return {seat: self.legal_code(seat, joint[seat]) for seat in self.actors}

    def by_seat(self, by_name: Mapping[Any, Any]) -> dict[Any, Any]:
        """Return a copy of a dict in which seats (numbers or letters) are ints; other keys are unchanged."""
        result: dict[Any, Any] = {}
        for seat, thing in by_name.items():
            try:
                result[self.game.actor(seat)] = thing
            except CrashlabError:
                result[seat] = thing
        return result

    def legal_code(self, seat: Seat, action: object) -> int:
        """Return the integer of an action; raise CrashlabError with the reason if it cannot be played now."""
        reason, code = self._judged(seat, action)
        if reason:
            words = f"'{short_str(action)}'" if isinstance(action, Action) else short_repr(action)
            raise CrashlabError(f"{self.game.seat_name(seat)} cannot play {words}: {reason}")
        return code

    def _who(self) -> str:
        return "the game is over" if self.over else f"{deciding(map(self.game.seat_name, self.actors))} now"

    # Results

    @property
    def scores(self) -> tuple[int, ...]:
        """The scores of all seats."""
        return tuple(self.game.rules.score(self.table, seat) for seat in self.game.seats)

    @property
    def winners(self) -> tuple[int, ...]:
        """The winning seats; empty before the end."""
        return next_decision.seats_of(self.game.rules.winners(self.table)) if self.over else ()

    @cached_property
    def facts(self) -> Any:
        """The facts of the state, with their types: `state.facts.box` is `state.box`."""
        return self.game.position.Facts(self.table, self.game.position.PARTS)

    if not TYPE_CHECKING:  # type checkers find the facts of each game in `crashlab.games`, and refuse other names

        def __getattr__(self, name: str) -> Any:
            if not name.startswith("_") and name in names_of(self.game.position.Facts):
                return getattr(self.facts, name)
            return object.__getattribute__(self, name)  # raises the error of a failed property

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *names_of(self.game.position.Facts)})

    # Views

    def seen_by(self, seat: Seat | None) -> Self:
        """Return the view of a seat: the values it does not know are hidden, and the luck is removed.

        seen_by(None) is the public view, with all secrets hidden.
        """
        seats = list(self.game.seats) if seat is None else [self.game.seat(seat)]
        view, *others = (contract.observed(self.game.rules, self.table, one) for one in seats)
        for other in others:
            for row, theirs in zip(view.rows(), other.rows(), strict=True):
                row[:] = [HIDDEN if HIDDEN in pair else pair[0] for pair in zip(row, theirs, strict=True)]
        who = "the public view" if seat is None else f"only the view of {self.game.seat_name(seats[0])}"
        masked = type(self)(self.game, view, 0, f"this is {who}; guess(rng) fills in the rest")
        if seat is not None and seats[0] in self._listed:  # a seat's legal actions depend only on its view
            masked._listed[seats[0]] = Actions(masked, seats[0], self._listed[seats[0]].codes)
        return masked

    def observation(self, seat: Seat | None) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Return the view of a seat (None: the public view) as an array; `game.observation` describes its layout."""
        return observed(self.seen_by(seat).table)

    def guess(self, rng: Random) -> Self:
        """Return a random state consistent with this view; its hidden values and its luck are drawn from rng."""
        check_source(rng, "guess()")
        return type(self)(self.game, contract.determinized(self.game.rules, self.table, rng), rng.below(1 << 64))

    # Text and pictures

    @property
    def text(self) -> str:
        """The position as a line of text, secrets included; `game.read` reads it."""
        line = position.write(self.game.position.PARTS, self.table)
        return f"{line}; luck {self.luck:x}" if self.luck else line

    def to_dict(self, defaults: bool = False) -> dict[str, Any]:
        """Return the position as JSON, secrets included, for `game.read`; `defaults` includes default values."""
        data = position.to_dict(self.game.position.PARTS, self.table, defaults)
        return {**data, "luck": f"{self.luck:x}"} if self.luck else data

    def key(self, ignore: Iterable[str] = ()) -> Hashable:
        """Return a hashable key of the position, without its luck and some fields of the table.

        For example, `state.key(ignore=["round"])` is equal for equal positions in different rounds.
        """
        names, left_out = self.table.NAMES, [ignore] if isinstance(ignore, str) else list(ignore)
        for name in left_out:
            require(name in names, f"there is no field {short_repr(name)}; the fields are {', '.join(names)}")
        rows = zip(names, self.table.rows(), strict=True)
        return tuple(tuple(row) for name, row in rows if name not in left_out)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, State)
            and (self.game, self.luck, self.closed) == (other.game, other.luck, other.closed)
            and self.table == other.table
        )

    def __hash__(self) -> int:
        return hash((self.luck, *map(tuple, self.table.rows())))

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<State of {self.game.title}: {self.text}>"

    def place(self, value: object) -> Point | None:
        """Return the point (x, y) of a value on the picture; None for values without a place.

        `game.notation` lists the values with a place; NumPy integers, and lists for tuples, are accepted. The place of
        a legal Action is its target. The place of another State of this game is the new place of the piece that has
        moved, if only one has.
        """
        kind = type(value)
        if issubclass(kind, Action):
            return self._place_of_action(cast(Action, value))
        if issubclass(kind, State):
            return self._place_of_state(cast(State, value))
        return self.game.render.place_of(self.table, value)

    def _place_of_action(self, action: Action) -> Point | None:
        seat = integer(action.seat)
        if seat is None or seat == CHANCE:
            return None
        reason, code = self._judged(seat, action)
        return None if reason else self.game.ui.target(self.table, seat, code)

    def _place_of_state(self, other: State) -> Point | None:
        mine, theirs = self.picture(), other.picture()
        if self.game != other.game or (mine.map and mine.map.lie) != (theirs.map and theirs.map.lie):
            return None
        place_of = self.game.render.place_of
        places = [(place_of(self.table, piece.key), place_of(other.table, piece.key)) for piece in theirs.pieces]
        ends = [there for here, there in places if there not in (None, here)]
        return ends[0] if len(ends) == 1 else None

    def picture(self) -> Picture:
        """Return the picture of the state as shapes."""
        return self._picture

    @cached_property
    def _picture(self) -> Picture:
        return self.game.render.picture(self.table)

    def svg(self, theme: str = "light", scale: float = 1.0) -> str:
        """Return the picture as SVG, for slides and papers."""
        return svg.paint(self.picture(), theme, scale)

    def png(self, theme: str = "light", scale: float = 1.0) -> bytes:
        """Return the picture as PNG."""
        return png.paint(self.picture(), theme, scale)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, object]:
        return mimebundle(self.picture(), str(self))


class Turn(Lasting, Generic[S]):
    """A decision and its consequences.

    >>> state = crashlab.game("autoscooter").read({"cars": {"1": "21E2", "2": "23SE2"}})
    >>> turn = state.play({"A": "17 FF", "B": None})
    >>> turn
    <Turn: A 17 FF, B -; 22 events in 14 beats>
    >>> print(turn.why(6))
    car 1 drives from 2,1 to 2,2
          [AS-M1, stated] A move drives 1, 2 or 3 hexes forward; that number is the car's speed.
      because car 1 is next with 17 FF
          [AS-R2, stated] The cars move one after another, from the lowest number written to the
          highest. A crash is settled before the next car moves.
    """

    def __init__(self, before: S, after: S, actions: Mapping[int, int], rows: list[tuple[int, ...]]) -> None:
        self.before, self.after, self._rows = before, after, rows
        self.actions = {seat: Action(before, seat, code) for seat, code in actions.items()}
        self._moments: dict[int, S] = {}  # states by beat, as far as requested

    @cached_property
    def rows(self) -> list[Row]:
        """The events as rows, in the form in which the rules record them."""
        return [Row._make(row) for row in self._rows]

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """All events, in order."""
        table, events = self.before.table.copy(), []
        for place, row in enumerate(self.rows):
            events.append(event_of(self, table, place, row))
            replay(table, [row])
        return tuple(events)

    @cached_property
    def parts(self) -> tuple[Turn[S], ...]:
        """The decision, followed by the decisions with a single option, each as a separate turn."""
        return tuple(_parts(self))

    def seen_by(self, seat: Seat) -> tuple[Event, ...]:
        """Return the events that are not secret from a seat."""
        game, table, who = self.before.game, self.before.table, self.before.game.seat(seat)
        return tuple(event for event in self.events if not game.text.is_secret(table, self.rows[event.number], who))

    @property
    def beats(self) -> int:
        """The number of beats; the events of one beat are simultaneous."""
        return self.rows[-1].beat if self.rows else 0

    def at(self, beat: int) -> S:
        """Return the state after a beat; beat 0 is `before`, the last one is `after`."""
        beat = check_beat(self, beat)
        if beat == 0:
            return self.before
        if beat == self.beats:
            return self.after
        if beat not in self._moments:
            table, closed = self.before.table.copy(), "it is a moment within a turn"
            replay(table, [row for row in self.rows if row.beat <= beat])
            self._moments[beat] = type(self.before)(self.before.game, table, self.before.luck, closed)
        return self._moments[beat]

    def why(self, event: Event | int) -> str:
        """Return an event (or the event with a number) and its chain of causes, with their rules, as text."""
        index = event.number if isinstance(event, Event) else event
        words = f"this turn has no event {short_repr(event)}; its events are 0 to {len(self.rows) - 1}"
        number: int | None = require_in(range(len(self.rows)), index, words)
        lines: list[str] = []
        quoted_rules: set[str] = set()  # rules that are quoted already
        book: Rulebook = self.before.game.rulebook
        while number is not None:
            step = self.events[number]
            rule = book[step.rule]
            lines.append(f"{'  because ' if lines else ''}{step.text}")
            if rule.id not in quoted_rules:
                quoted = f"[{rule.id}, {rule.mark}] {rule.text}"
                lines += wrap(quoted, 96, initial_indent=INDENT, subsequent_indent=INDENT, break_on_hyphens=False)
            quoted_rules.add(rule.id)
            number = step.cause
        return "\n".join(lines)

    def picture(self, beat: int) -> Picture:
        """Return the picture of the state after a beat, as shapes."""
        return self.at(beat).picture()

    def effects(self, beat: int) -> Effects:
        """Return the effects of a beat: pairs of a piece at its start and at its end."""
        beat = check_beat(self, beat)
        rows = [row for row in self.rows if row.beat == beat]
        return cast(
            "Effects", self.before.game.render.effects(self.at(beat - 1).table, rows, self.rows) if rows else ()
        )

    def ways(self, beat: int) -> Iterable[Shape]:
        """Return the paths driven up to the end of a beat."""
        beat = check_beat(self, beat)
        rows = [row for row in self.rows if row.beat <= beat]
        return cast("Iterable[Shape]", self.before.game.render.paths(self.before.table, rows))

    def __str__(self) -> str:
        return "\n".join(str(event) for event in self.events)

    def __repr__(self) -> str:
        return f"<Turn: {played(self)}; {counted(len(self.rows), 'event')} in {counted(self.beats, 'beat')}>"

    def svg(self, beat: int | None = None, theme: str = "light", scale: float = 1.0) -> str:
        """Return the turn as an SVG: the picture after a beat, by default the last, with the paths driven."""
        return svg.paint(summary(self, beat), theme, scale)

    def png(self, beat: int | None = None, theme: str = "light", scale: float = 1.0) -> bytes:
        """Return the turn as a PNG: the picture after a beat, by default the last, with the paths driven."""
        return png.paint(summary(self, beat), theme, scale)

    def gif(self, theme: str = "light", scale: float = 1.0, milliseconds: int = GIF_BEAT) -> bytes:
        """Return the turn as an animated GIF, with `milliseconds` per beat."""
        return png.animate(film(self), theme, scale, milliseconds)

    def film(self) -> Document:
        """Return the turn as a JSON document for any film player: shapes, beats, words, and the rule of each event."""
        from crashlab.engine.turn_film import story_of

        return story_of([self]).document(titled(self))

    def save(self, path: str | Path, theme: str | None = None) -> None:
        """Save the turn: .html plays in any browser, .gif is animated, .png and .svg are single pictures.

        >>> state = crashlab.game("autoscooter").read({"cars": {"1": "21E2", "2": "23SE2"}})
        >>> state.play({"A": "17 FF", "B": None}).save("crash.html")
        """
        look = theme or "light"
        kinds: dict[str, Callable[[], str | bytes]] = {
            ".html": lambda: player.page(self.film(), theme),
            ".gif": lambda: self.gif(look),
            ".png": lambda: self.png(theme=look),
            ".svg": lambda: self.svg(theme=look),
        }
        player.save(path, kinds, "a turn")

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, object]:
        return player.shown(self.film(), mimebundle(summary(self), str(self)))


def played(turn: Turn) -> str:
    """Return the actions of a turn in words."""
    return ", ".join(f"{turn.before.game.seat_name(seat)} {action}" for seat, action in turn.actions.items())


def titled(turn: Turn) -> str:
    """Return the title of the game and the actions of a turn."""
    return f"{turn.before.game.title}: {played(turn)}"


def _parts(turn: Turn[S]) -> Iterator[Turn[S]]:
    """Yield the decisions of a turn as separate turns, each with its own numbers of events and beats."""
    rules, state = turn.before.game.rules, turn.before
    joint: Mapping[int, int] = {seat: action.code for seat, action in turn.actions.items()}
    while True:
        table, trace = state.table.copy(), Trace()
        end = next_decision.decide(rules, table, joint, trace)
        is_last = not next_decision.is_forced(rules, table)
        after = turn.after if is_last else type(state)(state.game, table, turn.after.luck)
        yield Turn(state, after, end, trace.rows)
        if is_last:
            return
        state, joint = after, {}


def names_of(facts: type) -> list[str]:
    """Return the names of a state's public facts."""
    return [name for name in (*facts.__annotations__, *vars(facts)) if not name.startswith("_")]


def check_source(rng: object, what: str) -> None:
    """Raise CrashlabError if rng is not a crashlab.Random."""
    expect(rng, Random, f"{what} needs a crashlab.Random, such as Random(7)")


def _some(game: Game, seats: Iterable[object]) -> str:
    names = (game.seat_name(seat) if integer(seat) is not None else short_repr(seat) for seat in seats)
    return truncate(together(names)) or "nobody"


# Actions


class Action(Lasting):
    """An action of a seat in a state; `str(action)` is its notation.

    >>> state = crashlab.game("autoscooter").start(seed=7)
    >>> action = state.actions("A")[0]
    >>> print(action)
    1 FLL
    >>> action.parts
    {'number': 1, 'manoeuvre': 'FLL'}
    """

    __slots__ = ("code", "seat", "state")

    def __init__(self, state: State, seat: int, code: int) -> None:
        self.state, self.seat, self.code = state, seat, code  # `code` is the integer that the rules use

    @property
    def game(self) -> Game:
        """The game of the action."""
        return self.state.game

    def __str__(self) -> str:
        return self.game.say(self.state.table, self.seat, self.code)

    @property
    def parts(self) -> dict[str, object]:
        """The parts of the action by name (number, manoeuvre, car, ...), as plain values in notation."""
        return self.game.decision(self.state.table, self.seat).answer.parts(self.state.table, self.code)

    def __repr__(self) -> str:
        return f"<{self}>"

    def is_of(self, table: Table) -> bool:
        """Return whether the action belongs to the position of a table."""
        return self.state.table is table or self.state.table == table

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Action)
            and (self.seat, self.code, self.game.book) == (other.seat, other.code, other.game.book)
            and (self.is_of(other.state.table) or str(self) == str(other))
        )

    def __hash__(self) -> int:
        return hash((self.seat, self.code))


class Actions(Sequence[Action]):
    """The legal actions of a seat, a sequence that creates its Action objects on access.

    >>> actions = crashlab.game("autoscooter").start(seed=7).actions("A")
    >>> len(actions), actions[0], "17 FLF" in actions
    (66, <1 FLL>, False)
    """

    def __init__(self, state: State, seat: int, codes: Sequence[int] | None = None) -> None:
        self._state, self._seat = state, seat
        self.codes = contract.legal_actions(state.game.rules, state.table, seat) if codes is None else list(codes)

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return [Action(self._state, self._seat, code) for code in self.codes[place]]
        return Action(self._state, self._seat, self.codes[place])

    def __iter__(self) -> Iterator[Action]:
        return (Action(self._state, self._seat, code) for code in self.codes)

    def __contains__(self, action: object) -> bool:
        try:
            return self._state.code(self._seat, action) in self.codes
        except CrashlabError:
            return False

    def __repr__(self) -> str:
        some = ", ".join(map(repr, self[:5]))
        return f"[{some}{', ...' if len(self) > 5 else ''}] ({counted(len(self), 'action')})"


# Events, and the chains of their causes


INDENT = " " * 6  # indentation of a rule's text below its event


@dataclass(frozen=True)
class Event:
    """A change (`field`, `index`, `before`, `after`) or a note (`numbers`), with its rule and its cause.

    >>> state = crashlab.game("autoscooter").read({"cars": {"1": "21E2", "2": "23SE2"}})
    >>> turn = state.play({"A": "17 FF", "B": None})
    >>> paid = next(event for event in turn.events if event.field == "chits")
    >>> paid.text, paid.rule, paid.before, paid.after
    ('B pays 4 chits (20 to 16)', 'AS-C4', 20, 16)
    """

    number: int
    beat: int
    rule: str
    cause: int | None  # the number of an earlier event, if there is a cause
    field: str | None  # None for a note, which changes no field
    index: int
    before: int
    after: int
    numbers: dict[str, int]
    text: str
    turn: Turn = dataclasses.field(repr=False, compare=False)

    @cached_property
    def what(self) -> dict[str, object]:
        """The pieces and values of the event by name, as plain values in the notation of positions."""
        table = self.turn.before.table.copy()
        replay(table, self.turn.rows[: self.number])
        return things_of(self.turn.before.game, table, self.turn.rows[self.number])

    def __str__(self) -> str:
        return f"{self.beat:3}  {self.rule:6} {self.text}"


def edited(state: State, key: str, name: str, value: str) -> State:
    """Return the state with one value edited (`prompts.Edit`); raise CrashlabError for an impossible position."""
    game, moment, data = state.game, state.table.copy(), state.to_dict()
    named = [field for edit in game.ui.edits(moment) if edit.key == key for field in edit.fields if field.name == name]
    if not named or value not in named[0].values:
        raise CrashlabError(f"{short_repr(name)} of {short_repr(key)} cannot be changed to {short_repr(value)}")
    named[0].put(moment, named[0].values.index(value))
    for part in game.position.PARTS:
        if (now := part.value(moment)) != part.value(state.table):
            data[part.key] = now
    return game.read(data)


def event_of(turn: Turn, table: Table, number: int, row: Row) -> Event:
    """Return the event of a row of a trace, given the table before the event."""
    game = turn.before.game
    entry = game.rulebook[row.rule]
    is_note = row.field == NOTE
    return Event(
        number,
        row.beat,
        entry.id,
        None if row.cause == NOWHERE else row.cause,
        None if is_note else table.NAMES[row.field],
        NOWHERE if is_note else row.index,
        0 if is_note else row.before,
        0 if is_note else row.after,
        dict(zip(entry.numbers, row.numbers, strict=False)) if is_note else {},
        game.text.event_text(table, row),
        turn,
    )


def things_of(game: Game, table: Table, row: Row) -> dict[str, object]:
    """Return the values of a row by name: piece, new value and `was` for a change, the numbers for a note."""
    if row.field == NOTE:
        names = zip(game.rulebook[row.rule].numbers, row.numbers, strict=False)
        return {name: declared(game, "NOTES", name).to_json(table, number) for name, number in names}
    change: Change = declared(game, "CHANGES", table.NAMES[row.field])
    thing = {change.index.name: change.index.to_json(table, row.index)} if change.index else {}
    value = change.value
    return {**thing, value.name: value.to_json(table, row.after), "was": value.to_json(table, row.before)}


def declared(game: Game, where: str, name: str) -> Any:
    """Return the declaration of a field or a note's number in `text.py`; raise CrashlabError if it is missing."""
    kinds: Mapping[str, Any] = getattr(game.text, where)
    if name not in kinds:
        missing_part = "a Change for the field" if where == "CHANGES" else "a Codec for the number"
        raise CrashlabError(f"{game.name}/text.py: {where} lacks {missing_part} {name!r}; add it")
    return kinds[name]


def check_beat(turn: Turn, beat: object) -> int:
    """Return a beat as an int; raise CrashlabError if the turn does not have it."""
    words = f"there is no beat {short_repr(beat)}: this turn has the beats 0 to {turn.beats}"
    return require_in(range(turn.beats + 1), beat, words)
