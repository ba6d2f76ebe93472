"""Panels release models, memory and threads, and the cell of a notebook that runs again closes its panels."""

import gc
import json
import sys
import time
import weakref
from itertools import count
from tempfile import mkdtemp
from types import ModuleType

import pytest

import crashlab
from crashlab import CrashlabError

pytest.importorskip("ipycanvas")

import anywidget
import ipywidgets
from fake_page import Page, Sent, click, quick_fingers, rested, wait_for, words  # noqa: F401
from IPython.core.interactiveshell import InteractiveShell
from ipywidgets.widgets.widget import _instances as models
from traitlets.config import Config

from crashlab.analysis.matrix_game import Duel
from crashlab.lab import (
    Arena,
    Bluff,
    Board,
    Dial,
    Explorer,
    Guess,
    Heat,
    League,
    Predict,
    Puzzle,
    Review,
    Stepper,
    notebook_cells,
    page_module,
)
from crashlab.lab.board import status_words

GAME = crashlab.game("autoscooter")
STATE = GAME.read({"cars": {"1": "21E2", "2": "23SE2"}})
TURN = STATE.play({0: "1 FF", 1: "82 FF"})
FEW = crashlab.puzzles("autoscooter")[:3]
DUEL = Duel.of([[0, -1, 1], [1, 0, -2], [-1, 2, 0]])

PANELS = {
    "Board": lambda: Board(STATE),
    "Stepper": lambda: Stepper(TURN),
    "Explorer": lambda: Explorer(STATE),
    "Predict": lambda: Predict(TURN),
    "Guess": lambda: Guess("What?", ["a", "b"], [1, 2]),
    "Arena": lambda: Arena(GAME, seed=3),
    "Heat": lambda: Heat(STATE, precision=0.0, limit=10**9),
    "Bluff": lambda: Bluff(DUEL, steps=50),
    "Dial": Dial,
    "Review": lambda: Review([TURN]),
    "League": lambda: League(mkdtemp(), GAME),
    "Puzzle": lambda: Puzzle(crashlab.puzzles("autoscooter")),
}


def own_models():
    """Return the ids of all models but the styles and layouts that panels share, which stay."""
    return {name for name, model in models.items() if model not in page_module._shared.values()}


every_panel = pytest.mark.parametrize("make", PANELS.values(), ids=PANELS)


@pytest.fixture(scope="module", autouse=True)
def shared():
    """Create what all panels share and keep after closing: the page's module and the styles of buttons."""
    for make in PANELS.values():
        make().close()


@pytest.mark.few(3)
@every_panel
def test_a_panel_that_is_closed_leaves_no_model(make):
    before = own_models()
    closed = []
    for _ in range(3):
        panel = make()
        assert len(own_models()) > len(before) + 5
        panel.close()
        closed.append(panel)  # as IPython keeps its outputs
        assert own_models() == before


@pytest.mark.few(2)
@every_panel
def test_a_panel_that_is_closed_keeps_nothing_alive(make):
    panel = make()
    inside = list(map(weakref.ref, (panel.board.surface, panel.board.page, panel.children[0])))
    panel.close()
    gc.collect()
    assert [thing() for thing in inside] == [None] * 3


def test_all_that_an_explorer_has_shown_and_opened_is_given_back():
    before = own_models()
    explorer = Explorer(STATE)
    explorer.edit.value = explorer.write.value = True  # fields created on demand
    explorer.editor.piece.index = 1
    for _ in range(3):
        explorer.board.run_alone(explorer.run_round)
    moment = weakref.ref(explorer.now)
    explorer.close()
    gc.collect()
    assert own_models() == before and moment() is None


@every_panel
def test_what_is_closed_says_so_whatever_is_done_with_it(make):
    panel = make()
    kind, handler = type(panel).__name__, panel.board.guard(lambda: 1 / 0)
    panel.close()
    panel.close()
    before = own_models()
    words = f"this {kind} is closed: run its cell again"
    assert panel._repr_mimebundle_() == {"text/plain": f"{words}."}
    assert repr(panel) == str(panel) == f"<{words}>"
    for use in (lambda: panel.board, lambda: panel.now, panel.still, lambda: ipywidgets.HBox([panel])):
        with pytest.raises(CrashlabError, match=words):
            use()
    assert not hasattr(panel, "no_such_name")
    handler()  # a late message of the browser is ignored
    assert own_models() == before


