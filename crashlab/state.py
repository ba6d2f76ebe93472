"""What a user holds: a Game makes States, a State plays a Turn, a Turn tells Events.

    Game    the rules of one game with its options
    State   a moment at which somebody decides (or the game is over); it never changes
    Action  one thing a seat can do; prints as notation
    Turn    what one decision brought about: the state before, the events, the state after
    Event   one change or note, with its rule and its cause

One decision at a time: `state.actors` says who decides now. Several seats at once decide in secret. Chance is the
actor CHANCE. A decision with one option is taken by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from crashlab import answers, parts, why
from crashlab.answers import Decision
from crashlab.chance import Random
from crashlab.errors import CrashlabError, cut, integer, shown, told
from crashlab.film import film, summary
from crashlab.games import NAMES, contract
from crashlab.happen import CHANCE, HIDDEN, NOWHERE, Row, Table, Trace, next_beat
from crashlab.notation import SEATS, called, refuse
from crashlab.options import Option, Value, number, settle
from crashlab.rulebook import Rulebook

if TYPE_CHECKING:
    from crashlab.shapes import Picture, Shape
    from crashlab.stage.frames import Effects
    from crashlab.why import Event

UNSAID = object()  # no action was given; None is one in some games


class Game:
    """The rules of one game with its options."""

    def __init__(self, name: str, folder: str, options: Mapping[str, object]) -> None:
        self.name = name
        self._folder = folder
        self._table: contract.Tables[Any] = self._module("table")
        self.rules: contract.Rules[Any] = self._module("rules")
        self.words: Any = self._module("words")
        self._decisions: Any = self._module("decisions") if find_spec(f"{folder}.decisions") else None
        self.position: Any = self._module("position")
        self.secrets: contract.Secrets[Any] = self._secrets()
        self.events: contract.Events[Any] = self._module("events")
        self.facts: Any = self._module("facts")
        self.choices: tuple[Option, ...] = self._table.OPTIONS
        self._options = settle(self.choices, options)
        self._table.check_options(self._options)
        self.seats = range(number(self._options, "players"))  # the seats that play, from 0

    def decision(self, table: Table, seat: int) -> Decision[Any]:
        """What this actor decides now."""
        decision: Decision[Any] = self._decisions.decision(table, seat)
        return decision

    def say(self, table: Table, seat: int, code: int) -> str:
        """An action in notation."""
        if self._decisions is None:
            return str(self.words.action_text(table, seat, code))
        return str(self._decisions.decision(table, seat).answer.say(table, code))

    def read_action(self, table: Table, seat: int, words: object) -> int:
        """The action that these words mean, legal or not."""
        if self._decisions is None:
            return int(self.words.read_action(table, seat, words))
        return answers.read(self._decisions.decision(table, seat), table, words)

    def refuse(self, table: Table, seat: int, code: int) -> str:
        """Why the action cannot be played now; empty if it can."""
        if self._decisions is None:
            return str(self._module("refusals").refusal(table, seat, code))
        out = [0] * self.rules.MOST_ACTIONS
        legal = out[: self.rules.legal(table, seat, out)]
        return answers.refusal(self._decisions.decision(table, seat), table, code, legal)

    def _fill(self, data: Mapping[str, Any]) -> Table:
        """The table of a position in JSON."""
        if not hasattr(self.position, "PARTS"):
            table: Table = self.position.from_dict(self.options, data)
            return table
        table = self._table.empty(self.options)
        parts.fill(self.position.PARTS, table, data)
        refuse([*self._table.problems(table), *self.position.impossible(table)])
        return table

    def _module(self, name: str) -> Any:
        return import_module(f"{self._folder}.{name}")

    def _secrets(self) -> Any:
        """The module that knows what a seat sees; a game in which all is open has none."""
        return self._module("secrets") if find_spec(f"{self._folder}.secrets") else contract.Open()

    @cached_property
    def look(self) -> contract.Look[Any]:
        """The module that draws; loaded when something is to be drawn."""
        look: contract.Look[Any] = self._module("look")
        return look

    @cached_property
    def ask(self) -> contract.Ask[Any]:
        """The module that knows what a person can be asked at the board; loaded when somebody is."""
        ask: contract.Ask[Any] = self._module("ask")
        return ask

    @property
    def options(self) -> dict[str, Value]:
        """Every option with its value."""
        return dict(self._options)

    def changed(self, **options: Value) -> Game:
        """The same game with other values of some options."""
        return Game(self.name, self._folder, {**self._options, **options})

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
        actions, positions = str(self.words.__doc__), str(self.position.__doc__)
        words = f"{actions.rstrip()}\n\n{positions.partition(chr(10) + chr(10))[2]}"
        if hasattr(self.position, "PARTS"):
            words += f"\nThe parts of a position:\n\n{parts.described(self.position.PARTS)}\n"
        if self._decisions is not None:
            words += f"\nWhat is decided:\n\n{answers.described(self._decisions.DECISIONS)}\n"
        return words

    def seat_name(self, seat: object) -> str:
        """What a seat is called: A, B, ..."""
        found = integer(seat)
        if found is None:
            return f"seat {shown(seat)}"
        return "chance" if found == CHANCE else called(SEATS, found, "seat")

    def check_seat(self, seat: object) -> int:
        """The seat as an int; what is no seat of this game is refused."""
        found = integer(seat)
        if found is None or found not in self.seats:
            raise CrashlabError(f"there is no seat {shown(seat)}; the seats are {', '.join(map(str, self.seats))}")
        return found

    def start(self, seed: int = 0) -> State:
        """The first decision of a new game; the same seed gives the same game."""
        rng = Random(seed)
        return _first(self, self.set_up(rng.split("set-up")), rng.split("luck").luck)

    def set_up(self, rng: Random) -> Table:
        """The table at the start; rng draws what is drawn."""
        check_source(rng, "set_up()")
        table: Table = self._table.set_up(self.options, rng)
        return table

    def read(self, position: str | Mapping[str, Any]) -> State:
        """The state of a position given as text or as JSON; refused with the reason if it is impossible."""
        if isinstance(position, str):
            return _first(self, *self._read_line(position))
        if not isinstance(position, Mapping):
            raise CrashlabError(f"a position is text or a dict, not {type(position).__name__}")
        data = dict(position)
        luck = _luck(data.pop("luck", "0"))
        return _first(self, self._fill(data), luck)

    def _read_line(self, line: str) -> tuple[Table, int]:
        body, found, luck = line.partition("; luck ")
        if hasattr(self.position, "PARTS"):
            table = self._fill(parts.read_line(self.position.PARTS, body))
        else:
            table = self.position.read(self.options, body)
        return table, _luck(luck.strip()) if found else 0

    def problems(self, state: State) -> list[str]:
        """The invariants of the game that this state breaks; none, ever."""
        if not isinstance(state, State):
            raise CrashlabError(f"problems() looks at a state, not at {shown(state)}")
        return list(self._table.problems(state.table))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and (self.name, self._options) == (other.name, other._options)

    def __hash__(self) -> int:
        return hash((self.name, tuple(self._options.items())))

    def __reduce__(self) -> tuple[object, ...]:
        return Game, (self.name, self._folder, self.options)

    def __repr__(self) -> str:
        changed = {o.name: self._options[o.name] for o in self.choices if self._options[o.name] != o.default}
        return f"game({', '.join([repr(self.name)] + [f'{name}={value!r}' for name, value in changed.items()])})"


def game(name: str, /, **options: Value) -> Game:
    """The game of this name, with these options."""
    if not isinstance(name, str) or name not in NAMES:
        raise CrashlabError(f"there is no game {shown(name)}; the games are {', '.join(NAMES)}")
    return Game(name, f"crashlab.games.{name}", options)


class Action:
    """One thing a seat can do in a state; `str(action)` is its notation."""

    __slots__ = ("code", "seat", "state")

    def __init__(self, state: State, seat: int, code: int) -> None:
        self.state, self.seat, self.code = state, seat, code  # where it can be done, by whom, and its integer

    @property
    def game(self) -> Game:
        """The game in which it can be done."""
        return self.state.game

    def __str__(self) -> str:
        return self.game.say(self.state.table, self.seat, self.code)

    @property
    def parts(self) -> dict[str, object]:
        """The things in it by name (number, manoeuvre, car, target), as plain values in the words of positions."""
        table = self.state.table
        parts: dict[str, object] = self.game.decision(table, self.seat).answer.parts(table, self.code)
        return parts

    def __repr__(self) -> str:
        return f"<{self}>"

    def is_of(self, table: Table) -> bool:
        """Whether it is an action of this very position."""
        return self.state.table is table or self.state.table == table

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Action)
            and (self.seat, self.code, self.game.name) == (other.seat, other.code, other.game.name)
            and (self.is_of(other.state.table) or str(self) == str(other))
        )

    def __hash__(self) -> int:
        return hash((self.seat, self.code))


class Actions(Sequence[Action]):
    """The legal actions of a seat; action objects are made only when looked at."""

    def __init__(self, state: State, seat: int) -> None:
        self._state, self._seat = state, seat
        out = [0] * state.game.rules.MOST_ACTIONS
        self.codes = out[: state.game.rules.legal(state.table, seat, out)]

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
        return f"[{some}{', ...' if len(self) > 5 else ''}] ({len(self)} actions)"


class State:
    """A moment of a game. It never changes: `play` gives a Turn with the next one.

    What the game tells of itself is there by name (`state.cars`, `state.box`: see `dir(state)`).
    """

    def __init__(self, game: Game, table: Table, luck: int = 0, closed: str = "") -> None:
        self.game, self.luck = game, luck
        self.table = table  # for reading; only `happen` writes to tables
        self.closed = closed  # why nothing can be played here: a view, a moment within a turn
        self._listed: dict[int, Actions] = {}

    # Who decides what

    @cached_property
    def actors(self) -> tuple[int, ...]:
        """The seats that decide now; (CHANCE,) when chance does; () when the game is over."""
        seats = _deciding(self.game, self.table)
        return tuple(seat for seat in seats if _forced(self.game, self.table, seat) == NOWHERE)

    @property
    def over(self) -> bool:
        """Whether nobody decides any more."""
        return not _deciding(self.game, self.table)

    def actions(self, seat: int) -> Actions:
        """The legal actions of a seat that decides now."""
        actor = integer(seat)
        if actor is None or actor not in self.actors:
            raise CrashlabError(f"seat {shown(seat)} does not decide now; {self._who()}")
        if actor not in self._listed:
            self._listed[actor] = Actions(self, actor)
        return self._listed[actor]

    def odds(self) -> dict[Action, float]:
        """At a decision of chance: each outcome with its probability."""
        outcomes = self.actions(CHANCE)
        weights = _weights(self, len(outcomes))
        total = sum(weights)
        return {action: weight / total for action, weight in zip(outcomes, weights, strict=True)}

    def code(self, seat: int, action: object) -> int:
        """The integer of an action given as Action or in notation, legal or not.

        An Action of another position is what its notation says: there the same integer may mean something else.
        """
        if integer(seat) != CHANCE:
            seat = self.game.check_seat(seat)
        if isinstance(action, Action):
            if action.seat != seat:
                raise CrashlabError(f"{shown(action)} is an action of seat {shown(action.seat)}, not of seat {seat}")
            if action.game.name != self.game.name:
                raise CrashlabError(f"{shown(action)} is an action of {action.game.name}, not of {self.game.name}")
            if action.is_of(self.table):
                if (code := integer(action.code)) is None:
                    raise CrashlabError(f"{shown(action)} is no action: its code is {shown(action.code)}")
                return code
            action = str(action)
        return self.game.read_action(self.table, seat, action)

    def refusal(self, seat: int, action: object) -> str:
        """Why this action cannot be played now; empty if it can."""
        if integer(seat) not in self.actors:
            return f"seat {shown(seat)} does not decide now; {self._who()}"
        try:
            return self.game.refuse(self.table, seat, self.code(seat, action))
        except CrashlabError as error:
            return str(error)

    def play(self, actions: object = UNSAID) -> Turn:
        """What these actions bring about: a dict {seat: action}, or one action where one seat decides.

        Actions are Action objects or notation. At a decision of chance, `play()` takes what the state's luck brings
        and `play(outcome)` scripts it.
        """
        if self.closed:
            raise CrashlabError(f"nothing can be played here: {self.closed}")
        if self.over:
            raise CrashlabError("the game is over")
        luck = self.luck
        if self.actors == (CHANCE,):  # one number of luck for each decision of chance, also a scripted one
            rng = Random.at(luck)
            drawn, luck = _draw(self, rng), rng.luck
            actions = drawn if actions is UNSAID else actions
        if actions is UNSAID:
            raise CrashlabError(f"{self._who()}: say what is played")
        return _play(self, self._joint(actions), luck)

    def sample(self, rng: Random) -> Turn:
        """A turn in which chance, or every actor, chooses at random from another source than the state's luck."""
        check_source(rng, "sample()")
        if self.actors == (CHANCE,):
            return self.play(_draw(self, rng))
        return self.play({seat: rng.choice(self.actions(seat)) for seat in self.actors})

    def _joint(self, actions: object) -> dict[int, int]:
        """The action of every actor, checked."""
        if not isinstance(actions, Mapping):
            if len(self.actors) != 1:
                raise CrashlabError(f"{self._who()}: give play() a dict with one action for each")
            actions = {self.actors[0]: actions}
        if set(actions) != set(self.actors):
            raise CrashlabError(f"{self._who()}; the actions are for {_some(self.game, actions)}")
        return {seat: self.legal_code(seat, actions[seat]) for seat in self.actors}

    def legal_code(self, seat: int, action: object) -> int:
        """The integer of an action that can be played now; refused with the reason if it cannot."""
        if reason := self.refusal(seat, action):
            words = f"'{told(action)}'" if isinstance(action, Action) else shown(action)
            raise CrashlabError(f"{self.game.seat_name(seat)} cannot play {words}: {reason}")
        return self.code(seat, action)

    def _who(self) -> str:
        if self.over:
            return "the game is over"
        return f"now decide{'s' if len(self.actors) == 1 else ''} {_some(self.game, self.actors)}"

    # How it stands

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of every seat."""
        return tuple(self.game.rules.score(self.table, seat) for seat in self.game.seats)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won; none before the end."""
        return _seats(self.game, self.game.rules.winners(self.table)) if self.over else ()

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_"):
            facts = self.game.facts
            if not hasattr(facts, "Facts"):
                if name in (told := facts.facts(self.table)):
                    return told[name]
            elif name in names_of(facts.Facts):
                return getattr(facts.Facts(self.table), name)
        return object.__getattribute__(self, name)  # raises; for a property that failed, the error of its own

    def __dir__(self) -> list[str]:
        facts = self.game.facts
        told = names_of(facts.Facts) if hasattr(facts, "Facts") else facts.facts(self.table)
        return sorted({*super().__dir__(), *told})

    # What a seat sees

    def seen_by(self, seat: int) -> State:
        """The state with everything hidden that this seat does not know, and without the luck."""
        seat = self.game.check_seat(seat)
        view = self.game.secrets.hide(self.table, seat)
        return State(self.game, view, 0, f"this is what {self.game.seat_name(seat)} sees; guess(rng) fills in the rest")

    def guess(self, rng: Random) -> State:
        """A state that could be behind this view: what is hidden and the luck are drawn from rng."""
        check_source(rng, "guess()")
        return State(self.game, self.game.secrets.guess(self.table, rng), rng.below(1 << 64))

    # Words and pictures

    @property
    def text(self) -> str:
        """The position as one line, secrets included; `game.read` reads it."""
        position = self.game.position
        line = parts.write(position.PARTS, self.table) if hasattr(position, "PARTS") else position.write(self.table)
        return f"{line}; luck {self.luck:x}" if self.luck else line

    def to_dict(self, defaults: bool = False) -> dict[str, Any]:
        """The position as plain JSON, secrets included; `game.read` reads it. With `defaults` nothing is left out."""
        position = self.game.position
        if hasattr(position, "PARTS"):
            data = parts.to_dict(position.PARTS, self.table, defaults)
        else:
            data = position.to_dict(self.table)
        return {**data, "luck": f"{self.luck:x}"} if self.luck else data

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

    def picture(self) -> Picture:
        """The state as shapes."""
        return self.game.look.picture(self.table)

    def svg(self, theme: str = "light", scale: float = 1.0) -> str:
        """The picture as SVG, for slides and papers."""
        from crashlab.stage import svg

        return svg.paint(self.picture(), theme, scale)

    def png(self, theme: str = "light", scale: float = 1.0) -> bytes:
        """The picture as PNG."""
        from crashlab.stage import png

        return png.paint(self.picture(), theme, scale)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, object]:
        from crashlab.stage import mimebundle

        return mimebundle(self.picture(), str(self))


