"""Ctrl-C while the `crashlab` command is still being loaded ends it without a traceback, as it does later.

The command is a function of this package, so all that the package imports comes before its first line. What is imported
first is therefore this module: it looks whether the package is loaded for the command, and changes nothing otherwise.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

INTERRUPTED = 130  # the exit status that says so


def end(*_: object) -> None:
    """End at once; nothing has been done yet."""
    os._exit(INTERRUPTED)


def is_command() -> bool:
    """Whether this process was begun by the script `crashlab`, or by `python -m crashlab`, which is found right now."""
    begun = sys.argv[0] if getattr(sys, "argv", None) else ""
    if begun == "-m":
        return any(one == ("-m", "crashlab") for one in zip(sys.orig_argv, sys.orig_argv[1:], strict=False))
    return Path(begun).stem in ("crashlab", "crashlab-script")


def quiet() -> None:
    """From now on Ctrl-C ends the command; any other program keeps what it has."""
    if is_command() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        with suppress(ValueError):  # not in the main thread
            signal.signal(signal.SIGINT, end)


def usual() -> None:
    """From now on Ctrl-C is a KeyboardInterrupt again."""
    if signal.getsignal(signal.SIGINT) is end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


quiet()