def test_the_methods_and_properties_of_what_is_closed_say_so_too():
    explorer, stepper = Explorer(STATE), Stepper(TURN)
    explorer.close()
    stepper.close()
    for use in (lambda: explorer.state, explorer.run, explorer.undo, lambda: stepper.show(3)):
        with pytest.raises(CrashlabError, match="is closed"):
            use()
    with pytest.raises(AttributeError, match="'Board' object has no attribute 'no_such_name'"):
        Board(STATE).no_such_name  # noqa: B018


def test_a_board_within_a_panel_closes_the_panel():
    before = own_models()
    explorer = Explorer(STATE)
    explorer.board.close()
    assert explorer.closed and own_models() == before


@pytest.mark.parametrize("kind", ["Arena", "Heat"])
def test_what_goes_on_beside_the_page_ends_with_the_panel(kind, capfd):
    panel = PANELS[kind]()
    sent, work = Sent(panel), panel.work
    if kind == "Arena":
        page = Page(panel.board.page)
        click(panel.play)
        wait_for(lambda: page.clock.playing)
    else:
        panel.board.surface.widget[-1]._client_ready_callbacks()
        wait_for(lambda: sent.messages)
    panel.close()
    shown = len(sent.messages)
    assert not work.busy
    with work.thinking:  # the last computation has finished
        pass
    time.sleep(0.1)
    assert len(sent.messages) == shown and "Traceback" not in capfd.readouterr().err


# In a notebook


class Kernel(InteractiveShell):
    """IPython in a kernel that knows the current cell."""

    request: dict = {}  # noqa: RUF012

    def get_parent(self):
        return self.request


class Notebook:
    """A notebook whose cells run by id; without an id, as in nbclient."""

    def __init__(self, shell):
        self.shell, self.numbers = shell, count()

    def run(self, cell, code, kept=None, path="one.ipynb"):
        """Run a cell; `kept` is our part of its metadata."""
        metadata = {"cellId": cell, "crashlab": kept, "crashlabNotebook": path} if cell else {}
        header = {"msg_type": "execute_request", "msg_id": str(next(self.numbers))}
        self.shell.request = {"header": header, "metadata": metadata}
        done = self.shell.run_cell(code, store_history=True)
        self.shell.request = {"header": {"msg_type": "comm_msg", "msg_id": "?"}, "metadata": {}}
        return done.result

    def __getitem__(self, name):
        return self.shell.user_ns[name]


@pytest.fixture
def notebook(monkeypatch, tmp_path):
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    monkeypatch.setattr(notebook_cells, "_left", {})
    config = Config()
    config.HistoryManager.enabled = False
    shell = Kernel.instance(config=config, user_module=ModuleType("__main__"))
    notebook = Notebook(shell)
    notebook.run("", f"from test_panels import GAME, PANELS, STATE, TURN, ipywidgets, {', '.join(PANELS)}")
    yield notebook
    Kernel.clear_instance()


@pytest.mark.few(2)
@every_panel
def test_a_cell_that_is_run_again_gives_back_what_it_had(notebook, make):
    kind = type(make()).__name__
    notebook.run("a", f"panel = PANELS[{kind!r}]()\npanel")
    many = len(own_models())
    for _ in range(3):
        notebook.run("a", f"panel = PANELS[{kind!r}]()\npanel")
        assert len(own_models()) == many and not notebook["panel"].closed
    shown = [notebook.run("b", f"PANELS[{kind!r}]()") for _ in range(2)]  # referenced only by IPython's history
    assert [panel.closed for panel in shown] == [True, False]


def test_a_panel_that_is_shown_by_another_cell_is_not_closed(notebook):
    notebook.run("a", "board = Board(STATE)")
    shown = notebook.run("b", "board")
    notebook.run("a", "board = Board(STATE)")
    assert not shown.closed and not notebook["board"].closed
    notebook.run("b", "board")
    assert shown.closed and not notebook["board"].closed


def test_a_copied_notebook_on_the_same_kernel_takes_no_panel_from_the_other(notebook):
    """The cells of the copy have the same ids."""
    first = notebook.run("a", "board = Board(STATE)\nboard")
    second = notebook.run("a", "board = Board(STATE)\nboard", path="copy.ipynb")
    assert not first.closed and not second.closed
    notebook.run("a", "board = Board(STATE)\nboard")
    assert first.closed and not second.closed


