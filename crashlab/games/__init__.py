"""The games. A game is a folder whose modules offer the same names; nothing outside knows which game it serves.

rulebook.toml   every rule: id, title, text, mark, source, and the names of the numbers of a note that cites it

table.py        the state, declared once
    TITLE, OPTIONS                  `players` is the one option that every game has
    check_options(options)          refuses options that contradict each other
    set_up(options, rng)            the table at the start; rng draws what is drawn
    problems(table)                 what is wrong with a table, in words; nothing, ever

rules.py        integers only; a table is changed by `happen` alone
    BOOK, MOST_ACTIONS              the rulebook; how long a list of legal actions can be
    actors(table)                   who decides now: bits of seats, CHANCE, or 0 when the game is over
    legal(table, seat, out)         writes the seat's actions into out; how many there are
    draw(table, seat, luck, out)    one of them, all equally likely; luck is a number below 2 ** 31, out a list to use
    forced(table, seat, out)        the only action of a seat that has no choice, else NOWHERE
    odds(table, out)                at a decision of chance: the weights of its outcomes, in the order of `legal`
    apply(table, seat, action, trace)   one actor's action; of several actors the last one sets things going
    score(table, seat), winners(table)      the winners as bits, once the game is over
    prospects(table, out)           writes how every seat stands, in hundredths of a point: 100 times its score, and
                                    in part what it is near to; at the end of the game nothing but the score

text.py         notation; its docstring is what `game.notation` shows
    seat_name(seat), facts(table)   what a state tells by name, as in `state.box`
    action_text, read_action        an action in words and back: (table, seat, action)
    refusal(table, seat, action)    why it cannot be played now, or ""; accepts all that `legal` lists
    write, read, to_dict, from_dict     a position as a line and as JSON, secrets included
    hide(table, seat), guess(table, rng)    what a seat sees; a table that could be behind it
    is_secret(table, row, seat)     whether a row of a trace may not be known to this seat
    event_text(table, row)          a row of a trace in words; the table is as it was just before

look.py         shapes, no drawing
    picture(table), caption(table)  a large board lies on the picture's `map`, at which one can look from nearer
    effects(table, rows, told)      what flies and flashes in the rows of one beat, as pairs of pieces, from and to
    paths(table, rows)              the ways that were gone in these rows
    seat_paint(table, seat)         the theme's colour of a seat, for words and curves beside the board

ask.py          what a person is asked at the board
    subject(table, seat)            the key of the piece that a seat decides about
    choices(table, seat, chosen)    the words that can follow those chosen; together they make every legal action;
                                    each is clicked on the piece, the point or the shapes that it names
    plans(table, actions)           actions that are planned, as choices with their shapes
    questions(turn)                 what to predict
    edits(table), edited(data, key, name, value)    what can be changed by hand, and the position with it changed

A fifth game is one new folder and one more name in this list.
"""

NAMES = ("autoscooter", "crash_and_grab", "crash_by_crash", "crash_city")
