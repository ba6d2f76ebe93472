"""What knows no game: errors, files, the clock, progress, workers, statistics."""