def test_a_panel_with_a_name_is_kept_and_can_be_shown_again(notebook):
    board = notebook.run("a", "kept = Board(STATE)\nkept")
    notebook.run("a", "1 + 1")
    assert not board.closed
    assert notebook.run("b", "kept") is board and "image/png" in board._repr_mimebundle_()
    notebook.run("b", "kept = 0")
    assert board.closed


@pytest.mark.parametrize(
    "keeping",
    [
        "kept = [{'it': (panel,)}]",
        "kept = ipywidgets.HBox([ipywidgets.VBox([panel])])",
        "class App:\n    pass\nkept = App()\nkept.panel = panel",
    ],
)
def test_a_panel_that_a_name_leads_to_is_kept(notebook, keeping):
    panel = notebook.run("a", f"panel = Board(STATE)\n{keeping}\npanel")
    notebook.run("a", "panel = 0")
    notebook.run("c", "1 + 1")
    assert not panel.closed
    notebook.run("c", "del kept")
    assert panel.closed


def test_panels_in_a_row_belong_to_their_cell_together(notebook):
    row = notebook.run("a", "ipywidgets.HBox([Board(STATE), Stepper(TURN)])")
    assert not any(panel.closed for panel in row.children)
    notebook.run("b", "1 + 1")
    assert not any(panel.closed for panel in row.children)
    notebook.run("a", "ipywidgets.HBox([Board(STATE), Stepper(TURN)])")
    assert all(panel.closed for panel in row.children)


def test_a_cell_that_fails_closes_what_it_has_shown_no_more(notebook):
    panel = notebook.run("a", "Board(STATE)")
    notebook.run("a", "Board(STATE); 1 / 0")
    assert panel.closed


def test_the_same_panel_shown_again_is_not_closed(notebook):
    notebook.run("a", "boards = [Board(STATE)]")
    shown = [notebook.run("b", "boards[0]") for _ in range(3)]
    assert not any(board.closed for board in shown)
    first = notebook.run("c", "display(boards[0])\nboards[0]")
    notebook.run("a", "boards = 0")
    notebook.run("b", "2")
    assert not first.closed
    notebook.run("c", "3")
    assert first.closed


def test_the_board_of_a_panel_goes_with_the_panel(notebook):
    notebook.run("a", "explorer = Explorer(STATE)")
    notebook.run("b", "explorer")
    notebook.run("a", "other = 0")
    assert not notebook["explorer"].closed and not notebook["explorer"].board.closed


def test_without_the_name_of_a_cell_nothing_is_closed(notebook):
    panels = [notebook.run("", "Board(STATE)") for _ in range(3)]
    notebook.run("a", "1 + 1")
    assert not any(panel.closed for panel in panels)
    boards = []
    notebook.run("a", "make = lambda: Board(STATE)")
    boards.append(notebook["make"]())  # in a callback after the cell
    notebook.run("a", "1 + 1")
    assert not boards[0].closed


# Resuming


def is_offered(panel):
    return panel.resume.layout.display is None


def test_the_game_that_was_left_can_be_gone_on_with(notebook):
    code = "explorer = Explorer(STATE, animate=False)\nexplorer"
    first = notebook.run("a", code)
    assert not is_offered(first)
    for _ in range(3):
        first.board.run_alone(first.run_round)
    first.board.run_alone(first.undo)
    moment, words = first.now, status_words(first.state)
    second = notebook.run("a", code)
    assert first.closed and second.state == STATE and is_offered(second)
    assert second.resume.tooltip == words and words.startswith("Round 3 of 11; A ")
    click(second.resume)
    assert second.now is moment and not is_offered(second)
    click(second.redo_button)
    for _ in range(3):
        click(second.undo_button)
    assert second.state == STATE and second.undo_button.disabled


