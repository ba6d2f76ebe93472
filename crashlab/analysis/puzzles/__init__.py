"""Puzzles: positions in which one action is proven to be clearly the best.

puzzle          a puzzle
collection      the stored puzzles, and the puzzle of the day
proof           the claim about the best action, and its proof
continuation    the consequences of an answer
solver_rating   the rating of a solver
worksheet       six puzzles on a printed page
"""