class Turn:
    """What one decision brought about."""

    def __init__(self, before: State, after: State, actions: Mapping[int, int], rows: list[tuple[int, ...]]) -> None:
        self.before, self.after, self._rows = before, after, rows
        self.actions = {seat: Action(before, seat, code) for seat, code in actions.items()}

    @cached_property
    def rows(self) -> list[Row]:
        """What happened, as the rules told it."""
        return [Row._make(row) for row in self._rows]

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """Everything that happened, in order."""
        return why.events(self)

    def seen_by(self, seat: int) -> tuple[Event, ...]:
        """The events that this seat may know of."""
        return why.known(self, self.before.game.check_seat(seat))

    @property
    def beats(self) -> int:
        """How many beats the turn has; events of one beat happen at the same time."""
        return why.beats(self)

    def at(self, beat: int) -> State:
        """The state as it was after this beat; 0 is before anything, the last one is `after`."""
        beat = why.check_beat(self, beat)
        if beat == 0:
            return self.before
        if beat == self.beats:
            return self.after
        return State(self.before.game, why.moment(self, beat), self.before.luck, "this is a moment within a turn")

    def why(self, event: Event | int) -> str:
        """The chain of causes of an event (or of the event with this number), each with its rule."""
        return why.chain(self, event)

    def picture(self, beat: int) -> Picture:
        """The state after this beat as shapes."""
        return self.at(beat).picture()

    def effects(self, beat: int) -> Effects:
        """What flies and flashes in this beat: pairs of pieces, from and to."""
        beat = why.check_beat(self, beat)
        rows = [row for row in self.rows if row.beat == beat]
        found: Effects = self.before.game.look.effects(self.at(beat - 1).table, rows, self.rows) if rows else ()
        return found

    def ways(self, beat: int) -> Iterable[Shape]:
        """The ways that were gone until the end of this beat."""
        beat = why.check_beat(self, beat)
        rows = [row for row in self.rows if row.beat <= beat]
        found: Iterable[Shape] = self.before.game.look.paths(self.before.table, rows)
        return found

    def __str__(self) -> str:
        return "\n".join(str(event) for event in self.events)

    def __repr__(self) -> str:
        done = ", ".join(f"{self.before.game.seat_name(seat)} {action}" for seat, action in self.actions.items())
        return f"<Turn: {done}; {len(self.rows)} events in {self.beats} beats>"

    def svg(self, beat: int | None = None, theme: str = "light", scale: float = 1.0) -> str:
        """The turn as one SVG: the moment after a beat (by default the last), with the ways that were driven."""
        from crashlab.stage import svg

        return svg.paint(summary(self, beat), theme, scale)

    def png(self, beat: int | None = None, theme: str = "light", scale: float = 1.0) -> bytes:
        """The same as PNG."""
        from crashlab.stage import png

        return png.paint(summary(self, beat), theme, scale)

    def gif(self, theme: str = "light", scale: float = 1.0, milliseconds: int = 300) -> bytes:
        """The turn as a moving picture; a beat takes `milliseconds`."""
        from crashlab.stage import png

        return png.animate(film(self), theme, scale, milliseconds)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, object]:
        from crashlab.stage import mimebundle

        return mimebundle(summary(self), str(self))


