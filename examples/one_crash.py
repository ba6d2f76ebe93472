"""One crash: set up a position, play it, read the events, ask for a reason, and save pictures for a slide.

python examples/one_crash.py [FOLDER]
"""

import sys
from pathlib import Path

import crashlab

game = crashlab.game("autoscooter")
state = game.read({"cars": {"1": "21E2", "2": "23SE2"}})
turn = state.play({0: "1 FFF", 1: "82 FF"})

print(turn)
print("\nWhy did car 2 end in the barrier?")
crash = next(event for event in turn.events if event.rule == "AS-C5")
print(turn.why(crash))

if len(sys.argv) > 1:
    folder = Path(sys.argv[1])
    (folder / "crash.svg").write_text(turn.svg(), encoding="utf-8")
    (folder / "crash.gif").write_bytes(turn.gif())
    print(f"\ncrash.svg and crash.gif are in {folder}")
