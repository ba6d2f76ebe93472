"""Autoscooter: plot in secret, drive in number order, crash. Read rulebook.toml, table, rules, text, look, ask."""
