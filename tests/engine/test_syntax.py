"""Parsing Python into a syntax tree."""

import ast
import gc
import sys
import threading
import time

import pytest

from crashlab.base.syntax import expression_tree, module_tree

TEXT = "def total(row):\n" + "\n".join(f"    x{i} = (row[{i}] + {i}) if row else [row, (row, {i})]" for i in range(30))


@pytest.fixture
def interrupted():
    """Let Python switch threads in the middle of any code that makes objects."""

    def rest(phase, info):
        time.sleep(0)

    before, interval = gc.get_threshold(), sys.getswitchinterval()
    gc.callbacks.append(rest)
    gc.set_threshold(20)
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)
    gc.set_threshold(*before)
    gc.callbacks.remove(rest)


def test_a_tree_is_made_in_one_thread_at_a_time(interrupted):
    """A thread of a tournament parses a user's rules while the page parses others."""
    expected, wrong = ast.dump(module_tree(TEXT)), []

    def read():
        for _ in range(20):
            try:
                if ast.dump(module_tree(TEXT)) != expected:
                    wrong.append("another tree")
            except Exception as error:
                wrong.append(repr(error))

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_an_expression_is_the_one_that_is_written():
    assert ast.unparse(expression_tree("fib( 5 )")) == "fib(5)"
    with pytest.raises(SyntaxError):
        expression_tree("n = 5")
