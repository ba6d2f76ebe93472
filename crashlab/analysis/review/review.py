"""Reviews of games: the cost of each decision, and the expected lead of every seat.

    crashlab.review(match)    an Appraisal

A review first estimates the expected leads during the game, and then roughly the costs of all decisions. Finally it
estimates the costs of the apparently costliest decisions again, with fresh luck and more playouts. It can be stopped at
any time with a partial result.
"""

import math
import time
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache, partial
from itertools import pairwise

from crashlab.agents.base import leads_of
from crashlab.analysis.action_values import DECISIONS, PlayoutRows, worths
from crashlab.analysis.endgame import solve
from crashlab.analysis.endgame_values import Solved
from crashlab.analysis.review.appraisal import TINY, Appraisal, JudgedDecision
from crashlab.analysis.review.causes import Reasons
from crashlab.base.errors import require, short_repr, whole
from crashlab.base.progress import bar
from crashlab.base.statistics import half_width, mean
from crashlab.compiled import choose_backend
from crashlab.engine.chance import Random, whole_seed
from crashlab.engine.game import Game, State, Turn
from crashlab.engine.table import CHANCE
from crashlab.play.match import Match
from crashlab.play.summary import Summary

SECONDS = 40.0
PLAYOUTS = 400  # playouts per decision in the first pass
AGAIN = 3  # factor of playouts in the second pass
COSTLIEST = 16  # number of decisions in the second pass
POINTS = 120  # number of moments with expected leads
LAPS = 100  # playouts per moment
SLICE = 20  # playouts between checks of the clock
MOST = 50  # maximum number of actions to play out
GAPS = 6  # number of intervals between moments that are refined turn by turn
SHORTEST = 0.001  # shortest time of a step in seconds
# Shares of the time limit at which the curve, the first pass, the second pass and the reasons must be finished.
SHARES = 0.15, 0.55, 0.85, 0.97


def review(
    match: Match, *, seconds: float | None = SECONDS, playouts: int = PLAYOUTS, seed: int = 0, progress: bool = True
) -> Appraisal:
    """Review a game: the cost of each decision, turning points, best and worst decisions, and the reasons.

    Parameters
    ----------
    match : Match
        The match that was played.
    seconds : float | None
        The time limit after compiling; stopping early makes the intervals wider. With None there is no limit, and the
        same seed gives the same review.
    playouts : int
        The approximate number of playouts per decision in the first pass.
    seed : int
        The same seed gives the same review if `seconds` is None.
    progress : bool
        Whether to show a progress bar if the computation takes longer than a second.

    Returns
    -------
    Appraisal
        The result of the review.

    Examples
    --------
    >>> late = crashlab.game("autoscooter", players=2).read({"round": 9, "cars": {"1": "21E2", "2": "23SE2"}})
    >>> match = crashlab.Match(late, {0: "greedy", 1: "random"}, seed=3)
    >>> end = match.run()
    >>> appraisal = crashlab.review(match, seconds=None, playouts=50, progress=False)
    >>> appraisal.lost(1) > appraisal.lost(0)
    True
    """
    require(isinstance(match, Match), f"review() takes a Match, not {short_repr(match)}")
    work = Reviewing(match.turns, match.winners, match.forfeits, seconds=seconds, playouts=playouts, seed=seed)
    try:
        with bar(work.total, "moments", progress) as shown_bar:
            while not work.done:
                before = work.steps
                work.step()
                shown_bar.update(work.steps - before)
    except KeyboardInterrupt:
        pass
    return work.result()


