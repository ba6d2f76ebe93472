"""The matrix game of a position: its cells computed by hand, its equilibrium proven by best replies."""

import re

import numpy as np
import pytest

import crashlab
from crashlab import CrashlabError
from crashlab.analysis.duel import Cells, duel, prepare
from crashlab.analysis.matrix_game import Duel, Equilibrium, heat, ink
from crashlab.base.statistics import half_width_of
from crashlab.compiled import choose_backend
from crashlab.compiled.kernels.lines_of_play import with_choice
from crashlab.compiled.kernels.matrix_cells import play_cell
from crashlab.engine.game import Game

ROCK = Duel.of([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], ["rock", "paper", "scissors"], ["rock", "paper", "scissors"])
TOY = Game("toy", "toy", {})
SOLVED = {  # a matrix, the mixture of the rows, the mixture of the columns, the value
    "rock, paper, scissors": ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], [1 / 3] * 3, [1 / 3] * 3, 0),
    "matching pennies": ([[1, -1], [-1, 1]], [0.5, 0.5], [0.5, 0.5], 0),
    "unequal pennies": ([[3, -1], [-2, 1]], [3 / 7, 4 / 7], [2 / 7, 5 / 7], 1 / 7),
    "a saddle": ([[4, 2, 5], [1, 0, 9], [3, 1, -2]], [1, 0, 0], [0, 1, 0], 2),
    "a dominated row": ([[2, -1], [-1, 1], [1, -2]], [0.4, 0.6, 0], [0.4, 0.6], 0.2),
    "one row": ([[3, 1, 2]], [1], [0, 1, 0], 1),
    "one column": ([[3], [1], [4]], [0, 0, 1], [1], 4),
    "one cell": ([[-7]], [1], [1], -7),
    "two by three": ([[2, 0, -2], [0, 2, 2]], [1 / 3, 2 / 3], [2 / 3, 0, 1 / 3], 2 / 3),
    "large numbers": ([[3e6, -1e6], [-2e6, 1e6]], [3 / 7, 4 / 7], [2 / 7, 5 / 7], 1e6 / 7),
}


def matrices(number):
    """Yield (seed, game) for random matrices of all shapes, with ties and without."""
    for seed in range(number):
        rng = np.random.default_rng(seed)
        shape = rng.integers(1, 13, 2)
        kinds = rng.normal(size=shape), rng.integers(-2, 3, shape), rng.integers(-1, 2, (shape[0], 1)) + np.zeros(shape)
        yield seed, Duel.of(kinds[seed % 3])


# Equilibria


@pytest.mark.few(3)
@pytest.mark.parametrize("name", SOLVED)
def test_games_solved_by_hand(name):
    values, row, column, value = SOLVED[name]
    solution = Duel.of(values).solve("lp")
    np.testing.assert_allclose(solution.row, row, atol=1e-9)
    np.testing.assert_allclose(solution.column, column, atol=1e-9)
    assert solution.value == pytest.approx(value, abs=1e-9) and solution.gap <= 1e-9 * (1 + abs(value))


@pytest.mark.few(3)
@pytest.mark.parametrize("name", SOLVED)
def test_regret_matching_learns_the_same(name):
    values, row, column, value = SOLVED[name]
    solution = Duel.of(values).solve("regret", steps=3000)
    scale = max(np.ptp(values), 1)
    assert solution.gap < 0.005 * scale and solution.value == pytest.approx(value, abs=0.005 * scale)
    np.testing.assert_allclose(solution.row, row, atol=0.02)
    np.testing.assert_allclose(solution.column, column, atol=0.02)


@pytest.mark.slow
def test_any_game_is_solved_by_programming_and_learnt_by_regret():
    for seed, game in matrices(300):
        exact, learnt = game.solve("lp"), game.solve("regret", steps=200)
        for solution in (exact, learnt):
            for side in (solution.row, solution.column):
                assert (side >= 0).all() and side.sum() == pytest.approx(1), seed
            assert game.best_reply(column=solution.column).value >= solution.value - 1e-12, seed
            assert game.best_reply(row=solution.row).value <= solution.value + 1e-12, seed
        assert exact.gap <= 1e-9, seed
        assert abs(exact.value - learnt.value) <= learnt.gap + 1e-9, seed
        assert learnt.gap < 0.2, seed


