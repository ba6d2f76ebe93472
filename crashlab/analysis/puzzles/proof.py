"""Proofs that an action of a seat is clearly the best.

    solved      the last rounds of two seats with secret plans are solved: the action guarantees the value of the game
                whatever the opponent plans; no mixture guarantees more, and every other action guarantees less
    foreseen    a search of all actions, replies and outcomes of chance, for two seats with alternating turns and no
                secrets: the expected lead with best play from both
    sampled     random playouts: mean leads with 99.9 % intervals that do not overlap

A claim that is not solved must also hold when looking one decision further ahead. A seat is judged by its view: hidden
values are sampled in many worlds, and simultaneous plans of the others are unknown. If several actions have the best
result, all of them are best.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from crashlab.engine.notation import counted

TINY = 1e-6  # smaller differences are rounding errors
STEP = {"solved": 0.25, "foreseen": 0.15, "sampled": 0.25}  # smallest advantage of the best action, in points


@dataclass(frozen=True)
class ProvenWorth:
    """The value of an action, and half the width of its 99.9 % interval (0 if exact)."""

    value: float
    half_width: float = 0.0


@dataclass(frozen=True)
class Proof:
    """The values of all actions by notation, best first, and the kind of proof."""

    kind: str
    worths: Mapping[str, ProvenWorth]
    best: tuple[str, ...]  # the best actions, with equal results
    value: float = 0.0  # value of a solved position
    count: int = 0  # number of playouts
    ahead: int = 0  # depth in decisions
    further: float = 0.0  # advantage of the best action, looking one decision further; 0 if none or unknown
    is_dominant: bool = False  # whether the best plan of a solved position is dominant
    replies: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # by plan and seat: the worst reply

    @property
    def is_clear(self) -> bool:
        """Whether the best actions are significantly better than all others, and by at least STEP points."""
        others = [worth for words, worth in self.worths.items() if words not in self.best]
        first = self.worths[self.best[0]]
        if not others or (self.kind == "solved" and first.value < self.value - TINY):
            return False
        return all(first.value - first.half_width > other.value + other.half_width + TINY for other in others) and (
            self.gap >= STEP[self.kind] - TINY
        )

    @property
    def holds(self) -> bool:
        """Whether the best action is clear, and still clear one decision further ahead unless it is solved."""
        return self.is_clear and (self.kind == "solved" or self.further >= STEP[self.kind] - TINY)

    @property
    def gap(self) -> float:
        """The advantage of the best action over the next."""
        return self.worths[self.best[0]].value - self.next

    @property
    def next(self) -> float:
        """The value of the next best action; the best value if all actions are best."""
        others = (worth.value for words, worth in self.worths.items() if words not in self.best)
        return max(others, default=self.worths[self.best[0]].value)

    def words(self, name: str, near: str = "") -> str:
        """Return the claim about the best actions of a seat; `near` describes what its lead includes besides points."""
        value = self.worths[self.best[0]].value
        best, second = signed(value), signed(self.next)
        lead = f"{name}'s lead, with {near}," if near else f"{name}'s lead"
        far = f"Looking {counted(self.ahead, 'decision')} ahead, this one included,"
        further = f"One decision further ahead the same action is best, by {self.further:.2g}."
        if self.kind == "solved":
            return (
                f"With the best plan {name} ends {ahead(value)} or better, whatever the opponent plans. With any other"
                f" plan {name} may end {ahead(self.next)}, and mixing plans does no better. This is computed, not"
                " estimated."
            )
        if self.kind == "foreseen":
            return (
                f"{far} {lead} is {best} with best play from both, and at most {second} after any other action."
                f" Exact to that depth. {further}"
            )
        half = self.worths[self.best[0]].half_width
        return (
            f"{far} {lead} was {best} ± {half:.2g} on average with the best, and at most {second} with anything else"
            f" ({self.count:,} playouts in which everything after it was played at random; intervals of 99.9 % that do"
            f" not overlap). {further}"
        )

    @property
    def measure(self) -> str:
        """A description of the measurement, without the values."""
        of_each = f"of each of the {len(self.worths)} actions"
        if self.kind == "solved":
            return f"the final lead that each of the {len(self.worths)} plans guarantees, exactly"
        after = counted(self.ahead, "decision")
        if self.kind == "foreseen":
            return f"the lead {of_each} after {after}, with best play from both, exactly"
        return (
            f"the average lead {of_each} after {after}, in {self.count:,} playouts; the best one's is accurate to"
            f" ± {self.worths[self.best[0]].half_width:.2g} (99.9 %)"
        )


def ahead(lead: float) -> str:
    """Write a lead in words: "7 ahead", "1 behind" or "level"."""
    points = round(lead, 2)
    return f"{abs(points):g} {'ahead' if points > 0 else 'behind'}" if points else "level"


def signed(value: float) -> str:
    """Format a lead with its sign."""
    near = round(value, 2)
    return f"{near:+.2f}".rstrip("0").rstrip(".").replace("-", "\u2212") if near else "0"
