"""`crashlab.differ`: the first difference of two rulebooks, and two turns with one slider."""

import pytest
from cell_functions import cell

import crashlab
from crashlab import CrashlabError
from crashlab.course.lessons.example_rules import FINED_SIDE
from crashlab.play import rulebook_difference
from crashlab.watch.views import StoryPair, StorySide

GAME = crashlab.game("autoscooter", players=2)
SIDE = cell('''
    def hit_side(table, car, hit, side, v, cause, trace):
        """A car that is hit in the side pays nothing, and stops."""
        crash = note(HOUSE, cause, car + 1, hit + 1, v, table.speed[hit], trace)
        happen(table.speed, SPEED, hit, 0, HOUSE, crash, trace)
        return crash
    ''')["hit_side"]
MINE = GAME.with_rules(SIDE)


@pytest.fixture(scope="module")
def differences():
    return crashlab.differ(GAME, MINE, 30, progress=False)


def test_it_finds_the_first_moment_with_what_each_rulebook_makes_of_it(differences):
    first = differences[0]
    assert len(differences) > 20 and first.turns[0].before.table == first.turns[1].before.table == first.before.table
    assert first.turns[0].after.table != first.turns[1].after.table
    assert first.turns[0].actions.keys() == first.turns[1].actions.keys()
    assert first.rules == ("AS-C4", "HOUSE-1") and first.rule == "HOUSE-1"
    text = str(first)
    assert "[AS-C4]" in text and "[HOUSE-1]" in text and "A plays " in text and first.before.text in text


def test_what_comes_before_is_the_same_under_both(differences):
    """The preceding decisions lead to the same position under both rulebooks."""
    last = max(differences, key=lambda one: one.decision)
    assert (
        last.decision > 1
        and crashlab.differ(GAME, MINE, 1, seed=last.seed, progress=False)[0].decision == last.decision
    )


def test_it_counts_by_which_rule_and_how_often(differences):
    assert differences.counts == {"HOUSE-1": len(differences)} and len(list(differences)) == len(differences)
    lines = str(differences).splitlines()
    assert lines[0].startswith(f"autoscooter and autoscooter with hit_side diverge in {len(differences)} of 30 games, ")
    assert lines[1] == f"HOUSE-1  makes the difference in {len(differences)}" and lines[2].startswith(
        "first:  seed 1, "
    )
    assert repr(differences) == f"<Differences: {len(differences)} of 30 games>"
    with pytest.raises(CrashlabError, match="there is no divergence 99"):
        differences[99]


def test_an_option_makes_a_difference_where_its_rule_applies_and_not_before():
    """AS-V1: a car hit from behind is pushed. The option itself is no difference of the position."""
    differences = crashlab.differ(GAME, GAME.changed(rear_push=True), 20, progress=False)
    assert 0 < len(differences) and differences.counts == {"AS-V1": len(differences)}
    assert all("AS-C3" in {event.rule for event in one.turns[0].events} for one in differences)


def test_the_same_rules_never_part():
    same = GAME.changed()
    nothing = crashlab.differ(GAME, same, 3, progress=False)
    assert not len(nothing) and nothing.counts == {} and "first" not in str(nothing)
    assert nothing._repr_mimebundle_() == {"text/plain": str(nothing)}


def test_chance_brings_the_same_under_both():
    game = crashlab.game("crash_and_grab", players=2)
    rule = cell('''
        def score(table, seat):
            """Everybody has one more."""
            return 1
        ''')["score"]
    assert not crashlab.differ(game, game.with_rules(rule), 2, progress=False)


def test_options_of_a_game_part_too():
    differences = crashlab.differ(GAME, GAME.changed(standstill="none"), 3, progress=False)
    assert len(differences) == 3 and set(differences.counts) == {"legality"}


def test_they_part_where_something_is_legal_under_one_only():
    rules = cell('''
        def legal(table, seat, out):
            """Nobody turns round on the spot."""
            car = car_asked(table, seat)
            count = 0
            for row in range(ROUNDS):
                if not table.used[ROUNDS * car + row]:
                    for manoeuvre in range(FITS[table.speed[car]]):
                        out[count] = number_in(table, car, row) * CODES + FIRST_FIT[table.speed[car]] + manoeuvre
                        count += 1
            return count
        ''')
    differences = crashlab.differ(GAME, GAME.with_rules(rules["legal"]), 3, progress=False)
    assert differences.counts == {"legality": 3}
    assert " P only under autoscooter" in differences[0].legal and differences[0].legal in str(differences[0])


def test_only_games_of_the_same_kind_are_compared():
    with pytest.raises(CrashlabError, match="must be the same game for the same number of players"):
        crashlab.differ(GAME, crashlab.game("crash_city"))
    with pytest.raises(CrashlabError, match="must be the same game for the same number of players"):
        crashlab.differ(GAME, GAME.changed(players=4))
    with pytest.raises(CrashlabError, match=r"compares two games, .* not 'mine'"):
        crashlab.differ(GAME, "mine")


