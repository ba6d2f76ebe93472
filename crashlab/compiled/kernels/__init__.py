"""Loops over games that run interpreted and compiled: plain functions over rows of numbers."""
