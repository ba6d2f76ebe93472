"""What every game stands on: the table and its one door, words, positions, decisions, states."""
