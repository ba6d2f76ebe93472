"""A panel to watch agents play: play and pause, single steps, jump to the end or any decision, new game.

An agent decides and the turn is played in the background; then the page plays the film of the turn. When the film has
ended, the next decision starts. Pausing takes effect immediately; a decision that finishes meanwhile is kept for later.
"""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

import ipywidgets as widgets

from crashlab.agents import Agent, Agents, by_seat, for_one_game, names
from crashlab.base.clock import Time
from crashlab.base.errors import CrashlabError, require, short_repr, whole
from crashlab.drawing.charts import Curve, curves
from crashlab.drawing.html import element, joined
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
from crashlab.lab.board import FAR, ROW, Board, Panel, button, drawing, status_words, with_classes
from crashlab.lab.explorer import explore
from crashlab.lab.jobs import BackgroundJob
from crashlab.lab.page_module import show
from crashlab.lab.playback import alone
from crashlab.lab.review_panel import Ending
from crashlab.lab.stepper import Steps, beside
from crashlab.play.match import Match

KEYS = "space plays and pauses, right and left go one decision forward and back, Home and End jump, Tab leaves"
LOOK = 30  # milliseconds between two checks whether the film has ended in the page
SLICE = 0.1  # seconds of play between two updates while playing to the end
FIT = {"width": "auto"}


@dataclass(frozen=True)
class MatchShown:
    """A match and how far it has been shown."""

    match: Match
    names: Mapping[int, str]  # names of the agents
    place: int = 0  # number of decisions played before the position on the board
    latest: int = 0  # number of decisions whose films have been shown to the end
    forfeited: tuple[int, ...] = ()  # the seats whose forfeits have been reported
    earlier: int = 0  # decisions of an earlier kernel, which are lost: the match starts after them

    @property
    def number(self) -> int:
        """The number of decisions played before this position, including those of an earlier kernel."""
        return self.earlier + self.place

    @property
    def state(self) -> State:
        """The position on the board."""
        return self.after(self.place)

    def after(self, place: int) -> State:
        """Return the position after `place` decisions."""
        return self.match.turns[place - 1].after if place else self.match.start

    @property
    def at_end(self) -> bool:
        """Whether the game is over on the board."""
        return self.state.over


