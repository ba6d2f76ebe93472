"""The time limit of tests that wait; a passing test never takes that long, even on a busy machine."""

from effort import effort

PATIENCE = effort(120, 600)  # seconds
