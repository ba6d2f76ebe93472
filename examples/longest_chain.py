"""The longest chain of pushes: six saucers at random in two rows of random boards; in which flight are most hit?

python examples/longest_chain.py [FOLDER]
"""

import sys
from pathlib import Path

import crashlab

BOARDS = 200
game = crashlab.game("crash_and_grab", players=6)


def random_position(seed: int, plan: str) -> crashlab.State:
    """Six saucers on a random board, none on an accelerator; red has this plan and flies first."""
    start, rng = game.start(seed), crashlab.Random(seed)
    upper = rng.below(9)  # in two neighbouring rows they meet more often
    near = [(row, column) for row in (upper, upper + 1) for column in range(10)]
    spaces = rng.shuffled([space for space in near if space not in start.accelerators])[:6]
    saucers = {name: {"space": list(space), "plan": "0-5^"} for name, space in zip(start.saucers, spaces, strict=True)}
    saucers["red"]["plan"] = plan
    return game.read({"tiles": start.to_dict()["tiles"], "saucers": saucers, "phase": "rotation"})


def hits(turn: crashlab.Turn) -> int:
    """Count the saucers that are hit: notes of the rule on collisions."""
    return sum(event.rule == "CG-M3" and event.field is None for event in turn.events)


turns = [random_position(seed, plan).play("clockwise") for seed in range(BOARDS) for plan in ("2>", "3>", "2<", "3<")]
longest = max(turns, key=hits)

print(f"{len(turns)} flights; so many of them hit 0, 1, 2 ... saucers:")
print([sum(hits(turn) == number for turn in turns) for number in range(6)])
print("\nThe longest chain:")
for event in longest.events:
    if event.field == "cell" or (event.rule == "CG-M3" and event.field is None):
        print(event)

if len(sys.argv) > 1:
    folder = Path(sys.argv[1])
    (folder / "chain.svg").write_text(longest.svg(), encoding="utf-8")
    (folder / "chain.gif").write_bytes(longest.gif())
    print(f"\nchain.svg and chain.gif are in {folder}")
