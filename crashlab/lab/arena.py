"""Agents play, and you watch: play and pause, one step, to the end, back to any decision, another game.

In the background an agent thinks and the turn is played; the page plays its film, and when that has ended the next one
begins. Pausing takes effect at once; what was being thought meanwhile is kept for when it goes on.
"""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from html import escape
from itertools import pairwise
from typing import Any

import ipywidgets as widgets

from crashlab.agents import Agent, Agents, by_seat, for_one_game, names
from crashlab.base.clock import Time
from crashlab.base.errors import CrashlabError, require, shown, whole
from crashlab.drawing.charts import Curve, curves
from crashlab.drawing.shapes import Picture
from crashlab.drawing.styles import LEADING, WARNING
from crashlab.drawing.tween import AT_ONCE, FAST, MATCH_SPEEDS, TURNS
from crashlab.engine.chance import whole_seed
from crashlab.engine.game import Game, State, Turn
from crashlab.engine.notation import counted
from crashlab.engine.table import CHANCE, NOTE
from crashlab.engine.turn_film import TurnStory, story_of
from crashlab.lab import notebook_cells
from crashlab.lab.advice import called
from crashlab.lab.board import FAR, ROW, Board, Panel, button, drawing, known_as, standing
from crashlab.lab.explorer import explore
from crashlab.lab.jobs import BackgroundJob
from crashlab.lab.page_module import show
from crashlab.lab.review_panel import Ending
from crashlab.lab.stepper import Steps, beside
from crashlab.play.match import Match

KEYS = "space plays and pauses, right and left go one decision on and back, Home and End jump, Tab leaves"
LOOK = 30  # milliseconds between two looks at whether the page has come to the end of a film
SLICE = 0.1  # seconds of play between two looks, on the way to the end
FIT = {"width": "auto"}


@dataclass(frozen=True)
class MatchShown:
    """How far which match has been shown."""

    match: Match
    names: Mapping[int, str]  # of the agents
    place: int = 0  # how many decisions have been played where the board stands
    known: int = 0  # how many have been seen to the end
    told: tuple[int, ...] = ()  # the forfeits that have been told of
    earlier: int = 0  # decisions of an earlier kernel, which are gone: the match begins after them

    @property
    def number(self) -> int:
        """How many decisions have been played where the board stands, with those of an earlier kernel."""
        return self.earlier + self.place

    @property
    def state(self) -> State:
        """The position after these decisions."""
        return self.after(self.place)

    def after(self, place: int) -> State:
        """The position after `place` decisions."""
        return self.match.turns[place - 1].after if place else self.match.start

    @property
    def at_end(self) -> bool:
        """Whether nothing follows."""
        return self.state.over


