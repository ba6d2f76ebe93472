"""What the lessons of algorithms, 40 to 49, have prepared, and lesson 20: positions, how they are reached, exercises.

One file a lesson, named by its subject, and `cities` for those that go through streets; `example_rules` has an example
of rules of one's own for each game. The algorithms themselves stand in the notebooks.
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
    "your_own_rule",
)
