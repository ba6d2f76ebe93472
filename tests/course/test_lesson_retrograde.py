"""Lesson 44: its town, its exercises with wrong answers, and its contest."""

import pytest
from notebook_cells import defined

import crashlab
from crashlab import agents
from crashlab.course.lessons import retrograde as lesson
from crashlab.course.lessons.retrograde import A, best, kept, one_step_back, spot, town


@pytest.fixture(scope="module")
def table():
    return crashlab.retrograde(town())


@pytest.fixture(scope="module")
def town_explored():
    """Return every position of the town and its successors, as the lesson's search lists them."""
    states, _, after = defined("44_retrograde_analysis.ipynb")["explore"](town())
    return states, after


def said(capsys, name, answer):
    crashlab.check(name, answer)
    return " ".join(capsys.readouterr().out.split())


@pytest.mark.slow
def test_step_by_step_the_town_is_solved_as_the_table_has_it(table, town_explored):
    states, after = town_explored
    mover = [state.actors[0] for state in states]
    winners = {here: state.scores.index(1) for here, state in enumerate(states) if any(state.scores)}
    value = {here: (winner, 0) for here, winner in winners.items()}
    sizes = [len(winners)]
    while new := one_step_back(after, mover, winners):
        value |= {here: (winner, len(sizes)) for here, winner in new.items()}
        sizes.append(len(new))
        winners |= new
    assert sizes == [268, 896, 608, 512, 168, 24, 8]
    assert all(table.value(state) == value[here] for here, state in enumerate(states)) and len(states) == len(table)


def test_a_spot_is_where_the_board_has_the_car():
    state = town()
    assert spot(state, "A1") == ((0, 0, 0), 1) and state.place(spot(state, "A1")) != state.place(((0, 0, 0), 3))
    parked = next(state for state in crashlab.retrograde(state).layer(0) if state.scores[0])
    assert spot(parked, "A1") is None


def test_the_positions_of_the_text_are_as_it_says(table):
    assert table.value(town()) == (A, 3)
    assert table.value(town("0,1N>E")) == (A, 5)
    assert table.value(town(asked="B")).winner is not None


def test_the_mistake_of_the_lesson_is_not_seen_in_the_town(table, town_explored):
    """The mistake, to lose if any action loses, has no effect in the town, but it has one in the small game."""

    def careless(after, mover, winner_of):
        results = {
            here: [winner_of[there] for there in after[here] if there in winner_of]
            for here in after
            if here not in winner_of
        }
        return {
            here: mover[here] if mover[here] in winners else 1 - mover[here]
            for here, winners in results.items()
            if winners
        }

    states, after = town_explored
    mover = [state.actors[0] for state in states]
    winner_of = {here: state.scores.index(1) for here, state in enumerate(states) if any(state.scores)}
    while new := careless(after, mover, winner_of):
        winner_of |= new
    assert all(table.value(state).winner == winner_of[here] for here, state in enumerate(states))
    assert careless({"p": ["q", "y"], "q": ["x"]}, {"p": A, "q": 1}, {"x": A, "y": 1})["p"] == 1


# al-44


def forgets_all(after, mover, winner_of):
    """Let a player lose if any action loses."""
    return {
        here: winner_of[there] for here in after if here not in winner_of for there in after[here] if there in winner_of
    }


def wins_only(after, mover, winner_of):
    results = {here: [winner_of.get(there) for there in after[here]] for here in after if here not in winner_of}
    return {here: mover[here] for here, winners in results.items() if mover[here] in winners}


def dead_ends(after, mover, winner_of):
    """Let a player without actions lose: `all` of an empty list is True."""
    results = {here: [winner_of.get(there) for there in after[here]] for here in after if here not in winner_of}
    return {
        here: mover[here] if mover[here] in winners else 1 - mover[here]
        for here, winners in results.items()
        if mover[here] in winners or all(winner == 1 - mover[here] for winner in winners)
    }


def at_once(after, mover, winner_of):
    """Use new results within the same step."""
    later = dict(winner_of)
    while new := one_step_back(after, mover, later):
        later |= new
    return {here: winner for here, winner in later.items() if here not in winner_of}