def test_the_game_that_was_left_is_offered_until_a_move_is_played(notebook):
    code = "explorer = Explorer(STATE, animate=False)\nexplorer"
    explorer = notebook.run("a", code)
    explorer.board.run_alone(explorer.run_round)
    moment = explorer.now
    for _ in range(2):  # and again after an unchanged panel
        explorer = notebook.run("a", code)
        assert is_offered(explorer) and explorer.left.now is moment
    explorer.board.run_alone(explorer.agents_plan)
    assert is_offered(explorer)
    explorer.board.run_alone(explorer.run)
    assert not is_offered(explorer)
    moment = explorer.now
    notebook.run("a", "1 / 0")
    explorer = notebook.run("a", code)
    click(explorer.resume)
    assert explorer.now is moment
    click(explorer.resume)
    assert "there is no earlier game to resume" in str(explorer.error)


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ("b", "Explorer(STATE)"),
        ("", "Explorer(STATE)"),
        ("a", "Explorer(crashlab.game('autoscooter', players=3).start(1))"),
        ("a", "Explorer(crashlab.game('crash_city').start(1))"),
    ],
)
def test_another_cell_or_game_offers_nothing(notebook, cell, code):
    explorer = notebook.run("a", "explorer = Explorer(STATE)\nexplorer")
    explorer.board.run_alone(explorer.run_round)
    other = notebook.run(cell, f"import crashlab\n{code}")
    assert not is_offered(other)


def kept(panel):
    """Return the state that the page has stored for a panel."""
    stored = panel.board.page._described[1]
    return json.loads(stored) if stored else {}


@pytest.fixture
def night(monkeypatch):
    """Return a function that closes all panels and forgets their state, as a new kernel; it is called once first."""

    def forget():
        for panel in list(notebook_cells._open):
            panel.close()
        monkeypatch.setattr(notebook_cells, "_left", {})

    forget()
    return forget


def test_a_game_is_gone_on_with_in_another_kernel(notebook, night):
    code = "explorer = Explorer(GAME.start(5), 'greedy', you='B', animate=False)\nexplorer"
    first = notebook.run("a", code)
    assert kept(first) == {}  # nothing has been played
    for _ in range(2):
        first.board.run_alone(first.finish_round)
    position, left, words = first.state.text, kept(first), status_words(first.state)
    assert left["Explorer"]["position"] == position
    assert position.startswith(left["Explorer"]["words"].partition(": ")[2])
    night()
    second = notebook.run("a", code, left)
    assert second.state.round == 1 and is_offered(second) and kept(second) == {}
    assert second.resume.tooltip == words
    click(second.resume)
    assert second.state.text == position and second.now.you == {1} and second.now.seat == 1 and not is_offered(second)
    assert kept(second) == left  # it can be stored again
    click(second.finish)
    assert second.state.round == 4 and not second.error
    for _ in range(2):
        click(second.undo_button)
    assert second.state == GAME.start(5) and kept(second)["Explorer"]["position"] == second.state.text


def test_the_plans_of_a_round_are_there_in_another_kernel(notebook, night):
    """An incomplete plan, a chosen one, a written one and an agent's are stored."""
    code = "explorer = Explorer(GAME.start(5), animate=False)\nexplorer"
    before = notebook.run("a", code)
    for step in (
        lambda it: it.choose(0),
        lambda it: [it.choose(0) for _ in range(9) if it.now.seat == 0],
        lambda it: it.write_action(str(it.state.actions(1)[3])),
        lambda it: (it.undo(), it.agents_plan()),
    ):
        before.board.run_alone(step, before)
        left, plans = kept(before), shown_plans(before)
        night()
        after = notebook.run("a", code, json.loads(json.dumps(left)))
        assert is_offered(after) and shown_plans(after) == {}
        click(after.resume)
        assert shown_plans(after) == plans and kept(after) == left and after.error is None
        before = after
    assert before.now.ready
    click(before.play)
    assert before.now.turn and before.error is None
    for wrong in ([[0, ["nonsense"], "99 X"]], [[0, 5, None]], [[7, ["1"], None]], 5, [["A"]], [[0, [[]], {}]]):
        night()
        assert not is_offered(notebook.run("a", code, {"Explorer": {**left["Explorer"], "plans": wrong}}))
    for seat in ("A", 9, 0.5, []):
        night()
        assert not is_offered(notebook.run("a", code, {"Explorer": {**left["Explorer"], "seat": seat}}))


def shown_plans(explorer):
    return {seat: (plan.words, str(plan.action), len(plan.shapes) > 0) for seat, plan in explorer.now.plans.items()}


