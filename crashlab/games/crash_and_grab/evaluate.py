"""The horizon and exploration of the searches; positions are evaluated by their scores."""

from __future__ import annotations

HORIZON = 12
EXPLORATION = 2.0
