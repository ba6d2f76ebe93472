"""The review of a game: the costs of its decisions, by exact values of an endgame and by playouts."""

import re
import threading
import time
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import numpy as np
import pytest

import crashlab
from crashlab import Appraisal, CrashlabError
from crashlab.agents.base import leads_of
from crashlab.analysis import action_values
from crashlab.analysis.review import causes
from crashlab.analysis.review import review as review_module
from crashlab.analysis.review.appraisal import tellings
from crashlab.analysis.review.causes import Account, EventSort, LeadChange, clear_gain, differences
from crashlab.analysis.review.review import Reviewing
from crashlab.cli import main as cli
from crashlab.drawing.shapes import Text
from crashlab.games import NAMES
from crashlab.play.summary import result

TWO = crashlab.game("autoscooter", players=2)
LAST = TWO.read({"round": 11, "cars": {"1": "11SW3", "2": "41NW2"}})


def of_two(first, second):
    """Return a match of the last round with these plots."""
    match = crashlab.Match(LAST)
    match.play({"A": first, "B": second})
    return match


@pytest.fixture(scope="module", autouse=True)
def few_playouts_say_why():
    """Use few playouts for reasons, which take most of the time; no test of a whole game needs their exact sizes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(causes, "LAPS", 20)
        yield


@pytest.fixture(scope="module")
def played():
    match = crashlab.Match(crashlab.game("autoscooter"), {0: "greedy", 1: "greedy", 2: "random", 3: "random"}, seed=3)
    match.run()
    return match


@pytest.fixture(scope="module")
def review(played):
    return crashlab.review(played, seconds=None, playouts=60, progress=False)


def test_a_blunder_costs_what_the_solution_says():
    """A plays its worst plot, which leads by that much less than the best one against B's best mixture."""
    solution = crashlab.solve(LAST, progress=False)
    leads = dict(zip(map(str, solution.duel.rows), solution.duel.values @ solution.column, strict=True))
    worst, best = min(leads, key=leads.get), max(leads.values())
    reply = str(solution.duel.columns[int(solution.column.argmax())])
    review = crashlab.review(of_two(worst, reply), progress=False)
    blunder, answer = review.decisions
    assert (blunder.exact, blunder.half_width) == (True, 0) and blunder.is_clear
    assert blunder.cost == pytest.approx(best - leads[worst]) and blunder.cost > 0
    assert review.worst(0) is blunder and review.blunders == (blunder,)
    assert answer.cost == 0 and answer.best == answer.action and review.best(1) is answer
    assert f"cost {blunder.cost:.2f}, exactly" in str(review)


def test_what_is_told_as_the_best_there_was_costs_nothing(monkeypatch):
    """If playouts see 0.002 points between two actions, both count as best."""

    def nearly(state, seat, **how):
        review = action_values.worths(state, seat, **how)
        chosen = review.of(how["keep"][0])
        rows = [replace(row, cost=0.002, exact=False) if row is chosen else row for row in review.rows]
        return replace(review, rows=tuple(rows))

    monkeypatch.setattr(review_module, "worths", nearly)
    solution = crashlab.solve(LAST, progress=False)
    review = crashlab.review(of_two(str(solution.duel.rows[0]), str(solution.duel.columns[0])), progress=False)
    for decision in review.decisions:
        assert (decision.best, decision.cost, decision.price) == (decision.action, 0, "the best action")


def test_the_best_plot_costs_nothing():
    solution = crashlab.solve(LAST, progress=False)
    best = [
        str(side[int(mix.argmax())])
        for side, mix in (
            (solution.duel.rows, solution.row),
            (solution.duel.columns, solution.column),
        )
    ]
    review = crashlab.review(of_two(*best), progress=False)
    assert [decision.cost for decision in review.decisions] == [0, 0]
    assert not review.blunders and "No decision clearly cost anything." in str(review)


@pytest.mark.slow
def test_what_costs_is_what_is_worse(played, review):
    for decision in review.decisions:
        assert decision.cost >= 0 or decision.half_width > 0
        assert (decision.best == decision.action) == (decision.cost == 0)
        assert decision.best == decision.action or f"{decision.cost:.2f}" != "0.00"
    for seat in range(4):
        clear = [one for one in review.of(seat) if one.is_clear]
        assert review.worst(seat).cost == max(one.cost for one in clear or review.of(seat))
        assert not review.best(seat).is_clear
    assert list(review.blunders) == sorted(review.blunders, key=lambda one: -one.cost)
    assert review.lost(2) + review.lost(3) > review.lost(0) + review.lost(1)


