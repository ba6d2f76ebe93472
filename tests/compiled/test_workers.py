"""Executors that fail in every possible way: their callers get one clear error, or the finished part."""

import os
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import pytest

import crashlab
from crashlab import CrashlabError, compare, simulate, tournament

GAME = crashlab.game("autoscooter", players=2)


def first(state, seat):
    return state.actions(seat)[0]


def ended(state, seat):
    os._exit(3)


def simulated(workers, agent=first):
    return simulate(GAME, 4, agents=agent, workers=workers)


def compared(workers, agent=first):
    return compare(GAME, "standstill", games=4, agents=agent, workers=workers)


def played(workers, agent=first):
    return tournament(GAME, {"a": agent, "b": first}, games=4, workers=workers)


every_sender = pytest.mark.parametrize("send", [simulated, compared, played])


def shut_down():
    with ThreadPoolExecutor(1) as threads:
        return threads


class Unfit:
    """An executor in name only."""

    def submit(self, call):
        return self.queue.put(call)


class Lying:
    """An executor whose results are of another kind."""

    def submit(self, call):
        future = Future()
        future.set_result("nothing")
        return future


class Promising:
    """An executor whose calls return no future."""

    def submit(self, call):
        return call()


class Lost:
    """A client that has lost its cluster."""

    def get_executor(self):
        raise ConnectionError("nobody there")


class Filling:
    """An executor that accepts only two calls."""

    def __init__(self):
        self.taken = []

    def submit(self, call):
        if len(self.taken) == 2:
            raise RuntimeError("full")
        self.taken.append(Future())
        return self.taken[-1]


@every_sender
@pytest.mark.parametrize(
    ("workers", "words"),
    [
        (shut_down, "RuntimeError: cannot schedule new futures after shutdown"),
        (Unfit, "AttributeError: 'Unfit' object has no attribute 'queue'"),
        (Lying, "TypeError: they returned str, but \\w+ was expected"),
        (Promising, "TypeError: they returned \\w+, but Future was expected"),
        (Lost, "ConnectionError: nobody there"),
        (lambda: ThreadPoolExecutor, "TypeError: "),  # the class instead of an instance
    ],
)
def test_what_cannot_work_is_told_in_the_same_words_everywhere(send, workers, words):
    with pytest.raises(CrashlabError, match=f"^the workers failed: {words}.*Everything sent to them, agents included"):
        send(workers())


@every_sender
def test_what_cannot_be_sent_is_told(send):
    with ProcessPoolExecutor(1, get_context("spawn")) as processes:
        with pytest.raises(CrashlabError, match=r"the workers failed: .*must be importable there"):
            send(processes, lambda state, seat: None)


@every_sender
@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
def test_a_worker_that_ends_is_told(send):
    with ProcessPoolExecutor(1, get_context("fork")) as processes:
        with pytest.raises(CrashlabError, match="the workers failed: BrokenProcessPool: "):
            send(processes, ended)
        with pytest.raises(CrashlabError, match="the workers failed: BrokenProcessPool: "):
            send(processes)  # it stays broken


@every_sender
def test_what_was_sent_before_it_failed_is_cancelled(send):
    workers = Filling()
    with pytest.raises(CrashlabError, match="the workers failed: RuntimeError: full"):
        send(workers)
    assert len(workers.taken) == 2 and all(future.cancelled() for future in workers.taken)


class Interrupted:
    """An executor at whose third call the stop button is pressed, after two finished games."""

    def __init__(self):
        self.sent = []

    def submit(self, call):
        future = Future()
        if len(self.sent) < 2:
            future.set_result(call())
        elif len(self.sent) == 2:
            future.set_exception(KeyboardInterrupt())
        self.sent.append(future)
        return future


@pytest.mark.parametrize("send", [simulated, played])
def test_the_stop_button_leaves_what_is_done_and_cancels_the_rest(send, monkeypatch):
    monkeypatch.setattr("concurrent.futures.as_completed", list)  # in the order of submission
    workers = Interrupted()
    result = send(workers)
    assert "stopped; 4 were requested" in str(result) and all(future.cancelled() for future in workers.sent[3:])
