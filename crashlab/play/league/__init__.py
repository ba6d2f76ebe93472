"""Leagues: every file of a folder is an agent, and each plays in a process of its own.

season      who has played whom, what came of it, and the file that keeps it
fixtures    the games: one that is to be played, and one that is kept
pairings    who meets whom
guest       an agent in a process, as the league sees it
sandbox     what that process does
locks       what it has the kernel keep it from
page        the table as a picture, and all of it as a page
"""
