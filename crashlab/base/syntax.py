"""Text of Python as a tree, in one thread at a time.

Python 3.11 counts for all threads together how deep a tree is that it makes. A thread that makes one while another is
in the middle of its own leaves the count wrong, and that one fails with `AST constructor recursion depth mismatch`.
"""

import ast
from threading import RLock

_one_at_a_time = RLock()


def module_tree(text: str, file: str = "<unknown>") -> ast.Module:
    """What is written in a text."""
    with _one_at_a_time:
        return ast.parse(text, file)


def expression_tree(text: str) -> ast.expr:
    """The expression that is written in a text."""
    with _one_at_a_time:
        return ast.parse(text, mode="eval").body
