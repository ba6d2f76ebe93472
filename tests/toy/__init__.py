"""A fifth game for the tests of the core: a race with secret bids, a gust of wind, and forced bids.

Two runners on squares 0 to 5. Both bid 1 or 2 steps at once and in secret; who stands on square 4 can only bid 1.
Then a gust carries both 0, 1 or 2 squares (weights 1, 2, 1). Whoever reaches square 5 ends the race.
"""
