"""The compiler for the rules of a game, and the loops that run compiled."""
