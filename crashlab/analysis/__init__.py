"""Values of positions and decisions: matrix games, solved endgames, duels, reviews, puzzles."""
