"""The basis of all games: tables and their mutators, notation, positions, decisions, states."""
