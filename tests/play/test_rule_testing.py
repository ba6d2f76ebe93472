"""`crashlab.try_rules`: the errors of a rulebook, each in the smallest position that shows it."""

import re

import pytest
from cell_functions import cell

import crashlab
from crashlab import CrashlabError, Turn
from crashlab.play import rule_testing
from crashlab.play.rule_testing import tried

GAME = crashlab.game("autoscooter", players=2)
HEAD = 'def hit_side(table, car, hit, side, v, cause, trace):\n    """A car that is hit in the side pays."""\n'
SOUND = [
    "crash = note(HOUSE, cause, car + 1, hit + 1, v, table.speed[hit], trace)",
    "pay(table, hit, car, v, v, HOUSE, crash, trace)",
    "return crash",
]


def with_side(*lines):
    """Return the game with these lines, from line 3 of the cell on, as the rule of a side hit."""
    return GAME.with_rules(cell(HEAD + "\n".join(f"    {line}" for line in lines))["hit_side"])


def single_problem(game, games=60):
    """Return the only problem that a trial finds."""
    trial = crashlab.try_rules(game, games, progress=False)
    (problem,) = trial.problems
    assert not trial and not trial.sound and str(problem) in str(trial) and "is not sound" in str(trial)
    assert repr(trial) == f"<Trial of {game.name}: 1 problem>"
    return problem


def cars(problem):
    """Count the cars of the problem's position."""
    return len(problem.position.to_dict()["cars"])


def test_the_rules_of_the_book_are_sound():
    trial = crashlab.try_rules(GAME, 5, progress=False)
    assert trial and trial.sound and trial.problems == ()
    assert str(trial) == "autoscooter is sound: nothing broke in 5 games, interpreted and compiled."


def test_sound_rules_are_sound():
    assert crashlab.try_rules(with_side(*SOUND), 20, progress=False)


def test_rules_that_are_not_compiled_are_tried_interpreted():
    trial = crashlab.try_rules(with_side("price = {1: 1}", *SOUND), 5, progress=False)
    message = "interpreted. They are not compiled: line 3, in hit_side: `price = {1: 1}`: a dict cannot be compiled"
    assert trial.sound and message in str(trial)


def test_an_invariant_that_breaks_is_told_as_the_game_tells_it():
    problem = single_problem(
        with_side(
            "crash = note(HOUSE, cause, car + 1, hit + 1, v, 0, trace)",
            "happen(table.box, BOX, 0, table.box[0] + 1, HOUSE, crash, trace)",
            "return crash",
        )
    )
    assert problem.kind == "invariant" and problem.words == "chits and box add up to 41, but the game has 40 chits"
    assert cars(problem) < 8
    assert any(event.rule == "HOUSE-1" for event in problem.turn.events)


def test_a_number_out_of_its_range_is_found():
    problem = single_problem(with_side("return happen(table.speed, SPEED, car, 7, HOUSE, cause, trace)"))
    assert problem.kind == "invariant" and problem.words.startswith("speed is 7, but must be from 0 to 3")


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["return v // 0"], "ZeroDivisionError: .*, in line 3, in hit_side: `return v // 0`"),
        (["return table.speed[99]"], "IndexError: .*, in line 3, in hit_side"),
        (["return NUMBERS[car - 999]"], "IndexError: .*, in line 3, in hit_side"),
    ],
)
def test_an_error_is_found_with_its_line_and_shown_as_far_as_the_turn_goes(lines, words):
    problem = single_problem(with_side(*lines))
    assert problem.kind == "error"
    assert re.search(words, problem.words)
    assert problem.turn.events and not any(event.rule == "HOUSE-1" for event in problem.turn.events)
    with pytest.raises(CrashlabError, match="did not finish here"):
        problem.turn.after.play()


def first_wrong(game):
    """Return kind and words of a game's first problem, and check its picture."""
    problem = next(filter(None, (tried(game, seed) for seed in range(20))))
    assert {"image/png", "image/svg+xml"} & set(problem._repr_mimebundle_())
    assert problem.turn.svg() and all(event.text for event in problem.turn.events)
    return problem.kind, problem.words


