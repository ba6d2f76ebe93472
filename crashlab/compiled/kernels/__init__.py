"""Loops over games that run both interpreted and compiled: plain functions over arrays of numbers."""
