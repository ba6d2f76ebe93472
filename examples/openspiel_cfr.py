"""Bluffing in the last round: counterfactual regret minimization of OpenSpiel, on a position of Autoscooter.

Needs OpenSpiel: pip install 'crashlab[openspiel]'

    python examples/openspiel_cfr.py
"""

from open_spiel.python.algorithms import cfr, expected_game_score

import crashlab
from crashlab.adapters import pyspiel_game

position = crashlab.game("autoscooter", players=2).read({"round": 11, "cars": {"1": "11SW3", "2": "41NW2"}})
game = pyspiel_game("last_round", position)
solver = cfr.CFRPlusSolver(game)
for _ in range(200):
    solver.evaluate_and_update_policy()

policy, state = solver.average_policy(), game.new_initial_state()
value, _ = expected_game_score.policy_value(state, [policy, policy])
print(f"A's lead comes to {value:.2f} (exactly -4/3)")
for seat in (0, 1):
    print(f"{position.game.seat_name(seat)} plays")
    for action, share in policy.action_probabilities(state, seat).items():
        if share > 0.02:
            print(f"  {state.action_to_string(seat, action):7} {share:4.0%}")
    state.apply_action(state.legal_actions()[0])  # A's plot, which B does not see
