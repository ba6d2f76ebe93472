"""What a game declares for its poster: strips, each of which tells a few rules in one or two pictures.

A strip says where it begins and what is played there. The engine plays it, and the pictures are what came of it: so no
picture can be wrong, and one in which none of its rules does anything is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Plays = tuple[Mapping[int, str] | str, ...]  # of each turn the actions by seat, or the only one


@dataclass(frozen=True)
class Strip:
    """One strip of a poster. Without `plays` it shows one moment, with them the moments before and after.

    The picture after is that at which the last of `rules` in the last turn has done its work.
    """

    title: str
    words: str  # one to three short sentences
    rules: tuple[str, ...]
    position: Mapping[str, Any] | str
    plays: Plays = ()
    at: tuple[float, float] = (0.0, 0.0)  # the middle of what is shown of the game's picture
    wide: float = 0.0  # how much of it is shown, across; 0 for all of it
    tells: tuple[str, ...] = ()  # the events that are told below the pictures, each by some of its words
    since: int = 0  # the beat of the last turn after which the moment before is
