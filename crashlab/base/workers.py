"""Work for other threads, or for the workers of any `concurrent.futures.Executor`."""

import os
from collections.abc import Callable, Generator, Sequence
from concurrent import futures
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from threading import Thread
from typing import Any, TypeVar

from crashlab.base.errors import CrashlabError, short_str

T = TypeVar("T")

FINEST = 16  # the last pieces have at least 1 / FINEST of the size of a full piece
MOST_PIECES = 64  # maximum number of pieces into which games are divided for an executor


class Here(Executor):
    """An executor without workers: every call runs immediately, in this thread."""

    def submit(self, call: Callable[..., T], /, *args: Any, **named: Any) -> Future[T]:
        """Run the call now, and return its finished future."""
        future: Future[T] = Future()
        try:
            future.set_result(call(*args, **named))
        except BaseException as error:  # raised where the result is requested
            future.set_exception(error)
        return future


def pool(threads: int) -> Executor:
    """Return an executor with this number of threads; `Here` if no thread can be started, as in a browser."""
    first = Thread(target=int)
    try:
        first.start()
    except RuntimeError:
        return Here()
    first.join()
    return ThreadPoolExecutor(threads)


MANY = 16  # number of workers if an executor does not report it


def crowd(workers: Any) -> int:
    """Return the number of workers of an executor or a Dask client; MANY if it is not reported."""
    try:
        count = sum(workers.ncores().values()) if hasattr(workers, "ncores") else workers._max_workers
    except Exception:  # any class may fail in any way, and the number is only a hint
        count = None
    return max(count, 1) if isinstance(count, int) else MANY


def executor_of(workers: Any) -> Any:
    """Return the executor of a Dask client, anything else unchanged."""
    if not callable(getattr(workers, "get_executor", None)):
        return workers
    try:
        return workers.get_executor()
    except Exception as error:
        raise gave_up(error) from error


def is_executor(workers: Any) -> bool:
    """Return whether an object is an executor."""
    return callable(getattr(workers, "submit", None))


def done_by(executor: Executor, calls: Sequence[Callable[[], T]], kind: type[T]) -> Generator[tuple[int, T]]:
    """Yield the index and the result of each call, in the order in which they finish.

    A result that is not of type `kind`, or any failure of the workers, raises CrashlabError; calls not yet started
    are then cancelled.
    """
    places: dict[Future[T], int] = {}
    try:
        for place, call in enumerate(calls):
            places[checked(executor.submit(call), Future)] = place
        for future in futures.as_completed(places):
            yield places[future], checked(future.result(), kind)
    except CrashlabError:
        raise
    except Exception as error:
        raise gave_up(error) from error
    finally:
        for future in places:
            future.cancel()


def gave_up(error: Exception) -> CrashlabError:
    """Return the error about workers that failed."""
    return CrashlabError(
        f"the workers failed: {type(error).__name__}: {short_str(error)}. Everything sent to them, agents"
        " included, must be importable there"
    )


def checked(value: Any, kind: type) -> Any:
    """Return a value from an executor; raise TypeError if it is not an instance of `kind`."""
    if not isinstance(value, kind):
        raise TypeError(f"they returned {type(value).__name__}, but {kind.__name__} was expected")
    return value


def cores() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def share(rest: int, most: int, threads: int) -> int:
    """Return the size of the next piece of games: smaller towards the end, so that all threads finish together."""
    even = -(-rest // (2 * threads)) if threads > 1 else rest
    return min(rest, most, max(even, most // FINEST))


def cut(games: int, workers: int) -> list[int]:
    """Return the sizes of pieces: few, as sending one takes time, and small at the end, so that all finish together."""
    least = -(-games // MOST_PIECES)
    sizes = []
    while games > 0:
        sizes.append(min(games, max(games // (2 * workers), least)))
        games -= sizes[-1]
    return sizes
