"""Matches: games in progress with agents at the seats, undo and redo, and a readable record verified by replay.

An agent is a function `(view, seat) -> action`, or the name of one; the action may be notation.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from crashlab.agents import Agent, Agents, seated
from crashlab.base import files
from crashlab.base.clock import Clock, Time, TimeIsUp, can_be_stopped
from crashlab.base.errors import (
    CrashlabError,
    integer,
    printable,
    require,
    short_repr,
    short_str,
    truncate,
    truth,
    whole,
)
from crashlab.drawing import player
from crashlab.drawing.film_json import Document
from crashlab.engine import turn_film
from crashlab.engine.chance import Random, whole_seed
from crashlab.engine.game import Action, Game, State, Turn
from crashlab.engine.house_rules.check import house_of
from crashlab.engine.notation import counted
from crashlab.engine.table import CHANCE
from crashlab.games import game
from crashlab.play.process_agent import Closed, Failed, ProcessAgent
from crashlab.play.summary import Summary

KEYS = ("crashlab", "game", "options", "rules", "seed", "start", "actions", "forfeits", "end")
OPTIONAL = {"rules", "start", "forfeits"}
NO_ANSWER = "it must return an action"  # even where None is an action, as a function without `return` returns None


def check_start(start: object, what: str, may_be_over: bool = False) -> None:
    """Raise CrashlabError unless `start` is a game or a playable state; `may_be_over` also allows the end of a game."""
    if not isinstance(start, Game | State):
        raise CrashlabError(f"{what} starts from a game or a state, not from {type(start).__name__}")
    if isinstance(start, State) and (start.closed or start.over and not may_be_over):
        raise CrashlabError(f"this state cannot be played: {start.closed or 'the game is over'}")


def recorded_rules(game: Game) -> dict[str, Any]:
    """Return the record of a game: its name, its options, and the user's own rules as source."""
    from importlib.metadata import version

    rules = {"rules": game.house.to_dict()} if game.house else {}
    return {"crashlab": version("crashlab"), "game": game.book, "options": game.options, **rules}


def answer(agent: Agent, state: State, seat: int) -> object:
    """Ask an agent for its action and return it; raise CrashlabError if the agent fails or the action is illegal."""
    name = state.game.seat_name(seat)
    try:
        state.actions(seat)  # listed once, for the view as well
        view = state.seen_by(seat)
        action = agent(view, seat)
        if isinstance(action, Action) and action.state is view:
            action = Action(state, action.seat, action.code)  # protects against changes of the view
        reason = NO_ANSWER if action is None else state.refusal(seat, action)
        words = short_repr(action)
    except (KeyboardInterrupt, Closed):
        raise
    except TimeIsUp as error:
        raise CrashlabError(f"the agent of {name} {error}") from None
    except Failed as error:
        raise CrashlabError(f"the agent of {name} failed: {error}") from error
    except BaseException as error:  # user code can raise anything
        raise CrashlabError(f"the agent of {name} failed: {type(error).__name__}: {short_str(error)}") from error
    require(not reason, f"the agent of {name} answered {words}: {reason}")
    return action


