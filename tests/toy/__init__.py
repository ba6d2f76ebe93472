"""A fifth game for the tests of the core: a race with secret bids, a gust of wind, and forced bids.

Two runners move on squares 0 to 5. Both bid 1 or 2 steps at once and in secret; on square 4 the only bid is 1. Then a
gust carries both 0, 1 or 2 squares (weights 1, 2, 1). The first to reach square 5 ends the race.
"""