@pytest.mark.parametrize("poll", [False, True])
def test_answers_are_gone_on_with_in_another_kernel(poll, notebook, night):
    code = f"predict = Predict(TURN, max_questions=3, poll={poll}, animate=False)\npredict"
    first = notebook.run("a", code)
    assert kept(first) == {}
    counts = [2, 1] + [0] * (len(first.question.answers) - 2)
    first.board.run_alone(first.answer, counts if poll else 1)
    left, verdict = kept(first), first.verdict.value
    assert "1 of 3 questions are answered." in left["Predict"]["words"]
    night()
    second = notebook.run("a", code, left)
    assert is_offered(second) and second.resume.tooltip == "1 of 3" and not second.now.answers
    click(second.resume)
    assert second.now.answers == ((tuple(counts),) if poll else (1,)) and second.now.is_disclosed == poll
    assert kept(second) == left and second.verdict.value == verdict and not is_offered(second)
    for name, wrong in (("asked", "?"), ("before", 5), *(("answers", one) for one in ([], [99], 5, ["x"]))):
        night()
        assert not is_offered(notebook.run("a", code, {"Predict": {**left["Predict"], name: wrong}}))
    night()
    assert not is_offered(notebook.run("a", code.replace("TURN", "STATE.play({0: '1 F', 1: '82 FF'})"), left))


def test_the_answers_about_a_film_are_gone_on_with_in_another_kernel(notebook, night):
    notebook.run("", "from crashlab.lab import Watch\nfrom crashlab import record\nfrom watched_functions import *")
    code = "watch = Watch(record(common, 'abcb', 'bcb'), predict=True, animate=False)\nwatch"
    first = notebook.run("a", code)
    first.board.run_alone(first.steps.jump, first.steps.last)
    first.answer(0)
    left = kept(first)
    night()
    second = notebook.run("a", code, left)
    assert second.quiz.resume.layout.display is None and second.quiz.resume.tooltip.startswith("1 of ")
    click(second.quiz.resume)
    assert second.now.answers == (0,) and kept(second) == left


def test_a_match_of_an_earlier_kernel_says_which_decision_it_goes_on_from(notebook, night):
    code = "arena = Arena(GAME, seed=3, animate=False)\narena"
    first = notebook.run("a", code)
    for _ in range(3):
        first.board.run_alone(first.match.play)
    first.board.run_alone(first.stand, 3)
    first.board.run_alone(first._arrived)
    first.board.run_alone(first.stand, 2)
    first.board.run_alone(first.stand, 3)
    left = kept(first)
    assert left["Arena"]["decision"] == 3
    night()
    second = notebook.run("a", code, left)
    assert second.resume.tooltip.startswith("decision 3; ")
    click(second.resume)
    assert second.slider.value == second.slider.min == 3 and "This is decision 3. The decisions before it" in words(
        second
    )
    click(second.forward)
    assert rested(second).now.place == 1
    assert second.slider.value == 4 and kept(second)["Arena"]["decision"] == 4
    second.slider.value = 3
    assert second.now.place == 0
    click(second.again)
    assert (second.slider.min, second.slider.value) == (0, 0)
    for wrong in (-1, "x", 10**400, [], None):
        night()
        assert not is_offered(notebook.run("a", code, {"Arena": {**left["Arena"], "decision": wrong}}))


def test_what_is_hidden_is_kept_but_not_said(notebook, night):
    code = "explorer = Explorer(GAMES.start(5), 'greedy', you=0, animate=False)\nexplorer"
    notebook.run("", "import crashlab; GAMES = crashlab.game('crash_by_crash')")
    first = notebook.run("a", code)
    first.board.run_alone(first.finish_round)
    left, now = kept(first)["Explorer"], first.now
    assert left["hides"] and left["position"] == first.state.text
    assert left["words"].endswith(first.state.seen_by(0).text) and first.state.text not in left["words"]
    night()
    second = notebook.run("a", code, {"Explorer": left})
    click(second.resume)
    assert second.error is None
    assert second.state == now.state and second.now.offers.seen == now.offers.seen


