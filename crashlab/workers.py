"""Work for others: it is sent to the workers of any `concurrent.futures.Executor`, wherever they are."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from concurrent import futures
from concurrent.futures import Executor, Future
from typing import Any, TypeVar

from crashlab.errors import CrashlabError, told

T = TypeVar("T")


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
