"""Work for others: it is sent to threads, or to the workers of any `concurrent.futures.Executor`, wherever they are."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from concurrent import futures
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from threading import Thread
from typing import Any, TypeVar

from crashlab.base.errors import CrashlabError, told

T = TypeVar("T")


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