def test_a_hundred_by_a_hundred_with_many_ties():
    values = np.random.default_rng(1).integers(-1, 2, (100, 100))
    values[20:40], values[:, 50:90] = values[:20], values[:, 10:50]
    assert Duel.of(values).solve("lp").gap <= 1e-9


def test_a_larger_lead_everywhere_changes_the_value_and_no_mixture():
    values = np.random.default_rng(2).normal(size=(5, 6))
    low, high = Duel.of(values).solve(), Duel.of(2 * values + 9).solve()
    np.testing.assert_allclose(low.row, high.row, atol=1e-9)
    assert high.value == pytest.approx(2 * low.value + 9)


def test_the_gap_is_what_best_replies_gain():
    mixed = Equilibrium(ROCK, np.array([1.0, 0, 0]), np.array([0, 0, 1.0]))  # rock against scissors
    assert mixed.value == 1
    assert mixed.gap == 2  # rock cannot gain; paper instead of scissors gains 2
    assert ROCK.best_reply(row=[1, 0, 0]) == ("paper", -1)
    assert ROCK.best_reply(column=[0, 0, 1]) == ("rock", 1)
    assert ROCK.best_reply(column={"scissors": 0.5, "paper": 0.5}) == ("scissors", 0.5)


def test_the_history_can_be_followed():
    solution = Duel.of([[3, -1], [-2, 1]]).solve("regret", steps=5000)
    history = solution.history
    assert history.steps[0] == 1 and history.steps[-1] == 5000 and 50 <= len(history.steps) <= 100
    assert all(first < second for first, second in zip(history.steps, history.steps[1:], strict=False))
    assert history.rows.shape == history.columns.shape == (len(history.steps), 2)
    assert history.gaps.shape == history.values.shape == history.steps.shape
    assert np.array_equal(history.rows[-1], solution.row) and history.gaps[-1] == solution.gap
    assert history.rows[0].tolist() == [0.5, 0.5]  # without regrets all rows are played equally
    assert history.gaps[-1] < 0.01 * history.gaps[0]
    again = solution.duel.solve("regret", steps=int(history.steps[30]))
    assert np.array_equal(again.row, history.rows[30]) and again.gap == history.gaps[30]
    assert solution.duel.solve("lp").history is None


# Cells


def facing(**options):
    """Return a last round: car 1 in (2,1) and car 2 in (2,4) face each other at speed 2, two hexes between them."""
    return crashlab.game("autoscooter", players=2, **options).read(
        {"round": 11, "cars": {"1": "21E2", "2": "24W2"}, "chits": {"A": 22, "B": 15}}
    )


def test_two_cars_that_face_each_other():
    """Car 1 moves first (81 before 82).

    F stops at (2,2): FF rams it with 2 against 1, FFF with 3 against 1. FF stops at (2,3): F meets it with 1
    against 2, FFF with 3 against 2. FFF hits car 2, still at speed 2, and gains 1; both stand. Then F is slow enough
    to be legal and gets the chit back, FF and FFF are not (AS-R6).
    """
    game = duel(facing(), rows=["81 F", "81 FF", "81 FFF"], columns=["82 F", "82 FF", "82 FFF"], value="gain")
    assert game.values.tolist() == [[0, -2, -4], [2, 0, -2], [0, 2, 2]]
    assert game.half_widths.tolist() == [[0, 0, 0]] * 3 and "exact" in game.title
    solved = game.solve()
    np.testing.assert_allclose(solved.row, [0, 1 / 3, 2 / 3], atol=1e-9)  # F is worse than FF
    np.testing.assert_allclose(solved.column, [2 / 3, 0, 1 / 3], atol=1e-9)  # against FF and FFF, FF is worse than FFF
    assert solved.value == pytest.approx(2 / 3)


