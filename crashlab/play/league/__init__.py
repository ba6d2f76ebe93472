"""Leagues: every file in a folder is an agent, which plays in a separate process.

season      the games played, the standings, and the file that stores them
fixtures    games: scheduled and stored ones
pairings    round robins and Swiss rounds
guest       an agent in a process, as the league uses it
sandbox     the code of that process
locks       the restrictions of that process by the kernel of the system
page        the table as a picture, and the league as a page

A guest gets positions only through `Guest.__call__`, as text; a test searches everything that can be reached there for
hidden information. `locks` has tables of the allowed system calls with their numbers, from which the filter is built.
To test a new attack, add a line to `tests/guest_attacks.py`.
"""
