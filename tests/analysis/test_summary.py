"""The summary of a game: the scores, the greatest moments and the winner, as a sheet and as a widget."""

from itertools import pairwise

import pytest

import crashlab
from crashlab import CrashlabError
from crashlab.games import NAMES
from crashlab.play.summary import Summary, is_crash

GAME = crashlab.game("autoscooter")
TWO = crashlab.game("autoscooter", players=2)


def last_round(cars, plots, **more):
    """Return the summary of a last round of two players."""
    state = TWO.read({"round": 11, "cars": cars, **more})
    return Summary([state.play(plots)])


@pytest.fixture(scope="module")
def played():
    match = crashlab.Match(GAME, "random", seed=3)
    match.run()
    return match


@pytest.mark.few(1)
@pytest.mark.parametrize("name", NAMES)
def test_every_game_is_summed_up(name):
    match = crashlab.Match(crashlab.game(name), "random", seed=5)
    match.run()
    summary = match.summary()
    assert summary.winners == match.winners and len(summary.scores) == len(match.turns) + 1
    assert summary.scores[-1] == match.state.scores
    for moment in summary.moments:
        event = match.turns[moment.turn].events[moment.event]
        assert moment.kind in ("Largest swing", "Biggest crash", "Longest chain", "Decided")
        if moment.kind in ("Biggest crash", "Longest chain"):
            assert event.text.lower() in moment.words.lower()
            assert {"hit", "met"} & set(event.numbers)
    names = [match.game.seat_name(seat) for seat in match.winners]
    heading = str(summary).splitlines()[0]
    assert all(name in heading for name in names) and " win" in heading
    assert summary.png(scale=0.3).startswith(b"\x89PNG") and "image/png" in summary._repr_mimebundle_()


def test_the_largest_swing_is_the_largest(played):
    summary = played.summary()
    moment = next(moment for moment in summary.moments if moment.kind == "Largest swing")
    swings = []
    for before, after in pairwise(summary.scores):
        gains = [late - early for early, late in zip(before, after, strict=True)]
        swings.append(max(gains) - min(gains))
    assert swings[moment.turn] == max(swings) and moment.turn == swings.index(max(swings))


def test_the_biggest_crash_moves_most_chits(played):
    """In Autoscooter the payments of a crash follow it, and no other score changes in between."""
    summary = played.summary()
    moment = next(moment for moment in summary.moments if moment.kind == "Biggest crash")
    sizes = {}
    for number, turn in enumerate(played.turns):
        for event in turn.events:
            if {"rammer"} & set(event.numbers):
                paid = [other for other in turn.events if other.field == "chits" and follows(turn, other, event)]
                gains = {other.index: other.after - other.before for other in paid}
                sizes[number, event.number] = max([0, *gains.values()]) - min([0, *gains.values()])
    assert sizes[moment.turn, moment.event] == max(sizes.values())


def follows(turn, event, cause):
    while event.cause is not None:
        event = turn.events[event.cause]
        if event == cause:
            return True
    return False


def test_a_chain_is_told_where_one_crash_brings_about_another():
    game = crashlab.game("crash_and_grab")
    position = (
        "probe A; phase distance; turn red; spin clockwise; saucers red 20 0-5> #1, green 21 0-5^, blue 22 0-5^, "
        "yellow 23 0-5^"
    )
    turn = game.read(position).play("3")
    summary = Summary([turn])
    chain = next(moment for moment in summary.moments if moment.kind == "Longest chain")
    assert chain.words == "3 crashes, the last one: blue hits yellow, which is pushed right by 3 spaces"
    assert sum(is_crash(turn.before.game.rulebook, row) for row in turn.rows) == 3


def test_who_leads_for_good_is_told_with_the_turn(played):
    summary = played.summary()
    decided = [moment for moment in summary.moments if moment.kind == "Decided"]
    for moment in decided:
        for place, scores in enumerate(summary.scores):
            leading = tuple(seat for seat, score in enumerate(scores) if score == max(scores))
            if place > moment.turn:
                assert leading == summary.winners
            elif place == moment.turn:
                assert leading != summary.winners


def test_who_won_by_what():
    cars = {"1": "22E2", "2": "23SE2"}
    won = last_round(cars, {"A": "81 FF", "B": "82 F"}, chits={"A": 16, "B": 20})
    assert str(won).splitlines()[0].startswith("Autoscooter: A wins with 20, 4 ahead.")
    assert [moment.words for moment in won.moments if moment.kind == "Decided"] == ["A takes the lead for good"]
    shared = last_round(cars, {"A": "81 FF", "B": "82 F"}, chits={"A": 16, "B": 24})
    assert str(shared).splitlines()[0] == "Autoscooter: A and B win with 20."
    assert [moment.words for moment in shared.moments if moment.kind == "Decided"] == [
        "A and B share the lead to the end"
    ]