class Arena(Panel):
    """Agents playing a match. `agents` is one for all seats, or a dict for some; the other seats play at random.

    At the speed "fast" a decision in which no piece moves has no film: only its result is shown.
    An agent is a function, or one of `crashlab.agents`, or its name; those get a new seed with every new game.
    It begins from a Game or a State, or goes on with a Match, which may be a saved one. An agent forfeits if it fails,
    or takes longer than `limit` seconds for a decision or `budget` seconds for all those of its seat: see `Match`.
    `KEYS` says what the keys on the board do.
    `count` says which events are counted as they are seen: by a label the id of a rule, or several, as in
    {"barrier": "AS-C5"}. For a rule that notes cite, the notes are counted; for any other, its changes: see `simulate`.
    `arena.match` is the match, `arena.state` the position on the board.

        >>> arena = Arena(crashlab.game("autoscooter", players=2), {0: "greedy", 1: "random"}, seed=3)
        >>> arena.step()
        >>> arena.state.round, arena.state.scores
        (1, (20, 20))
    """

    now: MatchShown

    def __init__(
        self,
        match: Match | Game | State,
        agents: Agents | None = None,
        *,
        seed: int = 1,
        speed: str = FAST,
        theme: str | None = None,
        scale: float | None = None,
        animate: bool = True,
        limit: float | None = None,
        budget: float | None = None,
        count: Mapping[str, str | Sequence[str]] | None = None,
    ) -> None:
        require(
            isinstance(speed, str) and speed in MATCH_SPEEDS,
            f"there is no speed {shown(speed)}; the speeds are {', '.join(MATCH_SPEEDS)}",
        )
        self.cast = cast(match, agents)
        self.now = begun(match, self.cast, whole_seed(seed), Time.of(limit, budget))
        self.origin = self.match.start  # of this cell
        self.counted = counted_rules(self.match.game, count or {})
        self.board = Board(self.match.start, theme=theme, scale=scale, animate=animate)
        self.board.owner = self
        self.steps = Steps(self.board, arrived=self._arrived, touched=self.pause, stepped=self._score, keys=())
        self.steps.page.board_keys = False
        self._turn_story: TurnStory | None = None
        self.work = BackgroundJob(self.board, self.view)
        self.left = notebook_cells.left(Arena, self.match.game, self._read)  # by whoever was here before
        self._make_controls(speed)
        self.board.on_key(self._key)
        self.board.on_gone(self._end)
        self.ending = Ending(theme, animate, partial(explore, theme=theme, animate=animate))
        super().__init__([beside(self.board, self._side(), KEYS), self.ending, self.steps.events])
        self.board.alone(self.stand, 0)

    def _make_controls(self, speed: str) -> None:
        on = self.board.guard
        self.first = button("", on(lambda: self.stand(0)), "To the start", "fast-backward")
        self.back = button("", on(lambda: self.stand(self.now.place - 1)), "One decision back", "step-backward")
        self.play = button(
            "Play",
            on(self.play_or_pause),
            "Play, or pause",
            "play",
            once=True,
            layout={"width": "88px"},
            button_style=LEADING,
        )
        self.forward = button("", on(self.step), "One decision on", "step-forward")
        self.end = button("", on(self.run), "Play to the end", "fast-forward")
        self.slider = widgets.IntSlider(
            0,
            0,
            0,
            description="Decision",
            layout={"flex": "1 1 180px", "min_width": "150px"},
            style={"description_width": "initial"},
        )
        self.slider.observe(on(lambda _: self.stand(self.slider.value - self.now.earlier)), "value")
        self.speed = widgets.Dropdown(
            options=list(MATCH_SPEEDS), value=speed, tooltip="How fast it plays", layout={"width": "110px"}
        )
        self.speed.observe(on(lambda _: self._set_pace()), "value")
        self.heading, self.table, self.tally, self.chart = (widgets.HTML() for _ in range(4))
        known_as(self.heading, "crashlab-question", FAR)
        self.seed = widgets.IntText(
            self.match.seed + 1,
            description="next seed",
            tooltip="The seed of the next game, not of this one",
            layout={"width": "140px"},
            style={"description_width": "initial"},
        )
        self.again = button("New game", on(self.restart), "Another game, with the next seed", "refresh", once=True)
        self.resume = self._resume("Go on with the match you left", self.go_on)
        self.who = widgets.ToggleButton(description="Change players", icon="users", layout=FIT)
        self.who.observe(on(lambda _: self.view()), "value")
        self.casting = widgets.VBox([self._part(seat) for seat in self.match.game.seats])
        self._set_pace()

    def _part(self, seat: int) -> widgets.Dropdown:
        """Who sits at a seat in the next game."""
        own = self.cast.get(seat, "random")
        given = [] if isinstance(own, str) else [(title(own), own)]
        menu = widgets.Dropdown(
            options=[*given, *((name, name) for name in names(self.match.game))],
            value=own,
            description=self.match.game.seat_name(seat),
            style={"description_width": "24px"},
            layout={"width": "200px"},
        )

        def take(_: object) -> None:
            self.cast = {**self.cast, seat: menu.value}
            self.board.say(f"{menu.label} will play {menu.description} in the next game: press 'New game'.")

        menu.observe(self.board.guard(take), "value")
        return menu

    def _transport(self) -> widgets.Widget:
        buttons = [self.first, self.back, self.play, self.forward, self.end, self.slider, self.speed]
        for part in (self.back, self.play, self.forward):
            known_as(part, FAR)
        self.steps.remove_class(FAR)  # on the full screen whole decisions are enough
        return widgets.VBox([known_as(widgets.HBox(buttons, layout=ROW), "crashlab-row"), self.steps])

    def _side(self) -> widgets.Box:
        """What is as high as it has to tell is below the buttons, which so keep their place."""
        again = widgets.HBox([self.again, self.seed, self.who], layout=ROW)
        below = [self.heading, self.table, self.tally, self.chart, self.resume]
        return widgets.VBox([self._transport(), again, self.casting, *below])

    @property
    def match(self) -> Match:
        """The match that is played."""
        return self.now.match

    @property
    def state(self) -> State:
        """The position on the board."""
        return self.now.state

    # What the user does

    def play_or_pause(self) -> None:
        """Play on from here, or pause; at the end of the match, from its beginning."""
        if self.work.busy:
            self.pause()
            return
        if self.now.at_end and self._film_over:
            self.stand(0)
        elif not self._film_over:
            self.steps.page.start(self.steps.beat)
        self.work.start(self._think, lambda turn: self._show(turn, goal=None))

    def pause(self) -> None:
        """Stop here."""
        self.work.stop()
        self.steps.page.stop()

    def _end(self) -> None:
        """End the work and the agents' processes, as the board has gone from the page."""
        self.pause()
        self.match.close()

    def step(self) -> None:
        """Play one decision and show it; one that is being shown is shown to its end at once."""
        goal = self.now.place + 1
        self.stand(self.now.place)
        self._expect_more()
        self.work.start(self._think, lambda turn: self._show(turn, goal))

    def run(self) -> None:
        """Play to the end, and show only where the match stands meanwhile."""
        self.stand(self.now.place)
        self._expect_more()
        self.work.start(self._think_ahead, self._show_state)

    def restart(self) -> None:
        """Another match."""
        match = self.match
        seed = self.seed.value
        own_start = self.origin == match.game.start(match.seed)
        self.now = begun(match.game if own_start else self.origin, self.cast, seed, match.time)
        match.close()  # what is still being thought about it
        self.seed.value = seed + 1
        self.stand(0)

    def go_on(self) -> None:
        """Go on with the match that was left when this cell was run again."""
        if not self.left:
            raise CrashlabError("no match was left here")
        self.pause()
        self.now, self.work.thinking = self.left.now
        self.left = None
        self.stand(self.now.place)
        if earlier := self.now.earlier:
            gone = f"This is decision {earlier}. Those before it were played in an earlier kernel, and are gone."
            self.board.say(f"{self.board.said}\n{gone}")

    def stand(self, place: int) -> None:
        """Stop, and show the position after `place` decisions."""
        self.pause()
        self._move_to(min(max(place, 0), len(self.match.turns)))
        self._load()
        self.steps.go(self.steps.last)
        if not self.now.place:
            self.board.show(self.state.picture())
            self.board.say("The start. Press Play, or go one decision on.")
        elif self.now.at_end:
            self.board.say(self._ending())

    def _expect_more(self) -> None:
        require(not self.now.at_end, "the game is over: go back, or press 'New game'")

    # What goes on in the background

    def _think(self) -> int | None:
        """Have the next decision; the beat from which there is something to look at."""
        now = self.now
        if not self._film_over or now.at_end:
            return None
        if len(now.match.turns) == now.place:
            now.match.play()
        turn = now.match.turns[now.place]
        if self.speed.value == FAST and not drives(turn):
            return self._cut(turn).beats
        self._cut(turn)
        return 0

    def _show(self, thought: int | None, goal: int | None) -> float:
        """The next decision, as soon as the page has played the film of the one before."""
        rest = LOOK
        if self._whole and not self._film_over:
            self.steps.go(self.steps.last)
        if self._film_over and thought is not None and self.now.place != goal:
            self._begin(thought)
            if self._film_over:
                rest = AT_ONCE if self.speed.value == FAST else MATCH_SPEEDS[str(self.speed.value)]
        if self._film_over and (self.now.place == goal or self.now.at_end):
            self.pause()
            if self.now.at_end:
                self.board.say(self._ending())
        return rest / 1000

    def _begin(self, opening: int) -> None:
        """Have the page play the next decision from this beat on, if there is a page that plays."""
        self._move_to(self.now.place + 1)
        self._load()
        if self._whole or opening >= self.steps.last or not self.board.page.ready:
            self.steps.go(self.steps.last)
        else:
            self.steps.start(opening)
        self._tell_forfeits()

    def _think_ahead(self) -> None:
        """Play on for a moment."""
        match = self.match
        until = time.monotonic() + SLICE
        while not match.state.over:
            match.play()
            if time.monotonic() > until:
                return

    def _show_state(self, _: object) -> float:
        """Where the match stands by now."""
        place = len(self.match.turns)
        if self.match.state.over:
            self.stand(place)
        else:
            self._move_to(place)
            self._arrived()
            self.board.show(self.state.picture())
            self.board.say(f"{counted(self.now.number, 'decision')} played …")
        return 0.02

    # What is shown

    @property
    def _whole(self) -> bool:
        """Whether turns are shown without their films."""
        return self.speed.value == TURNS or not self.board.animate

    @property
    def _film_over(self) -> bool:
        return self.steps.beat >= self.steps.last

    def _move_to(self, place: int) -> None:
        """Take this as the place of the match that is shown."""
        self.now = replace(self.now, place=place)
        if place:
            self.left = None  # another match has begun

    def _cut(self, turn: Turn) -> TurnStory:
        """The film of a decision; the last one is kept."""
        if self._turn_story is None or self._turn_story.turns[0] is not turn:
            self._turn_story = story_of([turn])
        return self._turn_story

    def _load(self) -> None:
        """Have the last decision at hand: its events and its beats."""
        self.steps.load(self._cut(self.match.turns[self.now.place - 1]) if self.now.place else None)
        self.view()

    def _arrived(self) -> None:
        """The last beat of a decision is on the board."""
        self.now = replace(self.now, known=max(self.now.known, self.now.place))
        self.view()

    @property
    def _done(self) -> int:
        """How many decisions have come to their end on the board."""
        return self.now.place if self._film_over else self.now.place - 1

    def view(self) -> None:
        """Set every control from the match, but to nothing that its film has still to show; nothing else does."""
        place, turns, first = self.now.place, self.match.turns, self.now.earlier
        last = first + max(len(turns), 1)
        self.play.description, self.play.icon = ("Pause", "pause") if self.work.busy else ("Play", "play")
        self.slider.max = max(last, self.slider.max)  # so that it is never below the other end
        self.slider.min, self.slider.max, self.slider.value = first, last, first + place
        show(self.casting, self.who.value)
        show(self.resume, self.left)
        show(self.steps.events, True, place and self.steps.turn is turns[place - 1])
        words = self._heading()
        self.heading.value = f"<b style='font-size: {round(16 * self.board.scale)}px'>{escape(words)}</b>"
        self.ending.tell(turns if self.state.over and self._film_over else ())
        self._score()
        self.chart.value = drawing(self.curves(), self.board)

    def _score(self) -> None:
        """Say how it stands at the moment that the board shows."""
        self.table.value = self._table()
        self.tally.value = self._tally()

    def _heading(self) -> str:
        game = self.match.game
        state = self.state
        if not self._film_over:
            return f"Decision {self.now.number} is being played."
        if state.over:
            return won(self.match)
        if state.actors == (CHANCE,):
            return "Chance decides."
        names = ", ".join(map(game.seat_name, state.actors))
        several = len(state.actors) > 1
        if self.work.busy:
            return f"{names} {'are' if several else 'is'} thinking …"
        return f"{names} {'decide' if several else 'decides'} next."

    def _table(self) -> str:
        """Who plays, and how it stands."""
        colours = self.board.page.colours
        rows = []
        for seat, score in enumerate(self._moment.scores):
            paint = self._paint(seat)
            swatch = (
                f"background: {colours[paint]}; color: {colours[f'{paint} ink']}; border-radius: 5px;"
                " padding: 0 8px; font-weight: 700"
            )
            out = " (forfeited)" if seat in self.match.forfeits else ""
            rows.append(
                f"<tr><td><span style='{swatch}'>{escape(self.match.game.seat_name(seat))}</span></td>"
                f"<td style='padding: 2px 12px 2px 8px'>{escape(self.now.names[seat])}{out}</td>"
                f"<td style='text-align: right'><b>{score}</b></td></tr>"
            )
        size = round(15 * self.board.scale)
        return f"<table style='font-size: {size}px; line-height: 1.4; margin: 4px 0'>{''.join(rows)}</table>"

    @property
    def _moment(self) -> State:
        """What the board shows: a position, or a moment of the last decision."""
        turn_story = self.steps.turn_story
        return self.state if self._film_over or turn_story is None else turn_story.at(self.steps.beat)

    def counts(self) -> dict[str, int]:
        """How often each thing that is counted has been seen to happen."""
        rows = [row for turn in self.match.turns[: self._done] for row in turn.rows]
        if self._done < self.now.place and self.steps.turn_story:  # the film of the next decision has come to this beat
            _, last = self.steps.turn_story.end(self.steps.beat)
            rows += [row for row in self.match.turns[self._done].rows if row.beat <= last]
        noted = [bool(rule.numbers) for rule in self.match.game.rulebook]
        cited = Counter(row.rule for row in rows if (row.field == NOTE) == noted[row.rule])
        return {label: sum(cited[rule] for rule in rules) for label, rules in self.counted.items()}

    def _tally(self) -> str:
        size = round(15 * self.board.scale)
        told = " &nbsp; ".join(f"{escape(label)}: <b>{number}</b>" for label, number in self.counts().items())
        return f"<div style='font-size: {size}px; line-height: 1.4'>{told}</div>" if told else ""

    def _paint(self, seat: int) -> str:
        """The colour of a seat, as it is on the board."""
        return str(self.match.game.render.seat_paint(self.match.start.table, seat))

    def repaint(self) -> None:
        """The table and the curves have the board's colours, too."""
        self.view()

    def curves(self) -> Picture:
        """The score of every seat after each decision that has been seen."""
        game = self.match.game
        scores = [self.now.after(place).scores for place in range(self.now.known + 1)]
        lines = [Curve(game.seat_name(seat), self._paint(seat), [row[seat] for row in scores]) for seat in game.seats]
        mark = self._done if self._done < self.now.known else None
        return curves(lines, max(self.now.known, 10), title="Score", across="decisions", mark=mark, bases=[0])

    def _tell_forfeits(self) -> None:
        """Stop at a forfeit that has not been told of."""
        new = [seat for seat in self.match.forfeits if seat not in self.now.told]
        if new:
            self.now = replace(self.now, told=(*self.now.told, *new))
            self.pause()
            self.board.say("\n".join(self.match.forfeits[seat] for seat in new), WARNING)

    def _ending(self) -> str:
        return "\n".join([f"The game is over. {won(self.match)}", *self.match.forfeits.values()])

    def _set_pace(self) -> None:
        self.steps.pace({"normal": MATCH_SPEEDS[str(self.speed.value)]})

    def _key(self, name: str) -> None:
        keys: dict[str, Any] = {
            " ": self.play_or_pause,
            "Enter": self.play_or_pause,
            "ArrowRight": self.step,
            "End": self.run,
            "ArrowLeft": lambda: self.stand(self.now.place - 1),
            "Home": lambda: self.stand(0),
        }
        if name in keys:
            keys[name]()

    def done(self) -> notebook_cells.Left | None:
        """The match, if something of it has been seen; with the lock of those who think about it."""
        words = f"decision {self.now.number}; {standing(self.state)}"
        return notebook_cells.Left((self.now, self.work.thinking), self.match.game, words) if self.now.known else None

    def kept(self) -> dict[str, Any] | None:
        """The position on the board, if it is or was another one than at first."""
        if not self.now.place and not self.now.known and self.match.start == self.origin:
            return None
        words = f"{self._title()} {self.state.text}"
        return {"words": words, "position": self.state.text, "decision": self.now.number}

    def _read(self, kept: Any) -> notebook_cells.Left:
        """A match of the same agents that begins from the position that was kept."""
        state = self.match.game.read(kept["position"])
        earlier = whole("decision", kept.get("decision", 0), least=0)
        shown = replace(begun(state, self.cast, self.match.seed, self.match.time), earlier=earlier)
        return notebook_cells.Left((shown, self.work.thinking), state.game, f"decision {earlier}; {standing(state)}")

    def still(self) -> tuple[Picture, str]:
        """The position, and who plays."""
        picture = self.state.picture()
        return picture, f"{self._title()} {picture.words}"

    def _title(self) -> str:
        game = self.match.game
        names = ", ".join(f"{game.seat_name(seat)} {self.now.names[seat]}" for seat in game.seats)
        return f"Arena of {game.title}: {names}."


