"""Work for others: it is sent to threads, or to the workers of any `concurrent.futures.Executor`, wherever they are."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from concurrent import futures
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from threading import Thread
from typing import Any, TypeVar

from crashlab.base.errors import CrashlabError, told

T = TypeVar("T")

FINEST = 16  # a piece at the end is not smaller than this part of one in the middle
MOST_PIECES = 64  # into which the games are cut for workers elsewhere, at most


class Here(Executor):
    """Nobody else: whatever is sent is done at once."""

    def submit(self, call: Callable[..., T], /, *args: Any, **named: Any) -> Future[T]:
        """Do it."""
        done: Future[T] = Future()
        try:
            done.set_result(call(*args, **named))
        except BaseException as error:  # it comes out where the result is asked for
            done.set_exception(error)
        return done


def pool(threads: int) -> Executor:
    """So many threads; where none can be started, as for Python in a browser, there is nobody else."""
    first = Thread(target=int)
    try:
        first.start()
    except RuntimeError:
        return Here()
    first.join()
    return ThreadPoolExecutor(threads)


MANY = 16  # workers, where nobody knows how many there are


def crowd(workers: Any) -> int:
    """How many can work at once, as far as an executor or a Dask client tells."""
    told = getattr(workers, "ncores", None)
    try:
        known = sum(told().values()) if callable(told) else workers._max_workers
    except Exception:  # each kind fails in its own way, and it is but a guess
        known = None
    return max(known, 1) if isinstance(known, int) else MANY


def executor_of(workers: Any) -> Any:
    """The executor of a Dask client; anything else as it is."""
    if not callable(getattr(workers, "get_executor", None)):
        return workers
    try:
        return workers.get_executor()
    except Exception as error:
        raise gave_up(error) from error


def is_executor(workers: Any) -> bool:
    """Whether work can be sent to it."""
    return callable(getattr(workers, "submit", None))


def done_by(executor: Executor, calls: Sequence[Callable[[], T]], kind: type[T]) -> Generator[tuple[int, T]]:
    """What comes of each call, which is of this kind, with its place among the calls, as they are finished.

    Whatever goes wrong with the workers is a CrashlabError; what they have not begun by then is cancelled.
    """
    sent: dict[Future[T], int] = {}
    try:
        for place, call in enumerate(calls):
            sent[checked(executor.submit(call), Future)] = place
        for future in futures.as_completed(sent):
            yield sent[future], checked(future.result(), kind)
    except CrashlabError:
        raise
    except Exception as error:
        raise gave_up(error) from error
    finally:
        for future in sent:
            future.cancel()


def gave_up(error: Exception) -> CrashlabError:
    """What went wrong with the workers, in words."""
    return CrashlabError(
        f"the workers gave up: {type(error).__name__}: {told(error)}. What is sent to them, agents too, must be"
        " importable there"
    )


def checked(given: Any, kind: type) -> Any:
    """What an executor gave; refused if it is of another kind."""
    if not isinstance(given, kind):
        raise TypeError(f"they gave {type(given).__name__} where {kind.__name__} was expected")
    return given


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def share(left: int, most: int, threads: int) -> int:
    """How many games of those that are left make the next piece: fewer towards the end, so that all end together."""
    even = -(-left // (2 * threads)) if threads > 1 else left
    return min(left, most, max(even, most // FINEST))


def cut(games: int, workers: int) -> list[int]:
    """The sizes of the pieces: few, since each takes time to send, and small in the end, so that all end together."""
    least = -(-games // MOST_PIECES)
    sizes = []
    while games > 0:
        sizes.append(min(games, max(games // (2 * workers), least)))
        games -= sizes[-1]
    return sizes