def test_a_game_that_goes_on_is_summed_up_so_far():
    match = crashlab.Match(GAME, "random", seed=1)
    with pytest.raises(CrashlabError, match="nobody has played yet"):
        match.summary()
    match.play()
    assert str(match.summary()) == "Autoscooter: So far: A 20, B 20, C 20, D 20."
    assert match.summary().moments == ()


def test_who_has_forfeited_does_not_win():
    match = crashlab.Match(TWO, {0: lambda state, seat: None, 1: "random"}, seed=1, forfeits=True)
    match.run()
    assert str(match.summary()).startswith("Autoscooter: B wins")


# The widget


def review(*arguments):
    pytest.importorskip("ipycanvas")
    from crashlab.lab import Review

    return Review(*arguments, animate=False)


def test_a_click_on_a_moment_shows_it(played):
    from fake_page import Sent, click

    from crashlab.play.summary import places

    shown = review(played)
    sent = Sent(shown)
    for number, (moment, spots) in enumerate(zip(shown.moments, places(shown.summary), strict=True), 1):
        for spot in spots:
            shown.stage.children = []
            sent.press(*spot)
            assert shown.stage.children == (shown.panel,) and shown.error is None
            assert shown.panel.turn is played.turns[moment.turn]
        click(shown.buttons[number - 1])
        if moment.event:
            steps = shown.panel.steps
            assert steps.beat == steps.story.events[moment.event][0]
        sent.key(str(number))
        assert shown.panel.turn is played.turns[moment.turn]
        shown.show(number)
    for number in (0, len(shown.moments) + 1, "first"):
        with pytest.raises(CrashlabError, match="there is no moment"):
            shown.show(number)
    shown.close()


def test_only_turns_that_follow_each_other_are_looked_back_on(played):
    assert review(played.turns[:4]).summary.scores == played.summary().scores[:5]
    for wrong, reason in (
        (3, "a Review needs a Match or a list of turns"),
        ([3], "a Review needs a list of turns"),
        ([], "nobody has played yet"),
        ([played.turns[0], played.turns[5]], "turn 2 does not begin where turn 1 ended"),
    ):
        with pytest.raises(CrashlabError, match=reason):
            review(wrong)


def test_the_turns_of_an_explorer():
    pytest.importorskip("ipycanvas")
    from crashlab.lab import Explorer
    from crashlab.lab.review_panel import turns_of

    explorer = Explorer(GAME.start(1), animate=False)
    assert turns_of(explorer.now) == []
    for _ in range(3):
        explorer.agents_plan()
        explorer.run()
    turns = turns_of(explorer.now)
    assert len(turns) == 3 and turns[-1].after == explorer.state
    assert all(early.after == late.before for early, late in pairwise(turns))
    explorer.undo()
    explorer.undo()
    assert turns_of(explorer.now) == turns[:2]
    assert review(turns).summary.end == turns[-1].after
    explorer.text.value = GAME.start(9).text
    explorer.paste()
    explorer.agents_plan()
    explorer.run()
    assert len(turns_of(explorer.now)) == 1, "what was before the position that was set up is another game"


NEARLY_OVER = {"round": 11, "cars": {"1": "21E2", "2": "23SE2"}}


def test_an_explorer_looks_back_when_its_game_is_over():
    pytest.importorskip("ipycanvas")
    from crashlab.lab import Explorer

    explorer = Explorer(GAME.read(NEARLY_OVER), animate=False)
    assert explorer.ending.children == ()
    explorer.agents_plan()
    explorer.run()
    assert explorer.state.over
    (overview,) = explorer.ending.children
    assert overview.summary.end == explorer.state and "wins" in str(overview.summary)
    explorer.undo()
    assert explorer.ending.children == () and overview.closed
    explorer.redo()
    assert explorer.ending.children[0].summary.end == explorer.state


def test_an_arena_looks_back_when_its_match_is_over():
    pytest.importorskip("ipycanvas")
    from crashlab.lab import Arena

    arena = Arena(GAME, seed=2, animate=False)
    while not arena.match.state.over:
        arena.match.play()
    arena.stand(1)
    assert arena.ending.children == ()
    arena.stand(len(arena.match.turns))
    assert arena.ending.children[0].summary.end == arena.match.state
    arena.stand(0)
    assert arena.ending.children == ()
