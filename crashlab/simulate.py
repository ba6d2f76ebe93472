"""Many games at random: what usually happens, and how a house rule changes it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from crashlab.chance import Random
from crashlab.game import Game, State
from crashlab.happen import CHANCE, NOTE, Ints, Table, Trace
from crashlab.options import CrashlabError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Results:
    """What came of many games; every array has one row a game."""

    game: Game
    scores: NDArray[np.int64]  # [game, seat]
    winners: NDArray[np.bool_]  # [game, seat]
    decisions: NDArray[np.int64]  # [game]
    notes: dict[str, NDArray[np.int64]]  # rule id -> how often it was told, [game]

    def __len__(self) -> int:
        return len(self.decisions)

    def counts(self, rule: str) -> NDArray[np.int64]:
        """How often a note cites this rule in each game."""
        if rule not in self.notes:
            raise CrashlabError(f"no note cites {rule!r}; notes cite {', '.join(self.notes)}")
        return self.notes[rule]

    def mean(self, rule: str) -> float:
        """How often a note cites this rule in a game, on average."""
        return float(self.counts(rule).mean())

    def interval(self, rule: str) -> float:
        """Half the width of the 95 % confidence interval of that mean."""
        return float(1.96 * self.counts(rule).std(ddof=1) / len(self) ** 0.5) if len(self) > 1 else float("inf")

    def __str__(self) -> str:
        lines = [f"{len(self)} games of {self.game!r}"]
        for rule, counts in self.notes.items():
            if counts.any():
                title = self.game.rulebook[rule].title
                lines.append(f"{rule:6} {title:34} {self.mean(rule):7.2f} ± {self.interval(rule):.2f} a game")
        return "\n".join(lines)


def simulate(start: Game | State, games: int = 500, seed: int = 1) -> Results:
    """Games played at random: every actor chooses each legal action equally often. The same seed, the same games."""
    import numpy as np

    if not isinstance(games, int) or games < 1:
        raise CrashlabError(f"games={games!r}: at least one game is needed")
    if not isinstance(start, Game | State):
        raise CrashlabError(f"simulate() starts from a game or a state, not from {type(start).__name__}")
    if isinstance(start, State) and start.closed:
        raise CrashlabError(f"nothing can be played here: {start.closed}")
    game = start if isinstance(start, Game) else start.game
    scores, won, lengths, told = [], [], [], []
    for number in range(games):
        rng = Random(seed).split(number)
        table = (start.start(rng.below(1 << 32)) if isinstance(start, Game) else start).table.copy()
        trace = Trace()
        lengths.append(play_at_random(game.rules, table, rng, trace))
        scores.append([game.rules.score(table, seat) for seat in game.seats])
        won.append([game.rules.winners(table) >> seat & 1 for seat in game.seats])
        told.append(Counter(row[1] for row in trace.rows if row[3] == NOTE))
    return Results(
        game,
        np.array(scores, dtype=np.int64),
        np.array(won, dtype=np.bool_),
        np.array(lengths, dtype=np.int64),
        {
            rule.id: np.array([counts[place] for counts in told], dtype=np.int64)
            for place, rule in enumerate(game.rulebook)
            if rule.numbers
        },
    )


def play_at_random(rules: Any, table: Table, rng: Random, trace: Trace | None, decisions: int = -1) -> int:
    """Play on at random on this very table, to the end or for so many decisions; how many there were."""
    out = [0] * rules.MOST_ACTIONS
    played = 0
    while (bits := rules.actors(table)) and played != decisions:
        for seat, code in choose_at_random(rules, table, bits, rng, out):
            rules.apply(table, seat, code, trace)
        if trace is not None:
            trace.beat += 1
        played += 1
    return played


def choose_at_random(rules: Any, table: Table, bits: int, rng: Random, out: Ints) -> list[tuple[int, int]]:
    """A random action for every seat among these bits."""
    if bits == CHANCE:
        weights = out[:]
        place = rng.weighted(weights[: rules.odds(table, weights)])
        rules.legal(table, CHANCE, out)
        return [(CHANCE, out[place])]
    chosen = []
    for seat in range(bits.bit_length()):
        if bits >> seat & 1:
            chosen.append((seat, rules.draw(table, seat, rng.below(1 << 31), out)))
    return chosen