def test_what_a_value_measures():
    plots = {"rows": ["81 F", "81 FF"], "columns": ["82 F", "82 FFF"]}
    assert duel(facing(), **plots).values.tolist() == [[7, 3], [9, 5]]  # 22 chits against 15
    assert duel(facing(), **plots, value="gain").values.tolist() == [[0, -4], [2, -2]]
    assert duel(facing(), **plots, value="win").values.tolist() == [[1, 1], [1, 1]]
    level = crashlab.game("autoscooter", players=2).read({"round": 11, "cars": {"1": "21E2", "2": "24W2"}})
    assert duel(level, **plots, value="win").values.tolist() == [[0, -1], [1, -1]]


def test_seats_turned_round_turn_the_matrix_round():
    there, back = duel(facing(), value="gain"), duel(facing(), (1, 0), value="gain")
    assert np.array_equal(back.values, -there.values.T)
    assert back.rows == there.columns and back.names == ("B", "A")


def test_all_legal_plots_are_rows_and_columns_and_can_be_played():
    state = facing(legality="at_planning")
    game = duel(state)
    assert list(game.rows) == list(state.actions(0)) and list(game.columns) == list(state.actions(1))
    for row in range(len(game.rows)):
        for column in range(0, len(game.columns), 4):
            after = state.play({0: game.rows[row], 1: game.columns[column]}).after
            assert game.values[row, column] == after.scores[0] - after.scores[1]


def test_others_and_chance_are_sampled_with_the_same_luck_in_every_cell():
    """Car 3 is behind car 2, which turns round: five of its six plots drive and hit car 2, for 1 chit."""
    game = crashlab.game("autoscooter", players=3)
    cars = {"1": "00E0", "2": "31E0", "3": "30E0"}
    state = game.read({"round": 11, "cars": cars, "chits": {"A": 20, "B": 10}})
    sampled = duel(state, rows=["81 P", "81 F", "-"], columns=["82 P"], playouts=4000)
    assert sampled.values[0, 0] == pytest.approx(10 + 5 / 6, abs=0.02)
    assert sampled.half_widths[0, 0] == pytest.approx(half_width_of(4000, 5 / 36 * 4000), rel=0.05)
    assert "4000 playouts" in sampled.title
    for seed in range(9):
        assert len(set(duel(state, columns=["82 P"], playouts=9, seed=seed).values[:, 0])) == 1
    again, other = (duel(state, columns=["82 P"], playouts=4000, seed=seed) for seed in (0, 1))
    assert again.values[0, 0] == sampled.values[0, 0] != other.values[0, 0]


def test_a_single_playout_says_little():
    game = crashlab.game("autoscooter", players=3)
    state = game.read({"round": 11, "cars": {"1": "00E0", "2": "31E0", "3": "30E0"}})
    assert np.isinf(duel(state, columns=["82 P"], playouts=1).half_widths).all()
    assert np.isinf(duel(state, columns=["82 P"], playouts=np.int64(1)).half_widths).all()  # also NumPy's integers


def test_looking_further_ahead():
    """With two cars each, nothing happens before both are planned."""
    game = crashlab.game("autoscooter", players=2)
    state = game.read({"round": 11, "cars": {"1": "21E2", "2": "24W2", "3": "60NW0", "4": "64W0"}})
    plots = {"rows": ["81 FF"], "columns": ["82 F", "82 FFF"], "value": "gain", "playouts": 100}
    early, late, end = (duel(state, decisions=decisions, **plots) for decisions in (1, 2, None))
    assert not early.values.any() and "further ahead" in early.title
    assert late.values[0, 0] - late.values[0, 1] == 4  # 2 and -2, with the same luck for the other two
    assert np.array_equal(late.values, end.values) and "at the end" in end.title