CRASH = "crash = note(HOUSE, cause, car + 1, hit + 1, v, table.speed[hit], trace)"
WRONG_EVENTS = {
    "a number beyond its range, on which the book stumbles later": (
        [CRASH, "happen(table.speed, SPEED, hit, 99, HOUSE, crash, trace)", "return crash"],
        "invariant: speed is 99, but must be from 0 to 3, in line 4, in hit_side: `happen",
    ),
    "a cell beyond the board": (
        ["return happen(table.cell, CELL, hit, 99, HOUSE, cause, trace)"],
        "invariant: cell is 99, but must be from -1 to 37, in line 3, in hit_side",
    ),
    "the number of another field": (
        ["return happen(table.cell, SPEED, hit, 2, HOUSE, cause, trace)"],
        "replay: an event does not match its change: .*, in line 3, in hit_side",
    ),
    "a fraction": (
        ["return happen(table.speed, SPEED, hit, 1.5, HOUSE, cause, trace)"],
        "told: the after of an event is 1.5: it should be a whole number, in line 3",
    ),
    "no cause": (
        [CRASH, "pay(table, hit, car, v, v, HOUSE, None, trace)", "return crash"],
        "told: the cause of an event is None: it should be a whole number; a rule must return the number of its event",
    ),
    "a cause to come": (
        ["return note(HOUSE, 9999, 1, 2, 3, 4, trace)"],
        "told: an event has the cause 9999, ",
    ),
    "a rule of no book": (
        ["return note(9999, cause, 1, 2, 3, 4, trace)"],
        "told: an event has the rule 9999,",
    ),
}
IMPURE = {
    "print": (["print('hit')", *SOUND], "the rules print 'hit': .*, in line 3, in hit_side: `print"),
    "print and hush": (["try:", "    print(v)", "except Exception:", "    pass", *SOUND], "the rules print .* line 4"),
    "write to the screen": (["import sys", "sys.stderr.write('hit')", *SOUND], "the rules print 'hit'.* line 4"),
    "write a file": (["open('hit.txt', 'a').write('hit')", *SOUND], "the rules open 'hit.txt': .* line 3"),
    "write it otherwise": (
        ["import pathlib", "pathlib.Path('hit.txt').write_text('hit')", *SOUND],
        "rules open .*hit.txt.*line 4",
    ),
    "start a program": (["import os", "os.system('true')", *SOUND], r"outside the game \(os.system\): .* line 4"),
    "throw dice": (["import random", "v = random.randrange(3)", *SOUND], "the same decision has different results"),
    "look at the clock": (["import time", "v = time.time_ns() % 3", *SOUND], "the same decision has different results"),
    "look at the heap": (["v = id(table) // 16 % 3", *SOUND], "the same decision has different results"),
}
ANSWERS = {
    "def actors(table):\n    return 0": "over: the game is over before it has begun: actors",
    "def actors(table):\n    return 512": r"actors: actors\(\) gives 512: it should be the sum",
    "def actors(table):\n    return -1": r"actors: actors\(\) gives -1: it should be the sum",
    "def actors(table):\n    return 'A'": r"actors: actors\(\) gives 'A': it should be the sum",
    "def legal(table, seat, out):\n    return 99999": r"legal: legal\(\) gives 99999: it should be .* at most 176",
    "def legal(table, seat, out):\n    return -1": r"legal: legal\(\) gives -1",
    "def legal(table, seat, out):\n    out[0], out[1] = 7777777, 99\n    return 2": "refused: . cannot play '243055 F",
    "def score(table, seat):\n    return id(table) + seat": r"impure: score\(\) for A gives \d+, then \d+:",
    "def score(table, seat):\n    return table.chits[seat] / 2": r"score: score\(\) gives 10.0 for A: it should be a",
    "def score(table, seat):\n    happen(table.box, BOX, 0, 1 + table.box[0], E1, -1, None)\n    return 3": (
        "impure: actors.*changes box, but only functions that play an action may do so"
    ),
    "def winners(table):\n    return 0": r"winners: winners\(\) gives 0: .* with at least one winner",
    "def winners(table):\n    return 4": r"winners: winners\(\) gives 4: it should be the sum",
}


@pytest.mark.few(2)
@pytest.mark.parametrize("lines, words", WRONG_EVENTS.values(), ids=WRONG_EVENTS)
def test_an_event_that_is_wrong_is_told_where_it_is_made(lines, words):
    assert re.match(words, ": ".join(first_wrong(with_side(*lines))))


