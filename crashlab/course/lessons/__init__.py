"""What the lessons of algorithms, 40 to 49, have prepared, and lesson 20: positions, how they are reached, exercises.

One file a lesson, named by its subject, in the order of the notebooks, and `cities` for those that go through streets;
`example_rules` has an example of rules of one's own for each game. The algorithms themselves stand in the notebooks.
"""

NAMES: tuple[str, ...] = (
    "shortest_paths",  # 40
    "fixed_points",  # 41
    "union_find",  # 42
    "minimax",  # 43
    "retrograde",  # 44
    "chance",  # 45
    "tree_search",  # 46
    "equilibria",  # 47
    "learning",  # 48
    "verification",  # 49
    "your_own_rule",  # 20
)
