"""Rush hour in CrashCity: how long it takes, and how many crashes, if all know the way to work; and if nobody does.

    python examples/rush_hour.py [GAMES]

The city is built at random.
"""

import sys
from zlib import crc32

import crashlab
from crashlab import agents

HALF_A_DRIVE = 0.03  # so much greater is the lead if a car is half a drive nearer to work


def commuter(state, seat):
    """Parks if possible, else drives where it is nearest to work, rather without a crash; one time in ten anything."""
    rng = crashlab.Random(crc32(state.text.encode()))
    actions = rng.shuffled(state.actions(seat))
    if state.phase not in ("race", "crash") or (state.phase == "race" and rng.below(10) == 0):
        return actions[0]
    taken = {"{},{}{}".format(*car.lane) for car in state.cars.values() if car.lane}
    looked = agents.greedy(worlds=1, decisions=1).think(state, seat)
    lead = {row.action: row.value for row in looked}

    def worth(action):
        what, where = str(action).split()[0], str(action).split()[-1]
        return what == "park", lead.get(action, -100) - HALF_A_DRIVE * (what == "drive" and where in taken)

    return max(actions, key=worth)


if __name__ == "__main__":
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    for players in (2, 3, 4):
        game = crashlab.game("crash_city", players=players)
        agents.warm(game)
        for name, agent in (("commuters", commuter), ("random drivers", "random")):
            results = crashlab.simulate(game, games, agents=agent, progress=False)
            turns, crashes = (
                f"{results.mean(what):6.1f} ± {results.half_width(what):.1f}" for what in ("turn", "CC-R4")
            )
            print(f"{players} {name:14}  {turns} turns, {crashes} crashes a game")
