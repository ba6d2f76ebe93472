"""The games. A game is a folder whose modules offer the same names; nothing outside knows which game it serves.

In each folder, to be read in this order:

    rulebook.toml   every rule: id, title, text, mark, source, and the names of the numbers of a note that cites it
    table           the state, declared once; set-up; what is always true
    rules           who decides, what is legal, what an action does, the score
    words           names of things
    decisions       what is decided, and how actions are written, read and refused
    position        positions as text, as JSON, and back
    secrets         what a seat sees, and what could be behind it
    events          what happens, in words
    facts           what a state tells by name
    look            a table as shapes; what flies and flashes
    ask             what a person is asked at the board
    rungs           agents for a student to beat, one after another

`contract` says as types what each module offers, and what a game need not say.

Where `look` or `ask` would be long, they are split in the same way in every game, and offer what the parts say: `board`
(where things are, and all that is still), `figures` (pieces), `panel` (beside the board), `effects` (also paths),
`predict` (questions), `edits`. Reasons that fill a file of their own are in `refusals` (why an action cannot be played)
and `impossible` (why a position cannot be).

A fifth game is one new folder and one more name in this list; CONTRIBUTING.md says how to make it.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, overload

from crashlab.base.errors import CrashlabError, shown
from crashlab.engine.game import Game
from crashlab.engine.options import Value

if TYPE_CHECKING:
    from crashlab.games.autoscooter.facts import Facts as Autoscooter
    from crashlab.games.crash_and_grab.facts import Facts as CrashAndGrab
    from crashlab.games.crash_by_crash.facts import Facts as CrashByCrash
    from crashlab.games.crash_city.facts import Facts as CrashCity

NAMES = ("autoscooter", "crash_and_grab", "crash_by_crash", "crash_city")


class Games(ModuleType):
    """This package, which can also be called: `crashlab.games()`."""

    def __call__(self) -> tuple[str, ...]:
        """The names of all games.

            >>> crashlab.games()
            ('autoscooter', 'crash_and_grab', 'crash_by_crash', 'crash_city')
        """
        return NAMES


@overload  # so that a type checker knows what the states of each game tell
def game(name: Literal["autoscooter"], /, **options: Value) -> Game[Autoscooter]: ...


@overload
def game(name: Literal["crash_and_grab"], /, **options: Value) -> Game[CrashAndGrab]: ...


@overload
def game(name: Literal["crash_by_crash"], /, **options: Value) -> Game[CrashByCrash]: ...


@overload
def game(name: Literal["crash_city"], /, **options: Value) -> Game[CrashCity]: ...


@overload
def game(name: str, /, **options: Value) -> Game[Any]: ...


def game(name: str, /, **options: Value) -> Game[Any]:
    """The game of this name, with these options.

        >>> crashlab.game("autoscooter", players=2, standstill="none")
        game('autoscooter', players=2, standstill='none')
    """
    if not isinstance(name, str) or name not in NAMES:
        raise CrashlabError(f"there is no game {shown(name)}; the games are {', '.join(NAMES)}")
    return Game(name, f"crashlab.games.{name}", options)


sys.modules[__name__].__class__ = Games
