"""Puzzles: positions in which one action is proven to be clearly the best.

    problem     a puzzle, many of them to choose from, and that of the day; they lie in `stored`
    claims      what is claimed of the best action, and its proof
    mining      where puzzles come from
    standing    the rating of who solves them
    paper       six of them on a page
"""
