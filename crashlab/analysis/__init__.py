"""What positions and decisions are worth: matrix games, solved endgames, duels, reviews, puzzles."""
