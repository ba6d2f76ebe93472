"""Divergence of two rulebooks: games with the same luck and the same decisions are played under both.

differences = crashlab.differ(game, game.with_rules(my_rule))
print(differences)            # the number of games that diverge, by rule, and the first divergence
differences[0].before         # the position in which they first diverge
differences[0].turns          # the same decision under both rulebooks;
                              # Stepper.beside(*differences[0].turns) shows both on one slider
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from crashlab.base.clock import look
from crashlab.base.errors import CrashlabError, require, require_in, short_repr, whole
from crashlab.base.progress import gathered
from crashlab.base.statistics import ends, noted, share_interval
from crashlab.engine.chance import Random, whole_seed
from crashlab.engine.game import Game, State, Turn
from crashlab.engine.notation import counted
from crashlab.engine.table import CHANCE, Row

GAMES = 200  # default number of games
LEGALITY = "legality"  # stands for a rule's id if the actors or the legal actions differ
LAST = 5_000  # most decisions of a game


@dataclass(frozen=True)
class RuleDivergence:
    """The first decision of a game at which two rulebooks differ: in the positions after it, or in what is legal."""

    seed: int  # seed of the game
    decision: int  # number of the decision, from 1
    turns: tuple[Turn, Turn]  # the same decision under both rulebooks
    rules: tuple[str, str]  # the ids of the rules of the first different events; empty without such an event
    legal: str = ""  # a difference of actors or legal actions, in words; empty if there is none

    @property
    def before(self) -> State:
        """The position in which the rulebooks diverge."""
        return self.turns[0].before

    @property
    def rule(self) -> str:
        """The id of the rule that makes the difference, preferably of the second rulebook, or LEGALITY."""
        return LEGALITY if self.legal else self.rules[1] or self.rules[0]

    def __str__(self) -> str:
        one, other = (turn.before.game for turn in self.turns)
        lines = [f"seed {self.seed}, decision {self.decision}: {self.before.text}"]
        moves = {one.seat_name(seat): str(action) for seat, action in self.turns[0].actions.items()}
        lines.append(self.legal or ", ".join(f"{name} plays {action}" for name, action in moves.items()))
        if self.legal:
            return "\n".join(lines)
        for game, turn, rule in zip((one, other), self.turns, self.rules, strict=True):
            first = next((event for event in turn.events if event.rule == rule), None)
            lines.append(f"    {game.name}: {first.text} [{rule}]" if first else f"    {game.name}: nothing more")
        return "\n".join(lines)


class Differences(Sequence[RuleDivergence]):
    """The games in which two rulebooks diverge, each with its first divergence.

    >>> from crashlab.course.lessons.example_rules import FINED_SIDE
    >>> book = crashlab.game("autoscooter", players=2)
    >>> mine = book.with_rules(*FINED_SIDE, FINE=2)
    >>> differences = crashlab.differ(book, mine, games=10)
    >>> differences[0].seed, differences[0].decision, differences[0].rule
    (1, 8, 'HOUSE-1')
    """

    def __init__(
        self, game: Game, other: Game, games: int, divergences: Sequence[RuleDivergence], target: int | None = None
    ) -> None:
        self.game, self.other, self.games = game, other, games
        self.planned_games = games if target is None else target  # larger than games if interrupted
        self._divergences = tuple(divergences)
        self.counts = dict(Counter(one.rule for one in divergences).most_common())  # number of games by rule

    def __getitem__(self, number: object) -> RuleDivergence:  # type: ignore[override]
        words = f"there is no divergence {short_repr(number)}: {counted(len(self), 'game')} diverge"
        return self._divergences[require_in(range(-len(self), len(self)), number, words)]

    def __iter__(self) -> Iterator[RuleDivergence]:
        return iter(self._divergences)

    def __len__(self) -> int:
        return len(self._divergences)

    def __str__(self) -> str:
        interruption = f" (stopped; {self.planned_games:,} were requested)" if self.games < self.planned_games else ""
        head = (
            f"{self.game.name} and {self.other.name} diverge in {len(self):,} of {counted(self.games, 'game')}"
            f", {100 * len(self) / self.games:.1f} % {ends(*share_interval(len(self), self.games), 1)}{interruption}"
        )
        lines = [f"{rule:8} makes the difference in {number:,}" for rule, number in self.counts.items()]
        return "\n".join(noted([head, *lines, *([f"first:  {self[0]}"] if self._divergences else [])]))

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, object]:
        from crashlab.drawing.sheet import mimebundle

        if not self._divergences:
            return {"text/plain": str(self)}
        from crashlab.watch.views import StoryPair, StorySide  # imported on first use

        pair = StoryPair(*map(StorySide.of, self[0].turns))
        return mimebundle(pair.picture(pair.beats), str(self))

    def __repr__(self) -> str:
        return f"<Differences: {len(self)} of {self.games} games>"


def differ(game: Game, other: Game, games: int = GAMES, seed: int = 1, progress: bool = True) -> Differences:
    """Play the same games under two rulebooks, decision by decision, until the positions differ.

    Both rulebooks get the same luck, and each decision is drawn once for both. An action that is legal under only one
    rulebook is a divergence as well. On interruption, the games played so far are returned.

    Parameters
    ----------
    game : Game
        The first rulebook.
    other : Game
        The second rulebook.
    games : int
        The number of games.
    seed : int
        The same seed gives the same games.
    progress : bool
        Whether to show a progress bar if the computation takes longer than a second.

    Returns
    -------
    Differences
        The divergences.

    Examples
    --------
    >>> from crashlab.course.lessons.example_rules import FINED_SIDE
    >>> book = crashlab.game("autoscooter", players=2)
    >>> mine = book.with_rules(*FINED_SIDE, FINE=2)
    >>> differences = crashlab.differ(book, mine, games=10)
    >>> len(differences), differences.counts
    (8, {'HOUSE-1': 8})
    """
    for rules in (game, other):
        require(
            isinstance(rules, Game),
            f"differ() compares two games, such as the result of game.with_rules(...), not {short_repr(rules)}",
        )
    if (game.book, len(game.seats)) != (other.book, len(other.seats)):
        condition = "they must be the same game for the same number of players"
        raise CrashlabError(f"{game!r} and {other!r} cannot be compared: {condition}")
    first, number = whole_seed(seed), whole("games", games)
    steps = (divergence(game, other, one) for one in range(first, first + number))
    divergences = gathered(steps, number, "games", progress)
    return Differences(game, other, len(divergences), [one for one in divergences if one], number)


def divergence(game: Game, other: Game, seed: int) -> RuleDivergence | None:
    """Return the divergence of the game with this seed, or None."""
    one, two, dice = game.start(seed), other.start(seed), Random(seed).split("decisions")
    options = type(one.table).numbers(*game.options)  # options may differ from the start
    for decision in range(1, LAST + 1):
        look()
        if one.over and two.over:
            return None
        legal = only_in_one(one, two)
        joint = {seat: drawn(one, two, seat, dice) for seat in one.actors}
        if legal:
            codes = {seat: joint.get(seat, two.actions(seat).codes[0]) for seat in two.actors}
            turns = one.play_codes(joint, trace=True), two.play_codes(codes, trace=True)
            return RuleDivergence(seed, decision, turns, ("", ""), legal)
        turns = one.play_codes(joint, trace=True), two.play_codes(joint, trace=True)
        one, two = (turn.after for turn in turns)
        if two.table.since(one.table, options):
            return RuleDivergence(seed, decision, turns, first_rules(*turns))
    return None


def only_in_one(one: State, two: State) -> str:
    """Describe a difference in actors or legal actions between two states; empty if there is none."""
    if one.actors != two.actors:
        names = [", ".join(map(state.game.seat_name, state.actors)) or "nobody" for state in (one, two)]
        return f"{names[0]} decides under {one.game.name}, {names[1]} under {two.game.name}"
    for seat in one.actors:
        for state, other in ((one, two), (two, one)):
            theirs = set(other.actions(seat).codes)
            only = next((action for action in state.actions(seat) if action.code not in theirs), None)
            if only is not None:
                return f"{state.game.seat_name(seat)} can play {only} only under {state.game.name}"
    return ""


def drawn(one: State, two: State, seat: int, dice: Random) -> int:
    """Draw an action that is legal in both positions, or else any action that is legal in `one`."""
    if seat == CHANCE:
        return one._drawn(dice).code
    theirs = set(two.actions(seat).codes) if seat in two.actors else set()
    codes = one.actions(seat).codes
    return dice.choice([code for code in codes if code in theirs] or codes)


def first_rules(one: Turn, other: Turn) -> tuple[str, str]:
    """Return the ids of the rules of the first different events of two turns; empty where a turn has no such event."""

    def rule(turn: Turn, row: Row | None) -> str:
        return turn.before.game.rulebook[row.rule].id if row else ""

    for mine, theirs in zip_longest(one.rows, other.rows):
        if mine != theirs:
            return rule(one, mine), rule(other, theirs)
    return "", ""