def cast(match: object, agents: Agents | None) -> dict[int, str | Agent]:
    """Who plays: as it is given, else as in the match, else one that plays at random."""
    if not isinstance(match, Match | Game | State):
        raise CrashlabError(f"an Arena shows a Match, a Game or a State, not {shown(match)}")
    game = match if isinstance(match, Game) else match.game
    own = match.agents if isinstance(match, Match) else dict.fromkeys(game.seats, "random")
    return {**own, **by_seat(game, agents)}


def begun(match: Match | Game | State, agents: Mapping[int, str | Agent], seed: int, time: Time) -> MatchShown:
    """The match to watch, nothing of it shown yet."""
    game = match if isinstance(match, Game) else match.game
    playing = {seat: for_one_game(agent, seed + seat) for seat, agent in agents.items()}  # the same seed, the same game
    names = {seat: title(agents[seat]) if seat in agents else "nobody" for seat in game.seats}
    if isinstance(match, Match):
        sitting = match.agents  # they go on with the luck that they have
        sitting.update({seat: agent for seat, agent in playing.items() if sitting.get(seat) is not agents[seat]})
        match.time = time or match.time
        return MatchShown(match, names)
    return MatchShown(Match(match, playing, seed, forfeits=True, limit=time.limit, budget=time.budget), names)


