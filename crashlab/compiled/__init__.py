"""The compiled body of the rules: how it is made, and the loops that run in it."""
