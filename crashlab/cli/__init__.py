"""The command `crashlab`."""
