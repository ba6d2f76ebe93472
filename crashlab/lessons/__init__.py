"""What the lessons of algorithms, 40 to 49, have prepared: positions, how they are reached, and their exercises.

One file a lesson, named by its subject. The algorithms themselves stand in the notebooks.
"""

NAMES: tuple[str, ...] = ("chance", "tree_search", "learning")
