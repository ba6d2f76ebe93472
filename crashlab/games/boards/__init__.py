"""Boards: cells as ints, neighbours, centres, distances."""
