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

from collections.abc import Hashable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, Self, cast, overload

from crashlab.base.errors import CrashlabError, cut, integer, shown, told
from crashlab.drawing.story import film, summary
from crashlab.engine import contract
from crashlab.engine import events as why
from crashlab.engine import flow as advance
from crashlab.engine import position as parts
from crashlab.engine.actions import Action, Actions
from crashlab.engine.chance import Random
from crashlab.engine.observation import observed
from crashlab.engine.table import CHANCE, HIDDEN, NOWHERE, Row, Table, Trace

if TYPE_CHECKING:
    import numpy as np
    from typing_extensions import TypeVar

    from crashlab.drawing.frames import Effects
    from crashlab.drawing.shapes import Picture, Point, Shape
    from crashlab.engine.events import Event
    from crashlab.engine.game import Game
    from crashlab.engine.prompts import Choice

    F = TypeVar("F", default=Any)
else:
    from typing import TypeVar

    F = TypeVar("F")  # what the states of a game tell by name

UNSAID = object()  # no action was given; None is one in some games
Seat = int | str  # a number from 0, or a letter


class Asked(NamedTuple):
    """Who is asked what: `piece` is the key of the piece of the picture that it is about, if it is about one."""

    seat: int
    name: str
    decision: str  # its word in positions
    about: str
    piece: str


