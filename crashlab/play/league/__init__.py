"""Leagues: every file in a folder is an agent, which plays in a separate process.

season      the games played, the standings, and the file that stores them
fixtures    games: scheduled and stored ones
pairings    round robins and Swiss rounds
guest       an agent in a process, seen from the league
sandbox     the code of that process
locks       its restrictions by the kernel of the system
page        the table as a picture, and the league as a page

All that a guest is sent goes through `Guest.__call__`, as text; a test searches everything that can be reached there
for hidden information. `locks` has a table of forbidden system calls with their numbers, from which the filter is made.
A new attack is a line in `tests/guest_attacks.py`.
"""
