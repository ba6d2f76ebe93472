"""Play in the terminal against players who do anything at random. You have the first seat.

    python examples/play_in_terminal.py [GAME] [SEED]

Write an action in notation, such as the plot `17 FLF`; `?` for the list of all of them, nothing for one at random,
`help` for the notation, `quit` to stop.
"""

import sys

import crashlab
from crashlab import Match, agents


def ask(state, dice):
    """Ask for an action of seat 0 until it is legal, and return it; None to stop."""
    actions = state.actions(0)
    print(f"\n{state.seen_by(0)}\nyours are {len(actions)} actions: {actions[0]} to {actions[-1]}")
    while True:
        try:
            words = input(f"{state.game.seat_name(0)}> ").strip()
        except EOFError:
            return None
        if words == "quit":
            return None
        if words == "help":
            print(state.game.notation)
        elif words == "?":
            print(*actions, sep="; ")
        elif not words:
            return dice.choice(actions)
        elif reason := state.refusal(0, words):
            print("no:", reason)
        else:
            return words


def play(match, dice):
    """Play on until the game is over, or you have had enough."""
    while not match.state.over:
        yours = 0 in match.state.actors
        action = ask(match.state, dice) if yours else None
        if yours and action is None:
            return
        for event in match.play(action).seen_by(0):  # what the others keep secret stays secret
            print(event)


if __name__ == "__main__":
    arguments = dict(enumerate(sys.argv))
    try:
        game, seed = crashlab.game(arguments.get(1, "autoscooter")), int(arguments.get(2, 1))
    except ValueError as error:  # a CrashlabError is one
        sys.exit(f"{error}\n{__doc__}\nGAME is one of {', '.join(crashlab.games())}.")
    match = Match(game, {seat: agents.random(seat) for seat in game.seats[1:]}, seed)
    play(match, crashlab.Random(seed))
    print("\nscores:", match.state.scores, "winners:", [game.seat_name(seat) for seat in match.state.winners])
