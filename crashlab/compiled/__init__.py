"""How the rules run as fast as machine code, though they are written in plain Python."""
