"""Helpers that know no game: errors, files, clock, progress bars, workers, statistics."""
