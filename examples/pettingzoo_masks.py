"""Three learners that have learnt nothing yet play CrashCity by numbers, as PettingZoo has it: this is the loop.

Needs PettingZoo: pip install 'crashlab[pettingzoo]'

    python examples/pettingzoo_masks.py
"""

import numpy as np

import crashlab
from crashlab.adapters import pettingzoo_env

env = pettingzoo_env(crashlab.game("crash_city", players=3), utility="share")
dice = np.random.default_rng(1)
shares, chosen = dict.fromkeys(env.possible_agents, 0.0), 0
env.reset(seed=1)
for agent in env.agent_iter():
    seen, reward, over, _, _ = env.last()
    shares[agent] += reward
    legal = np.flatnonzero(seen["action_mask"])
    env.step(None if over else dice.choice(legal))
    chosen += not over

print(f"{chosen} numbers were chosen, each from an observation of {len(seen['observation'])} numbers")
for agent, share in shares.items():
    print(f"{agent} gets {share:.2f} of the win")
