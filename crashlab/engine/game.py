"""A game with its options: the rules of one game, its words and its pictures, and where its states come from."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from inspect import cleandoc
from typing import Any, Generic, Self

from crashlab.base.errors import CrashlabError, integer, shown, truth
from crashlab.drawing.sheet import Sheet
from crashlab.engine import contract
from crashlab.engine import decisions as answers
from crashlab.engine import flow as advance
from crashlab.engine import position as parts
from crashlab.engine import words as kinds
from crashlab.engine.chance import Random
from crashlab.engine.decisions import Decision
from crashlab.engine.house_rules import check as houses
from crashlab.engine.house_rules import modules as furnished
from crashlab.engine.notation import SEATS, refuse, together
from crashlab.engine.observation import Observed, described
from crashlab.engine.options import Option, Value, number, settle
from crashlab.engine.rulebook import Rulebook
from crashlab.engine.state import F, State, check_source
from crashlab.engine.table import CHANCE, HIDDEN, Table


class Game(Generic[F]):
    """The rules of one game with its options.

        >>> game = crashlab.game("autoscooter", players=2)
        >>> game.title, game.options["players"], len(game.rulebook)
        ('Autoscooter', 2, 32)
    """

    def __init__(
        self, name: str, folder: str, options: Mapping[str, object], house: houses.House | None = None
    ) -> None:
        self.book, self._folder = name, folder  # `book` is the name of the game whose rules these are, or were
        self.house = house.with_values(options) if house else None  # rules of one's own
        self._copy = furnished.copied(folder, self.house) if self.house else None
        self.name = f"{name} with {house.words}" if house else name
        self._table: contract.Tables[Any] = self._module("state")
        self.rules: contract.Rules[Any] = self._module("rules")
        self.decisions: contract.Decisions[Any] = self._module("notation")
        self.position: contract.Position[Any] = self._module("notation")
        self.secrets: contract.Secrets[Any] = self._told(furnished.Secrets, self._module("notation"))
        self.text: contract.Text[Any] = self._told(furnished.Words, self._module("text"))
        self.told: contract.Facts = self._module("notation")
        self.choices: tuple[Option, ...] = (*self._table.OPTIONS, *(self.house.options if self.house else ()))
        self._options = settle(self.choices, options)
        self._table.check_options(self._options)
        self.seats = range(number(self._options, "players"))  # the seats that play, from 0

    def decision(self, table: Table, seat: int) -> Decision[Any]:
        """What this actor decides now."""
        return self.decisions.decision(table, seat)

    def numbered(self) -> contract.Numbered[Any]:
        """The numbers of actions in the vocabulary; refused where there is none."""
        if not self.vocabulary:
            raise CrashlabError(f"the actions of {self.name} are too many to be numbered; see state.choices()")
        numbered: contract.Numbered[Any] = self._module("notation")
        return numbered

    def say(self, table: Table, seat: int, code: int) -> str:
        """An action in notation."""
        return self.decision(table, seat).answer.say(table, code)

    def read_action(self, table: Table, seat: int, words: object) -> int:
        """The action that these words mean, legal or not."""
        return answers.read(self.decision(table, seat), table, words)

    def refuse(self, table: Table, seat: int, code: int, legal: list[int] | None = None) -> str:
        """Why the action cannot be played now; empty if it is one of the legal ones, which a State has listed once."""
        codes = contract.listed(self.rules, table, seat) if legal is None else legal
        told = answers.refusal(self.decision(table, seat), table, code, codes)
        if not told and self._copy and code in self._copy.banned(table, seat):
            return "by the book it could be played, but by your own rules it is not legal"
        return told

    def _fill(self, data: Mapping[str, Any]) -> Table:
        """The table of a position in JSON."""
        table: Table = self._table.empty(self.options)
        parts.fill(self.position.PARTS, table, data)
        refuse([*self._table.problems(table), *self.text.impossible(table)] or table.beyond())
        return table

    def _told(self, kind: type[furnished.AsInTheBook], module: Any) -> Any:
        """A module that is told what happens, as it happens by the book."""
        return kind(module, self._copy) if self._copy else module

    def _module(self, name: str) -> Any:
        try:
            return self._copy.module(name) if self._copy else import_module(f"{self._folder}.{name}")
        except ModuleNotFoundError as error:
            if error.name not in (self._folder, f"{self._folder}.{name}"):
                raise  # what the module itself imports
            where = f"the folder {self._folder}" if error.name == self._folder else f"a file {name}.py in its folder"
            raise CrashlabError(f"{self.name} lacks {where}; crashlab.engine.contract says what is in it") from error

    @cached_property
    def render(self) -> contract.Render[Any]:
        """The module that draws; loaded when something is to be drawn."""
        render: contract.Render[Any] = self._told(furnished.Render, self._module("render"))
        return render

    @cached_property
    def ui(self) -> contract.UI[Any]:
        """The module that knows what a person can be asked at the board; loaded when somebody is."""
        ui: contract.UI[Any] = self._told(furnished.UI, self._module("ui"))
        return ui

    @cached_property
    def posters(self) -> contract.Posters:
        """The module with the pictures of the rules; a game that has none gets its poster from its rulebook."""
        posters: contract.Posters = (
            self._module("poster") if find_spec(f"{self._folder}.poster") else contract.NoPictures()
        )
        return posters

    @cached_property
    def baselines(self) -> contract.Baselines:
        """The module with the agents of the house; a game may have none."""
        baselines: contract.Baselines = (
            self._module("baselines") if find_spec(f"{self._folder}.baselines") else contract.NoBaselines()
        )
        return baselines

    @property
    def options(self) -> dict[str, Value]:
        """Every option with its value."""
        return dict(self._options)

    def changed(self, **options: Value) -> Game[F]:
        """The same game with other values of some options."""
        return Game(self.book, self._folder, {**self._options, **options}, self.house)

    def with_rules(self, *functions: object, **constants: int) -> Game[F]:
        """The same game with functions of yours in the place of some of its rules.

            >>> def hit_side(table, car, hit, side, v, cause, trace):
            ...     \"\"\"Who is hit in the side pays a fine.\"\"\"
            ...     crash = note(HOUSE, cause, car + 1, hit + 1, v, table.speed[hit], trace)
            ...     pay(table, hit, car, FINE * v, v, HOUSE, crash, trace)
            ...     return crash
            >>> mine = crashlab.game("autoscooter", players=2).with_rules(hit_side, FINE=2)
            >>> mine.options["FINE"], mine.rulebook["HOUSE-1"].text
            (2, 'Who is hit in the side pays a fine.')

        A function stands for the rule of its name, with the same parameters; others are helpers. Its free names are
        those of the rules. Its docstring is the text of a new rule, HOUSE-1 and so on, and HOUSE in it is that rule's
        number. Constants are options of the new game.
        """
        book = {*vars(import_module(f"{self._folder}.rules")), *(option.name for option in self._table.OPTIONS)}
        new = houses.house(self._module("rules"), functions, constants, book)
        house = self.house.more(new) if self.house else new
        return Game(self.book, self._folder, {**self._options, **constants}, house)

    def only(self, *names: str) -> Game[F]:
        """The same game with these of its own rules alone, by the names of their functions; with none by the book."""
        own = {text.name for text in self.house.rules} if self.house else set()
        for name in names:
            if name not in own:
                known = f"there are {together(sorted(own))}" if own else "this game has none"
                raise CrashlabError(f"there is no rule of yours called {shown(name)}; {known}")
        if not names or not self.house:
            options = {option.name: self._options[option.name] for option in self._table.OPTIONS}
            return Game(self.book, self._folder, options)
        kept = tuple(text for text in self.house.texts if text.name in names or text.name not in own)
        return Game(self.book, self._folder, self._options, houses.House(kept, self.house.constants))

    def source(self, rule: str) -> str:
        """The functions that make a rule, as they stand."""
        texts = self.makers(rule).values()
        none = f"No function is named after {self.rulebook[rule].id}: it says how others are read.\n"
        return "\n\n".join(texts) if texts else none

    def makers(self, rule: str) -> dict[str, str]:
        """The functions that make a rule, each with its text as it stands; yours, where one stands in its place."""
        wanted = self.rulebook[rule]
        if self.house and wanted.mark == houses.YOURS:
            text = self.house.rules[int(wanted.id.rpartition("-")[2]) - 1]
            return {text.name: text.lines}
        book = import_module(f"{self._folder}.rules")
        return {
            name: self.house.standing(name) if self.house and name in self.house.names else inspect.getsource(function)
            for name in houses.own_names(book)
            if wanted.id in re.findall(r"[A-Z]+-\w+", inspect.getdoc(function := getattr(book, name)) or "")
        }

    @property
    def functions(self) -> tuple[str, ...]:
        """The names of the functions that are its rules: with_rules() takes another one for each of them.

            >>> crashlab.game("autoscooter").functions[:4]
            ('actors', 'car_asked', 'fits', 'legal')
        """
        return tuple(houses.own_names(import_module(f"{self._folder}.rules")))

    @property
    def title(self) -> str:
        """The name of the game on its box."""
        return self._table.TITLE

    @property
    def rulebook(self) -> Rulebook:
        """Every rule, in our own words."""
        return self.rules.BOOK

    @property
    def notation(self) -> str:
        """How plots, actions and positions are written, as text and as JSON, with examples."""
        return (
            f"{self._module('notation').__doc__}"
            f"\nThe parts of a position:\n\n{parts.described(self.position.PARTS)}\n"
            f"\nWhat is decided:\n\n{answers.described(self.decisions.DECISIONS)}\n"
            f"{self._placed()}"
        )

    def _placed(self) -> str:
        """What has a place on the picture, in words; a game that is played before it is drawn has none."""
        if not find_spec(f"{self._folder}.render"):
            return ""
        told = cleandoc(str(self.render.place_of.__doc__))
        return f"\nWhat has a place on the picture, by `state.place(value)`:\n\n{told}\n"

    def poster(self) -> Sheet:
        """The rules with these options as one page of pictures, each played by the engine."""
        from crashlab.engine.poster import poster

        return poster(self)

    @property
    def pictures(self) -> tuple[str, ...]:
        """The names of the pictures that `picture` draws."""
        return tuple(self.posters.PICTURES)

    def picture(self, name: str) -> Sheet:
        """A picture of what the notation names, such as the directions; `pictures` lists them."""
        if name not in self.pictures:
            known = f"the pictures are {', '.join(self.pictures)}" if self.pictures else f"{self.name} has none"
            raise CrashlabError(f"there is no picture {shown(name)}; {known}")
        return Sheet(self.posters.PICTURES[name]())

    @property
    def facts(self) -> contract.Traits:
        """What is true of every game with these options: chance, secrets, bounds, for who chooses an algorithm."""
        return self._table.traits(self._options)

    @cached_property
    def observation(self) -> tuple[Observed, ...]:
        """What `state.observation(seat)` holds: where the numbers of each field stand, and between which bounds."""
        return described(type(self._table.empty(self._options)))

    @property
    def vocabulary(self) -> int:
        """How many different actions a seat can ever have; 0 where they are too many to be numbered.

        Where they can, `state.number` numbers an action and `state.numbered` gives it back; elsewhere an action is
        built word by word with `state.choices`.
        """
        return int(getattr(self.decisions, "VOCABULARY", 0))

    def seat_name(self, seat: object) -> str:
        """What a seat is called: A, B, ..."""
        found = integer(seat)
        if found is None:
            return f"seat {shown(seat)}"
        return "chance" if found == CHANCE else kinds.seat_name(found)

    def seat(self, seat: object) -> int:
        """The seat with this number or letter, as an int; what is no seat of this game is refused."""
        letter = seat.strip().upper() if isinstance(seat, str) else ""
        found = SEATS.index(letter) if len(letter) == 1 and letter in SEATS else integer(seat)
        if found is None or found not in self.seats:
            known = [f"{number} or {SEATS[number]}" for number in self.seats]
            raise CrashlabError(f"there is no seat {shown(seat)}; the seats are {', '.join(known)}")
        return found

    def actor(self, actor: object) -> int:
        """A seat, or CHANCE."""
        is_chance = integer(actor) == CHANCE or (isinstance(actor, str) and actor.strip().lower() == "chance")
        return CHANCE if is_chance else self.seat(actor)

    def start(self, seed: int = 0) -> State[F]:
        """The first decision of a new game; the same seed gives the same game."""
        rng = Random(seed)
        table = self.set_up(rng.split("set-up"))
        advance.settle(self.rules, table, None)
        return State(self, table, rng.split("luck").luck)

    def set_up(self, rng: Random) -> Table:
        """The table at the start; rng draws what is drawn."""
        check_source(rng, "set_up()")
        table: Table = self._table.set_up(self.options, rng)
        return table

    def read(self, position: str | Mapping[str, Any], forced: bool = True) -> State[F]:
        """The state of a position given as text or as JSON; refused with the reason if it is impossible.

        Decisions in which nobody has a choice are played first, as in any game; with forced=False it is asked for
        them, and `state.play()` takes them.
        """
        if isinstance(position, str):
            table, luck = self._read_line(position)
        elif isinstance(position, Mapping):
            data = dict(position)
            luck = _luck(data.pop("luck", "0"))
            table = self._fill(data)
        else:
            raise CrashlabError(f"a position is text or a dict, not {type(position).__name__}")
        return self._first(table, luck) if truth("forced", forced) else State(self, table, luck, hidden(table))

    def _first(self, table: Table, luck: int) -> State[F]:
        """The first state with a choice; in a view nothing is played."""
        closed = hidden(table)
        if not closed:
            advance.settle(self.rules, table, None)
        return State(self, table, luck, closed)

    def _read_line(self, line: str) -> tuple[Table, int]:
        body, found, luck = line.partition("; luck ")
        return self._fill(parts.read_line(self.position.PARTS, body)), _luck(luck.strip()) if found else 0

    def problems(self, state: State) -> list[str]:
        """The invariants of the game that this state breaks; none, ever."""
        if not isinstance(state, State):
            raise CrashlabError(f"problems() looks at a state, not at {shown(state)}")
        return [*self._table.problems(state.table), *state.table.beyond()]

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self._identity == other._identity

    @property
    def _identity(self) -> tuple[object, ...]:
        """What makes two games the same."""
        return self.book, self._options, self.house

    def __hash__(self) -> int:
        return hash((self.name, tuple(self._options.items())))

    def __reduce__(self) -> tuple[object, ...]:
        return Game, (self.book, self._folder, self.options, self.house)

    def __repr__(self) -> str:
        changed = {o.name: self._options[o.name] for o in self.choices if self._options[o.name] != o.default}
        own = [f"with_rules={self.house.words}"] if self.house else []
        own += [f"{name}={value}" for name, value in (self.house.constants if self.house else ())]
        return f"game({', '.join([repr(self.book), *own, *(f'{name}={value!r}' for name, value in changed.items())])})"


def hidden(table: Table) -> str:
    """Why nothing can be played on this table: it is a view; empty if it is none."""
    return "some of it is hidden; guess(rng) fills it in" if any(HIDDEN in row for row in table.rows()) else ""


def _luck(word: object) -> int:
    if not isinstance(word, str) or not re.fullmatch("[0-9a-fA-F]{1,16}", word):
        raise CrashlabError(f"luck: {shown(word)} is not written with 1 to 16 hexadecimal digits")
    return int(word, 16)
