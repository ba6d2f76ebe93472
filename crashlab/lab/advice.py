"""What agents think, in words for the page."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from crashlab.agents import Agent, Thought, Thoughts
from crashlab.base.errors import CrashlabError, told
from crashlab.base.statistics import plus_minus
from crashlab.drawing import primitives
from crashlab.drawing.shapes import Point, Shape
from crashlab.engine.game import State
from crashlab.engine.notation import counted, together
from crashlab.engine.prompts import Choice
from crashlab.engine.table import NOWHERE
from crashlab.play.match import answer

BEST, NEXT = 6, 2  # actions in the table of an agent, and after the best one in words
SECONDS = 1.5  # in which the strongest agent answers
LINE = "line-height: 1.35"
CELL = "text-align: left; padding: 0 14px 0 0"


def worth(thought: Thought | None) -> str:
    """A value in words, with its interval."""
    if thought is None or not thought.visits:
        return "not tried"
    return f"{value(thought)} {plus_minus(thought.half_width, digits(thought))}"


def value(thought: Thought) -> str:
    """A value in words: the same in a table and on the board."""
    return f"{thought.value:+.{digits(thought)}f}".replace("-", "−")


def digits(thought: Thought) -> int:
    """How many digits of a value say something: a third one of a small value that is known that well."""
    return 3 if thought.half_width < 0.01 and abs(thought.value) < 1 else 2


def called(agent: Agent) -> str:
    """The name of an agent."""
    return told(getattr(agent, "__name__", type(agent).__name__))


def one_of(actions: int) -> str:
    """Return what an agent plays that chooses among so many actions at random, in words."""
    return "any action, each equally likely" if actions > 1 else "the only legal action"


@dataclass(frozen=True)
class Advice:
    """What an agent thinks: as a table for the page, and of each action that it has tried."""

    table: str = ""
    known: Mapping[str, Thought] = field(default_factory=dict)  # by the notation of an action
    best: object = None  # the action that it would play
    words: str = ""  # what comes of it, in a sentence

    def values(self, choices: Sequence[Choice], after: Callable[[str], Sequence[Choice]]) -> list[tuple[Point, str]]:
        """The best choices: where they are, and how good; of a beginning, the best action that is one word away.

        Where all choices are as good, there is nothing to say.
        """
        known = [(self._best([one] if one.action else after(one.word)), one) for one in choices if self.known]
        best = [(thought, one) for thought, one in known if thought is not None]
        best = sorted(best, key=lambda pair: -pair[0].value)[:BEST]
        told = [((one.x, one.y), value(thought)) for thought, one in best]
        return told if len({words for _, words in told}) > 1 or len(told) == 1 else []

    def _best(self, choices: Sequence[Choice]) -> Thought | None:
        """What is thought of the best of these actions, as far as they are known."""
        known = [self.known[one.action] for one in choices if one.action in self.known]
        return max(known, key=lambda thought: thought.value, default=None)


def tags(values: Sequence[tuple[Point, str]], small: float, places: Sequence[Point] = ()) -> list[Shape]:
    """Values, the best first, each beside what would be chosen, where it covers no other of these places."""
    shapes: list[Shape] = []
    taken: list[tuple[float, float, float]] = []  # the middles of those that are drawn, and half their widths
    for (x, y), words in values:
        half, y = (9 + 4.2 * len(words)) * small, y - 26 * small
        covered = [at for at in places if abs(x - at[0]) < half + 8 * small and abs(y - at[1]) < 19 * small]
        is_near = any(abs(x - left) < half + other and abs(y - top) < 22 * small for left, top, other in taken)
        if not covered and not is_near:
            taken.append((x, y, half))
            shapes += primitives.ticket((x, y), words, half, 11 * small, 14 * small)
    return shapes


def advice(agent: Agent, state: State, seat: int) -> Advice:
    """Return what an agent thinks of the best actions; of an agent that does not tell, what it would play.

    An agent that has tried no action has no reason to prefer one.
    """
    think = getattr(agent, "think", None)
    if think is None:
        return played(answer(agent, state, seat))
    try:
        thoughts = think(state.seen_by(seat), seat)
        if not any(thought.visits for thought in thoughts.rows):
            if thoughts.what == "judged":
                return played(thoughts.best)
            return Advice(f"<div style='{LINE}'>{escape(called(agent))}: {one_of(len(thoughts.rows))}.</div>")
        foresight = getattr(agent, "foresight", None)
        words = f"{thoughts.best}: {prospect(thoughts, foresight and foresight(state.game))}."
        table = in_table(thoughts)
    except Exception as error:
        name = state.game.seat_name(seat)
        raise CrashlabError(f"the agent of {name} failed: {type(error).__name__}: {told(error)}") from error
    who = f"{called(agent)}, after {thoughts.playouts:,} tries"
    shown = f"<div style='{LINE}'><b>{escape(words)}</b>{escape(next_best(thoughts))}</div>"
    folded = f"<details style='{LINE}'><summary>{escape(who)}</summary>{table}</details>"
    known = {str(thought.action): thought for thought in thoughts.rows if thought.visits}
    return Advice(shown + folded, known, thoughts.best, words)


def played(action: object) -> Advice:
    """Return what an agent would play, of which it says no more."""
    words = f"It would play {action}."
    return Advice(f"<div style='{LINE}'>It would play <b>{escape(str(action))}</b>.</div>", {}, action, words)


def prospect(thoughts: Thoughts, ahead: int | None = None) -> str:
    """Return what comes of the best action, in words; `ahead` is how many decisions the agent looks ahead."""
    value = thoughts.rows[0].value
    if thoughts.what == "win":
        return f"wins about {100 * value:.0f} times of 100"
    when = "" if ahead is None else " in the end" if ahead == NOWHERE else f", {counted(ahead, 'decision')} later"
    points = f"{abs(value):.1f}"
    if points == "0.0":
        return f"level with the others{when}"
    side = ("ahead of" if len(thoughts.state.game.seats) > 2 else "ahead") if value > 0 else "behind"
    others = " the average opponent" if len(thoughts.state.game.seats) > 2 else ""
    return f"about {points} point{'s' * (points != '1.0')} {side}{others}{when}"


def next_best(thoughts: Thoughts) -> str:
    """Return the actions that are nearly as good, and how much worse they are."""
    best, *others = [thought for thought in thoughts.rows if thought.visits]
    told = []
    for one in sorted(others, key=lambda thought: -thought.value)[:NEXT]:
        less = f"{best.value - one.value:.1f}"
        told.append(f"{one.action} ({'as good' if less in ('0.0', '-0.0') or less[0] == '-' else f'{less} less'})")
    return f" Then {together(told)}." if told else ""


def in_table(thoughts: Thoughts) -> str:
    """Return the best actions with their values and how often they were tried, as a table."""
    rows = [(escape(str(row.action)), worth(row), f"{row.visits:,}") for row in thoughts.rows[:BEST]]
    head = "".join(f"<th style='{CELL}'>{words}</th>" for words in ("action", escape(thoughts.what), "tried"))
    lines = "".join("<tr>" + "".join(f"<td style='{CELL}'>{word}</td>" for word in row) + "</tr>" for row in rows)
    left = len(thoughts.rows) - len(rows)
    more = f"<div>… and {left} more</div>" if left > 0 else ""
    return f"<table style='{LINE}'><tr>{head}</tr>{lines}</table>{more}"
