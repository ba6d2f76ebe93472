"""The comparison of searches with and without knowledge of a game, with equal time."""

import pytest
from search_strength import OURS, PLAIN, Plain, plain, strength

import crashlab
from crashlab import CrashlabError, Random

GAMES = [crashlab.game(name, players=2) for name in crashlab.games()]


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_the_plain_search_counts_the_score_alone_and_plays_anything(game):
    rules, rng = plain(game).rules, Random(5)
    state = game.start(1)
    out = [0] * rules.MOST_ACTIONS
    for _ in range(30):
        if state.over:
            break
        rules.evaluate(state.table, out)
        assert out[: len(game.seats)] == [100 * score for score in state.scores]
        for seat in state.actors:
            if seat in game.seats:
                actions = {rules.rollout_policy(state.table, seat, [luck], out) for luck in range(0, 1 << 40, 1 << 34)}
                assert actions <= {*state.actions(seat).codes}
                assert len(actions) > 1 or len(state.actions(seat)) == 1
        state = state.sample(rng).after


def test_it_answers_what_is_legal_in_the_game_itself():
    state = crashlab.game("autoscooter", players=2).start(1)
    action = Plain(1, 0.001)(state.seen_by(0), 0)
    assert action in state.actions(0) and state.play({0: action, 1: state.actions(1)[0]})


@pytest.mark.slow
def test_both_play_on_both_sides():
    game = crashlab.game("autoscooter", players=2)
    standings = strength(game, 2, 0.001, progress=False)
    assert sorted(one.seats for one in standings.played) == [(PLAIN, OURS), (OURS, PLAIN)]
    assert not standings.forfeits and standings[OURS].games == 2


@pytest.mark.parametrize(
    ("games", "seconds", "words"), [(0, 1, "games=0"), (2, 0, "seconds=0"), (2, "x", "seconds='x'")]
)
def test_nonsense_is_refused_before_anything_is_compiled(games, seconds, words):
    with pytest.raises(CrashlabError, match=words):
        strength(crashlab.game("autoscooter", players=2), games, seconds)
