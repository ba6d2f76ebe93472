"""The figures of a running cell, while widgets send messages from another thread."""

import threading

import pytest
from IPython.core.events import EventManager, available_events

from crashlab.lab import matplotlib_figures
from crashlab.lab.matplotlib_figures import Trigger


@pytest.fixture
def shell(monkeypatch):
    """Return a shell with events only that records when figures would be closed."""

    class Shell:
        closed: list[str]

    shell = Shell()
    shell.events, shell.closed = EventManager(shell, available_events), []
    shell.events.register("post_execute", lambda: shell.closed.append("closed"))
    monkeypatch.setattr(matplotlib_figures, "get_ipython", lambda: shell)
    matplotlib_figures.keep_open()
    return shell


def begin_cell(shell):
    shell.events.trigger("pre_execute")
    shell.events.trigger("pre_run_cell", None)


def end_cell(shell):
    shell.events.trigger("post_execute")
    shell.events.trigger("post_run_cell", None)


def message(shell):
    """Trigger the events of a kernel that handles a widget's message."""
    shell.events.trigger("pre_execute")
    shell.events.trigger("post_execute")


def elsewhere(work, *arguments):
    thread = threading.Thread(target=work, args=arguments)
    thread.start()
    thread.join()


def test_a_message_from_another_thread_closes_no_figure_of_a_running_cell(shell):
    begin_cell(shell)
    elsewhere(message, shell)
    assert shell.closed == []
    end_cell(shell)
    assert shell.closed == ["closed"]


def test_nor_does_one_that_the_cell_lets_in_while_it_waits(shell):
    begin_cell(shell)
    message(shell)
    assert shell.closed == []
    end_cell(shell)
    assert shell.closed == ["closed"]


def test_a_cell_that_ends_during_a_message_closes_its_figures(shell):
    begin_cell(shell)
    arrived, over = threading.Event(), threading.Event()

    def slow_message():
        shell.events.trigger("pre_execute")
        arrived.set()
        over.wait()
        shell.events.trigger("post_execute")

    thread = threading.Thread(target=slow_message)
    thread.start()
    arrived.wait()
    end_cell(shell)
    assert shell.closed == ["closed"]
    over.set()
    thread.join()


def test_a_message_that_ends_while_a_cell_shows_its_figures_does_not_show_them_too(shell):
    """A figure must not be drawn by two threads."""
    shell.events.register("post_execute", lambda: shell.closed.count("closed") == 1 and elsewhere(message, shell))
    begin_cell(shell)
    end_cell(shell)
    assert shell.closed == ["closed"]


def test_a_cell_begins_when_a_message_has_shown_its_figures(shell):
    order, cell = [], threading.Thread(target=lambda: (begin_cell(shell), order.append("cell")))

    def slow():
        cell.start()
        cell.join(0.1)  # the cell waits for this message
        order.append("shown")

    shell.events.register("post_execute", slow)
    elsewhere(message, shell)
    cell.join()
    assert order == ["shown", "cell"]


def test_a_figure_that_a_message_draws_is_shown_at_once_when_no_cell_runs(shell):
    elsewhere(message, shell)
    message(shell)
    assert shell.closed == ["closed", "closed"]


def test_a_cell_within_a_cell_closes_its_own(shell):
    begin_cell(shell)
    begin_cell(shell)
    end_cell(shell)
    assert shell.closed == ["closed"]
    elsewhere(message, shell)
    assert shell.closed == ["closed"]
    end_cell(shell)
    assert shell.closed == ["closed", "closed"]


def test_it_may_begin_in_the_middle_of_a_cell(shell):
    end_cell(shell)  # the cell that has imported the module
    assert shell.closed == ["closed"]


def test_it_is_there_once(shell):
    first = shell.events.trigger
    matplotlib_figures.keep_open()
    assert shell.events.trigger is first and isinstance(first, Trigger)


def test_without_a_notebook_nothing_is_changed(monkeypatch):
    monkeypatch.setattr(matplotlib_figures, "get_ipython", lambda: None)
    matplotlib_figures.keep_open()
