"""What a state of Crash & Grab tells by name."""

from __future__ import annotations

from dataclasses import dataclass

from crashlab.games.crash_and_grab import rules
from crashlab.games.crash_and_grab import table as t
from crashlab.games.crash_and_grab.table import CrashAndGrab
from crashlab.games.crash_and_grab.words import PHASES, SEATS, TITLES, crew_place, holder_text, plan_text, space
from crashlab.happen import NOWHERE

# Positions


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


def facts(table: CrashAndGrab) -> dict[str, object]:
    """What a state tells by name: `state.saucers`, `state.crew`, `state.upgrades`, `state.board`, `state.round`, ..."""
    saucers = {
        t.COLOUR_NAMES[saucer]: Saucer(
            t.COLOUR_NAMES[saucer],
            SEATS[t.owner(table, saucer)],
            space(table.cell[saucer]),
            table.energy[saucer],
            table.boosters[saucer],
            tuple(t.crew_name(crew) for crew in range(t.CREW) if table.where[crew] == t.ABOARD + saucer),
            rules.aboard(table, saucer),
            tuple(TITLES[card] for card in range(t.CARDS) if table.holder[card] == saucer),
            plan_text(table.plan[saucer]) if table.plan[saucer] != t.UNPLANNED else None,
        )
        for saucer in range(table.saucers[0])
    }
    cells = range(t.CELLS)
    return {
        "saucers": saucers,
        "crew": {
            t.crew_name(crew): crew_place(table.where[crew]) for crew in range(t.CREW) if table.where[crew] != t.UNUSED
        },
        "upgrades": {
            TITLES[card]: holder_text(holder) for card, holder in enumerate(table.holder) if holder != t.ABSENT
        },
        "sites": {table.ground[cell]: divmod(cell, 10) for cell in cells if 1 <= table.ground[cell] <= t.SITES},
        "accelerators": tuple(divmod(cell, 10) for cell in cells if table.ground[cell] == t.ACCELERATOR),
        "round": table.round[0],
        "phase": PHASES[table.phase[0]],
        "probe": SEATS[table.probe[0]],
        "turn": t.COLOUR_NAMES[table.turn[0]] if table.turn[0] != NOWHERE else None,
    }