class Reviewing:
    """A review in progress, step by step."""

    def __init__(
        self,
        turns: Sequence[Turn],
        winners: Sequence[int] | None = None,
        forfeits: Collection[int] = (),
        *,
        seconds: float | None = SECONDS,
        playouts: int = PLAYOUTS,
        seed: int = 0,
    ) -> None:
        require(turns, "there is nothing to review: nobody has played yet")
        require(
            seconds is None or (isinstance(seconds, int | float) and 0 < seconds < math.inf),
            f"seconds={short_repr(seconds)}: give a number above 0, or None",
        )
        self.turns = tuple(turns)
        self.summary = Summary(turns, winners, forfeits)
        self.playouts = whole("playouts", playouts)
        # the time limit, the seconds of work so far, and the start of the current step
        self.seconds, self.spent, self._begun = seconds, 0.0, 0.0
        self.seed = whole_seed(seed)
        self.states = (self.turns[0].before, *(turn.after for turn in self.turns))
        self.choices = [
            (number, seat)
            for number, turn in enumerate(self.turns)
            for seat in turn.actions
            if seat != CHANCE and len(turn.before.actions(seat)) > 1
        ]
        count = min(POINTS, len(turns))
        self.points = [round(place * len(turns) / count) for place in range(count + 1)]
        self.leads_at: dict[int, tuple[list[float], list[float]]] = {}  # expected leads and half-widths by moment
        self.sampled: dict[int, tuple[list[float], list[float]]] = {}  # the same, from playouts only
        self.decisions: dict[tuple[int, int], JudgedDecision] = {}
        self.reasons = Reasons(self.turns, self.seed)
        self.steps, self.done = 0, False
        self.total = len(self.points) + len(self.choices) + min(COSTLIEST, len(self.choices))
        self._work = self._steps()

    def step(self) -> None:
        """Run the next step."""
        self._begun = time.perf_counter()
        if next(self._work, None) is None:
            self.done, self.steps = True, self.total
        else:
            self.steps += 1
        self.spent += time.perf_counter() - self._begun

    def result(self) -> Appraisal:
        """Return the result so far."""
        expected, half_widths = self._curve()
        decisions = [self.decisions[choice] for choice in self.choices if choice in self.decisions]
        left = len(self.choices) - len(decisions) if self.done else 0
        done = self.steps / self.total
        return Appraisal(self.summary, decisions, expected, half_widths, done, self.reasons, left, self.sampled)

    # The work

    def _steps(self) -> Iterator[bool]:
        self.backend = choose_backend.ready(self.game, "worths", wait=True)
        self._begun = time.perf_counter()  # the time of compiling does not count
        yield from self._expect_all(self.points, SHARES[0] / 2)
        yield from self._expect_all(self._between(), SHARES[0])
        for left, choice in enumerate(self.choices):
            if self.is_late:
                break
            self._judge(choice, self.playouts, self.seed, self._share(SHARES[1], len(self.choices) - left))
            yield True
        costliest = sorted(self.decisions, key=lambda choice: -self.decisions[choice].cost)[:COSTLIEST]
        for left, choice in enumerate(costliest):
            if not (self.decisions[choice].exact or self.is_late):
                self._judge(choice, AGAIN * self.playouts, self.seed + 1, self._share(SHARES[2], len(costliest) - left))
            yield True
        yield from self._explain()

    def _explain(self) -> Iterator[bool]:
        """Find the reasons for everything reported."""
        appraisal = self.result()
        questions = [partial(appraisal.why, item) for item in appraisal.explained]
        questions += [partial(appraisal.reason, item) for item in appraisal.turnings]
        self.total += len(questions)
        for left, ask in enumerate(questions):
            share = self._share(SHARES[3], len(questions) - left)
            ask(math.inf if share is None else time.perf_counter() + share)
            yield True

    @property
    def game(self) -> Game:
        """The game of the review."""
        return self.turns[0].before.game

    @property
    def is_late(self) -> bool:
        """Whether only the time for reasons is left."""
        return self.seconds is not None and self._spent() > SHARES[2] * self.seconds

    def _spent(self) -> float:
        """Return the seconds of work so far."""
        return self.spent + time.perf_counter() - self._begun

    def _share(self, part: float, left: int) -> float | None:
        """Return the time for the next of `left` items, if they share a part of the time; None without a limit."""
        return None if self.seconds is None else max((part * self.seconds - self._spent()) / left, SHORTEST)

    def _expect_all(self, points: Sequence[int], part: float) -> Iterator[bool]:
        """Compute the expected leads at some moments: exactly if possible, else by careful playouts."""
        for left, place in enumerate(points):
            seconds = self._share(part, len(points) - left)
            exact = exactly(self.states[place])
            if exact is None or (place and exactly(self.states[place - 1]) is None and not self.states[place].over):
                self.sampled[place] = self._sample(place, seconds)
            self.leads_at[place] = self.sampled[place] if exact is None else (exact, [0.0] * len(exact))
            yield True

    def _sample(self, place: int, seconds: float | None) -> tuple[list[float], list[float]]:
        """Return the expected leads at a moment from playouts, and half the widths of their intervals."""
        state = self.states[place]
        ends = math.inf if seconds is None else time.perf_counter() + seconds
        workspace = PlayoutRows(self.backend, self.game, [state.table], Random(self.seed).luck)
        rows: list[list[float]] = []
        while len(rows) < LAPS and (len(rows) < 2 or time.perf_counter() < ends):
            rows += workspace.expect(len(rows), SLICE, DECISIONS).tolist()
        columns = list(zip(*rows, strict=True))
        return [mean(column) for column in columns], [half_width(column) for column in columns]

    def _between(self) -> list[int]:
        """Return the moments inside the intervals with the largest changes."""
        gaps = [(one, other) for one, other in pairwise(self.points) if other > one + 1]

        def change(gap: tuple[int, int]) -> float:
            early, late = (self.leads_at[place][0] for place in gap)
            return max(abs(after - before) for before, after in zip(early, late, strict=True))

        gaps.sort(key=lambda gap: -change(gap))
        inner = [place for one, other in gaps[:GAPS] for place in range(one + 1, other)]
        self.total += len(inner)
        return inner

    def _judge(self, choice: tuple[int, int], playouts: int, seed: int, seconds: float | None) -> None:
        """Compute the cost of a decision and store it in `decisions`."""
        number, seat = choice
        turn = self.turns[number]
        action = turn.actions[seat]
        result = worths(
            turn.before, seat, seed=seed, playouts=playouts, seconds=seconds, max_actions=MOST, keep=[action]
        )
        judged = result.of(action)
        best, cost = (action, 0.0) if judged.cost <= TINY else (result.best, judged.cost)
        other = next((row for row in result.rows if row.action != best and row.laps), None)
        second = (other.action, max(other.cost - other.cost_half_width, 0.0)) if other else (None, 0.0)
        self.decisions[choice] = JudgedDecision(
            number,
            action,
            best,
            result.rows[0].value,
            cost,
            judged.cost_half_width,
            judged.exact and result.rows[0].exact,
            *second,
        )

    def _curve(self) -> tuple[list[list[float]], list[list[float]]]:
        """Return the expected leads at every moment, interpolated between the known ones."""
        places = sorted(self.leads_at)
        expected: list[list[float]] = []
        half_widths: list[list[float]] = []
        for one, other in pairwise(places):
            for place in range(one, other):
                share = (place - one) / (other - one)
                for rows, kind in ((expected, 0), (half_widths, 1)):
                    pairs = zip(self.leads_at[one][kind], self.leads_at[other][kind], strict=True)
                    rows.append([early + share * (late - early) for early, late in pairs])
        for place in places[-1:]:
            expected.append(self.leads_at[place][0])
            half_widths.append(self.leads_at[place][1])
        return expected, half_widths


@lru_cache(maxsize=64)
def exactly(state: State) -> list[float] | None:
    """Return every seat's final lead under best play, or None if the position cannot be solved exactly."""
    if state.over:
        return leads_of(state.scores)
    if not Solved.suits(state):
        return None
    solution = solve(state, progress=False)
    if not solution.exact:
        return None
    first = round(solution.value, 9)
    return [first if seat == state.actors[0] else -first for seat in state.game.seats]
