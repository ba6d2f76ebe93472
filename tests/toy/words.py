"""Bids are 1 and 2; a gust of wind is `gust 0`, `gust 1` or `gust 2`."""