def test_forced_decisions_are_taken():
    """On squares 2 and 2, bids of 1 and a gust of 1 lead to 4 and 4; there both can only bid 1, to the end."""
    state = TOY.read("squares 2 2")
    backend = choose_backend.interpreted(TOY.rules)
    squares = set()
    for seed in range(40):
        tables = backend.tables([state.table])
        backend.bind(play_cell)(tables[0], 3, 0, 1, 1, 1, 2, backend.luck(seed), backend.row(3))
        bits = TOY.rules.actors(tables[0])
        assert bits == 0 or backend.bind(with_choice)(tables[0], bits, backend.row(3))
        squares.add(tuple(tables[0].square))
    assert (5, 5) in squares and (3, 3) in squares


POSITIONS = [
    (crashlab.game("autoscooter", players=3, standstill="pivot_first", rear_push=True), 2),
    (crashlab.game("autoscooter", players=8, legality="at_planning"), 3),
    (TOY, 3),
]


@pytest.mark.parametrize(("game", "decisions"), POSITIONS, ids=lambda thing: str(thing)[:30])
def test_interpreted_and_compiled_fill_in_the_same_numbers(game, decisions):
    state = game.start(3)
    rows, columns = (list(state.actions(seat).codes)[:4] for seat in (0, 1))
    for ahead, wins in ((1, False), (decisions, True), (0, False)):
        cells = Cells(state, (0, 1), rows, columns, ahead, wins, 7)
        slow = cells.play(choose_backend.interpreted(game.rules), 2, 5)
        fast = cells.play(choose_backend.compiled(game.rules), 2, 5)
        assert np.array_equal(slow[0], fast[0]) and np.array_equal(slow[1], fast[1]) and slow[2] == fast[2]
        assert slow[0].dtype == fast[0].dtype == np.int64


def test_a_warm_game_has_nothing_left_to_compile(monkeypatch, tmp_path):
    monkeypatch.setenv("CRASHLAB_CACHE", str(tmp_path))
    backend, plots = choose_backend.compiled_backend(TOY.rules), ((0, 1), [1], [1], 3, True, 7)
    prepare(TOY, backend)
    files = sorted(tmp_path.rglob("*.wasm"))
    assert Cells(TOY.read("squares 0 0"), *plots).play(backend, 0, 5)[2] == 5
    assert files and sorted(tmp_path.rglob("*.wasm")) == files
    choose_backend.warm(TOY, "duel")
    assert choose_backend.is_ready(TOY.rules, "duel")


def test_playouts_can_be_cut_into_pieces(monkeypatch):
    state = crashlab.game("autoscooter", players=8).start(3)
    plots = {"rows": ["1 F", "16 P"], "columns": ["2 F", "2 P"], "decisions": 3, "playouts": 25}
    whole = duel(state, **plots)
    monkeypatch.setattr("crashlab.analysis.duel.BATCH", 12)
    assert np.array_equal(duel(state, **plots).values, whole.values)
    monkeypatch.setattr("crashlab.analysis.duel.SMALL", 0)  # compiles all playouts
    assert np.array_equal(duel(state, **plots).half_widths, whole.half_widths)


def test_the_stop_button_leaves_what_is_done(monkeypatch):
    state, done = crashlab.game("autoscooter", players=8).start(3), []
    play = Cells.play

    def stop_at_the_third(self, backend, first, playouts):
        done.append(playouts)
        if len(done) == 3:
            raise KeyboardInterrupt
        return play(self, backend, first, playouts)

    plots = {"rows": ["1 F", "16 P"], "columns": ["2 F", "2 P"], "decisions": 8}
    expected = duel(state, **plots, playouts=6)
    monkeypatch.setattr(Cells, "play", stop_at_the_third)
    monkeypatch.setattr("crashlab.analysis.duel.BATCH", 20)
    stopped = duel(state, **plots, playouts=1000)
    assert done == [1, 5, 5] and np.array_equal(stopped.values, expected.values) and "6 playouts" in stopped.title


# Reduced games and tables


