"""Crash by Crash: bumper cars that push, magnets that pull, and a grumpy operator, on a floor that loses tiles."""
