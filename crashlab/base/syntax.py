"""Parsing of Python source, in one thread at a time.

Python 3.11 has one counter for the depth of the trees that all threads build. If two threads parse at the same time,
the counter is wrong, and one of them fails with `AST constructor recursion depth mismatch`.
"""

import ast
from threading import RLock

_one_at_a_time = RLock()


def module_tree(text: str, file: str = "<unknown>") -> ast.Module:
    """Parse the source of a module."""
    with _one_at_a_time:
        return ast.parse(text, file)


def expression_tree(text: str) -> ast.expr:
    """Parse an expression."""
    with _one_at_a_time:
        return ast.parse(text, mode="eval").body
