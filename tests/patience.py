"""How long the tests wait for what has to come. One that passes never waits for so long; a busy machine is no fault."""

from effort import effort

PATIENCE = effort(120, 600)  # seconds
