"""What a state of Crash & Grab tells by name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from crashlab.engine.notation import SEATS
from crashlab.engine.position import Told
from crashlab.games.crash_and_grab import rules
from crashlab.games.crash_and_grab import table as t
from crashlab.games.crash_and_grab import words as w
from crashlab.games.crash_and_grab.table import CrashAndGrab


@dataclass(frozen=True)
class Saucer:
    """A saucer as a person sees it; `space` is None off the board, `plan` is `?` where it is hidden."""

    colour: str
    player: str
    space: tuple[int, int] | None
    energy: int
    boosters: int
    crew: tuple[str, ...]
    stationed: int
    upgrades: tuple[str, ...]
    plan: str | None


class Facts(Told[CrashAndGrab]):
    """What a state tells by name: `state.saucers`, `state.crew`, `state.upgrades`."""

    round: int
    phase: str
    probe: str
    turn: str | None

    @cached_property
    def saucers(self) -> dict[str, Saucer]:
        """The saucers by their colours."""
        return {t.COLOUR_NAMES[saucer]: self._saucer(saucer) for saucer in range(self._table.saucers[0])}

    def _saucer(self, saucer: int) -> Saucer:
        table = self._table
        return Saucer(
            t.COLOUR_NAMES[saucer],
            SEATS[t.owner(table, saucer)],
            w.space(table.cell[saucer]),
            table.energy[saucer],
            table.boosters[saucer],
            tuple(t.crew_name(crew) for crew in range(t.CREW) if table.where[crew] == t.ABOARD + saucer),
            rules.aboard(table, saucer),
            tuple(w.TITLES[card] for card in range(t.CARDS) if table.holder[card] == saucer),
            w.tell_plan(table.plan[saucer]),
        )

    @cached_property
    def crew(self) -> dict[str, tuple[int, int] | str]:
        """Where each crewmember in play is: on a space, aboard a saucer, or in the `queue`."""
        places = enumerate(self._table.where)
        return {t.crew_name(crew): w.crew_place(where) for crew, where in places if where != t.UNUSED}

    @cached_property
    def upgrades(self) -> dict[str, str]:
        """Where each upgrade is: with a saucer, in the `deck`, `discard` or `drawn`."""
        holders = enumerate(self._table.holder)
        return {w.TITLES[card]: w.holder_text(holder) for card, holder in holders if holder != t.ABSENT}

    @cached_property
    def sites(self) -> dict[int, tuple[int, int]]:
        """The spaces of the crash sites, by their numbers."""
        ground = enumerate(self._table.ground)
        return {number: divmod(cell, 10) for cell, number in ground if 1 <= number <= t.SITES}

    @cached_property
    def accelerators(self) -> tuple[tuple[int, int], ...]:
        """The spaces of the accelerators."""
        return tuple(divmod(cell, 10) for cell, kind in enumerate(self._table.ground) if kind == t.ACCELERATOR)
