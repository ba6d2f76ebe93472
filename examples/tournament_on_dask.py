"""Ten thousand games and a small tournament on a cluster. Here the cluster is two processes on this machine.

On a real one, start the client with the address of its scheduler: Client("tcp://...:8786"). Nothing else changes.
"""

from dask.distributed import Client, LocalCluster

import crashlab


def main() -> None:
    game = crashlab.game("autoscooter", players=8)
    here = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0", "silence_logs": "ERROR"}
    with LocalCluster(**here) as cluster, Client(cluster) as client:
        print(crashlab.simulate(game, games=10_000, workers=client))
        print()
        print(crashlab.tournament(crashlab.game("autoscooter"), ["random", "greedy"], games=4, workers=client))


if __name__ == "__main__":  # each process imports this file
    main()
