"""What the lessons of algorithms, 40 to 49, have prepared: positions, how they are reached, and their exercises.

One file a lesson, named by its subject, and `cities` for those that go through streets. The algorithms themselves stand
in the notebooks.
"""

NAMES: tuple[str, ...] = (
    "shortest_paths",
    "fixed_points",
    "union_find",
    "minimax",
    "retrograde",
    "chance",
    "tree_search",
    "equilibria",
    "learning",
    "verification",
)