@pytest.mark.few(3)
@pytest.mark.parametrize("lines, words", IMPURE.values(), ids=IMPURE)
def test_a_rule_knows_the_table_alone_and_changes_nothing_else(lines, words, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    kind, text = first_wrong(with_side(*lines))
    assert kind == "impure" and re.search(words, text)
    assert capsys.readouterr() == ("", "") and not list(tmp_path.iterdir())


@pytest.mark.few(3)
@pytest.mark.parametrize("source, words", ANSWERS.items())
def test_what_the_rules_answer_is_an_answer_and_always_the_same(source, words):
    (rule,) = [function for name, function in cell(source).items() if name in ("actors", "legal", "score", "winners")]
    assert re.match(words, ": ".join(first_wrong(GAME.with_rules(rule))))


def test_a_game_is_played_twice(monkeypatch):
    """Rules that differ between calls are detected when the whole game is played again."""
    monkeypatch.setattr(rule_testing, "hands", lambda: 0, raising=False)
    mine = with_side("import crashlab.play.rule_testing", "v = crashlab.play.rule_testing.hands()", *SOUND)
    assert tried(mine, 3) is None
    calls = iter(range(10**6))
    monkeypatch.setattr(rule_testing, "hands", lambda: next(calls) // 9 % 2)  # HANDS
    assert any(problem and problem.kind == "impure" for problem in (tried(mine, seed) for seed in range(3)))


def test_others_may_print_and_open_files_while_rules_are_tried(capsys):
    import threading

    done = threading.Event()

    def work():
        while not done.wait(0.001):
            print("here")
            with open(__file__) as file:
                file.read(1)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        assert tried(with_side("import colorsys", *SOUND), 1) is None  # also an import not loaded before
    finally:
        done.set()
        thread.join()
    assert "here" in capsys.readouterr().out


def test_what_cannot_be_drawn_is_told_without_a_picture(monkeypatch):
    problem = next(filter(None, (tried(with_side("return v // 0"), seed) for seed in range(20))))
    monkeypatch.setattr(crashlab.State, "picture", lambda self: 1 // 0)
    assert problem._repr_mimebundle_() == {"text/plain": str(problem)}


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "lines",
    [
        ["while v >= 0:", "    v += 1", "return cause"],
        ["while v >= 0:", "    cause = note(HOUSE, cause, 1, 2, 3, 4, trace)", "return cause"],
        ["return hit_side(table, car, hit, side, v, cause, trace)"],
    ],
    ids=["a loop", "a loop that tells", "a recursion"],
)
def test_what_does_not_end_is_stopped(lines, monkeypatch):
    monkeypatch.setattr(rule_testing, "PATIENCE", 0.5)
    monkeypatch.setattr(rule_testing, "ATTEMPTS", 10)
    problem = single_problem(with_side(*lines))
    assert problem.kind == "endless" and "do not end within" in problem.words
    assert len(problem.turn.rows) <= rule_testing.SHOWN


def test_a_game_that_does_not_end_is_found(monkeypatch):
    monkeypatch.setattr(rule_testing, "LONG", 60)
    rule = cell('''
        def end_game(table, cause, trace):
            """After the last round comes the first one."""
            again = happen(table.round, ROUND, 0, 1, HOUSE, cause, trace)
            for number in range(ROUNDS * CARS):
                happen(table.used, USED, number, 0, HOUSE, again, trace)
        ''')["end_game"]
    problem = single_problem(GAME.with_rules(rule), 2)
    assert problem.kind == "endless" and problem.words == "the game is not over after 60 decisions"
    assert isinstance(problem.turn, Turn) and not problem.turn.rows


def test_who_is_asked_must_have_something_legal():
    problem = single_problem(GAME.with_rules(cell("def legal(table, seat, out):\n    return 0")["legal"]), 1)
    assert problem.kind == "stuck" and "must decide, but has no legal action" in problem.words
    assert not problem.turn.rows


def test_what_breaks_before_anybody_decides_is_found_too():
    rule = cell("def actors(table):\n    return table.round[99]")["actors"]
    problem = single_problem(GAME.with_rules(rule), 1)
    assert problem.kind == "error" and "line 2, in actors" in problem.words
    assert not problem.turn.rows and problem.position.text


def test_what_is_done_and_not_told_is_found():
    """`with_rules` refuses what it sees, and it cannot see this change."""
    problem = single_problem(with_side("import operator", "operator.setitem(table.speed, hit, 0)", *SOUND))
    assert problem.kind == "replay" and "speed" in problem.words


@pytest.mark.slow
def test_what_depends_on_being_watched_is_found():
    problem = single_problem(with_side("if latest(CELL, car, trace) != NOWHERE:", "    v = 0", *SOUND))
    assert problem.kind == "watching" and "without a trace" in problem.words


def test_a_position_that_cannot_be_read_back_is_found():
    problem = single_problem(with_side("happen(table.used, USED, 5, 1, HOUSE, cause, trace)", *SOUND), 10)
    assert problem.kind == "position" and "cannot be read back: used: " in problem.words


@pytest.mark.slow
def test_bodies_that_differ_are_found_in_a_small_position():
    """A number beyond 64 bits differs between the backends."""
    pytest.importorskip("wasmtime")
    problem = single_problem(
        with_side(
            "large = v + 1",
            "for _ in range(80):",
            "    large = large * 2",
            "if large == 0:",
            "    v = 0",
            *SOUND,
        )
    )
    assert problem.kind == "compiled" and "the compiled rules have different results" in problem.words
    assert cars(problem) < 8 and any(event.rule == "HOUSE-1" for event in problem.turn.events)


@pytest.mark.slow
def test_an_index_past_the_end_of_a_row_is_found_in_compiled_rules():
    """Python would refuse it as well, but never reaches that line."""
    pytest.importorskip("wasmtime")
    problem = single_problem(
        with_side(
            "large = v + 1",
            "for _ in range(80):",
            "    large = large * 2",
            "if large == 0:",
            "    v = table.speed[99 + v]",
            *SOUND,
        )
    )
    assert problem.kind == "compiled" and "past the end of a row" in problem.words


def test_a_problem_shows_itself_as_words_and_a_picture_and_in_a_stepper():
    problem = single_problem(with_side("happen(table.box, BOX, 0, table.box[0] + 1, HOUSE, cause, trace)", *SOUND))
    shown = problem._repr_mimebundle_()
    assert shown["text/plain"] == str(problem) and {"image/png", "image/svg+xml"} & set(shown)
    trial = crashlab.Trial(problem.position.game, 1, (problem,))
    assert trial._repr_mimebundle_()["text/plain"] == str(trial) and {"image/png", "image/svg+xml"} & set(
        trial._repr_mimebundle_()
    )
    pytest.importorskip("ipycanvas")
    from crashlab.lab import Stepper

    stepper = Stepper(problem.turn, animate=False)
    assert stepper.error is None and any(event["rule"] == "HOUSE-1" for event in stepper.steps.story.event_documents())
    stepper.close()


def test_as_a_property_of_hypothesis():
    pytest.importorskip("hypothesis")
    from hypothesis import given, settings
    from hypothesis.strategies import integers

    mine, wrong = with_side(*SOUND), with_side("return v // 0")
    calm = settings(max_examples=5, deadline=None, database=None)

    @calm
    @given(integers(0, 2**32))
    def is_sound(seed):
        assert tried(mine, seed) is None

    is_sound()
    assert any(tried(wrong, seed) for seed in range(20))


def test_nonsense_is_refused():
    with pytest.raises(CrashlabError, match=r"try_rules.. takes a game, .*, not 'autoscooter'"):
        crashlab.try_rules("autoscooter")
    with pytest.raises(CrashlabError, match="games=0: give a whole number from 1"):
        crashlab.try_rules(GAME, 0)


@pytest.mark.parametrize("stopped", ["playing", "making smaller", "compiling"])
def test_what_is_known_is_told_when_it_is_stopped(monkeypatch, stopped):
    whole, seen = rule_testing.tried, []

    def tried(game, seed):
        if stopped == "playing" and len(seen) == 3:
            raise KeyboardInterrupt
        seen.append(seed)
        return whole(game, seed)

    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(rule_testing, "tried", tried)
    monkeypatch.setattr(rule_testing, "in_both", stop)
    if stopped == "making smaller":
        monkeypatch.setattr(rule_testing, "smallest", stop)
        lines = SOUND[0], "happen(table.box, BOX, 0, table.box[0] + 1, HOUSE, crash, trace)", SOUND[-1]
        trial = crashlab.try_rules(with_side(*lines), 40, progress=False)
        assert not trial and trial.problems[0].kind == "invariant"
        assert "(stopped; 40 were requested)" in str(trial)
        return
    trial = crashlab.try_rules(with_side(*SOUND), 8, progress=False)
    games = 3 if stopped == "playing" else 8
    assert (
        trial.sound
        and trial.games == games
        and "The compiled rules were not tested: the test was stopped." in str(trial)
    )
    is_stopped = "(stopped; 8 were requested)" in str(trial)
    assert ("sound as far as it was tested" in str(trial)) == is_stopped == (games == 3)
