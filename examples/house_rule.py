"""What a house rule does: 200 random games for each value of `standstill`.

    python examples/house_rule.py
"""

import crashlab

for value in ("none", "about_face", "pivot_first", "turn_anyway"):
    print(crashlab.simulate(crashlab.game("autoscooter", players=8, standstill=value), games=200), end="\n\n")