def test_a_reduced_game_names_the_first_of_those_that_are_equal():
    game = Duel.of([[1, 0, 1], [-1.0, -0.0, -1], [1, -0.0, 1], [1, 0, 1]], "abcd", "xyz").reduced()
    assert game.rows == ("a", "b") and game.columns == ("x", "y")
    assert game.values.tolist() == [[1, 0], [-1, 0]]
    assert game.like_rows == (3, 1) and game.like_columns == (2, 1)
    assert game.reduced().like_rows == (3, 1)
    assert "a ×3" in str(game) and "x ×2" in str(game)


def test_reducing_changes_no_value():
    game = duel(facing())
    assert len(game.reduced().rows) < len(game.rows)
    assert game.reduced().equilibrium.value == pytest.approx(game.equilibrium.value)


def test_a_table_shows_names_numbers_and_probabilities():
    lines = str(duel(facing(), rows=["81 FF", "81 FFF"], columns=["82 F", "82 FFF"], value="gain")).splitlines()
    assert lines[0].startswith("what A gains on B, after this decision")
    assert [line.split() for line in lines[1:5]] == [
        ["82", "F", "82", "FFF"],
        ["67", "%", "33", "%"],
        ["81", "FF", "33", "%", "+2", "-2"],
        ["81", "FFF", "67", "%", "0", "+2"],
    ]
    assert lines[5] == "A wins +0.667 on average; best replies would gain 0.0000." and len(lines) == 6


def test_a_large_table_shows_what_is_played_and_says_what_it_leaves_out():
    values = np.ones((40, 30))
    values[30:33, 20:23] = ROCK.values  # the worst rows for the columns and vice versa
    values[:, 20:23] -= 5
    values[30:33] += 5
    game = Duel.of(values)
    text = str(game)
    assert "14 of 40 rows" in text and "10 of 30 columns" in text and "with 0 %" in text
    for name in ("31", "32", "33"):
        assert re.search(rf"^ *{name}  33 %", text, re.MULTILINE)
    shown = [line.split()[0] for line in text.splitlines()[3:17]]
    assert shown == [str(row) for row in (*range(1, 12), 31, 32, 33)]
    pure = Equilibrium(game, np.eye(40)[39], np.eye(30)[20])  # the most played row, then the best against column 21
    assert re.search(r"^ *40  100 %", str(pure), re.MULTILINE) and re.search(r"^ *32      -", str(pure), re.MULTILINE)
    even = Equilibrium(game, np.full(40, 1 / 40), np.full(30, 1 / 30))
    assert "row plays the others with 65 %" in str(even) and "column plays the others with 67 %" in str(even)


def test_the_html_table_has_bars_colours_and_nothing_unescaped():
    page = Duel.of([[1, -2], [0.5, 1]], ["<b>", "stay"], ["x", "y"])._repr_html_()
    assert "&lt;b&gt;" in page and "<b>&" not in page
    assert page.count("<td") == 5 and page.count("<th") == 4 and page.count('scope="row"') == 2
    for word in ("+1.00", "-2.00", "+0.50", "14 %", "86 %", "linear-gradient", heat(-1)):
        assert word in page


def test_numbers_can_be_read_on_every_colour():
    for share in np.linspace(-1, 1, 101):
        assert contrast(heat(share), ink(heat(share))) >= 4.5
    assert heat(0) == "#FFFFFF" and heat(1) == "#0072B2" and heat(-1) == "#D55E00"


def contrast(first, second):
    """Return the contrast ratio of two colours, as defined by the W3C's accessibility guidelines."""
    lights = []
    for colour in (first, second):
        parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        lights.append(0.2126 * red + 0.7152 * green + 0.0722 * blue)
    return (max(lights) + 0.05) / (min(lights) + 0.05)


# Errors