class Arena(Panel):
    """Agents playing a match. `agents` is one agent for all seats, or a dict by seat; seats without one play at
    random.

    At the speed "fast" a decision in which no piece moves has no film: only its result is shown.
    An agent is a function, an agent of `crashlab.agents`, or its name; the latter two get a new seed in every new game.
    An Arena starts from a Game or a State, or continues a Match, such as a saved one. An agent forfeits if it fails,
    or takes longer than `limit` seconds for a decision or `budget` seconds for all its decisions: see `Match`.
    `KEYS` lists the keys on the board.
    `count` is a dict of the events to count as they are shown: the id of a rule, or several ids, by label, as in
    {"barrier": "AS-C5"}. If notes cite the rule, its notes are counted, otherwise its changes: see `simulate`.
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
            f"there is no speed {short_repr(speed)}; the speeds are {', '.join(MATCH_SPEEDS)}",
        )
        self.cast = cast(match, agents)
        self.now = begun(match, self.cast, whole_seed(seed), Time.of(limit, budget))
        self.origin = self.match.start  # start of the cell's own match
        self.counted = counted_rules(self.match.game, count or {})
        self.board = Board(self.match.start, theme=theme, scale=scale, animate=animate)
        self.board.owner = self
        self.steps = Steps(self.board, arrived=self._arrived, touched=self.pause, stepped=self._score, keys=())
        self.steps.page.board_keys = False
        self._turn_story: TurnStory | None = None
        self.work = BackgroundJob(self.board, self.view)
        self.left = notebook_cells.left(Arena, self.match.game, self._read)  # left by an earlier run of this cell
        self._make_controls(speed)
        self.board.on_click(self.board.refuse_click)
        self.board.on_key(self._key)
        self.board.on_gone(self._end)
        self.ending = Ending(theme, animate, partial(explore, theme=theme, animate=animate))
        super().__init__([beside(self.board, self._side(), KEYS), self.ending, self.steps.events])
        self.board.run_alone(self.stand, 0)

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
        self.forward = button("", on(self.step), "One decision forward", "step-forward")
        self.end = button("", on(self.run), "Play to the end", "fast-forward")
        self.slider = widgets.IntSlider(
            0,
            0,
            0,
            description="Decision",
            layout={"flex": "1 1 180px", "min_width": "150px"},
            style={"description_width": "initial"},
        )
        self.slider.observe(on(lambda change: self.stand(change.new - self.now.earlier)), "value")
        self.speed = widgets.Dropdown(
            options=list(MATCH_SPEEDS), value=speed, tooltip="The speed of play", layout={"width": "110px"}
        )
        self.speed.observe(on(lambda _: self._set_pace()), "value")
        self.heading, self.table, self.tally, self.chart = (widgets.HTML() for _ in range(4))
        with_classes(self.heading, "crashlab-question", FAR)
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
        """Return the menu of agents for a seat in the next game."""
        agent = self.cast.get(seat, "random")
        extra = [] if isinstance(agent, str) else [(title(agent), agent)]
        menu = widgets.Dropdown(
            options=[*extra, *((name, name) for name in names(self.match.game))],
            value=agent,
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
            with_classes(part, FAR)
        self.steps.remove_class(FAR)  # in full screen, steps of whole decisions are enough
        return widgets.VBox([with_classes(widgets.HBox(buttons, layout=ROW), "crashlab-row"), self.steps])

    def _side(self) -> widgets.Box:
        """Lay out the controls; parts of varying height go below the buttons, so that the buttons do not move."""
        again = widgets.HBox([self.again, self.seed, self.who], layout=ROW)
        below = [self.heading, self.table, self.tally, self.chart, self.resume]
        return widgets.VBox([self._transport(), again, self.casting, *below])

    @property
    def match(self) -> Match:
        """The current match."""
        return self.now.match

    @property
    def state(self) -> State:
        """The position on the board."""
        return self.now.state

    # Actions of the user

    @alone
    def play_or_pause(self) -> None:
        """Play on from here, or pause; at the end of the match, play it again from its start."""
        if self.work.busy:
            self.pause()
            return
        if self.now.at_end and self._film_over:
            self.stand(0)
        elif not self._film_over:
            self.steps.page.start(self.steps.beat)
        self.work.start(self._think, lambda turn: self._show(turn, goal=None))

    @alone
    def pause(self) -> None:
        """Stop at the current position."""
        self.work.stop()
        self.steps.page.stop()

    def _end(self) -> None:
        """End the work and the agents' processes when the board has left the page."""
        self.pause()
        self.match.close()

    @alone
    def step(self) -> None:
        """Play one decision and show it; a film that is still playing jumps to its end."""
        goal = self.now.place + 1
        self.stand(self.now.place)
        self._expect_more()
        self.work.start(self._think, lambda turn: self._show(turn, goal))

    @alone
    def run(self) -> None:
        """Play to the end, showing positions but no films."""
        self.stand(self.now.place)
        self._expect_more()
        self.work.start(self._think_ahead, self._show_state)

    @alone
    def restart(self) -> None:
        """Start another match with the next seed."""
        match = self.match
        seed = self.seed.value
        own_start = self.origin == match.game.start(match.seed)
        self.now = begun(match.game if own_start else self.origin, self.cast, seed, match.time)
        match.close()  # stops agents that still think about the old match
        self.seed.value = seed + 1
        self.stand(0)

    @alone
    def go_on(self) -> None:
        """Resume the match of an earlier run of this cell."""
        saved = require(self.left, "there is no earlier match to resume")
        self.pause()
        self.now, self.work.thinking = saved.now
        self.left = None
        self.stand(self.now.place)
        if earlier := self.now.earlier:
            note = f"This is decision {earlier}. The decisions before it were played in an earlier kernel and are lost."
            self.board.say_below(note)

    @alone
    def stand(self, place: int) -> None:
        """Stop, and show the position after `place` decisions."""
        self.pause()
        self._move_to(min(max(place, 0), len(self.match.turns)))
        self._load()
        self.steps.go(self.steps.last)
        if not self.now.place:
            self.board.show(self.state.picture())
            self.board.say("The start. Press Play, or go one decision forward.")
        elif self.now.at_end:
            self.board.say(self._ending())

    def _expect_more(self) -> None:
        require(not self.now.at_end, "the game is over: go back, or press 'New game'")

    # Background work

    def _think(self) -> int | None:
        """Play the next decision if needed; return the first beat to show.

        Return None if a film still plays or the game is over.
        """
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
        """Show the next decision once the film of the previous one has ended; return the seconds to wait."""
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
        """Play the film of the next decision from this beat, or show its end if no page can play it."""
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
        """Show the latest position of the match; return the seconds to wait."""
        place = len(self.match.turns)
        if self.match.state.over:
            self.stand(place)
        else:
            self._move_to(place)
            self._arrived()
            self.board.show(self.state.picture())
            self.board.say(f"{counted(self.now.number, 'decision')} played …")
        return 0.02

    # Display

    @property
    def _whole(self) -> bool:
        """Whether turns are shown without their films."""
        return self.speed.value == TURNS or not self.board.animate

    @property
    def _film_over(self) -> bool:
        return self.steps.beat >= self.steps.last

    def _move_to(self, place: int) -> None:
        """Set the number of decisions shown."""
        self.now = replace(self.now, place=place)
        if place:
            self.left = None  # another match has started

    def _cut(self, turn: Turn) -> TurnStory:
        """Return the film of a turn; the last film is cached."""
        if self._turn_story is None or self._turn_story.turns[0] is not turn:
            self._turn_story = story_of([turn])
        return self._turn_story

    def _load(self) -> None:
        """Load the events and beats of the last decision."""
        self.steps.load(self._cut(self.match.turns[self.now.place - 1]) if self.now.place else None)
        self.view()

    def _arrived(self) -> None:
        """Record that the last beat of a decision is on the board."""
        self.now = replace(self.now, latest=max(self.now.latest, self.now.place))
        self.view()

    @property
    def _done(self) -> int:
        """The number of decisions whose films have ended on the board."""
        return self.now.place if self._film_over else self.now.place - 1

    def view(self) -> None:
        """Update all controls, without revealing what the film has not shown yet."""
        place, turns, first = self.now.place, self.match.turns, self.now.earlier
        last = first + max(len(turns), 1)
        self.play.description, self.play.icon = ("Pause", "pause") if self.work.busy else ("Play", "play")
        self.slider.max = max(last, self.slider.max)  # the maximum must never be below the minimum
        self.slider.min, self.slider.max, self.slider.value = first, last, first + place
        show(self.casting, self.who.value)
        show(self.resume, self.left)
        show(self.steps.events, True, place and self.steps.turn is turns[place - 1])
        self.heading.value = self.board.headline(self._heading(), 16)
        self.ending.tell(turns if self.state.over and self._film_over else ())
        self._score()
        self.chart.value = drawing(self.curves(), self.board)

    def _score(self) -> None:
        """Update the scores and the counts of events to the beat that the board shows."""
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
        """Return a table of the players and their scores, as HTML."""
        colours = self.board.page.colours
        rows = []
        for seat, score in enumerate(self._moment.scores):
            paint = self._paint(seat)
            swatch = (
                f"background: {colours[paint]}; color: {colours[f'{paint} ink']}; border-radius: 5px;"
                " padding: 0 8px; font-weight: 700"
            )
            out = " (forfeited)" if seat in self.match.forfeits else ""
            player = element("td", element("span", self.match.game.seat_name(seat), style=swatch))
            agent = element("td", f"{self.now.names[seat]}{out}", style="padding: 2px 12px 2px 8px")
            rows.append(
                element("tr", player, agent, element("td", element("b", str(score)), style="text-align: right"))
            )
        return element("table", *rows, style=f"{self._text_style}; margin: 4px 0")

    @property
    def _moment(self) -> State:
        """The position on the board or, while a film is unfinished, the state at its current beat."""
        turn_story = self.steps.turn_story
        return self.state if self._film_over or turn_story is None else turn_story.at(self.steps.beat)

    def counts(self) -> dict[str, int]:
        """Return, by label, how often the counted events have happened up to the beat on the board."""
        rows = [row for turn in self.match.turns[: self._done] for row in turn.rows]
        if self._done < self.now.place and self.steps.turn_story:  # the film of the next decision has reached this beat
            _, last = self.steps.turn_story.end(self.steps.beat)
            rows += [row for row in self.match.turns[self._done].rows if row.beat <= last]
        is_counted_by_notes = [bool(rule.numbers) for rule in self.match.game.rulebook]
        citations = Counter(row.rule for row in rows if (row.field == NOTE) == is_counted_by_notes[row.rule])
        return {label: sum(citations[rule] for rule in rules) for label, rules in self.counted.items()}

    def _tally(self) -> str:
        counts = [joined([f"{label}: ", element("b", str(number))]) for label, number in self.counts().items()]
        return element("div", joined(counts, " &nbsp; "), style=self._text_style) if counts else ""

    @property
    def _text_style(self) -> str:
        return f"font-size: {round(15 * self.board.scale)}px; line-height: 1.4"

    def _paint(self, seat: int) -> str:
        """Return the colour of a seat on the board."""
        return str(self.match.game.render.seat_paint(self.match.start.table, seat))

    def repaint(self) -> None:
        """Redraw the table and the curves in the board's colours."""
        self.view()

    def curves(self) -> Picture:
        """Draw the score of every seat after each decision shown."""
        game = self.match.game
        scores = [self.now.after(place).scores for place in range(self.now.latest + 1)]
        lines = [Curve(game.seat_name(seat), self._paint(seat), [row[seat] for row in scores]) for seat in game.seats]
        mark = self._done if self._done < self.now.latest else None
        return curves(lines, max(self.now.latest, 10), title="Score", across="decisions", mark=mark, bases=[0])

    def _tell_forfeits(self) -> None:
        """Pause at a forfeit that has not been reported yet, and report it."""
        new = [seat for seat in self.match.forfeits if seat not in self.now.forfeited]
        if new:
            self.now = replace(self.now, forfeited=(*self.now.forfeited, *new))
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

    def done(self) -> notebook_cells.SavedWork | None:
        """Return the match with the lock of its background work, or None if none of it was shown."""
        words = f"decision {self.now.number}; {status_words(self.state)}"
        return (
            notebook_cells.SavedWork((self.now, self.work.thinking), self.match.game, words)
            if self.now.latest
            else None
        )

    def kept(self) -> dict[str, Any] | None:
        """Return the position on the board, or None if the match has been neither started nor resumed."""
        if not self.now.place and not self.now.latest and self.match.start == self.origin:
            return None
        words = f"{self._title()} {self.state.text}"
        return {"words": words, "position": self.state.text, "decision": self.now.number}

    def _read(self, saved: Any) -> notebook_cells.SavedWork:
        """Return, as work to resume, a match of the same agents from the saved position."""
        state = self.match.game.read(saved["position"])
        earlier = whole("decision", saved.get("decision", 0), least=0)
        first = replace(begun(state, self.cast, self.match.seed, self.match.time), earlier=earlier)
        return notebook_cells.SavedWork(
            (first, self.work.thinking), state.game, f"decision {earlier}; {status_words(state)}"
        )

    def still(self) -> tuple[Picture, str]:
        """Return the picture of the position, and words that name the players."""
        picture = self.state.picture()
        return picture, f"{self._title()} {picture.words}"

    def _title(self) -> str:
        game = self.match.game
        names = ", ".join(f"{game.seat_name(seat)} {self.now.names[seat]}" for seat in game.seats)
        return f"Arena of {game.title}: {names}."