class Match:
    """A game in progress. `agents` is one agent for all seats, or a dict for some; you play the others.

    An agent is a function `(state, seat) -> action`, or the name of a built-in one such as "greedy". An agent that
    fails stops `play` with an error. With `forfeits`, its seat loses instead, whatever its score, and continues at
    random; the reason is in `match.forfeits`.

    limit     seconds for a decision; an agent that takes longer fails
    budget    seconds for all decisions of a seat

    With a limit or a budget, your agents run in separate processes, so that they can be stopped whatever they do (see
    `crashlab.play.process_agent`). They keep their own state, but their changes to anything else, such as global
    variables, do not affect this process. The limits are wall-clock time; built-in agents are compiled beforehand. If
    your agent searches with one of them, call `crashlab.agents.warm(game)` first; otherwise its process must compile.

        >>> match = crashlab.Match(crashlab.game("autoscooter", players=2), {0: "greedy", 1: "random"}, seed=1)
        >>> match.run().scores
        (20, 0)
        >>> match.winners
        (0,)
    """

    def __init__(
        self,
        start: Game | State,
        agents: Agents | None = None,
        seed: int = 0,
        forfeits: bool = False,
        limit: float | None = None,
        budget: float | None = None,
    ) -> None:
        require(
            isinstance(start, Game | State), f"a match starts from a game or a state, not from {type(start).__name__}"
        )
        self.seed = whole_seed(seed)
        self.agents = seated(start if isinstance(start, Game) else start.game, agents, self.seed)
        self._own_start = isinstance(start, Game)
        self.start = start.start(self.seed) if isinstance(start, Game) else start
        self.forfeits: dict[int, str] = {}  # the reason by seat; permanent, even if the decision is undone
        self._may_forfeit = truth("forfeits", forfeits)
        self.time = Time.of(limit, budget)
        self._clocks: dict[int, Clock] = {}
        self._apart: list[ProcessAgent] = []  # agents in separate processes
        self.turns: list[Turn] = []
        self._undone: list[Turn] = []

    @property
    def game(self) -> Game:
        """The game of the match."""
        return self.start.game

    @property
    def state(self) -> State:
        """The current state."""
        return self.turns[-1].after if self.turns else self.start

    @property
    def winners(self) -> tuple[int, ...]:
        """The winning seats; a seat that has forfeited never wins."""
        seats = tuple(seat for seat in self.state.winners if seat not in self.forfeits)
        if seats or not self.state.over:
            return seats
        scores = {seat: self.state.scores[seat] for seat in self.game.seats if seat not in self.forfeits}
        return tuple(seat for seat, score in scores.items() if score == max(scores.values()))

    def play(self, actions: object = None) -> Turn:
        """Play a decision, with your actions and those of agents and chance for all other actors; return the turn."""
        state = self.state
        if state.actors == (CHANCE,):
            turn = state.play() if actions is None else state.play(actions)
        else:
            choices = self._by_seat(state, actions)
            for seat, action in choices.items():
                state.legal_code(seat, action)  # checked before agents draw random numbers
            seats = [seat for seat in state.actors if seat not in choices]
            if absent := [state.game.seat_name(seat) for seat in seats if seat not in self.agents]:
                raise CrashlabError(f"no agent plays {', '.join(absent)}, and no action is given")
            try:
                if self.time:
                    self._get_ready()
                answers = {seat: self._answer(state, seat) for seat in seats}
            except KeyboardInterrupt:
                self.close()
                raise
            turn = state.play({**choices, **answers})
        self.turns.append(turn)
        self._undone.clear()
        if turn.after.over:
            self.close()
        return turn

    def _answer(self, state: State, seat: int) -> object:
        """Return the action of a seat's agent; a random one if the seat has forfeited."""
        if seat not in self.forfeits:
            try:
                return answer(self._ask if self.time else self.agents[seat], state, seat)
            except Closed:
                raise
            except CrashlabError as error:
                if not self._may_forfeit:
                    raise
                self.forfeits[seat] = f"{self.game.seat_name(seat)} forfeits at decision {len(self.turns) + 1}: {error}"
        return Random(self.seed).split(("forfeit", seat, len(self.turns))).choice(state.actions(seat))

    def _ask(self, view: State, seat: int) -> object:
        """Ask the agent of a seat, with its clock running."""
        clock = self._clocks.setdefault(seat, Clock(self.time))
        agent = self.agents[seat]
        clock.time = self.time
        if not can_be_stopped(agent):
            return self._room(agent).ask(view, seat, clock)
        with clock:
            return agent(view, seat)

    def _room(self, agent: Agent) -> ProcessAgent:
        """Return the process of an agent; an agent has one process for all of its seats."""
        if isinstance(agent, ProcessAgent):
            return agent
        for room in self._apart:
            if room.agent is agent:
                return room
        self._apart.append(ProcessAgent(agent))
        return self._apart[-1]

    def _get_ready(self) -> None:
        """Compile searches, and start the processes of agents, before any clock runs."""
        playing = [agent for seat, agent in self.agents.items() if seat not in self.forfeits]
        for agent in playing:
            if can_be_stopped(agent) and not self._clocks:
                getattr(agent, "get_ready", lambda game: None)(self.game)
        for agent in playing:
            if not can_be_stopped(agent):
                self._room(agent).start()

    def close(self) -> None:
        """End the processes of the agents; if the match continues, they start again.

        The end of the match does this automatically.
        """
        rooms = self._apart
        self._apart = []
        for room in rooms:
            room.close()

    def _by_seat(self, state: State, actions: object) -> dict[int, object]:
        if isinstance(actions, Mapping):
            return state.by_seat(actions)
        if actions is None:
            return {}
        yours = [seat for seat in state.actors if seat not in self.agents]
        if not state.over and len(yours) != 1:
            names = ", ".join(map(state.game.seat_name, yours)) or "no seat, because agents play for all"
            raise CrashlabError(f"one action is given, but you play for {names}; give a dict {{seat: action}}")
        return dict.fromkeys(yours, actions)

    def run(self, decisions: int | None = None) -> State:
        """Let the agents play to the end, or at most `decisions` decisions; return the state then."""
        if decisions is not None:
            decisions = whole("decisions", decisions, least=0, more=", or nothing for the whole game")
        count = 0
        while not self.state.over and count != decisions:
            self.play()
            count += 1
        return self.state

    def undo(self) -> State:
        """Take the last decision back, and return the state before it."""
        require(self.turns, "there is nothing to undo: the match is at its start")
        self._undone.append(self.turns.pop())
        return self.state

    def redo(self) -> State:
        """Play again the decision that was taken back last, and return the state after it."""
        require(self._undone, "there is nothing to redo")
        self.turns.append(self._undone.pop())
        return self.state

    def summary(self) -> Summary:
        """Return a summary of the match: the result, the curves of the scores, and the highlights."""
        return Summary(self.turns, self.winners, self.forfeits)

    def to_dict(self) -> dict[str, Any]:
        """Return the record: game, options, your own rules as source, seed, start, actions in notation, and end."""
        record = {**recorded_rules(self.game), "seed": self.seed}
        if not self._own_start:
            record["start"] = self.start.to_dict()
        record["actions"] = [
            {self.game.seat_name(seat): str(action) for seat, action in turn.actions.items()} for turn in self.turns
        ]
        if self.forfeits:
            record["forfeits"] = {self.game.seat_name(seat): reason for seat, reason in self.forfeits.items()}
        record["end"] = self.state.text
        return record

    def film(self) -> Document:
        """Return the match as a JSON document for any film player: shapes, beats, words, and the rule of each event."""
        require(self.turns, "there is nothing to film: no decision has been played yet")
        return turn_film.story_of(self.turns).document(f"{self.game.title}: {counted(len(self.turns), 'decision')}")

    def save(self, path: str | Path) -> None:
        """Save the record as readable JSON or, if the path ends in .html, the film, which plays in any browser."""
        path = files.whole_path(path)
        kind = path.suffix.lower()
        if kind == ".html":
            files.write(path, player.page(self.film()).encode())
            return
        require(
            kind not in (".gif", ".png", ".svg", ".pdf"),
            f"{truncate(str(path))}: a match is saved as .json or .html; save one of its turns for a picture",
        )
        record = self.to_dict()
        lines = ",\n  ".join(json.dumps(actions) for actions in record["actions"])
        record["actions"] = ["@"]
        text = json.dumps(record, indent=1, ensure_ascii=False).replace('"@"', lines if lines else "", 1)
        files.write(path, f"{text}\n".encode("utf-8", "backslashreplace"))

    @classmethod
    def load(cls, path: str | Path, game: Game | None = None) -> Match:
        """Load the match of a record and replay it; raise CrashlabError if it does not end as recorded.

        The source of your own rules in the record is never run. To load a match played by such rules, pass the game
        with them: `Match.load(path, game=mine)`.
        """
        path = files.whole_path(path)
        where = truncate(str(path))
        try:
            record = json.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise CrashlabError(f"{where}: cannot be read: {error.strerror}") from error
        except (ValueError, RecursionError) as error:
            raise CrashlabError(f"{where}: this is not a record of a match, because it is not JSON: {error}") from error
        return cls.from_dict(record, where, game)

    @classmethod
    def from_dict(cls, record: object, where: str = "record", game: Game | None = None) -> Match:
        """Build the match of a record by replay; see `load`."""
        if not isinstance(record, dict) or not set(KEYS) - OPTIONAL <= set(record) <= set(KEYS):
            raise CrashlabError(f"{where}: this is not a record of a match; a record has the parts {', '.join(KEYS)}")
        if not isinstance(record["options"], dict) or not isinstance(record["actions"], list):
            raise CrashlabError(f"{where}: options must be a dict, and actions must be a list")
        if wrong := [name for name in record["options"] if not isinstance(name, str)]:
            raise CrashlabError(f"{where}: the name of an option must be text, not {short_repr(wrong[0])}")
        if integer(record["seed"]) is None:
            raise CrashlabError(f"{where}: the seed {short_repr(record['seed'])} is not a whole number")
        try:
            rules = recorded(record, game)
            match = cls(rules.read(record["start"]) if "start" in record else rules, seed=record["seed"])
        except CrashlabError as error:
            raise CrashlabError(f"{where}: {error}") from None
        seats = {match.game.seat_name(seat): seat for seat in match.game.seats}
        names = {**seats, match.game.seat_name(CHANCE): CHANCE}
        for number, actions in enumerate(record["actions"], 1):
            require(
                isinstance(actions, dict) and set(actions) <= set(names),
                f"{where}, decision {number}: {short_repr(actions)} is not a dict of actions by seat",
            )
            try:
                match.turns.append(match.state.play({names[name]: action for name, action in actions.items()}))
            except CrashlabError as error:
                raise CrashlabError(f"{where}, decision {number}: {error}") from None
        forfeits = record.get("forfeits", {})
        is_table = isinstance(forfeits, dict) and set(forfeits) <= set(seats)
        require(
            is_table and all(isinstance(reason, str) for reason in forfeits.values()),
            f"{where}: forfeits must be a dict of reasons by seat, not {short_repr(forfeits)}",
        )
        match.forfeits = {seats[name]: printable(reason) for name, reason in forfeits.items()}
        require(
            isinstance(record["end"], str) and match.state.text == record["end"],
            f"{where}: the actions do not lead to the recorded end. The record is from crashlab"
            f" {short_str(record['crashlab'])}, or was changed by hand. They lead to: {match.state.text}",
        )
        return match

    def __repr__(self) -> str:
        return f"<Match of {self.game.title}: {counted(len(self.turns), 'decision')}, scores {self.state.scores}>"


def recorded(record: dict[str, Any], candidate: Game | None) -> Game:
    """Return the game of a record; a game with the user's own rules must be passed as `candidate`, and is checked."""
    require(
        candidate is None or isinstance(candidate, Game),
        f"game={short_repr(candidate)}: give the game that was played, such as the result of game.with_rules(...)",
    )
    rules = record.get("rules")
    if rules is None and candidate is None:
        return game(record["game"], **record["options"])
    if rules is not None:
        texts = house_of(rules)
        if candidate is None:
            raise CrashlabError(
                f"it was played by house rules ({texts.words}). Their source is in the file, but loading never runs it:"
                " read it, and pass the game that has these rules, as in Match.load(path, game=mine)"
            )
        if other := texts.difference(candidate.house):
            raise CrashlabError(f"it was played by different rules from the given game: {other}")
    assert candidate is not None
    if rules is None and candidate.house:
        raise CrashlabError(f"it was played by the book, but the given game has {candidate.house.words}")
    if (candidate.book, candidate.options) != (record["game"], record["options"]):
        raise CrashlabError(f"it is a match of {record['game']} with {record['options']}, not of {candidate!r}")
    return candidate
