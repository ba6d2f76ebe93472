"""The games. A game is a folder whose modules offer the same names; nothing outside knows which game it serves.

    rulebook.toml  every rule: id, title, text, mark, source, names of a note's numbers
    table.py   TITLE, OPTIONS, SECRET (fields that only their own seat sees), check_options, set_up(options, rng),
               problems(table), and the table itself
    rules.py   BOOK, MOST_ACTIONS, actors, legal, forced, odds, apply, score
    text.py    seat_name, action_text, read_action, refusal, event_text, write, read, to_dict, from_dict,
               hide, guess, facts
    look.py    picture, caption, effects, paths
    ask.py     subject, choices, plans, questions, edits, edited

A fifth game is one new folder and one more name in this list.
"""

NAMES = ("autoscooter",)
