"""Play Autoscooter in the terminal against random drivers. You are driver A.

    python examples/play_in_terminal.py [SEED]

Write a plot such as `17 FLF`, `?` for the list of all plots, nothing for a random one, `quit` to stop.
"""

import sys

import crashlab
from crashlab import Match, agents


def ask(state):
    """The plot of seat 0, asked until it is legal; None to stop."""
    actions = state.actions(0)
    print(f"\nround {state.round}, chits {state.scores}\n{state.seen_by(0)}\nyour plots: {actions[0]} to {actions[-1]}")
    while True:
        try:
            words = input("plot> ").strip()
        except EOFError:
            return None
        if words == "quit":
            return None
        if words == "?":
            print(", ".join(map(str, actions)))
        elif not words:
            return crashlab.Random(state.round).choice(actions)
        elif reason := state.refusal(0, words):
            print("no:", reason)
        else:
            return words


if __name__ == "__main__":
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    match = Match(crashlab.game("autoscooter"), {seat: agents.random(seat) for seat in (1, 2, 3)}, seed)
    while not match.state.over and (plot := ask(match.state)) is not None:
        for event in match.play(plot).seen_by(0):  # the plans of the others stay secret
            print(event)
    print("\nchits:", match.state.scores, "winners:", [match.game.seat_name(seat) for seat in match.state.winners])