def test_only_where_there_is_a_choice_something_is_decided(played, review):
    free = [
        (number, seat)
        for number, turn in enumerate(played.turns)
        for seat in turn.actions
        if len(turn.before.actions(seat)) > 1
    ]
    assert [(decision.turn, decision.seat) for decision in review.decisions] == free


def test_the_curves_end_at_the_end(played, review):
    assert len(review.leads) == len(review.expected) == len(played.turns) + 1
    assert review.leads[-1] == review.expected[-1] == pytest.approx(leads_of(played.state.scores))
    assert all(sum(leads) == pytest.approx(0) for leads in (*review.leads, *review.expected))


@pytest.mark.parametrize("headed", [True, False])
def test_no_room_is_left_above_the_curves_where_they_have_no_title(headed, review):
    picture = review.picture(headed)
    ground, *others = picture.board
    words = [shape for shape in others if isinstance(shape, Text)]
    assert max(y for _, y in ground.points) == picture.height
    assert min(shape.y for shape in words) < 30 and max(shape.y for shape in words) > picture.height - 50
    assert (words[0].text == f"{review.end.game.title}: {result(review.summary)}") == headed


def test_a_turning_point_is_where_the_expectation_changed(review):
    assert review.turnings
    for turning in review.turnings:
        change = review.expected[turning.turn + 1][turning.seat] - review.expected[turning.turn][turning.seat]
        assert turning.change == pytest.approx(change)
        assert review.highlight(turning).turn == turning.turn


@pytest.mark.slow
def test_the_same_seed_gives_the_same_review():
    match = crashlab.Match(crashlab.game("autoscooter"), "random", seed=3)
    match.run(3)
    review, again, other = (
        crashlab.review(match, seconds=None, playouts=60, seed=seed, progress=False) for seed in (0, 0, 9)
    )
    assert str(again) == str(review) != str(other)
    assert again.page() == review.page()


def test_what_would_have_been_better_begins_with_the_best(review):
    for decision in review.blunders[:3]:
        better, course = review.better(decision), review.course(decision)
        assert better[0].actions[decision.seat] == decision.best
        others = [seat for seat in better[0].actions if seat != decision.seat]
        assert all(better[0].actions[seat] == course[0].actions[seat] for seat in others)
        assert len(better) <= len(course)
        assert all(one.after == other.before for one, other in pairwise(better))


def test_what_happened_adds_up_to_the_change_of_the_lead(played):
    for turn in played.turns[:8]:
        for seat in range(4):
            change = leads_of(turn.after.scores)[seat] - leads_of(turn.before.scores)[seat]
            changes = tellings([turn], seat)
            assert sum(telling.change for telling in changes) == pytest.approx(change)
            assert all(turn.events[telling.event].text == telling.words or telling.change for telling in changes)


# Reasons


@pytest.mark.few(1)
@pytest.mark.parametrize("name", NAMES)
def test_what_is_told_of_playouts_adds_up_to_what_they_are_worth(name):
    """The value of a playout is the sum of its changes of the lead and the value of its last position."""
    state = crashlab.game(name).start(seed=3)
    seat = next(seat for seat in state.actors if seat >= 0)
    code = state.actions(seat).codes[0]
    workspace = action_values.SequentialHalving(state, seat, [], 5, None).workspace
    teller = causes.Teller(state.game, seat, state.game.ui.rounds(state.table))
    begun = leads_of(state.scores)[seat]
    for lap, account in zip(range(4), causes.accounts_of(workspace, teller, [code], 0.0), strict=False):
        assert account.lead + begun == pytest.approx(
            workspace.weigh(seat, [code], lap, 1, action_values.DECISIONS, 3)[0, 0]
        )


def is_height(shape):
    """Return whether a shape is a number of the vertical axis."""
    return isinstance(shape, Text) and shape.align == "right"


def accounts(sort, often, points):
    """Return 30 playouts, each with `often` events of one sort, and one more in every second playout."""
    return [Account({sort: [LeadChange(0, points, "a bump")] * (often + lap % 2)}) for lap in range(30)]


GAIN, LOSS = EventSort(0, True, True), EventSort(1, True, False)


