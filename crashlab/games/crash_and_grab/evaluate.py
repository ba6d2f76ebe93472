"""How far it pays to look: a position stands as its scores do."""

from __future__ import annotations

HORIZON = 12
EXPLORATION = 2.0
