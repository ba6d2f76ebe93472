"""The advice of agents, as HTML for the page."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf

from crashlab.agents import Agent, Thought, Thoughts
from crashlab.base.errors import CrashlabError, short_str
from crashlab.base.statistics import plus_minus
from crashlab.drawing import html, primitives
from crashlab.drawing.shapes import Point, Shape
from crashlab.engine.game import State
from crashlab.engine.notation import counted, together
from crashlab.engine.prompts import Choice
from crashlab.engine.table import NOWHERE
from crashlab.play.match import answer

BEST, NEXT = 6, 2  # actions listed in the table; actions named in words after the best one
SECONDS = 1.5  # time limit of the strongest agent
ANYWHERE = -inf, -inf, inf, inf
LINE = "line-height: 1.35"
CELL = "text-align: left; padding: 0 14px 0 0"


def worth(thought: Thought | None) -> str:
    """Write the value of a thought with its interval, or "not tried"."""
    if thought is None or not thought.visits:
        return "not tried"
    return f"{value(thought)} {plus_minus(thought.half_width, digits(thought))}"


def value(thought: Thought) -> str:
    """Write the value of a thought with its sign, for a table or the board."""
    return f"{thought.value:+.{digits(thought)}f}".replace("-", "−")


def digits(thought: Thought) -> int:
    """Return the number of decimals of a value: 2, or 3 if it is small and precise."""
    return 3 if thought.half_width < 0.01 and abs(thought.value) < 1 else 2


def called(agent: Agent) -> str:
    """Return the name of an agent."""
    return short_str(getattr(agent, "__name__", type(agent).__name__))


def one_of(actions: int) -> str:
    """Describe the choice of an agent that plays at random."""
    return "any action, each equally likely" if actions > 1 else "the only legal action"


@dataclass(frozen=True)
class Advice:
    """The advice of an agent: as HTML, and its estimate of each action that it has tried."""

    table: str = ""
    thoughts: Mapping[str, Thought] = field(default_factory=dict)  # by the notation of an action
    best: object = None  # the action that the agent would play
    words: str = ""  # a sentence about the result

    def values(self, choices: Sequence[Choice], after: Callable[[str], Sequence[Choice]]) -> list[tuple[Point, str]]:
        """Return the places and the values of the best choices; empty if all values are equal.

        A word that completes no action has the value of the best action one word later.
        """
        pairs = [(self._best([one] if one.action else after(one.word)), one) for one in choices if self.thoughts]
        best = [(thought, one) for thought, one in pairs if thought is not None]
        best = sorted(best, key=lambda pair: -pair[0].value)[:BEST]
        labels = [((one.x, one.y), value(thought)) for thought, one in best]
        return labels if len({words for _, words in labels}) > 1 or len(labels) == 1 else []

    def _best(self, choices: Sequence[Choice]) -> Thought | None:
        """Return the best known thought about these actions, or None."""
        thoughts = [self.thoughts[one.action] for one in choices if one.action in self.thoughts]
        return max(thoughts, key=lambda thought: thought.value, default=None)


def tags(
    values: Sequence[tuple[Point, str]],
    small: float,
    places: Sequence[Point] = (),
    room: Callable[[Point], Sequence[float]] = lambda _: ANYWHERE,
) -> Iterator[Shape]:
    """Return labels of the values within left, top and right of `room`, above their points or, without room, below.

    A label that would cover one of `places` or a better label is left out.
    """
    labels: list[tuple[float, float, float]] = []  # centres of the labels, and half their widths
    for (x, y), words in values:
        half = (9 + 4.2 * len(words)) * small
        left, top, right, *_ = room((x, y))
        x, y = min(max(x, left + half), right - half), y + 26 * small * (-1 if y - 38 * small > top else 1)
        hidden_places = [at for at in places if abs(x - at[0]) < half + 8 * small and abs(y - at[1]) < 19 * small]
        is_near = any(abs(x - at) < half + other and abs(y - line) < 22 * small for at, line, other in labels)
        if not hidden_places and not is_near:
            labels.append((x, y, half))
            yield from primitives.ticket((x, y), words, half, 11 * small, 14 * small)


def advice(agent: Agent, state: State, seat: int) -> Advice:
    """Return the advice of an agent; an agent without a `think` method gives only its action.

    If the agent has tried no action and judged none, the advice names no action.
    """
    think = getattr(agent, "think", None)
    if think is None:
        return played(answer(agent, state, seat))
    try:
        thoughts = think(state.seen_by(seat), seat)
        if not any(thought.visits for thought in thoughts.rows):
            if thoughts.what == "judged":
                return played(thoughts.best)
            return Advice(html.element("div", f"{called(agent)}: {one_of(len(thoughts.rows))}.", style=LINE))
        foresight = getattr(agent, "foresight", None)
        words = f"{thoughts.best}: {prospect(thoughts, foresight and foresight(state.game))}."
        table = in_table(thoughts)
    except Exception as error:
        name = state.game.seat_name(seat)
        raise CrashlabError(f"the agent of {name} failed: {type(error).__name__}: {short_str(error)}") from error
    who = f"{called(agent)}, after {thoughts.playouts:,} tries"
    head = html.element("div", html.element("b", words), next_best(thoughts), style=LINE)
    details = html.element("details", html.element("summary", who), table, style=LINE)
    by_action = {str(thought.action): thought for thought in thoughts.rows if thought.visits}
    return Advice(head + details, by_action, thoughts.best, words)


def played(action: object) -> Advice:
    """Return the advice of an agent that gives only its action."""
    words = f"It would play {action}."
    return Advice(
        html.element("div", "It would play ", html.element("b", str(action)), ".", style=LINE), {}, action, words
    )


def prospect(thoughts: Thoughts, ahead: int | None = None) -> str:
    """Describe the result of the best action; `ahead` is the number of decisions that the agent looks ahead."""
    value = thoughts.rows[0].value
    if thoughts.what == "win":
        return f"wins about {100 * value:.0f} times out of 100"
    when = "" if ahead is None else " in the end" if ahead == NOWHERE else f", {counted(ahead, 'decision')} later"
    points = f"{abs(value):.1f}"
    if points == "0.0":
        return f"level with the others{when}"
    side = ("ahead of" if len(thoughts.state.game.seats) > 2 else "ahead") if value > 0 else "behind"
    others = " the average opponent" if len(thoughts.state.game.seats) > 2 else ""
    return f"about {points} point{'s' * (points != '1.0')} {side}{others}{when}"


def next_best(thoughts: Thoughts) -> str:
    """Describe the next best actions, and their difference from the best."""
    best, *others = [thought for thought in thoughts.rows if thought.visits]
    parts = []
    for one in sorted(others, key=lambda thought: -thought.value)[:NEXT]:
        less = f"{best.value - one.value:.1f}"
        parts.append(f"{one.action} ({'as good' if less in ('0.0', '-0.0') or less[0] == '-' else f'{less} less'})")
    return f" Then {together(parts)}." if parts else ""


def in_table(thoughts: Thoughts) -> html.Html:
    """Write the best actions with their values and numbers of tries, as an HTML table."""
    rows = [(str(row.action), worth(row), f"{row.visits:,}") for row in thoughts.rows[:BEST]]
    rest = len(thoughts.rows) - len(rows)
    more = html.element("div", f"… and {rest} more") if rest else ""
    return html.Html(html.table(("action", thoughts.what, "tried"), rows, CELL, LINE) + more)