def cast(match: object, agents: Agents | None) -> dict[int, str | Agent]:
    """Return the agents by seat: the given agents, else the agents of the match, else "random"."""
    if not isinstance(match, Match | Game | State):
        raise CrashlabError(f"an Arena shows a Match, a Game or a State, not {short_repr(match)}")
    game = match if isinstance(match, Game) else match.game
    defaults = match.agents if isinstance(match, Match) else dict.fromkeys(game.seats, "random")
    return {**defaults, **by_seat(game, agents)}


def begun(match: Match | Game | State, agents: Mapping[int, str | Agent], seed: int, time: Time) -> MatchShown:
    """Return the match to watch, none of it shown yet."""
    game = match if isinstance(match, Game) else match.game
    playing = {seat: for_one_game(agent, seed + seat) for seat, agent in agents.items()}  # reproducible by seed
    names = {seat: title(agents[seat]) if seat in agents else "nobody" for seat in game.seats}
    if isinstance(match, Match):
        sitting = match.agents  # unchanged agents keep their random state
        sitting.update({seat: agent for seat, agent in playing.items() if sitting.get(seat) is not agents[seat]})
        match.time = time or match.time
        return MatchShown(match, names)
    return MatchShown(Match(match, playing, seed, forfeits=True, limit=time.limit, budget=time.budget), names)


