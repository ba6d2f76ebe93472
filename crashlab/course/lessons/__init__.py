"""Material of the lessons on algorithms, 40 to 49, and of lesson 20: positions, the code that builds them, exercises.

Each lesson has one file, named after its subject; NAMES lists these files. `cities` is shared by lessons about streets;
`example_rules` has a house rule for each game as an example. The algorithms are in the notebooks.
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