def test_it_shows_both_in_a_picture(differences):
    shown = differences._repr_mimebundle_()
    assert shown["text/plain"] == str(differences) and {"image/png", "image/svg+xml"} & set(shown)


# Two turns side by side


def test_two_turns_are_one_story_of_which_the_shorter_one_waits(differences):
    one, other = differences[0].turns
    pair = StoryPair(StorySide.of(one), StorySide.of(other))
    assert pair.beats == max(side.beats for side in pair.both)
    assert pair.counts(0)[0] == ["", "autoscooter", "autoscooter with hit_side"]
    end = {row[0]: row[1:] for row in pair.counts(pair.beats)}
    assert end["A"] == [str(turn.after.game.render.purses(turn.after.table)["A"]) for turn in (one, other)]
    picture = pair.picture(pair.beats)
    assert picture.width > 2 * one.before.picture().width
    for number, turn in enumerate((one, other)):
        shown = {piece.key for piece in picture.pieces}
        assert {f"{number} {piece.key}" for piece in turn.after.picture().pieces} <= shown
    assert all(pair.words(beat) for beat in range(pair.beats + 1)) and len(pair.events) > 10


def test_two_turns_are_led_through_with_one_slider(differences):
    pytest.importorskip("ipycanvas")
    from crashlab.lab import Stepper

    both = Stepper.beside(*differences[0].turns, animate=False)
    both.show(both.story.beats)
    assert both.error is None and both.steps.beat == both.story.beats
    assert "box" in both.story.of_beat(both.story.beats, whole=True)["values"]
    picture, description = both.still()
    assert picture == both.story.picture(both.story.beats) and "autoscooter with hit_side" in description
    both.close()
    with pytest.raises(CrashlabError, match=r"Stepper.beside shows two Turns"):
        Stepper.beside(differences[0].turns[0], "turn")


def test_boards_are_told_apart_by_what_differs_in_their_rules_or_by_where_they_stand():
    def names(*games):
        pair = StoryPair(*(StorySide.of(game.start(1).sample(crashlab.Random(1))) for game in games))
        headings = [piece.shapes[0].text for piece in pair.picture(0).pieces if piece.key.endswith("heading")]
        assert [name.partition(": beat")[0] for name in headings] == pair.counts(0)[0][1:]
        assert {event["text"].partition(": ")[0] for event in pair.event_documents()} == set(pair.counts(0)[0][1:])
        assert all(name in pair.words(0) and name in pair.document()["title"] for name in pair.counts(0)[0][1:])
        return pair.counts(0)[0][1:]

    assert names(GAME, GAME) == ["autoscooter, left", "autoscooter, right"]
    assert names(GAME.changed(standstill="none"), GAME.changed(rear_push=True)) == [
        "autoscooter, standstill='none', rear_push=False",
        f"autoscooter, standstill={GAME.options['standstill']!r}, rear_push=True",
    ]
    fined = [GAME.with_rules(*FINED_SIDE, FINE=fine) for fine in (1, 2)]
    assert names(*fined) == ["autoscooter with hit_side, FINE=1", "autoscooter with hit_side, FINE=2"]
    assert names(GAME, MINE) == ["autoscooter", "autoscooter with hit_side"]


def test_nothing_is_told_of_players_whom_the_picture_does_not_show():
    game = crashlab.game("autoscooter", players=4)
    turn = game.read({"cars": {"1": "21E2", "2": "23SE2"}}).play({"A": "1 FF", "B": "82 FF"})
    pair = StoryPair(StorySide.of(turn), StorySide.of(turn))
    assert all([row[0] for row in pair.counts(beat)[2:]] == ["A", "B", "box"] for beat in range(pair.beats + 1))
    assert pair.both[0].balance == "A +4, B −6, box +2"
    whole = StorySide.of(game.start(1).sample(crashlab.Random(1)))
    assert [*whole.done(0)] == ["A", "B", "C", "D", "box"]


def test_a_board_that_changes_within_a_turn_is_drawn_as_it_is_then():
    game = crashlab.game("crash_city", players=2)
    turn = game.start(1).sample(crashlab.Random(1))
    pair = StoryPair(StorySide.of(turn), StorySide.of(turn))
    for beat in range(pair.beats + 1):
        assert len(pair.picture(beat).board) >= 1 + 2 * len(turn.picture(0).board)


def test_what_was_found_is_told_when_it_is_stopped(monkeypatch):
    whole, played = rulebook_difference.divergence, []

    def divergence(game, other, seed):
        if len(played) == 7:
            raise KeyboardInterrupt
        played.append(seed)
        return whole(game, other, seed)

    monkeypatch.setattr(rulebook_difference, "divergence", divergence)
    differences = crashlab.differ(GAME, MINE, 30, progress=False)
    assert (differences.games, differences.planned_games) == (7, 30) and 0 < len(differences) <= 7
    assert "of 7 games" in str(differences) and "(stopped; 30 were requested)" in str(differences)
    with pytest.raises(KeyboardInterrupt):
        crashlab.differ(GAME, MINE, 30, progress=False)  # there is no result yet
