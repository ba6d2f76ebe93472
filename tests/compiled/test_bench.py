"""The bench measures the figures it names; no test depends on speed."""

import json

import bench as module
import pytest
from bench import FIGURES, PROCESSES, BenchReport, Length, Measurement, bench, figure

import crashlab

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def report():
    return bench(crashlab.game("autoscooter", players=2), seconds=0.03)


def test_every_figure_is_positive_and_compares_with_one_of_the_same_run(report):
    names = {line.name for line in report.lines}
    for line in report.lines:
        assert line.value > 0 and line.unit
        assert line.ratio is None or (line.ratio > 0 and (line.to in names or line.to in ("cold", "playouts")))


def test_it_measures_bodies_batches_searches_compiling_importing_and_a_click(report):
    text = str(report)
    names = "interpreted", "compiled, one core", "batch of 1,024", "mcts search", "cold", "from the cache", "a click"
    for words in (*names, "import", "read", *(["300 phones vote"] if module.has_server() else [])):
        assert words in text
    assert report.machine["cores"] >= 1 and report.machine["processor"] in text and "players=2" in report.game


def test_the_report_is_plain_json(report):
    assert json.loads(json.dumps(report.to_dict()))["lines"][0]["name"] == "interpreted"


def test_whole_games_are_told_interpreted_compiled_and_on_all_cores(report):
    """Two drivers of Autoscooter plot for four cars each in eleven rounds: 44 decisions of two actions."""
    assert Length.of(crashlab.game("autoscooter", players=2)) == Length(44, 2)
    for name in ("interpreted", "compiled, one core", f"compiled, {report.machine['cores']} cores"):
        assert report[name].value == pytest.approx(88 * report[f"whole games, {name}"].value)
    assert len(report.lines) == FIGURES[True] + PROCESSES[True] + module.PHONES * module.has_server()


def test_where_two_decide_by_turns_both_bodies_look_ahead_and_solve():
    lines = list(module.turn_lines(crashlab.game("crash_city", players=2), 0.01))
    assert [line.name.partition(",")[0] for line in lines] == ["alphabeta"] * 2 + ["retrograde"] * 2
    assert len(lines) == module.BY_TURNS and all(line.value > 0 for line in lines)
    assert not module.is_by_turns(crashlab.game("autoscooter", players=2))
    assert not module.is_by_turns(crashlab.game("crash_city"))


def test_the_stop_button_leaves_the_figures_that_are_known(monkeypatch):
    def stopped(game, seconds):
        yield Measurement("fast", 2.0, "games/s")
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "figures", stopped)
    report = bench(crashlab.game("autoscooter"))
    assert [line.name for line in report.lines] == ["fast"] and "stopped before" in str(report)


def test_it_shows_the_figures_of_an_earlier_run_beside_its_own(tmp_path, monkeypatch, capsys):
    earlier = tmp_path / "earlier.json"
    lines = [Measurement("fast", 3.0, "ms"), Measurement("new", 4.0, "ms", 2.0, "fast")]
    monkeypatch.setattr(module, "bench", lambda *_: BenchReport({}, "game", tuple(lines)))
    earlier.write_text(json.dumps(BenchReport({}, "game", (Measurement("fast", 5.0, "ms"),)).to_dict()))
    module.main(["--before", str(earlier), "--json", str(tmp_path / "now.json")])
    figures = capsys.readouterr().out.splitlines()[-2:]
    assert [" ".join(line.split()) for line in figures] == ["fast 3 ms 5 before", "new 4 ms 2.00 x fast"]
    assert module.figures_in(str(tmp_path / "now.json")) == {"fast": 3.0, "new": 4.0}
    earlier.write_text("[]")
    with pytest.raises(crashlab.CrashlabError, match=r"has no figures of bench.py --json"):
        module.main(["--before", str(earlier)])


def test_numbers_show_what_they_mean():
    assert [figure(value) for value in (18_234_567.0, 123.4)] == ["18,234,567", "123"]
    assert [figure(value) for value in (12.345, 0.01234)] == ["12.3", "0.0123"]
    line = Measurement("fast", 2.0, "games/s", 1.5, "slow")
    assert "1.50 x slow" in str(BenchReport({"cores": 2}, "a game", (line,)))
