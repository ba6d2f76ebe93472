"""The command `crashlab`, and the benchmarks."""
