"""Two rulebooks: Crash by Crash was printed in Czech and in English, and the two texts do not say the same.

    python examples/two_rulebooks.py

The same positions, and the same actions, in both editions: what is allowed, and what does it bring?
"""

import crashlab

TWO_BELLS = "bells 2.4 1.7 5.0 5.5 4.11 6.4 7.9 9.1 11.6 10.10; blue 6.3; orange 4.6 11.1"
POSITIONS = {
    "a magnet pulls two cars onto bells": (TWO_BELLS, "magnet 6.5"),
    "the operator pushes a car of its owner off": ("operator 8.10; blue 14.0 8.12; orange 14.12", "walk E E"),
    "a car takes a Free Ride onto a bell": ("blue 6.3; orange 14.12; hands A Ride", "play Ride 6.3 6.4"),
}


def comes_of(state: crashlab.State, action: str) -> str:
    """Return the points that an action of blue brings, or the reason why it cannot be played."""
    if reason := state.refusal(0, action):
        return f"refused: {reason}"
    blue, orange = state.play(action).after.scores
    return f"blue {blue}, orange {orange}"


game = crashlab.game("crash_by_crash")
for title, (position, action) in POSITIONS.items():
    print(f"{title}: {action}")
    for edition in ("czech", "english"):
        print(f"  {edition:7}", comes_of(game.changed(edition=edition).read(position), action))

print("\nWhat the rulebook says of it:")
for rule in game.rulebook:
    for edition, words in rule.editions if rule.id in ("CB-E3", "CB-O2", "CB-K3") else ():
        print(f"  {rule.id} {edition:7} {words}")
