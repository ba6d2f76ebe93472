"""The games. A game is a folder whose modules offer the same names; nothing outside knows which game it serves.

In each folder, to be read in this order:

    rulebook.toml   every rule: id, title, text, mark, source; the names of the numbers of a note
    state           the table, declared once; set-up; what is always true
    rules           who decides, what is legal, what an action does, the score; beside it, where they are wanted:
                    evaluate (how a position stands), endgame, legal_shortcuts (what is legal, found sooner)
    notation        things and actions as text and back, and why an action is refused
    positions       positions as text and back, what a state tells, and why a position cannot be
    text            what happens, in words, and what a seat sees of it
    render          a table as shapes, what flies and flashes; where it is much, a folder: layout, sprites, panel ...
    ui              what a person is asked at the board, and can predict or change
    poster          the rules in pictures
    baselines       agents for a student to beat, one after another

In `positions`, `text`, `render` and `ui`, `t` is the state, whose table everything is about, and `w` the words of
`notation`; `asked` is the seat that decides.

`crashlab.engine.contract` says as types what each module offers, and what a game need not say.

A fifth game is one new folder and one more name in this list; CONTRIBUTING.md says how to make it.
"""

from __future__ import annotations

import sys
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, overload

from crashlab.base.errors import CrashlabError, shown
from crashlab.engine.game import Game
from crashlab.engine.options import Value

if TYPE_CHECKING:  # a state has what its game tells of it: so a checker knows `state.cars`, and refuses `state.legal()`
    from crashlab.engine.game import State
    from crashlab.games.autoscooter.positions import Facts as Autoscooter
    from crashlab.games.crash_and_grab.positions import Facts as CrashAndGrab
    from crashlab.games.crash_by_crash.positions import Facts as CrashByCrash
    from crashlab.games.crash_city.positions import Facts as CrashCity

    class AutoscooterState(State, Autoscooter):
        """A state of this game."""

        @cached_property
        def facts(self) -> Autoscooter: ...

    class CrashAndGrabState(State, CrashAndGrab):
        """A state of this game."""

        @cached_property
        def facts(self) -> CrashAndGrab: ...

    class CrashByCrashState(State, CrashByCrash):
        """A state of this game."""

        @cached_property
        def facts(self) -> CrashByCrash: ...

    class CrashCityState(State, CrashCity):
        """A state of this game."""

        @cached_property
        def facts(self) -> CrashCity: ...


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
    """The game of this name, with these options.

    Parameters
    ----------
    name : str
        The name of the game: see `crashlab.games()`.
    **options : Value
        Options of the game; those that are not named have their defaults.

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
        raise CrashlabError(f"there is no game {shown(name)}; the games are {', '.join(NAMES)}")
    return Game(name, f"crashlab.games.{name}", options)


sys.modules[__name__].__class__ = Games
