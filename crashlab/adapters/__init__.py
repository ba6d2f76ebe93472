"""Adapters: the games as environments of other libraries, and as arrays.

pyspiel_game    a game or position as a game of OpenSpiel (extra `openspiel`)
pettingzoo_env  an AEC environment of PettingZoo, for several learners (extra `pettingzoo`)
parallel_env    a parallel environment of PettingZoo (extra `pettingzoo`)
gymnasium_env   an environment of Gymnasium: one seat against agents (extra `gymnasium`)
batch_env       many games at once as arrays, played by compiled code (no extra)

In all adapters, choices are numbers (see `crashlab.adapters.numbered_choices`). The other library is imported on first
use of its adapter.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from crashlab.base.errors import CrashlabError, install_hint

if TYPE_CHECKING:
    from crashlab.adapters.batch import batch_env
    from crashlab.adapters.gymnasium import gymnasium_env
    from crashlab.adapters.openspiel import pyspiel_game
    from crashlab.adapters.pettingzoo import parallel_env, pettingzoo_env

HOMES = {  # module and extra of each adapter
    "pyspiel_game": ("openspiel", "openspiel"),
    "pettingzoo_env": ("pettingzoo", "pettingzoo"),
    "parallel_env": ("pettingzoo", "pettingzoo"),
    "gymnasium_env": ("gymnasium", "gymnasium"),
    "batch_env": ("batch", ""),
}
LIBRARIES = ("pyspiel", "pettingzoo", "gymnasium")  # PettingZoo depends on Gymnasium
__all__ = ["batch_env", "gymnasium_env", "parallel_env", "pettingzoo_env", "pyspiel_game"]


def __getattr__(name: str) -> Any:
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home, extra = HOMES[name]
    try:
        return getattr(import_module(f"{__name__}.{home}"), name)
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        if library not in LIBRARIES:
            raise
        raise CrashlabError(f"{name} needs {library}: {install_hint(library, extra)}") from error


def __dir__() -> list[str]:
    return [*globals(), *__all__]
