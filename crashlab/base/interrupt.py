"""Let Ctrl-C end the `crashlab` command without a traceback while the package is still being imported.

The command is a function of this package, so the whole package is imported before its first line runs. Therefore this
module is imported first; it does nothing if the package is not imported for the command.
"""

import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

INTERRUPTED = 130  # exit status of an interrupted command


def end(*_: object) -> None:
    """Exit immediately, because nothing has been done yet."""
    os._exit(INTERRUPTED)


def is_command() -> bool:
    """Return whether this process was started as `crashlab` or `python -m crashlab`."""
    program = sys.argv[0] if getattr(sys, "argv", None) else ""
    if program == "-m":
        return any(one == ("-m", "crashlab") for one in zip(sys.orig_argv, sys.orig_argv[1:], strict=False))
    return Path(program).stem in ("crashlab", "crashlab-script")


def quiet() -> None:
    """Make Ctrl-C exit the command; other programs keep their handler."""
    if is_command() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        with suppress(ValueError):  # not in the main thread
            signal.signal(signal.SIGINT, end)


def usual() -> None:
    """Make Ctrl-C raise KeyboardInterrupt again."""
    if signal.getsignal(signal.SIGINT) is end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


quiet()