def test_a_match_is_gone_on_with_in_another_kernel(notebook, night):
    code = "arena = Arena(GAME, 'greedy', seed=3, animate=False)\narena"
    first = notebook.run("a", code)
    assert kept(first) == {}
    first.board.run_alone(first.stand, 0)
    assert kept(first) == {}
    first.now.match.run(5)
    first.board.run_alone(first.stand, 3)
    left, position = kept(first), first.state
    night()
    second = notebook.run("a", code, left)
    assert second.state == GAME.start(3) and is_offered(second) and kept(second) == {}
    click(second.resume)
    assert second.state == position and second.now.place == 0 and kept(second) == left
    click(second.forward)
    assert rested(second).now.place == 1 and second.match.turns[0].before == position and not is_offered(second)
    click(second.again)
    assert second.match.start == GAME.start(4)


def test_a_puzzle_is_gone_on_with_in_another_kernel(notebook, night, tmp_path):
    notebook.run("", f"from test_panels import FEW; FILE = {str(tmp_path / 'rating.json')!r}")
    code = "panel = Puzzle(FEW, file=FILE, animate=False)\npanel"
    first = notebook.run("a", code)
    assert kept(first) == {}
    first.board.run_alone(first.choose, 0)
    begun, left = first.moment.begun, kept(first)
    assert begun.words and f"Chosen: {begun.words[0]}." in left["Puzzle"]["words"]
    night()
    second = notebook.run("a", code, left)
    assert is_offered(second) and not second.moment.begun.words
    click(second.resume)
    assert second.moment.begun == begun and not is_offered(second) and kept(second) == left
    second.answer(second.problem.best[0])
    assert rested(second).now.continuations
    rating, left, best = (tmp_path / "rating.json").read_text(), kept(second), second.problem.best[0]
    night()
    third = notebook.run("a", code, left)
    click(third.resume)
    assert rested(third).now.continuations
    assert third.now.answer == best and "✓" in third.verdict.value and third.error is None
    assert (tmp_path / "rating.json").read_text() == rating  # a puzzle counts once
    click(third.next)
    assert third.now.number == 1 and kept(third)["Puzzle"]["puzzle"] == third.problem.id
    fourth = notebook.run("a", code)  # in the same kernel, without stored metadata
    assert is_offered(fourth)
    click(fourth.resume)
    assert fourth.now.number == 1


BAD = [
    None,
    [],
    "all",
    7,
    {},
    {"Explorer": None},
    {"Explorer": []},
    {"Explorer": {}},
    {"Explorer": {"position": None}},
    {"Explorer": {"position": "phase site; asked D; luck 1", "you": [], "hides": False}},
    {"Explorer": {"position": "round 1; cars", "you": [], "hides": False}},
    {"Explorer": {"position": STATE.text, "you": ["Z"], "hides": False}},
    {"Explorer": {"position": STATE.text, "you": [[]], "hides": False}},
    {"Explorer": {"position": STATE.text, "you": 1, "hides": False}},
    {"Puzzle": {"puzzle": "aaaaaa", "chosen": [], "answer": ""}},
    {"Puzzle": {"puzzle": [], "chosen": [], "answer": ""}},
    {"Puzzle": {"puzzle": FEW[0].id, "chosen": ["?"], "answer": ""}},
    {"Puzzle": {"puzzle": FEW[0].id, "chosen": 3, "answer": ""}},
    {"Puzzle": {"puzzle": FEW[0].id, "chosen": [], "answer": "?"}},
    {"Arena": {"position": "nothing"}},
    {"Arena": {}},
]


@pytest.mark.few(2)
@pytest.mark.parametrize("written", BAD, ids=str)
def test_what_somebody_has_written_into_a_cell_offers_nothing(notebook, night, written, tmp_path):
    notebook.run("", f"from test_panels import FEW; FILE = {str(tmp_path / 'rating.json')!r}")
    for code in ("Explorer(STATE)", "Arena(GAME)", "Puzzle(FEW, file=FILE)"):
        assert not is_offered(notebook.run("a", code, written))


def test_where_anywidget_says_where_the_manager_of_widgets_is_a_panel_says_so(monkeypatch):
    board = Board(GAME.start())
    plain = board._repr_mimebundle_()
    monkeypatch.setattr(anywidget.widget, "repr_mimebundle", lambda **options: ({}, {"manager": "there"}))
    assert board._repr_mimebundle_() == (plain, {"manager": "there"})
