"""Naive second opinions on the hardest rules, never shipped, compared with the games under random play."""