def names_of(facts: type) -> list[str]:
    """What a state tells by name."""
    return [name for name in vars(facts) if not name.startswith("_")]


def check_source(rng: object, what: str) -> None:
    """Refuse what is no source of random numbers."""
    if not isinstance(rng, Random):
        raise CrashlabError(f"{what} draws from a crashlab.Random, as in Random(7), not from {shown(rng)}")


def _luck(word: object) -> int:
    if not isinstance(word, str) or not re.fullmatch("[0-9a-fA-F]{1,16}", word):
        raise CrashlabError(f"luck: {shown(word)} is not written with 1 to 16 hexadecimal digits")
    return int(word, 16)


def _some(game: Game, seats: Iterable[object]) -> str:
    names = (game.seat_name(seat) if integer(seat) is not None else shown(seat) for seat in seats)
    return cut(", ".join(names)) or "nobody"


def _deciding(game: Game, table: Table) -> tuple[int, ...]:
    """The seats that the rules ask, also those with one option only."""
    bits = game.rules.actors(table)
    if bits == CHANCE:
        return (CHANCE,)
    return _seats(game, bits)


def _seats(game: Game, bits: int) -> tuple[int, ...]:
    """The seats whose bits are set."""
    return tuple(seat for seat in game.seats if bits >> seat & 1)