@pytest.mark.parametrize(("sort", "many", "few"), [(GAIN, 3, 0), (LOSS, 0, 3)])
def test_only_what_makes_it_better_is_a_reason(sort, many, few):
    """More gains or fewer losses are reasons, and the reverse comparison finds no reason."""
    points = 2.0 if sort.is_up else -2.0
    better, worse = accounts(sort, many, points), accounts(sort, few, points)
    (reason,) = differences(better, worse)
    assert (reason.sort, reason.gain, reason.often) == (sort, 6.0, (many + 0.5, few + 0.5))
    assert reason.is_by_number and reason.example == "a bump"
    assert differences(worse, better) == []


@pytest.mark.parametrize("is_paired", [True, False])
def test_a_gain_within_its_interval_is_none(is_paired):
    """The means differ by 0.5, which is clear if all playouts agree, and not if they range from -10 to 11."""
    apart = [10.0, -10.0] * 10
    assert clear_gain([1.75, 2.25] * 10, [1.25, 1.75] * 10, is_paired, 1.0) == pytest.approx(0.5)
    assert clear_gain([value + 0.5 for value in apart], apart[::-1], is_paired, 1.0) == 0


def test_what_happens_as_often_after_both_is_no_reason():
    """A loss that follows every action explains none of them, however large it is."""
    one, other = accounts(GAIN, 2, 1.0), accounts(GAIN, 0, 1.0)
    for account in (*one, *other):
        account.moves[LOSS] = [LeadChange(0, -9.0, "a crash")]
    assert [reason.sort for reason in differences(one, other)] == [GAIN]
    assert differences(accounts(LOSS, 1, -9.0), accounts(LOSS, 1, -9.0)) == []


def test_what_is_told_first_is_what_counts_most(review):
    """Reasons are sorted by their gain, which favours the best action."""
    for decision in review.blunders[:6]:
        reasons = review.reasons.of_action(decision.turn, decision.seat, decision.best.code, [decision.action.code])
        gains = [reason.gain for reason in reasons]
        assert gains == sorted(gains, reverse=True) and all(gain > 0 for gain in gains)
        for reason in reasons:
            assert not reason.is_by_number or (reason.often[0] > reason.often[1]) == reason.sort.is_up
        assert not reasons or str(decision.best) in review.why(decision)
    assert any(" instead of " in review.why(reason) for reason in review.blunders[:6])


def test_the_film_of_a_turning_point_shows_what_happens(review):
    """It ends with its most important event, or else with the round."""
    for turning in review.turnings:
        scene = review.scene(turning)
        event = review.event(turning)
        assert scene[0] is review.turns[turning.turn]
        if event:
            assert scene[event.turn].events[event.event].number == event.event and event.change * turning.change > 0
        else:
            last = review.turns.index(scene[-1]) + 1
            assert last == len(review.turns) or review.turns[last].before.round > scene[0].before.round


@pytest.mark.parametrize("seed", range(4))
def test_in_a_solved_endgame_the_lead_to_expect_is_exact(seed):
    """From round 10 on the value is known; earlier positions use playouts and are compared only with each other."""
    start = TWO.read({"round": 9, "cars": {"1": "11SW3", "2": "41NW2"}, "chits": {"A": 20, "B": 18}})
    match = crashlab.Match(start, {0: "greedy", 1: "random"}, seed=seed)
    match.run()
    review = crashlab.review(match, seconds=None, playouts=20, progress=False)
    for turn, state in enumerate([turn.before for turn in match.turns]):
        if state.round >= 10 and state.seen_by(None).table == state.table:
            value = crashlab.solve(state, progress=False).value
            assert review.expected[turn] == pytest.approx([value, -value]) and review.half_widths[turn] == [0, 0]
    assert any(review.half_widths[0]) and review.expected[-1] == review.leads[-1]
    costs = {(decision.turn, decision.seat): decision.cost for decision in review.decisions if decision.exact}
    for turning in review.turnings:
        turn_costs = [cost for (turn, _), cost in costs.items() if turn == turning.turn]
        assert turning.turn not in {turn for turn, _ in costs} or max(turn_costs) > 0.005


