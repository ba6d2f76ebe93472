"""Whole games: matches, simulations, comparisons, tournaments, leagues."""
