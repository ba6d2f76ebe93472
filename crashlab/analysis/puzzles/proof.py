"""What makes one action of a seat clearly the best, and how that is known.

    solved      the last rounds of two who plan in secret are solved: the action guarantees the value of the game,
                whatever the opponent plans; no mixture of plans guarantees more, and any other action less
    foreseen    every move, every answer and every outcome of chance some decisions ahead, for two who take turns
                and see everything: the lead then, on average over chance alone, if both go on as well as can be
    sampled     games played on at random: the means of the leads, with intervals of 99.9 % that do not overlap

What is not solved has to hold one decision later, too: the same action is clearly the best when it is looked, or
played, that much further. A seat is judged by what it sees: what is hidden from it counts as guessed anew for each of
many worlds, and what the others plan at the same time is unknown. Actions that come to the same are best together.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from crashlab.engine.notation import counted

TINY = 1e-6  # less than that is rounding
STEP = {"solved": 0.25, "foreseen": 0.15, "sampled": 0.25}  # points by which an action must be better than any other


@dataclass(frozen=True)
class ProvenWorth:
    """What an action is worth, and half the width of its 99.9 % interval; 0 where it is exact."""

    value: float
    half_width: float = 0.0


@dataclass(frozen=True)
class Proof:
    """What every action is worth, by its words, the best ones first, and how that is known."""

    kind: str
    worths: Mapping[str, ProvenWorth]
    best: tuple[str, ...]  # actions that come to the same
    value: float = 0.0  # of a solved game
    count: int = 0  # of playouts
    ahead: int = 0  # decisions that were foreseen, or played out
    further: float = 0.0  # by how much the best is better one decision later, too; 0 where it is not, or not known
    is_dominant: bool = False  # whether a solved plan is at least as good as any other, whatever the opponent plans
    replies: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # what others can do to a plan, by seat

    @property
    def is_clear(self) -> bool:
        """Whether the best actions are better than all others, beyond doubt and by enough."""
        others = [worth for words, worth in self.worths.items() if words not in self.best]
        first = self.worths[self.best[0]]
        if not others or (self.kind == "solved" and first.value < self.value - TINY):
            return False
        return all(first.value - first.half_width > each.value + each.half_width + TINY for each in others) and (
            self.gap >= STEP[self.kind] - TINY
        )

    @property
    def holds(self) -> bool:
        """Whether the best is clear, and clear one decision later; what is solved goes to the end of the game."""
        return self.is_clear and (self.kind == "solved" or self.further >= STEP[self.kind] - TINY)

    @property
    def gap(self) -> float:
        """By how much the best is better than any other action."""
        return self.worths[self.best[0]].value - self.next

    @property
    def next(self) -> float:
        """What the best of the other actions is worth."""
        others = (worth.value for words, worth in self.worths.items() if words not in self.best)
        return max(others, default=self.worths[self.best[0]].value)

    def words(self, name: str, near: str = "") -> str:
        """What is claimed of the best actions of the seat with this name; `near` counts in its lead besides points."""
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
                f"{far} {lead} is {best} with best play from both, and {second} at most after anything else."
                f" Exact to that depth. {further}"
            )
        half = self.worths[self.best[0]].half_width
        return (
            f"{far} {lead} was {best} ± {half:.2g} on average with the best, and at most {second} with anything else"
            f" ({self.count:,} playouts in which all that came after was played at random; intervals of 99.9 % that do"
            f" not overlap). {further}"
        )

    @property
    def measure(self) -> str:
        """What the actions are measured by, without telling what they are worth."""
        of_each = f"of each of the {len(self.worths)} actions"
        if self.kind == "solved":
            return f"the final lead that each of the {len(self.worths)} plans guarantees, exactly"
        after = counted(self.ahead, "decision")
        if self.kind == "foreseen":
            return f"the lead {of_each} after {after}, with best play from both, exactly"
        return (
            f"the average lead {of_each} after {after}, in {self.count:,} playouts; that of the best is known to"
            f" ± {self.worths[self.best[0]].half_width:.2g} (99.9 %)"
        )


def ahead(lead: float) -> str:
    """Write a lead in words: "7 ahead", "1 behind" or "level"."""
    points = round(lead, 2)
    return f"{abs(points):g} {'ahead' if points > 0 else 'behind'}" if points else "level"


def signed(value: float) -> str:
    """A lead in words."""
    near = round(value, 2)
    return f"{near:+.2f}".rstrip("0").rstrip(".").replace("-", "\u2212") if near else "0"
