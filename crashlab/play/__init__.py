"""Playing games to the end: matches, simulations, comparisons, tournaments, leagues."""
