"""A real cluster on this machine: it gives the same numbers, and a worker's death loses no game."""

import os
import signal
import time

import numpy as np
import pytest

import crashlab
from crashlab import simulate

distributed = pytest.importorskip("dask.distributed")
GAME = crashlab.game("autoscooter", players=5)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning"),  # from Dask
]


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with (
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            dashboard_address=":0",
            local_directory=str(tmp_path_factory.mktemp("dask")),
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def pick(state, seat):
    """Return the first legal action slowly: a game takes about a quarter of a second."""
    time.sleep(0.02)
    return state.actions(seat)[0]


def same(first, second):
    parts = ("numbers", "scores", "winners", "decisions", "_counts")
    return all(np.array_equal(getattr(first, part), getattr(second, part)) for part in parts)


def test_a_cluster_gives_the_same_numbers(client):
    assert same(simulate(GAME, 3000, workers=client.get_executor()), simulate(GAME, 3000))


def test_agents_play_on_a_cluster(client):
    who = {0: "greedy", 1: pick}
    assert same(simulate(GAME, 4, agents=who, workers=client.get_executor()), simulate(GAME, 4, agents=who))


def test_a_league_is_played_on_a_cluster(client, tmp_path):
    """Each game runs in processes of a worker and is the same as on this machine."""
    outcomes = []
    for folder, workers in ((tmp_path / "here", None), (tmp_path / "there", client)):
        folder.mkdir()
        for name, place in (("first", 0), ("last", -1)):
            (folder / f"{name}.py").write_text(f"def agent(state, seat):\n    return state.actions(seat)[{place}]\n")
        game = crashlab.game("autoscooter", players=2)
        season = crashlab.league(folder, game, games=4, limit=600, seed=3 * 10**39, workers=workers, progress=False)
        outcomes.append(sorted((kept.pair, kept.number, kept.match["end"]) for kept in season.played))
    assert len(outcomes[0]) == 4 and outcomes[0] == outcomes[1]


def test_a_worker_that_is_killed_loses_no_game(client, tmp_path):
    before, killed = client.run(os.getpid), tmp_path / "killed"

    def and_kill(state, seat):
        """Kill this process once, in the middle of the games."""
        if not killed.exists():
            killed.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return pick(state, seat)

    results = simulate(GAME, 32, agents={0: and_kill}, workers=client.get_executor())
    assert killed.exists() and set(client.run(os.getpid).values()) != set(before.values())
    assert same(results, simulate(GAME, 32, agents={0: pick}))