def test_where_both_played_their_best_nothing_turned():
    """One of them did better than expected only because neither knew the other's plot."""
    solution = crashlab.solve(LAST, progress=False)
    duel = solution.duel
    gains = {
        abs(duel.values[row, column] - solution.value): (duel.rows[row], duel.columns[column])
        for row in np.flatnonzero(solution.row > 0.01)
        for column in np.flatnonzero(solution.column > 0.01)
    }
    assert max(gains) > 0.5
    review = crashlab.review(of_two(*map(str, gains[max(gains)])), progress=False)
    assert review.expected[0] == pytest.approx([solution.value, -solution.value])
    assert review.expected[-1] != pytest.approx(review.expected[0]) and review.turnings == ()


def test_where_nobody_knows_what_was_best_nothing_is_called_so(review):
    """A decision with a clear cost is never reported as the best one."""
    spoilt = [decision for decision in review.of(2) if decision.is_clear]
    only = Appraisal(review.summary, spoilt, review.expected, review.half_widths)
    assert spoilt and only.best(2) is None and "best: no decision without a clear cost" in str(only)


@pytest.mark.slow
def test_a_game_that_was_forfeited_says_so():
    match = crashlab.Match(TWO, {0: lambda state, seat: 1 / 0, 1: "random"}, seed=1, forfeits=True)
    match.run()
    text = str(crashlab.review(match, seconds=5, playouts=10, progress=False))
    assert text.splitlines()[0].endswith("; A has forfeited.") and match.summary().forfeits == (0,)


def test_both_curves_have_one_scale(review):
    heights = [shape.text for shape in review.picture().board if is_height(shape)]
    assert len(heights) > 4 and heights[: len(heights) // 2] == heights[len(heights) // 2 :]


def test_when_the_time_is_up_the_rest_is_left(played):
    """However short the time is, the review ends and reports its results so far."""
    part = crashlab.review(played, seconds=0.001, progress=False)
    assert part.done == 1 and part.left == 88 - len(part.decisions) > 0
    assert f"{part.left} decisions were not examined" in str(part)


def test_stopped_it_keeps_a_part_and_goes_on(played):
    turns = played.turns[:2]
    work = Reviewing(turns, seconds=None, playouts=20)
    for steps in range(7):
        part = work.result()
        assert part.done < 1 and str(part) and part.page()
        assert len(part.expected) == min(steps, len(turns) + 1)
        assert len(part.decisions) == max(steps - len(turns) - 1, 0)
        work.step()
    while not work.done:
        work.step()
    whole = Reviewing(turns, seconds=None, playouts=20)
    while not whole.done:
        whole.step()
    assert str(work.result()) == str(whole.result())


def test_the_stop_button_keeps_a_part(played, monkeypatch):
    step = Reviewing.step

    def stopped(work):
        if work.steps == 30:
            raise KeyboardInterrupt
        step(work)

    monkeypatch.setattr(Reviewing, "step", stopped)
    part = crashlab.review(played, playouts=20, progress=False)
    assert 0 < len(part.decisions) < 88 and "of the work is done" in str(part)


@pytest.mark.few(1)
@pytest.mark.parametrize("name", NAMES)
def test_every_game_is_reviewed_as_far_as_it_goes(name):
    match = crashlab.Match(crashlab.game(name), "random", seed=2)
    match.run(10)
    review = crashlab.review(match, seconds=5, playouts=10, progress=False)
    assert review.done == 1 and not match.state.over
    assert "So far" in str(review)


class Addresses(HTMLParser):
    """A collector of the addresses that a page loads."""

    def __init__(self):
        super().__init__()
        self.addresses = []

    def handle_starttag(self, tag, attrs):
        linked = [value for name, value in attrs if name in ("src", "href", "xlink:href") and not value.startswith("#")]
        self.addresses += linked + ([tag] if tag in ("script", "link", "iframe") else [])


def test_the_page_needs_nothing_else(review, tmp_path):
    review.save(tmp_path / "game.html")
    page = (tmp_path / "game.html").read_text("utf-8")
    collector = Addresses()
    collector.feed(page)
    assert collector.addresses == [] and not re.search(r"url\((?!#)|@import", page)
    title = f"{review.end.game.title}: {result(review.summary)}"
    assert (page.count(f"{title}</h1>"), page.count(f"{title}</text>")) == (1, 0)
    assert page.startswith("<!doctype html>") and page.count("<figure>") == 2 * min(len(review.blunders), 6)
    review.save(tmp_path / "game.txt")
    assert (tmp_path / "game.txt").read_text("utf-8") == f"{review}\n"
    with pytest.raises(CrashlabError, match=r"saved as \.html or as \.txt"):
        review.save(tmp_path / "game.pdf")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((3, {}), "review\\(\\) takes a Match, not 3"),
        ((crashlab.Match(TWO), {}), "there is nothing to review: nobody has played yet"),
        ((None, {"seconds": 0}), "seconds=0"),
        ((None, {"playouts": -1}), "playouts=-1"),
        ((None, {"seed": "x"}), "seed"),
    ],
)
def test_what_cannot_be_reviewed_is_refused(arguments, words):
    match, how = arguments
    with pytest.raises(CrashlabError, match=words):
        crashlab.review(match or of_two("81 FFF", "82 FF"), progress=False, **how)


