"""Crash & Grab: saucers that bump each other off the board and collect a crew of four."""
