"""Paths of the checkout and its tests."""

from pathlib import Path

TESTS = Path(__file__).parent
ROOT = TESTS.parent