def drives(turn: Turn) -> bool:
    """Return whether a piece moves in a turn; if there is a map, only moves on the map count."""
    pictures = (turn.at(beat).picture() for beat in range(turn.beats + 1))
    return any(goes(before, after) for before, after in pairwise(pictures))


def goes(before: Picture, after: Picture) -> bool:
    """Return whether a piece of both pictures has moved on an unchanged map."""
    if before.map != after.map:
        return False
    at = {piece.key: (piece.x, piece.y) for piece in before.pieces}
    movers = [piece for piece in after.pieces if at.get(piece.key, (piece.x, piece.y)) != (piece.x, piece.y)]
    return any(after.map is None or after.map.holds(piece.x, piece.y) for piece in movers)


def counted_rules(game: Game, count: Mapping[str, str | Sequence[str]]) -> dict[str, tuple[int, ...]]:
    """Return the indexes of the counted rules in the rulebook, by label."""
    if not isinstance(count, Mapping):
        raise CrashlabError(f"count={short_repr(count)}: give a dict, as in {{'crashes': {game.rulebook[0].id!r}}}")
    numbers = {rule.id: number for number, rule in enumerate(game.rulebook)}
    by_label = {}
    for label, value in count.items():
        rules = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, Sequence) else (value,)
        for rule in rules:
            require(
                isinstance(rule, str) and rule in numbers,
                f"count: {game.name} has no rule {short_repr(rule)}; its rules are {', '.join(numbers)}",
            )
        by_label[str(label)] = tuple(numbers[rule] for rule in rules)
    return by_label


def title(agent: str | Agent) -> str:
    """Return the name of an agent."""
    return agent if isinstance(agent, str) else called(agent)


def won(match: Match) -> str:
    """Name the winners of a match in a sentence."""
    names = [match.game.seat_name(seat) for seat in match.winners]
    return f"{' and '.join(names)} {'wins' if len(names) == 1 else 'win'}." if names else "Nobody wins."
