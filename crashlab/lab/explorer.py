"""A position to explore: plan for every seat, let agents plan, step through the events, undo.

The whole state of an explorer is one `ExplorerState`. A callback replaces it and never mutates it. The states form a
chain, along which undo and redo move. After an error nothing has changed.
"""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import ipywidgets as widgets
from ipywidgets.widgets.widget_bool import CheckboxStyle, ToggleButtonStyle
from ipywidgets.widgets.widget_description import DescriptionStyle
from ipywidgets.widgets.widget_selection import ToggleButtonsStyle
from ipywidgets.widgets.widget_string import TextStyle

from crashlab.agents import Agent, Agents, random, seated
from crashlab.agents.ladders import strongest
from crashlab.agents.minimax import unfit
from crashlab.base.errors import CrashlabError, expect, require
from crashlab.drawing.canvas import Shapes
from crashlab.drawing.html import element
from crashlab.drawing.shapes import Picture, Piece
from crashlab.drawing.styles import LEADING
from crashlab.drawing.tween import BRISK
from crashlab.engine.game import State, Turn, edited
from crashlab.engine.notation import counted, together
from crashlab.engine.table import CHANCE
from crashlab.engine.turn_film import story_of
from crashlab.games import toolkit
from crashlab.lab import choice_letters, notebook_cells
from crashlab.lab.action_chooser import ActionChooser
from crashlab.lab.advice import SECONDS, Advice, advice, called, tags
from crashlab.lab.board import FAR, PAIRS, Board, button, column, html, piece_at, status_words
from crashlab.lab.editor import Editor
from crashlab.lab.explorer_history import REST, ExplorerState, SeatPlan, fresh
from crashlab.lab.jobs import AwaitedJob
from crashlab.lab.page_module import Look, shared, show
from crashlab.lab.playback import Targets, alone
from crashlab.lab.review_panel import Ending, turns_of
from crashlab.lab.single_choice import SingleChoice
from crashlab.lab.stepper import Steps, beside, quoted

KEYS = (
    "arrows choose, Enter takes the choice and goes on, Backspace undoes, c and C go to crashes, any other key ends a"
    " film, and + and − set its speed; Tab leaves"
)
YOURS = "yours"
TELLS_ALL = "The text of a position shows what is secret: untick 'hide secrets' first"
STRENGTHS = {
    "random": "the weakest",
    "greedy": "fair, looks a little ahead",
    "flat": "good, tries every action often",
    "mcts": "strong, tries good actions most",
    "alphabeta": "strong, looks at every reply",
    "expectimax": "strong, looks at every reply and chance event",
}
BY_TURNS = "alphabeta", "expectimax"  # only for two seats that take turns without hidden information
TYPE = "or type an action"
BEHIND_MORE = {  # Controls that are created when they are first needed.
    *("action", "finish", "redo_button", "advise", "result", "anew", "again", "settings", "write", "edit", "folds"),
    *("you", "who", "acts", "hides", "playing", "text", "set_up", "written", "editor"),
}
ALL = "all"  # the role of playing every seat (a menu would show nothing for None)


