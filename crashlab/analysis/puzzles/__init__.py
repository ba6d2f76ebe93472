"""Puzzles: positions in which one action is proven to be clearly the best.

puzzle          a puzzle
collection      many of them to choose from, and that of the day; they lie in `stored`
proof           what is claimed of the best action, and how it is known
continuation    what comes of an answer
solver_rating   the rating of who solves them
worksheet       six of them on a page
"""