# The command


def test_the_command_reviews_a_saved_match(tmp_path, capsys):
    of_two("81 FFF", "82 FF").save(tmp_path / "match.json")
    assert cli.main(["review", str(tmp_path / "match.json")]) == 0
    assert "The cost of an action is the number of points" in capsys.readouterr().out
    assert cli.main(["review", str(tmp_path / "match.json"), "--html", str(tmp_path / "out.html")]) == 0
    assert (tmp_path / "out.html").read_text("utf-8").startswith("<!doctype html>")
    for words, reason in (
        ([str(tmp_path / "none.json")], "cannot be read"),
        ([str(tmp_path / "match.json"), "--html", "out.pdf"], "ends in .html"),
        ([str(tmp_path / "match.json"), "--seconds", "0"], "--seconds"),
    ):
        assert cli.main(["review", *words]) == 2
        assert reason in capsys.readouterr().err


# The widget


@pytest.fixture
def hands():
    """Return the helpers of widget tests; skip without widgets."""
    pytest.importorskip("ipycanvas")
    import fake_page as hands

    return hands


@pytest.mark.slow
def test_a_review_is_at_hand_at_once_and_looks_closer_when_asked(played, hands):
    from crashlab.lab import Explorer, Review

    shown = Review(played.turns[:2], animate=False)
    assert shown.appraisal is None and shown.costs.reviewing is None
    before = shown.moments
    appraisal = shown.look_closer()
    assert appraisal.done == 1 and shown.moments != before and len(shown.buttons) == len(appraisal.turnings)
    sent = hands.Sent(shown)
    for number, turning in enumerate(appraisal.turnings, 1):
        for spot in appraisal.places(turning):
            sent.press(*spot)
            assert shown.panel.turn is played.turns[turning.turn] and shown.error is None
        shown.show(number)
        assert shown.panel.turn is played.turns[turning.turn]
    sent.press(300, 200)
    assert shown.panel.turn is played.turns[appraisal.turn_at(300, 200)]
    for place, decision in enumerate(shown.costs.listed[:3]):
        shown.costs.menu.index = place
        assert shown.error is None and str(decision.best) in shown.panel.story.both[1].name
        assert appraisal.line(decision).split(":")[0] in shown.costs.why.value
    hands.click(shown.costs.play_on)
    assert isinstance(shown.panel, Explorer) and shown.panel.state == played.turns[decision.turn].before
    assert shown.error is None
    shown.close()


def test_the_work_goes_on_in_the_background_and_can_be_stopped(played, hands, monkeypatch):
    from crashlab.lab import Review

    monkeypatch.setattr("crashlab.lab.board.time", hands.CLOCK)
    gate, step = threading.Event(), Reviewing.step
    monkeypatch.setattr(
        Reviewing, "step", lambda work: step(work) if gate.is_set() or len(work.decisions) < 3 else time.sleep(0.01)
    )
    shown = Review(played.turns[:1], animate=False)
    hands.click(shown.costs.ask)
    hands.wait_for(lambda: shown.costs.reviewing is not None and len(shown.costs.reviewing.decisions) == 3)
    hands.click(shown.costs.ask)
    with shown.costs.work.thinking:
        stopped = shown.costs.reviewing.steps
    assert not shown.costs.work.busy and 0 < shown.appraisal.done < 1 and shown.appraisal.decisions
    assert shown.costs.ask.description == "Go on" and shown.costs.reviewing.steps == stopped
    gate.set()
    hands.click(shown.costs.ask)
    hands.rested(shown.costs)
    assert shown.appraisal.done == 1 and shown.error is None
    shown.close()