def known_too(after, mover, winner_of):
    return winner_of | one_step_back(after, mover, winner_of)


def other_way(after, mover, winner_of):
    return one_step_back(after, {here: 1 - seat for here, seat in mover.items()}, winner_of)


def changes_its_argument(after, mover, winner_of):
    new = one_step_back(after, mover, winner_of)
    winner_of |= new
    return new


@pytest.mark.parametrize(
    "answer, words",
    [
        (forgets_all, "but the result of one action is still unknown: A loses when *all* lose"),
        (wins_only, "So A wins it, and it is missing from your answer"),
        (dead_ends, "Nobody has won there: it is a draw. `all` of nothing is True"),
        (at_once, "That takes two steps: look at what is in `winner_of` only"),
        (known_too, "x is known already. Return only new positions."),
        (other_way, "al-44: not yet"),
        (changes_its_argument, "its argument has changed"),
        (lambda after, mover, winner_of: list(one_step_back(after, mover, winner_of)), "Return a dict"),
        (lambda after, mover, winner_of: {"z": A}, "which is not one of its positions"),
        (lambda after, mover, winner_of: None, "A function returns None if it reaches no `return`"),
        (lambda after, mover, winner_of: dict.fromkeys(one_step_back(after, mover, winner_of), "A"), "You say 'A'"),
    ],
)
def test_wrong_steps_get_their_hints(capsys, answer, words):
    assert words in said(capsys, "al-44", answer)


def test_a_wrong_step_is_shown_where_it_parts_from_the_right_one(capsys):
    def mine(after, mover, winner_of):
        new = {}
        for here in after:
            if here not in winner_of and after[here]:
                if any(there in winner_of and winner_of[there] == mover[here] for there in after[here]):
                    new[here] = mover[here]
                elif any(there in winner_of for there in after[here]):
                    new[here] = 1 - mover[here]
        return new

    words = said(capsys, "al-44", mine)
    assert "Step by step: yours set new['p'] = 1 here" in words and "loses when *all* lose" in words


def test_the_right_step_is_right(capsys):
    assert said(capsys, "al-44", one_step_back).startswith("al-44: right!")


# al-44b


def ranked(of):
    return lambda options, seat: max(options, key=lambda action: of(*options[action], seat))


def without_draws(options, seat):
    return best({name: end for name, end in options.items() if end[0] is not None} or options, seat)


def late(decisions):
    return 0 if decisions is None else decisions


@pytest.mark.parametrize(
    "answer, words",
    [
        (ranked(lambda winner, decisions, seat: winner == seat), "wins, but 'right' wins sooner, in 1"),
        (lambda options, seat: next(iter(options)), "but 'right' wins"),
        (ranked(lambda winner, decisions, seat: (winner == seat, -late(decisions))), "loses latest, after 5 decisions"),
        (ranked(lambda winner, decisions, seat: (winner == seat, late(decisions))), "wins sooner"),
        (without_draws, "does not lose"),
        (lambda options, seat: options[best(options, seat)], "Return one of the actions, by its name"),
        (lambda options, seat: best(options, 1 - seat), "al-44b: not yet"),
        (lambda options, seat: None, "Return one of the actions"),
    ],
)
def test_wrong_choices_get_their_hints(capsys, answer, words):
    assert words in said(capsys, "al-44b", answer)


def test_the_right_choice_is_right_and_the_one_of_the_table(capsys, table):
    assert said(capsys, "al-44b", best).startswith("al-44b: right!")
    for state in list(table)[::50]:
        if not any(state.scores):
            (seat,) = state.actors
            options = {str(action): tuple(table.value(state.play(action).after)) for action in state.actions(seat)}
            assert options[best(options, seat)] == options[str(table.best(state))]


# The contest


def test_who_never_errs_wins_all_positions_of_the_contest(table):
    assert len(lesson.contest(table)) == lesson.CONTESTS == kept(table.agent, table)
    assert kept(agents.random(1), table) < lesson.CONTESTS / 2
