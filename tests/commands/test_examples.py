"""Every example runs unchanged in an empty folder."""

import subprocess
import sys

import pytest
from checkout import ROOT
from patience import PATIENCE

import crashlab

EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
WORDS = {"play_in_terminal": "17 F\n99 F\n?\n8 F\n\n\nquit\n"}
SAYS = {
    "one_crash": "runs into the barrier",
    "my_agent": "careful wins",
    "play_in_terminal": "no: 99 is not a number of car",
    "house_rule": "more side crashes",
    "tournament_on_dask": "greedy",
    "longest_chain": "hits green, which is pushed",
    "rush_hour": "4 commuters",
    "two_rulebooks": "english blue 12, orange 10",
    "gymnasium_q_learning": "after 500 games:     -0.",
    "batch_policy_gradient": "after 20480 games: -0.",
    "pettingzoo_masks": "seat_0 gets",
    "openspiel_cfr": "A's lead comes to -1.33",
    "watch_homework": "without_doubles returned [5, 2, 1]",
    "growing_city": "1280 tiles in 20 cities",
}


@pytest.mark.few(1)
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs(example, tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "error", str(example)],
        input=WORDS.get(example.stem, ""),
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert SAYS[example.stem] in done.stdout


@pytest.mark.parametrize("words", [["chess"], ["crash_city", "x"]])
def test_a_game_that_there_is_not_is_refused_with_how_to_call_it(words):
    command = [sys.executable, str(EXAMPLES[0].parent / "play_in_terminal.py"), *words]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1 and words[-1] in done.stderr and "[GAME] [SEED]" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("game", crashlab.games())
def test_every_game_is_played_in_the_terminal(game):
    command = [sys.executable, str(EXAMPLES[0].parent / "play_in_terminal.py"), game, "2"]
    done = subprocess.run(command, input="nonsense\n?\nhelp\nquit\n", capture_output=True, text=True)
    assert done.returncode == 0 and done.stderr == ""
    prompt = f"{crashlab.game(game).seat_name(0)}> "
    assert done.stdout.count(prompt) == 4
    assert "no: cannot read" in done.stdout and crashlab.game(game).notation in done.stdout
    assert done.stdout.rstrip().endswith("winners: []")


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "name, picture", [("one_crash", "crash"), ("longest_chain", "chain"), ("growing_city", "city")]
)
def test_an_example_saves_its_pictures(name, picture, tmp_path):
    example = ROOT / "examples" / f"{name}.py"
    subprocess.run([sys.executable, str(example), str(tmp_path)], check=True, capture_output=True)
    assert (tmp_path / f"{picture}.svg").read_text("utf-8").startswith("<svg")
    assert (tmp_path / f"{picture}.gif").read_bytes().startswith(b"GIF89a")
