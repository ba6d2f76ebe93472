"""The effect of a house rule: 200 games of random drivers for each value of `standstill`, from the same seed.

python examples/house_rule.py
"""

import crashlab

rules = crashlab.compare(crashlab.game("autoscooter", players=8), "standstill", games=200)
print(rules)
more, margin = rules.difference("AS-C4", "pivot_first", "about_face")
print(f"A car that pivots first instead of turning about has {more:.1f} ± {margin:.1f} more side crashes a game.")
