"""CrashCity: first a city is built from street tiles, then everybody races to work and shoves the others aside."""
