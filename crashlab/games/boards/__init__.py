"""Boards: cells as ints, neighbours, centre points, distances."""