def test_positions_without_a_duel_are_refused():
    alone = crashlab.game("autoscooter", players=2).read({"round": 11, "cars": {"1": "21E2"}})
    over = crashlab.game("autoscooter", players=2).read({"round": 12, "cars": {"1": "21E2"}})
    cases = [
        (lambda: duel(alone), "A and B needs a position in which both decide, but A decides now"),
        (lambda: duel(over), "both decide, but the game is over"),
        (lambda: duel(facing().seen_by(0)), "this is only the view of A"),
        (lambda: duel(TOY.read("squares 0 0; windy")), "chance decides now"),
        (lambda: duel(crashlab.game("autoscooter")), "needs a state, not Game"),
    ]
    for call, words in cases:
        with pytest.raises(CrashlabError, match=words):
            call()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"seats": (0, 0)}, "two different seats"),
        ({"seats": (0, 2)}, "no seat 2"),
        ({"seats": (0,)}, "two seats, as in"),
        ({"seats": 1}, "two seats, as in"),
        ({"seats": (0, "B")}, "two seats, as in"),
        ({"seats": (0, 1.0)}, "two seats, as in"),
        ({"rows": ["82 F"]}, "82 is not a number of car 1"),
        ({"rows": ["81 F", 7]}, "cannot read 7 as a plot"),
        ({"columns": ["82 P"]}, "AS-M5"),
        ({"rows": []}, "plots of A is empty"),
        ({"columns": "82 F"}, "give the plots of B as a list"),
        ({"columns": 3}, "give the plots of B as a list"),
        ({"playouts": 0}, "playouts=0"),
        ({"playouts": 2.5}, "playouts=2.5"),
        ({"decisions": 0}, "decisions=0"),
        ({"decisions": True}, "decisions=True"),
        ({"seed": "x"}, "seed='x'"),
        ({"value": "chits"}, "'lead', 'gain', 'win'"),
        ({"value": []}, "'lead', 'gain', 'win'"),
    ],
)
def test_nonsense_is_refused_in_words(options, words):
    state = facing()
    before = state.text
    with pytest.raises(CrashlabError, match=words):
        duel(state, **options)
    assert state.text == before


def test_matrices_and_mixtures_that_are_none_are_refused():
    for values in ([], [[]], [1, 2], [[1, 2], [3]], [["x"]], [[float("nan")]], [[1e308, -1e308]], None):
        with pytest.raises(CrashlabError, match="rows of numbers"):
            Duel.of(values)
    cases = [
        (lambda: Duel.of([[1, 2]], rows="ab"), "2 rows and 2 columns have names"),
        (lambda: Duel.of([[1, 2]], rows=5), "give the names of rows and columns as lists, not 5"),
        (lambda: ROCK.solve("guess"), "method='guess'"),
        (lambda: ROCK.solve("regret", steps=0), "steps=0"),
        (lambda: ROCK.best_reply(), "one side"),
        (lambda: ROCK.best_reply(row=[1, 0, 0], column=[1, 0, 0]), "one side"),
        (lambda: ROCK.best_reply(row=[1, 0]), "each of the 3"),
        (lambda: ROCK.best_reply(row=[1, 1, -1]), "must not be negative"),
        (lambda: ROCK.best_reply(row=[0.5, 0.4, 0]), "not to 0.9"),
        (lambda: ROCK.best_reply(row={"rock": 0.5, "well": 0.5}), "well is not among the plots"),
        (lambda: ROCK.best_reply(row="rock"), "list of probabilities"),
    ]
    for call, words in cases:
        with pytest.raises(CrashlabError, match=words):
            call()


def test_the_solution_holds_where_rows_are_nearly_equal():
    """Whole numbers with a little luck in some cells, as from playouts, provoke rounding errors."""
    rng = np.random.default_rng(7)
    for _ in range(60):
        rows, columns = rng.integers(5, 60, 2)
        values = rng.integers(-3, 4, (rows, columns)).astype(float)
        values[rng.random((rows, columns)) < 0.2] += rng.integers(-9, 10) / 200
        values = np.vstack([values, values[: rows // 2] + 1e-9 * rng.random((rows // 2, columns))])
        mixed = Duel.of(values, range(len(values)), range(columns)).solve("lp")
        assert mixed.gap <= 1e-6 * (values.max() - values.min())
