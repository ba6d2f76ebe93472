"""The agent that looks one decision ahead.

It imagines a few worlds: what is hidden is guessed, the others and chance play at random. Every action is tried in
the same worlds (common random numbers, so that luck favours none), and the best average lead over the others wins.
"""

from __future__ import annotations

from crashlab.chance import Random
from crashlab.game import Action, Game, State
from crashlab.happen import Table
from crashlab.match import Agent
from crashlab.simulate import choose_at_random, play_at_random


def greedy(seed: int = 0, worlds: int = 4, decisions: int = 2, most: int = 200) -> Agent:
    """An agent that plays the action with the best lead after so many decisions, in so many imagined worlds.

    Of a longer list it tries only so many actions, drawn at random.
    """
    rng = Random(seed)

    def choose(state: State, seat: int) -> Action:
        guesses = [(state.guess(rng), rng.below(1 << 32)) for _ in range(worlds)]

        def value(action: Action) -> float:
            return sum(lead_after(world, seat, action.code, luck, decisions) for world, luck in guesses)

        return max(rng.shuffled(state.actions(seat))[:most], key=value)

    return choose


def lead_after(world: State, seat: int, code: int, luck: int, decisions: int) -> float:
    """The seat's lead when it plays this action and everything else is random."""
    rules, table, rng = world.game.rules, world.table.copy(), Random(luck)
    bits = rules.actors(table) & ~(1 << seat)
    others = choose_at_random(rules, table, bits, rng, [0] * rules.MOST_ACTIONS)
    for actor, action in sorted([*others, (seat, code)]):
        rules.apply(table, actor, action, None)
    play_at_random(rules, table, rng, None, decisions - 1)
    return lead(world.game, table, seat)


def lead(game: Game, table: Table, seat: int) -> float:
    """The seat's score less the average of the others."""
    scores: list[int] = [game.rules.score(table, other) for other in game.seats]
    own = scores.pop(seat)
    return own - sum(scores) / len(scores)
