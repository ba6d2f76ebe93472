"""The games: a folder for each, whose modules offer the same names; no other code depends on a particular game.

In each folder, to be read in this order:

    rulebook.toml   every rule: id, title, text, mark, source; the names of the numbers of a note
    state           the table, declared once; set-up; invariants
    rules           seats to decide, legal actions, effects of an action, the score; beside it, in some games:
                    evaluate (heuristics), endgame, legal_shortcuts (legal actions, computed faster)
    notation        things and actions as text and back, and the reasons for a refusal
    positions       positions as text and back, the public facts of a state, and the errors of a position
    text            events as sentences, and the events hidden from a seat
    render          a table as shapes, and effects that fly and flash; if long, a folder: layout, sprites, panel ...
    ui              the prompts on the board: actions, predictions, edits
    poster          the rules in pictures
    baselines       agents for a student to beat, one after another

In `positions`, `text`, `render` and `ui`, `t` is the module `state`, and `w` is the module `notation`.

`crashlab.engine.contract` defines, as types, the names that each module offers, and those that a game may leave out.

A fifth game is one new folder and one more name in NAMES; CONTRIBUTING.md explains how to make it.
"""

from __future__ import annotations

import sys
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, overload

from crashlab.base.errors import CrashlabError, short_repr
from crashlab.engine.game import Game
from crashlab.engine.options import Value

if TYPE_CHECKING:  # so that a type checker knows `state.cars`, and refuses `state.legal()`
    from crashlab.engine.game import State
    from crashlab.games.autoscooter.positions import Facts as Autoscooter
    from crashlab.games.crash_and_grab.positions import Facts as CrashAndGrab
    from crashlab.games.crash_by_crash.positions import Facts as CrashByCrash
    from crashlab.games.crash_city.positions import Facts as CrashCity

    class AutoscooterState(State, Autoscooter):
        """A state of Autoscooter."""

        @cached_property
        def facts(self) -> Autoscooter: ...

    class CrashAndGrabState(State, CrashAndGrab):
        """A state of Crash & Grab."""

        @cached_property
        def facts(self) -> CrashAndGrab: ...

    class CrashByCrashState(State, CrashByCrash):
        """A state of Crash by Crash."""

        @cached_property
        def facts(self) -> CrashByCrash: ...

    class CrashCityState(State, CrashCity):
        """A state of CrashCity."""

        @cached_property
        def facts(self) -> CrashCity: ...


NAMES = ("autoscooter", "crash_and_grab", "crash_by_crash", "crash_city")


class Games(ModuleType):
    """This package, which is also callable: `crashlab.games()`."""

    def __call__(self) -> tuple[str, ...]:
        """Return the names of all games.

        >>> crashlab.games()
        ('autoscooter', 'crash_and_grab', 'crash_by_crash', 'crash_city')
        """
        return NAMES


@overload  # so that a type checker knows the public facts of each game's states
def game(name: Literal["autoscooter"], /, **options: Value) -> Game[AutoscooterState]: ...


@overload
def game(name: Literal["crash_and_grab"], /, **options: Value) -> Game[CrashAndGrabState]: ...


@overload
def game(name: Literal["crash_by_crash"], /, **options: Value) -> Game[CrashByCrashState]: ...


@overload
def game(name: Literal["crash_city"], /, **options: Value) -> Game[CrashCityState]: ...


@overload
def game(name: str, /, **options: Value) -> Game: ...


def game(name: str, /, **options: Value) -> Game[Any]:
    """Return the game of this name, with these options.

    Parameters
    ----------
    name : str
        The name of the game: see `crashlab.games()`.
    **options : Value
        Options of the game; the others have their defaults.

    Returns
    -------
    Game[Any]
        The game.

    Examples
    --------
    >>> crashlab.game("autoscooter", players=2, standstill="none")
    game('autoscooter', players=2, standstill='none')
    """
    if not isinstance(name, str) or name not in NAMES:
        raise CrashlabError(f"there is no game {short_repr(name)}; the games are {', '.join(NAMES)}")
    return Game(name, f"crashlab.games.{name}", options)


sys.modules[__name__].__class__ = Games