def drives(turn: Turn) -> bool:
    """Whether a piece goes from one place to another; on the map, if there is one."""
    pictures = (turn.at(beat).picture() for beat in range(turn.beats + 1))
    return any(goes(before, after) for before, after in pairwise(pictures))


def goes(before: Picture, after: Picture) -> bool:
    """Whether a piece of both pictures is elsewhere in the second one, and not because the map has changed."""
    if before.map != after.map:
        return False
    at = {piece.key: (piece.x, piece.y) for piece in before.pieces}
    gone = [piece for piece in after.pieces if at.get(piece.key, (piece.x, piece.y)) != (piece.x, piece.y)]
    return any(after.map is None or after.map.holds(piece.x, piece.y) for piece in gone)


def counted_rules(game: Game, count: Mapping[str, str | Sequence[str]]) -> dict[str, tuple[int, ...]]:
    """By label the rules whose events are counted, as numbers."""
    if not isinstance(count, Mapping):
        raise CrashlabError(f"count={shown(count)}: give a dict, as in {{'crashes': {game.rulebook[0].id!r}}}")
    numbers = {rule.id: number for number, rule in enumerate(game.rulebook)}
    found = {}
    for label, given in count.items():
        rules = (given,) if isinstance(given, str) else tuple(given) if isinstance(given, Sequence) else (given,)
        for rule in rules:
            require(
                isinstance(rule, str) and rule in numbers,
                f"count: {game.name} has no rule {shown(rule)}; its rules are {', '.join(numbers)}",
            )
        found[str(label)] = tuple(numbers[rule] for rule in rules)
    return found


def title(agent: str | Agent) -> str:
    """What an agent is called."""
    return agent if isinstance(agent, str) else called(agent)


def won(match: Match) -> str:
    """Who has won, in words."""
    names = [match.game.seat_name(seat) for seat in match.winners]
    return f"{' and '.join(names)} {'wins' if len(names) == 1 else 'win'}." if names else "Nobody wins."