class Explorer(ActionChooser):
    """A position to explore. `agents` is one agent for all seats, or a dict by seat; an agent is a function or a name.

    With `you` you take one seat, by its letter or its number. Agents play the others as soon as you have decided, and
    their secrets are hidden from you. Without `you`, you may play every seat: a seat is yours from your first choice
    for it until you let an agent choose for it. "Agents play on" continues until something has moved or a seat of yours
    must decide; it never decides for you.

    `KEYS` lists the keys on the board.

    `explorer.state` is the current position, `explorer.turn` the turn that led to it.

        >>> explorer = Explorer(crashlab.game("autoscooter", players=2).start(seed=7), "greedy", you="A")
        >>> explorer.state.actors
        (0, 1)
    """

    now: ExplorerState
    children: Any

    def __init__(
        self,
        state: State,
        agents: Agents | None = None,
        *,
        you: int | str | None = None,
        theme: str | None = None,
        scale: float | None = None,
        animate: bool = True,
    ) -> None:
        expect(state, State, "an Explorer shows a State")
        self.user_agents = seated(state.game, agents)
        self.agents: dict[int, Agent] = dict.fromkeys(state.game.seats, random(0)) | self.user_agents
        seats = frozenset() if you is None else frozenset({state.game.seat(you)})
        self.now = fresh(state, seats, seats, seats)
        self.left = notebook_cells.left(Explorer, state.game, self._read)  # left by an earlier run of this cell
        self._games = 0  # number of new games started
        self._advised: tuple[State, int | None] | None = None  # the position and seat of the advice
        self._advice = Advice()
        self.board = Board(self.now.offers.seen, theme=theme, scale=scale, animate=animate, follows=True)
        self.board.owner = self
        invisible = Look(visibility="hidden")
        with self.board.page.hold_sync():
            self.board.page.board_keys = False
            self.steps = Steps(self.board, arrived=self._arrived, brisk=BRISK, keys=("c", "C"), layout=invisible)
        self._make_controls()
        self.board.on_click(self._click)
        self.board.zoomed = self._resize
        self.board.on_key(self._key)
        self.ending = Ending(theme, animate, partial(explore, theme=theme, animate=animate))
        super().__init__([beside(self.board, self.side, KEYS), self.ending, self.steps.events])
        self.board.run_alone(self.refresh)
        self.board.guard(self._begin)()

    def _make_controls(self) -> None:
        """Create the controls that are visible at first."""
        absent = {"layout": shared(width="auto", display="none"), "_dom_classes": (FAR,)}
        self.heading = html("crashlab-question", FAR)
        style = shared(ToggleButtonsStyle, button_width="auto")
        self.seats = widgets.ToggleButtons(style=style, layout=shared(display="none"))
        self.seats.observe(self.board.guard(lambda change: self.ask(change.new)), "value")
        self.picker = SingleChoice(self.board, self.choose, self._point)
        self.advice = html("crashlab-more")
        self.awaited = AwaitedJob(self.board)
        self.resume = self._resume("Go on with the game you left", self.go_on)
        self.final = column()
        self.undo_button = self._button(
            "Undo", self.undo, "Take the last step back", "undo", once=False, disabled=True, _dom_classes=(FAR,)
        )
        self.ask_best = self._button("Ask", self.suggest, "Ask the strongest agent what is best here", "lightbulb-o")
        self.more = self._fold(
            "More",
            "ellipsis-h",
            lambda: self.show_more(self.more.value),
            tooltip="Let agents play on, redo, type an action, choose who plays, copy or edit the position",
        )
        self.play = self._button("Run", self.run, "Carry out the plans", "check", **absent)
        self.fill = self._button(REST, self.agents_plan, "Let agents plan for every seat that has no plan", **absent)
        self.round = self._button(
            "Agents play on",
            self.run_round,
            "Keep your plans, let agents choose for the other seats, and go on"
            " until something moves or one of your seats has to decide",
            "forward",
            **absent,
        )
        buttons = [self.undo_button, self.ask_best, self.more, self.play, self.fill, self.round]
        self.grid = widgets.GridBox(buttons, layout=shared(**PAIRS), _dom_classes=("crashlab-row",))
        # Parts that appear and disappear are above the buttons, so that the buttons do not move.
        foot = column(self.awaited, self.grid, self.steps, names=("crashlab-foot",))
        self.side = column(self.heading, self.final, self.seats, self.picker.menu, self.advice, self.resume, foot)

    def _make_more(self) -> None:
        """Create the controls behind More, and those for the end of a game."""
        on = self.board.guard
        self.action = widgets.Text(
            placeholder=TYPE,
            continuous_update=False,
            layout=shared(width="auto"),
            style=shared(TextStyle),
            tooltip="An action in notation; a forbidden one shows the rules that forbid it",
        )
        self.action.observe(on(lambda change: self.write_action(change.new)), "value")
        self.finish = self._button(
            "Finish the round",
            self.finish_round,
            "Let agents choose for you as well until this round or turn is over; they skip optional choices",
            "fast-forward",
        )
        self.redo_button = self._button("Redo", self.redo, "Do it again", "repeat", once=False)
        self.advise = self._button(
            "Ask this agent", self.explain, "Ask the agent of this seat what it thinks of each choice"
        )
        self.result = html()
        self.anew = self._button("New game", self.new_game, "A new game from a new start", "plus")
        self.again = self._button(
            "Play it again from here", self.play_again, "Go back to the first position; Redo returns", "undo"
        )
        self.settings = self._fold("Who plays", "users", self.refresh)
        self.write = self._fold("The position as text", "file-text-o", self.refresh)
        self.edit = self._fold("Change the position", "pencil", self.refresh)
        self.folds = widgets.HBox([self.settings, self.write, self.edit], layout=shared())
        fit = shared(width="auto")
        tick = {"indent": False, "layout": fit, "style": shared(CheckboxStyle)}
        menu = {"layout": fit, "style": shared(DescriptionStyle)}
        self.you = widgets.Dropdown(options=self._roles(), tooltip="Your seat", **menu)
        self.who = widgets.Dropdown(options=self._players(), tooltip="The agents that plan", **menu)
        self.acts = widgets.Checkbox(
            True,
            description="a click plays",
            **tick,
            tooltip="If nobody else decides at the same time, your choice is played at once; Undo takes it back",
        )
        self.hides = widgets.Checkbox(
            False,
            description="hide secrets",
            **tick,
            tooltip="Show only what you may know: neither the plans nor the hands of the others",
        )
        self.you.observe(on(lambda change: self.be(None if change.new == ALL else change.new)), "value")
        self.who.observe(on(lambda change: self.seat_agents(change.new)), "value")
        self.hides.observe(on(lambda change: self.hide(change.new)), "value")
        self.playing = widgets.HBox([self.you, self.who, self.acts, self.hides], layout=shared(flex_flow="row wrap"))
        self.text = widgets.Textarea(
            rows=4, tooltip="The position: copy it, or paste one", layout=fit, style=shared(TextStyle)
        )
        self._copied = ""  # the position last written into the field, which may have been changed since
        self.set_up = self._button("Set up this position", self.paste, "Read the text above")
        self.written = column(self.text, self.set_up)
        self.editor = Editor(self.board, self.edited, self._draw)
        folds = self.folds, self.playing, self.written, self.editor
        self.children = (*self.children[:-1], *folds, self.children[-1])
        self.grid.children += (self.finish, self.redo_button, self.advise)
        above, below = self.side.children[:4], self.side.children[4:]
        self.side.children = (*above, self.action, *below)
        self._view_more()

    def __getattr__(self, name: str) -> Any:
        if name in BEHIND_MORE and not self.closed:
            with self.board.lock:
                if name not in vars(self):
                    self.board.run_alone(self._make_more)
            return vars(self)[name]
        return super().__getattr__(name)

    def _button(
        self, words: str, react: Callable[[], object], tooltip: str, icon: str = "", **options: Any
    ) -> widgets.Button:
        return button(words, self.board.guard(react), tooltip, icon, **{"once": True, **options})

    def _fold(self, words: str, icon: str, react: Callable[[], object], **options: Any) -> widgets.ToggleButton:
        look = {"layout": shared(width="auto"), "style": shared(ToggleButtonStyle)}
        toggle = widgets.ToggleButton(description=words, icon=icon, **look, **options)
        toggle.observe(self.board.guard(lambda _: react()), "value")
        return toggle

    @property
    def moment(self) -> ExplorerState:
        """The current state of the explorer."""
        return self.now

    @property
    def state(self) -> State:
        """The current position."""
        return self.now.state

    @property
    def turn(self) -> Turn | None:
        """The turn that led to the current position, or None."""
        return self.now.turn

    # Actions of the user

    @alone
    def ask(self, seat: int | None) -> None:
        """Make this the current seat. Its old plan is dropped with its next choice."""
        if seat is not None and seat not in self.state.actors:
            raise CrashlabError(f"{self.state.game.seat_name(seat)} has nothing to decide now")
        self.now = replace(self.now, seat=seat)
        self.refresh()

    @alone
    def choose(self, index: int) -> None:
        """Take the choice with this index for the current seat."""
        if self.now.seat is None or index >= len(self.now.choices):
            raise CrashlabError("there is nothing to choose now: pick a seat first, with a click or the buttons")
        super().choose(index)

    def _plan(self, plan: SeatPlan) -> None:
        """Set the plan of the current seat, and play it if it completes the decision and 'a click plays' is ticked."""
        seat = self.now.seat
        assert seat is not None
        after = self.now.planned(seat, plan)
        if not (after.decided and ("acts" not in vars(self) or self.acts.value)):
            self._become(after)
        elif seat == CHANCE:
            self._become(after.played())
        else:
            self._play_on(after, ExplorerState.is_yours if after.you else ExplorerState.is_anybodys)

    @alone
    def write_action(self, words: str) -> None:
        """Plan a written action for the current seat; for a forbidden action, show the rules that forbid it."""
        seat = self.now.seat
        words = words.strip()
        if not words:
            return
        if seat is None:
            raise CrashlabError("everything is planned: press Run, or pick a seat to plan for again")
        if reason := self.state.refusal(seat, words):
            ids = set(re.findall(r"[\w-]+", reason))
            self.advice.value = "".join(quoted(rule) for rule in self.state.game.rulebook if rule.id in ids)
            self._advised, self._advice = (self.state, seat), Advice()
            is_read = not reason.startswith("cannot read")
            raise CrashlabError(
                f"{self.state.game.seat_name(seat)} cannot play '{words}': {reason}" if is_read else reason
            )
        self._plan(SeatPlan((words,), (), words))

    @alone
    def agents_plan(self) -> None:
        """Let agents choose for the seats without a plan; these seats are then no longer yours."""
        yours = self.now.yours.difference(self.now.missing) | self.now.you

        def become(after: ExplorerState) -> None:
            self._become(replace(after, yours=yours))

        self._ask_agents("The agents plan", partial(self.now.filled, self.agents), become)

    @alone
    def seat_agents(self, name: str) -> None:
        """Let agents of this name play all seats, or the original agents if the name is YOURS."""
        if name != YOURS:
            self.agents = seated(self.state.game, name)
        else:
            self.agents = dict.fromkeys(self.state.game.seats, random(0)) | self.user_agents
        self.advice.value = ""
        self.board.say(f"From now on {name} plans for all seats." if name != YOURS else "Your agents plan again.")

    @alone
    def explain(self) -> None:
        """Show what the agent of the current seat thinks of its choices."""
        self._ask(self.agents.get(self.now.seat or 0))

    @alone
    def suggest(self) -> None:
        """Show the choice of the strongest agent of this game, after a second or two."""
        self._ask(strongest(self.state.game, SECONDS))

    def _ask(self, agent: Agent | None) -> None:
        seat = self.now.seat
        if seat is None or seat == CHANCE or agent is None:
            raise CrashlabError("there is nobody to ask: pick a seat first, with a click or the buttons")
        what = f"{called(agent)} thinks for {self.state.game.seat_name(seat)}"
        self._ask_agents(what, partial(advice, agent, self.state, seat), self._show_advice)

    def _show_advice(self, advice: Advice) -> None:
        """Show an agent's advice: its action and the values of the best choices on the board, its report beside it."""
        self.advice.value = advice.table
        self._advised = self.state, self.now.seat
        self._advice = advice
        self._draw()
        self.board.say(f"{advice.words}\n{self._words()}".strip())

    @alone
    def run(self) -> None:
        """Play the planned actions."""
        self._become(self.now.played())

    @alone
    def run_round(self) -> None:
        """Play on with the agents until your next decision; without `you`, also until something moves."""
        after = self.now
        if after.waiting:
            raise after.unplanned(after.waiting)
        self._play_on(after, ExplorerState.is_yours if after.you else ExplorerState.is_news)

    @alone
    def finish_round(self) -> None:
        """Finish this round, or turn: agents also choose for you, and skip optional choices."""
        enough = partial(ExplorerState.is_next_round, rounds=self.now.offers.rounds)
        self._play_on(self.now, enough, self.now.you or frozenset(self.state.game.seats))

    def _play_on(
        self, after: ExplorerState, enough: Callable[[ExplorerState], bool], sparing: frozenset[int] = frozenset()
    ) -> None:
        """Play the plans, then let agents play until enough(moment); `sparing` seats skip optional actions."""
        self._ask_agents("The agents plan", partial(after.played_on, self.agents, enough, sparing), self._become)

    def _ask_agents(self, what: str, think: Callable[[], Any], then: Callable[[Any], object]) -> None:
        """Run `think` in the background with a progress message, and pass its result to `then`."""
        self.awaited.start(what, think, then)

    @alone
    def be(self, seat: int | None) -> None:
        """Take a seat, or all seats for None; agents play the others and keep their secrets from you."""
        you = frozenset() if seat is None else frozenset({seat})
        self._become(fresh(self.state, you, you, you))
        self._begin()

    @alone
    def new_game(self) -> None:
        """Start a new game of this kind in the same role."""
        self._games += 1
        self._become(self.now.at(self.state.game.start(self._games)))
        self._begin()

    @alone
    def play_again(self) -> None:
        """Return to the first position."""
        first = self.now
        while first.before:
            first = replace(first.before, undone=first)
        self._go(first)
        self._begin()

    def _begin(self) -> None:
        """If you have a seat and the others decide first, let them play; Undo does not count this as a step."""
        now = self.now
        if now.you and now.seat is None and not now.turns and not now.state.over and not self.left:

            def begin(after: ExplorerState) -> None:
                self._go(replace(after, before=now.before, undone=now.undone), after.is_worth_a_film)

            self._ask_agents("The agents begin", partial(now.played_on, self.agents, ExplorerState.is_yours), begin)

    @alone
    def hide(self, hides: bool) -> None:
        """Show only what the seats you play may know, or everything."""
        require(self.now.yours or not hides, "choose your seat first: it determines what is hidden")
        self.now = self.now.seen_by(self.now.yours if hides else frozenset())
        self._tell(self.now.turns)
        self.refresh()

    @alone
    def undo(self) -> None:
        """Undo the last step."""
        self._go(replace(require(self.now.before, "there is nothing to undo"), undone=self.now))

    @alone
    def redo(self) -> None:
        """Redo the last step undone."""
        self._go(require(self.now.undone, "there is nothing to redo"))

    @alone
    def go_on(self) -> None:
        """Resume the game of an earlier run of this cell."""
        earlier, self.left = require(self.left, "there is no earlier game to resume"), None
        self._go(earlier.now)

    @alone
    def paste(self) -> None:
        """Set up the position written in the text field, as text or as JSON."""
        words = self.text.value.strip()
        require(words != self.state.text, "this position is on the board already: change the text, or paste another")
        try:
            position = json.loads(words) if words.startswith("{") else words
        except (ValueError, RecursionError) as error:
            raise CrashlabError(f"the text begins like JSON but cannot be read as JSON: {error}") from None
        self._become(self.now.at(self.state.game.read(position)))

    @alone
    def edited(self, key: str, name: str, value: str) -> None:
        """Change one value of the position, if the game allows it."""
        self._become(self.now.at(edited(self.state, key, name, value)))

    def _become(self, after: ExplorerState) -> None:
        """Go to a moment, and show its turns as a film if anything visible happens in them."""
        is_new = after.turns is not self.now.turns
        self._go(replace(after, before=self.now, undone=None), is_new and after.is_worth_a_film)

    def _go(self, moment: ExplorerState, film: bool = False) -> None:
        self.awaited.cancel()
        self.now = moment
        if moment.turns:
            self.left = None  # another game has started
        if moment.turns != self.steps.turns:
            self._tell(moment.turns)
        film = film and self.board.animate
        self.refresh(draw=not film)
        if film:
            self.steps.start()

    def _tell(self, turns: tuple[Turn, ...]) -> None:
        """Load the film of these turns."""
        self.steps.load(story_of(turns, self.now.offers.seats) if turns else None)

    # Display

    @alone
    def show_more(self, more: bool) -> None:
        """Show or hide the controls behind More."""
        if not more:
            self.settings.value = self.write.value = self.edit.value = False
        self.refresh()

    def refresh(self, draw: bool = True) -> None:
        """Update all controls and, if `draw`, the board; otherwise a film is about to show the position."""
        if self._advised != (self.now.state, self.now.seat):
            self.advice.value = ""
            self._advice = Advice()
            if "action" in vars(self):
                self.action.value = ""
        self._offer()
        if draw:
            self._draw()
            self.board.say(self._words())
        else:
            self.view()

    def view(self) -> None:
        """Set all controls from the moment and the progress of its film; nothing else sets them."""
        now, is_seen, more = self.now, self.steps.seen, self.more.value
        over = is_seen and now.state.over
        style = f"display: block; font-size: {round(16 * self.board.scale)}px; line-height: 1.3"
        self.heading.value = element("b", self._question() if is_seen else "What happens", style=style)
        seats = [(self._seat_words(seat), seat) for seat in now.state.actors]
        several = len(seats) > 1 and not now.you
        show(self.seats, several and not over, is_seen, options=seats, value=now.seat)
        show(self.picker.menu, not over, is_seen)
        show(self.resume, self.left)
        show(self.steps, True, now.turn)
        show(self.steps.events, now.turn)
        self.ending.tell(turns_of(now) if over else ())
        if over or self.final.children:
            self.final.children = self._closing() if over else ()
        self.undo_button.disabled = not now.before
        self.ask_best.disabled = not is_seen or now.seat in (None, CHANCE)
        leading = self.play if now.ready else self.round if now.seat is None else self.fill
        is_begun = is_seen and not over and (now.seat in (None, CHANCE) or bool(now.actions))
        buttons: dict[widgets.Button, dict[str, object]] = {
            self.play: {"disabled": over},
            self.fill: {"disabled": now.ready, "description": now.filling},
            self.round: {"disabled": over, "description": "To my next decision" if now.you else "Agents play on"},
        }
        for part, values in buttons.items():
            leads = is_begun and part is leading
            show(part, leads or more, **values, button_style=LEADING if leads else "")
        if more or "folds" in vars(self):
            self._view_more()

    def _view_more(self) -> None:
        """Set the controls behind More."""
        now, is_seen, more, secret = self.now, self.steps.seen, self.more.value, bool(self.now.offers.seats)
        over = is_seen and now.state.over
        such = f", such as {now.state.actions(now.seat)[0]}" if more and now.seat is not None else ""
        show(self.action, more and not over, is_seen, placeholder=f"{TYPE}{such}")
        show(self.finish, more, disabled=over)
        show(self.redo_button, more, disabled=not now.undone)
        show(self.advise, more, disabled=self.ask_best.disabled)
        show(self.folds, more)
        show(self.playing, self.settings.value)
        show(self.written, self.write.value)
        show(self.editor, self.edit.value)
        self.you.value = next(iter(now.you), ALL)
        self.hides.value = secret
        if self._copied != now.offers.seen.text or not self.write.value:
            self._copied = self.text.value = now.offers.seen.text
        for part in (self.write, self.edit):
            part.disabled, part.tooltip = secret, TELLS_ALL if secret else ""
        self.editor.offer(now.offers.edits if self.edit.value else ())

    def _closing(self) -> tuple[widgets.Widget, ...]:
        """Return the parts shown when a game is over: its summary, and buttons for the next step."""
        review = self.ending.review
        summary = str(review.summary) if review else ""
        self.result.value = element("div", summary, style="line-height: 1.4; white-space: pre-line")
        return self.result, *([review.costs.ask] if review else []), self.anew, self.again

    def _arrived(self) -> None:
        """Show the result of the film that has ended, and the next question."""
        self.view()
        self._show_choices()
        self.board.say(self._words())

    @property
    def _balance(self) -> str:
        """The result of the last turns; empty if nothing moved in them, or once you have planned again."""
        story = self.steps.turn_story
        if story is None or self.now.quiet or self.now.plans or self.now.turns != story.turns:
            return ""
        return f"{story.outcome}.\n" if story.outcome else ""

    @property
    def _editing(self) -> bool:
        """Whether positions are edited; the toggle for it may not have been created yet."""
        return "edit" in vars(self) and bool(self.edit.value)

    def _players(self) -> list[tuple[str, str]]:
        """Return the agents that can play the seats, each with a word for its strength."""
        game, state = self.state.game, self.state
        fits = {name: words for name, words in STRENGTHS.items() if name not in BY_TURNS or not unfit(state)}
        champion = [("the strongest of the ladder", f"{game.name}/champion")] if game.baselines.BASELINES else []
        by_name = [(f"{name}: {words}", name) for name, words in fits.items()]
        return [("your agents", YOURS)] * bool(self.user_agents) + by_name + champion

    def _roles(self) -> list[tuple[str, int | str]]:
        """Return the roles that you can take."""
        game = self.state.game
        return [("you play all seats", ALL), *((f"you are {game.seat_name(seat)}", seat) for seat in game.seats)]

    def _question(self) -> str:
        """Return your role and the current question."""
        game, now = self.state.game, self.now
        if self.state.over:
            return f"The game is over. {toolkit.wins([game.seat_name(seat) for seat in self.state.winners])}."
        you = "".join(f"You are {game.seat_name(seat)}. " for seat in now.you)
        if now.seat is None:
            others = together(game.seat_name(seat) for seat in now.missing)
            return f"{you}{others} {'decides' if len(now.missing) == 1 else 'decide'}." if others else f"{you}Ready?"
        prompt = now.offers.prompt(now.seat, now.begun.words)
        name = "" if now.seat == CHANCE or now.seat in now.you else f"{game.seat_name(now.seat)}. "
        return f"{you}{name}{prompt}{'' if prompt[-1] in '?!.…' else '.'}"

    def _seat_words(self, seat: int) -> str:
        plan = self.now.plans.get(seat, SeatPlan())
        name = self.state.game.seat_name(seat)
        if plan.action is not None:
            is_secret = self.now.offers.seats and seat not in self.now.offers.seats
            return f"{name}: {'planned' if is_secret else plan.action} ✓"
        return f"{name}: {' '.join(plan.words)} …" if plan.words else f"{name}: ?"

    def _words(self) -> str:
        """Return the result of the last decision, the question, and a hint for answering it."""
        now = self.now
        question = f"{self._balance}{self._question()}"
        if self.state.over:
            return question
        if self._editing:
            return self.editor.hint
        if now.seat is None:
            how = "Press Run." if now.ready else f"Press '{self.round.description}'."
            return f"{question} {how}"
        count = len(now.choices)
        if now.seat == CHANCE:
            return f"{question} Press Run, or click one of {count}."
        lead = "Noted. Nothing has moved yet.\n" if now.turns and not now.plans and now.quiet else ""
        role = "" if now.you or now.before or now.plans else " You play all seats."
        return f"{lead}{question}{role} {counted(count, 'choice')}: click one, on the board or in the list."

    def _draw(self) -> None:
        """Draw the position with its choices."""
        self.steps.rest()
        self.view()
        self._show_choices()

    def _look(self) -> None:
        """Point the lens at the choices, or at all pieces while the position is edited."""
        if self._editing:
            picture = self.now.offers.picture
            self.board.look_at(picture, [(piece.x, piece.y) for piece in picture.pieces])
        else:
            super()._look()

    def _above(self, targets: Targets) -> Shapes:
        """Return the marks of the choices, or of the pieces that can be edited."""
        if self._editing:
            return self.editor.mark(self.now.offers.picture, self.board.small)
        return super()._above(targets)

    @property
    def _plans(self) -> dict[int, object]:
        """The plans, with the action just advised for a current seat that has no plan."""
        best, seat = self._advice.best, self.now.seat
        return super()._plans if best is None or seat is None else {seat: best, **super()._plans}

    def _labels(self) -> Shapes:
        """Return labels with the agent's values of the choices."""
        places = [(choice.x, choice.y) for choice in self.now.choices]
        room = partial(choice_letters.room, picture=self.now.offers.picture, lens=self.board.lens)
        return [*tags(self._advice.values(self.now.choices, self._after), self.board.small, places, room)]

    @property
    def _is_open(self) -> bool:
        """Whether choices can be made on the board: it shows the current position and is not being edited."""
        return not self._past and not self._editing

    @property
    def _past(self) -> bool:
        """Whether the board shows an earlier beat, so that nothing can be chosen on it."""
        return self.steps.beat != self.steps.last

    def _click(self, x: float, y: float) -> None:
        if self.steps.page.playing or not self.steps.seen:
            self.refresh()  # any click ends a film
        elif self._past:
            piece = piece_at(self.board.picture, x, y)
            if piece:
                self.board.say(piece.label)
            else:
                self.refresh()
        elif self._editing:
            self.editor.click(x, y)
        elif not self._click_choice(x, y):
            self._click_piece(piece_at(self.board.picture, x, y))

    def _click_piece(self, piece: Piece | None) -> None:
        for seat, key in self.now.offers.subjects.items():
            if piece and key == piece.key:
                if seat == self.now.seat and seat not in self.now.plans:
                    self._key("ArrowRight")  # for a tile to rotate: point at its next choice
                else:
                    self.ask(seat)
                return
        self._miss(piece)

    def _key(self, name: str) -> None:
        if name == "Backspace":
            self.undo()
        elif self._past:
            self.refresh()
        elif name == "Enter" and self.now.seat is None and self.now.missing:
            self.run_round()
        elif name == "Enter" and self.now.ready and self.picker.index is None and not self.state.over:
            self.run()
        elif not self._editing and self.picker.key(name) and name not in ("Enter", " "):
            self._draw()
            how = "Tap it in the list to take it." if self.board.touched else "Enter takes it, Backspace goes back."
            self.board.say(f"{self.picker.words} {how}")

    def done(self) -> notebook_cells.SavedWork | None:
        """Return the history as work that can be resumed; None if nothing has been done."""
        has_history = self.now.before or self.now.undone
        return notebook_cells.SavedWork(self.now, self.state.game, status_words(self.state)) if has_history else None

    def kept(self) -> dict[str, Any] | None:
        """Return the position with all its secrets, your role and the plans; None if nothing has been done."""
        if not self.done():
            return None
        now = self.now
        who = {"you": sorted(now.you), "yours": sorted(now.yours), "hides": bool(now.offers.seats), "seat": now.seat}
        return {"words": titled(now.offers.seen), "position": self.state.text, **who, "plans": now.plans_to_keep}

    def _read(self, saved: Any) -> notebook_cells.SavedWork:
        """Return the saved moment; Undo returns from it to the start."""
        state = self.state.game.read(saved["position"])
        you, yours = (
            frozenset(map(state.game.seat, seats)) for seats in (saved["you"], saved.get("yours", saved["you"]))
        )
        moment = fresh(state, you, you, you if saved["hides"] else frozenset())
        for seat, words, action in saved.get("plans", ()):
            moment = moment.replanned(seat, words, action)
        seat = saved.get("seat", moment.seat)
        if seat not in (None, *state.actors):
            raise LookupError(seat)
        return notebook_cells.SavedWork(
            replace(moment, seat=seat, yours=yours, before=self.now), state.game, status_words(state)
        )

    def still(self) -> tuple[Picture, str]:
        """Return the position's picture and text (before the agents' opening turns, if you have done nothing yet)."""
        state = self.state if self.now.before or not self.now.turns else self.now.turns[0].before
        return state.picture(), titled(state)


def titled(state: State) -> str:
    """Return a position as text, with the name of the panel."""
    return f"Explorer of {state.game.title}: {state.text}"


def explore(state: State, seat: int, theme: str | None, animate: bool) -> Explorer:
    """Create a panel in which a seat plays on from a position, against agents."""
    return Explorer(state, "greedy", you=seat, theme=theme, animate=animate)