def _forced(game: Game, table: Table, seat: int) -> int:
    """The only action of a seat, or NOWHERE if it has a choice."""
    return game.rules.forced(table, seat, [0] * game.rules.MOST_ACTIONS)


def _draw(state: State, rng: Random) -> Action:
    """What chance brings."""
    outcomes = state.actions(CHANCE)
    action: Action = outcomes[rng.weighted(_weights(state, len(outcomes)))]
    return action


def _weights(state: State, outcomes: int) -> list[int]:
    """How heavy each outcome of chance is."""
    out = [0] * outcomes
    return out[: state.game.rules.odds(state.table, out)]


def _play(state: State, joint: dict[int, int], luck: int) -> Turn:
    """Apply the actions, and then every decision that has one option only."""
    table, trace = state.table.copy(), Trace()
    _apply(state.game, table, joint, trace)
    _settle(state.game, table, trace)
    return Turn(state, State(state.game, table, luck), joint, trace.rows)


def _apply(game: Game, table: Table, joint: Mapping[int, int], trace: Trace | None) -> None:
    """Apply one decision of all who are asked; who has one option takes it."""
    seats = _deciding(game, table)
    whole = {seat: joint[seat] if seat in joint else _forced(game, table, seat) for seat in seats}
    for seat, code in whole.items():
        game.rules.apply(table, seat, code, trace)


def _settle(game: Game, table: Table, trace: Trace | None) -> None:
    """Take every decision in which nobody has a choice."""
    while (seats := _deciding(game, table)) and all(_forced(game, table, seat) != NOWHERE for seat in seats):
        next_beat(trace)
        _apply(game, table, {}, trace)


def _first(game: Game, table: Table, luck: int) -> State:
    """The first state with a choice; a table with something hidden is a view, in which nothing is played."""
    if any(HIDDEN in row for row in table.rows()):
        return State(game, table, luck, "some of it is hidden; guess(rng) fills it in")
    _settle(game, table, None)
    return State(game, table, luck)
