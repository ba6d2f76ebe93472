"""The games. A game is a folder whose modules offer the same names; nothing outside knows which game it serves.

In each folder, to be read in this order:

    rulebook.toml   every rule: id, title, text, mark, source, and the names of the numbers of a note that cites it
    table           the state, declared once; set-up; what is always true
    rules           who decides, what is legal, what an action does, the score
    words           names of things
    decisions       what is decided, and how actions are written, read and refused
    position        positions as text, as JSON, and back
    secrets         what a seat sees, and what could be behind it
    events          what happens, in words
    facts           what a state tells by name
    look            a table as shapes; what flies and flashes
    ask             what a person is asked at the board
    rungs           agents for a student to beat, one after another

`contract` says as types what each module offers, and what a game need not say.

Where `look` or `ask` would be long, they are split in the same way in every game, and offer what the parts say: `board`
(where things are, and all that is still), `figures` (pieces), `panel` (beside the board), `effects` (also paths),
`predict` (questions), `edits`. Reasons that fill a file of their own are in `refusals` (why an action cannot be played)
and `impossible` (why a position cannot be).

A fifth game is one new folder and one more name in this list; CONTRIBUTING.md says how to make it.
"""

import sys
from types import ModuleType

NAMES = ("autoscooter", "crash_and_grab", "crash_by_crash", "crash_city")


class Games(ModuleType):
    """This package, which can also be called: `crashlab.games()`."""

    def __call__(self) -> tuple[str, ...]:
        """The names of all games.

            >>> crashlab.games()
            ('autoscooter', 'crash_and_grab', 'crash_by_crash', 'crash_city')
        """
        return NAMES


sys.modules[__name__].__class__ = Games
