"""How the use of an upgrade at the end of a turn is written: the upgrade and what it is used on."""

from __future__ import annotations

import re

from crashlab.base.errors import CrashlabError, shown
from crashlab.engine.decisions import Answer, thing
from crashlab.engine.notation import some
from crashlab.games.crash_and_grab import rules
from crashlab.games.crash_and_grab import table as t
from crashlab.games.crash_and_grab import words as w
from crashlab.games.crash_and_grab.table import CrashAndGrab


def turning_text(table: CrashAndGrab, turning: int) -> str:
    """A tile and by how many degrees it is turned, as in `2 90`."""
    return f"{w.TILE.say(table, turning // 4)} {90 * (turning % 4)}"


def read_turning(table: CrashAndGrab, words: str) -> int:
    """CG-U18: the tile and the quarter turns of `2 90`."""
    found = re.fullmatch(r"(?:tile )?([0-9]{1,2}) (90|180|270)", words)
    tiles = [side // 2 + 1 for side in table.side]
    if not found or int(found[1]) not in tiles:
        there = some(sorted(tile for tile in tiles if tile))
        raise CrashlabError(f"a tile ({there}) and 90, 180 or 270 are wanted, as in 'Quake 2 90'")
    return 4 * tiles.index(int(found[1])) + int(found[2]) // 90


def turning_parts(table: CrashAndGrab, turning: int) -> dict[str, object]:
    """A tile and by how many degrees it is turned."""
    return {"tile": w.TILE.tell(table, turning // 4), "degrees": 90 * (turning % 4)}


A_SAUCER, A_SPACE, A_CREWMEMBER = thing(w.SAUCER), thing(w.SPACE), thing(w.CREW)
TARGETS: dict[int, Answer[CrashAndGrab]] = {  # of the upgrades that have one
    t.WORMHOLE: A_SAUCER,
    t.PULSE_CANNON: A_SAUCER,
    t.AFTERBURNER: A_SPACE,
    t.TELEPORTER: A_SPACE,
    t.TRIANGULATOR: A_SPACE,
    t.TRACTOR_BEAM: A_CREWMEMBER,
    t.DISTRESS: A_CREWMEMBER,
    t.LANDING_LEGS: thing(w.DIRECTION),
    t.QUAKE: Answer(turning_text, read_turning, turning_parts),
}


def use_text(table: CrashAndGrab, use: int) -> str:
    """An upgrade and its target."""
    card, target = divmod(use, rules.TARGETS)
    name = w.UPGRADE.say(table, card)
    return f"{name} {TARGETS[card].say(table, target)}" if card in TARGETS else name


def read_use(table: CrashAndGrab, words: str) -> int:
    """An upgrade with its target. The name is the longest beginning that is one."""
    parts = words.lower().split()
    for length in range(len(parts), 0, -1):
        try:
            card = w.UPGRADE.read(table, " ".join(parts[:length]))
        except CrashlabError:
            continue
        return rules.TARGETS * card + read_target(table, card, " ".join(parts[length:]))
    raise CrashlabError(f"an upgrade comes first, one of {some(w.CARD_NAMES)}, or 'no more'")


def read_target(table: CrashAndGrab, card: int, words: str) -> int:
    """What an upgrade is used on."""
    if card in TARGETS:
        return TARGETS[card].read(table, words)
    if words:
        raise CrashlabError(f"{w.CARD_NAMES[card]} has no target, so {shown(words)} says too much")
    return 0


def use_parts(table: CrashAndGrab, use: int) -> dict[str, object]:
    """The upgrade and its target."""
    card, target = divmod(use, rules.TARGETS)
    named = {w.UPGRADE.name: w.UPGRADE.tell(table, card)}
    return {**named, **TARGETS[card].parts(table, target)} if card in TARGETS else named


USE = Answer(use_text, read_use, use_parts)