class State(Generic[F]):
    """A moment of a game. It never changes: `play` gives a Turn with the next one.

    What the game tells of itself is there by name (`state.cars`, `state.box`: see `dir(state)`).

        >>> state = crashlab.game("autoscooter", players=2).read({"cars": {"1": "21E2", "2": "23SE2"}})
        >>> state.round, state.actors, state.scores
        (1, (0, 1), (20, 20))
        >>> state.text
        'round 1; cars 1:21E2 2:23SE2; chits A20 B20; box 0; used none'
        >>> after = state.play({"A": "17 FF", "B": None}).after
        >>> after.scores
        (24, 14)
    """

    def __init__(self, game: Game[F], table: Table, luck: int = 0, closed: str = "") -> None:
        self.game, self.luck = game, luck
        self.table = table  # for reading; only `happen` writes to tables
        self.closed = closed  # why nothing can be played here: a view, a moment within a turn
        self._listed: dict[int, Actions] = {}

    # Who decides what

    @cached_property
    def actors(self) -> tuple[int, ...]:
        """The seats that decide now; (CHANCE,) when chance does; () when the game is over.

        Who has no choice is not asked, but where nobody has one (see `game.read`).
        """
        rules, seats = self.game.rules, advance.deciding(self.game.rules, self.table)
        if len(seats) == 1:
            return seats
        return tuple(seat for seat in seats if contract.only(rules, self.table, seat) == NOWHERE) or seats

    @property
    def over(self) -> bool:
        """Whether nobody decides any more."""
        return not self.game.rules.actors(self.table)

    @property
    def asked(self) -> tuple[Asked, ...]:
        """Who is asked what, about which piece of the picture."""
        return tuple(self._asked(seat) for seat in self.actors)

    def _asked(self, seat: int) -> Asked:
        decision = self.game.decision(self.table, seat)
        piece = self.game.ui.subject(self.table, seat) if seat != CHANCE else ""
        return Asked(seat, self.game.seat_name(seat), decision.name, decision.about, piece)

    def actions(self, seat: Seat) -> Actions:
        """The legal actions of a seat that decides now."""
        actor = self._actor(seat)
        if actor not in self._listed:
            self._listed[actor] = Actions(self, actor)
        return self._listed[actor]

    def odds(self) -> dict[Action, float]:
        """At a decision of chance: each outcome with its probability."""
        outcomes = self.actions(CHANCE)
        weights = advance.weights(self.game.rules, self.table)
        total = sum(weights)
        return {action: weight / total for action, weight in zip(outcomes, weights, strict=True)}

    def _actor(self, seat: object) -> int:
        """The seat as an int, if it decides now."""
        if type(seat) is int and seat in self.actors:
            return seat
        try:
            actor = self.game.actor(seat)
        except CrashlabError:
            actor = None
        if actor is None or actor not in self.actors:
            name = shown(seat) if isinstance(seat, str) else f"seat {shown(seat)}"
            raise CrashlabError(f"{name} does not decide now; {self._who()}")
        return actor

    def code(self, seat: Seat, action: object) -> int:
        """The integer of an action given as Action or in notation, legal or not.

        An Action of another position is what its notation says: there the same integer may mean something else.
        """
        seat = self.game.actor(seat)
        if isinstance(action, Action):
            if action.seat != seat:
                raise CrashlabError(f"{shown(action)} is an action of seat {shown(action.seat)}, not of seat {seat}")
            if action.game.book != self.game.book:
                raise CrashlabError(f"{shown(action)} is an action of {action.game.name}, not of {self.game.name}")
            if action.is_of(self.table):
                if (code := integer(action.code)) is None:
                    raise CrashlabError(f"{shown(action)} is no action: its code is {shown(action.code)}")
                return code
            action = str(action)
        return self.game.read_action(self.table, seat, action)

    def choices(self, seat: Seat, *chosen: str) -> tuple[Choice, ...]:
        """The words that can follow those chosen; one with an `action` completes it. All words make all actions."""
        for word in chosen:
            if not isinstance(word, str):
                raise CrashlabError(f"choices are said word by word, as choices(0, 'FFF'), not by {shown(word)}")
        return self.game.ui.choices(self.table, self._actor(seat), chosen)

    def number(self, seat: Seat, action: object) -> int:
        """The number of an action in the vocabulary of the game, from 0."""
        return self.game.numbered().number_of(self.table, self._actor(seat), self.code(seat, action))

    def numbered(self, seat: Seat, number: int) -> Action:
        """The action with this number in the vocabulary, legal or not."""
        actor = self._actor(seat)
        return Action(self, actor, self.game.numbered().code_at(self.table, actor, number))

    def refusal(self, seat: Seat, action: object) -> str:
        """Why this action cannot be played now; empty if it can."""
        return self._judged(seat, action)[0]

    def _judged(self, seat: object, action: object) -> tuple[str, int]:
        """Why this action cannot be played now, or "" and its integer."""
        try:
            actor = self._actor(seat)
            code = self.code(actor, action)
            legal = self.actions(actor).codes
            return "" if code in legal else self.game.refuse(self.table, actor, code, legal), code
        except CrashlabError as error:
            return str(error), NOWHERE

    def play(self, actions: object = UNSAID) -> Turn[F]:
        """What these actions bring about: a dict {seat: action}, or one action where one seat decides.

        Actions are Action objects or notation. At a decision of chance, `play()` takes what the state's luck brings
        and `play(outcome)` scripts it.
        """
        self._check_open()
        if actions is UNSAID and advance.is_forced(self.game.rules, self.table):
            return self._turn({}, self.luck)
        luck = self._luck_after_chance() if self.actors == (CHANCE,) else self.luck
        if actions is UNSAID:
            if self.actors != (CHANCE,):
                raise CrashlabError(f"{self._who()}: say what is played")
            return self._turn({CHANCE: self._drawn(Random.at(self.luck)).code}, luck)
        return self._turn(self._joint(actions), luck)

    def _check_open(self) -> None:
        """Refuse to play where nothing can be played."""
        if self.closed:
            raise CrashlabError(f"nothing can be played here: {self.closed}")
        if self.over:
            raise CrashlabError("the game is over")

    @overload
    def play_codes(self, codes: Mapping[int, int], trace: Literal[False] = False) -> State[F]: ...

    @overload
    def play_codes(self, codes: Mapping[int, int], trace: Literal[True]) -> Turn[F]: ...

    def play_codes(self, codes: Mapping[int, int], trace: bool = False) -> State[F] | Turn[F]:
        """The state after these actions, given as integers by seat, without any check; with a trace, the Turn.

        For programs that search: what is no legal action breaks the rules, and nobody says so. `codes` has every
        seat of `actors`; the luck of a state moves with each decision of chance.
        """
        luck = self._luck_after_chance() if CHANCE in codes else self.luck
        if trace:
            return self._turn(codes, luck)
        table = self.table.copy()
        advance.decide(self.game.rules, table, codes, None)
        advance.settle(self.game.rules, table, None)
        return State(self.game, table, luck)

    def sample(self, rng: Random) -> Turn[F]:
        """A turn in which chance, or every actor, chooses at random from another source than the state's luck.

        The numbers are those with which `simulate` plays at random: from the same luck comes the same game.
        """
        check_source(rng, "sample()")
        self._check_open()
        if self.actors == (CHANCE,):
            return self._turn({CHANCE: self._drawn(rng).code}, self._luck_after_chance())
        return self._turn({seat: rng.choice(self.actions(seat).codes) for seat in self.actors}, self.luck)

    def _luck_after_chance(self) -> int:
        """The luck behind a decision of chance: one number is used for each, also where its outcome is not from it."""
        rng = Random.at(self.luck)
        rng.below(1)
        return rng.luck

    def _drawn(self, rng: Random) -> Action:
        """What chance brings."""
        place = rng.weighted(advance.weights(self.game.rules, self.table))
        return Action(self, CHANCE, self.actions(CHANCE).codes[place])

    def _turn(self, joint: Mapping[int, int], luck: int) -> Turn[F]:
        """Play the actions, and then every decision that has one option only."""
        table, trace = self.table.copy(), Trace()
        advance.decide(self.game.rules, table, joint, trace)
        advance.settle(self.game.rules, table, trace)
        return Turn(self, State(self.game, table, luck), joint, trace.rows)

    def _joint(self, actions: object) -> dict[int, int]:
        """The action of every actor, checked."""
        if not isinstance(actions, Mapping):
            if len(self.actors) != 1:
                raise CrashlabError(f"{self._who()}: give play() a dict with one action for each")
            actions = {self.actors[0]: actions}
        joint = self.by_seat(actions)
        if set(joint) != set(self.actors) or len(joint) < len(actions):
            raise CrashlabError(f"{self._who()}; the actions are for {_some(self.game, actions)}")
        return {seat: self.legal_code(seat, joint[seat]) for seat in self.actors}

    def by_seat(self, given: Mapping[Any, Any]) -> dict[Any, Any]:
        """What is given for seats, by number or letter, with the seats as ints; what is no seat stays as it is."""
        found: dict[Any, Any] = {}
        for seat, thing in given.items():
            try:
                found[self.game.actor(seat)] = thing
            except CrashlabError:
                found[seat] = thing
        return found

    def legal_code(self, seat: Seat, action: object) -> int:
        """The integer of an action that can be played now; refused with the reason if it cannot."""
        reason, code = self._judged(seat, action)
        if reason:
            words = f"'{told(action)}'" if isinstance(action, Action) else shown(action)
            raise CrashlabError(f"{self.game.seat_name(seat)} cannot play {words}: {reason}")
        return code

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
        return advance.seats_of(self.game.rules.winners(self.table)) if self.over else ()

    @cached_property
    def facts(self) -> F:
        """What the game tells of the state, with its types: `state.facts.box` is `state.box`."""
        facts: F = self.game.told.Facts(self.table, self.game.position.PARTS)
        return facts

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_"):
            if name in names_of(self.game.told.Facts):
                return getattr(self.facts, name)
        return object.__getattribute__(self, name)  # raises; for a property that failed, the error of its own

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *names_of(self.game.told.Facts)})

    # What a seat sees

    def seen_by(self, seat: Seat | None) -> State[F]:
        """The state with everything hidden that this seat does not know, and without the luck.

        seen_by(None) is what everybody knows.
        """
        seats = list(self.game.seats) if seat is None else [self.game.seat(seat)]
        view, *others = (self.game.secrets.hide(self.table, one) for one in seats)
        for other in others:
            for row, seen in zip(view.rows(), other.rows(), strict=True):
                row[:] = [HIDDEN if HIDDEN in pair else pair[0] for pair in zip(row, seen, strict=True)]
        who = "what everybody knows" if seat is None else f"what {self.game.seat_name(seats[0])} sees"
        seen = State(self.game, view, 0, f"this is {who}; guess(rng) fills in the rest")
        if seat is not None and seats[0] in self._listed:  # what a seat can do depends on nothing that it does not see
            seen._listed[seats[0]] = Actions(seen, seats[0], self._listed[seats[0]].codes)
        return seen

    def observation(self, seat: Seat | None) -> np.ndarray[Any, np.dtype[np.int64]]:
        """What this seat sees (None: what everybody knows) as one row of numbers; `game.observation` describes it."""
        return observed(self.seen_by(seat).table)

    def guess(self, rng: Random) -> State[F]:
        """A state that could be behind this view: what is hidden and the luck are drawn from rng."""
        check_source(rng, "guess()")
        return State(self.game, self.game.secrets.guess(self.table, rng), rng.below(1 << 64))

    # Words and pictures

    @property
    def text(self) -> str:
        """The position as one line, secrets included; `game.read` reads it."""
        line = parts.write(self.game.position.PARTS, self.table)
        return f"{line}; luck {self.luck:x}" if self.luck else line

    def to_dict(self, defaults: bool = False) -> dict[str, Any]:
        """The position as plain JSON, secrets included; `game.read` reads it. With `defaults` nothing is left out."""
        data = parts.to_dict(self.game.position.PARTS, self.table, defaults)
        return {**data, "luck": f"{self.luck:x}"} if self.luck else data

    def key(self, ignore: Iterable[str] = ()) -> Hashable:
        """What tells this position from others, without its luck and without these fields of the table.

        For tables of what has been looked at before: `state.key(ignore=["round"])` is the same in every round.
        """
        names, left_out = self.table.NAMES, [ignore] if isinstance(ignore, str) else list(ignore)
        for name in left_out:
            if name not in names:
                raise CrashlabError(f"there is no field {shown(name)}; the fields are {', '.join(names)}")
        rows = zip(names, self.table.rows(), strict=True)
        return tuple(tuple(row) for name, row in rows if name not in left_out)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

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
        """Where a value lies on the picture, as (x, y); None of anything that has no place there.

        Places and things have one as `game.notation` says, also with NumPy's integers and with lists for tuples. An
        Action that a seat can choose now lies where it leads, and another State of this game where the only thing is
        that lies elsewhere there.
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
        """The state as shapes."""
        return self._picture

    @cached_property
    def _picture(self) -> Picture:
        return self.game.render.picture(self.table)

    def svg(self, theme: str = "light", scale: float = 1.0) -> str:
        """The picture as SVG, for slides and papers."""
        from crashlab.drawing import svg

        return svg.paint(self.picture(), theme, scale)

    def png(self, theme: str = "light", scale: float = 1.0) -> bytes:
        """The picture as PNG."""
        from crashlab.drawing import png

        return png.paint(self.picture(), theme, scale)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, object]:
        from crashlab.drawing.sheet import mimebundle

        return mimebundle(self.picture(), str(self))


class Turn(Generic[F]):
    """What one decision brought about.

        >>> state = crashlab.game("autoscooter").read({"cars": {"1": "21E2", "2": "23SE2"}})
        >>> turn = state.play({"A": "17 FF", "B": None})
        >>> turn
        <Turn: A 17 FF, B -; 22 events in 14 beats>
        >>> print(turn.why(6))
        car 1 drives from (2,1) to (2,2)
              [AS-M1, stated] A move drives 1, 2 or 3 hexes forward; that number is the car's speed.
          because car 1 moves with 17 FF
              [AS-R2, stated] The cars move one after another, from the lowest number written to the
              highest. A crash is settled before the next car moves.
    """

    def __init__(
        self, before: State[F], after: State[F], actions: Mapping[int, int], rows: list[tuple[int, ...]]
    ) -> None:
        self.before, self.after, self._rows = before, after, rows
        self.actions = {seat: Action(before, seat, code) for seat, code in actions.items()}
        self._moments: dict[int, State] = {}  # by their beats, as far as they were asked for

    @cached_property
    def rows(self) -> list[Row]:
        """What happened, as the rules told it."""
        return [Row._make(row) for row in self._rows]

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """Everything that happened, in order."""
        return why.events(self)

    @cached_property
    def parts(self) -> tuple[Turn[F], ...]:
        """The decision, and then each decision in which nobody had a choice, as turns of their own."""
        return tuple(_parts(self))

    def seen_by(self, seat: Seat) -> tuple[Event, ...]:
        """The events that this seat may know of."""
        return why.known(self, self.before.game.seat(seat))

    @property
    def beats(self) -> int:
        """How many beats the turn has; events of one beat happen at the same time."""
        return why.beats(self)

    def at(self, beat: int) -> State[F]:
        """The state as it was after this beat; 0 is before anything, the last one is `after`."""
        beat = why.check_beat(self, beat)
        if beat == 0:
            return self.before
        if beat == self.beats:
            return self.after
        if beat not in self._moments:
            moment = why.moment(self, beat)
            self._moments[beat] = State(self.before.game, moment, self.before.luck, "this is a moment within a turn")
        return self._moments[beat]

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
        found: Effects = self.before.game.render.effects(self.at(beat - 1).table, rows, self.rows) if rows else ()
        return found

    def ways(self, beat: int) -> Iterable[Shape]:
        """The ways that were gone until the end of this beat."""
        beat = why.check_beat(self, beat)
        rows = [row for row in self.rows if row.beat <= beat]
        found: Iterable[Shape] = self.before.game.render.paths(self.before.table, rows)
        return found

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __str__(self) -> str:
        return "\n".join(str(event) for event in self.events)

    def __repr__(self) -> str:
        done = ", ".join(f"{self.before.game.seat_name(seat)} {action}" for seat, action in self.actions.items())
        return f"<Turn: {done}; {len(self.rows)} events in {self.beats} beats>"

    def svg(self, beat: int | None = None, theme: str = "light", scale: float = 1.0) -> str:
        """The turn as one SVG: the moment after a beat (by default the last), with the ways that were driven."""
        from crashlab.drawing import svg

        return svg.paint(summary(self, beat), theme, scale)

    def png(self, beat: int | None = None, theme: str = "light", scale: float = 1.0) -> bytes:
        """The same as PNG."""
        from crashlab.drawing import png

        return png.paint(summary(self, beat), theme, scale)

    def gif(self, theme: str = "light", scale: float = 1.0, milliseconds: int = 300) -> bytes:
        """The turn as a moving picture; a beat takes `milliseconds`."""
        from crashlab.drawing import png

        return png.animate(film(self), theme, scale, milliseconds)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, object]:
        from crashlab.drawing.sheet import mimebundle

        return mimebundle(summary(self), str(self))


def _parts(turn: Turn[F]) -> Iterator[Turn[F]]:
    """The decisions of a turn, one after the other, each with events that are numbered and timed from its beginning."""
    rules, state = turn.before.game.rules, turn.before
    joint: Mapping[int, int] = {seat: action.code for seat, action in turn.actions.items()}
    while True:
        table, trace = state.table.copy(), Trace()
        done = advance.decide(rules, table, joint, trace)
        is_last = not advance.is_forced(rules, table)
        after = turn.after if is_last else State(state.game, table, turn.after.luck)
        yield Turn(state, after, done, trace.rows)
        if is_last:
            return
        state, joint = after, {}


def names_of(facts: type) -> list[str]:
    """What a state tells by name."""
    return [name for name in (*facts.__annotations__, *vars(facts)) if not name.startswith("_")]


def check_source(rng: object, what: str) -> None:
    """Refuse what is no source of random numbers."""
    if not isinstance(rng, Random):
        raise CrashlabError(f"{what} draws from a crashlab.Random, as in Random(7), not from {shown(rng)}")


def _some(game: Game, seats: Iterable[object]) -> str:
    names = (game.seat_name(seat) if integer(seat) is not None else shown(seat) for seat in seats)
    return cut(", ".join(names)) or "nobody"
