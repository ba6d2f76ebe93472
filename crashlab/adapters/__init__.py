"""Adapters: the games as environments of other libraries, each an extra of its own.

pyspiel_game    any game or position as a game of OpenSpiel (extra `openspiel`)

All choose by number: see `crashlab.adapters.step`. The other library is imported when its adapter is asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from crashlab.errors import CrashlabError

if TYPE_CHECKING:
    from crashlab.adapters.openspiel import pyspiel_game

HOMES = {  # where an adapter is, what it needs, and the extra that brings it
    "pyspiel_game": ("openspiel", "pyspiel", "openspiel"),
}
__all__ = ["pyspiel_game"]


def __getattr__(name: str) -> Any:
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home, library, extra = HOMES[name]
    try:
        return getattr(import_module(f"{__name__}.{home}"), name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != library:
            raise
        raise CrashlabError(f"{name} needs {library}: pip install 'crashlab[{extra}]'") from error


def __dir__() -> list[str]:
    return [*globals(), *__all__]
