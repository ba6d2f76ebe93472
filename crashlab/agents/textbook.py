"""The searches of `minimax` as in a textbook: on States, without move ordering or memory.

These functions serve films, in which each call is a node of the search tree, and tests. The value of a position is the
lead of `seat` after `depth` decisions (decisions of chance are not counted), or at a simultaneous decision.
"""

from math import inf

from crashlab.agents.base import lead
from crashlab.engine.game import State
from crashlab.engine.table import CHANCE


def alphabeta(state: State, seat: int, depth: int, alpha: float = -inf, beta: float = inf) -> float:
    """Return the value of a position; a result outside the window from alpha to beta is only a bound."""
    if depth == 0 or len(state.actors) != 1 or state.actors == (CHANCE,):
        best = lead(state, seat)
        return best
    (mover,) = state.actors
    best = -inf if mover == seat else inf
    for action in state.actions(mover):
        value = alphabeta(state.play(action).after, seat, depth - 1, alpha, beta)
        if mover == seat:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


def expectimax(state: State, seat: int, depth: int) -> float:
    """Return the value of a position; at a decision of chance, this is the weighted mean over the outcomes."""
    if depth == 0 or len(state.actors) != 1:
        best = lead(state, seat)
        return best
    (mover,) = state.actors
    if mover == CHANCE:
        best = 0.0
        for outcome, share in state.odds().items():
            best += share * expectimax(state.play(outcome).after, seat, depth)
        return best
    best = -inf if mover == seat else inf
    for action in state.actions(mover):
        value = expectimax(state.play(action).after, seat, depth - 1)
        best = max(best, value) if mover == seat else min(best, value)
    return best
